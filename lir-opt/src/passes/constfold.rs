//! Constant folding (`constfold`).
//!
//! Folds operations on constants, and branches that always jump to one target.
//!
//! # Example
//!
//! ```text
//! entry:                                       entry:
//!   %a = const i32 6                             %a = const i32 6
//!   %b = mul i32 %a, 7                           %b = const i32 42
//!   %c = add i32 %b, %x                          %c = add i32 %x, 42
//!   br slt i32 %b, 40, left, right        =>     jmp right
//! ```
//!
//! # Algorithm
//!
//! 1. Registers with more than one assignment are set aside: their values are never known.
//! 2. The blocks that can be reached are visited in reverse postorder, so that an operation comes after the ones that
//!    compute its operands, loops aside. A known operand is written into the instruction where a constant is allowed, a
//!    known index of an address becomes a part of its displacement, and a constant first operand changes places with
//!    the second if the operation commutes or is a comparison (constants are the second operand everywhere after this
//!    pass). An operation on constants becomes a `const`, a `select` on a constant a `copy`; a phi whose entries from
//!    blocks that can be reached are the same constant is one. A terminator on constants is noted with the edge it
//!    takes, and only that edge leads on.
//! 3. Phi entries that are known become constants; noted terminators become `jmp`, their other edges and the phi
//!    entries of these are removed.
//!
//! # Why it is sound
//!
//! The only assignment of a register dominates its reads, so its value is the assigned one in both forms of a function.
//! Values come from [`semantics`], which the interpreter uses too; an operation that traps there is left as it is. A
//! block before the present one in reverse postorder that was not reached is never reached: only a retreating edge
//! could still lead there, and in a reducible graph its source is dominated by its target. In a graph with irreducible
//! regions every block counts as reached.
//!
//! # Cost and limits
//!
//! Linear in instructions and phi entries; chains fold in one run. A phi of a loop folds only if the values of its back
//! edges are known before it is visited: `sccp`, which ends with steps 2 and 3, finds more. Blocks that are cut off
//! stay: see `simplify-cfg`. Identities such as `x + 0` are not a matter of this pass.
//!
//! # Source
//!
//! Folklore; S. S. Muchnick, "Advanced Compiler Design and Implementation", 1997, section 12.1. The treatment of phis
//! and edges is the pessimistic half of M. N. Wegman, F. K. Zadeck, "Constant Propagation with Conditional Branches",
//! TOPLAS 13(2), 1991.

use crate::analysis::Preserved;
use crate::analysis::assignments::{Assignments, Ends};
use crate::analysis::bounds::{self, MAX_SYMBOL_OFFSET, stays_inside};
use crate::edit::edges::drop_stale_phi_entries;
use crate::edit::reads::reads_any;
use crate::pass::remarks::{At, Common, Remarks};
use crate::pass::remarks::{Typed, events};
use crate::pass::{FunctionPass, Pass, PassContext, PassInfo};
use lir_syntax::ir::{
    Base, Block, Cfg, Decls, EntitySet, Format, Function, Inst, InstData, Mem, Opcode, Operand, PackedOption, Reg,
    SecondaryMap, Type,
};
use lir_syntax::semantics;

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "constfold",
    summary: "fold operations, branches and switches on constants",
    options: &[],
    build: |_| Pass::Function(Box::new(ConstFold)),
};

struct ConstFold;

impl FunctionPass for ConstFold {
    fn run(&self, f: &mut Function, cx: &mut PassContext<'_>) -> Preserved {
        let mut scratch = cx.scratch.take::<FoldingScratch>();
        scratch.reset(f);
        let cfg = cx.analyses.cfg(f);
        Folder { f, decls: cx.decls, cfg, scratch: &mut scratch, remarks: cx.remarks, reach: Reach::All }
            .visit_blocks();
        if !scratch.decided_blocks.is_empty() && !cx.analyses.loops(f).2.has_irreducible() {
            // Blocks are cut off. Now that it matters, look again at the remaining blocks only.
            let cfg = cx.analyses.cfg(f);
            Folder { f, decls: cx.decls, cfg, scratch: &mut scratch, remarks: cx.remarks, reach: Reach::AsVisited }
                .visit_blocks();
        }
        if cx.remarks.on() {
            scratch.report_skipped(f, cx.remarks);
        }
        let preserved = scratch.finish(f, cx);
        cx.scratch.give_back(scratch);
        preserved
    }
}

