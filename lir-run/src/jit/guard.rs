//! Runs code so that a trap comes back as a value.
//!
//! [`Guarded::run`] switches to a stack of the thread's own and calls. A trap is a hardware fault: the signal handler
//! ([`signals`](super::signals)) asks [`catch`], which notes what and where, and resumes at [`recover`] with the stack
//! pointer from before the call, which returns into `run` as if the code had. Frames in between, of compiled and of C
//! code, are forgotten; no Rust frame is among them.
//!
//! Where compiled code called C, a fault in C is caught as well. The place is that of the call then: the first return
//! address into compiled code on the stack. The interpreter guards its calls of C in the same way, and suspends the
//! guard ([`suspend`]) while C calls back.
//!
//! Source: the scheme is that of Wasmtime's `traphandlers` (setjmp, longjmp), with the jump written out.

use super::image::Image;
use super::signals::Fault;
use super::stack_words::StackWords;
use super::threads::Run;
use super::{elsewhere, stacks};
use crate::host::native_call::NativeCall;
use lir_syntax::semantics::Trap;
use std::arch::naked_asm;
use std::cell::{Cell, OnceCell};
use std::io;
use std::ops::Range;
use std::ptr::null_mut;
use std::sync::Arc;

/// A trap as the handler saw it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Caught {
    /// What it means.
    pub(crate) trap: Trap,
    /// The place in compiled code.
    pub(crate) site: Site,
    /// Whether it happened in code that is not compiled code.
    pub(crate) outside: bool,
    /// Whether control had left the program: the place is where it was last known to be.
    pub(crate) left: bool,
}

/// A place in compiled code.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Site {
    /// The address of an instruction.
    At(u64),
    /// The return address of a call.
    Before(u64),
}

/// What the handler needs to know of a run, and what it leaves behind.
#[repr(C)]
struct Guard {
    /// rsp inside `enter`, before the stack was switched.
    saved_sp: u64,
    /// Top of the stack to switch to; 0 to stay.
    stack_top: u64,
    /// Addresses below the stack in use that mean that it is exhausted; empty where they are not known.
    overflow: Range<u64>,
    /// What runs; null for C alone. Lives longer than the run.
    image: *const Arc<Image>,
    /// The address of the function of it that was called.
    entry: u64,
    /// The run of the program that this is a part of; null where this is a run of its own.
    part_of: *const Arc<Run>,
    /// The run that this is, once threads need to know.
    run: OnceCell<Arc<Run>>,
    caught: Option<Caught>,
}

thread_local! {
    /// The innermost run on this thread. Without a destructor and constant at first, so a handler may read it.
    static CURRENT: Cell<*mut Guard> = const { Cell::new(null_mut()) };
}

/// How far from the stack pointer a fault means an exhausted stack, where it is not known where the stack ends: code
/// touches its stack in steps of a page, and nothing else is so near to a place where there is no memory.
const NEAR_STACK: u64 = 64 << 10;
/// Words of a stack that are looked through for a return address into compiled code.
const STACK_WORDS_SEARCHED: u64 = stacks::STACK_SIZE as u64 / 8;

/// Makes calls.
pub(crate) struct Guarded<'g> {
    /// The compiled code that is called; none for C alone.
    pub(crate) image: Option<&'g Arc<Image>>,
    /// The address of a function of it: where control is if nothing else is known.
    pub(crate) entry: u64,
    /// The run that the call is a part of, for threads that the program started.
    pub(crate) run: Option<&'g Arc<Run>>,
    /// Whether to stay on the present stack.
    pub(crate) stay: bool,
}

/// How a guarded call ended.
pub(crate) struct Ended {
    /// The trap that ended it, if one did.
    pub(crate) caught: Option<Caught>,
    /// The run that it was, where threads needed to know; it has not ended for them.
    pub(crate) run: Option<Arc<Run>>,
}

