//! Loops that fill and copy memory (`loop-idiom`).
//!
//! Replaces loops that store the same byte everywhere, or values that they load elsewhere, by `memset`, `memcpy` and
//! `memmove`.
//!
//! # Example
//!
//! ```text
//! before:                                      before:
//!   jmp loop                                     %m = sub i64 %n, 16
//!                                                br ult i64 %m, 0x7fffffff, loop.2, loop.1
//!                                              loop.1:
//!                                                jmp loop
//! loop:                                        loop:
//!   %i = phi i64 [0, before], [%j, loop]         %i = phi i64 [0, loop.1], [%j, loop]
//!   store i32 [%p + %i*4], 0                     store i32 [%p + %i*4], 0
//!   %j = add i64 %i, 1                           %j = add i64 %i, 1
//!   br slt i64 %j, %n, loop, done       =>       br slt i64 %j, %n, loop, done
//!                                              loop.2:
//!                                                %z = const i64 0
//!                                                %l = shl i64 %n, 2
//!                                                %q = lea [%p + %z*4]
//!                                                memset [%q], 0, %l
//!                                                jmp done
//! done:                                        done:
//! ```
//!
//! # Algorithm
//!
//! 1. Candidates are loops that write, whose blocks form a chain, and whose latch has the only exit.
//! 2. Nothing else in the loop has an effect. The growth of each register from one iteration to the next is found in
//!    one walk ([`body`]): constants are added, multiplied and shifted. The writes of an iteration are an *element* of
//!    one or several *pieces* ([`pieces`]): stores, and block operations of constant length. All addresses grow, or
//!    shrink, by the same number of bytes, and the pieces fill as many without a gap. Their bytes are all equal and the
//!    same in each iteration; or all are read in the same iteration from addresses with the same layout and growth: if
//!    the oracle knows that the two ranges are apart, if one is in an object that is younger than the other address
//!    ([`fresh`]), or if the reads are a constant distance ahead of the writes, in the direction of the loop, and none
//!    reads bytes that a previous piece wrote.
//! 3. The number of iterations is computed from the bound of the exit test
//!    ([`Trips`](crate::analysis::loops::trips::Trips)).
//! 4. If the number is constant, the block operation replaces the loop. Otherwise a branch chooses: the loop runs for
//!    less than `least` iterations, which are faster than a call, and for numbers outside of a window from there on,
//!    which may be wrong. The window has 2^31 numbers; for counters of 32 bits 2^28 over the step.
//! 5. The last values of registers that are read after the loop are their first values plus a multiple of the number;
//!    phis join them with the values of the loop.
//!
//! # Why it is sound
//!
//! A number of iterations in the window is the true one. Let the step be 1 and the loop continue while `value < bound`:
//! the distance d = bound - start, modulo 2^width, is the number if start < bound as integers. If not, the true
//! difference is negative, and d is in the window only if that is nearly -2^width. It is not if one of the two is in
//! the quarter of its type's values around 0, or extended from half the bits, or if the same condition was tested
//! before the loop. With other steps, and with `<=`, the counter needs room above the bound in order not to wrap: it
//! has room if one of the two is near 0 and the distance is in the window. If there was only a test of the same
//! condition before the loop, the distance must be a whole number of steps, and the counter reaches the bound itself;
//! likewise with steps that are not a power of two. `!=` needs none of that: the counter reaches the bound for the
//! first time after d / step iterations, if that is a whole number. The quotient is d times the inverse of the odd part
//! of the step, rotated by the logarithm of the rest: if it is in the window, it is a number whose product with the
//! step is d.
//!
//! The bytes of all elements are adjacent, so the block operation writes the same ones; the length does not wrap, since
//! the number is below 2^32, and an element has less than 2^31 bytes. Reads ahead of the writes read no bytes that a
//! previous iteration wrote, so all may come first, which is `memmove`. All bytes are in one object, since the
//! addresses of the pieces are sums of the same registers; and an object can be written as a whole or not at all, by
//! the rule for accesses that `dse` relies on, too: if one of the writes faults, so does the first, and nothing was
//! written before. The same holds for the reads. If one of both cannot fault, a fault has the line of the first access
//! of the other kind in the program, whatever bytes that accesses. If both may fault, as in memory that was allocated
//! or that a parameter points to, the first iteration is executed before, by copies of its accesses in their order. A
//! block operation that is the only piece has one line for both. The loop ends, since its number of iterations is
//! known.
//!
//! # Cost and limits
//!
//! Linear in the function, except the pieces of a loop, at most [`MAX_INSTRUCTIONS`](pieces), which are searched
//! linearly. The alias oracle is computed if there is a loop that writes in all of its iterations and whose
//! number of iterations is known. Loops that may overlap at an unknown distance are not changed, nor are loops that
//! write to several places, step by more than 64, or store a pattern of several bytes. The remaining loop next to a
//! block operation is recognized when the pass runs again, and not changed. A loop around a loop that became a block
//! operation is found when the pass runs again.
//!
//! # Source
//!
//! LLVM's `LoopIdiomRecognize`, which has no branch on the number of iterations: memory functions of some libraries are
//! slow for few bytes, and so is any call in a function that had none before.

mod body;
mod events;
mod fresh;
mod pieces;
mod rewrite;
mod surroundings;

use crate::analysis::loops::induction::LoopContext;
use crate::analysis::{LoopFacts, Preserved, SsaView};
use crate::pass::{OptionInfo, OptionKind, Pass, PassContext, PassInfo, SsaPass};
use crate::passes::loop_idiom::events::Event;
use body::{Candidate, Idiom};
use lir_syntax::ir::{EntitySet, Function, Reg};

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "loop-idiom",
    summary: "replace loops that only fill or copy memory by memset, memcpy and memmove",
    options: &[OptionInfo {
        name: "least",
        kind: OptionKind::Number { default: 16, max: 1 << 20 },
        summary: "minimum number of iterations for a call, where the number is found at run time",
    }],
    build: |options| Pass::Ssa(Box::new(LoopIdiom { least: options.number("least").max(1) })),
};

