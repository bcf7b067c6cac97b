//! Runs only the first N steps, and lists them. At the smallest N with wrong code, the last step has the bug.
//!
//! A step is a pass on a function, or on the module, or a stage of code generation that may be skipped. Steps are
//! numbered from 1 in the order of the module, so one thread runs them.

use crate::pipeline::watch::{Step, Watch, own};

/// Counts steps, and skips the steps after the limit.
#[derive(Clone, Debug)]
pub struct Bisect {
    limit: u64,
    steps: u64,
    /// The last step that ran, in words.
    last: String,
}

impl Bisect {
    /// Runs the first `limit` steps.
    pub fn new(limit: u64) -> Bisect {
        Bisect { limit, steps: 0, last: "none".to_string() }
    }
    /// Returns the number of steps, those that were skipped included.
    pub fn steps(&self) -> u64 {
        self.steps
    }
    /// Returns the last step that ran, in words.
    pub fn last(&self) -> &str {
        &self.last
    }
}

impl Watch for Bisect {
    fn before(&mut self, step: &Step<'_>, log: &mut Vec<u8>) -> bool {
        if !step.may_be_left_out {
            return true;
        }
        self.steps += 1;
        let runs = self.steps <= self.limit;
        let not = if runs { "" } else { "NOT " };
        let kind = if step.is_pass { "pass" } else { "stage" };
        let on = step.subject.name().map_or("module".to_string(), |name| format!("function ({name})"));
        log.extend(format!("BISECT: {not}running {kind} ({}) {} on {on}\n", self.steps, step.run).bytes());
        if runs {
            self.last = format!("{kind} {} on {on}", step.run);
        }
        runs
    }
    fn fork(&self) -> Box<dyn Watch> {
        Box::new(self.clone())
    }
    fn join(&mut self, part: Box<dyn Watch>) {
        *self = *own::<Bisect>(part);
    }
    fn needs_order(&self) -> bool {
        true
    }
}
