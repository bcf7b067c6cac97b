//! Checks a file against the test lines in its comments.
//!
//! | line | the file passes if |
//! |---|---|
//! | `; RUN: COMMANDS` | the tools succeed ([`command`], [`pipeline`]) |
//! | `; CHECK: ..` and the like | the input of `filecheck %s` in a `RUN` line agrees with them ([`crate::filecheck`]) |
//! | `; run: CALL == VALUE` | the call gives this value in every mode ([`lir_run::run_lines::modes`]) |
//! | `; error: TEXT` | the text gives these diagnostics and no others ([`lir_syntax::text::expected_errors`]) |
//!
//! A file without such lines fails, and so do misspelt lines and check lines that no `RUN` line reads: they test
//! nothing.

#![forbid(unsafe_code)]

mod bless;
pub mod cli;
mod command;
pub mod filecheck;
pub mod files;
mod pipeline;
mod stage;

use command::{CommandLine, Substitutions, command_lines};
use lir_cli::Tool;
use lir_llc::options::CompileOptions;
use lir_llc::regalloc::ALLOCATORS;
use lir_run::run_lines::modes::{Bounds, LEVELS, RunMode, judge_run_lines};
use lir_run::symbols::HostSymbols;
use lir_syntax::check::{check, errors_of};
use lir_syntax::parser::ParseOptions;
use lir_syntax::text::diagnostic::{Diagnostic, Fault, render};
use lir_syntax::text::directive::{Directive, DirectiveKind, directives, prefixes_in_use};
use lir_syntax::text::expected_errors::compare_errors;
use lir_syntax::text::foreign;
use lir_syntax::text::line_ends::of_old_system;
use lir_syntax::text::source::Source;
use std::ffi::OsString;
use std::io;
use std::path::Path;

/// The result for a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// The complaints as they are printed. Empty if the file passes.
    pub complaints: String,
    /// Counts of the lines that were checked, by kind, for `-v`.
    pub checked: String,
}

/// Checks a file. The bounds apply to each command and call. The process must have only one thread, because it forks.
///
/// # Errors
/// The system cannot create a process or a file.
pub fn check_file(path: &Path, source: &Source, bounds: Bounds) -> io::Result<Report> {
    let temporary = tempfile::tempdir()?;
    let prefixes = prefixes_in_use(source);
    let test = match Test::read(path, source, &prefixes, temporary.path()) {
        Ok(test) => test,
        Err(wrong) => return Ok(Report { complaints: render(source, &wrong), checked: String::new() }),
    };
    let mut report = Report { checked: test.summary(), ..Report::default() };
    for (command, tools) in &test.commands {
        let (wrong, _) = pipeline::run(&command.stages, tools, bounds.time)?;
        for w in wrong {
            report.complaints += &render(source, &[w.diagnostic]);
            report.complaints += &w.said;
        }
    }
    if test.errors > 0 {
        report.complaints += &render(source, &compare_errors(source, &errors_of(source)));
    }
    if test.calls > 0 {
        report.complaints += &run_lines(source, bounds)?;
    }
    Ok(report)
}

/// The test lines of a file.
pub(crate) struct Test<'a> {
    /// The command lines, with their tools.
    pub commands: Vec<(CommandLine, Vec<Tool>)>,
    /// The check lines.
    pub checks: Vec<Directive<'a>>,
    /// Number of `; run:` lines.
    pub calls: usize,
    /// Number of `; error:` lines.
    pub errors: usize,
}

impl<'a> Test<'a> {
    /// Reads the test lines of a file. `temporary` is the folder for temporary files.
    pub fn read(
        path: &Path,
        source: &'a Source,
        prefixes: &'a [String],
        temporary: &Path,
    ) -> Result<Test<'a>, Vec<Diagnostic>> {
        if let Some(error) = of_old_system(source) {
            return Err(vec![error]);
        }
        let (mut wrong, mut lines) = (bless::near_notes(source), Vec::new());
        let mut test = Test { commands: Vec::new(), checks: Vec::new(), calls: 0, errors: 0 };
        for directive in directives(source, prefixes) {
            match directive {
                Err(e) => wrong.push(e),
                Ok(d) => match d.kind {
                    DirectiveKind::Run => test.calls += 1,
                    DirectiveKind::Error => test.errors += 1,
                    DirectiveKind::Command => lines.push(d),
                    DirectiveKind::Check { .. } => test.checks.push(d),
                },
            }
        }
        let with = Substitutions { file: path, temporary: &temporary.join("t") };
        let (commands, unreadable) = command_lines(&lines, &with);
        wrong.extend(unreadable);
        for command in commands {
            match pipeline::tools_of(&command) {
                Ok(tools) => test.commands.push((command, tools)),
                Err(e) => wrong.push(e),
            }
        }
        if wrong.is_empty() {
            wrong.extend(test.unread_checks(path));
        }
        if wrong.is_empty() && lines.is_empty() && test.calls + test.errors == 0 {
            let message = "the file tests nothing: there is no `; RUN:`, `; run:` or `; error:` line";
            wrong.push(foreign::of_text(source).unwrap_or_else(|| Diagnostic::new(None, message)));
        }
        wrong.sort_by_key(|d| d.span);
        if wrong.is_empty() { Ok(test) } else { Err(wrong) }
    }

    /// Returns the errors in the command lines of `filecheck`. If there are none, returns an error for the first check
    /// line of each prefix that none of them reads.
    fn unread_checks(&self, path: &Path) -> Vec<Diagnostic> {
        let (mut known, mut wrong) = (Vec::<String>::new(), Vec::new());
        for stage in self.commands.iter().filter_map(|(c, _)| c.stages.last()).filter(|s| pipeline::is_filecheck(s)) {
            let arguments: Vec<OsString> = stage.words.iter().map(OsString::from).collect();
            match filecheck::cli::prefixes_for(&arguments, path) {
                Ok(prefixes) => known.extend(prefixes),
                Err(message) => wrong.push(Diagnostic::new(stage.span, message)),
            }
        }
        // The prefixes that a wrong command line reads are not known.
        if !wrong.is_empty() {
            return wrong;
        }
        for d in &self.checks {
            let DirectiveKind::Check { prefix, .. } = d.kind else { continue };
            if !known.iter().any(|k| k == prefix) {
                let message = format!("no RUN line reads this: none has a `filecheck %s` with the prefix `{prefix}`");
                wrong.push(Diagnostic::new(d.word, message));
                known.push(prefix.to_string());
            }
        }
        wrong
    }

    fn summary(&self) -> String {
        let counts =
            [(self.commands.len(), "RUN"), (self.checks.len(), "check"), (self.calls, "run"), (self.errors, "error")];
        let shown = counts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}"));
        shown.collect::<Vec<_>>().join(", ")
    }
}

/// Checks the `; run:` lines of a text in every mode. Returns the errors.
fn run_lines(source: &Source, bounds: Bounds) -> io::Result<String> {
    let module = match check(source, &ParseOptions::default()) {
        Ok(module) => module,
        Err(errors) => return Ok(render(source, &errors)),
    };
    let host = match HostSymbols::new(&[]) {
        Ok(host) => host,
        Err(e) => return Ok(format!("{}: error: {e}\n", source.name)),
    };
    let modes = RunMode::all(&LEVELS, ALLOCATORS, &CompileOptions::default());
    let report = judge_run_lines(source, &module, &modes, &host, bounds)?;
    if report.complaints.iter().any(|d| d.fault == Fault::Memory) {
        return Err(io::ErrorKind::OutOfMemory.into());
    }
    Ok(render(source, &report.complaints))
}
