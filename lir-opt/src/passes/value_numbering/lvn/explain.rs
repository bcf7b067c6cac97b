//! What `lvn` says about an instruction that it gave a new number.

use super::memory::Form;
use super::{State, takes_scalars};
use crate::analysis::effects::callee_attrs;
use crate::pass::remarks::Message;
use crate::passes::value_numbering::key::{NO_OPERAND, ValueKey};
use crate::passes::value_numbering::key_words::{opcode, type_of, write_key, write_place, write_who};
use lir_syntax::ir::{Attrs, Decls, Format, Function, Inst, Opcode, Operand};

/// Why an instruction has a number that another had before.
#[derive(Copy, Clone)]
pub(super) enum Why {
    /// It is a copy.
    Copy,
    /// This key was known.
    Key(ValueKey),
    /// What was loaded was stored in this block.
    Stored,
}

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
            return self.remarks.note(f, i, "numbered", |m| {
                m.text(format_args!("number {value}, key "));
                write_load_or_key(m, f, self.decls, &key);
                m.text(", is new in this block");
            });
        }
        let memory = &self.t.memory;
        self.remarks.note(f, i, "numbered", |m| {
            m.text(format_args!("number {value}, key "));
            write_load_or_key(m, f, self.decls, &key);
            m.text("; ");
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
            Format::Call => why_no_call(self.decls, f, i, self.pure_calls),
            Format::Load if d.is_volatile() => "a volatile load never takes part",
            Format::Load if d.op == Opcode::Load => "loads are not numbered with the option `memory=off`",
            _ => "it has effects",
        };
        self.remarks.missed(f, i, "not-numbered", |m| {
            m.text(format_args!("number {value}: {why}"));
        });
    }
    /// Notes which instruction had a number first.
    pub(super) fn note_first(&mut self, i: Inst, value: u32) {
        self.t.first.resize(value as usize, None);
        self.t.first.push(Some(i));
    }
    /// Says what was done with an instruction whose number another had before, and why it has that.
    pub(super) fn explain_equal(
        &mut self,
        f: &Function,
        i: Inst,
        event: &'static str,
        (value, why): (u32, Why),
        end: impl FnOnce(&mut Message<'_>),
    ) {
        let (decls, memory) = (self.decls, &self.t.memory);
        let first = || self.t.first.get(value as usize).copied().flatten();
        self.remarks.done(f, i, event, |m| {
            m.text(format_args!("number {value}"));
            match why {
                Why::Copy => {
                    m.text(", that of its operand");
                }
                Why::Key(key) => {
                    m.text(", key ");
                    write_load_or_key(m, f, decls, &key);
                    if let Some(first) = first() {
                        m.text(", which ");
                        write_who(m, f, first);
                        m.text(" has, too");
                    }
                }
                Why::Stored => {
                    m.text(", which ");
                    if let Some(store) = memory.given_by(memory.newest) {
                        write_who(m, f, store);
                    }
                    m.text(" left there");
                }
            }
            m.text(": ");
            end(m);
        });
    }
    /// Says that a load becomes the constant that was stored.
    pub(super) fn explain_constant(&mut self, f: &Function, i: Inst, value: u32, constant: Operand) {
        self.explain_equal(f, i, "made-constant", (value, Why::Stored), |m| {
            m.text("replaced by ").operand(f.inst(i).ty, constant);
        });
    }
    /// Says that a value is known, but that no register holds it any more.
    pub(super) fn missed_holder(&mut self, f: &Function, i: Inst, value: u32) {
        self.remarks.missed(f, i, "not-held", |m| {
            m.text(format_args!("number {value}: the registers that held this value were assigned anew"));
        });
    }
}

/// Why a call has no number: it never has one, or with the option only.
fn why_no_call(decls: &Decls, f: &Function, i: Inst, pure_calls: bool) -> &'static str {
    let attrs = callee_attrs(decls, f, i);
    if attrs.has(Attrs::RETURNS_TWICE) {
        "a call that may return twice never takes part"
    } else if attrs.has(Attrs::READNONE) && !takes_scalars(f, i) {
        "a call that gets an aggregate reads memory"
    } else if attrs.has(Attrs::READNONE) && !pure_calls {
        "calls of `readnone` functions are numbered with the option `pure-calls` only"
    } else if attrs.has(Attrs::READONLY) {
        "a call may read memory, for the callee is not `readnone`"
    } else {
        "a call may have effects"
    }
}

/// Writes a key: as [`write_key`] does, but for loads from several parts of an object, whose memory has a number each.
fn write_load_or_key(m: &mut Message<'_>, f: &Function, decls: &Decls, key: &ValueKey) {
    let [_, _, form, scale] = key.head.to_le_bytes();
    if opcode(key) != Opcode::Load || form != Form::Segments as u8 {
        return write_key(m, f, decls, key);
    }
    m.text(format_args!("load {} ", type_of(key)));
    write_place(m, f, decls, (key.operands[0], NO_OPERAND, scale, key.operands[1] as i32));
    m.text(" of several parts of memory");
}
