//! The options of register allocation, which all tools that generate code have.

use crate::regalloc::AllocOptions;
use crate::regalloc::options::{Feature, Features, RegCount, Stress};
use clap::Args;
use lir_cli::heading::TESTS;

/// Options of register allocation and its check.
#[derive(Args)]
pub struct AllocationArgs {
    /// Allocate with N registers of each class, 4 to 16
    ///
    /// Registers that instructions fix are not counted.
    #[arg(long, value_name = "N", help_heading = TESTS)]
    regs: Option<RegCount>,
    /// Allocate badly on purpose: `spill`, or the seed of random decisions
    ///
    /// `spill` keeps every value in memory wherever possible. With a seed, values are spilled, live ranges split,
    /// registers chosen and moves ordered at random.
    #[arg(long, value_name = "SEED", help_heading = TESTS)]
    regalloc_stress: Option<Stress>,
    #[arg(long, value_name = "NAMES", help_heading = TESTS, help = without_help(), long_help = without_long_help())]
    regalloc_without: Option<Features>,
    /// Check every register allocation by symbolic execution
    #[arg(long, help_heading = TESTS)]
    verify_regalloc: bool,
}

/// The names are those that are taken.
fn without_help() -> String {
    format!("Leave out features: {}", Feature::ALL.map(Feature::name).join(", "))
}

fn without_long_help() -> String {
    without_help() + "\n\nSeveral are separated by commas. This measures the benefit of each feature."
}

impl AllocationArgs {
    /// Returns the options of the allocator.
    pub fn options(&self) -> AllocOptions {
        AllocOptions {
            regs: self.regs,
            stress: self.regalloc_stress,
            without: self.regalloc_without.unwrap_or_default(),
            verify: self.verify_regalloc,
        }
    }
}
