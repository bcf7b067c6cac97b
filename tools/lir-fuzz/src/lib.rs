//! Looks for bugs of the toolchain with random modules and with mutants of real ones: the library of `lir-fuzz`.
//!
//! A module of [`lir_random`], or a mutant of [`mutate`], undergoes several [`Check`]s: each transforms or executes the
//! module in a way that must not change its meaning, and compares the results with the reference interpreter.
//!
//! * [`finding`]: kinds of failures; the `; finding:` line of a reproducer.
//! * [`program`]: a module with calls; [`origin`]: the source of a seed's module; [`mutate`]: mutants of real text.
//! * [`calls`]: the calls of a generated module.
//! * [`check`]: the checks and their names; [`test_case`]: a program that undergoes them.
//! * [`orders`]: passes in random order; [`llvm`]: modules compiled by LLVM.
//! * [`unspecified`]: whether a result depends on unspecified behaviour, so that a difference is not a bug.
//! * [`campaign`]: the checks of many seeds, in child processes with limits; a batch that dies is halved until the seed
//!   is found.
//! * [`reproducer`]: a finding as a file; replaying and reducing such files.
//! * [`coverage`]: the instructions, types and operands that the modules of a run cover.
//! * [`cli`]: the command line.
//!
//! # Source
//!
//! X. Yang, Y. Chen, E. Eide, J. Regehr, "Finding and Understanding Bugs in C Compilers", PLDI 2011: programs without
//! unspecified behaviour, compared between implementations.

#![forbid(unsafe_code)]

mod calls;
pub mod campaign;
mod check;
pub mod cli;
mod coverage;
mod finding;
mod llvm;
mod mutate;
mod orders;
mod origin;
mod program;
mod promised;
mod reproducer;
mod test_case;
mod unspecified;

pub use campaign::{Campaign, Event, Summary};
pub use check::Check;
use check::CheckGroup;
pub use coverage::Coverage;
pub use finding::{Finding, Kind, Problem};
pub use mutate::Corpus;
pub use origin::Origin;
