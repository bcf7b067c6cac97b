//! The execution of a loop on what is known of its registers.
//!
//! An iteration visits the blocks that it may come to in reverse postorder, in which a loop without others inside has
//! no edge backward but those to its header. A register is a constant or unknown; a branch on constants is decided.
//! The constants that the back edges bring are those of the next iteration's phis.

use crate::analysis::SsaView;
use crate::analysis::known_data::{KnownData, address_of, known_load};
use crate::analysis::loops::nest::LoopNest;
use crate::passes::constfold::{arguments, only_target};
use lir_syntax::ir::{
    Block, Decls, Format, Function, Inst, Mem, Opcode, Operand, PackedOption, Reg, SecondaryMap, Type,
};
use lir_syntax::semantics;

/// The loop that is executed.
#[derive(Copy, Clone)]
pub(super) struct Loop<'a> {
    pub ssa: &'a SsaView,
    pub decls: &'a Decls,
    pub nest: &'a LoopNest,
    pub header: Block,
}

/// The reason a loop is not unrolled.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Refusal {
    /// Constants do not say when it is left.
    NotCounted,
    /// It is left too late.
    TooManyIterations,
    /// Its iterations have too many instructions.
    TooLarge,
}

/// A block that an iteration comes to.
#[derive(Copy, Clone, Debug)]
pub(super) struct Visit {
    pub block: Block,
    /// The one block that it leads to, where a branch or switch is decided.
    pub target: PackedOption<Block>,
}

/// The execution of the loop that was run last.
#[derive(Default)]
pub(super) struct Execution {
    /// The bits of the registers of the loop that are constants in the present iteration.
    values: SecondaryMap<Reg, Option<u64>>,
    visits: Vec<Visit>,
    /// The index in `visits` at which each iteration begins.
    starts: Vec<usize>,
    /// The iteration, of all loops of the function, that came to a block last, from 1; and its decided target there.
    entered: SecondaryMap<Block, u32>,
    decided: SecondaryMap<Block, PackedOption<Block>>,
    iteration: u32,
    /// The blocks that lead back to the header in the present iteration.
    latches: Vec<Block>,
    /// The next values of the header's phis.
    next: Vec<(Reg, Option<u64>)>,
    cost: u32,
    /// Instructions that were executed, those that cost nothing among them.
    executed: u32,
}

/// Instructions that may be copied for each one that costs something.
const MAX_COPIED_PER_COST: u32 = 16;

