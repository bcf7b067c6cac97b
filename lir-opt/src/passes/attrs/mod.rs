//! Function attributes (`attrs`).
//!
//! Finds out which functions access no memory that others see (`readnone`), only read it (`readonly`), always come back
//! (`willreturn`) or never do (`noreturn`), and writes that into their signatures, where other passes use it.
//!
//! # Example
//!
//! ```text
//! data @n = { i32 7 }                          data @n = { i32 7 }
//! func @get() -> i32 {                         func @get() -> i32 readonly willreturn {
//! entry:                                       entry:
//!   %n = load i32 [@n]                           %n = load i32 [@n]
//!   ret %n                                =>     ret %n
//! }                                            }
//! func @square(%x: i32) -> i32 {               func @square(%x: i32) -> i32 readnone willreturn {
//! entry:                                       entry:
//!   %y = mul i32 %x, %x                          %y = mul i32 %x, %x
//!   ret %y                                       ret %y
//! }                                            }
//! ```
//!
//! # Algorithm
//!
//! A function has three facts, all of them absent at first: it *reads* memory that is visible to others, it *writes*
//! such memory, it *stops*: it may fail to come back. Facts are only ever added.
//!
//! Declarations with `libc` get the attributes that ISO C gives their functions ([`libc`]). Then:
//!
//! 1. Each function's own instructions give it facts ([`summary`]). Its callees are left out here.
//! 2. The components of the call graph are visited callees first. A function has the facts of its callees as well, less
//!    the facts that the callee's declared attributes exclude; a call through a register has all. Within a component
//!    facts spread from callee to caller until nothing changes. A component with a cycle stops: recursion may be
//!    endless.
//! 3. A function whose frame, with the largest of its callees' below it, passes [`MAX_STACK`] bytes stops: the stack
//!    may not hold it.
//! 4. A function none of whose returns can be reached, where calls of `noreturn` functions end their blocks, is
//!    `noreturn`.
//! 5. An attribute that no fact excludes is added. Written attributes stay (`readonly` becomes `readnone`).
//!
//! # Why it is sound
//!
//! `readnone` and `readonly`: the attributes are about memory that exists outside of the activation. A function's stack
//! objects and allocas exist only during it, so accesses to them do not count, also if the address was handed to a
//! callee: the callee's own facts then state that it accesses memory. Memory of `const data` never changes, so that
//! reading it is like a constant: no store can come between two calls. A volatile access counts as read and write,
//! since it may neither be removed nor be done twice.
//!
//! `willreturn` allows a call to be made where none was, with any arguments, unless they break a promise of the callee:
//! `licm`, the only pass that moves calls up, moves them to where they are executed anyway. So nothing that can trap
//! for some arguments may be in the function: no division by a value that is not a constant, no access except at a
//! constant offset inside an object of the function or a data object defined here, no `unreachable`, no cycle of blocks
//! except counted loops that end (see [`counted_loops`](crate::analysis::loops::counted)). A load through a pointer can
//! fault, hence a function that has one is not `willreturn`, though the fault of an unused load may be removed: only
//! the use of `readonly` remains.
//!
//! Step 2 finds the least solution: no fact without an instruction that causes it. That is right for recursion, too:
//! a chain of calls that ends in a write has an instruction that writes.
//!
//! Step 4: a function that comes back does so by a `ret`. Endless loops and traps do not come back.
//!
//! # Cost and limits
//!
//! Linear: one walk over the instructions of a function, which ends when it has all facts; each edge of the call graph
//! is walked at most three times. Addresses are known to be of own objects through `lea`, `copy`, `add` and `sub` of a
//! constant, in registers with one assignment, not through phis, `select` and memory. Functions with variable arguments
//! have all facts. Definitions are taken to be final: no other module replaces them.
//!
//! # Source
//!
//! LLVM's `function-attrs` (`llvm/lib/Transforms/IPO/FunctionAttrs.cpp`), without its properties of pointers. K. D.
//! Cooper, K. Kennedy, "Interprocedural Side-Effect Analysis in Linear Time", PLDI 1988, for components and callees
//! first.

mod events;
mod missing_attributes;
mod summary;

use crate::analysis::Preserved;
use crate::analysis::call_graph::{CallGraph, Callee};
use crate::pass::{ModuleContext, ModulePass, Pass, PassInfo};
use crate::passes::attrs::events::Event;
use lir_syntax::ir::{Attrs, Decls, EntitySet, Format, FuncId, Function, Module, SecondaryMap, Sym, SymKind};
use lir_syntax::libc;
use summary::Summarizer;

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "attrs",
    summary: "infer readnone, readonly, willreturn and noreturn of functions",
    options: &[],
    build: |_| Pass::Module(Box::new(AttrsPass)),
};

