//! Parameters and results that are not needed (`dead-args`).
//!
//! Takes unused parameters and results from `local` functions and their calls, and parameters that are the same
//! constant in every call.
//!
//! # Example
//!
//! ```text
//! local func @g(%a: i32, %b: i32, %k: i32) -> i32 {    local func @g(%a: i32) {
//! entry:                                               entry:
//!                                                        %k = const i32 4
//!   %x = mul i32 %a, %k                                  %x = mul i32 %a, %k
//!   store i32 [@d], %x                          =>       store i32 [@d], %x
//!   ret %x                                               ret
//! }                                                    }
//! func @f(%y: i32) {                                   func @f(%y: i32) {
//! entry:                                               entry:
//!   %four = const i32 4                                  %four = const i32 4
//!   %r = call i32 @g(%y, %y, %four)                      call @g(%y)
//!   ret                                                  ret
//! }                                                    }
//! ```
//!
//! # Algorithm
//!
//! A function takes part if all its calls are known: it is not visible outside of the module, its address is taken
//! nowhere, and it has no variable arguments.
//!
//! 1. Every function is walked once ([`usage`]). A parameter is *live* where it is read; where it is only handed on to
//!    a parameter of such a function, it is live if that one is. Each call meets its constants with the constants of
//!    the other calls: a parameter has no value yet, one constant, or several values. A call that hands a function's
//!    own parameter on to itself adds no value. A result is live where a register that a call assigns is read.
//! 2. Liveness spreads along the edges of handing on.
//! 3. Signatures, returns and calls of functions that changed are rewritten. A constant is assigned at the beginning.
//!
//! # Why it is sound
//!
//! All calls are seen, and callee and calls change together. A parameter that is not read may hold anything. The calls
//! of a recursion hand on the arguments of an outer call, so by induction a constant of all other calls is the only
//! value. A register that is assigned by a call and never read may stay unassigned.
//!
//! # Cost and limits
//!
//! Linear in instructions, arguments and edges. A read that `dce` would remove counts, so it should run before. Results
//! that are only returned by callers whose own results are not needed are found when the pass runs again; aggregate
//! results stay. In a function that is not in SSA form a parameter that is assigned again is live if any of its
//! assignments is read.
//!
//! # Source
//!
//! LLVM's `deadargelim`; constants as in D. Callahan, K. D. Cooper, K. Kennedy, L. Torczon, "Interprocedural Constant
//! Propagation", CC 1986, with literal jump functions.

mod events;
mod usage;

use crate::analysis::Preserved;
use crate::analysis::call_graph::{CallGraph, Callee};
use crate::pass::remarks::{By, Remarks};
use crate::pass::{ModuleContext, ModulePass, Pass, PassInfo};
use crate::passes::dead_args::events::Event;
use lir_syntax::ir::{
    AbiParam, Attrs, CallInfo, CallResult, DebugLoc, Decls, EntitySet, Format, FuncId, Function, Inst, InstData,
    Module, Opcode, PackedOption, Param, Reg, SecondaryMap, SymKind, Type,
};
use usage::{Usage, Value};

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "dead-args",
    summary: "remove unused and constant parameters, and unused results, of local functions",
    options: &[],
    build: |_| Pass::Module(Box::new(DeadArgs)),
};

struct DeadArgs;

impl ModulePass for DeadArgs {
    fn run(&self, module: &mut Module, cx: &mut ModuleContext<'_>) -> Preserved {
        let graph = CallGraph::new(module);
        let mut candidates = EntitySet::new();
        for (id, f) in module.funcs.iter() {
            match unknown_calls(module, &graph, id, cx) {
                Some(why) => report_kept_parameters(f, cx.remarks, |_, r, by| by.is_none().then(|| why(r))),
                None => _ = candidates.insert(id),
            }
        }
        if candidates.is_empty() {
            return Preserved::All;
        }
        let usage = Usage::of(module, &candidates);
        let mut changed = EntitySet::new();
        let mut callers = EntitySet::new();
        for id in candidates.iter() {
            report_kept_parameters(&module.funcs[id], cx.remarks, |k, r, by| {
                (usage.verdict(id, k) == (true, Value::Several)).then(|| Event::IsNeeded(r, by.map(By)))
            });
        }
        for id in candidates.iter() {
            let change = Change::of(module, &usage, id);
            if !change.is_none() {
                change.apply(module, id, cx);
                changed.insert(id);
                callers.extend(graph.callers(id).iter().copied());
            }
        }
        for id in callers.iter() {
            let Module { decls, funcs, .. } = &mut *module;
            rewrite_calls(decls, &mut funcs[id], (&usage, &changed), cx.remarks);
        }
        Preserved::cfg_if(!changed.is_empty())
    }
}

/// Returns the reason that a function takes no part, if there is one.
fn unknown_calls(module: &Module, graph: &CallGraph, id: FuncId, cx: &ModuleContext<'_>) -> Option<fn(Reg) -> Event> {
    let sym = module.funcs[id].sym;
    if cx.is_visible(&module.decls, sym) {
        Some(Event::CalledFromOutside)
    } else if graph.is_address_taken(sym) {
        Some(Event::AddressTaken)
    } else if module.funcs[id].has_jumps() {
        Some(Event::HasJumps)
    } else if graph.call_sites(id) == 0 {
        Some(Event::NothingCalls)
    } else {
        let variadic = module.decls.signature(sym).is_none_or(|sig| sig.variadic);
        variadic.then_some(Event::VariableArguments)
    }
}

