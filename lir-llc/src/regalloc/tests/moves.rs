//! The parallel move resolver, tested exhaustively over few locations by executing its output.

use crate::isa::x64::ENV;
use crate::isa::x64::registers::{RAX, RBX, RCX, RDX, xmm};
use crate::mir::{PReg, PRegSet, RegClass};
use crate::regalloc::parallel_move::{Move, Resolver, Source, Spare};
use crate::regalloc::{Edit, Loc};
use std::collections::BTreeMap;

/// Some free registers, and slot 99.
struct Free(PRegSet);

impl Spare for Free {
    fn register(&mut self, class: RegClass, except: PRegSet) -> Option<PReg> {
        self.0.and(PRegSet::class(class)).minus(except).iter().next()
    }
    fn slot(&mut self, _: RegClass) -> u32 {
        99
    }
    fn scratch(&self, class: RegClass) -> PReg {
        ENV.scratch[class as usize]
    }
}

const SPARE: Loc = Loc::slot(99);

fn resolve(moves: &[Move], free: PRegSet) -> Vec<Edit> {
    let mut edits = Vec::new();
    Resolver::default().resolve(moves, &mut Free(free), |e| edits.push(e));
    edits
}

/// Returns the contents of each location. The value of location p is p itself, the value of repeatable definition k is
/// 1000 + k.
fn execute(edits: &[Edit]) -> BTreeMap<usize, usize> {
    let mut state = BTreeMap::new();
    let read = |state: &BTreeMap<usize, usize>, l: Loc| *state.get(&l.index()).unwrap_or(&l.index());
    for e in edits {
        match *e {
            Edit::Move { from, to, class } => {
                for l in [from, to] {
                    assert!(l.as_reg().is_none_or(|r| r.class() == class), "{e:?}");
                }
                let value = read(&state, from);
                state.insert(to.index(), value);
            }
            Edit::Exchange(a, b) => {
                assert!(a.class() == RegClass::Int && b.class() == RegClass::Int);
                let (x, y) = (read(&state, Loc::reg(a)), read(&state, Loc::reg(b)));
                state.insert(a.index(), y);
                state.insert(b.index(), x);
            }
            Edit::Remat(k, r) => {
                state.insert(r.index(), 1000 + k as usize);
            }
        }
    }
    state
}

fn verify(moves: &[Move], free: PRegSet) -> Vec<Edit> {
    let edits = resolve(moves, free);
    let mut state = execute(&edits);
    for m in moves {
        let expected = match m.from {
            Source::Loc(l) => l.index(),
            Source::Remat(k) => 1000 + k as usize,
        };
        let found = state.remove(&m.to.index()).unwrap_or(m.to.index());
        assert_eq!(found, expected, "{moves:?} gave {edits:?}");
    }
    // Everything else is unchanged, except free locations.
    for (index, value) in state {
        let spare = index == SPARE.index() || index < 32 && free.contains(PReg::new(index as u8));
        assert!(index == value || spare, "{moves:?} changed location {index}: {edits:?}");
    }
    edits
}

/// Tests all combinations in which each location gets the value of a location, a constant, or nothing. Each location
/// has a class.
fn exhaust(locations: &[(Loc, RegClass)], frees: &[PRegSet]) {
    let choices = locations.len() + 2;
    for mut code in 0..choices.pow(locations.len() as u32) {
        let mut moves = Vec::new();
        for (to, class) in locations {
            let choice = code % choices;
            code /= choices;
            let class = match to.as_reg() {
                Some(r) => r.class(),
                None => locations.get(choice).map_or(*class, |(_, c)| *c),
            };
            match locations.get(choice) {
                Some((from, c)) if *c == class => moves.push(Move { from: Source::Loc(*from), to: *to, class }),
                None if choice == locations.len() => moves.push(Move { from: Source::Remat(0), to: *to, class }),
                Some(_) | None => {}
            }
        }
        for free in frees {
            verify(&moves, *free);
        }
    }
}

const INT: RegClass = RegClass::Int;
const FLOAT: RegClass = RegClass::Float;

