//! Step 8: moves common instructions at the beginning of both arms of a branch before it, and common instructions at
//! the end of both predecessors of a block into it.
//!
//! ```text
//! p:                                           p:
//!   br %c, left, right                           %a = load i32 [%q]
//! left:                                          br %c, left, right
//!   %a = load i32 [%q]                         left:
//!   %x = add i32 %a, 1                           %x = add i32 %a, 1
//!   store i32 [%r], %k                    =>     jmp join
//!   jmp join                                   right:
//! right:                                         %y = sub i32 %a, 1
//!   %b = load i32 [%q]                           jmp join
//!   %y = sub i32 %b, 1                         join:
//!   store i32 [%r], %k                           %z = phi i32 [%x, left], [%y, right]
//!   jmp join                                     store i32 [%r], %k
//! join:
//!   %z = phi i32 [%x, left], [%y, right]
//! ```
//!
//! Whatever the instruction does, it is executed once on each of the two paths as before, and in the same order among
//! the others: a branch has no effect of its own. Only calls that return twice are not moved. An instruction moves down
//! only if it has no result. Upwards, the register of the right arm is replaced by the register of the left one; if the
//! two differ, each must have one assignment. Neither may be tested by the branch. Instructions that may end the run
//! with a message with their source position ([`may_report_location`]) are not moved, too, if the two have different
//! positions: one for both could not tell by which path control came.

use super::Registers;
use crate::analysis::effects::{is_returns_twice_call, may_report_location};
use crate::edit::instruction_key::push_words;
use crate::edit::reads::{reads_any, replace_all_reads};
use crate::edit::ssa_construction::first_after_phis;
use crate::pass::PassContext;
use crate::passes::simplify_cfg::events::Event;
use lir_syntax::ir::{Block, Cfg, Decls, Format, Function, Inst, Operand, PackedOption, Reg, SecondaryMap};

/// Scratch memory of the step, kept from function to function.
#[derive(Default)]
pub(super) struct HoistSinkScratch {
    /// The register that replaces the register of a removed instruction.
    leader: SecondaryMap<Reg, PackedOption<Reg>>,
    left: Vec<u32>,
    right: Vec<u32>,
}

impl HoistSinkScratch {
    /// Runs the step on a function without unreachable blocks. Returns whether it changed anything.
    pub fn run(&mut self, f: &mut Function, registers: &mut Registers, cx: &mut PassContext<'_>) -> bool {
        let cfg = cx.analyses.cfg(f);
        self.leader.reset(f.num_regs());
        let (mut hoisted, mut sunk, mut renamed) = (0, 0, false);
        // Inner branches come first, so that instructions that move up can move up further.
        for &b in cfg.rpo().iter().rev() {
            while let Some((x, y)) = self.same_beginning(f, cfg, b, cx.decls) {
                if !self.may_merge(f, registers, f.terminator(b), x, y) {
                    break;
                }
                cx.remarks.done(f, x, Event::SameBeginning);
                renamed |= self.hoist(f, b, x, y);
                hoisted += 1;
            }
            while let Some((x, y)) = self.same_end(f, cfg, b, cx.decls) {
                cx.remarks.done(f, x, Event::SameEnd(b));
                let first = first_after_phis(f, b);
                f.move_with_promises(x, first);
                f.remove_inst(y);
                f.note_merged(x, y);
                sunk += 1;
            }
        }
        if renamed {
            self.rename(f);
        }
        cx.stats.add("instructions hoisted from both arms", hoisted);
        cx.stats.add("instructions sunk from both arms", sunk);
        hoisted + sunk != 0
    }

    /// Returns the first instructions of both arms of the branch of `b`, if they are equal.
    fn same_beginning(&mut self, f: &Function, cfg: &Cfg, b: Block, decls: &Decls) -> Option<(Inst, Inst)> {
        let &[left, right] = f.succs(b) else { return None };
        if left == right || cfg.preds(left).len() != 1 || cfg.preds(right).len() != 1 {
            return None;
        }
        let pair = (f.layout().first_inst(left)?, f.layout().first_inst(right)?);
        self.do_the_same(f, pair, decls).then_some(pair)
    }
    /// Returns the last instructions of the two predecessors of `b`. None unless they are equal and have no result.
    fn same_end(&mut self, f: &Function, cfg: &Cfg, b: Block, decls: &Decls) -> Option<(Inst, Inst)> {
        let &[left, right] = cfg.preds(b) else { return None };
        // Instructions before a loop and at its end are left there for the passes that move code out of loops.
        let is_header = cfg.rpo_index(left).max(cfg.rpo_index(right)) >= cfg.rpo_index(b);
        if f.succs(left).len() != 1 || f.succs(right).len() != 1 || is_header {
            return None;
        }
        let last = |p: Block| f.layout().prev_inst(f.terminator(p)).filter(|i| f.def(*i).is_none());
        let pair = (last(left)?, last(right)?);
        self.do_the_same(f, pair, decls).then_some(pair)
    }
    fn do_the_same(&mut self, f: &Function, (x, y): (Inst, Inst), decls: &Decls) -> bool {
        let (dx, dy) = (f.inst(x), f.inst(y));
        if (dx.op, dx.ty, dx.aux()) != (dy.op, dy.ty, dy.aux())
            || dx.op.is_terminator()
            || dx.op.format() == Format::Phi
            || is_returns_twice_call(decls, f, x)
            || f.is_jump(x)
        {
            return false;
        }
        if !f.origins.are_alike(f.debug_loc(x), f.debug_loc(y)) && may_report_location(decls, f, x) {
            return false;
        }
        let HoistSinkScratch { leader, left, right } = self;
        left.clear();
        right.clear();
        push_words(f, x, |r| resolve(leader, r).as_u32(), left);
        push_words(f, y, |r| resolve(leader, r).as_u32(), right);
        left == right
    }
    /// True if the results of two instructions may become one, before `branch`.
    fn may_merge(&self, f: &Function, registers: &mut Registers, branch: Inst, x: Inst, y: Inst) -> bool {
        let (Some(a), Some(b)) = (f.def(x), f.def(y)) else { return f.def(x) == f.def(y) };
        !reads_any(f, branch, |r| r == a || r == b) && (a == b || registers.are_single(f, [a, b]))
    }
    /// Moves `x` to the end of `b` and removes `y`. Returns whether a register must be replaced.
    fn hoist(&mut self, f: &mut Function, b: Block, x: Inst, y: Inst) -> bool {
        let renamed = f.def(y).filter(|r| f.def(x) != Some(*r));
        if let (Some(from), Some(to)) = (renamed, f.def(x)) {
            self.leader[from] = resolve(&mut self.leader, to).into();
        }
        // The merged instruction is executed only where one of the two was.
        f.move_with_promises(x, f.terminator(b));
        f.remove_inst(y);
        f.note_merged(x, y);
        renamed.is_some()
    }
    fn rename(&mut self, f: &mut Function) {
        let leader = &mut self.leader;
        replace_all_reads(f, |r| leader[r].is_some().then(|| Operand::reg(resolve(leader, r))));
    }
}

/// Returns the replacement of a register, with path halving: an instruction may move up many times.
fn resolve(leader: &mut SecondaryMap<Reg, PackedOption<Reg>>, mut r: Reg) -> Reg {
    while let Some(up) = leader[r].expand() {
        if leader[up].is_some() {
            leader[r] = leader[up];
        }
        r = up;
    }
    r
}
