//! Float arithmetic and conversions to and from floats.

pub(super) mod select;

use super::address::Amode;
use super::{Isel, size_of};
use crate::isa::x64::registers::xmm;
use crate::isa::x64::{Cpu, op, props};
use crate::mir::{Form, MInst, MOp, MReg, Props, Size, VReg};
use lir_syntax::ir::{Inst, InstData, Opcode, Operand, Type};

impl Isel<'_> {
    /// Selects `fadd fsub fmul fdiv`.
    pub(super) fn float_binary(&mut self, d: &InstData) {
        let v = self.dst(d);
        let op = match d.op {
            Opcode::Fadd => op::AddF,
            Opcode::Fsub => op::SubF,
            Opcode::Fmul => op::MulF,
            _ => op::DivF,
        };
        self.float_operation(op, d.ty, v, d.first(), d.second());
    }
    /// Selects `v = op a, b`. An operand in memory is read there: `b`, or `a` where the op is commutative.
    pub(super) fn float_operation(&mut self, op: MOp, ty: Type, v: VReg, mut a: Operand, mut b: Operand) {
        let commutative = props(op).has(Props::COMMUTATIVE);
        if commutative && self.const_of(a).is_some() {
            std::mem::swap(&mut a, &mut b);
        }
        let (between, with_memory) = self.float_forms();
        let m = MInst::new(op, with_memory, size_of(ty));
        if let Some(k) = self.const_of(b) {
            let base = self.pool_constant(ty, k as u64);
            let x = self.value(ty, a);
            return self.seq(m.d(v).a(x).mem(base, MReg::NONE, 1, 0));
        }
        let load = if commutative { self.take_either_load(ty, &mut a, &mut b) } else { self.take_load(ty, b) };
        if let Some(load) = load {
            let address = self.mem_operand(load);
            let x = self.value(ty, a);
            return self.seq(address.apply(m.d(v).a(x)));
        }
        let (x, y) = (self.value(ty, a), self.value(ty, b));
        self.seq(MInst::new(op, between, size_of(ty)).d(v).a(x).b(y));
    }

    /// Selects `fneg fabs`: an operation on the sign bit.
    pub(super) fn float_sign(&mut self, d: &InstData) {
        let v = self.dst(d);
        let sign = d.ty.as_word().sign_bit();
        let (op, mask) = if d.op == Opcode::Fneg { (op::XorF, sign) } else { (op::AndF, sign - 1) };
        let mask = self.pool_mask(d.ty, mask);
        let x = self.value(d.ty, d.first());
        self.seq(MInst::new(op, self.float_forms().1, Size::S128).d(v).a(x).mem(mask, MReg::NONE, 1, 0));
    }
    /// Selects `fcopysign`: the sign bit of one and the other bits of the other.
    pub(super) fn copysign(&mut self, d: &InstData) {
        let v = self.dst(d);
        let sign = d.ty.as_word().sign_bit();
        let (between, with_memory) = self.float_forms();
        let and = MInst::new(op::AndF, with_memory, Size::S128);
        let sign_at = self.pool_mask(d.ty, sign);
        if let Some(k) = self.const_of(d.first()) {
            let magnitude = self.pool_mask(d.ty, k as u64 & (sign - 1));
            let y = self.value(d.ty, d.second());
            let sign = self.temp(d.ty);
            self.seq(and.d(sign).a(y).mem(sign_at, MReg::NONE, 1, 0));
            let or = MInst::new(op::OrF, with_memory, Size::S128);
            return self.seq(or.d(v).a(sign).mem(magnitude, MReg::NONE, 1, 0));
        }
        let rest_at = self.pool_mask(d.ty, sign - 1);
        let (x, y) = (self.value(d.ty, d.first()), self.value(d.ty, d.second()));
        let (rest, sign) = (self.temp(d.ty), self.temp(d.ty));
        self.seq(and.d(rest).a(x).mem(rest_at, MReg::NONE, 1, 0));
        self.seq(and.d(sign).a(y).mem(sign_at, MReg::NONE, 1, 0));
        self.seq(MInst::new(op::OrF, between, Size::S128).d(v).a(rest).b(sign));
    }
    /// Selects `fsqrt`.
    pub(super) fn sqrt(&mut self, d: &InstData) {
        let v = self.dst(d);
        let x = self.value(d.ty, d.first());
        self.seq(MInst::new(op::SqrtF, Form::DA, size_of(d.ty)).d(v).a(x));
    }
    /// Selects `fceil ffloor ftrunc fnearest`, from v2 on. Bit 3 of the mode suppresses the exception for inexact
    /// results.
    pub(super) fn round(&mut self, d: &InstData) {
        let v = self.dst(d);
        let mode = match d.op {
            Opcode::Fnearest => 8,
            Opcode::Ffloor => 9,
            Opcode::Fceil => 10,
            _ => 11,
        };
        let x = self.value(d.ty, d.first());
        self.seq(MInst::new(op::RoundF, Form::DAI, size_of(d.ty)).d(v).a(x).imm(mode));
    }
    /// Selects `fma`: below v3 it is a call of the C library. From v3 on product and addend may be negated: except for
    /// the sign of a NaN, which is unspecified, the result equals the result with negated operands.
    pub(super) fn fma(&mut self, i: Inst, d: &InstData) {
        let v = self.dst(d);
        let (mut a, (mut b, mut c)) = (d.first(), self.f.operands_bc(i));
        if self.cpu >= Cpu::V3 {
            let product = self.take_negation(&mut a) != self.take_negation(&mut b);
            let op = match (product, self.take_negation(&mut c)) {
                (false, false) => op::Fma,
                (false, true) => op::Fms,
                (true, false) => op::Fnma,
                (true, true) => op::Fnms,
            };
            return self.fused(MInst::new(op, Form::DABX, size_of(d.ty)).d(v), d.ty, [a, b, c]);
        }
        let [x, y, z] = [a, b, c].map(|o| self.value(d.ty, o));
        let name = if d.ty == Type::F32 { "fmaf" } else { "fma" };
        self.runtime_call(name, &[(x, xmm(0)), (y, xmm(1)), (z, xmm(2))], Some((v, xmm(0))));
    }
    /// Selects an instruction like `fma` with its operands. One of them may be in memory: a load rather than a
    /// constant. The third register is where an index would be.
    fn fused(&mut self, mut fma: MInst, ty: Type, operands: [Operand; 3]) {
        let (mut loaded, mut in_memory) = ([None; 3], None);
        for (n, constant) in [(2, false), (1, false), (0, false), (2, true), (1, true), (0, true)] {
            let address = match self.const_of(operands[n]) {
                Some(k) if constant && k != 0 => Amode::base_disp(self.pool_constant(ty, k as u64), 0),
                None if !constant => match self.take_load(ty, operands[n]) {
                    Some(load) => self.mem_operand(load),
                    None => continue,
                },
                _ => continue,
            };
            if address.index.is_none() {
                in_memory = Some((n, address));
                break;
            }
            let v = self.temp(ty);
            self.seq(address.apply(MInst::new(op::MovF, Form::DM, size_of(ty)).d(v)));
            loaded[n] = Some(v);
        }
        let (first, last) = match in_memory {
            Some((2, _)) => (0, 1),
            Some((n, _)) => (1 - n, 2),
            None => (0, 2),
        };
        let register = |s: &mut Self, n: usize| loaded[n].unwrap_or_else(|| s.value(ty, operands[n]));
        let (x, z) = (register(self, first), register(self, last));
        fma = match in_memory {
            Some((n, address)) => {
                fma.form = if n == 2 { Form::DAXM } else { Form::DAMX };
                address.apply(fma)
            }
            None => fma.b(register(self, 1)),
        };
        fma.x = z.into();
        self.seq(fma.a(x));
    }
    /// Replaces an operand that is the only use of a negation by the negated value.
    fn take_negation(&mut self, o: &mut Operand) -> bool {
        let Some(r) = o.as_reg() else { return false };
        let Some(negation) = self.sole_def(r).map(|i| *self.f.inst(i)).filter(|d| d.op == Opcode::Fneg) else {
            return false;
        };
        self.fold(r);
        *o = negation.first();
        true
    }
    /// Returns the forms of an operation of two floats. The second is in a register or in memory. From v3 on the result
    /// has a register of its own.
    pub(super) fn float_forms(&self) -> (Form, Form) {
        if self.cpu >= Cpu::V3 { (Form::DAB, Form::DAM) } else { (Form::DTB, Form::DTM) }
    }

    /// Selects `sitofp uitofp fptosi fpext fptrunc bitcast`, between i32, i64 and floats; `uitofp` from i64.
    pub(super) fn float_convert(&mut self, d: &InstData) {
        let v = self.dst(d);
        let to = d.to_type();
        let (op, size) = match (d.op, d.ty, to) {
            (Opcode::Sitofp, Type::I32, _) => (op::CvtI32F, size_of(to)),
            (Opcode::Sitofp, ..) => (op::CvtI64F, size_of(to)),
            (Opcode::Uitofp, ..) => (op::CvtU64F, size_of(to)),
            (Opcode::Fptosi, _, Type::I32) => (op::CvtFI32, size_of(d.ty)),
            (Opcode::Fptosi, ..) => (op::CvtFI64, size_of(d.ty)),
            (Opcode::Bitcast, from, _) if from.is_int() => (op::MovIF, size_of(from)),
            (Opcode::Bitcast, from, _) => (op::MovFI, size_of(from)),
            _ => (op::CvtFF, size_of(to)),
        };
        // A sequence of several instructions reads its operand more than once.
        let load = if op == op::CvtU64F { None } else { self.take_load(d.ty, d.first()) };
        if let Some(load) = load {
            let m = self.mem_operand(load);
            // The bits of a value in memory are loaded in the other class.
            let op = match op {
                op::MovIF => op::MovF,
                op::MovFI => op::Mov,
                op => op,
            };
            return self.seq(m.apply(MInst::new(op, Form::DM, size).d(v)));
        }
        let x = self.value(d.ty, d.first());
        self.seq(MInst::new(op, Form::DA, size).d(v).a(x));
    }
}
