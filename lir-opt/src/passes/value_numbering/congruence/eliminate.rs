//! Removes instructions whose value a congruent register holds.
//!
//! Blocks are visited in preorder of the dominator tree. The first register of each number replaces the others as long
//! as its block dominates theirs; where it does not, the next one replaces the later ones. No dominating register is
//! forgotten this way, since the blocks that it dominates are visited before any others.

use super::numbers::Numbers;
use crate::analysis::SsaView;
use crate::edit::ssa_construction::SsaConstruction;
use crate::pass::PassContext;
use crate::pass::remarks::Remarks;
use crate::passes::value_numbering::congruence::events::Event;
use crate::passes::value_numbering::key_words::Number;
use crate::passes::value_numbering::rewrite::Rewrite;
use lir_syntax::ir::{Block, DominatorTree, Function, Inst, Opcode, Operand, PackedOption, Reg, SecondaryMap};

/// The scratch memory of the removal.
#[derive(Default)]
pub(super) struct Eliminator {
    /// The register that replaces the others of a number, by the register that is the number.
    leaders: SecondaryMap<Reg, PackedOption<Reg>>,
    rewrite: Rewrite,
    /// The engine of `rewrite`, without variables.
    engine: SsaConstruction,
}

impl Eliminator {
    /// Removes the redundant instructions. Returns the number of instructions that were removed, or became constants.
    pub(super) fn run(&mut self, f: &mut Function, ssa: &SsaView, numbers: &Numbers, cx: &mut PassContext<'_>) -> u64 {
        let (_, dom) = cx.analyses.dominators(f);
        self.leaders.reset(f.num_regs());
        self.rewrite.begin(f);
        for r in f.param_regs() {
            if let Some(n) = numbers.get(r) {
                self.leaders[index(n)] = r.into();
            }
        }
        for &b in dom.preorder() {
            self.rewrite.begin_block();
            for i in f.layout().insts(b) {
                if let Some(r) = f.def(i)
                    && let Some(n) = numbers.get(r)
                {
                    self.visit(f, (ssa, dom), (b, i), (r, n), cx.remarks);
                }
            }
        }
        let (removed, _) = self.rewrite.run(f, &mut self.engine, cx);
        removed
    }
    fn visit(
        &mut self,
        f: &Function,
        (ssa, dom): (&SsaView, &DominatorTree),
        (b, i): (Block, Inst),
        (r, n): (Reg, u32),
        remarks: &mut Remarks,
    ) {
        let (d, number) = (f.inst(i), Operand::from_bits(n));
        if d.op == Opcode::Copy {
            let source = d.first().as_reg().expect("a copy has a register");
            return self.rewrite.note_same(f, i, (n, source), remarks);
        }
        if !number.is_reg() {
            return self.rewrite.note_constant(f, i, number, remarks);
        }
        let block_of = |l: Reg| ssa.def(l).and_then(|i| f.layout().block_of(i)).unwrap_or(dom.preorder()[0]);
        match self.leaders[index(n)].expand().map(|l| (l, block_of(l))) {
            Some((leader, at)) if dom.dominates(at, b) => self.rewrite.note_same(f, i, (n, leader), remarks),
            other => {
                self.leaders[index(n)] = r.into();
                if let Some((leader, at)) = other {
                    remarks.missed(f, i, Event::CongruentElsewhere(&Number(n), leader, at));
                }
            }
        }
    }
}

/// Returns the register that a number is.
fn index(n: u32) -> Reg {
    Operand::from_bits(n).as_reg().expect("it is no constant")
}
