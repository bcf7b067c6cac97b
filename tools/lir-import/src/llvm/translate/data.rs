//! The contents of variables: the bytes of their initialisers, and the addresses in them.

use super::super::ast::{Constant, Global, Linkage, Operand, Program, Value, Variable};
use super::super::types::{Kind, Ty};
use super::fold::{self, Folded};
use super::relative;
use super::symbols::Symbols;
use lir_syntax::ir::module::MAX_OBJECT_SIZE;
use lir_syntax::ir::{self, DataItem, DataObject, Item, Module, Section, SymData, SymKind, Type};
use lir_syntax::text::diagnostic::Diagnostic;

/// Gives a variable its contents. LLVM's own variables become data in sections that the linker knows.
pub(super) fn define(
    program: &Program,
    symbols: &Symbols<'_>,
    module: &mut Module,
    variable: &Variable,
) -> Result<(), Diagnostic> {
    let refuse = |reason: String| Diagnostic::new(variable.span, reason);
    let Some(value) = variable.value else { return Ok(()) };
    match program.globals.get(variable.name) {
        // No pass removes a symbol that other modules may name. A local symbol may be removed: the variable keeps
        // nothing alive.
        b"llvm.used" | b"llvm.compiler.used" => return Ok(()),
        b"llvm.global_ctors" => {
            return functions_at_start(program, symbols, module, value, b".init_array").map_err(refuse);
        }
        b"llvm.global_dtors" => {
            return functions_at_start(program, symbols, module, value, b".fini_array").map_err(refuse);
        }
        name if name.starts_with(b"llvm.") => {
            return Err(refuse(format!("the variable `@{}` is not supported", String::from_utf8_lossy(name))));
        }
        _ => {}
    }
    if variable.symbol.linkage == Linkage::AvailableExternally {
        return Ok(());
    }
    let Ok((sym, 0)) = symbols.address(variable.name) else { return Ok(()) };
    let Some(&SymKind::Data(data)) = module.decls.syms.get(sym).map(|s| &s.kind) else { return Ok(()) };
    let size = program.types.layout(variable.ty).size;
    if size > MAX_OBJECT_SIZE {
        return Err(refuse("the variable is too large".into()));
    }
    let is_relative = symbols.relative_tables.contains(variable.name);
    let mut contents = Contents { program, symbols, module, items: Vec::new() };
    match is_relative {
        true => contents.addresses(variable.name, value),
        false => contents.value(variable.ty, value),
    }
    .map_err(refuse)?;
    let items = contents.items;
    if is_relative {
        let align = &mut module.decls.data[data].explicit_align;
        *align = align.map(|align| align.max(relative::ADDRESS));
    }
    module.decls.data[data].items = if items.is_empty() { vec![DataItem::Zero(0)] } else { items };
    Ok(())
}

/// The most elements of a splat in data.
const MAX_SPLAT: usize = 1 << 20;

/// The contents of a variable in progress.
struct Contents<'a> {
    program: &'a Program,
    symbols: &'a Symbols<'a>,
    module: &'a Module,
    items: Vec<DataItem>,
}

