//! Names in text: bare where possible, else quoted; and the choice of derived names.
//!
//! A register that a pass makes from `%x` has a *derived* name: it prints as `%x.N` with the first N from 1 that is
//! free. All derived registers of the function are named, in the order of their index, also ones that no longer appear:
//! so a name means one register from the first pass to the last, whatever is added and removed. The same holds for
//! blocks and stack objects, each in their own name space.
//!
//! A program that makes functions may give two registers one name, or a name that no text can have: an empty one, or
//! one with NUL. Such a name is chosen as if it were derived: of the bearers of one name the first keeps it, an empty
//! name has the default base, and NUL becomes `_`. So the text has the meaning of the function. The parser gives a name
//! to one bearer, so that functions of a text are not searched for repeated names.

use super::literal::{print_decimal, print_quoted};
use crate::ir::name_table::bare_name_end;
use crate::ir::{Block, EntityRef, EntitySet, Function, NameRef, NameTable, Obj, Reg, SecondaryMap};
use hashbrown::{HashMap, HashSet};
use std::borrow::Cow;

/// True if a name can be written without quotes after a sigil.
pub(crate) fn is_bare_name(name: &[u8]) -> bool {
    !name.is_empty() && bare_name_end(name, 0) == name.len()
}

/// The position of a name: after a sigil, or as a label.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum NamePosition {
    /// After `%`, `@`, `$` or `:`.
    Sigil,
    /// A label, where a bare name does not begin with a digit.
    Label,
}

