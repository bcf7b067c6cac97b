//! Graphs of many shapes against the verifier, and the walk.

use super::{Access, AccessKind, MAX_STEPS, MemorySsa, Users};
use crate::analysis::alias::AliasOracle;
use crate::analysis::{Analyses, SsaView};
use lir_random::{Config, generate};
use lir_syntax::ir::{Cfg, DominatorTree, EntityRef, FuncId, Function, Inst, Module, Opcode};

fn read(text: String) -> Module {
    text.parse().unwrap()
}

fn memory_of(module: &Module, f: &Function) -> (MemorySsa, Cfg, DominatorTree) {
    let cfg = Cfg::new(f);
    let dom = DominatorTree::new(f, &cfg);
    let memory = MemorySsa::new(&module.decls, f, &cfg, &dom);
    assert_eq!(memory.verify(&module.decls, f, &cfg), Ok(()));
    (memory, cfg, dom)
}

/// A function of blocks that store (`s`), load (`l`) or do neither (`.`), with these successors.
fn graph(blocks: &[(char, &[usize])]) -> Module {
    let mut text = String::from("func @f(%p: i64, %c: i32) {\n");
    for (k, (what, succs)) in blocks.iter().enumerate() {
        text += &format!("b{k}:\n");
        text += match what {
            's' => "  store i32 [%p], %c\n",
            'l' => "  %l = load i32 [%p]\n",
            _ => "",
        };
        text += &match succs {
            [] => "  ret\n".to_string(),
            [s] => format!("  jmp b{s}\n"),
            [s, t] => format!("  br %c, b{s}, b{t}\n"),
            more => {
                let cases: Vec<String> = more[1..].iter().enumerate().map(|(k, b)| format!("{k}: b{b}")).collect();
                format!("  switch i32 %c, b{} [{}]\n", more[0], cases.join(", "))
            }
        };
    }
    read(text + "}\n")
}

fn phis(module: &Module) -> Vec<usize> {
    let f = &module.funcs[FuncId::from_u32(0)];
    let (memory, ..) = memory_of(module, f);
    f.layout().blocks().filter(|b| memory.phi(*b).is_some()).map(|b| b.index()).collect()
}

/// Iterated dominance frontiers, loop headers among them.
#[test]
fn phis_are_at_joins_of_versions() {
    let none: &[usize] = &[];
    // A diamond that stores on one side, on both, on neither.
    assert_eq!(phis(&graph(&[('.', &[1, 2]), ('s', &[3]), ('.', &[3]), ('l', &[])])), [3]);
    assert_eq!(phis(&graph(&[('.', &[1, 2]), ('s', &[3]), ('s', &[3]), ('l', &[])])), [3]);
    assert_eq!(phis(&graph(&[('s', &[1, 2]), ('l', &[3]), ('.', &[3]), ('l', &[])])), none);
    // A loop that stores: its header; nested, both headers.
    assert_eq!(phis(&graph(&[('.', &[1]), ('.', &[2, 3]), ('s', &[1]), ('l', &[])])), [1]);
    assert_eq!(
        phis(&graph(&[('.', &[1]), ('.', &[2]), ('.', &[3, 4]), ('s', &[2]), ('.', &[1, 5]), ('l', &[])])),
        [1, 2]
    );
    // The frontier of a frontier.
    let far = [('.', &[1, 4][..]), ('.', &[2, 3]), ('s', &[5]), ('.', &[5]), ('.', &[6]), ('.', &[6]), ('l', &[])];
    assert_eq!(phis(&graph(&far)), [5, 6]);
    // A block that loops to itself, an irreducible pair, and an edge from an unreachable block.
    assert_eq!(phis(&graph(&[('.', &[1]), ('s', &[1, 2]), ('l', &[])])), [1]);
    assert_eq!(phis(&graph(&[('.', &[1, 2]), ('s', &[2, 3]), ('.', &[1]), ('l', &[])])), [1, 2]);
    assert_eq!(phis(&graph(&[('s', &[2]), ('s', &[2]), ('l', &[])])), none);
}

