//! The remarks of the pass `loop-idiom`, as data.

use crate::pass::remarks::{Common, events};
use lir_syntax::ir::{Block, Inst, Reg};

events! {
    pub(super) enum Event {
        Filled(header: Block): "filled", "memset replaces loop {header}";
        FilledFrom(header: Block, least: u64): "filled",
            "memset replaces loop {header}, from {least} iterations on";
        Copied(header: Block): "copied", "memcpy replaces loop {header}";
        CopiedFrom(header: Block, least: u64): "copied",
            "memcpy replaces loop {header}, from {least} iterations on";
        MovedBytes(header: Block): "copied", "memmove replaces loop {header}";
        MovedBytesFrom(header: Block, least: u64): "copied",
            "memmove replaces loop {header}, from {least} iterations on";
        CountNotKnown: "count-not-known", "the number of iterations is not known before the loop";
        LoopsShareExit(max: usize): "many-edges", "more than {max} edges lead to the exit block";
        KeptForShortRuns: "kept-for-short-runs", "the loop is executed for few iterations only";
        FewIterations(n: u64): "few-iterations", "the loop has {n} iterations";
        LoopDoesMore(by: Inst): "does-more", "the loop has another effect: {by}";
        LoopDoesMuch(max: usize): "too-long", "the loop has more than {max} instructions";
        NotSideBySide(by: Inst): "not-side-by-side", "two iterations in a row do not access bytes side by side: {by}";
        BytesDiffer: "bytes-differ", "the stored value is neither a constant of equal bytes nor loaded by the loop";
        MayReadWritten(by: Inst): "may-overlap", "it may read bytes that another iteration wrote: {by}";
        ReadAfter(value: Reg): "is-read", "{value} is read after the loop, and cannot be computed without it";
        ..Common
    }
}
