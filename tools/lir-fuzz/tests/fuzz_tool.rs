//! `lir-fuzz` as a user meets it: bugs that hidden passes plant are found, told apart, shown again and made small.

use lir_testing::process::{Ran, run, run_in_process};
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

pub fn lir_fuzz(folder: &Path, args: &[&str]) -> Ran {
    run(Command::new(env!("CARGO_BIN_EXE_lir-fuzz")).current_dir(folder).args(args), "")
}

/// Looks for the bug of a pass with these modules; the one finding's file.
fn find(folder: &Path, pass: &str, more: &[&str]) -> String {
    let args = [&["--pipeline", pass, "-j2", "-q"], more].concat();
    let ran = lir_fuzz(folder, &args);
    assert_eq!(ran.status, 1, "{}{}", ran.out, ran.err);
    let files: Vec<_> = std::fs::read_dir(folder.join("findings")).expect("there are findings").collect();
    assert_eq!(files.len(), 1, "one kind: {}", ran.out);
    let path = files.into_iter().next().expect("one").expect("readable").path();
    let name = path.strip_prefix(folder).expect("inside").to_str().expect("plain").to_string();
    assert!(ran.out.contains(&name) && ran.err.contains("lir-fuzz --reduce"), "{}{}", ran.out, ran.err);
    name
}

/// The line with the finding.
fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

#[test]
fn a_planted_miscompile_is_found_and_reduced() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let file = find(folder, "plant-swapped-predicate", &["--seed", "54", "--count", "1"]);
    let text = std::fs::read_to_string(folder.join(&file)).expect("the file");
    assert_eq!(first_line(&text), "; finding: miscompile in passes plant-swapped-predicate");
    assert!(
        text.lines().count() > 100 && text.lines().any(|l| l.starts_with("; run: @") && l.contains(") == ")),
        "{text}"
    );
    let seed = file.rsplit('-').next().and_then(|end| end.strip_suffix(".lir")).expect("the name ends with the seed");
    let anew = format!("lir-fuzz --seed {seed} --count 1 --pipeline 'plant-swapped-predicate'");
    assert!(text.contains(&anew), "{text}");
    let replayed = lir_fuzz(folder, &["--replay", &file]);
    assert!(replayed.status == 0 && replayed.out.contains("in place of"), "{}{}", replayed.out, replayed.err);

    let reduced = lir_fuzz(folder, &["--reduce", &file, "-o", "small.lir"]);
    assert_eq!(reduced.status, 0, "{}", reduced.err);
    let small = std::fs::read_to_string(folder.join("small.lir")).expect("the result");
    assert!(small.lines().count() <= 10 && small.contains("cmp"), "{small}");
    assert_eq!(lir_fuzz(folder, &["--replay", "small.lir"]).status, 0, "{small}");
    // Its run lines have the right results.
    assert_eq!(lir_run(&["--check".as_ref(), folder.join("small.lir").as_os_str()]), 0, "{small}");

    // With the tool for reductions of any kind, of the file as it was found.
    let command = format!("'{}' --replay", env!("CARGO_BIN_EXE_lir-fuzz"));
    let (input, output) = (folder.join(&file), folder.join("other.lir"));
    let args: [OsString; 7] = [
        "lir-reduce".into(),
        input.into(),
        "--test".into(),
        command.into(),
        "-q".into(),
        "-o".into(),
        output.clone().into(),
    ];
    let Ran { status, err, .. } = run_in_process(lir_reduce::cli::run, args, "");
    assert_eq!(status, 0, "{err}");
    let other = std::fs::read_to_string(output).expect("the result");
    assert!(other.lines().count() <= 10, "{other}");
}

/// The status of `lir-run`, run as a function.
fn lir_run(args: &[&std::ffi::OsStr]) -> i32 {
    run_in_process(lir_run::cli::run, [&["lir-run".as_ref()], args].concat(), "").status
}

