//! The ending of a run, interpreted or native.

pub mod backtrace;
mod source_position;

use crate::value::Value;
use lir_syntax::ir::function::{NO_LOC, SourceLoc};
use lir_syntax::ir::{Block, DebugLoc, FuncId, Function, Inst, Module, Place, Sym};
use lir_syntax::semantics::Trap;
use lir_syntax::text::source::Source;
pub(crate) use source_position::SourceIndex;
use source_position::SourcePosition;
use std::fmt::{self, Write};

/// The location at which a run stopped.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// The function that was executing.
    pub func: FuncId,
    /// The block of the instruction; the entry block if the call itself failed.
    pub block: Block,
    /// The position of the instruction in the text of the module, or [`NO_LOC`].
    pub loc: SourceLoc,
    /// The origin of the instruction, with its place in the front end's source.
    pub origin: DebugLoc,
    /// The relation of control to this location.
    pub control: Control,
}

/// The relation of control, when a run stopped, to its [`Location`].
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Control {
    /// At the location.
    Here,
    /// In outside code, which the instruction had called.
    InC,
    /// In no code of the program, by a return address that was overwritten, say. The location is the last one known.
    Left,
    /// The same. The location is the function that was called first, since none is known after it.
    LeftSinceEntry,
}

impl Location {
    /// Returns the location of an instruction.
    pub(crate) fn of_inst(func: FuncId, f: &Function, inst: Inst, control: Control) -> Location {
        let block = f.layout().block_of(inst).unwrap_or_else(|| f.entry());
        Location { func, block, loc: f.loc_of(inst), origin: f.debug_loc(inst), control }
    }
    /// Returns the location of a call of a function.
    pub(crate) fn of_entry(func: FuncId, f: &Function, control: Control) -> Location {
        Location { func, block: f.entry(), loc: f.loc, origin: DebugLoc::NONE, control }
    }
    /// Describes the location in the form of trap messages: `@f, block b, line 12`, `C code called from @f, ...`, or
    /// `no code of the program: control has left it, last known in @f, ...` (`..., it began in @f` without a block or a
    /// line). The line is left out if there is no source; with a source, function and block are those in which the
    /// instruction was written. An instruction with a place in the front end's source is described by it, and by the
    /// calls that it was inlined from: `@inner at crash.c:12:5, inlined into @f at main.c:30:7`.
    pub fn describe(&self, module: &Module, source: Option<&Source>) -> String {
        let mut text = String::new();
        self.write(module, source, &mut text).expect("a string takes everything");
        text
    }
    /// Describes the location in the same form, with a text that was read before.
    pub(crate) fn describe_in(&self, module: &Module, index: &mut SourceIndex<'_>) -> String {
        let mut text = String::new();
        let found = (self.loc != NO_LOC).then(|| index.find(self.loc));
        self.write_found(module, found, &mut text).expect("a string takes everything");
        text
    }
    /// Writes the description without allocating: a signal handler may call it.
    ///
    /// # Errors
    /// The errors of `out`.
    pub fn write(&self, module: &Module, source: Option<&Source>, out: &mut dyn Write) -> fmt::Result {
        let source = source.filter(|_| self.loc != NO_LOC);
        let found = source.map(|s| (SourcePosition::find(&s.text, self.loc as usize), s.line_column(self.loc).0));
        self.write_found(module, found, out)
    }
    /// Writes the description, given the function and block above it in the text, and its line there.
    fn write_found(
        &self,
        module: &Module,
        found: Option<(Option<SourcePosition<'_>>, u32)>,
        out: &mut dyn Write,
    ) -> fmt::Result {
        out.write_str(match self.control {
            Control::Here => "@",
            Control::InC => "C code called from @",
            Control::Left => "no code of the program: control has left it, last known in @",
            Control::LeftSinceEntry => "no code of the program: control has left it, it began in @",
        })?;
        let func = &module.funcs[self.func];
        let place = if self.origin == DebugLoc::NONE { func.place } else { func.origins.get(self.origin).place };
        if let Some(place) = place {
            return self.write_place(module, place, out);
        }
        let position = found.and_then(|found| found.0);
        match position {
            Some(position) => out.write_str(position.function)?,
            None => write_lossy(&module.decls.syms[func.sym].name, out)?,
        }
        if self.control == Control::LeftSinceEntry {
            return Ok(());
        }
        out.write_str(", block ")?;
        match position.and_then(|position| position.block) {
            Some(block) => out.write_str(block)?,
            None => write_lossy(func.names.get(func.block(self.block).name), out)?,
        }
        match found {
            Some((_, line)) => write!(out, ", line {line}"),
            None => Ok(()),
        }
    }
}

impl Location {
    /// Writes a place in the front end's source, with the function, and the calls that were replaced by its body.
    fn write_place(&self, module: &Module, place: Place, out: &mut dyn Write) -> fmt::Result {
        let f = &module.funcs[self.func];
        let name = |sym: Sym, out: &mut dyn Write| write_lossy(&module.decls.syms[sym].name, out);
        let at = |place: Place, out: &mut dyn Write| {
            out.write_str(" at ")?;
            write_visibly(&module.decls.files[place.file].path, out)?;
            write!(out, ":{}", place.line)?;
            if place.column == 0 { Ok(()) } else { write!(out, ":{}", place.column) }
        };
        let mut calls = f.origins.calls_of(self.origin).peekable();
        name(calls.peek().map_or(f.sym, |call| call.callee), out)?;
        at(place, out)?;
        while let Some(call) = calls.next() {
            out.write_str(", inlined into @")?;
            name(calls.peek().map_or(f.sym, |outer| outer.callee), out)?;
            if let Some(place) = f.origins.get(call.call).place {
                at(place, out)?;
            }
        }
        Ok(())
    }
}

/// Writes a path, with replacements for bytes that are not UTF-8 or control a terminal.
fn write_visibly(bytes: &[u8], out: &mut dyn Write) -> fmt::Result {
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            out.write_char(if c.is_control() { char::REPLACEMENT_CHARACTER } else { c })?;
        }
        if !chunk.invalid().is_empty() {
            out.write_char(char::REPLACEMENT_CHARACTER)?;
        }
    }
    Ok(())
}

/// Writes a name, with replacements for bytes that are not UTF-8.
fn write_lossy(bytes: &[u8], out: &mut dyn Write) -> fmt::Result {
    for chunk in bytes.utf8_chunks() {
        out.write_str(chunk.valid())?;
        if !chunk.invalid().is_empty() {
            out.write_char(char::REPLACEMENT_CHARACTER)?;
        }
    }
    Ok(())
}

/// The ending of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The function returned; none if it has no result.
    Return(Option<Value>),
    /// A trap, in compiled code or in a C function that it called.
    Trap(Trap, Location),
    /// The limit of instructions was reached.
    OutOfFuel(Location),
    /// The program has an error that native code need not notice: an access outside of its object, use of freed memory,
    /// or a feature that the interpreter does not support. The message is in lower case without a period.
    Error(String, Location),
}

/// Called when a thread that the program started fails. The module is passed as it is run.
///
/// In the interpreter only while the first thread is in C.
pub type FailureHook = Box<dyn Fn(&Outcome, &Module) + Send + Sync>;
