//! Writes compiled code: ELF objects, flat images, assembly, listings, debug information.

pub mod asm;
pub mod debug_info;
pub mod elf;
pub mod flat;
#[cfg(feature = "disasm")]
pub mod listing;
pub mod placement;
pub mod section_flags;

use lir_syntax::ir::{DataId, DataItem, Item, Module};

/// Returns the data objects that a module defines, in the order of its items.
pub(crate) fn defined_data(module: &Module) -> impl Iterator<Item = DataId> {
    module.items.iter().filter_map(|item| match item {
        Item::Data(d) if !module.decls.data[*d].is_extern => Some(*d),
        Item::Data(_)
        | Item::Type(_)
        | Item::ExternFunc(_)
        | Item::File(_)
        | Item::Func(_)
        | Item::Alias(_)
        | Item::AccessType(_)
        | Item::DebugType(_) => None,
    })
}

/// True if an item has only zero bytes and is not an address.
fn is_zero(item: &DataItem) -> bool {
    match item {
        DataItem::Scalar(_, payload) => *payload == 0,
        DataItem::Wide(halves) => *halves == [0; 2],
        DataItem::Addr(..) => false,
        DataItem::Str(s) => s.iter().all(|b| *b == 0),
        DataItem::Zero(_) => true,
    }
}
