//! Step 2: stores that others overwrite on every way on, before anybody looks.
//!
//! # Across blocks
//!
//! At the end of a block the list is what the lists at the tops of all successors have in common; empty at the end of
//! the function, and where an edge goes back: there a loop may be endless. The blocks on the ways to the writes in the
//! list stand in reverse postorder, so none is passed twice, and registers hold the same values everywhere on the way.

use super::{View, is_plain_write};
use crate::analysis::alias::{Location, Mode, Overlap, Relation};
use crate::remarks::Remarks;
use lir_syntax::ir::{Block, Function, Inst, SecondaryMap};

/// Places that are kept in mind in a block; the nearest ones. Chosen so that an aggregate's fields fit.
const MAX_PLACES: usize = 16;
/// Places that are kept in mind from block to block: the memory that they take is this times the blocks.
const MAX_PLACES_ACROSS: usize = 8;

/// A place that is written below.
#[derive(Copy, Clone)]
struct Written {
    by: Inst,
    place: Location,
    /// Whether writing there cannot trap.
    writable: bool,
}

/// The tables of the step.
#[derive(Default)]
pub(super) struct Overwritten {
    /// The places at this point of the walk, the nearest last.
    written: Vec<Written>,
    /// The writes at the top of each block, as a range of `kept`.
    at_top: SecondaryMap<Block, (u32, u32)>,
    kept: Vec<Inst>,
    /// Where the next list is made.
    common: Vec<Written>,
}

