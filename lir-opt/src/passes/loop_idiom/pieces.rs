//! Step 2: finds the writes of each iteration of a loop, piece by piece, and their sources.

use super::fresh::is_older;
use super::surroundings::Surroundings;
use crate::analysis::alias::{Location, Relation, Root};
use crate::passes::loop_idiom::events::Event;
use lir_syntax::ir::{Format, Function, Inst, Mem, Opcode, Operand, Reg, Type};

/// Limit on the instructions with a result, and the writes, of a candidate loop.
pub(super) const MAX_INSTRUCTIONS: usize = 48;
/// The most bytes of an iteration. With the largest number of iterations the length does not wrap.
const MAX_SIZE: i64 = i32::MAX as i64;

/// An instruction that writes some bytes of an iteration.
pub(super) struct Piece {
    /// A store or a block operation of constant length.
    pub write: Inst,
    /// The offset of its begin, from the first piece of the program on.
    offset: i64,
    /// Bytes, not 0.
    size: i64,
    /// The load of the stored value, or the `memcpy` or `memmove` itself. It is known if the loop copies.
    source: Option<Inst>,
}

/// The bytes that each iteration writes, side by side.
pub(super) struct Element {
    /// In the order of the program.
    pub pieces: Vec<Piece>,
    /// The position of the piece with the lowest bytes.
    lowest: usize,
    /// The bytes of all pieces.
    pub size: i64,
    /// True if each iteration writes below the last one.
    pub down: bool,
    pub stored: Stored,
}

impl Element {
    /// Returns the first instruction that writes.
    pub(super) fn first_write(&self) -> Inst {
        self.pieces[0].write
    }
    /// Returns the address of the lowest byte that an iteration writes.
    pub(super) fn lowest_written(&self, f: &Function) -> Mem {
        written(f, self.pieces[self.lowest].write)
    }
    /// Returns the address of the lowest byte that an iteration copies. None if the loop fills.
    pub(super) fn lowest_read(&self, f: &Function) -> Option<Mem> {
        self.pieces[self.lowest].source.filter(|_| self.stored.copied().is_some()).map(|i| read(f, i))
    }
    /// True if this instruction writes a piece, or reads the value that is written.
    pub(super) fn has(&self, i: Inst) -> bool {
        self.pieces.iter().any(|p| p.write == i || p.source == Some(i))
    }
    /// True if this instruction reads the value that is written.
    pub(super) fn has_source(&self, i: Inst) -> bool {
        self.pieces.iter().any(|p| p.source == Some(i))
    }
}

/// The value that each iteration writes.
#[derive(Copy, Clone)]
pub(super) enum Stored {
    /// This byte everywhere.
    Byte(Operand),
    /// The bytes that it reads elsewhere.
    Copied(Copied),
}

impl Stored {
    pub(super) fn copied(&self) -> Option<&Copied> {
        if let Stored::Copied(copied) = self { Some(copied) } else { None }
    }
}

/// A loop's way of copying.
#[derive(Copy, Clone)]
pub(super) struct Copied {
    /// True if an iteration may read bytes that a later one writes.
    pub may_overlap: bool,
    /// True if the reads and the writes may both fault, and it is not known which one does.
    pub both_may_fault: bool,
}

