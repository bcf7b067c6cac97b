//! Contents of data objects.

use super::super::ast::{DataDef, DataField, Program};
use super::sym_of;
use lir_syntax::ir::module::MAX_OBJECT_SIZE;
use lir_syntax::ir::{DataItem, Decls};
use lir_syntax::text::diagnostic::Diagnostic;

/// Returns the items of a data object. Fields of no bytes are left out, unless there are no others.
pub(super) fn contents(program: &Program, decls: &Decls, def: &DataDef) -> Result<Vec<DataItem>, Diagnostic> {
    let mut size = 0u64;
    let mut items = Vec::with_capacity(def.items.len());
    for field in &def.items {
        let item = match field {
            DataField::Const(ty, bits) => DataItem::Scalar(*ty, ty.constant_payload(*bits)),
            DataField::Addr(global, offset) => {
                let sym = sym_of(*global);
                if decls.data_of(sym).is_some_and(|d| d.thread) {
                    let name = program.globals.show(*global);
                    let message = format!("the address of thread-local `${name}` is not a constant");
                    return Err(Diagnostic::new(def.span, message));
                }
                DataItem::Addr(sym, *offset)
            }
            DataField::Str(bytes) => DataItem::Str(bytes.clone()),
            DataField::Zero(bytes) => DataItem::Zero(*bytes),
        };
        size = size.saturating_add(item.size());
        if item.size() != 0 {
            items.push(item);
        }
    }
    if size > MAX_OBJECT_SIZE {
        return Err(Diagnostic::new(def.span, format!("the data has {size} bytes, more than {MAX_OBJECT_SIZE}")));
    }
    if items.is_empty() {
        items.push(DataItem::Zero(0));
    }
    Ok(items)
}
