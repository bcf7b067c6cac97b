//! A finding as a file that reproduces it and can be reduced.
//!
//! The file is the module's text. Its first line names the kind of finding and the check. Its `; run:` lines are the
//! calls, with their results in the interpreter. Replaying runs the interpreter again, so that a smaller module with
//! other results still shows the bug, and only modules with specified results count.

use super::campaign::{problem_of, quiet, start_alone};
use super::check::Check;
use super::finding::{Finding, Kind, Problem, key, parse_key};
use super::origin::Origin;
use super::program::Program;
use lir_reduce::{Progress, ReduceError, ReduceOptions, reduce};
use lir_run::host::child::limits::Limits;
use lir_run::host::child::{self, Ended};
use lir_run::interp::{Interp, Options, Outcome};
use lir_run::run_lines::{LineReader, TypedCall};
use lir_run::symbols::HostSymbols;
use lir_syntax::check::check as check_text;
use lir_syntax::ir::Module;
use lir_syntax::parser::{ParseOptions, parse};
use lir_syntax::printer::print_sym;
use lir_syntax::text::diagnostic::Diagnostic;
use lir_syntax::text::source::Source;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The prefix of the line with the finding.
const MARK: &str = "; finding: ";
/// Operations that a call may execute where its result is stated.
const FUEL: u64 = 10_000_000;

/// The longest key that is used unchanged as a file name, in bytes: systems allow 255 in total.
const MAX_KEY: usize = 160;

/// Returns the name of a finding's file: letters, digits and dashes. A long order of passes is truncated, and a hash
/// added.
pub(crate) fn file_name(finding: &Finding) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let words: String = finding.key().chars().map(plain).collect();
    let words: Vec<&str> = words.split('-').filter(|w| !w.is_empty()).collect();
    let mut key = words.join("-");
    if key.len() > MAX_KEY {
        let mut hasher = DefaultHasher::new();
        key.hash(&mut hasher);
        key.truncate(MAX_KEY);
        key = format!("{}-{:x}", key.trim_end_matches('-'), hasher.finish());
    }
    format!("{key}-seed-{}.lir", finding.seed)
}

/// Returns the text of a finding's file. Messages refer to it by this name.
///
/// It is made in a child process, since executing a mutant may crash like the finding. Then it has no calls.
///
/// # Errors
/// The system cannot create a process.
pub(crate) fn text_of(finding: &Finding, origin: &Origin<'_>, name: &str, limits: Limits) -> io::Result<String> {
    let host = HostSymbols::new(&[]).expect("the process has symbols");
    for is_judged in [true, false] {
        let child = child::start(|| {
            limits.apply(1);
            quiet();
            let program = if is_judged { origin.program(finding.seed, &host) } else { origin.unjudged(finding.seed) };
            program.map_or_else(Vec::new, |p| text_of_program(finding, origin, name, &p).into_bytes())
        })?;
        if let Ended::Answered(text) = child.wait(limits.for_modules(1))? {
            return Ok(String::from_utf8_lossy(&text).into_owned());
        }
    }
    Ok(format!("{MARK}{}\n; (to make the module ends so, too)\n", finding.key()))
}

fn text_of_program(finding: &Finding, origin: &Origin<'_>, name: &str, program: &Program) -> String {
    let Program { module, calls, functions } = program;
    let message = finding.problem.message.replace('\n', " ");
    let mut text = format!(
        "{MARK}{}\n; ({message})\n; (the module of seed {}, {functions} functions)\n\
         ; (again:  lir-fuzz --replay {name})\n; (smaller: lir-fuzz --reduce {name} -o small.lir)\n\
         ; (anew:   lir-fuzz {}--seed {} --count 1 {})\n",
        finding.key(),
        finding.seed,
        origin.options(),
        finding.seed,
        finding.check.options()
    );
    for line in run_lines(module, calls) {
        text += &line;
    }
    text + &module.to_string()
}

/// Returns a `; run:` line for each call, with its result in the interpreter, if any. Each call has fresh data.
fn run_lines(module: &Arc<Module>, calls: &[TypedCall]) -> Vec<String> {
    let host = HostSymbols::new(&[]).expect("the process has symbols");
    let options = Options { fuel: Some(FUEL), ..Options::default() };
    let mut interp = Interp::new(Arc::clone(module), &host, options).ok();
    calls
        .iter()
        .map(|call| {
            let outcome = interp.as_mut().map(|interp| {
                interp.reset();
                interp.call(call.func(module), &call.args)
            });
            run_line(module, call, outcome.as_ref())
        })
        .collect()
}

