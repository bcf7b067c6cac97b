//! The command line of `lir-opt`: its options, and their execution.

pub mod bisect;
pub mod remark_args;
pub mod reproducer;
pub mod watch_args;

use crate::pass::stats::StatsFormat;
use crate::pass::{OptionKind, OptionValues, Pass};
use crate::passes::expand_wide;
use crate::passes::simplify::list_rules;
use crate::pipeline::mended::mended;
use crate::pipeline::registry::{self, OwnPasses};
use crate::pipeline::watch::Watchers;
use crate::views::compare::compare_numberings;
use crate::views::dot::{Graph, print_dot};
use crate::views::peak_memory::peak_memory;
use crate::views::print_analysis::{PrintedAnalysis, print_analyses};
use crate::views::syntax_tree::print_syntax_tree;
use crate::{Level, Pipeline, Report, RunOptions, optimize_watched};
use bisect::{Bisected, bisect};
use clap::{Parser, ValueEnum};
use lir_cli::heading::{FILES, PASSES, PRINT};
use lir_cli::{Clock, Console, ErrorLimit, Failure, Jobs, Session, Statuses};
use lir_import::IMPORTERS;
use lir_syntax::ir::{FuncId, Function, Module, SymData, SymKind};
use lir_syntax::printer::{name_after_sigil, print_module};
use lir_syntax::text::quoted::name_of_argument;
use lir_syntax::text::source::LineTable;
use lir_syntax::text::suggest::nearest_hint;
use remark_args::{RemarkArgs, Wanted};
use reproducer::narrow_internal_errors;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use watch_args::{WatchArgs, step_times};

const EXAMPLES: &str = "\
Examples:
  lir-opt -O2 in.lir -o out.lir                  runs the passes of a level
  lir-opt -p 'ssa,gvn{mem=off},dce' --print-changed in.lir
                                                 runs chosen passes, and prints the changes of each";

/// Reads and verifies LIR text, runs passes and writes the result as canonical text
///
/// Exit status: 0 done; 1 the input is wrong; 2 the command line is wrong; 70 an internal error;
/// 71 no memory is left.
#[derive(Parser)]
#[command(name = "lir-opt", version, after_help = EXAMPLES)]
struct Options {
    /// The file to read; `-` or nothing is standard input
    input: Option<PathBuf>,
    /// Write the result to a file; `-` or nothing is standard output
    #[arg(short, long, value_name = "FILE", help_heading = FILES)]
    output: Option<PathBuf>,
    /// Run the passes of a level: 0, 1 or 2 [default: no pass]
    #[arg(short = 'O', value_name = "LEVEL", help_heading = PASSES)]
    level: Option<Level>,
    /// Run these passes, in order: `ssa,gvn,dce`
    ///
    /// Options of a pass follow in braces: `gvn{mem=off}`. `fixpoint(gvn,dce)` repeats a group until nothing changes.
    /// `if-changed(loop-unroll,sroa)` runs the passes after the first only on functions that the first changed.
    #[arg(short, long, value_name = "PIPELINE", value_parser = read_pipeline, conflicts_with = "level")]
    #[arg(help_heading = PASSES)]
    passes: Option<PipelineArg>,
    /// Run passes over one function only
    #[arg(long, value_name = "@NAME", help_heading = PASSES)]
    function: Option<String>,
    /// Keep a local function and its signature, as if it were called from outside; may be repeated
    ///
    /// `@main`, or the first function if there is no `@main`, is always kept: a flat image begins with it.
    #[arg(long, value_name = "@NAME", help_heading = PASSES)]
    entry: Vec<String>,
    /// Drop all promises (`nsw`, `exact`, access types and the like) before the passes
    #[arg(long, help_heading = PASSES)]
    drop_promises: bool,
    /// Print the passes that would run, and stop
    #[arg(long, help_heading = PASSES)]
    print_pipeline: bool,
    /// Print every pass with its options, and stop
    #[arg(long, help_heading = PASSES)]
    list_passes: bool,
    /// Print the rewrite rules of the pass `simplify`, and stop
    #[arg(long, help_heading = PASSES)]
    list_rules: bool,
    #[arg(long, help = PrintedAnalysis::option_help(), long_help = PrintedAnalysis::option_long_help())]
    #[arg(value_name = "ANALYSES", value_delimiter = ',', value_parser = PrintedAnalysis::find)]
    #[arg(conflicts_with = "dot", help_heading = PRINT, hide_possible_values = true)]
    print_analysis: Vec<PrintedAnalysis>,
    /// Write a graph of the result for Graphviz instead of its text
    #[arg(long, value_name = "GRAPH", help_heading = PRINT)]
    dot: Option<DotGraph>,
    /// Print the syntax tree of the text by the grammar of record, and run no pass
    ///
    /// Each line is a rule that matched: its name, its range, and for leaves the matched text. It is an error if the
    /// grammar and the parser disagree. The grammar does not check operands, types, names or the ends of numbers. It
    /// accepts `jmp 5`, a bare `load`, `0x` and `data @s = { 5 }`.
    #[arg(long, help_heading = PRINT, conflicts_with_all = NOT_WITH_SYNTAX_TREE)]
    syntax_tree: bool,
    /// Compare the passes of a family on the result, instead of printing the result
    ///
    /// For each pass, the tables show the number of instructions that it finds, how many of them other passes miss, its
    /// time and its memory. The default pipeline is `ssa,mem2reg`.
    #[arg(long, value_name = "FAMILY", conflicts_with_all = ["dot", "print_analysis", "function"], help_heading = PRINT)]
    compare: Option<Family>,
    /// Print the peak memory of the process, in KiB, on standard error: for --compare
    #[arg(long, hide = true)]
    print_peak: bool,
    /// Print the counters of the passes on standard error
    #[arg(long, value_name = "FORMAT", num_args = 0..=1, require_equals = true, default_missing_value = "text")]
    #[arg(help_heading = PRINT)]
    stats: Option<StatsFormat>,
    #[command(flatten)]
    remark: RemarkArgs,
    #[command(flatten)]
    watch: WatchArgs,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    error_limit: ErrorLimit,
}

