//! Writes ELF relocatable objects.
//!
//! Sections: `.text`; `.rodata` with the jump tables and constants of the code and constant data without addresses;
//! `.data.rel.ro` for constant data with addresses; `.data`, `.bss`, `.tdata`, `.tbss`; sections that the module names.
//! Symbols are in the order of the given functions and data. Undefined symbols come after them in the order of first
//! reference, and only if there is one. The file depends on nothing else. `.eh_frame` describes every function for
//! unwinders.
//!
//! Source: System V ABI, AMD64 supplement, section 4.4 (relocation types), appendix B.2 (GOTPCRELX).

use super::debug_info::{self, DebugSection, DebugSource};
use super::placement::Placement;
use crate::code::CompiledModule;
use crate::isa::x64::eh_frame::eh_frame;
use crate::isa::x64::emit::{CodeBuffer, FunctionCode, RelocKind, RelocTarget};
use crate::output::defined_data;
use gimli::write::RelocationTarget;
use lir_syntax::ir::entity::SecondaryMap;
use lir_syntax::ir::{
    DataId, DataItem, DataObject, Decls, Linkage, Module, Section, Sym, SymData, SymKind, Visibility,
};
use object::elf;
use object::write::{Object, Relocation, SectionId, Symbol, SymbolId, SymbolSection};
use object::{
    Architecture, BinaryFormat, Endianness, FileFlags, RelocationFlags, SectionFlags, SectionKind, SymbolFlags,
    SymbolKind, SymbolScope,
};
use rustc_hash::FxHashMap;
use std::fmt;

/// A function of an object.
#[derive(Clone, Debug)]
pub struct ObjectFunction<'a> {
    /// Its symbol.
    pub sym: Sym,
    /// The section that it names.
    pub section: Option<&'a Section>,
    /// Its code in the buffer.
    pub code: &'a FunctionCode,
}

/// Options of the object of a module.
#[derive(Copy, Clone, Default)]
pub struct ObjectOptions<'a> {
    /// The text that debug information is about, if there is any; then the module was compiled with positions.
    pub debug: Option<&'a DebugSource<'a>>,
    /// True if the object gets no unwind tables: to an unwinder that reaches the code, the stack ends there.
    pub ends_unwinding: bool,
}

/// Returns the object of a compiled module.
///
/// # Errors
/// See [`ObjectError`].
pub fn write_module(
    module: &Module,
    compiled: &CompiledModule,
    options: &ObjectOptions<'_>,
) -> Result<Vec<u8>, ObjectError> {
    let placed = module.funcs.values().zip(&compiled.functions);
    let functions: Vec<ObjectFunction<'_>> =
        placed.map(|(f, code)| ObjectFunction { sym: f.sym, section: f.section.as_ref(), code }).collect();
    let data: Vec<DataId> = defined_data(module).collect();
    let m = ObjectModule { decls: &module.decls, code: &compiled.code, functions: &functions, data: &data };
    let debug = options.debug.map(|debug| debug_info::sections(module, compiled, debug)).transpose();
    let debug = debug.map_err(ObjectError::Write)?.unwrap_or_default();
    Ok(build(&m, debug, !options.ends_unwinding)?.write()?)
}

/// The input of the object writer.
#[derive(Copy, Clone, Debug)]
pub struct ObjectModule<'a> {
    /// Symbols and data.
    pub decls: &'a Decls,
    /// The code of all functions.
    pub code: &'a CodeBuffer,
    /// The functions, ascending by start in the buffer.
    pub functions: &'a [ObjectFunction<'a>],
    /// The data objects that are defined, in the order of the module's items.
    pub data: &'a [DataId],
}

/// The most bytes of initialised data in an object: the limit of one data object. Data of zeros alone takes no room in
/// the file and is not counted.
pub const MAX_DATA: u64 = lir_syntax::ir::module::MAX_OBJECT_SIZE;

/// The reason there is no object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ObjectError {
    /// A flag of a section that LIR cannot express.
    SectionFlag {
        /// The symbol that names the section.
        sym: Sym,
        /// The letter.
        flag: char,
    },
    /// More than [`MAX_DATA`] bytes of data that are not all zeros.
    TooLarge,
    /// The object writer refuses.
    Write(String),
}

