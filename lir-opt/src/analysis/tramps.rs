//! Tramps: copies that refer to an earlier instruction of their trace.
//!
//! A *tramp* is a copy of a register that an earlier instruction of its trace assigned. It computes nothing: its
//! readers can read the register of that instruction, as [`Tramps::read`] does. The name and the offset to the
//! instruction are from document S2 (nanojit's `LIR_tramp`, of 24 bits); here the reference is the name of the
//! register. The pass `lvn{tramps=on}` makes them; this module is for printing them.

use super::traces::Traces;
use lir_syntax::ir::{Function, Inst, Opcode, Reg, SecondaryMap};

/// The tramps of a function.
pub(crate) struct Tramps {
    /// The trace and the position in it of an assignment of each register.
    assigned: SecondaryMap<Reg, Option<(u32, u32)>>,
    /// The register that each tramp refers to. Registers that are not tramps have none.
    read: SecondaryMap<Reg, Option<Reg>>,
    /// The positions of instructions, counted through each trace.
    positions: SecondaryMap<Inst, u32>,
}

impl Tramps {
    /// Finds the tramps of a function.
    pub(crate) fn new(f: &Function, traces: &Traces) -> Tramps {
        let mut tramps =
            Tramps { assigned: SecondaryMap::new(), read: SecondaryMap::new(), positions: SecondaryMap::new() };
        let several = tramps.find_assignments(f, traces);
        for &b in traces.blocks() {
            for i in f.layout().insts(b).filter(|i| f.inst(*i).op == Opcode::Copy) {
                if let (Some(r), Some(source)) = (f.def(i), f.inst(i).first().as_reg()) {
                    let source = tramps.read(source);
                    let is_before = |(t, at)| Some(t) == traces.of(b) && at < tramps.positions[i];
                    if tramps.assigned[source].is_some_and(is_before) && !several[r] && !several[source] {
                        tramps.read[r] = Some(source);
                    }
                }
            }
        }
        tramps
    }
    /// Finds the assignments, and the registers that have several or are assigned in unreachable blocks.
    fn find_assignments(&mut self, f: &Function, traces: &Traces) -> SecondaryMap<Reg, bool> {
        let mut several: SecondaryMap<Reg, bool> = SecondaryMap::new();
        let mut position = 0;
        for (at, &b) in traces.blocks().iter().enumerate() {
            position = if traces.continues(at) { position } else { 0 };
            for i in f.layout().insts(b) {
                self.positions[i] = position;
                if let Some(r) = f.def(i) {
                    several[r] |= self.assigned[r].is_some();
                    self.assigned[r] = traces.of(b).map(|trace| (trace, position));
                }
                position += 1;
            }
        }
        for i in f.layout().blocks().filter(|b| traces.of(*b).is_none()).flat_map(|b| f.layout().insts(b)) {
            f.def(i).iter().for_each(|r| several[*r] = true);
        }
        several
    }
    /// Returns the register that is read for a register operand: for a tramp, the register that it refers to.
    fn read(&self, r: Reg) -> Reg {
        self.read[r].unwrap_or(r)
    }
    /// Returns the register that a tramp refers to, and how many positions earlier that is assigned.
    pub(crate) fn tramp(&self, f: &Function, i: Inst) -> Option<(Reg, u32)> {
        let source = self.read[f.def(i)?]?;
        let (_, at) = self.assigned[source]?;
        Some((source, self.positions[i] - at))
    }
}
