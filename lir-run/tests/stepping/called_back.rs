//! Functions that C calls back, and functions that it calls when the program has ended, are traced and stopped in like
//! all others.

use super::{run, stops, trace, twice};
use crate::tool::Tool;
use lir_syntax::ir::Opcode;
use lir_testing::process::Ran;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Searching and sorting: functions that C calls back, one of which calls C, too, and one that traps for equal numbers.
const CALLBACKS: &str = "\
extern func @qsort(i64, i64, i64, i64)
extern func @bsearch(i64, i64, i64, i64, i64) -> i64
data @rows align 4 = { i32 2, 1, 4, 3 }
data @calls = { i64 0 }
func @compare(%p: i64, %q: i64) -> i32 {
entry:
  %x = load i32 [%p]
  %y = load i32 [%q]
  %d = sub i32 %x, %y
  ret %d
}
func @sort(%a: i64, %n: i64, %w: i64, %f: i64) {
entry:
  call @qsort(%a, %n, %w, %f)
  ret
}
func @compare_rows(%p: i64, %q: i64) -> i32 {
entry:
  %n = const i64 2
  %w = const i64 4
  %f = lea [@compare]
  call @sort(%p, %n, %w, %f)
  %d = call i32 @compare(%p, %q)
  ret %d
}
func @sort_rows() -> i32 {
entry:
  %a = lea [@rows]
  %n = const i64 2
  %w = const i64 8
  %f = lea [@compare_rows]
  call @qsort(%a, %n, %w, %f)
  %x = load i32 [@rows]
  ret %x
}
func @find(%x: i32) -> i32 {
  stack $key: 4
entry:
  store i32 [$key], %x
  %k = lea [$key]
  %a = lea [@rows]
  %n = const i64 3
  %w = const i64 4
  %f = lea [@compare]
  %p = call i64 @bsearch(%k, %a, %n, %w, %f)
  br %p, found, none
found:
  %y = load i32 [%p]
  ret %y
none:
  ret -1
}
func @inverse(%p: i64, %q: i64) -> i32 {
entry:
  %x = load i32 [%p]
  %y = load i32 [%q]
  %d = sub i32 %x, %y
  %one = const i32 1
  %i = sdiv i32 %one, %d
  ret %i
}
func @find_inverse(%x: i32) -> i64 {
  stack $key: 4
entry:
  store i32 [$key], %x
  %k = lea [$key]
  %a = lea [@rows]
  %n = const i64 3
  %w = const i64 4
  %f = lea [@inverse]
  %p = call i64 @bsearch(%k, %a, %n, %w, %f)
  ret %p
}
";

/// A text in which addresses are `ADDRESS`: they differ from run to run.
fn without_addresses(text: &str) -> String {
    let mut all = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let end = rest[start..].find(|c: char| !c.is_ascii_digit()).map_or(rest.len(), |len| start + len);
        all += &rest[..start];
        all += if end - start > 10 { "ADDRESS" } else { &rest[start..end] };
        rest = &rest[end..];
    }
    all + rest
}

#[test]
fn functions_called_by_c_are_part_of_the_trace() {
    let ended = run(CALLBACKS, &["--trace", "--call", "@find(1)"], &[]);
    assert_eq!((ended.status, ended.out.as_str()), (0, "i32 1\n"), "{}", ended.err);
    // The result of the call is printed when it has returned.
    assert_eq!(
        without_addresses(&trace(&ended)),
        "\
@find, block entry:
   39 store i32 [$key], %x ; %x = 1
   40 %k = lea [$key] ; => ADDRESS
   41 %a = lea [@rows] ; => ADDRESS
   42 %n = const i64 3 ; => 3
   43 %w = const i64 4 ; => 4
   44 %f = lea [@compare] ; => ADDRESS
   45 %p = call i64 @bsearch(%k, %a, %n, %w, %f) ; %k = ADDRESS, %a = ADDRESS, %n = 3, %w = 4, %f = ADDRESS
  @compare, block entry:
      7 %x = load i32 [%p] ; %p = ADDRESS => 1
      8 %y = load i32 [%q] ; %q = ADDRESS => 1
      9 %d = sub i32 %x, %y ; %x = 1, %y = 1 => 0
     10 ret %d ; %d = 0
@find, block entry:
   45 %p = call i64 @bsearch(%k, %a, %n, %w, %f) ; => ADDRESS
   46 br %p, found, none ; %p = ADDRESS
@find, block found:
   48 %y = load i32 [%p] ; %p = ADDRESS => 1
   49 ret %y ; %y = 1
"
    );
    let places = run(CALLBACKS, &["--trace=@compare", "--trace-from=2", "--call", "@find(2)"], &[]);
    let lines = trace(&places);
    assert!(lines.starts_with("  @compare, block entry:\n      7 %x = load i32 [%p]"), "{lines}");
    assert_eq!(lines.matches("ret %d").count(), 1, "{lines}");
}

