//! Step 3: stores to stack objects that did not escape, which nothing reads any more.

use super::{View, is_plain_write};
use crate::analysis::alias::{Location, Mode, Root};
use crate::analysis::memory_ssa::{Access, AccessKind, Users};
use crate::remarks::Remarks;
use lir_syntax::ir::{EntitySet, Function, Inst, Obj, SecondaryMap};

/// How many users of versions are followed from one store.
const MAX_USERS: u32 = 100;

/// The tables of the step.
#[derive(Default)]
pub(super) struct Unread {
    users: Users,
    /// Objects that are read anywhere.
    read: EntitySet<Obj>,
    /// For each version the last search that came to it.
    seen: SecondaryMap<Access, u32>,
    work: Vec<Access>,
}

impl Unread {
    /// Removes the stores that nothing reads. Returns how many.
    pub fn remove(&mut self, f: &mut Function, view: &View<'_>, remarks: &mut Remarks) -> u64 {
        let alias = view.facts.alias;
        if f.stack_objects().all(|(o, _)| alias.escapes(o)) {
            return 0;
        }
        let insts = f.layout().blocks().flat_map(|b| f.layout().insts(b));
        let stores: Vec<(Inst, Obj)> = insts
            .filter(|i| is_plain_write(f, *i) && view.copies_safely(f, *i))
            .filter_map(|i| Some((i, private_object(view, &view.place(f, i))?)))
            .collect();
        if stores.is_empty() {
            return 0;
        }
        self.find_read_objects(f, view);
        self.users.recompute(view.facts.memory, view.facts.cfg);
        self.seen.reset(view.facts.memory.num_accesses());
        let mut removed = 0;
        for (k, (i, o)) in stores.into_iter().enumerate() {
            if !self.read.contains(o) || self.first_reader(f, view, i, k as u32 + 1) == Reader::None {
                remarks.done(f, i, "dead-store", |m| {
                    m.obj(o).text(" does not escape, and nothing reads this any more");
                });
                f.remove_inst(i);
                removed += 1;
            }
        }
        removed
    }
    fn find_read_objects(&mut self, f: &Function, view: &View<'_>) {
        self.read.clear();
        for i in f.layout().blocks().flat_map(|b| f.layout().insts(b)) {
            if view.facts.memory.access_of(i).is_some() {
                view.facts.alias.for_each_access(view.decls, f, i, |mode, access| {
                    if let (Mode::Read, Some(o)) = (mode, private_object(view, &access)) {
                        self.read.insert(o);
                    }
                });
            }
        }
    }
    /// Whether something reads what a store wrote. `search` numbers the calls, from 1.
    fn first_reader(&mut self, f: &Function, view: &View<'_>, store: Inst, search: u32) -> Reader {
        let memory = view.facts.memory;
        // Registers may hold other values after a phi.
        let place = view.place(f, store).widen(|_| false);
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
                        if view.facts.alias.reads(view.decls, f, i, &place) {
                            return Reader::Some;
                        }
                        !overwrites(f, view, i, &place)
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

/// Who reads what a store wrote.
#[derive(PartialEq, Eq)]
enum Reader {
    Some,
    None,
    /// There were too many users.
    Unknown,
}

/// The stack object of a place, where nobody else sees it.
fn private_object(view: &View<'_>, place: &Location) -> Option<Obj> {
    match place.root {
        Root::Object(o) if !view.facts.alias.escapes(o) => Some(o),
        Root::Object(_) | Root::Symbol(_) | Root::Alloca(_) | Root::Register(_) | Root::Absolute | Root::Unknown => {
            None
        }
    }
}

fn overwrites(f: &Function, view: &View<'_>, i: Inst, place: &Location) -> bool {
    let writes = is_plain_write(f, i);
    writes && view.facts.alias.relation(view.decls, &view.place(f, i), place).covers()
}
