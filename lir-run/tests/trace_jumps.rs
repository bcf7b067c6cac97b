//! The backward jumps after which a recording continues: the rule of `cross-jumps`.

use crate::tool::Tool;

/// Two loops, whose variables are in memory, so that nothing but the rule keeps the path around the inner one from
/// being its trace. The inner loop has `%few` iterations, from iteration `%from` of the outer one on `%many`.
const NESTED: &str = "\
func @f(%n: i64, %from: i64, %few: i64, %many: i64) -> i64 {
  stack $i: 8
  stack $j: 8
  stack $turns: 8
entry:
  store i64 [$i], 0
  jmp outer
outer:
  %i = load i64 [$i]
  %is_early = icmp slt i64 %i, %from
  %turns = select i64 %is_early, %few, %many
  store i64 [$turns], %turns
  store i64 [$j], 0
  jmp inner
inner:
  %j = load i64 [$j]
  %m = load i64 [$turns]
  br slt i64 %j, %m, body, latch
body:
  %next = add i64 %j, 1
  store i64 [$j], %next
  jmp inner
latch:
  %k = load i64 [$i]
  %l = add i64 %k, 1
  store i64 [$i], %l
  br slt i64 %l, %n, outer, done
done:
  ret %l
}
";

/// The log of a call, without exits.
fn log(call: &str, limits: &[&str]) -> Vec<String> {
    let limits = limits.iter().flat_map(|l| ["--trace-limit", l]);
    let options: Vec<&str> = ["--trace-jit", "--trace-log", "-O0", "--call", call].into_iter().chain(limits).collect();
    let ended = Tool::new(NESTED).run(&options);
    assert_eq!(ended.out, "i64 1000\n", "{}", ended.err);
    ended.err.lines().map(str::to_string).collect()
}
/// The lines that begin so.
fn beginning<'a>(log: &'a [String], with: &str) -> Vec<&'a str> {
    log.iter().map(String::as_str).filter(|line| line.starts_with(with)).collect()
}

#[test]
fn code_after_an_inner_loop_continues_with_the_next_outer_iteration() {
    let log_at = |limits: &[&str]| log("@f(1000, 0, 3, 3)", limits);
    let one = log_at(&[]);
    assert_eq!(
        beginning(&one, "trace "),
        [
            "trace 0: begins in @f, block inner, line 16; ends by loop",
            "trace 1: begins in @f, block latch, line 24, after exit 0; ends by link",
        ]
    );
    let none = log_at(&["cross-jumps=0"]);
    assert_eq!(
        beginning(&none, "trace ")[1..],
        [
            "trace 1: begins in @f, block latch, line 24, after exit 0; ends by cross-jumps",
            "trace 2: begins in @f, block outer, line 9; ends by link",
        ]
    );
}

#[test]
fn a_recording_from_the_header_of_a_loop_does_not_close_the_path_around_it() {
    // The 48th jump backward of the inner loop is the last one of an iteration of the outer loop.
    let log = log("@f(1000, 0, 3, 3)", &["hot-loop=48"]);
    assert_eq!(
        beginning(&log, "dropped"),
        ["dropped: began in @f, block inner, line 16; ended by tries, after 7 operations"]
    );
    // Around the loop there would be 13 operations.
    assert_eq!(log[0], "trace 0: begins in @f, block inner, line 16; ends by loop");
    assert!(log[1].starts_with("  6 operations, "), "{log:#?}");
}

#[test]
fn a_loop_that_is_left_each_time_is_traced_as_a_part_of_the_outer_one() {
    let log = log("@f(1000, 0, 0, 1)", &[]);
    assert_eq!(beginning(&log, "dropped: began in @f, block inner").len(), 3, "{log:#?}");
    assert_eq!(log[0], "trace 0: begins in @f, block inner, line 16; ends by loop");
    assert!(log[1].starts_with("  13 operations, "), "{log:#?}");
}

#[test]
fn a_trace_ends_where_it_would_unroll_a_loop() {
    // The outer loop is recorded at the first of its iterations that has one of the inner loop.
    for limits in [&["hot-loop=48", "tries=0"][..], &["hot-loop=48", "tries=0", "cross-jumps=9"]] {
        let log = log("@f(1000, 47, 0, 1)", limits);
        assert_eq!(log[0], "trace 0: begins in @f, block outer, line 9; ends by cross-jumps", "{log:#?}");
    }
}
