//! Edits that remove parts of a function and keep it well-formed.

use lir_syntax::ir::{
    AbiParam, Base, Block, Cfg, DebugLoc, Decls, EntitySet, Format, Function, Inst, InstData, NameRef, Opcode,
    OperandKind, Reg, SecondaryMap, Signature, StackData, Sym, Type,
};

/// Returns all instructions in layout order.
pub(super) fn insts(f: &Function) -> Vec<Inst> {
    f.layout().all_insts().collect()
}

/// Number of times each register is read.
pub(super) fn count_uses(f: &Function) -> SecondaryMap<Reg, u32> {
    let mut uses = SecondaryMap::new();
    for i in insts(f) {
        f.for_each_use(i, |r| uses[r] += 1);
    }
    uses
}

/// Number of times each register is assigned; a parameter once more, by the call.
pub(super) fn count_assignments(f: &Function) -> SecondaryMap<Reg, u32> {
    let mut assigned = SecondaryMap::new();
    for p in &f.params {
        if let lir_syntax::ir::Param::Reg(r) = *p {
            assigned[r] += 1;
        }
    }
    for i in insts(f) {
        if let Some(r) = f.def(i) {
            assigned[r] += 1;
        }
    }
    assigned
}

/// Returns the instruction `%dst = const 0`.
pub(super) fn zero_into(f: &mut Function, dst: Reg) -> InstData {
    let ty = f.type_of(dst);
    let a = f.make_typed_const(ty, 0);
    InstData::move_of(ty, a).with_result(dst)
}

/// Removes an instruction that is not a terminator. A register that it assigned is set to 0 there, if it is `used`.
pub(super) fn neutralise(f: &mut Function, i: Inst, used: bool) {
    match f.def(i).filter(|_| used) {
        None => f.remove_inst(i),
        Some(dst) => {
            let zero = zero_into(f, dst);
            if f.inst(i).op.format() == Format::Phi {
                let block = f.layout().block_of(i).expect("the instruction is in a block");
                let body = f.layout().insts(block).find(|i| f.inst(*i).op.format() != Format::Phi);
                f.insert_before(body.expect("a block ends in a terminator"), zero);
                f.remove_inst(i);
            } else {
                f.replace_inst(i, zero);
            }
        }
    }
}

/// Removes an instruction that is no longer valid. Terminators become `unreachable`.
pub(super) fn disable(f: &mut Function, i: Inst) {
    if !f.inst(i).op.is_terminator() {
        return neutralise(f, i, true);
    }
    let block = f.layout().block_of(i).expect("the instruction is in a block");
    f.replace_inst(i, InstData::new(Opcode::Unreachable, Type::I64));
    f.set_succs(block, &[]);
}

/// Returns the symbol that an instruction calls.
pub(super) fn callee(f: &Function, i: Inst) -> Option<Sym> {
    let data = f.inst(i);
    match data.op.format() {
        Format::Call => match data.first().kind() {
            OperandKind::Sym(sym) => Some(sym),
            _ => None,
        },
        _ => None,
    }
}

/// True if an instruction has a memory operand or a callee that satisfies `which`.
pub(super) fn refers_to(f: &Function, i: Inst, which: impl Fn(Base) -> bool) -> bool {
    let mut found = false;
    f.for_each_mem(i, |m| found |= which(m.base));
    if f.inst(i).op.format() == Format::Call && !f.inst(i).first().is_const() {
        found |= which(Base::from_operand(f.inst(i).first()));
    }
    found
}

/// Makes a block end in a return of 0, or of an aggregate of zeros. Existing memory is used for the aggregate, or a new
/// stack object.
pub(super) fn end_in_return(decls: &Decls, f: &mut Function, block: Block) {
    if let Some(last) = f.layout().last_inst(block).filter(|i| f.inst(*i).op.is_terminator()) {
        f.remove_inst(last);
    }
    f.set_succs(block, &[]);
    let data = return_of_zero(decls, f);
    let loc = DebugLoc::offset(f.loc);
    f.append_inst(block, data, loc);
}

fn return_of_zero(decls: &Decls, f: &mut Function) -> InstData {
    let signature: &Signature = decls.signature(f.sym).expect("the symbol of a function is a function");
    match signature.result {
        None => InstData::new(Opcode::Ret, Type::I64),
        Some(AbiParam::Scalar(ty, _)) => {
            let a = f.make_typed_const(ty, 0);
            InstData::unary(Opcode::Ret, ty, a)
        }
        Some(AbiParam::Agg(agg)) => {
            let existing = f.stack_objects().find(|(_, s)| s.agg.expand() == Some(agg)).map(|(o, _)| o);
            let obj = existing.unwrap_or_else(|| {
                let t = &decls.types[agg];
                f.stack.push(StackData { agg: agg.into(), ..StackData::new(NameRef::NONE, t.size, t.align.max(8)) })
            });
            let mut data = InstData::new(Opcode::RetAgg, Type::I64).with_agg(agg);
            f.set_mem(&mut data, lir_syntax::ir::Mem::obj(obj, 0));
            data
        }
    }
}

/// Returns the blocks that the entry leads to.
pub(super) fn reachable(f: &Function) -> EntitySet<Block> {
    let mut found = EntitySet::new();
    Cfg::new(f).rpo().iter().for_each(|b| {
        found.insert(*b);
    });
    found
}

/// Cleans up after edges were removed: removes the blocks that became unreachable, and the phi entries of former
/// predecessors.
pub(super) fn drop_unreached(f: &mut Function, before: &EntitySet<Block>) {
    let now = reachable(f);
    let gone: Vec<Block> = f.layout().blocks().filter(|b| before.contains(*b) && !now.contains(*b)).collect();
    gone.into_iter().for_each(|b| f.remove_block(b));
    let cfg = Cfg::new(f);
    let mut blocks: Vec<Block> = f.layout().blocks().collect();
    lir_opt::edit::edges::drop_stale_phi_entries(f, &cfg, &mut blocks);
}
