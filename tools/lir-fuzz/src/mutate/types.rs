//! Changes all integers of one type in a function to another type.
//!
//! For example, 32-bit computations become 8-bit ones. Parameters, arguments, results and memory keep their types;
//! conversions are inserted.

use lir_random::Rng;
use lir_syntax::ir::{
    CallArg, CallResult, Format, Function, Inst, InstData, NameRef, Opcode, Operand, Param, Reg, Type,
};

/// The integer types, by size.
const INTEGERS: [Type; 4] = [Type::I8, Type::I16, Type::I32, Type::I64];

/// Changes all integers of one random type to another. Addresses must be i64, so i64 is not changed. Returns false if
/// nothing was changed, since the types are equal or there are no such integers.
pub(super) fn change_types(rng: &mut Rng, f: &mut Function) -> bool {
    let (from, to) = (rng.pick(&INTEGERS[..3]), rng.pick(&INTEGERS));
    let mut fixed = vec![false; f.num_regs()];
    for param in &f.params {
        if let Param::Reg(r) = param {
            fixed[lir_syntax::ir::EntityRef::index(*r)] = true;
        }
    }
    let changed: Vec<Reg> = f
        .regs
        .iter()
        .filter(|(r, data)| data.ty == from && !fixed[lir_syntax::ir::EntityRef::index(*r)])
        .map(|(r, _)| r)
        .collect();
    if from == to || changed.is_empty() {
        return false;
    }
    let change = Change { from, to, params: params_as(f, from, to) };
    changed.iter().for_each(|r| f.regs[*r].ty = to);
    let all: Vec<Inst> = f.layout().all_insts().collect();
    for i in all {
        change.inst(f, i);
    }
    change.at_entry(f);
    true
}

struct Change {
    from: Type,
    to: Type,
    /// Parameters of the old type, and the registers of the new type that replace them.
    params: Vec<(Reg, Reg)>,
}

/// Returns the conversion from one integer type to another.
fn conversion(from: Type, to: Type) -> Opcode {
    if from.bytes() < to.bytes() { Opcode::Sext } else { Opcode::Trunc }
}

fn params_as(f: &mut Function, from: Type, to: Type) -> Vec<(Reg, Reg)> {
    let of_type = |f: &Function, p: &Param| match p {
        Param::Reg(r) if f.type_of(*r) == from => Some(*r),
        Param::Reg(_) | Param::Agg(_) => None,
    };
    let params: Vec<Reg> = f.params.iter().filter_map(|p| of_type(f, p)).collect();
    params.into_iter().map(|p| (p, f.new_reg(to, NameRef::NONE))).collect()
}

impl Change {
    /// Inserts `%new = conversion %param` for each parameter at the start of the entry block.
    fn at_entry(&self, f: &mut Function) {
        let entry = f.entry();
        for (param, new) in &self.params {
            let data = self.convert(*new, self.from, self.to, Operand::reg(*param));
            f.prepend_inst(entry, data);
        }
    }
    fn convert(&self, dst: Reg, from: Type, to: Type, a: Operand) -> InstData {
        InstData::convert(conversion(from, to), from, to, a).with_result(dst)
    }
    /// Returns an operand of the new type converted to the old one before an instruction. Other operands are unchanged.
    fn narrowed(&self, f: &mut Function, i: Inst, o: Operand) -> Operand {
        if o.as_reg().is_none_or(|r| f.type_of(r) != self.to) {
            return o;
        }
        let old = f.new_reg(self.from, NameRef::NONE);
        let data = self.convert(old, self.to, self.from, o);
        f.insert_before(i, data);
        Operand::reg(old)
    }
    fn inst(&self, f: &mut Function, i: Inst) {
        let params = &self.params;
        f.rewrite_uses(i, |u| Operand::reg(params.iter().find(|p| p.0 == u.reg).map_or(u.reg, |p| p.1)));
        let d = *f.inst(i);
        match d.op.format() {
            Format::Convert => self.conversion(f, i),
            Format::Load if d.ty == self.from => self.result(f, i),
            Format::Store if d.ty == self.from => {
                let stored = self.narrowed(f, i, d.stored());
                f.replace_inst(i, d.with_stored(stored));
            }
            Format::Return if d.ty == self.from => {
                let a = self.narrowed(f, i, d.first());
                f.replace_inst(i, d.with_first(a));
            }
            Format::Call => self.call(f, i),
            // The remaining formats, whose operands have the type of the instruction.
            _ if d.ty == self.from => {
                f.replace_inst(i, d.with_type(self.to));
                f.rewrite_constants(i, |f, _, o| match f.constant(o) {
                    Some(k) => f.make_typed_const(self.to, k as u64),
                    None => o,
                });
            }
            _ => {}
        }
    }
    /// Adapts a conversion from or to the old type, which may become another conversion or a copy.
    fn conversion(&self, f: &mut Function, i: Inst) {
        let d = *f.inst(i);
        let changed = |ty: Type| if ty == self.from { self.to } else { ty };
        let (from, to) = (changed(d.ty), changed(d.to_type()));
        let mut new = d.with_type(from).with_target_type(to);
        if from == to && from.is_int() {
            new = InstData::move_of(to, d.first()).with_result(d.result());
        } else if !d.op.info().types.allows_conversion(from, to) && from.is_int() && to.is_int() {
            new.op = conversion(from, to);
        }
        f.replace_inst(i, new);
    }
    /// Keeps the old type of an instruction's result, and converts the result after the instruction.
    fn result(&self, f: &mut Function, i: Inst) {
        let d = *f.inst(i);
        let Some(dst) = d.result().filter(|r| f.type_of(*r) == self.to) else { return };
        let old = f.new_reg(self.from, NameRef::NONE);
        f.replace_inst(i, d.with_result(old));
        if let Some(next) = f.layout().next_inst(i) {
            let data = self.convert(dst, self.from, self.to, Operand::reg(old));
            f.insert_before(next, data);
        }
    }
    fn call(&self, f: &mut Function, i: Inst) {
        let mut info = f.call_info(i);
        for arg in &mut info.args {
            if let CallArg::Reg(r, _) = arg {
                // An argument that had the new type before is narrowed as well; the verifier rejects such a function.
                *r = self.narrowed(f, i, Operand::reg(*r)).as_reg().unwrap_or(*r);
            }
        }
        let mut d = *f.inst(i);
        d = d.with_list(f.make_call(&info));
        f.replace_inst(i, d);
        if matches!(info.result, CallResult::Scalar(ty, _) if ty == self.from) {
            self.result(f, i);
        }
    }
}
