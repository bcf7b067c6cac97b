//! The options and the log of traces.

use crate::interp::{Limits, TraceReport};
use lir_opt::passes::writers::WriterCounts;
use lir_syntax::ir::Module;
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

/// A few lines for each trace.
pub(super) fn text(traces: &[TraceReport], module: &Module, source: &Source) -> String {
    let mut text = String::new();
    for (k, t) in traces.iter().enumerate() {
        let begins = t.start.describe(module, Some(source));
        let from = t.from_exit.map_or_else(String::new, |n| format!(", behind exit {n}"));
        let TraceReport { operations, counts, stores, redundant_stores, bytes, .. } = t;
        let WriterCounts { appended, merged, decided, dead_code, .. } = counts;
        let _ = writeln!(text, "trace {k}: begins in {begins}{from}; ends by {}", t.end);
        let _ = writeln!(
            text,
            "  {operations} operations, {appended} instructions ({merged} merged, {decided} decided, {dead_code} dead), \
             {stores} stores of state ({redundant_stores} redundant), {bytes} bytes"
        );
        for e in t.exits.iter().filter(|e| e.taken > 0 || e.linked.is_some()) {
            let to = e.to.describe(module, Some(source));
            let linked = e.linked.map_or_else(String::new, |k| format!(", linked to trace {k}"));
            let _ = writeln!(text, "  exit {}: to {to}, taken {} times{linked}", e.number, e.taken);
        }
    }
    text
}
