//! Encoding recipes: the encodings of the instruction table, compiled from their notation.
//!
//! The notation is that of the instruction pages of the Intel SDM (volume 2, section 3.1.1.1), made regular:
//!
//! ```text
//! encodings = alternative { "; " alternative }
//! alternative = form { " " form } ":" size [prefix] ["0F" ["38" | "3A"]] opcode["+r" | "+cc"] [modrm] [imm] ["rm8"]
//! ```
//!
//! `modrm` is `/r` (the register field holds the first operand, r/m the second), `/mr` (exchanged), or a digit (r/m
//! holds the only operand). Behind a VEX prefix (128 bits; W is REX.W) it is `/rvm` or `/rmv`: three operands stand, in
//! Intel's order, in the register field, in `vvvv` of the prefix and in r/m, or the last two exchanged; `/rm`: in the
//! register field and in r/m; or `/v` and a digit: in `vvvv` and in r/m. `imm` is
//!
//! * `ib`: 8 bits;
//! * `iz`: of the operand size, at most 32 bits; 8 bits where it fits, with bit 1 of the opcode set;
//! * `iz32`: the same without the short form;
//! * `i1`: 8 bits, but none where it is 1, with bit 4 of the opcode set (shifts);
//! * `i=` and a digit: 8 bits, always the digit (what a comparison of floats asks).
//!
//! For processors with AVX each encoding of an instruction on SSE registers has a twin behind a VEX prefix, which is
//! not written down: [`AVX_RECIPES`] derives it.
//!
//! `rm8` says that a register in r/m is one of 8 bits. `size` says what the operand size does ([`SizeRule`]).

use crate::isa::x64::cpu::Cpu;
use crate::isa::x64::instructions::{TABLE, op};
use crate::isa::x64::props;
use crate::mir::{Form, MOp, Props, Size};

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

const SIZE_RULES: [(&str, SizeRule); 10] = [
    ("d", SizeRule::Fixed),
    ("q", SizeRule::Quad),
    ("dq", SizeRule::DwordQuad),
    ("v", SizeRule::Word),
    ("bv", SizeRule::Byte),
    ("fs", SizeRule::Scalar),
    ("fr", SizeRule::ScalarResult),
    ("fsq", SizeRule::ScalarQuad),
    ("fp", SizeRule::Packed),
    ("fi", SizeRule::Round),
];

/// The effect of a size rule at one size.
#[derive(Copy, Clone, Debug)]
pub(super) struct SizeEffect {
    /// A prefix, or 0.
    pub prefix: u8,
    /// 0x48 or 0.
    pub rex: u8,
    /// To be exclusive-ored into the opcode.
    pub opcode: u8,
    /// True if general registers are of 8 bits.
    pub bytes: bool,
}

/// The effect of each rule at each size.
pub(super) static SIZE_EFFECTS: [[SizeEffect; 5]; 10] = {
    const fn with(prefix: u8, rex: u8) -> SizeEffect {
        SizeEffect { prefix, rex, opcode: 0, bytes: false }
    }
    const W: SizeEffect = with(0, 0x48);
    const N: SizeEffect = with(0, 0);
    const P66: SizeEffect = with(0x66, 0);
    const BYTE: SizeEffect = SizeEffect { prefix: 0, rex: 0, opcode: 1, bytes: true };
    [
        [N, N, N, N, N],
        [W, W, W, W, W],
        [N, N, N, W, W],
        [N, P66, N, W, W],
        [BYTE, P66, N, W, W],
        [N, N, with(0xf3, 0), with(0xf2, 0), N],
        [N, N, with(0xf2, 0), with(0xf3, 0), N],
        [N, N, with(0xf3, 0x48), with(0xf2, 0x48), N],
        [N, N, N, P66, N],
        [N, N, N, SizeEffect { prefix: 0, rex: 0, opcode: 1, bytes: false }, N],
    ]
};

