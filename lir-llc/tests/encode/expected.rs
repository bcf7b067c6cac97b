//! The shape according to the table: mnemonic and operands in Intel's order.

use super::cases::Shape;
use iced_x86::{Instruction, MemorySize, Mnemonic, Register};
use lir_llc::isa::x64::instructions::row;
use lir_llc::isa::x64::notation::{Field, Imm, Type};
use lir_llc::isa::x64::op;
use lir_llc::isa::x64::registers::name;
use lir_llc::mir::{Form, MOp, PReg};
use std::collections::HashMap;
use std::sync::LazyLock;

/// An operand.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Operand {
    /// The register that a field of the operands numbers, and the bytes of it (16: an SSE register).
    Reg(usize, u32),
    /// A register of one byte that the encoding fixes.
    Cl,
    /// The memory operand and its bytes; 0 where it is only an address.
    Mem(u32),
    /// The immediate, of which this many bytes count.
    Imm(u32),
    /// The predicate of a comparison into a mask: an immediate that the encoding fixes.
    Predicate(i32),
}

impl Operand {
    /// The field that has the register.
    pub fn field(&self) -> Option<usize> {
        match *self {
            Operand::Reg(field, _) => Some(field),
            Operand::Cl | Operand::Mem(_) | Operand::Imm(_) | Operand::Predicate(_) => None,
        }
    }
}

/// iced's mnemonics by their names in lower case.
static MNEMONICS: LazyLock<HashMap<String, Mnemonic>> =
    LazyLock::new(|| Mnemonic::values().map(|m| (format!("{m:?}").to_lowercase(), m)).collect());

/// iced's mnemonic of a shape.
pub fn iced_mnemonic(shape: &Shape) -> Mnemonic {
    let mut name = mnemonic(shape);
    if shape.recipe.imm == Imm::Fixed {
        // The predicate is an operand.
        let (before, _) = name.split_once("cmp").expect("a comparison");
        name = format!("{before}cmp{}", &name[name.len() - 2..]);
    }
    *MNEMONICS.get(&name).unwrap_or_else(|| panic!("iced has no mnemonic {name}"))
}

/// The mnemonic with its suffix.
pub fn mnemonic(shape: &Shape) -> String {
    let legacy = row(shape.op).encoding(shape.form).mnemonic(shape.size);
    let legacy = legacy.strip_prefix("rep_").or(legacy.strip_prefix("lock_")).unwrap_or(legacy);
    let cond = if shape.recipe.takes_cond() { format!("{:?}", shape.cond).to_lowercase() } else { String::new() };
    format!("{}{legacy}{cond}", if shape.avx { "v" } else { "" })
}

/// True if the instruction has the prefix `lock`.
pub fn is_locked(shape: &Shape) -> bool {
    shape.recipe.prefix == 0xf0
}

/// The operands in Intel's order; none if they are implied.
pub fn operands(shape: &Shape) -> Option<Vec<Operand>> {
    if shape.form == Form::None && !matches!(shape.op, op::Ud2 | op::Mfence) {
        return None;
    }
    let row = row(shape.op);
    let bytes = |t: Type| t.bytes(shape.recipe.size, shape.size);
    let register = |field, t| Operand::Reg(field, if t == Type::Xmm { 16 } else { bytes(t) });
    let (d, a) = (register(0, row.destination), register(1, row.source));
    let operand = |field: &Field| match field {
        Field::D => d,
        Field::A => a,
        Field::B => register(2, row.source),
        Field::Cl => Operand::Cl,
        Field::Mem | Field::Sized => Operand::Mem(bytes(row.source)),
        Field::Imm => Operand::Imm(immediate_bytes(shape)),
    };
    let mut all: Vec<Operand> = row.encoding(shape.form).operands.iter().map(operand).collect();
    if shape.avx {
        let merges = matches!(shape.op, op::ZeroF | op::SqrtF | op::RoundF | op::CvtFF | op::CvtI32F | op::CvtI64F)
            || shape.form.is_tied();
        let from_float = matches!(shape.form, Form::DA | Form::DAI) && !matches!(shape.op, op::CvtI32F | op::CvtI64F);
        all.splice(1..1, merges.then_some(if from_float { a } else { d }));
    }
    all.extend((shape.recipe.imm == Imm::Fixed).then(|| Operand::Predicate(shape.recipe.immediate(0))));
    Some(all)
}

fn immediate_bytes(shape: &Shape) -> u32 {
    if matches!(shape.recipe.imm, Imm::Byte | Imm::Shift) { 1 } else { shape.size.bytes() }
}

/// True if the assembler takes an immediate, as a number with its sign or without, or there is none.
pub fn immediate_fits(shape: &Shape, imm: i32) -> bool {
    let has_one = shape.operands.iter().flatten().any(|o| matches!(o, Operand::Imm(_)));
    let bits = 8 * immediate_bytes(shape).min(4);
    !has_one || (-(1i64 << (bits - 1))..1 << bits).contains(&i64::from(imm))
}

/// The instruction with implied operands, as iced and as capstone have it.
pub fn implied(op: MOp) -> (Instruction, &'static str) {
    let (instruction, text) = match op {
        op::RepMovs => (Instruction::with_rep_movsb(64), "byte ptr [rdi], byte ptr [rsi]"),
        op::RepStos => (Instruction::with_rep_stosb(64), "byte ptr [rdi], al"),
        _ => unreachable!("{op:?} has operands"),
    };
    (instruction.expect("64 is a size of addresses"), text)
}

/// iced's name of the low `bytes` of a general register, or of an SSE register (16).
pub fn iced_register(number: u8, bytes: u32) -> Register {
    use Register::*;
    const BYTES: [Register; 16] = [AL, CL, DL, BL, SPL, BPL, SIL, DIL, R8L, R9L, R10L, R11L, R12L, R13L, R14L, R15L];
    const WORDS: [Register; 16] = [AX, CX, DX, BX, SP, BP, SI, DI, R8W, R9W, R10W, R11W, R12W, R13W, R14W, R15W];
    const DWORDS: [Register; 16] =
        [EAX, ECX, EDX, EBX, ESP, EBP, ESI, EDI, R8D, R9D, R10D, R11D, R12D, R13D, R14D, R15D];
    const QWORDS: [Register; 16] = [RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15];
    const SSE: [Register; 16] =
        [XMM0, XMM1, XMM2, XMM3, XMM4, XMM5, XMM6, XMM7, XMM8, XMM9, XMM10, XMM11, XMM12, XMM13, XMM14, XMM15];
    let table = match bytes {
        1 => &BYTES,
        2 => &WORDS,
        4 => &DWORDS,
        8 => &QWORDS,
        _ => &SSE,
    };
    table[number as usize]
}

/// Capstone's name of it.
pub fn capstone_register(number: u8, bytes: u32) -> &'static str {
    name(PReg::new(if bytes == 16 { 16 + number } else { number }), bytes)
}

/// The bytes of a memory operand, as iced names them.
pub fn memory_bytes(size: MemorySize) -> u32 {
    match size {
        MemorySize::UInt8 | MemorySize::Int8 => 1,
        MemorySize::UInt16 | MemorySize::Int16 => 2,
        MemorySize::UInt32 | MemorySize::Int32 | MemorySize::Float32 => 4,
        MemorySize::UInt64 | MemorySize::Int64 | MemorySize::Float64 | MemorySize::QwordOffset => 8,
        MemorySize::Packed128_Float32 | MemorySize::UInt128 => 16,
        // Nothing that the table has.
        _ => u32::MAX,
    }
}
