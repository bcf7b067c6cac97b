//! Which rules may match an instruction, by its opcode and the shape of its operands.
//!
//! Every register has a *class*: what assigns it, as far as rules care. Constants have a few classes by value. For each
//! opcode (and predicate) a table holds for every operand and class the set of the rules whose left side allows it, as
//! bits; the sets of the operands intersected are the rules to try, in their order. In a function where nothing matches
//! most intersections are empty, and no rule is tried at all.
//!
//! A rule with commutative operations on its left side is entered once for each order of their operands that differs: a
//! [`Variant`].

use super::constants::{Comparison, Condition, Expr, Func};
use super::rule::{NodeId, NodeKind, Pred, PredFn, Rule};
use lir_syntax::ir::{Effects, FloatCC, Format, IntCC, Opcode, Type};

/// What assigns a register, or what value a constant has.
pub(super) type Class = u8;

/// Nothing that a rule looks into.
pub(super) const OPAQUE: Class = 0;
const ZERO: Class = 1;
const ONE: Class = 2;
const ALL_ONES: Class = 3;
const POWER_OF_TWO: Class = 4;
const OTHER_CONSTANT: Class = 5;
/// The first class of an opcode.
const FIRST_OPCODE: Class = 6;
/// Sets of classes are the bits of a `u64`.
const MAX_CLASSES: usize = 64;

const ANY: u64 = u64::MAX;
const CONSTANTS: u64 = 1 << ZERO | 1 << ONE | 1 << ALL_ONES | 1 << POWER_OF_TWO | 1 << OTHER_CONSTANT;

/// Whether a class is one of constants.
#[inline]
pub(super) fn is_constant(class: Class) -> bool {
    (ZERO..=OTHER_CONSTANT).contains(&class)
}

/// The class of a constant with these bits.
pub(super) fn class_of_constant(ty: Type, bits: u64) -> Class {
    if bits == 0 {
        ZERO
    } else if bits == 1 {
        ONE
    } else if bits == ty.mask() {
        ALL_ONES
    } else if bits.is_power_of_two() {
        POWER_OF_TWO
    } else {
        OTHER_CONSTANT
    }
}

/// A rule with some operands of its left side exchanged.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Variant {
    pub rule: u16,
    /// A bit for each operation of the left side whose operands are exchanged.
    pub exchanged: u32,
}

/// The rules of one opcode and predicate, at most 128.
#[derive(Default)]
struct Table {
    variants: Vec<Variant>,
    /// For operand k and class c at `c * 3 + k` the variants that allow it.
    allowed: Vec<u128>,
    /// The variants that want the same register twice.
    same: u128,
}

/// The tables of all rules.
pub(super) struct Index {
    tables: Vec<Table>,
    /// For each key the tables of it.
    keys: Vec<(u16, u16)>,
    classes: Vec<Class>,
}

/// Keys after those of the opcodes: comparisons by predicate.
const INT_KEYS: usize = 256;
const FLOAT_KEYS: usize = INT_KEYS + IntCC::ALL.len();
const NUM_KEYS: usize = FLOAT_KEYS + FloatCC::ALL.len();

fn key(op: Opcode, aux: u8) -> usize {
    match op {
        Opcode::Icmp => INT_KEYS + aux as usize,
        Opcode::Fcmp => FLOAT_KEYS + aux as usize,
        _ => op as usize,
    }
}

