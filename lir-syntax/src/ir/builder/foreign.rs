//! Panics of the builder that name registers, blocks and stack objects of another function. An id that both functions
//! have is not detected.

use super::FunctionBuilder;
use crate::ir::{Base, Block, EntityRef, Inst, Reg, Type};
use std::fmt::Debug;

impl FunctionBuilder<'_> {
    /// Returns the type of a register. Panics if the function has no such register.
    #[inline]
    #[track_caller]
    pub(super) fn type_of(&self, r: Reg) -> Type {
        self.expect_reg(r);
        self.func.type_of(r)
    }
    #[inline]
    #[track_caller]
    pub(super) fn expect_reg(&self, r: Reg) {
        if r.index() >= self.func.num_regs() {
            self.foreign("register", &r);
        }
    }
    #[inline]
    #[track_caller]
    pub(super) fn expect_block(&self, b: Block) {
        if b.index() >= self.func.num_blocks() {
            self.foreign("block", &b);
        }
    }
    /// Panics if an operand of an instruction is not a register or stack object of the function.
    #[track_caller]
    pub(super) fn expect_operands(&self, i: Inst) {
        if !self.func.is_readable(i) {
            let name = self.func.inst(i).op.mnemonic();
            panic!("the operands of this `{name}` were not made by {}", self.function_name());
        }
        let (registers, objects) = (self.func.num_regs(), self.func.stack.len());
        let (mut register, mut object) = (None, None);
        self.func.for_each_use(i, |r| register = register.or((r.index() >= registers).then_some(r)));
        self.func.for_each_mem(i, |mem| match mem.base {
            Base::Obj(o) if o.index() >= objects => object = Some(o),
            _ => {}
        });
        if let Some(r) = register {
            self.foreign("register", &r);
        }
        if let Some(o) = object {
            self.foreign("stack object", &o);
        }
    }
    #[cold]
    #[inline(never)]
    #[track_caller]
    fn foreign(&self, what: &str, id: &dyn Debug) -> ! {
        let name = self.function_name();
        panic!("{id:?} is not a {what} of {name}: is it one of another function?")
    }
    /// Returns the name of the function if the declarations are known, else its symbol.
    pub(super) fn function_name(&self) -> String {
        match self.decls.and_then(|decls| decls.syms.get(self.func.sym)) {
            Some(sym) => format!("@{}", sym.name.escape_ascii()),
            None => format!("the function of symbol {:?}", self.func.sym),
        }
    }
}
