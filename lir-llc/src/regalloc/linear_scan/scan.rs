//! The scan: gives each interval a register or memory, in the order of their starts.
//!
//! An interval that fits into a register as long as it is live takes the best of these ([`LinearScanScratch::pick`]).
//! If none is free for so long ([`LinearScanScratch::contend`]), there are three choices: a register for a while, and
//! the rest again later; the register of another interval, which is put into memory; memory for itself. Costs are
//! reloads by frequency, over the distance for which the register is won: in straight code that is "whose next use is
//! farthest" (Belady), in loops the values used in the loop stay.

use super::{Dice, Feature, Interval, LinearScanScratch, Loc, NONE, UseKind};
use crate::mir::{Form, MFunction, MInst, MReg, PReg, PRegSet, Props};
use crate::regalloc::live_ranges::SAVE_COST;
use crate::regalloc::live_ranges::occupancy::Occupancy;
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Uses that vote for a register: the first ones, the sources of the value, and the last ones, its destinations. With
/// all uses, long intervals that are cut often would take quadratic time.
const FIRST_VOTES: usize = 3;
const LAST_VOTES: usize = 2;
/// Limit on the computations in place searched for the preference at the end of a value.
const FORESIGHT: usize = 4;
/// Gain of another interval's register over a register for a while. The evicted interval is moved as well.
const EVICTION_GAIN: f32 = 2.0;
/// Penalty of a register that cannot be had to the interval's end. The rest has to be moved again.
const CUT_PENALTY: f32 = 2.0;
/// Gain of computing a constant or an address again over a reload.
const REMAT_GAIN: f32 = 2.0;
/// Further cost of the first spill of a value, in units of weights, for its store.
const STORE_COST: f32 = 6.0;
/// Added to distances, in program points: two instructions, so that among close uses the cheaper one wins and not the
/// nearer one.
const DISTANCE_BIAS: u32 = 8;

/// Scratch memory of the scan.
#[derive(Debug, Default)]
pub(super) struct Scan {
    pub(super) regs: [Occupancy; 32],
    /// Parts that were cut off: (start, interval).
    queue: BinaryHeap<Reverse<(u32, u32)>>,
    /// Registers that intervals were put into.
    pub(super) used: PRegSet,
    /// For each register of the class the positions of its next clobber and of its next promise.
    clobbered: [u32; 32],
    promised: [u32; 32],
}

/// A register and the cost of taking it.
#[derive(Copy, Clone)]
struct Offer {
    reg: PReg,
    /// The position until which it is available.
    until: u32,
    cost: f32,
}

/// Visits all webs.
pub(super) fn run(f: &MFunction, state: &mut LinearScanScratch) {
    state.scan.regs.iter_mut().for_each(Occupancy::reset);
    state.scan.queue.clear();
    state.scan.used = PRegSet::EMPTY;
    for w in 0..state.webs.len() as u32 {
        let web = &mut state.webs[w as usize];
        web.first = w;
        let (lo, hi) = web.ranges;
        state.intervals.push(Interval {
            web: w,
            from: state.ranges[lo as usize].start,
            to: state.ranges[hi as usize - 1].end,
            ranges: web.ranges,
            uses: web.uses,
            next: NONE,
            loc: Loc::NONE,
        });
    }
    let webs = state.webs.len() as u32;
    let mut next = 0;
    loop {
        let cut = state.scan.queue.peek().map(|Reverse((from, _))| *from);
        let index = if next < webs && cut.is_none_or(|from| state.intervals[next as usize].from <= from) {
            next += 1;
            next - 1
        } else if let Some(Reverse((_, index))) = state.scan.queue.pop() {
            index
        } else {
            return;
        };
        state.visit(f, index);
    }
}

impl LinearScanScratch {
    /// Queues an interval to be visited when the scan reaches its start.
    pub(super) fn enqueue(&mut self, index: u32) {
        self.scan.queue.push(Reverse((self.intervals[index as usize].from, index)));
    }

    fn visit(&mut self, f: &MFunction, index: u32) {
        if self.inputs.dice.is_some() && self.disturb(f, index) {
            return;
        }
        if self.shorten(f, index) {
            return;
        }
        let iv = self.intervals[index as usize];
        let class = PRegSet::class(self.webs[iv.web as usize].class).and(self.inputs.allocatable);
        self.clobbers.advance(iv.from);
        let mut lost = PRegSet::EMPTY;
        self.clobbers.for_each_conflict(&iv, &self.ranges, |regs, _| lost = lost.or(regs));
        match self.pick(f, &iv, class.minus(lost)) {
            Some(r) => self.occupy(index, r),
            None => self.contend(f, index, class),
        }
    }

