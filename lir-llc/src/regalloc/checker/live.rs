//! The registers that are live into each block. The checker forgets the others at edges.
//!
//! The computation is sparse: each register is followed backward from the blocks that read it before they write it,
//! through their predecessors, up to the blocks that write it. Like all facts of the checker, the sets are computed
//! from the instructions.

use crate::mir::{MFunction, VReg};

const NONE: u32 = u32::MAX;

/// Returns, for each block, the registers that are live into it, in ascending order. The results of the block's own
/// phis are not among them.
pub(in crate::regalloc) fn live_in(f: &MFunction) -> Vec<Vec<u32>> {
    let (reads, writes) = (events(f, Side::Reads), events(f, Side::Writes));
    let blocks = f.blocks.len();
    let (mut live, mut written_by, mut reached_by) = (vec![Vec::new(); blocks], vec![NONE; blocks], vec![NONE; blocks]);
    let mut worklist: Vec<u32> = Vec::new();
    let mut next_write = 0;
    for group in reads.chunk_by(|a, b| a.0 == b.0) {
        let v = group[0].0;
        next_write += writes[next_write..].partition_point(|w| w.0 < v);
        for (_, b) in writes[next_write..].iter().take_while(|w| w.0 == v) {
            written_by[*b as usize] = v;
        }
        let mut reach = |b: u32, worklist: &mut Vec<u32>| {
            if std::mem::replace(&mut reached_by[b as usize], v) != v {
                live[b as usize].push(v);
                worklist.push(b);
            }
        };
        group.iter().for_each(|(_, b)| reach(*b, &mut worklist));
        while let Some(b) = worklist.pop() {
            for p in &f.blocks[b as usize].preds {
                if written_by[p.index()] != v {
                    reach(p.0, &mut worklist);
                }
            }
        }
    }
    live
}

#[derive(Copy, Clone, PartialEq)]
enum Side {
    /// Read in a block before it is written there.
    Reads,
    /// Written in a block.
    Writes,
}

/// Returns the pairs (register, block) of one side, in ascending order.
fn events(f: &MFunction, side: Side) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    let mut written_in = vec![NONE; f.vregs.len()];
    for b in f.block_ids() {
        let write = |v: VReg, written_in: &mut [u32], pairs: &mut Vec<_>| {
            if std::mem::replace(&mut written_in[v.index()], b.0) != b.0 && side == Side::Writes {
                pairs.push((v.0, b.0));
            }
        };
        let read = |v: VReg, written_in: &[u32], pairs: &mut Vec<_>| {
            if written_in[v.index()] != b.0 && side == Side::Reads {
                pairs.push((v.0, b.0));
            }
        };
        f.block_phis(b).iter().for_each(|phi| write(phi.dst, &mut written_in, &mut pairs));
        for inst in f.block_insts(b) {
            f.for_each_read(inst, |v| read(v, &written_in, &mut pairs));
            f.written(inst).for_each(|v| write(v, &mut written_in, &mut pairs));
        }
        for s in &f.blocks[b.index()].succs {
            let Ok(k) = f.blocks[s.index()].preds.binary_search(&b) else { continue };
            f.phi_reads(*s, k).for_each(|v| read(v, &written_in, &mut pairs));
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}
