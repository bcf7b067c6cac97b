//! Rules that no text can break, because the parser would not make such a module, and scale.

use super::{SsaViolation, ssa_violation, verify_function, verify_module};
use crate::ir::Ext;
use crate::ir::access_type::MAX_ACCESS_DEPTH;
use crate::ir::builder::FunctionBuilder;
use crate::ir::module::{AbiParam, AggBody, Attrs, DataItem, MemberType, Signature};
use crate::ir::*;

const I32: AbiParam = AbiParam::Scalar(Type::I32, Ext::None);

fn signature(params: &[AbiParam], result: Option<AbiParam>) -> Signature {
    Signature { params: params.to_vec(), variadic: false, result, attrs: Attrs::NONE }
}

/// The messages for a module with one function `f(i32) -> i32` whose body `build` makes.
fn messages(build: impl FnOnce(&mut FunctionBuilder<'_>)) -> Vec<String> {
    let mut m = Module::default();
    let id = m.define_func("f", signature(&[I32], Some(I32)));
    build(&mut FunctionBuilder::new(&mut m.funcs[id]));
    verify_module(&m, 100).into_iter().map(|d| d.message).collect()
}

#[track_caller]
fn expect(rule: u32, build: impl FnOnce(&mut FunctionBuilder<'_>)) {
    let found = messages(build);
    assert!(found.len() == 1 && found[0].ends_with(&format!("[V{rule}]")), "{found:?}");
}

#[test]
fn a_good_function_has_no_diagnostics() {
    let found = messages(|b| {
        let entry = b.block("entry");
        b.switch_to(entry);
        let x = b.binary(Opcode::Add, Type::I32, b.param(0), -1);
        b.ret(x);
    });
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn two_symbols_of_one_name() {
    let mut m = Module::default();
    m.declare_data("x");
    m.declare_func("x", signature(&[], None));
    assert_eq!(verify_module(&m, 10)[0].message, "symbol `@x` is declared twice [V1]");
}

#[test]
fn tables_that_do_not_agree() {
    let mut m = Module::default();
    let id = m.define_func("f", signature(&[I32], None));
    m.funcs[id].params.clear();
    let mut b = FunctionBuilder::new(&mut m.funcs[id]);
    let entry = b.block("entry");
    b.switch_to(entry);
    b.ret_void();
    assert_eq!(verify_module(&m, 10)[0].message, "0 parameters, but 1 in the signature [V2]");
}

#[test]
fn data_constants_fit_their_type() {
    let mut m = Module::default();
    m.define_data("x", vec![DataItem::Scalar(Type::I8, 200)]);
    assert_eq!(verify_module(&m, 10)[0].message, "data `@x` holds 200, which does not fit i8 [V4]");
}

#[test]
fn blocks_end_in_their_only_terminator() {
    expect(8, |b| {
        b.block("entry");
    });
    expect(8, |b| {
        let entry = b.block("entry");
        b.switch_to(entry);
        b.copy(b.param(0));
    });
    expect(8, |b| {
        let entry = b.block("entry");
        b.switch_to(entry);
        b.ret_value(Type::I32, 0);
        b.switch_to(entry);
        b.ret_value(Type::I32, 0);
    });
}

#[test]
fn successors_fit_the_terminator() {
    expect(10, |b| {
        let entry = b.block("entry");
        b.switch_to(entry);
        b.ret_value(Type::I32, 0);
        b.func.set_succs(entry, &[entry]);
    });
    expect(10, |b| {
        let entry = b.block("entry");
        let nowhere = b.func.make_block(NameRef::NONE);
        b.switch_to(entry);
        b.jmp(nowhere);
    });
}

/// One instruction before `ret 0`.
fn with_inst(b: &mut FunctionBuilder<'_>, make: impl FnOnce(&mut FunctionBuilder<'_>)) {
    let entry = b.block("entry");
    b.switch_to(entry);
    make(b);
    b.ret_value(Type::I32, 0);
}

#[test]
fn annotations_predicates_and_flags() {
    expect(11, |b| {
        with_inst(b, |b| {
            let x = b.constant(Type::F32, 1.0);
            b.binary(Opcode::Add, Type::F32, x, x);
        })
    });
    expect(11, |b| {
        with_inst(b, |b| {
            b.convert(Opcode::Sext, Type::I32, b.param(0), Type::I16);
        })
    });
    expect(11, |b| {
        with_inst(b, |b| {
            b.copy(b.param(0));
            let i = b.last().unwrap();
            let data = b.func.inst(i).with_volatile(true);
            b.func.replace_inst(i, data);
        })
    });
    expect(11, |b| {
        with_inst(b, |b| {
            b.compare(IntCC::Eq, b.param(0), 1);
            let i = b.last().unwrap();
            let data = b.func.inst(i).with_predicate(FloatCC::ALL[10]);
            b.func.replace_inst(i, data);
        })
    });
}

#[test]
fn access_types() {
    let module = |outer: Option<AccessType>, make: fn(&mut FunctionBuilder<'_>)| {
        let mut m = Module::default();
        let id = m.define_func("f", Signature::of_scalars(&[Type::I64], Some(Type::I32)));
        let first = m.define_access_type("a", outer);
        m.define_access_type("b", Some(first));
        let mut b = FunctionBuilder::new(&mut m.funcs[id]);
        with_inst(&mut b, make);
        verify_module(&m, 9).iter().map(|d| d.message.ends_with("[V27]")).collect::<Vec<_>>()
    };
    fn set(b: &mut FunctionBuilder<'_>, access_type: AccessType) {
        let last = b.last().unwrap();
        b.func.set_access_type(last, Some(access_type));
    }
    let access = |b: &mut FunctionBuilder<'_>| {
        b.load(Type::I64, Mem::reg(b.param(0)));
        set(b, AccessType::new(1));
    };
    let missing = |b: &mut FunctionBuilder<'_>| {
        b.store(Type::I64, Mem::reg(b.param(0)), 1);
        set(b, AccessType::new(2));
    };
    let no_access = |b: &mut FunctionBuilder<'_>| {
        b.copy(b.param(0));
        set(b, AccessType::new(0));
    };
    assert_eq!(module(None, access), []);
    assert_eq!(module(Some(AccessType::new(1)), access), [true]);
    assert_eq!(module(None, missing), [true]);
    assert_eq!(module(None, no_access), [true]);
    let mut m = Module::default();
    let mut parent = None;
    for k in 0..=MAX_ACCESS_DEPTH + 1 {
        assert!(verify_module(&m, 9).is_empty());
        parent = Some(m.define_access_type(&k.to_string(), parent));
    }
    assert!(verify_module(&m, 9)[0].message.ends_with("is in more than 64 others [V27]"));
}

