//! Facts that attributes and metadata state: about values ([`values`]), about the accesses that do not overlap
//! ([`noalias_scopes`]), and about branches ([`weights`]).

pub(super) mod noalias_scopes;
mod values;
mod weights;
