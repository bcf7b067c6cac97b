//! The needed and the constant parameters and results: steps 1 and 2 of `dead-args`.

use crate::analysis::assignments::Assignments;
use crate::analysis::call_graph::Callee;
use crate::tables::groups::Groups;
use lir_syntax::ir::{
    Base, CallArg, Decls, EntityRef, EntitySet, FuncId, Function, Inst, Mem, Module, Obj, Opcode, PackedOption, Param,
    Reg, SecondaryMap,
};

/// A parameter of a function that takes part: its number among all of these.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Slot(u32);

impl EntityRef for Slot {
    fn new(index: usize) -> Slot {
        Slot(u32::try_from(index).expect("too many parameters"))
    }
    fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::fmt::Debug for Slot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "param{}", self.0)
    }
}

/// The values of a parameter in all calls.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(super) enum Value {
    /// No call brings one.
    #[default]
    None,
    /// All bring this constant.
    Constant(i64),
    /// Others.
    Several,
}

impl Value {
    fn meet(self, other: Value) -> Value {
        match (self, other) {
            (Value::None, v) | (v, Value::None) => v,
            (a, b) if a == b => a,
            (Value::Constant(_) | Value::Several, Value::Constant(_) | Value::Several) => Value::Several,
        }
    }
}

/// The needed parts of the functions that take part.
#[derive(Default)]
pub(super) struct Usage {
    /// The first parameter of each function that takes part; the others follow it.
    first: SecondaryMap<FuncId, PackedOption<Slot>>,
    values: SecondaryMap<Slot, Value>,
    live: EntitySet<Slot>,
    live_results: EntitySet<FuncId>,
}

impl Usage {
    /// Steps 1 and 2.
    pub(super) fn of(module: &Module, candidates: &EntitySet<FuncId>) -> Usage {
        let mut usage = Usage::default();
        let mut slots = 0;
        for id in candidates.iter() {
            usage.first[id] = Slot::new(slots).into();
            slots += module.funcs[id].params.len();
        }
        let mut finder = UsageFinder { usage, handed_on: Vec::new(), facts: FunctionFacts::default() };
        for (id, f) in module.funcs.iter() {
            finder.function(&module.decls, id, f);
        }
        let UsageFinder { mut usage, handed_on, .. } = finder;
        let mut sources: Groups<Slot, Slot> = Groups::default();
        sources.fill(slots, handed_on.iter().copied());
        let mut work: Vec<Slot> = usage.live.iter().collect();
        while let Some(to) = work.pop() {
            work.extend(sources.get(to).iter().filter(|from| usage.live.insert(**from)));
        }
        usage
    }
    /// Parameter number k of a function; none if the function takes no part.
    fn slot(&self, f: FuncId, k: usize) -> Option<Slot> {
        self.first[f].expand().map(|first| Slot::new(first.index() + k))
    }
    /// Returns the verdict on a parameter: true if it is read, and its values. The parameters of a function that takes
    /// no part are all read and have several values.
    pub(super) fn verdict(&self, f: FuncId, k: usize) -> (bool, Value) {
        self.slot(f, k).map_or((true, Value::Several), |s| (self.live.contains(s), self.values[s]))
    }
    /// True if a call reads the result of a function that takes part.
    pub(super) fn is_result_live(&self, f: FuncId) -> bool {
        self.live_results.contains(f)
    }
}

/// Finds the usage of parameters and results: step 1.
struct UsageFinder {
    usage: Usage,
    /// Parameters that are handed on: to the first of a pair, by the second.
    handed_on: Vec<(Slot, Slot)>,
    facts: FunctionFacts,
}

/// The facts about the function that is visited.
#[derive(Default)]
struct FunctionFacts {
    assignments: Assignments,
    /// The constant of a register that is assigned once, by a `const`.
    constants: SecondaryMap<Reg, Option<i64>>,
    /// The parameter that a register is.
    param_of: SecondaryMap<Reg, PackedOption<Slot>>,
    /// The parameter that a stack object is.
    object_of: SecondaryMap<Obj, PackedOption<Slot>>,
    read: EntitySet<Reg>,
    /// The registers that calls assign, and their callees.
    results: Vec<(Reg, FuncId)>,
}

impl UsageFinder {
    fn function(&mut self, decls: &Decls, id: FuncId, f: &Function) {
        let facts = &mut self.facts;
        facts.assignments.count(f);
        facts.constants.reset(f.num_regs());
        facts.param_of.reset(f.num_regs());
        facts.object_of.reset(f.stack.len());
        facts.read.clear();
        facts.results.clear();
        for (k, p) in f.params.iter().enumerate() {
            match *p {
                Param::Reg(r) => facts.param_of[r] = self.usage.slot(id, k).into(),
                Param::Agg(o) => facts.object_of[o] = self.usage.slot(id, k).into(),
            }
        }
        for i in f.layout().all_insts() {
            if let Some(r) = f.def(i).filter(|r| f.inst(i).op == Opcode::Const && facts.assignments.is_single(*r)) {
                facts.constants[r] = f.constant(f.inst(i).first());
            }
        }
        for i in f.layout().all_insts() {
            match Callee::of(f, i).and_then(|c| c.body(decls)) {
                Some(callee) if self.usage.first[callee].is_some() => self.call(f, i, callee),
                _ => self.plain(f, i),
            }
        }
        for &(r, callee) in &self.facts.results {
            if self.facts.read.contains(r) {
                self.usage.live_results.insert(callee);
            }
        }
    }
    /// An instruction that is not a call of a function that takes part: its operands are live.
    fn plain(&mut self, f: &Function, i: Inst) {
        f.for_each_use(i, |r| self.read(r));
        f.for_each_mem(i, |m| self.memory(m));
    }
    fn read(&mut self, r: Reg) {
        self.facts.read.insert(r);
        if let Some(slot) = self.facts.param_of[r].expand() {
            self.usage.live.insert(slot);
        }
    }
    /// An aggregate parameter is live where anything names its object.
    fn memory(&mut self, m: Mem) {
        if let Base::Obj(o) = m.base
            && let Some(slot) = self.facts.object_of[o].expand()
        {
            self.usage.live.insert(slot);
        }
    }
    fn call(&mut self, f: &Function, i: Inst, callee: FuncId) {
        f.for_each_mem(i, |m| self.memory(m));
        f.for_each_mem(i, |m| m.regs().for_each(|r| self.read(r)));
        if let Some(r) = f.def(i) {
            self.facts.results.push((r, callee));
        }
        for (k, arg) in f.call_args(i).enumerate() {
            let Some(to) = self.usage.slot(callee, k) else { continue };
            let CallArg::Reg(r, _) = arg else {
                self.usage.values[to] = Value::Several;
                continue;
            };
            let is_single = self.facts.assignments.is_single(r);
            let own = self.facts.param_of[r].expand().filter(|_| is_single);
            // Reading it matters to results, and to the parameter if that is live.
            self.facts.read.insert(r);
            match (own, self.facts.param_of[r].expand()) {
                (Some(from), _) => self.handed_on.push((to, from)),
                (None, Some(from)) => drop(self.usage.live.insert(from)),
                (None, None) => {}
            }
            let value = match (own, self.facts.constants[r]) {
                (Some(from), _) if from == to => Value::None,
                (_, Some(c)) => Value::Constant(c),
                (_, None) => Value::Several,
            };
            self.usage.values[to] = self.usage.values[to].meet(value);
        }
    }
}
