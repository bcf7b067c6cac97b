//! The interpreter reports broken promises; code that keeps its promises gives the same results at every level.

use lir_opt::{Level, Pipeline, RunOptions, optimize};
use lir_run::interp::{Interp, Options, Outcome};
use lir_run::run_lines::LineReader;
use lir_run::symbols::HostSymbols;
use lir_syntax::ir::builder::FunctionBuilder;
use lir_syntax::ir::{Module, Opcode, Promises, Signature, Type};
use std::sync::Arc;

/// A module with `@f(a, b)`, an operation with promises, and `@g(a)`, an extension with `nneg`.
fn module(op: Opcode, promises: Promises) -> Module {
    let mut module = Module::default();
    let sig = Signature::of_scalars(&[Type::I32, Type::I32], Some(Type::I32));
    let id = module.define_func("f", sig);
    let mut b = FunctionBuilder::new(&mut module.funcs[id]);
    let entry = b.block("entry");
    b.switch_to(entry);
    let (x, y) = (b.param(0), b.param(1));
    let r = b.binary_with(op, promises, Type::I32, x, y);
    b.ret(r);
    let id = module.define_func("g", Signature::of_scalars(&[Type::I32], Some(Type::I64)));
    let mut b = FunctionBuilder::new(&mut module.funcs[id]);
    let entry = b.block("entry");
    b.switch_to(entry);
    let x = b.param(0);
    let r = b.convert_with(Opcode::Zext, Promises::NNEG, Type::I32, x, Type::I64);
    b.ret(r);
    module
}

/// Returns the result of a call, or the message of an error.
fn call(module: Module, text: &str) -> Result<String, String> {
    call_with(module, text, Options::default())
}

