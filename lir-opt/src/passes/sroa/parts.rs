//! Steps 3 to 6 of [`sroa`](super): finds the bytes that belong together, and the parts that become registers.

use super::classes::{Classes, Joined};
use super::slices::{Kind, Slice, Slices};
use crate::passes::sroa::events::Event;
use lir_syntax::ir::{Function, Obj, PackedOption, SecondaryMap, Type};
use std::ops::Range;

/// Bytes `start..end` of an object that are accessed together.
#[derive(Copy, Clone)]
pub(super) struct ObjectPart {
    pub(super) start: u32,
    pub(super) end: u32,
    /// The node of the first byte.
    node: u32,
    /// The reason it cannot be a register, if there is one.
    unfit: Option<Event<'static>>,
    /// The type of the register, once it is chosen.
    pub(super) ty: Type,
    /// The variable that takes its place, a stack object for `mem2reg`.
    pub(super) variable: PackedOption<Obj>,
}

impl ObjectPart {
    pub(super) fn bytes(&self) -> u32 {
        self.end - self.start
    }
}

/// The parts of all objects that can be split, with the data that they are found from.
#[derive(Default)]
pub(super) struct PartMap {
    /// Object by object, by ascending offsets.
    parts: Vec<ObjectPart>,
    /// The range of each object in `parts`; empty for others.
    of: SecondaryMap<Obj, (u32, u32)>,
    classes: Classes,
    /// The node of the first byte of each slice in [`Slices::slices`].
    node_of: Vec<u32>,
    /// Slices with nodes, to be sorted: object, start, end, index.
    order: Vec<(u32, u32, u32, u32)>,
    /// Bytes with nodes that adjoin: object, start, end, first node; in the order of `order`.
    extents: Vec<(Obj, u32, u32, u32)>,
    /// Pinned bytes: object, start, end.
    pins: Vec<(u32, u32, u32)>,
    /// Number of accesses of a kind that begin, less the accesses that end, at each part.
    steps: Vec<i32>,
    /// True for each slice that is the source of a copy between parts.
    second_ends: Vec<bool>,
}

impl PartMap {
    /// Steps 3 to 5. The types and variables of the parts are not chosen yet.
    pub(super) fn find(&mut self, f: &Function, slices: &Slices) {
        self.give_nodes(slices);
        self.join(f, slices);
        self.fill_gaps();
        self.cut(f);
        self.pin(slices);
        self.measure(f, slices);
    }
    /// Returns the parts of an object that overlap some of its bytes.
    pub(super) fn overlapping(&self, o: Obj, start: u32, end: u32) -> Range<usize> {
        let (first, last) = self.of[o];
        let parts = &self.parts[first as usize..last as usize];
        let from = parts.partition_point(|p| p.end <= start);
        let to = from + parts[from..].partition_point(|p| p.start < end);
        first as usize + from..first as usize + to
    }
    pub(super) fn all_of(&self, o: Obj) -> Range<usize> {
        let (first, last) = self.of[o];
        first as usize..last as usize
    }
    pub(super) fn get(&self, k: usize) -> ObjectPart {
        self.parts[k]
    }
    pub(super) fn set_variable(&mut self, k: usize, ty: Type, variable: Obj) {
        self.parts[k].ty = ty;
        self.parts[k].variable = variable.into();
    }

