//! Steps 2 and 3: follows the addresses of candidates to their uses.

use super::address_holders::{Cell, HeldValue, Holder, Holders};
use super::{Fate, MAX_VISITS, Objects};
use crate::analysis::call_graph::{CallGraph, Callee};
use crate::analysis::effects::callee_attrs;
use lir_syntax::ir::{
    Attrs, Base, CallArg, CallResult, Decls, Effects, EntityRef, EntitySet, Format, FuncId, Function, Inst, Mem,
    Module, Opcode, Operand, OperandKind, PackedOption, Param, Reg, SecondaryMap,
};
use lir_syntax::libc;
use std::ops::Range;

/// True if a call only reads the memory that its arguments point to, and keeps no address except in the register that
/// it assigns.
fn only_reads(decls: &Decls, f: &Function, i: Inst) -> bool {
    let attrs = callee_attrs(decls, f, i);
    (attrs.has(Attrs::READONLY) || attrs.has(Attrs::READNONE))
        && !attrs.has(Attrs::RETURNS_TWICE)
        && !matches!(f.call_result(i), CallResult::Agg(..))
}

/// The addresses that reach an instruction that may write through them, in the visited function and in the functions
/// before.
pub(super) struct AddressFlow<'a> {
    module: &'a Module,
    graph: &'a CallGraph,
    pub(super) objects: Objects,
    id: FuncId,
    holders: Holders,
    /// True if an address in data that holds some got into a register, of which it was not known.
    meets_holder: bool,
    /// The instruction that loses each register of the function that is visited.
    lost: SecondaryMap<Reg, PackedOption<Inst>>,
    /// The lost registers whose origins were not looked at, and lost cells whose values were not.
    work: Vec<(HeldValue, Inst)>,
    /// The instructions that make an address, by the register that they assign: an index + 1 in `origins`, which has
    /// the index + 1 of the next one.
    first_origin: SecondaryMap<Reg, u32>,
    origins: Vec<(Inst, u32)>,
    /// The index in `lost_params` of each function's first parameter. A parameter is lost if the function loses it.
    first_param: SecondaryMap<FuncId, u32>,
    lost_params: Vec<bool>,
    visits: SecondaryMap<FuncId, u32>,
}

