//! The folding writers of a builder: the results for appended instructions.

use lir_opt::passes::writers::{WriterCounts, WriterOptions, Writers};
use lir_opt::{Pipeline, RunOptions, optimize};
use lir_syntax::ir::builder::writer::Region;
use lir_syntax::ir::builder::{FunctionBuilder, Guarded};
use lir_syntax::ir::{DataItem, IntCC, Mem, Module, Opcode, Reg, Signature, Type};
use lir_syntax::verifier::verify_module;

/// Builds `@f(i32 %x, i64 %p) -> i32`, in whose entry `build` begins, through writers. Returns its instructions, in the
/// words of the printer.
fn built_in(
    module: &mut Module,
    options: WriterOptions,
    build: impl FnOnce(&mut FunctionBuilder<'_>),
) -> (Vec<String>, WriterCounts) {
    let id = module.define_func("f", Signature::of_scalars(&[Type::I32, Type::I64], Some(Type::I32)));
    let Module { funcs, decls, .. } = module;
    let mut writers = Writers::new(decls, options);
    writers.begin(&funcs[id]);
    let mut b = FunctionBuilder::through(&mut funcs[id], &mut writers);
    for (n, name) in ["x", "p"].into_iter().enumerate() {
        let r = b.param(n);
        b.name_reg(r, name);
    }
    let entry = b.block("entry");
    b.switch_to(entry);
    build(&mut b);
    let counts = writers.finish(&mut funcs[id]).expect("it is well-formed");
    assert_eq!(verify_module(module, 10), []);
    let text = module.to_string();
    let body = text.lines().skip_while(|l| !l.starts_with("func @f")).skip(1).filter(|l| l.starts_with(' '));
    (body.map(|l| l.trim().to_string()).collect(), counts)
}

fn built(build: impl FnOnce(&mut FunctionBuilder<'_>)) -> (Vec<String>, WriterCounts) {
    built_in(&mut Module::default(), WriterOptions::ALL, build)
}

#[test]
fn constants_are_folded_while_code_is_appended() {
    let (code, _) = built(|b| {
        let (x, six) = (b.param(0), b.constant(Type::I32, 6));
        let seven = b.add(six, 1);
        let answer = b.mul(seven, 6);
        let sum = b.add(x, answer);
        b.name_reg(sum, "sum");
        b.ret(sum);
    });
    assert_eq!(code, ["%sum = add i32 %x, 42", "ret %sum"]);
}

#[test]
fn a_guard_on_a_constant_is_dropped_and_code_continues() {
    let (code, counts) = built(|b| {
        let (x, one) = (b.param(0), b.constant(Type::I32, 1));
        let exit = b.block("exit");
        assert_eq!(b.guard(IntCC::Eq, one, 1, exit), Guarded::Dropped);
        let y = b.add(x, one);
        b.name_reg(y, "y");
        b.ret(y);
        b.switch_to(exit);
        b.ret_value(Type::I32, 0);
    });
    assert_eq!(code, ["%y = add i32 %x, 1", "ret %y", "ret 0"]);
    assert_eq!(counts.branches, 1);
    let (code, _) = built(|b| {
        let one = b.constant(Type::I32, 1);
        let exit = b.block("exit");
        assert_eq!(b.guard(IntCC::Eq, one, 2, exit), Guarded::Leaves);
        assert_eq!(b.current(), None);
        b.switch_to(exit);
        b.ret_value(Type::I32, 0);
    });
    assert_eq!(code, ["jmp exit", "ret 0"]);
}

#[test]
fn a_passed_guard_is_known_for_the_rest_of_the_trace() {
    let (code, counts) = built(|b| {
        let x = b.param(0);
        let exit = b.block("exit");
        let is_less = b.compare(IntCC::Slt, x, 10);
        assert_eq!(b.guard(IntCC::Ne, is_less, 0, exit), Guarded::Made);
        let same = b.compare(IntCC::Slt, x, 10);
        let inverse = b.compare(IntCC::Sge, x, 10);
        let implied = b.compare(IntCC::Sgt, x, 20);
        let sum = b.add(same, inverse);
        let sum = b.add(sum, implied);
        assert_eq!(b.guard(IntCC::Sle, x, 12, exit), Guarded::Dropped);
        let wide = b.zext(sum, Type::I32);
        b.name_reg(wide, "sum");
        b.ret(wide);
        b.switch_to(exit);
        b.ret_value(Type::I32, 0);
    });
    assert_eq!(code, ["br slt i32 %x, 10, t.1, exit", "ret 0", "%sum = const i32 1", "ret %sum"]);
    assert_eq!(counts.decided, 4);
}

#[test]
fn intervals_remove_overflow_tests() {
    let tests = |options| {
        let (code, counts) = built_in(&mut Module::default(), options, |b| {
            let (x, p) = (b.param(0), b.param(1));
            let exit = b.block("exit");
            let byte = b.and(x, 255);
            b.guard(IntCC::Ult, x, 1 << 20, exit);
            let sum = b.add(byte, x);
            let results = [
                // No: because of masks, because of the guard, because of both.
                b.smul_o(byte, 1000),
                b.sadd_o(x, 1 << 30),
                b.ssub_o(x, 1 << 30),
                b.umul_o(sum, 1000),
                b.smul_o(x, byte),
                // Always.
                b.usub_o(x, 1 << 21),
                // It depends.
                b.smul_o(sum, 1 << 20),
            ];
            for (k, r) in results.into_iter().enumerate() {
                b.store(Type::I8, Mem { disp: k as i32, ..Mem::reg(p) }, r);
            }
            b.ret(x);
            b.switch_to(exit);
            b.ret_value(Type::I32, 0);
        });
        let left = code.iter().filter(|l| l.contains("_o ") || l.contains("icmp")).count();
        (left, counts.overflow_tests)
    };
    let without = WriterOptions { overflow: false, guards: false, ..WriterOptions::ALL };
    let (left, none) = tests(without);
    assert!(left >= 5 && none == 0, "masks alone decide the first: {left}");
    let (left, decided) = tests(WriterOptions { overflow: true, guards: true, ..WriterOptions::NONE });
    assert_eq!((left, decided), (1, 6));
}

#[test]
fn loads_are_kept_by_region_and_constant_data_for_good() {
    let mut module = Module::default();
    let table = module.define_data("table", vec![DataItem::Scalar(Type::I32, 7), DataItem::Scalar(Type::I32, 8)]);
    module.decls.data.as_mut_slice()[0].constant = true;
    let (code, counts) = built_in(&mut module, WriterOptions::ALL, |b| {
        let (x, p) = (b.param(0), b.param(1));
        let (stack, heap) = (Region(1), Region(2));
        let index = b.zext(x, Type::I64);
        let constant = Mem { index: Some(index), scale: 4, ..Mem::sym(table, 0) };
        let load = |b: &mut FunctionBuilder<'_>, region, mem| {
            b.region = region;
            b.load(Type::I32, mem)
        };
        let in_heap = Mem { disp: 64, ..Mem::reg(p) };
        let (s, h) = (load(b, stack, Mem::reg(p)), load(b, heap, in_heap));
        let c = load(b, Region::ANY, constant);
        // A store to the stack: the load gives the stored value, the others remain.
        b.region = stack;
        b.store(Type::I32, Mem { disp: 8, ..Mem::reg(p) }, x);
        assert_eq!(load(b, stack, Mem { disp: 8, ..Mem::reg(p) }), x);
        assert_eq!(load(b, heap, in_heap), h);
        // So does another field of the address in the same region, except one that the store overlaps.
        assert_eq!(load(b, stack, Mem::reg(p)), s);
        b.region = stack;
        b.store(Type::I32, Mem { disp: 2, ..Mem::reg(p) }, x);
        let again = load(b, stack, Mem::reg(p));
        assert_ne!(again, s);
        // A store to anywhere clears both.
        let anywhere = b.add(p, index);
        b.region = Region::ANY;
        b.store(Type::I32, Mem::reg(anywhere), x);
        assert_ne!(load(b, heap, in_heap), h);
        assert_ne!(load(b, stack, Mem::reg(p)), again);
        assert_eq!(load(b, Region::ANY, constant), c);
        let eight = load(b, Region::ANY, Mem::sym(table, 4));
        b.name_reg(eight, "eight");
        b.ret(eight);
    });
    assert_eq!(code[code.len() - 2..], ["%eight = const i32 8", "ret %eight"], "{code:?}");
    assert_eq!(counts.merged, 5);
}

#[test]
fn volatile_accesses_all_stay() {
    let (code, _) = built(|b| {
        let p = b.param(1);
        let [v, w] = [0, 1].map(|_| b.volatile().load(Type::I32, Mem::reg(p)));
        b.volatile().store(Type::I32, Mem::reg(p), v);
        b.volatile().store(Type::I32, Mem::reg(p), v);
        let sum = b.add(v, w);
        b.ret(sum);
    });
    assert_eq!(code.iter().filter(|l| l.contains("volatile")).count(), 4, "{code:?}");
}

/// The two arms of an absolute value that a front end makes for one operation of its own. Returns the result.
fn diamond(b: &mut FunctionBuilder<'_>, x: Reg) -> Reg {
    let [negative, positive, join] = ["negative", "positive", "join"].map(|name| b.fresh_block(name));
    let result = b.reg(Type::I32);
    b.suspend();
    b.branch(IntCC::Slt, x, 0, negative, positive);
    b.switch_to(negative);
    b.assign(result).neg(x);
    // An arm may not run: this is not available after it.
    b.mul(x, 77);
    b.store(Type::I32, Mem { disp: 4, ..Mem::reg(b.param(1)) }, x);
    b.jmp(join);
    b.switch_to(positive);
    b.assign(result).copy(x);
    b.jmp(join);
    b.switch_to(join);
    b.resume();
    result
}

#[test]
fn merging_is_suspended_in_a_synthetic_diamond() {
    let (code, _) = built(|b| {
        let (x, p) = (b.param(0), b.param(1));
        let before = b.mul(x, 3);
        let load = b.load(Type::I32, Mem::reg(p));
        let a = diamond(b, x);
        // Earlier values are known; values that an arm computed are not; its writes count.
        assert_eq!(b.mul(x, 3), before);
        assert_ne!(b.load(Type::I32, Mem::reg(p)), load);
        let own = b.mul(x, 77);
        let sum = b.add(a, own);
        let sum = b.add(sum, before);
        b.ret(sum);
    });
    assert_eq!(code.iter().filter(|l| l.contains("mul i32 %x, 3")).count(), 1, "{code:?}");
    assert_eq!(code.iter().filter(|l| l.contains("mul i32 %x, 77")).count(), 1, "{code:?}");
    let computed = code.iter().position(|l| l.contains("mul i32 %x, 77"));
    let last_jump = code.iter().rposition(|l| l.contains("jmp"));
    assert!(computed > last_jump, "{code:?}");
}

#[test]
fn nothing_is_known_where_control_comes_from_elsewhere() {
    let (code, _) = built(|b| {
        let x = b.param(0);
        let [left, right, join] = ["left", "right", "join"].map(|name| b.block(name));
        b.branch(IntCC::Slt, x, 0, left, right);
        b.go_on_in(left);
        let a = b.mul(x, 3);
        b.jmp(join);
        b.switch_to(right);
        assert_ne!(b.mul(x, 3), a);
        let is_less = b.compare(IntCC::Slt, x, 0);
        let wide = b.zext(is_less, Type::I32);
        b.ret(wide);
        b.switch_to(join);
        b.ret(a);
    });
    assert!(code.iter().any(|l| l.contains("icmp slt") || l.contains("lshr")), "{code:?}");
}

#[test]
#[should_panic(expected = "a value is assigned")]
fn a_value_is_no_variable() {
    built(|b| {
        let y = b.add(b.param(0), 1);
        b.assign(y).add(y, 1);
    });
}

#[test]
fn mistakes_are_reported_with_the_instruction() {
    let mut module = Module::default();
    let id = module.define_func("f", Signature::of_scalars(&[Type::I32, Type::F64], None));
    let Module { funcs, decls, .. } = &mut module;
    let mut writers = Writers::new(decls, WriterOptions::ALL);
    writers.begin(&funcs[id]);
    let mut b = FunctionBuilder::through(&mut funcs[id], &mut writers);
    let entry = b.block("entry");
    b.switch_to(entry);
    let (x, y) = (b.param(0), b.param(1));
    b.binary(Opcode::Add, Type::I32, x, y);
    b.load(Type::I32, Mem::reg(y));
    b.ret_void();
    let errors = writers.finish(&mut funcs[id]).expect_err("two instructions are wrong");
    let messages: Vec<_> = errors.iter().map(|e| e.message.as_str()).collect();
    assert_eq!(messages.len(), 2, "{messages:?}");
    assert!(messages[0].contains("[V14]") && messages[1].contains("[V16]"), "{messages:?}");
}

#[test]
fn a_million_instructions_of_any_shape() {
    let n = 1_000_000;
    let (code, _) = built(|b| {
        let (x, p) = (b.param(0), b.param(1));
        let mut y = x;
        for k in 0..n / 4 {
            let odd = b.xor(y, k);
            let test = b.compare(IntCC::Ne, odd, 0);
            let wide = b.zext(test, Type::I32);
            y = b.sub(wide, y);
            b.store(Type::I32, Mem { disp: k, ..Mem::reg(p) }, y);
        }
        b.ret(y);
    });
    assert!(code.len() > n as usize / 2);
    let (_, counts) = built(|b| {
        let x = b.param(0);
        let exit = b.block("exit");
        for k in 0..n / 10 {
            b.guard(IntCC::Ne, x, k, exit);
        }
        b.ret(x);
        b.switch_to(exit);
        b.ret_value(Type::I32, 0);
    });
    assert_eq!(counts.branches, 0);
}

#[test]
fn code_that_cannot_be_reached_may_read_itself() {
    let text = "func @f() {\nentry:\n  ret\ndead:\n  %a = copy i32 %a\n  %e = smulh i32 %e, 1\n  %f = or i32 %f, 1\n  %g = ashr i32 %g, 3\n  %b = add i32 %b, 0\n  %c = copy i32 %d\n  %d = copy i32 %c\n  br %a, dead, dead\n}\n";
    let mut module: Module = text.parse().expect("it is well-formed");
    optimize(&mut module, &Pipeline::parse("rebuild").expect("it exists"), &RunOptions::default()).expect("it ends");
    assert_eq!(verify_module(&module, 10), []);
}

#[test]
fn each_writer_does_its_part_alone() {
    let some = |options| {
        let (code, _) = built_in(&mut Module::default(), options, |b| {
            let (x, p) = (b.param(0), b.param(1));
            let exit = b.block("exit");
            b.store(Type::I32, Mem::reg(p), 1);
            b.store(Type::I32, Mem::reg(p), 2);
            let [a, c] = [0, 1].map(|_| b.mul(x, 3));
            let z = b.add(c, 0);
            let unused = b.add(z, a);
            b.add(unused, 5);
            b.guard(IntCC::Ult, x, 10, exit);
            b.guard(IntCC::Ult, x, 20, exit);
            let o = b.sadd_o(x, 5);
            let o = b.zext(o, Type::I32);
            b.ret(o);
            b.switch_to(exit);
            b.ret(z);
        });
        code
    };
    let none = WriterOptions::NONE;
    let all = some(none).len();
    assert_eq!(all, 13);
    assert_eq!(some(WriterOptions { validate: true, ..none }).len(), all);
    assert_eq!(some(WriterOptions { merge: true, ..none }).len(), all - 1);
    assert_eq!(some(WriterOptions { fold: true, ..none }).len(), all - 1);
    assert_eq!(some(WriterOptions { guards: true, ..none }).len(), all - 1);
    assert_eq!(some(WriterOptions { dead_stores: true, ..none }).len(), all - 1);
    assert_eq!(some(WriterOptions { dead_code: true, ..none }).len(), all - 3);
    let overflow = some(WriterOptions { overflow: true, guards: true, ..none });
    assert!(!overflow.iter().any(|l| l.contains("sadd_o")), "{overflow:?}");
    assert!(some(WriterOptions::ALL).len() < all - 6);
}

#[test]
fn dead_code_is_anything_but_stores() {
    let (code, counts) =
        built_in(&mut Module::default(), WriterOptions { dead_code: true, ..WriterOptions::NONE }, |b| {
            let (x, p) = (b.param(0), b.param(1));
            // Overwritten, stored and never read, and a chain that is not read.
            b.store(Type::I32, Mem::reg(p), 1);
            b.store(Type::I32, Mem::reg(p), 2);
            let unread = b.mul(x, 3);
            b.add(unread, x);
            let stored = b.mul(x, 5);
            b.store(Type::I32, Mem::reg(p), stored);
            b.ret(x);
        });
    assert_eq!(counts.dead_code, 2);
    assert_eq!(counts.dead_stores, 0);
    assert_eq!(code.iter().filter(|l| l.starts_with("store ")).count(), 3, "{code:?}");
    assert_eq!(code.iter().filter(|l| l.contains("mul i32 %x, 5")).count(), 1, "{code:?}");
    assert_eq!(code.len(), 5, "{code:?}");
}

#[test]
fn terminators_are_written_too() {
    let (code, counts) = built(|b| {
        let (x, four) = (b.param(0), b.constant(Type::I32, 4));
        let [a, c, d] = ["a", "c", "d"].map(|name| b.block(name));
        b.branch(IntCC::Eq, x, 4, a, d);
        b.go_on_in(a);
        b.switch(x, d, &[(3, d), (4, c)]);
        b.go_on_in(c);
        b.ret(four);
        b.switch_to(d);
        let y = b.phi(Type::I32, &[(entry(b), 1.into()), (a, 2.into())]);
        b.ret(y);
    });
    assert_eq!(counts.branches, 1);
    assert!(code.iter().any(|l| l == "jmp c"), "{code:?}");
    assert!(code.iter().any(|l| l.contains("phi i32 [1, entry]")), "the entry of the edge that went: {code:?}");
}

fn entry(b: &FunctionBuilder<'_>) -> lir_syntax::ir::Block {
    b.func.entry()
}
