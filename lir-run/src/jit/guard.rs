//! Runs compiled code so that a trap comes back as a value.
//!
//! [`Guarded::run`] switches to a stack of its own and calls. A trap is a hardware fault: the signal handler notes what
//! and where, and resumes at [`recover`] with the stack pointer from before the call, which returns into `run` as if
//! the code had. Frames in between, of compiled and of C code, are forgotten; no Rust frame is among them.
//!
//! The handlers are installed once. On a thread without a guarded run, which C started inside the program, a trap ends
//! the process: see [`super::elsewhere`]. A signal that neither explains goes to the handler that was there before.
//!
//! Source: the scheme is that of Wasmtime's `traphandlers` (setjmp, longjmp), with the jump written out.

use super::divisor::divisor_is_zero;
use super::elsewhere;
use crate::native_call::NativeCall;
use crate::region::{Access, PAGE, Region};
use lir_syntax::semantics::Trap;
use std::arch::naked_asm;
use std::cell::{Cell, RefCell};
use std::io;
use std::mem::{ManuallyDrop, MaybeUninit};
use std::ops::Range;
use std::ptr::null_mut;
use std::sync::Once;

/// A fault as the handler saw it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// What it means.
    pub trap: Trap,
    /// Where the program counter was.
    pub pc: u64,
    /// Where the stack pointer was.
    pub sp: u64,
}

/// What the handler needs to know of a run, and what it leaves behind.
#[repr(C)]
struct Guard {
    /// rsp inside `enter`, before the stack was switched.
    saved_sp: u64,
    /// Top of the stack to switch to; 0 to stay.
    stack_top: u64,
    /// Addresses below the stack in use that mean that it is exhausted.
    overflow: Range<u64>,
    /// Addresses of compiled code.
    code: Range<u64>,
    fault: Option<Fault>,
}

thread_local! {
    /// The innermost run on this thread. Without a destructor and constant at first, so a handler may read it.
    static CURRENT: Cell<*mut Guard> = const { Cell::new(null_mut()) };
    static STACK: RefCell<Option<OwnStack>> = const { RefCell::new(None) };
    static SIGNAL_STACK: RefCell<Option<OwnStack>> = const { RefCell::new(None) };
}

/// A stack that goes with its thread. C's `exit`, called by the program, runs the destructors of its thread's data while
/// it stands on these stacks: then they stay mapped.
struct OwnStack(ManuallyDrop<Region>);

impl Drop for OwnStack {
    fn drop(&mut self) {
        if CURRENT.get().is_null() {
            // SAFETY: dropped once, here; no run is active on this thread, so nothing stands on the stack.
            unsafe { ManuallyDrop::drop(&mut self.0) };
        }
    }
}

/// Bytes of the stack that compiled code runs on, the guard below it included. Only what is touched takes memory.
pub const STACK_SIZE: usize = 256 << 20;
/// Bytes below the stack that must not be touched. Frames are probed page by page, so none jumps over it.
const STACK_GUARD: usize = 64 << 10;
/// Bytes of the alternate stack: what the kernel saves of the widest vector registers, several times.
const SIGNAL_STACK_SIZE: usize = 64 << 10;
const SIGNALS: [libc::c_int; 4] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL];

/// Makes calls into code at these addresses.
#[derive(Debug)]
pub struct Guarded {
    /// Addresses of compiled code.
    pub code: Range<u64>,
}

