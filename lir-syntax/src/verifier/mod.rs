//! The verifier: the rules of well-formed modules.
//!
//! Everything that reads LIR may rely on these rules, and each message ends in the number of the one that is broken.
//!
//! Declarations:
//!
//! * V1: symbols have distinct names, which are not empty and have no NUL, and so have types and files.
//! * V2: the tables of a module agree: a function, its symbol and its parameters; every id exists; the items declare
//!   everything, once.
//! * V3: an aggregate type has the layout that its members give it, does not contain itself, and is at most
//!   [`MAX_OBJECT_SIZE`] bytes; alignments are powers of two not above that.
//! * V4: a data object has items exactly if it is not `extern`, is at most [`MAX_OBJECT_SIZE`] bytes, and refers to no
//!   thread-local object, whose address no constant holds; constants have the form of their type.
//! * V5: attributes do not contradict one another; `libc` is on an `extern func`, `local` on an item with a body.
//! * V6: `sext` and `zext` are only on i8 and i16, `env` on an i64, the first parameter of a function that is not
//!   variadic.
//!
//! Blocks:
//!
//! * V7: a function has a block, and no branch leads to the first one.
//! * V8: a block ends in a terminator, and has no other.
//! * V9: phis precede everything else in their block.
//! * V10: a block has as many successors as its terminator has targets, and each one is a block of the function.
//!
//! Instructions:
//!
//! * V11: annotation, predicate and flags are ones that the opcode table allows; a predicate is of the class of the
//!   operands' type.
//! * V12: a result is assigned exactly if there is one, to a register of its type.
//! * V13: each operand is of a kind that its position allows: a register, or where allowed a constant. The data that a
//!   function keeps for an instruction is its own.
//! * V14: each register operand is of the type that is wanted in its position.
//! * V15: a constant fits its type.
//! * V16: a memory operand is made of i64 registers, a scale of 1, 2, 4 or 8, and symbols and objects that exist.
//! * V17: an access at a constant offset stays inside its stack object or its data object defined here. (`lea` makes an
//!   address and accesses nothing.)
//! * V18: stack objects are at most [`MAX_OBJECT_SIZE`] bytes; their alignments and the alignments of allocas are
//!   powers of two not above that. (An alloca of any size is well-formed: one that the stack cannot hold traps.)
//! * V19: a phi has one entry for each distinct predecessor of its block, at least one, and no other.
//! * V20: every read of a register is preceded by an assignment on every path from the entry; the read of a phi is at
//!   the end of the predecessor. Unreachable blocks are exempt.
//! * V21: a call of a function by name agrees with its signature; any call agrees with itself.
//! * V22: a variable argument is an i32, i64, f64 or an aggregate; `va_start` is in a variadic function.
//! * V23: `ret` agrees with the signature.
//! * V24: no two cases of a switch have the same value.
//! * V26: a `musttail` call is followed by the return of its result, and the calling convention lets it be a jump.
//!
//! Aliases:
//!
//! * V25: an alias gives one `extern` symbol the address of a definition of its kind.
//!
//! Access types:
//!
//! * V27: an access type is declared below the one that it is in, and is in at most 64 others; only a `load` and a
//!   `store` have one, which exists.
//!
//! Value promises:
//!
//! * V28: only parameters, loads and calls that are not `musttail` have promises about their value, an integer of at
//!   most 64 bits. A range has fewer values than the type; `align` and `dereferenceable` are of an i64.
//!
//! Debug types:
//!
//! * V29: a debug type has the names and the size that its form needs, and contains itself only through pointers. The
//!   debug types of stack objects exist. Their scopes end after they begin.
//!
//! Sets of noalias:
//!
//! * V30: only a `load` and a `store` that are not `volatile` are in sets, at most 8, each of another scope.
//!
//! # How
//!
//! One walk over each function, blocks in reverse postorder, checks every instruction by its row of the opcode table
//! (`instruction`, `call`) and its reads (`assignment`); `structure` checks blocks and edges before it, and phis after
//! it. Time is linear in instructions and edges, except for the last resort of `assignment`, and nothing is allocated
//! per instruction.

