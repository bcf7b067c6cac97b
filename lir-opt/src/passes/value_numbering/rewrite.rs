//! The rewriting of `gvn-unified`, `gvn-partition`, `avail` and `pre`: missing computations are inserted on edges, and
//! a redundant one is replaced by the current value, or by the equal register.

use crate::edit::blocks::jump_block;
use crate::edit::constant_phis::ConstantPhis;
use crate::edit::edges::Redirects;
use crate::edit::reads::replace_all_reads;
use crate::edit::ssa_construction::{Access, Client, SsaConstruction, Values, Var, Variable};
use crate::pass::PassContext;
use crate::pass::remarks::{Common, Remarks};
use crate::passes::value_numbering::key::ValueKey;
use crate::passes::value_numbering::key_words::Number;
use crate::passes::value_numbering::stamped_table::StampedTable;
use lir_syntax::ir::{
    Block, Cfg, EntityRef, Format, Function, Inst, InstData, Opcode, Operand, PackedOption, Promises, Reg, SecondaryMap,
};

/// The role of an instruction for a value that has redundant computations.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Role {
    /// It computes, loads or stores it.
    Writes(Var),
    /// It is redundant.
    Reads(Var),
    /// Another register is the same.
    SameAs(Reg),
    /// It is a phi of one constant.
    Is(Operand),
}

/// A computation that is to be inserted on an edge.
#[derive(Clone)]
pub(super) struct Insertion {
    pub from: Block,
    pub to: Block,
    /// The computation of which it is a copy.
    pub like: Inst,
    /// The computation whose position in the source the copy has.
    pub located_as: Inst,
    /// The registers that the copy reads instead of the operands of `like`.
    pub reads: Vec<(Reg, Reg)>,
    pub var: Var,
}

/// The changes to a function, collected before any is made.
#[derive(Default)]
pub(super) struct Rewrite {
    roles: SecondaryMap<Inst, Option<Role>>,
    /// The same for values in memory. It comes first: others read the replacement of a load. Empty as long as nothing
    /// is noted.
    memory_roles: SecondaryMap<Inst, Option<Role>>,
    /// The register that replaces one whose instruction is removed.
    replacements: SecondaryMap<Reg, PackedOption<Reg>>,
    /// The constants of the block that is visited.
    block_constants: StampedTable<Reg>,
    insertions: Vec<Insertion>,
    /// True if an instruction is replaced by a register or a constant.
    any_same: bool,
    /// Phis of one constant. They become that constant when all other phis are in place.
    constants: Vec<(Inst, Operand)>,
    removed: u64,
}

