//! Exceptions of C++ that leave C, and panics of functions of the host: their handlers, and the places where they end.

use crate::engine::call;
use crate::own_process;
use crate::tool::Tool;
use lir_llc::options::CompileOptions;
use lir_llc::options::RelocModel;
use lir_llc::regalloc::BOTTOM_UP;
use lir_run::engine::{Engine, Mode};
use lir_run::interp::TraceOptions;
use lir_run::symbols::HostSymbols;
use lir_syntax::ir::Module;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::Command;

/// Throws and catches, and counts the destructors that run.
const THROWER: &str = "
#include <cstdint>
#include <exception>
static int64_t destroyed;
struct Counted { ~Counted() { destroyed++; } };
extern \"C\" int64_t throws(int64_t x) { Counted c; if (x > 99) throw x; return x; }
extern \"C\" int64_t passes(int64_t (*f)(int64_t), int64_t x) { Counted c; return f(x); }
extern \"C\" int64_t catches(int64_t (*f)(int64_t), int64_t x) {
  try { return f(x); } catch (int64_t y) { return -y; }
}
extern \"C\" int64_t seen() { return 100 * destroyed + std::uncaught_exceptions(); }
";

const PROGRAM: &str = "extern func @throws(i64) -> i64
extern func @passes(i64, i64) -> i64
extern func @catches(i64, i64) -> i64
extern func @seen() -> i64
extern func @pthread_create(i64, i64, i64, i64) -> i32
extern func @pthread_join(i64, i64) -> i32
func @inner(%x: i64) -> i64 {
entry:
  %r = call i64 @throws(%x)
  %s = add i64 %r, 1
  ret %s
}
func @outer(%x: i64) -> i64 {
entry:
  %f = lea [@inner]
  %r = call i64 @passes(%f, %x)
  %s = add i64 %r, 1
  ret %s
}
func @caught(%x: i64) -> i64 {
entry:
  %f = lea [@inner]
  %r = call i64 @catches(%f, %x)
  %s = add i64 %r, 1
  ret %s
}
func @loop(%n: i64) -> i64 {
entry:
  jmp head
head:
  %i = phi i64 [0, entry], [%j, head]
  %r = call i64 @throws(%i)
  %j = add i64 %i, 1
  br slt i64 %j, %n, head, done
done:
  ret %j
}
func @thread(%x: i64) -> i64 {
  stack $t: 8
entry:
  %t = lea [$t]
  %none = const i64 0
  %f = lea [@inner]
  %e = call i32 @pthread_create(%t, %none, %f, %x)
  %h = load i64 [$t]
  %e2 = call i32 @pthread_join(%h, %none)
  ret %x
}
func @saw() -> i64 {
entry:
  %r = call i64 @seen()
  ret %r
}
";

/// Builds the library; none, with a message, if there is no C++ compiler.
fn library(folder: &Path) -> Option<String> {
    let (source, library) = (folder.join("thrower.cpp"), folder.join("libthrower.so").display().to_string());
    std::fs::write(&source, THROWER).unwrap();
    let built = Command::new("c++").args(["-O1", "-fPIC", "-shared", "-o", &library]).arg(&source).output();
    let Ok(built) = built else {
        eprintln!("skipped: there is no C++ compiler `c++`");
        return None;
    };
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    Some(library)
}

/// An exception that is not caught ends the run as a trap, with its place and the calls around it, in every mode.
#[test]
fn an_exception_that_is_not_caught_is_a_trap() {
    let tool = Tool::new(PROGRAM);
    let Some(library) = library(tool.folder()) else { return };
    let traced: &[&str] = &["--trace-jit", "--trace-limit=hot-loop=2"];
    let inner = "trap: exception in C code called from @inner, block entry, line 9\n";
    let outer = format!("{inner}  called from C code called from @outer, block entry, line 16\n");
    let looping = "trap: exception in C code called from @loop, block head, line 32\n";
    for mode in [&["-O0"][..], &["-O2"], &["--interp"], traced] {
        for (call, message) in [("@inner(100)", inner), ("@outer(100)", &outer), ("@loop(200)", looping)] {
            let ended = tool.run(&[mode, &["-l", &library, "--call", call]].concat());
            assert_eq!((ended.status, &*ended.err), (134, message), "{call} {mode:?}");
        }
        let ended = tool.run(&[mode, &["-l", &library, "--call", "@thread(100)"]].concat());
        assert!(ended.status == 134 && ended.err.starts_with(inner), "{mode:?}: {ended:?}");
    }
}

