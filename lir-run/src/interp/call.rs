//! Calls: between LIR functions, and to C.
//!
//! A call whose callee is a LIR function of just this signature copies values from frame to frame. All others use the
//! ABI, so that they do the same as native code: calls of C and of variadic functions (whose `va_list` shows the
//! registers), and indirect calls whose signature differs from the function's.
//!
//! A C function may call back, on the same thread or on another one: see [`super::from_c`].

#![expect(unsafe_code, reason = "calls C")]

mod variadic;
mod wide;

use super::code::{ArgCode, CallCode, Callee, Code, ParamCode, ResultCode, ReturnCode};
use super::frame::{AbiResult, Frame, ReturnTo};
use super::interrupts;
use super::memory::{Access, raw};
use super::program::{Builtin, Program};
use super::stop::Stop;
use super::thread::Thread;
use crate::host::code::Caught;
use crate::host::guard;
use crate::host::guarded_call::Guarded;
use crate::host::native_call::{MAX_STACK_ARGS, NativeCall};
use crate::outside_call::{Arguments, eightbytes, result_word};
use lir_syntax::abi::{ArgLocation, Register, extend_argument};
use lir_syntax::ir::{EntityRef, FuncId};
use lir_syntax::printer::{print_sym, printed};
use lir_syntax::semantics::Trap;
use std::cell::Cell;

/// The location of stack arguments.
pub(super) enum StackArgs {
    /// In the frame of C.
    Host(u64),
    /// In this vector.
    Words(Vec<u64>),
}

/// Arguments in the form of the ABI.
pub(super) struct AbiArgs {
    pub(super) gpr: [u64; 6],
    pub(super) xmm: [u128; 8],
    pub(super) rax: u64,
    pub(super) stack: StackArgs,
}

impl From<Arguments> for AbiArgs {
    fn from(Arguments { gpr, xmm, rax, stack, .. }: Arguments) -> AbiArgs {
        AbiArgs { gpr, xmm, rax, stack: StackArgs::Words(stack) }
    }
}

impl AbiArgs {
    /// Reads the argument in a location.
    fn read(&self, place: ArgLocation, bytes: &mut [u8]) {
        match place {
            ArgLocation::Reg(r) => bytes.copy_from_slice(&self.word(r).to_le_bytes()[..8]),
            ArgLocation::Stack(offset) | ArgLocation::AggStack(offset) => self.read_stack(offset, bytes),
            ArgLocation::AggRegs(pieces) => {
                for (piece, r) in pieces.iter() {
                    let word = self.word(*r).to_le_bytes();
                    let n = piece.bytes as usize;
                    bytes[piece.offset as usize..][..n].copy_from_slice(&word[..n]);
                }
            }
            ArgLocation::Nowhere => {}
        }
    }
    fn word(&self, r: Register) -> u128 {
        match r {
            Register::Argument(k) => self.gpr[k as usize].into(),
            Register::Float(k) => self.xmm[k as usize],
            Register::Environment => self.rax.into(),
            Register::Result(_) => panic!("an argument is in an argument register"),
        }
    }
    fn read_stack(&self, offset: u64, bytes: &mut [u8]) {
        match &self.stack {
            // SAFETY: C passed the arguments that the function's type has, so this many bytes are in its frame.
            StackArgs::Host(at) => unsafe { raw::read_slice(at + offset, bytes) },
            StackArgs::Words(words) => {
                // Arguments begin with a word.
                let all = words.get(offset as usize / 8..).unwrap_or_default().iter().flat_map(|w| w.to_le_bytes());
                bytes.iter_mut().zip(all).for_each(|(to, from)| *to = from);
            }
        }
    }
}

/// The target of a call.
enum CallTarget {
    /// A function of the program that the call names.
    Function(FuncId),
    /// Code at an address: a function of the program, too, or one of C.
    Address(u64),
}

impl Thread {
    // ---- Out of a LIR function ----

