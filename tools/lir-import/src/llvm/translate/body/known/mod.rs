//! Facts that attributes and metadata state: about values ([`values`]), accesses ([`accesses`]) and branches
//! ([`weights`]).

mod accesses;
mod values;
mod weights;
