//! Classes of values that can have one register: union-find with the live ranges of each class.
//!
//! The classes of `phi-coalesce`, each of which becomes a register of the text, and the webs of the linear-scan
//! allocator, each of which gets a register or slot of the processor, are made here.
//!
//! # Algorithm
//!
//! 1. Each value is a class of its own, with a sorted list of ranges in an arena.
//! 2. Two classes are joined unless a range of one and a range of the other, which do not [agree](LiveRange::agrees),
//!    have a position in common. All ranges of both classes are compared, not only the ranges of two values: else the
//!    swap problem and the lost copy problem come back.
//! 3. The ranges of a growing class are kept as *runs*, each sorted, of which each is more than twice as long as the
//!    next. A new run is merged with its neighbours until this holds again.
//!
//! # Cost
//!
//! A class of n ranges costs n log n, not n squared (for a phi with as many operands as blocks that is the difference
//! between seconds and hours): two runs are merged if the longer one is at most twice as long as the shorter. After
//! that, each range is in a run that is longer by a constant factor, unless a constant fraction of the ranges has been
//! joined with others.
//!
//! Comparing gallops through the longer list. Classes only grow, so two that clash do so forever: pairs of long lists
//! that clashed are remembered by their roots, and n copies between two classes compare them once. A class that becomes
//! part of a larger one loses its root and is compared again, which happens to each value log n times.
//!
//! # Source
//!
//! Document S4 (Wiegmans, "Register Allocator Update", 2017) joins phis and their operands by union-find. Union-find:
//! R. E. Tarjan, "Efficiency of a Good But Not Linear Set Union Algorithm", JACM 22, 1975. Runs: J. L. Bentley, J. B.
//! Saxe, "Decomposable searching problems I", J. Algorithms 1, 1980 (the logarithmic method).

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A half-open range of positions in which something is live, never empty.
pub trait LiveRange: Copy {
    /// Returns the first position.
    fn start(&self) -> u32;
    /// Returns the position after the last one.
    fn end(&self) -> u32;
    /// True if one class may have both ranges, although they have positions in common.
    fn agrees(&self, other: &Self) -> bool;
    /// Prolongs the range by one that starts no earlier, if the two touch and are of one kind. Returns whether it did.
    fn extend(&mut self, next: Self) -> bool;
}

/// A slice of the arena of ranges: from, to.
pub type Slice = (u32, u32);

/// The runs of a class, the longest first.
type Runs = SmallVec<[Slice; 2]>;

/// No index.
const NONE: u32 = u32::MAX;

/// Clashes of lists longer than this are remembered. Shorter ones are compared faster than the table answers.
const LONG: u32 = 32;

/// A partition of the values 0 to n - 1. Its memory is kept for the next one.
#[derive(Default, Debug)]
pub struct RangeClasses {
    parent: Vec<u32>,
    size: Vec<u32>,
    /// For each root of several values an index into `runs`: the runs of its ranges, as slices of the arena.
    runs_of: Vec<u32>,
    runs: Vec<Runs>,
    /// For pairs of roots, the larger class first, whose ranges are many: two ranges that clash, by their indices.
    clashes: FxHashMap<(u32, u32), (u32, u32)>,
}

