//! Modules that programs build, right or wrong: none makes the printer or the verifier panic, and the text of each that
//! the verifier accepts reads as the same module.

use lir_random::{Config, Rng, generate, misbuild};
use lir_syntax::ir::builder::FunctionBuilder;
use lir_syntax::ir::{
    Block, EntityRef, EntitySet, FloatCC, Function, IntCC, Module, Obj, Param, Reg, Signature, Sym, Type,
};
use lir_syntax::verifier::verify_module;

/// Names the registers, blocks and objects of a function by their order in it.
fn number(f: &mut Function) {
    let (mut order, mut known): (Vec<Reg>, EntitySet<Reg>) = (Vec::new(), EntitySet::new());
    let mut note = |r: Reg| {
        if known.insert(r) {
            order.push(r);
        }
    };
    f.params.iter().for_each(|p| {
        if let Param::Reg(r) = *p {
            note(r)
        }
    });
    for i in f.layout().all_insts() {
        f.for_each_use(i, &mut note);
        f.def(i).into_iter().for_each(&mut note);
    }
    for (n, r) in order.into_iter().enumerate() {
        f.regs[r].name = f.names.add(format!("r{n}").as_bytes());
    }
    let blocks: Vec<Block> = f.layout().blocks().collect();
    for (n, b) in blocks.into_iter().enumerate() {
        let name = f.names.add(format!("b{n}").as_bytes());
        f.set_block_name(b, name);
    }
    let objects: Vec<Obj> = f.stack_objects().map(|(o, _)| o).collect();
    for (n, o) in objects.into_iter().enumerate() {
        f.stack[o].name = f.names.add(format!("o{n}").as_bytes());
    }
}

/// The text of a module by which two are compared: names do not matter.
fn meaning(module: &Module) -> String {
    let mut module = module.clone();
    module.funcs.as_mut_slice().iter_mut().for_each(number);
    module.to_string()
}

/// Checks a module that was built; true if the verifier accepts it.
#[track_caller]
fn holds(module: &Module) -> bool {
    let text = module.to_string();
    assert!(!format!("{module:?}").is_empty());
    if !verify_module(module, 20).is_empty() {
        return false;
    }
    let read = text.parse::<Module>().unwrap();
    assert_eq!(meaning(&read), meaning(module), "{text}");
    assert_eq!(read.to_string(), text);
    true
}

#[test]
fn modules_built_at_random_are_printed_verified_and_read() {
    let (mut accepted, mut rejected) = (0, 0);
    for seed in 0..4000 {
        let mut rng = Rng::new(seed);
        let config = Config { functions: 1, statements: 3, ..Config::default() };
        let mut module = generate(seed, &config);
        let changes = rng.range(1, 4);
        misbuild(&mut module, &mut rng, changes);
        *(if holds(&module) { &mut accepted } else { &mut rejected }) += 1;
    }
    assert!(accepted > 300 && rejected > 300, "{accepted} accepted, {rejected} rejected");
}

