//! Tests the messages and the output of a tool that panics, which `plant-panic` causes.

use lir_testing::process::{Ran, run};
use std::path::Path;
use std::process::Command;

/// A module of this many functions, one of which makes `plant-panic` panic.
fn module(functions: usize) -> String {
    let plain = |k| format!("func @f{k}(%a: i32) -> i32 {{\nentry:\n  ret %a\n}}\n");
    let product = "func @\"a b\"(%a: i32) -> i32 {\nentry:\n  %c = mul i32 %a, 3\n  ret %c\n}\n";
    (0..functions / 2).map(plain).chain([product.to_string()]).chain((functions / 2..functions).map(plain)).collect()
}

fn lir_opt(args: &[&str], input: &str, environment: &[(&str, &str)]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lir-opt"));
    command.args(args).env_remove("RUST_BACKTRACE").envs(environment.iter().copied());
    run(&mut command, input)
}

/// The lines of a tool that failed here, and the two files that they name: the whole input, and the smaller one.
fn reproducers_of(said: &str, failed: &str) -> [String; 2] {
    let lines: Vec<&str> = said.lines().collect();
    let [whole, "note: looking for a smaller reproducer", smaller] = lines[..] else { panic!("{said}") };
    let whole = whole.strip_prefix(&format!("internal error in {failed}; reproducer: ")).expect(said);
    let smaller = smaller.strip_prefix("note: smaller reproducer: ").expect(said);
    [whole, smaller].map(|path| std::fs::read_to_string(path).expect(said))
}

/// Runs passes that panic. Returns the smaller reproducer.
fn reproducer_of(args: &[&str], text: &str, failed: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let said = lir_opt(args, text, &[("LIR_REPRODUCERS", folder.path().to_str().unwrap())]).err;
    let [whole, smaller] = reproducers_of(&said, failed);
    assert!(whole.ends_with(text), "{whole}");
    smaller
}

#[test]
fn a_panic_is_one_line_and_a_reproducer() {
    let folder = tempfile::tempdir().unwrap();
    let reproducers = folder.path().display().to_string();
    let environment = [("LIR_REPRODUCERS", reproducers.as_str())];
    let text = module(200);
    let file = folder.path().join("it's.txt").display().to_string();
    std::fs::write(&file, &text).unwrap();
    for (args, input) in [
        (vec!["-p", "plant-panic", "-j1"], &*text),
        (vec!["-p", "dce,plant-panic", "-j4", "-"], &text),
        (vec!["-p", "plant-panic", &file], ""),
    ] {
        let output = lir_opt(&args, input, &environment);
        let said = output.err;
        assert_eq!((output.status, &*output.out), (70, ""), "{said}");
        let [whole, reproducer] = reproducers_of(&said, "pass plant-panic on @\"a b\"");
        let lines: Vec<&str> = reproducer.lines().collect();
        let command =
            format!("lir-opt {}", args.join(" ")).replace(&file, &format!("'{}'", file.replace('\'', "'\\''")));
        assert_eq!(lines[0], "; lir-opt -p plant-panic");
        assert!(lines[1].starts_with("; internal error in pass plant-panic on @\"a b\": planted ("), "{}", lines[1]);
        assert_eq!(lines[2], format!("; The input of the step that failed, in: {command}"));
        assert_eq!(whole, format!("; {command}\n{}\n{text}", lines[1]));
        // It is the same module, and shows the panic again.
        assert_eq!(lir_opt(&[], &reproducer, &[]).out, lir_opt(&[], &text, &[]).out);
        assert_eq!(lir_opt(&["-p", "plant-panic"], &reproducer, &environment).status, 70);
    }
}

/// A shell reads the command, whatever the function is called.
#[test]
fn the_command_of_a_reproducer_is_quoted() {
    let folder = tempfile::tempdir().unwrap();
    let environment = [("LIR_REPRODUCERS", folder.path().to_str().unwrap())];
    let text = "func @\"it's $(x)\"(%a: i32) -> i32 {\nentry:\n  %c = mul i32 %a, 3\n  ret %c\n}\n";
    let said = lir_opt(&["-p", "ssa,plant-panic", "--function", "@\"it's $(x)\""], text, &environment).err;
    let path = said.trim_end().rsplit(' ').next().expect("a path");
    let reproducer = std::fs::read_to_string(path).expect(&said);
    let command = reproducer.lines().next().and_then(|line| line.strip_prefix("; lir-opt ")).expect(&reproducer);
    let line = format!("{} {command} {path}", env!("CARGO_BIN_EXE_lir-opt"));
    let again = Command::new("sh").args(["-c", &line]).env(environment[0].0, environment[0].1).output().unwrap();
    assert_eq!(again.status.code(), Some(70), "{line}: {}", String::from_utf8_lossy(&again.stderr));
}

