//! Reads the limits of traces, and writes their log.

use crate::interp::{DroppedReport, ExitReport, Limits, TraceReport, TraceReports, TraceWatcher};
use crate::outcome::{Location, SourceIndex};
use lir_opt::passes::writers::WriterCounts;
use lir_syntax::ir::{FuncId, Module, Reg};
use lir_syntax::printer::{FunctionPrinter, print_sym, printed};
use lir_syntax::text::json::write_json_string;
use lir_syntax::text::source::Source;
use std::collections::HashMap;
use std::fmt::{self, Write};

/// Reads a limit, `NAME=N`.
///
/// # Errors
/// There is no such limit, or its number is missing or too large.
pub(super) fn limit(text: &str) -> Result<(String, u32), String> {
    let (name, number) = text.split_once('=').ok_or("a limit is written `NAME=N`")?;
    if !Limits::NAMES.contains(&name) {
        return Err(format!("there is no limit `{name}`; the limits are {}", Limits::NAMES.join(", ")));
    }
    let number: u32 = number.parse().map_err(|_| match number.contains(',') {
        true => "each limit has an option of its own: `--trace-limit copies=4 --trace-limit depth=2`".to_string(),
        false => format!("`{number}` is not a number below 2^32"),
    })?;
    let most = Limits::most(name);
    if number > most {
        return Err(format!("`{name}` is at most {most}"));
    }
    Ok((name.into(), number))
}

/// The format of the log.
#[derive(Copy, Clone, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(super) enum LogFormat {
    /// A few lines for each trace, and one for each dropped recording.
    Text,
    /// One object per line for each trace and each dropped recording.
    Json,
}

/// Returns the stages of traces, if they are wanted, and the log, if a format is given.
pub(super) fn output(watcher: &TraceWatcher, stages: bool, log: Option<LogFormat>, source: &Source) -> String {
    let reports = watcher.reports();
    let mut text = if stages { stages_of(&reports.traces) } else { String::new() };
    if let Some(format) = log {
        let mut log = Log {
            module: watcher.module(),
            index: SourceIndex::new(source),
            printers: HashMap::new(),
            text: &mut text,
        };
        match format {
            LogFormat::Text => log.write_text(&reports),
            LogFormat::Json => log.write_json(&reports),
        }
        .expect("a string takes everything");
    }
    text
}

/// Writes the log of traces, and of recordings that were dropped.
struct Log<'a> {
    module: &'a Module,
    index: SourceIndex<'a>,
    /// The printers of functions whose registers were named. They are kept, since making one takes time for each name
    /// in the function.
    printers: HashMap<FuncId, FunctionPrinter<'a>>,
    text: &'a mut String,
}

// ---- Text ----

impl Log<'_> {
    fn write_text(&mut self, reports: &TraceReports) -> fmt::Result {
        for (k, t) in reports.traces.iter().enumerate() {
            self.write_trace(k, t)?;
        }
        for d in &reports.dropped {
            let DroppedReport { start, from_exit, end, operations } = d;
            let begins = self.location(start);
            let from = from_exit.map_or_else(String::new, |n| format!(", after exit {n}"));
            writeln!(self.text, "dropped: began in {begins}{from}; ended by {end}, after {operations} operations")?;
        }
        Ok(())
    }
    fn write_trace(&mut self, k: usize, t: &TraceReport) -> fmt::Result {
        let begins = self.location(&t.start);
        let from = t.from_exit.map_or_else(String::new, |n| format!(", after exit {n}"));
        let through = match self.functions_of(t).join(", ") {
            none if none.is_empty() => none,
            names => format!(", continues in {names}"),
        };
        let TraceReport { operations, stores, redundant_stores, passed_stores, taken_slots, bytes, end, .. } = t;
        let WriterCounts { appended, merged, branches, dead_code, .. } = t.counts;
        let splits = if t.splits > 0 { format!("{} lifetimes split, ", t.splits) } else { String::new() };
        writeln!(
            self.text,
            "trace {k}: begins in {begins}{from}{through}; ends by {end}\n  {operations} operations, {appended} instructions \
             ({merged} merged, {branches} guards dropped, {dead_code} dead), {stores} stores of state ({redundant_stores} \
             redundant, {passed_stores} passed), {taken_slots} slots taken, {splits}{bytes} bytes"
        )?;
        t.exits.iter().filter(|e| e.taken > 0 || e.linked.is_some()).try_for_each(|e| self.write_exit(e))
    }
    fn write_exit(&mut self, e: &ExitReport) -> fmt::Result {
        let to = self.location(&e.to);
        // Passages from trace to trace are not counted.
        let taken = if e.taken > 0 { format!(", taken {} times", e.taken) } else { String::new() };
        let then = if e.taken > 0 { "then " } else { "" };
        let linked = e.linked.map_or_else(String::new, |k| format!(", {then}linked to trace {k}"));
        let passing = match &e.passes {
            Some(passes) if e.linked.is_some() => {
                let through = if e.is_adapted { " through an adapter" } else { "" };
                format!(", passing {}{through}", self.slots(passes, e.to.func))
            }
            _ => String::new(),
        };
        writeln!(self.text, "  exit {}: to {to}{taken}{linked}{passing}", e.number)
    }
    fn location(&mut self, at: &Location) -> String {
        at.describe_in(self.module, &mut self.index)
    }
    /// Returns the names of registers of a function.
    fn slots(&mut self, registers: &[Reg], func: FuncId) -> String {
        let module = self.module;
        let new = || FunctionPrinter::new(&module.decls, &module.funcs[func]);
        let printer = self.printers.entry(func).or_insert_with(new);
        let name = |r: &Reg| printed(|out| printer.reg(*r, out));
        match registers.iter().map(name).collect::<Vec<_>>().join(", ") {
            none if none.is_empty() => "no slot".into(),
            names => names,
        }
    }
    /// Returns the names of the functions in which a trace continues.
    fn functions_of(&self, t: &TraceReport) -> Vec<String> {
        let name = |func: &FuncId| printed(|out| print_sym(&self.module.decls, self.module.funcs[*func].sym, out));
        t.through.iter().map(name).collect()
    }
}