/// Steps 2 and 3 for a pass that has found all facts: a register that it has not passed to [`FoldingScratch::assume`]
/// is not known, a block that it has not passed to [`FoldingScratch::assume_reached`] is not reached.
pub(super) fn apply(f: &mut Function, cx: &mut PassContext<'_>, scratch: &mut FoldingScratch) -> Preserved {
    let cfg = cx.analyses.cfg(f);
    Folder { f, decls: cx.decls, cfg, scratch, remarks: cx.remarks, reach: Reach::Told }.visit_blocks();
    scratch.finish(f, cx)
}

/// The known facts, and the changes made.
#[derive(Default)]
pub(super) struct FoldingScratch {
    assignments: Assignments,
    /// The constants that registers are known to hold; only of registers with one assignment.
    known: SecondaryMap<Reg, Option<Operand>>,
    /// Blocks that some path leads to, as far as the visit has come.
    reached: EntitySet<Block>,
    /// The targets of terminators that always jump there, for terminators with another target.
    decided: SecondaryMap<Block, PackedOption<Block>>,
    /// The blocks that have an entry in `decided`.
    decided_blocks: Vec<Block>,
    /// Targets of removed edges.
    cut: Vec<Block>,
    phis: Vec<Inst>,
    /// The memory operands of the present instruction.
    mems: Vec<Mem>,
    folded: u64,
    changed: bool,
}

