//! The façade as an embedder uses it: building, parsing, optimising, calling, and the reports of mistakes.

use lir::{Dump, Error, Guarded, IntCC, Level, Mem, Module, PerfMap, Type, Value};
use std::path::Path;

const DIVIDE: &str = "func @divide(%a: i32, %b: i32) -> i32 {\nentry:\n  %q = sdiv %a, %b\n  ret %q\n}\n\
                      local func @unused() {\nentry:\n  ret\n}\n\
                      func @last() -> i32 {\nentry:\n  ret 7\n}\n";

fn text(value: Option<Value>) -> String {
    value.map_or("nothing".into(), |v| v.to_string())
}

#[test]
fn functions_are_found_by_name_after_passes_removed_others() {
    for level in [Level::O0, Level::O1, Level::O2] {
        let mut module = Module::parse("divide.lir", DIVIDE).unwrap();
        module.optimize(level).unwrap();
        assert_eq!(module.to_string().contains("@unused"), level != Level::O2);
        let jit = module.compile().unwrap();
        assert_eq!(text(jit.call("divide", &[(-7).into(), 2.into()]).unwrap()), "i32 -3");
        assert_eq!(text(jit.call("last", &[]).unwrap()), "i32 7");
        assert!(!jit.address("last").unwrap().is_null());
    }
}

#[test]
fn mistakes_are_errors() {
    let invalid = Module::parse("wrong.lir", "func @f() {\nentry:\n  frob\n}\n").map(|_| ()).unwrap_err();
    assert!(invalid.to_string().starts_with("wrong.lir:3:3: error: "), "{invalid}");
    let [d] = invalid.diagnostics() else { panic!("{invalid}") };
    assert_eq!((d.file.as_deref(), d.line, d.column, &d.code), (Some("wrong.lir"), Some(3), Some(3), &None));
    assert!(d.message.starts_with("there is no opcode `frob`"), "{d}");
    let two =
        "func @f(%a: i32) -> i64 {\nentry:\n  %b = add i32 %a, 1\n  ret %b\n}\nfunc @g() -> i64 {\nentry:\n  ret\n}\n";
    let invalid = Module::parse("two.lir", two).map(|_| ()).unwrap_err();
    assert_eq!(invalid.diagnostics().len(), 2, "{invalid}");
    let first = &invalid.diagnostics()[0];
    assert!(first.line == Some(4) && !first.suggestions.is_empty(), "{first:?}");
    let jit = Module::parse("divide.lir", DIVIDE).unwrap().compile().unwrap();
    let trap = jit.call("divide", &[1.into(), 0.into()]).unwrap_err();
    assert_eq!(trap.to_string(), "trap: div_by_zero in @divide, block entry, line 3");
    assert_eq!(jit.call("multiply", &[]), Err(Error::NoFunction("multiply".into())));
    assert!(matches!(jit.call("divide", &[1.0.into()]), Err(Error::Call(_))));
    let mut module = Module::new();
    module.function("f", &[], Some(Type::I32), |b| {
        b.ret_value(Type::I64, 1);
    });
    assert!(matches!(module.optimize(Level::O1), Err(Error::Invalid(_))));
    let mut module = Module::new();
    module.declare("no_such_function_anywhere", &[], None);
    module.function("g", &[], None, |b| {
        assert_eq!(b.call("no_such_function_anywhere", &[]), None);
        b.ret_void();
    });
    assert!(matches!(module.compile().map(|_| ()), Err(Error::Invalid(_))));
}

#[test]
fn a_changed_module_is_verified_again() {
    let mut module = Module::parse("divide.lir", DIVIDE).unwrap();
    module.optimize(Level::O0).unwrap();
    let last = &mut module.ir_mut().funcs.as_mut_slice()[0];
    last.remove_inst(last.terminator(last.entry()));
    assert!(matches!(module.optimize(Level::O0), Err(Error::Invalid(_))));
}

#[test]
fn built_functions_call_one_another_and_c() {
    let mut module = Module::new();
    module.declare("labs", &[Type::I64], Some(Type::I64));
    module.function("distance", &[Type::I64, Type::I64], Some(Type::I64), |b| {
        let (x, y) = (b.param(0), b.param(1));
        let difference = b.sub(x, y);
        let result = b.call("labs", &[difference]).unwrap();
        b.ret(result);
    });
    module.function("fib", &[Type::I64], Some(Type::I64), |b| {
        let [end, more] = ["end", "more"].map(|label| b.block(label));
        let n = b.param(0);
        b.branch(IntCC::Slt, n, 2, end, more);
        b.switch_to(end);
        b.ret(n);
        b.switch_to(more);
        let [x, y] = [1, 2].map(|k| b.sub(n, k));
        let [x, y] = [x, y].map(|r| b.call("fib", &[r]).unwrap());
        let sum = b.add(x, y);
        b.ret(sum);
    });
    module.run_passes("ssa,gvn,dce").unwrap();
    assert!(matches!(module.run_passes("gnv"), Err(Error::Invalid(_))));
    let jit = module.compile().unwrap();
    assert_eq!(text(jit.call("distance", &[3i64.into(), 10i64.into()]).unwrap()), "i64 7");
    assert_eq!(text(jit.call("fib", &[20i64.into()]).unwrap()), "i64 6765");
}