    /// Makes the call of the top frame: pushes the callee's frame, or calls C.
    pub(super) fn call_site(&mut self, program: &Program, call: &CallCode) -> Result<(), Stop> {
        let caller = *self.frames.last().expect("a caller has a frame");
        if call.returns_twice {
            return Err(Stop::error("unsupported in the interpreter: a call of a function that returns twice"));
        }
        let address = match self.target(&caller, call) {
            CallTarget::Function(func) => return self.call_direct(program, caller, call, func),
            CallTarget::Address(address) => address,
        };
        if let Some(k) = program.thunks.find(address) {
            let func = FuncId::new(k);
            if agrees(call, program, func) {
                return self.call_direct(program, caller, call, func);
            }
            if self.world.options.strict && !(program.code(func).variadic.is_some() && begins_as(call, program, func)) {
                let name = printed(|out| print_sym(&program.module.decls, program.module.funcs[func].sym, out));
                return Err(Stop::error(format!("a call of {name} as a function of another type")));
            }
            let args = self.abi_args(program, caller, call)?;
            let ret = if call.noreturn { ReturnTo::Never } else { ReturnTo::AbiCall };
            return self.enter(program, func, args.into(), ret);
        }
        if self.world.options.strict && matches!(call.callee, Callee::Indirect(_)) {
            return Err(Stop::error("a call of an address that is no function of the program"));
        }
        if let Some(builtin) = program.builtin(address) {
            return self.call_builtin(program, caller, call, builtin);
        }
        if matches!(call.callee, Callee::Indirect(_)) && !self.is_code(address) {
            return Err(Stop::Trap(Trap::MemoryFault));
        }
        self.call_native(program, caller, call, address)
    }

    /// Returns the function of the program that the top frame is about to call as it is declared, with its address.
    pub(super) fn callee_in_program(&self, program: &Program, call: &CallCode) -> Option<(FuncId, u64)> {
        let address = match self.target(self.frames.last()?, call) {
            CallTarget::Function(func) => return Some((func, 0)),
            CallTarget::Address(address) => address,
        };
        let func = FuncId::new(program.thunks.find(address)?);
        agrees(call, program, func).then_some((func, address))
    }
    /// True if the top frame is at a call of a function that never returns, by its declaration or by C's.
    pub(super) fn calls_a_function_that_never_returns(&self, program: &Program) -> bool {
        let Some(caller) = self.frames.last() else { return false };
        let code = program.code(caller.func);
        let of_inst =
            (caller.pc as usize..).take_while(|k| code.origin.get(*k) == Some(&code.origin[caller.pc as usize]));
        let call = of_inst.map(|k| code.ops[k]).find(|op| op.code == Code::Call);
        call.is_some_and(|op| {
            let call = &code.calls[op.imm as usize];
            call.noreturn
                || matches!(self.target(caller, call), CallTarget::Address(address) if program.is_ending(address))
        })
    }
    /// Returns the target of a call in a frame.
    #[inline]
    fn target(&self, caller: &Frame, call: &CallCode) -> CallTarget {
        match call.callee {
            Callee::Direct(func) => CallTarget::Function(func),
            Callee::Address(address) => CallTarget::Address(address),
            Callee::Indirect(slot) => CallTarget::Address(self.slots[caller.base + slot as usize]),
        }
    }
    fn is_code(&mut self, address: u64) -> bool {
        if !self.known_code.contains(&address) {
            if !raw::is_executable(address) {
                return false;
            }
            self.known_code.insert(address);
        }
        true
    }

    fn call_direct(&mut self, program: &Program, caller: Frame, call: &CallCode, func: FuncId) -> Result<(), Stop> {
        if call.jumps {
            return self.jump(program, caller, call, func);
        }
        let ret = match call.result {
            _ if call.noreturn => ReturnTo::Never,
            ResultCode::None => ReturnTo::Slot(super::code::NO_SLOT),
            ResultCode::Scalar(_, slot) => ReturnTo::Slot(slot),
            ResultCode::Wide(slots) => ReturnTo::Halves(slots),
            ResultCode::Agg { mem, size, .. } => {
                ReturnTo::Memory(self.context(program, caller).address(mem as usize, size, Access::Write)?)
            }
        };
        let callee = self.push_frame(program, func, ret)?;
        if let Err(stop) = self.pass_arguments(program, caller, callee, call) {
            // The failure belongs to the caller.
            self.pop_frame();
            return Err(stop);
        }
        Ok(())
    }

    /// Replaces the top frame by a frame of the callee, which returns to the caller of the caller.
    fn jump(&mut self, program: &Program, caller: Frame, call: &CallCode, func: FuncId) -> Result<(), Stop> {
        let args = self.abi_args(program, caller, call)?;
        let claims = self.memory.claims.take(caller.base);
        let limits = self.memory.limits.take(caller.base);
        self.pop_frame();
        self.enter(program, func, args.into(), if call.noreturn { ReturnTo::Never } else { caller.ret })?;
        let callee = self.frames.last_mut().expect("the callee has a frame");
        callee.hidden = caller.hidden;
        self.memory.claims.give(claims, callee.base);
        self.memory.limits.give(limits, callee.base);
        Ok(())
    }

