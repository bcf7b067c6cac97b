//! The classes of registers that are merged: phis, their operands, and registers connected by copies.
//!
//! # The phi's own register
//!
//! Each phi gets a register of its own, live on the edges into its block and nowhere else: from the copies in the node
//! before each edge ([`program_points`](super::program_points)) to the phi. With `P = a` in every such node and `p = P`
//! at the top of the block the function means the same in all cases (Sreedhar's first method). All classes begin
//! with these registers; a register joined with P needs no copy.

use super::live_ranges::{Held, LiveRanges};
use super::program_points::{Node, Nodes};
use super::values::{Values, register_of};
use crate::analysis::LoopForest;
use crate::pass::remarks::Remarks;
use crate::passes::phi_coalesce::events::Event;
use crate::tables::groups::Groups;
use crate::tables::range_classes::{RangeClasses, Slice};
use lir_syntax::ir::{Block, Cfg, EntityRef, EntitySet, Function, Inst, Opcode, Operand, Reg};
use std::cmp::Reverse;

/// A phi of a reachable block.
#[derive(Copy, Clone)]
pub(super) struct Phi {
    pub(super) inst: Inst,
    pub(super) block: Block,
    pub(super) result: Reg,
    /// Its operands, as a slice of [`Classes::operands`].
    operands: Slice,
}

/// An operand of a phi, and the node of its copy unless it is in the phi's class.
#[derive(Copy, Clone)]
pub(super) struct PhiOperand {
    pub(super) value: Operand,
    pub(super) node: Node,
}

/// Two registers that are to be one.
#[derive(Copy, Clone)]
struct Affinity {
    a: u32,
    b: u32,
    /// The loop depth of the copy that remains if they are not.
    depth: u32,
    of: Copied,
}

/// The origin of the copy.
#[derive(Copy, Clone)]
enum Copied {
    /// The operand of this number, of a phi.
    Operand(Inst, u32),
    /// The result of a phi.
    Result(Inst),
    /// It is in the text.
    Copy(Inst),
}

/// The classes of a function. Value number k is register k; the numbers after the registers are the phis' own.
#[derive(Default)]
pub(super) struct Classes {
    pub(super) phis: Vec<Phi>,
    pub(super) operands: Vec<PhiOperand>,
    pub(super) nodes: Nodes,
    pub(super) num_regs: usize,
    table: RangeClasses,
    values: Values,
    live: LiveRanges,
    wanted: EntitySet<Reg>,
    phi_reads: Groups<Node, Reg>,
    /// First the phis with their results and operands, then copies; the deepest in loops first.
    affinities: Vec<Affinity>,
    own: Vec<Slice>,
    ranges: Vec<Held>,
}

impl Classes {
    /// Finds the phis, the copies and the nodes for copies. False if there is nothing to do.
    pub(super) fn collect(&mut self, f: &Function, cfg: &Cfg, loops: &LoopForest) -> bool {
        self.phis.clear();
        self.operands.clear();
        self.affinities.clear();
        self.wanted.clear();
        self.num_regs = f.num_regs();
        self.nodes.find(f, cfg, loops);
        for k in 0..self.nodes.num_blocks() {
            let b = self.nodes.block(Node::new(k)).expect("the first nodes are blocks");
            f.phis(b).for_each(|i| self.add_phi(f, i, b, loops));
        }
        let phi_affinities = self.affinities.len();
        for (_, b) in self.nodes.blocks() {
            for i in f.layout().insts(b).filter(|i| f.inst(*i).op == Opcode::Copy) {
                if let (Some(to), Some(from)) = (f.def(i), f.inst(i).first().as_reg()) {
                    self.wanted.insert(to);
                    self.wanted.insert(from);
                    let (a, b, depth) = (to.as_u32(), from.as_u32(), loops.depth(b));
                    self.affinities.push(Affinity { a, b, depth, of: Copied::Copy(i) });
                }
            }
        }
        // The sorts are stable: the order of the text decides among the equally deep.
        let (phis, copies) = self.affinities.split_at_mut(phi_affinities);
        phis.sort_by_key(|a| Reverse(a.depth));
        copies.sort_by_key(|a| Reverse(a.depth));
        !self.affinities.is_empty() || f.layout().blocks().any(|b| f.phis(b).next().is_some())
    }
    fn add_phi(&mut self, f: &Function, inst: Inst, block: Block, loops: &LoopForest) {
        let result = f.def(inst).expect("a phi assigns");
        let (first, own) = (self.operands.len() as u32, (self.num_regs + self.phis.len()) as u32);
        self.wanted.insert(result);
        let depth = loops.depth(block);
        self.affinities.push(Affinity { a: own, b: result.as_u32(), depth, of: Copied::Result(inst) });
        for (pred, value) in f.phi_entries(inst) {
            let Some(node) = self.nodes.between(pred, block) else { continue };
            if let Some(r) = value.as_reg() {
                self.wanted.insert(r);
                let of = self.nodes.block(node).unwrap_or(block);
                let (b, depth, number) = (r.as_u32(), loops.depth(of), self.operands.len() as u32);
                self.affinities.push(Affinity { a: own, b, depth, of: Copied::Operand(inst, number) });
            }
            self.operands.push(PhiOperand { value, node });
        }
        self.phis.push(Phi { inst, block, result, operands: (first, self.operands.len() as u32) });
    }
    /// Returns the operands of a phi.
    pub(super) fn operands_of(&self, phi: &Phi) -> &[PhiOperand] {
        &self.operands[phi.operands.0 as usize..phi.operands.1 as usize]
    }

