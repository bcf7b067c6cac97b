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
#[cfg(feature = "cli")]
pub mod cli;
pub mod edit;
pub mod integers;
pub mod pass;
pub mod passes;
pub mod pipeline;
mod tables;
pub mod views;

pub use pass::PassRun;
pub use pipeline::instrument::{Instruments, PrintAfter};
pub use pipeline::pass_runs::PassRuns;
pub use pipeline::run::{Report, RunOptions, optimize, optimize_with_log};
pub use pipeline::{Level, Pipeline, PipelineError};