    /// Cuts a piece that was in memory where a register is no longer worth it. Returns whether it has its location: a
    /// piece without reads stays in memory.
    fn shorten(&mut self, f: &MFunction, index: u32) -> bool {
        let iv = self.intervals[index as usize];
        let web = &self.webs[iv.web as usize];
        if web.first == index || !(web.spilled || web.remat != 0) || web.wide {
            return false;
        }
        if self.uses_of(&iv).is_empty() {
            self.spill(f, index, iv.from);
            return true;
        }
        if let Some(end) = self.stretch(f, &iv) {
            let tail = self.cut(index, end);
            let rest = self.intervals[tail as usize];
            match self.uses_of(&rest).first() {
                Some(u) if u.pos < rest.from / 4 * 4 + 4 => self.enqueue(tail),
                _ => self.spill(f, tail, rest.from),
            }
        }
        false
    }

    /// Under stress: cuts an interval or puts it into memory, without need. Returns whether it has its location.
    fn disturb(&mut self, f: &MFunction, index: u32) -> bool {
        let Some(mut dice) = self.inputs.dice else { return false };
        let iv = self.intervals[index as usize];
        let (here, last) = (iv.from / 4 * 4, (iv.to - 1) / 4 * 4);
        let spills = !self.webs[iv.web as usize].wide && dice.spills();
        let cut = if self.webs[iv.web as usize].wide { None } else { dice.cuts(((last - here) / 4) as usize) };
        self.inputs.dice = Some(dice);
        if let Some(k) = cut {
            let tail = self.cut(index, here + 4 * (k as u32 + 1));
            self.enqueue(tail);
        }
        let iv = self.intervals[index as usize];
        if !spills || self.uses_of(&iv).iter().any(|u| u.pos < here + 4 && self.needs_reg(iv.web, u)) {
            return false;
        }
        self.spill(f, index, iv.from);
        true
    }

    fn occupy(&mut self, index: u32, reg: PReg) {
        let iv = &mut self.intervals[index as usize];
        iv.loc = Loc::reg(reg);
        self.webs[iv.web as usize].last_reg = Some(reg);
        self.scan.used = self.scan.used.with(reg);
        self.scan.regs[reg.index()].occupy(index, iv.clipped(&self.ranges));
    }

    /// Returns the best of the registers that are free as long as the interval is live. None if all of these would have
    /// to be saved for the first time, and the interval is not worth that.
    fn pick(&mut self, f: &MFunction, iv: &Interval, among: PRegSet) -> Option<PReg> {
        let fresh = f.env.callee_saved.minus(self.scan.used);
        let affordable = if self.weight(iv.uses) > SAVE_COST { among } else { among.minus(fresh) };
        if let Some(dice) = &mut self.inputs.dice
            && dice.departs()
        {
            let mut order: SmallVec<[PReg; 16]> = affordable.iter().collect();
            dice.shuffle(&mut order);
            return order.into_iter().find(|r| self.scan.regs[r.index()].is_free(iv, &self.ranges));
        }
        if let Some(r) = self.hint(f, iv, affordable, |s, r| s.scan.regs[r.index()].is_free(iv, &s.ranges)) {
            return Some(r);
        }
        let (free, saved) = (affordable.minus(f.env.callee_saved), affordable.and(f.env.callee_saved));
        let mut in_order = free.iter().chain(saved.minus(fresh).iter()).chain(saved.and(fresh).iter());
        in_order.find(|r| self.scan.regs[r.index()].is_free(iv, &self.ranges))
    }

    /// Returns the register among these that would save most moves, if it is available.
    fn hint(
        &mut self,
        f: &MFunction,
        iv: &Interval,
        among: PRegSet,
        can_be_had: impl Fn(&mut LinearScanScratch, PReg) -> bool,
    ) -> Option<PReg> {
        if !self.inputs.options.has(Feature::Hints) {
            return None;
        }
        let mut score = [0u32; 32];
        let mut voted = self.votes(f, iv, &mut score).and(among);
        while !voted.is_empty() {
            let best = voted.iter().max_by_key(|r| (score[r.index()], Reverse(*r)))?;
            if can_be_had(self, best) {
                return Some(best);
            }
            voted = voted.minus(PRegSet::of(&[best]));
        }
        None
    }

