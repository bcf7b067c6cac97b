//! Passes by name, including the passes of an embedder.

use super::Level;
use crate::pass::PassInfo;
use crate::passes::{self, PASSES};
use lir_syntax::text::suggest::suggestions;
use std::sync::OnceLock;

/// Passes for tests of the tools, found by their whole name alone: not listed, not suggested, in no level.
static HIDDEN: &[&PassInfo] = &[
    &passes::planted::failures::ABORT,
    &passes::planted::failures::HANG,
    &passes::planted::failures::INVALID,
    &passes::planted::failures::PANIC,
    &passes::planted::hoisted_promise::INFO,
    &passes::planted::swapped_predicate::INFO,
];

/// Passes of an embedder: pipelines may name them, and the levels may include them.
pub struct OwnPasses {
    /// The passes. Their names must be new.
    pub passes: &'static [&'static PassInfo],
    /// Returns the pipeline of a level, given the built-in one.
    pub level: fn(Level, String) -> String,
}

static OWN: OnceLock<&'static OwnPasses> = OnceLock::new();

/// Adds passes to the process. Call it before a pipeline is parsed.
///
/// # Panics
/// Panics if other passes were added before, or if a name is taken.
pub fn add(own: &'static OwnPasses) {
    let is_taken = |p: &&&PassInfo| PASSES.iter().chain(HIDDEN).any(|q| q.name == p.name);
    if let Some(taken) = own.passes.iter().find(is_taken) {
        panic!("there is a pass `{}` already", taken.name);
    }
    assert!(std::ptr::eq(*OWN.get_or_init(|| own), own), "a process adds passes once");
}

/// True if an embedder has added passes.
#[cfg(feature = "cli")]
pub(crate) fn has_own_passes() -> bool {
    OWN.get().is_some()
}

/// Returns all passes that pipelines may name: the built-in ones by name, then the embedder's.
pub(crate) fn all() -> impl Iterator<Item = &'static PassInfo> {
    PASSES.iter().chain(OWN.get().map_or(&[][..], |own| own.passes)).copied()
}

/// Returns the pipeline of a level, with the embedder's passes.
pub(super) fn level(level: Level, text: String) -> String {
    match OWN.get() {
        Some(own) => (own.level)(level, text),
        None => text,
    }
}

/// Returns the pass of a name, or the names nearest to it, the best first.
pub fn find(name: &str) -> Result<&'static PassInfo, Vec<&'static str>> {
    all().chain(HIDDEN.iter().copied()).find(|p| p.name == name).ok_or_else(|| {
        match ELSEWHERE.iter().find(|(other, _)| other.eq_ignore_ascii_case(name)) {
            Some((_, ours)) => vec![*ours],
            None => match PASSES.iter().find(|p| p.name.eq_ignore_ascii_case(name)) {
                Some(same) => vec![same.name],
                None => suggestions(name, all().map(|p| p.name)),
            },
        }
    })
}

/// The names of LLVM's and gcc's passes, and ours that do most of their work.
const ELSEWHERE: &[(&str, &str)] = &[
    ("adce", "dce"),
    ("aggressive-instcombine", "simplify"),
    ("argpromotion", "dead-args"),
    ("bdce", "dce"),
    ("ccp", "sccp"),
    ("constprop", "constfold"),
    ("correlated-propagation", "vrp"),
    ("cse", "gvn"),
    ("deadargelim", "dead-args"),
    ("early-cse", "lvn"),
    ("evrp", "vrp"),
    ("fre", "gvn"),
    ("function-attrs", "attrs"),
    ("globaldce", "global-dce"),
    ("globalopt", "const-data"),
    ("inliner", "inline"),
    ("instcombine", "simplify"),
    ("instsimplify", "simplify"),
    ("ipsccp", "sccp"),
    ("loop-reduce", "indvars"),
    ("lsr", "indvars"),
    ("newgvn", "gvn-partition"),
    ("simplify-libcalls", "libcalls"),
    ("simplifycfg", "simplify-cfg"),
    ("tailcallelim", "tail-rec"),
];

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
    fn hidden_passes_have_names_that_are_not_written_by_accident() {
        for p in HIDDEN {
            assert!(p.name.starts_with("plant-") && find(p.name).is_ok());
            assert!(find(&p.name[..p.name.len() - 1]).is_err_and(|nearest| nearest.is_empty()));
            assert!(PASSES.iter().all(|q| q.name != p.name));
        }
    }

    #[test]
    fn names_of_other_compilers_are_known() {
        assert!(ELSEWHERE.is_sorted_by(|a, b| a.0 < b.0));
        for (other, ours) in ELSEWHERE {
            assert!(find(ours).is_ok() && find(other).is_err_and(|nearest| nearest == [*ours]), "{other}");
        }
        assert_eq!(find("GVN").err(), Some(vec!["gvn"]));
    }
}