/// The contents of the ModRM byte.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum ModRm {
    /// An opcode digit 0 to 7, and r/m.
    Digit(u8),
    /// Register, r/m.
    Reg,
    /// R/m, register.
    Reversed,
    /// Register, `vvvv`, r/m, behind a VEX prefix.
    RegVexRm,
    /// Register, r/m, `vvvv`, behind a VEX prefix.
    RegRmVex,
    /// Register, r/m, behind a VEX prefix without `vvvv`.
    VexRegRm,
    /// R/m, register, behind a VEX prefix without `vvvv`.
    VexRmReg,
    /// Register, the same in `vvvv`, r/m, behind a VEX prefix.
    RegRegRm,
    /// Register, `vvvv` as r/m, r/m, behind a VEX prefix.
    RegRmRm,
    /// `vvvv`, r/m, behind a VEX prefix, and an opcode digit.
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
    /// 8 bits.
    Byte,
    /// Operand size, short form of 8 bits.
    Short,
    /// Operand size.
    Full,
    /// 8 bits, or none for 1.
    Shift,
    /// 8 bits that are part of the encoding.
    Fixed,
}

/// The encoding of an op in a form: 8 bytes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Recipe {
    /// The last byte of the opcode.
    pub opcode: u8,
    /// The escape before it: 0 none, 1 `0F`, 2 `0F 38`, 3 `0F 3A`.
    pub map: u8,
    /// A mandatory prefix, or 0.
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
    const ABSENT: Recipe =
        Recipe { opcode: 0, map: 0, prefix: 0, size: SizeRule::Fixed, modrm: ModRm::None, imm: Imm::None, flags: 0 };

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
    /// The immediate, where the operand `imm` is given.
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

/// A recipe for every op (by discriminant) and form.
pub(crate) static RECIPES: [[Recipe; Form::ALL.len()]; TABLE.len()] = {
    let mut all = [[Recipe::ABSENT; Form::ALL.len()]; TABLE.len()];
    let mut op = 0;
    while op < TABLE.len() {
        compile(TABLE[op].encodings.as_bytes(), &mut all[op]);
        op += 1;
    }
    all
};

/// The same for processors with AVX: whatever reads or writes an SSE register has a VEX prefix.
static AVX_RECIPES: [[Recipe; Form::ALL.len()]; TABLE.len()] = {
    let mut all = RECIPES;
    let mut op = 0;
    while op < TABLE.len() {
        let mut form = 0;
        while form < Form::ALL.len() {
            all[op][form] = with_vex(all[op][form], TABLE[op].info.props, Form::ALL[form].0);
            form += 1;
        }
        op += 1;
    }
    all
};

/// Returns the encoding of an op in a form, with AVX or without.
#[inline]
pub fn recipe(op: MOp, form: Form, avx: bool) -> &'static Recipe {
    let table = if avx { &AVX_RECIPES } else { &RECIPES };
    &table[op.0 as usize][form as usize]
}

/// Returns the operand sizes at which an encoding means something.
pub fn sizes(op: MOp, form: Form) -> &'static [Size] {
    use Size::*;
    match recipe(op, form, false).size {
        SizeRule::Byte => &[S8, S16, S32, S64],
        SizeRule::Word => &[S16, S32, S64],
        SizeRule::DwordQuad | SizeRule::ScalarResult | SizeRule::ScalarQuad | SizeRule::Packed | SizeRule::Round => {
            &[S32, S64]
        }
        SizeRule::Scalar if op == op::MovF && form != Form::DA => &[S32, S64, S128],
        SizeRule::Scalar => &[S32, S64],
        SizeRule::Fixed => &[S32],
        SizeRule::Quad => &[S64],
    }
}