impl fmt::Display for ObjectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ObjectError::SectionFlag { flag, .. } => write!(f, "unsupported section flag `{flag}`"),
            ObjectError::TooLarge => write!(f, "more than {MAX_DATA} bytes of initialised data"),
            ObjectError::Write(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for ObjectError {}

impl From<object::write::Error> for ObjectError {
    fn from(e: object::write::Error) -> ObjectError {
        ObjectError::Write(e.to_string())
    }
}

/// Returns an object that describes code in memory at an address, for debuggers: symbols, tables for unwinding, and
/// debug information. The module was compiled with positions.
///
/// # Errors
/// See [`ObjectError`].
pub fn write_image(
    module: &Module,
    compiled: &CompiledModule,
    debug: &DebugSource<'_>,
    address: u64,
) -> Result<Vec<u8>, ObjectError> {
    let placed = module.funcs.values().zip(&compiled.functions);
    let functions: Vec<_> = placed.map(|(f, code)| ObjectFunction { sym: f.sym, section: None, code }).collect();
    let m = ObjectModule { decls: &module.decls, code: &compiled.code, functions: &functions, data: &[] };
    let sections = debug_info::sections(module, compiled, debug).map_err(ObjectError::Write)?;
    let mut w = Writer::new(&m);
    let starts = w.functions()?;
    w.unwind_tables(&starts)?;
    w.debug_info(&starts, sections)?;
    let mut bytes = w.object.write()?;
    set_addresses(&mut bytes, address);
    Ok(bytes)
}

/// Sets the addresses of an object's loaded sections, one after the other, in its table of sections.
fn set_addresses(object: &mut [u8], address: u64) {
    let word = |object: &[u8], at: usize, len: usize| {
        object[at..at + len].iter().rev().fold(0_u64, |n, byte| n << 8 | u64::from(*byte))
    };
    // Fields of `Elf64_Ehdr` and of `Elf64_Shdr`.
    let (table, size, count) = (word(object, 40, 8), word(object, 58, 2), word(object, 60, 2));
    let mut next = address;
    for header in (0..count).map(|k| (table + k * size) as usize) {
        let is_loaded = word(object, header + 8, 8) & elf::SHF_ALLOC.0 != 0;
        if is_loaded {
            next = next.next_multiple_of(word(object, header + 48, 8).max(1));
            object[header + 16..header + 24].copy_from_slice(&next.to_le_bytes());
            next += word(object, header + 32, 8);
        }
    }
}

/// Returns the bytes of an object.
pub fn write(m: &ObjectModule<'_>) -> Result<Vec<u8>, ObjectError> {
    Ok(build(m, Vec::new(), true)?.write()?)
}

/// Puts an object together, with debug information, and with unwind tables if `unwinds` is true.
fn build<'a>(m: &ObjectModule<'a>, debug: Vec<DebugSection>, unwinds: bool) -> Result<Object<'a>, ObjectError> {
    let data = m.data.iter().map(|d| &m.decls.data[*d]);
    let in_file = data.filter(|d| !d.items.iter().all(|i| matches!(i, DataItem::Zero(_))));
    if in_file.map(|d| d.size()).fold(0, u64::saturating_add) > MAX_DATA {
        return Err(ObjectError::TooLarge);
    }
    let mut w = Writer::new(m);
    let starts = w.functions()?;
    let tables = w.tables(&starts)?;
    let data = w.data()?;
    w.aliases();
    w.code_relocations(&starts, tables)?;
    w.data_relocations(&data)?;
    if unwinds {
        w.unwind_tables(&starts)?;
    }
    w.debug_info(&starts, debug)?;
    if w.sections.keys().any(|(_, _, flags)| flags & elf::SHF_GNU_RETAIN.0 != 0) {
        // The flag is one of GNU's.
        w.object.flags = FileFlags::Elf { os_abi: elf::ELFOSABI_GNU, abi_version: 0, e_flags: elf::FileFlags(0) };
    }
    let note = w.section(Placement::NOTE_GNU_STACK);
    w.object.set_section_data(note, &[][..], 1);
    Ok(w.object)
}

