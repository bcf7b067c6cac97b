//! Shared parts of the tests of several crates.
//!
//! | module | contents |
//! |---|---|
//! | [`files`] | the files of `testdata`, and their modules |
//! | [`expectations`] | stored texts that a result must be equal to, and that are written anew on demand |
//! | [`trials`] | checks of many files or values in one `#[test]` |
//! | [`process`] | runs of a program to its end |
//! | [`contract`] | the behaviour that all tools have in common |

#![forbid(unsafe_code)]

pub mod contract;
pub mod expectations;
pub mod files;
pub mod process;
pub mod trials;
