//! Text as users write and read it: sources with their lines, diagnostics, suggestions, and comments that are tests.

pub mod diagnostic;
pub mod directive;
pub mod expected_errors;
pub mod foreign;
pub mod json;
pub mod line_ends;
pub(crate) mod position;
pub mod quoted;
pub(crate) mod scanner;
pub mod source;
pub mod suggest;
pub mod table;
