//! The command line of `lir-run`: its options, and the runs that they ask for.

mod at_end;
mod check;
mod compare;
mod counted_run;
mod debugger;
mod generation;
mod profile;
mod steps;
mod trace_log;
mod watchdog;

use crate::engine::{Engine, Mode};
use crate::interp;
use crate::jit::jitdump::Dump;
use crate::jit::perf_map::PerfMap;
use crate::jit::viewers::Viewers;
use crate::outcome::Outcome;
use crate::outcome::backtrace::Backtrace;
use crate::run_lines::{LineReader, TypedCall};
use crate::symbols::{HostSymbols, end_at_once, end_of_c_line, flush_c_output, flush_on_abort, flush_on_exit_at_once};
use crate::value::{Shape, Value};
use clap::{ArgGroup, Parser};
use lir_cli::heading::{CODE, FILES, PASSES, PRINT, TESTS};
use lir_cli::{Console, ErrorLimit, Failure, Jobs, Session, Statuses};
use lir_cli::{end_without_memory_by, leave_aborts, read_number, read_seconds, say};
use lir_import::IMPORTERS;
use lir_llc::cli::MachineArgs;
use lir_llc::options::CompileOptions;
use lir_llc::options::RelocModel;
use lir_llc::regalloc::{self, Allocator};
use lir_llc::variables::RecordedVariables;
use lir_opt::cli::reproducer::narrow_internal_errors;
use lir_opt::{Level, Pipeline, RunOptions, optimize};
use lir_syntax::ir::{AbiParam, Function, Module, SymKind, Type};
use lir_syntax::printer::{print_abi, print_sym, printed};
use lir_syntax::text::source::Source;
use std::env::vars_os;
use std::ffi::{CString, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use trace_log::LogFormat;

const EXAMPLES: &str = "\
Examples:
  lir-run -O2 in.lir -- 10 20            calls @main with two arguments
  lir-run --call '@f(1, 2.5)' in.lir     calls @f and prints its result";

/// The options that choose the functions to call, and the engine.
const CALLS: &str = "What to run";

/// Runs LIR in-process, natively or in the reference interpreter: `@main`, or the calls of --call and --check
///
/// Exit status: main's; 0 after --call; 0 or, if a line failed or there is none, 1 after --check; 70 an internal
/// error; 71 no memory is left; 124 after --timeout; 125 the input or an external symbol is wrong; 126 the command line
/// is wrong; 134 a trap.
#[derive(Parser)]
#[command(name = "lir-run", version, after_help = EXAMPLES)]
#[command(group = ArgGroup::new("traces").args(["trace_jit", "check"]).multiple(true))]
pub(crate) struct Options {
    /// The file to read; `-` or nothing is standard input; several with --check only
    pub(crate) inputs: Vec<PathBuf>,
    /// Arguments for `@main`
    #[arg(last = true)]
    args: Vec<String>,
    /// Look for external symbols in a library: a name as for `cc -l`, or a path
    #[arg(short = 'l', value_name = "NAME", help_heading = FILES)]
    pub(crate) libraries: Vec<String>,
    /// Call a function and print its result, like `@f(1, 2.5)`; may be repeated
    ///
    /// The result is printed on a line of its own, unless the function flushed or wrote a text without a line end
    /// itself. Aggregates are printed as their members, unions and opaque types as their bytes: `@g({1, [2, 3], {4}},
    /// "ab\00")`.
    #[arg(long, value_name = "CALL", help_heading = CALLS)]
    call: Vec<String>,
    /// Check every `; run:` line in the interpreter, with and without traces, and natively
    ///
    /// Traces are compiled for all loops, even cold ones; native code is compiled at -O0 and -O2 with each allocator.
    /// With --interp or --trace-jit, lines are checked in this mode only. Options for traces apply, except options that
    /// print traces, since each line runs in its own process and prints the output of its call.
    #[arg(long, conflicts_with_all = ["call", "args", "time"], help_heading = CALLS)]
    check: bool,
    /// Run in the reference interpreter instead of natively
    #[arg(long, help_heading = CALLS)]
    pub(crate) interp: bool,
    /// Run in the reference interpreter, and compile hot code, trace by trace
    ///
    /// A trace is the sequence of instructions that were executed, starting at a loop header. The default allocator for
    /// traces is bottom-up. In traces, only the hardware checks memory accesses, as in native code.
    #[arg(long, conflicts_with = "interp", help_heading = CALLS)]
    trace_jit: bool,
    /// With --trace-jit or --check: set a limit, like `copies=4`; may be repeated, once for each limit
    ///
    /// The names are hot-loop and hot-exit (executions before recording), tries, cross-jumps, guards, stores (at
    /// exits), length, copies, returns, depth (of one trace), chain (traces that begin at one program point), traces,
    /// exits, code (bytes), reach (frame slots), registers (slots that exits pass in registers; 0: none).
    #[arg(long, requires = "traces", conflicts_with = "interp", value_name = "NAME=N", value_parser = trace_log::limit)]
    #[arg(help_heading = CALLS)]
    trace_limit: Vec<(String, u32)>,
    /// With --trace-jit or --check: write the values that a trace assigns to frames immediately, not at the exits of
    /// the trace
    #[arg(long, requires = "traces", conflicts_with = "interp", help_heading = CALLS)]
    trace_eager: bool,
    /// With --trace-jit or --check: split the lifetimes of values that are not read for a long stretch of a trace
    #[arg(long, requires = "traces", conflicts_with = "interp", help_heading = CALLS)]
    trace_split: bool,
    /// With --trace-jit or --check: let guards fail at random, with this seed
    #[arg(long, requires = "traces", conflicts_with = "interp", value_name = "SEED", help_heading = CALLS)]
    #[arg(value_parser = read_number("a seed"))]
    trace_stress: Option<u64>,
    /// With --trace-jit: at the end of the program, print for each trace its start, why it ended and its exits
    #[arg(long, requires = "traces", conflicts_with = "interp", value_name = "FORMAT", num_args = 0..=1)]
    #[arg(require_equals = true)]
    #[arg(default_missing_value = "text", help_heading = PRINT)]
    trace_log: Option<LogFormat>,
    /// With --trace-jit: print each trace before and after each filter, and its code annotated with the contents of
    /// registers
    #[arg(long, requires = "traces", conflicts_with = "interp", help_heading = PRINT)]
    print_traces: bool,
    /// With --interp: print each executed instruction, with its operands and result, on standard error
    ///
    /// A place is a function, `@f`, or a block, `@f:block`. The option may be repeated. A call of a C function that
    /// calls back is printed before the callback and, if it has a result, again after its return. The level is 0 unless
    /// -O is given.
    #[arg(long, requires = "interp", conflicts_with_all = ["check", "trace_jit"], value_name = "PLACE", num_args = 0..=1)]
    #[arg(require_equals = true, default_missing_value = "", help_heading = PRINT)]
    trace: Vec<String>,
    /// With --trace: start printing at the N-th time that control reaches a place, or at the N-th instruction
    #[arg(long, requires = "trace", value_name = "N", default_value = "1", help_heading = PRINT)]
    #[arg(value_parser = read_number("a number"))]
    trace_from: u64,
    /// With --interp: set a breakpoint, and read debugger commands from standard input; may be repeated
    ///
    /// A place is a function, `@f`, a line of the text, `@f:12`, or a line of the front end's source, `@f:main.c:12`.
    /// `h` lists the commands, which step, print and continue. `q` or the end of the input ends the program
    /// successfully. The debugger prints on standard error. While a thread is stopped, the other threads execute only C
    /// code. A program that reads standard input reads the text after the commands. The level is 0 unless -O is given.
    #[arg(long = "break", requires = "interp", conflicts_with_all = ["check", "trace_jit"], value_name = "PLACE")]
    #[arg(value_parser = debugger::spot, help_heading = CALLS)]
    breaks: Vec<debugger::Spot>,
    /// With --interp: stop before the first instruction of the called function, and read debugger commands
    #[arg(long, requires = "interp", conflicts_with_all = ["check", "trace_jit"], help_heading = CALLS)]
    step: bool,
    /// With --interp: report reads of uninitialised stack memory as errors
    ///
    /// The message names the object. The level is 0 unless -O is given, since passes may assume any value for such
    /// memory. Memory whose address is passed to a C function counts as initialised.
    #[arg(long, requires = "interp", conflicts_with_all = ["check", "trace_jit"], help_heading = CALLS)]
    uninit: bool,
    /// End the program after this time; with --check, the limit of each call [default: none; with --check 10]
    #[arg(long, value_name = "SECONDS", value_parser = read_seconds, help_heading = CALLS)]
    pub(crate) timeout: Option<Duration>,
    /// Run the passes of a level of lir-opt first: 0, 1 or 2 [default: 1]
    #[arg(short = 'O', value_name = "LEVEL", help_heading = PASSES)]
    pub(crate) level: Option<Level>,
    #[arg(long, value_name = "NAME", help = regalloc::option_help(), value_parser = regalloc::parse)]
    #[arg(long_help = regalloc::option_long_help())]
    #[arg(help_heading = CODE)]
    pub(crate) regalloc: Option<&'static dyn Allocator>,
    /// Register the code with gdb: `gdb --args lir-run --gdb FILE`
    ///
    /// gdb knows functions, lines (of the front end's source, or else of the text), inlined calls, and the values of
    /// registers and stack objects; in optimised code, only of registers with a single assignment that passes left
    /// unchanged. To set breakpoints before the code exists, use `set breakpoint pending on`. The level is 0 unless -O
    /// is given. With --trace-jit, traces are registered as they are compiled: `f.trace3` begins in `f`, and calls in
    /// it appear as inlined calls. Values are not available in traces.
    #[arg(long, conflicts_with_all = ["interp", "check", "compare_regalloc"], help_heading = CODE)]
    gdb: bool,
    /// Describe the code to perf: `map`, names in `/tmp/perf-PID.map`; `jitdump`, code and lines in `jit-PID.dump`
    ///
    /// The dump is written to the folder JITDUMPDIR, or to the current folder. `perf record -k mono` finds it, and
    /// `perf inject --jit` turns it into objects for `perf report` and `perf annotate`. With --frame-pointer, `perf
    /// record -g` sees callers. With --trace-jit, traces are added as they are compiled, as with --gdb.
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with_all = ["interp", "check", "compare_regalloc"])]
    #[arg(help_heading = CODE)]
    perf: Option<PerfFormat>,
    /// Print how often each block ran, with its instructions, when the program has ended
    ///
    /// Standard error shows the functions that ran, after passes: with -O0 as they were written. A comment marks the
    /// instructions that may trap. The interpreter and native code give the same counts. Natively, a few blocks are not
    /// counted, whose tests became part of a switch, and counts are lost if several threads run a block at once.
    #[arg(long, conflicts_with_all = ["trace_jit", "check", "time", "trace", "gdb", "perf"], help_heading = PRINT)]
    profile_blocks: bool,
    /// Print the times of compilation and execution on standard error
    #[arg(long, help_heading = PRINT)]
    time: bool,
    #[command(flatten)]
    pub(crate) machine: MachineArgs,
    /// Compare the register allocators by a run that counts blocks
    ///
    /// The table on standard error shows the instructions that each allocator adds, with all features and without each
    /// of them, and how often these instructions would have run.
    #[arg(long, help_heading = TESTS)]
    #[arg(conflicts_with_all = ["interp", "trace_jit", "check", "regalloc", "time", "profile_blocks"])]
    compare_regalloc: bool,
    #[command(flatten)]
    pub(crate) jobs: Jobs,
    #[command(flatten)]
    pub(crate) error_limit: ErrorLimit,
}

