//! Sets of integers and of outcomes of comparisons: partial knowledge about values.

pub(crate) mod outcomes;
pub mod range;
pub(crate) mod wrapped;
