//! Both sides of a rule for all values, 2^32 tuples of them at most.
//!
//! There is a loop for each constant, then one for each variable; the last variable that is a byte is not looped over:
//! it has its values in 256 [`Lanes`]. If none is a byte, one has its low byte there. A node is computed in the loop of
//! the innermost value that it depends on. A condition about constants is tested in the loop of the last constant that
//! it mentions; if it does not hold, all inner loops are skipped. Four bytes are 2^24 iterations of a few vector
//! instructions each, which are distributed to threads by the values of the outermost loop. If the two sides seem to
//! differ, or something traps, the tuple is checked alone, which also produces the error message.
//!
//! Five bytes are too many. But if both sides read two variables only inside of operations on these two, as in
//! `select(icmp(P, x, y), a, select(icmp(inv(P), x, y), b, c))`, each side, unless it is one of the two itself, is a
//! function of the results of these operations and of the other values. So one loop is over pairs (x, y), one for each
//! combination of results of any of the 2^16 pairs: that proves the same as all values of all five.
//!
//! All lanes are skipped if a condition holds for none of them ([`blocks`](super::blocks)).
//!
//! Three bytes and more of some hundred rules take minutes. So unless `LIR_THOROUGH` is set, as CI does, such a rule is
//! checked with a part of the values of the outermost loop, of the next one too if there are four bytes, and so on: the
//! boundaries and one in 16.

use super::super::rules::constants::{Comparison, Condition, Expr, Values};
use super::super::rules::rule::{NodeId, NodeKind, Rule, TypeClass};
use super::algebra::{Assignment, assign, value_types};
use super::blocks::{Block, list_filters};
use super::coverage::{Coverage, coverage};
use super::lanes::{Lanes, origin};
use super::operations::LANES;
use super::read_rule;
use super::samples::{Rng, for_each_tuple};
use lir_random::extent::few_or_all;
use lir_syntax::ir::Type;
use std::collections::BTreeMap;
use std::panic::{catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// Counts the tuples of values for which the conditions about constants alone hold. Of variables of more than 64 bits
/// these are just many. More than 2^24 tuples of constants are counted as if the conditions held for all.
pub fn count_tuples(a: &Assignment<'_>) -> u128 {
    let types = value_types(a.rule, a.types);
    // The variables come first.
    let of_vars: u32 = types[..types.len() - a.rule.consts.len()].iter().map(|t| t.bits()).sum();
    let limits: Vec<u64> = (0..a.rule.consts.len()).map(|k| limit(a, k as u8)).collect();
    let of_consts = limits.iter().try_fold(1u64, |product, limit| product.checked_mul(*limit));
    let Some(of_consts) = of_consts.filter(|_| of_vars <= 64) else { return u128::MAX };
    if of_consts > 1 << 24 {
        return u128::from(of_consts) << of_vars;
    }
    let mut a = a.clone();
    ((0..of_consts).filter(|packed| constants_hold(&mut a, &limits, *packed)).count() as u128) << of_vars
}

/// True if there are constants for which the conditions hold that are about constants alone.
pub fn constants_may_hold(a: &Assignment<'_>) -> bool {
    let limits: Vec<u64> = (0..a.rule.consts.len()).map(|k| limit(a, k as u8)).collect();
    let of_consts = limits.iter().fold(1u64, |product, limit| product.saturating_mul(*limit));
    let mut a = a.clone();
    (0..of_consts).any(|packed| constants_hold(&mut a, &limits, packed))
}

/// True if the conditions about constants alone hold for a tuple of them, each below its limit.
fn constants_hold(a: &mut Assignment<'_>, limits: &[u64], packed: u64) -> bool {
    let mut rest = packed;
    for (c, limit) in a.consts.iter_mut().zip(limits) {
        *c = rest % limit;
        rest /= limit;
    }
    a.rule.conditions.iter().filter(|c| !c.is_costly()).all(|c| c.holds(a))
}

/// Returns the upper bound of a constant. It comes from the number of its bits, or from conditions `C < expression`,
/// `<=` or `==` about no other constant.
fn limit(a: &Assignment<'_>, k: u8) -> u64 {
    let mut a = a.clone();
    let rule = a.rule;
    let of_condition = |c: &Condition| {
        let Condition::Compare(comparison, Expr::Const(this), e) = c else { return None };
        let above = match comparison {
            Comparison::Lt => 0,
            Comparison::Eq | Comparison::Le => 1,
            Comparison::Ne | Comparison::Gt | Comparison::Ge => return None,
        };
        let mut others = Vec::new();
        list_constants(e, &mut others);
        let limit = |n: i128| u64::try_from(n.max(1)).unwrap_or(u64::MAX);
        (*this == k && others.is_empty()).then(|| limit(e.number(&mut a) + above))
    };
    let of_conditions = rule.conditions.iter().filter(|c| !c.is_costly()).filter_map(of_condition).min();
    let bits = a.types[rule.nodes[rule.consts[k as usize] as usize].ty as usize].bits();
    of_conditions.unwrap_or(u64::MAX).min(1u64.checked_shl(bits).unwrap_or(u64::MAX))
}

/// The part of the values that is checked for a rule with very many tuples.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Portion {
    /// All tuples.
    All,
    /// A part of the values of one constant or variable, or of as many as leave fewer than 2^24 tuples, with all values
    /// of the others.
    Sample,
}