/// The encoding behind a VEX prefix of an instruction on SSE registers. Others stay as they are.
///
/// An instruction that reads its destination, to combine it with an operand or to keep its upper half, has it in
/// `vvvv`; but the upper half can as well be that of a float operand in a register, so that nothing waits for the
/// destination.
const fn with_vex(mut r: Recipe, props: Props, form: Form) -> Recipe {
    let sse = props.has(Props::FLOAT_D) || props.has(Props::FLOAT_AB);
    // Without an escape an instruction is on general registers alone.
    if !sse || r.map == 0 || r.is_vex() {
        return r;
    }
    let merges = form.is_tied() || props.has(Props::FALSE_DEP) || matches!(form, Form::D);
    let from_float = matches!(form, Form::DA | Form::DAI) && props.has(Props::FLOAT_AB);
    r.modrm = match r.modrm {
        ModRm::Reversed => ModRm::VexRmReg,
        _ if merges && from_float => ModRm::RegRmRm,
        _ if merges => ModRm::RegRegRm,
        _ => ModRm::VexRegRm,
    };
    r
}

/// Compiles the encodings of an op. Wrong notation does not compile.
const fn compile(text: &[u8], row: &mut [Recipe; Form::ALL.len()]) {
    let mut at = 0;
    while at < text.len() {
        let mut forms = [false; Form::ALL.len()];
        loop {
            let end = token_end(text, at);
            let last = text[end - 1] == b':';
            forms[form_index(text, at, if last { end - 1 } else { end })] = true;
            at = end + 1;
            if last {
                break;
            }
        }
        let recipe;
        (recipe, at) = alternative(text, at);
        let mut k = 0;
        while k < forms.len() {
            if forms[k] {
                assert!(!row[k].exists(), "a form has two encodings");
                row[k] = recipe;
            }
            k += 1;
        }
    }
}

/// The part of an alternative after its forms, and where the next one begins.
const fn alternative(text: &[u8], mut at: usize) -> (Recipe, usize) {
    let mut r = Recipe { flags: 1, ..Recipe::ABSENT };
    let mut opcode = false;
    let mut first = true;
    while at < text.len() {
        let stop = token_end(text, at);
        let last = text[stop - 1] == b';';
        let end = if last { stop - 1 } else { stop };
        if first {
            r.size = size_rule(text, at, end);
            first = false;
        } else if text[at] == b'/' || (opcode && (text[at] == b'i' || text[at] == b'r')) {
            operand_token(text, at, end, &mut r);
        } else {
            opcode_token(text, at, end, &mut r, opcode);
            opcode = true;
        }
        at = stop + 1;
        if last {
            break;
        }
    }
    assert!(opcode, "an encoding without an opcode");
    (r, at)
}

const fn operand_token(text: &[u8], at: usize, end: usize, r: &mut Recipe) {
    if is(text, at, end, "/r") {
        r.modrm = ModRm::Reg;
    } else if is(text, at, end, "/mr") {
        r.modrm = ModRm::Reversed;
    } else if is(text, at, end, "/rvm") {
        r.modrm = ModRm::RegVexRm;
    } else if is(text, at, end, "/rmv") {
        r.modrm = ModRm::RegRmVex;
    } else if is(text, at, end, "/rm") {
        r.modrm = ModRm::VexRegRm;
    } else if text[at] == b'/' && text[at + 1] == b'v' {
        assert!(end == at + 3 && b'0' <= text[at + 2] && text[at + 2] <= b'7');
        r.modrm = ModRm::VexDigit(text[at + 2] - b'0');
    } else if text[at] == b'/' {
        assert!(end == at + 2 && b'0' <= text[at + 1] && text[at + 1] <= b'7');
        r.modrm = ModRm::Digit(text[at + 1] - b'0');
    } else if is(text, at, end, "ib") {
        r.imm = Imm::Byte;
    } else if is(text, at, end, "iz") {
        r.imm = Imm::Short;
    } else if is(text, at, end, "iz32") {
        r.imm = Imm::Full;
    } else if is(text, at, end, "i1") {
        r.imm = Imm::Shift;
    } else if text[at + 1] == b'=' {
        assert!(end == at + 3 && b'0' <= text[at + 2] && text[at + 2] <= b'7');
        r.imm = Imm::Fixed;
        r.flags |= (text[at + 2] - b'0') << 4;
    } else {
        assert!(is(text, at, end, "rm8"), "unknown word in an encoding");
        r.flags |= 2;
    }
}

