//! Finds the values that are live across blocks, and where they are live. For the others it finds the last use.
//!
//! 1. One walk over the instructions separates the registers that are used in one block alone, most of them, from the
//!    registers that live across blocks.
//! 2. Only the latter get live ranges, many at a time ([`live_sets`](super::live_sets)), or one by one
//!    ([`segments`](super::segments)) if that is cheaper.

use super::segments::Segments;
use super::values::{Clobber, FLOAT, GLOBAL, Global, LIVE_IN, REMAT, Value, WIDE};
use super::{Inputs, NONE, Range, live_sets};
use crate::mir::{FixedList, Form, MBlock, MFunction, MInst, MReg, PReg, PRegSet, PhiArg, Props, RegClass, VReg};
use crate::regalloc::operands::{Need, Operands};
use crate::regalloc::options::{Dice, Feature};
use lir_opt::regions::Regions;
use lir_opt::tables::live_words::{LiveWords, Segment};

/// Limit on the operands of a phi whose registers are considered.
const FEW: usize = 4;

/// The liveness of all values; kept from function to function for its memory.
#[derive(Default, Debug)]
pub(in crate::regalloc) struct Liveness {
    /// By virtual register.
    pub(in crate::regalloc) values: Vec<Value>,
    /// The values that are live across blocks.
    pub(in crate::regalloc) globals: Vec<Global>,
    /// The ranges of these values.
    pub(in crate::regalloc) ranges: Vec<Range>,
    /// The clobbers in order.
    pub(in crate::regalloc) clobbers: Vec<Clobber>,
    /// All registers that are clobbered anywhere.
    pub(in crate::regalloc) clobbered: PRegSet,
    regions: Regions,
    segments: Segments,
    words: LiveWords<Range>,
}

/// Receives every value that is read or written, in the order of the instructions.
pub(in crate::regalloc) trait Observer {
    /// Instruction `i` reads or writes `v`. Phis write at the first instruction of their block, and read at the last
    /// one of the predecessor.
    fn occurs(&mut self, v: VReg, i: u32);
}

impl Observer for () {
    #[inline]
    fn occurs(&mut self, _: VReg, _: u32) {}
}

/// The walk over all instructions, in order.
struct ValueRecorder<'a, O> {
    f: &'a MFunction,
    values: &'a mut [Value],
    globals: &'a mut Vec<Global>,
    segments: &'a mut Vec<Segment>,
    clobbers: &'a mut Vec<Clobber>,
    clobbered: PRegSet,
    observer: &'a mut O,
}

/// The block that is walked.
#[derive(Copy, Clone)]
struct CurrentBlock {
    block: u32,
    start: u32,
    freq: u32,
}

