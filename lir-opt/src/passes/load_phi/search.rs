//! The search for the value of a load: steps 2 and 3 of [`load_phi`](super).

use super::accesses::{AccessClass, AccessClasses, Candidate, Near, instruction};
use super::address::{AddressSum, Sums};
use crate::analysis::alias::Location;
use crate::analysis::memory_ssa::{Access, AccessKind};
use crate::analysis::{MemoryFacts, SsaView};
use crate::passes::load_phi::events::Event;
use lir_syntax::ir::{Block, Decls, Function, Inst, Opcode, Operand, Type};
use std::ops::Range;

/// Predecessors of a block that may get a phi.
pub(super) const MAX_PREDS: usize = 8;
/// Phis that are made for one load.
pub(super) const MAX_PHIS: usize = 8;
/// Phis made before that are compared with the phi that a load needs.
const MAX_SHARED: usize = 32;
/// Dominators among which the block of a phi is looked for.
pub(super) const MAX_BLOCKS: usize = 32;

/// A phi that is to be made.
pub(super) struct Phi {
    pub block: Block,
    /// The load for which it is made.
    pub load: Inst,
    ty: Type,
    /// The address at the top of the block.
    sum: AddressSum,
    class: AccessClass,
    /// The location below the block that asked for it.
    location: Location,
    /// The range of its entries; empty until they are found.
    entries: Range<usize>,
}

/// The contents of a location on an edge.
#[derive(Copy, Clone)]
pub(super) enum Source {
    /// The operand that was stored or loaded.
    Value(Operand),
    /// The phi with this number.
    Phi(usize),
}

/// The way up from a point ends at one of these.
enum Above {
    /// A store or load, with this value.
    Value(Operand),
    /// A block at which the value has a phi.
    Join(Block),
    /// This block, in which a register of the address is assigned.
    Assigned(Block),
    /// Something that may change the location, or too much.
    Nothing,
}

/// A point in a function where the contents of a location are asked for.
struct Point<'a> {
    block: Block,
    ty: Type,
    sum: &'a AddressSum,
    /// Accesses of the address, by whether they come before.
    near: Near<'a>,
    /// The version of memory that may have changed the location last.
    clobber: Access,
    /// The load at the position; none at the end of a block.
    own: Option<Access>,
}

/// The function that is searched, and the findings.
pub(super) struct Search<'a> {
    decls: &'a Decls,
    sums: Sums<'a>,
    facts: MemoryFacts<'a>,
    classes: AccessClasses,
    found: Found,
    /// For each class the block where its address could not have a phi when that was asked last, with a predecessor
    /// that is to blame.
    failed: Vec<Option<(Block, Block)>>,
}

/// The phis of a function, with their entries.
#[derive(Default)]
pub(super) struct Found {
    pub phis: Vec<Phi>,
    entries: Vec<(Block, Source)>,
}

impl Found {
    /// Returns the entries of a phi, by predecessor.
    pub(super) fn entries(&self, phi: &Phi) -> &[(Block, Source)] {
        &self.entries[phi.entries.clone()]
    }
}

