//! `--trace`: each instruction that the interpreter executes, with its operands and result.
//!
//! Parts of a line are written at once, so that lines are whole however many threads write to standard error. The
//! thread that executes is named from the moment on that there is a second one.

use crate::interp::{Executed, Observer};
use crate::value::Value;
use lir_syntax::ir::function::NO_LOC;
use lir_syntax::ir::{Block, FuncId, Function, Module, Type};
use lir_syntax::printer::{FunctionPrinter, print_sym};
use lir_syntax::text::source::{LineTable, Source};
use std::io::Write;
use std::sync::Arc;

/// The column after which values begin.
const VALUES_AT: usize = 56;
/// Columns that nested calls are indented by, at most.
const MOST_INDENT: usize = 40;

/// A function, or a block of one, as it is named on the command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Place {
    func: String,
    block: Option<String>,
}

/// Reads a place, `@f` or `@f:block`.
///
/// # Errors
/// It does not begin so.
pub(super) fn place(text: &str) -> Result<Place, String> {
    const FORM: &str = "a place is written `@f` or `@f:block`";
    let (func, rest) = function_in(text).ok_or(FORM)?;
    let block = match rest.strip_prefix(':') {
        None if rest.is_empty() => None,
        None => return Err(FORM.into()),
        Some(block) => Some(block.into()),
    };
    Ok(Place { func: func.into(), block })
}

/// Returns the name of the function at the start of a place, which may be quoted, and the text after it.
pub(super) fn function_in(place: &str) -> Option<(&str, &str)> {
    let name = place.strip_prefix('@')?;
    let quoted = name.strip_prefix('"').and_then(|rest| rest.split_once('"'));
    Some(quoted.unwrap_or_else(|| name.split_at(name.find(':').unwrap_or(name.len()))))
}

/// A place that was found.
type Found = (FuncId, Option<Block>);

fn find(module: &Module, place: &Place) -> Result<Found, String> {
    let func = module.decls.body_named(place.func.as_bytes());
    let func = func.ok_or_else(|| format!("there is no function @{} to trace", place.func))?;
    let f = &module.funcs[func];
    let Some(name) = &place.block else { return Ok((func, None)) };
    let block = f.layout().blocks().find(|b| f.names.get(f.block(*b).name) == name.as_bytes());
    match block {
        Some(block) => Ok((func, Some(block))),
        None => Err(format!(
            "@{} has no block `{name}` when it runs: passes may have removed it, which -O0 leaves out",
            place.func
        )),
    }
}

/// Prints instructions on standard error.
struct StepPrinter {
    places: Vec<Found>,
    /// Arrivals at the places, or instructions if there are none, until the first that is printed.
    left: u64,
    lines: LineTable,
    /// The thread of the line before, its block and its depth.
    last: Option<(u32, FuncId, Block, usize)>,
    /// True if there is more than one thread.
    several: bool,
    line: Vec<u8>,
}

/// Makes an observer that prints the instructions at some places, or everywhere, from the n-th arrival of control on.
///
/// # Errors
/// A place is not there.
pub(super) fn printer(module: &Module, places: &[Place], from: u64, source: &Arc<Source>) -> Result<Observer, String> {
    let places = places.iter().map(|p| find(module, p)).collect::<Result<Vec<_>, _>>()?;
    let lines = LineTable::new(&source.text);
    let mut printer = StepPrinter { places, left: from, lines, last: None, several: false, line: Vec::new() };
    Ok(Box::new(move |executed| printer.executed(executed)))
}

impl StepPrinter {
    fn executed(&mut self, e: &Executed<'_>) {
        self.several |= e.thread > 1;
        let f = &e.module.funcs[e.func];
        let block = f.layout().block_of(e.inst).expect("what is executed is in a block");
        let at = Some((e.thread, e.func, block, e.depth));
        if !self.is_wanted(e, f, block) {
            return;
        }
        let indent = (2 * e.depth).min(MOST_INDENT);
        self.line.clear();
        if e.arrives || self.last != at {
            self.line.resize(indent, b' ');
            print_sym(&e.module.decls, f.sym, &mut self.line);
            self.line.extend_from_slice(b", block ");
            FunctionPrinter::new(&e.module.decls, f).block(block, &mut self.line);
            if self.several {
                let _ = write!(self.line, ", thread {}", e.thread);
            }
            self.line.extend_from_slice(b":\n");
        }
        self.last = at;
        self.instruction(e, f, indent);
        // Standard error is closed, so the failure cannot be reported.
        let _ = std::io::stderr().write_all(&self.line);
    }
    /// True if the instruction is printed.
    fn is_wanted(&mut self, e: &Executed<'_>, f: &Function, block: Block) -> bool {
        let is_at = |&(func, b): &Found| func == e.func && b.is_none_or(|b| b == block);
        if !self.places.is_empty() && !self.places.iter().any(is_at) {
            return false;
        }
        let begins = |&(func, b): &Found| func == e.func && b.unwrap_or(f.entry()) == block && e.arrives;
        let counts = if self.places.is_empty() { !e.returns } else { self.places.iter().any(begins) };
        self.left -= u64::from(counts && self.left > 0);
        self.left == 0
    }
    fn instruction(&mut self, e: &Executed<'_>, f: &Function, indent: usize) {
        let start = self.line.len();
        self.line.resize(start + indent, b' ');
        match f.loc_of(e.inst) {
            NO_LOC => self.line.extend_from_slice(b"      "),
            loc => {
                let _ = write!(self.line, "{:5} ", self.lines.line(loc));
            }
        }
        let printer = FunctionPrinter::new(&e.module.decls, f);
        printer.inst(e.inst, &mut self.line);
        if !e.reads.is_empty() || e.result.is_some() {
            let width = String::from_utf8_lossy(&self.line[start..]).chars().count();
            self.line.resize(self.line.len() + (VALUES_AT + indent).saturating_sub(width), b' ');
            self.line.extend_from_slice(b" ;");
        }
        for (k, (r, bits)) in e.reads.iter().enumerate() {
            self.line.extend_from_slice(if k == 0 { b" " } else { b", " });
            printer.reg(*r, &mut self.line);
            self.line.extend_from_slice(b" = ");
            value(f.type_of(*r), *bits, &mut self.line);
        }
        if let (Some(bits), Some(r)) = (e.result, f.def(e.inst)) {
            self.line.extend_from_slice(b" => ");
            value(f.type_of(r), bits, &mut self.line);
        }
        self.line.push(b'\n');
    }
}

/// A value as a constant of its type.
fn value(ty: Type, bits: u128, out: &mut Vec<u8>) {
    let _ = write!(out, "{}", Value::of_bits(ty, bits).literal());
}
