//! The calls of a generated module: `@test`, and functions that are made to be called from outside.
//!
//! The arguments are scalars and aggregates, as the signature says. The bytes of aggregates are random; their members
//! are compared ([`Value::aggregate`]). The arguments depend on the signatures alone.

use lir_random::{ENTRY, Rng};
use lir_run::run_lines::TypedCall;
use lir_run::value::{Shape, Value};
use lir_syntax::ir::{AbiParam, Decls, Module, Signature, Type};
use std::sync::Arc;

/// Calls of each function besides `@test`.
const CALLS_OF_ENTRY: u64 = 2;

/// Bit patterns of the numbers at the edges of the types, including float types.
const EDGES: [u64; 10] = [
    0,
    1,
    u64::MAX,
    0x80,
    0x7fff_ffff,
    1 << 63,
    0x3fc0_0000_3ff8_0000,
    0x7ff0_0000_0000_0000,
    0x7fc0_0000_7fc0_0001,
    0xfff0_0000_ff80_0001,
];

/// Returns the calls of a generated module, one after the other on the same data: each sees the data that a trap in the
/// previous one left.
pub(crate) fn calls_of(module: &Module) -> Vec<TypedCall> {
    let mut calls = Vec::new();
    let mut rng = Rng::new(module.funcs.len() as u64);
    for f in module.funcs.values() {
        let Some(signature) = module.decls.signature(f.sym) else { continue };
        match &*module.decls.syms[f.sym].name {
            b"test" => calls.extend(calls_of_test(f.sym)),
            name if name.starts_with(ENTRY.as_bytes()) => {
                let call = |_| TypedCall { sym: f.sym, args: arguments_of(&module.decls, signature, &mut rng) };
                calls.extend((0..CALLS_OF_ENTRY).map(call));
            }
            _ => {}
        }
    }
    calls
}

fn calls_of_test(sym: lir_syntax::ir::Sym) -> impl Iterator<Item = TypedCall> {
    const ARGUMENTS: [(u64, u64, f64); 4] =
        [(0, 0, 0.0), (1, u64::MAX, -1.5), (0x8000_0000_1234_5678, 77, f64::NAN), (3, 5, 1e300)];
    ARGUMENTS.into_iter().map(move |(a, b, x)| {
        let args = vec![Value::new(Type::I64, a), Value::new(Type::I64, b), Value::new(Type::F64, x.to_bits())];
        TypedCall { sym, args }
    })
}

/// Returns random arguments for a signature.
pub(super) fn arguments_of(decls: &Decls, signature: &Signature, rng: &mut Rng) -> Vec<Value> {
    let argument = |param: &AbiParam| match *param {
        AbiParam::Scalar(ty, _) => Value::new(ty, bits(rng)),
        AbiParam::Agg(agg) => {
            let shape = Arc::new(Shape::of(decls, agg));
            let words = (0..shape.size().div_ceil(8)).flat_map(|_| bits(rng).to_le_bytes());
            let bytes = words.take(shape.size() as usize).collect();
            Value::aggregate(shape, bytes)
        }
    };
    signature.params.iter().map(argument).collect()
}

fn bits(rng: &mut Rng) -> u64 {
    match rng.below(3) {
        0 => rng.bits(),
        1 => rng.pick(&EDGES),
        _ => (rng.below(300) as u64).wrapping_sub(150),
    }
}