#[test]
fn noalias_sets() {
    let messages = |sets: &[(u32, u32)], make: fn(&mut FunctionBuilder<'_>)| {
        let mut m = Module::default();
        let id = m.define_func("f", Signature::of_scalars(&[Type::I64], Some(Type::I32)));
        let mut b = FunctionBuilder::new(&mut m.funcs[id]);
        let sets: Vec<_> = sets.iter().map(|&(scope, set)| NoaliasSet { scope, set }).collect();
        with_inst(&mut b, |b| {
            make(b);
            let last = b.last().unwrap();
            b.func.set_noalias_sets(last, &sets);
        });
        verify_module(&m, 9).iter().map(|d| d.message.ends_with("[V30]")).collect::<Vec<_>>()
    };
    let store = |b: &mut FunctionBuilder<'_>| b.store(Type::I64, Mem::reg(b.param(0)), 1);
    let copy = |b: &mut FunctionBuilder<'_>| {
        b.copy(b.param(0));
    };
    let volatile = |b: &mut FunctionBuilder<'_>| {
        b.store(Type::I64, Mem::reg(b.param(0)), 1);
        let last = b.last().unwrap();
        let data = b.func.inst(last).with_volatile(true);
        b.func.replace_inst(last, data);
    };
    let nine: Vec<(u32, u32)> = (0..9).map(|k| (k, 0)).collect();
    assert_eq!(messages(&nine[1..], store), []);
    assert_eq!(messages(&nine, store), [true]);
    assert_eq!(messages(&[(3, 1), (1, 1), (3, 2)], store), [true]);
    assert_eq!(messages(&[(0, 0)], copy), [true]);
    assert_eq!(messages(&[(0, 0)], volatile), [true]);
    assert_eq!(messages(&[], volatile), []);
}

