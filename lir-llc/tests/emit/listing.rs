//! Machine code as text, by capstone.

use capstone::prelude::*;
use lir_llc::isa::x64::emit::CodeBuffer;
use std::fmt::Write;

/// A line for each instruction, with its relocations after it.
pub fn text(code: &CodeBuffer) -> String {
    let reader = Capstone::new().x86().mode(arch::x86::ArchMode::Mode64).build().expect("capstone");
    let instructions = reader.disasm_all(code.bytes(), 0).expect("capstone");
    let mut out = String::new();
    let mut relocs = code.relocs.iter().peekable();
    let mut end = 0;
    for i in instructions.iter() {
        end = i.address() + i.bytes().len() as u64;
        let line = format!("{} {}", i.mnemonic().unwrap_or("?"), i.op_str().unwrap_or(""));
        write!(out, "{:3x}  {}", i.address(), line.trim_end()).expect("text");
        while let Some(r) = relocs.next_if(|r| (r.offset as u64) < end) {
            write!(out, "  ; {:?} {:?} {:+}", r.kind, r.target, r.addend).expect("text");
        }
        out.push('\n');
    }
    assert_eq!(end as usize, code.bytes().len(), "all bytes are instructions:\n{out}");
    out
}
