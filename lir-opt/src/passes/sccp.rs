//! Sparse conditional constant propagation (`sccp`).
//!
//! Finds the registers that are always the same constant, in the blocks that can be reached given these constants.
//!
//! # Example
//!
//! ```text
//! entry:                                       entry:
//!   jmp test                                     jmp test
//! test:                                        test:
//!   %x = phi i32 [1, entry], [%y, next]          %x = const i32 1
//!   %i = phi i32 [0, entry], [%j, next]          %i = phi i32 [0, entry], [%j, next]
//!   br slt i32 %i, %n, body, done                br slt i32 %i, %n, body, done
//! body:                                        body:
//!   br eq i32 %x, 1, next, other                 jmp next
//! other:                                =>     other:
//!   jmp next                                     jmp next
//! next:                                        next:
//!   %y = phi i32 [%x, body], [2, other]          %y = const i32 1
//!   %j = add i32 %i, 1                           %j = add i32 %i, 1
//!   jmp test                                     jmp test
//! ```
//!
//! # Algorithm
//!
//! 1. Every register is at first *open* (no assignment of it was seen to run); it can become a constant, and then
//!    *varying*, and never changes back. No block is reached except the entry, and no edge is taken.
//! 2. A block that is reached for the first time is visited: its instructions are evaluated in order, its terminator
//!    takes one edge, or all, or (where it is open) none yet.
//! 3. An edge that is taken brings its operand to each phi of its target, where it meets the earlier operands: two
//!    different constants are varying. An operand that the branch on the path compares with a constant is that constant
//!    on the edge where they are equal, and after it ([`Solver::proved`]).
//! 4. A register that was lowered after it was read has its readers evaluated again, if their blocks are reached; phis
//!    if the edge is taken.
//! 5. When nothing changes any more, a constant register is constant and a block that is not reached never runs:
//!    `constfold` writes that into the function, as its steps 2 and 3.
//!
//! Operations are evaluated by [`semantics`]. Some are known for one operand: `x & 0`, `x | -1`, `x * 0`. A load from
//! constant data is evaluated for a constant index.
//!
//! # Why it is sound
//!
//! Suppose a run of the function whose first value that differs from the findings is given by an instruction I. The
//! block of I was entered by an edge that is taken, since the branch before it agrees with the findings, and the
//! operands of I agree too; so I was evaluated for them, last when the last of them was lowered, and does not differ.
//! An operation that traps counts as varying, and stays. Cycles of phis begin with the values from outside, so values
//! that hold only if they hold are found, which the pessimistic `constfold` cannot do.
//!
//! # Cost and limits
//!
//! Linear: a register is lowered twice at most, and its readers are looked at then; an edge is taken once, and brings
//! its operands to phis once, whatever their number. The fact that a comparison proves (`x == 5`) is used for phis, by
//! the nearest branch above the edge; for other instructions it is left to `gvn`. If no constants are found except the
//! ones in the code, the function is left alone, `constfold`'s writing of them into operands included.
//!
//! # Source
//!
//! M. N. Wegman, F. K. Zadeck, "Constant Propagation with Conditional Branches", TOPLAS 13(2), 1991, section 3.4.
//! Departure: a terminator's state (none, one, all) replaces the flags of its edges.

use super::constfold::{FoldingScratch, apply, arguments, only_target};
use crate::analysis::Preserved;
use crate::analysis::SsaView;
use crate::analysis::branches::decision_tree::OnlyPreds;
use crate::analysis::branches::edge_facts::edge_fact;
use crate::analysis::known_data::{KnownData, address_of, known_load};
use crate::pass::remarks::{Common, Message, Remarks, Said};
use crate::pass::remarks::{Words, events};
use crate::pass::{Pass, PassContext, PassInfo, SsaPass};
use crate::tables::groups::Groups;
use lir_syntax::ir::{
    Block, Decls, Effects, EntitySet, Format, Function, Inst, IntCC, Opcode, Operand, PackedOption, Predicate, Reg,
    SecondaryMap, Type,
};
use lir_syntax::semantics;

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "sccp",
    summary: "propagate constants along executable edges only, also around loops",
    options: &[],
    build: |_| Pass::Ssa(Box::new(Sccp)),
};

struct Sccp;

/// The entries of a phi that are looked at for a remark.
const MAX_ENTRIES: usize = 64;

