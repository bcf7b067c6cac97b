//! Leaving SSA form: no phi is left, there are no more copies than before `ssa`, and functions run as before; on random
//! functions, the files of `testdata`, and shapes of a million parts.

use crate::parts::parts;
use crate::random_functions::{ARGUMENTS, End, PLAIN_ORDER, random_module, run};
use lir_opt::{Pipeline, RunOptions, optimize, optimize_verified};
use lir_random::extent::few_or_all;
use lir_random::{Config, generate};
use lir_syntax::ir::{Function, Module, Opcode};
use lir_syntax::text::diagnostic::render;
use lir_syntax::text::source::Source;
use lir_syntax::verifier::ssa_violation;
use lir_testing::files::{files_below, module_of, testdata};
use std::fmt::Write;

/// Blocks that a run may visit. Split edges add some.
const BLOCKS: usize = 2000;

fn apply(module: &mut Module, passes: &str) {
    let pipeline = Pipeline::parse(passes).expect("the passes exist");
    optimize_verified(module, &pipeline, &RunOptions::default()).unwrap_or_else(|e| panic!("{passes}: {e:?}"));
}

/// The number of instructions of this operation.
fn count(module: &Module, op: Opcode) -> usize {
    let of = |f: &Function| f.layout().all_insts().filter(|i| f.inst(*i).op == op).count();
    module.funcs.values().map(of).sum()
}

/// Takes a module out of SSA form: no phi is left. Into it and out again leaves no more copies, whatever the names.
/// Returns the number of functions without phis that were tested.
fn check_copies(name: &str, module: &Module) -> usize {
    let mut coalesced = module.clone();
    apply(&mut coalesced, "phi-coalesce");
    assert_eq!(count(&coalesced, Opcode::Phi), 0, "{name}\n{coalesced}");
    let mut seen = 0;
    // If a call may return twice, nothing is joined.
    let returns_twice = module.to_string().contains("returns_twice");
    for start in [module, &coalesced] {
        if returns_twice || count(start, Opcode::Phi) != 0 {
            continue;
        }
        seen += start.funcs.values().filter(|f| ssa_violation(f).is_some()).count();
        let copies = count(start, Opcode::Copy);
        let mut back = start.clone();
        apply(&mut back, "ssa,phi-coalesce");
        let left = count(&back, Opcode::Copy);
        assert!(left <= copies, "{name}: {copies} copies, then {left}\n{start}\n{back}");
    }
    seen
}

#[test]
fn into_ssa_form_and_out_again_leaves_no_more_copies() {
    let (mut kernels, mut seen) = (0, 0);
    for path in ["opt", "run", "golden", "programs"].iter().flat_map(|f| files_below(&testdata(f), &["lir", "ssa"])) {
        let is_kernel = path.extension().is_some_and(|e| e == "ssa");
        kernels += usize::from(is_kernel);
        let name = path.display().to_string();
        let module = match module_of(&path) {
            Ok(module) => module,
            Err(why) if is_kernel => panic!("{why}"),
            // LIR that is wrong is a test of something else.
            Err(_) => continue,
        };
        seen += check_copies(&name, &module);
        if is_kernel {
            let mut optimized = module;
            apply(&mut optimized, "ssa,mem2reg,gvn,phi-simplify,copy-prop,simplify,dce");
            seen += check_copies(&name, &optimized);
        }
    }
    assert!(kernels > 20 && seen > 1000, "{kernels} kernels, {seen} functions");
}

#[test]
fn nor_on_random_functions_and_modules() {
    let mut seen = 0;
    for seed in 0..400 {
        let (module, _) = random_module(seed, &PLAIN_ORDER);
        seen += check_copies(&format!("function {seed}"), &module);
    }
    for seed in 0..60 {
        seen += check_copies(&format!("module {seed}"), &generate(seed, &Config::default()));
    }
    assert!(seen > 400, "{seen}");
}

/// Passes make phis whose registers are needed at once.
#[test]
fn random_functions_end_in_the_same_way() {
    const BEFORE: [&str; 6] = [
        "",
        "ssa,mem2reg,copy-prop,",
        "ssa,mem2reg,gvn,phi-simplify,copy-prop,",
        "ssa,mem2reg,sccp,simplify-cfg,copy-prop,loop-rotate,gvn,copy-prop,",
        "ssa,mem2reg,simplify,loop-simplify,licm,jump-threading,copy-prop,simplify-cfg,",
        "ssa,mem2reg,copy-prop,loop-unroll,indvars,if-convert,simplify-cfg,",
    ];
    let (mut copies, mut seen) = (0, 0);
    for seed in 20_000..20_000 + few_or_all(500, 1500) {
        let (module, id) = random_module(seed, &PLAIN_ORDER);
        let ends = |m: &Module| ARGUMENTS.map(|a| run(&m.funcs[id], a, BLOCKS).1);
        let expected = ends(&module);
        for before in BEFORE {
            let mut m = module.clone();
            apply(&mut m, &format!("{before}phi-coalesce"));
            assert_eq!(count(&m, Opcode::Phi), 0);
            for (found, expected) in ends(&m).iter().zip(&expected) {
                if *expected != End::StillRunning {
                    assert_eq!(found, expected, "seed {seed}, {before}\n{module}\n{m}");
                    seen += 1;
                }
            }
            copies += count(&m, Opcode::Copy);
            // The text is the function.
            let again: Module = m.to_string().parse().expect("what a pass makes is right");
            assert_eq!(again.to_string(), m.to_string());
        }
    }
    assert!(copies > 5_000 && seen > 5_000, "{copies} copies, {seen} runs");
}