impl<'a> Search<'a> {
    pub(super) fn new(decls: &'a Decls, (f, ssa): (&'a Function, &'a SsaView), facts: MemoryFacts<'a>) -> Search<'a> {
        let sums = Sums { f, ssa };
        let classes = AccessClasses::new(&sums, facts.memory, facts.cfg);
        let failed = vec![None; classes.count()];
        Search { decls, sums, facts, classes, found: Found::default(), failed }
    }
    /// Returns the phis of all loads.
    pub(super) fn into_found(self) -> Found {
        self.found
    }
    /// Returns the loads that are worth a search.
    pub(super) fn candidates(&self) -> Vec<Candidate> {
        self.classes.candidates(self.facts.memory)
    }
    /// Returns the number of the phi that a load reads. None if nothing is to be done for it.
    ///
    /// # Errors
    /// The reason it stays, where it does.
    pub(super) fn phi_for(&mut self, load: &Candidate) -> Result<Option<usize>, Event> {
        let (first, first_entry) = (self.found.phis.len(), self.found.entries.len());
        let Some(number) = self.start(load)? else { return Ok(None) };
        // The phis that the new ones need are added after them.
        let mut next = first;
        while next < self.found.phis.len() {
            if let Err(pred) = self.fill(next, first) {
                self.failed[load.class.index()] = Some((self.found.phis[number].block, pred));
                self.found.phis.truncate(first);
                self.found.entries.truncate(first_entry);
                return Err(Event::NotStoredOnAll(pred));
            }
            next += 1;
        }
        Ok(Some(number))
    }
    /// Step 2.
    fn start(&mut self, load: &Candidate) -> Result<Option<usize>, Event> {
        let MemoryFacts { memory, alias, .. } = self.facts;
        let Sums { f, .. } = self.sums;
        let (class, ty, own) = (load.class, f.inst(load.inst).ty, Some(load.access));
        let (Some(block), Some(sum)) = (f.layout().block_of(load.inst), self.sums.of_mem(f.mem(load.inst))) else {
            return Ok(None);
        };
        if load.is_alone {
            self.has_others_before(&sum, ty)?;
        }
        let Some(location) = alias.location(f, load.inst) else { return Ok(None) };
        let clobber = memory.clobber(alias, (self.decls, f), &location, memory.defining(load.access));
        if clobber.gave_up || self.is_written_in(block, clobber.access) {
            return Ok(None);
        }
        let near = self.classes.near(class, load.access);
        let point = Point { block, ty, sum: &sum, near, clobber: clobber.access, own };
        match self.above(&point) {
            Above::Value(_) | Above::Nothing => Ok(None),
            Above::Assigned(b) => Err(Event::AddressMadeBelow(b)),
            Above::Join(b) => match self.failed[class.index()] {
                Some((failed, pred)) if failed == b => Err(Event::NotStoredOnAll(pred)),
                _ => {
                    let new = Phi { block: b, load: load.inst, ty, sum, class, location, entries: 0..0 };
                    Ok(self.phi_like(new, self.found.phis.len()))
                }
            },
        }
    }
    /// Rejects an address with a single access early: there has to be an access of its earlier form.
    ///
    /// The block is the one whose phis come first on the way up; on each edge into it the address is translated.
    ///
    /// # Errors
    /// The reason that there is nothing to be found.
    fn has_others_before(&self, sum: &AddressSum, ty: Type) -> Result<(), Event> {
        let mut first: Option<(Block, bool)> = None;
        for r in sum.roots() {
            let Some(b) = self.sums.block_of(r) else { continue };
            let is_phi = self.sums.is_phi(r);
            first = match first {
                Some((other, phis)) if other == b => Some((b, phis && is_phi)),
                Some((other, _)) if !self.facts.dominators.dominates(other, b) => first,
                _ => Some((b, is_phi)),
            };
        }
        let Some((block, phis)) = first else { return Ok(()) };
        if !phis {
            return Err(Event::AddressMadeBelow(block));
        }
        let fails = |pred: &&Block| self.moved(sum, (**pred, block), ty).is_none();
        match self.facts.cfg.preds(block).iter().take(MAX_PREDS).find(fails) {
            Some(pred) => Err(Event::NotStoredOnAll(*pred)),
            None => Ok(()),
        }
    }
    /// True if an instruction of a block made a version.
    fn is_written_in(&self, block: Block, version: Access) -> bool {
        let of = instruction(self.facts.memory, version);
        of.is_some_and(|i| self.sums.f.layout().block_of(i) == Some(block))
    }
    /// Finds the entries of a phi: step 3. `first` is the number of the load's first phi.
    ///
    /// # Errors
    /// A predecessor at whose end the contents of the location are not known.
    fn fill(&mut self, number: usize, first: usize) -> Result<(), Block> {
        let Phi { block, load, ty, sum, class, location, .. } = self.found.phis[number];
        let begin = self.found.entries.len();
        let moves = sum.roots().any(|r| self.sums.block_of(r) == Some(block));
        let preds = self.facts.cfg.preds(block);
        for &pred in preds.iter().take(MAX_PREDS) {
            let there = if moves { self.moved(&sum, (pred, block), ty) } else { Some((sum, class, Some(location))) };
            let (sum, class, location) = there.ok_or(pred)?;
            let source = self.source(pred, &sum, class, location, (load, ty), first).ok_or(pred)?;
            self.found.entries.push((pred, source));
        }
        if let Some(&pred) = preds.get(MAX_PREDS) {
            return Err(pred);
        }
        self.found.phis[number].entries = begin..self.found.entries.len();
        Ok(())
    }
    /// Returns the address on an edge, if there is an access of it.
    fn moved(
        &self,
        sum: &AddressSum,
        (pred, block): (Block, Block),
        ty: Type,
    ) -> Option<(AddressSum, AccessClass, Option<Location>)> {
        let there = self.sums.on_edge(sum, pred, block)?;
        let class = self.classes.find(there.hash_for(ty))?;
        Some((there, class, None))
    }
    /// Finds the contents of a location at the end of a predecessor.
    fn source(
        &mut self,
        pred: Block,
        sum: &AddressSum,
        class: AccessClass,
        location: Option<Location>,
        (load, ty): (Inst, Type),
        first: usize,
    ) -> Option<Source> {
        let MemoryFacts { cfg, memory, alias, .. } = self.facts;
        if !cfg.is_reachable(pred) {
            return None;
        }
        let near = self.classes.near(class, memory.end_of(pred));
        let location = location
            .filter(|l| self.is_assigned_above(l, pred))
            .or_else(|| near.all().find_map(|a| self.location_at(pred, a, sum, ty)))?;
        let clobber = memory.clobber(alias, (self.decls, self.sums.f), &location, memory.version_at_end(pred));
        if clobber.gave_up {
            return None;
        }
        let point = Point { block: pred, ty, sum, near, clobber: clobber.access, own: None };
        match self.above(&point) {
            Above::Value(value) => Some(Source::Value(value)),
            Above::Join(block) => {
                let new = Phi { block, load, ty, sum: *sum, class, location, entries: 0..0 };
                self.phi_like(new, first).map(Source::Phi)
            }
            Above::Assigned(_) | Above::Nothing => None,
        }
    }
    /// Returns the location of an access of an address that dominates the end of a block, so that it is executed on the
    /// way, and its facts about the object are true.
    fn location_at(&self, block: Block, access: Access, sum: &AddressSum, ty: Type) -> Option<Location> {
        let i = self.same(access, sum, ty)?;
        let b = self.sums.f.layout().block_of(i)?;
        self.facts.dominators.dominates(b, block).then(|| self.facts.alias.location(self.sums.f, i))?
    }
    /// True if the registers of a location are assigned above the end of a block.
    fn is_assigned_above(&self, location: &Location, block: Block) -> bool {
        let mut blocks = location.registers().map(|r| self.sums.block_of(r));
        blocks.all(|b| b.is_none_or(|b| self.facts.dominators.dominates(b, block)))
    }
    /// Returns the instruction of an access, if it is of an address and a type.
    fn same(&self, access: Access, sum: &AddressSum, ty: Type) -> Option<Inst> {
        let Sums { f, .. } = self.sums;
        let i = instruction(self.facts.memory, access)?;
        (f.inst(i).ty == ty && self.sums.is_sum(f.mem(i), sum)).then_some(i)
    }
    /// Returns the number of a phi: of one of the same block, address and object, or of itself if there is none.
    fn phi_like(&mut self, new: Phi, first: usize) -> Option<usize> {
        let phis = &mut self.found.phis;
        let since = phis.len().saturating_sub(MAX_SHARED);
        // Addresses that are equal as numbers may be meant to be of different objects: one of them is not accessed
        // then.
        let like = |p: &Phi| (p.block, p.class, p.ty, p.location.root, p.location.access_type, p.location.sets);
        let same = |p: &Phi| like(p) == like(&new) && p.sum == new.sum;
        if let Some(k) = phis[since..].iter().position(same) {
            return Some(since + k);
        }
        if phis.len() - first == MAX_PHIS {
            return None;
        }
        phis.push(new);
        Some(phis.len() - 1)
    }
    /// Looks up from a point.
    fn above(&self, p: &Point<'_>) -> Above {
        match self.value(p) {
            Some(value) => Above::Value(value),
            None if self.is_written_in(p.block, p.clobber) => Above::Nothing,
            None => self.join(p),
        }
    }
    /// Finds a store or load of the address that dominates a point, up to which the location stays unchanged.
    fn value(&self, p: &Point<'_>) -> Option<Operand> {
        let Sums { f, .. } = self.sums;
        for access in p.near.before().take_while(|a| *a >= p.clobber) {
            let i = instruction(self.facts.memory, access)?;
            let above = f.layout().block_of(i).is_some_and(|b| self.facts.dominators.dominates(b, p.block));
            if above && self.same(access, p.sum, p.ty).is_some() {
                let d = f.inst(i);
                return match d.op {
                    Opcode::Load => d.result().map(Operand::reg),
                    _ => (access == p.clobber).then(|| d.stored()),
                };
            }
        }
        None
    }
    /// Finds the nearest block above a point at which paths meet that may differ.
    ///
    /// They have different accesses of the address, or the address differs.
    fn join(&self, p: &Point<'_>) -> Above {
        let MemoryFacts { cfg, dominators, memory, .. } = self.facts;
        let Sums { f, .. } = self.sums;
        let (last, is_phi) = match memory.kind(p.clobber) {
            AccessKind::Phi(b) => (Some(b), true),
            AccessKind::Def(i) | AccessKind::Use(i) => (f.layout().block_of(i), false),
            AccessKind::OnEntry => (Some(f.entry()), false),
        };
        let Some(last) = last else { return Above::Nothing };
        // The first one on the way up: of blocks that all dominate the point one dominates the other.
        let (mut end, mut varies, mut is_made) = (last, is_phi, false);
        for r in p.sum.roots() {
            let Some(b) = self.sums.block_of(r).filter(|b| dominators.dominates(end, *b)) else { continue };
            if b != end {
                (end, varies, is_made) = (b, true, false);
            }
            is_made |= !self.sums.is_phi(r);
        }
        let mut others = p.near.all().filter(|a| *a > p.clobber && Some(*a) != p.own);
        if others.next().is_some() {
            let mut block = p.block;
            for _ in 0..MAX_BLOCKS {
                let Some(above) = dominators.idom(block).filter(|_| block != end) else { break };
                if cfg.preds(block).len() > 1 && self.differ(p, (above, block)) {
                    return Above::Join(block);
                }
                block = above;
            }
        }
        match varies {
            true if is_made => Above::Assigned(end),
            true if cfg.preds(end).len() > 1 => Above::Join(end),
            _ => Above::Nothing,
        }
    }
    /// True if only some paths into a block, from its immediate dominator, may have an access of the address.
    fn differ(&self, p: &Point<'_>, (above, block): (Block, Block)) -> bool {
        let MemoryFacts { cfg, dominators, memory, .. } = self.facts;
        let preds = cfg.preds(block);
        // With too many predecessors there will be no phi, whatever is on the paths.
        let is_header = preds.len() > MAX_PREDS || preds.iter().any(|b| dominators.dominates(block, *b));
        p.near.all().filter(|a| *a > p.clobber && Some(*a) != p.own).any(|a| {
            let b = instruction(memory, a).and_then(|i| self.sums.f.layout().block_of(i));
            b.is_some_and(|b| dominators.dominates(above, b) && (is_header || !dominators.dominates(block, b)))
        })
    }
}
