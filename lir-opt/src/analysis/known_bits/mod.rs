//! Known bits: the bits of an integer register that are always 0 or always 1, the number of equal upper bits, and its
//! [`limits`].
//!
//! They are computed on demand, for each register. The bits of a register follow from its operands, which are examined
//! before it, down to a depth of [`MAX_DEPTH`] and across phis of at most [`MAX_ENTRIES`] entries; deeper operands, and
//! registers that are reached again around a loop, count as unknown. Every answer is kept, so that many queries cost
//! little more than one pass over the registers involved; no recursion. An answer remains right while registers keep
//! their values, whatever instructions compute them.
//!
//! H. S. Warren, "Hacker's Delight", 2nd ed. 2013, section 2-18, and J. Regehr, U. Duongsaad, "Deriving Abstract
//! Transfer Functions for Analyzing Embedded Software", LCTES 2006, for the bits of sums.

use crate::integers::range::Range;
pub use limits::Limits;
use lir_syntax::ir::{
    Format, Function, Inst, InstData, Opcode, Operand, Reg, ResultRule, SecondaryMap, Type, ValuePromises, Word,
};
use lir_syntax::semantics;

mod limits;

/// Depth to which operands of operands are examined.
pub const MAX_DEPTH: u32 = 12;
/// Phis with more entries are unknown.
pub(crate) const MAX_ENTRIES: usize = 8;

/// The known bits of an integer value of some type. Bits above the width of the type are in neither mask.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Bits {
    /// The bits that are 0.
    pub zeros: u64,
    /// The bits that are 1.
    pub ones: u64,
    /// At least this many upper bits are equal; 1 or more.
    pub sign_bits: u32,
}

impl Bits {
    /// Nothing known.
    pub const UNKNOWN: Bits = Bits { zeros: 0, ones: 0, sign_bits: 1 };

    /// Returns a constant.
    pub fn constant(w: Word, bits: u64) -> Bits {
        let bits = w.truncate(bits);
        Bits::new(w, !bits, bits, 1)
    }
    /// Returns the known bits of `ashr(x, shift) & and | or`.
    #[cfg(test)]
    pub(crate) fn of_masks(w: Word, shift: u32, and: u64, or: u64) -> Bits {
        let shifted = Bits::new(w, 0, 0, 1 + shift);
        binary(
            Opcode::Or,
            w,
            binary(Opcode::And, w, shifted, Bits::constant(w, and), None),
            Bits::constant(w, or),
            None,
        )
    }
    /// These bits and sign bits, each completed by the other.
    fn new(w: Word, zeros: u64, ones: u64, sign_bits: u32) -> Bits {
        let (mut zeros, mut ones) = (zeros & w.mask(), ones & w.mask());
        let sign_bits = sign_bits.clamp(1, w.bits());
        let (sign, equal) = (w.sign_bit(), w.high_mask(sign_bits));
        if zeros & sign != 0 {
            zeros |= equal;
        } else if ones & sign != 0 {
            ones |= equal;
        }
        Bits { zeros, ones, sign_bits: sign_bits.max(w.leading_ones(zeros)).max(w.leading_ones(ones)) }
    }
    /// At most this, unsigned.
    pub fn most(self, w: Word) -> u64 {
        w.mask() & !self.zeros
    }
    /// At least this, unsigned.
    pub fn least(self) -> u64 {
        self.ones
    }
    /// At most this, signed.
    pub(crate) fn signed_most(self, w: Word) -> i64 {
        let sign = w.sign_bit();
        let most = if self.ones & sign != 0 { self.most(w) } else { self.most(w) & !sign };
        w.sign_extend(most).min(self.narrowest(w).signed_max())
    }
    /// At least this, signed.
    pub(crate) fn signed_least(self, w: Word) -> i64 {
        let sign = w.sign_bit();
        let least = if self.zeros & sign != 0 { self.ones } else { self.ones | sign };
        w.sign_extend(least).max(self.narrowest(w).signed_min())
    }
    /// Returns the narrowest width from which the value can be sign-extended.
    fn narrowest(self, w: Word) -> Word {
        Word::new(w.bits() - self.sign_bits + 1)
    }
    /// Returns the known bits of a value that is one of the two.
    fn join(self, other: Bits) -> Bits {
        Bits {
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
            sign_bits: self.sign_bits.min(other.sign_bits),
        }
    }
    /// At most `most`, and nothing else.
    fn below(w: Word, most: u64) -> Bits {
        let zeros = if most == 0 { u64::MAX } else { !(u64::MAX >> most.leading_zeros()) };
        Bits::new(w, zeros, 0, 1)
    }
    fn is_nonnegative(self, w: Word) -> bool {
        self.zeros & w.sign_bit() != 0
    }
    fn trailing_zeros(self, w: Word) -> u32 {
        self.zeros.trailing_ones().min(w.bits())
    }
}

