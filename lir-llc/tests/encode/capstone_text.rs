//! Capstone's text of an instruction against what was meant.

use crate::cases::Case;
use crate::expected::{self, Operand};
use capstone::prelude::*;
use lir_llc::x64::PReg;
use lir_llc::x64::encode::{Base, NO_INDEX};

/// A disassembler.
pub struct Reader(Capstone);

impl Reader {
    pub fn new() -> Reader {
        Reader(Capstone::new().x86().mode(arch::x86::ArchMode::Mode64).build().expect("capstone"))
    }

    /// Fails where capstone reads something else.
    pub fn compare(&self, case: &Case, bytes: &[u8]) {
        let read = self.0.disasm_all(bytes, 0).expect("capstone");
        let show = || format!("{case:?}\nbytes {bytes:02x?}\nread as {read}");
        assert_eq!(read.len(), 1, "{}", show());
        let got = &read[0];
        assert_eq!(got.bytes().len(), bytes.len(), "{}", show());
        let mnemonic = got.mnemonic().unwrap_or("").trim_start_matches("rep ");
        let predicate = expected::predicate(case.op);
        let want = expected::mnemonic(case);
        let want = predicate.map_or(want.clone(), |(_, name)| want.replace("cmp", &format!("cmp{name}")));
        assert_eq!(mnemonic, want, "{}", show());
        let Some(mut want) = expected::operands(case) else { return };
        if predicate.is_some() {
            want.pop();
        }
        let text = got.op_str().unwrap_or("");
        let parts: Vec<&str> = if text.is_empty() { vec![] } else { text.split(", ").collect() };
        assert_eq!(parts.len(), want.len(), "{}", show());
        for (part, operand) in parts.iter().zip(&want) {
            let same = match *operand {
                Operand::Reg(r, n) => *part == r.name(n),
                Operand::Imm(n, bytes) => {
                    let mask = u64::MAX >> (64 - 8 * bytes);
                    number(part) as u64 & mask == n as i64 as u64 & mask
                }
                Operand::Mem(_) => address(part) == meant(case),
            };
            assert!(same, "{part} is not {operand:?}\n{}", show());
        }
    }
}

fn number(text: &str) -> i64 {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let n = match digits.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16),
        None => digits.parse(),
    };
    let n = n.expect("a number") as i64;
    if negative { -n } else { n }
}

/// The terms of an address: registers with scales, sorted, and the sum of the numbers.
type Terms = (Vec<String>, i64);

fn address(text: &str) -> Terms {
    let inner = text.split_once('[').and_then(|(_, rest)| rest.strip_suffix(']')).expect("brackets");
    let (mut registers, mut disp) = (Vec::new(), 0i64);
    for term in inner.replace(" - ", " + -").split(" + ") {
        if term.starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
            disp = disp.wrapping_add(number(term));
        } else {
            registers.push(term.trim_end_matches("*1").to_string());
        }
    }
    registers.sort();
    (registers, disp as i32 as i64)
}

fn meant(case: &Case) -> Terms {
    let m = &case.operands.mem;
    let mut registers = Vec::new();
    match m.base {
        Base::None => {}
        Base::Reg(r) => registers.push(PReg::new(r).name(8).to_string()),
        Base::Rip => registers.push("rip".into()),
    }
    if m.index != NO_INDEX {
        let name = PReg::new(m.index).name(8).to_string();
        registers.push(if m.scale == 0 { name } else { format!("{name}*{}", 1 << m.scale) });
    }
    registers.sort();
    (registers, m.disp as i64)
}