/// Registers that are assigned in turn, loops, and an assigned parameter: the result is the original text.
#[test]
fn names_and_all_come_back() {
    let text = "\
func @f(%n: i32, %x: i32) -> i32 {
entry:
  %sum = const i32 0
  %last = const i32 1
  jmp loop
loop:
  br sle i32 %n, 0, done, body
body:
  %next = add i32 %last, %sum
  %sum = copy i32 %last
  %last = copy i32 %next
  br slt i32 %x, %sum, big, small
big:
  %x = add i32 %x, 10
  jmp join
small:
  %x = sub i32 %x, 1
  jmp join
join:
  %n = sub i32 %n, 1
  jmp loop
done:
  %r = xor i32 %sum, %x
  ret %r
}
";
    let mut m: Module = text.parse().expect("the text is right");
    apply(&mut m, "ssa");
    assert_eq!(count(&m, Opcode::Phi), 5, "{m}");
    apply(&mut m, "phi-coalesce");
    assert_eq!(m.to_string(), text);
}

/// The pass leaves SSA form, and passes that need it reject the result like any such function.
#[test]
fn passes_that_need_ssa_form_refuse_the_result() {
    let text = "func @f(%n: i32) -> i32 {\nentry:\n  jmp loop\nloop:\n  %i = phi i32 [0, entry], [%j, loop]\n  \
                %j = add i32 %i, 1\n  br slt i32 %j, %n, loop, done\ndone:\n  ret %j\n}\n";
    let run = |passes: &str| {
        let source = Source { name: "text".to_string(), text: text.to_string() };
        let mut m: Module = text.parse().expect("the text is right");
        let pipeline = Pipeline::parse(passes).expect("the passes exist");
        optimize(&mut m, &pipeline, &RunOptions::default()).map(|_| m.to_string()).map_err(|e| render(&source, &e))
    };
    let refused = run("phi-coalesce,gvn").expect_err("gvn needs SSA form");
    assert!(refused.contains("pass `gvn` needs SSA form, but %i is assigned more than once"), "{refused}");
    assert!(refused.contains("run the pass `ssa` before it"), "{refused}");
    assert!(run("phi-coalesce,ssa,gvn").is_ok());
    let leaves: Vec<&str> = lir_opt::passes::PASSES.iter().filter(|p| !p.leaves_ssa()).map(|p| p.name).collect();
    assert_eq!(leaves, ["phi-coalesce"]);
}

const MILLION: usize = 1_000_000;

/// A module of `@f(%x: i32, %n: i32) -> i32` with this body, taken out of SSA form; the numbers of its copies and
/// constants.
fn coalesced(body: &str) -> (usize, usize) {
    let text = format!("func @f(%x: i32, %n: i32) -> i32 {{\nentry:\n{body}}}\n");
    let mut m: Module = text.parse().expect("the body is right");
    optimize(&mut m, &Pipeline::parse("phi-coalesce").expect("the pass exists"), &RunOptions::default())
        .expect("it takes any function");
    assert_eq!(count(&m, Opcode::Phi), 0);
    (count(&m, Opcode::Copy), count(&m, Opcode::Const))
}

/// Two phis of as many operands, each with a copy from one to the other, whose last operands are live together: every
/// copy tests whether the classes can be joined.
#[test]
fn copies_between_two_classes_that_clash() {
    const OPERANDS: usize = 200_000;
    let cases = parts(OPERANDS, |out, k| write!(out, ", {k}: c{k}")).split_off(2);
    let blocks = parts(OPERANDS, |out, k| {
        let other = if k + 1 < OPERANDS { format!("copy i32 %a{k}") } else { "mul i32 %n, 7".to_string() };
        writeln!(out, "c{k}:\n  %a{k} = add i32 %n, {k}\n  %b{k} = {other}\n  br %n, p, q")
    });
    let entries = |name: &str| parts(OPERANDS, |out, k| write!(out, ", [%{name}{k}, c{k}]")).split_off(2);
    let (of_p, of_q) = (entries("a"), entries("b"));
    let body = format!(
        "  switch i32 %x, c0 [{cases}]\n{blocks}p:\n  %p = phi i32 {of_p}\n  ret %p\nq:\n  %q = phi i32 {of_q}\n  \
         ret %q\n"
    );
    assert_eq!(coalesced(&body), (OPERANDS - 1, 0));
}

