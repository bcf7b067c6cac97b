//! Access types: the types that a front end gives to loads and stores.
//!
//! They form trees, by the word `in`. Two accesses to one object do not overlap if they have access types of which
//! neither is the other or is inside it. This is the rule of C for objects of different types ("strict
//! aliasing"): `int` and `float` are both inside `char`, and neither is inside the other. A member of a structure is
//! inside the type of the member.
//!
//! # Source
//!
//! LLVM's type-based alias analysis, whose pairs of a base type and an offset are the nodes of such a tree.

use crate::ir::AccessType;
use crate::ir::entity::PrimaryMap;
use crate::ir::function::SourceLoc;

/// The most access types around one.
pub const MAX_ACCESS_DEPTH: u32 = 64;

/// An access type of a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AccessTypeData {
    /// The name without the colon; any bytes but NUL.
    pub name: Box<[u8]>,
    /// The access type that this one is inside of. It was added before.
    pub parent: Option<AccessType>,
    /// Offset of the item in the source.
    pub loc: SourceLoc,
}

/// The access types of a module.
#[derive(Clone, Default, Debug)]
pub struct AccessTypes {
    list: PrimaryMap<AccessType, AccessTypeData>,
}

impl AccessTypes {
    /// Adds an access type. The caller also adds it to the list of items.
    pub fn push(&mut self, data: AccessTypeData) -> AccessType {
        self.list.push(data)
    }
    /// Returns the access type with an id, if it exists.
    #[inline]
    pub fn get(&self, id: AccessType) -> Option<&AccessTypeData> {
        self.list.get(id)
    }
    /// Returns all access types, in the order in which they were added.
    pub fn all(&self) -> impl ExactSizeIterator<Item = (AccessType, &AccessTypeData)> {
        self.list.iter()
    }
    /// Returns the number of access types around one, up to [`MAX_ACCESS_DEPTH`] + 1.
    pub fn depth(&self, id: AccessType) -> u32 {
        let mut depth = 0;
        let mut at = id;
        while let Some(parent) = self.parent(at).filter(|_| depth <= MAX_ACCESS_DEPTH) {
            depth += 1;
            at = parent;
        }
        depth
    }
    /// Returns the access type around another one; none if the list is not in order, which the verifier rejects.
    #[inline]
    fn parent(&self, id: AccessType) -> Option<AccessType> {
        self.list.get(id)?.parent.filter(|p| *p < id)
    }
    /// True if accesses of both access types may overlap: if they are the same, or one is inside the other.
    pub fn may_overlap(&self, a: AccessType, b: AccessType) -> bool {
        // An access type was added after the one around it.
        let (outer, mut inner) = (a.min(b), a.max(b));
        while inner > outer {
            match self.parent(inner) {
                Some(parent) => inner = parent,
                None => return false,
            }
        }
        inner == outer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::function::NO_LOC;

    #[test]
    fn only_relatives_in_a_line_overlap() {
        let mut types = AccessTypes::default();
        let mut add =
            |name: &str, parent| types.push(AccessTypeData { name: name.as_bytes().into(), parent, loc: NO_LOC });
        let char_ = add("char", None);
        let int = add("int", Some(char_));
        let float = add("float", Some(char_));
        let member = add("point.x", Some(int));
        let other = add("other", None);
        let all = [char_, int, float, member, other];
        let overlapping = |a| all.iter().filter(|b| types.may_overlap(a, **b)).copied().collect::<Vec<_>>();
        assert_eq!(overlapping(char_), [char_, int, float, member]);
        assert_eq!(overlapping(int), [char_, int, member]);
        assert_eq!(overlapping(float), [char_, float]);
        assert_eq!(overlapping(member), [char_, int, member]);
        assert_eq!(overlapping(other), [other]);
        assert_eq!(all.map(|t| types.depth(t)), [0, 1, 1, 2, 0]);
    }
}