/// The formats in which perf learns of code.
#[derive(Copy, Clone, PartialEq, Eq, Debug, clap::ValueEnum)]
enum PerfFormat {
    /// Addresses, sizes and names of functions
    Map,
    /// Addresses, sizes, names, code, lines and unwind tables
    Jitdump,
}

/// The exit statuses of wrong inputs and command lines.
pub(crate) const STATUSES: Statuses = Statuses { input: 125, usage: 126 };

/// The exit status after a trap, as of a process that aborted.
const TRAPPED: u8 = 134;
/// The largest aggregate that a help line writes out, in bytes.
const MAX_SHOWN: u64 = 64;

/// Runs the command line. Returns the exit status.
pub fn run(arguments: &[OsString], console: &mut Console) -> u8 {
    console.run(arguments, STATUSES, |options: Options, console| {
        let result = match options.contradiction() {
            Some(failure) => Err(failure),
            None if options.check => check::run(&options, arguments, console),
            None if options.compare_regalloc => compare::run(&options, console),
            None if options.profile_blocks && !options.interp => profile::run_natively(&options, console),
            None => execute(&options, console),
        };
        flush_c_output();
        result
    })
}

fn execute(options: &Options, console: &mut Console) -> Result<u8, Failure> {
    let PreparedRun { module, session, host, calls } = PreparedRun::new(options, console)?;
    let mode = options.mode(session.threads);
    let (engine, end) = session.clock.measure("code", || start(module, mode, &session, &host))?;
    options.show_code(&engine, &session.source)?;
    if !options.trace.is_empty() {
        let places = options.trace.iter().filter(|p| !p.is_empty());
        let places = places.map(|p| steps::place(p)).collect::<Result<Vec<_>, _>>().map_err(Failure::usage)?;
        let observer = steps::printer(engine.module(), &places, options.trace_from, &session.source);
        engine.observe(observer.map_err(Failure::input)?);
    }
    if options.debugs() {
        let debugger = debugger::debugger(engine.module(), &options.breaks, options.step, &session.source);
        engine.debug(debugger.map_err(Failure::input)?);
    }
    if options.profile_blocks {
        profile::count_interpreted(&engine);
    }
    if let Some(watcher) = engine.watch_traces().filter(|_| options.print_traces || options.trace_log.is_some()) {
        let (stages, log, source) = (options.print_traces, options.trace_log, Arc::clone(&session.source));
        at_end::print_at_end(Box::new(move || say(trace_log::output(&watcher, stages, log, &source))));
    }
    let ended = session.clock.measure("run", || calls.execute(&engine, console));
    let status = conclude(ended, &engine, &end, &session.source, console);
    engine.leave();
    if options.time {
        flush_c_output();
        console.say(session.clock.table());
    }
    status
}

