//! Sizes of jumps, and the code put together with them.
//!
//! Jumps begin short and only grow, until all reach their targets (the classic "start small" relaxation; T. G. Szymanski,
//! Assembling Code for Machines with Span-Dependent Instructions, CACM 21(4), 1978). A pass over all jumps is linear, and
//! two or three do in practice. For code that is built so that one growth triggers the next, the reach that counts as
//! short shrinks from pass to pass, which bounds the number of passes by a constant. Padding for alignment counts with
//! its maximum, so that a jump that is found to reach does so whatever the padding becomes.
//!
//! Loops are not aligned ([`EmitOptions::align_loops`]). At multiples of 16 they cost 3 % on the kernels: the padding between
//! nested loops is run through, and a loop of 17 to 32 bytes lies in two lines of the processor's cache of decoded
//! instructions as often as before, for functions begin at multiples of 16 themselves. What there is to gain are loops of
//! one short block alone: the functions of the kernels placed at 0, 16, 32 and 48 modulo 64 (an AMD EPYC, the least of 10
//! runs each), `sieve` takes 0.22, 0.27, 0.25 and 0.38 s, the slowest where its loops of 17 bytes cross a line; `life` and
//! `heapsort` differ by 10 %, `fannkuch`, `queens` and `sha256` by 3 to 10, `matmul`, `mandel`, `nbody`, `edit` and
//! `structs` not at all. To have that takes functions at multiples of 32 or 64 where they have such loops.

use super::output::FUNCTION_ALIGN;
use super::{
    CfiRow, CodeBuffer, EmitError, EmitOptions, EmitScratch, FrameInfo, FunctionCode, MAX_CODE, Position, Reloc,
    TrapSite,
};
use crate::machine::MBlock;
use crate::x64::Cond;

/// Something whose size is not known at first, between bytes of the code.
#[derive(Copy, Clone, Debug)]
struct Item {
    /// Offset in the code without items.
    at: u32,
    /// Of jumps: the target, an emitted block.
    target: u32,
    kind: Kind,
    /// Bytes that it takes, at most.
    size: u8,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Kind {
    Jump,
    Branch(Cond),
    /// No-operations up to a multiple of [`FUNCTION_ALIGN`].
    Align,
}

/// A place in the code without items.
#[derive(Copy, Clone, Default, Debug)]
struct Place {
    at: u32,
    /// How many items are before it.
    items: u32,
}

/// The items of a function.
#[derive(Default, Debug)]
pub(super) struct Relax {
    items: Vec<Item>,
    /// Where blocks begin.
    blocks: Vec<Place>,
    /// For each item, and for the end, how many bytes all items before it take.
    shift: Vec<u32>,
    /// How many items are before each recorded position.
    position_items: Vec<u32>,
    /// How many items are before each row of the call frame information.
    cfi_items: Vec<u32>,
}

const SHORT: u8 = 2;
/// How far a short jump reaches, forward; backward it is one byte more.
const REACH: i64 = i8::MAX as i64;
/// Passes that use the whole reach.
const FULL_PASSES: i64 = 10;

impl Relax {
    /// Begins a function.
    pub(super) fn begin(&mut self, blocks: usize) {
        self.items.clear();
        self.position_items.clear();
        self.cfi_items.clear();
        self.blocks.clear();
        self.blocks.resize(blocks, Place::default());
    }
    /// A block begins at this offset.
    #[inline]
    pub(super) fn begin_block(&mut self, b: MBlock, at: usize) {
        self.blocks[b.index()] = Place { at: at as u32, items: self.items.len() as u32 };
    }
    /// A jump stands at this offset.
    pub(super) fn jump(&mut self, at: usize, target: MBlock) {
        self.items.push(Item { at: at as u32, target: target.0, kind: Kind::Jump, size: SHORT });
    }
    /// A conditional jump stands at this offset; the condition is one of the hardware's.
    pub(super) fn branch(&mut self, at: usize, c: Cond, target: MBlock) {
        self.items.push(Item { at: at as u32, target: target.0, kind: Kind::Branch(c), size: SHORT });
    }
    /// The code is aligned at this offset.
    pub(super) fn align(&mut self, at: usize) {
        let size = FUNCTION_ALIGN as u8 - 1;
        self.items.push(Item { at: at as u32, target: 0, kind: Kind::Align, size });
    }
    /// A position is recorded here.
    pub(super) fn note_position(&mut self) {
        self.position_items.push(self.items.len() as u32);
    }
    /// A change of the call frame information is noted here.
    pub(super) fn note_cfi(&mut self) {
        self.cfi_items.push(self.items.len() as u32);
    }

