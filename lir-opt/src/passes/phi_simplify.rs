//! Simpler phis (`phi-simplify`).
//!
//! Removes phis that choose between one value and itself, alone or in cycles, and all but one of several phis of a
//! block that choose alike.
//!
//! # Example
//!
//! ```text
//! loop:                                        loop:
//!   %x = phi i32 [%a, entry], [%x, loop]
//!   %i = phi i32 [0, entry], [%j, loop]          %i = phi i32 [0, entry], [%j, loop]
//!   %k = phi i32 [0, entry], [%j, loop]   =>
//!   %t = add i32 %x, %k                          %t = add i32 %a, %i
//!   %j = add i32 %i, %t                          %j = add i32 %i, %t
//!   br ne i32 %j, %n, loop, done                 br ne i32 %j, %n, loop, done
//! ```
//!
//! # Algorithm
//!
//! A union-find table holds the value that replaces each phi. Phis are numbered in reverse postorder of their blocks.
//!
//! 1. Collect the phis of reachable blocks with their operands, without the entries of unreachable predecessors.
//! 2. Make the graph that leads from a root to all values that are not phis, and from each value to the phis that read
//!    it. A phi whose immediate dominator there is the root can be of several values. Every other phi is the value
//!    below the root that dominates it, since nothing else reaches it: a phi of equal operands, a phi that reads
//!    itself, and cycles of phis within cycles, all at once. Phis that plainly read two values are left out first.
//! 3. Look the remaining phis up in a table by block, type and operands, in order; of two equal ones the earlier one is
//!    kept. The phis that read the other are looked at again, and may now choose between one value (which removes them)
//!    or be equal to others. Steps 2 and 3 are repeated until they find nothing.
//! 4. Remove the phis that were found to be something else and replace their registers. One that is a constant becomes
//!    a `const` after the phis of its block, for the uses that only take a register.
//!
//! # Why it is sound
//!
//! Step 2: let v dominate a set of phis in the graph. Control reaches the blocks of the set from elsewhere only along
//! edges that carry v, and each phi of the set passes v on. The assignment of v is on every path from the entry to the
//! phis, so it dominates them, and no path leads from it around to a use of a phi without passing the phi again: the
//! phi's block dominates the use and v's block dominates the phi's, so that both are of the same iteration of every
//! loop. Step 3: phis of one block choose by the same edge; phis of different blocks are never compared. Entries of
//! unreachable predecessors are never chosen.
//!
//! # Cost and limits
//!
//! Step 2 is linear except for the path compression of the dominators. Step 3 looks a phi up once, and once more when
//! operands changed. Each iteration but the last makes the phis fewer; there are at most [`MAX_ITERATIONS`]. Equal phis
//! whose operands are equal only if the phis are (two counters in step) are not found; neither is equality that needs
//! numbering (see `gvn`).
//!
//! # Source
//!
//! M. Braun, S. Buchwald, S. Hack, R. Leißa, C. Mallon, A. Zwinkau, "Simple and Efficient Construction of Static Single
//! Assignment Form", CC 2013, section 3.2, defines the redundant sets of phis. Its algorithm 5 peels strongly connected
//! components ring by ring, which is quadratic for a variable of 50,000 nested loops (279 s, where the dominators take
//! 0.1 s).

use crate::analysis::Preserved;
use crate::analysis::SsaView;
use crate::analysis::bounds;
use crate::edit::reads::reads_any;
use crate::edit::ssa_construction::first_after_phis;
use crate::pass::remarks::{Common, Remarks};
use crate::pass::remarks::{Typed, events};
use crate::pass::{Pass, PassContext, PassInfo, SsaPass};
use crate::tables::groups::Groups;
use crate::tables::kept_tables::{empty_map, empty_table};
use hashbrown::HashTable;
use lir_syntax::ir::{
    Block, Cfg, Decls, EntityRef, FlowGraph, Function, ImmediateDominators, Inst, InstData, Operand, PackedOption, Reg,
    SecondaryMap,
};
use rustc_hash::{FxHashMap, FxHasher};
use std::collections::VecDeque;
use std::hash::Hasher;

/// The row of the registry.
pub(crate) static INFO: PassInfo = PassInfo {
    name: "phi-simplify",
    summary: "remove phis that always have one value, and duplicate phis of a block",
    options: &[],
    build: |_| Pass::Ssa(Box::new(PhiSimplify)),
};

