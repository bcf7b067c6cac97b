//! The assembler: functions that append one instruction each.
//!
//! ```
//! use lir_llc::asm::*;
//!
//! let mut a = Assembler::new();
//! let again = a.label();
//! a.mov(EAX, 0);
//! a.bind(again);
//! a.add(EAX, mem(RDI).index(RSI, 4).disp(-4));
//! a.sub(RSI, 1);
//! a.jne(again);
//! a.ret();
//! assert_eq!(a.finish().unwrap().bytes().len(), 5 + 4 + 4 + 2 + 1);
//! ```
//!
//! Each mnemonic of the [instruction table](crate::target::x64::instructions) is a method ([`mnemonics`]); those that
//! no row encodes are in `special`: jumps, calls, the stack, constants. The types of [`operands`] say which operands go
//! together. What types cannot say (a scale of 3, an immediate that does not fit, a label that is never bound) is an
//! [`AsmError`] with the line of the caller, which [`Assembler::finish`] returns.
//!
//! Jumps are short where their targets are near enough: bytes are written without them, and `finish` puts the code
//! together ([`relax`](crate::emit)), with all references to labels. `frame` writes prologues and epilogues, with what
//! unwinders want to know of them.
//!
//! [`variables`] is the same with variables in place of registers.
//!
//! # Source
//!
//! The run-time intrinsics of N. Capens' SoftWire; asmjit and dynasm are their best-known descendants.

mod error;
mod finish;
mod frame;
#[cfg(test)]
mod generate;
pub mod mnemonics;
pub mod operands;
mod special;
pub mod variables;

pub use error::AsmError;
pub use finish::{Assembled, Relocation, RelocationKind};
pub use operands::*;

use crate::emit::relax::{MAX_ALIGN, Relax};
use crate::emit::{CfiRow, ConstPool};
use crate::target::x64::encode::Code;
use crate::target::x64::encode::recipe::{Imm, recipe};
use crate::target::x64::{Cond, Cpu, Form, Op, Size};
use std::panic::Location;

/// Machine code that grows by one instruction with each call of a method.
#[derive(Debug, Default)]
pub struct Assembler {
    /// The code without jumps and padding, which are in `relax` with the labels.
    code: Code,
    relax: Relax,
    labels: Vec<LabelUse>,
    fixups: Vec<Fixup>,
    calls: Vec<SymbolUse>,
    symbols: Vec<Box<str>>,
    constants: ConstPool,
    /// Labels of constants, by the numbers of these.
    constant_labels: Vec<Label>,
    /// The begins of functions, but for the first one.
    functions: Vec<Label>,
    cfi: Vec<CfiRow>,
    frame: Option<frame::Frame>,
    error: Option<AsmError>,
}

/// A label's first use, and whether it is bound.
#[derive(Copy, Clone, Debug, Default)]
struct LabelUse {
    used: Option<&'static Location<'static>>,
    is_bound: bool,
}

/// Four bytes that are to be the distance of a label.
#[derive(Copy, Clone, Debug)]
struct Fixup {
    at: u32,
    /// Bytes from the field to the end of the instruction.
    to_end: u8,
    label: Label,
}

/// A reference to a symbol.
#[derive(Copy, Clone, Debug)]
struct SymbolUse {
    at: u32,
    kind: RelocationKind,
    symbol: Symbol,
}

