//! `--gdb` and `--perf`: debuggers and profilers see code in memory.

use crate::tool;
use lir_llc::options::CompileOptions;
use lir_llc::options::RelocModel;
use lir_run::jit::Jit;
use lir_run::jit::jitdump::Dump;
use lir_run::outcome::Outcome;
use lir_run::symbols::HostSymbols;
use lir_syntax::parser::{ParseOptions, parse};
use lir_syntax::text::source::Source;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use tempfile::TempDir;

/// Functions from two files of C, one inside of the other, and C around and inside of them.
const PROGRAM: &str = "\
file !crash = \"crash.c\"
file !main = \"main.c\"
extern func @qsort(i64, i64, i64, i64)
data @numbers = { i32 2, 1 }
local func @difference(%p: i64, %q: i64) -> i32 !crash:10 {
  stack $seen: 4
entry:
  %x = load i32 [%p] !crash:11:5
  store i32 [$seen], %x
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

/// Runs a program in memory under gdb with these commands; returns the output, or none if there is no gdb.
pub fn gdb(folder: &Path, arguments: &[&str], commands: &[&str]) -> Option<String> {
    let program = [&["--args", env!("CARGO_BIN_EXE_lir-run"), "--gdb"], arguments].concat();
    let ended = gdb_of(folder, commands, &program)?.output().unwrap();
    Some(String::from_utf8_lossy(&ended.stdout).into_owned())
}

/// gdb with commands, for a program with its arguments, if it is there.
fn gdb_of(folder: &Path, commands: &[&str], program: &[&str]) -> Option<Command> {
    let mut command = tool::gdb(folder, false)?;
    commands.iter().for_each(|c| {
        command.args(["-ex", c]);
    });
    command.args(program);
    Some(command)
}

/// The lines of a file of C, as QBE's text has them.
#[test]
fn gdb_stops_at_lines_that_came_through_qbe() {
    let text = "\
dbgfile \"src/first.c\"
function w $twice(w %x) {
@start
	dbgloc 4, 3
	%sum =w add %x, %x
	dbgloc 5
	%more =w xor %sum, 1
	ret %more
}
dbgfile \"second.c\"
export function w $main() {
@start
	dbgloc 10, 7
	%y =w call $twice(w 20)
	dbgloc 11
	%z =w add %y, 1
	ret %z
}
";
    let module = lir_import::qbe::import(text.as_bytes()).unwrap();
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("imported.lir"), module.to_string()).unwrap();
    let commands = ["break first.c:5", "run", "bt", "print sum", "delete", "break second.c:11", "continue", "print y"];
    let Some(said) = gdb(folder.path(), &["-O0", "imported.lir"], &commands) else { return };
    let ends = |end: &str| said.lines().any(|l| l.ends_with(end));
    assert!(ends("src/first.c:5") && ends("second.c:10") && ends("second.c:11"), "{said}");
    assert!(ends("$1 = 40") && ends("$2 = 41"), "{said}");
}

#[test]
fn gdb_stops_in_code_in_memory_and_finds_its_callers() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("program.lir"), PROGRAM).unwrap();
    for level in ["-O0", "-O2"] {
        let commands =
            ["break crash.c:13", "run", "bt", "print x", "print seen", "print x == seen && x != 0", "delete", "next"];
        let Some(said) = gdb(folder.path(), &[level, "program.lir"], &commands) else { return };
        let frames: Vec<&str> = said.lines().filter(|l| l.starts_with('#')).collect();
        let at = |frame: &str, place: &str| {
            frames.iter().position(|l| l.contains(&format!("{frame} (")) && l.ends_with(place))
        };
        let (inner, outer) = (at("difference", "crash.c:13"), at("compare", "main.c:6"));
        // C is between these.
        let main = at("main", "main.c:22");
        assert_eq!((inner, outer), (Some(0), Some(1)), "{level}: {said}");
        assert!(main.is_some_and(|main| main > 2), "{level}: {said}");
        // Below is the function that switches to the stack of the program, and the host's on the stack before.
        let switch = frames.iter().position(|l| l.contains("guarded_call::enter"));
        assert!(switch.is_some_and(|switch| switch > main.unwrap()), "{level}: {said}");
        assert!(frames.last().is_some_and(|l| l.contains("_start (")), "{level}: {said}");
        // gdb prints this if it finds no more frames, and that was not the outermost one.
        assert!(!said.contains("Backtrace stopped"), "{level}: {said}");
        // A register and a stack object; where passes have run, the inlined function has none.
        assert_eq!(said.lines().any(|l| l == "$3 = 1"), level == "-O0", "{level}: {said}");
    }
}

/// A module that a function of the host calls which it called itself.
static NESTED: OnceLock<Jit> = OnceLock::new();