    fn pass_arguments(&mut self, program: &Program, caller: Frame, callee: Frame, call: &CallCode) -> Result<(), Stop> {
        for (arg, param) in call.args.iter().zip(&program.code(callee.func).params) {
            match (*arg, *param) {
                (ArgCode::Scalar { slot: from, .. }, ParamCode::Scalar { slot, .. }) => {
                    self.slots[callee.base + slot as usize] = self.slots[caller.base + from as usize];
                }
                (ArgCode::Agg { mem, size, .. }, ParamCode::Agg { offset, .. }) => {
                    let src = self.context(program, caller).address(mem as usize, size, Access::Read)?;
                    self.memory.copy_in(callee.memory + offset, src, size)?;
                }
                (ArgCode::Wide { slots: from, .. }, ParamCode::Wide { slots, .. }) => {
                    for (from, to) in from.into_iter().zip(slots) {
                        self.slots[callee.base + to as usize] = self.slots[caller.base + from as usize];
                    }
                }
                (ArgCode::Scalar { .. } | ArgCode::Agg { .. } | ArgCode::Wide { .. }, _) => {
                    panic!("the call agrees with the signature")
                }
            }
        }
        Ok(())
    }

    /// Returns the arguments of a call, as the ABI passes them.
    fn abi_args(&mut self, program: &Program, caller: Frame, call: &CallCode) -> Result<Arguments, Stop> {
        if call.stack_bytes > MAX_STACK_ARGS {
            return Err(Stop::Trap(Trap::StackOverflow));
        }
        let stack = vec![0u64; call.stack_bytes as usize / 8];
        let rax = u64::from(call.vector_count);
        let mut words = Arguments { gpr: [0; 6], xmm: [0; 8], stack, stack_align: call.stack_align, rax };
        if let ResultCode::Agg { mem, size, regs: None } = call.result {
            words.gpr[0] = self.context(program, caller).address(mem as usize, size, Access::Write)?;
        }
        for arg in &call.args {
            match *arg {
                ArgCode::Scalar { slot, ty, ext, place } => {
                    let bits = extend_argument(ty, ext, self.slots[caller.base + slot as usize]);
                    words.put(place, [bits].into_iter());
                }
                ArgCode::Wide { slots, place } => {
                    words.put(place, slots.map(|slot| self.slots[caller.base + slot as usize]).into_iter());
                }
                ArgCode::Agg { mem, size, place } => {
                    let src = self.context(program, caller).address(mem as usize, size, Access::Read)?;
                    let mut bytes = vec![0; size as usize];
                    self.memory.read_bytes(src, &mut bytes)?;
                    words.put(place, eightbytes(&bytes));
                }
            }
        }
        Ok(words)
    }

    fn call_native(&mut self, program: &Program, caller: Frame, call: &CallCode, address: u64) -> Result<(), Stop> {
        let args = self.abi_args(program, caller, call)?;
        let mut native = NativeCall::new(address, &args.stack, args.stack_align);
        (native.gpr, native.xmm, native.rax_before) = (args.gpr, args.xmm, args.rax);
        let in_vectors = args.xmm.into_iter().flat_map(|bits| [bits as u64, (bits >> 64) as u64]);
        self.memory.give_to_c(args.gpr.into_iter().chain(in_vectors).chain(args.stack.iter().copied()));
        self.let_signals_in()?;
        // SAFETY: the address is a C function (found by name, or code of the process whose address the program has),
        // and the arguments are as the module declares it; a module that declares it falsely, or makes C write where it
        // must not, is as undefined here as in native code.
        unsafe {
            if program.is_ending(address) {
                self.leave_for_good(&mut native);
            } else {
                self.call_c(&mut native)?;
            }
        }
        if call.noreturn {
            return Err(Stop::Trap(Trap::Unreachable));
        }
        let result = AbiResult { gpr: [native.rax, native.rdx], xmm: native.xmm_results };
        self.deliver(program, call, result)
    }

