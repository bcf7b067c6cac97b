//! C functions and data that a module declares.

use crate::{Config, Rng};
use lir_syntax::ir::{AbiParam, Attrs, Ext, Module, Signature, Sym, Type};
use lir_syntax::libc;

/// Functions of C whose result depends only on their argument. The argument is masked, since `toupper` takes bytes.
const FUNCTIONS: [(&str, Type, i64); 4] =
    [("abs", Type::I32, 0xffff), ("labs", Type::I64, i64::MAX), ("ffs", Type::I32, -1), ("toupper", Type::I32, 127)];

/// Functions of C that access memory, or return it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum MemoryFunction {
    Free,
    Malloc,
    Memcmp,
    Memcpy,
    Memmove,
    Memset,
    Strcmp,
    Strlen,
}

const MEMORY_FUNCTIONS: [(MemoryFunction, &str); 8] = [
    (MemoryFunction::Free, "free"),
    (MemoryFunction::Malloc, "malloc"),
    (MemoryFunction::Memcmp, "memcmp"),
    (MemoryFunction::Memcpy, "memcpy"),
    (MemoryFunction::Memmove, "memmove"),
    (MemoryFunction::Memset, "memset"),
    (MemoryFunction::Strcmp, "strcmp"),
    (MemoryFunction::Strlen, "strlen"),
];

/// Symbols of C that a module declares.
#[derive(Default)]
pub(crate) struct Outside {
    pub(crate) functions: Vec<(Sym, Type, i64)>,
    /// Functions of memory. `free` comes first.
    pub(crate) memory: Vec<(MemoryFunction, Sym)>,
    /// Variables that hold an address, which is not 0.
    pub(crate) pointers: Vec<Sym>,
}

impl Outside {
    /// Returns a variable of C, if the module has one.
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
                let hint = rng.pick(&[Attrs::NONE, Attrs::LIBC]);
                let attrs = rng.pick(&[Attrs::NONE, Attrs::READONLY, Attrs::READONLY.or(Attrs::WILLRETURN)]).or(hint);
                let signature = Signature { params: vec![scalar], variadic: false, result: Some(scalar), attrs };
                outside.functions.push((module.declare_func(name, signature), ty, mask));
            }
        }
        if config.memory && rng.chance(60) {
            for (function, name) in MEMORY_FUNCTIONS {
                let mut signature = libc::named(name).expect("it is in the table").signature();
                let attrs = signature.attrs;
                signature.attrs = rng.pick(&[attrs, attrs, attrs.without(Attrs::LIBC), Attrs::LIBC]);
                outside.memory.push((function, module.declare_func(name, signature)));
            }
        }
        if config.memory && rng.chance(60) {
            outside.pointers.push(module.declare_data("stdout"));
        }
        outside
    }
}