/// The reproducer of a run of a pass is the module before that run, with the options of the run.
#[test]
fn a_reproducer_begins_at_the_run_that_failed() {
    // The product is there after gvn found two equal ones, before that a function without products.
    let text = "func @other(%a: i32) -> i32 {\nentry:\n  ret %a\n}\n\nfunc @f(%a: i32) -> i32 {\nentry:\n  \
                %b = add i32 %a, 7\n  %c = mul i32 %b, 3\n  %d = mul i32 %b, 3\n  %e = add i32 %c, %d\n  ret %e\n}\n";
    let args = ["-p", "gvn{mem=off},plant-panic,dce", "-j2"];
    let reproducer = reproducer_of(&args, text, "pass plant-panic on @f");
    assert_eq!(reproducer.matches("mul").count(), 1, "{reproducer}");
    assert!(reproducer.contains("; lir-opt -p plant-panic\n"), "{reproducer}");
}

/// In a group, the run that failed is a later iteration of a pass that the pipeline has once.
#[test]
fn a_reproducer_begins_at_the_iteration_that_failed() {
    // The factor is a constant operand from the end of the first iteration on.
    let text = "func @f(%a: i32) -> i32 {\nentry:\n  %k = const i32 3\n  %c = mul i32 %a, %k\n  ret %c\n}\n";
    let reproducer = reproducer_of(&["-p", "fixpoint(plant-panic,constfold)"], text, "pass plant-panic#1.2 on @f");
    assert!(reproducer.starts_with("; lir-opt -p plant-panic\n"), "{reproducer}");
    assert!(reproducer.contains("mul i32 %a, 3"), "{reproducer}");
}

/// The reproducer of an input in another language is in that language, the smaller one in LIR.
#[test]
fn a_reproducer_is_in_the_language_of_its_input() {
    let folder = tempfile::tempdir().unwrap();
    let environment = [("LIR_REPRODUCERS", folder.path().to_str().unwrap())];
    let text = "export function w $f(w %a) {\n@start\n\t%c =w mul %a, 3\n\tret %c\n}\n";
    let said = lir_opt(&["-p", "plant-panic"], text, &environment).err;
    let [whole, smaller] = reproducers_of(&said, "pass plant-panic on @f");
    let lines: Vec<&str> = whole.lines().collect();
    assert!(lines[0] == "# lir-opt -p plant-panic" && lines[1].starts_with("# internal error"), "{whole}");
    assert!(whole.ends_with(text) && smaller.contains("mul i32 %a, 3"), "{whole}\n{smaller}");
    let path = |line: usize| Path::new(said.lines().nth(line).and_then(|l| l.split(": ").last()).expect(&said));
    assert!(path(0).extension().is_some_and(|e| e == "ssa") && path(2).extension().is_some_and(|e| e == "lir"));
    let again = lir_opt(&["-p", "plant-panic", path(0).to_str().unwrap()], "", &environment);
    assert_eq!(again.status, 70, "{}", again.err);
}

#[test]
fn backtraces_come_where_they_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let reproducers = folder.path().display().to_string();
    let environment = [("LIR_REPRODUCERS", reproducers.as_str()), ("RUST_BACKTRACE", "1")];
    let output = lir_opt(&["-p", "plant-panic"], &module(0), &environment);
    let said = output.err;
    assert!(said.contains("panicked at") && said.contains("stack backtrace:"), "{said}");
    assert!(said.contains("\ninternal error in pass plant-panic on @\"a b\"; reproducer: "), "{said}");
    let nowhere = folder.path().join("no");
    let output = lir_opt(&["-p", "plant-panic"], &module(0), &[("LIR_REPRODUCERS", &nowhere.display().to_string())]);
    let said = output.err;
    assert!(output.status == 70 && said.contains("; no reproducer can be written: "), "{said}");
}
