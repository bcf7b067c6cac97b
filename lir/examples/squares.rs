//! Builds a function in memory, optimises and compiles it, and calls it.
use lir::{IntCC, Level, Module, Type::I32};
/// Runs the example.
pub fn main() -> Result<(), lir::Error> {
    let mut module = Module::new();
    module.function("squares", &[I32], Some(I32), |b| {
        let [test, body, done] = ["test", "body", "done"].map(|label| b.block(label));
        let [n, i, sum] = [b.param(0), b.named_reg(I32, "i"), b.named_reg(I32, "sum")];
        b.assign(i).constant(I32, 1);
        b.assign(sum).constant(I32, 0);
        b.jmp(test);
        b.switch_to(test);
        b.branch(IntCC::Sle, i, n, body, done);
        b.switch_to(body);
        let square = b.mul(i, i);
        b.assign(sum).add(sum, square);
        b.assign(i).add(i, 1);
        b.jmp(test);
        b.switch_to(done);
        b.ret(sum);
    });
    module.optimize(Level::O2)?;
    println!("@squares(10) is {}", module.compile()?.call("squares", &[10.into()])?.expect("a result"));
    Ok(())
}
