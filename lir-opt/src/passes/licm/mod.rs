//! Loop-invariant code motion (`licm`).
//!
//! Moves instructions out of loops if their result is the same in each iteration.
//!
//! # Example
//!
//! ```text
//! before:                                      before:
//!   jmp loop                                     %k = mul i32 %a, %b
//!                                                %x = load i32 [%p]
//!                                                %s = add i32 %k, %x
//!                                                jmp loop
//! loop:                                        loop:
//!   %i = phi i32 [0, before], [%j, loop]         %i = phi i32 [0, before], [%j, loop]
//!   %k = mul i32 %a, %b
//!   %x = load i32 [%p]                    =>
//!   %s = add i32 %k, %x
//!   %q = sdiv i32 %i, %x                         %q = sdiv i32 %i, %x
//!   %j = add i32 %i, %s                          %j = add i32 %i, %s
//!   br slt i32 %j, %n, loop, done                br slt i32 %j, %n, loop, done
//! ```
//!
//! (A division whose divisor may be 0 is not moved.)
//!
//! # Algorithm
//!
//! 1. Each loop's preheader is found; a loop without one (see `loop-simplify`) is not changed.
//! 2. Each loop's writes to memory are listed, including the writes of the loops inside.
//! 3. From each header the blocks are followed that have one successor, up to the first instruction at which execution
//!    may end or something is visible from outside. These instructions are executed whenever the loop is entered.
//! 4. Blocks are visited in reverse postorder, so that operands come before their readers, and are moved before them.
//!    For each instruction that may be moved the innermost loop in which its operands vary is found. The instruction is
//!    moved to the preheader of the outermost loop inside of that one for which one of these conditions holds:
//!    * pure instructions, and divisions by a constant that cannot trap, may always be moved;
//!    * a load may be moved if nothing in the loop writes to its location, and it cannot fault or is executed whenever
//!      the loop is entered (step 3);
//!    * a call may be moved if its callee is `readnone` and `willreturn`, and it is executed whenever the loop is
//!      entered.
//! 5. An instruction that costs nothing at its position remains there, but counts as if it had been moved; it is moved
//!    together with its first moved reader.
//!
//! # Why it is sound
//!
//! An operand that is assigned outside of a loop holds the same value in all iterations. A pure instruction may be
//! executed where it was not. A load that is moved sees the same memory: nothing on the path from the preheader to any
//! iteration of the loop writes there ([`AliasOracle::clobbers_in_any_iteration`]). One that may fault is only moved
//! over loads (which fault alike) and instructions without visible effects, and would have been executed next: no trap
//! is added or removed, and no trap precedes an effect that preceded it. Divisions that may trap are never moved, nor
//! are volatile loads. Whether the loop ends does not matter: the moved instructions were executed in its first
//! iteration, or have no effect.
//!
//! # Cost model
//!
//! A moved instruction saves one execution per iteration, and takes a register throughout the loop. Instructions that
//! are free after instruction selection are not moved: constants and addresses of objects, which are operands;
//! comparisons, which are combined with the branch that reads them; truncations. Cheap instructions (one cycle) are
//! moved up to the limit of the option `cheap` for each loop, so that the loop keeps registers for itself;
//! multiplications, divisions, floating point, loads and calls always.
//!
//! # Cost and limits
//!
//! Linear, except for walks up the nest, at most [`MAX_LEVELS`] at a time, and at most [`MAX_WRITES`] writes of a loop
//! are compared with a load: a loop with more of them keeps its loads. Stores are not moved: a single write after the
//! loop would be wrong if an iteration ends in a trap or a call sees the memory. `readonly` calls are not moved, since
//! the contract permits that only for `readnone` calls.
//!
//! # Source
//!
//! S. S. Muchnick, "Advanced Compiler Design and Implementation", 1997, section 13.2; the rules for traps are from
//! LLVM's `LICM` ("guaranteed to execute"), made stricter: LLVM assumes that loops make progress.
//!
//! [`AliasOracle::clobbers_in_any_iteration`]: crate::analysis::alias::AliasOracle::clobbers_in_any_iteration

mod events;
mod loops;

use crate::analysis::effects::callee_attrs;
use crate::analysis::movement::{Movement, movement};
use crate::analysis::{LoopFacts, Preserved, SsaView};
use crate::pass::remarks::{At, Common, Remarks};
use crate::pass::{OptionInfo, OptionKind, Pass, PassContext, PassInfo, SsaPass};
use crate::passes::licm::events::Event;
use lir_syntax::ir::{Attrs, Block, Decls, EntitySet, Format, Function, Inst, PackedOption, Reg, SecondaryMap};
use loops::{Certain, Loops};

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "licm",
    summary: "move loop-invariant computations in front of the loop",
    options: &[OptionInfo {
        name: "cheap",
        kind: OptionKind::Number { default: 12, max: 1000 },
        summary: "maximum number of instructions of one cycle to move out of a loop",
    }],
    build: |options| Pass::Ssa(Box::new(Licm { max_cheap: options.number("cheap") as u32 })),
};

