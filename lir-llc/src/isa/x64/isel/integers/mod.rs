//! Selection of integer arithmetic and conversions.

pub(super) mod arith;
pub(super) mod extend;
pub(super) mod pairs;
pub(super) mod sums;
