//! Adds counters of how often each machine block runs, for [`block_counts`](crate::block_counts).

use crate::mir::{Form, MBase, MFunction, MInst, MReg, Props, Size};
use lir_syntax::ir::Sym;

/// Makes each block of a function count how often it runs. It adds 1 to a word of 8 bytes of `counters`, the first
/// block to the word with number `first`, and so on. The flags are not live where blocks begin.
pub(crate) fn count_blocks(f: &mut MFunction, counters: Sym, first: u32) {
    let mut added = Vec::with_capacity(f.blocks.len());
    for (b, word) in f.block_ids().zip(first..) {
        let params = f.block_insts(b).iter().take_while(|i| f.props(i).has(Props::PARAMS)).count();
        let offset = i32::try_from(8 * i64::from(word)).expect("the counters fit the largest object");
        let count = MInst::new(f.env.add, Form::MI, Size::S64).mem_imm(1);
        let count = count.mem(MBase::Sym(counters), MReg::NONE, 1, offset);
        added.push((f.blocks[b.index()].start + params as u32, count));
    }
    f.insert(&added);
}
