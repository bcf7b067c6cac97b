//! Simplification of the control-flow graph (`simplify-cfg`).
//!
//! Removes unreachable blocks, bypasses blocks that only jump, and joins blocks that always follow each other.
//!
//! # Example
//!
//! ```text
//! entry:                                       entry:
//!   br %c, left, right                           br %c, left, join
//! left:                                        left:
//!   %x = load i32 [%p]                           %x = load i32 [%p]
//!   jmp left2                                    %y = add i32 %x, 1
//! left2:                                         jmp join
//!   %y = add i32 %x, 1                  =>     join:
//!   jmp join                                     %z = phi i32 [%y, left], [0, entry]
//! right:                                         ret %z
//!   jmp join
//! join:
//!   %z = phi i32 [%y, left2], [0, right]
//!   ret %z
//! ```
//!
//! # Algorithm
//!
//! 1. Code after a call to a `noreturn` function is removed ([`cuts`]).
//! 2. Unreachable blocks are removed, with the phi entries that name them. A branch whose targets are equal becomes
//!    `jmp`; a switch loses the cases with the target of the default, and becomes `jmp` if none is left, and `br` if
//!    one is left or if all lead to one block and are consecutive numbers.
//! 3. In postorder, each block takes over the predecessors of the blocks before it that only jump to it, or choose
//!    values for its phis and jump ([`forward`]). Step 2 follows at once for a predecessor whose targets became equal,
//!    so that it may be bypassed, too.
//! 4. A phi of a block with one predecessor becomes a copy; a block whose predecessor has no other successor is
//!    appended to it ([`merge`]).
//! 5. A branch is decided by a branch before it ([`known`]).
//! 6. Two branches that test one integer against constants become an interval test ([`ranges`]).
//! 7. A chain of tests for equality, or a search tree of comparisons, becomes a switch ([`switches`]).
//! 8. Common instructions at the beginning of both arms of a branch, or at the end of both predecessors of a block, are
//!    merged ([`hoist_and_sink`]).
//! 9. Equal blocks become one ([`twins`]).
//!
//! Steps 2 to 4 are repeated while step 3 or 4 changed something, and with steps 5 to 9 while any of these did, in all
//! at most [`MAX_ITERATIONS`] times.
//!
//! # Why it is sound
//!
//! No instruction with an effect other than terminators is moved past another or removed, except unreachable ones. A
//! block that jumps to itself, and a cycle of blocks that only jump, keep one block that jumps to itself: an endless
//! loop stays endless. The entry is never the target of an edge, since it has no predecessors before. Only phis could
//! distinguish edges: a predecessor that is taken over gets the entry of the bypassed block, and if a block is a
//! predecessor already the two must be equal; likewise in steps 6, 7 and 9. In functions that are not in SSA form, the
//! copies that several phis become might read what an earlier one wrote; then all sources are read first. Steps 5, 8
//! and 9 use registers in several blocks, and require that these have one assignment.
//!
//! # Cost and limits
//!
//! Each iteration is linear in instructions, edges and phi entries, except the sorting of step 9: the predecessors of a
//! block are visited once, when that block is bypassed; merged blocks are renamed in phis by one walk at the end.
//! Bypassing a block into phis multiplies entries: see [`forward::MAX_NEW_ENTRIES`]. Steps 5 to 7 have limits of their
//! own, for switches and phis of many entries. Branches are not converted to `select` (see `if-convert`), and blocks
//! are not duplicated (see `jump-threading`).
//!
//! # Source
//!
//! Folklore; S. S. Muchnick, "Advanced Compiler Design and Implementation", 1997, sections 18.1 to 18.8. The treatment
//! of phis follows LLVM's `TryToSimplifyUncondBranchFromEmptyBlock`.

mod cuts;
mod events;
mod forward;
mod hoist_and_sink;
mod known;
mod merge;
mod ranges;
mod switches;
mod twins;