impl Portion {
    /// Returns the portion that a run of the tests checks.
    pub fn of_this_run() -> Portion {
        few_or_all(Portion::Sample, Portion::All)
    }
    /// Returns true if a value of two bytes at most is checked, if it is one of very many.
    pub fn has(self, value: u64) -> bool {
        let is_sampled = |byte: u64| SAMPLED.contains(&byte) || byte % 32 == 11;
        self == Portion::All || is_sampled(value & 0xff) && is_sampled(value >> 8)
    }
    /// Returns true if the tuple with this number is checked with one of this many choices of predicates. In a sample
    /// each tuple has some of them, and each of them has tuples of all kinds.
    pub fn has_tuple(self, number: u64, (choice, choices): (usize, usize)) -> bool {
        let shares = choices.clamp(4, 24) as u64;
        let share = (number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) % shares;
        self == Portion::All || share == choice as u64 % shares
    }
}

/// Checks a rule for all values, and returns how often its conditions were seen to hold.
pub fn check_all(a: &Assignment<'_>) -> u64 {
    check_portion(a, Portion::All)
}

/// Checks a rule for a portion of its values, and returns how often its conditions were seen to hold.
pub fn check_portion(a: &Assignment<'_>, portion: Portion) -> u64 {
    let mut order = LoopOrder::new(a);
    if portion == Portion::Sample {
        order.take_sample();
    }
    let order = order;
    let next = AtomicU64::new(0);
    let run = || {
        let lanes = Lanes::new(a.clone(), order.lane);
        let mut run = Run { order: &order, lanes, next: &next, reached: 0 };
        run.enter(0);
        run.reached
    };
    thread::scope(|scope| {
        let threads = thread::available_parallelism().map_or(1, |n| n.get());
        let parts: Vec<_> = (0..threads).map(|_| scope.spawn(run)).collect();
        parts.into_iter().map(|p| p.join().unwrap_or_else(|e| resume_unwind(e))).sum()
    })
}

/// The variable that a loop gives values to.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Unknown {
    Const(u8),
    Var(u8),
}

/// A loop.
#[derive(Default)]
struct Loop<'r> {
    unknowns: Vec<Unknown>,
    /// The values that these unknowns take.
    iterations: Iterations,
    /// The conditions that the constants of this loop and the outer loops decide.
    conditions: Vec<&'r Condition>,
    /// The nodes that change here, operands first.
    nodes: Vec<NodeId>,
}

/// The values that one unknown or two take.
#[derive(Clone)]
enum Iterations {
    /// This many multiples of a step, from 0.
    Multiples {
        count: u64,
        of: u64,
    },
    Pairs(Vec<[u64; 2]>),
}

impl Default for Iterations {
    /// A single one.
    fn default() -> Iterations {
        Iterations::Multiples { count: 1, of: 1 }
    }
}

