//! Names of code in memory, for `perf report`: a file with a line for each function.
//!
//! # Source
//!
//! `tools/perf/Documentation/jit-interface.txt` of Linux.

use super::link::Linked;
use lir_llc::code::CompiledModule;
use lir_syntax::ir::{EntityRef, FuncId, Module};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The map of this process, to which code of any number of modules is added, from any thread.
#[derive(Debug)]
pub struct PerfMap {
    file: Mutex<File>,
    /// The process that writes; one that it forks has a copy of this.
    process: u32,
}

impl PerfMap {
    /// Creates the map of this process.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn create() -> io::Result<PerfMap> {
        let mut options = File::options();
        // Any user may write to the folder, and put a link there.
        options.write(true).create(true).truncate(true).custom_flags(libc::O_NOFOLLOW);
        Ok(PerfMap { file: Mutex::new(options.open(PerfMap::path())?), process: std::process::id() })
    }
    /// Returns the path at which perf looks for the map.
    pub fn path() -> PathBuf {
        Path::new("/tmp").join(format!("perf-{}.map", std::process::id()))
    }
    /// Adds the functions of a module.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn add(&self, module: &Module, compiled: &CompiledModule, linked: &Linked) -> io::Result<()> {
        // The lock of another process may never be released.
        if self.process != std::process::id() {
            return Ok(());
        }
        let text = lines(module, compiled, linked);
        self.file.lock().unwrap_or_else(PoisonError::into_inner).write_all(text.as_bytes())
    }
}

/// Returns the lines of the code of a module: address, size and name of each function.
pub(super) fn lines(module: &Module, compiled: &CompiledModule, linked: &Linked) -> String {
    let start = linked.code_addresses().start;
    let mut text = String::new();
    for (k, code) in compiled.functions.iter().enumerate() {
        let name = &module.decls.syms[module.funcs[FuncId::new(k)].sym].name;
        // A name is the text after the second blank, to the end of the line.
        let name = String::from_utf8_lossy(name).replace(['\n', '\r'], "?");
        let _ = writeln!(text, "{:x} {:x} {name}", start + u64::from(code.start), code.len);
    }
    text
}
