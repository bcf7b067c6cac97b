//! Keys of value numbering in words, for the remarks of `gvn` and `lvn`.

use crate::pass::remarks::Message;
use crate::passes::value_numbering::key::ValueKey;
use lir_syntax::ir::{Decls, FloatCC, Format, Function, Inst, IntCC, Opcode, Operand, OperandKind, Type};

/// The operation of a key.
pub(crate) fn opcode(key: &ValueKey) -> Opcode {
    Opcode::ALL[usize::from(key.head.to_le_bytes()[0])]
}

/// The type that it is of.
pub(crate) fn type_of(key: &ValueKey) -> Type {
    Type::from_u8(key.head.to_le_bytes()[1])
}

/// Writes a number: `#3`, a constant, a symbol or a stack object.
pub(crate) fn write_number(m: &mut Message<'_>, f: &Function, decls: &Decls, number: u32) {
    match Operand::from_bits(number).kind() {
        OperandKind::Reg(n) => m.text(format_args!("#{}", n.as_u32())),
        OperandKind::Small(_) | OperandKind::Pool(_) => {
            m.text(f.constant(Operand::from_bits(number)).expect("it is a constant"))
        }
        OperandKind::Sym(s) => m.sym(decls, s),
        OperandKind::Obj(o) => m.obj(o),
        OperandKind::None => m.text("nothing"),
    };
}

/// Writes the place of base, index, scale and displacement.
pub(crate) fn write_place(
    m: &mut Message<'_>,
    f: &Function,
    decls: &Decls,
    (base, index, scale, disp): (u32, u32, u8, i32),
) {
    m.text("[");
    write_number(m, f, decls, base);
    if index != Operand::NONE.to_bits() {
        m.text(" + ");
        write_number(m, f, decls, index);
        m.text(format_args!("*{scale}"));
    }
    if disp != 0 {
        m.text(format_args!(" {} {}", if disp < 0 { "-" } else { "+" }, disp.unsigned_abs()));
    }
    m.text("]");
}

/// Writes a key: `add i32 #0, 5`, where `#0` is a number; `load i32 [#3 + 8] of memory 2`, of what stands in memory as
/// it was numbered 2.
pub(crate) fn write_key(m: &mut Message<'_>, f: &Function, decls: &Decls, key: &ValueKey) {
    let (op, ty) = (opcode(key), type_of(key));
    let [_, _, aux, scale] = key.head.to_le_bytes();
    let operands = key.operands;
    m.text(op.info().mnemonic).text(" ");
    match op.format() {
        Format::Load => {
            m.text(ty).text(" ");
            write_place(m, f, decls, (operands[0], Operand::NONE.to_bits(), scale, operands[1] as i32));
            m.text(format_args!(" of memory {}", operands[2]));
            return;
        }
        Format::Address => {
            write_place(m, f, decls, (operands[0], operands[1], scale, operands[2] as i32));
            return;
        }
        Format::Compare if ty.is_float() => m.text(FloatCC::from_u8(aux)).text(" "),
        Format::Compare => m.text(IntCC::from_u8(aux)).text(" "),
        Format::Const => {
            m.text(ty).text(" ");
            write_number(m, f, decls, operands[0]);
            return;
        }
        Format::Call => {
            write_number(m, f, decls, operands[0]);
            return;
        }
        _ => m,
    };
    m.text(ty);
    for (k, n) in operands.into_iter().filter(|n| *n != Operand::NONE.to_bits()).enumerate() {
        m.text(if k == 0 { " " } else { ", " });
        write_number(m, f, decls, n);
    }
    if op.format() == Format::Convert {
        m.text(format_args!(" to {}", Type::from_u8(aux)));
    }
}

/// Writes who has a value: `%a (line 3)`, `the store (line 4)`.
pub(crate) fn write_who<'m, 'a>(m: &'m mut Message<'a>, f: &Function, i: Inst) -> &'m mut Message<'a> {
    match f.def(i) {
        Some(r) => m.reg(r),
        None => m.text(format_args!("the {}", f.inst(i).op.info().mnemonic)),
    };
    m.line_of(i)
}

/// Writes a register, or a constant.
pub(crate) fn write_number_or_reg(m: &mut Message<'_>, f: &Function, o: Operand) {
    match o.as_reg() {
        Some(r) => m.reg(r),
        None => m.text(f.constant(o).map_or(String::new(), |k| k.to_string())),
    };
}
