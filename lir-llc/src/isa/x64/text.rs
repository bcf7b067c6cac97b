//! Hardware instructions as text, in Intel's syntax as GNU as (`.intel_syntax noprefix`) and capstone write it.
//!
//! The name comes from the instruction table, the operands from the form, in the order in which the manual (Intel SDM,
//! volume 2) has them. In the names of the table stand `?` for a condition, `*` for the suffix of a float of the
//! operand's size (`ss`, `sd`, `ups`), `~` for that of the other size, and `#` for `d` or `q`.

use super::encode::recipe::{Imm, ModRm, Recipe, recipe};
use super::encode::{Addr, Base, Hardware, NO_INDEX, Operands};
use super::registers::{RCX, name};
use super::{Cond, op};
use crate::isa::x64::instructions::row;
use crate::isa::x64::props;
use crate::isa::x64::registers::hw;
use crate::mir::{Form, MOp, PReg, Props, Size};
use smallvec::SmallVec;
use std::io::Write;

/// Appends an instruction. `symbol` is what stands for a relocated displacement, with its addend, and for the target
/// of a call or jump; where an instruction that needs one has none, the text assembles to a displacement of zero.
/// Nothing is appended for [`Hardware::Bytes`].
pub fn write(what: &Hardware, symbol: Option<&[u8]>, out: &mut Vec<u8>) {
    let mut t = Text { out, symbol };
    match *what {
        Hardware::Row { op, form, size, cond, avx, operands } => {
            t.row(op, form, size, cond, recipe(op, form, avx), &operands);
        }
        Hardware::Constant(d, imm) => t.constant(d, imm),
        Hardware::Push(r) => t.one("push ", r),
        Hardware::Pop(r) => t.one("pop ", r),
        Hardware::PushMem(m) => t.one_memory("push ", &m),
        Hardware::PopMem(m) => t.one_memory("pop ", &m),
        Hardware::Exchange(a, b) => {
            // The second is the one that GNU as has in the register field, as the encoder has the first.
            t.one("xchg ", b);
            t.put(", ");
            t.register(a, 8);
        }
        Hardware::ThreadPointer(d) => {
            t.one("mov ", d);
            t.put(", qword ptr fs:[0]");
        }
        Hardware::SignExtendRax(size) => t.put(match size {
            Size::S8 => "cbw",
            Size::S16 => "cwd",
            Size::S32 => "cdq",
            Size::S64 | Size::S128 => "cqo",
        }),
        Hardware::Call => t.transfer("call "),
        Hardware::TailCall => t.transfer("jmp "),
        Hardware::Jump(None) => t.transfer("jmp "),
        Hardware::Jump(Some(c)) => {
            t.put("j");
            t.put(suffix(c));
            t.transfer(" ");
        }
        Hardware::Ret => t.put("ret"),
        Hardware::Bytes(_) => {}
    }
}

/// Returns the mnemonic of a row.
#[cfg(test)]
pub(crate) fn mnemonic(op: MOp, form: Form, size: Size, cond: Cond) -> String {
    let mut out = Vec::new();
    Text { out: &mut out, symbol: None }.name(op, form, size, cond, recipe(op, form, false));
    String::from_utf8(out).expect("mnemonics are ASCII")
}

/// The suffix of a condition of the hardware.
fn suffix(c: Cond) -> &'static str {
    match c {
        Cond::O => "o",
        Cond::NO => "no",
        Cond::B => "b",
        Cond::AE => "ae",
        Cond::E => "e",
        Cond::NE => "ne",
        Cond::BE => "be",
        Cond::A => "a",
        Cond::S => "s",
        Cond::NS => "ns",
        Cond::P => "p",
        Cond::NP => "np",
        Cond::L => "l",
        Cond::GE => "ge",
        Cond::LE => "le",
        Cond::G => "g",
        Cond::OrdEq | Cond::UnordNe => unreachable!("a condition of two is not in one instruction"),
    }
}

