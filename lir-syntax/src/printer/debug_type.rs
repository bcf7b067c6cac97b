//! Debug types in canonical text.

use super::literal::{print_constant, print_unsigned};
use super::{print_missing, print_missing_line, print_quoted};
use crate::ir::{DebugForm, DebugMember, DebugType, Decls, Type};
use crate::printer::printed_names::{NamePosition, print_name};

/// Appends the name of a debug type.
pub(super) fn print_debug_type(decls: &Decls, t: DebugType, out: &mut Vec<u8>) {
    let Some(data) = decls.debug_types.get(t) else { return print_missing(t, out) };
    out.push(b':');
    print_name(&data.name, 0, NamePosition::Sigil, out);
}

/// Appends the item that declares a debug type.
pub(super) fn print_debug_item(decls: &Decls, t: DebugType, out: &mut Vec<u8>) {
    let Some(data) = decls.debug_types.get(t) else { return print_missing_line(t, out) };
    out.extend_from_slice(b"debug ");
    print_debug_type(decls, t, out);
    out.extend_from_slice(b" = ");
    print_form(decls, &data.form, out);
    out.push(b'\n');
}

/// Appends a form, from its word on.
fn print_form(decls: &Decls, form: &DebugForm, out: &mut Vec<u8>) {
    match form {
        DebugForm::Base { encoding, size, name } => {
            out.extend_from_slice(encoding.name().as_bytes());
            number(*size, out);
            name_if_any(name, out);
        }
        DebugForm::Pointer(of) => {
            out.extend_from_slice(b"pointer");
            of.iter().for_each(|t| of_type(decls, *t, out));
        }
        DebugForm::Array { count, of } => {
            out.extend_from_slice(b"array");
            number(*count, out);
            of_type(decls, *of, out);
        }
        DebugForm::Alias { name, of } => {
            out.extend_from_slice(b"alias");
            name_if_any(name, out);
            of.iter().for_each(|t| of_type(decls, *t, out));
        }
        DebugForm::Enum { of, name, values } => {
            out.extend_from_slice(b"enum");
            of_type(decls, *of, out);
            name_if_any(name, out);
            in_braces(values, out, |(name, value), out| {
                name_if_any(name, out);
                out.push(b' ');
                print_constant(Type::I64, *value, out);
            });
        }
        DebugForm::Aggregate { is_union, size, name, members } => {
            out.extend_from_slice(if *is_union { b"union" } else { b"struct" });
            number(*size, out);
            name_if_any(name, out);
            in_braces(members, out, |member, out| print_member(decls, member, out));
        }
    }
}

fn print_member(decls: &Decls, member: &DebugMember, out: &mut Vec<u8>) {
    number(member.offset, out);
    if let Some(bits) = member.bits {
        out.extend_from_slice(b" bits");
        number(bits, out);
    }
    of_type(decls, member.ty, out);
    name_if_any(&member.name, out);
}

/// Appends a list; each item begins with a space.
fn in_braces<T>(items: &[T], out: &mut Vec<u8>, print: impl Fn(&T, &mut Vec<u8>)) {
    out.extend_from_slice(b" {");
    for (k, item) in items.iter().enumerate() {
        out.extend_from_slice(if k == 0 { b"" } else { b"," });
        print(item, out);
    }
    out.extend_from_slice(b" }");
}
fn number(n: u64, out: &mut Vec<u8>) {
    out.push(b' ');
    print_unsigned(n, out);
}
fn of_type(decls: &Decls, t: DebugType, out: &mut Vec<u8>) {
    out.push(b' ');
    print_debug_type(decls, t, out);
}
fn name_if_any(name: &[u8], out: &mut Vec<u8>) {
    if !name.is_empty() {
        out.push(b' ');
        print_quoted(name, out);
    }
}
