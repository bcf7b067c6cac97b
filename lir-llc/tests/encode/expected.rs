//! What a case means, said without the encoder: mnemonic and operands in Intel's order.

use crate::cases::Case;
use iced_x86::{MemorySize, Mnemonic, Register};
use lir_llc::x64::insts::Props;
use lir_llc::x64::registers::RCX;
use lir_llc::x64::{Form, Op, PReg, Size};
use std::collections::HashMap;

/// An operand.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Operand {
    /// A register and the bytes of it (16: an SSE register).
    Reg(PReg, u32),
    /// The memory operand and its bytes; 0 where it is only an address.
    Mem(u32),
    /// An immediate, of which so many bytes count.
    Imm(i32, u32),
}

/// iced's mnemonics by their names in lower case.
pub fn mnemonics() -> HashMap<String, Mnemonic> {
    Mnemonic::values().map(|m| (format!("{m:?}").to_lowercase(), m)).collect()
}

/// The mnemonic with its suffix.
pub fn mnemonic(case: &Case) -> String {
    // Without what stands for condition and size.
    let name = case.op.info().mnemonic.rsplit('|').next().unwrap_or_default();
    let base = name.split(['?', '*', '~', '#']).next().unwrap_or_default();
    let scalar = if case.size == Size::S32 { "ss" } else { "sd" };
    let legacy = match case.op {
        Op::Set | Op::Cmov => format!("{base}{}", format!("{:?}", case.cond).to_lowercase()),
        Op::MovF if case.form == Form::DA => "movaps".into(),
        Op::MovF if case.size == Size::S128 => "movups".into(),
        Op::MovIF if case.form == Form::DM => format!("mov{scalar}"),
        Op::MovFI if case.form == Form::DM => "mov".into(),
        Op::MovIF | Op::MovFI => if case.size == Size::S32 { "movd" } else { "movq" }.into(),
        Op::CvtFI32 | Op::CvtFI64 => format!("cvtt{scalar}2si"),
        Op::CvtFF => if case.size == Size::S32 { "cvtsd2ss" } else { "cvtss2sd" }.into(),
        Op::RepMovs => "movsb".into(),
        Op::RepStos => "stosb".into(),
        Op::CmpEqF | Op::CmpLtF | Op::CmpLeF | Op::CmpUnordF => format!("cmp{scalar}"),
        _ if name.ends_with('*') => format!("{base}{scalar}"),
        _ => base.into(),
    };
    if case.is_avx() && !legacy.starts_with('v') { format!("v{legacy}") } else { legacy }
}

/// The bytes of the destination and of the sources, registers and memory.
fn widths(case: &Case) -> (u32, u32) {
    let size = case.size.bytes();
    let wide = size.max(4);
    match case.op {
        Op::Mov if case.form == Form::DA => (wide, wide),
        Op::Zero | Op::MovZx32 => (4, 4),
        Op::MovZx8 => (4, 1),
        Op::MovZx16 => (4, 2),
        Op::MovSx8 => (wide, 1),
        Op::MovSx16 => (wide, 2),
        Op::MovSx32 => (8, 4),
        Op::Lea => (wide, 0),
        Op::Set => (1, 1),
        Op::Call | Op::JmpReg => (8, 8),
        Op::AndF | Op::AndnF | Op::OrF | Op::XorF => (16, 16),
        Op::CvtI32F => (16, 4),
        Op::CvtI64F => (16, 8),
        Op::CvtFI32 => (4, size),
        Op::CvtFI64 => (8, size),
        Op::CvtFF => (16, 12 - size),
        _ => (size, size),
    }
}

/// The operands in Intel's order; none where they are implied.
pub fn operands(case: &Case) -> Option<Vec<Operand>> {
    let (dst, src) = widths(case);
    let props = case.op.props();
    let register = |n: u8, float: Props, bytes: u32| {
        if props.has(float) { Operand::Reg(PReg::new(16 + n), 16) } else { Operand::Reg(PReg::new(n), bytes) }
    };
    let [d, a, b] = case.operands.regs;
    let d = register(d, Props::FLOAT_D, dst);
    let (a, b) = (register(a, Props::FLOAT_AB, src), register(b, Props::FLOAT_AB, src));
    let mem = Operand::Mem(src);
    let imm = Operand::Imm(case.operands.imm, immediate_bytes(case));
    let mut all = match case.form {
        Form::None if case.op == Op::Ud2 => vec![],
        Form::None => return None,
        Form::D if matches!(case.op, Op::Zero | Op::ZeroF) => vec![d, d],
        Form::D | Form::DT => vec![d],
        Form::DA => vec![d, a],
        Form::DAI => vec![d, a, imm],
        Form::DAB if case.op.info().fixed.a.is_none() => vec![d, a, b],
        Form::DAM if case.op.info().fixed.a.is_none() => vec![d, a, mem],
        Form::DAB | Form::B => vec![b],
        Form::DABX | Form::DAMX | Form::DAXM => unreachable!("has no recipe"),
        Form::DAM | Form::M => vec![mem],
        Form::DM | Form::DTM => vec![d, mem],
        Form::DMI => vec![d, mem, imm],
        Form::DTB if case.op.info().fixed.b == Some(RCX) => vec![d, Operand::Reg(RCX, 1)],
        Form::DTB => vec![d, b],
        Form::DTI => vec![d, imm],
        Form::AB if case.op == Op::Test => vec![b, a],
        Form::AM if case.op == Op::Test => vec![mem, a],
        Form::AB => vec![a, b],
        Form::AM => vec![a, mem],
        Form::AI => vec![a, imm],
        Form::MA => vec![mem, a],
        Form::MI => vec![mem, imm],
        Form::DI | Form::DI64 => unreachable!("has no recipe"),
    };
    if case.avx {
        use Op::*;
        let merges = matches!(case.op, ZeroF | SqrtF | RoundF | CvtFF | CvtI32F | CvtI64F) || case.form.is_tied();
        let from_float = matches!(case.form, Form::DA | Form::DAI) && !matches!(case.op, CvtI32F | CvtI64F);
        all.splice(1..1, merges.then_some(if from_float { a } else { d }));
    }
    all.extend(predicate(case.op).map(|(n, _)| Operand::Imm(n, 1)));
    Some(all)
}

/// What a comparison into a mask asks, by number and name: iced has the number among the operands, capstone the name in
/// the mnemonic.
pub fn predicate(op: Op) -> Option<(i32, &'static str)> {
    match op {
        Op::CmpEqF => Some((0, "eq")),
        Op::CmpLtF => Some((1, "lt")),
        Op::CmpLeF => Some((2, "le")),
        Op::CmpUnordF => Some((3, "unord")),
        _ => None,
    }
}

fn immediate_bytes(case: &Case) -> u32 {
    match case.op {
        Op::Shl | Op::Shr | Op::Sar | Op::Rol | Op::Ror | Op::Rorx | Op::RoundF | Op::Bt => 1,
        _ => case.size.bytes(),
    }
}

/// iced's name of the low `bytes` of a register.
pub fn iced_register(r: PReg, bytes: u32) -> Register {
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
    table[r.hw() as usize]
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
