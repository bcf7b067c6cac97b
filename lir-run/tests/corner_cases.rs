//! The corner cases of running, through the tool.

use crate::tool::{MODES, Tool};
use std::process::Command;

/// Exit status (negative: a signal), standard output and standard error of a run on a text.
fn run(text: &str, args: &[&str]) -> (i32, String, String) {
    let ended = Tool::new("").stdin(text).run_on_stdin(&[&["-"], args].concat());
    (ended.status, ended.out, ended.err)
}

#[test]
fn a_missing_external_is_an_error_before_anything_runs() {
    let text = "extern func @puts(i64) -> i32
extern func @no_such_function(i32)
const data @text = { \"running\\00\" }
func @main(%argc: i32, %argv: i64) -> i32 {
entry:
  %p = lea [@text]
  call i32 @puts(%p)
  %q = sub i32 %argc, 1
  br %q, call, done
call:
  call @no_such_function(%q)
  jmp done
done:
  ret 0
}
";
    for mode in MODES {
        let (status, out, err) = run(text, &[mode]);
        assert_eq!((status, out.as_str()), (125, ""), "{mode}: {err}");
        assert!(err.starts_with("<stdin>:2:13: error: ") && err.contains("`@no_such_function`"), "{mode}: {err}");
    }
}

#[test]
fn main_must_be_there_and_callable() {
    for mode in ["-O1", "--interp"] {
        let (status, _, err) = run("func @other() {\nentry:\n  ret\n}\n", &[mode]);
        assert!(status == 125 && err.contains("@main"), "{mode}: {err}");
        let (status, _, err) = run("extern func @main() -> i32\n", &[mode]);
        assert!(status == 125 && err.contains("@main"), "{mode}: {err}");
        let (status, _, err) = run("data @main = { i32 1 }\n", &[mode]);
        assert!(status == 125 && err.contains("@main"), "{mode}: {err}");
        let (status, _, err) = run("", &[mode]);
        assert!(status == 125 && err.contains("@main"), "{mode}: {err}");
    }
}

#[test]
fn arguments_arrive_and_the_status_is_modulo_256() {
    let argc = "func @main(%argc: i32, %argv: i64) -> i32 {\nentry:\n  ret %argc\n}\n";
    for mode in MODES {
        assert_eq!(run(argc, &[mode]).0, 1, "{mode}: the name of the program");
        assert_eq!(run(argc, &[mode, "--", "a", "-O2", "--help"]).0, 4, "{mode}");
        for (value, status) in [("0", 0), ("255", 255), ("256", 0), ("-1", 255), ("513", 1), ("-2147483648", 0)] {
            let text = format!("func @main() -> i32 {{\nentry:\n  ret {value}\n}}\n");
            assert_eq!(run(&text, &[mode]).0, status, "{mode}: {value}");
        }
        assert_eq!(run("func @main() {\nentry:\n  ret\n}\n", &[mode]).0, 0, "{mode}: no result");
    }
}

/// Calls itself `%n` times, each with a frame of its own.
const RECURSION: &str = "func @down(%n: i64) -> i64 {
  stack $s: 64
entry:
  store i64 [$s], %n
  br eq i64 %n, 0, done, more
more:
  %m = sub i64 %n, 1
  %r = call i64 @down(%m)
  %k = load i64 [$s]
  %d = sub i64 %k, %n
  %t = add i64 %r, 1
  %u = add i64 %t, %d
  ret %u
done:
  ret 0
}
";

#[test]
fn stack_overflow_is_a_trap_and_not_a_signal() {
    for mode in MODES {
        let (status, out, err) = run(RECURSION, &[mode, "--call", "@down(-1)"]);
        assert_eq!((status, out.as_str()), (134, ""), "{mode}: {err}");
        assert!(err.starts_with("trap: stack_overflow in @down, block "), "{mode}: {err}");
    }
}

#[test]
fn recursion_in_lir_is_no_recursion_in_rust() {
    let (status, out, err) = run(RECURSION, &["--interp", "--call", "@down(100000)"]);
    assert_eq!((status, out.as_str()), (0, "i64 100000\n"), "{err}");
    // Within a stack of 256 kB, too.
    let script = "ulimit -s 256; printf '%s' \"$1\" | \"$0\" --interp --call '@down(100000)' -";
    let output = Command::new("sh").args(["-c", script, env!("CARGO_BIN_EXE_lir-run"), RECURSION]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "i64 100000\n", "{output:?}");
}

#[test]
fn memory_has_limits() {
    let text = "extern func @malloc(i64) -> i64
func @huge() -> i64 {
entry:
  %n = const i64 0x4000000000000000
  %p = call i64 @malloc(%n)
  ret %p
}
func @stack(%n: i64) {
entry:
  %p = alloca %n, 16
  store i8 [%p], 1
  ret
}
";
    for mode in MODES {
        let (status, out, err) = run(text, &[mode, "--call", "@huge()"]);
        assert_eq!((status, out.as_str()), (0, "i64 0\n"), "{mode}: {err}");
        for size in ["-1", "0x7fffffffffffffff", "0x100000000000"] {
            let (status, _, err) = run(text, &[mode, "--call", &format!("@stack({size})")]);
            assert!(status == 134 && err.contains("trap: stack_overflow in @stack"), "{mode}, {size}: {err}");
        }
    }
}
