//! The examples of the article on SoftWire: functions that append code, and Rust's operators as one of them.

use lir::asm::variables::{Function, Int};
use lir::asm::{Assembler, Link, LinkError};

/// Appends a binary addition, in the register instructions of the machine.
fn emit_binary_addition<'f>(f: &'f Function, a: &Int<'f>, b: &Int<'f>) -> Int<'f> {
    let t = a.clone();
    f.append([&t], [b], |asm, [t], [b]| asm.add(t, b));
    t
}

struct Vector<'f> {
    x: Int<'f>,
    y: Int<'f>,
    z: Int<'f>,
}

/// Appends a dot product.
fn emit_dot_product<'f>(v1: &Vector<'f>, v2: &Vector<'f>) -> Int<'f> {
    &v1.x * &v2.x + &v1.y * &v2.y + &v1.z * &v2.z
}

/// Runs the examples.
pub fn main() -> Result<(), LinkError> {
    let f = Function::begin(Assembler::new());
    let (a, b) = (f.int_argument(0), f.int_argument(1));
    f.ret(emit_binary_addition(&f, &a, &b));
    let (assembler, addition) = f.end();

    let f = Function::begin(assembler);
    let [x1, y1, z1, x2, y2, z2] = std::array::from_fn(|k| f.int_argument(k));
    let (v1, v2) = (Vector { x: x1, y: y1, z: z1 }, Vector { x: x2, y: y2, z: z2 });
    f.ret(emit_dot_product(&v1, &v2));
    let (assembler, product) = f.end();

    let code = assembler.link()?;
    // SAFETY: the functions have these types, and `code` lives until they have been called.
    let (add, dot): (extern "C" fn(i64, i64) -> i64, extern "C" fn(i64, i64, i64, i64, i64, i64) -> i64) =
        unsafe { (code.function(addition), code.function(product)) };
    assert_eq!((add(40, 2), dot(1, 2, 3, 4, 5, 6)), (42, 32));
    Ok(())
}
