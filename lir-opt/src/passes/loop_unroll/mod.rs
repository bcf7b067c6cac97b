//! Full unrolling of loops (`loop-unroll`).
//!
//! Replaces a loop by its iterations, one after another, if their number is known and their code is small.
//!
//! # Example
//!
//! ```text
//! entry:                                       entry:
//!   jmp loop                                     jmp loop
//! loop:                                        loop:
//!   %i = phi [0, entry], [%j, loop]              %i = phi [0, entry]
//!   %x = load i32 [%p + %i*4]                    %x = load i32 [%p + %i*4]
//!   %j = add i64 %i, 1                           %j = add i64 %i, 1
//!   br slt i64 %j, 2, loop, done                 jmp loop.1
//!                                       =>     loop.1:
//!                                                %i.1 = phi [%j, loop]
//!                                                %x.1 = load i32 [%p + %i.1*4]
//!                                                %j.1 = add i64 %i.1, 1
//!                                                jmp done
//! done:                                        done:
//!   ret %x                                       ret %x.1
//! ```
//!
//! No counter and no test are left once constants are folded; then `sroa` makes registers of arrays with constant
//! indices, and `gvn` sees the stores of an iteration in the next one.
//!
//! # Algorithm
//!
//! Innermost loops are examined, each by itself; a nest is unrolled by several runs, from the inside out.
//!
//! 1. The loop is executed on known values ([`execution`]): constants, and sums of a constant and a register or an
//!    address from before the loop; initially the values that its phis get from outside. Each iteration gives the
//!    blocks that it reaches, the branches that are decided, and the number of instructions that are not replaced by
//!    constants.
//! 2. It is unrolled if an iteration is found that does not lead to another one, within [`MAX_ITERATIONS`](execution),
//!    and all of them together take at most `max` instructions.
//! 3. The loop's blocks are the first iteration; each other one is a copy of the blocks that it reaches ([`copies`]). A
//!    decided branch becomes a jump. Back edges lead to the header of the next iteration.
//! 4. Registers are assigned in each iteration now: SSA form is reconstructed as in `ssa`.
//!
//! # Why it is sound
//!
//! Step 1 computes the values of any execution of the function: a register whose value is known has it in that
//! iteration, whatever the others are, and an omitted block is not reached. So the copies execute the same instructions
//! in the same order. Step 4 keeps the meaning by the argument of `ssa`.
//!
//! # Cost and limits
//!
//! Step 1 takes the time of one iteration if the number of iterations is not constant; else it ends with the limit of
//! instructions, or of iterations and of blocks if all of them are folded. Loops for which SSA construction could take
//! more than [`MAX_STEPS_PER_BLOCK`] steps for each block of the function are not changed. Exits other than the counted
//! one are permitted: each copy has them.
//!
//! # Source
//!
//! LLVM's `LoopUnroll`, whose `analyzeLoopUnrollCost` is step 1 after the number of iterations is known by other means.
//! Here step 1 finds the number, so that counters which are doubled or shifted work, too.

mod copies;
mod events;
mod execution;

use super::ssa::tell_copies_apart;
use crate::analysis::loops::induction::LoopContext;
use crate::analysis::{Preserved, SsaView};
use crate::edit::edges::drop_stale_phi_entries;
use crate::pass::remarks::Common;
use crate::pass::{OptionInfo, OptionKind, Pass, PassContext, PassInfo, SsaPass};
use crate::passes::loop_unroll::events::Event;
use copies::Copies;
use execution::{Execution, Loop};
use lir_syntax::ir::{Block, Function};

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "loop-unroll",
    summary: "unroll loops completely if their number of iterations is known",
    options: &[OptionInfo {
        name: "max",
        kind: OptionKind::Number { default: 240, max: 10_000 },
        summary: "maximum number of instructions in all iterations together, without those that become constants",
    }],
    build: |options| Pass::Ssa(Box::new(LoopUnroll { max: options.number("max") as u32 })),
};

/// Steps that SSA construction may take, for each block of the function.
const MAX_STEPS_PER_BLOCK: usize = 64;
/// Steps that it may take in any case.
const MAX_STEPS: usize = 1 << 16;

struct LoopUnroll {
    max: u32,
}

/// The scratch memory of a run.
#[derive(Default)]
struct UnrollingScratch {
    execution: Execution,
    copies: Copies,
}

impl SsaPass for LoopUnroll {
    fn run(&self, f: &mut Function, ssa: &SsaView, cx: &mut PassContext<'_>) -> Preserved {
        let Some((cfg, dom, forest, nest)) = cx.analyses.nest(f) else { return Preserved::All };
        let mut scratch = cx.scratch.take::<UnrollingScratch>();
        let UnrollingScratch { execution, copies } = &mut *scratch;
        execution.reset(f);
        copies.reset(f);
        let mut steps = MAX_STEPS + MAX_STEPS_PER_BLOCK * f.num_blocks();
        let mut unrolled = 0;
        for k in 0..nest.headers().len() {
            let header = nest.headers()[k];
            let this = Loop { cx: LoopContext { f, ssa, cfg, dom, forest, nest }, decls: cx.decls, header };
            let last = f.terminator(header);
            let mut execute = || {
                execution.run(&this, self.max)?;
                let needed = copies.steps(f, execution, nest.own_blocks(header));
                let left = steps.checked_sub(needed).ok_or(Common::TooManySteps)?;
                if !cx.growth.take(execution.instructions_of_copies(f)) {
                    return Err(Event::from(Common::GrewTooMuch));
                }
                steps = left;
                Ok(())
            };
            if let Err(event) = execute() {
                cx.remarks.missed(f, last, event);
                continue;
            }
            cx.remarks.done(f, last, Event::Unrolled(header, execution.iterations()));
            copies.make(f, execution, header);
            unrolled += 1;
        }
        if unrolled != 0 {
            let mut changed: Vec<Block> = copies.finish(f);
            drop_stale_phi_entries(f, cx.analyses.cfg(f), &mut changed);
        }
        cx.scratch.give_back(scratch);
        if unrolled != 0 {
            tell_copies_apart(f, cx);
        }
        cx.stats.add("loops unrolled", unrolled);
        Preserved::none_if(unrolled != 0)
    }
}
