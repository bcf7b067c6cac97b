//! Sentences under construction: words, and items whose name or line is known only when the pass has ended.

use super::Piece;
use crate::integers::range::Range as Interval;
use lir_syntax::ir::function::{NO_LOC, SourceLoc};
use lir_syntax::ir::{Block, Function, Inst, Obj, Opcode, Operand, Param, Reg, Sym, Type};
use lir_syntax::printer::{print_constant, printed};
use std::fmt::{Display, Write};

/// Something that a sentence can refer to.
pub trait Said: Sync {
    /// Appends it in words.
    fn write(&self, m: &mut Message<'_>);
}

/// A sentence that is being written.
pub struct Message<'a> {
    pub(crate) f: &'a Function,
    pieces: Vec<Piece>,
}

impl<'a> Message<'a> {
    /// Returns an empty one.
    pub(super) fn new(f: &'a Function) -> Message<'a> {
        Message { f, pieces: Vec::new() }
    }
    /// Returns its pieces.
    pub(super) fn into_pieces(self) -> Vec<Piece> {
        self.pieces
    }
    /// Appends a sentence, with these in place of their names.
    pub fn fill(&mut self, sentence: &str, args: &[(&str, &dyn Said)]) {
        let mut parts = sentence.split(['{', '}']);
        while let Some(words) = parts.next() {
            self.text(words);
            if let Some(arg) = parts.next() {
                let (_, value) = args.iter().find(|(name, _)| *name == arg).expect("the row has a culprit of the name");
                value.write(self);
            }
        }
    }
    /// Appends words.
    pub fn text(&mut self, words: impl Display) -> &mut Self {
        if let Some(Piece::Text(last)) = self.pieces.last_mut() {
            // Writing to a string cannot fail.
            let _ = write!(last, "{words}");
        } else {
            self.pieces.push(Piece::Text(words.to_string()));
        }
        self
    }
    /// Appends something.
    pub fn say(&mut self, something: impl Said) -> &mut Self {
        something.write(self);
        self
    }
}

/// A register, or a constant of the type.
pub type Typed = (Type, Operand);

/// Parts of a sentence with a form of their own.
pub type Words<'a> = &'a dyn Said;

/// Implements [`Said`] for types, by their one piece or by their words.
macro_rules! said {
    ($($ty:ty => |$it:ident, $m:ident| $write:expr;)*) => {
        $(impl Said for $ty {
            fn write(&self, $m: &mut Message<'_>) {
                let $it = *self;
                $write;
            }
        })*
    };
}

/// The position of an instruction in the source: ` (line 12)`. Empty if it has none.
#[derive(Copy, Clone)]
pub struct At(pub Inst);

/// The same for an offset, which may be in another function.
#[derive(Copy, Clone)]
pub(crate) struct AtLoc(pub(crate) SourceLoc);

/// An instruction after a sentence that is whole without it: `: store (line 12)`.
#[derive(Copy, Clone)]
pub struct By(pub Inst);

/// The owner of a value: `%a (line 3)`, `the store (line 4)`.
#[derive(Copy, Clone)]
pub struct Who(pub Inst);

/// Bytes of an object: `$a bytes 0..8`.
#[derive(Copy, Clone)]
pub struct Bytes(pub Obj, pub u32, pub u32);

said! {
    &str => |words, m| m.text(words);
    u32 => |n, m| m.text(n);
    u64 => |n, m| m.text(n);
    usize => |n, m| m.text(n);
    i64 => |n, m| m.text(n);
    Type => |ty, m| m.text(ty);
    Reg => |r, m| m.pieces.push(Piece::Reg(r));
    Block => |b, m| m.pieces.push(Piece::Block(b));
    Obj => |o, m| m.pieces.push(Piece::Obj(o));
    Sym => |s, m| m.pieces.push(Piece::Sym(s));
    Opcode => |op, m| m.text(op.mnemonic());
    Inst => |i, m| m.say(m.f.inst(i).op).say(At(i));
    At => |at, m| m.say(AtLoc(m.f.loc_of(at.0)));
    Who => |who, m| match m.f.def(who.0) {
        Some(r) => m.say(r).say(At(who.0)),
        None => m.text("the ").say(who.0),
    };
    &dyn Said => |what, m| what.write(m);
    Bytes => |bytes, m| m.say(bytes.0).text(format_args!(" bytes {}..{}", bytes.1, bytes.2));
    By => |by, m| m.text(": ").say(by.0);
    Param => |p, m| match p {
        Param::Reg(r) => m.say(r),
        Param::Agg(o) => m.say(o),
    };
    Interval => |range, m| m.text(format_args!("{} to {}", range.lo, range.hi));
}

impl<T: Said> Said for Option<T> {
    fn write(&self, m: &mut Message<'_>) {
        self.iter().for_each(|it| it.write(m));
    }
}

impl Said for AtLoc {
    fn write(&self, m: &mut Message<'_>) {
        if self.0 != NO_LOC {
            m.text(" (line ").pieces.push(Piece::Line(self.0));
            m.text(")");
        }
    }
}

/// A register, or a constant of the type.
impl Said for (Type, Operand) {
    fn write(&self, m: &mut Message<'_>) {
        let (ty, o) = *self;
        if let Some(r) = o.as_reg() {
            m.say(r);
        } else if let Some(payload) = m.f.constant(o) {
            m.text(printed(|out| print_constant(ty, payload, out)));
        }
    }
}
