//! Linked traces pass values in registers: nothing is stored and loaded between them, and all slots have their values
//! when they are left.

use crate::tool::Tool;
use lir_testing::process::Ran;

/// Two loops. The sum is carried around both, `%i` around the outer one.
const NESTED: &str = "\
func @nested(%n: i64, %m: i64) -> i64 {
entry:
  jmp outer
outer:
  %i = phi i64 [0, entry], [%l, latch]
  %s = phi i64 [0, entry], [%u, latch]
  jmp inner
inner:
  %j = phi i64 [0, outer], [%k, inner]
  %t = phi i64 [%s, outer], [%v, inner]
  %w = xor i64 %t, %j
  %v = add i64 %w, 3
  %k = add i64 %j, 1
  br slt i64 %k, %m, inner, latch
latch:
  %u = mul i64 %v, 5
  %l = add i64 %i, 1
  br slt i64 %l, %n, outer, done
done:
  ret %u
}
";

fn traced(tool: &Tool, call: &str, options: &[&str]) -> Ran {
    tool.run(&[&["--trace-jit", "--trace-log", "--print-traces", "-O0", "--call", call], options].concat())
}

/// The lines of the code of a trace, without comments.
fn code(printed: &str, trace: &str) -> Vec<String> {
    let code = printed.lines().skip_while(|l| !l.starts_with(&format!("@{trace} "))).skip(1);
    let code = code.take_while(|l| !l.is_empty()).filter(|l| !l.trim_start().starts_with(';'));
    code.map(|l| l.split(" ; ").next().unwrap().to_string()).collect()
}

#[test]
fn nothing_is_stored_or_loaded_between_an_inner_loop_and_the_outer_one() {
    let tool = Tool::new(NESTED);
    let passing = traced(&tool, "@nested(1000, 3)", &[]);
    let log = &passing.err[passing.err.find("\ntrace 0: begins").unwrap()..];
    assert!(log.contains("trace 0: begins in @nested, block inner, line 11; ends by loop\n"), "{log}");
    assert!(log.contains("trace 1: begins in @nested, block latch, line 16, after exit 0; ends by link\n"), "{log}");
    assert!(log.contains("then linked to trace 1, passing %n, %v\n"), "{log}");
    assert!(log.contains("to @nested, block inner, line 11, linked to trace 0, passing %j, %t, %n\n"), "{log}");
    // The state is in rdi, the slots are in rsi. Only the variable of the outer loop is not passed.
    let accesses = |text: &str, trace: &str| {
        let all = code(text, trace);
        assert!(all.len() > 5, "{text}");
        let is_access = |l: &&String| l.contains("[rsi") || l.contains("[rdi");
        all.iter().filter(is_access).cloned().collect::<Vec<_>>()
    };
    let stored = traced(&tool, "@nested(1000, 3)", &["--trace-limit", "registers=0"]);
    assert_eq!(stored.out, passing.out);
    let [few, many] = [&passing, &stored].map(|ended| accesses(&ended.err, "trace1"));
    assert!(few.len() + 5 <= many.len(), "{few:#?} {many:#?}");
}

/// Loops that begin where others have exits, with values of each type, and more of them than there are registers; a
/// call in the way, whose exits are in another frame.
const MIXED: &str = "\
func @next(%x: i64) -> i64 {
entry:
  %r = and i64 %x, 7
  br eq i64 %r, 3, odd, even
odd:
  %y = mul i64 %x, 3
  ret %y
even:
  %z = add i64 %x, 1
  ret %z
}
func @mixed(%n: i64, %m: i64) -> i64 {
entry:
  %b = const i8 7
  %h = const i16 300
  %w = const i32 1
  %f = const f32 0.5
  %d = const f64 1.5
  %s = const i64 0
  %i = const i64 0
  jmp outer
outer:
  %j = const i64 0
  %g = and i64 %i, 3
  br eq i64 %g, 2, second, first
first:
  %b = add i8 %b, 37
  %h = sub i16 %h, 21
  %w = mul i32 %w, 5
  %f = fadd f32 %f, 0.25
  %t = and i64 %j, 5
  br eq i64 %t, 4, rare, usual
rare:
  %d = fmul f64 %d, 1.0625
  %v = call i64 @next(%s)
  %s = add i64 %v, %i
  jmp usual
usual:
  %x = zext i8 %b to i64
  %y = sext i16 %h to i64
  %z = zext i32 %w to i64
  %s = add i64 %s, %x
  %s = xor i64 %s, %y
  %s = add i64 %s, %z
  %j = add i64 %j, 1
  br slt i64 %j, %m, first, second
second:
  %d = fsub f64 %d, 0.125
  %s = add i64 %s, 11
  %j = sub i64 %j, 2
  br sgt i64 %j, 0, second, latch
latch:
  %i = add i64 %i, 1
  br slt i64 %i, %n, outer, done
done:
  %e = fptosi f32 %f to i64
  %s = add i64 %s, %e
  %k = bitcast f64 %d to i64
  %s = xor i64 %s, %k
  ret %s
}
";

