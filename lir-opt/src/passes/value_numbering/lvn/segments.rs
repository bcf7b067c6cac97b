//! Memory objects in segments: which bytes of a stack object or symbol were written when, and with what.
//!
//! An object begins as one segment. An access splits segments at its two bounds, and the parts inherit what was known
//! of the whole. A store makes its range one segment with a new number. So the number of a segment changes exactly when
//! one of its bytes may have changed.
//!
//! The segments of all objects of a block are in one ordered map, by object and offset. An access takes the logarithm
//! of their number and the segments that it covers: at most eight for a load, and those that a store covers become one.
//! An object is discarded by taking a new id: that costs nothing, and the old segments go with the block.

use lir_syntax::ir::Type;
use std::collections::BTreeMap;

/// The end of the segments of an object: the initial one is [0, 2^32 - 1).
pub(super) const END: u32 = u32::MAX;

/// The contents of a range of bytes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Segment {
    /// The offset after the last byte.
    pub end: u32,
    /// The memory number: another one after each store to any byte of the segment.
    pub number: u32,
    /// The value of the last store, if it is one.
    pub stored: Option<Stored>,
}

/// A value that was stored, of which a segment is the whole or a part.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Stored {
    /// The number of the value.
    pub value: u32,
    /// The type of the store.
    pub ty: Type,
    /// The offset of the store in the object.
    pub offset: u32,
}

/// The segments of all objects of a block.
#[derive(Default)]
pub(super) struct Segments {
    by_start: BTreeMap<u64, Segment>,
    objects: u32,
}

impl Segments {
    /// Forgets all objects.
    pub fn clear(&mut self) {
        if self.objects != 0 {
            self.by_start.clear();
            self.objects = 0;
        }
    }
    /// A new object of one segment with this memory number; its id.
    pub fn new_object(&mut self, number: u32) -> u32 {
        let id = self.objects;
        self.objects += 1;
        self.by_start.insert(key(id, 0), Segment { end: END, number, stored: None });
        id
    }
    /// The segments of the bytes from `offset` up to `end`, in order. They are split at these bounds.
    pub fn cover(&mut self, id: u32, offset: u32, end: u32) -> impl Iterator<Item = &Segment> {
        self.split(id, offset);
        self.split(id, end);
        self.by_start.range(key(id, offset)..key(id, end)).map(|(_, s)| s)
    }
    /// Makes the bytes from `offset` up to `end` one segment, which was just written.
    pub fn store(&mut self, id: u32, offset: u32, end: u32, number: u32, stored: Option<Stored>) {
        self.split(id, offset);
        self.split(id, end);
        let start = key(id, offset);
        while let Some((&inner, _)) = self.by_start.range(start + 1..key(id, end)).next() {
            self.by_start.remove(&inner);
        }
        self.by_start.insert(start, Segment { end, number, stored });
    }
    /// Splits the segment that `at` lies in, unless one begins there.
    fn split(&mut self, id: u32, at: u32) {
        if at == END {
            return;
        }
        let (&start, segment) = self.by_start.range_mut(..=key(id, at)).next_back().expect("an object has segments");
        if start != key(id, at) {
            let second = *segment;
            segment.end = at;
            self.by_start.insert(key(id, at), second);
        }
    }
    /// Offset, end and contents of an object's segments, in order.
    #[cfg(test)]
    fn of(&self, id: u32) -> Vec<(u32, Segment)> {
        self.by_start.range(key(id, 0)..key(id + 1, 0)).map(|(k, s)| (*k as u32, *s)).collect()
    }
}

