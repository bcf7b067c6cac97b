//! No instruction is longer than necessary: iced's encoder tries every encoding of the same instruction.
//!
//! Prefixes that change the size of addresses are not tried.

use super::cases::{ADDRESSES, Extent, Shape};
use super::expected::{self, Operand};
use iced_x86::{
    Code as Iced, Decoder, DecoderOptions, Encoder, EncodingKind, IcedError, Instruction, MemoryOperand, Mnemonic,
    Register,
};
use lir_llc::isa::x64::encode::{Addr, Base, NO_INDEX, Operands};
use std::collections::HashMap;
use std::sync::LazyLock;

/// The encodings that iced has for each mnemonic, legacy or VEX.
static ENCODINGS: LazyLock<HashMap<(Mnemonic, bool), Vec<Iced>>> = LazyLock::new(|| {
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
});

/// Tries the encodings of a shape.
struct Rival {
    mnemonic: Mnemonic,
    /// The encodings that can have its operands, at least some.
    encodings: Vec<Iced>,
    encoder: Encoder,
    /// The last encoded bytes.
    bytes: Vec<u8>,
}

impl Rival {
    fn new(shape: &Shape) -> Rival {
        let mnemonic = expected::iced_mnemonic(shape);
        let mut rival = Rival { mnemonic, encodings: vec![], encoder: Encoder::new(64), bytes: vec![] };
        let all = ENCODINGS.get(&(mnemonic, shape.recipe.is_vex()));
        let usable = |&&code: &&Iced| {
            let mut blank = Instruction::default();
            blank.set_code(code);
            if shape.operands.as_ref().is_some_and(|all| all.len() != blank.op_count() as usize) {
                return false;
            }
            // An encoding requires a certain register, a small immediate, an address without registers, or none of it.
            let alone = ADDRESSES.iter().find(|m| m.base == Base::None && m.index == NO_INDEX);
            let addresses = alone.into_iter().chain(ADDRESSES.first());
            let mut operands = addresses.flat_map(|&mem| {
                shape.imms().iter().flat_map(move |&imm| (0..16).map(move |r| Operands { regs: [r; 3], imm, mem }))
            });
            operands.any(|o| rival.encode(shape, code, &o, 0).is_some())
        };
        rival.encodings = all.into_iter().flatten().filter(usable).copied().collect();
        rival
    }

    /// The length of an instruction in one encoding, where that can have its operands; `end` is where an address
    /// relative to rip counts from.
    fn encode(&mut self, shape: &Shape, code: Iced, operands: &Operands, end: usize) -> Option<usize> {
        let mut instruction = build(shape, code, operands, end).ok()?;
        instruction.set_has_lock_prefix(expected::is_locked(shape));
        self.bytes.clear();
        self.encoder.set_buffer(std::mem::take(&mut self.bytes));
        let length = self.encoder.encode(&instruction, 0);
        self.bytes = self.encoder.take_buffer();
        length.ok()
    }

    /// The shortest encoding and its length, where there is one no longer than `len`.
    fn shortest(&mut self, shape: &Shape, operands: &Operands, len: usize) -> Option<(usize, Iced)> {
        let mut best: Option<(usize, Iced)> = None;
        for k in 0..self.encodings.len() {
            let code = self.encodings[k];
            let Some(length) = self.length(shape, code, operands) else { continue };
            if length <= len && best.is_none_or(|(l, _)| length < l) && self.means(shape, operands) {
                best = Some((length, code));
            }
        }
        best
    }

    /// The length of an instruction in one encoding.
    fn length(&mut self, shape: &Shape, code: Iced, operands: &Operands) -> Option<usize> {
        if operands.mem.base != Base::Rip || !shape.form.has_mem() {
            return self.encode(shape, code, operands, 0);
        }
        // The displacement counts from the end, which is known when anything was encoded: all take four bytes.
        let near = Operands { mem: Addr::rip(), ..*operands };
        let length = self.encode(shape, code, &near, 0)?;
        self.encode(shape, code, operands, length)
    }

    /// Returns whether the last encoded bytes read back as the intended instruction.
    fn means(&self, shape: &Shape, operands: &Operands) -> bool {
        let mut got = Instruction::default();
        Decoder::new(64, &self.bytes, DecoderOptions::NONE).decode_out(&mut got);
        got.mnemonic() == self.mnemonic && super::compare_operands(shape, operands, &got).is_ok()
    }
}

