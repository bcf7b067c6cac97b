//! What a rewrite rule is, once its line of text was read: the build script does it, and writes what it read as tables
//! of constants ([`super::written`]), in which lists are places of tables ([`super::lists`]).
//!
//! Both sides are trees in one arena; the left side stands first, in preorder, its root at 0. Every node has a type
//! class: a set of places that have the same type. So a rule holds at every width at which its left side can be
//! written.

use super::constants::{Condition, Expr};
use super::lists::{List, Text};
use crate::integers::outcomes::{Outcomes, outcomes, predicate_of};
use lir_syntax::ir::{FloatCC, Format, IntCC, Opcode, Predicate, Type, TypeRule};
use std::ops::Deref;

/// A node of a rule.
pub(super) type NodeId = u8;
/// A type class of a rule.
pub(super) type TypeId = u8;

/// Nodes that a left side may have.
pub(super) const MAX_LEFT: usize = 24;

/// One line of algebra.
pub(super) struct Rule {
    /// The line, without comment.
    pub text: Text,
    /// Both sides.
    pub nodes: List<Node>,
    /// How many of the nodes are the left side.
    pub left: usize,
    /// The root of the right side.
    pub right: NodeId,
    /// The operations of the right side below its root, operands first; equal ones once.
    pub made: List<NodeId>,
    /// For each variable the node of the left side where it is bound; of a named operation that operation.
    pub vars: List<NodeId>,
    /// The named operations that the right side reads.
    pub kept: List<NodeId>,
    /// For each constant the node of the left side where it is bound.
    pub consts: List<NodeId>,
    /// For each predicate variable the operation of the left side where it is bound.
    #[cfg_attr(not(test), allow(dead_code, reason = "what runs the rules learns it from the operation"))]
    pub preds: List<NodeId>,
    /// What must hold for the sides to be equal, in the order in which it is asked for.
    pub conditions: List<Condition>,
    /// What must hold besides for the right side to be the better one.
    pub worth: List<Condition>,
    /// The type classes.
    pub types: List<TypeClass>,
    /// Places that must have the type of a class, where the left side alone would allow another.
    pub type_checks: List<(TypeSource, TypeId)>,
    /// Classes that are integers on the right side, where the left side allows floats too.
    pub ints: List<TypeId>,
    /// Whether the right side wants more constants in registers than the root has: they take an instruction, too.
    pub loads_constants: bool,
    /// Written `=>+`: may make more instructions than it leaves unused.
    pub expands: bool,
}

/// A node of either side.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Node {
    pub kind: NodeKind,
    /// The type of its value.
    pub ty: TypeId,
    /// The annotation of the instruction; of leaves the same as `ty`.
    pub annotation: TypeId,
    /// On the left side: the operation that it is an operand of, and which operand.
    pub parent: (NodeId, u8),
}

/// What a node is.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum NodeKind {
    /// An operation.
    Op { op: Opcode, pred: Pred, args: Args },
    /// Any value; on the left side at its second occurrence the same one again.
    Var(u8),
    /// A constant: on the left side the one that is bound here, or this value; on the right side this value.
    Const(Expr),
}

/// The operands of an operation.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Args {
    /// Their number.
    pub count: u8,
    /// The operands; what is past their number is 0.
    pub nodes: [NodeId; MAX_ARGS],
}

/// Operands that an operation may have.
pub(super) const MAX_ARGS: usize = 3;

impl Deref for Args {
    type Target = [NodeId];
    fn deref(&self) -> &[NodeId] {
        &self.nodes[..usize::from(self.count)]
    }
}

/// The predicate of a comparison.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Pred {
    /// Not a comparison.
    None,
    /// This one.
    Is(u8),
    /// Any of a set (a bit for each discriminant); binds the predicate variable.
    Bind(u8, u16),
    /// A function of a predicate variable.
    Of(PredFn, u8),
    /// What two predicate variables say together; on the right side only.
    Two(Combination, u8, u8),
}

/// What two comparisons of the same operands say together.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Combination {
    /// Both hold.
    Both,
    /// At least one holds.
    Either,
    /// Exactly one holds.
    One,
}

impl Combination {
    /// The outcomes for which it holds, of comparisons by `op` with these predicates.
    pub fn outcomes(self, op: Opcode, p: u8, q: u8) -> Outcomes {
        let of = |p| outcomes(Predicate::from_u8(operands_of(op), p));
        let (p, q) = (of(p), of(q));
        match self {
            Combination::Both => p & q,
            Combination::Either => p | q,
            Combination::One => p ^ q,
        }
    }
    /// The predicate that says it, if there is one.
    pub fn predicate(self, op: Opcode, p: u8, q: u8) -> Option<u8> {
        predicate_of(operands_of(op), self.outcomes(op, p, q)).map(Predicate::to_u8)
    }
}