    /// Counts for each register the moves that it would save, by frequency. Returns the registers that would save any.
    fn votes(&self, f: &MFunction, iv: &Interval, score: &mut [u32; 32]) -> PRegSet {
        let mut voted = PRegSet::EMPTY;
        let mut vote = |reg: Option<PReg>, weight: u32| {
            if let Some(r) = reg {
                score[r.index()] += weight;
                voted = voted.with(r);
            }
        };
        // With equal votes, it keeps its register.
        vote(self.webs[iv.web as usize].last_reg, self.inputs.freq[self.block_at(iv.from)] + 1);
        let uses = self.uses_of(iv);
        let (first, rest) = uses.split_at(uses.len().min(FIRST_VOTES));
        for u in first.iter().chain(&rest[rest.len().saturating_sub(LAST_VOTES)..]) {
            let weight = self.inputs.freq[self.block_at(u.pos)];
            if u.fixed != 0 {
                vote(Some(PReg::new(u.fixed - 1)), weight);
                continue;
            }
            let inst = &f.insts[(u.pos / 4) as usize];
            let copies = inst.form.is_tied() || inst.form == Form::DA && f.props(inst).has(Props::COPY);
            if !copies {
                continue;
            }
            match u.kind {
                UseKind::Def => {
                    vote(self.last_reg_of(inst.a), weight);
                    if inst.form == Form::DTB && f.props(inst).has(Props::COMMUTATIVE) {
                        vote(self.last_reg_of(MReg::from_bits(inst.b)), weight / 2);
                    }
                }
                UseKind::Reg | UseKind::Slot => {
                    if self.is_source(f, iv.web, inst) && self.ends_at(iv, u.pos) {
                        // Of two commutative operands, the other one yields to the tied one.
                        let tied = self.is_of(iv.web, inst.a);
                        vote(self.wanted_for(f, inst.d), if tied { weight } else { weight / 2 });
                    }
                }
                UseKind::DefAny | UseKind::Any => {}
            }
        }
        voted
    }

    /// True if an instruction may compute its result in the register of a web that it reads: in its tied operand or in
    /// the other one of two commutative operands. The result must not overwrite its other operands, including registers
    /// of an address.
    fn is_source(&self, f: &MFunction, web: u32, inst: &MInst) -> bool {
        let commutes = inst.form == Form::DTB && f.props(inst).has(Props::COMMUTATIVE);
        self.is_of(web, inst.a) || commutes && self.is_of(web, MReg::from_bits(inst.b))
    }
    /// True if a register belongs to a web.
    fn is_of(&self, web: u32, r: MReg) -> bool {
        r.as_virt().is_some_and(|v| self.web_of[v.index()] == web)
    }
    /// True if an interval ends with the instruction that reads it at a position: a value that stays live has to be
    /// copied in any case.
    fn ends_at(&self, iv: &Interval, pos: u32) -> bool {
        let ranges = &self.ranges[iv.ranges.0 as usize..iv.ranges.1 as usize];
        let k = ranges.partition_point(|r| r.end <= pos);
        ranges.get(k).is_none_or(|r| r.end.min(iv.to) <= pos + 2)
    }

    /// Returns the register of a value, or the one that it will need if it is not visited yet: by a fixed operand, or
    /// by a result computed from it in place.
    fn wanted_for(&self, f: &MFunction, mut r: MReg) -> Option<PReg> {
        for _ in 0..FORESIGHT {
            let w = self.web_of[r.as_virt()?.index()];
            let web = self.webs.get(w as usize)?;
            if web.last_reg.is_some() {
                return web.last_reg;
            }
            let uses = &self.uses[web.uses.0 as usize..web.uses.1 as usize];
            let uses = &uses[..uses.len().min(FIRST_VOTES)];
            if let Some(u) = uses.iter().find(|u| u.fixed != 0) {
                return Some(PReg::new(u.fixed - 1));
            }
            let last = uses.last().filter(|u| matches!(u.kind, UseKind::Reg | UseKind::Slot))?;
            let inst = &f.insts[(last.pos / 4) as usize];
            r = Some(inst.d).filter(|_| inst.form.is_tied() && self.is_source(f, w, inst))?;
        }
        None
    }
    fn last_reg_of(&self, r: MReg) -> Option<PReg> {
        self.webs.get(self.web_of[r.as_virt()?.index()] as usize)?.last_reg
    }