fn run_line(module: &Module, call: &TypedCall, outcome: Option<&Outcome>) -> String {
    let mut text = b"; run: ".to_vec();
    print_sym(&module.decls, call.sym, &mut text);
    text.push(b'(');
    for (k, arg) in call.args.iter().enumerate() {
        text.extend_from_slice(if k > 0 { b", " } else { b"" });
        text.extend_from_slice(arg.literal().to_string().as_bytes());
    }
    text.push(b')');
    match outcome {
        Some(Outcome::Return(Some(v))) => {
            text.extend_from_slice(format!(" == {}", v.literal()).as_bytes());
        }
        Some(Outcome::Trap(trap, _)) => text.extend_from_slice(format!(" == trap({trap})").as_bytes()),
        Some(Outcome::Return(None) | Outcome::OutOfFuel(_) | Outcome::Error(..)) | None => {}
    }
    text.push(b'\n');
    String::from_utf8_lossy(&text).into_owned()
}

/// Returns the finding that a file names, if any.
///
/// # Errors
/// The line cannot be read.
pub(crate) fn finding_of(source: &Source) -> Result<Option<(Kind, Check)>, String> {
    let line = source.text.lines().find_map(|l| l.strip_prefix(MARK));
    line.map(|l| parse_key(l.trim())).transpose()
}

/// Runs a check on a file, in a child process; returns the problem, if any.
///
/// # Errors
/// The system cannot create a process.
pub(crate) fn replay(source: &Source, check: &Check, limits: Limits) -> io::Result<Option<Problem>> {
    let bad = |errors: &[Diagnostic]| {
        Problem::new(Kind::BadProgram, errors.first().map_or_else(String::new, |e| e.message.clone()))
    };
    let module = match check_text(source, &ParseOptions::default()) {
        Ok(module) => Arc::new(module),
        Err(errors) => return Ok(Some(bad(&errors))),
    };
    let program = || read_calls(&module, source).map_err(|e| bad(&[e])).map(|calls| (Arc::clone(&module), calls));
    let child = start_alone(limits, program, check.clone())?;
    Ok(problem_of(&child.wait(limits.for_modules(1))?))
}

fn read_calls(module: &Module, source: &Source) -> Result<Vec<TypedCall>, Diagnostic> {
    LineReader::new(module).run_lines(source).into_iter().map(|line| line.map(|l| l.call)).collect()
}

/// Shrinks a file while it reproduces the finding. The `; run:` lines of the result have the interpreter's results.
///
/// # Errors
/// See [`ReduceError`].
pub(crate) fn shrink(
    source: &Source,
    wanted: &(Kind, Check),
    limits: Limits,
    stop: &AtomicBool,
    report: &mut dyn FnMut(&Progress),
) -> Result<Progress, ReduceError> {
    // One at a time: a child has one thread, and locks that other threads held at the fork are never released in it.
    let options = ReduceOptions { jobs: 1, stop, kinds: lir_reduce::KINDS.iter().collect() };
    let test = |text: &str, _: &AtomicBool| {
        let candidate = Source { name: source.name.clone(), text: text.to_string() };
        replay(&candidate, &wanted.1, limits).is_ok_and(|p| p.is_some_and(|p| p.kind == wanted.0))
    };
    let mut progress = reduce(source, &test, &options, report)?;
    progress.text = restated(&progress.text, wanted);
    Ok(progress)
}

/// Returns the text with the finding in its first line. Its run lines have the interpreter's results.
fn restated(text: &str, wanted: &(Kind, Check)) -> String {
    let source = Source { name: String::new(), text: text.to_string() };
    let Ok(module) = parse(&source, &ParseOptions::default()) else {
        return source.text;
    };
    let module = Arc::new(module);
    let mut out = format!("{MARK}{}\n", key(&wanted.0, &wanted.1));
    for line in read_calls(&module, &source).map(|calls| run_lines(&module, &calls)).unwrap_or_default() {
        out += &line;
    }
    out + &module.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_short_and_distinct() {
        let order = |last: &str| format!("ssa{},{last}", ",mem2reg,simplify{expand=off}".repeat(20));
        let name = |last: &str| {
            let check = Check::Order(order(last));
            file_name(&Finding { seed: u64::MAX, check, problem: Problem::new(Kind::Miscompile, String::new()) })
        };
        assert!(name("gvn").len() < 255 && name("gvn") != name("lvn"), "{}", name("gvn"));
    }
}
