//! Every rule is applied by the pass: its left side is written as a function, with masks before the variables that make
//! its conditions hold, and the function is run before and after.

use super::super::rules::constants::{Bound, Condition, TypeId, Values};
use super::super::rules::reading::variants::exchanges;
use super::super::rules::rule::{NodeId, NodeKind, Rule};
use super::algebra::{Assignment, assign, value_types};
use super::coverage::pred_choices;
use super::samples::{Rng, special};
use super::type_choices;
use crate::analysis::known_bits::Bits;
use crate::{Pipeline, RunOptions, optimize_verified};
use lir_syntax::ir::{Format, Function, InstData, Module, Opcode, Operand, Param, Predicate, Promises, Type};
use lir_syntax::semantics::{Trap, compare, eval, float};
use std::fmt::Write;

/// Number of times a rule is tried at most for each choice of types and predicates.
const ATTEMPTS: usize = 60;
/// Number of times it has to be applied for each choice of types, before the next is tried.
const ENOUGH: usize = 2;

/// A rule with its constants, and for each variable the operations before it: `ashr(x, shift) & and | or`, and a phi
/// that rules do not see through.
struct Instance<'a> {
    a: Assignment<'a>,
    /// The operations that are written with their operands exchanged.
    exchanged: u32,
    masks: Vec<(u32, u64, u64)>,
}

/// The conditions as the pass will see them at least: it knows limits, too.
impl Values for Instance<'_> {
    fn constant(&mut self, k: u8) -> u64 {
        self.a.constant(k)
    }
    fn ty(&self, t: TypeId) -> Type {
        self.a.ty(t)
    }
    fn bound(&mut self, bound: Bound, var: u8) -> i128 {
        let (ty, bits) = (self.type_of_var(var), self.bits(var));
        match bound {
            Bound::Most => i128::from(bits.most(ty.as_word())),
            Bound::Least => i128::from(bits.least()),
            Bound::SignedMost => i128::from(bits.signed_most(ty.as_word())),
            Bound::SignedLeast => i128::from(bits.signed_least(ty.as_word())),
            Bound::SignBits => i128::from(bits.sign_bits),
        }
    }
    fn known(&mut self, var: u8) -> (u64, u64) {
        let bits = self.bits(var);
        (bits.zeros, bits.ones)
    }
    fn are_distinct(&mut self, x: u8, y: u8) -> bool {
        let (a, b) = (self.bits(x), self.bits(y));
        a.zeros & b.ones | a.ones & b.zeros != 0
    }
    fn is_quiet(&mut self, _: u8) -> bool {
        true
    }
    fn is_read_once(&self, var: u8) -> bool {
        self.a.is_read_once(var)
    }
    fn is_promised(&mut self, _: Promises, _: u8) -> bool {
        // The text has the promises.
        true
    }
    fn predicate(&self, k: u8) -> Predicate {
        self.a.preds[k as usize]
    }
    fn type_of_var(&self, var: u8) -> Type {
        self.a.type_of_var(var)
    }
}

impl Instance<'_> {
    fn bits(&self, var: u8) -> Bits {
        let (shift, and, or) = self.masks[var as usize];
        Bits::of_masks(self.type_of_var(var).as_word(), shift, and, or)
    }
    /// The function that computes the left side; as a branch if `branch` is set.
    fn text(&self, branch: bool) -> String {
        let rule = self.a.rule;
        let result = self.a.types[rule.nodes[0].ty as usize];
        let (mut params, mut front, mut body) = (String::new(), String::new(), String::new());
        for (k, n) in rule.vars.iter().enumerate() {
            if !matches!(rule.nodes[*n as usize].kind, NodeKind::Var(_)) {
                continue;
            }
            let ty = self.type_of_var(k as u8);
            let w = ty.as_word();
            let separator = if params.is_empty() { "" } else { ", " };
            let asked = rule.conditions.iter().any(|c| c.mentions(k as u8));
            if !asked {
                write!(params, "{separator}%v{k}: {ty}").unwrap();
            } else if ty.is_float() {
                write!(params, "{separator}%p{k}: {ty}").unwrap();
                writeln!(body, "  %v{k} = fadd {ty} %p{k}, 0.0").unwrap();
            } else {
                let (shift, and, or) = self.masks[k];
                write!(params, "{separator}%p{k}: {ty}").unwrap();
                writeln!(front, "  %q{k} = ashr {ty} %p{k}, {shift}").unwrap();
                writeln!(front, "  %r{k} = and {ty} %q{k}, {}", w.sign_extend(and)).unwrap();
                writeln!(front, "  %s{k} = or {ty} %r{k}, {}", w.sign_extend(or)).unwrap();
                body.insert_str(0, &format!("  %v{k} = phi {ty} [%s{k}, entry]\n"));
            }
        }
        let mut a = Assignment { vars: self.a.vars.clone(), consts: self.a.consts.clone(), ..self.a.copied() };
        write_operations(&mut a, self.exchanged, &mut body);
        let last = if branch {
            let line = body.lines().last().unwrap().to_string();
            body.truncate(body.len() - line.len() - 1);
            let (_, rest) = line.split_once("cmp ").unwrap();
            format!("  br {rest}, yes, no\nyes:\n  ret 1\nno:\n  ret 0\n")
        } else {
            "  ret %n0\n".to_string()
        };
        format!("func @f({params}) -> {result} {{\nentry:\n{front}  jmp body\nbody:\n{body}{last}}}\n")
    }
}

