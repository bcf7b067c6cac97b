//! The one list of passes.

use crate::pass::PassInfo;
use crate::passes;

/// Every pass, in the order in which `--list-passes` shows them: by name.
pub static PASSES: &[&PassInfo] = &[
    &passes::constfold::INFO,
    &passes::copy_prop::INFO,
    &passes::dce::INFO,
    &passes::gvn::INFO,
    &passes::mem2reg::INFO,
    &passes::phi_simplify::INFO,
    &passes::simplify_cfg::INFO,
    &passes::ssa::INFO,
];

/// The pass of a name, or the names nearest to it, the best first.
pub fn find(name: &str) -> Result<&'static PassInfo, Vec<&'static str>> {
    PASSES.iter().copied().find(|p| p.name == name).ok_or_else(|| nearest(name, PASSES.iter().map(|p| p.name)))
}

/// Those of `names` within an edit distance of a third of the longer one's length (at least 2), and those that begin
/// with `name`; the nearest first, at most three.
pub fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let near = |candidate: &&str| {
        let distance = edit_distance(name.as_bytes(), candidate.as_bytes());
        let close = distance <= (name.len().max(candidate.len()) / 3).max(2) && distance < candidate.len();
        (close || !name.is_empty() && candidate.starts_with(name)).then_some(distance)
    };
    let mut found: Vec<(usize, &str)> = names.filter_map(|n| Some((near(&n)?, n))).collect();
    found.sort();
    found.truncate(3);
    found.into_iter().map(|(_, n)| n).collect()
}

/// Insertions, deletions and substitutions of bytes that lead from `a` to `b` (V. Levenshtein, 1966), row by row.
fn edit_distance(a: &[u8], b: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let cost = if x == y { diagonal } else { 1 + diagonal.min(row[j]).min(row[j + 1]) };
            diagonal = std::mem::replace(&mut row[j + 1], cost);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_summaries_have_the_house_form() {
        assert!(PASSES.is_sorted_by(|a, b| a.name < b.name));
        for p in PASSES {
            assert!(p.name.bytes().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'-'), "{}", p.name);
            let lines = std::iter::once(p.summary).chain(p.options.iter().map(|o| o.summary));
            for line in lines {
                assert!(!line.is_empty() && !line.ends_with('.') && !line.contains('\n'), "{}: {line}", p.name);
            }
        }
    }

    #[test]
    fn distances_and_suggestions() {
        assert_eq!(edit_distance(b"kitten", b"sitting"), 3);
        assert_eq!(nearest("dec", ["dce", "gvn", "ssa"].into_iter()), ["dce"]);
        assert_eq!(nearest("simplify", ["dce", "simplify-cfg"].into_iter()), ["simplify-cfg"]);
        assert!(nearest("xyzzy", ["dce", "gvn"].into_iter()).is_empty());
    }
}
