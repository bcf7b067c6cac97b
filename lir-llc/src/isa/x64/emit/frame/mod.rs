//! The frame: its layout, the prologue and the epilogues.
//!
//! ```text
//!   rsp is fixed                     rsp moves (frame_pointer)
//!   incoming stack arguments         incoming stack arguments   [rbp + 16 ..]
//!   return address                   return address
//!   callee-saved registers           saved rbp                  <- rbp
//!                                    other callee-saved registers
//!   register save area               spill slots                [rbp - ..]
//!   objects, the small ones lowest   objects, the small ones highest
//!   spill slots                      register save area
//!   outgoing arguments  <- rsp       (dynamic stack memory)
//!                                    outgoing arguments         <- rsp
//! ```
//!
//! A function that calls nothing may have all this below rsp, in the *red zone* of 128 bytes that signal handlers leave
//! alone: then rsp stays where the pushes left it.
//!
//! Small and frequently used things are within reach of a displacement of one byte. With objects aligned to more than
//! 16, rsp is aligned after it was lowered; rbp then leads to the incoming arguments only, and everything else is found
//! from rsp as on the left, or, where rsp moves as well, from rbx, which holds a copy of it (`base_pointer`).
//!
//! A frame of a page or more is touched page by page, from the top: running out of stack hits the guard page and
//! nothing beyond it. At most 4,088 bytes stay untouched below the last touched word; the next call touches the word
//! below them, and the next dynamic allocation begins with the word that rsp points to.

// A distance in a frame becomes a displacement by `FrameOffset` or `disp`, which check it.
#![deny(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)]

pub(super) mod cfi;
pub(super) mod wrap;

use super::{EmitError, Emitter, MAX_FRAME};
use crate::isa::x64::emit::buffer::CfiOp;
use crate::isa::x64::emit::instructions::Concrete;
use crate::isa::x64::encode::{Addr, Operands};
use crate::isa::x64::registers::{CALLEE_SAVED, INT_ARGS, R11, RAX, RBP, RBX, RCX, RSP, hw};
use crate::isa::x64::{Cond, op, props};
use crate::mir::{Form, FrameOffset, MBlock, MFunction, MInst, MReg, PReg, Props, Size};
use crate::regalloc::{Allocation, Edit};
use lir_syntax::abi::FLOAT_ARGUMENTS;
use lir_syntax::abi::va_list::{FLOAT_END, float_offset, int_offset};
use smallvec::SmallVec;

const PAGE: u64 = 4096;
/// Bytes of a pushed register, and of the return address.
pub(super) const WORD: u64 = 8;
/// Pages that are touched without a loop.
const UNROLLED_PAGES: u64 = 4;

/// The bytes below rsp that signal handlers leave alone. Source: System V ABI, AMD64 supplement, section 3.2.2.
const RED_ZONE: u64 = 128;

/// The layout of a frame. Offsets are from `base`.
#[derive(Default, Debug)]
pub(super) struct Frame {
    /// The register from which slots, objects and the register save area are found.
    base: u8,
    slots: i32,
    objects: Vec<i32>,
    reg_save: i32,
    /// Register and offset of the incoming arguments.
    incoming: (u8, i32),
    /// Callee-saved registers other than a frame pointer, in the order they are pushed.
    pushes: SmallVec<[PReg; 6]>,
    /// Bytes by which rsp is lowered after the pushes.
    size: u64,
    /// Alignment of rsp after that, if more than 16.
    realign: Option<u64>,
    frame_pointer: bool,
    base_pointer: bool,
    /// True if rsp may have moved since the prologue when an epilogue begins.
    moves: bool,
    /// Order of the objects, by size.
    order: Vec<usize>,
}

/// Memory in a frame, for debug information.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum FramePlace {
    /// At this offset from the CFA: rsp before the call, to which the call frame information leads.
    FromCfa(i32),
    /// At this offset from a register, after the prologue.
    FromRegister(PReg, i32),
}

/// Sums sizes; a sum that exceeds 64 bits is the largest number of that many.
struct SizeSum {
    top: u64,
    align: u64,
}

