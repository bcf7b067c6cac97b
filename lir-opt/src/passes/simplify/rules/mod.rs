//! The rewrite rules: lines of algebra in `*.rules`, which the build script reads (`build/rules`) and writes as tables
//! of constants.

pub(super) mod constants;
pub(super) mod families;
mod generated;
pub(super) mod index;
mod lists;
pub(super) mod magic;
pub(super) mod predicates;
#[cfg(test)]
#[path = "../../../../build/rules/reading/mod.rs"]
pub(super) mod reading;
pub(super) mod rule;

use index::Index;
use lir_syntax::ir::{Format, InstData, Opcode};

/// Returns the rules of an opcode, and how to find them.
#[inline]
pub(super) fn rules_of(op: Opcode) -> &'static Index {
    &generated::INDEXES[op as usize]
}

/// Returns the key among the rules of an opcode: of a comparison or a branch the position of its predicate.
#[inline]
pub(super) fn key_of(d: &InstData) -> u8 {
    match d.op.format() {
        Format::Compare | Format::Branch => d.predicate().index(),
        _ => 0,
    }
}

/// Returns the rules as text, family by family.
#[cfg(feature = "cli")]
pub(crate) fn list_rules() -> String {
    use std::fmt::Write;
    let mut out = String::new();
    let mut last = "";
    for (family, line) in families::all_lines() {
        if family != last {
            let blank = if last.is_empty() { "" } else { "\n" };
            last = family;
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{blank}{family}:");
        }
        let _ = writeln!(out, "  {line}");
    }
    out
}
