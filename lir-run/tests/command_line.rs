//! The rows of the contract of the commands that are about `lir-run`, each through the command line.

use crate::tool::{MODES, Tool};
use lir_testing::process::Ran;
use std::time::{Duration, Instant};

fn ended(text: &str, options: &[&str]) -> Ran {
    Tool::new(text).run(options)
}

const ARGUMENTS: &str = r#"
extern func @printf(i64, ...) -> i32
extern func @strlen(i64) -> i64
const data @format = { "%s\n\00" }
func @main(%argc: i32, %argv: i64) -> i32 {
entry:
  %f = lea [@format]
  %n = sext i32 %argc to i64
  %i = const i64 1
  jmp test
test:
  br slt i64 %i, %n, body, done
body:
  %s = load i64 [%argv + %i*8]
  call i32 @printf(%f, ..., i64 %s)
  %i = add i64 %i, 1
  jmp test
done:
  %end = load i64 [%argv + %n*8]
  br eq i64 %end, 0, right, wrong
right:
  ret %argc
wrong:
  ret 99
}
"#;

#[test]
fn main_gets_its_arguments() {
    let tool = Tool::new(ARGUMENTS).program_arguments(&["a b", "-O7", "--check"]);
    for mode in MODES {
        let ended = tool.run(&[mode]);
        assert_eq!((ended.status, ended.out.as_str()), (4, "a b\n-O7\n--check\n"), "{mode}: {}", ended.err);
    }
    assert_eq!(ended(ARGUMENTS, &[]).status, 1);
}

/// C's run-time library calls it as `long main(long, char **)`, whatever it is declared as.
#[test]
fn main_may_be_declared_otherwise() {
    for (params, argc, result) in [
        ("%argc: i64, %argv: i64", "copy i64 %argc", "i64"),
        ("%argc: i16, %argv: i64", "zext i16 %argc to i64", "i64"),
        ("%argc: i64, %argv: i64, %envp: i64", "copy i64 %argc", "i16"),
    ] {
        // 256 and the number of arguments: the status is the low byte.
        let narrow = if result == "i64" { "%r = copy i64 %s" } else { "%r = trunc i64 %s to i16" };
        let text = format!(
            "extern func @strlen(i64) -> i64
func @main({params}) -> {result} {{
entry:
  %n = {argc}
  %a = load i64 [%argv + %n*8 - 8]
  %l = call i64 @strlen(%a)
  %s = mul i64 %l, 10
  %s = add i64 %s, %n
  %s = add i64 %s, 256
  {narrow}
  ret %r
}}
"
        );
        for mode in MODES {
            let ended = Tool::new(&text).program_arguments(&["one", "four"]).run(&[mode]);
            assert_eq!(ended.status, 43, "{params} {mode}: {}", ended.err);
        }
    }
    let environment = "func @main(%argc: i64, %argv: i64, %envp: i64) -> i8 {
entry:
  %end = load i64 [%argv + %argc*8]
  %v = load i64 [%envp]
  %c = load i8 [%v]
  %isend = icmp eq i64 %end, 0
  br %isend, good, bad
good:
  ret %c
bad:
  ret 0
}
";
    for mode in MODES {
        let status = Tool::new(environment).run(&[mode]).status;
        assert!(status != 0 && status < 128, "the first letter of a name: {status}");
    }
}

#[test]
fn the_status_is_mains_modulo_256() {
    for (value, status) in [("0", 0), ("255", 255), ("256", 0), ("300", 44), ("-1", 255)] {
        for ty in ["i32", "i64"] {
            let text = format!("func @main() -> {ty} {{\nentry:\n  ret {value}\n}}\n");
            for mode in MODES {
                assert_eq!(ended(&text, &[mode]).status, status, "{ty} {value} {mode}");
            }
        }
    }
    assert_eq!(ended("func @main() {\nentry:\n  ret\n}\n", &[]).status, 0);
}

