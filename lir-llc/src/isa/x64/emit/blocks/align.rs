//! Alignment of functions and loops.
//!
//! A processor takes decoded instructions from its cache, and bytes from memory, by lines: a loop of a few instructions
//! that lies across two lines costs a second fetch in every iteration. So an innermost loop of at most [`LINE`] bytes
//! is moved to the next line where it would lie in two, by no-operations before it, and a function with such a loop
//! begins at a line, so that this can be known while the function is emitted (A. Fog, Optimizing subroutines in
//! assembly language, 2023, section 11.5; AMD, Software Optimization Guide for the AMD Zen4 Microarchitecture, 2023, on
//! instruction fetch and the op cache).
//!
//! Departure: usually the top of every loop is aligned to 16 bytes. That was 3 % slower on the kernels than no
//! alignment, as the padding between nested loops is executed and most loops lie no better for it. The rule here is 2 %
//! faster than no alignment (an AMD EPYC, geometric mean, the least of six runs each: `heapsort` 0.88, `sha256` 0.91,
//! `hashmap` 0.94, the others within 1.5 %), Lua 3 %, for 2 to 2.5 % more bytes in Lua, SQLite and zstd.

use crate::isa::x64::emit::blocks::Blocks;
use crate::isa::x64::emit::buffer::LINE;
use crate::isa::x64::op;
use crate::mir::{MBlock, MFunction};

/// Returns the block after the innermost loop that begins at the emitted block number `k`. The block is the number of
/// the function's blocks if the code ends there. `None` if no loop begins that is innermost, in one piece, short, and
/// without calls, which cost much more than a fetch. `depth` is the loop depth of the block before. All calls for a
/// function look at each of its blocks and instructions once at most.
pub(in crate::isa::x64::emit) fn loop_end(f: &MFunction, blocks: &Blocks, k: usize, depth: u32) -> Option<MBlock> {
    let data = |k: usize| &f.blocks[blocks.emitted(k).0.index()];
    let here = data(k);
    if here.loop_depth <= depth || here.cold {
        return None;
    }
    let next = (k + 1..blocks.count()).find(|n| data(*n).loop_depth != here.loop_depth).unwrap_or(blocks.count());
    let mut body = (k..next).flat_map(|n| data(n).start..data(n).end);
    // Every instruction takes at least a byte, except dropped copies.
    if body.clone().nth(2 * LINE as usize).is_some() || body.any(|i| f.insts[i as usize].op == op::Call) {
        return None;
    }
    if next == blocks.count() {
        return Some(MBlock(f.blocks.len() as u32));
    }
    (data(next).loop_depth < here.loop_depth).then(|| blocks.emitted(next).0)
}
