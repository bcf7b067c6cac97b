//! Facts that attributes and metadata state: about values ([`values`]) and about branches ([`weights`]).

mod values;
mod weights;
