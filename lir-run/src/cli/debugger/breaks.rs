//! Breaks: the lines of functions before which the debugger stops.
//!
//! Control arrives at a line where it reaches an instruction of the line from another line, and where it jumps backward
//! within the line: a loop that is written on one line arrives in each iteration. Phis are executed on the way to their
//! block, so a break on their line stops after them.

use crate::cli::steps::function_in;
use crate::interp::Suspended;
use lir_syntax::ir::function::NO_LOC;
use lir_syntax::ir::{Block, EntityRef, FileData, FuncId, Function, Inst, Module, Opcode, Place};
use lir_syntax::printer::{print_sym, printed};
use lir_syntax::text::source::LineTable;
use lir_syntax::text::suggest::nearest_hint;
use rustc_hash::FxHashSet;

/// The form of a place, for messages.
const FORM: &str = "a place is written `@f`, `@f:LINE` or `@f:FILE:LINE`";

/// A place as it is named on the command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::cli) struct Spot {
    func: String,
    line: Line,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Line {
    /// The entry of the function.
    Entry,
    /// A line of the text.
    Text(u32),
    /// A line of a file of the front end's.
    File(String, u32),
}

/// Reads a place, `@f`, `@f:LINE` or `@f:FILE:LINE`.
///
/// # Errors
/// It is not such a place.
pub(in crate::cli) fn spot(text: &str) -> Result<Spot, String> {
    let (func, rest) = function_in(text).ok_or(FORM)?;
    if func.is_empty() {
        return Err(FORM.into());
    }
    let line = match rest.strip_prefix(':') {
        None if rest.is_empty() => Line::Entry,
        None => return Err(FORM.into()),
        Some(rest) => match rest.rsplit_once(':') {
            Some((file, line)) if !file.is_empty() => Line::File(file.into(), number(line)?),
            Some(_) => return Err(FORM.into()),
            None => Line::Text(number(rest)?),
        },
    };
    Ok(Spot { func: func.into(), line })
}

/// Reads the number of a line.
fn number(text: &str) -> Result<u32, String> {
    let line = text.parse().ok().filter(|line| *line > 0);
    line.ok_or_else(|| format!("`{text}` is not the number of a line; {FORM}"))
}

/// A place at which the debugger stops.
pub(super) struct Break {
    /// Its number, for commands.
    pub(super) number: usize,
    /// The times that control has arrived there.
    pub(super) hits: u64,
    spot: Spot,
    func: FuncId,
    /// The instructions of the line, with the first instruction after the phis in place of phis.
    on: FxHashSet<Inst>,
    /// By block: its number in the order of the text.
    order: Vec<u32>,
}

impl Break {
    /// Finds a place.
    ///
    /// # Errors
    /// There is no such function, or it has no instruction there.
    pub(super) fn find(module: &Module, lines: &LineTable, spot: Spot, number: usize) -> Result<Break, String> {
        let Some(func) = module.decls.body_named(spot.func.as_bytes()) else {
            let names = module.funcs.values().map(|f| &*module.decls.syms[f.sym].name);
            let hint = nearest_hint("@", spot.func.as_bytes(), names);
            return Err(format!("there is no function @{} to stop in{hint}", spot.func));
        };
        let f = &module.funcs[func];
        let on = match &spot.line {
            Line::Entry => f.layout().first_inst(f.entry()).into_iter().collect(),
            Line::Text(line) => {
                let on = on_line(f, *line, |i| {
                    Some(f.loc_of(i)).filter(|loc| *loc != NO_LOC).map(|loc| lines.line(loc)).into_iter().collect()
                });
                on.map_err(|near| nothing_there(&spot.func, &format!("line {line}"), near))?
            }
            Line::File(file, line) => {
                check_file(module, f, &spot.func, file)?;
                let on = on_line(f, *line, |i| {
                    let places = places(f, i).into_iter();
                    places.filter(|p| is_called(&module.decls.files[p.file], file)).map(|p| p.line).collect()
                });
                on.map_err(|near| nothing_there(&spot.func, &format!("line {line} of {file}"), near))?
            }
        };
        let on = on.into_iter().map(|i| after_phis(f, i)).collect();
        let mut order = vec![0; f.num_blocks()];
        f.layout().blocks().zip(0..).for_each(|(b, k)| order[b.index()] = k);
        Ok(Break { number, hits: 0, spot, func, on, order })
    }
    /// True if control has arrived here just now.
    pub(super) fn is_hit(&self, run: &Suspended<'_>) -> bool {
        let (func, inst) = run.at(run.depth());
        if func != self.func || !self.on.contains(&inst) {
            return false;
        }
        let Some(previous) = run.previous() else { return true };
        let f = &run.module().funcs[func];
        let place = |i: Inst| f.layout().block_of(i).map_or(0, |b: Block| self.order[b.index()]);
        let is_first = |i: Inst| f.layout().prev_inst(i).is_none_or(|i| f.inst(i).op == Opcode::Phi);
        !self.on.contains(&previous) || is_first(inst) && place(inst) <= place(previous)
    }
    /// Describes the place as it was named, and the number of times that control has arrived there.
    pub(super) fn describe(&self) -> String {
        let line = match &self.spot.line {
            Line::Entry => String::new(),
            Line::Text(line) => format!(":{line}"),
            Line::File(file, line) => format!(":{file}:{line}"),
        };
        format!("break {} at @{}{line}, hits: {}", self.number, self.spot.func, self.hits)
    }
}

