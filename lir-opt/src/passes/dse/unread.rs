//! Step 3: stores to stack objects and allocas that did not escape, which nothing reads any more.

use super::{View, is_plain_write};
use crate::analysis::alias::{Location, Mode, Root};
use crate::analysis::memory_ssa::{Access, AccessKind, Users};
use crate::pass::remarks::{Remarks, Said};
use crate::passes::dse::events::Event;
use lir_syntax::ir::{CallResult, EntitySet, Format, Function, Inst, Obj, Reg, SecondaryMap};

/// Limit on the users of versions that are followed from one store.
const MAX_USERS: u32 = 100;

/// Scratch memory of the step, kept from function to function.
#[derive(Default)]
pub(super) struct Unread {
    users: Users,
    /// Objects and allocas that are read anywhere.
    read_objects: EntitySet<Obj>,
    read_allocas: EntitySet<Reg>,
    /// For each version the last search that came to it.
    seen: SecondaryMap<Access, u32>,
    work: Vec<Access>,
}

impl Unread {
    /// Removes the stores that nothing reads. Returns their number.
    pub fn remove(&mut self, f: &mut Function, view: &View<'_>, remarks: &mut Remarks) -> u64 {
        let alias = view.facts.alias;
        if alias.private_roots(f).next().is_none() {
            return 0;
        }
        let insts = f.layout().all_insts();
        let stores: Vec<(Inst, Root)> = insts
            .filter(|i| is_plain_write(f, *i) && view.copies_safely(f, *i))
            .map(|i| (i, view.location(f, i).root))
            .filter(|(_, root)| alias.is_private(*root))
            .collect();
        if stores.is_empty() {
            return 0;
        }
        self.find_reads(f, view);
        self.users.recompute(view.facts.memory, view.facts.cfg);
        self.seen.reset(view.facts.memory.num_accesses());
        let mut removed = 0;
        for (k, (i, root)) in stores.into_iter().enumerate() {
            if !self.is_read(root) || self.first_reader(f, view, i, k as u32 + 1) == Reader::None {
                let object: &dyn Said = match &root {
                    Root::Object(o) => o,
                    Root::Alloca(r) => r,
                    Root::Symbol(_)
                    | Root::Heap(_)
                    | Root::NoAlias(_)
                    | Root::Register(_)
                    | Root::Absolute
                    | Root::Unknown => &"",
                };
                remarks.done(f, i, Event::Unread(object));
                if let Root::Object(o) = root {
                    f.note_stale(o);
                }
                f.remove_inst(i);
                removed += 1;
            }
        }
        removed
    }
    fn find_reads(&mut self, f: &Function, view: &View<'_>) {
        self.read_objects.clear();
        self.read_allocas.clear();
        for i in f.layout().all_insts() {
            if view.facts.memory.access_of(i).is_some() {
                view.facts.alias.for_each_access(view.decls, f, i, |mode, access| match access.root {
                    Root::Object(o) if mode == Mode::Read => _ = self.read_objects.insert(o),
                    Root::Alloca(r) if mode == Mode::Read => _ = self.read_allocas.insert(r),
                    _ => {}
                });
            }
        }
    }
    fn is_read(&self, root: Root) -> bool {
        match root {
            Root::Object(o) => self.read_objects.contains(o),
            Root::Alloca(r) => self.read_allocas.contains(r),
            Root::Symbol(_) | Root::Heap(_) | Root::NoAlias(_) | Root::Register(_) | Root::Absolute | Root::Unknown => {
                true
            }
        }
    }
    /// Finds out whether something reads the value that a store wrote. `search` numbers the calls, from 1.
    fn first_reader(&mut self, f: &Function, view: &View<'_>, store: Inst, search: u32) -> Reader {
        let memory = view.facts.memory;
        // Registers may hold other values after a phi.
        let location = view.location(f, store).widen(|_| false);
        self.work.clear();
        self.work.extend(memory.access_of(store));
        let mut left = MAX_USERS;
        while let Some(version) = self.work.pop() {
            for &user in self.users.of(version) {
                if left == 0 {
                    return Reader::Unknown;
                }
                left -= 1;
                let goes_on = match memory.kind(user) {
                    AccessKind::Phi(_) => true,
                    AccessKind::OnEntry => false,
                    AccessKind::Def(i) | AccessKind::Use(i) if f.layout().block_of(i).is_none() => true,
                    AccessKind::Def(i) | AccessKind::Use(i) => {
                        if view.facts.alias.reads(view.decls, f, i, &location) {
                            return Reader::Some;
                        }
                        !overwrites(f, view, i, &location)
                    }
                };
                if goes_on && std::mem::replace(&mut self.seen[user], search) != search {
                    self.work.push(user);
                }
            }
        }
        Reader::None
    }
}

/// The reader of a stored value.
#[derive(PartialEq, Eq)]
enum Reader {
    Some,
    None,
    /// There were too many users.
    Unknown,
}

/// True if an instruction writes all of a location in private memory: a store, or a call whose result is an aggregate.
/// If the call does not come back, the location is not observed.
fn overwrites(f: &Function, view: &View<'_>, i: Inst, location: &Location) -> bool {
    let alias = view.facts.alias;
    let written = if is_plain_write(f, i) {
        view.location(f, i)
    } else if f.inst(i).op.format() == Format::Call
        && let CallResult::Agg(agg, m) = f.call_result(i)
    {
        alias.location_of(m, Some(view.decls.types[agg].size))
    } else {
        return false;
    };
    alias.relation(view.decls, &written, location).covers()
}
