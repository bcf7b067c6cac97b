//! Makes operands, and makes all changes to a function. Each change counts in the stamps.

use super::{BlockData, Function, InstNotes, RegData};
use crate::ir::inst::{CallArg, CallInfo, CallResult, InstData};
use crate::ir::name_table::NameRef;
use crate::ir::opcode::{Format, MemoryOperands, Opcode};
use crate::ir::operand::{Mem, Operand};
use crate::ir::types::Type;
use crate::ir::{AccessType, Block, DebugLoc, Inst, Obj, Order, Promises, Reg, RmwOp, ValuePromises};
use smallvec::SmallVec;
use std::num::NonZeroU32;

impl Function {
    /// Returns the operand for a constant payload (see [`Type::constant_payload`]). Equal payloads give equal operands.
    #[inline]
    pub fn make_const(&mut self, payload: i64) -> Operand {
        if let Some(o) = Operand::small(payload) {
            return o;
        }
        let consts = &mut self.consts;
        let hash = hash_of_constant;
        let entry =
            self.const_index.entry(hash(payload), |k| consts[*k as usize] == payload, |k| hash(consts[*k as usize]));
        let index = match entry {
            hashbrown::hash_table::Entry::Occupied(e) => *e.get(),
            hashbrown::hash_table::Entry::Vacant(e) => {
                let index = consts.len() as u32;
                consts.push(payload);
                e.insert(index);
                index
            }
        };
        Operand::pool(index as usize)
    }
    /// Returns the operand for a constant, if [`make_const`](Function::make_const) would add nothing to the pool.
    pub fn find_const(&self, payload: i64) -> Option<Operand> {
        let in_pool = || self.const_index.find(hash_of_constant(payload), |k| self.consts[*k as usize] == payload);
        Operand::small(payload).or_else(|| in_pool().map(|k| Operand::pool(*k as usize)))
    }
    /// Returns the operand for a constant of type `ty` with these bits.
    pub fn make_typed_const(&mut self, ty: Type, bits: u64) -> Operand {
        self.make_const(ty.constant_payload(bits))
    }
    /// Returns the operand for a constant of type i128. Equal values give equal operands.
    pub fn make_wide_const(&mut self, value: i128) -> Operand {
        if let Ok(payload) = i64::try_from(value) {
            return self.make_const(payload);
        }
        let consts = &mut self.wide_consts;
        let hash = |value: i128| hash_of_constant(value as i64 ^ (value >> 64) as i64);
        let entry = self.wide_index.entry(hash(value), |k| consts[*k as usize] == value, |k| hash(consts[*k as usize]));
        let index = *entry
            .or_insert_with(|| {
                consts.push(value);
                consts.len() as u32 - 1
            })
            .get();
        Operand::wide_pool(index as usize)
    }
    /// Puts a memory operand into an instruction of format Address, Load, Store, AtomicLoad, AtomicStore, MemOnly or
    /// AggReturn.
    #[inline(always)] // the parser's calls count
    pub fn set_mem(&mut self, data: &mut InstData, mem: Mem) {
        let mem = mem.canonical();
        if mem.index.is_none() {
            data.a = mem.base.to_operand();
            data.b = Operand::from_bits(mem.disp as u32);
            data.flags &= !InstData::INDEXED;
        } else {
            let op = data.op;
            assert!(op.format().memory() == MemoryOperands::InLine, "`{}` has no memory operand", op.mnemonic());
            data.a = self.make_mem(mem);
            data.flags |= InstData::INDEXED;
        }
    }
    /// `lea [mem]`, without a result.
    pub fn lea(&mut self, mem: Mem) -> InstData {
        self.accessing(InstData::new(Opcode::Lea, Type::I64), mem)
    }
    /// `load T [mem]`, without a result.
    pub fn load(&mut self, ty: Type, mem: Mem) -> InstData {
        self.accessing(InstData::new(Opcode::Load, ty), mem)
    }
    /// `store T [mem], value`.
    pub fn store(&mut self, ty: Type, mem: Mem, value: impl Into<Operand>) -> InstData {
        self.accessing(InstData::new(Opcode::Store, ty).with_stored(value), mem)
    }
    /// `memcpy [to], [from], length`.
    pub fn memcpy(&mut self, to: Mem, from: Mem, length: Operand) -> InstData {
        let mut data = InstData::new(Opcode::Memcpy, Type::I64).with_length(length);
        self.set_mem_dst(&mut data, to);
        self.set_mem_src(&mut data, from);
        data
    }
    /// `memmove [to], [from], length`.
    pub fn memmove(&mut self, to: Mem, from: Mem, length: Operand) -> InstData {
        InstData { op: Opcode::Memmove, ..self.memcpy(to, from, length) }
    }
    /// `va_copy [to], [from]`.
    pub fn va_copy(&mut self, to: Mem, from: Mem) -> InstData {
        let mut data = InstData::new(Opcode::VaCopy, Type::I64);
        self.set_mem_dst(&mut data, to);
        self.set_mem_src(&mut data, from);
        data
    }
    /// `memset [to], byte, length`.
    pub fn memset(&mut self, to: Mem, byte: Operand, length: Operand) -> InstData {
        let mut data = InstData::new(Opcode::Memset, Type::I64).with_second(byte).with_length(length);
        self.set_mem_dst(&mut data, to);
        data
    }
    /// `atomic_load ORDER T [mem]`, without a result.
    pub fn atomic_load(&mut self, order: Order, ty: Type, mem: Mem) -> InstData {
        self.accessing(InstData::new(Opcode::AtomicLoad, ty).with_order(order), mem)
    }
    /// `atomic_store ORDER T [mem], value`.
    pub fn atomic_store(&mut self, order: Order, ty: Type, mem: Mem, value: impl Into<Operand>) -> InstData {
        self.accessing(InstData::new(Opcode::AtomicStore, ty).with_order(order).with_stored(value), mem)
    }
    /// `atomicrmw OP ORDER T [mem], value`, without a result.
    pub fn atomicrmw(
        &mut self,
        (op, order): (RmwOp, Order),
        ty: Type,
        mem: Mem,
        value: impl Into<Operand>,
    ) -> InstData {
        let mut data = InstData::new(Opcode::AtomicRmw, ty).with_rmw(op, order).with_second(value);
        self.set_mem_dst(&mut data, mem);
        data
    }
    /// `cmpxchg ORDER FAILURE T [mem], expected, new`, without a result.
    pub fn cmpxchg(
        &mut self,
        (success, failure): (Order, Order),
        ty: Type,
        mem: Mem,
        (expected, new): (Reg, Reg),
    ) -> InstData {
        let pair = self.make_bc(expected.into(), new.into());
        let mut data = InstData::new(Opcode::Cmpxchg, ty).with_orders(success, failure).with_list(pair);
        self.set_mem_dst(&mut data, mem);
        data
    }
    /// Sets the first memory operand, the destination. The format is AtomicUpdate, AtomicExchange, MemCopy, MemFill,
    /// MemPair or AggMemPair.
    pub(crate) fn set_mem_dst(&mut self, data: &mut InstData, mem: Mem) {
        data.a = self.make_mem(mem);
    }
    /// Sets the second memory operand, the source. The format is MemCopy, MemPair or AggMemPair.
    pub(crate) fn set_mem_src(&mut self, data: &mut InstData, mem: Mem) {
        data.b = self.make_mem(mem);
    }
    fn accessing(&mut self, mut data: InstData, mem: Mem) -> InstData {
        self.set_mem(&mut data, mem);
        data
    }
    /// Returns a memory operand in the pool, for the formats that keep theirs there.
    pub(in crate::ir) fn make_mem(&mut self, mem: Mem) -> Operand {
        self.mems.push(mem.canonical());
        Operand::from_bits(self.mems.len() as u32 - 1)
    }
    /// Second and third operand in the pool, for field `b` of Ternary, Select and AtomicExchange.
    pub fn make_bc(&mut self, b: Operand, c: Operand) -> Operand {
        self.lists.extend([b.to_bits(), c.to_bits()]);
        Operand::from_bits(self.lists.len() as u32 - 2)
    }
    /// Phi entries in the pool, for field `b`.
    pub fn make_phi(&mut self, entries: &[(Block, Operand)]) -> Operand {
        let at = self.lists.len() as u32;
        self.lists.push(entries.len() as u32);
        self.lists.extend(entries.iter().flat_map(|(b, o)| [b.as_u32(), o.to_bits()]));
        Operand::from_bits(at)
    }
    /// Case values in the pool, for field `b` of a switch.
    pub fn make_cases(&mut self, cases: &[Operand]) -> Operand {
        let at = self.lists.len() as u32;
        self.lists.push(cases.len() as u32);
        self.lists.extend(cases.iter().map(|c| c.to_bits()));
        Operand::from_bits(at)
    }
    /// Returns a call's record in the pool, for field `b` of a call.
    pub fn make_call(&mut self, info: &CallInfo) -> Operand {
        let (kind, mem) = match info.result {
            CallResult::None => (0, 0),
            CallResult::Scalar(t, e) => (1 | (e as u32) << 4 | (t as u32) << 8, 0),
            CallResult::Agg(a, m) => (2 | a.as_u32() << 2, self.make_mem(m).to_bits()),
        };
        self.had_wide |= matches!(info.result, CallResult::Scalar(Type::I128, _));
        // Memory operands go to their own pool, so the record is contiguous.
        let at = self.lists.len() as u32;
        self.lists.extend([(info.args.len() as u32) << 1 | info.variadic as u32, info.fixed, kind, mem]);
        for a in &info.args {
            let entry = match *a {
                CallArg::Reg(r, e) => [e as u32, r.as_u32()],
                CallArg::Agg(a, m) => [4 | a.as_u32() << 3, self.make_mem(m).to_bits()],
            };
            self.lists.extend(entry);
        }
        Operand::from_bits(at)
    }