#[test]
fn a_program_reads_standard_input_and_may_come_from_there() {
    let text = r#"
extern func @getchar() -> i32
func @main() -> i32 {
entry:
  %c = call i32 @getchar()
  ret %c
}
"#;
    for mode in MODES {
        assert_eq!(Tool::new(text).stdin("A").run(&[mode]).status, 65, "{mode}");
    }
    let main = "func @main() -> i32 {\nentry:\n  ret 7\n}\n";
    let other = Tool::new("").stdin(main);
    assert_eq!((other.run_on_stdin(&[]).status, other.run_on_stdin(&["-"]).status), (7, 7));
}

#[test]
fn calls_print_typed_results() {
    let text = "
func @i8(%x: i8) -> i8 {\nentry:\n  ret %x\n}
func @i16(%x: i16) -> i16 {\nentry:\n  ret %x\n}
func @i32(%x: i32) -> i32 {\nentry:\n  ret %x\n}
func @i64(%x: i64) -> i64 {\nentry:\n  ret %x\n}
func @f32(%x: f32) -> f32 {\nentry:\n  ret %x\n}
func @f64(%x: f64) -> f64 {\nentry:\n  ret %x\n}
func @none(%x: i8, %y: f32) {\nentry:\n  ret\n}
func @many(%a: i8, %b: f64, %c: i64, %d: f32) -> f64 {\nentry:\n  %x = fadd f64 %b, 0.5\n  ret %x\n}
data @count = { i32 0 }
func @next() -> i32 {\nentry:\n  %n = load i32 [@count]\n  %m = add i32 %n, 1\n  store i32 [@count], %m\n  ret %m\n}
";
    for (call, printed) in [
        ("@i8(-128)", "i8 -128\n"),
        ("@i8(255)", "i8 -1\n"),
        ("@i16(0x7fff)", "i16 32767\n"),
        ("@i32('a')", "i32 97\n"),
        ("@i64(-9223372036854775808)", "i64 -9223372036854775808\n"),
        ("@f32(0.1)", "f32 0.1\n"),
        ("@f64(1)", "f64 1.0\n"),
        ("@f64(-0.0)", "f64 -0.0\n"),
        ("@f64(0x1.8p3)", "f64 12.0\n"),
        ("@f64(-inf)", "f64 -inf\n"),
        ("@f64(nan)", "f64 nan\n"),
        ("@f32(-nan)", "f32 -nan\n"),
        ("@f64(nan(0x8000000000001))", "f64 nan(0x8000000000001)\n"),
        ("@f64(1e300)", "f64 1e300\n"),
        ("@none(1, 2.5)", ""),
        ("@many(1, 2.5, 3, 4.5)", "f64 3.0\n"),
    ] {
        for mode in MODES {
            let ended = ended(text, &[mode, "--call", call]);
            assert_eq!((ended.status, ended.out.as_str()), (0, printed), "{call} {mode}: {}", ended.err);
        }
    }
    for mode in MODES {
        let ended = ended(text, &[mode, "--call", "@next()", "--call", "@none(0, 0)", "--call", "@next()"]);
        assert_eq!((ended.status, ended.out.as_str()), (0, "i32 1\ni32 2\n"), "{mode}");
    }
}

#[test]
fn allocators_libraries_times_version_and_help() {
    let text = "extern func @hypot(f64, f64) -> f64\nfunc @f(%x: f64) -> f64 {\nentry:\n  %y = const f64 4\n  %r = call f64 @hypot(%x, %y)\n  ret %r\n}\n";
    for allocator in lir_llc::regalloc::ALLOCATORS {
        let option = format!("--regalloc={}", allocator.name());
        assert_eq!(ended(text, &[&option, "--call", "@f(3)"]).out, "f64 5.0\n", "{option}");
    }
    // By its name as for `cc -l`, also if only the files that programs need are installed; and by its path.
    assert_eq!(ended(text, &["-l", "m", "--call", "@f(3)"]).out, "f64 5.0\n");
    assert_eq!(ended(text, &["-lm", "--call", "@f(3)"]).out, "f64 5.0\n");
    let missing = ended(text, &["-l", "no_such_library", "--call", "@f(3)"]);
    assert!(missing.status == 125 && missing.err.contains("libno_such_library.so"), "{missing:?}");
    let timed = ended(text, &["--time", "--call", "@f(3)"]);
    assert_eq!((timed.status, timed.out.as_str()), (0, "f64 5.0\n"));
    for stage in ["parse", "passes", "code", "run"] {
        assert!(timed.err.contains(stage), "{}", timed.err);
    }
    let version = ended("", &["--version"]);
    assert!(version.status == 0 && version.out.starts_with("lir-run "), "{version:?}");
    let help = ended("", &["--help"]);
    assert!(help.status == 0 && help.out.contains("--timeout"), "{help:?}");
}

