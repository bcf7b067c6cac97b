//! Liveness of slots: the slots of a frame that the interpreter may still read from a position on.
//!
//! At an exit a trace must have written the slots with which the interpreter continues. A slot that is dead there may
//! hold anything, like memory above the top of a stack. This is backward dataflow over the operations of a function,
//! once for each function that a trace visits; sets are bits.

use crate::interp::code::{ArgCode, CallCode, Callee, ResultCode};
use crate::interp::code::{Code, FuncCode, NO_SLOT, Op, POOL, Slot};
use std::collections::VecDeque;

/// Words of all sets of a function together, at most. Functions that need more have all slots live everywhere.
const MAX_WORDS: usize = 1 << 22;

/// A set of slots.
pub(in crate::interp::trace) type Slots = Box<[u64]>;

/// True if a slot is in a set.
pub(in crate::interp::trace) fn contains(set: &[u64], slot: usize) -> bool {
    set.get(slot / 64).is_some_and(|w| w >> (slot % 64) & 1 != 0)
}

/// Returns the slots of a set below `end`, ascending; all if the set is unknown.
pub(in crate::interp::trace) fn members(set: Option<&[u64]>, end: usize) -> impl Iterator<Item = usize> + '_ {
    let word = move |k: usize| set.map_or(u64::MAX, |set| set.get(k).copied().unwrap_or(0));
    let ones = |w: u64| std::iter::successors(Some(w), |w| Some(w & w.wrapping_sub(1))).take_while(|w| *w != 0);
    let slots = move |k: usize| ones(word(k)).map(move |w| k * 64 + w.trailing_zeros() as usize);
    (0..end.div_ceil(64)).flat_map(slots).take_while(move |slot| *slot < end)
}

/// The live slots of a function, and its pieces of straight code.
#[derive(Debug)]
pub(in crate::interp::trace) struct Liveness {
    /// The first operation of each piece, ascending.
    leaders: Vec<u32>,
    /// For each piece the end of its predecessors in `leading`; they begin at the end of the previous piece's.
    leading_end: Vec<u32>,
    leading: Vec<u32>,
    words: usize,
    /// For each piece the slots that are live at its start; none if the function is too large.
    live: Option<Vec<u64>>,
}

