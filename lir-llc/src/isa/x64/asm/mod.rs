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
//! Each mnemonic of the [instruction table](crate::isa::x64::instructions) is a method ([`mnemonics`]); the
//! instructions that no row encodes are in `special`: jumps, calls, the stack, constants. The types of [`operands`]
//! determine which operands fit together. An error that types cannot rule out (a scale of 3, an immediate that does not
//! fit, a label that is never bound) is an [`AsmError`] with the line of the caller, which [`Assembler::finish`]
//! returns.
//!
//! The assembler lacks the instructions that the table lacks: `adc`, `inc`, atomics, packed integers, `syscall`, `xchg`
//! with memory. [`Assembler::bytes`] takes them as bytes. `imul` exists with one, two and three operands; the method
//! `imul` takes two.
//!
//! Jumps are short where their targets are near enough: bytes are written without them, and `finish` puts the code
//! together ([`relax`](crate::isa::x64::emit)), with all references to labels. `frame` writes prologues and epilogues,
//! with the information that unwinders need.
//!
//! [`variables`] is the same with variables in place of registers.
//!
//! # Source
//!
//! The run-time intrinsics of N. Capens' SoftWire; asmjit and dynasm are their best-known descendants.

mod error;
mod finish;
mod frame;
pub mod mnemonics;
pub mod operands;
mod special;
pub mod variables;

use crate::mir::MOp;
pub use error::AsmError;
pub use finish::{Assembled, Relocation, RelocationKind};
pub use operands::*;

use crate::isa::x64::emit::relax::{MAX_ALIGN, Recorded, Relax};
use crate::isa::x64::emit::{CfiRow, ConstPool};
use crate::isa::x64::encode::Code;
use crate::isa::x64::encode::recipe::recipe;
use crate::isa::x64::notation::Imm;
pub use crate::isa::x64::{Cond, Cpu};
use crate::mir::{Form, Size};
use rustc_hash::FxHashMap;
use std::panic::Location;
use std::sync::atomic::{AtomicU32, Ordering};

/// Machine code that grows by one instruction with each call of a method.
#[derive(Debug)]
pub struct Assembler {
    /// The number that labels and symbols know it by.
    id: u32,
    /// The code without jumps and padding, which are in `relax` with the labels.
    code: Code,
    relax: Relax,
    labels: Vec<LabelUse>,
    fixups: Vec<Fixup>,
    calls: Vec<SymbolUse>,
    symbols: Vec<Box<str>>,
    symbol_numbers: FxHashMap<Box<str>, u32>,
    constants: ConstPool,
    /// Labels of constants, by the numbers of these.
    constant_labels: Vec<Label>,
    /// The beginnings of functions, except the first one.
    functions: Vec<Label>,
    cfi: Vec<CfiRow>,
    frame: Option<frame::Frame>,
    error: Option<AsmError>,
}

/// The facts about a label.
#[derive(Copy, Clone, Debug, Default)]
struct LabelUse {
    /// Its first use before it is bound.
    used: Option<&'static Location<'static>>,
    is_bound: bool,
    is_constant: bool,
}

/// Four bytes that are to be the distance of a label.
#[derive(Copy, Clone, Debug)]
struct Fixup {
    at: u32,
    /// Bytes from the field to the end of the instruction.
    to_end: u8,
    label: Label,
    caller: &'static Location<'static>,
}

/// A reference to a symbol.
#[derive(Copy, Clone, Debug)]
struct SymbolUse {
    at: u32,
    kind: RelocationKind,
    symbol: Symbol,
}

impl Default for Assembler {
    fn default() -> Assembler {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        Assembler {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            code: Code::default(),
            relax: Relax::default(),
            labels: Vec::new(),
            fixups: Vec::new(),
            calls: Vec::new(),
            symbols: Vec::new(),
            symbol_numbers: FxHashMap::default(),
            constants: ConstPool::default(),
            constant_labels: Vec::new(),
            functions: Vec::new(),
            cfi: Vec::new(),
            frame: None,
            error: None,
        }
    }
}

