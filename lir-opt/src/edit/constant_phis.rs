//! Replaces phis of one constant by constants after the phis of their block.

use super::ssa_construction::first_after_phis;
use lir_syntax::ir::{Block, Function, Inst, InstData, Operand};

/// The position after the phis of the last block: a block of many such phis is walked once.
#[derive(Default)]
pub(crate) struct ConstantPhis {
    place: Option<(Block, Inst)>,
}

impl ConstantPhis {
    /// Makes a phi a constant. Between two calls for one block its instructions after the phis must not change.
    pub(crate) fn make_constant(&mut self, f: &mut Function, phi: Inst, constant: Operand) {
        let r = f.def(phi).expect("a phi assigns");
        let b = f.layout().block_of(phi).expect("it is in a block");
        let after_phis = match self.place {
            Some((of, after_phis)) if of == b => after_phis,
            _ => first_after_phis(f, b),
        };
        self.place = Some((b, after_phis));
        f.move_before(phi, after_phis);
        f.replace_inst(phi, InstData::move_of(f.type_of(r), constant).with_result(r));
    }
}
