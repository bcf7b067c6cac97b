//! Comparisons of some bits of a value with zero: `test`, `bt` or `cmp`, on the value that has the bits.
//!
//! # Example
//!
//! ```text
//! %w = load i32 [%p + 8]
//! %s = shl i32 %w, 20                   =>      test byte ptr [rdi + 9], 8
//! br slt i32 %s, 0, a, b                        jne a
//! ```
//!
//! # Algorithm
//!
//! 1. The comparison asks whether any bit of a value under a mask is one; the mask starts as all bits (`eq`, `ne`) or
//!    as the sign (`slt`, `sge`).
//! 2. While the value is an `and` with a constant, a shift by a constant, or a conversion, and this is its only use,
//!    the question is asked of its operand, under another mask. A shift right by a register under the mask 1 is `bt`,
//!    and so is an `and` with `1 << n`.
//! 3. Select the shortest instruction that tests the bits: of a load that may move here (`Isel::take_load`) the one
//!    byte or the four that have them; of a register the lowest part. A single bit beyond an immediate is `bt`; where
//!    the mask is all of the part, `cmp` with 0.
//!
//! # Why it is sound
//!
//! Each step of 2 moves the mask with the bits: those that are shifted in are zeros, which the mask drops (with `ashr`
//! and `sext` the step is not taken where it would have copies of the sign). Upper bits of narrow values, which mean
//! nothing, are never under a mask. A narrower access than the load's reads a part of the bytes that the load reads.

use crate::isa::x64::isel::address::Amode;
use crate::isa::x64::isel::{Isel, alu_size, size_of};
use crate::isa::x64::{Cond, op};
use crate::mir::{Form, MInst, Size};
use lir_syntax::ir::{Comparison, InstData, IntCC, Opcode, Operand, Type, Word};

/// Limit on the definitions that a comparison looks through.
const MAX_STEPS: usize = 6;

/// The question whether any bit under a mask is one.
#[derive(Copy, Clone)]
struct Bits {
    ty: Type,
    value: Operand,
    /// Within the width of the type.
    mask: u64,
}

/// The result of the next step.
enum Step {
    /// The same question of another value.
    Bits(Bits),
    /// Bit `amount` (modulo the width) of a value is one.
    Bit(Type, Operand, Operand),
    /// Two values have a one at the same position.
    Both(Type, Operand, Operand),
}

