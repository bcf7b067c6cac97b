//! Removal of definitions that cannot be reached from outside (`global-dce`).
//!
//! Removes `local` functions and data to which no remaining definition refers, and instructions that only write to such
//! data.
//!
//! # Example
//!
//! ```text
//! local data @used = { i32 7 }                 local data @used = { i32 7 }
//! local data @calls = { i32 0 }
//! local data @table = { i64 @helper }
//! local func @helper() {
//! entry:
//!   call @helper()                      =>
//!   ret
//! }
//! func @f() -> i32 {                           func @f() -> i32 {
//! entry:                                       entry:
//!   store i32 [@calls], 1
//!   %x = load i32 [@used]                        %x = load i32 [@used]
//!   ret %x                                       ret %x
//! }                                            }
//! ```
//!
//! # Algorithm
//!
//! 1. The roots: definitions that are visible outside of the module, definitions in a section of their own choice
//!    (their contents may be found by the section alone: `.init_array`), and the entry points: the ones that the user
//!    of the pass names, and `@main`, or if there is none the first function, with which a flat image begins
//!    ([`ModuleContext::is_visible`]).
//! 2. From these, everything that the instructions of a function and the items of a data object refer to stays as well;
//!    except that the stores to a data object, and the addresses that are made for them alone, are not references: see
//!    `written_only`.
//! 3. The other definitions are removed, and these stores with them.
//!
//! # Why it is sound
//!
//! Only the module can name a `local` symbol. A function or object is used by calling it or by its address, and both
//! name its symbol. A store is not observed if its memory is never loaded: an observer from outside, a debugger aside,
//! finds an object by its name or by an address that was handed out.
//!
//! # Cost and limits
//!
//! Linear in the instructions and items of the remaining definitions. Addresses of data are not followed through phis
//! and `select`. Declarations stay: they cost nothing, and describe other modules. Types stay. A reference in code that
//! is never executed counts.
//!
//! The ids of functions and data objects are dense, so those that are left get new ones; symbols keep theirs.
//!
//! # Source
//!
//! Folklore: marking from roots, J. McCarthy, "Recursive Functions of Symbolic Expressions", CACM 3(4), 1960, section
//! 4; LLVM's `globaldce`.

mod events;
mod written_only;

use crate::analysis::Preserved;
use crate::analysis::call_graph::Callee;
use crate::pass::remarks::{AtLoc, Common};
use crate::pass::{ModuleContext, ModulePass, Pass, PassInfo};
use crate::passes::global_dce::events::Event;
use lir_syntax::ir::{
    Base, DataItem, Decls, EntityRef, EntitySet, FuncId, Function, Inst, Item, Linkage, Module, PackedOption,
    PrimaryMap, SecondaryMap, Sym, SymKind, Visibility,
};
use written_only::Writers;

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "global-dce",
    summary: "remove unreferenced local functions and data, except @main or, without one, the first function",
    options: &[],
    build: |_| Pass::Module(Box::new(GlobalDce)),
};

struct GlobalDce;

impl ModulePass for GlobalDce {
    fn run(&self, module: &mut Module, cx: &mut ModuleContext<'_>) -> Preserved {
        let mut marks = Marks { listens: cx.remarks.on(), ..Marks::default() };
        marks.roots(module, cx);
        marks.spread(module);
        for (s, why) in &marks.reasons {
            if let Some(f) = module.decls.body(*s).map(|id| &module.funcs[id]) {
                cx.remarks.missed(f, f.terminator(f.entry()), *why);
            }
        }
        let Marks { stays, objects, writing, mut writers, .. } = marks;
        let is_removed = |s: Sym| module.decls.has_contents(s) && !stays.contains(s);
        let removed: Vec<Sym> = module.decls.syms.keys().filter(|s| is_removed(*s)).collect();
        if removed.is_empty() {
            return Preserved::All;
        }
        for &s in &removed {
            match module.decls.body(s) {
                Some(id) => {
                    cx.stats.add("functions removed", 1);
                    let f = &module.funcs[id];
                    let first = f.terminator(f.entry());
                    cx.remarks.done(f, first, Event::NothingRefersTo(s));
                }
                None => cx.stats.add("data objects removed", 1),
            }
        }
        for id in writing {
            let Module { decls, funcs, .. } = module;
            remove_writes(decls, &mut funcs[id], (&objects, &stays), &mut writers, cx);
        }
        remove(module, &removed.into_iter().collect());
        Preserved::None
    }
}

