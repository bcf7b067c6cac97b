//! Runs tests that change or measure their process: each starts this program again, for itself alone.

use std::any::type_name;
use std::process::Command;

/// In the environment of a process for one test: the name of the test.
const TEST: &str = "LIR_OWN_PROCESS";

/// Runs the calling test in a process of its own. Returns false in that process, where the test continues.
///
/// # Panics
/// The test fails there.
pub fn passes<Test: Fn()>(_: Test) -> bool {
    // `it::engine::a_test`, which the harness calls `engine::a_test`.
    let (_, name) = type_name::<Test>().split_once("::").expect("a test has a path");
    if std::env::var_os(TEST).is_some_and(|test| test == name) {
        return false;
    }
    let mut command = Command::new(std::env::current_exe().expect("this program has a path"));
    let ended = command.args([name, "--exact", "--nocapture"]).env(TEST, name).output().expect("this program runs");
    let [out, err] = [&ended.stdout, &ended.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(ended.status.success() && out.contains("1 passed"), "{name}: {}\n{out}\n{err}", ended.status);
    true
}
