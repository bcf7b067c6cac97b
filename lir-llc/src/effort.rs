//! The effort of code generation.

use std::fmt;
use std::str::FromStr;

/// The effort of selection, allocation and layout for good code.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Effort {
    /// Effort that pays off in code that runs for a while.
    #[default]
    Good,
    /// The least compile time.
    Fast,
}

impl fmt::Display for Effort {
    /// Writes the word that follows `--codegen=`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Effort::Good => "good",
            Effort::Fast => "fast",
        })
    }
}

impl FromStr for Effort {
    type Err = String;
    /// Reads the output of [`Display`](fmt::Display).
    fn from_str(text: &str) -> Result<Effort, String> {
        match text {
            "good" => Ok(Effort::Good),
            "fast" => Ok(Effort::Fast),
            _ => Err(format!("there is no code generation `{text}` among good, fast")),
        }
    }
}