mod assignment;
mod call;
mod debug_types;
mod declaration;
mod instruction;
mod items;
mod structure;
#[cfg(test)]
mod tests;

use crate::ir::function::{NO_LOC, SourceLoc};
#[cfg(doc)]
use crate::ir::module::MAX_OBJECT_SIZE;
use crate::ir::{
    Block, Cfg, DataId, Decls, DominatorTree, EntityRef, EntitySet, FuncId, Function, Inst, Module, Obj, Opcode,
    PackedOption, Param, Reg, SecondaryMap, Signature, Sym,
};
use crate::parallel::map_chunks;
use crate::printer::{FunctionPrinter, printed};
use crate::text::diagnostic::{Diagnostic, Note};
use crate::text::source::Span;
use std::cell::OnceCell;
use std::fmt;

/// Checks a whole module. At most `limit` diagnostics, the ones about declarations first, then function by function,
/// each group in the order of the text.
pub fn verify_module(module: &Module, limit: usize) -> Vec<Diagnostic> {
    verify_all(module, Maker::Program, limit, 1)
}

/// The same for a module that the parser made, with the functions spread over `threads` threads; 0 counts as 1.
pub(crate) fn verify_parsed(module: &Module, limit: usize, threads: usize) -> Vec<Diagnostic> {
    verify_all(module, Maker::Parser, limit, threads)
}

fn verify_all(module: &Module, maker: Maker, limit: usize, threads: usize) -> Vec<Diagnostic> {
    let mut found = declarations(module, true, limit);
    let limit = limit - found.len();
    let run_chunk = |funcs: &[Function]| run_all(&module.decls, funcs.iter(), maker, limit);
    found.extend(map_chunks(module.funcs.as_slice(), threads, run_chunk).into_iter().flatten().take(limit));
    found
}

/// The maker of a module.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Maker {
    /// The parser, which makes instructions by methods of their function: all can be read.
    Parser,
    /// Anything else. A program may refer in an instruction to parts that its function does not have.
    Program,
}

/// Parts of a module that were not read, and are not verified: their missing pieces would be reported.
#[derive(Clone, Default, Debug)]
pub struct Unread {
    /// A declaration is missing.
    pub declarations: bool,
    /// Functions with parts missing.
    pub funcs: EntitySet<FuncId>,
}

/// Checks the parts of a module that were read. At most `limit` diagnostics, in the order of [`verify_module`].
pub(crate) fn verify_parts(module: &Module, unread: &Unread, limit: usize) -> Vec<Diagnostic> {
    let mut found = declarations(module, !unread.declarations, limit);
    let read = module.funcs.iter().filter(|(id, _)| !unread.funcs.contains(*id)).map(|(_, f)| f);
    found.extend(run_all(&module.decls, read, Maker::Parser, limit - found.len()));
    found
}

fn run_all<'f>(
    decls: &Decls,
    funcs: impl Iterator<Item = &'f Function>,
    maker: Maker,
    limit: usize,
) -> Vec<Diagnostic> {
    let (mut found, mut scratch) = (Vec::new(), Scratch::default());
    for f in funcs {
        if found.len() >= limit {
            break;
        }
        found.extend(run(decls, f, maker, limit - found.len(), &mut scratch));
    }
    found
}

fn declarations(module: &Module, whole: bool, limit: usize) -> Vec<Diagnostic> {
    let mut sink = Sink::new(limit);
    declaration::check_module(module, whole, &mut sink);
    sink.sorted()
}

/// Checks one function against the declarations, which are assumed to be right. At most `limit` diagnostics, in the
/// order of the text.
pub fn verify_function(decls: &Decls, f: &Function, limit: usize) -> Vec<Diagnostic> {
    run(decls, f, Maker::Program, limit, &mut Scratch::default())
}

/// A register with two assignments, see [`ssa_violation`].
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct SsaViolation {
    /// The register.
    pub reg: Reg,
    /// Its first assignment in layout order; none: it is a parameter, which the call assigns.
    pub first: Option<Inst>,
    /// Its second assignment in layout order.
    pub second: Inst,
}

