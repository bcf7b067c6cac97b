//! Turns a machine function and its allocation into bytes and relocations.
//!
//! 1. `blocks` decides which blocks there are: a block that only jumps is threaded, a jump to the next block vanishes;
//!    `layout` decides their order;
//! 2. `frame` lays the frame out, and writes prologue and epilogues, `wrap` decides where; `cfi` notes their changes;
//! 3. every instruction, with the edits around it, becomes hardware instructions: `instructions` makes tied operands
//!    equal and spill slots memory operands, `expand` writes expansions of several instructions, `edits` writes the
//!    moves, `peephole` replaces instructions by better ones, `repeated` leaves out comparisons that the previous block
//!    has made, and `tails` copies short ends in place of jumps to them;
//! 4. `relax` gives every jump its size, and `finish` puts the code together.
//!
//! Bytes are written once, without the jumps, and copied once, with them. Everything is linear in the size of the
//! function.

mod blocks;
mod buffer;
pub(crate) mod emission_remarks;
pub(crate) mod events;
mod finish;
mod frame;
mod instructions;
mod peephole;
pub(crate) mod relax;
mod traps;

pub use buffer::{
    BlockStart, CfiOp, CfiRow, CodeBuffer, ConstPool, Divisor, FrameInfo, FunctionCode, JumpTables, Position, Reloc,
    RelocKind, RelocTarget, TrapCause, TrapSite,
};

use crate::isa::x64::encode::{Addr, Code};
use crate::isa::x64::{Cond, op};
use crate::mir::allocation::Step;
pub use crate::mir::offset::MAX_FRAME;
use crate::mir::{CallTarget, Form, MBlock, MFunction, Size};
use crate::regalloc::{Allocation, Edit};
pub(crate) use buffer::StepStart;
use frame::Frame;
pub(crate) use frame::FramePlace;
use lir_syntax::ir::{Inst, PackedOption};
use relax::Recorded;
use std::fmt;

/// Options of the emission of a function.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct EmitOptions {
    /// Makes the frame where it is needed. Otherwise it is made at the entry.
    pub wrap: bool,
    /// Puts blocks into an order that is good for the code, and copies short ends in place of jumps to them. Otherwise
    /// blocks stay in the function's order.
    pub arrange: bool,
    /// Exchanges instructions for better ones.
    pub peepholes: bool,
    /// Puts short innermost loops into one line of the processor's caches (see `align.rs`).
    pub align_loops: bool,
    /// Leaves rsp alone in functions that call nothing and need little stack: the 128 bytes below rsp, which signal
    /// handlers leave alone. Nothing else may use the stack meanwhile.
    pub red_zone: bool,
    /// Writes operations on SSE registers with VEX prefixes, for processors with AVX.
    pub avx: bool,
    /// Records [`CodeBuffer::positions`] and [`CodeBuffer::traps`].
    pub positions: bool,
    /// Records [`CodeBuffer::blocks`], and has the journal of the code kept ([`Code::journal`]).
    pub journal: bool,
    /// Records [`CodeBuffer::steps`].
    pub steps: bool,
}

impl Default for EmitOptions {
    /// Code in the order of the function, with a frame at the entry, for every x86-64 processor; nothing is recorded.
    fn default() -> EmitOptions {
        EmitOptions {
            wrap: false,
            arrange: false,
            peepholes: true,
            align_loops: false,
            red_zone: false,
            avx: false,
            positions: false,
            journal: false,
            steps: false,
        }
    }
}

/// The reason a function cannot be emitted.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum EmitError {
    /// The frame is larger than [`MAX_FRAME`] bytes.
    FrameTooLarge {
        /// Its size.
        bytes: u64,
    },
    /// Instruction `inst` addresses the frame, or the parameters above it, at an offset that does not fit 32 bits.
    AddressOutOfRange {
        /// Index into [`MFunction::insts`].
        inst: u32,
        /// The offset in bytes from the frame's base register.
        offset: i64,
    },
    /// There are more than [`MAX_CODE`] bytes of code.
    CodeTooLarge,
}

/// The most code in one buffer, in bytes: the reach of a 32-bit displacement.
pub const MAX_CODE: usize = i32::MAX as usize;

impl fmt::Display for EmitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EmitError::FrameTooLarge { bytes } => {
                write!(f, "the stack frame of {bytes} bytes is larger than the supported {MAX_FRAME}")
            }
            EmitError::AddressOutOfRange { offset, .. } => write!(
                f,
                "the offset {offset} into the stack frame and the stack parameters above it does not fit 32 bits"
            ),
            EmitError::CodeTooLarge => write!(f, "more than {MAX_CODE} bytes of machine code"),
        }
    }
}

