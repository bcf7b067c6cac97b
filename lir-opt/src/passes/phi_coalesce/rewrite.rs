//! Rewrites the function without phis: each class is one register, with copies if the register of a phi is not the
//! register of its operand or result.

use super::classes::Classes;
use super::parallel_copies::{ParallelCopy, Sequencer};
use super::program_points::Node;
use crate::edit::blocks::jump_block;
use crate::edit::edges::{Redirects, replace_phis_by_zero};
use crate::edit::reads::{for_each_inst, reads_any};
use crate::edit::ssa_construction::first_after_phis;
use crate::pass::remarks::Remarks;
use crate::passes::phi_coalesce::events::Event;
use lir_syntax::ir::{
    Block, Cfg, DebugLoc, EntitySet, Format, Function, Inst, InstData, Opcode, Operand, PackedOption, Reg, SecondaryMap,
};

/// The counts of changes.
#[derive(Copy, Clone, Default)]
pub(super) struct Counts {
    pub(super) phis_removed: u64,
    pub(super) copies_removed: u64,
    pub(super) copies_made: u64,
    pub(super) constants_made: u64,
    pub(super) edges_split: u64,
}

/// Scratch memory of this module.
#[derive(Default)]
pub(super) struct Rewriter {
    /// The register of each class, by its root.
    reg_of: Vec<PackedOption<Reg>>,
    /// The register of each phi's class.
    reg_of_phi: Vec<Reg>,
    /// The replacement of each register that is another one now.
    new_of: SecondaryMap<Reg, PackedOption<Reg>>,
    /// Registers with more assignments than in the original function.
    grown: EntitySet<Reg>,
    /// Copies that begin a block, and copies at the end of a node.
    at_top: Vec<(Node, ParallelCopy)>,
    at_end: Vec<(Node, ParallelCopy)>,
    group: Vec<ParallelCopy>,
    written: EntitySet<Reg>,
    sequencer: Sequencer,
    redirects: Redirects,
    counts: Counts,
}

impl Rewriter {
    /// Takes a function out of SSA form.
    pub(super) fn run(&mut self, f: &mut Function, cfg: &Cfg, classes: &mut Classes, remarks: &mut Remarks) -> Counts {
        self.counts = Counts::default();
        self.name_classes(f, classes);
        self.collect_copies(f, classes);
        if remarks.on() {
            self.tell(f, classes, remarks);
        }
        let unreachable: Vec<Block> = f.layout().blocks().filter(|b| !cfg.is_reachable(*b)).collect();
        for b in unreachable {
            self.counts.phis_removed += f.phis(b).count() as u64;
            replace_phis_by_zero(f, b);
        }
        self.rename(f);
        self.insert_copies(f, classes);
        for phi in &classes.phis {
            f.remove_inst(phi.inst);
        }
        self.counts.phis_removed += classes.phis.len() as u64;
        for r in self.grown.iter() {
            f.name_after(f.regs[r].name);
        }
        self.counts
    }

