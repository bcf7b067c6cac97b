//! A reader of relocatable objects: their sections, symbols and relocations.

use std::collections::BTreeMap;

const RELA: u64 = 4;
const NOBITS: u64 = 8;
/// The type of section symbols.
const STT_SECTION: u64 = 3;
/// Sections whose contents follow from the rest.
const TABLES: [&str; 3] = [".symtab", ".strtab", ".shstrtab"];

/// An object.
pub struct Object<'a> {
    sections: Vec<Section<'a>>,
    symbols: Vec<Symbol<'a>>,
}

struct Section<'a> {
    name: &'a str,
    kind: u64,
    flags: u64,
    align: u64,
    size: u64,
    bytes: &'a [u8],
}

/// A symbol: its name, or the name of the section that it represents; binding and type, visibility; section, value,
/// size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Symbol<'a> {
    name: &'a str,
    info: u64,
    other: u64,
    section: &'a str,
    value: u64,
    size: u64,
}

/// Returns a number of some bytes.
fn number(bytes: &[u8], at: usize, len: usize) -> u64 {
    bytes[at..at + len].iter().rev().fold(0, |n, b| n << 8 | u64::from(*b))
}

/// Returns a name in a table of names.
fn name(table: &[u8], at: u64) -> &str {
    let name = table[at as usize..].split(|b| *b == 0).next().unwrap();
    std::str::from_utf8(name).unwrap()
}

impl<'a> Object<'a> {
    /// Reads an object of 64 bits.
    pub fn read(bytes: &'a [u8]) -> Object<'a> {
        assert_eq!(&bytes[..6], b"\x7fELF\x02\x01");
        let (at, count, names) = (number(bytes, 0x28, 8), number(bytes, 0x3c, 2), number(bytes, 0x3e, 2));
        let field = |k: u64, at_field: usize, len: usize| number(bytes, (at + 64 * k) as usize + at_field, len);
        let contents = |k: u64| {
            let len = if field(k, 4, 4) == NOBITS { 0 } else { field(k, 32, 8) };
            &bytes[field(k, 24, 8) as usize..][..len as usize]
        };
        let section = |k: u64| Section {
            name: name(contents(names), field(k, 0, 4)),
            kind: field(k, 4, 4),
            flags: field(k, 8, 8),
            align: field(k, 48, 8),
            size: field(k, 32, 8),
            bytes: contents(k),
        };
        let sections: Vec<Section<'a>> = (0..count).map(section).collect();
        let find = |name: &str| sections.iter().find(|s| s.name == name).unwrap().bytes;
        let (table, strings) = (find(".symtab"), find(".strtab"));
        let symbol = |entry: &'a [u8]| {
            let section = sections.get(number(entry, 6, 2) as usize).map_or("", |s| s.name);
            let info = number(entry, 4, 1);
            let name = if info & 15 == STT_SECTION { section } else { name(strings, number(entry, 0, 4)) };
            let (other, value, size) = (number(entry, 5, 1), number(entry, 8, 8), number(entry, 16, 8));
            Symbol { name, info, other, section, value, size }
        };
        let symbols = table.chunks(24).map(symbol).collect();
        Object { sections, symbols }
    }
    /// The relocations of a section: place, type, symbol and addend.
    fn relocations(&self, section: &Section<'a>) -> Vec<(u64, u64, Symbol<'a>, u64)> {
        let relocation = |entry: &[u8]| {
            let symbol = self.symbols[number(entry, 12, 4) as usize];
            (number(entry, 0, 8), number(entry, 8, 4), symbol, number(entry, 16, 8))
        };
        section.bytes.chunks(24).map(relocation).collect()
    }
    /// Checks that everything of another object is in this one, and otherwise only debug information.
    ///
    /// # Errors
    /// The first difference.
    pub fn has_all_of(&self, other: &Object<'_>) -> Result<(), String> {
        let named: BTreeMap<&str, &Section<'a>> = self.sections.iter().map(|s| (s.name, s)).collect();
        for theirs in other.sections.iter().filter(|s| !TABLES.contains(&s.name)) {
            let name = theirs.name;
            let ours = named.get(name).ok_or_else(|| format!("there is no {name}"))?;
            let header = |s: &Section<'_>| (s.kind, s.flags, s.align, s.size);
            let is_same = match theirs.kind {
                RELA => self.relocations(ours) == other.relocations(theirs),
                _ => ours.bytes == theirs.bytes,
            };
            if !is_same || header(ours) != header(theirs) {
                return Err(format!("{name} is another"));
            }
        }
        let is_new = |s: &&Section<'_>| other.sections.iter().all(|theirs| theirs.name != s.name);
        if let Some(new) = self.sections.iter().filter(is_new).find(|s| !s.name.contains(".debug_")) {
            return Err(format!("{} is new", new.name));
        }
        let is_named = |s: &&Symbol<'_>| s.info & 15 != STT_SECTION;
        match self.symbols.iter().filter(is_named).eq(other.symbols.iter().filter(is_named)) {
            true => Ok(()),
            false => Err("symbols are others".into()),
        }
    }
}
