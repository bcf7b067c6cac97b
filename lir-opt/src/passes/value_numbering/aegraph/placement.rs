//! The places of classes: steps 4 and 5.
//!
//! The needed classes are found from the instructions that stay, in an order in which operands come first. Backward in
//! that order readers come first, so the lowest block above all readers is known when a class is placed, and the class
//! is then a reader of its operands.

use super::ancestors::Ancestors;
use super::classes::{Classes, is_movable};
use crate::analysis::effects::is_trapping_arithmetic;
use crate::analysis::loops::LoopForest;
use crate::pass::remarks::Remarks;
use crate::passes::value_numbering::aegraph::events::Event;
use lir_syntax::ir::{Block, DominatorTree, Format, Function, Inst, Operand, PackedOption, Reg, SecondaryMap};
use smallvec::SmallVec;

/// The facts that placement asks of a function.
#[derive(Copy, Clone)]
pub(super) struct Around<'a> {
    pub dom: &'a DominatorTree,
    pub loops: &'a LoopForest,
    /// True if classes go out of loops.
    pub hoist: bool,
}

/// The places of classes; the memory is kept from function to function.
#[derive(Default)]
pub(super) struct Placement {
    ancestors: Ancestors,
    /// The instructions that stay, block after block, and the end of each block's.
    fixed: Vec<Inst>,
    blocks: Vec<(Block, usize)>,
    /// The block of a value that stays, and the highest one where a class may be.
    above: SecondaryMap<Reg, Option<Block>>,
    /// The lowest block that dominates all readers.
    below: SecondaryMap<Reg, Option<Block>>,
    place: SecondaryMap<Reg, Option<Block>>,
    /// The classes that are needed, operands first.
    order: Vec<Reg>,
    /// The needed classes of a block, in that order.
    first: SecondaryMap<Block, PackedOption<Reg>>,
    next: SecondaryMap<Reg, PackedOption<Reg>>,
    is_placed: SecondaryMap<Reg, bool>,
    work: Vec<(Reg, bool)>,
    removed: Vec<Inst>,
}

/// Limit on the loops that a class is moved out of.
const MAX_LOOPS: u32 = 64;
/// The least cost of a class that is moved out of a loop: a register is kept for it all the way.
const LEAST_COST: u32 = 3;

