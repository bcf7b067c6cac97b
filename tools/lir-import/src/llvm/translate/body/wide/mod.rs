//! Integers of more than 64 bits, in pieces of 64 bits ("limbs"), the lowest first.
//!
//! Sums carry from limb to limb, and products are sums of products of limbs. A shift by a variable amount takes one
//! step for each bit of the amount, or a single step for two limbs. Divisions, and conversions from and to floats, are
//! calls of the C runtime, which supports 128 bits. [`intrinsics`] has the intrinsics, [`floats`] the conversions,
//! [`switch`] the `switch`.

mod floats;
mod intrinsics;
mod switch;

use super::function::{Translated, Translator};
use super::integer::INT_PREDICATES;
use crate::llvm::ast::{self, Op, Operand as Value};
use crate::llvm::translate::runtime::division;
use crate::llvm::translate::scalar::Scalar;
use crate::llvm::types::{Kind, Ty};
use lir_syntax::ir::{
    AbiParam, CallArg, CallInfo, CallResult, Comparison, Ext, InstData, IntCC, Mem, Opcode, Operand, Reg, Type,
};

const LIMB: Type = Type::I64;
const LIMB_BITS: u32 = 64;

/// The most limbs of a factor: a product takes half the square of this number of multiplications.
const MAX_FACTOR: usize = 128;

