//! Finds the nearest of several words, for "did you mean".
//!
//! Words are compared by optimal string alignment: the least number of insertions, deletions, replacements and
//! exchanges of neighbours, none of which touches text that another has edited (F. J. Damerau, A Technique for Computer
//! Detection and Correction of Spelling Errors, 1964). Three rows of the table are kept.

use std::fmt::Display;

/// Limit on the candidates that are compared. Suggestions are a courtesy and stay cheap in a large module.
const MAX_CANDIDATES: usize = 10_000;
/// Words longer than this are not compared.
const MAX_LENGTH: usize = 64;

/// Returns the candidate with the smallest edit distance from `word`, the first among equals. None if that is over a
/// third of the word's length (rounded to the nearest).
pub fn nearest<'a>(word: &[u8], candidates: impl Iterator<Item = &'a [u8]>) -> Option<&'a [u8]> {
    let limit = (word.len() + 1) / 3;
    let mut best: Option<(usize, &[u8])> = None;
    for candidate in candidates.take(MAX_CANDIDATES) {
        let bound = best.map_or(limit, |(d, _)| d - 1);
        if let Some(d) = distance_within(word, candidate, bound) {
            best = Some((d, candidate));
            if d == 0 {
                break;
            }
        }
    }
    best.map(|(_, c)| c)
}

/// Returns the end of a message with the word that may have been meant: ". Did you mean `meant`?".
pub fn did_you_mean(meant: impl Display) -> String {
    format!("; did you mean `{meant}`?")
}

/// The same with the candidate that is nearest to `word`, after `sigil`. Empty if none is near.
pub fn nearest_hint<'a>(sigil: &str, word: &[u8], candidates: impl Iterator<Item = &'a [u8]>) -> String {
    let shown = |near| did_you_mean(format_args!("{sigil}{}", String::from_utf8_lossy(near)));
    nearest(word, candidates).map_or(String::new(), shown)
}

/// At most three of `names`: those within an edit distance of a third of the longer one's length (at least 2), and
/// those that begin with `name`; the nearest first.
pub fn suggestions(name: &str, names: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    let near = |candidate: &'static str| {
        let bound = (name.len().max(candidate.len()) / 3).max(2).min(candidate.len() - 1);
        let longer = || (!name.is_empty() && candidate.starts_with(name)).then(|| candidate.len() - name.len());
        Some((distance_within(name.as_bytes(), candidate.as_bytes(), bound).or_else(longer)?, candidate))
    };
    let mut found: Vec<(usize, &str)> = names.filter_map(near).collect();
    found.sort();
    found.truncate(3);
    found.into_iter().map(|(_, n)| n).collect()
}

/// Returns the one of `all` with a name. `kind` is their common name.
///
/// # Errors
/// There is none: a sentence with the nearest names, or all of them.
pub fn find_named<T: Copy>(kind: &str, all: &[T], name_of: fn(T) -> &'static str, name: &str) -> Result<T, String> {
    let names = || all.iter().map(|a| name_of(*a));
    let found = all.iter().copied().find(|a| name_of(*a) == name);
    found.ok_or_else(|| match suggestions(name, names()).as_slice() {
        [] => format!("there is no {kind} `{name}`; there are `{}`", names().collect::<Vec<_>>().join("`, `")),
        near => format!("there is no {kind} `{name}`{}", did_you_mean(near.join("` or `"))),
    })
}

/// The edit distance of two words if it is at most `bound`. None if one is longer than 64 bytes.
pub(crate) fn distance_within(a: &[u8], b: &[u8], bound: usize) -> Option<usize> {
    if a.len() > MAX_LENGTH || b.len() > MAX_LENGTH || a.len().abs_diff(b.len()) > bound {
        return None;
    }
    let mut rows = [[0usize; MAX_LENGTH + 1]; 3];
    for (j, cell) in rows[0].iter_mut().enumerate() {
        *cell = j;
    }
    for i in 1..=a.len() {
        let (now, last, before) = (i % 3, (i + 2) % 3, (i + 1) % 3);
        rows[now][0] = i;
        for j in 1..=b.len() {
            let replaced = rows[last][j - 1] + (a[i - 1] != b[j - 1]) as usize;
            let mut d = replaced.min(rows[last][j] + 1).min(rows[now][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                d = d.min(rows[before][j - 2] + 1);
            }
            rows[now][j] = d;
        }
    }
    Some(rows[a.len() % 3][b.len()]).filter(|d| *d <= bound)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_found() {
        let words = ["add", "sub", "icmp", "fcmp", "switch"];
        let near =
            |w: &str| nearest(w.as_bytes(), words.iter().map(|w| w.as_bytes())).map(|w| str::from_utf8(w).unwrap());
        assert_eq!(near("ad"), Some("add"));
        assert_eq!(near("icpm"), Some("icmp"));
        assert_eq!(near("swicth"), Some("switch"));
        assert_eq!(near("xyz"), None);
    }

    #[test]
    fn hints_end_a_message() {
        let hint = |word: &str| nearest_hint("@", word.as_bytes(), [&b"main"[..], b"start"].into_iter());
        assert_eq!(hint("mian"), "; did you mean `@main`?");
        assert_eq!(hint("other"), "");
    }

    #[test]
    fn names_nearby_are_suggested() {
        assert_eq!(suggestions("dec", ["dce", "gvn", "ssa"].into_iter()), ["dce"]);
        assert_eq!(suggestions("simplify", ["dce", "simplify-cfg"].into_iter()), ["simplify-cfg"]);
        assert!(suggestions("xyzzy", ["dce", "gvn"].into_iter()).is_empty());
    }
}
