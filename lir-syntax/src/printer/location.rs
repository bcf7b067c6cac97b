//! Locations in the front end's source, after instructions: each is printed if it differs from the location of the
//! instruction before.

use super::literal::print_unsigned;
use super::printed_names::NamePosition;
use super::{FunctionPrinter, print_missing, print_name, print_quoted, print_sym};
use crate::ir::{Decls, Inst, Origin, Place, ScopeData, SourceFile, Sym};

/// The location of the instruction before, in its block.
#[derive(Default)]
pub(super) struct LastLocation {
    place: Option<Place>,
    /// The callees that were inlined, with the places of the calls.
    calls: Vec<(Sym, Option<Place>)>,
}

impl FunctionPrinter<'_> {
    /// Appends the location of an instruction with a blank before it, if it differs from the last.
    pub(super) fn location(&self, i: Inst, last: &mut LastLocation, out: &mut Vec<u8>) {
        let origins = &self.func.origins;
        let Origin { place, .. } = self.func.origin(i);
        // Without a place in the source, the places of calls are not printed either.
        let calls = || {
            let calls = origins.calls_of(self.func.debug_loc(i)).filter(|_| place.is_some());
            calls.map(|call| (call.callee, origins.get(call.call).place))
        };
        if place == last.place && calls().eq(last.calls.iter().copied()) {
            return;
        }
        (last.place, last.calls) = (place, calls().collect());
        out.push(b' ');
        print_place(self.decls, place, out);
        for &(callee, place) in &last.calls {
            out.extend_from_slice(b" in ");
            print_sym(self.decls, callee, out);
            out.push(b' ');
            print_place(self.decls, place, out);
        }
    }
}

/// Appends a location: `!main:12:5`.
pub(super) fn print_place(decls: &Decls, place: Option<Place>, out: &mut Vec<u8>) {
    let Some(Place { file, line, column }) = place else { return out.extend_from_slice(b"!none") };
    print_file_name(decls, file, out);
    out.push(b':');
    print_line_and_column(line, column, out);
}

fn print_line_and_column(line: u32, column: u32, out: &mut Vec<u8>) {
    print_unsigned(line.into(), out);
    if column != 0 {
        out.push(b':');
        print_unsigned(column.into(), out);
    }
}

/// Appends the scope of a variable: `!main:6:8 to 6:70`.
pub(super) fn print_scope(decls: &Decls, scope: &ScopeData, out: &mut Vec<u8>) {
    print_place(decls, Some(scope.begin), out);
    out.extend_from_slice(b" to ");
    print_line_and_column(scope.end_line, scope.end_column, out);
}

fn print_file_name(decls: &Decls, file: SourceFile, out: &mut Vec<u8>) {
    let Some(data) = decls.files.get(file) else { return print_missing(file, out) };
    out.push(b'!');
    print_name(&data.name, 0, NamePosition::Sigil, out);
}

/// Appends the item of a file: `file !main = "main.c"`.
pub(super) fn print_file_item(decls: &Decls, file: SourceFile, out: &mut Vec<u8>) {
    out.extend_from_slice(b"file ");
    print_file_name(decls, file, out);
    out.extend_from_slice(b" = ");
    print_quoted(decls.files.get(file).map_or(&[], |data| &data.path), out);
    out.push(b'\n');
}
