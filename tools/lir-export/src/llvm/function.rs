//! Functions: heads, stack objects, and blocks.
//!
//! A block of LIR becomes one block of LLVM, or several if it tests for traps. Phis name the last block of a
//! predecessor, so they are written after all blocks are translated. Stack objects, and the memory that calls with
//! aggregates need, are `alloca`s at the beginning of the first block.

use super::names::{LocalNames, escaped};
use super::signature::{
    Lowered, Passed, Returned, attributes, by_value, hidden, piece_type, result_with_attribute, scalar,
};
use super::symbols::linkage;
use super::types::{constant, type_name};
use super::{Shared, TRAP_FUNCTION, Traps, data};
use lir_syntax::ir::{
    Attrs, Block, Cfg, Ext, Function, Inst, Obj, Opcode, Operand, OperandKind, Param, PrimaryMap, Reg, SecondaryMap,
    Signature, Type,
};
use lir_syntax::printer::name_after_sigil;
use std::fmt::{Arguments, Write};

/// A trap of an explicit test.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Trap {
    DivByZero,
    IntOverflow,
    Unreachable,
}

impl Trap {
    /// The traps in the order of their numbers, from 1.
    const ALL: [Trap; 3] = [Trap::DivByZero, Trap::IntOverflow, Trap::Unreachable];

    /// Returns the label of the block of the trap.
    fn label(self) -> &'static str {
        match self {
            Trap::DivByZero => "trap.div_by_zero",
            Trap::IntOverflow => "trap.int_overflow",
            Trap::Unreachable => "trap.unreachable",
        }
    }
}

/// A block in progress.
#[derive(Clone, Default)]
struct BlockText {
    phis: Vec<Inst>,
    body: String,
    /// The label of the last of its blocks in LLVM.
    end: String,
}

/// A function in progress.
pub(super) struct FunctionWriter<'s, 'm> {
    pub(super) shared: &'s mut Shared<'m>,
    pub(super) f: &'m Function,
    pub(super) sig: &'m Signature,
    pub(super) lowered: Lowered,
    names: LocalNames<'m>,
    regs: PrimaryMap<Reg, String>,
    labels: Vec<String>,
    objs: SecondaryMap<Obj, String>,
    /// The hidden parameter for a result in memory.
    pub(super) result_pointer: Option<String>,
    allocas: String,
    /// The blocks so far, by index.
    blocks: Vec<BlockText>,
    /// The block being written.
    current: usize,
    /// The labels of the blocks of the traps that are used.
    traps: [Option<String>; Trap::ALL.len()],
}

impl<'s, 'm> FunctionWriter<'s, 'm> {
    pub(super) fn new(shared: &'s mut Shared<'m>, f: &'m Function) -> FunctionWriter<'s, 'm> {
        let decls = shared.decls;
        let sig = decls.signature(f.sym).expect("a function has a signature");
        let mut names = LocalNames::new(f);
        let mut regs = PrimaryMap::new();
        for data in f.regs.values() {
            regs.push(format!("%{}", names.of(data.name)));
        }
        let mut objs = SecondaryMap::new();
        for (obj, data) in f.stack_objects() {
            objs[obj] = format!("%{}", names.of(data.name));
        }
        let count = f.num_blocks();
        let mut labels = vec![String::new(); count];
        for b in f.layout().blocks() {
            labels[b.as_u32() as usize] = names.of(f.block(b).name);
        }
        names.close();
        FunctionWriter {
            lowered: Lowered::of(decls, sig),
            sig,
            shared,
            f,
            names,
            regs,
            labels,
            objs,
            result_pointer: None,
            allocas: String::new(),
            blocks: vec![BlockText::default(); count],
            current: 0,
            traps: [const { None }; Trap::ALL.len()],
        }
    }

