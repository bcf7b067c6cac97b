//! Changes of single instructions: another operation of the same form, other operands, constants at the edges.
//!
//! Every change may break a rule of the language: the caller verifies the module after it, and undoes invalid changes.

use lir_random::Rng;
use lir_syntax::ir::{
    Base, EntityRef, FloatCC, Format, Function, Inst, InstData, IntCC, Mem, Module, Obj, Opcode, Operand, Order,
    Predicate, Reg, RmwOp, Sym, TailMark, Type,
};

/// Constants at the edges of types, of displacements and of immediates.
const EDGES: [i64; 22] = [
    0,
    1,
    -1,
    2,
    3,
    7,
    8,
    63,
    64,
    127,
    128,
    -128,
    255,
    256,
    0x7fff,
    0x8000,
    0x7fff_ffff,
    -0x8000_0000,
    0x8000_0000,
    0xffff_ffff,
    i64::MAX,
    i64::MIN,
];
/// Displacements at the edges.
const DISPLACEMENTS: [i32; 13] =
    [0, 1, -1, 8, 127, 128, 4096, 1 << 30, -(1 << 30), i32::MAX, i32::MIN, i32::MIN + 3, -8];

/// The largest displacements.
const FAR: [i32; 4] = [i32::MIN, i32::MIN + 3, i32::MIN + 9, i32::MAX];

/// Makes one change of a function. Returns true if it found something to change.
pub(super) fn change(rng: &mut Rng, module: &mut Module, func: usize) -> bool {
    let Module { decls, funcs, .. } = module;
    let f = &mut funcs.as_mut_slice()[func];
    let all: Vec<Inst> = f.layout().all_insts().collect();
    let i = rng.pick(&all);
    match rng.below(23) {
        0..5 => opcode(rng, f, i),
        5..10 => operand(rng, f, i),
        10..13 => constant(rng, f, i),
        13..16 => memory(rng, f, i, decls.syms.len()),
        16 => remove(f, i),
        17 => move_or_copy(rng, f, i, &all),
        18 => sum_to_address(rng, f, i) || address_to_sum(f, i) || any_address(rng, f, i),
        19 => any_address(rng, f, i),
        20 => brought_to_phi(rng, f, &all).is_some_and(|i| any_address(rng, f, i)),
        21 => mark(rng, f, &all),
        _ => predicate(rng, f, i),
    }
}

/// Returns a random register of a type.
pub(super) fn any_reg(rng: &mut Rng, f: &Function, ty: Type) -> Option<Reg> {
    let of_type: Vec<Reg> = f.regs.keys().filter(|r| f.type_of(*r) == ty).collect();
    if of_type.is_empty() { None } else { Some(rng.pick(&of_type)) }
}

/// Returns a constant of a type, at an edge or small.
pub(super) fn edge(rng: &mut Rng, f: &mut Function, ty: Type) -> Operand {
    match ty {
        Type::F32 => f.make_typed_const(ty, u64::from((rng.pick(&EDGES) as f32).to_bits())),
        Type::F64 => f.make_typed_const(ty, (rng.pick(&EDGES) as f64).to_bits()),
        Type::I128 if rng.chance(50) => {
            let high = i128::from(rng.pick(&EDGES)) << 64;
            f.make_wide_const(high | i128::from(rng.bits()))
        }
        Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::I128 => {
            let value = if rng.chance(70) { rng.pick(&EDGES) } else { rng.below(100) as i64 };
            f.make_typed_const(ty, value as u64)
        }
    }
}

/// Another operation of the same form, for the same types.
fn opcode(rng: &mut Rng, f: &mut Function, i: Inst) -> bool {
    let mut d = *f.inst(i);
    let of_form: Vec<Opcode> = Opcode::ALL
        .iter()
        .copied()
        .filter(|o| *o != d.op && o.format() == d.op.format() && o.info().result == d.op.info().result)
        .filter(|o| match d.op.format() {
            Format::Convert => o.info().types.allows_conversion(d.ty, d.to_type()),
            _ => o.info().types.allows(d.ty),
        })
        .collect();
    if of_form.is_empty() {
        return predicate(rng, f, i);
    }
    d.op = rng.pick(&of_form);
    f.replace_inst(i, d);
    true
}

/// Adds a `tail` mark to a call, or removes it.
fn mark(rng: &mut Rng, f: &mut Function, all: &[Inst]) -> bool {
    let calls: Vec<Inst> = all.iter().copied().filter(|i| f.inst(*i).op.format() == Format::Call).collect();
    if calls.is_empty() {
        return false;
    }
    let i = rng.pick(&calls);
    let d = *f.inst(i);
    let other = if d.tail_mark() == TailMark::None { TailMark::Tail } else { TailMark::None };
    f.replace_inst(i, d.with_tail_mark(other));
    true
}

