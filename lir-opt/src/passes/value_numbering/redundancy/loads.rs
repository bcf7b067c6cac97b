//! Loads: contents of memory, as a value that stores and loads of one location give.
//!
//! 1. Loads and stores that are not volatile are sorted by type and by the numbers of their addresses.
//! 2. For each location with a load before any other access to it in its block, the dataflow of [`flow`](super::flow)
//!    is solved. The value is lost in a block that may write the location after its last access there, and where an
//!    operand of the address is assigned.
//! 3. A load that finds the value there is redundant. All other accesses make it available.
//!
//! # Why it is sound
//!
//! No path from an access to a redundant load has an instruction that may write the location: each block on it was
//! checked. The registers of the location hold the same wherever they are assigned on it, since the home of the address
//! is not among these blocks. A load is inserted on an edge to a block that loads the location before anything may end
//! execution.

use super::classes::deeper;
use super::flow::{AtEnd, Computation, Problem};
use super::search::{Code, Search};
use crate::analysis::MemoryFacts;
use crate::analysis::alias::Location;
use crate::analysis::execution_end::may_end_execution;
use crate::analysis::memory_ssa::{Access, AccessKind};
use crate::pass::remarks::Remarks;
use crate::passes::value_numbering::key::{NO_OPERAND, ValueKey, head};
use crate::passes::value_numbering::redundancy::events::Event;
use crate::passes::value_numbering::rewrite::{Role, variable};
use lir_syntax::ir::{Base, Block, Decls, DominatorTree, Format, Function, Inst, Opcode, Operand, SecondaryMap};

/// A load or store of a place: of a location with a type.
#[derive(Copy, Clone)]
struct PlaceAccess {
    /// The key of a load from there, without a version of memory: base, index, displacement.
    place: ValueKey,
    inst: Inst,
    block: Block,
    /// The number of accesses before it.
    position: u32,
    /// True if execution may have ended in the block before.
    may_have_ended: bool,
}

/// The scratch memory of the search for loads.
#[derive(Default)]
pub(super) struct Loads {
    accesses: Vec<PlaceAccess>,
    /// The states at the ends of the blocks that access the present place.
    own_ends: SecondaryMap<Block, AtEnd>,
    /// The loads that may be redundant.
    exposed: Vec<Computation>,
    /// Number of queries about writes that are still allowed.
    left: usize,
}

/// Questions about writes for each instruction of a function.
const MAX_QUESTIONS: usize = 16;

impl Loads {
    /// Looks at all places.
    pub(super) fn visit(&mut self, search: &mut Search, code: Code<'_>, facts: MemoryFacts<'_>, remarks: &mut Remarks) {
        let Code { decls, f, .. } = code;
        self.find(decls, f, facts, search);
        self.left = MAX_QUESTIONS * f.num_insts();
        let accesses = std::mem::take(&mut self.accesses);
        let places = accesses.chunk_by(|x, y| x.place == y.place);
        let mut several: Vec<&[PlaceAccess]> = places.filter(|all| all.len() > 1).collect();
        // In the order of the text: places sort by the numbers of registers.
        several.sort_by_key(|all| all[0].position);
        for accesses in several {
            if accesses.iter().any(|a| is_load(f, a.inst)) {
                self.visit_place(search, (code, facts), accesses, remarks);
            }
        }
        self.accesses = accesses;
    }
    fn visit_place(
        &mut self,
        search: &mut Search,
        (code, facts): (Code<'_>, MemoryFacts<'_>),
        accesses: &[PlaceAccess],
        remarks: &mut Remarks,
    ) {
        let Code { decls, f, .. } = code;
        // The accesses may have different access types, and a path may execute only some of them.
        let Some(location) = facts.alias.location(f, accesses[0].inst).map(Location::untyped) else { return };
        let place = accesses[0].place;
        let home = home_of(search, facts.dominators, place);
        let mut problem = LoadProblem { loads: self, decls, f, facts, location, home };
        let exposed = problem.sort(accesses);
        if exposed.is_empty() {
            return problem.forget(accesses, exposed);
        }
        let asked = Problem { computations: &exposed, home, may_rise: false, inserts: true };
        let is_solved = search.flow.find(f, facts.cfg, &asked, |b| problem.at_end(b));
        let like = exposed[0].inst;
        let found = search.decide(code, facts.dominators, is_solved, &exposed, Some(like));
        problem.forget(accesses, exposed);
        if found.redundant == 0 {
            return;
        }
        let value = f.def(like).expect("a load assigns");
        let var = search.engine.add_variable(variable(f, value, Operand::small(0).expect("0 is small")));
        for access in accesses {
            search.rewrite.note_access(access.inst, Role::Writes(var));
        }
        for load in &self.exposed {
            if search.is_redundant(&found, load.block) {
                remarks.done(f, load.inst, why(search, load.block));
                search.rewrite.note_access(load.inst, Role::Reads(var));
            }
        }
    }
}

/// Returns the block where an address is assigned anew.
fn home_of(search: &Search, dom: &DominatorTree, place: ValueKey) -> Block {
    let entry = dom.preorder()[0];
    let homes = place.operands[..2].iter().filter_map(|n| Operand::from_bits(*n).as_reg());
    homes.map(|class| search.classes.home(class)).fold(entry, |a, b| deeper(dom, a, b))
}

