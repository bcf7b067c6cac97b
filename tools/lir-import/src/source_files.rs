//! The source files of a front end.

use lir_syntax::ir::function::NO_LOC;
use lir_syntax::ir::{FileData, Item, Module};
use std::collections::HashMap;

/// Declares files, named after the last parts of their paths, with a number if two are equal.
pub(crate) fn declare<'p>(paths: impl Iterator<Item = &'p [u8]>, module: &mut Module) {
    // By name in use: the number of names that were derived from it.
    let mut taken = HashMap::from([(b"none".to_vec(), 0)]);
    for path in paths {
        let last = path.rsplit(|c| *c == b'/').next().filter(|last| !last.is_empty()).unwrap_or(b"file");
        let mut name = last.to_vec();
        while taken.contains_key(&name) {
            let number = taken.entry(last.to_vec()).or_insert(0);
            *number += 1;
            name = [last, format!(".{number}").as_bytes()].concat();
        }
        taken.insert(name.clone(), 0);
        let file = module.decls.files.push(FileData { name: name.into(), path: path.into(), loc: NO_LOC });
        module.items.push(Item::File(file));
    }
}
