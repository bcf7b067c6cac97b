//! Pipelines: the passes that run, in their order.
//!
//! The text form is a list of passes, `ssa,gvn,dce`; options follow in braces, `gvn{crumbs=on}`; `fixpoint(..)` repeats
//! its passes on a function until none of them changes it, and `if-changed(first,..)` runs the others only on a
//! function that the first changed. The grammar is `pipeline.pest`; a test compares it with the parser here, which is
//! written by hand because embedders of passes do not have pest.
//!
//! Names are resolved and options are read here, once. A pipeline is kept as a flat program, so that running one needs
//! no recursion.

#[cfg(test)]
mod grammar;
mod levels;
#[cfg(feature = "cli")]
pub(crate) mod mended;
pub mod registry;
pub mod run;
pub mod step_runs;
#[cfg(feature = "cli")]
pub(crate) mod text_diff;
pub mod watch;
pub mod watchers;

pub use levels::Level;

use crate::pass::StepRun;
use crate::pass::{OptionKind, OptionValues, Pass, PassInfo};
use crate::pipeline::step_runs::StepRuns;
use lir_syntax::text::suggest::{did_you_mean, suggestions};
use rustc_hash::FxHashMap;
use std::fmt;

/// A pipeline, ready to run by any number of threads.
#[derive(Default)]
pub struct Pipeline {
    pub(crate) steps: Vec<Step>,
}

/// A step of the flat program.
pub(crate) enum Step {
    /// Runs a pass.
    Pass(PassInstance),
    /// Begins a group.
    Begin(GroupKind),
    /// Ends the group that began last.
    End,
}

/// The rule by which the steps of a group are run.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum GroupKind {
    /// Until they change nothing, and at most `max` times.
    Fixpoint {
        /// Iterations.
        max: u64,
    },
    /// The first one; and the others if it changed something.
    IfChanged,
}

/// A pass with its options set, and its name.
pub(crate) struct PassInstance {
    pub info: &'static PassInfo,
    pub options: OptionValues,
    pub pass: Pass,
    /// See [`StepRun::position`].
    pub position: u32,
}

/// The default limit on the runs of a `fixpoint` group: more iterations than any real function has needed.
pub(crate) const DEFAULT_ROUNDS: u64 = 16;

/// The reason a text is not a pipeline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PipelineError {
    /// No such pass.
    UnknownPass {
        /// The name that was written.
        name: String,
        /// The names nearest to it.
        nearest: Vec<&'static str>,
    },
    /// The pass has no such option.
    UnknownOption {
        /// The pass, or `fixpoint`.
        pass: &'static str,
        /// The name that was written.
        name: String,
        /// The names nearest to it.
        nearest: Vec<&'static str>,
        /// The options of the pass.
        valid: Vec<&'static str>,
    },
    /// The option does not take the value.
    BadValue {
        /// The pass, or `fixpoint`.
        pass: &'static str,
        /// The option.
        option: &'static str,
        /// The value that was written.
        value: String,
        /// The values that it takes.
        takes: String,
    },
    /// The option is given before.
    GivenTwice {
        /// The pass, or `fixpoint`.
        pass: &'static str,
        /// The option.
        option: &'static str,
    },
    /// A module pass in a group: groups are repeated function by function.
    ModulePassInGroup {
        /// The pass.
        pass: &'static str,
    },
    /// The name of a run has a number, and is a stage's, which runs once.
    StageNumber {
        /// The stage.
        stage: &'static str,
    },
    /// The number of a run of a pass is no number from 1.
    RunNumber {
        /// The pass.
        pass: &'static str,
        /// The number that was written.
        number: String,
    },
    /// Something else was expected.
    Syntax {
        /// Byte of the text, from 0.
        offset: usize,
        /// The token that would have been right.
        expected: &'static str,
    },
}