/// Returns the instructions of a line. If there are none, the error is the nearest line that has one, or the later of
/// two equally near lines.
fn on_line(f: &Function, line: u32, lines: impl Fn(Inst) -> Vec<u32>) -> Result<Vec<Inst>, Option<u32>> {
    let (mut on, mut near) = (Vec::new(), None);
    for i in f.layout().all_insts() {
        let of = lines(i);
        if of.contains(&line) {
            on.push(i);
        }
        near = of.into_iter().chain(near).min_by_key(|l| (l.abs_diff(line), *l < line));
    }
    if on.is_empty() { Err(near) } else { Ok(on) }
}

fn nothing_there(func: &str, place: &str, near: Option<u32>) -> String {
    let near = near.map_or_else(String::new, |line| format!("; the nearest that it has one on is line {line}"));
    format!("@{func} has no instruction on {place} when it runs{near}")
}

/// Returns the places of an instruction in the front end's source: its own, and the places of calls that it was inlined
/// from.
fn places(f: &Function, i: Inst) -> Vec<Place> {
    let origin = f.debug_loc(i);
    let calls = f.origins.calls_of(origin).filter_map(|call| f.origins.get(call.call).place);
    f.origins.get(origin).place.into_iter().chain(calls).collect()
}

/// True if a name means a file: it is the file's path, or the last parts of the path.
fn is_called(file: &FileData, name: &str) -> bool {
    let rest = file.path.strip_suffix(name.as_bytes());
    rest.is_some_and(|rest| rest.is_empty() || rest.ends_with(b"/"))
}

/// Checks that a function has an instruction of a file.
///
/// # Errors
/// It has none.
fn check_file(module: &Module, f: &Function, func: &str, name: &str) -> Result<(), String> {
    let mut files: Vec<_> = f.layout().all_insts().flat_map(|i| places(f, i)).map(|p| p.file).collect();
    files.sort_unstable();
    files.dedup();
    if files.iter().any(|file| is_called(&module.decls.files[*file], name)) {
        return Ok(());
    }
    let names =
        files.iter().map(|file| String::from_utf8_lossy(&module.decls.files[*file].path).escape_debug().to_string());
    let others = match names.collect::<Vec<_>>().join(", ") {
        none if none.is_empty() => "its instructions have no locations of a front end".into(),
        names => format!("its instructions are from {names}"),
    };
    Err(format!("@{func} has no instruction from a file {name}; {others}"))
}

/// Returns the instruction itself, or for a phi the first instruction after the phis of its block.
fn after_phis(f: &Function, inst: Inst) -> Inst {
    let mut at = inst;
    while f.inst(at).op == Opcode::Phi
        && let Some(next) = f.layout().next_inst(at)
    {
        at = next;
    }
    at
}

/// Returns the name of a function with its sigil.
pub(super) fn name_of(module: &Module, func: FuncId) -> String {
    printed(|out| print_sym(&module.decls, module.funcs[func].sym, out))
}
