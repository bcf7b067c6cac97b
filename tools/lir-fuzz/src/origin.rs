//! Where the module of a seed comes from.

use super::mutate::Corpus;
use super::{Kind, calls_of, module_of};
use lir_run::run_lines::TypedCall;
use lir_run::symbols::HostSymbols;
use lir_syntax::ir::Module;
use std::sync::Arc;

/// What makes modules of seeds.
#[derive(Copy, Clone)]
pub enum Origin<'c> {
    /// The generator.
    Generator,
    /// Changes of real text.
    Mutants(&'c Corpus),
}

/// The module of a seed, with what is called.
pub struct Case {
    /// The module, well-formed.
    pub module: Arc<Module>,
    /// Calls, one after the other on the same data.
    pub calls: Vec<TypedCall>,
    /// How many functions of it count as checked.
    pub functions: usize,
}

impl Origin<'_> {
    /// The module of a seed; none where the seed gives no mutant.
    pub fn case(&self, seed: u64, host: &HostSymbols) -> Option<Case> {
        match self {
            Origin::Generator => {
                let module = Arc::new(module_of(seed));
                let (calls, functions) = (calls_of(&module), module.funcs.len());
                Some(Case { module, calls, functions })
            }
            Origin::Mutants(corpus) => corpus.mutant(seed, host),
        }
    }
    /// The same without calls, which asks nobody what the module means.
    pub fn unjudged(&self, seed: u64) -> Option<Case> {
        match self {
            Origin::Generator => {
                let module = Arc::new(module_of(seed));
                Some(Case { functions: module.funcs.len(), module, calls: Vec::new() })
            }
            Origin::Mutants(corpus) => corpus.unjudged(seed).map(|(case, _)| case),
        }
    }
    /// Whether such a problem is none of the toolchain: a mutant may depend on what the language leaves open, in a way
    /// that nobody saw when it was made.
    pub fn may_be(&self, kind: &Kind) -> bool {
        matches!(self, Origin::Mutants(_)) && *kind == Kind::Unspecified
    }
    /// The options of the command line that say so, with a blank at the end.
    pub fn options(&self) -> String {
        match self {
            Origin::Generator => String::new(),
            Origin::Mutants(corpus) => corpus.paths.iter().map(|p| format!("--mutate {} ", p.display())).collect(),
        }
    }
}