impl fmt::Display for PipelineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PipelineError::UnknownPass { name, nearest } if nearest.is_empty() => {
                write!(f, "there is no pass `{name}`; --list-passes shows those that exist")
            }
            PipelineError::UnknownPass { name, nearest } => {
                write!(f, "there is no pass `{name}`{}", did_you_mean(nearest.join("` or `")))
            }
            PipelineError::UnknownOption { pass, name, nearest, valid } => {
                write!(f, "pass `{pass}` has no option `{name}`")?;
                match (&nearest[..], &valid[..]) {
                    (_, []) => f.write_str("; it has none"),
                    ([], _) => write!(f, "; it has `{}`", valid.join("`, `")),
                    _ => f.write_str(&did_you_mean(nearest.join("` or `"))),
                }
            }
            PipelineError::BadValue { pass, option, value, takes } => {
                write!(f, "option `{option}` of pass `{pass}` is {takes}, not `{value}`")
            }
            PipelineError::GivenTwice { pass, option } => {
                write!(f, "option `{option}` of pass `{pass}` is given twice; leave out one")
            }
            PipelineError::ModulePassInGroup { pass } => {
                write!(f, "pass `{pass}` runs on the module and cannot be in a group")
            }
            PipelineError::StageNumber { stage } => {
                write!(f, "stage `{stage}` runs once: its name has no number")
            }
            PipelineError::RunNumber { pass, number } => {
                write!(f, "the runs of pass `{pass}` are numbered from 1, and none is `{number}`")
            }
            PipelineError::Syntax { offset, expected } => {
                write!(f, "expected {expected} at column {} of the pipeline", offset + 1)
            }
        }
    }
}

impl std::error::Error for PipelineError {}

impl Pipeline {
    /// Reads the text form.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn parse(text: &str) -> Result<Pipeline, PipelineError> {
        let mut parser = Parser { text, at: 0, steps: Vec::new(), open: 0 };
        parser.pipeline()?;
        number_positions(&mut parser.steps);
        Ok(Pipeline { steps: parser.steps })
    }
    /// Returns the pipeline of a level.
    pub fn of_level(level: Level) -> Pipeline {
        Pipeline::parse(&registry::level(level, levels::text(level))).expect("the levels are pipelines")
    }
    /// True if there is nothing to run.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }
    /// Returns the pass of a run, as the text form has it with its options, given the name of the run.
    #[cfg(feature = "cli")]
    pub(crate) fn pass_of_run(&self, run: &str) -> Option<String> {
        let runs = StepRuns::parse(run, &[]).ok()?;
        self.steps.iter().find_map(|step| match step {
            Step::Pass(p) if runs.contains(p.run(1)) => Some(p.to_string()),
            _ => None,
        })
    }
    /// True if some position of the pipeline is among these.
    pub fn has(&self, runs: StepRuns) -> bool {
        let mut passes = self.steps.iter().filter_map(|s| match s {
            Step::Pass(p) => Some(p.run(1)),
            Step::Begin(_) | Step::End => None,
        });
        passes.any(|run| runs.contains(run))
    }
    /// Returns the passes in order, groups taken apart.
    pub fn passes(&self) -> impl Iterator<Item = &'static PassInfo> + '_ {
        self.steps.iter().filter_map(|s| match s {
            Step::Pass(p) => Some(p.info),
            Step::Begin(_) | Step::End => None,
        })
    }
}

/// Numbers the positions of each pass that occurs several times.
fn number_positions(steps: &mut [Step]) {
    let mut positions: FxHashMap<&str, u32> = FxHashMap::default();
    for step in steps.iter_mut() {
        if let Step::Pass(p) = step {
            let count = positions.entry(p.info.name).or_default();
            *count += 1;
            p.position = *count;
        }
    }
    for step in steps {
        if let Step::Pass(p) = step
            && positions[p.info.name] == 1
        {
            p.position = 0;
        }
    }
}

/// The text form, with the options that differ from their defaults.
impl fmt::Display for Pipeline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for step in &self.steps {
            match step {
                Step::Pass(p) => write!(f, "{separator}{p}")?,
                Step::Begin(GroupKind::Fixpoint { max: DEFAULT_ROUNDS }) => write!(f, "{separator}fixpoint(")?,
                Step::Begin(GroupKind::Fixpoint { max }) => write!(f, "{separator}fixpoint{{max={max}}}(")?,
                Step::Begin(GroupKind::IfChanged) => write!(f, "{separator}if-changed(")?,
                Step::End => f.write_str(")")?,
            }
            separator = if matches!(step, Step::Begin(_)) { "" } else { "," };
        }
        Ok(())
    }
}

impl PassInstance {
    /// Returns the run of this iteration.
    pub(crate) fn run(&self, iteration: u32) -> StepRun {
        StepRun { step: self.info.name, position: self.position, iteration }
    }
}

