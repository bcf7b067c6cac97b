//! The end of a function: its exit, and the missing parts of the prologue.

use super::{MAX_SLOTS, Writer, slot};
use crate::isa::x64::asm::Assembler;
use crate::isa::x64::emit::CfiOp;
use crate::isa::x64::emit::relax::Recorded;
use crate::isa::x64::encode::{Code, Operands};
use crate::isa::x64::registers::{CALLEE_SAVED, RSP, hw};
use crate::isa::x64::{Cond, op};
use crate::mir::{Form, PReg, RegClass, Size};
use crate::regalloc::Loc;
use std::panic::Location;

impl Writer {
    /// Writes the exit and the missing parts of the prologue.
    #[track_caller]
    pub(in crate::isa::x64::asm::variables) fn end(&mut self) -> Assembler {
        if self.is_over {
            self.fail("the function has ended", Location::caller());
            return std::mem::take(&mut self.asm);
        }
        self.is_over = true;
        if !self.unreachable {
            self.ret(None);
        }
        if let Some(open) = self.open.pop() {
            self.fail("an `if` or a loop begins here that does not end", open.at);
        }
        // The exit is here.
        self.returns = false;
        self.assembler();
        let saved: Vec<PReg> = self.steps.used.and(CALLEE_SAVED).iter().collect();
        let slots = self.steps.slots.count;
        if slots > MAX_SLOTS {
            self.fail("a function has too many variables in memory", Location::caller());
        }
        let bytes = 8 * (slots as i32 + saved.len() as i32);
        let is_lowered = bytes > 128 || self.uses_stack && bytes > 0;
        let asm = &mut self.asm;
        let mut piece = Code::default();
        if is_lowered {
            let o = Operands { regs: [hw(RSP); 3], imm: (bytes + 15) & !15, mem: slot(0) };
            piece.put(op::Sub, Form::DTI, Size::S64, Cond::O, &o);
        }
        let place = |k: usize| Loc::slot(slots + k as u32);
        for (k, r) in saved.iter().enumerate() {
            encode_move(&mut piece, Loc::reg(*r), place(k), RegClass::Int);
        }
        let (item, rows, offset) = self.room;
        for (k, r) in saved.iter().enumerate() {
            let op = CfiOp::Offset(*r, -16 - 8 * (slots as i32 + k as i32 + 1));
            asm.cfi.insert(rows + k, crate::isa::x64::emit::CfiRow { offset, op });
            asm.relax.note_before(Recorded::Cfi, rows + k, item + 1);
        }
        asm.relax.fill_room(item, piece);
        let exit = self.exit;
        asm.bind(exit);
        for (k, r) in saved.iter().enumerate() {
            encode_move(&mut asm.code, place(k), Loc::reg(*r), RegClass::Int);
        }
        asm.end_frame(is_lowered);
        std::mem::take(asm)
    }
}

/// Encodes a move between registers and slots.
pub(super) fn encode_move(code: &mut Code, from: Loc, to: Loc, class: RegClass) {
    let op = if class == RegClass::Int { op::Mov } else { op::MovF };
    let number = |l: Loc| l.as_reg().map_or(0, hw);
    let (form, mem) = match (from.as_slot(), to.as_slot()) {
        (Some(from), Some(to)) => {
            code.push_mem(&slot(from));
            return code.pop_mem(&slot(to));
        }
        (Some(n), None) => (Form::DM, slot(n)),
        (None, Some(n)) => (Form::MA, slot(n)),
        (None, None) => (Form::DA, slot(0)),
    };
    code.put(op, form, Size::S64, Cond::O, &Operands { regs: [number(to), number(from), 0], imm: 0, mem });
}
