//! Calls of every kind, by name and through registers.

use crate::body::Body;
use crate::constants::constant_bits;
use crate::surroundings::{Callee, ParamKind, Purity};
use lir_syntax::ir::builder::Value;
use lir_syntax::ir::{AbiParam, Base, CallArg, CallResult, Mem, Opcode, Type};

impl Body<'_> {
    /// Makes a call of a function that may be called here and is not too long. An expression if there is none.
    pub(crate) fn call(&mut self) {
        if self.this.purity == Purity::Any && self.rng.chance(25) && self.call_through_table() {
            return;
        }
        let callees = self.around.callees;
        let fit: Vec<usize> = (0..callees.len()).filter(|k| self.may_call(&callees[*k])).collect();
        if fit.is_empty() {
            return self.expression();
        }
        let k = self.rng.pick(&fit);
        self.call_of(k);
    }

    fn may_call(&self, callee: &Callee) -> bool {
        callee.purity <= self.this.purity && self.affordable(callee.steps)
    }

    /// Makes a call of one function, if it is not too long.
    pub(crate) fn call_of(&mut self, k: usize) {
        let callee = &self.around.callees[k];
        if !self.may_call(callee) {
            return;
        }
        let args = self.arguments(callee);
        let result = self.result_location(callee);
        let through_register = self.around.config.indirect_calls && self.rng.chance(15);
        let address = through_register.then(|| self.b.lea(Mem::sym(callee.sym, 0)));
        // A mark has no meaning on a call that is followed by something other than the return.
        if self.rng.chance(10) {
            self.b.tail();
        }
        let r = if let Some(address) = address {
            self.b.call_indirect(&callee.sig, address, &args, result)
        } else {
            self.b.call(self.around.decls, callee.sym, &args, result)
        };
        self.finish_call(callee, r, result);
        self.steps += callee.steps * self.trips;
    }

    /// Calls one of the functions of the table, if they may be called. Returns true if so.
    fn call_through_table(&mut self) -> bool {
        let Some(table) = self.around.table else { return false };
        let made = self.around.callees.len();
        let steps = table.members.iter().filter(|k| **k < made).map(|k| self.around.callees[*k].steps).max();
        let all_made = table.members.iter().all(|k| *k < made);
        let Some(steps) = steps.filter(|steps| all_made && self.affordable(*steps)) else { return false };
        let callee = &self.around.callees[table.members[0]];
        let args = self.arguments(callee);
        let result = self.result_location(callee);
        let a = self.any(Type::I64);
        let index = self.b.binary(Opcode::And, Type::I64, a, table.members.len() as i64 - 1);
        let address = self.b.load(Type::I64, Mem::sym(table.sym, 0).indexed(index, 8));
        let r = self.b.call_indirect(&callee.sig, address, &args, result);
        self.finish_call(callee, r, result);
        self.steps += steps * self.trips;
        true
    }

    /// Calls a function with the same result as this one and returns its result. Returns true if there is one.
    pub(super) fn tail_call(&mut self) -> bool {
        let same = |c: &Callee| c.sig.result == self.this.sig.result && c.result_written == self.this.result_written;
        let callees = self.around.callees;
        let fit: Vec<usize> =
            (0..callees.len()).filter(|k| same(&callees[*k]) && self.may_call(&callees[*k])).collect();
        if fit.is_empty() {
            return false;
        }
        let callee = &callees[self.rng.pick(&fit)];
        let args = self.arguments(callee);
        let result = self.result_location(callee);
        let through_register = self.around.config.indirect_calls && self.rng.chance(25);
        let address = through_register.then(|| self.b.lea(Mem::sym(callee.sym, 0)));
        if self.rng.chance(50) {
            self.b.tail();
        }
        let r = if let Some(address) = address {
            self.b.call_indirect(&callee.sig, address, &args, result)
        } else {
            self.b.call(self.around.decls, callee.sym, &args, result)
        };
        self.steps += callee.steps * self.trips;
        match (callee.sig.result, r, result) {
            (Some(AbiParam::Scalar(..)), Some(r), _) => self.b.ret(r),
            (Some(AbiParam::Agg(agg)), _, Some(mem)) => self.b.ret_agg(agg, mem),
            _ => self.b.ret_void(),
        }
        true
    }

    fn arguments(&mut self, callee: &Callee) -> Vec<CallArg> {
        let variable = callee.variable.iter().map(|p| ParamKind::Value(*p));
        let kinds: Vec<ParamKind> = callee.kinds.iter().copied().chain(variable).collect();
        kinds
            .into_iter()
            .map(|kind| match kind {
                ParamKind::Partial(agg, written) => self.partial_argument(agg, written),
                ParamKind::Pointer => CallArg::Reg(self.pointer_argument(), lir_syntax::ir::Ext::None),
                // A constant that only this call reads, like the constants that texts have among the arguments.
                ParamKind::Value(AbiParam::Scalar(ty, ext)) if self.rng.chance(15) => {
                    let bits = constant_bits(self.rng, ty);
                    CallArg::Reg(self.b.constant(ty, Value::Bits(bits)), ext)
                }
                ParamKind::Value(AbiParam::Scalar(ty, ext)) => CallArg::Reg(self.any(ty), ext),
                ParamKind::Value(AbiParam::Agg(agg)) => {
                    let size = self.around.decls.types[agg].size as u32;
                    CallArg::Agg(agg, self.aggregate_source(size))
                }
            })
            .collect()
    }

    /// Returns memory for an aggregate result: an object that no callee can reach, perhaps one of the arguments.
    fn result_location(&mut self, callee: &Callee) -> Option<Mem> {
        let Some(AbiParam::Agg(agg)) = callee.sig.result else { return None };
        let size = self.around.decls.types[agg].size as u32;
        let reused =
            if self.rng.chance(40) && callee.result_written.is_none() { self.private_object(size) } else { None };
        let base = reused.unwrap_or_else(|| Base::Obj(self.raw_object(size.max(1))));
        Some(Mem::base_disp(base, 0))
    }

    fn finish_call(&mut self, callee: &Callee, r: Option<lir_syntax::ir::Reg>, result: Option<Mem>) {
        match (callee.sig.result, r, result) {
            (Some(AbiParam::Agg(agg)), _, Some(Mem { base: Base::Obj(o), .. })) if callee.result_written.is_some() => {
                let written = callee.result_written.expect("it was just looked at");
                self.received_partly(agg, o, written);
            }
            (Some(AbiParam::Agg(agg)), _, Some(mem)) => self.received(agg, mem.base, true),
            (Some(AbiParam::Scalar(..)), Some(_), _) if self.rng.chance(8) => self.forget_result(),
            (Some(AbiParam::Scalar(ty, _)), Some(r), _) => {
                self.keep(ty, r);
            }
            _ => {}
        }
    }
    /// Removes the destination of the call that was just made.
    fn forget_result(&mut self) {
        let i = self.b.last().expect("the call was just added");
        debug_assert!(matches!(self.b.func.call_result(i), CallResult::Scalar(..)));
        let data = self.b.func.inst(i).with_result(None);
        self.b.func.replace_inst(i, data);
    }
}