#[test]
fn a_callback_may_call_c_that_calls_back() {
    let ended = run(CALLBACKS, &["--trace", "--call", "@sort_rows()"], &[]);
    assert_eq!((ended.status, ended.out.as_str()), (0, "i32 1\n"), "{}", ended.err);
    let text = trace(&ended);
    let heads: Vec<&str> = text.lines().filter(|l| l.ends_with(':')).collect();
    assert_eq!(
        heads,
        [
            "@sort_rows, block entry:",
            "  @compare_rows, block entry:",
            "    @sort, block entry:",
            "      @compare, block entry:",
            "    @sort, block entry:",
            "  @compare_rows, block entry:",
            "    @compare, block entry:",
            "  @compare_rows, block entry:",
            "@sort_rows, block entry:",
        ]
    );
    // Calls without a result are printed once.
    assert_eq!(text.matches("call @qsort").count(), 2, "{text}");
    let ended = run(CALLBACKS, &["--break=@compare", "--call", "@sort_rows()"], &["bt", "bt 2", "c", "bt", "c"]);
    assert_eq!((ended.status, ended.out.as_str()), (0, "i32 1\n"), "{}", ended.err);
    assert_eq!(
        without_addresses(&ended.err),
        "\
break 1, hit 1: @compare, block entry, line 7, depth 3
=>     7 %x = load i32 [%p]
(lir) bt
#0 @compare(%p = ADDRESS, %q = ADDRESS), line 7: %x = load i32 [%p]
#1 C code called from @sort(%a = ADDRESS, %n = 2, %w = 4, %f = ADDRESS), line 14: call @qsort(%a, %n, %w, %f)
#2 @compare_rows(%p = ADDRESS, %q = ADDRESS), line 22: call @sort(%p, %n, %w, %f)
#3 C code called from @sort_rows(), line 32: call @qsort(%a, %n, %w, %f)
(lir) bt 2
#0 @compare(%p = ADDRESS, %q = ADDRESS), line 7: %x = load i32 [%p]
#1 C code called from @sort(%a = ADDRESS, %n = 2, %w = 4, %f = ADDRESS), line 14: call @qsort(%a, %n, %w, %f)
and 2 more
(lir) c
break 1, hit 2: @compare, block entry, line 7, depth 2
=>     7 %x = load i32 [%p]
(lir) bt
#0 @compare(%p = ADDRESS, %q = ADDRESS), line 7: %x = load i32 [%p]
#1 @compare_rows(%p = ADDRESS, %q = ADDRESS), line 23: %d = call i32 @compare(%p, %q)
#2 C code called from @sort_rows(), line 32: call @qsort(%a, %n, %w, %f)
(lir) c
"
    );
}

