//! Counters of how often each machine block runs, for [`compare`](crate::compare).

use crate::mir::{MBase, MFunction, MInst, MReg};
use crate::target::x64::{Form, Op, Size};
use lir_syntax::ir::{PackedOption, Sym};

/// Makes each block of a function count how often it runs. It adds 1 to a word of 8 bytes of `counters`, the first
/// block to the word with number `first`, and so on. The flags are not live where blocks begin.
pub(crate) fn add_counters(f: &mut MFunction, counters: Sym, first: u32) {
    let total = f.insts.len() + f.blocks.len();
    let insts = std::mem::replace(&mut f.insts, Vec::with_capacity(total));
    let origins = std::mem::replace(&mut f.origins, Vec::with_capacity(total));
    for (b, word) in f.blocks.iter_mut().zip(first..) {
        let range = b.start as usize..b.end as usize;
        b.start = f.insts.len() as u32;
        let at = insts[range.start..range.end].iter().take_while(|i| i.op == Op::Params).count();
        for i in range.start..range.start + at {
            f.insts.push(insts[i]);
            f.origins.push(origins[i]);
        }
        let count = MInst::new(Op::Add, Form::MI, Size::S64).mem_imm(1);
        f.insts.push(count.mem(MBase::Sym(counters), MReg::NONE, 1, 8 * word as i32));
        f.origins.push(PackedOption::NONE);
        f.insts.extend_from_slice(&insts[range.start + at..range.end]);
        f.origins.extend_from_slice(&origins[range.start + at..range.end]);
        b.end = f.insts.len() as u32;
    }
}
