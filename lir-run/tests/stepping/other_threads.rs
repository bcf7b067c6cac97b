//! Functions that C calls on threads of its own are traced and stopped in like all others.

use super::{run, stops, trace, twice};
use crate::tool::Tool;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A program that runs two threads, of which one is started by the other.
const THREADS: &str = "\
extern func @pthread_create(i64, i64, i64, i64) -> i32
extern func @pthread_join(i64, i64) -> i32
extern func @flockfile(i64)
extern func @funlockfile(i64)
extern data @stdout
data @sum = { i64 0 }
thread data @own align 8 = { i64 100 }
func @run_on_thread(%f: i64, %arg: i64) -> i64 {
  stack $thread: 8
  stack $result: 8
entry:
  %t = lea [$thread]
  %none = const i64 0
  %e = call i32 @pthread_create(%t, %none, %f, %arg)
  %h = load i64 [$thread]
  %r = lea [$result]
  %e = call i32 @pthread_join(%h, %r)
  %v = load i64 [$result]
  ret %v
}
func @add(%n: i64) -> i64 {
entry:
  %s = load i64 [@own]
  %s = add i64 %s, %n
  store i64 [@own], %s
  ret %s
}
func @outer(%n: i64) -> i64 {
entry:
  %a = call i64 @add(%n)
  %f = lea [@add]
  %b = call i64 @run_on_thread(%f, %a)
  ret %b
}
func @main() -> i32 {
entry:
  %f = lea [@outer]
  %n = const i64 5
  %v = call i64 @run_on_thread(%f, %n)
  %r = trunc i64 %v to i32
  ret %r
}
func @locked() -> i32 {
entry:
  %out = load i64 [@stdout]
  call @flockfile(%out)
  %r = call i32 @main()
  call @funlockfile(%out)
  ret %r
}
func @inverse(%n: i64) -> i64 {
entry:
  %one = const i64 1
  %q = sdiv i64 %one, %n
  ret %q
}
func @trapping() -> i64 {
entry:
  %f = lea [@inverse]
  %n = const i64 0
  %v = call i64 @run_on_thread(%f, %n)
  ret %v
}
func @count(%n: i64) -> i64 {
entry:
  jmp loop
loop:
  %i = phi i64 [0, entry], [%j, loop]
  %j = add i64 %i, 1
  br ult i64 %j, %n, loop, done
done:
  ret %i
}
func @both(%n: i64) -> i64 {
  stack $thread: 8
entry:
  %t = lea [$thread]
  %none = const i64 0
  %f = lea [@count]
  %e = call i32 @pthread_create(%t, %none, %f, %n)
  %i = call i64 @count(%n)
  %h = load i64 [$thread]
  %e = call i32 @pthread_join(%h, %none)
  ret %i
}
";

#[test]
fn other_threads_are_traced_with_their_numbers() {
    let ended = run(THREADS, &["--trace"], &[]);
    assert_eq!(ended.status, 205, "{}", ended.err);
    let text = trace(&ended);
    // Both joins are begun before their threads end, but which thread continues first is unknown.
    for head in ["@outer, block entry, thread 2:", "  @add, block entry, thread 2:", "@add, block entry, thread 3:"] {
        assert!(text.lines().any(|l| l == head), "{head}: {text}");
    }
    assert!(text.starts_with("@main, block entry:\n"), "{text}");
    assert!(text.ends_with("   41 ret %r ; %r = 205\n"), "{text}");
    let last = text.lines().rfind(|l| l.ends_with(':'));
    assert_eq!(last, Some("@main, block entry, thread 1:"), "{text}");
    // The instructions of a thread are in order, with its own data.
    let of_three = text.split("@add, block entry, thread 3:\n").nth(1).unwrap();
    assert!(of_three.starts_with("   23 %s = load i64 [@own] ; => 100\n"), "{text}");
}

#[test]
fn lines_of_threads_are_whole() {
    let ended = run(THREADS, &["--trace", "--call", "@both(100000)"], &[]);
    assert_eq!(ended.out, "i64 99999\n");
    let mut lines = HashMap::new();
    let mut thread = "thread 1".to_string();
    for l in ended.err.lines() {
        if l.contains(", block ") {
            let named = l.split(", ").nth(2).map(|t| t.trim_end_matches(':').to_string());
            thread = named.unwrap_or(thread);
        } else if l.trim_start().starts_with("70 br ult i64 %j, %n, loop, done ") && l.ends_with("%n = 100000") {
            *lines.entry(thread.clone()).or_insert(0) += 1;
        }
    }
    assert_eq!(lines, HashMap::from([("thread 1".to_string(), 100_000), ("thread 2".to_string(), 100_000)]));
}

