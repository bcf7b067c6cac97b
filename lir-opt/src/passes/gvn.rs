//! Global value numbering (`gvn`).
//!
//! Replaces an instruction by an earlier, dominating one that computes the same value.
//!
//! # Example
//!
//! ```text
//! entry:                                       entry:
//!   %a = add i32 %x, %y                          %a = add i32 %x, %y
//!   br %c, left, right                           br %c, left, right
//! left:                                        left:
//!   %b = add i32 %y, %x
//!   %d = mul i32 %b, 3                   =>      %d = mul i32 %a, 3
//!   ret %d                                       ret %d
//! right:                                       right:
//!   %e = mul i32 %a, 3                           %e = mul i32 %a, 3
//!   ret %e                                       ret %e
//! ```
//!
//! # Algorithm
//!
//! Every register gets a value number; registers with the same number hold the same value where both are assigned.
//!
//! 1. Walk the blocks in preorder of the dominator tree, so that what dominates comes first, and each block from the top.
//!    Operands are replaced by the registers that stand for them.
//! 2. A `copy` has the number of its operand. A constant has its own bits as its number: an instruction that reads the
//!    register, and one that names the constant, are the same.
//! 3. An instruction that takes part has a [`ValueKey`]: opcode, type, predicate or target type, and the numbers of its
//!    operands. Those of a commutative operation stand in ascending order; those of a comparison too, with the predicate
//!    swapped (`slt` to `sgt`, never inverted to `sge`). Constants are above all registers and so stand on the right.
//! 4. The key is looked up by hash and compared in full. Found: the register gets the number found, the instruction goes,
//!    and its register is replaced in what is still to be walked; with the option `crumbs` it becomes a `copy` instead and
//!    nothing is replaced, which `copy-prop` does then. Not found: a new number.
//! 5. At the end the phis, whose operands come along back edges, and the unreachable blocks have their operands replaced.
//!
//! The table is one for the function. An entry counts only where its block dominates the current one, and is overwritten
//! where it does not. That finds exactly what a table with a scope for each block finds (option `scopes`): a block whose
//! subtree the preorder has left dominates nothing to come; and where the entry of an outer scope with this key were
//! hidden, that entry's block would dominate the hiding one, which then would not have been entered. Both take the same
//! time (40 ms for 100,000 blocks in diamonds); tags are the default because they need nothing but the one table.
//!
//! # Why it is sound
//!
//! Takes part: what depends on its operands alone ([`is_pure`](lir_syntax::ir::Effects::is_pure)), and divisions, which may only trap: where an
//! equal one was executed before, this one does not trap. Nothing is moved. Loads, calls, `va_arg`, allocas and phis get
//! a new number each (two phis of one block: see `phi-simplify`). The type is part of the key, so numbers of constants
//! need not tell i32 5 from i64 5; float constants are their bits, so 0.0 is not -0.0. The register that stands for another
//! dominates it, and so all its uses. Numbers are given in the order of the walk, and only ever compared: the result does
//! not depend on how the input is numbered.
//!
//! # Cost and limits
//!
//! Linear in instructions and phi operands, by hashing; no recursion. Pessimistic: equalities that hold around a loop
//! are not assumed. A `const` stands for another of its own block only, since carrying one in a register through several
//! blocks costs more than making it again.
//!
//! # Source
//!
//! P. Briggs, K. D. Cooper, L. T. Simpson, "Value Numbering", Software: Practice and Experience 27(6), 1997: the
//! dominator-based technique. Tagging entries with blocks is a remark of A. d'Antras on Cranelift's scoped map.

use crate::analysis::SsaView;
use crate::kept_tables::empty_table;
use crate::pass::{OptionInfo, OptionKind, Pass, PassContext, PassInfo, Preserved, SsaPass};
use crate::value_key::ValueKey;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use lir_syntax::ir::{
    Block, DominatorTree, Format, Function, Inst, InstData, Opcode, Operand, PackedOption, Param, Reg, SecondaryMap,
};

