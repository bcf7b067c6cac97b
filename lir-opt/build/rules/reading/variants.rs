//! The variants of a rule, and the tables to find the matching ones ([`super::index`]).

use super::constants::{Bound, Comparison, Condition, Expr, Func, TypeId, Values};
use super::index::{
    LEAST, NUM_CLASSES, ONE, OTHER_CONSTANT, POWER_OF_TWO, PROMISED, Variant, ZERO, class_of, class_of_constant,
    operand_slot,
};
use super::predicates::members;
use super::rule::{NodeId, NodeKind, Pred, Rule, TypeClass, makes_quiet};
use lir_opcodes::{Effects, FloatCC, Format, IntCC, Opcode, Predicate, Promises, Type, TypeRule};

const ANY: u128 = u128::MAX;
/// All classes of constants.
const CONSTANTS: u128 = (2 << OTHER_CONSTANT) - (1 << ZERO);

/// Returns the number of keys of an opcode: one for each predicate of a comparison.
fn num_keys(op: Opcode) -> usize {
    match op {
        Opcode::Icmp => IntCC::ALL.len(),
        Opcode::Fcmp => FloatCC::ALL.len(),
        _ => 1,
    }
}

/// A [`super::index::Table`] before it is written.
pub(crate) struct NewTable {
    pub variants: Vec<Variant>,
    pub allowed: Vec<u128>,
    pub same: u128,
}

/// For each key of an opcode its tables. `rules` all have this opcode at the root.
pub(crate) fn tables_by_key(op: Opcode, rules: &[Rule]) -> Vec<Vec<NewTable>> {
    let mut by_key: Vec<Vec<Variant>> = vec![Vec::new(); num_keys(op)];
    for (k, rule) in rules.iter().enumerate() {
        for exchanged in exchanges(rule) {
            let variant = Variant { rule: k as u16, exchanged };
            for_each_key(rule, exchanged & 1 != 0, |key| by_key[key].push(variant));
        }
    }
    let tables = |variants: &Vec<Variant>| variants.chunks(128).map(|chunk| NewTable::new(rules, chunk)).collect();
    by_key.iter().map(tables).collect()
}

impl NewTable {
    fn new(rules: &[Rule], variants: &[Variant]) -> NewTable {
        let mut table = NewTable { variants: variants.to_vec(), allowed: vec![0; NUM_CLASSES * 3], same: 0 };
        // Variants that allow every class are entered at once, at the end.
        let mut any = [0u128; 3];
        for (bit, v) in variants.iter().enumerate() {
            let rule = &rules[v.rule as usize];
            for (operand, any) in any.iter_mut().enumerate() {
                let mut classes = ANY;
                if operand < rule.args(0).len() {
                    let slot = operand_slot(0, operand as u8, v.exchanged);
                    classes = classes_of(rule, rule.args(0)[slot as usize]);
                }
                if classes == ANY {
                    *any |= 1 << bit;
                    continue;
                }
                while classes != 0 {
                    table.allowed[classes.trailing_zeros() as usize * 3 + operand] |= 1 << bit;
                    classes &= classes - 1;
                }
            }
            if wants_same(rule) {
                table.same |= 1 << bit;
            }
        }
        for (k, allowed) in table.allowed.iter_mut().enumerate() {
            *allowed |= any[k % 3];
        }
        table
    }
}

/// Returns the classes that a node of a left side allows.
fn classes_of(rule: &Rule, n: NodeId) -> u128 {
    match &rule.nodes[n as usize].kind {
        NodeKind::Op { op, .. } => 1 << class_of(*op),
        NodeKind::Var(k) => classes_of_var(rule, *k),
        NodeKind::Const(Expr::Const(k)) if asks_power_of_two(rule, *k) => 1 << ONE | 1 << LEAST | 1 << POWER_OF_TWO,
        NodeKind::Const(Expr::Const(_) | Expr::Float(_)) => CONSTANTS,
        NodeKind::Const(e) => {
            // A literal, at each type that it may have.
            let class = |ty: Type| class_of_constant(ty.as_word(), e.bits(ty, &mut OneType(ty)));
            Type::OF_WORDS.iter().filter(|t| t.is_int()).fold(0, |set, ty| set | 1 << class(*ty))
        }
    }
}

