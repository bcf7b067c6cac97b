//! Live ranges of values across blocks, a [word](lir_opt::tables::live_words) of values at a time.
//!
//! In deep nests of loops this is quadratic in the depth: after [`STEPS`] for each block, other code follows the
//! remaining values, which steps over whole loops.

use super::Range;
use super::values::{GLOBAL, Global, Value};
use crate::mir::MFunction;
use lir_opt::tables::live_words::{Graph, LiveWords, Segment, WORD};
use lir_opt::tables::range_classes::Slice;

/// Limit on the steps for each block of the function after which no other word is begun.
const STEPS: usize = 16;

impl Graph for MFunction {
    #[inline]
    fn span(&self, b: u32) -> Slice {
        let data = &self.blocks[b as usize];
        (4 * data.start, 4 * data.end)
    }
    #[inline]
    fn for_each_pred(&self, b: u32, visit: impl FnMut(u32)) {
        self.blocks[b as usize].preds.iter().map(|p| p.0).for_each(visit);
    }
}

/// Appends the ranges of values that live across blocks to the arena. Returns the number of values that it handled: the
/// first ones, all unless that takes too many steps.
pub(super) fn find(
    words: &mut LiveWords<Range>,
    f: &MFunction,
    segments: &[Segment],
    (globals, values): (&mut [Global], &[Value]),
    ranges: &mut Vec<Range>,
) -> usize {
    let (mut steps, mut done) = (0, 0);
    words.reset(f.blocks.len());
    for word in globals.chunks_mut(WORD) {
        if steps > STEPS * f.blocks.len() {
            break;
        }
        done += word.len();
        for (k, global) in word.iter().enumerate() {
            let x = &values[global.vreg as usize];
            debug_assert!(x.is(GLOBAL), "a value of one block among those across blocks");
            words.add(k, x.segment(), segments);
        }
        steps += words.find(f, |_, start, end| Range { start, end });
        for (k, global) in word.iter_mut().enumerate() {
            global.ranges = words.take(k, ranges);
        }
    }
    done
}