/// Returns the scope of a defined symbol. Protected visibility is in its [flags], since no scope expresses it.
fn scope(sym: &SymData) -> SymbolScope {
    match (sym.linkage, sym.visibility) {
        (Linkage::Local, _) => SymbolScope::Compilation,
        (_, Visibility::Hidden) => SymbolScope::Linkage,
        (_, Visibility::Default | Visibility::Protected) => SymbolScope::Dynamic,
    }
}

fn is_weak(sym: &SymData) -> bool {
    matches!(sym.linkage, Linkage::Weak | Linkage::LinkOnce)
}

/// Returns the flags of a defined symbol, for properties that the object writer cannot express otherwise.
fn flags(sym: &SymData, kind: SymbolKind) -> SymbolFlags<SectionId, SymbolId> {
    if sym.visibility != Visibility::Protected {
        return SymbolFlags::None;
    }
    let ty = match kind {
        SymbolKind::Text => elf::STT_FUNC,
        SymbolKind::Tls => elf::STT_TLS,
        _ => elf::STT_OBJECT,
    };
    let binding = if is_weak(sym) { elf::STB_WEAK } else { elf::STB_GLOBAL };
    SymbolFlags::Elf { st_info: binding | ty, st_other: elf::STV_PROTECTED.into() }
}

/// A section and an offset in it.
type SectionOffset = (SectionId, u64);

struct Writer<'a> {
    m: ObjectModule<'a>,
    object: Object<'a>,
    /// Symbols of the module that are in the object.
    symbols: SecondaryMap<Sym, Option<SymbolId>>,
    /// Functions of the run-time library that are in the object.
    runtime: FxHashMap<&'static str, SymbolId>,
    /// Sections by name, type and flags.
    sections: FxHashMap<(Box<[u8]>, u32, u64), SectionId>,
}

const CONSTANTS_ALIGN: u64 = 16;
const TABLES_ALIGN: u64 = 4;