impl Iterations {
    fn all(ty: Type) -> Iterations {
        Iterations::Multiples { count: 1 << ty.bits(), of: 1 }
    }
    fn count(&self) -> u64 {
        match self {
            Iterations::Multiples { count, .. } => *count,
            Iterations::Pairs(pairs) => pairs.len() as u64,
        }
    }
    fn values(&self, iteration: u64) -> [u64; 2] {
        match self {
            Iterations::Multiples { of, .. } => [iteration * of, 0],
            Iterations::Pairs(pairs) => pairs[iteration as usize],
        }
    }
}

/// The order in which the values of a rule are enumerated.
struct LoopOrder<'r> {
    /// The outermost first, which has one iteration, for nodes that depend on no other.
    loops: Vec<Loop<'r>>,
    /// The variable that the lanes belong to.
    lane: usize,
    /// The roots of both sides.
    roots: [NodeId; 2],
    /// All operations.
    operations: Vec<NodeId>,
    /// True if conditions depend on variables.
    asks_variables: bool,
    /// The nodes that depend only on the variable in the lanes.
    filters: Vec<&'r Condition>,
}

impl<'r> LoopOrder<'r> {
    fn new(a: &Assignment<'r>) -> LoopOrder<'r> {
        let rule = a.rule;
        let roots = [0, origin(rule, rule.right)];
        let mut nodes = Vec::new();
        roots.iter().for_each(|n| list_operands_first(rule, *n, &mut nodes));
        let mut vars: Vec<u8> = (0..rule.vars.len() as u8).filter(|k| is_free(rule, *k)).collect();
        let mut loops = vec![Loop::default()];
        for k in 0..rule.consts.len() as u8 {
            let iterations = Iterations::Multiples { count: limit(a, k), of: 1 };
            loops.push(Loop { unknowns: vec![Unknown::Const(k)], iterations, ..Loop::default() });
        }
        let together = if vars.len() + rule.consts.len() > 4 { pairs(a, &vars, &nodes) } else { None };
        if let Some(Loop { unknowns, .. }) = &together {
            vars.retain(|k| !unknowns.contains(&Unknown::Var(*k)));
        }
        let ty = |k: u8| a.type_of_var(k);
        let lane = vars.remove(vars.iter().rposition(|k| ty(*k) == Type::I8).unwrap_or(vars.len() - 1));
        let single = |k: u8, iterations| Loop { unknowns: vec![Unknown::Var(k)], iterations, ..Loop::default() };
        loops.extend(vars.iter().map(|k| single(*k, Iterations::all(ty(*k)))));
        if ty(lane) != Type::I8 {
            let of = LANES as u64;
            loops.push(single(lane, Iterations::Multiples { count: (ty(lane).as_word().mask() >> 8) + 1, of }));
        }
        loops.extend(together);
        assert!(loops.len() <= 4, "{}: too many values", rule.text);
        let mut order = LoopOrder {
            loops,
            lane: lane as usize,
            roots,
            operations: nodes.iter().copied().filter(|n| rule.nodes[*n as usize].op().is_some()).collect(),
            asks_variables: rule.conditions.iter().any(Condition::is_costly),
            filters: list_filters(rule, lane as usize),
        };
        order.place_conditions(rule);
        order.place_nodes(rule, &nodes);
        order
    }
    /// Leaves loops over all values of a type a part of them, from the outermost one on, while there are 2^24 tuples
    /// or more.
    fn take_sample(&mut self) {
        for k in 0..self.loops.len() {
            let iterations: u64 = self.loops.iter().map(|l| l.iterations.count()).product();
            let of_loop = &mut self.loops[k].iterations;
            if iterations >= 1 << 16 && of_loop.count() >= LANES as u64 {
                let taken = (0..of_loop.count()).filter(|k| Portion::Sample.has(*k));
                *of_loop = Iterations::Pairs(taken.map(|k| of_loop.values(k)).collect());
            }
        }
    }
    /// The number of a loop.
    fn loop_of(&self, unknown: Unknown) -> usize {
        self.loops.iter().position(|l| l.unknowns.contains(&unknown)).unwrap_or(0)
    }
    fn innermost(&self, unknowns: &[Unknown]) -> usize {
        unknowns.iter().map(|p| self.loop_of(*p)).max().unwrap_or(0)
    }
    fn place_conditions(&mut self, rule: &'r Rule) {
        for c in rule.conditions.iter().filter(|c| !c.is_costly()) {
            let mut unknowns = Vec::new();
            if let Condition::Compare(_, a, b) = c {
                list_constants(a, &mut unknowns);
                list_constants(b, &mut unknowns);
            }
            let at = self.innermost(&unknowns);
            self.loops[at].conditions.push(c);
        }
    }
    fn place_nodes(&mut self, rule: &Rule, nodes: &[NodeId]) {
        let mut at = vec![0; rule.nodes.len()];
        for n in nodes {
            let loop_of_node = match &rule.nodes[*n as usize].kind {
                NodeKind::Var(k) => self.loop_of(Unknown::Var(*k)),
                NodeKind::Const(e) => {
                    let mut unknowns = Vec::new();
                    list_constants(e, &mut unknowns);
                    self.innermost(&unknowns)
                }
                NodeKind::Op { args, .. } => args.iter().map(|arg| at[origin(rule, *arg) as usize]).max().unwrap_or(0),
            };
            at[*n as usize] = loop_of_node;
            self.loops[loop_of_node].nodes.push(*n);
        }
    }
}

/// True if a variable is none that names an operation.
fn is_free(rule: &Rule, var: u8) -> bool {
    matches!(rule.nodes[rule.vars[var as usize] as usize].kind, NodeKind::Var(_))
}

/// Lists the operands of a node, recursively, and the node.
fn list_operands_first(rule: &Rule, n: NodeId, list: &mut Vec<NodeId>) {
    rule.args(n).iter().for_each(|arg| list_operands_first(rule, origin(rule, *arg), list));
    if !list.contains(&n) {
        list.push(n);
    }
}

/// Lists the constants that an expression mentions.
pub fn list_constants(e: &Expr, list: &mut Vec<Unknown>) {
    match e {
        Expr::Const(k) => list.push(Unknown::Const(*k)),
        Expr::Call(_, _, a) => list_constants(a, list),
        Expr::Holds(_, _, operands) | Expr::Binary(_, operands) => {
            list_constants(&operands.0, list);
            list_constants(&operands.1, list);
        }
        Expr::Interval(_, _, comparisons) => {
            comparisons.iter().flat_map(|c| [&c.constant, &c.added]).for_each(|e| list_constants(e, list));
        }
        Expr::Bound(..) => panic!("a constant that depends on a variable"),
        Expr::Int(_) | Expr::Float(_) | Expr::Width(_) | Expr::Least(_) | Expr::Greatest(_) => {}
    }
}

/// A loop over two variables that are read only by operations on these two: a pair for each combination of results.
fn pairs<'r>(a: &Assignment<'r>, vars: &[u8], nodes: &[NodeId]) -> Option<Loop<'r>> {
    let rule = a.rule;
    let choices = vars.iter().flat_map(|x| vars.iter().map(move |y| (*x, *y))).filter(|(x, y)| x < y);
    let is_byte = |var: u8| a.type_of_var(var) == Type::I8;
    let fits = |var: u8| is_byte(var) && !rule.conditions.iter().any(|c| c.mentions(var));
    for (x, y) in choices.filter(|(x, y)| fits(*x) && fits(*y)) {
        let is_one = |n: NodeId| matches!(rule.nodes[n as usize].kind, NodeKind::Var(k) if k == x || k == y);
        let of_both = |n: NodeId| rule.args(n).len() == 2 && rule.args(n).iter().all(|n| is_one(*n));
        let reads_one = |n: NodeId| rule.args(n).iter().any(|n| is_one(*n));
        let readers: Vec<NodeId> = nodes.iter().copied().filter(|n| reads_one(*n)).collect();
        let is_side = [0, origin(rule, rule.right)].into_iter().any(is_one);
        if is_side || readers.is_empty() || !readers.iter().all(|n| of_both(*n)) {
            continue;
        }
        let mut a = a.clone();
        let mut found = BTreeMap::new();
        for (p, q) in (0..LANES as u64).flat_map(|p| (0..LANES as u64).map(move |q| (p, q))) {
            (a.vars[x as usize], a.vars[y as usize]) = (p, q);
            let results = readers.iter().map(|n| a.value(*n).expect("it does not trap"));
            found.entry(results.collect::<Vec<u64>>()).or_insert([p, q]);
        }
        let unknowns = vec![Unknown::Var(x), Unknown::Var(y)];
        return Some(Loop {
            unknowns,
            iterations: Iterations::Pairs(found.into_values().collect()),
            ..Loop::default()
        });
    }
    None
}

