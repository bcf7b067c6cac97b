//! `--trace-jit`: the same endings as in the interpreter, and the log of the traces.

use crate::tool::Tool;
use lir_random::extent::few_or_all;
use lir_syntax::ir::Module;
use lir_syntax::verifier::ssa_violation;

pub const PROGRAM: &str = "\
data @word = { i64 3 }
func @divides(%n: i64) -> i64 {
entry:
  jmp loop
loop:
  %i = phi i64 [%n, entry], [%next, loop]
  %s = phi i64 [0, entry], [%sum, loop]
  %thousand = const i64 1000
  %q = sdiv i64 %thousand, %i
  %sum = add i64 %s, %q
  %next = sub i64 %i, 1
  br sgt i64 %next, -5, loop, done
done:
  ret %sum
}
func @faults(%n: i64, %at: i64) -> i64 {
entry:
  %word = lea [@word]
  jmp loop
loop:
  %i = phi i64 [0, entry], [%next, loop]
  %s = phi i64 [0, entry], [%sum, loop]
  %is = icmp eq i64 %i, %at
  %eight = const i64 8
  %from = select i64 %is, %eight, %word
  %v = load i64 [%from]
  %sum = add i64 %s, %v
  %next = add i64 %i, 1
  br slt i64 %next, %n, loop, done
done:
  ret %sum
}
func @third(%x: i64) -> i64 {
entry:
  br slt i64 %x, 0, low, high
low:
  unreachable
high:
  br eq i64 %x, 77, odd, even
odd:
  %y = mul i64 %x, 3
  ret %y
even:
  ret %x
}
func @second(%x: i64) -> i64 {
  stack $cell: 8
entry:
  %y = sub i64 %x, 1
  store i64 [$cell], %y
  %z = load i64 [$cell]
  %t = call i64 @third(%z)
  ret %t
}
func @calls(%from: i64, %to: i64) -> i64 {
entry:
  jmp loop
loop:
  %i = phi i64 [%from, entry], [%next, loop]
  %s = phi i64 [0, entry], [%sum, loop]
  %v = call i64 @second(%i)
  %sum = add i64 %s, %v
  %next = sub i64 %i, 1
  br ne i64 %next, %to, loop, done
done:
  ret %sum
}
func @swaps(%n: i64) -> i64 {
entry:
  jmp loop
loop:
  %a = phi i64 [1, entry], [%b, loop]
  %b = phi i64 [2, entry], [%a, loop]
  %i = phi i64 [0, entry], [%next, loop]
  %next = add i64 %i, 1
  br slt i64 %next, %n, loop, done
done:
  %t = mul i64 %a, 10
  %r = add i64 %t, %b
  ret %r
}
func @floats(%n: i64) -> f32 {
entry:
  jmp loop
loop:
  %x = phi f32 [1.5, entry], [%y, loop]
  %i = phi i8 [0, entry], [%next, loop]
  %k = phi i64 [0, entry], [%more, loop]
  %f = sitofp i8 %i to f32
  %y = fadd f32 %x, %f
  %next = add i8 %i, 3
  %more = add i64 %k, 1
  br slt i64 %more, %n, loop, done
done:
  ret %y
}
";

pub const CALLS: [&str; 12] = [
    "@divides(1000)", "@divides(-6)", "@faults(1000, -1)", "@faults(1000, 0)", "@faults(1000, 1)",
    "@faults(1000, 700)", "@calls(1000, 0)", "@calls(300, -300)", "@swaps(1000)", "@swaps(1001)", "@floats(1000)",
    "@floats(1)",
];