/// Returns the reason a load in a block is redundant.
fn why(search: &Search, b: Block) -> Event {
    if search.flow.is_available(b) { Event::LoadedOnAllPaths } else { Event::LoadedOnEdges }
}

fn is_load(f: &Function, i: Inst) -> bool {
    f.inst(i).op.format() == Format::Load
}

impl Loads {
    /// Finds the accesses, by place, in preorder of the dominator tree.
    fn find(&mut self, decls: &Decls, f: &Function, facts: MemoryFacts<'_>, search: &Search) {
        self.accesses.clear();
        for &block in facts.dominators.preorder() {
            let mut may_have_ended = false;
            for inst in f.layout().insts(block) {
                let d = f.inst(inst);
                if matches!(d.op, Opcode::Load | Opcode::Store)
                    && !d.is_volatile()
                    && let Some(place) = place_of(f, inst, search)
                {
                    let position = self.accesses.len() as u32;
                    self.accesses.push(PlaceAccess { place, inst, block, position, may_have_ended });
                }
                may_have_ended |= may_end_execution(decls, f, inst);
            }
        }
        self.accesses.sort_by_key(|a| a.place);
    }
}

/// Returns the place that a load or store accesses.
fn place_of(f: &Function, i: Inst, search: &Search) -> Option<ValueKey> {
    let m = f.mem(i);
    let number = |r| search.classes.number_of(r);
    let base = match m.base {
        Base::Reg(r) => number(r)?,
        other => other.to_operand().to_bits(),
    };
    let index = m.index.map_or(Some(NO_OPERAND), number)?;
    Some(ValueKey { head: head(Opcode::Load, f.inst(i).ty, 0, m.scale), operands: [base, index, m.disp as u32] })
}

/// The dataflow problem of a place.
struct LoadProblem<'a> {
    loads: &'a mut Loads,
    decls: &'a Decls,
    f: &'a Function,
    facts: MemoryFacts<'a>,
    location: Location,
    home: Block,
}

impl LoadProblem<'_> {
    /// Finds the loads that may be redundant, and the states at the ends of blocks that access the place.
    fn sort(&mut self, accesses: &[PlaceAccess]) -> Vec<Computation> {
        let mut exposed = std::mem::take(&mut self.loads.exposed);
        exposed.clear();
        for in_block in accesses.chunk_by(|x, y| x.block == y.block) {
            let (first, last) = (in_block[0], in_block[in_block.len() - 1]);
            let b = first.block;
            if is_load(self.f, first.inst) && !self.is_written(self.before(first.inst)) {
                let cannot_fault = || self.facts.alias.cannot_fault(self.decls, self.f, &self.location);
                let may_be_at_top = !first.may_have_ended || cannot_fault();
                exposed.push(Computation { inst: first.inst, block: b, may_be_at_top });
            }
            let is_lost = self.is_written(self.after(last.inst));
            self.loads.own_ends[b] = if is_lost { AtEnd::Lost } else { AtEnd::Computed };
        }
        exposed
    }
    /// Forgets the states of blocks, and keeps the loads.
    fn forget(&mut self, accesses: &[PlaceAccess], exposed: Vec<Computation>) {
        self.loads.exposed = exposed;
        for access in accesses {
            self.loads.own_ends[access.block] = AtEnd::Unknown;
        }
    }
    fn block_of(&self, i: Inst) -> Block {
        self.f.layout().block_of(i).expect("an access is in a block")
    }
    /// Returns the accesses of a block before an instruction of it.
    fn before(&self, i: Inst) -> impl Iterator<Item = Access> + use<> {
        let at = self.facts.memory.access_of(i);
        self.facts.memory.accesses_in(self.block_of(i)).take_while(move |a| Some(*a) < at)
    }
    /// Returns the accesses after it.
    fn after(&self, i: Inst) -> impl Iterator<Item = Access> + use<> {
        let at = self.facts.memory.access_of(i);
        self.facts.memory.accesses_in(self.block_of(i)).rev().take_while(move |a| Some(*a) > at)
    }
    /// True if any of these accesses may write the place, or no more queries are allowed.
    fn is_written(&mut self, mut accesses: impl Iterator<Item = Access>) -> bool {
        accesses.any(|access| {
            let Some(left) = self.loads.left.checked_sub(1) else { return true };
            self.loads.left = left;
            match self.facts.memory.kind(access) {
                AccessKind::Def(i) => self.facts.alias.clobbers(self.decls, self.f, i, &self.location),
                AccessKind::Use(_) | AccessKind::Phi(_) | AccessKind::OnEntry => false,
            }
        })
    }
    /// Returns the state at the end of a block.
    fn at_end(&mut self, b: Block) -> AtEnd {
        let known = self.loads.own_ends[b];
        if known != AtEnd::Unknown {
            return known;
        }
        let all = self.facts.memory.accesses_in(b);
        if b == self.home || self.is_written(all) { AtEnd::Lost } else { AtEnd::Through }
    }
}
