//! The number of iterations of a loop: known, or as a computation at run time.
//!
//! * [`known_trips`]: the number that follows from the start and the bound of a counter, if no value on the way wraps.
//! * [`Trips`]: the same from run-time values, for a loop that is left only at its end.
//!
//! `loop-unroll` also finds other numbers, by executing loops on constants.

use crate::analysis::linear::Sum;
use crate::analysis::loops::induction::{Induction, LoopContext, LoopShape, Sign, Test};
use crate::integers::range::Range;
use lir_syntax::ir::builder::{FunctionBuilder, Value};
use lir_syntax::ir::{Decls, Function, Inst, IntCC, Opcode, Operand, Reg, Type};

/// The largest step.
const MAX_STEP: u64 = 64;
/// The logarithm of the ratio of all distances of a type to the distances that a counter is assumed to cover.
const FAR: u32 = 4;
/// The window of iteration counts computed at run time. The instruction that compares has room for it.
const WINDOW: u64 = i32::MAX as u64;

/// A number of iterations as a computation on values known before the loop. It gives the true number if that is in the
/// window; else a number outside of the window.
#[derive(Copy, Clone)]
pub(crate) struct Trips {
    /// The type of the counter.
    pub ty: Type,
    /// The counter covers the distance `upper - lower`.
    upper: Operand,
    /// None means 0.
    lower: Option<Operand>,
    /// The step, not 0, at most [`MAX_STEP`].
    step: u64,
    rounding: Rounding,
    /// True if the counter is tested before it is stepped: then there is an iteration more than steps.
    one_more: bool,
    /// The number, where the distance is constant.
    pub known: Option<u64>,
    /// The register that holds the bound when the loop is left, and the bound.
    pub at_the_end: Option<(Reg, Operand)>,
}

/// The steps that a distance takes.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Rounding {
    /// The quotient, which must have no remainder.
    Exact,
    /// The quotient rounded up. The step is a power of two.
    Up,
    /// One more than the quotient rounded down. The step is a power of two.
    Beyond,
}

impl Trips {
    /// Returns the iterations of a loop that a test of this variable alone leaves, at its end.
    pub fn of(cx: &LoopContext<'_>, shape: &LoopShape, iv: &Induction, test: &Test) -> Option<Trips> {
        let ty = cx.f.type_of(iv.value);
        let step = iv.step.unsigned_abs();
        if !matches!(ty, Type::I32 | Type::I64) || step > MAX_STEP {
            return None;
        }
        let up = iv.step > 0;
        let (upper, lower) = if up { (test.bound, iv.start) } else { (iv.start, test.bound) };
        let rounding = match (test.stay, up) {
            (IntCC::Ne, _) => Rounding::Exact,
            (IntCC::Slt | IntCC::Ult, true) | (IntCC::Sgt | IntCC::Ugt, false) => Rounding::Up,
            (IntCC::Sle | IntCC::Ule, true) | (IntCC::Sge, false) => Rounding::Beyond,
            _ => return None,
        };
        // If nothing but an order is known, the counter must reach the bound itself.
        let divides = step.is_power_of_two();
        let has_room = has_room(cx, iv, test) || never_wraps(cx, iv, test) && cx.is_guarded(shape, iv, test);
        let rounding = match rounding {
            Rounding::Exact => Rounding::Exact,
            _ if has_room && divides => rounding,
            Rounding::Up if has_room || cx.is_guarded(shape, iv, test) => match step {
                1 => Rounding::Up,
                _ => Rounding::Exact,
            },
            _ => return None,
        };
        let lower_zero = cx.constant(lower) == Some(0);
        let ends_at_bound = test.of_next && (rounding == Rounding::Exact || rounding == Rounding::Up && step == 1);
        let mut trips = Trips {
            ty,
            upper,
            lower: (!lower_zero).then_some(lower),
            step,
            rounding,
            one_more: !test.of_next,
            known: None,
            at_the_end: ends_at_bound.then_some((iv.next, test.bound)),
        };
        let [u, l] = [upper, lower].map(|o| Sum::of(cx.f, cx.ssa, o, ty.as_word()));
        trips.known = u.difference(l, ty.as_word()).map(|distance| trips.number(distance as i64, 0));
        Some(trips)
    }
    /// Returns the operands that the number is computed from.
    pub fn operands(&self) -> impl Iterator<Item = Operand> + use<> {
        std::iter::once(self.upper).chain(self.lower)
    }
    /// Returns the computation on constants.
    fn number(&self, upper: i64, lower: i64) -> u64 {
        let (w, shift) = (self.ty.as_word(), self.shift());
        let distance = w.truncate(upper.wrapping_sub(lower) as u64);
        let steps = match self.rounding {
            Rounding::Exact => {
                let odd = w.truncate(distance.wrapping_mul(self.inverse()));
                if shift == 0 { odd } else { odd >> shift | w.truncate(odd << (w.bits() - shift)) }
            }
            Rounding::Up => (w.truncate(distance.wrapping_sub(1)) >> shift).wrapping_add(1),
            Rounding::Beyond => (distance >> shift).wrapping_add(1),
        };
        w.truncate(steps.wrapping_add(u64::from(self.one_more)))
    }
    /// Returns the power of two in the step, as a logarithm.
    fn shift(&self) -> u32 {
        self.step.trailing_zeros()
    }
    /// Returns the inverse of the odd part of the step, modulo 2^64. Each iteration doubles the low bits that are
    /// right; of the odd part itself three are.
    fn inverse(&self) -> u64 {
        let odd = self.step >> self.shift();
        (0..5).fold(odd, |x, _| x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x))))
    }
    /// Returns the size of the window: the numbers from the least one that are trusted.
    pub fn window(&self) -> u64 {
        WINDOW.min(1 << (self.ty.as_word().bits() - FAR - self.step.next_power_of_two().ilog2()))
    }
    /// Inserts the computation before an instruction.
    pub fn compute(&self, f: &mut Function, at: Inst) -> Reg {
        let mut b = FunctionBuilder::before(f, at);
        let mut n = self.upper.as_reg().unwrap_or_else(|| b.constant(self.ty, self.upper));
        let mut then = |op: Opcode, by: Value| n = b.binary(op, self.ty, n, by);
        if let Some(lower) = self.lower {
            then(Opcode::Sub, lower.into());
        }
        if self.step != 1 && self.rounding == Rounding::Up {
            then(Opcode::Sub, 1.into());
        }
        if !self.step.is_power_of_two() {
            then(Opcode::Mul, Value::Int(self.inverse() as i64));
        }
        if self.shift() != 0 {
            let op = if self.rounding == Rounding::Exact { Opcode::Rotr } else { Opcode::Lshr };
            then(op, i64::from(self.shift()).into());
        }
        let rounded = self.rounding == Rounding::Beyond || self.rounding == Rounding::Up && self.step != 1;
        let more = i64::from(rounded) + i64::from(self.one_more);
        if more != 0 {
            then(Opcode::Add, more.into());
        }
        n
    }
}

