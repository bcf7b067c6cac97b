//! Gives branches weights, which change no result, right or wrong.

use lir_random::Rng;
use lir_syntax::ir::{Format, Module};

/// Returns a module with weights at random by `seed`, in one of four modules.
pub(super) fn with_branch_weights(mut module: Module, seed: u64) -> Module {
    let mut rng = Rng::new(seed ^ 0x77_65_69_67);
    if !rng.chance(25) {
        return module;
    }
    for f in module.funcs.as_mut_slice() {
        let blocks: Vec<_> = f.layout().blocks().collect();
        for b in blocks {
            let targets = f.succs(b).len();
            let may_have_weights = matches!(f.inst(f.terminator(b)).op.format(), Format::Branch | Format::Switch);
            if !may_have_weights || rng.chance(50) {
                continue;
            }
            let mut weights: Vec<u32> = (0..targets).map(|_| rng.pick(&[0, 1, 1, 30, 2000, u32::MAX])).collect();
            // One target is expected.
            let first = rng.below(targets);
            weights[first] = weights[first].max(1);
            f.set_branch_weights(f.terminator(b), &weights);
        }
    }
    module
}
