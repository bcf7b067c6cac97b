//! `lir-opt --compare=value-numbering`: the members of the family side by side on one module.
//!
//! 1. Each member runs on a copy of the module, three times, and the best time counts. Its memory is the peak of a
//!    separate process, minus the peak of one that runs no pass ([`super::peak_memory`]).
//! 2. An instruction is *found* if it is no longer there, or has become a copy or a constant. Phis, copies and
//!    constants do not count; inserted instructions are counted separately. An instruction that a member removes
//!    because nothing reads it, or replaces by another operation, is found, too: `aegraph` does both.
//! 3. The findings are sets, so two members are compared by the instructions that the first finds and the second does
//!    not. If there are none, the first set is a subset of the second.
//! 4. Of the instructions that only one member finds, the first is shown.
//!
//! Two members may keep different ones of a pair of equal instructions. Then each finds one that the other does not.

use super::peak_memory::peak_of_process;
use crate::{Pipeline, RunOptions, optimize};
use lir_syntax::ir::{EntityRef, Function, Inst, Module, Opcode};
use lir_syntax::printer::{FunctionPrinter, printed};
use lir_syntax::text::diagnostic::Diagnostic;
use lir_syntax::text::source::LineTable;
use lir_syntax::text::table::aligned;
use std::time::{Duration, Instant};

/// The members and their modes, by ascending number of findings.
const MEMBERS: &[&str] = &[
    "lvn{memory=off}",
    "lvn",
    "lvn{tramps=on}",
    "gvn{mem=off,facts=off}",
    "gvn{mem=off}",
    "gvn-unified",
    "gvn-partition",
    "avail",
    "pre{loads=off}",
    "pre{everywhere=on,loads=off}",
    "gvn",
    "gvn{mem=ssa}",
    "pre",
    "pre{everywhere=on}",
    "aegraph",
];

/// A pass that changes nothing here, for the memory that is not used by a pass.
const NO_PASS: &str = "ssa";

/// The runs of a member, for its time.
const RUNS: usize = 3;

/// The findings of a member.
struct Row {
    member: &'static str,
    /// By function the instructions that it found, rising.
    found: Vec<Vec<Inst>>,
    count: usize,
    loads: usize,
    inserted: usize,
    time: Duration,
    /// In KiB, if the system reports it.
    memory: Option<u64>,
}

/// Compares the members on a module in SSA form. `lines` are the lines of its source.
///
/// # Errors
/// The errors of the passes: the module is not in SSA form.
pub(crate) fn compare_numberings(module: &Module, lines: &LineTable) -> Result<String, Vec<Diagnostic>> {
    let text = module.to_string().into_bytes();
    let start = peak_of_process(NO_PASS, &text);
    let with_memory = |member: &&'static str| {
        let memory = start.and_then(|start| Some(peak_of_process(member, &text)?.saturating_sub(start)));
        Ok(Row { memory, ..row(module, member)? })
    };
    let rows: Vec<Row> = MEMBERS.iter().map(with_memory).collect::<Result<_, Vec<Diagnostic>>>()?;
    Ok([counts(module, &rows), differences(&rows), alone(module, &rows, lines)].join("\n"))
}

/// Steps 1 and 2.
fn row(module: &Module, member: &'static str) -> Result<Row, Vec<Diagnostic>> {
    let pipeline = Pipeline::parse(member).expect("the members are passes");
    let mut time = Duration::MAX;
    let mut after = None;
    for _ in 0..RUNS {
        let mut copy = module.clone();
        let start = Instant::now();
        optimize(&mut copy, &pipeline, &RunOptions { threads: 1, ..RunOptions::default() })?;
        time = time.min(start.elapsed());
        after = Some(copy);
    }
    let after = after.expect("it ran");
    let mut row = Row { member, found: Vec::new(), count: 0, loads: 0, inserted: 0, time, memory: None };
    for (f, g) in module.funcs.values().zip(after.funcs.values()) {
        let is_removed = |i: &Inst| g.layout().block_of(*i).is_none() || !counts_as_one(g, *i);
        let found: Vec<Inst> = f.layout().all_insts().filter(|i| counts_as_one(f, *i) && is_removed(i)).collect();
        row.count += found.len();
        row.loads += found.iter().filter(|i| f.inst(**i).op == Opcode::Load).count();
        let is_new = |i: &Inst| i.index() >= f.num_insts() && counts_as_one(g, *i) && g.inst(*i).op != Opcode::Jmp;
        row.inserted += g.layout().all_insts().filter(is_new).count();
        row.found.push(found);
    }
    row.found.iter_mut().for_each(|found| found.sort_unstable());
    Ok(row)
}

