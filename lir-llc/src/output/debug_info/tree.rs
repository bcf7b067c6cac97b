//! Writes the tree of entries: the unit and its functions. [`scopes`](super::scopes) has what is in a function.

use super::lines::{Line, Lines};
use super::{DebugSource, begin_of};
use crate::code::CompiledModule;
use crate::isa::x64::emit::FunctionCode;
use crate::variables::Variables;
use gimli::constants::{self, DwAt, DwTag};
use gimli::write::{AttributeValue, DwarfUnit, Expression, Range, RangeList, UnitEntryId};
use lir_syntax::ir::{AbiParam, EntityRef, FuncId, Function, Module, SecondaryMap, Sym, SymKind, Type};
use rustc_hash::FxHashMap;
use std::ops::Range as Offsets;

/// Writes the entries of a module.
pub(super) fn write<'a>(
    dwarf: &mut DwarfUnit,
    module: &'a Module,
    compiled: &CompiledModule,
    debug: &DebugSource<'_>,
    lines: &mut Lines<'a>,
) {
    let mut tree = Tree { dwarf, module, lines, abstract_of: SecondaryMap::new(), types: Types::default() };
    tree.unit(compiled, debug);
    for ((id, f), code) in module.funcs.iter().zip(&compiled.functions) {
        tree.function(compiled, id, f, code);
    }
}

/// The entries of types so far.
#[derive(Default)]
pub(super) struct Types {
    pub(super) scalars: [Option<UnitEntryId>; Type::ALL.len()],
    /// A byte.
    pub(super) byte: Option<UnitEntryId>,
    /// Arrays of bytes, by their number.
    pub(super) bytes: FxHashMap<u64, UnitEntryId>,
    /// By number of the debug type.
    pub(super) debug: Vec<UnitEntryId>,
    /// All aggregates of the module, as soon as one is needed.
    pub(super) aggregates: Vec<UnitEntryId>,
}

/// The tree while it is written.
pub(super) struct Tree<'t, 'a> {
    pub(super) dwarf: &'t mut DwarfUnit,
    pub(super) module: &'a Module,
    pub(super) lines: &'t mut Lines<'a>,
    /// The entry of each function that was inlined somewhere; its copies refer to it.
    abstract_of: SecondaryMap<Sym, Option<UnitEntryId>>,
    pub(super) types: Types,
}

impl Tree<'_, '_> {
    /// Returns the entry of the unit.
    pub(super) fn root(&self) -> UnitEntryId {
        self.dwarf.unit.root()
    }
    pub(super) fn set(&mut self, entry: UnitEntryId, name: DwAt, value: AttributeValue) {
        self.dwarf.unit.get_mut(entry).set(name, value);
    }
    pub(super) fn text(&mut self, entry: UnitEntryId, name: DwAt, text: &[u8]) {
        let text: Vec<u8> = text.iter().copied().filter(|c| *c != 0).collect();
        let id = self.dwarf.strings.add(text);
        self.set(entry, name, AttributeValue::StringRef(id));
    }
    pub(super) fn add(&mut self, parent: UnitEntryId, tag: DwTag) -> UnitEntryId {
        self.dwarf.unit.add(parent, tag)
    }

    fn unit(&mut self, compiled: &CompiledModule, debug: &DebugSource<'_>) {
        let root = self.root();
        self.text(root, constants::DW_AT_producer, concat!("LIR ", env!("CARGO_PKG_VERSION")).as_bytes());
        self.set(root, constants::DW_AT_language, AttributeValue::Language(constants::DW_LANG_C11));
        self.text(root, constants::DW_AT_name, &debug.unit(self.module));
        self.text(root, constants::DW_AT_comp_dir, debug.folder.as_bytes());
        let range = |(id, code): (FuncId, &FunctionCode)| Range::StartLength {
            begin: begin_of(id, 0),
            length: code.len.into(),
        };
        let ranges = self.module.funcs.keys().zip(&compiled.functions).map(range).collect();
        let ranges = self.dwarf.unit.ranges.add(RangeList(ranges));
        self.set(root, constants::DW_AT_ranges, AttributeValue::RangeListRef(ranges));
        self.set(root, constants::DW_AT_low_pc, AttributeValue::Address(gimli::write::Address::Constant(0)));
    }

