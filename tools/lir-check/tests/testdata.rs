//! `lir-check testdata` passes, each file by itself. Those with nothing but `; run:` lines are left to `run_lines.rs`,
//! which runs them in more ways.

use lir_check::files::tests_below;
use lir_testing::files::testdata;
use lir_testing::trials::{self, Trial};
use std::path::{Path, PathBuf};

#[test]
fn every_file_passes() {
    let testdata = testdata("");
    let mut files = tests_below(&testdata).expect("the folder can be read").files;
    files.retain(|f| !has_calls_only(f));
    let trial = |path: PathBuf| {
        let name = path.strip_prefix(&testdata).expect("a file of testdata").with_extension("").display().to_string();
        Trial::test(name, move || crate::pass(&path))
    };
    trials::run(files.into_iter().map(trial).collect());
}

fn has_calls_only(path: &Path) -> bool {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.contains("; run:") && !text.contains("; RUN:") && !text.contains("; error:")
}
