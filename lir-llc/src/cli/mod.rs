//! The command line of `lir-llc`: its options, and the actions on them.

mod allocation;
mod flat;
mod generation;
mod text;

pub use allocation::AllocationArgs;
pub use generation::code_generation;

use crate::code::CompiledModule;
use crate::compare::{Frequencies, compare, settings, table};
use crate::compile::compile_until;
use crate::isa::x64::Cpu;
use crate::isa::x64::isel::RelocModel;
use crate::options::{CompileOptions, Effort, Environment};
use crate::output::asm;
use crate::output::debug_info::DebugSource;
use crate::output::elf::{self, ObjectError, ObjectOptions};
use crate::output::listing;
use crate::regalloc::{self, Allocator};
use crate::stages::stages;
use crate::variables::RecordedVariables;
use crate::watchers::counters::Counters;
use crate::watchers::locations::Locations;
use crate::watchers::mir_text::MirText;
use crate::watchers::registers::Registers;
use crate::watchers::remarks::Reasons;
use crate::watchers::variables::VariablePlaces;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, ValueEnum};
use lir_cli::heading::{CODE, FILES, PASSES, PRINT, TESTS};
use lir_cli::{Console, ErrorLimit, Failure, ImportArgs, Jobs, Session, Statuses, not_over_input};
use lir_import::IMPORTERS;
use lir_opt::cli::bisect::{Bisected, bisect};
use lir_opt::cli::remark_args::{RemarkArgs, Wanted};
use lir_opt::cli::reproducer::narrow_internal_errors;
use lir_opt::cli::watch_args::{WatchArgs, step_times};
use lir_opt::pass::remarks::Listen;
use lir_opt::pass::stats::StatsFormat;
use lir_opt::pipeline::watch::Watchers;
use lir_opt::pipeline::watchers::clock::Clock;
use lir_opt::{Level, Pipeline, Report, RunOptions, optimize_watched};
use lir_syntax::internal_error::in_stage;
use lir_syntax::ir::Module;
use lir_syntax::text::diagnostic::Diagnostic;
use lir_syntax::text::source::{LineTable, Source, Span};
use std::ffi::OsString;
use std::io::IsTerminal;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  lir-llc -O2 in.lir -o out.o      writes an object, for `cc out.o`
  lir-llc -O2 --disasm in.lir      prints a listing of the code";

/// Lowers LIR to x86-64 machine code
///
/// Exit status: 0 done; 1 the input is wrong; 2 the command line is wrong; 70 an internal error;
/// 71 no memory is left.
#[derive(Parser)]
#[command(name = "lir-llc", version, after_help = EXAMPLES)]
struct Options {
    /// The file to read; `-` or nothing is standard input
    input: Option<PathBuf>,
    /// Write the result to a file; `-` or nothing is standard output
    #[arg(short, long, value_name = "FILE", help_heading = FILES)]
    output: Option<PathBuf>,
    /// The kind of output [default: by the extension of the file, else bin]
    ///
    /// The extensions are `.o` (obj), `.s` (asm), `.mir` (mir) and `.bin` (bin).
    #[arg(long, value_enum, help_heading = FILES)]
    emit: Option<Emit>,
    #[command(flatten)]
    flat: flat::FlatArgs,
    /// Run the passes of a level of lir-opt first: 0, 1 or 2
    #[arg(short = 'O', value_name = "LEVEL", default_value = "0", help_heading = PASSES)]
    level: Level,
    /// Add debug information: lines, functions, inlined calls, variables; the code does not change
    ///
    /// Lines are lines of the front end's source if the text gives locations, else of the text. Variables are registers
    /// and stack objects whose names are words, in inlined bodies, too. With -O1 and -O2, only registers with a single
    /// assignment that passes left unchanged are variables. Assembly and maps of flat images (--emit-map) have only
    /// lines.
    #[arg(short = 'g', long = "debug-info", help_heading = CODE)]
    debug_info: bool,
    /// With -g, in objects: embed the text, for debuggers that cannot find its file
    ///
    /// LLVM's tools show it (`llvm-objdump -S`, lldb). It is the default for text from standard input without
    /// locations. It is not the default for files, since GNU binutils up to 2.40 cannot read lines from such objects.
    #[arg(long, requires = "debug_info", help_heading = CODE)]
    embed_source: bool,
    /// The relocation model: the form of references to symbols
    #[arg(long, value_enum, value_name = "MODEL", default_value_t = Reloc::Pie, help_heading = CODE)]
    reloc: Reloc,
    #[arg(long, value_name = "NAME", help = regalloc::option_help(), value_parser = regalloc::parse)]
    #[arg(long_help = regalloc::option_long_help())]
    #[arg(help_heading = CODE)]
    regalloc: Option<&'static dyn Allocator>,
    #[command(flatten)]
    import: ImportArgs,
    #[command(flatten)]
    text: text::TextArgs,
    #[command(flatten)]
    remark: RemarkArgs,
    #[command(flatten)]
    watch: WatchArgs,
    /// Print the counters of the passes and stages on standard error
    #[arg(long, value_enum, value_name = "FORMAT", num_args = 0..=1, require_equals = true, default_missing_value = "text")]
    #[arg(help_heading = PRINT)]
    stats: Option<StatsFormat>,
    #[command(flatten)]
    machine: MachineArgs,
    /// Compare the register allocators side by side, and generate no code
    ///
    /// Each allocator runs with all features, and with each feature left out. The table shows the instructions that
    /// each adds, how often they run (estimated from loops), bytes and times. The same option of lir-run counts a real
    /// run.
    #[arg(long, conflicts_with_all = ["output", "emit", "disasm", "stop_after", "print_analysis", "regalloc"], help_heading = TESTS)]
    compare_regalloc: bool,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    error_limit: ErrorLimit,
}

