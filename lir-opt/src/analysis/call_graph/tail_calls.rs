//! Finds calls that are followed only by the return of their result, and checks whether such a call may take the place
//! of its caller on the stack.
//!
//! [`call_before`] and [`SharedReturns`] find them. [`misfit`](lir_syntax::abi::misfit) checks the calling convention,
//! [`keeps_frame`] the caller's stack objects, and [`TailGroups`] the call graph. The pass
//! [`tail-calls`](crate::passes::tail_calls) marks the calls that pass all three checks. A mark can also be written in
//! the text, so code generation repeats the first two.
//!
//! # Why it is sound
//!
//! The callee finds its arguments in registers or in the stack arguments of the caller, if there is room, and the rest
//! of the stack as the caller's caller left it. Nothing of the caller may be needed any more: no stack object has its
//! address in a register (so nothing else can know it), there is no dynamic stack memory, nothing is returned twice.
//! The result of the caller must be the result of the callee. An aggregate is returned in the registers of the caller's
//! result, or at the address given by the caller's caller: the callee receives that address, and may write there at
//! once, since the bytes of a result are unspecified during the call. The object that would have held it until the
//! return is dead by then, as nothing else knows it.
//!
//! The depth of the stack is not guaranteed, but a recursion that overflows it must do so at every level, and in the
//! interpreter. So [`TailGroups`] rejects a call if jumps alone could lead back to the caller: if both functions are in
//! one component of the graph of calls that might become jumps; for a callee in a register, if such jumps could lead to
//! the caller from any function whose address is taken.
//!
//! # Source
//!
//! G. L. Steele, "Debunking the 'Expensive Procedure Call' Myth", ACM 1977; the conditions are LLVM's for sibling calls
//! (`isEligibleForTailCallOptimization`).

use crate::analysis::call_graph::Callee;
use crate::analysis::call_graph::components::Components;
use lir_syntax::ir::{
    Agg, Attrs, Base, Block, CallResult, DataItem, Decls, EntityRef, EntitySet, Format, FuncId, Function, Inst, Mem,
    Module, Opcode, Operand, SecondaryMap, Sym,
};

// ---- Calls before returns ----

/// The value of a return.
#[derive(Copy, Clone, PartialEq)]
pub enum Returned {
    /// No value.
    Nothing,
    /// A register or a constant.
    Scalar(Operand),
    /// The aggregate at an address.
    Agg(Agg, Mem),
}

impl Returned {
    /// Returns the value of the return `i`. None for other instructions.
    pub fn by(f: &Function, i: Inst) -> Option<Returned> {
        let d = f.inst(i);
        match d.op {
            Opcode::Ret if d.first().is_none() => Some(Returned::Nothing),
            Opcode::Ret => Some(Returned::Scalar(d.first())),
            Opcode::RetAgg => Some(Returned::Agg(d.agg(), f.mem(i))),
            _ => None,
        }
    }
}

/// Returns the call before a block's last instruction, if nothing or its result is returned then. A `va_end`, which
/// does nothing, may be between them.
pub fn call_before(f: &Function, last: Inst, returned: Returned) -> Option<Inst> {
    let mut before = f.layout().prev_inst(last);
    while let Some(i) = before.filter(|i| f.inst(*i).op == Opcode::VaEnd) {
        before = f.layout().prev_inst(i);
    }
    let call = before.filter(|i| f.inst(*i).op == Opcode::Call)?;
    let gives = match returned {
        Returned::Nothing => true,
        Returned::Scalar(value) => value.is_reg() && f.def(call) == value.as_reg(),
        Returned::Agg(agg, m) => matches!(f.call_result(call), CallResult::Agg(a, to) if a == agg && to == m),
    };
    gives.then_some(call)
}

/// Returns the return of a block that contains only it and phis, and its value there.
pub(crate) fn return_of(f: &Function, m: Block) -> Option<(Inst, Returned)> {
    let mut ret = f.layout().first_inst(m)?;
    while f.inst(ret).op == Opcode::Phi {
        ret = f.layout().next_inst(ret)?;
    }
    match Returned::by(f, ret)? {
        // An address that a phi makes is another one at the end of a predecessor.
        Returned::Agg(_, m) if !matches!(m, Mem { base: Base::Obj(_), index: None, .. }) => None,
        returned => Some((ret, returned)),
    }
}

/// A table of the values that blocks return by jumping to a shared return. The phis of each such return are read once,
/// so a return that n calls share costs n and not n squared. Phis must not change until the table is cleared. Its
/// memory is kept for the next function.
#[derive(Default)]
pub(crate) struct SharedReturns {
    /// The blocks whose phi is in the table.
    read: EntitySet<Block>,
    /// For each predecessor of these: the operand. A predecessor that jumps has one successor.
    operands: SecondaryMap<Block, Operand>,
}

