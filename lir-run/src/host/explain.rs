//! Explains faults: finds the trap, and its position in compiled code.
//!
//! If compiled code called C and C faults, the location is the call: the first return address into compiled code on the
//! stack.

use super::code::{Caught, CompiledCode, Fault, Site};
use super::stacks;
use super::waiting_calls::StackWords;
use lir_syntax::semantics::Trap;
use std::ops::Range;

/// Distance from the stack pointer within which a fault means an exhausted stack. Used if the end of the stack is
/// unknown. Code touches its stack in steps of a page, and nothing else is so near to addresses without memory.
const NEAR_STACK: u64 = 64 << 10;
/// The code of a SIGTRAP that an `int3` raises.
pub(super) const SI_KERNEL: libc::c_int = 0x80;
/// Words of a stack that are looked through for a return address into compiled code.
const STACK_WORDS_SEARCHED: u64 = stacks::STACK_SIZE as u64 / 8;

/// Explains a fault in compiled code, or in code that it called. `overflow` has the addresses below the stack, if they
/// are known, and `entry` is the function that was called. None if it is not a trap, or its position is unknown.
pub(super) fn explain(
    fault: &Fault,
    code: Option<&dyn CompiledCode>,
    overflow: &Range<u64>,
    entry: Option<u64>,
) -> Option<Caught> {
    let (pc, sp) = (fault.pc(), fault.sp());
    let here = code.filter(|code| code.is_code(pc));
    let is_return_address = |address| code.is_some_and(|code| code.is_return_address(address));
    let by_instruction = matches!(fault.signal, libc::SIGFPE | libc::SIGILL | libc::SIGTRAP);
    let known = here.filter(|_| by_instruction).and_then(|code| code.trap_at(fault));
    // The code has no trap there: control jumped to the middle of an instruction, or between functions.
    let strayed = by_instruction && here.is_some() && known.is_none();
    let trap = match fault.signal {
        _ if known.is_some() => known?,
        libc::SIGFPE => fault.is_division().then_some(Trap::DivByZero)?,
        // Single steps are a debugger's, and an `int3` outside is not the program's.
        libc::SIGTRAP if !strayed || fault.code != SI_KERNEL => return None,
        libc::SIGILL | libc::SIGTRAP => Trap::Unreachable,
        _ if overflow.contains(&fault.address) => Trap::StackOverflow,
        _ if overflow.is_empty() && fault.address != pc && is_near(fault.address, sp) => Trap::StackOverflow,
        _ => Trap::MemoryFault,
    };
    if code.is_none() || here.is_some() && !strayed {
        return Some(Caught { trap, site: Site::At(pc), outside: here.is_none(), left: false });
    }
    // A jump to an address without code is the fault of the caller, whose return address is then on top of the stack.
    // If instead it was a return, whose address is just below the stack pointer, some code overwrote that address.
    let jumped = fault.address == pc && trap == Trap::MemoryFault;
    let word_at = |at: u64, is: &dyn Fn(u64) -> bool| StackWords::new().word(at).is_some_and(is);
    let called = word_at(sp, &is_return_address);
    let returned = jumped && !called && word_at(sp.wrapping_sub(8), &|word| word == pc);
    // The word over one return address was often written over others, too.
    let is_caller = |word| is_return_address(word) && !(strayed && word == pc);
    let caller = StackWords::new().find(sp, STACK_WORDS_SEARCHED, is_caller);
    let site = caller.map(Site::Before).or(entry.map(Site::Entry))?;
    Some(Caught { trap, site, outside: !jumped, left: strayed || returned || caller.is_none() })
}

fn is_near(address: u64, sp: u64) -> bool {
    address.wrapping_sub(sp.wrapping_sub(NEAR_STACK)) < 2 * NEAR_STACK
}
