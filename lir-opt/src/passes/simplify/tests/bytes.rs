//! Byte swaps written in random forms: each byte by a random term, the terms joined in a random order and association.
//!
//! A right one must become a `bswap` and nothing else. All others, including one with a flaw, must compute the same as
//! before.

use super::engine::run;
use super::samples::Rng;
use crate::{Pipeline, RunOptions, optimize_verified};
use lir_syntax::ir::{Function, Module, Opcode, Type};
use std::fmt::Write;

const CASES: usize = 1500;

/// The flaw of a tree.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Flaw {
    None,
    /// A byte of the source is at the position of another one.
    WrongByte,
    /// No byte at one position.
    Missing,
    /// A shift by one bit less.
    OddShift,
    /// A mask without one of its bits.
    Mask,
    /// Two bytes are put at one position.
    Twice,
}

const FLAWS: [Flaw; 5] = [Flaw::WrongByte, Flaw::Missing, Flaw::OddShift, Flaw::Mask, Flaw::Twice];

/// A body that grows.
struct Tree<'a> {
    rng: &'a mut Rng,
    ty: Type,
    body: String,
    count: usize,
}

impl Tree<'_> {
    fn below(&mut self, n: u64) -> u64 {
        (self.rng.next() >> 33) % n
    }
    /// Writes an operation; its register.
    fn op(&mut self, op: &str, ty: Type, operands: &str) -> String {
        let r = format!("%t{}", self.count);
        self.count += 1;
        writeln!(self.body, "  {r} = {op} {ty} {operands}").unwrap();
        r
    }
    fn masked(&mut self, a: &str, mask: u64) -> String {
        let w = self.ty.as_word();
        let mask = w.sign_extend(w.truncate(mask));
        self.op("and", self.ty, &format!("{a}, {mask}"))
    }
    /// `a` shifted to the left by `n` bits, to the right if that is negative, rotated if `around` is set.
    fn moved(&mut self, a: &str, n: i64, around: bool) -> String {
        let width = i64::from(self.ty.bits());
        match (n, around) {
            (_, true) if self.below(2) == 0 => self.op("rotl", self.ty, &format!("{a}, {}", n.rem_euclid(width))),
            (_, true) => self.op("rotr", self.ty, &format!("{a}, {}", (-n).rem_euclid(width))),
            (0, _) => a.to_string(),
            (1.., _) => self.op("shl", self.ty, &format!("{a}, {n}")),
            (..0, _) => {
                let op = if self.below(3) == 0 { "ashr" } else { "lshr" };
                self.op(op, self.ty, &format!("{a}, {}", -n))
            }
        }
    }
    /// Byte `from` of `%x` at position `to`, in one of the forms in which that is written.
    fn byte(&mut self, from: u32, to: u32, flaw: Flaw) -> String {
        let by = 8 * (i64::from(to) - i64::from(from)) - i64::from(flaw == Flaw::OddShift);
        let broken = if flaw == Flaw::Mask { 0xBF } else { 0xFF };
        let bits = i64::from(self.ty.bits());
        match self.below(5) {
            // Mask, then shift; the other way round; and with a rotation.
            0 => {
                let a = self.masked("%x", broken << (8 * from));
                if by < 0 { self.op("lshr", self.ty, &format!("{a}, {}", -by)) } else { self.moved(&a, by, false) }
            }
            1 => {
                let a = self.moved("%x", by, false);
                self.masked(&a, broken << (8 * to))
            }
            2 => {
                let a = self.moved("%x", by, true);
                self.masked(&a, broken << (8 * to))
            }
            // The other bytes are shifted out.
            3 if flaw == Flaw::None => {
                let a = self.moved("%x", bits - 8 - 8 * i64::from(from), false);
                if to == bits as u32 / 8 - 1 {
                    return a;
                }
                let a = self.op("lshr", self.ty, &format!("{a}, {}", bits - 8));
                self.moved(&a, 8 * i64::from(to), false)
            }
            // As a byte.
            _ => {
                let a = self.moved("%x", i64::from(flaw == Flaw::OddShift) - 8 * i64::from(from), false);
                let byte = self.op("trunc", self.ty, &format!("{a} to i8"));
                let byte = if flaw == Flaw::Mask { self.op("and", Type::I8, &format!("{byte}, 63")) } else { byte };
                let wide = self.op("zext", Type::I8, &format!("{byte} to {}", self.ty));
                self.moved(&wide, 8 * i64::from(to), false)
            }
        }
    }
    /// Terms in a random order and association.
    fn joined(&mut self, mut terms: Vec<String>) -> String {
        while terms.len() > 1 {
            let a = terms.swap_remove(self.below(terms.len() as u64) as usize);
            let b = terms.swap_remove(self.below(terms.len() as u64) as usize);
            let op = ["or", "xor", "add"][self.below(3) as usize];
            let joined = self.op(op, self.ty, &format!("{a}, {b}"));
            terms.push(joined);
        }
        terms.remove(0)
    }
}