    /// Calls C without the lock. A trap in C is returned as one of the program.
    ///
    /// # Safety
    /// As for [`NativeCall::invoke`]; the thread is not used meanwhile.
    unsafe fn call_c(&mut self, call: &mut NativeCall<'_>) -> Result<(), Stop> {
        self.memory.claims.note_c()?;
        self.memory.sets.forget();
        let guarded = Guarded { code: None, entry: 0, run: None, stay: true };
        // SAFETY: promised by the caller; the world has the handlers. While C calls back, the guard is suspended.
        let ended = self.while_in_c(|| unsafe { guarded.run(call) })?;
        match ended.map(|ended| (ended.caught, ended.panic)) {
            Ok((None, _)) => self.check_others(),
            Ok((Some(Caught { trap, .. }), panic)) => {
                self.panic = panic;
                Err(Stop::TrapInC(trap))
            }
            Err(e) => Err(Stop::error(format!("cannot call C: {e}"))),
        }
    }
    /// Calls `act` without the lock, while C may call back to this thread; not if a handler of a signal that was noted
    /// just before fails.
    fn while_in_c<T>(&mut self, act: impl FnOnce() -> T) -> Result<T, Stop> {
        let on_call_from_c = self.world.on_call_from_c;
        self.leave_lir();
        let outer = CURRENT.get();
        let calling = Calling { id: self.world.id, thread: std::ptr::from_mut(self).cast(), outer };
        CURRENT.set(&calling);
        let in_c = interrupts::executing(false);
        interrupts::deliver(on_call_from_c);
        // SAFETY: the pointer was made just now, and no handler uses the thread any more.
        let has_failed = unsafe { (*calling.thread.cast::<Thread>()).pending.is_some() };
        let result = if has_failed { None } else { Some(act()) };
        interrupts::deliver(on_call_from_c);
        drop(in_c);
        CURRENT.set(outer);
        self.enter_lir();
        match self.pending.take() {
            Some(failure) => Err(self.surfaced(failure)),
            None => Ok(result.expect("nothing has failed")),
        }
    }
    /// Executes the handlers of signals that wait on this thread.
    pub(super) fn let_signals_in(&mut self) -> Result<(), Stop> {
        if !interrupts::are_waiting() {
            return Ok(());
        }
        if interrupts::has_called_from_c() {
            return Err(Stop::error(
                "unsupported in the interpreter: a signal handler in C calls a function of the program",
            ));
        }
        self.while_in_c(|| ())
    }
    /// Calls a C function that ends the thread, or the process.
    ///
    /// # Safety
    /// As for [`Thread::call_c`].
    unsafe fn leave_for_good(&mut self, call: &mut NativeCall<'_>) {
        self.leave_lir_for_good();
        CURRENT.set(std::ptr::null());
        guard::abandon();
        let _in_c = interrupts::executing(false);
        // SAFETY: promised by the caller.
        unsafe { call.invoke() };
        self.enter_lir();
    }

    /// Gives the top frame the result of its call, as the ABI returned it.
    fn deliver(&mut self, program: &Program, call: &CallCode, result: AbiResult) -> Result<(), Stop> {
        let frame = *self.frames.last().expect("a caller has a frame");
        match call.result {
            ResultCode::Scalar(ty, slot) if slot != super::code::NO_SLOT => {
                let bits = if ty.is_float() { result.xmm[0] as u64 } else { result.gpr[0] };
                self.slots[frame.base + slot as usize] = ty.as_word().truncate(bits);
            }
            ResultCode::Agg { mem, size, regs: Some(pieces) } => {
                let dst = self.context(program, frame).address(mem as usize, size, Access::Write)?;
                for (piece, r) in pieces.iter() {
                    let word = result_word(*r, result.gpr, result.xmm).to_le_bytes();
                    self.memory.write_bytes(dst + u64::from(piece.offset), &word[..piece.bytes as usize])?;
                }
            }
            ResultCode::Wide(slots) => self.set_halves(frame, slots, result.gpr),
            ResultCode::None | ResultCode::Scalar(..) | ResultCode::Agg { regs: None, .. } => {}
        }
        Ok(())
    }

    // ---- The malloc family ----