/// Bytes of stack that a call may take and still be said to come back: the guard of a thread's stack is farther away in
/// all programs that have not overflowed it already.
pub(crate) const MAX_STACK: u64 = 64 << 10;

/// The facts about a function that exclude attributes: a set.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
struct Facts(u8);

impl Facts {
    const NONE: Facts = Facts(0);
    /// Reads memory that others see and that may change.
    const READS: Facts = Facts(1);
    /// Writes memory that others see, or does something else that is visible.
    const WRITES: Facts = Facts(2);
    /// May trap, go on for ever, or leave the program.
    const STOPS: Facts = Facts(4);
    const ALL: Facts = Facts(7);

    fn has(self, other: Facts) -> bool {
        self.0 & other.0 == other.0
    }
    fn or(self, other: Facts) -> Facts {
        Facts(self.0 | other.0)
    }
    /// Returns the facts that attributes do not exclude; `noreturn` and `returns_twice` add some.
    fn under(self, attrs: Attrs) -> Facts {
        let mut facts = self;
        for (attr, excluded) in [
            (Attrs::READNONE, Facts::READS.or(Facts::WRITES)),
            (Attrs::READONLY, Facts::WRITES),
            (Attrs::WILLRETURN, Facts::STOPS),
        ] {
            if attrs.has(attr) {
                facts.0 &= !excluded.0;
            }
        }
        if attrs.has(Attrs::RETURNS_TWICE) {
            facts = Facts::ALL;
        }
        if attrs.has(Attrs::NORETURN) { facts.or(Facts::STOPS) } else { facts }
    }
}

struct AttrsPass;

impl ModulePass for AttrsPass {
    fn run(&self, module: &mut Module, cx: &mut ModuleContext<'_>) -> Preserved {
        let mut changed = add_those_of_c(&mut module.decls, cx);
        let graph = CallGraph::new(module);
        let mut inference = Inference {
            graph: &graph,
            facts: SecondaryMap::with_len(Facts::NONE, module.funcs.len()),
            stack: SecondaryMap::with_len(0, module.funcs.len()),
            work: Vec::new(),
        };
        let mut summarizer = cx.scratch.take::<Summarizer>();
        for component in graph.components().iter() {
            inference.component(module, component, &mut summarizer);
            for &f in component {
                changed |= inference.write(module, f, cx);
                if cx.remarks.on() {
                    inference.report_missing_attributes(module, f, &mut summarizer, cx.remarks);
                }
            }
        }
        cx.scratch.give_back(summarizer);
        // The bodies are unchanged, but the printed text is not.
        Preserved::cfg_if(changed)
    }
}

/// Gives declarations with `libc` the attributes that their functions have in C. Returns whether there are any.
fn add_those_of_c(decls: &mut Decls, cx: &mut ModuleContext<'_>) -> bool {
    let mut changed = false;
    for s in decls.syms.keys() {
        let Some(row) = libc::declared(decls, s) else { continue };
        let SymKind::Func { sig, .. } = &mut decls.syms[s].kind else { continue };
        let attrs = row.add_to(sig.attrs);
        if attrs != sig.attrs {
            sig.attrs = attrs;
            cx.stats.add("functions of C with attributes", 1);
            changed = true;
        }
    }
    changed
}

struct Inference<'a> {
    graph: &'a CallGraph,
    facts: SecondaryMap<FuncId, Facts>,
    /// Bytes of stack that a call takes, with everything that it calls.
    stack: SecondaryMap<FuncId, u64>,
    /// Functions of the component whose callers must be visited.
    work: Vec<FuncId>,
}

