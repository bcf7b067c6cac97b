//! The alias oracle: the memory that an instruction accesses, and whether two accesses may overlap.
//!
//! # Example
//!
//! ```text
//!   stack $a: 16                      location                   meets
//!   stack $b: 8
//!   store i32 [$a + 4], %x            bytes 4 to 7 of $a         the second load
//!   %p = lea [$a + 8]                 ($a does not escape: %p is only an address)
//!   store i32 [%p - 4], %y            bytes 4 to 7 of $a         the second load
//!   store i32 [%q], %z                wherever %q points to      neither load
//!   %l = load i32 [$b]                bytes 0 to 3 of $b
//!   %m = load i64 [$a]                bytes 0 to 7 of $a
//! ```
//!
//! # Algorithm
//!
//! 1. One walk finds the addresses that registers hold, as root + index * scale + offset: see `addresses`.
//! 2. One walk finds which stack objects, allocas, heap blocks and `noalias` parameters escape: see `escape`.
//! 3. A query is answered by the roots of two locations if these differ, else by their ranges; if neither knows, by the
//!    access types, and by the sets of scopes of `noalias`.
//!
//! # Why it is sound
//!
//! Two locations are apart only for these reasons: their roots are different objects (`Object`, `Symbol`, `Alloca`,
//! `Heap`), which are disjoint and which an access does not leave; one is in a stack object, alloca or heap block that
//! did not escape, and the other's root is not an object, so its address was not derived from the former; one is in
//! stack memory of this call, or was allocated in it, and the other's address is a parameter, which is older; they are
//! sums of the same registers with ranges of bytes that are apart; or the program promises it.
//!
//! It promises that by a `noalias` parameter from which only one of the two addresses is derived, if one of them is
//! written: such a parameter counts as an object, and has escaped if an address that was derived from it did. A load
//! that a pass adds breaks no promise, since its value is not used where there was no load; a pass adds no store where
//! there was no access. Or it promises that by access types of which neither is inside the other, or by different sets
//! of one scope of `noalias`. These are asked last, so that accesses of the same bytes are known as such even if the
//! program breaks that promise. Sets hold for all accesses of one call of the function, so they keep accesses of
//! different iterations apart, too; and a load may break that promise if its value is not used, as above.
//!
//! Two `extern data` may overlap, but only where neither is written in this module, so a write to one of them is apart
//! from the other. `const` data is never written: a store to it traps. Memory that `free` released may belong to
//! another allocation: no access to it passes the call of `free`, which writes everywhere, whatever its access type is.
//!
//! # Meaning of registers
//!
//! A location is made of registers. Answers about two locations assume that both are accessed with the same values in
//! these registers. This is so for two instructions of which one dominates the other, with no memory phi between them.
//! To compare iterations of a loop, use [`Location::widen`] first.
//!
//! # Cost and limits
//!
//! Steps 1 and 2 are linear, with dense tables; step 1 is repeated at most twice, if a guess about a phi was wrong. A
//! query takes constant time (for a call, linear in its aggregates). Escape does not depend on the program point in the
//! function. An address that is stored in memory, even in an object that does not escape, is not followed.
//!
//! The tables describe the function at the time of their computation. A pass may remove instructions and add pure ones
//! between queries, but not make new addresses of stack objects. A pass that replaces registers by equal ones gets
//! better answers after [`AliasOracle::update`], except about addresses that depend on phis, which are computed all
//! together.
//!
//! # Source
//!
//! The rules of the language in section 4 of the contract; ranges with a common base as in LLVM's `BasicAliasAnalysis`.

mod accesses;
mod addresses;
mod escape;
mod location;
#[cfg(test)]
mod tests;

pub use accesses::Mode;
pub(crate) use accesses::memory_effect;
pub use location::{Location, Root};
pub(crate) use location::{Overlap, Relation};

use crate::analysis::assignments::Assignments;
use crate::analysis::bounds::lies_in_data;
use addresses::Addresses;
use escape::Escaped;
use lir_syntax::ir::{Cfg, Decls, Function, Inst, NoaliasSets, Obj, Reg, Sym, lies_within};

/// The effect of an instruction on memory.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum MemoryEffect {
    /// Nothing.
    None,
    /// It reads.
    Reads,
    /// It writes, or may, and may read.
    Writes,
}

/// Answers questions about one function.
#[derive(Default)]
pub struct AliasOracle {
    addresses: Addresses,
    escaped: Escaped,
    /// The lists of sets that locations name. A list that was made later is in no set here.
    sets: NoaliasSets,
}

