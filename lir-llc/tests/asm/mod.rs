//! Assembly text, assembled by GNU as: the same instructions as in our objects, every name, every section.

mod kernels;
mod sections;
mod symbol_names;
mod tables;

use lir_llc::code::CompiledModule;
use lir_llc::compile::compile_watched;
use lir_llc::isa::x64::Cpu;
use lir_llc::options::CompileOptions;
use lir_llc::options::RelocModel;
use lir_llc::output::asm;
use lir_llc::watchers::locations::Locations;
use lir_opt::pipeline::watch::Watchers;
use lir_opt::{Level, Pipeline, RunOptions, optimize};
use lir_syntax::ir::Module;
use lir_syntax::parser::{ParseOptions, parse};
use lir_syntax::text::diagnostic::{Diagnostic, render};
use lir_syntax::text::source::{LineTable, Source};
use lir_testing::process::output_of;
use std::path::{Path, PathBuf};
use std::process::Command;

/// All relocation models for files.
const MODELS: [RelocModel; 3] = [RelocModel::Pie, RelocModel::Pic, RelocModel::Static];

/// A text that was compiled.
struct Compiled {
    source: Source,
    module: Module,
    code: CompiledModule,
}

impl Compiled {
    fn new(text: &str, level: Level, model: RelocModel) -> Compiled {
        Compiled::for_cpu(text, level, model, Cpu::V1)
    }
    fn for_cpu(text: &str, level: Level, model: RelocModel, cpu: Cpu) -> Compiled {
        let source = Source { name: "test.lir".into(), text: text.into() };
        let fail = |errors: Vec<Diagnostic>| -> ! { panic!("{}", render(&source, &errors)) };
        let mut module = parse(&source, &ParseOptions::default()).unwrap_or_else(|e| fail(e));
        optimize(&mut module, &Pipeline::of_level(level), &RunOptions::default()).unwrap_or_else(|e| fail(e));
        let options = CompileOptions { model, cpu, ..CompileOptions::default() };
        let mut watchers = Watchers::new().with(Locations { journal: true });
        let code = compile_watched(&mut module, &options, &mut watchers, &mut Vec::new()).unwrap_or_else(|e| fail(e));
        Compiled { source, module, code }
    }
    fn assembly(&self) -> Result<Vec<u8>, String> {
        let lines = LineTable::new(&self.source.text);
        asm::write_module(&self.module, &self.code, &lines, None, 1).map_err(|errors| render(&self.source, &errors))
    }
    /// Writes the assembly into a folder and has GNU as assemble it; `edit` may change the text before.
    fn assemble(&self, folder: &Path, name: &str, edit: impl FnOnce(Vec<u8>) -> Vec<u8>) -> PathBuf {
        let text = edit(self.assembly().unwrap_or_else(|e| panic!("{e}")));
        let (file, object) = (folder.join(format!("{name}.s")), folder.join(format!("{name}.o")));
        std::fs::write(&file, text).expect("written");
        output_of(Command::new("as").arg("--fatal-warnings").arg(&file).arg("-o").arg(&object));
        object
    }
}
