//! Counts the work of the stages of code generation by their results.
//!
//! "moves added" are the moves that the allocator inserts. Emission inserts more of them for two-address instructions;
//! `--compare-regalloc` counts all moves in the code.

use super::machine_after;
use crate::code::CodeBuffer;
use crate::regalloc::Edit;
use crate::stages::MachineState;
use lir_opt::pass::stats::Stats;
use lir_opt::pipeline::watch::{Done, Seen, Step, Watch, own};

/// The counters of the stages.
#[derive(Debug, Default)]
pub struct Counters {
    stats: Stats,
}

impl Counters {
    /// Returns the counters, with those shared by all functions.
    pub fn finish(mut self, code: &CodeBuffer) -> Stats {
        for (what, count) in [
            ("relocations", code.relocs.len()),
            ("jump tables", code.tables.len()),
            ("constants", code.consts.constants().len()),
        ] {
            self.stats.add_for("encoding", what, count as u64);
        }
        self.stats
    }
}

impl Watch for Counters {
    fn after(&mut self, step: &Step<'_>, _: &mut Done<'_>) -> Seen {
        if let Some((_, _, machine)) = machine_after(step, "emit") {
            function(machine, &mut self.stats);
        }
        Ok(())
    }
    fn fork(&self) -> Box<dyn Watch> {
        Box::new(Counters::default())
    }
    fn join(&mut self, part: Box<dyn Watch>) {
        self.stats.merge(&own::<Counters>(part).stats);
    }
    fn sees_idle_steps(&self) -> bool {
        false
    }
}

/// Adds the counters of a function.
fn function(m: &MachineState, stats: &mut Stats) {
    let (f, a, code) = (&m.machine, &m.allocation, &m.emitted);
    for (rewrite, times) in m.emission().peepholes() {
        stats.add_for("peepholes", rewrite, times as u64);
    }
    for (what, count) in [
        ("functions", 1),
        ("blocks", f.blocks.len()),
        ("machine instructions", f.insts.len()),
        ("virtual registers", f.vregs.len()),
    ] {
        stats.add_for("selection", what, count as u64);
    }
    let (mut moves, mut spills, mut reloads, mut exchanges, mut repeated) = (0, 0, 0, 0, 0);
    for (_, edit) in &a.edits {
        match edit {
            Edit::Move { from, to, .. } => {
                reloads += from.as_slot().is_some() as u64;
                spills += to.as_slot().is_some() as u64;
                moves += (from.as_reg().is_some() && to.as_reg().is_some()) as u64;
            }
            Edit::Exchange(..) => exchanges += 1,
            Edit::Remat(..) => repeated += 1,
        }
    }
    let in_slots = a.locs.iter().flatten().filter(|l| l.as_slot().is_some()).count() as u64;
    for (what, count) in [
        ("moves added", moves),
        ("spills", spills),
        ("reloads", reloads),
        ("exchanges", exchanges),
        ("definitions repeated", repeated),
        ("operands in spill slots", in_slots),
        ("spill slots", a.num_slots as u64),
    ] {
        stats.add_for("allocation", what, count);
    }
    stats.add_for("encoding", "bytes of code", code.len as u64);
    stats.add_for("encoding", "bytes of frames", code.frame.size);
    stats.add_for("encoding", "frames after the entry", code.frame.late.into());
}