/// Options about passes and their result, of which there are none where a text is only read.
const NOT_WITH_SYNTAX_TREE: [&str; 20] = [
    "remarks", "level", "passes", "function", "entry", "print_pipeline", "list_passes", "list_rules", "print_after",
    "print_changed", "explain", "print_analysis", "dot", "compare", "time_passes", "stats", "verify_each",
    "opt_bisect_limit", "fuel", "bisect",
];

#[derive(Copy, Clone, ValueEnum)]
enum Family {
    /// The passes that find equal computations
    ValueNumbering,
}

#[derive(Copy, Clone, ValueEnum)]
enum DotGraph {
    /// Blocks with their instructions, and the edges between them
    Cfg,
    /// Dominator trees
    Dom,
    /// The functions, and the calls between them
    Calls,
}

/// The text of a pipeline that was read once without errors: clap wants values that can be cloned.
#[derive(Clone)]
struct PipelineArg(String);

/// LLVM's `-passes=` is read as `-p` and a value that begins so.
const REST_OF_PASSES: &str = "asses=";

fn read_pipeline(text: &str) -> Result<PipelineArg, String> {
    let Err(e) = Pipeline::parse(text) else { return Ok(PipelineArg(text.to_string())) };
    let written = |pipeline: String| format!("write `-p {pipeline}`");
    let help = match text.strip_prefix(REST_OF_PASSES) {
        None => mended(text, &e).map(written),
        Some(passes) => Some(match Pipeline::parse(passes) {
            Ok(_) => written(passes.to_string()),
            Err(e) => mended(passes, &e).map_or("write `-p` and names that `--list-passes` shows".to_string(), written),
        }),
    };
    Err(help.map_or(e.to_string(), |help| format!("{e}\nhelp: {help}")))
}

/// Runs the command line with additional passes; returns the exit status.
///
/// # Panics
/// Panics where [`registry::add`] does.
pub fn run_with(own: &'static OwnPasses, arguments: &[OsString], console: &mut Console) -> u8 {
    registry::add(own);
    run(arguments, console)
}

/// Runs the command line; returns the exit status.
pub fn run(arguments: &[OsString], console: &mut Console) -> u8 {
    console.run(arguments, Statuses::USUAL, |mut options: Options, console| {
        let output = options.output.as_deref();
        let result = if options.list_passes {
            console.write_output(output, list_passes().as_bytes())
        } else if options.list_rules {
            console.write_output(output, list_rules().as_bytes())
        } else if options.print_pipeline {
            console.write_output(output, format!("{}\n", options.pipeline()).as_bytes())
        } else if options.syntax_tree {
            show_syntax_tree(&options, console)
        } else if options.watch.bisect.is_some() {
            options.bisect(console)
        } else {
            transform(&options, console)
        };
        result.map(|()| 0)
    })
}

