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

/// Where the lines of a text begin: lines of many offsets, by binary search.
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
    /// start: asked only for diagnostics.
    pub fn line_column(&self, offset: u32) -> (u32, u32) {
        let before = &self.text.as_bytes()[..(offset as usize).min(self.text.len())];
        let line = memchr::memchr_iter(b'\n', before).count() as u32 + 1;
        let column = before.len() - memchr::memrchr(b'\n', before).map_or(0, |n| n + 1) + 1;
        (line, column as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