impl Contents<'_> {
    fn zeros(&mut self, bytes: u64) {
        match self.items.last_mut() {
            Some(DataItem::Zero(n)) => *n += bytes,
            _ if bytes > 0 => self.items.push(DataItem::Zero(bytes)),
            _ => {}
        }
    }

    /// Adds the bytes of a constant. The limit on the nesting of constants bounds the recursion.
    fn value(&mut self, ty: Ty, value: Value) -> Result<(), String> {
        let layout = self.program.types.layout(ty);
        let constant = match value {
            Value::Zero | Value::Undef | Value::Poison => {
                self.zeros(layout.size);
                return Ok(());
            }
            Value::Const(c) => &self.program.constants[c],
            _ => return self.scalar(ty, value),
        };
        match constant {
            Constant::Bytes(bytes) => {
                self.items.push(DataItem::Str(bytes.clone()));
                match self.program.types.kind(ty) {
                    Kind::Array { len, .. } if *len == bytes.len() as u64 => Ok(()),
                    _ => Err("the string and its type have different lengths".into()),
                }
            }
            Constant::List(list) => {
                let elements = &self.program.operands[list.range()];
                self.elements(ty, elements)
            }
            Constant::Splat(element) => self.splat(ty, element),
            _ => self.scalar(ty, value),
        }
    }

    /// Adds the addresses of a table of differences.
    fn addresses(&mut self, table: Global, value: Value) -> Result<(), String> {
        for address in relative::differences(self.program, table, value).into_iter().flatten() {
            self.scalar(Ty::ptr(), address.value)?;
        }
        Ok(())
    }

    fn elements(&mut self, ty: Ty, elements: &[Operand]) -> Result<(), String> {
        let types = &self.program.types;
        let size = types.layout(ty).size;
        let mut done = 0;
        let count = match types.kind(ty) {
            Kind::Struct { fields, .. } => fields.len() as u64,
            Kind::Array { len, .. } | Kind::Vector { len, .. } => *len,
            _ => return Err("the type has no members".into()),
        };
        if count != elements.len() as u64 {
            return Err("the constant and its type have different numbers of members".into());
        }
        if let Some(bits) = types.packed_element(ty) {
            let elements: Result<Vec<u128>, String> = elements.iter().map(|e| self.bits(e)).collect();
            self.packed(ty, bits, elements?.into_iter());
            return Ok(());
        }
        // One walk over the members, instead of a search for each.
        let is_packed = matches!(types.kind(ty), Kind::Struct { packed: true, .. });
        for element in elements {
            let layout = types.layout(element.ty);
            if !is_packed {
                let at = u64::next_multiple_of(done, layout.align.max(1));
                self.zeros(at - done);
                done = at;
            }
            self.value(element.ty, element.value)?;
            done += layout.size;
        }
        match size.checked_sub(done) {
            Some(rest) => {
                self.zeros(rest);
                Ok(())
            }
            None => Err("a member of the constant and the same member of its type have different types".into()),
        }
    }

    /// Adds a vector of equal elements.
    fn splat(&mut self, ty: Ty, element: &Operand) -> Result<(), String> {
        let types = &self.program.types;
        let Kind::Vector { len, .. } = *types.kind(ty) else { return Err("a splat must be a vector".into()) };
        let value = fold::fold(self.program, self.symbols, element.ty, element.value)?;
        if value == Folded::Bits(0) {
            self.zeros(types.layout(ty).size);
            return Ok(());
        }
        let Some(count) = usize::try_from(len).ok().filter(|count| *count <= MAX_SPLAT) else {
            return Err(format!("a splat of more than {MAX_SPLAT} elements is not supported"));
        };
        match (value, types.packed_element(ty)) {
            (Folded::Bits(bits), Some(width)) => self.packed(ty, width, std::iter::repeat_n(bits, count)),
            _ => return self.elements(ty, &vec![*element; count]),
        }
        Ok(())
    }

    /// Returns the bits of an integer.
    fn bits(&self, element: &Operand) -> Result<u128, String> {
        match fold::fold(self.program, self.symbols, element.ty, element.value)? {
            Folded::Bits(bits) => Ok(bits),
            Folded::Address(..) => Err("an address needs a type of 64 bits".into()),
        }
    }

    /// Adds a vector of integers whose elements follow each other without padding bits.
    fn packed(&mut self, ty: Ty, width: u32, elements: impl Iterator<Item = u128>) {
        let layout = self.program.types.layout(ty);
        let mut bytes = vec![0u8; layout.stored as usize];
        for (element, start) in elements.zip((0..).step_by(width as usize)) {
            for k in (0..width as usize).filter(|k| *k < 128 && element >> k & 1 != 0) {
                let at: usize = start + k;
                if let Some(byte) = bytes.get_mut(at / 8) {
                    *byte |= 1 << (at % 8);
                }
            }
        }
        self.items.push(DataItem::Str(bytes.into()));
        self.zeros(layout.size - layout.stored);
    }

    fn scalar(&mut self, ty: Ty, value: Value) -> Result<(), String> {
        let layout = self.program.types.layout(ty);
        if let Value::Const(c) = value
            && let Constant::OtherFloat(bits) = self.program.constants[c]
        {
            return self.other_float(ty, bits);
        }
        match fold::fold(self.program, self.symbols, ty, value)? {
            Folded::Address(sym, offset) => {
                if layout.stored != 8 {
                    return Err("an address needs a type of 64 bits".into());
                }
                if self.module.decls.data_of(sym).is_some_and(|d| d.thread) {
                    return Err("the address of a thread-local variable is not a constant".into());
                }
                self.items.push(DataItem::Addr(sym, offset));
            }
            Folded::Bits(bits) => {
                let exact = match self.program.types.kind(ty) {
                    Kind::Float => Some(Type::F32),
                    Kind::Double => Some(Type::F64),
                    Kind::Int(8) => Some(Type::I8),
                    Kind::Int(16) => Some(Type::I16),
                    Kind::Int(32) => Some(Type::I32),
                    Kind::Int(64) | Kind::Ptr(_) => Some(Type::I64),
                    _ => None,
                };
                match exact {
                    Some(scalar) => self.items.push(DataItem::Scalar(scalar, scalar.constant_payload(bits as u64))),
                    None if layout.stored <= 16 => {
                        let bytes = &bits.to_le_bytes()[..layout.stored as usize];
                        self.items.push(DataItem::Str(bytes.into()));
                        self.zeros(layout.size - layout.stored);
                    }
                    None => return Err("integers of more than 128 bits are not supported".into()),
                }
            }
        }
        Ok(())
    }

    /// Adds a number of a type that data can hold, but code cannot use.
    fn other_float(&mut self, ty: Ty, bits: u128) -> Result<(), String> {
        let bytes = bits.to_le_bytes();
        let (stored, size) = match self.program.types.kind(ty) {
            Kind::OtherFloat("x86_fp80", size) => (10, *size as usize),
            Kind::OtherFloat("half" | "bfloat", size) => (2, *size as usize),
            _ => return Err("the floating-point type is not supported".into()),
        };
        self.items.push(DataItem::Str(bytes[..stored].into()));
        self.zeros((size - stored) as u64);
        Ok(())
    }
}

