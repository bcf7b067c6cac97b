//! Simpler phis (`phi-simplify`).
//!
//! Removes phis that choose between one value and itself, alone or in cycles, and all but one of several phis of a block
//! that choose alike.
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
//! A union-find table holds the value that stands for each phi. Phis are numbered in reverse postorder of their blocks.
//!
//! 1. Collect the phis of reachable blocks with their operands, without the entries of unreachable predecessors.
//! 2. Find the strongly connected components of the phis that read each other. Components come with what they read
//!    first. One whose phis read a single value from outside is that value, a single phi that reads only one value among
//!    them. In one that reads several, the phis that read none of those from outside are searched in turn.
//! 3. Look the remaining phis up in a table by block, type and operands, in order; of two equal ones the one that stands
//!    first is kept. The phis that read the other are looked at again, and may now choose between one value (which
//!    removes them) or be equal to others. Steps 2 and 3 are repeated until they find nothing.
//! 4. Remove the phis that were found to be something else and replace their registers. One that is a constant becomes a
//!    `const` after the phis of its block, for the uses that only take a register.
//!
//! # Why it is sound
//!
//! Step 2: control enters the blocks of such a component only along edges that carry the one value v, and each phi passes
//! v on. The assignment of v is on every path from the entry to the phis, so it dominates them, and no path leads from
//! it around to a use of a phi without passing the phi again: the phi's block dominates the use and v's does the phi's, so
//! that both are of the same round of every loop. Step 3: phis of one block choose by the same edge; phis of different
//! blocks are never compared. Entries of unreachable predecessors are never chosen.
//!
//! # Cost and limits
//!
//! Step 2 is linear each time it runs, except that the peeling of components may visit a phi once for each ring around
//! it. Step 3 looks a phi up once, and once more when operands changed. Each round but the last makes the phis fewer; two
//! or three rounds are usual. Equal phis whose operands are equal only if the phis are (two
//! counters in step) are not found; neither is equality that needs numbering (see `gvn`).
//!
//! # Source
//!
//! M. Braun, S. Buchwald, S. Hack, R. Leißa, C. Mallon, A. Zwinkau, "Simple and Efficient Construction of Static Single
//! Assignment Form", CC 2013, section 3.2 and algorithm 5; components by R. E. Tarjan, "Depth-First Search and Linear
//! Graph Algorithms", SIAM J. Comput. 1(2), 1972.

use crate::analysis::SsaView;
use crate::groups::Groups;
use crate::pass::{Pass, PassContext, PassInfo, Preserved, SsaPass};
use crate::ssa_construction::first_after_phis;
use hashbrown::HashTable;
use lir_syntax::ir::{
    Block, Cfg, EntityRef, Function, Inst, InstData, Opcode, Operand, PackedOption, Reg, SecondaryMap,
};
use rustc_hash::FxHasher;
use std::collections::VecDeque;
use std::hash::Hasher;

/// The row of the registry.
pub static INFO: PassInfo = PassInfo {
    name: "phi-simplify",
    summary: "remove phis that choose one value, and equal phis of a block",
    options: &[],
    build: |_| Pass::Ssa(Box::new(PhiSimplify)),
};

struct PhiSimplify;

impl SsaPass for PhiSimplify {
    fn run(&self, f: &mut Function, _: &mut SsaView, cx: &mut PassContext<'_>) -> Preserved {
        let mut state = cx.scratch.take::<State>();
        state.collect(f, cx.analyses.cfg(f));
        if !state.phis.is_empty() {
            let mut before = u64::MAX;
            while before != state.merged {
                before = state.merged;
                state.merge_components();
                state.merge_equal(f);
            }
        }
        let removed = state.merged;
        if removed != 0 {
            state.apply(f);
        }
        cx.scratch.give_back(state);
        cx.stats.add("phis removed", removed);
        Preserved::cfg_if(removed != 0)
    }
}

/// A phi, by its place in reverse postorder.
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
    /// Whether another phi stands in the block.
    has_siblings: bool,
}