/// The facts about a register.
#[derive(Copy, Clone)]
struct Known {
    bits: Bits,
    limits: Limits,
}

impl Known {
    fn of_bits(w: Word, bits: Bits) -> Known {
        Known { bits, limits: Limits::of_bits(w, bits) }
    }
    /// Adds the bits implied by the limits of a result.
    fn new(w: Word, bits: Bits, limits: Limits) -> Known {
        Known { bits: limits.bits(w, bits), limits }
    }
    /// Returns the facts about a register that no instruction assigns.
    #[inline]
    fn of_param(f: &Function, r: Reg) -> Known {
        let w = f.type_of(r).as_word();
        let promises = f.param_promises(r);
        if promises.is_empty() { Known::of_bits(w, Bits::UNKNOWN) } else { Known::promised(w, &promises) }
    }
    /// Returns the facts that promises about a value imply.
    #[cold]
    fn promised(w: Word, promises: &ValuePromises) -> Known {
        let bits = Bits::new(w, w.low_mask(promises.align_log2.into()), 0, 1);
        let (lo, hi) = promises.signed_limits(w);
        let unsigned = Some(promises.unsigned_limits(w));
        Known::new(w, bits, Limits::of_bits(w, bits).narrowed(w, unsigned, Some(Range { lo, hi })))
    }
    /// Returns the facts about a value that is one of the two.
    fn join(self, other: Known) -> Known {
        Known { bits: self.bits.join(other.bits), limits: self.limits.join(other.limits) }
    }
}

/// The answers about one function.
#[derive(Default)]
pub(crate) struct KnownBits {
    /// 0: not computed yet. 1: being computed; else 2 more than the index of the answer.
    state: SecondaryMap<Reg, u32>,
    answers: Vec<Known>,
    /// Registers that are being examined, with their depth, and whether their operands were.
    path: Vec<(Reg, u32, bool)>,
}

const BEING_LOOKED_AT: u32 = 1;