/// The values that every sample has: the boundaries of bytes, signed and unsigned.
const SAMPLED: [u64; 8] = [0, 1, 2, 0x7f, 0x80, 0x81, 0xfe, 0xff];

/// The number of iterations of the outermost loop that a thread takes at a time.
const TAKEN: u64 = 16;

/// A thread's part of the work.
struct Run<'p, 'r> {
    order: &'p LoopOrder<'r>,
    lanes: Lanes<'r>,
    /// The first iteration of the outermost loop that no thread has taken.
    next: &'p AtomicU64,
    reached: u64,
}

impl Run<'_, '_> {
    /// Runs a loop and the loops inside. There are four at most.
    fn enter(&mut self, at: usize) {
        let order = self.order;
        let Some(this) = order.loops.get(at) else { return self.compare() };
        let count = this.iterations.count();
        if at != 1 {
            return (0..count).for_each(|iteration| self.run(at, iteration));
        }
        loop {
            let first = self.next.fetch_add(TAKEN, Ordering::Relaxed);
            if first >= count {
                return;
            }
            (first..count.min(first + TAKEN)).for_each(|iteration| self.run(at, iteration));
        }
    }
    /// Runs one iteration of a loop.
    fn run(&mut self, at: usize, iteration: u64) {
        let this = &self.order.loops[at];
        for (unknown, x) in this.unknowns.iter().zip(this.iterations.values(iteration)) {
            match unknown {
                Unknown::Const(k) => self.lanes.a.consts[*k as usize] = x,
                Unknown::Var(k) => self.lanes.a.vars[*k as usize] = x,
            }
        }
        if this.conditions.iter().all(|c| c.holds(&mut self.lanes.a)) {
            this.nodes.iter().for_each(|n| self.lanes.fill(*n));
            self.enter(at + 1);
        }
    }
    /// Compares both sides in all lanes. Panics if they differ.
    fn compare(&mut self) {
        let order = self.order;
        let mut block = Block { a: &mut self.lanes.a, lane: order.lane };
        if !order.filters.iter().all(|c| c.holds(&mut block)) {
            return;
        }
        let [left, right] = order.roots;
        let traps = order.operations.iter().any(|n| self.lanes.traps(*n));
        // One tuple for which the conditions hold is enough: they are tested for each only if it matters.
        let known = !order.asks_variables || self.reached > 0;
        if !traps && known && self.lanes.are_same(left, right) {
            self.reached += if order.asks_variables { 0 } else { LANES as u64 };
            return;
        }
        let above = self.lanes.a.vars[order.lane];
        for x in 0..LANES {
            if traps || !known || self.lanes.at(left, x) != self.lanes.at(right, x) {
                self.lanes.a.vars[order.lane] = above | x as u64;
                self.reached += u64::from(self.lanes.a.check());
            }
        }
        self.lanes.a.vars[order.lane] = above;
    }
}

