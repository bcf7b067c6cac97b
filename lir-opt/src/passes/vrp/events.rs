//! The remarks of the pass `vrp`, as data.

use crate::integers::range::Range as Interval;
use crate::pass::remarks::{Typed, events};
use lir_syntax::ir::Inst;

events! {
    pub(super) enum Event {
        Known(value: Typed): "known", "the ranges of its operands make it {value}";
        Subtracted(value: Typed): "subtracted", "{value} is below twice the divisor";
        Unsigned(value: Typed): "unsigned", "{value} is never negative";
        MayWrap(sum: Inst): "may-wrap", "its operand may wrap around: {sum}";
        MayBeNegative(value: Typed): "may-be-negative", "{value} may be negative";
        AlwaysFirst: "known", "it always jumps to the first block";
        AlwaysSecond: "known", "it always jumps to the second block";
        TruncationLosesNothing: "widened", "the truncation before it loses nothing";
        SumDoesNotWrap: "widened", "the sum before it does not wrap";
        BothOfOne(x: Typed, a: Interval): "not-decided", "both outcomes are possible where {x} is from {a}";
        BothOfTwo(x: Typed, a: Interval, y: Typed, b: Interval): "not-decided",
            "both outcomes are possible where {x} is from {a} and {y} is from {b}";
    }
}