impl KnownBits {
    /// Forgets everything, for another function.
    pub fn reset(&mut self) {
        self.state.reset(0);
        self.answers.clear();
    }
    /// Forgets the answer about a register, for another instruction computes it now. Answers that followed from it
    /// stay: they are right, if less precise than they could be.
    pub fn forget(&mut self, r: Reg) {
        self.state[r] = 0;
    }
    /// The bits of an operand of type `ty`. Nothing is known about a register that holds a float. `def` returns the
    /// instruction that assigns a register, none for parameters.
    pub fn of(&mut self, f: &Function, def: impl Fn(Reg) -> Option<Inst>, o: Operand, ty: Type) -> Bits {
        self.known(f, def, o, ty).bits
    }
    /// The limits of such an operand.
    pub fn limits(&mut self, f: &Function, def: impl Fn(Reg) -> Option<Inst>, o: Operand, ty: Type) -> Limits {
        self.known(f, def, o, ty).limits
    }
    fn known(&mut self, f: &Function, def: impl Fn(Reg) -> Option<Inst>, o: Operand, ty: Type) -> Known {
        let w = ty.as_word();
        let r = match o.as_reg() {
            Some(r) if !ty.is_float() => r,
            _ => return self.operand(f, o, w),
        };
        if let Some(known) = self.answer(r) {
            return known;
        }
        self.path.push((r, 0, false));
        while let Some((r, depth, expanded)) = self.path.last_mut() {
            let (r, depth) = (*r, *depth);
            if std::mem::replace(expanded, true) || self.answer(r).is_some() {
                self.path.pop();
                if self.answer(r).is_none() {
                    let of_param = || Known::of_param(f, r);
                    let known = def(r).map_or_else(of_param, |i| self.transfer(f, &def, i, r));
                    self.answers.push(known);
                    self.state[r] = self.answers.len() as u32 + 1;
                }
            } else if let Some(i) = def(r).filter(|i| depth < MAX_DEPTH && looks_through(f, *i)) {
                self.state[r] = BEING_LOOKED_AT;
                f.for_each_use(i, |u| {
                    if f.type_of(u).is_int() && *self.state.get(u) == 0 {
                        self.path.push((u, depth + 1, false));
                    }
                });
            }
        }
        self.operand(f, o, w)
    }
    fn answer(&self, r: Reg) -> Option<Known> {
        let state = *self.state.get(r);
        (state > BEING_LOOKED_AT).then(|| self.answers[state as usize - 2])
    }
    /// Returns the facts about an operand that was examined. There are none about others.
    fn operand(&self, f: &Function, o: Operand, w: Word) -> Known {
        let bits = match o.as_reg() {
            Some(r) => match self.answer(r) {
                Some(known) => return known,
                None => Bits::UNKNOWN,
            },
            None => f.constant(o).map_or(Bits::UNKNOWN, |k| Bits::constant(w, k as u64)),
        };
        Known::of_bits(w, bits)
    }
    /// Returns the facts about `r`, which `i` assigns, from the facts about the operands.
    fn transfer(&self, f: &Function, def: impl Fn(Reg) -> Option<Inst>, i: Inst, r: Reg) -> Known {
        let d = f.inst(i);
        let ty = f.type_of(r);
        let w = ty.as_word();
        let from_bits = |bits| Known::of_bits(w, bits);
        match d.op.format() {
            Format::Const => self.operand(f, d.first(), w),
            Format::Phi if f.phi_entries(i).len() <= MAX_ENTRIES => {
                // An entry that is the phi itself brings nothing new.
                let entries = f.phi_entries(i).filter(|(_, o)| o.as_reg() != Some(r));
                let known = entries.map(|(_, o)| self.operand(f, o, w)).reduce(Known::join);
                known.unwrap_or(from_bits(Bits::UNKNOWN))
            }
            Format::Select => {
                let (b, c) = f.operands_bc(i);
                self.operand(f, b, w).join(self.operand(f, c, w))
            }
            Format::Unary | Format::Convert if d.ty.is_int() && ty.is_int() => {
                let from = d.ty.as_word();
                let a = self.operand(f, d.first(), from);
                let bits = match d.op.format() {
                    Format::Unary => unary(d.op, w, a.bits),
                    _ => conversion(d.op, from, w, a.bits),
                };
                Known::new(w, bits, limits::unary(d.op, from, w, a.limits, bits))
            }
            Format::Compare => from_bits(Bits::below(w, 1)),
            Format::Binary if d.op.info().result == ResultRule::Truth => from_bits(Bits::below(w, 1)),
            Format::Binary if ty.is_int() => self.of_binary(f, def, d, w),
            Format::Load | Format::Call if f.has_value_promises(i) => Known::promised(w, &f.value_promises(i)),
            _ => from_bits(Bits::UNKNOWN),
        }
    }
    /// Returns the facts about an operation of two integers.
    fn of_binary(&self, f: &Function, def: impl Fn(Reg) -> Option<Inst>, d: &InstData, w: Word) -> Known {
        let amount = f.constant(d.second()).map(|k| w.shift_amount(k as u64));
        let (a, b) = (self.operand(f, d.first(), w), self.operand(f, d.second(), w));
        if let Some(known) = shifted_constant(d.op, w, a.bits, b.bits) {
            return known;
        }
        let bits = binary(d.op, w, a.bits, b.bits, amount);
        let bits = match d.op {
            // If it does not trap.
            Opcode::Udiv | Opcode::Sdiv if d.first() == d.second() => Bits::constant(w, 1),
            Opcode::Urem | Opcode::Srem if d.first() == d.second() => Bits::constant(w, 0),
            // One of two numbers that are an odd number apart is even, the other odd.
            Opcode::And if self.is_odd_apart(f, &def, d) => Bits::new(w, bits.zeros | 1, bits.ones, bits.sign_bits),
            Opcode::Or | Opcode::Xor if self.is_odd_apart(f, &def, d) => {
                Bits::new(w, bits.zeros, bits.ones | 1, bits.sign_bits)
            }
            // No square is 2 or 3 modulo 4.
            Opcode::Mul if d.first() == d.second() => Bits::new(w, bits.zeros | 2, bits.ones, bits.sign_bits),
            _ => bits,
        };
        Known::new(w, bits, limits::binary(d.op, w, a.limits, b.limits, bits))
    }
    /// True if an operand is assigned by adding an odd constant to the other one.
    fn is_odd_apart(&self, f: &Function, def: impl Fn(Reg) -> Option<Inst>, d: &InstData) -> bool {
        [(d.first(), d.second()), (d.second(), d.first())].into_iter().any(|(near, far)| {
            let sum = far.as_reg().and_then(&def).map(|i| f.inst(i)).filter(|d| d.op == Opcode::Add);
            sum.is_some_and(|sum| sum.first() == near && f.constant(sum.second()).is_some_and(|k| k & 1 != 0))
        })
    }
}

