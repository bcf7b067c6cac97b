//! The remarks of `gvn-partition` and `gvn-unified`, as data.

use crate::pass::remarks::{Words, events};
use lir_syntax::ir::{Block, Reg};

events! {
    pub(super) enum Event<'a> {
        CongruentElsewhere(n: Words<'a>, other: Reg, b: Block): "not-dominating",
            "number {n}, as {other} has, but {b} does not dominate this block";
    }
}