#[test]
fn debug_types() {
    let module = |form: DebugForm, of_object: usize| {
        let mut m = Module::default();
        let id = m.define_func("f", Signature::of_scalars(&[], None));
        m.define_debug_type("int", DebugForm::Base { encoding: Encoding::Signed, size: 4, name: b"int"[..].into() });
        m.define_debug_type("t", form);
        let mut b = FunctionBuilder::new(&mut m.funcs[id]);
        let object = b.stack_object("o", 8, None);
        b.func.stack[object].debug_type = DebugType::new(of_object).into();
        let entry = b.block("entry");
        b.switch_to(entry);
        b.ret_void();
        verify_module(&m, 9).iter().map(|d| d.message.ends_with("[V29]")).collect::<Vec<_>>()
    };
    let of = DebugType::new;
    assert_eq!(module(DebugForm::Pointer(Some(of(1))), 1), []);
    assert_eq!(module(DebugForm::Pointer(Some(of(2))), 1), [true]);
    assert_eq!(module(DebugForm::Pointer(None), 2), [true]);
    assert_eq!(module(DebugForm::Array { count: 2, of: of(1) }, 1), [true]);
    assert_eq!(module(DebugForm::Alias { name: Box::default(), of: None }, 1), [true]);
    assert_eq!(module(DebugForm::Alias { name: b"a\0"[..].into(), of: Some(of(0)) }, 1), [true]);
    assert_eq!(
        module(DebugForm::Enum { of: of(0), name: Box::default(), values: vec![(Box::default(), 1)] }, 1),
        [true]
    );
    let wide = DebugForm::Base { encoding: Encoding::Float, size: 17, name: b"wide"[..].into() };
    assert_eq!(module(wide, 1), [true]);
}

#[test]
fn scopes_of_variables() {
    let module = |(file, begin, column), (end_line, end_column), of_object: usize| {
        let mut m = Module::default();
        let id = m.define_func("f", Signature::of_scalars(&[], None));
        let made = m.decls.files.push(FileData { name: b"f"[..].into(), path: b"f.c"[..].into(), loc: u32::MAX });
        m.items.push(Item::File(made));
        let mut b = FunctionBuilder::new(&mut m.funcs[id]);
        let object = b.stack_object("o", 8, None);
        let begin = Place { file: SourceFile::new(file), line: begin, column };
        b.func.scopes.push(ScopeData { begin, end_line, end_column });
        b.func.stack[object].scope = Scope::new(of_object).into();
        let entry = b.block("entry");
        b.switch_to(entry);
        b.ret_void();
        verify_module(&m, 9).iter().map(|d| d.message.ends_with("[V29]")).collect::<Vec<_>>()
    };
    assert_eq!(module((0, 2, 5), (2, 5), 0), []);
    assert_eq!(module((0, 2, 5), (2, 0), 0), []);
    assert_eq!(module((0, 2, 5), (3, 1), 0), []);
    assert_eq!(module((0, 2, 5), (2, 4), 0), [true]);
    assert_eq!(module((0, 0, 5), (2, 4), 0), [true]);
    assert_eq!(module((1, 2, 5), (3, 4), 0), [true]);
    assert_eq!(module((0, 2, 5), (3, 4), 1), [true]);
}

