//! Limits the number of single rewrites that all steps together may make ([`Fuel`]).
//!
//! Rewrites are counted in the order of the module, so the steps run on one thread.

use crate::pass::fuel::Fuel;
use crate::pipeline::watch::{Watch, own};

/// A watcher that allows only the first rewrites of a run.
#[derive(Copy, Clone, Debug, Default)]
pub struct FuelLimit {
    fuel: Fuel,
}

impl FuelLimit {
    /// Allows this many rewrites.
    pub fn new(rewrites: u64) -> FuelLimit {
        FuelLimit { fuel: Fuel::of(rewrites) }
    }
    /// Returns the number of rewrites that were made.
    pub fn used(&self) -> u64 {
        self.fuel.used()
    }
}

impl Watch for FuelLimit {
    fn fuel(&mut self) -> Option<&mut Fuel> {
        Some(&mut self.fuel)
    }
    fn fork(&self) -> Box<dyn Watch> {
        Box::new(*self)
    }
    fn join(&mut self, part: Box<dyn Watch>) {
        *self = *own::<FuelLimit>(part);
    }
    fn needs_order(&self) -> bool {
        true
    }
}
