//! If-conversion (`if-convert`).
//!
//! Replaces branches around a few cheap instructions by `select`: both sides are computed, and one is chosen.
//!
//! # Example
//!
//! ```text
//! head:                                        head:
//!   br slt i32 %a, %b, less, join                %d = sub i32 %b, %a
//! less:                                          %c = icmp slt i32 %a, %b
//!   %d = sub i32 %b, %a                   =>     %r = select i32 %c, %d, %x
//!   jmp join                                     jmp join
//! join:                                        join:
//!   %r = phi i32 [%d, less], [%x, head]          ret %r
//!   ret %r
//! ```
//!
//! # Algorithm
//!
//! Blocks are visited in postorder, so that inner branches come before the ones around them.
//!
//! 1. For a block that ends in a branch, the *arms* are followed: blocks with one predecessor that only lead on. Two
//!    arms that end before the same block, of which one may be empty, are a diamond or a triangle.
//! 2. Every instruction of the arms must be one that may be executed where it was not: it computes without a trap, or
//!    is a load that cannot fault. The cost of the arms and the selects together must not exceed the option `max-cost`.
//!    For floats, which have no conditional move, only a minimum or maximum is chosen, which is one instruction with
//!    its comparison ([`extreme`]).
//! 3. A branch that a loop would have to wait for stays ([`recurrence`]), and one whose weights say that a side is
//!    hardly ever executed.
//! 4. The instructions move before the branch. For each phi of the join whose entries differ, a `select` is made; of
//!    entries 1 and 0 the condition itself, widened. A join that has no other predecessor loses its phis. The branch
//!    becomes `jmp`.
//!
//! # Why it is sound
//!
//! A moved instruction has no effect, and its result is read by the arms and by the phis alone, since no arm dominates
//! the join. Stores, calls, divisions and other loads stay where they are, and with them the branch. A load is of
//! constant offset inside a stack object or a data symbol that is defined in the module. The phis of the join read at
//! the end of the arms; the selects read there as well, in the same order as the phis, and a select reads only the
//! earlier value of a register that a phi assigns.
//!
//! # Cost and limits
//!
//! Linear: an arm is followed for as many instructions as `max-cost` allows. A join whose phis
//! have more than [`MAX_ENTRIES`] entries is left alone, as are arms of more than [`MAX_BLOCKS`] blocks.
//!
//! # Source
//!
//! J. R. Allen, K. Kennedy, C. Porterfield, J. Warren, "Conversion of Control Dependence to Data Dependence", POPL
//! 1983, for the name. The transformation is the conversion of hammocks as in LLVM's `FoldTwoEntryPHINode`.

mod events;
mod extreme;
mod recurrence;

use crate::analysis::Preserved;
use crate::analysis::effects::is_speculatable_load;
use crate::analysis::{LoopForest, SsaView};
use crate::pass::remarks::{At, Remarks};
use crate::pass::{OptionInfo, OptionKind, Pass, PassContext, PassInfo, SsaPass};
use crate::passes::if_convert::events::Event;
use lir_syntax::ir::{
    Block, Cfg, Comparison, Decls, Format, Function, Inst, InstData, IntCC, NameRef, Opcode, Operand, Reg,
    SecondaryMap, Type, TypeRule,
};

use extreme::is_extreme;
use recurrence::Slice;

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "if-convert",
    summary: "replace branches around a few cheap instructions by `select`",
    options: &[OptionInfo {
        name: "max-cost",
        kind: OptionKind::Number { default: 4, max: 100 },
        summary: "maximum cost of the instructions that are then always executed, in simple instructions",
    }],
    build: |options| Pass::Ssa(Box::new(IfConvert { max_cost: options.number("max-cost") })),
};

/// A join with more entries in a phi is left alone.
const MAX_ENTRIES: usize = 64;
/// An arm of more blocks is left alone.
const MAX_BLOCKS: usize = 8;
/// A branch whose weights give a side less than this stays: it is predicted.
const UNLIKELY: f32 = 0.01;

struct IfConvert {
    max_cost: u64,
}

