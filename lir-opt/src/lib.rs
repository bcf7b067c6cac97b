//! Passes over LIR, and what runs them.
//!
//! * [`pass`]: what a pass is: the traits, what it is given ([`pass::PassContext`]) and what it gives back
//!   ([`pass::Preserved`]).
//! * [`registry`]: the one list of passes. To add a pass: a file in `passes/`, a line in the registry, a folder of
//!   cases in `testdata/opt/`.
//! * [`pipeline`]: what passes run in which order, the levels among them.
//! * [`run`]: runs a pipeline over a module; [`instrument`] is what happens around every pass.
//! * [`remarks`]: what passes say about what they did, and did not; [`unsaid`]: what is said for them.
//! * [`dot`]: graphs of a module; [`print_analysis`]: its text with facts as comments.
//! * [`reduce`]: `lir-reduce`, shrinks a module that shows a bug.
//! * [`analysis`]: facts about a function, cached by its stamps.
//! * [`transplant`]: copies of instructions of one function for another, for the inliner and the fuzzer.
//! * [`decision_tree`]: trees of comparisons as what they decide, for `simplify-cfg` and for the lowering of `switch`.

#![forbid(unsafe_code)]

pub mod analysis;
mod bounds;
#[cfg(feature = "cli")]
pub mod cli;
mod condition;
pub mod decision_tree;
pub mod dot;
mod edge_facts;
pub mod edges;
mod groups;
mod inst_words;
pub mod instrument;
mod kept_tables;
mod key_words;
mod known_data;
mod outcomes;
pub mod pass;
pub mod pass_run;
pub mod passes;
pub mod pipeline;
pub mod print_analysis;
pub mod registry;
pub mod remarks;
pub mod run;
mod ssa_construction;
mod stack_addresses;
mod stamped_table;
pub mod stats;
mod text_diff;
pub mod transplant;
pub mod unsaid;
mod value_key;

pub use instrument::{Instruments, PrintAfter};
pub use pass_run::{PassRun, PassRuns};
pub use pipeline::{Level, Pipeline, PipelineError};
pub use run::{Report, RunOptions, optimize, optimize_with_log};
