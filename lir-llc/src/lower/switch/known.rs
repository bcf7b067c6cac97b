//! The possible values of the operand of a switch, by the instruction that makes it.

use lir_opt::analysis::ranges::{of_constant, result_of};
use lir_opt::integers::range::Range;
use lir_syntax::ir::{Function, Inst, Operand, Param, Reg, SecondaryMap};

/// For each register with a single assignment its instruction.
pub(super) struct SingleDefs(SecondaryMap<Reg, Defs>);

#[derive(Copy, Clone, Default)]
enum Defs {
    #[default]
    None,
    One(Inst),
    /// Several, or a parameter.
    Other,
}

/// Limit on the instructions that are looked through.
const DEPTH: u32 = 4;

impl SingleDefs {
    /// Finds the single definitions of a function.
    pub(super) fn of(f: &Function) -> SingleDefs {
        let mut defs: SecondaryMap<Reg, Defs> = SecondaryMap::new();
        for p in &f.params {
            if let Param::Reg(r) = p {
                defs[*r] = Defs::Other;
            }
        }
        for b in f.layout().blocks() {
            for i in f.layout().insts(b) {
                if let Some(r) = f.def(i) {
                    defs[r] = if matches!(defs[r], Defs::None) { Defs::One(i) } else { Defs::Other };
                }
            }
        }
        SingleDefs(defs)
    }
    /// Returns the range of a register's value.
    pub(super) fn range_of(&self, f: &Function, r: Reg) -> Range {
        self.look(f, r, DEPTH)
    }
    fn look(&self, f: &Function, r: Reg, depth: u32) -> Range {
        let full = Range::full(f.type_of(r).as_word());
        let (Defs::One(i), true) = (self.0[r], depth > 0) else { return full };
        let of = |o: Operand, ty| o.as_reg().map_or_else(|| of_constant(f, o, ty), |a| self.look(f, a, depth - 1));
        result_of(f, i, of).unwrap_or(full)
    }
}
