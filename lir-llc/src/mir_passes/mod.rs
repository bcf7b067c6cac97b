//! Passes over the machine IR, between selection and register allocation.

pub(crate) mod count_blocks;
pub(crate) mod framed;
pub(crate) mod hoist;
pub(crate) mod split;
