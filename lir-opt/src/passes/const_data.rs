//! Data that nothing writes (`const-data`).
//!
//! Makes `local data` constant that no instruction writes, and whose address does not get to where it might be
//! written.
//!
//! # Example
//!
//! ```text
//! local data @shape = { i32 5, 3 }             local const data @shape = { i32 5, 3 }
//! local data @count = { i32 0 }                local data @count = { i32 0 }
//! local func @width(%p: i64) -> i32 {          local func @width(%p: i64) -> i32 {
//! entry:                                       entry:
//!   %w = load i32 [%p + 4]                       %w = load i32 [%p + 4]
//!   ret %w                                =>     ret %w
//! }                                            }
//! func @f() -> i32 {                           func @f() -> i32 {
//! entry:                                       entry:
//!   %p = lea [@shape]                            %p = lea [@shape]
//!   %w = call i32 @width(%p)                     %w = call i32 @width(%p)
//!   store i32 [@count], 1                        store i32 [@count], 1
//!   ret %w                                       ret %w
//! }                                            }
//! ```
//!
//! Other passes compute the loads: `gvn`, `sccp` and `loop-unroll` those at known offsets; and no store stands between
//! two loads any more.
//!
//! # Algorithm
//!
//! 1. Candidates are the data objects with contents that are `local`, no entry points, not `thread`, not in a section
//!    of their own choice, and not `const` already; and whose address no data object holds.
//! 2. Functions are visited callees first. A register is *lost* where its value may be written through or kept: it is
//!    an operand of anything but a load, a comparison, a call that is followed, or what makes an address of it (`lea
//!    copy phi select add sub and or`). So is a register that one of these makes a lost one of. A candidate is lost
//!    where its name is an operand in the same ways.
//! 3. A call of a function defined here loses the arguments whose parameters that function loses. Functions that call
//!    each other are visited again while one loses more parameters; the last of [`MAX_VISITS`] follows none of the
//!    calls between them. Of functions of C it is known which arguments they only read. A call that is `readonly` or
//!    `readnone`, whatever it calls, loses no other argument either, but makes its result of them.
//! 4. Candidates that some function names and none loses become `const`.
//!
//! # Why it is sound
//!
//! An access is one through the object's name, or through an address that was made from it: through registers, which
//! step 2 follows, through calls, which step 3 follows, or through memory, where no address of a candidate is: who
//! puts it there loses it. An access through the address of another object stays inside of that one, and `local`
//! symbols are not known to others. A comparison gives away which of two addresses is equal, but not more: an access
//! through the other one that follows from it is a mistake of the program. A number that was computed from an address
//! some other way could be taken for it, so that computing it counts as keeping the address. A volatile load expects
//! somebody else to write: it loses the object.
//!
//! A function that calls itself keeps nothing that its body does not keep if the calls inside do not: the visits begin
//! with the assumption that nothing is lost and end where it is confirmed.
//!
//! # Cost and limits
//!
//! Linear: one walk over a function's instructions, and each register is lost once; at most [`MAX_VISITS`] walks over
//! functions that call each other. Addresses that are returned, or held by data, are not followed; neither are the
//! members of an object apart. Large objects of zeros stay: as constants they would have to be in the file.
//!
//! # Source
//!
//! LLVM's `globalopt` (`llvm/lib/Transforms/IPO/GlobalOpt.cpp`, `llvm/lib/Transforms/Utils/GlobalStatus.cpp`), which
//! does not follow calls.

use crate::analysis::Preserved;
use crate::analysis::call_graph::{CallGraph, Callee};
use crate::analysis::effects::callee_attrs;
use crate::pass::remarks::Event;
use crate::pass::{ModuleContext, ModulePass, Pass, PassInfo};
use lir_syntax::ir::{
    Attrs, Base, CallArg, CallResult, DataItem, DataObject, Decls, Effects, EntitySet, Format, FuncId, Function, Inst,
    Mem, Module, Opcode, Operand, OperandKind, PackedOption, Param, Reg, SecondaryMap, Sym,
};
use lir_syntax::libc;

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "const-data",
    summary: "make local data constant that nothing writes",
    options: &[],
    build: |_| Pass::Module(Box::new(ConstData)),
};

/// Bytes of an object of zeros that may become part of the file.
const MAX_ZEROS: u64 = 4096;
/// Number of visits of a function that calls itself, by others perhaps. The last one takes nothing for granted.
const MAX_VISITS: u32 = 4;

struct ConstData;

