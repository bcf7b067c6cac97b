//! What a shape means, said without the encoder: mnemonic and operands in Intel's order.

use super::cases::Shape;
use iced_x86::{Instruction, MemorySize, Mnemonic, Register};
use lir_llc::isa::x64::instructions::row;
use lir_llc::isa::x64::registers::{RCX, name};
use lir_llc::isa::x64::{op, props};
use lir_llc::mir::{Form, MOp, PReg, Props, Size};
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
    /// The immediate, of which so many bytes count.
    Imm(u32),
    /// What a comparison into a mask asks: an immediate that the encoding fixes.
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
    let name = mnemonic(shape);
    *MNEMONICS.get(&name).unwrap_or_else(|| panic!("iced has no mnemonic {name}"))
}

/// The mnemonic with its suffix.
pub fn mnemonic(shape: &Shape) -> String {
    // Without what stands for condition and size.
    let name = row(shape.op).mnemonic.rsplit('|').next().unwrap_or_default();
    let base = name.split(['?', '*', '~', '#']).next().unwrap_or_default();
    let scalar = if shape.size == Size::S32 { "ss" } else { "sd" };
    let legacy = match shape.op {
        op::Set | op::Cmov => format!("{base}{}", format!("{:?}", shape.cond).to_lowercase()),
        op::MovF if shape.form == Form::DA => "movaps".into(),
        op::MovF if shape.size == Size::S128 => "movups".into(),
        op::MovIF if shape.form == Form::DM => format!("mov{scalar}"),
        op::MovFI if shape.form == Form::DM => "mov".into(),
        op::MovIF | op::MovFI => if shape.size == Size::S32 { "movd" } else { "movq" }.into(),
        op::CvtFI32 | op::CvtFI64 => format!("cvtt{scalar}2si"),
        op::CvtFF => if shape.size == Size::S32 { "cvtsd2ss" } else { "cvtss2sd" }.into(),
        op::RepMovs => "movsb".into(),
        op::RepStos => "stosb".into(),
        op::CmpEqF | op::CmpLtF | op::CmpLeF | op::CmpUnordF => format!("cmp{scalar}"),
        _ if name.ends_with('*') => format!("{base}{scalar}"),
        _ => base.into(),
    };
    if shape.is_avx() && !legacy.starts_with('v') { format!("v{legacy}") } else { legacy }
}

/// The bytes of the destination and of the sources, registers and memory.
fn widths(shape: &Shape) -> (u32, u32) {
    let size = shape.size.bytes();
    let wide = size.max(4);
    match shape.op {
        op::Mov if shape.form == Form::DA => (wide, wide),
        op::Zero | op::MovZx32 => (4, 4),
        op::MovZx8 => (4, 1),
        op::MovZx16 => (4, 2),
        op::MovSx8 => (wide, 1),
        op::MovSx16 => (wide, 2),
        op::MovSx32 => (8, 4),
        op::Lea => (wide, 0),
        op::Set => (1, 1),
        op::Call | op::JmpReg => (8, 8),
        op::AndF | op::AndnF | op::OrF | op::XorF => (16, 16),
        op::CvtI32F => (16, 4),
        op::CvtI64F => (16, 8),
        op::CvtFI32 => (4, size),
        op::CvtFI64 => (8, size),
        op::CvtFF => (16, 12 - size),
        _ => (size, size),
    }
}

/// The operands in Intel's order; none where they are implied.
pub fn operands(shape: &Shape) -> Option<Vec<Operand>> {
    let (dst, src) = widths(shape);
    let props = props(shape.op);
    let register =
        |field: usize, float: Props, bytes: u32| Operand::Reg(field, if props.has(float) { 16 } else { bytes });
    let d = register(0, Props::FLOAT_D, dst);
    let (a, b) = (register(1, Props::FLOAT_AB, src), register(2, Props::FLOAT_AB, src));
    let mem = Operand::Mem(src);
    let imm = Operand::Imm(immediate_bytes(shape));
    let mut all = match shape.form {
        Form::None if shape.op == op::Ud2 => vec![],
        Form::None => return None,
        Form::D if matches!(shape.op, op::Zero | op::ZeroF) => vec![d, d],
        Form::D | Form::DT => vec![d],
        Form::DA => vec![d, a],
        Form::DAI => vec![d, a, imm],
        Form::DAB if row(shape.op).info.fixed.a.is_none() => vec![d, a, b],
        Form::DAM if row(shape.op).info.fixed.a.is_none() => vec![d, a, mem],
        Form::DAB | Form::B => vec![b],
        Form::DABX | Form::DAMX | Form::DAXM => unreachable!("has no recipe"),
        Form::DAM | Form::M => vec![mem],
        Form::DM | Form::DTM => vec![d, mem],
        Form::DMI => vec![d, mem, imm],
        Form::DTB if row(shape.op).info.fixed.b == Some(RCX) => vec![d, Operand::Cl],
        Form::DTB => vec![d, b],
        Form::DTI => vec![d, imm],
        Form::AB if shape.op == op::Test => vec![b, a],
        Form::AM if shape.op == op::Test => vec![mem, a],
        Form::AB => vec![a, b],
        Form::AM => vec![a, mem],
        Form::AI => vec![a, imm],
        Form::MA => vec![mem, a],
        Form::MI => vec![mem, imm],
        Form::DI | Form::DI64 => unreachable!("has no recipe"),
    };
    if shape.avx {
        let merges = matches!(shape.op, op::ZeroF | op::SqrtF | op::RoundF | op::CvtFF | op::CvtI32F | op::CvtI64F)
            || shape.form.is_tied();
        let from_float = matches!(shape.form, Form::DA | Form::DAI) && !matches!(shape.op, op::CvtI32F | op::CvtI64F);
        all.splice(1..1, merges.then_some(if from_float { a } else { d }));
    }
    all.extend(predicate(shape.op).map(|(n, _)| Operand::Predicate(n)));
    Some(all)
}

/// What a comparison into a mask asks, by number and name: iced has the number among the operands, capstone the name in
/// the mnemonic.
pub fn predicate(op: MOp) -> Option<(i32, &'static str)> {
    match op {
        op::CmpEqF => Some((0, "eq")),
        op::CmpLtF => Some((1, "lt")),
        op::CmpLeF => Some((2, "le")),
        op::CmpUnordF => Some((3, "unord")),
        _ => None,
    }
}

fn immediate_bytes(shape: &Shape) -> u32 {
    match shape.op {
        op::Shl | op::Shr | op::Sar | op::Rol | op::Ror | op::Rorx | op::RoundF | op::Bt => 1,
        _ => shape.size.bytes(),
    }
}

/// True if the assembler takes an immediate, as a number with its sign or without, or there is none.
pub fn immediate_fits(shape: &Shape, imm: i32) -> bool {
    let has_one = shape.operands.iter().flatten().any(|o| matches!(o, Operand::Imm(_)));
    let bits = 8 * immediate_bytes(shape).min(4);
    !has_one || (-(1i64 << (bits - 1))..1 << bits).contains(&i64::from(imm))
}

/// What an instruction is whose operands are implied, as iced and as capstone have it.
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