/// Returns the classes of a variable for which the conditions may hold: only classes with known bits if these are
/// queried.
fn classes_of_var(rule: &Rule, var: u8) -> u128 {
    let mut classes = ANY;
    for c in rule.all_conditions().filter(|c| c.is_costly() && c.mentions(var)) {
        let asks_quiet = *c == Condition::Quiet(var);
        let fits = |op: &&Opcode| if asks_quiet { makes_quiet(**op) } else { may_know(**op) };
        let others = if asks_quiet { CONSTANTS } else { CONSTANTS | 1 << PROMISED };
        classes &= Opcode::ALL.iter().filter(fits).fold(others, |set, op| set | 1 << class_of(*op));
    }
    classes
}

/// True if the analysis of known bits may derive bits of the results of an operation ([`crate::analysis::known_bits`]).
fn may_know(op: Opcode) -> bool {
    match op.format() {
        Format::Const | Format::Select | Format::Phi | Format::Compare => true,
        Format::Unary | Format::Binary => op.info().types.allows(Type::I64),
        Format::Convert => matches!(op.info().types, TypeRule::Widen | TypeRule::Narrow),
        _ => false,
    }
}

/// A literal has a type and nothing else.
struct OneType(Type);

impl Values for OneType {
    fn constant(&mut self, _: u8) -> u64 {
        0
    }
    fn ty(&self, _: TypeId) -> Type {
        self.0
    }
    fn bound(&mut self, _: Bound, _: u8) -> i128 {
        0
    }
    fn known(&mut self, _: u8) -> (u64, u64) {
        (0, 0)
    }
    fn are_distinct(&mut self, _: u8, _: u8) -> bool {
        false
    }
    fn is_quiet(&mut self, _: u8) -> bool {
        false
    }
    fn is_read_once(&self, _: u8) -> bool {
        false
    }
    fn is_promised(&mut self, _: Promises, _: u8) -> bool {
        false
    }
    fn predicate(&self, _: u8) -> Predicate {
        Predicate::Int(IntCC::Eq)
    }
    fn type_of_var(&self, _: u8) -> Type {
        self.0
    }
}

fn for_each_key(rule: &Rule, exchanged: bool, mut f: impl FnMut(usize)) {
    let NodeKind::Op { op, pred, .. } = rule.nodes[0].kind else { return };
    let mut key = |p: Predicate| f(usize::from(if exchanged { p.swapped() } else { p }.index()));
    match pred {
        Pred::None => f(0),
        Pred::Is(p) => key(p),
        Pred::Bind(_, set) => members(op, set).for_each(key),
        Pred::Of(..) | Pred::Two(..) => unreachable!("the predicate of the root is bound there"),
    }
}

fn asks_power_of_two(rule: &Rule, k: u8) -> bool {
    let asks = |c: &Condition| match c {
        Condition::Compare(Comparison::Ne, Expr::Call(Func::Pow2, _, argument), Expr::Int(0)) => {
            **argument == Expr::Const(k)
        }
        _ => false,
    };
    rule.all_conditions().any(asks)
}

/// True if the root requires the same variable twice.
fn wants_same(rule: &Rule) -> bool {
    let kind = |k: usize| rule.args(0).get(k).map(|n| &rule.nodes[*n as usize].kind);
    matches!((kind(0), kind(1)), (Some(NodeKind::Var(x)), Some(NodeKind::Var(y))) if x == y)
}

/// Returns the different exchanges of operands on the left side of a rule.
pub(crate) fn exchanges(rule: &Rule) -> Vec<u32> {
    let mut all = vec![0];
    for n in 0..rule.left as NodeId {
        if is_symmetric_in_rule(rule, n) {
            let more: Vec<u32> = all.iter().map(|e| e | 1 << n).collect();
            all.extend(more);
        }
    }
    let mut seen = Vec::new();
    all.retain(|exchanged| {
        let shape = Shape::of(rule, *exchanged);
        let is_new = !seen.contains(&shape);
        seen.push(shape);
        is_new
    });
    all
}

/// A left side with operands exchanged, its names numbered in order: two orders with the same shape match the same
/// instructions, as `or(and(x, y), and(x, z))` does with the operands of `or` exchanged.
#[derive(PartialEq, Default)]
struct Shape {
    /// For each operation its opcode, for each leaf its kind. Then its other distinguishing data.
    nodes: Vec<(u16, i128)>,
    /// The names, in order of occurrence.
    names: Vec<Name>,
}

#[derive(Copy, Clone, PartialEq)]
enum Name {
    Var(u8),
    Const(u8),
    Pred(u8, bool),
}

