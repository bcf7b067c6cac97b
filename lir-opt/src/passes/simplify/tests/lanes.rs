//! The values of a rule's nodes for all values of one variable at once, which has another one in each of 256 lanes.
//!
//! Nodes of bytes are arrays of bytes: the compiler makes vector instructions of the loops over them. What they compute
//! is written here a second time, so a test compares it with the semantics for all operands; an operation that is not
//! written here is a table made from them. Nodes of other types go through the semantics lane by lane.

use super::super::rule::{NodeId, NodeKind, Rule};
use super::algebra::Assignment;
use lir_syntax::ir::{Format, IntCC, Opcode, Type};
use lir_syntax::semantics::eval;
use std::collections::HashMap;
use std::rc::Rc;

/// The values of one byte.
pub const LANES: usize = 256;
/// What a table holds where the operation traps.
const TRAP: u16 = u16::MAX;

type Bytes = [u8; LANES];
type Words = [u64; LANES];

/// Results of an operation with one or two bytes as operands, by `a << 8 | b`.
type Table = Rc<Vec<u16>>;

/// The values of all nodes; each is computed when [`Lanes::fill`] is asked to.
pub struct Lanes<'r> {
    /// The values that do not differ from lane to lane.
    pub a: Assignment<'r>,
    /// The variable that has another value in each lane.
    lane: usize,
    /// The values of nodes of bytes.
    bytes: Vec<Bytes>,
    /// The values of the others.
    words: Vec<Words>,
    /// Which nodes are of bytes.
    is_bytes: Vec<bool>,
    /// Whether something trapped in a node.
    traps: Vec<bool>,
    /// By opcode and predicate or type of the result.
    tables: HashMap<(Opcode, u8), Table>,
}

/// The node that a node stands for: of the occurrences of a variable the first, of a name the operation.
pub fn origin(rule: &Rule, n: NodeId) -> NodeId {
    match rule.nodes[n as usize].kind {
        NodeKind::Var(k) => rule.vars[k as usize],
        NodeKind::Op { .. } | NodeKind::Const(_) => n,
    }
}

