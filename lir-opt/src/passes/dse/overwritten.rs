//! Step 2: stores that others overwrite on every path from there, before they are observed.
//!
//! # Stores that may trap
//!
//! If a store through a plain pointer is removed, the overwriting stores trap in its place, and it must not be
//! observable that the removed store did not trap first. All bytes of an object may be written or none, and a store
//! stays inside of its object: otherwise the program is in error. So of the stores that write parts of the same
//! location the first one traps if the removed one would have, and the others write nothing where it does not. It takes
//! over the position in the source. A write to other memory in between would be visible although the trap should have
//! come first: so an entry of the list, whose write may trap, knows the writes before it ([`Written::span`]), and
//! overwrites only a location that contains these. A wider store does not overwrite a narrower one: it may leave the
//! object where the narrower one did not.
//!
//! # Across blocks
//!
//! At the end of a block the list has the common entries of the lists at the tops of all successors; it is empty at the
//! end of the function, and at back edges: there a loop may be endless. Without such edges the blocks on the paths to
//! the writes in the list are in reverse postorder, so none is passed twice, and registers hold the same values
//! everywhere on the path.
//!
//! For a back edge to the header of a loop that ends by [`CountedLoops`], as do the loops inside of it, the list has
//! the locations written after the loop by whichever edge it is left. It lacks the locations that the loop may read,
//! all visible locations if an instruction of the loop may not return, and the locations with registers that are
//! assigned in the loop. Each of the others is written after the loop on every path that enters or leaves it.

use super::{View, is_plain_write};
use crate::analysis::alias::{Location, Mode, Overlap, Relation, Root};
use crate::analysis::loops::counted::CountedLoops;
use crate::pass::remarks::{At, Remarks};
use crate::passes::dse::events::Event;
use lir_syntax::ir::{Block, Function, Inst, PackedOption, SecondaryMap};

/// Number of locations that are remembered in a block, the nearest ones. It is chosen so that the fields of an
/// aggregate fit.
const MAX_LOCATIONS: usize = 16;
/// Number of locations that are remembered from block to block: their memory is this times the number of blocks.
const MAX_LOCATIONS_ACROSS: usize = 8;
/// Limits on the blocks and instructions of a loop to list its back edges.
const MAX_LOOP_BLOCKS: usize = 64;
const MAX_LOOP_INSTS: usize = 1000;

/// A location that is written below.
#[derive(Copy, Clone)]
struct Written {
    by: Inst,
    location: Location,
    /// True if writing there cannot trap.
    writable: bool,
    /// If the write may trap: the offsets of all visible bytes, of the same root and index, that are written from here
    /// up to and including it.
    span: (i64, i64),
}

/// Scratch memory of the step, kept from function to function.
#[derive(Default)]
pub(super) struct Overwritten {
    /// The locations at this point of the walk, the nearest last.
    written: Vec<Written>,
    /// The writes at the top of each block, as a range of `kept`.
    at_top: SecondaryMap<Block, (u32, u32)>,
    kept: Vec<Inst>,
    /// The memory in which the next list is made.
    common: Vec<Written>,
    loops: Loops,
}

/// The facts about loops, once they are needed.
#[derive(Default)]
struct Loops {
    known: bool,
    counted: CountedLoops,
    /// The list of each header's back edges, as a range of `kept`, if found.
    at_back_edges: SecondaryMap<Block, Option<(u32, u32)>>,
    /// The header of the loop that each block was last found to be in.
    found_for: SecondaryMap<Block, PackedOption<Block>>,
    /// The blocks of the current loop, and the targets of its exit edges.
    blocks: Vec<Block>,
    exits: Vec<Block>,
}