impl<'a> Writer<'a> {
    /// Returns an object without sections.
    fn new(m: &ObjectModule<'a>) -> Writer<'a> {
        Writer {
            m: *m,
            object: Object::new(BinaryFormat::Elf, Architecture::X86_64, Endianness::Little),
            symbols: SecondaryMap::with_len(None, m.decls.syms.len()),
            runtime: FxHashMap::default(),
            sections: FxHashMap::default(),
        }
    }
    /// Returns the section of the object for a placement.
    fn section(&mut self, p: Placement<'_>) -> SectionId {
        let key = (Box::from(p.name), p.sh_type, p.sh_flags);
        if let Some(id) = self.sections.get(&key) {
            return *id;
        }
        let id = self.object.add_section(Vec::new(), p.name.to_vec(), p.kind);
        *self.object.section_flags_mut(id) =
            SectionFlags::Elf { sh_type: elf::SectionType(p.sh_type), sh_flags: elf::SectionFlags(p.sh_flags) };
        self.sections.insert(key, id);
        id
    }

    /// Puts the code into its sections. Returns where each function is.
    fn functions(&mut self) -> Result<Vec<SectionOffset>, ObjectError> {
        let m = self.m;
        let text = self.section(Placement::TEXT);
        let in_text = m.functions.iter().all(|f| f.section.is_none());
        if in_text {
            let align = m.functions.iter().map(|f| f.code.align).max().unwrap_or(1);
            self.object.set_section_data(text, m.code.bytes(), u64::from(align));
        }
        let mut starts = Vec::with_capacity(m.functions.len());
        for f in m.functions {
            let section = match f.section {
                Some(_) => self.section(Placement::of_function(f.section).map_err(refused(f.sym))?),
                None => text,
            };
            let offset = if in_text {
                f.code.start as u64
            } else {
                let bytes = &m.code.bytes()[f.code.start as usize..][..f.code.len as usize];
                self.object.append_section_data(section, bytes, u64::from(f.code.align))
            };
            starts.push((section, offset));
            self.define(f.sym, SymbolKind::Text, (section, offset), f.code.len as u64);
        }
        Ok(starts)
    }

    /// Adds a symbol that is defined here.
    fn define(&mut self, sym: Sym, kind: SymbolKind, (section, value): SectionOffset, size: u64) {
        let data = &self.m.decls.syms[sym];
        let id = self.object.add_symbol(Symbol {
            name: data.name.to_vec(),
            value,
            size,
            kind,
            scope: scope(data),
            weak: is_weak(data),
            section: SymbolSection::Section(section),
            flags: flags(data, kind),
        });
        self.symbols[sym] = Some(id);
    }

    /// Adds the aliases.
    fn aliases(&mut self) {
        let decls = self.m.decls;
        for (_, alias) in decls.aliases.all() {
            let Some(target) = self.symbols[alias.target] else { continue };
            let of = self.object.symbol(target);
            let (value, size, kind) = (of.value, of.size, of.kind);
            let SymbolSection::Section(section) = of.section else { continue };
            // The alias covers the rest of its object.
            let size = size.saturating_sub(u64::try_from(alias.offset).unwrap_or(0));
            self.define(alias.sym, kind, (section, value.wrapping_add_signed(alias.offset)), size);
        }
    }

    /// Adds a symbol that is undefined here.
    fn undefined(&mut self, name: &[u8], kind: SymbolKind, weak: bool) -> SymbolId {
        self.object.add_symbol(Symbol {
            name: name.to_vec(),
            value: 0,
            size: 0,
            kind,
            scope: SymbolScope::Unknown,
            weak,
            section: SymbolSection::Undefined,
            flags: SymbolFlags::None,
        })
    }

    /// Returns the object's symbol for one of the module.
    fn symbol(&mut self, sym: Sym) -> SymbolId {
        if let Some(id) = self.symbols[sym] {
            return id;
        }
        let data = &self.m.decls.syms[sym];
        let kind = match &data.kind {
            SymKind::Func { .. } => SymbolKind::Text,
            SymKind::Data(d) if self.m.decls.data[*d].thread => SymbolKind::Tls,
            SymKind::Data(_) => SymbolKind::Data,
        };
        let known = self.runtime.get(std::str::from_utf8(&data.name).unwrap_or("")).copied();
        let id = known.unwrap_or_else(|| self.undefined(&data.name, kind, is_weak(data)));
        self.symbols[sym] = Some(id);
        id
    }

    /// Returns the object's symbol for a function of the run-time library: the module's symbol of this name, unless it
    /// is local.
    fn runtime_symbol(&mut self, name: &'static str) -> SymbolId {
        if let Some(id) = self.runtime.get(name) {
            return *id;
        }
        let mut syms = self.m.decls.syms.iter();
        let declared = syms.find(|(_, s)| !s.is_local() && *s.name == *name.as_bytes()).map(|(sym, _)| sym);
        let id = match declared {
            Some(sym) => self.symbol(sym),
            None => self.undefined(name.as_bytes(), SymbolKind::Text, false),
        };
        self.runtime.insert(name, id);
        id
    }

    /// Puts the jump tables into `.rodata`, at its start. Returns their offset there.
    fn tables(&mut self, starts: &[SectionOffset]) -> Result<u64, ObjectError> {
        let m = self.m;
        if m.code.tables.is_empty() {
            return Ok(0);
        }
        let rodata = self.section(Placement::RODATA);
        let tables = self.object.append_section_data(rodata, &vec![0; m.code.tables.size()], TABLES_ALIGN);
        let flags = RelocationFlags::Elf { r_type: elf::R_X86_64_PC32 };
        let mut k = 0;
        for (at, in_table, target) in m.code.tables.entries() {
            while k + 1 < m.functions.len() && m.functions[k + 1].code.start <= target {
                k += 1;
            }
            let (section, function) = starts[k];
            let symbol = self.object.section_symbol(section);
            let target = function + (target - m.functions[k].code.start) as u64;
            // The relocation counts from the entry, the jump from the start of its table.
            let (offset, addend) = (tables + at as u64, target as i64 + in_table as i64);
            self.object.add_relocation(rodata, Relocation { offset, symbol, addend, flags })?;
        }
        Ok(tables)
    }

    /// Adds the relocations of the code. Constants are laid out first in `.rodata`.
    fn code_relocations(&mut self, starts: &[SectionOffset], tables: u64) -> Result<(), ObjectError> {
        let m = self.m;
        let (offsets, bytes) = m.code.consts.lay_out();
        let constants = if bytes.is_empty() {
            None
        } else {
            let rodata = self.section(Placement::RODATA);
            let at = self.object.append_section_data(rodata, &bytes, CONSTANTS_ALIGN);
            Some((self.object.section_symbol(rodata), at as i64))
        };
        let mut k = 0;
        for r in &m.code.relocs {
            while k + 1 < m.functions.len() && m.functions[k + 1].code.start <= r.offset {
                k += 1;
            }
            let (symbol, addend) = match (r.target, constants) {
                (RelocTarget::Sym(s), _) => (self.symbol(s), r.addend),
                (RelocTarget::Runtime(name), _) => (self.runtime_symbol(name), r.addend),
                (RelocTarget::Table(n), _) => {
                    let rodata = self.section(Placement::RODATA);
                    let at = tables as i64 + m.code.tables.offset(n) as i64;
                    (self.object.section_symbol(rodata), r.addend + at)
                }
                (RelocTarget::Const(c), Some((symbol, at))) => (symbol, r.addend + at + offsets[c as usize] as i64),
                (RelocTarget::Const(_), None) => {
                    return Err(ObjectError::Write("a reference to a constant that is not in the pool".into()));
                }
            };
            let (section, start) = starts[k];
            let offset = start + (r.offset - m.functions[k].code.start) as u64;
            let flags = RelocationFlags::Elf { r_type: relocation_type(r.kind) };
            self.object.add_relocation(section, Relocation { offset, symbol, addend, flags })?;
        }
        Ok(())
    }

    /// Puts the data into its sections. Returns where each object is.
    fn data(&mut self) -> Result<Vec<SectionOffset>, ObjectError> {
        let m = self.m;
        let mut starts = Vec::with_capacity(m.data.len());
        let mut bytes = Vec::new();
        for &d in m.data {
            let data = &m.decls.data[d];
            let placement = Placement::of_data(data).map_err(refused(data.sym))?;
            let section = self.section(placement);
            let start = if self.object.section(section).is_bss() {
                self.object.append_section_bss(section, data.size(), data.align())
            } else {
                bytes.clear();
                contents(data, &mut bytes);
                self.object.append_section_data(section, &bytes, data.align())
            };
            let kind = if data.thread { SymbolKind::Tls } else { SymbolKind::Data };
            self.define(data.sym, kind, (section, start), data.size());
            starts.push((section, start));
        }
        Ok(starts)
    }

    /// Adds the relocations of addresses in data.
    fn data_relocations(&mut self, starts: &[SectionOffset]) -> Result<(), ObjectError> {
        let m = self.m;
        for (&d, &(section, start)) in m.data.iter().zip(starts) {
            let mut offset = start;
            for item in &m.decls.data[d].items {
                if let DataItem::Addr(sym, addend) = *item {
                    let symbol = self.symbol(sym);
                    let flags = RelocationFlags::Elf { r_type: elf::R_X86_64_64 };
                    self.object.add_relocation(section, Relocation { offset, symbol, addend, flags })?;
                }
                offset += item.size();
            }
        }
        Ok(())
    }

    /// Adds `.eh_frame`. A function in a section that is not loaded has no entry.
    fn unwind_tables(&mut self, starts: &[SectionOffset]) -> Result<(), ObjectError> {
        let m = self.m;
        let loaded = |w: &Self, section: SectionId| match w.object.section(section).flags {
            SectionFlags::Elf { sh_flags, .. } => sh_flags.0 & elf::SHF_ALLOC.0 != 0,
            _ => true,
        };
        let (mut kept, mut at) = (Vec::with_capacity(starts.len()), Vec::with_capacity(starts.len()));
        for (f, &start) in m.functions.iter().zip(starts).filter(|(_, start)| loaded(self, start.0)) {
            kept.push(f.code);
            at.push(start);
        }
        let tables = eh_frame(m.code, kept.into_iter());
        if tables.code_fields.is_empty() {
            return Ok(());
        }
        let section = self.section(Placement::EH_FRAME);
        self.object.set_section_data(section, tables.bytes, 8);
        let flags = RelocationFlags::Elf { r_type: elf::R_X86_64_PC32 };
        for (field, (code, start)) in tables.code_fields.into_iter().zip(at) {
            let symbol = self.object.section_symbol(code);
            let relocation = Relocation { offset: field as u64, symbol, addend: start as i64, flags };
            self.object.add_relocation(section, relocation)?;
        }
        Ok(())
    }
}

impl Writer<'_> {
    /// Adds the sections of debug information.
    fn debug_info(&mut self, starts: &[SectionOffset], sections: Vec<DebugSection>) -> Result<(), ObjectError> {
        let added: Vec<(&str, SectionId, Vec<_>)> = sections
            .into_iter()
            .map(|s| {
                let id = self.object.add_section(Vec::new(), s.name.into(), SectionKind::Debug);
                self.object.set_section_data(id, s.bytes, 1);
                (s.name, id, s.relocations)
            })
            .collect();
        for (_, id, relocations) in &added {
            for r in relocations {
                let (section, base) = match r.target {
                    RelocationTarget::Symbol(function) => starts[function],
                    RelocationTarget::Section(target) => {
                        let found = added.iter().find(|(name, ..)| *name == target.name());
                        let Some((_, target, _)) = found else { continue };
                        (*target, 0)
                    }
                };
                let symbol = self.object.section_symbol(section);
                let r_type = if r.size == 8 { elf::R_X86_64_64 } else { elf::R_X86_64_32 };
                let (offset, addend) = (r.offset as u64, r.addend + base as i64);
                let flags = RelocationFlags::Elf { r_type };
                self.object.add_relocation(*id, Relocation { offset, symbol, addend, flags })?;
            }
        }
        Ok(())
    }
}

