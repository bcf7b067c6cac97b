//! Finds the trap of a fault in compiled code by the code's side table
//! ([`TrapSite`](lir_llc::code::TrapSite)).
//!
//! The hardware has one fault for a divisor of 0 and for a quotient that does not fit; the table has the location of
//! the divisor.

use crate::host::code::Fault;
use lir_llc::code::{Divisor, Position, Reloc, RelocTarget, TrapCause};
use lir_syntax::ir::{Function, Inst, Opcode, Reg, Word};
use lir_syntax::semantics::Trap;

/// General registers by the numbers that encodings use, as indices into the saved registers.
const GREGS: [libc::c_int; 16] = [
    libc::REG_RAX,
    libc::REG_RCX,
    libc::REG_RDX,
    libc::REG_RBX,
    libc::REG_RSP,
    libc::REG_RBP,
    libc::REG_RSI,
    libc::REG_RDI,
    libc::REG_R8,
    libc::REG_R9,
    libc::REG_R10,
    libc::REG_R11,
    libc::REG_R12,
    libc::REG_R13,
    libc::REG_R14,
    libc::REG_R15,
];

/// Returns the trap of a fault at a table entry with this cause; none if the fault is another one.
pub(super) fn trap_of(cause: TrapCause, fault: &Fault) -> Option<Trap> {
    match cause {
        TrapCause::Unreachable => (fault.signal == libc::SIGILL).then_some(Trap::Unreachable),
        TrapCause::Division { divisor, bytes } if fault.is_division() => {
            // SAFETY: the table belongs to the code, and the division at the program counter has just faulted.
            let zero = unsafe { divisor_is_zero(divisor, bytes, fault.pc(), |r| fault.register(r)) };
            Some(if zero { Trap::DivByZero } else { Trap::IntOverflow })
        }
        TrapCause::Division { .. } => None,
    }
}

/// True if a call that ends at an offset of code is a call in the program; false if an instruction calls the run-time
/// library there, such as `memcpy` for a copy.
pub(super) fn calls_function(f: &Function, origin: Option<Inst>, relocs: &[Reloc], end: u32) -> bool {
    let is_runtime = |r: &Reloc| matches!(r.target, RelocTarget::Runtime(_));
    let at_end = relocs.iter().find(|r| r.offset + 4 == end);
    origin.is_none_or(|i| f.inst(i).op == Opcode::Call) && !at_end.is_some_and(is_runtime)
}

/// Registers that [`accessing`] follows at a time.
const MAX_FOLLOWED: usize = 8;

/// Returns the instruction whose access of memory the code of `origin` makes: `origin`, or a load that was folded into
/// it, which has no position in the function's code. A folded load at the address of a store precedes the store. Takes
/// no memory.
pub(super) fn accessing(f: &Function, positions: &[Position], origin: Inst) -> Inst {
    let has_code = |i| positions.iter().any(|p| p.origin.expand() == Some(i));
    let accesses = |i: Inst| matches!(f.inst(i).op, Opcode::Load | Opcode::Store | Opcode::Call);
    let mut followed = [None; MAX_FOLLOWED];
    let mut count = 0;
    let mut follow = |i: Inst, followed: &mut [Option<Reg>; MAX_FOLLOWED]| {
        f.for_each_use(i, |r| {
            if count < MAX_FOLLOWED {
                followed[count] = Some(r);
                count += 1;
            }
        });
    };
    let is_store = f.inst(origin).op == Opcode::Store;
    if accesses(origin) && !is_store {
        return origin;
    }
    follow(origin, &mut followed);
    for k in 0..MAX_FOLLOWED {
        let Some(r) = followed[k] else { break };
        let Some(i) = f.layout().all_insts().find(|i| f.def(*i) == Some(r) && !has_code(*i)) else { continue };
        if accesses(i) && (!is_store || f.mem(i) == f.mem(origin)) {
            return i;
        }
        follow(i, &mut followed);
    }
    origin
}

/// True if the divisor, this many bytes wide, of the division at `pc` is 0. `register` returns the former contents of a
/// register, by its number in `ucontext_t`.
///
/// # Safety
/// The division has just faulted, with these registers, and its divisor is at this location.
unsafe fn divisor_is_zero(divisor: Divisor, bytes: u8, pc: u64, register: impl Fn(libc::c_int) -> u64) -> bool {
    let reg = |n: u8| register(GREGS[n as usize]);
    let value = match divisor {
        Divisor::Reg(r) => reg(r),
        Divisor::Memory { base, index, disp } => {
            let index = index.map_or(0, |(r, scale)| reg(r) << scale);
            let address = base.map_or(0, reg).wrapping_add(index).wrapping_add_signed(disp.into());
            // SAFETY: the processor has just read the divisor there.
            unsafe { load(address, bytes) }
        }
        Divisor::Relative { len } => {
            let end = pc + u64::from(len);
            // SAFETY: the last four bytes of the instruction, and the divisor that the processor has just read.
            unsafe { load(end.wrapping_add_signed((load(end - 4, 4) as i32).into()), bytes) }
        }
    };
    Word::of_bytes(bytes.into()).truncate(value) == 0
}

/// # Safety
/// This many bytes at the address can be read.
unsafe fn load(address: u64, bytes: u8) -> u64 {
    let mut word = [0; 8];
    // SAFETY: promised by the caller.
    unsafe { std::ptr::copy_nonoverlapping(address as *const u8, word.as_mut_ptr(), bytes.into()) };
    u64::from_le_bytes(word)
}
