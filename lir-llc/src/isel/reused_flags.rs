//! Flags that arithmetic has made already: comparisons of its results with zero are dropped.
//!
//! # Example
//!
//! ```text
//! %2 = sub.4 %1, 1                %2 = sub.4 %1, 1 (keeps flags)
//! test.4 %2, %2             =>    jcce b1, b2
//! jcce b1, b2
//! ```
//!
//! # Algorithm
//!
//! In each block from the first instruction to the last, with the last instruction that set the flags at hand:
//!
//! 1. `test v, v` of its result, at its size, goes, if what reads the flags asks for no more than it says: equal and sign
//!    after sums, differences, negations and shifts; anything after bitwise operations, which clear carry and overflow
//!    as `test` does.
//! 2. A comparison of registers and immediates that repeats it goes, as it does where one comparison has several users.
//!    So do an operation that was selected for its overflow after the one for its result, and a comparison after the
//!    subtraction.
//!
//! Then the function closes up over what is gone.
//!
//! # Why it is sound
//!
//! Between the two stands no instruction that sets flags or assigns the registers. The allocator's moves and what emission
//! makes of instructions without the property leave flags alone. An operation that is kept for its flags is marked
//! ([`MInst::keep_flags`]), so that it does not become `lea`.
//!
//! # Cost and limits
//!
//! Linear: the readers of some flags stand before the next instruction that sets them.
//!
//! # Source
//!
//! LLVM's `optimizeCompareInstr` (X86InstrInfo.cpp), in one direction: nothing is moved.

use crate::machine::{MFunction, MInst, MReg, VReg};
use crate::x64::{Cond, Form, Op, Props};

/// What the flags say about a result that is not zero in all bits.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Says {
    /// Zero and sign.
    ZeroAndSign,
    /// What `test` says: no carry and no overflow besides.
    AsTest,
    /// Nothing.
    Nothing,
}

/// What an operation that sets flags says about its result by them.
fn says(m: &MInst) -> Says {
    use Op::*;
    match m.op {
        And | Or | Xor | Andn => Says::AsTest,
        Add | Sub | Neg | Blsr | Blsmsk | Blsi => Says::ZeroAndSign,
        // A shift by 0 sets no flags.
        Shl | Shr | Sar if m.form == Form::DTI && m.imm != 0 => Says::ZeroAndSign,
        _ => Says::Nothing,
    }
}

/// Drops comparisons whose flags are there. `removed` is scratch memory.
pub(super) fn reuse_flags(mf: &mut MFunction, removed: &mut Vec<u32>) {
    removed.clear();
    for b in 0..mf.blocks.len() {
        let (start, end) = (mf.blocks[b].start, mf.blocks[b].end);
        let mut last = None;
        for k in start..end {
            let m = mf.insts[k as usize];
            if !m.op.props().has(Props::SETS_FLAGS) {
                if last.is_some_and(|l: u32| assigns_operand(mf, &m, &mf.insts[l as usize])) {
                    last = None;
                }
                continue;
            }
            match last {
                Some(l) if mf.insts[l as usize] == m && is_comparison(&m) => removed.push(k),
                Some(l) if is_for_flags_of(&m, &mf.insts[l as usize]) => {
                    mf.insts[l as usize] = mf.insts[l as usize].keep_flags();
                    removed.push(k);
                }
                Some(l) if has_made(mf, l, &m) && readers(mf, k + 1, end).all(|c| enough(mf, l, c)) => {
                    mf.insts[l as usize] = mf.insts[l as usize].keep_flags();
                    removed.push(k);
                }
                _ => last = Some(k),
            }
        }
    }
    if !removed.is_empty() {
        close_up(mf, removed);
    }
}

/// Whether `m` assigns a register that `l` reads or writes.
fn assigns_operand(mf: &MFunction, m: &MInst, l: &MInst) -> bool {
    let hit = |v: VReg| {
        let mut hit = l.def() == Some(v);
        l.for_each_use(|u| hit |= u == v);
        hit
    };
    let in_record = || mf.records[m.record_index()].defs.iter().any(|(r, _)| r.as_virt().is_some_and(hit));
    m.def().is_some_and(hit) || m.has_record() && in_record()
}

/// A comparison without a memory operand, which may be done once for several users.
fn is_comparison(m: &MInst) -> bool {
    matches!(m.op, Op::Cmp | Op::Test | Op::Bt | Op::Ucomi) && !m.form.has_mem()
}

/// Whether `m` is `test v, v`, and instruction `l` has made `v` at the same size.
fn has_made(mf: &MFunction, l: u32, m: &MInst) -> bool {
    let made = &mf.insts[l as usize];
    let itself = m.op == Op::Test && m.form == Form::AB && m.a == MReg::from_bits(m.b);
    itself && made.def().is_some() && made.def() == m.a.as_virt() && made.size == m.size
}

/// Whether `m` does what `l` has done, for the flags alone: an operation that was selected for them, or a comparison after
/// the subtraction.
fn is_for_flags_of(m: &MInst, l: &MInst) -> bool {
    let operands = |m: &MInst| (m.size, m.a, m.b, m.imm);
    let same = match (m.op, m.form) {
        (Op::Cmp, Form::AB) => l.op == Op::Sub && l.form == Form::DTB,
        (Op::Cmp, Form::AI) => l.op == Op::Sub && l.form == Form::DTI,
        _ => m.keeps_flags() && l.op == m.op && l.form == m.form && !m.form.has_mem(),
    };
    same && operands(m) == operands(l) && l.def() != l.a.as_virt() && l.def() != MReg::from_bits(l.b).as_virt()
}

/// The conditions of the instructions from `k` on that read the flags that are there before `k`.
fn readers(mf: &MFunction, k: u32, end: u32) -> impl Iterator<Item = Cond> {
    let until_set = mf.insts[k as usize..end as usize].iter().take_while(|m| !m.op.props().has(Props::SETS_FLAGS));
    until_set.filter(|m| m.op.props().has(Props::USES_FLAGS)).map(MInst::get_cond)
}

/// Whether the flags of instruction `l` are enough for a condition.
fn enough(mf: &MFunction, l: u32, c: Cond) -> bool {
    match says(&mf.insts[l as usize]) {
        Says::AsTest => true,
        Says::ZeroAndSign => matches!(c, Cond::E | Cond::NE | Cond::S | Cond::NS),
        Says::Nothing => false,
    }
}

/// Removes instructions, given in ascending order.
fn close_up(mf: &mut MFunction, removed: &[u32]) {
    let mut rest = removed.iter().copied().peekable();
    let (mut k, mut gone) = (0, 0);
    for b in &mut mf.blocks {
        let (start, end) = (b.start, b.end);
        b.start = start - gone;
        while k < end {
            if rest.next_if_eq(&k).is_some() {
                gone += 1;
            } else {
                mf.insts[(k - gone) as usize] = mf.insts[k as usize];
                mf.origins[(k - gone) as usize] = mf.origins[k as usize];
            }
            k += 1;
        }
        b.end = end - gone;
    }
    mf.insts.truncate((k - gone) as usize);
    mf.origins.truncate((k - gone) as usize);
}
