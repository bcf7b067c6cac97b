//! Section directives.

use super::symbol_names::put_string;
use crate::output::placement::Placement;
use object::elf::{
    SHF_ALLOC, SHF_EXCLUDE, SHF_EXECINSTR, SHF_GNU_RETAIN, SHF_TLS, SHF_WRITE, SHT_FINI_ARRAY, SHT_INIT_ARRAY,
    SHT_NOBITS, SHT_NOTE, SHT_PREINIT_ARRAY, SectionType,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// The sections of a file. The assembler identifies a section by its name; others of the same name but with another
/// type or other flags, which objects may have, get a number of their own.
#[derive(Debug)]
pub(super) struct Sections<'m> {
    /// For each section its number; 0 for the first of its name.
    numbers: FxHashMap<Key<'m>, u32>,
    /// The names of the sections.
    names: FxHashSet<&'m [u8]>,
    /// Number of sections with a number that is not 0.
    count: u32,
}

type Key<'m> = (&'m [u8], u32, u64);

/// The sections that every file has.
const STANDARD: [Placement<'static>; 3] = [Placement::TEXT, Placement::DATA, Placement::BSS];

fn key<'m>(p: &Placement<'m>) -> Key<'m> {
    (p.name, p.sh_type, p.sh_flags)
}

impl<'m> Sections<'m> {
    pub(super) fn new() -> Sections<'m> {
        Sections {
            numbers: STANDARD.iter().map(|p| (key(p), 0)).collect(),
            names: STANDARD.iter().map(|p| p.name).collect(),
            count: 0,
        }
    }
    /// Adds a section.
    pub(super) fn add(&mut self, p: &Placement<'m>) {
        if self.numbers.contains_key(&key(p)) {
            return;
        }
        let first = self.names.insert(p.name);
        self.count += !first as u32;
        self.numbers.insert(key(p), if first { 0 } else { self.count });
    }
    /// True if there is a section of this name.
    pub(super) fn has_name(&self, name: &[u8]) -> bool {
        self.names.contains(name)
    }
    /// Appends the directive to continue in an added section.
    pub(super) fn put(&self, p: &Placement<'m>, out: &mut Vec<u8>) {
        if STANDARD.iter().any(|s| key(s) == key(p)) {
            out.push(b'\t');
            out.extend_from_slice(p.name);
            out.push(b'\n');
            return;
        }
        out.extend_from_slice(b"\t.section ");
        let plain = |c: &u8| c.is_ascii_alphanumeric() || matches!(c, b'_' | b'.' | b'-');
        if p.name.iter().all(plain) {
            out.extend_from_slice(p.name)
        } else {
            put_string(p.name, out)
        }
        out.extend_from_slice(b",\"");
        for (bit, letter) in [
            (SHF_ALLOC.0, b'a'),
            (SHF_WRITE.0, b'w'),
            (SHF_EXECINSTR.0, b'x'),
            (SHF_TLS.0, b'T'),
            (SHF_EXCLUDE.0, b'e'),
            (SHF_GNU_RETAIN.0, b'R'),
        ] {
            if p.sh_flags & bit != 0 {
                out.push(letter);
            }
        }
        out.extend_from_slice(b"\",");
        out.extend_from_slice(type_name(p.sh_type));
        if let Some(n) = self.numbers.get(&key(p)).filter(|n| **n > 0) {
            out.extend_from_slice(format!(",unique,{n}").as_bytes());
        }
        out.push(b'\n');
    }
}

/// Returns the word for a section type.
fn type_name(sh_type: u32) -> &'static [u8] {
    match SectionType(sh_type) {
        SHT_NOBITS => b"@nobits",
        SHT_NOTE => b"@note",
        SHT_INIT_ARRAY => b"@init_array",
        SHT_FINI_ARRAY => b"@fini_array",
        SHT_PREINIT_ARRAY => b"@preinit_array",
        _ => b"@progbits",
    }
}
