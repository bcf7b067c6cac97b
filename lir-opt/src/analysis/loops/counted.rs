//! Proves that loops terminate.
//!
//! A loop ends if some test that every iteration executes leaves it at some time. The test compares x with n, where n
//! is a constant or a register that is assigned outside of the loop, and x is a counter: the phi of the header `%p =
//! phi T [.., before], [%s, latch]`, or the `%s = add T %p, C` from all latches. So x is x0 + k*C in iteration k,
//! modulo 2^width, for any x0. [`leaves`] is true if the test must fail at some time. If the sum promises not to wrap,
//! a counter that grows exceeds every bound, or breaks the promise.
//!
//! Traps, calls, and endless loops inside may also keep an iteration from its end; they are not considered.

use crate::analysis::LoopForest;
use crate::analysis::assignments::Assignments;
use crate::analysis::linear::Linear;
use crate::integers::range::Range;
use lir_syntax::ir::{
    Block, Cfg, DominatorTree, EntitySet, Format, Function, Inst, IntCC, Opcode, PackedOption, Promises, Reg,
    SecondaryMap, Type,
};

/// Headers with more predecessors are not considered: each test of the loop visits all of them.
const MAX_PREDS: usize = 16;

/// The loops of a function that end.
#[derive(Default)]
pub(crate) struct CountedLoops {
    forest: LoopForest,
    assignments: Assignments,
    /// The assignment of each register that has one.
    def: SecondaryMap<Reg, PackedOption<Inst>>,
    /// Headers of loops that end.
    ending: EntitySet<Block>,
    /// True if promises count.
    trusted: bool,
}

impl CountedLoops {
    /// Looks at the loops of a function of either form. With `trusted` promises, loops end that would have to break
    /// one: if the function is executed. A function that may be executed in vain may be given values that break its
    /// promises.
    pub fn recompute(&mut self, f: &Function, cfg: &Cfg, dominators: &DominatorTree, trusted: bool) {
        self.trusted = trusted;
        self.forest.recompute(f, cfg, dominators);
        self.assignments.count(f);
        self.def.reset(f.num_regs());
        for i in f.layout().all_insts() {
            if let Some(r) = f.def(i).filter(|r| self.assignments.is_single(*r)) {
                self.def[r] = i.into();
            }
        }
        self.ending.clear();
        // A test belongs to the innermost loop of its block.
        for &b in cfg.rpo() {
            if let Some(header) = self.forest.innermost(b)
                && !self.ending.contains(header)
                && (Tests { f, cfg, dominators, loops: self }).must_leave(b, header)
            {
                self.ending.insert(header);
            }
        }
    }
    /// Returns the loops.
    pub fn forest(&self) -> &LoopForest {
        &self.forest
    }
    /// True if the loop of a header ends, if each of its iterations does.
    pub fn ends(&self, header: Block) -> bool {
        self.ending.contains(header)
    }
    /// Returns the first header of a possibly endless loop, or entry of an irreducible cycle.
    pub(crate) fn first_endless(&self, cfg: &Cfg) -> Option<Block> {
        let endless = |b: &Block| self.forest.is_irreducible_entry(*b) || self.forest.is_header(*b) && !self.ends(*b);
        cfg.rpo().iter().copied().find(endless)
    }
    /// True if a register has one value while a loop runs: it is assigned once, and not in the loop.
    pub fn is_fixed(&self, f: &Function, r: Reg, header: Block) -> bool {
        let def = self.def[r].expand();
        let in_loop = |i: Inst| f.layout().block_of(i).is_none_or(|b| self.forest.contains(header, b));
        self.assignments.is_single(r) && def.is_none_or(|i| !in_loop(i))
    }
}

/// The tests of loops.
struct Tests<'a> {
    f: &'a Function,
    cfg: &'a Cfg,
    dominators: &'a DominatorTree,
    loops: &'a CountedLoops,
}

