//! Loads and stores of a function, to be found by address and type.

use super::address::Sums;
use crate::analysis::memory_ssa::{Access, AccessKind, MemorySsa};
use lir_syntax::ir::{Cfg, EntityRef, Inst, Opcode};
use std::ops::Range;

/// The loads and stores that are no volatile ones.
pub(super) struct AccessClasses {
    /// By class.
    rows: Vec<Row>,
    /// The hashes of the classes, rising, and where their rows begin.
    classes: Vec<(u32, u32)>,
}

/// Accesses of one address and type, by number. Others may be among them, which have the same hash.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct AccessClass(u32);

impl AccessClass {
    /// Below the number of classes.
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A load or store in one number, to be sorted fast: a hash, an access, and two flags.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Row(u64);

impl Row {
    const FLAGS: u32 = 2;

    /// `has_phi` is true if a register of the address is a phi. None for accesses beyond the limit.
    fn new(hash: u32, access: Access, is_load: bool, has_phi: bool) -> Option<Row> {
        let access = u32::try_from(access.index()).ok().filter(|a| *a < u32::MAX >> Row::FLAGS)?;
        let low = access << Row::FLAGS | u32::from(is_load) << 1 | u32::from(has_phi);
        Some(Row(u64::from(hash) << 32 | u64::from(low)))
    }
    fn hash(self) -> u32 {
        (self.0 >> 32) as u32
    }
    fn access(self) -> Access {
        Access::new((self.0 as u32 >> Row::FLAGS) as usize)
    }
    fn is_load(self) -> bool {
        self.0 & 2 != 0
    }
    fn has_phi(self) -> bool {
        self.0 & 1 != 0
    }
}

/// A load that may have a phi.
#[derive(Copy, Clone)]
pub(super) struct Candidate {
    pub access: Access,
    pub inst: Inst,
    pub class: AccessClass,
    /// True if it is the only access of the class.
    pub is_alone: bool,
}

/// The most accesses of a class that are looked at before a point in the function, and after it.
const MAX_ROWS: usize = 16;

/// The accesses of a class around a point, and how many of them have ids before it.
#[derive(Copy, Clone)]
pub(super) struct Near<'a> {
    rows: &'a [Row],
    before: usize,
}

impl AccessClasses {
    /// Finds them.
    pub(super) fn new(sums: &Sums<'_>, memory: &MemorySsa, cfg: &Cfg) -> AccessClasses {
        let mut rows = Vec::with_capacity(memory.num_accesses());
        for access in cfg.rpo().iter().flat_map(|b| memory.accesses_in(*b)) {
            let Some(i) = instruction(memory, access) else { continue };
            let d = sums.f.inst(i);
            if matches!(d.op, Opcode::Load | Opcode::Store)
                && !d.is_volatile()
                && let Some((hash, has_phi)) = sums.hash_of_mem(sums.f.mem(i), d.ty)
            {
                rows.extend(Row::new(hash, access, d.op == Opcode::Load, has_phi));
            }
        }
        rows.sort_unstable();
        let mut classes: Vec<(u32, u32)> = Vec::with_capacity(rows.len());
        for (at, row) in rows.iter().enumerate() {
            if classes.last().is_none_or(|(hash, _)| *hash != row.hash()) {
                classes.push((row.hash(), at as u32));
            }
        }
        AccessClasses { rows, classes }
    }
    /// Returns the loads that may read the value of an access, or the phi of an address, in the order of accesses:
    /// hashes depend on the numbers of registers. The first access of an address without a phi does not: there is a
    /// path to it on which none of the others is.
    pub(super) fn candidates(&self, memory: &MemorySsa) -> Vec<Candidate> {
        let mut found = Vec::with_capacity(self.rows.len());
        for class in 0..self.classes.len() {
            let range = self.range(class);
            let (first, is_alone) = (range.start, range.len() == 1);
            for at in range.filter(|at| self.rows[*at].is_load() && (*at > first || self.rows[*at].has_phi())) {
                let access = self.rows[at].access();
                let class = AccessClass(class as u32);
                found.extend(instruction(memory, access).map(|inst| Candidate { access, inst, class, is_alone }));
            }
        }
        found.sort_unstable_by_key(|c| c.access);
        found
    }
    /// The number of classes.
    pub(super) fn count(&self) -> usize {
        self.classes.len()
    }
    fn range(&self, class: usize) -> Range<usize> {
        let end = self.classes.get(class + 1).map_or(self.rows.len(), |(_, start)| *start as usize);
        self.classes[class].1 as usize..end
    }
    /// The class with a hash.
    pub(super) fn find(&self, hash: u32) -> Option<AccessClass> {
        self.classes.binary_search_by_key(&hash, |(h, _)| *h).ok().map(|at| AccessClass(at as u32))
    }
    /// The accesses of a class whose ids are near one.
    pub(super) fn near(&self, class: AccessClass, access: Access) -> Near<'_> {
        let rows = &self.rows[self.range(class.0 as usize)];
        let at = rows.partition_point(|r| r.access() < access);
        let first = at.saturating_sub(MAX_ROWS);
        Near { rows: &rows[first..rows.len().min(at + MAX_ROWS)], before: at - first }
    }
}

impl<'a> Near<'a> {
    /// Returns all of them, the nearest before the point first.
    pub(super) fn all(self) -> impl Iterator<Item = Access> + 'a {
        self.before().chain(self.rows[self.before..].iter().map(|r| r.access()))
    }
    /// Returns the accesses before the point, the nearest first.
    pub(super) fn before(self) -> impl Iterator<Item = Access> + 'a {
        self.rows[..self.before].iter().rev().map(|r| r.access())
    }
}

/// Returns the instruction of an access.
pub(super) fn instruction(memory: &MemorySsa, access: Access) -> Option<Inst> {
    match memory.kind(access) {
        AccessKind::Def(i) | AccessKind::Use(i) => Some(i),
        AccessKind::Phi(_) | AccessKind::OnEntry => None,
    }
}