impl SsaPass for Sccp {
    fn run(&self, f: &mut Function, ssa: &SsaView, cx: &mut PassContext<'_>) -> Preserved {
        let mut solver = cx.scratch.take::<Solver>();
        solver.reset(f);
        solver.solve(&Around { f, ssa, decls: cx.decls });
        if cx.remarks.on() {
            solver.report_varying(f, ssa, cx.remarks);
        }
        let mut preserved = Preserved::All;
        if solver.found_something(f, ssa) {
            let mut scratch = cx.scratch.take::<FoldingScratch>();
            solver.tell(f, &mut scratch);
            preserved = apply(f, cx, &mut scratch);
            cx.scratch.give_back(scratch);
        }
        cx.scratch.give_back(solver);
        preserved
    }
}

/// The facts about a register.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
enum Value {
    /// Nothing was seen to assign it.
    #[default]
    Open,
    /// It holds these bits, zero-extended.
    Const(u64),
    /// It may hold several values.
    Varying,
}

impl Value {
    fn meet(self, other: Value) -> Value {
        match (self, other) {
            (Value::Open, v) | (v, Value::Open) => v,
            (a, b) if a == b => a,
            (Value::Const(_) | Value::Varying, Value::Const(_) | Value::Varying) => Value::Varying,
        }
    }
    fn bits(self) -> Option<u64> {
        if let Value::Const(bits) = self { Some(bits) } else { None }
    }
}

/// The edges of a block that are taken.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
enum Taken {
    #[default]
    None,
    One(Block),
    All,
}

/// The operand of a phi for a predecessor.
#[derive(Copy, Clone)]
struct Entry {
    from: Block,
    operand: Operand,
    value: Value,
}

impl Said for (Type, Entry) {
    fn write(&self, m: &mut Message<'_>) {
        let (ty, Entry { from, operand, value }) = *self;
        match value.bits().filter(|_| ty.is_int()) {
            Some(bits) => m.text(ty.as_word().sign_extend(bits)),
            None => m.say((ty, operand)),
        };
        m.text(" from ").say(from);
    }
}

/// The instruction that reads a register. For a phi, the block at whose end it reads.
#[derive(Copy, Clone)]
struct Reader {
    inst: Inst,
    phi_pred: PackedOption<Block>,
}

/// The function and the facts about it.
#[derive(Copy, Clone)]
struct Around<'a> {
    f: &'a Function,
    ssa: &'a SsaView,
    decls: &'a Decls,
}

#[derive(Default)]
struct Solver {
    values: SecondaryMap<Reg, Value>,
    taken: SecondaryMap<Block, Taken>,
    reached: EntitySet<Block>,
    /// The instructions that read a register and can be a constant, or have several targets.
    readers: Groups<Reg, Reader>,
    /// The entries of phis by predecessor: the phi and its operand.
    entries: Groups<Block, (Inst, Operand)>,
    /// Blocks that were reached and not yet visited.
    blocks: Vec<Block>,
    /// Registers that were lowered.
    regs: Vec<Reg>,
    /// Registers that were open when they were read.
    awaited: EntitySet<Reg>,
    /// True if `readers` is filled.
    has_readers: bool,
    /// `readers` and `entries` before they are in groups.
    reads: Vec<(Reg, Reader)>,
    phi_entries: Vec<(Block, (Inst, Operand))>,
    only_preds: OnlyPreds,
}