use crate::analysis::assignments::Assignments;
use crate::analysis::branches::decision_tree::Kind;
use crate::analysis::{Analyses, Preserved};
use crate::edit::edges::drop_stale_phi_entries;
use crate::edit::reads::reads_any;
use crate::integers::wrapped::WrappedRange;
use crate::pass::{FunctionPass, Pass, PassContext, PassInfo};
use crate::passes::simplify_cfg::events::Event;
use lir_syntax::ir::{Block, Format, Function, Inst, InstData, IntCC, Opcode, Operand, Reg, Type};

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "simplify-cfg",
    summary: "remove unreachable blocks, bypass empty ones, and merge blocks with their only successors",
    options: &[],
    build: |_| Pass::Function(Box::new(SimplifyCfg)),
};

/// Iterations. Code that people and tools write needs at most three that change something; the bound is for inputs made
/// to need more.
const MAX_ITERATIONS: usize = 8;

struct SimplifyCfg;

impl FunctionPass for SimplifyCfg {
    fn run(&self, f: &mut Function, cx: &mut PassContext<'_>) -> Preserved {
        let mut scratch = cx.scratch.take::<CfgSimplificationScratch>();
        scratch.registers.counted = false;
        let mut changed = cuts::run(f, cx);
        changed |= remove_unreachable(f, cx);
        changed |= simplify_terminators(f, cx);
        let said = cx.remarks.len();
        for _ in 0..MAX_ITERATIONS {
            // The remarks of the last iteration are the ones that stay.
            cx.remarks.keep_done_since(said);
            let redirected = scratch.forward.run(f, cx);
            let (merged, copied) = scratch.merge.run(f, cx);
            changed |= redirected || merged + copied != 0;
            // Copies make nothing possible here that was not before.
            if !redirected && merged == 0 && !scratch.simplify_branches(f, cx) {
                break;
            }
            changed = true;
            simplify_terminators(f, cx);
        }
        cx.scratch.give_back(scratch);
        Preserved::none_if(changed)
    }
}

/// Scratch memory of all steps, kept from function to function.
#[derive(Default)]
struct CfgSimplificationScratch {
    forward: forward::ForwardingScratch,
    merge: merge::MergingScratch,
    known: known::TestedRegisters,
    switches: switches::SwitchScratch,
    hoist_and_sink: hoist_and_sink::HoistSinkScratch,
    twins: twins::TwinScratch,
    registers: Registers,
}

impl CfgSimplificationScratch {
    /// Steps 5 to 9. Returns whether they changed anything.
    fn simplify_branches(&mut self, f: &mut Function, cx: &mut PassContext<'_>) -> bool {
        let mut changed = false;
        if known::run(f, &mut self.known, &mut self.registers, cx) {
            remove_unreachable(f, cx);
            changed = true;
        }
        // Before single branches of a tree become something else.
        changed |= self.make_switches(f, Kind::Tree, cx);
        changed |= ranges::run(f, cx);
        changed |= self.make_switches(f, Kind::Chain, cx);
        changed |= self.hoist_and_sink.run(f, &mut self.registers, cx);
        changed | self.twins.run(f, &mut self.registers, cx)
    }
    fn make_switches(&mut self, f: &mut Function, kind: Kind, cx: &mut PassContext<'_>) -> bool {
        let changed = self.switches.run(f, kind, cx);
        if changed {
            // Blocks that no value leads to.
            remove_unreachable(f, cx);
        }
        changed
    }
}

/// The registers with one assignment. They are counted on demand, since few functions need them. Later changes of the
/// pass add no assignments.
#[derive(Default)]
struct Registers {
    counted: bool,
    assignments: Assignments,
}

impl Registers {
    fn count(&mut self, f: &Function) {
        if !std::mem::replace(&mut self.counted, true) {
            self.assignments.count(f);
        }
    }
    /// True if a register has one assignment. They were counted.
    fn is_single(&self, r: Reg) -> bool {
        debug_assert!(self.counted);
        self.assignments.is_single(r)
    }
    /// True if each of these has one assignment.
    fn are_single<const N: usize>(&mut self, f: &Function, registers: [Reg; N]) -> bool {
        self.count(f);
        registers.iter().all(|r| self.is_single(*r))
    }
    /// True if each register that an instruction reads has one assignment.
    fn reads_single(&mut self, f: &Function, i: Inst) -> bool {
        self.count(f);
        !reads_any(f, i, |r| !self.is_single(r))
    }
}

