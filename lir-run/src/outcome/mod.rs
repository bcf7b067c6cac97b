//! The ending of a run, interpreted or native.

mod source_position;

use crate::value::Value;
use lir_syntax::ir::function::{NO_LOC, SourceLoc};
use lir_syntax::ir::{Block, FuncId, Module};
use lir_syntax::semantics::Trap;
use lir_syntax::text::source::Source;
use source_position::SourcePosition;
use std::fmt::{self, Write};

/// The location at which a run stopped.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// The function that was executing.
    pub func: FuncId,
    /// The block of the instruction; the entry block where the call itself failed.
    pub block: Block,
    /// The position of the instruction in the source, or [`NO_LOC`].
    pub loc: SourceLoc,
    /// The relation of control to this location.
    pub control: Control,
}

/// The relation of control, when a run stopped, to its [`Location`].
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Control {
    /// At the location.
    Here,
    /// In code outside, which the instruction had called.
    InC,
    /// In no code of the program, by a return address that was overwritten, say. The location is the last one known.
    Left,
    /// The same. The location is the function that was called first, since none is known after it.
    LeftSinceEntry,
}

impl Location {
    /// Describes it as trap messages do: `@f, block b, line 12`, `C code called from @f, ...`, or `no code of the
    /// program: control has left it, last known in @f, ...` (`..., it began in @f` without a block or a line). The line
    /// is left out where there is no source; where there is, function and block are those that the instruction was
    /// written in.
    pub fn describe(&self, module: &Module, source: Option<&Source>) -> String {
        let mut text = String::new();
        self.write(module, source, &mut text).expect("a string takes everything");
        text
    }
    /// Writes the same, without taking memory of its own: a signal handler may call it.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, module: &Module, source: Option<&Source>, out: &mut dyn Write) -> fmt::Result {
        out.write_str(match self.control {
            Control::Here => "@",
            Control::InC => "C code called from @",
            Control::Left => "no code of the program: control has left it, last known in @",
            Control::LeftSinceEntry => "no code of the program: control has left it, it began in @",
        })?;
        let func = &module.funcs[self.func];
        let source = source.filter(|_| self.loc != NO_LOC);
        let position = source.and_then(|source| SourcePosition::find(&source.text, self.loc as usize));
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
        match source {
            Some(source) => write!(out, ", line {}", source.line_column(self.loc).0),
            None => Ok(()),
        }
    }
}

/// Writes a name, with what is no UTF-8 replaced.
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
    /// The function returned; none where it has no result.
    Return(Option<Value>),
    /// A trap, in compiled code or in a function of C that it called.
    Trap(Trap, Location),
    /// The limit of instructions was reached.
    OutOfFuel(Location),
    /// The program has an error that native code need not notice: an access outside of its object, use of freed memory,
    /// or something that the interpreter does not support. The message is in lower case without a period.
    Error(String, Location),
}

/// Called when a thread that the program started fails. The module is given as it is run.
///
/// In the interpreter only while the first thread is in C.
pub type FailureHook = Box<dyn Fn(&Outcome, &Module) + Send + Sync>;