    /// Chooses the register of each class: a parameter, or the register that is assigned first in the text. A phi whose
    /// class has no register gets a new one.
    fn name_classes(&mut self, f: &mut Function, classes: &mut Classes) {
        self.reg_of.clear();
        self.reg_of.resize(classes.num_regs + classes.phis.len(), PackedOption::NONE);
        self.new_of.reset(f.num_regs());
        for r in f.param_regs().chain(f.layout().all_insts().filter_map(|i| f.def(i))) {
            let reg = &mut self.reg_of[classes.of_reg(r) as usize];
            match reg.expand() {
                None => *reg = r.into(),
                Some(other) if other != r => self.new_of[r] = other.into(),
                Some(_) => {}
            }
        }
        self.reg_of_phi.clear();
        for k in 0..classes.phis.len() {
            let reg = &mut self.reg_of[classes.of_phi(k) as usize];
            let chosen = reg.expand().unwrap_or_else(|| f.new_reg_like(classes.phis[k].result));
            *reg = chosen.into();
            self.reg_of_phi.push(chosen);
        }
    }
    #[inline]
    fn new_of(&self, r: Reg) -> Reg {
        self.new_of.get(r).expand().unwrap_or(r)
    }
    fn collect_copies(&mut self, f: &Function, classes: &Classes) {
        self.at_top.clear();
        self.at_end.clear();
        for (phi, own) in classes.phis.iter().zip(&self.reg_of_phi) {
            let result = self.new_of(phi.result);
            if result != *own {
                let loc = f.debug_loc(phi.inst);
                let node = classes.nodes.of_block(phi.block).expect("its block is reachable");
                self.at_top.push((node, ParallelCopy { to: result, from: Operand::reg(*own), loc }));
            }
            for operand in classes.operands_of(phi) {
                let from = operand.value.as_reg().map_or(operand.value, |r| Operand::reg(self.new_of(r)));
                if from != Operand::reg(*own) {
                    // On the way to other successors nothing of the source is executed here.
                    self.at_end.push((operand.node, ParallelCopy { to: *own, from, loc: DebugLoc::NONE }));
                }
            }
        }
    }
    /// Reports the changes of phis and registers.
    fn tell(&self, f: &Function, classes: &Classes, remarks: &mut Remarks) {
        for (phi, own) in classes.phis.iter().zip(&self.reg_of_phi) {
            remarks.done(f, phi.inst, Event::ComesIn(*own));
            if *own != phi.result {
                remarks.done_of(f, phi.inst, (*own, None), Event::BringsPhi(phi.result));
            }
        }
        for i in f.layout().all_insts() {
            if let Some((r, new)) = f.def(i).and_then(|r| Some((r, self.new_of.get(r).expand()?))) {
                remarks.done_of(f, i, (r, Some(new)), Event::IsOneWith(new));
                remarks.done_of(f, i, (new, None), Event::HoldsToo(r));
            }
        }
    }
    /// Puts the registers of the classes into all instructions but phis, and removes copies of a register to itself.
    fn rename(&mut self, f: &mut Function) {
        self.grown.clear();
        for_each_inst(f, |f, _, i| {
            if f.inst(i).op.format() != Format::Phi {
                self.rename_inst(f, i);
            }
        });
    }
    fn rename_inst(&mut self, f: &mut Function, i: Inst) {
        if reads_any(f, i, |r| self.new_of.get(r).is_some()) {
            f.rewrite_uses(i, |u| Operand::reg(self.new_of(u.reg)));
        }
        let Some(old) = f.def(i) else { return };
        let new = self.new_of(old);
        if f.inst(i).op == Opcode::Copy && f.inst(i).first() == Operand::reg(new) {
            f.remove_inst(i);
            self.counts.copies_removed += 1;
            if new == old {
                self.grown.insert(new);
            }
        } else if new != old {
            f.replace_inst(i, f.inst(i).with_result(new));
            self.grown.insert(new);
        }
    }

    fn insert_copies(&mut self, f: &mut Function, classes: &Classes) {
        // Copies on the only edge into a block are put before the copies that begin the block.
        let at_top = std::mem::take(&mut self.at_top);
        for group in at_top.chunk_by(|x, y| x.0 == y.0) {
            let b = classes.nodes.block(group[0].0).expect("phis are in blocks");
            self.insert_before(f, first_after_phis(f, b), group);
        }
        self.at_top = at_top;
        let mut at_end = std::mem::take(&mut self.at_end);
        at_end.sort_by_key(|(node, _)| *node);
        for group in at_end.chunk_by(|x, y| x.0 == y.0) {
            let node = group[0].0;
            let before = match classes.nodes.edge(node) {
                None => f.terminator(classes.nodes.block(node).expect("a node is a block or an edge")),
                Some(edge) if edge.is_only => first_after_phis(f, edge.to),
                Some(edge) => self.split_edge(f, edge.from_block, edge.to),
            };
            self.insert_before(f, before, group);
        }
        self.redirects.finish(f);
        self.at_end = at_end;
    }
    /// Makes a block of an edge. Returns its terminator.
    fn split_edge(&mut self, f: &mut Function, from: Block, to: Block) -> Inst {
        let before = f.layout().prev_block(to).expect("the entry has no predecessors");
        let new = jump_block(f, to, before, to, f.debug_loc(f.terminator(from)));
        self.redirects.redirect(f, from, to, new);
        self.counts.edges_split += 1;
        f.terminator(new)
    }
    /// Puts copies that are made at once before an instruction.
    fn insert_before(&mut self, f: &mut Function, before: Inst, copies: &[(Node, ParallelCopy)]) {
        // Phis of several blocks may have one register where they are given the same value.
        self.group.clear();
        self.group.extend(copies.iter().map(|(_, copy)| *copy).filter(|copy| self.written.insert(copy.to)));
        self.group.iter().for_each(|copy| _ = self.written.remove(copy.to));
        for copy in self.sequencer.sequence(f, &self.group) {
            let data = InstData::move_of(f.type_of(copy.to), copy.from).with_result(copy.to);
            f.insert_before_at(before, data, copy.loc);
            self.grown.insert(copy.to);
            *(if copy.from.is_reg() { &mut self.counts.copies_made } else { &mut self.counts.constants_made }) += 1;
        }
    }
}
