//! Reads the names of runs of a pass, [`PassRun`], as users give them to options.

use crate::pass::PassRun;
use crate::pipeline::registry;
use std::fmt;

/// Some runs of a pass: all, or those of a position.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct PassRuns {
    /// The name of the pass.
    pub pass: &'static str,
    /// The position, as [`PassRun::position`] has it.
    pub position: Option<u32>,
}

impl PassRuns {
    /// Reads `gvn` or `gvn#3`; of `gvn#3.2` all iterations are meant.
    ///
    /// # Errors
    /// What is wrong with it; the names nearest to one that no pass has.
    pub fn parse(text: &str) -> Result<PassRuns, crate::PipelineError> {
        let (name, number) = text.split_once('#').map_or((text, None), |(name, number)| (name, Some(number)));
        let unknown = |nearest| crate::PipelineError::UnknownPass { name: name.to_string(), nearest };
        let pass = registry::find(name).map_err(unknown)?.name;
        let position = number
            .map(|n| {
                let (position, iteration) = n.split_once('.').unwrap_or((n, "1"));
                let number = |n: &str| n.parse().ok().filter(|k| *k > 0 && n.bytes().all(|c| c.is_ascii_digit()));
                number(iteration).and_then(|_: u32| number(position))
            })
            .map(|n| n.ok_or(crate::PipelineError::Syntax { offset: name.len() + 1, expected: "a number from 1" }));
        Ok(PassRuns { pass, position: position.transpose()? })
    }
    /// True if a run is one of them.
    pub fn contains(&self, run: PassRun) -> bool {
        self.pass == run.pass && self.position.is_none_or(|position| position == run.position.max(1))
    }
}

impl From<&'static str> for PassRuns {
    fn from(pass: &'static str) -> PassRuns {
        PassRuns { pass, position: None }
    }
}

impl fmt::Display for PassRuns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        PassRun { pass: self.pass, position: self.position.unwrap_or(0), iteration: 1 }.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_runs() {
        let name = |position, iteration| PassRun { pass: "gvn", position, iteration }.to_string();
        assert_eq!([name(0, 1), name(3, 1), name(0, 2), name(3, 2)], ["gvn", "gvn#3", "gvn#1.2", "gvn#3.2"]);
    }

    #[test]
    fn runs_of_names() {
        let third = PassRun { pass: "gvn", position: 3, iteration: 2 };
        for (text, contains) in [("gvn", true), ("gvn#3", true), ("gvn#1", false), ("dce", false)] {
            let runs = PassRuns::parse(text).expect("it is a name");
            assert_eq!((runs.to_string(), runs.contains(third)), (text.to_string(), contains));
        }
        assert!(PassRuns::parse("gvn#1").expect("it is a name").contains(PassRun { position: 0, ..third }));
        assert_eq!(PassRuns::parse("gvn#3.2").expect("it is a name").to_string(), "gvn#3");
        for bad in ["gvn#", "gvn#0", "gvn#x", "gvn#+1", "gvn#1.", "gvn#1.x", "gnv", "#1"] {
            assert!(PassRuns::parse(bad).is_err(), "{bad}");
        }
    }
}
