//! Collects the machine IR of a module as text, with the lines of the source.

use super::machine_of;
use crate::mir::printer::print_function;
use crate::regalloc::print_analysis::{Facts, PrintedAnalysis};
use lir_opt::pipeline::watch::{Subject, Watch, own};
use lir_syntax::text::source::LineTable;
use std::sync::Arc;

/// Collects the text of all functions: a line for each instruction, with its source line.
pub(crate) struct MirText {
    /// The facts to print, before allocation.
    analyses: Arc<[PrintedAnalysis]>,
    lines: Arc<LineTable>,
    text: String,
}

impl MirText {
    /// Collects the text after the last stage. Text from before allocation has these facts in comments.
    pub(crate) fn new(analyses: &[PrintedAnalysis], lines: LineTable) -> MirText {
        MirText { analyses: analyses.into(), lines: Arc::new(lines), text: String::new() }
    }
    /// Returns the text, with an empty line between functions.
    pub(crate) fn finish(mut self) -> String {
        self.text.truncate(self.text.trim_end_matches('\n').len());
        self.text.push('\n');
        self.text
    }
}

impl Watch for MirText {
    fn end(&mut self, subject: Subject<'_>) {
        let Some((decls, f, m)) = machine_of(subject) else { return };
        let (machine, source) = (&m.machine, (f, Some(&*self.lines)));
        if m.is_allocated || self.analyses.is_empty() {
            let allocation = m.is_allocated.then_some(&m.allocation);
            print_function(decls, (machine, allocation), source, None, &mut self.text);
        } else {
            let facts = Facts::new(machine, &self.analyses);
            print_function(decls, (machine, None), source, Some(&facts), &mut self.text);
        }
        self.text.push('\n');
    }
    fn fork(&self) -> Box<dyn Watch> {
        let (analyses, lines) = (Arc::clone(&self.analyses), Arc::clone(&self.lines));
        Box::new(MirText { analyses, lines, text: String::new() })
    }
    fn join(&mut self, part: Box<dyn Watch>) {
        self.text.push_str(&own::<MirText>(part).text);
    }
    fn sees_idle_steps(&self) -> bool {
        false
    }
}
