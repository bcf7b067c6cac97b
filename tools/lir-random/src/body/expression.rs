//! Pure operations: their opcodes, and the ones that a function has made.

use crate::constants::INTEGERS;
use lir_syntax::ir::builder::Value;
use lir_syntax::ir::{Effects, FloatCC, Format, IntCC, Opcode, Reg, Type};
use lir_syntax::semantics::is_value_op;

/// A pure operation: its opcode, its annotation, and as many of the other fields as the format has.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Expression {
    pub(crate) op: Opcode,
    pub(crate) ty: Type,
    /// Operands of the type of the annotation.
    pub(crate) first: Reg,
    pub(crate) second: Value,
    pub(crate) third: Reg,
    /// The condition of `select`.
    pub(crate) condition: Reg,
    /// The predicate of comparisons, for the class of the type.
    pub(crate) int_cc: IntCC,
    pub(crate) float_cc: FloatCC,
    /// The type of the result of conversions.
    pub(crate) to: Type,
}

/// The expressions of the opcode table, and the divisions.
pub(crate) struct Operations {
    pub(crate) expressions: Vec<Opcode>,
    pub(crate) divisions: Vec<Opcode>,
}

impl Operations {
    /// Collects the opcodes in use.
    pub(crate) fn new(floats: bool) -> Operations {
        let usable =
            |op: &Opcode| floats || INTEGERS.iter().any(|t| op.info().types.allows(*t)) && !converts_floats(*op);
        let of =
            |wanted: fn(Opcode) -> bool| Opcode::ALL.iter().copied().filter(|op| wanted(*op)).filter(usable).collect();
        Operations { expressions: of(is_expression), divisions: of(is_division) }
    }
}

/// True for pure operations, by the opcode table.
fn is_expression(op: Opcode) -> bool {
    (op == Opcode::Const || is_value_op(op)) && op.effects().is_pure()
}

/// The divisions, by the opcode table.
fn is_division(op: Opcode) -> bool {
    op.format() == Format::Binary && op.effects().has(Effects::TRAPS)
}

fn converts_floats(op: Opcode) -> bool {
    let rule = op.info().types;
    op.format() == Format::Convert
        && !Type::ALL.iter().any(|from| INTEGERS.iter().any(|to| from.is_int() && rule.allows_conversion(*from, *to)))
}