impl fmt::Display for PassInstance {
    /// Writes the name, and the options that differ from their defaults.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.info.name)?;
        let defaults = OptionValues::defaults(self.info.options);
        let mut separator = "{";
        for ((o, value), default) in self.info.options.iter().zip(self.options.values()).zip(defaults.values()) {
            if value == default {
                continue;
            }
            write!(f, "{separator}{}={}", o.name, o.kind.show(value))?;
            separator = ",";
        }
        if separator == "," { f.write_str("}") } else { Ok(()) }
    }
}

/// Reads a pipeline from left to right.
struct Parser<'a> {
    text: &'a str,
    at: usize,
    steps: Vec<Step>,
    /// Groups that have begun and not ended.
    open: usize,
}

impl<'a> Parser<'a> {
    fn pipeline(&mut self) -> Result<(), PipelineError> {
        if self.peek().is_none() {
            return Ok(());
        }
        loop {
            self.step()?;
            while self.eat(b')') {
                self.open = self.open.checked_sub(1).ok_or(self.expected("no `)`, for no group is open"))?;
                self.steps.push(Step::End);
            }
            match (self.peek(), self.open) {
                (None, 0) => return Ok(()),
                (Some(b','), _) => self.at += 1,
                (_, 0) => return Err(self.expected("`,` or the end")),
                _ => return Err(self.expected("`,` or `)`")),
            }
        }
    }
    /// Reads a pass, or the beginning of a group with its first step.
    fn step(&mut self) -> Result<(), PipelineError> {
        loop {
            let name = self.name("the name of a pass")?;
            let kind = match name {
                "fixpoint" => {
                    let mut max = DEFAULT_ROUNDS;
                    self.options("fixpoint", ROUNDS, |_, n| max = n)?;
                    GroupKind::Fixpoint { max }
                }
                "if-changed" => GroupKind::IfChanged,
                _ => return self.pass(name),
            };
            if !self.eat(b'(') {
                return Err(self.expected("`(`"));
            }
            self.open += 1;
            self.steps.push(Step::Begin(kind));
        }
    }
    fn pass(&mut self, name: &str) -> Result<(), PipelineError> {
        let info =
            registry::find(name).map_err(|nearest| PipelineError::UnknownPass { name: name.to_string(), nearest })?;
        let mut options = OptionValues::defaults(info.options);
        self.options(info.name, info.options, |k, value| options.set(k, value))?;
        let pass = (info.build)(&options);
        if self.open > 0 && matches!(pass, Pass::Module(_)) {
            return Err(PipelineError::ModulePassInGroup { pass: info.name });
        }
        self.steps.push(Step::Pass(PassInstance { info, options, pass, position: 0 }));
        Ok(())
    }
    /// Options in braces, if any; calls `set` with the number and value of each.
    fn options(
        &mut self,
        pass: &'static str,
        known: &'static [crate::pass::OptionInfo],
        mut set: impl FnMut(usize, u64),
    ) -> Result<(), PipelineError> {
        if !self.eat(b'{') || self.eat(b'}') {
            return Ok(());
        }
        let mut given = vec![false; known.len()];
        loop {
            let name = self.name("the name of an option")?;
            let value = if self.eat(b'=') { self.name("a value")? } else { "on" };
            let k = known.iter().position(|o| o.name == name).ok_or_else(|| PipelineError::UnknownOption {
                pass,
                name: name.to_string(),
                nearest: suggestions(name, known.iter().map(|o| o.name)),
                valid: known.iter().map(|o| o.name).collect(),
            })?;
            if std::mem::replace(&mut given[k], true) {
                return Err(PipelineError::GivenTwice { pass, option: known[k].name });
            }
            let bad = |takes| PipelineError::BadValue { pass, option: known[k].name, value: value.to_string(), takes };
            set(k, read_value(known[k].kind, value).map_err(bad)?);
            if self.eat(b'}') {
                return Ok(());
            }
            if !self.eat(b',') {
                return Err(self.expected("`,` or `}`"));
            }
        }
    }
    /// Reads a word of letters, digits, `-` and `_`.
    fn name(&mut self, expected: &'static str) -> Result<&'a str, PipelineError> {
        self.peek();
        let rest = &self.text[self.at..];
        let len = rest.bytes().take_while(|c| c.is_ascii_alphanumeric() || matches!(c, b'-' | b'_')).count();
        if len == 0 {
            return Err(self.expected(expected));
        }
        self.at += len;
        Ok(&rest[..len])
    }
    /// Returns the next byte that is not a blank.
    fn peek(&mut self) -> Option<u8> {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().take_while(|c| c.is_ascii_whitespace()).count();
        self.text.as_bytes().get(self.at).copied()
    }
    fn eat(&mut self, c: u8) -> bool {
        let found = self.peek() == Some(c);
        self.at += usize::from(found);
        found
    }
    fn expected(&self, expected: &'static str) -> PipelineError {
        PipelineError::Syntax { offset: self.at, expected }
    }
}

/// The option of `fixpoint`.
const ROUNDS: &[crate::pass::OptionInfo] = &[crate::pass::OptionInfo {
    name: "max",
    kind: OptionKind::Number { default: DEFAULT_ROUNDS, max: 1_000_000 },
    summary: "maximum number of runs of the group",
}];

/// Returns the value of an option, or a description of the valid values.
fn read_value(kind: OptionKind, value: &str) -> Result<u64, String> {
    match kind {
        OptionKind::Flag { .. } => match value {
            "on" => Ok(1),
            "off" => Ok(0),
            _ => Err("`on` or `off`".to_string()),
        },
        OptionKind::Number { max, .. } => {
            value.parse().ok().filter(|n| *n <= max).ok_or_else(|| format!("a number up to {max}"))
        }
        OptionKind::Choice { names, .. } => {
            let word = names.iter().position(|n| *n == value);
            word.map(|k| k as u64).ok_or_else(|| format!("one of `{}`", names.join("`, `")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(text: &str) -> String {
        Pipeline::parse(text).unwrap_or_else(|e| panic!("{text}: {e}")).to_string()
    }
    fn error(text: &str) -> String {
        Pipeline::parse(text).err().unwrap_or_else(|| panic!("{text} is accepted")).to_string()
    }

    #[test]
    fn texts_read_back() {
        assert_eq!(round_trip(""), "");
        assert_eq!(round_trip(" dce , dce{} "), "dce,dce");
        assert_eq!(round_trip("fixpoint(dce,fixpoint{max=3}(dce)),dce"), "fixpoint(dce,fixpoint{max=3}(dce)),dce");
        let deep = 100_000;
        let text = format!("{}dce{}", "fixpoint(".repeat(deep), ")".repeat(deep));
        assert_eq!(round_trip(&text), text);
    }

    #[test]
    fn errors_name_the_mistake() {
        assert_eq!(error("dec"), "there is no pass `dec`; did you mean `dce` or `dse`?");
        assert_eq!(error("zzzzzz"), "there is no pass `zzzzzz`; --list-passes shows those that exist");
        assert_eq!(error("dce{x=1}"), "pass `dce` has no option `x`; it has none");
        assert_eq!(error("gvn{crumb=on}"), "pass `gvn` has no option `crumb`; did you mean `crumbs`?");
        assert_eq!(
            error("gvn{x=on}"),
            "pass `gvn` has no option `x`; it has `mem`, `table`, `facts`, `crumbs`, `sums`, `fold`"
        );
        assert_eq!(error("fixpoint{max=x}(dce)"), "option `max` of pass `fixpoint` is a number up to 1000000, not `x`");
        assert_eq!(error("gvn{mem=ssa,mem=kill}"), "option `mem` of pass `gvn` is given twice; leave out one");
        assert_eq!(error("gvn{fold,mem=ssa, fold = on}"), "option `fold` of pass `gvn` is given twice; leave out one");
        assert_eq!(
            error("fixpoint{max=3,max=3}(dce)"),
            "option `max` of pass `fixpoint` is given twice; leave out one"
        );
        assert_eq!(round_trip("gvn{mem=ssa},gvn{mem=ssa}"), "gvn{mem=ssa},gvn{mem=ssa}");
        assert_eq!(error("dce,"), "expected the name of a pass at column 5 of the pipeline");
        assert_eq!(error("fixpoint(dce"), "expected `,` or `)` at column 13 of the pipeline");
        assert_eq!(error("dce)"), "expected no `)`, for no group is open at column 5 of the pipeline");
        assert_eq!(error("fixpoint()"), "expected the name of a pass at column 10 of the pipeline");
    }
}