/// Limit on the loops that a walk passes, or an instruction leaves at a time.
const MAX_LEVELS: usize = 64;
/// Writes of a loop that a load is compared with.
const MAX_WRITES: usize = 64;

struct Licm {
    max_cheap: u32,
}

impl SsaPass for Licm {
    fn run(&self, f: &mut Function, ssa: &SsaView, cx: &mut PassContext<'_>) -> Preserved {
        let Some(facts) = cx.analyses.loop_facts(cx.decls, f, ssa) else { return Preserved::All };
        let mut scratch = cx.scratch.take::<HoistingScratch>();
        let mut moved = 0;
        if scratch.loops.find(cx.decls, f, &facts) {
            scratch.home.reset(f.num_regs());
            scratch.left.clear();
            scratch.cheap.reset(f.num_blocks());
            let mut hoister = Hoister {
                decls: cx.decls,
                facts,
                ssa,
                scratch: &mut scratch,
                remarks: cx.remarks,
                max_cheap: self.max_cheap,
                moved: 0,
            };
            hoister.visit_blocks(f);
            moved = hoister.moved;
        }
        cx.scratch.give_back(scratch);
        cx.stats.add("instructions moved", moved);
        Preserved::cfg_if(moved != 0)
    }
}

#[derive(Default)]
struct HoistingScratch {
    loops: Loops,
    /// The header of the innermost loop in which a register's value varies. None if it varies in no loop.
    home: SecondaryMap<Reg, PackedOption<Block>>,
    /// Instructions that were not moved, or moved too little, though their values vary only in their home.
    left: EntitySet<Inst>,
    /// Number of cheap instructions that were moved out of a loop, by header.
    cheap: SecondaryMap<Block, u32>,
    work: Vec<Inst>,
}

struct Hoister<'a> {
    decls: &'a Decls,
    facts: LoopFacts<'a>,
    ssa: &'a SsaView,
    scratch: &'a mut HoistingScratch,
    remarks: &'a mut Remarks,
    max_cheap: u32,
    moved: u64,
}

/// A loop that an instruction is moved out of.
#[derive(Copy, Clone)]
struct Target {
    header: Block,
    /// True if the instruction is executed whenever the loop is entered.
    certain: bool,
}

