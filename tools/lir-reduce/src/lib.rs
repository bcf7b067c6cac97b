//! Shrinks a module while a test says that it is still interesting: the library of `lir-reduce`.
//!
//! A *kind* ([`kinds`]) of reduction is a function that visits its targets in a fixed order and asks for each whether
//! to remove it: functions, blocks, instructions, operands and so on. For each kind, from the coarse ones to the fine
//! ones, delta debugging ([`ddmin`]) finds a set of targets that can be removed together; all kinds are repeated until
//! an iteration changes nothing, and at the end names become short.
//!
//! # How a candidate is made
//!
//! The kind changes a copy of the module, by edits that keep it well-formed as far as possible (registers that are read
//! stay assigned, phis follow their edges). The copy is printed, parsed and verified. An invalid copy counts as
//! uninteresting and is never shown to the test. So a kind need not be correct in all cases, and the test sees only
//! texts that every tool accepts. A text is tested once.
//!
//! # Why it ends
//!
//! Each kind makes a module smaller in one order: items, blocks, instructions, registers of narrow types, the positions
//! that registers have in the function, parameters, then constants (0 < 1 < -1 < others by magnitude). No kind makes a
//! module larger in this order.
//!
//! # Sources
//!
//! A. Zeller, R. Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", IEEE TSE 28(2), 2002. Kinds that ask
//! an oracle for each target: `llvm-reduce`. Replacing by constants before removing: Cranelift's `bugpoint`.

pub mod cli;
mod ddmin;
mod document;
mod kinds;

pub use document::Document;
pub use kinds::{KINDS, Kind};

use lir_syntax::text::diagnostic::Diagnostic;
use lir_syntax::text::source::Source;
use rustc_hash::FxHashSet;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};

/// Decides whether a text is interesting. It may be called on several threads at once. It should return early, with any
/// answer, when the flag is set: the answer is no longer needed.
pub trait Test: Sync {
    /// True if the text is still interesting.
    fn interesting(&self, text: &str, cancelled: &AtomicBool) -> bool;
}

impl<F: Fn(&str, &AtomicBool) -> bool + Sync> Test for F {
    fn interesting(&self, text: &str, cancelled: &AtomicBool) -> bool {
        self(text, cancelled)
    }
}

/// Options of a reduction.
pub struct ReduceOptions<'a> {
    /// Number of tests that may run at once. The result does not depend on it.
    pub jobs: usize,
    /// A flag that ends the reduction with the best result so far.
    pub stop: &'a AtomicBool,
    /// The kinds to try, in this order: all or some of [`KINDS`].
    pub kinds: Vec<&'static Kind>,
}

/// The progress of a reduction.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The kind that was tried last; empty before the first.
    pub kind: &'static str,
    /// The iteration over all kinds, from 1.
    pub iteration: usize,
    /// The shortest interesting text.
    pub text: String,
    /// Number of candidates that were shown to the test.
    pub tests: usize,
    /// Number of candidates that were not, because they did not verify.
    pub invalid: usize,
    /// Number of candidates that were not, because their text had been tested before.
    pub repeated: usize,
    /// True if the kind made the text shorter or simpler.
    pub improved: bool,
}

/// The reason nothing was reduced.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReduceError {
    /// The input is not a well-formed module.
    Input(Vec<Diagnostic>),
    /// The test does not find the input interesting.
    NotInteresting,
    /// The test finds the input interesting, but not its canonical text.
    NotInterestingAsPrinted,
}

/// The most iterations over all kinds. Each makes the module smaller, so this is a guard against a test that is not
/// deterministic.
const MAX_ITERATIONS: usize = 50;

/// Reduces a module. `report` is called after each kind.
///
/// # Errors
/// See [`ReduceError`].
pub fn reduce(
    source: &Source,
    test: &dyn Test,
    options: &ReduceOptions<'_>,
    report: &mut dyn FnMut(&Progress),
) -> Result<Progress, ReduceError> {
    let document = Document::parse(source).map_err(ReduceError::Input)?;
    let cancelled = AtomicBool::new(false);
    if !test.interesting(&source.text, &cancelled) {
        return Err(ReduceError::NotInteresting);
    }
    let text = document.text();
    if text != source.text && !test.interesting(&text, &cancelled) {
        return Err(ReduceError::NotInterestingAsPrinted);
    }
    let progress = Progress { text, tests: 2, ..Progress::default() };
    let mut reducer = Reducer { document, test, options, seen: FxHashSet::default(), progress };
    for iteration in 1..=MAX_ITERATIONS {
        reducer.progress.iteration = iteration;
        let mut improved = false;
        for kind in options.kinds.iter().filter(|k| !k.last) {
            improved |= reducer.try_kind(kind, report);
        }
        if !improved {
            break;
        }
    }
    for kind in options.kinds.iter().filter(|k| k.last) {
        reducer.try_kind(kind, report);
    }
    Ok(reducer.progress)
}