impl RangeClasses {
    /// Makes each of this many values a class of its own.
    pub fn reset(&mut self, n: u32) {
        self.parent.clear();
        self.parent.extend(0..n);
        self.size.clear();
        self.size.resize(n as usize, 1);
        self.runs.clear();
        self.runs_of.clear();
        self.runs_of.resize(n as usize, NONE);
        self.clashes.clear();
    }
    /// Returns the root of the class of a value.
    #[inline]
    pub fn find(&mut self, mut v: u32) -> u32 {
        while self.parent[v as usize] != v {
            let up = self.parent[self.parent[v as usize] as usize];
            self.parent[v as usize] = up;
            v = up;
        }
        v
    }
    /// True if a value is the root of its class.
    #[inline]
    pub fn is_root(&self, v: u32) -> bool {
        self.parent[v as usize] == v
    }
    /// Returns the number of values in the class of a root.
    #[inline]
    pub fn size(&self, root: u32) -> u32 {
        self.size[root as usize]
    }
    /// Joins the classes of two roots, which are not the same. `own` has the ranges of each single value.
    ///
    /// # Errors
    /// Two ranges, one of each class, that overlap and do not agree; the classes are not joined.
    pub fn try_join<R: LiveRange>(
        &mut self,
        (a, b): (u32, u32),
        own: &[Slice],
        ranges: &mut Vec<R>,
    ) -> Result<(), (R, R)> {
        let (big, small) = if self.size[a as usize] >= self.size[b as usize] { (a, b) } else { (b, a) };
        let (mut runs, moved) = (self.runs(big, own), self.runs(small, own));
        if let Some((r, s)) = self.clash((big, small), (&moved, &runs), ranges) {
            return Err((ranges[r as usize], ranges[s as usize]));
        }
        self.parent[small as usize] = big;
        self.size[big as usize] += self.size[small as usize];
        for run in moved {
            add_run(ranges, &mut runs, run);
        }
        match self.runs.get_mut(self.runs_of[big as usize] as usize) {
            Some(old) => *old = runs,
            None => {
                self.runs_of[big as usize] = self.runs.len() as u32;
                self.runs.push(runs);
            }
        }
        Ok(())
    }
    /// Returns the ranges of the class of a root as one sorted list.
    pub fn ranges_of<R: LiveRange>(&self, root: u32, own: &[Slice], ranges: &mut Vec<R>) -> Slice {
        let mut runs = self.runs(root, own);
        while let [.., a, b] = runs[..] {
            runs.truncate(runs.len() - 2);
            runs.push(merge(ranges, a, b));
        }
        runs[0]
    }
    /// Returns two ranges that clash, one of each class, as indices of the arena.
    fn clash<R: LiveRange>(
        &mut self,
        roots: (u32, u32),
        (moved, kept): (&Runs, &Runs),
        ranges: &[R],
    ) -> Option<(u32, u32)> {
        let len = |runs: &Runs| runs.iter().map(|r| r.1 - r.0).sum::<u32>();
        let are_long = || len(moved).min(len(kept)) > LONG;
        if !self.clashes.is_empty()
            && are_long()
            && let Some(clash) = self.clashes.get(&roots)
        {
            return Some(*clash);
        }
        let mut pairs = moved.iter().flat_map(|r| kept.iter().map(move |s| (*r, *s)));
        let found = pairs.find_map(|(r, s)| first_clash(ranges, r, s))?;
        if are_long() {
            self.clashes.insert(roots, found);
        }
        Some(found)
    }
    fn runs(&self, root: u32, own: &[Slice]) -> Runs {
        match self.runs.get(self.runs_of[root as usize] as usize) {
            Some(runs) => runs.clone(),
            None => Runs::from_slice(&[own[root as usize]]),
        }
    }
}

/// Returns the first range of the shorter of two sorted lists that clashes with the other list, and the range that it
/// clashes with, as indices of the arena. Ranges clash if they have a position in common and do not agree.
fn first_clash<R: LiveRange>(ranges: &[R], a: Slice, b: Slice) -> Option<(u32, u32)> {
    let (few, many) = if a.1 - a.0 <= b.1 - b.0 { (a, b) } else { (b, a) };
    let mut from = many.0;
    for k in few.0..few.1 {
        let r = &ranges[k as usize];
        let rest = &ranges[from as usize..many.1 as usize];
        // Gallop, then bisect: consecutive ranges are mostly near.
        let mut step = 1;
        while step < rest.len() && rest[step].end() <= r.start() {
            step *= 2;
        }
        let bound = rest.len().min(step + 1);
        let skip = rest[..bound].partition_point(|m| m.end() <= r.start());
        from += skip as u32;
        if skip == rest.len() {
            return None;
        }
        let mut meets = rest[skip..].iter().take_while(|m| m.start() < r.end());
        if let Some(n) = meets.position(|m| !r.agrees(m)) {
            return Some((k, from + n as u32));
        }
    }
    None
}

