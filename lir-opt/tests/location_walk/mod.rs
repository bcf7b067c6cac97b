//! Runs each pass on real programs whose instructions are on lines of their own: none gets the line of an instruction
//! that it does not originate from.
//!
//! Before each run of a pass all instructions get new places, one on each line, so that a place names an instruction.
//! Afterwards every instruction has no line, or the line of an earlier instruction, with which it must have one of
//! these relations. The remarks of the run ("spoken of": replaced, moved, gone, ..) are the record of the changes of
//! the pass; the rest is derived from the function before and after.
//!
//! * own: is the same instruction; if it assigns another register and does something else now, it is spoken of.
//! * copy: is the same except for registers, and its register or block has the name of the other one's: loops that are
//!   copied, bodies that are inlined.
//! * return: replaces the `ret` of an inlined body: a jump, or the move of the result.
//! * result: assigns the register that the other one assigned, or one named after it if the other one was removed. In
//!   an inlined callee: is the phi of the results of a body that was inlined there before, in place of the other one, a
//!   call.
//! * terminator: ends the other one's block, a copy of that, or a new block between that and its successor.
//! * front: is a new phi, or a constant that one became, which represents no instruction of the source, and the other
//!   one is the first instruction after it, or was; or the first one is new, and the line is checked there.
//! * access: loads or stores at the same address, or is the block operation that the other one's loop became.
//! * operation: has the opcode of the other one, which is spoken of, and was removed or changed: it was widened, or
//!   moved elsewhere.
//! * place: is at the current or old position of the other one, which is spoken of and was removed or changed, or both
//!   access memory: it is a part of the replacement. The other one is not a call that was inlined, whose body has lines
//!   of its own, and no jump, branch or switch if this one looks like a copy of another instruction.
//! * argument: moves an argument, right before the body that replaced the other one, a call, also in a callee that was
//!   inlined; or copies an aggregate argument.
//! * test: compares the operands of the other one, a branch that is spoken of, or selects by the register that it
//!   tested.
//! * entry: computes a value for a loop, before the jump that leads there.
//!
//! An instruction that computes an operand of such an instruction may have its line, too, and so may a new one that is
//! computed from it; but a copy does not have the line of a jump, branch or switch. The location of an instruction from
//! another function shows that it was inlined: the innermost callee is that function, each call around it is in the
//! next callee, calls the inner one, and the outermost is here.
//!
//! Samples are the instructions that are new, or have another line, another block, or other operands; unchanged
//! instructions are checked as well.

mod lines;
mod record;
mod relations;

use lines::{Lines, declare_files};
use lir_opt::pass::remarks::Listen;
use lir_opt::passes::PASSES;
use lir_opt::{Level, Pipeline, RunOptions, optimize};
use lir_random::extent::is_thorough;
use lir_syntax::ir::{Format, Inst, Module, OperandKind, Sym};
use lir_syntax::printer::{FunctionPrinter, printed};
use lir_testing::files::{files_in, kernels, module_of, stem};
use record::Record;
use relations::Comparison;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

/// The least number of samples of the kernels: of all kinds, and of instructions that are new or have another line.
const MIN_SAMPLES: [usize; 2] = [20_000, 10_000];

/// The results of a walk: the counts of checked instructions, and the mistakes.
#[derive(Default)]
struct Findings {
    samples: usize,
    gained: usize,
    /// New instructions, and instructions with another line, by pass and relation.
    relations: BTreeMap<(String, &'static str), usize>,
    wrong: Vec<String>,
}

/// Runs a pass, if the functions have the form that it takes.
fn run(module: &mut Module, pass: &str) -> Option<Record> {
    let options = RunOptions { listen: Listen::All, ..RunOptions::default() };
    let pipeline = Pipeline::parse(pass).expect("the registry and the levels have passes");
    Some(Record::of(&optimize(module, &pipeline, &options).ok()?.remarks))
}

impl Findings {
    /// Gives lines, runs a pass and checks every instruction.
    fn look_at(&mut self, module: &mut Module, pass: &str, program: &str) {
        let lines = Lines::give(module);
        let Some(record) = run(module, pass) else { return };
        for new in module.funcs.values() {
            if let Some(c) = Comparison::new(&module.decls, &lines, &record, new) {
                self.compare(&c, pass, program);
            }
        }
    }
    fn compare(&mut self, c: &Comparison<'_>, pass: &str, program: &str) {
        let mut by_line: BTreeMap<(Sym, Inst), Vec<Inst>> = BTreeMap::new();
        for i in c.new.layout().all_insts() {
            match c.lines.of(c.new.origin(i)).and_then(|s| inlined_rightly(c, i, s)) {
                Ok(Some(source)) => by_line.entry(source).or_default().push(i),
                Ok(None) => {}
                Err(why) => self.wrong.push(format!("{pass}, {program}: `{}`: {why}", text(c, i))),
            }
        }
        for (source, group) in by_line {
            let mut explained = HashSet::new();
            for &i in &group {
                let is_gained = source != (c.new.sym, i);
                self.samples += usize::from(is_gained || c.was_touched(i));
                self.gained += usize::from(is_gained);
                if let Some(name) = c.relation(i, source) {
                    explained.insert(i);
                    *self.relations.entry((pass.to_string(), name)).or_default() += usize::from(is_gained);
                }
            }
            c.add_computations(&group, source, &mut explained);
            for i in group.into_iter().filter(|i| !explained.contains(i)) {
                let f = &c.lines.functions[&source.0];
                let mut other = Vec::new();
                FunctionPrinter::new(c.decls, f).inst(source.1, &mut other);
                let (here, other) = (text(c, i), String::from_utf8_lossy(&other));
                self.wrong.push(format!("{pass}, {program}: `{here}` has the line of `{other}`"));
            }
        }
    }
}

/// The text of an instruction after the pass.
fn text(c: &Comparison<'_>, i: Inst) -> String {
    printed(|out| FunctionPrinter::new(c.decls, c.new).inst(i, out))
}

/// Checks the inlined calls in the location of an instruction.
fn inlined_rightly(
    c: &Comparison<'_>,
    i: Inst,
    source: Option<(Sym, Inst)>,
) -> Result<Option<(Sym, Inst)>, &'static str> {
    let Some((mut within, _)) = source else { return Ok(None) };
    for call in c.new.origins.calls_of(c.new.debug_loc(i)) {
        if call.callee != within {
            return Err("the inlined function is another one");
        }
        let Some((caller, at)) = c.lines.of(c.new.origins.get(call.call))? else { return Err("a call has no line") };
        let f = &c.lines.functions[&caller];
        if f.inst(at).op.format() != Format::Call || f.inst(at).first().kind() != OperandKind::Sym(within) {
            return Err("the inlined call is another instruction");
        }
        within = caller;
    }
    if within == c.new.sym { Ok(source) } else { Err("a line of another function, which is not inlined there") }
}