impl SsaPass for IfConvert {
    fn run(&self, f: &mut Function, ssa: &SsaView, cx: &mut PassContext<'_>) -> Preserved {
        let (cfg, _, loops) = cx.analyses.loops(f);
        let mut scratch = cx.scratch.take::<IfConversionScratch>();
        scratch.reset(f, cfg);
        let mut c = Converter {
            max_cost: self.max_cost,
            decls: cx.decls,
            remarks: cx.remarks,
            ssa,
            loops,
            scratch: &mut scratch,
            selects: 0,
        };
        let mut converted = 0;
        for &head in cfg.rpo().iter().rev() {
            // A block that was an arm has no successors any more.
            if f.succs(head).len() == 2 && c.convert(f, head) {
                converted += 1;
            }
        }
        cx.stats.add("branches converted", converted);
        cx.stats.add("selects made", c.selects);
        cx.scratch.give_back(scratch);
        Preserved::none_if(converted != 0)
    }
}

#[derive(Default)]
struct IfConversionScratch {
    num_preds: SecondaryMap<Block, u32>,
    /// The blocks of both arms; then the join's phis with each arm's operand.
    arms: [Vec<Block>; 2],
    choices: Vec<(Inst, [Operand; 2])>,
    entries: Vec<(Block, Operand)>,
    slice: Slice,
}

impl IfConversionScratch {
    fn reset(&mut self, f: &Function, cfg: &Cfg) {
        self.num_preds.reset(f.num_blocks());
        for &b in cfg.rpo() {
            self.num_preds[b] = cfg.preds(b).len() as u32;
        }
    }
}

struct Converter<'a> {
    max_cost: u64,
    decls: &'a Decls,
    remarks: &'a mut Remarks,
    ssa: &'a SsaView,
    loops: &'a LoopForest,
    scratch: &'a mut IfConversionScratch,
    selects: u64,
}

