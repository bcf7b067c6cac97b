//! Instructions that no row of the table encodes: constants, jumps, and the instructions of frames and of moves between
//! locations.

use super::super::Cond;
use super::journal::Hardware;
use super::{Addr, Base, Code, NO_INDEX, address_rex};
use crate::mir::Size;

impl Code {
    /// `mov d, imm` in the shortest form that leaves the flags alone and sets all 64 bits.
    pub fn mov_imm(&mut self, d: u8, imm: i64) {
        self.note(|| Hardware::Constant(d, imm));
        self.instruction(|w| {
            let unsigned = imm as u64 <= u32::MAX as u64;
            let signed = imm == imm as i32 as i64;
            w.rex(if unsigned { 0 } else { 8 } | d >> 3, false);
            if signed && !unsigned {
                w.byte(0xc7);
                w.byte(0xc0 | d & 7);
            } else {
                w.byte(0xb8 | d & 7);
            }
            w.dword(imm as i32);
            if !signed && !unsigned {
                w.dword((imm >> 32) as i32);
            }
        });
    }
    /// `push r`.
    pub fn push(&mut self, r: u8) {
        self.note(|| Hardware::Push(r));
        self.one_register(0x50, r);
    }
    /// `pop r`.
    pub fn pop(&mut self, r: u8) {
        self.note(|| Hardware::Pop(r));
        self.one_register(0x58, r);
    }
    fn one_register(&mut self, opcode: u8, r: u8) {
        self.instruction(|w| {
            w.rex(r >> 3, false);
            w.byte(opcode | r & 7);
        });
    }
    /// `push qword [m]`.
    pub fn push_mem(&mut self, m: &Addr) {
        self.note(|| Hardware::PushMem(*m));
        self.one_address(0xff, 6, m);
    }
    /// `pop qword [m]`. A base rsp is read after it has moved up by 8.
    pub fn pop_mem(&mut self, m: &Addr) {
        self.note(|| Hardware::PopMem(*m));
        self.one_address(0x8f, 0, m);
    }
    fn one_address(&mut self, opcode: u8, digit: u8, m: &Addr) {
        self.instruction(|w| {
            w.rex(address_rex(m), false);
            w.byte(opcode);
            w.address(digit, m);
        });
    }
    /// `xchg a, b`, 64 bits.
    pub fn exchange(&mut self, a: u8, b: u8) {
        self.note(|| Hardware::Exchange(a, b));
        self.instruction(|w| {
            if a == 0 || b == 0 {
                let r = a | b;
                w.rex(8 | r >> 3, false);
                w.byte(0x90 | r & 7);
            } else {
                w.rex(8 | (a >> 3) << 2 | b >> 3, false);
                w.byte(0x87);
                w.byte(0xc0 | (a & 7) << 3 | b & 7);
            }
        });
    }
    /// `mov d, fs:[0]`.
    pub fn thread_pointer(&mut self, d: u8) {
        self.note(|| Hardware::ThreadPointer(d));
        self.instruction(|w| {
            w.byte(0x64);
            w.rex(8 | (d >> 3) << 2, false);
            w.byte(0x8b);
            w.address(d, &Addr { base: Base::None, index: NO_INDEX, scale: 0, disp: 0, wide: false });
        });
    }
    /// `cbw`, `cwd`, `cdq`, `cqo`: the sign of rax (of al) into rdx (into ah).
    pub(crate) fn sign_extend_rax(&mut self, size: Size) {
        self.note(|| Hardware::SignExtendRax(size));
        let bytes: &[u8] = match size {
            Size::S8 => &[0x66, 0x98],
            Size::S16 => &[0x66, 0x99],
            Size::S32 => &[0x99],
            Size::S64 | Size::S128 => &[0x48, 0x99],
        };
        self.extend(bytes);
    }
    /// Prefixes that change nothing about the next instruction but its length.
    pub(crate) fn padding_prefixes(&mut self, prefixes: &'static [u8]) {
        self.note(|| Hardware::Bytes(prefixes));
        self.extend(prefixes);
    }
    /// `ret`.
    pub fn ret(&mut self) {
        self.note(|| Hardware::Ret);
        self.extend(&[0xc3]);
    }
    /// `call rel32`, to be relocated: the offset of its displacement.
    pub fn call(&mut self) -> u32 {
        self.note(|| Hardware::Call);
        self.extend(&[0xe8, 0, 0, 0, 0]);
        self.len() as u32 - 4
    }
    /// `jmp rel32`, to be relocated: the offset of its displacement.
    pub fn tail_call(&mut self) -> u32 {
        self.note(|| Hardware::TailCall);
        self.extend(&[0xe9, 0, 0, 0, 0]);
        self.len() as u32 - 4
    }
    /// `jmp rel8`, from its end.
    pub fn jump_short(&mut self, distance: i8) {
        self.note(|| Hardware::Jump(None));
        self.extend(&[0xeb, distance as u8]);
    }
    /// `jmp rel32`, from its end.
    pub fn jump_near(&mut self, distance: i32) {
        self.note(|| Hardware::Jump(None));
        self.instruction(|w| {
            w.byte(0xe9);
            w.dword(distance);
        });
    }
    /// `jcc rel8`, from its end.
    pub fn branch_short(&mut self, c: Cond, distance: i8) {
        self.note(|| Hardware::Jump(Some(c)));
        debug_assert!(c as u8 <= 15);
        self.extend(&[0x70 | c as u8, distance as u8]);
    }
    /// `jcc rel32`, from its end.
    pub fn branch_near(&mut self, c: Cond, distance: i32) {
        self.note(|| Hardware::Jump(Some(c)));
        debug_assert!(c as u8 <= 15);
        self.instruction(|w| {
            w.opcode(1, 0x80 | c as u8);
            w.dword(distance);
        });
    }
    /// This many bytes of no-operations, in few instructions (Intel SDM volume 2, `nop`, table 4-12).
    pub fn nops(&mut self, mut count: usize) {
        const NOP: [&[u8]; 10] = [
            &[],
            &[0x90],
            &[0x66, 0x90],
            &[0x0f, 0x1f, 0x00],
            &[0x0f, 0x1f, 0x40, 0x00],
            &[0x0f, 0x1f, 0x44, 0x00, 0x00],
            &[0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00],
            &[0x0f, 0x1f, 0x80, 0x00, 0x00, 0x00, 0x00],
            &[0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00],
            &[0x66, 0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00],
        ];
        while count > 0 {
            let n = count.min(9);
            self.note(|| Hardware::Bytes(NOP[n]));
            self.extend(NOP[n]);
            count -= n;
        }
    }
}
