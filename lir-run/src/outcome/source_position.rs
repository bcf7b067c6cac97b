//! The function and the block above a position in a text. Passes move instructions to other blocks, and into other
//! functions; readers of a message look for an instruction where it was written.
//!
//! [`SourcePosition::find`] reads it from the text, backwards and without allocating: a signal handler may call it.
//! [`SourceIndex`] is for many queries about one text.

use lir_syntax::text::source::{LineCounter, Source};

/// The function and block of an instruction, by their names in the text, without quotes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct SourcePosition<'t> {
    pub(super) function: &'t str,
    /// None for the header of the function.
    pub(super) block: Option<&'t str>,
}

impl<'t> SourcePosition<'t> {
    /// Finds the function and the block above this offset of a text. None if the text is not a module's.
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

/// The headers of functions and labels of a text, found once, and its lines.
pub(crate) struct SourceIndex<'t> {
    /// The position that begins at each line that is a header or a label, with the offset of the line.
    positions: Vec<(usize, SourcePosition<'t>)>,
    lines: LineCounter<'t>,
}

impl<'t> SourceIndex<'t> {
    /// Reads a text.
    pub(crate) fn new(source: &'t Source) -> SourceIndex<'t> {
        let mut positions: Vec<(usize, SourcePosition)> = Vec::new();
        let mut offset = 0;
        for line in source.text.split('\n') {
            let read = line.trim_start();
            if let Some(function) = function_of(read) {
                positions.push((offset, SourcePosition { function, block: None }));
            } else if let (Some((_, above)), block @ Some(_)) = (positions.last(), label_of(read)) {
                positions.push((offset, SourcePosition { function: above.function, block }));
            }
            offset += line.len() + 1;
        }
        SourceIndex { positions, lines: LineCounter::new(source) }
    }
    /// Returns the result of [`SourcePosition::find`] for an offset, and its line, from 1.
    pub(super) fn find(&mut self, offset: u32) -> (Option<SourcePosition<'t>>, u32) {
        let above = self.positions.partition_point(|(start, _)| *start <= offset as usize);
        let position = above.checked_sub(1).map(|k| self.positions[k].1);
        (position, self.lines.line_column(offset).0)
    }
}

/// Returns the function whose header a line is.
fn function_of<'t>(line: &'t str) -> Option<&'t str> {
    const SCOPE: [&str; 5] = ["local", "weak", "linkonce", "hidden", "protected"];
    let without_word = |line: &'t str| SCOPE.iter().find_map(|word| line.strip_prefix(word)).map(str::trim_start);
    // There are at most two words; the second one is the visibility.
    let line = without_word(line).unwrap_or(line);
    let line = without_word(line).unwrap_or(line);
    let name = line.strip_prefix("func")?.trim_start().strip_prefix('@')?;
    name_at(name).map(|(name, _)| name)
}

/// Returns the label that a line is. A label ends its line.
fn label_of(line: &str) -> Option<&str> {
    let (name, rest) = name_at(line)?;
    let rest = rest.trim_start().strip_prefix(':')?.trim();
    (rest.is_empty() || rest.starts_with(';')).then_some(name)
}

/// Returns a name, bare or quoted, and the text after it.
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
    fn finds_values_above() {
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
        let source = Source { name: "text".into(), text: text.into() };
        let mut index = SourceIndex::new(&source);
        for offset in 0..text.len() {
            let line = text[..offset].matches('\n').count() as u32 + 1;
            assert_eq!(index.find(offset as u32), (SourcePosition::find(text, offset), line), "{offset}");
        }
    }
}
