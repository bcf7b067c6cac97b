//! The options and the log of traces.

use crate::interp::{DroppedReport, ExitReport, Limits, TraceReport, TraceReports, TraceWatcher};
use crate::outcome::Location;
use lir_opt::passes::writers::WriterCounts;
use lir_syntax::ir::{FuncId, Module, Reg};
use lir_syntax::printer::{FunctionPrinter, print_sym};
use lir_syntax::text::json::write_json_string;
use lir_syntax::text::source::Source;
use std::fmt::Write;

/// Reads a limit, `NAME=N`.
///
/// # Errors
/// There is no such limit, or no number.
pub(super) fn limit(text: &str) -> Result<(String, u32), String> {
    let (name, number) = text.split_once('=').ok_or("a limit is written `NAME=N`")?;
    if !Limits::NAMES.contains(&name) {
        return Err(format!("no limit is called `{name}`; there are {}", Limits::NAMES.join(", ")));
    }
    let number: u32 = number.parse().map_err(|_| format!("`{number}` is no number below 2^32"))?;
    let most = Limits::most(name);
    if number > most {
        return Err(format!("`{name}` is at most {most}"));
    }
    Ok((name.into(), number))
}

/// The format of the log.
#[derive(Copy, Clone, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(super) enum LogFormat {
    /// A few lines for each trace, and one for each recording that was dropped.
    Text,
    /// An object a line for each of them.
    Json,
}

/// The stages of traces, if they are wanted, and the log in a format.
pub(super) fn output(watcher: &TraceWatcher, stages: bool, log: Option<LogFormat>, source: &Source) -> String {
    let reports = watcher.reports();
    let mut text = if stages { stages_of(&reports.traces) } else { String::new() };
    if let Some(format) = log {
        text.push_str(&log_of(format, &reports, watcher.module(), source));
    }
    text
}

/// The log of traces, and of recordings that were dropped.
fn log_of(format: LogFormat, reports: &TraceReports, module: &Module, source: &Source) -> String {
    let trace = |(k, t): (usize, &TraceReport)| match format {
        LogFormat::Text => text(k, t, module, source),
        LogFormat::Json => json(k, t, module, source),
    };
    let dropped = |d: &DroppedReport| match format {
        LogFormat::Text => dropped_text(d, module, source),
        LogFormat::Json => dropped_json(d, module, source),
    };
    reports.traces.iter().enumerate().map(trace).chain(reports.dropped.iter().map(dropped)).collect()
}

fn dropped_text(d: &DroppedReport, module: &Module, source: &Source) -> String {
    let DroppedReport { start, from_exit, end, operations } = d;
    let begins = start.describe(module, Some(source));
    let from = from_exit.map_or_else(String::new, |n| format!(", behind exit {n}"));
    format!("dropped: began in {begins}{from}; ended by {end}, after {operations} operations\n")
}

/// A recording as an object, whose names are those of [`DroppedReport`]; its trace is null.
fn dropped_json(d: &DroppedReport, module: &Module, source: &Source) -> String {
    let DroppedReport { start, from_exit, end, operations } = d;
    format!(
        "{{\"trace\": null, \"start\": {}, \"from_exit\": {}, \"end\": \"{end}\", \"operations\": {operations}}}\n",
        quoted(&start.describe(module, Some(source))),
        number(*from_exit)
    )
}

fn quoted(what: &str) -> String {
    let mut text = String::new();
    write_json_string(what, &mut text);
    text
}
fn number(n: Option<u32>) -> String {
    n.map_or_else(|| "null".into(), |n| n.to_string())
}

