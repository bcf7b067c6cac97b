//! The texts that the debugger prints: places, instructions, frames, registers, memory.

use super::breaks::name_of;
use crate::interp::Suspended;
use crate::outcome::{Control, Location};
use crate::value::Value;
use lir_syntax::ir::function::NO_LOC;
use lir_syntax::ir::{EntityRef, FuncId, Function, Inst, Module, Obj, Opcode, Param, Reg};
use lir_syntax::printer::{FunctionPrinter, printed};
use lir_syntax::text::source::{LineTable, Source};
use lir_syntax::text::suggest::nearest_hint;
use std::fmt::Write;
use std::sync::Arc;

/// Instructions before and after the present one in a list.
const LISTED: usize = 5;
/// Bytes of memory that are printed by default, and at most.
const BYTES: (u64, u64) = (16, 4096);
/// Bytes of an object that are printed by default, at most.
const OBJECT_BYTES: u64 = 64;
/// Bytes in a line.
const ROW: usize = 16;

/// The text of the module, for the lines of instructions.
pub(super) struct Texts {
    source: Arc<Source>,
    pub(super) lines: LineTable,
}

impl Texts {
    pub(super) fn new(source: &Arc<Source>) -> Texts {
        Texts { source: Arc::clone(source), lines: LineTable::new(&source.text) }
    }
    /// Returns the place of a stop, with its thread if there are `several`, and the instruction that is next. The phis
    /// that were executed on the way precede it.
    pub(super) fn stop(&self, run: &Suspended<'_>, several: bool) -> String {
        let (func, inst) = run.at(run.depth());
        let module = run.module();
        let f = &module.funcs[func];
        let printer = FunctionPrinter::new(&module.decls, f);
        let mut text = name_of(module, func);
        if let Some(b) = f.layout().block_of(inst) {
            let _ = write!(text, ", block {}", printed(|out| printer.block(b, out)));
        }
        self.push_place(module, func, inst, &mut text);
        let _ = write!(text, ", depth {}", run.depth());
        text += &if several { format!(", thread {}\n", run.thread()) } else { "\n".into() };
        for phi in phis_before(f, inst) {
            let value = f.def(phi).and_then(|r| Some(Value::of_bits(f.type_of(r), run.value(run.depth(), r)?)));
            let value = value.map_or_else(String::new, |v| format!(" ; => {}", v.literal()));
            let _ = writeln!(text, "   {}{value}", self.instruction(f, &printer, phi));
        }
        let _ = writeln!(text, "=> {}", self.instruction(f, &printer, inst));
        text
    }
    /// The line of an instruction in the text, and its place in the front end's source if it has one.
    fn push_place(&self, module: &Module, func: FuncId, inst: Inst, text: &mut String) {
        let f = &module.funcs[func];
        self.push_line(f, inst, text);
        if f.origin(inst).place.is_some() {
            let at = Location::of_inst(func, f, inst, Control::Here).describe(module, Some(&self.source));
            let _ = write!(text, " ({at})");
        }
    }
    /// Writes an instruction after its line.
    fn instruction(&self, f: &Function, printer: &FunctionPrinter<'_>, inst: Inst) -> String {
        let line = match f.loc_of(inst) {
            NO_LOC => String::new(),
            loc => self.lines.line(loc).to_string(),
        };
        format!("{line:>5} {}", printed(|out| printer.inst(inst, out)))
    }
    fn push_line(&self, f: &Function, inst: Inst, text: &mut String) {
        let loc = f.loc_of(inst);
        if loc != NO_LOC {
            let _ = write!(text, ", line {}", self.lines.line(loc));
        }
    }
    /// Returns the instructions around the present one.
    pub(super) fn list(&self, run: &Suspended<'_>) -> String {
        let (func, inst) = run.at(run.depth());
        let f = &run.module().funcs[func];
        let printer = FunctionPrinter::new(&run.module().decls, f);
        let all: Vec<Inst> = f.layout().all_insts().collect();
        let at = all.iter().position(|i| *i == inst).unwrap_or_default();
        let mut text = String::new();
        let mut last = None;
        for i in &all[at.saturating_sub(LISTED)..(at + LISTED + 1).min(all.len())] {
            let b = f.layout().block_of(*i);
            if let Some(b) = b.filter(|b| last != Some(*b)) {
                let _ = writeln!(text, "{}:", printed(|out| printer.block(b, out)));
            }
            last = b;
            let arrow = if *i == inst { "=>" } else { "  " };
            let _ = writeln!(text, "{arrow} {}", self.instruction(f, &printer, *i));
        }
        text
    }
    /// Returns the functions that were called, from the innermost on, with their parameters and where they are.
    pub(super) fn backtrace(&self, run: &Suspended<'_>, most: usize) -> String {
        let mut text = String::new();
        // Recursion shows one function again and again.
        let mut printer = None;
        for (k, frame) in (0..=run.depth()).rev().take(most).enumerate() {
            let (func, inst) = run.at(frame);
            let f = &run.module().funcs[func];
            if printer.as_ref().is_none_or(|(of, _)| *of != func) {
                printer = Some((func, FunctionPrinter::new(&run.module().decls, f)));
            }
            let Some((_, printer)) = &printer else { continue };
            let param = |p: &Param| match *p {
                Param::Reg(r) => match run.value(frame, r) {
                    Some(bits) => {
                        let value = Value::of_bits(f.type_of(r), bits);
                        format!("{} = {}", printed(|out| printer.reg(r, out)), value.literal())
                    }
                    None => printed(|out| printer.reg(r, out)),
                },
                Param::Agg(o) => printed(|out| printer.obj(o, out)),
            };
            let params = f.params.iter().map(param).collect::<Vec<_>>().join(", ");
            // In the words of the backtraces of traps.
            let through = if frame < run.depth() && run.is_called_by_c(frame + 1) { "C code called from " } else { "" };
            let _ = write!(text, "#{k} {through}{}({params})", name_of(run.module(), func));
            self.push_place(run.module(), func, inst, &mut text);
            let _ = writeln!(text, ": {}", printed(|out| printer.inst(inst, out)));
        }
        let hidden = (run.depth() + 1).saturating_sub(most);
        if hidden > 0 {
            let _ = writeln!(text, "and {hidden} more");
        }
        text
    }
}

