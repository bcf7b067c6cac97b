//! The command line of `lir-run`: `--check` and `--timeout`, their output and exit statuses.

use lir_llc::regalloc::ALLOCATORS;
use lir_testing::process::{Ran, run};
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

/// A folder for the files of one test.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }
    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }
}

/// Exit status, standard output and standard error.
fn result(args: &[&str], files: &[PathBuf]) -> (i32, String, String) {
    let Ran { status, out, err } = run(Command::new(env!("CARGO_BIN_EXE_lir-run")).args(args).args(files), "");
    (status, out, err)
}

const GOOD: &str = "
; run: @div(6, 2) == 3
; run: @div(1, 0) == trap(div_by_zero)
func @div(%a: i32, %b: i32) -> i32 {
entry:
  %q = sdiv i32 %a, %b
  ret %q
}
";

/// Each line ends in its own way, and the next one is still checked.
const BAD: &str = "extern func @exit(i32)
extern func @abort()
extern func @puts(i64) -> i32
const data @text = { \"hi\\00\" }
data @count = { i32 0 }
; run: @leave() == 0
; run: @die() == 0
; run: @forever() == 0
; run: @hello() prints \"ho\\n\"
; run: @hello() prints \"hi\\n\"
; run: @hello(1)
; run: @next() == 1
; run: @next() == 1
func @leave() -> i32 {
entry:
  %s = const i32 7
  call @exit(%s)
  ret %s
}
func @die() -> i32 {
entry:
  call @abort()
  ret 0
}
func @forever() -> i32 {
entry:
  jmp loop
loop:
  jmp loop
}
func @hello() {
entry:
  %t = lea [@text]
  call i32 @puts(%t)
  ret
}
func @next() -> i32 {
entry:
  %n = load i32 [@count]
  %m = add i32 %n, 1
  store i32 [@count], %m
  ret %m
}
";

#[test]
fn lines_that_hold_pass() {
    let folder = Folder::new();
    let good = folder.file("good.lir", GOOD);
    let (status, out, err) = result(&["--check"], &[good.clone(), good.clone()]);
    assert_eq!((status, out.as_str(), err.as_str()), (0, "4 passed, 0 failed\n", ""));
    for option in ["-O0", "-O2", "--interp", "--regalloc=linear-scan"] {
        assert_eq!(result(&["--check", option], std::slice::from_ref(&good)).1, "2 passed, 0 failed\n", "{option}");
    }
}

#[test]
fn lines_fail_by_themselves() {
    let folder = Folder::new();
    let (status, out, _) = result(&["--check", "--timeout=0.5"], &[folder.file("bad.lir", BAD)]);
    assert_eq!(status, 1);
    assert!(out.ends_with("3 passed, 5 failed\n"), "{out}");
    let native = ["-O0", "-O2"].into_iter().flat_map(|o| ALLOCATORS.iter().map(move |a| format!("{o} {}", a.name())));
    let modes = ["interpreter", "traces"].map(str::to_string).into_iter().chain(native).collect::<Vec<_>>().join(", ");
    for (line, message) in [
        (6, "expected i32 0, got an exit with status 7"),
        (7, "expected i32 0, got an end by signal 6"),
        (8, "expected i32 0, got no end within 0.5 s"),
        (9, "expected the output \"ho\\n\", got \"hi\\n\""),
    ] {
        assert!(out.contains(&format!("bad.lir:{line}:8: error: {modes}: {message}\n")), "{out}");
    }
    assert!(out.contains("bad.lir:11:8: error: 0 arguments expected, 1 given\n"), "{out}");
}

#[test]
fn files_without_lines_and_wrong_inputs_have_their_statuses() {
    let folder = Folder::new();
    let good = folder.file("good.lir", GOOD);
    let empty = folder.file("empty.lir", "data @x = { i8 1 }\n");
    let (status, out, _) = result(&["--check"], &[empty, good.clone()]);
    assert!(status == 1 && out.contains("empty.lir: error: there are no run lines\n"), "{out}");
    assert!(out.ends_with("2 passed, 0 failed\n"), "{out}");
    let wrong = folder.file("wrong.lir", "func @f( {\n");
    let (status, out, err) = result(&["--check"], &[wrong, good.clone()]);
    assert_eq!((status, out.as_str()), (125, "2 passed, 0 failed\n"));
    assert!(err.contains("wrong.lir:1:"), "{err}");
    let missing = folder.file(
        "missing.lir",
        "extern func @no_such_function()\n; run: @f()\nfunc @f() {\nentry:\n  call @no_such_function()\n  ret\n}\n",
    );
    let (status, out, _) = result(&["--check"], &[missing]);
    assert!(status == 125 && out.contains("no_such_function") && out.ends_with("0 passed, 1 failed\n"), "{out}");
    assert_eq!(result(&["--check", "--call", "@div(1, 1)"], std::slice::from_ref(&good)).0, 126);
    assert_eq!(result(&["--check", "--timeout=never"], std::slice::from_ref(&good)).0, 126);
    assert_eq!(result(&[], &[good.clone(), good]).0, 126);
}

#[test]
fn a_timeout_ends_an_endless_loop_and_flushes() {
    let folder = Folder::new();
    let text =
        format!("{BAD}func @main() -> i32 {{\nentry:\n  call @hello()\n  %r = call i32 @forever()\n  ret %r\n}}\n");
    let file = folder.file("endless.lir", &text);
    for mode in ["-O0", "-O2", "--interp"] {
        let start = Instant::now();
        let (status, out, err) = result(&["--timeout=0.3", mode], std::slice::from_ref(&file));
        assert_eq!((status, out.as_str()), (124, "hi\n"), "{mode}: {err}");
        assert!(start.elapsed() < Duration::from_secs(30), "{mode}");
    }
    let (status, ..) = result(&["--timeout=60", "--call", "@next()"], &[file]);
    assert_eq!(status, 0);
}

#[test]
fn abort_keeps_printed_output() {
    let folder = Folder::new();
    let text = r#"
extern func @printf(i64, ...) -> i32
extern func @abort() noreturn
const data @s = { "part\00" }
func @main() -> i32 {
entry:
  %s = lea [@s]
  call i32 @printf(%s)
  call @abort()
  ret 0
}
"#;
    let file = folder.file("abort.lir", text);
    for args in [&["-O0"][..], &["-O2"], &["--interp"]] {
        let (status, out, _) = result(args, std::slice::from_ref(&file));
        assert_eq!((status, out.as_str()), (134, "part"), "{args:?}");
    }
}

#[test]
fn a_check_whose_output_is_full_fails() {
    let folder = Folder::new();
    let file = folder.file("one.lir", "func @one() -> i32 {\nentry:\n  ret 1\n}\n; run: @one() == 1\n");
    let full = std::fs::File::create("/dev/full").expect("the device");
    let run = std::process::Command::new(env!("CARGO_BIN_EXE_lir-run")).arg("--check").arg(file).stdout(full).output();
    let run = run.expect("lir-run starts");
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    assert_eq!((run.status.code(), said.as_str()), (Some(125), "<stdout>: error: no space left on device\n"));
}
