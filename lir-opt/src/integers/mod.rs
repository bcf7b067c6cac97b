//! Sets of integers and of outcomes of comparisons: what is known of a value without knowing it.

pub(crate) mod outcomes;
pub mod range;
pub(crate) mod wrapped;
