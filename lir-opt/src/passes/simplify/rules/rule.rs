//! Parsed rewrite rules. The build script reads them, and writes tables of constants ([`super::generated`]), in which
//! lists are ranges of tables ([`super::lists`]).
//!
//! Both sides are trees in one arena; the left side is first, in preorder, its root at 0. Every node has a type class:
//! a set of positions that have the same type. So a rule holds at every width at which its left side can be written.

use super::constants::{Condition, Expr, TypeId};
use super::lists::{List, Text};
use super::predicates::{Combination, PredFn};
use lir_opcodes::{Format, Opcode, Predicate, Type, TypeRule};
use std::ops::Deref;

/// A node of a rule.
pub(crate) type NodeId = u8;

/// Nodes that a left side may have.
pub(crate) const MAX_LEFT: usize = 24;

/// One line of algebra.
pub(crate) struct Rule {
    /// The line, without comment.
    pub text: Text,
    /// Both sides.
    pub nodes: List<Node>,
    /// Number of the nodes of the left side.
    pub left: usize,
    /// The root of the right side.
    pub right: NodeId,
    /// The operations of the right side below its root, operands first; equal ones once.
    pub made: List<NodeId>,
    /// For each variable the node of the left side where it is bound. For a named operation, the node is that
    /// operation.
    pub vars: List<NodeId>,
    /// The named operations that the right side reads.
    pub kept: List<NodeId>,
    /// For each constant the node of the left side where it is bound.
    pub consts: List<NodeId>,
    /// For each predicate variable the operation of the left side where it is bound.
    #[cfg_attr(not(test), allow(dead_code, reason = "what runs the rules learns it from the operation"))]
    pub preds: List<NodeId>,
    /// The conditions for the sides to be equal, in the order of evaluation.
    pub conditions: List<Condition>,
    /// The further conditions for the right side to be the better one.
    pub worth: List<Condition>,
    /// The type classes.
    pub types: List<TypeClass>,
    /// Positions that must have a class's type where the left side alone would allow another.
    pub type_checks: List<(TypeSource, TypeId)>,
    /// Classes that are integers on the right side, where the left side allows floats too.
    pub ints: List<TypeId>,
    /// True if the right side needs more constants in registers than the root has. They take an instruction, too.
    pub loads_constants: bool,
    /// Written `=>+`: may make more instructions than it leaves unused.
    pub expands: bool,
}

/// A node of either side.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Node {
    pub kind: NodeKind,
    /// The type of its value.
    pub ty: TypeId,
    /// The annotation of the instruction; of leaves the same as `ty`.
    pub annotation: TypeId,
    /// On the left side: the operation that it is an operand of, and which operand.
    pub parent: (NodeId, u8),
}

/// The kind of a node.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum NodeKind {
    /// An operation.
    Op { op: Opcode, pred: Pred, args: Args },
    /// Any value; on the left side at its second occurrence the same one again.
    Var(u8),
    /// A constant: on the left side the one that is bound here, or this value. On the right side this value.
    Const(Expr),
}

/// The operands of an operation.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Args {
    /// Their number.
    pub count: u8,
    /// The operands; the rest is 0.
    pub nodes: [NodeId; MAX_ARGS],
}

/// Operands that an operation may have.
pub(crate) const MAX_ARGS: usize = 3;

impl Deref for Args {
    type Target = [NodeId];
    fn deref(&self) -> &[NodeId] {
        &self.nodes[..usize::from(self.count)]
    }
}

/// The predicate of a comparison.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Pred {
    /// Not a comparison.
    None,
    /// This one.
    Is(Predicate),
    /// Any of a set (a bit for each position); binds the predicate variable.
    Bind(u8, u16),
    /// A function of a predicate variable.
    Of(PredFn, u8),
    /// The combination of two predicate variables; on the right side only.
    Two(Combination, u8, u8),
}

impl Pred {
    /// Returns the predicate of an instance, from the values of the predicate variables. None for operations that are
    /// not comparisons.
    pub fn value(self, vars: &[Predicate]) -> Option<Predicate> {
        match self {
            Pred::None => None,
            Pred::Is(p) => Some(p),
            Pred::Bind(k, _) => Some(vars[k as usize]),
            Pred::Of(change, k) => Some(change.apply(vars[k as usize])),
            // A condition of the rule ensures that there is one.
            Pred::Two(combination, k, l) => combination.predicate(vars[k as usize], vars[l as usize]),
        }
    }
}

/// Positions that have the same type.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum TypeClass {
    /// This type.
    Fixed(Type),
    /// The type of an operand of the left side.
    At(TypeSource),
    /// The integers of half the bits of another class. A rule with it never holds at i8.
    Half(TypeId),
}

/// Returns the integers of half the bits.
pub(crate) fn half(ty: Type) -> Option<Type> {
    Type::OF_WORDS.iter().copied().find(|t| t.is_int() && ty.is_int() && 2 * t.bits() == ty.bits())
}

/// A position of the left side that has a type.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum TypeSource {
    /// The annotation of an operation.
    Annotation(NodeId),
    /// The result of an operation.
    Result(NodeId),
    /// A register.
    Register(NodeId),
}

impl Node {
    /// Returns the operands; none for leaves.
    #[inline]
    pub fn args(&self) -> &[NodeId] {
        match &self.kind {
            NodeKind::Op { args, .. } => args,
            NodeKind::Var(_) | NodeKind::Const(_) => &[],
        }
    }
}

impl Rule {
    /// Returns all that must hold for the rule to be applied.
    #[inline]
    pub(crate) fn all_conditions(&self) -> impl Iterator<Item = &Condition> {
        self.conditions.iter().chain(self.worth.iter())
    }
    /// Returns the operands of a node; none for leaves.
    #[inline]
    pub fn args(&self, n: NodeId) -> &[NodeId] {
        self.nodes[n as usize].args()
    }
}

/// Returns the number of operands of a format, if all are values (rules need that). Otherwise 0.
#[inline]
pub(crate) fn value_operands(format: Format) -> usize {
    match format {
        Format::Unary | Format::Convert => 1,
        Format::Binary | Format::Compare | Format::Branch => 2,
        Format::Ternary | Format::Select => 3,
        _ => 0,
    }
}

/// True if an operation is arithmetic, whose results are not signalling NaNs.
pub(crate) fn makes_quiet(op: Opcode) -> bool {
    // Operations that change only the sign bit, or move bits, keep a signalling NaN.
    let moves = matches!(op, Opcode::Copy | Opcode::Fneg | Opcode::Fabs | Opcode::Fcopysign);
    !moves
        && matches!(
            op.info().types,
            TypeRule::Float | TypeRule::IntToFloat | TypeRule::FloatWiden | TypeRule::FloatNarrow
        )
}
