//! A text with its name, and the way from byte offsets to lines and columns.

/// A text to be parsed. At most 4 GiB - 2 bytes: offsets are `u32`.
#[derive(Clone, Debug)]
pub struct Source {
    /// What diagnostics call it: a path, or `<stdin>`.
    pub name: String,
    /// The text.
    pub text: String,
}

/// A range of bytes of a source, end exclusive.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// Byte after the last.
    pub end: u32,
}

impl Span {
    /// The bytes from `start` to `end`.
    pub fn new(start: usize, end: usize) -> Span {
        Span { start: start as u32, end: end as u32 }
    }
    /// The empty span at an offset.
    pub fn at(start: u32) -> Span {
        Span { start, end: start }
    }
}

/// Where the lines of a text begin: the line of any offset, by binary search, asked by several threads.
#[derive(Clone, Debug)]
pub struct LineTable {
    starts: Vec<u32>,
}

impl LineTable {
    /// The table of a text.
    pub fn new(text: &str) -> LineTable {
        let ends = memchr::memchr_iter(b'\n', text.as_bytes());
        LineTable { starts: std::iter::once(0).chain(ends.map(|n| n as u32 + 1)).collect() }
    }
    /// The line of an offset, from 1.
    pub fn line(&self, offset: u32) -> u32 {
        self.starts.partition_point(|start| *start <= offset) as u32
    }
}

impl Source {
    /// Line and column of an offset, both from 1, the column in bytes. Counts lines from the
    /// start: who asks often makes a [`LineCounter`].
    pub fn line_column(&self, offset: u32) -> (u32, u32) {
        LineCounter::new(self).line_column(offset)
    }
}

/// Finds lines and columns of one source after another: counts the lines between one question and the next, so that
/// questions in the order of the text take one walk over it together.
#[derive(Clone, Debug)]
pub struct LineCounter<'s> {
    text: &'s [u8],
    /// The offset of the last question.
    at: usize,
    /// Line ends before it.
    line_ends: u32,
}

impl<'s> LineCounter<'s> {
    /// A counter that stands at the start.
    pub fn new(source: &'s Source) -> LineCounter<'s> {
        LineCounter { text: source.text.as_bytes(), at: 0, line_ends: 0 }
    }
    /// Line and column of an offset, both from 1, the column in bytes.
    pub fn line_column(&mut self, offset: u32) -> (u32, u32) {
        let to = (offset as usize).min(self.text.len());
        let count = |from: usize, to: usize| memchr::memchr_iter(b'\n', &self.text[from..to]).count() as u32;
        if to >= self.at {
            self.line_ends += count(self.at, to);
        } else {
            self.line_ends -= count(to, self.at);
        }
        self.at = to;
        let start = memchr::memrchr(b'\n', &self.text[..to]).map_or(0, |n| n + 1);
        (self.line_ends + 1, (to - start + 1) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_in_both_directions() {
        let source = Source { name: String::new(), text: "ab\n\ncde\r\nf".into() };
        let mut lines = LineCounter::new(&source);
        for offset in [9, 0, 3, 10, 2, 6, 99] {
            assert_eq!(lines.line_column(offset), source.line_column(offset), "{offset}");
        }
        assert_eq!(source.line_column(9), (4, 1));
        assert_eq!(source.line_column(2), (1, 3), "a line end belongs to its line");
        assert_eq!(source.line_column(99), (4, 2));
    }

    #[test]
    fn the_line_table_agrees_with_counting() {
        for text in ["", "a", "\n", "a\n\nbc\n", "\n\nx"] {
            let (table, source) = (LineTable::new(text), Source { name: String::new(), text: text.into() });
            for offset in 0..=text.len() as u32 {
                assert_eq!(table.line(offset), source.line_column(offset).0, "{text:?} at {offset}");
            }
        }
    }
}