/// A module ready to run, after the passes.
struct PreparedRun {
    module: Module,
    session: Session,
    host: HostSymbols,
    calls: RequestedCalls,
}

impl PreparedRun {
    fn new(options: &Options, console: &mut Console) -> Result<PreparedRun, Failure> {
        if let [_, second, ..] = &options.inputs[..] {
            let help = "help: arguments of the program follow `--`: `lir-run FILE -- ARGUMENTS`";
            return Err(Failure::usage(format_args!("`{}` is one file too many\n{help}", second.display())));
        }
        if options.debugs() && options.inputs.first().is_none_or(|input| input.as_os_str() == "-") {
            return Err(Failure::usage("the module must be in a file: standard input has the debugger's commands"));
        }
        if let Some(limit) = options.timeout {
            watchdog::start(limit).map_err(Failure::input)?;
        }
        let input = options.inputs.first().map(PathBuf::as_path);
        let session = Session::open(console, input, IMPORTERS, (options.jobs, options.error_limit))?;
        let mut module = session.check()?;
        let names: Vec<&str> = options.libraries.iter().map(String::as_str).collect();
        let mut host = HostSymbols::new(&names).map_err(Failure::input)?;
        flush_on_exit_at_once(&mut host);
        let calls = RequestedCalls::new(options, &module, &session.source)?;
        let entry_points = calls.calls().iter().map(|c| c.sym).collect();
        let Session { threads, .. } = session;
        let run_options = RunOptions { threads, entry_points, ..RunOptions::default() };
        let is_watched = options.uninit || !options.trace.is_empty() || options.debugs() || options.gdb;
        let default = if is_watched { Level::O0 } else { Level::O1 };
        module.decls.remembers_calls = options.gdb || options.perf == Some(PerfFormat::Jitdump);
        let level = options.level.unwrap_or(default);
        let pipeline = Pipeline::of_level(level);
        let generation = (!options.interp).then(|| options.generation());
        narrow_internal_errors(&module, &run_options, move || Pipeline::of_level(level), generation);
        session.step("passes", || optimize(&mut module, &pipeline, &run_options))?;
        Ok(PreparedRun { module, session, host, calls })
    }
}

