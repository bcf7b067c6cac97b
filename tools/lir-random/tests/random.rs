//! The generator of random modules: its modules are well-formed, are the same for the same seed, and use the whole
//! language.

use lir_random::{Config, generate};
use lir_syntax::ir::{CallResult, Format, Function, Inst, InstData, InstView, Mem, Module, Opcode, Operand, Reg, Type};
use lir_syntax::verifier::{ssa_violation, verify_module};
use std::collections::{HashMap, HashSet};

const SEEDS: u64 = 500;

fn insts(f: &Function) -> impl Iterator<Item = Inst> + '_ {
    f.layout().blocks().flat_map(|b| f.layout().insts(b))
}

#[test]
fn modules_verify_and_use_every_opcode() {
    let mut uses = vec![[0usize; Type::ALL.len()]; Opcode::ALL.len()];
    let (mut ssa, mut not_ssa, mut insts_made) = (0, 0, 0);
    let (mut marked, mut jumps) = (0, 0);
    for seed in 0..SEEDS {
        let m = generate(seed, &Config::default());
        let found = verify_module(&m, 5);
        assert!(found.is_empty(), "seed {seed}: {found:#?}");
        for f in m.funcs.values() {
            *(if ssa_violation(f).is_none() { &mut ssa } else { &mut not_ssa }) += 1;
            marked += u32::from(f.has_marked_calls());
            jumps += u32::from(f.has_jumps());
            for i in insts(f) {
                insts_made += 1;
                let d = f.inst(i);
                uses[d.op as usize][d.ty as usize] += 1;
            }
        }
    }
    for &op in Opcode::ALL {
        let of_op = &uses[op as usize];
        assert!(of_op.iter().sum::<usize>() > 0, "`{}` is never used", op.mnemonic());
        if matches!(op.format(), Format::Unary | Format::Binary | Format::Compare | Format::Load | Format::Store) {
            let missing: Vec<_> =
                Type::ALL.iter().filter(|t| op.info().types.allows(**t) && of_op[**t as usize] == 0).collect();
            assert!(missing.is_empty(), "`{}` is never used on {missing:?}", op.mnemonic());
        }
    }
    assert!(ssa > 100 && not_ssa > 100, "{ssa} functions in SSA form, {not_ssa} not");
    assert!(marked > 100 && jumps > 20, "{marked} functions with marked calls, {jumps} with calls that are jumps");
    assert!(insts_made > 100 * SEEDS as usize, "{insts_made} instructions");
}

#[test]
fn modules_print_and_parse_to_themselves() {
    for seed in 0..SEEDS {
        let text = generate(seed, &Config::default()).to_string();
        let second = text
            .parse::<Module>()
            .unwrap_or_else(|e| {
                panic!(
                    "seed {seed}: {e}
{text}"
                )
            })
            .to_string();
        let differs = text.lines().zip(second.lines()).find(|(a, b)| a != b);
        assert!(text == second, "seed {seed}: {differs:#?}");
    }
}

/// The line of a call with the constant or address of the line before it as an argument, if nothing else reads that.
fn with_argument_in_place(body: &str, before: &str, call: &str) -> Option<String> {
    let (name, value) = before.trim_start().split_once(" = ")?;
    let value = match value.strip_prefix("lea [") {
        Some(address) => address.strip_suffix(']').filter(|a| !a.contains(' ') && a.starts_with(['@', '$']))?,
        None => value.strip_prefix("const ")?.split_once(' ')?.1,
    };
    let is_name = |c: char| c.is_ascii_alphanumeric() || "_.".contains(c);
    let reads = |text: &str| -> Vec<usize> {
        let all = text.match_indices(name).map(|(at, _)| at);
        all.filter(|at| !text[at + name.len()..].starts_with(is_name)).collect()
    };
    let arguments = call.contains(" call ").then(|| call.find('('))??;
    let [at] = reads(call)[..] else { return None };
    let is_whole = matches!(&call[at + name.len()..][..1], "," | ")");
    let is_single = at > arguments && is_whole && !name.contains('"') && reads(body).len() == 2;
    is_single.then(|| format!("{}{value}{}", &call[..at], &call[at + name.len()..]))
}

