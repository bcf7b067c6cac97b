//! Links flat images: code and data as one run of bytes that is copied somewhere and called at its first byte.
//!
//! ```text
//! 0                                              a multiple of 4096
//! | code, the entry first | read-only data | ... | data | zeros |
//! ```
//!
//! Linking is simple because there is nothing outside the image: every reference is from one location of the image to
//! another, relative to rip, so that the image runs wherever it lies (at a multiple of the largest alignment of its
//! data). Everything else is an error at its position in the source ([`refuse`]): symbols that are not defined here,
//! thread data, and, unless the address of the image is given, addresses in data. Sections that the module names have
//! no meaning here: functions are code, constant data is read-only.

mod layout;
mod lines;
mod refuse;

pub use lines::MapLines;

use crate::code::CompiledModule;
use crate::output::defined_data;
use lir_syntax::ir::{DataId, FuncId, Module, Sym, SymKind};
use lir_syntax::printer::{print_sym, printed};
use lir_syntax::text::diagnostic::Diagnostic;
use lir_syntax::text::quoted::name_of_argument;
use lir_syntax::text::suggest::nearest_hint;
use std::fmt::Write;
use std::ops::Range;

/// The largest number of bytes in an image. Zeros count, since they are written out.
const MAX_IMAGE: u64 = 1 << 28;
/// Alignment of data that is written, so that it can have other access rights than code.
pub const PAGE: u64 = 4096;

/// Options of an image.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct FlatOptions {
    /// The function at offset 0.
    pub entry: FuncId,
    /// The address of the first byte, if it is known: then data may hold addresses. All bytes have addresses below
    /// 2^64, and it is a multiple of the largest alignment in the image.
    pub base: Option<u64>,
}

/// The segments of an image in their order.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FlatSegment {
    /// Functions.
    Code,
    /// Constants and jump tables of the code, then constant data.
    ReadOnly,
    /// Data that is written.
    Data,
    /// The same, all zeros.
    Zero,
}

/// A symbol of an image.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FlatSymbol {
    /// The symbol.
    pub sym: Sym,
    /// Its offset from the first byte.
    pub offset: u64,
    /// Bytes.
    pub size: u64,
    /// Its segment.
    pub segment: FlatSegment,
}

/// An image.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FlatImage {
    /// All bytes.
    pub bytes: Vec<u8>,
    /// The segments that are not empty, ascending; offsets from the first byte.
    pub segments: Vec<(FlatSegment, Range<u64>)>,
    /// The symbols that are defined, ascending by offset.
    pub symbols: Vec<FlatSymbol>,
}

impl FlatSegment {
    /// Returns the word for it in a map.
    pub fn name(self) -> &'static str {
        match self {
            FlatSegment::Code => "code",
            FlatSegment::ReadOnly => "rodata",
            FlatSegment::Data => "data",
            FlatSegment::Zero => "zero",
        }
    }
}

impl FlatImage {
    /// Returns the map: a line for each segment that is not empty, then one for each symbol, ascending. A line is
    /// offset, size (both as `0x` and at least 8 digits), `part` or the name of the segment that the symbol is in, and
    /// the name (a symbol's as in LIR text), each after one blank.
    ///
    /// The source lines of a function follow its map line, if they are wanted: offset and size of a range of code,
    /// `line`, and its origin, `"FILE":LINE:COLUMN`, with the file as a string of LIR text, and without the column if
    /// it is unknown.
    pub fn map(&self, module: &Module, lines: Option<&MapLines<'_>>) -> String {
        let mut text = String::new();
        let mut line = |offset: u64, size: u64, kind: &str, name: &str| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{offset:#010x} {size:#010x} {kind} {name}");
        };
        for (segment, range) in &self.segments {
            line(range.start, range.end - range.start, "part", segment.name());
        }
        for s in &self.symbols {
            line(s.offset, s.size, s.segment.name(), &name_of(module, s.sym));
            if let (Some(lines), SymKind::Func { body: Some(f), .. }) = (lines, &module.decls.syms[s.sym].kind) {
                for (range, place) in lines.of_function(module, *f) {
                    line(s.offset + u64::from(range.start), range.len() as u64, "line", &place);
                }
            }
        }
        text
    }
}

/// Returns the name of a symbol as in LIR text.
fn name_of(module: &Module, s: Sym) -> String {
    printed(|out| print_sym(&module.decls, s, out))
}

/// Returns the function that an image begins with: the one of this name (with or without `@` and quotes), else `@main`,
/// else the first.
///
/// # Errors
/// There is no such function; the text has the reason.
pub fn find_entry(module: &Module, name: Option<&str>) -> Result<FuncId, String> {
    let defined = || module.funcs.iter().map(|(id, f)| (id, &*module.decls.syms[f.sym].name));
    let named = |name: &[u8]| defined().find(|(_, n)| *n == name).map(|(id, _)| id);
    let Some(name) = name else {
        let first = || module.funcs.iter().next().map(|(id, _)| id);
        return named(b"main")
            .or_else(first)
            .ok_or("the module defines no function: a flat image begins with one".into());
    };
    let bare = &name_of_argument('@', name)[..];
    named(bare).ok_or_else(|| {
        let shown = String::from_utf8_lossy(bare);
        if module.decls.syms.values().any(|s| *s.name == *bare) {
            return format!("@{shown} cannot be the entry: it is not a function with a body");
        }
        let hint = nearest_hint("@", bare, defined().map(|(_, n)| n));
        format!("there is no function @{shown}{hint}")
    })
}

/// Puts together the image of a module whose code was made for position-independent executables
/// ([`RelocModel::Pie`](crate::isa::x64::isel::RelocModel::Pie)). Positions let errors name the instruction.
///
/// # Errors
/// Everything that cannot be in an image, in the order of the source.
pub fn link(module: &Module, compiled: &CompiledModule, options: &FlatOptions) -> Result<FlatImage, Vec<Diagnostic>> {
    let data: Vec<DataId> = defined_data(module).collect();
    let mut errors = refuse::refuse(module, compiled, &data, options.base.is_some());
    let layout = layout::Layout::new(module, compiled, &data, options.entry);
    errors.extend(layout.too_large.clone());
    errors.extend(options.base.and_then(|base| layout.refuse_base(module, base)));
    if errors.is_empty() {
        return Ok(layout.fill(module, compiled, &data, options.base.unwrap_or(0)));
    }
    errors.sort_by_key(|d| d.span.map_or(u32::MAX, |s| s.start));
    Err(errors)
}
