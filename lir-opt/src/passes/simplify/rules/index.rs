//! The rules that may match an instruction, by opcode and shape of operands.
//!
//! Every register has a *class*: the kind of its assignment, as far as rules distinguish it. Constants have a few
//! classes by value. For each opcode (and predicate) a table holds for every operand and class the set of the rules
//! whose left side allows it, as bits; the intersection of the sets of the operands contains the rules to try, in their
//! order. In a function where nothing matches most intersections are empty, and no rule is tried at all.
//!
//! A rule with commutative operations on its left side is entered once for each order of their operands that differs: a
//! [`Variant`]. The build script finds them, and makes the tables.

use super::lists::{List, Ref};
use super::rule::{NodeId, Rule};
use lir_opcodes::{Opcode, Word};

/// The class of an operand: the operation that assigns a register, or the value of a constant.
pub(crate) type Class = u8;

/// Nothing that a rule looks into.
pub(crate) const OPAQUE: Class = 0;
pub(crate) const ZERO: Class = 1;
pub(crate) const ONE: Class = 2;
const ALL_ONES: Class = 3;
/// The least signed number.
pub(crate) const LEAST: Class = 4;
/// The greatest signed number.
const GREATEST: Class = 5;
pub(crate) const POWER_OF_TWO: Class = 6;
pub(crate) const OTHER_CONSTANT: Class = 7;
/// A parameter, a load or the result of a call whose value has promises.
pub(crate) const PROMISED: Class = 8;
/// The class of the first opcode.
pub(crate) const FIRST_OPCODE: Class = 9;
/// Sets of classes are the bits of a `u128`.
pub(crate) const NUM_CLASSES: usize = FIRST_OPCODE as usize + Opcode::ALL.len();
const _: () = assert!(NUM_CLASSES <= 128, "a set of classes has 128 bits");

/// True if a class is one of constants.
#[inline]
pub(crate) fn is_constant(class: Class) -> bool {
    (ZERO..=OTHER_CONSTANT).contains(&class)
}

/// Returns the class of a constant with these bits.
pub(crate) fn class_of_constant(w: Word, bits: u64) -> Class {
    if bits == 0 {
        ZERO
    } else if bits == 1 {
        ONE
    } else if bits == w.mask() {
        ALL_ONES
    } else if bits == w.signed_max() as u64 {
        GREATEST
    } else if bits == w.sign_bit() {
        LEAST
    } else if bits.is_power_of_two() {
        POWER_OF_TWO
    } else {
        OTHER_CONSTANT
    }
}

/// Returns the class of a register that is assigned by this operation, constants excepted.
#[inline]
pub(crate) const fn class_of(op: Opcode) -> Class {
    FIRST_OPCODE + op as Class
}

/// A rule with some operands of its left side exchanged.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Variant {
    /// The position of the rule among the rules of its opcode.
    pub rule: u16,
    /// A bit for each operation of the left side whose operands are exchanged.
    pub exchanged: u32,
}

/// The rules of one opcode and predicate, at most 128.
pub(crate) struct Table {
    pub variants: List<Variant>,
    /// For operand k and class c at `c * 3 + k` the variants that allow it.
    pub allowed: [Ref<u128>; NUM_CLASSES * 3],
    /// The variants that require the same register twice.
    pub same: u128,
}

/// The rules of one opcode, and how to find them.
pub(crate) struct Index {
    pub rules: List<Rule>,
    /// For each predicate the tables of it; other opcodes have one entry.
    pub keys: List<List<Table>>,
}

impl Index {
    /// Calls `attempt` with the variants that may match, in order, until it returns true. Returns whether it did. `key`
    /// is the position of a predicate, and 0 for other operations than comparisons. `same`: the first two operands are
    /// the same register.
    #[inline]
    pub fn find(&self, key: u8, classes: [Class; 3], same: bool, mut attempt: impl FnMut(Variant) -> bool) -> bool {
        let Some(tables) = self.keys.get(key as usize) else { return false };
        for table in tables.iter() {
            let allowed = |k: usize| *table.allowed[classes[k] as usize * 3 + k];
            let mut left = allowed(0) & allowed(1) & allowed(2);
            if !same {
                left &= !table.same;
            }
            while left != 0 {
                let variant = table.variants[left.trailing_zeros() as usize];
                if attempt(variant) {
                    return true;
                }
                left &= left - 1;
            }
        }
        false
    }
}

/// Returns the operand of the instruction that corresponds to operand `slot` of the node. The converse holds, too.
#[inline]
pub(crate) fn operand_slot(n: NodeId, slot: u8, exchanged: u32) -> u8 {
    if exchanged >> n & 1 != 0 { 1 - slot } else { slot }
}