/// Options of every tool that generates code.
#[derive(clap::Args)]
pub struct MachineArgs {
    /// The instructions allowed: v1 (all processors), v2, v3, native (this one)
    #[arg(long, value_name = "LEVEL", default_value = "v1", value_parser = Cpu::parse, help_heading = CODE)]
    pub cpu: Cpu,
    /// The effort of selection, register allocation and layout
    #[arg(long, value_name = "EFFORT", default_value_t, value_parser = effort_parser(), help_heading = CODE)]
    pub codegen: Effort,
    /// Keep rbp as a frame pointer in all functions
    #[arg(long, help_heading = CODE)]
    pub frame_pointer: bool,
    /// Compile `tail` calls as ordinary calls: slower, but all callers appear in backtraces
    #[arg(long, help_heading = CODE)]
    pub no_tail_calls: bool,
    /// Options of the register allocator.
    #[command(flatten)]
    pub allocation: AllocationArgs,
}

/// Returns the efforts that there are.
fn effort_parser() -> impl TypedValueParser<Value = Effort> {
    PossibleValuesParser::new(["good", "fast"]).try_map(|text| text.parse::<Effort>())
}

/// The kinds of output.
#[derive(Copy, Clone, PartialEq, Eq, ValueEnum)]
enum Emit {
    /// A flat image: code and data, to be copied to any address and called at the first byte
    Bin,
    /// An ELF relocatable object
    Obj,
    /// Assembly in Intel syntax, for GNU as
    Asm,
    /// The machine IR: one line per instruction
    Mir,
}

#[derive(Copy, Clone, ValueEnum)]
enum Reloc {
    /// A position-independent executable
    Pie,
    /// A shared object
    Pic,
    /// An executable at fixed addresses
    Static,
}

/// Runs the command line and returns the exit status.
pub fn run(arguments: &[OsString], console: &mut Console) -> u8 {
    console.run(arguments, Statuses::USUAL, |mut options: Options, console| {
        let result = match options.watch.bisect {
            Some(_) => options.bisect(console),
            None => lower(&options, console),
        };
        result.map(|()| 0)
    })
}