fn text(k: usize, t: &TraceReport, module: &Module, source: &Source) -> String {
    let begins = t.start.describe(module, Some(source));
    let from = t.from_exit.map_or_else(String::new, |n| format!(", behind exit {n}"));
    let through = match names(t, module).join(", ") {
        none if none.is_empty() => none,
        names => format!(", goes on in {names}"),
    };
    let TraceReport {
        operations,
        counts,
        stores,
        redundant_stores,
        passed_stores,
        taken_slots,
        splits,
        bytes,
        end,
        ..
    } = t;
    let WriterCounts { appended, merged, branches, dead_code, .. } = counts;
    let splits = if *splits > 0 { format!("{splits} lifetimes split, ") } else { String::new() };
    let mut text = format!(
        "trace {k}: begins in {begins}{from}{through}; ends by {end}\n  {operations} operations, {appended} instructions ({merged} \
         merged, {branches} guards dropped, {dead_code} dead), {stores} stores of state ({redundant_stores} redundant, \
         {passed_stores} passed), {taken_slots} slots taken, {splits}{bytes} bytes\n"
    );
    for e in t.exits.iter().filter(|e| e.taken > 0 || e.linked.is_some()) {
        let to = e.to.describe(module, Some(source));
        // Nobody counts what goes from trace to trace.
        let taken = if e.taken > 0 { format!(", taken {} times", e.taken) } else { String::new() };
        let then = if e.taken > 0 { "then " } else { "" };
        let linked = e.linked.map_or_else(String::new, |k| format!(", {then}linked to trace {k}"));
        let passing = match &e.passes {
            Some(passes) if e.linked.is_some() => {
                let through = if e.is_adapted { " through an adapter" } else { "" };
                format!(", passing {}{through}", slots(passes, e.to.func, module))
            }
            _ => String::new(),
        };
        let _ = writeln!(text, "  exit {}: to {to}{taken}{linked}{passing}", e.number);
    }
    text
}

/// The names of registers of a function.
fn slots(registers: &[Reg], func: FuncId, module: &Module) -> String {
    let f = &module.funcs[func];
    let printer = FunctionPrinter::new(&module.decls, f);
    let name = |r: &Reg| {
        let mut name = Vec::new();
        printer.reg(*r, &mut name);
        String::from_utf8_lossy(&name).into_owned()
    };
    match registers.iter().map(name).collect::<Vec<_>>().join(", ") {
        none if none.is_empty() => "no slot".into(),
        names => names,
    }
}

/// The names of the functions that a trace goes on in.
fn names(t: &TraceReport, module: &Module) -> Vec<String> {
    let name = |func: &FuncId| {
        let mut name = Vec::new();
        print_sym(&module.decls, module.funcs[*func].sym, &mut name);
        String::from_utf8_lossy(&name).into_owned()
    };
    t.through.iter().map(name).collect()
}

/// A trace as an object, whose names are those of [`TraceReport`]; all its exits are in it.
fn json(k: usize, t: &TraceReport, module: &Module, source: &Source) -> String {
    let place = |at: &Location| quoted(&at.describe(module, Some(source)));
    let through: Vec<String> = names(t, module).iter().map(|name| quoted(name)).collect();
    let exit = |e: &ExitReport| {
        let (to, linked) = (place(&e.to), number(e.linked));
        let passes = match &e.passes {
            Some(passes) => quoted(&slots(passes, e.to.func, module)),
            None => "null".into(),
        };
        format!(
            "{{\"number\": {}, \"to\": {to}, \"taken\": {}, \"linked\": {linked}, \"passes\": {passes}, \"is_adapted\": {}}}",
            e.number, e.taken, e.is_adapted
        )
    };
    let exits: Vec<String> = t.exits.iter().map(exit).collect();
    let TraceReport {
        operations,
        counts,
        stores,
        redundant_stores,
        passed_stores,
        taken_slots,
        splits,
        bytes,
        end,
        ..
    } = t;
    let WriterCounts { appended, merged, branches, dead_code, .. } = counts;
    format!(
        "{{\"trace\": {k}, \"start\": {}, \"from_exit\": {}, \"through\": [{}], \"end\": \"{end}\", \"operations\": {operations}, \
         \"appended\": {appended}, \"merged\": {merged}, \"dropped_guards\": {branches}, \"dead_code\": {dead_code}, \"stores\": \
         {stores}, \"redundant_stores\": {redundant_stores}, \"passed_stores\": {passed_stores}, \"taken_slots\": {taken_slots}, \"splits\": {splits}, \"bytes\": {bytes}, \"exits\": [{}]}}\n",
        place(&t.start),
        number(t.from_exit),
        through.join(", "),
        exits.join(", ")
    )
}

/// The texts of all stages of each trace.
fn stages_of(traces: &[TraceReport]) -> String {
    let stages = traces.iter().enumerate().flat_map(|(k, t)| t.texts.iter().map(move |text| (k, text)));
    stages.map(|(k, (stage, text))| format!("; trace {k}: {stage}\n{text}\n")).collect()
}
