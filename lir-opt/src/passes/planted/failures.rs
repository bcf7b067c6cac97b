//! Failures on purpose, for tests of the tools that find bugs. Not listed, not suggested.
//!
//! Each of `plant-panic`, `plant-abort`, `plant-hang` and `plant-invalid` fails as its name states if a function
//! multiplies a register by a constant.
//!
//! # Example
//!
//! ```text
//!   %c = mul i32 %a, 3             =>      %c = mul i32 3, 3    by plant-invalid, which breaks rule V13
//! ```
//!
//! # Algorithm
//!
//! The first such instruction is found, and the pass panics, ends the process by a signal, loops without end, or puts
//! the constant where a register is required.
//!
//! # Cost and limits
//!
//! Linear, except `plant-hang`.

use crate::analysis::Preserved;
use crate::pass::{FunctionPass, Pass, PassContext, PassInfo};
use lir_syntax::ir::{Function, Inst, Opcode};

/// Returns a bug with a summary.
const fn plant(name: &'static str, summary: &'static str, build: fn(&crate::pass::OptionValues) -> Pass) -> PassInfo {
    PassInfo { name, summary, options: &[], build }
}

/// The row of `plant-panic`.
pub(crate) static PANIC: PassInfo =
    plant("plant-panic", "panic at a product with a constant", |_| Pass::Function(Box::new(Plant::Panic)));
/// The row of `plant-abort`.
pub(crate) static ABORT: PassInfo =
    plant("plant-abort", "abort at a product with a constant", |_| Pass::Function(Box::new(Plant::Abort)));
/// The row of `plant-hang`.
pub(crate) static HANG: PassInfo =
    plant("plant-hang", "loop at a product with a constant", |_| Pass::Function(Box::new(Plant::Hang)));
/// The row of `plant-invalid`.
pub static INVALID: PassInfo =
    plant("plant-invalid", "break a rule at a product with a constant", |_| Pass::Function(Box::new(Plant::Invalid)));

enum Plant {
    Panic,
    Abort,
    Hang,
    Invalid,
}

impl FunctionPass for Plant {
    fn run(&self, f: &mut Function, _: &mut PassContext<'_>) -> Preserved {
        let Some(product) = product_with_constant(f) else { return Preserved::All };
        match self {
            Plant::Panic => panic!("planted"),
            Plant::Abort => std::process::abort(),
            Plant::Hang => loop {
                std::thread::yield_now();
            },
            Plant::Invalid => {
                let data = *f.inst(product);
                f.replace_inst(product, data.with_first(data.second()));
                Preserved::Cfg
            }
        }
    }
}

fn product_with_constant(f: &Function) -> Option<Inst> {
    let is_one = |i: &Inst| f.inst(*i).op == Opcode::Mul && f.inst(*i).second().is_const();
    f.layout().all_insts().find(is_one)
}
