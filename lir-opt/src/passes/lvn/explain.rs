//! What `lvn` says about an instruction that it gave a new number.

use super::State;
use crate::value_key::{NO_OPERAND, ValueKey};
use lir_syntax::ir::{Format, Function, Inst, Opcode, Operand, Type};
use std::fmt::Write;

impl State<'_> {
    /// Says that an instruction has a new number, and why: a key that is new, or no key.
    #[cold]
    pub(super) fn explain_new(&mut self, f: &Function, i: Inst, key: Option<ValueKey>, value: u32) {
        if !self.first_round {
            return;
        }
        let Some(key) = key else {
            return self.explain_no_key(f, i, value);
        };
        if f.inst(i).op != Opcode::Load {
            let words = in_words(f, &key);
            return self.remarks.note(f, i, "numbered", |m| {
                m.text(format_args!("number {value}: {words} is new in this block"));
            });
        }
        let memory = &self.t.memory;
        self.remarks.note(f, i, "numbered", |m| {
            m.text(format_args!("number {value}: "));
            match memory.given_by(memory.newest) {
                Some(by) => {
                    m.text(format_args!("the {}", f.inst(by).op.mnemonic())).line_of(by);
                    m.text(" was the last that may have written what is loaded, and no equal load stands between");
                }
                None => {
                    m.text("no equal load stands before it in this block");
                }
            }
            if let Some(stored) = memory.other {
                m.text(format_args!("; what was stored at {} is an {}", stored.offset, stored.ty));
            }
        });
    }
    /// Says why an instruction does not take part.
    fn explain_no_key(&mut self, f: &Function, i: Inst, value: u32) {
        let d = f.inst(i);
        let why = match d.op.format() {
            Format::Phi => "a phi always has a number of its own here",
            Format::Call => "a call may have effects",
            Format::Load if d.is_volatile() => "a volatile load never takes part",
            Format::Load if d.op == Opcode::Load => "loads are not numbered with the option `memory=off`",
            Format::Load
            | Format::Const
            | Format::Unary
            | Format::Binary
            | Format::Ternary
            | Format::Select
            | Format::Compare
            | Format::Convert
            | Format::Address
            | Format::Store
            | Format::Alloca
            | Format::Nullary
            | Format::Consume
            | Format::MemCopy
            | Format::MemFill
            | Format::MemOnly
            | Format::MemPair
            | Format::AggMemPair
            | Format::Jump
            | Format::Branch
            | Format::Switch
            | Format::Return
            | Format::AggReturn
            | Format::Stop => "it has effects",
        };
        self.remarks.missed(f, i, "not-numbered", |m| {
            m.text(format_args!("number {value}: {why}"));
        });
    }
    /// Says that a value is known, but that no register holds it any more.
    pub(super) fn missed_holder(&mut self, f: &Function, i: Inst, value: u32) {
        self.remarks.missed(f, i, "not-held", |m| {
            m.text(format_args!("number {value}: the registers that held this value were assigned anew"));
        });
    }
}

/// A key as it is compared: `add i32 #1, 5`, where `#1` is a number.
fn in_words(f: &Function, key: &ValueKey) -> String {
    let [op, ty, ..] = key.head.to_le_bytes();
    let mut words = format!("{} {}", Opcode::from_u8(op).mnemonic(), Type::from_u8(ty));
    for (k, bits) in key.operands.into_iter().filter(|bits| *bits != NO_OPERAND).enumerate() {
        let operand = Operand::from_bits(bits);
        let comma = if k == 0 { "" } else { "," };
        // Writing to a string cannot fail.
        let _ = match (operand.as_reg(), f.constant(operand)) {
            (Some(number), _) => write!(words, "{comma} #{}", number.as_u32()),
            (None, Some(constant)) => write!(words, "{comma} {constant}"),
            (None, None) => write!(words, "{comma} ..."),
        };
    }
    words
}
