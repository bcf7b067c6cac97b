//! Mutants: real text, changed.
//!
//! A generator makes only the programs that its authors thought of. Text written by people or front ends has other
//! forms, and a few changes make it new. [`Corpus::mutant`] takes an excerpt of a module of the corpus, changes single
//! instructions ([`changes`]), control flow ([`flow`]) and types ([`types`]), and keeps each change that the verifier
//! accepts. The interpreter determines the meaning of a mutant, as far as the language specifies it ([`judge`]).
//!
//! Mutants have seeds: the same seed and the same files give the same mutant in every process.
//!
//! # Source
//!
//! V. Le, M. Afshari, Z. Su, "Compiler Validation via Equivalence Modulo Inputs", PLDI 2014, also change real programs,
//! in code that is not executed; C. Holler, K. Herzig, A. Zeller, "Fuzzing with Code Fragments", USENIX Security 2012,
//! put fragments of test suites together. Here the meaning may change, since the interpreter determines the new one.

mod changes;
mod driver;
mod excerpt;
mod flow;
mod judge;
mod standin;
mod types;

use super::calls::arguments_of;
use super::program::Program;
use excerpt::{Excerpt, excerpt};
use lir_cli::{Session, source_of_bytes};
use lir_random::Rng;
use lir_run::run_lines::{LineReader, TypedCall};
use lir_run::symbols::HostSymbols;
use lir_run::value::Value;
use lir_syntax::ir::{EntityRef, FuncId, Module};
use lir_syntax::verifier::verify_module;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Maximum number of excerpts to try for a seed: long functions have none.
const EXCERPTS: usize = 20;
/// The maximum number of changes of a mutant, and of attempts for each.
const MAX_CHANGES: usize = 8;
const ATTEMPTS: usize = 12;
/// The maximum number of `; run:` lines that become calls of a mutant.
const MAX_RUN_LINES: usize = 6;

/// Real text to make mutants of.
#[derive(Default)]
pub struct Corpus {
    texts: Vec<Text>,
    /// All functions: the index of the text, and of the function in it.
    functions: Vec<(usize, FuncId)>,
    /// The paths that were read, as they were given.
    pub paths: Vec<PathBuf>,
    /// Files that are not well-formed modules.
    pub skipped: usize,
}

struct Text {
    module: Module,
    /// The calls of its `; run:` lines, by the name of the function.
    calls: Vec<(Box<[u8]>, Vec<Value>)>,
}

impl Corpus {
    /// Reads files and the `.lir` files of folders, in the order of their names. Files of folders that are not
    /// well-formed are counted and skipped.
    ///
    /// # Errors
    /// A path cannot be read, or no file has a function: a message with the path, and the errors of the first file.
    pub fn read(paths: &[PathBuf]) -> Result<Corpus, String> {
        let mut corpus = Corpus { paths: paths.to_vec(), ..Corpus::default() };
        let mut first_error = None;
        for path in paths {
            let failed = |e: std::io::Error| format!("{}: {e}", path.display());
            for file in files_of(path).map_err(failed)? {
                let bytes = std::fs::read(&file).map_err(|e| format!("{}: {e}", file.display()))?;
                if let Err(errors) = corpus.add(&file, bytes) {
                    corpus.skipped += 1;
                    first_error.get_or_insert(errors);
                }
            }
        }
        if corpus.functions.is_empty() {
            let shown: Vec<String> = paths.iter().map(|p| p.display().to_string()).collect();
            let nothing = format!("{}: there is no well-formed module with a function", shown.join(", "));
            return Err(first_error.map_or(nothing.clone(), |e| format!("{nothing}\n{}", e.trim_end())));
        }
        Ok(corpus)
    }
    /// Adds a file to the corpus if it is a well-formed module; returns the diagnostics otherwise.
    fn add(&mut self, path: &Path, bytes: Vec<u8>) -> Result<(), String> {
        let session = source_of_bytes(path.display().to_string(), bytes).map(Session::new).map_err(|e| e.text)?;
        let module = session.check().map_err(|e| e.text)?;
        let lines = LineReader::new(&module).run_lines(&session.source).into_iter().flatten();
        let name = |call: &TypedCall| module.decls.syms[call.sym].name.clone();
        let calls = lines.map(|l| (name(&l.call), l.call.args)).collect();
        let text = self.texts.len();
        self.functions.extend(module.funcs.keys().map(|f| (text, f)));
        self.texts.push(Text { module, calls });
        Ok(())
    }
    /// Returns the mutant of a seed, with its calls of specified meaning, if any. Only functions of the text are
    /// counted, not drivers and stubs. Returns `None` if there is no excerpt or no valid change.
    pub(crate) fn mutant(&self, seed: u64, host: &HostSymbols) -> Option<Program> {
        let (program, calls) = self.unjudged(seed)?;
        let calls = judge::meaningful(&program.module, calls, host);
        Some(Program { calls, ..program })
    }
    /// Returns the mutant of a seed without calls, and calls whose meaning may be unspecified.
    pub(crate) fn unjudged(&self, seed: u64) -> Option<(Program, Vec<TypedCall>)> {
        let mut rng = Rng::new(seed);
        let (text, excerpt) = (0..EXCERPTS).find_map(|_| self.excerpt(&mut rng))?;
        let Excerpt { mut module, functions } = excerpt;
        let most = if rng.chance(60) { 2 } else { MAX_CHANGES };
        let wanted = rng.range(1, most);
        let changed = (0..wanted).filter(|_| change_module(&mut rng, &mut module, functions.len())).count();
        if changed == 0 {
            return None;
        }
        let calls = calls_of(&module, &functions, &self.texts[text]);
        let program = Program { module: Arc::new(module), calls: Vec::new(), functions: functions.len() };
        Some((program, calls))
    }
    /// Returns an excerpt of a random function: of a random file, or of all functions.
    fn excerpt(&self, rng: &mut Rng) -> Option<(usize, Excerpt)> {
        let (text, first) = if rng.chance(50) {
            rng.pick(&self.functions)
        } else {
            let text = rng.below(self.texts.len());
            (text, any_function(rng, &self.texts[text].module)?)
        };
        let module = &self.texts[text].module;
        let donor = any_function(rng, module)?;
        Some((text, excerpt(module, first, donor)?))
    }
}