/// Iterations of steps 2 and 3. Two or three are usual.
const MAX_ITERATIONS: u32 = 32;

struct PhiSimplify;

impl SsaPass for PhiSimplify {
    fn run(&self, f: &mut Function, _: &SsaView, cx: &mut PassContext<'_>) -> Preserved {
        let mut scratch = cx.scratch.take::<PhiMergingScratch>();
        scratch.collect(f, cx.analyses.cfg(f));
        if !scratch.phis.is_empty() {
            for _ in 0..MAX_ITERATIONS {
                let before = scratch.merged;
                scratch.merge_dominated(f);
                scratch.merge_equal(f);
                if before == scratch.merged {
                    break;
                }
            }
        }
        if cx.remarks.on() {
            scratch.report_kept_phis(f, cx.remarks);
        }
        let removed = scratch.merged;
        if removed != 0 {
            scratch.apply(f, cx.decls, cx.remarks);
        }
        cx.scratch.give_back(scratch);
        cx.stats.add("phis removed", removed);
        Preserved::cfg_if(removed != 0)
    }
}

/// A phi, by its position in reverse postorder.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Phi(u32);

impl EntityRef for Phi {
    fn new(index: usize) -> Phi {
        Phi(u32::try_from(index).expect("too many phis"))
    }
    fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::fmt::Debug for Phi {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "phi{}", self.0)
    }
}

#[derive(Copy, Clone)]
struct PhiData {
    inst: Inst,
    reg: Reg,
    block: Block,
    /// Its operands are `operands[first..end]`, predecessors in the order of their ids.
    first: u32,
    end: u32,
    /// True if there is another phi in the block.
    has_siblings: bool,
}

#[derive(Default)]
struct PhiMergingScratch {
    phis: Vec<PhiData>,
    operands: Vec<Operand>,
    /// The phi that assigns a register.
    phi_of: SecondaryMap<Reg, PackedOption<Phi>>,
    /// The operand that replaces the register of a phi. None if the register is not replaced.
    parent: SecondaryMap<Reg, Operand>,
    /// Number of phis that are something else.
    merged: u64,
    /// Phis, by their positions, that are known to be several values.
    several: Vec<bool>,
    graph: ValueGraph,
    dominators: ImmediateDominators<Node>,
    /// The node below the root of the dominator tree that dominates each node, or that it is.
    top: Vec<Node>,
    equal: EqualPhis,
}

