//! `--trace-jit` across frames: returns from the function in which a trace begins, aggregates by value, switches, C
//! functions.

use crate::tool::Tool;
use lir_random::extent::few_or_all;

pub const PROGRAM: &str = "\
type :pair = { i64, i64 }
extern func @malloc(i64) -> i64 libc
extern func @free(i64) libc
extern func @strlen(i64) -> i64 libc
extern func @sin(f64) -> f64 libc
extern func @abs(i32) -> i32 libc
extern func @fma(f64, f64, f64) -> f64 libc
extern func @copysignf(f32, f32) -> f32 libc
data @text = { \"abcdefg\\00\" }
func @fib(%n: i64) -> i64 {
entry:
  br slt i64 %n, 2, small, large
small:
  ret %n
large:
  %a = sub i64 %n, 1
  %x = call i64 @fib(%a)
  %b = sub i64 %n, 2
  %y = call i64 @fib(%b)
  %s = add i64 %x, %y
  ret %s
}
func @inner(%n: i64) -> i64 {
  stack $cell: 8
entry:
  store i64 [$cell], 0
  jmp loop
loop:
  %i = phi i64 [0, entry], [%next, loop]
  %v = load i64 [$cell]
  %w = add i64 %v, %i
  store i64 [$cell], %w
  %next = add i64 %i, 1
  br slt i64 %next, %n, loop, done
done:
  %r = load i64 [$cell]
  ret %r
}
func @outer(%n: i64) -> i64 {
  stack $mine: 16
entry:
  store i64 [$mine + 8], 1
  jmp loop
loop:
  %i = phi i64 [0, entry], [%next, again]
  %x = call i64 @inner(%i)
  %k = and i64 %i, 3
  br eq i64 %k, 1, twice, again
twice:
  %z = call i64 @inner(%k)
  jmp again
again:
  %y = phi i64 [%x, loop], [%z, twice]
  %m = load i64 [$mine + 8]
  %o = xor i64 %m, %y
  %p = mul i64 %o, 3
  store i64 [$mine + 8], %p
  %next = add i64 %i, 1
  br slt i64 %next, %n, loop, done
done:
  %r = load i64 [$mine + 8]
  ret %r
}
func @swapped($p: :pair) -> :pair {
  stack $q: :pair
entry:
  %a = load i64 [$p]
  %b = load i64 [$p + 8]
  %c = add i64 %a, %b
  store i64 [$q], %c
  store i64 [$q + 8], %a
  ret :pair [$q]
}
func @pairs(%n: i64) -> i64 {
  stack $x: :pair
  stack $y: :pair
entry:
  store i64 [$x], 1
  store i64 [$x + 8], 1
  jmp loop
loop:
  %i = phi i64 [0, entry], [%next, loop]
  call :pair [$y], @swapped(:pair [$x])
  call :pair [$x], @swapped(:pair [$y])
  %next = add i64 %i, 1
  br slt i64 %next, %n, loop, done
done:
  %r = load i64 [$x]
  ret %r
}
func @kinds(%n: i64) -> i64 {
entry:
  jmp loop
loop:
  %i = phi i64 [0, entry], [%next, latch]
  %s = phi i64 [0, entry], [%sum, latch]
  %k = urem i64 %i, 9
  switch i64 %k, other [0: even, 2: even, 4: even, 6: even, 3: three, 5: five]
even:
  jmp latch
three:
  jmp latch
five:
  jmp latch
other:
  jmp latch
latch:
  %v = phi i64 [2, even], [3, three], [5, five], [%k, other]
  %t = mul i64 %s, 3
  %sum = xor i64 %t, %v
  %next = add i64 %i, 1
  br slt i64 %next, %n, loop, done
done:
  ret %sum
}
func @heap(%n: i64, %twice: i64) -> i64 {
entry:
  %size = const i64 24
  jmp loop
loop:
  %i = phi i64 [0, entry], [%next, latch]
  %s = phi i64 [0, entry], [%sum, latch]
  %b = call i64 @malloc(%size)
  store i64 [%b + 16], %i
  %v = load i64 [%b + 16]
  %sum = add i64 %s, %v
  call @free(%b)
  br eq i64 %i, %twice, again, latch
again:
  call @free(%b)
  jmp latch
latch:
  %next = add i64 %i, 1
  br slt i64 %next, %n, loop, done
done:
  ret %sum
}
func @library(%n: i64, %bad: i64) -> i64 {
entry:
  %text = lea [@text]
  jmp loop
loop:
  %i = phi i64 [0, entry], [%next, loop]
  %s = phi i64 [0, entry], [%sum, loop]
  %is = icmp eq i64 %i, %bad
  %eight = const i64 8
  %k = and i64 %i, 7
  %at = add i64 %text, %k
  %from = select i64 %is, %eight, %at
  %l = call i64 @strlen(%from)
  %d = sitofp i64 %i to f64
  %e = call f64 @sin(%d)
  %f = fmul f64 %e, 1000.0
  %g = fptosi f64 %f to i32
  %h = call i32 @abs(%g)
  %m = sext i32 %h to i64
  %t = add i64 %m, %l
  %sum = add i64 %s, %t
  %next = add i64 %i, 1
  br slt i64 %next, %n, loop, done
done:
  ret %sum
}
func @several(%n: i64) -> f64 {
entry:
  jmp loop
loop:
  %i = phi i64 [0, entry], [%next, loop]
  %s = phi f64 [1.0, entry], [%sum, loop]
  %half = const f64 0.5
  %t = call f64 @fma(%s, %half, %s)
  %d = sitofp i64 %i to f32
  %m = fptrunc f64 %s to f32
  %c = call f32 @copysignf(%d, %m)
  %w = fpext f32 %c to f64
  %u = fdiv f64 %t, 3.0
  %sum = fsub f64 %u, %w
  %next = add i64 %i, 1
  br slt i64 %next, %n, loop, done
done:
  ret %sum
}
func @rises(%n: i64, %bad: i64) -> i64 {
  stack $a: 8
entry:
  store i64 [$a], 0
  %good = lea [$a]
  jmp loop
loop:
  %i = phi i64 [0, entry], [%next, loop]
  %is = icmp eq i64 %i, %bad
  %eight = const i64 8
  %p = select i64 %is, %eight, %good
  %x = load i64 [%p]
  %y = add i64 %x, %i
  store i64 [%p], %y
  %next = add i64 %i, 1
  br slt i64 %next, %n, loop, done
done:
  %r = load i64 [$a]
  ret %r
}
func @down(%n: i64) -> i64 {
entry:
  br eq i64 %n, 0, zero, more
zero:
  ret 0
more:
  %m = sub i64 %n, 1
  %x = call i64 @down(%m)
  %y = add i64 %x, %n
  ret %y
}
func @deep(%n: i64, %depth: i64) -> i64 {
entry:
  jmp loop
loop:
  %i = phi i64 [0, entry], [%next, loop]
  %s = phi i64 [0, entry], [%sum, loop]
  %x = call i64 @down(%depth)
  %sum = add i64 %s, %x
  %next = add i64 %i, 1
  br slt i64 %next, %n, loop, done
done:
  ret %sum
}
";

const CALLS: [&str; 14] = [
    "@fib(17)", "@outer(60)", "@outer(2)", "@pairs(200)", "@kinds(700)", "@heap(300, -1)", "@heap(300, 211)",
    "@library(400, -1)", "@library(400, 307)", "@several(300)", "@rises(300, -1)", "@rises(300, 222)", "@deep(90, 40)",
    "@deep(60, 70000)",
];

/// Runs all calls in traces, and compares.
fn compare(options: &[&[&str]]) {
    let tool = Tool::new(PROGRAM);
    for call in CALLS {
        let want = tool.run(&["--interp", "-O0", "--call", call]);
        assert!(matches!(want.status, 0 | 134), "{call}: {}", want.err);
        for options in options {
            let options = [&["--trace-jit", "-O0", "--call", call], *options].concat();
            let got = tool.run(&options);
            assert_eq!((got.status, &got.out, &got.err), (want.status, &want.out, &want.err), "{options:?}");
        }
    }
}

#[test]
fn frames_equal_the_interpreters() {
    let hot = ["--trace-limit", "hot-loop=1", "--trace-limit", "hot-exit=1"];
    let hot = |more: &[&'static str]| [&hot, more].concat();
    compare(&[
        &[],
        &["--trace-eager"],
        &["--trace-split"],
        &hot(&["--trace-split", "--regalloc", "one-pass"]),
        &hot(&[]),
        &hot(&["--trace-eager", "--trace-limit", "tries=0"]),
        &hot(&["--trace-limit", "returns=0"]),
        &hot(&["--trace-limit", "returns=20", "--trace-limit", "copies=20", "--trace-limit", "cross-jumps=3"]),
        &hot(&["--trace-limit", "stores=1"]),
        &hot(&["--trace-limit", "depth=0"]),
    ]);
}

#[test]
fn guards_may_fail_by_chance() {
    for seed in 0..few_or_all(1, 10) {
        let seed = format!("--trace-stress={seed}");
        let hot = ["--trace-limit", "hot-loop=1", "--trace-limit", "hot-exit=1", &seed];
        compare(&[&[&seed], &hot, &[&hot[..], &["--trace-eager"]].concat()]);
    }
}

#[test]
fn called_functions_are_part_of_the_trace() {
    let log = |call: &str| Tool::new(PROGRAM).run(&["--trace-jit", "--trace-log", "-O0", "--call", call]).err;
    for call in ["@several(300)", "@pairs(200)", "@heap(300, -1)", "@library(400, -1)", "@kinds(700)"] {
        let log = log(call);
        assert!(log.lines().next().is_some_and(|first| first.ends_with("ends by loop")), "{call}: {log}");
        assert!(!log.contains("untraceable"), "{call}: {log}");
    }
    // The loop of the callee is left by a return, after which its trace continues in the caller.
    let log = log("@outer(60)");
    assert!(log.contains("begins in @inner, block done"), "{log}");
    assert!(log.contains("ends by cross-jumps\n") && !log.contains("ends by return"), "{log}");
    let options = ["--trace-jit", "--trace-log", "-O0", "--call", "@outer(60)", "--trace-limit", "returns=0"];
    let log = Tool::new(PROGRAM).run(&options).err;
    assert!(log.contains("ends by return\n"), "{log}");
}

#[test]
fn a_switch_with_many_ways_on_has_few_traces() {
    const WAYS: usize = 400;
    let ways = |form: &dyn Fn(usize) -> String| (0..WAYS).map(form).collect::<String>();
    let cases = ways(&|k| format!("{}{k}: w{k}", if k == 0 { "" } else { ", " }));
    let values = ways(&|k| format!("[{}, w{k}], ", k * k));
    let blocks = ways(&|k| format!("w{k}:\n  jmp latch\n"));
    let text = format!(
        "func @f(%n: i64) -> i64 {{\nentry:\n  jmp loop\nloop:\n  %i = phi i64 [0, entry], [%next, latch]\n  \
         %s = phi i64 [0, entry], [%sum, latch]\n  %m = mul i64 %i, 7919\n  %k = urem i64 %m, {WAYS}\n  \
         switch i64 %k, other [{cases}]\n{blocks}other:\n  jmp latch\nlatch:\n  %v = phi i64 {values}[0, other]\n  \
         %t = mul i64 %s, 3\n  %sum = xor i64 %t, %v\n  %next = add i64 %i, 1\n  br slt i64 %next, %n, loop, done\n\
         done:\n  ret %sum\n}}\n"
    );
    let tool = Tool::new(&text);
    let want = tool.run(&["--interp", "-O0", "--call", "@f(20000)"]);
    let got = tool.run(&["--trace-jit", "--trace-log", "-O0", "--call", "@f(20000)"]);
    assert_eq!((got.status, &got.out), (want.status, &want.out));
    assert!(got.err.matches("trace ").count() < WAYS / 2, "{}", got.err);
}

#[test]
fn lifetimes_may_be_split() {
    let adds: String =
        (0..60).map(|k| format!("  %v{} = add i64 %v{k}, %i\n  %w{k} = xor i64 %v{k}, {k}\n", k + 1)).collect();
    let text = format!(
        "func @f(%n: i64, %far: i64) -> i64 {{\nentry:\n  jmp loop\nloop:\n  %i = phi i64 [0, entry], [%next, more]\n  \
         %s = phi i64 [0, entry], [%sum, more]\n  %v0 = mul i64 %s, %far\n  %early = xor i64 %v0, %i\n{adds}  \
         br eq i64 %v60, 77, done, more\nmore:\n  %t = add i64 %v60, %early\n  %sum = xor i64 %t, %far\n  \
         %next = add i64 %i, 1\n  br slt i64 %next, %n, loop, done\ndone:\n  %r = add i64 %s, %early\n  ret %r\n}}\n"
    );
    let tool = Tool::new(&text);
    let want = tool.run(&["--interp", "-O0", "--call", "@f(300, 5)"]);
    let splits = |options: &[&str]| {
        // Without slots in registers: the lifetime of such a slot is not split before its first read.
        let always = ["--trace-jit", "--trace-log=json", "-O0", "--call", "@f(300, 5)"];
        let got = tool.run(&[&always[..], &["--trace-limit", "registers=0"], options].concat());
        assert_eq!((got.status, &got.out), (want.status, &want.out));
        let (_, rest) = got.err.split_once("\"splits\": ").expect("there is a trace");
        rest.split_once(',').expect("it is a number").0.parse::<u32>().expect("it is a number")
    };
    assert_eq!(splits(&[]), 0);
    assert!(splits(&["--trace-split"]) >= 2);
}