/// Defines `llvm.global_ctors` or `llvm.global_dtors`. The linker collects the addresses of functions from sections,
/// sorted by the numbers in their names.
fn functions_at_start(
    program: &Program,
    symbols: &Symbols<'_>,
    module: &mut Module,
    value: Value,
    section: &[u8],
) -> Result<(), String> {
    const LAST: u128 = 65535;
    let Value::Const(c) = value else { return Ok(()) };
    let Constant::List(list) = program.constants[c] else { return Ok(()) };
    for (n, entry) in program.operands[list.range()].iter().enumerate() {
        let Value::Const(c) = entry.value else { continue };
        let Constant::List(members) = program.constants[c] else { continue };
        let [priority, function, ..] = &program.operands[members.range()] else { continue };
        let priority = fold::fold(program, symbols, priority.ty, priority.value)?;
        let Folded::Address(callee, offset) = fold::fold(program, symbols, function.ty, function.value)? else {
            continue;
        };
        let section = match priority {
            Folded::Bits(n) if n != LAST => format!("{}.{n:05}", String::from_utf8_lossy(section)),
            _ => String::from_utf8_lossy(section).into_owned(),
        };
        let data = module.decls.data.next_key();
        // Names that begin with `llvm.` are reserved by LLVM, so no symbol of the program has this name.
        let name = format!("llvm{section}.{n}");
        let kind = SymKind::Data(data);
        let sym = module.decls.syms.push(SymData::new(name.as_bytes(), kind, ir::Linkage::Local));
        module.decls.data.push(DataObject {
            sym,
            is_extern: false,
            thread: false,
            constant: false,
            section: Some(Section { name: section.into_bytes().into(), flags: Some(b"aw".as_slice().into()) }),
            explicit_align: Some(8),
            items: vec![DataItem::Addr(callee, offset)],
        });
        module.items.push(Item::Data(data));
    }
    Ok(())
}
