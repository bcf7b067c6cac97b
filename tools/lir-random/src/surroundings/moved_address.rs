//! A function that makes an address of another one.

use crate::Rng;
use lir_syntax::ir::builder::FunctionBuilder;
use lir_syntax::ir::{AbiParam, Attrs, CallArg, Ext, Linkage, Module, Opcode, Reg, Signature, Sym, Type};

/// A function that adds the difference of its second and third argument to the first. They are in any order: only a
/// caller knows that they are addresses.
#[derive(Copy, Clone, Debug)]
pub(crate) struct MovedAddress {
    pub(crate) sym: Sym,
    /// By parameter: which of the three it is.
    order: [usize; 3],
}

impl MovedAddress {
    /// Makes the function.
    pub(crate) fn make(module: &mut Module, rng: &mut Rng) -> MovedAddress {
        let mut order = [0, 1, 2];
        for k in [2, 1] {
            order.swap(k, rng.below(k + 1));
        }
        let i64 = AbiParam::Scalar(Type::I64, Ext::None);
        let hint = rng.pick(&[Attrs::NONE, Attrs::INLINE, Attrs::NOINLINE]);
        let attrs = hint.or(rng.pick(&[Attrs::NONE, Attrs::READNONE.or(Attrs::WILLRETURN)]));
        let signature = Signature { params: vec![i64; 3], variadic: false, result: Some(i64), attrs };
        let id = module.define_func("moved", signature);
        let mut b = FunctionBuilder::new(&mut module.funcs[id]);
        let entry = b.block("entry");
        b.switch_to(entry);
        let position = |which| order.iter().position(|o| *o == which).expect("it is one of the three");
        let [base, second, first] = [0, 1, 2].map(|which| b.param(position(which)));
        let (op, a, c) = rng.pick(&[(Opcode::Add, second, first), (Opcode::Sub, first, second)]);
        let difference = b.binary(Opcode::Sub, Type::I64, a, c);
        let r = b.binary(op, Type::I64, base, difference);
        b.ret(r);
        let sym = module.funcs[id].sym;
        module.decls.syms[sym].linkage = if rng.chance(50) { Linkage::Local } else { Linkage::Global };
        MovedAddress { sym, order }
    }
    /// The arguments of a call, in the order of the parameters.
    pub(crate) fn arguments(self, given: [Reg; 3]) -> Vec<CallArg> {
        self.order.iter().map(|which| CallArg::Reg(given[*which], Ext::None)).collect()
    }
}