/// True if an instruction computes something.
fn counts_as_one(f: &Function, i: Inst) -> bool {
    !matches!(f.inst(i).op, Opcode::Phi | Opcode::Copy | Opcode::Const)
}

/// Returns the first table: the findings of each member and their cost.
fn counts(module: &Module, rows: &[Row]) -> String {
    let of = |f: &Function| f.layout().all_insts().count();
    let all: usize = module.funcs.values().map(of).sum();
    let body = rows.iter().map(|r| {
        let nanoseconds = r.time.as_nanos() as f64 / all.max(1) as f64;
        let bytes = r.memory.map_or("?".into(), |kib| format!("{:.0}", kib as f64 * 1024.0 / all.max(1) as f64));
        let found = [r.count, r.loads, r.inserted].map(|n| n.to_string());
        let cells: Vec<String> = found.into_iter().chain([format!("{nanoseconds:.0}"), bytes]).collect();
        (r.member.to_string(), cells)
    });
    let head = ["found", "loads", "inserted", "ns each", "bytes each"].map(str::to_string);
    aligned(&format!("of {all} instructions"), &head, &body.collect::<Vec<_>>())
}

/// Step 3: in each row, the findings of its member that the member of the column does not find.
fn differences(rows: &[Row]) -> String {
    let body = rows.iter().map(|r| (r.member.to_string(), rows.iter().map(|c| missing(r, c).to_string()).collect()));
    let head: Vec<String> = (1..=rows.len()).map(|k| k.to_string()).collect();
    let names: Vec<(String, Vec<String>)> = body.collect();
    let numbered = names.into_iter().enumerate().map(|(k, (name, cells))| (format!("{:2} {name}", k + 1), cells));
    aligned("found, and not by", &head, &numbered.collect::<Vec<_>>())
}

/// Returns the number of instructions that one finds and the other does not.
fn missing(row: &Row, other: &Row) -> usize {
    let in_function = |(a, b): (&Vec<Inst>, &Vec<Inst>)| a.iter().filter(|i| b.binary_search(i).is_err()).count();
    row.found.iter().zip(&other.found).map(in_function).sum()
}

/// Step 4: the findings of each pass that no other pass finds, in any of its modes.
fn alone(module: &Module, rows: &[Row], lines: &LineTable) -> String {
    let pass = |r: &Row| r.member.split('{').next().unwrap_or_default().to_string();
    let mut passes: Vec<String> = rows.iter().map(pass).collect();
    passes.dedup();
    passes.sort_unstable();
    passes.dedup();
    let mut out = "found by one pass alone\n".to_string();
    for name in passes {
        let (own, others): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|r| pass(r) == name);
        let mut first = None;
        let mut count = 0;
        for (k, f) in module.funcs.values().enumerate() {
            let has = |rows: &[&Row], i: Inst| rows.iter().any(|r| r.found[k].binary_search(&i).is_ok());
            for i in f.layout().all_insts().filter(|i| has(&own, *i) && !has(&others, *i)) {
                count += 1;
                first.get_or_insert((f, i));
            }
        }
        let example = first.map_or(String::new(), |(f, i)| format!(", first {}", described(module, f, i, lines)));
        out += &format!("{name}: {count}{example}\n");
    }
    out
}

/// `@f, line 12: %x = add i32 %a, %b`.
fn described(module: &Module, f: &Function, i: Inst, lines: &LineTable) -> String {
    let printer = FunctionPrinter::new(&module.decls, f);
    let name = printed(|out| printer.sym(f.sym, out));
    let text = printed(|out| printer.inst(i, out));
    let line = lines.line(f.loc_of(i));
    format!("{name}, line {line}: {}", text.trim())
}
