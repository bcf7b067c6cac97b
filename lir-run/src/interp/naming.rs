//! The names of objects in messages about accesses of memory.
//!
//! The check that fails has only an address. The object there is looked up while the frames exist: a stack object in
//! its frame, a data object by its number in the module.

use super::memory::bytes;
use super::program::Program;
use super::stop::Stop;
use super::thread::Thread;
use lir_syntax::ir::Obj;
use lir_syntax::printer::{FunctionPrinter, print_sym, printed};

impl Thread {
    /// Names the object that a failure is about, while its frame exists.
    pub(super) fn with_name(&self, program: &Program, stop: Stop) -> Stop {
        match stop {
            Stop::Unwritten { len, first } => {
                let named = match self.stack_object_at(program, first) {
                    Some((name, byte)) => format!("byte {byte} of {name}"),
                    None => "a byte of an alloca".into(),
                };
                Stop::error(format!("a read of {} of which one was never written ({named})", bytes(len.into())))
            }
            Stop::Outside { message, object } => {
                let stack =
                    || self.stack_object_at(program, object).filter(|(_, byte)| *byte == 0).map(|(name, _)| name);
                match self.data_object_at(program, object).or_else(stack) {
                    Some(name) => Stop::error(format!("{message} ({name})")),
                    None => Stop::Error(message),
                }
            }
            Stop::Trap(_) | Stop::TrapInC(_) | Stop::OutOfFuel | Stop::Error(_) => stop,
        }
    }
    /// Returns the stack object with memory at an address, in the form of messages, and the offset of the byte in it.
    fn stack_object_at(&self, program: &Program, address: u64) -> Option<(String, u64)> {
        let k = self.frames.iter().rposition(|f| f.memory <= address)?;
        let frame = &self.frames[k];
        let f = &program.module.funcs[frame.func];
        let at = address - frame.memory;
        let offsets = &program.code(frame.func).offsets;
        let inside = |(o, start): (Obj, &u64)| (at.wrapping_sub(*start) < f.stack[o].size).then_some((o, at - start));
        let (object, byte) = f.stack.keys().zip(offsets).find_map(inside)?;
        let mut name = format!("`{}`", printed(|out| FunctionPrinter::new(&program.module.decls, f).obj(object, out)));
        if k + 1 != self.frames.len() {
            name += &format!(" of {}", printed(|out| print_sym(&program.module.decls, f.sym, out)));
        }
        Some((name, byte))
    }
    /// Returns the data object that begins at an address, in the form of messages.
    fn data_object_at(&self, program: &Program, start: u64) -> Option<String> {
        let (thread, k) = self.memory.number_of_data(start)?;
        let decls = &program.module.decls;
        let object = decls.data.values().filter(|d| !d.is_extern && d.thread == thread).nth(k)?;
        Some(format!("`{}`", printed(|out| print_sym(decls, object.sym, out))))
    }
}
