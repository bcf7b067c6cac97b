//! Blocks as selection orders and weighs them.

pub(super) mod frequency;
pub(super) mod order;
