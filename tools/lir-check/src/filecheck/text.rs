//! Texts as they are matched, with the offsets of their bytes in the source.
//!
//! Blanks are run together, and carriage returns before line ends are removed.

/// A text as it is matched.
#[derive(Clone, Debug)]
pub(super) struct Canonical {
    /// The text.
    pub text: Vec<u8>,
    /// The changes of the distance to the source: offsets in the text and in the source, both rising.
    shifts: Vec<(usize, usize)>,
}

impl Canonical {
    /// Returns the text of a piece of a source that begins at `base`. `strict` leaves blanks as they are.
    pub(super) fn new(source: &str, base: usize, strict: bool) -> Canonical {
        let source = source.as_bytes();
        let mut text = Vec::with_capacity(source.len());
        let mut shifts = vec![(0, base)];
        let mut at = 0;
        while let Some(&c) = source.get(at) {
            let blank = |c: Option<&u8>| matches!(c, Some(b' ' | b'\t'));
            if c == b'\r' && source.get(at + 1) == Some(&b'\n') {
                at += 1;
                shifts.push((text.len(), base + at));
            } else if !strict && blank(Some(&c)) {
                text.push(b' ');
                let start = at;
                while blank(source.get(at)) {
                    at += 1;
                }
                if at > start + 1 {
                    shifts.push((text.len(), base + at));
                }
            } else {
                text.push(c);
                at += 1;
            }
        }
        Canonical { text, shifts }
    }

    /// Returns the offset in the source of an offset in the text.
    pub(super) fn to_source(&self, at: usize) -> usize {
        let shift = self.shifts.partition_point(|(t, _)| *t <= at) - 1;
        let (text, source) = self.shifts[shift];
        source + (at - text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_run_together() {
        let source = "a \t b\r\n  c\rd  ";
        let text = Canonical::new(source, 10, false);
        assert_eq!(text.text, b"a b\n c\rd ");
        for (at, c) in text.text.iter().enumerate().filter(|(_, c)| **c != b' ') {
            assert_eq!(source.as_bytes()[text.to_source(at) - 10], *c);
        }
        assert_eq!(text.to_source(text.text.len()), 10 + source.len());
        assert_eq!(Canonical::new(source, 0, true).text, b"a \t b\n  c\rd  ");
    }
}
