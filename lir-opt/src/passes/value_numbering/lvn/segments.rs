//! Memory objects in segments: the time at which each byte of a stack object or symbol was written.
//!
//! An object begins as one segment. An access splits segments at its two bounds, and the parts inherit the facts about
//! the whole. A store makes its range one segment with a new number. So the number of a segment changes exactly when
//! one of its bytes may have changed.
//!
//! The segments of all objects of a block are in one ordered map, by object and offset. An access takes the logarithm
//! of their number and the segments that it covers: at most eight for a load, and the segments that a store covers
//! become one. An object is discarded by taking a new id: that costs nothing, and the old segments are dropped with the
//! block.

use std::collections::BTreeMap;

/// The end of the segments of an object: the initial one is [0, 2^32 - 1).
const END: u32 = u32::MAX;

/// The segments of all objects of a block.
#[derive(Default)]
pub(super) struct Segments {
    /// The memory number of each segment, which is another one after each store to any of its bytes. A segment ends
    /// where the next one of the object begins.
    numbers: BTreeMap<u64, u32>,
    objects: u32,
}

impl Segments {
    /// Forgets all objects.
    pub fn clear(&mut self) {
        if self.objects != 0 {
            self.numbers.clear();
            self.objects = 0;
        }
    }
    /// Returns a new object of one segment with this memory number; its id.
    pub fn new_object(&mut self, number: u32) -> u32 {
        let id = self.objects;
        self.objects += 1;
        self.numbers.insert(key(id, 0), number);
        id
    }
    /// Returns the memory numbers of the segments from `offset` up to `end`, in order. They are split at these bounds.
    pub fn cover(&mut self, id: u32, offset: u32, end: u32) -> impl Iterator<Item = u32> {
        self.split(id, offset);
        self.split(id, end);
        self.numbers.range(key(id, offset)..key(id, end)).map(|(_, number)| *number)
    }
    /// Makes the bytes from `offset` up to `end` one segment, which was just written.
    pub fn store(&mut self, id: u32, offset: u32, end: u32, number: u32) {
        self.split(id, end);
        let start = key(id, offset);
        while let Some((&inner, _)) = self.numbers.range(start + 1..key(id, end)).next() {
            self.numbers.remove(&inner);
        }
        self.numbers.insert(start, number);
    }
    /// Splits the segment that `at` lies in, unless one begins there.
    fn split(&mut self, id: u32, at: u32) {
        if at == END {
            return;
        }
        let (&start, &number) = self.numbers.range(..=key(id, at)).next_back().expect("an object has segments");
        if start != key(id, at) {
            self.numbers.insert(key(id, at), number);
        }
    }
}

/// Objects one after the other, and offsets ascending in each.
fn key(id: u32, offset: u32) -> u64 {
    u64::from(id) << 32 | u64::from(offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Offset, end and memory number of an object's segments, in order.
    fn all(s: &Segments, id: u32) -> Vec<(u32, u32, u32)> {
        let segments: Vec<_> = s.numbers.range(key(id, 0)..key(id + 1, 0)).map(|(k, n)| (*k as u32, *n)).collect();
        let ends = segments.iter().skip(1).map(|s| s.0).chain([END]);
        segments.iter().zip(ends).map(|((offset, number), end)| (*offset, end, *number)).collect()
    }

    fn bounds(s: &Segments, id: u32) -> Vec<(u32, u32)> {
        all(s, id).iter().map(|(offset, end, _)| (*offset, *end)).collect()
    }

    fn numbers(s: &mut Segments, id: u32, offset: u32, end: u32) -> Vec<u32> {
        s.cover(id, offset, end).collect()
    }

    #[test]
    fn an_object_begins_as_one_segment() {
        let mut s = Segments::default();
        let (a, b) = (s.new_object(10), s.new_object(11));
        assert_eq!(all(&s, a), [(0, END, 10)]);
        assert_eq!(all(&s, b), [(0, END, 11)]);
        s.clear();
        assert_eq!(s.new_object(12), a);
        assert_eq!(bounds(&s, a), [(0, END)]);
    }

    #[test]
    fn a_segment_has_offset_size_and_memory_number() {
        let mut s = Segments::default();
        let a = s.new_object(1);
        s.store(a, 8, 12, 2);
        assert_eq!(all(&s, a)[1], (8, 12, 2));
    }

    #[test]
    fn accesses_split_at_their_bounds_and_parts_inherit() {
        let mut s = Segments::default();
        let a = s.new_object(1);
        s.store(a, 4, 8, 2);
        assert_eq!(numbers(&mut s, a, 6, 12), [2, 1]);
        assert_eq!(bounds(&s, a), [(0, 4), (4, 6), (6, 8), (8, 12), (12, END)]);
        // The same access again splits nothing.
        assert_eq!(s.cover(a, 6, 12).count(), 2);
        assert_eq!(all(&s, a).len(), 5);
        assert_eq!(s.cover(a, END - 4, END).count(), 1);
        assert_eq!(all(&s, a).len(), 6);
    }

    #[test]
    fn a_store_gives_its_bytes_a_new_number_and_leaves_the_others_alone() {
        let mut s = Segments::default();
        let (a, b) = (s.new_object(1), s.new_object(2));
        s.store(a, 0, 4, 3);
        s.store(a, 4, 8, 4);
        s.store(a, 2, 6, 5);
        assert_eq!(all(&s, a), [(0, 2, 3), (2, 6, 5), (6, 8, 4), (8, END, 1)]);
        assert_eq!(all(&s, b), [(0, END, 2)]);
        // A store over several segments makes them one.
        s.store(a, 0, 8, 6);
        assert_eq!(bounds(&s, a), [(0, 8), (8, END)]);
    }

    #[test]
    fn the_split_points_of_the_document() {
        let mut s = Segments::default();
        let (zero, one) = (s.new_object(0), s.new_object(1));
        // %vr1 = load dword [stack_obj.0]
        assert_eq!(numbers(&mut s, zero, 0, 4), [0]);
        assert_eq!(bounds(&s, zero), [(0, 4), (4, u32::MAX)]);
        // store dword [stack_obj.1 + 4], %vr1
        s.store(one, 4, 8, 2);
        assert_eq!(bounds(&s, one), [(0, 4), (4, 8), (8, u32::MAX)]);
        assert_eq!(all(&s, one).iter().map(|x| x.2).collect::<Vec<_>>(), [1, 2, 1]);
        // %vr2 = load dword [stack_obj.0]: no splitting is necessary, and the number is the one of the first load.
        assert_eq!(numbers(&mut s, zero, 0, 4), [0]);
        assert_eq!(bounds(&s, zero), [(0, 4), (4, u32::MAX)]);
        // %vr3 = load dword [stack_obj.1 + 4]: forwarded, since the number is the store's.
        assert_eq!(numbers(&mut s, one, 4, 8), [2]);
        assert_eq!(bounds(&s, one), [(0, 4), (4, 8), (8, u32::MAX)]);
    }

    #[test]
    fn many_segments_of_one_object() {
        let mut s = Segments::default();
        let a = s.new_object(0);
        for k in 0..100_000 {
            s.store(a, 16 * (k * 7919 % 100_000), 16 * (k * 7919 % 100_000) + 4, k);
        }
        assert_eq!(all(&s, a).len(), 200_000);
        s.store(a, 0, END, 1);
        assert_eq!(bounds(&s, a), [(0, END)]);
    }
}