impl Execution {
    /// Forgets the last function.
    pub(super) fn reset(&mut self, f: &Function) {
        self.values.reset(f.num_regs());
        self.entered.reset(f.num_blocks());
        self.decided.reset(f.num_blocks());
        self.iteration = 0;
    }
    /// Returns the number of iterations.
    pub(super) fn iterations(&self) -> usize {
        self.starts.len()
    }
    /// The blocks that an iteration, from 0, comes to, in reverse postorder: the header first.
    pub(super) fn visits(&self, iteration: usize) -> &[Visit] {
        let end = self.starts.get(iteration + 1).copied().unwrap_or(self.visits.len());
        &self.visits[self.starts[iteration]..end]
    }
    /// The blocks of all iterations.
    pub(super) fn all_visits(&self) -> &[Visit] {
        &self.visits
    }
    /// Executes a loop from its first iteration to the one that does not lead back.
    ///
    /// # Errors
    /// The loop is not to be unrolled.
    pub(super) fn run(
        &mut self,
        f: &Function,
        this: &Loop<'_>,
        max_cost: u32,
        max_iterations: usize,
    ) -> Result<(), Refusal> {
        self.visits.clear();
        self.starts.clear();
        self.cost = 0;
        self.executed = 0;
        let outcome = self.iterate(f, this, max_cost, max_iterations);
        // Another loop knows nothing of what registers hold behind this one.
        for i in this.nest.own_blocks(this.header).iter().flat_map(|b| f.layout().insts(*b)) {
            if let Some(r) = f.def(i) {
                self.values[r] = None;
            }
        }
        outcome
    }
    fn iterate(&mut self, f: &Function, this: &Loop<'_>, max_cost: u32, max_iterations: usize) -> Result<(), Refusal> {
        self.set_phis(f, this, |pred| !this.nest.contains(this.header, pred));
        loop {
            self.starts.push(self.visits.len());
            self.iteration += 1;
            let is_decided = self.execute(f, this);
            if self.cost > max_cost || self.executed / MAX_COPIED_PER_COST > max_cost {
                return Err(Refusal::TooLarge);
            }
            if self.latches.is_empty() {
                return Ok(());
            }
            if !is_decided {
                return Err(Refusal::NotCounted);
            }
            if self.starts.len() == max_iterations {
                return Err(Refusal::TooManyIterations);
            }
            let latches = std::mem::take(&mut self.latches);
            self.set_phis(f, this, |pred| latches.contains(&pred));
            self.latches = latches;
        }
    }
    /// Gives the phis of the header the values that some of its predecessors bring.
    fn set_phis(&mut self, f: &Function, this: &Loop<'_>, brings: impl Fn(Block) -> bool) {
        self.next.clear();
        for phi in f.phis(this.header) {
            if let Some(r) = f.def(phi) {
                self.next.push((r, self.phi(f, this, phi, &brings)));
            }
        }
        for &(r, value) in &self.next {
            self.values[r] = value;
        }
    }
    /// The constant that all of these predecessors bring.
    fn phi(&self, f: &Function, this: &Loop<'_>, phi: Inst, brings: impl Fn(Block) -> bool) -> Option<u64> {
        let ty = f.inst(phi).ty;
        let mut brought = f.phi_entries(phi).filter(|(p, _)| brings(*p)).map(|(_, o)| self.value(f, this, o, ty));
        let first = brought.next()??;
        brought.all(|other| other == Some(first)).then_some(first)
    }
    /// Executes one iteration. Returns whether it was decided at some branch that the loop is not left there.
    fn execute(&mut self, f: &Function, this: &Loop<'_>) -> bool {
        self.latches.clear();
        self.entered[this.header] = self.iteration;
        let stays = |b: Block| this.nest.contains(this.header, b);
        let mut is_decided = false;
        for &b in this.nest.own_blocks(this.header) {
            if self.entered[b] != self.iteration {
                continue;
            }
            for i in f.layout().insts(b) {
                self.executed += 1;
                self.execute_inst(f, this, b, i);
            }
            let last = f.terminator(b);
            let target = only_target(f, b, |o| self.value(f, this, o, f.inst(last).ty));
            self.decided[b] = target.into();
            self.visits.push(Visit { block: b, target: target.into() });
            is_decided |= target.is_some_and(stays) && f.succs(b).iter().any(|s| !stays(*s));
            if target.is_none() {
                self.cost += f.succs(b).len() as u32 - 1;
            }
            for &s in f.succs(b).iter().filter(|s| target.is_none_or(|t| t == **s)) {
                if s == this.header {
                    self.latches.push(b);
                } else if stays(s) {
                    self.entered[s] = self.iteration;
                }
            }
        }
        is_decided
    }
    fn execute_inst(&mut self, f: &Function, this: &Loop<'_>, b: Block, i: Inst) {
        let d = f.inst(i);
        let value = match d.op.format() {
            Format::Const => return,
            Format::Phi if b == this.header => return,
            Format::Phi => self.phi(f, this, i, |pred| self.leads_to(pred, b)),
            Format::Load => self.loaded(f, this, i),
            Format::Select => self.selected(f, this, i),
            _ if semantics::is_value_op(d.op) => arguments(f, i, |o| self.value(f, this, o, d.ty))
                .and_then(|args| semantics::eval(d.op, d.ty, d.aux(), args).ok()),
            _ => None,
        };
        if let Some(r) = f.def(i) {
            self.values[r] = value;
        }
        if value.is_none() {
            self.cost += self.cost(f, this, i);
        }
    }
    /// True if the present iteration may come from one block to another.
    fn leads_to(&self, from: Block, to: Block) -> bool {
        self.entered[from] == self.iteration && self.decided[from].expand().is_none_or(|only| only == to)
    }
    /// The bits of an operand; `ty` is the type of a constant that stands there.
    fn value(&self, f: &Function, this: &Loop<'_>, o: Operand, ty: Type) -> Option<u64> {
        let Some(r) = o.as_reg() else { return f.constant(o).map(|payload| ty.truncate(payload as u64)) };
        self.values[r].or_else(|| {
            let d = f.inst(this.ssa.def(r)?);
            let payload = if d.op.format() == Format::Const { f.constant(d.first()) } else { None };
            payload.map(|payload| f.type_of(r).truncate(payload as u64))
        })
    }
    fn selected(&self, f: &Function, this: &Loop<'_>, i: Inst) -> Option<u64> {
        let d = f.inst(i);
        let (then, otherwise) = f.operands_bc(i);
        let condition = self.value(f, this, d.first(), d.ty)?;
        self.value(f, this, if condition != 0 { then } else { otherwise }, d.ty)
    }
    /// The value of a load from constant data.
    fn loaded(&self, f: &Function, this: &Loop<'_>, i: Inst) -> Option<u64> {
        let d = f.inst(i);
        let mem = f.mem(i);
        if d.is_volatile() {
            return None;
        }
        let index = |r| self.value(f, this, Operand::reg(r), Type::I64).map(|bits| bits as i64);
        let (sym, offset) = address_of(f, &mem, index, |r| this.ssa.def(r))?;
        match known_load(this.decls, sym, offset, d.ty)? {
            KnownData::Bits(bits) => Some(bits),
            KnownData::Address(..) => None,
        }
    }
    /// Returns the number of instructions that one takes whose result is unknown.
    fn cost(&self, f: &Function, this: &Loop<'_>, i: Inst) -> u32 {
        let d = f.inst(i);
        let is_known = |o: Operand| self.value(f, this, o, d.ty).is_some();
        match d.op.format() {
            Format::Const | Format::Phi | Format::Jump | Format::Branch | Format::Switch => 0,
            // Copies of registers, and what becomes the displacement of an address.
            Format::Unary if d.op == Opcode::Copy => 0,
            Format::Binary if matches!(d.op, Opcode::Add | Opcode::Sub) && d.ty == Type::I64 => {
                u32::from(!is_known(d.second()))
            }
            Format::Address => u32::from(!self.is_displacement(f, this, f.mem(i))),
            Format::Call => 4 + f.call_args(i).len() as u32,
            _ => 1,
        }
    }
    /// True if an address is a register or an object and a constant.
    fn is_displacement(&self, f: &Function, this: &Loop<'_>, mem: Mem) -> bool {
        mem.index.is_none_or(|r| self.value(f, this, Operand::reg(r), Type::I64).is_some())
    }
}
