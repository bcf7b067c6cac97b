//! Reads the rules of `simplify` and writes them as tables of constants: a tool that starts has nothing to build.

#![expect(dead_code, reason = "the pass uses more of what it shares with this script")]

/// The crate by its name in derived code.
extern crate alloc;

mod rules;

#[path = "../src/integers/outcomes.rs"]
mod outcomes;
#[path = "../src/integers/wrapped.rs"]
mod wrapped;

/// Named as in the library.
mod integers {
    pub(crate) use crate::{outcomes, wrapped};
}

use std::path::PathBuf;

fn main() {
    // The files of rules are part of this script: cargo builds it again when one of them changes.
    println!("cargo::rerun-if-changed=build");
    let folder = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo says where to write"));
    let path = folder.join("rules.rs");
    std::fs::write(&path, rules::tables()).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
}
