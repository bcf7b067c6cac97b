//! The list of items: V2, as far as it requires that a module's text declares each thing in the module, and once.

use super::{Rule, Sink};
use crate::ir::function::NO_LOC;
use crate::ir::module::{AggBody, MemberType};
use crate::ir::{AccessType, Agg, AliasId, DataId, DebugType, Decls, EntityRef, EntitySet, Item, Module, Sym, SymKind};
use std::fmt::Debug;

/// The declarations of the items seen so far.
#[derive(Default)]
struct Declared {
    types: EntitySet<Agg>,
    files: EntitySet<crate::ir::SourceFile>,
    aliases: EntitySet<AliasId>,
    access_types: EntitySet<AccessType>,
    debug_types: EntitySet<DebugType>,
    data: EntitySet<DataId>,
    syms: EntitySet<Sym>,
}

/// Checks the items of a whole module.
pub(super) fn check_items(module: &Module, sink: &mut Sink) {
    let decls = &module.decls;
    let mut declared = Declared::default();
    for &item in &module.items {
        let exists = match item {
            Item::Type(agg) => decls.types.get(agg).is_some(),
            Item::Data(id) => decls.data.get(id).is_some_and(|d| decls.syms.get(d.sym).is_some()),
            Item::ExternFunc(sym) => is_function(decls, sym),
            Item::File(file) => decls.files.get(file).is_some(),
            Item::Alias(alias) => decls.aliases.get(alias).is_some(),
            Item::AccessType(t) => decls.access_types.get(t).is_some(),
            Item::DebugType(t) => decls.debug_types.get(t).is_some(),
            Item::Func(id) => module.funcs.get(id).is_some_and(|f| is_function(decls, f.sym)),
        };
        if !exists {
            sink.report(Rule::Tables, NO_LOC, format_args!("item {item:?} does not exist"));
        } else if !declared.add(module, item) {
            sink.report(Rule::Tables, NO_LOC, format_args!("item {item:?} was declared before, or as another one"));
        } else if let Item::ExternFunc(sym) = item
            && is_local_without_body(decls, sym)
        {
            let (data, name) = (&decls.syms[sym], decls.syms[sym].name.escape_ascii());
            sink.report(Rule::Attributes, data.loc, format_args!("`@{name}` is local and has no body"));
        }
    }
    let mut missing = |what: &str, id: &dyn Debug| {
        sink.report(Rule::Tables, NO_LOC, format_args!("{what} {id:?} is no item of the module"));
    };
    decls.aliases.all().filter(|(a, _)| !declared.aliases.contains(*a)).for_each(|(a, _)| missing("alias", &a));
    let undeclared = |t: &AccessType| !declared.access_types.contains(*t);
    decls.access_types.all().map(|(t, _)| t).filter(undeclared).for_each(|t| missing("access type", &t));
    let undeclared = |t: &DebugType| !declared.debug_types.contains(*t);
    decls.debug_types.all().map(|(t, _)| t).filter(undeclared).for_each(|t| missing("debug type", &t));
    decls.types.keys().filter(|t| !declared.types.contains(*t)).for_each(|t| missing("type", &t));
    decls.files.keys().filter(|f| !declared.files.contains(*f)).for_each(|f| missing("file", &f));
    // A pass that removes a local symbol leaves it in the table as a function without a body.
    let is_there = |s: &Sym| declared.syms.contains(*s) || is_local_without_body(decls, *s);
    decls.syms.keys().filter(|s| !is_there(s)).for_each(|s| missing("symbol", &s));
    if let Some(agg) = type_in_itself(decls) {
        let name = decls.types[agg].name.escape_ascii();
        sink.report(Rule::Types, NO_LOC, format_args!("type `:{name}` contains itself"));
    }
}

impl Declared {
    /// Notes the declaration of an item. False if the text of the module could not declare it: it is declared already,
    /// or is another.
    fn add(&mut self, module: &Module, item: Item) -> bool {
        let decls = &module.decls;
        match item {
            Item::Type(agg) => self.types.insert(agg),
            Item::File(file) => self.files.insert(file),
            Item::Alias(alias) => self.aliases.insert(alias),
            Item::AccessType(t) => self.access_types.insert(t),
            Item::DebugType(t) => self.debug_types.insert(t),
            Item::Data(id) => self.data.insert(id) && self.add_data(decls, id),
            // A definition is the same function as its declarations.
            Item::ExternFunc(sym) => {
                if decls.body(sym).is_none() {
                    self.syms.insert(sym);
                }
                true
            }
            Item::Func(id) => {
                let sym = module.funcs[id].sym;
                decls.body(sym) == Some(id) && self.syms.insert(sym)
            }
        }
    }
    /// The data object that a symbol means is declared by itself; others of the symbol repeat that it is `extern`.
    fn add_data(&mut self, decls: &Decls, id: DataId) -> bool {
        let data = &decls.data[id];
        let SymKind::Data(meant) = decls.syms[data.sym].kind else { return false };
        if meant == id {
            return self.syms.insert(data.sym);
        }
        let Some(other) = decls.data.get(meant) else { return false };
        let is_alike = (data.section.as_ref(), data.explicit_align) == (other.section.as_ref(), other.explicit_align);
        data.is_extern
            && data.items.is_empty()
            && (data.thread, data.constant) == (other.thread, other.constant)
            && (!other.is_extern || is_alike)
    }
}

fn is_local_without_body(decls: &Decls, sym: Sym) -> bool {
    decls.syms[sym].is_local() && is_function(decls, sym) && decls.body(sym).is_none()
}

pub(super) fn is_function(decls: &Decls, sym: Sym) -> bool {
    decls.signature(sym).is_some()
}

/// Returns a type that contains itself, if there is one. Types whose members were there before them do not.
fn type_in_itself(decls: &Decls) -> Option<Agg> {
    let members = |agg: Agg| {
        let members = match &decls.types[agg].body {
            AggBody::Struct { members, .. } | AggBody::Union(members) => members.as_slice(),
            AggBody::Opaque(_) | AggBody::Vector => &[],
        };
        members.iter().filter_map(|(m, _)| match *m {
            MemberType::Agg(inner) if decls.types.get(inner).is_some() => Some(inner),
            MemberType::Agg(_) | MemberType::Scalar(_) => None,
        })
    };
    if decls.types.keys().all(|agg| members(agg).all(|inner| inner < agg)) {
        return None;
    }
    // Types whose members are done are done, until no more are: the remaining ones lead into a cycle.
    let mut left = vec![0usize; decls.types.len()];
    let mut users = vec![Vec::new(); decls.types.len()];
    for agg in decls.types.keys() {
        for inner in members(agg) {
            left[agg.index()] += 1;
            users[inner.index()].push(agg);
        }
    }
    let mut done: Vec<Agg> = decls.types.keys().filter(|agg| left[agg.index()] == 0).collect();
    while let Some(inner) = done.pop() {
        for &user in &users[inner.index()] {
            left[user.index()] -= 1;
            if left[user.index()] == 0 {
                done.push(user);
            }
        }
    }
    decls.types.keys().find(|agg| left[agg.index()] != 0)
}
