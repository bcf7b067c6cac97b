//! Selects of floats, minima and maxima, and comparisons of floats as masks.
//!
//! x86 has conditional moves of integers only. For floats it has:
//!
//! * `minsd a, b` is `a < b ? a : b`: the second operand where they are equal, zeros of both signs among them, or one
//!   is a NaN; `maxsd` likewise with `>`. A select between the operands of its own comparison is one of these if both
//!   compute the same ([`Isel::select_extreme`]).
//! * `cmpsd` makes a mask of ones or zeros. A select by a comparison of floats is `mask & a | !mask & b`
//!   ([`Isel::select_by_mask`]).
//!
//! With another condition the bits of the operands are picked in general registers ([`Isel::select_bits`]).
//!
//! Source: Intel SDM volume 2, `MINSD`, `CMPSD`; the sequence for `fmin` with NaNs and signed zeros is the one that
//! compilers use for WebAssembly's `f64x2.min`, but the NaN is made from a mask of its own, which is off the critical
//! path.

use crate::isa::x64::isel::{Isel, alu_size, size_of};
use crate::isa::x64::op;
use crate::mir::{Form, MInst, MOp, MReg, Size, VReg};
use lir_syntax::ir::{Comparison, EntityRef, FloatCC, Inst, InstData, Opcode, Operand, Type};
use lir_syntax::semantics::float::is_ordinary;

/// A comparison that makes a mask: ones where `op a, b` holds, or where it does not.
struct Mask {
    op: MOp,
    a: Operand,
    b: Operand,
    inverted: bool,
}