/// The bytes of the destination and of the sources (registers and memory) of an instruction. 0 where they are none.
fn widths(op: MOp, form: Form, size: Size) -> (u32, u32) {
    let bytes = size.bytes();
    let wide = bytes.max(4);
    match op {
        op::Mov if form == Form::DA => (wide, wide),
        op::Zero | op::MovZx32 => (4, 4),
        op::MovZx8 => (4, 1),
        op::MovZx16 => (4, 2),
        op::MovSx8 => (wide, 1),
        op::MovSx16 => (wide, 2),
        op::MovSx32 => (8, 4),
        op::Lea => (wide, 0),
        op::Set => (1, 1),
        op::LoadGot | op::Call | op::JmpReg => (8, 8),
        op::AndF | op::AndnF | op::OrF | op::XorF => (16, 16),
        op::CvtI32F => (16, 4),
        op::CvtI64F | op::CvtU64F => (16, 8),
        op::CvtFI32 => (4, bytes),
        op::CvtFI64 => (8, bytes),
        op::CvtFF => (16, 12 - bytes),
        op::ThreadPointer
        | op::TlsAddr
        | op::Jmp
        | op::Jcc
        | op::Ret
        | op::TailCall
        | op::Ud2
        | op::Params
        | op::RepMovs
        | op::RepStos => (8, 8),
        _ => (bytes, bytes),
    }
}

/// The text that grows.
struct Text<'t> {
    out: &'t mut Vec<u8>,
    symbol: Option<&'t [u8]>,
}

impl Text<'_> {
    fn put(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }
    fn number(&mut self, n: i64) {
        // Writing to a vector cannot fail.
        let _ = write!(self.out, "{n}");
    }
    fn register(&mut self, r: u8, bytes: u32) {
        self.put(name(PReg::new(r & 15), bytes));
    }
    fn one(&mut self, name: &str, r: u8) {
        self.put(name);
        self.register(r, 8);
    }
    fn one_memory(&mut self, name: &str, m: &Addr) {
        self.put(name);
        self.memory(8, m);
    }
    fn transfer(&mut self, name: &str) {
        self.put(name);
        match self.symbol {
            Some(symbol) => self.out.extend_from_slice(symbol),
            None => self.put(". + 5"),
        }
    }
    fn constant(&mut self, d: u8, imm: i64) {
        if (0..=u32::MAX as i64).contains(&imm) {
            self.put("mov ");
            self.register(d, 4);
        } else {
            self.one(if imm == imm as i32 as i64 { "mov " } else { "movabs " }, d);
        }
        self.put(", ");
        self.number(imm);
    }

    /// The name of a row.
    fn name(&mut self, op: MOp, form: Form, size: Size, cond: Cond, recipe: &Recipe) {
        let names = row(op).mnemonic;
        let (between, other) = names.split_once('|').unwrap_or((names, names));
        let float = |double: bool| if double { "sd" } else { "ss" };
        let sse = props(op).has(Props::FLOAT_D) || props(op).has(Props::FLOAT_AB);
        if recipe.is_vex() && sse && !other.starts_with('v') {
            self.put("v");
        }
        for c in if form == Form::DA { between } else { other }.bytes() {
            match c {
                b'?' => self.put(suffix(cond)),
                b'*' if size == Size::S128 => self.put("ups"),
                b'*' => self.put(float(size == Size::S64)),
                b'~' => self.put(float(size != Size::S64)),
                b'#' => self.out.push(if size == Size::S64 { b'q' } else { b'd' }),
                c => self.out.push(c),
            }
        }
    }

    /// An instruction of the table.
    fn row(&mut self, op: MOp, form: Form, size: Size, cond: Cond, recipe: &Recipe, o: &Operands) {
        self.name(op, form, size, cond, recipe);
        let operands = operands(op, form, size);
        // Which operand stands in the VEX prefix, too.
        let twice = match recipe.modrm {
            ModRm::RegRegRm => Some(0),
            ModRm::RegRmRm => Some(1),
            _ => None,
        };
        let mut separator = " ";
        for (k, operand) in operands.iter().enumerate() {
            for _ in 0..if twice == Some(k) { 2 } else { 1 } {
                self.put(separator);
                separator = ", ";
                self.operand(*operand, immediate(recipe.imm, size, o.imm), o);
            }
        }
    }
    fn operand(&mut self, operand: Operand, imm: i64, o: &Operands) {
        match operand {
            Operand::Register { field, float: true, .. } => {
                self.put(name(PReg::new(16 + (o.regs[field as usize] & 15)), 16));
            }
            Operand::Register { field, bytes, float: false } => self.register(o.regs[field as usize], bytes),
            Operand::Cl => self.register(hw(RCX), 1),
            Operand::Memory(bytes) => self.memory(bytes, &o.mem),
            Operand::Immediate => self.number(imm),
        }
    }

    /// A memory operand of so many bytes.
    fn memory(&mut self, bytes: u32, m: &Addr) {
        self.put(match bytes {
            1 => "byte ptr ",
            2 => "word ptr ",
            4 => "dword ptr ",
            8 => "qword ptr ",
            16 => "xmmword ptr ",
            _ => "",
        });
        if m.base == Base::None && m.index == NO_INDEX {
            self.put("ds:");
        }
        self.put("[");
        let start = self.out.len();
        match m.base {
            Base::None => {}
            Base::Reg(r) => self.register(r, 8),
            Base::Rip => self.put("rip"),
        }
        if m.index != NO_INDEX {
            self.plus(start);
            self.register(m.index, 8);
            if m.scale > 0 || m.base == Base::None {
                self.put("*");
                self.number(1 << m.scale);
            }
        }
        self.displacement(start, m);
        self.put("]");
    }

    fn displacement(&mut self, start: usize, m: &Addr) {
        match self.symbol {
            Some(symbol) if m.wide => {
                self.plus(start);
                self.out.extend_from_slice(symbol);
            }
            _ if self.out.len() == start => self.number(m.disp as i64),
            _ if m.disp < 0 => {
                self.put(" - ");
                self.number(-(m.disp as i64));
            }
            _ if m.disp > 0 => {
                self.put(" + ");
                self.number(m.disp as i64);
            }
            _ => {}
        }
    }

    /// Separates a term of an address from those before it.
    fn plus(&mut self, start: usize) {
        if self.out.len() > start {
            self.put(" + ");
        }
    }
}