#[test]
fn traces_end_as_the_interpreter_does() {
    let tool = Tool::new(PROGRAM);
    for call in CALLS {
        let want = tool.run(&["--interp", "-O0", "--call", call]);
        assert!(matches!(want.status, 0 | 134), "{}", want.err);
        for limits in [
            &[][..],
            &["hot-loop=1", "hot-exit=1"],
            &["hot-loop=2", "hot-exit=2", "copies=0"],
            &["hot-loop=1", "hot-exit=1", "depth=1", "guards=1"],
            &["hot-loop=1", "hot-exit=1", "length=3", "cross-jumps=2", "copies=9"],
        ] {
            for allocator in ["bottom-up", "linear-scan", "fast", "one-pass"] {
                let limits = limits.iter().flat_map(|l| ["--trace-limit", l]);
                let options: Vec<&str> =
                    ["--trace-jit", "-O0", "--regalloc", allocator, "--call", call].into_iter().chain(limits).collect();
                let got = tool.run(&options);
                assert_eq!((got.status, &got.out, &got.err), (want.status, &want.out, &want.err), "{options:?}");
            }
        }
    }
}

#[test]
fn a_fault_in_a_load_that_was_folded_names_its_line() {
    let tool = Tool::new(PROGRAM);
    for level in ["-O0", "-O1", "-O2"] {
        let ended = tool.run(&[level, "--call", "@faults(1000, 700)"]);
        assert_eq!(ended.err, "trap: memory_fault in @faults, block loop, line 26\n", "{level}");
    }
}

/// Functions of the C library implement these in native code.
const BLOCKS: &str = "\
type :big = { i64 x 400 }
func @takes($p: :big) -> i64 {
entry:
  %x = load i64 [$p + 8]
  ret %x
}
func @fills(%n: i64) -> i64 {
  stack $b: 640
entry:
  memset [$b], 1, 640
  %i = const i64 0
  jmp loop
loop:
  %a = lea [$b]
  %is = icmp eq i64 %i, 100
  %eight = const i64 8
  %to = select i64 %is, %eight, %a
  memset [%to], 3, %n
  %i = add i64 %i, 1
  br slt i64 %i, 200, loop, done
done:
  ret %i
}
func @passes(%n: i64) -> i64 {
  stack $b: :big
entry:
  memset [$b], 1, 3200
  %i = const i64 0
  jmp loop
loop:
  %a = lea [$b]
  %is = icmp eq i64 %i, %n
  %eight = const i64 8
  %from = select i64 %is, %eight, %a
  %x = call i64 @takes(:big [%from])
  %i = add i64 %i, 1
  br slt i64 %i, 200, loop, done
done:
  ret %x
}
func @floods(%n: i64) -> i64 {
  stack $b: 640
entry:
  %i = const i64 0
  jmp loop
loop:
  %is = icmp eq i64 %i, 100
  %few = const i64 16
  %size = select i64 %is, %n, %few
  memset [$b], 3, %size
  %i = add i64 %i, 1
  br slt i64 %i, 200, loop, done
done:
  ret %i
}
";

/// The second load of the loop is folded into its reader. The functions next to a trace have instructions of the same
/// numbers.
const FOLDED: &str = "\
data @a = { i64 1, i64 @b }
data @b = { i64 1, i64 @c }
data @c = { i64 1, i64 0 }
func @chain() -> i64 {
entry:
  %p = lea [@a]
  %s = const i64 0
  jmp loop
loop:
  %x = load i64 [%p]
  %s = add i64 %s, %x
  %p = load i64 [%p + 8]
  jmp loop
}
";

#[test]
fn a_folded_load_of_a_short_trace_names_its_line() {
    for options in [&[][..], &["--regalloc=one-pass"], &["--regalloc=linear-scan"], &["--trace-eager"]] {
        let always = ["--trace-jit", "--trace-limit", "hot-loop=1", "-O0", "--call", "@chain()"];
        let ended = Tool::new(FOLDED).run(&[&always, options].concat());
        assert_eq!((ended.status, &*ended.err), (134, "trap: memory_fault in @chain, block loop, line 10\n"));
    }
}

