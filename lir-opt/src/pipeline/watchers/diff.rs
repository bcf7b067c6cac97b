//! Prints the changes of each step: the difference of the text before and after, if there is one.

use crate::pipeline::watch::{Done, Seen, Step, Subject, Watch};
use lir_syntax::ir::Sym;

/// Prints the names of two texts and their difference, if they differ.
pub type PrintDifference = fn(names: [&str; 2], before: &[u8], after: &[u8], out: &mut Vec<u8>);

/// Prints differences.
#[derive(Clone)]
pub struct Diff {
    print: PrintDifference,
    /// The texts before the step: of the function, or of all functions of the module by their symbols, with their
    /// names.
    before: Vec<(Sym, String, Vec<u8>)>,
}

impl Diff {
    /// Returns a watcher that prints differences by `print`.
    pub fn new(print: PrintDifference) -> Diff {
        Diff { print, before: Vec::new() }
    }
    /// Prints one difference, and an empty line. Nothing if the texts are equal.
    fn show(&self, step: &Step<'_>, function: &str, before: &[u8], after: &[u8], log: &mut Vec<u8>) {
        let len = log.len();
        let names = [format!("{function} before {}", step.run), format!("{function} after {}", step.run)];
        (self.print)([&names[0], &names[1]], before, after, log);
        if log.len() > len {
            log.push(b'\n');
        }
    }
    /// Prints the change of one function; its text is not needed again.
    fn change(&mut self, step: &Step<'_>, sym: Sym, subject: &Subject<'_>, log: &mut Vec<u8>) {
        let before = self.before.binary_search_by_key(&sym, |t| t.0).map_or(Vec::new(), |k| self.before.remove(k).2);
        let mut after = Vec::new();
        subject.print(&mut after);
        self.show(step, &subject.name().unwrap_or_default(), &before, &after, log);
    }
}

fn text(sym: Sym, subject: &Subject<'_>) -> (Sym, String, Vec<u8>) {
    let mut out = Vec::new();
    subject.print(&mut out);
    (sym, subject.name().unwrap_or_default(), out)
}

impl Watch for Diff {
    fn before(&mut self, step: &Step<'_>, _: &mut Vec<u8>) -> bool {
        self.before.clear();
        match step.subject {
            Subject::Module(m) => {
                self.before.extend(m.funcs.values().map(|f| text(f.sym, &Subject::Function(&m.decls, f))));
                self.before.sort_by_key(|t| t.0);
            }
            subject @ (Subject::Function(_, f) | Subject::Machine(_, f, _)) => self.before.push(text(f.sym, &subject)),
        }
        true
    }
    fn after(&mut self, step: &Step<'_>, done: &mut Done<'_>) -> Seen {
        if !done.changed {
            return Ok(());
        }
        match step.subject {
            Subject::Module(m) => {
                for f in m.funcs.values() {
                    self.change(step, f.sym, &Subject::Function(&m.decls, f), done.log);
                }
                for (_, name, before) in std::mem::take(&mut self.before) {
                    self.show(step, &name, &before, &[], done.log);
                }
            }
            subject @ (Subject::Function(_, f) | Subject::Machine(_, f, _)) => {
                self.change(step, f.sym, &subject, done.log);
            }
        }
        Ok(())
    }
    fn fork(&self) -> Box<dyn Watch> {
        Box::new(Diff::new(self.print))
    }
    fn join(&mut self, _: Box<dyn Watch>) {}
}
