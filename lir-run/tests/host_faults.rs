//! Faults of the host, and the state that a library leaves to it: handlers, alternate stacks, the state of the
//! processor, its end. Each test has a process of its own.

use crate::own_process;
use lir_llc::options::CompileOptions;
use lir_llc::options::RelocModel;
use lir_run::jit::Jit;
use lir_run::outcome::Outcome;
use lir_run::symbols::HostSymbols;
use lir_run::value::Value;
use lir_syntax::ir::{Module, Type};
use std::hint::black_box;
use std::mem::MaybeUninit;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

const PROGRAM: &str = "extern func @pthread_create(i64, i64, i64, i64) -> i32
extern func @usleep(i32) -> i32
extern func @host(i64) -> i64
func @load(%p: i64) -> i64 {
entry:
  %v = load i64 [%p]
  ret %v
}
func @div(%a: i64) -> i64 {
entry:
  %k = const i32 20000
  %e = call i32 @usleep(%k)
  %z = const i64 0
  %one = const i64 1
  %q = udiv i64 %one, %z
  ret %q
}
; Starts a thread, and does not wait for it.
func @start() -> i64 {
  stack $t: 8
entry:
  %t = lea [$t]
  %none = const i64 0
  %f = lea [@div]
  %e = call i32 @pthread_create(%t, %none, %f, %none)
  ret 0
}
func @call_host(%n: i64) -> i64 {
entry:
  %r = call i64 @host(%n)
  %s = add i64 %r, 1
  ret %s
}
";

extern "C" fn no_host(x: i64) -> i64 {
    x
}

fn module() -> Module {
    PROGRAM.parse().unwrap()
}

fn jit(host: extern "C" fn(i64) -> i64) -> Jit {
    let mut symbols = HostSymbols::new(&[]).unwrap();
    // SAFETY: the function is as the program declares it, and may never return.
    unsafe { symbols.define(b"host", host as *const () as u64) };
    let options = CompileOptions { model: RelocModel::Jit, ..CompileOptions::default() };
    Jit::new(module(), &options, &symbols).unwrap()
}

fn call(jit: &Jit, name: &str, argument: Option<u64>) -> String {
    let func = jit.module().decls.body_named(name.as_bytes()).unwrap();
    let arguments: Vec<Value> = argument.map(|bits| Value::new(Type::I64, bits)).into_iter().collect();
    match jit.call(func, &arguments).unwrap() {
        Outcome::Return(value) => value.unwrap().to_string(),
        Outcome::Trap(trap, at) => format!("{trap} in {}", at.describe(jit.module(), None)),
        other => panic!("{other:?}"),
    }
}

fn address(jit: &Jit, name: &str) -> u64 {
    jit.address(jit.module().decls.body_named(name.as_bytes()).unwrap())
}

/// The page that the host protects, and how often its handler has repaired it.
static PAGE: AtomicPtr<u64> = AtomicPtr::new(null_mut());
static REPAIRED: AtomicU32 = AtomicU32::new(0);

extern "C" fn repair(_: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
    let page = PAGE.load(Ordering::Relaxed);
    // SAFETY: the kernel gives a valid pointer; the page is the host's.
    unsafe {
        if (*info).si_addr() != page.cast() {
            libc::_exit(99);
        }
        libc::mprotect(page.cast(), 4096, libc::PROT_READ | libc::PROT_WRITE);
    }
    REPAIRED.fetch_add(1, Ordering::Relaxed);
}

/// Installs the host's handler, and makes its page.
fn install_handler() {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    // SAFETY: a new mapping, and a complete action.
    unsafe {
        PAGE.store(libc::mmap(null_mut(), 4096, libc::PROT_NONE, flags, -1, 0).cast(), Ordering::Relaxed);
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = repair as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        assert_eq!(libc::sigaction(libc::SIGSEGV, &action, null_mut()), 0);
    }
}

fn protect_page() -> *mut u64 {
    let page = PAGE.load(Ordering::Relaxed);
    // SAFETY: the page is the host's.
    unsafe { libc::mprotect(page.cast(), 4096, libc::PROT_NONE) };
    page
}

/// Returns the signal that ends a child process which calls `act`, as a negative number, or its status.
fn ends_child(act: impl FnOnce()) -> i32 {
    let mut status = 0;
    // SAFETY: the child does little and ends.
    unsafe {
        let child = libc::fork();
        if child == 0 {
            act();
            libc::_exit(0);
        }
        libc::waitpid(child, &mut status, 0);
    }
    if libc::WIFSIGNALED(status) { -libc::WTERMSIG(status) } else { libc::WEXITSTATUS(status) }
}

/// Addresses of compiled code among the host's locals, and old return addresses on its stack, do not make a fault a
/// trap.
#[test]
fn a_fault_of_the_host_is_the_host_s() {
    if own_process::passes(a_fault_of_the_host_is_the_host_s) {
        return;
    }
    install_handler();
    let jit = jit(no_host);
    assert_eq!(call(&jit, "load", Some(16)), "memory_fault in @load, block entry");
    // Some of the first bytes could be at return addresses.
    let start = address(&jit, "call_host");
    let addresses: [u64; 64] = std::array::from_fn(|k| start + k as u64);
    black_box(&addresses);
    // SAFETY: the host's handler makes the page accessible again.
    unsafe { protect_page().write_volatile(1) };
    assert_eq!(REPAIRED.load(Ordering::Relaxed), 1);
    // Code that is called by its address, outside of a guarded call, faults as the host's own code does.
    // SAFETY: the function has this signature.
    let load = unsafe { std::mem::transmute::<u64, extern "C" fn(*mut u64) -> u64>(address(&jit, "load")) };
    assert_eq!(load(protect_page()), 1);
    assert_eq!(REPAIRED.load(Ordering::Relaxed), 2);
    black_box(&addresses);
}