impl Translator<'_> {
    /// Returns the width of an integer type of more than one limb.
    pub(super) fn wide_bits(&self, ty: Ty) -> Option<u32> {
        match self.program.types.kind(ty) {
            Kind::Int(bits) if *bits > LIMB_BITS => Some(*bits),
            _ => None,
        }
    }

    /// Translates an instruction on integers of several limbs. Returns false for other instructions.
    pub(super) fn wide(&mut self, inst: &ast::Inst, operands: &[Value]) -> Translated<bool> {
        let Some(first) = operands.first() else { return Ok(false) };
        let Some(result) = inst.result.expand() else { return Ok(false) };
        let (from, to) = (self.wide_bits(first.ty), self.wide_bits(inst.ty));
        let values = match inst.op {
            Op::Add | Op::Sub | Op::And | Op::Or | Op::Xor | Op::Mul if let Some(bits) = from => {
                let (a, b) = (self.values(first)?, self.values(&operands[1])?);
                let limbs = self.wide_arithmetic(inst.op, &a, &b)?;
                self.cut(limbs, bits)
            }
            Op::Shl | Op::Lshr | Op::Ashr if let Some(bits) = from => {
                let (a, b) = (self.values(first)?, self.values(&operands[1])?);
                self.wide_shift(inst.op, bits, a, b[0])
            }
            Op::Udiv | Op::Urem | Op::Sdiv | Op::Srem if let Some(bits) = from => {
                let (a, b) = (self.values(first)?, self.values(&operands[1])?);
                let limbs = self.wide_division(inst.op, bits, a, b)?;
                self.cut(limbs, bits)
            }
            Op::Icmp if let Some(bits) = from => {
                let (a, b) = (self.values(first)?, self.values(&operands[1])?);
                vec![self.wide_comparison(INT_PREDICATES[inst.detail as usize], bits, a, b).into()]
            }
            Op::Zext | Op::Sext | Op::Trunc | Op::PtrToInt | Op::IntToPtr if from.is_some() || to.is_some() => {
                let values = self.values(first)?;
                self.wide_conversion(inst.op, first.ty, values, inst.ty)?
            }
            Op::Sitofp | Op::Uitofp if let Some(bits) = from => {
                let limbs = self.values(first)?;
                vec![self.wide_to_float(inst.op, bits, limbs, inst.ty)?]
            }
            Op::Fptosi | Op::Fptoui if let Some(bits) = to => {
                let limbs = self.float_to_wide(inst.op, first, bits)?;
                self.cut(limbs, bits)
            }
            _ => return Ok(false),
        };
        self.set(result, &values);
        Ok(true)
    }

    pub(super) fn limb(&mut self, op: Opcode, a: Operand, b: Operand) -> Operand {
        self.binary(op, LIMB, a, b).into()
    }

    /// Returns 1 if the comparison of two limbs holds, else 0, as a limb.
    pub(super) fn limb_test(&mut self, predicate: IntCC, a: Operand, b: Operand) -> Operand {
        let test = self.test(predicate, a, b);
        self.convert(Opcode::Zext, Type::I8, test, LIMB)
    }
    pub(super) fn test(&mut self, predicate: IntCC, a: Operand, b: Operand) -> Reg {
        let a = self.in_register(LIMB, a);
        let comparison = Comparison { ty: LIMB, predicate: predicate.into(), a: a.into(), b };
        self.define(Type::I8, InstData::compare(comparison))
    }

    /// Clears the bits above the value in the last limb.
    pub(super) fn cut(&mut self, mut limbs: Vec<Operand>, bits: u32) -> Vec<Operand> {
        if let (Some(last), rest @ 1..) = (limbs.last_mut(), bits % LIMB_BITS) {
            let value = *last;
            *last = self.binary_const(Opcode::And, LIMB, value, Scalar::int_in(LIMB, rest).mask()).into();
        }
        limbs
    }

    fn wide_arithmetic(&mut self, op: Op, a: &[Operand], b: &[Operand]) -> Translated<Vec<Operand>> {
        Ok(match op {
            Op::And | Op::Or | Op::Xor => {
                let opcode = match op {
                    Op::And => Opcode::And,
                    Op::Or => Opcode::Or,
                    _ => Opcode::Xor,
                };
                a.iter().zip(b).map(|(a, b)| self.limb(opcode, *a, *b)).collect()
            }
            Op::Mul => self.product(a, b)?,
            _ => self.sum(op == Op::Sub, a, b),
        })
    }

    /// Returns the sum or the difference, with the carry of each limb to the next.
    pub(super) fn sum(&mut self, subtract: bool, a: &[Operand], b: &[Operand]) -> Vec<Operand> {
        let opcode = if subtract { Opcode::Sub } else { Opcode::Add };
        let mut carry: Option<Operand> = None;
        let mut limbs = Vec::with_capacity(a.len());
        let count = a.len();
        for (k, (&a, &b)) in a.iter().zip(b).enumerate() {
            let whole = self.limb(opcode, a, b);
            let is_last = k + 1 == count;
            // A difference borrows if it is above the minuend; a sum carries if it is below the summand.
            let beyond = |t: &mut Self, result: Operand, of: Operand| match subtract {
                true => t.limb_test(IntCC::Ult, of, result),
                false => t.limb_test(IntCC::Ult, result, of),
            };
            let mut next = (!is_last).then(|| beyond(self, whole, a));
            let mut limb = whole;
            if let Some(carry) = carry {
                limb = self.limb(opcode, whole, carry);
                next = next.map(|first| {
                    let second = beyond(self, limb, whole);
                    self.limb(Opcode::Or, first, second)
                });
            }
            carry = next;
            limbs.push(limb);
        }
        limbs
    }

    /// Returns the low limbs of the product: each limb of `a` times all of `b`, added in its place. Limbs of 0 add
    /// nothing.
    ///
    /// The product of two limbs plus a limb of the sum so far plus a carry is below 2^128, so each carry is one limb.
    /// The high half of the last product of a row is above the result.
    pub(super) fn product(&mut self, a: &[Operand], b: &[Operand]) -> Translated<Vec<Operand>> {
        if a.len() > MAX_FACTOR {
            let bits = MAX_FACTOR * LIMB_BITS as usize;
            return self.refuse(format!("products of more than {bits} bits are not supported"));
        }
        let zero = self.constant(LIMB, 0);
        let mut result: Vec<Option<Operand>> = vec![None; a.len()];
        for (i, &x) in a.iter().enumerate().filter(|(_, x)| **x != zero) {
            let mut carry: Option<Operand> = None;
            for (k, &y) in (i..a.len()).zip(b) {
                let is_last = k + 1 == a.len();
                let factors = (y != zero).then_some((x, y));
                let mut sum = factors.map(|(x, y)| self.limb(Opcode::Mul, x, y));
                let mut next = factors.filter(|_| !is_last).map(|(x, y)| self.limb(Opcode::Umulh, x, y));
                for addend in [result[k], carry].into_iter().flatten() {
                    let Some(before) = sum.replace(addend) else { continue };
                    let limb = self.limb(Opcode::Add, before, addend);
                    sum = Some(limb);
                    if !is_last {
                        let carried = self.limb_test(IntCC::Ult, limb, addend);
                        next = Some(next.map_or(carried, |high| self.limb(Opcode::Add, high, carried)));
                    }
                }
                result[k] = sum;
                carry = next;
            }
        }
        Ok(result.into_iter().map(|limb| limb.unwrap_or(zero)).collect())
    }

    /// Shifts a number. A shift by a constant amount moves limbs and bits. A shift by a variable amount shifts by 1, 2,
    /// 4 and so on if the amount has the bit; two limbs are shifted at once.
    pub(super) fn wide_shift(&mut self, op: Op, bits: u32, a: Vec<Operand>, amount: Operand) -> Vec<Operand> {
        let a = if op == Op::Ashr { self.with_sign(a, bits) } else { a };
        let mut limbs = a;
        match self.func.constant(amount) {
            Some(n) if !amount.is_reg() => limbs = self.shifted(op, &limbs, (n as u64).min(bits as u64 - 1) as u32),
            _ if limbs.len() == 2 => limbs = self.shift_of_two(op, [limbs[0], limbs[1]], amount).to_vec(),
            _ => {
                for k in 0..bits.next_power_of_two().trailing_zeros() {
                    let moved = self.shifted(op, &limbs, 1 << k);
                    let bit = self.binary_const(Opcode::And, LIMB, amount, 1 << k);
                    for (limb, moved) in limbs.iter_mut().zip(moved) {
                        let (moved, kept) = (self.in_register(LIMB, moved), self.in_register(LIMB, *limb));
                        *limb = self.choice(LIMB, bit, moved, kept).into();
                    }
                }
            }
        }
        self.cut(limbs, bits)
    }

    /// Shifts two limbs by a variable amount. Amounts of shifts of one limb are modulo 64, so `>> 1 >> (63 - n)`
    /// extracts the bits that cross; for amounts from 64 on, one limb moves into the other.
    fn shift_of_two(&mut self, op: Op, [low, high]: [Operand; 2], amount: Operand) -> [Operand; 2] {
        let (left, back, source, other) = match op {
            Op::Shl => (Opcode::Shl, Opcode::Lshr, low, high),
            Op::Lshr => (Opcode::Lshr, Opcode::Shl, high, low),
            _ => (Opcode::Ashr, Opcode::Shl, high, low),
        };
        let toward = if op == Op::Shl { Opcode::Shl } else { Opcode::Lshr };
        let moved = self.binary(left, LIMB, source, amount);
        let rest = self.binary_const(Opcode::Xor, LIMB, amount, LIMB_BITS as u64 - 1);
        let once = self.binary_const(back, LIMB, source, 1);
        let crossing = self.binary(back, LIMB, once, rest);
        let kept = self.binary(toward, LIMB, other, amount);
        let joined = self.binary(Opcode::Or, LIMB, kept, crossing);
        let outside = match op {
            Op::Ashr => self.binary_const(Opcode::Ashr, LIMB, source, LIMB_BITS as u64 - 1),
            _ => {
                let zero = self.constant(LIMB, 0);
                self.in_register(LIMB, zero)
            }
        };
        let is_far = self.binary_const(Opcode::And, LIMB, amount, LIMB_BITS as u64);
        let source = self.choice(LIMB, is_far, outside, moved).into();
        let other = self.choice(LIMB, is_far, moved, joined).into();
        if op == Op::Shl { [source, other] } else { [other, source] }
    }

    /// Returns the limbs with copies of the sign above the value in the last one.
    pub(super) fn with_sign(&mut self, mut limbs: Vec<Operand>, bits: u32) -> Vec<Operand> {
        if let (Some(last), rest @ 1..) = (limbs.last_mut(), bits % LIMB_BITS) {
            let value = *last;
            *last = self.sign_extended(value, Scalar::int_in(LIMB, rest)).into();
        }
        limbs
    }

    pub(super) fn shifted(&mut self, op: Op, a: &[Operand], amount: u32) -> Vec<Operand> {
        let (whole, part) = ((amount / LIMB_BITS) as usize, amount % LIMB_BITS);
        let outside = match (op, a.last()) {
            (Op::Ashr, Some(top)) => self.binary_const(Opcode::Ashr, LIMB, *top, LIMB_BITS as u64 - 1).into(),
            _ => self.constant(LIMB, 0),
        };
        let at = |k: isize| usize::try_from(k).ok().and_then(|k| a.get(k)).copied().unwrap_or(outside);
        let mut limbs = Vec::with_capacity(a.len());
        for k in 0..a.len() as isize {
            let (near, far) = match op {
                Op::Shl => (at(k - whole as isize), at(k - whole as isize - 1)),
                _ => (at(k + whole as isize), at(k + whole as isize + 1)),
            };
            if part == 0 {
                limbs.push(near);
                continue;
            }
            let rest = (LIMB_BITS - part) as u64;
            let (first, second) = if op == Op::Shl { (Opcode::Shl, Opcode::Lshr) } else { (Opcode::Lshr, Opcode::Shl) };
            let near = self.binary_const(first, LIMB, near, part as u64);
            let far = self.binary_const(second, LIMB, far, rest);
            limbs.push(self.binary(Opcode::Or, LIMB, near, far).into());
        }
        limbs
    }

    /// Compares two numbers: the highest limbs that differ decide.
    pub(super) fn wide_comparison(&mut self, predicate: IntCC, bits: u32, a: Vec<Operand>, b: Vec<Operand>) -> Reg {
        if matches!(predicate, IntCC::Eq | IntCC::Ne) {
            let mut differences: Option<Operand> = None;
            for (a, b) in a.into_iter().zip(b) {
                let difference = self.limb(Opcode::Xor, a, b);
                differences = Some(match differences {
                    Some(others) => self.limb(Opcode::Or, others, difference),
                    None => difference,
                });
            }
            let zero = self.constant(LIMB, 0);
            return self.test(predicate, differences.unwrap_or(zero), zero);
        }
        let is_signed = predicate.unsigned() != predicate;
        let (a, b) = if is_signed { (self.with_sign(a, bits), self.with_sign(b, bits)) } else { (a, b) };
        let mut result: Option<Reg> = None;
        for (k, (&x, &y)) in a.iter().zip(&b).enumerate() {
            let here = if k + 1 == a.len() { predicate } else { predicate.unsigned() };
            let decided = self.test(here, x, y);
            result = Some(match result {
                None => decided,
                Some(below) => {
                    let equal = self.test(IntCC::Eq, x, y);
                    self.choice(Type::I8, equal, below, decided)
                }
            });
        }
        result.unwrap_or_else(|| {
            let no = self.constant(Type::I8, 0);
            self.in_register(Type::I8, no)
        })
    }

    fn wide_conversion(&mut self, op: Op, from: Ty, mut values: Vec<Operand>, to: Ty) -> Translated<Vec<Operand>> {
        let Some(to_bits) = self.wide_bits(to) else {
            let scalar = self.scalar_of(to)?;
            return Ok(vec![self.resized(values[0], Scalar::of(LIMB), scalar)]);
        };
        let limbs = to_bits.div_ceil(LIMB_BITS) as usize;
        match self.wide_bits(from) {
            Some(bits) if op == Op::Sext => values = self.with_sign(values, bits),
            Some(_) => {}
            None => {
                let scalar = self.scalar_of(from)?;
                let value = if op == Op::Sext { self.sign_extended(values[0], scalar).into() } else { values[0] };
                let opcode = if op == Op::Sext { Opcode::Sext } else { Opcode::Zext };
                values[0] = self.convert(opcode, scalar.ty, value, LIMB);
            }
        }
        if values.len() < limbs {
            let top = values[values.len() - 1];
            let fill = match op {
                Op::Sext => self.binary_const(Opcode::Ashr, LIMB, top, LIMB_BITS as u64 - 1).into(),
                _ => self.constant(LIMB, 0),
            };
            values.resize(limbs, fill);
        }
        values.truncate(limbs);
        Ok(self.cut(values, to_bits))
    }

    /// Divides by a call of the C runtime, which supports 128 bits.
    fn wide_division(&mut self, op: Op, bits: u32, a: Vec<Operand>, b: Vec<Operand>) -> Translated<Vec<Operand>> {
        if a.len() > 2 {
            return self.refuse("divisions of more than 128 bits are not supported");
        }
        let Some(name) = division(op) else { return self.refuse("the operation is not a division") };
        let is_signed = matches!(op, Op::Sdiv | Op::Srem);
        let (a, b) = if is_signed { (self.with_sign(a, bits), self.with_sign(b, bits)) } else { (a, b) };
        let args: Vec<Reg> = a.into_iter().chain(b).map(|limb| self.in_register(LIMB, limb)).collect();
        self.pair_call(name, &args)
    }

    /// Calls a function of the C runtime whose result is an integer of 128 bits.
    pub(super) fn pair_call(&mut self, name: &str, args: &[Reg]) -> Translated<Vec<Operand>> {
        let Some(sym) = self.symbols.library_function(name) else {
            return self.refuse(format!("the function `{name}` of the C runtime is not known"));
        };
        let Some(AbiParam::Agg(agg)) = self.decls.signature(sym).and_then(|s| s.result) else {
            return self.refuse(format!("`{name}` is declared with another signature than in the C runtime"));
        };
        let object = self.new_object(None, 16, 8);
        let result = CallResult::Agg(agg, Mem::obj(object, 0));
        let fixed = args.len() as u32;
        let args = args.iter().map(|reg| CallArg::Reg(*reg, Ext::None)).collect();
        let record = self.func.make_call(&CallInfo { result, args, fixed, variadic: false });
        self.emit(InstData::unary(Opcode::Call, Type::I64, Operand::sym(sym)).with_list(record));
        let mut limbs = Vec::new();
        for at in [0, 8] {
            let load = self.func.load(LIMB, Mem::obj(object, at));
            limbs.push(self.define(LIMB, load).into());
        }
        Ok(limbs)
    }
}
