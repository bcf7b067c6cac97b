//! The kernels of `testdata/programs` and the programs of its folder `own`, as LIR imported from QBE's language: each
//! at -O0 and -O2, run by `lir-run`, as an object and as assembly given to the C compiler, must print the expected
//! text. The same programs as clang's IR run in-process and as objects, with the promises of the source. Texts with the
//! constructs that each version of LLVM has added run in-process.

use lir_llc::code::CompiledModule;
use lir_llc::compile::compile_watched;
use lir_llc::options::CompileOptions;
use lir_llc::options::RelocModel;
use lir_llc::output::asm;
use lir_llc::output::elf;
use lir_llc::regalloc::AllocOptions;
use lir_llc::regalloc::LINEAR_SCAN;
use lir_llc::watchers::locations::Locations;
use lir_opt::pipeline::watch::Watchers;
use lir_opt::{Level, Pipeline, RunOptions, optimize};
use lir_random::extent::few_or_all;
use lir_syntax::importer::ImportOptions;
use lir_syntax::ir::Module;
use lir_syntax::parser::{ParseOptions, parse};
use lir_syntax::text::diagnostic::render;
use lir_syntax::text::source::{LineTable, Source};
use lir_testing::files::{files_in, module_of, module_with, programs, programs_of_clang, stem, testdata};
use lir_testing::trials::{self, Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs a kernel at a level, which is also given as an option.
type RunKernel = fn(&Path, Level, &str) -> Result<(), Failed>;

/// Runs all kernels and programs at both levels.
fn run_all(run: RunKernel) {
    run_each(programs(), run);
}

/// Runs programs at both levels.
fn run_each(programs: Vec<PathBuf>, run: RunKernel) {
    let mut trials = Vec::new();
    for path in programs {
        let name = stem(&path);
        for (level, flag) in [(Level::O0, "-O0"), (Level::O2, "-O2")] {
            let program = path.clone();
            trials.push(Trial::test(format!("{name}{flag}"), move || run(&program, level, flag)));
        }
    }
    assert!(!trials.is_empty(), "there are kernels");
    trials::run(trials);
}

#[test]
fn kernels_run_in_process() {
    run_all(|path, _, flag| in_process(path, &[flag]));
}

#[test]
fn kernels_run_out_of_ssa_form() {
    run_all(|path, level, _| {
        let mut module = module_of(path)?;
        let passes = format!("{},phi-coalesce", Pipeline::of_level(level));
        let pipeline = Pipeline::parse(passes.trim_start_matches(',')).map_err(|e| e.to_string())?;
        optimize(&mut module, &pipeline, &RunOptions::default()).map_err(|e| format!("{e:?}"))?;
        let text = module.to_string();
        assert!(!text.contains("= phi "), "a phi is left");
        run_text(&text, path, &["-O0"])
    });
}

#[test]
fn kernels_run_in_traces() {
    run_all(|path, _, flag| {
        in_process(path, &[flag, "--trace-jit"])?;
        in_process(path, &[flag, "--trace-jit", "--trace-limit=registers=0"])
    });
}

#[test]
fn kernels_run_in_traces_that_begin_at_once() {
    fn limits(n: u32) -> [String; 2] {
        ["hot-loop", "hot-exit"].map(|name| format!("--trace-limit={name}={n}"))
    }
    run_all(|path, _, flag| {
        for eager in [&[][..], &["--trace-eager"]] {
            for [loops, exits] in [limits(1), limits(2)] {
                in_process(path, &[&[flag, "--trace-jit", &loops, &exits], eager].concat())?;
            }
        }
        Ok(())
    });
}

#[test]
fn kernels_run_in_traces_whose_guards_fail_by_chance() {
    run_all(|path, _, flag| {
        let seeds = (1..=few_or_all(3, 10)).map(|seed| format!("--trace-stress={seed}"));
        seeds.into_iter().try_for_each(|seed| in_process(path, &[flag, "--trace-jit", &seed]))
    });
}

#[test]
fn kernels_run_as_objects() {
    run_all(|path, level, _| linked(path, level, object));
}

#[test]
fn kernels_run_as_assembly() {
    run_all(|path, level, _| linked(path, level, assembly));
}

#[test]
fn programs_of_clang_run_in_process() {
    run_each(programs_of_clang(), |path, _, flag| in_process(path, &[flag]));
}

#[test]
fn programs_of_clang_run_as_objects() {
    run_each(programs_of_clang(), |path, level, _| linked(path, level, object));
}

#[test]
fn texts_of_each_version_of_llvm_run() {
    let versions: Vec<PathBuf> = files_in(&testdata("import/llvm"), &["ll"]);
    let versions: Vec<PathBuf> = versions.into_iter().filter(|p| stem(p).starts_with("version_")).collect();
    assert_eq!(versions.len(), 8, "there is a file for each version from 15 to 22");
    run_each(versions, |path, _, flag| returns_number(path, flag));
}

/// Runs a program whose first line says `; returns N`.
fn returns_number(path: &Path, level: &str) -> Result<(), Failed> {
    let text = std::fs::read_to_string(path)?;
    let wanted: i32 = text.lines().next().and_then(|l| l.strip_prefix("; returns ")).ok_or("no result")?.parse()?;
    let run = Command::new(env!("CARGO_BIN_EXE_lir-run")).args([level, "--timeout=300"]).arg(path).output()?;
    if run.status.code() != Some(wanted) {
        return Err(format!("{}: {}", run.status, String::from_utf8_lossy(&run.stderr)).into());
    }
    Ok(())
}

fn in_process(path: &Path, options: &[&str]) -> Result<(), Failed> {
    run_text(&text_of(path)?, path, options)
}

/// Returns a program in LIR. clang wrote LLVM's IR before any pass, so all of its flags are promises.
fn text_of(path: &Path) -> Result<String, String> {
    let options = ImportOptions { unspeculated: true, ..ImportOptions::default() };
    Ok(module_with(path, options)?.to_string())
}

/// Runs the text of a program.
fn run_text(text: &str, path: &Path, options: &[&str]) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("program.lir");
    std::fs::write(&file, text)?;
    let mut command = Command::new(env!("CARGO_BIN_EXE_lir-run"));
    command.args(options).arg(&file).arg("--timeout=300").arg("--");
    expect_output(command, path)
}

