//! Lines: the files of a module, and a directive where the code of a new line begins.
//!
//! Source: the manual of GNU as (binutils 2.40), sections 7.42 (`.file`) and 7.61 (`.loc`).

use super::symbol_names::put_string;
use crate::output::debug_info::{DebugSource, LineRow, SourceLine};
use lir_syntax::ir::{Module, SecondaryMap, SourceFile};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::io::Write;

/// The number of the path of the unit.
const UNIT: u32 = 1;

/// The numbers of the files.
#[derive(Debug)]
pub(super) struct Files<'m> {
    folder: Cow<'m, [u8]>,
    /// The paths by number. The unit is file 0, and file [`UNIT`] by another path: GNU binutils count
    /// files from 1, unless the first one is listed twice. Every other path is listed once: clang does not accept a
    /// second file with the path of file 0.
    paths: Vec<Cow<'m, [u8]>>,
    /// The number of the module's text, and the numbers of the files that the module names.
    text: u32,
    numbers: SecondaryMap<SourceFile, u32>,
}

impl<'m> Files<'m> {
    pub(super) fn new(module: &'m Module, debug: &DebugSource<'m>) -> Files<'m> {
        let path = |file| SourceLine { file, line: 0, column: 0 }.path(module, debug.source);
        let unit = debug.unit(module);
        let again = [if unit.starts_with(b"/") { &b"/."[..] } else { b"./" }, &unit].concat();
        let mut known: FxHashMap<Cow<'m, [u8]>, u32> = FxHashMap::default();
        known.insert(unit.clone(), UNIT);
        let mut paths = vec![unit, again.into()];
        let mut number = |path: Cow<'m, [u8]>| {
            *known.entry(path).or_insert_with_key(|path| {
                paths.push(path.clone());
                paths.len() as u32 - 1
            })
        };
        let text = number(path(None));
        let mut numbers = SecondaryMap::new();
        for file in module.decls.files.keys() {
            numbers[file] = number(path(Some(file)));
        }
        Files { folder: debug.folder.as_bytes().into(), paths, text, numbers }
    }
    /// Appends the directives that name the files. A file 0 with its folder asks for tables of DWARF 5.
    pub(super) fn put(&self, out: &mut Vec<u8>) {
        for (number, path) in self.paths.iter().enumerate() {
            // Writing to a vector cannot fail.
            let _ = write!(out, "\t.file {number} ");
            if number == 0 {
                put_string(&self.folder, out);
                out.push(b' ');
            }
            put_string(path, out);
            out.push(b'\n');
        }
    }
    /// Appends the directive that the code of a line begins.
    pub(super) fn put_row(&self, row: &LineRow, out: &mut Vec<u8>) {
        let SourceLine { file, line, column } = row.at;
        let number = file.map_or(self.text, |file| self.numbers[file]);
        let prologue = if row.ends_prologue { " prologue_end" } else { "" };
        let _ = writeln!(out, "\t.loc {number} {line} {column}{prologue}");
    }
}
