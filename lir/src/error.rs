//! Errors of the crate: one type for all steps.

use lir_syntax::text::diagnostic::{Diagnostic, render};
use lir_syntax::text::source::Source;
use std::fmt;

/// The reason a step failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// The text or the module breaks rules, or something in it is not supported: whole lines, each with its position.
    Invalid(String),
    /// There is no function of this name.
    NoFunction(String),
    /// The arguments do not fit the function, or the call lacks memory or stack.
    Call(String),
    /// The program trapped: why, and where.
    Trap(String),
}

impl Error {
    pub(crate) fn of_diagnostics(source: Option<&Source>, diagnostics: &[Diagnostic]) -> Error {
        let built = Source { name: "module".into(), text: String::new() };
        Error::Invalid(render(source.unwrap_or(&built), diagnostics))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Invalid(lines) => f.write_str(lines.trim_end()),
            Error::NoFunction(name) => write!(f, "there is no function @{name}"),
            Error::Call(why) | Error::Trap(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Error {}
