//! `--bisect` and `--fuel` through code generation: stages are left out one by one, and selection counts its rewrites.

use std::process::{Command, Output};

/// A sum that selection folds into an address.
const SUM: &str = "\
func @f(%x: i32, %y: i32) -> i32 {
entry:
  %a = mul i32 %x, 8
  %b = add i32 %a, %y
  ret %b
}
";

/// A path that needs no frame beside one that needs it.
const EARLY_EXIT: &str = "\
extern func @g(i32) -> i32
func @f(%x: i32) -> i32 {
entry:
  br eq i32 %x, 0, zero, more
zero:
  ret 7
more:
  %a = call i32 @g(%x)
  %b = add i32 %a, %x
  ret %b
}
";

/// Runs the tool on a text, which is in a file, for assembly.
fn assembly(text: &str, options: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.lir");
    std::fs::write(&path, text).expect("the folder is writable");
    let mut tool = Command::new(env!("CARGO_BIN_EXE_lir-llc"));
    tool.arg("--emit=asm").args(options).arg(&path).output().expect("the tool runs")
}

#[test]
fn the_stage_that_a_command_does_not_like_is_found() {
    let frame_at_the_entry = "grep -A2 '^f:' {} | grep -q push";
    let found = assembly(EARLY_EXIT, &["-O2", "--bisect", frame_at_the_entry]);
    let out = String::from_utf8_lossy(&found.stdout);
    assert!(found.status.success() && found.stderr.is_empty(), "{found:?}");
    assert!(out.contains(": stage wrap on function (@f)\n"), "{out}");
    assert!(out.contains("--- before\n+++ after\n") && out.contains("\n-\tpush rax\n"), "{out}");
}

#[test]
fn the_rewrite_of_selection_that_a_command_does_not_like_is_found() {
    let found = assembly(SUM, &["-O0", "--bisect", "! grep -q lea"]);
    let out = String::from_utf8_lossy(&found.stdout);
    assert!(found.status.success() && found.stderr.is_empty(), "{found:?}");
    assert!(out.contains("\nrewrite 1 of 1 (--fuel 1)\n--- before\n+++ after\n"), "{out}");
    assert!(out.contains("\n-\tadd eax, esi\n") && out.contains("\n+\tlea eax, [rsi + rdi*8]\n"), "{out}");
}

#[test]
fn fuel_allows_the_first_rewrites_of_selection() {
    let text = |fuel: &str| assembly(SUM, &["-O0", fuel]).stdout;
    assert_ne!(text("--fuel=0"), text("--fuel=1"));
    assert_eq!(text("--fuel=1"), text("--fuel=-1"));
}
