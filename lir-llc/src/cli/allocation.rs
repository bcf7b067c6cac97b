//! The options of register allocation, which all tools that generate code have.

use crate::regalloc::AllocOptions;
use crate::regalloc::options::{Features, RegCount, Stress};
use clap::Args;

/// How to allocate registers, and whether to check it.
#[derive(Args)]
pub struct AllocationArgs {
    /// Allocate with N registers of each class only, beside those that instructions fix: 4 to 16. For tests
    #[arg(long, value_name = "N")]
    regs: Option<RegCount>,
    /// Allocate badly on purpose: with `spill` every value is in memory wherever it can be; with the number of a seed
    /// values are spilled, lives are cut, registers are taken and moves are ordered at random. For tests
    #[arg(long, value_name = "SEED")]
    regalloc_stress: Option<Stress>,
    /// Leave out arts of the allocator, with commas: webs, hints, remat, placement, slots, splitting. For measuring
    #[arg(long, value_name = "NAMES")]
    regalloc_without: Option<Features>,
    /// Check every register allocation by symbolic execution
    #[arg(long)]
    pub verify_regalloc: bool,
}

impl AllocationArgs {
    /// What the allocator is asked for.
    pub fn options(&self) -> AllocOptions {
        AllocOptions {
            regs: self.regs,
            stress: self.regalloc_stress,
            without: self.regalloc_without.unwrap_or_default(),
        }
    }
}
