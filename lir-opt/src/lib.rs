//! Passes over LIR, and the pipeline that runs them.
//!
//! * [`pass`]: the interface of a pass: the traits, the argument ([`pass::PassContext`]) and the result
//!   ([`analysis::Preserved`]) of a pass; the remarks in which it reports its changes, and the changes that it did not
//!   make.
//! * [`analysis`]: facts about a function, cached by its stamps; [`integers`]: intervals and sets of outcomes.
//! * [`edit`]: changes of a function that several passes make.
//! * [`tables`]: memory kept from function to function; classes of live ranges, which the allocator uses, too.
//! * [`regions`]: single-entry regions, which liveness can skip in one step.
//! * [`passes`]: a file or a folder for each pass.
//! * [`pipeline`]: which passes run in which order, the levels among them; the registry of passes; what happens around
//!   every pass.
//! * `views`: graphs of a module, its text with facts as comments, remarks as text, all for the command line to print.
//!
//! `CONTRIBUTING.md` has the recipe for a new pass.

#![forbid(unsafe_code)]

#[cfg(test)]
extern crate alloc;

pub mod analysis;
#[cfg(feature = "cli")]
pub mod cli;
pub mod edit;
pub mod integers;
pub mod pass;
pub mod passes;
pub mod pipeline;
pub mod regions;
pub mod tables;
#[cfg(feature = "cli")]
mod views;

pub use pass::StepRun;
pub use pipeline::run::{Report, RunOptions, optimize, optimize_verified, optimize_watched};
pub use pipeline::step_runs::StepRuns;
pub use pipeline::{Level, Pipeline, PipelineError};