    fn call_builtin(
        &mut self,
        program: &Program,
        caller: Frame,
        call: &CallCode,
        builtin: Builtin,
    ) -> Result<(), Stop> {
        let Arguments { gpr: [a, b, c, ..], .. } = self.abi_args(program, caller, call)?;
        let result = self.builtin_result(builtin, [a, b, c])?;
        self.deliver(program, call, AbiResult { gpr: [result, 0], xmm: [0; 2] })
    }
    /// Calls a function of the malloc family. If that is an error, it has no effect.
    pub(super) fn builtin_result(&mut self, builtin: Builtin, [a, b, c]: [u64; 3]) -> Result<u64, Stop> {
        let ours = self.memory.is_region(a);
        if matches!(builtin, Builtin::Free | Builtin::Realloc | Builtin::ReallocArray) {
            self.memory.forget_accesses();
        }
        let heap = &mut self.memory.shared.heap;
        Ok(match builtin {
            Builtin::Malloc => heap.allocate(a, 16),
            Builtin::Calloc => heap.allocate_zeroed(a, b),
            Builtin::Realloc => heap.reallocate(a, b, ours)?,
            Builtin::ReallocArray => match b.checked_mul(c) {
                Some(size) => heap.reallocate(a, size, ours)?,
                None => 0,
            },
            Builtin::Free => {
                heap.free(a, ours)?;
                0
            }
            Builtin::AlignedAlloc if a.is_power_of_two() => heap.allocate(b, a),
            Builtin::AlignedAlloc => 0,
            Builtin::PosixMemalign if b.is_power_of_two() && b >= 8 => match heap.allocate(c, b) {
                0 => libc::ENOMEM as u64,
                block => {
                    self.memory.write(a, 8, block)?;
                    self.memory.note_write(a, 8);
                    0
                }
            },
            Builtin::PosixMemalign => libc::EINVAL as u64,
        })
    }

    // ---- Into a LIR function through the ABI ----

    /// Pushes a frame for a function with these arguments.
    pub(super) fn enter(&mut self, program: &Program, func: FuncId, args: AbiArgs, ret: ReturnTo) -> Result<(), Stop> {
        let code = program.code(func);
        let frame = self.push_frame(program, func, ret)?;
        let top = self.frames.len() - 1;
        self.frames[top].hidden = args.gpr[0];
        for param in &code.params {
            match *param {
                ParamCode::Scalar { slot, ty, place } => {
                    let mut bytes = [0; 8];
                    args.read(place, &mut bytes);
                    self.slots[frame.base + slot as usize] = ty.as_word().truncate(u64::from_le_bytes(bytes));
                }
                ParamCode::Wide { slots, place } => {
                    let mut halves = [0; 16];
                    args.read(place, &mut halves);
                    let value = u128::from_le_bytes(halves);
                    self.set_halves(frame, slots, [value as u64, (value >> 64) as u64]);
                }
                ParamCode::Agg { offset, size, place } => {
                    let mut bytes = vec![0; size as usize];
                    args.read(place, &mut bytes);
                    self.memory.write_reserved(frame.memory + offset, &bytes);
                }
            }
        }
        if let Some(start) = code.variadic {
            self.save_registers(&args, start)?;
        }
        Ok(())
    }

    /// Pushes the first frame of a run.
    pub(super) fn enter_from_outside(
        &mut self,
        program: &Program,
        func: FuncId,
        arguments: Arguments,
    ) -> Result<(), Stop> {
        self.enter(program, func, arguments.into(), ReturnTo::Host)
    }

    pub(super) fn reserve_object(&mut self, bytes: &[u8], align: u64) -> Result<u64, Stop> {
        let at = self.memory.reserve(bytes.len() as u64, align)?;
        self.memory.add_object(at, bytes.len() as u64);
        self.memory.write_reserved(at, bytes);
        Ok(at)
    }

    // ---- Returning ----

    /// Returns a scalar, or nothing, from the top frame.
    pub(super) fn return_scalar(&mut self, program: &Program, bits: u64) -> Result<(), Stop> {
        let frame = self.pop_frame();
        match frame.ret {
            ReturnTo::Slot(slot) => {
                if slot != super::code::NO_SLOT {
                    let caller = self.frames.last().expect("a caller has a frame");
                    self.slots[caller.base + slot as usize] = bits;
                }
                Ok(())
            }
            ReturnTo::Memory(_) | ReturnTo::Halves(_) => panic!("the result is of the type that is expected"),
            ReturnTo::Never => Err(Stop::Trap(Trap::Unreachable)),
            ReturnTo::AbiCall | ReturnTo::Host => {
                let mut result = AbiResult::default();
                if let ReturnCode::Scalar(ty, ext) = program.code(frame.func).result {
                    let bits = extend_argument(ty, ext, bits);
                    if ty.is_float() { result.xmm[0] = bits.into() } else { result.gpr[0] = bits }
                }
                self.finish(program, frame, result)
            }
        }
    }