impl PhiMergingScratch {
    /// Step 1.
    fn collect(&mut self, f: &Function, cfg: &Cfg) {
        self.phis.clear();
        self.operands.clear();
        self.merged = 0;
        let mut entries = Vec::new();
        for &block in cfg.rpo() {
            let start = self.phis.len();
            for inst in f.phis(block) {
                let Some(reg) = f.def(inst) else { continue };
                entries.clear();
                entries.extend(f.phi_entries(inst).filter(|(p, _)| cfg.is_reachable(*p)));
                if !entries.is_sorted_by_key(|(p, _)| *p) {
                    entries.sort_by_key(|(p, _)| *p);
                }
                let first = self.operands.len() as u32;
                self.operands.extend(entries.iter().map(|(_, o)| *o));
                let end = self.operands.len() as u32;
                self.phis.push(PhiData { inst, reg, block, first, end, has_siblings: true });
            }
            if let [only] = &mut self.phis[start..] {
                only.has_siblings = false;
            }
        }
        if self.phis.is_empty() {
            return;
        }
        self.phi_of.reset(f.num_regs());
        self.parent.reset(f.num_regs());
        for (k, p) in self.phis.iter().enumerate() {
            self.phi_of[p.reg] = Phi::new(k).into();
        }
    }
    /// Returns the value that replaces an operand, with path halving.
    #[inline]
    fn find(&mut self, mut o: Operand) -> Operand {
        while let Some(r) = o.as_reg() {
            let up = self.parent[r];
            if up.is_none() {
                break;
            }
            if let Some(r2) = up.as_reg()
                && !self.parent[r2].is_none()
            {
                self.parent[r] = self.parent[r2];
            }
            o = up;
        }
        o
    }
    fn merge(&mut self, phi: Phi, into: Operand) {
        let reg = self.phis[phi.index()].reg;
        debug_assert!(
            self.parent[reg].is_none() && into != Operand::reg(reg),
            "a phi is merged once, into another value"
        );
        self.parent[reg] = into;
        self.merged += 1;
    }
    fn is_merged(&self, phi: Phi) -> bool {
        !self.parent[self.phis[phi.index()].reg].is_none()
    }
    fn operands_of(&self, phi: Phi) -> std::ops::Range<usize> {
        let p = &self.phis[phi.index()];
        p.first as usize..p.end as usize
    }
    /// Returns the one value that a phi chooses other than itself.
    ///
    /// # Errors
    /// The first two of several.
    fn only_value(&mut self, phi: Phi) -> Result<Operand, [Operand; 2]> {
        let own = Operand::reg(self.phis[phi.index()].reg);
        let mut only = Operand::NONE;
        for k in self.operands_of(phi) {
            let o = self.find(self.operands[k]);
            if o == own || o == only {
                continue;
            }
            if !only.is_none() {
                return Err([only, o]);
            }
            only = o;
        }
        if only.is_none() { Err([only; 2]) } else { Ok(only) }
    }
    /// Reports the first two values that each phi that stays chooses between.
    fn report_kept_phis(&mut self, f: &Function, remarks: &mut Remarks) {
        for k in (0..self.phis.len()).map(Phi::new) {
            let PhiData { inst, reg, .. } = self.phis[k.index()];
            if !self.is_merged(k)
                && let Err(values) = self.only_value(k)
            {
                let [x, y] = values.map(|o| (f.type_of(reg), o));
                remarks.missed(f, inst, Event::SeveralValues(x, y));
            }
        }
    }
    /// Step 4.
    fn apply(&mut self, f: &mut Function, decls: &Decls, remarks: &mut Remarks) {
        let mut front: Option<(Block, Inst)> = None;
        for k in 0..self.phis.len() {
            let PhiData { inst, reg, block, .. } = self.phis[k];
            if self.parent[reg].is_none() {
                continue;
            }
            let value = self.find(Operand::reg(reg));
            remarks.done(f, inst, Common::HasValue((f.type_of(reg), value)));
            if value.is_reg() {
                f.remove_inst(inst);
            } else {
                let after_phis = match front {
                    Some((b, i)) if b == block => i,
                    _ => first_after_phis(f, block),
                };
                front = Some((block, after_phis));
                let constant = InstData::move_of(f.type_of(reg), value).with_result(reg);
                f.move_before(inst, after_phis);
                f.replace_inst(inst, constant);
            }
        }
        let insts: Vec<Inst> = f.layout().all_insts().collect();
        for i in insts {
            if reads_any(f, i, |r| !self.parent[r].is_none()) {
                bounds::rewrite_uses(f, decls, i, |u| {
                    let value = self.find(Operand::reg(u.reg));
                    if value.is_reg() || u.may_be_const { value } else { Operand::reg(u.reg) }
                });
            }
        }
    }
}

/// A node of the graph of step 2: the root, a phi, or a value that is not a phi.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Node(u32);

