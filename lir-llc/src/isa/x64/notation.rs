//! The notation of the instruction table, and its meaning.
//!
//! It is the notation of the instruction pages of the Intel SDM (volume 2, section 3.1.1.1), made regular:
//!
//! ```text
//! row      = "///" meaning op destination source fixed "[" { property } "]" [ "(" form { form } ")" ] { group }
//! group    = ("fn" | "impl" | "use") names [ meaning ] "{" { operands { operands } ":" encoding } "}"
//! names    = mnemonic | "(" mnemonic mnemonic [ mnemonic ] ")" | "[" mnemonic { mnemonic condition } "]"
//! operands = form [ "(" { field } ")" ] { "|" form }
//! encoding = "[" size opcode [ "+r" | "+cc" ] [ "/" modrm ] [ imm ] "]"
//! ```
//!
//! * `destination`, `source`: the types of the operand `d` and of the others ([`Type`]).
//! * The forms of a row in parentheses have no encoding: emission composes them of others.
//! * A group has the encodings of one mnemonic, which is a method of the assembler: `fn` makes the method, `impl` adds
//!   operands to a method that another row makes, and `use` adds none, since another row has the same operands. Two or
//!   three mnemonics are at 4, 8 and 16 bytes. In brackets is one that takes a condition, with its method for each. If
//!   a mnemonic exists with several numbers of operands, the name ends in `_1` or `_3` unless it has two.
//! * `field`: the operands in Intel's order, where they are not the usual ones of the form ([`Field`]). The forms after
//!   `|` have the same operands.
//! * `size`: the effect of the operand size ([`SizeRule`]).
//! * `opcode`: its bytes with prefix and escape. `+r` adds the register to it, `+cc` the condition.
//! * `modrm`, `imm`: see [`ModRm`] and [`Imm`].
//!
//! For processors with AVX each encoding of an instruction on SSE registers has a twin with a VEX prefix, which is not
//! written down: [`encode::recipe`](super::encode::recipe) derives it.

use crate::mir::{Form, Props, Size};

/// The effect of the operand size on an encoding.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum SizeRule {
    /// `d`: nothing.
    Fixed,
    /// `q`: always REX.W.
    Quad,
    /// `dq`: REX.W at 8 bytes.
    DwordQuad,
    /// `v`: prefix 66 at 2 bytes, REX.W at 8.
    Word,
    /// `bv`: as `v`, and bit 0 of the opcode is clear at 1 byte.
    Byte,
    /// `fs`: prefix F3 at 4 bytes, F2 at 8.
    Scalar,
    /// `fr`: as `fs`, by the size of the result.
    ScalarResult,
    /// `fsq`: as `fs`, with REX.W.
    ScalarQuad,
    /// `fp`: prefix 66 at 8 bytes.
    Packed,
    /// `fi`: bit 0 of the opcode is set at 8 bytes.
    Round,
}

/// The contents of the ModRM byte.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum ModRm {
    /// `/0` to `/7`: an opcode digit, and r/m.
    Digit(u8),
    /// `/r`: register, r/m.
    Reg,
    /// `/mr`: r/m, register.
    Reversed,
    /// `/rvm`: register, `vvvv`, r/m, with a VEX prefix (128 bits; W is REX.W).
    RegVexRm,
    /// `/rmv`: register, r/m, `vvvv`, with a VEX prefix.
    RegRmVex,
    /// `/rm`: register, r/m, with a VEX prefix without `vvvv`.
    VexRegRm,
    /// R/m, register, with a VEX prefix without `vvvv`.
    VexRmReg,
    /// Register, the same in `vvvv`, r/m, with a VEX prefix.
    RegRegRm,
    /// Register, `vvvv` as r/m, r/m, with a VEX prefix.
    RegRmRm,
    /// `/v1` to `/v3`: `vvvv`, r/m, with a VEX prefix, and an opcode digit.
    VexDigit(u8),
    /// No such byte: the register is in the low bits of the opcode.
    InOpcode,
    /// No such byte and no register.
    None,
}

/// The immediate of an encoding.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Imm {
    /// None.
    None,
    /// `ib`: 8 bits.
    Byte,
    /// `iz`: of the operand size, at most 32 bits; 8 bits where it fits, with bit 1 of the opcode set.
    Short,
    /// `iz32`: the same without the short form.
    Full,
    /// `i1`: 8 bits, but none if it is 1, with bit 4 of the opcode set (shifts).
    Shift,
    /// `i=` and a digit: 8 bits, always the digit (the predicate of a comparison of floats).
    Fixed,
}

/// The type of an operand.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Type {
    /// There is no such operand; of memory, an address alone.
    None,
    /// A general register of the operand size.
    R,
    /// A general register of 8 bits.
    Reg8,
    /// A general register of 16 bits.
    Reg16,
    /// A general register of 32 bits.
    Reg32,
    /// A general register of 64 bits.
    Reg64,
    /// An SSE register.
    Xmm,
}