#[test]
fn results_go_to_registers_of_their_type() {
    expect(12, |b| {
        with_inst(b, |b| {
            let (x, wide) = (b.param(0), b.reg(Type::I64));
            b.assign(wide).copy(x);
        })
    });
    expect(12, |b| {
        with_inst(b, |b| {
            b.copy(b.param(0));
            let i = b.last().unwrap();
            let data = b.func.inst(i).with_result(None);
            b.func.replace_inst(i, data);
        })
    });
}

#[test]
fn operands_of_the_right_kind() {
    expect(13, |b| {
        with_inst(b, |b| {
            let one = b.operand(Type::I32, 1);
            b.copy(b.param(0));
            let i = b.last().unwrap();
            let data = b.func.inst(i).with_first(one);
            b.func.replace_inst(i, data);
        })
    });
    expect(13, |b| {
        with_inst(b, |b| {
            b.constant(Type::I32, 1);
            let i = b.last().unwrap();
            let data = b.func.inst(i).with_first(Operand::reg(b.param(0)));
            b.func.replace_inst(i, data);
        })
    });
}

#[test]
fn constants_fit() {
    expect(15, |b| {
        with_inst(b, |b| {
            let wide = b.operand(Type::I64, 1i64 << 40);
            b.binary(Opcode::Add, Type::I32, b.param(0), wide);
        })
    });
}

#[test]
fn addresses() {
    expect(16, |b| {
        with_inst(b, |b| {
            b.load(Type::I32, Mem::reg(b.param(0)));
        })
    });
    expect(16, |b| {
        with_inst(b, |b| {
            let p = b.convert(Opcode::Zext, Type::I32, b.param(0), Type::I64);
            b.load(Type::I32, Mem::reg(p).indexed(p, 3));
        })
    });
}

#[test]
fn corner_188_negative_offset_of_a_stack_object() {
    for (disp, good) in [(-8, false), (0, true), (8, true), (9, false), (16, false), (i32::MAX, false)] {
        let found = messages(|b| {
            let o = b.stack_object("o", 16, None);
            with_inst(b, |b| {
                b.load(Type::I64, Mem::obj(o, disp));
                b.lea(Mem::obj(o, disp));
            })
        });
        assert_eq!(found.is_empty(), good, "{found:?}");
    }
}

#[test]
fn alignments_are_powers_of_two() {
    expect(18, |b| {
        b.stack_object("o", 16, Some(3));
        with_inst(b, |_| {});
    });
    expect(18, |b| {
        b.stack_object("o", 1 << 31, None);
        with_inst(b, |_| {});
    });
}

#[test]
fn reads_after_assignment() {
    expect(20, |b| {
        let x = b.reg(Type::I32);
        with_inst(b, |b| {
            b.copy(x);
            b.assign(x).constant(Type::I32, 1);
        })
    });
    expect(20, |b| {
        let x = b.reg(Type::I32);
        with_inst(b, |b| {
            b.copy(x);
        })
    });
}

/// `%x` assigned on both arms of a branch, or on one.
fn diamond(b: &mut FunctionBuilder<'_>, both: bool) {
    let [entry, left, right, join] = ["entry", "left", "right", "join"].map(|n| b.block(n));
    let x = b.reg(Type::I32);
    b.switch_to(entry);
    b.br(b.param(0), left, right);
    b.switch_to(left);
    b.assign(x).constant(Type::I32, 1);
    b.jmp(join);
    b.switch_to(right);
    if both {
        b.assign(x).constant(Type::I32, 2);
    }
    b.jmp(join);
    b.switch_to(join);
    b.ret(x);
}

#[test]
fn several_assignments() {
    assert_eq!(messages(|b| diamond(b, true)), Vec::<String>::new());
    expect(20, |b| diamond(b, false));
}

#[test]
fn unreachable_blocks_are_exempt_and_assign_nothing() {
    let found = messages(|b| {
        let [entry, dead] = ["entry", "dead"].map(|n| b.block(n));
        let (x, y) = (b.reg(Type::I32), b.reg(Type::I32));
        b.switch_to(entry);
        b.ret(y);
        b.switch_to(dead);
        b.assign(y).copy(x);
        b.ret(y);
    });
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("no path"), "{found:?}");
}