/// A pass that moves a promise to a path that lacked it is found by the interpreter, which reports the broken promise.
#[test]
fn a_hoisted_promise_is_found_and_reduced() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let pipeline = "ssa,plant-hoisted-promise";
    let file = find(folder, pipeline, &["--seed", "3", "--count", "1"]);
    let reduced = lir_fuzz(folder, &["--reduce", &file, "-o", "small.lir", "-q"]);
    assert_eq!(reduced.status, 0, "{}", reduced.err);
    let small = std::fs::read_to_string(folder.join("small.lir")).expect("the result");
    assert!(small.contains("in passes ssa,plant-hoisted-promise") && small.lines().count() <= 24, "{small}");
    // The small module keeps its promises, and without them the pass is right.
    assert_eq!(lir_run(&["--check".as_ref(), folder.join("small.lir").as_os_str()]), 0, "{small}");
    let without = small.lines().map(|l| PROMISES.iter().fold(l.to_string(), |l, p| l.replace(p, " ")) + "\n");
    std::fs::write(folder.join("small.lir"), without.collect::<String>()).expect("a file");
    assert_ne!(lir_fuzz(folder, &["--replay", "small.lir"]).status, 0, "{small}");
}

/// The words of promises.
const PROMISES: [&str; 5] = [" nsw ", " nuw ", " exact ", " nneg ", " disjoint "];

#[test]
fn other_failures_are_told_apart_and_reduced() {
    for (pass, more, kind) in [
        ("plant-panic", &["--count", "12"][..], "panic "),
        ("plant-abort", &["--count", "12"], "crash SIGABRT in"),
        ("plant-hang", &["--seed", "12", "--count", "1", "--timeout", "0.3"], "timeout in"),
        ("plant-invalid", &["--count", "12"], "invalid in"),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        let file = find(folder, pass, more);
        let text = std::fs::read_to_string(folder.join(&file)).expect("the file");
        let line = first_line(&text).to_string();
        assert!(
            line.starts_with(&format!("; finding: {kind}")) && line.ends_with(&format!("in passes {pass}")),
            "{line}"
        );
        let reduced = lir_fuzz(folder, &["--reduce", &file, "-o", "small.lir", "-q", "--timeout", "0.3"]);
        let small =
            std::fs::read_to_string(folder.join("small.lir")).unwrap_or_else(|e| panic!("{e}: {}", reduced.err));
        assert!(small.lines().count() <= 10 && small.contains(" = mul "), "{small}");
        assert_eq!(first_line(&small), line);
    }
}

/// A finding whose file cannot be written says so, where it is told, and how to see the module.
#[test]
fn findings_without_a_file_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    // A file is in the place of the folder.
    std::fs::write(folder.join("findings"), "").expect("a file");
    let ran = lir_fuzz(folder, &["--pipeline", "plant-invalid", "--count", "12", "-j2", "-q"]);
    assert_eq!(ran.status, 1, "{}{}", ran.out, ran.err);
    let (_, told) = ran.err.split_once(": invalid in passes plant-invalid: ").expect("it is told");
    let advice = told.lines().find(|l| l.starts_with("  its file cannot be written: ")).unwrap_or_default();
    assert!(advice.contains("lir-fuzz --show "), "{}", ran.err);
    assert!(!ran.err.contains("--reduce") && ran.out.contains(": (no file)\n"), "{}{}", ran.out, ran.err);
}

