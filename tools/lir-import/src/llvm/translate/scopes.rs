//! Scopes of variables, from `!DILexicalBlock`.
//!
//! A block is known by the place where it begins, not by its end. So its scope is the stretch from the first to the
//! last place of what is in it: of the block, of instructions, of blocks inside of it. A block with places in several
//! files, as around an `#include` among statements, is no such stretch.

use super::super::ast::{MetadataNode, Node, Program, ScopeKind};
use super::debug::Places;
use lir_syntax::ir::{Place, ScopeData};

/// The scopes of blocks, by the numbers of their nodes.
pub(super) struct SourceScopes(Vec<Extent>);

/// The places in a block.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
enum Extent {
    /// None so far.
    #[default]
    Nothing,
    /// From the first to the last one.
    Places(Place, Place),
    /// Places in several files.
    Files,
}

impl Extent {
    fn of(place: Option<Place>) -> Extent {
        place.map_or(Extent::Nothing, |place| Extent::Places(place, place))
    }
    /// Returns the extent of both.
    fn and(self, other: Extent) -> Extent {
        match (self, other) {
            (Extent::Nothing, one) | (one, Extent::Nothing) => one,
            (Extent::Places(a, b), Extent::Places(c, d)) if a.file == c.file => Extent::Places(a.min(c), b.max(d)),
            _ => Extent::Files,
        }
    }
}

impl SourceScopes {
    /// Collects the scopes of a program, each after the blocks in it. Blocks that contain themselves have none.
    pub(super) fn of(program: &Program, places: &Places) -> SourceScopes {
        let nodes = &program.metadata;
        let mut extents = vec![Extent::Nothing; nodes.len()];
        // By block the number of blocks in it that are not done.
        let mut inner = vec![0u32; nodes.len()];
        for (k, node) in nodes.iter().enumerate() {
            let around = match node {
                MetadataNode::Location { scope, .. } => *scope as usize,
                MetadataNode::Scope { kind, .. } if *kind != ScopeKind::Function => k,
                _ => continue,
            };
            if let Some(extent) = extents.get_mut(around) {
                *extent = extent.and(Extent::of(places.get(k as Node)));
            }
            if let Some(around) = around_block(nodes, k) {
                inner[around] += 1;
            }
        }
        let mut done: Vec<usize> = (0..nodes.len()).filter(|k| inner[*k] == 0).collect();
        while let Some(k) = done.pop() {
            if let Some(around) = around_block(nodes, k) {
                extents[around] = extents[around].and(extents[k]);
                inner[around] -= 1;
                if inner[around] == 0 {
                    done.push(around);
                }
            }
        }
        extents.iter_mut().zip(inner).filter(|(_, inner)| *inner > 0).for_each(|(extent, _)| *extent = Extent::Files);
        SourceScopes(extents)
    }
    /// Returns the scope of a block.
    pub(super) fn get(&self, block: Node) -> Option<ScopeData> {
        match *self.0.get(block as usize)? {
            Extent::Places(begin, end) => Some(ScopeData { begin, end_line: end.line, end_column: end.column }),
            Extent::Nothing | Extent::Files => None,
        }
    }
}

/// Returns the block around a block, or around a part of a block.
fn around_block(nodes: &[MetadataNode], block: usize) -> Option<usize> {
    let around_block = |k: usize| match *nodes.get(k)? {
        MetadataNode::Scope { around, kind: ScopeKind::Block | ScopeKind::Part, .. } => Some(around as usize),
        _ => None,
    };
    around_block(block).filter(|around| around_block(*around).is_some())
}