fn any_function(rng: &mut Rng, module: &Module) -> Option<FuncId> {
    (!module.funcs.is_empty()).then(|| FuncId::new(rng.below(module.funcs.len())))
}

/// Returns the files of a path, in the order of their names: the file itself, or all `.lir` files below a folder.
fn files_of(path: &Path) -> std::io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let (mut files, mut folders) = (Vec::new(), vec![path.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            if kind.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "lir") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Makes one change of one of the first functions that the verifier accepts. Returns whether there was one.
fn change_module(rng: &mut Rng, module: &mut Module, functions: usize) -> bool {
    for _ in 0..ATTEMPTS {
        // The excerpt was made for the first function.
        let func = if rng.chance(60) { 0 } else { rng.below(functions) };
        let before = module.funcs.as_mut_slice()[func].clone();
        let donor = rng.below(functions);
        let found = match rng.below(20) {
            0..3 => flow::retarget(rng, &mut module.funcs.as_mut_slice()[func]),
            3 => flow::split_edge(rng, &mut module.funcs.as_mut_slice()[func]),
            4..7 => flow::splice(rng, module, func, donor),
            7 => types::change_types(rng, &mut module.funcs.as_mut_slice()[func]),
            _ => changes::change(rng, module, func),
        };
        if found && verify_module(module, 1).is_empty() {
            return true;
        }
        module.funcs.as_mut_slice()[func] = before;
    }
    false
}

/// Returns the calls of a mutant: from the text's `; run:` lines, of its drivers, and with random arguments.
fn calls_of(module: &Module, functions: &[Box<[u8]>], text: &Text) -> Vec<TypedCall> {
    let func = |name: &[u8]| module.decls.body_named(name).map(|f| module.funcs[f].sym);
    let of_text = |name: &[u8]| functions.iter().any(|f| **f == *name);
    let mut calls: Vec<TypedCall> = text
        .calls
        .iter()
        .filter(|(name, _)| of_text(name))
        .filter_map(|(name, args)| Some(TypedCall { sym: func(name)?, args: args.clone() }))
        .take(MAX_RUN_LINES)
        .collect();
    let mut rng = Rng::new(functions.len() as u64);
    for f in module.funcs.values() {
        let name = &*module.decls.syms[f.sym].name;
        let Some(signature) = module.decls.signature(f.sym) else { continue };
        if name.starts_with(driver::DRIVER.as_bytes()) {
            calls.push(TypedCall { sym: f.sym, args: Vec::new() });
        } else if functions.iter().any(|n| **n == *name) && !signature.variadic {
            calls.push(TypedCall { sym: f.sym, args: arguments_of(&module.decls, signature, &mut rng) });
        }
    }
    calls
}