#[test]
fn a_fault_in_work_of_the_run_time_library_is_none_in_c() {
    let tool = Tool::new(BLOCKS);
    // It writes all memory after the object, as far as there is any.
    let ended = tool.run(&["--trace-jit", "-O0", "--call", "@floods(1099511627776)"]);
    assert_eq!(ended.err, "trap: memory_fault in @floods, block loop, line 50\n");
    for (call, at) in [("@fills(16)", "@fills, block loop, line 18"), ("@passes(100)", "@passes, block loop, line 35")]
    {
        for mode in ["--interp", "--trace-jit", "-O0", "-O2"] {
            let ended = tool.run(&[mode, "--call", call]);
            assert_eq!(ended.err, format!("trap: memory_fault in {at}\n"), "{mode}");
        }
    }
}

#[test]
fn the_log_says_where_traces_begin_and_why_they_end() {
    let log = |call: &str, limits: &[&str]| {
        let limits = limits.iter().flat_map(|l| ["--trace-limit", l]);
        let options: Vec<&str> =
            ["--trace-jit", "--trace-log", "-O0", "--call", call].into_iter().chain(limits).collect();
        Tool::new(PROGRAM).run(&options).err
    };
    let whole = log("@calls(1000, 0)", &[]);
    assert!(
        whole.starts_with(
            "trace 0: begins in @calls, block loop, line 61, continues in @second, @third; ends by loop\n"
        ),
        "{whole}"
    );
    // One guard in the callee was taken once, and so was the end of the loop.
    assert!(whole.contains("to @third, block odd, line 41, taken 1 times\n"), "{whole}");
    assert!(whole.contains("to @calls, block done, line 66, taken 1 times\n"), "{whole}");
    for (limits, end) in [("length=3", "length"), ("depth=1", "depth"), ("guards=1", "guards"), ("stores=1", "stores")]
    {
        let log = log("@calls(1000, 0)", &[limits, "tries=0"]);
        let first = log.lines().next().expect("there is a trace");
        assert!(first.starts_with("trace 0: begins in @calls, block loop, line 61, continues in @second"), "{log}");
        assert!(first.ends_with(&format!("; ends by {end}")), "{log}");
    }
    let nested = |limits: &[&str]| {
        let limits = limits.iter().flat_map(|l| ["--trace-limit", l]);
        let options = ["--trace-jit", "--trace-log", "-O0", "--call", "@f(2000)"];
        Tool::new(NESTED).run(&options.into_iter().chain(limits).collect::<Vec<_>>()).err
    };
    assert!(nested(&["copies=0"]).contains("; ends by copies\n"), "{}", nested(&["copies=0"]));
    let few = log("@calls(1000, 0)", &["traces=1", "hot-exit=1"]);
    assert!(few.contains("trace 0") && !few.contains("trace 1"), "{few}");
    for (limits, end) in [
        ("traces=0", "traces, after 0"),
        ("reach=1", "reach, after 15"),
        ("exits=1", "exits, after 15"),
        ("code=0", "code, after 0"),
    ] {
        let dropped = format!("dropped: began in @calls, block loop, line 61; ended by {end} operations\n");
        assert!(log("@calls(1000, 0)", &[limits]).contains(&dropped), "{}", log("@calls(1000, 0)", &[limits]));
    }
    // A recording of the last iteration leaves the loop and is dropped; the program may also stop while it is recorded.
    let dropped = log("@swaps(2)", &["hot-loop=1", "tries=1"]);
    assert!(dropped.contains("line 75; ended by tries, after "), "{dropped}");
    let stopped = log("@faults(1000, 1)", &["hot-loop=1"]);
    assert!(stopped.contains("line 23; ended by stopped, after 3 operations\n"), "{stopped}");
}

/// A point where paths meet is in its loop, which recordings of its last iteration leave.
const JOINS: &str = "\
func @f(%n: i64) -> i64 {
entry:
  jmp loop