#[derive(Default)]
struct Marks {
    stays: EntitySet<Sym>,
    /// The symbols whose references were not followed.
    work: Vec<Sym>,
    /// Data objects that may be removed although they are written to.
    objects: EntitySet<Sym>,
    /// The remaining functions that refer to such objects.
    writing: Vec<FuncId>,
    writers: Writers,
    /// The members of `objects` that the current function names.
    named: Vec<(Sym, Inst)>,
    /// True if remarks are to give the reason that functions stay: then this is it.
    listens: bool,
    reasons: Vec<(Sym, Event)>,
}

impl Marks {
    fn mark(&mut self, s: Sym, reason: Option<Event>) {
        if self.stays.insert(s) {
            self.work.push(s);
            self.reasons.extend(reason.filter(|_| self.listens).map(|why| (s, why)));
        }
    }
    /// Step 1.
    fn roots(&mut self, module: &Module, cx: &ModuleContext<'_>) {
        for item in &module.items {
            let (sym, section) = match *item {
                Item::Func(id) => (module.funcs[id].sym, &module.funcs[id].section),
                Item::Data(id) => (module.decls.data[id].sym, &module.decls.data[id].section),
                // The targets of aliases are visible.
                Item::Type(_) | Item::ExternFunc(_) | Item::File(_) | Item::Alias(_) => continue,
                Item::AccessType(_) | Item::DebugType(_) => continue,
            };
            // The linker keeps one of several definitions, so this module needs its own only if it refers to it.
            let is_optional =
                module.decls.syms[sym].linkage == Linkage::LinkOnce && !module.decls.aliases.is_target(sym);
            if cx.is_visible(&module.decls, sym) && !is_optional {
                self.mark(sym, None);
            } else if section.is_some() {
                self.mark(sym, Some(Common::HasASection(sym).into()));
            } else if module.decls.data_of(sym).is_some_and(|d| !d.constant && !d.is_extern) {
                self.objects.insert(sym);
            }
        }
    }
    /// Step 2.
    fn spread(&mut self, module: &Module) {
        while let Some(s) = self.work.pop() {
            match module.decls.syms[s].kind {
                SymKind::Func { body: Some(id), .. } => self.function(module, id),
                SymKind::Func { body: None, .. } => {}
                SymKind::Data(id) => {
                    for item in &module.decls.data[id].items {
                        if let DataItem::Addr(to, _) = item {
                            self.mark(*to, Some(Common::ReferredTo(s, *to).into()));
                        }
                    }
                }
            }
        }
    }
    fn function(&mut self, module: &Module, id: FuncId) {
        let f = &module.funcs[id];
        let why = |s: Sym, i: Inst| Some(Event::ReferredToBy(f.sym, s, AtLoc(f.loc_of(i))));
        let mut named = std::mem::take(&mut self.named);
        named.clear();
        for i in f.layout().all_insts() {
            f.for_each_mem(i, |m| match m.base {
                Base::Sym(s) if self.objects.contains(s) => named.push((s, i)),
                Base::Sym(s) => self.mark(s, why(s, i)),
                Base::Reg(_) | Base::Obj(_) | Base::None => {}
            });
            if let Some(Callee::Symbol(s)) = Callee::of(f, i) {
                self.mark(s, why(s, i));
            }
        }
        if !named.is_empty() && self.writers.may_have_writes(&module.decls, f, &self.objects) {
            self.writing.push(id);
            self.uses(&module.decls, f);
        } else {
            named.iter().for_each(|(s, i)| self.mark(*s, why(*s, *i)));
        }
        self.named = named;
    }
    /// Marks the members of `objects` that a function does not only write to.
    fn uses(&mut self, decls: &Decls, f: &Function) {
        let Marks { stays, work, objects, writers, .. } = self;
        writers.recompute(f, objects);
        for i in f.layout().all_insts() {
            writers.for_each_use(decls, f, i, objects, |s| {
                if stays.insert(s) {
                    work.push(s);
                }
            });
        }
    }
}

