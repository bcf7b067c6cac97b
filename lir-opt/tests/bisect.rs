//! `--fuel` and `--bisect`: single rewrites are counted, and the one that breaks something is found.

use crate::lir_opt_tool::lir_opt;

const CHAIN: &str = "\
func @f(%x: i32) -> i32 {
entry:
  %a = add i32 %x, 0
  %b = xor i32 %a, 0
  %c = mul i32 %b, 8
  %d = sub i32 %c, 0
  ret %d
}
";

/// Bisects a text, which is in a file.
fn bisect(arguments: &[&str], command: &str, text: &str) -> (i32, String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("chain.lir");
    std::fs::write(&path, text).expect("the folder is writable");
    let path = path.display().to_string();
    let ran = lir_opt(&[arguments, &["--bisect", command, &path]].concat(), "");
    (ran.status, ran.out, ran.err)
}

#[test]
fn the_rewrite_that_a_command_does_not_like_is_found() {
    let (status, out, err) = bisect(&["-p", "dce,simplify,dce"], "! grep -q shl", CHAIN);
    assert_eq!((status, err.as_str()), (0, ""));
    assert!(out.starts_with("step 2 of 3: pass simplify on function (@f)\nrewrite "), "{out}");
    assert!(out.contains("\n-  %c = mul i32 ") && out.contains("\n+  %c = shl i32 "), "{out}");
    assert_eq!(out.lines().filter(|l| l.starts_with(['-', '+'])).count(), 4, "one line differs: {out}");
}

#[test]
fn a_step_without_fuel_is_shown_as_a_whole() {
    let text = CHAIN.replace("  ret", "  %unused = not i32 %x\n  ret");
    let (status, out, _) = bisect(&["-p", "simplify,dce"], "grep -q unused", &text);
    assert_eq!(status, 0);
    assert!(out.starts_with("step 2 of 2: pass dce on function (@f)\n--- before\n+++ after\n"), "{out}");
    assert!(out.contains("\n-  %unused = not i32 %x\n"), "{out}");
}

#[test]
fn commands_that_say_nothing_about_steps_are_errors() {
    let (status, _, err) = bisect(&["-O2"], "true", CHAIN);
    assert_eq!(status, 1);
    assert!(err.contains("`true` succeeds with all ") && err.contains("nothing to bisect"), "{err}");
    let (status, _, err) = bisect(&["-O2"], "false", CHAIN);
    assert_eq!(status, 1);
    assert!(err.contains("`false` fails without any step or rewrite"), "{err}");
    let (status, _, err) = bisect(&["-O2"], "no-such-command-at-all", CHAIN);
    assert_eq!(status, 1);
    assert!(err.contains("the command is not found"), "{err}");
    let ran = lir_opt(&["-O2", "--bisect", "true"], CHAIN);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("name a file"), "{}", ran.err);
}

#[test]
fn fuel_allows_the_first_rewrites_at_any_number_of_threads() {
    let without = lir_opt(&["-p", "simplify", "--fuel=0"], CHAIN);
    assert_eq!((without.status, without.out.as_str()), (0, CHAIN));
    let all = lir_opt(&["-p", "simplify"], CHAIN).out;
    assert_eq!(lir_opt(&["-p", "simplify", "--fuel=-1"], CHAIN).out, all);
    let mut texts: Vec<String> =
        (0..20).map(|n| lir_opt(&["-p", "simplify", &format!("--fuel={n}")], CHAIN).out).collect();
    assert_eq!(texts.last(), Some(&all));
    texts.dedup();
    assert!(texts.len() > 3, "each rewrite changes something: {texts:?}");
    let many: String = (0..100).map(|k| CHAIN.replace("@f", &format!("@f{k}"))).collect();
    let one = lir_opt(&["-O2", "-j1", "--fuel=150"], &many);
    assert!(one.out == lir_opt(&["-O2", "-j7", "--fuel=150"], &many).out);
}
