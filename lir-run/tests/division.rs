//! Divisions and remainders by constants, all of a wide set at every width: compiled after `-O2`, they have the same
//! results as the function as written in the interpreter. The document's author once had one wrong magic number among
//! many.

use lir_llc::options::CompileOptions;
use lir_llc::options::RelocModel;
use lir_opt::{Level, Pipeline, RunOptions, optimize};
use lir_run::engine::{Engine, Mode};
use lir_run::interp::{Interp, Options, Outcome};
use lir_run::symbols::HostSymbols;
use lir_run::value::Value;
use lir_syntax::ir::builder::FunctionBuilder;
use lir_syntax::ir::{Module, Opcode, Signature, Type};
use std::collections::BTreeSet;

/// Small numbers, and those around powers of two and around fractions of the range, with both signs.
fn interesting(ty: Type, small: i64) -> Vec<i64> {
    let w = ty.as_word();
    let mut all: BTreeSet<i64> = (-small..=small).collect();
    for k in 0..ty.bits() {
        let power = 1u64 << k;
        all.extend([power.wrapping_sub(1), power, power.wrapping_add(1)].map(|n| n as i64));
        all.extend([power, power.wrapping_add(1)].map(|n| (n as i64).wrapping_neg()));
    }
    for d in [3, 5, 6, 7, 9, 10, 11, 12, 25, 100, 125, 625, 641, 1000] {
        all.extend([u64::MAX / d, i64::MAX as u64 / d, w.mask() / d, w.mask() / 2 / d].map(|n| n as i64));
    }
    let all: BTreeSet<i64> = all.into_iter().map(|n| w.sign_extend(w.truncate(n as u64))).collect();
    all.into_iter().collect()
}

/// A module with a function for each divisor: `%x` divided by it.
fn divisions(op: Opcode, ty: Type, divisors: &[i64]) -> Module {
    let mut module = Module::default();
    for (k, &d) in divisors.iter().enumerate() {
        let f = module.define_func(&format!("f{k}"), Signature::of_scalars(&[ty], Some(ty)));
        let mut b = FunctionBuilder::new(&mut module.funcs[f]);
        let entry = b.block("entry");
        b.switch_to(entry);
        let x = b.param(0);
        let q = b.binary(op, ty, x, d);
        b.ret(q);
    }
    module
}

fn check(op: Opcode, ty: Type) {
    let divisors = interesting(ty, 130);
    let dividends = interesting(ty, 12);
    let module = divisions(op, ty, &divisors);
    let host = HostSymbols::new(&[]).expect("no library is asked for");
    let mut interp = Interp::new(module.clone(), &host, Options::default()).expect("the module can be run");
    let mut changed = module.clone();
    optimize(&mut changed, &Pipeline::of_level(Level::O2), &RunOptions::default()).expect("the module is right");
    let options = CompileOptions { model: RelocModel::Jit, ..CompileOptions::default() };
    let native = Engine::new(changed, Mode::Native(options), &host).expect("the module can be compiled");
    let words = |outcome: Outcome| match outcome {
        Outcome::Return(Some(value)) => value.to_string(),
        Outcome::Trap(trap, _) => trap.to_string(),
        other => panic!("{other:?}"),
    };
    for (f, d) in module.funcs.keys().zip(&divisors) {
        // Next to multiples of the divisor quotients change.
        let near = dividends.iter().map(|k| k.wrapping_mul(*d)).flat_map(|n| [n.wrapping_sub(1), n, n.wrapping_add(1)]);
        for x in near.chain(dividends.iter().copied()) {
            let args = [Value::new(ty, ty.as_word().truncate(x as u64))];
            let expected = words(interp.call(f, &args));
            let found = words(native.call(f, &args).expect("there is memory for a stack"));
            assert_eq!(found, expected, "{} {ty} {x}, {d}", op.mnemonic());
        }
    }
}

#[test]
fn divisions_by_constants_at_8_bits() {
    for op in [Opcode::Sdiv, Opcode::Udiv, Opcode::Srem, Opcode::Urem] {
        check(op, Type::I8);
    }
}

#[test]
fn divisions_by_constants_at_16_bits() {
    for op in [Opcode::Sdiv, Opcode::Udiv, Opcode::Srem, Opcode::Urem] {
        check(op, Type::I16);
    }
}

#[test]
fn divisions_by_constants_at_32_bits() {
    for op in [Opcode::Sdiv, Opcode::Udiv, Opcode::Srem, Opcode::Urem] {
        check(op, Type::I32);
    }
}

#[test]
fn divisions_by_constants_at_64_bits() {
    for op in [Opcode::Sdiv, Opcode::Udiv, Opcode::Srem, Opcode::Urem] {
        check(op, Type::I64);
    }
}