/// Makes code, and has failures while it runs end the process.
fn start(module: Module, mode: Mode, session: &Session, host: &HostSymbols) -> Result<(Engine, End), Failure> {
    let engine = Engine::new(module, mode, host).map_err(|e| session.failure(&e.into_diagnostics()))?;
    engine.set_source(Arc::clone(&session.source));
    let end = End::default();
    let (source, of_hook) = (Arc::clone(&session.source), Arc::clone(&end));
    engine.on_thread_failure(Box::new(move |outcome, module| end_with(outcome, module, &of_hook, &source)));
    engine.belongs_to_tool();
    // Until now, an abort was one of the compiler's.
    leave_aborts();
    end_without_memory_by(end_at_once);
    flush_on_abort();
    Ok((engine, end))
}

/// Creates the dump of the code for perf. It ends with the program.
fn create_dump() -> Result<Arc<Dump>, Failure> {
    let folder = std::env::var_os("JITDUMPDIR").filter(|folder| !folder.is_empty());
    let folder = folder.map_or(PathBuf::from("."), PathBuf::from);
    let failure = |e| Failure::input(format_args!("{}: cannot dump the code for perf: {e}", folder.display()));
    let dump = Arc::new(Dump::create(&folder).map_err(failure)?);
    let at_end = Arc::clone(&dump);
    at_end::print_at_end(Box::new(move || {
        if let Err(e) = at_end.close() {
            say(format_args!("{}: error: {e}\n", at_end.path().display()));
        }
    }));
    Ok(dump)
}

