//! What the pass `simplify` and the build script share: the code that reads rules, and what they are once they are
//! read.
//!
//! The pass's tests use it, too, for rules that stand in no file. A rule that is wrong ends the build with its line.

mod lists;
mod tables;

#[path = "../src/passes/simplify/constants.rs"]
mod constants;
#[path = "../src/passes/simplify/families.rs"]
mod families;
#[path = "../src/passes/simplify/finish.rs"]
mod finish;
#[path = "../src/passes/simplify/index.rs"]
mod index;
#[path = "../src/passes/simplify/magic.rs"]
mod magic;
#[path = "../src/passes/simplify/parse.rs"]
mod parse;
#[path = "../src/passes/simplify/questions.rs"]
mod questions;
#[path = "../src/passes/simplify/rule.rs"]
mod rule;
#[path = "../src/passes/simplify/types.rs"]
mod types;
#[path = "../src/passes/simplify/variants.rs"]
mod variants;

/// The tables of all rules, as source.
pub fn written() -> String {
    tables::written(families::all_lines().map(|(_, line)| parse::read_rule(line)).collect())
}