loop:
  %i = phi i64 [0, entry], [%next, latch]
  %k = and i64 %i, 1023
  br eq i64 %k, 1000, a, b
a:
  jmp latch
b:
  jmp latch
latch:
  %next = add i64 %i, 1
  br slt i64 %next, %n, loop, done
done:
  ret %i
}
";

#[test]
fn recordings_that_are_dropped_are_no_copies() {
    let calls = ["--call", "@f(51)", "--call", "@f(8)", "--call", "@f(20000)"];
    let ended = Tool::new(JOINS).run(&[&["--trace-jit", "--trace-log", "-O0"][..], &calls].concat());
    assert!(ended.err.contains("dropped: began in @f, block loop, "), "{}", ended.err);
    assert!(ended.err.starts_with("trace 0: begins in @f, block loop, line 6; ends by loop\n"), "{}", ended.err);
    let linked = "exit 0: to @f, block a, line 9, taken 10 times, then linked to trace 1, passing ";
    assert!(ended.err.contains(linked), "{}", ended.err);
}

/// The results of the loads are not read; the result in `@known` is also known.
const UNREAD: &str = "\
data @word = { i64 3 }
func @f(%n: i64, %at: i64) -> i64 {
entry:
  %word = lea [@word]
  %i = const i64 0
  jmp loop
loop:
  %is = icmp eq i64 %i, %at
  %eight = const i64 8
  %from = select i64 %is, %eight, %word
  %unread = load i64 [%from]
  %half = lshr i64 %unread, 1
  %i = add i64 %i, 1
  br slt i64 %i, %n, loop, done
done:
  ret %i
}
func @known(%n: i64) -> i64 {
entry:
  %word = lea [@word]
  %i = const i64 0
  jmp loop
loop:
  store i64 [%word], 5
  %unread = load i64 [%word]
  %i = add i64 %i, 1
  br slt i64 %i, %n, loop, done
done:
  ret %i
}
";

#[test]
fn a_load_that_nothing_reads_faults_in_a_trace() {
    let tool = Tool::new(UNREAD);
    assert_eq!(tool.run(&["--trace-jit", "-O0", "--call", "@known(1000)"]).out, "i64 1000\n");
    let run = |option| tool.run(&[option, "-O0", "--call", "@f(1000, 700)"]);
    let (want, got) = (run("--interp"), run("--trace-jit"));
    assert_eq!(want.err, "trap: memory_fault in @f, block loop, line 11\n");
    assert_eq!((got.status, got.err), (want.status, want.err));
}

#[test]
fn slots_are_stored_often_and_registers_are_assigned_once() {
    let options = ["--trace-jit", "--trace-eager", "--print-traces", "-O0", "--call", "@swaps(1000)"];
    let text = Tool::new(PROGRAM).run(&options).err;
    let (_, text) = text.split_once("; trace 0: folded and merged\n").unwrap();
    let (text, next) = text.split_once("; trace 0: without redundant stores\n").unwrap();
    let module: Module = text.parse().unwrap();
    let trace = module.funcs.values().next().unwrap();
    // Except for values that are carried around the loop.
    let carried = text.lines().filter(|l| l.contains(" = copy ")).count();
    assert!(carried > 0 && ssa_violation(trace).is_none());
    let stores = |text: &str| text.lines().filter(|l| l.contains("store i64 [%slots")).count();
    let (next, _) = next.split_once("; trace 0: without dead code\n").unwrap();
    assert!(stores(next) < stores(text), "{text}");
}

/// Sums that overflow now and then, and are tested.
const OVERFLOWS: &str = "\
func @sums(%n: i64, %from: i32) -> i64 {
entry:
  jmp loop
loop:
  %i = phi i64 [0, entry], [%next, latch]
  %s = phi i32 [%from, entry], [%sum, latch]
  %k = phi i64 [0, entry], [%count, latch]
  %more = add i32 %s, 100000
  %is = sadd_o i32 %s, 100000
  br %is, over, fits