impl Solver {
    /// Step 1.
    fn reset(&mut self, f: &Function) {
        self.values.reset(f.num_regs());
        self.taken.reset(f.num_blocks());
        self.reached.clear();
        self.awaited.clear();
        self.has_readers = false;
        self.phi_entries.clear();
        for phi in f.layout().blocks().flat_map(|b| f.phis(b)) {
            self.phi_entries.extend(f.phi_entries(phi).map(|(pred, o)| (pred, (phi, o))));
        }
        // Only phis are queried.
        if !self.phi_entries.is_empty() {
            self.only_preds.recompute(f);
        }
        self.entries.fill(f.num_blocks(), self.phi_entries.iter().copied());
        f.param_regs().for_each(|r| self.values[r] = Value::Varying);
    }
    /// Makes the table of readers, which most functions without loops do not need.
    fn find_readers(&mut self, f: &Function) {
        self.reads.clear();
        for i in f.layout().all_insts() {
            let op = f.inst(i).op;
            if semantics::is_value_op(op) || matches!(op.format(), Format::Branch | Format::Switch) {
                f.for_each_use(i, |r| self.reads.push((r, Reader { inst: i, phi_pred: None.into() })));
            } else if op.format() == Format::Load
                && let Some(r) = f.mem(i).index
            {
                self.reads.push((r, Reader { inst: i, phi_pred: None.into() }));
            }
        }
        let of_phis = self
            .phi_entries
            .iter()
            .filter_map(|(pred, (inst, o))| Some((o.as_reg()?, Reader { inst: *inst, phi_pred: (*pred).into() })));
        self.reads.extend(of_phis);
        self.readers.fill(f.num_regs(), self.reads.iter().copied());
        self.has_readers = true;
    }
    fn solve(&mut self, around: &Around<'_>) {
        self.reach(around.f.entry());
        loop {
            if let Some(r) = self.regs.pop() {
                self.visit_readers(around, r);
            } else if let Some(b) = self.blocks.pop() {
                self.visit_block(around, b);
            } else {
                break;
            }
        }
    }
    fn reach(&mut self, b: Block) {
        if self.reached.insert(b) {
            self.blocks.push(b);
        }
    }
    /// Step 2.
    fn visit_block(&mut self, around: &Around<'_>, b: Block) {
        let f = around.f;
        for i in f.layout().insts(b) {
            if f.inst(i).op.format() != Format::Phi {
                self.visit_inst(around, i);
            }
        }
        self.visit_terminator(f, b);
    }
    /// Step 4.
    fn visit_readers(&mut self, around: &Around<'_>, r: Reg) {
        let f = around.f;
        if !self.has_readers {
            self.find_readers(f);
        }
        for k in 0..self.readers.get(r).len() {
            let Reader { inst, phi_pred } = self.readers.get(r)[k];
            let b = f.layout().block_of(inst).expect("only instructions in blocks read");
            if let Some(pred) = phi_pred.expand() {
                if self.is_taken(pred, b) {
                    let value = self.proved(f, (pred, b), Operand::reg(r)).unwrap_or(self.values[r]);
                    self.lower_phi(f, inst, value);
                }
            } else if self.reached.contains(b) {
                if f.inst(inst).op.is_terminator() {
                    self.visit_terminator(f, b);
                } else {
                    self.visit_inst(around, inst);
                }
            }
        }
    }
    fn is_taken(&self, from: Block, to: Block) -> bool {
        match self.taken[from] {
            Taken::None => false,
            Taken::One(only) => only == to,
            Taken::All => true,
        }
    }
    fn visit_inst(&mut self, around: &Around<'_>, i: Inst) {
        let f = around.f;
        let Some(r) = f.def(i) else { return };
        let d = f.inst(i);
        if self.values[r] == Value::Varying {
            return;
        }
        let value = if semantics::is_value_op(d.op) {
            if self.awaits(f, i) {
                return;
            }
            self.evaluate(f, i)
        } else if d.op.format() == Format::Const {
            self.operand(f, d.first(), d.ty)
        } else if d.op.format() == Format::Load {
            self.loaded(around, i)
        } else {
            Value::Varying
        };
        self.lower(r, value);
    }
    fn lower(&mut self, r: Reg, value: Value) {
        let old = self.values[r];
        let new = old.meet(value);
        if new != old {
            self.values[r] = new;
            // Instructions that have not read it yet will see the new value.
            if old != Value::Open || self.awaited.contains(r) {
                self.regs.push(r);
            }
        }
    }
    /// Returns the constant that a register is known to hold on an edge: the nearest branch or switch above takes this
    /// path only where they are equal. The search moves up through blocks with one incoming edge.
    fn proved(&self, f: &Function, (mut from, mut to): (Block, Block), o: Operand) -> Option<Value> {
        const MAX_BLOCKS: usize = 4;
        o.as_reg()?;
        for _ in 0..MAX_BLOCKS {
            let i = f.terminator(from);
            let d = f.inst(i);
            if d.op.format() != Format::Jump {
                return (d.first() == o).then(|| equal_on_edge(f, from, to)).flatten().map(Value::Const);
            }
            to = from;
            from = self.only_preds.get(from)?;
        }
        None
    }
    fn lower_phi(&mut self, f: &Function, phi: Inst, value: Value) {
        if let Some(r) = f.def(phi) {
            self.lower(r, value);
        }
    }
    /// Returns the value of an operand; `ty` is the type of a constant operand.
    #[inline]
    fn operand(&self, f: &Function, o: Operand, ty: Type) -> Value {
        match o.as_reg() {
            Some(r) => self.values[r],
            None => f.constant_bits(o, ty.as_word()).map_or(Value::Varying, Value::Const),
        }
    }
    /// True if some operand is open. An instruction waits for the open ones.
    fn awaits(&mut self, f: &Function, i: Inst) -> bool {
        let mut open = false;
        f.for_each_use(i, |r| {
            if self.values[r] == Value::Open {
                open = true;
                self.awaited.insert(r);
            }
        });
        open
    }
    /// Returns the value of an operation from facts about its operands. None of these is open.
    fn evaluate(&self, f: &Function, i: Inst) -> Value {
        let d = f.inst(i);
        let value = |o| self.operand(f, o, d.ty);
        if d.op.format() == Format::Select {
            let (if_true, if_false) = f.operands_bc(i);
            return match value(d.first()).bits() {
                Some(condition) => value(if condition != 0 { if_true } else { if_false }),
                None => value(if_true).meet(value(if_false)),
            };
        }
        match arguments(f, i, |o| value(o).bits()) {
            Some(args) => semantics::eval(d.op, d.ty.as_word(), d.aux(), args).map_or(Value::Varying, Value::Const),
            None => absorbing(d.op, d.ty)
                .filter(|absorbing| [d.first(), d.second()].iter().any(|o| value(*o) == Value::Const(*absorbing)))
                .map_or(Value::Varying, Value::Const),
        }
    }
    /// Returns the value of a load from constant data. The load waits for an open index.
    fn loaded(&mut self, around: &Around<'_>, i: Inst) -> Value {
        let f = around.f;
        let (d, mem) = (f.inst(i), f.mem(i));
        if d.is_volatile() || d.op.effects().has(Effects::WRITES) {
            return Value::Varying;
        }
        let index = mem.index.map_or(Value::Const(0), |r| self.values[r]);
        if let (Value::Open, Some(r)) = (index, mem.index) {
            self.awaited.insert(r);
            return Value::Open;
        }
        let known = address_of(f, &mem, |_| index.bits().map(|bits| bits as i64), |r| around.ssa.def(r))
            .and_then(|(s, offset)| known_load(around.decls, s, offset, d.ty));
        match known {
            Some(KnownData::Bits(bits)) => Value::Const(bits),
            Some(KnownData::Address(..)) | None => Value::Varying,
        }
    }
    /// The end of step 2, and step 3.
    fn visit_terminator(&mut self, f: &Function, b: Block) {
        let i = f.terminator(b);
        let d = f.inst(i);
        let chooses = matches!(d.op.format(), Format::Branch | Format::Switch);
        if self.taken[b] == Taken::All || (chooses && self.awaits(f, i)) {
            return;
        }
        match only_target(f, b, |o| self.operand(f, o, d.ty).bits()) {
            Some(only) => self.take(f, b, Taken::One(only)),
            None => self.take(f, b, Taken::All),
        }
    }
    /// Takes edges of a block, including edges taken before.
    fn take(&mut self, f: &Function, b: Block, taken: Taken) {
        if self.taken[b] == taken {
            return;
        }
        self.taken[b] = taken;
        for k in 0..self.entries.get(b).len() {
            let (phi, o) = self.entries.get(b)[k];
            let to = f.layout().block_of(phi).expect("only instructions in blocks read");
            if self.is_taken(b, to) {
                let value = self.proved(f, (b, to), o).unwrap_or_else(|| self.operand(f, o, f.inst(phi).ty));
                if let (Value::Open, Some(r)) = (value, o.as_reg()) {
                    self.awaited.insert(r);
                }
                self.lower_phi(f, phi, value);
            }
        }
        match taken {
            Taken::None => {}
            Taken::One(only) => self.reach(only),
            Taken::All => f.succs(b).iter().for_each(|s| self.reach(*s)),
        }
    }

