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
