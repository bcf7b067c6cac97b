//! Lays out a flat image and fills it in.

use super::refuse::{declaration, runtime_function};
use super::{FlatImage, FlatSegment, FlatSymbol, MAX_IMAGE, PAGE, name_of};
use crate::code::CompiledModule;
use crate::isa::x64::emit::{Reloc, RelocKind, RelocTarget};
use crate::output::is_zero;
use lir_syntax::ir::{DataId, DataItem, DataObject, EntityRef, FuncId, Module, SecondaryMap, Sym};
use lir_syntax::text::diagnostic::Diagnostic;
use rustc_hash::FxHashMap;
use std::ops::Range;

const CONSTANTS_ALIGN: u64 = 16;
const TABLES_ALIGN: u64 = 4;
/// Between functions: `int3`.
const FILLER: u8 = 0xcc;

/// The layout of an image.
#[derive(Default)]
pub(super) struct Layout {
    segments: Vec<(FlatSegment, Range<u64>)>,
    symbols: Vec<FlatSymbol>,
    /// The offset of every symbol that is defined.
    at: SecondaryMap<Sym, u64>,
    /// The start of the code's constants, by number, and their bytes.
    constants_at: u64,
    constants: (Vec<u32>, Vec<u8>),
    /// The start of the jump tables.
    tables_at: u64,
    /// The largest alignment that an address in the image relies on, and its owner: a symbol or the code's constants.
    align: (u64, Option<Sym>),
    /// The end of the layout so far.
    end: u64,
    /// The diagnostic of the first thing that makes the image too large.
    pub(super) too_large: Option<Diagnostic>,
}

impl Layout {
    /// Lays out everything.
    pub(super) fn new(module: &Module, compiled: &CompiledModule, data: &[DataId], entry: FuncId) -> Layout {
        let mut l = Layout { constants: compiled.code.consts.lay_out(), align: (1, None), ..Layout::default() };
        let others = module.funcs.keys().filter(|k| *k != entry);
        for k in std::iter::once(entry).chain(others) {
            let code = &compiled.functions[k.index()];
            l.symbol(module, module.funcs[k].sym, FlatSegment::Code, u64::from(code.len), u64::from(code.align));
        }
        if !l.constants.1.is_empty() {
            l.align = (CONSTANTS_ALIGN, None);
            l.constants_at = l.take(FlatSegment::ReadOnly, l.constants.1.len() as u64, CONSTANTS_ALIGN);
        }
        if !compiled.code.tables.is_empty() {
            l.tables_at = l.take(FlatSegment::ReadOnly, compiled.code.tables.size() as u64, TABLES_ALIGN);
        }
        for segment in [FlatSegment::ReadOnly, FlatSegment::Data, FlatSegment::Zero] {
            for d in data.iter().map(|d| &module.decls.data[*d]).filter(|d| segment_of(d) == Some(segment)) {
                l.symbol(module, d.sym, segment, d.size(), d.align());
                if d.align() > l.align.0 {
                    l.align = (d.align(), Some(d.sym));
                }
            }
        }
        for (_, alias) in module.decls.aliases.all() {
            l.at[alias.sym] = l.at[alias.target].wrapping_add_signed(alias.offset);
        }
        l
    }

    /// Gives a symbol its offset.
    fn symbol(&mut self, module: &Module, sym: Sym, segment: FlatSegment, size: u64, align: u64) {
        let offset = self.take(segment, size, align);
        self.at[sym] = offset;
        self.symbols.push(FlatSymbol { sym, offset, size, segment });
        if self.end > MAX_IMAGE && self.too_large.is_none() {
            let message =
                format!("with {} the flat image exceeds the supported {MAX_IMAGE} bytes", name_of(module, sym));
            self.too_large = Some(Diagnostic::new(declaration(module, sym), message));
        }
    }

    /// Takes room at the end of the layout. Distinct objects have distinct addresses.
    fn take(&mut self, segment: FlatSegment, size: u64, align: u64) -> u64 {
        let new = self.segments.last().is_none_or(|(last, _)| *last != segment);
        let first_written =
            segment >= FlatSegment::Data && self.segments.last().is_none_or(|(last, _)| *last < FlatSegment::Data);
        let align = if first_written { align.max(PAGE) } else { align };
        let at = self.end.checked_next_multiple_of(align).unwrap_or(u64::MAX);
        self.end = at.saturating_add(size.max(1));
        match self.segments.last_mut() {
            Some((_, range)) if !new => range.end = self.end,
            _ => self.segments.push((segment, at..self.end)),
        }
        at
    }

    /// Returns the error of an address for the image, if there is one.
    pub(super) fn refuse_base(&self, module: &Module, base: u64) -> Option<Diagnostic> {
        let (align, of) = self.align;
        if !base.is_multiple_of(align) {
            let what = of.map_or_else(|| "its constants are".to_string(), |s| format!("{} is", name_of(module, s)));
            let message = format!("the image cannot be at {base:#x}: {what} aligned to {align}");
            let below = base - base % align;
            let above = below.checked_add(align).filter(|above| above - base < base - below);
            let help = format!("{:#x} is a multiple of {align}", above.unwrap_or(below));
            return Some(Diagnostic::new(of.and_then(|s| declaration(module, s)), message).help(help, Vec::new()));
        }
        // The last byte may have the last address.
        let last = self.end.saturating_sub(1);
        base.checked_add(last).is_none().then(|| {
            let message = format!("the image of {} bytes at {base:#x} reaches beyond the last address", self.end);
            Diagnostic::new(None, message)
        })
    }

