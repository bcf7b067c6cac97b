//! Folds instructions while a function is built: a pipeline of writers attached to [`FunctionBuilder`], and of readers
//! that walk backward.
//!
//! A JIT that appends straight-line code through them needs no pass for it: appended instructions are checked,
//! simplified by the rules of `simplify` and merged with earlier ones, and branches whose outcome is known are dropped
//! at once.
//!
//! # Example
//!
//! ```
//! use lir_opt::passes::writers::{WriterOptions, Writers};
//! use lir_syntax::ir::builder::FunctionBuilder;
//! use lir_syntax::ir::{IntCC, Module, Signature, Type};
//!
//! let mut module = Module::default();
//! let id = module.define_func("f", Signature::of_scalars(&[Type::I32], Some(Type::I32)));
//! let mut writers = Writers::new(&module.decls, WriterOptions::ALL);
//! writers.begin(&module.funcs[id]);
//! let mut b = FunctionBuilder::through(&mut module.funcs[id], &mut writers);
//! let x = b.param(0);
//! b.name_reg(x, "x");
//! let [entry, exit] = ["entry", "exit"].map(|name| b.block(name));
//! b.switch_to(entry);
//! let one = b.constant(Type::I32, 1);
//! let two = b.add(one, 1); // 2, and %x * 2 is a shift
//! let twice = b.mul(x, two);
//! b.name_reg(twice, "twice");
//! b.guard(IntCC::Slt, twice, 100, exit);
//! b.guard(IntCC::Ne, twice, 100, exit); // known: nothing is made
//! let again = b.shl(x, 1); // %twice
//! let sum = b.add(again, twice);
//! b.name_reg(sum, "sum");
//! b.ret(sum);
//! b.switch_to(exit);
//! b.ret_value(Type::I32, 0);
//! writers.finish(&mut module.funcs[id]).unwrap();
//!
//! assert_eq!(module.to_string(), "\
//! func @f(%x: i32) -> i32 {
//! entry:
//!   %twice = shl i32 %x, 1
//!   br slt i32 %twice, 100, t.1, exit
//! exit:
//!   ret 0
//! t.1:
//!   %sum = shl i32 %x, 2
//!   ret %sum
//! }
//! ");
//! ```
//!
//! # Algorithm
//!
//! Each instruction passes the writers in this order; each writer is optional ([`WriterOptions`]):
//!
//! 1. *validate*: the verifier's rules for one instruction. An invalid instruction passes no other writer.
//! 2. *fold*: the rules of `simplify`, applied to it and to the resulting instructions ([`crate::passes::simplify`]); a
//!    copy is replaced by its value. A branch that is decided becomes a jump.
//! 3. *guards*: facts from passed branches decide comparisons, branches and switches ([`guards`]).
//! 4. *overflow*: the intervals of operands decide overflow tests ([`guards`]).
//! 5. *merge*: an equal value replaces it ([`merge`]).
//!
//! A complete function loses the entries of phis for edges that were dropped, and the readers walk backward over it:
//! *dead stores*, *dead code* ([`backward`]).
//!
//! # Why it is sound
//!
//! Rules use only values: parameters, and registers that instructions made. They are read where their operands may be
//! read. A variable is opaque to every writer, and so is an instruction that reads one. The tables and facts hold in an
//! extended basic block: the blocks in which the caller continues. While they are suspended, they are neither used nor
//! added to, but writes count; afterwards all known facts hold, since every path leads through the point where they
//! were known.
//!
//! # Cost and limits
//!
//! A constant number of steps per instruction. Phis are opaque, and nothing is known across a join: that is left to
//! passes. A rule that pays if operands lose their last reader is applied if they have no other so far.
//!
//! # Source
//!
//! nanojit's `ValidateWriter`, `ExprFilter`, `CseFilter` and their readers (LIR.h); LuaJIT's FOLD and CSE while
//! recording; dstogov/ir folds while it builds, too.
//!
//! [`FunctionBuilder`]: lir_syntax::ir::builder::FunctionBuilder

mod backward;
mod events;
mod guards;
mod merge;
pub(crate) mod rebuild;
mod write;

use crate::edit::edges::drop_stale_phi_entries;
use crate::pass::remarks::Remarks;
use crate::passes::simplify::one_by_one::{Around, RulesOneByOne};
use backward::BackwardReaders;
use guards::PassedGuards;
use lir_syntax::ir::{Block, Cfg, Decls, EntitySet, Function, Inst, Reg};
use lir_syntax::text::diagnostic::Diagnostic;
use lir_syntax::verifier::InstructionChecker;
use merge::MergeTables;

