//! Sizes of jumps, and the code put together with them.
//!
//! Jumps begin short and only grow, until all reach their targets (the classic "start small" relaxation; T. G.
//! Szymanski, Assembling Code for Machines with Span-Dependent Instructions, CACM 21(4), 1978). A pass over all jumps
//! is linear, and two or three are enough in practice. For code that is built so that one growth triggers the next, the
//! reach that counts as short shrinks from pass to pass, which bounds the number of passes by a constant. Padding
//! before loops is recomputed in every pass and may shrink. The passes end because jumps never shrink.

use super::buffer::{FUNCTION_ALIGN, LINE};
use crate::isa::x64::Cond;
use crate::isa::x64::encode::Code;

/// Something whose size is not known at first, between bytes of the code.
#[derive(Copy, Clone, Debug)]
struct Item {
    /// Offset in the code without items.
    at: u32,
    /// The target of a jump, or the end of a loop.
    target: u32,
    kind: Kind,
    /// Bytes that it takes: for a jump the minimum, for padding the size of the last pass.
    size: u8,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Kind {
    Jump,
    Branch(Cond),
    /// No-operations before a loop, where it would lie in two lines.
    Loop,
    /// No-operations up to a multiple of a power of two, of which this is the logarithm.
    Multiple(u8),
    /// Instructions that were written after the code that follows them.
    Piece,
}

/// A place in the code without items: the start of a block, or a label.
#[derive(Copy, Clone, Default, Debug)]
struct Place {
    at: u32,
    /// Number of items before it.
    items: u32,
}

/// The kinds of things that are recorded at offsets in the code.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Recorded {
    /// The start of an instruction.
    Position,
    /// The start of an instruction or an edit.
    Step,
    /// A row of the call frame information.
    Cfi,
}

/// The items of some code, and its places.
#[derive(Default, Debug)]
pub(crate) struct Relax {
    items: Vec<Item>,
    /// The most bytes that all of them take.
    room: usize,
    /// The inserted code. The target of an item of this kind is an index into it.
    pieces: Vec<Code>,
    /// By number: the starts of blocks, and the end of the last one.
    places: Vec<Place>,
    /// For each item, and for the end, how many bytes all items before it take.
    shift: Vec<u32>,
    /// For each thing that was recorded the number of items before it.
    recorded: [Vec<u32>; 3],
}

const SHORT: u8 = 2;
/// The largest alignment inside of code.
pub(crate) const MAX_ALIGN: u32 = 128;
/// The most bytes of a jump.
const NEAR: usize = 6;
/// The reach of a short jump forward. Backward it is one byte more.
const REACH: i64 = i8::MAX as i64;
/// Passes that use the whole reach.
const FULL_PASSES: i64 = 10;

