//! Liveness of slots: which values of a frame the interpreter may still read from a position on.
//!
//! A trace must leave behind what the interpreter goes on with. A slot that is dead there may hold anything: it is as
//! if it lay above the top of a stack. Backward dataflow over the operations of a function, once for each function that
//! a trace visits; sets are bits.

use crate::interp::code::{ArgCode, CallCode, Callee, ResultCode};
use crate::interp::code::{Code, FuncCode, NO_SLOT, Op, POOL, Slot};

/// Words of all sets of a function together, at most. Functions that need more have all slots live everywhere.
const MAX_WORDS: usize = 1 << 22;

/// A set of slots.
pub(super) type Slots = Box<[u64]>;

/// True if a slot is in a set.
pub(super) fn contains(set: &[u64], slot: usize) -> bool {
    set.get(slot / 64).is_some_and(|w| w >> (slot % 64) & 1 != 0)
}

/// The live slots of a function, and where its pieces of straight code begin.
#[derive(Debug)]
pub(super) struct Liveness {
    /// The first operation of each piece, ascending.
    leaders: Vec<u32>,
    /// The number of pieces that lead to each.
    entries: Vec<u32>,
    words: usize,
    /// For each piece the slots that are live at its start; none where the function is too large.
    live: Option<Vec<u64>>,
}

impl Liveness {
    /// Solves a function.
    pub(super) fn new(code: &FuncCode) -> Liveness {
        let (leaders, entries) = pieces(code);
        let words = code.slots.div_ceil(64);
        let mut liveness = Liveness { leaders, entries, words, live: None };
        if liveness.leaders.len().saturating_mul(words) <= MAX_WORDS {
            liveness.solve(code);
        }
        liveness
    }
    fn solve(&mut self, code: &FuncCode) {
        let words = self.words;
        let mut live = vec![0u64; self.leaders.len() * words];
        let mut set = vec![0u64; words];
        let mut changed = true;
        while changed {
            changed = false;
            for k in (0..self.leaders.len()).rev() {
                let (start, end) = self.piece(code, k);
                set.fill(0);
                for to in successors(code, end - 1) {
                    let s = self.index_of(to) * words;
                    set.iter_mut().zip(&live[s..s + words]).for_each(|(a, b)| *a |= b);
                }
                (start..end).rev().for_each(|pc| step_back(code, code.ops[pc], &mut set));
                let row = &mut live[k * words..(k + 1) * words];
                if row != &set[..] {
                    row.copy_from_slice(&set);
                    changed = true;
                }
            }
        }
        self.live = Some(live);
    }
    fn piece(&self, code: &FuncCode, k: usize) -> (usize, usize) {
        let end = self.leaders.get(k + 1).map_or(code.ops.len(), |next| *next as usize);
        (self.leaders[k] as usize, end)
    }
    /// The piece that an operation is in.
    fn index_of(&self, pc: usize) -> usize {
        self.leaders.partition_point(|l| *l as usize <= pc) - 1
    }
    /// True if several pieces lead to the one that begins at `pc`: the document's merge points.
    pub(super) fn is_merge(&self, pc: usize) -> bool {
        self.leaders.binary_search(&(pc as u32)).is_ok_and(|k| self.entries[k] > 1)
    }
    /// The slots that may be read from the operation at `pc` on; none if that is not known.
    pub(super) fn at(&self, code: &FuncCode, pc: usize) -> Option<Slots> {
        let live = self.live.as_ref()?;
        let k = self.index_of(pc);
        let row = &live[k * self.words..(k + 1) * self.words];
        if self.leaders[k] as usize == pc {
            return Some(row.into());
        }
        let (_, end) = self.piece(code, k);
        let mut set: Slots = vec![0; self.words].into();
        for to in successors(code, end - 1) {
            let s = self.index_of(to) * self.words;
            set.iter_mut().zip(&live[s..s + self.words]).for_each(|(a, b)| *a |= b);
        }
        (pc..end).rev().for_each(|pc| step_back(code, code.ops[pc], &mut set));
        Some(set)
    }
}

/// The slots that are assigned inside a loop, by any piece from which control goes back to its header. A back edge is
/// one from behind.
pub(super) fn assigned_in_loop(code: &FuncCode, header: usize) -> Slots {
    let mut leading: Vec<Vec<u32>> = vec![Vec::new(); code.ops.len()];
    for pc in 0..code.ops.len() {
        successors(code, pc).for_each(|to| leading[to].push(pc as u32));
    }
    let mut inside = vec![false; code.ops.len()];
    inside[header] = true;
    let mut work: Vec<u32> = leading[header].iter().copied().filter(|pc| *pc as usize >= header).collect();
    let mut set: Slots = vec![0; code.slots.div_ceil(64)].into();
    while let Some(pc) = work.pop() {
        if !std::mem::replace(&mut inside[pc as usize], true) {
            work.extend(&leading[pc as usize]);
        }
    }
    for slot in (0..code.ops.len()).filter(|pc| inside[*pc]).filter_map(|pc| written(code, code.ops[pc])) {
        set[slot / 64] |= 1 << (slot % 64);
    }
    set
}

/// The pieces of straight code, and how many lead to each.
fn pieces(code: &FuncCode) -> (Vec<u32>, Vec<u32>) {
    let mut entries = vec![0u32; code.ops.len() + 1];
    let mut is_leader = vec![false; code.ops.len() + 1];
    is_leader[0] = true;
    for pc in 0..code.ops.len() {
        if ends_piece(code.ops[pc].code) {
            is_leader[pc + 1] = true;
            for to in successors(code, pc) {
                is_leader[to] = true;
                entries[to] += 1;
            }
        }
    }
    for pc in 0..code.ops.len().saturating_sub(1) {
        entries[pc + 1] += u32::from(is_leader[pc + 1] && !ends_piece(code.ops[pc].code));
    }
    let leaders: Vec<u32> = (0..code.ops.len()).filter(|pc| is_leader[*pc]).map(|pc| pc as u32).collect();
    let entries = leaders.iter().map(|l| entries[*l as usize]).collect();
    (leaders, entries)
}

