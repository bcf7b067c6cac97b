//! Bodies of functions, block by block in reverse postorder, so that definitions precede uses.
//!
//! [`function`] has the state and the order of the steps. [`uses`] counts the uses of each value, and [`source_names`]
//! finds the names of variables; [`value`] translates operands into lists of scalars; [`address`] folds address
//! arithmetic into memory operands, and [`widening`] computes indices in 64 bits. [`integer`], [`wide`], [`convert`],
//! [`memory`], [`aggregate`], [`vector`], [`control`], [`call`], [`intrinsic`] and [`floats`] translate the
//! instructions of their names. [`known`] reads facts about values and branches from metadata.

mod address;
mod aggregate;
mod call;
mod control;
mod convert;
mod floats;
mod function;
mod integer;
mod intrinsic;
mod known;
mod memory;
mod source_names;
mod uses;
mod value;
mod vector;
mod wide;
mod widening;

pub(super) use function::translate;
