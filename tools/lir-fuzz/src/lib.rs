//! Looks for bugs of the toolchain with random modules and with mutants of real ones: the library of `lir-fuzz`.
//!
//! A module of [`lir_random`], or a mutant of [`mutate`], is looked at by several [`Check`]s: each does
//! something with it that must not change what it means, and compares. The reference interpreter says what it means.
//!
//! * [`finding`]: what may go wrong, and where; the `; finding:` line of a reproducer.
//! * [`mutate`]: real text, changed; [`origin`]: where the module of a seed comes from.
//! * [`calls`]: the calls of a generated module.
//! * [`check`]: the checks and their names; [`test_case`]: a module that undergoes them.
//! * [`orders`]: passes in random order.
//! * [`unspecified`]: whether a result depends on what the language leaves open, so that a difference is no bug.
//! * [`campaign`]: seeds in batches, in child processes with limits; a batch that dies is halved until the seed
//!   is found.
//! * [`reproducer`]: a finding as a file; replaying and reducing such files.
//! * [`coverage`]: what the modules of a run have reached, and what not.
//! * [`cli`]: the command line.
//!
//! # Source
//!
//! X. Yang, Y. Chen, E. Eide, J. Regehr, "Finding and Understanding Bugs in C Compilers", PLDI 2011: programs without
//! unspecified behaviour, compared between implementations.

#![forbid(unsafe_code)]

pub mod calls;
pub mod campaign;
pub mod check;
pub mod cli;
pub mod coverage;
pub mod finding;
pub mod mutate;
pub mod orders;
pub mod origin;
pub mod reproducer;
pub mod test_case;
pub mod unspecified;

pub use calls::calls_of;
pub use campaign::{Campaign, Event, Summary};
pub use check::{Check, CheckGroup};
pub use finding::{Finding, Kind, Problem};
pub use origin::{Case, Origin};
pub use test_case::TestCase;

use lir_random::{Config, generate};
use lir_syntax::ir::Module;

/// The module of a seed. Seeds give modules of different shapes.
pub fn module_of(seed: u64) -> Module {
    generate(seed, &config(seed))
}

/// What the module of a seed is like.
pub fn config(seed: u64) -> Config {
    let plain = Config::default();
    match seed % 8 {
        // What is left when everything else is taken away: failures here are easily reduced.
        4 => Config { functions: 1, statements: 3, ..plain },
        // Few and long functions: register pressure.
        5 => Config { functions: 1, statements: 60, ..plain },
        // Registers alone.
        6 => Config { memory: false, traps: false, statements: 24, ..plain },
        // Many small functions.
        7 => Config { functions: 12, statements: 4, ..plain },
        _ => plain,
    }
}
