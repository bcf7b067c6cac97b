//! One program for all tools: by its first argument, and by the name of a link to it.

use std::path::Path;
use std::process::{Command, Output};

const PROGRAM: &str = env!("CARGO_BIN_EXE_lir");
const SUM: &str = "func @f(%x: i32) -> i32 {\nentry:\n  %y = add i32 %x, 0\n  ret %y\n}\n";

/// Runs a program. Returns its status, and the texts on its standard output and error.
fn run(program: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = Command::new(program).args(arguments).output().expect("it can be started");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it prints UTF-8");
    (status.code(), text(stdout), text(stderr))
}

#[test]
fn a_tool_is_the_first_argument_or_a_link() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("f.lir");
    std::fs::write(&file, SUM).expect("a file can be written");
    let file = file.to_str().expect("its name is UTF-8");
    let optimised = "func @f(%x: i32) -> i32 {\nentry:\n  ret %x\n}\n";
    for (tool, arguments, printed) in [
        ("opt", &["-O1", file][..], optimised),
        ("run", &["--call", "@f(7)", file], "i32 7\n"),
        ("llc", &["--emit=bin", "-o", "/dev/null", file], ""),
        ("import", &["qbe", "/dev/null"], ""),
    ] {
        let expected = (Some(0), printed.to_string(), String::new());
        assert_eq!(run(Path::new(PROGRAM), &[&[tool], arguments].concat()), expected);
        let full = format!("lir-{tool}");
        assert_eq!(run(Path::new(PROGRAM), &[&[full.as_str()], arguments].concat()), expected);
        let link = folder.path().join(&full);
        std::os::unix::fs::symlink(PROGRAM, &link).expect("a link can be made");
        assert_eq!(run(&link, arguments), expected);
    }
}

#[test]
fn every_tool_answers_by_its_own_name() {
    for tool in ["opt", "llc", "run", "check", "reduce", "fuzz", "import"] {
        let (status, printed, said) = run(Path::new(PROGRAM), &[tool, "--help"]);
        assert!(status == Some(0) && printed.contains(&format!("Usage: lir-{tool} ")), "{printed}{said}");
        let (status, _, said) = run(Path::new(PROGRAM), &[tool, "--no-such-option"]);
        assert!(status != Some(0) && said.contains("--no-such-option"), "{said}");
    }
}

#[test]
fn unknown_tools_are_errors() {
    let (status, printed, said) = run(Path::new(PROGRAM), &["optt"]);
    assert_eq!((status, printed.as_str()), (Some(2), ""));
    assert_eq!(
        said,
        "error: there is no tool `optt`; did you mean `opt`?\nThe tools are: opt, llc, run, check, reduce, fuzz, import\n"
    );
    let (status, printed, said) = run(Path::new(PROGRAM), &[]);
    assert!((status, printed.as_str()) == (Some(2), "") && said.starts_with("error: no tool is named\n"), "{said}");
    let (status, printed, _) = run(Path::new(PROGRAM), &["--help"]);
    assert!(status == Some(0) && printed.contains("\n  import  translates QBE"), "{printed}");
    assert_eq!(run(Path::new(PROGRAM), &["--version"]).1, concat!("lir ", env!("CARGO_PKG_VERSION"), "\n"));
}
