//! The registers that debug information describes after passes are assigned, in the interpreter, values of the source:
//! a part of the values that the register of that name had before the passes, in their order. So every value that a
//! debugger shows occurred in the source at that point.

use lir_llc::variables::steady_registers;
use lir_opt::{Level, Pipeline, RunOptions, optimize};
use lir_random::extent::few_or_all;
use lir_random::{Config, generate};
use lir_run::interp::{Interp, Options};
use lir_run::symbols::HostSymbols;
use lir_run::value::Value;
use lir_syntax::ir::{DebugLoc, Format, FuncId, Module, Reg, Type};
use lir_testing::files::{kernels, module_of, stem};
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// Operations of a run after passes, at most: the beginning of a program is enough.
const FUEL: u64 = 300_000;
/// A run without passes gets this many times the fuel: it needs more operations for the same work.
const SLOWDOWN: u64 = 20;

/// A register by the function that it was written in and its name.
pub type Name = (Vec<u8>, Vec<u8>);
/// The registers to watch, by their present place.
pub type Watched = HashMap<(FuncId, Reg), Name>;
/// The values that registers are assigned.
pub type Values = BTreeMap<Name, Vec<u64>>;

/// The values by the place of the register.
type Assigned = HashMap<(FuncId, Reg), Vec<u64>>;

/// The registers of a module as it was written, except results of calls: they are not seen if the callee is
/// interpreted, too.
pub fn written(m: &Module) -> Watched {
    let mut watched = Watched::new();
    for (id, f) in m.funcs.iter() {
        let function = m.decls.syms[f.sym].name.to_vec();
        for i in f.layout().all_insts().filter(|i| f.inst(*i).op.format() != Format::Call) {
            if let Some(r) = f.def(i) {
                watched.insert((id, r), (function.clone(), f.names.get(f.regs[r].name).to_vec()));
            }
        }
    }
    watched
}

/// The registers that debug information may describe after passes.
fn steady(m: &Module) -> Watched {
    let mut watched = Watched::new();
    for (id, f) in m.funcs.iter() {
        for (r, inlined) in steady_registers(f) {
            let sym = inlined.expand().map_or(f.sym, |call| f.origins.call(call).callee);
            watched.insert((id, r), (m.decls.syms[sym].name.to_vec(), f.names.get(f.regs[r].name).to_vec()));
        }
    }
    watched
}

/// The values that are assigned in a call of a function.
pub fn assigned(m: &Module, watched: &Watched, (func, args): (&str, &[Value]), fuel: u64) -> Values {
    let symbols = HostSymbols::new(&[]).expect("the process has symbols");
    let options = Options { fuel: Some(fuel), stack_size: 1 << 24, ..Options::default() };
    let mut interp = Interp::new(m.clone(), &symbols, options).expect("what the program refers to is found");
    let values: Arc<Mutex<Assigned>> = Arc::default();
    let (seen, keys) = (Arc::clone(&values), watched.keys().copied().collect::<std::collections::HashSet<_>>());
    interp.observe(Box::new(move |e| {
        if let (Some(r), Some(value)) = (e.module.funcs[e.func].def(e.inst), e.result)
            && keys.contains(&(e.func, r))
        {
            seen.lock().expect("no thread panics").entry((e.func, r)).or_default().push(value as u64);
        }
    }));
    let mut all = m.funcs.iter().map(|(id, f)| (id, &m.decls.syms[f.sym].name));
    let id = all.find(|(_, name)| &***name == func.as_bytes()).expect("what is called stays").0;
    interp.call(id, args);
    // The registers of several copies of a body have the same name: each is compared by itself.
    let mut by_name = Values::new();
    for (at, seen) in values.lock().expect("no thread panics").drain() {
        let (function, mut name) = watched[&at].clone();
        while by_name.contains_key(&(function.clone(), name.clone())) {
            name.push(b'\'');
        }
        by_name.insert((function, name), seen);
    }
    by_name
}

/// True if two runs would give a register these values: possible addresses may differ.
pub fn are_alike(a: u64, b: u64) -> bool {
    // The allocator takes a block now from the heap, now from memory of its own, depending on what other tests do.
    let is_address = |value: u64| matches!(value >> 40, 0x55 | 0x56 | 0x7e | 0x7f);
    a == b || a >> 40 != 0 && a >> 40 == b >> 40 || is_address(a) && is_address(b)
}

/// The account of comparisons.
#[derive(Default)]
struct Findings {
    registers: usize,
    values: usize,
    wrong: Vec<String>,
}