impl<'r> Lanes<'r> {
    /// All lanes of variable `lane`, which is a byte.
    pub fn new(a: Assignment<'r>, lane: usize) -> Lanes<'r> {
        let nodes = a.rule.nodes.len();
        let is_bytes: Vec<bool> = a.rule.nodes.iter().map(|n| a.types[n.ty as usize] == Type::I8).collect();
        Lanes {
            lane,
            bytes: vec![[0; LANES]; nodes],
            words: vec![[0; LANES]; if is_bytes.contains(&false) { nodes } else { 0 }],
            is_bytes,
            traps: vec![false; nodes],
            tables: HashMap::new(),
            a,
        }
    }
    /// Whether something trapped in a node.
    pub fn traps(&self, n: NodeId) -> bool {
        self.traps[n as usize]
    }
    /// Whether two nodes of one type have the same values.
    pub fn are_same(&self, x: NodeId, y: NodeId) -> bool {
        let (x, y) = (x as usize, y as usize);
        if self.is_bytes[x] { self.bytes[x] == self.bytes[y] } else { self.words[x] == self.words[y] }
    }
    /// The value of a node in one lane.
    pub fn at(&self, n: NodeId, lane: usize) -> u64 {
        let n = n as usize;
        if self.is_bytes[n] { u64::from(self.bytes[n][lane]) } else { self.words[n][lane] }
    }
    /// Computes a node from its operands, which are those that [`origin`] tells.
    pub fn fill(&mut self, n: NodeId) {
        let rule = self.a.rule;
        let node = &rule.nodes[n as usize];
        match &node.kind {
            NodeKind::Var(k) if *k as usize == self.lane => {
                self.bytes[n as usize] = std::array::from_fn(|x| x as u8);
            }
            NodeKind::Var(k) => self.set_all(n, self.a.vars[*k as usize]),
            NodeKind::Const(e) => {
                let bits = e.bits(self.a.types[node.ty as usize], &mut self.a);
                self.set_all(n, bits);
            }
            NodeKind::Op { op, args, .. } => {
                let mut operands = [0; 3];
                args.iter().zip(&mut operands).for_each(|(arg, to)| *to = origin(rule, *arg));
                self.operate(n, *op, &operands[..args.len()]);
            }
        }
    }
    fn set_all(&mut self, n: NodeId, value: u64) {
        let n = n as usize;
        if self.is_bytes[n] { self.bytes[n] = [value as u8; LANES] } else { self.words[n] = [value; LANES] }
    }
    fn operate(&mut self, n: NodeId, op: Opcode, args: &[NodeId]) {
        let node = &self.a.rule.nodes[n as usize];
        let (ty, aux) = (self.a.types[node.annotation as usize], self.a.aux(n));
        let of_bytes = |m: &NodeId| self.is_bytes[*m as usize];
        if !(ty == Type::I8 && of_bytes(&n) && args.iter().all(of_bytes)) {
            return self.operate_on_words(n, op, args);
        }
        let of = |k: usize| &self.bytes[args[k] as usize];
        if op.format() == Format::Select {
            self.bytes[n as usize] = select(of(0), of(1), of(2));
            return;
        }
        if args.len() == 2
            && let Some(out) = operate_on_bytes(op, aux, of(0), of(1))
        {
            self.bytes[n as usize] = out;
            return;
        }
        let table = Rc::clone(self.tables.entry((op, aux)).or_insert_with(|| table(op, aux, args.len())));
        let (mut out, mut traps) = ([0; LANES], false);
        for (x, out) in out.iter_mut().enumerate() {
            let of = |k: usize| self.bytes[args[k] as usize][x] as usize;
            let entry = table[of(0) << 8 | if args.len() == 2 { of(1) } else { 0 }];
            traps |= entry == TRAP;
            *out = entry as u8;
        }
        self.bytes[n as usize] = out;
        self.traps[n as usize] = traps;
    }
    fn operate_on_words(&mut self, n: NodeId, op: Opcode, args: &[NodeId]) {
        let node = &self.a.rule.nodes[n as usize];
        let (ty, aux) = (self.a.types[node.annotation as usize], self.a.aux(n));
        let mut traps = false;
        for x in 0..LANES {
            let mut values = [0; 3];
            args.iter().zip(&mut values).for_each(|(arg, value)| *value = self.at(*arg, x));
            let result = eval(op, ty, aux, values);
            traps |= result.is_err();
            let bits = result.unwrap_or(0);
            if self.is_bytes[n as usize] {
                self.bytes[n as usize][x] = bits as u8;
            } else {
                self.words[n as usize][x] = bits;
            }
        }
        self.traps[n as usize] = traps;
    }
}

/// The table of an operation on bytes.
fn table(op: Opcode, aux: u8, operands: usize) -> Table {
    let entry = |packed: u64| {
        let b = if operands == 2 { packed & 0xFF } else { 0 };
        eval(op, Type::I8, aux, [packed >> 8, b, 0]).map_or(TRAP, |bits| bits as u16)
    };
    Rc::new((0..1 << 16).map(entry).collect())
}

/// The same operation in all lanes.
fn in_lanes(x: &Bytes, y: &Bytes, f: impl Fn(u8, u8) -> u8) -> Bytes {
    let mut out = [0; LANES];
    out.iter_mut().zip(x).zip(y).for_each(|((out, x), y)| *out = f(*x, *y));
    out
}

fn select(c: &Bytes, x: &Bytes, y: &Bytes) -> Bytes {
    let mut out = [0; LANES];
    out.iter_mut().zip(c).zip(x).zip(y).for_each(|(((out, c), x), y)| *out = if *c != 0 { *x } else { *y });
    out
}

/// An operation that vectors of bytes have; of others nothing.
fn operate_on_bytes(op: Opcode, aux: u8, x: &Bytes, y: &Bytes) -> Option<Bytes> {
    match op {
        Opcode::Add => Some(in_lanes(x, y, u8::wrapping_add)),
        Opcode::Sub => Some(in_lanes(x, y, u8::wrapping_sub)),
        Opcode::And => Some(in_lanes(x, y, |x, y| x & y)),
        Opcode::Or => Some(in_lanes(x, y, |x, y| x | y)),
        Opcode::Xor => Some(in_lanes(x, y, |x, y| x ^ y)),
        Opcode::Icmp => Some(match IntCC::from_u8(aux) {
            IntCC::Eq => in_lanes(x, y, |x, y| u8::from(x == y)),
            IntCC::Ne => in_lanes(x, y, |x, y| u8::from(x != y)),
            IntCC::Ult => in_lanes(x, y, |x, y| u8::from(x < y)),
            IntCC::Ule => in_lanes(x, y, |x, y| u8::from(x <= y)),
            IntCC::Ugt => in_lanes(x, y, |x, y| u8::from(x > y)),
            IntCC::Uge => in_lanes(x, y, |x, y| u8::from(x >= y)),
            IntCC::Slt => in_lanes(x, y, |x, y| u8::from((x as i8) < y as i8)),
            IntCC::Sle => in_lanes(x, y, |x, y| u8::from(x as i8 <= y as i8)),
            IntCC::Sgt => in_lanes(x, y, |x, y| u8::from(x as i8 > y as i8)),
            IntCC::Sge => in_lanes(x, y, |x, y| u8::from(x as i8 >= y as i8)),
        }),
        _ => None,
    }
}

#[test]
fn operations_on_bytes_are_those_of_the_semantics() {
    let all: Bytes = std::array::from_fn(|x| x as u8);
    let mut written = 0;
    for (op, aux) in Opcode::ALL.iter().flat_map(|op| (0..10).map(move |aux| (*op, aux))) {
        for y in 0..=u8::MAX {
            let Some(out) = operate_on_bytes(op, aux, &all, &[y; LANES]) else { break };
            written += 1;
            for (x, out) in out.iter().enumerate() {
                let right = eval(op, Type::I8, aux, [x as u64, u64::from(y), 0]);
                assert_eq!(right, Ok(u64::from(*out)), "{op:?} {aux} {x} {y}");
            }
        }
    }
    assert_eq!(written, (5 * 10 + 10) * LANES);
    for c in 0..=u8::MAX {
        let right = eval(Opcode::Select, Type::I8, 0, [u64::from(c), 1, 2]);
        assert_eq!(right, Ok(u64::from(select(&[c; LANES], &[1; LANES], &[2; LANES])[0])));
    }
}
