//! Writes functions: labels, instructions with their relocations, call frame directives, comments.

use super::data::{put_constant_label, put_scope, put_table_label};
use super::symbol_names::{put_addend, put_relocation};
use super::{AsmFile, AsmFunction, line};
use crate::isa::x64::emit::{BlockStart, CfiRow, Position, Reloc, RelocKind, RelocTarget};
use crate::isa::x64::encode::journal::jump_target;
use crate::isa::x64::encode::{Entry, Hardware};
use crate::isa::x64::text;
use crate::output::debug_info::{LineRow, rows};
use crate::output::placement::Placement;
use lir_syntax::ir::function::NO_LOC;
use lir_syntax::ir::{Inst, PackedOption};
use lir_syntax::printer::FunctionPrinter;
use std::io::Write;
use std::iter::Peekable;
use std::vec::IntoIter;

/// Appends a function, with its section.
pub(super) fn put_function(file: &AsmFile<'_>, f: &AsmFunction<'_>, out: &mut Vec<u8>) {
    let sym = f.func.sym;
    file.sections.put(&f.placement, out);
    put_scope(file, sym, out);
    out.extend_from_slice(b"\t.type ");
    file.names.put(sym, out);
    let _ = write!(out, ", @function\n\t.balign {}, 0xcc\n", f.code.align);
    line(out, b"", |out| {
        file.names.put(sym, out);
        out.push(b':');
    });
    let mut writer = FunctionWriter::new(file, f, out);
    writer.start_label();
    if f.placement.is_loaded() {
        writer.out.extend_from_slice(b"\t.cfi_startproc\n");
    }
    writer.body();
    if f.placement.is_loaded() {
        writer.out.extend_from_slice(b"\t.cfi_endproc\n");
    }
    writer.out.extend_from_slice(b"\t.size ");
    file.names.put(sym, writer.out);
    writer.out.extend_from_slice(b", . - ");
    writer.put_start();
    writer.out.push(b'\n');
    writer.tables();
}

/// Writes the body of a function.
struct FunctionWriter<'w> {
    file: &'w AsmFile<'w>,
    f: &'w AsmFunction<'w>,
    out: &'w mut Vec<u8>,
    /// The journal of the function.
    entries: &'w [Entry],
    /// The rows of lines, relocations, positions and call frame changes that are not yet written.
    rows: Peekable<IntoIter<LineRow>>,
    relocs: &'w [Reloc],
    positions: &'w [Position],
    cfi: &'w [CfiRow],
    /// The starts of blocks.
    blocks: &'w [BlockStart],
    /// The targets of jumps, ascending. Labels are numbered in this order, from 1.
    targets: Vec<u32>,
    /// Number of labels that are written.
    labels: usize,
    printer: FunctionPrinter<'w>,
    /// The LIR instruction of the last comment.
    origin: PackedOption<Inst>,
    /// The symbolic part of an operand.
    symbol: Vec<u8>,
}

