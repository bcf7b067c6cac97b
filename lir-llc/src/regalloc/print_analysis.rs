//! `lir-llc --print-analysis`: facts about a machine function before allocation, as comments of its text.
//!
//! Instructions are numbered in the function, from 0. A register is live from the instruction that writes it to the
//! last one that reads it: `3..7` is read at 7, and another register may be written there into the same location.
//! Results of phis are written together before the first instruction of their block, so they interfere with one
//! another. The ranges follow from the definition alone, like all facts of the [`checker`](super::checker), so any
//! allocator has to respect them.
//!
//! Internally, an instruction `k` reads at the point `2k` and writes at `2k + 1`, as for [allocators](super).

use super::checker::live::live_in;
use crate::mir::printer::MachineComments;
use crate::mir::{MBlock, MFunction, MInst, MReg, PReg, PRegSet, VReg};
use lir_syntax::named;
use lir_syntax::text::suggest::find_named;
use std::fmt::Write;
use std::ops::Range;

named! {
    /// A fact that can be printed.
    pub(crate) enum PrintedAnalysis {
        Frequencies "frequencies" "How often each block runs in a call, by the estimate that allocation and layout use."
        Interference "interference" "The registers of its class that each register interferes with."
        Intervals "live-intervals" "The ranges of instructions in which each register is live."
        Liveness "liveness" "The registers that are live at the beginnings and ends of blocks."
    }
}

impl PrintedAnalysis {
    /// Returns the help of the option.
    pub(crate) fn option_help() -> String {
        let names = PrintedAnalysis::ALL.map(PrintedAnalysis::name).join(", ");
        format!("Print the machine IR before register allocation with facts about it: {names}")
    }
    /// Returns the help of the option in more words.
    pub(crate) fn option_long_help() -> String {
        Self::option_help() + "\n\nThey are comments. Several are separated by commas. No code is made."
    }
    /// Returns the analysis with a name.
    ///
    /// # Errors
    /// There is none: a sentence with the nearest names, or all of them.
    pub(crate) fn find(name: &str) -> Result<PrintedAnalysis, String> {
        find_named("analysis", &PrintedAnalysis::ALL, PrintedAnalysis::name, name)
    }
}

/// The facts about a function that were asked for. The others are empty.
pub(crate) struct Facts<'a> {
    f: &'a MFunction,
    printed: &'a [PrintedAnalysis],
    /// By block.
    live_in: Vec<Vec<u32>>,
    live_out: Vec<Vec<u32>>,
    /// By virtual register, ascending, in points.
    ranges: Vec<Vec<Range<u32>>>,
    /// By virtual register, ascending.
    interferes: Vec<Vec<u32>>,
    /// By virtual register: the hardware registers that instructions inside of its ranges take.
    taken: Vec<PRegSet>,
}

impl<'a> Facts<'a> {
    /// Computes the facts. Interference takes time and memory for every pair of registers that interfere.
    pub(crate) fn new(f: &'a MFunction, printed: &'a [PrintedAnalysis]) -> Facts<'a> {
        let is_any = |of: &[PrintedAnalysis]| of.iter().any(|analysis| printed.contains(analysis));
        let mut facts = Facts {
            f,
            printed,
            live_in: Vec::new(),
            live_out: Vec::new(),
            ranges: Vec::new(),
            interferes: Vec::new(),
            taken: Vec::new(),
        };
        if is_any(&[PrintedAnalysis::Liveness, PrintedAnalysis::Intervals, PrintedAnalysis::Interference]) {
            facts.live_in = live_in(f);
            facts.live_out = live_out(f, &facts.live_in);
        }
        if is_any(&[PrintedAnalysis::Intervals, PrintedAnalysis::Interference]) {
            facts.ranges = ranges(f, &facts.live_in, &facts.live_out);
        }
        if is_any(&[PrintedAnalysis::Interference]) {
            facts.interferes = interferences(f, &facts.ranges);
            facts.taken = taken(f, &facts.ranges);
        }
        facts
    }
    fn prints(&self, analysis: PrintedAnalysis) -> bool {
        self.printed.contains(&analysis)
    }
    fn say_register(&self, v: VReg, at: u32, say: &mut dyn FnMut(&str)) {
        let k = v.index();
        if self.prints(PrintedAnalysis::Intervals) {
            let shown = |r: &Range<u32>| format!("{}..{}", r.start / 2, r.end / 2);
            let ranges: Vec<String> = self.ranges[k].iter().map(shown).collect();
            say(&format!("{at}: {v:?} is live in {}", ranges.join(", ")));
        }
        if self.prints(PrintedAnalysis::Interference) {
            let mut text = match &self.interferes[k][..] {
                [] => format!("{v:?} interferes with no register"),
                others => format!("{v:?} interferes with {}", names(others)),
            };
            let taken: Vec<&str> = self.taken[k].iter().map(|r| self.f.env.register_names[r.index()]).collect();
            if !taken.is_empty() {
                let _ = write!(text, ", and with instructions that take {}", taken.join(", "));
            }
            say(&text);
        }
    }
}

impl MachineComments for Facts<'_> {
    fn of_block(&self, b: MBlock, say: &mut dyn FnMut(&str)) {
        let data = &self.f.blocks[b.index()];
        if self.prints(PrintedAnalysis::Frequencies) {
            let entry = f64::from(self.f.blocks[0].frequency);
            let cold = if data.cold { ", cold" } else { "" };
            say(&format!("runs {:.2} times{cold}", f64::from(data.frequency) / entry));
        }
        if self.prints(PrintedAnalysis::Liveness) {
            for (at, registers) in [("in", &self.live_in[b.index()]), ("out", &self.live_out[b.index()])] {
                if !registers.is_empty() {
                    say(&format!("live {at}: {}", names(registers)));
                }
            }
        }
        self.f.block_phis(b).iter().for_each(|phi| self.say_register(phi.dst, data.start, say));
    }
    fn of_inst(&self, k: u32, say: &mut dyn FnMut(&str)) {
        self.f.written(&self.f.insts[k as usize]).for_each(|v| self.say_register(v, k, say));
    }
}