#[derive(Default)]
struct State {
    phis: Vec<PhiData>,
    operands: Vec<Operand>,
    /// The phi that assigns a register.
    phi_of: SecondaryMap<Reg, PackedOption<Phi>>,
    /// What stands for the register of a phi that is something else; none where a register stands for itself.
    parent: SecondaryMap<Reg, Operand>,
    /// How many phis are something else.
    merged: u64,
    components: Components,
    equal: EqualPhis,
}

impl State {
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
    /// The value that stands for an operand, with path halving.
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
    /// The phi that an operand is now, where it is one.
    fn as_phi(&mut self, o: Operand) -> Option<Phi> {
        self.find(o).as_reg().and_then(|r| self.phi_of[r].expand())
    }
    /// The one value that a phi chooses besides itself; none where there are several.
    fn only_value(&mut self, phi: Phi) -> Option<Operand> {
        let own = Operand::reg(self.phis[phi.index()].reg);
        let mut only = Operand::NONE;
        for k in self.operands_of(phi) {
            let o = self.find(self.operands[k]);
            if o == own || o == only {
                continue;
            }
            if !only.is_none() {
                return None;
            }
            only = o;
        }
        (!only.is_none()).then_some(only)
    }
    /// Step 4.
    fn apply(&mut self, f: &mut Function) {
        let mut front: Option<(Block, Inst)> = None;
        for k in 0..self.phis.len() {
            let PhiData { inst, reg, block, .. } = self.phis[k];
            if self.parent[reg].is_none() {
                continue;
            }
            let value = self.find(Operand::reg(reg));
            if value.is_reg() {
                f.remove_inst(inst);
            } else {
                let after_phis = match front {
                    Some((b, i)) if b == block => i,
                    _ => first_after_phis(f, block),
                };
                front = Some((block, after_phis));
                let constant =
                    InstData { dst: Operand::reg(reg), a: value, ..InstData::new(Opcode::Const, f.type_of(reg)) };
                f.move_before(inst, after_phis);
                f.replace_inst(inst, constant);
            }
        }
        let insts: Vec<Inst> = f.layout().blocks().flat_map(|b| f.layout().insts(b)).collect();
        for i in insts {
            let mut stale = false;
            f.for_each_use(i, |r| stale |= !self.parent[r].is_none());
            if stale {
                f.rewrite_uses(i, |u| {
                    let value = self.find(Operand::reg(u.reg));
                    if value.is_reg() || u.may_be_const { value } else { Operand::reg(u.reg) }
                });
            }
        }
    }
}

/// Tables of step 2.
#[derive(Default)]
struct Components {
    /// Sets of phis to search, and how the set of each phi is marked in `set_of`.
    sets: Vec<(u32, Vec<Phi>)>,
    next_set: u32,
    /// The set that a phi is in: only edges within a set are followed. Each complete component is a set of its own.
    set_of: SecondaryMap<Phi, u32>,
    /// Place in depth-first order from 1, over all sets; 0 before the visit.
    number: SecondaryMap<Phi, u32>,
    /// The smallest number known to be reached.
    low: SecondaryMap<Phi, u32>,
    next_number: u32,
    /// Phis visited whose component is not complete.
    open: Vec<Phi>,
    /// The component that is being looked at.
    members: Vec<Phi>,
    /// The path of the search: a phi and the next operand to follow.
    path: Vec<(Phi, u32)>,
}

