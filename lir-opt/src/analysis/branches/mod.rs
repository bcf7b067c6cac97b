//! Conditions of branches and their implications about each other, on an edge and in a tree of branches; the blocks
//! that branch weights predict.

pub(crate) mod condition;
pub mod decision_tree;
pub(crate) mod edge_facts;
pub mod expected;
