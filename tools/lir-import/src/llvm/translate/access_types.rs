//! Access types, from the nodes of `!tbaa`.
//!
//! # Algorithm
//!
//! A tag is a type, an offset in it, and the type of the access there. Each pair of a type and an offset becomes an
//! access type. It is in the pair of the member at the offset and the rest of the offset: `line.to.x` is (`line`, 8),
//! in (`point`, 0), in (`int`, 0), in (`char`, 0). This is LLVM's walk from a tag to the types around it. The root is
//! left out. Of a module that was linked from several languages, whose trees have different roots, the tree of the
//! first access is kept: accesses of different trees may overlap.

use super::super::ast::{MetadataItem, MetadataNode, NO_NODE, Node, Program};
use lir_syntax::ir::access_type::MAX_ACCESS_DEPTH;
use lir_syntax::ir::{AccessType, Module};
use std::collections::{HashMap, HashSet};

/// The access types of tags, by their nodes.
#[derive(Default)]
pub(super) struct AccessTags(HashMap<Node, AccessType>);

/// A type and an offset in it.
type Place = (Node, u64);

impl AccessTags {
    /// Collects the access types of a program, and declares them.
    pub(super) fn of(program: &Program, module: &mut Module) -> AccessTags {
        let mut maker = Maker { program, module, made: HashMap::new(), names: HashSet::new(), root: None };
        let mut tags = HashMap::new();
        let insts = program.functions.iter().filter_map(|f| f.body.as_deref()).flat_map(|body| &body.insts);
        for tag in insts.map(|inst| inst.access_type).filter(|tag| *tag != NO_NODE) {
            if let std::collections::hash_map::Entry::Vacant(entry) = tags.entry(tag) {
                entry.insert(maker.access_type(tag));
            }
        }
        AccessTags(tags.into_iter().filter_map(|(tag, access_type)| Some((tag, access_type?))).collect())
    }
    /// Returns the access type of a tag.
    pub(super) fn get(&self, tag: Node) -> Option<AccessType> {
        if tag == NO_NODE { None } else { self.0.get(&tag).copied() }
    }
}

struct Maker<'a> {
    program: &'a Program,
    module: &'a mut Module,
    made: HashMap<Place, AccessType>,
    /// The names that are taken.
    names: HashSet<String>,
    root: Option<Node>,
}

impl Maker<'_> {
    /// Returns the access type of a tag; none if it is malformed, or of another tree than the first one.
    fn access_type(&mut self, tag: Node) -> Option<AccessType> {
        let [MetadataItem::Node(base), MetadataItem::Node(accessed), MetadataItem::Number(offset), ..] =
            self.items(tag)?
        else {
            return None;
        };
        // From the tag to the root. The type that is accessed is on the way, and begins at the offset.
        let (base, accessed, offset) = (*base, (*accessed, 0), *offset);
        let mut places: Vec<Place> = vec![(base, offset)];
        let root = loop {
            let (ty, offset) = *places.last().expect("it begins with the tag");
            match self.member(ty, offset)? {
                Some(member) => places.push(member),
                None => break ty,
            }
            if places.len() as u32 > MAX_ACCESS_DEPTH {
                return None;
            }
        };
        if !places.contains(&accessed) || *self.root.get_or_insert(root) != root {
            return None;
        }
        places.pop();
        let mut around = None;
        for place in places.into_iter().rev() {
            around = Some(match self.made.get(&place) {
                Some(made) => *made,
                None => self.make(place, around)?,
            });
        }
        around
    }
    /// Returns the member of a type at an offset, with the rest of the offset; an inner none for the root, which has no
    /// members.
    fn member(&self, ty: Node, offset: u64) -> Option<Option<Place>> {
        let [MetadataItem::Name(_), members @ ..] = self.items(ty)? else { return None };
        if members.is_empty() {
            return Some(None);
        }
        let offset_of = |k: usize| match members.get(2 * k + 1) {
            Some(MetadataItem::Number(at)) => *at,
            _ => 0,
        };
        // They are in the order of their offsets. The one before `low` begins at the offset or before it.
        let (mut low, mut high) = (0, members.len().div_ceil(2));
        while low < high {
            let middle = low.midpoint(high);
            if offset_of(middle) <= offset { low = middle + 1 } else { high = middle }
        }
        let k = low.checked_sub(1)?;
        match members.get(2 * k)? {
            MetadataItem::Node(inner) => Some(Some((*inner, offset - offset_of(k)))),
            _ => None,
        }
    }
    fn items(&self, node: Node) -> Option<&[MetadataItem]> {
        match self.program.metadata.get(node as usize)? {
            MetadataNode::Tuple(items) => Some(items),
            _ => None,
        }
    }
    /// Makes the access type of a place inside another one. Returns none if its names are taken.
    fn make(&mut self, place: Place, parent: Option<AccessType>) -> Option<AccessType> {
        let (ty, offset) = place;
        let text = |name: &[u8]| String::from_utf8_lossy(name).replace('\0', "");
        let name = match self.items(ty)? {
            [MetadataItem::Name(name), one_member @ ..] if one_member.len() <= 2 && offset == 0 => text(name),
            [MetadataItem::Name(name), ..] => format!("{}.{offset}", text(name)),
            _ => return None,
        };
        // Types in different name spaces, and types without names, have equal names.
        let is_taken = name.is_empty() || self.names.contains(&name);
        let name = if is_taken { format!("{name}.{ty}") } else { name };
        if !self.names.insert(name.clone()) {
            return None;
        }
        let made = self.module.define_access_type(&name, parent);
        self.made.insert(place, made);
        Some(made)
    }
}
