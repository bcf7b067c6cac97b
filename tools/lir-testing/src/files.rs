//! The files of `testdata`, and their modules.

use lir_cli::Session;
use lir_import::IMPORTERS;
use lir_syntax::importer::ImportOptions;
use lir_syntax::ir::Module;
use lir_syntax::text::source::Source;
use std::path::{Path, PathBuf};

/// Returns the path of a file or folder of `testdata`.
pub fn testdata(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name)
}

/// Returns the files with one of these endings in a folder, sorted.
///
/// # Panics
/// If the folder cannot be read.
pub fn files_in(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut files = entries(folder);
    files.retain(|path| path.is_file() && has_ending(path, endings));
    files
}

/// Returns the files with one of these endings in a folder and in the folders below it, sorted.
///
/// # Panics
/// If a folder cannot be read.
pub fn files_below(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        for path in entries(&folder) {
            if path.is_dir() {
                folders.push(path);
            } else if has_ending(&path, endings) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry can be read").path()).collect();
    paths.sort();
    paths
}

fn has_ending(path: &Path, endings: &[&str]) -> bool {
    path.extension().is_some_and(|ending| endings.iter().any(|e| ending == *e))
}

/// Returns the kernels of `testdata/programs`, in QBE's language.
pub fn kernels() -> Vec<PathBuf> {
    files_in(&testdata("programs"), &["ssa"])
}

/// Returns the kernels and the programs of the folder `own` beside them, in QBE's language.
pub fn programs() -> Vec<PathBuf> {
    files_below(&testdata("programs"), &["ssa"])
}

/// Returns the same programs as clang writes them before any pass.
pub fn programs_of_clang() -> Vec<PathBuf> {
    files_below(&testdata("programs"), &["ll"])
}

/// Returns the name of a file without its folder and its ending.
pub fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Reads a file.
///
/// # Panics
/// If it cannot be read.
pub fn source_of(path: &Path) -> Source {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    Source { name: path.display().to_string(), text }
}

/// Reads the module of a file, in LIR or in another language by its ending.
///
/// # Errors
/// The text is not a valid module.
pub fn module_of(path: &Path) -> Result<Module, String> {
    module_with(path, ImportOptions::default())
}

/// As [`module_of`], with options of the importer.
///
/// # Errors
/// The rendered diagnostics.
pub fn module_with(path: &Path, options: ImportOptions) -> Result<Module, String> {
    let Source { name, text } = source_of(path);
    let session = Session::of_bytes(name, text.into_bytes(), IMPORTERS);
    session.and_then(|session| session.with_import_options(options).check()).map_err(|failure| failure.text)
}