impl Shape {
    fn of(rule: &Rule, exchanged: u32) -> Shape {
        let mut shape = Shape::default();
        shape.visit(rule, 0, exchanged);
        // The outcomes of a combination of predicates are the same for exchanged predicates, and for exchanged
        // operands. For other conditions, including those on types, that is not known: the names must be the same.
        let asks_no_names = rule.all_conditions().all(|c| matches!(c, Condition::Outcomes(..)));
        let any_type = rule.types.iter().all(|t| matches!(t, TypeClass::At(_) | TypeClass::Fixed(Type::I8)));
        if asks_no_names && any_type && rule.type_checks.is_empty() && rule.ints.is_empty() {
            shape.names.clear();
        }
        shape
    }
    fn visit(&mut self, rule: &Rule, n: NodeId, exchanged: u32) {
        const CONSTANT: u16 = u16::MAX;
        const VARIABLE: u16 = u16::MAX - 1;
        const NAME: u16 = u16::MAX - 2;
        match &rule.nodes[n as usize].kind {
            NodeKind::Var(k) => {
                let number = self.number(Name::Var(*k));
                self.nodes.push((VARIABLE, number));
            }
            NodeKind::Const(Expr::Const(k)) => {
                let number = self.number(Name::Const(*k));
                self.nodes.push((CONSTANT, number));
            }
            // Literals have no names; where two differ, so do their positions in the rule.
            NodeKind::Const(_) => self.nodes.push((CONSTANT, -1 - i128::from(n))),
            NodeKind::Op { op, pred, args } => {
                if let Some(k) = rule.vars.iter().position(|v| *v == n) {
                    let number = self.number(Name::Var(k as u8));
                    self.nodes.push((NAME, number));
                }
                let swapped = exchanged >> n & 1 != 0;
                let pred = self.predicate(*op, *pred, swapped);
                self.nodes.push((*op as u16, pred));
                for k in 0..args.len() as u8 {
                    let slot = if k < 2 { operand_slot(n, k, exchanged) } else { k };
                    self.visit(rule, args[slot as usize], exchanged);
                }
            }
        }
    }
    /// Returns the predicates that a comparison may have in the text, operands exchanged or not.
    fn predicate(&mut self, op: Opcode, pred: Pred, swapped: bool) -> i128 {
        let number = |p: Predicate| if swapped { p.swapped() } else { p }.index();
        match pred {
            Pred::None | Pred::Two(..) => 0,
            Pred::Is(p) => i128::from(number(p)),
            Pred::Bind(k, set) => {
                self.names.push(Name::Pred(k, swapped));
                members(op, set).fold(1 << 20, |all, p| all | 1 << number(p))
            }
            // All functions of predicates may as well be applied before the exchange.
            Pred::Of(function, k) => {
                let bound = self.names.iter().find_map(|n| match n {
                    Name::Pred(l, swapped) if *l == k => Some(*swapped),
                    _ => None,
                });
                1 << 40 | i128::from(function as u8) << 20 | i128::from(k) << 1 | i128::from(bound != Some(swapped))
            }
        }
    }
    fn number(&mut self, name: Name) -> i128 {
        let k = self.names.iter().position(|n| *n == name).unwrap_or(self.names.len());
        if k == self.names.len() {
            self.names.push(name);
        }
        k as i128
    }
}

/// True if an operation has symmetric operands whose order matters to the rule.
fn is_symmetric_in_rule(rule: &Rule, n: NodeId) -> bool {
    let NodeKind::Op { op, args, .. } = &rule.nodes[n as usize].kind else { return false };
    let commutes = op.effects().has(Effects::COMMUTATIVE) || op.format() == Format::Compare;
    let [a, b] = args[..] else { return false };
    let (x, y) = (&rule.nodes[a as usize].kind, &rule.nodes[b as usize].kind);
    // Constants are made second operands before rules are tried.
    if !commutes || matches!(y, NodeKind::Const(_)) {
        return false;
    }
    match (x, y) {
        (NodeKind::Var(x), NodeKind::Var(y)) => x != y && !(is_free(rule, *x) && is_free(rule, *y)),
        _ => true,
    }
}

/// True if a variable occurs once on the left side and in no condition.
fn is_free(rule: &Rule, var: u8) -> bool {
    let here = rule.nodes[..rule.left].iter().filter(|n| n.kind == NodeKind::Var(var)).count();
    here == 1 && !rule.all_conditions().any(|c| c.mentions(var))
}