impl Type {
    /// Returns the bytes of an operand, in a general register or in memory.
    pub const fn bytes(self, rule: SizeRule, size: Size) -> u32 {
        match (self, rule, size) {
            (Type::None, ..) => 0,
            (Type::Reg8, ..) => 1,
            (Type::Reg16, ..) => 2,
            (Type::Reg32, ..) | (Type::R, SizeRule::Fixed, _) => 4,
            (Type::Reg64, ..) | (Type::R, SizeRule::Quad, _) => 8,
            // Without a prefix an instruction is of 32 bits.
            (Type::R, SizeRule::DwordQuad, Size::S8 | Size::S16) => 4,
            (Type::Xmm, SizeRule::Fixed, _) => 16,
            (Type::Xmm, SizeRule::ScalarResult, Size::S32) => 8,
            (Type::Xmm, SizeRule::ScalarResult, _) => 4,
            (Type::R | Type::Xmm, ..) => size.bytes(),
        }
    }
    /// Returns the properties by which allocation knows the types of destination and sources.
    pub const fn props(destination: Type, source: Type) -> Props {
        match (destination, source) {
            (Type::Xmm, Type::Xmm) => Props::FLOAT_D.or(Props::FLOAT_AB),
            (Type::Xmm, _) => Props::FLOAT_D,
            (_, Type::Xmm) => Props::FLOAT_AB,
            _ => Props::NONE,
        }
    }
}

/// An operand of an instruction.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Field {
    /// `d`: the register in field `d`, of the destination's type.
    D,
    /// `a`: the register in field `a`, of the source's type.
    A,
    /// `b`: the register in field `b`, of the source's type.
    B,
    /// `cl`: the count of a shift.
    Cl,
    /// `m`: memory of the source's type, whose size follows from the other operands.
    Mem,
    /// `sized`: memory of the source's type, for which the assembler needs the size.
    Sized,
    /// `i`: the immediate.
    Imm,
}

/// The notation's words for [`Field`].
pub(super) mod field {
    pub use super::Field::{A as a, B as b, Cl as cl, D as d, Imm as i, Mem as m, Sized as sized};
}

/// The notation's words for [`SizeRule`].
pub(super) mod rule {
    pub use super::SizeRule::{Byte as bv, DwordQuad as dq, Fixed as d, Quad as q, Word as v};
    pub use super::SizeRule::{Packed as fp, Round as fi, Scalar as fs, ScalarQuad as fsq, ScalarResult as fr};
}

/// The notation's words for [`ModRm`].
#[expect(non_upper_case_globals, reason = "the names are those of the notation")]
pub(super) mod modrm {
    use super::ModRm;
    pub use super::ModRm::{Reg as r, RegRmVex as rmv, RegVexRm as rvm, Reversed as mr, VexRegRm as rm};
    pub const v1: ModRm = ModRm::VexDigit(1);
    pub const v2: ModRm = ModRm::VexDigit(2);
    pub const v3: ModRm = ModRm::VexDigit(3);
}

/// The notation's words for [`Imm`].
pub(super) mod imm {
    pub use super::Imm::{Byte as ib, Fixed as i, Full as iz32, Shift as i1, Short as iz};
}

/// The encoding of an op in a form: 8 bytes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Recipe {
    /// The last byte of the opcode.
    pub opcode: u8,
    /// The escape before it: 0 none, 1 `0F`, 2 `0F 38`, 3 `0F 3A`, 4 `0F AE`.
    pub map: u8,
    /// A mandatory prefix, or `lock` (F0), or 0.
    pub prefix: u8,
    /// The effect of the operand size.
    pub size: SizeRule,
    /// The ModRM byte.
    pub modrm: ModRm,
    /// The immediate.
    pub imm: Imm,
    /// Bit 0: the form is encoded by a recipe. Bit 1: a register in r/m is of 8 bits. Bit 2: the condition is added
    /// to the opcode. Bits 4 to 7: the immediate that is part of the encoding.
    flags: u8,
}

impl Recipe {
    /// The recipe of a form without an encoding.
    pub const ABSENT: Recipe =
        Recipe { opcode: 0, map: 0, prefix: 0, size: SizeRule::Fixed, modrm: ModRm::None, imm: Imm::None, flags: 0 };

