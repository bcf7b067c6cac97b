//! Translates jumps.

use super::super::ast::{AbiType, Jump, Label, Val};
use super::super::class::Class;
use super::abi_param;
use super::function::{Translated, Translator};
use lir_syntax::ir::{AbiParam, Comparison, InstData, IntCC, Opcode, Type};

impl Translator<'_> {
    /// Ends the block.
    pub(super) fn jump(&mut self, jump: Jump) -> Translated<()> {
        match jump {
            Jump::Jmp(to) => self.jmp(to),
            Jump::Jnz(_, then, other) if then == other => self.jmp(then),
            Jump::Jnz(value, then, other) => return self.branch(value, then, other),
            Jump::Ret(value) => return self.ret(value),
            Jump::Hlt => {
                self.emit(InstData::new(Opcode::Unreachable, Type::I64));
            }
        }
        Ok(())
    }

    fn jmp(&mut self, to: Label) {
        self.emit(InstData::new(Opcode::Jmp, Type::I64));
        self.func.set_succs(self.block, &[self.blocks[to]]);
    }

    /// A fused comparison is made here; other conditions are compared with 0.
    fn branch(&mut self, value: Val, then: Label, other: Label) -> Translated<()> {
        let def = self.def;
        let mut comparison = None;
        let mut truth = None;
        if let Val::Temp(temp) = value {
            let info = self.temps.info[temp];
            comparison = info.def.filter(|_| info.is_fused);
            truth = info.is_truth.then_some(temp);
        }
        let comparison = if let Some(k) = comparison {
            // An error in the comparison is in its line.
            let inst = &def.insts[k as usize];
            let jump = std::mem::replace(&mut self.span, inst.span);
            let comparison = self.compared(inst)?;
            self.span = jump;
            comparison
        } else {
            let (reg, ty) = match truth {
                Some(temp) => (self.reg_of(temp), Type::I8),
                None => (self.register(value, Class::W)?, Type::I32),
            };
            Comparison { ty, predicate: IntCC::Ne.into(), a: reg.into(), b: self.func.make_const(0) }
        };
        self.emit(InstData::branch(comparison));
        self.func.set_succs(self.block, &[self.blocks[then], self.blocks[other]]);
        Ok(())
    }

    /// Translates `ret`. A bare one of a function with a result returns 0, or an aggregate of unspecified bytes.
    fn ret(&mut self, value: Option<Val>) -> Translated<()> {
        let Some(result) = self.def.result else {
            if value.is_some() {
                return Err(self.error("the function has no result"));
            }
            self.emit(InstData::new(Opcode::Ret, Type::I64));
            return Ok(());
        };
        if let AbiParam::Agg(agg) = abi_param(result, self.context.aggs) {
            let mem = match value {
                Some(value) => self.address(value, self.context.decls.types[agg].size)?,
                None => self.unnamed_object(agg),
            };
            self.emit_accessing(InstData::new(Opcode::RetAgg, Type::I64).with_agg(agg), mem);
            return Ok(());
        }
        let value = value.unwrap_or(Val::Const(0));
        let (ty, a) = match result {
            AbiType::Sub(ty, _) => (ty, self.low_bits(value, ty)?),
            AbiType::Base(class) => (class.ty(), self.operand(value, class)?),
            AbiType::Agg(_) | AbiType::Env => return Err(self.error("the result is no scalar")),
        };
        self.emit(InstData::unary(Opcode::Ret, ty, a));
        Ok(())
    }
}