    /// Translates the function, with an empty line before it. `more` has further attributes.
    pub(super) fn write(mut self, more: &str) -> String {
        let (f, decls) = (self.f, self.shared.decls);
        let symbol = &decls.syms[f.sym];
        self.current = f.entry().as_u32() as usize;
        let parameters = self.parameters();
        self.objects();
        let cfg = Cfg::new(f);
        for b in f.layout().blocks().filter(|b| cfg.is_reachable(*b)) {
            self.current = b.as_u32() as usize;
            self.blocks[self.current].end = self.labels[self.current].clone();
            for i in f.layout().insts(b) {
                self.instruction(b, i);
            }
        }
        let section = f.section.as_ref().map_or_else(String::new, |s| format!(" section \"{}\"", escaped(&s.name)));
        let what = format!("`@{}`", name_after_sigil(&symbol.name));
        let wrong = f.section.as_ref().and_then(|s| data::wrong_flags(s, "ax", f.loc, &what));
        self.shared.errors.extend(wrong);
        let linkage = linkage(symbol);
        let (result, name) = (result_with_attribute(&self.lowered.result), self.shared.symbols.name(f.sym).to_string());
        let attributes = attributes(self.sig.attrs, &self.lowered, true);
        let mut out = format!(
            "\ndefine {linkage}{result} {name}({parameters}){attributes} null_pointer_is_valid{more}{section} {{\n"
        );
        for b in f.layout().blocks().filter(|b| cfg.is_reachable(*b)) {
            self.block(&cfg, b, &mut out);
        }
        self.trap_blocks(&mut out);
        out + "}\n"
    }

    /// Returns the list of parameters. Parameters that arrive in pieces are assembled in the first block.
    fn parameters(&mut self) -> String {
        let (decls, f) = (self.shared.decls, self.f);
        let mut list = Vec::new();
        if let Returned::Memory(a) = self.lowered.result {
            let pointer = format!("%{}", self.names.added());
            list.push(format!("{} {pointer}", hidden(decls, a)));
            self.result_pointer = Some(pointer);
        }
        for (k, param) in f.params.iter().enumerate() {
            match (self.lowered.params[k], *param) {
                (Passed::Scalar(ty, Ext::Env), Param::Reg(r)) => {
                    let pointer = format!("%{}", self.names.added());
                    list.push(format!("{} {pointer}", scalar(ty, Ext::Env)));
                    let name = self.regs[r].clone();
                    self.line(format_args!("{name} = ptrtoint ptr {pointer} to i64"));
                }
                (Passed::Scalar(ty, ext), Param::Reg(r)) => list.push(format!("{} {}", scalar(ty, ext), self.regs[r])),
                (Passed::Pieces(pieces), Param::Agg(obj)) => {
                    self.object(obj);
                    for p in pieces.iter() {
                        let value = format!("%{}", self.names.added());
                        list.push(format!("{} {value}", piece_type(p)));
                        let object = self.objs[obj].clone();
                        self.store_piece(p, &object, &value);
                    }
                }
                (Passed::Memory(a), Param::Agg(obj)) => {
                    list.push(format!("{} {}", by_value(decls, a), self.objs[obj]));
                }
                (Passed::Nothing, Param::Agg(obj)) => self.object(obj),
                _ => unreachable!("parameters agree with the signature"),
            }
        }
        if self.sig.variadic {
            list.push("...".into());
        }
        list.join(", ")
    }

