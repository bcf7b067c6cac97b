//! The data structures of rules, for the pass `simplify` and the build script.
//!
//! The tests of the pass also use [`reading`], for rules that are in no file. An invalid rule stops the build with its
//! file and line.

mod lists;
mod reading;
mod writer;

#[path = "../../src/passes/simplify/rules/constants.rs"]
mod constants;
#[path = "../../src/passes/simplify/rules/families.rs"]
mod families;
#[path = "../../src/passes/simplify/rules/index.rs"]
mod index;
#[path = "../../src/passes/simplify/rules/magic.rs"]
mod magic;
#[path = "../../src/passes/simplify/rules/predicates.rs"]
mod predicates;
#[path = "../../src/passes/simplify/rules/rule.rs"]
mod rule;

/// Returns the tables of all rules, as source.
pub(crate) fn tables() -> String {
    let read = |(family, text): &(&str, &'static str)| {
        reading::read_rules(&format!("src/passes/simplify/rules/{family}.rules"), text)
    };
    writer::written(families::FAMILIES.iter().flat_map(read).collect())
}
