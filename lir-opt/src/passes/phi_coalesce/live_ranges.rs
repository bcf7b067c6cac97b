//! The live ranges of registers in SSA form, each with the value that is held.
//!
//! # Algorithm
//!
//! 1. A walk over the places cuts what is read and written into *segments* within one place: from the assignment, or
//!    from the start of the place, to the last read.
//! 2. A register with a segment that begins at the start of its place is followed backward over predecessors: the
//!    segment of a predecessor is prolonged to its end; through a predecessor without one the register is live.
//! 3. Segments and places that it is live through, in order and joined where they touch, are its ranges.
//!
//! # Cost
//!
//! Linear in instructions and in the pairs of a register and a place that it is live into. Only the registers that a
//! phi or copy connects are looked at.

use super::places::{Place, Places};
use crate::tables::groups::Groups;
use crate::tables::range_classes::{LiveRange, Slice, append};
use lir_syntax::ir::{Block, Cfg, EntityRef, EntitySet, Format, Function, Param, Reg, SecondaryMap};

/// A range of positions in which a register holds this value.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Held {
    start: u32,
    end: u32,
    /// See [`values`](super::values).
    pub(super) value: u32,
}

impl Held {
    /// The value is held from one position to another, exclusive.
    pub(super) fn new(start: u32, end: u32, value: u32) -> Held {
        Held { start, end, value }
    }
    /// The first position.
    pub(super) fn position(&self) -> u32 {
        self.start
    }
}

impl LiveRange for Held {
    #[inline]
    fn start(&self) -> u32 {
        self.start
    }
    #[inline]
    fn end(&self) -> u32 {
        self.end
    }
    /// Two registers that hold one value may be one.
    #[inline]
    fn agrees(&self, other: &Held) -> bool {
        self.value == other.value
    }
    #[inline]
    fn extend(&mut self, next: Held) -> bool {
        let extends = self.end >= next.start && self.value == next.value;
        if extends {
            self.end = self.end.max(next.end);
        }
        extends
    }
}

/// No index.
const NONE: u32 = u32::MAX;

/// The live range of a register within a place.
#[derive(Copy, Clone)]
struct Segment {
    start: u32,
    end: u32,
    place: Place,
    /// The segment of the same register before this one.
    prev: u32,
    live_in: bool,
}

/// The segments of all registers, and scratch memory.
#[derive(Default)]
pub(super) struct LiveRanges {
    segments: Vec<Segment>,
    /// The last segment of each register that is looked at; `NONE` if it has none.
    last: SecondaryMap<Reg, u32>,
    /// For each place what is known of the register at hand.
    marks: Vec<Mark>,
    worklist: Vec<Place>,
    /// Places that the register at hand is live through, and its segments, the last first.
    through: Vec<Place>,
    chain: Vec<u32>,
}

/// The registers, by number, for which something was found last.
#[derive(Copy, Clone)]
struct Mark {
    /// It is live out of the place.
    live_out: u32,
    /// It has a segment in the place, with this number.
    has_segment: u32,
    segment: u32,
}

const NO_MARK: Mark = Mark { live_out: NONE, has_segment: NONE, segment: NONE };