/// An operand as iced's encoder takes it.
#[derive(Copy, Clone)]
enum Value {
    Reg(Register),
    Imm(i32),
    Mem(MemoryOperand),
}

/// The instruction in one encoding; an error where that has other operands.
fn build(shape: &Shape, code: Iced, operands: &Operands, end: usize) -> Result<Instruction, IcedError> {
    use Value::{Imm, Mem, Reg};
    let Some(template) = &shape.operands else { return Ok(expected::implied(shape.op).0) };
    let mut values = [Imm(0); 4];
    for (target, operand) in values.iter_mut().zip(template) {
        *target = value(*operand, operands, end);
    }
    match values[..template.len()] {
        [] => Ok(Instruction::with(code)),
        [Reg(a)] => Instruction::with1(code, a),
        [Mem(a)] => Instruction::with1(code, a),
        [Reg(a), Reg(b)] => Instruction::with2(code, a, b),
        [Reg(a), Mem(b)] => Instruction::with2(code, a, b),
        [Mem(a), Reg(b)] => Instruction::with2(code, a, b),
        [Reg(a), Imm(b)] => Instruction::with2(code, a, b),
        [Mem(a), Imm(b)] => Instruction::with2(code, a, b),
        [Reg(a), Reg(b), Reg(c)] => Instruction::with3(code, a, b, c),
        [Reg(a), Reg(b), Mem(c)] => Instruction::with3(code, a, b, c),
        [Reg(a), Reg(b), Imm(c)] => Instruction::with3(code, a, b, c),
        [Reg(a), Mem(b), Imm(c)] => Instruction::with3(code, a, b, c),
        [Reg(a), Reg(b), Reg(c), Imm(d)] => Instruction::with4(code, a, b, c, d),
        [Reg(a), Reg(b), Mem(c), Imm(d)] => Instruction::with4(code, a, b, c, d),
        _ => unreachable!("no instruction has the operands {template:?}"),
    }
}

fn value(operand: Operand, operands: &Operands, end: usize) -> Value {
    match operand {
        Operand::Reg(field, bytes) => Value::Reg(expected::iced_register(operands.regs[field], bytes)),
        Operand::Cl => Value::Reg(Register::CL),
        Operand::Imm(1) => Value::Imm(operands.imm as i8 as i32),
        Operand::Imm(2) => Value::Imm(operands.imm as i16 as i32),
        Operand::Imm(_) => Value::Imm(operands.imm),
        Operand::Predicate(n) => Value::Imm(n),
        Operand::Mem(_) => Value::Mem(memory(&operands.mem, end)),
    }
}

/// The memory operand. Relative to rip iced needs the intended address.
fn memory(m: &Addr, end: usize) -> MemoryOperand {
    let name = |n: u8| expected::iced_register(n, 8);
    let base = match m.base {
        Base::None => Register::None,
        Base::Reg(r) => name(r),
        Base::Rip => Register::RIP,
    };
    let (index, scale) = if m.index == NO_INDEX { (Register::None, 1) } else { (name(m.index), 1 << m.scale) };
    let from = if m.base == Base::Rip { end as i64 } else { 0 };
    // For iced 1 means one byte where that is enough, 8 means four; without a base there are always four.
    let bytes = match (m.base, m.disp) {
        (Base::None | Base::Rip, _) => 8,
        (Base::Reg(_), _) if m.wide => 8,
        (Base::Reg(_), 0) => 0,
        (Base::Reg(_), _) => 1,
    };
    MemoryOperand::new(base, index, scale, m.disp as i64 + from, bytes, false, Register::None)
}

#[test]
fn no_encoding_is_shorter() {
    super::check_all(Extent::asked(), |shape| {
        let mut rival = Rival::new(shape);
        move |batch| {
            for case in &batch.cases {
                match rival.shortest(batch.shape, &case.operands, case.len()) {
                    Some((length, _)) if length == case.len() => {}
                    Some((length, by)) => panic!("{length} bytes will do, by {by:?}: {}", batch.show(case)),
                    None => panic!("iced has no encoding as short: {}", batch.show(case)),
                }
            }
        }
    });
}
