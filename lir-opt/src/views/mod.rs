//! A module as something to look at: graphs, and its text with facts as comments.

pub(crate) mod compare;
pub(crate) mod dot;
pub(crate) mod peak_memory;
pub(crate) mod print_analysis;
pub(crate) mod remarks;
