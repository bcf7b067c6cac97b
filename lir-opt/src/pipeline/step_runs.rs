//! Reads the names of runs of a pass, [`StepRun`], as users give them to options.

use crate::PipelineError;
use crate::pass::StepRun;
use crate::pipeline::registry;
use lir_syntax::text::suggest::suggestions;
use std::fmt;

/// Some runs of a pass: all, or the runs at one position.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct StepRuns {
    /// The name of the pass.
    pub step: &'static str,
    /// The position, as [`StepRun::position`] has it.
    pub position: Option<u32>,
}

impl StepRuns {
    /// Parses `gvn` or `gvn#3`; `gvn#3.2` means all iterations. A step is a pass or one of `stages`.
    ///
    /// # Errors
    /// An unknown step, with the nearest names; a position that is no number from 1.
    pub fn parse(text: &str, stages: &[&'static str]) -> Result<StepRuns, PipelineError> {
        let (name, number) = text.split_once('#').map_or((text, None), |(name, number)| (name, Some(number)));
        match stages.iter().find(|stage| **stage == name) {
            Some(stage) if number.is_some() => return Err(PipelineError::StageNumber { stage }),
            Some(step) => return Ok(StepRuns { step, position: None }),
            None => {}
        }
        let unknown = |mut nearest: Vec<_>| {
            nearest.extend(suggestions(name, stages.iter().copied()));
            PipelineError::UnknownPass { name: name.to_string(), nearest }
        };
        let step = registry::find(name).map_err(unknown)?.name;
        let position_of = |text: &str| {
            let (position, iteration) = text.split_once('.').unwrap_or((text, "1"));
            let number = |n: &str| n.parse().ok().filter(|k| *k > 0 && n.bytes().all(|c| c.is_ascii_digit()));
            let position = number(iteration).and_then(|_: u32| number(position));
            position.ok_or_else(|| PipelineError::RunNumber { pass: step, number: text.to_string() })
        };
        Ok(StepRuns { step, position: number.map(position_of).transpose()? })
    }
    /// True if a run is one of them.
    pub fn contains(&self, run: StepRun) -> bool {
        self.step == run.step && self.position.is_none_or(|position| position == run.position.max(1))
    }
}

impl From<&'static str> for StepRuns {
    fn from(step: &'static str) -> StepRuns {
        StepRuns { step, position: None }
    }
}

impl fmt::Display for StepRuns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        StepRun { step: self.step, position: self.position.unwrap_or(0), iteration: 1 }.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_runs() {
        let name = |position, iteration| StepRun { step: "gvn", position, iteration }.to_string();
        assert_eq!([name(0, 1), name(3, 1), name(0, 2), name(3, 2)], ["gvn", "gvn#3", "gvn#1.2", "gvn#3.2"]);
    }

    #[test]
    fn runs_of_names() {
        let third = StepRun { step: "gvn", position: 3, iteration: 2 };
        for (text, contains) in [("gvn", true), ("gvn#3", true), ("gvn#1", false), ("dce", false)] {
            let runs = StepRuns::parse(text, &[]).expect("it is a name");
            assert_eq!((runs.to_string(), runs.contains(third)), (text.to_string(), contains));
        }
        assert!(StepRuns::parse("gvn#1", &[]).expect("it is a name").contains(StepRun { position: 0, ..third }));
        assert_eq!(StepRuns::parse("gvn#3.2", &[]).expect("it is a name").to_string(), "gvn#3");
        for bad in ["gvn#", "gvn#0", "gvn#x", "gvn#+1", "gvn#1.", "gvn#1.x", "gnv", "#1"] {
            assert!(StepRuns::parse(bad, &[]).is_err(), "{bad}");
        }
    }

    #[test]
    fn wrong_numbers_are_named() {
        let error = |text| StepRuns::parse(text, &["hoist"]).expect_err("the number is wrong").to_string();
        assert_eq!(error("hoist#2"), "stage `hoist` runs once: its name has no number");
        assert_eq!(error("gvn#0"), "the runs of pass `gvn` are numbered from 1, and none is `0`");
        assert_eq!(error("gvn#2.x"), "the runs of pass `gvn` are numbered from 1, and none is `2.x`");
    }
}