impl SizeSum {
    /// Reserves bytes above those reserved before, and returns their offset, which is 0 if the frame is too large.
    fn take(&mut self, size: u64, align: u64) -> FrameOffset {
        self.align = self.align.max(align);
        let at = self.top.checked_next_multiple_of(align).unwrap_or(u64::MAX);
        self.top = at.saturating_add(size);
        FrameOffset::new(at).unwrap_or_default()
    }
}

impl Frame {
    /// Lays out the frame of a function.
    pub(super) fn lay_out(&mut self, f: &MFunction, a: &Allocation, red_zone: bool) -> Result<(), EmitError> {
        self.frame_pointer = f.frame_pointer;
        self.base_pointer = f.base_pointer;
        let mut saved = a.used.and(CALLEE_SAVED);
        if f.frame_pointer {
            saved = saved.minus(crate::mir::PRegSet::of(&[RBP]));
        }
        if f.base_pointer {
            saved = saved.with(RBX);
        }
        self.pushes.clear();
        self.pushes.extend(saved.iter());
        self.order.clear();
        self.order.extend(0..f.frame.len());
        self.order.sort_by_key(|&o| f.frame[o].size);

        let largest = f.frame.iter().map(|o| o.align).fold(f.outgoing_align, u64::max);
        let from_rbp = f.frame_pointer && largest <= 16;
        let mut s = SizeSum { top: f.outgoing.bytes(), align: f.outgoing_align.max(8) };
        let (slots, reg_save) = self.assign_offsets(f, a, &mut s, from_rbp);
        let calls = || f.insts.iter().any(|i| props(i.op).has(Props::CALL));
        self.moves = f.frame_pointer && f.insts.iter().any(|i| i.op == op::StackAlloc || i.d == MReg::phys(RSP));
        // Dynamic stack memory relies on an aligned rsp as calls do.
        let leaf = s.align < 16 && !self.moves && f.outgoing == FrameOffset::default() && !calls();
        if s.align < 16 && !leaf {
            s.align = 16;
        }
        self.realign = (s.align > 16).then_some(s.align);
        debug_assert!(
            self.realign.is_none() || f.frame_pointer,
            "objects aligned to more than 16 need a frame pointer"
        );
        let pushed = 8 * (self.pushes.len() as u64 + f.frame_pointer as u64);
        let unit = s.align.min(16);
        let fill = |top: u64| (top + pushed + 8).next_multiple_of(unit) - pushed - 8;
        let limited = |bytes: u64| if bytes > MAX_FRAME { Err(EmitError::FrameTooLarge { bytes }) } else { Ok(bytes) };
        self.size = limited(s.top).map(fill)?;
        limited(self.size + self.realign.unwrap_or(0))?;
        let in_red_zone = red_zone && leaf && !f.frame_pointer && self.size <= RED_ZONE && !uses_stack(a);
        let red_zone_bytes = if in_red_zone { std::mem::take(&mut self.size) } else { 0 };
        self.rebase((slots, reg_save), from_rbp, (pushed, red_zone_bytes));
        Ok(())
    }

    /// Assigns offsets from rsp to everything above the outgoing arguments. Returns the offsets of the slots and the
    /// register save area; the offsets of the objects are put into `objects`.
    fn assign_offsets(
        &mut self,
        f: &MFunction,
        a: &Allocation,
        s: &mut SizeSum,
        from_rbp: bool,
    ) -> (FrameOffset, FrameOffset) {
        self.objects.clear();
        self.objects.resize(f.frame.len(), 0);
        let slot_bytes = 8 * a.num_slots as u64;
        let reg_save_bytes = if f.reg_save { FLOAT_END.into() } else { 0 };
        let (mut slots, mut reg_save) = (FrameOffset::default(), FrameOffset::default());
        if from_rbp {
            self.order.reverse();
            if f.reg_save {
                reg_save = s.take(reg_save_bytes, 16);
            }
        } else {
            slots = s.take(slot_bytes, 8);
        }
        for &o in &self.order {
            self.objects[o] = s.take(f.frame[o].size, f.frame[o].align).disp();
        }
        if from_rbp {
            slots = s.take(slot_bytes, 8);
        } else if f.reg_save {
            reg_save = s.take(reg_save_bytes, 16);
        }
        (slots, reg_save)
    }

