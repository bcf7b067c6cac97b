//! Random modules in every check of `lir-fuzz`, which looks at more of them: `lir-fuzz --count 100000`.

use crate::fuzz_tool::lir_fuzz;
use lir_random::extent::few_or_all;

/// Checks the first modules, two at a time. Each may take a minute; an endless loop is a failure.
fn agree(checks: &str, count: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let args = ["--check", checks, "--seed", "0", "--count", count, "--timeout", "60", "-j2", "--quiet"];
    let ran = lir_fuzz(folder.path(), &args);
    assert_eq!(ran.status, 0, "{}{}", ran.out, ran.err);
    assert!(ran.out.starts_with(&format!("{count} modules, ")), "{}", ran.out);
}

#[test]
fn interpreter_and_native_code_agree() {
    agree("native,stress", few_or_all("50", "300"));
}

#[test]
fn text_passes_and_objects_agree() {
    agree("roundtrip,passes,orders,bytes", few_or_all("20", "100"));
}
