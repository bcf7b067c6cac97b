//! Passes over LIR, and what runs them.
//!
//! * [`pass`]: what a pass is: the traits, what it is given ([`pass::PassContext`]) and what it gives back
//!   ([`pass::Preserved`]).
//! * [`registry`]: the one list of passes. To add a pass: a file in `passes/`, a line in the registry, a folder of
//!   cases in `testdata/opt/`.
//! * [`analysis`]: facts about a function, cached by its stamps.

#![forbid(unsafe_code)]

pub mod analysis;
mod groups;
pub mod pass;
pub mod passes;
pub mod registry;
mod ssa_construction;
pub mod stats;