/// Returns a name as it is written after `%`, `@`, `$` or `:`, in quotes if necessary.
pub fn name_after_sigil(name: &[u8]) -> String {
    let mut out = Vec::new();
    print_name(name, 0, NamePosition::Sigil, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// Appends a name, with `.N` for a derived one (`number` is not 0).
pub(super) fn print_name(base: &[u8], number: u32, position: NamePosition, out: &mut Vec<u8>) {
    if is_bare_name(base) && may_begin(base, position) {
        print_numbered(base, number, out);
    } else {
        let mut name = Vec::new();
        print_numbered(base, number, &mut name);
        print_quoted(&name, out);
    }
}

/// True if a bare name may begin with its first byte.
fn may_begin(name: &[u8], position: NamePosition) -> bool {
    position == NamePosition::Sigil || !name[0].is_ascii_digit()
}

fn print_numbered(base: &[u8], number: u32, out: &mut Vec<u8>) {
    out.extend_from_slice(base);
    if number != 0 {
        out.push(b'.');
        print_decimal(number as u64, out);
    }
}

/// The base of derived names without one of their own ([`NameRef::NONE`]), and of empty ones.
const DEFAULT_BASE: &[u8] = b"t";

/// Returns the bytes of a name as text can have them, of a derived one without its number.
pub(super) fn base_of(names: &NameTable, name: NameRef) -> Cow<'_, [u8]> {
    match names.get(name) {
        [] => Cow::Borrowed(DEFAULT_BASE),
        base if base.contains(&0) => Cow::Owned(base.iter().map(|c| if *c == 0 { b'_' } else { *c }).collect()),
        base => Cow::Borrowed(base),
    }
}

/// The numbers of names that are chosen; 0 for names that are printed as they are.
pub(super) struct ChosenNames {
    /// True if no name of the function has a byte that needs quotes: then they are not checked one by one.
    all_bare: bool,
    pub(super) regs: SecondaryMap<Reg, u32>,
    pub(super) objs: SecondaryMap<Obj, u32>,
    pub(super) blocks: SecondaryMap<Block, u32>,
}

impl ChosenNames {
    pub(super) fn new(func: &Function) -> ChosenNames {
        let all_bare = func.names.are_all_bare();
        let blocks = (0..func.num_blocks()).map(Block::new).map(|b| (b, func.block(b).name));
        ChosenNames {
            all_bare,
            regs: choose(&func.names, all_bare, func.regs.iter().map(|(r, data)| (r, data.name)), |_| true),
            objs: choose(&func.names, all_bare, func.stack.iter().map(|(o, s)| (o, s.name)), |_| true),
            blocks: choose(&func.names, all_bare, blocks, |b| func.layout().has_block(b)),
        }
    }

    /// Appends the name of an entity, with its number if it is chosen.
    #[inline]
    pub(super) fn print(
        &self,
        names: &NameTable,
        name: NameRef,
        number: u32,
        position: NamePosition,
        out: &mut Vec<u8>,
    ) {
        let base = names.get(name);
        if self.all_bare && !base.is_empty() && may_begin(base, position) {
            print_numbered(base, number, out);
        } else {
            print_name(&base_of(names, name), number, position, out);
        }
    }
}

/// Returns the base of a name that is a base, a point and a number. A derived name may print as this name.
fn base_of_numbered(name: &[u8]) -> Option<&[u8]> {
    let digits = name.iter().rev().take_while(|c| c.is_ascii_digit()).count();
    let base = name[..name.len() - digits].strip_suffix(b".")?;
    (digits > 0 && !base.is_empty()).then_some(base)
}

/// Numbers the names that are chosen among `named`, which come in index order. The name of one that is not `printed`,
/// since it was removed, may be used again.
fn choose<K: EntityRef>(
    names: &NameTable,
    all_bare: bool,
    named: impl Iterator<Item = (K, NameRef)> + Clone,
    printed: impl Fn(K) -> bool,
) -> SecondaryMap<K, u32> {
    let repeated = repeated(names, named.clone(), printed);
    let cannot_be_written = |n: NameRef| {
        let name = names.get(n);
        name.is_empty() || !all_bare && name.contains(&0)
    };
    let is_chosen = |k: K, n: NameRef| n.is_derived() || cannot_be_written(n) || repeated.contains(k);
    let mut numbers = SecondaryMap::new();
    if named.clone().any(|(k, n)| is_chosen(k, n)) {
        number(names, named.map(|(k, n)| (k, n, is_chosen(k, n))), &mut numbers);
    }
    numbers
}

/// Returns the entities whose names earlier ones have.
fn repeated<K: EntityRef>(
    names: &NameTable,
    named: impl Iterator<Item = (K, NameRef)> + Clone,
    printed: impl Fn(K) -> bool,
) -> EntitySet<K> {
    let mut repeated = EntitySet::new();
    let given = named.filter(|(_, n)| !n.is_derived());
    // Names of a text occur once, in the order of their bearers.
    if !names.may_repeat() && given.clone().map(|(_, n)| n).is_sorted_by(|a, b| a.is_before(*b)) {
        return repeated;
    }
    let mut seen: HashSet<&[u8], _> = HashSet::with_hasher(foldhash::fast::RandomState::default());
    let bearers = given.filter(|(k, _)| printed(*k));
    repeated.extend(bearers.filter(|(_, n)| !seen.insert(names.get(*n))).map(|(k, _)| k));
    repeated
}

/// Numbers the names that the last component marks as chosen.
fn number<K: EntityRef>(
    names: &NameTable,
    named: impl Iterator<Item = (K, NameRef, bool)> + Clone,
    numbers: &mut SecondaryMap<K, u32>,
) {
    let hasher = foldhash::fast::RandomState::default();
    // The next number to try for each base: the numbers below are taken.
    let mut next: HashMap<Cow<'_, [u8]>, u32, _> = HashMap::with_hasher(hasher.clone());
    next.extend(named.clone().filter(|(.., chosen)| *chosen).map(|(_, n, _)| (base_of(names, n), 1)));
    // Names that are given to others and may collide with a chosen one.
    let mut taken: HashSet<&[u8], _> = HashSet::with_hasher(hasher);
    let given = named.clone().filter(|(.., chosen)| !chosen).map(|(_, n, _)| names.get(n));
    taken.extend(given.filter(|n| base_of_numbered(n).is_some_and(|base| next.contains_key(base))));
    let mut candidate = Vec::new();
    for (k, name, _) in named.filter(|(.., chosen)| *chosen) {
        let base = base_of(names, name);
        let number = next.get_mut(&*base).expect("each base is there");
        loop {
            candidate.clear();
            candidate.extend_from_slice(&base);
            candidate.push(b'.');
            print_decimal(*number as u64, &mut candidate);
            if !taken.contains(candidate.as_slice()) {
                break;
            }
            *number += 1;
        }
        numbers[k] = *number;
        *number += 1;
    }
}
