//! The parallel move resolver: puts moves that happen at once into an order.
//!
//! All locations are read before any is written. A move whose target is not read any more can be emitted; the rest are
//! disjoint cycles. A cycle of general registers is resolved by exchanges, any other by saving one of its values in a
//! register that is known to be free, or else in a spare slot. Repeated definitions read nothing and come last.
//!
//! Moves between two slots go through a free register if there is one; otherwise the encoder copies without one.
//!
//! Source: Boissinot et al., "Revisiting out-of-SSA translation for correctness, code quality, and efficiency", CGO
//! 2009, algorithm 1, with exchanges for cycles. Cost: linear in the number of moves.

use super::options::Dice;
use super::spill_slots::SpillSlots;
use super::{Edit, Loc};
use crate::mir::{MachineEnv, PReg, PRegSet, RegClass};

/// The source of a move.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// The value in a location.
    Loc(Loc),
    /// The value of a definition that is repeated: index into `remats` of the function.
    Remat(u32),
}

/// One of several moves that happen at once. Their targets differ.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// The source.
    pub from: Source,
    /// The destination.
    pub to: Loc,
    /// Class of the value.
    pub class: RegClass,
}

/// The locations that may be used in addition to the moves' own.
pub trait Spare {
    /// Returns a register of the class that holds nothing at this point, not one of `except`.
    fn register(&mut self, class: RegClass, except: PRegSet) -> Option<PReg>;
    /// Returns a slot of the class that holds nothing at any such point.
    fn slot(&mut self, class: RegClass) -> u32;
    /// Returns a register of the class, which may hold a value: it is saved in the slot and loaded again.
    fn scratch(&self, class: RegClass) -> PReg;
}

/// The spare locations during an allocator's walk over a function.
pub(crate) struct SpareLocations<'a> {
    pub env: &'static MachineEnv,
    /// The registers that hold nothing.
    pub usable: PRegSet,
    pub dice: &'a mut Option<Dice>,
    pub slots: &'a mut SpillSlots,
}

impl Spare for SpareLocations<'_> {
    fn register(&mut self, class: RegClass, except: PRegSet) -> Option<PReg> {
        if self.dice.as_mut().is_some_and(Dice::departs) {
            return None;
        }
        self.usable.and(PRegSet::class(class)).minus(except).iter().next()
    }
    fn slot(&mut self, class: RegClass) -> u32 {
        self.slots.spare(self.env.slot_size(class))
    }
    fn scratch(&self, class: RegClass) -> PReg {
        self.env.scratch[class as usize]
    }
}

/// Scratch memory of the resolver.
#[derive(Default, Debug)]
pub(crate) struct Resolver {
    /// For each location the move that writes it, plus one, or 0. Also the number of pending moves that read it.
    locations: Vec<(u32, u32)>,
    ready: Vec<u32>,
    done: Vec<bool>,
    cycle: Vec<u32>,
    /// The random order under stress.
    pub dice: Option<Dice>,
    shuffled: Vec<Move>,
}

impl Resolver {
    /// Passes the edits that do these moves to `emit`, in order.
    pub fn resolve(&mut self, moves: &[Move], spare: &mut impl Spare, mut emit: impl FnMut(Edit)) {
        if let [Move { from: Source::Loc(from), to, class }] = *moves
            && (from.as_reg().is_some() || to.as_reg().is_some())
        {
            if from != to {
                emit(Edit::Move { from, to, class });
            }
            return;
        }
        if let Some(dice) = &mut self.dice {
            self.shuffled.clear();
            self.shuffled.extend_from_slice(moves);
            dice.shuffle(&mut self.shuffled);
            let shuffled = std::mem::take(&mut self.shuffled);
            self.in_order(&shuffled, spare, emit);
            self.shuffled = shuffled;
        } else {
            self.in_order(moves, spare, emit);
        }
    }

    /// Does the moves; ties between possible next moves are broken by their order in the list.
    fn in_order(&mut self, moves: &[Move], spare: &mut impl Spare, mut emit: impl FnMut(Edit)) {
        let mut touched = PRegSet::EMPTY;
        for m in moves {
            for loc in [Some(m.to), m.source()].into_iter().flatten() {
                touched = loc.as_reg().map_or(touched, |r| touched.with(r));
            }
        }
        let mut out = Out { spare, touched, emit: &mut emit };
        self.enter(moves);
        self.trees(moves, &mut out);
        self.cycles(moves, &mut out);
        for m in moves {
            if let Source::Remat(k) = m.from {
                out.remat(k, m);
            }
            self.locations[m.to.index()] = (0, 0);
            if let Some(from) = m.source() {
                self.locations[from.index()] = (0, 0);
            }
        }
    }

    /// Fills the tables.
    fn enter(&mut self, moves: &[Move]) {
        self.done.clear();
        let top = moves.iter().flat_map(|m| [Some(m.to), m.source()]).flatten().map(Loc::index).max().unwrap_or(0);
        if self.locations.len() <= top {
            self.locations.resize(top + 1, (0, 0));
        }
        for (k, m) in moves.iter().enumerate() {
            let moved = m.source().is_some_and(|from| from != m.to);
            self.done.push(!moved);
            if let Some(from) = m.source()
                && moved
            {
                debug_assert_eq!(self.locations[m.to.index()].0, 0, "two moves to {:?}", m.to);
                self.locations[m.to.index()].0 = k as u32 + 1;
                self.locations[from.index()].1 += 1;
            }
        }
    }

