//! `cargo xtask`: tasks for the tree as a whole.
//!
//! * `cargo xtask house`: measures the structure of the sources, and fails if it breaks a rule ([`house`]);
//! * `cargo xtask words SEED`: comment lines with figures of speech, of 2,000 that are drawn ([`house::words`]);
//! * `cargo xtask bless`, `cargo xtask test --quick`: expectations, and the tests for the minute ([`tests`]).

#![forbid(unsafe_code)]

mod house;
mod tests;

use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask house          measure the structure of the sources; status 1 where a rule is broken
       cargo xtask words SEED     print the comment lines with figures of speech, of 2,000 that are drawn
       cargo xtask bless          write all expectations of tests anew
       cargo xtask test --quick   run the tests that take less than a minute";

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["house"] => house::report(&root),
        ["words", seed] => match seed.parse() {
            Ok(seed) => house::words::draw(&root, seed),
            Err(_) => usage(),
        },
        ["bless"] => tests::bless(&root),
        ["test", "--quick"] => tests::quick(&root),
        _ => usage(),
    }
}

fn usage() -> ExitCode {
    eprintln!("{USAGE}");
    ExitCode::from(2)
}
