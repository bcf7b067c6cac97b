//! Snapshots of the output of selection and of all code generation for small functions, as text next to the input:
//! `testdata/llc/isel` before allocation, with virtual registers, `testdata/llc/code` as capstone reads the bytes,
//! `testdata/llc/registers` with register contents, and in `testdata/llc/text` every text that `lir-llc` prints.

use capstone::prelude::*;
use lir_llc::compile::compile;
use lir_llc::isa::x64::Cpu;
use lir_llc::isa::x64::isel::{IselScratch, RelocModel, SelectOptions, select};
use lir_llc::lower::prepare;
use lir_llc::mir::{MFunction, printer};
use lir_llc::options::{CompileOptions, Effort};
use lir_llc::regalloc::AllocOptions;
use lir_llc::regalloc::{ALLOCATORS, LINEAR_SCAN};
use lir_opt::pass::fuel::Fuel;
use lir_opt::pass::remarks::Remarks;
use lir_syntax::ir::Module;
use lir_testing::files::{files_in, module_of, testdata};
use lir_testing::process::{Ran, run_in_process};
use std::fmt::Write;
use std::path::Path;

fn name(module: &Module, f: usize) -> String {
    let sym = module.funcs.as_slice()[f].sym;
    String::from_utf8_lossy(&module.decls.syms[sym].name).into_owned()
}

/// Snapshots are next to the input.
fn settings(folder: &str) -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(format!("../../testdata/llc/{folder}"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings
}

#[test]
fn isel() {
    settings("isel").bind(|| {
        insta::glob!("../../testdata/llc/isel", "*.lir", |path| {
            let mut module = module_of(path).unwrap();
            let mut text = String::new();
            for k in 0..module.funcs.len() {
                let f = &mut module.funcs.as_mut_slice()[k];
                prepare(&module.decls, f, (Cpu::V1.has(), Effort::Good), true);
                let mut machine = MFunction::new(&lir_llc::isa::x64::ENV);
                let options = SelectOptions {
                    model: RelocModel::Pie,
                    cpu: Cpu::V1,
                    effort: Effort::Good,
                    tail_calls: true,
                    block_calls: true,
                };
                select(
                    &module.decls,
                    f,
                    options,
                    (&mut IselScratch::default(), &mut Remarks::default(), &mut Fuel::default()),
                    &mut machine,
                )
                .expect("it is selected");
                writeln!(text, "@{}", name(&module, k)).unwrap();
                printer::print(&module.decls, &machine, None, &mut text);
            }
            insta::assert_snapshot!("machine", text);
        });
    });
}

#[test]
fn code() {
    let reader = Capstone::new().x86().mode(arch::x86::ArchMode::Mode64).build().expect("capstone");
    settings("code").bind(|| {
        insta::glob!("../../testdata/llc/code", "*.lir", |path| {
            let mut module = module_of(path).unwrap();
            let options = CompileOptions {
                model: RelocModel::Pie,
                allocator: Some(LINEAR_SCAN),
                allocation: AllocOptions { verify: true, ..AllocOptions::default() },
                ..CompileOptions::default()
            };
            let compiled = compile(&mut module, &options).expect("the function compiles");
            let mut text = String::new();
            for (k, f) in compiled.functions.iter().enumerate() {
                writeln!(text, "@{}", name(&module, k)).unwrap();
                let bytes = &compiled.code.bytes()[f.start as usize..(f.start + f.len) as usize];
                for i in reader.disasm_all(bytes, 0).expect("capstone").iter() {
                    let operands = i.op_str().unwrap_or("");
                    writeln!(text, "{:4x}  {} {operands}", i.address(), i.mnemonic().unwrap_or("?")).unwrap();
                }
            }
            insta::assert_snapshot!("code", text);
        });
    });
}

/// The standard output of `lir-llc` for a file with some options.
fn printed(path: &Path, options: &[&str]) -> String {
    let arguments = ["lir-llc".as_ref(), path.as_os_str()].into_iter().chain(options.iter().map(AsRef::as_ref));
    let Ran { status, out, err } = run_in_process(lir_llc::cli::run, arguments, "");
    assert_eq!((status, &*err), (0, ""), "{options:?}");
    String::from_utf8(out).expect("text")
}

#[test]
fn texts() {
    settings("text").bind(|| {
        insta::glob!("../../testdata/llc/text", "*.lir", |path| {
            for (what, options) in [
                ("asm", &["--emit=asm"][..]),
                ("isel", &["--emit=mir", "--stop-after=isel"]),
                ("mir", &["--emit=mir"]),
                ("disasm", &["--disasm"]),
            ] {
                insta::assert_snapshot!(what, printed(path, options));
            }
        });
    });
}

/// The listing agrees with the encoder on every kind of instruction.
#[test]
fn every_program_is_listed() {
    for path in files_in(&testdata("run"), &["lir"]) {
        for level in ["-O0", "-O2"] {
            assert!(!printed(&path, &["--disasm", level, "--cpu=v3"]).is_empty());
            assert!(!printed(&path, &["--disasm", level]).is_empty());
        }
    }
}

/// Tests register contents before each instruction, by every allocator with few registers; by the first one also after
/// it.
#[test]
fn registers() {
    settings("registers").bind(|| {
        insta::glob!("../../testdata/llc/registers", "*.lir", |path| {
            for allocator in ALLOCATORS {
                let regalloc = format!("--regalloc={}", allocator.name());
                let text = printed(path, &["--disasm", "--show-regs", "--regs=4", &regalloc]);
                insta::assert_snapshot!(allocator.name(), text);
            }
            insta::assert_snapshot!("after", printed(path, &["--disasm", "--show-regs=after", "--regs=4"]));
        });
    });
}
