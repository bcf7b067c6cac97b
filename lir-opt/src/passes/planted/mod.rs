//! Passes that fail on purpose, so that tests check how failures are found and reported.

pub mod failures;
pub mod swapped_predicate;