impl ModulePass for ConstData {
    fn run(&self, module: &mut Module, cx: &mut ModuleContext<'_>) -> Preserved {
        let objects = Objects::of(module, cx);
        if !objects.has_candidates(&module.decls) && !cx.remarks.on() {
            return Preserved::All;
        }
        let graph = CallGraph::new(module);
        let mut flow = AddressFlow::new(module, &graph, objects);
        flow.visit();
        let objects = flow.objects;
        // The bodies are as they were, but what is printed is not.
        Preserved::cfg_if(objects.apply(module, cx))
    }
}

/// The reason a local object does not become constant.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Stays {
    /// It is in a section of its own choice.
    Section,
    /// Another object holds its address.
    HeldBy(Sym),
    /// It is large, and all zeros.
    Zeros,
    /// This instruction of the function may write it or give its address away.
    Lost(FuncId, Inst),
}

/// The facts about a symbol.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
enum Fate {
    /// It is no data that is local and may be written.
    #[default]
    Other,
    Candidate,
    Stays(Stays),
}

/// The module's data objects.
struct Objects {
    fates: SecondaryMap<Sym, Fate>,
    /// The first instruction that names a candidate, as functions are visited.
    named: SecondaryMap<Sym, Option<(FuncId, Inst)>>,
}

impl Objects {
    /// Step 1.
    fn of(module: &Module, cx: &ModuleContext<'_>) -> Objects {
        let decls = &module.decls;
        let len = decls.syms.len();
        let mut objects =
            Objects { fates: SecondaryMap::with_len(Fate::Other, len), named: SecondaryMap::with_len(None, len) };
        for d in decls.data.values() {
            if !d.constant && !d.is_extern && !d.thread && !cx.is_visible(decls, d.sym) {
                objects.fates[d.sym] = first_reason(d).map_or(Fate::Candidate, Fate::Stays);
            }
        }
        for d in decls.data.values() {
            for item in &d.items {
                if let DataItem::Addr(s, _) = item {
                    objects.lose(*s, Stays::HeldBy(d.sym));
                }
            }
        }
        objects
    }
    fn has_candidates(&self, decls: &Decls) -> bool {
        decls.data.values().any(|d| self.fates[d.sym] == Fate::Candidate)
    }
    fn lose(&mut self, s: Sym, why: Stays) {
        if self.fates[s] == Fate::Candidate {
            self.fates[s] = Fate::Stays(why);
        }
    }
    fn note_mention(&mut self, s: Sym, id: FuncId, i: Inst) {
        if self.fates[s] != Fate::Other && self.named[s].is_none() {
            self.named[s] = Some((id, i));
        }
    }
    /// Step 4. Returns whether there is any.
    fn apply(&self, module: &mut Module, cx: &mut ModuleContext<'_>) -> bool {
        let Module { decls, funcs, .. } = module;
        let mut changed = false;
        for id in decls.data.keys() {
            let d = &mut decls.data[id];
            let s = d.sym;
            let Some((id, i)) = self.named[s] else { continue };
            match self.fates[s] {
                Fate::Other => {}
                Fate::Candidate => {
                    d.constant = true;
                    changed = true;
                    cx.stats.add("data objects made constant", 1);
                    cx.remarks.done(&funcs[id], i, Event::NothingWrites(s));
                }
                Fate::Stays(Stays::Section) => cx.remarks.missed(&funcs[id], i, Event::HasASection(s)),
                Fate::Stays(Stays::HeldBy(by)) => cx.remarks.missed(&funcs[id], i, Event::ReferredTo(by, s)),
                Fate::Stays(Stays::Zeros) => cx.remarks.missed(&funcs[id], i, Event::ManyZeros(s)),
                Fate::Stays(Stays::Lost(id, i)) => {
                    let f = &funcs[id];
                    let event = if may_write(f, i, s) { Event::IsWrittenHere(s) } else { Event::AddressIsKept(s) };
                    cx.remarks.missed(f, i, event);
                }
            }
        }
        changed
    }
}

/// The reason an object stays as it is, whatever is done with it.
fn first_reason(d: &DataObject) -> Option<Stays> {
    let is_zero = |item: &DataItem| matches!(item, DataItem::Zero(_));
    if d.section.is_some() {
        Some(Stays::Section)
    } else if d.size() > MAX_ZEROS && d.items.iter().all(is_zero) {
        Some(Stays::Zeros)
    } else {
        None
    }
}

