//! Facts about blocks and values, for one function that is printed.

use super::PrintedAnalysis;
use super::graph::{Liveness, cycles, frontiers, say_cycle, say_frontier};
use super::values::{affine_forms, ranges, readers, say_affine, say_bits, say_readers};
use crate::analysis::known_bits::KnownBits;
use crate::analysis::loops::affine::Affine;
use crate::analysis::{LoopForest, SsaView};
use crate::integers::range::Range;
use lir_syntax::ir::{Block, Cfg, DominatorTree, Function, Inst, Reg, SecondaryMap};
use lir_syntax::printer::{Comments, FunctionPrinter};
use std::cell::RefCell;

/// The requested facts about blocks and values; the others are empty.
pub(super) struct BlockAndValueFacts<'a> {
    f: &'a Function,
    printed: &'a [PrintedAnalysis],
    liveness: Liveness,
    frontiers: SecondaryMap<Block, Vec<Block>>,
    cycles: SecondaryMap<Block, Option<(Block, usize)>>,
    /// None if the function is not in SSA form.
    ssa: Option<SsaView>,
    ranges: SecondaryMap<Inst, Option<Range>>,
    affine: SecondaryMap<Inst, Option<Affine>>,
    bits: RefCell<KnownBits>,
    readers: SecondaryMap<Reg, Vec<Inst>>,
}

impl<'a> BlockAndValueFacts<'a> {
    pub(super) fn new(
        f: &'a Function,
        printed: &'a [PrintedAnalysis],
        cfg: &Cfg,
        (dominators, loops): (&DominatorTree, &LoopForest),
    ) -> BlockAndValueFacts<'a> {
        let prints = |a| printed.contains(&a);
        let ssa = SsaView::new(f, SsaView::default()).ok();
        let mut facts = BlockAndValueFacts {
            f,
            printed,
            liveness: Liveness::default(),
            frontiers: SecondaryMap::new(),
            cycles: SecondaryMap::new(),
            ssa: None,
            ranges: SecondaryMap::new(),
            affine: SecondaryMap::new(),
            bits: RefCell::default(),
            readers: SecondaryMap::new(),
        };
        if prints(PrintedAnalysis::Liveness) {
            facts.liveness = Liveness::new(f, cfg);
        }
        if prints(PrintedAnalysis::Frontiers) {
            facts.frontiers = frontiers(cfg, dominators);
        }
        if prints(PrintedAnalysis::Cycles) {
            facts.cycles = cycles(f);
        }
        if prints(PrintedAnalysis::Uses) {
            facts.readers = readers(f);
        }
        if let Some(ssa) = &ssa {
            if prints(PrintedAnalysis::Ranges) {
                facts.ranges = ranges(f, ssa, cfg, dominators);
            }
            if prints(PrintedAnalysis::Affine) {
                facts.affine = affine_forms(f, ssa, cfg, (dominators, loops));
            }
        }
        facts.ssa = ssa;
        facts
    }
    fn prints(&self, analysis: PrintedAnalysis) -> bool {
        self.printed.contains(&analysis)
    }
}

impl Comments for BlockAndValueFacts<'_> {
    fn of_function(&self, _: &FunctionPrinter<'_>, say: &mut dyn FnMut(&[u8])) {
        let of_ssa = [PrintedAnalysis::Affine, PrintedAnalysis::Bits, PrintedAnalysis::Ranges];
        for analysis in of_ssa.into_iter().filter(|a| self.prints(*a) && self.ssa.is_none()) {
            say(format!("no {}: the function is not in SSA form", analysis.name()).as_bytes());
        }
    }
    fn of_block(&self, printer: &FunctionPrinter<'_>, b: Block, say: &mut dyn FnMut(&[u8])) {
        say_frontier(printer, &self.frontiers[b], say);
        self.cycles[b].into_iter().for_each(|cycle| say_cycle(printer, cycle, say));
        self.liveness.say(printer, b, say);
    }
    fn of_inst(&self, printer: &FunctionPrinter<'_>, i: Inst, say: &mut dyn FnMut(&[u8])) {
        if let Some(Range { lo, hi }) = self.ranges[i] {
            say(format!("range {lo} to {hi}").as_bytes());
        }
        if let Some(ssa) = self.ssa.as_ref().filter(|_| self.prints(PrintedAnalysis::Bits)) {
            say_bits(self.f, ssa, &mut self.bits.borrow_mut(), i, say);
        }
        self.affine[i].iter().for_each(|form| say_affine(printer, form, say));
        if let Some(r) = self.f.def(i).filter(|_| self.prints(PrintedAnalysis::Uses)) {
            say_readers(self.f, printer, &self.readers[r], say);
        }
    }
}