/// The fewest iterations of a loop whose number is constant. The others are for `loop-unroll`.
const LEAST_KNOWN: u64 = 2;

struct LoopIdiom {
    least: u64,
}

impl SsaPass for LoopIdiom {
    fn run(&self, f: &mut Function, ssa: &SsaView, cx: &mut PassContext<'_>) -> Preserved {
        let idioms = self.find(f, ssa, cx);
        for idiom in &idioms {
            let header = idiom.shape.header;
            let event = match (idiom.element.stored.copied().map(|c| c.may_overlap), idiom.trips.known) {
                (None, Some(_)) => Event::Filled(header),
                (None, None) => Event::FilledFrom(header, self.least),
                (Some(false), Some(_)) => Event::Copied(header),
                (Some(false), None) => Event::CopiedFrom(header, self.least),
                (Some(true), Some(_)) => Event::MovedBytes(header),
                (Some(true), None) => Event::MovedBytesFrom(header, self.least),
            };
            cx.remarks.done(f, idiom.element.first_write(), event);
        }
        rewrite::rewrite_all(f, &idioms, self.least);
        let (copied, filled): (Vec<&Idiom>, Vec<&Idiom>) =
            idioms.iter().partition(|idiom| idiom.element.stored.copied().is_some());
        cx.stats.add("loops that fill", filled.len() as u64);
        cx.stats.add("loops that copy", copied.len() as u64);
        Preserved::none_if(!idioms.is_empty())
    }
}

impl LoopIdiom {
    /// Steps 1 to 3.
    fn find(&self, f: &Function, ssa: &SsaView, cx: &mut PassContext<'_>) -> Vec<Idiom> {
        let candidates = self.candidates(f, ssa, cx);
        if candidates.is_empty() {
            return Vec::new();
        }
        let Some(facts) = cx.analyses.loop_facts(cx.decls, f, ssa) else { return Vec::new() };
        let LoopFacts { cfg, dominators: dom, forest, nest, alias } = facts;
        let context = LoopContext { f, ssa, cfg, dom, forest, nest };
        let mut idioms: Vec<Idiom> = Vec::new();
        for candidate in candidates {
            let write = candidate.first_write;
            match candidate.recognize(&context, cx.decls, alias) {
                Ok(idiom) => idioms.push(idiom),
                Err(event) => cx.remarks.missed(f, write, event),
            }
        }
        if idioms.is_empty() {
            return idioms;
        }
        let read = read_after(&context, &idioms);
        idioms.retain_mut(|idiom| {
            let outcome = add_reads(&context, idiom, &read);
            if let Err(event) = outcome {
                cx.remarks.missed(f, idiom.element.first_write(), event);
            }
            outcome.is_ok()
        });
        idioms
    }
    /// Returns the loops that are worth an alias oracle.
    fn candidates(&self, f: &Function, ssa: &SsaView, cx: &mut PassContext<'_>) -> Vec<Candidate> {
        let Some(context) = cx.analyses.loops_of(f, ssa) else { return Vec::new() };
        let mut candidates = Vec::new();
        for &header in context.nest.headers() {
            let Some(blocks) = body::chain_of(&context, header) else { continue };
            let Some(write) = body::first_write(f, blocks) else { continue };
            match Candidate::of(&context, cx.decls, blocks, write).and_then(|found| self.is_worth_it(found)) {
                Ok(candidate) => candidates.push(candidate),
                Err(event) => cx.remarks.missed(f, write, event),
            }
        }
        candidates
    }
    fn is_worth_it(&self, candidate: Candidate) -> Result<Candidate, Event> {
        match candidate.trips.known {
            Some(n) if n < LEAST_KNOWN => Err(Event::FewIterations(n)),
            Some(n) if n > candidate.trips.window() => Err(Event::CountNotKnown),
            _ => Ok(candidate),
        }
    }
}

/// Returns the registers of these loops that are read outside of their loop.
fn read_after(cx: &LoopContext<'_>, idioms: &[Idiom]) -> EntitySet<Reg> {
    let mut headers = EntitySet::new();
    idioms.iter().for_each(|idiom| _ = headers.insert(idiom.shape.header));
    cx.read_outside(&headers, |pred, _| pred)
}

/// Adds the registers of a loop that are read outside. Their last values must be computable.
fn add_reads(cx: &LoopContext<'_>, idiom: &mut Idiom, read: &EntitySet<Reg>) -> Result<(), Event> {
    let assigned = idiom.blocks.iter().flat_map(|b| cx.f.layout().insts(*b)).filter_map(|i| cx.f.def(i));
    let (in_phis, directly) = (std::mem::take(&mut idiom.read_after), |r: &Reg| read.contains(*r));
    idiom.read_after.extend(assigned.filter(|r| in_phis.contains(r) || directly(r)));
    idiom.read_directly.extend(idiom.read_after.iter().copied().filter(directly));
    // The phis that are made in the exit are of these two edges.
    let must_own_exit = idiom.trips.known.is_none() && cx.cfg.preds(idiom.exit) != [idiom.shape.latch];
    let not_computed = idiom.read_after.iter().find(|r| idiom.forms.stride(**r).is_none());
    let not_merged = idiom.read_directly.first().filter(|_| must_own_exit);
    not_computed.or(not_merged).map_or(Ok(()), |r| Err(Event::ReadAfter(*r)))
}