impl Guarded<'_> {
    /// Makes a call.
    ///
    /// # Errors
    /// There is no memory for a stack.
    ///
    /// # Safety
    /// As for [`NativeCall::invoke`]; the handlers are installed; and neither the code nor what it calls may hold Rust
    /// frames with destructors, or locks of the Rust program, when a fault happens.
    pub(crate) unsafe fn run(self, call: &mut NativeCall<'_>) -> io::Result<Ended> {
        stacks::prepare_signal_stack()?;
        let outer = CURRENT.get();
        let (stack_top, overflow) = if self.stay {
            (0, 0..0)
        } else if outer.is_null() {
            stacks::code_stack()?
        } else {
            // A call from inside a run stays on the stack of that run.
            // SAFETY: `CURRENT` points to the guard of an enclosing `run` on this thread, which is still active.
            (0, unsafe { (*outer).overflow.clone() })
        };
        let image = self.image.map_or(std::ptr::null(), std::ptr::from_ref);
        let part_of = self.run.map_or(std::ptr::null(), std::ptr::from_ref);
        let run = OnceCell::new();
        let entry = self.entry;
        let mut guard = Guard { saved_sp: 0, stack_top, overflow, image, entry, part_of, run, caught: None };
        let guard_ptr: *mut Guard = &mut guard;
        CURRENT.set(guard_ptr);
        // SAFETY: `guard_ptr` is valid until after the call; `call` is as the caller promises. A fault resumes in
        // `recover`, which returns here with all callee-saved registers as `enter` saved them.
        unsafe { enter(guard_ptr, (call as *mut NativeCall<'_>).cast()) };
        CURRENT.set(outer);
        // SAFETY: the handler wrote through the pointer that was published in `CURRENT`; read through the same one.
        let caught = unsafe { (*guard_ptr).caught };
        if stack_top != 0 && caught.is_some_and(|c| c.trap == Trap::StackOverflow) {
            stacks::discard_code_stack();
        }
        Ok(Ended { caught, run: guard.run.into_inner() })
    }
}

/// Whether a guarded run is under way on this thread.
pub(super) fn is_active() -> bool {
    !CURRENT.get().is_null()
}

/// What runs on this thread, the function of it that was called, and as part of what.
pub(super) fn current() -> Option<(Arc<Image>, u64, Arc<Run>)> {
    // SAFETY: the guard belongs to a `run` of this thread, which is below the caller and uses nothing of it meanwhile.
    let guard = unsafe { CURRENT.get().as_ref() }?;
    // SAFETY: the image lives longer than the run.
    let image = unsafe { guard.image.as_ref() }?;
    // SAFETY: so does the run that this one is a part of.
    let run = unsafe { guard.part_of.as_ref() }.unwrap_or_else(|| guard.run.get_or_init(Arc::default));
    Some((Arc::clone(image), guard.entry, Arc::clone(run)))
}

/// Forgets the runs of this thread, which will never return.
pub(crate) fn abandon() {
    CURRENT.set(null_mut());
}

/// While this lives, faults on this thread are not traps of the run: Rust code is being executed inside of it.
pub(crate) struct Suspended(*mut Guard);

/// Suspends the run of this thread.
pub(crate) fn suspend() -> Suspended {
    Suspended(CURRENT.replace(null_mut()))
}

impl Drop for Suspended {
    fn drop(&mut self) {
        CURRENT.set(self.0);
    }
}

/// Calls through the stack of the guard in rdi; rsi is handed on.
#[unsafe(naked)]
unsafe extern "C" fn enter(guard: *mut Guard, call: *mut libc::c_void) {
    naked_asm!(
        "push rbp",
        "push rbx",
        "push r12",
        "push r13",
        "push r14",
        "push r15",
        "sub rsp, 8",
        "mov [rdi], rsp",
        "mov rbx, rdi",
        "mov rax, [rdi + 8]",
        "test rax, rax",
        "cmovnz rsp, rax",
        "mov rdi, rsi",
        "call {invoke}",
        "mov rsp, [rbx]",
        "jmp {leave}",
        invoke = sym invoke,
        leave = sym recover,
    )
}

/// The end of [`enter`], with rsp as `enter` saved it: also where the handler resumes after a fault.
#[unsafe(naked)]
unsafe extern "C" fn recover() {
    naked_asm!("add rsp, 8", "pop r15", "pop r14", "pop r13", "pop r12", "pop rbx", "pop rbp", "ret",)
}

extern "C" fn invoke(call: *mut NativeCall<'_>) {
    // SAFETY: called by `enter` alone, with the pointer that `run` made from a reference; `run`'s caller promises the
    // rest.
    unsafe { (*call).invoke() }
}

const _: () = {
    assert!(std::mem::offset_of!(Guard, saved_sp) == 0);
    assert!(std::mem::offset_of!(Guard, stack_top) == 8);
};

/// Called by the signal handler where a run is under way: makes the interrupted code resume at its end, if the signal
/// is a trap; whether it is.
pub(super) fn catch(fault: &Fault) -> bool {
    // SAFETY: the guard belongs to a `run` of this thread that the signal interrupted; nothing else uses it now.
    let guard = unsafe { &mut *CURRENT.get() };
    // SAFETY: the image lives longer than the run.
    let image = unsafe { guard.image.as_ref() }.map(|image| &**image);
    let Some(caught) = explain(fault, image, &guard.overflow, Some(guard.entry)) else { return false };
    if let Some(image) = image
        && caught.outside
        && image.ends_process_in_c()
    {
        elsewhere::end(image, &caught);
    }
    guard.caught = Some(caught);
    // SAFETY: the registers are those of the interrupted code. It never goes on; what `recover` needs is what `enter`
    // saved. The direction flag is clear at a return.
    unsafe {
        let registers = &mut *fault.registers;
        registers[libc::REG_RIP as usize] = recover as *const () as i64;
        registers[libc::REG_RSP as usize] = guard.saved_sp as i64;
        registers[libc::REG_EFL as usize] &= !0x400;
    }
    true
}

/// What a fault means in compiled code of an image, or in what that called; `overflow` are the addresses below the
/// stack, if they are known, and `entry` is the function that was called. None where it is no trap, or nobody knows
/// where.
pub(super) fn explain(
    fault: &Fault,
    image: Option<&Image>,
    overflow: &Range<u64>,
    entry: Option<u64>,
) -> Option<Caught> {
    let (pc, sp) = (fault.pc(), fault.sp());
    let here = image.filter(|image| image.is_code(pc));
    let trap = match (fault.signal, here) {
        (libc::SIGFPE | libc::SIGILL, Some(image)) => image.trap_at(fault)?,
        (libc::SIGFPE, None) => fault.is_division().then_some(Trap::DivByZero)?,
        (libc::SIGILL, None) => Trap::Unreachable,
        _ if overflow.contains(&fault.address) => Trap::StackOverflow,
        _ if overflow.is_empty() && fault.address != pc && is_near(fault.address, sp) => Trap::StackOverflow,
        _ => Trap::MemoryFault,
    };
    let Some(image) = image.filter(|_| here.is_none()) else {
        return Some(Caught { trap, site: Site::At(pc), outside: here.is_none(), left: false });
    };
    // A jump to where there is no code is the fault of who called, whose return address is on top of the stack then;
    // but a return, of which the address was there until now, is that of who wrote over the address.
    let jumped = fault.address == pc && trap == Trap::MemoryFault;
    let word_at = |at: u64, is: &dyn Fn(u64) -> bool| StackWords::new().find(at, 1, is).is_some();
    let called = word_at(sp, &|word| image.is_code(word));
    let returned = jumped && !called && word_at(sp.wrapping_sub(8), &|word| word == pc);
    let caller = StackWords::new().find(sp, STACK_WORDS_SEARCHED, |word| image.is_code(word));
    let site = caller.map(Site::Before).or(entry.map(Site::At))?;
    Some(Caught { trap, site, outside: !jumped, left: returned || caller.is_none() })
}

fn is_near(address: u64, sp: u64) -> bool {
    address.wrapping_sub(sp.wrapping_sub(NEAR_STACK)) < 2 * NEAR_STACK
}