/// Inserts a run into the list of a class, and merges runs until each is more than twice as long as the next. All
/// neighbours are compared, not the last two alone: a merged run may be no longer than one of its parts if their ranges
/// touch, and the run of a value that is never live is empty.
fn add_run<R: LiveRange>(ranges: &mut Vec<R>, runs: &mut Runs, run: Slice) {
    let len = |r: &Slice| r.1 - r.0;
    let insert = |runs: &mut Runs, run: Slice| runs.insert(runs.partition_point(|r| len(r) > len(&run)), run);
    insert(runs, run);
    while let Some(k) = (1..runs.len()).rfind(|k| len(&runs[k - 1]) <= 2 * len(&runs[*k])) {
        let merged = merge(ranges, runs[k - 1], runs[k]);
        runs.drain(k - 1..=k);
        insert(runs, merged);
    }
}

/// Appends the union of two runs to the arena.
fn merge<R: LiveRange>(ranges: &mut Vec<R>, a: Slice, b: Slice) -> Slice {
    let at = ranges.len() as u32;
    let (mut i, mut j) = (a.0, b.0);
    while i < a.1 || j < b.1 {
        let from_a = j == b.1 || i < a.1 && ranges[i as usize].start() < ranges[j as usize].start();
        let next = if from_a { &mut i } else { &mut j };
        let r = ranges[*next as usize];
        *next += 1;
        append(ranges, at, r);
    }
    (at, ranges.len() as u32)
}

