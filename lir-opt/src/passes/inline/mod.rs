//! Inlining (`inline`).
//!
//! Replaces calls by the bodies of their callees if that makes the program faster at a reasonable size.
//!
//! # Example
//!
//! ```text
//! local func @max(%a: i32, %b: i32) -> i32 {     (as before, till `global-dce`)
//! entry:
//!   br sgt i32 %a, %b, first, second
//! first:
//!   ret %a
//! second:
//!   ret %b
//! }
//! func @f(%x: i32) -> i32 {                      func @f(%x: i32) -> i32 {
//! entry:                                         entry:
//!   %seven = const i32 7                           %seven = const i32 7
//!   %m = call i32 @max(%x, %seven)                 br sgt i32 %x, %seven, first.1, second.1
//!   ret %m                                  =>   first.1:
//! }                                                jmp entry.1
//!                                                second.1:
//!                                                  jmp entry.1
//!                                                entry.1:
//!                                                  %m = phi i32 [%x, first.1], [%seven, second.1]
//!                                                  ret %m
//!                                                }
//! ```
//!
//! `simplify-cfg`, `sroa` and `gvn` optimize the result; `global-dce` removes functions that are no longer called.
//!
//! # Algorithm
//!
//! The components of the call graph are visited callees first, so the calls in a copied body are already inlined if
//! worthwhile. For each function:
//!
//! 1. Its size and the obstacles to inlining are found in one walk ([`profile`]).
//! 2. Each of its calls is weighed ([`cost`]): the size of the callee against the cost of the call and the benefit of
//!    the arguments, with more allowed in loops, less if the caller or the callee is `cold`, the call ends in a trap,
//!    or branch weights make the call unlikely. A `local` function that is called once is only moved. `inline`
//!    requests it for any size of the callee, up to the limits below, and `noinline` forbids it. The growth of the
//!    caller, of its frame and of the module is limited, also for `inline` callees: each of them may call the next one
//!    twice. A frame that may exist many times at once grows least: see [`CallGraph::may_recur`].
//! 3. Calls are replaced from the last to the first ([`splice`]): the block is split after the call, the callee's
//!    instructions are copied ([`Transplant`](lir_syntax::ir::Transplant)) with new registers, blocks and stack
//!    objects, parameters become the arguments, and each return continues after the call. A body of one block is
//!    inserted before the call without a split.
//! 4. Phis of the caller get the block in which their predecessor now ends.
//!
//! # Why it is sound
//!
//! A register that is a parameter holds the argument as long as neither is assigned again: no instruction of the caller
//! runs in between, and if the callee assigns again, the parameter is a copy. Phis of the copies have copies of blocks
//! as predecessors; in a caller in SSA form a phi selects the result by the block that returned, else each return
//! assigns the result.
//!
//! An aggregate parameter is a stack object of the callee whose bytes were copied before: so it is now, since arguments
//! are read before anything else happens. The result is copied when the function returns, possibly over an argument;
//! its bytes may be anything before that. It is copied through another object if the callee returns memory that is not
//! its own, since that may partly overlap with the result.
//!
//! Stack objects of a callee become objects of the caller: they live longer, and bytes that were never written may be
//! left from an earlier iteration or an earlier copy of the body, which is allowed for unspecified bytes. Copies of one
//! body in one caller share their objects, since no two of them run at a time (a function is never put into a copy of
//! itself). Dynamic stack memory is freed at the return by `stack_save` and `stack_restore`.
//!
//! Promises about the accesses of the callee are kept as far as they are true for the caller: see [`scopes`].
//!
//! A body with a `musttail` call does not replace another one, since the return would no longer follow.
//!
//! A function that calls a `returns_twice` function is neither copied nor copied into. One that reads its variable
//! arguments is not copied. The return of a `noreturn` function is a trap and becomes `unreachable`. A copy keeps the
//! order of all effects, volatile accesses among them.
//!
//! A call in the body that is marked `tail` permits to leave the callee's frame, not the caller's, unless the replaced
//! call had the mark, too: else it loses it.
//!
//! Sub-word values need no extension: only their low bits mean anything. A copy keeps the callee's positions in the
//! source, so a trap in it is reported with the function, block and line in which it was written.
//!
//! # Cost and limits
//!
//! Linear in the functions before and after; calls of one block are split off from the last to the first, so that each
//! instruction moves once. Large bodies move into their only call only up to a total of [`MOVED`] times the size of the
//! module, since a chain of them would be copied over and over. Calls inside an inlined body are not weighed again.
//! Only calls by name are seen. A function that is not in SSA form is not inlined into one that is, since later passes
//! could not take the result.
//!
//! # Source
//!
//! R. W. Scheifler, "An Analysis of Inline Substitution for a Structured Programming Language", CACM 20(9), 1977; order
//! and bonuses as in LLVM's inliner (`llvm/lib/Analysis/InlineCost.cpp`), much simplified.