impl Options {
    /// Returns the failure for options that contradict one another, with the reason in words.
    fn contradiction(&self) -> Option<Failure> {
        let named = |k: usize| &self.trace_limit[k].0;
        if let Some(k) = (1..self.trace_limit.len()).find(|k| (0..*k).any(|before| named(before) == named(*k))) {
            return Some(Failure::usage(format_args!("--trace-limit gives the limit `{}` twice", named(k))));
        }
        let printing = [("--trace-log", self.trace_log.is_some()), ("--print-traces", self.print_traces)];
        let (option, _) = printing.into_iter().find(|(_, given)| self.check && *given)?;
        let why = "each line is called in a process of its own, and traces of many calls would be mixed";
        let help = "help: call one function: `lir-run --trace-jit --call '@f(1)'`, with the same options";
        Some(Failure::usage(format_args!("{option} cannot be used with --check: {why}\n{help}")))
    }
    fn variables(&self) -> RecordedVariables {
        match self.level {
            None | Some(Level::O0) => RecordedVariables::All,
            Some(_) => RecordedVariables::Steady,
        }
    }
    /// True if the program runs in the debugger.
    fn debugs(&self) -> bool {
        self.step || !self.breaks.is_empty()
    }
    /// Shows code to the debuggers and profilers of the options.
    fn show_code(&self, engine: &Engine, source: &Arc<Source>) -> Result<(), Failure> {
        if !self.gdb && self.perf.is_none() {
            return Ok(());
        }
        let mut viewers = Viewers { gdb: self.gdb, ..Viewers::none(Arc::clone(source)) };
        match self.perf {
            Some(PerfFormat::Map) => {
                let failure = |e| Failure::input(format_args!("{}: error: {e}", PerfMap::path().display()));
                viewers.map = Some(PerfMap::create().map_err(failure)?);
            }
            Some(PerfFormat::Jitdump) => viewers.dump = Some(create_dump()?),
            None => {}
        }
        engine.show_code(viewers).map_err(|e| Failure::input(format_args!("error: {e}")))
    }
    fn mode(&self, threads: usize) -> Mode {
        if self.trace_jit {
            let traces = self.traces(interp::TraceOptions::default());
            let compile = self.compile_options(1);
            let allocator = compile.allocator.or(Some(regalloc::BOTTOM_UP));
            return Mode::Tracing(traces, CompileOptions { allocator, ..compile });
        }
        match self.interp {
            true => Mode::InterpreterWith(interp::Options { uninit: self.uninit, ..interp::Options::default() }),
            false if self.gdb => Mode::NativeForGdb(self.compile_options(threads), self.variables()),
            false => Mode::Native(self.compile_options(threads)),
        }
    }
    /// Returns these options of traces, changed as the command line asks.
    fn traces(&self, mut traces: interp::TraceOptions) -> interp::TraceOptions {
        for (name, limit) in &self.trace_limit {
            *traces.limits.named(name).expect("the name was looked for") = *limit;
        }
        interp::TraceOptions {
            sink: !self.trace_eager,
            stress: self.trace_stress,
            split: self.trace_split,
            print: self.print_traces,
            ..traces
        }
    }
    pub(crate) fn compile_options(&self, threads: usize) -> CompileOptions {
        CompileOptions {
            model: RelocModel::Jit,
            cpu: self.machine.cpu,
            effort: self.machine.codegen,
            allocator: self.regalloc,
            allocation: self.machine.allocation.options(),
            frame_pointer: self.machine.frame_pointer,
            tail_calls: !self.machine.no_tail_calls,
            threads,
            ..CompileOptions::default()
        }
    }
}