extern "C" fn call_again() -> i64 {
    let jit = NESTED.get().unwrap();
    let inner = jit.module().decls.body_named(b"inner").unwrap();
    let Outcome::Return(Some(value)) = jit.call(inner, &[]).unwrap() else { panic!("it returns") };
    value.as_scalar().unwrap().bits as i64
}

/// The stack is switched once, on a thread of the test, and stays for the calls of calls.
#[test]
fn gdb_finds_the_callers_of_a_host_function_that_calls_code() {
    const INSIDE: &str = "LIR_INSIDE_GDB";
    if std::env::var_os(INSIDE).is_some() {
        let text = "\
func @inner() -> i64 {
entry:
  ret 42
}
func @outer(%f: i64) -> i64 {
entry:
  %x = call i64 %f()
  %y = add i64 %x, 1
  ret %y
}
";
        let source = Source { name: "nested.lir".into(), text: text.into() };
        let jit = NESTED.get_or_init(|| jit(&source));
        jit.show_to_gdb(&source).unwrap();
        let outer = jit.module().decls.body_named(b"outer").unwrap();
        let host = call_again as *const () as usize as i64;
        assert!(matches!(jit.call(outer, &[host.into()]).unwrap(), Outcome::Return(Some(_))));
        return;
    }
    let program = std::env::current_exe().unwrap().display().to_string();
    let test = "debuggers::gdb_finds_the_callers_of_a_host_function_that_calls_code";
    let folder = TempDir::new().unwrap();
    let program = ["--args", &program, test, "--exact"];
    let gdb = gdb_of(folder.path(), &["break nested.lir:3", "run", "bt"], &program);
    let Some(mut gdb) = gdb else { return };
    let said = String::from_utf8_lossy(&gdb.env(INSIDE, "1").output().unwrap().stdout).into_owned();
    let frames: Vec<&str> = said.lines().filter(|l| l.starts_with('#')).collect();
    let position = |name: &str| frames.iter().position(|l| l.contains(name));
    let expected = ["inner (", "guarded_call::enter", "call_again", "outer (", "clone"].map(position);
    assert!(expected.is_sorted() && expected[0] == Some(0), "{expected:?}: {said}");
    assert!(!said.contains("Backtrace stopped"), "{said}");
}

/// Runs `program.lir` with `--perf=map` in its folder. Returns the start, end and name of each piece of code, and the
/// exit status.
pub fn perf_map_of(folder: &Path, options: &[&str]) -> (Vec<(u64, u64, String)>, Option<i32>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lir-run"));
    let command = command.current_dir(folder).arg("--perf=map").args(options).arg("program.lir");
    let child = command.stdout(Stdio::piped()).spawn().unwrap();
    let map = format!("/tmp/perf-{}.map", child.id());
    let status = child.wait_with_output().unwrap().status.code();
    let lines = std::fs::read_to_string(&map).unwrap();
    std::fs::remove_file(&map).unwrap();
    let piece = |l: &str| {
        let [start, size, name] = l.splitn(3, ' ').collect::<Vec<_>>()[..] else { panic!("{l}") };
        let [start, size] = [start, size].map(|n| u64::from_str_radix(n, 16).unwrap());
        assert!(size > 0, "{lines}");
        (start, start + size, name.to_string())
    };
    (lines.lines().map(piece).collect(), status)
}

#[test]
fn perf_finds_the_names_of_functions() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("program.lir"), PROGRAM).unwrap();
    let (code, status) = perf_map_of(folder.path(), &["-O0"]);
    assert!(status == Some(1) && code.windows(2).all(|pair| pair[0].1 <= pair[1].0), "{code:?}");
    let names: Vec<&str> = code.iter().map(|c| &*c.2).collect();
    assert_eq!(names, ["difference", "compare", "main"]);
}

/// A module in memory.
fn jit(source: &Source) -> Jit {
    let options = CompileOptions { model: RelocModel::Jit, ..CompileOptions::default() };
    let module = parse(source, &ParseOptions::default()).unwrap();
    Jit::new(module, &options, &HostSymbols::new(&[]).unwrap()).unwrap()
}

/// A host may make, show and drop code in any order.
#[test]
fn code_that_is_shown_may_go() {
    let source = Source { name: "program.lir".into(), text: PROGRAM.into() };
    let make = || {
        let jit = jit(&source);
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

/// A function of a dump.
#[derive(Debug)]
pub struct Dumped {
    pub name: String,
    address: u64,
    pub code: Vec<u8>,
    /// Offsets, files, lines and columns.
    pub lines: Vec<(u64, String, u32, u32)>,
    /// The size of the unwind tables, of the header of them, and in memory.
    pub unwinding: [u64; 3],
}

/// Removes bytes from the beginning of others.
fn take<'b>(bytes: &mut &'b [u8], count: usize) -> &'b [u8] {
    let (first, rest) = bytes.split_at(count);
    *bytes = rest;
    first
}

