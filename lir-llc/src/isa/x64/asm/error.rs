//! Errors of the assembler.

use std::fmt;
use std::panic::Location;

/// Something that the types of operands cannot exclude, and the line that requested it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AsmError {
    /// The call of the assembler's method.
    pub at: &'static Location<'static>,
    /// The reason.
    pub message: String,
}

impl fmt::Display for AsmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.message)
    }
}

impl std::error::Error for AsmError {}
