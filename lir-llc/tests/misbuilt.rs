//! Modules that programs build, as far as the verifier accepts them: no pass and no stage of code generation panics.

use lir_llc::compile::compile;
use lir_llc::options::CompileOptions;
use lir_opt::{Level, Pipeline, RunOptions, optimize};
use lir_random::{Config, Rng, generate, misbuild};
use lir_syntax::verifier::verify_module;

#[test]
fn verified_modules_compile_at_every_level() {
    let mut compiled = 0;
    for seed in 0..600 {
        let mut rng = Rng::new(seed);
        let config = Config { functions: 1, statements: 3, ..Config::default() };
        let mut module = generate(seed, &config);
        let changes = rng.range(1, 3);
        misbuild(&mut module, &mut rng, changes);
        if !verify_module(&module, 1).is_empty() {
            continue;
        }
        for level in [Level::O0, Level::O1, Level::O2] {
            let mut module = module.clone();
            let done = optimize(&mut module, &Pipeline::of_level(level), &RunOptions::default());
            assert!(done.is_ok(), "seed {seed} at {level:?}: {:?}", done.err());
            let found = verify_module(&module, 5);
            assert!(found.is_empty(), "seed {seed} at {level:?}: {found:?}");
            // A limit, such as the size of a frame, is an error and no panic.
            let _ = compile(&mut module, &CompileOptions::default());
            compiled += 1;
        }
    }
    assert!(compiled > 200, "{compiled}");
}
