//! Access types.

use super::ItemParser;
use crate::ir::operand::MAX_INDEX;
use crate::ir::{AccessType, AccessTypeData, AccessTypes, Item};
use crate::parser::cursor::{Parsed, UnknownName};
use crate::parser::name_index::NameIndex;

/// The access types declared so far.
#[derive(Default)]
pub(super) struct AccessParser {
    pub(super) types: AccessTypes,
    pub(super) index: NameIndex,
}

/// Returns the access type of a name.
pub(super) fn find(types: &AccessTypes, index: &NameIndex, name: &[u8]) -> Option<AccessType> {
    let is = |t: u32| types.get(AccessType::from_u32(t)).is_some_and(|t| *t.name == *name);
    index.find(name, is).map(AccessType::from_u32)
}

impl ItemParser<'_> {
    /// Parses `access :NAME [in :NAME]`. The second one is declared above.
    pub(super) fn access_item(&mut self) -> Parsed<()> {
        self.c.bump();
        let (t, name) = self.c.type_name("an access type")?;
        let parent = if self.c.eat_word(b"in") { Some(self.c.type_name("an access type")?) } else { None };
        let declared = find(&self.access.types, &self.access.index, &name);
        if let Some(first) = declared.and_then(|first| self.access.types.get(first)) {
            return Err(self.duplicate(t, self.c.token_at(first.loc)));
        }
        if self.access.types.all().len() > MAX_INDEX {
            return Err(self.c.error(t, format!("more than {MAX_INDEX} access types")));
        }
        let mut around = None;
        if let Some((parent_at, parent_name)) = parent {
            around = find(&self.access.types, &self.access.index, &parent_name);
            if around.is_none() {
                let name = String::from_utf8_lossy(&parent_name);
                self.c.error(parent_at, format!("access type `:{name}` is not declared above"));
                self.c.is_about(UnknownName::Access((&*parent_name).into()));
            }
        }
        self.access.index.find_or_insert(&name, |_| false);
        let data = AccessTypeData { name: (&*name).into(), parent: around, loc: t.start };
        self.items.push(Item::AccessType(self.access.types.push(data)));
        Ok(())
    }
}
