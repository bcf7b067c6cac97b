//! Addresses of blocks: small numbers.
//!
//! ```text
//! blockaddress(@f, %a)                     ->  1
//! indirectbr ptr %p, [label %a, label %b]  ->  switch i64 %p, b [1: a]
//! ```
//!
//! A program may store the address of a block, compare it with other addresses of the same function, and jump to it
//! inside the function; anything else is undefined. So the blocks of a function whose addresses are taken are numbered
//! from 1, since no address is null, and a jump chooses among them.

use super::super::ast::{Constant, Global, LocalName, NamedLocal, Program};
use crate::interner::Names;
use std::collections::HashMap;

/// The numbers of all blocks whose addresses are taken.
#[derive(Default)]
pub(super) struct BlockNumbers {
    of_functions: HashMap<Global, HashMap<Box<[u8]>, u64>>,
}

impl BlockNumbers {
    /// Numbers the blocks in the order in which the text mentions them.
    pub(super) fn of(program: &Program) -> BlockNumbers {
        let mut numbers = BlockNumbers::default();
        for constant in program.constants.values() {
            let Constant::BlockAddress { function, block } = constant else { continue };
            let blocks = numbers.of_functions.entry(*function).or_default();
            let next = blocks.len() as u64 + 1;
            blocks.entry(block.clone()).or_insert(next);
        }
        numbers
    }

    /// Returns the number of a block by its name. None if its address is not taken.
    pub(super) fn number(&self, function: Global, block: &[u8]) -> Option<u64> {
        self.of_functions.get(&function)?.get(block).copied()
    }

    /// Returns the number of a block by its label.
    pub(super) fn of_label(&self, function: Global, names: &Names<NamedLocal>, label: LocalName) -> Option<u64> {
        match label {
            LocalName::Number(n) => self.number(function, format!("\0{n}").as_bytes()),
            LocalName::Name(name) => self.number(function, names.get(name)),
        }
    }

    /// Returns the number of blocks of a function whose addresses are taken.
    pub(super) fn count(&self, function: Global) -> u64 {
        self.of_functions.get(&function).map_or(0, |blocks| blocks.len() as u64)
    }
}
