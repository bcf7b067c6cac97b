//! Recognizes byte swaps, rotations and copies that are written as shifts, masks and `or`s.
//!
//! # Example
//!
//! ```text
//!   %a = lshr i32 %x, 8
//!   %b = and i32 %a, 0xff00ff
//!   %c = and i32 %x, 0xff00ff
//!   %d = shl i32 %c, 8
//!   %e = or i32 %b, %d              =>
//!   %f = rotl i32 %e, 16            =>      %f = bswap i32 %x
//! ```
//!
//! # Algorithm
//!
//! 1. When the walk reaches an `or`, `xor` or `add`, it notes which byte of which source each byte of the result holds
//!    ([`markers`]), if its operands have the same source. An operand is followed through operations that move whole
//!    bytes; the operand of the last of them, or an `or` with such a note, is the source. Operands come first, so that
//!    each tree is visited from its leaves, however its `or`s are associated, at a constant cost for each of them.
//! 2. After the walk, the roots are visited from the last to the first, so that a tree comes before those inside it. A
//!    root that fewer operations can compute ([`plan`]), compared with the ones that become unused, is replaced by
//!    these. A mask or a truncation of a root is a root, too: it may drop bytes that are not known.
//!
//! # Why it is sound
//!
//! Notes are about values, which never change while instructions are rewritten. A sequence is computed on the same
//! markers as the tree, and equal markers are equal bytes. The source dominates the root, since all instructions
//! between them are reached through operands.
//!
//! # Cost and limits
//!
//! Linear: [`MAX_CHAIN`] operations below each operand and, if there is a sequence, [`MAX_TREE`] below the root are
//! visited. There is only one source: bytes of two are not distinguished. A value that is read more than once and has
//! bytes that are not known is a source of its own, since all its bytes may be moved elsewhere. Bytes of memory are not
//! combined. Real code has few such trees (zstd's two swaps of 64 bits, SQLite's checksum of its log); looking for them
//! takes 0.12 % of -O2's instructions.
//!
//! # Source
//!
//! GCC's pass "bswap" (`find_bswap_or_nop` and its `symbolic_number` in gimple-ssa-store-merging.cc), which numbers
//! bytes in the same way and reads expressions from their roots; LLVM's `collectBitParts` (Transforms/Utils/Local.cpp)
//! keeps this for each bit. The table that is filled during the walk, the plans and their costs are ours.

use super::bytes::Bytes;
use super::bytes::markers::Markers;
use super::bytes::plan::{self, Step, StepSequence};
use super::rewrite::Rewriter;
use super::rules::index::{Class, class_of, is_constant};
use crate::passes::simplify::events::Event;
use lir_syntax::ir::{Inst, InstData, Opcode, Operand, Reg, Type};

/// The longest chain of operations on one operand that is followed: a byte is shifted, masked, converted, and that in
/// two types.
const MAX_CHAIN: usize = 8;
/// Limit on the operations below a root that are counted as unused with it. A `bswap` of 64 bits has 22.
const MAX_TREE: usize = 32;

/// The name in the statistics.
const WHAT: &str = "bytes put in order";

const fn classes(ops: &[Opcode]) -> u128 {
    let (mut set, mut k) = (0, 0);
    while k < ops.len() {
        set |= 1 << class_of(ops[k]);
        k += 1;
    }
    set
}

const JOINS: u128 = classes(&[Opcode::Or, Opcode::Xor, Opcode::Add]);
const MOVES: u128 = classes(&[
    Opcode::Shl,
    Opcode::Lshr,
    Opcode::Ashr,
    Opcode::Rotl,
    Opcode::Rotr,
    Opcode::And,
    Opcode::Bswap,
    Opcode::Zext,
    Opcode::Sext,
    Opcode::Trunc,
]);

fn is_in(set: u128, class: Class) -> bool {
    set >> class & 1 != 0
}

