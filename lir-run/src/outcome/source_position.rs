//! The function and the block above a position in a text. Passes move instructions to other blocks, and into other
//! functions; who reads a message looks for it where it was written.
//!
//! It is read from the text, backwards and without memory of its own: a signal handler may ask.

/// The function and block of an instruction, by their names in the text, without quotes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct SourcePosition<'t> {
    pub(super) function: &'t str,
    /// None for the header of the function.
    pub(super) block: Option<&'t str>,
}

impl<'t> SourcePosition<'t> {
    /// Finds the function and the block above this offset of a text. None where the text is not that of a module.
    pub(super) fn find(text: &'t str, offset: usize) -> Option<SourcePosition<'t>> {
        let end = text[offset..].find('\n').map_or(text.len(), |n| offset + n);
        let mut block = None;
        for line in text.get(..end)?.rsplit('\n').map(str::trim_start) {
            if let Some(function) = function_of(line) {
                return Some(SourcePosition { function, block });
            }
            block = block.or_else(|| label_of(line));
        }
        None
    }
}

/// The function that a line is the header of.
fn function_of(line: &str) -> Option<&str> {
    let line = line.strip_prefix("local").map_or(line, str::trim_start);
    let name = line.strip_prefix("func")?.trim_start().strip_prefix('@')?;
    name_at(name).map(|(name, _)| name)
}

/// The label that a line is. A label ends its line.
fn label_of(line: &str) -> Option<&str> {
    let (name, rest) = name_at(line)?;
    let rest = rest.trim_start().strip_prefix(':')?.trim();
    (rest.is_empty() || rest.starts_with(';')).then_some(name)
}

/// A name, bare or quoted, and what follows.
fn name_at(text: &str) -> Option<(&str, &str)> {
    if let Some(quoted) = text.strip_prefix('"') {
        let mut escaped = false;
        let end = quoted.find(|c| {
            let ends = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            ends
        })?;
        return Some((&quoted[..end], &quoted[end + 1..]));
    }
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.'))).unwrap_or(text.len());
    (end > 0).then_some((&text[..end], &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_stands_above() {
        let text = "extern func @g()\nlocal func @\"a b\"(\n  %x: i32) {\nentry: ; first\n  br %x, \"l:\\\"\", f\n\"l:\\\"\" :\n  ret\nf:\n}\nfunc @h() {\n0:\n  ret\n}\n";
        let at = |what: &str| {
            let position = SourcePosition::find(text, text.find(what).unwrap()).unwrap();
            (position.function, position.block)
        };
        assert_eq!(at("br %x"), ("a b", Some("entry")));
        assert_eq!(at("local"), ("a b", None));
        assert_eq!(at("ret"), ("a b", Some("l:\\\"")));
        assert_eq!(at("func @h"), ("h", None));
        assert_eq!(SourcePosition::find(text, 3), None);
    }
}
