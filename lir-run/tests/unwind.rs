//! In-process code and the unwinder: C++ exceptions, `backtrace`, and walks from every single instruction. See
//! `testdata/unwind`. In a process of their own: they step through code by a handler of SIGTRAP.

use crate::own_process;
use lir_llc::options::CompileOptions;
use lir_llc::options::RelocModel;
use lir_llc::regalloc::ALLOCATORS;
use lir_opt::{Level, Pipeline, RunOptions, optimize};
use lir_run::interp::Outcome;
use lir_run::jit::Jit;
use lir_run::symbols::HostSymbols;
use lir_testing::files::{module_of, testdata};
use std::process::Command;

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../testdata/unwind");

#[test]
fn exceptions_and_walks_pass_through_in_process_code() {
    if own_process::passes(exceptions_and_walks_pass_through_in_process_code) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join("libhost.so").display().to_string();
    let args = ["-mno-red-zone", "-O2", "-fPIC", "-shared", &format!("{DATA}/host.cpp"), "-o", &library];
    let Ok(built) = Command::new("c++").args(args).output() else {
        eprintln!("skipped: there is no C++ compiler `c++`");
        return;
    };
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let host = HostSymbols::new(&[&library]).expect("the library is loaded");
    for level in [Level::O0, Level::O2] {
        let mut module = module_of(&testdata("unwind/frames.lir")).unwrap();
        optimize(&mut module, &Pipeline::of_level(level), &RunOptions::default()).expect("optimised");
        let model = RelocModel::Jit;
        let allocator = ALLOCATORS[0];
        let options = CompileOptions { model, allocator: Some(allocator), ..CompileOptions::default() };
        // The second time after the frames of the first were forgotten.
        for _ in 0..2 {
            let jit = Jit::new(module.clone(), &options, &host).expect("linked");
            let check = module.funcs.iter().find(|(_, f)| *module.decls.syms[f.sym].name == *b"check");
            match jit.call(check.expect("@check").0, &[]).expect("called") {
                Outcome::Return(Some(failures)) => {
                    assert_eq!(failures.as_scalar().map(|v| v.bits), Some(0), "{level:?}")
                }
                other => panic!("{level:?}: {other:?}"),
            }
        }
    }
}
