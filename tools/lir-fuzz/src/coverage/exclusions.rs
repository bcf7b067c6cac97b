//! The reasons why cells are never reached: for each table a list of rules.
//!
//! A run should reach every cell without a reason; otherwise the cell is a hole.

use super::cells::{Cell, Comparison, Conversion, Memory, Operation};
use super::dimensions::{BASES, COMPARING, CONVERTING, DISPLACEMENTS, INDICES, MEMORY_OPERANDS, OperandClass, UseKind};
use lir_syntax::ir::{Format, IntCC, MemoryOperands, Opcode, ResultRule, Type, TypeRule};

/// A reason, and the cells that it excludes.
pub(super) struct Rule<C> {
    /// The reason, for the report.
    pub reason: &'static str,
    /// True if it excludes a cell.
    pub excludes: fn(&C) -> bool,
}

/// A cell of a table with reasons for unreachable cells.
pub(super) trait Excludable: Cell {
    /// The reasons, in the order of evaluation.
    const RULES: &'static [Rule<Self>];

    /// Returns the position in [`Excludable::RULES`] of the first reason why the cell is never reached.
    fn excluded(&self) -> Option<usize> {
        Self::RULES.iter().position(|rule| (rule.excludes)(self))
    }
}

impl Excludable for Operation {
    const RULES: &'static [Rule<Operation>] = OPERATION_RULES;
}
impl Excludable for Memory {
    const RULES: &'static [Rule<Memory>] = MEMORY_RULES;
}
impl Excludable for Comparison {
    const RULES: &'static [Rule<Comparison>] = COMPARISON_RULES;
}
impl Excludable for Conversion {
    const RULES: &'static [Rule<Conversion>] = CONVERSION_RULES;
}

/// Rules for operations.
const OPERATION_RULES: &[Rule<Operation>] = &[
    Rule { reason: "the opcode has no such type", excludes: |c| !has_type(c.op, c.ty) },
    Rule { reason: "no operand of the format is of such a kind", excludes: |c| !has_operand(c.op.format(), c.operand) },
    Rule {
        reason: "only an i64 holds an address",
        excludes: |c| c.operand.is_address() && c.ty != Type::I64 && !reads_an_address(c.op.format()),
    },
    Rule { reason: "no constant of the type is of such a size", excludes: |c| !has_constant(c.ty, c.operand) },
    Rule { reason: "`ret` without a value counts as i64", excludes: |c| c.op == Opcode::Ret && returns_nothing(c) },
    Rule { reason: "it has a result", excludes: |c| c.used_by == UseKind::NoResult && !may_lack_a_result(c) },
    Rule { reason: "it has no result", excludes: |c| c.used_by != UseKind::NoResult && !c.op.has_result() },
    Rule { reason: "no result has a type that is used so", excludes: |c| !result_may_be_used(c) },
];

/// Rules for memory operands.
const MEMORY_RULES: &[Rule<Memory>] = &[
    Rule {
        reason: "nothing of such a type is accessed there",
        excludes: |c| !has_type(MEMORY_OPERANDS[c.operand].0, c.ty),
    },
    Rule { reason: "accesses by calls count as i64", excludes: |c| is_typed_call(c) },
    Rule {
        reason: "an index alone with scale 1 is a base",
        excludes: |c| BASES[c.base] == OperandClass::None && INDICES[c.index] == "*1",
    },
    Rule {
        reason: "the verifier rejects: an access at a constant offset stays in its object, and none is of 2^30 bytes",
        excludes: |c| {
            let direct = BASES[c.base] == OperandClass::Object && INDICES[c.index].is_empty();
            direct && DISPLACEMENTS[c.disp] == "edge" && accesses_some_bytes(MEMORY_OPERANDS[c.operand])
        },
    },
];

/// Rules for comparisons.
const COMPARISON_RULES: &[Rule<Comparison>] = &[
    Rule { reason: "the opcode has no such type", excludes: |c| !has_type(COMPARING[c.op], c.ty) },
    Rule {
        reason: "integers and floats have predicates of their own",
        excludes: |c| c.ty.is_int() != (c.predicate < IntCC::ALL.len()),
    },
    Rule { reason: "a comparison has two operands", excludes: |c| c.operand == OperandClass::None },
    Rule { reason: "only an i64 holds an address", excludes: |c| c.operand.is_address() && c.ty != Type::I64 },
    Rule { reason: "no constant of the type is of such a size", excludes: |c| !has_constant(c.ty, c.operand) },
];