#[test]
fn random_functions_verify() {
    for seed in 0..60 {
        let module = generate(seed, &Config::default());
        for f in module.funcs.values() {
            let (memory, cfg, _) = memory_of(&module, f);
            let mut users = Users::default();
            users.recompute(&memory, &cfg);
            let all: usize = (0..memory.num_accesses()).map(|k| users.of(Access::new(k)).len()).sum();
            let expected: usize = (0..memory.num_accesses())
                .map(|k| match memory.kind(Access::new(k)) {
                    AccessKind::OnEntry => 0,
                    AccessKind::Def(_) | AccessKind::Use(_) => 1,
                    AccessKind::Phi(b) => cfg.preds(b).len(),
                })
                .sum();
            assert_eq!(all, expected);
        }
    }
}

/// The walk passes at most this many definitions.
#[test]
fn the_walk_is_clamped() {
    for (between, gives_up) in [(MAX_STEPS - 1, false), (MAX_STEPS, true)] {
        let mut text = String::from("func @f(%p: i64) {\nentry:\n  store i32 [%p], 1\n");
        for k in 1..=between {
            text += &format!("  store i32 [%p + {}], 2\n", 4 * k);
        }
        let module = read(text + "  %l = load i32 [%p]\n  ret\n}\n");
        let f = &module.funcs[FuncId::from_u32(0)];
        let (memory, cfg, _) = memory_of(&module, f);
        let oracle = AliasOracle::new(&module.decls, f, &cfg);
        let load = f.layout().insts_rev(f.entry()).nth(1).unwrap();
        let clobber = memory.clobber_of(&oracle, (&module.decls, f), load).unwrap();
        assert_eq!((clobber.gave_up, clobber.access.index()), (gives_up, 1));
    }
}

/// The clobber, over phis, of the load into `%l`: `entry`, `phi` with a label, or the value that is stored.
fn clobber_over_phis(body: &str) -> String {
    let head = "data @x = { i64 0 }\ndata @y = { i64 0 }\ndata @list = { i64 0 }\nextern func @g()\n";
    let module = read(format!("{head}func @f(%p: i64, %c: i32) {{\n  stack $s: 16\nentry:\n{body}}}\n"));
    let f = &module.funcs[FuncId::from_u32(0)];
    let (ssa, mut analyses) = (SsaView::new(f, SsaView::default()).expect("SSA form"), Analyses::default());
    let facts = analyses.memory(&module.decls, f, &ssa);
    let is_l = |i: &Inst| f.def(*i).is_some_and(|r| f.names.get(f.regs[r].name) == b"l");
    let load = f.layout().all_insts().find(is_l).expect("%l is loaded");
    let location = facts.alias.location(f, load).expect("a load has a location");
    let start = facts.memory.defining_access(load).expect("a load uses memory");
    let clobber = facts.clobber_over_phis((&module.decls, f), &ssa, &location, start);
    match facts.memory.kind(clobber.access) {
        AccessKind::OnEntry => "entry".to_string(),
        AccessKind::Phi(b) => format!("phi {}", String::from_utf8_lossy(f.names.get(f.block(b).name))),
        AccessKind::Def(i) if f.inst(i).op == Opcode::Store => {
            f.constant(f.inst(i).stored()).expect("constants are stored").to_string()
        }
        AccessKind::Def(_) => "call".to_string(),
        AccessKind::Use(_) => panic!("a use is no version"),
    }
}

