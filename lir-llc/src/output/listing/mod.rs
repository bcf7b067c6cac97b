//! Writes listings: the code of a module as capstone decodes it, with the LIR instruction that each machine instruction
//! comes from.
//!
//! ```text
//! @sum                                                  ; 26 bytes of code, 8 bytes of frame
//! entry:
//!   ; line 5: store i32 [$total], 0
//!   00000001  c7 04 24 00 00 00 00     mov      dword ptr [rsp], 0
//! ```
//!
//! The LIR instructions that may trap are marked: `; line 5: %q = sdiv i32 %x, %y ; may trap`. Any call may also
//! exhaust the stack, and is not marked for that.
//!
//! Addresses count from the start of the code. Fields that a linker fills in are shown by name: `@f` for the target of
//! a call, `[rip + @table + 8]` for data; jumps show the labels of blocks. The entries of the jump tables follow the
//! function. The decoder is deliberately a third party's: the bounds and names of the instructions that it reads must
//! agree with the encoder, or no listing is written.

mod registers;

use crate::code::CompiledModule;
use crate::isa::x64::emit::{BlockStart, FunctionCode, Position, Reloc, RelocKind, RelocTarget};
use crate::isa::x64::encode::journal::jump_target;
use crate::isa::x64::encode::{Entry, Hardware};
use crate::isa::x64::text;
use capstone::Capstone;
use capstone::arch::x86::ArchMode;
use capstone::arch::{BuildsCapstone, x86};
use lir_opt::analysis::effects::may_end_run;
use lir_syntax::ir::function::NO_LOC;
use lir_syntax::ir::{Decls, Function, Inst, Module, PackedOption};
use lir_syntax::printer::{FunctionPrinter, printed};
use lir_syntax::text::diagnostic::Diagnostic;
use lir_syntax::text::source::{LineTable, Span};
use registers::Registers;
use std::io::Write;

/// Width of the column of bytes: eight bytes, three characters each.
const BYTES_WIDTH: usize = 24;
/// The column of the register contents.
const REGISTERS_COLUMN: usize = 76;
/// Width of the column of instruction names.
const NAME_WIDTH: usize = 8;

/// The moment at which register contents are shown.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Moment {
    /// Before an instruction.
    Before,
    /// After it.
    After,
}

/// Returns the listing of a compiled module, with register contents at a moment, if they are wanted and were recorded.
/// The module must have been compiled with positions and a [journal](crate::watchers::locations::Locations).
///
/// # Errors
/// Capstone decodes other instructions than were encoded; the error is reported at the function.
pub fn write_module(
    module: &Module,
    compiled: &CompiledModule,
    lines: &LineTable,
    registers: Option<Moment>,
) -> Result<Vec<u8>, Vec<Diagnostic>> {
    let failed = |f: &Function, what: String| vec![Diagnostic::new(Span::at(f.loc), what)];
    let decoder: x86::ArchCapstoneBuilder = Capstone::new().x86();
    let decoder = decoder.mode(ArchMode::Mode64).build();
    let mut out = Vec::new();
    for (number, (func, code)) in module.funcs.values().zip(&compiled.functions).enumerate() {
        if !out.is_empty() {
            out.push(b'\n');
        }
        let decoder = decoder.as_ref().map_err(|e| failed(func, format!("capstone does not start: {e}")))?;
        let printer = FunctionPrinter::new(&module.decls, func);
        let registers = registers.zip(compiled.contents.get(number));
        let registers = registers.map(|(moment, contents)| Registers::new(compiled, code, contents, moment));
        let blocks = compiled.code.blocks_of(code);
        let decls = &module.decls;
        let mut listing = Listing { decoder, decls, compiled, lines, func, code, printer, blocks, registers };
        listing.function(&mut out).map_err(|what| failed(func, what))?;
    }
    Ok(out)
}

/// The input of the listing of a function.
struct Listing<'l> {
    decoder: &'l Capstone,
    decls: &'l Decls,
    compiled: &'l CompiledModule,
    lines: &'l LineTable,
    func: &'l Function,
    code: &'l FunctionCode,
    printer: FunctionPrinter<'l>,
    blocks: &'l [BlockStart],
    registers: Option<Registers<'l>>,
}

