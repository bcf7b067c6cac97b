//! `lir-reduce`: every kind of reduction on its own, and the tool as a user meets it.
//!
//! A case of a kind is `testdata/reduce/KIND.lir`: the result of the kind alone, if the texts of its `; (keep)` lines
//! must stay in the result, is in `KIND.out.lir` beside it. `cargo xtask bless` writes the expected files.

use lir_random::extent::few_or_all;
use lir_random::{Config, generate};
use lir_reduce::{KINDS, Kind, ReduceOptions, reduce};
use lir_syntax::text::source::Source;
use lir_testing::expectations::compare_with_file;
use lir_testing::files::testdata;
use lir_testing::process::{Ran, run};
use lir_testing::trials::{self, Trial};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Reduces a text while the other texts stay in it.
fn reduced(text: &str, keep: &[&str], kinds: Vec<&'static Kind>, jobs: usize) -> Result<String, String> {
    let source = Source { name: "case".into(), text: text.into() };
    let stop = AtomicBool::new(false);
    let test = |text: &str, _: &AtomicBool| keep.iter().all(|k| text.contains(k));
    let result = reduce(&source, &test, &ReduceOptions { jobs, stop: &stop, kinds }, &mut |_| {});
    result.map(|p| p.text).map_err(|e| format!("{e:?}"))
}

#[test]
fn every_kind_has_its_effect() {
    let trial = |kind: &'static Kind| {
        Trial::test(kind.name, move || {
            let path = testdata("reduce").join(format!("{}.lir", kind.name));
            let text = std::fs::read_to_string(&path)?;
            let keep: Vec<&str> = text.lines().filter_map(|l| l.strip_prefix("; (keep) ")).collect();
            // The first line is a remark about the case; the patterns match the canonical text.
            let canonical = reduced(&text, &[], Vec::new(), 1)?;
            Ok(compare_with_file(&path.with_extension("out.lir"), &reduced(&canonical, &keep, vec![kind], 2)?)?)
        })
    };
    trials::run(KINDS.iter().map(trial).collect());
}

/// Every kind meets every instruction of a random module, of two with `LIR_THOROUGH`, whatever it is about.
#[test]
fn every_kind_takes_every_instruction() {
    let (modules, functions, statements) = few_or_all((1, 2, 3), (2, 3, 5));
    for seed in 0..modules {
        let config = Config { functions, statements, ..Config::default() };
        let text = generate(seed, &config).to_string();
        for kind in KINDS {
            // No change is wanted, and many are tried.
            let same = reduced(&text, &[&text], vec![kind], 1).unwrap_or_else(|e| panic!("{seed} {}: {e}", kind.name));
            assert_eq!(same, text, "seed {seed}, {}", kind.name);
        }
    }
}

#[test]
fn the_result_is_the_same_at_any_number_of_jobs() {
    let text = std::fs::read_to_string(testdata("reduce/functions.lir")).unwrap();
    let all = || KINDS.iter().collect::<Vec<_>>();
    let one = reduced(&text, &["call i32", "add"], all(), 1).unwrap();
    for jobs in [2, 5, 16] {
        assert_eq!(reduced(&text, &["call i32", "add"], all(), jobs).unwrap(), one, "{jobs} jobs");
    }
    assert!(one.lines().count() <= 12, "{one}");
}

#[test]
fn a_large_module_takes_few_tests() {
    let mut text = String::new();
    for k in 0..600 {
        let op = if k == 417 { "mul" } else { "add" };
        text += &format!("func @f{k}(%a: i32) -> i32 {{\nentry:\n  %b0 = copy i32 %a\n");
        for n in 1..=12 {
            text += &format!("  %b{n} = {op} i32 %b{}, {n}\n", n - 1);
        }
        text += "  ret %b12\n}\n";
    }
    assert!(text.lines().count() > 9_000);
    let source = Source { name: "case".into(), text };
    let (tests, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let test = |text: &str, _: &AtomicBool| {
        tests.fetch_add(1, Ordering::Relaxed);
        text.contains("mul i32") && text.contains(", 7\n")
    };
    let options = ReduceOptions { jobs: 1, stop: &stop, kinds: KINDS.iter().collect() };
    let progress = reduce(&source, &test, &options, &mut |_| {}).unwrap();
    assert_eq!(progress.text, "func @f(%a: i32) {\nentry:\n  %b = mul i32 %a, 7\n  ret\n}\n");
    let tests = tests.load(Ordering::Relaxed);
    assert!(tests < 150, "{tests} tests");
}

fn lir_reduce(args: &[&str], text: &str) -> Ran {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("bug.lir"), text).unwrap();
    run(Command::new(env!("CARGO_BIN_EXE_lir-reduce")).current_dir(dir.path()).args(args), "")
}