impl Relax {
    /// Begins a function with this many blocks.
    pub(super) fn begin(&mut self, blocks: usize) {
        self.items.clear();
        self.room = 0;
        self.pieces.clear();
        self.recorded.iter_mut().for_each(Vec::clear);
        self.places.clear();
        self.places.resize(blocks + 1, Place::default());
    }
    fn push(&mut self, at: usize, target: u32, kind: Kind) {
        let (size, most) = match kind {
            Kind::Jump | Kind::Branch(_) => (SHORT, NEAR),
            Kind::Loop => (0, LINE as usize - 1),
            Kind::Multiple(log2) => (0, (1 << log2) - 1),
            Kind::Piece => (0, u8::MAX as usize),
        };
        self.room += most;
        self.items.push(Item { at: at as u32, target, kind, size });
    }
    /// True if there is nothing between the bytes.
    pub(crate) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
    /// Returns the number of items.
    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }
    /// Adds a place, whose offset is not known yet.
    pub(crate) fn add_place(&mut self) -> u32 {
        self.places.push(Place::default());
        self.places.len() as u32 - 1
    }
    /// Puts a place at this offset.
    #[inline]
    pub(crate) fn put_place(&mut self, place: u32, at: usize) {
        self.places[place as usize] = Place { at: at as u32, items: self.items.len() as u32 };
    }
    /// Adds a jump at this offset.
    pub(crate) fn jump(&mut self, at: usize, target: u32) {
        self.push(at, target, Kind::Jump);
    }
    /// Adds a conditional jump at this offset; the condition is one of the hardware's.
    pub(crate) fn branch(&mut self, at: usize, c: Cond, target: u32) {
        self.push(at, target, Kind::Branch(c));
    }
    /// Adds a loop that begins at this offset. The block after it is `end`, or the number of blocks where the code
    /// ends. No other loop begins in it.
    pub(super) fn align_loop(&mut self, at: usize, end: u32) {
        self.push(at, end, Kind::Loop);
    }
    /// Aligns the code at this offset to a power of two, at most [`MAX_ALIGN`].
    pub(crate) fn align(&mut self, at: usize, power: u32) {
        debug_assert!(power.is_power_of_two() && power <= MAX_ALIGN);
        self.push(at, 0, Kind::Multiple(power.trailing_zeros() as u8));
    }
    /// Leaves room at this offset for a piece that is written later. Returns the number of the item.
    pub(crate) fn leave_room(&mut self, at: usize) -> u32 {
        self.pieces.push(Code::default());
        self.push(at, self.pieces.len() as u32 - 1, Kind::Piece);
        self.items.len() as u32 - 1
    }
    /// Fills the room with a piece of at most 255 bytes.
    pub(crate) fn fill_room(&mut self, item: u32, piece: Code) {
        let item = &mut self.items[item as usize];
        item.size = u8::try_from(piece.len()).expect("a piece is short");
        self.pieces[item.target as usize] = piece;
    }
    /// Removes the last record if it is at the current place. Returns whether it was.
    pub(crate) fn take_back(&mut self, what: Recorded) -> bool {
        let here = self.items.len() as u32;
        self.recorded[what as usize].pop_if(|items| *items == here).is_some()
    }
    /// Records something after this many items, before record number `before`.
    pub(crate) fn note_before(&mut self, what: Recorded, before: usize, items: u32) {
        self.recorded[what as usize].insert(before, items);
    }
    /// Ends the code at this offset.
    pub(super) fn end(&mut self, at: usize) {
        let last = self.places.len() as u32 - 1;
        self.put_place(last, at);
    }
    /// Records something here.
    pub(crate) fn note(&mut self, what: Recorded) {
        self.recorded[what as usize].push(self.items.len() as u32);
    }

    /// Returns the offset of a place, by the current sizes.
    pub(crate) fn address(&self, place: u32) -> i64 {
        let p = self.places[place as usize];
        p.at as i64 + self.shift[p.items as usize] as i64
    }
    /// Bytes from the end of item number `k` to its target, by the current sizes: the span of a jump.
    fn span(&self, k: usize) -> i64 {
        let item = &self.items[k];
        self.address(item.target) - (item.at as i64 + self.shift[k + 1] as i64)
    }
    /// Bytes from the start of the loop after item number `k` to its end. There is no padding in it.
    fn loop_len(&self, k: usize) -> u32 {
        let end = self.places[self.items[k].target as usize];
        let jumps = &self.items[k + 1..end.items as usize];
        end.at - self.items[k].at + jumps.iter().map(|jump| jump.size as u32).sum::<u32>()
    }
    /// Sizes the padding for jumps of the current sizes, and sums all sizes. Returns the alignment of the function.
    fn size_padding(&mut self) -> u32 {
        self.shift.clear();
        let (mut sum, mut function) = (0, FUNCTION_ALIGN);
        for k in 0..self.items.len() {
            self.shift.push(sum);
            let at = self.items[k].at + sum;
            match self.items[k].kind {
                Kind::Loop => {
                    let len = self.loop_len(k);
                    self.items[k].size = padding(at, len) as u8;
                    function = if len <= LINE { LINE } else { function };
                }
                Kind::Multiple(log2) => {
                    self.items[k].size = (at.next_multiple_of(1 << log2) - at) as u8;
                    function = function.max(1 << log2);
                }
                Kind::Jump | Kind::Branch(_) | Kind::Piece => {}
            }
            sum += self.items[k].size as u32;
        }
        self.shift.push(sum);
        function
    }

    /// Grows jumps until all reach. Returns the alignment of the code.
    pub(crate) fn solve(&mut self) -> u32 {
        let mut pass = 0;
        loop {
            let function = self.size_padding();
            let reach = REACH - 16 * (pass - FULL_PASSES).max(0);
            let mut grown = false;
            for k in 0..self.items.len() {
                let near = match self.items[k].kind {
                    Kind::Jump => 5,
                    Kind::Branch(_) => 6,
                    Kind::Loop | Kind::Multiple(_) | Kind::Piece => continue,
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

    /// Returns the most bytes that code without items can have with them.
    pub(crate) fn most(&self, len: usize) -> usize {
        len + self.room + LINE as usize
    }
    /// Appends code with its items to `out`.
    pub(crate) fn copy(&self, code: &Code, out: &mut Code) {
        let mut done = 0;
        for (k, item) in self.items.iter().enumerate() {
            out.extend_from(code, done..item.at as usize);
            done = item.at as usize;
            let distance = || self.span(k) as i32;
            match (item.kind, item.size) {
                (Kind::Loop | Kind::Multiple(_), padding) => out.nops(padding as usize),
                (Kind::Piece, size) => out.extend_from(&self.pieces[item.target as usize], 0..size as usize),
                (Kind::Jump, SHORT) => out.jump_short(distance() as i8),
                (Kind::Jump, _) => out.jump_near(distance()),
                (Kind::Branch(c), SHORT) => out.branch_short(c, distance() as i8),
                (Kind::Branch(c), _) => out.branch_near(c, distance()),
            }
        }
        out.extend_from(code, done..code.len());
    }
    /// Moves ascending offsets in the code, which begins at `start` in the code with items.
    pub(crate) fn mover(&self, start: u32) -> Mover<'_> {
        Mover { relax: self, start, item: 0 }
    }
    /// Returns the bytes of the items before each thing that was recorded.
    pub(crate) fn shifts_of(&self, what: Recorded) -> impl Iterator<Item = u32> + '_ {
        self.recorded[what as usize].iter().map(|items| self.shift[*items as usize])
    }
}

/// Moves ascending offsets of instructions, or of positions in them, by the items before them.
pub(crate) struct Mover<'r> {
    relax: &'r Relax,
    start: u32,
    item: usize,
}

impl Mover<'_> {
    /// Returns where an offset is. No offset may be smaller than the one before.
    pub(crate) fn of(&mut self, offset: u32) -> u32 {
        // An item at the offset comes before the instruction.
        while self.relax.items.get(self.item).is_some_and(|item| item.at <= offset) {
            self.item += 1;
        }
        self.start + offset + self.relax.shift[self.item]
    }
}

/// Returns the bytes of padding before a loop of `len` bytes at `at`. This is counted from the beginning of a line.
fn padding(at: u32, len: u32) -> u32 {
    let crosses = at % LINE + len > LINE;
    if len <= LINE && crosses { at.next_multiple_of(LINE) - at } else { 0 }
}