#[test]
fn where_nothing_is_wrong_nothing_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let ran = lir_fuzz(folder, &["--seed", "7", "--count", "4", "--check", "roundtrip,interpreter,bytes"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert!(ran.out.starts_with("4 modules, ") && ran.out.ends_with(" 0 findings of 0 kinds\n"), "{}", ran.out);
    assert_eq!(std::fs::read_dir(folder).expect("readable").count(), 0);
    let shown = lir_fuzz(folder, &["--show", "4"]);
    assert!(shown.status == 0 && shown.out.contains("func @test("), "{}", shown.out);
    std::fs::write(folder.join("a.lir"), &shown.out).expect("a file");
    let ran = lir_fuzz(folder, &["--replay", "a.lir"]);
    assert!(ran.status == 1 && ran.err.contains("no `; finding:` line"), "{}", ran.err);
    let ran = lir_fuzz(folder, &["--replay", "a.lir", "--as", "miscompile in passes -O2"]);
    assert_eq!((ran.status, ran.out.as_str()), (1, "not miscompile in passes -O2: nothing is wrong\n"));
    for wrong in [&["--check", "spelling"][..], &["--pipeline", "nosuch"], &["--as", "miscompile"], &["-o", "x"]] {
        assert_eq!(lir_fuzz(folder, wrong).status, 2, "{wrong:?}");
    }
}

#[test]
fn coverage_is_the_same_at_any_number_of_jobs() {
    let folder = tempfile::tempdir().expect("a folder");
    let report = |jobs: &str, count: &str| {
        let args = ["--check", "roundtrip", "--count", count, "--coverage", "-q", jobs];
        let ran = lir_fuzz(folder.path(), &args);
        assert_eq!(ran.status, 0, "{}{}", ran.out, ran.err);
        // The first line has a time.
        ran.out.split_once('\n').expect("there are lines").1.to_string()
    };
    let one = report("-j1", "60");
    assert_eq!(one, report("-j3", "60"));
    assert!(one.contains("\noperations: ") || one.starts_with("operations: "), "{one}");
    for text in ["cells reached", "the opcode has no such type", " holes\n", "memory operands: ", "conversions: "] {
        assert!(one.contains(text), "`{text}` is not in\n{one}");
    }
    // With fewer modules there are more holes.
    let few = report("-j1", "3");
    assert!(few.lines().count() > one.lines().count(), "{few}");
}

/// A function with a loop and a call, and one that a run line calls.
const REAL_TEXT: &str = "; run: @sum(5) == 30\n\
    func @square(%x: i64) -> i64 {\nentry:\n  %r = mul i64 %x, %x\n  ret %r\n}\n\
    func @sum(%n: i64) -> i64 {\nentry:\n  %s = const i64 0\n  %i = const i64 0\n  jmp loop\nloop:\n\
    \x20 %q = call i64 @square(%i)\n  %s = add i64 %s, %q\n  %i = add i64 %i, 1\n\
    \x20 %c = icmp slt i64 %i, %n\n  br %c, loop, done\ndone:\n  ret %s\n}\n";

#[test]
fn mutants_are_the_same_at_any_number_of_jobs() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("real.lir"), REAL_TEXT).expect("the file is written");
    let counts = ["-j1", "-j3"].map(|jobs| {
        let ran = lir_fuzz(folder.path(), &["--mutate", "real.lir", "--count", "24", jobs]);
        assert_eq!(ran.status, 0, "{}{}", ran.out, ran.err);
        let last = ran.out.lines().last().unwrap_or_default().to_string();
        let upto = last.find(" functions,").unwrap_or_else(|| panic!("{last}"));
        last[..upto].to_string()
    });
    assert!(counts[0].starts_with("24 modules, "), "{counts:?}");
    assert_eq!(counts[0], counts[1]);
}

#[test]
fn a_planted_miscompile_is_found_in_mutants_and_reduced() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    std::fs::write(folder.join("real.lir"), REAL_TEXT).expect("the file is written");
    let args = ["--pipeline", "plant-swapped-predicate", "--mutate", "real.lir", "--count", "60", "-j2"];
    let ran = lir_fuzz(folder, &args);
    assert_eq!(ran.status, 1, "{}{}", ran.out, ran.err);
    // There may be endless loops, too.
    let mut findings = std::fs::read_dir(folder.join("findings")).expect("there are findings");
    let mut names = findings.by_ref().map(|f| f.expect("readable").file_name().into_string().expect("plain"));
    let name = names.find(|name| name.starts_with("miscompile")).expect("one is a miscompile");
    let file = format!("findings/{name}");
    let text = std::fs::read_to_string(folder.join(&file)).expect("the file");
    assert!(text.contains("(anew:   lir-fuzz --mutate real.lir --seed "), "{text}");
    let reduced = lir_fuzz(folder, &["--reduce", &file, "-o", "small.lir"]);
    assert_eq!(reduced.status, 0, "{}", reduced.err);
    let small = std::fs::read_to_string(folder.join("small.lir")).expect("the result");
    assert!(small.lines().count() <= 12, "{small}");
}