/// The passes of a level in order, groups taken apart.
fn passes_of(level: Level) -> Vec<String> {
    let text = Pipeline::of_level(level).to_string().replace("fixpoint(", "").replace("if-changed(", "");
    let (mut passes, mut is_in_braces) = (vec![String::new()], false);
    for c in text.chars().filter(|c| *c != ')') {
        is_in_braces = c == '{' || is_in_braces && c != '}';
        if c == ',' && !is_in_braces {
            passes.push(String::new());
        } else {
            passes.last_mut().expect("there is one from the beginning").push(c);
        }
    }
    passes
}

/// Walks a program: each pass by itself at some points of `-O2`, beginning with the original program, and the passes of
/// the levels one after the other. As a sample each pass is run at one of the points, round-robin.
fn walk(file: &Path, is_sample: bool, findings: &mut Findings) {
    let program = stem(file);
    let mut written = module_of(file).unwrap();
    declare_files(&mut written);
    let mut module = written.clone();
    for pass in passes_of(Level::O1) {
        findings.look_at(&mut module, &pass, &program);
    }
    module = written;
    let steps = passes_of(Level::O2);
    // As written; in SSA form; with variables in registers; small; with loops rotated; at the end.
    let points = [0, 1, 2, 8, steps.len() / 2, steps.len()];
    for k in 0..=steps.len() {
        if let Some(point) = points.iter().position(|at| *at == k) {
            let takes = |pass: usize| !is_sample || pass % points.len() == point;
            let passes = PASSES.iter().enumerate().filter(|(pass, _)| takes(*pass));
            passes.for_each(|(_, pass)| findings.look_at(&mut module.clone(), pass.name, &program));
        }
        if let Some(step) = steps.get(k) {
            findings.look_at(&mut module, step, &program);
        }
    }
}

impl Findings {
    fn assert_right(&self) {
        let mut by_pass: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for wrong in &self.wrong {
            by_pass.entry(wrong.split(',').next().unwrap_or_default()).or_default().push(wrong);
        }
        let some = |(pass, all): (&str, Vec<&str>)| {
            format!("{} by {pass}:\n{}\n", all.len(), all[..all.len().min(4)].join("\n"))
        };
        let text: String = by_pass.into_iter().map(some).collect();
        assert!(text.is_empty(), "wrong locations:\n{text}");
    }
}

#[test]
fn no_instruction_gains_a_line_of_another() {
    let files = kernels();
    assert!(files.len() > 10);
    let mut findings = Findings::default();
    files.iter().for_each(|f| walk(f, false, &mut findings));
    findings.assert_right();
    let (all, gained) = (findings.samples, findings.gained);
    println!("{all} samples, {gained} of them new or with another line: {:?}", findings.relations);
    assert!(all >= MIN_SAMPLES[0] && gained >= MIN_SAMPLES[1], "{all} samples, {gained} new or with another line");
}

/// The same for the programs in the folders of `LIR_CORPUS`, such as Lua and zstd, which are not in the repository: a
/// sample, or all with `LIR_THOROUGH`.
#[test]
fn nor_in_other_programs() {
    let Some(folders) = std::env::var_os("LIR_CORPUS") else { return };
    let is_sample = !is_thorough();
    let mut findings = Findings::default();
    for folder in std::env::split_paths(&folders) {
        files_in(&folder, &["ssa"]).iter().for_each(|f| walk(f, is_sample, &mut findings));
    }
    findings.assert_right();
    println!("{} samples, {} of them new or with another line", findings.samples, findings.gained);
}
