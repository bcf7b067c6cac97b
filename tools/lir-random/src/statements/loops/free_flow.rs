//! Control flow without structure: blocks that jump anywhere, with loops of several entries.
//!
//! Some blocks are unreachable, and lead to others.
//!
//! Some variables pass through all blocks, as phis of each block or as registers that are assigned again. An edge to an
//! earlier block, or to the block itself, passes through a block of its own that counts down fuel and leaves when there
//! is none, so that every cycle ends.

use super::Carried;
use crate::body::{Body, Join, MAX_TRIPS, Mark};
use crate::surroundings::Purity;
use lir_syntax::ir::builder::Value;
use lir_syntax::ir::{Block, IntCC, Opcode, Operand, Reg, Type};

/// The data that the blocks of one piece of free control flow share.
struct Flow {
    blocks: Vec<Block>,
    /// Types of the variables; the first is the fuel.
    types: Vec<Type>,
    /// The phis of each block, or nothing if variables are registers.
    phis: Vec<Vec<Carried>>,
    /// The variables as registers that are assigned again.
    registers: Option<Vec<Reg>>,
    /// The blocks that count fuel: their targets, and the values of the variables there.
    back: Vec<(Block, usize, Vec<Reg>)>,
    exit: Join,
}

impl Body<'_> {
    /// Free control flow with up to nine blocks.
    pub(crate) fn free_flow(&mut self) {
        let count = self.rng.range(3, 9);
        let mut types = vec![Type::I32];
        types.extend((0..self.rng.range(1, 4)).map(|_| self.scalar_type()));
        let fuel = Value::Int(self.rng.range(2, MAX_TRIPS as usize) as i64);
        let mut starts = vec![fuel];
        starts.extend(types[1..].iter().map(|ty| self.value(*ty)).collect::<Vec<_>>());
        let blocks: Vec<Block> = (0..count).map(|_| self.b.fresh_block("free")).collect();
        let exit = self.join("exit", 2);
        let mut flow = Flow { blocks, types, phis: Vec::new(), registers: None, back: Vec::new(), exit };
        let mark = self.mark();
        if !self.variables.is_empty() && self.rng.chance(50) {
            let registers = flow.types.iter().zip(&starts).map(|(ty, v)| self.variable(*ty, *v)).collect();
            flow.registers = Some(registers);
        }
        let before = self.current();
        let entered = self.enter_flow(&mut flow);
        // Every cycle passes through a block that counts fuel, and so does each iteration of it.
        self.trips *= MAX_TRIPS;
        self.start_blocks(&mut flow, before, &starts, &entered);
        for k in 0..count {
            self.fill_block(&mut flow, k, &mark);
        }
        self.count_fuel(&mut flow, &mark);
        for phis in std::mem::take(&mut flow.phis) {
            self.close(phis);
        }
        self.trips /= MAX_TRIPS;
        self.release(&mark);
        self.finish(flow.exit);
    }

    /// Returns a register that holds a value and is assigned again.
    fn variable(&mut self, ty: Type, v: Value) -> Reg {
        let r = self.b.reg(ty);
        match v {
            Value::Reg(a) => self.b.assign(r).copy(a),
            v => self.b.assign(r).constant(ty, v),
        }
    }

    /// Leaves the current block for one or two blocks of the flow. Returns which ones.
    fn enter_flow(&mut self, flow: &mut Flow) -> Vec<usize> {
        let n = flow.blocks.len();
        let (a, b) = (self.rng.below(n), self.rng.below(n));
        if a == b {
            self.b.jmp(flow.blocks[a]);
            return vec![a];
        }
        self.branch(flow.blocks[a], flow.blocks[b]);
        vec![a, b]
    }
    /// Gives every block its phis, with the entries of those that are entered from before.
    fn start_blocks(&mut self, flow: &mut Flow, before: Block, starts: &[Value], entered: &[usize]) {
        if flow.registers.is_some() {
            return;
        }
        for (k, block) in flow.blocks.iter().enumerate() {
            self.b.switch_to(*block);
            let mut phis: Vec<Carried> =
                flow.types.iter().zip(starts).map(|(ty, v)| self.carried(*ty, before, *v)).collect();
            if !entered.contains(&k) {
                phis.iter_mut().for_each(|p| p.entries.clear());
            }
            flow.phis.push(phis);
        }
    }

    /// Writes a block's statements and its terminator.
    fn fill_block(&mut self, flow: &mut Flow, k: usize, mark: &Mark) {
        self.release(mark);
        self.b.switch_to(flow.blocks[k]);
        let here: Vec<Reg> = match &flow.registers {
            Some(registers) => registers.clone(),
            None => flow.phis[k].iter().map(|p| p.reg).collect(),
        };
        for (ty, r) in flow.types.iter().zip(&here).skip(1) {
            self.keep(*ty, *r);
        }
        let before = self.b.func.num_insts();
        for _ in 0..self.rng.below(4) {
            self.expression();
        }
        let memory = self.around.config.memory && self.this.purity != Purity::ReadNone;
        if memory && self.rng.chance(30) {
            self.load();
        }
        if self.writes() && self.rng.chance(30) {
            self.store();
        }
        self.steps += (self.b.func.num_insts() - before) as u64 * self.trips;
        let values = self.new_values(flow, &here);
        let targets: Vec<Block> = (0..self.rng.range(1, 3)).map(|_| self.free_target(flow, k, &values)).collect();
        match targets[..] {
            [one] => self.b.jmp(one),
            [one, two] => self.branch(one, two),
            _ => {
                let ty = self.integer_type();
                let a = self.any(ty);
                let low = self.b.binary(Opcode::And, ty, a, 3);
                self.b.switch(low, targets[0], &[(0, targets[1]), (2, targets[2])]);
            }
        }
    }
    /// Returns the values of the variables at the end of a block: the same, others of the type, or new ones.
    fn new_values(&mut self, flow: &Flow, here: &[Reg]) -> Vec<Reg> {
        let mut values = vec![here[0]];
        for (ty, r) in flow.types.iter().zip(here).skip(1) {
            let new = if self.rng.chance(60) { self.any(*ty) } else { *r };
            match &flow.registers {
                Some(_) if new != *r => {
                    self.b.assign(*r).copy(new);
                    values.push(*r);
                }
                Some(_) => values.push(*r),
                None => values.push(new),
            }
        }
        values
    }
    /// Returns a target for block `k`. The phis there get entries for it.
    fn free_target(&mut self, flow: &mut Flow, k: usize, values: &[Reg]) -> Block {
        let from = self.current();
        if self.rng.chance(20) {
            // Twice to one block is one predecessor.
            if !flow.exit.is_entered_from(from) {
                self.enter(&mut flow.exit);
            }
            return flow.exit.block;
        }
        let to = self.rng.below(flow.blocks.len());
        if to > k {
            flow.enter(to, from, values);
            return flow.blocks[to];
        }
        let back = self.b.fresh_block("back");
        flow.back.push((back, to, values.to_vec()));
        back
    }

    /// Fills the blocks on the back edges.
    fn count_fuel(&mut self, flow: &mut Flow, mark: &Mark) {
        for (block, to, mut values) in std::mem::take(&mut flow.back) {
            self.release(mark);
            self.b.switch_to(block);
            let fuel = values[0];
            let left = match &flow.registers {
                Some(_) => self.b.assign(fuel).binary(Opcode::Sub, Type::I32, fuel, 1),
                None => self.b.binary(Opcode::Sub, Type::I32, fuel, 1),
            };
            values[0] = left;
            self.enter(&mut flow.exit);
            flow.enter(to, block, &values);
            let (target, exit) = (flow.blocks[to], flow.exit.block);
            self.b.branch(IntCC::Sgt, left, 0, target, exit);
        }
    }
}

impl Flow {
    /// Gives the phis of a block their entries for a predecessor, once.
    fn enter(&mut self, to: usize, from: Block, values: &[Reg]) {
        let Some(phis) = self.phis.get_mut(to) else { return };
        if phis.first().is_some_and(|p| p.entries.iter().any(|e| e.0 == from)) {
            return;
        }
        for (p, r) in phis.iter_mut().zip(values) {
            p.entries.push((from, Operand::reg(*r)));
        }
    }
}