    /// Makes a class of each register, and of each phi's own. If `joins`, classes connected by affinities are joined.
    pub(super) fn join(&mut self, f: &Function, cfg: &Cfg, joins: bool, remarks: &mut Remarks) {
        self.table.reset((self.num_regs + self.phis.len()) as u32);
        if !joins {
            for phi in &self.phis {
                remarks.missed(f, phi.inst, Event::RegisterOfItsOwn);
            }
            return;
        }
        self.values.find(f, cfg);
        self.find_ranges(f, cfg);
        for k in 0..self.affinities.len() {
            let affinity = self.affinities[k];
            let (a, b) = (self.table.find(affinity.a), self.table.find(affinity.b));
            if a == b {
                continue;
            }
            if let Err((of_one, of_other)) = self.table.try_join((a, b), &self.own, &mut self.ranges)
                && remarks.on()
            {
                let held = [of_one, of_other].map(|held| self.value_of(held.value));
                self.report_interference(f, affinity.of, held, remarks);
            }
        }
    }
    /// The ranges of registers and phis.
    fn find_ranges(&mut self, f: &Function, cfg: &Cfg) {
        let reads = self.operands.iter().filter_map(|o| Some((o.node, o.value.as_reg()?)));
        self.phi_reads.fill(self.nodes.len(), reads);
        self.ranges.clear();
        self.own.clear();
        let registers = (&self.wanted, &self.phi_reads);
        self.live.find((f, cfg, &self.nodes), registers, &self.values, (&mut self.ranges, &mut self.own));
        for phi in &self.phis {
            let from = self.ranges.len();
            let node = self.nodes.of_block(phi.block).expect("its block is reachable");
            let start = self.nodes.span(node).start;
            self.ranges.push(Held::new(start, start + 1, self.values.of(phi.result)));
            for k in phi.operands.0..phi.operands.1 {
                let PhiOperand { value, node } = self.operands[k as usize];
                let span = self.nodes.span(node);
                // A constant is a value of its own.
                let value = value.as_reg().map_or(self.num_regs as u32 + k, |r| self.values.of(r));
                self.ranges.push(Held::new(span.copies + 1, span.end, value));
            }
            self.ranges[from..].sort_unstable_by_key(Held::position);
            self.own.push((from as u32, self.ranges.len() as u32));
        }
    }
    /// Returns the register or constant that a value is named by.
    fn value_of(&self, value: u32) -> Operand {
        let constant = || self.operands[value as usize - self.num_regs].value;
        register_of(value, self.num_regs).map_or_else(constant, Operand::reg)
    }
    fn report_interference(&self, f: &Function, of: Copied, [x, y]: [Operand; 2], remarks: &mut Remarks) {
        let (Copied::Operand(i, _) | Copied::Result(i) | Copied::Copy(i)) = of;
        let ty = f.inst(i).ty;
        let (x, y) = ((ty, x), (ty, y));
        let event = match of {
            Copied::Operand(_, k) => Event::OperandIsCopied((ty, self.operands[k as usize].value), x, y),
            Copied::Result(_) => Event::ResultIsCopied(x, y),
            Copied::Copy(_) => Event::CopyNeeded(x, y),
        };
        remarks.missed(f, i, event);
    }

    /// Returns the class of a register.
    #[inline]
    pub(super) fn of_reg(&mut self, r: Reg) -> u32 {
        self.table.find(r.as_u32())
    }
    /// Returns the class of the register of a phi, by its number in [`Classes::phis`].
    #[inline]
    pub(super) fn of_phi(&mut self, k: usize) -> u32 {
        self.table.find((self.num_regs + k) as u32)
    }
}
