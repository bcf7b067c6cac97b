//! Drops comparisons of results with zero where arithmetic has made the flags already.
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
//! In each block from the first instruction to the last, keeping the last instruction that set the flags:
//!
//! 1. `test v, v` of its result, at its size, is removed if the readers of the flags ask for no more than they hold:
//!    equal and sign after sums, differences, negations and shifts; anything after bitwise operations, which clear
//!    carry and overflow as `test` does.
//! 2. A comparison of registers and immediates that repeats it is removed, for instance where one comparison has
//!    several users. So are an operation that was selected for its overflow after the one for its result, and a
//!    comparison after the subtraction.
//! 3. A comparison is removed if other conditions on the flags give the same answer ([`Reading`]): with the operands
//!    exchanged, after the addition of the negative constant, and of a sum with one of its terms, which is the carry.
//!
//! A store that becomes one instruction with its load and operation itself drops the comparison after it
//! ([`Isel::drop_test`]), since the compared value is then in no register.
//!
//! Then the function is compacted.
//!
//! # Why it is sound
//!
//! No instruction between the two sets flags or assigns the registers. The allocator's moves leave flags alone, and so
//! does the code of instructions without the property. An operation that is kept for its flags is marked
//! ([`MInst::keep_flags`]), so that it does not become `lea`.
//!
//! # Cost and limits
//!
//! Linear: the readers of flags come before the next instruction that sets them.
//!
//! # Source
//!
//! LLVM's `optimizeCompareInstr` (X86InstrInfo.cpp), in one direction: nothing is moved.

use crate::isa::x64::isel::{Isel, size_of};
use crate::isa::x64::{Cond, op, props};
use crate::mir::{Form, MFunction, MInst, MOp, MReg, Props, Size, VReg};
use lir_syntax::ir::Type;

/// Limit on the search ahead for an instruction that sets flags.
const MAX_AHEAD: usize = 16;

/// The facts in the flags about the result of an operation.
#[derive(Copy, Clone, PartialEq, Eq)]
enum FlagFacts {
    /// Zero and sign.
    ZeroAndSign,
    /// Zero and sign, no carry and no overflow, as after `test`.
    AsTest,
    /// Nothing.
    Nothing,
}

/// Returns the facts in the flags about the result of an operation. Shifts must be by constants other than 0, since a
/// shift by 0 sets no flags.
fn flag_facts(op: MOp) -> FlagFacts {
    match op {
        op::And | op::Or | op::Xor | op::Andn => FlagFacts::AsTest,
        op::Add | op::Sub | op::Neg | op::Blsr | op::Blsmsk | op::Blsi | op::Shl | op::Shr | op::Sar => {
            FlagFacts::ZeroAndSign
        }
        _ => FlagFacts::Nothing,
    }
}

impl Isel<'_> {
    /// Returns the next instruction in the block that sets flags, among the selected ones: its position in the output,
    /// which is in reverse order.
    pub(in crate::isa::x64::isel) fn next_flags(&self) -> Option<usize> {
        let insts = &self.mf.insts;
        let start = self.mf.blocks[self.block.index()].start as usize;
        let near = (start..insts.len()).rev().take(MAX_AHEAD);
        near.into_iter().find(|k| props(insts[*k].op).has(Props::SETS_FLAGS))
    }
    /// True if the flags of `op` are enough for the readers of instruction `k`. Instruction `k` of the output compares
    /// the result with 0, and `op`, if a shift, is by a constant other than 0.
    fn is_enough_for(&self, op: MOp, k: usize) -> bool {
        let start = self.mf.blocks[self.block.index()].start as usize;
        let until_set = self.mf.insts[start..k].iter().rev().take_while(|m| !props(m.op).has(Props::SETS_FLAGS));
        let mut readers = until_set.filter(|m| props(m.op).has(Props::USES_FLAGS));
        readers.all(|m| tells(flag_facts(op), Cond::of(m)))
    }
    /// Removes the next comparison if the flags of `op` imply it. It must compare `v`, the result of `op`, with 0.
    pub(in crate::isa::x64::isel) fn drop_test(&mut self, v: VReg, size: Size, op: MOp) -> bool {
        let Some(k) = self.next_flags() else { return false };
        let m = &self.mf.insts[k];
        let itself = m.op == op::Test && m.form == Form::AB && m.a == MReg::from_bits(m.b);
        if !itself || m.a.as_virt() != Some(v) || m.size != size || !self.is_enough_for(op, k) {
            return false;
        }
        self.take_back(k);
        true
    }
    /// Removes the next comparison if it compares `v` with `k`, as values of `ty`.
    pub(in crate::isa::x64::isel) fn drop_comparison(&mut self, v: VReg, ty: Type, k: i64) -> bool {
        let Some(at) = self.next_flags() else { return false };
        let m = &self.mf.insts[at];
        let compares = m.op == op::Cmp && m.form == Form::AI && m.a.as_virt() == Some(v) && m.size == size_of(ty);
        if !compares || ty.as_word().truncate((k ^ i64::from(m.imm)) as u64) != 0 {
            return false;
        }
        self.take_back(at);
        true
    }
    fn take_back(&mut self, k: usize) {
        self.mf.insts.remove(k);
        self.mf.origins.remove(k);
    }
}

