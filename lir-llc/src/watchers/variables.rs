//! Records where variables are, for debug information.

use super::machine_after;
use crate::variables::{self, RecordedVariables, Variables};
use lir_opt::pipeline::watch::{Done, Seen, Step, Watch, own};

/// The places of the variables of each function.
#[derive(Debug)]
pub struct VariablePlaces {
    recorded: RecordedVariables,
    places: Vec<Variables>,
}

impl VariablePlaces {
    /// Records these.
    pub fn new(recorded: RecordedVariables) -> VariablePlaces {
        VariablePlaces { recorded, places: Vec::new() }
    }
    pub(crate) fn take(&mut self) -> Vec<Variables> {
        std::mem::take(&mut self.places)
    }
}

impl Watch for VariablePlaces {
    fn after(&mut self, step: &Step<'_>, _: &mut Done<'_>) -> Seen {
        if let Some((_, f, m)) = machine_after(step, "emit") {
            let machine = (&m.machine, &m.allocation, m.emission());
            let emitted = (&m.emitted, &m.code);
            self.places.push(variables::of_function((f, self.recorded), machine, &m.names(), emitted, m.objects()));
        }
        Ok(())
    }
    fn fork(&self) -> Box<dyn Watch> {
        Box::new(VariablePlaces::new(self.recorded))
    }
    fn join(&mut self, part: Box<dyn Watch>) {
        self.places.extend(own::<VariablePlaces>(part).places);
    }
    fn sees_idle_steps(&self) -> bool {
        false
    }
}