/// Returns the phis of a block, given its first instruction that is not a phi.
fn phis_before(f: &Function, inst: Inst) -> Vec<Inst> {
    let follows_phi = f.layout().prev_inst(inst).is_some_and(|i| f.inst(i).op == Opcode::Phi);
    let b = f.layout().block_of(inst).filter(|_| follows_phi && f.inst(inst).op != Opcode::Phi);
    b.map_or_else(Vec::new, |b| f.phis(b).collect())
}

/// Returns the registers of the innermost function that have a value, or one of them.
///
/// # Errors
/// There is no such register, or it has no value yet.
pub(super) fn registers(run: &Suspended<'_>, name: Option<&str>) -> Result<String, String> {
    let f = &run.module().funcs[run.at(run.depth()).0];
    let printer = FunctionPrinter::new(&run.module().decls, f);
    let one = |r: Reg| {
        let value = Value::of_bits(f.type_of(r), run.value(run.depth(), r)?);
        Some(format!("{} = {value}\n", printed(|out| printer.reg(r, out))))
    };
    match name {
        Some(name) => {
            let r = register(f, &printer, name)?;
            one(r).ok_or_else(|| format!("{name} has no value yet"))
        }
        None => {
            let all: String = all_registers(f).filter_map(one).collect();
            if all.is_empty() { Err("no register has a value yet".into()) } else { Ok(all) }
        }
    }
}

fn all_registers(f: &Function) -> impl Iterator<Item = Reg> {
    (0..f.num_regs()).map(Reg::new)
}

/// Finds a register by its name.
fn register(f: &Function, printer: &FunctionPrinter<'_>, name: &str) -> Result<Reg, String> {
    if !name.starts_with('%') {
        return Err(format!("`{name}` is not a register: those begin with `%`"));
    }
    let names: Vec<String> = all_registers(f).map(|r| printed(|out| printer.reg(r, out))).collect();
    match names.iter().position(|n| n == name) {
        Some(k) => Ok(Reg::new(k)),
        None => {
            let hint = nearest_hint("%", &name.as_bytes()[1..], names.iter().map(|n| &n.as_bytes()[1..]));
            Err(format!("there is no register {name} in this function{hint}"))
        }
    }
}

/// A piece of memory: the labels of its lines, and its bytes.
struct Piece {
    /// The name of an object, or nothing where lines show addresses.
    name: String,
    start: u64,
    bytes: Vec<u8>,
}