#[test]
fn types_have_a_limit() {
    let mut m = Module::default();
    let huge = AggBody::Struct { packed: false, members: vec![(MemberType::Scalar(Type::I64), 1 << 61)] };
    assert_eq!(m.add_type("t", None, huge), None);
    let odd = m.add_type("odd", Some(1), AggBody::Opaque(5)).unwrap();
    m.decls.types[odd].align = 3;
    assert!(verify_module(&m, 10)[0].message.ends_with("[V3]"));
}

#[test]
fn the_limit_holds_and_the_order_is_that_of_the_text() {
    let mut m = Module::default();
    let id = m.define_func("f", signature(&[I32], None));
    let mut b = FunctionBuilder::new(&mut m.funcs[id]);
    let entry = b.block("entry");
    b.switch_to(entry);
    for k in 0..50 {
        b.loc = crate::ir::DebugLoc::offset(100 - k);
        b.binary(Opcode::Fadd, Type::I32, b.param(0), b.param(0));
    }
    b.ret_void();
    let found = verify_function(&m.decls, &m.funcs[id], 7);
    assert_eq!(found.len(), 7);
    assert!(found.is_sorted_by_key(|d| d.span));
}

#[test]
fn ssa_violation_names_the_first_register_assigned_twice() {
    let mut m = Module::default();
    let id = m.define_func("f", signature(&[I32], Some(I32)));
    let b = &mut FunctionBuilder::new(&mut m.funcs[id]);
    let entry = b.block("entry");
    b.switch_to(entry);
    let x = b.copy(b.param(0));
    let first = b.last();
    assert_eq!(ssa_violation(b.func), None);
    b.assign(x).copy(x);
    let second = b.last().unwrap();
    assert_eq!(ssa_violation(b.func), Some(SsaViolation { reg: x, first, second }));
    let p = b.param(0);
    b.assign(p).copy(x);
    assert_eq!(ssa_violation(b.func).unwrap().reg, x);
}

/// `n` diamonds in a row. In SSA form each joins two registers of its own in a phi; else both arms assign one register.
/// With `keep`, the last block reads all of them.
fn ladder(n: usize, ssa: bool, keep: bool) -> Module {
    let mut m = Module::default();
    let id = m.define_func("f", signature(&[I32], Some(I32)));
    let b = &mut FunctionBuilder::new(&mut m.funcs[id]);
    let mut top = b.block("entry");
    let mut regs = vec![b.param(0)];
    for _ in 0..n {
        let [left, right, join] = ["l", "r", "j"].map(|l| b.fresh_block(l));
        let before = *regs.last().unwrap();
        b.switch_to(top);
        b.branch(IntCC::Slt, before, 7, left, right);
        b.switch_to(left);
        let x = b.binary(Opcode::Add, Type::I32, before, 1);
        b.jmp(join);
        b.switch_to(right);
        let y = if ssa { b.reg(Type::I32) } else { x };
        b.assign(y).binary(Opcode::Mul, Type::I32, before, 3);
        b.jmp(join);
        b.switch_to(join);
        regs.push(if ssa { b.phi(Type::I32, &[(left, x.into()), (right, y.into())]) } else { x });
        top = join;
    }
    b.switch_to(top);
    let mut sum = b.constant(Type::I32, 0);
    for &r in regs.iter().filter(|_| keep) {
        sum = b.binary(Opcode::Xor, Type::I32, sum, r);
    }
    b.ret(sum);
    m
}

#[test]
fn corner_173_a_hundred_thousand_blocks() {
    for (blocks, ssa, keep) in [(100_000, true, true), (100_000, false, false), (10_000, false, true)] {
        let m = ladder(blocks / 3, ssa, keep);
        assert_eq!(verify_module(&m, 10), []);
        let f = &m.funcs[FuncId::from_u32(0)];
        assert_eq!(ssa_violation(f).is_none(), ssa);
    }
}