/// An operand of a row.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Operand {
    /// The register in a field of [`Operands::regs`], its bytes, and whether it is an SSE register.
    Register { field: u8, bytes: u32, float: bool },
    /// The count of a shift.
    Cl,
    /// The memory operand, of so many bytes; 0 where it is only an address.
    Memory(u32),
    /// The immediate.
    Immediate,
}

/// Returns the operands of a row in the order of the manual.
pub(crate) fn operands(op: MOp, form: Form, size: Size) -> SmallVec<[Operand; 3]> {
    let (dst, src) = widths(op, form, size);
    let (fixed, props) = (row(op).info.fixed, props(op));
    let register = |field, bytes, float| Operand::Register { field, bytes, float: props.has(float) };
    let d = register(0, dst, Props::FLOAT_D);
    let (a, b) = (register(1, src, Props::FLOAT_AB), register(2, src, Props::FLOAT_AB));
    let (mem, imm) = (Operand::Memory(src), Operand::Immediate);
    let operands: &[Operand] = match form {
        Form::None | Form::DI | Form::DI64 => &[],
        Form::D if matches!(op, op::Zero | op::ZeroF) => &[d, d],
        Form::D | Form::DT => &[d],
        Form::DA => &[d, a],
        Form::DAI => &[d, a, imm],
        Form::DAB if fixed.a.is_none() => &[d, a, b],
        Form::DAM if fixed.a.is_none() => &[d, a, mem],
        Form::DABX | Form::DAMX | Form::DAXM => unreachable!("{op:?} has no encoding of three sources"),
        Form::DAB | Form::B => &[b],
        Form::DAM | Form::M => &[mem],
        Form::DM | Form::DTM => &[d, mem],
        Form::DMI => &[d, mem, imm],
        Form::DTB if fixed.b == Some(RCX) => &[d, Operand::Cl],
        Form::DTB => &[d, b],
        Form::DTI => &[d, imm],
        // The manual has the operands of `test` in this order.
        Form::AB if op == op::Test => &[b, a],
        Form::AM if op == op::Test => &[mem, a],
        Form::AB => &[a, b],
        Form::AM => &[a, mem],
        Form::AI => &[a, imm],
        Form::MA => &[mem, a],
        Form::MI => &[mem, imm],
    };
    SmallVec::from_slice(operands)
}

/// The immediate as a number: of one byte where the encoding says so, else of the operand size, with its sign.
fn immediate(encoded: Imm, size: Size, imm: i32) -> i64 {
    match (encoded, size) {
        (Imm::None | Imm::Fixed, _) => 0,
        (Imm::Byte | Imm::Shift, _) => imm as u8 as i64,
        (Imm::Short | Imm::Full, Size::S8) => imm as i8 as i64,
        (Imm::Short | Imm::Full, Size::S16) => imm as i16 as i64,
        (Imm::Short | Imm::Full, Size::S32 | Size::S64 | Size::S128) => imm as i64,
    }
}