    /// Makes the stack objects that are not parameters.
    fn objects(&mut self) {
        for (obj, data) in self.f.stack_objects() {
            if !data.is_param {
                self.object(obj);
            }
        }
    }
    fn object(&mut self, obj: Obj) {
        let data = self.f.stack[obj];
        let name = self.objs[obj].clone();
        self.alloca(&name, data.size, data.align);
    }
    fn alloca(&mut self, name: &str, size: u64, align: u64) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.allocas, "  {name} = alloca [{size} x i8], align {align}");
    }
    /// Returns new memory that lives until the function returns.
    pub(super) fn memory(&mut self, size: u64, align: u64) -> String {
        let name = self.added();
        self.alloca(&name, size, align);
        name
    }
    /// True if the function has memory of its own, which a callee must not outlive.
    pub(super) fn has_memory(&self) -> bool {
        let is_own = |p: &Passed| !matches!(p, Passed::Scalar(..));
        let dynamic = |i| matches!(self.f.inst(i).op, Opcode::Alloca);
        !self.allocas.is_empty() || self.lowered.params.iter().any(is_own) || self.f.layout().all_insts().any(dynamic)
    }

    /// Writes a block with its phis.
    fn block(&mut self, cfg: &Cfg, b: Block, out: &mut String) {
        let text = std::mem::take(&mut self.blocks[b.as_u32() as usize].body);
        let phis = std::mem::take(&mut self.blocks[b.as_u32() as usize].phis);
        *out += &format!("{}:\n", self.labels[b.as_u32() as usize]);
        if b == self.f.entry() {
            *out += &self.allocas;
        }
        for phi in phis {
            *out += &self.phi(cfg, b, phi);
        }
        *out += &text;
    }
    /// Returns the line of a phi: an entry for each edge, of which a predecessor may have several.
    fn phi(&self, cfg: &Cfg, b: Block, phi: Inst) -> String {
        let d = self.f.inst(phi);
        let mut entries = Vec::new();
        for (pred, value) in self.f.phi_entries(phi).filter(|(pred, _)| cfg.is_reachable(*pred)) {
            let edges = self.f.succs(pred).iter().filter(|s| **s == b).count();
            let end = &self.blocks[pred.as_u32() as usize].end;
            let entry = format!("[ {}, %{end} ]", self.value(value, d.ty));
            entries.extend(std::iter::repeat_n(entry, edges));
        }
        let name = d.result().map_or("", |r| &self.regs[r]);
        format!("  {name} = phi {} {}\n", type_name(d.ty), entries.join(", "))
    }
    /// Defers a phi until all blocks are translated.
    pub(super) fn defer_phi(&mut self, phi: Inst) {
        self.blocks[self.current].phis.push(phi);
    }

    /// Writes the blocks of traps.
    fn trap_blocks(&mut self, out: &mut String) {
        for trap in Trap::ALL {
            if let Some(label) = self.traps[trap as usize].take() {
                *out += &format!("{label}:\n  {}\n  unreachable\n", self.trap_call(trap));
            }
        }
    }
    /// Returns the instruction that ends the program.
    pub(super) fn trap_call(&mut self, trap: Trap) -> String {
        match self.shared.traps {
            Traps::Instruction => {
                let callee = self.shared.declare("llvm.trap", "void", "", "");
                format!("call void {callee}()")
            }
            Traps::Call => {
                let callee = self.shared.declare(TRAP_FUNCTION, "void", "i32", " cold noreturn nounwind");
                format!("call void {callee}(i32 {})", trap as u32 + 1)
            }
        }
    }
    /// Returns the label of the block of a trap.
    pub(super) fn trap_label(&mut self, trap: Trap) -> String {
        if self.traps[trap as usize].is_none() {
            self.traps[trap as usize] = Some(self.names.named(trap.label().as_bytes()));
        }
        self.traps[trap as usize].clone().unwrap_or_default()
    }

    /// Writes an instruction.
    pub(super) fn line(&mut self, text: Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.blocks[self.current].body, "  {text}");
    }
    /// Writes an instruction with a new result, and returns the result.
    pub(super) fn step(&mut self, text: Arguments<'_>) -> String {
        let name = self.added();
        self.line(format_args!("{name} = {text}"));
        name
    }
    /// Writes an instruction whose result is the register that an instruction of LIR assigns.
    pub(super) fn assign(&mut self, i: Inst, text: Arguments<'_>) {
        let name = self.result_name(i);
        self.line(format_args!("{name} = {text}"));
    }
    /// Returns the name of the result of an instruction, which may be unused.
    pub(super) fn result_name(&mut self, i: Inst) -> String {
        match self.f.def(i) {
            Some(r) => self.regs[r].clone(),
            None => self.added(),
        }
    }
    /// Returns the name of a new value.
    pub(super) fn added(&mut self) -> String {
        format!("%{}", self.names.added())
    }
    /// Returns a new label.
    pub(super) fn new_label(&mut self) -> String {
        self.names.added()
    }
    /// Begins one of LLVM's blocks.
    pub(super) fn begin(&mut self, label: &str) {
        let block = &mut self.blocks[self.current];
        // Writing to a string cannot fail.
        let _ = writeln!(block.body, "{label}:");
        block.end = label.to_string();
    }

    /// Returns a register or a constant of a type.
    pub(super) fn value(&self, o: Operand, ty: Type) -> String {
        match o.kind() {
            OperandKind::Reg(r) => self.regs[r].clone(),
            OperandKind::WidePool(_) => self.f.wide_constant(o).unwrap_or_default().to_string(),
            _ => constant(ty, self.f.constant(o).unwrap_or_default()),
        }
    }
    /// Returns the name of a register.
    pub(super) fn reg(&self, r: Reg) -> &str {
        &self.regs[r]
    }
    /// Returns the pointer to a stack object.
    pub(super) fn obj(&self, o: Obj) -> &str {
        self.objs.get(o)
    }
    /// Returns the label of a block.
    pub(super) fn label(&self, b: Block) -> &str {
        &self.labels[b.as_u32() as usize]
    }
    /// True if a return of the function traps.
    pub(super) fn never_returns(&self) -> bool {
        self.sig.attrs.has(Attrs::NORETURN)
    }
}
