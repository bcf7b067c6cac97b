//! The registers with exactly one assignment, for passes that take functions in SSA form or not.

use lir_syntax::ir::{EntitySet, Function, Inst, PackedOption, Reg, SecondaryMap};

/// The registers by the number of their assignments; the call assigns the parameters.
///
/// The assignment of a register that has only one dominates every read (reads in unreachable blocks aside), for every
/// read is preceded by one on every path.
#[derive(Default, Debug)]
pub struct Assignments {
    some: EntitySet<Reg>,
    several: EntitySet<Reg>,
}

impl Assignments {
    /// Sets that no register has several, as in SSA form.
    pub fn clear(&mut self) {
        self.some.clear();
        self.several.clear();
    }
    /// Counts the assignments of a function. Linear.
    pub fn count(&mut self, f: &Function) {
        self.clear();
        f.param_regs().for_each(|r| self.add(r));
        for b in f.layout().blocks() {
            f.layout().insts(b).filter_map(|i| f.def(i)).for_each(|r| self.add(r));
        }
    }
    fn add(&mut self, r: Reg) {
        if !self.some.insert(r) {
            self.several.insert(r);
        }
    }
    /// True if a register that is assigned has no other assignment.
    #[inline]
    pub fn is_single(&self, r: Reg) -> bool {
        !self.several.contains(r)
    }
}

/// The first and the last assignment of each register, for remarks. Instructions count in layout order.
pub struct Ends {
    first: SecondaryMap<Reg, PackedOption<Inst>>,
    last: SecondaryMap<Reg, PackedOption<Inst>>,
}

impl Ends {
    /// Computes them for a function, in linear time.
    pub fn of(f: &Function) -> Ends {
        let none = || SecondaryMap::with_len(PackedOption::NONE, f.num_regs());
        let mut ends = Ends { first: none(), last: none() };
        for i in f.layout().all_insts() {
            let Some(r) = f.def(i) else { continue };
            if ends.first[r].is_none() {
                ends.first[r] = i.into();
            }
            ends.last[r] = i.into();
        }
        ends
    }
    /// Returns an assignment of a register that is not `than`.
    pub fn other(&self, r: Reg, than: Inst) -> Option<Inst> {
        let is_other = |i: &Inst| *i != than;
        self.last[r].expand().filter(is_other).or(self.first[r].expand().filter(is_other))
    }
}