fn word(bytes: &mut &[u8]) -> u32 {
    u32::from_le_bytes(take(bytes, 4).try_into().unwrap())
}

fn long(bytes: &mut &[u8]) -> u64 {
    u64::from_le_bytes(take(bytes, 8).try_into().unwrap())
}

fn string(bytes: &mut &[u8]) -> String {
    let text = take(bytes, bytes.iter().position(|b| *b == 0).unwrap());
    take(bytes, 1);
    String::from_utf8(text.to_vec()).unwrap()
}

/// Reads a dump of a process; the records are as the specification has them.
pub fn read_dump(file: &Path, process: u32) -> Vec<Dumped> {
    let all = std::fs::read(file).unwrap();
    let mut bytes = &all[..];
    assert_eq!([(); 6].map(|()| word(&mut bytes)), [0x4a69_5444, 1, 40, 62, 0, process]);
    let mut time = long(&mut bytes);
    assert_eq!(long(&mut bytes), 0, "no flags");
    let (mut functions, mut lines, mut unwinding) = (Vec::new(), Vec::new(), [0; 3]);
    loop {
        let [kind, size] = [(); 2].map(|()| word(&mut bytes));
        let now = long(&mut bytes);
        assert!(now >= time, "times ascend");
        time = now;
        let mut body = take(&mut bytes, size as usize - 16);
        match kind {
            0 => {
                assert_eq!(word(&mut body), process);
                word(&mut body);
                let [address, again, size, index] = [(); 4].map(|()| long(&mut body));
                assert_eq!((again, index), (address, functions.len() as u64));
                let (name, code) = (string(&mut body), take(&mut body, size as usize).to_vec());
                let lines = std::mem::take(&mut lines);
                let lines = lines.into_iter().map(|(at, file, line, column)| (at - address, file, line, column));
                functions.push(Dumped { name, address, code, lines: lines.collect(), unwinding });
            }
            2 => {
                let [_, count] = [(); 2].map(|()| long(&mut body));
                for _ in 0..count {
                    let (at, line, column) = (long(&mut body), word(&mut body), word(&mut body));
                    lines.push((at, string(&mut body), line, column));
                }
            }
            3 => {
                assert!(body.is_empty() && bytes.is_empty(), "the end is the last");
                return functions;
            }
            4 => {
                unwinding = [(); 3].map(|()| long(&mut body));
                take(&mut body, unwinding[0] as usize);
                assert!(body.len() < 8, "filled up");
                body = &[];
            }
            kind => panic!("record of kind {kind}"),
        }
        assert!(body.is_empty(), "{kind}");
    }
}

/// Runs a file with `--perf=jitdump` in its folder. Returns the dump, the exit status, and the text on standard error.
pub fn dump_of(folder: &Path, options: &[&str], file: &str) -> (Vec<Dumped>, Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lir-run"));
    let command = command.current_dir(folder).env_remove("JITDUMPDIR").stdout(Stdio::null()).stderr(Stdio::piped());
    let child = command.arg("--perf=jitdump").args(options).arg(file).spawn().unwrap();
    let process = child.id();
    let ended = child.wait_with_output().unwrap();
    let functions = read_dump(&folder.join(format!("jit-{process}.dump")), process);
    (functions, ended.status.code(), String::from_utf8_lossy(&ended.stderr).into_owned())
}

#[test]
fn a_dump_has_names_code_and_lines() {
    let folder = TempDir::new().unwrap();
    let folder = &folder.path().canonicalize().unwrap();
    std::fs::write(folder.join("program.lir"), PROGRAM).unwrap();
    let (functions, status, _) = dump_of(folder, &["-O0"], "program.lir");
    assert_eq!(status, Some(1));
    let names: Vec<&str> = functions.iter().map(|f| &*f.name).collect();
    assert_eq!(names, ["difference", "compare", "main"]);
    let mut end = 0;
    for f in &functions {
        assert!(f.address >= end && !f.code.is_empty(), "{f:?}");
        end = f.address + f.code.len() as u64;
        // Without jumps a function ends with `ret`, and with the line of the return.
        assert_eq!(f.code.last(), Some(&0xc3), "{f:?}");
        // The end is recorded, too.
        assert!(f.lines.is_sorted_by_key(|(at, ..)| *at), "{f:?}");
        assert_eq!(f.lines.last().map(|l| l.0), Some(f.code.len() as u64), "{f:?}");
        let [tables, header, mapped] = f.unwinding;
        assert!(tables > 48 && header == 20 && mapped == 0, "{f:?}");
    }
    let lines = |k: usize| functions[k].lines.iter().map(|(_, file, line, column)| (&file[..], *line, *column));
    let path = |file: &str| folder.join(file).display().to_string();
    let (crash, main) = (path("crash.c"), path("main.c"));
    let all: Vec<_> = lines(0).collect();
    // The load of line 12 is a part of the subtraction.
    assert_eq!(all, [(&*crash, 11, 5), (&crash, 13, 0), (&crash, 13, 0)]);
    assert!(lines(1).any(|l| l == (&*main, 6, 9)));
    assert!(lines(2).any(|l| l == (&*main, 22, 3)));
}