    /// Finds a location for an interval that fits into no register as a whole.
    fn contend(&mut self, f: &MFunction, index: u32, class: PRegSet) {
        let iv = self.intervals[index as usize];
        let (taken, whole) = self.survey(&iv, class);
        let here = iv.from / 4 * 4;
        // A register must be available at least up to here, since intervals are cut in gaps before instructions.
        let least = iv.to.min(here + 4);
        let target = self.uses_of(&iv).iter().find(|u| self.needs_reg(iv.web, u)).map(|u| u.pos);
        let required = target.is_some_and(|pos| pos < here + 4);
        let wide = self.webs[iv.web as usize].wide;

        let partial =
            if wide { None } else { self.best_partial(f, class.minus(taken).minus(whole), &iv, least, target) };
        let own = match partial {
            Some(o) => self.eviction_cost(f, index, o.until.min(iv.to - 1)).unwrap_or(f32::INFINITY),
            None if required => f32::INFINITY,
            None => self.eviction_cost(f, index, iv.from).unwrap_or(f32::INFINITY),
        };
        // A register that must be saved for the first time.
        if let Some(r) = whole.iter().next()
            && required
            && partial.is_none()
        {
            return self.occupy(index, r);
        }
        let best = self.best_eviction(f, &iv, taken, least, target, partial);
        // If a register is free for a while, another interval is evicted only for a clear gain.
        let limit = if partial.is_some() { own / EVICTION_GAIN } else { own };
        match (partial, best) {
            (_, Some(b)) if b.cost < limit => {
                if let Some(holder) = self.scan.regs[b.reg.index()].now {
                    self.evict(f, holder, iv.from);
                }
                self.occupy_while_free(f, index, b.reg, least);
            }
            (Some(p), _) => self.occupy_while_free(f, index, p.reg, least),
            (None, _) if required => {
                // The register is promised to another interval before the end of this very instruction.
                let free = class.minus(taken).iter().find(|r| self.scan.clobbered[r.index()] >= least);
                match free {
                    Some(r) => self.occupy_while_free(f, index, r, least),
                    None => self.spill(f, index, iv.from),
                }
            }
            (None, _) => self.spill(f, index, iv.from),
        }
    }

    /// Returns the cheapest eviction that gives the interval a register for long enough. That must be longer than
    /// `partial`. `target` is the next use that needs a register.
    fn best_eviction(
        &mut self,
        f: &MFunction,
        iv: &Interval,
        taken: PRegSet,
        least: u32,
        target: Option<u32>,
        partial: Option<Offer>,
    ) -> Option<Offer> {
        let required = target.is_some_and(|pos| pos < iv.from / 4 * 4 + 4);
        let mut best: Option<Offer> = None;
        for r in taken.iter() {
            let until = self.had_until(f, iv, r);
            let Some(holder) = self.scan.regs[r.index()].now else { continue };
            // A promise can be broken, a clobber not. Otherwise the time has to be long enough to be of use.
            if !required && until < iv.to && until / 4 * 4 <= target.unwrap_or(iv.from) {
                continue;
            }
            if self.scan.clobbered[r.index()] < least || partial.is_some_and(|p| until <= p.until) {
                continue;
            }
            if let Some(cost) = self.eviction_cost(f, holder, iv.from) {
                let cost = if until < iv.to { cost * CUT_PENALTY } else { cost };
                let cost = if self.inputs.dice.as_mut().is_some_and(Dice::departs) { cost / 100.0 } else { cost };
                if best.is_none_or(|b| cost < b.cost) {
                    best = Some(Offer { reg: r, until, cost });
                }
            }
        }
        best
    }

    /// Finds for each register of the class the position until which it can be had. Returns the occupied registers, and
    /// the registers that are free as long as the interval is live.
    fn survey(&mut self, iv: &Interval, class: PRegSet) -> (PRegSet, PRegSet) {
        let (mut taken, mut whole) = (PRegSet::EMPTY, class);
        self.scan.clobbered = [u32::MAX; 32];
        let clobbered = &mut self.scan.clobbered;
        self.clobbers.for_each_conflict(iv, &self.ranges, |regs, pos| {
            whole = whole.minus(regs);
            for r in regs.and(class).iter() {
                clobbered[r.index()] = clobbered[r.index()].min(pos);
            }
        });
        for r in class.iter() {
            let occupancy = &mut self.scan.regs[r.index()];
            occupancy.advance(iv.from);
            let promise = occupancy.first_promise(iv.clipped(&self.ranges), iv.to);
            self.scan.promised[r.index()] = match promise {
                // The occupant's own later ranges do not matter once it has lost the register.
                Some((_, owner)) if occupancy.now == Some(owner) => u32::MAX,
                Some((pos, _)) => pos,
                None => u32::MAX,
            };
            if occupancy.now.is_some() {
                taken = taken.with(r);
            }
            if occupancy.now.is_some() || promise.is_some() {
                whole = whole.minus(PRegSet::of(&[r]));
            }
        }
        (taken, whole)
    }