impl Liveness {
    /// Finds everything. Only values that live across blocks have ranges.
    pub(in crate::regalloc) fn find(&mut self, f: &MFunction, inputs: &mut Inputs, observer: &mut impl Observer) {
        self.record(f, inputs, observer);
        if !self.globals.is_empty() {
            self.find_ranges(f, inputs);
        }
    }
    /// Begins a function: fills in the facts about each value by itself, and finds nothing else.
    pub(in crate::regalloc) fn reset(&mut self, f: &MFunction, inputs: &Inputs) {
        self.ranges.clear();
        self.values.clear();
        let repeats = inputs.options.has(Feature::Remat);
        self.values.extend(f.vregs.iter().map(|data| {
            let remat = if repeats && data.is_repeatable() { REMAT } else { 0 };
            let float = if data.class == RegClass::Float { FLOAT } else { 0 };
            Value { flags: remat | float, ..Value::NEW }
        }));
        self.globals.clear();
        self.clobbers.clear();
        self.clobbered = PRegSet::EMPTY;
    }
    /// Step 1: fills `values`, `globals` and `clobbers`.
    fn record(&mut self, f: &MFunction, inputs: &Inputs, observer: &mut impl Observer) {
        self.reset(f, inputs);
        self.segments.segments.clear();
        if !f.phis.is_empty() {
            self.segments.number_edges(f);
        }
        let mut recorder = ValueRecorder {
            f,
            values: &mut self.values,
            globals: &mut self.globals,
            segments: &mut self.segments.segments,
            clobbers: &mut self.clobbers,
            clobbered: PRegSet::EMPTY,
            observer,
        };
        for b in f.block_ids() {
            recorder.block(b, inputs.freq[b.index()], &self.segments.pred_number);
        }
        self.clobbered = recorder.clobbered;
    }
    /// Step 2.
    fn find_ranges(&mut self, f: &MFunction, inputs: &mut Inputs) {
        let Liveness { globals, values, words, segments, regions, ranges, .. } = self;
        // Under stress the method is chosen at random.
        let one_by_one = inputs.dice.as_mut().is_some_and(Dice::departs);
        let done =
            if one_by_one { 0 } else { live_sets::find(words, f, &segments.segments, (globals, values), ranges) };
        if done < globals.len() {
            regions.recompute(f);
            segments.forget_blocks(f, &mut inputs.dice);
        }
        for (g, global) in globals.iter_mut().enumerate().skip(done) {
            let last = segments.segments.len() as u32;
            segments.segments.push(values[global.vreg as usize].segment());
            global.ranges = segments.ranges_of(f, regions, ranges, g as u32, last);
        }
        for global in globals {
            values[global.vreg as usize].last = u32::MAX;
        }
    }
}

