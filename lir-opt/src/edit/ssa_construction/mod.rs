//! SSA construction: one assignment for each of a set of variables, with phis where assignments meet.
//!
//! The engine of `ssa` (variables are registers) and `mem2reg` (variables are stack objects). It depends on neither: a
//! [`Client`] reports which instructions read and write which variable, and rewrites them, in an order in which the
//! current value of each variable is known.
//!
//! # Example
//!
//! ```text
//! variable x, initially 0        values
//! entry: x = %a                  entry: x is %a
//!        br %c, left, join
//! left:  x = %b                  left:  x is %b
//!        jmp join
//! join:  use x                   join:  %x.1 = phi [%a, entry], [%b, left]   use %x.1
//! ```
//!
//! # Algorithm
//!
//! 1. Scan the reachable blocks: for each variable the blocks that write it, and those that read it before they write
//!    it. Reads at the end of a block (operands of phis that exist already) count for the block.
//! 2. For each variable find the blocks that need a phi: see [`placement`].
//! 3. Walk the dominator tree in preorder. The current value of each variable is in a table; the changes of a block are
//!    undone when the walk leaves the blocks it dominates. At the end of a block each phi of a successor is given the
//!    value that is current there.
//! 4. Put the phis before the first other instruction of their blocks, variables in order.
//!
//! # Why it is sound
//!
//! A block without a phi for a variable that is live there is reached by one assignment only, which is the current one
//! where the walk enters, since that is the last one in the blocks that dominate it (Cytron et al., section 5.2). The
//! initial value counts as an assignment at the entry. Unreachable blocks are walked one by one after the others, each
//! beginning with the initial values: a variable has some well-formed value in them, and phis get one from them.
//!
//! # Cost and limits
//!
//! Steps 1, 3 and 4 are linear in instructions and phi operands. For step 2 see
//! [`placement`]. No step recurses.
//!
//! # Source
//!
//! R. Cytron, J. Ferrante, B. K. Rosen, M. N. Wegman, F. K. Zadeck, "Efficiently Computing Static Single Assignment
//! Form and the Control Dependence Graph", TOPLAS 13(4), 1991, section 5.2 (renaming); the undo log replaces its
//! stacks.

pub(crate) mod placement;
mod stretches;

use crate::tables::groups::Groups;
use lir_syntax::ir::{
    Block, Cfg, DominatorTree, EntityRef, Format, Function, Inst, InstData, NameRef, Opcode, Operand, PrimaryMap, Reg,
    Type,
};
use placement::Placement;

/// A variable of one run.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Var(u32);

