//! Sizes of jumps, and the code put together with them.
//!
//! Jumps begin short and only grow, until all reach their targets (the classic "start small" relaxation; T. G.
//! Szymanski, Assembling Code for Machines with Span-Dependent Instructions, CACM 21(4), 1978). A pass over all jumps
//! is linear, and two or three do in practice. For code that is built so that one growth triggers the next, the reach
//! that counts as short shrinks from pass to pass, which bounds the number of passes by a constant. Padding before
//! loops is made anew in every pass and may shrink; what ends the passes is that jumps never do.

use super::{
    CfiRow, CodeBuffer, EmitError, EmitOptions, EmitScratch, FrameInfo, FunctionCode, MAX_CODE, Position, Reloc,
    StepStart, TrapSite,
};
use crate::emit::blocks::align::padding;
use crate::emit::buffer::{FUNCTION_ALIGN, LINE};
use crate::mir::MBlock;
use crate::target::x64::Cond;

/// Something whose size is not known at first, between bytes of the code.
#[derive(Copy, Clone, Debug)]
struct Item {
    /// Offset in the code without items.
    at: u32,
    /// The emitted block that a jump goes to, or the block after a loop.
    target: u32,
    kind: Kind,
    /// Bytes that it takes: of jumps at least, of padding as the last pass made it.
    size: u8,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Kind {
    Jump,
    Branch(Cond),
    /// No-operations before a loop, where it would lie in two lines.
    Align,
}

/// The offset of a block in the code without items.
#[derive(Copy, Clone, Default, Debug)]
struct BlockOffset {
    at: u32,
    /// Number of items before it.
    items: u32,
}

/// The items of a function.
#[derive(Default, Debug)]
pub(super) struct Relax {
    items: Vec<Item>,
    /// The starts of blocks, and the end of the last one.
    blocks: Vec<BlockOffset>,
    /// For each item, and for the end, how many bytes all items before it take.
    shift: Vec<u32>,
    /// Number of items before each recorded position.
    position_items: Vec<u32>,
    /// Number of items before each recorded step.
    step_items: Vec<u32>,
    /// Number of items before each row of the call frame information.
    cfi_items: Vec<u32>,
}

const SHORT: u8 = 2;
/// The reach of a short jump forward. Backward it is one byte more.
const REACH: i64 = i8::MAX as i64;
/// Passes that use the whole reach.
const FULL_PASSES: i64 = 10;

impl Relax {
    /// Begins a function.
    pub(super) fn begin(&mut self, blocks: usize) {
        self.items.clear();
        self.position_items.clear();
        self.step_items.clear();
        self.cfi_items.clear();
        self.blocks.clear();
        self.blocks.resize(blocks + 1, BlockOffset::default());
    }
    /// A block begins at this offset.
    #[inline]
    pub(super) fn begin_block(&mut self, b: MBlock, at: usize) {
        self.blocks[b.index()] = BlockOffset { at: at as u32, items: self.items.len() as u32 };
    }
    /// A jump stands at this offset.
    pub(super) fn jump(&mut self, at: usize, target: MBlock) {
        self.items.push(Item { at: at as u32, target: target.0, kind: Kind::Jump, size: SHORT });
    }
    /// A conditional jump stands at this offset; the condition is one of the hardware's.
    pub(super) fn branch(&mut self, at: usize, c: Cond, target: MBlock) {
        self.items.push(Item { at: at as u32, target: target.0, kind: Kind::Branch(c), size: SHORT });
    }
    /// A loop begins at this offset. The block after it is `end`, or the number of blocks where the code ends. In the
    /// loop no other one begins.
    pub(super) fn align(&mut self, at: usize, end: MBlock) {
        self.items.push(Item { at: at as u32, target: end.0, kind: Kind::Align, size: 0 });
    }
    /// The code ends at this offset.
    pub(super) fn end(&mut self, at: usize) {
        let last = self.blocks.len() - 1;
        self.begin_block(MBlock(last as u32), at);
    }
    /// A position is recorded here.
    pub(super) fn note_position(&mut self) {
        self.position_items.push(self.items.len() as u32);
    }
    /// A step is recorded here.
    pub(super) fn note_step(&mut self) {
        self.step_items.push(self.items.len() as u32);
    }
    /// A change of the call frame information is noted here.
    pub(super) fn note_cfi(&mut self) {
        self.cfi_items.push(self.items.len() as u32);
    }