/// Without a handler of the host, the system ends the process by the signal.
#[test]
fn a_fault_of_the_host_meets_the_default() {
    if own_process::passes(a_fault_of_the_host_meets_the_default) {
        return;
    }
    // Rust's own handler does not know this address.
    let jit = jit(no_host);
    assert_eq!(call(&jit, "load", Some(16)), "memory_fault in @load, block entry");
    // SAFETY: the child ends at the fault.
    let load = unsafe { std::mem::transmute::<u64, extern "C" fn(u64) -> u64>(address(&jit, "load")) };
    assert_eq!(ends_child(|| _ = black_box(load(black_box(16)))), -libc::SIGSEGV);
    // A thread of the program that outlasts its call has no call to return a trap from.
    assert_eq!(
        ends_child(|| {
            call(&jit, "start", None);
            std::thread::sleep(std::time::Duration::from_secs(10));
        }),
        -libc::SIGFPE
    );
}

/// The host's alternate stack is its own again when the last code is dropped; so are the handlers.
#[test]
fn alternate_stacks_are_given_back() {
    if own_process::passes(alternate_stacks_are_given_back) {
        return;
    }
    let present = || {
        let mut stack = MaybeUninit::<libc::stack_t>::uninit();
        // SAFETY: memory for the answer.
        unsafe {
            assert_eq!(libc::sigaltstack(std::ptr::null(), stack.as_mut_ptr()), 0);
            stack.assume_init()
        }
    };
    let mut memory = vec![0u8; 16 << 10];
    let small = libc::stack_t { ss_sp: memory.as_mut_ptr().cast(), ss_flags: 0, ss_size: memory.len() };
    // SAFETY: the memory lives until the end of the process.
    unsafe { assert_eq!(libc::sigaltstack(&small, null_mut()), 0) };
    for _ in 0..2 {
        let jit = jit(no_host);
        assert_eq!(call(&jit, "load", Some(16)), "memory_fault in @load, block entry");
        assert_ne!(present().ss_sp, small.ss_sp, "the host's is too small for an overflow");
        drop(jit);
        assert_eq!((present().ss_sp, present().ss_size), (small.ss_sp, small.ss_size));
    }
    std::mem::forget(memory);
}

/// Rounding up, and a full stack of the x87, as in a function that computes with it when it is interrupted.
extern "C" fn changes_state(_: i64) -> i64 {
    let (mxcsr, control) = (0x5f80u32, 0x0b7fu16);
    // SAFETY: the call that ends here restores the state that the instructions change.
    unsafe {
        std::arch::asm!("ldmxcsr [{}]", "fldcw [{}]", in(reg) &mxcsr, in(reg) &control);
        std::arch::asm!("fldz", "fldz", "fldz", "fldz", "fldz", "fldz", "fldz", "fldz");
        std::ptr::null_mut::<u8>().write_volatile(1);
    }
    0
}

/// A trap leaves rounding and the x87 stack as they were before the call.
#[test]
fn a_trap_leaves_the_state_of_floats() {
    if own_process::passes(a_trap_leaves_the_state_of_floats) {
        return;
    }
    let state = || {
        let (mut mxcsr, mut control, mut sum) = (0u32, 0u16, 0f64);
        // SAFETY: memory for the stored values; the x87 stack is as before.
        unsafe {
            std::arch::asm!("stmxcsr [{}]", "fnstcw [{}]", in(reg) &mut mxcsr, in(reg) &mut control);
            std::arch::asm!("fld1", "fld1", "faddp", "fstp qword ptr [{}]", in(reg) &mut sum);
        }
        (mxcsr & 0xffc0, control, sum)
    };
    let before = state();
    let jit = jit(changes_state);
    assert_eq!(call(&jit, "call_host", Some(1)), "memory_fault in C code called from @call_host, block entry");
    assert_eq!(state(), before);
}

/// The code that [`calls_back`] calls.
static CALL_HOST: AtomicPtr<u8> = AtomicPtr::new(null_mut());

/// Calls back without an end, with a frame that the guard below the stack does not hold.
extern "C" fn calls_back(n: i64) -> i64 {
    let mut large = [0u8; 20_000];
    black_box(&mut large)[n as usize % 20_000] = 1;
    // SAFETY: the function has this signature.
    let back = unsafe { std::mem::transmute::<*mut u8, extern "C" fn(i64) -> i64>(CALL_HOST.load(Ordering::Relaxed)) };
    back(n + 1) + i64::from(black_box(&large)[0])
}

/// An overflow in a function of the host is reported at the code which called it, with the calls around.
#[test]
fn an_overflow_of_a_host_function_has_its_place() {
    if own_process::passes(an_overflow_of_a_host_function_has_its_place) {
        return;
    }
    let jit = jit(calls_back);
    CALL_HOST.store(address(&jit, "call_host") as *mut u8, Ordering::Relaxed);
    for _ in 0..2 {
        assert_eq!(call(&jit, "call_host", Some(1)), "stack_overflow in C code called from @call_host, block entry");
        let mut text = String::new();
        let backtrace = lir_run::outcome::backtrace::Backtrace::of_last_run();
        backtrace.write(jit.module(), None, &mut text).unwrap();
        assert!(text.starts_with("  called from C code called from @call_host, block entry\n"), "{text}");
    }
}
