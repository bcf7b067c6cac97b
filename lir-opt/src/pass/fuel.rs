//! Fuel: a limit on the number of single rewrites, to find the rewrite that makes code wrong.
//!
//! A pass that rewrites step by step takes fuel before each rewrite, and does not change the code if none is left.
//! Rewrites are counted in the order of the module, on one thread. [`--bisect`](crate::cli::bisect) halves first the
//! steps of a pipeline and then the fuel of the last step.
//!
//! Source: GHC's `-fopt-fuel`, and J. Whalley, "Automatic Isolation of Compiler Errors", TOPLAS 16 (5), 1994.

/// The rewrites that a pass may still make.
#[derive(Copy, Clone, Debug)]
pub struct Fuel {
    left: u64,
    used: u64,
}

impl Default for Fuel {
    fn default() -> Fuel {
        Fuel::of(u64::MAX)
    }
}

impl Fuel {
    /// Allows this many rewrites.
    pub fn of(rewrites: u64) -> Fuel {
        Fuel { left: rewrites, used: 0 }
    }
    /// True if another rewrite is allowed.
    #[inline]
    pub fn any(&self) -> bool {
        self.left != 0
    }
    /// Counts a rewrite that is about to be made. False if it must not be made.
    #[inline]
    pub fn take(&mut self) -> bool {
        let any = self.any();
        self.left -= u64::from(any);
        self.used += u64::from(any);
        any
    }
    /// Returns the number of rewrites that were made.
    pub fn used(&self) -> u64 {
        self.used
    }
}
