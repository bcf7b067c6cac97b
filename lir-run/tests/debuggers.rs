//! `--gdb` and `--perf`: debuggers and profilers see code in memory.

use lir_syntax::text::source::Source;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Functions from two files of C, one inside of the other, and C around and inside of them.
const PROGRAM: &str = "\
file !crash = \"crash.c\"
file !main = \"main.c\"
extern func @qsort(i64, i64, i64, i64)
data @numbers = { i32 2, 1 }
local func @difference(%p: i64, %q: i64) -> i32 !crash:10 {
entry:
  %x = load i32 [%p] !crash:11:5
  %y = load i32 [%q] !crash:12:5
  %d = sub i32 %x, %y !crash:13
  ret %d
}
func @compare(%p: i64, %q: i64) -> i32 !main:5 {
entry:
  %d = call i32 @difference(%p, %q) !main:6:9
  %e = mul i32 %d, 3 !main:7
  ret %e
}
func @main() -> i32 !main:20:1 {
entry:
  %a = lea [@numbers] !main:21
  %n = const i64 2
  %w = const i64 4
  %f = lea [@compare]
  call @qsort(%a, %n, %w, %f) !main:22:3
  %r = load i32 [@numbers] !main:23
  ret %r
}
";

#[test]
fn gdb_stops_in_code_in_memory_and_finds_its_callers() {
    if Command::new("gdb").arg("--version").output().is_err() {
        eprintln!("skipped: there is no gdb");
        return;
    }
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("program.lir"), PROGRAM).unwrap();
    for level in ["-O0", "-O2"] {
        let commands = [
            "set debuginfod enabled off",
            "set breakpoint pending on",
            "break crash.c:13",
            "run",
            "bt",
            "delete",
            "next",
        ];
        let mut command = Command::new("gdb");
        command.current_dir(folder.path()).args(["-q", "-nx", "-batch"]);
        commands.iter().for_each(|c| {
            command.args(["-ex", c]);
        });
        command.args(["--args", env!("CARGO_BIN_EXE_lir-run"), "--gdb", level, "program.lir"]);
        let said = String::from_utf8_lossy(&command.output().unwrap().stdout).into_owned();
        let frames: Vec<&str> = said.lines().filter(|l| l.starts_with('#')).collect();
        let at = |frame: &str, place: &str| {
            frames.iter().position(|l| l.contains(&format!("{frame} (")) && l.ends_with(place))
        };
        let (inner, outer) = (at("difference", "crash.c:13"), at("compare", "main.c:6"));
        // C is between these.
        let main = at("main", "main.c:22");
        assert_eq!((inner, outer), (Some(0), Some(1)), "{level}: {said}");
        assert!(main.is_some_and(|main| main > 2), "{level}: {said}");
    }
}

#[test]
fn perf_finds_the_names_of_functions() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("program.lir");
    std::fs::write(&file, PROGRAM).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_lir-run"));
    let child = command.args(["--perf=map", "-O0"]).arg(&file).stdout(Stdio::piped()).spawn().unwrap();
    let map = format!("/tmp/perf-{}.map", child.id());
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(1));
    let lines = std::fs::read_to_string(&map).unwrap();
    std::fs::remove_file(&map).unwrap();
    let mut end = 0;
    let names: Vec<&str> = lines
        .lines()
        .map(|l| {
            let [start, size, name] = l.splitn(3, ' ').collect::<Vec<_>>()[..] else { panic!("{l}") };
            let [start, size] = [start, size].map(|n| u64::from_str_radix(n, 16).unwrap());
            assert!(start >= end && size > 0, "{lines}");
            end = start + size;
            name
        })
        .collect();
    assert_eq!(names, ["difference", "compare", "main"]);
}

/// A host may make, show and drop code in any order.
#[test]
fn code_that_is_shown_may_go() {
    use lir_llc::compile::CompileOptions;
    use lir_llc::isel::RelocModel;
    use lir_run::jit::Jit;
    use lir_run::symbols::HostSymbols;
    use lir_syntax::parser::{ParseOptions, parse};
    let host = HostSymbols::new(&[]).unwrap();
    let source = Source { name: "program.lir".into(), text: PROGRAM.into() };
    let options = CompileOptions { model: RelocModel::Jit, positions: true, ..CompileOptions::default() };
    let make = || {
        let jit = Jit::new(parse(&source, &ParseOptions::default()).unwrap(), &options, &host).unwrap();
        jit.show_to_gdb(&source).unwrap();
        assert_eq!(jit.perf_map().lines().count(), 3);
        jit
    };
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut all: Vec<Jit> = (0..8).map(|_| make()).collect();
                all[3].show_to_gdb(&source).unwrap();
                drop(all.remove(0));
                drop(all.swap_remove(2));
                all.truncate(3);
            });
        }
    });
}
