//! Symbols that are other names of definitions of the module.
//!
//! The symbol of an alias is declared `extern`, and code of the module that uses it knows no more about it than about
//! other `extern` symbols. Therefore passes need not know of aliases, except that others may refer to their targets.

use super::entity::{EntitySet, PrimaryMap};
use super::function::SourceLoc;
use super::{AliasId, Sym};

/// Another name of a definition of this module, or of an address in a data object.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Alias {
    /// The symbol that gets its address: an `extern` one.
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
    /// Adds an alias. The list of items names it, too.
    pub fn push(&mut self, alias: Alias) -> AliasId {
        self.names.insert(alias.sym);
        self.targets.insert(alias.target);
        self.list.push(alias)
    }
    /// Returns the alias of an id, if there is one.
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