#[test]
fn step_enters_functions_called_by_c_and_next_steps_over_them() {
    let at_call = ["--break=@find:45", "--call", "@find(3)"];
    let next = run(CALLBACKS, &at_call, &["n", "p %p", "n", "n"]);
    assert_eq!(
        stops(&next),
        [
            "break 1, hit 1: @find, block entry, line 45, depth 0",
            "@find, block entry, line 46, depth 0",
            "@find, block none, line 51, depth 0"
        ]
    );
    assert!(next.err.contains("(lir) p %p\n%p = i64 0\n"), "{}", next.err);
    // From one callback to the next, and back to the caller of C.
    let step = run(CALLBACKS, &at_call, &["s", "p", "n", "n", "n", "n", "f", "s"]);
    assert_eq!(
        stops(&step),
        [
            "break 1, hit 1: @find, block entry, line 45, depth 0",
            "@compare, block entry, line 7, depth 1",
            "@compare, block entry, line 8, depth 1",
            "@compare, block entry, line 9, depth 1",
            "@compare, block entry, line 10, depth 1",
            "@compare, block entry, line 7, depth 1",
            "@find, block entry, line 46, depth 0",
            "@find, block none, line 51, depth 0",
        ]
    );
    assert_eq!(step.err.matches("@compare returns i32 ").count(), 1, "{}", step.err);
    // A new call has no values except its parameters'.
    let fresh = run(CALLBACKS, &["--break=@compare:9", "--break=@compare:7", "--call", "@find(3)"], &["c", "c", "p"]);
    let printed = fresh.err.split("(lir) p\n").nth(1).unwrap_or_else(|| panic!("{}", fresh.err));
    assert_eq!(without_addresses(printed), "%p = i64 ADDRESS\n%q = i64 ADDRESS\n(lir) \n");
    // `f` prints the result once, and ends at the next callback.
    let finish = run(CALLBACKS, &["--break=@compare:10", "--call", "@find(3)"], &["f", "f", "f", "f"]);
    let returned: Vec<&str> = finish.err.lines().filter(|l| l.contains(" returns ")).collect();
    assert_eq!(returned, ["@compare returns i32 2", "@compare returns i32 -1", "@find returns i32 -1"]);
    assert_eq!(stops(&finish)[1], "@compare, block entry, line 7, depth 1", "{}", finish.err);
}

#[test]
fn a_trap_in_a_callback_ends_the_run() {
    let ended = run(CALLBACKS, &["--trace", "--break=@inverse:59", "--call", "@find_inverse(1)"], &["bt", "s"]);
    assert_eq!(ended.status, 134);
    let lines = trace(&ended);
    assert!(
        lines.ends_with(
            "\
      59 %i = sdiv i32 %one, %d ; %one = 1, %d = 0
trap: div_by_zero in @inverse, block entry, line 59
  called from C code called from @find_inverse, block entry, line 71
"
        ),
        "{lines}"
    );
    assert!(lines.contains("#1 C code called from @find_inverse(%x = 1), line 71: %p = call"), "{lines}");
}

/// Functions that C calls when the program has ended.
const HANDLERS: &str = "\
extern func @atexit(i64) -> i32
extern func @exit(i32)
func @late() {
entry:
  %x = const i64 7
  ret
}
func @main() -> i32 {
entry:
  %f = lea [@late]
  %e = call i32 @atexit(%f)
  ret 3
}
func @leaves() {
entry:
  %r = call i32 @main()
  call @exit(%r)
  ret
}
";

#[test]
fn exit_handlers_are_seen() {
    let ended = run(HANDLERS, &["--trace"], &[]);
    assert_eq!(ended.status, 3);
    let text = trace(&ended);
    let end = "   12 ret 3\n@late, block entry:\n    5 %x = const i64 7 ; => 7\n    6 ret\n";
    assert!(text.ends_with(end), "{text}");
    // A call that does not return is printed before the calls from it.
    let ended = run(HANDLERS, &["--trace", "--call", "@leaves()"], &[]);
    assert_eq!(ended.status, 3);
    let text = trace(&ended);
    let end = "   17 call @exit(%r) ; %r = 3\n  @late, block entry:\n      5 %x = const i64 7 ; => 7\n      6 ret\n";
    assert!(text.ends_with(end), "{text}");
    let commands = |ended: &Ran, at: &[&str]| assert_eq!(stops(ended), at, "{}", ended.err);
    let ended = run(HANDLERS, &["--break=@late"], &["bt", "c"]);
    assert_eq!(ended.status, 3);
    commands(&ended, &["break 1, hit 1: @late, block entry, line 5, depth 0"]);
    let ended = run(HANDLERS, &["--break=@leaves:17", "--call", "@leaves()"], &["s", "bt", "f"]);
    assert_eq!(ended.status, 3);
    let exit = "break 1, hit 1: @leaves, block entry, line 17, depth 0";
    commands(&ended, &[exit, "@late, block entry, line 5, depth 1"]);
    assert!(ended.err.contains("#1 C code called from @leaves(), line 17: call @exit(%r)\n"), "{}", ended.err);
    // From the last `ret` to the handler, over and out.
    let ended = run(HANDLERS, &["--break=@main:12"], &["n", "n", "n"]);
    assert_eq!(ended.status, 3);
    let main = "break 1, hit 1: @main, block entry, line 12, depth 0";
    commands(&ended, &[main, "@late, block entry, line 5, depth 0", "@late, block entry, line 6, depth 0"]);
}