impl Findings {
    /// Runs a program before passes and after them.
    fn compare(&mut self, program: &str, m: &Module, call: (&str, &[Value])) {
        let all = written(m);
        let names: std::collections::HashSet<&Name> = all.values().collect();
        let before = assigned(m, &all, call, SLOWDOWN * FUEL);
        for level in [Level::O1, Level::O2] {
            let mut changed = m.clone();
            optimize(&mut changed, &Pipeline::of_level(level), &RunOptions::default()).expect("passes take it");
            for ((function, copy), after) in assigned(&changed, &steady(&changed), call, FUEL) {
                let name: Name = (function, copy.into_iter().filter(|c| *c != b'\'').collect());
                if !names.contains(&name) {
                    continue;
                }
                self.registers += 1;
                self.values += after.len();
                let before = before.get(&name).map_or(&[][..], |values| values);
                let mut rest = before.iter();
                if let Some(k) = after.iter().position(|v| !rest.by_ref().any(|w| are_alike(*v, *w))) {
                    let [function, name] = [name.0, name.1].map(|n| String::from_utf8_lossy(&n).into_owned());
                    let some = |v: &[u64]| format!("{:x?}", &v[k.min(v.len()).saturating_sub(2)..v.len().min(k + 4)]);
                    let (of, now, then) = (after.len(), some(&after), some(before));
                    self.wrong.push(format!(
                        "{program}, {level:?}: value {k} of {of} of %{name} in @{function}: {now} for {then}"
                    ));
                }
            }
        }
    }
    fn assert_right(&self, [registers, values]: [usize; 2]) {
        println!("{} registers, {} values", self.registers, self.values);
        assert!(self.wrong.is_empty(), "{}", self.wrong[..self.wrong.len().min(20)].join("\n"));
        assert!(self.registers >= registers && self.values >= values, "{} and {}", self.registers, self.values);
    }
}

fn compare_programs(files: Vec<PathBuf>, findings: &mut Findings) {
    for file in files.into_iter().step_by(few_or_all(2, 1)) {
        let (program, m) = (stem(&file), module_of(&file).unwrap());
        // Programs are called as without arguments.
        let argc_argv = [Value::new(Type::I32, 1), Value::new(Type::I64, 0)];
        findings.compare(&program, &m, ("main", &argc_argv));
    }
}

#[test]
fn of_programs() {
    let mut findings = Findings::default();
    compare_programs(kernels(), &mut findings);
    findings.assert_right(few_or_all([250, 250_000], [500, 500_000]));
}

#[test]
fn of_random_modules() {
    let mut findings = Findings::default();
    for seed in 0..few_or_all(75, 300) {
        let mut m = generate(seed, &Config::default());
        for f in m.funcs.as_mut_slice() {
            let insts: Vec<_> = f.layout().all_insts().collect();
            insts.into_iter().enumerate().for_each(|(k, i)| f.set_loc(i, DebugLoc::offset(k as u32)));
        }
        let args = [(Type::I64, 3 + seed), (Type::I64, u64::MAX), (Type::F64, 4)].map(|(ty, v)| Value::new(ty, v));
        findings.compare(&format!("seed {seed}"), &m, ("test", &args));
    }
    findings.assert_right(few_or_all([125, 125], [500, 500]));
}

/// The names of the registers that may be described after passes, which print the function in another way.
fn steady_names(body: &str, passes: &str) -> Vec<String> {
    let text = format!("func @f(%p: i64, %n: i64) -> i64 {{\n{body}}}\n");
    let mut m: Module = text.parse().expect("the text is right");
    let before = m.clone();
    let pipeline = Pipeline::parse(passes).expect("the passes exist");
    optimize(&mut m, &pipeline, &RunOptions::default()).expect("the passes take the text");
    assert_ne!(before.to_string(), m.to_string(), "the passes do something");
    let names = steady(&m).into_values().map(|(_, name)| String::from_utf8(name).expect("a word"));
    let mut names: Vec<String> = names.filter(|n| n.len() > 1).collect();
    names.sort();
    names
}

/// An instruction that is executed on both ways has its value where the source has none.
#[test]
fn speculated_values_are_not_described() {
    let arms = "\
entry:
  %sum = add i64 %p, 8
  br slt i64 %p, %n, left, right
left:
  %one = mul i64 %p, 3
  jmp join
right:
  jmp join
join:
  %both = phi i64 [%one, left], [%sum, right]
  ret %both
";
    assert_eq!(steady_names(arms, "if-convert"), ["both", "sum"]);
    let equal = "\
entry:
  br slt i64 %p, %n, left, right
left:
  %one = xor i64 %p, 5
  store i64 [%p], 1
  ret %one
right:
  %other = xor i64 %p, 5
  store i64 [%p], 2
  ret %other
";
    assert_eq!(steady_names(equal, "simplify-cfg"), [""; 0]);
}

/// An instruction that leaves a loop is described only if every iteration reaches it.
#[test]
fn exits_of_a_loop_are_described_if_they_are_reached() {
    let turns = "\
entry:
  jmp head
head:
  %k = phi i64 [0, entry], [%next, more]
  %certain = mul i64 %p, %p
  %x = xor i64 %certain, %k
  br slt i64 %x, %n, more, out
more:
  %perhaps = mul i64 %n, %n
  %next = add i64 %k, %perhaps
  jmp head
out:
  ret %x
";
    assert_eq!(steady_names(turns, "licm"), ["certain", "next"]);
}

/// Each copy of a loop's body has the values of other iterations.
#[test]
fn copied_values_are_not_described() {
    let turns = "\
entry:
  %before = add i64 %p, 1
  jmp head
head:
  %k = phi i64 [0, entry], [%next, head]
  %v = phi i64 [%before, entry], [%twice, head]
  %twice = mul i64 %v, %n
  %next = add i64 %k, 1
  br slt i64 %next, 4, head, out
out:
  ret %twice
";
    assert_eq!(steady_names(turns, "loop-unroll"), ["before"]);
}