fn names(registers: &[u32]) -> String {
    let names: Vec<String> = registers.iter().map(|v| format!("{:?}", VReg(*v))).collect();
    names.join(", ")
}

/// For each block the registers that are live out of it, ascending: those live into its successors, and the operands of
/// their phis.
fn live_out(f: &MFunction, live_in: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let of_block = |b: MBlock| {
        let mut live = Vec::new();
        for s in &f.blocks[b.index()].succs {
            live.extend_from_slice(&live_in[s.index()]);
            let number = f.pred_number(b, *s);
            live.extend(f.phi_reads(*s, number).map(|v| v.0));
        }
        live.sort_unstable();
        live.dedup();
        live
    };
    f.block_ids().map(of_block).collect()
}

/// Returns the live ranges of each register in points, joined where one block follows the other in the text.
fn ranges(f: &MFunction, live_in: &[Vec<u32>], live_out: &[Vec<u32>]) -> Vec<Vec<Range<u32>>> {
    const DEAD: u32 = u32::MAX;
    let mut found: Vec<Vec<Range<u32>>> = vec![Vec::new(); f.vregs.len()];
    // Backward: the end of the range that an earlier instruction begins.
    let mut ends = vec![DEAD; f.vregs.len()];
    for b in f.block_ids().rev() {
        let data = &f.blocks[b.index()];
        let mut begin = |v: usize, start: u32, ends: &mut [u32]| {
            let end = std::mem::replace(&mut ends[v], DEAD);
            // A result that is not read occupies its location while it is written.
            let end = if end == DEAD { start + 1 } else { end };
            match found[v].last_mut() {
                Some(next) if next.start <= end => next.start = start,
                _ => found[v].push(start..end),
            }
        };
        live_out[b.index()].iter().for_each(|v| ends[*v as usize] = 2 * data.end);
        for k in (data.start..data.end).rev() {
            let inst = &f.insts[k as usize];
            f.written(inst).for_each(|v| begin(v.index(), 2 * k + 1, &mut ends));
            f.for_each_read(inst, |v| {
                let end = &mut ends[v.index()];
                *end = if *end == DEAD { 2 * k + 1 } else { *end };
            });
        }
        f.block_phis(b).iter().for_each(|phi| begin(phi.dst.index(), 2 * data.start, &mut ends));
        live_in[b.index()].iter().for_each(|v| begin(*v as usize, 2 * data.start, &mut ends));
    }
    found.iter_mut().for_each(|ranges| ranges.reverse());
    found
}

/// Returns, for each register, the registers of its class that are live at the same time, in ascending order.
fn interferences(f: &MFunction, ranges: &[Vec<Range<u32>>]) -> Vec<Vec<u32>> {
    let mut found: Vec<Vec<u32>> = vec![Vec::new(); ranges.len()];
    let mut all: Vec<(u32, u32, u32)> =
        ranges.iter().zip(0..).flat_map(|(of, v)| of.iter().map(move |r| (r.start, r.end, v))).collect();
    all.sort_unstable();
    let mut live: [Vec<(u32, u32)>; 2] = [Vec::new(), Vec::new()];
    for (start, end, v) in all {
        let live = &mut live[f.class(VReg(v)) as usize];
        live.retain(|(end, _)| *end > start);
        for (_, other) in live.iter().filter(|(_, other)| *other != v) {
            found[v as usize].push(*other);
            found[*other as usize].push(v);
        }
        live.push((end, v));
    }
    for others in &mut found {
        others.sort_unstable();
        others.dedup();
    }
    found
}

/// For each register the hardware registers of its class that instructions take inside of its ranges: they write them,
/// or read an operand there. The instruction that writes the register, and the one that reads it last, may take the
/// others. An operand that is only read shares the register that it is read from with the instruction.
fn taken(f: &MFunction, ranges: &[Vec<Range<u32>>]) -> Vec<PRegSet> {
    let taken: Vec<(u32, &MInst)> =
        f.insts.iter().zip(0..).map(|(inst, k)| (2 * k + 1, inst)).filter(|t| !f.clobbers(t.1).is_empty()).collect();
    let of = |(ranges, v): (&Vec<Range<u32>>, u32)| {
        let mut set = PRegSet::EMPTY;
        for range in ranges {
            let inside = taken[taken.partition_point(|t| t.0 <= range.start)..].iter();
            for (_, inst) in inside.take_while(|t| t.0 < range.end) {
                let stays = kept_operand(f, inst) == Some(VReg(v));
                set = set.or(if stays { f.overwrites(inst) } else { f.clobbers(inst) });
            }
        }
        set.and(PRegSet::class(f.class(VReg(v))))
    };
    ranges.iter().zip(0..).map(of).collect()
}

/// Returns the operand that an instruction only reads in a register that it takes.
fn kept_operand(f: &MFunction, inst: &MInst) -> Option<VReg> {
    let fixed = f.fixed(inst);
    let b = if inst.form.uses_b() { MReg::from_bits(inst.b) } else { MReg::NONE };
    let is_kept = |p: Option<PReg>| p.is_some_and(|p| fixed.kept.contains(p));
    [(fixed.a, inst.a), (fixed.b, b)].into_iter().find(|(p, _)| is_kept(*p)).and_then(|(_, r)| r.as_virt())
}