/// A loop of a hundred rounds; `LEAVE` ends it, where `%s` is 32.
const COUNTED: &str = "
extern func @exit(i32)
func @main() -> i32 {
entry:
  %s = const i32 0
  %n = const i32 100
  jmp head
head:
  br sgt i32 %n, 0, body, done
body:
  %s = xor i32 %s, %n
  %n = sub i32 %n, 1
  jmp head
done:
  %s = and i32 %s, 50
  LEAVE
}
";

#[test]
fn allocators_are_compared_when_the_program_returns_and_when_it_leaves_by_exit() {
    let counts = |leave: &str| {
        let ended = ended(&COUNTED.replace("LEAVE", leave), &["--compare-regalloc"]);
        assert_eq!((ended.status, ended.out.as_str()), (32, ""), "{}", ended.err);
        let (_, ran) = ended.err.split_once("as it ran").expect("counts of the run");
        let spilled = ran.lines().find(|line| line.starts_with("linear-scan stress=spill")).expect("the row");
        let stores = spilled.split_whitespace().nth(2).expect("stores").parse::<u64>().expect("a number");
        assert!((100..1000).contains(&stores), "of values in a loop of 100 rounds: {ran}");
    };
    counts("ret %s");
    counts("call @exit(%s)\n  ret %s");
}

#[test]
fn wrong_command_lines_and_wrong_inputs_have_their_statuses() {
    let main = "func @main() -> i32 {\nentry:\n  ret 0\n}\n";
    for options in [
        &["--no-such-option"][..],
        &["--regalloc=none-such"],
        &["-O3"],
        &["--timeout=0"],
        &["--timeout=-1"],
        &["--timeout=soon"],
        &["another.lir"],
    ] {
        assert_eq!(ended(main, options).status, 126, "{options:?}");
    }
    for (text, options, message) in [
        ("func @main( {\n}\n", &[][..], "in.lir:1:"),
        ("func @f() {\nentry:\n  ret\n}\n", &[], "no function @main"),
        ("func @main(%x: f64) {\nentry:\n  ret\n}\n", &[], "@main must take"),
        (main, &["--call", "@mian()"], "did you mean `@main`"),
        (main, &["--call", "@main(1)"], "0 arguments expected, 1 given"),
    ] {
        let ended = ended(text, options);
        assert!(ended.status == 125 && ended.err.contains(message), "{options:?}: {ended:?}");
    }
    let missing = std::process::Command::new(env!("CARGO_BIN_EXE_lir-run")).arg("no such file.lir").status();
    assert_eq!(missing.unwrap().code(), Some(125));
}

#[test]
fn a_missing_external_is_an_error_at_its_declaration_before_anything_runs() {
    let text = r#"extern func @puts(i64) -> i32
extern func @nowhere_to_be_found(i64)
extern data @nor_this
const data @s = { "ran\00" }
func @main() -> i32 {
entry:
  %s = lea [@s]
  call i32 @puts(%s)
  %d = lea [@nor_this]
  call @nowhere_to_be_found(%d)
  ret 0
}
"#;
    for mode in MODES {
        let ended = ended(text, &[mode]);
        assert_eq!((ended.status, ended.out.as_str()), (125, ""), "{mode}");
        assert!(
            ended.err.contains("in.lir:2:") && ended.err.contains("external function `@nowhere_to_be_found`"),
            "{mode}: {}",
            ended.err
        );
        assert!(
            ended.err.contains("in.lir:3:") && ended.err.contains("external data `@nor_this`"),
            "{mode}: {}",
            ended.err
        );
    }
}