fn ends_piece(code: Code) -> bool {
    matches!(
        code,
        Code::Jump | Code::Branch | Code::BranchImm | Code::Switch | Code::Ret | Code::RetAgg | Code::Unreachable
    )
}

/// The operations to which control may go from one.
fn successors(code: &FuncCode, pc: usize) -> impl Iterator<Item = usize> + '_ {
    let op = code.ops[pc];
    let (few, table): ([Option<usize>; 2], _) = match op.code {
        Code::Jump => ([Some(op.dst as usize), None], None),
        Code::Branch => ([Some(op.dst as usize), Some(op.imm as usize)], None),
        Code::BranchImm => ([Some(op.dst as usize), Some(op.b as usize)], None),
        Code::Switch => ([None; 2], Some(&code.switches[op.imm as usize])),
        Code::Ret | Code::RetAgg | Code::Unreachable => ([None; 2], None),
        _ => ([Some(pc + 1).filter(|next| *next < code.ops.len()), None], None),
    };
    let cases = table.into_iter().flat_map(|t| t.targets.iter().copied().chain([t.default]));
    few.into_iter().flatten().chain(cases.map(|to| to as usize))
}

/// From the slots that are live behind an operation to those that are before it.
fn step_back(code: &FuncCode, op: Op, set: &mut [u64]) {
    if let Some(slot) = written(code, op) {
        set[slot / 64] &= !(1 << (slot % 64));
    }
    for_each_read(code, op, |slot| set[slot as usize / 64] |= 1 << (slot % 64));
}

/// The slot that an operation assigns.
fn written(code: &FuncCode, op: Op) -> Option<usize> {
    let slot = match op.code {
        Code::Value | Code::ValueImm | Code::Add | Code::AddImm | Code::Move | Code::Const => op.dst,
        Code::LoadReg | Code::LoadFrame | Code::LoadMem | Code::Lea => op.dst,
        Code::Alloca | Code::StackSave | Code::VaArg => op.dst,
        Code::Call => match code.calls[op.imm as usize].result {
            ResultCode::Scalar(_, slot) => slot,
            ResultCode::None | ResultCode::Agg { .. } => NO_SLOT,
        },
        Code::Jump | Code::Branch | Code::BranchImm | Code::Switch => NO_SLOT,
        Code::StoreReg | Code::StoreFrame | Code::StoreMem => NO_SLOT,
        Code::StackRestore | Code::Memcpy | Code::Memmove | Code::Memset => NO_SLOT,
        Code::VaStart | Code::VaEnd | Code::VaCopy | Code::VaArgAgg => NO_SLOT,
        Code::Ret | Code::RetAgg | Code::Unreachable => NO_SLOT,
    };
    (slot & POOL == 0).then_some(slot as usize)
}

/// Calls `read` with each slot that an operation reads.
fn for_each_read(code: &FuncCode, op: Op, mut read: impl FnMut(Slot)) {
    let mut slot = |s: Slot| {
        if s & POOL == 0 {
            read(s);
        }
    };
    match op.code {
        Code::Value => [op.a, op.b, op.imm as Slot].into_iter().for_each(slot),
        Code::ValueImm | Code::AddImm | Code::Move | Code::BranchImm | Code::Switch => slot(op.a),
        Code::LoadReg | Code::Alloca | Code::StackRestore | Code::Ret => slot(op.a),
        Code::Add | Code::Branch | Code::StoreReg => [op.a, op.b].into_iter().for_each(slot),
        Code::StoreFrame => slot(op.b),
        Code::LoadMem | Code::Lea | Code::VaStart | Code::VaArg | Code::VaEnd | Code::RetAgg => {
            read_address(code, op.imm as u32, &mut slot);
        }
        Code::StoreMem => {
            read_address(code, op.imm as u32, &mut slot);
            slot(op.b);
        }
        Code::Memcpy | Code::Memmove | Code::VaCopy | Code::VaArgAgg => {
            read_address(code, op.a, &mut slot);
            read_address(code, op.b, &mut slot);
            if matches!(op.code, Code::Memcpy | Code::Memmove) {
                slot(op.dst);
            }
        }
        Code::Memset => {
            read_address(code, op.a, &mut slot);
            slot(op.b);
            slot(op.dst);
        }
        Code::Call => read_by_call(code, &code.calls[op.imm as usize], slot),
        Code::Const | Code::Jump | Code::LoadFrame | Code::StackSave | Code::Unreachable => {}
    }
}

fn read_by_call(code: &FuncCode, call: &CallCode, mut slot: impl FnMut(Slot)) {
    if let Callee::Indirect(s) = call.callee {
        slot(s);
    }
    for arg in &call.args {
        match *arg {
            ArgCode::Scalar { slot: s, .. } => slot(s),
            ArgCode::Agg { mem, .. } => read_address(code, mem, &mut slot),
        }
    }
    if let ResultCode::Agg { mem, .. } = call.result {
        read_address(code, mem, &mut slot);
    }
}

fn read_address(code: &FuncCode, mem: u32, slot: &mut impl FnMut(Slot)) {
    let m = &code.mems[mem as usize];
    slot(m.slot);
    slot(m.index);
}
