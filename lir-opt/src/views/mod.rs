//! Views of a module: graphs, its text with facts as comments, and the grammar's tree of a text.

pub(crate) mod compare;
pub(crate) mod dot;
pub(crate) mod peak_memory;
pub(crate) mod print_analysis;
pub(crate) mod remarks;
pub(crate) mod syntax_tree;