    /// Returns the image. The module must have nothing that is refused.
    pub(super) fn fill(self, module: &Module, compiled: &CompiledModule, data: &[DataId], base: u64) -> FlatImage {
        let mut bytes = vec![0; self.end as usize];
        let code_end = self.segments.first().map_or(0, |(_, code)| code.end as usize);
        bytes[..code_end].fill(FILLER);
        for (f, code) in module.funcs.values().zip(&compiled.functions) {
            let from = &compiled.code.bytes()[code.start as usize..][..code.len as usize];
            put(&mut bytes, self.at[f.sym], from);
        }
        put(&mut bytes, self.constants_at, &self.constants.1);
        self.tables(module, compiled, &mut bytes);
        for d in data.iter().map(|d| &module.decls.data[*d]) {
            self.data(d, base, &mut bytes);
        }
        let mut runtime = FxHashMap::default();
        let mut k = 0;
        for r in &compiled.code.relocs {
            while compiled.functions.get(k + 1).is_some_and(|f| f.start <= r.offset) {
                k += 1;
            }
            let function = self.at[module.funcs[FuncId::new(k)].sym];
            let at = function + u64::from(r.offset - compiled.functions[k].start);
            let target = match r.target {
                RelocTarget::Sym(s) => self.at[s],
                RelocTarget::Runtime(name) => {
                    *runtime.entry(name).or_insert_with(|| runtime_function(module, name).map_or(0, |s| self.at[s]))
                }
                RelocTarget::Table(n) => self.tables_at + u64::from(compiled.code.tables.offset(n)),
                RelocTarget::Const(c) => self.constants_at + u64::from(self.constants.0[c as usize]),
            };
            relocate(r, at, target, base, &mut bytes);
        }
        FlatImage { bytes, segments: self.segments, symbols: self.symbols }
    }

    /// Writes the jump tables.
    fn tables(&self, module: &Module, compiled: &CompiledModule, bytes: &mut [u8]) {
        let mut k = 0;
        for (at_in_tables, in_table, target) in compiled.code.tables.entries() {
            while compiled.functions.get(k + 1).is_some_and(|f| f.start <= target) {
                k += 1;
            }
            let function = self.at[module.funcs[FuncId::new(k)].sym];
            let target = function + u64::from(target - compiled.functions[k].start);
            let at = self.tables_at + u64::from(at_in_tables);
            // Images are smaller than 2 GiB.
            let distance = target.wrapping_sub(at - u64::from(in_table)) as u32;
            put(bytes, at, &distance.to_le_bytes());
        }
    }

    /// Writes a data object over zeros.
    fn data(&self, d: &DataObject, base: u64, bytes: &mut [u8]) {
        let mut at = self.at[d.sym];
        for item in &d.items {
            match item {
                DataItem::Scalar(t, payload) => put(bytes, at, &payload.to_le_bytes()[..t.bytes() as usize]),
                DataItem::Wide(halves) => put(bytes, at, &DataItem::of_halves(*halves).to_le_bytes()),
                DataItem::Addr(to, addend) => {
                    let address = base.wrapping_add(self.at[*to]).wrapping_add_signed(*addend);
                    put(bytes, at, &address.to_le_bytes());
                }
                DataItem::Str(s) => put(bytes, at, s),
                DataItem::Zero(_) => {}
            }
            at += item.size();
        }
    }
}

/// Fills in a reference of the code, at offset `at`, to `target`.
fn relocate(r: &Reloc, at: u64, target: u64, base: u64, bytes: &mut [u8]) {
    let target = target.wrapping_add_signed(r.addend);
    match r.kind {
        // Images are smaller than 2 GiB.
        RelocKind::Pc32 | RelocKind::Plt32 => put(bytes, at, &(target.wrapping_sub(at) as u32).to_le_bytes()),
        RelocKind::Abs64 => put(bytes, at, &base.wrapping_add(target).to_le_bytes()),
        RelocKind::GotPcRel { .. } | RelocKind::TpOff32 | RelocKind::GotTpOff | RelocKind::TlsGd => {
            unreachable!("in code for executables only symbols outside and thread data are reached so")
        }
    }
}

/// Returns the segment of a data object. None for thread data.
fn segment_of(d: &DataObject) -> Option<FlatSegment> {
    match (d.thread, d.constant) {
        (true, _) => None,
        (false, true) => Some(FlatSegment::ReadOnly),
        (false, false) if d.items.iter().all(is_zero) => Some(FlatSegment::Zero),
        (false, false) => Some(FlatSegment::Data),
    }
}

fn put(bytes: &mut [u8], at: u64, what: &[u8]) {
    bytes[at as usize..][..what.len()].copy_from_slice(what);
}
