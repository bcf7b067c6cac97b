//! The end of a body: everything that needs the whole text of the function.

use super::{BodyParser, Want};
use crate::ir::function::NO_LOC;
use crate::ir::{Block, EntityRef, EntitySet, Inst, Operand, Reg, RegData};
use crate::parser::items::Body;
use crate::text::diagnostic::Diagnostic;
use crate::text::source::Span;
use std::collections::{BTreeMap, BTreeSet};

impl BodyParser<'_, '_> {
    pub(super) fn finish(&mut self, body: &Body) {
        if self.f.layout().entry().is_none() && self.c.errors.list.is_empty() {
            self.c.errors.syntax += 1;
            let name = String::from_utf8_lossy(&self.symbols.decls.syms[self.f.sym].name).into_owned();
            self.c.report(Diagnostic::new(Span::at(body.end as u32), format!("function `@{name}` has no blocks")));
        }
        self.undefined_blocks();
        let unassigned = self.pending_uses();
        if !self.s.typeless.is_empty() {
            self.help_typeless();
        }
        if !unassigned.is_empty() {
            self.unassigned(&unassigned);
        }
        if self.c.errors.list.is_empty() {
            self.type_branches();
            self.rename_guarded_preds();
        }
    }

    fn undefined_blocks(&mut self) {
        for k in 0..self.s.blocks.len() {
            let state = self.s.blocks[k];
            if state.defined != NO_LOC || self.c.is_full() {
                continue;
            }
            let name = self.f.names.get(self.f.block(Block::new(k)).name);
            let known = self.f.layout().blocks().map(|b| self.f.names.get(self.f.block(b).name));
            let start = format!("there is no block `{}`", String::from_utf8_lossy(name));
            let message = self.c.undeclared(&start, b"", name, known);
            let mention = self.c.span_at(state.mention);
            self.c.report(Diagnostic::new(mention, message));
        }
    }

    /// Checks the uses before the assignments in the text. A register that is never assigned has the type that its
    /// first use wants; such registers are returned.
    fn pending_uses(&mut self) -> EntitySet<Reg> {
        let mut unassigned = EntitySet::new();
        let pending = std::mem::take(&mut self.s.pending);
        let mut typed: EntitySet<Reg> = EntitySet::new();
        for u in &pending {
            let state = self.s.regs[u.reg.index()];
            if state.broken {
                continue;
            }
            if state.assigned != NO_LOC {
                self.statement = u.statement;
                // Reported, if wrong; there is nothing to give up.
                let _ = self.check_use(u.at, u.reg, u.want);
                continue;
            }
            unassigned.insert(u.reg);
            if let Want::Type(want) = u.want
                && typed.insert(u.reg)
            {
                self.f.regs[u.reg].ty = want;
            }
        }
        for u in &pending {
            let ty = self.f.regs[u.reg].ty;
            if unassigned.contains(u.reg) && !u.want.takes(ty) {
                let message = format!("{} is of two types, and is never assigned", self.c.describe(u.at));
                self.c.error(u.at, message);
            }
        }
        self.s.pending = pending;
        unassigned
    }