impl Liveness {
    /// Solves a function.
    pub(in crate::interp::trace) fn new(code: &FuncCode) -> Liveness {
        let (leaders, words) = (leaders(code), code.slots.div_ceil(64));
        let mut liveness = Liveness { leaders, leading_end: Vec::new(), leading: Vec::new(), words, live: None };
        let mut edges: Vec<(usize, u32)> = Vec::new();
        for k in 0..liveness.leaders.len() {
            edges.extend(liveness.followers(code, k).map(|to| (to, k as u32)));
        }
        edges.sort_unstable();
        liveness.leading = edges.iter().map(|e| e.1).collect();
        let ends = (0..liveness.leaders.len()).map(|k| edges.partition_point(|e| e.0 <= k) as u32);
        liveness.leading_end = ends.collect();
        if liveness.leaders.len().saturating_mul(words) <= MAX_WORDS {
            liveness.live = Some(liveness.solve(code));
        }
        liveness
    }
    /// Solves the equations, with a list of pieces to visit: the last pieces first.
    fn solve(&self, code: &FuncCode) -> Vec<u64> {
        let words = self.words;
        let mut live = vec![0u64; self.leaders.len() * words];
        let mut set = vec![0u64; words];
        let mut left: VecDeque<usize> = self.postorder(code).into();
        let mut is_listed = vec![true; self.leaders.len()];
        while let Some(k) = left.pop_front() {
            is_listed[k] = false;
            let (start, end) = self.piece(code, k);
            set.fill(0);
            for to in self.followers(code, k) {
                set.iter_mut().zip(&live[to * words..]).for_each(|(a, b)| *a |= b);
            }
            (start..end).rev().for_each(|pc| step_back(code, code.ops[pc], &mut set));
            let row = &mut live[k * words..(k + 1) * words];
            if row != &set[..] {
                row.copy_from_slice(&set);
                for &p in self.leading(k) {
                    if !std::mem::replace(&mut is_listed[p as usize], true) {
                        left.push_back(p as usize);
                    }
                }
            }
        }
        live
    }
    /// Returns all pieces, each after its successors, except in loops; at last those that cannot be reached.
    fn postorder(&self, code: &FuncCode) -> Vec<usize> {
        let mut is_seen = vec![false; self.leaders.len()];
        let mut order = Vec::with_capacity(self.leaders.len());
        for root in 0..self.leaders.len() {
            let mut stack = Vec::new();
            if !std::mem::replace(&mut is_seen[root], true) {
                stack.push((root, self.followers(code, root).collect::<Vec<_>>()));
            }
            while let Some((k, followers)) = stack.last_mut() {
                match followers.pop() {
                    Some(to) if !std::mem::replace(&mut is_seen[to], true) => {
                        stack.push((to, self.followers(code, to).collect()));
                    }
                    Some(_) => {}
                    None => {
                        order.push(*k);
                        stack.pop();
                    }
                }
            }
        }
        order
    }
    /// Returns the successors of a piece.
    fn followers<'a>(&'a self, code: &'a FuncCode, k: usize) -> impl Iterator<Item = usize> + 'a {
        successors(code, self.piece(code, k).1 - 1).map(|to| self.index_of(to))
    }
    /// Returns the predecessors of a piece.
    fn leading(&self, k: usize) -> &[u32] {
        let start = k.checked_sub(1).map_or(0, |before| self.leading_end[before]);
        &self.leading[start as usize..self.leading_end[k] as usize]
    }
    fn piece(&self, code: &FuncCode, k: usize) -> (usize, usize) {
        let end = self.leaders.get(k + 1).map_or(code.ops.len(), |next| *next as usize);
        (self.leaders[k] as usize, end)
    }
    /// Returns the piece that an operation is in.
    fn index_of(&self, pc: usize) -> usize {
        self.leaders.partition_point(|l| *l as usize <= pc) - 1
    }
    /// True if the piece that begins at `pc` has several predecessors: a merge point of document S2.
    pub(in crate::interp::trace) fn is_merge(&self, pc: usize) -> bool {
        self.leaders.binary_search(&(pc as u32)).is_ok_and(|k| self.leading(k).len() > 1)
    }
    /// Returns the slots that are assigned inside a loop, by any piece from which control returns to its header. A back
    /// edge comes from a later piece.
    pub(in crate::interp::trace) fn assigned_in_loop(&self, code: &FuncCode, header: usize) -> Slots {
        let header = self.index_of(header);
        let mut is_inside = vec![false; self.leaders.len()];
        is_inside[header] = true;
        let mut work: Vec<u32> = self.leading(header).iter().copied().filter(|k| *k as usize >= header).collect();
        let mut set: Slots = vec![0; self.words].into();
        let mut note = |k: usize| {
            let (start, end) = self.piece(code, k);
            for slot in (start..end).filter_map(|pc| written(code, code.ops[pc])) {
                set[slot / 64] |= 1 << (slot % 64);
            }
        };
        note(header);
        while let Some(k) = work.pop() {
            if !std::mem::replace(&mut is_inside[k as usize], true) {
                note(k as usize);
                work.extend(self.leading(k as usize));
            }
        }
        set
    }
    /// Returns the slots that may be read from the operation at `pc` on; none if they are unknown.
    pub(in crate::interp::trace) fn at(&self, code: &FuncCode, pc: usize) -> Option<Slots> {
        let live = self.live.as_ref()?;
        let k = self.index_of(pc);
        let row = &live[k * self.words..(k + 1) * self.words];
        if self.leaders[k] as usize == pc {
            return Some(row.into());
        }
        let (_, end) = self.piece(code, k);
        let mut set: Slots = vec![0; self.words].into();
        for to in self.followers(code, k) {
            set.iter_mut().zip(&live[to * self.words..]).for_each(|(a, b)| *a |= b);
        }
        (pc..end).rev().for_each(|pc| step_back(code, code.ops[pc], &mut set));
        Some(set)
    }
}

