//! Functions that a program registered with `atexit` run when it ends, the same in the interpreter and natively.

use crate::tool::{MODES, Tool};
use lir_testing::process::Ran;

const PROGRAM: &str = r#"
extern func @atexit(i64) -> i32
extern func @exit(i32) noreturn
extern func @puts(i64) -> i32
const data @text = { "bye\00" }
thread data @calls = { i32 0 }

func @count() noinline {
entry:
  %n = load i32 [@calls]
  br eq i32 %n, 1, say, fail
say:
  %m = lea [@text]
  %r = call i32 @puts(%m)
  ret
fail:
  unreachable
}
func @leave() {
entry:
  call @count()
  store i32 [@calls], 3
  ret
}
func @register() {
entry:
  store i32 [@calls], 1
  %f = lea [@leave]
  %r = call i32 @atexit(%f)
  ret
}
"#;

fn run(mode: &str, main: &str) -> Ran {
    Tool::new(&format!("{PROGRAM}func @main() -> i32 {{\nentry:\n  call @register()\n{main}}}\n")).run(&[mode])
}

#[test]
fn they_run_after_main_returned() {
    for mode in MODES {
        let ended = run(mode, "  ret 5\n");
        assert_eq!((ended.status, ended.out.as_str()), (5, "bye\n"), "{mode}: {ended:?}");
    }
}

#[test]
fn they_run_in_exit() {
    for mode in MODES {
        let ended = run(mode, "  %s = const i32 5\n  call @exit(%s)\n  unreachable\n");
        assert_eq!((ended.status, ended.out.as_str()), (5, "bye\n"), "{mode}: {ended:?}");
    }
}

#[test]
fn their_traps_are_told() {
    let endings = ["  ret 5\n", "  %s = const i32 5\n  call @exit(%s)\n  unreachable\n"];
    for (mode, ending) in MODES.iter().flat_map(|mode| endings.map(|ending| (mode, ending))) {
        let ended = run(mode, &format!("  store i32 [@calls], 2\n{ending}"));
        assert_eq!(ended.status, 134, "{mode}: {ended:?}");
        let mut lines = ended.err.lines();
        for said in ["trap: unreachable in @count, block fail, line ", "  called from @leave, block entry, line "] {
            assert!(lines.next().is_some_and(|l| l.starts_with(said)), "{mode}: {ended:?}");
        }
    }
}