#[test]
fn a_break_stops_another_thread_and_commands_are_for_it() {
    let ended = run(THREADS, &["--break=@add"], &["bt", "x @own 8", "f", "n", "n", "n", "c", "bt", "f", "c"]);
    assert_eq!(ended.status, 205, "{}", ended.err);
    assert_eq!(
        ended.err,
        "\
break 1, hit 1: @add, block entry, line 23, depth 1, thread 2
=>    23 %s = load i64 [@own]
(lir) bt
#0 @add(%n = 5), line 23: %s = load i64 [@own]
#1 @outer(%n = 5), line 30: %a = call i64 @add(%n)
(lir) x @own 8
@own+0: 64 00 00 00 00 00 00 00  |d.......|
(lir) f
@add returns i64 105
@outer, block entry, line 31, depth 0, thread 2
=>    31 %f = lea [@add]
(lir) n
@outer, block entry, line 32, depth 0, thread 2
=>    32 %b = call i64 @run_on_thread(%f, %a)
(lir) n
break 1, hit 2: @add, block entry, line 23, depth 0, thread 3
=>    23 %s = load i64 [@own]
(lir) n
@add, block entry, line 24, depth 0, thread 3
=>    24 %s = add i64 %s, %n
(lir) c
"
    );
}

#[test]
fn the_end_of_a_thread_leads_to_the_next_executed_instruction() {
    for last in ["n", "s", "f"] {
        let ended = run(THREADS, &["--break=@outer:33"], &[last, "p %v", "c"]);
        assert_eq!(ended.status, 205, "{}", ended.err);
        // The first thread may not even have returned from `pthread_create`.
        let [at, next] = stops(&ended)[..] else { panic!("{}", ended.err) };
        assert_eq!(at, "break 1, hit 1: @outer, block entry, line 33, depth 0, thread 2");
        assert!(
            next.starts_with("@run_on_thread, block entry, line ") && next.ends_with(", depth 1, thread 1"),
            "{next}"
        );
        assert_eq!(ended.err.contains("@outer returns i64 205\n"), last == "f", "{}", ended.err);
    }
}

/// A thread has standard output locked, and waits for the stopped one.
#[test]
fn a_stop_waits_for_no_lock() {
    let options = ["--interp", "--timeout=20", "--break=@add:26", "--call", "@locked()"];
    let ended = Tool::new(THREADS).stdin("c\nc\n").run(&options);
    assert_eq!((ended.status, ended.out.as_str()), (0, "i32 205\n"), "{}", ended.err);
    let ended = Tool::new(THREADS).stdin("q\n").run(&options);
    assert_eq!((ended.status, ended.out.as_str()), (0, ""), "{}", ended.err);
}

#[test]
fn a_trap_on_another_thread_ends_the_tool() {
    let ended = run(THREADS, &["--trace", "--break=@inverse", "--call", "@trapping()"], &["s", "s"]);
    assert_eq!(ended.status, 134);
    let text = trace(&ended);
    let end = "   54 %q = sdiv i64 %one, %n ; %one = 1, %n = 0\ntrap: div_by_zero in @inverse, block entry, line 54\n";
    assert!(text.ends_with(end), "{text}");
    assert!(text.contains("break 1, hit 1: @inverse, block entry, line 53, depth 0, thread 2\n"), "{text}");
}

#[test]
fn no_thread_executes_while_a_debugger_is_asked() {
    let asked = Arc::new(Mutex::new(HashMap::new()));
    let of_debugger = Arc::clone(&asked);
    twice(THREADS, "both", 40_000, |interp| {
        let inside = Arc::new(AtomicBool::new(false));
        let of_observer = Arc::clone(&inside);
        interp.observe(Box::new(move |_| assert!(!of_observer.load(Ordering::SeqCst))));
        interp.debug(Box::new(move |run| {
            assert!(!inside.swap(true, Ordering::SeqCst));
            let mut asked = of_debugger.lock().unwrap();
            let count = asked.entry(run.thread()).or_insert(0u64);
            *count += 1;
            if *count % 10_000 == 0 {
                // Another thread would have time to execute.
                std::thread::sleep(Duration::from_millis(5));
            }
            inside.store(false, Ordering::SeqCst);
        }));
    });
    let asked = asked.lock().unwrap();
    assert!(asked.len() == 2 && asked.values().all(|n| *n > 80_000), "{asked:?}");
}
