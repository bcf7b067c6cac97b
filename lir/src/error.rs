//! Errors of the crate: one type for all steps.

use lir_syntax::text::diagnostic::{self, render};
use lir_syntax::text::source::Source;
use std::fmt;

/// The reason a step failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// The text or the module breaks rules, or uses unsupported features. All errors are listed.
    Invalid(Vec<Diagnostic>),
    /// There is no function of this name.
    NoFunction(String),
    /// The arguments do not fit the function, or the call lacks memory or stack.
    Call(String),
    /// The program trapped; the text has the reason and the location.
    Trap(String),
}

/// One error, with its position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// The rule of the language that is broken, such as `V16`; none if the text is not LIR, or a limit is exceeded.
    pub code: Option<String>,
    /// The name of the text, as given. None for a module made by a builder, and for errors that are not about the text.
    pub file: Option<String>,
    /// The line, from 1. None without a position.
    pub line: Option<u32>,
    /// The column in bytes, from 1. None without a position.
    pub column: Option<u32>,
    /// The message, in lower case, without a period at the end.
    pub message: String,
    /// Corrections, each in lower case.
    pub suggestions: Vec<String>,
    rendered: String,
}

impl Diagnostic {
    /// Returns a diagnostic without a position.
    fn of_message(message: String) -> Diagnostic {
        Diagnostic {
            code: None,
            file: None,
            line: None,
            column: None,
            suggestions: Vec::new(),
            rendered: message.clone(),
            message,
        }
    }
    fn new(source: &Source, is_text: bool, d: &diagnostic::Diagnostic) -> Diagnostic {
        let at = d.position(source).filter(|_| is_text).map(|span| source.line_column(span.start));
        Diagnostic {
            code: d.rule().map(str::to_string),
            file: is_text.then(|| source.name.clone()),
            line: at.map(|(line, _)| line),
            column: at.map(|(_, column)| column),
            message: d.message.clone(),
            suggestions: d.suggestions.iter().map(|h| h.message.clone()).collect(),
            rendered: render(source, std::slice::from_ref(d)),
        }
    }
}

impl fmt::Display for Diagnostic {
    /// Writes the text that the tools print: position, message, the source line with the error underlined, notes,
    /// suggestions.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.rendered.trim_end())
    }
}

impl Error {
    pub(crate) fn of_diagnostics(source: Option<&Source>, diagnostics: &[diagnostic::Diagnostic]) -> Error {
        let built = Source { name: "module".into(), text: String::new() };
        let new = |d| Diagnostic::new(source.unwrap_or(&built), source.is_some(), d);
        Error::Invalid(diagnostics.iter().map(new).collect())
    }
    pub(crate) fn of_message(message: impl Into<String>) -> Error {
        Error::Invalid(vec![Diagnostic::of_message(message.into())])
    }
    /// Returns the diagnostics of an invalid text or module; none for other errors.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        if let Error::Invalid(all) = self { all } else { &[] }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Invalid(all) => {
                let mut separator = "";
                for d in all {
                    write!(f, "{separator}{d}")?;
                    separator = "\n";
                }
                Ok(())
            }
            Error::NoFunction(name) => write!(f, "there is no function @{name}"),
            Error::Call(why) | Error::Trap(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Error {}
