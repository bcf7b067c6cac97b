//! A trap in a trace lists the waiting calls, including those inlined into the trace, just as the interpreter does.

use crate::tool::Tool;
use lir_llc::options::CompileOptions;
use lir_llc::options::RelocModel;
use lir_llc::regalloc;
use lir_opt::{Level, Pipeline, RunOptions, optimize};
use lir_run::engine::{Engine, Mode};
use lir_run::interp::{Limits, TraceOptions};
use lir_run::jit::viewers::Viewers;
use lir_run::outcome::Outcome;
use lir_run::outcome::backtrace::Backtrace;
use lir_run::symbols::HostSymbols;
use lir_syntax::parser::{ParseOptions, parse};
use lir_syntax::text::source::Source;
use lir_syntax::verifier::verify_module;
use std::fmt::Write;
use std::sync::Arc;

/// `@touch` faults at the call whose number is in `@bad`, through C and an aggregate as well.
const PROGRAM: &str = "\
type :pair = { i64, i64 }
file !deep = \"deep.c\"
file !loops = \"loops.c\"
extern func @strlen(i64) -> i64 libc
extern func @qsort(i64, i64, i64, i64)
data @count = { i64 0 }
data @word = { i64 3, 4 }
data @text = { \"abc\\00\" }
data @numbers = { i32 5, 3, 1, 4, 2 }
func @pointer(%bad: i64) -> i64 {
entry:
  %c = load i64 [@count]
  %c = add i64 %c, 1
  store i64 [@count], %c
  %is = icmp eq i64 %c, %bad
  %good = lea [@word]
  %eight = const i64 8
  %p = select i64 %is, %eight, %good
  ret %p
}
func @touch(%bad: i64) -> i64 !deep:10 {
entry:
  %p = call i64 @pointer(%bad) !deep:11:5
  %v = load volatile i64 [%p] !deep:12:7
  ret %v !deep:13
}
func @middle(%bad: i64) -> i64 !deep:20 {
entry:
  %v = call i64 @touch(%bad) !deep:21:3
  %w = add i64 %v, 1 !deep:22
  ret %w !deep:23
}
func @outer(%bad: i64) -> i64 {
entry:
  %v = call i64 @middle(%bad)
  %w = call i64 @middle(%bad)
  %x = xor i64 %v, %w
  ret %x
}
func @nested(%n: i64, %bad: i64) -> i64 !loops:1 {
entry:
  %i = const i64 0
  %s = const i64 0
  jmp loop
loop:
  %x = call i64 @outer(%bad) !loops:4:9
  %s = add i64 %s, %x
  %i = add i64 %i, 1
  br slt i64 %i, %n, loop, done !loops:6
done:
  ret %s
}
func @down(%n: i64, %bad: i64) -> i64 {
entry:
  br eq i64 %n, 0, zero, more
zero:
  %v = call i64 @touch(%bad)
  ret %v
more:
  %m = sub i64 %n, 1
  %x = call i64 @down(%m, %bad)
  %y = call i64 @touch(%bad)
  %y = add i64 %y, %x
  ret %y
}
func @recursion(%n: i64, %depth: i64, %bad: i64) -> i64 {
entry:
  %i = const i64 0
  %s = const i64 0
  jmp loop
loop:
  %x = call i64 @down(%depth, %bad)
  %s = add i64 %s, %x
  %i = add i64 %i, 1
  br slt i64 %i, %n, loop, done
done:
  ret %s
}
func @turns(%n: i64, %bad: i64) -> i64 {
  stack $kept: 24
entry:
  %i = const i64 0
  store i64 [$kept], %n
  jmp loop
loop:
  %v = call i64 @touch(%bad)
  %k = load i64 [$kept]
  %k = xor i64 %k, %v
  store i64 [$kept], %k
  %i = add i64 %i, 1
  br sle i64 %i, %n, loop, done
done:
  %k = load i64 [$kept]
  ret %k
}
func @caller(%n: i64, %bad: i64) -> i64 {
  stack $mine: 40
entry:
  store i64 [$mine + 32], %n
  %x = call i64 @turns(%n, %bad)
  %y = call i64 @middle(%bad)
  %m = load i64 [$mine + 32]
  %z = sub i64 %m, %y
  %z = add i64 %z, %x
  ret %z
}
func @returns(%n: i64, %bad: i64) -> i64 {
entry:
  %i = const i64 0
  %s = const i64 0
  jmp loop
loop:
  %k = and i64 %i, 3
  %x = call i64 @caller(%k, %bad)
  %t = call i64 @touch(%bad)
  br eq i64 %k, 2, again, other
again:
  %t = call i64 @caller(%i, %bad)
  jmp other
other:
  %s = add i64 %s, %x
  %s = add i64 %s, %t
  %i = add i64 %i, 1
  br slt i64 %i, %n, loop, done
done:
  ret %s
}
func @fib(%n: i64, %bad: i64) -> i64 {
entry:
  br slt i64 %n, 2, small, large
small:
  %t = call i64 @touch(%bad)
  ret %t
large:
  %a = sub i64 %n, 1
  %x = call i64 @fib(%a, %bad)
  %b = sub i64 %n, 2
  %y = call i64 @fib(%b, %bad)
  %s = add i64 %x, %y
  ret %s
}
func @length(%bad: i64) -> i64 !deep:40 {
entry:
  %p = call i64 @pointer(%bad) !deep:41
  %eight = const i64 8
  %is = icmp eq i64 %p, %eight
  %text = lea [@text]
  %q = select i64 %is, %eight, %text
  %l = call i64 @strlen(%q) !deep:42:11
  ret %l
}
func @lengths(%n: i64, %bad: i64) -> i64 {
entry:
  %i = const i64 0
  %s = const i64 0
  jmp loop
loop:
  %x = call i64 @length(%bad)
  %s = add i64 %s, %x
  %i = add i64 %i, 1
  br slt i64 %i, %n, loop, done
done:
  ret %s
}
func @swapped($p: :pair, %bad: i64) -> :pair {
entry:
  %q = call i64 @pointer(%bad)
  ret :pair [%q]
}
func @pairs(%n: i64, %bad: i64) -> i64 {
  stack $x: :pair
entry:
  %i = const i64 0
  store i64 [$x], 1
  store i64 [$x + 8], 1
  jmp loop
loop:
  call :pair [$x], @swapped(:pair [$x], %bad)
  %p = call i64 @pointer(%bad)
  call :pair [$x], @swapped(:pair [%p], %bad)
  %i = add i64 %i, 1
  br slt i64 %i, %n, loop, done
done:
  %r = load i64 [$x]
  ret %r
}
func @divide(%a: i64, %b: i64) -> i64 {
entry:
  %q = sdiv i64 %a, %b
  ret %q
}
func @divisions(%n: i64, %bad: i64) -> i64 {
entry:
  %i = const i64 0
  %s = const i64 0
  jmp loop
loop:
  %d = sub i64 %i, %bad
  %x = call i64 @divide(%i, %d)
  %s = add i64 %s, %x
  %i = add i64 %i, 1
  br slt i64 %i, %n, loop, done
done:
  ret %s
}
func @compare(%a: i64, %b: i64) -> i32 {
entry:
  %n = const i64 70
  %bad = const i64 500
  %r = call i64 @nested(%n, %bad)
  %x = load i32 [%a]
  %y = load i32 [%b]
  %d = sub i32 %x, %y
  ret %d
}
func @sorted() {
entry:
  %a = lea [@numbers]
  %n = const i64 5
  %w = const i64 4
  %f = lea [@compare]
  call @qsort(%a, %n, %w, %f)
  ret
}
";

const CALLS: [&str; 19] = [
    "@nested(300, 1)",
    "@nested(300, 331)",
    "@nested(300, 332)",
    "@recursion(200, 0, 150)",
    "@recursion(200, 3, 401)",
    "@recursion(200, 3, 402)",
    "@recursion(90, 40, 3001)",
    "@recursion(9, 40, 321)",
    "@returns(300, 700)",
    "@returns(300, 701)",
    "@returns(300, 5000)",
    "@returns(300, 5003)",
    "@fib(17, 700)",
    "@fib(17, 1201)",
    "@lengths(300, 170)",
    "@pairs(300, 400)",
    "@pairs(300, 401)",
    "@divisions(300, 207)",
    "@sorted()",
];

#[test]
fn calls_in_traces_are_told() {
    let tool = Tool::new(PROGRAM);
    let hot = ["--trace-limit", "hot-loop=1", "--trace-limit", "hot-exit=1"];
    let hot = |more: &[&'static str]| [&hot, more].concat();
    let ways = [
        vec![],
        vec!["--trace-eager"],
        hot(&[]),
        hot(&["--trace-limit", "returns=20", "--trace-limit", "copies=20", "--trace-limit", "cross-jumps=3"]),
        hot(&["--trace-limit", "length=7", "--trace-split", "--regalloc", "one-pass"]),
        hot(&["--trace-stress=3"]),
    ];
    for call in CALLS {
        for level in ["-O0", "-O2"] {
            let want = tool.run(&["--interp", level, "--call", call]);
            // Passes may have removed the faulting instruction, since its result is not read.
            assert!(want.status == 134 || level == "-O2", "{call}: {}", want.err);
            for way in &ways {
                let options = [&["--trace-jit", level, "--call", call], &way[..]].concat();
                let got = tool.run(&options);
                assert_eq!((got.status, &got.err), (want.status, &want.err), "{options:?}");
            }
        }
    }
}

#[test]
fn inlined_calls_are_next_to_calls_of_the_trace() {
    let tool = Tool::new(PROGRAM);
    let run = |level: &str| tool.run(&["--trace-jit", level, "--call", "@nested(300, 331)"]).err;
    let outer =
        |line: u32| format!("  called from @outer, block entry, line {line}\n  called from @nested at loops.c:4:9\n");
    let touch = "trap: memory_fault in @touch at deep.c:12:7";
    let line = PROGRAM.lines().position(|l| l.contains("%v = call i64 @middle")).unwrap() as u32 + 1;
    assert_eq!(run("-O0"), format!("{touch}\n  called from @middle at deep.c:21:3\n{}", outer(line)));
    let inlined = run("-O2");
    assert!(inlined.starts_with(&format!("{touch}, inlined into @middle at deep.c:21:3")), "{inlined}");
}

// ---- Random programs ----

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// Functions with loops, which call themselves, later ones, and functions that may fault.
fn program(random: &mut Random) -> String {
    const FUNCTIONS: u64 = 5;
    let (_, rest) = PROGRAM.split_once("func @pointer").unwrap();
    let (pointer, _) = rest.split_once("func @middle").unwrap();
    let head = "file !deep = \"deep.c\"\ndata @count = { i64 0 }\ndata @word = { i64 3, 4 }\nfunc @pointer";
    let mut text = format!("{head}{pointer}");
    for k in 0..FUNCTIONS {
        let _ = write!(
            text,
            "func @f{k}(%n: i64, %d: i64, %bad: i64) -> i64 {{\n  stack $cell: 8\nentry:\n  %i = const i64 0\n  \
             %e = sub i64 %d, 1\n  %bound = and i64 %n, 3\n  store i64 [$cell], %d\n  jmp loop\nloop:\n"
        );
        for part in 0..2 + random.below(3) {
            let what = match random.below(8) {
                0 => format!("  br sgt i64 %d, 0, a{part}, b{part}\na{part}:\n  %v = call i64 @f{k}(%i, %e, %bad)\n"),
                1 | 2 => format!("  %o = and i64 %i, 1\n  br eq i64 %o, {}, a{part}, b{part}\na{part}:\n", part & 1),
                _ => format!("  jmp a{part}\na{part}:\n"),
            };
            let call = match random.below(4) {
                0 => "  %v = call i64 @touch(%bad)\n".into(),
                1 => "  %p = call i64 @pointer(%bad)\n  store i64 [%p], %i\n".into(),
                _ if k + 1 == FUNCTIONS => "  %v = call i64 @touch(%bad)\n  %v = load i64 [$cell]\n".into(),
                _ => format!("  %v = call i64 @f{}(%i, %e, %bad)\n", k + 1 + random.below(FUNCTIONS - k - 1)),
            };
            let _ = write!(text, "{what}{call}  jmp b{part}\nb{part}:\n");
        }
        text +=
            "  %i = add i64 %i, 1\n  br sle i64 %i, %bound, loop, done\ndone:\n  %r = load i64 [$cell]\n  ret %r\n}\n";
    }
    text
}

/// Runs `@f0` in a new engine until it faults. Returns how it ended, and the waiting calls. gdb is shown the code.
fn run(source: &Arc<Source>, level: Level, mode: Mode, bad: i64) -> (Outcome, Backtrace) {
    let mut module = parse(source, &ParseOptions::default()).unwrap_or_else(|e| panic!("{e:?}: {}", source.text));
    assert_eq!(verify_module(&module, 9), []);
    optimize(&mut module, &Pipeline::of_level(level), &RunOptions::default()).unwrap();
    let engine = Engine::new(module, mode, &HostSymbols::new(&[]).unwrap()).unwrap();
    engine.show_code(Viewers { gdb: true, ..Viewers::none(Arc::clone(source)) }).unwrap();
    let outcome = engine.call(engine.func("f0").unwrap(), &[3i64.into(), 2i64.into(), bad.into()]).unwrap();
    (outcome, Backtrace::of_last_run())
}

#[test]
fn random_programs_fault_with_the_same_calls() {
    let mut random = Random(1);
    let compile =
        CompileOptions { model: RelocModel::Jit, allocator: Some(regalloc::BOTTOM_UP), ..CompileOptions::default() };
    let (mut faults, mut waiting) = (0, 0);
    for _ in 0..60 {
        let source = Arc::new(Source { name: "random.lir".into(), text: program(&mut random) });
        let level = [Level::O0, Level::O1, Level::O2][random.below(3) as usize];
        for _ in 0..6 {
            let bits = random.below(12);
            let bad = 1 + random.below(1 << bits) as i64;
            let want = run(&source, level, Mode::Interpreter, bad);
            let limits = Limits {
                hot_loop: [1, 2, 10][random.below(3) as usize],
                hot_exit: 1 + random.below(3) as u32,
                length: [20_000, 20, 5][random.below(3) as usize],
                returns: random.below(4) as u32,
                depth: [16, 2, 0][random.below(3) as usize],
                copies: [2, 20][random.below(2) as usize],
                cross_jumps: random.below(3) as u32,
                ..Limits::default()
            };
            let stress = Some(random.below(1 << 20)).filter(|seed| seed % 3 == 0);
            let options = TraceOptions { limits, stress, sink: random.below(4) != 0, ..TraceOptions::default() };
            let got = run(&source, level, Mode::Tracing(options, compile), bad);
            assert_eq!(got, want, "@f0(3, 2, {bad}) with {options:?}, {level:?}: {}", source.text);
            faults += usize::from(matches!(want.0, Outcome::Trap(..)));
            waiting += want.1.calls.len();
        }
    }
    assert!(faults > 200 && waiting > faults, "{faults} faults, {waiting} calls waited");
}