/// The calls to make, known before anything is changed or compiled.
enum RequestedCalls {
    /// `--call`.
    Calls(Vec<TypedCall>),
    /// `@main`, with the memory that its arguments are in.
    Main { call: TypedCall, _memory: (Vec<CString>, Vec<u64>) },
}

impl RequestedCalls {
    fn new(options: &Options, module: &Module, source: &Source) -> Result<RequestedCalls, Failure> {
        if options.call.is_empty() {
            return RequestedCalls::main(options, module, source);
        }
        let reader = LineReader::new(module);
        let read = |text: &String| {
            reader.call(text).map_err(|e| {
                let source = Source { name: "--call".into(), text: text.clone() };
                Failure::diagnostics(&source, &[e])
            })
        };
        options.call.iter().map(read).collect::<Result<_, _>>().map(RequestedCalls::Calls)
    }
    fn main(options: &Options, module: &Module, source: &Source) -> Result<RequestedCalls, Failure> {
        let named = module.funcs.values().find(|f| &*module.decls.syms[f.sym].name == b"main");
        let Some(f) = named else {
            let missing = format!("{}: there is no function @main to run", source.name);
            let help = module
                .funcs
                .values()
                .find(|f| !module.decls.syms[f.sym].is_local())
                .map_or(String::new(), |f| call_help(module, f));
            return Err(Failure::input(missing + &help));
        };
        let SymKind::Func { sig, .. } = &module.decls.syms[f.sym].kind else { unreachable!("a function's symbol") };
        let name = std::iter::once(source.name.clone().into_bytes());
        let texts = name.chain(options.args.iter().map(|a| a.clone().into_bytes())).map(CString::new);
        let mut texts: Vec<CString> =
            texts.collect::<Result<_, _>>().map_err(|_| Failure::usage("an argument of the program has a NUL"))?;
        let count = texts.len();
        if sig.params.len() > 2 {
            let pair = |(name, value): (OsString, OsString)| [name.as_bytes(), b"=", value.as_bytes()].concat();
            // No variable of the environment has a NUL.
            texts.extend(vars_os().filter_map(|variable| CString::new(pair(variable)).ok()));
        }
        // The addresses of the arguments, a zero, the addresses of the environment and a zero, as the system lays them
        // out.
        let mut pointers: Vec<u64> = texts.iter().map(|t| t.as_ptr() as u64).chain([0]).collect();
        pointers.insert(count, 0);
        let address = pointers.as_ptr() as u64;
        let available = [count as u64, address, address + 8 * (count as u64 + 1)];
        let is_integer = |p: &AbiParam| matches!(p, AbiParam::Scalar(t, _) if t.is_int());
        let is_address = |p: &AbiParam| matches!(p, AbiParam::Scalar(Type::I64, _));
        let fits = sig.params.len() <= available.len()
            && sig.params.iter().take(1).all(is_integer)
            && sig.params.iter().skip(1).all(is_address)
            && sig.result.as_ref().is_none_or(is_integer);
        if !fits {
            let message = "@main must take nothing, or (i32), (i32, i64) or (i32, i64, i64), or an integer of another \
                           width in the place of the i32, and return nothing or an integer";
            return Err(Failure::input(format_args!("{}: {message}", source.name)));
        }
        let value = |(param, bits): (&AbiParam, u64)| match *param {
            AbiParam::Scalar(ty, _) => Value::new(ty, bits),
            AbiParam::Agg(_) => unreachable!("the parameters are integers"),
        };
        let args = sig.params.iter().zip(available).map(value).collect();
        Ok(RequestedCalls::Main { call: TypedCall { sym: f.sym, args }, _memory: (texts, pointers) })
    }