impl Assembler {
    /// Returns an assembler for every x86-64 processor.
    pub fn new() -> Assembler {
        Assembler::default()
    }
    /// Returns an assembler for processors of a level. From [`Cpu::V3`] on instructions on SSE registers are written
    /// with VEX prefixes. The caller must know whether the processor has an instruction.
    pub fn for_cpu(cpu: Cpu) -> Assembler {
        let mut a = Assembler::new();
        a.code.use_avx(cpu >= Cpu::V3);
        a
    }
    /// Returns a new label, to be bound somewhere.
    pub fn label(&mut self) -> Label {
        self.labels.push(LabelUse::default());
        Label { owner: self.id, number: self.relax.add_place() }
    }
    /// Binds a label to where the next instruction will be.
    #[track_caller]
    pub fn bind(&mut self, label: Label) {
        match self.known(label) {
            Some(l) if l.is_bound => self.fail("the label is bound already"),
            Some(l) => {
                l.is_bound = true;
                self.relax.put_place(label.number, self.code.len());
            }
            None => {}
        }
    }
    /// Returns a label that is bound here.
    pub fn here(&mut self) -> Label {
        let label = self.label();
        self.bind(label);
        label
    }
    /// Returns the symbol of a name, which the linker resolves: a function to be called, or the address of anything.
    pub fn symbol(&mut self, name: &str) -> Symbol {
        let number = self.symbol_numbers.get(name).copied().unwrap_or_else(|| {
            self.symbols.push(name.into());
            self.symbol_numbers.insert(name.into(), self.symbols.len() as u32 - 1);
            self.symbols.len() as u32 - 1
        });
        Symbol { owner: self.id, number }
    }
    /// Returns the label of constant data after the code: 4, 8 or 16 bytes at a multiple of their number. The same
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
            let facts = &mut self.labels[label.number as usize];
            (facts.is_bound, facts.is_constant) = (true, true);
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
    /// Unwinders get each function by itself: the notes of [`prologue`](Assembler::prologue) end with it.
    pub fn function(&mut self) -> Label {
        // Rows after the last instruction belong to no function.
        while self.cfi.last().is_some_and(|row| row.offset as usize == self.code.len())
            && self.relax.take_back(Recorded::Cfi)
        {
            self.cfi.pop();
        }
        let is_first = self.code.is_empty() && self.relax.is_empty();
        if !is_first {
            self.relax.align(self.code.len(), 16);
        }
        let label = self.here();
        self.functions.extend((!is_first).then_some(label));
        self.frame = None;
        label
    }
    /// Returns the first error of the code appended so far, if there is one.
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
    /// Appends an instruction of the table. If row, form and size are constants, little remains to be done at run time.
    #[inline(always)]
    #[track_caller]
    fn row(&mut self, op: MOp, form: Form, size: Size, cond: Cond, parts: &operands::Parts) {
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
        let caller = Location::caller();
        self.fixups.push(Fixup { at, to_end: (self.code.offset() - at) as u8, label, caller });
    }
    /// Notes that a label is used.
    #[track_caller]
    fn use_label(&mut self, label: Label) {
        if let Some(l) = self.known(label).filter(|l| !l.is_bound) {
            l.used = l.used.or(Some(Location::caller()));
        }
    }
    /// Notes that a label is jumped to. Returns whether that can be.
    #[track_caller]
    fn use_target(&mut self, label: Label) -> bool {
        self.use_label(label);
        let is_constant = self.known(label).is_none_or(|l| l.is_constant);
        if is_constant {
            self.fail("a jump leads to code");
        }
        !is_constant
    }
    /// Returns the facts about a label, if it is one of this assembler.
    #[track_caller]
    fn known(&mut self, label: Label) -> Option<&mut LabelUse> {
        if label.owner != self.id {
            self.fail("the label is of another assembler");
            return None;
        }
        self.labels.get_mut(label.number as usize)
    }
    /// Checks that an immediate fits, as a signed or as an unsigned number.
    #[inline]
    #[track_caller]
    fn check_immediate(&mut self, op: MOp, form: Form, size: Size, imm: i32) {
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
