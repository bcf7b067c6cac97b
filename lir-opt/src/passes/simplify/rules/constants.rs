//! Expressions over matched constants, and the conditions of rules.
//!
//! A constant is read as an unsigned number; arithmetic is exact, and a result is truncated to the width of its
//! position. `s(..)` reads the low bits as a signed number. A query about a variable is a bound from known bits or
//! limits: `most(x)` is a number that x never exceeds. A condition must therefore still hold if the bound is tighter,
//! and a rule that is right for `most(x) = x` is right for all bounds; the tests of `lir-opt` rely on this.

use super::lists::{List, Ref};
use super::magic;
use super::predicates::{Combination, type_of_operands};
use crate::integers::outcomes::all_outcomes;
use crate::integers::wrapped::WrappedRange;
use lir_opcodes::semantics::{compare, float};
use lir_opcodes::{IntCC, Predicate, Promises, Type, Word};

/// The number of a type class in a rule.
pub(crate) type TypeId = u8;

/// An expression over constants.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Expr {
    Int(i128),
    /// A float literal, in the format of its position.
    Float(f64),
    /// The matched constant with this number, unsigned.
    Const(u8),
    /// The width of a type in bits.
    Width(TypeId),
    /// The least signed number of a type, as its bits.
    Least(TypeId),
    /// The greatest signed number of a type.
    Greatest(TypeId),
    /// A bound of a variable.
    Bound(Bound, u8),
    /// A function applied to a value of a type.
    Call(Func, TypeId, Ref<Expr>),
    /// 1 if an integer comparison of two values of a type holds, else 0.
    Holds(PredRef, TypeId, Ref<(Expr, Expr)>),
    /// A property of the interval of numbers for which one or two comparisons with constants hold.
    Interval(IntervalPart, TypeId, List<Side>),
    /// An operator.
    Binary(Operator, Ref<(Expr, Expr)>),
}

/// A predicate variable, or its inverse.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct PredRef {
    pub inverted: bool,
    pub var: u8,
}

/// A comparison of a number `x` with a constant: `x + added PRED constant`.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Side {
    pub pred: PredRef,
    pub constant: Expr,
    pub added: Expr,
}

/// The queried part of an interval.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum IntervalPart {
    /// Its first number.
    First,
    /// The number of integers in it; -1 if they form two intervals.
    Count,
}

/// A bound of a variable that follows from known bits and limits.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// It is at most this, unsigned.
    Most,
    /// It is at least this, unsigned.
    Least,
    /// It is at most this, signed.
    SignedMost,
    /// It is at least this, signed.
    SignedLeast,
    /// At least this many of its upper bits are equal.
    SignBits,
}

/// An operator of constant expressions.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Operator {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
}

macro_rules! functions {
    ($($name:ident $text:literal $doc:literal,)*) => {
        /// A function of constant expressions.
        #[derive(Copy, Clone, PartialEq, Eq, Debug)]
        pub(crate) enum Func { $(#[doc = $doc] $name,)* }
        impl Func {
            /// Returns the function that has this name in rules.
            #[cfg_attr(not(test), allow(dead_code, reason = "the build script reads names"))]
            pub fn from_name(name: &str) -> Option<Func> {
                match name { $($text => Some(Func::$name),)* _ => None }
            }
        }
    };
}

functions! {
    Signed "s" "The low bits read as a signed number.",
    Unsigned "u" "The low bits read as an unsigned number.",
    Log2 "log2" "The position of the highest one bit; 0 for 0.",
    Ctz "ctz_of" "The number of zero bits below the lowest one bit; the width for 0.",
    Mask "mask" "A number with this many low bits set.",
    Pow2 "pow2" "1 for a power of two, read as unsigned, else 0.",
    SwapBytes "swap_bytes" "The bytes in reverse order.",
    UdivMultiplier "udiv_multiplier" "The multiplier for an unsigned division, up to one bit wider than the type.",
    UdivShift "udiv_shift" "The shift for an unsigned division, after the high half.",
    SdivMultiplier "sdiv_multiplier" "The multiplier for a signed division by the magnitude, below 2^width.",
    SdivShift "sdiv_shift" "The shift for a signed division, after the high half.",
    Inverse "inverse" "The inverse of an odd number modulo 2^width.",
    Magnitude "magnitude" "The absolute value of the signed number.",
    FloatSign "flip_sign" "A float with its sign bit inverted.",
    FloatReciprocal "reciprocal" "1 divided by a float.",
    IsFloatPow2 "has_exact_reciprocal" "1 for a float that is a power of two with a normal reciprocal, else 0.",
    Quieted "quieted" "A NaN as arithmetic returns it.",
    IsNan "is_nan" "1 for a NaN, else 0.",
    IsInfinite "is_infinite" "1 for an infinity of either sign, else 0.",
}

/// A condition of a rule other than the shape of its left side.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Condition {
    /// A comparison, or an expression that is not 0 (`!= 0`).
    Compare(Comparison, Expr, Expr),
    /// All these bits of a variable are known to be 0.
    Zeros(u8, Expr),
    /// All these bits of a variable are known to be 1.
    Ones(u8, Expr),
    /// Two variables are known to differ in some bit, or to have disjoint limits.
    Distinct(u8, u8),
    /// The variable is not a signalling NaN.
    Quiet(u8),
    /// The operation with this name is read only once, by the rule's left side.
    Once(u8),
    /// The operation with this name has these promises. It precedes the root, so they were kept.
    Promised(Promises, u8),
    /// The combination of two predicate variables has this outcome.
    Outcomes(Outcome, Combination, u8, u8),
}

/// The outcome of a combination of predicates.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// There is a predicate for it.
    Predicate,
    /// It holds for all operands.
    Always,
    /// It holds for none.
    Never,
}