    /// Where a block begins, by the present sizes; in the end, from the start of the function.
    pub(super) fn address(&self, b: u32) -> i64 {
        let p = self.blocks[b as usize];
        p.at as i64 + self.shift[p.items as usize] as i64
    }
    /// From the end of a jump, item number `k`, to its target.
    fn distance(&self, k: usize) -> i64 {
        let item = &self.items[k];
        self.address(item.target) - (item.at as i64 + self.shift[k] as i64 + item.size as i64)
    }
    /// Sums the sizes.
    fn place(&mut self) {
        self.shift.clear();
        let mut sum = 0;
        for item in &self.items {
            self.shift.push(sum);
            sum += item.size as u32;
        }
        self.shift.push(sum);
    }

    /// Grows jumps until all reach.
    fn solve(&mut self) {
        for pass in 0.. {
            self.place();
            let reach = REACH - 16 * (pass - FULL_PASSES).max(0);
            let mut grown = false;
            for k in 0..self.items.len() {
                let near = match self.items[k].kind {
                    Kind::Jump => 5,
                    Kind::Branch(_) => 6,
                    Kind::Align => continue,
                };
                let distance = self.distance(k);
                if self.items[k].size == SHORT && !(-reach - 1..=reach).contains(&distance) {
                    self.items[k].size = near;
                    grown = true;
                }
            }
            if !grown {
                break;
            }
        }
        self.settle_padding();
    }

    /// Gives padding its real size and places everything for good.
    fn settle_padding(&mut self) {
        let mut sum = 0;
        for item in &mut self.items {
            let at = (item.at + sum) as usize;
            if item.kind == Kind::Align {
                item.size = (at.next_multiple_of(FUNCTION_ALIGN) - at) as u8;
            }
            sum += item.size as u32;
        }
        self.place();
    }
}

/// Sizes the jumps of the function in `scratch` and appends it to `out`.
pub(super) fn finish(
    scratch: &mut EmitScratch,
    frame: FrameInfo,
    opts: &EmitOptions,
    out: &mut CodeBuffer,
) -> Result<FunctionCode, EmitError> {
    const LARGEST: usize = FUNCTION_ALIGN - 1;
    let most = scratch.code.len() + LARGEST * (scratch.relax.items.len() + 1);
    if out.code.len() + most > MAX_CODE {
        return Err(EmitError::CodeTooLarge);
    }
    scratch.relax.solve();
    out.align();
    let start = out.code.len() as u32;
    copy(scratch, out);
    let r = &scratch.relax;
    let mut place = Mover::new(r, start);
    out.relocs.extend(scratch.relocs.iter().map(|reloc| Reloc { offset: place.of(reloc.offset), ..*reloc }));
    let mut place = Mover::new(r, start);
    out.traps.extend(scratch.traps.iter().map(|t| TrapSite { offset: place.of(t.offset), ..*t }));
    if opts.positions {
        let moved = scratch.positions.iter().zip(&r.position_items);
        out.positions
            .extend(moved.map(|(p, &items)| Position { offset: start + p.offset + r.shift[items as usize], ..*p }));
    }
    let rows = scratch.cfi.iter().zip(&r.cfi_items);
    out.cfi.extend(rows.map(|(row, &items)| CfiRow { offset: start + row.offset + r.shift[items as usize], ..*row }));
    Ok(FunctionCode { start, len: out.code.len() as u32 - start, frame })
}

/// Copies the code with its items.
fn copy(scratch: &EmitScratch, out: &mut CodeBuffer) {
    let r = &scratch.relax;
    let code = &scratch.code;
    let mut done = 0;
    for (k, item) in r.items.iter().enumerate() {
        out.code.extend_from(code, done..item.at as usize);
        done = item.at as usize;
        if item.kind == Kind::Align {
            out.code.nops(item.size as usize);
            continue;
        }
        let distance = r.distance(k) as i32;
        match (item.kind, item.size) {
            (Kind::Jump, SHORT) => out.code.jump_short(distance as i8),
            (Kind::Branch(c), SHORT) => out.code.branch_short(c, distance as i8),
            (Kind::Branch(c), _) => out.code.branch_near(c, distance),
            (Kind::Jump | Kind::Align, _) => out.code.jump_near(distance),
        }
    }
    out.code.extend_from(code, done..code.len());
}

/// Moves ascending offsets of instructions, or of places in them, by the items before them.
struct Mover<'r> {
    relax: &'r Relax,
    start: u32,
    item: usize,
}

impl<'r> Mover<'r> {
    /// For a function that begins at `start`.
    fn new(relax: &'r Relax, start: u32) -> Mover<'r> {
        Mover { relax, start, item: 0 }
    }
    fn of(&mut self, offset: u32) -> u32 {
        // An item that stands at the offset comes before the instruction.
        while self.relax.items.get(self.item).is_some_and(|item| item.at <= offset) {
            self.item += 1;
        }
        self.start + offset + self.relax.shift[self.item]
    }
}
