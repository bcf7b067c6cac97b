//! Many fields, objects and copies through `sroa`: nothing is quadratic, and all of them are removed.

use lir_opt::{Pipeline, RunOptions, optimize};
use lir_syntax::ir::builder::{FunctionBuilder, Value};
use lir_syntax::ir::{Mem, Module, Opcode, Reg, Signature, Type};
use lir_syntax::verifier::verify_module;

const MANY: i32 = 100_000;
const T: Type = Type::I64;

/// Builds `@f(i64) -> i64`, runs the pass, and returns the numbers of remaining stack objects and instructions.
fn left(build: impl FnOnce(&mut FunctionBuilder<'_>, Reg) -> Reg) -> (usize, usize) {
    let mut module = Module::default();
    let id = module.define_func("f", Signature::of_scalars(&[T], Some(T)));
    let mut b = FunctionBuilder::new(&mut module.funcs[id]);
    let n = b.param(0);
    let entry = b.block("entry");
    b.switch_to(entry);
    let result = build(&mut b, n);
    b.ret(result);
    optimize(&mut module, &Pipeline::parse("sroa").unwrap(), &RunOptions::default()).unwrap();
    assert!(verify_module(&module, 3).is_empty());
    let f = &module.funcs[id];
    (f.stack_objects().count(), f.layout().blocks().map(|b| f.layout().insts(b).count()).sum())
}

#[test]
fn an_object_with_many_fields() {
    let (objects, insts) = left(|b, n| {
        let o = b.stack_object("o", 8 * MANY as u64, None);
        let mut x = n;
        for k in 0..MANY {
            b.store(T, Mem::obj(o, 8 * k), x);
            x = b.binary(Opcode::Add, T, x, 1);
        }
        for k in 0..MANY {
            let y = b.load(T, Mem::obj(o, 8 * k));
            x = b.binary(Opcode::Xor, T, x, y);
        }
        x
    });
    assert_eq!((objects, insts), (0, 2 * MANY as usize + 1));
}

#[test]
fn many_objects_with_two_fields() {
    let (objects, insts) = left(|b, n| {
        let mut x = n;
        for k in 0..MANY {
            let o = b.stack_object(&format!("o{k}"), 16, None);
            b.store(T, Mem::obj(o, 0), x);
            b.store(Type::F64, Mem::obj(o, 8), Value::Int(0));
            x = b.load(T, Mem::obj(o, 0));
        }
        x
    });
    assert_eq!((objects, insts), (0, 1));
}

#[test]
fn a_chain_of_copies() {
    let (objects, insts) = left(|b, n| {
        let objects: Vec<_> = (0..10_000).map(|k| b.stack_object(&format!("o{k}"), 32, None)).collect();
        b.store(T, Mem::obj(objects[0], 0), n);
        b.store(Type::I8, Mem::obj(objects[0], 24), Value::Int(1));
        for pair in objects.windows(2) {
            b.memcpy(Mem::obj(pair[1], 0), Mem::obj(pair[0], 0), 32);
        }
        b.load(T, Mem::obj(objects[9_999], 0))
    });
    assert!(objects == 0 && insts < 10, "{objects} objects, {insts} instructions");
}

#[test]
fn many_copies_of_many_parts() {
    let (objects, _) = left(|b, n| {
        let (p, q) = (b.stack_object("p", 8 * MANY as u64, None), b.stack_object("q", 8 * MANY as u64, None));
        for k in 0..MANY {
            b.store(T, Mem::obj(p, 8 * k), n);
        }
        for k in (0..MANY - 8).step_by(4) {
            b.memcpy(Mem::obj(q, 8 * k), Mem::obj(p, 8 * k), 64);
        }
        // The ones that overlap many parts.
        for k in 0..1000 {
            b.memset(Mem::obj(q, 0), Value::Int(k % 2), 8);
            b.memcpy(Mem::obj(q, 4 * MANY), Mem::obj(p, 4 * MANY), 4 * MANY as i64);
        }
        b.load(T, Mem::obj(q, 8))
    });
    assert_eq!(objects, 2, "the halves in large copies stay");
}