    /// Step 3: a node for each byte of a load, store or small copy.
    fn give_nodes(&mut self, slices: &Slices) {
        let (mut order, mut num_nodes) = (std::mem::take(&mut self.order), 0);
        order.clear();
        let with_nodes =
            slices.slices.iter().enumerate().filter(|(_, s)| has_nodes(s.kind) && slices.is_candidate(s.obj));
        order.extend(with_nodes.map(|(k, s)| (s.obj.as_u32(), s.start, s.end, k as u32)));
        order.sort_unstable();
        self.node_of.clear();
        self.node_of.resize(slices.slices.len(), u32::MAX);
        self.extents.clear();
        for &(o, start, end, k) in &order {
            let o = Obj::from_u32(o);
            match self.extents.last_mut() {
                Some(last) if last.0 == o && start < last.2 => {
                    num_nodes += end.saturating_sub(last.2);
                    last.2 = last.2.max(end);
                }
                _ => {
                    self.extents.push((o, start, end, num_nodes));
                    num_nodes += end - start;
                }
            }
            let extent = self.extents.last().expect("one was just pushed or found");
            self.node_of[k as usize] = extent.3 + (start - extent.1);
        }
        self.classes.reset(num_nodes as usize);
        self.order = order;
    }
    /// Step 4: bytes that are accessed at once belong together, and so do the bytes that are copied from and to them.
    fn join(&mut self, f: &Function, slices: &Slices) {
        for (k, s) in slices.slices.iter().enumerate() {
            let node = self.node_of[k];
            if node != u32::MAX && matches!(s.kind, Kind::Load | Kind::Store) {
                let is_float = f.inst(s.inst).ty.is_float();
                self.classes.access(node, s.end - s.start, is_float);
            }
        }
        for k in 1..slices.slices.len() {
            if let Some((to, from, n)) = self.both_ends(slices, k) {
                self.classes.copy(to, from, n);
            }
        }
    }
    /// Returns the first nodes and the size of a copy between slices `k - 1` and `k`. None unless both have nodes.
    fn both_ends(&self, slices: &Slices, k: usize) -> Option<(u32, u32, u32)> {
        let (to, from) = (slices.slices[k - 1], slices.slices[k]);
        let (a, b) = (self.node_of[k - 1], self.node_of[k]);
        let is_copy = to.kind == Kind::CopyTo && from.kind == Kind::CopyFrom && to.inst == from.inst;
        (is_copy && a != u32::MAX && b != u32::MAX).then_some((a, b, to.end - to.start))
    }
    /// Step 4, bytes that are only copied: in words of up to 8 bytes, aligned in the object.
    fn fill_gaps(&mut self) {
        for &(_, start, end, node) in &self.extents {
            let mut at = start;
            while at < end {
                let here = node + (at - start);
                if self.classes.is_accessed(here) {
                    at += 1;
                    continue;
                }
                let room =
                    (1..8).take_while(|n| at + n < end && !self.classes.is_accessed(here + n)).count() as u32 + 1;
                let aligned = if at == 0 { 8 } else { 1 << at.trailing_zeros().min(3) };
                let n = (1 << room.ilog2()).min(aligned);
                self.classes.fill(here, n);
                at += n;
            }
        }
    }
    /// Step 5: parts are the longest runs of bytes that are joined.
    fn cut(&mut self, f: &Function) {
        self.parts.clear();
        self.of.reset(f.stack.len());
        for k in 0..self.extents.len() {
            let (o, start, end, node) = self.extents[k];
            if k == 0 || self.extents[k - 1].0 != o {
                self.of[o].0 = self.parts.len() as u32;
            }
            let mut first = start;
            for at in start + 1..=end {
                if at < end && self.classes.is_joined(node + (at - start)) {
                    continue;
                }
                let unfit = if matches!(at - first, 1 | 2 | 4 | 8) { None } else { Some(Event::NoSuchRegister) };
                let node = node + (first - start);
                self.parts.push(ObjectPart { start: first, end: at, node, unfit, ty: Type::I8, variable: None.into() });
                first = at;
            }
            self.of[o].1 = self.parts.len() as u32;
        }
    }
    /// Step 5: parts with bytes of volatile accesses and large copies stay.
    fn pin(&mut self, slices: &Slices) {
        self.pins.clear();
        let pinned = slices.slices.iter().filter(|s| s.kind == Kind::Pin);
        self.pins.extend(pinned.map(|s| (s.obj.as_u32(), s.start, s.end)));
        self.pins.sort_unstable();
        // Bytes up to `done` of object `of` were seen to.
        let (mut of, mut done) = (u32::MAX, 0);
        for k in 0..self.pins.len() {
            let (o, start, end) = self.pins[k];
            if o != of {
                (of, done) = (o, 0);
            }
            if end > done {
                for p in self.overlapping(Obj::from_u32(o), start.max(done), end) {
                    self.parts[p].unfit = Some(Event::Pinned);
                }
                done = end;
            }
        }
    }
    /// Step 6: notes with each class how its bytes are accessed.
    fn measure(&mut self, f: &Function, slices: &Slices) {
        for s in &slices.slices {
            if s.kind == Kind::Pin || !slices.is_candidate(s.obj) {
                continue;
            }
            let parts = self.overlapping(s.obj, s.start, s.end);
            if matches!(s.kind, Kind::Load | Kind::Store) {
                let node = self.parts[parts.start].node;
                self.classes.of_mut(node).scalars += 1;
            }
            if !matches!(s.kind, Kind::AggRead | Kind::AggWrite) {
                // The parts between the first and the last are covered.
                for p in [parts.start, parts.end.max(1) - 1] {
                    if parts.contains(&p) {
                        self.note_cover(p, *s);
                    }
                }
            }
        }
        let passed = |s: &Slice| matches!(s.kind, Kind::AggRead | Kind::AggWrite);
        let parameters: Vec<Obj> = f.stack_objects().filter(|(_, o)| o.is_param).map(|(o, _)| o).collect();
        self.count(slices, |_, s| passed(s), &parameters, |joined, n| joined.passed += n);
        let mut second_ends = std::mem::take(&mut self.second_ends);
        second_ends.clear();
        second_ends.extend((0..slices.slices.len()).map(|k| k > 0 && self.both_ends(slices, k).is_some()));
        second_ends.push(false);
        let copied = |s: &Slice| matches!(s.kind, Kind::CopyTo | Kind::CopyFrom);
        self.count(slices, |k, _| second_ends[k], &[], |joined, n| joined.copied += n);
        let moved = |k: usize, s: &Slice| copied(s) && !second_ends[k] && !second_ends[k + 1];
        self.count(slices, moved, &[], |joined, n| joined.moved += n);
        self.second_ends = second_ends;
    }
    /// Notes that an access covers a part, or some of it.
    fn note_cover(&mut self, p: usize, s: Slice) {
        let part = &mut self.parts[p];
        let bytes = s.end.min(part.end) - s.start.max(part.start);
        if bytes < part.bytes() {
            if !bytes.is_power_of_two() {
                part.unfit.get_or_insert(Event::PieceOf(bytes));
            }
            let node = part.node;
            self.classes.of_mut(node).in_pieces = true;
        }
    }
    /// Adds up the slices of a kind, and `whole` objects, that overlap each part. Notes the sum with its class. Linear,
    /// however many parts a slice overlaps.
    fn count(
        &mut self,
        slices: &Slices,
        counts: impl Fn(usize, &Slice) -> bool,
        whole: &[Obj],
        mut note: impl FnMut(&mut Joined, u32),
    ) {
        self.steps.clear();
        self.steps.resize(self.parts.len() + 1, 0);
        for (k, s) in slices.slices.iter().enumerate() {
            if counts(k, s) {
                let parts = self.overlapping(s.obj, s.start, s.end);
                self.steps[parts.start] += 1;
                self.steps[parts.end] -= 1;
            }
        }
        for &o in whole {
            let parts = self.all_of(o);
            self.steps[parts.start] += 1;
            self.steps[parts.end] -= 1;
        }
        let mut n = 0;
        for (part, step) in self.parts.iter().zip(&self.steps) {
            n += step;
            note(self.classes.of_mut(part.node), n as u32);
        }
    }
    /// Step 6: the type of the register that a part becomes.
    ///
    /// # Errors
    /// Why it stays in memory.
    pub(super) fn register(&mut self, k: usize) -> Result<Type, Event<'static>> {
        let part = self.parts[k];
        if let Some(why) = part.unfit {
            return Err(why);
        }
        let joined = *self.classes.of_mut(part.node);
        let (saved, paid) = joined.balance(part.bytes());
        if saved <= paid {
            return Err(Event::NotPaying(saved, paid));
        }
        let float = joined.float && !joined.in_pieces;
        Ok(match (part.bytes(), float) {
            (1, _) => Type::I8,
            (2, _) => Type::I16,
            (4, false) => Type::I32,
            (4, true) => Type::F32,
            (_, false) => Type::I64,
            (_, true) => Type::F64,
        })
    }
}

fn has_nodes(kind: Kind) -> bool {
    match kind {
        Kind::Load | Kind::Store | Kind::CopyTo | Kind::CopyFrom => true,
        Kind::Pin | Kind::Fill | Kind::AggRead | Kind::AggWrite => false,
    }
}