impl EntityRef for Var {
    fn new(index: usize) -> Var {
        Var(u32::try_from(index).expect("too many variables"))
    }
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// The facts about a variable that the engine must know.
#[derive(Copy, Clone)]
pub(crate) struct Variable {
    /// Type of its values.
    pub ty: Type,
    /// The base of its phis' names.
    pub name: NameRef,
    /// Its value at the entry, and at the top of each unreachable block.
    pub initial: Operand,
}

/// The access of an instruction to a variable.
#[derive(Copy, Clone)]
pub(crate) enum Access {
    /// Reads it.
    Read(Var),
    /// Gives it another value.
    Write(Var),
}

/// The owner of the variables.
pub(crate) trait Client {
    /// Calls `note` for each access of an instruction, in order of execution. The operands of phis are not included:
    /// see [`SsaConstruction::add_edge_read`].
    fn accesses(&self, f: &Function, i: Inst, note: impl FnMut(Access));
    /// Replaces variables by their values, and sets those that the instruction writes. It may remove or replace this
    /// instruction, no other. Operands of phis are not touched.
    fn rewrite(&mut self, f: &mut Function, i: Inst, values: &mut Values);
}

/// The current value of each variable.
#[derive(Default)]
pub(crate) struct Values {
    current: Vec<Operand>,
    /// The values to restore, the last first, on return to a dominating block.
    undo: Vec<(Var, Operand)>,
}

impl Values {
    /// Returns the value that a read at this point gets.
    #[inline]
    pub(crate) fn get(&self, v: Var) -> Operand {
        self.current[v.index()]
    }
    /// Notes a write at this point.
    #[inline]
    pub(crate) fn set(&mut self, v: Var, value: Operand) {
        let old = std::mem::replace(&mut self.current[v.index()], value);
        self.undo.push((v, old));
    }
    fn undo_to(&mut self, mark: usize) {
        while self.undo.len() > mark {
            let (v, old) = self.undo.pop().expect("the log is longer than the mark");
            self.current[v.index()] = old;
        }
    }
}

/// A read of a variable at the end of a block: an operand of a phi in a successor.
#[derive(Copy, Clone)]
struct EdgeRead {
    block: Block,
    var: Var,
}

/// A phi to be made.
#[derive(Copy, Clone)]
struct NewPhi {
    var: Var,
    reg: Reg,
    /// The first edge read of its operands. They follow, one for each predecessor in the order of [`Cfg::preds`].
    first_read: u32,
}

/// The data of a run; its memory may be used for the next one.
#[derive(Default)]
pub(crate) struct SsaConstruction {
    variables: PrimaryMap<Var, Variable>,
    /// The reads of the client first, then the operands of new phis.
    edge_reads: Vec<EdgeRead>,
    /// The result of each edge read, in the same order.
    edge_values: Vec<Operand>,
    /// Indices into `edge_reads` by block.
    reads_at: Groups<Block, u32>,
    placement: Placement,
    new_phis: Vec<NewPhi>,
    /// Indices into `new_phis` by block, variables in order.
    phis_of: Groups<Block, u32>,
    values: Values,
    /// Blocks the walk is in the subtrees of: end of the subtree in preorder, and the length of the undo log before.
    scopes: Vec<(usize, usize)>,
}

impl SsaConstruction {
    /// Forgets the last run.
    pub(crate) fn clear(&mut self) {
        self.variables.clear();
        self.edge_reads.clear();
    }
    /// Adds a variable. Phis of a block are in the order of their variables.
    pub(crate) fn add_variable(&mut self, variable: Variable) -> Var {
        self.variables.push(variable)
    }
    /// Returns the variable that will be added next.
    pub(crate) fn next_variable(&self) -> Var {
        self.variables.next_key()
    }
    /// True if there is anything to do.
    pub(crate) fn has_variables(&self) -> bool {
        !self.variables.is_empty()
    }
    /// Adds a read at the end of a block, by a phi that exists already.
    pub(crate) fn add_edge_read(&mut self, block: Block, var: Var) {
        self.edge_reads.push(EdgeRead { block, var });
    }
    /// Returns the values of the edge reads in the order of their addition. Valid after [`SsaConstruction::run`].
    pub(crate) fn edge_values(&self) -> &[Operand] {
        &self.edge_values
    }