impl<'a> AddressFlow<'a> {
    pub(super) fn new(module: &'a Module, graph: &'a CallGraph, objects: Objects) -> AddressFlow<'a> {
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
            id: FuncId::new(0),
            holders: Holders::default(),
            meets_holder: false,
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
    pub(super) fn visit(&mut self) {
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
    /// Visits a function. Returns whether it loses more parameters than before.
    fn function(&mut self, id: FuncId) -> bool {
        let f = &self.module.funcs[id];
        self.visits[id] += 1;
        self.id = id;
        self.holders.follow_none();
        self.objects.keep_lost();
        self.meets_holder = false;
        self.walk(f, id);
        // Memory is followed only if the function lost a candidate that memory holds; few functions do.
        if !self.objects.lost.is_empty() && (self.meets_holder || self.has_stored_candidate(f)) {
            let objects = &self.objects;
            if self.holders.follow(f, |s| !objects.held_by(s).is_empty()) {
                self.objects.restore_lost();
                self.walk(f, id);
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
    /// True if a store to a stack object lost a candidate.
    fn has_stored_candidate(&self, f: &Function) -> bool {
        let is_on_stack = |m: Mem| match m.base {
            Base::Obj(_) => true,
            Base::Reg(r) => self.first_origin[r].checked_sub(1).is_some_and(|k| {
                let i = self.origins[k as usize].0;
                f.inst(i).op.format() == Format::Address && matches!(f.mem(i).base, Base::Obj(_))
            }),
            Base::Sym(_) | Base::None => false,
        };
        self.objects.lost.iter().any(|s| match self.objects.fates[*s] {
            Fate::Lost(_, by) if f.inst(by).op.format() == Format::Store => is_on_stack(f.mem(by)),
            _ => false,
        })
    }
    /// Step 2.
    fn walk(&mut self, f: &Function, id: FuncId) {
        self.lost.reset(f.num_regs());
        self.first_origin.reset(f.num_regs());
        self.origins.clear();
        for i in f.layout().all_insts() {
            self.inst(f, id, i);
        }
        while let Some((value, by)) = self.work.pop() {
            match value {
                HeldValue::Reg(r) => self.lose_origins(f, id, r, by),
                HeldValue::Cell(cell) => {
                    let first = self.work.len();
                    self.work.extend(self.holders.held(cell).map(|held| (held, by)));
                    for (held, _) in self.work.split_off(first) {
                        self.lose_value(held, by);
                    }
                }
            }
        }
    }
    /// Step 2 for one instruction.
    fn inst(&mut self, f: &Function, id: FuncId, i: Inst) {
        let d = f.inst(i);
        match d.op.format() {
            Format::Const | Format::Nullary | Format::Jump | Format::Stop => {}
            Format::Compare | Format::Branch | Format::Assume => {}
            Format::AggReturn => {
                self.note_mention(id, f.mem(i), i);
                self.lose_held_at(f.mem(i), i);
            }
            Format::Load if !d.is_volatile() && !d.op.effects().has(Effects::WRITES) => {
                self.note_mention(id, f.mem(i), i);
                let (m, objects) = (f.mem(i), &self.objects);
                let data = self.holders.data(m, |s| !objects.held_by(s).is_empty());
                if data.is_some() || self.holders.cells(m, d.ty.bytes().into()).is_some() {
                    m.index.into_iter().for_each(|r| self.lose_held_by(r, i));
                    self.add_origin(f, i);
                } else {
                    self.lose_held_at(m, i);
                }
            }
            Format::Store if !d.is_volatile() && !d.op.effects().has(Effects::READS) => self.store(f, id, i),
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
                self.copy(f, id, i);
                self.lose_operand(d.length(), i);
            }
            Format::MemFill if self.known_cells(f, f.mem_dst(i), d.length()).is_some() => {
                self.lose_operand(d.second(), i);
            }
            Format::Call => self.call(f, id, i),
            _ => {
                f.for_each_mem(i, |m| self.lose_mem(id, m, i));
                f.for_each_use(i, |r| self.lose_reg(r, i));
            }
        }
    }
    /// Handles a store: the cells that it writes hold the value, or the value is lost.
    fn store(&mut self, f: &Function, id: FuncId, i: Inst) {
        let d = f.inst(i);
        let Some(cells) = self.holders.cells(f.mem(i), d.ty.bytes().into()) else {
            self.lose_mem(id, f.mem(i), i);
            return self.lose_operand(d.stored(), i);
        };
        if let Some(r) = d.stored().as_reg() {
            self.lose_held_by(r, i);
            cells.for_each(|cell| self.hold(cell, HeldValue::Reg(r)));
        }
    }
    /// Handles a copy of memory: the cells that it writes hold the values of the cells that it reads, or the copied
    /// values are lost.
    fn copy(&mut self, f: &Function, id: FuncId, i: Inst) {
        let (to, from) = (f.mem_dst(i), f.mem_src(i));
        let length = f.inst(i).length();
        let Some(cells) = self.known_cells(f, to, length) else {
            self.lose_held_at(from, i);
            return self.lose_mem(id, to, i);
        };
        match self.known_cells(f, from, length) {
            Some(others) => {
                // If the bytes of a cell are copied into two, both hold it.
                let spread = Cell::from(!self.holders.are_aligned_alike(to, from));
                for (k, cell) in (0..others.len() as Cell + spread).zip(cells) {
                    let from = others.start + k.saturating_sub(spread)..others.end.min(others.start + k + spread + 1);
                    from.for_each(|other| self.hold(cell, HeldValue::Cell(other)));
                }
            }
            None => self.lose_held_at(from, i),
        }
    }
    /// Returns the cells that a memory operand of a block operation covers, if its length is known.
    fn known_cells(&self, f: &Function, m: Mem, length: Operand) -> Option<Range<Cell>> {
        self.holders.cells(m, u64::try_from(f.constant(length)?).ok()?)
    }
    fn hold(&mut self, cell: Cell, value: HeldValue) {
        if let Some(by) = self.holders.hold(cell, value) {
            self.lose_value(value, by);
        }
    }
    /// Loses the values in the memory to which a register points, since the register is used in a way that is not
    /// followed.
    fn lose_held_by(&mut self, r: Reg, by: Inst) {
        if let Some(holder) = self.holders.holder(r) {
            self.lose_held(holder, by);
        }
    }
    /// Loses the values in the object that a memory operand names, and in the memory to which its registers point.
    fn lose_held_at(&mut self, m: Mem, by: Inst) {
        match m.base {
            Base::Obj(o) => self.lose_held(Holder::Stack(o), by),
            Base::Sym(s) => self.lose_held(Holder::Data(s), by),
            Base::Reg(_) | Base::None => {}
        }
        if self.holders.is_followed() {
            m.regs().for_each(|r| self.lose_held_by(r, by));
        }
    }
    fn lose_held(&mut self, holder: Holder, by: Inst) {
        match holder {
            Holder::Stack(o) => self.holders.all(o).for_each(|cell| self.lose_value(HeldValue::Cell(cell), by)),
            Holder::Data(s) => {
                self.meets_holder |= self.objects.lose_held_by(s, Fate::Lost(self.id, by));
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
                CallArg::Agg(_, m) => {
                    self.note_mention(id, m, i);
                    self.lose_held_at(m, i);
                }
                CallArg::Reg(r, _) => {
                    // The callee may write to an address that it reads there.
                    self.lose_held_by(r, i);
                    if !only_reads && !self.is_only_read(f, id, i, k) {
                        self.lose_reg(r, i);
                    }
                }
            }
        }
        if only_reads {
            self.add_origin(f, i);
        }
    }
    /// True if a call only reads the memory that argument `k` points to, and does not return the argument.
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
    /// True if the facts about a callee are known, or the caller will be visited again when they change.
    fn may_follow(&self, caller: FuncId, callee: FuncId) -> bool {
        let components = self.graph.components();
        self.visits[caller] < MAX_VISITS || components.of(caller) != components.of(callee)
    }
    /// Notes that an instruction makes an address from its operands.
    fn add_origin(&mut self, f: &Function, i: Inst) {
        if self.holders.is_followed() {
            f.for_each_use(i, |r| {
                if let Some(holder) = self.holders.holder(r)
                    && f.inst(i).op.format() != Format::Load
                    && !self.holders.makes_address(f, i, holder)
                {
                    self.lose_held(holder, i);
                }
            });
        }
        if f.inst(i).op.format() == Format::Address {
            self.meet_base(f, i);
        }
        if let Some(r) = f.def(i) {
            self.origins.push((i, self.first_origin[r]));
            self.first_origin[r] = self.origins.len() as u32;
        }
    }
    /// Loses the values in the object that an address points to, unless the register that gets the address is followed.
    fn meet_base(&mut self, f: &Function, i: Inst) {
        let holder = match f.mem(i).base {
            Base::Obj(o) => Holder::Stack(o),
            Base::Sym(s) => Holder::Data(s),
            Base::Reg(_) | Base::None => return,
        };
        if !self.holders.is_followed() || !self.holders.makes_address(f, i, holder) {
            self.lose_held(holder, i);
        }
    }
    /// Loses the origins of a lost register.
    fn lose_origins(&mut self, f: &Function, id: FuncId, r: Reg, by: Inst) {
        let mut next = self.first_origin[r];
        while next != 0 {
            let (i, after) = self.origins[next as usize - 1];
            self.lose_origin(f, id, i, by);
            next = after;
        }
    }
    /// Loses the operands from which an instruction makes an address.
    fn lose_origin(&mut self, f: &Function, id: FuncId, i: Inst, by: Inst) {
        match f.inst(i).op.format() {
            Format::Address => self.lose_mem(id, f.mem(i), by),
            Format::Load => {
                let (m, objects) = (f.mem(i), &self.objects);
                if let Some(s) = self.holders.data(m, |s| !objects.held_by(s).is_empty()) {
                    return self.lose_held(Holder::Data(s), by);
                }
                let cells = self.holders.cells(m, f.inst(i).ty.bytes().into());
                cells.into_iter().flatten().for_each(|cell| self.lose_value(HeldValue::Cell(cell), by));
            }
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
            self.objects.lose(s, Fate::Lost(id, by));
        }
        self.lose_held_at(m, by);
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
            self.work.push((HeldValue::Reg(r), by));
            self.lose_held_by(r, by);
        }
    }
    fn lose_value(&mut self, value: HeldValue, by: Inst) {
        match value {
            HeldValue::Reg(r) => self.lose_reg(r, by),
            HeldValue::Cell(cell) if self.holders.lose(cell, by) => self.work.push((value, by)),
            HeldValue::Cell(_) => {}
        }
    }
}
