//! Importers of other languages, as tools use them.
//!
//! An importer has a name, the endings of its files, a way to recognise a text, and the translation. `lir-import` has
//! the list; every tool that reads a module picks one by the ending of a file or, if that is unknown, by the text.

use crate::ir::Module;
use crate::text::diagnostic::Diagnostic;

/// Translates another language.
pub trait Importer: Sync {
    /// Returns the name on the command line: one word, in lower case.
    fn name(&self) -> &'static str;
    /// Returns the full name of the language: `QBE's intermediate language`.
    fn summary(&self) -> &'static str;
    /// The endings of files, at least one, without the dot.
    fn endings(&self) -> &'static [&'static str];
    /// The beginning of a comment that ends with its line. Reproducers of internal errors open with such comments.
    fn comment(&self) -> &'static str {
        "#"
    }
    /// True if a text without a known ending is in the language.
    fn recognises(&self, text: &str) -> bool;
    /// Translates a text. Locations in the module are byte offsets of it.
    ///
    /// # Errors
    /// All errors of the text.
    fn import(&self, text: &[u8], options: ImportOptions) -> Result<Module, Vec<Diagnostic>>;
}

/// The importers that a tool has.
pub type Importers = &'static [&'static dyn Importer];

/// The options of a translation.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ImportOptions {
    /// True if undefined functions named and called like C's are the C library's.
    pub builtins: bool,
    /// True if an exception that reaches the code ends the program; otherwise code that handles exceptions is refused.
    pub exceptions_abort: bool,
    /// True if the text comes from a front end, and so executes instructions exactly where the source does: promises
    /// are kept.
    pub unspeculated: bool,
}

impl Default for ImportOptions {
    fn default() -> ImportOptions {
        ImportOptions { builtins: true, exceptions_abort: false, unspeculated: false }
    }
}

/// Picks the importer of a file: by the ending of its name, or else by the text, which need not be UTF-8. None for LIR.
pub fn pick(importers: Importers, name: &str, text: &[u8]) -> Option<&'static dyn Importer> {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    let by_ending = ending.and_then(|e| importers.iter().find(|i| i.endings().contains(&e)));
    let found = match (by_ending, ending) {
        (None, Some("lir")) => None,
        (Some(found), _) => Some(found),
        (None, _) => {
            let text = String::from_utf8_lossy(text);
            importers.iter().find(|i| i.recognises(&text))
        }
    };
    found.copied()
}