/// Prints without an end of the line, and then ends in one of many ways.
const ENDINGS: &str = r#"
extern func @printf(i64, ...) -> i32
extern func @exit(i32) noreturn
extern func @_exit(i32) noreturn
extern func @abort() noreturn
extern func @free(i64)
extern func @strlen(i64) -> i64
extern func @sleep(i32) -> i32
extern func @pthread_create(i64, i64, i64, i64) -> i32
extern func @pthread_exit(i64) noreturn
const data @s = { "part" , i8 0 }
local func @loop(%x: i64) -> i64 {
entry:
  jmp entry2
entry2:
  jmp entry2
}
func @main(%argc: i32, %argv: i64) -> i32 {
  stack $t: 8
entry:
  %s = lea [@s]
  call i32 @printf(%s)
  %one = const i32 1
  %three = const i32 3
  %sixty = const i32 60
  %z = const i64 0
  switch i32 %argc, return [2: exit, 3: at_once, 4: abort, 5: trap, 6: c, 7: loop, 8: sleep, 9: threads, 10: overflow]
return:
  ret 3
exit:
  call @exit(%three)
  unreachable
at_once:
  call @_exit(%three)
  unreachable
abort:
  call @abort()
  unreachable
trap:
  unreachable
c:
  %n = call i64 @strlen(%z)
  %m = trunc i64 %n to i32
  ret %m
loop:
  %l = call i64 @loop(%z)
  ret 0
sleep:
  %k = call i32 @sleep(%sixty)
  ret 0
threads:
  %f = lea [@loop]
  %t = lea [$t]
  %e = call i32 @pthread_create(%t, %z, %f, %z)
  call @pthread_exit(%z)
  unreachable
overflow:
  %r = call i32 @main(%argc, %argv)
  %q = add i32 %r, 1
  ret %q
}
"#;

#[test]
fn output_is_flushed_however_the_program_ends() {
    for (arguments, status) in [(0, 3), (1, 3), (2, 3), (3, 134), (4, 134), (5, 134), (6, 124), (7, 124)] {
        let tool = Tool::new(ENDINGS).program_arguments(&vec!["x"; arguments]);
        for mode in MODES {
            let ended = tool.run(&[mode, "--timeout=0.4"]);
            assert_eq!((ended.status, ended.out.as_str()), (status, "part"), "{arguments} {mode}: {}", ended.err);
        }
    }
}

#[test]
fn a_timeout_ends_threads_and_every_kind_of_wait() {
    for arguments in [6, 7, 8] {
        let tool = Tool::new(ENDINGS).program_arguments(&vec!["x"; arguments]);
        for mode in MODES {
            let start = Instant::now();
            let ended = tool.run(&[mode, "--timeout", "0.25"]);
            assert_eq!(ended.status, 124, "{arguments} {mode}: {}", ended.err);
            assert!(start.elapsed() < Duration::from_secs(20), "{arguments} {mode}");
        }
    }
    for mode in MODES {
        let ended = ended(ENDINGS, &[mode, "--timeout=0.2", "--call", "@loop(0)"]);
        assert_eq!((ended.status, ended.err.as_str()), (124, "error: not done within 0.2 s\n"), "{mode}");
    }
}

/// So little time that it is over while the program is still being read.
#[test]
fn a_timeout_may_end_before_anything_runs() {
    let functions =
        (0..20_000).map(|k| format!("func @f{k}(%x: i64) -> i64 {{\nentry:\n  %y = mul i64 %x, {k}\n  ret %y\n}}\n"));
    let text = functions.collect::<String>() + "func @main() -> i32 {\nentry:\n  ret 0\n}\n";
    assert_eq!(ended(&text, &["--timeout=0.000001"]).status, 124);
    assert_eq!(ended(&text, &["--timeout=1000"]).status, 0);
}