#[test]
fn passed_values_equal_the_interpreters() {
    let tool = Tool::new(MIXED);
    let (mut adapters, mut links) = (0, 0);
    for call in ["@mixed(400, 9)", "@mixed(300, 1)", "@mixed(77, 40)"] {
        let want = tool.run(&["--interp", "-O0", "--call", call]);
        for registers in ["registers=0", "registers=1", "registers=2", "registers=11"] {
            for limits in [&[][..], &["hot-loop=1", "hot-exit=1"], &["hot-loop=3", "hot-exit=2", "copies=0"]] {
                for more in [&[][..], &["--trace-stress=5"], &["--trace-stress=6", "--regalloc=linear-scan"]] {
                    let limits = limits.iter().copied().chain([registers]).flat_map(|l| ["--trace-limit", l]);
                    let always = ["--trace-jit", "--trace-log=json", "-O0", "--call", call];
                    let options: Vec<&str> = always.into_iter().chain(limits).chain(more.iter().copied()).collect();
                    let got = tool.run(&options);
                    assert_eq!((got.status, &got.out), (want.status, &want.out), "{options:?}");
                    let passed = got.err.matches("\"passes\": \"").count();
                    assert_eq!(passed == 0, registers == "registers=0", "{options:?} {}", got.err);
                    let linked = |e: &&str| !e.contains("\"linked\": null") && e.contains("\"passes\": \"");
                    links += got.err.split("{\"number\"").skip(1).filter(linked).count();
                    adapters += got.err.matches("\"is_adapted\": true").count();
                }
            }
        }
    }
    assert!(links > 100 && adapters > 10, "{links} links, {adapters} through adapters");
}

/// An exit passes the values that it would store even if lifetimes are split. The trace that begins at `b18` reads
/// `%slots` at its beginning and then not until its exit, far enough away for a split.
#[test]
fn an_exit_passes_its_stores_where_lifetimes_are_split() {
    const TEXT: &str = "\
data @d1 = { i64 0 }
func @g0(%a0: i32, %q1: i64, %a2: i64, %a3: i32, %a4: f32, %q5: i64, %q6: i64, %a7: i8) -> i64 {
  stack $s0: 64
entry:
  store i32 [$s0 + 2], 0
  store i8 [$s0 + 6], 0
  store i16 [$s0 + 7], 31
  store i32 [$s0 + 9], 32
  store i32 [$s0 + 13], 1
  store i32 [$s0 + 17], 0
  store i64 [$s0 + 21], 0
  %t2 = const i8 -1
  store i8 [$s0 + 33], %t2
  %i8 = and i64 %a2, 1
  store i8 [%q1 + %i8*4], -128
  ret 0
}
func @f(%a: i64) -> i64 {
entry:
  %m1 = const i8 64
  %fuel = const i32 60
  jmp n2
n2:
  br sgt i32 %fuel, 0, b7, nout
b7:
  %k28 = const i32 -2147483648
  jmp b15
b15:
  br slt i32 %k28, -2147483646, b16, b18
b16:
  store i32 [@d1 + 2], 0
  %m1 = const i8 0
  %k28 = const i32 0
  jmp b15
b18:
  %p33 = lea [@d1]
  %t34 = const i32 2
  %t35 = const f32 inf
  %p36 = const i64 1
  %p37 = const i64 1
  %a = call i64 @g0(%k28, %p33, %a, %t34, %t35, %p36, %p37, %m1)
  %fuel = sub i32 %fuel, 1
  jmp n2
nout:
  %t57 = load i64 [@d1]
  ret %t57
}
";
    let tool = Tool::new(TEXT);
    let calls = ["-O0", "--call", "@f(0)", "--call", "@f(-1)"];
    let want = tool.run(&[&["--interp"], &calls[..]].concat());
    assert_eq!(want.out, "i64 128\ni64 128\n");
    let split = ["--trace-jit", "--trace-split", "--trace-limit=hot-loop=1"];
    assert_eq!(tool.run(&[&split[..], &calls].concat()).out, want.out);
}