impl FoldingScratch {
    /// Step 1.
    fn reset(&mut self, f: &Function) {
        self.reset_in_ssa_form(f);
        self.assignments.count(f);
    }
    /// Reports, for the constants that step 1 sets aside, the other values of their registers.
    fn report_skipped(&self, f: &Function, remarks: &mut Remarks) {
        let is_set_aside =
            |i: &Inst| f.inst(*i).op == Opcode::Const && f.def(*i).is_some_and(|r| !self.assignments.is_single(r));
        let mut ends = None;
        for i in f.layout().all_insts().filter(is_set_aside) {
            let Some(r) = f.def(i) else { continue };
            let other = ends.get_or_insert_with(|| Ends::of(f)).other(r, i);
            remarks.missed(f, i, Event::AssignedElsewhere(other.map(At)));
        }
    }
    /// Step 1 where every register has one assignment.
    pub(super) fn reset_in_ssa_form(&mut self, f: &Function) {
        self.assignments.clear();
        self.reached.clear();
        self.known.reset(f.num_regs());
        self.decided.reset(f.num_blocks());
        self.decided_blocks.clear();
        self.cut.clear();
        self.folded = 0;
        self.changed = false;
    }
    /// Tells that a register holds a constant wherever reached code reads it. The register must have one assignment.
    pub(super) fn assume(&mut self, f: &mut Function, r: Reg, bits: u64) {
        self.known[r] = Some(f.make_typed_const(f.type_of(r), bits));
    }
    /// Notes that control may reach a block.
    pub(super) fn assume_reached(&mut self, b: Block) {
        self.reached.insert(b);
    }
    /// Step 3.
    fn finish(&mut self, f: &mut Function, cx: &mut PassContext<'_>) -> Preserved {
        self.rewrite_phis(f, cx.decls, cx.analyses.cfg(f), cx.remarks);
        self.apply_decisions(f, cx.remarks);
        let decided = self.decided_blocks.len() as u64;
        if decided != 0 {
            drop_stale_phi_entries(f, cx.analyses.cfg(f), &mut self.cut);
        }
        cx.stats.add("operations computed", self.folded);
        cx.stats.add("branches decided", decided);
        if decided != 0 { Preserved::None } else { Preserved::cfg_if(self.changed) }
    }
    /// Returns the bits of an operand; `ty` is the type of a constant operand.
    #[inline]
    fn value(&self, f: &Function, o: Operand, ty: Type) -> Option<u64> {
        let bits = |o, ty: Type| f.constant_bits(o, ty.as_word());
        match o.as_reg() {
            Some(r) => self.known[r].and_then(|k| bits(k, f.type_of(r))),
            None => bits(o, ty),
        }
    }
    #[inline]
    fn record(&mut self, r: Reg, constant: Operand) {
        if self.assignments.is_single(r) {
            self.known[r] = Some(constant);
        }
    }
    /// Step 3, the phi entries.
    fn rewrite_phis(&mut self, f: &mut Function, decls: &Decls, cfg: &Cfg, remarks: &mut Remarks) {
        let mut phis = std::mem::take(&mut self.phis);
        for &b in cfg.rpo() {
            phis.clear();
            phis.extend(f.phis(b));
            for &phi in &phis {
                if self.reads_known(f, phi) && self.write_constants(f, decls, phi) {
                    remarks.done(f, phi, Event::OperandKnown);
                }
            }
        }
        self.phis = phis;
    }
    /// Step 3, the terminators.
    fn apply_decisions(&mut self, f: &mut Function, remarks: &mut Remarks) {
        for &b in &self.decided_blocks {
            let Some(target) = self.decided[b].expand() else { continue };
            remarks.done(f, f.terminator(b), Common::Decided(target));
            self.cut.extend(f.succs(b).iter().filter(|s| **s != target));
            f.replace_inst(f.terminator(b), InstData::new(Opcode::Jmp, Type::I64));
            f.set_succs(b, &[target]);
        }
    }
    /// True if an instruction reads a register that is known.
    fn reads_known(&self, f: &Function, i: Inst) -> bool {
        reads_any(f, i, |r| self.known[r].is_some())
    }
    /// Writes constants for known registers wherever one is allowed. Returns whether there was any.
    fn write_constants(&mut self, f: &mut Function, decls: &Decls, i: Inst) -> bool {
        let mut written = false;
        bounds::rewrite_uses(f, decls, i, |u| match self.known[u.reg] {
            Some(constant) if u.may_be_const => {
                written = true;
                constant
            }
            _ => Operand::reg(u.reg),
        });
        written |= self.write_displacements(f, decls, i);
        self.changed |= written;
        written
    }
    /// Puts known indices of addresses into displacements. Returns whether there was any.
    fn write_displacements(&mut self, f: &mut Function, decls: &Decls, i: Inst) -> bool {
        self.mems.clear();
        f.for_each_mem(i, |m| self.mems.push(m));
        let mut written = false;
        for k in 0..self.mems.len() {
            if let Some(m) = self.displaced(f, self.mems[k]).filter(|m| stays_inside(f, decls, i, k, m)) {
                self.mems[k] = m;
                written = true;
            }
        }
        if written {
            f.set_mems(i, &self.mems);
        }
        written
    }
    /// Returns an address with a base whose index is known, if a displacement can hold it.
    fn displaced(&self, f: &Function, m: Mem) -> Option<Mem> {
        let index = self.value(f, Operand::reg(m.index?), Type::I64)? as i64;
        let disp = index.checked_mul(m.scale.into())?.checked_add(m.disp.into())?;
        let disp = i32::try_from(disp).ok()?;
        match m.base {
            Base::None => None,
            Base::Sym(_) if disp.unsigned_abs() >= MAX_SYMBOL_OFFSET => None,
            Base::Sym(_) | Base::Obj(_) | Base::Reg(_) => Some(Mem::base_disp(m.base, disp)),
        }
    }
}

/// Step 2.
struct Folder<'a> {
    f: &'a mut Function,
    decls: &'a Decls,
    cfg: &'a Cfg,
    scratch: &'a mut FoldingScratch,
    remarks: &'a mut Remarks,
    reach: Reach,
}

/// The blocks that count as reached.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Reach {
    /// All of the graph.
    All,
    /// The blocks that earlier ones in reverse postorder lead to; the others are left out.
    AsVisited,
    /// The blocks that the pass assumed; the others are left out.
    Told,
}