/// Compiled code lets exceptions through. The interpreter has no frames for them: they end at its call of C.
#[test]
fn an_exception_unwinds_compiled_code_only() {
    let tool = Tool::new(PROGRAM);
    let Some(library) = library(tool.folder()) else { return };
    for mode in ["-O0", "-O1", "-O2"] {
        let ended = tool.run(&[mode, "-l", &library, "--call", "@caught(100)", "--call", "@saw()"]);
        assert_eq!((ended.status, &*ended.out), (0, "i64 -99\ni64 100\n"), "{mode}: {}", ended.err);
    }
    let ended = tool.run(&["--interp", "-l", &library, "--call", "@caught(100)"]);
    let expected = "trap: exception in C code called from @inner, block entry, line 9\n  \
                    called from C code called from @caught, block entry, line 23\n";
    assert_eq!((ended.status, &*ended.err), (134, expected));
}

fn modes() -> [Mode; 3] {
    let options = CompileOptions { model: RelocModel::Jit, ..CompileOptions::default() };
    let traced = CompileOptions { allocator: Some(BOTTOM_UP), ..options };
    [Mode::Native(options), Mode::Interpreter, Mode::Tracing(TraceOptions::default(), traced)]
}

fn engine(text: &str, mode: Mode, host: &HostSymbols) -> Engine {
    let module: Module = text.parse().unwrap();
    Engine::new(module, mode, host).unwrap()
}

/// In a library the host continues: destructors have run, the exception is freed and counted as caught.
#[test]
fn a_library_continues_after_an_exception() {
    if own_process::passes(a_library_continues_after_an_exception) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let Some(library) = library(folder.path()) else { return };
    let host = HostSymbols::new(&[&library]).unwrap();
    let mut before = 0;
    for mode in modes() {
        let engine = engine(PROGRAM, mode, &host);
        for _ in 0..3 {
            assert_eq!(call(&engine, "@outer(100)"), "exception in C code called from @inner, block entry");
            // The interpreter has C return from a call back that failed.
            before += 200;
            assert_eq!(call(&engine, "@saw()"), format!("i64 {before}"));
        }
        assert_eq!(call(&engine, "@thread(100)"), "exception in C code called from @inner, block entry");
        before += 100;
    }
}

extern "C-unwind" fn panics(x: i64) -> i64 {
    if x > 99 { std::panic::panic_any(x) } else { x }
}

/// A panic of a function of the host reaches the host, with its payload, and the engine can be called again.
#[test]
fn a_panic_of_a_host_function_continues_in_the_host() {
    if own_process::passes(a_panic_of_a_host_function_continues_in_the_host) {
        return;
    }
    let text = PROGRAM.replace("call i64 @passes(%f, %x)", "call i64 %f(i64 %x)");
    let text = text.lines().filter(|l| !["catches", "seen"].iter().any(|name| l.contains(name)));
    let text = text.collect::<Vec<_>>().join("\n").replace("%r = add", "%s = add");
    let text = text.replace("func @saw() -> i64 {\nentry:\n  ret %r", "func @saw() -> i64 {\nentry:\n  ret 1");
    let text = text.replace("  %f = lea [@inner]\n  %s = add i64 %r, 1\n", "  %s = add i64 %x, 1\n");
    let mut host = HostSymbols::new(&[]).unwrap();
    // SAFETY: the function is as the program declares it, and has no destructors.
    unsafe {
        host.define(b"throws", panics as *const () as u64);
        host.define(b"passes", panics as *const () as u64);
    }
    for mode in modes() {
        let engine = engine(&text, mode, &host);
        for n in [100, 101] {
            for name in ["@inner", "@outer"] {
                let thrown = catch_unwind(AssertUnwindSafe(|| call(&engine, &format!("{name}({n})"))));
                assert_eq!(thrown.unwrap_err().downcast_ref(), Some(&(n as i64)), "{name}");
            }
            let thrown = catch_unwind(AssertUnwindSafe(|| call(&engine, "@loop(200)")));
            assert_eq!(thrown.unwrap_err().downcast_ref(), Some(&100i64));
            assert_eq!(call(&engine, "@inner(7)"), "i64 8");
        }
        // No call of the host waits for the thread.
        assert_eq!(call(&engine, "@thread(100)"), "exception in C code called from @inner, block entry");
    }
}
