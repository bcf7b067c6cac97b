//! Containers for the code and data of a module.

pub mod eh_frame;
pub mod elf;
pub mod flat;
pub mod placement;
pub mod section_flags;

use lir_syntax::ir::{DataId, DataItem, DataObject, Item, Module};

/// The data objects that a module defines, in the order of its items.
pub(crate) fn defined_data(module: &Module) -> impl Iterator<Item = DataId> {
    module.items.iter().filter_map(|item| match item {
        Item::Data(d) if !module.decls.data[*d].is_extern => Some(*d),
        Item::Data(_) | Item::Type(_) | Item::ExternFunc(_) | Item::Func(_) => None,
    })
}

/// Whether an item is nothing but zeros and no address.
fn is_zero(item: &DataItem) -> bool {
    match item {
        DataItem::Scalar(_, payload) => *payload == 0,
        DataItem::Addr(..) => false,
        DataItem::Str(s) => s.iter().all(|b| *b == 0),
        DataItem::Zero(_) => true,
    }
}

/// Appends the bytes of a data object; addresses are zeros, to be relocated.
fn contents(data: &DataObject, out: &mut Vec<u8>) {
    for item in &data.items {
        match item {
            DataItem::Scalar(t, payload) => out.extend_from_slice(&payload.to_le_bytes()[..t.bytes() as usize]),
            DataItem::Addr(..) => out.extend_from_slice(&[0; 8]),
            DataItem::Str(s) => out.extend_from_slice(s),
            DataItem::Zero(n) => out.resize(out.len() + *n as usize, 0),
        }
    }
}
