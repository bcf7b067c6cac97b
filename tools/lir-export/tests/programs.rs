//! The programs of `testdata/programs`, exported and compiled by LLVM without and with its optimizer: each must print
//! the expected text.

use crate::llvm::{Llvm, run};
use lir_export::llvm::{Traps, export};
use lir_testing::files::{module_of, programs, stem};
use lir_testing::trials::{self, Failed, Trial};
use std::path::Path;
use std::process::Command;

#[test]
fn programs_print_the_same() {
    let Some(llvm) = Llvm::find() else { return };
    let mut trials = Vec::new();
    for path in programs() {
        for level in ["-O0", "-O2"] {
            let program = path.clone();
            trials.push(Trial::test(format!("{}{level}", stem(&path)), move || prints_the_same(llvm, &program, level)));
        }
    }
    assert!(!trials.is_empty(), "there are programs");
    trials::run(trials);
}

fn prints_the_same(llvm: Llvm, path: &Path, level: &str) -> Result<(), Failed> {
    let text = export(&module_of(path)?, Traps::Instruction).map_err(|e| format!("{e:?}"))?;
    let folder = tempfile::tempdir()?;
    let at = folder.path();
    std::fs::write(at.join("in.ll"), text)?;
    let input = match level {
        "-O0" => "in.ll",
        _ => {
            llvm.run(at, "opt", &[level, "in.ll", "-o", "opt.bc"])?;
            "opt.bc"
        }
    };
    llvm.run(at, "llc", &[level, input, "-relocation-model=pic", "-filetype=obj", "-o", "out.o"])?;
    run(at, "cc", &["out.o", "-lm", "-o", "program"])?;
    let arguments = std::fs::read_to_string(path.with_extension("arg"))?;
    let ran = Command::new(at.join("program")).args(arguments.split_whitespace()).output()?;
    if ran.stdout == std::fs::read(path.with_extension("expect"))? {
        return Ok(());
    }
    Err(format!("{}: it printed\n{}", ran.status, String::from_utf8_lossy(&ran.stdout)).into())
}
