//! Kinds that remove items of a module, and the directives about them.

use super::cut::{disable, end_in_return, insts, refers_to};
use super::kind::Ask;
use crate::document::{Document, RunParts};
use lir_syntax::ir::{Base, DataItem, EntitySet, Item, Sym, Type};

/// Removes directive lines.
pub(super) fn lines(document: &mut Document, ask: &mut Ask<'_>) {
    document.lines.retain(|_| !ask.drops());
}

/// Removes functions with a body.
pub(super) fn functions(document: &mut Document, ask: &mut Ask<'_>) {
    drop_items(document, ask, |item| matches!(item, Item::Func(_)));
}

/// Removes data objects, also `extern` ones.
pub(super) fn data(document: &mut Document, ask: &mut Ask<'_>) {
    drop_items(document, ask, |item| matches!(item, Item::Data(_)));
}

/// Removes declarations of functions.
pub(super) fn externs(document: &mut Document, ask: &mut Ask<'_>) {
    drop_items(document, ask, |item| matches!(item, Item::ExternFunc(_)));
}

/// Removes types and access types. If one is still in use, the result is not well-formed, and the verifier rejects it.
pub(super) fn types(document: &mut Document, ask: &mut Ask<'_>) {
    document
        .module
        .items
        .retain(|item| !(matches!(item, Item::Type(_) | Item::AccessType(_) | Item::DebugType(_)) && ask.drops()));
}

/// Removes items, and everything that refers to their symbols. A symbol that another item declares too stays.
fn drop_items(document: &mut Document, ask: &mut Ask<'_>, which: impl Fn(&Item) -> bool) {
    let module = &mut document.module;
    let sym_of = |item: &Item| match *item {
        Item::Func(id) => Some(module.funcs[id].sym),
        Item::Data(id) => Some(module.decls.data[id].sym),
        Item::ExternFunc(sym) => Some(sym),
        Item::Alias(id) => module.decls.aliases.get(id).map(|a| a.sym),
        Item::Type(_) | Item::File(_) | Item::AccessType(_) | Item::DebugType(_) => None,
    };
    let mut gone: EntitySet<Sym> = EntitySet::new();
    let mut kept = Vec::new();
    for item in &module.items {
        if let Some(sym) = sym_of(item).filter(|_| which(item) && ask.drops()) {
            gone.insert(sym);
        } else {
            kept.push(*item);
        }
    }
    if kept.len() == module.items.len() {
        return;
    }
    for sym in kept.iter().filter_map(sym_of) {
        gone.remove(sym);
    }
    module.items = kept;
    forget(document, &gone);
}

/// Removes references to symbols: instructions, addresses in data, directive lines.
pub(super) fn forget(document: &mut Document, gone: &EntitySet<Sym>) {
    let module = &mut document.module;
    for f in module.funcs.as_mut_slice() {
        for i in insts(f) {
            if refers_to(f, i, |base| matches!(base, Base::Sym(s) if gone.contains(s))) {
                disable(f, i);
            }
        }
    }
    for object in module.decls.data.as_mut_slice().iter_mut() {
        for item in &mut object.items {
            if matches!(item, DataItem::Addr(sym, _) if gone.contains(*sym)) {
                *item = DataItem::Scalar(Type::I64, 0);
            }
        }
    }
    let names: Vec<&[u8]> = gone.iter().map(|s| &*module.decls.syms[s].name).collect();
    document.lines.retain(|line| RunParts::of(line).is_none_or(|p| !names.contains(&p.bytes())));
}

/// Makes functions of more than one instruction return 0 at once.
pub(super) fn bodies(document: &mut Document, ask: &mut Ask<'_>) {
    let decls = &document.module.decls;
    for f in document.module.funcs.as_mut_slice() {
        let all = insts(f);
        if all.len() < 2 || !ask.drops() {
            continue;
        }
        let entry = f.entry();
        let others: Vec<_> = f.layout().blocks().skip(1).collect();
        others.into_iter().for_each(|b| f.remove_block(b));
        let inside: Vec<_> = f.layout().insts(entry).collect();
        inside.into_iter().for_each(|i| f.remove_inst(i));
        end_in_return(decls, f, entry);
    }
}

/// Makes the contents of data objects zeros.
pub(super) fn zero_data(document: &mut Document, ask: &mut Ask<'_>) {
    for object in document.module.decls.data.as_mut_slice().iter_mut() {
        if !object.items.iter().all(|i| matches!(i, DataItem::Zero(_))) && ask.drops() {
            let (size, align) = (object.size(), object.align());
            object.explicit_align = object.explicit_align.or((align > 1).then_some(align));
            object.items = vec![DataItem::Zero(size)];
        }
    }
}

/// Removes single pieces of data objects; one stays.
pub(super) fn data_items(document: &mut Document, ask: &mut Ask<'_>) {
    for object in document.module.decls.data.as_mut_slice().iter_mut() {
        if object.items.len() < 2 {
            continue;
        }
        let mut kept = object.items.clone();
        kept.retain(|_| !ask.drops());
        if !kept.is_empty() {
            object.items = kept;
        }
    }
}

/// Halves runs of zeros in data objects, and strings.
pub(super) fn halve_zeros(document: &mut Document, ask: &mut Ask<'_>) {
    for item in document.module.decls.data.as_mut_slice().iter_mut().flat_map(|d| &mut d.items) {
        match item {
            DataItem::Zero(n) if *n > 1 && ask.drops() => *n /= 2,
            DataItem::Str(s) if s.len() > 1 && ask.drops() => *s = s[..s.len() / 2].into(),
            DataItem::Zero(_) | DataItem::Str(_) | DataItem::Scalar(..) => {}
            DataItem::Wide(_) | DataItem::Addr(..) => {}
        }
    }
}

/// Replaces each argument of each run line by 0.
pub(super) fn line_arguments_zero(document: &mut Document, ask: &mut Ask<'_>) {
    line_arguments(document, ask, "0", &["0"]);
}

/// Replaces each argument of each run line by 1.
pub(super) fn line_arguments_one(document: &mut Document, ask: &mut Ask<'_>) {
    line_arguments(document, ask, "1", &["0", "1"]);
}

fn line_arguments(document: &mut Document, ask: &mut Ask<'_>, simple: &str, as_simple: &[&str]) {
    for line in &mut document.lines {
        let Some(mut parts) = RunParts::of(line) else { continue };
        let mut changed = false;
        for arg in &mut parts.args {
            if !as_simple.contains(arg) && ask.drops() {
                *arg = simple;
                changed = true;
            }
        }
        if changed {
            *line = parts.line(parts.name, &parts.args, parts.after);
        }
    }
}

/// Removes the expected results of run lines.
pub(super) fn line_results(document: &mut Document, ask: &mut Ask<'_>) {
    for line in &mut document.lines {
        let Some(parts) = RunParts::of(line) else { continue };
        if !parts.after.is_empty() && ask.drops() {
            *line = parts.line(parts.name, &parts.args, "");
        }
    }
}
