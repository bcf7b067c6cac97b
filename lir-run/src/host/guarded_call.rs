//! Runs code so that a trap is returned as a value.
//!
//! [`Guarded::run`] switches to a stack of the thread's own and calls. A trap is a hardware fault: the signal handler
//! ([`signals`](super::signals)) calls [`catch`], which notes the trap and its position, and resumes at [`recover`]
//! with the stack pointer from before the call, which returns into `run` as if the code had. Frames in between, of
//! compiled and of C code, are forgotten; no Rust frame is among them.
//!
//! If compiled code called C, a fault in C is caught as well ([`explain`](super::explain)), and so is an exception that
//! leaves C ([`exceptions`](super::exceptions)). The interpreter guards its calls of C likewise, and suspends the guard
//! ([`suspend`](super::guard::suspend)) while C calls back.
//!
//! Source: the scheme of Wasmtime's `traphandlers` (setjmp, longjmp), with the jump written out.

#![expect(unsafe_code, reason = "switches stacks, and makes interrupted code resume elsewhere")]

use super::code::{Caught, CompiledCode, Fault};
use super::explain::explain;
use super::guard::{CURRENT, Guard, Run};
use super::native_call::NativeCall;
use super::waiting_calls::WaitingCalls;
use super::{exceptions, other_threads, stacks};
use lir_syntax::semantics::Trap;
use std::any::Any;
use std::arch::naked_asm;
use std::cell::OnceCell;
use std::io;
use std::sync::Arc;

/// Makes calls.
pub(crate) struct Guarded<'g> {
    /// The compiled code that is called; none for C alone.
    pub(crate) code: Option<&'g Arc<dyn CompiledCode>>,
    /// The address of a function in the code: the position of a trap if nothing else is known.
    pub(crate) entry: u64,
    /// The run that the call is a part of, for threads that the program started.
    pub(crate) run: Option<&'g Arc<Run>>,
    /// True to stay on the present stack.
    pub(crate) stay: bool,
}

/// The ending of a guarded call.
pub(crate) struct Ended {
    /// The trap that ended it, if one did.
    pub(crate) caught: Option<Caught>,
    /// The calls that waited.
    pub(crate) callers: WaitingCalls,
    /// The run of this call, if threads needed to know it. It has not ended for them.
    pub(crate) run: Option<Arc<Run>>,
    /// The payload of the panic that ended it, if one did: the trap is [`Trap::Exception`] then.
    pub(crate) panic: Option<Box<dyn Any + Send>>,
}

