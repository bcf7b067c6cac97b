//! `.eh_frame`: call frame information as unwinders and debuggers read it.
//!
//! One common entry states the rules at the entry of every function. An entry for each function has its address (to be
//! filled in later) and the changes inside the function. This is not a DWARF library, since six kinds of changes are
//! enough, every compilation runs this code, and it takes no memory except the bytes. A test reads everything back with
//! the crate `gimli`.
//!
//! Source: Linux Standard Base 5.0, Core, section 10.6.1 (exception frames); DWARF version 5, sections 6.4.1, 7.24;
//! System V ABI, AMD64 supplement, section 4.2.4.

use crate::isa::x64::emit::{CfiOp, CodeBuffer, FunctionCode};
use crate::isa::x64::registers::RSP;
use crate::isa::x64::registers::dwarf;

/// The contents of an `.eh_frame` section.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EhFrame {
    /// The bytes, to be placed at a multiple of 8. There is no terminator.
    pub bytes: Vec<u8>,
    /// For each function the offset of the four bytes that locate its code. They are to be its address minus their own.
    pub code_fields: Vec<u32>,
}

/// The end of a section that no linker puts together: an entry of length 0.
pub const TERMINATOR: [u8; 4] = [0; 4];

// DW_CFA_*
const ADVANCE_LOC: u8 = 0x40;
const ADVANCE_LOC1: u8 = 0x02;
const ADVANCE_LOC2: u8 = 0x03;
const ADVANCE_LOC4: u8 = 0x04;
const OFFSET: u8 = 0x80;
const REMEMBER_STATE: u8 = 0x0a;
const RESTORE_STATE: u8 = 0x0b;
const DEF_CFA: u8 = 0x0c;
const DEF_CFA_REGISTER: u8 = 0x0d;
const DEF_CFA_OFFSET: u8 = 0x0e;
const NOP: u8 = 0;

/// DW_EH_PE_pcrel | DW_EH_PE_sdata4.
const PC_RELATIVE: u8 = 0x1b;
/// The column of the return address.
const RETURN_ADDRESS: u8 = 16;
/// The factor of offsets from the CFA.
const DATA_ALIGN: i32 = -8;

/// Returns the information about functions of a buffer, given ascending by start. Empty if there are none.
pub fn eh_frame<'a>(code: &CodeBuffer, functions: impl Iterator<Item = &'a FunctionCode>) -> EhFrame {
    let mut out = EhFrame::default();
    let mut functions = functions.peekable();
    // Callers may ask for each function by itself.
    let first = functions.peek().map_or(0, |f| code.cfi.partition_point(|row| row.offset < f.start));
    let mut rows = code.cfi[first..].iter().peekable();
    for f in functions {
        if out.bytes.is_empty() {
            common_entry(&mut out.bytes);
        }
        let start = begin_entry(&mut out.bytes);
        // The distance back to the common entry, which is at 0.
        put_u32(&mut out.bytes, start);
        out.code_fields.push(out.bytes.len() as u32);
        put_u32(&mut out.bytes, 0);
        put_u32(&mut out.bytes, f.len);
        out.bytes.push(0); // no augmentation data
        let mut at = f.start;
        while rows.next_if(|row| row.offset < f.start).is_some() {}
        while let Some(row) = rows.next_if(|row| row.offset < f.start + f.len) {
            advance(&mut out.bytes, row.offset - at);
            at = row.offset;
            change(&mut out.bytes, row.op);
        }
        end_entry(&mut out.bytes, start);
    }
    out
}

/// Writes the rules at the entry of a function.
fn common_entry(out: &mut Vec<u8>) {
    let start = begin_entry(out);
    put_u32(out, 0);
    out.push(1); // version
    out.extend_from_slice(b"zR\0");
    out.push(1); // code alignment
    out.push(DATA_ALIGN as u8 & 0x7f); // as a signed LEB128 number of one byte
    out.push(RETURN_ADDRESS);
    out.extend_from_slice(&[1, PC_RELATIVE]);
    change(out, CfiOp::DefCfa(RSP, 8));
    out.extend_from_slice(&[OFFSET | RETURN_ADDRESS, 1]);
    end_entry(out, start);
}

/// Leaves room for the length of an entry; returns the offset after it.
fn begin_entry(out: &mut Vec<u8>) -> u32 {
    put_u32(out, 0);
    out.len() as u32
}

/// Pads an entry to a multiple of 8, and fills in its length.
fn end_entry(out: &mut Vec<u8>, start: u32) {
    out.resize(out.len().next_multiple_of(8), NOP);
    let len = out.len() as u32 - start;
    out[start as usize - 4..start as usize].copy_from_slice(&len.to_le_bytes());
}

/// Advances by some bytes of code.
fn advance(out: &mut Vec<u8>, by: u32) {
    match by {
        0 => {}
        1..0x40 => out.push(ADVANCE_LOC | by as u8),
        0x40..0x100 => out.extend_from_slice(&[ADVANCE_LOC1, by as u8]),
        0x100..0x1_0000 => {
            out.push(ADVANCE_LOC2);
            out.extend_from_slice(&(by as u16).to_le_bytes());
        }
        _ => {
            out.push(ADVANCE_LOC4);
            put_u32(out, by);
        }
    }
}

fn change(out: &mut Vec<u8>, op: CfiOp) {
    match op {
        CfiOp::DefCfa(r, bytes) => {
            out.extend_from_slice(&[DEF_CFA, dwarf(r)]);
            put_uleb(out, bytes);
        }
        CfiOp::DefCfaRegister(r) => out.extend_from_slice(&[DEF_CFA_REGISTER, dwarf(r)]),
        CfiOp::DefCfaOffset(bytes) => {
            out.push(DEF_CFA_OFFSET);
            put_uleb(out, bytes);
        }
        CfiOp::Offset(r, bytes) => {
            out.push(OFFSET | dwarf(r));
            put_uleb(out, (bytes / DATA_ALIGN) as u32);
        }
        CfiOp::RememberState => out.push(REMEMBER_STATE),
        CfiOp::RestoreState => out.push(RESTORE_STATE),
    }
}

fn put_u32(out: &mut Vec<u8>, n: u32) {
    out.extend_from_slice(&n.to_le_bytes());
}

/// Appends an unsigned LEB128 number.
fn put_uleb(out: &mut Vec<u8>, mut n: u32) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}
