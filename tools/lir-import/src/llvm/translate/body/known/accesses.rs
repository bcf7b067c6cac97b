//! Finds the scopes of `noalias` that loads and stores have, and their declarations.

use super::super::super::super::ast::{self, Fact, NO_NODE, Op, Value};
use super::super::function::Translator;

impl Translator<'_> {
    /// Begins with another instruction.
    #[inline]
    pub(in crate::llvm::translate::body) fn begin_noalias_scopes(&mut self, inst: &ast::Inst) {
        self.noalias_scopes.current = None;
        if inst.facts.1 != 0 && matches!(inst.op, Op::Load | Op::Store) {
            let list = |wanted| self.facts_of(inst).iter().find(|(fact, _)| *fact == wanted).map_or(NO_NODE, |f| f.1);
            let lists = (list(Fact::AliasScope), list(Fact::NoAlias));
            self.noalias_scopes.current = Some(lists).filter(|lists| *lists != (NO_NODE, NO_NODE));
        }
    }
    /// Notes a declaration of scopes.
    pub(in crate::llvm::translate::body) fn declare_noalias_scopes(&mut self, operands: &[ast::Operand]) {
        let list = match operands {
            [ast::Operand { value: Value::Metadata(list), .. }] => *list,
            _ => NO_NODE,
        };
        self.noalias_scopes.declared.push((list, self.block));
    }
}
