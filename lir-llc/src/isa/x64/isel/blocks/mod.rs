//! Blocks as selection orders, connects and weighs them.

pub(super) mod frequency;
pub(super) mod graph;
pub(super) mod order;
