//! The tool `lir-opt` from the user's view: its output streams and its exit status.

use crate::lir_opt_tool::lir_opt;
use std::fs;

/// Two functions, the first not in SSA form.
const TWICE: &str = include_str!("lir_opt_tool/twice.lir");

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
    let ran = lir_opt(&["--function", "@hhh", "-p", "dce"], TWICE);
    assert_eq!((ran.status, ran.err.as_str()), (1, "error: there is no function @hhh with a body\n"));
    let ran = lir_opt(&["--function", "gg"], &TWICE.replace("@g", "@gh"));
    assert_eq!(ran.err, "error: there is no function @gg with a body; did you mean `@gh`?\n");
}

#[test]
fn a_pass_that_needs_ssa_form_names_the_register_and_the_remedy() {
    let ran = lir_opt(&["-p", "gvn"], TWICE);
    assert_eq!((ran.status, ran.out.as_str()), (1, ""));
    let expected = "\
<stdin>:4:3: error: pass `gvn` needs SSA form, but %a is assigned more than once
    %a = add i32 %a, %x
    ^^
<stdin>:3:3: note: first assigned here
    %a = const i32 1
    ^^
<stdin>:4:3: note: assigned again here
    %a = add i32 %a, %x
    ^^
<stdin>: note: run the pass `ssa` before it
";
    assert_eq!(ran.err, expected);
    assert_eq!(lir_opt(&["-p", "ssa,gvn"], TWICE).status, 0);
}

