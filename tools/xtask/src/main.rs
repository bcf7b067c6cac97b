//! `cargo xtask`: what is done to the tree as a whole.
//!
//! * `cargo xtask house`: measures the structure of the sources, and fails where it breaks a rule ([`house`]).

#![forbid(unsafe_code)]

mod house;

use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask house   measure the structure of the sources; status 1 where a rule is broken";

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["house"] => house::report(&root),
        _ => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}
