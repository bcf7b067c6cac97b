//! Describes code in memory to `perf`: a dump with the code of functions, their lines, and their unwind tables.
//!
//! `perf record -k mono` notes that the file is mapped as code. `perf inject --jit` finds the file by that note, and
//! makes an object from each function, which `perf report` and `perf annotate` then read.
//!
//! # Source
//!
//! `tools/perf/Documentation/jitdump-specification.txt` of Linux; for the layout of the objects, which unwind tables
//! are relative to, `tools/perf/util/genelf.c`; for `.eh_frame_hdr` Linux Standard Base 5.0, Core, section 10.6.2.

use super::link::Linked;
use crate::host::profiler::{MappedAsCode, monotonic_time, thread_number};
use lir_llc::code::CompiledModule;
use lir_llc::code::FunctionCode;
use lir_llc::code::{TERMINATOR, eh_frame};
use lir_llc::output::debug_info::{DebugSource, LineRow, rows};
use lir_syntax::ir::{Function, Module};
use lir_syntax::text::source::LineTable;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The first bytes of a dump, as a number.
const MAGIC: u32 = 0x4a69_5444;
const VERSION: u32 = 1;
/// Bytes of the header of the file.
const HEADER: u32 = 40;
/// Bytes of the header of a record.
const RECORD: usize = 16;
/// `EM_X86_64`.
const X86_64: u32 = 62;

// Kinds of records.
const CODE_LOAD: u32 = 0;
const DEBUG_INFO: u32 = 2;
const CODE_CLOSE: u32 = 3;
const UNWINDING_INFO: u32 = 4;

// DW_EH_PE_*
const PC_RELATIVE: u8 = 0x1b;
const UNSIGNED: u8 = 0x03;
const TABLE_RELATIVE: u8 = 0x3b;

/// A dump for `perf`, to which code of any number of modules is added, from any thread. It ends when this is dropped.
#[derive(Debug)]
pub struct Dump {
    path: PathBuf,
    /// The process that writes; one that it forks has a copy of this.
    process: u32,
    records: Mutex<Records>,
    _mapping: MappedAsCode,
}

/// The file, with the number of the next function.
#[derive(Debug)]
struct Records {
    file: BufWriter<File>,
    next: u64,
    closed: bool,
}

impl Dump {
    /// Creates the dump of this process, `jit-PID.dump` in a folder. A process has one, which `perf` finds by the name.
    ///
    /// # Errors
    /// The file cannot be written, or not be mapped as code.
    pub fn create(folder: &Path) -> io::Result<Dump> {
        let process = std::process::id();
        let path = folder.join(format!("jit-{process}.dump"));
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(true).open(&path)?;
        let mapping = MappedAsCode::new(&file)?;
        let mut file = BufWriter::new(file);
        for word in [MAGIC, VERSION, HEADER, X86_64, 0, process] {
            file.write_all(&word.to_le_bytes())?;
        }
        for word in [monotonic_time(), 0] {
            file.write_all(&word.to_le_bytes())?;
        }
        file.flush()?;
        let records = Mutex::new(Records { file, next: 0, closed: false });
        Ok(Dump { path, process, records, _mapping: mapping })
    }
    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }
    /// Writes the end of the dump. Code that is added later is left out.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn close(&self) -> io::Result<()> {
        let Some(mut records) = self.records() else { return Ok(()) };
        let written = records.write(CODE_CLOSE, &[]).and_then(|()| records.file.flush());
        records.closed = true;
        written
    }
    /// Returns the file, if more may be written: in this process, before the end.
    fn records(&self) -> Option<MutexGuard<'_, Records>> {
        // The lock of another process may never be released.
        let is_here = self.process == std::process::id();
        let records = is_here.then(|| self.records.lock().unwrap_or_else(PoisonError::into_inner));
        records.filter(|records| !records.closed)
    }
    /// Adds the functions of a module.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn add(
        &self,
        module: &Module,
        compiled: &CompiledModule,
        linked: &Linked,
        debug: &DebugSource<'_>,
    ) -> io::Result<()> {
        let lines = LineTable::new(&debug.source.text);
        let Some(mut records) = self.records() else { return Ok(()) };
        for (f, code) in module.funcs.values().zip(&compiled.functions) {
            let address = linked.code_addresses().start + u64::from(code.start);
            if let Some(body) = debug_info((module, f), (compiled, code), address, (debug, &lines)) {
                records.write(DEBUG_INFO, &body)?;
            }
            records.write(UNWINDING_INFO, &unwinding_info(compiled, code))?;
            let index = records.next;
            records.next += 1;
            let name = text(&module.decls.syms[f.sym].name);
            records.write(CODE_LOAD, &code_load(address, index, &name, &linked.code_of(code)))?;
        }
        records.file.flush()
    }
}

