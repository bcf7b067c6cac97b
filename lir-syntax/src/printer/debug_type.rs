//! Debug types in canonical text.

use super::literal::{print_constant, print_unsigned};
use super::{print_missing, print_missing_line, print_quoted};
use crate::ir::{DebugForm, DebugType, Decls, Type};
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

fn print_form(decls: &Decls, form: &DebugForm, out: &mut Vec<u8>) {
    let of_type = |t: DebugType, out: &mut Vec<u8>| {
        out.push(b' ');
        print_debug_type(decls, t, out);
    };
    let named = |name: &[u8], out: &mut Vec<u8>| {
        if !name.is_empty() {
            out.push(b' ');
            print_quoted(name, out);
        }
    };
    match form {
        DebugForm::Base { encoding, size, name } => {
            out.extend_from_slice(encoding.name().as_bytes());
            out.push(b' ');
            print_unsigned(*size, out);
            named(name, out);
        }
        DebugForm::Pointer(of) => {
            out.extend_from_slice(b"pointer");
            of.iter().for_each(|t| of_type(*t, out));
        }
        DebugForm::Array { count, of } => {
            out.extend_from_slice(b"array ");
            print_unsigned(*count, out);
            of_type(*of, out);
        }
        DebugForm::Alias { name, of } => {
            out.extend_from_slice(b"alias");
            named(name, out);
            of.iter().for_each(|t| of_type(*t, out));
        }
        DebugForm::Enum { of, name, values } => {
            out.extend_from_slice(b"enum");
            of_type(*of, out);
            named(name, out);
            out.extend_from_slice(b" {");
            for (k, (name, value)) in values.iter().enumerate() {
                out.extend_from_slice(if k == 0 { b"" } else { b"," });
                named(name, out);
                out.push(b' ');
                print_constant(Type::I64, *value, out);
            }
            out.extend_from_slice(b" }");
        }
        DebugForm::Aggregate { is_union, size, name, members } => {
            out.extend_from_slice(if *is_union { b"union " } else { b"struct " });
            print_unsigned(*size, out);
            named(name, out);
            out.extend_from_slice(b" {");
            for (k, member) in members.iter().enumerate() {
                out.extend_from_slice(if k == 0 { b" " } else { b", " });
                print_unsigned(member.offset, out);
                if let Some(bits) = member.bits {
                    out.extend_from_slice(b" bits ");
                    print_unsigned(bits, out);
                }
                of_type(member.ty, out);
                named(&member.name, out);
            }
            out.extend_from_slice(b" }");
        }
    }
}