    /// Returns a recipe without ModRM byte and immediate, for operands of a type.
    pub(super) const fn new(size: SizeRule, opcode: u32, source: Type) -> Recipe {
        let (map, prefix) = match opcode >> 8 {
            above if above & 0xffff == 0x0f38 => (2, above >> 16),
            above if above & 0xffff == 0x0f3a => (3, above >> 16),
            0x0fae => (4, 0),
            above if above & 0xff == 0x0f => (1, above >> 8),
            above => (0, above),
        };
        assert!(matches!(prefix, 0 | 0x66 | 0xf0 | 0xf2 | 0xf3), "not a prefix");
        let flags = 1 | if matches!(source, Type::Reg8) { 2 } else { 0 };
        Recipe { opcode: opcode as u8, map, prefix: prefix as u8, size, flags, ..Recipe::ABSENT }
    }
    /// `+r`.
    pub(super) const fn r(self) -> Recipe {
        self.modrm(ModRm::InOpcode)
    }
    /// `+cc`.
    pub(super) const fn cc(mut self) -> Recipe {
        self.flags |= 4;
        self
    }
    pub(super) const fn modrm(mut self, modrm: ModRm) -> Recipe {
        self.modrm = modrm;
        self
    }
    /// Adds an immediate, and its value where that is part of the encoding.
    pub(super) const fn imm(mut self, imm: Imm, value: u8) -> Recipe {
        self.imm = imm;
        self.flags |= value << 4;
        self
    }

    /// True if the form is encoded by a recipe.
    #[inline]
    pub const fn exists(&self) -> bool {
        self.flags & 1 != 0
    }
    /// True if the encoding has a VEX prefix.
    #[inline]
    pub const fn is_vex(&self) -> bool {
        use ModRm::*;
        matches!(self.modrm, RegVexRm | RegRmVex | VexRegRm | VexRmReg | RegRegRm | RegRmRm | VexDigit(_))
    }
    /// True if a register in r/m is one of 8 bits, at every size.
    #[inline]
    pub(super) const fn byte_rm(&self) -> bool {
        self.flags & 2 != 0
    }
    /// Returns the immediate, where the operand `imm` is given.
    #[inline]
    pub const fn immediate(&self, imm: i32) -> i32 {
        if matches!(self.imm, Imm::Fixed) { (self.flags >> 4) as i32 } else { imm }
    }
    /// True if the condition is added to the opcode.
    #[inline]
    pub const fn takes_cond(&self) -> bool {
        self.flags & 4 != 0
    }
}

/// An encoding of a row, for forms with the same operands.
#[derive(Debug)]
pub struct Encoding {
    /// The forms.
    pub forms: &'static [Form],
    /// The operands, in Intel's order.
    pub operands: &'static [Field],
    /// The bytes.
    pub recipe: Recipe,
    /// The mnemonic, without a condition; or the mnemonics at 4, 8 and 16 bytes.
    mnemonics: &'static [&'static str],
}

impl Encoding {
    pub(super) const fn new(
        forms: &'static [Form],
        operands: &'static [Field],
        recipe: Recipe,
        mnemonics: &'static [&'static str],
    ) -> Encoding {
        Encoding { forms, operands, recipe, mnemonics }
    }
    /// Returns the mnemonic at a size, without a condition.
    pub fn mnemonic(&self, size: Size) -> &'static str {
        let k = match size {
            Size::S8 | Size::S16 | Size::S32 => 0,
            Size::S64 => 1,
            Size::S128 => 2,
        };
        let name = self.mnemonics[k.min(self.mnemonics.len() - 1)];
        name.strip_suffix("_1").or(name.strip_suffix("_3")).unwrap_or(name)
    }
}

