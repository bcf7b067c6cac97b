//! Messages of traps list the waiting calls: of LIR, through C, and inlined ones, natively as in the interpreter.

use crate::tool::Tool;

/// C between two functions, one of which is found by rbp; a recursion that ends in C; a jump to nowhere.
const PROGRAM: &str = "\
file !crash = \"crash.c\"
file !main = \"main.c\"
extern func @qsort(i64, i64, i64, i64)
extern func @strlen(i64) -> i64
data @numbers = { i32 2, 1 }
local func @quotient(%p: i64, %q: i64) -> i32 !crash:10 {
entry:
  %x = load i32 [%p] !crash:11:5
  %y = load i32 [%q] !crash:12:5
  %both = add i32 %x, %y
  %z = sub i32 %both, 3
  %k = sdiv i32 %x, %z !crash:14:9
  ret %k
}
func @compare(%p: i64, %q: i64) -> i32 !main:5 {
entry:
  %d = call i32 @quotient(%p, %q) !main:6:9
  %e = mul i32 %d, 3 !main:7
  ret %e
}
func @sort(%f: i64, %n: i64) -> i32 {
  stack $kept: 64
entry:
  %a = lea [@numbers]
  %w = const i64 4
  %bytes = mul i64 %n, 8
  %room = alloca %bytes, 16
  store i64 [%room], %n
  store i64 [$kept], %f
  call @qsort(%a, %n, %w, %f) !main:22:3
  %v = load i64 [$kept]
  %g = load i64 [%room]
  %s = add i64 %v, %g
  %r = trunc i64 %s to i32
  ret %r
}
func @main() -> i32 !main:20:1 {
entry:
  %f = lea [@compare]
  %n = const i64 2
  %r = call i32 @sort(%f, %n) !main:40
  %s = add i32 %r, 1
  ret %s
}
func @deep(%n: i64) -> i64 {
entry:
  br %n, more, end
more:
  %m = sub i64 %n, 1
  %r = call i64 @deep(%m)
  %s = mul i64 %r, %n
  ret %s
end:
  %l = call i64 @strlen(%n)
  %q = add i64 %l, 5
  ret %q
}
func @wild(%n: i64) -> i64 {
entry:
  %x = call i64 %n()
  %y = add i64 %x, 1
  ret %y
}
func @to_nowhere() -> i64 {
entry:
  %z = const i64 12345
  %x = call i64 @wild(%z)
  %y = add i64 %x, 1
  ret %y
}
";

fn message(options: &[&str]) -> String {
    let ended = Tool::new(PROGRAM).run(options);
    assert_eq!(ended.status, 134, "{options:?}: {}", ended.err);
    ended.err
}

const WAYS: [&[&str]; 5] = [
    &["-O0"],
    &["-O0", "--frame-pointer"],
    &["-O0", "--codegen=fast"],
    &["-O0", "--regalloc-stress=spill"],
    &["-O0", "--interp"],
];

#[test]
fn calls_through_c_are_told() {
    for way in WAYS {
        assert_eq!(
            message(way),
            "\
trap: div_by_zero in @quotient at crash.c:14:9
  called from @compare at main.c:6:9
  called from C code called from @sort at main.c:22:3
  called from @main at main.c:40
",
            "{way:?}"
        );
    }
}

#[test]
fn inlined_calls_are_told_with_the_function_that_they_are_in() {
    assert_eq!(
        message(&["-O2"]),
        "\
trap: div_by_zero in @quotient at crash.c:14:9, inlined into @compare at main.c:6:9
  called from C code called from @sort at main.c:22:3, inlined into @main at main.c:40
"
    );
}