/// Step 2.
fn remove_unreachable(f: &mut Function, cx: &mut PassContext<'_>) -> bool {
    let cfg = cx.analyses.cfg(f);
    let dead: Vec<Block> = f.layout().blocks().filter(|b| !cfg.is_reachable(*b)).collect();
    if dead.is_empty() {
        return false;
    }
    let mut targets: Vec<Block> = dead.iter().flat_map(|b| f.succs(*b).iter().copied()).collect();
    targets.retain(|t| cfg.is_reachable(*t));
    for &b in &dead {
        cx.remarks.done(f, f.terminator(b), Event::Unreachable);
        f.remove_block(b);
    }
    drop_stale_phi_entries(f, cx.analyses.cfg(f), &mut targets);
    cx.stats.add("unreachable blocks removed", dead.len() as u64);
    true
}

/// Removes the phi entries of blocks that no longer lead to these.
fn drop_entries(f: &mut Function, analyses: &mut Analyses, targets: &mut Vec<Block>) {
    if !targets.is_empty() {
        drop_stale_phi_entries(f, analyses.cfg(f), targets);
    }
}

/// Step 2, for all blocks.
fn simplify_terminators(f: &mut Function, cx: &mut PassContext<'_>) -> bool {
    let mut simplified = 0;
    let mut at = f.layout().entry();
    while let Some(b) = at {
        at = f.layout().next_block(b);
        if simplify_terminator(f, b) {
            simplified += 1;
            cx.remarks.done(f, f.terminator(b), Event::Simplified);
        }
    }
    cx.stats.add("terminators simplified", simplified);
    simplified != 0
}

/// Step 2, for one block. The set of successors stays the same, so phis do too.
fn simplify_terminator(f: &mut Function, b: Block) -> bool {
    let i = f.terminator(b);
    let d = *f.inst(i);
    let succs = f.succs(b);
    let Some((&first, others)) = succs.split_first() else { return false };
    if d.op.format() != Format::Jump && others.iter().all(|s| *s == first) {
        f.replace_inst(i, InstData::new(Opcode::Jmp, Type::I64));
        f.set_succs(b, &[first]);
        return true;
    }
    if d.op.format() != Format::Switch {
        return false;
    }
    if !others.contains(&first) && others.len() > 1 {
        return switch_to_interval(f, b, i);
    }
    // The cases with another target than the default: at least one, or all targets were equal.
    let cases: Vec<(Operand, Block)> =
        f.switch_cases(i).zip(others.iter().copied()).filter(|(_, target)| *target != first).collect();
    if let &[(value, target)] = &cases[..] {
        let data = InstData::binary(Opcode::Br, d.ty, d.first(), value).with_predicate(IntCC::Eq);
        f.replace_inst(i, data);
        f.set_succs(b, &[target, first]);
    } else {
        let (values, targets): (Vec<_>, Vec<_>) = cases.into_iter().unzip();
        let values = f.make_cases(&values);
        f.replace_inst(i, d.with_list(values));
        f.set_succs(b, &[&[first], &targets[..]].concat());
    }
    true
}

/// Step 2, for a switch whose cases all lead to one block: if they are consecutive numbers, it becomes an interval
/// test.
fn switch_to_interval(f: &mut Function, b: Block, i: Inst) -> bool {
    let d = *f.inst(i);
    let &[default, target, ref others @ ..] = f.succs(b) else { return false };
    if target == default || others.is_empty() || others.iter().any(|s| *s != target) {
        return false;
    }
    let w = d.ty.as_word();
    let bits = |o: Operand| w.truncate(f.constant(o).expect("a case is a constant") as u64);
    let len = f.switch_cases(i).len() as u64;
    let (signed, unsigned) = (f.switch_cases(i).map(|o| f.constant(o)).min(), f.switch_cases(i).map(bits).min());
    let starts = [unsigned.expect("there are cases"), signed.flatten().expect("a case is a constant") as u64];
    let all_from = |start: u64| f.switch_cases(i).all(|o| w.truncate(bits(o).wrapping_sub(start)) < len);
    let Some(start) = starts.map(|s| w.truncate(s)).into_iter().find(|s| all_from(*s)) else { return false };
    let interval = WrappedRange { word: w, start, len: u128::from(len) };
    ranges::test_interval(f, b, d.first(), interval);
    f.set_succs(b, &[target, default]);
    true
}
