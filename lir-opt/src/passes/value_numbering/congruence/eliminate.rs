//! Removal of what a congruent register stands for.
//!
//! Blocks are visited in preorder of the dominator tree. The first register of each number stands for the others of it
//! as long as its block dominates theirs; where it does not, the next one stands for what comes after. None that
//! dominates is ever forgotten so, for what it dominates is visited before anything else.

use super::numbers::Numbers;
use crate::analysis::SsaView;
use crate::edit::constant_phis::ConstantPhis;
use crate::edit::reads::replace_all_reads;
use crate::pass::remarks::{Common, Remarks};
use crate::passes::value_numbering::congruence::events::Event;
use crate::passes::value_numbering::key::ValueKey;
use crate::passes::value_numbering::key_words::Number;
use crate::passes::value_numbering::stamped_table::StampedTable;
use lir_syntax::ir::{
    Block, DominatorTree, Format, Function, Inst, Opcode, Operand, PackedOption, Param, Reg, SecondaryMap,
};

/// The scratch memory of the removal.
#[derive(Default)]
pub(super) struct Eliminator {
    /// The register that stands for those of a number, by the register that the number is.
    leaders: SecondaryMap<Reg, PackedOption<Reg>>,
    /// The register that stands for one whose instruction went.
    stands: SecondaryMap<Reg, PackedOption<Reg>>,
    /// The constants of the block that is visited.
    constants: StampedTable<Reg>,
    constant_phis: ConstantPhis,
    replaced: u64,
}

impl Eliminator {
    /// Removes what it can. Returns how many instructions went, or became constants.
    pub(super) fn run(
        &mut self,
        f: &mut Function,
        (ssa, dom): (&SsaView, &DominatorTree),
        numbers: &Numbers,
        remarks: &mut Remarks,
    ) -> u64 {
        self.leaders.reset(f.num_regs());
        self.stands.reset(f.num_regs());
        self.replaced = 0;
        for p in &f.params {
            if let Param::Reg(r) = *p
                && let Some(n) = numbers.get(r)
            {
                self.leaders[index(n)] = r.into();
            }
        }
        for &b in dom.preorder() {
            self.constants.clear();
            self.constant_phis.clear();
            let mut next = f.layout().first_inst(b);
            while let Some(i) = next {
                next = f.layout().next_inst(i);
                if let Some(r) = f.def(i)
                    && let Some(n) = numbers.get(r)
                {
                    self.visit(f, (ssa, dom), (b, i), (r, n), remarks);
                }
            }
        }
        if self.replaced != 0 {
            replace_all_reads(f, |r| self.stands[r].expand().map(Operand::reg));
        }
        self.replaced
    }
    fn visit(
        &mut self,
        f: &mut Function,
        (ssa, dom): (&SsaView, &DominatorTree),
        (b, i): (Block, Inst),
        (r, n): (Reg, u32),
        remarks: &mut Remarks,
    ) {
        let d = *f.inst(i);
        if d.op == Opcode::Copy {
            let source = d.first().as_reg().expect("a copy has a register");
            let source = self.stands[source].expand().unwrap_or(source);
            return self.stand_for(f, i, (r, n), source, remarks);
        }
        let number = Operand::from_bits(n);
        if !number.is_reg() {
            match self.constants.find_or_insert(ValueKey::of_const(f.type_of(r), number), r) {
                // What was a phi is visited again as the constant that it became.
                Some(first) if first == r => {}
                Some(first) => self.stand_for(f, i, (r, n), first, remarks),
                None if d.op.format() == Format::Const => {}
                None => self.make_constant(f, i, r, number, remarks),
            }
            return;
        }
        let leader = self.leaders[index(n)].expand();
        let block_of = |l: Reg| ssa.def(l).and_then(|i| f.layout().block_of(i)).unwrap_or(dom.preorder()[0]);
        match leader.map(|l| (l, block_of(l))) {
            Some((leader, at)) if dom.dominates(at, b) => self.stand_for(f, i, (r, n), leader, remarks),
            other => {
                self.leaders[index(n)] = r.into();
                if let Some((leader, at)) = other {
                    remarks.missed(f, i, Event::CongruentElsewhere(&Number(n), leader, at));
                }
            }
        }
    }
    /// Removes an instruction for whose result another register stands.
    fn stand_for(&mut self, f: &mut Function, i: Inst, (r, n): (Reg, u32), by: Reg, remarks: &mut Remarks) {
        remarks.done(f, i, Common::Congruent(&Number(n), by));
        self.stands[r] = by.into();
        f.remove_inst(i);
        self.replaced += 1;
    }
    /// Makes a constant of a phi of equal constants.
    fn make_constant(&mut self, f: &mut Function, i: Inst, r: Reg, k: Operand, remarks: &mut Remarks) {
        let ty = f.type_of(r);
        remarks.done(f, i, Common::CongruentToConstant((ty, k)));
        self.constant_phis.make_constant(f, i, k);
        self.replaced += 1;
    }
}

/// The register that a number is.
fn index(n: u32) -> Reg {
    Operand::from_bits(n).as_reg().expect("it is no constant")
}