/// True if this analysis derives the bits of a result from the bits of the operands.
fn looks_through(f: &Function, i: Inst) -> bool {
    let d = f.inst(i);
    match d.op.format() {
        Format::Unary | Format::Binary | Format::Select => d.ty.is_int(),
        Format::Convert => d.ty.is_int() && d.to_type().is_int(),
        Format::Phi => f.phi_entries(i).len() <= MAX_ENTRIES,
        _ => false,
    }
}

// Nothing is known about an operation that is not listed below, which is always right. Rules of `simplify` query the
// operations listed in its `may_know`.

fn unary(op: Opcode, w: Word, a: Bits) -> Bits {
    match op {
        Opcode::Copy => a,
        Opcode::Not => Bits { zeros: a.ones, ones: a.zeros, sign_bits: a.sign_bits },
        Opcode::Neg => difference(w, Bits::constant(w, 0), a),
        Opcode::Bswap => Bits::new(w, w.swap_bytes(a.zeros), w.swap_bytes(a.ones), 1),
        Opcode::Clz | Opcode::Ctz | Opcode::Popcnt => Bits::below(w, u64::from(w.bits())),
        _ => Bits::UNKNOWN,
    }
}

fn conversion(op: Opcode, from: Word, to: Word, a: Bits) -> Bits {
    let wider = to.bits().saturating_sub(from.bits());
    match op {
        Opcode::Zext => Bits::new(to, a.zeros | !from.mask(), a.ones, 1),
        Opcode::Sext => {
            let extend = |mask: u64| from.sign_extend(mask) as u64;
            Bits::new(to, extend(a.zeros), extend(a.ones), a.sign_bits + wider)
        }
        Opcode::Trunc => {
            let lost = from.bits() - to.bits();
            Bits::new(to, a.zeros, a.ones, a.sign_bits.saturating_sub(lost))
        }
        _ => Bits::UNKNOWN,
    }
}

/// Returns the bits of `a + b + carry`: known if the operands and the carry into them are known.
fn sum(w: Word, a: Bits, b: Bits, carry: u64) -> Bits {
    let most = (!a.zeros).wrapping_add(!b.zeros).wrapping_add(carry);
    let least = a.ones.wrapping_add(b.ones).wrapping_add(carry);
    let no_carry = !(most ^ a.zeros ^ b.zeros);
    let carries = least ^ a.ones ^ b.ones;
    let known = (a.zeros | a.ones) & (b.zeros | b.ones) & (no_carry | carries);
    Bits::new(w, !most & known, least & known, a.sign_bits.min(b.sign_bits) - 1)
}

fn difference(w: Word, a: Bits, b: Bits) -> Bits {
    let not_b = Bits { zeros: b.ones, ones: b.zeros, sign_bits: b.sign_bits };
    let bits = sum(w, a, not_b, 1);
    let mut sign_bits = bits.sign_bits;
    if a.is_nonnegative(w) && b.is_nonnegative(w) {
        // It does not overflow, and is between these.
        let extremes = [a.least() as i64 - b.most(w) as i64, a.most(w) as i64 - b.least() as i64];
        let equal = extremes.map(|x| w.num_sign_bits(x));
        sign_bits = sign_bits.max(equal[0].min(equal[1]));
    }
    Bits::new(w, bits.zeros, bits.ones, sign_bits)
}