#[test]
fn the_walk_passes_phis_if_all_paths_lead_to_one_version() {
    let diamond = |left: &str, right: &str, load: &str| {
        format!(
            "  store i64 [@x], 1\n  br %c, left, right\nleft:\n{left}  jmp join\nright:\n{right}  jmp join\njoin:\n  \
             %l = load i64 {load}\n  ret\n"
        )
    };
    let y = "  store i64 [@y], 2\n";
    assert_eq!(clobber_over_phis(&diamond(y, "", "[@x]")), "1");
    assert_eq!(clobber_over_phis(&diamond(y, y, "[$s]")), "entry");
    assert_eq!(clobber_over_phis(&diamond(y, "  store i64 [@x], 3\n", "[@x]")), "phi join");
    assert_eq!(clobber_over_phis(&diamond("  call @g()\n", "", "[@x]")), "phi join");
    assert_eq!(clobber_over_phis(&diamond("  call @g()\n", y, "[$s + 8]")), "entry");
    assert_eq!(clobber_over_phis(&diamond(y, "", "[%p]")), "phi join");
    assert_eq!(clobber_over_phis(&diamond("  store i64 [%p + 8], 2\n", "", "[%p]")), "1");

    let looped = |body: &str| {
        format!(
            "  store i64 [@x], 1\n  jmp loop\nloop:\n{body}  br %c, loop, done\ndone:\n  %m = load i64 [@x]\n  ret\n"
        )
    };
    assert_eq!(clobber_over_phis(&looped("  %l = load i64 [@x]\n  store i64 [@y], 2\n")), "1");
    assert_eq!(clobber_over_phis(&looped("  %l = load i64 [@x]\n  store i64 [@x], 2\n")), "phi loop");
    assert_eq!(clobber_over_phis(&looped("  %l = load i64 [%p]\n  store i64 [%p + 8], 2\n")), "1");
    // Another element each iteration: the load may read the value that the store of the last iteration wrote.
    let list = "  %r = load i64 [@list]\n  %l = load i64 [%r]\n  store i64 [%r + 8], 2\n";
    assert_eq!(clobber_over_phis(&looped(list)), "phi loop");
    let array = "  %i = phi i64 [0, entry], [%j, loop]\n  %l = load i64 [$s + %i*8]\n  \
                 store i64 [$s + %i*8 + 8], 2\n  %j = add i64 %i, 1\n";
    assert_eq!(clobber_over_phis(&looped(array)), "phi loop");
}

#[test]
fn the_walk_passes_nests_of_phis() {
    // A diamond in a loop in a loop, and a region with two entries.
    let nest = |inner: &str| {
        format!(
            "  store i64 [@x], 1\n  jmp outer\nouter:\n  store i64 [@y], 2\n  jmp inner\ninner:\n  br %c, left, right\n\
             left:\n  {inner}\n  jmp join\nright:\n  jmp join\njoin:\n  br %c, inner, latch\nlatch:\n  \
             br %c, outer, done\ndone:\n  %l = load i64 [@x]\n  ret\n"
        )
    };
    assert_eq!(clobber_over_phis(&nest("store i64 [@y], 3")), "1");
    assert_eq!(clobber_over_phis(&nest("store i64 [@x], 3")), "phi join");
    let entries = |b: &str| {
        format!(
            "  store i64 [@x], 1\n  br %c, a, b\na:\n  store i64 [@y], 2\n  br %c, b, done\nb:\n  {b}\n  \
             br %c, a, done\ndone:\n  %l = load i64 [@x]\n  ret\n"
        )
    };
    assert_eq!(clobber_over_phis(&entries("store i64 [@y], 3")), "1");
    assert_eq!(clobber_over_phis(&entries("store i64 [@x], 3")), "phi done");
}

#[test]
fn large_functions_take_linear_time() {
    let n = 50_000usize;
    // A chain of diamonds with a store on one side, and a nest of loops.
    let mut blocks: Vec<(char, Vec<usize>)> = Vec::new();
    for k in 0..n {
        blocks.push(('.', vec![3 * k + 1, 3 * k + 2]));
        blocks.push(('s', vec![3 * k + 3]));
        blocks.push(('.', vec![3 * k + 3]));
    }
    blocks.push(('l', vec![]));
    let borrowed: Vec<(char, &[usize])> = blocks.iter().map(|(c, s)| (*c, &s[..])).collect();
    assert_eq!(phis(&graph(&borrowed)).len(), n);

    let mut nest: Vec<(char, Vec<usize>)> = (0..n).map(|k| ('.', vec![k + 1])).collect();
    nest.push(('s', vec![n + 1]));
    nest.extend((0..n - 1).map(|k| ('.', vec![n - k - 1, n + 2 + k])));
    nest.push(('l', vec![]));
    let borrowed: Vec<(char, &[usize])> = nest.iter().map(|(c, s)| (*c, &s[..])).collect();
    assert_eq!(phis(&graph(&borrowed)).len(), n - 1);
}
