//! Passes that fail on purpose, so that tests check how failures are found and reported.

pub mod failures;
pub mod hoisted_promise;
pub mod swapped_predicate;
