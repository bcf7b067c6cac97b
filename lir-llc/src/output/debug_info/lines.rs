//! The line program: a row where the code of another line begins.

use super::{DebugSource, begin_of, line_program, origin_of};
use crate::emit::FunctionCode;
use crate::emit::Position;
use gimli::write::{DirectoryId, DwarfUnit, FileId, LineString};
use lir_syntax::ir::function::{NO_LOC, SourceLoc};
use lir_syntax::ir::{DebugLoc, FuncId, Function, Module, Place, SecondaryMap, SourceFile};
use lir_syntax::text::source::LineTable;

/// A line of a file, and a column, which is 0 where nobody says it.
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
        let name = clean(debug.source.name.as_bytes());
        let mut program = line_program(encoding, &clean(debug.folder.as_bytes()), &name);
        let folder = program.default_directory();
        // GNU binutils count files from 1 on, unless the first one is there twice, as GCC has it.
        let here = program.add_directory(LineString::String(b".".to_vec()));
        let text = program.add_file(LineString::String(name), here, None);
        dwarf.unit.line_program = program;
        Lines { module, table: LineTable::new(&debug.source.text), text, folder, files: SecondaryMap::new() }
    }
    /// The line of a place in the front end's source.
    pub(super) fn of_place(&mut self, dwarf: &mut DwarfUnit, place: Place) -> Line {
        let Place { file, line, column } = place;
        let path = || LineString::String(clean(&self.module.decls.files[file].path));
        let folder = self.folder;
        let id = *self.files[file].get_or_insert_with(|| dwarf.unit.line_program.add_file(path(), folder, None));
        Line { file: id, line, column }
    }
    /// The line of an offset in the text.
    fn of_offset(&self, offset: SourceLoc) -> Option<Line> {
        (offset != NO_LOC).then(|| Line { file: self.text, line: self.table.line(offset), column: 0 })
    }
    /// The line of an origin.
    pub(super) fn of(&mut self, dwarf: &mut DwarfUnit, f: &Function, loc: DebugLoc) -> Option<Line> {
        let origin = f.origins.get(loc);
        match origin.place {
            Some(place) => Some(self.of_place(dwarf, place)),
            None => self.of_offset(origin.offset),
        }
    }
    /// The line in which a function begins.
    pub(super) fn of_header(&mut self, dwarf: &mut DwarfUnit, f: &Function) -> Option<Line> {
        match f.place {
            Some(place) => Some(self.of_place(dwarf, place)),
            None => self.of_offset(f.loc),
        }
    }
    /// Adds the rows of a function. Code that no instruction asked for belongs to what stands before it.
    pub(super) fn function(
        &mut self,
        dwarf: &mut DwarfUnit,
        id: FuncId,
        f: &Function,
        code: &FunctionCode,
        positions: &[Position],
    ) {
        dwarf.unit.line_program.begin_sequence(Some(begin_of(id, 0)));
        let begins_later = positions.first().is_none_or(|p| p.offset > code.start);
        let header = if begins_later { self.of_header(dwarf, f) } else { None };
        let mut last = None;
        let mut row = |dwarf: &mut DwarfUnit, offset: u32, line: Line, ends_prologue: bool| {
            if last.replace(line) == Some(line) && !ends_prologue {
                return;
            }
            let row = dwarf.unit.line_program.row();
            (row.address_offset, row.file) = (offset.into(), line.file);
            (row.line, row.column) = (line.line.into(), line.column.into());
            (row.is_statement, row.prologue_end) = (true, ends_prologue);
            dwarf.unit.line_program.generate_row();
        };
        if let Some(line) = header {
            row(dwarf, 0, line, false);
        }
        let mut ends_prologue = true;
        for p in positions {
            let Some(line) = origin_of(f, p).and_then(|loc| self.of(dwarf, f, loc)) else { continue };
            row(dwarf, p.offset - code.start, line, ends_prologue);
            ends_prologue = false;
        }
        dwarf.unit.line_program.end_sequence(code.len.into());
    }
}

/// A text without the byte that ends one in an object.
fn clean(text: &[u8]) -> Vec<u8> {
    let text: Vec<u8> = text.iter().copied().filter(|c| *c != 0).collect();
    if text.is_empty() { b"?".to_vec() } else { text }
}
