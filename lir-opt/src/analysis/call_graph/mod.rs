//! The callers and callees of a module's functions.
//!
//! The callees of a function are the operands of its call instructions: functions defined here, functions declared, or
//! a register. A function whose address is taken (by an operand other than the callee of a call, or in data) may be
//! called from anywhere; so may one that is visible outside the module.

pub mod components;
pub mod tail_calls;

use crate::analysis::call_graph::components::Components;
use crate::tables::groups::Groups;
use lir_syntax::ir::{
    Attrs, Base, DataItem, Decls, EntitySet, Format, FuncId, Function, Inst, Module, OperandKind, SecondaryMap, Sym,
};

/// The target of a call.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Callee {
    /// A function by name.
    Symbol(Sym),
    /// The function whose address a register holds.
    Register,
}

impl Callee {
    /// Returns the target of a call. None for other instructions.
    #[inline]
    pub fn of(f: &Function, i: Inst) -> Option<Callee> {
        let d = f.inst(i);
        if d.op.format() != Format::Call {
            return None;
        }
        match d.first().kind() {
            OperandKind::Sym(s) => Some(Callee::Symbol(s)),
            _ => Some(Callee::Register),
        }
    }
    /// Returns the attributes of the function that is called by name. None if it is in a register.
    pub(crate) fn attrs(self, decls: &Decls) -> Attrs {
        match self {
            Callee::Symbol(s) => decls.signature(s).map_or(Attrs::NONE, |sig| sig.attrs),
            Callee::Register => Attrs::NONE,
        }
    }
    /// Returns the function of this module that is called. None if it is unknown, not defined in this module, or
    /// replaceable.
    #[inline]
    pub fn body(self, decls: &Decls) -> Option<FuncId> {
        match self {
            Callee::Symbol(s) => decls.known_body(s),
            Callee::Register => None,
        }
    }
}

/// The calls of one function that call the same.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Calls {
    /// The target.
    pub callee: Callee,
    /// By how many instructions.
    pub sites: u32,
}

/// The calls of a module, as it was when the graph was made.
pub struct CallGraph {
    /// By caller, in the order of the first call of each callee.
    calls: Groups<FuncId, Calls>,
    /// The same without sites and without callees that have no body.
    callees: Groups<FuncId, FuncId>,
    callers: Groups<FuncId, FuncId>,
    sites: SecondaryMap<FuncId, u32>,
    address_taken: EntitySet<Sym>,
    components: Components<FuncId>,
}

impl CallGraph {
    /// Returns the graph of a module. Linear in instructions and data items; no recursion.
    pub fn new(module: &Module) -> CallGraph {
        let decls = &module.decls;
        let len = module.funcs.len();
        let mut scan = Scan::default();
        scan.last_calls.reset(decls.syms.len());
        scan.data(decls);
        for (id, f) in module.funcs.iter() {
            scan.function(id, f);
        }
        let edges = || scan.calls.iter().filter_map(|(from, c)| Some((*from, c.callee.body(decls)?)));
        let mut sites = SecondaryMap::with_len(0, len);
        for (_, c) in &scan.calls {
            if let Some(to) = c.callee.body(decls) {
                sites[to] += c.sites;
            }
        }
        let (mut calls, mut callees, mut callers) = (Groups::default(), Groups::default(), Groups::default());
        calls.fill(len, scan.calls.iter().copied());
        callees.fill(len, edges());
        callers.fill(len, edges().map(|(from, to)| (to, from)));
        let components = Components::new(len, |f| callees.get(f));
        CallGraph { calls, callees, callers, sites, address_taken: scan.address_taken, components }
    }
    /// Returns the callees of a function, each once, in the order of the first calls.
    pub fn calls(&self, f: FuncId) -> &[Calls] {
        self.calls.get(f)
    }
    /// Returns the functions defined here that a function calls, each once, ordered by first calls.
    pub fn callees(&self, f: FuncId) -> &[FuncId] {
        self.callees.get(f)
    }
    /// Returns the functions that call a function by name, each once, in their order.
    pub fn callers(&self, f: FuncId) -> &[FuncId] {
        self.callers.get(f)
    }
    /// Returns the number of instructions that call a function by name.
    pub(crate) fn call_sites(&self, f: FuncId) -> u32 {
        self.sites[f]
    }
    /// True if the address of a symbol is taken: it is in an operand that is not the callee of a call, or in data.
    pub(crate) fn is_address_taken(&self, s: Sym) -> bool {
        self.address_taken.contains(s)
    }
    /// Returns the strongly connected components, callees first.
    pub fn components(&self) -> &Components<FuncId> {
        &self.components
    }
    /// Returns the functions that may be called again before a call of them returns: by names, or indirectly, by a call
    /// of a register, or of a function that is not defined here, to one whose address is taken. Not considered: a call
    /// by name of a visible function from outside the module.
    pub(crate) fn may_recur(&self, module: &Module) -> EntitySet<FuncId> {
        let functions = || module.funcs.keys();
        let leaves = |f: FuncId| self.calls(f).iter().any(|c| c.callee.body(&module.decls).is_none());
        let enters = |f: FuncId| self.is_address_taken(module.funcs[f].sym);
        let leaving = reach(functions().filter(|f| leaves(*f)), |f| self.callers(f));
        let entered = reach(functions().filter(|f| enters(*f)), |f| self.callees(f));
        let recurs = |f: &FuncId| self.is_recursive(*f) || leaving.contains(*f) && entered.contains(*f);
        let mut found = EntitySet::new();
        found.extend(functions().filter(recurs));
        found
    }
    /// True if a function may call itself again by calls of names.
    pub(crate) fn is_recursive(&self, f: FuncId) -> bool {
        let own = self.components.of(f);
        self.callees(f).iter().any(|c| self.components.of(*c) == own)
    }
}