// ---- JSON: one object per line, with the field names of the reports ----

impl Log<'_> {
    fn write_json(&mut self, reports: &TraceReports) -> fmt::Result {
        for (k, t) in reports.traces.iter().enumerate() {
            self.write_trace_object(k, t)?;
        }
        // A recording that was dropped is not a trace.
        for d in &reports.dropped {
            let DroppedReport { start, from_exit, end, operations } = d;
            let (start, from_exit) = (quoted(&self.location(start)), number(*from_exit));
            writeln!(
                self.text,
                "{{\"trace\": null, \"start\": {start}, \"from_exit\": {from_exit}, \"end\": \"{end}\", \"operations\": \
                 {operations}}}"
            )?;
        }
        Ok(())
    }
    /// Writes a trace with all its exits.
    fn write_trace_object(&mut self, k: usize, t: &TraceReport) -> fmt::Result {
        let start = quoted(&self.location(&t.start));
        let through: Vec<String> = self.functions_of(t).iter().map(|name| quoted(name)).collect();
        let (from_exit, through) = (number(t.from_exit), through.join(", "));
        let TraceReport {
            operations, stores, redundant_stores, passed_stores, taken_slots, splits, bytes, end, ..
        } = t;
        let WriterCounts { appended, merged, branches, dead_code, .. } = t.counts;
        write!(
            self.text,
            "{{\"trace\": {k}, \"start\": {start}, \"from_exit\": {from_exit}, \"through\": [{through}], \"end\": \"{end}\", \
             \"operations\": {operations}, \"appended\": {appended}, \"merged\": {merged}, \"dropped_guards\": {branches}, \
             \"dead_code\": {dead_code}, \"stores\": {stores}, \"redundant_stores\": {redundant_stores}, \"passed_stores\": \
             {passed_stores}, \"taken_slots\": {taken_slots}, \"splits\": {splits}, \"bytes\": {bytes}, \"exits\": ["
        )?;
        for (k, e) in t.exits.iter().enumerate() {
            let (to, linked) = (quoted(&self.location(&e.to)), number(e.linked));
            let passes = match &e.passes {
                Some(passes) => quoted(&self.slots(passes, e.to.func)),
                None => "null".into(),
            };
            write!(
                self.text,
                "{}{{\"number\": {}, \"to\": {to}, \"taken\": {}, \"linked\": {linked}, \"passes\": {passes}, \"is_adapted\": \
                 {}}}",
                if k > 0 { ", " } else { "" },
                e.number,
                e.taken,
                e.is_adapted
            )?;
        }
        writeln!(self.text, "]}}")
    }
}

fn quoted(what: &str) -> String {
    let mut text = String::new();
    write_json_string(what, &mut text);
    text
}

fn number(n: Option<u32>) -> String {
    n.map_or_else(|| "null".into(), |n| n.to_string())
}

/// Returns the texts of all stages of each trace.
fn stages_of(traces: &[TraceReport]) -> String {
    let stages = traces.iter().enumerate().flat_map(|(k, t)| t.texts.iter().map(move |text| (k, text)));
    stages.map(|(k, (stage, text))| format!("; trace {k}: {stage}\n{text}\n")).collect()
}
