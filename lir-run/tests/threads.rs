//! Programs that start threads through C: in the interpreter and natively, in-process and by the tool.

use crate::interp;
use crate::tool::Tool;
use lir_llc::options::CompileOptions;
use lir_llc::options::RelocModel;
use lir_run::engine::{Engine, Mode};
use lir_run::interp::{Interp, Options, Outcome};
use lir_run::symbols::HostSymbols;
use lir_syntax::ir::Module;
use lir_syntax::semantics::Trap;
use lir_syntax::text::source::Source;
use std::sync::mpsc::channel;

const THREADS: &str = "
extern func @pthread_create(i64, i64, i64, i64) -> i32
extern func @pthread_join(i64, i64) -> i32
extern func @pthread_exit(i64) noreturn
extern func @pthread_mutex_lock(i64) -> i32
extern func @pthread_mutex_unlock(i64) -> i32
extern func @usleep(i32) -> i32
extern func @puts(i64) -> i32
data @mutex align 8 = { zero 64 }

; Starts a thread and waits for its result.
func @run_on_thread(%f: i64, %arg: i64) -> i64 {
  stack $thread: 8
  stack $result: 8
entry:
  %t = lea [$thread]
  %none = const i64 0
  %e = call i32 @pthread_create(%t, %none, %f, %arg)
  %h = load i64 [$thread]
  %r = lea [$result]
  %e2 = call i32 @pthread_join(%h, %r)
  %v = load i64 [$result]
  ret %v
}
";

fn module(text: &str) -> (Module, Source) {
    interp::module(&format!("{THREADS}{text}"))
}

fn interpret(text: &str, calls: &[&str]) -> Vec<String> {
    let (module, source) = module(text);
    let mut interp = Interp::new(module.clone(), &HostSymbols::new(&[]).unwrap(), Options::default()).unwrap();
    calls.iter().map(|call| interp::call_in(&mut interp, call, &module, &source)).collect()
}

/// Runs the tool on a program: status, standard output, standard error.
fn run_tool(text: &str, arguments: &[&str]) -> (i32, String, String) {
    let ended = Tool::new("").stdin(&format!("{THREADS}{text}")).run_on_stdin(arguments);
    (ended.status, ended.out, ended.err)
}

/// Two threads count in shared data under a mutex and each in its thread data, which starts as written.
const COUNTING: &str = "
thread data @own align 8 = { i64 100 }
data @shared = { i64 0 }
local func @count(%n: i64) -> i64 {
entry:
  %m = lea [@mutex]
  jmp loop
loop:
  %i = phi i64 [0, entry], [%j, loop]
  %e = call i32 @pthread_mutex_lock(%m)
  %s = load i64 [@shared]
  %s2 = add i64 %s, 1
  store i64 [@shared], %s2
  %e2 = call i32 @pthread_mutex_unlock(%m)
  %o = load i64 [@own]
  %o2 = add i64 %o, 1
  store i64 [@own], %o2
  %j = add i64 %i, 1
  br ult i64 %j, %n, loop, done
done:
  ret %o2
}
func @main() -> i32 {
  stack $a: 8
  stack $b: 8
  stack $ra: 8
  stack $rb: 8
entry:
  %f = lea [@count]
  %none = const i64 0
  %na = const i64 2000
  %nb = const i64 3000
  %pa = lea [$a]
  %pb = lea [$b]
  %e = call i32 @pthread_create(%pa, %none, %f, %na)
  %e2 = call i32 @pthread_create(%pb, %none, %f, %nb)
  %ha = load i64 [$a]
  %hb = load i64 [$b]
  %qa = lea [$ra]
  %qb = lea [$rb]
  %e3 = call i32 @pthread_join(%ha, %qa)
  %e4 = call i32 @pthread_join(%hb, %qb)
  %x = load i64 [$ra]
  br eq i64 %x, 2100, a_right, wrong
a_right:
  %y = load i64 [$rb]
  br eq i64 %y, 3100, b_right, wrong
b_right:
  %z = load i64 [@own]
  br eq i64 %z, 100, own_right, wrong
own_right:
  %s = load i64 [@shared]
  br eq i64 %s, 5000, right, wrong
right:
  ret 42
wrong:
  ret 1
}
";

