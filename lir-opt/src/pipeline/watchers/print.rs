//! Prints functions after chosen steps, each under a comment.

use crate::pass::StepRun;
use crate::pipeline::step_runs::StepRuns;
use crate::pipeline::watch::{Done, Seen, Step, Subject, Watch};

/// Prints after some steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PrintAfter {
    /// All.
    All,
    /// These.
    Steps(Vec<StepRuns>),
}

impl PrintAfter {
    fn has(&self, run: StepRun) -> bool {
        match self {
            PrintAfter::All => true,
            PrintAfter::Steps(runs) => runs.iter().any(|r| r.contains(run)),
        }
    }
}

fn print(subject: &Subject<'_>, step: &Step<'_>, done: &mut Done<'_>) {
    let note = if done.changed { "" } else { " (no change)" };
    done.log.extend_from_slice(format!("; after {}{note}\n", step.run).as_bytes());
    subject.print(done.log);
    done.log.push(b'\n');
}

impl Watch for PrintAfter {
    fn after(&mut self, step: &Step<'_>, done: &mut Done<'_>) -> Seen {
        if !self.has(step.run) {
            return Ok(());
        }
        match step.subject {
            Subject::Module(m) => {
                m.funcs.values().for_each(|f| print(&Subject::Function(&m.decls, f), step, done));
            }
            subject @ (Subject::Function(..) | Subject::Machine(..)) => print(&subject, step, done),
        }
        Ok(())
    }
    fn fork(&self) -> Box<dyn Watch> {
        Box::new(self.clone())
    }
    fn join(&mut self, _: Box<dyn Watch>) {}
}
