//! Results of type i128.

use crate::interp::code::{Halves, NO_SLOT};
use crate::interp::frame::{AbiResult, Frame, ReturnTo};
use crate::interp::program::Program;
use crate::interp::stop::Stop;
use crate::interp::thread::Thread;
use lir_syntax::semantics::Trap;

impl Thread {
    /// Assigns both halves of an i128 in a frame; no half for [`NO_SLOT`].
    pub(super) fn set_halves(&mut self, frame: Frame, slots: Halves, halves: [u64; 2]) {
        for (slot, half) in slots.into_iter().zip(halves).filter(|(slot, _)| *slot != NO_SLOT) {
            self.slots[frame.base + slot as usize] = half;
        }
    }
    /// Returns an i128 from the top frame.
    pub(in crate::interp) fn return_wide(&mut self, program: &Program, halves: [u64; 2]) -> Result<(), Stop> {
        let frame = self.pop_frame();
        match frame.ret {
            ReturnTo::Halves(slots) => {
                let caller = *self.frames.last().expect("a caller has a frame");
                self.set_halves(caller, slots, halves);
                Ok(())
            }
            // The caller does not read it.
            ReturnTo::Slot(_) => Ok(()),
            ReturnTo::Memory(_) => panic!("an aggregate is returned where one is expected"),
            ReturnTo::Never => Err(Stop::Trap(Trap::Unreachable)),
            ReturnTo::AbiCall | ReturnTo::Host => self.finish(program, frame, AbiResult { gpr: halves, xmm: [0; 2] }),
        }
    }
}