/// Returns the error for a flag of the section that `sym` names.
fn refused(sym: Sym) -> impl Fn(char) -> ObjectError {
    move |flag| ObjectError::SectionFlag { sym, flag }
}

/// Appends the bytes of a data object; addresses are zeros, to be relocated.
fn contents(data: &DataObject, out: &mut Vec<u8>) {
    for item in &data.items {
        match item {
            DataItem::Scalar(t, payload) => out.extend_from_slice(&payload.to_le_bytes()[..t.bytes() as usize]),
            DataItem::Wide(halves) => halves.iter().for_each(|half| out.extend_from_slice(&half.to_le_bytes())),
            DataItem::Addr(..) => out.extend_from_slice(&[0; 8]),
            DataItem::Str(s) => out.extend_from_slice(s),
            DataItem::Zero(n) => out.resize(out.len() + *n as usize, 0),
        }
    }
}

/// Returns the type of a relocation.
fn relocation_type(kind: RelocKind) -> elf::RelocationType {
    match kind {
        RelocKind::Pc32 => elf::R_X86_64_PC32,
        RelocKind::Plt32 => elf::R_X86_64_PLT32,
        RelocKind::GotPcRel { relaxable: false, .. } => elf::R_X86_64_GOTPCREL,
        RelocKind::GotPcRel { relaxable: true, rex: false } => elf::R_X86_64_GOTPCRELX,
        RelocKind::GotPcRel { relaxable: true, rex: true } => elf::R_X86_64_REX_GOTPCRELX,
        RelocKind::TpOff32 => elf::R_X86_64_TPOFF32,
        RelocKind::GotTpOff => elf::R_X86_64_GOTTPOFF,
        RelocKind::TlsGd => elf::R_X86_64_TLSGD,
        RelocKind::Abs64 => elf::R_X86_64_64,
    }
}
