//! An example of a pass by an embedder: `lir-opt` then runs it by name, like its own passes, and as part of a level.

use lir_cli::Console;
use lir_opt::analysis::Preserved;
use lir_opt::pass::remarks::events;
use lir_opt::pass::{FunctionPass, OptionInfo, OptionKind, Pass, PassContext, PassInfo};
use lir_opt::{Level, cli::run_with, pipeline::registry::OwnPasses};
use lir_syntax::ir::{Function, InstData, Opcode};
use std::ffi::OsString;

static MUL_CHEAP: PassInfo = PassInfo {
    name: "mul-cheap",
    summary: "multiply by -1 and 2 without a multiplication",
    options: &[OptionInfo { name: "double", kind: OptionKind::Flag { default: true }, summary: "x * 2 is x + x" }],
    build: |options| Pass::Function(Box::new(MulCheap { double: options.flag("double") })),
};

events! {
    enum Event {
        Negated: "negated", "is a negation";
        Doubled: "doubled", "is a sum with itself";
        OtherFactor: "other-factor", "multiplies by a number other than -1 and 2";
    }
}

struct MulCheap {
    double: bool,
}

impl FunctionPass for MulCheap {
    fn run(&self, f: &mut Function, cx: &mut PassContext<'_>) -> Preserved {
        let products: Vec<_> = f.layout().all_insts().filter(|i| f.inst(*i).op == Opcode::Mul).collect();
        let mut changed = 0;
        for i in products {
            let (d, x) = (*f.inst(i), f.inst(i).first());
            let (new, event) = match f.constant(d.second()) {
                Some(-1) => (InstData::unary(Opcode::Neg, d.ty, x), Event::Negated),
                Some(2) if self.double => (InstData::binary(Opcode::Add, d.ty, x, x), Event::Doubled),
                _ => {
                    cx.remarks.missed(f, i, Event::OtherFactor);
                    continue;
                }
            };
            cx.remarks.done(f, i, event);
            f.replace_inst(i, new.with_result(d.result()));
            changed += 1;
        }
        cx.stats.add("products replaced", changed);
        if changed > 0 { Preserved::Cfg } else { Preserved::All }
    }
}

static OWN: OwnPasses = OwnPasses {
    passes: &[&MUL_CHEAP],
    level: |level, text| if level == Level::O2 { format!("mul-cheap,{text}") } else { text },
};

pub fn own_opt(arguments: &[OsString], console: &mut Console) -> u8 {
    run_with(&OWN, arguments, console)
}
