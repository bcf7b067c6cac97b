//! Values as bytes of others: the positions of the bytes, and the operations that put bytes into given positions.

pub(super) mod markers;
pub(super) mod plan;

use lir_syntax::ir::{Inst, Operand, Reg, SecondaryMap};
use markers::Markers;

/// A value as bytes of another.
#[derive(Copy, Clone, Default)]
pub(super) struct Bytes {
    /// A register; none if nothing is noted.
    pub source: Operand,
    pub markers: Markers,
}

/// The facts about values that are composed of bytes.
#[derive(Default)]
pub(super) struct ByteTable {
    pub noted: SecondaryMap<Reg, Bytes>,
    /// Instructions that a sequence may replace, in the order of the walk.
    pub roots: Vec<Inst>,
}

impl ByteTable {
    pub fn clear(&mut self) {
        self.noted.reset(0);
        self.roots.clear();
    }
}
