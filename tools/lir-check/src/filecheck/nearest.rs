//! Finds the position in an input that a pattern without a match most likely meant.
//!
//! For each line, the least number of edits that change the pattern into some part of it (P. H. Sellers, The theory and
//! computation of evolutionary distances: pattern recognition, J. Algorithms 1, 1980): a row of the usual table for
//! each byte of the pattern, with nothing to pay before and after the part. Text that `{{..}}` and `[[..]]` match is
//! not compared: they are left out of the pattern.

use std::ops::Range;

/// Limit on the lines that are examined.
const MAX_LINES: usize = 400;
/// Limit on the bytes of a line and of a pattern that are compared.
const MAX_WIDTH: usize = 200;

/// Returns the line's part that is nearest to a pattern, the first among equals. None if all are far.
pub(super) fn nearest(text: &[u8], pattern: &str) -> Option<Range<usize>> {
    let wanted = fixed_parts(pattern);
    let wanted = &wanted[..wanted.len().min(MAX_WIDTH)];
    // More than half of the fixed text must be there.
    let mut best = (wanted.len().div_ceil(2), None);
    let mut start = 0;
    for line in text.split_inclusive(|c| *c == b'\n').take(MAX_LINES) {
        let shown = line.strip_suffix(b"\n").unwrap_or(line);
        let (edits, part) = distance(wanted, &shown[..shown.len().min(MAX_WIDTH)]);
        if edits < best.0 {
            best = (edits, Some(start + part.start..start + part.end));
        }
        start += line.len();
    }
    best.1
}

/// Returns the pattern without regular expressions and variables.
fn fixed_parts(pattern: &str) -> Vec<u8> {
    let mut parts = Vec::new();
    let mut rest = pattern;
    while let Some(open) = rest.find("{{").into_iter().chain(rest.find("[[")).min() {
        parts.extend_from_slice(&rest.as_bytes()[..open]);
        let close = if rest[open..].starts_with("{{") { "}}" } else { "]]" };
        let Some(end) = rest[open..].find(close) else { return parts };
        rest = &rest[open + end + 2..];
    }
    parts.extend_from_slice(rest.as_bytes());
    parts
}

/// Returns the least number of edits between a pattern and a part of a line.
fn distance(pattern: &[u8], line: &[u8]) -> (usize, Range<usize>) {
    // By end of the part: the edits, and where the part begins.
    let mut row: Vec<(usize, usize)> = (0..=line.len()).map(|at| (0, at)).collect();
    for (n, p) in pattern.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = (n + 1, 0);
        for at in 1..row.len() {
            let replaced = (diagonal.0 + usize::from(*p != line[at - 1]), diagonal.1);
            let inserted = (row[at].0 + 1, row[at].1);
            let deleted = (row[at - 1].0 + 1, row[at - 1].1);
            diagonal = row[at];
            row[at] = replaced.min(inserted).min(deleted);
        }
    }
    // Of equally good parts the one whose length is nearest to the pattern's: it shows the replaced text.
    let cost = |(end, (edits, start)): &(usize, &(usize, usize))| (*edits, (end - start).abs_diff(pattern.len()));
    let (end, &(edits, start)) = row.iter().enumerate().min_by_key(cost).expect("a row has an entry");
    (edits, start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_line_is_found() {
        let text = b"func @f() {\n  %a = mul i32 %b, 3\n  %c = add i32 %a, 4\n}\n";
        let part = |pattern| nearest(text, pattern).map(|r| str::from_utf8(&text[r]).unwrap());
        assert_eq!(part("%c = add i32 %a, 5"), Some("%c = add i32 %a, 4"));
        assert_eq!(part("{{%.*}} = mul i64 [[X]], 3"), Some(" = mul i32 %b, 3"));
        assert_eq!(part("call @printf"), None);
        assert_eq!(part("{{.*}}"), None);
    }
}
