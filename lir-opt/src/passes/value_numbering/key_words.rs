//! Keys of value numbering in words, for the remarks of `gvn` and `lvn`.

use crate::pass::remarks::{Message, Said};
use crate::passes::value_numbering::key::{SEVERAL_PARTS, ValueKey};
use lir_syntax::ir::{Format, Opcode, Operand, OperandKind, Predicate, Type};

/// Returns the operation of a key.
pub(crate) fn opcode(key: &ValueKey) -> Opcode {
    Opcode::ALL[usize::from(key.head.to_le_bytes()[0])]
}

/// Returns the type that it is of.
pub(crate) fn type_of(key: &ValueKey) -> Type {
    Type::from_u8(key.head.to_le_bytes()[1])
}

/// A number of an operand: `#3`, a constant, a symbol or a stack object.
#[derive(Copy, Clone)]
pub(crate) struct Number(pub(crate) u32);

impl Said for Number {
    fn write(&self, m: &mut Message<'_>) {
        match Operand::from_bits(self.0).kind() {
            OperandKind::Reg(n) => m.text(format_args!("#{}", n.as_u32())),
            OperandKind::Small(_) | OperandKind::Pool(_) => {
                let constant = m.f.constant(Operand::from_bits(self.0));
                m.text(constant.expect("it is a constant"))
            }
            OperandKind::WidePool(_) => unreachable!("`expand-wide` comes first"),
            OperandKind::Sym(s) => m.say(s),
            OperandKind::Obj(o) => m.say(o),
            OperandKind::None => m.text("nothing"),
        };
    }
}

/// The location of base, index, scale and displacement.
struct NumberedAddress(u32, u32, u8, i32);

impl Said for NumberedAddress {
    fn write(&self, m: &mut Message<'_>) {
        let NumberedAddress(base, index, scale, disp) = *self;
        m.text("[").say(Number(base));
        if index != Operand::NONE.to_bits() {
            m.text(" + ").say(Number(index)).text(format_args!("*{scale}"));
        }
        if disp != 0 {
            m.text(format_args!(" {} {}", if disp < 0 { "-" } else { "+" }, disp.unsigned_abs()));
        }
        m.text("]");
    }
}

/// A key: `add i32 #0, 5`, where `#0` is a number. `load i32 [#3 + 8] of memory 2`, of memory as it was when numbered
/// 2, or of several parts of memory, which have a number each.
impl Said for ValueKey {
    fn write(&self, m: &mut Message<'_>) {
        let (op, ty) = (opcode(self), type_of(self));
        let ([_, _, aux, scale], [a, b, c]) = (self.head.to_le_bytes(), self.operands);
        let none = Operand::NONE.to_bits();
        m.say(op).text(" ");
        match op.format() {
            Format::Load => {
                m.say(ty).text(" ").say(NumberedAddress(a, none, scale, b as i32)).text(" of ");
                if aux == SEVERAL_PARTS {
                    m.text("several parts of memory")
                } else {
                    m.text("memory ").say(c)
                };
                return;
            }
            Format::Address => return NumberedAddress(a, b, scale, c as i32).write(m),
            Format::Const => return Number(a).write(m.say(ty).text(" ")),
            Format::Call => return Number(a).write(m),
            Format::Compare => m.text(Predicate::from_u8(aux)).text(" "),
            _ => m,
        };
        m.say(ty);
        for (k, n) in [a, b, c].into_iter().filter(|n| *n != none).enumerate() {
            m.text(if k == 0 { " " } else { ", " }).say(Number(n));
        }
        if op.format() == Format::Convert {
            m.text(" to ").say(Type::from_u8(aux));
        }
    }
}