/// The row of the registry.
pub static INFO: PassInfo = PassInfo {
    name: "gvn",
    summary: "replace an instruction by a dominating one that computes the same value",
    options: &[
        OptionInfo {
            name: "crumbs",
            kind: OptionKind::Flag { default: false },
            summary: "leave a copy in the place of each instruction that is replaced, and its uses alone",
        },
        OptionInfo {
            name: "scopes",
            kind: OptionKind::Flag { default: false },
            summary: "undo the table by scopes instead of tagging entries with blocks (same result, for measuring)",
        },
    ],
    build: |options| Pass::Ssa(Box::new(Gvn { crumbs: options.flag("crumbs"), scopes: options.flag("scopes") })),
};

struct Gvn {
    crumbs: bool,
    scopes: bool,
}

impl SsaPass for Gvn {
    fn run(&self, f: &mut Function, _: &SsaView, cx: &mut PassContext<'_>) -> Preserved {
        let mut tables = cx.scratch.take::<Tables>();
        tables.reset(f);
        let (_, dom) = cx.analyses.dominators(f);
        let mut state = State { crumbs: self.crumbs, scopes: self.scopes, dom, t: &mut tables, replaced: 0 };
        state.walk(f);
        state.replace_the_rest(f);
        let replaced = state.replaced;
        cx.scratch.give_back(tables);
        cx.stats.add("instructions replaced", replaced);
        Preserved::cfg_if(replaced != 0)
    }
}

/// An expression that was computed.
#[derive(Copy, Clone)]
struct Available {
    key: ValueKey,
    /// The register that holds it.
    by: Reg,
    /// Where: it is available in the blocks that this one dominates.
    block: Block,
}

#[derive(Default)]
struct Tables {
    /// The value number of each register that the walk has passed, as the bits of an operand: a register (whose index
    /// is the number) or a constant.
    numbers: SecondaryMap<Reg, u32>,
    next_number: u32,
    /// The register that stands for one whose instruction went.
    leader: SecondaryMap<Reg, PackedOption<Reg>>,
    available: Vec<Available>,
    /// Indices into `available`, by the hash of the key.
    table: HashTable<u32>,
    /// With the option `scopes`: end of each open block's subtree in preorder, and the length of `available` before it.
    scopes: Vec<(usize, usize)>,
}

impl Tables {
    fn reset(&mut self, f: &Function) {
        self.numbers.reset(f.num_regs());
        self.next_number = 0;
        self.leader.reset(f.num_regs());
        self.available.clear();
        empty_table(&mut self.table);
        self.scopes.clear();
        for p in &f.params {
            if let Param::Reg(r) = *p {
                self.set_new_number(r);
            }
        }
    }
    #[inline]
    fn set_new_number(&mut self, r: Reg) {
        self.numbers[r] = Operand::reg(Reg::from_u32(self.next_number)).to_bits();
        self.next_number += 1;
    }
}

struct State<'a> {
    crumbs: bool,
    scopes: bool,
    dom: &'a DominatorTree,
    t: &'a mut Tables,
    /// Instructions that went or became copies.
    replaced: u64,
}

