//! Words of comments: figures of speech that say where a thing "stands" in place of its name.
//!
//! "Returns the definition of the register" can be read by anyone; "what stands behind it goes" cannot. `cargo xtask
//! words SEED` draws comment lines from all sources, tests included, and prints those that have such a word.

use super::sources::{crates, rust_files};
use std::path::Path;
use std::process::ExitCode;

/// Words, and beginnings of clauses that are used as nouns. A word ends where letters end.
const FIGURES: &[&str] = &[
    "behind", "stand", "stands", "goes", "nobody", "whoever", "those of", "that of", "helps", "turn", "turns",
    "what is", "what was", "what are", "what were", "what it", "what they", "what there", "what the", "what a",
    "what stands", "of what", "in what", "by what", "for what", "from what", "to what", "with what", "than what",
    "who is", "who was", "who waits",
];

/// Lines that `cargo xtask words` draws.
const DRAWN: usize = 2000;

/// Returns the comment lines of a text: number, from 1, and text.
pub(super) fn comments(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().filter_map(|(k, line)| {
        let comment = line.trim_start().strip_prefix("//")?.trim_start_matches(['/', '!']).trim();
        (!comment.is_empty()).then_some((k + 1, comment))
    })
}

/// Returns the first figure of speech in a line.
pub(super) fn figure_in(line: &str) -> Option<&'static str> {
    let lower = line.to_ascii_lowercase();
    let is_inside = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let is_word = |at: usize, word: &str| {
        !is_inside(lower[..at].chars().next_back()) && !is_inside(lower[at + word.len()..].chars().next())
    };
    FIGURES.iter().copied().find(|word| lower.match_indices(word).any(|(at, _)| is_word(at, word)))
}

/// Draws comment lines from all sources and prints those with a figure of speech, and their number.
pub(crate) fn draw(root: &Path, seed: u64) -> ExitCode {
    let files = crates(root).into_iter().flat_map(|krate| rust_files(&root.join(krate)));
    let mut lines = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("source is UTF-8");
        let path = file.strip_prefix(root).unwrap_or(&file).display().to_string();
        lines.extend(comments(&text).map(|(number, line)| format!("{path}:{number}: {line}")));
    }
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        // Xorshift, by G. Marsaglia, Journal of Statistical Software 8 (14), 2003.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let drawn = DRAWN.min(lines.len());
    for k in 0..drawn {
        let other = k + next() as usize % (lines.len() - k);
        lines.swap(k, other);
    }
    let found: Vec<&String> = lines[..drawn].iter().filter(|line| figure_in(comment_of(line)).is_some()).collect();
    found.iter().for_each(|line| println!("{line}"));
    println!("{} of {drawn} comment lines", found.len());
    ExitCode::SUCCESS
}

/// Returns the comment of a line `PATH:NUMBER: COMMENT`.
fn comment_of(line: &str) -> &str {
    line.split_once(": ").map_or(line, |(_, comment)| comment)
}