#[test]
fn calls_of_c_that_traps_and_of_nothing_are_told() {
    for way in WAYS {
        let here = |block: &str, line: u32| format!("@deep, block {block}, line {line}\n");
        let waiting = format!("  called from {}", here("more", 50)).repeat(3);
        let said = message(&[way, &["--call", "@deep(3)"]].concat());
        assert_eq!(said, format!("trap: memory_fault in C code called from {}{waiting}", here("end", 54)), "{way:?}");
        let said = message(&[way, &["--call", "@to_nowhere()"]].concat());
        let meant = "\
trap: memory_fault in @wild, block entry, line 60
  called from @to_nowhere, block entry, line 67
";
        assert_eq!(said, meant, "{way:?}");
    }
}

#[test]
fn of_many_calls_the_last_ones_are_told() {
    for way in WAYS {
        let said = message(&[way, &["--call", "@deep(1000)"]].concat());
        let lines: Vec<&str> = said.lines().collect();
        assert_eq!((lines.len(), lines[25]), (26, "  and more calls"), "{way:?}: {said}");
        assert!(lines[1..25].iter().all(|l| *l == "  called from @deep, block more, line 50"), "{way:?}: {said}");
    }
}

/// A call before a return is a jump in native code if it is marked: by the levels that optimise, or in the text.
#[test]
fn calls_before_returns_are_told_where_they_are_calls() {
    let text = "\
func @ratio(%a: i64, %b: i64) -> i64 noinline {
entry:
  %q = sdiv i64 %a, %b
  ret %q
}
func @passed(%a: i64, %b: i64) -> i64 noinline {
entry:
  %r = call i64 @ratio(%a, %b)
  ret %r
}
func @first(%a: i64) -> i64 {
entry:
  %zero = const i64 0
  %r = call i64 @passed(%a, %zero)
  ret %r
}
";
    let tool = Tool::new(text);
    let said = |options: &[&str]| tool.run(&[options, &["--call", "@first(1)"]].concat()).err;
    let all = said(&["--interp"]);
    assert_eq!(all.lines().count(), 3, "{all}");
    for codegen in ["--codegen=good", "--codegen=fast"] {
        assert_eq!(said(&["-O0", codegen]), all, "{codegen}");
        for level in ["-O1", "-O2"] {
            assert_eq!(said(&[level, codegen, "--no-tail-calls"]), all, "{level} {codegen}");
            assert_eq!(said(&[level, codegen]).lines().count(), 1, "{level} {codegen}");
        }
    }
    // One of the two is marked: the other one is in the backtrace.
    let marked = Tool::new(&text.replacen("call i64 @ratio", "call tail i64 @ratio", 1));
    let said = |options: &[&str]| marked.run(&[options, &["--call", "@first(1)"]].concat()).err;
    assert_eq!(said(&["--interp"]), all, "the interpreter passes over the mark");
    for codegen in ["--codegen=good", "--codegen=fast"] {
        let lines = said(&["-O0", codegen]);
        let callers: Vec<&str> = lines.lines().skip(1).collect();
        assert_eq!(callers.len(), 1, "{lines}");
        assert!(callers[0].starts_with("  called from @first,"), "{lines}");
        assert_eq!(said(&["-O0", codegen, "--no-tail-calls"]), all, "{codegen}");
    }
}

/// A frame that is made after the entry, and removed in the middle of the code: the trap is in a part without it.
#[test]
fn callers_are_found_where_the_frame_is_made_late() {
    let text = "\
func @f(%k: i64) -> i64 {
entry:
  br eq i64 %k, 0, end, more
more:
  %j = sub i64 %k, 1
  %r = call i64 @f(%j)
  %s = add i64 %r, 1
  ret %s
end:
  unreachable
}
";
    let tool = Tool::new(text);
    let said = |options: &[&str]| tool.run(&[options, &["--call", "@f(2)"]].concat()).err;
    let all = said(&["--interp"]);
    assert_eq!(all.lines().count(), 3, "{all}");
    for options in [&["-O0"][..], &["-O1"], &["-O0", "--regalloc=bottom-up"], &["-O0", "--codegen=fast"]] {
        assert_eq!(said(options), all, "{options:?}");
    }
}
