//! Step 6: merges two tests of one integer that together test for an interval.
//!
//! ```text
//! p:                                           p:
//!   br sge i32 %x, 48, b, no                     %x.1 = sub i32 %x, 48
//! b:                                      =>     br ult i32 %x.1, 10, yes, no
//!   br sle i32 %x, 57, yes, no
//! ```
//!
//! The block b does nothing else and has p as its only predecessor; one of its targets is the other target of p. The
//! values that lead to b's other target are the intersection of two [`WrappedRange`]s. If that is an interval again and
//! no predicate is equivalent, its start is subtracted first, and values below its length are in it. A test of `%x`
//! plus a constant just computed counts as a test of `%x`, so that longer chains shrink from the front.

use crate::analysis::branches::condition::values;
use crate::integers::wrapped::WrappedRange;
use crate::pass::PassContext;
use crate::passes::simplify_cfg::events::Event;
use lir_syntax::ir::{Block, Cfg, Comparison, Format, Function, InstData, IntCC, Opcode, Operand};

/// A block with more phi entries is not taken for a common target: all would be visited for each test.
const MAX_ENTRIES: usize = 64;

/// Runs the step on a function without unreachable blocks. Returns whether it changed anything.
pub fn run(f: &mut Function, cx: &mut PassContext<'_>) -> bool {
    let cfg = cx.analyses.cfg(f);
    let mut count = 0;
    for &p in cfg.rpo() {
        // A block that was folded has no successors any more.
        while let Some(pair) = find_pair(f, cfg, p) {
            let i = f.terminator(p);
            cx.remarks.done(f, i, Event::Range(pair.second));
            join(f, &pair);
            count += 1;
        }
    }
    cx.stats.add("range tests made", count);
    count != 0
}

/// Two tests that can be one.
struct Pair {
    first: Block,
    second: Block,
    /// The target of both, and the other target of the second.
    common: Block,
    inner: Block,
    /// The integer that is tested, and the values of it that lead to `inner`.
    x: Operand,
    values: WrappedRange,
}

fn find_pair(f: &Function, cfg: &Cfg, p: Block) -> Option<Pair> {
    let &[s, t] = f.succs(p) else { return None };
    // A switch that a search tree became may have one case.
    let test = f.inst(f.terminator(p));
    if test.op.format() != Format::Branch {
        return None;
    }
    let first = Comparison::of(test);
    if s == t || !first.ty.is_int() || !first.b.is_const() {
        return None;
    }
    let x_and_values = as_sum(f, p, first);
    [(s, t, first), (t, s, first.inverted())].into_iter().find_map(|(b, common, to_second)| {
        let branch = f.layout().first_inst(b).filter(|i| f.inst(*i).op.format() == Format::Branch)?;
        if b == p || b == common || cfg.preds(b).len() != 1 {
            return None;
        }
        let second = Comparison::of(f.inst(branch));
        let (inner, to_inner) = match *f.succs(b) {
            [y, c] if c == common && y != common => (y, second),
            [c, y] if c == common && y != common => (y, second.inverted()),
            _ => return None,
        };
        let (mut values, to_inner) = (values(to_second, f)?, values(to_inner, f)?);
        if second.a != first.a {
            let (x, added) = x_and_values.filter(|(x, _)| *x == second.a)?;
            debug_assert_eq!(f.type_of(x.as_reg()?), first.ty);
            values = values.shifted(added.wrapping_neg());
        }
        let values = values.intersection(to_inner)?;
        let useful = values.len != 0 && values.complement().len != 0;
        let fits = useful && inner != b && rows_are_equal(f, common, p, b) && phis_are_small(f, inner);
        fits.then_some(Pair { first: p, second: b, common, inner, x: second.a, values })
    })
}

/// Returns the other operand and the constant of a sum just before its test.
fn as_sum(f: &Function, p: Block, test: Comparison) -> Option<(Operand, u64)> {
    let i = f.layout().prev_inst(f.terminator(p))?;
    let d = f.inst(i);
    let k = if d.op.format() == Format::Binary { f.constant(d.second())? as u64 } else { return None };
    let added = match d.op {
        Opcode::Add => k,
        Opcode::Sub => k.wrapping_neg(),
        _ => return None,
    };
    (d.result() == test.first_reg() && d.first().is_reg() && d.first().as_reg() != d.result())
        .then_some((d.first(), added))
}

fn phis_are_small(f: &Function, b: Block) -> bool {
    f.phis(b).all(|i| f.phi_entries(i).len() <= MAX_ENTRIES)
}

/// True if the phis of `b` choose the same for both predecessors.
fn rows_are_equal(f: &Function, b: Block, p: Block, q: Block) -> bool {
    phis_are_small(f, b)
        && f.phis(b).all(|i| {
            let entry = |of: Block| f.phi_entries(i).find(|e| e.0 == of).map(|e| e.1);
            entry(p) == entry(q)
        })
}

fn join(f: &mut Function, pair: &Pair) {
    let Pair { first, second, common, inner, x, values } = *pair;
    test_interval(f, first, x, values);
    f.set_succs(first, &[inner, common]);
    f.remove_phi_pred(common, second);
    f.map_phi_preds(inner, |p| if p == second { first } else { p });
    f.remove_block(second);
}

/// Makes the terminator of `b`, which tests `x`, a branch on it being one of `values`. These must be neither none nor
/// all. Its targets are the caller's.
pub(crate) fn test_interval(f: &mut Function, b: Block, x: Operand, values: WrappedRange) {
    let i = f.terminator(b);
    let ty = f.inst(i).ty;
    let others = values.complement();
    // The smaller set is tested for: the integers in the range, or the others.
    let (few, below) = if values.len <= others.len { (values, IntCC::Ult) } else { (others, IntCC::Uge) };
    let (cc, x, k) = match values.predicate() {
        Some((cc, k)) => (cc, x, f.make_typed_const(ty, k)),
        None => {
            let start = f.make_typed_const(ty, few.start);
            let offset = f.new_reg_like(x.as_reg().expect("what is tested is a register"));
            f.insert_before(i, InstData::binary(Opcode::Sub, ty, x, start).with_result(offset));
            (below, offset.into(), f.make_typed_const(ty, few.len as u64))
        }
    };
    f.replace_inst(i, InstData::binary(Opcode::Br, ty, x, k).with_predicate(cc));
}
