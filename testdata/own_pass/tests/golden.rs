//! The golden tests of the pass, by `lir-check`.

use lir_cli::{Console, Tool};
use std::ffi::OsString;

/// Runs a tool; returns its status and its output.
fn run(tool: Tool, arguments: &[&str]) -> (u8, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
    let console = &mut Console { stdin: &mut std::io::empty(), stdout: &mut out, stderr: &mut err };
    let status = tool(&arguments, console);
    (status, String::from_utf8_lossy(&[out, err].concat()).into_owned())
}

#[test]
fn cases() {
    // The pass is added to `lir-opt`, which the cases name.
    let (status, listed) = run(own_opt::own_opt, &["lir-opt", "--list-passes"]);
    assert!(status == 0 && listed.contains("mul-cheap"), "{listed}");
    let (status, checked) = run(lir_check::cli::run, &["lir-check", "cases"]);
    assert_eq!(status, 0, "{checked}");
}