impl Folder<'_> {
    fn visit_blocks(&mut self) {
        if self.reach != Reach::Told {
            self.scratch.reached.clear();
            self.scratch.reached.insert(self.f.entry());
        }
        for &b in self.cfg.rpo() {
            if self.reach != Reach::All && !self.scratch.reached.contains(b) {
                continue;
            }
            self.visit_phis(b);
            let mut at = self.f.layout().first_inst(b);
            while let Some(i) = at {
                at = self.f.layout().next_inst(i);
                if self.f.inst(i).op != Opcode::Phi {
                    self.visit_inst(i);
                }
            }
            self.visit_terminator(b);
        }
    }

    /// Makes a phi a constant where all that can come in is the same one. It moves below the other phis.
    fn visit_phis(&mut self, b: Block) {
        let mut at = self.f.layout().first_inst(b);
        let mut body = None;
        while let Some(phi) = at.filter(|i| self.f.inst(*i).op == Opcode::Phi) {
            at = self.f.layout().next_inst(phi);
            let d = *self.f.inst(phi);
            let Some(dst) = d.result() else { continue };
            let constant = match self.reach {
                Reach::Told => self.scratch.known[dst],
                Reach::All | Reach::AsVisited => self.phi_value(b, phi).map(|v| self.f.make_typed_const(d.ty, v)),
            };
            let Some(constant) = constant else { continue };
            let data = InstData::move_of(d.ty, constant).with_result(d.result());
            let below = *body.get_or_insert_with(|| {
                let first = self.f.layout().insts(b).find(|i| self.f.inst(*i).op != Opcode::Phi);
                first.expect("a block ends in a terminator")
            });
            self.f.insert_before_at(below, data, self.f.debug_loc(phi));
            self.tell(phi, constant);
            self.f.remove_inst(phi);
            self.scratch.record(dst, constant);
            self.scratch.folded += 1;
            self.scratch.changed = true;
        }
    }
    fn tell(&mut self, i: Inst, constant: Operand) {
        let f = &*self.f;
        self.remarks.done(f, i, Common::Computed((f.def(i).map_or(f.inst(i).ty, |r| f.type_of(r)), constant)));
    }
    fn phi_value(&self, b: Block, phi: Inst) -> Option<u64> {
        let d = self.f.inst(phi);
        let dst = d.result()?;
        let mut value = None;
        for (pred, o) in self.f.phi_entries(phi) {
            let itself = o.as_reg() == Some(dst) && self.scratch.assignments.is_single(dst);
            if itself || !self.may_come_from(pred, b) {
                continue;
            }
            let entry = self.scratch.value(self.f, o, d.ty)?;
            if value.is_some_and(|v| v != entry) {
                return None;
            }
            value = Some(entry);
        }
        value
    }
    /// True if control may reach `b` from its predecessor `pred`.
    fn may_come_from(&self, pred: Block, b: Block) -> bool {
        let leads_away = self.scratch.decided[pred].expand().is_some_and(|target| target != b);
        let reached = match self.reach {
            Reach::All => true,
            Reach::AsVisited => {
                self.scratch.reached.contains(pred) || self.cfg.rpo_index(pred) >= self.cfg.rpo_index(b)
            }
            Reach::Told => self.scratch.reached.contains(pred),
        };
        !leads_away && reached && self.cfg.is_reachable(pred)
    }

    fn visit_inst(&mut self, i: Inst) {
        let d = *self.f.inst(i);
        match d.op.format() {
            Format::Const => {
                if let Some(r) = d.result() {
                    self.scratch.record(r, d.first());
                }
                return;
            }
            Format::Jump | Format::Stop | Format::Nullary => return,
            _ if !self.scratch.reads_known(self.f, i) && !self.is_told(i) => return,
            Format::Select => self.choose_operand(i),
            Format::Binary | Format::Compare | Format::Branch => self.put_constant_second(i),
            _ => {}
        }
        if !self.compute(i) && self.scratch.write_constants(self.f, self.decls, i) {
            self.remarks.done(self.f, i, Event::OperandKnown);
        }
    }
    /// True if an instruction was assumed to give a constant. Its operands need not show that.
    fn is_told(&self, i: Inst) -> bool {
        self.reach == Reach::Told && self.f.def(i).is_some_and(|r| self.scratch.known[r].is_some())
    }
    /// `select` on a constant: a copy of the selected operand.
    fn choose_operand(&mut self, i: Inst) {
        let d = *self.f.inst(i);
        let (if_true, if_false) = self.f.operands_bc(i);
        if let Some(condition) = self.scratch.value(self.f, d.first(), Type::I64) {
            let a = if condition != 0 { if_true } else { if_false };
            self.remarks.done(self.f, i, Event::Selected((d.ty, a)));
            self.f.replace_inst(i, InstData::move_of(d.ty, a).with_result(d.result()));
            self.scratch.folded += 1;
            self.scratch.changed = true;
        }
    }
    /// `5 + x => x + 5`, `5 < x => x > 5`: where the first operand is known and the second is not.
    fn put_constant_second(&mut self, i: Inst) {
        let d = *self.f.inst(i);
        if self.scratch.value(self.f, d.first(), d.ty).is_none()
            || self.scratch.value(self.f, d.second(), d.ty).is_some()
        {
            return;
        }
        let Some(exchanged) = d.exchanged() else { return };
        self.remarks.done(self.f, i, Common::Swapped);
        self.f.replace_inst(i, exchanged);
        self.scratch.changed = true;
    }
    /// Makes an operation on constants a `const`, unless it traps.
    fn compute(&mut self, i: Inst) -> bool {
        let d = *self.f.inst(i);
        let may_fold = semantics::is_value_op(d.op) || self.is_told(i);
        let (true, Some(dst)) = (may_fold, self.f.def(i)) else { return false };
        let ty = self.f.type_of(dst);
        let constant = if self.reach == Reach::Told {
            let Some(constant) = self.scratch.known[dst] else { return false };
            constant
        } else {
            let Some(args) = arguments(self.f, i, |o| self.scratch.value(self.f, o, d.ty)) else { return false };
            let Ok(bits) = semantics::eval(d.op, d.ty.as_word(), d.aux(), args) else {
                self.report_trap(i);
                return false;
            };
            self.f.make_typed_const(ty, bits)
        };
        self.tell(i, constant);
        self.f.replace_inst(i, InstData::move_of(ty, constant).with_result(d.result()));
        self.scratch.record(dst, constant);
        self.scratch.folded += 1;
        self.scratch.changed = true;
        true
    }

    /// Said once, though the blocks may be visited again.
    fn report_trap(&mut self, i: Inst) {
        if self.reach == Reach::All {
            self.remarks.missed(self.f, i, Common::WouldTrap);
        }
    }

    /// Notes the target of a terminator on constants, and reaches its possible targets.
    fn visit_terminator(&mut self, b: Block) {
        if let Some(target) = self.only_target(b)
            && self.f.succs(b).iter().any(|s| *s != target)
            && self.scratch.decided[b].is_none()
        {
            self.scratch.decided[b] = target.into();
            self.scratch.decided_blocks.push(b);
        }
        if self.reach == Reach::Told {
            return;
        }
        let only = self.scratch.decided[b].expand();
        let taken = only.as_ref().map_or(self.f.succs(b), std::slice::from_ref);
        self.scratch.reached.extend(taken.iter().copied());
    }
    fn only_target(&self, b: Block) -> Option<Block> {
        let d = self.f.inst(self.f.terminator(b));
        only_target(self.f, b, |o| self.scratch.value(self.f, o, d.ty))
    }
}

