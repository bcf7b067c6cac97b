//! The input that a tool read last, which the reproducer of a panic shows again.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The input that was read last.
static INPUT: Mutex<Option<Input>> = Mutex::new(None);

/// An input, in a form that can be read again.
enum Input {
    File(PathBuf),
    /// Standard input.
    Bytes(Vec<u8>),
}

/// Remembers the current file, for the reproducer of a panic.
pub fn work_on_file(path: &Path) {
    *INPUT.lock().unwrap_or_else(|e| e.into_inner()) = Some(Input::File(path.to_path_buf()));
}

/// Remembers the bytes of standard input, for the same.
pub(super) fn work_on_bytes(bytes: &[u8]) {
    *INPUT.lock().unwrap_or_else(|e| e.into_inner()) = Some(Input::Bytes(bytes.to_vec()));
}

/// Returns the bytes of the last input, once. None if there was none, or if it cannot be read again.
pub(super) fn take_last_input() -> Option<Vec<u8>> {
    let input = INPUT.lock().unwrap_or_else(|e| e.into_inner()).take();
    input.and_then(|input| match input {
        Input::File(path) => std::fs::read(path).ok(),
        Input::Bytes(bytes) => Some(bytes),
    })
}
