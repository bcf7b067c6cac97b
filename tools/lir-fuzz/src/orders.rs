//! Random pipelines: passes of the registry in any order, with any options.
//!
//! Levels run passes in one order, and single passes run on unoptimised modules. Only here does a pass run after passes
//! that precede it in no level.

use lir_opt::pass::{OptionInfo, OptionKind, PassInfo};
use lir_opt::passes::PASSES;
use lir_opt::{Level, Pipeline};
use lir_random::Rng;

/// The maximum number of passes in a pipeline.
const LONGEST: usize = 9;

/// Returns the pipeline of a seed: `ssa`, which many passes need, often `mem2reg`, then passes at random (and `ssa`
/// again after one that ends SSA form); and often all of `-O2`, which then runs on modules that were optimized before.
pub(crate) fn order_of(seed: u64) -> String {
    // The generator of modules begins with the seed itself.
    let mut rng = Rng::new(seed ^ 0x5EED_0F0D_E125_0000);
    let mut steps = vec!["ssa".to_string()];
    if rng.chance(75) {
        steps.push("mem2reg".to_string());
    }
    let any_function: Vec<&PassInfo> = PASSES.iter().copied().filter(|p| !p.may_need_trace()).collect();
    for _ in 0..rng.range(2, LONGEST) {
        let pass = rng.pick(&any_function);
        steps.push(with_options(pass, &mut rng));
        // The next one may need SSA form. Sometimes this is the end, and the code generator creates SSA form itself.
        if !pass.leaves_ssa() && !rng.chance(20) {
            steps.push("ssa".to_string());
        } else if !pass.leaves_ssa() {
            return steps.join(",");
        }
    }
    if rng.chance(40) {
        steps.push(Pipeline::of_level(Level::O2).to_string());
    }
    steps.join(",")
}

/// Returns a pass, sometimes with options other than the defaults.
fn with_options(pass: &PassInfo, rng: &mut Rng) -> String {
    let mut options = Vec::new();
    for option in pass.options {
        if rng.chance(30) {
            options.push(format!("{}={}", option.name, value(option, rng)));
        }
    }
    if options.is_empty() { pass.name.to_string() } else { format!("{}{{{}}}", pass.name, options.join(",")) }
}

fn value(option: &OptionInfo, rng: &mut Rng) -> String {
    let kind = option.kind;
    match kind {
        OptionKind::Flag { .. } => kind.show(u64::from(rng.chance(50))),
        OptionKind::Choice { names, .. } => kind.show(rng.below(names.len()) as u64),
        // Thresholds: none, and more than usual.
        OptionKind::Number { default, max } => {
            kind.show(rng.pick(&[0, 1, default, default.saturating_mul(4)]).min(max))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn orders_are_pipelines_and_every_pass_over_any_function_is_in_some() {
        let mut seen = BTreeSet::new();
        for seed in 0..2000 {
            let order = order_of(seed);
            let pipeline = Pipeline::parse(&order).unwrap_or_else(|e| panic!("{order}: {e}"));
            seen.extend(pipeline.passes().map(|p| p.name));
        }
        assert_eq!(seen.len(), PASSES.iter().filter(|p| !p.may_need_trace()).count());
        assert_ne!(order_of(1), order_of(2));
    }
}