over:
  %other = xor i32 %more, -1
  %one = add i64 %k, 1
  jmp latch
fits:
  jmp latch
latch:
  %sum = phi i32 [%other, over], [%more, fits]
  %count = phi i64 [%one, over], [%k, fits]
  %next = add i64 %i, 1
  br slt i64 %next, %n, loop, done
done:
  %wide = sext i32 %sum to i64
  %high = shl i64 %count, 32
  %r = xor i64 %wide, %high
  ret %r
}
";

#[test]
fn a_trace_leaves_where_a_sum_overflows() {
    let tool = Tool::new(OVERFLOWS);
    let run = |options: &[&str]| tool.run(&[options, &["-O0", "--call", "@sums(90000, 5)"]].concat());
    let want = run(&["--interp"]);
    let traced = run(&["--trace-jit", "--trace-log"]);
    assert_eq!((traced.status, &traced.out), (want.status, &want.out));
    assert!(traced.err.contains("to @sums, block over, line 12, taken "), "{}", traced.err);
}

#[test]
fn the_log_may_be_json() {
    let ended = Tool::new(PROGRAM).run(&["--trace-jit", "--trace-log=json", "-O0", "--call", "@swaps(1000)"]);
    let (first, rest) = ended.err.split_once('\n').unwrap();
    assert!(first.starts_with(
        r#"{"trace": 0, "start": "@swaps, block loop, line 75", "from_exit": null, "through": [], "end": "loop", "operations": "#
    ));
    assert!(
        first.contains(r#""exits": [{"number": 0, "to": "@swaps, block done, line 78", "taken": 1, "linked": null, "passes": "%a, %b", "is_adapted": false}, "#),
        "{first}"
    );
    assert!(first.ends_with("}]}") && rest.is_empty(), "{rest}");
}

#[test]
fn traces_are_printed_after_each_filter() {
    let run = |options: &[&str]| {
        let always = ["--trace-jit", "--print-traces", "-O0", "--call", "@divides(1000)"];
        Tool::new(PROGRAM).run(&[&always, options].concat()).err
    };
    let stages = |text: &str| {
        let heads = text.lines().filter_map(|l| l.strip_prefix("; trace 0: "));
        heads.map(String::from).collect::<Vec<_>>()
    };
    let (sunk, eager) = (run(&[]), run(&["--trace-eager"]));
    assert_eq!(stages(&sunk), ["as recorded", "folded and merged", "without dead code", "code"]);
    assert_eq!(
        stages(&eager),
        ["as recorded", "folded and merged", "without redundant stores", "without dead code", "code"]
    );
    // The guard of the divisor is there, and the code lists the contents of registers.
    assert!(sunk.contains("br ne i64") && sunk.contains("=%state"), "{sunk}");
}

/// General dead code elimination does not remove stores: stores that the walk over them kept are there after it, and so
/// is a store of the program's that nothing reads, while a computation whose value is not read is removed.
#[test]
fn dead_code_elimination_leaves_stores() {
    let text = "
func @f(%n: i64) -> i64 {
  stack $never: 8
entry:
  %i = const i64 0
  jmp loop
loop:
  %unread = mul i64 %i, 17
  store i64 [$never], %i
  %i = add i64 %i, 1
  br slt i64 %i, %n, loop, done
done:
  ret %i
}
";
    let options = ["--trace-jit", "--print-traces", "--trace-eager", "-O0", "--call", "@f(1000)"];
    let printed = Tool::new(text).run(&options).err;
    let count = |stage: &str, what: &str| {
        let from = printed.find(&format!("; trace 0: {stage}\n")).unwrap_or_else(|| panic!("{stage}: {printed}"));
        let text = &printed[from + 2..];
        text[..text.find("; trace 0:").unwrap()].lines().filter(|l| l.contains(what)).count()
    };
    for what in ["store i64 [%slots", "store i64 [%t", "store i64 ["] {
        assert_eq!(count("without dead code", what), count("without redundant stores", what), "{what}: {printed}");
    }
    assert!(count("without dead code", "store i64 [") > 2, "{printed}");
    assert_eq!([count("without redundant stores", " = mul i64 "), count("without dead code", " = mul i64 ")], [1, 0]);
}

#[test]
fn a_limit_that_there_is_not_is_an_error() {
    let ended = Tool::new(PROGRAM).run(&["--trace-jit", "--trace-limit", "warmth=1", "--call", "@swaps(1)"]);
    assert_eq!(ended.status, 126);
    assert!(ended.err.contains("there is no limit `warmth`; the limits are hot-loop, hot-exit,"), "{}", ended.err);
}

/// The third iteration of the loop calls: with the second exit linked, from trace to trace.
const NESTED: &str = "\
func @leaf(%x: i64) -> i64 {
entry:
  ret %x
}
func @f(%n: i64) -> i64 {
entry:
  %i = const i64 0
  jmp loop
loop:
  %i = add i64 %i, 1
  br eq i64 %i, 3, odd, latch
odd:
  %q = call i64 @leaf(%i)
  jmp latch
latch:
  br slt i64 %i, 6, loop, done
done:
  %m = sub i64 %n, 1
  br sgt i64 %m, 0, more, end
more:
  %r = call i64 @f(%m)
  %r = add i64 %r, 1
  ret %r
end:
  ret 1
}
";