/// True if the number is right whenever it is in the window, from facts about the start and the bound alone.
fn has_room(cx: &LoopContext<'_>, iv: &Induction, test: &Test) -> bool {
    let ty = cx.f.type_of(iv.value);
    let w = ty.as_word();
    let limit = 1i64 << (w.bits() - 3);
    // True if the operand is zero-extended, false if sign-extended.
    let extended = |o: Operand| {
        let d = cx.f.inst(cx.ssa.def(o.as_reg()?)?);
        let narrow = matches!(d.op, Opcode::Zext | Opcode::Sext) && d.ty.bits() <= ty.bits() / 2;
        narrow.then_some(d.op == Opcode::Zext)
    };
    let is_small = |o: Operand| match cx.constant(o) {
        Some(n) => (-limit..limit).contains(&w.sign_extend(n as u64)),
        None => extended(o).is_some(),
    };
    let is_natural = |o: Operand| match cx.constant(o) {
        Some(n) => (0..limit).contains(&w.sign_extend(n as u64)),
        None => extended(o) == Some(true),
    };
    match test.stay {
        IntCC::Ne => true,
        IntCC::Slt | IntCC::Sle | IntCC::Sgt | IntCC::Sge => is_small(iv.start) || is_small(test.bound),
        IntCC::Ult | IntCC::Ule => is_natural(iv.start),
        _ => iv.step == -1 && is_natural(test.bound),
    }
}

/// True if the counter of a signed test promises not to wrap. Where the start passes the test, the distance to the
/// bound is then the difference of their bits as an unsigned number, and the counter covers it.
fn never_wraps(cx: &LoopContext<'_>, iv: &Induction, test: &Test) -> bool {
    let is_signed = matches!(test.stay, IntCC::Slt | IntCC::Sle | IntCC::Sgt | IntCC::Sge);
    is_signed && cx.promises_sum(iv.increment, Sign::Signed)
}

/// Returns the number of iterations of a loop, if that is known: it is entered with a value that passes, and none up
/// to the first one that does not pass wraps.
pub(crate) fn known_trips(
    cx: &LoopContext<'_>,
    decls: &Decls,
    shape: &LoopShape,
    iv: &Induction,
    test: &Test,
) -> Option<u64> {
    let ty = cx.f.type_of(iv.value);
    let w = ty.as_word();
    let [start, bound] = [iv.start, test.bound].map(|o| Sum::of(cx.f, cx.ssa, o, w));
    let (low, high) = if iv.step > 0 { (start, bound) } else { (bound, start) };
    let (distance, step) = (high.difference(low, w)?, iv.step.unsigned_abs());
    if cx.sums_hold(decls, shape.header, test.stay, ty, start, bound) != Some(true) {
        return None;
    }
    let is_strict = matches!(test.stay, IntCC::Ne | IntCC::Slt | IntCC::Ult | IntCC::Sgt | IntCC::Ugt);
    if is_strict && distance % step == 0 {
        return Some(distance / step);
    }
    let bound = bound.as_constant().filter(|_| test.stay != IntCC::Ne)?;
    let trips = if is_strict { distance.div_ceil(step) } else { distance / step + 1 };
    let is_signed = test.stay == test.stay.signed();
    let full = if is_signed { Range::full(w) } else { Range { lo: 0, hi: i64::try_from(w.mask()).ok()? } };
    let bound = if is_signed { w.sign_extend(bound) } else { bound as i64 };
    let end = if iv.step > 0 { bound.checked_add(step as i64) } else { bound.checked_sub(step as i64) };
    end.is_some_and(|end| full.has(end)).then_some(trips)
}