#[test]
fn all_moves_among_general_registers_and_slots() {
    let locations = [Loc::reg(RAX), Loc::reg(RCX), Loc::reg(RDX), Loc::slot(0), Loc::slot(1)].map(|l| (l, INT));
    exhaust(&locations, &[PRegSet::EMPTY, PRegSet::of(&[RBX])]);
}

#[test]
fn all_moves_among_sse_registers_and_slots() {
    let locations =
        [Loc::reg(xmm(0)), Loc::reg(xmm(1)), Loc::reg(xmm(2)), Loc::slot(0), Loc::slot(1)].map(|l| (l, FLOAT));
    exhaust(&locations, &[PRegSet::EMPTY, PRegSet::of(&[xmm(9)])]);
}

/// A slot may hold a value of one class and get one of the other.
#[test]
fn all_moves_among_both_classes() {
    let locations = [
        (Loc::reg(RAX), INT),
        (Loc::reg(RCX), INT),
        (Loc::reg(xmm(0)), FLOAT),
        (Loc::reg(xmm(1)), FLOAT),
        (Loc::slot(0), INT),
        (Loc::slot(1), FLOAT),
    ];
    exhaust(&locations, &[PRegSet::EMPTY, PRegSet::of(&[RBX, xmm(9)])]);
}

fn between(pairs: &[(PReg, PReg)]) -> Vec<Move> {
    let one =
        |(from, to): &(PReg, PReg)| Move { from: Source::Loc(Loc::reg(*from)), to: Loc::reg(*to), class: from.class() };
    pairs.iter().map(one).collect()
}

#[test]
fn a_cycle_of_n_general_registers_takes_n_minus_1_exchanges() {
    for n in 2..15u8 {
        let ring: Vec<_> = (0..n).map(|k| (PReg::new(k), PReg::new((k + 1) % n))).collect();
        let edits = verify(&between(&ring), PRegSet::EMPTY);
        assert_eq!(edits.len(), n as usize - 1);
        assert!(edits.iter().all(|e| matches!(e, Edit::Exchange(..))));
    }
}

#[test]
fn a_cycle_of_sse_registers_uses_a_free_register_or_a_slot() {
    let ring = between(&[(xmm(0), xmm(1)), (xmm(1), xmm(2)), (xmm(2), xmm(0))]);
    assert_eq!(verify(&ring, PRegSet::of(&[xmm(7)])).len(), 4);
    let edits = verify(&ring, PRegSet::EMPTY);
    assert_eq!(edits.len(), 4);
    assert!(edits.iter().any(|e| matches!(e, Edit::Move { to, .. } if *to == SPARE)));
}

#[test]
fn several_cycles_with_chains_that_leave_them() {
    // (rax rcx)(rdx rbx) with a copy of rcx and of rdx, and one of that copy's old value.
    let r = |n| PReg::new(n);
    let moves =
        between(&[(r(0), r(1)), (r(1), r(0)), (r(2), r(3)), (r(3), r(2)), (r(1), r(6)), (r(2), r(7)), (r(6), r(8))]);
    assert_eq!(verify(&moves, PRegSet::EMPTY).len(), 5);
}

#[test]
fn nothing_is_emitted_for_nothing() {
    assert!(verify(&between(&[(RAX, RAX), (RCX, RCX)]), PRegSet::EMPTY).is_empty());
    assert!(verify(&[], PRegSet::EMPTY).is_empty());
}

/// The tables are clean after use, and large sets take linear time.
#[test]
fn one_resolver_serves_many_sets() {
    let mut resolver = Resolver::default();
    let n = 20_000;
    let ring: Vec<Move> =
        (0..n).map(|k| Move { from: Source::Loc(Loc::slot(k)), to: Loc::slot((k + 1) % n), class: INT }).collect();
    for _ in 0..3 {
        let mut count = 0;
        resolver.resolve(&ring, &mut Free(PRegSet::EMPTY), |_| count += 1);
        assert_eq!(count, n as usize + 1);
    }
}
