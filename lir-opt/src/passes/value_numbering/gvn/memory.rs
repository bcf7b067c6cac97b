//! Versions of memory: when two loads of one location give the same value (step 5).
//!
//! A load is keyed by its location and by the *version* of the memory that it reads. With the option `mem=ssa` that is
//! the access of memory SSA where the clobber walk over phis ends: the last definition that may write to the location,
//! or a phi of several such. Let two loads of one location have one version C, the first dominating the second. C
//! dominates both; whenever control reaches the second, it has passed the first since it last passed C (else a path
//! from C to the second would avoid the first); and no path from C on writes to the location.
//!
//! With the option `mem=kill` versions are numbers that writes count up, for each class of locations:
//!
//! * a class for each stack object and each symbol that is written by name. The locations past the 45th share one;
//! * [`GENERIC`]: writes through addresses that are not known, and calls. They may meet every symbol, and every stack
//!   object whose address was taken, and no other stack object;
//! * [`SHARED`]: the memory that an address that is not known may read: all of these, written by name or not;
//! * a class for each of some [fields](super::fields) of memory that registers point to.
//!
//! A load by name reads the later of the versions of its class and of `GENERIC`, from a stack object whose address was
//! not taken the version of its class alone; one of a field with a class reads that class; any other load reads
//! `SHARED`. `const data` is never written.
//!
//! On entry to a block the versions are the ones at the end of its immediate dominator, except that the classes in the
//! block's [kill set](super::kill_sets) get a new one.
//!
//! With the option `mem=block` all classes get a new version on entry to every block: the simplest way, which needs
//! nothing about other blocks, and finds values loaded or stored twice in one block.

use super::fields::{ANY_FIELD, Fields, NotedWrite};
use super::kill_sets::{ClassSet, KillSets};
use super::named_memory::{Field, NamedMemory, memory_of};
use crate::analysis::alias::Location;
use crate::analysis::memory_ssa::Access;
use crate::analysis::{MemoryFacts, SsaView};
use crate::passes::value_numbering::written::{Written, for_each_written};
use lir_syntax::ir::{
    Base, Block, Cfg, Decls, DominatorTree, Effects, EntitySet, Format, Function, Inst, Obj, Opcode, SecondaryMap, Sym,
};

/// The class of writes to locations that are not known.
const GENERIC: u8 = 0;
/// The class of writes to any memory that an address that is not known may lead to.
const SHARED: u8 = 1;
const FIRST_CLASS: u8 = 2;
/// The class of all locations that come too late for one of their own.
const LAST_CLASS: u8 = ANY_FIELD - 1;

fn set(class: u8) -> ClassSet {
    1 << class
}

/// The view of memory: the option `mem`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum MemoryMode {
    /// By memory SSA.
    Ssa,
    /// By [`Versions`] that know the writes between a block and its dominator.
    Kill,
    /// By [`Versions`] that begin anew in each block.
    Block,
    /// Not at all.
    Off,
}

impl MemoryMode {
    /// True if memory is seen by [`Versions`].
    pub(super) fn has_versions(self) -> bool {
        matches!(self, MemoryMode::Kill | MemoryMode::Block)
    }
}

/// The present version of each class.
struct Current([u32; 64]);

impl Default for Current {
    fn default() -> Current {
        Current([0; 64])
    }
}

/// The versions of memory at the instruction that is visited, with `mem=kill` and `mem=block`.
#[derive(Default)]
pub(super) struct Versions {
    /// Stack objects whose addresses are taken.
    escaped: EntitySet<Obj>,
    class_of_obj: SecondaryMap<Obj, u8>,
    class_of_sym: SecondaryMap<Sym, u8>,
    /// The symbols that have a class.
    written_syms: Vec<Sym>,
    next_class: u8,
    /// The classes of locations that addresses that are not known may lead to.
    reachable: ClassSet,
    /// The writes of each block.
    writes: SecondaryMap<Block, ClassSet>,
    /// The writes in the order of the walk.
    noted: Vec<NotedWrite>,
    /// The writes of the block that is visited, so far.
    passed: ClassSet,
    fields: Fields,
    kills: KillSets,
    current: Current,
    next: u32,
    /// Classes and their versions before, to be restored.
    undo: Vec<(u8, u32)>,
    /// End of each open block's subtree in preorder, and the length of `undo` before it.
    scopes: Vec<(usize, usize)>,
}

