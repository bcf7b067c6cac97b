//! The names that debug records give: a stack object has the name of the variable that it is, a register the name of a
//! variable that has no other value, so that debuggers show the source's variables.
//!
//! A variable that is assigned often has many registers, and each of them would be shown too long. So `#dbg_value`
//! names a register only if it is the only record of its variable.

use crate::llvm::ast::{Body, Local, LocalName, MetadataNode, Node, Program};
use std::collections::{HashMap, HashSet};

/// The names of the variables of a function.
#[derive(Default)]
pub(super) struct SourceNames<'a> {
    names: HashMap<Local, &'a [u8]>,
    all: HashSet<&'a [u8]>,
}

impl<'a> SourceNames<'a> {
    /// Finds the names in the records of a body.
    pub(super) fn new(program: &'a Program, body: &Body) -> SourceNames<'a> {
        let mut found = SourceNames::default();
        let mut records: HashMap<Node, u32> = HashMap::new();
        for v in &body.variables {
            *records.entry(v.node).or_default() += 1;
        }
        let name = |node: Node| match program.metadata.get(node as usize) {
            Some(MetadataNode::Variable(name)) if !name.is_empty() => Some(&**name),
            _ => None,
        };
        for declares in [true, false] {
            for v in body.variables.iter().filter(|v| v.declares == declares && (declares || records[&v.node] == 1)) {
                // A name that the text gives to a value is not taken from it.
                let is_free = declares || matches!(body.locals[v.local], LocalName::Number(_));
                if let Some(name) = name(v.node).filter(|_| is_free) {
                    found.names.entry(v.local).or_insert(name);
                    found.all.insert(name);
                }
            }
        }
        found
    }
    /// Returns the name of the variable that a local is, or is the address of.
    #[inline]
    pub(super) fn of(&self, local: Local) -> Option<&'a [u8]> {
        if self.names.is_empty() { None } else { self.names.get(&local).copied() }
    }
    /// True if a variable has this name, which another local must not have then.
    #[inline]
    pub(super) fn has(&self, name: &[u8]) -> bool {
        !self.all.is_empty() && self.all.contains(name)
    }
}
