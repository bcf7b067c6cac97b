//! Writes debug information in DWARF 5: the lines and functions of the code.
//!
//! One compile unit has an entry for each function ([`tree`]), with the calls that were inlined in it and the blocks of
//! its source ([`scopes`]) and its [`variables`], and a line program ([`lines`], made from [`rows`]). A line is the
//! place that the front end gave, else the place in the LIR text. Code is the same with and without debug information:
//! everything is made from the records of emission.
//!
//! # Source
//!
//! DWARF Debugging Information Format, version 5, sections 2.17, 3.3 and 6.2. `gimli` writes it.

mod lines;
mod rows;
mod scopes;
mod tree;
mod types;
mod variables;

pub use rows::{LineRow, SourceLine, rows};

use crate::code::CompiledModule;
use crate::isa::x64::emit::Position;
use gimli::write::{DwarfUnit, EndianVec, LineProgram, LineString, RelocateWriter, Relocation, Sections};
use gimli::{Encoding, Format, LineEncoding, LittleEndian};
use lines::Lines;
use lir_syntax::ir::{DebugLoc, FuncId, Function, Module};
use lir_syntax::text::source::Source;
use rows::clean;
use std::borrow::Cow;

/// The text of a module, for debug information.
#[derive(Copy, Clone, Debug)]
pub struct DebugSource<'a> {
    /// Its name is the path of the file.
    pub source: &'a Source,
    /// The folder that paths are relative to.
    pub folder: &'a str,
    /// True to put the text into the information, as LLVM's `DW_LNCT_LLVM_source`.
    pub embeds: bool,
}

impl<'a> DebugSource<'a> {
    /// Returns the path of the compile unit. A module that names files comes from a front end's source, whose path is
    /// the first one; otherwise the text is the source.
    pub(super) fn unit(&self, module: &'a Module) -> Cow<'a, [u8]> {
        clean(module.decls.files.values().next().map_or(self.source.name.as_bytes(), |file| &file.path))
    }
}

/// A section, with the relocations to be added when addresses are known.
pub(super) struct DebugSection {
    pub(super) name: &'static str,
    pub(super) bytes: Vec<u8>,
    /// A symbol is the number of a function.
    pub(super) relocations: Vec<Relocation>,
}

/// Returns the sections of debug information. The module was compiled with positions.
///
/// # Errors
/// The reason they cannot be written.
pub(super) fn sections(
    module: &Module,
    compiled: &CompiledModule,
    debug: &DebugSource<'_>,
) -> Result<Vec<DebugSection>, String> {
    let encoding = Encoding { format: Format::Dwarf32, version: 5, address_size: 8 };
    let mut dwarf = DwarfUnit::new(encoding);
    let mut lines = Lines::new(&mut dwarf, module, debug);
    for ((id, f), code) in module.funcs.iter().zip(&compiled.functions) {
        lines.function(&mut dwarf, id, f, (&compiled.code, code));
    }
    tree::write(&mut dwarf, module, compiled, debug, &mut lines);
    let mut sections = Sections::new(Section::default());
    dwarf.write(&mut sections).map_err(|e| e.to_string())?;
    let mut written = Vec::new();
    let done: Result<(), String> = sections.for_each_mut(|id, section| {
        let Section { bytes, relocations } = std::mem::take(section);
        let bytes = bytes.into_vec();
        if !bytes.is_empty() {
            written.push(DebugSection { name: id.name(), bytes, relocations });
        }
        Ok(())
    });
    done.map(|()| written)
}

/// Returns the positions in the code of a function.
fn positions_of(all: &[Position], start: u32, len: u32) -> &[Position] {
    let [from, to] = [start, start + len].map(|at| all.partition_point(|p| p.offset < at));
    &all[from..to]
}

/// Returns the origin of a position; none for code that no instruction asked for.
fn origin_of(f: &Function, p: &Position) -> Option<DebugLoc> {
    p.origin.expand().map(|i| f.debug_loc(i))
}

/// Returns the beginning of a function, to be relocated.
fn begin_of(id: FuncId, offset: u32) -> gimli::write::Address {
    use lir_syntax::ir::EntityRef;
    gimli::write::Address::Symbol { symbol: id.index(), addend: offset.into() }
}

/// Returns a line program with an encoding, for the files of a unit.
fn line_program(encoding: Encoding, folder: &[u8], file: &[u8]) -> LineProgram {
    let text = |bytes: &[u8]| LineString::String(bytes.to_vec());
    LineProgram::new(encoding, LineEncoding::default(), text(folder), None, text(file), None)
}

/// The bytes of a section while they are written.
#[derive(Clone, Debug)]
struct Section {
    bytes: EndianVec<LittleEndian>,
    relocations: Vec<Relocation>,
}

impl Default for Section {
    fn default() -> Section {
        Section { bytes: EndianVec::new(LittleEndian), relocations: Vec::new() }
    }
}

impl RelocateWriter for Section {
    type Writer = EndianVec<LittleEndian>;

    fn writer(&self) -> &Self::Writer {
        &self.bytes
    }
    fn writer_mut(&mut self) -> &mut Self::Writer {
        &mut self.bytes
    }
    fn relocate(&mut self, relocation: Relocation) {
        self.relocations.push(relocation);
    }
}