impl Rewrite {
    /// Begins with a function.
    pub(super) fn begin(&mut self, f: &Function) {
        self.roles.reset(f.num_insts());
        self.memory_roles.reset(0);
        self.replacements.reset(f.num_regs());
        self.insertions.clear();
        self.constants.clear();
        (self.any_same, self.removed) = (false, 0);
    }
    /// Notes the role of an instruction for the value that it computes.
    pub(super) fn note(&mut self, i: Inst, role: Role) {
        self.roles[i] = Some(role);
    }
    /// Notes the role of an instruction for the value that it loads or stores.
    pub(super) fn note_access(&mut self, i: Inst, role: Role) {
        self.memory_roles[i] = Some(role);
    }
    /// Notes that the result of an instruction equals another register, which has the same number and is assigned
    /// wherever the instruction is executed. Operands are noted first.
    pub(super) fn note_same(&mut self, f: &Function, i: Inst, (number, by): (u32, Reg), remarks: &mut Remarks) {
        let by = self.replacements[by].expand().unwrap_or(by);
        remarks.done(f, i, Common::Congruent(&Number(number), by));
        self.replacements[f.def(i).expect("it assigns something")] = by.into();
        self.note(i, Role::SameAs(by));
        self.any_same = true;
    }
    /// The walk enters a block: none of its instructions was looked at by [`Rewrite::note_constant`].
    pub(super) fn begin_block(&mut self) {
        self.block_constants.clear();
    }
    /// Looks at an instruction of the block whose value is a constant: notes copies, phis, and a constant that the
    /// block has made before.
    pub(super) fn note_constant(&mut self, f: &Function, i: Inst, constant: Operand, remarks: &mut Remarks) {
        let (d, r) = (f.inst(i), f.def(i).expect("it assigns something"));
        let same = match d.op {
            Opcode::Copy => d.first().as_reg(),
            _ => self.block_constants.find_or_insert(ValueKey::of_const(d.ty, constant), r),
        };
        if let Some(same) = same {
            self.note_same(f, i, (constant.to_bits(), same), remarks);
        } else if d.op == Opcode::Phi {
            remarks.done(f, i, Common::CongruentToConstant((d.ty, constant)));
            self.note(i, Role::Is(constant));
            self.any_same = true;
        }
    }
    /// Notes a computation that is missing on an edge.
    pub(super) fn insert(&mut self, insertion: Insertion) {
        self.insertions.push(insertion);
    }
    /// Makes the changes, with the variables of `engine`. Returns the number of instructions that were removed and
    /// inserted.
    pub(super) fn run(
        &mut self,
        f: &mut Function,
        engine: &mut SsaConstruction,
        cx: &mut PassContext<'_>,
    ) -> (u64, u64) {
        if !self.any_same && !engine.has_variables() {
            return (0, 0);
        }
        let inserted = self.insertions.len() as u64;
        if inserted != 0 {
            self.make_insertions(f, cx.analyses.cfg(f));
        }
        let (cfg, dom) = cx.analyses.dominators(f);
        let first_new = f.num_regs();
        let phis = engine.run(f, cfg, dom, self);
        if inserted != 0 {
            cx.growth.charge(inserted as usize + phis);
        }
        if phis != 0 {
            self.remove_phis_of_one(f, cfg, first_new);
        }
        self.make_constants(f);
        replace_all_reads(f, |r| match self.resolve(r.into()) {
            by if by == Operand::reg(r) => None,
            by => Some(by),
        });
        (self.removed, inserted)
    }
    /// Removes phis of one value, of registers from `first_new` on. Where several computations became one, phis were
    /// placed for all of them.
    fn remove_phis_of_one(&mut self, f: &mut Function, cfg: &Cfg, first_new: usize) {
        for &b in cfg.rpo() {
            let mut next = f.layout().first_inst(b);
            while let Some(phi) = next.filter(|i| f.inst(*i).op.format() == Format::Phi) {
                next = f.layout().next_inst(phi);
                let Some(r) = f.def(phi).filter(|r| r.index() >= first_new) else { continue };
                if let Some(by) = self.only_value(f, phi, r) {
                    self.replacements[r] = by.into();
                    f.remove_inst(phi);
                }
            }
        }
    }
    /// Returns the one register that a phi chooses from, other than itself.
    fn only_value(&self, f: &Function, phi: Inst, r: Reg) -> Option<Reg> {
        let mut values = f.phi_entries(phi).map(|(_, o)| self.resolve(o)).filter(|o| *o != Operand::reg(r));
        let first = values.next()?;
        first.as_reg().filter(|_| values.all(|o| o == first))
    }
    fn make_constants(&mut self, f: &mut Function) {
        self.removed += self.constants.len() as u64;
        let mut constant_phis = ConstantPhis::default();
        for (phi, constant) in self.constants.drain(..) {
            constant_phis.make_constant(f, phi, constant);
        }
    }
    fn make_insertions(&mut self, f: &mut Function, cfg: &Cfg) {
        let mut insertions = std::mem::take(&mut self.insertions);
        insertions.sort_by_key(|n| (cfg.rpo_index(n.to), cfg.rpo_index(n.from)));
        let mut redirects = Redirects::default();
        for at_block in insertions.chunk_by(|x, y| x.to == y.to) {
            let mut split: Vec<(Block, Block)> = Vec::new();
            for on_edge in at_block.chunk_by(|x, y| x.from == y.from) {
                let (from, to) = (on_edge[0].from, on_edge[0].to);
                let mut place = from;
                if f.succs(from).len() > 1 {
                    place = block_on_edge(f, from, to);
                    redirects.redirect(f, from, to, place);
                    split.push((from, place));
                }
                for insertion in on_edge {
                    self.make_insertion(f, place, insertion);
                }
            }
            split.sort_unstable();
            let new_pred = |p: Block| split.binary_search_by_key(&p, |(from, _)| *from).map_or(p, |k| split[k].1);
            if !split.is_empty() {
                f.map_phi_preds(at_block[0].to, new_pred);
            }
        }
        redirects.finish(f);
    }
    fn make_insertion(
        &mut self,
        f: &mut Function,
        place: Block,
        Insertion { like, located_as, reads, var, .. }: &Insertion,
    ) {
        let result = f.def(*like).expect("a computation has a result");
        let new = f.new_reg_like(result);
        let data = f.copy_inst_data(*like).with_promises(Promises::NONE).with_result(new);
        let (before, loc) = (f.terminator(place), f.debug_loc(*located_as));
        let i = f.insert_before_at(before, data, loc);
        f.rewrite_uses(i, |u| {
            let other = reads.iter().find(|(r, _)| *r == u.reg);
            Operand::reg(other.map_or(u.reg, |(_, by)| *by))
        });
        self.note(i, Role::Writes(*var));
    }
}

