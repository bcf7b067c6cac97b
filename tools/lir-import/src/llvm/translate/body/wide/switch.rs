//! A `switch` on an integer of several limbs becomes one on the number of the case, which comparisons find.

use super::LIMB;
use crate::llvm::ast::Operand as Value;
use crate::llvm::translate::body::function::{Translated, Translator};
use lir_syntax::ir::{InstData, IntCC, Opcode, Operand};

impl Translator<'_> {
    /// Translates a `switch`: the tested value, the default label, then cases and labels in turn.
    pub(in crate::llvm::translate::body) fn wide_switch(&mut self, operands: &[Value]) -> Translated<()> {
        let tested = self.values(&operands[0])?;
        let zero = self.constant(LIMB, 0);
        let mut number = self.in_register(LIMB, zero);
        let mut succs = vec![self.target(&operands[1])?];
        let mut cases = Vec::new();
        for (k, case) in operands[2..].chunks_exact(2).enumerate() {
            let limbs = self.values(&case[0])?;
            if limbs.iter().any(|limb| limb.is_reg()) {
                return self.refuse("a case is not a constant");
            }
            let differences: Vec<Operand> =
                tested.iter().zip(&limbs).map(|(a, b)| self.limb(Opcode::Xor, *a, *b)).collect();
            let difference = differences.into_iter().reduce(|a, b| self.limb(Opcode::Or, a, b)).unwrap_or(zero);
            let is_case = self.test(IntCC::Eq, difference, zero);
            let own = self.constant(LIMB, k as u64 + 1);
            let own_number = self.in_register(LIMB, own);
            number = self.choice(LIMB, is_case, own_number, number);
            cases.push(own);
            succs.push(self.target(&case[1])?);
        }
        let list = self.func.make_cases(&cases);
        self.emit(InstData::unary(Opcode::Switch, LIMB, number).with_list(list));
        self.func.set_succs(self.block, &succs);
        Ok(())
    }
}