/// Returns the first assignment, in layout order, to a register that was assigned above: none if the function is in SSA
/// form. Linear.
pub fn ssa_violation(f: &Function) -> Option<SsaViolation> {
    ssa_definitions(f, &mut SecondaryMap::new()).err()
}

/// Fills `defs`, whose memory is reused, with the instruction that assigns each register. None for parameters and for
/// registers that are never assigned. Linear.
///
/// # Errors
/// The function is not in SSA form, for the reason that [`ssa_violation`] gives; `defs` holds nothing useful then.
pub fn ssa_definitions(f: &Function, defs: &mut SecondaryMap<Reg, PackedOption<Inst>>) -> Result<(), SsaViolation> {
    defs.reset(f.num_regs());
    let (table, mut is_violated) = (defs.as_mut_slice(), false);
    // Before most passes: no branch for each assignment, and no growing table.
    for b in f.layout().blocks() {
        for i in f.layout().insts(b) {
            if let Some(def) = f.def(i).and_then(|reg| table.get_mut(reg.index())) {
                is_violated |= std::mem::replace(def, i.into()).is_some();
            }
        }
    }
    // Parameters are checked once, and not at each assignment.
    if is_violated || f.params.iter().any(|p| matches!(*p, Param::Reg(r) if defs[r].is_some())) {
        return Err(first_violation(f, defs));
    }
    Ok(())
}

/// Returns the violation of a function that has one.
fn first_violation(f: &Function, defs: &mut SecondaryMap<Reg, PackedOption<Inst>>) -> SsaViolation {
    defs.reset(f.num_regs());
    let mut params = EntitySet::new();
    params.extend(f.param_regs());
    for second in f.layout().all_insts() {
        let Some(reg) = f.def(second) else { continue };
        let first = std::mem::replace(&mut defs[reg], second.into()).expand();
        if first.is_some() || params.contains(reg) {
            return SsaViolation { reg, first, second };
        }
    }
    unreachable!("a register is assigned twice")
}

/// The number of a rule in the list above.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Rule {
    Names = 1,
    Tables = 2,
    Types = 3,
    Data = 4,
    Attributes = 5,
    Extension = 6,
    Entry = 7,
    Terminator = 8,
    PhisFirst = 9,
    Successors = 10,
    Annotation = 11,
    Destination = 12,
    OperandKind = 13,
    OperandType = 14,
    Constant = 15,
    Memory = 16,
    Bounds = 17,
    StackObject = 18,
    PhiEntries = 19,
    Assignment = 20,
    Call = 21,
    VariableArgument = 22,
    Return = 23,
    Cases = 24,
    Alias = 25,
    MustTail = 26,
    AccessType = 27,
    ValuePromises = 28,
    DebugType = 29,
    NoaliasSets = 30,
}

/// Collects diagnostics up to a limit.
struct Sink {
    found: Vec<Diagnostic>,
    limit: usize,
}

impl Sink {
    fn new(limit: usize) -> Sink {
        Sink { found: Vec::new(), limit }
    }
    fn is_full(&self) -> bool {
        self.found.len() >= self.limit
    }
    /// Adds a diagnostic, and returns it for notes. None if there is no room for more.
    #[cold]
    #[inline(never)]
    fn report(&mut self, rule: Rule, at: SourceLoc, message: fmt::Arguments<'_>) -> Option<&mut Diagnostic> {
        if self.is_full() {
            return None;
        }
        self.found.push(Diagnostic::new(span(at), format!("{message} [V{}]", rule as u8)));
        self.found.last_mut()
    }
    fn sorted(mut self) -> Vec<Diagnostic> {
        self.found.sort_by_key(|d| d.span.map_or(u32::MAX, |s| s.start));
        self.found
    }
}

fn span(at: SourceLoc) -> Option<Span> {
    (at != NO_LOC).then(|| Span::at(at))
}