impl State<'_> {
    /// Step 1.
    fn walk(&mut self, f: &mut Function) {
        for (at, &b) in self.dom.preorder().iter().enumerate() {
            if self.scopes {
                self.leave_scopes(at);
                self.t.scopes.push((self.dom.subtree(b).end, self.t.available.len()));
            }
            let mut next = f.layout().first_inst(b);
            while let Some(i) = next {
                next = f.layout().next_inst(i);
                if f.inst(i).op.format() != Format::Phi {
                    self.replace_uses(f, i);
                }
                if let Some(r) = f.def(i) {
                    self.number_inst(f, b, i, r);
                }
            }
        }
    }
    /// Takes the entries of the blocks out that do not dominate position `at` of the preorder.
    fn leave_scopes(&mut self, at: usize) {
        while let Some((_, mark)) = self.t.scopes.pop_if(|(end, _)| *end <= at) {
            for k in (mark..self.t.available.len()).rev() {
                let hash = self.t.available[k].key.hash();
                if let Ok(e) = self.t.table.find_entry(hash, |x| *x as usize == k) {
                    e.remove();
                }
            }
            self.t.available.truncate(mark);
        }
    }
    /// Steps 2 to 4 for an instruction that assigns `r`.
    fn number_inst(&mut self, f: &mut Function, b: Block, i: Inst, r: Reg) {
        let d = *f.inst(i);
        if d.op == Opcode::Copy {
            let source = d.a.as_reg().expect("the operand of a copy is a register");
            self.t.numbers[r] = self.t.numbers[source];
            if !self.crumbs {
                self.stand_for(f, i, r, source);
            }
            return;
        }
        let Some(key) = self.key(f, b, i) else {
            self.t.set_new_number(r);
            return;
        };
        match self.find_or_insert(key, r, b) {
            Some(by) => {
                self.t.numbers[r] = self.t.numbers[by];
                if self.crumbs {
                    let copy =
                        InstData { dst: d.dst, a: Operand::reg(by), ..InstData::new(Opcode::Copy, f.type_of(r)) };
                    f.replace_inst(i, copy);
                    self.replaced += 1;
                } else {
                    self.stand_for(f, i, r, by);
                }
            }
            None if d.op.format() == Format::Const => self.t.numbers[r] = d.a.to_bits(),
            None => self.t.set_new_number(r),
        }
    }
    /// Step 3. None: the instruction does not take part.
    #[inline]
    fn key(&self, f: &Function, b: Block, i: Inst) -> Option<ValueKey> {
        let mut key = ValueKey::of(f, i, |r| self.t.numbers[r])?;
        if f.inst(i).op.format() == Format::Const {
            // A constant is equal in its block only.
            key.operands[1] = b.as_u32();
        }
        Some(key)
    }
    /// Step 4: the register that holds the value of `key` in block `b`, or none; then `r` is the one from here on.
    fn find_or_insert(&mut self, key: ValueKey, r: Reg, b: Block) -> Option<Reg> {
        let Tables { available, table, .. } = &mut *self.t;
        let new = Available { key, by: r, block: b };
        let same = |k: &u32| available[*k as usize].key == key;
        match table.entry(key.hash(), same, |k| available[*k as usize].key.hash()) {
            Entry::Occupied(e) => {
                let known = &mut available[*e.get() as usize];
                if self.scopes || self.dom.dominates(known.block, b) {
                    return Some(known.by);
                }
                *known = new;
            }
            Entry::Vacant(e) => {
                e.insert(available.len() as u32);
                available.push(new);
            }
        }
        None
    }
    /// Removes the instruction that assigns `r`, for which `by` stands from now on.
    fn stand_for(&mut self, f: &mut Function, i: Inst, r: Reg, by: Reg) {
        self.t.leader[r] = by.into();
        f.remove_inst(i);
        self.replaced += 1;
    }
    fn replace_uses(&self, f: &mut Function, i: Inst) {
        let mut stale = false;
        f.for_each_use(i, |r| stale |= self.t.leader[r].is_some());
        if stale {
            f.rewrite_uses(i, |u| Operand::reg(self.t.leader[u.reg].expand().unwrap_or(u.reg)));
        }
    }
    /// Step 5.
    fn replace_the_rest(&self, f: &mut Function) {
        if self.replaced == 0 || self.crumbs {
            return;
        }
        let mut rest: Vec<Inst> = Vec::new();
        for b in f.layout().blocks() {
            if self.dom.subtree(b).is_empty() {
                rest.extend(f.layout().insts(b));
            } else {
                rest.extend(f.phis(b));
            }
        }
        for i in rest {
            self.replace_uses(f, i);
        }
    }
}
