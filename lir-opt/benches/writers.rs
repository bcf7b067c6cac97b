//! The cost of appending a module through the folding writers: nanoseconds an instruction, best of several.
//!
//! `cargo bench -p lir-opt --bench writers -- [ROW...] FILE.lir...`
//!
//! Every function is appended to an empty one, as a front end would: blocks in reverse postorder, each instruction
//! copied from the module that was read. The first row is the plain builder; what it takes is in the other rows too.

use lir_opt::passes::writers::{WriterOptions, Writers};
use lir_syntax::ir::builder::FunctionBuilder;
use lir_syntax::ir::transplant::Transplant;
use lir_syntax::ir::{Block, Cfg, Decls, Effects, Function, Module, Opcode, Param, StackData};
use lir_syntax::parser::{ParseOptions, parse};
use lir_syntax::text::source::Source;
use lir_syntax::verifier::ssa_violation;
use std::time::{Duration, Instant};

const RUNS: usize = 9;

/// The writers one by one, and all.
fn rows() -> Vec<(&'static str, Option<WriterOptions>)> {
    let none = WriterOptions::NONE;
    vec![
        ("plain builder", None),
        ("no writer", Some(none)),
        ("validate", Some(WriterOptions { validate: true, ..none })),
        ("fold", Some(WriterOptions { fold: true, ..none })),
        ("guards, overflow", Some(WriterOptions { guards: true, overflow: true, ..none })),
        ("merge", Some(WriterOptions { merge: true, ..none })),
        ("readers", Some(WriterOptions { dead_stores: true, dead_code: true, ..none })),
        ("all writers", Some(WriterOptions { dead_stores: false, dead_code: false, ..WriterOptions::ALL })),
        ("and readers", Some(WriterOptions::ALL)),
    ]
}

/// A function without instructions that has the parameters, stack objects and blocks of another one, and how these are
/// called there.
fn frame_of(from: &Function, t: &mut Transplant) -> Function {
    let mut to = Function::new(from.sym);
    t.clear();
    for (o, data) in from.stack.iter() {
        let name = Transplant::name(&mut to, from, data.name);
        let new = to.stack.push(StackData { name, ..*data });
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

/// Appends all instructions. Returns how many.
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

/// Appends all functions once. Returns the time of appending alone, and the number of instructions.
fn run(decls: &Decls, funcs: &[(Function, Vec<Block>)], options: Option<WriterOptions>) -> (Duration, usize) {
    let (mut time, mut count, mut t) = (Duration::ZERO, 0, Transplant::default());
    let mut writers = Writers::new(decls, options.unwrap_or(WriterOptions::NONE));
    for (from, rpo) in funcs {
        let mut to = frame_of(from, &mut t);
        let start = Instant::now();
        if options.is_some() {
            writers.begin(&to);
            count += append_all(&mut FunctionBuilder::through(&mut to, &mut writers), from, rpo, &mut t);
            writers.finish(&mut to).expect("it was well-formed");
        } else {
            count += append_all(&mut FunctionBuilder::new(&mut to), from, rpo, &mut t);
        }
        time += start.elapsed();
    }
    (time, count)
}

fn main() {
    let arguments = std::env::args().skip(1).filter(|a| !a.starts_with('-'));
    let (files, wanted): (Vec<String>, Vec<String>) = arguments.partition(|a| a.ends_with(".lir"));
    for path in files {
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        let module: Module = parse(&Source { name: path.clone(), text }, &ParseOptions::default()).expect("it is LIR");
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
        for (name, options) in rows().into_iter().filter(|r| wanted.is_empty() || wanted.iter().any(|w| w == r.0)) {
            let best = (0..RUNS).map(|_| run(&decls, &funcs, options)).min().expect("it ran");
            println!(
                "  {name:18} {:6.1} ns an instruction, {} instructions",
                best.0.as_nanos() as f64 / best.1 as f64,
                best.1
            );
        }
    }
}