impl Overwritten {
    /// Removes the stores that are overwritten. Returns their number.
    pub fn remove(&mut self, f: &mut Function, view: &View<'_>, remarks: &mut Remarks) -> u64 {
        self.at_top.reset(f.num_blocks());
        self.kept.clear();
        self.loops.known = false;
        let mut removed = 0;
        for &b in view.facts.cfg.rpo().iter().rev() {
            self.meet(f, view, b);
            let mut next = f.layout().last_inst(b);
            while let Some(i) = next {
                next = f.layout().prev_inst(i);
                if let Some(by) = self.is_overwritten(f, view, i) {
                    remarks.done(f, i, Event::Overwritten(At(by)));
                    let location = view.location(f, i);
                    if !view.is_writable(&location) {
                        // If the removed store would have trapped, the next one traps, and reports this position.
                        let heir = self.written.iter().rev().find(|w| w.is_part_of(&location)).map_or(by, |w| w.by);
                        f.set_loc(heir, f.debug_loc(i));
                    }
                    if let Root::Object(o) = location.root {
                        f.note_stale(o);
                    }
                    f.remove_inst(i);
                    removed += 1;
                } else if !f.inst(i).op.effects().is_pure() {
                    self.pass(f, view, i);
                }
            }
            // A write that may trap takes over the source position of the store that it overwrites, which must be in
            // the same block.
            self.written.retain(|w| w.writable);
            self.at_top[b] = self.keep();
        }
        removed
    }
    /// Keeps the nearest writes of the list.
    fn keep(&mut self) -> (u32, u32) {
        let first = self.kept.len();
        let near = self.written.len().saturating_sub(MAX_LOCATIONS_ACROSS);
        self.kept.extend(self.written[near..].iter().map(|w| w.by));
        (first as u32, self.kept.len() as u32)
    }
    /// Sets the list to that at the end of a block.
    fn meet(&mut self, f: &Function, view: &View<'_>, b: Block) {
        self.written.clear();
        let mut first = None;
        for &s in f.succs(b).iter().filter(|s| !view.goes_back(b, **s)) {
            self.meet_with(f, view, self.at_top[s], &mut first);
            if self.written.is_empty() {
                return;
            }
        }
        for &s in f.succs(b).iter().filter(|s| view.goes_back(b, **s)) {
            let list = self.at_back_edge(f, view, s);
            self.meet_with(f, view, list, &mut first);
        }
    }
    /// Keeps in the list the locations that are overwritten at another program point, too. The first time, sets it to
    /// the list at that point.
    fn meet_with(&mut self, f: &Function, view: &View<'_>, list: (u32, u32), first: &mut Option<(u32, u32)>) {
        if first.is_none() {
            *first = Some(list);
            let there = &self.kept[list.0 as usize..list.1 as usize];
            self.written.extend(there.iter().filter_map(|i| Written::by(f, view, *i)));
        } else if *first != Some(list) && !self.written.is_empty() {
            self.intersect(f, view, list);
        }
    }
    /// Keeps in the list the locations overwritten in another list, too.
    fn intersect(&mut self, f: &Function, view: &View<'_>, (first, end): (u32, u32)) {
        self.common.clear();
        for k in first..end {
            let Some(w) = Written::by(f, view, self.kept[k as usize]) else { continue };
            if self.written.iter().any(|mine| mine.overwrites(view, &w.location)) {
                self.common.push(w);
            } else {
                self.common.extend(self.written.iter().filter(|mine| w.overwrites(view, &mine.location)));
            }
        }
        self.common.truncate(MAX_LOCATIONS);
        std::mem::swap(&mut self.written, &mut self.common);
    }
    /// Returns the list of the edges that lead back to a header.
    fn at_back_edge(&mut self, f: &Function, view: &View<'_>, header: Block) -> (u32, u32) {
        if self.kept.is_empty() {
            return (0, 0);
        }
        if !std::mem::replace(&mut self.loops.known, true) {
            self.loops.counted.recompute(f, view.facts.cfg, view.facts.dominators, true);
            self.loops.at_back_edges.reset(f.num_blocks());
            self.loops.found_for.reset(f.num_blocks());
        }
        if let Some(list) = self.loops.at_back_edges[header] {
            return list;
        }
        let so_far = std::mem::take(&mut self.written);
        if self.loops.find_blocks(f, view, header) {
            self.written_after_loop(f, view, header);
        }
        let list = self.keep();
        self.loops.at_back_edges[header] = Some(list);
        self.written = so_far;
        list
    }
    /// Sets the list to the locations written after a loop but not observed inside.
    fn written_after_loop(&mut self, f: &Function, view: &View<'_>, header: Block) {
        let Loops { blocks, exits, .. } = &mut self.loops;
        let (blocks, exits) = (std::mem::take(blocks), std::mem::take(exits));
        let mut first = None;
        for &s in &exits {
            // Where the walk has not come yet, the list is empty.
            self.meet_with(f, view, self.at_top[s], &mut first);
        }
        let counted = &self.loops.counted;
        self.written.retain(|w| w.location.registers().all(|r| counted.is_fixed(f, r, header)));
        for i in blocks.iter().flat_map(|b| f.layout().insts(*b)) {
            if self.written.is_empty() {
                break;
            }
            if !f.inst(i).op.effects().is_pure() {
                self.pass_sight(f, view, i);
                self.pass_reads(f, view, i);
            }
        }
        (self.loops.blocks, self.loops.exits) = (blocks, exits);
    }
    /// Returns the last write that overwrites a store, where its whole location is overwritten.
    fn is_overwritten(&self, f: &Function, view: &View<'_>, i: Inst) -> Option<Inst> {
        if self.written.is_empty() || !is_plain_write(f, i) || !view.copies_safely(f, i) {
            return None;
        }
        let location = view.location(f, i);
        if let Some(w) = self.written.iter().rev().find(|w| w.overwrites(view, &location)) {
            return Some(w.by);
        }
        self.overwrite_together(view, &location)
    }
    /// The same for several writes together.
    fn overwrite_together(&self, view: &View<'_>, location: &Location) -> Option<Inst> {
        let (start, size) = (location.offset?, i64::try_from(location.size?).ok()?);
        if size == 0 {
            return None;
        }
        let writable = view.is_writable(location);
        // The bytes of the location that the writes have not covered begin here, from its first byte.
        let mut from = 0;
        let mut last = None;
        loop {
            let reached = |w: &Written| {
                let same = w.location.root == location.root && w.location.index == location.index;
                let at = w.location.offset.filter(|_| same)?.wrapping_sub(start);
                let end = at.checked_add(i64::try_from(w.location.size?).ok()?)?;
                (at <= from && end > from && (writable || w.is_part_of(location))).then_some((end, w.by))
            };
            let (end, by) = self.written.iter().filter_map(reached).max_by_key(|(end, _)| *end)?;
            (from, last) = (end, last.or(Some(by)));
            if from >= size {
                return last;
            }
        }
    }
    /// Moves up over an instruction.
    fn pass(&mut self, f: &Function, view: &View<'_>, i: Inst) {
        if !self.written.is_empty() {
            self.pass_sight(f, view, i);
        }
        if is_plain_write(f, i) {
            self.add(f, view, i);
        }
        // An instruction writes after it reads.
        if !self.written.is_empty() {
            self.pass_reads(f, view, i);
        }
    }
    /// Moves up over the reads of an instruction.
    fn pass_reads(&mut self, f: &Function, view: &View<'_>, i: Inst) {
        let alias = view.facts.alias;
        alias.for_each_access(view.decls, f, i, |mode, access| {
            if mode == Mode::Read {
                self.written.retain(|w| alias.relation(view.decls, &access, &w.location) == Relation::No);
            }
        });
    }
    /// Moves up over the observations that an instruction allows, other than its own reads.
    fn pass_sight(&mut self, f: &Function, view: &View<'_>, i: Inst) {
        let alias = view.facts.alias;
        // True for an instruction that may trap, but otherwise only stores.
        let may_trap_only = is_plain_write(f, i) && view.copies_safely(f, i);
        let lets_look = view.lets_others_look(f, i);
        if lets_look && !may_trap_only {
            self.written.retain(|w| !alias.is_visible(&w.location));
        }
        alias.for_each_access(view.decls, f, i, |mode, access| {
            // A store that may trap must trap before anything else that is visible is written.
            if mode == Mode::Write && alias.is_visible(&access) {
                self.written.retain_mut(|w| match w.writable {
                    true => !lets_look || !alias.is_visible(&w.location),
                    false => w.comes_after(&access),
                });
            }
        });
    }
    fn add(&mut self, f: &Function, view: &View<'_>, i: Inst) {
        let Some(new) = Written::by(f, view, i) else { return };
        // A write that may trap before it writes cannot overwrite visible memory.
        if view.copies_safely(f, i) || !view.facts.alias.is_visible(&new.location) {
            if self.written.len() == MAX_LOCATIONS {
                self.written.remove(0);
            }
            self.written.push(new);
        }
    }
}

