//! Passes that fail on purpose, so that tests see how failures are found and told.

pub mod failures;
pub mod swapped_predicate;
