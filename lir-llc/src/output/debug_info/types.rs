//! The entries of types: scalars, aggregates, and plain bytes.
//!
//! Members of aggregates have no names in LIR: they are `m0`, `m1` and so on.

use super::tree::Tree;
use gimli::constants;
use gimli::write::{AttributeValue, UnitEntryId};
use lir_syntax::ir::{AggBody, EntityRef, MemberType, Type};

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
                AggBody::Struct { .. } | AggBody::Opaque(_) => constants::DW_TAG_structure_type,
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
                AggBody::Opaque(_) => {}
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
