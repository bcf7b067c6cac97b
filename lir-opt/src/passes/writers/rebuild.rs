//! Rebuilds a function (`rebuild`).
//!
//! Appends all instructions of a function anew, through the writers that a front end may attach to its builder
//! ([`crate::passes::writers`]), to test them on existing code.
//!
//! # Example
//!
//! ```text
//!   %a = add i32 %x, 0                                ; %x
//!   br slt i32 %a, 10, small, large                   br slt i32 %x, 10, small, large
//! small:                                      =>      small:
//!   %c = icmp sgt i32 %x, 20                          ; 0: %x is less than 10 here
//!   br %c, odd, even                                  jmp even
//! ```
//!
//! # Algorithm
//!
//! 1. Registers that are assigned more than once are variables, the others are values.
//! 2. The reachable blocks are taken in reverse postorder, so that values are appended before they are read; then the
//!    others. All instructions are removed from their blocks and appended again, each reading the replacements of its
//!    registers. A block with one predecessor continues the extended block of the predecessor, if it comes next.
//! 3. Phis read the replacements of values that came after them.
//! 4. The readers walk backward.
//!
//! # Why it is sound
//!
//! As for the writers: the replacement of a value may be read wherever the value could.
//!
//! # Cost and limits
//!
//! Linear. A front end that knows its extended blocks, and appends temporaries just before they are read, gets the same
//! result.

use super::{Tables, WriterCounts, WriterOptions, Writers};
use crate::analysis::Preserved;
use crate::analysis::assignments::Assignments;
use crate::edit::reads::replace_reads;
use crate::pass::{FunctionPass, OptionInfo, OptionKind, Pass, PassContext, PassInfo};
use lir_syntax::ir::builder::FunctionBuilder;
use lir_syntax::ir::{Block, Cfg, Effects, Function, Inst, Opcode, Operand, PackedOption, Reg, SecondaryMap};

const fn option(name: &'static str, summary: &'static str) -> OptionInfo {
    OptionInfo { name, kind: OptionKind::Flag { default: true }, summary }
}

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "rebuild",
    summary: "append every instruction again through the folding writers",
    options: &[
        option("validate", "check each instruction"),
        option("fold", "apply the rules of simplify"),
        option("guards", "use facts from passed branches"),
        option("overflow", "drop overflow tests that intervals decide"),
        option("merge", "merge equal values of an extended basic block"),
        option("dead-stores", "at the end drop stores that are overwritten in their block"),
        option("dead-code", "drop unused instructions at the end"),
    ],
    build: |options| {
        Pass::Function(Box::new(Rebuild {
            options: WriterOptions {
                validate: options.flag("validate"),
                fold: options.flag("fold"),
                guards: options.flag("guards"),
                overflow: options.flag("overflow"),
                merge: options.flag("merge"),
                dead_stores: options.flag("dead-stores"),
                dead_code: options.flag("dead-code"),
            },
        }))
    },
};

struct Rebuild {
    options: WriterOptions,
}

#[derive(Default)]
struct RebuildScratch {
    tables: Tables,
    assignments: Assignments,
    /// The current replacement of a value.
    replacements: SecondaryMap<Reg, PackedOption<Reg>>,
    /// The original instructions of all blocks, and the ends of the blocks among them.
    insts: Vec<Inst>,
    blocks: Vec<(Block, usize)>,
    phis: Vec<Inst>,
}

impl FunctionPass for Rebuild {
    fn run(&self, f: &mut Function, cx: &mut PassContext<'_>) -> Preserved {
        let mut scratch = cx.scratch.take::<RebuildScratch>();
        let cfg = cx.analyses.cfg(f);
        scratch.take_apart(f, cfg);
        let mut writers = Writers::new(cx.decls, self.options);
        writers.tables = std::mem::take(&mut scratch.tables);
        writers.remarks = std::mem::take(cx.remarks);
        writers.begin(f);
        scratch.leave_out_variables(f, &mut writers);
        scratch.append_all(f, cfg, &mut writers);
        let done = writers.finish(f);
        *cx.remarks = std::mem::take(&mut writers.remarks);
        scratch.tables = writers.tables;
        cx.scratch.give_back(scratch);
        count(cx, done.expect("a function is verified before it is built again"));
        Preserved::None
    }
}

fn count(cx: &mut PassContext<'_>, counts: WriterCounts) {
    cx.stats.add("instructions appended", counts.appended);
    cx.stats.add("values merged", counts.merged);
    cx.stats.add("conditions decided by guards", counts.decided);
    cx.stats.add("overflow tests decided", counts.overflow_tests);
    cx.stats.add("branches dropped", counts.branches);
    cx.stats.add("dead stores", counts.dead_stores);
    cx.stats.add("instructions nothing read", counts.dead_code);
}

impl RebuildScratch {
    /// Takes all instructions out of their blocks.
    fn take_apart(&mut self, f: &mut Function, cfg: &Cfg) {
        self.assignments.count(f);
        self.replacements.reset(f.num_regs());
        self.insts.clear();
        self.blocks.clear();
        self.phis.clear();
        let unreachable = f.layout().blocks().filter(|b| !cfg.is_reachable(*b));
        for b in cfg.rpo().iter().copied().chain(unreachable) {
            self.insts.extend(f.layout().insts(b));
            self.blocks.push((b, self.insts.len()));
        }
        self.insts.iter().for_each(|i| f.remove_inst(*i));
    }
    /// Marks the parameters that are variables.
    fn leave_out_variables(&self, f: &Function, writers: &mut Writers<'_>) {
        for r in f.regs.keys().filter(|r| !self.assignments.is_single(*r)) {
            writers.tables.values.remove(r);
        }
    }
    /// Steps 2 and 3.
    fn append_all(&mut self, f: &mut Function, cfg: &Cfg, writers: &mut Writers<'_>) {
        let mut at = 0;
        let mut builder = FunctionBuilder::through(f, writers);
        let mut before = None;
        for n in 0..self.blocks.len() {
            let (b, end) = self.blocks[n];
            match cfg.preds(b) {
                [p] if before == Some(*p) => builder.go_on_in(b),
                _ => builder.switch_to(b),
            }
            before = Some(b);
            for k in at..end {
                self.append(&mut builder, b, self.insts[k]);
            }
            at = end;
        }
        for &phi in &self.phis {
            read_replacements(f, phi, &self.replacements);
        }
    }
    fn append(&mut self, builder: &mut FunctionBuilder<'_>, b: Block, i: Inst) {
        read_replacements(builder.func, i, &self.replacements);
        let d = *builder.func.inst(i);
        builder.loc = builder.func.debug_loc(i);
        if d.op.effects().has(Effects::TERMINATOR) {
            let targets: Vec<Block> = builder.func.succs(b).to_vec();
            return builder.terminate(d, &targets);
        }
        let Some(r) = d.result() else {
            return builder.append(d);
        };
        let ty = builder.func.type_of(r);
        let value = if self.assignments.is_single(r) {
            builder.define(ty, d)
        } else {
            builder.assign(r).define(ty, d.with_result(None))
        };
        if d.op == Opcode::Phi {
            self.phis.extend(builder.last());
        } else if value != r {
            self.replacements[r] = value.into();
        }
    }
}

fn read_replacements(f: &mut Function, i: Inst, replacements: &SecondaryMap<Reg, PackedOption<Reg>>) {
    replace_reads(f, i, |r| replacements[r].expand().map(Operand::reg));
}
