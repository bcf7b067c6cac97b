//! Names in text: bare where possible, quoted else; and the choice of derived names.
//!
//! A register that a pass makes from `%x` bears a *derived* name: it prints as `%x.N` with the first N from 1 that is
//! free. Derived registers are named in the order of their index, and all of the function are, also those that appear
//! nowhere any more: so a name stands for one register from the first pass to the last, whatever comes and goes. The
//! same holds for blocks and stack objects, each in their own name space.

use super::literal::{print_decimal, print_quoted};
use crate::ir::names::bare_name_end;
use crate::ir::{Block, EntityRef, Function, NameRef, NameTable, Obj, Reg, SecondaryMap};
use hashbrown::{HashMap, HashSet};

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

/// Appends a name as it stands after `%`, `@`, `$` or `:`, in quotes where it must.
pub fn print_name_after_sigil(name: &[u8], out: &mut Vec<u8>) {
    print_name(name, 0, NamePosition::Sigil, out);
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

/// True if the first byte of a bare name may stand first.
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

/// The base of derived names without one of their own ([`NameRef::NONE`]).
const DEFAULT_BASE: &[u8] = b"t";

/// The bytes of a name, of a derived one without its number.
pub(super) fn base_of(names: &NameTable, name: NameRef) -> &[u8] {
    let base = names.get(name);
    if base.is_empty() && name.is_derived() { DEFAULT_BASE } else { base }
}

/// The numbers of derived names; 0 for names that are not derived.
pub(super) struct ChosenNames {
    /// True if no name of the function has a byte that must stand in quotes: then they are not looked through one by
    /// one.
    all_bare: bool,
    pub(super) regs: SecondaryMap<Reg, u32>,
    pub(super) objs: SecondaryMap<Obj, u32>,
    pub(super) blocks: SecondaryMap<Block, u32>,
}

impl ChosenNames {
    pub(super) fn new(func: &Function) -> ChosenNames {
        let mut chosen = ChosenNames {
            all_bare: func.names.are_all_bare(),
            regs: SecondaryMap::new(),
            objs: SecondaryMap::new(),
            blocks: SecondaryMap::new(),
        };
        if func.regs.values().any(|r| r.name.is_derived()) {
            let named: Vec<_> = func.regs.iter().map(|(r, data)| (r, data.name)).collect();
            choose(&func.names, &named, &mut chosen.regs);
        }
        if func.stack.values().any(|s| s.name.is_derived()) {
            let named: Vec<_> = func.stack.iter().map(|(o, s)| (o, s.name)).collect();
            choose(&func.names, &named, &mut chosen.objs);
        }
        let blocks = || (0..func.num_blocks()).map(Block::new).map(|b| (b, func.block(b).name));
        if blocks().any(|(_, name)| name.is_derived()) {
            let named: Vec<_> = blocks().collect();
            choose(&func.names, &named, &mut chosen.blocks);
        }
        chosen
    }

    /// Appends a name of the function, of a derived one with this number.
    pub(super) fn print(&self, base: &[u8], number: u32, position: NamePosition, out: &mut Vec<u8>) {
        if self.all_bare && !base.is_empty() && may_begin(base, position) {
            print_numbered(base, number, out);
        } else {
            print_name(base, number, position, out);
        }
    }
}

/// The base of a name that is a base, a point and a number. A derived name may print as this name.
fn base_of_numbered(name: &[u8]) -> Option<&[u8]> {
    let digits = name.iter().rev().take_while(|c| c.is_ascii_digit()).count();
    let base = name[..name.len() - digits].strip_suffix(b".")?;
    (digits > 0 && !base.is_empty()).then_some(base)
}

/// Numbers the derived names among `named`, which come in index order.
fn choose<K: EntityRef>(names: &NameTable, named: &[(K, NameRef)], numbers: &mut SecondaryMap<K, u32>) {
    let hasher = foldhash::fast::RandomState::default();
    // The next number to try for each base: the numbers below are taken.
    let mut next: HashMap<&[u8], u32, _> = HashMap::with_hasher(hasher.clone());
    next.extend(named.iter().filter(|(_, n)| n.is_derived()).map(|(_, n)| (base_of(names, *n), 1)));
    // Names that are given to others and may collide with a derived one.
    let mut taken: HashSet<&[u8], _> = HashSet::with_hasher(hasher);
    let given = named.iter().filter(|(_, n)| !n.is_derived()).map(|(_, n)| names.get(*n));
    taken.extend(given.filter(|n| base_of_numbered(n).is_some_and(|base| next.contains_key(base))));
    let mut candidate = Vec::new();
    for &(k, name) in named.iter().filter(|(_, n)| n.is_derived()) {
        let base = base_of(names, name);
        let number = next.get_mut(base).expect("each base is there");
        loop {
            candidate.clear();
            candidate.extend_from_slice(base);
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
