//! The operations of LIR as data: their names, operands and results, and their semantics.
//!
//! * [`opcode`]: the opcode table, a row for each.
//! * [`types`], [`word`], [`predicate`]: the scalar types; their bits as numbers; the predicates of comparisons.
//! * [`promise`]: the promises of an instruction about its operands.
//! * [`Order`], [`RmwOp`]: the orders of atomic accesses, and the operations of `atomicrmw`.
//! * [`named`]: enums whose values have names.
//! * [`semantics`]: the result of every pure operation, shared by the constant folder, the interpreter and the tests.
//!
//! `lir-syntax` has all of it in `ir` and `semantics`, where it is used. It is a crate of its own, without
//! dependencies, for the build script of `lir-opt`: cargo builds the dependencies of a build script a second time.

#![forbid(unsafe_code)]

#[macro_use]
mod lowering;
#[macro_use]
mod named;
mod format;
pub mod opcode;
mod order;
pub mod predicate;
pub mod promise;
pub mod semantics;
pub mod types;
pub mod word;

pub use opcode::{Effects, Format, MemoryOperands, OpInfo, Opcode, ResultRule, TypeRule};
pub use order::{Order, RmwOp};
pub use predicate::{FloatCC, IntCC, Predicate};
pub use promise::Promises;
pub use types::{Ext, Type, VA_LIST_SIZE};
pub use word::Word;
