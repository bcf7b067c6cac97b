//! Finds the offsets in a function at which the code of a new line begins, for every output with lines.

use super::origin_of;
use crate::isa::x64::emit::{CodeBuffer, FunctionCode, Position};
use lir_syntax::ir::function::{NO_LOC, SourceLoc};
use lir_syntax::ir::{DebugLoc, Function, Module, Place, SourceFile};
use lir_syntax::text::source::{LineTable, Source};
use std::borrow::Cow;

/// A line of a file.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct SourceLine {
    /// A file of the front end's source; none is the text of the module.
    pub file: Option<SourceFile>,
    /// The line.
    pub line: u32,
    /// The column, which is 0 if it is not known.
    pub column: u32,
}

/// A beginning of code that comes from a line.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct LineRow {
    /// The offset in the code of the function.
    pub offset: u32,
    /// The line.
    pub at: SourceLine,
    /// True at the start of code that an instruction asked for.
    pub ends_prologue: bool,
}

impl SourceLine {
    /// Returns the line of a place in the front end's source.
    fn of_place(place: Place) -> SourceLine {
        SourceLine { file: Some(place.file), line: place.line, column: place.column }
    }
    /// Returns the line of an offset in the text.
    fn of_offset(table: &LineTable, offset: SourceLoc) -> Option<SourceLine> {
        (offset != NO_LOC).then(|| SourceLine { file: None, line: table.line(offset), column: 0 })
    }
    /// Returns the line of an origin: the front end's line, if there is one.
    pub(super) fn of_origin(table: &LineTable, f: &Function, loc: DebugLoc) -> Option<SourceLine> {
        let origin = f.origins.get(loc);
        origin.place.map(SourceLine::of_place).or_else(|| SourceLine::of_offset(table, origin.offset))
    }
    /// Returns the line in which a function begins.
    pub(super) fn of_header(table: &LineTable, f: &Function) -> Option<SourceLine> {
        f.place.map(SourceLine::of_place).or_else(|| SourceLine::of_offset(table, f.loc))
    }
    /// Returns the path of the line's file, in a module that was read from a text. It is not empty, and has no zero
    /// byte.
    pub fn path<'a>(&self, module: &'a Module, text: &'a Source) -> Cow<'a, [u8]> {
        clean(self.file.map_or(text.name.as_bytes(), |file| &module.decls.files[file].path))
    }
}

/// Returns the rows of a function, ascending. Code that no instruction asked for belongs to the line before it, at the
/// beginning to the header. The buffer has positions.
pub fn rows(table: &LineTable, f: &Function, buffer: &CodeBuffer, code: &FunctionCode) -> Vec<LineRow> {
    let line_of = |p: &Position| origin_of(f, p).and_then(|loc| SourceLine::of_origin(table, f, loc));
    let lines = buffer.positions_of(code).iter().filter_map(|p| Some((p.offset - code.start, line_of(p)?)));
    let mut lines = lines.peekable();
    let mut rows: Vec<LineRow> = Vec::new();
    if lines.peek().is_none_or(|(offset, _)| *offset > 0) {
        rows.extend(SourceLine::of_header(table, f).map(|at| LineRow { offset: 0, at, ends_prologue: false }));
    }
    let mut ends_prologue = true;
    for (offset, at) in lines {
        if ends_prologue || rows.last().is_none_or(|last| last.at != at) {
            rows.push(LineRow { offset, at, ends_prologue });
            ends_prologue = false;
        }
    }
    rows
}

/// Returns a text without the byte that ends one in an object.
pub(super) fn clean(text: &[u8]) -> Cow<'_, [u8]> {
    let cleaned: Cow<'_, [u8]> = match text.contains(&0) {
        true => text.iter().copied().filter(|c| *c != 0).collect(),
        false => text.into(),
    };
    if cleaned.is_empty() { b"?".into() } else { cleaned }
}
