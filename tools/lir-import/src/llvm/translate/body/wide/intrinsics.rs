//! Intrinsics on integers of several limbs.

use super::{LIMB, LIMB_BITS};
use crate::llvm::ast::{self, Op, Operand as Value};
use crate::llvm::translate::body::function::{Translated, Translator};
use crate::llvm::translate::scalar::Scalar;
use lir_syntax::ir::{IntCC, Opcode, Operand, Reg, Type};

impl Translator<'_> {
    /// Translates an intrinsic whose first argument has several limbs. Returns false for other intrinsics.
    pub(in crate::llvm::translate::body) fn wide_intrinsic(
        &mut self,
        inst: &ast::Inst,
        stem: &str,
        bits: u32,
        operands: &[Value],
    ) -> Translated<bool> {
        let result = inst.result.expand().expect("the intrinsic has a result");
        let mut args = Vec::with_capacity(operands.len());
        for operand in operands {
            args.push(self.values(operand)?);
        }
        let values = match (stem, &args[..]) {
            ("bswap" | "bitreverse", [a]) => self.wide_reversal(stem, bits, a),
            ("ctpop", [a]) => self.wide_population(a),
            ("ctlz", [a, ..]) => self.leading_zeros(bits, a),
            ("cttz", [a, ..]) => self.trailing_zeros(bits, a),
            ("abs", [a, ..]) => self.wide_absolute(bits, a),
            ("smax" | "smin" | "umax" | "umin", [a, b]) => {
                let predicate = match stem {
                    "smax" => IntCC::Sgt,
                    "smin" => IntCC::Slt,
                    "umax" => IntCC::Ugt,
                    _ => IntCC::Ult,
                };
                let first = self.wide_comparison(predicate, bits, a.clone(), b.clone());
                self.wide_choice(first, a, b)
            }
            ("scmp" | "ucmp", [a, b]) => {
                let predicates = if stem == "scmp" { [IntCC::Sgt, IntCC::Slt] } else { [IntCC::Ugt, IntCC::Ult] };
                let [above, below] = predicates.map(|p| self.wide_comparison(p, bits, a.clone(), b.clone()));
                let to = self.scalar_of(inst.ty)?;
                vec![self.order(above, below, to)]
            }
            ("fshl" | "fshr", [a, b, amount]) => self.wide_funnel_shift(stem == "fshl", bits, [a, b], amount)?,
            _ => match (stem.strip_suffix(".with.overflow"), stem.strip_suffix(".sat"), &args[..]) {
                (Some(word), _, [a, b]) => {
                    let (mut limbs, overflow) = self.wide_overflow(word, bits, a, b)?;
                    limbs.push(overflow.into());
                    limbs
                }
                (_, Some(word @ ("sadd" | "uadd" | "ssub" | "usub" | "sshl" | "ushl")), [a, b]) => {
                    self.wide_saturating(word, bits, a, b)?
                }
                _ => return Ok(false),
            },
        };
        self.set(result, &values);
        Ok(true)
    }

    /// Inserts `condition ? a : b`, limb by limb.
    fn wide_choice(&mut self, condition: Reg, a: &[Operand], b: &[Operand]) -> Vec<Operand> {
        let mut limbs = Vec::with_capacity(a.len());
        for (a, b) in a.iter().zip(b) {
            let (a, b) = (self.in_register(LIMB, *a), self.in_register(LIMB, *b));
            limbs.push(self.choice(LIMB, condition, a, b).into());
        }
        limbs
    }

    fn zeros(&mut self, count: usize) -> Vec<Operand> {
        vec![self.constant(LIMB, 0); count]
    }

    /// Returns a number of one limb, extended by zeros to a number of limbs.
    fn small(&mut self, value: Operand, count: usize) -> Vec<Operand> {
        let mut limbs = self.zeros(count);
        limbs[0] = value;
        limbs
    }

    /// Returns the reversal of bits or bytes: the limbs in reverse order, each reversed, and shifted down to the width.
    fn wide_reversal(&mut self, stem: &str, bits: u32, a: &[Operand]) -> Vec<Operand> {
        let mut limbs = Vec::with_capacity(a.len());
        for limb in a.iter().rev() {
            limbs.push(match stem {
                "bswap" => self.unary(Opcode::Bswap, LIMB, *limb).into(),
                _ => self.bit_reverse(Scalar::of(LIMB), *limb),
            });
        }
        let unused = a.len() as u32 * LIMB_BITS - bits;
        self.shifted(Op::Lshr, &limbs, unused)
    }

    fn wide_population(&mut self, a: &[Operand]) -> Vec<Operand> {
        let mut sum: Option<Operand> = None;
        for limb in a {
            let ones = self.unary(Opcode::Popcnt, LIMB, *limb).into();
            sum = Some(match sum {
                Some(others) => self.limb(Opcode::Add, others, ones),
                None => ones,
            });
        }
        let sum = sum.unwrap_or(Operand::NONE);
        self.small(sum, a.len())
    }

    /// Returns the number of leading zeros: of the highest limb that is not 0, plus 64 for each limb above it.
    fn leading_zeros(&mut self, bits: u32, a: &[Operand]) -> Vec<Operand> {
        let unused = a.len() as u32 * LIMB_BITS - bits;
        let in_register = self.zeros_from(Opcode::Clz, &a.iter().rev().copied().collect::<Vec<_>>());
        let count = self.binary_const(Opcode::Sub, LIMB, in_register, unused as u64).into();
        self.small(count, a.len())
    }

    /// Returns the number of trailing zeros, at most the width.
    fn trailing_zeros(&mut self, bits: u32, a: &[Operand]) -> Vec<Operand> {
        let in_register = self.zeros_from(Opcode::Ctz, a);
        let count = self.binary_const(Opcode::Umin, LIMB, in_register, bits as u64).into();
        self.small(count, a.len())
    }

    /// Returns the number of zeros of limbs, in this order, up to the first set bit.
    fn zeros_from(&mut self, opcode: Opcode, limbs: &[Operand]) -> Reg {
        let mut count: Option<Reg> = None;
        for limb in limbs.iter().rev() {
            let here = self.unary(opcode, LIMB, *limb);
            count = Some(match count {
                None => here,
                Some(others) => {
                    let more = self.binary_const(Opcode::Add, LIMB, others, LIMB_BITS as u64);
                    let zero = self.constant(LIMB, 0);
                    let is_zero = self.test(IntCC::Eq, *limb, zero);
                    self.choice(LIMB, is_zero, more, here)
                }
            });
        }
        let zero = self.constant(LIMB, 0);
        count.unwrap_or_else(|| self.in_register(LIMB, zero))
    }

    fn is_negative(&mut self, bits: u32, a: &[Operand]) -> Reg {
        let a = self.with_sign(a.to_vec(), bits);
        let zero = self.constant(LIMB, 0);
        self.test(IntCC::Slt, a[a.len() - 1], zero)
    }

    fn wide_absolute(&mut self, bits: u32, a: &[Operand]) -> Vec<Operand> {
        let zeros = self.zeros(a.len());
        let negated = self.sum(true, &zeros, a);
        let negated = self.cut(negated, bits);
        let negative = self.is_negative(bits, a);
        self.wide_choice(negative, &negated, a)
    }

    /// Makes a funnel shift. As for one limb, the part that is shifted by the rest of the width is first shifted by
    /// one.
    fn wide_funnel_shift(
        &mut self,
        left: bool,
        bits: u32,
        [a, b]: [&[Operand]; 2],
        amount: &[Operand],
    ) -> Translated<Vec<Operand>> {
        let low = amount[0];
        let known = self.func.constant(low).filter(|_| !low.is_reg());
        let (amount, rest) = match known {
            Some(n) => {
                let n = n as u64 % bits as u64;
                (self.constant(LIMB, n), self.constant(LIMB, bits as u64 - 1 - n))
            }
            None if bits.is_power_of_two() => {
                let amount = self.binary_const(Opcode::And, LIMB, low, bits as u64 - 1);
                (amount.into(), self.binary_const(Opcode::Xor, LIMB, amount, bits as u64 - 1).into())
            }
            None => return self.refuse("funnel shifts of this width by variable amounts are not supported"),
        };
        let (moved, other) = if left { (a, b) } else { (b, a) };
        let (toward, back) = if left { (Op::Shl, Op::Lshr) } else { (Op::Lshr, Op::Shl) };
        let one = self.constant(LIMB, 1);
        let moved = self.wide_shift(toward, bits, moved.to_vec(), amount);
        let once = self.wide_shift(back, bits, other.to_vec(), one);
        let crossing = self.wide_shift(back, bits, once, rest);
        Ok(moved.into_iter().zip(crossing).map(|(x, y)| self.limb(Opcode::Or, x, y)).collect())
    }

    /// Returns the result of `sadd`, `umul` and the like modulo the width, and 1 if it differs from the exact result,
    /// which is computed with more limbs.
    fn wide_overflow(
        &mut self,
        word: &str,
        bits: u32,
        a: &[Operand],
        b: &[Operand],
    ) -> Translated<(Vec<Operand>, Reg)> {
        let signed = word.starts_with('s');
        let count = if word.ends_with("mul") { 2 * a.len() } else { a.len() + 1 };
        let (x, y) = (self.extended(signed, bits, a, count), self.extended(signed, bits, b, count));
        let exact = match &word[1..] {
            "add" => self.sum(false, &x, &y),
            "sub" => self.sum(true, &x, &y),
            _ => self.product(&x, &y)?,
        };
        let limbs = self.cut(exact[..a.len()].to_vec(), bits);
        let again = self.extended(signed, bits, &limbs, count);
        let overflow = self.wide_comparison(IntCC::Ne, count as u32 * LIMB_BITS, exact, again);
        Ok((limbs, overflow))
    }

    /// Returns a value extended to more limbs.
    fn extended(&mut self, signed: bool, bits: u32, a: &[Operand], count: usize) -> Vec<Operand> {
        let mut limbs = a.to_vec();
        let fill = match signed {
            true => {
                limbs = self.with_sign(limbs, bits);
                self.binary_const(Opcode::Ashr, LIMB, limbs[limbs.len() - 1], LIMB_BITS as u64 - 1).into()
            }
            false => self.constant(LIMB, 0),
        };
        limbs.resize(count, fill);
        limbs
    }

    /// Returns the exact result, or the bound that it exceeds.
    fn wide_saturating(&mut self, word: &str, bits: u32, a: &[Operand], b: &[Operand]) -> Translated<Vec<Operand>> {
        let signed = word.starts_with('s');
        let (value, overflow) = match &word[1..] {
            "shl" => {
                let value = self.wide_shift(Op::Shl, bits, a.to_vec(), b[0]);
                let back = if signed { Op::Ashr } else { Op::Lshr };
                let back = self.wide_shift(back, bits, value.clone(), b[0]);
                let overflow = self.wide_comparison(IntCC::Ne, bits, back, a.to_vec());
                (value, overflow)
            }
            _ => self.wide_overflow(word, bits, a, b)?,
        };
        let mut bound = Vec::with_capacity(a.len());
        match signed {
            // The greatest number, inverted if the first operand is negative: the exact result has its sign.
            true => {
                let top = self.with_sign(a.to_vec(), bits)[a.len() - 1];
                let sign = self.binary_const(Opcode::Ashr, LIMB, top, LIMB_BITS as u64 - 1);
                let highest = 1 << (bits - 1 - (a.len() as u32 - 1) * LIMB_BITS);
                for k in 0..a.len() {
                    let most: u64 = if k + 1 == a.len() { highest - 1 } else { u64::MAX };
                    bound.push(self.binary_const(Opcode::Xor, LIMB, sign, most).into());
                }
            }
            false => bound = vec![self.constant(LIMB, if word == "usub" { 0 } else { u64::MAX }); a.len()],
        }
        let bound = self.cut(bound, bits);
        debug_assert_eq!(self.func.type_of(overflow), Type::I8);
        Ok(self.wide_choice(overflow, &bound, &value))
    }
}
