//! Straight-line traces, and the tramps in them: copies that refer to an earlier instruction.
//!
//! A trace is a path of blocks each of which is the only predecessor of the next. Where a block leads to several such
//! blocks the path goes on to the first that does not end the function, as guards leave a trace to blocks that do.
//!
//! A *tramp* is a copy of what an instruction of its trace has assigned before. It computes nothing: whoever reads its
//! register reads that of the instruction, as [`Traces::read`] does. The name and the offset to the instruction are
//! those of document S2 (nanojit's `LIR_tramp`, of 24 bits); here the reference is the name of the register.

use lir_syntax::ir::{Block, Cfg, Function, Inst, Opcode, Reg, SecondaryMap};

/// The traces of a function, and the places of registers in them.
pub(crate) struct Traces {
    /// The reachable blocks, trace after trace. What dominates a block stands before it.
    blocks: Vec<Block>,
    /// For each block its trace, by number.
    trace: SecondaryMap<Block, u32>,
    /// The trace and the position in it of an assignment of each register.
    assigned: SecondaryMap<Reg, Option<(u32, u32)>>,
    /// The register that a tramp refers to, which is none's.
    read: SecondaryMap<Reg, Option<Reg>>,
    positions: SecondaryMap<Inst, u32>,
}

impl Traces {
    /// Finds them.
    pub(crate) fn new(f: &Function, cfg: &Cfg) -> Traces {
        let mut traces = Traces {
            blocks: Vec::new(),
            trace: SecondaryMap::with_len(u32::MAX, f.num_blocks()),
            assigned: SecondaryMap::new(),
            read: SecondaryMap::new(),
            positions: SecondaryMap::new(),
        };
        let mut count = 0;
        for &head in cfg.rpo() {
            let mut next = (traces.trace[head] == u32::MAX).then_some(head);
            count += u32::from(next.is_some());
            while let Some(b) = next {
                traces.trace[b] = count - 1;
                traces.blocks.push(b);
                next = continuation(f, cfg, b);
            }
        }
        traces
    }
    /// The reachable blocks, trace after trace.
    pub(crate) fn blocks(&self) -> &[Block] {
        &self.blocks
    }
    /// True if the block at a position of [`Traces::blocks`] goes on with the trace of the one before.
    pub(crate) fn continues(&self, at: usize) -> bool {
        at > 0 && self.trace[self.blocks[at]] == self.trace[self.blocks[at - 1]]
    }
    /// Finds the positions of instructions, counted through each trace, and the tramps.
    pub(crate) fn find_tramps(&mut self, f: &Function) {
        let mut several: SecondaryMap<Reg, bool> = SecondaryMap::new();
        let mut position = 0;
        for at in 0..self.blocks.len() {
            position = if self.continues(at) { position } else { 0 };
            for i in f.layout().insts(self.blocks[at]) {
                self.positions[i] = position;
                if let Some(r) = f.def(i) {
                    several[r] |= self.assigned[r].is_some();
                    self.assigned[r] = Some((self.trace[self.blocks[at]], position));
                }
                position += 1;
            }
        }
        let is_left_out = |b: &Block| self.trace[*b] == u32::MAX;
        for i in f.layout().blocks().filter(is_left_out).flat_map(|b| f.layout().insts(b)) {
            f.def(i).iter().for_each(|r| several[*r] = true);
        }
        for &b in &self.blocks {
            for i in f.layout().insts(b).filter(|i| f.inst(*i).op == Opcode::Copy) {
                if let (Some(r), Some(source)) = (f.def(i), f.inst(i).first().as_reg()) {
                    let source = self.read(source);
                    let is_before =
                        self.assigned[source].is_some_and(|(t, at)| t == self.trace[b] && at < self.positions[i]);
                    if is_before && !several[r] && !several[source] {
                        self.read[r] = Some(source);
                    }
                }
            }
        }
    }
    /// The register that is read where an operand names a register: of a tramp that which it refers to.
    pub(crate) fn read(&self, r: Reg) -> Reg {
        self.read[r].unwrap_or(r)
    }
    /// The register that a tramp refers to, and how many positions earlier that is assigned.
    pub(crate) fn tramp(&self, f: &Function, i: Inst) -> Option<(Reg, u32)> {
        let source = self.read[f.def(i)?]?;
        let (_, at) = self.assigned[source]?;
        Some((source, self.positions[i] - at))
    }
}

/// The block with which a trace goes on.
fn continuation(f: &Function, cfg: &Cfg, b: Block) -> Option<Block> {
    let may_follow = |s: &Block| *s != f.entry() && cfg.preds(*s) == [b];
    let mut all = f.succs(b).iter().copied().filter(may_follow);
    let first = all.next()?;
    let goes_on = |s: &Block| !f.succs(*s).is_empty();
    Some(std::iter::once(first).chain(all).find(goes_on).unwrap_or(first))
}
