//! Executes a loop on the known values of its registers.
//!
//! An iteration visits the blocks that it may reach in reverse postorder, in which an innermost loop has no edge
//! backward except to its header. A register is unknown, or a constant plus possibly an address or register from before
//! the loop ([`Sum`]); a branch on such values is decided if their order is known ([`LoopContext::sums_hold`]). The
//! operands of the phis on the back edges are the values of the phis in the next iteration.

use crate::analysis::known_data::{KnownData, known_load};
use crate::analysis::linear::{Linear, Sum};
use crate::analysis::loops::induction::LoopContext;
use crate::passes::constfold::{arguments, only_target};
use crate::passes::loop_unroll::events::Event;
use lir_syntax::ir::{
    Base, Block, Decls, Format, Function, Inst, Mem, Opcode, Operand, PackedOption, Reg, SecondaryMap, Type,
};
use lir_syntax::semantics;

/// The loop that is executed.
#[derive(Copy, Clone)]
pub(super) struct Loop<'a> {
    pub cx: LoopContext<'a>,
    pub decls: &'a Decls,
    pub header: Block,
}

impl Loop<'_> {
    fn contains(&self, b: Block) -> bool {
        self.cx.nest.contains(self.header, b)
    }
    fn own_blocks(&self) -> &[Block] {
        self.cx.nest.own_blocks(self.header)
    }
}

/// A block that an iteration reaches.
#[derive(Copy, Clone, Debug)]
pub(super) struct Visit {
    pub block: Block,
    /// The one block that it leads to, where a branch or switch is decided.
    pub target: PackedOption<Block>,
}

/// The execution of the loop that was run last.
#[derive(Default)]
pub(super) struct Execution {
    /// The values of the registers of the loop in the current iteration.
    values: SecondaryMap<Reg, Option<Sum>>,
    visits: Vec<Visit>,
    /// The index in `visits` at which each iteration begins.
    starts: Vec<usize>,
    /// The last iteration, of all loops of the function, that reached a block, from 1; and its decided target there.
    entered: SecondaryMap<Block, u32>,
    decided: SecondaryMap<Block, PackedOption<Block>>,
    iteration: u32,
    /// The blocks that lead back to the header in the current iteration.
    latches: Vec<Block>,
    /// The next values of the header's phis.
    next: Vec<(Reg, Option<Sum>)>,
    cost: u32,
    /// The number of executed instructions, including free ones.
    executed: u32,
}

