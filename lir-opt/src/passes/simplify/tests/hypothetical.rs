//! Hypothetical operations: random trees with selections and chains in other orders. For all values of a byte they
//! compute the same as before; trees that are built to have one value are removed completely.

use super::super::chains::distributes_over;
use super::bytes::operations_left;
use super::enumeration::Portion;
use super::samples::{Rng, special};
use lir_syntax::ir::{Effects, Opcode, Type};
use lir_syntax::semantics::eval;
use std::fmt::Write;

/// The number of cases of each kind that a run of the tests checks.
fn cases() -> usize {
    if Portion::of_this_run() == Portion::All { 4000 } else { 1000 }
}

const OPS: [&str; 13] = ["add", "sub", "mul", "and", "or", "xor", "and", "or", "xor", "umin", "smax", "udiv", "urem"];
const PREDICATES: [&str; 10] = ["eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge"];

/// A body that grows.
struct Tree {
    rng: Rng,
    body: String,
    values: Vec<String>,
}

impl Tree {
    fn new(seed: u64) -> Tree {
        let body = "  %c = icmp slt i8 %x, %z\n".to_string();
        Tree { rng: Rng(seed), body, values: ["%x", "%y", "%z"].map(String::from).to_vec() }
    }
    fn op(&mut self, text: &str) -> String {
        let r = format!("%t{}", self.values.len());
        writeln!(self.body, "  {r} = {text}").unwrap();
        self.values.push(r.clone());
        r
    }
    /// A value that exists.
    fn value(&mut self) -> String {
        let k = self.rng.below(self.values.len());
        self.values[k].clone()
    }
    fn value_or_constant(&mut self) -> String {
        if self.rng.below(4) == 0 { self.rng.pick(&["1", "-1", "7", "3", "-128"]).to_string() } else { self.value() }
    }
    fn operation(&mut self, ops: &[&str]) -> String {
        let (op, a, b) = (self.rng.pick(ops), self.value(), self.value_or_constant());
        let b = if op.starts_with('u') && op != "umin" { "3".to_string() } else { b };
        self.op(&format!("{op} i8 {a}, {b}"))
    }
    fn function(&self, result: &str) -> String {
        format!("func @f(%x: i8, %y: i8, %z: i8) -> i8 {{\nentry:\n{}  ret {result}\n}}\n", self.body)
    }
}

/// Compares a function with its simplified form; returns the number of operations of the latter.
fn check(text: &str) -> usize {
    let ys = |x| [0, 1, 7, 0x7f, 0x80, 0xff, x, x ^ 0xff];
    let pairs = (0..256).flat_map(|x| ys(x).map(|y| (x, y)));
    operations_left(text, pairs.flat_map(|(x, y)| [0, 0x80, x ^ 0x5a].map(|z| vec![x, y, z])))
}

#[test]
fn operations_on_selections() {
    let mut fewer = 0;
    for k in 0..cases() {
        let mut tree = Tree::new(0xA425_0000_0000_0000 + k as u64);
        for _ in 0..1 + k % 3 {
            tree.operation(&OPS);
        }
        let (a, b) = (tree.value(), tree.value());
        let s = tree.op(&format!("select i8 %c, {a}, {b}"));
        let mut root = |slot: usize| {
            let other = tree.value_or_constant();
            let operands = if slot == 0 || !other.starts_with('%') { [s.clone(), other] } else { [other, s.clone()] };
            let [a, b] = operands;
            match tree.rng.below(2) {
                0 => format!("icmp {} i8 {a}, {b}", tree.rng.pick(&PREDICATES)),
                _ => format!("{} i8 {a}, {b}", tree.rng.pick(&OPS[..11])),
            }
        };
        let root = root(k / 3 % 2);
        let of_select = tree.function(&s);
        let r = tree.op(&root);
        fewer += usize::from(check(&tree.function(&r)) <= check(&of_select));
    }
    assert!(fewer > cases() / 8, "{fewer} of {}", cases());
}

#[test]
fn operations_in_other_orders() {
    let mut fewer = 0;
    for k in 0..cases() {
        let mut tree = Tree::new(0xC4A1_0000_0000_0000 + k as u64);
        let op = tree.rng.pick(&["and", "or", "xor", "add", "mul", "umin", "smax"]);
        tree.operation(&OPS);
        let mut chain = tree.value();
        for _ in 0..2 + k % 3 {
            let (op, other) = (if tree.rng.below(5) == 0 { tree.rng.pick(&OPS[..9]) } else { op }, tree.value());
            let operands = if tree.rng.below(2) == 0 { [&chain, &other] } else { [&other, &chain] };
            chain = tree.op(&format!("{op} i8 {}, {}", operands[0], operands[1]));
        }
        let of_chain = tree.function(&chain);
        let other = tree.value();
        let r = tree.op(&format!("{op} i8 {chain}, {other}"));
        fewer += usize::from(check(&tree.function(&r)) <= check(&of_chain));
    }
    assert!(fewer > cases() / 4, "{fewer} of {}", cases());
}

/// `x`, `x` and its inverse, or `x` and a part of it, somewhere in a chain: one of them or all are removed.
#[test]
fn chains_that_are_one_of_their_values() {
    for k in 0..cases() {
        let mut tree = Tree::new(0xC4A1_5000_0000_0000 + k as u64);
        let (op, absorbs) = tree.rng.pick(&[("and", "or"), ("or", "and"), ("umin", "umax"), ("smax", "smin")]);
        let (x, kind) = (tree.value(), k % 3);
        let last = match kind {
            0 => x.clone(),
            1 => tree.op(&format!("{absorbs} i8 {x}, 5")),
            _ => tree.op(&format!("{absorbs} i8 {x}, %y")),
        };
        // One or two others before, and as many after.
        let mut chain = x;
        for _ in 0..1 + k / 3 % 2 {
            // No operand that gives more facts together with the others.
            let other = tree.operation(&["add", "mul"]);
            let operands = if tree.rng.below(2) == 0 { [&chain, &other] } else { [&other, &chain] };
            chain = tree.op(&format!("{op} i8 {}, {}", operands[0], operands[1]));
        }
        let of_chain = tree.function(&chain);
        let r = tree.op(&format!("{op} i8 {chain}, {last}"));
        let text = tree.function(&r);
        let (left, alone) = (check(&text), check(&of_chain));
        assert!(left <= alone, "{text}\n{left} operations are left, {alone} of the chain before");
    }
}

/// The flag of the table, and the distributivity of operations.
#[test]
fn the_table_marks_associative_operations() {
    let bits = |op, x, y| eval(op, Type::I8.as_word(), 0, [x, y, 0]).unwrap();
    let some: Vec<u64> = special(Type::I8);
    for &op in Opcode::ALL.iter().filter(|op| op.effects().has(Effects::ASSOCIATIVE)) {
        for x in 0..256 {
            for (y, z) in some.iter().flat_map(|y| some.iter().map(move |z| (*y, *z))) {
                assert_eq!(bits(op, x, y), bits(op, y, x), "{op:?} {x} {y}");
                assert_eq!(bits(op, bits(op, x, y), z), bits(op, x, bits(op, y, z)), "{op:?} {x} {y} {z}");
                for &within in distributes_over(op) {
                    let apart = bits(within, bits(op, x, z), bits(op, y, z));
                    assert_eq!(bits(op, bits(within, x, y), z), apart, "{op:?} over {within:?}: {x} {y} {z}");
                }
            }
        }
    }
}