/// Prints the syntax tree of the grammar.
fn show_syntax_tree(options: &Options, console: &mut Console) -> Result<(), Failure> {
    let session = Session::open(console, options.input.as_deref(), IMPORTERS, (options.jobs, options.error_limit))?;
    let tree = print_syntax_tree(&session.source, &session.parse()).map_err(|errors| session.refusal(&errors))?;
    console.write_output(options.output.as_deref(), &tree)
}

/// A module after the passes.
struct Transformed {
    session: Session,
    module: Module,
    function: Option<FuncId>,
    wanted: Wanted,
    report: Report,
    watchers: Watchers,
}

/// Reads, verifies and runs the passes.
fn run_passes(options: &Options, pipeline: &Pipeline, console: &mut Console) -> Result<Transformed, Failure> {
    let mut watchers = options.watch.watchers(pipeline, &[], options.error_limit.get())?;
    let session = Session::open(console, options.input.as_deref(), IMPORTERS, (options.jobs, options.error_limit))?;
    let threads = session.threads;
    let mut module = session.check()?;
    if options.compare.is_some() || !options.print_analysis.is_empty() {
        // Analyses are of machine words, like passes.
        session.step("expand-wide", || expand_wide::expand(&mut module))?;
    }
    if options.drop_promises {
        module.funcs.as_mut_slice().iter_mut().for_each(Function::drop_all_promises);
    }
    let function = options.function.as_ref().map(|name| find_function(&module, name)).transpose()?;
    let wanted = options.remark.wanted(&module, function)?;
    let entry_points = options
        .entry
        .iter()
        .map(|name| Ok(module.funcs[find_function(&module, name)?].sym))
        .collect::<Result<_, Failure>>()?;
    let run_options = RunOptions { threads, function, entry_points, listen: wanted.listen.clone() };
    let passes = options.passes();
    narrow_internal_errors(&module, &run_options, move || pipeline_of(&passes), None);
    let mut log = Vec::new();
    let run = || optimize_watched(&mut module, pipeline, &run_options, &mut watchers, &mut log);
    let result = session.step("passes", run);
    console.say(String::from_utf8_lossy(&log));
    let report = result?;
    Ok(Transformed { session, module, function, wanted, report, watchers })
}

/// Reads, verifies, runs the passes and writes.
fn transform(options: &Options, console: &mut Console) -> Result<(), Failure> {
    options.remark.check("the module", options.output.as_deref(), options.input.as_deref())?;
    let pipeline = options.pipeline();
    let Transformed { session, module, function, wanted, report, watchers } = run_passes(options, &pipeline, console)?;
    if let Some(Family::ValueNumbering) = options.compare {
        let lines = LineTable::new(&session.source.text);
        let table = session.step("compare", || compare_numberings(&module, &lines))?;
        return console.write_output(options.output.as_deref(), table.as_bytes());
    }
    let told = options.remark.tell(&wanted, &report.remarks, &module, &silence_of(&pipeline), &session.source)?;
    // The text of the source is not needed from here on: the result takes its memory.
    let Session { source, clock, .. } = session;
    let mut out = Arc::unwrap_or_clone(source).text.into_bytes();
    out.clear();
    clock.measure("print", || options.print(&module, function, &mut out));
    console.write_output(options.output.as_deref(), &out)?;
    // The process ends here, as a rule (`lir-check` calls this as a function): thousands of functions are not taken
    // apart for that, which takes 0.65 % of the instructions of a short run.
    std::mem::forget(module);
    told.write(console)?;
    options.say_figures(&clock, (&report, &watchers), console);
    Ok(())
}

/// Says that no pass said anything.
fn silence_of(pipeline: &Pipeline) -> String {
    match pipeline.to_string().as_str() {
        "" => "no pass ran that could say anything".to_string(),
        passes => format!("no pass of `{passes}` said anything"),
    }
}

