//! Names a run of a pass in messages: `gvn`, or `gvn#3` if the pass occurs several times in the pipeline.
//!
//! The number is the position in the pipeline among the positions of the same pass, from 1, so that it means the same
//! for every function; in a `fixpoint` group the number of the iteration follows from the second on: `gvn#3.2`.

use std::fmt;

/// A run of a pass.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct StepRun {
    /// The name of the pass.
    pub step: &'static str,
    /// The position in the pipeline among the positions of the pass, from 1. 0 if there is only one.
    pub position: u32,
    /// The number of the run among the runs of this position on the function, from 1.
    pub iteration: u32,
}

impl fmt::Display for StepRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.step)?;
        match (self.position, self.iteration) {
            (0, 0 | 1) => Ok(()),
            (position, 0 | 1) => write!(f, "#{position}"),
            (position, iteration) => write!(f, "#{}.{iteration}", position.max(1)),
        }
    }
}
