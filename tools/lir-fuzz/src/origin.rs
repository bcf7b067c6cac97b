//! The origin of a seed's module: the generator of random modules, or changes of real text.

use super::calls::calls_of;
use super::finding::Kind;
use super::mutate::Corpus;
use super::program::Program;
use super::promised::with_promises;
use lir_random::{Config, generate};
use lir_run::symbols::HostSymbols;
use lir_syntax::ir::Module;
use std::sync::Arc;

/// The source of the modules of seeds.
#[derive(Copy, Clone)]
pub enum Origin<'c> {
    /// The generator.
    Generator,
    /// Changes of real text.
    Mutants(&'c Corpus),
}

impl Origin<'_> {
    /// Makes the program of a seed; `None` if the seed has no mutant.
    pub(crate) fn program(&self, seed: u64, host: &HostSymbols) -> Option<Program> {
        match self {
            Origin::Generator => {
                let module = module_of(seed);
                let (calls, functions) = (calls_of(&module), module.funcs.len());
                let module = with_promises(module, &calls, host, seed);
                let module = Arc::new(module);
                Some(Program { module, calls, functions })
            }
            Origin::Mutants(corpus) => corpus.mutant(seed, host),
        }
    }
    /// Makes the program without calls, and without executing the module.
    pub(crate) fn unjudged(&self, seed: u64) -> Option<Program> {
        match self {
            Origin::Generator => {
                let module = Arc::new(module_of(seed));
                Some(Program { functions: module.funcs.len(), module, calls: Vec::new() })
            }
            Origin::Mutants(corpus) => corpus.unjudged(seed).map(|(program, _)| program),
        }
    }
    /// True if such a problem is not a bug of the toolchain: a mutant may depend on unspecified behaviour that was not
    /// detected when it was made, and may exceed limits. The generator's modules are small.
    pub(crate) fn may_be(&self, kind: &Kind) -> bool {
        matches!(self, Origin::Mutants(_)) && matches!(kind, Kind::Unspecified | Kind::BeyondLimit)
    }
    /// Returns the options of the command line that say so, with a blank at the end.
    pub(crate) fn options(&self) -> String {
        match self {
            Origin::Generator => String::new(),
            Origin::Mutants(corpus) => corpus.paths.iter().map(|p| format!("--mutate {} ", p.display())).collect(),
        }
    }
}

/// Makes the module of a seed. Seeds give modules of different shapes.
pub(crate) fn module_of(seed: u64) -> Module {
    generate(seed, &config(seed))
}

/// Returns the configuration of the module of a seed.
fn config(seed: u64) -> Config {
    let plain = Config::default();
    match seed % 8 {
        // Minimal modules: failures in them are easily reduced.
        4 => Config { functions: 1, statements: 3, ..plain },
        // Few and long functions: register pressure.
        5 => Config { functions: 1, statements: 60, ..plain },
        // Only registers, no memory.
        6 => Config { memory: false, traps: false, statements: 24, ..plain },
        // Many small functions.
        7 => Config { functions: 12, statements: 4, ..plain },
        _ => plain,
    }
}
