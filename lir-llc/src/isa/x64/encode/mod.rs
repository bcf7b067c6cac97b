//! The encoder: bytes of single instructions whose operands are hardware registers, memory operands and immediates.
//!
//! [`recipe`] compiles the encodings of the instruction table; [`Code::put`] executes a recipe. Code that a table of
//! encodings does not express (constants into registers, jumps, the pieces of a frame) has methods of its own in
//! [`special`]. Every choice takes the shortest encoding that leaves registers and flags as the op specifies.
//!
//! Source: Intel SDM volume 2, chapter 2 (instruction format) and chapters 3 to 5 (opcodes).

pub mod buffer;
pub mod journal;
pub mod recipe;
pub mod special;

use crate::mir::MOp;
pub use buffer::Code;
pub use journal::{Entry, Hardware};

use super::Cond;
use crate::isa::x64::notation::{Imm, ModRm, Recipe};
use crate::mir::{Form, Size};
use buffer::Window;
use recipe::{SIZE_EFFECTS, SizeEffect};

/// The base of an encoded address.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Base {
    /// None if the address is an index or a displacement alone.
    None,
    /// A general register, 0 to 15.
    Reg(u8),
    /// The end of the instruction. Without an index.
    Rip,
}

/// A memory operand in hardware terms.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Addr {
    /// Base.
    pub base: Base,
    /// Index register, 0 to 15 but not 4 (rsp); 4 means none.
    pub index: u8,
    /// Log2 of the scale: 0 to 3.
    pub scale: u8,
    /// Displacement.
    pub disp: i32,
    /// The displacement takes 4 bytes, whatever its value: a relocation fills it in.
    pub wide: bool,
}

/// No index, in [`Addr::index`].
pub const NO_INDEX: u8 = 4;

impl Addr {
    /// `[base + disp]`.
    #[inline]
    pub const fn base(base: u8, disp: i32) -> Addr {
        Addr { base: Base::Reg(base), index: NO_INDEX, scale: 0, disp, wide: false }
    }
    /// `[rip + disp]`, to be relocated.
    #[inline]
    pub const fn rip() -> Addr {
        Addr { base: Base::Rip, index: NO_INDEX, scale: 0, disp: 0, wide: true }
    }
    /// The same address in the form with the shortest encoding: an unscaled index is better a base, `x*2` is `x + x`,
    /// and rbp and r13 are better indexes.
    #[inline]
    pub fn shortest(mut self) -> Addr {
        match self.base {
            Base::None if self.index != NO_INDEX => match self.scale {
                0 => (self.base, self.index) = (Base::Reg(self.index), NO_INDEX),
                1 => (self.base, self.scale) = (Base::Reg(self.index), 0),
                _ => {}
            },
            Base::Reg(b) if self.scale == 0 && self.index != NO_INDEX => {
                let needs_disp = self.disp == 0 && !self.wide && b & 7 == 5 && self.index & 7 != 5;
                if needs_disp {
                    (self.base, self.index) = (Base::Reg(self.index), b);
                }
            }
            _ => {}
        }
        self
    }
}

/// The operands of an instruction to be encoded. The ones that the form has are read.
#[derive(Copy, Clone, Debug)]
pub struct Operands {
    /// Register fields, 0 to 15 in their file: `d`, `a`, `b`.
    pub regs: [u8; 3],
    /// Immediate.
    pub imm: i32,
    /// Memory operand.
    pub mem: Addr,
}

/// The opcode of `movaps` into its first operand, after `0F`; with bit 0 set it is into its second.
const MOVAPS: u8 = 0x28;

/// In [`ROLES`]: the memory operand.
const MEM: u8 = 3;

/// The register fields of ModRM by form: the field of the register, of r/m (3: memory), and of r/m with an opcode
/// digit.
static ROLES: [[u8; 3]; Form::ALL.len()] = {
    const D: u8 = 0;
    const A: u8 = 1;
    const B: u8 = 2;
    let mut roles = [[D, MEM, MEM]; Form::ALL.len()];
    let mut k = 0;
    while k < roles.len() {
        roles[k] = match Form::ALL[k].0 {
            Form::None | Form::D | Form::DI | Form::DI64 | Form::DT | Form::DTI => [D, D, D],
            Form::DA | Form::DAI => [D, A, A],
            Form::DAB | Form::DABX | Form::B => [D, B, B],
            Form::DTB => [D, B, D],
            Form::DM | Form::DMI | Form::DTM | Form::DAM | Form::DAMX | Form::DAXM | Form::MI | Form::M => {
                [D, MEM, MEM]
            }
            Form::AB => [A, B, A],
            Form::AI => [A, A, A],
            Form::AM | Form::MA => [A, MEM, MEM],
        };
        k += 1;
    }
    roles
};