/// The part of step 3 in functions: removes instructions that only write to objects that do not stay.
fn remove_writes(
    decls: &Decls,
    f: &mut Function,
    (objects, stays): (&EntitySet<Sym>, &EntitySet<Sym>),
    writers: &mut Writers,
    cx: &mut ModuleContext<'_>,
) {
    writers.recompute(f, objects);
    for b in f.layout().blocks().collect::<Vec<_>>() {
        let mut next = f.layout().first_inst(b);
        while let Some(i) = next {
            next = f.layout().next_inst(i);
            if let Some(s) = writers.object_of(decls, f, i, objects).filter(|s| !stays.contains(*s)) {
                cx.remarks.done(f, i, Event::NeverRead(s));
                f.remove_inst(i);
                cx.stats.add("instructions removed that only wrote to data", 1);
            }
        }
    }
}

/// Step 3. A symbol that is removed stays in the table of symbols, as the symbol of a function that no item declares.
fn remove(module: &mut Module, removed: &EntitySet<Sym>) {
    let Module { decls, funcs, items } = module;
    let old_funcs: Vec<Sym> = funcs.values().map(|f| f.sym).collect();
    let new_funcs = retain(funcs, |f| !removed.contains(f.sym));
    let new_data = retain(&mut decls.data, |d| !removed.contains(d.sym));
    let inlined = inlined(funcs, removed);
    let renumber = |item: &Item| match *item {
        Item::Func(id) => {
            let declared = || Some(old_funcs[id.index()]).filter(|s| inlined.contains(*s)).map(Item::ExternFunc);
            new_funcs[id].expand().map(Item::Func).or_else(declared)
        }
        Item::Data(id) => new_data[id].expand().map(Item::Data),
        Item::Type(_) | Item::ExternFunc(_) | Item::File(_) | Item::Alias(_) => Some(*item),
        Item::AccessType(_) | Item::DebugType(_) => Some(*item),
    };
    *items = items.iter().filter_map(renumber).collect();
    // There may be a declaration next to a definition.
    items.retain(|item| !matches!(item, Item::ExternFunc(s) if removed.contains(*s) && !inlined.contains(*s)));
    for s in removed.iter() {
        let sig = if inlined.contains(s) { decls.signature(s).cloned() } else { None };
        decls.syms[s].kind = SymKind::Func { sig: sig.unwrap_or_default(), body: None };
        decls.syms[s].linkage = if inlined.contains(s) { Linkage::Global } else { Linkage::Local };
        decls.syms[s].visibility = Visibility::Default;
    }
    for (id, f) in funcs.iter() {
        if let SymKind::Func { body, .. } = &mut decls.syms[f.sym].kind {
            *body = Some(id);
        }
    }
    // An `extern` object of the same symbol may follow the definition.
    for sym in decls.syms.as_mut_slice() {
        if let SymKind::Data(id) = &mut sym.kind {
            *id = new_data[*id].expand().expect("the symbol is not removed");
        }
    }
}

/// Returns the functions among `removed` that locations in the front end's source name, since they were inlined: they
/// are declared from then on.
fn inlined(funcs: &PrimaryMap<FuncId, Function>, removed: &EntitySet<Sym>) -> EntitySet<Sym> {
    let of_function = |f: &Function| f.origins.named_callees(f.layout().all_insts().map(|i| f.debug_loc(i)));
    funcs.values().flat_map(of_function).filter(|callee| removed.contains(*callee)).collect()
}

/// Keeps some values of a map. The new id of each that was kept.
fn retain<K: EntityRef, V>(map: &mut PrimaryMap<K, V>, keep: impl Fn(&V) -> bool) -> SecondaryMap<K, PackedOption<K>> {
    let mut new = SecondaryMap::with_len(PackedOption::NONE, map.len());
    let mut old = map.keys();
    let mut kept = 0;
    map.retain(|v| {
        let k = old.next().expect("each value has a key");
        let stays = keep(v);
        if stays {
            new[k] = K::new(kept).into();
            kept += 1;
        }
        stays
    });
    new
}