    /// Returns the calls that it makes.
    fn calls(&self) -> &[TypedCall] {
        match self {
            RequestedCalls::Calls(calls) => calls,
            RequestedCalls::Main { call, .. } => std::slice::from_ref(call),
        }
    }
    /// Makes the calls. Returns the exit status, or the outcome of a call that did not return.
    fn execute(&self, engine: &Engine, console: &mut Console) -> Result<Result<u8, Outcome>, Failure> {
        match self {
            RequestedCalls::Main { call, .. } => match engine.call(call.func(engine.module()), &call.args)? {
                Outcome::Return(v) => Ok(Ok(v.and_then(|v| v.as_scalar()).map_or(0, |v| v.bits as u8))),
                other => Ok(Err(other)),
            },
            RequestedCalls::Calls(calls) => {
                for call in calls {
                    match engine.call(call.func(engine.module()), &call.args)? {
                        Outcome::Return(None) => {}
                        Outcome::Return(Some(v)) => {
                            flush_c_output();
                            console.write_output(None, format!("{}{v}\n", end_of_c_line()).as_bytes())?;
                        }
                        other => return Ok(Err(other)),
                    }
                }
                Ok(Ok(0))
            }
        }
    }
}

/// Returns the help for a file without `@main`: the call of another function.
fn call_help(module: &Module, f: &Function) -> String {
    let SymKind::Func { sig, .. } = &module.decls.syms[f.sym].kind else { unreachable!("a function's symbol") };
    let name = printed(|out| print_sym(&module.decls, f.sym, out));
    let mut types = Vec::new();
    for (k, p) in sig.params.iter().enumerate() {
        types.extend_from_slice(if k > 0 { b", " } else { b"" });
        print_abi(&module.decls, *p, &mut types);
    }
    let types = String::from_utf8_lossy(&types);
    let zeros = sig.params.iter().map(|p| match p {
        AbiParam::Scalar(ty, _) => Value::new(*ty, 0).literal().to_string(),
        AbiParam::Agg(agg) if module.decls.types[*agg].size > MAX_SHOWN => "{..}".into(),
        AbiParam::Agg(agg) => {
            let shape = Arc::new(Shape::of(&module.decls, *agg));
            let bytes = vec![0; shape.size() as usize];
            Value::aggregate(shape, bytes).literal().to_string()
        }
    });
    let zeros = zeros.collect::<Vec<_>>().join(", ");
    format!("\nhelp: call another function, say `--call '{name}({zeros})'`, which takes ({types})")
}

/// The end of a program: the thread that holds the lock reports it. True once a failure was reported.
type End = Arc<Mutex<bool>>;

fn lock(end: &End) -> MutexGuard<'_, bool> {
    end.lock().unwrap_or_else(|e| e.into_inner())
}

/// Ends the process because a thread other than the first failed. The first one may wait for it.
fn end_with(outcome: &Outcome, module: &Module, end: &End, source: &Source) {
    let is_reported = lock(end);
    if !*is_reported {
        say(ending_in_words(outcome, module, source));
        at_end::print();
    }
    // The lock stays held, so that no other thread reports anything.
    end_at_once(TRAPPED);
}

/// Reports on the first thread how the calls of a run ended. Returns the exit status.
fn conclude(
    ended: Result<Result<u8, Outcome>, Failure>,
    engine: &Engine,
    end: &End,
    source: &Source,
    console: &mut Console,
) -> Result<u8, Failure> {
    // This comes before the lock: a thread that failed inside C's streams holds a lock of a stream, and waits for
    // `end`.
    flush_c_output();
    let mut is_reported = lock(end);
    let complain = |outcome: Outcome| {
        *is_reported = true;
        console.say(ending_in_words(&outcome, engine.module(), source));
        TRAPPED
    };
    let status = ended.map(|ended| ended.unwrap_or_else(complain));
    at_end::print();
    status
}

fn ending_in_words(outcome: &Outcome, module: &Module, source: &Source) -> String {
    let (what, at) = match outcome {
        Outcome::Trap(trap, at) => (format!("trap: {trap}"), at),
        Outcome::Error(message, at) => (format!("error: {message}"), at),
        Outcome::OutOfFuel(at) => ("error: out of fuel".into(), at),
        Outcome::Return(_) => unreachable!("a return is no complaint"),
    };
    let mut text = format!("{what} in {}\n", at.describe(module, Some(source)));
    Backtrace::of_last_run().write(module, Some(source), &mut text).expect("a string takes everything");
    text
}