/// A function that swaps the bytes of its parameter, except for the flaw.
fn swap(ty: Type, flaw: Flaw, rng: &mut Rng) -> String {
    let mut tree = Tree { rng, ty, body: String::new(), count: 0 };
    let n = ty.bits() / 8;
    let victim = tree.below(u64::from(n)) as u32;
    let mut terms = Vec::new();
    for to in 0..n {
        let flaw_here = if to == victim { flaw } else { Flaw::None };
        let from = n - 1 - to;
        match flaw_here {
            Flaw::Missing => {}
            Flaw::WrongByte => terms.push(tree.byte((from + 1) % n, to, Flaw::None)),
            Flaw::Twice => {
                terms.push(tree.byte(from, to, Flaw::None));
                terms.push(tree.byte((from + 1) % n, to, Flaw::None));
            }
            Flaw::None | Flaw::OddShift | Flaw::Mask => terms.push(tree.byte(from, to, flaw_here)),
        }
    }
    let result = tree.joined(terms);
    format!("func @f(%x: {ty}) -> {ty} {{\nentry:\n{}  ret {result}\n}}\n", tree.body)
}

pub fn simplified(module: &Module, text: &str) -> Module {
    let mut after = module.clone();
    optimize_verified(&mut after, &Pipeline::parse("simplify").unwrap(), &RunOptions::default())
        .unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    after
}

/// Compares a function with its simplified form, for these arguments. Returns the number of operations of the latter.
pub fn operations_left(text: &str, arguments: impl Iterator<Item = Vec<u64>>) -> usize {
    let before: Module = text.parse().unwrap();
    let after = simplified(&before, text);
    let (f, g) = (before.funcs.values().next().unwrap(), after.funcs.values().next().unwrap());
    for args in arguments {
        assert_eq!(run(f, &args), run(g, &args), "{text}\n{g:?}\nof {args:x?}");
    }
    opcodes(g).len()
}

pub fn opcodes(f: &Function) -> Vec<Opcode> {
    f.layout().blocks().flat_map(|b| f.layout().insts(b)).map(|i| f.inst(i).op).collect()
}

/// Compares a function with its simplified form; returns the operations of the latter.
fn check(ty: Type, text: &str, rng: &mut Rng) -> Vec<Opcode> {
    let before: Module = text.parse().unwrap();
    let after = simplified(&before, text);
    let (f, g) = (before.funcs.values().next().unwrap(), after.funcs.values().next().unwrap());
    for x in [0x8182_8384_8586_8788, 0x0102_0304_0506_0708, u64::MAX].into_iter().chain((0..6).map(|_| rng.next())) {
        let x = ty.as_word().truncate(x);
        assert_eq!(run(f, &[x]).unwrap(), run(g, &[x]).unwrap(), "{text}\n{g:?}\nof {x:x}");
    }
    opcodes(g)
}

#[test]
fn swaps_in_every_association() {
    let mut rng = Rng(0xB5A9_0000_0000_0001);
    for k in 0..CASES {
        let ty = [Type::I16, Type::I32, Type::I64][k % 3];
        let text = swap(ty, Flaw::None, &mut rng);
        assert_eq!(check(ty, &text, &mut rng), [Opcode::Bswap, Opcode::Ret], "{text}");
    }
}

#[test]
fn broken_swaps_keep_their_meaning() {
    let mut rng = Rng(0xB5A9_0000_0000_0002);
    for k in 0..CASES {
        let ty = [Type::I16, Type::I32, Type::I64][k % 3];
        let flaw = FLAWS[k / 3 % FLAWS.len()];
        let text = swap(ty, flaw, &mut rng);
        assert_ne!(check(ty, &text, &mut rng), [Opcode::Bswap, Opcode::Ret], "{flaw:?}\n{text}");
    }
}