impl Isel<'_> {
    /// Selects `select T %c, %a, %b` of floats.
    pub(in crate::isa::x64::isel) fn select_float(&mut self, i: Inst, d: &InstData) {
        let v = self.dst(d);
        let (a, b) = self.f.operands_bc(i);
        let test = self.truth_test(d.first());
        // The mask is as wide as the compared operands.
        if test.ty.is_float() && size_of(test.ty) >= size_of(d.ty) {
            if self.select_extreme(v, d.ty, test, a, b) {
                return;
            }
            if let Some(mask) = mask_of(test) {
                return self.select_by_mask(v, d.ty, test.ty, mask, a, b);
            }
        }
        self.select_bits(v, d.ty, test, a, b);
    }

    /// A select between the operands of its own comparison, as a minimum or maximum. False if it is neither.
    ///
    /// With the arms in the order of the comparison (else the predicate is inverted), `x < y ? x : y` is `min x, y`,
    /// and `x <= y || unordered ? x : y`, which is `y < x ? y : x`, is `min y, x`. The other two predicates pick the
    /// other one of equal operands, which only shows in zeros: they do with a constant that is neither zero nor a NaN.
    fn select_extreme(&mut self, v: VReg, ty: Type, test: Comparison, a: Operand, b: Operand) -> bool {
        use FloatCC::*;
        let test = if self.is_same(test.a, a) && self.is_same(test.b, b) {
            test
        } else if self.is_same(test.a, b) && self.is_same(test.b, a) {
            test.inverted()
        } else {
            return false;
        };
        if test.ty != ty {
            return false;
        }
        let either = [test.a, test.b].into_iter().any(|o| self.is_ordinary_constant(ty, o));
        let Some(cc) = test.predicate.as_float() else { return false };
        let (op, first, second) = match cc {
            Olt => (op::MinF, test.a, test.b),
            Ule => (op::MinF, test.b, test.a),
            Ogt => (op::MaxF, test.a, test.b),
            Uge => (op::MaxF, test.b, test.a),
            Ole if either => (op::MinF, test.a, test.b),
            Ult if either => (op::MinF, test.b, test.a),
            Oge if either => (op::MaxF, test.a, test.b),
            Ugt if either => (op::MaxF, test.b, test.a),
            _ => return false,
        };
        // Compared and picked at once, each operand is read once.
        for o in [a, b] {
            if let Some(r) = o.as_reg() {
                self.s.facts[r.index()].uses -= 1;
            }
        }
        self.float_operation(op, ty, v, first, second);
        true
    }
    /// True if two operands are one register or equal constants.
    fn is_same(&self, a: Operand, b: Operand) -> bool {
        match (self.const_of(a), self.const_of(b)) {
            (Some(j), Some(k)) => j == k,
            (None, None) => a.as_reg().is_some() && a.as_reg() == b.as_reg(),
            _ => false,
        }
    }
    /// True if an operand is a constant that is neither zero nor a NaN.
    fn is_ordinary_constant(&self, ty: Type, o: Operand) -> bool {
        self.const_of(o).is_some_and(|k| is_ordinary(ty.as_word(), k as u64))
    }

    /// Selects `mask & a | !mask & b`. One half of it where the other operand is zero.
    fn select_by_mask(&mut self, v: VReg, ty: Type, compared: Type, mask: Mask, a: Operand, b: Operand) {
        let (a, b) = if mask.inverted { (b, a) } else { (a, b) };
        let m = self.temp(compared);
        self.float_operation(mask.op, compared, m, mask.a, mask.b);
        if self.const_of(b) == Some(0) {
            return self.with_mask(op::AndF, ty, v, m, a);
        }
        if self.const_of(a) == Some(0) {
            return self.with_mask(op::AndnF, ty, v, m, b);
        }
        let (x, y) = (self.temp(ty), self.temp(ty));
        self.with_mask(op::AndF, ty, x, m, a);
        self.with_mask(op::AndnF, ty, y, m, b);
        self.bitwise(op::OrF, v, x, y);
    }
    /// Selects `v = op m, o`.
    fn with_mask(&mut self, op: MOp, ty: Type, v: VReg, m: VReg, o: Operand) {
        if let Some(k) = self.const_of(o).filter(|k| *k != 0) {
            let base = self.pool_mask(ty, k as u64);
            let with_memory = self.float_forms().1;
            return self.seq(MInst::new(op, with_memory, Size::S128).d(v).a(m).mem(base, MReg::NONE, 1, 0));
        }
        let x = self.value(ty, o);
        self.bitwise(op, v, m, x);
    }
    /// Selects `v = op x, y` of whole registers.
    fn bitwise(&mut self, op: MOp, v: VReg, x: VReg, y: VReg) {
        self.seq(MInst::new(op, self.float_forms().0, Size::S128).d(v).a(x).b(y));
    }

    /// Picks the bits by a conditional move.
    fn select_bits(&mut self, v: VReg, ty: Type, test: Comparison, a: Operand, b: Operand) {
        // The operands come first: making a constant may change the flags.
        let (x, y) = (self.bits_of(ty, a), self.bits_of(ty, b));
        let r = self.temp(ty.bits_type());
        self.conditional_move(alu_size(ty.bits_type()), r, test, x, y);
        self.seq(MInst::new(op::MovIF, Form::DA, size_of(ty)).d(v).a(r));
    }
    /// Returns the bits of a float in a general register.
    fn bits_of(&mut self, ty: Type, o: Operand) -> VReg {
        let ity = ty.bits_type();
        if let Some(k) = self.const_of(o) {
            return self.make_constant(ity, ity.constant_payload(k as u64));
        }
        let bits = self.temp(ity);
        if let Some(load) = self.take_load(ty, o) {
            let m = self.mem_operand(load);
            self.seq(m.apply(MInst::new(op::Mov, Form::DM, size_of(ty)).d(bits)));
        } else {
            let x = self.value(ty, o);
            self.seq(MInst::new(op::MovFI, Form::DA, size_of(ty)).d(bits).a(x));
        }
        bits
    }

    /// Selects `fmin fmax`.
    ///
    /// Both orders of the operands give equal numbers, except for zeros of both signs: the minimum is the negative
    /// zero, which is the or of both; the maximum is the positive one, which is the and. If an operand is a NaN, the
    /// result is all ones, a quiet NaN.
    pub(in crate::isa::x64::isel) fn float_extreme(&mut self, d: &InstData) {
        let v = self.dst(d);
        let (op, join) = if d.op == Opcode::Fmin { (op::MinF, op::OrF) } else { (op::MaxF, op::AndF) };
        for (x, k) in [(d.first(), d.second()), (d.second(), d.first())] {
            if self.is_ordinary_constant(d.ty, k) {
                return self.extreme_with_constant(op, d.ty, v, x, k);
            }
        }
        let between = self.float_forms().0;
        let (x, y) = (self.value(d.ty, d.first()), self.value(d.ty, d.second()));
        let [one, other, both, nan] = [(); 4].map(|()| self.temp(d.ty));
        let size = size_of(d.ty);
        self.seq(MInst::new(op, between, size).d(one).a(x).b(y));
        self.seq(MInst::new(op, between, size).d(other).a(y).b(x));
        self.seq(MInst::new(op::CmpUnordF, between, size).d(nan).a(x).b(y));
        self.bitwise(join, both, one, other);
        self.bitwise(op::OrF, v, both, nan);
    }
    /// The second operand is the result where it is a NaN. There are no two zeros.
    fn extreme_with_constant(&mut self, op: MOp, ty: Type, v: VReg, x: Operand, k: Operand) {
        if self.is_quiet(x) {
            return self.float_operation(op, ty, v, k, x);
        }
        let x = self.value(ty, x);
        let k = self.value(ty, k);
        let (number, nan) = (self.temp(ty), self.temp(ty));
        let (between, size) = (self.float_forms().0, size_of(ty));
        self.seq(MInst::new(op, between, size).d(number).a(k).b(x));
        self.seq(MInst::new(op::CmpUnordF, between, size).d(nan).a(x).b(x));
        self.bitwise(op::OrF, v, number, nan);
    }
    /// True if an operand is the result of arithmetic, which makes no signalling NaN.
    fn is_quiet(&self, o: Operand) -> bool {
        use Opcode::*;
        let def = o.as_reg().and_then(|r| self.def_of(r));
        def.is_some_and(|i| {
            matches!(
                self.f.inst(i).op,
                Fadd | Fsub | Fmul | Fdiv | Fmin | Fmax | Fsqrt | Fma | Fpext | Fptrunc | Sitofp
            )
        })
    }

    /// Selects `fcmp oeq` and `fcmp une` as a value, which need two flags: the lowest bit of the mask, or the mask plus
    /// one. The bits above are zero.
    pub(in crate::isa::x64::isel) fn equality_value(&mut self, d: &InstData) {
        let v = self.dst(d);
        let (mask, bits) = (self.temp(d.ty), self.temp(Type::I32));
        self.float_operation(op::CmpEqF, d.ty, mask, d.first(), d.second());
        self.seq(MInst::new(op::MovFI, Form::DA, Size::S32).d(bits).a(mask));
        let op = if d.float_cc() == FloatCC::Oeq { op::And } else { op::Add };
        self.seq(MInst::new(op, Form::DTI, Size::S32).d(v).a(bits).imm(1));
    }
}

/// Returns the mask of a comparison. `one` and `ueq` would need two masks.
fn mask_of(test: Comparison) -> Option<Mask> {
    use FloatCC::*;
    let (op, exchange, inverted) = match test.predicate.as_float()? {
        Oeq => (op::CmpEqF, false, false),
        Une => (op::CmpEqF, false, true),
        Olt => (op::CmpLtF, false, false),
        Uge => (op::CmpLtF, false, true),
        Ogt => (op::CmpLtF, true, false),
        Ule => (op::CmpLtF, true, true),
        Ole => (op::CmpLeF, false, false),
        Ugt => (op::CmpLeF, false, true),
        Oge => (op::CmpLeF, true, false),
        Ult => (op::CmpLeF, true, true),
        Uno => (op::CmpUnordF, false, false),
        Ord => (op::CmpUnordF, false, true),
        One | Ueq => return None,
    };
    let (a, b) = if exchange { (test.b, test.a) } else { (test.a, test.b) };
    Some(Mask { op, a, b, inverted })
}
