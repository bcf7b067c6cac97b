//! The tool `lir-opt` as a user meets it: what it prints where, and its exit status.

use std::io::Write;
use std::process::{Command, Stdio};

struct Ran {
    status: i32,
    out: String,
    err: String,
}

fn lir_opt(args: &[&str], input: &str) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_lir-opt"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the tool starts");
    // A tool that does not read its input closes it.
    let _ = child.stdin.take().expect("it is piped").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("the tool ends");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    Ran { status: output.status.code().unwrap_or(-1), out: text(output.stdout), err: text(output.stderr) }
}

const TWICE: &str = "\
func @f(%x: i32) -> i32 {
entry:
  %a = const i32 1
  %a = add i32 %a, %x
  ret %a
}

func @g() {
entry:
  %k = const i32 3
  ret
}
";

#[test]
fn without_passes_the_text_comes_back() {
    let ran = lir_opt(&[], TWICE);
    assert_eq!((ran.status, ran.out.as_str(), ran.err.as_str()), (0, TWICE, ""));
    assert_eq!(lir_opt(&["-O0", "-"], TWICE).out, TWICE);
}

#[test]
fn wrong_input_is_status_1() {
    let ran = lir_opt(&[], "func @f() {\nentry:\n  %x = add i32 %y, 1\n  frob\n}\n");
    assert_eq!((ran.status, ran.out.as_str()), (1, ""));
    assert!(ran.err.contains("<stdin>:4:3: error: "), "{}", ran.err);
    let ran = lir_opt(&["no such file.lir"], "");
    assert_eq!((ran.status, ran.err.as_str()), (1, "no such file.lir: error: no such file or directory\n"));
    let ran = lir_opt(&["--function", "@h", "-p", "dce"], TWICE);
    assert_eq!((ran.status, ran.err.as_str()), (1, "error: there is no function @h with a body\n"));
}

#[test]
fn a_pass_that_needs_ssa_form_names_the_register_and_the_remedy() {
    let ran = lir_opt(&["-p", "gvn"], TWICE);
    assert_eq!((ran.status, ran.out.as_str()), (1, ""));
    let expected = "\
<stdin>:4:3: error: pass `gvn` needs SSA form, but %a is assigned more than once
    %a = add i32 %a, %x
    ^
<stdin>:3:3: note: first assigned here
    %a = const i32 1
    ^
<stdin>:4:3: note: assigned again here
    %a = add i32 %a, %x
    ^
<stdin>: note: run the pass `ssa` before it
";
    assert_eq!(ran.err, expected);
    assert_eq!(lir_opt(&["-p", "ssa,gvn"], TWICE).status, 0);
}

#[test]
fn a_wrong_command_line_is_status_2() {
    let cases: [(&[&str], &str); 6] = [
        (&["-p", "dec"], "there is no pass `dec`; did you mean `dce`?"),
        (&["-p", "gvn{nothing=1}"], "pass `gvn` has no option `nothing`"),
        (&["-O3"], "the levels are 0, 1 and 2"),
        (&["-O1", "-p", "dce"], "cannot be used with"),
        (&["--print-after=dce,gnv"], "there is no pass `gnv`; did you mean `gvn` or `lvn`?"),
        (&["--frobnicate"], "--frobnicate"),
    ];
    for (args, message) in cases {
        let ran = lir_opt(args, TWICE);
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{args:?}");
        assert!(ran.err.contains(message), "{args:?}: {}", ran.err);
    }
}

#[test]
fn lists_say_what_exists() {
    let ran = lir_opt(&["--list-passes"], "");
    for pass in lir_opt::registry::PASSES {
        assert!(ran.out.lines().any(|l| l.starts_with(&format!("{} ", pass.name))), "{}", pass.name);
    }
    let pipeline = lir_opt(&["--print-pipeline", "-O2"], "").out;
    assert_eq!(lir_opt(&["--print-pipeline", "-p", pipeline.trim()], "").out, pipeline);
    assert_eq!(lir_opt(&["-p", pipeline.trim()], TWICE).out, lir_opt(&["-O2"], TWICE).out);
}

#[test]
fn instruments_print_on_standard_error() {
    let ran = lir_opt(&["-p", "dce,constfold", "--print-after=dce", "--function=g", "--verify-each"], TWICE);
    assert_eq!(ran.err, "; after dce\nfunc @g() {\nentry:\n  ret\n}\n\n");
    assert!(ran.out.contains("add i32 %a, %x"), "the other function is left as it was: {}", ran.out);
    let ran = lir_opt(&["-p", "dce,dce,constfold", "--print-changed"], TWICE);
    assert_eq!(ran.err, "; after dce\nfunc @g() {\nentry:\n  ret\n}\n\n");
    let ran = lir_opt(&["-p", "dce,dce", "--print-after=all", "--function=g"], TWICE);
    assert!(ran.err.contains("; after dce (no change)\n"), "{}", ran.err);
    assert_eq!(lir_opt(&["-p", "dce", "--stats"], TWICE).err, "         1 dce: instructions removed\n");
    let ran = lir_opt(&["-p", "dce", "--stats=json"], TWICE);
    assert_eq!(ran.err, "{\n  \"dce\": {\"instructions removed\": 1}\n}\n");
    let ran = lir_opt(&["-p", "dce", "--time-passes"], TWICE);
    assert!(ran.err.contains("dce (2 runs)"), "{}", ran.err);
}

#[test]
fn many_threads_change_nothing() {
    let mut text = String::new();
    for k in 0..300 {
        text.push_str(&TWICE.replace("@f", &format!("@f{k}")).replace("@g", &format!("@g{k}")));
    }
    let one = lir_opt(&["-O2", "-j1", "--print-changed", "--stats"], &text);
    assert_eq!(one.status, 0);
    for jobs in ["-j2", "-j7"] {
        let many = lir_opt(&["-O2", jobs, "--print-changed", "--stats"], &text);
        assert!(many.out == one.out && many.err == one.err, "{jobs}");
    }
    // Errors too come in the order of the text.
    let one = lir_opt(&["-p", "gvn", "-j1", "--error-limit=40"], &text);
    assert_eq!(one.err.matches(": error: ").count(), 40);
    assert_eq!(lir_opt(&["-p", "gvn", "-j2", "--error-limit=40"], &text).err, one.err);
}
