//! Finds the stretches of a function's code that come from one line, for the map of an image.

use crate::code::CompiledModule;
use crate::output::debug_info::{SourceLine, rows};
use lir_syntax::ir::{EntityRef, FuncId, Module};
use lir_syntax::printer::{print_quoted, printed};
use lir_syntax::text::source::{LineTable, Source};
use std::ops::Range;

/// The lines of code, for the map of an image.
#[derive(Debug)]
pub struct MapLines<'a> {
    compiled: &'a CompiledModule,
    text: &'a Source,
    table: LineTable,
}

impl<'a> MapLines<'a> {
    /// Returns the lines of a module that was read from this text, and compiled with positions.
    pub fn new(compiled: &'a CompiledModule, text: &'a Source) -> MapLines<'a> {
        MapLines { compiled, text, table: LineTable::new(&text.text) }
    }
    /// Returns the stretches of a function, each with its place; offsets in the function, ascending.
    pub(super) fn of_function(&self, module: &Module, func: FuncId) -> Vec<(Range<u32>, String)> {
        let code = &self.compiled.functions[func.index()];
        let rows = rows(&self.table, &module.funcs[func], &self.compiled.code, code);
        let mut stretches: Vec<(Range<u32>, SourceLine)> = Vec::new();
        for (k, row) in rows.iter().enumerate() {
            let range = row.offset..rows.get(k + 1).map_or(code.len, |next| next.offset);
            if range.is_empty() {
                continue;
            }
            match stretches.last_mut().filter(|(_, at)| *at == row.at) {
                Some((last, _)) => last.end = range.end,
                None => stretches.push((range, row.at)),
            }
        }
        stretches.into_iter().map(|(range, at)| (range, self.place(module, at))).collect()
    }
    /// Returns a line as the map has it.
    fn place(&self, module: &Module, at: SourceLine) -> String {
        let path = printed(|out| print_quoted(&at.path(module, self.text), out));
        let SourceLine { line, column, .. } = at;
        if column == 0 { format!("{path}:{line}") } else { format!("{path}:{line}:{column}") }
    }
}