/// Objects one after the other, and offsets ascending in each.
fn key(id: u32, offset: u32) -> u64 {
    u64::from(id) << 32 | u64::from(offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(s: &Segments, id: u32) -> Vec<(u32, u32)> {
        s.of(id).iter().map(|(offset, segment)| (*offset, segment.end)).collect()
    }

    fn dword(value: u32, offset: u32) -> Option<Stored> {
        Some(Stored { value, ty: Type::I32, offset })
    }

    #[test]
    fn an_object_begins_as_one_segment() {
        let mut s = Segments::default();
        let (a, b) = (s.new_object(10), s.new_object(11));
        assert_eq!(s.of(a), [(0, Segment { end: u32::MAX, number: 10, stored: None })]);
        assert_eq!(s.of(b), [(0, Segment { end: u32::MAX, number: 11, stored: None })]);
        s.clear();
        assert_eq!(s.new_object(12), a);
        assert_eq!(bounds(&s, a), [(0, END)]);
    }

    #[test]
    fn a_segment_has_offset_size_memory_number_and_last_stored() {
        let mut s = Segments::default();
        let a = s.new_object(1);
        s.store(a, 8, 12, 2, dword(7, 8));
        assert_eq!(s.of(a)[1], (8, Segment { end: 12, number: 2, stored: dword(7, 8) }));
    }

    #[test]
    fn accesses_split_at_their_bounds_and_parts_inherit() {
        let mut s = Segments::default();
        let a = s.new_object(1);
        s.store(a, 4, 8, 2, dword(7, 4));
        assert_eq!(
            s.cover(a, 6, 12).map(|x| (x.end, x.number, x.stored)).collect::<Vec<_>>(),
            [(8, 2, dword(7, 4)), (12, 1, None)]
        );
        assert_eq!(bounds(&s, a), [(0, 4), (4, 6), (6, 8), (8, 12), (12, END)]);
        // The same access again splits nothing.
        assert_eq!(s.cover(a, 6, 12).count(), 2);
        assert_eq!(s.of(a).len(), 5);
        assert_eq!(s.cover(a, END - 4, END).count(), 1);
        assert_eq!(s.of(a).len(), 6);
    }

    #[test]
    fn a_store_gives_its_bytes_a_new_number_and_leaves_the_others_alone() {
        let mut s = Segments::default();
        let (a, b) = (s.new_object(1), s.new_object(2));
        s.store(a, 0, 4, 3, dword(7, 0));
        s.store(a, 4, 8, 4, dword(8, 4));
        s.store(a, 2, 6, 5, dword(9, 2));
        let found: Vec<_> = s.of(a).iter().map(|(o, x)| (*o, x.end, x.number)).collect();
        assert_eq!(found, [(0, 2, 3), (2, 6, 5), (6, 8, 4), (8, END, 1)]);
        assert_eq!(s.of(b), [(0, Segment { end: END, number: 2, stored: None })]);
        // A store over several segments makes them one.
        s.store(a, 0, 8, 6, None);
        assert_eq!(bounds(&s, a), [(0, 8), (8, END)]);
    }

    #[test]
    fn the_split_points_of_the_document() {
        let mut s = Segments::default();
        let (zero, one) = (s.new_object(0), s.new_object(1));
        // %vr1 = load dword [stack_obj.0]
        assert_eq!(s.cover(zero, 0, 4).map(|x| (x.number, x.stored)).collect::<Vec<_>>(), [(0, None)]);
        assert_eq!(bounds(&s, zero), [(0, 4), (4, u32::MAX)]);
        // store dword [stack_obj.1 + 4], %vr1
        s.store(one, 4, 8, 2, dword(1, 4));
        assert_eq!(bounds(&s, one), [(0, 4), (4, 8), (8, u32::MAX)]);
        let known: Vec<_> = s.of(one).iter().map(|(_, x)| (x.number, x.stored)).collect();
        assert_eq!(known, [(1, None), (2, dword(1, 4)), (1, None)]);
        // %vr2 = load dword [stack_obj.0]: no splitting is necessary, and the number is the one of the first load.
        assert_eq!(s.cover(zero, 0, 4).map(|x| (x.number, x.stored)).collect::<Vec<_>>(), [(0, None)]);
        assert_eq!(bounds(&s, zero), [(0, 4), (4, u32::MAX)]);
        // %vr3 = load dword [stack_obj.1 + 4]: forwarded.
        assert_eq!(s.cover(one, 4, 8).map(|x| x.stored).collect::<Vec<_>>(), [dword(1, 4)]);
        assert_eq!(bounds(&s, one), [(0, 4), (4, 8), (8, u32::MAX)]);
    }

    #[test]
    fn many_segments_of_one_object() {
        let mut s = Segments::default();
        let a = s.new_object(0);
        for k in 0..100_000 {
            s.store(a, 16 * (k * 7919 % 100_000), 16 * (k * 7919 % 100_000) + 4, k, None);
        }
        assert_eq!(s.of(a).len(), 200_000);
        s.store(a, 0, END, 1, None);
        assert_eq!(bounds(&s, a), [(0, END)]);
    }
}