/// The facts of the walk about the function.
#[derive(Copy, Clone)]
pub(super) struct Around<'a> {
    pub decls: &'a Decls,
    pub ssa: &'a SsaView,
    pub cfg: &'a Cfg,
    pub dom: &'a DominatorTree,
    pub memory: MemoryMode,
    /// Memory SSA, with `mem=ssa` and for remarks.
    pub facts: Option<MemoryFacts<'a>>,
    /// The option `sums`.
    pub sums: bool,
}

impl<'a> Around<'a> {
    /// Memory SSA, with `mem=ssa`.
    #[inline]
    pub(super) fn memory_ssa(&self) -> Option<MemoryFacts<'a>> {
        self.facts.filter(|_| self.memory == MemoryMode::Ssa)
    }
    /// Returns the version of memory SSA that a read of a location sees, by the knowledge of an oracle. `before` is the
    /// version at that point; the walk passes phis.
    pub(super) fn version_read(
        &self,
        facts: MemoryFacts<'_>,
        f: &Function,
        location: &Location,
        before: Access,
    ) -> Access {
        facts.clobber_over_phis((self.decls, f), self.ssa, location, before).access
    }
}

impl Versions {
    /// Looks at all that a function writes.
    pub(super) fn reset(&mut self, f: &Function, around: Around<'_>) {
        self.escaped.clear();
        self.class_of_obj.reset(f.stack.len());
        for s in self.written_syms.drain(..) {
            self.class_of_sym[s] = 0;
        }
        self.next_class = FIRST_CLASS;
        self.reachable = 0;
        self.writes.reset(f.num_blocks());
        self.current = Current::default();
        self.next = 0;
        self.undo.clear();
        self.scopes.clear();
        self.fields.clear();
        self.noted.clear();
        for &b in around.dom.preorder() {
            for i in f.layout().insts(b) {
                let d = f.inst(i);
                if d.op.effects().has(Effects::WRITES) {
                    let (written, field) = self.write_of(f, around, i);
                    self.noted.push(NotedWrite { block: b, written, field });
                } else if d.op == Opcode::Load {
                    if let NamedMemory::Field(field) = memory_of(f, around.ssa, around.sums, &f.mem(i), d.ty.bytes()) {
                        self.fields.note_load(field);
                    }
                } else if d.op.format() == Format::Address
                    && let Base::Obj(o) = f.mem(i).base
                {
                    self.escaped.insert(o);
                }
            }
        }
        // A class that several share represents locations of all kinds.
        self.reachable |= set(GENERIC) | set(LAST_CLASS);
        for o in self.escaped.iter() {
            self.reachable |= set(self.class_of_obj[o]);
        }
        self.fields.find_classes(&self.noted);
        for n in 0..self.noted.len() {
            let NotedWrite { block, written, field } = self.noted[n];
            self.writes[block] |= self.with_fields(written, field);
        }
        if !self.noted.is_empty() && around.memory == MemoryMode::Kill {
            self.kills.compute(f, around.cfg, around.dom, &self.writes);
        } else {
            self.kills.reset();
        }
    }
    /// Adds to the classes that an instruction writes the ones reachable with them, and the classes of fields.
    #[inline]
    fn with_fields(&self, written: ClassSet, field: Option<Field>) -> ClassSet {
        match written & self.reachable {
            0 => written,
            _ => written | set(SHARED) | self.fields.written_by(field.as_ref()),
        }
    }
    /// Returns the classes that an instruction writes by name, and `GENERIC`; and the field that it writes, and nothing
    /// else.
    #[inline]
    fn write_of(&mut self, f: &Function, around: Around<'_>, i: Inst) -> (ClassSet, Option<Field>) {
        let d = f.inst(i);
        if d.op != Opcode::Store {
            return (self.written_by(f, around, i), None);
        }
        match memory_of(f, around.ssa, around.sums, &f.mem(i), d.ty.bytes()) {
            NamedMemory::Field(field) => (set(GENERIC), Some(field)),
            memory => (self.written_at(memory), None),
        }
    }
    /// Returns the classes that an instruction other than a store writes.
    fn written_by(&mut self, f: &Function, around: Around<'_>, i: Inst) -> ClassSet {
        let mut classes = 0;
        for_each_written(around.decls, f, i, |written| {
            classes |= match written {
                Written::All => ClassSet::MAX,
                Written::Reachable => set(GENERIC),
                Written::At(m, _) => self.written_at(memory_of(f, around.ssa, around.sums, &m, 0)),
            };
        });
        classes
    }
    fn written_at(&mut self, memory: NamedMemory) -> ClassSet {
        let (class, reachable) = match memory {
            NamedMemory::Field(_) | NamedMemory::Unknown => return set(GENERIC),
            NamedMemory::Obj(o) => (&mut self.class_of_obj[o], self.escaped.contains(o)),
            NamedMemory::Sym(s) => {
                if self.class_of_sym[s] == 0 {
                    self.written_syms.push(s);
                }
                (&mut self.class_of_sym[s], true)
            }
        };
        if *class == 0 {
            *class = self.next_class;
            self.next_class = (self.next_class + 1).min(LAST_CLASS);
        }
        if reachable {
            self.reachable |= set(*class);
        }
        set(*class)
    }
    /// The walk enters the block at position `at` of the preorder.
    pub(super) fn enter(&mut self, at: usize, around: Around<'_>) {
        if around.memory == MemoryMode::Block {
            self.next += 1;
            self.current = Current([self.next; 64]);
            self.undo.clear();
            return;
        }
        let dom = around.dom;
        while let Some((_, mark)) = self.scopes.pop_if(|(end, _)| *end <= at) {
            while self.undo.len() > mark {
                let (class, version) = self.undo.pop().expect("there are more than the mark");
                self.current.0[usize::from(class)] = version;
            }
        }
        let b = dom.preorder()[at];
        self.scopes.push((dom.subtree(b).end, self.undo.len()));
        self.renew(self.kills.of(b));
    }
    /// Gives the classes a new version.
    fn renew(&mut self, mut classes: ClassSet) {
        if classes == 0 {
            return;
        }
        self.next += 1;
        while classes != 0 {
            let class = classes.trailing_zeros() as usize;
            self.undo.push((class as u8, self.current.0[class]));
            self.current.0[class] = self.next;
            classes &= classes - 1;
        }
    }
    /// The walk has passed an instruction that may write.
    pub(super) fn pass(&mut self, f: &Function, around: Around<'_>, i: Inst) {
        let (written, field) = self.write_of(f, around, i);
        let written = self.with_fields(written, field);
        self.passed |= written;
        self.renew(written);
    }
    /// Notes that the walk leaves a block. Returns true if the block writes to other locations than was assumed at the
    /// beginning.
    pub(super) fn leave(&mut self, b: Block) -> bool {
        std::mem::take(&mut self.passed) != self.writes[b]
    }
    /// True if more may be known of memory in another iteration.
    pub(super) fn is_limited(&self) -> bool {
        self.fields.is_limited()
    }
    /// Returns the version that a load reads, or one that comes right after a store.
    pub(super) fn of(&mut self, f: &Function, around: Around<'_>, i: Inst) -> u32 {
        let generic = self.current.0[usize::from(GENERIC)];
        let own = |class: u8| if class == 0 { 0 } else { self.current.0[usize::from(class)] };
        let d = f.inst(i);
        match memory_of(f, around.ssa, around.sums, &f.mem(i), d.ty.bytes()) {
            NamedMemory::Field(_) if !around.sums && self.fields.is_empty() => self.shared(),
            NamedMemory::Obj(o) if self.escaped.contains(o) => own(self.class_of_obj[o]).max(generic),
            NamedMemory::Obj(o) => own(self.class_of_obj[o]),
            NamedMemory::Sym(s) if around.decls.data_of(s).is_some_and(|d| d.constant) => 0,
            NamedMemory::Sym(s) => own(self.class_of_sym[s]).max(generic),
            NamedMemory::Field(field) => {
                let class = self.fields.class_of(&field);
                if around.sums && class.is_none() {
                    self.fields.look_again(&field, d.op == Opcode::Load);
                }
                class.map_or(self.shared(), |class| own(class).max(own(ANY_FIELD)))
            }
            NamedMemory::Unknown => self.shared(),
        }
    }
    /// Returns the version of all that a callee may read.
    pub(super) fn shared(&self) -> u32 {
        self.current.0[usize::from(SHARED)]
    }
}