mod cost;
mod events;
mod profile;
mod scopes;
mod splice;

use crate::analysis::LoopForest;
use crate::analysis::Preserved;
use crate::analysis::branches::expected::ExpectedBlocks;
use crate::analysis::call_graph::{CallGraph, Callee};
use crate::pass::{ModuleContext, ModulePass, Pass, PassInfo};
use crate::passes::inline::events::Event;
use cost::{Arguments, Budget, Candidate};
use lir_syntax::ir::{
    Attrs, Block, Cfg, DominatorTree, EntitySet, Format, FuncId, Function, Inst, Module, SecondaryMap, Sym,
};
use profile::{Profile, Profiler};
use splice::{Body, Splicer};

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "inline",
    summary: "replace calls by the bodies of the called functions",
    options: &[],
    build: |_| Pass::Module(Box::new(Inline)),
};

/// Limit on the growth of all functions together: their size, and this.
const MODULE_GROWTH: u64 = 2000;
/// The same for callees that are declared `inline`: this often as much.
const DECLARED_GROWTH: u64 = 16;
/// Limit on the size of all large bodies that move into their only call: so often the size of all functions.
const MOVED: u64 = 4;

struct Inline;

impl ModulePass for Inline {
    fn run(&self, module: &mut Module, cx: &mut ModuleContext<'_>) -> Preserved {
        let graph = CallGraph::new(module);
        let total = module.funcs.values().map(|f| f.num_insts() as u64).sum::<u64>();
        let mut inliner = Inliner {
            graph: &graph,
            may_recur: graph.may_recur(module),
            profiles: SecondaryMap::with_len(Profile::default(), module.funcs.len()),
            module_budget: total + MODULE_GROWTH,
            declared_budget: DECLARED_GROWTH * (total + MODULE_GROWTH),
            moved_budget: MOVED * total,
            scratch: cx.scratch.take(),
        };
        let mut inlined = 0;
        for &id in graph.components().nodes() {
            inlined += inliner.function(module, id, cx);
        }
        cx.scratch.give_back(inliner.scratch);
        cx.stats.add("calls inlined", inlined);
        Preserved::none_if(inlined != 0)
    }
}

/// Scratch memory, kept from function to function.
#[derive(Default)]
struct InliningScratch {
    profiler: Profiler,
    arguments: Arguments,
    splicer: Splicer,
    loops: Loops,
    expected: ExpectedBlocks,
    /// The calls of the function that is visited, of functions defined here.
    calls: Vec<(Block, Inst, Sym, FuncId)>,
    /// The calls to replace.
    chosen: Vec<(Inst, FuncId)>,
    blocks: Vec<Block>,
}

#[derive(Default)]
struct Loops {
    cfg: Cfg,
    dominators: DominatorTree,
    forest: LoopForest,
}

/// True if a block ends in a trap.
fn ends_in_trap(f: &Function, b: Block) -> bool {
    f.inst(f.terminator(b)).op.format() == Format::Stop
}

impl Loops {
    /// Finds the blocks that are expected. Returns whether that took the loops.
    fn expect(&mut self, f: &Function, expected: &mut ExpectedBlocks) -> bool {
        let is_weighted = f.has_branch_weights();
        if is_weighted {
            self.recompute(f);
        }
        expected.recompute(f, &self.forest);
        is_weighted
    }
    fn recompute(&mut self, f: &Function) {
        self.cfg.recompute(f);
        if self.cfg.is_acyclic(f) {
            self.forest.reset_without_loops(f);
        } else {
            self.dominators.recompute(f, &self.cfg);
            self.forest.recompute(f, &self.cfg, &self.dominators);
        }
    }
}

struct Inliner<'a> {
    graph: &'a CallGraph,
    may_recur: EntitySet<FuncId>,
    /// The profiles of the visited functions, as they are now.
    profiles: SecondaryMap<FuncId, Profile>,
    module_budget: u64,
    declared_budget: u64,
    moved_budget: u64,
    scratch: Box<InliningScratch>,
}