fn call_with(module: Module, call: &str, options: Options) -> Result<String, String> {
    let call = LineReader::new(&module).call(call).expect("a call");
    let module = Arc::new(module);
    let func = call.func(&module);
    let host = HostSymbols::new(&[]).expect("no library is loaded");
    let mut interp = Interp::new(module, &host, options).expect("all symbols are defined");
    match interp.call(func, &call.args) {
        Outcome::Return(Some(value)) => Ok(value.to_string()),
        Outcome::Error(message, _) => Err(message.to_string()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn broken_promises_are_errors() {
    for (op, promises, args, broken) in [
        (Opcode::Add, Promises::NSW, "@f(2147483647, 1)", "the promise `nsw` is broken by `add i32 2147483647, 1`"),
        (Opcode::Add, Promises::NUW, "@f(-1, 1)", "the promise `nuw` is broken by `add i32 -1, 1`"),
        (Opcode::Sub, Promises::NUW, "@f(1, 2)", "the promise `nuw` is broken by `sub i32 1, 2`"),
        (Opcode::Sdiv, Promises::EXACT, "@f(7, 2)", "the promise `exact` is broken by `sdiv i32 7, 2`"),
        (Opcode::Or, Promises::DISJOINT, "@f(5, 4)", "the promise `disjoint` is broken by `or i32 5, 4`"),
    ] {
        assert_eq!(call(module(op, promises), args), Err(broken.to_string()));
        // Without the promise the call returns.
        assert!(call(module(op, Promises::NONE), args).is_ok(), "{op:?}");
    }
    let message = "the promise `nneg` is broken by `zext i32 -1`";
    assert_eq!(call(module(Opcode::Add, Promises::NONE), "@g(-1)"), Err(message.to_string()));
    assert_eq!(call(module(Opcode::Add, Promises::NONE), "@g(1)"), Ok("i64 1".to_string()));
}

#[test]
fn kept_promises_change_nothing() {
    for level in [Level::O0, Level::O1, Level::O2] {
        let mut module = module(Opcode::Add, Promises::NSW.or(Promises::NUW));
        optimize(&mut module, &Pipeline::of_level(level), &RunOptions::default()).expect("the passes succeed");
        assert_eq!(call(module, "@f(20, 22)"), Ok("i32 42".to_string()));
    }
}

/// Functions whose parameter `%p` is `noalias`. `@main(k)` calls one of them with equal or different addresses.
const NOALIAS: &str = "
data @x = { zero 64 }

extern func @abs(i32) -> i32

func @both(%p: i64 noalias, %q: i64) -> i32 {
entry:
  %p4 = add i64 %p, 4
  store i32 [%p4 - 4], 1
  store i32 [%q], 2
  %r = load i32 [%p]
  ret %r
}

func @read(%p: i64 noalias, %q: i64) -> i32 {
entry:
  %a = load i32 [%p]
  %b = load i32 [%q]
  %c = add i32 %a, %b
  ret %c
}

func @set(%q: i64) {
entry:
  memset [%q], 1, 4
  ret
}

func @inside(%p: i64 noalias, %q: i64) -> i32 {
entry:
  %a = load i32 [%p]
  call @set(%q)
  ret %a
}

func @escapes(%p: i64 noalias, %q: i64) -> i32 {
entry:
  %a = load i32 [%p]
  call @set(%p)
  ret %a
}

func @calls_c(%p: i64 noalias, %q: i64) -> i32 {
entry:
  %a = load i32 [%p]
  %b = call i32 @abs(%a)
  ret %b
}

func @frees(%p: i64 noalias, %q: i64) -> i32 {
entry:
  store i32 [%p], 1
  call @free(%p)
  %n = call i64 @malloc(4)
  store i32 [%n], 2
  %r = load i32 [%n]
  call @free(%n)
  ret %r
}

func @set_and_read(%p: i64, %q: i64) -> i32 {
entry:
  store i32 [%q], 2
  ret 0
}

func @jumps(%p: i64 noalias, %q: i64) -> i32 {
entry:
  store i32 [%p], 1
  %r = call musttail i32 @set_and_read(0, %q)
  ret %r
}

func @fails_to_exchange(%p: i64 noalias, %q: i64) -> i32 {
entry:
  %a = load i32 [%p]
  %seven = const i32 7
  %eight = const i32 8
  %b = cmpxchg seq_cst seq_cst i32 [%q], %seven, %eight
  %c = add i32 %a, %b
  ret %c
}

extern func @malloc(i64) -> i64 libc
extern func @free(i64) libc

func @on_heap() -> i32 {
entry:
  %p = call i64 @malloc(4)
  %r = call i32 @frees(%p, 0)
  ret %r
}

func @twice() -> i32 {
entry:
  %x = lea [@x]
  %y = lea [@x + 8]
  %a = call i32 @both(%x, %y)
  %b = call i32 @both(%y, %x)
  %c = add i32 %a, %b
  ret %c
}
";

/// A call `@function(@x, @x + distance)`.
fn with_addresses(function: &str, distance: u32) -> Module {
    let main = format!(
        "func @main() -> i32 {{\nentry:\n  %p = lea [@x]\n  %q = lea [@x + {distance}]\n  \
         %r = call i32 @{function}(%p, %q)\n  ret %r\n}}\n"
    );
    format!("{NOALIAS}{main}").parse().unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn accesses_that_break_noalias_are_errors() {
    let strict = || Options { doubtful_aliases: true, ..Options::default() };
    for (function, distance, broken, broken_strictly) in [
        ("both", 0, true, true),
        ("both", 3, true, true),
        ("both", 4, false, false),
        ("read", 0, false, false),
        ("inside", 0, true, true),
        ("inside", 8, false, false),
        ("escapes", 8, false, true),
        ("jumps", 0, true, true),
        ("jumps", 8, false, false),
        ("fails_to_exchange", 0, false, true),
        ("calls_c", 8, false, true),
    ] {
        for (options, broken) in [(Options::default(), broken), (strict(), broken_strictly)] {
            let result = call_with(with_addresses(function, distance), "@main()", options);
            let message = format!("the promise `noalias` of `%p` of `@{function}` is broken by an access");
            match result {
                Ok(_) => assert!(!broken, "{function} {distance}"),
                Err(error) => assert!(broken && error.starts_with(&message), "{function} {distance}: {error}"),
            }
        }
    }
    // Each call has its own claim, and freed memory none.
    assert_eq!(call(with_addresses("both", 0), "@twice()"), Ok("i32 2".to_string()));
    assert_eq!(call(with_addresses("both", 0), "@on_heap()"), Ok("i32 2".to_string()));
}

/// Functions with promises about values, and `@main(k)`, which breaks none for 0.
const VALUES: &str = "
data @m align 8 = { i64 0, i64 0 }
data @at align 8 = { @m }

func @param(%n: i32 range -2 to 5) -> i32 {
entry:
  ret %n
}

func @address(%p: i64 nonnull align 8 dereferenceable 16) -> i64 {
entry:
  %x = load i64 [%p]
  ret %x
}

func @sized(%k: i64) -> i64 {
entry:
  %p = lea [@m + %k]
  %x = call i64 @address(%p)
  ret %x
}

func @loaded(%k: i8) -> i8 {
entry:
  store i8 [@m], %k
  %x = load i8 [@m] range 0 to 1
  store i8 [@m], 0
  ret %x
}

func @result(%k: i32) -> i32 {
entry:
  %x = call i32 @param(%k) range 0 to 3
  ret %x
}

func @assumed(%a: i16, %b: i16) -> i16 {
entry:
  assume ult i16 %a, %b
  assume ne i16 %a, 5
  ret %a
}
";

#[test]
fn broken_promises_about_values_are_errors() {
    let module: Module = VALUES.parse().unwrap_or_else(|e| panic!("{e}"));
    for (text, expected) in [
        ("@param(-2)", Ok("i32 -2")),
        ("@param(5)", Ok("i32 5")),
        ("@param(6)", Err("the promise `range -2 to 5` is broken by `%n` of `@param`, which is 6")),
        ("@param(-3)", Err("the promise `range -2 to 5` is broken by `%n` of `@param`, which is -3")),
        ("@sized(0)", Ok("i64 0")),
        ("@address(0)", Err("the promise `nonnull` is broken by `%p` of `@address`, which is 0")),
        ("@address(9)", Err("the promise `align 8` is broken by `%p` of `@address`, which is 9")),
        ("@address(8)", Err("the promise `dereferenceable 16` is broken by `%p` of `@address`, which is 8")),
        ("@loaded(1)", Ok("i8 1")),
        ("@loaded(2)", Err("the promise `range 0 to 1` is broken by the result of `load`, which is 2")),
        ("@assumed(1, -1)", Ok("i16 1")),
        ("@assumed(-1, 1)", Err("the promise `assume` is broken by `ult i16 -1, 1`")),
        ("@assumed(5, 6)", Err("the promise `assume` is broken by `ne i16 5, 5`")),
        ("@result(3)", Ok("i32 3")),
        ("@result(-1)", Err("the promise `range 0 to 3` is broken by the result of `call`, which is -1")),
    ] {
        let expected = expected.map(str::to_string).map_err(str::to_string);
        assert_eq!(call(module.clone(), text), expected, "{text}");
    }
    let beyond = call(module, "@sized(8)").expect_err("the object has 16 bytes");
    assert!(
        beyond.starts_with("the promise `dereferenceable 16` is broken by `%p` of `@address`, which is "),
        "{beyond}"
    );
}

/// Functions that are `readnone` or `readonly`, and `@main()`, which calls one of them.
const LIMITED: &str = "
data @m = { i64 5 }
const data @c = { i64 7 }
type :pair = { i64, i64 }

func @reads(%p: i64) -> i64 readnone {
entry:
  %x = load i64 [%p]
  ret %x
}

func @may_read(%p: i64) -> i64 readonly {
entry:
  %x = load i64 [%p]
  ret %x
}

func @writes(%p: i64) -> i64 readonly {
entry:
  store i64 [%p], 1
  ret 1
}

func @fills(%p: i64) -> i64 readonly {
entry:
  memset [%p], 0, 8
  ret 1
}

func @fills_nothing(%p: i64) -> i64 readonly {
entry:
  memset [%p], 0, 0
  ret 1
}

func @other_writes(%p: i64) -> i64 {
entry:
  store i64 [%p], 1
  ret 2
}

func @calls(%p: i64) -> i64 readonly {
entry:
  %x = call i64 @other_writes(%p)
  ret %x
}

func @jumps(%p: i64) -> i64 readnone {
entry:
  %x = call musttail i64 @other_writes(%p)
  ret %x
}

func @in_own_frame(%p: i64) -> i64 readnone {
  stack $a: 8
entry:
  %a = lea [$a]
  %x = call i64 @other_writes(%a)
  %y = call i64 @may_read(%a)
  %z = add i64 %x, %y
  ret %z
}

func @no_slots() {
entry:
  ret
}

func @after_a_call() readnone {
entry:
  call @no_slots()
  store i64 [@m], 1
  ret
}

func @calls_without_slots(%p: i64) -> i64 {
entry:
  call @after_a_call()
  ret 1
}

func @exchanges(%p: i64) -> i64 readonly {
entry:
  %five = const i64 5
  %nine = const i64 9
  %x = cmpxchg seq_cst seq_cst i64 [%p], %five, %nine
  ret %x
}

extern func @malloc(i64) -> i64
extern func @free(i64)

func @own_block(%p: i64) -> i64 readonly {
entry:
  %b = call i64 @malloc(8)
  %x = load i64 [%p]
  store i64 [%b], %x
  %y = load i64 [%b]
  call @free(%b)
  ret %y
}

func @block_of_the_caller(%p: i64) -> i64 {
entry:
  %b = call i64 @malloc(8)
  %r = call i64 @writes(%b)
  ret %r
}

extern func @qsort(i64, i64, i64, i64)
data @two = { i64 2, 1 }

func @compares(%a: i64, %b: i64) -> i32 {
entry:
  store i64 [@m], 7
  ret 0
}

func @calls_back(%p: i64) -> i64 readonly {
entry:
  %f = lea [@compares]
  %t = lea [@two]
  call @qsort(%t, 2, 8, %f)
  %x = load i64 [@m]
  ret %x
}

func @pair(%p: i64, $q: :pair) -> :pair readnone {
  stack $r: :pair
entry:
  %x = load i64 [$q + 8]
  store i64 [$q], %x
  store i64 [$r], %x
  store i64 [$r + 8], 2
  ret :pair [$r]
}

func @aggregates(%p: i64) -> i64 {
  stack $q: :pair
entry:
  store i64 [$q], 3
  store i64 [$q + 8], 4
  call :pair [$q], @pair(%p, :pair [$q])
  %x = load i64 [$q]
  store i64 [%p], %x
  ret %x
}
";

#[test]
fn accesses_that_break_the_attributes_of_their_function_are_errors() {
    for (function, of, result) in [
        ("reads", "m", Err("the promise `readnone` of `@reads` is broken by an access that reads other memory")),
        ("reads", "c", Ok("i64 7")),
        ("may_read", "m", Ok("i64 5")),
        ("writes", "m", Err("the promise `readonly` of `@writes` is broken by an access that writes other memory")),
        ("fills", "m", Err("the promise `readonly` of `@fills` is broken by an access that writes other memory")),
        ("fills_nothing", "m", Ok("i64 1")),
        ("calls", "m", Err("the promise `readonly` of `@calls` is broken by an access that writes other memory")),
        ("jumps", "m", Err("the promise `readnone` of `@jumps` is broken by an access that writes other memory")),
        ("other_writes", "m", Ok("i64 2")),
        (
            "calls_without_slots",
            "m",
            Err("the promise `readnone` of `@after_a_call` is broken by an access that writes other memory"),
        ),
        (
            "exchanges",
            "m",
            Err("the promise `readonly` of `@exchanges` is broken by an access that writes other memory"),
        ),
        ("own_block", "m", Ok("i64 5")),
        (
            "block_of_the_caller",
            "m",
            Err("the promise `readonly` of `@writes` is broken by an access that writes other memory"),
        ),
        ("calls_back", "m", Ok("i64 7")),
        ("in_own_frame", "m", Ok("i64 3")),
        ("aggregates", "m", Ok("i64 4")),
    ] {
        let main = format!(
            "func @main() -> i64 {{\nentry:\n  %p = lea [@{of}]\n  %a = call i64 @in_own_frame(%p)\n  \
             %r = call i64 @{function}(%p)\n  ret %r\n}}\n"
        );
        let module: Module = format!("{LIMITED}{main}").parse().unwrap_or_else(|e| panic!("{e}"));
        let result = result.map(str::to_string).map_err(str::to_string);
        assert_eq!(call(module, "@main()"), result, "{function}");
    }
}