/// Returns a block for an edge, after its source. The edge does not lead there yet.
fn block_on_edge(f: &mut Function, from: Block, to: Block) -> Block {
    jump_block(f, to, from, to, f.debug_loc(f.terminator(from)))
}

impl Client for Rewrite {
    fn accesses(&self, _: &Function, i: Inst, mut note: impl FnMut(Access)) {
        for role in [self.memory_roles[i], self.roles[i]].into_iter().flatten() {
            match role {
                Role::Writes(var) => note(Access::Write(var)),
                Role::Reads(var) => note(Access::Read(var)),
                Role::SameAs(_) | Role::Is(_) => {}
            }
        }
    }
    fn rewrite(&mut self, f: &mut Function, i: Inst, values: &mut Values) {
        for role in [self.memory_roles[i], self.roles[i]].into_iter().flatten() {
            match role {
                Role::Writes(var) => values.set(var, self.resolve(value_of(f, i))),
                Role::Reads(var) => self.remove(f, i, values.get(var)),
                Role::SameAs(by) => self.remove(f, i, by.into()),
                Role::Is(constant) => self.constants.push((i, constant)),
            }
        }
    }
}

/// Returns the value that an instruction assigns or stores.
fn value_of(f: &Function, i: Inst) -> Operand {
    let d = f.inst(i);
    if d.op.format() == Format::Store { d.stored() } else { d.result().expect("it has a result").into() }
}

impl Rewrite {
    /// Returns the operand that replaces one.
    fn resolve(&self, mut o: Operand) -> Operand {
        while let Some(by) = o.as_reg().and_then(|r| self.replacements[r].expand()) {
            o = by.into();
        }
        o
    }
    /// Removes an instruction that a value replaces. A constant is made in its place: it was stored.
    fn remove(&mut self, f: &mut Function, i: Inst, by: Operand) {
        let r = f.def(i).expect("a computation has a result");
        match by.as_reg() {
            Some(by) => {
                self.replacements[r] = by.into();
                f.remove_inst(i);
            }
            None => f.replace_inst(i, InstData::move_of(f.type_of(r), by).with_result(r)),
        }
        self.removed += 1;
    }
}

/// Returns a variable for a value.
pub(super) fn variable(f: &Function, like: Reg, initial: Operand) -> Variable {
    Variable { ty: f.type_of(like), name: f.regs[like].name, initial }
}