#[test]
fn linked_traces_keep_the_limit_of_nested_calls() {
    let run = |options: &[&str]| {
        let calls = ["--call", "@f(1048575)", "--call", "@f(1048576)", "-O0"];
        Tool::new(NESTED).run(&[options, &calls].concat())
    };
    let want = run(&["--interp"]);
    assert!(
        want.err.starts_with("trap: stack_overflow in @f, block odd, line 13\n  called from @f, block more, line 21\n")
    );
    let got = run(&["--trace-jit", "--trace-limit", "hot-loop=1", "--trace-limit", "hot-exit=1"]);
    assert_eq!((got.status, got.out, got.err), (want.status, want.out, want.err));
    let logged = run(&["--trace-jit", "--trace-log", "--trace-limit", "hot-loop=1", "--trace-limit", "hot-exit=1"]);
    assert!(logged.err.contains("linked to trace"), "{}", logged.err);
}

#[test]
fn a_function_of_many_pieces_is_traced() {
    let mut text = "func @f(%n: i64) -> i64 {\nentry:\n  jmp loop\nloop:\n".to_string();
    text += "  %i = phi i64 [0, entry], [%next, done]\n  jmp b0\nb0:\n  %v0 = phi i64 [%i, loop]\n  jmp b1\n";
    let count = few_or_all(1500, 4000);
    for k in 1..count {
        let before = k - 1;
        let other = if k == 1 { "[7, b0]".into() } else { format!("[%v{before}, b{before}], [7, x{before}]") };
        let next = k + 1;
        text +=
            &format!("b{k}:\n  %v{k} = phi i64 {other}\n  br slt i64 %v{k}, -5, x{k}, b{next}\nx{k}:\n  jmp b{next}\n");
    }
    let last = count - 1;
    text += &format!("b{count}:\n  %last = phi i64 [%v{last}, b{last}], [7, x{last}]\n  jmp done\n");
    text += "done:\n  %next = add i64 %i, 1\n  br slt i64 %next, %n, loop, out\nout:\n  ret %last\n}\n";
    let got = Tool::new(&text).run(&["--trace-jit", "--trace-log", "-O0", "--timeout", "60", "--call", "@f(100)"]);
    assert_eq!((got.status, got.out.as_str()), (0, "i64 7\n"), "{}", got.err);
    assert!(got.err.contains("\ntrace 1: begins in @f, block b"), "{}", got.err);
}