    /// True if an instruction but `const` gives a constant, or an edge is never taken.
    fn found_something(&self, f: &Function, ssa: &SsaView) -> bool {
        let computed = |i: Inst| f.inst(i).op.format() != Format::Const;
        let decided = |b: Block| matches!(self.taken[b], Taken::One(s) if f.succs(b).iter().any(|t| *t != s));
        f.regs.keys().any(|r| self.values[r].bits().is_some() && ssa.def(r).is_some_and(computed))
            || self.reached.iter().any(decided)
    }
    /// Reports why branches decided by a phi and a constant on some paths stay. Reports operations on constants that
    /// trap, too.
    fn report_varying(&self, f: &Function, ssa: &SsaView, remarks: &mut Remarks) {
        for b in f.layout().blocks().filter(|b| self.reached.contains(*b)) {
            for i in f.layout().insts(b).filter(|i| semantics::is_value_op(f.inst(*i).op)) {
                let args = arguments(f, i, |o| self.operand(f, o, f.inst(i).ty).bits());
                let d = f.inst(i);
                if args.is_some_and(|args| semantics::eval(d.op, d.ty.as_word(), d.aux(), args).is_err()) {
                    remarks.missed(f, i, Common::WouldTrap);
                }
            }
            let branch = f.terminator(b);
            if f.succs(b).len() < 2 || self.taken[b] != Taken::All {
                continue;
            }
            let Some(phi) = self.phi_of_branch(f, ssa, branch) else { continue };
            let Some((known, varying)) = self.differing(f, phi) else { continue };
            let ty = f.inst(phi).ty;
            remarks.missed(f, branch, Event::Varies(&(ty, known), &(ty, varying)));
        }
    }
    /// Returns the phi that a branch compares with a constant. It does so itself, or tests the result of a comparison.
    fn phi_of_branch(&self, f: &Function, ssa: &SsaView, branch: Inst) -> Option<Inst> {
        let compared = |i: Inst| {
            let d = f.inst(i);
            let with_constant = d.op.format() == Format::Switch || self.operand(f, d.second(), d.ty).bits().is_some();
            ssa.def(d.first().as_reg().filter(|_| with_constant)?)
        };
        let i = compared(branch)?;
        let i = if f.inst(i).op.format() == Format::Compare { compared(i)? } else { i };
        (f.inst(i).op.format() == Format::Phi).then_some(i)
    }
    /// Returns a constant entry of a phi, and a different one, both on taken edges. Only the first entries are looked
    /// at.
    fn differing(&self, f: &Function, phi: Inst) -> Option<(Entry, Entry)> {
        let (to, ty) = (f.layout().block_of(phi)?, f.inst(phi).ty);
        let taken = || {
            let entries = f.phi_entries(phi).take(MAX_ENTRIES).filter(|(from, _)| self.is_taken(*from, to));
            entries.map(|(from, operand)| {
                let proved = self.proved(f, (from, to), operand);
                Entry { from, operand, value: proved.unwrap_or_else(|| self.operand(f, operand, ty)) }
            })
        };
        let known = taken().find(|e| e.value.bits().is_some())?;
        let other = taken().find(|e| e.value != known.value)?;
        Some((known, other))
    }
    /// Step 5.
    fn tell(&self, f: &mut Function, scratch: &mut FoldingScratch) {
        scratch.reset_in_ssa_form(f);
        for b in self.reached.iter() {
            scratch.assume_reached(b);
        }
        for r in f.regs.keys() {
            if let Value::Const(bits) = self.values[r] {
                scratch.assume(f, r, bits);
            }
        }
    }
}

/// Returns the constant that the operand of a branch or switch equals on an edge.
fn equal_on_edge(f: &Function, from: Block, to: Block) -> Option<u64> {
    let c = edge_fact(f, from, to).filter(|c| c.predicate == Predicate::Int(IntCC::Eq))?;
    f.constant_bits(c.b, c.ty.as_word())
}

/// Returns the operand that is itself the result of an operation, whatever the other operand is.
fn absorbing(op: Opcode, ty: Type) -> Option<u64> {
    if op == Opcode::And || op == Opcode::Mul || op == Opcode::Umin {
        Some(0)
    } else if op == Opcode::Or || op == Opcode::Umax {
        Some(ty.as_word().mask())
    } else {
        None
    }
}

events! {
    enum Event<'a> {
        Varies(known: Words<'a>, varying: Words<'a>): "varies", "its operand is {known}, but {varying}";
    }
}