/// A byte of the opcode: prefix, escape, or the opcode itself. A later byte moves the earlier ones to their positions.
const fn opcode_token(text: &[u8], at: usize, end: usize, r: &mut Recipe, more: bool) {
    if more {
        match (r.map, r.opcode) {
            (0, 0x0f) => r.map = 1,
            (1, 0x38) => r.map = 2,
            (1, 0x3a) => r.map = 3,
            (0, 0x66 | 0xf2 | 0xf3) => r.prefix = r.opcode,
            _ => panic!("an opcode of too many bytes"),
        }
    }
    r.opcode = hex(text[at]) << 4 | hex(text[at + 1]);
    if end > at + 2 {
        if is(text, at + 2, end, "+cc") {
            r.flags |= 4;
        } else {
            assert!(is(text, at + 2, end, "+r"));
            r.modrm = ModRm::InOpcode;
        }
    }
}

const fn size_rule(text: &[u8], at: usize, end: usize) -> SizeRule {
    let mut k = 0;
    while k < SIZE_RULES.len() {
        if is(text, at, end, SIZE_RULES[k].0) {
            return SIZE_RULES[k].1;
        }
        k += 1;
    }
    panic!("unknown size rule")
}

const fn form_index(text: &[u8], at: usize, end: usize) -> usize {
    let mut k = 0;
    while k < Form::ALL.len() {
        if is(text, at, end, Form::ALL[k].1) {
            return Form::ALL[k].0 as usize;
        }
        k += 1;
    }
    panic!("unknown form")
}

const fn token_end(text: &[u8], mut at: usize) -> usize {
    while at < text.len() && text[at] != b' ' {
        at += 1;
    }
    at
}

const fn is(text: &[u8], at: usize, end: usize, word: &str) -> bool {
    let word = word.as_bytes();
    if end - at != word.len() {
        return false;
    }
    let mut k = 0;
    while k < word.len() {
        if text[at + k] != word[k] {
            return false;
        }
        k += 1;
    }
    true
}

const fn hex(digit: u8) -> u8 {
    match digit {
        b'0'..=b'9' => digit - b'0',
        b'A'..=b'F' => digit - b'A' + 10,
        _ => panic!("not a hexadecimal digit"),
    }
}

/// The level of processor that an op needs in a form.
pub fn level(op: MOp, form: Form) -> Cpu {
    match props(op) {
        _ if RECIPES[op.0 as usize][form as usize].is_vex() => Cpu::V3,
        p if p.has(Props::V3) => Cpu::V3,
        p if p.has(Props::V2) => Cpu::V2,
        _ => Cpu::V1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::x64::op;

    #[test]
    fn the_notation_compiles_to_recipes() {
        let add = RECIPES[op::Add.0 as usize][Form::DTI as usize];
        assert_eq!((add.opcode, add.map, add.modrm, add.imm), (0x81, 0, ModRm::Digit(0), Imm::Short));
        let popcnt = RECIPES[op::Popcnt.0 as usize][Form::DA as usize];
        assert_eq!((popcnt.opcode, popcnt.map, popcnt.prefix), (0xb8, 1, 0xf3));
        let round = RECIPES[op::RoundF.0 as usize][Form::DAI as usize];
        assert_eq!((round.opcode, round.map, round.prefix, round.imm), (0x0a, 3, 0x66, Imm::Byte));
        assert!(RECIPES[op::Set.0 as usize][Form::D as usize].takes_cond());
        assert!(!RECIPES[op::Jmp.0 as usize][Form::None as usize].exists());
        assert!(size_of::<Recipe>() <= 8);
        let blsr = RECIPES[op::Blsr.0 as usize][Form::DM as usize];
        assert_eq!((blsr.opcode, blsr.map, blsr.modrm), (0xf3, 2, ModRm::VexDigit(1)));
    }
}