/// Returns the memory at a place: an address, the one in a register, a stack object or data.
///
/// # Errors
/// There is no such place, or it cannot be read.
pub(super) fn memory(run: &mut Suspended<'_>, place: &str, bytes: Option<u64>) -> Result<String, String> {
    if bytes.is_some_and(|n| n == 0 || n > BYTES.1) {
        return Err(format!("the number of bytes is from 1 to {}", BYTES.1));
    }
    let piece = match place.as_bytes() {
        [b'$', ..] => object(run, place, bytes)?,
        [b'@', ..] => data(run, place, bytes)?,
        [b'%', ..] => {
            let f = &run.module().funcs[run.at(run.depth()).0];
            let r = register(f, &FunctionPrinter::new(&run.module().decls, f), place)?;
            let at = run.value(run.depth(), r).ok_or_else(|| format!("{place} has no value yet"))?;
            read(run, String::new(), at as u64, bytes.unwrap_or(BYTES.0))?
        }
        _ => {
            let at = match place.strip_prefix("0x") {
                Some(digits) => u64::from_str_radix(digits, 16),
                None => place.parse(),
            };
            let at = at.map_err(|_| format!("`{place}` is not an address, %x, $slot or @data"))?;
            read(run, String::new(), at, bytes.unwrap_or(BYTES.0))?
        }
    };
    Ok(rows(&piece))
}

/// Returns the number of bytes to print of an object.
fn length(place: &str, bytes: Option<u64>, size: u64) -> Result<u64, String> {
    match bytes {
        Some(n) if n > size => Err(format!("{place} has no more than {size} bytes")),
        Some(n) => Ok(n),
        None => Ok(size.min(OBJECT_BYTES)),
    }
}

fn object(run: &Suspended<'_>, place: &str, bytes: Option<u64>) -> Result<Piece, String> {
    let f = &run.module().funcs[run.at(run.depth()).0];
    let printer = FunctionPrinter::new(&run.module().decls, f);
    let named: Vec<(Obj, String)> = f.stack_objects().map(|(o, _)| (o, printed(|out| printer.obj(o, out)))).collect();
    let Some((o, _)) = named.iter().find(|(_, name)| name == place) else {
        let hint = nearest_hint("$", &place.as_bytes()[1..], named.iter().map(|(_, n)| &n.as_bytes()[1..]));
        return Err(format!("there is no stack object {place} in this function{hint}"));
    };
    let n = length(place, bytes, f.stack[*o].size)?;
    Ok(Piece { name: place.into(), start: 0, bytes: run.object(*o, n) })
}

fn data(run: &mut Suspended<'_>, place: &str, bytes: Option<u64>) -> Result<Piece, String> {
    let module: &Module = run.module();
    let names: Vec<_> = module.decls.data.values().filter(|d| !d.is_extern).map(|d| d.sym).collect();
    let named = |s: &&_| printed(|out| lir_syntax::printer::print_sym(&module.decls, **s, out)) == place;
    let found = names.iter().find(named).and_then(|s| run.data(*s));
    let Some((at, size)) = found else {
        let hint = nearest_hint("@", &place.as_bytes()[1..], names.iter().map(|s| &*module.decls.syms[*s].name));
        return Err(format!("there is no data {place} in this module{hint}"));
    };
    let n = length(place, bytes, size)?;
    Ok(Piece { start: 0, ..read(run, place.into(), at, n)? })
}

fn read(run: &mut Suspended<'_>, name: String, start: u64, len: u64) -> Result<Piece, String> {
    let mut bytes = vec![0; len as usize];
    run.read(start, &mut bytes)?;
    Ok(Piece { name, start, bytes })
}

/// Prints bytes in lines, together with their characters.
fn rows(piece: &Piece) -> String {
    let mut text = String::new();
    for (k, row) in piece.bytes.chunks(ROW).enumerate() {
        let at = piece.start.wrapping_add((k * ROW) as u64);
        let label = if piece.name.is_empty() { format!("{at:#x}") } else { format!("{}+{at}", piece.name) };
        let hex = row.iter().map(|b| format!(" {b:02x}")).collect::<String>();
        let shown = |b: &u8| if matches!(b, b' '..=b'~') { char::from(*b) } else { '.' };
        let _ = writeln!(text, "{label}:{hex}  |{}|", row.iter().map(shown).collect::<String>());
    }
    if text.is_empty() {
        let _ = writeln!(text, "{} has no bytes", piece.name);
    }
    text
}