/// Standard output is a stream that a function of the program writes: flushing it at a stop would call that.
#[test]
fn a_stop_flushes_no_stream_of_the_program() {
    let text = "\
type :io = { i64, i64, i64, i64 }
extern func @fopencookie(i64, i64, :io) -> i64
extern func @fputs(i64, i64) -> i32
extern func @fflush(i64) -> i32
extern data @stdout
const data @mode = { \"w\\00\" }
const data @text = { \"hello\\00\" }
func @write(%c: i64, %b: i64, %n: i64) -> i64 {
entry:
  ret %n
}
func @main() -> i32 {
  stack $io: :io
entry:
  store i64 [$io], 0
  %w = lea [@write]
  store i64 [$io + 8], %w
  store i64 [$io + 16], 0
  store i64 [$io + 24], 0
  %m = lea [@mode]
  %c = const i64 0
  %f = call i64 @fopencookie(%c, %m, :io [$io])
  store i64 [@stdout], %f
  %t = lea [@text]
  %e = call i32 @fputs(%t, %f)
  %e = call i32 @fflush(%f)
  ret 7
}
";
    let at = "break 1, hit 1: @write, block entry, line 10, depth 1";
    for (commands, status) in [(&["p %n", "c"][..], 7), (&["q"], 0)] {
        let ended = run(text, &["--timeout=20", "--break=@write"], commands);
        assert_eq!((ended.status, stops(&ended)), (status, vec![at]), "{}", ended.err);
    }
}

#[test]
fn an_observer_sees_each_callback() {
    let text = "\
extern func @qsort(i64, i64, i64, i64)
data @numbers align 8 = { zero 8000 }
data @calls = { i64 0 }
local func @compare(%p: i64, %q: i64) -> i32 {
entry:
  %c = load i64 [@calls]
  %c = add i64 %c, 1
  store i64 [@calls], %c
  %x = load i64 [%p]
  %y = load i64 [%q]
  %less = icmp ult i64 %x, %y
  %more = icmp ugt i64 %x, %y
  %d = sub i8 %more, %less
  %d32 = sext i8 %d to i32
  ret %d32
}
func @sort(%n: i64) -> i64 {
entry:
  jmp fill
fill:
  %i = phi i64 [0, entry], [%j, fill]
  %v = mul i64 %i, 7919
  %v = urem i64 %v, 1009
  %a = lea [@numbers]
  store i64 [%a + %i * 8], %v
  %j = add i64 %i, 1
  br ult i64 %j, %n, fill, sort
sort:
  %w = const i64 8
  %f = lea [@compare]
  call @qsort(%a, %n, %w, %f)
  %c = load i64 [@calls]
  ret %c
}
";
    let returns = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&returns);
    let calls = twice(text, "sort", 500, |interp| {
        interp.observe(Box::new(move |e| {
            assert_eq!(e.thread, 1);
            let is_return = e.module.funcs[e.func].inst(e.inst).op == Opcode::Ret;
            counted.fetch_add(u64::from(is_return && e.depth == 1), Ordering::Relaxed);
        }));
    });
    let returns = returns.load(Ordering::Relaxed);
    assert!(returns > 1000 && calls.contains(&format!("bits: {returns}")), "{returns}: {calls}");
}

#[test]
fn help_does_not_leave_them_out() {
    let help = Tool::new("").run_on_stdin(&["--help"]).out;
    assert!(help.contains("--break") && !help.contains("are executed without"), "{help}");
}
