//! Debug types, from the types of `!DILocalVariable`.
//!
//! The types that variables have, and all that these name, become debug types. Qualifiers such as `const` are left out,
//! references are pointers, and a type that is not understood is an alias without a type, which debuggers show as
//! `void`. An array of several dimensions is an array of arrays.

use super::super::ast::{MetadataItem, MetadataNode, NO_NODE, Node, Program, SourceType};
use lir_syntax::ir::{DebugForm, DebugMember, DebugType, Encoding, EntityRef, Module};
use std::collections::{HashMap, HashSet};

/// The most qualifiers of a type that are left out.
const MAX_QUALIFIERS: usize = 16;

/// The form of a type of which nothing is known.
const UNKNOWN: DebugForm = DebugForm::Pointer(None);

/// The debug types of variables, by the nodes of their types.
#[derive(Default)]
pub(super) struct SourceTypes(HashMap<Node, DebugType>);

impl SourceTypes {
    /// Collects the types of the variables that are addresses, and declares them.
    pub(super) fn of(program: &Program, module: &mut Module) -> SourceTypes {
        let mut maker = Maker { program, types: Vec::new(), made: HashMap::new(), waiting: Vec::new() };
        let bodies = program.functions.iter().filter_map(|f| f.body.as_deref());
        for v in bodies.flat_map(|body| &body.variables).filter(|v| v.declares) {
            if let Some(MetadataNode::Variable { ty, .. }) = program.metadata.get(v.node as usize)
                && *ty != NO_NODE
            {
                maker.mention(*ty);
            }
        }
        maker.make_all();
        let mut names = DistinctNames::default();
        for (name, form) in maker.types {
            module.define_debug_type(&names.add(&name), form.unwrap_or(UNKNOWN));
        }
        // No front end writes types that contain themselves.
        for t in module.decls.debug_types.endless().collect::<Vec<_>>() {
            module.decls.debug_types.set_form(t, UNKNOWN);
        }
        SourceTypes(maker.made)
    }
    /// Returns the debug type of a node.
    pub(super) fn get(&self, ty: Node) -> Option<DebugType> {
        self.0.get(&ty).copied()
    }
}

/// Names with numbers after those that occur more than once.
#[derive(Default)]
struct DistinctNames {
    taken: HashSet<String>,
    /// The number after the last type of a name.
    last: HashMap<String, usize>,
}

impl DistinctNames {
    fn add(&mut self, name: &[u8]) -> String {
        let name = String::from_utf8_lossy(name).into_owned();
        let last = self.last.entry(name.clone()).or_insert(0);
        let mut unique = name.clone();
        while !self.taken.insert(unique.clone()) {
            *last += 1;
            unique = format!("{name}.{last}");
        }
        unique
    }
}

fn is_qualifier(tag: &[u8]) -> bool {
    matches!(tag, b"const_type" | b"volatile_type" | b"restrict_type" | b"atomic_type")
}

/// Returns a name as debuggers take it.
fn without_nul(name: &[u8]) -> Box<[u8]> {
    name.iter().copied().filter(|byte| *byte != 0).collect()
}

struct Maker<'a> {
    program: &'a Program,
    /// Names, which may repeat, and forms.
    types: Vec<(Vec<u8>, Option<DebugForm>)>,
    made: HashMap<Node, DebugType>,
    waiting: Vec<(Node, DebugType)>,
}

impl<'a> Maker<'a> {
    /// Returns the debug type of a node, which is made later.
    fn mention(&mut self, node: Node) -> DebugType {
        let inner = self.unqualified(node);
        let next = DebugType::new(self.types.len());
        let id = *self.made.entry(inner).or_insert(next);
        if id == next {
            self.types.push((Vec::new(), None));
            self.waiting.push((inner, id));
        }
        if inner != node {
            self.made.insert(node, id);
        }
        id
    }
    fn mention_if_any(&mut self, node: Node) -> Option<DebugType> {
        (self.unqualified(node) != NO_NODE).then(|| self.mention(node))
    }
    fn make_all(&mut self) {
        while let Some((node, id)) = self.waiting.pop() {
            let form = match self.program.metadata.get(node as usize) {
                Some(MetadataNode::Type(ty)) => self.form(ty),
                _ => DebugForm::Alias { name: b"void".as_slice().into(), of: None },
            };
            let name = match &form {
                DebugForm::Base { name, .. } | DebugForm::Alias { name, .. } => name.to_vec(),
                DebugForm::Aggregate { name, .. } | DebugForm::Enum { name, .. } if !name.is_empty() => name.to_vec(),
                DebugForm::Pointer(_) => b"pointer".to_vec(),
                DebugForm::Array { .. } => b"array".to_vec(),
                DebugForm::Aggregate { is_union: true, .. } => b"union".to_vec(),
                DebugForm::Aggregate { .. } => b"struct".to_vec(),
                DebugForm::Enum { .. } => b"enum".to_vec(),
            };
            self.types[id.index()] = (name, Some(form));
        }
    }