impl<'a> Assignment<'a> {
    fn copied(&self) -> Assignment<'a> {
        Assignment {
            rule: self.rule,
            types: self.types,
            vars: self.vars.clone(),
            consts: self.consts.clone(),
            preds: self.preds.clone(),
        }
    }
}

/// The operations of the left side below and at `n`, operands first. A named one precedes its readers by name.
fn operands_first(rule: &Rule, n: NodeId, order: &mut Vec<NodeId>) {
    match &rule.nodes[n as usize].kind {
        NodeKind::Var(k) if rule.vars[*k as usize] != n => operands_first(rule, rule.vars[*k as usize], order),
        NodeKind::Var(_) | NodeKind::Const(_) => {}
        NodeKind::Op { .. } if order.contains(&n) => {}
        NodeKind::Op { args, .. } => {
            args.iter().rev().for_each(|arg| operands_first(rule, *arg, order));
            order.push(n);
        }
    }
}

/// Writes the operations of the left side.
fn write_operations(a: &mut Assignment<'_>, exchanged: u32, body: &mut String) {
    let rule = a.rule;
    let mut order = Vec::new();
    operands_first(rule, 0, &mut order);
    for n in order {
        let node = &rule.nodes[n as usize];
        let NodeKind::Op { op, args, .. } = &node.kind else { continue };
        let ty = a.types[node.annotation as usize];
        let mut operands = Vec::new();
        for (k, arg) in args.iter().enumerate() {
            let child = &rule.nodes[*arg as usize];
            let child_ty = a.types[child.ty as usize];
            operands.push(match &child.kind {
                NodeKind::Op { .. } => format!("%n{arg}"),
                NodeKind::Var(v) => match rule.nodes[rule.vars[*v as usize] as usize].kind {
                    NodeKind::Op { .. } => format!("%n{}", rule.vars[*v as usize]),
                    _ => format!("%v{v}"),
                },
                NodeKind::Const(e) => {
                    let bits = e.bits(child_ty, a);
                    let text = literal(child_ty, bits);
                    if k == 1 && matches!(op.format(), Format::Binary | Format::Compare) {
                        text
                    } else {
                        writeln!(body, "  %c{arg} = const {child_ty} {text}").unwrap();
                        format!("%c{arg}")
                    }
                }
            });
        }
        let mnemonic = op.mnemonic();
        let exchange = exchanged >> n & 1 != 0;
        if exchange {
            operands.reverse();
        }
        let operands = operands.join(", ");
        match op.format() {
            Format::Compare => {
                let p = Predicate::from_u8(a.aux(n));
                let p = if exchange { p.swapped() } else { p };
                writeln!(body, "  %n{n} = {mnemonic} {p} {ty} {operands}").unwrap();
            }
            Format::Convert => {
                let to = a.types[node.ty as usize];
                writeln!(body, "  %n{n} = {mnemonic} {ty} {operands} to {to}").unwrap();
            }
            _ => {
                let promises = promised(rule, n).names().fold(String::new(), |words, word| words + word + " ");
                writeln!(body, "  %n{n} = {mnemonic} {promises}{ty} {operands}").unwrap();
            }
        }
    }
}

/// The promises that the conditions want of an operation.
fn promised(rule: &Rule, n: NodeId) -> Promises {
    rule.conditions.iter().fold(Promises::NONE, |all, c| match c {
        Condition::Promised(promises, var) if rule.vars[*var as usize] == n => all.or(*promises),
        _ => all,
    })
}

