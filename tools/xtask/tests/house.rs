//! The measures of `cargo xtask house` that hold stay so.

use std::collections::BTreeSet;
use std::process::Command;

#[test]
fn the_structure_keeps_its_rules() {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask")).arg("house").output().expect("the tool starts");
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.contains("circles of modules") && text.contains("lines without tests"), "{text}");
    let broken: Vec<&str> = text.lines().filter(|l| l.contains("<- broken")).collect();
    assert!(broken.is_empty(), "{text}");
}

/// The most crates that a program gets which embeds `lir` without command lines, `lir` itself among them.
const MOST_CRATES: usize = 28;

#[test]
fn embedders_get_few_crates() {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["tree", "--edges=normal", "--package=lir", "--no-default-features", "--prefix=none", "--offline"]);
    let output = cargo.current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("cargo starts");
    let text = String::from_utf8(output.stdout).expect("text");
    let crates: BTreeSet<&str> = text.lines().filter_map(|l| l.split(' ').next()).collect();
    assert!(crates.contains("lir-syntax"), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(crates.len() <= MOST_CRATES, "{}: {crates:?}", crates.len());
    let unwanted = ["clap", "tempfile", "pest", "capstone"].into_iter().find(|name| crates.contains(name));
    assert_eq!(unwanted, None);
}