impl Tests<'_> {
    fn latches(&self, header: Block) -> impl Iterator<Item = Block> + '_ {
        self.cfg.preds(header).iter().copied().filter(move |p| self.is_latch(header, *p))
    }
    /// True if a predecessor of a header is in the loop. All that leads back is dominated by it.
    fn is_latch(&self, header: Block, pred: Block) -> bool {
        self.dominators.dominates(header, pred)
    }
    /// True if the branch that ends block `b` must leave the loop some day.
    fn must_leave(&self, b: Block, header: Block) -> bool {
        let f = self.f;
        let d = f.inst(f.terminator(b));
        if d.op.format() != Format::Branch || !d.ty.is_int() {
            return false;
        }
        let stays = |to: usize| self.loops.forest.contains(header, f.succs(b)[to]);
        let (then_stays, else_stays) = (stays(0), stays(1));
        let has_few_latches = self.cfg.preds(header).len() <= MAX_PREDS;
        if then_stays == else_stays
            || !has_few_latches
            || !self.latches(header).all(|l| self.dominators.dominates(b, l))
        {
            return false;
        }
        let cc = if then_stays { d.int_cc() } else { d.int_cc().inverted() };
        let Some((step, promises)) = d.first().as_reg().and_then(|x| self.step(x, header)) else { return false };
        let bound = f.constant(d.second());
        let is_fixed = bound.is_some() || d.second().as_reg().is_some_and(|n| self.loops.is_fixed(f, n, header));
        is_fixed && (leaves(cc, d.ty, step, bound) || self.loops.trusted && leaves_or_wraps(cc, step, promises))
    }
    /// By how much a register grows from iteration to iteration, and the promises of the sum.
    fn step(&self, x: Reg, header: Block) -> Option<(i64, Promises)> {
        let f = self.f;
        let def = self.loops.def[x].expand()?;
        let phi = match f.inst(def).op {
            Opcode::Phi => def,
            Opcode::Add | Opcode::Sub => self.loops.def[f.inst(def).first().as_reg()?].expand()?,
            _ => return None,
        };
        if f.inst(phi).op != Opcode::Phi || f.layout().block_of(phi) != Some(header) {
            return None;
        }
        let mut brought = f.phi_entries(phi).filter(|(p, _)| self.is_latch(header, *p)).map(|(_, o)| o);
        let next = brought.next()?;
        let add = self.loops.def[next.as_reg()?].expand()?;
        let sum =
            Linear::of(f, add, |o| f.constant(o)).filter(|_| matches!(f.inst(add).op, Opcode::Add | Opcode::Sub))?;
        let is_next = brought.all(|o| o == next) && (phi == def || add == def);
        let steps_phi = sum.as_register_and_constant() == f.def(phi);
        (is_next && steps_phi).then_some((sum.plus, f.inst(add).promises()))
    }
}

/// True if x0, x0 + step, .. has a member for which `cc` with the bound is false, for every x0 (and every bound, if it
/// is None). Members are modulo 2^width.
fn leaves(cc: IntCC, ty: Type, step: i64, bound: Option<i64>) -> bool {
    let w = ty.as_word();
    let signed = !matches!(cc, IntCC::Ult | IntCC::Ule | IntCC::Ugt | IntCC::Uge);
    let Range { lo, hi } = Range::full(w);
    let (min, max) = if signed { (lo.into(), hi.into()) } else { (0, w.mask() as i128) };
    let bound = bound.map(|n| if signed { n as i128 } else { w.truncate(n as u64) as i128 });
    // `x <= n` is `x < n + 1`, if that is a number.
    let (strict, bound) = match cc {
        IntCC::Eq => return step != 0,
        IntCC::Ne => return step % 2 != 0,
        IntCC::Slt | IntCC::Ult => (IntCC::Slt, bound),
        IntCC::Sgt | IntCC::Ugt => (IntCC::Sgt, bound),
        IntCC::Sle | IntCC::Ule => match bound {
            Some(n) if n < max => (IntCC::Slt, Some(n + 1)),
            _ => return false,
        },
        IntCC::Sge | IntCC::Uge => match bound {
            Some(n) if n > min => (IntCC::Sgt, Some(n - 1)),
            _ => return false,
        },
    };
    // An odd step reaches all numbers, including the bound.
    if step % 2 != 0 {
        return true;
    }
    let Some(n) = bound else { return false };
    match strict {
        // The last number below n is followed by one that is not, and that there is.
        IntCC::Slt => step > 0 && n - 1 + step as i128 <= max,
        _ => step < 0 && n + 1 + step as i128 >= min,
    }
}

/// True if x0, x0 + step, .. has a member for which `cc` with any bound is false, or one that does not fit the type,
/// against the promises of the sum. The sum is an addition, or the subtraction of the negated step.
fn leaves_or_wraps(cc: IntCC, step: i64, promises: Promises) -> bool {
    match cc {
        IntCC::Slt | IntCC::Sle => step > 0 && promises.has(Promises::NSW),
        IntCC::Sgt | IntCC::Sge => step < 0 && promises.has(Promises::NSW),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every predicate, step and bound at eight bits, by running the loop.
    #[test]
    fn exits_at_eight_bits() {
        for &cc in IntCC::ALL {
            for step in -128..=127i64 {
                let mut always = true;
                for n in -128..=127i64 {
                    let ends = (0..=255u8).all(|x0| {
                        let mut x = x0 as i8;
                        (0..=256).any(|_| {
                            let holds = holds(cc, x, n as i8);
                            x = x.wrapping_add(step as i8);
                            !holds
                        })
                    });
                    assert!(ends || !leaves(cc, Type::I8, step, Some(n)), "{cc} {step} {n}");
                    // Nothing is missed where the step is odd.
                    assert!(!ends || step % 2 == 0 || leaves(cc, Type::I8, step, Some(n)), "{cc} {step} {n}");
                    always &= ends;
                }
                assert!(always || !leaves(cc, Type::I8, step, None), "{cc} {step}");
            }
        }
    }

    fn holds(cc: IntCC, x: i8, n: i8) -> bool {
        let (ux, un) = (x as u8, n as u8);
        match cc {
            IntCC::Eq => x == n,
            IntCC::Ne => x != n,
            IntCC::Slt => x < n,
            IntCC::Sle => x <= n,
            IntCC::Sgt => x > n,
            IntCC::Sge => x >= n,
            IntCC::Ult => ux < un,
            IntCC::Ule => ux <= un,
            IntCC::Ugt => ux > un,
            IntCC::Uge => ux >= un,
        }
    }
}