impl AliasOracle {
    /// Returns the oracle of a function in SSA form.
    pub fn new(decls: &Decls, f: &Function, cfg: &Cfg) -> AliasOracle {
        let mut oracle = AliasOracle::default();
        oracle.reset(decls, f, cfg, None);
        oracle
    }
    /// Makes this the oracle of another function, in the same memory: steps 1 and 2. `assignments` may be none for a
    /// function in SSA form; in others, the values of registers with several assignments are unknown.
    pub fn reset(&mut self, decls: &Decls, f: &Function, cfg: &Cfg, assignments: Option<&Assignments>) {
        self.addresses.find(decls, f, cfg, assignments);
        self.escaped.find(decls, f, &self.addresses);
        if f.may_have_noalias_sets() || !self.sets.is_empty() {
            self.sets.copy_from(f.noalias_lists());
        }
    }
    /// Makes this an oracle of its own with the knowledge of another one.
    pub(crate) fn copy_from(&mut self, f: &Function, other: &AliasOracle) {
        self.addresses.copy_from(f, &other.addresses);
        self.escaped.copy_from(&other.escaped);
        self.sets.copy_from(&other.sets);
    }
    /// Recomputes the address that an instruction computes. Some of its operands were replaced by registers of equal
    /// value, or it was itself replaced by one that computes the same; a phi keeps its address. The registers that it
    /// reads were updated before.
    #[inline]
    pub fn update(&mut self, f: &Function, i: Inst) {
        self.addresses.update(f, i);
    }
    /// True if this oracle learned since `before` that a register holds an object's address.
    pub(crate) fn learned(&self, r: Reg, before: &AliasOracle) -> bool {
        let address = self.addresses.of_reg(r);
        address.root.is_object() && address != before.addresses.of_reg(r)
    }
    /// True if a stack object escapes. One that does not is accessed only by the instructions whose location has it as
    /// the root.
    #[inline]
    pub fn escapes(&self, o: Obj) -> bool {
        self.escaped.has_object(o)
    }
    /// True if this is the root of stack memory that did not escape: only the instructions whose location has it as the
    /// root access it. The root of an alloca in a loop represents all memory that it returns.
    #[inline]
    pub fn is_private(&self, root: Root) -> bool {
        match root {
            Root::Object(o) => !self.escaped.has_object(o),
            Root::Alloca(r) => !self.escaped.has_alloca(r),
            Root::Symbol(_) | Root::Heap(_) | Root::NoAlias(_) | Root::Register(_) | Root::Absolute | Root::Unknown => {
                false
            }
        }
    }
    /// Returns the registers that allocas assign which escape.
    #[cfg(feature = "cli")]
    pub(crate) fn escaped_allocas(&self) -> impl Iterator<Item = Reg> + '_ {
        self.addresses.allocas().iter().copied().filter(|r| self.escaped.has_alloca(*r))
    }
    /// Returns the roots of the private memory of a function.
    pub(crate) fn private_roots<'a>(&'a self, f: &'a Function) -> impl Iterator<Item = Root> + 'a {
        let allocas = self.addresses.allocas().iter().map(|r| Root::Alloca(*r));
        f.stack_objects().map(|(o, _)| Root::Object(o)).chain(allocas).filter(|r| self.is_private(*r))
    }
    /// Returns the `noalias` parameter among these from which the address of a location was made: 0 if it is certainly
    /// none of them, else 1 more than its index. None if this is not known.
    pub(crate) fn noalias_origin(&self, decls: &Decls, location: &Location, params: &[Reg]) -> Option<u32> {
        let made_from = |p: Reg| Location { root: Root::NoAlias(p), ..Location::ANYWHERE };
        if let Some(k) = params.iter().position(|p| location.root == Root::NoAlias(*p)) {
            return Some(k as u32 + 1);
        }
        let is_apart = |p: &Reg| self.relation_of_addresses(decls, &made_from(*p), location) == Relation::No;
        params.iter().all(is_apart).then_some(0)
    }
    /// True if a write there is visible outside this call of the function: to traps, calls or the caller.
    #[inline]
    pub(crate) fn is_visible(&self, location: &Location) -> bool {
        !self.is_private(location.root)
    }
    /// True if a write to this location cannot trap: it is in a stack object, an alloca or a data object that is not
    /// `const`, which accesses do not leave.
    pub fn is_writable(&self, decls: &Decls, location: &Location) -> bool {
        match location.root {
            Root::Object(_) | Root::Alloca(_) => true,
            Root::Symbol(s) => decls.data_of(s).is_some_and(|d| !d.constant),
            Root::Heap(_) | Root::NoAlias(_) | Root::Register(_) | Root::Absolute | Root::Unknown => false,
        }
    }
    /// True if a location is in `const` data, which is never written.
    pub(crate) fn is_never_written(&self, decls: &Decls, location: &Location) -> bool {
        match location.root {
            Root::Symbol(s) => decls.data_of(s).is_some_and(|d| d.constant),
            Root::Object(_)
            | Root::Alloca(_)
            | Root::Heap(_)
            | Root::NoAlias(_)
            | Root::Register(_)
            | Root::Absolute
            | Root::Unknown => false,
        }
    }
    /// Returns the relation of two locations: step 3.
    #[inline]
    pub(crate) fn relation(&self, decls: &Decls, a: &Location, b: &Location) -> Relation {
        match self.relation_of_addresses(decls, a, b) {
            Relation::May if a.differs_in_access_type(decls, b) || self.sets.are_apart(a.sets, b.sets) => Relation::No,
            relation => relation,
        }
    }
    fn relation_of_addresses(&self, decls: &Decls, a: &Location, b: &Location) -> Relation {
        if a.root == b.root {
            return a.compare_ranges(b);
        }
        // Two symbols that other modules may define may be the same object.
        let is_elsewhere = |s: Sym| decls.known_data(s).is_none() || decls.aliases.is_target(s);
        let two_extern = |s: Sym, t: Sym| is_elsewhere(s) && is_elsewhere(t);
        let apart = match (a.root, b.root) {
            (Root::Symbol(s), Root::Symbol(t)) => !two_extern(s, t),
            (x, y) if x.is_object() && y.is_object() => true,
            (x, _) if x.is_object() => self.is_beyond_reach(x, b),
            (_, y) if y.is_object() => self.is_beyond_reach(y, a),
            _ => a.size == Some(0) || b.size == Some(0),
        };
        if apart { Relation::No } else { Relation::May }
    }
    /// True if an object cannot be accessed at a location whose root is not an object.
    fn is_beyond_reach(&self, object: Root, location: &Location) -> bool {
        // As part of a sum, a parameter may be the smaller part of it.
        let parameter = match location.root {
            Root::Register(r) => location.index.is_none() && location.offset.is_some() && self.addresses.is_param(r),
            Root::Object(_)
            | Root::Symbol(_)
            | Root::Alloca(_)
            | Root::Heap(_)
            | Root::NoAlias(_)
            | Root::Absolute
            | Root::Unknown => false,
        };
        match object {
            Root::Object(_) => parameter || self.is_private(object),
            // `stack_restore` counts as a write everywhere, including the memory that it frees.
            Root::Alloca(_) => parameter || self.is_private(object) && !self.escaped.allocas_may_end(),
            Root::Heap(r) | Root::NoAlias(r) => parameter || !self.escaped.has_register(r),
            Root::Symbol(_) | Root::Register(_) | Root::Absolute | Root::Unknown => false,
        }
    }
    /// Returns the relation of a location that is written to another one. It is the same as [`AliasOracle::relation`],
    /// except that `const` data is never written, nor an `extern data` by a write to another one.
    pub(crate) fn write_relation(&self, decls: &Decls, written: &Location, location: &Location) -> Relation {
        match (written.root, location.root) {
            (Root::Symbol(s), Root::Symbol(t)) if s != t => Relation::No,
            _ if self.is_never_written(decls, location) => Relation::No,
            _ => self.relation(decls, written, location),
        }
    }
    /// True if an instruction may change the value at a location.
    pub fn clobbers(&self, decls: &Decls, f: &Function, i: Inst, location: &Location) -> bool {
        let mut clobbers = false;
        self.for_each_access(decls, f, i, |mode, access| {
            clobbers |= mode == Mode::Write && self.write_relation(decls, &access, location) != Relation::No;
        });
        clobbers
    }
    /// True if an instruction may change the value at a location in any iteration. `is_fixed` is true for registers
    /// with the same value in all iterations of its loop. The registers of the location are fixed.
    pub(crate) fn clobbers_in_any_iteration(
        &self,
        decls: &Decls,
        f: &Function,
        i: Inst,
        location: &Location,
        is_fixed: impl Fn(Reg) -> bool,
    ) -> bool {
        let mut clobbers = false;
        self.for_each_access(decls, f, i, |mode, access| {
            clobbers |=
                mode == Mode::Write && self.write_relation(decls, &access.widen(&is_fixed), location) != Relation::No;
        });
        clobbers
    }
    /// True if a load from a location cannot fault: it is at a constant offset inside a stack object, a data object
    /// that is defined here (as [`lies_in_data`] finds), or bytes that are promised to be `dereferenceable`.
    pub(crate) fn cannot_fault(&self, decls: &Decls, f: &Function, location: &Location) -> bool {
        location.constant_range().is_some_and(|(offset, len)| match location.root {
            Root::Object(o) => lies_within(offset, len, f.stack[o].size),
            Root::Symbol(s) => lies_in_data(decls, s, offset, len),
            Root::Alloca(r) | Root::Heap(r) | Root::NoAlias(r) | Root::Register(r) => {
                lies_within(offset, len, self.addresses.dereferenceable(f, r))
            }
            Root::Absolute | Root::Unknown => false,
        })
    }
    /// True if an instruction may read the value at a location.
    pub fn reads(&self, decls: &Decls, f: &Function, i: Inst, location: &Location) -> bool {
        let mut reads = false;
        self.for_each_access(decls, f, i, |mode, access| {
            reads |= mode == Mode::Read && self.relation(decls, &access, location) != Relation::No;
        });
        reads
    }
}
