//! Positions in the source, from the nodes of debug information of instructions and functions.

use super::super::ast::{MetadataNode, NO_NODE, Node, Program};
use super::super::types::MAX_NESTING;
use crate::source_files;
use lir_syntax::ir::{EntityRef, Module, Place, SourceFile};
use std::collections::HashMap;

/// The positions of nodes, by the numbers of the nodes.
pub(super) struct Places(Vec<Option<Place>>);

impl Places {
    /// Collects the positions of a program, and declares its files. The file of the compile unit is the first one.
    pub(super) fn of(program: &Program, module: &mut Module) -> Places {
        let mut files: HashMap<&[u8], SourceFile> = HashMap::new();
        let mut paths: Vec<&[u8]> = Vec::new();
        let unit = program.metadata.iter().find_map(|node| match node {
            MetadataNode::Unit { file } => file_of(program, *file),
            _ => None,
        });
        if let Some(path) = unit {
            paths.push(path);
            files.insert(path, SourceFile::new(0));
        }
        let mut place = |node: &MetadataNode| {
            let (line, column, scope) = match node {
                MetadataNode::Location { line, column, scope } => (*line, *column, *scope),
                // The position of a function is the line of its name; it has no column.
                MetadataNode::Scope { file, line, column, .. } => (*line, *column, *file),
                MetadataNode::Tuple(_) | MetadataNode::Variable { .. } | MetadataNode::Unit { .. } => return None,
                MetadataNode::Type(_) | MetadataNode::Subrange(_) | MetadataNode::Enumerator(..) => return None,
                MetadataNode::Other | MetadataNode::File(_) => return None,
            };
            let path = file_of(program, scope).filter(|_| line > 0)?;
            let file = *files.entry(path).or_insert_with(|| {
                paths.push(path);
                SourceFile::new(paths.len() - 1)
            });
            Some(Place { file, line, column })
        };
        let places = program.metadata.iter().map(&mut place).collect();
        source_files::declare(paths.into_iter(), module);
        Places(places)
    }
    /// Returns the position of a node.
    pub(super) fn get(&self, node: Node) -> Option<Place> {
        self.0.get(node as usize).copied().flatten()
    }
}

/// Returns the path of the file of a scope, or of a file.
fn file_of(program: &Program, mut scope: Node) -> Option<&[u8]> {
    for _ in 0..MAX_NESTING {
        scope = match program.metadata.get(scope as usize)? {
            MetadataNode::File(path) => return Some(path),
            MetadataNode::Scope { file: NO_NODE, around, .. } => *around,
            MetadataNode::Scope { file, .. } => *file,
            MetadataNode::Tuple(_) | MetadataNode::Variable { .. } | MetadataNode::Other => return None,
            MetadataNode::Type(_) | MetadataNode::Subrange(_) | MetadataNode::Enumerator(..) => return None,
            MetadataNode::Location { .. } | MetadataNode::Unit { .. } => return None,
        };
    }
    None
}