/// True if an instruction writes to memory that it names.
fn may_write(f: &Function, i: Inst, s: Sym) -> bool {
    let mut names = false;
    f.for_each_mem(i, |m| names |= m.base == Base::Sym(s));
    names && f.inst(i).op.effects().has(Effects::WRITES)
}

/// True if a call reads what its arguments lead to, and keeps nothing of it but in the register that it assigns.
fn only_reads(decls: &Decls, f: &Function, i: Inst) -> bool {
    let attrs = callee_attrs(decls, f, i);
    (attrs.has(Attrs::READONLY) || attrs.has(Attrs::READNONE))
        && !attrs.has(Attrs::RETURNS_TWICE)
        && !matches!(f.call_result(i), CallResult::Agg(..))
}

/// The addresses that get to where they may be written through, in the function that is visited and those before.
struct AddressFlow<'a> {
    module: &'a Module,
    graph: &'a CallGraph,
    objects: Objects,
    /// The instruction that loses each register of the function that is visited.
    lost: SecondaryMap<Reg, PackedOption<Inst>>,
    /// Those whose origins were not looked at.
    work: Vec<(Reg, Inst)>,
    /// The instructions that make an address, by the register that they assign: an index + 1 in `origins`, where the
    /// index + 1 of the next one stands.
    first_origin: SecondaryMap<Reg, u32>,
    origins: Vec<(Inst, u32)>,
    /// The parameters that functions lose: from this index in `lost_params`.
    first_param: SecondaryMap<FuncId, u32>,
    lost_params: Vec<bool>,
    visits: SecondaryMap<FuncId, u32>,
}

