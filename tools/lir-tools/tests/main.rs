//! One program for all tools: by its first argument, and by the name of a link to it.

use lir_testing::process::{self, Ran};
use std::path::Path;
use std::process::Command;

const PROGRAM: &str = env!("CARGO_BIN_EXE_lir");
const SUM: &str = "func @f(%x: i32) -> i32 {\nentry:\n  %y = add i32 %x, 0\n  ret %y\n}\n";

fn run(program: &Path, arguments: &[&str]) -> Ran {
    process::run(Command::new(program).args(arguments), "")
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
        ("export", &["llvm", "-o", "/dev/null", file], ""),
    ] {
        let expected = Ran { status: 0, out: printed.to_string(), err: String::new() };
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
    for tool in ["opt", "llc", "run", "check", "reduce", "fuzz", "import", "export"] {
        let Ran { status, out, err } = run(Path::new(PROGRAM), &[tool, "--help"]);
        assert!(status == 0 && out.contains(&format!("Usage: lir-{tool} ")), "{out}{err}");
        let Ran { status, err, .. } = run(Path::new(PROGRAM), &[tool, "--no-such-option"]);
        assert!(status != 0 && err.contains("--no-such-option"), "{err}");
    }
}

#[test]
fn unknown_tools_are_errors() {
    let Ran { status, out, err } = run(Path::new(PROGRAM), &["optt"]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert_eq!(
        err,
        "error: there is no tool `optt`; did you mean `opt`?\nThe tools are: opt, llc, run, check, reduce, fuzz, import, export\n"
    );
    let Ran { status, out, err } = run(Path::new(PROGRAM), &[]);
    assert!((status, out.as_str()) == (2, "") && err.starts_with("error: no tool is named\n"), "{err}");
    let Ran { status, out, .. } = run(Path::new(PROGRAM), &["--help"]);
    assert!(status == 0 && out.contains("\n  import  translates QBE"), "{out}");
    assert_eq!(run(Path::new(PROGRAM), &["--version"]).out, concat!("lir ", env!("CARGO_PKG_VERSION"), "\n"));
}