/// The text without names of registers, quoted or not.
fn without_names(text: &str) -> String {
    let is_name = |c: char| c.is_ascii_alphanumeric() || "_.".contains(c);
    let rest = |piece: &str| match piece.strip_prefix('"').and_then(|quoted| quoted.split_once('"')) {
        Some((_, rest)) => rest.to_string(),
        None => piece.trim_start_matches(is_name).to_string(),
    };
    text.split('%').map(|piece| format!("%{}", rest(piece))).collect()
}

/// Constants and addresses among the arguments of a call are the same as in registers that are assigned before it.
#[test]
fn arguments_in_place_parse_to_registers() {
    let mut count = 0;
    for seed in 0..SEEDS {
        let text = generate(seed, &Config::default()).to_string();
        let mut changed = String::new();
        for body in text.split_inclusive("\n}\n") {
            let lines: Vec<&str> = body.split_inclusive('\n').collect();
            let mut k = 0;
            while k < lines.len() {
                let in_place =
                    lines.get(k + 1).and_then(|call| with_argument_in_place(body, lines[k].trim_end(), call));
                changed.push_str(in_place.as_deref().unwrap_or(lines[k]));
                count += usize::from(in_place.is_some());
                k += 1 + usize::from(in_place.is_some());
            }
        }
        let again: Module = changed.parse().unwrap_or_else(|e| {
            panic!(
                "seed {seed}: {e}
{changed}"
            )
        });
        let (meant, read) = (without_names(&text), without_names(&again.to_string()));
        let differs = meant.lines().zip(read.lines()).find(|(a, b)| a != b);
        assert!(meant == read, "seed {seed}: {differs:#?}");
    }
    assert!(count > SEEDS as usize / 2, "{count} arguments");
}

#[test]
fn a_seed_gives_one_module() {
    for seed in 0..20 {
        let [a, b] = [(); 2].map(|()| generate(seed, &Config::default()).to_string());
        assert_eq!(a, b);
    }
}

#[test]
fn features_that_are_off_are_absent() {
    let none = Config {
        floats: false,
        memory: false,
        aggregates: false,
        variadic: false,
        indirect_calls: false,
        reassignment: false,
        allocas: false,
        irreducible: false,
        volatile: false,
        thread_data: false,
        traps: false,
        ..Config::default()
    };
    for seed in 0..100 {
        let m = generate(seed, &none);
        assert_eq!(verify_module(&m, 5), []);
        assert!(m.decls.data.is_empty() && m.decls.types.is_empty());
        for f in m.funcs.values() {
            assert_eq!(ssa_violation(f), None);
            for i in insts(f) {
                let d = f.inst(i);
                let memory = matches!(d.op.format(), Format::Load | Format::Store | Format::Alloca | Format::MemFill);
                // The last parameter of `@test` is an f64 in any case.
                assert!(!memory && d.ty.is_int(), "seed {seed}: {d:?}");
            }
        }
    }
}

/// Large and deep modules, and shapes that must not be lost when weights are changed.
#[test]
fn sizes_and_shapes() {
    let config = Config { functions: 12, statements: 60, ..Config::default() };
    let [mut self_loops, mut wide_calls, mut critical, mut aggregate_results, mut shared_cases] = [0; 5];
    for seed in 0..30 {
        let m = generate(seed, &config);
        assert_eq!(verify_module(&m, 5), []);
        for f in m.funcs.values() {
            let cfg = lir_syntax::ir::Cfg::new(f);
            for b in f.layout().blocks() {
                let succs = f.succs(b);
                self_loops += usize::from(succs.contains(&b) && f.phis(b).count() > 2);
                critical += succs.iter().filter(|s| succs.len() > 1 && cfg.preds(**s).len() > 1).count();
                let distinct: HashSet<_> = succs.iter().collect();
                shared_cases +=
                    usize::from(f.inst(f.terminator(b)).op == Opcode::Switch && distinct.len() < succs.len());
            }
            for i in insts(f).filter(|i| f.inst(*i).op == Opcode::Call) {
                wide_calls += usize::from(f.call_args(i).len() > 14);
                aggregate_results += usize::from(matches!(f.call_result(i), CallResult::Agg(..)));
            }
        }
    }
    let all = [self_loops, wide_calls, critical, aggregate_results, shared_cases];
    assert!(all.iter().all(|n| *n > 20), "{all:?}");
}

