//! Writes the line program: a row where the code of a new line begins.

use super::rows::{SourceLine, clean, rows};
use super::{DebugSource, begin_of, line_program};
use crate::isa::x64::emit::{CodeBuffer, FunctionCode};
use gimli::write::{DirectoryId, DwarfUnit, FileId, FileInfo, LineString};
use lir_syntax::ir::{DebugLoc, FuncId, Function, Module, Place, SecondaryMap, SourceFile};
use lir_syntax::text::source::LineTable;

/// A line of a file, and a column, which is 0 if it is not known.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) file: FileId,
    pub(super) line: u32,
    pub(super) column: u32,
}

/// The lines of a unit.
pub(super) struct Lines<'a> {
    module: &'a Module,
    table: LineTable,
    /// The file of the LIR text.
    text: FileId,
    folder: DirectoryId,
    files: SecondaryMap<SourceFile, Option<FileId>>,
}

impl<'a> Lines<'a> {
    /// Begins the line program of a unit.
    pub(super) fn new(dwarf: &mut DwarfUnit, module: &'a Module, debug: &DebugSource<'a>) -> Lines<'a> {
        let encoding = dwarf.unit.encoding();
        let name = debug.unit(module);
        let mut program = line_program(encoding, &clean(debug.folder.as_bytes()), &name);
        let folder = program.default_directory();
        // GNU binutils count files from 1, unless the first one is listed twice, as GCC does.
        let here = program.add_directory(LineString::String(b".".to_vec()));
        program.file_has_source = debug.embeds;
        let embedded = debug.embeds.then(|| FileInfo {
            source: Some(LineString::LineStringRef(dwarf.line_strings.add(embedded(&debug.source.text)))),
            ..FileInfo::default()
        });
        let is_text = module.decls.files.is_empty();
        let unit = program.add_file(LineString::String(name.into_owned()), here, embedded.clone().filter(|_| is_text));
        let text = match is_text {
            true => unit,
            false => program.add_file(LineString::String(clean(debug.source.name.as_bytes()).into()), folder, embedded),
        };
        dwarf.unit.line_program = program;
        Lines { module, table: LineTable::new(&debug.source.text), text, folder, files: SecondaryMap::new() }
    }
    /// Returns the lines of the LIR text.
    pub(super) fn table(&self) -> &LineTable {
        &self.table
    }
    /// Returns the line of a place in the front end's source.
    pub(super) fn of_place(&mut self, dwarf: &mut DwarfUnit, place: Place) -> Line {
        let Place { file, line, column } = place;
        let path = || LineString::String(clean(&self.module.decls.files[file].path).into_owned());
        let folder = self.folder;
        let id = *self.files[file].get_or_insert_with(|| dwarf.unit.line_program.add_file(path(), folder, None));
        Line { file: id, line, column }
    }
    /// Returns a line with the number of its file.
    fn numbered(&mut self, dwarf: &mut DwarfUnit, at: SourceLine) -> Line {
        let SourceLine { file, line, column } = at;
        match file {
            Some(file) => self.of_place(dwarf, Place { file, line, column }),
            None => Line { file: self.text, line, column },
        }
    }
    /// Returns the line of an origin, with the number of its file.
    pub(super) fn of(&mut self, dwarf: &mut DwarfUnit, f: &Function, loc: DebugLoc) -> Option<Line> {
        SourceLine::of_origin(&self.table, f, loc).map(|at| self.numbered(dwarf, at))
    }
    /// Returns the line in which a function begins.
    pub(super) fn of_header(&mut self, dwarf: &mut DwarfUnit, f: &Function) -> Option<Line> {
        SourceLine::of_header(&self.table, f).map(|at| self.numbered(dwarf, at))
    }
    /// Adds the rows of a function.
    pub(super) fn function(
        &mut self,
        dwarf: &mut DwarfUnit,
        id: FuncId,
        f: &Function,
        (buffer, code): (&CodeBuffer, &FunctionCode),
    ) {
        dwarf.unit.line_program.begin_sequence(Some(begin_of(id, 0)));
        for r in rows(&self.table, f, buffer, code) {
            let line = self.numbered(dwarf, r.at);
            let row = dwarf.unit.line_program.row();
            (row.address_offset, row.file) = (r.offset.into(), line.file);
            (row.line, row.column) = (line.line.into(), line.column.into());
            (row.is_statement, row.prologue_end) = (true, r.ends_prologue);
            dwarf.unit.line_program.generate_row();
        }
        dwarf.unit.line_program.end_sequence(code.len.into());
    }
}

/// Returns a text as it is embedded: it ends with a line end, and has no byte that would end it early.
fn embedded(text: &str) -> Vec<u8> {
    let mut text: Vec<u8> = text.bytes().filter(|c| *c != 0).collect();
    if text.last() != Some(&b'\n') {
        text.push(b'\n');
    }
    text
}
