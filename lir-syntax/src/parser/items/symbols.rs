//! The declarations of a module by name, for the bodies of its functions.

use super::{access, debug, file_of};
use crate::ir::{AccessType, Agg, DebugType, Decls, EntitySet, SourceFile, Sym};
use crate::parser::cursor::{UnknownName, undeclared};
use crate::parser::name_index::NameIndex;

/// The declarations of a module, complete, with the indices from names to them.
pub(in crate::parser) struct Symbols {
    pub(in crate::parser) decls: Decls,
    /// Symbols whose declaration is in error or missing, which was reported.
    pub(in crate::parser) broken_syms: EntitySet<Sym>,
    /// Types likewise.
    pub(in crate::parser) broken_types: EntitySet<Agg>,
    pub(super) syms: NameIndex,
    pub(super) types: NameIndex,
    pub(super) files: NameIndex,
    pub(super) access_types: NameIndex,
    pub(super) debug_types: NameIndex,
}

impl Symbols {
    /// Returns the symbol of a name.
    #[inline]
    pub(in crate::parser) fn sym(&self, name: &[u8]) -> Option<Sym> {
        self.syms.find(name, |s| *self.decls.syms[Sym::from_u32(s)].name == *name).map(Sym::from_u32)
    }
    /// Returns the file of a name.
    pub(in crate::parser) fn file(&self, name: &[u8]) -> Option<SourceFile> {
        file_of(&self.decls.files, &self.files, name)
    }
    /// Returns the access type of a name.
    pub(in crate::parser) fn access_type(&self, name: &[u8]) -> Option<AccessType> {
        access::find(&self.decls.access_types, &self.access_types, name)
    }
    /// Returns the debug type of a name.
    pub(in crate::parser) fn debug_type(&self, name: &[u8]) -> Option<DebugType> {
        debug::find(&self.decls.debug_types, &self.debug_types, name)
    }
    /// Returns the aggregate type of a name.
    pub(in crate::parser) fn agg(&self, name: &[u8]) -> Option<Agg> {
        self.types.find(name, |a| *self.decls.types[Agg::from_u32(a)].name == *name).map(Agg::from_u32)
    }
    /// Returns a message about a name that is not declared, with the nearest one that is.
    #[cold]
    pub(in crate::parser) fn nearest(&self, message: &str, name: &UnknownName) -> String {
        match name {
            UnknownName::Sym(name) => undeclared(message, b"@", name, self.decls.syms.values().map(|s| &*s.name)),
            UnknownName::Access(name) => {
                // One of this name may be declared below its use.
                let known = self.decls.access_types.all().map(|(_, t)| &*t.name);
                undeclared(message, b":", name, known.filter(|known| **known != **name))
            }
            UnknownName::Debug(name) => {
                let known = self.decls.debug_types.all().map(|(_, t)| &*t.name);
                undeclared(message, b":", name, known)
            }
            UnknownName::Agg(name) => {
                let known = self.decls.types.iter().filter(|(a, _)| !self.broken_types.contains(*a));
                undeclared(message, b":", name, known.map(|(_, t)| &*t.name))
            }
        }
    }
}