impl Inference<'_> {
    /// Steps 1 to 3 for a component whose callees are done.
    fn component(&mut self, module: &Module, component: &[FuncId], summarizer: &mut Summarizer) {
        let decls = &module.decls;
        let is_cycle = component.len() > 1 || self.graph.is_recursive(component[0]);
        for &id in component {
            let mut facts = if is_cycle { Facts::STOPS } else { Facts::NONE };
            let mut below = 0;
            for c in self.graph.calls(id) {
                facts = facts.or(self.facts_of_callee(decls, c.callee));
                below = below.max(c.callee.body(decls).map_or(0, |f| self.stack[f]));
            }
            let f = &module.funcs[id];
            let own = summarizer.summarize(decls, f, facts);
            facts = facts.or(own.facts);
            self.stack[id] = below.saturating_add(own.frame);
            if self.takes_much_stack(id) {
                facts = facts.or(Facts::STOPS);
            }
            self.facts[id] = if decls.syms[f.sym].is_exact() { facts } else { Facts::ALL };
        }
        if is_cycle {
            self.spread(module, component);
        }
    }
    fn takes_much_stack(&self, id: FuncId) -> bool {
        self.stack[id] > MAX_STACK
    }
    /// Returns the facts about a callee. In the component that is visited they are the facts known so far.
    fn facts_of_callee(&self, decls: &Decls, callee: Callee) -> Facts {
        let Callee::Symbol(s) = callee else { return Facts::ALL };
        let facts = callee.body(decls).map_or(Facts::ALL, |f| self.facts[f]);
        facts.under(attrs_of(decls, s))
    }
    /// The fixpoint of step 2.
    fn spread(&mut self, module: &Module, component: &[FuncId]) {
        let decls = &module.decls;
        let own = self.graph.components().of(component[0]);
        self.work.extend(component);
        while let Some(callee) = self.work.pop() {
            let facts = self.facts[callee].under(attrs_of(decls, module.funcs[callee].sym));
            for &caller in self.graph.callers(callee) {
                if self.graph.components().of(caller) == own && !self.facts[caller].has(facts) {
                    self.facts[caller] = self.facts[caller].or(facts);
                    self.work.push(caller);
                }
            }
        }
    }
    /// Step 5. Returns whether the signature changed.
    fn write(&self, module: &mut Module, id: FuncId, cx: &mut ModuleContext<'_>) -> bool {
        let f = &module.funcs[id];
        let given = attrs_of(&module.decls, f.sym);
        let facts = self.facts[id];
        let mut added = Vec::new();
        if !module.decls.syms[f.sym].is_exact() {
            return false;
        }
        if !facts.has(Facts::READS) && !facts.has(Facts::WRITES) {
            added.push(Attrs::READNONE);
        } else if !facts.has(Facts::WRITES) && !given.has(Attrs::READNONE) {
            added.push(Attrs::READONLY);
        }
        if !facts.has(Facts::STOPS) && !given.has(Attrs::NORETURN) {
            added.push(Attrs::WILLRETURN);
        } else if !given.has(Attrs::WILLRETURN) && self.never_returns(&module.decls, id, f) {
            added.push(Attrs::NORETURN);
        }
        added.retain(|a| !given.has(*a));
        let first = f.layout().first_inst(f.entry());
        for a in &added {
            cx.stats.add(counter(*a), 1);
            if let Some(i) = first {
                cx.remarks.done(f, i, Event::Attribute(f.sym, word(*a)));
            }
        }
        let attrs = added.iter().fold(given, |all, a| all.or(*a));
        let attrs = if attrs.has(Attrs::READNONE) { attrs.without(Attrs::READONLY) } else { attrs };
        if let SymKind::Func { sig, .. } = &mut module.decls.syms[f.sym].kind {
            sig.attrs = attrs;
        }
        !added.is_empty()
    }
    /// Step 4.
    fn never_returns(&self, decls: &Decls, id: FuncId, f: &Function) -> bool {
        let returns = |b| matches!(f.inst(f.terminator(b)).op.format(), Format::Return | Format::AggReturn);
        if !f.layout().blocks().any(returns) {
            return true;
        }
        let is_noreturn = |c: Callee| match c {
            Callee::Symbol(s) => attrs_of(decls, s).has(Attrs::NORETURN),
            Callee::Register => false,
        };
        if !self.graph.calls(id).iter().any(|c| is_noreturn(c.callee)) {
            return false;
        }
        let ends = |b| f.layout().insts(b).any(|i| Callee::of(f, i).is_some_and(is_noreturn));
        let mut seen = EntitySet::new();
        let mut work = vec![f.entry()];
        seen.insert(f.entry());
        while let Some(b) = work.pop() {
            if ends(b) {
                continue;
            }
            if returns(b) {
                return false;
            }
            work.extend(f.succs(b).iter().filter(|s| seen.insert(**s)));
        }
        true
    }
}

fn attrs_of(decls: &Decls, s: Sym) -> Attrs {
    decls.signature(s).map_or(Attrs::NONE, |sig| sig.attrs)
}

fn word(attr: Attrs) -> &'static str {
    Attrs::ALL.iter().find(|(a, _)| *a == attr).map_or("", |(_, word)| word)
}

fn counter(attr: Attrs) -> &'static str {
    match word(attr) {
        "readnone" => "functions found readnone",
        "readonly" => "functions found readonly",
        "willreturn" => "functions found willreturn",
        _ => "functions found noreturn",
    }
}