/// Remarks on the parameters in registers, with the reason that `why` gives for number, register and the first
/// instruction that reads it.
fn report_kept_parameters(
    f: &Function,
    remarks: &mut Remarks,
    why: impl Fn(usize, Reg, Option<Inst>) -> Option<Event>,
) {
    if !remarks.on() {
        return;
    }
    let mut readers: SecondaryMap<Reg, PackedOption<Inst>> = SecondaryMap::with_len(PackedOption::NONE, f.num_regs());
    for i in f.layout().all_insts() {
        f.for_each_use(i, |r| readers[r] = readers[r].expand().or(Some(i)).into());
    }
    for (k, p) in f.params.iter().enumerate() {
        if let Param::Reg(r) = *p
            && let Some(event) = why(k, r, readers[r].expand())
        {
            remarks.missed(f, f.terminator(f.entry()), event);
        }
    }
}

/// The change of a function.
struct Change {
    /// Removed parameters, ascending, with their constant, if they are read.
    params: Vec<(usize, Option<i64>)>,
    /// True if the result is removed.
    result: bool,
}

impl Change {
    fn of(module: &Module, usage: &Usage, id: FuncId) -> Change {
        let f = &module.funcs[id];
        let params = (0..f.params.len()).filter_map(|k| match usage.verdict(id, k) {
            (false, _) => Some((k, None)),
            (true, Value::Constant(c)) => Some((k, Some(c))),
            (true, Value::None | Value::Several) => None,
        });
        Change { params: params.collect(), result: drops_result(&module.decls, f, usage, id) }
    }
    fn is_none(&self) -> bool {
        self.params.is_empty() && !self.result
    }
    /// Step 3 for the function.
    fn apply(&self, module: &mut Module, id: FuncId, cx: &mut ModuleContext<'_>) {
        let Module { decls, funcs, .. } = module;
        let f = &mut funcs[id];
        self.report(f, cx);
        let entry = f.entry();
        for &(k, constant) in &self.params {
            match (f.params[k], constant) {
                (Param::Reg(r), Some(c)) => {
                    let a = f.make_const(c);
                    let data = InstData::move_of(f.type_of(r), a).with_result(r);
                    let first = f.layout().first_inst(entry).expect("a block ends in a terminator");
                    // A parameter is on no line of the body.
                    f.insert_before_at(first, data, DebugLoc::NONE);
                }
                (Param::Reg(_), None) => {}
                (Param::Agg(o), _) => {
                    f.stack[o].is_param = false;
                    f.remove_stack_object(o);
                }
            }
        }
        let goes = |k: usize| self.params.binary_search_by_key(&k, |p| p.0).is_ok();
        keep(&mut f.params, |k| !goes(k));
        if let SymKind::Func { sig, .. } = &mut decls.syms[f.sym].kind {
            keep(&mut sig.params, |k| !goes(k));
            if self.result {
                sig.result = None;
                sig.attrs = sig.attrs.without(Attrs::NOALIAS);
            }
        }
        if self.result {
            let blocks: Vec<_> = f.layout().blocks().collect();
            for b in blocks {
                let ret = f.terminator(b);
                if f.inst(ret).op.format() == Format::Return {
                    f.replace_inst(ret, InstData::new(Opcode::Ret, Type::I64));
                }
            }
        }
    }
    fn report(&self, f: &Function, cx: &mut ModuleContext<'_>) {
        let constants = self.params.iter().filter(|p| p.1.is_some()).count();
        cx.stats.add("unused parameters removed", (self.params.len() - constants) as u64);
        cx.stats.add("constant parameters removed", constants as u64);
        cx.stats.add("results removed", u64::from(self.result));
        let Some(first) = f.layout().first_inst(f.entry()) else { return };
        for &(k, constant) in &self.params {
            let p = f.params[k];
            cx.remarks.done(f, first, constant.map_or(Event::IsUnused(p), |k| Event::IsConstant(p, k)));
        }
        if self.result {
            cx.remarks.done(f, first, Event::ResultUnused);
        }
    }
}

/// True if the result of a function is removed.
fn drops_result(decls: &Decls, f: &Function, usage: &Usage, id: FuncId) -> bool {
    let result = decls.signature(f.sym).and_then(|sig| sig.result);
    matches!(result, Some(AbiParam::Scalar(..))) && !usage.is_result_live(id)
}

/// Keeps the items whose positions `wants` accepts.
fn keep<T>(items: &mut Vec<T>, wants: impl Fn(usize) -> bool) {
    let mut k = 0;
    items.retain(|_| {
        k += 1;
        wants(k - 1)
    });
}

/// Step 3 for the calls, in one function, of functions that changed.
fn rewrite_calls(
    decls: &Decls,
    f: &mut Function,
    (usage, changed): (&Usage, &EntitySet<FuncId>),
    remarks: &mut Remarks,
) {
    let all: Vec<Inst> = f.layout().all_insts().collect();
    for i in all {
        let Some(id) = Callee::of(f, i).and_then(|c| c.body(decls)).filter(|id| changed.contains(*id)) else {
            continue;
        };
        let mut info: CallInfo = f.call_info(i);
        keep(&mut info.args, |k| {
            let (live, value) = usage.verdict(id, k);
            live && !matches!(value, Value::Constant(_))
        });
        let removed = info.fixed as usize - info.args.len();
        info.fixed = info.args.len() as u32;
        let mut data = *f.inst(i);
        let drops_result = matches!(info.result, CallResult::Scalar(..)) && !usage.is_result_live(id);
        let event = match (removed, drops_result) {
            (0, _) => Event::CallGivesNothing,
            (n, false) => Event::CallPassesFewer(n),
            (n, true) => Event::CallPassesFewerGivesNothing(n),
        };
        remarks.done(f, i, event);
        if drops_result {
            info.result = CallResult::None;
            data = data.with_result(None);
        }
        data = data.with_list(f.make_call(&info));
        f.replace_inst(i, data);
    }
}