    /// Returns the phis of the last run: the variable and the assigned register of each.
    pub(crate) fn phis(&self) -> impl Iterator<Item = (Var, Reg)> + '_ {
        self.new_phis.iter().map(|phi| (phi.var, phi.reg))
    }
    /// Runs all steps. Returns the number of phis that were made.
    pub(crate) fn run(&mut self, f: &mut Function, cfg: &Cfg, dom: &DominatorTree, client: &mut impl Client) -> usize {
        self.scan(f, dom, client);
        self.place(f, cfg, dom);
        self.walk(f, cfg, dom, client);
        self.insert_phis(f, cfg);
        self.new_phis.len()
    }
    fn group_reads(&mut self, f: &Function) {
        let reads = self.edge_reads.iter().enumerate().map(|(k, r)| (r.block, k as u32));
        self.reads_at.fill(f.num_blocks(), reads);
    }
    /// Step 1.
    fn scan(&mut self, f: &Function, dom: &DominatorTree, client: &impl Client) {
        self.group_reads(f);
        self.placement.begin(self.variables.len());
        for &b in dom.preorder() {
            for i in f.layout().insts(b) {
                client.accesses(f, i, |access| match access {
                    Access::Read(v) => self.placement.note_read(v, b),
                    Access::Write(v) => self.placement.note_write(v, b),
                });
            }
            for &k in self.reads_at.get(b) {
                self.placement.note_read(self.edge_reads[k as usize].var, b);
            }
        }
    }
    /// Step 2. Makes the registers of the phis, and their operands as edge reads.
    fn place(&mut self, f: &mut Function, cfg: &Cfg, dom: &DominatorTree) {
        let placed = self.placement.find(f, cfg, dom);
        self.new_phis.clear();
        for &(block, var) in placed {
            let Variable { ty, name, .. } = self.variables[var];
            let first_read = self.edge_reads.len() as u32;
            self.new_phis.push(NewPhi { var, reg: f.new_reg(ty, name), first_read });
            self.edge_reads.extend(cfg.preds(block).iter().map(|&p| EdgeRead { block: p, var }));
        }
        self.phis_of.fill(f.num_blocks(), placed.iter().enumerate().map(|(k, (b, _))| (*b, k as u32)));
        self.group_reads(f);
    }
    /// Step 3.
    fn walk(&mut self, f: &mut Function, cfg: &Cfg, dom: &DominatorTree, client: &mut impl Client) {
        self.values.current.clear();
        self.values.current.extend(self.variables.values().map(|v| v.initial));
        self.values.undo.clear();
        self.edge_values.clear();
        self.edge_values.resize(self.edge_reads.len(), Operand::NONE);
        self.scopes.clear();
        for (at, &b) in dom.preorder().iter().enumerate() {
            while let Some((_, mark)) = self.scopes.pop_if(|(end, _)| *end <= at) {
                self.values.undo_to(mark);
            }
            self.scopes.push((dom.subtree(b).end, self.values.undo.len()));
            self.walk_block(f, b, client);
        }
        let unreachable: Vec<Block> = f.layout().blocks().filter(|b| !cfg.is_reachable(*b)).collect();
        for b in unreachable {
            self.values.undo_to(0);
            self.walk_block(f, b, client);
        }
    }
    fn walk_block(&mut self, f: &mut Function, b: Block, client: &mut impl Client) {
        for &k in self.phis_of.get(b) {
            let phi = self.new_phis[k as usize];
            self.values.set(phi.var, Operand::reg(phi.reg));
        }
        let mut next = f.layout().first_inst(b);
        while let Some(i) = next {
            next = f.layout().next_inst(i);
            client.rewrite(f, i, &mut self.values);
        }
        for &k in self.reads_at.get(b) {
            self.edge_values[k as usize] = self.values.get(self.edge_reads[k as usize].var);
        }
    }
    /// Step 4.
    fn insert_phis(&mut self, f: &mut Function, cfg: &Cfg) {
        let mut entries = Vec::new();
        for &b in cfg.rpo() {
            if self.phis_of.get(b).is_empty() {
                continue;
            }
            let front = first_after_phis(f, b);
            for &k in self.phis_of.get(b) {
                let phi = self.new_phis[k as usize];
                let operands = &self.edge_values[phi.first_read as usize..];
                entries.clear();
                entries.extend(cfg.preds(b).iter().copied().zip(operands.iter().copied()));
                let mut data = InstData::new(Opcode::Phi, self.variables[phi.var].ty);
                data = data.with_result(phi.reg);
                data = data.with_list(f.make_phi(&entries));
                f.insert_before(front, data);
            }
        }
    }
}

/// Returns the first instruction of a block that is not a phi. There is one, since a block ends in a terminator.
pub(crate) fn first_after_phis(f: &Function, b: Block) -> Inst {
    let mut insts = f.layout().insts(b);
    insts.find(|i| f.inst(*i).op.format() != Format::Phi).expect("a block ends in a terminator")
}