#[test]
fn a_wrong_command_line_is_status_2() {
    let cases: [(&[&str], &str); 15] = [
        (&["-p", "dec"], "there is no pass `dec`; did you mean `dce` or `dse`?"),
        (&["-p", "gvn{nothing=1}"], "pass `gvn` has no option `nothing`"),
        (&["-p", "gvn{crumb=on}"], "pass `gvn` has no option `crumb`; did you mean `crumbs`?"),
        (&["-p", "gvn{crumbs=maybe}"], "option `crumbs` of pass `gvn` is `on` or `off`, not `maybe`"),
        (&["-p", "fixpoint(dce"], "expected `,` or `)` at column 13 of the pipeline"),
        (&["--dot=tree"], "possible values: cfg, dom, calls"),
        (&["--opt-bisect-limit=-2"], "a number of steps is expected, or -1 for all"),
        (&["--stats=xml"], "possible values: text, json"),
        (&["-j", "many"], "a number of threads is expected"),
        (&["--print-chnged"], "a similar argument exists: '--print-changed'"),
        (&["a.lir", "b.lir"], "unexpected argument 'b.lir'"),
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
fn lists_are_complete() {
    let ran = lir_opt(&["--list-passes"], "");
    let expected = |line: String| assert!(ran.out.lines().any(|l| l == line), "{line}\n{}", ran.out);
    let width = lir_opt::passes::PASSES.iter().map(|p| p.name.len()).max().expect("there are passes");
    for pass in lir_opt::passes::PASSES {
        let refuses = lir_opt(&["-p", pass.name], TWICE).status == 1;
        let form = match (refuses, pass.name) {
            (true, _) => " (needs SSA form)",
            (false, "phi-coalesce") => " (ends SSA form)",
            (false, _) => "",
        };
        expected(format!("{:width$}  {}{form}", pass.name, pass.summary));
        assert_eq!(lir_opt(&["-p", pass.name], "").status, 0, "{}", pass.name);
    }
    expected(format!("{:width$}    {{pure-calls=off}}  number calls of readnone functions", ""));
    // A pass that plants a bug can be named and is not shown.
    assert!(!ran.out.contains("plant"));
    assert_eq!(lir_opt(&["-p", "plant-swapped-predicate"], TWICE).status, 0);
    let pipeline = lir_opt(&["--print-pipeline", "-O2"], "").out;
    assert_eq!(lir_opt(&["--print-pipeline", "-p", pipeline.trim()], "").out, pipeline);
    assert_eq!(lir_opt(&["-p", pipeline.trim()], TWICE).out, lir_opt(&["-O2"], TWICE).out);
}

#[test]
fn many_threads_change_nothing() {
    let mut text = String::new();
    for k in 0..300 {
        text.push_str(&TWICE.replace("@f", &format!("@f{k}")).replace("@g", &format!("@g{k}")));
    }
    let one = lir_opt(&["-O2", "-j1", "--print-changed", "--stats"], &text);
    assert_eq!(one.status, 0);
    for jobs in ["-j2", "--jobs=7"] {
        let many = lir_opt(&["-O2", jobs, "--print-changed", "--stats"], &text);
        assert!(many.out == one.out && many.err == one.err, "{jobs}");
    }
    // Errors, too, are in the order of the text.
    let one = lir_opt(&["-p", "gvn", "-j1", "--error-limit=40"], &text);
    assert_eq!(one.err.matches(": error: ").count(), 40);
    assert_eq!(lir_opt(&["-p", "gvn", "-j2", "--error-limit=40"], &text).err, one.err);
}

#[test]
fn pipelines_have_options_and_groups() {
    let text = "\
func @f(%x: i32) -> i32 {
entry:
  %a = add i32 %x, 1
  %b = add i32 %x, 1
  %c = sub i32 %a, %b
  ret %c
}
";
    let crumbs = lir_opt(&["-p", "gvn{crumbs=on}"], text).out;
    assert!(crumbs.contains("%b = copy i32 %a"), "{crumbs}");
    let cleaned = lir_opt(&["--passes", " gvn{crumbs} , fixpoint{max=4}(copy-prop,dce)"], text).out;
    assert_eq!(cleaned, lir_opt(&["-p", "gvn"], text).out);
    assert_eq!(lir_opt(&["-p", "gvn{crumbs=off}"], text).out, cleaned);
    assert_eq!(lir_opt(&["-p", ""], text).out, text);
}

#[test]
fn several_errors_are_reported_up_to_a_limit() {
    let text = format!("func @f() {{\nentry:\n{}  ret\n}}\n", "  frob\n".repeat(50));
    for (args, errors) in [(&["-"][..], 20), (&["--error-limit=3"], 3), (&["--error-limit", "0"], 50)] {
        let ran = lir_opt(args, &text);
        assert_eq!((ran.status, ran.err.matches(": error: ").count()), (1, errors), "{}", ran.err);
    }
}

#[test]
fn help_and_version_go_to_standard_output() {
    let ran = lir_opt(&["--help"], "");
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    let options = "--passes -O --function --verify-each --print-after --print-changed --time-passes --stats --dot \
                   --syntax-tree --opt-bisect-limit --list-passes --print-pipeline --output --jobs --error-limit";
    for option in options.split(' ') {
        assert!(ran.out.contains(option), "{option}");
    }
    let ran = lir_opt(&["--version"], "");
    assert_eq!((ran.status, ran.out), (0, format!("lir-opt {}\n", env!("CARGO_PKG_VERSION"))));
}

#[test]
fn an_output_file_appears_whole_or_not_at_all() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("out.lir");
    let out = path.to_str().expect("a name");
    let ran = lir_opt(&["-p", "dce", "-o", out], TWICE);
    assert_eq!((ran.status, ran.out.as_str()), (0, ""));
    let whole = fs::read_to_string(&path).expect("it was written");
    assert_eq!(whole, lir_opt(&["-p", "dce"], TWICE).out);
    // A failed run does not change it.
    assert_eq!(lir_opt(&["-p", "gvn", "-o", out], TWICE).status, 1);
    assert_eq!(lir_opt(&["-o", out], "func").status, 1);
    assert_eq!(fs::read_to_string(&path).expect("it is there"), whole);
    assert_eq!(fs::read_dir(folder.path()).expect("it is there").count(), 1);
    // A file is read completely before it is written, so it may be both.
    assert_eq!(lir_opt(&["-p", "ssa", "--output", out, out], "").status, 0);
    assert_eq!(fs::read_to_string(&path).expect("it is there"), lir_opt(&["-p", "dce,ssa", "-o", "-"], TWICE).out);
    let ran = lir_opt(&["-o", &format!("{out}/x")], TWICE);
    assert_eq!((ran.status, ran.err), (1, format!("{out}/x: error: not a directory\n")));
}