    fn function(&mut self, compiled: &CompiledModule, id: FuncId, f: &Function, code: &FunctionCode) {
        let root = self.root();
        let entry = self.add(root, constants::DW_TAG_subprogram);
        let sym = &self.module.decls.syms[f.sym];
        self.text(entry, constants::DW_AT_name, &sym.name);
        if !sym.is_local() {
            self.set(entry, constants::DW_AT_external, AttributeValue::Flag(true));
        }
        if let Some(line) = self.lines.of_header(self.dwarf, f) {
            self.line(
                entry,
                [constants::DW_AT_decl_file, constants::DW_AT_decl_line, constants::DW_AT_decl_column],
                line,
            );
        }
        self.code(entry, id, std::slice::from_ref(&(0..code.len)));
        let mut base = Expression::new();
        base.op(constants::DW_OP_call_frame_cfa);
        self.set(entry, constants::DW_AT_frame_base, AttributeValue::Exprloc(base));
        let sig = self.module.decls.signature(f.sym);
        if let Some(result) = sig.and_then(|sig| sig.result) {
            let ty = match result {
                AbiParam::Scalar(ty, _) => self.scalar(ty),
                AbiParam::Agg(agg) => self.aggregate(agg.index()),
            };
            self.set(entry, constants::DW_AT_type, AttributeValue::UnitRef(ty));
        }
        let none = Variables::default();
        let variables = compiled.variables.get(id.index()).unwrap_or(&none);
        let scopes = self.scopes(compiled, entry, (id, f), (code, variables));
        self.variables(&scopes, (id, f), (variables, code.len));
    }
    pub(super) fn line(&mut self, entry: UnitEntryId, [file, line, column]: [DwAt; 3], at: Line) {
        self.set(entry, file, AttributeValue::FileIndex(Some(at.file)));
        self.set(entry, line, AttributeValue::Udata(at.line.into()));
        if at.column != 0 {
            self.set(entry, column, AttributeValue::Udata(at.column.into()));
        }
    }
    /// Gives an entry its code, which is not empty, by offsets in the function.
    pub(super) fn code(&mut self, entry: UnitEntryId, id: FuncId, ranges: &[Offsets<u32>]) {
        if let [one] = ranges {
            self.set(entry, constants::DW_AT_low_pc, AttributeValue::Address(begin_of(id, one.start)));
            self.set(entry, constants::DW_AT_high_pc, AttributeValue::Udata((one.end - one.start).into()));
            return;
        }
        let range =
            |r: &Offsets<u32>| Range::StartLength { begin: begin_of(id, r.start), length: (r.end - r.start).into() };
        let ranges = self.dwarf.unit.ranges.add(RangeList(ranges.iter().map(range).collect()));
        self.set(entry, constants::DW_AT_ranges, AttributeValue::RangeListRef(ranges));
    }

    /// Returns the entry of a function for its inlined copies.
    pub(super) fn abstract_entry(&mut self, sym: Sym) -> UnitEntryId {
        if let Some(entry) = self.abstract_of[sym] {
            return entry;
        }
        let root = self.root();
        let entry = self.add(root, constants::DW_TAG_subprogram);
        let module = self.module;
        self.text(entry, constants::DW_AT_name, &module.decls.syms[sym].name);
        self.set(entry, constants::DW_AT_inline, AttributeValue::Inline(constants::DW_INL_inlined));
        if let SymKind::Func { body: Some(body), .. } = module.decls.syms[sym].kind
            && let Some(line) = self.lines.of_header(self.dwarf, &module.funcs[body])
        {
            self.line(
                entry,
                [constants::DW_AT_decl_file, constants::DW_AT_decl_line, constants::DW_AT_decl_column],
                line,
            );
        }
        self.abstract_of[sym] = Some(entry);
        entry
    }
}