/// Tables that are reused from function to function.
struct Scratch {
    /// None while it is in use.
    graph: Option<Box<(Cfg, DominatorTree)>>,
    /// Sizes of data objects, computed when first needed; [`instruction::SIZE_UNKNOWN`] before.
    data_sizes: SecondaryMap<DataId, u64>,
    /// For V10: blocks that are in the function. For V19: blocks by the stamp of the phi that saw them.
    seen: SecondaryMap<Block, u32>,
    /// For V20.
    assigned: SecondaryMap<Reg, assignment::Assigned>,
    /// For V20.
    pending: Vec<assignment::Pending>,
    /// For V24.
    cases: Vec<i64>,
}

impl Default for Scratch {
    fn default() -> Self {
        Scratch {
            graph: None,
            data_sizes: SecondaryMap::with_default(instruction::SIZE_UNKNOWN),
            seen: SecondaryMap::new(),
            assigned: SecondaryMap::new(),
            pending: Vec::new(),
            cases: Vec::new(),
        }
    }
}

/// The check of one function.
struct Checker<'a> {
    decls: &'a Decls,
    f: &'a Function,
    sig: &'a Signature,
    sink: Sink,
    scratch: &'a mut Scratch,
    /// The instruction under check.
    at: Inst,
    /// Writes names into messages; made for the first one.
    printer: OnceCell<FunctionPrinter<'a>>,
}

/// Checks instructions one by one, as they are appended.
#[derive(Default)]
pub struct InstructionChecker {
    scratch: Scratch,
}

impl InstructionChecker {
    /// Forgets the sizes of data objects. To be called before each function, because passes may have renumbered the
    /// objects since the last one.
    pub fn begin(&mut self) {
        self.scratch.data_sizes.reset(0);
    }
    /// Checks a single instruction by V11 to V18 and V21 to V24: operands, types, constants, addresses; not its
    /// position, nor whether the registers that it reads were assigned. Adds the errors to `found`; returns whether
    /// there are none.
    pub fn check(&mut self, decls: &Decls, f: &Function, i: Inst, found: &mut Vec<Diagnostic>) -> bool {
        let Some(sig) = decls.syms.get(f.sym).and_then(|_| decls.signature(f.sym)) else { return true };
        let (limit, printer) = (found.len() + LIMIT_OF_ONE, OnceCell::new());
        let sink = Sink { found: std::mem::take(found), limit };
        let mut c = Checker { decls, f, sig, sink, scratch: &mut self.scratch, at: i, printer };
        let is_sound = c.instruction();
        *found = c.sink.found;
        is_sound
    }
}

/// Diagnostics about one instruction.
const LIMIT_OF_ONE: usize = 4;

fn run(decls: &Decls, f: &Function, maker: Maker, limit: usize, scratch: &mut Scratch) -> Vec<Diagnostic> {
    let Some(sig) = decls.syms.get(f.sym).and_then(|_| decls.signature(f.sym)) else {
        let mut sink = Sink::new(limit);
        sink.report(Rule::Tables, f.loc, format_args!("the symbol of a function is not a function"));
        return sink.found;
    };
    let mut c = Checker { decls, f, sig, sink: Sink::new(limit), scratch, at: Inst::new(0), printer: OnceCell::new() };
    c.function(maker);
    c.sink.sorted()
}

