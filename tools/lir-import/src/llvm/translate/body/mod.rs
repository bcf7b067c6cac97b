//! Bodies of functions, block by block in reverse postorder, so that definitions precede uses.
//!
//! [`function`] has the state and the order of the steps. [`uses`] counts the uses of each value; [`value`] gives
//! operands as lists of scalars; [`address`] folds address arithmetic into memory operands. [`integer`], [`wide`],
//! [`convert`], [`memory`], [`atomics`], [`aggregate`], [`control`], [`call`] and [`intrinsic`] translate the
//! instructions of their names.

mod address;
mod aggregate;
mod atomics;
mod call;
mod control;
mod convert;
mod function;
mod integer;
mod intrinsic;
mod memory;
mod uses;
mod value;
mod wide;

pub(super) use function::translate;
