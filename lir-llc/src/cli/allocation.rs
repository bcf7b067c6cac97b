//! The options of register allocation, which all tools that generate code have.

use crate::regalloc::AllocOptions;
use crate::regalloc::options::{Features, RegCount, Stress};
use clap::Args;
use lir_cli::heading::TESTS;

/// Options of register allocation and its check.
#[derive(Args)]
pub struct AllocationArgs {
    /// Allocate with N registers of each class, 4 to 16
    ///
    /// Those that instructions fix come on top.
    #[arg(long, value_name = "N", help_heading = TESTS)]
    regs: Option<RegCount>,
    /// Allocate badly on purpose: `spill`, or the number of a seed
    ///
    /// With `spill` every value is in memory wherever it can be. With a seed values are spilled, live ranges are split,
    /// registers are taken and moves are ordered at random.
    #[arg(long, value_name = "SEED", help_heading = TESTS)]
    regalloc_stress: Option<Stress>,
    /// Leave out features: webs, hints, remat, placement, slots, splitting
    ///
    /// Several are separated by commas. This measures what each is worth.
    #[arg(long, value_name = "NAMES", help_heading = TESTS)]
    regalloc_without: Option<Features>,
    /// Check every register allocation by symbolic execution
    #[arg(long, help_heading = TESTS)]
    pub verify_regalloc: bool,
}

impl AllocationArgs {
    /// Returns the options of the allocator.
    pub fn options(&self) -> AllocOptions {
        AllocOptions {
            regs: self.regs,
            stress: self.regalloc_stress,
            without: self.regalloc_without.unwrap_or_default(),
        }
    }
}