impl Guarded {
    /// Makes a call; the fault that ended it, if one did.
    ///
    /// # Errors
    /// There is no memory for a stack, or the handlers cannot be installed.
    ///
    /// # Safety
    /// As for [`NativeCall::invoke`]; and neither the code nor what it calls may hold Rust frames with destructors,
    /// or locks of the Rust program, when a fault happens.
    pub unsafe fn run(&self, call: &mut NativeCall<'_>) -> io::Result<Option<Fault>> {
        install_handlers()?;
        prepare_signal_stack()?;
        let outer = CURRENT.get();
        let (stack_top, overflow) = if outer.is_null() {
            own_stack()?
        } else {
            // A call from inside a run stays on the stack of that run.
            // SAFETY: `CURRENT` points to the guard of an enclosing `run` on this thread, which is still active.
            (0, unsafe { (*outer).overflow.clone() })
        };
        let mut guard = Guard { saved_sp: 0, stack_top, overflow, code: self.code.clone(), fault: None };
        let guard_ptr: *mut Guard = &mut guard;
        CURRENT.set(guard_ptr);
        // SAFETY: `guard_ptr` is valid until after the call; `call` is as the caller promises. A fault resumes in
        // `recover`, which returns here with all callee-saved registers as `enter` saved them.
        unsafe { enter(guard_ptr, (call as *mut NativeCall<'_>).cast()) };
        CURRENT.set(outer);
        // SAFETY: the handler wrote through the pointer that was published in `CURRENT`; read through the same one.
        Ok(unsafe { (*guard_ptr).fault })
    }
}

/// The top of this thread's stack for compiled code, and the addresses below it.
fn own_stack() -> io::Result<(u64, Range<u64>)> {
    STACK.with_borrow_mut(|stack| {
        if stack.is_none() {
            let mut region = Region::new(STACK_SIZE)?;
            region.protect(0..STACK_GUARD, Access::None)?;
            *stack = Some(OwnStack(ManuallyDrop::new(region)));
        }
        let region = &stack.as_ref().expect("just made").0;
        let low = region.base();
        Ok((low + region.len() as u64, low..low + STACK_GUARD as u64))
    })
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

static INSTALL: Once = Once::new();
/// Handlers from before, by position in [`SIGNALS`]. Written once under [`INSTALL`], before ours can run.
static mut PREVIOUS: [MaybeUninit<libc::sigaction>; 4] = [const { MaybeUninit::uninit() }; 4];

fn install_handlers() -> io::Result<()> {
    let mut result = Ok(());
    INSTALL.call_once(|| {
        for (k, &signal) in SIGNALS.iter().enumerate() {
            // SAFETY: `sigaction` is given a zeroed structure whose fields are then set, and a place that only this
            // closure writes, which runs once.
            let status = unsafe {
                let mut action: libc::sigaction = std::mem::zeroed();
                action.sa_sigaction = on_signal as *const () as usize;
                action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_NODEFER;
                libc::sigemptyset(&mut action.sa_mask);
                libc::sigaction(signal, &action, PREVIOUS[k].as_mut_ptr())
            };
            if status != 0 {
                result = Err(io::Error::last_os_error());
            }
        }
    });
    result
}

/// Makes sure that this thread has an alternate stack that is large enough: an overflow leaves no other.
fn prepare_signal_stack() -> io::Result<()> {
    SIGNAL_STACK.with_borrow_mut(|own| {
        if own.is_some() {
            return Ok(());
        }
        let mut region = Region::new(SIGNAL_STACK_SIZE + PAGE)?;
        region.protect(0..PAGE, Access::None)?;
        let stack = libc::stack_t {
            ss_sp: (region.base() as usize + PAGE) as *mut libc::c_void,
            ss_flags: 0,
            ss_size: SIGNAL_STACK_SIZE,
        };
        // SAFETY: the memory is ours and stays mapped as long as the thread; one that was there before stays mapped
        // too, and is only no longer used.
        let status = unsafe { libc::sigaltstack(&stack, null_mut()) };
        if status != 0 {
            return Err(io::Error::last_os_error());
        }
        *own = Some(OwnStack(ManuallyDrop::new(region)));
        Ok(())
    })
}

/// The handler. Nothing here allocates, locks or may panic.
extern "C" fn on_signal(signal: libc::c_int, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    let guard = CURRENT.get();
    // SAFETY: the kernel gives valid pointers to a handler with SA_SIGINFO, and the third one is a `ucontext_t`. The
    // guard, where there is one, belongs to a `run` of this thread that the signal interrupted.
    unsafe {
        let context = &mut *context.cast::<libc::ucontext_t>();
        let registers = &mut context.uc_mcontext.gregs;
        let (pc, sp) = (registers[libc::REG_RIP as usize] as u64, registers[libc::REG_RSP as usize] as u64);
        // A code above 0: the kernel says so; else somebody sent it.
        if (*info).si_code <= 0 && guard.is_null() {
            forward(signal, info, context);
        } else if (*info).si_code <= 0 {
            // The program sent it to itself, or it was sent to the program: it ends as it would without us. (A handler
            // that waits for the fault to strike again, as Rust's does, would swallow it.)
            libc::signal(signal, libc::SIG_DFL);
            libc::raise(signal);
        } else if guard.is_null() {
            elsewhere::end_if_compiled(pc, sp, |ours| trap_of(signal, ours, registers));
            forward(signal, info, context);
        } else {
            let guard = &mut *guard;
            let overflow = guard.overflow.contains(&((*info).si_addr() as u64));
            if let Some(trap) = trap_of(signal, guard.code.contains(&pc), registers) {
                let overflow = overflow && trap == Trap::MemoryFault;
                let trap = if overflow { Trap::StackOverflow } else { trap };
                guard.fault = Some(Fault { trap, pc, sp });
                registers[libc::REG_RIP as usize] = recover as *const () as i64;
                registers[libc::REG_RSP as usize] = guard.saved_sp as i64;
                // The direction flag is clear at a return.
                registers[libc::REG_EFL as usize] &= !0x400;
            } else {
                forward(signal, info, context);
            }
        }
    }
}

/// What a signal means that interrupted compiled code (`ours`) or what it called. An exhausted stack is a memory fault.
///
/// # Safety
/// The registers are those of the interrupted code, which can be read.
unsafe fn trap_of(signal: libc::c_int, ours: bool, registers: &[i64]) -> Option<Trap> {
    let pc = registers[libc::REG_RIP as usize] as *const u8;
    match signal {
        // SAFETY: `pc` is inside compiled code, which is readable, and its operands were just read by the processor.
        libc::SIGFPE if ours && !unsafe { divisor_is_zero(pc, registers) } => Some(Trap::IntOverflow),
        libc::SIGFPE => Some(Trap::DivByZero),
        libc::SIGILL => ours.then_some(Trap::Unreachable),
        _ => Some(Trap::MemoryFault),
    }
}

/// Hands a signal to the handler from before.
///
/// # Safety
/// The arguments are those of a signal handler.
unsafe fn forward(signal: libc::c_int, info: *mut libc::siginfo_t, context: &mut libc::ucontext_t) {
    let Some(k) = SIGNALS.iter().position(|s| *s == signal) else { return };
    // SAFETY: the handlers are installed after their predecessors were written, and nothing writes them again. The
    // predecessor is called as its flags say; the default is restored so that the signal strikes again.
    unsafe {
        let previous = PREVIOUS[k].assume_init_ref();
        match previous.sa_sigaction {
            libc::SIG_DFL | libc::SIG_IGN => {
                libc::sigaction(signal, previous, null_mut());
            }
            handler if previous.sa_flags & libc::SA_SIGINFO != 0 => {
                type Action = extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void);
                let handler = std::mem::transmute::<usize, Action>(handler);
                handler(signal, info, (context as *mut libc::ucontext_t).cast());
            }
            handler => std::mem::transmute::<usize, extern "C" fn(libc::c_int)>(handler)(signal),
        }
    }
}

/// A word of this thread's stack for compiled code; none where the address is not in it.
pub(super) fn read_own_stack(address: u64) -> Option<u64> {
    STACK.with_borrow(|stack| {
        let region = &stack.as_ref()?.0;
        let low = region.base() + STACK_GUARD as u64;
        let inside = address.is_multiple_of(8) && address >= low && address < region.base() + region.len() as u64;
        // SAFETY: the word is in the part of the region that is readable; no code runs on it now.
        inside.then(|| unsafe { *(address as *const u64) })
    })
}