    fn form(&mut self, ty: &'a SourceType) -> DebugForm {
        let or = |other: &[u8]| if ty.name.is_empty() { other.into() } else { without_nul(&ty.name) };
        match &*ty.tag {
            b"base_type" => DebugForm::Base {
                encoding: match &*ty.encoding {
                    b"float" => Encoding::Float,
                    b"boolean" => Encoding::Boolean,
                    b"signed_char" => Encoding::Char,
                    b"unsigned_char" => Encoding::Uchar,
                    b"unsigned" | b"UTF" | b"address" => Encoding::Unsigned,
                    _ => Encoding::Signed,
                },
                size: (ty.size / 8).clamp(1, 16),
                name: or(b"number"),
            },
            b"pointer_type" | b"reference_type" | b"rvalue_reference_type" | b"ptr_to_member_type" => {
                DebugForm::Pointer(self.mention_if_any(ty.base))
            }
            b"typedef" => DebugForm::Alias { name: or(b"alias"), of: self.mention_if_any(ty.base) },
            b"array_type" => self.array(ty),
            b"enumeration_type" => DebugForm::Enum {
                of: self.mention(ty.base),
                name: without_nul(&ty.name),
                values: self.elements(ty).filter_map(|node| self.enumerator(node)).collect(),
            },
            b"structure_type" | b"class_type" | b"union_type" => {
                let nodes: Vec<Node> = self.elements(ty).collect();
                DebugForm::Aggregate {
                    is_union: *ty.tag == *b"union_type",
                    size: ty.size / 8,
                    name: without_nul(&ty.name),
                    members: nodes.into_iter().filter_map(|node| self.member(node)).collect(),
                }
            }
            _ => DebugForm::Alias { name: or(b"void"), of: None },
        }
    }
    /// Returns the type inside of a type's qualifiers.
    fn unqualified(&self, mut node: Node) -> Node {
        for _ in 0..MAX_QUALIFIERS {
            match self.program.metadata.get(node as usize) {
                Some(MetadataNode::Type(ty)) if is_qualifier(&ty.tag) => node = ty.base,
                _ => break,
            }
        }
        node
    }
    /// Returns the nodes of the elements of a type.
    fn elements(&self, ty: &SourceType) -> impl Iterator<Item = Node> + use<'a> {
        let items: &'a [MetadataItem] = match self.program.metadata.get(ty.elements as usize) {
            Some(MetadataNode::Tuple(items)) => items,
            _ => &[],
        };
        items.iter().filter_map(|item| if let MetadataItem::Node(node) = item { Some(*node) } else { None })
    }
    fn enumerator(&self, node: Node) -> Option<(Box<[u8]>, i64)> {
        match self.program.metadata.get(node as usize)? {
            MetadataNode::Enumerator(name, value) if !name.is_empty() => Some((without_nul(name), *value)),
            _ => None,
        }
    }
    fn member(&mut self, node: Node) -> Option<DebugMember> {
        let MetadataNode::Type(member) = self.program.metadata.get(node as usize)? else { return None };
        // Static members have no place in the object.
        if *member.tag != *b"member" && *member.tag != *b"inheritance" || member.base == NO_NODE {
            return None;
        }
        let (offset, bits) = match member.is_bit_field {
            true => (member.offset, Some(member.size)),
            false => (member.offset / 8, None),
        };
        Some(DebugMember { offset, bits, ty: self.mention(member.base), name: without_nul(&member.name) })
    }
    /// The first dimension is the outermost array.
    fn array(&mut self, ty: &SourceType) -> DebugForm {
        let nodes: Vec<Node> = self.elements(ty).collect();
        let count = |node: &Node| match self.program.metadata.get(*node as usize) {
            Some(MetadataNode::Subrange(count)) => *count,
            _ => 0,
        };
        let counts: Vec<u64> = nodes.iter().map(count).collect();
        let mut of = self.mention(ty.base);
        for count in counts.iter().skip(1).rev() {
            let inner = DebugType::new(self.types.len());
            self.types.push((b"array".to_vec(), Some(DebugForm::Array { count: *count, of })));
            of = inner;
        }
        DebugForm::Array { count: counts.first().copied().unwrap_or(0), of }
    }
}