/// Another order of an atomic operation, or another operation of an `atomicrmw`.
fn order(rng: &mut Rng, f: &mut Function, i: Inst) -> bool {
    let d = *f.inst(i);
    let order = rng.pick(Order::allowed(d.op));
    let changed = match d.op.format() {
        Format::AtomicUpdate => d.with_rmw(rng.pick(&RmwOp::ALL), order),
        Format::AtomicExchange => d.with_orders(order, rng.pick(Order::OF_LOADS)),
        _ => d.with_order(order),
    };
    f.replace_inst(i, changed);
    true
}

/// Another predicate.
fn predicate(rng: &mut Rng, f: &mut Function, i: Inst) -> bool {
    let d = *f.inst(i);
    if d.order().is_some() {
        return order(rng, f, i);
    }
    if !matches!(d.op.format(), Format::Compare | Format::Branch) {
        return false;
    }
    let predicate = match d.ty.is_float() {
        true => Predicate::Float(rng.pick(FloatCC::ALL)),
        false => Predicate::Int(rng.pick(IntCC::ALL)),
    };
    f.replace_inst(i, d.with_predicate(predicate));
    true
}

/// Replaces a register that an instruction reads by another of its type or a constant.
fn operand(rng: &mut Rng, f: &mut Function, i: Inst) -> bool {
    let mut uses = Vec::new();
    f.rewrite_uses(i, |u| {
        uses.push(u);
        Operand::reg(u.reg)
    });
    if uses.is_empty() {
        return false;
    }
    let (chosen, wants_const) = (rng.below(uses.len()), rng.chance(25));
    let (old, by_const) = (uses[chosen].reg, wants_const && uses[chosen].may_be_const);
    let ty = f.type_of(old);
    let new = if by_const { edge(rng, f, ty) } else { any_reg(rng, f, ty).map_or(Operand::reg(old), Operand::reg) };
    let mut at = 0;
    f.rewrite_uses(i, |u| {
        at += 1;
        if at - 1 == chosen { new } else { Operand::reg(u.reg) }
    });
    new != Operand::reg(old)
}

/// Replaces a constant operand of an instruction by another.
fn constant(rng: &mut Rng, f: &mut Function, i: Inst) -> bool {
    let is_size = matches!(f.inst(i).op.format(), Format::Alloca | Format::MemCopy | Format::MemFill);
    let mut count = 0;
    f.rewrite_constants(i, |f, _, o| {
        count += usize::from(f.wide_constant(o).is_some());
        o
    });
    if count == 0 {
        return false;
    }
    let (chosen, mut at) = (rng.below(count), 0);
    f.rewrite_constants(i, |f, ty, o| {
        let Some(old) = f.wide_constant(o) else { return o };
        at += 1;
        if at - 1 != chosen {
            return o;
        }
        // One more or less is also near the edge.
        let near = !ty.is_float() && rng.chance(30);
        let by = if rng.chance(50) { 1 } else { -1 };
        match near {
            _ if is_size && ty == Type::I64 => f.make_const(rng.below(300) as i64),
            true if ty == Type::I128 => f.make_wide_const(old.wrapping_add(by)),
            true => f.make_typed_const(ty, old.wrapping_add(by) as u64),
            false => edge(rng, f, ty),
        }
    });
    true
}

/// Another displacement, scale, index or base.
fn memory(rng: &mut Rng, f: &mut Function, i: Inst, syms: usize) -> bool {
    let mut mems = Vec::new();
    f.for_each_mem(i, |m| mems.push(m));
    if mems.is_empty() {
        return false;
    }
    let k = rng.below(mems.len());
    let m = &mut mems[k];
    match rng.below(8) {
        0..2 => m.disp = rng.pick(&DISPLACEMENTS),
        2..4 => m.disp = m.disp.wrapping_add(rng.below(33) as i32 - 16),
        4 => m.scale = rng.pick(&[1, 2, 4, 8]),
        5 => m.index = if m.index.is_some() { None } else { any_reg(rng, f, Type::I64) },
        6 => m.base = any_reg(rng, f, Type::I64).map_or(Base::None, Base::Reg),
        _ => m.base = any_base(rng, f, syms),
    }
    if m.index.is_none() {
        m.scale = 1;
    }
    f.set_mems(i, &mems);
    true
}