/// True if an immediate fits 8 bits, sign-extended.
#[inline]
fn fits_i8(n: i32) -> bool {
    n == n as i8 as i32
}

impl Code {
    /// Appends an instruction that has a recipe. Returns the offset of the displacement, where it takes
    /// 4 bytes.
    ///
    /// Registers that the encoding fixes (rax of a division, cl of a shift) are not among the operands that are read.
    #[inline]
    pub fn put(&mut self, op: MOp, form: Form, size: Size, cond: Cond, o: &Operands) -> u32 {
        let avx = self.has_avx();
        let r = recipe::recipe(op, form, avx);
        debug_assert!(r.exists(), "{op:?} has no encoding in form {form:?}");
        debug_assert!(!(cond as u8 > 15 && r.takes_cond()), "a condition of two");
        self.note(|| Hardware::Row { op, form, size, cond, avx, operands: *o });
        self.put_recipe(r, form, size, cond as u8, o)
    }

    #[inline]
    fn put_recipe(&mut self, r: &Recipe, form: Form, size: Size, cond: u8, o: &Operands) -> u32 {
        let effect = &SIZE_EFFECTS[r.size as usize][size as usize % Size::ALL.len()];
        let mut opcode = r.opcode ^ effect.opcode;
        if r.takes_cond() {
            opcode = opcode.wrapping_add(cond);
        }
        if r.is_vex() {
            return self.vex(r, effect, opcode, form, o);
        }
        let (imm_bytes, opcode) = immediate(r, opcode, effect, o.imm);
        let start = self.len();
        let disp_at = self.instruction(|w| {
            w.prefixes(r.prefix, effect.prefix);
            let disp_at = w.operands(r, effect, opcode, ROLES[form as usize], o);
            w.immediate(imm_bytes, r.immediate(o.imm));
            disp_at
        });
        (start + disp_at) as u32
    }

    /// Writes an instruction with a VEX prefix: of two bytes where map, W, X and B allow it, else of three.
    fn vex(&mut self, r: &Recipe, effect: &SizeEffect, mut opcode: u8, form: Form, o: &Operands) -> u32 {
        let [d, a, b] = o.regs;
        let [first, second, _] = ROLES[form as usize].map(|k| o.regs[k as usize % 3]);
        let (mut reg, vex, mut rm) = match r.modrm {
            ModRm::RegVexRm => (d, a, b),
            ModRm::RegRmVex => (d, b, a),
            ModRm::VexRegRm => (first, 0, second),
            ModRm::VexRmReg => (second, 0, first),
            ModRm::RegRegRm => (first, first, second),
            ModRm::RegRmRm => (first, second, second),
            ModRm::VexDigit(n) => (n, d, a),
            ModRm::Digit(_) | ModRm::Reg | ModRm::Reversed | ModRm::InOpcode | ModRm::None => {
                unreachable!("written without a VEX prefix")
            }
        };
        let memory = form.has_mem().then_some(&o.mem);
        if memory.is_none() && (r.map, opcode) == (1, MOVAPS) && reg < 8 && rm >= 8 {
            // With exchanged operands the short prefix will do.
            (reg, rm, opcode) = (rm, reg, MOVAPS | 1);
        }
        let extensions = memory.map_or(rm >> 3, address_rex);
        let wide = effect.rex >> 3 & 1;
        // Registers and extensions are stored inverted.
        let last = (!vex & 15) << 3 | vex_prefix(r.prefix | effect.prefix);
        let start = self.len();
        let disp_at = self.instruction(|w| {
            if r.map == 1 && wide == 0 && extensions == 0 {
                w.byte(0xc5);
                w.byte((!reg & 8) << 4 | last);
            } else {
                w.byte(0xc4);
                w.byte(!((reg >> 3) << 7 | extensions << 5) & 0xe0 | r.map);
                w.byte(wide << 7 | last);
            }
            w.byte(opcode);
            let disp_at = match memory {
                Some(m) => w.address(reg, m),
                None => {
                    w.byte(0xc0 | (reg & 7) << 3 | rm & 7);
                    0
                }
            };
            w.immediate(if matches!(r.imm, Imm::Byte | Imm::Fixed) { 1 } else { 0 }, r.immediate(o.imm));
            disp_at
        });
        (start + disp_at) as u32
    }
}