impl Overwritten {
    /// Removes the stores that are overwritten. Returns how many.
    pub fn remove(&mut self, f: &mut Function, view: &View<'_>, remarks: &mut Remarks) -> u64 {
        self.at_top.reset(f.num_blocks());
        self.kept.clear();
        let mut removed = 0;
        for &b in view.facts.cfg.rpo().iter().rev() {
            self.meet(f, view, b);
            let mut next = f.layout().last_inst(b);
            while let Some(i) = next {
                next = f.layout().prev_inst(i);
                if let Some(by) = self.is_overwritten(f, view, i) {
                    remarks.done(f, i, "dead-store", |m| {
                        m.text("is overwritten before anybody looks").line_of(by);
                    });
                    if !view.is_writable(&view.place(f, i)) {
                        // Where it would have trapped the other one does, and says that it was here.
                        f.set_loc(by, f.loc_of(i));
                    }
                    f.remove_inst(i);
                    removed += 1;
                } else if !f.inst(i).op.effects().is_pure() {
                    self.pass(f, view, i);
                }
            }
            let first = self.kept.len();
            // One that may trap takes over the place in the source of the store that it overwrites: it is in the same
            // block.
            self.written.retain(|w| w.writable);
            let near = self.written.len().saturating_sub(MAX_PLACES_ACROSS);
            self.kept.extend(self.written[near..].iter().map(|w| w.by));
            self.at_top[b] = (first as u32, self.kept.len() as u32);
        }
        removed
    }
    /// Sets the list to that at the end of a block.
    fn meet(&mut self, f: &Function, view: &View<'_>, b: Block) {
        self.written.clear();
        let cfg = view.facts.cfg;
        let succs = f.succs(b);
        if succs.iter().any(|s| cfg.rpo_index(*s) <= cfg.rpo_index(b)) {
            return;
        }
        let Some((&first, others)) = succs.split_first() else { return };
        let (start, end) = self.at_top[first];
        let top = &self.kept[start as usize..end as usize];
        self.written.extend(top.iter().map(|i| Written::by(f, view, *i)));
        for &s in others.iter().filter(|s| **s != first) {
            if self.written.is_empty() {
                break;
            }
            self.intersect(f, view, s);
        }
    }
    /// Leaves in the list what is overwritten at the top of another block, too.
    fn intersect(&mut self, f: &Function, view: &View<'_>, other: Block) {
        let (first, end) = self.at_top[other];
        self.common.clear();
        for k in first..end {
            let w = Written::by(f, view, self.kept[k as usize]);
            if self.written.iter().any(|mine| mine.overwrites(view, &w.place)) {
                self.common.push(w);
            } else {
                self.common.extend(self.written.iter().filter(|mine| w.overwrites(view, &mine.place)));
            }
        }
        self.common.truncate(MAX_PLACES);
        std::mem::swap(&mut self.written, &mut self.common);
    }
    /// The last write that overwrites a store, where its whole place is overwritten.
    fn is_overwritten(&self, f: &Function, view: &View<'_>, i: Inst) -> Option<Inst> {
        if self.written.is_empty() || !is_plain_write(f, i) || !view.copies_safely(f, i) {
            return None;
        }
        let place = view.place(f, i);
        if let Some(w) = self.written.iter().rev().find(|w| w.overwrites(view, &place)) {
            return Some(w.by);
        }
        self.overwrite_together(view, &place)
    }
    /// The same for several writes together. They take no part where they may trap: then the bytes of one may be there
    /// and those of the next not.
    fn overwrite_together(&self, view: &View<'_>, place: &Location) -> Option<Inst> {
        let (start, size) = (place.offset?, i64::try_from(place.size?).ok()?);
        if size == 0 || !view.is_writable(place) {
            return None;
        }
        // What the place has and the writes have not begins here, from its first byte.
        let mut from = 0;
        let mut last = None;
        loop {
            let reached = |w: &Written| {
                let same = w.place.root == place.root && w.place.index == place.index;
                let at = w.place.offset.filter(|_| same)?.wrapping_sub(start);
                let end = at.checked_add(i64::try_from(w.place.size?).ok()?)?;
                (at <= from && end > from).then_some((end, w.by))
            };
            let (end, by) = self.written.iter().filter_map(reached).max_by_key(|(end, _)| *end)?;
            (from, last) = (end, last.or(Some(by)));
            if from >= size {
                return last;
            }
        }
    }
    /// Goes up over an instruction.
    fn pass(&mut self, f: &Function, view: &View<'_>, i: Inst) {
        if !self.written.is_empty() {
            self.pass_sight(f, view, i);
        }
        if is_plain_write(f, i) {
            self.add(f, view, i);
        }
        // What is written is written after what is read.
        if !self.written.is_empty() {
            let alias = view.facts.alias;
            alias.for_each_access(view.decls, f, i, |mode, access| {
                if mode == Mode::Read {
                    self.written.retain(|w| alias.relation(view.decls, &access, &w.place) == Relation::No);
                }
            });
        }
    }
    /// Goes up over what else can be seen of an instruction than what it reads.
    fn pass_sight(&mut self, f: &Function, view: &View<'_>, i: Inst) {
        let alias = view.facts.alias;
        if view.lets_others_look(f, i) {
            self.written.retain(|w| !alias.is_visible(&w.place));
        }
        alias.for_each_access(view.decls, f, i, |mode, access| {
            // A store that may trap is to trap before anything else is written that can be seen.
            if mode == Mode::Write && alias.is_visible(&access) {
                self.written.retain(|w| w.writable);
            }
        });
    }
    fn add(&mut self, f: &Function, view: &View<'_>, i: Inst) {
        let new = Written::by(f, view, i);
        let known = new.place.offset.is_some() && new.place.size.is_some();
        // One that traps before it writes overwrites nothing that can be seen then.
        if known && (view.copies_safely(f, i) || !view.facts.alias.is_visible(&new.place)) {
            if self.written.len() == MAX_PLACES {
                self.written.remove(0);
            }
            self.written.push(new);
        }
    }
}

impl Written {
    fn by(f: &Function, view: &View<'_>, by: Inst) -> Written {
        let place = view.place(f, by);
        Written { by, place, writable: view.is_writable(&place) }
    }
    /// Whether this write alone overwrites a place. Where it may trap it must be of just this place, so that it traps
    /// exactly where the store would have.
    fn overwrites(&self, view: &View<'_>, place: &Location) -> bool {
        let relation = view.facts.alias.relation(view.decls, &self.place, place);
        if self.writable { relation.covers() } else { relation == Relation::Must(Overlap::Same) }
    }
}
