//! Puts the body of a function in place of a call: step 3 of `inline`.
//!
//! ```text
//! b:                              b:
//!   %y = call i32 @f(%x)            (entry block of @f)
//!   %z = add i32 %y, 1      =>      br .., then.1, else.1
//!   ret %z                        then.1:
//!                                   jmp b.1                              was: ret 7
//!                                 else.1:
//!                                   jmp b.1                              was: ret %t
//!                                 b.1:
//!                                   %y = phi i32 [7, then.1], [%t.1, else.1]
//!                                   %z = add i32 %y, 1
//!                                   ret %z
//! ```

use super::scopes::{Scopes, has_promises};
use lir_syntax::ir::{
    Attrs, Base, Block, CallArg, CallResult, DebugLoc, Decls, EntityRef, Format, FuncId, Function, InlinedOrigins,
    Inst, InstData, Mem, NameRef, Obj, Opcode, Operand, PackedOption, Param, Reg, SecondaryMap, StackData, TailMark,
    Transplant, Type,
};

/// The facts about a callee before its body is copied.
#[derive(Copy, Clone)]
pub(super) struct Body<'a> {
    pub(super) id: FuncId,
    pub(super) f: &'a Function,
    /// True if it has dynamic stack memory, which is to be freed when it returns.
    pub(super) has_alloca: bool,
    /// Number of instructions that return.
    pub(super) returns: u32,
    /// True if no register is assigned again, parameters included.
    pub(super) is_ssa: bool,
    /// True if one call of the caller executes the copy at most once. Known where the body makes promises about its
    /// accesses.
    pub(super) is_executed_once: bool,
}

/// The destination of copies.
#[derive(Copy, Clone)]
enum InsertionPoint {
    /// Before this instruction.
    Before(Inst),
    /// To the end of this block.
    End(Block),
}

/// Scratch memory of one caller, reused for the next.
#[derive(Default)]
pub(super) struct Splicer {
    copy: Transplant,
    scopes: Scopes,
    /// The origins of its instructions.
    origins: InlinedOrigins,
    /// The last part of each block of the caller that was split. It ends as that block ended at first.
    tail: SecondaryMap<Block, PackedOption<Block>>,
    /// The first stack object for the objects of a callee: all copies of one body share theirs.
    objects: SecondaryMap<FuncId, PackedOption<Obj>>,
    callees: Vec<FuncId>,
    /// The values that a body returns, with their blocks.
    values: Vec<(Block, Operand)>,
    /// Arguments and successors on their way.
    args: Vec<CallArg>,
    succs: Vec<Block>,
}

/// One call to be replaced.
struct Site<'a> {
    decls: &'a Decls,
    body: Body<'a>,
    call: Inst,
    loc: DebugLoc,
    result: CallResult,
    /// The mark of the call: calls of the body keep theirs where it has the same.
    tail_mark: TailMark,
    /// The register that the result is assigned to.
    dst: Option<Reg>,
    /// The saved state of the dynamic stack.
    saved: Option<Reg>,
    /// True if returning is a trap.
    traps_on_return: bool,
    /// True if a phi selects the result of several returns.
    by_phi: bool,
}

