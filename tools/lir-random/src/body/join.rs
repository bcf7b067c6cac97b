//! Joins of paths: blocks whose phis are made when all paths to them are known.

use super::Body;
use lir_syntax::ir::builder::Value;
use lir_syntax::ir::{Block, FloatCC, IntCC, Type};

/// A point where paths meet: its block, and the phis there, made when all paths are known.
pub(crate) struct Join {
    pub(crate) block: Block,
    types: Vec<Type>,
    entries: Vec<Vec<(Block, Value)>>,
    /// In place of phis: a register that every path assigns, if registers are assigned again.
    variable: Option<(Type, lir_syntax::ir::Reg)>,
}

impl Join {
    /// True if its phis have an entry for a block.
    pub(crate) fn is_entered_from(&self, from: Block) -> bool {
        self.entries.iter().any(|entries| entries.iter().any(|e| e.0 == from))
    }
}

impl Body<'_> {
    /// Returns the block that is being filled.
    pub(crate) fn current(&self) -> Block {
        self.b.current().expect("a block is current between statements")
    }

    /// Makes a branch on something, from the current block.
    pub(crate) fn branch(&mut self, then: Block, otherwise: Block) {
        match self.rng.below(4) {
            0 => {
                let c = self.condition();
                self.b.br(c, then, otherwise);
            }
            1 if self.around.config.floats => {
                let (ty, cc) = (self.rng.pick(&[Type::F32, Type::F64]), self.rng.pick(FloatCC::ALL));
                let (a, v) = (self.any(ty), self.value(ty));
                self.b.branch(cc, a, v, then, otherwise);
            }
            _ => {
                let ty = if self.rng.chance(6) { Type::I128 } else { self.integer_type() };
                let cc = self.rng.pick(IntCC::ALL);
                let (a, v) = (self.any(ty), self.value(ty));
                self.b.branch(cc, a, v, then, otherwise);
            }
        }
    }

    /// Makes a new block with up to `most` phis to come.
    pub(crate) fn join(&mut self, label: &str, most: usize) -> Join {
        let block = self.b.fresh_block(label);
        let types: Vec<Type> = (0..self.rng.below(most + 1)).map(|_| self.phi_type()).collect();
        let entries = types.iter().map(|_| Vec::new()).collect();
        let assigns = !self.variables.is_empty() && self.rng.chance(50);
        let variable = assigns.then(|| self.scalar_type()).map(|ty| (ty, self.b.reg(ty)));
        Join { block, types, entries, variable }
    }
    /// Chooses the values that the current block gives to the phis. It must then jump to the join, once or more.
    pub(crate) fn enter(&mut self, join: &mut Join) {
        let values: Vec<Value> = join.types.iter().map(|ty| self.value(*ty)).collect();
        if let Some((ty, r)) = join.variable {
            let a = self.any(ty);
            self.b.assign(r).copy(a);
        }
        let from = self.current();
        for (entries, v) in join.entries.iter_mut().zip(values) {
            entries.push((from, v));
        }
    }
    /// Continues in the joined block.
    pub(crate) fn finish(&mut self, join: Join) {
        self.b.switch_to(join.block);
        for (ty, entries) in join.types.iter().zip(&join.entries) {
            let r = self.b.phi(*ty, entries);
            self.keep(*ty, r);
        }
        if let Some((ty, r)) = join.variable {
            self.keep(ty, r);
        }
    }
}
