//! Reports of the interpreter beyond results and traps: bad accesses, fuel, missing symbols, locations.

use lir_run::interp::{Interp, Options, Outcome};
use lir_run::run_lines::LineReader;
use lir_run::symbols::HostSymbols;
use lir_run::value::Value;
use lir_syntax::ir::{Module, Opcode, Type};
use lir_syntax::parser::{ParseOptions, parse};
use lir_syntax::semantics::Trap;
use lir_syntax::text::source::Source;
use lir_syntax::verifier::verify_module;
use lir_testing::files::{files_in, module_of, testdata};

/// Reads a valid module. Returns its source, too.
pub fn module(text: &str) -> (Module, Source) {
    let source = Source { name: "test".into(), text: text.into() };
    let module = parse(&source, &ParseOptions::default()).unwrap_or_else(|e| panic!("{e:#?}"));
    assert_eq!(verify_module(&module, 9), []);
    (module, source)
}

fn run_with(text: &str, call: &str, options: Options) -> String {
    let (module, source) = module(text);
    let mut interp = Interp::new(module.clone(), &HostSymbols::new(&[]).unwrap(), options).unwrap();
    call_in(&mut interp, call, &module, &source)
}

/// Runs a call, given as text, in the interpreter, and returns its outcome as text.
pub fn call_in(interp: &mut Interp, call: &str, module: &Module, source: &Source) -> String {
    let call = LineReader::new(module).call(call).unwrap();
    match interp.call(call.func(module), &call.args) {
        Outcome::Return(Some(value)) => value.to_string(),
        Outcome::Return(None) => "nothing".into(),
        Outcome::Trap(trap, at) => format!("trap: {trap} in {}", at.describe(module, Some(source))),
        Outcome::OutOfFuel(at) => format!("out of fuel in {}", at.describe(module, Some(source))),
        Outcome::Error(message, at) => format!("{message} in {}", at.describe(module, Some(source))),
    }
}

fn run(text: &str, call: &str) -> String {
    run_with(text, call, Options::default())
}

/// Wraps the instructions of a function `@f(%i: i64)` with some objects around.
fn body(instructions: &str) -> String {
    format!(
        "extern func @malloc(i64) -> i64
extern func @free(i64)
extern func @realloc(i64, i64) -> i64
extern func @reallocarray(i64, i64, i64) -> i64
data @d align 8 = {{ i64 1, 2 }}
func @f(%i: i64) -> i64 {{
  stack $a: 16
  stack $b: 16
entry:
  %n = const i64 24
{instructions}
}}
"
    )
}

#[test]
fn accesses_outside_of_objects_are_reported() {
    for (what, i, message) in [
        (
            "  %v = load i64 [$a + %i]\n  ret %v",
            9,
            "a read of 8 bytes at offset 9 of a stack or data object of 16 bytes",
        ),
        ("  %v = load i64 [@d + %i*8]\n  ret %v", 2, "offset 16"),
        ("  %v = load i64 [@d + %i*8]\n  ret %v", -1, "offset -8"),
        ("  %p = lea [$a]\n  %v = load i64 [%p + %i]\n  ret %v", 16, "offset 16 of the nearest live stack object"),
        ("  %p = lea [@d]\n  store i64 [%p + %i], 1\n  ret 0", 12, "a write of 8 bytes at offset 12 of a data object"),
        (
            "  %p = call i64 @malloc(%n)\n  %v = load i32 [%p + %i]\n  ret 0",
            21,
            "offset 21 of a heap block of 24 bytes",
        ),
        ("  %p = call i64 @malloc(%n)\n  %v = load i32 [%p + %i]\n  ret 0", 24, "offset 24 of the nearest live heap"),
        ("  %p = call i64 @malloc(%n)\n  %v = load i32 [%p + %i]\n  ret 0", -4, "offset -4 of the nearest live heap"),
        ("  memset [$a], 0, %i\n  ret 0", 17, "a write of 17 bytes at offset 0 of a stack or data object of 16"),
        ("  memcpy [$a], [$b], %i\n  ret 0", 17, "a read of 17 bytes"),
        ("  %p = lea [$a + 4]\n  memcpy [$a], [%p], 8\n  ret 0", 0, "overlap"),
        ("  %s = stack_save\n  %p = alloca 8, 8\n  stack_restore %s\n  %v = load i64 [%p]\n  ret %v", 0, "live"),
        ("  %p = lea [$a]\n  stack_restore %p\n  ret 0", 0, "stack_restore of a value"),
        ("  %v = atomic_load acquire i64 [$a + %i]\n  ret %v", 16, "a read of 8 bytes at offset 16 of"),
        ("  %v = atomicrmw add relaxed i64 [@d + %i], 1\n  ret %v", 16, "a write of 8 bytes at offset 16 of"),
        ("  %v = cmpxchg seq_cst seq_cst i64 [$a + %i], %n, %n\n  ret %v", -8, "a write of 8 bytes at offset -8"),
        (
            "  %v = atomic_load acquire i64 [$a + %i]\n  ret %v",
            4,
            "an atomic access of 8 bytes at an address that is not a multiple of 8",
        ),
        ("  atomic_store relaxed i16 [$a + %i], 1\n  ret 0", 1, "an atomic access of 2 bytes at an address"),
    ] {
        let got = run(&body(what), &format!("@f({i})"));
        assert!(got.contains(message) && got.contains("in @f, block entry, line 1"), "{what}: {got}");
    }
}

