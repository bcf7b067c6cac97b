//! Checks in debug builds that a pass that reports no change made none, by a hash of the function.

use crate::edit::instruction_key::push_words;
use crate::pipeline::watch::{Done, Seen, Step, Subject, Watch};
use lir_syntax::ir::{Function, Opcode, Param};
use std::hash::{Hash, Hasher};

/// Compares the hashes of a function before and after each pass.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Unchanged {
    before: u64,
}

impl Watch for Unchanged {
    fn before(&mut self, step: &Step<'_>, _: &mut Vec<u8>) -> bool {
        if let Subject::Function(_, f) = step.subject {
            self.before = fingerprint(f);
        }
        true
    }
    fn after(&mut self, step: &Step<'_>, done: &mut Done<'_>) -> Seen {
        if let Subject::Function(_, f) = step.subject
            && step.is_pass
            && !done.changed
        {
            let name = step.run.step;
            assert_eq!(fingerprint(f), self.before, "pass `{name}` changed a function and claims that it did not");
        }
        Ok(())
    }
    fn fork(&self) -> Box<dyn Watch> {
        Box::new(*self)
    }
    fn join(&mut self, _: Box<dyn Watch>) {}
    fn sees_idle_steps(&self) -> bool {
        false
    }
}

/// A hash of a function: parameters, stack objects, edges, and instructions with all operands. Names and locations in
/// the source are no part of it.
fn fingerprint(f: &Function) -> u64 {
    let mut h = rustc_hash::FxHasher::default();
    for p in &f.params {
        match *p {
            Param::Reg(r) => (r, f.is_noalias(r)).hash(&mut h),
            Param::Agg(o) => (o, "aggregate").hash(&mut h),
        }
    }
    f.stack_objects().for_each(|(o, data)| (o, data.size, data.align).hash(&mut h));
    let mut words = Vec::new();
    for b in f.layout().blocks() {
        (b, f.succs(b)).hash(&mut h);
        for i in f.layout().insts(b) {
            (i, f.def(i)).hash(&mut h);
            if f.inst(i).op == Opcode::Phi {
                f.phi_entries(i).for_each(|e| e.hash(&mut h));
            } else {
                words.clear();
                push_words(f, i, |r| r.as_u32(), &mut words);
                words.hash(&mut h);
            }
        }
    }
    h.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::StepRun;
    use crate::pass::remarks::Remarks;
    use lir_syntax::ir::Module;

    const TEXT: &str = "
data @a = { i64 0 }
data @b = { i64 0 }
func @f(%x: i64, %y: i64) -> i64 {
  stack $o: 24
entry:
  %p = lea [$o]
  store i64 [$o + 8], 5
  %m = load i64 [@a]
  %r = call i64 @f(%m, %x)
  switch i64 %r, other [10: one, 20: two]
one:
  ret 7
two:
  jmp other
other:
  %q = phi i64 [1, entry], [2, two]
  %s = add i64 %q, 9
  ret %s
}
func @g(%x: i64, %y: i64) -> i64 {
entry:
  ret 0
}
";

    fn module(text: &str) -> Module {
        text.parse().unwrap_or_else(|e| panic!("{e}"))
    }

    #[test]
    fn every_operand_counts() {
        let of = |text: &str| fingerprint(module(text).funcs.values().next().expect("there is a function"));
        let changes = [
            ("[$o + 8], 5", "[$o + 8], 6"),
            ("$o + 8", "$o + 16"),
            ("load i64 [@a]", "load i64 [@b]"),
            ("call i64 @f", "call i64 @g"),
            ("(%m, %x)", "(%m, %y)"),
            ("10: one", "11: one"),
            ("ret 7", "ret 8"),
            ("[2, two]", "[3, two]"),
            ("%q, 9", "%q, 10"),
            ("$o: 24", "$o: 32"),
        ];
        for (from, to) in changes {
            let changed = TEXT.replace(from, to);
            assert!(changed != TEXT && of(&changed) != of(TEXT), "{from} to {to}");
        }
    }

    #[test]
    #[should_panic(expected = "pass `changes-a-constant` changed a function and claims that it did not")]
    fn a_pass_that_changes_a_constant_and_reports_no_change_is_found() {
        let (before, after) = (module(TEXT), module(&TEXT.replace("%q, 9", "%q, 10")));
        let run = StepRun { step: "changes-a-constant", ..StepRun::default() };
        let step = |module| {
            let Module { decls, funcs, .. }: &Module = module;
            Step::pass(run, Subject::Function(decls, funcs.values().next().expect("there is a function")))
        };
        let (mut watcher, mut remarks, mut log) = (Unchanged::default(), Remarks::default(), Vec::new());
        watcher.before(&step(&before), &mut log);
        let _ = watcher.after(&step(&after), &mut Done { changed: false, remarks: &mut remarks, log: &mut log });
    }
}
