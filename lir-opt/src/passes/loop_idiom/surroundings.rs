//! A loop, and all facts for the analysis of its memory.

use crate::analysis::alias::AliasOracle;
use crate::analysis::loops::affine::AffineForms;
use crate::analysis::loops::induction::{LoopContext, LoopShape};
use crate::analysis::loops::trips::Trips;
use lir_syntax::ir::{Block, Decls};

/// A loop, with the facts about memory.
pub(super) struct Surroundings<'a, 'b> {
    pub cx: &'b LoopContext<'a>,
    pub decls: &'b Decls,
    pub alias: &'b AliasOracle,
    pub shape: &'b LoopShape,
    pub blocks: &'b [Block],
    pub forms: &'b AffineForms,
    pub trips: &'b Trips,
}