impl<'a> Surroundings<'a, '_> {
    /// Finds the bytes that each iteration writes. They are as many as the address grows by.
    pub(super) fn element(&self) -> Result<Element, Event> {
        let mut pieces = self.pieces()?;
        let first = pieces[0].write;
        let stride = self.forms.stride_of_mem(written(self.cx.f, first)).ok_or(Event::NotSideBySide(first))?;
        let (size, down) = (stride.saturating_abs(), stride < 0);
        let mut ranges: Vec<(i64, i64)> = pieces.iter().map(|p| (p.offset, p.size)).collect();
        ranges.sort_unstable();
        let begin = ranges[0].0;
        let end = ranges.iter().try_fold(begin, |at, (offset, size)| (*offset == at).then(|| at.wrapping_add(*size)));
        if size > MAX_SIZE || end != Some(begin.wrapping_add(size)) {
            return Err(Event::NotSideBySide(first));
        }
        let lowest = pieces.iter().position(|p| p.offset == begin).expect("it is one of them");
        let stored = match self.byte(&pieces) {
            Some(byte) => Stored::Byte(byte),
            None => {
                self.find_sources(&mut pieces)?;
                let copied = self.copied(&pieces, (size, down)).ok_or(Event::MayReadWritten(pieces[0].from()))?;
                Stored::Copied(copied)
            }
        };
        Ok(Element { pieces, lowest, size, down, stored })
    }
    /// Returns the pieces of an iteration. Their addresses grow alike.
    fn pieces(&self) -> Result<Vec<Piece>, Event> {
        let f = self.cx.f;
        let mut pieces: Vec<Piece> = Vec::new();
        let mut first: Option<(Mem, Option<i64>)> = None;
        for write in self.blocks.iter().flat_map(|b| f.layout().insts(*b)).filter(|i| writes(f, *i)) {
            if pieces.len() == MAX_INSTRUCTIONS {
                return Err(Event::LoopDoesMuch(MAX_INSTRUCTIONS));
            }
            let d = f.inst(write);
            let size = if d.op.format() == Format::Store {
                Some(i64::from(d.ty.bytes()))
            } else {
                self.cx.constant(d.length()).filter(|n| (1..=MAX_SIZE).contains(n))
            };
            let to = written(f, write);
            let stride = self.forms.stride_of_mem(to);
            let (first, first_stride) = *first.get_or_insert((to, stride));
            let (Some(size), Some(offset)) = (size, self.distance(first, to)) else {
                return Err(Event::LoopDoesMore(write));
            };
            if stride.is_none() || stride != first_stride {
                return Err(Event::NotSideBySide(write));
            }
            pieces.push(Piece { write, offset, size, source: None });
        }
        Ok(pieces)
    }
    /// Returns the bytes from one address to another one of the same iteration, if both are sums of the same registers.
    fn distance(&self, from: Mem, to: Mem) -> Option<i64> {
        if (from.base, from.index, from.scale) == (to.base, to.index, to.scale) {
            return Some(i64::from(to.disp) - i64::from(from.disp));
        }
        let [from, to] = [from, to].map(|m| self.alias.location_of(m, None));
        let distance = to.offset?.wrapping_sub(from.offset?);
        (to.root == from.root && to.root != Root::Unknown && to.index == from.index).then_some(distance)
    }
    /// Returns the byte that all bytes of all pieces are equal to.
    fn byte(&self, pieces: &[Piece]) -> Option<Operand> {
        let byte = self.byte_of(pieces[0].write)?;
        pieces[1..].iter().all(|p| self.byte_of(p.write) == Some(byte)).then_some(byte)
    }
    /// Returns the byte that all bytes of a written value are equal to: a constant, or a register of one byte that the
    /// loop does not assign.
    fn byte_of(&self, write: Inst) -> Option<Operand> {
        let d = self.cx.f.inst(write);
        let (value, ty) = match d.op.format() {
            Format::Store => (d.stored(), d.ty),
            Format::MemFill => (d.second(), Type::I8),
            _ => return None,
        };
        if let Some(bits) = self.cx.constant(value) {
            let bytes = bits.to_le_bytes();
            let used = &bytes[..ty.bytes() as usize];
            let byte = Operand::small(i64::from(used[0] as i8));
            return byte.filter(|_| used.iter().all(|b| *b == used[0]));
        }
        (ty == Type::I8 && self.cx.is_invariant(self.shape.header, value)).then_some(value)
    }
    /// Finds the sources of the values of pieces: reads with the same layout as the pieces.
    fn find_sources(&self, pieces: &mut [Piece]) -> Result<(), Event> {
        let f = self.cx.f;
        let mut first: Option<(Mem, i64)> = None;
        for p in pieces {
            let source = self.source_of(p.write).ok_or(Event::BytesDiffer)?;
            let (from, to) = (read(f, source), written(f, p.write));
            let (first, offset) = *first.get_or_insert((from, p.offset));
            let lies_alike = self.distance(first, from) == Some(p.offset.wrapping_sub(offset));
            if !lies_alike || self.forms.stride_of_mem(from) != self.forms.stride_of_mem(to) {
                return Err(Event::NotSideBySide(source));
            }
            p.source = Some(source);
        }
        Ok(())
    }
    /// Returns the instruction of the same iteration that reads the value that another one writes.
    fn source_of(&self, write: Inst) -> Option<Inst> {
        let d = self.cx.f.inst(write);
        match d.op.format() {
            Format::MemCopy => Some(write),
            Format::Store => {
                let load = self.cx.ssa.def(d.stored().as_reg()?)?;
                let is_load = self.cx.f.inst(load).op == Opcode::Load;
                (is_load && !self.cx.is_invariant(self.shape.header, d.stored())).then_some(load)
            }
            _ => None,
        }
    }
    /// Returns the way in which a loop copies, if it reads nothing that it wrote before.
    fn copied(&self, pieces: &[Piece], element: (i64, bool)) -> Option<Copied> {
        let (to, from) = (written(self.cx.f, pieces[0].write), read(self.cx.f, pieces[0].from()));
        let [at_to, at_from] = [to, from].map(|m| self.alias.location_of(m, Some(pieces[0].size as u64)));
        let both_may_fault = self.both_can_fault(&at_to, &at_from) && !matches!(pieces, [p] if p.write == p.from());
        if let Some(distance) = self.distance(to, from)
            && let Some(may_overlap) = self.reads_ahead(pieces, distance, element)
        {
            return Some(Copied { may_overlap, both_may_fault });
        }
        let is_fixed = |r: Reg| self.cx.is_invariant(self.shape.header, Operand::reg(r));
        let [wide_to, wide_from] = [at_to, at_from].map(|l| l.widen(is_fixed));
        if self.alias.write_relation(self.decls, &wide_to, &wide_from) == Relation::No {
            // If that is so because the reads are from constant data, the writes may still be to the same, and fault.
            let may_overlap = self.alias.relation(self.decls, &wide_to, &wide_from) != Relation::No;
            return Some(Copied { may_overlap, both_may_fault });
        }
        let is_fresh = is_older(self, from, at_to.root) || is_older(self, to, at_from.root);
        is_fresh.then_some(Copied { may_overlap: false, both_may_fault })
    }
    /// Returns whether the ranges may overlap, for reads at a constant distance. None if an iteration may read bytes
    /// that were written before: by another iteration, unless the reads are ahead, or by a previous piece.
    fn reads_ahead(&self, pieces: &[Piece], distance: i64, (size, down): (i64, bool)) -> Option<bool> {
        let length = self.trips.known.map(|n| n.saturating_mul(size as u64));
        let may_overlap = length.is_none_or(|n| distance.unsigned_abs() < n);
        let is_ahead = if down { distance <= 0 } else { distance >= 0 };
        (!may_overlap || is_ahead && self.reads_before_it_writes(pieces, distance)).then_some(may_overlap)
    }
    /// True if no piece is read after a write of the same bytes in the same iteration.
    fn reads_before_it_writes(&self, pieces: &[Piece], distance: i64) -> bool {
        let meet = |p: &Piece, written: &Piece| {
            let begin = i128::from(p.offset) + i128::from(distance) - i128::from(written.offset);
            begin < i128::from(written.size) && begin + i128::from(p.size) > 0
        };
        let mut written_before = 0;
        for i in self.blocks.iter().flat_map(|b| self.cx.f.layout().insts(*b)) {
            let reads_written =
                |p: &Piece| p.source == Some(i) && pieces[..written_before].iter().any(|written| meet(p, written));
            if pieces.iter().any(reads_written) {
                return false;
            }
            written_before += usize::from(pieces.get(written_before).is_some_and(|p| p.write == i));
        }
        true
    }
    /// True if a store and a load may both fault: in memory that was allocated, and another object. A store to a
    /// constant or to a function faults, and so may the load before it.
    fn both_can_fault(&self, to: &Location, from: &Location) -> bool {
        !self.alias.is_writable(self.decls, to) && !from.root.is_there()
    }
}

impl Piece {
    /// Returns the instruction that reads the bytes, in a loop that copies.
    fn from(&self) -> Inst {
        self.source.expect("sources were found")
    }
}

/// True if this is an instruction that an element may be written by.
#[inline]
pub(super) fn writes(f: &Function, i: Inst) -> bool {
    matches!(f.inst(i).op.format(), Format::Store | Format::MemFill | Format::MemCopy)
}

/// Returns the address that a store or a block operation writes to.
fn written(f: &Function, i: Inst) -> Mem {
    if f.inst(i).op.format() == Format::Store { f.mem(i) } else { f.mem_dst(i) }
}

/// Returns the address that a load or a block operation reads from.
fn read(f: &Function, i: Inst) -> Mem {
    if f.inst(i).op.format() == Format::MemCopy { f.mem_src(i) } else { f.mem(i) }
}