impl Loops {
    /// Finds the blocks of the loop of a header. Returns whether there are few, and every iteration of it and of the
    /// loops inside ends unless an instruction prevents it.
    fn find_blocks(&mut self, f: &Function, view: &View<'_>, header: Block) -> bool {
        let cfg = view.facts.cfg;
        let forest = self.counted.forest();
        self.blocks.clear();
        if forest.has_irreducible() || !self.counted.ends(header) {
            return false;
        }
        // Backwards from the latches: in the order of the walk a loop's blocks need not be adjacent, nor before its
        // last latch.
        self.blocks.push(header);
        self.found_for[header] = header.into();
        let mut next = 0;
        while let Some(&b) = self.blocks.get(next) {
            next += 1;
            for &p in cfg.preds(b) {
                if forest.contains(header, p) && self.found_for[p] != header.into() {
                    if self.blocks.len() == MAX_LOOP_BLOCKS {
                        return false;
                    }
                    self.found_for[p] = header.into();
                    self.blocks.push(p);
                }
            }
        }
        let succs = self.blocks.iter().flat_map(|b| f.succs(*b));
        self.exits.clear();
        self.exits.extend(succs.filter(|s| !forest.contains(header, **s)));
        let insts = self.blocks.iter().flat_map(|b| f.layout().insts(*b));
        insts.take(MAX_LOOP_INSTS + 1).count() <= MAX_LOOP_INSTS
            && self.blocks.iter().all(|b| !forest.is_header(*b) || self.counted.ends(*b))
    }
}