/// Returns a mandatory prefix as the bits `pp` of a VEX prefix.
fn vex_prefix(prefix: u8) -> u8 {
    match prefix {
        0 => 0,
        0x66 => 1,
        0xf3 => 2,
        _ => 3,
    }
}

impl Window<'_> {
    /// REX, opcode, ModRM and the bytes after it up to the immediate. Returns the offset of a displacement of 4 bytes.
    #[inline]
    fn operands(&mut self, r: &Recipe, effect: &SizeEffect, opcode: u8, roles: [u8; 3], o: &Operands) -> usize {
        let [reg, rm, rm_of_digit] = roles;
        let field = |k: u8| o.regs[k as usize % 3] & 15;
        let (reg, rm) = match r.modrm {
            ModRm::Reg => (field(reg), rm),
            ModRm::Digit(n) => (n, rm_of_digit),
            ModRm::Reversed => (field(rm), reg),
            ModRm::RegVexRm
            | ModRm::RegRmVex
            | ModRm::VexRegRm
            | ModRm::VexRmReg
            | ModRm::RegRegRm
            | ModRm::RegRmRm
            | ModRm::VexDigit(_) => unreachable!("written with a VEX prefix"),
            ModRm::InOpcode => {
                self.rex(effect.rex | (field(0) >> 3), false);
                self.opcode(r.map, opcode | field(0) & 7);
                return 0;
            }
            ModRm::None => {
                self.rex(effect.rex, false);
                self.opcode(r.map, opcode);
                return 0;
            }
        };
        let byte_reg = effect.bytes && reg >> 2 == 1 && r.modrm == ModRm::Reg;
        if rm == MEM {
            self.rex(effect.rex | (reg >> 3) << 2 | address_rex(&o.mem), byte_reg);
            self.opcode(r.map, opcode);
            return self.address(reg, &o.mem);
        }
        let rm = field(rm);
        let byte_rm = (effect.bytes || r.byte_rm()) && rm >> 2 == 1;
        self.rex(effect.rex | (reg >> 3) << 2 | rm >> 3, byte_rm || byte_reg);
        match (r.opcode, r.imm) {
            // The forms for eax without ModRM, where the immediate has the operand's size.
            (0x81, Imm::Short) if rm == 0 && opcode & 2 == 0 => self.byte(reg << 3 | 4 | opcode & 1),
            (0xf7, Imm::Full) if rm == 0 => self.byte(0xa8 | opcode & 1),
            _ => {
                self.opcode(r.map, opcode);
                self.byte(0xc0 | (reg & 7) << 3 | rm & 7);
            }
        }
        0
    }
}

/// Returns the number of bytes of the immediate, and the opcode with its bit for the short form.
#[inline]
fn immediate(r: &Recipe, opcode: u8, effect: &SizeEffect, imm: i32) -> (u8, u8) {
    let full = if effect.bytes {
        1
    } else if effect.prefix == 0x66 {
        2
    } else {
        4
    };
    match r.imm {
        Imm::None => (0, opcode),
        Imm::Byte | Imm::Fixed => (1, opcode),
        Imm::Full => (full, opcode),
        Imm::Short if full > 1 && fits_i8(if full == 2 { imm as i16 as i32 } else { imm }) => (1, opcode | 2),
        Imm::Short => (full, opcode),
        Imm::Shift if imm == 1 => (0, opcode | 0x10),
        Imm::Shift => (1, opcode),
    }
}

/// Returns the bits X and B of an address.
#[inline]
fn address_rex(m: &Addr) -> u8 {
    let base = match m.base {
        Base::Reg(b) => b >> 3 & 1,
        Base::None | Base::Rip => 0,
    };
    (m.index >> 3 & 1) << 1 | base
}