impl Rewriter<'_> {
    /// Step 1, for an instruction to which no rule applies.
    #[inline(always)]
    pub(crate) fn note_bytes(&mut self, i: Inst, d: &InstData, classes: [Class; 3]) {
        let may_be = match d.op {
            Opcode::Or | Opcode::Xor | Opcode::Add => classes[..2].iter().all(|c| is_in(JOINS | MOVES, *c)),
            Opcode::And => is_in(JOINS, classes[0]) && is_constant(classes[1]),
            Opcode::Trunc => is_in(JOINS, classes[0]),
            _ => false,
        };
        if may_be && d.ty != Type::I8 {
            self.note_root(i, d);
        }
    }
    fn note_root(&mut self, i: Inst, d: &InstData) {
        let Some(a) = self.bytes_of(d.first()) else { return };
        if matches!(d.op, Opcode::And | Opcode::Trunc) {
            if a.source == d.first() {
                return;
            }
        } else {
            let Some(b) = self.bytes_of(d.second()).filter(|b| b.source == a.source) else { return };
            let Some(r) = self.f.def(i) else { return };
            let markers = Markers::joined(d.op, d.ty, a.markers, b.markers);
            self.state.bytes.noted[r] = Bytes { source: a.source, markers };
        }
        self.state.bytes.roots.push(i);
    }

    /// Returns the bytes of an operand. It is its own source if nothing better is known. None for constants.
    fn bytes_of(&self, o: Operand) -> Option<Bytes> {
        let mut chain = [None; MAX_CHAIN];
        let mut len = 0;
        let mut r = o.as_reg()?;
        let mut bytes = loop {
            if let Some(noted) = self.noted(r) {
                break noted;
            }
            let Some((i, constant)) = self.move_of_bytes(r).filter(|_| len < MAX_CHAIN) else {
                break self.own_bytes(r);
            };
            chain[len] = Some((r, i, constant));
            len += 1;
            r = self.facts.resolved(self.f.inst(i).first()).as_reg()?;
        };
        for (r, i, constant) in chain[..len].iter().rev().flatten() {
            let d = self.f.inst(*i);
            bytes.markers = bytes.markers.after(d.op, d.ty, d.aux(), *constant)?;
            if !bytes.markers.are_known() && self.facts.uses(*r) > 1 {
                bytes = self.own_bytes(*r);
            }
        }
        Some(bytes)
    }
    fn own_bytes(&self, r: Reg) -> Bytes {
        Bytes { source: Operand::reg(r), markers: Markers::of_source(self.f.type_of(r)) }
    }
    /// Returns the note about a register, unless its source was removed.
    fn noted(&self, r: Reg) -> Option<Bytes> {
        let noted = *self.state.bytes.noted.get(r);
        let source = self.facts.resolved(noted.source);
        let is_present = |i: Inst| self.f.layout().block_of(i).is_some();
        if !source.as_reg().is_some_and(|s| self.facts.def(s).is_none_or(is_present)) {
            return None;
        }
        let is_source = !noted.markers.are_known() && self.facts.uses(r) > 1;
        Some(if is_source { self.own_bytes(r) } else { Bytes { source, ..noted } })
    }
    /// Returns the operation that assigns a register, and its constant. None unless it moves whole bytes of its first
    /// operand.
    fn move_of_bytes(&self, r: Reg) -> Option<(Inst, u64)> {
        let i = self.facts.def(r).filter(|_| is_in(MOVES, self.facts.class(r)))?;
        let d = self.f.inst(i);
        let constant = if d.second().is_none() {
            0
        } else {
            self.facts.constant(self.f, self.facts.resolved(d.second()), d.ty)?
        };
        Markers::default().after(d.op, d.ty, d.aux(), constant).map(|_| (i, constant))
    }

    /// Step 2.
    pub(crate) fn put_bytes_in_order(&mut self) {
        if self.state.bytes.roots.is_empty() {
            return;
        }
        self.facts.end_first_iteration();
        let mut roots = std::mem::take(&mut self.state.bytes.roots);
        for &i in roots.iter().rev() {
            if self.f.layout().block_of(i).is_some() {
                self.replace_operands(i);
                self.try_sequence(i);
            }
        }
        // The instructions of a sequence may be roots, too, for the next iteration.
        roots.clear();
        roots.append(&mut self.state.bytes.roots);
        self.state.bytes.roots = roots;
    }
    fn try_sequence(&mut self, i: Inst) {
        let Some(root) = self.f.def(i) else { return };
        let Some(Bytes { source, markers }) = self.bytes_of(Operand::reg(root)) else { return };
        let Some(s) = source.as_reg().filter(|s| *s != root) else { return };
        let Some(sequence) = plan::find(self.f.type_of(s), self.f.type_of(root), markers) else { return };
        if sequence.cost <= self.left_unused(i, source) && self.fuel.take() {
            self.remarks.done(self.f, i, Event::BytesInOrder(s));
            self.apply_sequence(i, source, &sequence);
            self.facts.applied.push(WHAT);
        } else if sequence.steps().any(|step| step.op == Opcode::Bswap) {
            self.remarks.missed(self.f, i, Event::BytesReadElsewhere(s));
        }
    }
    /// Counts the operations below a root that become unused if it reads only the source.
    fn left_unused(&self, root: Inst, source: Operand) -> u32 {
        let mut seen = [(Operand::NONE, 0); MAX_TREE];
        let mut unused = [root; MAX_TREE];
        let (mut num_seen, mut num_left, mut count) = (0, 1, 0);
        while num_left > 0 {
            num_left -= 1;
            for o in self.operands(unused[num_left]).map(|o| self.facts.resolved(o)) {
                let Some(r) = o.as_reg().filter(|_| o != source) else { continue };
                let k = seen[..num_seen].iter().position(|(other, _)| *other == o).unwrap_or(num_seen);
                if k == MAX_TREE {
                    return count;
                }
                num_seen = num_seen.max(k + 1);
                seen[k] = (o, seen[k].1 + 1);
                if seen[k].1 == self.facts.uses(r)
                    && let Some(i) = self.facts.def(r)
                {
                    count += 1;
                    unused[num_left] = i;
                    num_left += 1;
                }
            }
        }
        count
    }
    fn apply_sequence(&mut self, i: Inst, source: Operand, sequence: &StepSequence) {
        let mut value = source;
        let mut steps = sequence.steps();
        let last = steps.next_back();
        let at = self.state.work.len();
        for step in steps {
            let data = self.data_of(step, value);
            value = self.insert_value(i, step.to, data);
        }
        // As after a rule: the first new instruction is visited first.
        self.state.work[at..].reverse();
        match last {
            Some(step) => {
                self.state.work.insert(at, i);
                let data = self.data_of(step, value);
                self.become_operation(i, data);
            }
            None => self.become_value(i, source),
        }
        self.finish_work();
    }
    fn data_of(&mut self, step: Step, a: Operand) -> InstData {
        match step.constant {
            Some(c) => InstData::binary(step.op, step.ty, a, self.f.make_typed_const(step.ty, c)),
            None if step.ty == step.to => InstData::unary(step.op, step.ty, a),
            None => InstData::convert(step.op, step.ty, step.to, a),
        }
    }
}
