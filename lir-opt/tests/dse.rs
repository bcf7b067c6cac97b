//! Effects of `dse` that its output does not show.

use lir_opt::{Pipeline, RunOptions, optimize};
use lir_syntax::ir::{FuncId, Module};

/// The first of two stores to one location is removed even if they may trap; a trap is still reported at the line of
/// the first.
#[test]
fn a_trap_keeps_its_line() {
    let text = "func @f(%p: i64) {\nentry:\n  store i64 [%p], 1\n  store i64 [%p], 2\n  store i64 [%p], 3\n  ret\n}\n";
    let mut module: Module = text.parse().expect("the text is right");
    optimize(&mut module, &Pipeline::parse("dse").expect("the pass exists"), &RunOptions::default())
        .expect("the text is in SSA form");
    let f = &module.funcs[FuncId::from_u32(0)];
    let insts: Vec<_> = f.layout().insts(f.entry()).collect();
    assert_eq!(insts.len(), 2);
    assert_eq!(f.constant(f.inst(insts[0]).stored()), Some(3));
    assert_eq!(f.loc_of(insts[0]) as usize, text.find("store i64 [%p], 1").expect("it stands there"));
}