    /// Returns the position until which an interval can have a register, at most its end. If it were cut within a loop
    /// throughout which it is live, it would be moved in every iteration: then the position is before the loop, and
    /// before the surrounding loops throughout which it is live.
    fn had_until(&self, f: &MFunction, iv: &Interval, r: PReg) -> u32 {
        let until = self.scan.clobbered[r.index()].min(self.scan.promised[r.index()]).min(iv.to);
        let around = if until < iv.to { self.loop_around(f, iv, until) } else { None };
        around.map_or(until, |(start, _)| self.best_gap(f, iv.from.next_multiple_of(4), start))
    }

    /// Returns the unoccupied register that is available longest, if that is of use.
    fn best_partial(
        &mut self,
        f: &MFunction,
        free: PRegSet,
        iv: &Interval,
        least: u32,
        target: Option<u32>,
    ) -> Option<Offer> {
        let target = target.or_else(|| self.uses_of(iv).iter().map(|u| u.pos).find(|pos| *pos > iv.from + 3))?;
        let (mut longest, mut best) = (0, PRegSet::EMPTY);
        for r in free.iter() {
            let until = self.had_until(f, iv, r);
            if until < least || until / 4 * 4 <= target || until < longest {
                continue;
            }
            best = if until > longest { PRegSet::of(&[r]) } else { best.with(r) };
            longest = until;
        }
        let reg = self.hint(f, iv, best, |_, _| true).or_else(|| best.iter().next())?;
        let until = &mut self.scan.clobbered[reg.index()];
        *until = longest.min(*until);
        Some(Offer { reg, until: longest, cost: 0.0 })
    }

    /// Returns the cost of having an interval in memory from `pos` on. It is divided by the time for which that frees
    /// its register. None if the instruction at `pos` needs it in a register.
    fn eviction_cost(&self, f: &MFunction, index: u32, pos: u32) -> Option<f32> {
        let iv = &self.intervals[index as usize];
        let web = &self.webs[iv.web as usize];
        if web.wide {
            return None;
        }
        let here = pos / 4 * 4;
        let uses = self.uses_of(iv);
        let k = uses.partition_point(|u| u.pos < here);
        let (before, after) = uses.split_at(k);
        if after.iter().take_while(|u| u.pos < here + 4).any(|u| self.needs_reg(iv.web, u)) {
            return None;
        }
        let next = after.first();
        let (reload, distance) = match next {
            Some(u) => {
                let weight = self.least_weight(f, pos, u.pos);
                let weight = if u.kind == UseKind::Reg { weight } else { weight / 2 };
                (weight, u.pos.saturating_sub(pos))
            }
            None => (1, iv.to.saturating_sub(pos)),
        };
        // In a loop a value that was used before will be used again.
        let again = before.last().map_or(0, |u| match self.least_depth(f, u.pos, pos) {
            0 => 0,
            _ => self.least_weight(f, pos, u.pos),
        });
        let mut cost = reload.max(again) as f32;
        let mut distance = distance + DISTANCE_BIAS;
        // For a value that is live throughout a loop the average counts, not the use that happens to be next in the
        // layout.
        if let Some((start, end)) = self.loop_around(f, iv, pos) {
            let (lo, hi) = (uses.partition_point(|u| u.pos < start), uses.partition_point(|u| u.pos < end));
            let weight = self.weight((iv.uses.0 + lo as u32, iv.uses.0 + hi as u32));
            if weight > 0 {
                (cost, distance) = (weight as f32, end - start);
            }
        }
        if web.remat != 0 {
            cost /= REMAT_GAIN;
        } else if !web.spilled {
            cost += STORE_COST;
        }
        Some(cost / distance as f32)
    }

    /// Gives an interval a register without an occupant. Cuts it where the register is taken.
    fn occupy_while_free(&mut self, f: &MFunction, index: u32, reg: PReg, least: u32) {
        let iv = self.intervals[index as usize];
        let mut until = self.scan.clobbered[reg.index()];
        let wide = self.webs[iv.web as usize].wide;
        while let Some((pos, owner)) = self.scan.regs[reg.index()].first_promise(iv.clipped(&self.ranges), iv.to) {
            if pos >= least && !wide {
                until = until.min(pos);
                break;
            }
            self.break_promise(owner, pos);
        }
        if until < iv.to {
            let hi = until / 4 * 4;
            let uses = self.uses_of(&iv);
            let k = uses.partition_point(|u| u.pos < hi);
            let lo = uses[..k].last().map_or(iv.from, |u| u.pos) / 4 * 4 + 4;
            let gap = if lo < hi { self.best_gap(f, lo, hi) } else { hi };
            let tail = self.cut(index, gap);
            self.enqueue(tail);
        }
        self.occupy(index, reg);
    }
}
