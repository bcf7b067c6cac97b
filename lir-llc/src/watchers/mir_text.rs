//! Collects the machine IR of a module as text, with the lines of the source.

use super::machine_of;
use crate::mir::printer::{print_commented_function, print_function};
use crate::regalloc::print_analysis::{Facts, PrintedAnalysis};
use crate::stages::Until;
use lir_opt::pipeline::watch::{Done, Seen, Step, Watch, own};
use lir_syntax::text::source::LineTable;
use std::sync::Arc;

/// Collects the text of all functions: a line for each instruction, with its source line.
pub(crate) struct MirText {
    until: Until,
    /// The facts to print, before allocation.
    analyses: Arc<[PrintedAnalysis]>,
    lines: Arc<LineTable>,
    text: String,
    /// The offset of the last function's text.
    start: usize,
}

impl MirText {
    /// Collects the text of the last stage, or with [`Until::Allocated`] the text after allocation. Text from before
    /// allocation has these facts in comments.
    pub(crate) fn new(until: Until, analyses: &[PrintedAnalysis], lines: LineTable) -> MirText {
        MirText { until, analyses: analyses.into(), lines: Arc::new(lines), text: String::new(), start: 0 }
    }
    /// Returns the text, with an empty line between functions.
    pub(crate) fn finish(mut self) -> String {
        self.text.truncate(self.text.trim_end_matches('\n').len());
        self.text.push('\n');
        self.text
    }
}

impl Watch for MirText {
    fn after(&mut self, step: &Step<'_>, _: &mut Done<'_>) -> Seen {
        let Some((decls, f, m)) = machine_of(step) else { return Ok(()) };
        if step.run.step == "select" {
            self.start = self.text.len();
        }
        if m.is_allocated || self.until == Until::Selected {
            self.text.truncate(self.start);
            let (machine, source) = (&m.machine, (f, Some(&*self.lines)));
            if m.is_allocated || self.analyses.is_empty() {
                let allocation = m.is_allocated.then_some(&m.allocation);
                print_function(decls, (machine, allocation), source, &mut self.text);
            } else {
                let facts = Facts::new(machine, &self.analyses);
                print_commented_function(decls, machine, source, &facts, &mut self.text);
            }
            self.text.push('\n');
        }
        Ok(())
    }
    fn fork(&self) -> Box<dyn Watch> {
        let (analyses, lines) = (Arc::clone(&self.analyses), Arc::clone(&self.lines));
        Box::new(MirText { until: self.until, analyses, lines, text: String::new(), start: 0 })
    }
    fn join(&mut self, part: Box<dyn Watch>) {
        self.text.push_str(&own::<MirText>(part).text);
    }
    fn sees_idle_steps(&self) -> bool {
        false
    }
}