/// Returns the first operations of the pieces of straight code.
fn leaders(code: &FuncCode) -> Vec<u32> {
    let mut is_leader = vec![false; code.ops.len() + 1];
    is_leader[0] = true;
    for pc in (0..code.ops.len()).filter(|pc| ends_piece(code.ops[*pc].code)) {
        is_leader[pc + 1] = true;
        successors(code, pc).for_each(|to| is_leader[to] = true);
    }
    (0..code.ops.len()).filter(|pc| is_leader[*pc]).map(|pc| pc as u32).collect()
}

fn ends_piece(code: Code) -> bool {
    matches!(
        code,
        Code::Jump | Code::Branch | Code::BranchImm | Code::Switch | Code::Ret | Code::RetAgg | Code::Unreachable
    )
}

/// Returns the operations that may follow one.
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

/// Changes the slots that are live after an operation to those that are live before it.
fn step_back(code: &FuncCode, op: Op, set: &mut [u64]) {
    if let Some(slot) = written(code, op) {
        set[slot / 64] &= !(1 << (slot % 64));
    }
    for_each_read(code, op, |slot| set[slot as usize / 64] |= 1 << (slot % 64));
}

/// Returns the slot that an operation assigns.
pub(in crate::interp::trace) fn written(code: &FuncCode, op: Op) -> Option<usize> {
    let slot = match op.code {
        Code::Value | Code::ValueImm | Code::Add | Code::AddImm | Code::Move | Code::Const => op.dst,
        Code::LoadReg | Code::LoadFrame | Code::LoadMem | Code::Lea => op.dst,
        Code::Alloca | Code::StackSave | Code::VaArg | Code::Atomic => op.dst,
        Code::Call => match code.calls[op.imm as usize].result {
            ResultCode::Scalar(_, slot) => slot,
            ResultCode::None | ResultCode::Agg { .. } => NO_SLOT,
            ResultCode::Wide(_) => unreachable!("a program that is traced has no i128"),
        },
        Code::Promise | Code::ValuePromise | Code::Assume => NO_SLOT,
        Code::Jump | Code::Branch | Code::BranchImm | Code::Switch => NO_SLOT,
        Code::StoreReg | Code::StoreFrame | Code::StoreMem => NO_SLOT,
        Code::StackRestore | Code::Memcpy | Code::Memmove | Code::Memset => NO_SLOT,
        Code::VaStart | Code::VaEnd | Code::VaCopy | Code::VaArgAgg | Code::Fence => NO_SLOT,
        Code::Ret | Code::RetAgg | Code::Unreachable | Code::Note | Code::Claim | Code::Sets => NO_SLOT,
        Code::Wide | Code::RetWide => unreachable!("a program that is traced has no i128"),
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
        Code::LoadReg | Code::Alloca | Code::StackRestore | Code::Ret | Code::ValuePromise => slot(op.a),
        Code::Add | Code::Promise | Code::Assume | Code::Branch | Code::StoreReg => {
            [op.a, op.b].into_iter().for_each(slot)
        }
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
        Code::Note => {
            read_address(code, op.a, &mut slot);
            slot(op.b);
        }
        Code::Sets => read_address(code, op.a, &mut slot),
        Code::Claim => {}
        Code::Memset => {
            read_address(code, op.a, &mut slot);
            slot(op.b);
            slot(op.dst);
        }
        Code::Call => read_by_call(code, &code.calls[op.imm as usize], slot),
        Code::Atomic => {
            read_address(code, op.imm as u32, &mut slot);
            slot(op.a);
            slot(op.b);
        }
        Code::Const | Code::Jump | Code::LoadFrame | Code::StackSave | Code::Unreachable | Code::Fence => {}
        Code::Wide | Code::RetWide => unreachable!("a program that is traced has no i128"),
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
            ArgCode::Wide { .. } => unreachable!("a program that is traced has no i128"),
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