impl std::error::Error for EmitError {}

/// Scratch memory of emission, kept from function to function.
#[derive(Default, Debug)]
pub struct EmitScratch {
    /// Code without jumps.
    code: Code,
    relocs: Vec<Reloc>,
    positions: Vec<Position>,
    steps: Vec<StepStart>,
    traps: Vec<TrapSite>,
    cfi: Vec<CfiRow>,
    blocks: blocks::Blocks,
    relax: relax::Relax,
    frame: Frame,
    wrap: frame::wrap::Wrap,
    const_ids: Vec<u32>,
    rewrites: peephole::Rewrites,
    /// The headers of loops that are aligned.
    aligned: Vec<MBlock>,
}

impl EmitScratch {
    /// Returns the peepholes that were applied to the last function, as text, each with the number of times.
    pub fn peepholes(&self) -> impl Iterator<Item = (&'static str, u32)> + '_ {
        peephole::applied(&self.rewrites)
    }
    /// Returns the memory of a spill slot of the last function.
    pub(crate) fn place_of_slot(&self, n: u32) -> FramePlace {
        self.frame.place_of_slot(n)
    }
    /// Returns the memory of an object in the frame of the last function.
    pub(crate) fn place_of_object(&self, n: u32) -> FramePlace {
        self.frame.place_of_object(n)
    }
}

/// Emits a function at the end of `out`, at a multiple of 16.
///
/// `a` must satisfy the guarantees of allocators ([`regalloc`](crate::regalloc)); emission relies on it. When there is
/// an error, `out` is as before, except for constants that were added to its pool.
pub fn emit(
    f: &MFunction,
    a: &Allocation,
    scratch: &mut EmitScratch,
    opts: &EmitOptions,
    out: &mut CodeBuffer,
) -> Result<FunctionCode, EmitError> {
    scratch.code.keep_journal(opts.journal);
    out.code.keep_journal(opts.journal);
    scratch.code.use_avx(opts.avx);
    scratch.code.clear();
    scratch.relocs.clear();
    scratch.positions.clear();
    scratch.steps.clear();
    scratch.traps.clear();
    scratch.cfi.clear();
    scratch.const_ids.clear();
    scratch.const_ids.resize(f.consts.len(), u32::MAX);
    scratch.rewrites.fill(0);
    scratch.aligned.clear();
    scratch.frame.lay_out(f, a, opts.red_zone)?;
    scratch.wrap.place(f, a, &scratch.frame, opts.wrap);
    scratch.blocks.analyse(f, a, &scratch.wrap, opts.arrange);
    scratch.relax.begin(f.blocks.len());
    let late = scratch.wrap.is_late();
    let mut info = FrameInfo { size: scratch.frame.depth(), prologue_len: 0, late };
    let consts = &mut out.consts;
    let target = (RelocKind::Pc32, RelocTarget::Const(0), 0);
    let first_table = out.tables.len() as u32;
    let flags = instructions::flags::FlagsAhead::default();
    let mut e = Emitter {
        f,
        a,
        opts,
        s: scratch,
        consts,
        first_table,
        info: &mut info,
        target,
        flags,
        after: 0,
        last: peephole::LastWritten::none(target),
        copies: 0,
        copied: 0,
        inside: false,
        described: false,
        error: None,
    };
    e.body();
    if let Some(error) = e.error {
        return Err(error);
    }
    let code = finish::finish(scratch, info, out)?;
    for n in 0..f.tables.len() {
        let targets = f.table(n).iter().map(|b| scratch.blocks.target(*b));
        out.tables.push(targets.map(|b| code.start + scratch.relax.address(b.0) as u32));
    }
    if opts.journal {
        let emitted = (0..scratch.blocks.count()).map(|k| scratch.blocks.emitted(k).0);
        out.blocks.extend(emitted.map(|b| BlockStart {
            offset: code.start + scratch.relax.address(b.0) as u32,
            number: b.0,
            label: f.blocks[b.index()].label,
        }));
    }
    Ok(code)
}

/// The state of one emission.
struct Emitter<'e> {
    f: &'e MFunction,
    a: &'e Allocation,
    opts: &'e EmitOptions,
    s: &'e mut EmitScratch,
    consts: &'e mut ConstPool,
    /// The number in the buffer of the function's first jump table.
    first_table: u32,
    info: &'e mut FrameInfo,
    /// The target of the relocated displacement of the current instruction.
    target: instructions::Target,
    /// The reads of the flags further on in the current block.
    flags: instructions::flags::FlagsAhead,
    /// The next instruction of the function: the flags are looked up at the point before it.
    after: u32,
    /// The last hardware instruction.
    last: peephole::LastWritten,
    /// Number of blocks being copied, each at the end of another. `copied` is the number of copied instructions.
    copies: u32,
    copied: usize,
    /// True if the frame exists in the current block.
    inside: bool,
    /// True if the call frame information says so.
    described: bool,
    /// The first error; emission continues to the end of the function.
    error: Option<EmitError>,
}