fn any_base(rng: &mut Rng, f: &Function, syms: usize) -> Base {
    let objects: Vec<Obj> = f.stack_objects().map(|(o, _)| o).collect();
    match objects.is_empty() || rng.chance(40) {
        true => Base::Sym(Sym::new(rng.below(syms.max(1)))),
        false => Base::Obj(rng.pick(&objects)),
    }
}

/// Removes an instruction. Its register must have another assignment or no reads, else the verifier rejects the change.
fn remove(f: &mut Function, i: Inst) -> bool {
    if f.inst(i).op.is_terminator() {
        return false;
    }
    f.remove_inst(i);
    true
}

/// Moves an instruction, or duplicates it at another position.
fn move_or_copy(rng: &mut Rng, f: &mut Function, i: Inst, all: &[Inst]) -> bool {
    let before = rng.pick(all);
    let op = f.inst(i).op;
    if op.is_terminator() || op == Opcode::Phi || f.inst(before).op == Opcode::Phi || before == i {
        return false;
    }
    if rng.chance(50) {
        f.move_before(i, before);
        return true;
    }
    let mut copy = f.copy_inst_data(i);
    if let Some(dst) = copy.result() {
        let new = f.new_reg_like(dst);
        copy = copy.with_result(new);
    }
    f.insert_before(before, copy);
    true
}

/// `add i64 %a, %b` as an address.
fn sum_to_address(rng: &mut Rng, f: &mut Function, i: Inst) -> bool {
    let d = *f.inst(i);
    if d.ty != Type::I64 || d.op.format() != Format::Binary {
        return false;
    }
    let Some(a) = d.first().as_reg() else { return false };
    let mut mem = Mem::reg(a);
    if let Some(b) = d.second().as_reg() {
        mem = mem.indexed(b, rng.pick(&[1, 2, 4, 8]));
    }
    mem.disp = match f.constant(d.second()).and_then(|k| i32::try_from(k).ok()) {
        Some(k) if rng.chance(50) => k,
        _ => rng.pick(&DISPLACEMENTS),
    };
    let mut new = InstData::new(Opcode::Lea, Type::I64).with_result(d.result());
    f.set_mem(&mut new, mem);
    f.replace_inst(i, new);
    true
}

/// Finds the assignment of a register that a phi takes: in a loop a counter's next value, say.
fn brought_to_phi(rng: &mut Rng, f: &Function, all: &[Inst]) -> Option<Inst> {
    let phis: Vec<Inst> = all.iter().copied().filter(|i| f.inst(*i).op.format() == Format::Phi).collect();
    if phis.is_empty() {
        return None;
    }
    let operands: Vec<Reg> = f.phi_entries(rng.pick(&phis)).filter_map(|(_, o)| o.as_reg()).collect();
    if operands.is_empty() {
        return None;
    }
    let r = rng.pick(&operands);
    all.iter().copied().find(|i| f.def(*i) == Some(r))
}

/// Replaces an instruction with an i64 result by the address of one or two registers. Most addresses are far away.
fn any_address(rng: &mut Rng, f: &mut Function, i: Inst) -> bool {
    let d = *f.inst(i);
    let Some(r) = f.def(i).filter(|r| f.type_of(*r) == Type::I64 && d.op.effects().is_pure()) else { return false };
    let mut used = None;
    f.for_each_use(i, |u| used = (f.type_of(u) == Type::I64).then_some(u).or(used));
    let Some(a) = used.or_else(|| any_reg(rng, f, Type::I64)) else { return false };
    let mut mem = Mem::reg(a);
    if rng.chance(30)
        && let Some(b) = any_reg(rng, f, Type::I64)
    {
        mem = mem.indexed(b, rng.pick(&[1, 2, 4, 8]));
    }
    mem.disp = if rng.chance(50) { rng.pick(&DISPLACEMENTS) } else { rng.pick(&FAR) };
    let mut new = InstData::new(Opcode::Lea, Type::I64).with_result(r);
    f.set_mem(&mut new, mem);
    f.replace_inst(i, new);
    true
}

/// An address as a sum of its base and its displacement.
fn address_to_sum(f: &mut Function, i: Inst) -> bool {
    let d = *f.inst(i);
    if d.op != Opcode::Lea {
        return false;
    }
    let mem = f.mem(i);
    let Base::Reg(a) = mem.base else { return false };
    let b = mem.index.map_or_else(|| f.make_const(i64::from(mem.disp)), Operand::reg);
    f.replace_inst(i, InstData::binary(Opcode::Add, Type::I64, a, b).with_result(d.result()));
    true
}