impl EntityRef for Node {
    fn new(index: usize) -> Node {
        Node(u32::try_from(index).expect("too many values"))
    }
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// The start of all paths of the graph.
const ROOT: Node = Node(0);

/// The graph of step 2: from the root to the values that are not phis, and from each value to the phis that read it.
/// The phis come after the root, then the other values.
#[derive(Default)]
struct ValueGraph {
    /// The value of each node; none for the root.
    values: Vec<Operand>,
    node_of_reg: SecondaryMap<Reg, PackedOption<Node>>,
    node_of_constant: FxHashMap<Operand, Node>,
    edges: Vec<(Node, Node)>,
    succs: Groups<Node, Node>,
    preds: Groups<Node, Node>,
}

impl ValueGraph {
    /// Returns the node of a value, made if there is none yet.
    fn node(&mut self, value: Operand) -> Node {
        let next = Node::new(self.values.len());
        let known = match value.as_reg() {
            Some(r) => self.node_of_reg[r].expand(),
            None => self.node_of_constant.get(&value).copied(),
        };
        if let Some(node) = known {
            return node;
        }
        match value.as_reg() {
            Some(r) => self.node_of_reg[r] = next.into(),
            None => drop(self.node_of_constant.insert(value, next)),
        }
        self.values.push(value);
        next
    }
}

impl FlowGraph for ValueGraph {
    type Node = Node;
    fn num_nodes(&self) -> usize {
        self.values.len()
    }
    fn root(&self) -> Option<Node> {
        Some(ROOT)
    }
    fn succs(&self, n: Node) -> &[Node] {
        self.succs.get(n)
    }
    fn preds(&self, n: Node) -> &[Node] {
        self.preds.get(n)
    }
}

impl PhiMergingScratch {
    /// Step 2.
    fn merge_dominated(&mut self, f: &Function) {
        self.find_several();
        if (0..self.phis.len()).all(|k| self.several[k] || self.is_merged(Phi::new(k))) {
            return;
        }
        let first_value = self.build_graph(f.num_regs());
        self.dominators.recompute(&self.graph);
        self.top.clear();
        self.top.extend((0..self.graph.num_nodes()).map(Node::new));
        for (n, d) in self.dominators.iter() {
            if d != ROOT {
                self.top[n.index()] = self.top[d.index()];
            }
        }
        for k in 1..first_value {
            let dominator = self.top[k];
            if dominator != Node::new(k) {
                let phi = self.graph.values[k].as_reg().and_then(|r| self.phi_of[r].expand());
                self.merge(phi.expect("the nodes after the root are phis"), self.graph.values[dominator.index()]);
            }
        }
    }
    /// Finds phis that read two values which are not phis, or of which this was found before: most of them. For the
    /// others they are values as any.
    fn find_several(&mut self) {
        self.several.clear();
        self.several.resize(self.phis.len(), false);
        for k in 0..self.phis.len() {
            let mut first = Operand::NONE;
            for o in self.operands_of(Phi::new(k)) {
                let o = self.find(self.operands[o]);
                let phi = o.as_reg().and_then(|r| self.phi_of[r].expand());
                if o == first || phi.is_some_and(|p| !self.several[p.index()]) {
                    continue;
                }
                if !first.is_none() {
                    self.several[k] = true;
                    break;
                }
                first = o;
            }
        }
    }
    /// Makes the graph of the phis that are left. Returns the first node that is not a phi.
    fn build_graph(&mut self, num_regs: usize) -> usize {
        let mut g = std::mem::take(&mut self.graph);
        g.values.clear();
        g.values.push(Operand::NONE);
        g.node_of_reg.reset(num_regs);
        empty_map(&mut g.node_of_constant);
        g.edges.clear();
        let is_left = |p: &Phi| !self.is_merged(*p) && !self.several[p.index()];
        let phis: Vec<Phi> = (0..self.phis.len()).map(Phi::new).filter(is_left).collect();
        for p in &phis {
            g.node(Operand::reg(self.phis[p.index()].reg));
        }
        let first_value = g.values.len();
        for (k, p) in phis.iter().enumerate() {
            for o in self.operands_of(*p) {
                let from = g.node(self.find(self.operands[o]));
                g.edges.push((from, Node::new(k + 1)));
            }
        }
        g.edges.extend((first_value..g.values.len()).map(|n| (ROOT, Node::new(n))));
        g.succs.fill(g.values.len(), g.edges.iter().copied());
        g.preds.fill(g.values.len(), g.edges.iter().map(|(from, to)| (*to, *from)));
        self.graph = g;
        first_value
    }
}

/// Scratch memory of step 3.
#[derive(Default)]
struct EqualPhis {
    /// Phis by the hash of block, type and operands as of their last visit.
    table: HashTable<Phi>,
    hash: SecondaryMap<Phi, Option<u64>>,
    /// Operands (as indices) by the register that replaced them at the start.
    uses: Groups<Reg, Phi>,
    /// Registers of phis that this step merged into a register: their uses are uses of that one as well.
    next_member: SecondaryMap<Reg, PackedOption<Reg>>,
    last_member: SecondaryMap<Reg, PackedOption<Reg>>,
    work: VecDeque<Phi>,
    queued: SecondaryMap<Phi, bool>,
}

impl PhiMergingScratch {
    /// Step 3.
    fn merge_equal(&mut self, f: &Function) {
        if !self.phis.iter().any(|p| p.has_siblings) {
            return;
        }
        self.start_equal(f);
        while let Some(p) = self.equal.work.pop_front() {
            self.equal.queued[p] = false;
            if self.is_merged(p) {
                continue;
            }
            if let Some(old) = self.equal.hash[p].take()
                && let Ok(e) = self.equal.table.find_entry(old, |q| *q == p)
            {
                e.remove();
            }
            if let Ok(value) = self.only_value(p) {
                self.merge_and_requeue(p, value);
            } else if self.phis[p.index()].has_siblings {
                self.look_up(f, p);
            }
        }
    }
    fn start_equal(&mut self, f: &Function) {
        let n = self.phis.len();
        let live: Vec<Phi> = (0..n).map(Phi::new).filter(|p| !self.is_merged(*p)).collect();
        let mut uses = Vec::new();
        for &p in &live {
            for k in self.operands_of(p) {
                if let Some(r) = self.find(self.operands[k]).as_reg()
                    && self.phi_of[r].is_some()
                {
                    uses.push((r, p));
                }
            }
        }
        let e = &mut self.equal;
        e.uses.fill(f.num_regs(), uses.iter().copied());
        empty_table(&mut e.table);
        e.hash.reset(n);
        e.queued.reset(n);
        e.next_member.reset(f.num_regs());
        e.last_member.reset(f.num_regs());
        for &p in &live {
            e.queued[p] = true;
        }
        e.work.extend(live);
    }
    /// Enters a phi into the table, or merges it with an equal one there.
    fn look_up(&mut self, f: &Function, p: Phi) {
        let hash = self.hash_of(f, p);
        // The table is taken out, since comparing shortens paths of the union-find.
        let mut table = std::mem::take(&mut self.equal.table);
        match table.find(hash, |q| self.is_equal(f, p, *q)).copied() {
            None => {
                table.insert_unique(hash, p, |q| self.equal.hash[*q].expect("phis in the table have a hash"));
                self.equal.hash[p] = Some(hash);
                self.equal.table = table;
            }
            Some(q) => {
                let (keep, drop) = (p.min(q), p.max(q));
                if drop == q
                    && let Ok(mut e) = table.find_entry(hash, |x| *x == q)
                {
                    *e.get_mut() = p;
                    self.equal.hash[p] = Some(hash);
                    self.equal.hash[q] = None;
                }
                self.equal.table = table;
                self.merge_and_requeue(drop, Operand::reg(self.phis[keep.index()].reg));
            }
        }
    }
    fn hash_of(&mut self, f: &Function, p: Phi) -> u64 {
        let PhiData { reg, block, .. } = self.phis[p.index()];
        let mut hasher = FxHasher::default();
        hasher.write_u32(block.as_u32());
        hasher.write_u8(f.type_of(reg) as u8);
        for k in self.operands_of(p) {
            hasher.write_u32(self.find_or_self(k, reg).to_bits());
        }
        hasher.finish()
    }
    /// Returns the current operand number `k`. None if it is the phi itself.
    fn find_or_self(&mut self, k: usize, own: Reg) -> Operand {
        let o = self.find(self.operands[k]);
        if o == Operand::reg(own) { Operand::NONE } else { o }
    }
    fn is_equal(&mut self, f: &Function, p: Phi, q: Phi) -> bool {
        let (a, b) = (self.phis[p.index()], self.phis[q.index()]);
        a.block == b.block
            && f.type_of(a.reg) == f.type_of(b.reg)
            && a.end - a.first == b.end - b.first
            && (0..a.end - a.first).all(|k| {
                self.find_or_self((a.first + k) as usize, a.reg) == self.find_or_self((b.first + k) as usize, b.reg)
            })
    }
    /// Merges, and queues the phis that read the phi.
    fn merge_and_requeue(&mut self, p: Phi, into: Operand) {
        let reg = self.phis[p.index()].reg;
        self.merge(p, into);
        let mut member = Some(reg);
        while let Some(r) = member {
            for &user in self.equal.uses.get(r) {
                if !std::mem::replace(&mut self.equal.queued[user], true) {
                    self.equal.work.push_back(user);
                }
            }
            member = self.equal.next_member[r].expand();
        }
        // Uses of values that are not phis never change again.
        if let Some(into) = into.as_reg().filter(|r| self.phi_of[*r].is_some()) {
            let e = &mut self.equal;
            let last = e.last_member[into].expand().unwrap_or(into);
            e.next_member[last] = reg.into();
            e.last_member[into] = e.last_member[reg].expand().unwrap_or(reg).into();
        }
    }
}

events! {
    enum Event {
        SeveralValues(x: Typed, y: Typed): "several-values", "chooses between {x} and {y}";
    }
}
