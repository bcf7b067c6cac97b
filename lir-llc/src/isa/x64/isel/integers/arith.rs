//! Integer arithmetic, shifts, and division.

use crate::isa::x64::isel::constants::immediate;
use crate::isa::x64::isel::{Isel, alu_size, size_of};
use crate::isa::x64::{Cond, Cpu, op};
use crate::mir::{Form, MBase, MInst, MOp, Size, VReg};
use lir_syntax::ir::{EntityRef, InstData, Opcode, Operand, Type};

impl Isel<'_> {
    /// Selects `add sub mul and or xor`.
    pub(in crate::isa::x64::isel) fn binary(&mut self, d: &InstData) {
        if self.sum(d) {
            return;
        }
        let v = self.dst(d);
        let size = alu_size(d.ty);
        let commutative = d.op != Opcode::Sub;
        let (mut a, mut b) = (d.first(), d.second());
        if commutative && (self.const_of(a).is_some() && self.const_of(b).is_none() || self.are_high_and_low(d)) {
            std::mem::swap(&mut a, &mut b);
        }
        if let Some(k) = self.const_of(b)
            && let Some(imm) = immediate(size, k)
        {
            return self.binary_const(d, v, a, k, imm);
        }
        let op = match d.op {
            Opcode::Add => op::Add,
            Opcode::Sub => op::Sub,
            Opcode::Mul => op::Imul,
            Opcode::And => op::And,
            Opcode::Or => op::Or,
            _ => op::Xor,
        };
        if op == op::Sub && self.const_of(a) == Some(0) {
            let x = self.value(d.ty, b);
            return self.seq(MInst::new(op::Neg, Form::DT, size).d(v).a(x));
        }
        if d.ty.bits() >= 32 && self.cpu >= Cpu::V3 && matches!(op, op::And | op::Xor) && self.bit_trick(d, v) {
            return;
        }
        // A narrow operand in memory has no upper bits, so only whole ones are folded.
        if d.ty.bits() >= 32 {
            let load = if commutative { self.take_either_load(d.ty, &mut a, &mut b) } else { self.take_load(d.ty, b) };
            if let Some(load) = load {
                let m = self.mem_operand(load);
                let x = self.value(d.ty, a);
                return self.seq(m.apply(MInst::new(op, Form::DTM, size).d(v).a(x)));
            }
        }
        let (x, y) = (self.value(d.ty, a), self.value(d.ty, b));
        self.seq(MInst::new(op, Form::DTB, size).d(v).a(x).b(y));
    }

    /// Selects bit operations that BMI1 has one instruction for, from v3 on:
    ///
    /// ```text
    /// x & (x - 1)   => blsr x
    /// x & -x        => blsi x
    /// x ^ (x - 1)   => blsmsk x
    /// ~x & y        => andn x, y
    /// ```
    fn bit_trick(&mut self, d: &InstData, v: VReg) -> bool {
        for (x, y) in [(d.first(), d.second()), (d.second(), d.first())] {
            let Some((r, i)) = y.as_reg().and_then(|r| Some((r, self.sole_def(r)?))) else { continue };
            let e = *self.f.inst(i);
            let is = |k| self.const_of(e.second()) == Some(k);
            let of_x = || e.first() == x && e.ty == d.ty;
            let op = match (d.op, e.op) {
                (Opcode::And, Opcode::Add) if of_x() && is(-1) => op::Blsr,
                (Opcode::And, Opcode::Sub) if of_x() && is(1) => op::Blsr,
                (Opcode::And, Opcode::Neg) if of_x() => op::Blsi,
                (Opcode::Xor, Opcode::Add) if of_x() && is(-1) => op::Blsmsk,
                (Opcode::Xor, Opcode::Sub) if of_x() && is(1) => op::Blsmsk,
                (Opcode::And, Opcode::Not) => op::Andn,
                (Opcode::And, Opcode::Xor) if is(-1) => op::Andn,
                _ => continue,
            };
            self.fold(r);
            let size = alu_size(d.ty);
            let z = self.value(d.ty, e.first());
            if op == op::Andn {
                let load = self.take_load(d.ty, x);
                let m = match load {
                    Some(load) => self.mem_operand(load).apply(MInst::new(op, Form::DAM, size)),
                    None => {
                        let x = self.value(d.ty, x);
                        MInst::new(op, Form::DAB, size).b(x)
                    }
                };
                self.seq(m.d(v).a(z));
            } else {
                self.seq(MInst::new(op, Form::DA, size).d(v).a(z));
            }
            return true;
        }
        false
    }

    fn binary_const(&mut self, d: &InstData, v: VReg, a: Operand, k: i64, imm: i32) {
        let size = alu_size(d.ty);
        if d.op == Opcode::Mul {
            return self.multiply_by(d.ty, v, a, k, imm);
        }
        if d.op == Opcode::And && d.ty.bits() >= 32 {
            let extend = match k {
                0xff => Some(op::MovZx8),
                0xffff => Some(op::MovZx16),
                _ => None,
            };
            if let Some(op) = extend {
                let x = self.value(d.ty, a);
                return self.seq(MInst::new(op, Form::DA, Size::S32).d(v).a(x));
            }
        }
        let x = self.value(d.ty, a);
        let (op, imm) = match d.op {
            Opcode::Xor if imm == -1 => return self.seq(MInst::new(op::Not, Form::DT, size).d(v).a(x)),
            Opcode::Add => (op::Add, imm),
            // x - k is x + -k, which `lea` can do, except for the least immediate, which has no negative.
            Opcode::Sub if imm == i32::MIN => (op::Sub, imm),
            Opcode::Sub => (op::Add, -imm),
            Opcode::And => (op::And, imm),
            Opcode::Or => (op::Or, imm),
            _ => (op::Xor, imm),
        };
        self.seq(MInst::new(op, Form::DTI, size).d(v).a(x).imm(imm));
    }

    /// Makes a product with a constant: a shift, `lea`, or `imul` with an immediate.
    fn multiply_by(&mut self, ty: Type, v: VReg, a: Operand, k: i64, imm: i32) {
        let size = alu_size(ty);
        let bits = ty.as_word().truncate(k as u64);
        if bits.is_power_of_two() {
            let x = self.value(ty, a);
            return self.shift_imm(op::Shl, size, v, x, bits.trailing_zeros());
        }
        if let 3 | 5 | 9 = bits {
            let (a, disp) = self.look_through_offset(a, bits as i64);
            let x = self.value(ty, a);
            let m = MInst::new(op::Lea, Form::DM, size).d(v);
            return self.seq(m.mem(MBase::Reg(x.into()), x.into(), bits as u8 - 1, disp));
        }
        if ty.bits() >= 32
            && let Some(load) = self.take_load(ty, a)
        {
            let m = self.mem_operand(load);
            return self.seq(m.apply(MInst::new(op::Imul, Form::DMI, size).d(v).mem_imm(imm)));
        }
        let x = self.value(ty, a);
        self.seq(MInst::new(op::Imul, Form::DAI, size).d(v).a(x).imm(imm));
    }

    pub(in crate::isa::x64::isel) fn shift_imm(&mut self, op: MOp, size: Size, v: VReg, x: VReg, amount: u32) {
        let m = match (amount, size) {
            // Not a copy: 32-bit operations clear the upper half, and `clear_from` relies on that.
            (0, Size::S32) => MInst::new(op::MovZx32, Form::DA, Size::S64),
            (0, _) => MInst::new(op::Mov, Form::DA, size),
            _ => MInst::new(op, Form::DTI, size).imm(amount as i32),
        };
        self.seq(m.d(v).a(x));
    }

    /// Selects `shl lshr ashr rotl rotr`. Below 32 bits: shifts right extend first, and variable amounts are cut to the
    /// width by hand, where the hardware cuts to 5 bits; rotations exist at every width.
    pub(in crate::isa::x64::isel) fn shift(&mut self, d: &InstData) {
        if self.sum(d) {
            return;
        }
        let v = self.dst(d);
        let narrow = d.ty.bits() < 32;
        let (imm_op, cl_op) = match d.op {
            Opcode::Shl => (op::Shl, op::ShlCl),
            Opcode::Lshr => (op::Shr, op::ShrCl),
            Opcode::Ashr => (op::Sar, op::SarCl),
            Opcode::Rotl => (op::Rol, op::RolCl),
            _ => (op::Ror, op::RorCl),
        };
        let rotation = matches!(d.op, Opcode::Rotl | Opcode::Rotr);
        let size = if rotation { size_of(d.ty) } else { alu_size(d.ty) };
        let x = match d.op {
            Opcode::Lshr if narrow => self.extended(d.ty, d.first(), false, Size::S32),
            Opcode::Ashr if narrow => self.extended(d.ty, d.first(), true, Size::S32),
            _ => self.value(d.ty, d.first()),
        };
        if let Some(k) = self.const_of(d.second()) {
            let w = d.ty.as_word();
            let right = w.shift_amount(if d.op == Opcode::Rotl { k.wrapping_neg() } else { k } as u64);
            let others = d.first().as_reg().is_some_and(|r| self.s.facts[r.index()].uses > 1);
            if rotation && !narrow && right != 0 && others && self.cpu >= Cpu::V3 {
                return self.seq(MInst::new(op::Rorx, Form::DAI, size).d(v).a(x).imm(right as i32));
            }
            return self.shift_imm(imm_op, size, v, x, w.shift_amount(k as u64));
        }
        let amount = self.without_mask(d);
        let mut amount = self.value(d.ty, amount);
        if narrow && !rotation {
            let cut = self.temp(Type::I32);
            self.seq(MInst::new(op::And, Form::DTI, Size::S32).d(cut).a(amount).imm(d.ty.bits() as i32 - 1));
            amount = cut;
        }
        let free_op = match d.op {
            Opcode::Shl => op::Shlx,
            Opcode::Lshr => op::Shrx,
            _ => op::Sarx,
        };
        let m = match self.cpu >= Cpu::V3 && !rotation {
            true => MInst::new(free_op, Form::DAB, size),
            false => MInst::new(cl_op, Form::DTB, size),
        };
        self.seq(m.d(v).a(x).b(amount));
    }
    /// Returns the amount of a shift without a mask that the shift applies anyway.
    fn without_mask(&mut self, d: &InstData) -> Operand {
        let Some(r) = d.second().as_reg() else { return d.second() };
        let Some(i) = self.def_ahead(r) else { return d.second() };
        let mask = *self.f.inst(i);
        let width = d.ty.bits() as i64 - 1;
        let covers = mask.op == Opcode::And && self.const_of(mask.second()).is_some_and(|k| k & width == width);
        if !covers || d.ty.bits() < 32 || !self.reads_only_single(i) {
            return d.second();
        }
        self.fold(r);
        mask.first()
    }

    /// Selects `sdiv udiv srem urem`.
    pub(in crate::isa::x64::isel) fn division(&mut self, d: &InstData) {
        let v = self.dst(d);
        let signed = matches!(d.op, Opcode::Sdiv | Opcode::Srem);
        let remainder = matches!(d.op, Opcode::Srem | Opcode::Urem);
        let divisor = self.const_of(d.second());
        if let Some(k) = divisor
            && d.ty.bits() >= 32
        {
            let bits = d.ty.as_word().truncate(k as u64);
            if bits.is_power_of_two() && (!signed || k > 0) {
                return self.divide_by_power(d, v, bits.trailing_zeros(), signed, remainder);
            }
        }
        // Quotients of narrow signed numbers are done at their width, where the hardware traps on overflow.
        let native = signed && !remainder && d.ty.bits() < 32;
        let size = if native { size_of(d.ty) } else { alu_size(d.ty) };
        let wide = |s: &mut Self, o| {
            if d.ty.bits() >= 32 || native { s.value(d.ty, o) } else { s.extended(d.ty, o, signed, Size::S32) }
        };
        let a = wide(self, d.first());
        let safe = d.ty.bits() < 32 || !self.may_be_minus_one(d);
        let op = match (signed, remainder) {
            (true, false) => op::IdivQuot,
            (true, true) if safe => op::IdivRemSafe,
            (true, true) => op::IdivRem,
            (false, false) => op::DivQuot,
            (false, true) => op::DivRem,
        };
        if (d.ty.bits() >= 32 || native)
            && op != op::IdivRem
            && let Some(load) = self.take_load(d.ty, d.second())
        {
            let m = self.mem_operand(load);
            return self.seq(m.apply(MInst::new(op, Form::DAM, size).d(v).a(a)));
        }
        let b = wide(self, d.second());
        self.seq(MInst::new(op, Form::DAB, size).d(v).a(a).b(b));
    }

    /// Division by 2^n: unsigned a shift or mask. Signed with 2^n - 1 added to negative dividends first, so that the
    /// shift rounds toward zero. Source: H. S. Warren, "Hacker's Delight", 2nd edition, 2012, section 10-1.
    fn divide_by_power(&mut self, d: &InstData, v: VReg, n: u32, signed: bool, remainder: bool) {
        let (ty, size, bits) = (d.ty, alu_size(d.ty), d.ty.bits());
        let x = self.value(ty, d.first());
        if !signed {
            if !remainder {
                return self.shift_imm(op::Shr, size, v, x, n);
            }
            let mask = ty.as_word().low_mask(n) as i64;
            return match immediate(size, mask) {
                Some(imm) => self.seq(MInst::new(op::And, Form::DTI, size).d(v).a(x).imm(imm)),
                None => {
                    let m = self.make_constant(ty, mask);
                    self.seq(MInst::new(op::And, Form::DTB, size).d(v).a(x).b(m));
                }
            };
        }
        if n == 0 {
            return match remainder {
                true => self.seq(MInst::new(op::Mov, Form::DI, Size::S32).d(v).imm(0)),
                false => self.seq(MInst::new(op::Mov, Form::DA, size).d(v).a(x)),
            };
        }
        let sign = if n == 1 {
            x
        } else {
            let s = self.temp(ty);
            self.seq(MInst::new(op::Sar, Form::DTI, size).d(s).a(x).imm(bits as i32 - 1));
            s
        };
        let bias = self.temp(ty);
        self.seq(MInst::new(op::Shr, Form::DTI, size).d(bias).a(sign).imm((bits - n) as i32));
        let sum = self.temp(ty);
        self.seq(MInst::new(op::Add, Form::DTB, size).d(sum).a(x).b(bias));
        if !remainder {
            return self.shift_imm(op::Sar, size, v, sum, n);
        }
        // x - (x + bias with the low n bits clear).
        let whole = self.temp(ty);
        match immediate(size, -1i64 << n) {
            Some(imm) => self.seq(MInst::new(op::And, Form::DTI, size).d(whole).a(sum).imm(imm)),
            None => {
                let mask = self.make_constant(ty, -1i64 << n);
                self.seq(MInst::new(op::And, Form::DTB, size).d(whole).a(sum).b(mask));
            }
        }
        self.seq(MInst::new(op::Sub, Form::DTB, size).d(v).a(x).b(whole));
    }

    /// Selects `smulh umulh` of i32 and i64: one operand in rax, the other in a register or in memory. At i32 a
    /// constant is made in eax at once; at i64, where that is long, it may be kept elsewhere.
    pub(in crate::isa::x64::isel) fn high_product(&mut self, d: &InstData) {
        let v = self.dst(d);
        let op = if d.op == Opcode::Smulh { op::ImulHigh } else { op::MulHigh };
        let (mut a, mut b) = (d.first(), d.second());
        let load = self.take_either_load(d.ty, &mut a, &mut b);
        let size = size_of(d.ty);
        if let Some(load) = load {
            let m = self.mem_operand(load);
            let x = self.value(d.ty, a);
            return self.seq(m.apply(MInst::new(op, Form::DAM, size).d(v).a(x)));
        }
        if d.ty == Type::I32 && self.const_of(b).is_some() {
            std::mem::swap(&mut a, &mut b);
        }
        let (x, y) = (self.value(d.ty, a), self.value(d.ty, b));
        self.seq(MInst::new(op, Form::DAB, size).d(v).a(x).b(y));
    }

    /// Selects `neg not bswap`.
    pub(in crate::isa::x64::isel) fn unary(&mut self, d: &InstData) {
        let v = self.dst(d);
        let x = self.value(d.ty, d.first());
        let m = match (d.op, d.ty) {
            (Opcode::Neg, _) => MInst::new(op::Neg, Form::DT, alu_size(d.ty)),
            (Opcode::Not, _) => MInst::new(op::Not, Form::DT, alu_size(d.ty)),
            (_, Type::I8) => MInst::new(op::Mov, Form::DA, Size::S32),
            (_, Type::I16) => MInst::new(op::Rol, Form::DTI, Size::S16).imm(8),
            (_, Type::I128) => unreachable!("`expand-wide` comes first"),
            (_, Type::I32 | Type::I64 | Type::F32 | Type::F64) => MInst::new(op::Bswap, Form::DT, alu_size(d.ty)),
        };
        self.seq(m.d(v).a(x));
    }

    /// Selects `clz ctz` of i32 and i64. `bsf` and `bsr` have no result for 0 but set the zero flag: a move writes the
    /// answer. For `clz` the number of the highest bit is inverted by an exclusive or with width - 1. From v3 on there
    /// are instructions that know about 0.
    pub(in crate::isa::x64::isel) fn count_zeros(&mut self, d: &InstData) {
        let v = self.dst(d);
        let (size, bits) = (alu_size(d.ty), d.ty.bits() as i64);
        let leading = d.op == Opcode::Clz;
        let x = self.value(d.ty, d.first());
        if self.cpu >= Cpu::V3 {
            let op = if leading { op::Lzcnt } else { op::Tzcnt };
            return self.seq(MInst::new(op, Form::DA, size).d(v).a(x));
        }
        let for_zero = self.make_constant(d.ty, if leading { 2 * bits - 1 } else { bits });
        let found = self.temp(d.ty);
        let op = if leading { op::Bsr } else { op::Bsf };
        self.seq(MInst::new(op, Form::DA, size).d(found).a(x));
        let pick = MInst::new(op::Cmov, Form::DTB, size).a(found).b(for_zero).cond(Cond::E);
        if leading {
            let number = self.temp(d.ty);
            self.seq(pick.d(number));
            self.seq(MInst::new(op::Xor, Form::DTI, size).d(v).a(number).imm(bits as i32 - 1));
        } else {
            self.seq(pick.d(v));
        }
    }

    /// Selects `popcnt` of i32 and i64.
    pub(in crate::isa::x64::isel) fn count_ones(&mut self, d: &InstData) {
        let v = self.dst(d);
        let x = self.value(d.ty, d.first());
        self.seq(MInst::new(op::Popcnt, Form::DA, alu_size(d.ty)).d(v).a(x));
    }

    /// Selects `%d = copy T %a`.
    pub(in crate::isa::x64::isel) fn copy(&mut self, d: &InstData) {
        if self.share_register(d) {
            return;
        }
        let v = self.dst(d);
        if let Some(k) = self.const_of(d.first()) {
            let how = self.constant_inst(d.ty, k);
            return self.seq(how.d(v));
        }
        let x = self.value(d.ty, d.first());
        self.seq(self.move_inst(d.ty).d(v).a(x));
    }
    /// Returns a copy between registers of a type's class, without operands.
    pub(in crate::isa::x64::isel) fn move_inst(&self, ty: Type) -> MInst {
        let op = if ty.is_float() { op::MovF } else { op::Mov };
        MInst::new(op, Form::DA, if ty.is_float() { size_of(ty) } else { Size::S64 })
    }
}