/// Iterations of a loop that may be unrolled.
pub(super) const MAX_ITERATIONS: usize = 64;
/// Blocks of a loop that may be unrolled.
const MAX_BLOCKS: usize = 64;
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
    /// Returns the blocks that an iteration, from 0, reaches, in reverse postorder: the header first.
    pub(super) fn visits(&self, iteration: usize) -> &[Visit] {
        let end = self.starts.get(iteration + 1).copied().unwrap_or(self.visits.len());
        &self.visits[self.starts[iteration]..end]
    }
    /// Returns the instructions of all iterations but the first.
    pub(super) fn instructions_of_copies(&self, f: &Function) -> usize {
        let first = self.visits(0).iter().map(|v| f.layout().insts(v.block).count()).sum::<usize>();
        (self.executed as usize).saturating_sub(first)
    }
    /// Returns the blocks of all iterations.
    pub(super) fn all_visits(&self) -> &[Visit] {
        &self.visits
    }
    /// Executes a loop from its first iteration to the one that does not lead back.
    ///
    /// # Errors
    /// The loop is not to be unrolled.
    pub(super) fn run(&mut self, this: &Loop<'_>, max_cost: u32) -> Result<(), Event> {
        if !this.cx.is_innermost(this.header) {
            return Err(Event::LoopInside);
        }
        if this.own_blocks().len() > MAX_BLOCKS {
            return Err(Event::TooLargeUnrolled(max_cost));
        }
        self.visits.clear();
        self.starts.clear();
        self.cost = 0;
        self.executed = 0;
        let outcome = self.iterate(this, max_cost);
        // The values of these registers are unknown in other loops.
        for i in this.own_blocks().iter().flat_map(|b| this.cx.f.layout().insts(*b)) {
            if let Some(r) = this.cx.f.def(i) {
                self.values[r] = None;
            }
        }
        outcome
    }
    fn iterate(&mut self, this: &Loop<'_>, max_cost: u32) -> Result<(), Event> {
        self.set_phis(this, |pred| !this.contains(pred));
        loop {
            self.starts.push(self.visits.len());
            self.iteration += 1;
            let is_decided = self.execute(this, max_cost);
            if self.cost > max_cost || self.executed / MAX_COPIED_PER_COST > max_cost {
                return Err(Event::TooLargeUnrolled(max_cost));
            }
            if self.latches.is_empty() {
                return Ok(());
            }
            if !is_decided {
                return Err(Event::NotCounted);
            }
            if self.starts.len() == MAX_ITERATIONS {
                return Err(Event::TooManyIterations(MAX_ITERATIONS));
            }
            let latches = std::mem::take(&mut self.latches);
            self.set_phis(this, |pred| latches.contains(&pred));
            self.latches = latches;
        }
    }
    /// Gives the phis of the header the values that some of its predecessors bring.
    fn set_phis(&mut self, this: &Loop<'_>, brings: impl Fn(Block) -> bool) {
        let f = this.cx.f;
        self.next.clear();
        for phi in f.phis(this.header) {
            if let Some(r) = f.def(phi) {
                self.next.push((r, self.phi(this, phi, &brings)));
            }
        }
        for &(r, value) in &self.next {
            self.values[r] = value;
        }
    }
    /// Returns the value that all of these predecessors bring.
    fn phi(&self, this: &Loop<'_>, phi: Inst, brings: impl Fn(Block) -> bool) -> Option<Sum> {
        let ty = this.cx.f.inst(phi).ty;
        let mut brought = this.cx.f.phi_entries(phi).filter(|(p, _)| brings(*p)).map(|(_, o)| self.sum(this, o, ty));
        let first = brought.next()??;
        brought.all(|other| other == Some(first)).then_some(first)
    }
    /// Executes one iteration, up to a maximum cost. Returns whether it was decided at some branch that the loop is not
    /// left there.
    fn execute(&mut self, this: &Loop<'_>, max_cost: u32) -> bool {
        let f = this.cx.f;
        self.latches.clear();
        self.entered[this.header] = self.iteration;
        let mut is_decided = false;
        for &b in this.own_blocks() {
            if self.entered[b] != self.iteration {
                continue;
            }
            if self.cost > max_cost {
                break;
            }
            for i in f.layout().insts(b) {
                self.executed += 1;
                self.execute_inst(this, b, i);
            }
            let target = self.target(this, b);
            self.decided[b] = target.into();
            self.visits.push(Visit { block: b, target: target.into() });
            is_decided |= target.is_some_and(|t| this.contains(t)) && f.succs(b).iter().any(|s| !this.contains(*s));
            if target.is_none() {
                self.cost += f.succs(b).len() as u32 - 1;
            }
            for &s in f.succs(b).iter().filter(|s| target.is_none_or(|t| t == **s)) {
                if s == this.header {
                    self.latches.push(b);
                } else if this.contains(s) {
                    self.entered[s] = self.iteration;
                }
            }
        }
        is_decided
    }
    /// Returns the one block that a branch or switch leads to.
    fn target(&self, this: &Loop<'_>, b: Block) -> Option<Block> {
        let f = this.cx.f;
        let d = f.inst(f.terminator(b));
        only_target(f, b, |o| self.value(this, o, d.ty)).or_else(|| {
            if d.op.format() != Format::Branch || !d.ty.is_int() {
                return None;
            }
            let (x, y) = (self.sum(this, d.first(), d.ty)?, self.sum(this, d.second(), d.ty)?);
            let holds = this.cx.sums_hold(this.decls, this.header, d.int_cc(), d.ty, x, y)?;
            Some(f.succs(b)[usize::from(!holds)])
        })
    }
    fn execute_inst(&mut self, this: &Loop<'_>, b: Block, i: Inst) {
        let f = this.cx.f;
        let d = f.inst(i);
        let value = match d.op.format() {
            Format::Const => return,
            Format::Phi if b == this.header => return,
            Format::Phi => self.phi(this, i, |pred| self.leads_to(pred, b)),
            Format::Load => self.loaded(this, i),
            Format::Select => self.selected(this, i),
            Format::Address => self.combined(this, Linear::of_mem(f.mem(i)), Type::I64),
            _ if matches!(d.op, Opcode::Add | Opcode::Sub | Opcode::Copy) && d.ty.is_int() => {
                Linear::of(f, i, |_| None).and_then(|linear| self.combined(this, linear, d.ty))
            }
            _ if semantics::is_value_op(d.op) => arguments(f, i, |o| self.value(this, o, d.ty))
                .and_then(|args| semantics::eval(d.op, d.ty.as_word(), d.aux(), args).ok())
                .map(Sum::constant),
            _ => None,
        };
        if let Some(r) = f.def(i) {
            self.values[r] = value;
        }
        if value.is_none_or(|sum| sum.as_constant().is_none()) {
            self.cost += self.cost(this, i);
        }
    }
    /// True if control may pass from one block to another in the current iteration.
    fn leads_to(&self, from: Block, to: Block) -> bool {
        self.entered[from] == self.iteration && self.decided[from].expand().is_none_or(|only| only == to)
    }
    /// Returns the bits of an operand that is a constant; `ty` is the type of one that is written in place.
    fn value(&self, this: &Loop<'_>, o: Operand, ty: Type) -> Option<u64> {
        match o.as_reg() {
            Some(r) if self.values[r].is_some() => self.values[r]?.as_constant(),
            r => Some(r.map_or(ty, |r| this.cx.f.type_of(r)).as_word().truncate(this.cx.constant(o)? as u64)),
        }
    }
    /// Returns the value of an operand of a type.
    fn sum(&self, this: &Loop<'_>, o: Operand, ty: Type) -> Option<Sum> {
        let found = o.as_reg().and_then(|r| self.values[r]);
        let is_outside = || ty.is_int() && this.cx.is_invariant(this.header, o);
        found
            .or_else(|| self.value(this, o, ty).map(Sum::constant))
            .or_else(|| is_outside().then(|| Sum::of(this.cx.f, this.cx.ssa, o, ty.as_word())))
    }
    /// Returns the value of a linear combination that has at most one base, or one less another one of the same base.
    fn combined(&self, this: &Loop<'_>, linear: Linear, ty: Type) -> Option<Sum> {
        let mut sum = Sum { base: linear.base, plus: 0 };
        for (o, factor) in linear.terms() {
            let term = self.sum(this, o, ty)?;
            match (term.base, factor) {
                (Base::None, _) => {}
                (base, 1) if sum.base == Base::None => sum.base = base,
                (base, -1) if sum.base == base => sum.base = Base::None,
                _ => return None,
            }
            sum = sum.add(term.plus.wrapping_mul(factor as u64), ty.as_word());
        }
        Some(sum.add(linear.plus as u64, ty.as_word()))
    }
    fn selected(&self, this: &Loop<'_>, i: Inst) -> Option<Sum> {
        let d = this.cx.f.inst(i);
        let (then, otherwise) = this.cx.f.operands_bc(i);
        let condition = self.value(this, d.first(), d.ty)?;
        self.sum(this, if condition != 0 { then } else { otherwise }, d.ty)
    }
    /// Returns the value of a load from constant data.
    fn loaded(&self, this: &Loop<'_>, i: Inst) -> Option<Sum> {
        let f = this.cx.f;
        let d = f.inst(i);
        if d.is_volatile() {
            return None;
        }
        let at = self.combined(this, Linear::of_mem(f.mem(i)), Type::I64)?;
        let Base::Sym(sym) = at.base else { return None };
        match known_load(this.decls, sym, at.plus as i64, d.ty)? {
            KnownData::Bits(bits) => Some(Sum::constant(bits)),
            KnownData::Address(sym, plus) => Some(Sum { base: Base::Sym(sym), plus: plus as u64 }),
        }
    }
    /// Returns the number of instructions that one takes whose result is unknown.
    fn cost(&self, this: &Loop<'_>, i: Inst) -> u32 {
        let f = this.cx.f;
        let d = f.inst(i);
        let is_known = |o: Operand| self.value(this, o, d.ty).is_some();
        match d.op.format() {
            Format::Const | Format::Phi | Format::Jump | Format::Branch | Format::Switch => 0,
            // Copies of registers, and sums that become the displacement of an address.
            Format::Unary if d.op == Opcode::Copy => 0,
            Format::Binary if matches!(d.op, Opcode::Add | Opcode::Sub) && d.ty == Type::I64 => {
                u32::from(!is_known(d.second()))
            }
            Format::Address => u32::from(!self.is_displacement(this, f.mem(i))),
            Format::Call => 4 + f.call_args(i).len() as u32,
            _ => 1,
        }
    }
    /// True if an address is a register or an object and a constant.
    fn is_displacement(&self, this: &Loop<'_>, mem: Mem) -> bool {
        mem.index.is_none_or(|r| self.value(this, Operand::reg(r), Type::I64).is_some())
    }
}