/// The comparison of two numbers.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Comparison {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// The source of a rule's values: a match, or a test.
pub(crate) trait Values {
    /// Returns the bits of a matched constant.
    fn constant(&mut self, k: u8) -> u64;
    /// Returns the type that a type class has in the match.
    fn ty(&self, t: TypeId) -> Type;
    /// Returns a bound of a variable.
    fn bound(&mut self, bound: Bound, var: u8) -> i128;
    /// Returns the bits of a variable that are known to be 0 and to be 1.
    fn known(&mut self, var: u8) -> (u64, u64);
    /// True if two variables are known to differ.
    fn are_distinct(&mut self, x: u8, y: u8) -> bool;
    /// True if a variable is known not to be a signalling NaN.
    fn is_quiet(&mut self, var: u8) -> bool;
    /// True if the operation with this name has one reader.
    fn is_read_once(&self, var: u8) -> bool;
    /// True if the operation with this name has these promises.
    fn is_promised(&mut self, promises: Promises, var: u8) -> bool;
    /// Returns a predicate variable.
    fn predicate(&self, k: u8) -> Predicate;
    /// Returns the type of a variable.
    fn type_of_var(&self, var: u8) -> Type;
}

impl Expr {
    /// Returns the exact value, or for a product that does not fit 128 bits the nearest number that does.
    pub fn number(&self, v: &mut impl Values) -> i128 {
        self.evaluate(v, i128::saturating_mul)
    }
    fn evaluate(&self, v: &mut impl Values, mul: fn(i128, i128) -> i128) -> i128 {
        match self {
            Expr::Int(n) => *n,
            Expr::Float(x) => i128::from(x.to_bits()),
            Expr::Const(k) => i128::from(v.constant(*k)),
            Expr::Width(t) => i128::from(v.ty(*t).bits()),
            Expr::Least(t) => i128::from(v.ty(*t).as_word().sign_bit()),
            Expr::Greatest(t) => i128::from(v.ty(*t).as_word().signed_max()),
            Expr::Bound(bound, var) => v.bound(*bound, *var),
            Expr::Call(func, t, argument) => {
                let n = argument.evaluate(v, mul);
                func.apply(v.ty(*t).as_word(), n)
            }
            Expr::Holds(p, t, operands) => {
                let (a, b) = (operands.0.evaluate(v, mul), operands.1.evaluate(v, mul));
                let w = v.ty(*t).as_word();
                i128::from(compare::icmp(p.cc(v), w, w.truncate(a as u64), w.truncate(b as u64)))
            }
            Expr::Interval(part, t, comparisons) => interval(*part, v.ty(*t), comparisons, v),
            Expr::Binary(Operator::Mul, operands) => mul(operands.0.evaluate(v, mul), operands.1.evaluate(v, mul)),
            Expr::Binary(op, operands) => op.apply(operands.0.evaluate(v, mul), operands.1.evaluate(v, mul)),
        }
    }
    /// Returns the bits of the value at a position of this type.
    pub fn bits(&self, ty: Type, v: &mut impl Values) -> u64 {
        match (self, ty) {
            (Expr::Float(x), Type::F32) => u64::from((*x as f32).to_bits()),
            _ => ty.as_word().truncate(self.evaluate(v, i128::wrapping_mul) as u64),
        }
    }
}

impl PredRef {
    fn cc(self, v: &impl Values) -> IntCC {
        let cc = v.predicate(self.var).as_int().expect("the rule compares integers");
        if self.inverted { cc.inverted() } else { cc }
    }
}

/// Returns a part of the interval of the numbers for which all comparisons hold.
fn interval(part: IntervalPart, ty: Type, comparisons: &[Side], v: &mut impl Values) -> i128 {
    let mut common: Option<WrappedRange> = None;
    for side in comparisons {
        let (c, added) = (side.constant.bits(ty, v), side.added.bits(ty, v));
        let this = WrappedRange::of(ty.as_word(), side.pred.cc(v), c).shifted(added.wrapping_neg());
        common = match common {
            None => Some(this),
            Some(other) => match other.intersection(this) {
                Some(both) => Some(both),
                None => return -1,
            },
        };
    }
    common.map_or(-1, |i| match part {
        IntervalPart::First => i128::from(i.start),
        IntervalPart::Count => i.len as i128,
    })
}