/// Values that are equal, or equal except for the order of two operands, and divisions that have code of their own:
/// without them a numbering that mixes up the arms of a `select`, or a wrong bias for a division by 4, is never seen.
#[test]
fn nearly_equal_values_and_short_divisions() {
    let (mut again, mut exchanged, mut arms, mut powers) = (0, 0, 0, 0);
    for seed in 0..SEEDS {
        let m = generate(seed, &Config::default());
        for f in m.funcs.values() {
            let mut seen = HashSet::new();
            for i in insts(f) {
                let op = f.inst(i).op;
                match f.view(i) {
                    InstView::Binary(a, b) if op.effects().is_pure() => {
                        again += usize::from(!seen.insert((op, a, b, b)));
                        exchanged += usize::from(b.is_reg() && b != a && seen.contains(&(op, b, a, a)));
                    }
                    InstView::Select { condition, then, otherwise } => {
                        arms += usize::from(then != otherwise && seen.contains(&(op, condition, otherwise, then)));
                        seen.insert((op, condition, then, otherwise));
                    }
                    InstView::Binary(_, b) => {
                        let by = f.constant(b).map(i64::unsigned_abs);
                        powers += usize::from(by.is_some_and(|n| n > 2 && n.is_power_of_two()));
                    }
                    _ => {}
                }
            }
        }
    }
    let all = [again, exchanged, arms, powers];
    assert!(all.iter().all(|n| *n > SEEDS as usize / 20), "{all:?}");
}

/// Stores that overlap in part, addresses that may be 0, and tests of one value for equality, one after the other.
#[test]
fn overlapping_accesses_traps_and_chains() {
    let (mut overlapping, mut may_be_null, mut chains) = (0, 0, 0);
    for seed in 0..SEEDS {
        let m = generate(seed, &Config::default());
        for f in m.funcs.values() {
            for b in f.layout().blocks() {
                let mut last: Option<(Mem, u32)> = None;
                for i in f.layout().insts(b) {
                    let d = f.inst(i);
                    if d.op == Opcode::Store {
                        let (at, size) = (f.mem(i), d.ty.bytes());
                        let overlaps = |(before, bytes): (Mem, u32)| {
                            let apart = at.disp.abs_diff(before.disp);
                            let lower = if at.disp < before.disp { size } else { bytes };
                            (before.base, before.index) == (at.base, None)
                                && apart < lower
                                && (apart, size) != (0, bytes)
                        };
                        overlapping += usize::from(at.index.is_none() && last.is_some_and(overlaps));
                        last = Some((at, size));
                    }
                    may_be_null +=
                        usize::from(d.op == Opcode::Select && d.ty == Type::I64 && is_zero(f, f.operands_bc(i).1));
                }
                let end = f.inst(f.terminator(b));
                let next = f.succs(b).get(1).map(|s| f.inst(f.terminator(*s)));
                let is_test = |d: &InstData| d.op == Opcode::Br && d.ty.is_int() && f.constant(d.second()).is_some();
                chains += usize::from(is_test(end) && next.is_some_and(|n| is_test(n) && n.first() == end.first()));
            }
        }
    }
    let all = [overlapping, may_be_null, chains];
    assert!(all.iter().all(|n| *n > SEEDS as usize / 2), "{all:?}");
}

/// Whether an operand is a register that is assigned 0 and nothing else.
fn is_zero(f: &Function, o: Operand) -> bool {
    let mut defs = insts(f).filter(|i| f.def(*i).is_some() && f.def(*i) == o.as_reg());
    defs.next().is_some_and(|i| f.inst(i).op == Opcode::Const && f.constant(f.inst(i).first()) == Some(0))
        && defs.next().is_none()
}