impl Placement {
    /// Puts the classes that are needed in their places, and removes the rest.
    pub fn place(&mut self, f: &mut Function, classes: &Classes, around: Around<'_>) {
        self.reset(f, around);
        self.find_fixed(f, around);
        self.find_needed(f, classes, around);
        self.find_places(f, classes, around);
        self.put_in_place(f, classes);
    }
    fn reset(&mut self, f: &Function, around: Around<'_>) {
        self.ancestors.reset(f.num_blocks(), around.dom);
        self.fixed.clear();
        self.blocks.clear();
        self.above.reset(f.num_regs());
        self.below.reset(f.num_regs());
        self.place.reset(f.num_regs());
        self.order.clear();
        self.first.reset(f.num_blocks());
        self.next.reset(f.num_regs());
        self.is_placed.reset(f.num_regs());
        self.removed.clear();
    }
    fn find_fixed(&mut self, f: &Function, around: Around<'_>) {
        f.param_regs().for_each(|r| self.above[r] = Some(f.entry()));
        for &b in around.dom.preorder() {
            for i in f.layout().insts(b) {
                if is_movable(f, i) {
                    self.removed.push(i);
                    continue;
                }
                self.fixed.push(i);
                if let Some(r) = f.def(i) {
                    self.above[r] = Some(b);
                }
            }
            self.blocks.push((b, self.fixed.len()));
        }
    }
    /// Finds the needed classes, and the highest block of each class.
    fn find_needed(&mut self, f: &Function, classes: &Classes, around: Around<'_>) {
        let mut at = 0;
        for n in 0..self.blocks.len() {
            let (b, end) = self.blocks[n];
            for k in at..end {
                let i = self.fixed[k];
                if f.inst(i).op.format() == Format::Phi {
                    for (p, o) in f.phi_entries(i) {
                        // An operand from a block that cannot be reached is never read.
                        if around.dom.dominates(f.entry(), p) {
                            o.as_reg().into_iter().for_each(|r| self.read_in(r, p));
                        }
                    }
                } else {
                    f.for_each_use(i, |r| self.read_in(r, b));
                }
                self.follow(f, classes);
            }
            at = end;
        }
    }
    /// A register is read in a block.
    fn read_in(&mut self, r: Reg, b: Block) {
        let below = self.below[r].map_or(b, |known| self.ancestors.common(known, b));
        self.below[r] = Some(below);
        self.work.push((r, false));
    }
    /// Visits the classes needed for the noted ones, operands first.
    fn follow(&mut self, f: &Function, classes: &Classes) {
        while let Some((r, operands_done)) = self.work.pop() {
            let Some(form) = classes.best.get(r).expand() else { continue };
            if operands_done {
                let mut above = f.entry();
                for_each_operand(f, classes, form, |o| {
                    let of_operand = self.above[o].expect("operands come first");
                    if self.ancestors.depth(of_operand) > self.ancestors.depth(above) {
                        above = of_operand;
                    }
                });
                self.above[r] = Some(above);
                self.order.push(r);
            } else if !self.is_placed[r] {
                self.is_placed[r] = true;
                self.work.push((r, true));
                for_each_operand(f, classes, form, |o| self.work.push((o, false)));
            }
        }
    }
    /// Step 4.
    fn find_places(&mut self, f: &Function, classes: &Classes, around: Around<'_>) {
        for n in (0..self.order.len()).rev() {
            let r = self.order[n];
            let form = classes.best[r].expand().expect("it is a class with forms");
            let (below, above) = (self.below[r].expect("it is read"), self.above[r].expect("it was visited"));
            let home = classes.home[r].expect("it has occurred");
            let goes_out = around.hoist && classes.cost(r) >= LEAST_COST;
            let inside = if goes_out { [above, above] } else { [above, home] };
            let place = out_of_loops(below, &inside, around);
            self.place[r] = Some(place);
            self.is_placed[r] = false;
            self.next[r] = self.first[place];
            self.first[place] = r.into();
            for_each_operand(f, classes, form, |o| {
                let below = self.below[o].map_or(place, |known| self.ancestors.common(known, place));
                self.below[o] = Some(below);
            });
        }
    }
    /// Step 5.
    fn put_in_place(&mut self, f: &mut Function, classes: &Classes) {
        let mut at = 0;
        for n in 0..self.blocks.len() {
            let (b, end) = self.blocks[n];
            for k in at..end {
                let i = self.fixed[k];
                if k + 1 == end {
                    // Classes that other blocks read come first: a comparison precedes its branch.
                    let mut next = self.first[b].expand();
                    while let Some(r) = next {
                        next = self.next[r].expand();
                        let mut is_for_terminator = false;
                        f.for_each_use(i, |o| is_for_terminator |= o == r);
                        if !is_for_terminator {
                            self.put(f, classes, b, r, i);
                        }
                    }
                }
                if f.inst(i).op.format() != Format::Phi {
                    let mut read = SmallVec::<[Reg; 4]>::new();
                    f.for_each_use(i, |r| read.push(r));
                    read.into_iter().for_each(|r| self.put(f, classes, b, r, i));
                }
            }
            at = end;
        }
        for n in 0..self.removed.len() {
            let i = self.removed[n];
            let is_placed = f.def(i).is_some_and(|r| *self.is_placed.get(r) && classes.best.get(r).expand() == Some(i));
            if !is_placed && f.layout().block_of(i).is_some() {
                f.remove_inst(i);
            }
        }
    }
    /// Reports the fate of classes.
    #[cold]
    pub fn report(&self, f: &Function, classes: &Classes, remarks: &mut Remarks) {
        for &r in &self.order {
            let (Some(form), Some(place), Some(home)) = (classes.best[r].expand(), self.place[r], classes.home[r])
            else {
                continue;
            };
            if classes.is_rewritten(r) {
                remarks.done(f, form, Event::BestForm(classes.num_forms(r)));
            }
            if place != home {
                remarks.done(f, form, Event::PlacedIn(place, home));
            }
        }
        for &i in self.fixed.iter().filter(|i| is_trapping_arithmetic(f.inst(**i).op.effects())) {
            remarks.missed(f, i, Event::StaysForTrap);
        }
    }
    /// Puts a class of block `b` before an instruction there, and its operands of that block before it.
    fn put(&mut self, f: &mut Function, classes: &Classes, b: Block, r: Reg, before: Inst) {
        self.work.clear();
        self.work.push((r, false));
        while let Some((r, operands_done)) = self.work.pop() {
            if self.place[r] != Some(b) || self.is_placed[r] {
                continue;
            }
            let form = classes.best[r].expand().expect("it is a class with forms");
            if operands_done {
                self.is_placed[r] = true;
                let data = f.inst(form).with_result(r);
                f.replace_inst(form, data);
                classes.rules.read_replacements(f, form);
                f.move_before(form, before);
                if classes.home[r] != Some(b) {
                    f.note_speculated(form);
                }
            } else {
                self.work.push((r, true));
                for_each_operand(f, classes, form, |o| self.work.push((o, false)));
            }
        }
    }
}

/// Climbs the dominator tree from a block, out of loops that have none of these blocks.
fn out_of_loops(below: Block, inside: &[Block], around: Around<'_>) -> Block {
    let (mut b, loops) = (below, around.loops);
    for _ in 0..MAX_LOOPS {
        let Some(header) = loops.innermost(b) else { break };
        if inside.iter().any(|x| loops.contains(header, *x)) {
            break;
        }
        // A loop may be entered from the middle of another one.
        match around.dom.idom(header) {
            Some(up) if loops.depth(up) < loops.depth(b) => b = up,
            Some(_) | None => break,
        }
    }
    b
}

/// The classes that a form reads.
fn for_each_operand(f: &Function, classes: &Classes, form: Inst, mut visit: impl FnMut(Reg)) {
    f.for_each_use(form, |o| classes.rules.resolved(Operand::reg(o)).as_reg().into_iter().for_each(&mut visit));
}