#[test]
fn heap_misuse_is_reported() {
    let block = "  %p = call i64 @malloc(%n)\n";
    for (what, message) in [
        ("  call @free(%p)\n  %v = load i64 [%p]\n  ret %v", "offset 0 of a heap block of 24 bytes that was freed"),
        ("  call @free(%p)\n  call @free(%p)\n  ret 0", "freed already"),
        ("  %q = add i64 %p, 8\n  call @free(%q)\n  ret 0", "not the start of a heap block"),
        ("  %q = lea [$a]\n  call @free(%q)\n  ret 0", "not the start of a heap block"),
        ("  %q = call i64 @reallocarray(%p, %n, %n)\n  %v = load i64 [%p]\n  ret %v", "that was freed"),
        ("  %q = call i64 @reallocarray(%p, %n, %n)\n  %v = load i64 [%q + 576]\n  ret %v", "live heap block of 576"),
        ("  %q = call i64 @realloc(%p, %n)\n  %v = load i64 [%p]\n  ret 0", "that was freed"),
    ] {
        let got = run(&body(&format!("{block}{what}")), "@f(0)");
        assert!(got.contains(message), "{what}: {got}");
    }
}

/// `getline` grows a block, in place if possible.
#[test]
fn a_block_that_c_grew_is_known_to_be_larger() {
    let text = "
extern func @malloc(i64) -> i64
extern func @free(i64)
extern func @fmemopen(i64, i64, i64) -> i64
extern func @fgetc(i64) -> i32
extern func @getline(i64, i64, i64) -> i64
data @text = { zero 100000 }
const data @mode = { \"r\\00\" }
func @f(%n: i64, %length: i64) -> i64 {
  stack $block: 8
  stack $size: 8
entry:
  %x = const i8 120
  memset [@text], %x, %length
  %t = lea [@text]
  %m = lea [@mode]
  %s = call i64 @fmemopen(%t, %length, %m)
  %first = call i32 @fgetc(%s)
  %p = call i64 @malloc(%n)
  store i64 [$block], %p
  store i64 [$size], %n
  %b = lea [$block]
  %z = lea [$size]
  %e = call i64 @getline(%b, %z, %s)
  %q = load i64 [$block]
  %c = load i8 [%q + %n]
  %last = add i64 %e, %q
  %d = load i8 [%last - 1]
  store i8 [%last - 1], 1
  %v = zext i8 %c to i64
  %w = zext i8 %d to i64
  %r = add i64 %v, %w
  call @free(%q)
  ret %r
}
";
    for (n, length) in [(1, 90), (16, 90), (30, 35), (64, 90), (3000, 90_000), (20_000, 30_000)] {
        assert_eq!(run(text, &format!("@f({n}, {length})")), "i64 240", "{n}");
    }
}

#[test]
fn an_object_of_a_returned_function_is_dead() {
    let text = "
func @f() -> i64 {
entry:
  %p = call i64 @leak()
  %v = load i64 [%p]
  ret %v
}
func @leak() -> i64 {
  stack $a: 8
entry:
  store i64 [$a], 1
  %p = lea [$a]
  ret %p
}
";
    let got = run(text, "@f()");
    assert!(got.contains("where no stack object lives in @f, block entry, line 5"), "{got}");
}

#[test]
fn traps_have_a_location() {
    let text = "func @f(%a: i32) -> i32 {\nentry:\n  jmp work\nwork:\n  %r = udiv i32 %a, %a\n  ret %r\n}\n";
    assert_eq!(run(text, "@f(0)"), "trap: div_by_zero in @f, block work, line 5");
    assert_eq!(run(text, "@f(3)"), "i32 1");
}

#[test]
fn fuel_ends_an_endless_loop() {
    let text = "func @f() {\nentry:\n  jmp loop\nloop:\n  jmp loop\n}\n";
    let options = Options { fuel: Some(1000), ..Options::default() };
    assert_eq!(run_with(text, "@f()", options), "out of fuel in @f, block loop, line 5");
}

#[test]
fn a_missing_external_symbol_is_an_error_before_anything_runs() {
    let (module, _) = module(
        "extern func @no_such_function()\nextern func @unused_and_missing()\nextern data @no_such_data
func @f() {\nentry:\n  call @no_such_function()\n  %p = lea [@no_such_data]\n  ret\n}\n",
    );
    let errors = Interp::new(module.clone(), &HostSymbols::new(&[]).unwrap(), Options::default()).unwrap_err();
    let messages: Vec<_> = errors.iter().map(|e| (e.message.as_str(), e.span.is_some())).collect();
    let want = [
        ("external function `@no_such_function` is not found", true),
        ("external data `@no_such_data` is not found", true),
    ];
    assert_eq!(messages, want);
}

#[test]
fn setjmp_is_refused_where_it_is_called() {
    let text = "
extern func @_setjmp(i64) -> i32 returns_twice
data @buffer = { zero 200 }
func @f(%call: i32) -> i32 {
entry:
  br %call, yes, no
no:
  ret 1
yes:
  %p = lea [@buffer]
  %r = call i32 @_setjmp(%p)
  ret %r
}
";
    assert_eq!(run(text, "@f(0)"), "i32 1");
    assert!(run(text, "@f(1)").contains("unsupported in the interpreter"));
}

#[test]
fn a_reset_gives_fresh_data() {
    let (module, _) = module(
        "data @d = { i32 5, zero 8 }
func @f() -> i32 {\nentry:\n  %a = load i32 [@d]\n  %b = add i32 %a, 1\n  store i32 [@d], %b\n  store i64 [@d + 4], -1
  ret %b\n}\nfunc @z() -> i64 {\nentry:\n  %a = load i64 [@d + 4]\n  ret %a\n}\n",
    );
    let mut interp = Interp::new(module.clone(), &HostSymbols::new(&[]).unwrap(), Options::default()).unwrap();
    let reader = LineReader::new(&module);
    let (f, z) = (reader.call("@f()").unwrap().func(&module), reader.call("@z()").unwrap().func(&module));
    let value = |n| Outcome::Return(Some(Value::new(Type::I32, n)));
    assert_eq!(interp.call(f, &[]), value(6));
    assert_eq!(interp.call(f, &[]), value(7));
    interp.reset();
    assert_eq!(interp.call(z, &[]), Outcome::Return(Some(Value::new(Type::I64, 0))));
    assert_eq!(interp.call(f, &[]), value(6));
    let wrong = interp.call(f, &[Value::new(Type::I32, 0)]);
    assert!(matches!(wrong, Outcome::Error(..)), "{wrong:?}");
}

#[test]
fn a_trap_ends_a_deep_run_and_the_next_call_works() {
    let text = "
func @f(%n: i32) -> i32 {
entry:
  br eq i32 %n, 0, bottom, down
bottom:
  unreachable
down:
  %m = sub i32 %n, 1
  %r = call i32 @f(%m)
  ret %r
}
func @ok() -> i32 {
entry:
  ret 7
}
";
    let (module, _) = module(text);
    let mut interp = Interp::new(module.clone(), &HostSymbols::new(&[]).unwrap(), Options::default()).unwrap();
    let reader = LineReader::new(&module);
    let deep = reader.call("@f(200000)").unwrap();
    assert!(matches!(interp.call(deep.func(&module), &deep.args), Outcome::Trap(Trap::Unreachable, _)));
    let ok = reader.call("@ok()").unwrap();
    assert_eq!(interp.call(ok.func(&module), &[]), Outcome::Return(Some(Value::new(Type::I32, 7))));
}

#[test]
fn a_callback_may_nest_calls_to_c() {
    let text = "
extern func @qsort(i64, i64, i64, i64)
data @outer = { i32 3, 1, 2 }
data @inner = { i32 9, 8 }
data @count = { i32 0 }
func @f() -> i32 {
entry:
  %p = lea [@outer]
  %n = const i64 3
  %s = const i64 4
  %c = lea [@nesting]
  call @qsort(%p, %n, %s, %c)
  %r = load i32 [@outer]
  %k = load i32 [@count]
  br sgt i32 %k, 0, good, bad
good:
  ret %r
bad:
  ret -1
}
local func @nesting(%a: i64, %b: i64) -> i32 {
entry:
  %p = lea [@inner]
  %n = const i64 2
  %s = const i64 4
  %c = lea [@plain]
  call @qsort(%p, %n, %s, %c)
  %k = load i32 [@count]
  %k = add i32 %k, 1
  store i32 [@count], %k
  %r = call i32 @plain(%a, %b)
  ret %r
}
local func @plain(%a: i64, %b: i64) -> i32 {
entry:
  %x = load i32 [%a]
  %y = load i32 [%b]
  %r = sub i32 %x, %y
  ret %r
}
";
    assert_eq!(run(text, "@f()"), "i32 1");
}

#[test]
fn the_run_lines_cover_every_opcode() {
    let mut seen = std::collections::BTreeSet::new();
    for path in files_in(&testdata("run"), &["lir"]) {
        let module = module_of(&path).unwrap();
        for f in module.funcs.values() {
            seen.extend(f.layout().blocks().flat_map(|b| f.layout().insts(b)).map(|i| f.inst(i).op as u8));
        }
    }
    let missing: Vec<_> = Opcode::ALL.iter().filter(|op| !seen.contains(&(**op as u8))).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// An index that is far outside of an object is an error like one that is a little outside.
#[test]
fn far_accesses_are_wrong_too() {
    let data = "data @x = { i8 1 }
func @f(%i: i64) -> i8 {
entry:
  %p = lea [@x]
  %v = load i8 [%p + %i]
  ret %v
}
";
    let stack = "func @g(%p: i64, %i: i64) -> i8 {
entry:
  %v = load i8 [%p + %i]
  ret %v
}
func @f(%i: i64) -> i8 {
  stack $x: 1
entry:
  store i8 [$x], 1
  %p = lea [$x]
  %v = call i8 @g(%p, %i)
  ret %v
}
";
    for (text, kind, name) in [(data, "data object", "`@x`"), (stack, "stack object", "`$x` of @f")] {
        assert_eq!(run(text, "@f(0)"), "i8 1");
        for i in [1, 15, 100, 1000, 4096, 100_000, 4_000_000, -1, -100, -1000, -4096, -100_000, -4_000_000] {
            let said = run(text, &format!("@f({i})"));
            let expected = format!("a read of 1 byte at offset {i} of the nearest live {kind} of 1 byte ({name}) in @");
            assert!(said.starts_with(&expected), "{i}: {said}");
        }
    }
    // A neighbour is not hit by a small overrun.
    let two = data.replace("data @x = { i8 1 }", "data @x = { i8 1 }\ndata @y = { i64 2 }");
    for i in 1..256 {
        assert!(run(&two, &format!("@f({i})")).contains("of the nearest live data object"), "{i}");
    }
}

const UNWRITTEN: &str = "
type :pair = { i8, i32 }
extern func @memset(i64, i32, i64) -> i64
data @d = { i64 0 }

func @part(%i: i64) -> i32 {
  stack $s: 16
entry:
  store i64 [$s], 5
  store i8 [$s + 9], 5
  %v = load i32 [$s + %i]
  ret %v
}
func @through(%p: i64) -> i32 {
entry:
  %v = load i32 [%p]
  ret %v
}
func @other(%i: i64) -> i32 {
  stack $first: 4
  stack $\"odd one\": 8
entry:
  store i32 [$first], 1
  store i32 [$\"odd one\"], 2
  %p = lea [$\"odd one\" + %i]
  %v = call i32 @through(%p)
  ret %v
}
func @dynamic() -> i32 {
entry:
  %p = alloca 8, 8
  %v = load i32 [%p]
  ret %v
}
; Padding is copied, and so are unknown bytes.
func @copies(%i: i64) -> i32 {
  stack $a: :pair
  stack $b: :pair
  stack $c: 8
entry:
  store i32 [$a + 4], 7
  memcpy [$b], [$a], 8
  memcpy [$c], [$b], 8
  %v = load i8 [$c + %i]
  %w = sext i8 %v to i32
  ret %w
}
func @swap($p: :pair) -> :pair {
entry:
  ret :pair [$p]
}
func @aggregates(%i: i64) -> i8 {
  stack $a: :pair
  stack $b: :pair
entry:
  store i32 [$a + 4], 7
  call :pair [$b], @swap(:pair [$a])
  %v = load i8 [$b + %i]
  ret %v
}
func @sets() -> i64 {
  stack $s: 8
entry:
  memset [$s], 3, 8
  %v = load i64 [$s]
  ret %v
}
func @c_writes() -> i64 {
  stack $s: 8
  stack $t: 8
entry:
  %p = lea [$s]
  store i64 [@d], %p
  %q = lea [@d]
  store i64 [$t], %q
  %t = lea [$t]
  %c = const i32 0
  %n = const i64 0
  call i64 @memset(%t, %c, %n)
  %v = load i64 [$s]
  %z = and i64 %v, 0
  ret %z
}
; An activation does not have what the one before it wrote.
func @leaves() {
  stack $s: 8
entry:
  store i64 [$s], 1
  ret
}
func @finds() -> i64 {
  stack $s: 8
entry:
  %v = load i64 [$s]
  ret %v
}
func @again() -> i64 {
entry:
  call @leaves()
  %v = call i64 @finds()
  ret %v
}
func @arguments(%a: i64, ...) -> i32 {
  stack $list: 24
entry:
  va_start [$list]
  %n = va_arg i32 [$list]
  %g = load i32 [$list]
  va_end [$list]
  ret %n
}
func @variadic() -> i32 {
entry:
  %a = const i64 1
  %b = const i32 9
  %r = call i32 @arguments(%a, ..., i32 %b)
  ret %r
}
";

#[test]
fn reads_of_uninitialised_memory_are_reported() {
    let watch = Options { uninit: true, ..Options::default() };
    let unwritten = |what: &str| format!("a read of 4 bytes of which one was never written ({what}) in ");
    for (call, said) in [
        ("@part(0)", "i32 5".to_string()),
        ("@part(4)", "i32 0".into()),
        ("@part(5)", unwritten("byte 8 of `$s`") + "@part"),
        ("@part(9)", unwritten("byte 10 of `$s`") + "@part"),
        ("@part(12)", unwritten("byte 12 of `$s`") + "@part"),
        ("@other(0)", "i32 2".into()),
        ("@other(2)", unwritten("byte 4 of `$\"odd one\"` of @other") + "@through"),
        (
            "@other(6)",
            "a read of 4 bytes at offset 6 of a stack object of 8 bytes (`$\"odd one\"` of @other) in @through".into(),
        ),
        ("@dynamic()", unwritten("a byte of an alloca") + "@dynamic"),
        ("@copies(4)", "i32 7".into()),
        ("@copies(0)", "a read of 1 byte of which one was never written (byte 0 of `$c`) in @copies".into()),
        ("@aggregates(4)", "i8 7".into()),
        ("@aggregates(3)", "a read of 1 byte of which one was never written (byte 3 of `$b`) in @aggregates".into()),
        ("@swap({1, 2})", ":pair {1, 2}".into()),
        ("@sets()", "i64 217020518514230019".into()),
        ("@c_writes()", "i64 0".into()),
        ("@again()", "a read of 8 bytes of which one was never written (byte 0 of `$s`) in @finds".into()),
        ("@variadic()", "i32 9".into()),
    ] {
        let found = run_with(UNWRITTEN, call, watch);
        assert!(found.starts_with(&said), "{call}: {found}");
        let error = "never written";
        assert!(!run(UNWRITTEN, call).contains(error), "{call}");
    }
}