/// Drops comparisons whose flags exist already. `removed` is scratch memory.
pub(in crate::isa::x64::isel) fn reuse_flags(mf: &mut MFunction, removed: &mut Vec<u32>) {
    removed.clear();
    for b in 0..mf.blocks.len() {
        let (start, end) = (mf.blocks[b].start, mf.blocks[b].end);
        let mut last = None;
        for k in start..end {
            let m = mf.insts[k as usize];
            if !props(m.op).has(Props::SETS_FLAGS) {
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
                Some(l) if redirect_readers(mf, l, k, end) => {
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

/// True if `m` assigns a register that `l` reads or writes.
fn assigns_operand(mf: &MFunction, m: &MInst, l: &MInst) -> bool {
    let hit = |v: VReg| {
        let mut hit = l.def() == Some(v);
        l.for_each_use(|u| hit |= u == v);
        hit
    };
    m.def().is_some_and(hit) || mf.fixed_defs(m).iter().any(|(r, _)| r.as_virt().is_some_and(hit))
}

/// A comparison without a memory operand, which may be done once for several users.
fn is_comparison(m: &MInst) -> bool {
    matches!(m.op, op::Cmp | op::Test | op::Bt | op::Ucomi) && !m.form.has_mem()
}

/// True if `m` is `test v, v`, and instruction `l` made `v` at that size.
fn has_made(mf: &MFunction, l: u32, m: &MInst) -> bool {
    let made = &mf.insts[l as usize];
    let itself = m.op == op::Test && m.form == Form::AB && m.a == MReg::from_bits(m.b);
    itself && made.def().is_some() && made.def() == m.a.as_virt() && made.size == m.size
}

/// True if `m` repeats `l` for the flags alone: an operation that was selected for them, or a comparison after the
/// subtraction.
fn is_for_flags_of(m: &MInst, l: &MInst) -> bool {
    let operands = |m: &MInst| (m.size, m.a, m.b, m.imm);
    let same = match (m.op, m.form) {
        (op::Cmp, Form::AB) => l.op == op::Sub && l.form == Form::DTB,
        (op::Cmp, Form::AI) => l.op == op::Sub && l.form == Form::DTI,
        _ => m.keeps_flags() && l.op == m.op && l.form == m.form && !m.form.has_mem(),
    };
    same && operands(m) == operands(l) && l.def() != l.a.as_virt() && l.def() != MReg::from_bits(l.b).as_virt()
}

/// The relation of a comparison to the addition, subtraction or comparison that set the flags.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Reading {
    /// The operands are exchanged.
    Exchanged,
    /// A sum is below one of its terms: the carry.
    Carry,
    /// A term is above the sum: the same.
    ExchangedCarry,
    /// The same flags, once an addition of a negative constant is made a subtraction.
    Subtraction,
}

impl Reading {
    /// Returns the relation of comparison `m` to the flags made by `l`.
    fn of(m: &MInst, l: &MInst) -> Option<Reading> {
        if m.op != op::Cmp || m.size != l.size || l.form.has_mem() {
            return None;
        }
        let (x, y) = (m.a, MReg::from_bits(m.b));
        let b = MReg::from_bits(l.b);
        let new = l.def() != l.a.as_virt() && (l.form != Form::DTB || l.def() != b.as_virt());
        let is_term = |v: MReg| v == l.a || l.form == Form::DTB && v == b;
        match (l.op, l.form, m.form) {
            (op::Cmp, Form::AB, Form::AB) if x == b && y == l.a => Some(Reading::Exchanged),
            (op::Sub, Form::DTB, Form::AB) if new && x == b && y == l.a => Some(Reading::Exchanged),
            (op::Add, Form::DTB | Form::DTI, Form::AB) if new && x == l.d && is_term(y) => Some(Reading::Carry),
            (op::Add, Form::DTB | Form::DTI, Form::AB) if new && y == l.d && is_term(x) => {
                Some(Reading::ExchangedCarry)
            }
            (op::Add, Form::DTI, Form::AI) if new && x == l.a && l.imm.checked_neg() == Some(m.imm) => {
                Some(Reading::Subtraction)
            }
            _ => None,
        }
    }
    /// Returns the condition on the current flags for a condition of the comparison.
    fn condition(self, c: Cond) -> Option<Cond> {
        use Cond::*;
        match self {
            Reading::Exchanged => Some(match c {
                E | NE => c,
                L => G,
                G => L,
                LE => GE,
                GE => LE,
                B => A,
                A => B,
                BE => AE,
                AE => BE,
                _ => return None,
            }),
            Reading::Carry => Some(c).filter(|c| matches!(c, B | AE)),
            Reading::ExchangedCarry => match c {
                A => Some(B),
                BE => Some(AE),
                _ => None,
            },
            Reading::Subtraction => Some(c),
        }
    }
}

/// Has the readers of comparison `k` read the flags of instruction `l`, if equivalent.
fn redirect_readers(mf: &mut MFunction, l: u32, k: u32, end: u32) -> bool {
    let (first, m) = (mf.insts[l as usize], mf.insts[k as usize]);
    let Some(reading) = Reading::of(&m, &first) else { return false };
    if !readers(mf, k + 1, end).all(|c| reading.condition(c).is_some()) {
        return false;
    }
    if reading == Reading::Subtraction && !readers(mf, k + 1, end).all(|c| tells(FlagFacts::ZeroAndSign, c)) {
        // Readers of the flags of the addition itself need its carry.
        if first.keeps_flags() {
            return false;
        }
        let sub = &mut mf.insts[l as usize];
        (sub.op, sub.imm) = (op::Sub, m.imm);
    }
    let after = &mut mf.insts[k as usize + 1..end as usize];
    for reader in after.iter_mut().take_while(|m| !props(m.op).has(Props::SETS_FLAGS)) {
        if props(reader.op).has(Props::USES_FLAGS) {
            let c = reading.condition(Cond::of(reader)).expect("all have one");
            *reader = reader.cond(c);
        }
    }
    true
}

/// Returns the conditions of the readers of the flags live before instruction `k`.
fn readers(mf: &MFunction, k: u32, end: u32) -> impl Iterator<Item = Cond> {
    let until_set = mf.insts[k as usize..end as usize].iter().take_while(|m| !props(m.op).has(Props::SETS_FLAGS));
    until_set.filter(|m| props(m.op).has(Props::USES_FLAGS)).map(Cond::of)
}

/// True if the flags of instruction `l` are enough for a condition.
fn enough(mf: &MFunction, l: u32, c: Cond) -> bool {
    let m = &mf.insts[l as usize];
    let by_0 = matches!(m.op, op::Shl | op::Shr | op::Sar) && (m.form != Form::DTI || m.imm == 0);
    !by_0 && tells(flag_facts(m.op), c)
}

/// True if such flags are enough for a condition of a comparison with 0.
fn tells(facts: FlagFacts, c: Cond) -> bool {
    match facts {
        FlagFacts::AsTest => true,
        FlagFacts::ZeroAndSign => matches!(c, Cond::E | Cond::NE | Cond::S | Cond::NS),
        FlagFacts::Nothing => false,
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