    /// Does every move whose target is not read any more.
    fn trees<S: Spare, E: FnMut(Edit)>(&mut self, moves: &[Move], out: &mut Out<S, E>) {
        for (first, done) in self.done.iter().enumerate() {
            if !done && self.locations[moves[first].to.index()].1 == 0 {
                self.ready.push(first as u32);
            }
        }
        self.ready.reverse();
        while let Some(k) = self.ready.pop() {
            let m = &moves[k as usize];
            self.done[k as usize] = true;
            if let Some(from) = m.source() {
                out.mov(from, m.to, m.class);
                let entry = &mut self.locations[from.index()];
                entry.1 -= 1;
                if entry.1 == 0 && entry.0 != 0 {
                    self.ready.push(entry.0 - 1);
                }
            }
        }
    }

    /// Does the remaining moves: each location is read by one move and written by one.
    fn cycles<S: Spare, E: FnMut(Edit)>(&mut self, moves: &[Move], out: &mut Out<S, E>) {
        for first in 0..moves.len() {
            if self.done[first] {
                continue;
            }
            // Moves of the cycle; each writes the location that the one before reads.
            self.cycle.clear();
            let mut k = first as u32;
            while !self.done[k as usize] {
                self.done[k as usize] = true;
                self.cycle.push(k);
                k = moves[k as usize].source().map_or(k, |from| self.locations[from.index()].0 - 1);
            }
            let general = |k: &u32| {
                let m = &moves[*k as usize];
                m.class == RegClass::Int && m.to.as_reg().is_some()
            };
            let exchanged = !self.dice.as_mut().is_some_and(Dice::departs);
            if exchanged && self.cycle.iter().all(general) {
                let regs: Cycle = self.cycle.iter().filter_map(|k| moves[*k as usize].to.as_reg()).collect();
                // The first target gets the value of the second, and so on.
                for pair in regs.windows(2) {
                    (out.emit)(Edit::Exchange(pair[0], pair[1]));
                }
                continue;
            }
            // The last move of the list reads the first target, which is written first.
            let (head, last) = (&moves[first], &moves[self.cycle[self.cycle.len() - 1] as usize]);
            let temp = match out.spare.register(last.class, out.touched) {
                Some(r) => Loc::reg(r),
                None => Loc::slot(out.spare.slot(last.class)),
            };
            let touched = out.touched;
            out.touched = temp.as_reg().map_or(touched, |r| touched.with(r));
            out.mov(head.to, temp, last.class);
            for k in &self.cycle[..self.cycle.len() - 1] {
                let m = &moves[*k as usize];
                if let Some(from) = m.source() {
                    out.mov(from, m.to, m.class);
                }
            }
            out.mov(temp, last.to, last.class);
            out.touched = touched;
        }
    }
}

/// The moves of one point, while they are collected.
#[derive(Default, Debug)]
pub(crate) struct MoveGroup {
    pub moves: Vec<Move>,
    pub resolver: Resolver,
}

impl MoveGroup {
    /// Adds a move, if the locations differ.
    pub fn push(&mut self, from: Source, to: Loc, class: RegClass) {
        if from != Source::Loc(to) {
            self.moves.push(Move { from, to, class });
        }
    }
    /// Emits the moves at a point, and begins a new group. A spare register must be usable, and either in `used`
    /// already or caller-saved, so that nothing has to be saved for it.
    pub fn resolve(&mut self, point: u32, mut spare: SpareLocations, edits: &mut Vec<(u32, Edit)>, used: &mut PRegSet) {
        if self.moves.is_empty() {
            return;
        }
        spare.usable = spare.usable.and(used.or(spare.env.caller_saved()));
        self.resolver.resolve(&self.moves, &mut spare, |edit| {
            *used = used.or(edit.written());
            edits.push((point, edit));
        });
        self.moves.clear();
    }
}

/// The registers of a cycle of moves.
type Cycle = smallvec::SmallVec<[PReg; 16]>;

impl Move {
    fn source(&self) -> Option<Loc> {
        match self.from {
            Source::Loc(from) => Some(from),
            Source::Remat(_) => None,
        }
    }
}

/// The destination of edits, and the locations that may be used for them.
struct Out<'a, S, E> {
    spare: &'a mut S,
    /// Registers of the moves.
    touched: PRegSet,
    emit: &'a mut E,
}

impl<S: Spare, E: FnMut(Edit)> Out<'_, S, E> {
    fn mov(&mut self, from: Loc, to: Loc, class: RegClass) {
        if from.as_slot().is_some()
            && to.as_slot().is_some()
            && let Some(r) = self.spare.register(class, self.touched)
        {
            (self.emit)(Edit::Move { from, to: Loc::reg(r), class });
            (self.emit)(Edit::Move { from: Loc::reg(r), to, class });
        } else {
            (self.emit)(Edit::Move { from, to, class });
        }
    }
    fn remat(&mut self, k: u32, m: &Move) {
        if let Some(r) = m.to.as_reg() {
            return (self.emit)(Edit::Remat(k, r));
        }
        let class = m.class;
        if let Some(r) = self.spare.register(class, self.touched) {
            (self.emit)(Edit::Remat(k, r));
            (self.emit)(Edit::Move { from: Loc::reg(r), to: m.to, class });
            return;
        }
        let r = self.spare.scratch(class);
        let saved = Loc::slot(self.spare.slot(class));
        (self.emit)(Edit::Move { from: Loc::reg(r), to: saved, class });
        (self.emit)(Edit::Remat(k, r));
        (self.emit)(Edit::Move { from: Loc::reg(r), to: m.to, class });
        (self.emit)(Edit::Move { from: saved, to: Loc::reg(r), class });
    }
}
