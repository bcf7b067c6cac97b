//! Plants typical bugs of allocators in right allocations: the checker finds each that changes the behaviour of a
//! function.
//!
//! [`simulate`](super::simulate) decides whether it does: a change that makes no difference on any path walked (a
//! dropped move of a dead value, another register that happens to be free) is not a bug, and is not counted.

use super::fuzz::Gen;
use super::simulate::{difference, other_register};
use super::*;
use crate::isa::x64::registers::RSP;
use crate::mir::{PRegSet, Props};
use crate::regalloc::{ALLOCATORS, Allocator};
use lir_random::extent::few_or_all;

/// A kind of bug, and the function that plants it: it changes an allocation at a random place, if possible.
type Bug = (&'static str, fn(&MFunction, &mut Allocation, &mut Rng) -> Option<()>);

const BUGS: &[Bug] = &[
    ("a use in another register", |f, a, rng| {
        let (i, field) = pick(rng, &operands(a, |field, l| field > 0 && l.as_reg().is_some()))?;
        let r = a.locs[i][field].as_reg()?;
        a.locs[i][field] = Loc::reg(other_register(f, r, rng));
        Some(())
    }),
    ("a definition in another register", |f, a, rng| {
        let (i, field) = pick(rng, &operands(a, |field, _| field == 0))?;
        let r = a.locs[i][field].as_reg()?;
        a.locs[i][field] = Loc::reg(other_register(f, r, rng));
        Some(())
    }),
    ("two uses in each other's locations", |_, a, rng| {
        let both = |l: &OperandLocs| (1..4).filter(|k| l[*k] != Loc::NONE).count() > 1;
        let i = pick(rng, &(0..a.locs.len()).filter(|i| both(&a.locs[*i])).collect::<Vec<_>>())?;
        let used: Vec<usize> = (1..4).filter(|k| a.locs[i][*k] != Loc::NONE).collect();
        a.locs[i].swap(used[0], used[1]);
        Some(())
    }),
    ("definition and use in each other's locations", |_, a, rng| {
        let both = |l: &OperandLocs| l[0] != Loc::NONE && l[1] != Loc::NONE;
        let i = pick(rng, &(0..a.locs.len()).filter(|i| both(&a.locs[*i])).collect::<Vec<_>>())?;
        a.locs[i].swap(0, 1);
        Some(())
    }),
    ("an edit left out", |_, a, rng| {
        let k = pick(rng, &edits(a, |_, _| true))?;
        a.edits.remove(k);
        Some(())
    }),
    ("an edit done once more, later", |_, a, rng| {
        let (k, n) = (pick(rng, &edits(a, |_, _| true))?, pick(rng, &edits(a, |_, _| true))?);
        let (early, late) = (k.min(n), k.max(n));
        let again = (a.edits[late].0, a.edits[early].1);
        a.edits.insert(late + 1, again);
        Some(())
    }),
    ("edits of one point in another order", |_, a, rng| {
        let k = pick(rng, &(1..a.edits.len()).filter(|k| a.edits[k - 1].0 == a.edits[*k].0).collect::<Vec<_>>())?;
        a.edits.swap(k - 1, k);
        Some(())
    }),
    ("an edit after the instruction before which it belongs", |_, a, rng| {
        let k = pick(rng, &edits(a, |point, _| point.is_multiple_of(2)))?;
        a.edits[k].0 += 1;
        a.edits.sort_by_key(|(point, _)| *point);
        Some(())
    }),
    ("an edit before the instruction after which it belongs", |_, a, rng| {
        let k = pick(rng, &edits(a, |point, _| point % 2 == 1))?;
        a.edits[k].0 -= 1;
        a.edits.sort_by_key(|(point, _)| *point);
        Some(())
    }),
    ("an edit an instruction too late", |f, a, rng| {
        let end = 2 * f.insts.len() as u32;
        let k = pick(rng, &edits(a, |point, _| point + 2 < end))?;
        a.edits[k].0 += 2;
        a.edits.sort_by_key(|(point, _)| *point);
        Some(())
    }),
    ("a value stored in another slot", |_, a, rng| {
        let k = pick(rng, &edits(a, |_, e| slot_of(e, To).is_some()))?;
        let slot = rng.below(a.num_slots as usize) as u32;
        redirect(&mut a.edits[k].1, To, Loc::slot(slot));
        Some(())
    }),
    ("a value reloaded from another slot", |_, a, rng| {
        let k = pick(rng, &edits(a, |_, e| slot_of(e, From).is_some()))?;
        let slot = rng.below(a.num_slots as usize) as u32;
        redirect(&mut a.edits[k].1, From, Loc::slot(slot));
        Some(())
    }),
    ("a value reloaded into another register", |f, a, rng| {
        let k = pick(rng, &edits(a, |_, e| slot_of(e, From).is_some() && slot_of(e, To).is_none()))?;
        let Edit::Move { to, .. } = a.edits[k].1 else { return None };
        redirect(&mut a.edits[k].1, To, Loc::reg(other_register(f, to.as_reg()?, rng)));
        Some(())
    }),
    ("one slot for two values", |_, a, rng| {
        let (one, other) =
            (rng.below(a.num_slots.max(1) as usize) as u32, rng.below(a.num_slots.max(1) as usize) as u32);
        let merged = |l: &mut Loc| *l = if *l == Loc::slot(one) { Loc::slot(other) } else { *l };
        a.locs.iter_mut().flatten().for_each(merged);
        for (_, e) in &mut a.edits {
            if let Edit::Move { from, to, .. } = e {
                merged(from);
                merged(to);
            }
        }
        (one != other).then_some(())
    }),
    ("a slot too few", |_, a, _| {
        a.num_slots = a.num_slots.checked_sub(1)?;
        Some(())
    }),
    ("a move of the wrong class", |_, a, rng| {
        let k = pick(rng, &edits(a, |_, e| matches!(e, Edit::Move { .. })))?;
        let Edit::Move { class, .. } = &mut a.edits[k].1 else { return None };
        *class = if *class == RegClass::Int { RegClass::Float } else { RegClass::Int };
        Some(())
    }),
    ("a move to a register of the other class", |_, a, rng| {
        let k = pick(rng, &edits(a, |_, e| matches!(e, Edit::Move { to, .. } if to.as_reg().is_some())))?;
        let Edit::Move { to, .. } = &mut a.edits[k].1 else { return None };
        *to = Loc::reg(PReg::new(to.as_reg()?.index() as u8 ^ 16));
        Some(())
    }),
    ("a value not saved around a call", |f, a, rng| {
        let saves = |point: u32, e: &Edit| {
            let next = f.insts[point as usize / 2..].iter().take(3);
            slot_of(e, To).is_some() && next.into_iter().any(|i| f.props(i).has(Props::CALL))
        };
        let k = pick(rng, &edits(a, saves))?;
        a.edits.remove(k);
        Some(())
    }),
    ("another constant repeated", |f, a, rng| {
        let k = pick(rng, &edits(a, |_, e| matches!(e, Edit::Remat(..))))?;
        let Edit::Remat(n, _) = &mut a.edits[k].1 else { return None };
        *n = rng.below(f.remats.len()) as u32;
        Some(())
    }),
    ("a constant repeated in another register", |f, a, rng| {
        let k = pick(rng, &edits(a, |_, e| matches!(e, Edit::Remat(..))))?;
        let Edit::Remat(_, r) = &mut a.edits[k].1 else { return None };
        *r = other_register(f, *r, rng);
        Some(())
    }),
    ("a move of a phi left out on one edge", |f, a, rng| {
        let k = pick(rng, &edits(a, |point, _| is_at_edge(f, point)))?;
        a.edits.remove(k);
        Some(())
    }),
    ("a move of a phi on another edge", |f, a, rng| {
        let (k, n) = (pick(rng, &edits(a, |p, _| is_at_edge(f, p)))?, pick(rng, &edits(a, |p, _| is_at_edge(f, p)))?);
        a.edits[k].0 = a.edits[n].0;
        a.edits.sort_by_key(|(point, _)| *point);
        Some(())
    }),
    ("a fixed use that is not in its register", |f, a, rng| {
        let fixes = |point: u32, e: &Edit| {
            let inst = &f.insts[point as usize / 2];
            let uses = || f.records[inst.record_index()].uses.iter();
            let to = |p: PReg| matches!(e, Edit::Move { to, .. } if *to == Loc::reg(p));
            point.is_multiple_of(2) && f.has_record(inst) && uses().any(|(_, p)| to(*p))
        };
        let k = pick(rng, &edits(a, fixes))?;
        let Edit::Move { to, .. } = &mut a.edits[k].1 else { return None };
        *to = Loc::reg(other_register(f, to.as_reg()?, rng));
        Some(())
    }),
    ("an operand that the hardware has elsewhere", |f, a, rng| {
        let fixed = |i: usize| f.fixed(&f.insts[i]);
        let sites = operands(a, |_, _| true);
        let is_fixed = |(i, k): &(usize, usize)| match k {
            0 => fixed(*i).d.is_some(),
            1 => fixed(*i).a.is_some(),
            2 => fixed(*i).b.is_some() && f.insts[*i].form.uses_b(),
            _ => false,
        };
        let (i, field) = pick(rng, &sites.into_iter().filter(is_fixed).collect::<Vec<_>>())?;
        a.locs[i][field] = Loc::reg(other_register(f, a.locs[i][field].as_reg()?, rng));
        Some(())
    }),
    ("a tied destination over another operand", |f, a, rng| {
        let sites = operands(a, |field, l| field > 1 && l.as_reg().is_some());
        let tied = |(i, _): &(usize, usize)| f.insts[*i].form.is_tied();
        let (i, field) = pick(rng, &sites.into_iter().filter(tied).collect::<Vec<_>>())?;
        a.locs[i][0] = a.locs[i][field];
        Some(())
    }),
    ("an operand in a register that the instruction overwrites", |f, a, rng| {
        let sites = operands(a, |_, l| l.as_reg().is_some());
        let clobbers = |i: usize, field: usize| f.clobbers(&f.insts[i]).and(class_of(a.locs[i][field]));
        let some = |(i, k): &(usize, usize)| !clobbers(*i, *k).is_empty();
        let (i, field) = pick(rng, &sites.into_iter().filter(some).collect::<Vec<_>>())?;
        a.locs[i][field] = Loc::reg(clobbers(i, field).iter().next()?);
        Some(())
    }),
    ("an operand in memory where none may be", |_, a, rng| {
        let (i, field) = pick(rng, &operands(a, |_, l| l.as_reg().is_some()))?;
        a.num_slots = a.num_slots.max(1);
        a.locs[i][field] = Loc::slot(0);
        Some(())
    }),
    ("half of an exchange", |_, a, rng| {
        let k = pick(rng, &edits(a, |_, e| matches!(e, Edit::Exchange(..))))?;
        let Edit::Exchange(x, y) = a.edits[k].1 else { return None };
        a.edits[k].1 = Edit::Move { from: Loc::reg(x), to: Loc::reg(y), class: RegClass::Int };
        Some(())
    }),
    ("an exchange with another register", |f, a, rng| {
        let k = pick(rng, &edits(a, |_, e| matches!(e, Edit::Exchange(..))))?;
        let Edit::Exchange(x, y) = a.edits[k].1 else { return None };
        a.edits[k].1 = Edit::Exchange(x, other_register(f, y, rng));
        Some(())
    }),
    ("a register of the caller that is not saved", |f, a, rng| {
        let r = pick(rng, &a.used.and(f.env.callee_saved).iter().collect::<Vec<_>>())?;
        a.used = a.used.minus(PRegSet::of(&[r]));
        Some(())
    }),
    ("a definition in the stack pointer", |_, a, rng| {
        let sites = operands(a, |field, l| field == 0 && class_of(l) == PRegSet::class(RegClass::Int));
        let (i, _) = pick(rng, &sites)?;
        a.locs[i][0] = Loc::reg(RSP);
        Some(())
    }),
];

/// An end of a move.
#[derive(Copy, Clone, PartialEq)]
enum End {
    From,
    To,
}
use End::{From, To};

fn pick<T: Copy>(rng: &mut Rng, among: &[T]) -> Option<T> {
    among.get(rng.below(among.len().max(1))).copied()
}
/// The operands in fields, by instruction and field, that satisfy a condition.
fn operands(a: &Allocation, like: impl Fn(usize, Loc) -> bool) -> Vec<(usize, usize)> {
    let all = (0..a.locs.len()).flat_map(|i| (0..4).map(move |k| (i, k)));
    all.filter(|(i, k)| a.locs[*i][*k] != Loc::NONE && like(*k, a.locs[*i][*k])).collect()
}
/// The edits that satisfy a condition.
fn edits(a: &Allocation, like: impl Fn(u32, &Edit) -> bool) -> Vec<usize> {
    (0..a.edits.len()).filter(|k| like(a.edits[*k].0, &a.edits[*k].1)).collect()
}
fn slot_of(e: &Edit, end: End) -> Option<u32> {
    match e {
        Edit::Move { from, .. } if end == From => from.as_slot(),
        Edit::Move { to, .. } => to.as_slot(),
        Edit::Exchange(..) | Edit::Remat(..) => None,
    }
}
fn redirect(e: &mut Edit, end: End, loc: Loc) {
    if let Edit::Move { from, to, .. } = e {
        *(if end == From { from } else { to }) = loc;
    }
}
/// True if moves of phis may be at a point: at the top of a block, or before the jump at its end.
fn is_at_edge(f: &MFunction, point: u32) -> bool {
    let (top, jump) = (|b: &MBlockData| 2 * b.start == point, |b: &MBlockData| 2 * b.end == point + 2);
    f.blocks.iter().any(|b| !b.preds.is_empty() && top(b) || b.succs.len() == 1 && jump(b))
}
fn class_of(l: Loc) -> PRegSet {
    l.as_reg().map_or(PRegSet::EMPTY, |r| PRegSet::class(r.class()))
}

/// The number of functions in which each kind is planted, several times in each.
fn functions() -> u64 {
    few_or_all(40, 80)
}
const TIMES: usize = 3;
/// Number of times that a kind must have changed the behaviour of a function.
fn enough() -> usize {
    few_or_all(5, 10)
}

/// A function that passes its arguments on in another order: its moves are cycles.
fn shuffling(order: usize) -> MFunction {
    let mut b = Builder::default();
    b.block(&[]);
    let params: Vec<VReg> = (0..6).map(|_| b.int()).collect();
    b.params(&params);
    let args: Vec<VReg> = (0..6).map(|k| params[(k * 5 + order) % 6]).collect();
    b.call(&args, None);
    b.ret(None);
    b.finish()
}

/// The options of the allocations in which bugs are planted.
const MODES: [&str; 4] = ["", "regs=5", "stress=1", "regs=6 stress=2"];

#[test]
fn planted_bugs_are_found() {
    assert!(BUGS.len() >= 20);
    for allocator in ALLOCATORS {
        let changed = plant_in(*allocator);
        for ((bug, _), times) in BUGS.iter().zip(changed) {
            assert!(times >= enough(), "{}, {bug}: planted {times} times only", allocator.name());
        }
    }
}

/// Plants bugs in the allocations of an allocator, and checks that the checker finds those that change the behaviour of
/// a function. Returns the number of these for each kind.
fn plant_in(allocator: &dyn Allocator) -> Vec<usize> {
    let mut changed = vec![0; BUGS.len()];
    let mut scratch = Scratch::default();
    for seed in 0..functions() {
        let f = if seed.is_multiple_of(8) { shuffling(seed as usize / 8 % 5) } else { Gen::function(seed) };
        if f.returns_twice {
            // The paths do not cover a second return.
            continue;
        }
        let options = MODES[seed as usize % MODES.len()].parse().unwrap();
        let mut right = Allocation::default();
        allocator.allocate(&f, &options, &mut scratch, &mut right);
        assert_eq!(check(&f, &right), [], "seed {seed}");
        assert_eq!(difference(&f, &right, &mut Rng::new(seed)), None, "seed {seed}\n{}", listing(&f, &right));
        for (k, (name, plant)) in BUGS.iter().enumerate() {
            for time in 0..TIMES {
                let mut wrong = right.clone();
                let mut rng = Rng::new(seed << 16 | (k * TIMES + time) as u64);
                if plant(&f, &mut wrong, &mut rng).is_none() {
                    continue;
                }
                let Some(what) = difference(&f, &wrong, &mut rng) else { continue };
                changed[k] += 1;
                assert!(!check(&f, &wrong).is_empty(), "seed {seed}, {name}: {what}\n{}", listing(&f, &wrong));
            }
        }
    }
    changed
}

/// The simulation accepts the allocations of all allocators, as the checker does.
#[test]
fn right_allocations_behave() {
    let mut scratch = Scratch::default();
    for seed in 0..400 {
        let f = Gen::function(seed);
        let options = ["", "regs=4 stress=9", "regs=6 stress=9"][seed as usize % 3].parse().unwrap();
        for allocator in ALLOCATORS {
            let mut a = Allocation::default();
            allocator.allocate(&f, &options, &mut scratch, &mut a);
            assert_eq!(difference(&f, &a, &mut Rng::new(seed)), None, "{}, seed {seed}", allocator.name());
        }
    }
}
