//! No instruction is longer than it need be: iced's encoder tries every encoding of the same instruction.

use crate::cases::{self, Case};
use crate::expected::{self, Operand};
use iced_x86::{
    Code as Iced, Decoder, DecoderOptions, Encoder, EncodingKind, IcedError, Instruction, MemoryOperand, Mnemonic,
    Register,
};
use lir_llc::x64::PReg;
use lir_llc::x64::encode::{Base, Code, NO_INDEX};
use std::collections::HashMap;

/// The encodings that iced has for each mnemonic, in the space of the row: legacy or VEX.
fn encodings() -> HashMap<(Mnemonic, bool), Vec<Iced>> {
    let mut all: HashMap<_, Vec<Iced>> = HashMap::new();
    for code in Iced::values() {
        let vex = match code.encoding() {
            EncodingKind::Legacy => false,
            EncodingKind::VEX => true,
            _ => continue,
        };
        all.entry((code.mnemonic(), vex)).or_default().push(code);
    }
    all
}

fn register(o: Operand) -> Register {
    match o {
        Operand::Reg(r, bytes) => expected::iced_register(r, bytes),
        Operand::Mem(_) | Operand::Imm(..) => unreachable!("asked of registers"),
    }
}

fn immediate(o: Operand) -> i32 {
    match o {
        Operand::Imm(n, 1) => n as i8 as i32,
        Operand::Imm(n, 2) => n as i16 as i32,
        Operand::Imm(n, _) => n,
        Operand::Reg(..) | Operand::Mem(_) => unreachable!("asked of immediates"),
    }
}

fn memory(case: &Case) -> MemoryOperand {
    let m = &case.operands.mem;
    let name = |n: u8| expected::iced_register(PReg::new(n), 8);
    let base = match m.base {
        Base::None => Register::None,
        Base::Reg(r) => name(r),
        Base::Rip => Register::RIP,
    };
    let (index, scale) = if m.index == NO_INDEX { (Register::None, 1) } else { (name(m.index), 1 << m.scale) };
    // For iced 1 means one byte where that is enough; without a base there are always four.
    let bytes = match (m.base, m.disp) {
        (Base::None | Base::Rip, _) => 8,
        (Base::Reg(_), 0) => 0,
        (Base::Reg(_), _) => 1,
    };
    MemoryOperand::new(base, index, scale, m.disp as i64, bytes, false, Register::None)
}

/// The instruction in one encoding; an error where that has other operands.
fn build(case: &Case, code: Iced, operands: &[Operand]) -> Result<Instruction, IcedError> {
    use Operand::{Imm, Mem, Reg};
    let (r, i) = (register, immediate);
    let m = || memory(case);
    match *operands {
        [] => Ok(Instruction::with(code)),
        [a @ Reg(..)] => Instruction::with1(code, r(a)),
        [Mem(_)] => Instruction::with1(code, m()),
        [a @ Reg(..), b @ Reg(..)] => Instruction::with2(code, r(a), r(b)),
        [a @ Reg(..), Mem(_)] => Instruction::with2(code, r(a), m()),
        [Mem(_), b @ Reg(..)] => Instruction::with2(code, m(), r(b)),
        [a @ Reg(..), b @ Imm(..)] => Instruction::with2(code, r(a), i(b)),
        [Mem(_), b @ Imm(..)] => Instruction::with2(code, m(), i(b)),
        [a @ Reg(..), b @ Reg(..), c @ Reg(..)] => Instruction::with3(code, r(a), r(b), r(c)),
        [a @ Reg(..), b @ Reg(..), Mem(_)] => Instruction::with3(code, r(a), r(b), m()),
        [a @ Reg(..), b @ Reg(..), c @ Imm(..)] => Instruction::with3(code, r(a), r(b), i(c)),
        [a @ Reg(..), Mem(_), c @ Imm(..)] => Instruction::with3(code, r(a), m(), i(c)),
        [a @ Reg(..), b @ Reg(..), c @ Reg(..), d @ Imm(..)] => Instruction::with4(code, r(a), r(b), r(c), i(d)),
        [a @ Reg(..), b @ Reg(..), Mem(_), d @ Imm(..)] => Instruction::with4(code, r(a), r(b), m(), i(d)),
        _ => unreachable!("no instruction has the operands {operands:?}"),
    }
}

/// The length of the instruction in one encoding, where that reads back as what was meant.
fn length(case: &Case, code: Iced, operands: &[Operand], encoder: &mut Encoder) -> Option<usize> {
    let mut shape = Instruction::default();
    shape.set_code(code);
    if shape.op_count() as usize != operands.len() {
        return None;
    }
    let instruction = build(case, code, operands).ok()?;
    let length = encoder.encode(&instruction, 0);
    let bytes = encoder.take_buffer();
    let length = length.ok()?;
    let mut got = Instruction::default();
    Decoder::with_ip(64, &bytes, 0, DecoderOptions::NONE).decode_out(&mut got);
    (got.mnemonic() == code.mnemonic() && crate::compare(case, &got).is_ok()).then_some(length)
}

#[test]
fn c153_no_encoding_is_shorter() {
    let (names, encodings) = (expected::mnemonics(), encodings());
    let mut encoder = Encoder::new(64);
    let mut code = Code::default();
    let mut count = 0u32;
    cases::for_each(|case| {
        // iced takes the address that an operand relative to rip means; all of those have 4 bytes of displacement.
        let relative = case.operands.mem.base == Base::Rip && case.form.has_mem();
        let Some(operands) = expected::operands(case).filter(|_| !relative) else { return };
        let name = names[&expected::mnemonic(case)];
        let candidates = &encodings[&(name, case.recipe().is_vex())];
        let shortest = candidates.iter().filter_map(|c| Some((length(case, *c, &operands, &mut encoder)?, *c))).min();
        crate::encode(&mut code, case);
        let (shortest, by) = shortest.unwrap_or_else(|| panic!("iced cannot encode {case:?}"));
        assert!(code.len() <= shortest, "{case:?}: {:02x?} is longer than {shortest} bytes of {by:?}", code.bytes());
        count += 1;
    });
    assert!(count > 3_000_000, "only {count} cases");
}