/// Appends a range to the ranges from `from` on, which start no later. It prolongs the last one if possible.
#[inline]
pub fn append<R: LiveRange>(ranges: &mut Vec<R>, from: u32, r: R) {
    let joined = ranges.len() > from as usize && ranges.last_mut().is_some_and(|last| last.extend(r));
    if !joined {
        ranges.push(r);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A range in which a register holds this value.
    #[derive(Copy, Clone, PartialEq, Eq, Debug)]
    struct Held(u32, u32, char);

    impl LiveRange for Held {
        fn start(&self) -> u32 {
            self.0
        }
        fn end(&self) -> u32 {
            self.1
        }
        fn agrees(&self, other: &Held) -> bool {
            self.2 == other.2
        }
        fn extend(&mut self, next: Held) -> bool {
            let extends = self.1 >= next.0 && self.2 == next.2;
            self.1 = if extends { self.1.max(next.1) } else { self.1 };
            extends
        }
    }

    /// Returns the classes of values with these ranges.
    fn classes(values: &[&[Held]]) -> (RangeClasses, Vec<Slice>, Vec<Held>) {
        let (mut all, mut own, mut ranges) = (RangeClasses::default(), Vec::new(), Vec::new());
        for value in values {
            let from = ranges.len() as u32;
            ranges.extend_from_slice(value);
            own.push((from, ranges.len() as u32));
        }
        all.reset(values.len() as u32);
        (all, own, ranges)
    }

    #[test]
    fn overlapping_ranges_are_joined_only_if_they_agree() {
        let values: [&[Held]; 4] =
            [&[Held(0, 4, 'a'), Held(8, 12, 'b')], &[Held(2, 6, 'a')], &[Held(4, 8, 'c')], &[Held(6, 8, 'd')]];
        let (mut all, own, mut ranges) = classes(&values);
        assert_eq!(all.try_join((0, 1), &own, &mut ranges), Ok(()));
        let root = all.find(1);
        // The third value meets a range of the second one, and not of the first.
        assert_eq!(all.try_join((root, 2), &own, &mut ranges), Err((Held(4, 8, 'c'), Held(0, 6, 'a'))));
        assert_eq!(all.try_join((root, 3), &own, &mut ranges), Ok(()));
        let root = all.find(3);
        let (from, to) = all.ranges_of(root, &own, &mut ranges);
        assert_eq!(ranges[from as usize..to as usize], [Held(0, 6, 'a'), Held(6, 8, 'd'), Held(8, 12, 'b')]);
        assert_eq!((all.size(root), all.is_root(2), all.find(0) == all.find(3)), (3, true, true));
    }

    /// Each run is more than twice as long as the next, whatever the lengths of the runs that are added.
    #[test]
    fn a_class_has_few_runs() {
        // Equal lengths in the middle of the list, ranges that touch, and values that are never live.
        let lengths = [100, 60, 60, 60, 1, 0, 1, 1, 0, 0, 30, 30, 1, 1, 1, 60, 60];
        let mut at = 0;
        let mut next = |n: u32| {
            at += n + 1;
            (0..n).map(|k| Held(2 * (at + k), 2 * (at + k) + 1 + k % 2, 'x')).collect::<Vec<Held>>()
        };
        let values: Vec<Vec<Held>> = lengths.iter().cycle().take(3000).map(|n| next(*n)).collect();
        let (mut all, own, mut ranges) = classes(&values.iter().map(Vec::as_slice).collect::<Vec<_>>());
        for v in 1..values.len() as u32 {
            let roots = (all.find(0), all.find(v));
            assert_eq!(all.try_join(roots, &own, &mut ranges), Ok(()));
            let root = all.find(0);
            let runs = all.runs(root, &own);
            assert!(runs.windows(2).all(|pair| pair[0].1 - pair[0].0 > 2 * (pair[1].1 - pair[1].0)), "{runs:?}");
        }
    }
    /// Against the definition, on random ranges.
    #[test]
    fn classes_are_those_of_the_definition() {
        const VALUES: u32 = 30;
        for seed in 0..300 {
            let mut random = Random(seed);
            let values: Vec<Vec<Held>> = (0..VALUES).map(|_| random.ranges()).collect();
            let (mut all, own, mut ranges) = classes(&values.iter().map(Vec::as_slice).collect::<Vec<_>>());
            let mut class_of: Vec<u32> = (0..VALUES).collect();
            for _ in 0..120 {
                let (v, w) = (random.below(VALUES), random.below(VALUES));
                let (a, b) = (all.find(v), all.find(w));
                let (x, y) = (class_of[v as usize], class_of[w as usize]);
                assert_eq!(a == b, x == y, "seed {seed}");
                if a == b {
                    continue;
                }
                let of = |class: u32| -> Vec<Held> {
                    let members = (0..values.len()).filter(|k| class_of[*k] == class);
                    members.flat_map(|k| values[k].iter().copied()).collect()
                };
                let (one, other) = (of(x), of(y));
                let meets = one.iter().any(|r| other.iter().any(|s| r.0 < s.1 && s.0 < r.1 && r.2 != s.2));
                assert_eq!(all.try_join((a, b), &own, &mut ranges).is_err(), meets, "seed {seed}");
                if !meets {
                    class_of.iter_mut().filter(|class| **class == y).for_each(|class| *class = x);
                }
            }
        }
    }

    /// Knuth's linear congruential generator.
    struct Random(u64);

    impl Random {
        fn below(&mut self, n: u32) -> u32 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as u32 % n
        }
        /// Some ranges, far apart mostly.
        fn ranges(&mut self) -> Vec<Held> {
            let mut at = self.below(20);
            let mut next = || {
                let from = at + 1 + self.below(60);
                at = from + 1 + self.below(3);
                Held(from, at, ['x', 'y', 'z'][self.below(3) as usize])
            };
            vec![next(), next(), next()]
        }
    }
}