const TWO: &str = "; run: @f(6) == 13\nfunc @f(%number: i32) -> i32 {\nentry:\n  %twice = mul %number, 2\n  \
                   %more = add %twice, 1\n  ret %more\n}\nfunc @g() {\nentry:\n  ret\n}\n";

#[test]
fn a_command_decides() {
    let ran = lir_reduce(&["bug.lir", "--test", "grep -q mul"], TWO);
    assert_eq!((ran.status, ran.out.as_str()), (0, "func @f(%a: i64) {\nentry:\n  %b = mul i64 %a, 0\n  ret\n}\n"));
    assert!(ran.err.contains("round 1 functions") && ran.err.contains("11 -> 5 lines"), "{}", ran.err);
    let ran = lir_reduce(&["-q", "bug.lir", "--test", "cat {} | grep -q mul && grep -q 'run: @f' {}"], TWO);
    assert_eq!(ran.out, "; run: @f(0)\nfunc @f(%a: i64) {\nentry:\n  %b = mul i64 %a, 0\n  ret\n}\n");
    assert_eq!(ran.err, "");
}

/// Another language is reduced as LIR: the command gets a file that the tools read as such.
#[test]
fn an_imported_text_becomes_lir() {
    let dir = tempfile::tempdir().unwrap();
    let text = "export function w $f(w %a) {\n@start\n\t%b =w mul %a, 3\n\t%c =w add %b, 1\n\tret %c\n}\n";
    std::fs::write(dir.path().join("bug.ssa"), text).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_lir-reduce"))
        .current_dir(dir.path())
        .args(["-q", "bug.ssa", "--test", "grep -q mul {} && echo {} | grep -q '/bug.lir$'"])
        .output()
        .expect("the tool starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "func @f(%a: i64) {\nentry:\n  %b = mul i64 %a, 0\n  ret\n}\n",
        "{said}"
    );
}

#[test]
fn irreducible_inputs_give_the_reason() {
    let ran = lir_reduce(&["bug.lir", "--test", "grep -q sdiv"], TWO);
    assert_eq!((ran.status, ran.out.as_str()), (1, ""));
    assert!(ran.err.contains("does not find the input interesting: it ends with status 1"), "{}", ran.err);
    let ran = lir_reduce(&["bug.lir", "--test", "no-such-tool"], TWO);
    assert!(ran.status == 1 && ran.err.contains("status 127"), "{}", ran.err);
    let ran = lir_reduce(&["bug.lir", "--test", "grep -q 'remark'"], &format!("; a remark\n{TWO}"));
    assert!(ran.status == 1 && ran.err.contains("comments or blanks"), "{}", ran.err);
    let ran = lir_reduce(&["bug.lir", "--test", "true"], "func @f() {\nentry:\n  frob\n}\n");
    assert!(ran.status == 1 && ran.err.starts_with("bug.lir:3:3: error: "), "{}", ran.err);
    assert_eq!(lir_reduce(&["bug.lir"], TWO).status, 2);
    assert_eq!(lir_reduce(&["bug.lir", "--test", "true", "--without", "spelling"], TWO).status, 2);
}

#[test]
fn crashes_and_hangs_of_the_test_are_uninteresting() {
    // Without the product the command dies of a signal, without the addition it does not end.
    let command = "if ! grep -q 'mul' {}; then kill -SEGV $$; fi; if ! grep -q add {}; then sleep 600; fi";
    let start = Instant::now();
    let ran = lir_reduce(&["bug.lir", "-j2", "--timeout", "0.2", "--test", command], TWO);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.out.contains("mul") && ran.out.contains("add") && !ran.out.contains("@f1"), "{}", ran.out);
    assert!(start.elapsed() < Duration::from_secs(60), "a test was waited for");
}

#[test]
fn an_interrupt_leaves_the_best_so_far() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("bug.lir"), TWO).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_lir-reduce"))
        .current_dir(dir.path())
        .args(["bug.lir", "-q", "-j1", "-o", "small.lir", "--test", "sleep 0.1; grep -q mul"])
        .spawn()
        .expect("the tool starts");
    let small = dir.path().join("small.lir");
    let start = Instant::now();
    while !small.exists() && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(10));
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(sent.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let text = std::fs::read_to_string(small).expect("the output is there");
    assert!(text.contains("mul") && text.len() < TWO.len(), "{text}");
}
