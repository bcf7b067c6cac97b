//! The computations of each value: members of one congruence class, and the points at which the class begins anew.

use crate::analysis::SsaView;
use crate::passes::value_numbering::congruence::Numbers;
use crate::passes::value_numbering::key::ValueKey;
use crate::tables::groups::Groups;
use lir_syntax::ir::{
    Block, Cfg, DominatorTree, Format, Function, Inst, Opcode, Operand, PackedOption, Param, Reg, SecondaryMap,
};

/// An assignment of a register. A parameter has no instruction.
#[derive(Copy, Clone)]
pub(super) struct Member {
    pub inst: PackedOption<Inst>,
    pub reg: Reg,
    pub block: Block,
}

/// The congruence classes of a function, each named by the register that is its number.
#[derive(Default)]
pub(super) struct Classes {
    numbers: Numbers,
    /// The members of the classes that have several.
    members: Groups<Reg, Member>,
    found: Vec<(Reg, Member)>,
    /// The registers of each class as far as they were seen: none, one, or several.
    sizes: SecondaryMap<Reg, u8>,
    /// See [`Classes::home`].
    homes: SecondaryMap<Reg, PackedOption<Block>>,
    /// The classes that have several, in the order of their first members.
    several: Vec<Reg>,
}

impl Classes {
    /// Finds them.
    pub(super) fn find(&mut self, f: &Function, ssa: &SsaView, cfg: &Cfg, dom: &DominatorTree) {
        self.numbers.find(f, ssa, cfg);
        self.homes.reset(f.num_regs());
        self.found.clear();
        self.measure(f);
        let entry = dom.preorder()[0];
        for p in &f.params {
            if let Param::Reg(reg) = *p {
                self.add(f, dom, Member { inst: None.into(), reg, block: entry });
            }
        }
        for &block in dom.preorder() {
            for i in f.layout().insts(block) {
                if let Some(reg) = f.def(i) {
                    self.add(f, dom, Member { inst: i.into(), reg, block });
                }
            }
        }
        self.members.fill(f.num_regs(), self.found.iter().copied());
        let members = &self.members;
        let is_first = |(class, m): &&(Reg, Member)| members.get(*class)[0].reg == m.reg;
        self.several.clear();
        self.several.extend(self.found.iter().filter(is_first).map(|(class, _)| *class));
    }
    /// Finds out which classes have several members: they are few, and of the others no list is made.
    fn measure(&mut self, f: &Function) {
        self.sizes.reset(f.num_regs());
        for r in f.regs.keys() {
            if let Some(class) = self.class_of(r) {
                self.sizes[class] = (self.sizes[class] + 1).min(2);
            }
        }
    }
    fn add(&mut self, f: &Function, dom: &DominatorTree, m: Member) {
        let Some(class) = self.class_of(m.reg) else { return };
        if self.sizes[class] > 1 {
            self.found.push((class, m));
        }
        if self.homes[class].is_none() {
            let home = m.inst.expand().and_then(|i| self.home_of_operands(f, dom, i)).unwrap_or(m.block);
            self.homes[class] = home.into();
        }
    }
    /// Returns the home of a value that its operands determine.
    fn home_of_operands(&self, f: &Function, dom: &DominatorTree, i: Inst) -> Option<Block> {
        ValueKey::of(f, i, |_| 0)?;
        let mut home = dom.preorder()[0];
        f.for_each_use(i, |r| {
            let of_operand = self.class_of(r).and_then(|class| self.homes[class].expand());
            home = of_operand.map_or(home, |other| deeper(dom, home, other));
        });
        Some(home)
    }
    /// Returns the class of a register. None if it is a constant, or never assigned.
    pub(super) fn class_of(&self, r: Reg) -> Option<Reg> {
        Operand::from_bits(self.numbers.get(r)?).as_reg()
    }
    /// Returns the number of a register, as operand bits. None if it is never assigned.
    pub(super) fn number_of(&self, r: Reg) -> Option<u32> {
        self.numbers.get(r)
    }
    /// Returns the constant that a register is found to be.
    pub(super) fn constant_of(&self, r: Reg) -> Option<Operand> {
        self.numbers.get(r).map(Operand::from_bits).filter(|n| n.is_const())
    }
    /// Returns the members of a class that has several, in preorder of the dominator tree; else none.
    pub(super) fn members(&self, class: Reg) -> &[Member] {
        self.members.get(class)
    }
    /// Returns the classes that have several members.
    pub(super) fn several(&self) -> &[Reg] {
        &self.several
    }
    /// Returns the last block on the way to the members where an operand of the value is assigned. It dominates all of
    /// them. A computation before it is entered is of another iteration, and has another value.
    pub(super) fn home(&self, class: Reg) -> Block {
        self.homes[class].expand().expect("a class has members")
    }
}

/// Returns the one of two blocks on one path through the dominator tree that is farther from the entry.
pub(super) fn deeper(dom: &DominatorTree, a: Block, b: Block) -> Block {
    if dom.dominates(a, b) { b } else { a }
}

/// True if a register is assigned by a phi or a copy, which computes nothing.
pub(super) fn computes_nothing(f: &Function, m: &Member) -> bool {
    m.inst.expand().is_none_or(|i| f.inst(i).op.format() == Format::Phi || f.inst(i).op == Opcode::Copy)
}