impl Hoister<'_> {
    /// Step 4.
    fn visit_blocks(&mut self, f: &mut Function) {
        for &b in self.facts.cfg.rpo() {
            let Some(innermost) = self.facts.forest.innermost(b) else { continue };
            let mut certain = self.scratch.loops.certain(b);
            let mut next = f.layout().first_inst(b);
            while let Some(i) = next {
                next = f.layout().next_inst(i);
                self.visit(f, b, innermost, i, certain != Certain::Nothing);
                if certain == Certain::Until(i) {
                    certain = Certain::Nothing;
                }
            }
        }
    }
    fn visit(&mut self, f: &mut Function, b: Block, innermost: Block, i: Inst, certain: bool) {
        let Some(r) = f.def(i) else { return };
        self.scratch.home[r] = innermost.into();
        let kind = movement(self.decls, f, i);
        if kind == Movement::Fixed {
            return self.report_fixed(f, b, innermost, i);
        }
        let Some(home) = self.varies_in(f, b, i) else { return };
        if home == Some(innermost) {
            return;
        }
        if kind == Movement::Free {
            self.scratch.home[r] = home.into();
            self.scratch.left.insert(i);
            return;
        }
        if let Some(target) = self.outermost(f, innermost, home, i, kind, certain) {
            self.move_out(f, i, target);
            if kind == Movement::Cheap {
                self.scratch.cheap[innermost] += 1;
            }
        }
    }
    /// Remarks on a division, or a call without writes, that is not moved despite invariant operands.
    fn report_fixed(&mut self, f: &Function, b: Block, innermost: Block, i: Inst) {
        let varies = |s: &Hoister<'_>| s.varies_in(f, b, i).is_none_or(|home| home == Some(innermost));
        if !self.remarks.on() || varies(self) {
            return;
        }
        if f.inst(i).op.format() == Format::Binary {
            self.remarks.missed(f, i, Event::MayTrap);
        } else if let Some(event) = why_call_stays(self.decls, f, i) {
            self.remarks.missed(f, i, event);
        }
    }
    /// Returns the header of the innermost loop around `b` in which an operand varies. None if there is no such loop.
    fn varies_in(&self, f: &Function, b: Block, i: Inst) -> Option<Option<Block>> {
        let mut found = Some(None);
        f.for_each_use(i, |r| {
            let operand = self.scratch.loops.common_loop(&self.facts, self.scratch.home[r].expand(), b);
            let depth = |h: Option<Block>| h.map_or(0, |h| self.facts.forest.depth(h));
            found = match (found, operand) {
                (Some(a), Ok(b)) => Some(if depth(a) < depth(b) { b } else { a }),
                _ => None,
            };
        });
        found
    }
    /// Finds the outermost loop that an instruction may be moved out of.
    fn outermost(
        &mut self,
        f: &Function,
        innermost: Block,
        home: Option<Block>,
        i: Inst,
        kind: Movement,
        mut certain: bool,
    ) -> Option<Target> {
        if kind == Movement::Cheap && self.scratch.cheap[innermost] >= self.max_cheap {
            self.remarks.missed(f, i, Event::TooManyRegisters);
            return None;
        }
        let mut target = None;
        let mut at = Some(innermost);
        for _ in 0..MAX_LEVELS {
            let Some(header) = at.filter(|_| at != home) else { break };
            if !self.may_leave(f, header, i, kind, certain) {
                break;
            }
            let preheader = self.scratch.loops.preheader(header);
            if preheader.is_some() {
                target = Some(Target { header, certain });
            } else if matches!(kind, Movement::Load | Movement::Call) {
                self.remarks.missed(f, i, Common::NoPreheader(header));
                break;
            }
            // If it is not executed whenever this loop is entered, it need not be when the loop around is.
            certain &= preheader.is_some_and(|p| self.scratch.loops.certain(p) == Certain::Whole);
            at = self.facts.forest.parent(header);
        }
        target
    }
    /// True if an instruction with operands fixed in a loop may be executed before it.
    fn may_leave(&mut self, f: &Function, header: Block, i: Inst, kind: Movement, certain: bool) -> bool {
        match kind {
            Movement::Fixed => false,
            Movement::Free | Movement::Cheap | Movement::Dear => true,
            Movement::Call => {
                if !certain {
                    self.remarks.missed(f, i, Event::NotCertain);
                }
                certain
            }
            Movement::Load => {
                let Some(location) = self.facts.alias.location(f, i) else { return false };
                let is_fixed = |r: Reg| {
                    let def = self.ssa.def(r).and_then(|d| f.layout().block_of(d));
                    def.is_none_or(|b| !self.facts.nest.contains(header, b))
                };
                let clobber = self.scratch.loops.find_clobber(self.decls, f, &self.facts, header, &location, is_fixed);
                if let Err(by) = clobber {
                    let event = by.map_or(Event::MuchToCompare, |by| Event::LoopMayWrite(At(by)));
                    self.remarks.missed(f, i, event);
                    return false;
                }
                let may = certain || self.facts.alias.cannot_fault(self.decls, f, &location);
                if !may {
                    self.remarks.missed(f, i, Event::MayFault);
                }
                may
            }
        }
    }
    /// Moves an instruction to the preheader of a loop, after its operands that remained in the loop. These count as
    /// left at their positions: their readers may still move out of more loops, together with them.
    fn move_out(&mut self, f: &mut Function, moved: Inst, Target { header, certain }: Target) {
        let preheader = self.scratch.loops.preheader(header).expect("the target has a preheader");
        let end = f.terminator(preheader);
        let mut work = std::mem::take(&mut self.scratch.work);
        work.push(moved);
        while let Some(&i) = work.last() {
            let nest = self.facts.nest;
            let is_inside = |f: &Function, i: Inst| f.layout().block_of(i).is_some_and(|b| nest.contains(header, b));
            // An operand of several is moved once.
            if !is_inside(f, i) {
                work.pop();
                continue;
            }
            let waiting = work.len();
            f.for_each_use(i, |r| {
                let def = self.ssa.def(r).filter(|d| self.scratch.left.contains(*d));
                work.extend(def.filter(|d| is_inside(f, *d)));
            });
            if work.len() == waiting {
                work.pop();
                self.remarks.done(f, i, Event::Moved(header));
                // Operands that are moved along may have been after a branch.
                if certain && i == moved {
                    f.move_with_promises(i, end);
                } else {
                    f.move_before(i, end);
                    f.note_speculated(i);
                }
                self.moved += 1;
            }
        }
        self.scratch.work = work;
        let r = f.def(moved).expect("what is moved has a result");
        self.scratch.home[r] = self.facts.forest.parent(header).into();
    }
}

/// Returns the reason a call is never moved that does not write memory. None for others.
fn why_call_stays(decls: &Decls, f: &Function, i: Inst) -> Option<Event> {
    if f.inst(i).op.format() != Format::Call {
        return None;
    }
    let attrs = callee_attrs(decls, f, i);
    if !attrs.has(Attrs::READNONE) && !attrs.has(Attrs::READONLY) {
        None
    } else if !attrs.has(Attrs::WILLRETURN) {
        Some(Event::CalleeMayStop)
    } else if attrs.has(Attrs::READNONE) {
        Some(Event::PassesAggregates)
    } else {
        Some(Event::CalleeReads)
    }
}