/// Returns the values of all operands of a value operation, if `value` knows them. Absent ones are 0.
pub(super) fn arguments(f: &Function, i: Inst, value: impl Fn(Operand) -> Option<u64>) -> Option<[u64; 3]> {
    let d = f.inst(i);
    let a = value(d.first())?;
    if matches!(d.op.format(), Format::Ternary | Format::Select) {
        let (b, c) = f.operands_bc(i);
        return Some([a, value(b)?, value(c)?]);
    }
    let has_second = matches!(d.op.format(), Format::Binary | Format::Compare);
    Some([a, if has_second { value(d.second())? } else { 0 }, 0])
}

/// Returns the only target of a block's terminator with several, if `value` knows its operands.
pub(super) fn only_target(f: &Function, b: Block, value: impl Fn(Operand) -> Option<u64>) -> Option<Block> {
    let (i, succs) = (f.terminator(b), f.succs(b));
    let d = f.inst(i);
    if d.op.format() == Format::Branch {
        let holds = semantics::compare::holds(d.predicate(), d.ty.as_word(), value(d.first())?, value(d.second())?);
        Some(succs[usize::from(!holds)])
    } else if d.op.format() == Format::Switch {
        let x = value(d.first())?;
        let case = f.switch_cases(i).position(|c| value(c) == Some(x));
        Some(succs[case.map_or(0, |k| k + 1)])
    } else {
        None
    }
}

events! {
    enum Event {
        OperandKnown: "operand-known", "a constant replaces a register";
        Selected(value: Typed): "selected", "the condition is known: a copy of {value}";
        AssignedElsewhere(at: Option<At>): "assigned-again",
            "is not known at its use: it is also assigned by another instruction{at}";
    }
}
