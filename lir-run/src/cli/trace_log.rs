//! The log of traces, as text.

use crate::interp::TraceReport;
use lir_syntax::ir::Module;
use lir_syntax::text::source::Source;
use std::fmt::Write;

/// A few lines for each trace.
pub(super) fn text(traces: &[TraceReport], module: &Module, source: &Source) -> String {
    let mut text = String::new();
    for (k, t) in traces.iter().enumerate() {
        let begins = t.start.describe(module, Some(source));
        let from = t.from_exit.map_or_else(String::new, |n| format!(", behind exit {n}"));
        let TraceReport { operations, appended, merged, decided, dead, stores, redundant_stores, bytes, .. } = t;
        let _ = writeln!(text, "trace {k}: begins in {begins}{from}; ends by {}", t.end);
        let _ = writeln!(
            text,
            "  {operations} operations, {appended} instructions ({merged} merged, {decided} decided, {dead} dead), \
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
