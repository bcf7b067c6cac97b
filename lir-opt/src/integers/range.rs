//! Intervals of signed integers, and operations on them.
//!
//! An operation on intervals gives an interval with every result that the operation has for operands in them. If a sum
//! could wrap, the result is every integer of the type: LIR's arithmetic wraps, and an interval cannot express "the
//! ends, but not the middle".
//!
//! Source: R. E. Moore, "Interval Analysis", 1966, chapter 2; for `and` and `or` H. S. Warren, "Hacker's Delight", 2nd
//! ed. 2013, section 4-3 (only the cheap bounds).

use lir_syntax::ir::{IntCC, Opcode, Word};

/// The integers from `lo` to `hi`, both included; `lo <= hi`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Range {
    /// The least.
    pub lo: i64,
    /// The greatest.
    pub hi: i64,
}

impl Range {
    /// Every i64.
    pub const ANY: Range = Range { lo: i64::MIN, hi: i64::MAX };

    /// Returns every integer of a width, as signed numbers.
    pub fn full(w: Word) -> Range {
        Range { lo: w.signed_min(), hi: w.signed_max() }
    }
    /// One integer.
    pub const fn point(k: i64) -> Range {
        Range { lo: k, hi: k }
    }
    /// Returns the integer, if it is one.
    pub(crate) fn as_point(self) -> Option<i64> {
        (self.lo == self.hi).then_some(self.lo)
    }
    /// True if an integer is in it.
    pub fn has(self, k: i64) -> bool {
        self.lo <= k && k <= self.hi
    }
    /// Returns the number of integers.
    pub fn count(self) -> i128 {
        i128::from(self.hi) - i128::from(self.lo) + 1
    }
    /// True if no integer of it is negative.
    pub(crate) fn is_nonnegative(self) -> bool {
        self.lo >= 0
    }
    /// True if all of `other` are in it.
    pub fn contains(self, other: Range) -> bool {
        self.lo <= other.lo && other.hi <= self.hi
    }
    /// Returns the least interval with both.
    pub fn join(self, other: Range) -> Range {
        Range { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }
    /// Returns the intersection, if it is not empty.
    pub fn meet(self, other: Range) -> Option<Range> {
        Range::new(self.lo.max(other.lo), self.hi.min(other.hi))
    }
    fn new(lo: i64, hi: i64) -> Option<Range> {
        (lo <= hi).then_some(Range { lo, hi })
    }
    /// These numbers, where all of them are of the type.
    fn fitting(w: Word, lo: i128, hi: i128) -> Option<Range> {
        let full = Range::full(w);
        let fits = i128::from(full.lo) <= lo && hi <= i128::from(full.hi);
        fits.then_some(Range { lo: lo as i64, hi: hi as i64 })
    }
}

/// Returns the range of an operation of one operand of width `w`. `to` is the width of the result. None means every
/// integer of that width.
pub fn unary(op: Opcode, w: Word, to: Word, a: Range) -> Option<Range> {
    match op {
        Opcode::Copy | Opcode::Sext => Some(a),
        Opcode::Zext if a.is_nonnegative() => Some(a),
        Opcode::Zext => Some(Range { lo: 0, hi: w.mask() as i64 }),
        Opcode::Trunc => Range::full(to).contains(a).then_some(a),
        Opcode::Neg => Range::fitting(w, -i128::from(a.hi), -i128::from(a.lo)),
        Opcode::Not => Some(Range { lo: !a.hi, hi: !a.lo }),
        Opcode::Clz | Opcode::Ctz | Opcode::Popcnt => {
            Range::full(w).contains(Range::point(i64::from(w.bits()))).then_some(Range { lo: 0, hi: w.bits().into() })
        }
        _ => None,
    }
}

/// Returns the range of an operation of two operands of width `w`. None means every integer of the type. If the
/// operation can trap, the range of its results when it does not.
pub fn binary(op: Opcode, w: Word, a: Range, b: Range) -> Option<Range> {
    let wide = |r: Range| (i128::from(r.lo), i128::from(r.hi));
    let ((al, ah), (bl, bh)) = (wide(a), wide(b));
    let both_nonnegative = a.is_nonnegative() && b.is_nonnegative();
    match op {
        Opcode::Add => Range::fitting(w, al + bl, ah + bh),
        Opcode::Sub => Range::fitting(w, al - bh, ah - bl),
        Opcode::Mul => corners(w, [al * bl, al * bh, ah * bl, ah * bh]),
        Opcode::Shl => b.as_point().and_then(|k| {
            let k = w.shift_amount(k as u64);
            Range::fitting(w, al << k, ah << k)
        }),
        Opcode::Lshr | Opcode::Ashr => shift_right(op, w, a, b),
        Opcode::And => match (a.is_nonnegative(), b.is_nonnegative()) {
            (true, true) => Range::new(0, a.hi.min(b.hi)),
            (true, false) => Range::new(0, a.hi),
            (false, true) => Range::new(0, b.hi),
            (false, false) => None,
        },
        Opcode::Or if both_nonnegative => Range::new(a.lo.max(b.lo), ones_up_to(a.hi | b.hi)),
        Opcode::Xor if both_nonnegative => Range::new(0, ones_up_to(a.hi | b.hi)),
        Opcode::Sdiv | Opcode::Udiv => quotient(op, w, a, b),
        Opcode::Srem | Opcode::Urem => remainder(op, a, b),
        Opcode::Smin => Range::new(a.lo.min(b.lo), a.hi.min(b.hi)),
        Opcode::Smax => Range::new(a.lo.max(b.lo), a.hi.max(b.hi)),
        Opcode::Umin | Opcode::Umax if both_nonnegative => {
            binary(if op == Opcode::Umin { Opcode::Smin } else { Opcode::Smax }, w, a, b)
        }
        // The smaller one as an unsigned number: it is not above an operand that is not negative.
        Opcode::Umin if a.is_nonnegative() => Range::new(0, a.hi),
        Opcode::Umin if b.is_nonnegative() => Range::new(0, b.hi),
        _ => None,
    }
}

/// Returns the range of an operation on two operands whose result, as a signed number, is promised to fit the type.
/// None means every integer of the type, also if no result fits.
pub(crate) fn binary_without_wrap(op: Opcode, w: Word, a: Range, b: Range) -> Option<Range> {
    let wide = |r: Range| (i128::from(r.lo), i128::from(r.hi));
    let ((al, ah), (bl, bh)) = (wide(a), wide(b));
    let (lo, hi) = match op {
        Opcode::Add => (al + bl, ah + bh),
        Opcode::Sub => (al - bh, ah - bl),
        Opcode::Mul => ends([al * bl, al * bh, ah * bl, ah * bh]),
        Opcode::Shl => {
            let k = w.shift_amount(b.as_point()? as u64);
            (al << k, ah << k)
        }
        _ => return binary(op, w, a, b),
    };
    let full = Range::full(w);
    Range::fitting(w, lo.max(full.lo.into()), hi.min(full.hi.into())).filter(|r| r.lo <= r.hi)
}

fn corners(w: Word, c: [i128; 4]) -> Option<Range> {
    let (lo, hi) = ends(c);
    Range::fitting(w, lo, hi)
}

fn ends(c: [i128; 4]) -> (i128, i128) {
    c.iter().fold((c[0], c[0]), |(lo, hi), x| (lo.min(*x), hi.max(*x)))
}

/// Returns the least number of the form 2^k - 1 that is at least `n`. `n` is not negative.
fn ones_up_to(n: i64) -> i64 {
    if n == 0 { 0 } else { i64::MAX >> (n.leading_zeros() - 1) }
}

fn shift_right(op: Opcode, w: Word, a: Range, b: Range) -> Option<Range> {
    let Some(k) = b.as_point().map(|k| w.shift_amount(k as u64)) else {
        // Toward 0, or toward -1.
        let fills_with_sign = op == Opcode::Ashr || a.is_nonnegative();
        return fills_with_sign.then_some(Range { lo: a.lo.min(0), hi: a.hi.max(-1) });
    };
    if op == Opcode::Ashr || a.is_nonnegative() || k == 0 {
        Range::new(a.lo >> k, a.hi >> k)
    } else {
        Range::new(0, (w.mask() >> k) as i64)
    }
}

fn quotient(op: Opcode, w: Word, a: Range, b: Range) -> Option<Range> {
    if b.lo > 0 && (op == Opcode::Sdiv || a.is_nonnegative()) {
        let c = [a.lo / b.lo, a.lo / b.hi, a.hi / b.lo, a.hi / b.hi];
        return Range::new(c.into_iter().min()?, c.into_iter().max()?);
    }
    match op {
        Opcode::Sdiv => signed_quotient(w, a, b),
        Opcode::Udiv if a.is_nonnegative() => Range::new(0, a.hi),
        Opcode::Udiv if b.lo > 1 => Range::new(0, (w.mask() / b.lo as u64) as i64),
        _ => None,
    }
}

/// No quotient is larger in magnitude than its dividend over the least divisor. MIN / -1 traps.
fn signed_quotient(w: Word, a: Range, b: Range) -> Option<Range> {
    let least = if b.hi < 0 { b.hi.unsigned_abs() } else { 1 };
    let of_negative = (a.lo.unsigned_abs() / least).min(Range::full(w).hi as u64) as i64;
    let of_positive = (a.hi.max(0) as u64 / least) as i64;
    let lo = (if b.hi > 0 { a.lo.min(0) } else { 0 }).min(if b.lo < 0 { -of_positive } else { 0 });
    let hi = (if b.hi > 0 { a.hi.max(0) } else { 0 }).max(if a.lo < 0 && b.lo < 0 { of_negative } else { 0 });
    Range::new(lo, hi)
}

fn remainder(op: Opcode, a: Range, b: Range) -> Option<Range> {
    if a.is_nonnegative() && b.lo > a.hi {
        return Some(a);
    }
    if op == Opcode::Srem {
        // Smaller than the divisor in magnitude, with the sign of the dividend.
        let most = b.lo.unsigned_abs().max(b.hi.unsigned_abs()).saturating_sub(1);
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        return Range::new(a.lo.max(-most).min(0), a.hi.min(most).max(0));
    }
    match (a.is_nonnegative(), b.lo > 0) {
        (true, true) => Range::new(0, a.hi.min(b.hi - 1)),
        (false, true) => Range::new(0, b.hi - 1),
        (true, false) => Range::new(0, a.hi),
        (false, false) => None,
    }
}

/// Returns the value of an overflow test (`sadd_o` and the like) for all of `a` and `b`. None if it depends on them.
pub fn overflows(op: Opcode, w: Word, a: Range, b: Range) -> Option<bool> {
    let signed = |r: Range| Some((i128::from(r.lo), i128::from(r.hi)));
    // As unsigned numbers, negative numbers are above all others.
    let unsigned = |r: Range| match (r.lo >= 0, r.hi < 0) {
        (true, _) => signed(r),
        (_, true) => Some((i128::from(w.truncate(r.lo as u64)), i128::from(w.truncate(r.hi as u64)))),
        _ => None,
    };
    let is_signed = matches!(op, Opcode::SaddO | Opcode::SsubO | Opcode::SmulO);
    let ((al, ah), (bl, bh)) = if is_signed { (signed(a)?, signed(b)?) } else { (unsigned(a)?, unsigned(b)?) };
    let (least, most) = match op {
        Opcode::SaddO | Opcode::UaddO => (al + bl, ah + bh),
        Opcode::SsubO | Opcode::UsubO => (al - bh, ah - bl),
        Opcode::SmulO | Opcode::UmulO => {
            // Products beyond 127 bits are beyond the type.
            let products = [(al, bl), (al, bh), (ah, bl), (ah, bh)].map(|(x, y)| x.saturating_mul(y));
            (products.into_iter().min()?, products.into_iter().max()?)
        }
        _ => return None,
    };
    let (lo, hi) = if is_signed { signed(Range::full(w))? } else { (0, i128::from(w.mask())) };
    if lo <= least && most <= hi { Some(false) } else { (most < lo || hi < least).then_some(true) }
}

/// Returns the result of a comparison for all of `a` and `b`. None if it depends on them.
pub fn compare(cc: IntCC, a: Range, b: Range) -> Option<bool> {
    match cc {
        IntCC::Eq => match (a.as_point(), b.as_point()) {
            (Some(x), Some(y)) => Some(x == y),
            _ => a.meet(b).is_none().then_some(false),
        },
        IntCC::Slt if a.hi < b.lo => Some(true),
        IntCC::Slt if a.lo >= b.hi => Some(false),
        IntCC::Sle if a.hi <= b.lo => Some(true),
        IntCC::Sle if a.lo > b.hi => Some(false),
        IntCC::Slt | IntCC::Sle => None,
        // As unsigned numbers, negative numbers are above the others.
        IntCC::Ult | IntCC::Ule => {
            let negative = |r: Range| (r.lo >= 0 || r.hi < 0).then_some(r.hi < 0);
            match (negative(a)?, negative(b)?) {
                (false, true) => Some(true),
                (true, false) => Some(false),
                _ => compare(if cc == IntCC::Ult { IntCC::Slt } else { IntCC::Sle }, a, b),
            }
        }
        IntCC::Ne | IntCC::Sge | IntCC::Sgt | IntCC::Uge | IntCC::Ugt => {
            compare(cc.inverted(), a, b).map(|holds| !holds)
        }
    }
}

/// Returns the x in `a` such that `x cc y` for some y in `b`. The limits of `a` itself are not in the answer: it also
/// holds for a later `a` that may be greater, as long as that has both signs only if this one has.
pub(crate) fn constrain(cc: IntCC, a: Range, b: Range) -> Range {
    let Range { lo: least, hi: most } = Range::ANY;
    let (lo, hi) = match cc {
        IntCC::Eq => (b.lo, b.hi),
        IntCC::Ne => match b.as_point() {
            Some(k) if k == a.lo => (k.saturating_add(1), most),
            Some(k) if k == a.hi => (least, k.saturating_sub(1)),
            _ => (least, most),
        },
        IntCC::Slt => (least, b.hi.saturating_sub(1)),
        IntCC::Sle => (least, b.hi),
        IntCC::Sgt => (b.lo.saturating_add(1), most),
        IntCC::Sge => (b.lo, most),
        IntCC::Ult if b.is_nonnegative() => (0, b.hi.saturating_sub(1)),
        IntCC::Ule if b.is_nonnegative() => (0, b.hi),
        IntCC::Ugt if a.is_nonnegative() && b.is_nonnegative() => (b.lo.saturating_add(1), most),
        IntCC::Uge if a.is_nonnegative() && b.is_nonnegative() => (b.lo, most),
        // In unsigned order, only negative numbers are above a negative number.
        IntCC::Ugt if b.hi < 0 => (b.lo.saturating_add(1), -1),
        IntCC::Uge if b.hi < 0 => (b.lo, -1),
        IntCC::Ult if a.hi < 0 && b.hi < 0 => (least, b.hi.saturating_sub(1)),
        IntCC::Ule if a.hi < 0 && b.hi < 0 => (least, b.hi),
        IntCC::Ult | IntCC::Ule | IntCC::Ugt | IntCC::Uge => (least, most),
    };
    Range::new(lo, hi).unwrap_or(Range::ANY)
}

/// Returns an interval that contains each x in `known` for which `x + k`, modulo 2^width, is in `sum`. It is
/// [`Range::ANY`] if there is no such x.
pub(crate) fn without_addend(w: Word, sum: Range, k: i64, known: Range) -> Range {
    let Some(sum) = sum.meet(Range::full(w)) else { return Range::ANY };
    // The numbers x for which x + k does not wrap, wraps past the maximum, and wraps past the minimum.
    let pieces = [0, 1i128 << w.bits(), -(1i128 << w.bits())].into_iter().filter_map(|turn| {
        let full = Range::full(w);
        let lo = (i128::from(sum.lo) - i128::from(k) + turn).max(full.lo.into());
        let hi = (i128::from(sum.hi) - i128::from(k) + turn).min(full.hi.into());
        (lo <= hi).then_some(Range { lo: lo as i64, hi: hi as i64 })
    });
    pieces.filter(|piece| piece.meet(known).is_some()).reduce(Range::join).unwrap_or(Range::ANY)
}

/// Compares `x + p` with `x + q`, where x is in `base` and the offsets are in `p` and `q`. Returns None if the result
/// is not the same for all of them, or if one of the sums may overflow: as signed or unsigned numbers, like the
/// predicate.
pub(crate) fn compare_sums(cc: IntCC, w: Word, base: Range, p: Range, q: Range) -> Option<bool> {
    let full = Range::full(w);
    if matches!(cc, IntCC::Eq | IntCC::Ne) {
        // Different offsets that fit the type differ by less than 2^width, so the sums differ too.
        return if full.contains(p) && full.contains(q) { compare(cc, p, q) } else { None };
    }
    let (lo, hi) = (i128::from(full.lo), i128::from(full.hi));
    // The sums must stay in this interval. Unsigned numbers with the top bit set count as negative, like `base`.
    let (least, most) = match (cc == cc.signed(), base.is_nonnegative()) {
        (true, _) => (lo, hi),
        (false, true) => (0, hi - lo),
        (false, false) if base.hi < 0 => (lo - hi - 1, -1),
        _ => return None,
    };
    let stays =
        |by: Range| i128::from(base.lo) + i128::from(by.lo) >= least && i128::from(base.hi) + i128::from(by.hi) <= most;
    if stays(p) && stays(q) { compare(cc.signed(), p, q) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lir_syntax::ir::Type;
    use lir_syntax::semantics::compare::icmp;
    use lir_syntax::semantics::eval;

    const I8: Word = Type::I8.as_word();
    const I16: Word = Type::I16.as_word();
    const I32: Word = Type::I32.as_word();
    const I64: Word = Type::I64.as_word();

    /// Intervals of i8 of all kinds: around 0 and the ends, short and long.
    fn ranges() -> Vec<Range> {
        let ends = [-128, -127, -65, -8, -2, -1, 0, 1, 2, 7, 8, 63, 64, 126, 127];
        let all = ends.iter().flat_map(|lo| ends.iter().map(|hi| Range { lo: *lo, hi: *hi }));
        all.filter(|r| r.lo <= r.hi).collect()
    }
    fn numbers(r: Range) -> impl Iterator<Item = i64> {
        // All numbers of a short interval; the ends and every seventh number of a long one.
        (r.lo..=r.hi).filter(move |k| r.hi - r.lo < 12 || k - r.lo < 3 || r.hi - k < 3 || k % 7 == 0)
    }
    fn bits(k: i64) -> u64 {
        I8.truncate(k as u64)
    }

    #[test]
    fn results_lie_in_the_interval() {
        let ops = Opcode::ALL.iter().filter(|op| binary(**op, I8, Range::point(1), Range::point(1)).is_some());
        for &op in ops {
            for a in ranges() {
                for b in ranges() {
                    let Some(r) = binary(op, I8, a, b) else { continue };
                    for (x, y) in numbers(a).flat_map(|x| numbers(b).map(move |y| (x, y))) {
                        let Ok(z) = eval(op, I8, 0, [bits(x), bits(y), 0]) else { continue };
                        let z = I8.sign_extend(z);
                        assert!(r.lo <= z && z <= r.hi, "{op:?} {a:?} {b:?}: {x} {y} {z} not in {r:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn results_of_one_operand_lie_in_the_interval() {
        for &(op, ty, to) in &[
            (Opcode::Copy, Type::I8, Type::I8),
            (Opcode::Neg, Type::I8, Type::I8),
            (Opcode::Not, Type::I8, Type::I8),
            (Opcode::Clz, Type::I8, Type::I8),
            (Opcode::Ctz, Type::I8, Type::I8),
            (Opcode::Popcnt, Type::I8, Type::I8),
            (Opcode::Sext, Type::I8, Type::I32),
            (Opcode::Zext, Type::I8, Type::I32),
            (Opcode::Trunc, Type::I16, Type::I8),
        ] {
            let to_type = to as u8;
            let (w, to) = (ty.as_word(), to.as_word());
            let wider = ranges().into_iter().map(|r| Range { lo: r.lo * 2, hi: r.hi * 2 });
            let all = ranges().into_iter().chain(wider.filter(|_| w == I16));
            for (a, r) in all.filter_map(|a| Some((a, unary(op, w, to, a)?))) {
                for x in numbers(a) {
                    let z = eval(op, w, to_type, [w.truncate(x as u64), 0, 0]).expect("it does not trap");
                    let z = to.sign_extend(z);
                    assert!(r.lo <= z && z <= r.hi, "{op:?} {a:?}: {x} {z} not in {r:?}");
                }
            }
        }
    }

    #[test]
    fn comparisons_decide_and_constrain() {
        for a in ranges() {
            for b in ranges() {
                for &cc in IntCC::ALL {
                    let (decided, left) = (compare(cc, a, b), constrain(cc, a, b));
                    for (x, y) in numbers(a).flat_map(|x| numbers(b).map(move |y| (x, y))) {
                        let holds = icmp(cc, I8, bits(x), bits(y));
                        assert!(decided.is_none_or(|d| d == holds), "{cc:?} {a:?} {b:?}: {x} {y}");
                        assert!(
                            !holds || (left.lo <= x && x <= left.hi),
                            "{cc:?} {a:?} {b:?}: {x} {y} not in {left:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn an_addend_is_taken_away_modulo_the_width() {
        let mut narrowed = 0;
        for (sum, known) in ranges().into_iter().flat_map(|a| ranges().into_iter().map(move |b| (a, b))) {
            for k in [-128, -127, -10, -1, 0, 1, 64, 127] {
                let left = without_addend(I8, sum, k, known);
                narrowed += usize::from(!left.contains(known));
                for x in known.lo..=known.hi {
                    let is_in = sum.has(I8.sign_extend(bits(x + k)));
                    assert!(!is_in || left.has(x), "{x} + {k} in {sum:?}, {x} in {known:?}, not in {left:?}");
                }
            }
        }
        assert!(narrowed > 40_000, "{narrowed}");
        let below_99 = Range { lo: 0, hi: 98 };
        assert_eq!(without_addend(I8, below_99, -1, Range::full(I8)), Range { lo: 1, hi: 99 });
        assert_eq!(without_addend(I64, below_99, i64::MAX, Range::ANY), Range { lo: -i64::MAX, hi: 98 - i64::MAX });
    }

    #[test]
    fn sums_of_one_number_are_compared() {
        let offsets = [(-128, -128), (-100, -1), (-3, 2), (0, 0), (1, 1), (1, 7), (5, 100), (127, 127)];
        let offsets = offsets.map(|(lo, hi)| Range { lo, hi });
        let mut decided = [0; 2];
        for (base, p) in ranges().into_iter().flat_map(|base| offsets.map(move |p| (base, p))) {
            for (q, &cc) in offsets.iter().flat_map(|q| IntCC::ALL.iter().map(move |cc| (*q, cc))) {
                let Some(known) = compare_sums(cc, I8, base, p, q) else { continue };
                decided[usize::from(known)] += 1;
                for x in numbers(base) {
                    for (y, z) in [(p.lo, q.lo), (p.lo, q.hi), (p.hi, q.lo), (p.hi, q.hi)] {
                        let holds = icmp(cc, I8, bits(x + y), bits(x + z));
                        assert_eq!(holds, known, "{cc:?}: {x} + {y}, {x} + {z}");
                    }
                }
            }
        }
        assert!(decided.iter().all(|n| *n > 5000), "{decided:?}");
    }

    #[test]
    fn overflow_tests_are_decided() {
        let tests = [Opcode::SaddO, Opcode::UaddO, Opcode::SsubO, Opcode::UsubO, Opcode::SmulO, Opcode::UmulO];
        let mut decided = [0; 2];
        for op in tests {
            for (a, b) in ranges().into_iter().flat_map(|a| ranges().into_iter().map(move |b| (a, b))) {
                let Some(known) = overflows(op, I8, a, b) else { continue };
                decided[usize::from(known)] += 1;
                for (x, y) in numbers(a).flat_map(|x| numbers(b).map(move |y| (x, y))) {
                    let z = eval(op, I8, 0, [bits(x), bits(y), 0]).expect("it does not trap");
                    assert_eq!(z != 0, known, "{op:?} {a:?} {b:?}: {x} {y}");
                }
            }
        }
        assert!(decided.iter().all(|n| *n > 5000), "{decided:?}");
        let all = Range::ANY;
        assert_eq!(overflows(Opcode::UmulO, I64, Range::point(-1), Range::point(-1)), Some(true));
        assert_eq!(overflows(Opcode::SmulO, I64, Range::point(i64::MIN), Range::point(-1)), Some(true));
        assert_eq!(overflows(Opcode::SaddO, I64, all, Range::point(0)), Some(false));
        assert_eq!(overflows(Opcode::UaddO, I64, all, Range::point(1)), None);
    }

    #[test]
    fn sums_that_may_wrap_are_anything() {
        let (max, one) = (Range::point(127), Range::point(1));
        assert_eq!(binary(Opcode::Add, I8, max, one), None);
        assert_eq!(binary(Opcode::Add, I16, max, one), Some(Range::point(128)));
        assert_eq!(binary(Opcode::Mul, I64, Range::ANY, Range::ANY), None);
        assert_eq!(unary(Opcode::Neg, I64, I64, Range::ANY), None);
        assert_eq!(unary(Opcode::Trunc, I64, I32, Range { lo: -5, hi: 1 << 31 }), None);
    }
}
