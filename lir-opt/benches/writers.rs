//! The cost of appending a module through the folding writers: nanoseconds per instruction, best of several.
//!
//! `cargo bench -p lir-opt --bench writers -- [ROW...] FILE.lir...`
//!
//! Every function is appended to an empty one, as by a front end that knows its approximate length: blocks in reverse
//! postorder, each instruction copied from the module that was read. The copying, which no front end does, is timed
//! separately and subtracted. The first row is the plain builder; its time is included in the later rows.

use lir_opt::passes::writers::{WriterOptions, Writers};
use lir_syntax::ir::builder::FunctionBuilder;
use lir_syntax::ir::transplant::Transplant;
use lir_syntax::ir::{Block, Cfg, Decls, Effects, Function, Module, Opcode, Param, Reg, StackData};
use lir_syntax::verifier::ssa_violation;
use std::hint::black_box;
use std::time::{Duration, Instant};

const RUNS: usize = 15;

/// One way to take the instructions.
#[derive(Copy, Clone)]
enum Way {
    /// Copy them, and append none.
    Copying,
    /// Append them by the builder alone.
    Builder,
    Through(WriterOptions),
}

/// The writers one by one, and all.
fn rows() -> Vec<(&'static str, Way)> {
    let none = WriterOptions::NONE;
    vec![
        ("plain builder", Way::Builder),
        ("no writer", Way::Through(none)),
        ("validate", Way::Through(WriterOptions { validate: true, ..none })),
        ("fold", Way::Through(WriterOptions { fold: true, ..none })),
        ("guards, overflow", Way::Through(WriterOptions { guards: true, overflow: true, ..none })),
        ("merge", Way::Through(WriterOptions { merge: true, ..none })),
        ("readers", Way::Through(WriterOptions { dead_stores: true, dead_code: true, ..none })),
        ("all writers", Way::Through(WriterOptions { dead_stores: false, dead_code: false, ..WriterOptions::ALL })),
        ("and readers", Way::Through(WriterOptions::ALL)),
    ]
}

/// A function without instructions that has the parameters, stack objects and blocks of another one, and how these are
/// called there.
fn frame_of(from: &Function, t: &mut Transplant) -> Function {
    let mut to = Function::new(from.sym);
    t.clear();
    for (o, data) in from.stack.iter() {
        let name = Transplant::name(&mut to, from, data.name);
        let scope = data.scope.expand().map(|scope| to.scopes.push(from.scopes[scope])).into();
        let new = to.stack.push(StackData { name, scope, ..*data });
        t.objs.note(o, new);
    }
    for p in &from.params {
        let p = match *p {
            Param::Reg(r) => Param::Reg(t.reg(&mut to, from, r)),
            Param::Agg(o) => Param::Agg(t.objs.get(o).expect("all objects are there")),
        };
        to.params.push(p);
    }
    for b in from.layout().blocks() {
        let name = Transplant::name(&mut to, from, from.block(b).name);
        let new = to.append_new_block(name);
        t.blocks.note(b, new);
    }
    to
}

/// Copies all instructions and appends none: the work that no front end does. Returns their number.
fn copy_all(to: &mut Function, from: &Function, rpo: &[Block], t: &mut Transplant) -> usize {
    let (mut count, any) = (0, Reg::from_u32(0));
    for i in rpo.iter().flat_map(|b| from.layout().insts(*b)) {
        count += 1;
        black_box(t.inst(to, from, i));
        if let Some(r) = from.def(i) {
            t.regs.note(r, any);
        }
    }
    count
}

/// Appends all instructions. Returns their number.
fn append_all(b: &mut FunctionBuilder<'_>, from: &Function, rpo: &[Block], t: &mut Transplant) -> usize {
    let (mut count, mut targets, mut before) = (0, Vec::new(), None);
    let mut preds = vec![0; from.num_blocks()];
    rpo.iter().flat_map(|b| from.succs(*b)).for_each(|s| preds[s.as_u32() as usize] += 1);
    for &old in rpo {
        let new = t.block(old);
        match before {
            Some(p) if preds[old.as_u32() as usize] == 1 && from.succs(p).contains(&old) => b.go_on_in(new),
            _ => b.switch_to(new),
        }
        before = Some(old);
        for i in from.layout().insts(old) {
            count += 1;
            let d = t.inst(b.func, from, i);
            if d.op.effects().has(Effects::TERMINATOR) {
                targets.clear();
                targets.extend(from.succs(old).iter().map(|s| t.block(*s)));
                b.terminate(d, &targets);
            } else if let Some(r) = from.def(i) {
                let value = b.define(from.type_of(r), d);
                if d.op != Opcode::Phi {
                    t.regs.note(r, value);
                }
            } else {
                b.append(d);
            }
        }
    }
    count
}

/// Takes all functions once. Returns the time of that alone, and the number of instructions.
fn run(decls: &Decls, funcs: &[(Function, Vec<Block>)], way: Way) -> (Duration, usize) {
    let (mut time, mut count, mut t) = (Duration::ZERO, 0, Transplant::default());
    let mut writers = Writers::new(decls, if let Way::Through(options) = way { options } else { WriterOptions::NONE });
    for (from, rpo) in funcs {
        let mut to = frame_of(from, &mut t);
        let start = Instant::now();
        count += match way {
            Way::Copying => copy_all(&mut to, from, rpo, &mut t),
            Way::Builder => {
                to.reserve(from.num_insts());
                append_all(&mut FunctionBuilder::new(&mut to), from, rpo, &mut t)
            }
            Way::Through(_) => {
                to.reserve(from.num_insts());
                writers.begin(&to);
                let n = append_all(&mut FunctionBuilder::through(&mut to, &mut writers), from, rpo, &mut t);
                writers.finish(&mut to).expect("it was well-formed");
                n
            }
        };
        time += start.elapsed();
    }
    (time, count)
}

fn main() {
    let arguments = std::env::args().skip(1).filter(|a| !a.starts_with('-'));
    let (files, wanted): (Vec<String>, Vec<String>) = arguments.partition(|a| a.ends_with(".lir"));
    for path in files {
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        let module: Module = text.parse().expect("it is LIR");
        let Module { decls, funcs, .. } = module;
        let mut cfg = Cfg::default();
        let funcs: Vec<(Function, Vec<Block>)> = funcs
            .values()
            .filter(|f| ssa_violation(f).is_none())
            .map(|f| {
                cfg.recompute(f);
                (f.clone(), cfg.rpo().to_vec())
            })
            .collect();
        println!("{path}");
        let rows: Vec<_> =
            rows().into_iter().filter(|r| wanted.is_empty() || wanted.iter().any(|w| w == r.0)).collect();
        // Round by round, so that a busy moment of the machine strikes every row.
        let (mut copying, mut best, mut count) = (Duration::MAX, vec![Duration::MAX; rows.len()], 1);
        for _ in 0..RUNS {
            copying = copying.min(run(&decls, &funcs, Way::Copying).0);
            for ((_, way), best) in rows.iter().zip(&mut best) {
                let (time, n) = run(&decls, &funcs, *way);
                (*best, count) = ((*best).min(time), n);
            }
        }
        for ((name, _), time) in rows.iter().zip(best) {
            let per = |time: Duration| time.as_nanos() as f64 / count as f64;
            let (whole, rest) = (per(time), per(time.saturating_sub(copying)));
            println!("  {name:18} {rest:6.1} ns an instruction ({whole:.1} with the copying), {count} instructions");
        }
    }
}