impl<'w> FunctionWriter<'w> {
    fn new(file: &'w AsmFile<'w>, f: &'w AsmFunction<'w>, out: &'w mut Vec<u8>) -> FunctionWriter<'w> {
        let code = &file.compiled.code;
        let entries = code.journal_of(f.code);
        let is_jump = |e: &&Entry| matches!(e.what, Hardware::Jump(_));
        let mut targets: Vec<u32> = entries.iter().filter(is_jump).map(|e| jump_target(code.bytes(), e.at)).collect();
        code.tables_of(f.code).for_each(|n| targets.extend(code.tables.targets(n)));
        targets.sort_unstable();
        targets.dedup();
        // Code that is not loaded has no addresses for lines.
        let has_lines = file.files.is_some() && f.placement.is_loaded();
        let rows = if has_lines { rows(file.lines, f.func, code, f.code) } else { Vec::new() };
        FunctionWriter {
            file,
            f,
            out,
            entries,
            rows: rows.into_iter().peekable(),
            relocs: code.relocs_of(f.code),
            positions: code.positions_of(f.code),
            cfi: code.cfi_of(f.code),
            blocks: code.blocks_of(f.code),
            targets,
            labels: 0,
            printer: FunctionPrinter::new(&file.module.decls, f.func),
            origin: PackedOption::NONE,
            symbol: Vec::new(),
        }
    }

    /// Writes a label for the start, if expressions cannot have the function's name.
    fn start_label(&mut self) {
        if !self.file.names.is_plain(self.f.func.sym) {
            self.put_start();
            self.out.extend_from_slice(b":\n");
        }
    }
    fn put_start(&mut self) {
        if self.file.names.is_plain(self.f.func.sym) {
            self.file.names.put(self.f.func.sym, self.out);
        } else {
            put_label(self.file, self.f, 0, self.out);
        }
    }

    fn body(&mut self) {
        let end = self.f.code.start + self.f.code.len;
        for (k, entry) in self.entries.iter().enumerate() {
            let next = self.entries.get(k + 1).map_or(end, |e| e.at);
            self.before(entry.at);
            self.instruction(entry, next);
        }
        self.before(end);
    }

    /// Writes the jump tables, in their section.
    fn tables(&mut self) {
        let code = &self.file.compiled.code;
        let tables = code.tables_of(self.f.code);
        if tables.is_empty() {
            return;
        }
        self.file.sections.put(&Placement::RODATA, self.out);
        self.out.extend_from_slice(b"\t.balign 4, 0\n");
        for n in tables {
            put_table_label(&self.file.names, n, self.out);
            self.out.extend_from_slice(b":\n");
            for target in code.tables.targets(n) {
                self.out.extend_from_slice(b"\t.long ");
                put_label(self.file, self.f, self.label_of(*target), self.out);
                self.out.extend_from_slice(b" - ");
                put_table_label(&self.file.names, n, self.out);
                self.out.push(b'\n');
            }
        }
    }
    /// Returns the number of the label at an offset.
    fn label_of(&self, target: u32) -> usize {
        self.targets.partition_point(|t| *t < target) + 1
    }

    /// Writes the lines before the instruction at this offset: call frame changes, a label, a comment, its line.
    fn before(&mut self, at: u32) {
        while let Some((row, rest)) = self.cfi.split_first()
            && row.offset <= at
        {
            if self.f.placement.is_loaded() {
                // Writing to a vector cannot fail.
                let _ = writeln!(self.out, "\t{}", row.op);
            }
            self.cfi = rest;
        }
        if self.targets.get(self.labels) == Some(&at) {
            self.labels += 1;
            put_label(self.file, self.f, self.labels, self.out);
            self.out.push(b':');
            let first = self.blocks.partition_point(|b| b.offset < at);
            if let Some(block) = self.blocks.get(first).filter(|b| b.offset == at).and_then(|b| b.label.expand()) {
                self.out.extend_from_slice(b"\t# ");
                self.printer.block(block, self.out);
            }
            self.out.push(b'\n');
        }
        let here = self.positions.partition_point(|p| p.offset <= at);
        if let Some(position) = here.checked_sub(1).map(|last| self.positions[last]) {
            self.positions = &self.positions[here..];
            if position.origin != self.origin {
                self.origin = position.origin;
                self.comment();
            }
        }
        if let Some(files) = &self.file.files {
            while let Some(row) = self.rows.next_if(|row| self.f.code.start + row.offset <= at) {
                files.put_row(&row, self.out);
            }
        }
    }

    /// Writes the LIR instruction of the next instructions.
    fn comment(&mut self) {
        let Some(inst) = self.origin.expand() else { return };
        let loc = self.f.func.loc_of(inst);
        self.out.extend_from_slice(b"\t# ");
        if loc != NO_LOC {
            let _ = write!(self.out, "line {}: ", self.file.lines.line(loc));
        }
        self.printer.inst(inst, self.out);
        self.out.push(b'\n');
    }

    fn instruction(&mut self, entry: &Entry, end: u32) {
        if let Hardware::Bytes(bytes) = entry.what {
            for (k, b) in bytes.iter().enumerate() {
                let _ = write!(self.out, "{}0x{b:02x}", if k == 0 { "\t.byte " } else { ", " });
            }
            self.out.push(b'\n');
            return;
        }
        self.symbol.clear();
        let mut symbol = false;
        if let Hardware::Jump(_) = entry.what {
            let target = jump_target(self.file.compiled.code.bytes(), entry.at);
            put_label(self.file, self.f, self.label_of(target), &mut self.symbol);
            symbol = true;
        }
        let reloc = self.relocs.split_first().filter(|(r, _)| r.offset < end).map(|(r, rest)| {
            self.relocs = rest;
            r
        });
        if let Some(r) = reloc {
            symbol = self.operand(r, end);
        }
        self.out.push(b'\t');
        // The relocation needs the four bytes that a displacement of zero would not take.
        if !symbol && reloc.is_some_and(|r| r.kind == RelocKind::TpOff32) {
            self.out.extend_from_slice(b"{disp32} ");
        }
        // For a jump to a symbol of the file, an assembler would choose the short form.
        if let Hardware::TailCall = entry.what {
            self.out.extend_from_slice(b"{disp32} ");
        }
        text::write(&entry.what, symbol.then_some(&self.symbol), self.out);
        self.out.push(b'\n');
        if let Some(r) = reloc.filter(|_| !symbol) {
            self.relocation(r, end);
        }
    }

    /// Writes the operand that has this relocation in an instruction that ends at `end`. False if it takes a
    /// [directive](Self::relocation).
    fn operand(&mut self, r: &Reloc, end: u32) -> bool {
        let names = &self.file.names;
        let out = &mut self.symbol;
        let local = match r.target {
            RelocTarget::Sym(s) if !names.is_plain(s) => return false,
            RelocTarget::Sym(s) => {
                names.put(s, out);
                self.file.module.decls.syms[s].is_local()
            }
            RelocTarget::Runtime(name) => {
                out.extend_from_slice(name.as_bytes());
                false
            }
            RelocTarget::Table(n) => {
                put_table_label(names, n, out);
                true
            }
            RelocTarget::Const(c) => {
                put_constant_label(names, &self.file.compiled.code.consts.constants()[c as usize], out);
                true
            }
        };
        let (suffix, to_end): (&[u8], i64) = match r.kind {
            RelocKind::Pc32 => (b"", (end - r.offset) as i64),
            RelocKind::Plt32 => (if local { b"" } else { b"@PLT" }, (end - r.offset) as i64),
            RelocKind::GotPcRel { .. } => (b"@GOTPCREL", (end - r.offset) as i64),
            RelocKind::GotTpOff => (b"@gottpoff", (end - r.offset) as i64),
            RelocKind::TlsGd => (b"@tlsgd", (end - r.offset) as i64),
            RelocKind::TpOff32 => (b"@tpoff", 0),
            RelocKind::Abs64 => (b"", 0),
        };
        out.extend_from_slice(suffix);
        put_addend(r.addend + to_end, out);
        true
    }

    /// Writes the relocation of the instruction that was just written and ends at `end`.
    fn relocation(&mut self, r: &Reloc, end: u32) {
        let RelocTarget::Sym(sym) = r.target else { unreachable!("all other targets are plain names") };
        put_relocation(&self.file.names, end - r.offset, relocation_name(r.kind), (sym, r.addend), self.out);
    }
}

/// Appends label number `k` of a function.
fn put_label(file: &AsmFile<'_>, f: &AsmFunction<'_>, k: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(file.names.prefix());
    let _ = write!(out, "{}_{k}", f.index);
}

/// Returns the name of a relocation type (System V ABI, AMD64 supplement, table 4.9).
fn relocation_name(kind: RelocKind) -> &'static str {
    match kind {
        RelocKind::Pc32 => "R_X86_64_PC32",
        RelocKind::Plt32 => "R_X86_64_PLT32",
        RelocKind::GotPcRel { relaxable: false, .. } => "R_X86_64_GOTPCREL",
        RelocKind::GotPcRel { relaxable: true, rex: false } => "R_X86_64_GOTPCRELX",
        RelocKind::GotPcRel { relaxable: true, rex: true } => "R_X86_64_REX_GOTPCRELX",
        RelocKind::TpOff32 => "R_X86_64_TPOFF32",
        RelocKind::GotTpOff => "R_X86_64_GOTTPOFF",
        RelocKind::TlsGd => "R_X86_64_TLSGD",
        RelocKind::Abs64 => "R_X86_64_64",
    }
}