/// The state of a reduction.
struct Reducer<'a> {
    /// The smallest interesting module, as its text parses.
    document: Document,
    test: &'a dyn Test,
    options: &'a ReduceOptions<'a>,
    /// Hashes of texts that were tested and found uninteresting.
    seen: FxHashSet<u64>,
    progress: Progress,
}

impl Reducer<'_> {
    fn stopped(&self) -> bool {
        self.options.stop.load(Ordering::Relaxed)
    }

    /// Reduces by one kind. Returns true if anything was removed.
    fn try_kind(&mut self, kind: &'static Kind, report: &mut dyn FnMut(&Progress)) -> bool {
        if self.stopped() {
            return false;
        }
        let mut improved = false;
        while self.try_once(kind) {
            improved = true;
            if !kind.repeated {
                break;
            }
        }
        (self.progress.kind, self.progress.improved) = (kind.name, improved);
        report(&self.progress);
        improved
    }

    fn try_once(&mut self, kind: &'static Kind) -> bool {
        let base = self.document.clone();
        let targets = kind.targets(&base);
        let jobs = self.options.jobs.max(1);
        let mut best = None;
        ddmin::minimise(targets, jobs, |candidates| {
            if self.stopped() {
                return ddmin::Answer::Stop;
            }
            let found = self.first_interesting(kind, &base, candidates);
            match found {
                Some((k, text)) => {
                    best = Some(text);
                    ddmin::Answer::Interesting(k)
                }
                None => ddmin::Answer::Nothing,
            }
        });
        let Some(text) = best else { return false };
        let source = Source { name: String::new(), text };
        self.document = Document::parse(&source).expect("an interesting text was parsed before");
        self.progress.text = source.text;
        true
    }

    /// Returns the first interesting candidate, with its text. All candidates may be tested at once.
    fn first_interesting(&mut self, kind: &Kind, base: &Document, candidates: &[Vec<bool>]) -> Option<(usize, String)> {
        let texts: Vec<Option<String>> = candidates.iter().map(|gone| self.candidate(kind, base, gone)).collect();
        let cancelled: Vec<AtomicBool> = texts.iter().map(|_| AtomicBool::new(false)).collect();
        let verdict = |k: usize| {
            let yes = texts[k].as_ref().is_some_and(|t| self.test.interesting(t, &cancelled[k]));
            if yes {
                // Candidates after the first interesting one do not count.
                cancelled[k + 1..].iter().for_each(|c| c.store(true, Ordering::Relaxed));
            }
            yes
        };
        let wanted = texts.iter().filter(|t| t.is_some()).count();
        let verdicts: Vec<bool> = if wanted <= 1 {
            (0..texts.len()).map(&verdict).collect()
        } else {
            std::thread::scope(|s| {
                let threads: Vec<_> = (0..texts.len()).map(|k| s.spawn(move || verdict(k))).collect();
                threads.into_iter().map(|t| t.join().unwrap_or(false)).collect()
            })
        };
        let first = verdicts.iter().position(|yes| *yes);
        // Later candidates may have been cancelled, and count as untested.
        let counted = first.map_or(texts.len(), |k| k + 1);
        self.progress.tests += texts[..counted].iter().flatten().count();
        for (text, _) in texts[..counted].iter().zip(&verdicts).filter(|(_, yes)| !**yes) {
            self.seen.extend(text.as_deref().map(hash_of));
        }
        first.and_then(|k| Some((k, texts.into_iter().nth(k)??)))
    }

    /// Returns the text of the base without some targets. None if it is not smaller, not well-formed, or was tested
    /// before.
    fn candidate(&mut self, kind: &Kind, base: &Document, gone: &[bool]) -> Option<String> {
        let mut changed = base.clone();
        kind.apply(&mut changed, gone);
        let text = changed.text();
        if text == self.progress.text || self.seen.contains(&hash_of(&text)) {
            self.progress.repeated += 1;
            return None;
        }
        let source = Source { name: String::new(), text };
        if Document::parse(&source).is_err() {
            self.progress.invalid += 1;
            return None;
        }
        Some(source.text)
    }
}

fn hash_of(text: &str) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    text.hash(&mut hasher);
    hasher.finish()
}