/// A type that a comparison may have: outcomes tell integers from floats only.
pub(super) fn operands_of(comparison: Opcode) -> Type {
    if comparison == Opcode::Fcmp { Type::F64 } else { Type::I64 }
}

/// A function of predicates.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum PredFn {
    /// The predicate itself.
    Same,
    /// Holds where it does not.
    Inverted,
    /// The same of exchanged operands.
    Swapped,
    /// `slt` as `ult` and so on.
    Unsigned,
    /// `ult` as `slt` and so on.
    Signed,
}

impl PredFn {
    /// The predicate with this discriminant, by the opcode of [`IntCC`] or [`FloatCC`], changed.
    pub fn apply(self, op: Opcode, aux: u8) -> u8 {
        if op == Opcode::Fcmp {
            let cc = FloatCC::from_u8(aux);
            return match self {
                PredFn::Same | PredFn::Unsigned | PredFn::Signed => cc,
                PredFn::Inverted => cc.inverted(),
                PredFn::Swapped => cc.swapped(),
            } as u8;
        }
        let cc = IntCC::from_u8(aux);
        let changed = match (self, cc) {
            (PredFn::Same, _) => cc,
            (PredFn::Inverted, _) => cc.inverted(),
            (PredFn::Swapped, _) => cc.swapped(),
            (PredFn::Unsigned, IntCC::Slt) => IntCC::Ult,
            (PredFn::Unsigned, IntCC::Sle) => IntCC::Ule,
            (PredFn::Unsigned, IntCC::Sgt) => IntCC::Ugt,
            (PredFn::Unsigned, IntCC::Sge) => IntCC::Uge,
            (PredFn::Signed, IntCC::Ult) => IntCC::Slt,
            (PredFn::Signed, IntCC::Ule) => IntCC::Sle,
            (PredFn::Signed, IntCC::Ugt) => IntCC::Sgt,
            (PredFn::Signed, IntCC::Uge) => IntCC::Sge,
            (PredFn::Unsigned | PredFn::Signed, _) => cc,
        };
        changed as u8
    }
}

/// Places that have the same type.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum TypeClass {
    /// This type.
    Fixed(Type),
    /// That of a place of the left side.
    At(TypeSource),
    /// The integers of half the bits that those of another class have; at i8 a rule with it says nothing.
    Half(TypeId),
}

/// The integers of half the bits.
pub(super) fn half(ty: Type) -> Option<Type> {
    Type::ALL.iter().copied().find(|t| t.is_int() && ty.is_int() && 2 * t.bits() == ty.bits())
}

/// A place of the left side that has a type.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum TypeSource {
    /// The annotation of an operation.
    Annotation(NodeId),
    /// The result of an operation.
    Result(NodeId),
    /// A register.
    Register(NodeId),
}

impl Node {
    /// The operands; none for leaves.
    pub fn args(&self) -> &[NodeId] {
        match &self.kind {
            NodeKind::Op { args, .. } => args,
            NodeKind::Var(_) | NodeKind::Const(_) => &[],
        }
    }
}

impl Rule {
    /// All that must hold for the rule to be applied.
    pub(crate) fn all_conditions(&self) -> impl Iterator<Item = &Condition> {
        self.conditions.iter().chain(self.worth.iter())
    }
    /// The operands of a node; none for leaves.
    pub fn args(&self, n: NodeId) -> &[NodeId] {
        self.nodes[n as usize].args()
    }
}

/// How many operands an instruction of a format has, if all are values, as rules want them; else 0.
pub(super) fn value_operands(format: Format) -> usize {
    match format {
        Format::Unary | Format::Convert => 1,
        Format::Binary | Format::Compare | Format::Branch => 2,
        Format::Ternary | Format::Select => 3,
        Format::Const
        | Format::Address
        | Format::Load
        | Format::Store
        | Format::Alloca
        | Format::Nullary
        | Format::Consume
        | Format::MemCopy
        | Format::MemFill
        | Format::MemOnly
        | Format::MemPair
        | Format::AggMemPair
        | Format::Call
        | Format::Phi
        | Format::Jump
        | Format::Switch
        | Format::Return
        | Format::AggReturn
        | Format::Stop => 0,
    }
}

/// Whether an operation is arithmetic, whose results are no signalling NaNs.
pub(super) fn makes_quiet(op: Opcode) -> bool {
    // What touches the sign bit alone, or moves bits, keeps a signalling NaN.
    let moves = matches!(op, Opcode::Copy | Opcode::Fneg | Opcode::Fabs | Opcode::Fcopysign);
    !moves
        && match op.info().types {
            TypeRule::Float | TypeRule::IntToFloat | TypeRule::FloatWiden | TypeRule::FloatNarrow => true,
            TypeRule::None
            | TypeRule::Int
            | TypeRule::Any
            | TypeRule::VarArg
            | TypeRule::Widen
            | TypeRule::Narrow
            | TypeRule::FloatToInt
            | TypeRule::Bitcast => false,
        }
}
