//! Counts the work of the stages of code generation by what they leave behind.
//!
//! "moves added" are the moves that the allocator inserts. Emission inserts more of them for two-address instructions;
//! `--compare-regalloc` counts all moves in the code.

use crate::isa::x64::emit::{CodeBuffer, EmitScratch, FunctionCode};
use crate::mir::MFunction;
use crate::regalloc::{Allocation, Edit};
use lir_opt::pass::stats::Stats;

/// Adds the counters of a function.
pub(crate) fn function(f: &MFunction, a: &Allocation, code: &FunctionCode, emit: &EmitScratch, stats: &mut Stats) {
    for (rewrite, times) in emit.peepholes() {
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

/// Adds the counters that functions share.
pub(crate) fn module(code: &CodeBuffer, stats: &mut Stats) {
    stats.add_for("encoding", "relocations", code.relocs.len() as u64);
    stats.add_for("encoding", "jump tables", code.tables.len() as u64);
    stats.add_for("encoding", "constants", code.consts.constants().len() as u64);
}
