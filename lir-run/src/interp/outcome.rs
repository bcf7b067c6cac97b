//! How a run ends.

use super::source_place::SourcePlace;
use crate::value::Value;
use lir_syntax::ir::function::{NO_LOC, SourceLoc};
use lir_syntax::ir::{Block, FuncId, Module};
use lir_syntax::semantics::Trap;
use lir_syntax::text::source::Source;
use std::fmt::{self, Write};

/// Why execution cannot go on, before it is known where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    Trap(Trap),
    /// A trap in a function of C.
    TrapInC(Trap),
    OutOfFuel,
    /// A load of so many bytes of the stack, of which the one at `first` was never written; the object has no name yet.
    Unwritten {
        len: u32,
        first: u64,
    },
    Error(Box<str>),
}

impl Stop {
    #[cold]
    pub(super) fn error(message: impl Into<String>) -> Stop {
        Stop::Error(message.into().into_boxed_str())
    }
}

impl From<Trap> for Stop {
    fn from(t: Trap) -> Stop {
        Stop::Trap(t)
    }
}

/// Where a run stopped.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// The function that was executing.
    pub func: FuncId,
    /// The block of the instruction; the entry block where the call itself failed.
    pub block: Block,
    /// Where the instruction stands in the source, or [`NO_LOC`].
    pub loc: SourceLoc,
    /// Whether it was not the instruction itself that stopped, but code outside that it had called.
    pub in_c: bool,
    /// Whether control had left the program, by a return address that was overwritten, say: this is where it was last
    /// known to be.
    pub left: bool,
}

impl Location {
    /// `@f, block b, line 12`, `C code called from @f, ...`, or `no code of the program: control has left it, last
    /// known in @f, ...`: the form of trap messages. The line is left out where there is no source; where there is,
    /// function and block are those that the instruction was written in.
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
        out.write_str(match self {
            Location { left: true, .. } => "no code of the program: control has left it, last known in @",
            Location { in_c: true, .. } => "C code called from @",
            Location { .. } => "@",
        })?;
        let func = &module.funcs[self.func];
        let source = source.filter(|_| self.loc != NO_LOC);
        let place = source.and_then(|source| SourcePlace::find(&source.text, self.loc as usize));
        match place {
            Some(place) => out.write_str(place.function)?,
            None => write_lossy(&module.decls.syms[func.sym].name, out)?,
        }
        out.write_str(", block ")?;
        match place.and_then(|place| place.block) {
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

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The function returned; none where it has no result.
    Return(Option<Value>),
    /// A trap, in compiled code or in a function of C that it called.
    Trap(Trap, Location),
    /// The limit of instructions was reached.
    OutOfFuel(Location),
    /// The program is wrong in a way that native code need not notice: an access outside of its object, use of freed
    /// memory, or something that the interpreter does not support. The message is in lower case without a period.
    Error(String, Location),
}

/// A stop with its place, as it travels out of nested runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Failure {
    pub(super) stop: Stop,
    pub(super) at: Location,
}

impl From<Failure> for Outcome {
    fn from(f: Failure) -> Outcome {
        match f.stop {
            Stop::Trap(t) => Outcome::Trap(t, f.at),
            Stop::TrapInC(t) => Outcome::Trap(t, Location { in_c: true, ..f.at }),
            Stop::OutOfFuel => Outcome::OutOfFuel(f.at),
            Stop::Unwritten { .. } => unreachable!("the object has a name before its frame goes"),
            Stop::Error(message) => Outcome::Error(message.into(), f.at),
        }
    }
}
