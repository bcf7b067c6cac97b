//! Handlers of signals that end the program, or its run.

use super::{MODES, all_end_with, run};
use std::process::Command;

/// At any point of the program, including the recording of a trace.
#[test]
fn they_may_end_the_program() {
    let text = "
extern func @exit(i32) noreturn
func @ends(%signal: i32) {
entry:
  call @counts(%signal)
  %c = load volatile i64 [@count]
  br slt i64 %c, 5, more, end
more:
  ret
end:
  call @exit(%signal)
  unreachable
}
func @main() -> i32 {
entry:
  %f = lea [@ends]
  call @begin(%f)
  %n = const i64 1
  jmp loop
loop:
  call @turns(%n)
  %n = add i64 %n, 1
  jmp loop
}
func @turns(%n: i64) {
entry:
  %k = and i64 %n, 63
  %k = add i64 %k, 1
  jmp loop
loop:
  %k = sub i64 %k, 1
  br %k, loop, done
done:
  ret
}
";
    all_end_with(text, 14);
    for limit in ["hot-loop=1", "hot-loop=70"] {
        for seed in 1..4 {
            let (limit, seed) = (format!("--trace-limit={limit}"), format!("--trace-stress={seed}"));
            let ended = run(text, &["--trace-jit", "--trace-log", &limit, "--trace-limit=hot-exit=1", &seed]);
            assert_eq!(ended.status, 14, "{limit} {seed}: {ended:?}");
        }
    }
}

/// A signal just before the end is handled, and so is the signal of `abort`.
#[test]
fn they_are_executed_before_the_end() {
    let text = "
data @large align 8 = { zero 40000000 }
extern func @_exit(i32) noreturn
extern func @abort() noreturn
func @ends(%signal: i32) {
entry:
  call @_exit(%signal)
  unreachable
}
func @main() -> i32 {
entry:
  %alarm = const i32 14
  %f = lea [@ends]
  %x = call i64 @signal(%alarm, %f)
  %us = const i32 500
  %never = const i32 0
  %y = call i32 @ualarm(%us, %never)
  memset [@large], 1, 40000000
  memset [@large], 2, 40000000
  END
}
";
    all_end_with(&text.replace("END", "ret 7"), 14);
    let aborts = text.replace("const i32 14", "const i32 6").replace("END", "call @abort()\n  unreachable");
    all_end_with(&aborts.replace("@ualarm(%us, %never)", "@alarm(%never)"), 6);
}

/// A fault is none of the program's signals in the interpreter, and in a trace.
#[test]
fn faults_end_the_run() {
    let text = "
extern func @_exit(i32) noreturn
data @word align 8 = { zero 8 }
func @ends(%signal: i32) {
entry:
  call @_exit(%signal)
  unreachable
}
func @main() -> i32 {
entry:
  %fault = const i32 11
  %f = lea [@ends]
  %x = call i64 @signal(%fault, %f)
  %p = lea [@word]
  %bad = const i64 8
  %i = const i64 0
  jmp loop
loop:
  %v = load i32 [%p]
  %i = add i64 %i, 1
  %c = icmp sgt i64 %i, 100
  %p = select i64 %c, %bad, %p
  br slt i64 %i, 200, loop, done
done:
  ret %v
}
";
    for mode in MODES {
        let native = mode[0].starts_with("-O");
        let ended = run(text, mode);
        assert_eq!(ended.status, if native { 11 } else { 134 }, "{mode:?}: {ended:?}");
        assert_eq!(ended.err.starts_with("trap: memory_fault in @main, block loop"), !native, "{mode:?}: {ended:?}");
    }
}

/// A handler in C that interrupts the interpreter cannot wait for a result.
#[test]
fn those_of_c_may_not_call_the_program() {
    let c = "
#include <signal.h>
#include <unistd.h>
static long (*function)(long, long);
static volatile long result;
static void handler(int n) { result = function(5, 7); }
void arm(long (*f)(long, long)) { function = f; signal(SIGALRM, handler); ualarm(2000, 0); }
";
    let text = "
extern func @arm(i64)
func @adds(%a: i64, %b: i64) -> i64 {
entry:
  %s = add i64 %a, %b
  store volatile i64 [@count], %s
  ret %s
}
func @main() -> i32 {
entry:
  %f = lea [@adds]
  call @arm(%f)
  %n = const i64 1
  call @wait(%n)
  %c = load i32 [@count]
  ret %c
}
";
    let folder = tempfile::tempdir().unwrap();
    let [file, library] = ["handler.c", "libhandler.so"].map(|name| folder.path().join(name).display().to_string());
    std::fs::write(&file, c).unwrap();
    let built = Command::new("cc").args(["-shared", "-fPIC", "-D_GNU_SOURCE", &file, "-o", &library]).output().unwrap();
    assert!(built.status.success(), "{built:?}");
    for mode in MODES {
        let ended = run(text, &[mode, &["-l", &library]].concat());
        let native = mode[0].starts_with("-O");
        let said =
            "error: unsupported in the interpreter: a signal handler in C calls a function of the program in @wait";
        assert_eq!(ended.status, if native { 12 } else { 134 }, "{mode:?}: {ended:?}");
        assert_eq!(ended.err.starts_with(said), !native, "{mode:?}: {ended:?}");
    }
}

#[test]
fn their_traps_end_the_run() {
    let text = "
func @divides(%signal: i32) {
entry:
  %zero = const i32 0
  %q = sdiv i32 %signal, %zero
  store i32 [@count], %q
  ret
}
func @main() -> i32 {
entry:
  %f = lea [@divides]
  call @begin(%f)
  %n = const i64 1
  call @wait(%n)
  ret 7
}
";
    for mode in MODES {
        let ended = run(text, mode);
        assert!(ended.err.starts_with("trap: div_by_zero in @divides, block entry, line "), "{mode:?}: {ended:?}");
        assert_eq!(ended.status, 134, "{mode:?}");
    }
    let ended = run(text, &["--interp", "-O0"]);
    let callers: Vec<&str> = ended.err.lines().skip(1).map(|l| l.split(", ").next().unwrap()).collect();
    assert_eq!(callers, ["  called from C code called from @wait", "  called from @main"], "{ended:?}");
}
