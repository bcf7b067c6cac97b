//! `lir-run --profile-blocks`: the counts of the interpreter and of native code are the same, and add up.

use crate::tool::Tool;
use std::collections::BTreeMap;

/// A nest of loops with an exit, a switch, a call, and a block that never runs.
const PROGRAM: &str = "
func @weight(%k: i64) -> i64 noinline {
entry:
  switch i64 %k, other [1: one, 2: two]
one:
  ret 10
two:
  ret 20
other:
  br slt i64 %k, 0, never, rest
never:
  unreachable
rest:
  %d = add i64 %k, 1
  %h = const i64 100
  %q = sdiv i64 %h, %d
  ret %q
}
func @main() -> i32 {
entry:
  jmp outer
outer:
  %i = phi i64 [0, entry], [%i2, outer_end]
  %s = phi i64 [0, entry], [%t2, outer_end]
  jmp inner
inner:
  %j = phi i64 [0, outer], [%j2, inner_end]
  %t = phi i64 [%s, outer], [%t2, inner_end]
  %w = call i64 @weight(%j)
  %t2 = add i64 %t, %w
  br sgt i64 %j, %i, outer_end, inner_end
inner_end:
  %j2 = add i64 %j, 1
  br slt i64 %j2, 9, inner, outer_end
outer_end:
  %i2 = add i64 %i, 1
  br slt i64 %i2, 50, outer, done
done:
  %r = trunc i64 %t2 to i32
  %m = and i32 %r, 127
  ret %m
}
";

/// The exit status of the program, the total, and the counts by function and block.
fn profile(options: &[&str]) -> (i32, u64, BTreeMap<String, u64>, String) {
    let ended = Tool::new("").stdin(PROGRAM).run_on_stdin(&[&["--profile-blocks"], options].concat());
    let (mut function, mut block, mut counts, mut total) = (String::new(), String::new(), BTreeMap::new(), 0);
    for line in ended.err.lines() {
        if let Some(rest) = line.strip_prefix("; ") {
            total = rest.strip_suffix(" instructions ran").expect(line).parse().expect(line);
        } else if line.starts_with("func ") {
            function = line.split('(').next().unwrap_or_default().to_string();
        } else if let Some(label) = line.strip_suffix(':') {
            block = label.to_string();
        } else if let Some((count, _)) = line.strip_prefix("  ; count ").and_then(|c| c.split_once(", ")) {
            counts.insert(format!("{function} {block}"), count.parse().expect(line));
        }
    }
    (ended.status, total, counts, ended.err)
}

#[test]
fn both_count_the_same() {
    for level in ["-O0", "-O1", "-O2"] {
        let interpreted = profile(&["--interp", level]);
        assert!(interpreted.2.len() > 5, "{}", interpreted.3);
        for options in [&[level][..], &[level, "--regalloc=one-pass"], &[level, "--codegen=fast"]] {
            let native = profile(options);
            assert_eq!(native.0, interpreted.0, "{options:?}: {}", native.3);
            assert_eq!(native.2, interpreted.2, "{options:?}: {}", native.3);
            assert_eq!(native.1, interpreted.1, "{options:?}: {}", native.3);
        }
    }
}

#[test]
fn counts_are_those_of_the_program() {
    let (_, _, counts, text) = profile(&["--interp", "-O0"]);
    assert_eq!(counts["func @main outer"], 50, "{text}");
    assert_eq!(counts["func @main done"], 1, "{text}");
    assert_eq!(counts["func @weight entry"], counts["func @main inner"], "{text}");
    assert_eq!(counts["func @weight never"], 0, "{text}");
    assert!(text.contains("  ; may trap\n  %q = sdiv i64 %h, %d\n"), "{text}");
    assert!(text.contains("  ; may trap\n  unreachable\n"), "{text}");
}

/// The report comes where the program leaves by `exit`, or traps.
#[test]
fn the_report_comes_however_the_program_ends() {
    let by_exit = "extern func @exit(i32) noreturn\nfunc @main() -> i32 {\nentry:\n  call @exit(3)\n  unreachable\n}\n";
    let by_trap = "func @main() -> i32 {\nentry:\n  unreachable\n}\n";
    for (text, status) in [(by_exit, 3), (by_trap, 134)] {
        for options in [&["--profile-blocks", "-O0"][..], &["--profile-blocks", "-O0", "--interp"]] {
            let ended = Tool::new("").stdin(text).run_on_stdin(options);
            assert_eq!(ended.status, status, "{}", ended.err);
            assert!(ended.err.contains("  ; count 1, "), "{options:?}: {}", ended.err);
        }
    }
}

/// The counters and the function that reads them have names of their own.
#[test]
fn names_of_counters_are_not_the_programs() {
    for name in ["lir.block_counters", "lir.block_counters.read"] {
        let text = format!(
            "func @main() -> i32 {{\nentry:\n  %r = call i32 @\"{0}\"()\n  ret %r\n}}\nfunc @\"{0}\"() -> i32 \
                            noinline {{\nentry:\n  ret 7\n}}\n",
            name
        );
        let ended = Tool::new("").stdin(&text).run_on_stdin(&["--profile-blocks", "-O0"]);
        assert_eq!(ended.status, 7, "{}", ended.err);
        assert!(ended.err.starts_with("; 3 instructions ran\n"), "{}", ended.err);
    }
}