impl Written {
    /// Returns the bytes that an instruction writes, if the location is known.
    fn by(f: &Function, view: &View<'_>, by: Inst) -> Option<Written> {
        // Reads are compared with this location in place of the earlier store's, whose access type may be another one.
        let location = view.location(f, by).untyped();
        Some(Written { by, location, writable: view.is_writable(&location), span: range_of(&location)? })
    }
    /// True if this write alone overwrites a location. If it may trap, it must be to exactly this location.
    fn overwrites(&self, view: &View<'_>, location: &Location) -> bool {
        let relation = view.facts.alias.relation(view.decls, &self.location, location);
        if self.writable {
            relation.covers()
        } else {
            relation == Relation::Must(Overlap::Same) && self.is_part_of(location)
        }
    }
    /// Notes a visible write before this write, which may trap. Returns false if the two are not known to be parts of
    /// one location, so that this write must not trap in place of an earlier store.
    fn comes_after(&mut self, access: &Location) -> bool {
        let same = access.root == self.location.root && access.index == self.location.index;
        let Some((start, end)) = range_of(access).filter(|_| same) else { return false };
        self.span = (self.span.0.min(start), self.span.1.max(end));
        true
    }
    /// True if everything that is written up to this write is in a location.
    fn is_part_of(&self, location: &Location) -> bool {
        let same = location.root == self.location.root && location.index == self.location.index;
        let within = |(start, end): (i64, i64)| start <= self.span.0 && self.span.1 <= end;
        same && range_of(location).is_some_and(within)
    }
}

/// Returns the bytes of a location by their offsets, without the last one.
fn range_of(location: &Location) -> Option<(i64, i64)> {
    let (start, size) = (location.offset?, i64::try_from(location.size?).ok()?);
    Some((start, start.checked_add(size)?))
}
