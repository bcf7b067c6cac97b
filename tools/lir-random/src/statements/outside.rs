//! Calls of functions of C, and looks at its variables.

use crate::body::Body;
use lir_syntax::ir::{CallArg, Ext, IntCC, Mem, Opcode, Type};

impl Body<'_> {
    /// A call of a function of C, or a look at a variable of C.
    pub(crate) fn outside(&mut self) {
        let outside = self.around.outside;
        if outside.functions.is_empty() && outside.pointers.is_empty() {
            return self.expression();
        }
        let k = self.rng.below(outside.functions.len() + outside.pointers.len());
        match outside.functions.get(k) {
            Some(&(callee, ty, mask)) => {
                let a = self.any(ty);
                let a = self.b.binary(Opcode::And, ty, a, mask);
                let r = self.b.call(self.around.decls, callee, &[CallArg::Reg(a, Ext::None)], None);
                self.keep(ty, r.expect("the function has a result"));
            }
            None => {
                let sym = outside.pointers[k - outside.functions.len()];
                let p = self.b.load(Type::I64, Mem::sym(sym, 0));
                let c = self.b.compare(self.rng.pick(&[IntCC::Eq, IntCC::Ne]), p, 0);
                self.keep(Type::I8, c);
            }
        }
    }
}