#[test]
fn threads_share_data_and_have_their_own_thread_data() {
    assert_eq!(interpret(COUNTING, &["@main()"]), ["i32 42"]);
    for mode in [&["--interp"][..], &["-O0"], &["-O2"]] {
        assert_eq!(run_tool(COUNTING, mode), (42, String::new(), String::new()), "{mode:?}");
    }
}

#[test]
fn a_thread_reaches_the_stack_of_another_one() {
    let text = "
local func @add_up(%p: i64) -> i64 {
entry:
  %a = load i64 [%p]
  store i64 [%p + 8], %a
  %b = load i64 [%p + 16]
  ret %b
}
func @f(%far: i64) -> i64 {
  stack $object: 24
entry:
  %p = lea [$object]
  store i64 [$object], 7
  store i64 [$object + 16], 9
  %q = add i64 %p, %far
  %g = lea [@add_up]
  %r = call i64 @run_on_thread(%g, %q)
  %s = load i64 [$object + 8]
  %t = mul i64 %s, %r
  ret %t
}
";
    let results = interpret(text, &["@f(0)", "@f(16)"]);
    assert_eq!(results[0], "i64 63");
    let message =
        "a write of 8 bytes at offset 24 of the nearest live stack object of another thread of 24 bytes in @add_up";
    assert!(results[1].starts_with(message), "{results:?}");
}

#[test]
fn a_thread_that_computes_lets_others_go_on() {
    let text = "
data @flag = { i64 0 }
local func @set(%p: i64) -> i64 {
entry:
  %k = const i32 1000
  %e = call i32 @usleep(%k)
  store i64 [@flag], 1
  ret 0
}
func @f() -> i64 {
  stack $t: 8
entry:
  %t = lea [$t]
  %none = const i64 0
  %g = lea [@set]
  %e = call i32 @pthread_create(%t, %none, %g, %none)
  jmp wait
wait:
  %v = load i64 [@flag]
  br %v, done, wait
done:
  %h = load i64 [$t]
  %e2 = call i32 @pthread_join(%h, %none)
  ret 5
}
";
    assert_eq!(interpret(text, &["@f()"]), ["i64 5"]);
}

#[test]
fn a_thread_may_end_inside() {
    let text = "
local func @ends(%v: i64) -> i64 {
entry:
  call @pthread_exit(%v)
  unreachable
}
func @f() -> i64 {
entry:
  %g = lea [@ends]
  %v = const i64 11
  %r = call i64 @run_on_thread(%g, %v)
  %r2 = call i64 @run_on_thread(%g, %r)
  ret %r2
}
";
    assert_eq!(interpret(text, &["@f()"]), ["i64 11"]);
}

