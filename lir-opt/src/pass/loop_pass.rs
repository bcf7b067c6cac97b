//! The common driver of passes that copy loops.
//!
//! Each loop is examined by itself, in a function in which no loop was changed yet. The chosen copies are charged to
//! the [growth](super::growth) of the function, and all copies are made together. Each loop has one remark at the
//! branch that closes it: the change, or the reason for none.

use super::remarks::{Common, Remarks};
use super::{PassContext, SsaPass};
use crate::analysis::loops::induction::{LoopContext, LoopShape};
use crate::analysis::loops::nest::LoopNest;
use crate::analysis::{Preserved, SsaView};
use crate::pass::remarks::RemarkEvent;
use lir_syntax::ir::{Block, Decls, Function};

/// A pass that copies loops of one preheader and one latch.
pub(crate) trait LoopPass: Send + Sync {
    /// The planned change of a loop.
    type Plan;
    /// The event of a remark on a loop.
    type Event: RemarkEvent;
    /// The counter of loops that were copied.
    const COUNTER: &'static str;

    /// Plans the copies of a loop. None if there is no reason to copy it.
    ///
    /// # Errors
    /// There is one, and something against it.
    fn choose(&self, cx: &LoopContext<'_>, decls: &Decls, shape: LoopShape) -> Result<Option<Self::Plan>, Self::Event>;
    /// Drops loops because of facts about all of them together.
    fn retain(&self, _: &LoopContext<'_>, _: &mut Vec<Self::Plan>, _: &mut Remarks) {}
    /// Returns the loop of a plan, the number of copies, and the event of its remark.
    fn summary(&self, plan: &Self::Plan) -> (LoopShape, usize, Self::Event);
    /// Makes the copies. `nest` has the blocks of the loops.
    fn copy(&self, f: &mut Function, nest: &LoopNest, plans: &[Self::Plan]);
    /// The end of the pass, where copies were made.
    fn finish(&self, _: &mut Function, _: &mut PassContext<'_>) {}
}

/// A pass over loops as one over functions.
pub(crate) struct OverLoops<P>(pub P);

impl<P: LoopPass> SsaPass for OverLoops<P> {
    fn run(&self, f: &mut Function, ssa: &SsaView, cx: &mut PassContext<'_>) -> Preserved {
        let Some((cfg, dom, forest, nest)) = cx.analyses.nest(f) else { return Preserved::All };
        let loops = LoopContext { f, ssa, cfg, dom, forest, nest };
        let remarks = &mut *cx.remarks;
        let mut plans = Vec::new();
        for &header in nest.headers() {
            let Some(shape) = LoopShape::of(f, cfg, dom, header) else { continue };
            match self.0.choose(&loops, cx.decls, shape) {
                Ok(plan) => plans.extend(plan),
                Err(event) => remarks.missed(f, f.terminator(shape.latch), event),
            }
        }
        self.0.retain(&loops, &mut plans, remarks);
        let insts = |b: &Block| f.layout().insts(*b).count();
        plans.retain(|plan| {
            let (LoopShape { header, latch, .. }, copies, _) = self.0.summary(plan);
            let taken = cx.growth.take(copies * nest.own_blocks(header).iter().map(insts).sum::<usize>());
            if !taken {
                remarks.missed(f, f.terminator(latch), Common::GrewTooMuch);
            }
            taken
        });
        for (shape, _, event) in plans.iter().map(|plan| self.0.summary(plan)) {
            remarks.done(f, f.terminator(shape.latch), event);
        }
        if !plans.is_empty() {
            self.0.copy(f, nest, &plans);
            self.0.finish(f, cx);
        }
        cx.stats.add(P::COUNTER, plans.len() as u64);
        Preserved::none_if(!plans.is_empty())
    }
}
