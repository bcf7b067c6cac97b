//! Collects the reasons that stages give.

use lir_opt::pass::remarks::{Listen, Remark};
use lir_opt::pipeline::watch::{Done, Seen, Step, Watch, own};

/// The remarks of the stages.
#[derive(Debug)]
pub struct Reasons {
    /// The remarks to collect.
    pub listen: Listen,
    /// The remarks, function by function in the order of the stages.
    pub said: Vec<Remark>,
}

impl Reasons {
    /// None yet.
    pub fn new(listen: Listen) -> Reasons {
        Reasons { listen, said: Vec::new() }
    }
}

impl Watch for Reasons {
    fn after(&mut self, step: &Step<'_>, done: &mut Done<'_>) -> Seen {
        if !step.is_pass {
            self.said.extend(done.remarks.take());
        }
        Ok(())
    }
    fn fork(&self) -> Box<dyn Watch> {
        Box::new(Reasons::new(self.listen.clone()))
    }
    fn join(&mut self, part: Box<dyn Watch>) {
        self.said.extend(own::<Reasons>(part).said);
    }
    fn sees_idle_steps(&self) -> bool {
        false
    }
}