    /// Makes room for `insts` more instructions, and a register for each.
    pub fn reserve(&mut self, insts: usize) {
        self.regs.reserve(insts);
        self.insts.reserve(insts);
        self.locs.reserve(insts);
        self.layout.reserve(insts);
    }
    /// Returns a name for a register or stack object that is made from the one with this name: the same base.
    pub fn name_after(&mut self, name: NameRef) -> NameRef {
        self.names.share(name);
        name.derived()
    }
    /// Makes a new register whose name is derived from `name`.
    pub fn new_reg(&mut self, ty: Type, name: NameRef) -> Reg {
        let name = self.name_after(name);
        self.regs.push(RegData { ty, name })
    }
    /// Makes a new register for one of another function, whose name was copied.
    pub(in crate::ir) fn new_reg_of_copy(&mut self, ty: Type, name: NameRef) -> Reg {
        self.regs.push(RegData { ty, name })
    }
    /// Makes a new register of the same type as `r`, named after it.
    pub fn new_reg_like(&mut self, r: Reg) -> Reg {
        let RegData { ty, name } = self.regs[r];
        self.new_reg(ty, name)
    }
    /// Removes a stack object from the function. No instruction may name it, and it is not a parameter. Its entry
    /// stays, and takes no memory.
    pub fn remove_stack_object(&mut self, o: Obj) {
        debug_assert!(!self.stack[o].is_param, "an aggregate parameter belongs to the signature");
        self.removed_objs.insert(o);
        (self.stack[o].size, self.stack[o].align) = (0, 1);
    }
    /// Makes a new block that is not in the layout yet.
    pub fn make_block(&mut self, name: NameRef) -> Block {
        self.blocks.push(BlockData { name, succs: SmallVec::new() })
    }
    /// Gives a block another label.
    pub fn set_block_name(&mut self, b: Block, name: NameRef) {
        self.blocks[b].name = name;
    }
    /// Appends a new block at the end.
    pub fn append_new_block(&mut self, name: NameRef) -> Block {
        let b = self.make_block(name);
        self.append_block(b);
        b
    }
    /// Puts a block at the end.
    pub fn append_block(&mut self, b: Block) {
        self.blocks.expect_key(b);
        self.cfg_stamp += 1;
        self.layout.append_block(b);
    }
    /// Puts a block after another.
    pub fn insert_block_after(&mut self, b: Block, after: Block) {
        self.blocks.expect_key(b);
        self.cfg_stamp += 1;
        self.layout.insert_block_after(b, after);
    }
    /// Removes a block from the layout, with its edges. Phis elsewhere are not touched.
    pub fn remove_block(&mut self, b: Block) {
        self.cfg_stamp += 1;
        self.inst_stamp += 1;
        self.blocks[b].succs.clear();
        self.layout.remove_block(b);
    }
    /// Sets the targets of a block. They must fit its terminator.
    pub fn set_succs(&mut self, b: Block, succs: &[Block]) {
        self.cfg_stamp += 1;
        if !self.weights.is_empty() {
            self.weights_follow(b, succs);
        }
        self.blocks[b].succs.clear();
        self.blocks[b].succs.extend_from_slice(succs);
    }
    /// Makes every edge from `b` to `old` lead to `new`. Phis are not touched.
    pub fn redirect_edge(&mut self, b: Block, old: Block, new: Block) {
        self.cfg_stamp += 1;
        self.blocks[b].succs.iter_mut().filter(|s| **s == old).for_each(|s| *s = new);
    }
    /// Makes an instruction that is in no block yet.
    #[inline]
    pub fn make_inst(&mut self, data: InstData, loc: DebugLoc) -> Inst {
        self.had_wide |= data.ty == Type::I128;
        let i = self.insts.push(data);
        self.locs.set(i, loc);
        i
    }
    /// Makes a copy of an instruction's data, which shares nothing with it: its operands may be rewritten separately.
    pub fn copy_inst_data(&mut self, i: Inst) -> InstData {
        let mut d = self.insts[i];
        match d.op.format() {
            Format::Ternary | Format::Select => {
                let (b, c) = self.operands_bc(i);
                d.b = self.make_bc(b, c);
            }
            Format::AtomicExchange => {
                let (expected, new) = self.operands_bc(i);
                d.a = self.make_mem(self.mem_dst(i));
                d.b = self.make_bc(expected, new);
            }
            Format::Phi => {
                let entries: Vec<(Block, Operand)> = self.phi_entries(i).collect();
                d.b = self.make_phi(&entries);
            }
            format => match format.memory() {
                MemoryOperands::None => {}
                MemoryOperands::InLine if d.is_indexed() => d.a = self.make_mem(self.mem(i)),
                MemoryOperands::InLine => {}
                MemoryOperands::Pooled => d.a = self.make_mem(self.mem_dst(i)),
                MemoryOperands::TwoPooled => {
                    d.a = self.make_mem(self.mem_dst(i));
                    d.b = self.make_mem(self.mem_src(i));
                }
                MemoryOperands::OfCall => d.b = self.make_call(&self.call_info(i)),
            },
        }
        d
    }
    /// Appends a new instruction at the end of a block.
    #[inline(always)]
    pub fn append_inst(&mut self, b: Block, data: InstData, loc: DebugLoc) -> Inst {
        let i = self.make_inst(data, loc);
        self.inst_stamp += 1;
        self.layout.append_inst(i, b);
        i
    }
    /// Inserts a new instruction before another, at the other's position in the source.
    pub fn insert_before(&mut self, before: Inst, data: InstData) -> Inst {
        self.insert_before_at(before, data, self.locs[before])
    }
    /// Inserts a new instruction before another, from a position in the source of its own.
    pub fn insert_before_at(&mut self, before: Inst, data: InstData, loc: DebugLoc) -> Inst {
        let i = self.make_inst(data, loc);
        self.inst_stamp += 1;
        self.layout.insert_inst_before(i, before);
        i
    }
    /// Inserts a new instruction at the top of a block: before its first instruction.
    pub fn prepend_inst(&mut self, b: Block, data: InstData) -> Inst {
        match self.layout.first_inst(b) {
            Some(first) => self.insert_before(first, data),
            None => self.append_inst(b, data, DebugLoc::NONE),
        }
    }
    /// Removes an instruction from its block. A terminator's edges stay until [`Function::set_succs`].
    #[inline]
    pub fn remove_inst(&mut self, i: Inst) {
        self.inst_stamp += 1;
        self.layout.remove_inst(i);
    }
    /// Moves an instruction, which is in a block, to before another. It loses its promises, since it may now be
    /// executed where it was not; an `assume`, which is nothing else, is removed.
    pub fn move_before(&mut self, i: Inst, before: Inst) {
        if self.insts[i].op == Opcode::Assume {
            return self.remove_inst(i);
        }
        self.drop_promises(i);
        self.move_with_promises(i, before);
    }
    /// Moves an instruction, which is in a block, to before another. It keeps its promises: the caller guarantees that
    /// it is executed only if it was executed before the move.
    pub fn move_with_promises(&mut self, i: Inst, before: Inst) {
        self.inst_stamp += 1;
        self.layout.remove_inst(i);
        self.layout.insert_inst_before(i, before);
    }
    /// Gives a load or a store an access type, or takes it away.
    pub fn set_access_type(&mut self, i: Inst, access_type: Option<AccessType>) {
        self.set_inst_notes(i, InstNotes { access_type: access_type.into(), ..*self.inst_notes.get(i) });
    }
    /// Gives the result of a load or a call promises, in place of others.
    pub fn set_value_promises(&mut self, i: Inst, promises: ValuePromises) {
        let value = if promises.is_empty() { None } else { Some(self.number_of_promises(promises)) };
        self.set_inst_notes(i, InstNotes { value, ..*self.inst_notes.get(i) });
    }
    /// Returns 1 more than the index of promises in the list.
    fn number_of_promises(&mut self, promises: ValuePromises) -> NonZeroU32 {
        let all = &mut self.value_promises;
        let recent = all.len().saturating_sub(RECENT_PROMISES);
        let index = all[recent..].iter().position(|p| *p == promises).map_or(all.len(), |k| recent + k);
        if index == all.len() {
            all.push(promises);
        }
        NonZeroU32::new(index as u32 + 1).expect("it is 1 or more")
    }
    pub(super) fn set_inst_notes(&mut self, i: Inst, notes: InstNotes) {
        if *self.inst_notes.get(i) != notes {
            self.inst_stamp += 1;
            self.inst_notes.set(i, notes);
        }
    }
    /// Gives a copy of an instruction the access type, the sets, the value's promises and the weights of the original.
    #[inline]
    pub fn copy_inst_notes(&mut self, original: Inst, copy: Inst) {
        if !self.inst_notes.is_empty() {
            self.set_inst_notes(copy, *self.inst_notes.get(original));
        }
    }
    /// Gives a copy of another function's instruction its access type, its weights and its value's promises, except for
    /// `dereferenceable`, which holds until the other function returns. Its sets are left out: they are about one call
    /// of the other function.
    pub fn copy_foreign_notes(&mut self, copy: Inst, from: &Function, original: Inst) {
        if from.has_inst_notes() {
            self.set_access_type(copy, from.access_type(original));
            self.set_value_promises(copy, ValuePromises { dereferenceable: 0, ..from.value_promises(original) });
            self.copy_foreign_weights(copy, from, original);
        }
    }
    /// Drops the promises of an instruction, its access type, sets, value's promises and weights among them.
    pub fn drop_promises(&mut self, i: Inst) {
        self.set_inst_notes(i, InstNotes::default());
        if !self.insts[i].promises().is_empty() {
            self.keep_promises(i, Promises::NONE);
        }
    }
    /// Drops the promises of all instructions and parameters.
    pub fn drop_all_promises(&mut self) {
        self.noalias.clear();
        self.param_promises.clear();
        for i in self.insts.keys() {
            self.drop_promises(i);
            if self.insts[i].op == Opcode::Assume && self.layout.block_of(i).is_some() {
                self.remove_inst(i);
            }
        }
    }
    /// Keeps only the promises of an instruction that are in `others`, the promises of an instruction that it replaces.
    fn keep_promises(&mut self, i: Inst, others: Promises) {
        self.inst_stamp += 1;
        self.insts[i] = self.insts[i].with_promises(self.insts[i].promises().and(others));
    }
    /// Replaces an instruction in place; its id, position and source stay. A load or store keeps its access type, its
    /// sets and the promises about its value if the new instruction is one of the same type; a branch or a switch keeps
    /// its weights if the new instruction is one, too.
    #[inline]
    pub fn replace_inst(&mut self, i: Inst, data: InstData) {
        self.inst_stamp += 1;
        self.had_wide |= data.ty == Type::I128;
        if !self.inst_notes.is_empty() {
            let before = &self.insts[i];
            // Another callee has another result, and a call may lose its result.
            let result_of = |d: &InstData| (d.first(), d.result().is_some());
            let is_alike = (data.op, data.ty) == (before.op, before.ty)
                && (data.op != Opcode::Call || result_of(&data) == result_of(before));
            if !is_alike {
                let weights = self.inst_notes.get(i).weights.filter(|_| data.op == before.op);
                self.inst_notes.set(i, InstNotes { weights, ..InstNotes::default() });
            }
        }
        self.insts[i] = data;
    }
    /// Replaces an instruction that is in no block: the function is the same as before.
    pub fn replace_detached_inst(&mut self, i: Inst, data: InstData) {
        debug_assert!(self.layout.block_of(i).is_none());
        self.had_wide |= data.ty == Type::I128;
        self.insts[i] = data;
    }
    /// Sets the position in the source that an instruction comes from: from now on it counts as the one written there.
    pub fn set_loc(&mut self, i: Inst, loc: DebugLoc) {
        self.inst_stamp += 1;
        self.locs[i] = loc;
    }
    /// Removes the location of an instruction that may be executed though the source would not execute it.
    pub fn note_speculated(&mut self, i: Inst) {
        self.set_loc(i, DebugLoc::NONE);
    }
    /// Notes that an instruction also replaces another one: it loses its location unless both have the same, and the
    /// promises and sets that the other one lacks. Different access types and different promises about the value are
    /// dropped. An access that precedes the other one needs no such note, since it is executed as before: its sets say
    /// something about all accesses of one call, and what they say was so without the other access, too.
    pub fn note_merged(&mut self, kept: Inst, gone: Inst) {
        if !self.inst_notes.is_empty() {
            if self.access_type(kept) != self.access_type(gone) {
                self.set_access_type(kept, None);
            }
            if self.value_promises(kept) != self.value_promises(gone) {
                self.set_value_promises(kept, ValuePromises::NONE);
            }
            self.keep_common_sets(kept, gone);
        }
        if !self.insts[kept].promises().is_empty() {
            self.keep_promises(kept, self.insts[gone].promises());
        }
        if !self.origins.are_alike(self.locs[kept], self.locs[gone]) {
            self.set_loc(kept, DebugLoc::NONE);
        }
    }
    /// Notes that a store to a stack object was removed which the source would have executed: debuggers are not to show
    /// it.
    pub fn note_stale(&mut self, object: Obj) {
        self.names.share(self.stack[object].name);
    }
    /// Moves the instructions of `b` from `i` to the end into `to`, with the edges. Phis elsewhere are not touched.
    pub fn split_block_at(&mut self, b: Block, i: Inst, to: Block) {
        self.cfg_stamp += 1;
        self.inst_stamp += 1;
        self.layout.split_tail(b, i, to);
        self.blocks[to].succs = std::mem::take(&mut self.blocks[b].succs);
    }
    /// Moves all instructions of `from` to the end of `to`, with its edges. The terminator of `to` is removed.
    pub fn append_all_insts(&mut self, to: Block, from: Block) {
        self.cfg_stamp += 1;
        self.inst_stamp += 1;
        if let Some(first) = self.layout.first_inst(from) {
            self.layout.split_tail(from, first, to);
        }
        self.blocks[to].succs = std::mem::take(&mut self.blocks[from].succs);
    }
    /// Sets the entries of a phi.
    pub fn set_phi_entries(&mut self, i: Inst, entries: &[(Block, Operand)]) {
        self.inst_stamp += 1;
        let at = self.insts[i].b.to_bits() as usize;
        if entries.len() <= self.lists[at] as usize {
            self.lists[at] = entries.len() as u32;
            for (k, (b, o)) in entries.iter().enumerate() {
                self.lists[at + 1 + 2 * k] = b.as_u32();
                self.lists[at + 2 + 2 * k] = o.to_bits();
            }
        } else {
            self.insts[i].b = self.make_phi(entries);
        }
    }
    /// Removes the entry of a predecessor from all phis of a block.
    pub fn remove_phi_pred(&mut self, b: Block, pred: Block) {
        self.retain_phi_preds(b, |p| p != pred);
    }
    /// Removes the entries of predecessors that `keep` rejects from a block's phis.
    pub fn retain_phi_preds(&mut self, b: Block, mut keep: impl FnMut(Block) -> bool) {
        self.inst_stamp += 1;
        let mut at = self.layout.first_inst(b);
        while let Some(i) = at.filter(|i| self.insts[*i].op == Opcode::Phi) {
            let list = self.insts[i].b.to_bits() as usize;
            let mut kept = 0;
            for k in 0..self.lists[list] as usize {
                if keep(Block::from_u32(self.lists[list + 1 + 2 * k])) {
                    self.lists.copy_within(list + 1 + 2 * k..list + 3 + 2 * k, list + 1 + 2 * kept);
                    kept += 1;
                }
            }
            self.lists[list] = kept as u32;
            at = self.layout.next_inst(i);
        }
    }
    /// Gives all phis of a block an entry for a new predecessor: a copy of their entry for another one.
    pub fn add_phi_pred_like(&mut self, b: Block, like: Block, pred: Block) {
        let phis: Vec<Inst> = self.phis(b).collect();
        let mut entries = Vec::new();
        for phi in phis {
            entries.clear();
            entries.extend(self.phi_entries(phi));
            let same = entries.iter().find(|(p, _)| *p == like).map(|(_, o)| (pred, *o));
            entries.extend(same);
            self.set_phi_entries(phi, &entries);
        }
    }
    /// Renames the predecessors in all phis of a block.
    pub fn map_phi_preds(&mut self, b: Block, mut map: impl FnMut(Block) -> Block) {
        self.inst_stamp += 1;
        let mut at = self.layout.first_inst(b);
        while let Some(i) = at.filter(|i| self.insts[*i].op == Opcode::Phi) {
            let list = self.insts[i].b.to_bits() as usize;
            for k in 0..self.lists[list] as usize {
                let pred = &mut self.lists[list + 1 + 2 * k];
                *pred = map(Block::from_u32(*pred)).as_u32();
            }
            at = self.layout.next_inst(i);
        }
    }
}

/// The number of promises that are compared with new ones, so that equal ones are stored once.
const RECENT_PROMISES: usize = 8;

/// Returns the hash of a constant in the index of the pool.
#[inline]
fn hash_of_constant(payload: i64) -> u64 {
    (payload as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (payload as u64 >> 32)
}
