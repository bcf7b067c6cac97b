//! `--gdb` and `--perf` with `--trace-jit`: traces have names, lines, and the calls that were inlined into them.

use crate::debuggers::{Dumped, dump_of, gdb, perf_map_of, read_dump};
use crate::tool;
use lir_llc::options::CompileOptions;
use lir_llc::options::RelocModel;
use lir_run::engine::{Engine, Mode};
use lir_run::interp::{Limits, TraceOptions};
use lir_run::jit::jitdump::Dump;
use lir_run::jit::viewers::Viewers;
use lir_run::outcome::Outcome;
use lir_run::symbols::HostSymbols;
use lir_syntax::parser::{ParseOptions, parse};
use lir_syntax::text::source::Source;
use std::collections::HashSet;
use std::sync::Arc;
use tempfile::TempDir;

/// A loop with calls, a callee with a loop of its own, and a caller to which that loop's trace returns.
const PROGRAM: &str = "\
file !deep = \"deep.c\"
file !loops = \"loops.c\"
data @word = { i64 3 }
func @touch(%p: i64) -> i64 !deep:10 {
entry:
  %v = load volatile i64 [%p] !deep:12:7
  ret %v !deep:13
}
func @middle(%p: i64) -> i64 !deep:20 {
entry:
  %v = call i64 @touch(%p) !deep:21:3
  %w = add i64 %v, 1 !deep:22
  ret %w !deep:23
}
func @turns(%n: i64, %p: i64) -> i64 !deep:30 {
entry:
  %i = const i64 0 !deep:31
  jmp loop !deep:32
loop:
  %v = call i64 @touch(%p) !deep:33:5
  %i = add i64 %i, %v !deep:34
  br slt i64 %i, %n, loop, done !deep:34
done:
  ret %i !deep:36
}
func @main() -> i32 !loops:1 {
entry:
  %i = const i64 0
  %s = const i64 0
  %p = lea [@word]
  jmp loop
loop:
  %x = call i64 @middle(%p) !loops:4:9
  %s = add i64 %s, %x !loops:5
  %k = and i64 %i, 31 !loops:6
  %y = call i64 @turns(%k, %p) !loops:7:9
  %s = add i64 %s, %y !loops:8
  %i = add i64 %i, 1 !loops:9
  br slt i64 %i, 1000, loop, done !loops:9
done:
  %t = trunc i64 %s to i32 !loops:11
  %t = and i32 %t, 1
  ret %t !loops:12
}
";

fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("program.lir"), PROGRAM).unwrap();
    folder
}

/// The code after the loop of `@turns` stays out of the next iteration of the loop in `@main`, which has a trace then.
const LIMIT: &str = "--trace-limit=cross-jumps=0";

/// The program with traces.
const TRACED: [&str; 3] = ["--trace-jit", LIMIT, "program.lir"];

#[test]
fn gdb_stops_in_a_trace_and_finds_its_callers() {
    let folder = folder();
    // If a trace has no code of a line, gdb would take the next one: it must stop when all are there.
    let commands =
        ["break main.trace2", "run", "delete", "break deep.c:12", "continue", "bt", "delete", "next", "next"];
    let Some(said) = gdb(folder.path(), &TRACED, &commands) else { return };
    let frames: Vec<&str> = said.lines().filter(|l| l.starts_with('#')).collect();
    for (frame, (name, place)) in
        frames.iter().zip([("touch (", "deep.c:12"), ("middle (", "deep.c:21"), ("main.trace2 (", "/loops.c:4")])
    {
        assert!(frame.contains(name) && frame.ends_with(place), "{frame}: {said}");
    }
    assert!(frames[3].contains("trampoline") && frames.last().unwrap().contains("_start ("), "{said}");
    assert!(!said.contains("Backtrace stopped"), "{said}");
    assert!(said.lines().any(|l| l.starts_with("main.trace2 (") && l.ends_with("/loops.c:5")), "{said}");
}

/// Steps from a trace back to the interpreter, and writes a line for each instruction: the innermost function that is
/// not inlined, and the outermost one.
const SCRIPT: &str = "
import gdb
gdb.execute('break turns.trace1')
gdb.execute('run')
gdb.execute('delete')
with open('steps', 'w') as out:
    for _ in range(500):
        frame = gdb.newest_frame()
        while frame.type() == gdb.INLINE_FRAME:
            frame = frame.older()
        outermost = frame
        while outermost.older():
            outermost = outermost.older()
        print(frame.name(), outermost.name(), file=out)
        gdb.execute('stepi', to_string=True)
gdb.execute('kill')
";

#[test]
fn gdb_unwinds_from_each_instruction() {
    let folder = folder();
    if tool::gdb(folder.path(), true).is_none() {
        return;
    }
    std::fs::write(folder.path().join("script.py"), SCRIPT).unwrap();
    let Some(said) = gdb(folder.path(), &TRACED, &["set confirm off", "source script.py"]) else { return };
    let steps = std::fs::read_to_string(folder.path().join("steps")).unwrap_or_else(|e| panic!("{e}: {said}"));
    let functions: HashSet<&str> = steps.lines().filter_map(|l| l.split(' ').next()).collect();
    assert_eq!(steps.lines().count(), 500, "{steps}");
    assert!(steps.lines().all(|l| l.ends_with(" _start")), "{steps}");
    let parts = ["turns.trace1", "turns.trace1.leave"];
    assert!(parts.iter().all(|name| functions.contains(name)), "{functions:?}");
    let host = ["native_call::trampoline", "guarded_call::enter", "guarded_call::leave"];
    assert!(host.iter().all(|name| functions.iter().any(|f| f.contains(name))), "{functions:?}");
}

