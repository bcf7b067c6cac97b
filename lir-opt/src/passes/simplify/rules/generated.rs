//! The rules as tables of constants, which the build script writes (`build/rules/writer.rs`).

use super::constants::{Bound, Comparison, Condition, Expr, Func, IntervalPart, Operator, Outcome, PredRef, Side};
use super::index::{Index, Table, Variant};
use super::lists::{List, Ref, Text, Written};
use super::predicates::{Combination, PredFn};
use super::rule::{Args, Node, NodeKind, Pred, Rule, TypeClass, TypeSource};
use lir_syntax::ir::{FloatCC, IntCC, Opcode, Predicate, Promises, Type};

include!(concat!(env!("OUT_DIR"), "/rules.rs"));
