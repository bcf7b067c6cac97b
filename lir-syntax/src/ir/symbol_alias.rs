//! Aliases: symbols that are other names of definitions in the module.
//!
//! The symbol of an alias is declared `extern`, and passes know no more about it than about any other `extern` symbol.
//! So passes may ignore aliases, except that other modules may refer to their targets.

use super::entity::{EntitySet, PrimaryMap};
use super::function::SourceLoc;
use super::{AliasId, Sym};

/// Another name of a definition of this module, or of an address in a data object.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Alias {
    /// The symbol that gets the address, which is `extern`.
    pub sym: Sym,
    /// The symbol that is defined.
    pub target: Sym,
    /// Bytes from the address of `target`.
    pub offset: i64,
    /// Offset of the item in the source.
    pub loc: SourceLoc,
}

/// The aliases of a module.
#[derive(Clone, Default, Debug)]
pub struct Aliases {
    list: PrimaryMap<AliasId, Alias>,
    names: EntitySet<Sym>,
    targets: EntitySet<Sym>,
}

impl Aliases {
    /// Adds an alias. The caller also adds it to the list of items.
    pub fn push(&mut self, alias: Alias) -> AliasId {
        self.names.insert(alias.sym);
        self.targets.insert(alias.target);
        self.list.push(alias)
    }
    /// Returns the alias with an id, if it exists.
    pub fn get(&self, id: AliasId) -> Option<&Alias> {
        self.list.get(id)
    }
    /// Returns all aliases, in the order in which they were added.
    pub fn all(&self) -> impl Iterator<Item = (AliasId, &Alias)> {
        self.list.iter()
    }
    /// True if a symbol is another name of a definition.
    #[inline]
    pub fn is_name(&self, s: Sym) -> bool {
        self.names.contains(s)
    }
    /// True if a definition has another name.
    #[inline]
    pub fn is_target(&self, s: Sym) -> bool {
        self.targets.contains(s)
    }
}