/// The types of a rule, bytes if it permits several.
fn types_of(rule: &Rule) -> Vec<Type> {
    let of = |class: &TypeClass| match class {
        TypeClass::Fixed(ty) => *ty,
        TypeClass::At(_) | TypeClass::Half(_) => Type::I8,
    };
    rule.types.iter().map(of).collect()
}

/// Returns the number of tuples that are tried for a rule.
fn count(text: &'static str) -> u64 {
    let rule = read_rule(text);
    check_all(&Assignment::new(&rule, &types_of(&rule)))
}

/// Rules of 2^32 tuples are counted in CI alone.
#[test]
fn no_tuple_is_left_out() {
    if Portion::of_this_run() == Portion::All {
        assert_eq!(count("add(add(x, y), add(z, w)) => add(add(x, z), add(y, w))"), 1 << 32);
        assert_eq!(count("add(and(x, C1), and(y, C2)) => add(and(y, C2), and(x, C1))"), 1 << 32);
    }
    assert_eq!(count("xor(and(x, C1), and(y, C2)) => and(xor(x, y), C1) if C1 == C2"), 1 << 24);
    assert_eq!(count("xor(and(x, C1), and(y, C2)) => and(xor(x, y), C1) if C1 == C2, C1 < 3"), 3 << 16);
    assert_eq!(count("udiv(udiv(x, y), z) => udiv(udiv(x, y), z)"), 1 << 24);
    assert_eq!(count("lshr(x:i8, C) => lshr(x:i8, C) if C < W, C < 5"), 5 << 8);
    // 256 constants of 65,536.
    assert_eq!(count("trunc:i8(and(x:i16, C)) => trunc:i8(x) if C & 0xff == 0xff"), 1 << 24);
}