impl Splicer {
    /// Begins with another caller.
    pub(super) fn begin(&mut self, caller: &Function) {
        self.tail.reset(caller.num_blocks());
        for f in self.callees.drain(..) {
            self.objects[f] = PackedOption::NONE;
        }
    }
    /// Replaces a call. Calls of one block are replaced from the last to the first. With `ssa` the caller is in SSA
    /// form and remains so.
    pub(super) fn replace(&mut self, decls: &Decls, caller: &mut Function, call: Inst, body: Body<'_>, ssa: bool) {
        let attrs = decls.signature(body.f.sym).map_or(Attrs::NONE, |sig| sig.attrs);
        let traps_on_return = attrs.has(Attrs::NORETURN);
        let by_phi = ssa && body.returns > 1 && !traps_on_return;
        let (result, dst, loc) = (caller.call_result(call), caller.def(call), caller.debug_loc(call));
        let tail_mark = caller.inst(call).tail_mark();
        let site = &mut Site { decls, body, call, loc, result, tail_mark, dst, saved: None, traps_on_return, by_phi };
        self.copy.clear();
        match body.is_executed_once && has_promises(body.f) {
            true => self.scopes.begin(decls, caller, body.f, body.is_ssa),
            false => self.scopes.begin_without(),
        }
        if decls.keeps_inlined_calls() {
            self.origins.begin(&mut caller.origins, body.f.sym, &body.f.origins, loc);
        } else {
            self.origins.begin_anonymously(&body.f.origins);
        }
        self.values.clear();
        self.stack_objects(caller, body);
        let entry = body.f.entry();
        let is_one_block = body.f.layout().next_block(entry).is_none();
        if is_one_block && body.returns == 1 && !traps_on_return {
            let point = InsertionPoint::Before(call);
            self.arguments(caller, site, point);
            self.block(caller, site, entry, point, None);
            caller.remove_inst(call);
        } else {
            self.replace_by_blocks(caller, site);
        }
    }
    /// The general case: the block is split after the call, and the copies are between its halves.
    fn replace_by_blocks(&mut self, caller: &mut Function, site: &mut Site<'_>) {
        let f = site.body.f;
        let b = caller.layout().block_of(site.call).expect("the call is in a block");
        let rest = caller.make_block(caller.block(b).name.derived());
        self.copy.blocks.note(f.entry(), b);
        let mut last = b;
        for old in f.layout().blocks().skip(1) {
            let name = Transplant::name(caller, f, f.block(old).name);
            let new = caller.make_block(name);
            caller.insert_block_after(new, last);
            self.copy.blocks.note(old, new);
            last = new;
        }
        caller.insert_block_after(rest, last);
        self.split(caller, b, site.call, rest);
        self.arguments(caller, site, InsertionPoint::Before(site.call));
        caller.remove_inst(site.call);
        for old in f.layout().blocks() {
            let new = self.copy.block(old);
            self.block(caller, site, old, InsertionPoint::End(new), Some(rest));
        }
        self.result(caller, site, rest);
    }
    /// Moves the instructions after the call to `rest`, with the edges of the block.
    fn split(&mut self, caller: &mut Function, b: Block, call: Inst, rest: Block) {
        let next = caller.layout().next_inst(call).expect("a call is no terminator");
        caller.split_block_at(b, next, rest);
        if self.tail[b].is_none() {
            // Phis of the caller are set right at the end, all at once.
            self.tail[b] = rest.into();
            return;
        }
        // The successors are now copies of the body that replaced the next call.
        let mut succs = caller.succs(rest).to_vec();
        succs.sort_unstable();
        succs.dedup();
        for s in succs {
            caller.map_phi_preds(s, |p| if p == b { rest } else { p });
        }
    }
    /// Sets the phis of the caller's own blocks right, when all calls are replaced.
    pub(super) fn finish(&mut self, caller: &mut Function, own_blocks: &[Block]) {
        for &b in own_blocks {
            if caller.phis(b).next().is_some() {
                caller.map_phi_preds(b, |p| self.tail[p].expand().unwrap_or(p));
            }
        }
    }
    /// Makes stack objects for the objects of the callee, including aggregate parameters.
    fn stack_objects(&mut self, caller: &mut Function, body: Body<'_>) {
        let first = match self.objects[body.id].expand() {
            Some(first) => first,
            None => {
                let first = caller.stack.next_key();
                for (old, o) in body.f.stack_objects() {
                    let name = Transplant::name(caller, body.f, o.name);
                    let scope = o.scope.expand().map(|scope| caller.scopes.push(body.f.scopes[scope])).into();
                    let new = caller.stack.push(StackData { name, is_param: false, scope, ..*o });
                    caller.origins.note_owner(new, body.f.origins.owner(old).unwrap_or(body.f.sym));
                }
                self.objects[body.id] = first.into();
                self.callees.push(body.id);
                first
            }
        };
        for (k, (old, _)) in body.f.stack_objects().enumerate() {
            self.copy.objs.note(old, Obj::new(first.index() + k));
        }
    }
    /// Parameters: registers that are not assigned again are the arguments, others are copies of them, aggregates are
    /// copied.
    fn arguments(&mut self, caller: &mut Function, site: &mut Site<'_>, point: InsertionPoint) {
        let body = site.body;
        self.args.clear();
        self.args.extend(caller.call_args(site.call));
        for (param, arg) in body.f.params.iter().zip(&self.args) {
            match (*param, *arg) {
                (Param::Reg(p), CallArg::Reg(a, _)) if body.is_ssa => self.copy.regs.note(p, a),
                (Param::Reg(p), CallArg::Reg(a, _)) => {
                    let p = self.copy.reg(caller, body.f, p);
                    assign(caller, point, p, Operand::reg(a), site.loc);
                }
                (Param::Agg(o), CallArg::Agg(agg, from)) => {
                    let to = self.copy.objs.get(o).expect("the object was made before");
                    copy_bytes(caller, point, Mem::obj(to, 0), from, site.decls.types[agg].size, site.loc);
                }
                (Param::Reg(_), CallArg::Agg(..)) | (Param::Agg(_), CallArg::Reg(..)) => {
                    unreachable!("a call agrees with the signature")
                }
            }
        }
        if body.has_alloca {
            let saved = caller.new_reg(Type::I64, NameRef::NONE);
            let save = InstData::new(Opcode::StackSave, Type::I64).with_result(saved);
            emit(caller, point, save, site.loc);
            site.saved = Some(saved);
        }
    }
    /// Copies a block. Returns jump to `rest`, if there is one.
    fn block(
        &mut self,
        caller: &mut Function,
        site: &Site<'_>,
        old: Block,
        point: InsertionPoint,
        rest: Option<Block>,
    ) {
        let f = site.body.f;
        for i in f.layout().insts(old) {
            if matches!(f.inst(i).op.format(), Format::Return | Format::AggReturn) {
                self.leave(caller, site, old, i, point, rest);
                return;
            }
            let mut data = self.copy.inst(caller, f, i);
            if data.op.format() == Format::Call {
                data = data.with_tail_mark(data.tail_mark().of_both(site.tail_mark));
            }
            let loc = self.origins.copy(&mut caller.origins, &f.origins, f.debug_loc(i));
            let copy = emit(caller, point, data, loc);
            caller.copy_foreign_notes(copy, f, i);
            self.scopes.give(caller, copy, f, i);
        }
        if rest.is_some() {
            self.succs.clear();
            self.succs.extend(f.succs(old).iter().map(|s| self.copy.block(*s)));
            caller.set_succs(self.copy.block(old), &self.succs);
        }
    }
    /// Replaces a `ret`.
    fn leave(
        &mut self,
        caller: &mut Function,
        site: &Site<'_>,
        old: Block,
        ret: Inst,
        point: InsertionPoint,
        rest: Option<Block>,
    ) {
        let f = site.body.f;
        let loc = self.origins.copy(&mut caller.origins, &f.origins, f.debug_loc(ret));
        if site.traps_on_return {
            emit(caller, point, InstData::new(Opcode::Unreachable, Type::I64), loc);
            return;
        }
        match site.result {
            CallResult::None => {}
            CallResult::Agg(agg, to) => {
                let from = self.copy.mem(caller, f, f.mem(ret));
                let is_own = matches!(from.base, Base::Obj(_));
                self.aggregate_result(caller, point, (to, from, site.decls.types[agg].size), is_own, loc);
            }
            CallResult::Scalar(..) => {
                if let Some(dst) = site.dst {
                    let value = self.copy.operand(caller, f, f.inst(ret).first());
                    if site.by_phi {
                        self.values.push((self.copy.block(old), value));
                    } else {
                        assign(caller, point, dst, value, loc);
                    }
                }
            }
        }
        if let Some(saved) = site.saved {
            let restore = InstData::unary(Opcode::StackRestore, Type::I64, saved);
            emit(caller, point, restore, loc);
        }
        if let Some(rest) = rest {
            emit(caller, point, InstData::new(Opcode::Jmp, Type::I64), loc);
            caller.set_succs(self.copy.block(old), &[rest]);
        }
    }
    /// Copies a result to its location. Bytes that are not the callee's own may overlap with it, and are copied through
    /// a third location.
    fn aggregate_result(
        &mut self,
        caller: &mut Function,
        point: InsertionPoint,
        (to, from, size): (Mem, Mem, u64),
        is_own: bool,
        loc: DebugLoc,
    ) {
        if is_own {
            return copy_bytes(caller, point, to, from, size, loc);
        }
        let data = StackData::new(NameRef::NONE, size, 8);
        let between = Mem::obj(caller.stack.push(data), 0);
        copy_bytes(caller, point, between, from, size, loc);
        copy_bytes(caller, point, to, between, size, loc);
    }
    /// The scalar result where it is not assigned by the returns.
    fn result(&mut self, caller: &mut Function, site: &Site<'_>, rest: Block) {
        let Some(dst) = site.dst else { return };
        let first = caller.layout().first_inst(rest).expect("the rest has a terminator");
        let ty = caller.type_of(dst);
        if site.by_phi {
            let b = caller.make_phi(&self.values);
            let phi = InstData::new(Opcode::Phi, ty).with_list(b).with_result(dst);
            caller.insert_before_at(first, phi, site.loc);
        } else if site.body.returns == 0 || site.traps_on_return {
            // This is unreachable, but the code is well-formed.
            let zero = caller.make_typed_const(ty, 0);
            assign(caller, InsertionPoint::Before(first), dst, zero, site.loc);
        }
    }
}

fn emit(f: &mut Function, point: InsertionPoint, data: InstData, loc: DebugLoc) -> Inst {
    match point {
        InsertionPoint::Before(i) => f.insert_before_at(i, data, loc),
        InsertionPoint::End(b) => f.append_inst(b, data, loc),
    }
}

/// `to = copy value` or `to = const value`.
fn assign(f: &mut Function, point: InsertionPoint, to: Reg, value: Operand, loc: DebugLoc) {
    let data = InstData::move_of(f.type_of(to), value).with_result(to);
    emit(f, point, data, loc);
}

fn copy_bytes(f: &mut Function, point: InsertionPoint, to: Mem, from: Mem, size: u64, loc: DebugLoc) {
    if size == 0 {
        return;
    }
    let size = f.make_typed_const(Type::I64, size);
    let copy = f.memcpy(to, from, size);
    emit(f, point, copy, loc);
}
