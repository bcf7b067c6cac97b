//! Prints the difference of two texts by lines, in the unified format.
//!
//! The least difference takes the square of the size where much differs, and a pass may touch every line of a large
//! function. So lines that occur once in both texts are matched first, as many as keep their order (the patience diff
//! of B. Cohen, a longest increasing subsequence); the text between two of them is compared in full if it is small (E.
//! W. Myers, "An O(ND) Difference Algorithm and Its Variations", Algorithmica 1, 1986, by the crate `similar`), and
//! counts as replaced otherwise.

use similar::{Algorithm, DiffOp, capture_diff_slices, group_diff_ops};
use std::collections::HashMap;
use std::io::Write;
use std::ops::Range;

/// Lines shown before and after each change.
const CONTEXT: usize = 3;
/// Gaps are compared in full up to this product of their lengths: less than 10 ms.
const MAX_GAP: usize = 1 << 22;

/// Appends the difference; nothing if the texts are equal. The names are in its first two lines.
pub(crate) fn print_unified(names: [&str; 2], before: &[u8], after: &[u8], out: &mut Vec<u8>) {
    let lines = [before, after].map(|text| text.split_inclusive(|c| *c == b'\n').collect::<Vec<_>>());
    let [a, b] = numbered(&lines);
    let ops = operations(&matches(&a, &b), a.len(), b.len());
    let mut header = format!("--- {}\n+++ {}\n", names[0], names[1]);
    for hunk in group_diff_ops(ops, CONTEXT) {
        let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else { continue };
        out.extend_from_slice(std::mem::take(&mut header).as_bytes());
        let old = first.old_range().start..last.old_range().end;
        let new = first.new_range().start..last.new_range().end;
        // Writing to a vector cannot fail.
        let _ = writeln!(out, "@@ -{} +{} @@", range(old), range(new));
        for op in hunk {
            let (old, new) = (&lines[0][op.old_range()], &lines[1][op.new_range()]);
            match op {
                DiffOp::Equal { .. } => print_lines(b' ', old, out),
                DiffOp::Delete { .. } | DiffOp::Insert { .. } | DiffOp::Replace { .. } => {
                    print_lines(b'-', old, out);
                    print_lines(b'+', new, out);
                }
            }
        }
    }
}

fn print_lines(sign: u8, lines: &[&[u8]], out: &mut Vec<u8>) {
    for line in lines {
        out.push(sign);
        out.extend_from_slice(line);
    }
}

/// Returns a range of lines as a hunk's head names it: first line from 1 and length, or the line before and 0.
fn range(lines: Range<usize>) -> String {
    let start = lines.start + usize::from(!lines.is_empty());
    if lines.len() == 1 { start.to_string() } else { format!("{start},{}", lines.len()) }
}

/// A number for each line of both texts; equal lines have the same.
fn numbered<'a>(lines: &[Vec<&'a [u8]>; 2]) -> [Vec<u32>; 2] {
    let mut numbers: HashMap<&'a [u8], u32> = HashMap::new();
    let mut number = |line: &&'a [u8]| {
        let next = numbers.len() as u32;
        *numbers.entry(line).or_insert(next)
    };
    [lines[0].iter().map(&mut number).collect(), lines[1].iter().map(&mut number).collect()]
}

/// Pairs of equal lines, ascending in both texts.
fn matches(a: &[u32], b: &[u32]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let (mut i, mut j) = (0, 0);
    for (k, l) in anchors(a, b).into_iter().chain([(a.len(), b.len())]) {
        match_gap(a, b, i..k, j..l, &mut found);
        if k < a.len() {
            found.push((k, l));
        }
        (i, j) = (k + 1, l + 1);
    }
    found
}

/// Adds the pairs of equal lines between two anchors.
fn match_gap(a: &[u32], b: &[u32], old: Range<usize>, new: Range<usize>, found: &mut Vec<(usize, usize)>) {
    let (x, y) = (&a[old.clone()], &b[new.clone()]);
    let prefix = x.iter().zip(y).take_while(|(p, q)| p == q).count();
    let (x, y) = (&x[prefix..], &y[prefix..]);
    let suffix = x.iter().rev().zip(y.iter().rev()).take_while(|(p, q)| p == q).count();
    let (x, y) = (&x[..x.len() - suffix], &y[..y.len() - suffix]);
    let (i, j) = (old.start + prefix, new.start + prefix);
    found.extend((0..prefix).map(|k| (old.start + k, new.start + k)));
    if !x.is_empty() && !y.is_empty() && x.len().saturating_mul(y.len()) <= MAX_GAP {
        for op in capture_diff_slices(Algorithm::Myers, x, y) {
            if let DiffOp::Equal { old_index, new_index, len } = op {
                found.extend((0..len).map(|k| (i + old_index + k, j + new_index + k)));
            }
        }
    }
    found.extend((0..suffix).map(|k| (i + x.len() + k, j + y.len() + k)));
}

