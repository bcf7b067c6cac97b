//! The interface of a function: its parameters, its effects, and the bytes that it leaves unwritten.

use crate::Rng;
use lir_syntax::ir::{AbiParam, Agg, FuncId, Signature, Sym};

/// The effects of a function on memory that others see.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Purity {
    /// Nothing, and it returns.
    ReadNone,
    /// Reads it, and returns.
    ReadOnly,
    /// Everything, traps included.
    Any,
}

/// The kind of an argument.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum ParamKind {
    /// A scalar or aggregate value.
    Value(AbiParam),
    /// An address of [`POINTEE_SIZE`] bytes.
    Pointer,
    /// An aggregate of which these bytes are written and may be read.
    Partial(Agg, Written),
}

/// The bytes that may be accessed through a pointer parameter.
pub(crate) const POINTEE_SIZE: u32 = 32;

/// The interface of a function.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub(crate) sig: Signature,
    pub(crate) kinds: Vec<ParamKind>,
    pub(crate) variable: Vec<AbiParam>,
    pub(crate) purity: Purity,
    /// The bytes that are written of an aggregate result, if these are not all.
    pub(crate) result_written: Option<Written>,
}

/// A function, before and after its body is made.
#[derive(Clone, Debug)]
pub(crate) struct Callee {
    pub(crate) id: FuncId,
    pub(crate) sym: Sym,
    pub(crate) sig: Signature,
    pub(crate) kinds: Vec<ParamKind>,
    /// The types that every call passes after the fixed arguments.
    pub(crate) variable: Vec<AbiParam>,
    pub(crate) purity: Purity,
    /// See [`Shape::result_written`].
    pub(crate) result_written: Option<Written>,
    /// A bound of the instructions that a call executes.
    pub(crate) steps: u64,
}

/// The bytes of an aggregate that were written: from the first offset up to the second.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Written {
    pub(crate) from: u32,
    pub(crate) to: u32,
}

impl Written {
    /// Some bytes of a size, often none.
    pub(crate) fn of_size(rng: &mut Rng, size: u32) -> Written {
        if size == 0 || rng.chance(40) {
            return Written { from: 0, to: 0 };
        }
        let from = rng.below(size as usize) as u32;
        Written { from, to: rng.range(from as usize + 1, size as usize) as u32 }
    }
    /// True if all bytes of another range are in this one.
    pub(crate) fn covers(self, other: Written) -> bool {
        other.from == other.to || self.from <= other.from && other.to <= self.to
    }
}