impl SharedReturns {
    /// Forgets the function.
    pub(crate) fn clear(&mut self) {
        self.read.clear();
    }
    /// Returns the return of the block `m` that contains only it and phis, and the value returned if control comes from
    /// `from`, which jumps there.
    pub(crate) fn return_in(&mut self, f: &Function, m: Block, from: Block) -> Option<(Inst, Returned)> {
        let (ret, returned) = return_of(f, m)?;
        let Returned::Scalar(value) = returned else { return Some((ret, returned)) };
        let Some(phi) = f.phis(m).find(|i| value.is_reg() && f.def(*i) == value.as_reg()) else {
            return Some((ret, returned));
        };
        if self.read.insert(m) {
            f.phi_entries(phi).for_each(|(pred, operand)| self.operands.set(pred, operand));
        }
        Some((ret, Returned::Scalar(self.operands[from])))
    }
    /// Returns the call whose result, if any, a block returns right after it. The block does so itself or by a jump to
    /// a return.
    pub(crate) fn call_at_end(&mut self, f: &Function, b: Block) -> Option<Inst> {
        let last = f.layout().last_inst(b)?;
        match f.inst(last).op {
            // Blocks without a call are excluded first.
            Opcode::Jmp if call_before(f, last, Returned::Nothing).is_some() => {
                let [m] = f.succs(b) else { return None };
                call_before(f, last, self.return_in(f, *m, b)?.1)
            }
            _ => call_before(f, last, Returned::by(f, last)?),
        }
    }
}

// ---- The frame ----

/// True if the code after any instruction of a function may need its frame. Such an instruction makes the address of a
/// stack object known, in a register or to a callee, begins a list of arguments, moves the stack pointer, or calls a
/// function that returns twice.
pub fn keeps_frame(decls: &Decls, f: &Function) -> bool {
    f.layout().all_insts().any(|i| needs_frame_later(decls, f, i))
}

fn needs_frame_later(decls: &Decls, f: &Function, i: Inst) -> bool {
    let d = f.inst(i);
    match d.op.format() {
        // The list contains the address of the registers that were saved in the frame, wherever it is.
        _ if d.op == Opcode::VaStart => return true,
        Format::Load | Format::Store | Format::MemCopy | Format::MemFill | Format::AggReturn => return false,
        format if format.is_atomic() => return false,
        // State that is saved and not restored, if nothing is allocated, is the state of an empty stack.
        Format::Alloca | Format::Consume => return true,
        // The callee has its arguments by value, and writes its result until it returns.
        Format::Call => return Callee::of(f, i).is_some_and(|c| c.attrs(decls).has(Attrs::RETURNS_TWICE)),
        _ => {}
    }
    let mut of_object = false;
    f.for_each_mem(i, |m| of_object |= matches!(m.base, Base::Obj(_)));
    of_object
}

// ---- The call graph ----

/// The calls that a return follows, and the functions that could call each other by such calls as jumps alone.
pub(crate) struct TailGroups {
    /// The calls of all functions, with their blocks, in order.
    calls: Vec<(Block, Inst)>,
    /// For each function the end of its calls.
    ends: Vec<usize>,
    /// By calls of functions that are named.
    components: Components<FuncId>,
    /// True for functions that such jumps may reach from one whose address is taken.
    found_by_address: Vec<bool>,
}

impl TailGroups {
    /// Computes the groups of a module. None if no call precedes a return. Linear in blocks; linear in instructions and
    /// data if calls through registers may become jumps.
    pub(crate) fn new(module: &Module, shared: &mut SharedReturns) -> Option<TailGroups> {
        let (mut callees, mut callee_ends): (Vec<FuncId>, _) = (Vec::new(), vec![0]);
        let (mut calls, mut ends) = (Vec::new(), Vec::with_capacity(module.funcs.len()));
        let mut indirect = false;
        for f in module.funcs.values() {
            shared.clear();
            for b in f.layout().blocks() {
                let Some(call) = shared.call_at_end(f, b) else { continue };
                calls.push((b, call));
                let Some(callee) = Callee::of(f, call) else { continue };
                indirect |= callee == Callee::Register;
                callees.extend(callee.body(&module.decls));
            }
            callee_ends.push(callees.len());
            ends.push(calls.len());
        }
        if calls.is_empty() {
            return None;
        }
        let succs = |f: FuncId| &callees[callee_ends[f.index()]..callee_ends[f.index() + 1]];
        let mut found_by_address = vec![false; module.funcs.len()];
        if indirect {
            let mut open = known_addresses(module);
            while let Some(f) = open.pop() {
                if !std::mem::replace(&mut found_by_address[f.index()], true) {
                    open.extend(succs(f));
                }
            }
        }
        let components = Components::new(module.funcs.len(), succs);
        Some(TailGroups { calls, ends, components, found_by_address })
    }
    /// Returns the calls before returns of a function, with the blocks whose ends they are at, in order.
    pub(crate) fn calls_of(&self, f: FuncId) -> &[(Block, Inst)] {
        let start = f.index().checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.calls[start..self.ends[f.index()]]
    }
    /// True if jumps alone might lead from the callee back to the caller.
    pub(crate) fn may_come_back(&self, decls: &Decls, caller: Sym, callee: Callee) -> bool {
        let Some(a) = decls.body(caller) else { return false };
        match callee {
            Callee::Symbol(_) => callee.body(decls).is_some_and(|b| self.components.of(a) == self.components.of(b)),
            Callee::Register => self.found_by_address[a.index()],
        }
    }
}

/// Returns the functions of a module whose address is in its code or data. Some occur more than once.
fn known_addresses(module: &Module) -> Vec<FuncId> {
    let mut known = Vec::new();
    for f in module.funcs.values() {
        for i in f.layout().all_insts() {
            f.for_each_mem(i, |m| {
                if let Base::Sym(s) = m.base {
                    known.extend(module.decls.body(s));
                }
            });
        }
    }
    let items = module.decls.data.values().flat_map(|d| &d.items);
    known.extend(items.filter_map(|item| match item {
        DataItem::Addr(s, _) => module.decls.body(*s),
        DataItem::Scalar(..) | DataItem::Wide(_) | DataItem::Str(_) | DataItem::Zero(_) => None,
    }));
    known
}
