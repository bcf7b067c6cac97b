//! Emits an allocator's edits between instructions: moves, exchanges, repeated definitions.

use crate::isa::x64::emit::Emitter;
use crate::isa::x64::emit::instructions::{Concrete, number_of};
use crate::isa::x64::op;
use crate::isa::x64::registers::hw;
use crate::mir::{Form, RegClass, Size};
use crate::regalloc::{Edit, Loc};

impl Emitter<'_> {
    /// Writes an edit that belongs to a program point.
    pub(in crate::isa::x64::emit) fn edit(&mut self, edit: &Edit, point: u32) {
        self.after = point.div_ceil(2);
        match *edit {
            Edit::Move { from, to, class } => self.copy(from, to, class, self.f.env.slot_size(class)),
            Edit::Exchange(a, b) => {
                if a != b {
                    self.s.code.exchange(hw(a), hw(b));
                }
            }
            Edit::Remat(n, to) => {
                let how = &self.f.remats[n as usize];
                self.ordinary(point / 2, how, &[Loc::reg(to), Loc::NONE, Loc::NONE, Loc::NONE]);
            }
        }
    }

    /// Copies a value. Of sizes below 4 bytes, 4 are copied; of a float in a register, all of the register.
    pub(in crate::isa::x64::emit) fn copy(&mut self, from: Loc, to: Loc, class: RegClass, size: Size) {
        if from == to {
            return;
        }
        let op = match class {
            RegClass::Int => op::Mov,
            RegClass::Float => op::MovF,
        };
        let size = size.max(Size::S32);
        let mut c = Concrete::new(op, Form::DA, size);
        match (from.as_slot(), to.as_slot()) {
            (None, None) => {
                c.regs[0] = number_of(to);
                c.regs[1] = number_of(from);
            }
            (Some(slot), None) => {
                c.form = Form::DM;
                c.regs[0] = number_of(to);
                c.mem = self.s.frame.slot(slot);
                c.slot = true;
            }
            (None, Some(slot)) => {
                c.form = Form::MA;
                c.regs[1] = number_of(from);
                c.mem = self.s.frame.slot(slot);
                c.slot = true;
            }
            (Some(from), Some(to)) => {
                // `pop` finds its address after rsp has moved back up, so both offsets count from the same rsp.
                let depth = self.info.size + 8;
                for k in 0..size.bytes().div_ceil(8) {
                    self.s.code.push_mem(&self.s.frame.slot(from + k));
                    self.cfa_depth(depth + 8);
                    self.s.code.pop_mem(&self.s.frame.slot(to + k));
                    self.cfa_depth(depth);
                }
                return;
            }
        }
        self.write(&c);
    }
}