impl Isel<'_> {
    /// Selects the flags of a comparison with 0 and returns its condition. None if the comparison is not about bits.
    pub(in crate::isa::x64::isel) fn bit_flags(&mut self, t: Comparison, cc: IntCC) -> Option<Cond> {
        let (mask, any) = match cc {
            IntCC::Ne => (t.ty.as_word().mask(), Cond::NE),
            IntCC::Eq => (t.ty.as_word().mask(), Cond::E),
            IntCC::Slt if self.is_shifted_left(t.a) => (t.ty.as_word().sign_bit(), Cond::NE),
            IntCC::Sge if self.is_shifted_left(t.a) => (t.ty.as_word().sign_bit(), Cond::E),
            _ => return None,
        };
        let mut bits = Bits { ty: t.ty, value: t.a, mask };
        for _ in 0..MAX_STEPS {
            match self.step(bits) {
                None => break,
                Some(Step::Bits(further)) => bits = further,
                Some(Step::Bit(ty, value, amount)) => {
                    let (x, n) = (self.value(ty, value), self.value(ty, amount));
                    self.seq(MInst::new(op::Bt, Form::AB, size_of(ty)).a(x).b(n));
                    return Some(if any == Cond::NE { Cond::B } else { Cond::AE });
                }
                Some(Step::Both(ty, a, b)) => {
                    self.test_both(ty, a, b);
                    return Some(any);
                }
            }
        }
        if self.test_memory(bits) {
            return Some(any);
        }
        Some(self.test_register(bits, any))
    }
    fn is_shifted_left(&self, o: Operand) -> bool {
        let def = o.as_reg().and_then(|r| self.sole_def(r)).map(|i| self.f.inst(i));
        def.is_some_and(|d| d.op == Opcode::Shl && self.const_of(d.second()).is_some())
    }

    /// Step 2: folds the definition of the value, if possible.
    fn step(&mut self, bits: Bits) -> Option<Step> {
        let r = bits.value.as_reg()?;
        let i = self.sole_def(r).filter(|i| self.in_stretch(*i))?;
        let d = *self.f.inst(i);
        let w = d.ty.as_word();
        let next = match d.op {
            Opcode::Zext => Step::Bits(Bits { ty: d.ty, value: d.first(), mask: bits.mask & w.mask() }),
            Opcode::Sext if bits.mask & !w.mask() == 0 => Step::Bits(Bits { ty: d.ty, value: d.first(), ..bits }),
            Opcode::Trunc => Step::Bits(Bits { ty: d.ty, value: d.first(), ..bits }),
            Opcode::And | Opcode::Shl | Opcode::Lshr | Opcode::Ashr => match self.const_of(d.second()) {
                Some(k) => Step::Bits(Bits { value: d.first(), mask: mask_before(&d, k, bits.mask)?, ..bits }),
                None => self.step_by_register(bits, &d)?,
            },
            _ => return None,
        };
        self.fold(r);
        Some(next)
    }
    fn step_by_register(&mut self, bits: Bits, d: &InstData) -> Option<Step> {
        let wide = d.ty.bits() >= 32;
        match d.op {
            Opcode::Lshr | Opcode::Ashr if wide && bits.mask == 1 => Some(Step::Bit(d.ty, d.first(), d.second())),
            Opcode::And if bits.mask == d.ty.as_word().mask() => {
                let one_of = |o: Operand| {
                    let i = o.as_reg().and_then(|r| self.sole_def(r)).filter(|i| self.in_stretch(*i))?;
                    let s = self.f.inst(i);
                    (wide && s.op == Opcode::Shl && self.const_of(s.first()) == Some(1)).then(|| s.second())
                };
                let (bit, other) = match (one_of(d.first()), one_of(d.second())) {
                    (Some(n), _) => ((d.first(), n), d.second()),
                    (None, Some(n)) => ((d.second(), n), d.first()),
                    (None, None) => return Some(Step::Both(d.ty, d.first(), d.second())),
                };
                self.fold(bit.0.as_reg().expect("a shift's result"));
                Some(Step::Bit(d.ty, other, bit.1))
            }
            _ => None,
        }
    }

    /// Selects `test a, b`, one of which may be in memory.
    pub(in crate::isa::x64::isel) fn test_both(&mut self, ty: Type, a: Operand, b: Operand) {
        let (mut a, mut b, size) = (a, b, size_of(ty));
        let load = self.take_load(ty, b).or_else(|| {
            std::mem::swap(&mut a, &mut b);
            self.take_load(ty, b)
        });
        if let Some(load) = load {
            let m = self.mem_operand(load);
            let x = self.value(ty, a);
            return self.seq(m.apply(MInst::new(op::Test, Form::MA, size).a(x)));
        }
        let (x, y) = (self.value(ty, b), self.value(ty, a));
        self.seq(MInst::new(op::Test, Form::AB, size).a(x).b(y));
    }

    /// Does step 3 of a value in memory, if it can. Returns true if it did.
    fn test_memory(&mut self, bits: Bits) -> bool {
        let Some(part) = part_of(bits.ty, bits.mask) else { return false };
        let Some(load) = self.take_load(bits.ty, bits.value) else { return false };
        let whole = MaskedBytes { offset: 0, size: size_of(bits.ty), imm: bits.mask as i32 };
        let m: Amode = self.mem_operand(load);
        // A displacement that cannot grow is rare: then the whole value is tested, if the mask is an immediate.
        let (m, part) = match m.offset(part.offset) {
            Some(m) => (m, part),
            None if bits.ty.bits() <= 32 => (m, whole),
            None => {
                let v = self.address_in_register(m);
                (Amode::reg(v, part.offset), part)
            }
        };
        let all = part.imm as u64 & part.size_mask() == part.size_mask();
        let op = if all { op::Cmp } else { op::Test };
        let imm = if all { 0 } else { part.imm };
        self.seq(m.apply(MInst::new(op, Form::MI, part.size)).mem_imm(imm));
        true
    }

    /// Step 3 of a value in a register.
    fn test_register(&mut self, bits: Bits, any: Cond) -> Cond {
        let Bits { ty, value, mask } = bits;
        let x = self.value(ty, value);
        let with_itself = |size| MInst::new(op::Test, Form::AB, size).a(x).b(x);
        let with = |size, imm| MInst::new(op::Test, Form::AI, size).a(x).imm(imm);
        let test = match mask {
            0xff => with_itself(Size::S8),
            0xffff => with_itself(Size::S16),
            0xffff_ffff => with_itself(Size::S32),
            u64::MAX => with_itself(Size::S64),
            0..=0xff => with(Size::S8, mask as i32),
            0x100..=0xffff_ffff => with(Size::S32, mask as i32),
            _ if i32::try_from(mask as i64).is_ok() => with(Size::S64, mask as i32),
            _ if mask.is_power_of_two() => {
                self.seq(MInst::new(op::Bt, Form::AI, Size::S64).a(x).imm(mask.trailing_zeros() as i32));
                return if any == Cond::NE { Cond::B } else { Cond::AE };
            }
            _ => {
                let k = self.make_constant(Type::I64, mask as i64);
                MInst::new(op::Test, Form::AB, alu_size(ty)).a(x).b(k)
            }
        };
        self.seq(test);
        any
    }
}