/// The enabled writers and readers.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct WriterOptions {
    /// Check each instruction.
    pub validate: bool,
    /// Apply the rules of `simplify`.
    pub fold: bool,
    /// Use facts from passed branches.
    pub guards: bool,
    /// Drop overflow tests that intervals decide.
    pub overflow: bool,
    /// Merge equal values.
    pub merge: bool,
    /// Drop stores that are overwritten, when the function is complete.
    pub dead_stores: bool,
    /// Drop unread results, when the function is complete.
    pub dead_code: bool,
}

impl WriterOptions {
    /// All of them.
    pub const ALL: WriterOptions = WriterOptions {
        validate: true,
        fold: true,
        guards: true,
        overflow: true,
        merge: true,
        dead_stores: true,
        dead_code: true,
    };
    /// None of them: the function is as it is appended.
    pub const NONE: WriterOptions = WriterOptions {
        validate: false,
        fold: false,
        guards: false,
        overflow: false,
        merge: false,
        dead_stores: false,
        dead_code: false,
    };
}

/// The numbers of things that the writers and readers did in one function.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct WriterCounts {
    /// Instructions that were appended.
    pub appended: u64,
    /// Instructions replaced by equal values.
    pub merged: u64,
    /// Comparisons, branches and switches that guards decided.
    pub decided: u64,
    /// Overflow tests that intervals decided.
    pub overflow_tests: u64,
    /// Branches and switches that became jumps.
    pub branches: u64,
    /// Stores that were overwritten.
    pub dead_stores: u64,
    /// Instructions that nothing read.
    pub dead_code: u64,
}

/// The pipeline, for one function after another.
pub struct Writers<'m> {
    decls: &'m Decls,
    options: WriterOptions,
    tables: Tables,
    remarks: Remarks,
    counts: WriterCounts,
}

/// The knowledge of the writers; the memory is kept from function to function.
#[derive(Default)]
struct Tables {
    /// Registers with one value each.
    values: EntitySet<Reg>,
    checker: InstructionChecker,
    errors: Vec<Diagnostic>,
    appended: RulesOneByOne,
    guards: PassedGuards,
    merge: MergeTables,
    backward: BackwardReaders,
    /// Loads that are kept, see [`Writers::keep`].
    kept: EntitySet<Inst>,
    /// Blocks that lost an edge.
    cut: Vec<Block>,
    /// The current block.
    current: Option<Block>,
    /// The block whose end is the last thing that is known.
    ended: Option<Block>,
    /// The number of times that the writers were suspended and not resumed.
    suspended: u32,
}

impl<'m> Writers<'m> {
    /// Returns a pipeline for functions of a module with these declarations.
    pub fn new(decls: &'m Decls, options: WriterOptions) -> Writers<'m> {
        let (tables, remarks, counts) = (Tables::default(), Remarks::default(), WriterCounts::default());
        Writers { decls, options, tables, remarks, counts }
    }
    /// Begins a function, which has no instructions yet.
    pub fn begin(&mut self, f: &Function) {
        let t = &mut self.tables;
        t.values.clear();
        t.checker.begin();
        t.errors.clear();
        t.appended.clear();
        t.guards.start();
        t.merge.clear();
        t.kept.clear();
        t.cut.clear();
        (t.current, t.ended, t.suspended) = (None, None, 0);
        self.counts = WriterCounts::default();
        t.values.extend(f.param_regs());
    }
    /// Keeps a load that would fault if there is no memory: if its result is not read, it is made volatile instead of
    /// removed. It may have been folded or removed before; then nothing happens.
    pub fn keep(&mut self, load: Inst) {
        self.tables.kept.insert(load);
    }
    /// Ends a function, all of whose terminators and phi entries exist: drops the phi entries of dropped edges, and
    /// runs the readers.
    ///
    /// # Errors
    /// The complaints of `validate` about single instructions; the function is then as it was appended, in part.
    pub fn finish(&mut self, f: &mut Function) -> Result<WriterCounts, Vec<Diagnostic>> {
        let t = &mut self.tables;
        if !t.errors.is_empty() {
            return Err(std::mem::take(&mut t.errors));
        }
        if !t.cut.is_empty() {
            let mut cfg = Cfg::default();
            cfg.recompute(f);
            drop_stale_phi_entries(f, &cfg, &mut t.cut);
        }
        if self.options.dead_stores || self.options.dead_code {
            let dropped = t.backward.read(self.decls, f, self.options, &t.kept, &mut self.remarks);
            (self.counts.dead_stores, self.counts.dead_code) = (dropped.stores, dropped.instructions);
        }
        Ok(self.counts)
    }
}