impl LiveRanges {
    /// Step 1, for the registers that are `wanted`. `phi_reads` are the registers that phis read at each place.
    pub(super) fn find_segments(
        &mut self,
        f: &Function,
        places: &Places,
        (wanted, phi_reads): (&EntitySet<Reg>, &Groups<Place, Reg>),
    ) {
        self.segments.clear();
        self.last = SecondaryMap::with_len(NONE, f.num_regs());
        self.marks.clear();
        self.marks.resize(places.len(), NO_MARK);
        for (place, b) in places.blocks() {
            let span = places.span(place);
            if place.index() == 0 {
                let params = f.params.iter().filter_map(|p| if let Param::Reg(r) = *p { Some(r) } else { None });
                params.filter(|r| wanted.contains(*r)).for_each(|r| self.write(r, span.start + 1, place));
            }
            let mut at = span.start;
            for i in f.layout().insts(b) {
                if f.inst(i).op.format() != Format::Phi {
                    at += 2;
                    if f.inst(i).op.is_terminator() {
                        phi_reads.get(place).iter().for_each(|r| self.read(*r, span.copies + 1, place, span.start));
                        at = span.copies + 2;
                    }
                    f.for_each_use(i, |r| {
                        if wanted.contains(r) {
                            self.read(r, at + 1, place, span.start);
                        }
                    });
                }
                if let Some(r) = f.def(i).filter(|r| wanted.contains(*r)) {
                    self.write(r, at + 1, place);
                }
            }
        }
        for place in places.edges() {
            let span = places.span(place);
            phi_reads.get(place).iter().for_each(|r| self.read(*r, span.copies + 1, place, span.start));
        }
    }
    fn write(&mut self, r: Reg, at: u32, place: Place) {
        let prev = std::mem::replace(&mut self.last[r], self.segments.len() as u32);
        self.segments.push(Segment { start: at, end: at + 1, place, prev, live_in: false });
    }
    fn read(&mut self, r: Reg, end: u32, place: Place, start: u32) {
        let last = self.last[r];
        match self.segments.get_mut(last as usize) {
            Some(s) if s.place == place => s.end = s.end.max(end),
            _ => {
                self.last[r] = self.segments.len() as u32;
                self.segments.push(Segment { start, end, place, prev: last, live_in: true });
            }
        }
    }

    /// Steps 2 and 3: appends the ranges of a register to the arena.
    pub(super) fn append_ranges(
        &mut self,
        (cfg, places): (&Cfg, &Places),
        r: Reg,
        value: u32,
        ranges: &mut Vec<Held>,
    ) -> Slice {
        let from = ranges.len() as u32;
        self.chain.clear();
        self.through.clear();
        let (mut s, mut crosses) = (self.last[r], false);
        while let Some(segment) = self.segments.get(s as usize) {
            self.chain.push(s);
            s = segment.prev;
            crosses |= segment.live_in;
        }
        if crosses {
            self.follow(cfg, places, r);
        }
        let mut through = self.through.iter().peekable();
        let whole = |place: Place| Held::new(places.span(place).start, places.span(place).end, value);
        for s in self.chain.iter().rev() {
            let s = self.segments[*s as usize];
            while let Some(place) = through.next_if(|place| **place < s.place) {
                append(ranges, from, whole(*place));
            }
            append(ranges, from, Held::new(s.start, s.end, value));
        }
        through.for_each(|place| append(ranges, from, whole(*place)));
        (from, ranges.len() as u32)
    }
    /// Step 2. Fills `through`, ascending.
    fn follow(&mut self, cfg: &Cfg, places: &Places, r: Reg) {
        let number = r.as_u32();
        self.worklist.clear();
        for s in &self.chain {
            let segment = self.segments[*s as usize];
            let mark = &mut self.marks[segment.place.index()];
            (mark.has_segment, mark.segment) = (number, *s);
            if segment.live_in {
                self.worklist.push(segment.place);
            }
        }
        while let Some(place) = self.worklist.pop() {
            let mut live_out_of = |p: Place| {
                let mark = &mut self.marks[p.index()];
                if std::mem::replace(&mut mark.live_out, number) == number {
                    return;
                }
                if mark.has_segment == number {
                    self.segments[mark.segment as usize].end = places.span(p).end;
                } else {
                    self.through.push(p);
                    self.worklist.push(p);
                }
            };
            match (places.edge(place), places.block(place)) {
                (Some(edge), _) => live_out_of(edge.from),
                (None, Some(b)) => each_before(cfg, places, b, live_out_of),
                (None, None) => unreachable!("a place is a block or an edge"),
            }
        }
        self.through.sort_unstable();
    }
}

/// Visits the places from which control comes to a block.
fn each_before(cfg: &Cfg, places: &Places, b: Block, visit: impl FnMut(Place)) {
    cfg.preds(b).iter().filter_map(|p| places.between(*p, b)).for_each(visit);
}
