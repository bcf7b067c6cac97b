//! Encoding recipes: the encodings of the instruction table, by op and form.
//!
//! [`notation`](crate::isa::x64::notation) explains how they are written.

use crate::isa::x64::cpu::Cpu;
use crate::isa::x64::instructions::TABLE;
use crate::isa::x64::notation::{Encoding, ModRm, Recipe};
use crate::isa::x64::props;
use crate::mir::{Form, MOp, Props};

/// The effect of a size rule at one size.
#[derive(Copy, Clone, Debug)]
pub(super) struct SizeEffect {
    /// A prefix, or 0.
    pub prefix: u8,
    /// 0x48 or 0.
    pub rex: u8,
    /// XORed into the opcode.
    pub opcode: u8,
    /// True if general registers are 8 bits wide.
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

/// A recipe for every op (by discriminant) and form.
pub(crate) static RECIPES: [[Recipe; Form::ALL.len()]; TABLE.len()] = {
    let mut all = [[Recipe::ABSENT; Form::ALL.len()]; TABLE.len()];
    let mut op = 0;
    while op < TABLE.len() {
        let mut k = 0;
        while k < TABLE[op].encodings.len() {
            add(&TABLE[op].encodings[k], &mut all[op]);
            k += 1;
        }
        op += 1;
    }
    all
};

/// Adds an encoding of an op.
const fn add(encoding: &Encoding, row: &mut [Recipe; Form::ALL.len()]) {
    let mut k = 0;
    while k < encoding.forms.len() {
        let form = encoding.forms[k] as usize;
        assert!(!row[form].exists(), "a form has two encodings");
        row[form] = encoding.recipe;
        k += 1;
    }
}

/// The same for processors with AVX: every instruction that reads or writes an SSE register has a VEX prefix.
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

/// Returns the encoding with a VEX prefix of an instruction on SSE registers. Others stay as they are.
///
/// An instruction that reads its destination, to combine it with an operand or to keep its upper half, has it in
/// `vvvv`; but the upper half can also be taken from a float operand in a register, so that nothing waits for the
/// destination.
const fn with_vex(mut r: Recipe, props: Props, form: Form) -> Recipe {
    let sse = props.has(Props::FLOAT_D) || props.has(Props::FLOAT_AB);
    // Without an escape an instruction uses only general registers.
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

/// Returns the level of processor that an op needs in a form.
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
    use crate::isa::x64::notation::Imm;
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
