//! `loop-idiom` on random modules: it finds loops there, and a second run finds none of the remaining ones.

use lir_opt::{Pipeline, RunOptions, optimize};
use lir_random::{Config, generate};
use lir_syntax::ir::Module;
use lir_syntax::verifier::verify_module;

/// Random modules.
const SEEDS: u64 = 100;

/// The passes that -O2 has before it, as far as loops need them.
const BEFORE: &str = "ssa,mem2reg,constfold,simplify-cfg,copy-prop,simplify,gvn,phi-simplify,dce,loop-rotate,\
                      loop-simplify,phi-simplify,constfold,copy-prop,indvars,copy-prop";

/// The loops that fill and the loops that copy.
fn found(module: &mut Module, pipeline: &str) -> [u64; 2] {
    let pipeline = Pipeline::parse(pipeline).unwrap();
    let report = optimize(module, &pipeline, &RunOptions::default()).unwrap_or_else(|e| panic!("{e:?}"));
    assert!(verify_module(module, 1).is_empty());
    let counters = report.stats.counters();
    let of = |what: &str| counters.iter().filter(|c| c.pass == "loop-idiom" && c.what == what).map(|c| c.count).sum();
    ["loops that fill", "loops that copy"].map(of)
}

#[test]
fn loops_of_random_modules_are_found_once() {
    let (mut filled, mut copied) = (0, 0);
    for seed in 0..SEEDS {
        let mut module = generate(seed, &Config::default());
        let [fill, copy] = found(&mut module, &format!("{BEFORE},loop-idiom"));
        (filled, copied) = (filled + fill, copied + copy);
        assert_eq!(found(&mut module, "loop-idiom"), [0, 0], "seed {seed}");
        assert_eq!(found(&mut module, "simplify-cfg,loop-simplify,loop-idiom"), [0, 0], "seed {seed}");
    }
    assert!(filled >= 20 && copied >= 5, "{filled} loops that fill, {copied} that copy");
}