/// A module with one function of a number, which `build` writes.
fn built(build: impl FnOnce(&mut FunctionBuilder<'_>)) -> Module {
    let mut module = Module::default();
    let id = module.define_func("f", Signature::of_scalars(&[Type::I64], Some(Type::I64)));
    let mut b = FunctionBuilder::new(&mut module.funcs[id]);
    let entry = b.block("entry");
    b.switch_to(entry);
    build(&mut b);
    module
}

#[test]
fn names_may_be_any() {
    for name in ["x", "", "\0", "a\0b", "\"", "\n", "x.1", "\u{e9}"] {
        let module = built(|b| {
            let (x, y, z) = (b.named_reg(Type::I64, name), b.named_reg(Type::I64, name), b.named_reg(Type::I64, "x.1"));
            let (first, second) = (b.stack_object(name, 8, None), b.stack_object(name, 16, None));
            let (left, right) = (b.block(name), b.block(name));
            let n = b.param(0);
            b.assign(x).add(n, 1);
            b.assign(y).add(x, 2);
            b.assign(z).mul(x, y);
            b.store(Type::I64, lir_syntax::ir::Mem::obj(first, 0), x);
            b.store(Type::I64, lir_syntax::ir::Mem::obj(second, 8), y);
            b.branch(IntCC::Slt, x, y, left, right);
            b.switch_to(left);
            b.ret(x);
            b.switch_to(right);
            b.ret(y);
        });
        assert!(holds(&module), "{name:?}: {:?}\n{}", verify_module(&module, 9), module);
    }
}

#[test]
fn names_that_repeat_are_numbered() {
    let module = built(|b| {
        let (x, y) = (b.named_reg(Type::I64, "x"), b.named_reg(Type::I64, "x"));
        let next = b.block("entry");
        let n = b.param(0);
        b.assign(x).add(n, 1);
        b.jmp(next);
        b.switch_to(next);
        b.assign(y).add(x, 2);
        b.ret(x);
    });
    let lines = ["entry:", "  %x = add i64 %t.1, 1", "  jmp entry.1", "entry.1:", "  %x.1 = add i64 %x, 2", "  ret %x"];
    assert_eq!(module.to_string(), format!("func @f(%t.1: i64) -> i64 {{\n{}\n}}\n", lines.join("\n")));
}

/// Inlined code brings the files of its places along, which may be declared below.
#[test]
fn files_are_declared_before_their_uses() {
    let text = "file !a = \"a.c\"\n\nfunc @f() {\nentry:\n  ret !a:1\n}\n\n\
                file !b = \"b.c\"\n\nfunc @g() !b:1 {\nentry:\n  ret\n}\n";
    let mut module = text.parse::<Module>().unwrap();
    assert_eq!(module.to_string(), text);
    module.funcs[lir_syntax::ir::FuncId::new(0)].place = module.funcs[lir_syntax::ir::FuncId::new(1)].place;
    assert!(holds(&module));
    assert!(module.to_string().starts_with("file !a = \"a.c\"\nfile !b = \"b.c\"\n\nfunc @f() !b:1 {\n"));
}

/// The complaints about a comparison by the class of its predicate.
#[test]
fn predicates_are_of_the_class_of_their_operands() {
    let complaint = |build: &dyn Fn(&mut FunctionBuilder<'_>)| {
        let module = built(|b| build(b));
        module.to_string();
        verify_module(&module, 5)
            .into_iter()
            .map(|d| format!("{}; {}", d.message, d.notes[0].message))
            .collect::<Vec<_>>()
    };
    let floats = complaint(&|b| {
        let x = b.constant(Type::F64, 2.0);
        b.compare(IntCC::Ult, x, 1.0);
        b.ret_value(Type::I64, 0);
    });
    assert_eq!(
        floats,
        ["`fcmp` compares f64, but `ult` is a predicate of integers [V11]; in function `@f`, block `entry`"]
    );
    let integers = complaint(&|b| {
        let end = b.block("end");
        b.compare(FloatCC::Uno, b.param(0), 1);
        b.branch(FloatCC::Ord, b.param(0), 1, end, end);
        b.switch_to(end);
        b.ret_value(Type::I64, 0);
    });
    assert_eq!(
        integers,
        [
            "`icmp` compares i64, but `uno` is a predicate of floats [V11]; in function `@f`, block `entry`",
            "`br` compares i64, but `ord` is a predicate of floats [V11]; in function `@f`, block `entry`",
        ]
    );
}

/// The panic of a builder, which is misused at this line.
fn misuse(build: impl FnOnce(&mut FunctionBuilder<'_>) + std::panic::UnwindSafe) -> String {
    let panic = std::panic::catch_unwind(|| built(build)).expect_err("it is misused");
    panic.downcast_ref::<String>().expect("the message is made").clone()
}

#[test]
fn entities_of_another_function_are_named() {
    let of = "of the function of symbol @s0";
    let foreign = Reg::new(7);
    let message = format!("%r7 is not a register {of}: is it one of another function?");
    assert_eq!(misuse(|b| b.ret(foreign)), message);
    assert_eq!(misuse(|b| _ = b.add(foreign, 1)), message);
    assert_eq!(misuse(|b| _ = b.add(b.param(0), foreign)), message);
    assert_eq!(misuse(|b| _ = b.load(Type::I8, lir_syntax::ir::Mem::reg(foreign))), message);
    assert_eq!(misuse(|b| b.name_reg(foreign, "x")), message);
    assert_eq!(misuse(|b| _ = b.assign(foreign)), message);
    let object = lir_syntax::ir::Mem::obj(Obj::new(2), 0);
    let message = format!("$o2 is not a stack object {of}: is it one of another function?");
    assert_eq!(misuse(|b| _ = b.lea(object)), message);
    let message = format!("block9 is not a block {of}: is it one of another function?");
    assert_eq!(misuse(|b| b.jmp(Block::new(9))), message);
    assert_eq!(misuse(|b| b.switch_to(Block::new(9))), message);
    assert_eq!(misuse(|b| _ = b.param(7)), format!("there is no parameter 7 {of}, which has 1, counted from 0"));
}

/// This includes methods that check each item of a list, such as targets.
#[test]
fn panics_name_the_place_of_the_caller() {
    use std::cell::RefCell;
    thread_local!(static FILE: RefCell<Option<String>> = const { RefCell::new(None) });
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        FILE.set(info.location().map(|l| l.file().to_string()));
        before(info);
    }));
    let foreign = Block::new(9);
    type Misuse = fn(&mut FunctionBuilder<'_>, Block);
    let all: [Misuse; 5] = [
        |b, foreign| b.jmp(foreign),
        |b, foreign| b.branch(IntCC::Eq, b.param(0), 0, foreign, foreign),
        |b, foreign| b.switch(b.param(0), foreign, &[(1, foreign)]),
        |b, foreign| _ = b.guard(IntCC::Eq, b.param(0), 0, foreign),
        |b, foreign| _ = b.phi(Type::I64, &[(foreign, 1.into())]),
    ];
    for (k, wrong) in all.into_iter().enumerate() {
        assert!(misuse(move |b| wrong(b, foreign)).starts_with("block9 is not a block"));
        assert_eq!(FILE.take().as_deref(), Some(file!()), "number {k}");
    }
}

#[test]
fn callees_that_are_no_functions_are_named() {
    let mut module = Module::default();
    let data = module.define_data("s", Vec::new());
    let decls = module.decls.clone();
    let call = |callee: Sym| misuse(|b| _ = b.call_with(&decls, callee, &[]));
    assert_eq!(call(data), "the callee @s is data, and no function");
    assert_eq!(call(Sym::new(7)), "@s7 is not a symbol of these declarations: is it one of another module?");
}
