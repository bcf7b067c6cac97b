//! Calls from C: finds the thread of the program for the calling thread, and runs the function on it.
//!
//! A thread that C started becomes a [`Thread`] when it first calls a LIR function and is one until it ends.
//!
//! Handlers of signals are called from C, too: see [`interrupts`].

#![expect(unsafe_code, reason = "is called by C, and finds threads by their addresses")]

use super::call::{AbiArgs, StackArgs, calling};
use super::frame::ReturnTo;
use super::interrupts::{self, Decision, NATIVE_RESERVE};
use super::memory::raw;
use super::stop::{Failure, Stop};
use super::thread::{Thread, worlds};
use crate::host::guard;
use crate::host::native_call::IncomingCall;
use lir_syntax::ir::{EntityRef, FuncId};
use lir_syntax::semantics::Trap;
use std::cell::RefCell;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};

impl Thread {
    /// Handles a call from C, on this thread.
    fn call_from_c(&mut self, incoming: &mut IncomingCall) {
        self.enter_lir();
        if self.pending.is_none()
            && self.memory.shared.failure.is_none()
            && let Err(failure) = self.run_call_from_c(incoming)
        {
            if self.is_first {
                self.pending = Some(failure);
            } else {
                self.world.fail(&mut self.memory.shared, failure);
            }
        }
        self.leave_lir();
    }
    /// Runs the function of a call from C.
    fn run_call_from_c(&mut self, incoming: &mut IncomingCall) -> Result<(), Failure> {
        let world = Arc::clone(&self.world);
        let program = &world.program;
        let floor = self.frames.len();
        let func = FuncId::new(incoming.thunk as usize);
        let IncomingCall { gpr, xmm, rax_before: rax, stack, .. } = *incoming;
        let args = AbiArgs { gpr, xmm, rax, stack: StackArgs::Host(stack) };
        let entered = if self.native_stack_left() < NATIVE_RESERVE {
            Err(Stop::Trap(Trap::StackOverflow))
        } else {
            self.enter(program, func, args, ReturnTo::Host)
        };
        if let Err(stop) = entered {
            let at = if self.frames.is_empty() { program.entry_of(func) } else { self.location(program) };
            self.unwind(floor);
            return Err(Failure { stop, at });
        }
        // The limits of the calls below are about their own accesses, and C may call handlers of anything.
        let limits = std::mem::take(&mut self.memory.limits);
        let ended = match world.runner.get() {
            Some(run) => run(self, floor),
            None => self.run(floor),
        };
        self.memory.limits = limits;
        ended?;
        [incoming.rax, incoming.rdx] = self.result.gpr;
        incoming.xmm_results = self.result.xmm;
        Ok(())
    }
    /// Bytes of the native stack below the caller. Very many if they are unknown, or the program has switched stacks.
    fn native_stack_left(&mut self) -> u64 {
        let stack = *self.native_stack.get_or_insert_with(|| raw::native_stack().unwrap_or_default());
        let here = raw::native_frame();
        if stack.contains(here, 1) { here - stack.start } else { u64::MAX }
    }
}

/// Threads that C started: by world, the program's thread for the calling one. They end with it.
struct Attached(Vec<(u32, *mut Thread)>);

impl Drop for Attached {
    fn drop(&mut self) {
        let executing = interrupts::executing(true);
        for (_, thread) in self.0.drain(..) {
            // SAFETY: the pointer comes from a box, and nothing else drops it.
            drop(unsafe { Box::from_raw(thread) });
        }
        drop(executing);
        interrupts::deliver(on_call_from_c);
    }
}

thread_local! {
    static ATTACHED: RefCell<Attached> = const { RefCell::new(Attached(Vec::new())) };
}

/// Handles calls of thunks.
pub(super) extern "C" fn on_call_from_c(incoming: &mut IncomingCall) {
    match interrupts::decide(incoming, calling(incoming.tag).is_some()) {
        Decision::Execute => {}
        Decision::Done => return,
        Decision::SendElsewhere(signal) if interrupts::send_to_first(incoming.tag, &signal) => return,
        Decision::SendElsewhere(_) => {}
    }
    let _guard = guard::suspend();
    let executing = interrupts::executing(true);
    call(incoming);
    drop(executing);
    interrupts::deliver(on_call_from_c);
}

/// Finds the thread of the program for the calling thread, and runs the function.
fn call(incoming: &mut IncomingCall) {
    let id = incoming.tag;
    let known = || ATTACHED.try_with(|a| a.borrow().0.iter().find(|(of, _)| *of == id).map(|(_, thread)| *thread));
    if let Some(thread) = calling(id).or_else(|| known().ok().flatten()) {
        // SAFETY: either the pointer was made in `call_c` from the exclusive reference of a thread which is waiting
        // there for C to return and uses nothing of itself meanwhile; each level of nesting borrows from the one below.
        // Or it is attached to this thread alone, and no frame below uses it.
        unsafe { (*thread).call_from_c(incoming) };
        return;
    }
    let Some(world) = worlds().get(&id).and_then(Weak::upgrade) else { return };
    if world.first.is_this() {
        let left = world.left.load(Ordering::Acquire);
        if !left.is_null() {
            // SAFETY: the thread never returns from C, is in a frame or in memory that stays, and nothing else uses it:
            // each level of nesting borrows from the one below.
            unsafe { (*left).call_from_c(incoming) };
        }
        // Otherwise it is a call between two runs, and belongs to no run.
        return;
    }
    let Some(thread) = Thread::attach(world, FuncId::new(incoming.thunk as usize)) else { return };
    let thread = Box::into_raw(Box::new(thread));
    // Thread-locals may be destroyed already, when C runs its own destructors.
    let kept = ATTACHED.try_with(|a| a.borrow_mut().0.push((id, thread))).is_ok();
    // SAFETY: the box was just made. It is dropped here or by `Attached`.
    unsafe {
        (*thread).call_from_c(incoming);
        if !kept {
            drop(Box::from_raw(thread));
        }
    }
}