    /// Reports registers that are read in reachable blocks but assigned nowhere. Elsewhere they are legal.
    fn unassigned(&mut self, unassigned: &EntitySet<Reg>) {
        let mut reachable: EntitySet<Block> = EntitySet::new();
        let mut work = Vec::from_iter(self.f.layout().entry());
        while let Some(b) = work.pop() {
            if reachable.insert(b) {
                work.extend_from_slice(self.f.succs(b));
            }
        }
        let mut read: EntitySet<Reg> = EntitySet::new();
        for b in self.f.layout().blocks().filter(|b| reachable.contains(*b)) {
            for i in self.f.layout().insts(b) {
                if self.f.inst(i).op == crate::ir::Opcode::Phi {
                    for (pred, o) in self.f.phi_entries(i).filter(|(p, _)| reachable.contains(*p)) {
                        let _ = (pred, o.as_reg().map(|r| read.insert(r)));
                    }
                } else {
                    self.f.for_each_use(i, |r| {
                        read.insert(r);
                    });
                }
            }
        }
        for r in unassigned.iter().filter(|r| read.contains(*r)) {
            if self.c.is_full() {
                return;
            }
            let name = self.f.names.get(self.f.regs[r].name);
            let written = |d: &RegData| !d.name.is_derived();
            let known = self.f.regs.iter().filter(|(r, d)| written(d) && self.s.regs[r.index()].assigned != NO_LOC);
            let known = known.map(|(_, d)| self.f.names.get(d.name));
            let token = self.c.token_at(self.s.regs[r.index()].mention);
            let start = format!("{} is never assigned", self.c.describe(token));
            let message = self.c.undeclared(&start, b"%", name, known);
            self.c.error(token, message);
        }
    }

    /// Gives `br %c` the type of a condition that was assigned further below.
    fn type_branches(&mut self) {
        for k in 0..self.s.untyped.len() {
            let i = self.s.untyped[k];
            let mut data = *self.f.inst(i);
            data.ty = self.f.regs[data.first().as_reg().expect("the condition is a register")].ty;
            self.f.replace_inst(i, data);
        }
    }

    /// Expands phi entries that name the written block of guards. Such an entry represents each block `B`, `B.g1`, ...
    /// that leads here and is not named itself.
    fn rename_guarded_preds(&mut self) {
        if self.s.guarded.is_empty() {
            return;
        }
        let blocks: Vec<Block> = self.f.layout().blocks().collect();
        // The written block of each piece.
        let mut written: Vec<Block> = (0..self.f.num_blocks()).map(Block::new).collect();
        for &b in &self.s.guarded {
            let last = Block::from_u32(self.s.blocks[b.index()].pieces);
            let mut at = b;
            while at != last {
                at = self.f.layout().next_block(at).expect("the pieces stand after the written block");
                written[at.index()] = b;
            }
        }
        let mut preds: Vec<smallvec::SmallVec<[Block; 4]>> = vec![Default::default(); self.f.num_blocks()];
        for &b in
            blocks.iter().filter(|b| self.s.blocks[written[b.index()].index()].pieces != written[b.index()].as_u32())
        {
            for s in self.f.succs(b) {
                if preds[s.index()].last() != Some(&b) {
                    preds[s.index()].push(b);
                }
            }
        }
        for &b in &blocks {
            let phis: Vec<Inst> = if preds[b.index()].is_empty() { vec![] } else { self.f.phis(b).collect() };
            for i in phis {
                let entries: Vec<_> = self.f.phi_entries(i).collect();
                let renamed = expand_entries(&entries, &preds[b.index()], &written);
                if renamed != entries {
                    self.f.set_phi_entries(i, &renamed);
                }
            }
        }
    }
}

/// Returns the entries of a phi, with the blocks after guards for their written block. `preds` are the predecessors
/// that belong to written blocks with guards.
fn expand_entries(entries: &[(Block, Operand)], preds: &[Block], written: &[Block]) -> Vec<(Block, Operand)> {
    let named: BTreeSet<Block> = entries.iter().map(|e| e.0).collect();
    let mut unnamed: BTreeMap<Block, Vec<Block>> = BTreeMap::new();
    for &p in preds.iter().filter(|p| !named.contains(p)) {
        unnamed.entry(written[p.index()]).or_default().push(p);
    }
    let leads_here: BTreeSet<Block> = preds.iter().copied().collect();
    let mut all = Vec::with_capacity(entries.len());
    for &(block, value) in entries {
        let pieces = unnamed.get(&block);
        if leads_here.contains(&block) || pieces.is_none() {
            all.push((block, value));
        }
        all.extend(pieces.into_iter().flatten().map(|p| (*p, value)));
    }
    all
}
