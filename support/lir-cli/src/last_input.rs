//! The input that a tool read last, which the reproducer of a panic shows again.

use lir_syntax::importer::Importer;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

/// The input that was read last.
static INPUT: Mutex<Option<Input>> = Mutex::new(None);

/// An input, with the importer of its language if that is not LIR.
struct Input {
    contents: Contents,
    importer: Option<&'static dyn Importer>,
}

/// The bytes of an input, in a form that can be read again.
enum Contents {
    File(PathBuf),
    /// Standard input.
    Bytes(Vec<u8>),
}

/// Remembers the current file, for the reproducer of a panic.
pub fn work_on_file(path: &Path) {
    *input() = Some(Input { contents: Contents::File(path.to_path_buf()), importer: None });
}

/// Remembers the bytes of standard input, for the same.
pub(super) fn work_on_bytes(bytes: &[u8]) {
    *input() = Some(Input { contents: Contents::Bytes(bytes.to_vec()), importer: None });
}

/// Remembers that the input is in another language, which this importer translates.
pub fn import_by(importer: &'static dyn Importer) {
    if let Some(input) = &mut *input() {
        input.importer = Some(importer);
    }
}

/// Returns the bytes of the last input and the importer of its language, once. None if there was none, or if it cannot
/// be read again.
pub(super) fn take_last_input() -> Option<(Vec<u8>, Option<&'static dyn Importer>)> {
    let Input { contents, importer } = input().take()?;
    let bytes = match contents {
        Contents::File(path) => std::fs::read(path).ok()?,
        Contents::Bytes(bytes) => bytes,
    };
    Some((bytes, importer))
}

fn input() -> MutexGuard<'static, Option<Input>> {
    INPUT.lock().unwrap_or_else(|e| e.into_inner())
}
