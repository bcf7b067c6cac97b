//! An excerpt of a module: a few of its functions, with all symbols that they use, as a separate module.
//!
//! Mutants of a whole program would take as long to check as the program is large. An excerpt has one function, its
//! callees, and another function to splice code from. Every other symbol that these functions use is replaced by a stub
//! of the same type: a function that does nothing, or zeroed data. So an excerpt needs no external symbols, and never
//! calls the system with random arguments.
//!
//! The excerpt is assembled as text and parsed again, which renumbers all entities.

use super::driver::print_drivers;
use super::standin::{print_zeros, standin};
use lir_syntax::ir::{
    Attrs, Base, DataId, DataItem, EntitySet, FuncId, Function, Item, Module, OperandKind, Sym, SymKind,
};
use lir_syntax::parser::{ParseOptions, parse};
use lir_syntax::printer::print_item;
use lir_syntax::text::source::Source;
use std::collections::VecDeque;

/// Limits on the functions of the text in an excerpt, and on all their instructions. The first function alone may reach
/// the limit.
const MAX_FUNCTIONS: usize = 5;
const MAX_INSTS: usize = 300;
/// The most data objects whose contents an excerpt keeps, and the most items of one.
const MAX_DATA: usize = 40;
const MAX_ITEMS: usize = 4000;
/// The attributes of a function that a mutant need not satisfy.
const PROMISES: Attrs = Attrs::READNONE
    .or(Attrs::READONLY)
    .or(Attrs::WILLRETURN)
    .or(Attrs::NORETURN)
    .or(Attrs::LIBC)
    .or(Attrs::RETURNS)
    .or(Attrs::NOALIAS);

/// Functions of a module to be mutated.
pub(super) struct Excerpt {
    /// The functions, the symbols that they use, stubs for other symbols, and drivers that call the functions.
    pub(super) module: Module,
    /// The names of the text's functions, which are the module's first, in this order.
    pub(super) functions: Vec<Box<[u8]>>,
}

/// Returns the excerpt of a function, with another one as a donor. None if the function is too long.
pub(super) fn excerpt(from: &Module, first: FuncId, donor: FuncId) -> Option<Excerpt> {
    if from.funcs[first].num_insts() > MAX_INSTS {
        return None;
    }
    let functions = functions_of(from, first, donor);
    let named = Named::by(from, &functions);
    let mut text = Vec::new();
    for item in &from.items {
        match *item {
            Item::Type(_) | Item::File(_) | Item::AccessType(_) | Item::DebugType(_) => {
                print_item(from, *item, &mut text)
            }
            Item::Data(d) if named.kept.contains(d) => print_item(from, *item, &mut text),
            Item::Func(_) | Item::Data(_) | Item::ExternFunc(_) | Item::Alias(_) => {}
        }
    }
    for &f in &functions {
        print_item(from, Item::Func(f), &mut text);
    }
    for &sym in &named.syms {
        match from.decls.syms[sym].kind {
            SymKind::Func { body: Some(f), .. } if functions.contains(&f) => {}
            SymKind::Func { .. } => standin(&from.decls, sym, &mut text),
            SymKind::Data(d) if !named.kept.contains(d) => print_zeros(&from.decls, d, &mut text),
            SymKind::Data(_) => {}
        }
    }
    for &f in &functions {
        print_drivers(from, f, &mut text);
    }
    let source = Source { name: "excerpt".into(), text: String::from_utf8_lossy(&text).into_owned() };
    let mut module = parse(&source, &ParseOptions::default()).ok()?;
    for sym in module.decls.syms.as_mut_slice() {
        if let SymKind::Func { sig, .. } = &mut sym.kind {
            sig.attrs = sig.attrs.without(PROMISES);
        }
    }
    let name = |f: &FuncId| from.decls.syms[from.funcs[*f].sym].name.clone();
    Some(Excerpt { module, functions: functions.iter().map(name).collect() })
}

/// Collects the first function, its callees as far as there is room, and the donor.
fn functions_of(from: &Module, first: FuncId, donor: FuncId) -> Vec<FuncId> {
    let (mut functions, mut room) = (vec![first], MAX_INSTS.saturating_sub(from.funcs[first].num_insts()));
    let mut add = |functions: &mut Vec<FuncId>, f: FuncId| {
        let length = from.funcs[f].num_insts();
        if functions.len() < MAX_FUNCTIONS && length <= room && !functions.contains(&f) {
            room -= length;
            functions.push(f);
        }
    };
    add(&mut functions, donor);
    let mut waiting = VecDeque::from([first]);
    while let Some(f) = waiting.pop_front() {
        let before = functions.len();
        for_each_symbol(&from.funcs[f], |sym| {
            if let Some(callee) = from.decls.body(sym) {
                add(&mut functions, callee);
            }
        });
        waiting.extend(&functions[before..]);
    }
    functions
}

/// The symbols that the functions of an excerpt use, also through data.
struct Named {
    /// In the order of their first use.
    syms: Vec<Sym>,
    seen: EntitySet<Sym>,
    /// Data whose contents are kept.
    kept: EntitySet<DataId>,
}

impl Named {
    fn by(from: &Module, functions: &[FuncId]) -> Named {
        let mut named = Named { syms: Vec::new(), seen: EntitySet::new(), kept: EntitySet::new() };
        for &f in functions {
            for_each_symbol(&from.funcs[f], |sym| named.add(sym));
        }
        let (mut next, mut kept) = (0, 0);
        while let Some(&sym) = named.syms.get(next) {
            next += 1;
            let SymKind::Data(d) = from.decls.syms[sym].kind else { continue };
            let data = &from.decls.data[d];
            if data.is_extern || kept == MAX_DATA || data.items.len() > MAX_ITEMS {
                continue;
            }
            kept += 1;
            named.kept.insert(d);
            for item in &data.items {
                if let DataItem::Addr(sym, _) = item {
                    named.add(*sym);
                }
            }
        }
        named
    }
    fn add(&mut self, sym: Sym) {
        if self.seen.insert(sym) {
            self.syms.push(sym);
        }
    }
}

/// Calls `f` with the symbols that the instructions of a function use.
fn for_each_symbol(func: &Function, mut f: impl FnMut(Sym)) {
    for i in func.layout().all_insts() {
        func.for_each_mem(i, |mem| {
            if let Base::Sym(sym) = mem.base {
                f(sym);
            }
        });
        if func.inst(i).op == lir_syntax::ir::Opcode::Call
            && let OperandKind::Sym(sym) = func.inst(i).first().kind()
        {
            f(sym);
        }
    }
}