    /// Converts offsets from the lowered rsp to offsets from the base. With the red zone rsp was not lowered.
    fn rebase(
        &mut self,
        (slots, reg_save): (FrameOffset, FrameOffset),
        from_rbp: bool,
        (pushed, red_zone_bytes): (u64, u64),
    ) {
        let base_offset = disp(if from_rbp { self.size + WORD * self.pushes.len() as u64 } else { red_zone_bytes });
        self.base = match (from_rbp, self.base_pointer) {
            (true, _) => hw(RBP),
            (false, true) => hw(RBX),
            (false, false) => hw(RSP),
        };
        self.slots = slots.disp() - base_offset;
        self.reg_save = reg_save.disp() - base_offset;
        for offset in &mut self.objects {
            *offset -= base_offset;
        }
        self.incoming = if self.frame_pointer { (hw(RBP), 16) } else { (hw(RSP), disp(self.size + pushed + WORD)) };
    }

    /// Returns the offset of a spill slot from the base.
    #[inline]
    fn offset_of_slot(&self, n: u32) -> i32 {
        self.slots + disp(WORD * u64::from(n))
    }
    /// Returns the memory of a spill slot.
    #[inline]
    pub(super) fn slot(&self, n: u32) -> Addr {
        Addr::base(self.base, self.offset_of_slot(n))
    }
    /// Base register and offset of an object.
    pub(super) fn object(&self, n: u32) -> (u8, i32) {
        (self.base, self.objects[n as usize])
    }
    /// Returns the memory at an offset from the base.
    fn place(&self, offset: i32) -> FramePlace {
        match PReg::new(self.base) {
            RBP => FramePlace::FromCfa(offset - disp(2 * WORD)),
            RSP if self.realign.is_none() => FramePlace::FromCfa(offset - disp(self.depth() + WORD)),
            base => FramePlace::FromRegister(base, offset),
        }
    }
    /// Returns the memory of a spill slot, for debug information.
    pub(super) fn place_of_slot(&self, n: u32) -> FramePlace {
        self.place(self.offset_of_slot(n))
    }
    /// Returns the memory of an object, for debug information.
    pub(super) fn place_of_object(&self, n: u32) -> FramePlace {
        self.place(self.objects[n as usize])
    }
    /// Base register and offset of the register save area.
    pub(super) fn reg_save(&self) -> (u8, i32) {
        (self.base, self.reg_save)
    }
    /// Returns the callee-saved registers that it saves, other than a frame pointer.
    pub(super) fn saved(&self) -> impl Iterator<Item = PReg> + '_ {
        self.pushes.iter().copied()
    }
    /// Bytes between the return address and rsp after the prologue, without the alignment of rsp.
    pub(super) fn depth(&self) -> u64 {
        self.size + WORD * (self.pushes.len() as u64 + u64::from(self.frame_pointer))
    }
    /// True if the prologue has code, may follow the entry, and needs no spare register.
    pub(super) fn may_wait(&self) -> bool {
        let pages = self.size / PAGE;
        self.depth() > 0 && !self.frame_pointer && self.realign.is_none() && pages <= UNROLLED_PAGES
    }
    /// Estimates the length of an epilogue with its return.
    pub(super) fn epilogue_bytes(&self) -> usize {
        let pops = 2 * self.pushes.len() + usize::from(self.frame_pointer);
        1 + pops + if self.size > 0 || self.moves { 4 } else { 0 }
    }
    /// Callee-saved registers other than a frame pointer, in the order they are pushed.
    pub(super) fn pushes(&self) -> &[PReg] {
        &self.pushes
    }
    /// True if rbp is a frame pointer.
    pub(super) fn has_frame_pointer(&self) -> bool {
        self.frame_pointer
    }
    /// Base register and offset of the incoming stack arguments, with the frame or without it.
    pub(super) fn incoming(&self, inside: bool) -> (u8, i32) {
        if inside { self.incoming } else { (hw(RSP), disp(WORD)) }
    }
}

/// Returns a distance in a frame with its saved registers as a displacement.
#[inline]
fn disp(bytes: u64) -> i32 {
    i32::try_from(bytes).expect("a frame that is too large is refused")
}