impl Emitter<'_> {
    /// Writes all blocks with their instructions and edits.
    fn body(&mut self) {
        let f = self.f;
        let mut depth = 0;
        if !self.s.wrap.is_late() {
            // Jumps to the entry block skip the prologue.
            self.prologue();
            self.described = true;
        }
        for k in 0..self.s.blocks.count() {
            let (b, next_edit) = self.s.blocks.emitted(k);
            let data = &f.blocks[b.index()];
            if self.opts.align_loops
                && let Some(end) = blocks::align::loop_end(f, &self.s.blocks, k, depth)
            {
                self.s.relax.align_loop(self.s.code.len(), end.0);
                self.s.aligned.push(b);
            }
            depth = data.loop_depth;
            self.flags = self.flags_of(b);
            self.s.relax.put_place(b.0, self.s.code.len());
            let makes_frame = self.s.wrap.is_made_in(b);
            self.cfi_block(self.s.wrap.is_inside(b) && !makes_frame);
            if makes_frame {
                self.late_prologue(data.start);
            }
            self.instructions(b, b, next_edit);
        }
        self.s.relax.end(self.s.code.len());
    }

    /// Emits the instructions of a block and its edits, in the emitted block `host`. The first edit is number
    /// `next_edit`.
    pub(super) fn instructions(&mut self, b: MBlock, host: MBlock, mut next_edit: usize) {
        let (f, a) = (self.f, self.a);
        let data = &f.blocks[b.index()];
        self.inside = self.s.wrap.is_inside(b);
        self.last.forget();
        let point_of = |edit: usize| a.edits.get(edit).map_or(u32::MAX, |(point, _)| *point);
        let mut next_point = point_of(next_edit);
        for k in data.start..data.end {
            self.position(k);
            // Most instructions have no edits.
            if next_point > 2 * k + 1 {
                self.step(Step::Inst(k));
                self.inst(k, b, host);
                continue;
            }
            next_edit = self.edits_at(&a.edits, next_edit, 2 * k);
            self.step(Step::Inst(k));
            self.inst(k, b, host);
            next_edit = self.edits_at(&a.edits, next_edit, 2 * k + 1);
            next_point = point_of(next_edit);
        }
    }

    /// Applies the edits at a program point; they begin at number `next`. Returns the number after them.
    #[inline]
    fn edits_at(&mut self, edits: &[(u32, Edit)], mut next: usize, point: u32) -> usize {
        while let Some((at, edit)) = edits.get(next)
            && *at <= point
        {
            debug_assert!(*at == point, "edits are not in order");
            self.step(Step::Edit(next as u32));
            self.edit(edit, point);
            next += 1;
        }
        next
    }

    /// Emits the prologue at the top of a block, not the entry. Its first instruction is `first`.
    fn late_prologue(&mut self, first: u32) {
        self.position_of(first, PackedOption::NONE);
        self.cfi(CfiOp::RememberState);
        self.prologue();
        self.described = true;
    }

    fn position(&mut self, inst: u32) {
        if self.opts.positions {
            let origin = self.f.origins.get(inst as usize).copied().unwrap_or_default();
            self.position_of(inst, origin);
        }
    }
    fn position_of(&mut self, inst: u32, origin: PackedOption<Inst>) {
        if self.opts.positions {
            self.s.relax.note(Recorded::Position);
            self.s.positions.push(Position { offset: self.s.code.offset(), inst, origin });
        }
    }

    #[inline]
    fn step(&mut self, step: Step) {
        if self.opts.steps {
            self.s.relax.note(Recorded::Step);
            self.s.steps.push(StepStart { offset: self.s.code.offset(), step });
        }
    }

    /// Notes a relocation at `offset` of the code.
    fn reloc(&mut self, offset: u32, kind: RelocKind, target: RelocTarget, addend: i64) {
        self.s.relocs.push(Reloc { offset, kind, target, addend });
    }

    /// `call target`.
    fn call(&mut self, target: CallTarget) {
        let at = self.s.code.call();
        self.reloc(at, RelocKind::Plt32, target.into(), -4);
    }
    /// `jmp target`.
    fn tail_jump(&mut self, target: CallTarget) {
        let at = self.s.code.tail_call();
        self.reloc(at, RelocKind::Plt32, target.into(), -4);
    }
}