impl Options {
    /// Finds the step and the rewrite with which the command of `--bisect` fails.
    fn bisect(&mut self, console: &mut Console) -> Result<(), Failure> {
        let command = self.watch.bisect_command(self.input.as_deref())?;
        bisect(self, &command, console)
    }
    /// Returns the kind of output. A listing alone is made from the contents of an object.
    fn emit(&self) -> Emit {
        let ending = self.output.as_ref().and_then(|o| o.extension()).and_then(|e| e.to_str());
        match (self.emit, ending) {
            (Some(emit), _) => emit,
            (None, Some("o")) => Emit::Obj,
            (None, Some("s")) => Emit::Asm,
            (None, Some("mir")) => Emit::Mir,
            (None, _) if self.text.is_of_machine_ir() => Emit::Mir,
            (None, _) if self.text.disasm && self.output.is_none() => Emit::Obj,
            (None, _) => Emit::Bin,
        }
    }
    /// Checks that the output is meant: refuses a file name whose ending names no kind of output, and binary code on a
    /// terminal.
    fn check_output(&self, emit: Emit, console: &Console) -> Result<(), Failure> {
        if self.text.is_of_machine_ir() || self.compare_regalloc {
            return Ok(());
        }
        let file = self.output.as_deref().filter(|o| *o != Path::new("-"));
        if let Some(file) = file
            && self.emit.is_none()
            && !self.flat.is_meant()
            && !file.extension().is_some_and(|e| ENDINGS.iter().any(|known| e == *known))
            // A device or a pipe has no ending that matters.
            && std::fs::metadata(file).map_or(true, |m| m.is_file())
        {
            return Err(Failure::usage(format_args!(
                "the name `{}` does not say what to make\nhelp: let it end in `.o` (an object), `.s` (assembly), \
                 `.mir` (machine IR) or `.bin` (a flat image), or say it with `--emit`",
                file.display()
            )));
        }
        if let Some(file) = file {
            not_over_input("the code", file, self.input.as_deref())?;
        }
        let is_listing = self.text.disasm && self.output.is_none();
        let takes_lines = matches!(emit, Emit::Obj | Emit::Asm) || emit == Emit::Bin && self.flat.has_map();
        if self.debug_info && !takes_lines {
            return Err(Failure::usage(
                "debug information is part of objects, assembly and maps of flat images alone\nhelp: write one with \
                 `-o out.o`, `-o out.s` or `--emit-map=out.map`, or leave `-g` out",
            ));
        }
        if self.embed_source && emit != Emit::Obj {
            return Err(Failure::usage("only objects have a place for the text: leave `--embed-source` out"));
        }
        let is_shown = file.map_or_else(|| console.shows_output(), is_terminal);
        if matches!(emit, Emit::Bin | Emit::Obj) && is_shown && !is_listing {
            return Err(Failure::usage(format_args!(
                "{} is a terminal, and the result is binary code\nhelp: write it to a file with `-o out.o`, or see it as \
                 text with `--disasm`, `--emit=asm` or `--emit=mir`",
                file.map_or("standard output".into(), |f| f.display().to_string())
            )));
        }
        Ok(())
    }
    /// True if the debug information includes the text. No file has the text of standard input, unless its lines refer
    /// to the front end's files.
    fn embeds_source(&self, module: &Module) -> bool {
        let is_stdin = self.input.as_deref().is_none_or(|p| p == Path::new("-"));
        self.embed_source || is_stdin && module.decls.files.is_empty()
    }
    fn variables(&self) -> Option<RecordedVariables> {
        self.debug_info.then_some(match self.level {
            Level::O0 => RecordedVariables::All,
            _ => RecordedVariables::Steady,
        })
    }
    /// Returns the destination of the result.
    fn output(&self) -> &Path {
        self.output.as_deref().unwrap_or(Path::new("-"))
    }
    fn model(&self) -> RelocModel {
        match self.reloc {
            Reloc::Pie => RelocModel::Pie,
            Reloc::Pic => RelocModel::Pic,
            Reloc::Static => RelocModel::Static,
        }
    }
    /// Returns the options of code generation for a kind of output.
    fn compile_options(&self, emit: Emit, threads: usize) -> CompileOptions {
        CompileOptions {
            model: self.model(),
            cpu: self.machine.cpu,
            effort: self.machine.codegen,
            allocator: self.regalloc,
            allocation: self.machine.allocation.options(),
            frame_pointer: self.machine.frame_pointer,
            // Flat images have no library, and may run where interrupts use the same stack.
            environment: if emit == Emit::Bin { Environment::Bare } else { Environment::Process },
            threads,
            tail_calls: !self.machine.no_tail_calls,
            block_counters: None,
        }
    }
    /// Adds the watchers of code generation for a kind of output.
    fn add_watchers(&self, emit: Emit, wanted: &Wanted, source: &Source, watchers: &mut Watchers) {
        if wanted.listen != Listen::Off {
            watchers.add(Reasons::new(wanted.listen.clone()));
        }
        if emit == Emit::Mir {
            let lines = LineTable::new(&source.text);
            watchers.add(MirText::new(&self.text.print_analysis, lines));
        }
        let is_text = emit == Emit::Asm || self.text.disasm;
        if is_text || emit == Emit::Bin || self.debug_info {
            watchers.add(Locations { journal: is_text });
        }
        if self.text.show_regs.is_some() {
            watchers.add(Registers::default());
        }
        if let Some(recorded) = self.variables() {
            watchers.add(VariablePlaces::new(recorded));
        }
        if self.stats.is_some() && emit != Emit::Mir {
            watchers.add(Counters::default());
        }
    }
}