    /// Returns the offset of a block in the function, by the present sizes.
    pub(super) fn address(&self, b: u32) -> i64 {
        let p = self.blocks[b as usize];
        p.at as i64 + self.shift[p.items as usize] as i64
    }
    /// Bytes from item number `k` to its target, by the present sizes: what a jump spans.
    fn span(&self, k: usize) -> i64 {
        let item = &self.items[k];
        self.address(item.target) - (item.at as i64 + self.shift[k + 1] as i64)
    }
    /// Bytes from the begin of the loop after item number `k` to its end. There is no padding in it.
    fn loop_len(&self, k: usize) -> u32 {
        let end = self.blocks[self.items[k].target as usize];
        let jumps = &self.items[k + 1..end.items as usize];
        end.at - self.items[k].at + jumps.iter().map(|jump| jump.size as u32).sum::<u32>()
    }
    /// Sizes the padding for jumps of the present sizes, and sums all sizes. Returns what the function is aligned to.
    fn size_padding(&mut self) -> u32 {
        self.shift.clear();
        let (mut sum, mut function) = (0, FUNCTION_ALIGN);
        for k in 0..self.items.len() {
            self.shift.push(sum);
            if self.items[k].kind == Kind::Align {
                let len = self.loop_len(k);
                self.items[k].size = padding(self.items[k].at + sum, len) as u8;
                function = if len <= LINE { LINE } else { function };
            }
            sum += self.items[k].size as u32;
        }
        self.shift.push(sum);
        function
    }

    /// Grows jumps until all reach. Returns what the function is to be aligned to.
    fn solve(&mut self) -> u32 {
        let mut pass = 0;
        loop {
            let function = self.size_padding();
            let reach = REACH - 16 * (pass - FULL_PASSES).max(0);
            let mut grown = false;
            for k in 0..self.items.len() {
                let near = match self.items[k].kind {
                    Kind::Jump => 5,
                    Kind::Branch(_) => 6,
                    Kind::Align => continue,
                };
                if self.items[k].size == SHORT && !(-reach - 1..=reach).contains(&self.span(k)) {
                    self.items[k].size = near;
                    grown = true;
                }
            }
            if !grown {
                return function;
            }
            pass += 1;
        }
    }
}

/// Sizes the jumps of the function in `scratch` and appends it to `out`.
pub(super) fn finish(
    scratch: &mut EmitScratch,
    frame: FrameInfo,
    opts: &EmitOptions,
    out: &mut CodeBuffer,
) -> Result<FunctionCode, EmitError> {
    const LARGEST: usize = LINE as usize - 1;
    let most = scratch.code.len() + LARGEST * (scratch.relax.items.len() + 1);
    if out.code.len() + most > MAX_CODE {
        return Err(EmitError::CodeTooLarge);
    }
    let align = scratch.relax.solve();
    out.align(align);
    let start = out.code.len() as u32;
    copy(scratch, out);
    let r = &scratch.relax;
    let mut mover = Mover::new(r, start);
    out.relocs.extend(scratch.relocs.iter().map(|reloc| Reloc { offset: mover.of(reloc.offset), ..*reloc }));
    let mut mover = Mover::new(r, start);
    out.traps.extend(scratch.traps.iter().map(|t| TrapSite { offset: mover.of(t.offset), ..*t }));
    if opts.positions {
        let moved = scratch.positions.iter().zip(&r.position_items);
        out.positions
            .extend(moved.map(|(p, &items)| Position { offset: start + p.offset + r.shift[items as usize], ..*p }));
    }
    let steps = scratch.steps.iter().zip(&r.step_items);
    let moved = steps.map(|(s, &items)| StepStart { offset: start + s.offset + r.shift[items as usize], ..*s });
    out.steps.extend(moved);
    let rows = scratch.cfi.iter().zip(&r.cfi_items);
    out.cfi.extend(rows.map(|(row, &items)| CfiRow { offset: start + row.offset + r.shift[items as usize], ..*row }));
    Ok(FunctionCode { start, len: out.code.len() as u32 - start, align, frame })
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
        let distance = r.span(k) as i32;
        match (item.kind, item.size) {
            (Kind::Jump, SHORT) => out.code.jump_short(distance as i8),
            (Kind::Branch(c), SHORT) => out.code.branch_short(c, distance as i8),
            (Kind::Branch(c), _) => out.code.branch_near(c, distance),
            (Kind::Jump | Kind::Align, _) => out.code.jump_near(distance),
        }
    }
    out.code.extend_from(code, done..code.len());
}

/// Moves ascending offsets of instructions, or of positions in them, by the items before them.
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
