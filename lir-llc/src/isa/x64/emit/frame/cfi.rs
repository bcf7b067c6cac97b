//! Records call frame information ([`CfiRow`]) while the instructions that make and remove a frame are written.

use crate::isa::x64::emit::Emitter;
use crate::isa::x64::emit::buffer::{CfiOp, CfiRow};
use crate::isa::x64::emit::frame::{WORD, disp};
use crate::isa::x64::emit::relax::Recorded;
use crate::isa::x64::registers::{RBP, RSP};
use crate::mir::PReg;

/// Returns a distance from the CFA in 32 bits. Frames that are too large for it are refused earlier.
pub(in crate::isa::x64::emit) fn distance(bytes: u64) -> u32 {
    disp(bytes).unsigned_abs()
}

impl Emitter<'_> {
    /// Records a change that holds from the current offset on.
    pub(in crate::isa::x64::emit) fn cfi(&mut self, op: CfiOp) {
        self.s.relax.note(Recorded::Cfi);
        self.s.cfi.push(CfiRow { offset: self.s.code.offset(), op });
    }
    /// Records that rsp is now `depth` bytes below the CFA. With a frame pointer nothing changes.
    pub(in crate::isa::x64::emit) fn cfa_depth(&mut self, depth: u64) {
        if !self.s.frame.has_frame_pointer() {
            self.cfi(CfiOp::DefCfaOffset(distance(depth)));
        }
    }
    /// Records a push that left rsp `depth` bytes below the CFA.
    pub(in crate::isa::x64::emit) fn cfi_push(&mut self, r: PReg, depth: u64) {
        if r == RBP && self.s.frame.has_frame_pointer() {
            self.cfi(CfiOp::DefCfaOffset(distance(depth)));
        } else {
            self.cfa_depth(depth);
        }
        self.cfi(CfiOp::Offset(r, -disp(depth)));
    }
    /// Records whether a block is reached with the frame, if that differs from the code before it. The state without
    /// the frame is remembered when the frame is made.
    pub(in crate::isa::x64::emit) fn cfi_block(&mut self, inside: bool) {
        if std::mem::replace(&mut self.described, inside) == inside {
            return;
        }
        if !inside {
            return self.cfi(CfiOp::RestoreState);
        }
        self.cfi(CfiOp::RememberState);
        // Such a function has no frame pointer.
        self.cfa_depth(self.s.frame.depth() + WORD);
        for k in 0..self.s.frame.pushes().len() {
            let r = self.s.frame.pushes()[k];
            self.cfi(CfiOp::Offset(r, -disp((2 + k as u64) * WORD)));
        }
    }
    /// Records a step of an epilogue that left rsp `depth` bytes below the CFA, which is computed from rsp from here
    /// on. `first` is true until the first step of the epilogue is recorded.
    pub(in crate::isa::x64::emit) fn cfi_leave(&mut self, depth: u64, first: &mut bool) {
        if std::mem::take(first) {
            self.cfi(CfiOp::RememberState);
        }
        if self.s.frame.has_frame_pointer() {
            self.cfi(CfiOp::DefCfa(RSP, distance(depth)));
        } else {
            self.cfi(CfiOp::DefCfaOffset(distance(depth)));
        }
    }
}