/// `amount` is the second operand where it is a constant, modulo the width.
fn binary(op: Opcode, w: Word, a: Bits, b: Bits, amount: Option<u32>) -> Bits {
    let n = w.bits();
    let both_nonnegative = a.is_nonnegative(w) && b.is_nonnegative(w);
    let equal_upper = a.sign_bits.min(b.sign_bits);
    match op {
        Opcode::Add => sum(w, a, b, 0),
        Opcode::Sub => difference(w, a, b),
        Opcode::Mul => {
            let low = (a.trailing_zeros(w) + b.trailing_zeros(w)).min(n);
            let high = (w.leading_ones(a.zeros) + w.leading_ones(b.zeros)).saturating_sub(n);
            Bits::new(w, w.low_mask(low) | !(w.mask() >> high.min(n - 1)), 0, 1)
        }
        Opcode::And => Bits::new(w, a.zeros | b.zeros, a.ones & b.ones, equal_upper),
        Opcode::Or => Bits::new(w, a.zeros & b.zeros, a.ones | b.ones, equal_upper),
        Opcode::Xor => {
            Bits::new(w, a.zeros & b.zeros | a.ones & b.ones, a.zeros & b.ones | a.ones & b.zeros, equal_upper)
        }
        Opcode::Shl => match amount {
            Some(k) => Bits::new(w, a.zeros << k | w.low_mask(k), a.ones << k, a.sign_bits.saturating_sub(k)),
            None => Bits::new(w, w.low_mask(a.trailing_zeros(w)), 0, 1),
        },
        Opcode::Lshr => match amount {
            Some(k) => Bits::new(w, a.zeros >> k | !(w.mask() >> k), a.ones >> k, 1),
            None => Bits::below(w, a.most(w)),
        },
        Opcode::Ashr => match amount {
            Some(k) => {
                let shift = |mask: u64| (w.sign_extend(mask) >> k) as u64;
                Bits::new(w, shift(a.zeros), shift(a.ones), a.sign_bits + k)
            }
            None if a.is_nonnegative(w) => Bits::below(w, a.most(w)),
            None => Bits::new(w, 0, 0, a.sign_bits),
        },
        Opcode::Rotl => amount.map_or(Bits::UNKNOWN, |k| rotated(w, a, k)),
        Opcode::Rotr => amount.map_or(Bits::UNKNOWN, |k| rotated(w, a, (n - k) & (n - 1))),
        Opcode::Udiv => Bits::below(w, a.most(w) / b.least().max(1)),
        Opcode::Urem => Bits::below(w, a.most(w).min(b.most(w).saturating_sub(1))),
        Opcode::Sdiv if both_nonnegative => Bits::below(w, a.most(w) / b.least().max(1)),
        Opcode::Srem if both_nonnegative => Bits::below(w, a.most(w).min(b.most(w).saturating_sub(1))),
        // The remainder has the sign of the dividend and is no larger than either.
        Opcode::Srem if a.is_nonnegative(w) => Bits::below(w, a.most(w)),
        Opcode::Srem => Bits::new(w, 0, 0, a.sign_bits.max(b.sign_bits)),
        Opcode::Umulh => Bits::below(w, ((u128::from(a.most(w)) * u128::from(b.most(w))) >> n) as u64),
        Opcode::Smulh if both_nonnegative => {
            Bits::below(w, ((u128::from(a.most(w)) * u128::from(b.most(w))) >> n) as u64)
        }
        Opcode::Smin | Opcode::Smax => a.join(b),
        Opcode::Umin => {
            let high = Bits::below(w, a.most(w).min(b.most(w)));
            let both = a.join(b);
            Bits::new(w, both.zeros | high.zeros, both.ones, equal_upper)
        }
        Opcode::Umax => {
            let high = w.leading_ones(a.ones).max(w.leading_ones(b.ones));
            let both = a.join(b);
            let ones = if high == 0 { 0 } else { !(w.mask() >> high.min(n - 1)) & w.mask() };
            Bits::new(w, both.zeros & !ones, both.ones | ones, equal_upper)
        }
        _ => Bits::UNKNOWN,
    }
}

/// Returns the facts about a constant shifted by any amount that agrees with its own.
fn shifted_constant(op: Opcode, w: Word, a: Bits, amount: Bits) -> Option<Known> {
    if !matches!(op, Opcode::Shl | Opcode::Lshr | Opcode::Ashr) || a.zeros | a.ones != w.mask() {
        return None;
    }
    let may_be = |k: &u64| k & amount.zeros == 0 && !k & amount.ones & u64::from(w.bits() - 1) == 0;
    let shifted = |k| semantics::eval(op, w, 0, [a.ones, k, 0]).ok();
    let all = (0..u64::from(w.bits())).filter(may_be).filter_map(shifted);
    all.map(|bits| Known::of_bits(w, Bits::constant(w, bits))).reduce(Known::join)
}

fn rotated(w: Word, a: Bits, k: u32) -> Bits {
    let rotated = |mask: u64| if k == 0 { mask } else { w.truncate(mask << k | mask >> (w.bits() - k)) };
    Bits::new(w, rotated(a.zeros), rotated(a.ones), 1)
}

#[cfg(test)]
mod tests;