/// A constant as text.
fn literal(ty: Type, bits: u64) -> String {
    let w = ty.as_word();
    if !ty.is_float() {
        return w.sign_extend(bits).to_string();
    }
    let sign = if bits & w.sign_bit() != 0 { "-" } else { "" };
    let mantissa = bits & (float::quiet_bit(w) * 2 - 1);
    if float::is_nan(w, bits) {
        return format!("{sign}nan(0x{mantissa:x})");
    }
    let x = if ty == Type::F32 { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) };
    if x.is_infinite() { format!("{sign}inf") } else { format!("{x:?}") }
}

/// Runs a function of values, branches and returns.
pub fn run(f: &Function, args: &[u64]) -> Result<u64, Trap> {
    run_and_check(f, args).0
}

/// Does the same, and returns whether the function kept its promises.
fn run_and_check(f: &Function, args: &[u64]) -> (Result<u64, Trap>, bool) {
    let mut kept = true;
    let result = interpret(f, args, &mut |d, a, b| kept &= d.promises().broken(d.op, d.ty, a, b).is_empty());
    (result, kept)
}

fn interpret(f: &Function, args: &[u64], executed: &mut dyn FnMut(&InstData, u64, u64)) -> Result<u64, Trap> {
    let mut regs = vec![0u64; f.num_regs()];
    let mut came_from = f.entry();
    for (p, a) in f.params.iter().zip(args) {
        if let Param::Reg(r) = *p {
            regs[r.as_u32() as usize] = *a;
        }
    }
    let mut block = f.entry();
    loop {
        for i in f.layout().insts(block) {
            let d = f.inst(i);
            let w = d.ty.as_word();
            let value = |o: Operand| match o.as_reg() {
                Some(r) => regs[r.as_u32() as usize],
                None => f.constant(o).map_or(0, |k| w.truncate(k as u64)),
            };
            let result = match d.op {
                Opcode::Phi => value(f.phi_entries(i).find(|(p, _)| *p == came_from).expect("an entry").1),
                Opcode::Ret => return Ok(value(d.first())),
                Opcode::Jmp => {
                    came_from = block;
                    block = f.succs(block)[0];
                    break;
                }
                Opcode::Br => {
                    block = f.succs(block)
                        [usize::from(!compare::holds(d.predicate(), w, value(d.first()), value(d.second())))];
                    break;
                }
                Opcode::Const => value(d.first()),
                _ => {
                    let (b, c) = match d.op.format() {
                        Format::Select | Format::Ternary => f.operands_bc(i),
                        Format::Binary | Format::Compare => (d.second(), Operand::NONE),
                        _ => (Operand::NONE, Operand::NONE),
                    };
                    let operands = [value(d.first()), value(b), value(c)];
                    executed(d, operands[0], operands[1]);
                    eval(d.op, w, d.aux(), operands)?
                }
            };
            regs[f.def(i).expect("a value is assigned").as_u32() as usize] = result;
        }
    }
}

/// Runs the pass on a text and compares runs before and after; whether the rule was applied.
fn check(rule: &Rule, text: &str, args_types: &[Type], rng: &mut Rng) -> bool {
    let before = text.parse::<Module>().unwrap();
    let mut after = before.clone();
    let pipeline = Pipeline::parse("simplify").unwrap();
    let report =
        optimize_verified(&mut after, &pipeline, &RunOptions::default()).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    let (f, g) = (before.funcs.values().next().unwrap(), after.funcs.values().next().unwrap());
    let sets: Vec<Vec<u64>> = args_types.iter().map(|t| special(*t)).collect();
    let result = before.decls.signature(f.sym).and_then(|s| s.result).unwrap();
    let lir_syntax::ir::AbiParam::Scalar(ty, _) = result else { unreachable!() };
    for _ in 0..30 {
        let args: Vec<u64> = sets
            .iter()
            .zip(args_types)
            .map(|(set, ty)| if rng.next() >> 63 == 0 { rng.pick(set) } else { ty.as_word().truncate(rng.next()) })
            .collect();
        let (x, kept) = run_and_check(f, &args);
        if !kept {
            continue;
        }
        let (y, w) = (run(g, &args), ty.as_word());
        let same = match (&x, &y) {
            (Ok(x), Ok(y)) if ty.is_float() && float::is_nan(w, *x) => {
                float::is_nan(w, *y) && (x ^ y) & float::quiet_bit(w) == 0
            }
            _ => x == y,
        };
        assert!(same, "{}\n{text}\n{g:?}\n{args:x?}: {x:x?} became {y:x?}", rule.text);
    }
    let again = optimize_verified(&mut after, &pipeline, &RunOptions::default()).unwrap();
    assert!(again.stats.counters().is_empty(), "{text}\nthe second run: {:?}", again.stats.counters());
    report.stats.counters().iter().any(|c| c.what == rule.text.get())
}