impl Converter<'_> {
    /// Steps 1 to 4 for the branch of a block. Returns whether it was removed.
    fn convert(&mut self, f: &mut Function, head: Block) -> bool {
        let branch = f.terminator(head);
        let &[left, right] = f.succs(head) else { return false };
        if left == right || f.inst(branch).op.format() != Format::Branch {
            return false;
        }
        let joins = [self.follow(f, 0, head, left), self.follow(f, 1, head, right)];
        let join = joins[0];
        if join != joins[1] || self.scratch.arms.iter().all(|a| a.is_empty()) {
            return false;
        }
        if f.likelihood(branch).is_some_and(|p| !(UNLIKELY..=1.0 - UNLIKELY).contains(&p)) {
            self.remarks.missed(f, branch, Event::OneSideIsExpected);
            return false;
        }
        if let Err(obstacle) = self.look_at(f, head, join) {
            self.remarks.missed(f, branch, obstacle);
            return false;
        }
        let IfConversionScratch { slice, choices, .. } = &mut *self.scratch;
        let chosen = choices.iter().filter(|c| c.1[0] != c.1[1]).map(|c| c.0);
        if slice.is_recurrence(f, self.ssa, self.loops, head, chosen) {
            self.remarks.missed(f, branch, Event::LoopWouldWait);
            return false;
        }
        self.remarks.done(f, branch, Event::Converted);
        self.merge(f, head, join);
        true
    }
    /// Step 2: checks that both arms can be executed, at an acceptable cost.
    fn look_at(&mut self, f: &Function, head: Block, join: Block) -> Result<(), Event> {
        let cost = self.cost_of_arms(f)?;
        self.read_choices(f, head, join)?;
        let cost = cost + self.cost_of_choices(f);
        if cost > self.max_cost { Err(Event::BothSidesCost(cost)) } else { Ok(()) }
    }
    /// Step 1: the blocks of an arm, and the block that it ends before.
    fn follow(&mut self, f: &Function, side: usize, head: Block, first: Block) -> Block {
        let arm = &mut self.scratch.arms[side];
        arm.clear();
        let mut at = first;
        while self.scratch.num_preds[at] == 1 && at != head && arm.len() < MAX_BLOCKS {
            let &[next] = f.succs(at) else { break };
            arm.push(at);
            at = next;
        }
        at
    }
    /// Step 2: the cost of the arms' instructions, if none of them must stay.
    fn cost_of_arms(&self, f: &Function) -> Result<u64, Event> {
        let mut cost = 0;
        for &b in self.scratch.arms.iter().flatten() {
            for i in f.layout().insts(b) {
                let d = f.inst(i);
                if d.op.is_terminator() {
                    break;
                }
                cost += cost_of(self.decls, f, i).ok_or(Event::SideMustNotRun(i))?;
                if cost > self.max_cost {
                    return Err(Event::SidesCostUpTo(i));
                }
            }
        }
        Ok(cost)
    }
    /// Reads the arms' values for the phis of the join, if they can be selected.
    fn read_choices(&mut self, f: &Function, head: Block, join: Block) -> Result<(), Event> {
        let IfConversionScratch { arms, choices, .. } = &mut *self.scratch;
        let preds = [0, 1].map(|side| arms[side].last().copied().unwrap_or(head));
        choices.clear();
        for phi in f.phis(join) {
            if f.phi_entries(phi).len() > MAX_ENTRIES {
                return Err(Event::ManySidesMeet);
            }
            let of = |p: Block| f.phi_entries(phi).find(|e| e.0 == p).map_or(Operand::NONE, |e| e.1);
            let brings = preds.map(of);
            choices.push((phi, brings));
        }
        let branch = f.inst(f.terminator(head));
        let differing = || choices.iter().filter(|c| c.1[0] != c.1[1]);
        let stays = differing().find(|(phi, brings)| {
            let ty = f.inst(*phi).ty;
            let is_alone = || differing().nth(1).is_none();
            !(ty.is_int() || is_alone() && is_extreme(f, &Comparison::of(branch), ty, *brings))
        });
        stays.map_or(Ok(()), |(phi, _)| Err(Event::ChoosesFloats(*phi)))
    }
    fn cost_of_choices(&self, f: &Function) -> u64 {
        let differing = self.scratch.choices.iter().filter(|c| c.1[0] != c.1[1]);
        differing
            .map(|(_, brings)| match brings.map(|o| f.constant(o)) {
                [Some(0), Some(1)] | [Some(1), Some(0)] => 1,
                constants => 1 + constants.iter().flatten().count() as u64,
            })
            .sum()
    }

    /// Step 4.
    fn merge(&mut self, f: &mut Function, head: Block, join: Block) {
        let branch = f.terminator(head);
        let IfConversionScratch { arms, choices, num_preds, entries, .. } = &mut *self.scratch;
        for &b in arms.iter().flatten() {
            while let Some(i) = f.layout().first_inst(b).filter(|i| !f.inst(*i).op.is_terminator()) {
                f.move_before(i, branch);
                f.note_speculated(i);
            }
        }
        let mut selector = Selector { branch, truths: [None; 2] };
        let preds = [0, 1].map(|side| arms[side].last().copied().unwrap_or(head));
        let is_only = num_preds[join] == 2;
        for &(phi, brings) in &*choices {
            let d = *f.inst(phi);
            let [x, y] = brings.map(|o| (d.ty, o));
            if brings[0] != brings[1] {
                self.selects += 1;
                let event = if is_only { Event::Chosen } else { Event::ChosenForTwo };
                self.remarks.done(f, phi, event(x, y, At(branch)));
            } else if is_only {
                self.remarks.done(f, phi, Event::BothBring(x));
            }
            if is_only {
                selector.choose(f, d.ty, d.result().expect("a phi has a result"), brings);
                f.remove_inst(phi);
                continue;
            }
            let mut value = brings[0];
            if brings[0] != brings[1] {
                let chosen = f.new_reg_like(d.result().expect("a phi assigns a register"));
                selector.choose(f, d.ty, chosen, brings);
                value = chosen.into();
            }
            entries.clear();
            entries.extend(f.phi_entries(phi).filter(|e| !preds.contains(&e.0)));
            entries.push((head, value));
            f.set_phi_entries(phi, entries);
        }
        num_preds[join] -= 1;
        f.replace_inst(branch, InstData::new(Opcode::Jmp, Type::I64));
        f.set_succs(head, &[join]);
        for &b in arms.iter().flatten() {
            f.remove_block(b);
        }
    }
}