impl Assembler {
    /// An assembler for every x86-64 processor.
    pub fn new() -> Assembler {
        Assembler::default()
    }
    /// An assembler for processors of a level. From [`Cpu::V3`] on instructions on SSE registers are written with VEX
    /// prefixes. Whether the processor has an instruction is for the caller to know.
    pub fn for_cpu(cpu: Cpu) -> Assembler {
        let mut a = Assembler::default();
        a.code.use_avx(cpu >= Cpu::V3);
        a
    }
    /// Returns a new label, to be bound somewhere.
    pub fn label(&mut self) -> Label {
        self.labels.push(LabelUse::default());
        Label(self.relax.add_place())
    }
    /// Binds a label to where the next instruction will be.
    #[track_caller]
    pub fn bind(&mut self, label: Label) {
        match self.labels.get_mut(label.0 as usize) {
            Some(l) if l.is_bound => self.fail("the label is bound already"),
            Some(l) => {
                l.is_bound = true;
                self.relax.put_place(label.0, self.code.len());
            }
            None => self.fail("the label is of another assembler"),
        }
    }
    /// Returns a label that is bound here.
    pub fn here(&mut self) -> Label {
        let label = self.label();
        self.bind(label);
        label
    }
    /// Returns the symbol of a name, which whoever links finds: a function to be called, or the address of anything.
    pub fn symbol(&mut self, name: &str) -> Symbol {
        let k = self.symbols.iter().position(|s| **s == *name).unwrap_or_else(|| {
            self.symbols.push(name.into());
            self.symbols.len() - 1
        });
        Symbol(k as u32)
    }
    /// Returns the label of constant data behind the code: 4, 8 or 16 bytes at a multiple of their number. The same
    /// bytes have the same label.
    #[track_caller]
    pub fn constant(&mut self, bytes: &[u8]) -> Label {
        if !matches!(bytes.len(), 4 | 8 | 16) {
            self.fail("a constant has 4, 8 or 16 bytes");
            return self.label();
        }
        let k = self.constants.intern(bytes) as usize;
        if k == self.constant_labels.len() {
            let label = self.label();
            self.labels[label.0 as usize].is_bound = true;
            self.constant_labels.push(label);
        }
        self.constant_labels[k]
    }
    /// Appends no-operations up to a multiple of a power of two, at most 128.
    #[track_caller]
    pub fn align(&mut self, power: u32) {
        if power.is_power_of_two() && power <= MAX_ALIGN {
            self.relax.align(self.code.len(), power);
        } else {
            self.fail("an alignment is a power of two, at most 128");
        }
    }
    /// Appends bytes of data or of instructions.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.code.extend(bytes);
    }
    /// Begins a function, at a multiple of 16, and returns its label. Code before the first call is a function, too.
    ///
    /// Unwinders are told of each function by itself: what [`prologue`](Assembler::prologue) notes ends with it.
    pub fn function(&mut self) -> Label {
        if !self.code.is_empty() {
            self.relax.align(self.code.len(), 16);
        }
        let label = self.here();
        if !self.code.is_empty() {
            self.functions.push(label);
        }
        self.frame = None;
        label
    }
    /// Returns the error of what was appended so far, if there is one.
    pub fn error(&self) -> Option<&AsmError> {
        self.error.as_ref()
    }

    /// Notes an error, of which the first counts.
    #[cold]
    #[track_caller]
    fn fail(&mut self, message: &str) {
        let at = Location::caller();
        self.error.get_or_insert_with(|| AsmError { at, message: message.to_string() });
    }
    /// Appends an instruction of the table. Where row, form and size are constants, little is left to be done.
    #[inline(always)]
    #[track_caller]
    fn row(&mut self, op: Op, form: Form, size: Size, cond: Cond, parts: &operands::Parts) {
        if let Some(what) = parts.fault {
            return self.fail(what);
        }
        self.check_immediate(op, form, size, parts.operands.imm);
        let at = self.code.put(op, form, size, cond, &parts.operands);
        if parts.label.is_some() {
            self.refer(at, parts.label);
        }
    }
    /// Notes the label that the memory operand of the last instruction is relative to; its displacement is at `at`.
    #[track_caller]
    fn refer(&mut self, at: u32, label: Option<Label>) {
        let Some(label) = label else { return };
        self.use_label(label);
        self.fixups.push(Fixup { at, to_end: (self.code.len() as u32 - at) as u8, label });
    }
    /// Notes that a label is used.
    #[track_caller]
    fn use_label(&mut self, label: Label) {
        match self.labels.get_mut(label.0 as usize) {
            Some(l) if l.is_bound => {}
            Some(l) => l.used = l.used.or(Some(Location::caller())),
            None => self.fail("the label is of another assembler"),
        }
    }
    /// Checks that an immediate fits, as a number with its sign or without.
    #[inline]
    #[track_caller]
    fn check_immediate(&mut self, op: Op, form: Form, size: Size, imm: i32) {
        let bits = match (recipe(op, form, false).imm, size) {
            (Imm::None | Imm::Fixed, _) => return,
            (Imm::Byte | Imm::Shift, _) | (_, Size::S8) => 8,
            (_, Size::S16) => 16,
            _ => return,
        };
        if !(-(1 << (bits - 1))..1 << bits).contains(&imm) {
            self.fail(&format!("the immediate {imm} does not fit {bits} bits"));
        }
    }
}
