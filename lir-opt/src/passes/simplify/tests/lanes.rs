//! The values of a rule's nodes for all values of one variable at once, which has another one in each of 256 lanes.
//!
//! A variable of more than a byte has its low byte in the lanes; the higher bytes are the same in all.
//!
//! Nodes are arrays of bytes if all of them are bytes, else arrays of words. See [`operations`] for their computation;
//! other operations use a table of results for bytes, and the semantics lane by lane for words.
//!
//! [`operations`]: super::operations

use super::super::rules::rule::{NodeId, NodeKind, Rule};
use super::algebra::Assignment;
use super::operations::{Bytes, LANES, Words, operate_on_bytes, operate_on_words, select};
use lir_syntax::ir::{Format, Opcode, Type};
use lir_syntax::semantics::eval;
use std::collections::HashMap;
use std::mem::swap;

/// The entry of a table for an operation that traps.
const TRAP: u16 = u16::MAX;

/// Results of an operation with one or two bytes as operands, by `a << 8 | b`.
type Table = Vec<u16>;
/// By opcode and predicate or type of the result.
type OperationTables = HashMap<(Opcode, u8), Table>;

/// The values of all nodes; each is computed by [`Lanes::fill`].
#[expect(clippy::vec_box, reason = "new results are exchanged for old ones, not copied")]
pub struct Lanes<'r> {
    /// The values that do not differ from lane to lane. For the variable in the lanes, the bits above the low byte.
    pub a: Assignment<'r>,
    /// The variable that has another value in each lane.
    lane: usize,
    /// True if all nodes are bytes.
    are_bytes: bool,
    /// The values of the nodes, where they are bytes.
    bytes: Vec<Box<Bytes>>,
    /// The values of the nodes elsewhere.
    words: Vec<Box<Words>>,
    /// The memory of the next results.
    spare_bytes: Box<Bytes>,
    spare_words: Box<Words>,
    /// True if something trapped in a node.
    traps: Vec<bool>,
    tables: OperationTables,
}

/// The node that a node refers to: the first occurrence of a variable, the operation of a name.
pub fn origin(rule: &Rule, n: NodeId) -> NodeId {
    match rule.nodes[n as usize].kind {
        NodeKind::Var(k) => rule.vars[k as usize],
        NodeKind::Op { .. } | NodeKind::Const(_) => n,
    }
}