impl Checker<'_> {
    fn function(&mut self, maker: Maker) {
        self.header();
        self.locations();
        debug_assert!(maker == Maker::Program || self.readable(), "the parser made what cannot be read");
        // Instructions that cannot be read are not checked further.
        if maker == Maker::Program && !self.readable() {
            return;
        }
        if self.f.has_inst_notes() {
            self.access_types();
            self.value_promises();
            self.noalias_sets();
        }
        if !self.sink.is_full() && self.edges() {
            let mut graph = self.scratch.graph.take().unwrap_or_default();
            let (cfg, dominators) = &mut *graph;
            cfg.recompute(self.f);
            dominators.recompute(self.f, cfg);
            self.instructions(cfg, dominators);
            self.phis(cfg);
            self.phi_reads(cfg, dominators);
            self.resolve_pending(cfg);
            self.scratch.graph = Some(graph);
        } else {
            self.f.layout().blocks().for_each(|b| self.block(b, None));
        }
    }

    /// Every instruction, reachable blocks first and in reverse postorder. The check of reads relies on that order.
    fn instructions(&mut self, cfg: &Cfg, dominators: &DominatorTree) {
        self.start_assignment();
        for &b in cfg.rpo() {
            self.block(b, Some(dominators));
            if self.sink.is_full() {
                return;
            }
        }
        for b in self.f.layout().blocks().filter(|b| !cfg.is_reachable(*b)) {
            self.block(b, None);
        }
    }

    fn block(&mut self, b: Block, dominators: Option<&DominatorTree>) {
        let layout = self.f.layout();
        let mut next = layout.first_inst(b);
        let mut phis_may_follow = true;
        while let Some(i) = next {
            next = layout.next_inst(i);
            self.at = i;
            let op = self.f.inst(i).op;
            self.position(op, &mut phis_may_follow, next.is_none());
            let sound = self.instruction();
            if op == Opcode::Call && sound && self.f.is_jump(i) {
                self.jump();
            }
            let Some(dominators) = dominators else { continue };
            if sound {
                self.reads_and_assignment(op, b, dominators);
            } else {
                // Otherwise every read of its result would be in error too.
                self.assignment(b);
            }
        }
    }

    /// Reports at the current instruction.
    #[cold]
    #[inline(never)]
    fn report(&mut self, rule: Rule, message: fmt::Arguments<'_>) {
        self.report_about(rule, None, message);
    }
    /// Reports at the current instruction about a name in it. Returns the diagnostic for notes.
    #[cold]
    #[inline(never)]
    fn report_about(
        &mut self,
        rule: Rule,
        about: Option<&str>,
        message: fmt::Arguments<'_>,
    ) -> Option<&mut Diagnostic> {
        let at = self.f.loc_of(self.at);
        let location = (at == NO_LOC).then(|| self.location_without_source());
        let d = self.sink.report(rule, at, message)?;
        d.about = about.map(|name| name.trim_matches('`').into());
        d.notes.extend(location.map(|message| Note { span: None, message }));
        Some(d)
    }
    /// Reports at the current instruction, with a note.
    #[cold]
    #[inline(never)]
    fn report_with(&mut self, rule: Rule, message: fmt::Arguments<'_>, note_at: SourceLoc, note: fmt::Arguments<'_>) {
        if let Some(d) = self.report_about(rule, None, message) {
            d.notes.push(Note { span: span(note_at), message: note.to_string() });
        }
    }
    /// Reports at the header of the function.
    #[cold]
    fn report_header(&mut self, rule: Rule, message: fmt::Arguments<'_>) {
        let name = self.symbol(self.f.sym);
        let d = self.sink.report(rule, self.f.loc, message);
        if let Some(d) = d.filter(|d| d.span.is_none()) {
            d.notes.push(Note { span: None, message: format!("in function {name}") });
        }
    }
    /// Returns the location of the current instruction, if it comes from no text.
    #[cold]
    fn location_without_source(&self) -> String {
        let name = self.symbol(self.f.sym);
        match self.f.layout().block_of(self.at) {
            Some(block) => format!("in function {name}, block {}", self.label(block)),
            None => format!("in function {name}"),
        }
    }

    // ---- How things are called in messages: as the printer writes them, in backticks ----

    #[cold]
    fn name(&self, write: impl FnOnce(&FunctionPrinter<'_>, &mut Vec<u8>)) -> String {
        let printer = self.printer.get_or_init(|| FunctionPrinter::new(self.decls, self.f));
        format!("`{}`", printed(|out| write(printer, out)))
    }
    fn reg(&self, r: Reg) -> String {
        self.name(|p, out| p.reg(r, out))
    }
    fn label(&self, b: Block) -> String {
        self.name(|p, out| p.block(b, out))
    }
    fn object(&self, o: Obj) -> String {
        self.name(|p, out| p.obj(o, out))
    }
    fn symbol(&self, s: Sym) -> String {
        self.name(|p, out| p.sym(s, out))
    }
    fn mnemonic(&self) -> &'static str {
        self.f.inst(self.at).op.mnemonic()
    }
}