impl Listing<'_> {
    fn function(&mut self, out: &mut Vec<u8>) -> Result<(), String> {
        let mut title = Vec::new();
        self.printer.sym(self.func.sym, &mut title);
        pad(&mut title, 0, 54);
        out.extend_from_slice(&title);
        // Writing to a vector cannot fail.
        let _ = writeln!(out, "; {} bytes of code, {} bytes of frame", self.code.len, self.code.frame.size);
        let code = &self.compiled.code;
        let entries = code.journal_of(self.code);
        let mut relocs = code.relocs_of(self.code);
        let mut positions = code.positions_of(self.code);
        let mut blocks = self.blocks;
        let mut origin = PackedOption::NONE;
        let mut k = 0;
        while k < entries.len() {
            let (at, count) = (entries[k].at, if self.is_prefix(entries, k)? { 2 } else { 1 });
            let end = entries.get(k + count).map_or(self.code.start + self.code.len, |e| e.at);
            while let Some((block, rest)) = blocks.split_first().filter(|(b, _)| b.offset <= at) {
                self.label(block, out);
                out.extend_from_slice(b":\n");
                blocks = rest;
            }
            self.origin(at, &mut positions, &mut origin, out);
            let reloc = relocs.split_first().filter(|(r, _)| r.offset < end).map(|(r, rest)| {
                relocs = rest;
                r
            });
            if let Some(registers) = &mut self.registers {
                registers.advance(at, &self.printer, out);
            }
            let start = out.len();
            self.instruction(&entries[k + count - 1], at..end, reloc, out)?;
            if let Some(registers) = &self.registers {
                pad(out, start, REGISTERS_COLUMN);
                registers.write(end, &self.printer, out);
                out.truncate(out.trim_ascii_end().len());
            }
            out.push(b'\n');
            k += count;
        }
        self.tables(out);
        Ok(())
    }

    /// Writes the targets of the entries of the jump tables.
    fn tables(&self, out: &mut Vec<u8>) {
        let code = &self.compiled.code;
        for (k, n) in code.tables_of(self.code).enumerate() {
            let _ = write!(out, "  table {k}:");
            for target in code.tables.targets(n) {
                out.push(b' ');
                self.target(*target, out);
            }
            out.push(b'\n');
        }
    }
    /// Writes the label of the block at an offset, or else the offset.
    fn target(&self, target: u32, out: &mut Vec<u8>) {
        let first = self.blocks.partition_point(|b| b.offset < target);
        match self.blocks.get(first).filter(|b| b.offset == target) {
            Some(block) => self.label(block, out),
            None => {
                let _ = write!(out, "{target:08x}");
            }
        }
    }

    /// Writes the LIR instruction before the first machine instruction that comes from it.
    fn origin(&self, at: u32, positions: &mut &[Position], origin: &mut PackedOption<Inst>, out: &mut Vec<u8>) {
        let here = positions.partition_point(|p| p.offset <= at);
        let Some(last) = here.checked_sub(1).map(|last| positions[last]) else { return };
        *positions = &positions[here..];
        if last.origin == *origin {
            return;
        }
        *origin = last.origin;
        let Some(inst) = origin.expand() else { return };
        out.extend_from_slice(b"  ; ");
        let loc = self.func.loc_of(inst);
        if loc != NO_LOC {
            let _ = write!(out, "line {}: ", self.lines.line(loc));
        }
        self.printer.inst(inst, out);
        if may_end_run(self.decls, self.func, inst) {
            out.extend_from_slice(b" ; may trap");
        }
        out.push(b'\n');
    }

    /// True if entry `k` of the journal consists of bytes that belong to the next instruction.
    fn is_prefix(&self, entries: &[Entry], k: usize) -> Result<bool, String> {
        let Hardware::Bytes(bytes) = entries[k].what else { return Ok(false) };
        let alone = self.decoder.disasm_count(bytes, 0, 1).map_err(|e| e.to_string())?;
        Ok(alone.iter().next().is_none_or(|i| i.bytes().len() != bytes.len()))
    }

    /// Writes one machine instruction, which the encoder wrote to these offsets.
    fn instruction(
        &self,
        entry: &Entry,
        range: std::ops::Range<u32>,
        reloc: Option<&Reloc>,
        out: &mut Vec<u8>,
    ) -> Result<(), String> {
        let bytes = &self.compiled.code.bytes()[range.start as usize..range.end as usize];
        let decoded = self.decoder.disasm_all(bytes, range.start as u64).map_err(|e| e.to_string())?;
        let mismatch = |what: &str| format!("the listing would be wrong: capstone reads {bytes:02x?} as {what}");
        let [i] = &*decoded else { return Err(mismatch(&format!("{} instructions", decoded.len()))) };
        let (name, operands) = (i.mnemonic().unwrap_or_default(), i.op_str().unwrap_or_default());
        if i.bytes().len() != bytes.len() || !is_meant(entry, name) {
            return Err(mismatch(&format!("`{name} {operands}`")));
        }
        let start = out.len();
        let _ = write!(out, "  {:08x}  ", range.start);
        let column = out.len() - start;
        for b in bytes {
            let _ = write!(out, "{b:02x} ");
        }
        pad(out, start, column + BYTES_WIDTH);
        out.push(b' ');
        if operands.is_empty() {
            out.extend_from_slice(name.as_bytes());
        } else {
            let _ = write!(out, "{name:NAME_WIDTH$} ");
            self.operands(entry, operands, range.end, reloc, out);
        }
        Ok(())
    }

    /// Writes the operands, with names for relocated fields and for the targets of jumps.
    fn operands(&self, entry: &Entry, operands: &str, end: u32, reloc: Option<&Reloc>, out: &mut Vec<u8>) {
        if let Hardware::Jump(_) = entry.what {
            return self.target(jump_target(self.compiled.code.bytes(), entry.at), out);
        }
        let Some(reloc) = reloc else { return out.extend_from_slice(operands.as_bytes()) };
        if let Hardware::Call | Hardware::TailCall = entry.what {
            return self.reference(reloc, end, out);
        }
        // The displacement is zero, so it is not in the text.
        match operands.rfind(']') {
            Some(bracket) => {
                out.extend_from_slice(&operands.as_bytes()[..bracket]);
                out.extend_from_slice(b" + ");
                self.reference(reloc, end, out);
                out.extend_from_slice(&operands.as_bytes()[bracket..]);
            }
            None => {
                out.extend_from_slice(operands.as_bytes());
                out.extend_from_slice(b" ; ");
                self.reference(reloc, end, out);
            }
        }
    }

    /// Writes the target of a relocation in an instruction that ends at `end`.
    fn reference(&self, r: &Reloc, end: u32, out: &mut Vec<u8>) {
        match r.target {
            RelocTarget::Sym(s) => self.printer.sym(s, out),
            RelocTarget::Runtime(name) => {
                let _ = write!(out, "@{name}");
            }
            RelocTarget::Table(n) => {
                let _ = write!(out, "table {}", n - self.compiled.code.tables_of(self.code).start);
            }
            RelocTarget::Const(c) => {
                out.extend_from_slice(b"const 0x");
                for b in self.compiled.code.consts.constants()[c as usize].iter().rev() {
                    let _ = write!(out, "{b:02x}");
                }
            }
        }
        let (suffix, to_end) = match r.kind {
            RelocKind::Pc32 | RelocKind::Plt32 => ("", end - r.offset),
            RelocKind::GotPcRel { .. } => ("@GOTPCREL", end - r.offset),
            RelocKind::GotTpOff => ("@GOTTPOFF", end - r.offset),
            RelocKind::TlsGd => ("@TLSGD", end - r.offset),
            RelocKind::TpOff32 => ("@TPOFF", 0),
            RelocKind::Abs64 => ("", 0),
        };
        out.extend_from_slice(suffix.as_bytes());
        match r.addend + to_end as i64 {
            0 => {}
            n => {
                let _ = write!(out, " {} {}", if n < 0 { '-' } else { '+' }, n.unsigned_abs());
            }
        }
    }

    /// Writes the label of a block: the label of the LIR block, or a number for a block on a critical edge.
    fn label(&self, b: &BlockStart, out: &mut Vec<u8>) {
        match b.label.expand() {
            Some(label) => self.printer.block(label, out),
            None => {
                let _ = write!(out, "b{}", b.number);
            }
        }
    }
}

/// True if the name matches the instruction that the encoder wrote.
fn is_meant(entry: &Entry, name: &str) -> bool {
    if let Hardware::Bytes(_) = entry.what {
        return name == "nop";
    }
    let meant = printed(|out| text::write(&entry.what, None, out));
    // Prefixes precede the name in both.
    let is_name = |w: &&str| !matches!(*w, "rep" | "lock" | "data16");
    name.split(' ').rfind(is_name) == meant.split(' ').find(is_name)
}

/// Pads with blanks to a column, counted from `start`.
fn pad(out: &mut Vec<u8>, start: usize, column: usize) {
    let width = out.len() - start;
    out.resize(out.len() + column.saturating_sub(width), b' ');
}
