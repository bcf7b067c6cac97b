//! Random trees of operations next to `x == C`: for all values of a byte they compute the same as before. If only `x`
//! decides, only the comparison with `C` may be left, or a constant.

use super::bytes::{opcodes, operations_left, simplified};
use super::engine::run;
use super::samples::Rng;
use lir_syntax::ir::Module;
use std::fmt::Write;

const CASES: usize = 3000;

const OPS: [&str; 13] =
    ["add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "rotl", "umin", "smax", "umulh"];
const PREDICATES: [&str; 10] = ["eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge"];

/// Bodies that grow.
struct Tree<'a> {
    rng: &'a mut Rng,
    body: String,
    count: usize,
}

impl Tree<'_> {
    fn pick<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[(self.rng.next() >> 33) as usize % texts.len()]
    }
    fn constant(&mut self) -> i64 {
        (self.rng.next() >> 56) as i8 as i64
    }
    fn op(&mut self, text: &str) -> String {
        let r = format!("%t{}", self.count);
        self.count += 1;
        writeln!(self.body, "  {r} = {text}").unwrap();
        r
    }
    /// Operations on `%x` and constants, one after another. The last one with `%y`, if it may be read.
    fn chain(&mut self, reads_y: bool) -> String {
        let mut r = "%x".to_string();
        for _ in 0..1 + self.rng.next() % 2 {
            let (op, c) = (self.pick(&OPS), self.constant());
            r = self.op(&format!("{op} i8 {r}, {c}"));
        }
        let op = self.pick(&OPS);
        if reads_y { self.op(&format!("{op} i8 {r}, %y")) } else { r }
    }
    fn truth(&mut self, reads_y: bool) -> String {
        let (x, p, c) = (self.chain(reads_y), self.pick(&PREDICATES), self.constant());
        self.op(&format!("icmp {p} i8 {x}, {c}"))
    }
    fn function(&self, result: &str) -> String {
        format!("func @f(%x: i8, %y: i8) -> i8 {{\nentry:\n{}  ret {result}\n}}\n", self.body)
    }
}

/// Compares a function with its simplified form; returns the number of operations of the latter.
fn check(text: &str) -> usize {
    let ys = |x| [0, 1, 0x7f, 0x80, 0xff, x, x ^ 0x5a];
    operations_left(text, (0..256).flat_map(|x| ys(x).map(|y| vec![x, y])))
}

#[test]
fn truths_beside_an_equality() {
    let mut rng = Rng(0xE9A1_0000_0000_0001);
    for k in 0..CASES {
        let (decides, reads_y) = (k % 2 == 0, k % 3 == 0);
        let mut tree = Tree { rng: &mut rng, body: String::new(), count: 0 };
        let (op, other) = [("and", "or"), ("or", "and")][k / 2 % 2];
        let op = if decides { op } else { other };
        let (c, truth) = (tree.constant(), tree.truth(reads_y));
        let guard = tree.op(&format!("icmp {} i8 %x, {c}", if k / 2 % 2 == 0 { "eq" } else { "ne" }));
        let operands = if k % 5 < 3 { format!("{guard}, {truth}") } else { format!("{truth}, {guard}") };
        let result = tree.op(&format!("{op} i8 {operands}"));
        let text = tree.function(&result);
        let left = check(&text);
        assert!(!decides || reads_y || left <= 2, "{text}\n{left} operations are left");
    }
}

#[test]
fn arms_that_are_equal_where_the_condition_holds() {
    let mut rng = Rng(0xE9A1_0000_0000_0002);
    for k in 0..CASES {
        let mut tree = Tree { rng: &mut rng, body: String::new(), count: 0 };
        let c = tree.constant();
        let a = tree.chain(k % 4 == 0);
        // The constant that the other arm is where the condition holds, or another.
        let same = k % 4 != 1;
        let mut text = tree.function(&a);
        let value =
            run(text.parse::<Module>().unwrap().funcs.values().next().unwrap(), &[c as u8 as u64, 0]).unwrap() as i8;
        let b = tree.op(&format!("const i8 {}", if same { value } else { value.wrapping_add(1) }));
        let (p, arms) = [("eq", format!("{b}, {a}")), ("ne", format!("{a}, {b}"))][k / 4 % 2].clone();
        let guard = tree.op(&format!("icmp {p} i8 %x, {c}"));
        let result = tree.op(&format!("select i8 {guard}, {arms}"));
        let of_x = simplified(&text.parse().unwrap(), &text);
        let alone = opcodes(of_x.funcs.values().next().unwrap()).len();
        text = tree.function(&result);
        let left = check(&text);
        assert!(k % 4 < 2 || left <= alone, "{text}\n{left} operations are left, {alone} of the arm alone");
    }
}