impl Guarded<'_> {
    /// Makes a call.
    ///
    /// # Errors
    /// There is no memory for a stack.
    ///
    /// # Safety
    /// As for [`NativeCall::invoke`]. The handlers are installed; and neither the code nor its callees may hold Rust
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
        let code = self.code.map_or(std::ptr::null(), std::ptr::from_ref);
        let part_of = self.run.map_or(std::ptr::null(), std::ptr::from_ref);
        let run = OnceCell::new();
        let entry = self.entry;
        let mut guard = Guard {
            saved_sp: 0,
            stack_top,
            overflow,
            code,
            entry,
            part_of,
            run,
            caught: None,
            callers: WaitingCalls::none(),
        };
        let guard_ptr: *mut Guard = &mut guard;
        CURRENT.set(guard_ptr);
        // SAFETY: `guard_ptr` is valid until after the call; `call` is as the caller promises. A fault resumes in
        // `recover`, which returns here with all callee-saved registers as `enter` saved them.
        unsafe { enter(guard_ptr, (call as *mut NativeCall<'_>).cast()) };
        CURRENT.set(outer);
        // SAFETY: the handler wrote through the pointer that was published in `CURRENT`; read through the same one.
        let (caught, callers) = unsafe { ((*guard_ptr).caught, (*guard_ptr).callers) };
        if stack_top != 0 && caught.is_some_and(|c| c.trap == Trap::StackOverflow) {
            stacks::discard_code_stack();
        }
        // SAFETY: the frame of the call kept the exception, for this code alone.
        let panic = if call.thrown == 0 { None } else { unsafe { exceptions::dispose(call.thrown as *mut _) } };
        Ok(Ended { caught, callers, run: guard.run.into_inner(), panic })
    }
}

/// Returns the code that runs on this thread, its called function, and the outer run.
pub(super) fn current() -> Option<(Arc<dyn CompiledCode>, u64, Arc<Run>)> {
    // SAFETY: the guard belongs to a `run` of this thread, which is below the caller and uses nothing of it meanwhile.
    let guard = unsafe { CURRENT.get().as_ref() }?;
    // SAFETY: the code lives longer than the run.
    let code = unsafe { guard.code.as_ref() }?;
    // SAFETY: so does the run that this one is a part of.
    let run = unsafe { guard.part_of.as_ref() }.unwrap_or_else(|| guard.run.get_or_init(Arc::default));
    Some((Arc::clone(code), guard.entry, Arc::clone(run)))
}

/// Calls through the stack of the guard in rdi, with rsi as the argument.
///
/// Debuggers use its call frame information to find the callers on the previous stack: rbp keeps the stack pointer. gdb
/// takes only callers at higher addresses, as they are where a thread got its own stack first. Exceptions do not reach
/// this frame: they end at the trampoline of [`NativeCall`], since the frames around it are not to be unwound.
#[unsafe(naked)]
unsafe extern "C" fn enter(guard: *mut Guard, call: *mut libc::c_void) {
    naked_asm!(
        ".cfi_startproc",
        "push rbp",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset rbp, -16",
        "push rbx",
        ".cfi_def_cfa_offset 24",
        ".cfi_offset rbx, -24",
        "push r12",
        ".cfi_def_cfa_offset 32",
        ".cfi_offset r12, -32",
        "push r13",
        ".cfi_def_cfa_offset 40",
        ".cfi_offset r13, -40",
        "push r14",
        ".cfi_def_cfa_offset 48",
        ".cfi_offset r14, -48",
        "push r15",
        ".cfi_def_cfa_offset 56",
        ".cfi_offset r15, -56",
        "sub rsp, 8",
        ".cfi_def_cfa_offset 64",
        "stmxcsr [rsp]",
        "fnstcw [rsp + 4]",
        "mov [rdi], rsp",
        "mov rbp, rsp",
        ".cfi_def_cfa_register rbp",
        "mov rax, [rdi + 8]",
        "test rax, rax",
        "cmovnz rsp, rax",
        "mov rdi, rsi",
        "call {invoke}",
        "mov rsp, rbp",
        "jmp {leave}",
        ".cfi_endproc",
        invoke = sym invoke,
        leave = sym leave,
    )
}

/// The place where the handler resumes after a fault, with rsp as [`enter`] saved it. The interrupted code may have
/// been computing with the x87 stack, or with another rounding: the host's state is restored.
#[unsafe(naked)]
unsafe extern "C" fn recover() {
    naked_asm!(
        ".cfi_startproc",
        ".cfi_def_cfa_offset 64",
        ".cfi_offset rbp, -16",
        ".cfi_offset rbx, -24",
        ".cfi_offset r12, -32",
        ".cfi_offset r13, -40",
        ".cfi_offset r14, -48",
        ".cfi_offset r15, -56",
        "fninit",
        "fldcw [rsp + 4]",
        "ldmxcsr [rsp]",
        "jmp {leave}",
        ".cfi_endproc",
        leave = sym leave,
    )
}

/// The end of [`enter`], with rsp as `enter` saved it.
#[unsafe(naked)]
unsafe extern "C" fn leave() {
    naked_asm!(
        ".cfi_startproc",
        ".cfi_def_cfa_offset 64",
        ".cfi_offset rbp, -16",
        ".cfi_offset rbx, -24",
        ".cfi_offset r12, -32",
        ".cfi_offset r13, -40",
        ".cfi_offset r14, -48",
        ".cfi_offset r15, -56",
        "add rsp, 8",
        ".cfi_def_cfa_offset 56",
        "pop r15",
        ".cfi_def_cfa_offset 48",
        ".cfi_restore r15",
        "pop r14",
        ".cfi_def_cfa_offset 40",
        ".cfi_restore r14",
        "pop r13",
        ".cfi_def_cfa_offset 32",
        ".cfi_restore r13",
        "pop r12",
        ".cfi_def_cfa_offset 24",
        ".cfi_restore r12",
        "pop rbx",
        ".cfi_def_cfa_offset 16",
        ".cfi_restore rbx",
        "pop rbp",
        ".cfi_def_cfa_offset 8",
        ".cfi_restore rbp",
        "ret",
        ".cfi_endproc",
    )
}

extern "C" fn invoke(call: *mut NativeCall<'_>) {
    // SAFETY: called by `enter` alone, with the pointer that `run` made from a reference; `run`'s caller promises the
    // rest.
    unsafe { (*call).invoke() }
}

/// Makes the interrupted code resume at [`recover`], if the signal is a trap. Returns true if it is. Called by the
/// signal handler during a run.
pub(super) fn catch(fault: &Fault) -> bool {
    // SAFETY: the guard belongs to a `run` of this thread that the signal interrupted; nothing else uses it now.
    let guard = unsafe { &mut *CURRENT.get() };
    // SAFETY: the code lives longer than the run.
    let code = unsafe { guard.code.as_ref() }.map(|code| &**code);
    // SAFETY: so does the run that this one is a part of.
    let part_of = unsafe { guard.part_of.as_ref() };
    if code.zip(part_of).is_some_and(|(code, run)| run.leaves_to_host(code)) {
        return false;
    }
    let Some(caught) = explain(fault, code, &guard.overflow, Some(guard.entry)) else { return false };
    if let Some(code) = code {
        guard.callers = WaitingCalls::find(fault, code, &caught, guard.stack_top);
        if caught.outside && code.is_of_tool() {
            other_threads::end(code, &caught, &guard.callers);
        }
    }
    guard.caught = Some(caught);
    // SAFETY: the registers belong to the interrupted code, which never continues; `recover` needs only the data that
    // `enter` saved. The direction flag is clear at a return.
    unsafe {
        let registers = &mut *fault.registers;
        registers[libc::REG_RIP as usize] = recover as *const () as i64;
        registers[libc::REG_RSP as usize] = guard.saved_sp as i64;
        registers[libc::REG_EFL as usize] &= !0x400;
    }
    true
}
