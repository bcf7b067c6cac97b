//! Step 2: memory that is allocated behind everything that the loads' addresses are made of.
//!
//! What existed before an object was allocated is no address of it, and neither is what pure operations without
//! branches make of such values. A counter of the loop is one, too, though it goes on by a branch: for its start, its
//! step and its number of iterations are made in this way.

use super::pieces::Surroundings;
use lir_syntax::ir::{Inst, Mem, Opcode, Reg};

/// Registers that are looked at.
const MAX_REGISTERS: usize = 16;

/// True if an address in a loop is made of nothing that is younger than the allocation that assigns `block`. The
/// loop's number of iterations is not either.
pub(super) fn is_older(around: &Surroundings<'_, '_>, address: Mem, block: Reg) -> bool {
    let (cx, shape) = (around.cx, around.shape);
    let Some(allocation) = cx.ssa.def(block) else { return false };
    let mut registers: Vec<Reg> = address.regs().collect();
    registers.extend(around.trips.operands().filter_map(|o| o.as_reg()));
    let mut k = 0;
    while let Some(&r) = registers.get(k) {
        if k == MAX_REGISTERS {
            return false;
        }
        k += 1;
        let Some(def) = cx.ssa.def(r) else { continue };
        if comes_before(around, def, allocation) {
            continue;
        }
        if cx.f.inst(def).op == Opcode::Phi {
            // Its step is constant, or else the stride of the address were not known.
            if cx.f.layout().block_of(def) != Some(shape.header) {
                return false;
            }
            let start = cx.f.phi_entries(def).find(|(p, _)| *p != shape.latch).and_then(|(_, o)| o.as_reg());
            registers.extend(start);
        } else if cx.f.inst(def).op.effects().is_pure() {
            cx.f.for_each_use(def, |r| registers.push(r));
        } else {
            return false;
        }
    }
    true
}

/// True if an instruction is executed whenever another one is, and before.
fn comes_before(around: &Surroundings<'_, '_>, i: Inst, other: Inst) -> bool {
    let layout = around.cx.f.layout();
    match (layout.block_of(i), layout.block_of(other)) {
        (Some(a), Some(b)) if a == b => layout.insts(a).take_while(|x| *x != other).any(|x| x == i),
        (Some(a), Some(b)) => around.cx.dom.dominates(a, b),
        _ => false,
    }
}
