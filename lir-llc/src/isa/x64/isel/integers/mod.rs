//! Selection of integer arithmetic and conversions.

pub(super) mod arith;
pub(super) mod extend;
pub(super) mod lea_sums;
pub(super) mod pairs;
