//! `cargo xtask bless` and `cargo xtask test --quick`: the tests that renew expectations, and the quick tests to run
//! while working.

use std::path::Path;
use std::process::{Command, ExitCode};

/// Arguments of cargo, of each command that writes expectations.
const BLESS: [&str; 8] = [
    "test --quiet --test it -p lir-syntax -p lir-opt -- manual:: syntax:: cases::",
    "test --quiet --test it -p lir-run -- aliasing::",
    "test --quiet --test it -p lir-import -p lir-reduce -- translations:: every_kind_",
    "test --quiet --test it -p lir-export -- exports::modules_",
    "test --quiet --test it -p lir-llc -- listings:: flat:: emit::",
    "test --quiet --test it -p lir-check -- filecheck::messages_ lir_check::failures_are_",
    "run --quiet -p lir-check -- --bless testdata",
    "test --quiet --test documents -p xtask -- --update",
];

/// Arguments of cargo for the tests of the minute: unit tests, and programs of integration tests without slow ones.
const QUICK: &str = "test --quiet --workspace --lib --test it --";

/// Words in the names of the tests that `--quick` leaves out, and why.
const SLOW: [(&[&str], &str); 12] = [
    (&["simplify::tests::"], "the proofs of rewrite rules"),
    (&["permutation::"], "passes on renumbered functions"),
    (&["random_"], "random functions and modules"),
    (&["scale::"], "times of large functions"),
    (&["growth::"], "times of large texts"),
    (&["encode::shortest::"], "all encodings"),
    (&["kernels::", "kernels_run_", "names_last_in_"], "the kernels"),
    (&["division::"], "divisions by constants"),
    (&["described_at_every_instruction", "walks_pass_through_"], "call frames at every instruction"),
    (&["stack::", "threads::"], "the end of the stack, and threads"),
    (&["testdata::", "examples_do_"], "golden tests of `lir-check`"),
    (
        &[
            "cli::", "command_line::", "a_missing_external_", "main_must_be_", "arguments_arrive_", "exit_handlers::",
            "lir_check::", "fuzz::", "fuzz_tool::",
        ],
        "what runs tools",
    ),
];

/// Writes all expectations anew.
pub fn bless(root: &Path) -> ExitCode {
    let commands = BLESS.map(|c| c.split_whitespace().collect());
    run(root, &commands, &[("LIR_BLESS", "1"), ("INSTA_UPDATE", "always")])
}

/// Runs the tests of the minute, and prints which ones they leave out.
pub fn quick(root: &Path) -> ExitCode {
    let skip = SLOW.iter().flat_map(|(words, _)| *words).flat_map(|word| ["--skip", word]);
    let status = run(root, &[QUICK.split_whitespace().chain(skip).collect()], &[]);
    let left: Vec<&str> = SLOW.iter().map(|(_, what)| *what).collect();
    println!("left out: {}; `cargo test --workspace` has them", left.join(", "));
    status
}

/// Runs cargo with each of these arguments; fails if one fails.
fn run(root: &Path, commands: &[Vec<&str>], environment: &[(&str, &str)]) -> ExitCode {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let succeeds = |arguments: &&Vec<&str>| {
        let mut command = Command::new(&cargo);
        command.args(arguments.iter()).current_dir(root).envs(environment.iter().copied());
        command.status().is_ok_and(|status| status.success())
    };
    let failed = commands.iter().filter(|c| !succeeds(c)).count();
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