#[test]
fn a_sample_has_all_values_but_those_of_some_unknowns() {
    let count = |text: &'static str| {
        let rule = read_rule(text);
        check_portion(&Assignment::new(&rule, &types_of(&rule)), Portion::Sample)
    };
    // 8 boundaries, and 8 values between.
    assert_eq!(count("add(add(x, y), add(z, w)) => add(add(x, z), add(y, w))"), (16 * 16 * 16) << 8);
    assert_eq!(count("udiv(udiv(x, y), z) => udiv(udiv(x, y), z)"), 16 << 16);
    assert_eq!(count("add(and(x, C1), and(y, C2)) => add(and(y, C2), and(x, C1))"), (16 * 16 * 16) << 8);
    assert_eq!(count("and(x:i16, C) => and(C, x)"), (16 * 16 * 16) << 8);
    // Less than three bytes are not many.
    assert_eq!(count("xor(x, and(y, 7)) => xor(and(y, 7), x)"), 1 << 16);
}

/// Rules that are wrong for one tuple, or for as many as two equal ones are, and that tuple.
const WRONG: [(&str, &str); 5] = [
    ("and(icmp(eq, x:i16, 0x5ba3), icmp(eq, y:i16, 0x6dd3)) => 0", "vars [5ba3, 6dd3] constants []"),
    (
        "and(and(icmp(eq, x, 0x5b), icmp(eq, y, 0xa3)), and(icmp(eq, z, 0x6d), icmp(eq, w, 0xd3))) => 0",
        "vars [5b, a3, 6d, d3] constants []",
    ),
    ("and(icmp(eq, x, C1), icmp(eq, y, C2)) => 0 if C1 == 0x5b, C2 == 0xa3", "vars [5b, a3] constants [5b, a3]"),
    ("add(and(icmp(eq, x, 0x5b), icmp(eq, y, C1)), C2) => C2 if C1 == 0xa3", "vars [5b, a3] constants [a3, 0]"),
    (
        "and(and(icmp(eq, x, y), icmp(eq, z, 0x5b)), and(icmp(eq, v, 0xa3), icmp(eq, w, 0x6d))) => 0",
        "vars [0, 0, 5b, a3, 6d] constants []",
    ),
];

#[test]
fn pairs_do_not_replace_all_if_a_side_is_one_of_the_two() {
    let rule = read_rule("and(and(and(mul(a, add(a, 1)), 1), icmp(eq, x, y)), and(b, c)) => x");
    assert!(catch_unwind(|| check_all(&Assignment::new(&rule, &types_of(&rule)))).is_err());
}

#[test]
fn a_wrong_rule_is_found_by_the_one_tuple_that_it_is_wrong_for() {
    for (text, tuple) in WRONG.iter().take(few_or_all(1, WRONG.len())) {
        let rule = read_rule(text);
        let types = types_of(&rule);
        let a = Assignment::new(&rule, &types);
        let coverage = coverage(&rule).into_iter().find(|c| c.0 == types);
        assert_eq!(coverage.map(|c| c.1), Some(Coverage::Loops), "{text}");
        // Samples do not reach it.
        let mut sampled = a.clone();
        for_each_tuple(&value_types(&rule, &types), &mut Rng(1), |values| {
            assign(&mut sampled, values);
            sampled.check();
        });
        let complaint = catch_unwind(|| check_all(&a)).expect_err(text);
        let complaint = complaint.downcast::<String>().expect("it is in words");
        assert!(complaint.contains(tuple), "{complaint}");
    }
}
