//! Functions and data of C that a module declares.

use crate::{Config, Rng};
use lir_syntax::ir::{AbiParam, Attrs, Ext, Module, Signature, Sym, Type};

/// Functions of C that compute something of their argument alone. The argument is masked, for `toupper` takes bytes.
const FUNCTIONS: [(&str, Type, i64); 4] =
    [("abs", Type::I32, 0xffff), ("labs", Type::I64, i64::MAX), ("ffs", Type::I32, -1), ("toupper", Type::I32, 127)];

/// Symbols of C that a module declares.
#[derive(Default)]
pub(crate) struct Outside {
    pub(crate) functions: Vec<(Sym, Type, i64)>,
    /// Variables that hold an address, which is not 0.
    pub(crate) pointers: Vec<Sym>,
}

impl Outside {
    /// A variable of C, where the module has one.
    pub(crate) fn variable(&self) -> Option<Sym> {
        self.pointers.first().copied()
    }
    /// Declares some, and often none.
    pub(crate) fn declare(rng: &mut Rng, module: &mut Module, config: &Config) -> Outside {
        let mut outside = Outside::default();
        if !config.externals || rng.chance(50) {
            return outside;
        }
        for (name, ty, mask) in FUNCTIONS {
            if rng.chance(60) {
                let scalar = AbiParam::Scalar(ty, Ext::None);
                let attrs = rng.pick(&[Attrs::NONE, Attrs::READONLY, Attrs::READONLY.or(Attrs::WILLRETURN)]);
                let signature = Signature { params: vec![scalar], variadic: false, result: Some(scalar), attrs };
                outside.functions.push((module.declare_func(name, signature), ty, mask));
            }
        }
        if config.memory && rng.chance(60) {
            outside.pointers.push(module.declare_data("stdout"));
        }
        outside
    }
}
