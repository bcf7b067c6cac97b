//! Capstone's text of instructions against the intended text.

use super::cases::{ADDRESSES, Batch, Case, Shape};
use super::expected::{self, Operand};
use capstone::Insn;
use capstone::prelude::*;
use lir_llc::isa::x64::encode::{Addr, Base, NO_INDEX};
use lir_syntax::ir::Word;
use std::fmt::Write;
use std::sync::LazyLock;

/// A disassembler, and its expected output in all cases of a shape.
pub struct Reader {
    capstone: Capstone,
    mnemonic: String,
    /// The text before the brackets of a memory operand.
    pointer: &'static str,
}

impl Reader {
    pub fn new(shape: &Shape) -> Reader {
        let capstone = Capstone::new().x86().mode(arch::x86::ArchMode::Mode64).build().expect("capstone");
        let mut mnemonic = expected::mnemonic(shape);
        if shape.operands.is_none() {
            mnemonic.insert_str(0, "rep ");
        }
        if expected::is_locked(shape) {
            mnemonic.insert_str(0, "lock ");
        }
        let bytes = shape.operands.iter().flatten().find_map(|o| if let Operand::Mem(n) = o { Some(*n) } else { None });
        let pointer = match bytes {
            None | Some(0) => "",
            Some(1) => "byte ptr ",
            Some(2) => "word ptr ",
            Some(4) => "dword ptr ",
            Some(8) => "qword ptr ",
            Some(_) => "xmmword ptr ",
        };
        Reader { capstone, mnemonic, pointer }
    }

    /// Fails where capstone reads something else.
    pub fn compare(&self, batch: &Batch) {
        let mut instructions = self.capstone.disasm_iter(batch.code.bytes(), 0).expect("capstone");
        for case in &batch.cases {
            let Some(got) = instructions.next() else { panic!("invalid: {}", batch.show(case)) };
            if let Err(what) = self.compare_one(batch.shape, case, &got) {
                panic!("{what}: {}\nread as {got}", batch.show(case));
            }
        }
    }

    fn compare_one(&self, shape: &Shape, case: &Case, got: &Insn) -> Result<(), String> {
        if got.len() != case.len() {
            return Err("length".into());
        }
        if got.mnemonic() != Some(&self.mnemonic) {
            return Err("mnemonic".into());
        }
        let mut text = got.op_str().unwrap_or_default();
        let Some(want) = &shape.operands else {
            return if text == expected::implied(shape.op).1 { Ok(()) } else { Err("implied operands".into()) };
        };
        // The predicate is part of the name.
        for operand in want.iter().filter(|o| !matches!(o, Operand::Predicate(_))) {
            let (part, rest) = text.split_once(", ").unwrap_or((text, ""));
            text = rest;
            if !self.is(part, operand, case) {
                return Err(format!("{part} is not {operand:?}"));
            }
        }
        if text.is_empty() { Ok(()) } else { Err("number of operands".into()) }
    }

    /// Whether a part of the text is an operand.
    fn is(&self, part: &str, operand: &Operand, case: &Case) -> bool {
        match *operand {
            Operand::Reg(field, bytes) => part == expected::capstone_register(case.operands.regs[field], bytes),
            Operand::Cl => part == "cl",
            Operand::Imm(bytes) => {
                let mask = Word::of_bytes(bytes).mask();
                number(part).is_some_and(|n| n as u64 & mask == case.operands.imm as i64 as u64 & mask)
            }
            Operand::Mem(_) => part.strip_prefix(self.pointer) == Some(&TEXTS[case.address]),
            Operand::Predicate(_) => unreachable!("is no part of the text"),
        }
    }
}

fn number(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let n = match digits.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16),
        None => digits.parse(),
    };
    let n = n.ok()? as i64;
    Some(if negative { n.wrapping_neg() } else { n })
}

/// The texts of all addresses.
static TEXTS: LazyLock<Vec<String>> = LazyLock::new(|| ADDRESSES.iter().map(text).collect());

/// `[rax + rcx*4 - 0x80]`.
fn text(m: &Addr) -> String {
    let mut text = String::from("[");
    match m.base {
        Base::None => {}
        Base::Reg(r) => text.push_str(expected::capstone_register(r, 8)),
        Base::Rip => text.push_str("rip"),
    }
    if m.index != NO_INDEX {
        text.push_str(if text.len() > 1 { " + " } else { "" });
        text.push_str(expected::capstone_register(m.index, 8));
        if m.scale != 0 {
            write!(text, "*{}", 1 << m.scale).expect("a string grows");
        }
    }
    let alone = text.len() == 1;
    let (sign, size) = match (alone, m.disp < 0) {
        // An address by itself is a number of 64 bits.
        (true, _) => ("", m.disp as i64 as u64),
        (false, true) => (" - ", m.disp.unsigned_abs() as u64),
        (false, false) => (" + ", m.disp as u64),
    };
    if alone || m.disp != 0 {
        // Numbers of one digit are decimal.
        let hex = if size < 10 { "" } else { "0x" };
        write!(text, "{sign}{hex}{size:x}").expect("a string grows");
    }
    text + "]"
}