#[test]
fn a_million_phis_of_a_block() {
    // Each hands its value on to the next one: one cycle.
    let phis =
        parts(MILLION, |out, k| writeln!(out, "  %p{k} = phi i32 [{k}, entry], [%p{}, loop]", (k + 1) % MILLION));
    let body = format!("  jmp loop\nloop:\n{phis}  br slt i32 %p0, %n, loop, done\ndone:\n  ret %p7\n");
    let (copies, constants) = coalesced(&body);
    assert!(copies > MILLION && copies <= 2 * MILLION && constants == MILLION, "{copies} {constants}");
    // Each is changed by itself.
    let phis = parts(MILLION, |out, k| writeln!(out, "  %p{k} = phi i32 [{k}, entry], [%q{k}, loop]"));
    let sums = parts(MILLION, |out, k| writeln!(out, "  %q{k} = add i32 %p{k}, 1"));
    let body = format!("  jmp loop\nloop:\n{phis}{sums}  br slt i32 %q0, %n, loop, done\ndone:\n  ret %q7\n");
    assert_eq!(coalesced(&body), (0, MILLION));
}

#[test]
fn a_million_copies() {
    let chain = parts(MILLION, |out, k| writeln!(out, "  %c{} = copy i32 %c{k}", k + 1));
    assert_eq!(coalesced(&format!("  %c0 = copy i32 %x\n{chain}  ret %c{MILLION}\n")), (0, 0));
    // Of one register, all live at once; their values are summed up.
    let copies = parts(MILLION, |out, k| writeln!(out, "  %c{k} = copy i32 %x"));
    let sums = parts(MILLION, |out, k| writeln!(out, "  %s{} = add i32 %s{k}, %c{k}", k + 1));
    assert_eq!(coalesced(&format!("  %s0 = neg i32 %x\n{copies}{sums}  ret %s{MILLION}\n")), (0, 0));
}

#[test]
fn a_million_operands_of_a_phi() {
    const TESTS: usize = MILLION / 2;
    let tests = parts(TESTS, |out, k| {
        writeln!(out, "t{k}:\n  br eq i32 %x, {k}, c{k}, t{}\nc{k}:\n  %v{k} = mul i32 %n, {k}\n  jmp join", k + 1)
    });
    let entries = parts(TESTS, |out, k| write!(out, "[%v{k}, c{k}], "));
    let body =
        format!("  jmp t0\n{tests}t{TESTS}:\n  jmp join\njoin:\n  %r = phi i32 {entries}[7, t{TESTS}]\n  ret %r\n");
    assert_eq!(coalesced(&body), (0, 1));
}

#[test]
fn deep_chains_of_blocks() {
    const DEPTH: usize = 300_000;
    // A phi in each, of the one before; and phis that are all needed at the end.
    let diamonds = parts(DEPTH, |out, k| {
        let next = k + 1;
        writeln!(out, "  br slt i32 %v{k}, {k}, a{k}, b{k}\na{k}:\n  %w{k} = add i32 %v{k}, 1\n  jmp d{next}\nb{k}:")?;
        writeln!(out, "  jmp d{next}\nd{next}:\n  %v{next} = phi i32 [%w{k}, a{k}], [%v{k}, b{k}]")
    });
    assert_eq!(coalesced(&format!("  %v0 = copy i32 %x\n{diamonds}  ret %v{DEPTH}\n")), (0, 0));
    const NEEDED: usize = 20_000;
    let diamonds = parts(NEEDED, |out, k| {
        let next = k + 1;
        writeln!(out, "  br slt i32 %x, {k}, a{k}, b{k}\na{k}:\n  jmp d{next}\nb{k}:\n  jmp d{next}\nd{next}:")?;
        writeln!(out, "  %u{k} = phi i32 [{k}, a{k}], [7, b{k}]")
    });
    let sums = parts(NEEDED, |out, k| writeln!(out, "  %s{} = add i32 %s{k}, %u{k}", k + 1));
    let body = format!("{diamonds}  %s0 = neg i32 %x\n{sums}  ret %s{NEEDED}\n");
    assert_eq!(coalesced(&body), (0, 2 * NEEDED));
}

#[test]
fn loops_in_loops() {
    const DEPTH: usize = 50_000;
    // Every header has a phi of the header around it and of its latch.
    let heads = parts(DEPTH, |out, k| {
        let (next, before) = (k + 1, if k == 0 { "entry".to_string() } else { format!("h{}", k - 1) });
        let outer = if k == 0 { "%x".to_string() } else { format!("%p{}", k - 1) };
        writeln!(out, "h{k}:\n  %p{k} = phi i32 [{outer}, {before}], [%q{k}, l{k}]\n  jmp h{next}")
    });
    let latches = parts(DEPTH, |out, n| {
        let k = DEPTH - 1 - n;
        let inner = if n == 0 { format!("%p{k}") } else { format!("%q{}", k + 1) };
        let after = if k == 0 { "done".to_string() } else { format!("l{}", k - 1) };
        writeln!(out, "l{k}:\n  %q{k} = add i32 {inner}, 1\n  br slt i32 %q{k}, %n, h{k}, {after}")
    });
    let body = format!("  jmp h0\n{heads}h{DEPTH}:\n  jmp l{}\n{latches}done:\n  ret %q0\n", DEPTH - 1);
    assert_eq!(coalesced(&body), (0, 0));
}