#[test]
fn folded_functions_need_no_pass() {
    let mut module = Module::new();
    let folded = module.folded_function("f", &[Type::I32], Some(Type::I32), |b| {
        let (x, two) = (b.param(0), b.constant(Type::I32, 2));
        let exit = b.block("exit");
        let four = b.mul(two, 2);
        assert_eq!(b.guard(IntCC::Eq, four, 4, exit), Guarded::Dropped);
        let y = b.mul(x, four);
        b.ret(y);
        b.switch_to(exit);
        b.ret(x);
    });
    folded.unwrap();
    assert!(module.to_string().contains("shl i32 %"), "{module}");
    assert!(!module.to_string().contains("br "), "{module}");
    let wrong = module.folded_function("g", &[Type::F64], None, |b| {
        let address = Mem::reg(b.param(0));
        b.load(Type::I32, address);
        b.ret_void();
    });
    assert!(matches!(&wrong, Err(e) if e.diagnostics()[0].code.as_deref() == Some("V16")));
    let mut module = Module::new();
    let identity = module.folded_function("f", &[Type::I32], Some(Type::I32), |b| {
        let x = b.param(0);
        b.ret(x);
    });
    identity.unwrap();
    assert_eq!(text(module.compile().unwrap().call("f", &[7.into()]).unwrap()), "i32 7");
}

#[test]
fn objects_are_elf() {
    let mut module = Module::parse("divide.lir", DIVIDE).unwrap();
    module.optimize(Level::O2).unwrap();
    assert!(module.object().unwrap().starts_with(b"\x7fELF"));
}

#[test]
fn code_that_is_shown_to_gdb_is_called_like_other() {
    let mut shown = Vec::new();
    for level in [Level::O0, Level::O2] {
        let mut module = Module::parse("divide.lir", DIVIDE).unwrap();
        module.optimize(level).unwrap();
        let jit = module.compile_for_gdb().unwrap();
        assert_eq!(text(jit.call("divide", &[9.into(), 2.into()]).unwrap()), "i32 4");
        shown.push(jit);
    }
    let mut built = Module::new();
    built.function("five", &[Type::I64], Some(Type::I64), |b| {
        let n = b.param(0);
        let sum = b.add(n, 2);
        b.ret(sum);
    });
    shown.push(built.compile_for_gdb().unwrap());
    // They are dropped in another order than they were made.
    drop(shown.remove(1));
    assert_eq!(text(shown[1].call("five", &[3i64.into()]).unwrap()), "i64 5");
}

/// Built code has no lines, unless its instructions have places in the front end's source.
#[test]
fn profilers_are_told_of_parsed_and_of_built_code() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let dump = Dump::create(folder).unwrap();
    let parsed = Module::parse("divide.lir", DIVIDE).unwrap().compile().unwrap();
    let mut module = Module::new();
    module.function("five", &[], Some(Type::I64), |b| {
        b.ret_value(Type::I64, 5);
    });
    let built = module.compile().unwrap();
    let map = PerfMap::create().unwrap();
    for jit in [&parsed, &built] {
        jit.write_perf_map(&map).unwrap();
    }
    let map = std::fs::read_to_string(PerfMap::path()).unwrap();
    std::fs::remove_file(PerfMap::path()).unwrap();
    let names: Vec<&str> = map.lines().map(|l| l.rsplit(' ').next().unwrap()).collect();
    assert_eq!(names, ["divide", "unused", "last", "five"]);
    let address = built.address("five").unwrap() as usize;
    assert!(map.lines().last().unwrap().starts_with(&format!("{address:x} ")), "{map}");
    for jit in [&parsed, &built] {
        jit.write_jitdump(&dump).unwrap();
    }
    dump.close().unwrap();
    // Code that is added after the end is left out.
    built.write_jitdump(&dump).unwrap();
    let bytes = std::fs::read(dump.path()).unwrap();
    std::fs::remove_file(dump.path()).unwrap();
    let count = |text: &[u8]| bytes.windows(text.len()).filter(|w| *w == text).count();
    assert_eq!([&b"\0divide\0"[..], b"\0five\0"].map(count), [1, 1]);
    assert!(count(b"/divide.lir\0") >= 2);
    assert_eq!(text(built.call("five", &[]).unwrap()), "i64 5");
    assert!(Dump::create(&folder.join("nowhere")).is_err());
}
