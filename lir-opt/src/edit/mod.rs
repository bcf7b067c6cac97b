//! Edits of a function that several passes make.
//!
//! * [`blocks`]: new blocks, and copies of blocks.
//! * [`constant_phis`]: phis of one constant, made constants after the phis of their block.
//! * [`edges`]: redirected edges, and phis kept in step with them.
//! * [`new_preds`]: phi entries for many new edges.
//! * [`reads`]: operands replaced by others.
//! * [`ssa_construction`]: phi placement and renaming.
//! * [`instruction_key`]: whole instructions as words, to compare them.

pub(crate) mod blocks;
pub(crate) mod constant_phis;
pub mod edges;
pub(crate) mod instruction_key;
pub(crate) mod new_preds;
pub(crate) mod reads;
pub(crate) mod ssa_construction;