/// Returns the mask of an operand for the mask of the result. The operation is `and`, `shl`, `lshr` or `ashr` with the
/// constant `k`.
fn mask_before(d: &InstData, k: i64, mask: u64) -> Option<u64> {
    let w = d.ty.as_word();
    let (all, by) = (w.mask(), w.shift_amount(k as u64));
    match d.op {
        Opcode::And => Some(mask & k as u64 & all),
        Opcode::Shl => Some(mask >> by),
        Opcode::Lshr => Some(mask << by & all),
        // None of the bits that are copies of the sign.
        _ => (by == 0 || mask >> (w.bits() - by) == 0).then_some(mask << by & all),
    }
}

/// A part of a value in memory.
#[derive(Copy, Clone)]
struct MaskedBytes {
    /// Bytes from the start.
    offset: i32,
    size: Size,
    /// Its part of the mask.
    imm: i32,
}

impl MaskedBytes {
    fn size_mask(self) -> u64 {
        Word::of_bytes(self.size.bytes()).mask()
    }
}

/// Returns the smallest part of a value that has all bits of a mask: one byte, a half of 8 bytes, or the value.
///
/// Two bytes are read only of an i16, for the processor is slow to decode an immediate of that size. None if the mask
/// is not an immediate.
fn part_of(ty: Type, mask: u64) -> Option<MaskedBytes> {
    if mask == 0 {
        return None;
    }
    let byte = mask.trailing_zeros() / 8;
    if mask >> (8 * byte) <= 0xff {
        return Some(MaskedBytes { offset: byte as i32, size: Size::S8, imm: (mask >> (8 * byte)) as i32 });
    }
    match (ty, mask) {
        (Type::I64, 0..=0xffff_ffff) => Some(MaskedBytes { offset: 0, size: Size::S32, imm: mask as i32 }),
        (Type::I64, _) if mask as u32 == 0 => {
            Some(MaskedBytes { offset: 4, size: Size::S32, imm: (mask >> 32) as i32 })
        }
        (Type::I64, _) => i32::try_from(mask as i64).ok().map(|imm| MaskedBytes { offset: 0, size: Size::S64, imm }),
        _ => Some(MaskedBytes { offset: 0, size: size_of(ty), imm: mask as i32 }),
    }
}
