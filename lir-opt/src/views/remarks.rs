//! Remarks as text and as JSON.

use crate::pass::remarks::Remark;
use lir_syntax::ir::function::NO_LOC;
use lir_syntax::text::json::write_json_string;
use lir_syntax::text::source::{LineTable, Source};
use std::fmt::Write;

/// Returns the remarks in words, one line for each: `gvn: %b in @f, block left, line 7: merged: has the value of %a
/// (line 3)`.
pub(crate) fn in_words(remarks: &[Remark], source: &Source) -> String {
    let lines = LineTable::new(&source.text);
    let mut out = String::new();
    for r in remarks {
        let line = if r.loc == NO_LOC { String::new() } else { format!(", line {}", lines.line(r.loc)) };
        let value = r.value.as_ref().map_or(String::new(), |v| format!("{v} in "));
        let (run, function, block, event) = (r.run, &r.function, &r.block, r.event);
        let _ = writeln!(out, "{run}: {value}{function}, block {block}{line}: {event}: {}", r.message(&lines));
    }
    out
}

/// Returns the remarks as JSON, one object per line. It has `pass`, if it has several runs `run` (`gvn#3`), `kind`,
/// `event`, `function`, `block`, if they have one `value` and `line`, and `message`.
pub(crate) fn as_json_lines(remarks: &[Remark], source: &Source) -> String {
    let lines = LineTable::new(&source.text);
    let mut out = String::new();
    for r in remarks {
        let mut field = |name: &str, value: &str| {
            out.push_str(if name == "pass" { "{" } else { ", " });
            let _ = write!(out, "\"{name}\": ");
            write_json_string(value, &mut out);
        };
        field("pass", r.run.step);
        if r.run.to_string() != r.run.step {
            field("run", &r.run.to_string());
        }
        field("kind", r.kind.name());
        field("event", r.event);
        field("function", &r.function);
        field("block", &r.block);
        r.value.iter().for_each(|v| field("value", v));
        field("message", &r.message(&lines));
        if r.loc != NO_LOC {
            let _ = write!(out, ", \"line\": {}", lines.line(r.loc));
        }
        out.push_str("}\n");
    }
    out
}