/// The endings of file names that select the kind of output; see [`Options::emit`].
const ENDINGS: [&str; 4] = ["o", "s", "mir", "bin"];

/// Tells a terminal from other files.
fn is_terminal(file: &Path) -> bool {
    let is_device = std::fs::metadata(file).is_ok_and(|m| m.file_type().is_char_device());
    is_device && std::fs::File::open(file).is_ok_and(|f| f.is_terminal())
}

impl Bisected for Options {
    fn watch(&mut self) -> &mut WatchArgs {
        &mut self.watch
    }
    fn file_name(&self) -> &Path {
        self.output.as_deref().unwrap_or(Path::new("out.o"))
    }
    fn run(&mut self, as_text: bool, console: &mut Console) -> Result<(Vec<u8>, Watchers), Failure> {
        let mut result = Vec::new();
        let emit = if as_text { Emit::Asm } else { self.emit() };
        let mut console = Console { stdin: &mut *console.stdin, stdout: &mut result, stderr: &mut *console.stderr };
        let output = self.output.take();
        let watchers = generate(self, emit, &mut console);
        self.output = output;
        watchers.map(|watchers| (result, watchers))
    }
}

/// Reads, verifies, optimises, compiles and writes.
fn lower(options: &Options, console: &mut Console) -> Result<(), Failure> {
    let emit = options.emit();
    options.check_output(emit, console)?;
    generate(options, emit, console).map(|_| ())
}

/// Reads, verifies, optimises, compiles and writes, without a look at the name of the output. Returns the watchers that
/// are left.
fn generate(options: &Options, emit: Emit, console: &mut Console) -> Result<Watchers, Failure> {
    options.check_flat(emit)?;
    options.check_text(emit)?;
    options.remark.check("the code", options.output.as_deref(), options.input.as_deref())?;
    let pipeline = Pipeline::of_level(options.level);
    let stages: Vec<&str> = stages().map(|(name, _)| name).collect();
    let mut watchers = options.watch.watchers(&pipeline, &stages, options.error_limit.get())?;
    let session = Session::open(console, options.input.as_deref(), IMPORTERS, (options.jobs, options.error_limit))?
        .with_import_options(options.import.options());
    let Session { threads, ref clock, .. } = session;
    let fail = |errors: Vec<Diagnostic>| session.failure(&errors);
    let mut module = session.check()?;
    let entry_points = options.flat.entry_point(&module).into_iter().collect();
    let wanted = options.remark.wanted(&module, None)?;
    let run_options = RunOptions { threads, entry_points, listen: wanted.listen.clone(), ..RunOptions::default() };
    module.decls.remembers_calls = options.debug_info;
    let compile_options = options.compile_options(emit, threads);
    let (level, generation) = (options.level, options.generation(emit, compile_options));
    narrow_internal_errors(&module, &run_options, move || Pipeline::of_level(level), Some(generation));
    let mut log = Vec::new();
    let run = || optimize_watched(&mut module, &pipeline, &run_options, &mut watchers, &mut log);
    let result = session.step("passes", run);
    console.say(String::from_utf8_lossy(&std::mem::take(&mut log)));
    let Report { mut stats, mut remarks } = result?;
    if options.compare_regalloc {
        let rows = compare(&mut module, &compile_options, &settings(), Frequencies::Estimated).map_err(fail)?;
        return console.write_output(None, table(&rows, Frequencies::Estimated).as_bytes()).map(|()| watchers);
    }
    let until = options.until(emit);
    options.add_watchers(emit, &wanted, &session.source, &mut watchers);
    let compiled = compile_until(&mut module, &compile_options, until, &mut watchers, &mut log);
    console.say(String::from_utf8_lossy(&log));
    let code = compiled.map_err(fail)?;
    if let Some(steps) = watchers.find() {
        add_stages(clock, steps);
    }
    remarks.extend(watchers.take::<Reasons>().map_or(Vec::new(), |reasons| reasons.said));
    let told = options.remark.tell(&wanted, &remarks, &module, &silence_of(&pipeline), &session.source)?;
    if let Some(text) = watchers.take::<MirText>() {
        let text = text.finish();
        clock.measure("output", || console.write_output(Some(options.output()), text.as_bytes()))?;
    } else {
        clock.measure("output", || write(options, emit, &session, &module, &code, console))?;
    }
    if let Some(counters) = watchers.take::<Counters>() {
        stats.merge(&counters.finish(&code.code));
    }
    std::mem::forget(code);
    told.write(console)?;
    // The process ends, which frees its memory at once.
    std::mem::forget(module);
    if let Some(steps) = watchers.find() {
        console.say(clock.table() + &step_times(steps));
    }
    if let Some(format) = options.stats {
        console.say(stats.print(format));
    }
    Ok(watchers)
}