impl<'r> Lanes<'r> {
    /// All lanes of variable `lane`.
    pub fn new(a: Assignment<'r>, lane: usize) -> Lanes<'r> {
        let nodes = a.rule.nodes.len();
        let are_bytes = a.rule.nodes.iter().all(|n| a.types[n.ty as usize] == Type::I8);
        Lanes {
            lane,
            are_bytes,
            bytes: vec![Box::new([0; LANES]); if are_bytes { nodes } else { 0 }],
            words: vec![Box::new([0; LANES]); if are_bytes { 0 } else { nodes }],
            spare_bytes: Box::new([0; LANES]),
            spare_words: Box::new([0; LANES]),
            traps: vec![false; nodes],
            tables: OperationTables::new(),
            a,
        }
    }
    /// True if something trapped in a node.
    pub fn traps(&self, n: NodeId) -> bool {
        self.traps[n as usize]
    }
    /// True if two nodes of one type have the same values.
    pub fn are_same(&self, x: NodeId, y: NodeId) -> bool {
        let (x, y) = (x as usize, y as usize);
        if self.are_bytes { self.bytes[x] == self.bytes[y] } else { self.words[x] == self.words[y] }
    }
    /// The value of a node in one lane.
    pub fn at(&self, n: NodeId, lane: usize) -> u64 {
        let n = n as usize;
        if self.are_bytes { u64::from(self.bytes[n][lane]) } else { self.words[n][lane] }
    }
    /// Computes a node from its operands, which are given by [`origin`].
    pub fn fill(&mut self, n: NodeId) {
        let rule = self.a.rule;
        let node = &rule.nodes[n as usize];
        match &node.kind {
            NodeKind::Var(k) => {
                let x = self.a.vars[*k as usize];
                self.set(n, x, *k as usize == self.lane);
            }
            NodeKind::Const(e) => {
                let bits = e.bits(self.a.types[node.ty as usize], &mut self.a);
                self.set(n, bits, false);
            }
            NodeKind::Op { op, args, .. } => {
                let mut operands = [0; 3];
                args.iter().zip(&mut operands).for_each(|(arg, to)| *to = origin(rule, *arg) as usize);
                self.operate(n as usize, *op, &operands[..args.len()]);
            }
        }
    }
    /// Sets a node to a value, or from this value on to another one in each lane.
    fn set(&mut self, n: NodeId, value: u64, runs: bool) {
        let n = n as usize;
        match (self.are_bytes, runs) {
            (true, true) => self.bytes[n].iter_mut().zip(0..=u8::MAX).for_each(|(out, x)| *out = x),
            (true, false) => self.bytes[n].fill(value as u8),
            (false, true) => self.words[n].iter_mut().zip(value..).for_each(|(out, x)| *out = x),
            (false, false) => self.words[n].fill(value),
        }
    }
    /// Computes an operation from its operands.
    fn operate(&mut self, n: usize, op: Opcode, args: &[usize]) {
        let node = &self.a.rule.nodes[n];
        let (ty, aux) = (self.a.types[node.annotation as usize], self.a.aux(n as NodeId));
        // Operands that the operation does not have may be anything.
        let args = [0, 1, 2].map(|k: usize| args[k.min(args.len() - 1)]);
        if self.are_bytes {
            let operands = args.map(|n| &*self.bytes[n]);
            self.traps[n] = bytes_of(op, aux, operands, &mut self.spare_bytes, &mut self.tables);
            swap(&mut self.bytes[n], &mut self.spare_bytes);
        } else {
            let operands = args.map(|n| &*self.words[n]);
            self.traps[n] = words_of(op, ty, aux, operands, &mut self.spare_words);
            swap(&mut self.words[n], &mut self.spare_words);
        }
    }
}

/// The results of an operation on bytes; whether it traps somewhere.
fn bytes_of(op: Opcode, aux: u8, operands: [&Bytes; 3], out: &mut Bytes, tables: &mut OperationTables) -> bool {
    if op.format() == Format::Select {
        select(operands, out);
        return false;
    }
    let [a, b, _] = operands;
    if operate_on_bytes(op, aux, a, b, out) {
        return false;
    }
    let table = tables.entry((op, aux)).or_insert_with(|| table(op, aux));
    let mut traps = false;
    for (out, (a, b)) in out.iter_mut().zip(a.iter().zip(b)) {
        let entry = table[usize::from(*a) << 8 | usize::from(*b)];
        traps |= entry == TRAP;
        *out = entry as u8;
    }
    traps
}

/// The results of an operation on words; whether it traps somewhere.
fn words_of(op: Opcode, ty: Type, aux: u8, operands: [&Words; 3], out: &mut Words) -> bool {
    if op.format() == Format::Select {
        select(operands, out);
        return false;
    }
    let [a, b, c] = operands;
    if operate_on_words(op, ty, aux, [a, b], out) {
        return false;
    }
    let mut traps = false;
    for (x, out) in out.iter_mut().enumerate() {
        let result = eval(op, ty.as_word(), aux, [a[x], b[x], c[x]]);
        traps |= result.is_err();
        *out = result.unwrap_or(0);
    }
    traps
}

/// The table of an operation on bytes.
fn table(op: Opcode, aux: u8) -> Table {
    let entry = |packed: u64| {
        eval(op, Type::I8.as_word(), aux, [packed >> 8, packed & 0xFF, 0]).map_or(TRAP, |bits| bits as u16)
    };
    (0..1 << 16).map(entry).collect()
}
