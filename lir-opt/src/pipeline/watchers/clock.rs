//! Measures the time of each step, over all functions and threads.

use crate::pipeline::watch::{Done, Seen, Step, Watch, own};
use std::time::{Duration, Instant};

/// The times of steps.
#[derive(Clone, Default, Debug)]
pub struct Clock {
    times: Vec<StepTime>,
    started: Option<Instant>,
}

/// The time of a step, over all functions and threads.
#[derive(Copy, Clone, Debug)]
pub struct StepTime {
    /// Name of the step.
    pub name: &'static str,
    /// True for a pass, false for a stage of code generation.
    pub is_pass: bool,
    /// Number of times it ran.
    pub runs: u64,
    /// The sum of the times on the clock of its runs.
    pub time: Duration,
}

impl Clock {
    /// Returns the times of all steps, in the order in which they ran first.
    pub fn times(&self) -> &[StepTime] {
        &self.times
    }
    /// Returns the times of the passes, the longest first.
    pub fn passes(&self) -> Vec<StepTime> {
        let mut sorted: Vec<StepTime> = self.times.iter().copied().filter(|t| t.is_pass).collect();
        sorted.sort_by_key(|t| (std::cmp::Reverse(t.time), t.name));
        sorted
    }
    fn add(&mut self, t: StepTime) {
        match self.times.iter_mut().find(|u| u.name == t.name && u.is_pass == t.is_pass) {
            Some(u) => {
                u.runs += t.runs;
                u.time += t.time;
            }
            None => self.times.push(t),
        }
    }
}

impl Watch for Clock {
    fn before(&mut self, _: &Step<'_>, _: &mut Vec<u8>) -> bool {
        self.started = Some(Instant::now());
        true
    }
    fn after(&mut self, step: &Step<'_>, _: &mut Done<'_>) -> Seen {
        if let Some(start) = self.started.take() {
            self.add(StepTime { name: step.run.step, is_pass: step.is_pass, runs: 1, time: start.elapsed() });
        }
        Ok(())
    }
    fn fork(&self) -> Box<dyn Watch> {
        Box::new(Clock::default())
    }
    fn join(&mut self, part: Box<dyn Watch>) {
        own::<Clock>(part).times.into_iter().for_each(|t| self.add(t));
    }
    fn sees_idle_steps(&self) -> bool {
        false
    }
}