#[test]
fn a_dump_ends_with_the_program() {
    let text = "extern func @exit(i32)\nfunc @main() {\nentry:\n  %s = const i32 7\n  call @exit(%s)\n  ret\n}\n";
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("exits.lir"), text).unwrap();
    std::fs::write(folder.path().join("traps.lir"), text.replace("call @exit(%s)", "%d = sdiv i32 %s, 0")).unwrap();
    for (file, expected) in [("exits.lir", 7), ("traps.lir", 134)] {
        let (functions, status, _) = dump_of(folder.path(), &["-O0"], file);
        assert_eq!((functions.len(), status), (1, Some(expected)), "{file}");
        let lines = &functions[0].lines;
        assert!(lines.iter().any(|(_, path, line, _)| path.ends_with(file) && *line == 5), "{lines:?}");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_lir-run"));
    let command = command.arg("--perf=jitdump").arg(folder.path().join("exits.lir"));
    let done = command.env("JITDUMPDIR", folder.path().join("nowhere")).output().unwrap();
    assert_eq!(done.status.code(), Some(125));
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(said.contains("nowhere: cannot dump the code for perf: "), "{said}");
}

#[test]
fn threads_add_modules_to_a_dump() {
    let folder = TempDir::new().unwrap();
    let source = Source { name: "program.lir".into(), text: PROGRAM.into() };
    let dump = Dump::create(folder.path()).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..8).for_each(|_| jit(&source).write_jitdump(&dump, &source).unwrap()));
        }
    });
    let path = dump.path().to_path_buf();
    drop(dump);
    let functions = read_dump(&path, std::process::id());
    assert_eq!(functions.len(), 4 * 8 * 3);
    // The functions of a module are adjacent.
    assert!(functions.chunks(3).all(|m| m[0].name == "difference" && m[2].name == "main" && !m[1].lines.is_empty()));
}

/// A function that takes long, and the one that calls it.
const BUSY: &str = "\
file !busy = \"busy.c\"
func @spin(%n: i64) -> i64 !busy:3 {
entry:
  %s = const i64 1 !busy:4
  %i = const i64 0 !busy:4
  jmp body
body:
  %s = mul i64 %s, 6364136223846793005 !busy:6:3
  %s = xor i64 %s, %i !busy:7:3
  %i = add i64 %i, 1 !busy:8
  br slt i64 %i, %n, body, done !busy:9
done:
  ret %s !busy:10
}
func @main() -> i32 !busy:20 {
entry:
  %n = const i64 300000000 !busy:21
  %a = call i64 @spin(%n) !busy:21
  %b = trunc i64 %a to i32 !busy:22
  %c = and i32 %b, 1 !busy:23
  ret %c
}
";

/// Runs perf. Returns its output, or the error if it fails.
fn perf(folder: &Path, arguments: &[&str]) -> Result<String, String> {
    let mut command = Command::new("perf");
    let done = command.current_dir(folder).env_remove("JITDUMPDIR").args(arguments).output();
    let done = done.map_err(|e| e.to_string())?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if done.status.success() { Ok(text(&done.stdout)) } else { Err(text(&done.stderr)) }
}

#[test]
fn perf_reads_a_dump() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("busy.lir"), BUSY).unwrap();
    let record = ["record", "-q", "-k", "mono", "-e", "cpu-clock", "-o", "recorded"];
    for (engine, name) in [(&[][..], "spin"), (&["--trace-jit"], "spin.trace0")] {
        let command = ["--", env!("CARGO_BIN_EXE_lir-run"), "--perf=jitdump", "-O0", "busy.lir"];
        // The status is the program's.
        let recorded = perf(folder, &[&record[..], &command[..], engine].concat());
        if !folder.join("recorded").exists() {
            eprintln!("skipped: perf cannot record: {recorded:?}");
            return;
        }
        perf(folder, &["inject", "--jit", "-i", "recorded", "-o", "injected"]).unwrap();
        let report = perf(folder, &["report", "-i", "injected", "--stdio", "-s", "sym"]).unwrap();
        assert!(report.lines().any(|l| l.trim_end().ends_with(&format!("[.] {name}"))), "{report}");
        let report = perf(folder, &["report", "-i", "injected", "--stdio", "-s", "srcline"]).unwrap();
        assert!((6..=9).any(|line| report.contains(&format!("busy.c:{line}"))), "{report}");
    }
}
