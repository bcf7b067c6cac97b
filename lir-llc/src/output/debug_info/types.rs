//! The entries of types: debug types as the front end describes them, and where it does not, scalars, aggregates, and
//! plain bytes.
//!
//! Members of aggregates have no names in LIR: they are `m0`, `m1` and so on.

use super::tree::Tree;
use gimli::constants;
use gimli::write::{AttributeValue, UnitEntryId};
use lir_syntax::ir::{AggBody, DebugForm, DebugType, Encoding, EntityRef, MemberType, Module, Type};

impl Tree<'_, '_> {
    /// Returns the entry of a scalar type.
    pub(super) fn scalar(&mut self, ty: Type) -> UnitEntryId {
        let at = ty as usize;
        if let Some(entry) = self.types.scalars[at] {
            return entry;
        }
        let encoding = if ty.is_float() { constants::DW_ATE_float } else { constants::DW_ATE_signed };
        let entry = self.base_type(ty.name().as_bytes(), encoding, ty.bytes().into());
        self.types.scalars[at] = Some(entry);
        entry
    }
    fn base_type(&mut self, name: &[u8], encoding: constants::DwAte, size: u64) -> UnitEntryId {
        let entry = self.add(self.root(), constants::DW_TAG_base_type);
        self.text(entry, constants::DW_AT_name, name);
        self.set(entry, constants::DW_AT_encoding, AttributeValue::Encoding(encoding));
        self.set(entry, constants::DW_AT_byte_size, AttributeValue::Udata(size));
        entry
    }
    /// Returns the entry of an array of this many bytes, of unknown type.
    pub(super) fn bytes(&mut self, count: u64) -> UnitEntryId {
        if let Some(entry) = self.types.bytes.get(&count) {
            return *entry;
        }
        let byte = match self.types.byte {
            Some(byte) => byte,
            None => self.base_type(b"byte", constants::DW_ATE_unsigned, 1),
        };
        self.types.byte = Some(byte);
        let entry = self.array(byte, count);
        self.types.bytes.insert(count, entry);
        entry
    }
    fn array(&mut self, of: UnitEntryId, count: u64) -> UnitEntryId {
        let entry = self.add(self.root(), constants::DW_TAG_array_type);
        self.set(entry, constants::DW_AT_type, AttributeValue::UnitRef(of));
        let range = self.add(entry, constants::DW_TAG_subrange_type);
        self.set(range, constants::DW_AT_count, AttributeValue::Udata(count));
        entry
    }
    /// Returns the entry of an aggregate, by number.
    pub(super) fn aggregate(&mut self, number: usize) -> UnitEntryId {
        if self.types.aggregates.is_empty() {
            self.all_aggregates();
        }
        self.types.aggregates[number]
    }
    /// Members may be of aggregates that come later, so all have an entry before any has members.
    fn all_aggregates(&mut self) {
        let module = self.module;
        for agg in module.decls.types.values() {
            let tag = match agg.body {
                AggBody::Union(_) => constants::DW_TAG_union_type,
                AggBody::Struct { .. } | AggBody::Opaque(_) | AggBody::Vector => constants::DW_TAG_structure_type,
            };
            let entry = self.add(self.root(), tag);
            self.text(entry, constants::DW_AT_name, &agg.name);
            self.set(entry, constants::DW_AT_byte_size, AttributeValue::Udata(agg.size));
            self.types.aggregates.push(entry);
        }
        for (number, agg) in module.decls.types.values().enumerate() {
            let entry = self.types.aggregates[number];
            let mut end = 0;
            match &agg.body {
                AggBody::Struct { packed, members } => {
                    for (k, (member, count)) in members.iter().enumerate() {
                        let (size, align) = self.layout(*member);
                        let at = if *packed { end } else { u64::next_multiple_of(end, align) };
                        self.member(entry, k, (*member, *count), at);
                        end = at + size * count;
                    }
                }
                AggBody::Union(members) => {
                    members.iter().enumerate().for_each(|(k, member)| self.member(entry, k, *member, 0));
                }
                AggBody::Opaque(_) | AggBody::Vector => {}
            }
        }
    }
    /// Size and alignment of a member.
    fn layout(&self, member: MemberType) -> (u64, u64) {
        match member {
            MemberType::Scalar(t) => (t.bytes().into(), t.bytes().into()),
            MemberType::Agg(a) => (self.module.decls.types[a].size, self.module.decls.types[a].align),
        }
    }
    /// Returns the entry of a debug type.
    pub(super) fn debug_type(&mut self, t: DebugType) -> UnitEntryId {
        if self.types.debug.is_empty() {
            self.all_debug_types();
        }
        self.types.debug[t.index()]
    }
    /// A type may name later ones, so all have an entry before any is described.
    fn all_debug_types(&mut self) {
        let types = &self.module.decls.debug_types;
        for (_, data) in types.all() {
            let tag = match data.form {
                DebugForm::Base { .. } => constants::DW_TAG_base_type,
                DebugForm::Pointer(_) => constants::DW_TAG_pointer_type,
                DebugForm::Array { .. } => constants::DW_TAG_array_type,
                DebugForm::Aggregate { is_union: true, .. } => constants::DW_TAG_union_type,
                DebugForm::Aggregate { .. } => constants::DW_TAG_structure_type,
                DebugForm::Alias { .. } => constants::DW_TAG_typedef,
                DebugForm::Enum { .. } => constants::DW_TAG_enumeration_type,
            };
            let entry = self.add(self.root(), tag);
            self.types.debug.push(entry);
        }
        for (t, data) in types.all() {
            self.describe(self.types.debug[t.index()], &data.form);
        }
    }
    fn describe(&mut self, entry: UnitEntryId, form: &DebugForm) {
        let size_is = |tree: &mut Self, size: u64| {
            tree.set(entry, constants::DW_AT_byte_size, AttributeValue::Udata(size));
        };
        match form {
            DebugForm::Base { encoding, size, name } => {
                self.text(entry, constants::DW_AT_name, name);
                self.set(entry, constants::DW_AT_encoding, AttributeValue::Encoding(dwarf_encoding(*encoding)));
                size_is(self, *size);
            }
            DebugForm::Pointer(of) => {
                size_is(self, 8);
                self.of_type(entry, *of);
            }
            DebugForm::Array { count, of } => {
                self.of_type(entry, Some(*of));
                let range = self.add(entry, constants::DW_TAG_subrange_type);
                self.set(range, constants::DW_AT_count, AttributeValue::Udata(*count));
            }
            DebugForm::Alias { name, of } => {
                self.text(entry, constants::DW_AT_name, name);
                self.of_type(entry, *of);
            }
            DebugForm::Enum { of, name, values } => {
                self.name_if_any(entry, name);
                self.of_type(entry, Some(*of));
                size_is(self, debug_size(self.module, *of));
                for (name, value) in values {
                    let constant = self.add(entry, constants::DW_TAG_enumerator);
                    self.text(constant, constants::DW_AT_name, name);
                    self.set(constant, constants::DW_AT_const_value, AttributeValue::Sdata(*value));
                }
            }
            DebugForm::Aggregate { size, name, members, .. } => {
                self.name_if_any(entry, name);
                size_is(self, *size);
                for member in members {
                    let field = self.add(entry, constants::DW_TAG_member);
                    self.name_if_any(field, &member.name);
                    self.of_type(field, Some(member.ty));
                    match member.bits {
                        Some(bits) => {
                            self.set(field, constants::DW_AT_bit_size, AttributeValue::Udata(bits));
                            self.set(field, constants::DW_AT_data_bit_offset, AttributeValue::Udata(member.offset));
                        }
                        None => {
                            let at = AttributeValue::Udata(member.offset);
                            self.set(field, constants::DW_AT_data_member_location, at);
                        }
                    }
                }
            }
        }
    }
    fn of_type(&mut self, entry: UnitEntryId, of: Option<DebugType>) {
        if let Some(of) = of {
            let of = self.types.debug[of.index()];
            self.set(entry, constants::DW_AT_type, AttributeValue::UnitRef(of));
        }
    }
    fn name_if_any(&mut self, entry: UnitEntryId, name: &[u8]) {
        if !name.is_empty() {
            self.text(entry, constants::DW_AT_name, name);
        }
    }
    fn member(&mut self, of: UnitEntryId, number: usize, (member, count): (MemberType, u64), at: u64) {
        let mut ty = match member {
            MemberType::Scalar(t) => self.scalar(t),
            MemberType::Agg(a) => self.types.aggregates[a.index()],
        };
        if count != 1 {
            ty = self.array(ty, count);
        }
        let entry = self.add(of, constants::DW_TAG_member);
        self.text(entry, constants::DW_AT_name, format!("m{number}").as_bytes());
        self.set(entry, constants::DW_AT_type, AttributeValue::UnitRef(ty));
        self.set(entry, constants::DW_AT_data_member_location, AttributeValue::Udata(at));
    }
}

/// The most aliases of a type that are followed to its size.
const MAX_ALIASES: usize = 64;

/// Returns the size of a type of numbers; 0 if it is none.
fn debug_size(module: &Module, mut t: DebugType) -> u64 {
    for _ in 0..MAX_ALIASES {
        match module.decls.debug_types.get(t).map(|data| &data.form) {
            Some(DebugForm::Base { size, .. }) => return *size,
            Some(DebugForm::Alias { of: Some(of), .. }) => t = *of,
            _ => return 0,
        }
    }
    0
}

fn dwarf_encoding(encoding: Encoding) -> constants::DwAte {
    match encoding {
        Encoding::Signed => constants::DW_ATE_signed,
        Encoding::Unsigned => constants::DW_ATE_unsigned,
        Encoding::Float => constants::DW_ATE_float,
        Encoding::Boolean => constants::DW_ATE_boolean,
        Encoding::Char => constants::DW_ATE_signed_char,
        Encoding::Uchar => constants::DW_ATE_unsigned_char,
    }
}