/// Makes the values that a branch chose, before it.
struct Selector {
    branch: Inst,
    /// The condition and its inverse as registers, where they were made.
    truths: [Option<Operand>; 2],
}

impl Selector {
    /// Assigns `dst` the operand from the arm that is taken.
    fn choose(&mut self, f: &mut Function, ty: Type, dst: Reg, brings: [Operand; 2]) {
        let data = match brings.map(|o| f.constant(o)) {
            [Some(1), Some(0)] => self.widened(f, ty, false),
            [Some(0), Some(1)] => self.widened(f, ty, true),
            _ if brings[0] == brings[1] => InstData::move_of(ty, brings[0]),
            _ => {
                let a = self.condition(f);
                let [x, y] = brings.map(|o| self.as_register(f, ty, o));
                InstData::unary(Opcode::Select, ty, a).with_list(f.make_bc(x, y))
            }
        };
        f.insert_before(self.branch, data.with_result(dst));
    }
    fn as_register(&self, f: &mut Function, ty: Type, o: Operand) -> Operand {
        if o.is_reg() {
            return o;
        }
        let dst = f.new_reg(ty, NameRef::NONE);
        f.insert_before(self.branch, InstData::move_of(ty, o).with_result(dst));
        dst.into()
    }
    /// Returns the condition, or its inverse, as 0 or 1 of this type.
    fn widened(&mut self, f: &mut Function, ty: Type, inverted: bool) -> InstData {
        let truth = self.truth(f, inverted);
        match ty == Type::I8 {
            true => InstData::move_of(ty, truth),
            false => InstData::convert(Opcode::Zext, Type::I8, ty, truth),
        }
    }
    /// Returns a register that is not 0 where the branch takes its first target.
    fn condition(&mut self, f: &mut Function) -> Operand {
        let d = f.inst(self.branch);
        let tests_register = d.ty.is_int() && d.int_cc() == IntCC::Ne && f.constant(d.second()) == Some(0);
        if tests_register { d.first() } else { self.truth(f, false) }
    }
    /// Returns the comparison of the branch, or its inverse, as an instruction before it; its result.
    fn truth(&mut self, f: &mut Function, inverted: bool) -> Operand {
        if let Some(made) = self.truths[usize::from(inverted)] {
            return made;
        }
        let condition = Comparison::of(f.inst(self.branch));
        let condition = if inverted { condition.inverted() } else { condition };
        let dst = f.new_reg(Type::I8, NameRef::NONE);
        f.insert_before(self.branch, InstData::compare(condition).with_result(dst));
        self.truths[usize::from(inverted)] = Some(dst.into());
        dst.into()
    }
}

/// Returns the cost of executing an instruction, in simple ones. None if it must not be executed in vain.
fn cost_of(decls: &Decls, f: &Function, i: Inst) -> Option<u64> {
    let d = f.inst(i);
    if d.op.format() == Format::Load {
        return is_speculatable_load(decls, f, i).then_some(2);
    }
    if d.op.format() == Format::Assume {
        // It is removed.
        return Some(0);
    }
    let is_move = d.op.format() == Format::Const || d.op == Opcode::Copy;
    let is_product = matches!(d.op, Opcode::Mul | Opcode::Smulh | Opcode::Umulh);
    let cost = match (is_move, works_on_floats(d), is_product) {
        (true, ..) => 0,
        (_, true, _) => 4,
        (.., true) => 3,
        _ => 1,
    };
    d.op.effects().is_pure().then_some(cost)
}

fn works_on_floats(d: &InstData) -> bool {
    d.ty.is_float() || d.op.info().types == TypeRule::IntToFloat
}