/// Calls a macro with each form of a group: `then! { @form row kind [same ..] mnemonic sizes form [operand ..] }`.
/// `row` is passed on unchanged; `same` are forms with the same operands; `sizes` is `[Class: (size register) ..]`, a
/// class of registers and its sizes, or `[(size register)]` at one size. `@type` gives the type of such an operand.
#[doc(hidden)]
#[macro_export]
macro_rules! x64_forms {
    // A group: its forms one by one.
    ($then:ident $row:tt $kind:ident $names:tt {
        $($($form:ident $(($($field:ident)*))? $(| $same:ident)*)+ : [$rule:ident $($encoding:tt)+])+
    }) => {
        $($($crate::x64_forms! {
            @sizes $names $rule [$then @form $row $kind [$($same)*]] [$form $(($($field)*))?]
        })+)+
    };

    // The mnemonics of a form with their sizes. One that takes a condition:
    (@sizes [$name:ident $($methods:tt)+] $rule:ident $to:tt $form:tt) => {
        $crate::x64_forms! { @sizes $name $rule $to $form }
    };
    // One for each size:
    (@sizes ($single:ident $double:ident) $rule:ident [$($to:tt)*] $form:tt) => {
        $crate::x64_forms! { @fields [$($to)* $single [(S32 Reg32)]] $form }
        $crate::x64_forms! { @fields [$($to)* $double [(S64 Reg64)]] $form }
    };
    (@sizes ($single:ident $double:ident $whole:ident) $rule:ident [$($to:tt)*] $form:tt) => {
        $crate::x64_forms! { @sizes ($single $double) $rule [$($to)*] $form }
        $crate::x64_forms! { @fields [$($to)* $whole [(S128 Xmm)]] $form }
    };
    // One for all sizes of the rule:
    (@sizes $name:ident bv [$($to:tt)*] $form:tt) => {
        $crate::x64_forms! { @fields [$($to)* $name [Gp: (S8 Reg8) (S16 Reg16) (S32 Reg32) (S64 Reg64)]] $form }
    };
    (@sizes $name:ident v [$($to:tt)*] $form:tt) => {
        $crate::x64_forms! { @fields [$($to)* $name [Gp16: (S16 Reg16) (S32 Reg32) (S64 Reg64)]] $form }
    };
    (@sizes $name:ident dq [$($to:tt)*] $form:tt) => {
        $crate::x64_forms! { @fields [$($to)* $name [Gp32: (S32 Reg32) (S64 Reg64)]] $form }
    };
    (@sizes $name:ident q [$($to:tt)*] $form:tt) => {
        $crate::x64_forms! { @fields [$($to)* $name [(S64 Reg64)]] $form }
    };
    (@sizes $name:ident d [$($to:tt)*] $form:tt) => {
        $crate::x64_forms! { @fields [$($to)* $name [(S32 Reg32)]] $form }
    };

    // The operands of a form, as they are written:
    (@fields [$then:ident $($to:tt)*] [$form:ident ($($field:ident)*) $($rest:tt)*]) => {
        $then! { $($to)* $form [$($field)*] }
    };
    // The usual ones:
    (@fields $to:tt [None $($rest:tt)*]) => { $crate::x64_forms! { @fields $to [None ()] } };
    (@fields $to:tt [D $($rest:tt)*]) => { $crate::x64_forms! { @fields $to [D (d)] } };
    (@fields $to:tt [DT $($rest:tt)*]) => { $crate::x64_forms! { @fields $to [DT (d)] } };
    (@fields $to:tt [DA $($rest:tt)*]) => { $crate::x64_forms! { @fields $to [DA (d a)] } };
    (@fields $to:tt [DAI $($rest:tt)*]) => { $crate::x64_forms! { @fields $to [DAI (d a i)] } };
    (@fields $to:tt [DAB $($rest:tt)*]) => { $crate::x64_forms! { @fields $to [DAB (d a b)] } };
    (@fields $to:tt [DAM $($rest:tt)*]) => { $crate::x64_forms! { @fields $to [DAM (d a m)] } };
    (@fields $to:tt [DM $($rest:tt)*]) => { $crate::x64_forms! { @fields $to [DM (d m)] } };
    (@fields $to:tt [DMI $($rest:tt)*]) => { $crate::x64_forms! { @fields $to [DMI (d m i)] } };
    (@fields $to:tt [DTB $($rest:tt)*]) => { $crate::x64_forms! { @fields $to [DTB (d b)] } };
    (@fields $to:tt [DTM $($rest:tt)*]) => { $crate::x64_forms! { @fields $to [DTM (d m)] } };
    (@fields $to:tt [DTI $($rest:tt)*]) => { $crate::x64_forms! { @fields $to [DTI (d i)] } };
    (@fields $to:tt [AB $($rest:tt)*]) => { $crate::x64_forms! { @fields $to [AB (a b)] } };
    (@fields $to:tt [AM $($rest:tt)*]) => { $crate::x64_forms! { @fields $to [AM (a m)] } };
    (@fields $to:tt [AI $($rest:tt)*]) => { $crate::x64_forms! { @fields $to [AI (a i)] } };
    (@fields $to:tt [MA $($rest:tt)*]) => { $crate::x64_forms! { @fields $to [MA (m a)] } };
    (@fields $to:tt [MI $($rest:tt)*]) => { $crate::x64_forms! { @fields $to [MI (sized i)] } };
    (@fields $to:tt [B $($rest:tt)*]) => { $crate::x64_forms! { @fields $to [B (b)] } };
    (@fields $to:tt [M $($rest:tt)*]) => { $crate::x64_forms! { @fields $to [M (sized)] } };

    // The assembler's type of an operand, if the types of destination and sources are given.
    (@type d $destination:ident $source:ident) => { $destination };
    (@type a $destination:ident $source:ident) => { $source };
    (@type b $destination:ident $source:ident) => { $source };
    (@type cl $destination:ident $source:ident) => { Reg8 };
    (@type m $destination:ident $source:ident) => { Mem };
    (@type sized $destination:ident $source:ident) => { MemOf<$source> };
    (@type i $destination:ident $source:ident) => { i32 };
}