const TRAPPING: &str = "
data @done = { \"before\\00\" }
local func @divide(%a: i64) -> i64 {
entry:
  %p = lea [@done]
  %e = call i32 @puts(%p)
  %m = lea [@mutex]
  %e2 = call i32 @pthread_mutex_lock(%m)
  jmp work
work:
  %q = udiv i64 %a, %a
  ret %q
}
func @main() -> i32 {
entry:
  %v = call i64 @f()
  %r = trunc i64 %v to i32
  ret %r
}
func @f() -> i64 {
entry:
  %g = lea [@divide]
  %v = const i64 0
  %r = call i64 @run_on_thread(%g, %v)
  ret 0
}
; Waits for a mutex that the thread, when it trapped, held.
func @stuck() -> i64 {
  stack $t: 8
entry:
  %t = lea [$t]
  %v = const i64 0
  %g = lea [@divide]
  %e = call i32 @pthread_create(%t, %v, %g, %v)
  %k = const i32 50000
  %e2 = call i32 @usleep(%k)
  %m = lea [@mutex]
  %e3 = call i32 @pthread_mutex_lock(%m)
  ret 0
}
func @ok() -> i32 {
entry:
  ret 3
}
";

#[test]
fn a_trap_on_another_thread_ends_the_run() {
    let results = interpret(TRAPPING, &["@f()", "@ok()"]);
    assert!(results[0].starts_with("trap: div_by_zero in @divide, block work, line"), "{results:?}");
    assert_eq!(results[1], "i32 3");
}

#[test]
fn the_hook_is_told_of_a_trap_on_another_thread() {
    let options = CompileOptions { model: RelocModel::Jit, ..CompileOptions::default() };
    for mode in [Mode::Interpreter, Mode::Native(options)] {
        let (module, source) = module(TRAPPING);
        let engine = Engine::new(module, mode, &HostSymbols::new(&[]).unwrap()).unwrap();
        let (told, messages) = channel();
        engine.on_thread_failure(Box::new(move |outcome, module| {
            let Outcome::Trap(trap, at) = outcome else { panic!("{outcome:?}") };
            told.send(format!("{trap} in {}", at.describe(module, Some(&source)))).unwrap();
        }));
        let outcome = engine.call(engine.func("f").unwrap(), &[]).unwrap();
        assert!(matches!(outcome, Outcome::Trap(Trap::DivByZero, _)), "{outcome:?}");
        assert_eq!(messages.recv().unwrap(), "div_by_zero in @divide, block work, line 35");
    }
}

#[test]
fn a_trap_on_another_thread_ends_the_tool() {
    for mode in [&["--interp"][..], &["-O0"], &["-O2"]] {
        for call in [&[][..], &["--call", "@stuck()"]] {
            let (status, out, err) = run_tool(TRAPPING, &[mode, call].concat());
            assert_eq!((status, out.as_str()), (134, "before\n"), "{mode:?} {call:?}: {err}");
            assert!(err.starts_with("trap: div_by_zero in @divide, block "), "{mode:?} {call:?}: {err}");
            assert!(err.ends_with(", line 35\n"), "{mode:?} {call:?}: {err}");
        }
    }
}

/// A trap in C is reported at the calling function; the stream that C was writing to is flushed if possible.
#[test]
fn a_trap_in_c_on_another_thread_ends_the_tool() {
    let text = "
extern func @strlen(i64) -> i64
local func @measure(%a: i64) -> i64 {
entry:
  %n = call i64 @strlen(%a)
  ret %n
}
func @main() -> i32 {
entry:
  %g = lea [@measure]
  %v = const i64 1
  %r = call i64 @run_on_thread(%g, %v)
  ret 0
}
";
    for mode in ["-O0", "-O2"] {
        let (status, _, err) = run_tool(text, &[mode]);
        assert_eq!(
            (status, err.as_str()),
            (134, "trap: memory_fault in C code called from @measure, block entry, line 29\n"),
            "{mode}"
        );
    }
}

#[test]
fn the_first_thread_is_stopped_where_it_computes() {
    let text = "
local func @fail(%a: i64) -> i64 {
entry:
  %k = const i32 1000
  %e = call i32 @usleep(%k)
  unreachable
}
func @f() -> i64 {
  stack $t: 8
entry:
  %t = lea [$t]
  %none = const i64 0
  %g = lea [@fail]
  %e = call i32 @pthread_create(%t, %none, %g, %none)
  jmp loop
loop:
  jmp loop
}
";
    let results = interpret(text, &["@f()"]);
    assert!(results[0].starts_with("trap: unreachable in @fail, block entry, line"), "{results:?}");
}

/// Each thread that fails may end the process, and one does.
#[test]
fn traps_on_two_threads_have_one_message() {
    let text = "
data @zero = { i64 0 }
local func @bad(%n: i64) -> i64 {
entry:
  %one = const i64 1
  %z = load volatile i64 [@zero]
  %q = sdiv i64 %one, %z
  ret %q
}
func @main() -> i32 {
  stack $t: 16
entry:
  %f = lea [@bad]
  %t1 = lea [$t]
  %t2 = lea [$t + 8]
  %none = const i64 0
  %e = call i32 @pthread_create(%t1, %none, %f, %none)
  %e2 = call i32 @pthread_create(%t2, %none, %f, %none)
  %h1 = load i64 [$t]
  %h2 = load i64 [$t + 8]
  %e3 = call i32 @pthread_join(%h1, %none)
  %e4 = call i32 @pthread_join(%h2, %none)
  ret 0
}
";
    for _ in 0..40 {
        let (status, _, err) = run_tool(text, &["-O0", "--timeout=60"]);
        assert_eq!((status, err.matches("trap: div_by_zero in @bad").count()), (134, 1), "{err}");
    }
}

/// The first thread fails, and another one while that is reported: earlier or later in the report, which takes long
/// here.
#[test]
fn traps_on_the_first_thread_and_another_one_have_one_message() {
    let text = "
data @zero = { i64 0 }
data @started = { i64 0 }
local func @bad(%n: i64) -> i64 {
entry:
  %one = const i64 1
  store volatile i64 [@started], %one
  jmp wait
wait:
  %i = phi i64 [0, entry], [%j, wait]
  %z = load volatile i64 [@zero]
  %j = add i64 %i, 1
  br ult i64 %j, %n, wait, fail
fail:
  %q = sdiv i64 %one, %z
  ret %q
}
func @f(%n: i64) -> i64 {
  stack $t: 8
entry:
  %f = lea [@bad]
  %t = lea [$t]
  %none = const i64 0
  %e = call i32 @pthread_create(%t, %none, %f, %n)
  jmp wait
wait:
  %started = load volatile i64 [@started]
  br %started, now, wait
now:
  %r = call i64 @bad(%none)
  ret 0
}
";
    for delay in [10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000] {
        for _ in 0..8 {
            let options = ["-O0", "--timeout=60", "--compare-regalloc", "--call", &format!("@f({delay})")];
            let (status, _, err) = run_tool(text, &options);
            assert_eq!((status, err.matches("trap: div_by_zero in @bad").count()), (134, 1), "{delay}: {err}");
        }
    }
}

/// The first thread records a trace, in which it calls C, when another one fails. The tool prints the log of traces at
/// its end, whichever thread ends it.
#[test]
fn a_trap_on_another_thread_ends_a_recording() {
    let text = "
extern func @malloc(i64) -> i64 libc
extern func @memset(i64, i32, i64) -> i64
extern func @strlen(i64) -> i64 libc
data @iterations = { i64 0 }
local func @fail(%a: i64) -> i64 {
entry:
  jmp wait
wait:
  %k = const i32 100
  %e = call i32 @usleep(%k)
  %n = load volatile i64 [@iterations]
  br ult i64 %n, 2, wait, fail
fail:
  unreachable
}
func @main() -> i32 {
  stack $t: 8
entry:
  %size = const i64 134217728
  %p = call i64 @malloc(%size)
  %a = const i32 97
  %m = call i64 @memset(%p, %a, %size)
  %last = add i64 %p, 134217727
  store i8 [%last], 0
  %t = lea [$t]
  %none = const i64 0
  %g = lea [@fail]
  %e = call i32 @pthread_create(%t, %none, %g, %none)
  jmp loop
loop:
  %i = phi i64 [1, entry], [%j, loop]
  store volatile i64 [@iterations], %i
  %l = call i64 @strlen(%p)
  %j = add i64 %i, 1
  br ult i64 %j, 1000, loop, done
done:
  ret 0
}
";
    let options = ["-O0", "--trace-jit", "--trace-limit=hot-loop=1", "--trace-log=text", "--timeout=60"];
    let (status, _, err) = run_tool(text, &options);
    assert_eq!(status, 134, "{err}");
    assert!(err.contains("trap: unreachable in @fail, block fail"), "{err}");
}

/// A thread that still runs after a run waits for the next one, where it may be joined.
#[test]
fn a_thread_may_outlast_the_run() {
    let text = "
thread data @own = { i64 5 }
data @handle = { i64 0 }
data @begun = { i64 0 }
local func @late(%a: i64) -> i64 {
entry:
  store i64 [@begun], 1
  %k = const i32 1000
  %e = call i32 @usleep(%k)
  %v = load i64 [@own]
  %r = add i64 %v, %a
  ret %r
}
func @start(%a: i64) {
entry:
  %t = lea [@handle]
  %none = const i64 0
  %g = lea [@late]
  %e = call i32 @pthread_create(%t, %none, %g, %a)
  jmp wait
wait:
  %b = load i64 [@begun]
  br %b, done, wait
done:
  ret
}
func @wait() -> i64 {
  stack $result: 8
entry:
  %h = load i64 [@handle]
  %r = lea [$result]
  %e = call i32 @pthread_join(%h, %r)
  %v = load i64 [$result]
  ret %v
}
";
    assert_eq!(interpret(text, &["@start(20)", "@wait()"]), ["nothing", "i64 25"]);
    // If no run joins it, it waits for ever.
    assert_eq!(interpret(text, &["@start(20)"]), ["nothing"]);
}