/// Some functions, and all that `next` leads to from them.
fn reach<'a>(from: impl Iterator<Item = FuncId>, next: impl Fn(FuncId) -> &'a [FuncId]) -> EntitySet<FuncId> {
    let mut found = EntitySet::new();
    let mut work: Vec<FuncId> = from.collect();
    found.extend(work.iter().copied());
    while let Some(f) = work.pop() {
        work.extend(next(f).iter().filter(|n| found.insert(**n)));
    }
    found
}

/// The facts collected from the instructions.
#[derive(Default)]
struct Scan {
    calls: Vec<(FuncId, Calls)>,
    address_taken: EntitySet<Sym>,
    /// The index + 1 in `calls` of the last calls found of a symbol; 0: none.
    last_calls: SecondaryMap<Sym, u32>,
    /// The same for calls through registers.
    register_calls: u32,
}

impl Scan {
    fn data(&mut self, decls: &Decls) {
        for item in decls.data.values().flat_map(|d| &d.items) {
            if let DataItem::Addr(s, _) = item {
                self.address_taken.insert(*s);
            }
        }
    }
    fn function(&mut self, id: FuncId, f: &Function) {
        let first = self.calls.len() as u32;
        for i in f.layout().all_insts() {
            f.for_each_mem(i, |m| {
                if let Base::Sym(s) = m.base {
                    self.address_taken.insert(s);
                }
            });
            let Some(callee) = Callee::of(f, i) else { continue };
            let last = match callee {
                Callee::Symbol(s) => &mut self.last_calls[s],
                Callee::Register => &mut self.register_calls,
            };
            if *last > first {
                self.calls[*last as usize - 1].1.sites += 1;
            } else {
                self.calls.push((id, Calls { callee, sites: 1 }));
                *last = self.calls.len() as u32;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lir_syntax::ir::EntityRef;

    #[test]
    fn calls_addresses_and_components() {
        let text = "extern func @e()\ndata @d = { i64 @b }\n\
             func @a(%p: i64) {\nentry:\n  call @b()\n  call @e()\n  call %p()\n  call @b()\n  call %p()\n  ret\n}\n\
             func @b() {\nentry:\n  call @c()\n  %t = lea [@e]\n  ret\n}\n\
             func @c() {\nentry:\n  call @b()\n  ret\n}\nfunc @d1() {\nentry:\n  call @d1()\n  ret\n}\n";
        let m: Module = text.parse().expect("the text is right");
        let g = CallGraph::new(&m);
        let id = FuncId::new;
        let sym = |f: usize| m.funcs[id(f)].sym;
        let found: Vec<u32> = g.calls(id(0)).iter().map(|c| c.sites).collect();
        assert_eq!(found, [2, 1, 2]);
        assert_eq!(g.calls(id(0))[0].callee, Callee::Symbol(sym(1)));
        assert_eq!(g.calls(id(0))[2].callee, Callee::Register);
        assert_eq!((g.callees(id(0)), g.callers(id(1))), (&[id(1)][..], &[id(0), id(2)][..]));
        assert_eq!((g.call_sites(id(1)), g.call_sites(id(0))), (3, 0));
        let taken: Vec<bool> = m.decls.syms.keys().map(|s| g.is_address_taken(s)).collect();
        let names: Vec<&[u8]> = m.decls.syms.values().map(|s| &*s.name).collect();
        let expected: Vec<bool> = names.iter().map(|n| [&b"b"[..], b"e"].contains(n)).collect();
        assert_eq!(taken, expected);
        let components: Vec<&[FuncId]> = g.components().iter().collect();
        assert_eq!(components, [&[id(1), id(2)][..], &[id(0)], &[id(3)]]);
        let recursive: Vec<bool> = (0..4).map(|f| g.is_recursive(id(f))).collect();
        assert_eq!(recursive, [false, true, true, true]);
    }

    #[test]
    fn recursion_through_unknown_callees() {
        let text = "extern func @e()\n\
             func @a() {\nentry:\n  call @b()\n  ret\n}\n\
             func @b() {\nentry:\n  %t = lea [@c]\n  call %t()\n  ret\n}\n\
             func @c() {\nentry:\n  call @d()\n  call @leaf()\n  ret\n}\n\
             func @d() {\nentry:\n  call @e()\n  ret\n}\n\
             func @leaf() {\nentry:\n  ret\n}\nfunc @loop() {\nentry:\n  call @loop()\n  ret\n}\n";
        let m: Module = text.parse().expect("the text is right");
        // `@e` may call `@c` again. Nothing that `@c` calls leads to `@a` or `@b`, and nothing leads on from `@leaf`.
        let found = CallGraph::new(&m).may_recur(&m);
        let names = found.iter().map(|f| String::from_utf8_lossy(&m.decls.syms[m.funcs[f].sym].name).into_owned());
        assert_eq!(names.collect::<Vec<_>>(), ["c", "d", "loop"]);
    }

    #[test]
    fn a_million_functions_in_a_chain() {
        let n = 1_000_000;
        let mut text = String::from("func @f0() {\nentry:\n  ret\n}\n");
        for k in 1..n {
            text += &format!("func @f{k}() {{\nentry:\n  call @f{}()\n  ret\n}}\n", k - 1);
        }
        let g = CallGraph::new(&text.parse::<Module>().expect("the text is right"));
        assert_eq!(g.components().len(), n);
        assert!(g.components().nodes().iter().enumerate().all(|(k, f)| f.index() == k));
    }
}