    /// Returns the aggregate at a memory operand from the top frame.
    pub(super) fn return_aggregate(&mut self, program: &Program, mem: usize) -> Result<(), Stop> {
        let frame = *self.frames.last().expect("a callee has a frame");
        let ReturnCode::Agg { size, regs } = program.code(frame.func).result else {
            panic!("the result agrees with the signature")
        };
        let src = self.context(program, frame).address(mem, size, Access::Read)?;
        let mut result = AbiResult::default();
        match (frame.ret, regs) {
            (ReturnTo::Never, _) => {}
            (ReturnTo::Memory(dst), _) => self.memory.copy(dst, src, size)?,
            (_, None) => {
                self.memory.copy(frame.hidden, src, size)?;
                result.gpr[0] = frame.hidden;
            }
            (_, Some(pieces)) => {
                let mut bytes = [0; 16];
                self.memory.read_bytes(src, &mut bytes[..size as usize])?;
                for (piece, r) in pieces.iter() {
                    let mut bits = [0; 16];
                    let n = piece.bytes as usize;
                    bits[..n].copy_from_slice(&bytes[piece.offset as usize..][..n]);
                    result.set(*r, u128::from_le_bytes(bits));
                }
            }
        }
        self.pop_frame();
        match frame.ret {
            ReturnTo::Never => Err(Stop::Trap(Trap::Unreachable)),
            ReturnTo::AbiCall | ReturnTo::Host => self.finish(program, frame, result),
            ReturnTo::Memory(_) | ReturnTo::Slot(_) | ReturnTo::Halves(_) => Ok(()),
        }
    }

    fn finish(&mut self, program: &Program, callee: Frame, result: AbiResult) -> Result<(), Stop> {
        if callee.ret == ReturnTo::Host {
            self.result = result;
            return Ok(());
        }
        let caller = *self.frames.last().expect("a caller has a frame");
        let code = program.code(caller.func);
        let call = &code.calls[code.ops[caller.pc as usize - 1].imm as usize];
        self.deliver(program, call, result)
    }
}

/// A call of C that runs on this thread.
struct Calling {
    /// The number of its world.
    id: u32,
    thread: *mut (),
    /// The call of C around it.
    outer: *const Calling,
}

thread_local! {
    /// The innermost call of C.
    static CURRENT: Cell<*const Calling> = const { Cell::new(std::ptr::null()) };
}

/// Returns the thread that called C from a world's innermost frame on this thread.
pub(super) fn calling(id: u32) -> Option<*mut Thread> {
    let mut at = CURRENT.get();
    // SAFETY: the calls of the chain are in frames of `call_c` on this thread, which wait for C to return. Those that
    // never will are taken off first (`leave_for_good`).
    while let Some(calling) = unsafe { at.as_ref() } {
        if calling.id == id {
            return Some(calling.thread.cast());
        }
        at = calling.outer;
    }
    None
}

/// True if a call passes exactly a function's parameters and expects its result. Nothing depends on the ABI then.
fn agrees(call: &CallCode, program: &Program, func: FuncId) -> bool {
    let code = program.code(func);
    code.variadic.is_none() && call.args.len() == code.params.len() && begins_as(call, program, func)
}

/// True if a call passes a function's parameters, perhaps more, and expects its result.
fn begins_as(call: &CallCode, program: &Program, func: FuncId) -> bool {
    let code = program.code(func);
    let result = match (call.result, code.result) {
        (ResultCode::None, ReturnCode::None | ReturnCode::Scalar(..) | ReturnCode::Wide) => true,
        (ResultCode::Wide(_), ReturnCode::Wide) => true,
        (ResultCode::Scalar(a, _), ReturnCode::Scalar(b, _)) => a == b,
        (ResultCode::Agg { size: a, regs: x, .. }, ReturnCode::Agg { size: b, regs: y }) => a == b && x == y,
        _ => false,
    };
    let param = |(a, p): (&ArgCode, &ParamCode)| match (*a, *p) {
        (ArgCode::Scalar { ty: a, place: x, .. }, ParamCode::Scalar { ty: b, place: y, .. }) => a == b && x == y,
        (ArgCode::Wide { place: x, .. }, ParamCode::Wide { place: y, .. }) => x == y,
        (ArgCode::Agg { size: a, place: x, .. }, ParamCode::Agg { size: b, place: y, .. }) => a == b && x == y,
        _ => false,
    };
    result && call.args.len() >= code.params.len() && call.args.iter().zip(&code.params).all(param)
}