/// Pairs of lines that occur once in both texts: the longest chain that ascends in both.
fn anchors(a: &[u32], b: &[u32]) -> Vec<(usize, usize)> {
    let numbers = a.iter().chain(b).max().map_or(0, |n| *n as usize + 1);
    let [in_a, in_b] = [a, b].map(|text| {
        let mut occurrences = vec![Occurrence::Nowhere; numbers];
        for (k, n) in text.iter().enumerate() {
            let occurrence = &mut occurrences[*n as usize];
            *occurrence = if *occurrence == Occurrence::Nowhere { Occurrence::Once(k) } else { Occurrence::Often };
        }
        occurrences
    });
    let pairs: Vec<(usize, usize)> = a
        .iter()
        .enumerate()
        .filter_map(|(k, n)| match (in_a[*n as usize], in_b[*n as usize]) {
            (Occurrence::Once(_), Occurrence::Once(l)) => Some((k, l)),
            _ => None,
        })
        .collect();
    // The pair that ends the best chain of each length, and for each pair the one before it in its chain.
    let mut ends: Vec<usize> = Vec::new();
    let mut previous = vec![usize::MAX; pairs.len()];
    for (p, pair) in pairs.iter().enumerate() {
        let len = ends.partition_point(|e| pairs[*e].1 < pair.1);
        if len > 0 {
            previous[p] = ends[len - 1];
        }
        if len == ends.len() {
            ends.push(p);
        } else {
            ends[len] = p;
        }
    }
    let last = ends.last().copied();
    let mut chain: Vec<_> = std::iter::successors(last, |p| Some(previous[*p]).filter(|p| *p != usize::MAX)).collect();
    chain.reverse();
    chain.into_iter().map(|p| pairs[p]).collect()
}

/// The occurrence of a line in a text.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Occurrence {
    Nowhere,
    Once(usize),
    Often,
}

/// Returns the operations that keep the matched lines of two texts, and no others.
fn operations(matches: &[(usize, usize)], old_lines: usize, new_lines: usize) -> Vec<DiffOp> {
    let mut ops = Vec::new();
    let (mut old_index, mut new_index) = (0, 0);
    for run in matches.chunk_by(|p, q| (p.0 + 1, p.1 + 1) == *q) {
        let (i, j) = run[0];
        push_gap(old_index..i, new_index..j, &mut ops);
        ops.push(DiffOp::Equal { old_index: i, new_index: j, len: run.len() });
        (old_index, new_index) = (i + run.len(), j + run.len());
    }
    push_gap(old_index..old_lines, new_index..new_lines, &mut ops);
    ops
}

fn push_gap(old: Range<usize>, new: Range<usize>, ops: &mut Vec<DiffOp>) {
    let (old_index, new_index, old_len, new_len) = (old.start, new.start, old.len(), new.len());
    match (old_len, new_len) {
        (0, 0) => {}
        (_, 0) => ops.push(DiffOp::Delete { old_index, old_len, new_index }),
        (0, _) => ops.push(DiffOp::Insert { old_index, new_index, new_len }),
        _ => ops.push(DiffOp::Replace { old_index, old_len, new_index, new_len }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lir_random::Rng;
    use lir_syntax::printer::printed;

    fn diff(before: &str, after: &str) -> String {
        printed(|out| print_unified(["a", "b"], before.as_bytes(), after.as_bytes(), out))
    }
    fn lines(items: impl IntoIterator<Item = u64>) -> String {
        items.into_iter().map(|n| format!("{n}\n")).collect()
    }
    /// Applies a difference, as `patch` does.
    fn patched(before: &str, diff: &str) -> String {
        let before: Vec<&str> = before.split_inclusive('\n').collect();
        let (mut out, mut at) = (String::new(), 0);
        for line in diff.split_inclusive('\n').skip(2) {
            let (sign, text) = line.split_at(1);
            match sign {
                "@" => {
                    let old = text.split([' ', ',']).nth(1).unwrap();
                    let len_is_0 = text.split(' ').nth(1).unwrap().ends_with(",0");
                    let start = old[1..].parse::<usize>().unwrap() - usize::from(!len_is_0);
                    out.extend(before[at..start].iter().copied());
                    at = start;
                }
                "+" => out.push_str(text),
                _ => {
                    assert_eq!(before[at], text);
                    at += 1;
                    if sign == " " {
                        out.push_str(text);
                    }
                }
            }
        }
        out.extend(before[at..].iter().copied());
        out
    }

    #[test]
    fn hunks_have_context() {
        assert_eq!(diff("a\nb\n", "a\nb\n"), "");
        assert_eq!(diff("", ""), "");
        assert_eq!(diff("a\nb\nc\n", "a\nx\nc\n"), "--- a\n+++ b\n@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n");
        assert_eq!(diff("", "x\n"), "--- a\n+++ b\n@@ -0,0 +1 @@\n+x\n");
        assert_eq!(diff("x\n", ""), "--- a\n+++ b\n@@ -1 +0,0 @@\n-x\n");
        let expected = "--- a\n+++ b\n@@ -1,4 +1,3 @@\n-0\n 1\n 2\n 3\n@@ -18,3 +17,4 @@\n 17\n 18\n 19\n+20\n";
        assert_eq!(diff(&lines(0..20), &lines(1..21)), expected);
    }

    #[test]
    fn differences_can_be_applied() {
        let mut rng = Rng::new(1);
        let mut random = move |below: u64| rng.below(below as usize) as u64;
        for iteration in 0..500 {
            let words = 2 + iteration % 60;
            let before: Vec<u64> = (0..random(40)).map(|_| random(words)).collect();
            let mut after = before.clone();
            for _ in 0..random(8) {
                match random(3) {
                    0 if !after.is_empty() => drop(after.remove(random(after.len() as u64) as usize)),
                    _ => after.insert(random(after.len() as u64 + 1) as usize, random(words)),
                }
            }
            let (before, after) = (lines(before), lines(after));
            let text = diff(&before, &after);
            assert_eq!(patched(&before, &text), after, "{text}");
        }
    }

    #[test]
    fn large_texts_that_differ_everywhere_take_no_square() {
        let n = 200_000;
        let (before, after) = (lines(0..n), lines((0..n).map(|k| k ^ 1)));
        assert_eq!(patched(&before, &diff(&before, &after)), after);
        let (before, after) = (lines((0..n).map(|k| k % 7)), lines((0..n).map(|k| k % 5)));
        assert_eq!(patched(&before, &diff(&before, &after)), after);
    }
}