#[test]
fn gdb_forgets_traces_that_are_dropped() {
    let folder = folder();
    // The second word of the descriptor is the action: 1, an object was added; 2, one is about to be removed.
    let script = "set language c\nbreak __jit_debug_register_code\ncommands\nsilent\n\
                  printf \"action %u\\n\", *(unsigned*)((char*)&__jit_debug_descriptor + 4)\ncontinue\nend\nrun\n";
    std::fs::write(folder.path().join("script"), script).unwrap();
    let Some(said) = gdb(folder.path(), &TRACED, &["source script"]) else { return };
    let actions: Vec<&str> = said.lines().filter(|l| l.starts_with("action ")).collect();
    let (added, gone) = actions.split_at(actions.len() / 2);
    assert!(added.len() > 2 && added.iter().all(|a| *a == "action 1"), "{said}");
    assert!(added.len() == gone.len() && gone.iter().all(|a| *a == "action 2"), "{said}");
}

#[test]
fn perf_finds_the_names_of_traces() {
    let folder = folder();
    let (mut code, status) = perf_map_of(folder.path(), &["--trace-jit", LIMIT, "-O0"]);
    assert!(matches!(status, Some(0 | 1)));
    let names: HashSet<&str> = code.iter().map(|c| &*c.2).collect();
    assert!(names.len() == code.len() && names.len() >= 6, "{code:?}");
    for name in ["turns.trace0", "turns.trace0.leave_with0", "turns.trace0.enter", "main.trace2"] {
        assert!(names.contains(name), "{name}: {code:?}");
    }
    code.sort_unstable();
    assert!(code.windows(2).all(|pair| pair[0].1 <= pair[1].0), "{code:?}");
}

/// Checks the lines of traces in a dump, without the functions next to them.
fn check_lines(functions: &[Dumped]) {
    let is_trace = |f: &&Dumped| f.name.rsplit_once('.').is_some_and(|(_, last)| last.starts_with("trace"));
    let traces = functions.iter().filter(is_trace);
    for f in traces {
        assert!(f.name.contains(".trace") && f.lines.len() > 1, "{f:?}");
        assert!(f.lines.is_sorted_by_key(|(at, ..)| *at), "{f:?}");
        assert_eq!(f.lines.last().map(|l| l.0), Some(f.code.len() as u64), "{f:?}");
        assert!(f.unwinding[0] > 48, "{f:?}");
        for (_, path, line, _) in &f.lines {
            let name = path.rsplit('/').next().unwrap();
            let is_there = format!("!{}:{line}", name.trim_end_matches(".c"));
            assert!(name == "program.lir" || PROGRAM.contains(&is_there), "{name}:{line} in {f:?}");
        }
    }
}

#[test]
fn a_dump_has_the_lines_of_traces() {
    let folder = folder();
    // There is a log at the end, too.
    let log = ["--trace-jit", LIMIT, "--trace-log", "-O0"];
    let (functions, status, said) = dump_of(folder.path(), &log, "program.lir");
    assert!(matches!(status, Some(0 | 1)) && said.starts_with("trace 0: begins in @turns "), "{status:?}: {said}");
    check_lines(&functions);
    let first = functions.iter().find(|f| f.name == "main.trace2").expect("the loop of @main is hot");
    let has = |file: &str, line, column| {
        first.lines.iter().any(|(_, path, l, c)| path.ends_with(file) && (*l, *c) == (line, column))
    };
    assert!(has("/deep.c", 12, 7) && has("/loops.c", 5, 0), "{first:?}");
}

/// Engines are made and dropped on several threads, each with traces that gdb and perf see.
#[test]
fn threads_show_traces() {
    let folder = TempDir::new().unwrap();
    let dump = Arc::new(Dump::create(folder.path()).unwrap());
    let source = Arc::new(Source { name: "program.lir".into(), text: PROGRAM.into() });
    let limits = Limits { hot_loop: 2, hot_exit: 2, ..Limits::default() };
    let traces = TraceOptions { limits, stress: Some(5), ..TraceOptions::default() };
    let compile = CompileOptions { model: RelocModel::Jit, ..CompileOptions::default() };
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..3 {
                    let module = parse(&source, &ParseOptions::default()).unwrap();
                    let mode = Mode::Tracing(traces, compile);
                    let engine = Engine::new(module, mode, &HostSymbols::new(&[]).unwrap()).unwrap();
                    let viewers = Viewers { gdb: true, dump: Some(Arc::clone(&dump)), ..Viewers::none(source.clone()) };
                    engine.show_code(viewers).unwrap();
                    let outcome = engine.call(engine.func("main").unwrap(), &[]).unwrap();
                    assert!(matches!(outcome, Outcome::Return(Some(_))), "{outcome:?}");
                    assert!(engine.traces().traces.len() > 3);
                }
            });
        }
    });
    dump.close().unwrap();
    let functions = read_dump(dump.path(), std::process::id());
    check_lines(&functions);
    // The functions of a trace are adjacent.
    assert!(functions.len() >= 4 * 3 * 3 * 4, "{}", functions.len());
    let names: Vec<&str> = functions.iter().map(|f| &*f.name).collect();
    let mut trace = "";
    for (k, name) in names.iter().enumerate() {
        if name.matches('.').count() == 1 {
            trace = name;
            assert!(names[k + 1].starts_with(&format!("{trace}.leave")), "{names:?}");
        }
        assert!(name.starts_with(trace), "{names:?}");
    }
}
