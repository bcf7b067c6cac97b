//! Selects jumps through tables: each `switch` that `prepare` left.
//!
//! ```text
//! t = lea [table]
//! u = movsxd [t + x*4]
//! v = add u, t
//! jmp v
//! ```

use super::Isel;
use super::blocks::graph::successors;
use crate::isa::x64::op;
use crate::mir::{Form, MBase, MBlock, MInst, MReg, Size};
use lir_syntax::ir::{Block, EntityRef, InstData, Type};

impl Isel<'_> {
    /// Selects `switch i64 %x, default [..]` by a table with an entry for each value. These go from 0 up to the last
    /// case; x is never beyond them.
    pub(super) fn table_jump(&mut self, b: Block, d: &InstData) {
        let main = self.s.main_block[b.index()].index();
        let succs = successors(&self.s.succs, &self.s.succ_ends, self.number);
        debug_assert!(succs.len() > 1, "a jump through a table has several targets");
        // Each target is reached at its block, or at the block of a critical edge.
        for (j, succ) in succs.iter().enumerate() {
            self.s.seen[succ.index()] = self.mf.blocks[main].succs[j].0;
        }
        let start = self.mf.table_targets.len() as u32;
        // The default is the entry of 0; `prepare` lists the other values in order.
        let entries = self.f.succs(b).iter().map(|succ| MBlock(self.s.seen[succ.index()]));
        self.mf.table_targets.extend(entries);
        self.mf.tables.push(start..self.mf.table_targets.len() as u32);
        let table = MBase::Table(self.mf.tables.len() as u32 - 1);

        let x = self.value(Type::I64, d.first());
        let [base, distance, target] = [Type::I64; 3].map(|ty| self.temp(ty));
        let lea = MInst::new(op::Lea, Form::DM, Size::S64).mem(table, MReg::NONE, 1, 0);
        self.mf.set_remat(base, lea);
        self.seq(lea.d(base));
        let load = MInst::new(op::MovSx32, Form::DM, Size::S64).d(distance);
        self.seq(load.mem(MBase::Reg(base.into()), x.into(), 4, 0));
        self.seq(MInst::new(op::Add, Form::DTB, Size::S64).d(target).a(distance).b(base));
        self.seq(MInst::new(op::JmpReg, Form::B, Size::S64).b(target));
    }
}