/// Masks that make the conditions hold, if some are found.
fn find_masks(instance: &mut Instance<'_>, rng: &mut Rng) -> bool {
    let rule = instance.a.rule;
    for attempt in 0..200 {
        for k in 0..instance.masks.len() {
            let ty = instance.type_of_var(k as u8);
            let w = ty.as_word();
            let k_bits = rng.next() % u64::from(ty.bits());
            let mut low = [w.mask(), w.mask() >> 1, 1, w.mask() >> k_bits, w.mask() << k_bits, rng.next()];
            low.rotate_left(attempt % 6);
            let high = [0, 0, 1, w.mask() << k_bits, 1 << k_bits, rng.next()];
            instance.masks[k] = (0, w.truncate(low[0]), w.truncate(high[attempt / 6 % 6]));
            if attempt % 3 == 2 {
                instance.masks[k] = ((ty.bits() - 1).min(attempt as u32 / 3), w.mask(), 0);
            }
        }
        let constant = instance.masks.iter().any(|(_, and, or)| and & !or == 0);
        if !constant && rule.all_conditions().all(|c| c.holds(instance)) {
            return true;
        }
    }
    false
}

/// True if the rule was applied, in every order of operands that it may have.
fn check_rule(rule: &Rule) -> bool {
    let mut rng = Rng(0xC0FF_EE00_1234_5677);
    let choices = type_choices(rule);
    exchanges(rule).into_iter().all(|exchanged| {
        let found = choices.iter().filter(|types| check_order(rule, types, exchanged, &mut rng) > 0).count();
        assert!(found > 0, "{} never with exchanged operands {exchanged:b}", rule.text);
        true
    })
}

/// Number of times the rule was applied with these types.
fn check_order(rule: &Rule, types: &[Type], exchanged: u32, rng: &mut Rng) -> usize {
    let mut found = 0;
    let value_types = value_types(rule, types);
    let params: Vec<Type> = value_types[..value_types.len() - rule.consts.len()].to_vec();
    for preds in pred_choices(rule) {
        for _ in 0..ATTEMPTS {
            let Some(mut instance) = instance_of(rule, types, &preds, &value_types, rng) else { continue };
            instance.exchanged = exchanged;
            found += usize::from(check(rule, &instance.text(false), &params, rng));
            if matches!(rule.nodes[0].kind, NodeKind::Op { op: Opcode::Icmp | Opcode::Fcmp, .. }) {
                check(rule, &instance.text(true), &params, rng);
            }
            if found >= ENOUGH {
                return found;
            }
        }
    }
    found
}

/// The rule with constants and masks for which its conditions hold, if some are found.
fn instance_of<'a>(
    rule: &'a Rule,
    types: &'a [Type],
    preds: &[Predicate],
    value_types: &[Type],
    rng: &mut Rng,
) -> Option<Instance<'a>> {
    let a = Assignment {
        rule,
        types,
        vars: vec![0; rule.vars.len()],
        consts: vec![0; rule.consts.len()],
        preds: preds.to_vec(),
    };
    let masks = rule.vars.iter().map(|_| (0, 0, 0)).collect();
    let mut instance = Instance { a, exchanged: 0, masks };
    let sets: Vec<Vec<u64>> = value_types.iter().map(|t| special(*t)).collect();
    for _ in 0..400 {
        let mut values: Vec<u64> = sets.iter().map(|s| rng.pick(s)).collect();
        let n = values.len();
        if n >= 2 && rng.next() >> 62 == 0 {
            let last = value_types[n - 1];
            let width = u64::from(last.bits());
            values[n - 2] %= width;
            values[n - 1] = last.as_word().truncate(rng.pick(&[
                values[n - 2],
                width - values[n - 2],
                values[n - 2] + 1,
                values[n - 2].wrapping_sub(1),
            ]));
        } else if n >= 2 && rng.next() >> 62 == 0 {
            values[n - 1] =
                value_types[n - 1].as_word().truncate(values[n - 2].wrapping_add(rng.pick(&[0, 1, u64::MAX, 9])));
        }
        assign(&mut instance.a, &values);
        if instance.a.conditions_on_constants_hold() && find_masks(&mut instance, rng) {
            return Some(instance);
        }
    }
    None
}

impl Assignment<'_> {
    pub fn conditions_on_constants_hold(&mut self) -> bool {
        let rule = self.rule;
        let asks = |c: &&super::Condition| !c.is_costly();
        rule.all_conditions().filter(asks).all(|c| c.holds(self))
    }
}

families!(check_rule);
