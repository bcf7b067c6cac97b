//! Hardware instructions as text, in Intel's syntax as GNU as (`.intel_syntax noprefix`) and capstone write it.
//!
//! Names and operands come from the instruction table, the operands in the order in which the manual (Intel SDM, volume
//! 2) has them.

use super::Cond;
use super::encode::recipe::recipe;
use super::encode::{Addr, Base, Hardware, NO_INDEX, Operands};
use super::notation::{Field, Imm, ModRm, Recipe, Type};
use super::registers::{RCX, name};
use crate::isa::x64::instructions::row;
use crate::isa::x64::registers::hw;
use crate::mir::{Form, MOp, PReg, Size};
use std::io::Write;

/// Appends an instruction. `symbol` is the text of a relocated displacement, with its addend, and of the target of a
/// call or jump; if an instruction that needs one has none, the text assembles to a displacement of zero. Nothing is
/// appended for [`Hardware::Bytes`].
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

/// Returns the suffix of a condition of the hardware.
fn suffix(c: Cond) -> &'static str {
    assert!((c as u8) < 16, "a condition of two is not in one instruction");
    Cond::NAMES[c as usize]
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

    /// Writes an instruction of the table.
    fn row(&mut self, op: MOp, form: Form, size: Size, cond: Cond, recipe: &Recipe, o: &Operands) {
        let (row, encoding) = (row(op), row(op).encoding(form));
        if recipe.is_vex() && !encoding.recipe.is_vex() {
            self.put("v");
        }
        self.out.extend(encoding.mnemonic(size).bytes().map(|c| if c == b'_' { b' ' } else { c }));
        if recipe.takes_cond() {
            self.put(suffix(cond));
        }
        // The operand that is also in the VEX prefix.
        let twice = match recipe.modrm {
            ModRm::RegRegRm => Some(0),
            ModRm::RegRmRm => Some(1),
            _ => None,
        };
        let bytes = |t: Type| t.bytes(recipe.size, size);
        let mut separator = " ";
        for (k, field) in encoding.operands.iter().enumerate() {
            for _ in 0..if twice == Some(k) { 2 } else { 1 } {
                self.put(separator);
                separator = ", ";
                match field {
                    Field::D => self.typed(o.regs[0], row.destination, bytes(row.destination)),
                    Field::A => self.typed(o.regs[1], row.source, bytes(row.source)),
                    Field::B => self.typed(o.regs[2], row.source, bytes(row.source)),
                    Field::Cl => self.register(hw(RCX), 1),
                    Field::Mem | Field::Sized => self.memory(bytes(row.source), &o.mem),
                    Field::Imm => self.number(immediate(recipe.imm, size, o.imm)),
                }
            }
        }
    }
    /// Writes a register of a type.
    fn typed(&mut self, r: u8, t: Type, bytes: u32) {
        match t {
            Type::Xmm => self.put(name(PReg::new(16 + (r & 15)), 16)),
            _ => self.register(r, bytes),
        }
    }

    /// Writes a memory operand of this many bytes.
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

    /// Separates a term of an address from the terms before it.
    fn plus(&mut self, start: usize) {
        if self.out.len() > start {
            self.put(" + ");
        }
    }
}

/// Returns the immediate as a number: of one byte if the encoding specifies it, else of the operand size, with its
/// sign.
fn immediate(encoded: Imm, size: Size, imm: i32) -> i64 {
    match (encoded, size) {
        (Imm::None | Imm::Fixed, _) => 0,
        (Imm::Byte | Imm::Shift, _) => imm as u8 as i64,
        (Imm::Short | Imm::Full, Size::S8) => imm as i8 as i64,
        (Imm::Short | Imm::Full, Size::S16) => imm as i16 as i64,
        (Imm::Short | Imm::Full, Size::S32 | Size::S64 | Size::S128) => imm as i64,
    }
}
