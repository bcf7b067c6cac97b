//! A module with the directives of its text: comments whose first word ends in `:`, like `; run:` and `; CHECK:`.
//!
//! The printer writes no comments, and a test may need some. They are kept as lines before the module, in their order,
//! and are targets of a reduction like everything else. They follow changes of functions: a `; run:` line is removed
//! with its function, loses the argument of a dropped parameter, and is renamed.

use lir_syntax::check::check;
use lir_syntax::ir::Module;
use lir_syntax::parser::ParseOptions;
use lir_syntax::text::diagnostic::Diagnostic;
use lir_syntax::text::directive::trailing_comment;
use lir_syntax::text::source::Source;

/// A module with its directives.
#[derive(Clone, Debug)]
pub struct Document {
    /// Directives, each a line that begins with `;`.
    pub lines: Vec<String>,
    /// The module.
    pub module: Module,
}

impl Document {
    /// Reads and verifies a text.
    ///
    /// # Errors
    /// The text is not a well-formed module.
    pub fn parse(source: &Source) -> Result<Document, Vec<Diagnostic>> {
        let module = check(source, &ParseOptions::default())?;
        Ok(Document { lines: source.text.lines().filter_map(directive).map(String::from).collect(), module })
    }

    /// Returns the text: directives, then the module as it is printed.
    pub fn text(&self) -> String {
        self.lines.iter().map(|line| format!("{line}\n")).chain([self.module.to_string()]).collect()
    }
}

/// Returns the comment of a line, from its `;`, if it is a directive.
fn directive(line: &str) -> Option<&str> {
    let comment = line[trailing_comment(line.as_bytes())?..].trim_end();
    let word = comment.trim_start_matches(';').split_whitespace().next()?;
    let colon = word.find(':')?;
    let is_word = word[..colon].bytes().all(|c| c.is_ascii_alphanumeric() || matches!(c, b'-' | b'_'));
    (colon > 0 && is_word).then_some(comment)
}

/// A `; run:` line in its parts: `; run: `, `@f`, `(1, 2)` and ` == 3`.
pub(super) struct RunParts<'a> {
    /// The text before the name.
    before: &'a str,
    /// The name without `@`; in quotes where it was.
    pub(super) name: &'a str,
    /// The arguments, without blanks around them.
    pub(super) args: Vec<&'a str>,
    /// The expectation of the line, from the closing bracket on.
    pub(super) after: &'a str,
}

impl<'a> RunParts<'a> {
    /// Splits a line into its parts. None if it is not a `; run:` line, or malformed.
    pub(super) fn of(line: &'a str) -> Option<RunParts<'a>> {
        let inside = line.trim_start_matches(';').trim_start().strip_prefix("run:")?.trim_start();
        let called = inside.strip_prefix('@')?;
        let name_end = name_end(called)?;
        let arguments = called[name_end..].strip_prefix('(')?;
        let (args, len) = split_arguments(arguments)?;
        let before = &line[..line.len() - called.len()];
        Some(RunParts { before, name: &called[..name_end], args, after: &arguments[len..] })
    }
    /// Returns the bytes of the name.
    pub(super) fn bytes(&self) -> &'a [u8] {
        self.name.trim_matches('"').as_bytes()
    }
    /// Returns the line with other parts.
    pub(super) fn line(&self, name: &str, args: &[&str], after: &str) -> String {
        format!("{}{name}({}){after}", self.before, args.join(", "))
    }
}

/// Finds the end of a name, bare or in quotes.
fn name_end(text: &str) -> Option<usize> {
    if let Some(quoted) = text.strip_prefix('"') {
        return Some(quoted.find('"')? + 2);
    }
    let bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
    text.find(|c| !bare(c)).filter(|n| *n > 0)
}

/// Returns the arguments up to the closing parenthesis, and the offset after it.
fn split_arguments(text: &str) -> Option<(Vec<&str>, usize)> {
    let (mut args, mut depth, mut quote, mut start) = (Vec::new(), 0, false, 0);
    for (at, c) in text.bytes().enumerate() {
        match c {
            b'\'' => quote = !quote,
            _ if quote => {}
            b'(' => depth += 1,
            b')' if depth > 0 => depth -= 1,
            b')' | b',' if depth == 0 => {
                args.push(text[start..at].trim());
                start = at + 1;
                if c == b')' {
                    args.retain(|a| !a.is_empty());
                    return Some((args, start));
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_survive_and_other_comments_do_not() {
        let text = "; about this\n; run: @f(1) == 1 ; note\n; url:: x\n; CHECK-NEXT: a\nfunc @f(%a: i32) -> i32 {\n\
                    entry: ; CHECK: entry\n  ret %a ; plain\n}\n";
        let document = Document::parse(&Source { name: "t".into(), text: text.into() }).unwrap();
        assert_eq!(
            document.text(),
            "; run: @f(1) == 1 ; note\n; url:: x\n; CHECK-NEXT: a\n; CHECK: entry\nfunc @f(%a: i32) -> i32 {\n\
             entry:\n  ret %a\n}\n"
        );
    }

    #[test]
    fn run_lines_have_parts() {
        let line = "; run: @f(1, nan(0x1), ')') == trap(x)";
        let parts = RunParts::of(line).unwrap();
        assert_eq!((parts.name, &parts.args[..], parts.after), ("f", &["1", "nan(0x1)", "')'"][..], " == trap(x)"));
        assert_eq!(parts.line("g", &parts.args[1..2], ""), "; run: @g(nan(0x1))");
        assert_eq!(RunParts::of("; run: @\"a b\"()").unwrap().bytes(), b"a b");
        assert!(RunParts::of("; run: f(1)").is_none() && RunParts::of("; CHECK: @f(1)").is_none());
    }
}