impl<O: Observer> ValueRecorder<'_, O> {
    fn block(&mut self, b: MBlock, freq: u32, pred_number: &[u32]) {
        let data = &self.f.blocks[b.index()];
        let here = CurrentBlock { block: b.0, start: 4 * data.start, freq };
        for p in data.phis.clone() {
            let phi = &self.f.phis[p as usize];
            self.define(here, phi.dst, data.start, here.start, None);
            let g = self.global(phi.dst);
            self.globals[g].phi = (phi.args, data.preds.len().min(FEW) as u32);
        }
        for i in data.start..data.end {
            self.inst(here, i, &self.f.insts[i as usize]);
        }
        for s in &data.succs {
            for phi in self.f.block_phis(*s) {
                if let PhiArg::Reg(v) = self.f.phi_arg(phi, pred_number[b.index()] as usize) {
                    self.read(here, v, data.end - 1, 4 * data.end, None);
                    let g = self.global(v);
                    self.globals[g].feeds = phi.dst.0;
                }
            }
        }
    }
    #[inline]
    fn inst(&mut self, here: CurrentBlock, i: u32, inst: &MInst) {
        let shape = self.f.shape(inst);
        if shape.is_special() {
            return self.special(here, i, inst);
        }
        let late = shape.has_late() && inst.d != inst.a;
        let fields = [inst.a, MReg::from_bits(inst.b), inst.x];
        for k in 0..3 {
            if shape.reads() >> k & 1 != 0
                && let Some(v) = fields[k as usize].as_virt()
            {
                self.read(here, v, i, 4 * i + 2 + u32::from(late && shape.is_late(k)), None);
            }
        }
        if shape.defines()
            && let Some(v) = inst.d.as_virt()
        {
            self.define(here, v, i, 4 * i + 2, None);
            self.describe(v, inst);
        }
    }
    /// Notes further facts about a result.
    #[inline]
    fn describe(&mut self, v: VReg, inst: &MInst) {
        let x = &mut self.values[v.index()];
        let in_place = inst.form.is_tied() || inst.form == Form::DA && self.f.props(inst).has(Props::COPY);
        if in_place && let Some(a) = inst.a.as_virt() {
            x.from = a.0;
        }
        if self.f.exceeds_slot(inst) {
            x.flags |= WIDE;
        }
    }
    /// Records an instruction with fixed operands or clobbers.
    fn special(&mut self, here: CurrentBlock, i: u32, inst: &MInst) {
        let ops = Operands::of(self.f, inst);
        let at = 4 * i;
        for u in ops.uses() {
            match u.need {
                Need::Fixed(p) => self.read(here, u.vreg, i, at + 1, Some(p)),
                Need::Reg | Need::RegOrSlot => self.read(here, u.vreg, i, at + 2 + u32::from(u.late), None),
            }
        }
        if let Some(record) = self.f.record(inst) {
            self.record(here, i, record, &ops);
        } else {
            self.clobber(ops.clobbers, at + 1, at + 3);
        }
        if let Some((v, fixed)) = ops.def {
            self.define(here, v, i, if fixed.is_some() { at + 3 } else { at + 2 }, fixed);
            self.describe(v, inst);
        }
    }
    fn record(&mut self, here: CurrentBlock, i: u32, record: &FixedList, ops: &Operands) {
        let at = 4 * i;
        let virt = |(r, p): &(MReg, PReg)| r.as_virt().map(|v| (v, *p));
        for (v, p) in record.uses.iter().filter_map(virt) {
            self.read(here, v, i, at + 1, Some(p));
        }
        for (v, p) in record.defs.iter().filter_map(virt) {
            self.define(here, v, i, at + 3, Some(p));
        }
        if !ops.uses().is_empty() {
            self.clobber(ops.early_clobbers, at + 1, at + 2);
        }
        self.clobber(ops.clobbers, at + 2, at + 3);
    }
    fn clobber(&mut self, regs: PRegSet, start: u32, end: u32) {
        if !regs.is_empty() {
            self.clobbers.push(Clobber { start, end, regs });
            self.clobbered = self.clobbered.or(regs);
        }
    }
    #[inline]
    fn read(&mut self, here: CurrentBlock, v: VReg, i: u32, end: u32, fixed: Option<PReg>) {
        self.observer.occurs(v, i);
        if self.values[v.index()].block != here.block {
            self.arrive(here, v, here.start, true);
        }
        let x = &mut self.values[v.index()];
        x.end = x.end.max(end);
        x.last = i;
        x.weight = x.weight.saturating_add(here.freq);
        if let Some(p) = fixed {
            x.hint = p.index() as u8 + 1;
        }
    }
    #[inline]
    fn define(&mut self, here: CurrentBlock, v: VReg, i: u32, pos: u32, fixed: Option<PReg>) {
        self.observer.occurs(v, i);
        if self.values[v.index()].block != here.block {
            self.arrive(here, v, pos, false);
        }
        let x = &mut self.values[v.index()];
        x.end = x.end.max(pos + 1);
        x.last = i;
        x.weight = x.weight.saturating_add(here.freq);
        if let Some(p) = fixed.filter(|_| x.hint == 0) {
            x.hint = p.index() as u8 + 1;
        }
    }
    /// Begins the segment of a value in a block new to it.
    fn arrive(&mut self, here: CurrentBlock, v: VReg, start: u32, live_in: bool) {
        if self.values[v.index()].block != NONE || live_in {
            self.global(v);
            self.put_away(v);
        }
        let x = &mut self.values[v.index()];
        (x.block, x.start, x.end) = (here.block, start, start);
        if live_in {
            x.flags |= LIVE_IN;
        }
    }
    /// Appends a value's last segment to its others. It is in the block that the value was seen in last.
    fn put_away(&mut self, v: VReg) {
        let x = &mut self.values[v.index()];
        if x.block != NONE {
            self.segments.push(x.segment());
            x.chain = self.segments.len() as u32 - 1;
            x.flags &= !LIVE_IN;
        }
    }
    /// Makes a value one that is live across blocks. Returns its number.
    fn global(&mut self, v: VReg) -> usize {
        let x = &mut self.values[v.index()];
        if !x.is(GLOBAL) {
            x.flags |= GLOBAL;
            x.number = self.globals.len() as u32;
            self.globals.push(Global { vreg: v.0, ranges: (0, 0), phi: (0, 0), feeds: NONE });
        }
        x.number as usize
    }
}
