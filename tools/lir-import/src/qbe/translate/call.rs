//! Translates calls.
//!
//! A call that agrees with the signature of its callee names it; any other is made through a register, with the types
//! that are written in the call.

use super::super::ast::{AbiType, Call, Inst, Temp, Val};
use super::super::class::Class;
use super::function::{Translated, Translator};
use super::library::Builtin;
use super::{abi_param, sym_of};
use lir_syntax::ir::{
    AbiParam, Agg, CallArg, CallInfo, CallResult, Ext, InstData, Mem, Opcode, Operand, Reg, Signature, StackData, Sym,
    Type,
};

impl Translator<'_> {
    /// Translates the call with this index in the function.
    pub(super) fn call(&mut self, k: u32, inst: &Inst) -> Translated<()> {
        let def = self.def;
        let call = &def.calls[inst.extra as usize];
        if let Some(builtin) = Builtin::of(self.context, inst, call) {
            return self.builtin(builtin, call, inst.dst);
        }
        let callee = self.direct_callee(call, inst.args[0]);
        let signature = callee.and_then(|sym| self.context.decls.signature(sym));
        let whole = self.span;
        let fixed = call.fixed.map_or(call.args.len(), |n| n as usize);
        let mut args = std::mem::take(&mut self.args);
        args.clear();
        for (n, &(ty, value, span)) in call.args.iter().enumerate() {
            self.span = span;
            args.push(self.argument(ty, value, n >= fixed)?);
        }
        self.span = whole;
        let target = match callee {
            Some(sym) => Operand::sym(sym),
            None => Operand::reg(self.register(inst.args[0], Class::L)?),
        };
        let (result, reg) = self.call_result(k, call, signature, inst)?;
        let variadic = call.fixed.is_some() || signature.is_some_and(|s| s.variadic);
        let info = CallInfo { result, args, fixed: fixed as u32, variadic };
        let record = self.func.make_call(&info);
        self.args = info.args;
        self.emit(InstData::unary(Opcode::Call, Type::I64, target).with_list(record).with_result(reg));
        self.after_call(k, call, reg, inst);
        Ok(())
    }

    /// Translates a call that becomes an instruction; its result is its first argument.
    fn builtin(&mut self, builtin: Builtin, call: &Call, result: Option<(Temp, Class)>) -> Translated<()> {
        let [to, second, count] = [0, 1, 2].map(|n| call.args[n].1);
        let bytes = if let Val::Const(n) = count { n } else { 0 };
        let mem = self.address(to, bytes)?;
        let data = match builtin {
            Builtin::Memcpy | Builtin::Memmove => {
                let from = self.address(second, bytes)?;
                let count = self.operand(count, Class::L)?;
                let may_overlap = builtin == Builtin::Memmove;
                if may_overlap { self.func.memmove(mem, from, count) } else { self.func.memcpy(mem, from, count) }
            }
            Builtin::Memset => {
                let (byte, count) = (self.low_bits(second, Type::I8)?, self.operand(count, Class::L)?);
                self.func.memset(mem, byte, count)
            }
        };
        self.emit(data);
        let Some(dst) = result.filter(|(temp, _)| self.temps.info[*temp].is_used()) else { return Ok(()) };
        match self.temps.info[dst.0].location {
            Some(location) => {
                self.address_of_object(dst.0, Mem::obj(location.obj, location.disp));
                Ok(())
            }
            None => self.copy(dst, to),
        }
    }

    /// Returns the function that the call may name: a symbol with whose signature it agrees.
    fn direct_callee(&self, call: &Call, callee: Val) -> Option<Sym> {
        let Val::Sym(global, false) = callee else { return None };
        let sym = sym_of(global);
        self.context.decls.signature(sym).is_some_and(|sig| self.agrees(call, sig)).then_some(sym)
    }

    /// True if a call agrees with a signature. It may leave the result unused, and `...` out if nothing follows.
    fn agrees(&self, call: &Call, sig: &Signature) -> bool {
        let aggs = self.context.aggs;
        let fixed = call.fixed.map_or(call.args.len(), |n| n as usize);
        let same_type = |((ty, ..), param): (&(AbiType, Val, _), &AbiParam)| abi_param(*ty, aggs) == *param;
        fixed == sig.params.len()
            && (sig.variadic || call.fixed.is_none())
            && call.args.iter().zip(&sig.params).all(same_type)
            && call.result.is_none_or(|ty| sig.result == Some(abi_param(ty, aggs)))
    }

    fn argument(&mut self, ty: AbiType, value: Val, is_variable: bool) -> Translated<CallArg> {
        let reg = match ty {
            AbiType::Agg(_) => {
                let AbiParam::Agg(agg) = abi_param(ty, self.context.aggs) else {
                    return Err(self.error("this is not an aggregate"));
                };
                return Ok(CallArg::Agg(agg, self.address(value, self.context.decls.types[agg].size)?));
            }
            AbiType::Sub(narrow, signed) => {
                let reg = self.low_bits_register(value, narrow)?;
                if !is_variable {
                    return Ok(CallArg::Reg(reg, if signed { Ext::Sext } else { Ext::Zext }));
                }
                self.convert_to_new(if signed { Opcode::Sext } else { Opcode::Zext }, reg, Type::I32)
            }
            // C passes no single-precision variable argument; QBE leaves it in the low half of a register.
            AbiType::Base(Class::S) if is_variable => {
                let single = self.register(value, Class::S)?;
                let bits = self.convert_to_new(Opcode::Bitcast, single, Type::I32);
                let wide = self.convert_to_new(Opcode::Zext, bits, Type::I64);
                self.convert_to_new(Opcode::Bitcast, wide, Type::F64)
            }
            AbiType::Env => return Ok(CallArg::Reg(self.register(value, Class::L)?, Ext::Env)),
            AbiType::Base(class) => self.register(value, class)?,
        };
        Ok(CallArg::Reg(reg, Ext::None))
    }

    /// Returns the result of the call, and the register that receives it.
    fn call_result(
        &mut self,
        k: u32,
        call: &Call,
        signature: Option<&Signature>,
        inst: &Inst,
    ) -> Translated<(CallResult, Option<Reg>)> {
        let Some(ty) = call.result else {
            let unused = match signature.and_then(|s| s.result) {
                None => CallResult::None,
                Some(AbiParam::Scalar(ty, ext)) => CallResult::Scalar(ty, ext),
                Some(AbiParam::Agg(agg)) => CallResult::Agg(agg, self.unnamed_object(agg)),
            };
            return Ok((unused, None));
        };
        match abi_param(ty, self.context.aggs) {
            AbiParam::Agg(agg) => {
                let Some(obj) = self.temps.object_of(k) else {
                    return Err(self.error("the aggregate result is assigned to nothing"));
                };
                Ok((CallResult::Agg(agg, Mem::obj(obj, 0)), None))
            }
            AbiParam::Scalar(scalar, ext) => {
                let Some((temp, _)) = inst.dst else { return Ok((CallResult::Scalar(scalar, ext), None)) };
                let own = self.reg_of(temp);
                let reg = if self.func.type_of(own) == scalar { own } else { self.new_reg_for(temp, scalar) };
                Ok((CallResult::Scalar(scalar, ext), Some(reg)))
            }
        }
    }

    /// Makes a stack object that the text does not name.
    pub(super) fn unnamed_object(&mut self, agg: Agg) -> Mem {
        let ty = &self.context.decls.types[agg];
        let name = self.func.names.add(b"result").derived();
        let object = StackData { agg: agg.into(), ..StackData::new(name, ty.size, ty.align.max(8)) };
        Mem::obj(self.func.stack.push(object), 0)
    }

    /// Brings the result from the register that received it to the temporary.
    fn after_call(&mut self, k: u32, call: &Call, received: Option<Reg>, inst: &Inst) {
        let Some((temp, _)) = inst.dst else { return };
        if let Some(obj) = self.temps.object_of(k) {
            return self.address_of_object(temp, Mem::obj(obj, 0));
        }
        let own = self.reg_of(temp);
        match (received, call.result) {
            (Some(reg), _) if reg == own => {}
            (Some(reg), Some(AbiType::Sub(_, signed))) => self.extend(reg, own, signed),
            (Some(reg), _) => self.convert(Opcode::Trunc, reg, own),
            (None, _) => {}
        }
    }
}