impl Bisected for Options {
    fn watch(&mut self) -> &mut WatchArgs {
        &mut self.watch
    }
    fn file_name(&self) -> &Path {
        self.output.as_deref().or(self.input.as_deref()).unwrap_or(Path::new("out.lir"))
    }
    fn run(&mut self, _: bool, console: &mut Console) -> Result<(Vec<u8>, Watchers), Failure> {
        let Transformed { module, function, watchers, .. } = run_passes(self, &self.pipeline(), console)?;
        let mut out = Vec::new();
        self.print(&module, function, &mut out);
        Ok((out, watchers))
    }
}

impl Options {
    /// Finds the step and the rewrite with which the command of `--bisect` fails.
    fn bisect(&mut self, console: &mut Console) -> Result<(), Failure> {
        let command = self.watch.bisect_command(self.input.as_deref())?;
        bisect(self, &command, console)
    }
    /// Prints times, counters and memory, where they are wanted.
    fn say_figures(&self, clock: &Clock, (report, watchers): (&Report, &Watchers), console: &mut Console) {
        if let Some(passes) = watchers.find() {
            console.say(clock.table() + &step_times(passes));
        }
        if let Some(format) = self.stats {
            console.say(report.stats.print(format));
        }
        if self.print_peak {
            console.say(peak_memory().map_or(String::new(), |kib| format!("{kib}\n")));
        }
    }
    /// Writes the result as text or as a graph.
    fn print(&self, module: &Module, function: Option<FuncId>, out: &mut Vec<u8>) {
        match self.dot {
            None if self.print_analysis.is_empty() => print_module(module, out),
            None => {
                let chosen = function.map(|id| module.funcs[id].sym);
                print_analyses(module, &self.print_analysis, |f| chosen.is_none_or(|s| s == f.sym), out);
            }
            Some(DotGraph::Cfg) => print_dot(module, Graph::ControlFlow, function, out),
            Some(DotGraph::Dom) => print_dot(module, Graph::Dominators, function, out),
            Some(DotGraph::Calls) => print_dot(module, Graph::Calls, function, out),
        }
    }
    fn pipeline(&self) -> Pipeline {
        pipeline_of(&self.passes())
    }
    /// Returns the requested pipeline text, or the requested level.
    fn passes(&self) -> Result<String, Level> {
        match &self.passes {
            Some(PipelineArg(text)) => Ok(text.clone()),
            None if self.compare.is_some() && self.level.is_none() => Ok("ssa,mem2reg".into()),
            None => Err(self.level.unwrap_or_default()),
        }
    }
}

fn pipeline_of(passes: &Result<String, Level>) -> Pipeline {
    match passes {
        Ok(text) => Pipeline::parse(text).expect("the text was read before"),
        Err(level) => Pipeline::of_level(*level),
    }
}

/// Returns the function of a name, with or without `@` and quotes.
fn find_function(module: &Module, name: &str) -> Result<FuncId, Failure> {
    let bare = &name_of_argument('@', name)[..];
    module.decls.body_named(bare).ok_or_else(|| {
        let is_body = |s: &&SymData| matches!(s.kind, SymKind::Func { body: Some(_), .. });
        let hint = nearest_hint("@", bare, module.decls.syms.values().filter(is_body).map(|s| &*s.name));
        Failure::input(format_args!("there is no function @{} with a body{hint}", name_after_sigil(bare)))
    })
}

fn list_passes() -> String {
    let width = registry::all().map(|p| p.name.len()).max().unwrap_or(0);
    let mut out = String::new();
    for pass in registry::all() {
        let needs_ssa = matches!((pass.build)(&OptionValues::defaults(pass.options)), Pass::Ssa(_));
        let form = match (needs_ssa, pass.leaves_ssa()) {
            (true, _) => " (needs SSA form)",
            (false, true) => "",
            (false, false) => " (ends SSA form)",
        };
        let _ = writeln!(out, "{:width$}  {}{form}", pass.name, pass.summary);
        for option in pass.options {
            let mut value = option.kind.show(option.kind.default());
            if let OptionKind::Choice { names, .. } = option.kind {
                let others = names.iter().filter(|n| **n != value).copied().collect::<Vec<_>>();
                value = format!("{value}|{}", others.join("|"));
            }
            let _ = writeln!(out, "{:width$}    {{{}={value}}}  {}", "", option.name, option.summary);
        }
    }
    out
}