impl Inliner<'_> {
    /// Steps 1 to 4 for one function. Returns the number of calls that were replaced.
    fn function(&mut self, module: &mut Module, id: FuncId, cx: &mut ModuleContext<'_>) -> u64 {
        let profile = self.scratch.profiler.profile(&module.decls, &module.funcs[id]);
        self.profiles[id] = profile;
        if self.graph.callees(id).is_empty() {
            return 0;
        }
        self.choose(module, id, &profile, cx);
        if self.scratch.chosen.is_empty() {
            return 0;
        }
        let sym = module.funcs[id].sym;
        let mut caller = std::mem::replace(&mut module.funcs[id], Function::new(sym));
        self.replace(module, &mut caller, profile.is_ssa);
        self.profiles[id] = self.scratch.profiler.profile(&module.decls, &caller);
        module.funcs[id] = caller;
        self.scratch.chosen.len() as u64
    }

    /// Step 2: fills the list of calls to be replaced.
    fn choose(&mut self, module: &Module, id: FuncId, profile: &Profile, cx: &mut ModuleContext<'_>) {
        let (decls, f) = (&module.decls, &module.funcs[id]);
        let InliningScratch { arguments, loops, expected, calls, chosen, .. } = &mut *self.scratch;
        arguments.clear();
        calls.clear();
        chosen.clear();
        for b in f.layout().blocks() {
            for i in f.layout().insts(b) {
                arguments.note(f, i);
                if let Some(c @ Callee::Symbol(s)) = Callee::of(f, i)
                    && let Some(callee) = c.body(decls)
                {
                    calls.push((b, i, s, callee));
                }
            }
        }
        let mut knows_loops = loops.expect(f, expected);
        let attrs_of = |s: Sym| decls.signature(s).map_or(Attrs::NONE, |sig| sig.attrs);
        let component = |f: FuncId| self.graph.components().of(f);
        let is_cold_caller = attrs_of(f.sym).has(Attrs::COLD);
        let mut budget = Budget {
            is_ssa: profile.is_ssa,
            may_recur: self.may_recur.contains(id),
            calls_returns_twice: profile.calls_returns_twice,
            size: profile.size,
            module: self.module_budget,
            module_declared: self.declared_budget,
            moved: self.moved_budget,
            left: cx.growth[f.sym],
            ..Budget::default()
        };
        for &(b, call, s, callee) in calls.iter() {
            let known = &self.profiles[callee];
            let benefit = arguments.benefit(decls, f, call, known);
            // Loops are found where they could decide.
            let depends_on_loops = known.size > benefit;
            if depends_on_loops && !std::mem::replace(&mut knows_loops, true) {
                loops.recompute(f);
            }
            let candidate = Candidate {
                callee: known,
                attrs: attrs_of(s),
                is_recursive: component(callee) == component(id),
                is_only_call: is_only_call(module, self.graph, callee, cx),
                in_loop: depends_on_loops && loops.forest.depth(b) > 0,
                is_jump: f.is_jump(call),
                is_cold: is_cold_caller || ends_in_trap(f, b) || !expected.contains(b),
                benefit,
                left: cx.growth[s],
            };
            match budget.take(&candidate) {
                Ok(()) => {
                    chosen.push((call, callee));
                    cx.remarks.done(f, call, Event::Inlined(s, known.size));
                }
                Err(why) => cx.remarks.missed(f, call, Event::NotInlined(s, &why)),
            }
        }
        (self.module_budget, self.declared_budget) = (budget.module, budget.module_declared);
        self.moved_budget = budget.moved;
        cx.growth[f.sym] = budget.left;
    }

    /// Steps 3 and 4.
    fn replace(&mut self, module: &Module, caller: &mut Function, is_ssa: bool) {
        let InliningScratch { splicer, chosen, blocks, .. } = &mut *self.scratch;
        blocks.clear();
        blocks.extend(caller.layout().blocks());
        splicer.begin(caller);
        let mut cycles: Option<EntitySet<Block>> = None;
        for &(call, id) in chosen.iter().rev() {
            let Profile { has_alloca, returns, is_ssa: body_is_ssa, .. } = self.profiles[id];
            let f = &module.funcs[id];
            let is_executed_once = scopes::has_promises(f) && {
                let cycles = cycles.get_or_insert_with(|| Cfg::new(caller).blocks_in_cycles(caller));
                caller.layout().block_of(call).is_some_and(|b| !cycles.contains(b))
            };
            let body = Body { id, f, has_alloca, returns, is_ssa: body_is_ssa, is_executed_once };
            splicer.replace(&module.decls, caller, call, body, is_ssa);
        }
        splicer.finish(caller, blocks);
    }
}

/// True if a function has one call, and none from outside of the module.
fn is_only_call(module: &Module, graph: &CallGraph, callee: FuncId, cx: &ModuleContext<'_>) -> bool {
    let sym = module.funcs[callee].sym;
    !cx.is_visible(&module.decls, sym) && graph.call_sites(callee) == 1 && !graph.is_address_taken(sym)
}
