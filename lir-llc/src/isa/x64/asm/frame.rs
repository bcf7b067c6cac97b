//! Prologues and epilogues, and their descriptions for unwinders.
//!
//! ```text
//! return address
//! saved rbp           <- rbp
//! saved registers     [rbp - 8 ..]
//! locals              <- rsp, a multiple of 16
//! ```

use super::Assembler;
use super::operands::{RBP, RSP, Reg64, mem};
use crate::isa::x64::emit::relax::Recorded;
use crate::isa::x64::emit::{CfiOp, CfiRow};
use crate::isa::x64::registers::{RBP as FRAME_POINTER, RSP as STACK_POINTER};
use crate::mir::PReg;

/// The frame of a function.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    saved: Vec<Reg64>,
}

impl Assembler {
    /// Appends a prologue: saves rbp, which then points to the frame, and these registers, and makes room for this many
    /// bytes of locals, above which rsp is a multiple of 16. The function begins here.
    ///
    /// The locals are below [`Assembler::locals_end`]. No page of them is touched: where they are larger than the guard
    /// of the stack, the caller has to.
    #[track_caller]
    pub fn prologue(&mut self, saved: &[Reg64], locals: u32) {
        self.begin_frame();
        for (k, r) in saved.iter().enumerate() {
            self.push(*r);
            self.cfi(CfiOp::Offset(PReg::new(r.number()), -24 - 8 * k as i32));
        }
        let above = 8 * saved.len() as u32;
        match locals.checked_add(above + 15).map(|sum| (sum & !15) - above).map(i32::try_from) {
            Some(Ok(0)) => {}
            Some(Ok(bytes)) => self.sub(RSP, bytes),
            _ => self.fail("a frame is smaller than 2 GiB"),
        }
        self.frame = Some(Frame { saved: saved.to_vec() });
    }
    /// Returns the address after the locals, relative to rbp.
    pub fn locals_end(&self) -> i32 {
        self.frame.as_ref().map_or(0, |f| -8 * f.saved.len() as i32)
    }
    /// Appends an epilogue, which undoes the prologue, and a `ret`. A function may have several.
    #[track_caller]
    pub fn epilogue(&mut self) {
        let Some(frame) = self.frame.clone() else {
            return self.fail("an epilogue belongs to a prologue before it in the function");
        };
        self.cfi(CfiOp::RememberState);
        self.lea(RSP, mem(RBP).disp(self.locals_end()));
        for r in frame.saved.iter().rev() {
            self.pop(*r);
        }
        self.end_frame(false);
        self.cfi(CfiOp::RestoreState);
    }
    /// Saves rbp, which leads to the frame from then on.
    pub(super) fn begin_frame(&mut self) {
        self.push(RBP);
        self.cfi(CfiOp::DefCfaOffset(16));
        self.cfi(CfiOp::Offset(FRAME_POINTER, -16));
        self.mov(RBP, RSP);
        self.cfi(CfiOp::DefCfaRegister(FRAME_POINTER));
    }
    /// Undoes that and returns.
    pub(super) fn end_frame(&mut self, is_lowered: bool) {
        if is_lowered {
            self.mov(RSP, RBP);
        }
        self.pop(RBP);
        self.cfi(CfiOp::DefCfa(STACK_POINTER, 8));
        self.ret();
    }
    /// Notes a change of the call frame information that is true from here on, for code with a frame of its own.
    pub fn cfi(&mut self, op: CfiOp) {
        self.relax.note(Recorded::Cfi);
        self.cfi.push(CfiRow { offset: self.code.offset(), op });
    }
}
