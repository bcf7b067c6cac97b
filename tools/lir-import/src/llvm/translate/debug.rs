//! Positions in the source, from the nodes of debug information of instructions and functions.

use super::super::ast::{DebugNode, NO_NODE, Node, Program};
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
        let unit = program.debug.iter().find_map(|node| match node {
            DebugNode::Unit { file } => file_of(program, *file),
            _ => None,
        });
        if let Some(path) = unit {
            paths.push(path);
            files.insert(path, SourceFile::new(0));
        }
        let mut place = |node: &DebugNode| {
            let (line, column, scope) = match node {
                DebugNode::Location { line, column, scope } => (*line, *column, *scope),
                // The position of a function is the line of its name.
                DebugNode::Scope { file, line, .. } => (*line, 0, *file),
                DebugNode::Other | DebugNode::File(_) | DebugNode::Unit { .. } => return None,
            };
            let path = file_of(program, scope).filter(|_| line > 0)?;
            let file = *files.entry(path).or_insert_with(|| {
                paths.push(path);
                SourceFile::new(paths.len() - 1)
            });
            Some(Place { file, line, column })
        };
        let places = program.debug.iter().map(&mut place).collect();
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
        scope = match program.debug.get(scope as usize)? {
            DebugNode::File(path) => return Some(path),
            DebugNode::Scope { file: NO_NODE, around, .. } => *around,
            DebugNode::Scope { file, .. } => *file,
            DebugNode::Location { .. } | DebugNode::Unit { .. } | DebugNode::Other => return None,
        };
    }
    None
}
