//! A host with its own SIGSEGV handlers, which keep working while LIR code runs and traps.
//!
//! The host has a page that it protects and whose faults its handler repairs, as garbage collectors and emulators do.
//! Calls return traps of LIR code as values, and the host's handler never sees them; the host's faults are passed to
//! its handler, whether that was installed before the engine was made or afterwards. When the last engine is dropped,
//! everything is as it was.
//!
//! `cargo run -p lir-run --example host_handler`

use lir_llc::options::CompileOptions;
use lir_llc::options::RelocModel;
use lir_run::engine::{Engine, Mode};
use lir_run::interp::Outcome;
use lir_run::run_lines::LineReader;
use lir_run::symbols::HostSymbols;
use lir_syntax::ir::Module;
use std::mem::MaybeUninit;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicUsize, Ordering};

const PROGRAM: &str = "func @load(%p: i64) -> i64 {
entry:
  %v = load i64 [%p]
  ret %v
}
func @div(%a: i32, %b: i32) -> i32 {
entry:
  %q = sdiv i32 %a, %b
  ret %q
}
";

/// The page that the host protects.
static PAGE: AtomicPtr<u64> = AtomicPtr::new(null_mut());
/// Faults that the host's handlers have repaired.
static REPAIRED: AtomicU32 = AtomicU32::new(0);
/// The address of the action before the second handler, which passes unknown faults on to it.
static BEFORE: AtomicUsize = AtomicUsize::new(0);

type Action = extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void);

/// Repairs a fault on the page. Returns true if it is one.
fn repair(info: *mut libc::siginfo_t) -> bool {
    let page = PAGE.load(Ordering::Relaxed);
    // SAFETY: the kernel gives a valid pointer; the page is the host's.
    unsafe {
        if (*info).si_addr() != page.cast() {
            return false;
        }
        libc::mprotect(page.cast(), 4096, libc::PROT_READ | libc::PROT_WRITE);
    }
    REPAIRED.fetch_add(1, Ordering::Relaxed);
    true
}

/// The handler that is installed before the engine.
extern "C" fn first(_: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
    // The fault is not on the host's page.
    if !repair(info) {
        std::process::abort();
    }
}

/// The handler that is installed later. It passes unknown faults on to the handler before it, as handlers should.
extern "C" fn second(signal: libc::c_int, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    if !repair(info) {
        // SAFETY: the previous handler was installed with SA_SIGINFO.
        let before = unsafe { std::mem::transmute::<usize, Action>(BEFORE.load(Ordering::Relaxed)) };
        before(signal, info, context);
    }
}

/// Installs a handler. Returns the address of the previous one.
fn install(handler: usize) -> usize {
    let mut old = MaybeUninit::<libc::sigaction>::uninit();
    // SAFETY: a complete action, and a place for the old one.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        assert_eq!(libc::sigaction(libc::SIGSEGV, &action, old.as_mut_ptr()), 0);
        old.assume_init().sa_sigaction
    }
}

/// The address of the handler that is installed.
fn installed() -> usize {
    let mut present = MaybeUninit::<libc::sigaction>::uninit();
    // SAFETY: a place for the answer.
    unsafe {
        assert_eq!(libc::sigaction(libc::SIGSEGV, std::ptr::null(), present.as_mut_ptr()), 0);
        present.assume_init().sa_sigaction
    }
}

/// Lets the host fault on its page, and returns how often its handlers repaired a fault.
fn touch_page() -> u32 {
    let page = PAGE.load(Ordering::Relaxed);
    // SAFETY: the page is the host's; its handler makes it accessible again.
    unsafe {
        libc::mprotect(page.cast(), 4096, libc::PROT_NONE);
        page.write_volatile(1);
    }
    REPAIRED.load(Ordering::Relaxed)
}

fn engine() -> Engine {
    let module: Module = PROGRAM.parse().expect("the program is right");
    let options = CompileOptions { model: RelocModel::Jit, ..CompileOptions::default() };
    let host = HostSymbols::new(&[]).expect("no libraries are asked for");
    Engine::new(module, Mode::Native(options), &host).expect("the program can run")
}

/// Makes a call, written as in LIR, and returns a text of how it ended.
fn call(engine: &Engine, text: &str) -> String {
    let call = LineReader::new(engine.module()).call(text).expect("the call is right");
    match engine.call(call.func(engine.module()), &call.args).expect("the system has a stack") {
        Outcome::Return(Some(value)) => value.to_string(),
        Outcome::Trap(trap, at) => format!("trap: {trap} in {}", at.describe(engine.module(), None)),
        other => format!("{other:?}"),
    }
}

/// The example.
pub fn main() {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    // SAFETY: a new mapping.
    let page = unsafe { libc::mmap(null_mut(), 4096, libc::PROT_NONE, flags, -1, 0) };
    PAGE.store(page.cast(), Ordering::Relaxed);
    install(first as *const () as usize);
    assert_eq!(touch_page(), 1);

    let program = engine();
    assert_eq!(call(&program, "@div(7, 2)"), "i32 3");
    assert_eq!(call(&program, "@load(16)"), "trap: memory_fault in @load, block entry");
    assert_eq!(call(&program, "@div(1, 0)"), "trap: div_by_zero in @div, block entry");
    assert_eq!(touch_page(), 2, "the engine's handler hands on to the host's");

    BEFORE.store(install(second as *const () as usize), Ordering::Relaxed);
    assert_eq!(call(&program, "@load(16)"), "trap: memory_fault in @load, block entry");
    assert_eq!(touch_page(), 3, "a handler that was installed later comes first");

    // The engine's handler is a link of the host's chain now, and stays that. Another engine detects this.
    drop(program);
    assert_eq!(installed(), second as *const () as usize);
    assert_eq!(touch_page(), 4);
    let again = engine();
    assert_eq!(call(&again, "@load(16)"), "trap: memory_fault in @load, block entry");
    assert_eq!(touch_page(), 5);
    drop(again);
    assert_eq!(installed(), second as *const () as usize, "the host has its handler back");

    // The host removes its second handler: the action before it no longer belongs to an engine, and passes faults on.
    install(BEFORE.load(Ordering::Relaxed));
    assert_eq!(touch_page(), 6);
    println!("{} faults of the host repaired, all traps came back", REPAIRED.load(Ordering::Relaxed));
}
