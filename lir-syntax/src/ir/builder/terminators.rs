//! Methods of the builder that end a block.

use super::{FunctionBuilder, Guarded, Value};
use crate::ir::inst::InstData;
use crate::ir::{Agg, Block, IntCC, Mem, NameRef, Opcode, Predicate, Reg, Type};

impl FunctionBuilder<'_> {
    /// Appends `jmp target`.
    #[track_caller]
    pub fn jmp(&mut self, target: Block) {
        self.terminate(InstData::new(Opcode::Jmp, Type::I64), &[target]);
    }
    /// Appends `br %cond, then, else`.
    #[track_caller]
    pub fn br(&mut self, cond: Reg, then: Block, otherwise: Block) {
        self.branch(IntCC::Ne, cond, 0, then, otherwise);
    }
    /// Appends `br PRED T %a, b, then, else`, T being the type of `a`; the predicate is one of its class.
    #[track_caller]
    pub fn branch(
        &mut self,
        predicate: impl Into<Predicate>,
        a: Reg,
        b: impl Into<Value>,
        then: Block,
        otherwise: Block,
    ) {
        let comparison = self.comparison(predicate.into(), a, b.into());
        self.terminate(InstData::branch(comparison), &[then, otherwise]);
    }
    /// Leaves to `exit` unless a comparison holds, and continues in a new block. If a writer knows that it holds,
    /// nothing is made, and the current block stays; if it knows that it does not, this is a jump to `exit`. Phis of
    /// `exit` have an entry for the block that was current, unless the guard was dropped.
    #[track_caller]
    pub fn guard(&mut self, predicate: impl Into<Predicate>, a: Reg, b: impl Into<Value>, exit: Block) -> Guarded {
        let here = self.block.expect("a block is current; none is after a terminator");
        let next = self.func.make_block(NameRef::NONE);
        self.branch(predicate, a, b, next, exit);
        match *self.func.succs(here) {
            [target] if target == exit => Guarded::Leaves,
            [_] => {
                let jump = self.func.terminator(here);
                self.func.remove_inst(jump);
                self.func.set_succs(here, &[]);
                (self.block, self.last) = (Some(here), None);
                Guarded::Dropped
            }
            _ => {
                self.func.append_block(next);
                self.go_on_in(next);
                Guarded::Made
            }
        }
    }
    /// Appends `switch T %a, default [K: block, ..]`, T being the type of `a`.
    #[track_caller]
    pub fn switch(&mut self, a: Reg, default: Block, cases: &[(i64, Block)]) {
        let ty = self.type_of(a);
        let mut values = Vec::with_capacity(cases.len());
        for c in cases {
            values.push(self.operand(ty, c.0));
        }
        let list = self.func.make_cases(&values);
        let targets: Vec<_> = std::iter::once(default).chain(cases.iter().map(|c| c.1)).collect();
        self.terminate(InstData::unary(Opcode::Switch, ty, a).with_list(list), &targets);
    }
    /// Appends `ret T %a`, T being the type of `a`.
    #[track_caller]
    pub fn ret(&mut self, a: Reg) {
        self.terminate(InstData::unary(Opcode::Ret, self.type_of(a), a), &[]);
    }
    /// Appends `ret T v`, for constants, whose type does not follow from anything.
    #[track_caller]
    pub fn ret_value(&mut self, ty: Type, v: impl Into<Value>) {
        let a = self.operand(ty, v);
        self.terminate(InstData::unary(Opcode::Ret, ty, a), &[]);
    }
    /// Appends `ret`, without a value.
    #[track_caller]
    pub fn ret_void(&mut self) {
        self.terminate(InstData::new(Opcode::Ret, Type::I64), &[]);
    }
    /// Appends `ret :agg [mem]`.
    #[track_caller]
    pub fn ret_agg(&mut self, agg: Agg, mem: Mem) {
        let data = self.with_mem(InstData::new(Opcode::RetAgg, Type::I64).with_agg(agg), mem);
        self.terminate(data, &[]);
    }
    /// Appends `unreachable`.
    #[track_caller]
    pub fn unreachable(&mut self) {
        self.terminate(InstData::new(Opcode::Unreachable, Type::I64), &[]);
    }
    /// Appends a terminator with these targets, one for each that its format has.
    #[track_caller]
    pub fn terminate(&mut self, data: InstData, targets: &[Block]) {
        // Not `for_each`: the panic would be reported at the closure, and not at the caller.
        for b in targets {
            self.expect_block(*b);
        }
        let b = self.block.expect("a block is current; none is after a terminator");
        let i = self.put(data);
        self.func.set_succs(b, targets);
        (self.last, self.block, self.ended) = (Some(i), None, Some(b));
        if let Some(w) = &mut self.writer {
            w.terminate(self.func, b, i);
        }
    }
}