impl Drop for Dump {
    fn drop(&mut self) {
        // A failure cannot be reported.
        let _ = self.close();
    }
}

impl Records {
    /// Writes a record, with the present time.
    fn write(&mut self, kind: u32, body: &[u8]) -> io::Result<()> {
        let size = u32::try_from(RECORD + body.len());
        let size = size.map_err(|_| io::Error::other("a record of the dump is larger than 4 GiB"))?;
        self.file.write_all(&kind.to_le_bytes())?;
        self.file.write_all(&size.to_le_bytes())?;
        self.file.write_all(&monotonic_time().to_le_bytes())?;
        self.file.write_all(body)
    }
}

/// Returns the record of a function's code.
fn code_load(address: u64, index: u64, name: &[u8], code: &[u8]) -> Vec<u8> {
    let mut body = Vec::with_capacity(40 + name.len() + 1 + code.len());
    for word in [std::process::id(), thread_number()] {
        body.extend_from_slice(&word.to_le_bytes());
    }
    for word in [address, address, code.len() as u64, index] {
        body.extend_from_slice(&word.to_le_bytes());
    }
    body.extend_from_slice(name);
    body.push(0);
    body.extend_from_slice(code);
    body
}

/// Returns the record of the lines of a function; none if no line is known.
fn debug_info(
    (module, f): (&Module, &Function),
    (compiled, code): (&CompiledModule, &FunctionCode),
    address: u64,
    (debug, lines): (&DebugSource<'_>, &LineTable),
) -> Option<Vec<u8>> {
    let mut rows = rows(lines, f, &compiled.code, code);
    // The tables that perf makes end at the last entry: without another one it would have no code.
    rows.push(LineRow { offset: code.len, ..*rows.last()? });
    let mut body = Vec::new();
    for word in [address, rows.len() as u64] {
        body.extend_from_slice(&word.to_le_bytes());
    }
    for row in &rows {
        body.extend_from_slice(&(address + u64::from(row.offset)).to_le_bytes());
        for word in [row.at.line, row.at.column] {
            body.extend_from_slice(&word.to_le_bytes());
        }
        let path = row.at.path(module, debug.source);
        // The path is the only place for the folder.
        if !path.starts_with(b"/") {
            body.extend_from_slice(&text(debug.folder.as_bytes()));
            body.push(b'/');
        }
        body.extend_from_slice(&path);
        body.push(0);
    }
    Some(body)
}

/// Returns the record for unwinding a function: `.eh_frame` and `.eh_frame_hdr` as in the object that `perf` makes, one
/// after the other after the code, from a multiple of 8 on.
fn unwinding_info(compiled: &CompiledModule, code: &FunctionCode) -> Vec<u8> {
    let mut tables = eh_frame(&compiled.code, std::iter::once(code));
    let to_tables = code.len.next_multiple_of(8);
    let field = tables.code_fields[0] as usize;
    // The entry begins with its length and the distance to the common entry.
    let entry = field as u32 - 8;
    let to_code = (to_tables + field as u32).wrapping_neg();
    tables.bytes[field..field + 4].copy_from_slice(&to_code.to_le_bytes());
    tables.bytes.extend_from_slice(&TERMINATOR);
    let size = tables.bytes.len() as u32;
    let mut header = vec![1, PC_RELATIVE, UNSIGNED, TABLE_RELATIVE];
    let to_frames = (size + 4).wrapping_neg();
    // A table of one function: distances from the header to its code and to its entry.
    for word in [to_frames, 1, (to_tables + size).wrapping_neg(), (size - entry).wrapping_neg()] {
        header.extend_from_slice(&word.to_le_bytes());
    }
    let mut body = Vec::new();
    // None of it is in memory, where perf built with libunwind expects it; perf with libdw reads the object.
    for word in [(tables.bytes.len() + header.len()) as u64, header.len() as u64, 0] {
        body.extend_from_slice(&word.to_le_bytes());
    }
    body.extend_from_slice(&tables.bytes);
    body.extend_from_slice(&header);
    body.resize(body.len().next_multiple_of(8), 0);
    body
}

/// Returns a text without the byte that ends one.
fn text(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().map(|c| if *c == 0 { b'?' } else { *c }).collect()
}
