//! Three values of 8 bits are 2^24 tuples: both sides of a rule are evaluated for all values of one variable at once.
//!
//! Constants run outside, so that what a rule asks of them is asked once. An operation on bytes is a table. Where the two
//! sides seem to differ, or something traps, the tuple is checked one by one, which also words the complaint.

use super::super::rule::{NodeId, NodeKind, Rule};
use super::algebra::Assignment;
use lir_syntax::ir::{Format, Opcode, Type};
use lir_syntax::semantics::eval;
use std::collections::HashMap;
use std::rc::Rc;

/// The values of one byte.
const LANES: usize = 256;
/// What a table holds where the operation traps.
const TRAP: u16 = u16::MAX;

type Lanes = [u64; LANES];

/// Results of an operation with one or two bytes as operands, by `a << 8 | b`.
type Table = Rc<Vec<u16>>;

/// Whether tuples of these types are checked here.
pub fn are_three_bytes(rule: &Rule, types: &[Type]) -> bool {
    let free = rule.vars.iter().any(|n| matches!(rule.nodes[*n as usize].kind, NodeKind::Var(_)));
    types.len() == 3 && types.iter().all(|t| *t == Type::I8) && free
}

/// Checks a rule for all values; how often its conditions held.
pub fn check_all(a: &mut Assignment<'_>) -> u64 {
    let rule = a.rule;
    let mut vars: Vec<usize> =
        (0..rule.vars.len()).filter(|k| matches!(rule.nodes[rule.vars[*k] as usize].kind, NodeKind::Var(_))).collect();
    let lane = vars.pop().expect("there is a variable");
    let costly = rule.conditions.iter().any(|c| c.is_costly());
    let lanes = vec![[0; LANES]; rule.nodes.len()];
    let mut chunk =
        Chunk { a, lane, lanes, filled: vec![false; rule.nodes.len()], tables: HashMap::new(), traps: false };
    let mut reached = 0;
    for packed in 0..1usize << (8 * rule.consts.len()) {
        (0..rule.consts.len()).for_each(|k| chunk.a.consts[k] = (packed >> (8 * k) & 0xFF) as u64);
        if !chunk.a.conditions_on_constants_hold() {
            continue;
        }
        for packed in 0..1usize << (8 * vars.len()) {
            vars.iter().enumerate().for_each(|(k, v)| chunk.a.vars[*v] = (packed >> (8 * k) & 0xFF) as u64);
            reached += chunk.check(costly);
        }
    }
    reached
}

/// A rule, all of whose values but one are set.
struct Chunk<'a, 'r> {
    a: &'a mut Assignment<'r>,
    /// The variable that has another value in each lane.
    lane: usize,
    /// The values of a node.
    lanes: Vec<Lanes>,
    /// Whether they are those of this chunk.
    filled: Vec<bool>,
    /// By opcode and predicate or type of the result.
    tables: HashMap<(Opcode, u8), Table>,
    /// Whether something trapped.
    traps: bool,
}

impl Chunk<'_, '_> {
    /// How many lanes there are in which the conditions hold. Panics where both sides differ.
    fn check(&mut self, costly: bool) -> u64 {
        let right = self.a.rule.right;
        self.filled.fill(false);
        self.traps = false;
        self.fill(0);
        self.fill(right);
        let same = !self.traps && self.lanes[0] == self.lanes[right as usize];
        if same && !costly {
            return LANES as u64;
        }
        let mut reached = 0;
        for x in 0..LANES {
            self.a.vars[self.lane] = x as u64;
            let holds = if same { self.a.conditions_hold() } else { self.a.check() };
            reached += u64::from(holds);
        }
        reached
    }
    /// Evaluates a node.
    fn fill(&mut self, n: NodeId) {
        if std::mem::replace(&mut self.filled[n as usize], true) {
            return;
        }
        let rule = self.a.rule;
        let node = &rule.nodes[n as usize];
        match &node.kind {
            NodeKind::Var(k) if matches!(rule.nodes[rule.vars[*k as usize] as usize].kind, NodeKind::Op { .. }) => {
                let named = rule.vars[*k as usize];
                self.fill(named);
                self.lanes[n as usize] = self.lanes[named as usize];
            }
            NodeKind::Var(k) if *k as usize == self.lane => {
                self.lanes[n as usize].iter_mut().enumerate().for_each(|(x, lane)| *lane = x as u64);
            }
            NodeKind::Var(k) => self.lanes[n as usize] = [self.a.vars[*k as usize]; LANES],
            NodeKind::Const(e) => {
                let bits = e.bits(self.a.types[node.ty as usize], self.a);
                self.lanes[n as usize] = [bits; LANES];
            }
            NodeKind::Op { op, args, .. } => {
                args.iter().for_each(|arg| self.fill(*arg));
                self.operate(n, *op, args);
            }
        }
    }
    fn operate(&mut self, n: NodeId, op: Opcode, args: &[NodeId]) {
        let node = &self.a.rule.nodes[n as usize];
        let (ty, aux) = (self.a.types[node.annotation as usize], self.a.aux(n));
        let mut out = [0; LANES];
        let of = |k: usize| &self.lanes[args[k] as usize];
        if op.format() == Format::Select {
            let choices = of(0).iter().zip(of(1)).zip(of(2));
            out.iter_mut().zip(choices).for_each(|(o, ((c, x), y))| *o = if *c != 0 { *x } else { *y });
        } else if ty == Type::I8 && (node.ty == node.annotation || op == Opcode::Icmp) {
            let table = Rc::clone(self.tables.entry((op, aux)).or_insert_with(|| table(op, aux, args.len())));
            if args.len() == 1 {
                out.iter_mut().zip(of(0)).for_each(|(o, x)| *o = u64::from(table[(*x as usize) << 8]));
            } else {
                let operands = of(0).iter().zip(of(1));
                out.iter_mut().zip(operands).for_each(|(o, (x, y))| *o = u64::from(table[(x << 8 | y) as usize]));
            }
            self.traps |= out.contains(&u64::from(TRAP));
        } else {
            for (x, o) in out.iter_mut().enumerate() {
                let mut values = [0; 3];
                args.iter().zip(&mut values).for_each(|(arg, value)| *value = self.lanes[*arg as usize][x]);
                match eval(op, ty, aux, values) {
                    Ok(bits) => *o = bits,
                    Err(_) => self.traps = true,
                }
            }
        }
        self.lanes[n as usize] = out;
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
