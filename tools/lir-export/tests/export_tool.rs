//! The tool `lir-export` as users run it.

use lir_testing::contract::Contract;
use lir_testing::process::{Ran, run};
use std::process::Command;

#[test]
fn files_options_and_outputs() {
    Contract {
        binary: env!("CARGO_BIN_EXE_lir-export"),
        arguments: &["llvm"],
        right: "func @main() -> i32 {\nentry:\n  ret 0\n}\n",
        wrong: "func @f() {\nentry:\n  oops\n  oops\n  oops\n  ret\n}\n",
        input: 1,
        usage: 2,
        ending: Some(".ll"),
        jobs: true,
    }
    .holds();
}

#[test]
fn traps_call_a_function_on_request() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("x.lir");
    let export = |text: &str| {
        std::fs::write(&file, text).expect("the folder takes a file");
        run(Command::new(env!("CARGO_BIN_EXE_lir-export")).args(["llvm", "--traps=call"]).arg(&file), "")
    };
    let Ran { status, out, err } = export("func @f() {\nentry:\n  unreachable\n}\n");
    assert!(status == 0 && out.contains("call void @lir_trap(i32 3)\n  unreachable\n"), "{out}{err}");
    let Ran { status, err, .. } = export("func @lir_trap() {\nentry:\n  unreachable\n}\n");
    assert!(status == 1 && err.contains("x.lir:1:6: error: a symbol has the name"), "{err}");
    // The tool also reads the languages that the other tools read.
    let qbe = folder.path().join("x.ssa");
    std::fs::write(&qbe, "export function w $f() {\n@start\n\tret 7\n}\n").expect("the folder takes a file");
    let Ran { out, .. } = run(Command::new(env!("CARGO_BIN_EXE_lir-export")).arg("llvm").arg(&qbe), "");
    assert!(out.contains("define i32 @f()") && out.contains("ret i32 7"), "{out}");
}