/// Narrow values that a loop carries around, changed by every usual operation, and are extended in it or after it:
/// without them a code generator that is wrong about the upper bits of a phi is never seen.
#[test]
fn extended_circles_of_narrow_values() {
    use Opcode::*;
    const USUAL: [Opcode; 12] = [Mul, Add, Sub, Shl, And, Or, Xor, Lshr, Ashr, Rotl, Select, Trunc];
    let mut circles = [[0usize; 3]; USUAL.len()];
    let mut loops = 0;
    for seed in 0..SEEDS {
        let m = generate(seed, &Config::default());
        for f in m.funcs.values().filter(|f| insts(f).any(|i| f.inst(i).op == Phi)) {
            for (ty, ops) in extended_circles(f) {
                loops += 1;
                let count = |op: Opcode| USUAL.iter().position(|o| *o == op).map(|k| (k, ty as usize));
                ops.into_iter().filter_map(count).for_each(|(op, ty)| circles[op][ty] += 1);
            }
        }
    }
    let least = circles.iter().flatten().min();
    assert!(loops > SEEDS as usize, "{loops} loops");
    assert!(least > Some(&(SEEDS as usize / 50)), "{circles:?} of {USUAL:?}");
}

/// The narrow phis of a function whose value comes back to them, if it or something on its path is extended to an i64:
/// the type, and the operations on the path that give it, without repetition.
fn extended_circles(f: &Function) -> Vec<(Type, Vec<Opcode>)> {
    let made_by: HashMap<Reg, Inst> = insts(f).filter_map(|i| Some((f.def(i)?, i))).collect();
    let mut readers: HashMap<Reg, Vec<Inst>> = HashMap::new();
    insts(f).for_each(|i| f.for_each_use(i, |r| readers.entry(r).or_default().push(i)));
    let readers = |i: Inst| f.def(i).and_then(|r| readers.get(&r)).into_iter().flatten().copied();
    let is_step = |i: &Inst| {
        let shape = matches!(f.inst(*i).op.format(), Format::Binary | Format::Select | Format::Convert);
        shape && f.inst(*i).ty.is_int() && f.def(*i).is_some_and(|r| f.type_of(r).is_int())
    };
    let mut found = Vec::new();
    for phi in
        insts(f).filter(|i| f.inst(*i).op == Opcode::Phi && matches!(f.inst(*i).ty, Type::I8 | Type::I16 | Type::I32))
    {
        let of_type = |i: &Inst| f.def(*i).is_some_and(|r| f.type_of(r) == f.inst(phi).ty);
        // The instructions that the phi leads to, and of these the ones that lead to the phi.
        let ahead = reached(readers(phi).filter(is_step), |i| readers(i).filter(is_step).collect());
        let entries = f.phi_entries(phi).filter_map(|(_, o)| made_by.get(&o.as_reg()?).copied());
        let reachable = reached(entries.filter(|i| ahead.contains(i)), |i| {
            let mut operands = Vec::new();
            f.for_each_use(i, |r| operands.extend(made_by.get(&r).filter(|i| ahead.contains(i))));
            operands
        });
        let extends = |i: Inst| matches!(f.inst(i).op, Opcode::Zext | Opcode::Sext) && f.inst(i).to_type() == Type::I64;
        let circle: Vec<Inst> = reachable.into_iter().filter(of_type).collect();
        if !circle.is_empty() && circle.iter().chain([&phi]).any(|i| readers(*i).any(extends)) {
            let ops: HashSet<Opcode> = circle.iter().map(|i| f.inst(*i).op).collect();
            found.push((f.inst(phi).ty, ops.into_iter().collect()));
        }
    }
    found
}

/// Everything that is reached from some instructions, these included, by following `on` from each.
fn reached(from: impl Iterator<Item = Inst>, on: impl Fn(Inst) -> Vec<Inst>) -> HashSet<Inst> {
    let mut open: Vec<Inst> = from.collect();
    let mut seen = HashSet::new();
    while let Some(i) = open.pop() {
        if seen.insert(i) {
            open.extend(on(i));
        }
    }
    seen
}