impl Index {
    pub fn new(rules: &[Rule]) -> Index {
        let classes = number_opcodes(rules);
        let mut by_key: Vec<Vec<Variant>> = vec![Vec::new(); NUM_KEYS];
        for (k, rule) in rules.iter().enumerate() {
            for exchanged in exchanges(rule) {
                let variant = Variant { rule: k as u16, exchanged };
                for_each_key(rule, exchanged & 1 != 0, |key| by_key[key].push(variant));
            }
        }
        let mut index = Index { tables: Vec::new(), keys: Vec::with_capacity(NUM_KEYS), classes };
        for variants in by_key {
            let first = index.tables.len() as u16;
            for chunk in variants.chunks(128) {
                let table = index.table(rules, chunk);
                index.tables.push(table);
            }
            index.keys.push((first, index.tables.len() as u16));
        }
        index
    }
    fn table(&self, rules: &[Rule], variants: &[Variant]) -> Table {
        let num_classes = self.classes.iter().map(|c| *c as usize + 1).max().unwrap_or(0).max(FIRST_OPCODE as usize);
        let mut table = Table { variants: variants.to_vec(), allowed: vec![0; num_classes * 3], same: 0 };
        for (bit, v) in variants.iter().enumerate() {
            let rule = &rules[v.rule as usize];
            for operand in 0..3 {
                let allowed = if operand < rule.args(0).len() {
                    let n = rule.args(0)[operand_slot(0, operand as u8, v.exchanged) as usize];
                    self.classes_of(rule, n)
                } else {
                    ANY
                };
                for class in (0..num_classes).filter(|c| allowed >> c & 1 != 0) {
                    table.allowed[class * 3 + operand] |= 1 << bit;
                }
            }
            if wants_same(rule) {
                table.same |= 1 << bit;
            }
        }
        table
    }
    /// The classes that a node of a left side allows.
    fn classes_of(&self, rule: &Rule, n: NodeId) -> u64 {
        match &rule.nodes[n as usize].kind {
            NodeKind::Op { op, .. } => 1 << self.classes[*op as usize],
            NodeKind::Var(_) => ANY,
            NodeKind::Const(Expr::Int(0)) => 1 << ZERO,
            NodeKind::Const(Expr::Int(1)) => 1 << ONE,
            NodeKind::Const(Expr::Int(-1)) => 1 << ALL_ONES,
            NodeKind::Const(Expr::Const(k)) if asks_power_of_two(rule, *k) => 1 << ONE | 1 << POWER_OF_TWO,
            NodeKind::Const(_) => CONSTANTS,
        }
    }
    /// The class of a register that is assigned by this operation, constants excepted.
    #[inline]
    pub fn class_of(&self, op: Opcode) -> Class {
        self.classes[op as usize]
    }
    /// Calls `attempt` with the variants that may match, in order, until one says yes; whether one did. `same`: the
    /// first two operands are the same register.
    #[inline]
    pub fn find(
        &self,
        (op, aux): (Opcode, u8),
        classes: [Class; 3],
        same: bool,
        mut attempt: impl FnMut(Variant) -> bool,
    ) -> bool {
        let (first, end) = self.keys[key(op, aux)];
        for table in &self.tables[first as usize..end as usize] {
            let allowed = |k: usize| table.allowed[classes[k] as usize * 3 + k];
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

/// Which operand of the instruction (or, the other way round, of the node) corresponds to operand `slot`.
#[inline]
pub(super) fn operand_slot(n: NodeId, slot: u8, exchanged: u32) -> u8 {
    if exchanged >> n & 1 != 0 { 1 - slot } else { slot }
}

/// Numbers the opcodes that stand inside of left sides, from [`FIRST_OPCODE`]; all others are [`OPAQUE`].
fn number_opcodes(rules: &[Rule]) -> Vec<Class> {
    let mut classes = vec![OPAQUE; Opcode::ALL.len()];
    let mut next = FIRST_OPCODE;
    for rule in rules {
        for n in &rule.nodes[1..rule.left] {
            if let NodeKind::Op { op, .. } = n.kind
                && classes[op as usize] == OPAQUE
            {
                classes[op as usize] = next;
                next += 1;
            }
        }
    }
    assert!(next as usize <= MAX_CLASSES, "too many opcodes inside of left sides");
    classes
}

fn for_each_key(rule: &Rule, exchanged: bool, mut f: impl FnMut(usize)) {
    let NodeKind::Op { op, pred, .. } = rule.nodes[0].kind else { return };
    let set = match pred {
        Pred::None => return f(key(op, 0)),
        Pred::Is(p) => 1 << p,
        Pred::Bind(_, set) => set,
        Pred::Of(..) => unreachable!("the predicate of the root is bound there"),
    };
    for p in (0..16).filter(|p| set >> p & 1 != 0) {
        f(key(op, if exchanged { PredFn::Swapped.apply(op, p) } else { p }));
    }
}

fn asks_power_of_two(rule: &Rule, k: u8) -> bool {
    let asks = |c: &Condition| match c {
        Condition::Compare(Comparison::Ne, Expr::Call(Func::Pow2, _, argument), Expr::Int(0)) => {
            **argument == Expr::Const(k)
        }
        Condition::Compare(..)
        | Condition::Zeros(..)
        | Condition::Ones(..)
        | Condition::Differs(..)
        | Condition::Quiet(_) => false,
    };
    rule.conditions.iter().any(asks)
}

/// Whether the root wants the same variable twice.
fn wants_same(rule: &Rule) -> bool {
    let kind = |k: usize| rule.args(0).get(k).map(|n| &rule.nodes[*n as usize].kind);
    matches!((kind(0), kind(1)), (Some(NodeKind::Var(x)), Some(NodeKind::Var(y))) if x == y)
}

/// The ways to exchange operands on the left side of a rule that differ from one another.
pub(super) fn exchanges(rule: &Rule) -> Vec<u32> {
    let mut all = vec![0];
    for n in 0..rule.left as NodeId {
        if is_symmetric_in_rule(rule, n) {
            let more: Vec<u32> = all.iter().map(|e| e | 1 << n).collect();
            all.extend(more);
        }
    }
    all
}

/// Whether the operands of an operation may stand in either order, and it makes a difference to the rule.
fn is_symmetric_in_rule(rule: &Rule, n: NodeId) -> bool {
    let NodeKind::Op { op, args, .. } = &rule.nodes[n as usize].kind else { return false };
    let commutes = op.effects().has(Effects::COMMUTATIVE) || op.format() == Format::Compare;
    let [a, b] = args[..] else { return false };
    let (x, y) = (&rule.nodes[a as usize].kind, &rule.nodes[b as usize].kind);
    // Constants stand second before rules are tried.
    if !commutes || matches!(y, NodeKind::Const(_)) {
        return false;
    }
    match (x, y) {
        (NodeKind::Var(x), NodeKind::Var(y)) => x != y && !(is_free(rule, *x) && is_free(rule, *y)),
        _ => true,
    }
}

/// Whether a variable stands once on the left side, and no condition speaks of it.
fn is_free(rule: &Rule, var: u8) -> bool {
    let here = rule.nodes[..rule.left].iter().filter(|n| n.kind == NodeKind::Var(var)).count();
    here == 1 && !rule.conditions.iter().any(|c| c.mentions(var))
}
