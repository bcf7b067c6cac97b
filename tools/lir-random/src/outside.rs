//! What a module has to do with the world around it: functions and data of C, functions that are called from outside,
//! sections, and names of every kind.

use super::body::Body;
use super::{Config, Rng};
use lir_syntax::ir::{
    AbiParam, Attrs, Block, CallArg, EntityRef, Ext, IntCC, Mem, Module, Opcode, Reg, Signature, Sym, Type,
};

/// How the names of functions begin that may be called from outside, with any arguments: `@test` and these.
pub const ENTRY: &str = "entry";

/// Functions of C that compute something of their argument alone. The argument is masked, for `toupper` takes bytes.
const FUNCTIONS: [(&str, Type, i64); 4] =
    [("abs", Type::I32, 0xffff), ("labs", Type::I64, i64::MAX), ("ffs", Type::I32, -1), ("toupper", Type::I32, 127)];

/// Symbols of C that a module declares.
#[derive(Default)]
pub(super) struct Outside {
    functions: Vec<(Sym, Type, i64)>,
    /// Variables that hold an address, which is not 0.
    pointers: Vec<Sym>,
}

impl Outside {
    /// A variable of C, where the module has one.
    pub(super) fn variable(&self) -> Option<Sym> {
        self.pointers.first().copied()
    }
    /// Declares some, and often none.
    pub(super) fn declare(rng: &mut Rng, module: &mut Module, config: &Config) -> Outside {
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

/// Names that are hard to read back, or to tell from something else.
const ODD: [&str; 14] = [
    "odd name",
    "\u{fc}ber",
    "a\"b",
    "back\\slash",
    "line\nend",
    "tab\tin",
    "%x",
    "@f",
    "$o",
    ":t",
    "add",
    "i32",
    "0",
    "a.1",
];

/// A name, or now and then an odd one that ends in it: names stay distinct.
pub(super) fn name(rng: &mut Rng, plain: &str) -> String {
    if rng.chance(6) { format!("{}{plain}", rng.pick(&ODD)) } else { plain.to_string() }
}

impl Body<'_> {
    /// A call of a function of C, or a look at a variable of C.
    pub(super) fn outside(&mut self) {
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
                let c = self.b.icmp(self.rng.pick(&[IntCC::Eq, IntCC::Ne]), Type::I64, p, 0);
                self.keep(Type::I8, c);
            }
        }
    }

    /// Gives some registers and blocks odd names.
    pub(super) fn rename_some(&mut self) {
        if !self.rng.chance(8) {
            return;
        }
        for k in 0..self.b.func.num_regs() {
            if self.rng.chance(10) {
                let name = format!("{}{k}", self.rng.pick(&ODD));
                self.b.name_reg(Reg::new(k), &name);
            }
        }
        let blocks: Vec<Block> = self.b.func.layout().blocks().collect();
        for (k, b) in blocks.into_iter().enumerate() {
            if self.rng.chance(10) {
                let name = format!("{}{k}", self.rng.pick(&ODD));
                let name = self.b.func.names.add(name.as_bytes());
                self.b.func.set_block_name(b, name);
            }
        }
    }
}