/// Rules for conversions.
const CONVERSION_RULES: &[Rule<Conversion>] = &[
    Rule {
        reason: "there is no such conversion",
        excludes: |c| !CONVERTING[c.op].info().types.allows_conversion(c.from, c.to),
    },
    Rule { reason: "it has a result", excludes: |c| c.used_by == UseKind::NoResult },
    Rule { reason: "no value of the type is used so", excludes: |c| !c.used_by.takes(c.to) },
];

/// True if the annotation may be this type. An instruction without annotation counts as i64, a call as its result.
fn has_type(op: Opcode, ty: Type) -> bool {
    match op.info().types {
        TypeRule::None => ty == Type::I64 || op == Opcode::Call,
        rule => rule.allows(ty),
    }
}

/// True if the operand that counts is always an address: a base, or a callee.
fn reads_an_address(format: Format) -> bool {
    matches!(format, Format::Load | Format::AtomicLoad | Format::Call)
}

/// True if the format has an operand of this kind.
fn has_operand(format: Format, operand: OperandClass) -> bool {
    match format {
        Format::Const => operand.is_constant(),
        Format::Return => true,
        Format::Nullary | Format::Jump | Format::Stop | Format::Fence => operand == OperandClass::None,
        Format::AtomicExchange => operand.is_register(),
        _ if format.takes_constant() => operand != OperandClass::None,
        _ => match format.memory() {
            MemoryOperands::None | MemoryOperands::OfCall => operand.is_register(),
            MemoryOperands::InLine | MemoryOperands::Pooled | MemoryOperands::TwoPooled => !operand.is_constant(),
        },
    }
}

/// True if a constant of the type may be of this class, and for classes that are not constants.
fn has_constant(ty: Type, operand: OperandClass) -> bool {
    use OperandClass::{Byte, Small, Wide, Word};
    match ty {
        Type::I8 => !matches!(operand, Word | Wide),
        Type::I16 | Type::I32 => operand != Wide,
        Type::I64 | Type::I128 => true,
        Type::F32 => !matches!(operand, Small | Byte | Wide),
        Type::F64 => !matches!(operand, Small | Byte | Word),
    }
}

fn returns_nothing(c: &Operation) -> bool {
    c.operand == OperandClass::None && c.ty != Type::I64
}

/// True if there need be no result; a call without one counts as i64.
fn may_lack_a_result(c: &Operation) -> bool {
    !c.op.has_result() || c.op == Opcode::Call && c.ty == Type::I64
}

/// True if some result of the opcode and type may be used so.
fn result_may_be_used(c: &Operation) -> bool {
    let info = c.op.info();
    match info.result {
        _ if c.used_by == UseKind::NoResult => true,
        ResultRule::None => false,
        ResultRule::Same | ResultRule::Call => c.used_by.takes(c.ty),
        ResultRule::Truth => c.used_by.takes(Type::I8),
        ResultRule::Address => c.used_by.takes(Type::I64),
        ResultRule::Converted => {
            Type::OF_WORDS.into_iter().any(|to| info.types.allows_conversion(c.ty, to) && c.used_by.takes(to))
        }
    }
}

/// Memory operands of calls are the operands for aggregates.
fn is_typed_call(c: &Memory) -> bool {
    MEMORY_OPERANDS[c.operand].0 == Opcode::Call && c.ty != Type::I64
}

/// True if the access has at least one byte. Accesses of blocks and aggregates may be empty, and a `lea` accesses
/// nothing.
fn accesses_some_bytes((op, operand, _): (Opcode, usize, &str)) -> bool {
    use Opcode::{Load, Store, VaArg, VaArgAgg, VaCopy, VaEnd, VaStart};
    // The second operand of the `va_arg` of an aggregate is the list.
    matches!(op, Load | Store | VaArg | VaCopy | VaEnd | VaStart)
        || op.format().is_atomic()
        || (op, operand) == (VaArgAgg, 1)
}
