//! The library as hosts use it: many calls, many threads, many engines; traps, and memory that stays.
//!
//! Tests that measure the memory of the process run in a process of their own.

use crate::own_process;
use lir_llc::options::CompileOptions;
use lir_llc::options::RelocModel;
use lir_run::engine::{Engine, Mode};
use lir_run::interp::Outcome;
use lir_run::run_lines::LineReader;
use lir_run::symbols::HostSymbols;
use lir_syntax::ir::Module;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// Compiled code, in-process.
pub fn native() -> Mode {
    Mode::Native(CompileOptions { model: RelocModel::Jit, ..CompileOptions::default() })
}

fn engine(text: &str, mode: Mode) -> Engine {
    let host = HostSymbols::new(&[]).unwrap();
    Engine::new(text.parse::<Module>().unwrap(), mode, &host).unwrap_or_else(|e| panic!("{e:?}"))
}

/// How a call, as text, ends.
pub fn call(engine: &Engine, text: &str) -> String {
    let call = LineReader::new(engine.module()).call(text).unwrap();
    match engine.call(call.func(engine.module()), &call.args).unwrap() {
        Outcome::Return(Some(value)) => value.to_string(),
        Outcome::Return(None) => "nothing".into(),
        Outcome::Trap(trap, at) => format!("{trap} in {}", at.describe(engine.module(), None)),
        other => format!("{other:?}"),
    }
}

/// KiB of memory that the process has now.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|l| l.starts_with("VmRSS:")).unwrap();
    line.split_ascii_whitespace().nth(1).unwrap().parse().unwrap()
}

/// How many mappings the process has now.
fn mappings() -> usize {
    std::fs::read_to_string("/proc/self/maps").unwrap().lines().count()
}

const TRAPS: &str = "
extern func @qsort(i64, i64, i64, i64)
extern func @strlen(i64) -> i64
data @numbers = { i64 4, 3, 2, 1 }
func @div(%a: i32, %b: i32) -> i32 {
entry:
  %q = sdiv i32 %a, %b
  ret %q
}
func @compare(%a: i64, %b: i64) -> i32 {
entry:
  unreachable
}
func @sort() {
entry:
  %b = lea [@numbers]
  %n = const i64 4
  %s = const i64 8
  %f = lea [@compare]
  call @qsort(%b, %n, %s, %f)
  ret
}
func @length(%p: i64) -> i64 {
entry:
  %n = call i64 @strlen(%p)
  ret %n
}
func @nest(%n: i64) -> i64 {
entry:
  br eq i64 %n, 0, done, more
more:
  %m = sub i64 %n, 1
  %r = call i64 @nest(%m)
  %s = add i64 %r, 1
  ret %s
done:
  ret 0
}
";

/// Ways to trap, and the message of each.
const WAYS: [(&str, &str); 5] = [
    ("@div(1, 0)", "div_by_zero in @div, block entry"),
    ("@div(-2147483648, -1)", "int_overflow in @div, block entry"),
    ("@sort()", "unreachable in @compare, block entry"),
    ("@length(8)", "memory_fault in C code called from @length, block entry"),
    ("@div(9, 3)", "i32 3"),
];

#[test]
fn a_thousand_traps_leak_nothing() {
    if own_process::passes(a_thousand_traps_leak_nothing) {
        return;
    }
    for mode in [native(), Mode::Interpreter] {
        let engine = engine(TRAPS, mode);
        WAYS.iter().for_each(|(text, ended)| assert_eq!(call(&engine, text), *ended));
        let (memory, maps) = (resident(), mappings());
        for k in 0..1000 {
            let (text, ended) = WAYS[k % WAYS.len()];
            assert_eq!(call(&engine, text), ended);
        }
        assert!(resident() < memory + 2048, "{memory} KiB became {}", resident());
        assert!(mappings() <= maps + 20, "{maps} mappings became {}", mappings());
    }
}

#[test]
fn an_exhausted_stack_gives_its_memory_back() {
    if own_process::passes(an_exhausted_stack_gives_its_memory_back) {
        return;
    }
    let engine = engine(TRAPS, native());
    assert_eq!(call(&engine, "@nest(10)"), "i64 10");
    let memory = resident();
    for _ in 0..3 {
        assert_eq!(call(&engine, "@nest(-1)"), "stack_overflow in @nest, block more");
        assert!(resident() < memory + (16 << 10), "{memory} KiB became {}", resident());
    }
}

#[test]
fn eight_threads_trap_while_others_compile() {
    let engine = engine(TRAPS, native());
    let (done, traps) = (AtomicBool::new(false), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        let compiling = scope.spawn(|| {
            let mut made = 0;
            while !done.load(Ordering::Relaxed) {
                let engine = self::engine(TRAPS, native());
                assert_eq!(call(&engine, "@div(1, 0)"), "div_by_zero in @div, block entry");
                made += 1;
            }
            made
        });
        let trapping: Vec<_> = (0..8)
            .map(|t| {
                let (engine, traps) = (&engine, &traps);
                scope.spawn(move || {
                    for k in 0..250 {
                        let (text, ended) = WAYS[(k + t) % WAYS.len()];
                        assert_eq!(call(engine, text), ended);
                        traps.fetch_add(1, Ordering::Relaxed);
                    }
                    if t == 0 {
                        assert_eq!(call(engine, "@nest(-1)"), "stack_overflow in @nest, block more");
                    }
                })
            })
            .collect();
        trapping.into_iter().for_each(|t| t.join().unwrap());
        done.store(true, Ordering::Relaxed);
        assert!(compiling.join().unwrap() > 0);
    });
    assert_eq!(traps.into_inner(), 2000);
}

