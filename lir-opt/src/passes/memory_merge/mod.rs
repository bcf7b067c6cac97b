//! Accesses of adjacent bytes that become one: loads and stores, a pass each.

pub mod loads;
pub mod stores;