#[test]
fn numbers_are_described_by_their_subject() {
    for (option, expected) in [
        ("--count=-1", "a number of modules is expected"),
        ("--seed=x", "a seed is expected"),
        ("--show=99999999999999999999999", "a seed is expected, at most 18446744073709551615"),
        ("--memory=-1", "a number of megabytes is expected"),
        ("--memory=0", "0 MB are too few for a child: say --memory 512 or more"),
    ] {
        let ran = lir_fuzz(Path::new("."), &[option]);
        assert!(ran.status == 2 && ran.err.contains(expected), "{option}: {}", ran.err);
    }
}

#[test]
fn there_must_be_text_to_change() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("bad.lir"), "no module\n").expect("the file is written");
    for path in [".", "bad.lir", "missing.lir"] {
        let ran = lir_fuzz(folder.path(), &["--mutate", path, "--count", "1"]);
        assert!(ran.status == 1 && ran.err.starts_with(&format!("error: {path}")), "{path}: {}", ran.err);
    }
    std::fs::write(folder.path().join("q.ssa"), "export function $f() {\n@s\n\tret\n}\n").expect("the file is written");
    let ran = lir_fuzz(folder.path(), &["--mutate", "q.ssa", "--count", "1"]);
    assert!(ran.err.contains("help: convert it to LIR: `lir-import qbe q.ssa -o q.lir`"), "{}", ran.err);
}

#[test]
fn after_the_last_seed_comes_the_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let ran = lir_fuzz(folder.path(), &["--seed", "18446744073709551615", "--count", "2", "--check", "roundtrip"]);
    assert!(ran.status == 0 && ran.out.contains("2 modules, "), "{}{}", ran.out, ran.err);
}

#[test]
fn a_result_that_is_not_specified_is_no_miscompile() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    // The bug is there, but the result depends on uninitialised memory.
    let text = "; finding: miscompile in passes plant-swapped-predicate\n; run: @f(1)\nfunc @f(%a: i64) -> i64 {\n  \
                stack $s: 8\nentry:\n  %b = load i64 [$s]\n  %c = icmp slt i64 %b, %a\n  \
                %r = zext i8 %c to i64\n  ret %r\n}\n";
    std::fs::write(folder.join("a.lir"), text).expect("a file");
    let ran = lir_fuzz(folder, &["--replay", "a.lir"]);
    assert!(ran.status == 1 && ran.out.contains("but unspecified: "), "{}", ran.out);
    let written = text.replace("entry:\n", "entry:\n  store i64 [$s], 0\n");
    std::fs::write(folder.join("a.lir"), written).expect("a file");
    assert_eq!(lir_fuzz(folder, &["--replay", "a.lir"]).status, 0);
}

/// Random programs by seeds, each with one number as the sum of what it computed, compared with another answer; a crash
/// is found like any other failure, and the tool continues.
#[test]
fn random_programs_are_compared_and_crashes_contained() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let show = |seed: &str| lir_fuzz(folder, &["--show", seed]).out;
    assert_eq!(show("17"), show("17"));
    assert_ne!(show("17"), show("18"));
    let clean = lir_fuzz(folder, &["--seed", "17", "--count", "6", "--check", "interpreter,passes", "-q", "-j2"]);
    assert_eq!(clean.status, 0, "{}{}", clean.out, clean.err);
    let args = ["--seed", "0", "--count", "12", "--check", "interpreter", "--pipeline", "plant-abort", "-q", "-j2"];
    let crashed = lir_fuzz(folder, &args);
    assert!(crashed.status == 1 && crashed.out.contains("crash SIGABRT"), "{}{}", crashed.out, crashed.err);
    assert!(crashed.out.contains("12 modules, "), "{}", crashed.out);
}

/// A `--memory` above the limit of the process is refused at the start: every failed allocation would be a finding.
#[test]
fn memory_that_the_system_does_not_give_is_an_error_at_the_beginning() {
    let tool = env!("CARGO_BIN_EXE_lir-fuzz");
    let script = "ulimit -v 2000000; \"$0\" --count 1 --memory 3000";
    let output = Command::new("sh").args(["-c", script, tool]).output().expect("a shell");
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(err.contains("a child may have 3000 MB, but this process may have 1953 MB"), "{err}");
}