/// True if an edit needs the stack: from slot to slot.
fn uses_stack(a: &Allocation) -> bool {
    let through =
        |e: &Edit| matches!(e, Edit::Move { from, to, .. } if from.as_slot().is_some() && to.as_slot().is_some());
    a.edits.iter().any(|(_, e)| through(e))
}

impl Emitter<'_> {
    /// Writes the code that makes the frame.
    pub(super) fn prologue(&mut self) {
        let begin = self.s.code.offset();
        let mut depth = WORD;
        if self.s.frame.frame_pointer {
            self.push(RBP, &mut depth);
            self.alu_rr(op::Mov, RBP, RSP);
            self.cfi(CfiOp::DefCfaRegister(RBP));
        }
        for k in 0..self.s.frame.pushes.len() {
            self.push(self.s.frame.pushes[k], &mut depth);
        }
        let size = self.s.frame.size;
        match self.s.frame.realign {
            None => self.allocate(size, depth),
            Some(align) => self.allocate_aligned(size, align),
        }
        if self.s.frame.base_pointer {
            self.alu_rr(op::Mov, RBX, RSP);
        }
        if self.f.reg_save {
            self.save_arguments();
        }
        self.info.prologue_len = self.s.code.offset() - begin;
    }

    /// Saves a register; `depth` is the distance from rsp to the CFA.
    fn push(&mut self, r: PReg, depth: &mut u64) {
        self.s.code.push(hw(r));
        *depth += WORD;
        self.cfi_push(r, *depth);
    }

    /// Lowers rsp, which is `depth` bytes below the CFA.
    fn allocate(&mut self, size: u64, depth: u64) {
        if size / PAGE <= UNROLLED_PAGES {
            for k in 0..size / PAGE {
                self.lower(PAGE);
                self.cfa_depth(depth + (k + 1) * PAGE);
                self.touch();
            }
            self.lower(size % PAGE);
            if !size.is_multiple_of(PAGE) {
                self.cfa_depth(depth + size);
            }
            return;
        }
        // While rsp moves, r11 leads to the CFA.
        self.lea_r11(size);
        if !self.s.frame.frame_pointer {
            self.cfi(CfiOp::DefCfa(R11, cfi::distance(depth + size)));
        }
        self.lower_to_r11();
        if !self.s.frame.frame_pointer {
            self.cfi(CfiOp::DefCfaRegister(RSP));
        }
    }

    /// Lowers rsp and aligns it. There is a frame pointer.
    fn allocate_aligned(&mut self, size: u64, align: u64) {
        let mask = -disp(align);
        if size + align < PAGE {
            self.lower(size);
            self.alu_ri(op::And, RSP, mask);
        } else {
            self.lea_r11(size);
            self.alu_ri(op::And, R11, mask);
            self.lower_to_r11();
        }
    }

    fn lea_r11(&mut self, distance: u64) {
        let o = Operands { regs: [hw(R11), 0, 0], imm: 0, mem: Addr::base(hw(RSP), -disp(distance)) };
        self.s.code.put(op::Lea, Form::DM, Size::S64, Cond::O, &o);
    }

    /// Lowers rsp to r11 and touches every page, from the page of rsp on: memory allocated before may be untouched
    /// below the last touched word.
    ///
    /// ```text
    /// again: test [rsp], al
    ///        sub rsp, 4096
    ///        cmp rsp, r11
    ///        jae again
    ///        mov rsp, r11
    /// ```
    pub(super) fn lower_to_r11(&mut self) {
        let again = self.s.code.len();
        self.touch();
        self.alu_ri(op::Sub, RSP, disp(PAGE));
        let o = Operands { regs: [0, hw(RSP), hw(R11)], imm: 0, mem: Addr::base(0, 0) };
        self.s.code.put(op::Cmp, Form::AB, Size::S64, Cond::O, &o);
        let loop_bytes = i8::try_from(self.s.code.len() + 2 - again).expect("the loop is short");
        self.s.code.branch_short(Cond::AE, -loop_bytes);
        self.alu_rr(op::Mov, RSP, R11);
    }

    /// Reads the word that rsp points to; only the flags change.
    fn touch(&mut self) {
        let o = Operands { regs: [0, hw(RAX), 0], imm: 0, mem: Addr::base(hw(RSP), 0) };
        self.s.code.put(op::Test, Form::MA, Size::S8, Cond::O, &o);
    }

    /// Lowers rsp by less than 2 GiB.
    fn lower(&mut self, bytes: u64) {
        match bytes {
            0 => {}
            8 => self.s.code.push(hw(RAX)),
            128 => self.alu_ri(op::Add, RSP, -128),
            _ => self.alu_ri(op::Sub, RSP, disp(bytes)),
        }
    }

    /// Emits the code that leaves the function, by `i`, in the emitted block `host`.
    pub(super) fn epilogue(&mut self, i: &MInst, host: MBlock) {
        // No result is in rcx, but an argument may be.
        let changed = self.inside && self.take_down(i.op == op::Ret);
        if i.op == op::Ret {
            self.s.code.ret();
        } else {
            let record = &self.f.records[i.record_index()];
            match record.target {
                Some(target) => self.tail_jump(target),
                None => {
                    let mut jump = Concrete::new(op::JmpReg, Form::B, Size::S64);
                    jump.regs[2] = hw(RAX);
                    self.write(&jump);
                }
            }
        }
        self.end_epilogue(changed, host);
    }

    /// Takes the frame down; `rcx_is_free` at a return. Returns whether anything had to be done.
    pub(super) fn take_down(&mut self, rcx_is_free: bool) -> bool {
        let frame = &self.s.frame;
        let (size, frame_pointer, count) = (frame.size, frame.frame_pointer, frame.pushes.len());
        let mut depth = WORD * (1 + count as u64 + frame_pointer as u64);
        let mut unchanged = true;
        if frame_pointer && size == 0 && !frame.moves && frame.realign.is_none() {
            // rsp is where the pushes left it.
        } else if frame_pointer {
            let o = Operands { regs: [hw(RSP), 0, 0], imm: 0, mem: Addr::base(hw(RBP), -disp(WORD * count as u64)) };
            if count == 0 {
                self.alu_rr(op::Mov, RSP, RBP);
            } else {
                self.s.code.put(op::Lea, Form::DM, Size::S64, Cond::O, &o);
            }
        } else if size > 0 {
            match size {
                8 if rcx_is_free => self.s.code.pop(hw(RCX)),
                128 => self.alu_ri(op::Sub, RSP, -128),
                size => self.alu_ri(op::Add, RSP, disp(size)),
            }
            self.cfi_leave(depth, &mut unchanged);
        }
        for k in (0..count).rev() {
            self.s.code.pop(hw(self.s.frame.pushes[k]));
            depth -= WORD;
            if !frame_pointer {
                self.cfi_leave(depth, &mut unchanged);
            }
        }
        if frame_pointer {
            self.s.code.pop(hw(RBP));
            self.cfi_leave(WORD, &mut unchanged);
        }
        !unchanged
    }

    /// Ends an epilogue of [`Emitter::take_down`]: nothing of the emitted block `host` follows.
    pub(super) fn end_epilogue(&mut self, changed: bool, host: MBlock) {
        if changed && !self.s.blocks.is_last(host) {
            self.cfi(CfiOp::RestoreState);
        }
    }

    /// Stores the argument registers of a variadic function: the SSE registers only if al is not 0.
    fn save_arguments(&mut self) {
        let (base, offset) = self.s.frame.reg_save();
        for (k, r) in (0..).zip(&INT_ARGS) {
            let mem = Addr::base(base, offset + disp(int_offset(k).into()));
            let o = Operands { regs: [0, hw(*r), 0], imm: 0, mem };
            self.s.code.put(op::Mov, Form::MA, Size::S64, Cond::O, &o);
        }
        let al = Operands { regs: [0, hw(RAX), hw(RAX)], imm: 0, mem: Addr::base(0, 0) };
        self.s.code.put(op::Test, Form::AB, Size::S8, Cond::O, &al);
        let none = self.forward(Some(Cond::E));
        for k in 0..FLOAT_ARGUMENTS {
            let mem = Addr::base(base, offset + disp(float_offset(k.into()).into()));
            let o = Operands { regs: [0, k, 0], imm: 0, mem };
            self.s.code.put(op::MovF, Form::MA, Size::S128, Cond::O, &o);
        }
        self.land(none);
    }
}