impl State {
    /// Step 2.
    fn merge_components(&mut self) {
        let n = self.phis.len();
        let c = &mut self.components;
        c.set_of.reset(n);
        c.number.reset(n);
        c.low.reset(n);
        (c.next_set, c.next_number) = (1, 1);
        let all = (0..n).map(Phi::new).filter(|p| !self.is_merged(*p)).collect();
        self.add_set(all);
        while let Some((set, phis)) = self.components.sets.pop() {
            for p in phis {
                // A phi that was visited may have been moved to a set of its own, or to one that is to be searched.
                if self.components.set_of[p] == set {
                    self.search(p, set);
                }
            }
        }
    }
    fn add_set(&mut self, phis: Vec<Phi>) {
        let c = &mut self.components;
        for &p in &phis {
            c.set_of[p] = c.next_set;
            c.number[p] = 0;
        }
        c.sets.push((c.next_set, phis));
        c.next_set += 1;
    }
    fn visit(&mut self, p: Phi) {
        let first = self.phis[p.index()].first;
        let c = &mut self.components;
        c.number[p] = c.next_number;
        c.low[p] = c.next_number;
        c.next_number += 1;
        c.open.push(p);
        c.path.push((p, first));
    }
    /// Tarjan's algorithm from one phi, with its path as a list.
    fn search(&mut self, root: Phi, set: u32) {
        self.visit(root);
        while let Some((p, at)) = self.components.path.last_mut() {
            let (p, k) = (*p, *at);
            if k < self.phis[p.index()].end {
                *at += 1;
                let Some(q) = self.as_phi(self.operands[k as usize]) else { continue };
                if self.components.set_of[q] != set {
                    continue;
                }
                if self.components.number[q] == 0 {
                    self.visit(q);
                } else {
                    let c = &mut self.components;
                    c.low[p] = c.low[p].min(c.number[q]);
                }
                continue;
            }
            let c = &mut self.components;
            c.path.pop();
            if let Some((parent, _)) = c.path.last() {
                c.low[*parent] = c.low[*parent].min(c.low[p]);
            }
            if c.low[p] == c.number[p] {
                self.close_component(p);
            }
        }
    }
    /// Merges the component whose first visited phi is `root`, or has its inside searched.
    fn close_component(&mut self, root: Phi) {
        let c = &mut self.components;
        let start = c.open.iter().rposition(|p| *p == root).expect("the root of a component is open");
        let mut members = std::mem::take(&mut c.members);
        members.clear();
        members.extend(c.open.drain(start..));
        let set = c.next_set;
        c.next_set += 1;
        for &p in &members {
            c.set_of[p] = set;
        }
        let mut outside = Operand::NONE;
        let mut several = false;
        let mut inner = Vec::new();
        for &p in &members {
            let mut is_inner = true;
            for k in self.operands_of(p) {
                let o = self.find(self.operands[k]);
                if o.as_reg().and_then(|r| self.phi_of[r].expand()).is_some_and(|q| self.components.set_of[q] == set) {
                    continue;
                }
                is_inner = false;
                several |= !outside.is_none() && o != outside;
                outside = o;
            }
            if is_inner {
                inner.push(p);
            }
        }
        if !several && !outside.is_none() {
            members.iter().for_each(|p| self.merge(*p, outside));
        } else if !outside.is_none() && !inner.is_empty() {
            inner.sort();
            self.add_set(inner);
        }
        self.components.members = members;
    }
}

/// Tables of step 3.
#[derive(Default)]
struct EqualPhis {
    /// Phis by the hash of block, type and operands as they were when the phi was last looked at.
    table: HashTable<Phi>,
    hash: SecondaryMap<Phi, Option<u64>>,
    /// Operands (as indices) by the register that stood for them at the start.
    uses: Groups<Reg, Phi>,
    /// Registers of phis that this step merged into a register: their uses are uses of that one as well.
    next_member: SecondaryMap<Reg, PackedOption<Reg>>,
    last_member: SecondaryMap<Reg, PackedOption<Reg>>,
    work: VecDeque<Phi>,
    queued: SecondaryMap<Phi, bool>,
}

impl State {
    /// Step 3.
    fn merge_equal(&mut self, f: &Function) {
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
            if let Some(value) = self.only_value(p) {
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
        e.table.clear();
        e.hash.reset(n);
        e.queued.reset(n);
        e.next_member.reset(f.num_regs());
        e.last_member.reset(f.num_regs());
        for &p in &live {
            e.queued[p] = true;
        }
        e.work.extend(live);
    }
    /// Enters a phi into the table, or merges it with the equal one that is there.
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
    /// What operand number `k` is now; none where it is the phi itself.
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