#[test]
fn the_interpreter_lets_threads_take_turns() {
    let engine = engine(TRAPS, Mode::Interpreter);
    std::thread::scope(|scope| {
        for t in 0..4 {
            let engine = &engine;
            scope.spawn(move || {
                for k in 0..50 {
                    let (text, ended) = WAYS[(k + t) % WAYS.len()];
                    assert_eq!(call(engine, text), ended);
                }
            });
        }
    });
}

#[test]
fn engines_free_their_memory() {
    if own_process::passes(engines_free_their_memory) {
        return;
    }
    // Each has 4 MiB of data that is written.
    let text = "data @x = { zero 4194304 }
func @fill() {
entry:
  %x = lea [@x]
  memset [%x], 1, 4194304
  ret
}
";
    for mode in [native(), Mode::Interpreter] {
        let make = || assert_eq!(call(&engine(text, mode), "@fill()"), "nothing");
        (0..4).for_each(|_| make());
        let (memory, maps) = (resident(), mappings());
        (0..100).for_each(|_| make());
        assert!(resident() < memory + (8 << 10), "{memory} KiB became {}", resident());
        assert!(mappings() <= maps + 4, "{maps} mappings became {}", mappings());
    }
}

const THREADS: &str = "
extern func @pthread_create(i64, i64, i64, i64) -> i32
extern func @pthread_join(i64, i64) -> i32
extern func @pthread_exit(i64) noreturn
thread data @own = { i64 5 }
func @traps(%n: i64) -> i64 {
entry:
  %q = udiv i64 %n, %n
  ret %q
}
func @leaves(%n: i64) -> i64 {
entry:
  store i64 [@own], 6
  call @pthread_exit(%n)
  unreachable
}
func @start(%leave: i32, %n: i64) -> i64 {
  stack $t: 8
  stack $r: 8
entry:
  br %leave, leaves, traps
leaves:
  %f = lea [@leaves]
  jmp go
traps:
  %f = lea [@traps]
  jmp go
go:
  %z = const i64 0
  %t = lea [$t]
  %e = call i32 @pthread_create(%t, %z, %f, %n)
  %h = load i64 [$t]
  %r = lea [$r]
  %e2 = call i32 @pthread_join(%h, %r)
  %v = load i64 [$r]
  %o = load i64 [@own]
  %w = add i64 %v, %o
  ret %w
}
";

#[test]
fn a_trap_on_a_thread_of_the_program_is_the_calls() {
    for mode in [native(), Mode::Interpreter] {
        let engine = engine(THREADS, mode);
        assert_eq!(call(&engine, "@start(0, 0)"), "div_by_zero in @traps, block entry");
        assert_eq!(call(&engine, "@start(0, 3)"), "i64 6");
        assert_eq!(call(&engine, "@start(1, 3)"), "i64 8");
    }
}

#[test]
fn ended_threads_leave_nothing() {
    if own_process::passes(ended_threads_leave_nothing) {
        return;
    }
    let engine = engine(THREADS, native());
    let rounds = |n| {
        for _ in 0..n {
            assert_eq!(call(&engine, "@start(1, 3)"), "i64 8");
            assert_eq!(call(&engine, "@start(0, 0)"), "div_by_zero in @traps, block entry");
        }
    };
    rounds(50);
    let (memory, maps) = (resident(), mappings());
    rounds(500);
    assert!(resident() < memory + 4096, "{memory} KiB became {}", resident());
    assert!(mappings() <= maps + 8, "{maps} mappings became {}", mappings());
}

/// An engine may get the memory of a dropped one: thread data is the new one's.
#[test]
fn thread_data_is_that_of_the_engine() {
    let text = |n: i64| {
        format!(
            "thread data @own = {{ i64 {n} }}\nfunc @own_data() -> i64 {{\nentry:\n  %v = load i64 [@own]\n  %w = add i64 %v, 1\n  store i64 [@own], %w\n  ret %v\n}}\n"
        )
    };
    let turns = Arc::new(Mutex::new(None::<Engine>));
    let (send, receive) = std::sync::mpsc::channel::<i64>();
    let (answer, answers) = std::sync::mpsc::channel();
    let other = std::thread::spawn({
        let turns = Arc::clone(&turns);
        move || {
            for expected in receive {
                let got = call(turns.lock().unwrap().as_ref().unwrap(), "@own_data()");
                answer.send(got == format!("i64 {expected}")).unwrap();
            }
        }
    });
    for n in 0..20 {
        *turns.lock().unwrap() = None;
        *turns.lock().unwrap() = Some(engine(&text(10 * n), native()));
        send.send(10 * n).unwrap();
        assert!(answers.recv().unwrap(), "{n}");
        assert_eq!(call(turns.lock().unwrap().as_ref().unwrap(), "@own_data()"), format!("i64 {}", 10 * n));
    }
    drop(send);
    other.join().unwrap();
}

#[test]
fn missing_externals_are_located() {
    let text = "extern func @puts(i64) -> i32\nextern func @nowhere_to_be_found()\nfunc @f() {\nentry:\n  call @nowhere_to_be_found()\n  ret\n}\n";
    for mode in [native(), Mode::Interpreter] {
        let host = HostSymbols::new(&[]).unwrap();
        let errors = Engine::new(text.parse::<Module>().unwrap(), mode, &host).err().unwrap().into_diagnostics();
        assert_eq!(errors.len(), 1);
        assert_eq!(errors[0].message, "external function `@nowhere_to_be_found` is not found");
        assert!(errors[0].span.is_some());
    }
}
