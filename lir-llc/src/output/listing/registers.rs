//! Columns of register contents next to the instructions of a listing, and notes of spills, restores and the like.
//!
//! ```text
//!   ; spill %x
//!   00000004  48 89 0c 24              mov      qword ptr [rsp], rcx             ; rcx=%x rdi=%a
//! ```

use super::Moment;
use crate::code::CompiledModule;
use crate::isa::x64::ENV;
use crate::isa::x64::emit::{FunctionCode, StepStart};
use crate::mir::PReg;
use crate::regalloc::contents::{Contents, Held, Note, StepContents};
use lir_syntax::printer::FunctionPrinter;
use std::io::Write;

/// The registers of a function while its listing is written.
pub(super) struct Registers<'l> {
    contents: &'l Contents,
    moment: Moment,
    /// The current step, if the code of one has begun, and the following ones.
    step: Option<StepStart>,
    steps: &'l [StepStart],
    /// The end of the function's code.
    end: u32,
}

impl<'l> Registers<'l> {
    pub(super) fn new(
        compiled: &'l CompiledModule,
        code: &FunctionCode,
        contents: &'l Contents,
        moment: Moment,
    ) -> Registers<'l> {
        Registers { contents, moment, step: None, steps: compiled.code.steps_of(code), end: code.start + code.len }
    }
    /// Advances to the machine instruction at an offset, and writes the notes before it.
    pub(super) fn advance(&mut self, at: u32, printer: &FunctionPrinter, out: &mut Vec<u8>) {
        let begun = self.steps.partition_point(|s| s.offset <= at);
        let Some(last) = begun.checked_sub(1).map(|k| self.steps[k]) else { return };
        self.steps = &self.steps[begun..];
        self.step = Some(last);
        if let Some((note, values)) = &self.contents.at(last.step).note {
            let what = match note {
                Note::Spill => "spill",
                Note::Restore => "restore",
                Note::Remat => "remat",
            };
            let _ = write!(out, "  ; {what}");
            for value in values {
                out.push(b' ');
                write_value(*value, printer, out);
            }
            out.push(b'\n');
        }
    }
    /// Writes the register contents at the current machine instruction, which ends at an offset.
    pub(super) fn write(&self, end: u32, printer: &FunctionPrinter, out: &mut Vec<u8>) {
        let Some(step) = self.step else { return };
        let here: &StepContents = self.contents.at(step.step);
        // One step may be several machine instructions.
        let is_last = self.steps.first().map_or(self.end, |next| next.offset) <= end;
        let held: &[(PReg, Held)] = if self.moment == Moment::After && is_last { &here.after } else { &here.before };
        out.extend_from_slice(b" ;");
        for values in held.chunk_by(|a, b| a.0 == b.0) {
            let _ = write!(out, " {}", ENV.name(values[0].0));
            for (_, value) in values {
                out.push(b'=');
                write_value(*value, printer, out);
            }
        }
    }
}

fn write_value(value: Held, printer: &FunctionPrinter, out: &mut Vec<u8>) {
    match value {
        Held::Value(r) => printer.reg(r, out),
        // Writing to a vector cannot fail.
        Held::Temporary(n) => drop(write!(out, "t{n}")),
    }
}
