//! Step 2: finds memory that is younger than all values from which the addresses of the other access are computed.
//!
//! A value that existed before an object was made is not an address of it, and neither is a result of pure operations
//! without branches on such values. Neither is a counter of the loop, though a branch controls it: its start, its step
//! and its number of iterations are computed from old values. Stack objects are made when the function is called, so
//! only parameters are older; heap blocks and allocas when a call or an alloca assigns their address. An old value that
//! is a number cannot depend on the address of the object.

use super::surroundings::Surroundings;
use crate::analysis::alias::Root;
use lir_syntax::ir::{Base, Inst, Mem, Opcode, Reg};

/// Limit on the registers that are examined.
const MAX_REGISTERS: usize = 16;

/// Limit on the instructions of a block that are examined above one.
const MAX_ABOVE: usize = 64;

/// True if an address in a loop is computed from no value that is younger than an object.
///
/// The same holds of the number of iterations then.
pub(super) fn is_older(around: &Surroundings<'_, '_>, address: Mem, object: Root) -> bool {
    let made_by = match object {
        Root::Object(_) => None,
        Root::Heap(r) | Root::Alloca(r) => match around.cx.ssa.def(r) {
            Some(i) => Some(i),
            None => return false,
        },
        Root::Symbol(_) | Root::NoAlias(_) | Root::Register(_) | Root::Absolute | Root::Unknown => return false,
    };
    let mut registers: Vec<Reg> = address.regs().collect();
    registers.extend(around.trips.operands().filter_map(|o| o.as_reg()));
    let mut k = 0;
    while let Some(&r) = registers.get(k) {
        let def = around.cx.ssa.def(r);
        let is_old = def.is_none_or(|i| made_by.is_some_and(|other| comes_before(around, i, other)));
        if k == MAX_REGISTERS || !is_old && !def.is_some_and(|i| add_operands(around, i, &mut registers)) {
            return false;
        }
        k += 1;
    }
    !matches!(address.base, Base::Obj(_))
}

/// Adds the registers that an instruction computes from. Returns false if it may know of younger objects in other ways.
fn add_operands(around: &Surroundings<'_, '_>, i: Inst, registers: &mut Vec<Reg>) -> bool {
    let (f, shape) = (around.cx.f, around.shape);
    if f.inst(i).op == Opcode::Phi {
        // This is the phi of a counter. Its step is constant, since otherwise the growth of the address would not be
        // known.
        let start = f.phi_entries(i).find(|(p, _)| *p != shape.latch).and_then(|(_, o)| o.as_reg());
        registers.extend(start);
        return f.layout().block_of(i) == Some(shape.header);
    }
    let mut of_object = false;
    f.for_each_mem(i, |m| of_object |= matches!(m.base, Base::Obj(_)));
    f.for_each_use(i, |r| registers.push(r));
    f.inst(i).op.effects().is_pure() && !of_object
}

/// True if an instruction is executed whenever another one is, and before it; false if it is far above in the same
/// block.
fn comes_before(around: &Surroundings<'_, '_>, i: Inst, other: Inst) -> bool {
    let layout = around.cx.f.layout();
    match (layout.block_of(i), layout.block_of(other)) {
        (Some(a), Some(b)) if a == b => {
            let above = std::iter::successors(layout.prev_inst(other), |x| layout.prev_inst(*x));
            above.take(MAX_ABOVE).any(|x| x == i)
        }
        (Some(a), Some(b)) => around.cx.dom.dominates(a, b),
        _ => false,
    }
}
