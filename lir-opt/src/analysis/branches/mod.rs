//! Conditions of branches: what one implies about another, on an edge and in a tree of them.

pub(crate) mod condition;
pub mod decision_tree;
pub(crate) mod edge_facts;