/// Compiles a program, has `write` write it to a folder, and the C compiler link that file.
fn linked(
    path: &Path,
    level: Level,
    write: fn(&Source, &Module, &CompiledModule, &Path) -> Result<PathBuf, Failed>,
) -> Result<(), Failed> {
    let source = Source { name: path.display().to_string(), text: text_of(path)? };
    let wrong = |errors: Vec<_>| Failed::from(render(&source, &errors));
    let mut module: Module = parse(&source, &ParseOptions::default()).map_err(wrong)?;
    optimize(&mut module, &Pipeline::of_level(level), &RunOptions::default()).map_err(wrong)?;
    let options = CompileOptions {
        model: RelocModel::Pie,
        allocator: Some(LINEAR_SCAN),
        allocation: AllocOptions { verify: true, ..AllocOptions::default() },

        ..CompileOptions::default()
    };
    let mut watchers = Watchers::new().with(Locations { journal: true });
    let code = compile_watched(&mut module, &options, &mut watchers, &mut Vec::new()).map_err(wrong)?;
    let folder = tempfile::tempdir()?;
    let (file, program) = (write(&source, &module, &code, folder.path())?, folder.path().join("x"));
    let linked = Command::new("cc").arg(&file).arg("-o").arg(&program).arg("-lm").output()?;
    if !linked.status.success() {
        return Err(format!("cc fails: {}", String::from_utf8_lossy(&linked.stderr)).into());
    }
    expect_output(Command::new(&program), path)
}

fn object(_: &Source, module: &Module, code: &CompiledModule, folder: &Path) -> Result<PathBuf, Failed> {
    let file = folder.join("x.o");
    std::fs::write(&file, elf::write_module(module, code, &elf::ObjectOptions::default())?)?;
    Ok(file)
}

fn assembly(source: &Source, module: &Module, code: &CompiledModule, folder: &Path) -> Result<PathBuf, Failed> {
    let file = folder.join("x.s");
    let text = asm::write_module(module, code, &LineTable::new(&source.text), None, 1);
    std::fs::write(&file, text.map_err(|errors| render(source, &errors))?)?;
    Ok(file)
}

/// Runs a command with the arguments of a program, which must end with status 0 and print the expected text.
fn expect_output(mut command: Command, path: &Path) -> Result<(), Failed> {
    let arguments = std::fs::read_to_string(path.with_extension("arg"))?;
    let output = command.args(arguments.split_whitespace()).output()?;
    if !output.status.success() {
        return Err(format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr)).into());
    }
    let (want, got) = (std::fs::read(path.with_extension("expect"))?, output.stdout);
    if want == got {
        return Ok(());
    }
    Err(format!("expected {}, got {}", String::from_utf8_lossy(&want), String::from_utf8_lossy(&got)).into())
}