/// The message that no step reported anything.
fn silence_of(pipeline: &Pipeline) -> String {
    match pipeline.to_string().as_str() {
        "" => "no stage of code generation said anything".to_string(),
        passes => format!("neither a pass of `{passes}` nor a stage of code generation said anything"),
    }
}

/// Adds the sums of the stages to the clock of the tool.
fn add_stages(clock: &lir_cli::Clock, steps: &Clock) {
    let time_of = |name| steps.times().iter().filter(|t| !t.is_pass && t.name == name).map(|t| t.time).sum();
    let mut sums = [("selection", Duration::ZERO), ("allocation", Duration::ZERO), ("encoding", Duration::ZERO)];
    for (name, _) in stages() {
        let part = match name {
            "allocate" | "check" => 1,
            "wrap" | "layout" | "peepholes" | "emit" => 2,
            _ => 0,
        };
        let time: Duration = time_of(name);
        sums[part].1 += time;
    }
    sums.into_iter().for_each(|(name, time)| clock.add(name, time));
}

/// Writes the listing, if wanted, and the result.
fn write(
    options: &Options,
    emit: Emit,
    session: &Session,
    module: &Module,
    code: &CompiledModule,
    console: &mut Console,
) -> Result<(), Failure> {
    let source = &*session.source;
    let fail = |errors: Vec<Diagnostic>| session.failure(&errors);
    if options.text.disasm {
        let listing =
            listing::write_module(module, code, &LineTable::new(&source.text), options.text.shown()).map_err(fail)?;
        console.write_output(None, &listing)?;
        if options.output.is_none() {
            return Ok(());
        }
    }
    let folder = std::env::current_dir().map_or_else(|_| ".".into(), |d| d.display().to_string());
    let debug =
        options.debug_info.then_some(DebugSource { source, folder: &folder, embeds: options.embeds_source(module) });
    let bytes = match emit {
        Emit::Bin => options.flat_image(session, module, code, console)?,
        Emit::Obj => {
            let object = ObjectOptions { debug: debug.as_ref(), ends_unwinding: options.import.exceptions_abort() };
            let write = || elf::write_module(module, code, &object);
            in_stage(format_args!("the object writer"), write).map_err(|e| object_failure(source, module, &e))?
        }
        Emit::Asm => {
            let lines = LineTable::new(&source.text);
            let write = || asm::write_module(module, code, &lines, debug.as_ref(), session.threads);
            in_stage(format_args!("the assembly writer"), write).map_err(fail)?
        }
        Emit::Mir => unreachable!("the machine IR is written before there is code"),
    };
    console.write_output(Some(options.output()), &bytes)
}

/// Returns the reason there is no object, at the symbol to blame, if any.
fn object_failure(source: &Source, module: &Module, e: &ObjectError) -> Failure {
    match e {
        ObjectError::SectionFlag { sym, .. } => {
            let at = Span::at(module.decls.syms[*sym].loc);
            Failure::diagnostics(source, &[Diagnostic::new(at, e.to_string())])
        }
        ObjectError::TooLarge | ObjectError::Write(_) => Failure::input(e),
    }
}