impl Func {
    fn apply(self, w: Word, n: i128) -> i128 {
        let bits = w.truncate(n as u64);
        match self {
            Func::Signed => i128::from(w.sign_extend(bits)),
            Func::Unsigned => i128::from(bits),
            Func::Log2 => i128::from(63 - (bits | 1).leading_zeros()),
            Func::Ctz => i128::from(bits.trailing_zeros().min(w.bits())),
            Func::Mask => (1i128 << n.clamp(0, 64)) - 1,
            Func::Pow2 => i128::from(bits.is_power_of_two()),
            Func::SwapBytes => i128::from(w.swap_bytes(bits)),
            Func::UdivMultiplier => magic::unsigned(w, bits).map_or(0, |m| m.multiplier as i128),
            Func::UdivShift => magic::unsigned(w, bits).map_or(0, |m| i128::from(m.shift)),
            Func::SdivMultiplier => magic::signed(w, bits).map_or(0, |m| m.multiplier as i128),
            Func::SdivShift => magic::signed(w, bits).map_or(0, |m| i128::from(m.shift)),
            Func::Inverse => i128::from(magic::inverse(w, bits)),
            Func::Magnitude => i128::from(w.sign_extend(bits)).abs(),
            Func::FloatSign => i128::from(bits ^ w.sign_bit()),
            Func::FloatReciprocal => i128::from(float::div(w, one(w), bits)),
            Func::IsFloatPow2 => i128::from(has_exact_reciprocal(w, bits)),
            Func::Quieted => i128::from(bits | float::quiet_bit(w)),
            Func::IsNan => i128::from(float::is_nan(w, bits)),
            Func::IsInfinite => i128::from(bits & !w.sign_bit() == float::infinity(w)),
        }
    }
}

/// Returns the bits of 1.0.
fn one(w: Word) -> u64 {
    if w.bits() == 32 { u64::from(1f32.to_bits()) } else { 1f64.to_bits() }
}

/// True for a normal power of two, of either sign, whose reciprocal is normal too. Such a number has no mantissa bit
/// set.
fn has_exact_reciprocal(w: Word, bits: u64) -> bool {
    let (mantissa, exponents) = if w.bits() == 32 { (23, 0xFF) } else { (52, 0x7FF) };
    let exponent = (bits >> mantissa) & exponents;
    // The exponent of the reciprocal is mirrored at the bias; the reciprocal of the largest power of two is subnormal.
    bits & ((1 << mantissa) - 1) == 0 && exponent != 0 && exponent < exponents - 1
}

impl Operator {
    fn apply(self, a: i128, b: i128) -> i128 {
        let amount = b.clamp(0, 127) as u32;
        match self {
            Operator::Add => a.wrapping_add(b),
            Operator::Sub => a.wrapping_sub(b),
            Operator::Mul => a.wrapping_mul(b),
            Operator::Div => a.checked_div(b).unwrap_or(0),
            Operator::Rem => a.checked_rem_euclid(b).unwrap_or(0),
            Operator::And => a & b,
            Operator::Or => a | b,
            Operator::Xor => a ^ b,
            Operator::Shl => a.wrapping_shl(amount),
            Operator::Shr => a >> amount,
        }
    }
}

impl Comparison {
    fn holds(self, a: i128, b: i128) -> bool {
        match self {
            Comparison::Eq => a == b,
            Comparison::Ne => a != b,
            Comparison::Lt => a < b,
            Comparison::Le => a <= b,
            Comparison::Gt => a > b,
            Comparison::Ge => a >= b,
        }
    }
}

impl Condition {
    /// True if the condition is known to hold.
    pub fn holds(&self, v: &mut impl Values) -> bool {
        match self {
            Condition::Compare(comparison, a, b) => comparison.holds(a.number(v), b.number(v)),
            Condition::Zeros(var, mask) => {
                let mask = mask.bits(v.type_of_var(*var), v);
                mask & !v.known(*var).0 == 0
            }
            Condition::Ones(var, mask) => {
                let mask = mask.bits(v.type_of_var(*var), v);
                mask & !v.known(*var).1 == 0
            }
            Condition::Distinct(x, y) => v.are_distinct(*x, *y),
            Condition::Quiet(var) => v.is_quiet(*var),
            Condition::Once(var) => v.is_read_once(*var),
            Condition::Promised(promises, var) => v.is_promised(*promises, *var),
            Condition::Outcomes(asked, combination, k, l) => {
                let (p, q) = (v.predicate(*k), v.predicate(*l));
                let set = combination.outcomes(p, q);
                match asked {
                    Outcome::Predicate => combination.predicate(p, q).is_some(),
                    Outcome::Always => set == all_outcomes(type_of_operands(p)),
                    Outcome::Never => set == 0,
                }
            }
        }
    }
}
