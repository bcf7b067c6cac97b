//! The memory of variables: slots of the frame, and locations of the user's with the code that gets there.

use crate::isa::x64::encode::{Addr, Code, Operands};
use crate::isa::x64::registers::{RAX, RCX, hw};
use crate::isa::x64::{Cond, op};
use crate::mir::{Form, PReg, RegClass, Size};
use crate::regalloc::one_pass::engine::Var;

/// The memory of a variable.
#[derive(Copy, Clone, Debug)]
pub(super) enum Home {
    /// A slot of the frame, once it is spilled.
    Slot,
    /// An address that is known.
    Static(u64),
    /// The address that another variable has in its slot, plus some bytes.
    At(Var, i32),
}

/// Returns the address register of an access to a home, which is not the register that is loaded or stored.
fn scratch_beside(r: PReg) -> PReg {
    if r == RAX { RCX } else { RAX }
}

/// Encodes the load of a variable from its home. `slot` is the memory of the address, if that is in one.
pub(super) fn encode_load(code: &mut Code, from: (Home, Option<Addr>), to: PReg, size: Size) {
    if to.class() == RegClass::Int {
        let mem = address(code, from, to);
        let o = Operands { regs: [hw(to); 3], imm: 0, mem };
        code.put(op::Mov, Form::DM, size, Cond::O, &o);
        return;
    }
    let scratch = scratch_beside(to);
    code.push(hw(scratch));
    let mem = address(code, from, scratch);
    let o = Operands { regs: [hw(to); 3], imm: 0, mem };
    code.put(op::MovF, Form::DM, size, Cond::O, &o);
    code.pop(hw(scratch));
}

/// Encodes the store of a variable to its home.
pub(super) fn encode_store(code: &mut Code, to: (Home, Option<Addr>), from: PReg, size: Size) {
    let op = if from.class() == RegClass::Int { op::Mov } else { op::MovF };
    let scratch = scratch_beside(from);
    code.push(hw(scratch));
    let mem = address(code, to, scratch);
    let o = Operands { regs: [hw(from); 3], imm: 0, mem };
    code.put(op, Form::MA, size, Cond::O, &o);
    code.pop(hw(scratch));
}

/// Puts the address of a home into a register, and gives the memory operand.
fn address(code: &mut Code, (home, slot): (Home, Option<Addr>), into: PReg) -> Addr {
    match (home, slot) {
        (Home::Static(address), _) => {
            code.mov_imm(hw(into), address as i64);
            Addr::base(hw(into), 0)
        }
        (Home::At(_, disp), Some(slot)) => {
            let o = Operands { regs: [hw(into); 3], imm: 0, mem: slot };
            code.put(op::Mov, Form::DM, Size::S64, Cond::O, &o);
            Addr::base(hw(into), disp)
        }
        (Home::Slot | Home::At(..), _) => unreachable!("a variable with a slot is moved"),
    }
}