impl<'a> AddressFlow<'a> {
    fn new(module: &'a Module, graph: &'a CallGraph, objects: Objects) -> AddressFlow<'a> {
        let len = module.funcs.len();
        let mut first_param = SecondaryMap::with_len(0, len);
        let mut params = 0;
        for (id, f) in module.funcs.iter() {
            first_param[id] = params;
            params += f.params.len() as u32;
        }
        AddressFlow {
            module,
            graph,
            objects,
            lost: SecondaryMap::default(),
            work: Vec::new(),
            first_origin: SecondaryMap::default(),
            origins: Vec::new(),
            first_param,
            lost_params: vec![false; params as usize],
            visits: SecondaryMap::with_len(0, len),
        }
    }
    /// Steps 2 and 3.
    fn visit(&mut self) {
        let graph = self.graph;
        let mut work: Vec<FuncId> = Vec::new();
        let mut waiting = EntitySet::new();
        for component in graph.components().iter() {
            work.extend(component.iter().rev());
            waiting.extend(component.iter().copied());
            let own = graph.components().of(component[0]);
            while let Some(id) = work.pop() {
                waiting.remove(id);
                if !self.function(id) {
                    continue;
                }
                for &caller in graph.callers(id) {
                    let may_change = graph.components().of(caller) == own && self.visits[caller] < MAX_VISITS;
                    if may_change && waiting.insert(caller) {
                        work.push(caller);
                    }
                }
            }
        }
    }
    /// Visits a function. Returns whether it loses more parameters than were known.
    fn function(&mut self, id: FuncId) -> bool {
        let f = &self.module.funcs[id];
        self.visits[id] += 1;
        self.lost.reset(f.num_regs());
        self.first_origin.reset(f.num_regs());
        self.origins.clear();
        for i in f.layout().all_insts() {
            self.inst(f, id, i);
        }
        while let Some((r, by)) = self.work.pop() {
            let mut next = self.first_origin[r];
            while next != 0 {
                let (i, after) = self.origins[next as usize - 1];
                self.lose_origin(f, id, i, by);
                next = after;
            }
        }
        let mut more = false;
        for (k, param) in f.params.iter().enumerate() {
            let is_lost = &mut self.lost_params[self.first_param[id] as usize + k];
            if matches!(param, Param::Reg(r) if self.lost[*r].is_some()) {
                more |= !*is_lost;
                *is_lost = true;
            }
        }
        more
    }
    /// Step 2 for one instruction.
    fn inst(&mut self, f: &Function, id: FuncId, i: Inst) {
        let d = f.inst(i);
        match d.op.format() {
            Format::Const | Format::Nullary | Format::Jump | Format::Stop => {}
            Format::Compare | Format::Branch => {}
            Format::AggReturn => self.note_mention(id, f.mem(i), i),
            Format::Load if !d.is_volatile() && !d.op.effects().has(Effects::WRITES) => {
                self.note_mention(id, f.mem(i), i)
            }
            Format::Address => {
                self.note_mention(id, f.mem(i), i);
                self.add_origin(f, i);
            }
            Format::Phi | Format::Select => self.add_origin(f, i),
            Format::Unary if d.op == Opcode::Copy => self.add_origin(f, i),
            Format::Binary if matches!(d.op, Opcode::Add | Opcode::Sub | Opcode::And | Opcode::Or) => {
                self.add_origin(f, i);
            }
            Format::MemCopy => {
                self.note_mention(id, f.mem_src(i), i);
                self.lose_mem(id, f.mem_dst(i), i);
                self.lose_operand(d.length(), i);
            }
            Format::Call => self.call(f, id, i),
            _ => {
                f.for_each_mem(i, |m| self.lose_mem(id, m, i));
                f.for_each_use(i, |r| self.lose_reg(r, i));
            }
        }
    }
    /// Step 3.
    fn call(&mut self, f: &Function, id: FuncId, i: Inst) {
        if let CallResult::Agg(_, m) = f.call_result(i) {
            self.lose_mem(id, m, i);
        }
        self.lose_operand(f.inst(i).first(), i);
        let only_reads = only_reads(&self.module.decls, f, i);
        for (k, arg) in f.call_args(i).enumerate() {
            match arg {
                CallArg::Agg(_, m) => self.note_mention(id, m, i),
                CallArg::Reg(r, _) if !only_reads && !self.is_only_read(f, id, i, k) => self.lose_reg(r, i),
                CallArg::Reg(..) => {}
            }
        }
        if only_reads {
            self.add_origin(f, i);
        }
    }
    /// True if a call reads what an argument points to, and does no more with it: it does not return it either.
    fn is_only_read(&self, f: &Function, id: FuncId, call: Inst, k: usize) -> bool {
        let decls = &self.module.decls;
        let callee = Callee::of(f, call);
        if k >= f.call_fixed(call).0 {
            return false;
        }
        if let Some(to) = callee.and_then(|c| c.body(decls)) {
            return self.may_follow(id, to) && !self.lost_params[self.first_param[to] as usize + k];
        }
        let OperandKind::Sym(s) = f.inst(call).first().kind() else { return false };
        libc::declared(decls, s).is_some_and(|function| function.only_reads(k))
    }
    /// True if the facts about a callee are known, or the caller will be visited again where they change.
    fn may_follow(&self, caller: FuncId, callee: FuncId) -> bool {
        let components = self.graph.components();
        self.visits[caller] < MAX_VISITS || components.of(caller) != components.of(callee)
    }
    /// Notes that an instruction makes an address of its operands.
    fn add_origin(&mut self, f: &Function, i: Inst) {
        if let Some(r) = f.def(i) {
            self.origins.push((i, self.first_origin[r]));
            self.first_origin[r] = self.origins.len() as u32;
        }
    }
    /// Loses what an instruction makes an address of.
    fn lose_origin(&mut self, f: &Function, id: FuncId, i: Inst, by: Inst) {
        match f.inst(i).op.format() {
            Format::Address => self.lose_mem(id, f.mem(i), by),
            Format::Select => {
                let (x, y) = f.operands_bc(i);
                self.lose_operand(x, by);
                self.lose_operand(y, by);
            }
            Format::Call => {
                for (k, arg) in f.call_args(i).enumerate() {
                    if let CallArg::Reg(r, _) = arg
                        && !self.is_only_read(f, id, i, k)
                    {
                        self.lose_reg(r, by);
                    }
                }
            }
            _ => f.for_each_use(i, |r| self.lose_reg(r, by)),
        }
    }
    /// Notes that an instruction names the object of an address.
    fn note_mention(&mut self, id: FuncId, m: Mem, i: Inst) {
        if let Base::Sym(s) = m.base {
            self.objects.note_mention(s, id, i);
        }
    }
    fn lose_mem(&mut self, id: FuncId, m: Mem, by: Inst) {
        if let Base::Sym(s) = m.base {
            self.objects.note_mention(s, id, by);
            self.objects.lose(s, Stays::Lost(id, by));
        }
        m.regs().for_each(|r| self.lose_reg(r, by));
    }
    fn lose_operand(&mut self, o: Operand, by: Inst) {
        if let Some(r) = o.as_reg() {
            self.lose_reg(r, by);
        }
    }
    fn lose_reg(&mut self, r: Reg, by: Inst) {
        if self.lost[r].is_none() {
            self.lost[r] = by.into();
            self.work.push((r, by));
        }
    }
}