/// Each line ends in its own way, without an effect on the lines around it.
const LINES: &str = r#"
extern func @exit(i32)
extern func @abort()
extern func @free(i64)
extern func @malloc(i64) -> i64
extern func @strlen(i64) -> i64
extern func @raise(i32) -> i32
; run: @good(1) == 2
; run: @divide(0) == trap(div_by_zero)
; run: @good(2) == 3
; run: @leave() == 0
; run: @good(3) == 4
; run: @die() == 0
; run: @good(4) == 5
; run: @nest(-1) == trap(stack_overflow)
; run: @good(5) == 6
; run: @corrupt() == 0
; run: @good(6) == 7
; run: @in_c() == trap(memory_fault)
; run: @good(8) == 9
; run: @killed() == 0
; run: @good(9) == 10
; run: @good(10) == 10
; run: @godo(1)
func @good(%x: i64) -> i64 {
entry:
  %y = add i64 %x, 1
  ret %y
}
func @divide(%x: i64) -> i64 {
entry:
  %y = udiv i64 %x, %x
  ret %y
}
func @leave() -> i64 {
entry:
  %x = const i32 0
  call @exit(%x)
  ret 0
}
func @die() -> i64 {
entry:
  call @abort()
  ret 0
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
func @corrupt() -> i64 {
entry:
  %n = const i64 100
  %p = call i64 @malloc(%n)
  call @free(%p)
  call @free(%p)
  ret 1
}
func @in_c() -> i64 {
entry:
  %p = const i64 8
  %n = call i64 @strlen(%p)
  ret %n
}
func @killed() -> i64 {
entry:
  %k = const i32 9
  %x = call i32 @raise(%k)
  ret 0
}
"#;

#[test]
fn lines_leave_each_other_alone_and_jobs_do_not_matter() {
    let tool = Tool::new(LINES);
    let one = tool.run(&["--check", "-j1"]);
    assert_eq!(one.status, 1, "{one:?}");
    assert!(one.out.ends_with("11 passed, 6 failed\n"), "{one:?}");
    for (line, message) in [
        (11, "an exit with status 0"),
        (13, "an end by signal 6"),
        (17, "expected i64 0"),
        (21, "an end by signal 9"),
        (23, "expected i64 10, got i64 11"),
        (24, "did you mean `@good`?"),
    ] {
        let found = one.out.lines().any(|l| l.contains(&format!("in.lir:{line}:")) && l.contains(message));
        assert!(found, "{line} {message}: {}", one.out);
    }
    let four = tool.run(&["--check", "-j4"]);
    assert_eq!((four.status, &four.out), (one.status, &one.out));
    for mode in ["-O0", "--interp"] {
        let ended = tool.run(&["--check", mode]);
        assert!(ended.out.ends_with("11 passed, 6 failed\n"), "{mode}: {ended:?}");
        assert!(!ended.out.contains("-O2"), "{mode}: {}", ended.out);
    }
}

#[test]
fn files_are_checked_side_by_side_in_order() {
    let tool = Tool::new("");
    let mut paths = Vec::new();
    for k in 0..12 {
        let wrong = if k == 5 { "func @f( {\n".to_string() } else { String::new() };
        let text = format!("; run: @f() == {}\n{wrong}func @f() -> i32 {{\nentry:\n  ret {k}\n}}\n", k / 2 * 2);
        let path = tool.folder().join(format!("{k:02}.lir"));
        std::fs::write(&path, text).unwrap();
        paths.push(path);
    }
    let run = |jobs: &str| tool.run_on(&["--check", jobs], &paths);
    let one = run("-j1");
    assert_eq!(one.status, 125, "{one:?}");
    assert!(one.out.ends_with("6 passed, 5 failed\n") && one.err.contains("05.lir:2:"), "{one:?}");
    let four = run("-j4");
    assert_eq!((one.status, one.out, one.err), (four.status, four.out, four.err));
}
