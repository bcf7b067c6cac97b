//! Leftmost-longest search: finds the first match, and the longest of those that begin there, as POSIX requires.
//!
//! The regex engine prefers earlier alternatives instead of longer matches, but both find the same beginning: a match
//! begins at the first position where any can. So the beginning is searched for in the usual way, and the end by
//! simulating the automaton from there to where it dies (R. Cox, Regular Expression Matching: the Virtual Machine
//! Approach, 2009), which also gives the groups. Among matches of one length groups are chosen by the engine's
//! preference, not by POSIX's subexpression rule: they differ only where alternatives of one group overlap.
//!
//! Expressions that refer back to a group are matched by [`backtrack`].

mod backtrack;

use backtrack::Backtracker;
use regex_automata::meta;
use regex_automata::nfa::thompson::{self, pikevm};
use regex_automata::util::captures::Captures;
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input, MatchKind};
use std::ops::Range;

/// The size that an automaton may have, in bytes.
const MAX_SIZE: usize = 16 << 20;

/// A compiled expression.
#[derive(Debug)]
pub(super) struct Searcher {
    /// Finds where a match begins; with references, where one may begin.
    begin: meta::Regex,
    end: End,
}

#[derive(Debug)]
enum End {
    Longest(pikevm::PikeVM),
    References(Backtracker),
}

/// The position of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Found {
    /// All of it, in bytes.
    pub range: Range<usize>,
    /// Its groups, the first is number 1 and is at index 0. Empty ranges for those that took no part.
    pub groups: Vec<Range<usize>>,
}

/// An expression with references to groups.
pub(super) struct References<'e> {
    /// The expression with something that matches everything in place of each reference.
    pub relaxed: &'e str,
    /// For each reference: the number of the empty group that represents it, and the number of the group that it refers
    /// to.
    pub groups: &'e [(usize, usize)],
}

impl Searcher {
    /// Compiles an expression, with references if it has some.
    ///
    /// # Errors
    /// The expression is too large.
    pub(super) fn new(regex: &str, references: Option<&References<'_>>, ignore_case: bool) -> Result<Searcher, String> {
        let syntax = syntax::Config::new().unicode(false).utf8(false).multi_line(true).case_insensitive(ignore_case);
        let nfa_config = thompson::Config::new().utf8(false).nfa_size_limit(Some(MAX_SIZE));
        // A translated expression is well-formed; only other errors are possible.
        let too_large = || "the expression is too large or nests too deeply".to_string();
        let begin = meta::Regex::builder()
            .configure(meta::Config::new().utf8_empty(false).nfa_size_limit(Some(MAX_SIZE)))
            .syntax(syntax)
            .build(references.map_or(regex, |r| r.relaxed))
            .map_err(|_| too_large())?;
        let nfa = thompson::Compiler::new().syntax(syntax).configure(nfa_config).build(regex);
        let nfa = nfa.map_err(|_| too_large())?;
        let end = match references {
            Some(r) => End::References(Backtracker::new(nfa, r.groups)),
            None => {
                let longest = pikevm::Config::new().match_kind(MatchKind::All);
                let vm = pikevm::PikeVM::builder().configure(longest).build_from_nfa(nfa);
                End::Longest(vm.map_err(|_| too_large())?)
            }
        };
        Ok(Searcher { begin, end })
    }

    /// Returns the leftmost-longest match in a text.
    ///
    /// # Errors
    /// There are references, and too much was tried.
    pub(super) fn search(&self, text: &[u8]) -> Result<Option<Found>, String> {
        match &self.end {
            End::Longest(vm) => Ok(self.begin.find(text).map(|m| longest(vm, text, m.start()))),
            End::References(backtracker) => {
                let mut from = 0;
                while let Some(start) = self.begin.search(&Input::new(text).range(from..)).map(|m| m.start()) {
                    if let Some(found) = backtracker.longest(text, start)? {
                        return Ok(Some(found));
                    }
                    if start == text.len() {
                        break;
                    }
                    from = start + 1;
                }
                Ok(None)
            }
        }
    }
}

/// Returns the longest match that begins at an offset where one does.
fn longest(vm: &pikevm::PikeVM, text: &[u8], start: usize) -> Found {
    let mut captures = vm.create_captures();
    vm.captures(&mut vm.create_cache(), Input::new(text).range(start..).anchored(Anchored::Yes), &mut captures);
    Found { range: captures.get_match().expect("a match begins here").range(), groups: groups(&captures) }
}

fn groups(captures: &Captures) -> Vec<Range<usize>> {
    (1..captures.group_len()).map(|g| captures.get_group(g).map_or(0..0, |s| s.range())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(regex: &str, text: &str) -> Option<(Range<usize>, Vec<Range<usize>>)> {
        let found = Searcher::new(regex, None, false).unwrap().search(text.as_bytes()).unwrap();
        found.map(|f| (f.range, f.groups))
    }

    #[test]
    fn matches_are_leftmost_and_longest() {
        assert_eq!(found("a|ab|abc", "xabcd"), Some((1..4, vec![])));
        assert_eq!(found("(a|ab)(c|bcd)", "abcd"), Some((0..4, vec![0..1, 1..4])));
        assert_eq!(found("a?(?:ab)?", "ab"), Some((0..2, vec![])));
        assert_eq!(found("^b.*$", "a\nbc\nd"), Some((2..4, vec![])));
        assert_eq!(found("x*", "abc"), Some((0..0, vec![])));
        assert_eq!(found("x", "abc"), None);
    }

    #[test]
    fn references_are_kept() {
        let search = |regex: &str, relaxed: &str, groups: &[(usize, usize)], text: &str| {
            let references = References { relaxed, groups };
            let searcher = Searcher::new(regex, Some(&references), false).unwrap();
            searcher.search(text.as_bytes()).unwrap().map(|f| f.range)
        };
        let twice = |text| search("(a+),()", "(a+),(?s:.)*", &[(2, 1)], text);
        assert_eq!(twice("aaa,aa"), Some(1..6));
        assert_eq!(twice("a,b,aa,aaa"), Some(4..9));
        assert_eq!(twice("a,b"), None);
        let loops = search("((?:a*)*),()", "((?:a*)*),(?s:.)*", &[(2, 1)], "aa,x");
        assert_eq!(loops, Some(2..3));
    }

    #[test]
    fn sizes_are_limited() {
        assert!(Searcher::new("(?:(?:a{255}){255}){255}", None, false).is_err());
        let deep = "(?:".repeat(100_000) + &")".repeat(100_000);
        assert!(Searcher::new(&deep, None, false).is_err());
    }
}
