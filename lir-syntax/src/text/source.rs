//! A text with its name, and the lines and columns of its byte offsets.

/// A text to be parsed. At most 4 GiB - 2 bytes: offsets are `u32`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// The name in diagnostics: a path, or `<stdin>`.
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
    /// Returns the bytes from `start` to `end`.
    pub fn new(start: usize, end: usize) -> Span {
        Span { start: start as u32, end: end as u32 }
    }
    /// Returns the empty span at an offset.
    pub fn at(start: u32) -> Span {
        Span { start, end: start }
    }
}

/// The offsets at which the lines of a text begin. Binary search finds the line of an offset; several threads may share
/// a table.
#[derive(Clone, Debug)]
pub struct LineTable {
    starts: Vec<u32>,
}

impl LineTable {
    /// Returns the table of a text.
    pub fn new(text: &str) -> LineTable {
        let ends = memchr::memchr_iter(b'\n', text.as_bytes());
        LineTable { starts: std::iter::once(0).chain(ends.map(|n| n as u32 + 1)).collect() }
    }
    /// Returns the line of an offset, from 1.
    pub fn line(&self, offset: u32) -> u32 {
        self.starts.partition_point(|start| *start <= offset) as u32
    }
}

impl Source {
    /// Line and column of an offset, both from 1, the column in bytes. Counts lines from the start: use a
    /// [`LineCounter`] for frequent queries.
    pub fn line_column(&self, offset: u32) -> (u32, u32) {
        LineCounter::new(self).line_column(offset)
    }
}

/// Finds lines and columns of a source. Counts the line ends up to the last position that is queried, and remembers the
/// counts at the beginning of each piece of the text.
#[derive(Clone, Debug)]
pub struct LineCounter<'s> {
    text: &'s [u8],
    /// For the beginning of each piece that was counted, and of the piece after the last: the number of line ends
    /// before it, and the offset at which the line there begins.
    pieces: Vec<(u32, u32)>,
}

/// The length of a piece in bytes: short enough to be counted again for each query.
const PIECE: usize = 1 << 9;

impl<'s> LineCounter<'s> {
    /// Makes a counter that has counted nothing yet.
    pub fn new(source: &'s Source) -> LineCounter<'s> {
        LineCounter { text: source.text.as_bytes(), pieces: vec![(0, 0)] }
    }
    /// Line and column of an offset, both from 1, the column in bytes.
    pub fn line_column(&mut self, offset: u32) -> (u32, u32) {
        let at = (offset as usize).min(self.text.len());
        let piece = at / PIECE;
        while self.pieces.len() <= piece {
            let begin = (self.pieces.len() - 1) * PIECE;
            let counted = self.count(self.pieces.len() - 1, begin + PIECE);
            self.pieces.push(counted);
        }
        let (line_ends, start) = self.count(piece, at);
        (line_ends + 1, at as u32 - start + 1)
    }
    /// Returns the number of line ends before `at`, and the offset at which its line begins. `at` is in the piece or at
    /// its end.
    fn count(&self, piece: usize, at: usize) -> (u32, u32) {
        let (mut line_ends, mut start) = self.pieces[piece];
        let begin = piece * PIECE;
        for k in memchr::memchr_iter(b'\n', &self.text[begin..at]) {
            line_ends += 1;
            start = (begin + k + 1) as u32;
        }
        (line_ends, start)
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
        let long: String = (0..3 * PIECE).map(|k| if k % 997 == 0 { '\n' } else { 'x' }).collect();
        let source = Source { name: String::new(), text: long };
        let mut lines = LineCounter::new(&source);
        for offset in [1500, 1, 0, 997, 998, 1535, 511, 512, 513, 1024] {
            let before = &source.text[..offset];
            let line = before.matches('\n').count() + 1;
            let column = offset - before.rfind('\n').map_or(0, |n| n + 1) + 1;
            assert_eq!(lines.line_column(offset as u32), (line as u32, column as u32), "{offset}");
        }
    }

    #[test]
    fn columns_count_bytes() {
        let source = Source { name: String::new(), text: "ab\n\ncde\r\nf".into() };
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
