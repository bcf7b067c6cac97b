//! The map from the ids of the source documents to tests, `docs/origins.md`: the tests that it names exist, and each id
//! that must have a test has one.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The ids that must have tests: the text, local value numbering and its memory; the author's later work; traces, their
/// filters and their assembler; SoftWire's register allocation; linear scan; value numbering in general.
const DEMANDED: &[&str] = &[
    "S1.01-S1.46", "S1+.01-S1+.20", "S2.01-S2.07", "S2.10-S2.15", "S2.20-S2.26", "S2.30-S2.46", "S2.50-S2.58",
    "S3.01-S3.28", "S4.01-S4.18", "S5.01-S5.23",
];
/// The folder whose files are cases: each is a test of its own.
const CASES: &str = "testdata/";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A row of the map: an id, and the tests that it names.
struct Row {
    id: String,
    /// Files, each with the tests in it that are named.
    tests: Vec<(String, Vec<String>)>,
}

fn rows() -> Vec<Row> {
    let document = std::fs::read_to_string(root().join("docs/origins.md")).expect("it can be read");
    let (_, map) = document.split_once("## Where the ids are").expect("the map has its heading");
    let lines = map.lines().skip_while(|l| !l.starts_with("|---")).skip(1).take_while(|l| l.starts_with('|'));
    let rows: Vec<Row> = lines.map(row).collect();
    assert!(rows.len() > 100, "the map has rows");
    rows
}

fn row(line: &str) -> Row {
    let cells: Vec<&str> = line.split('|').map(str::trim).collect();
    let mut tests: Vec<(String, Vec<String>)> = Vec::new();
    for word in cells[2].split('`').skip(1).step_by(2) {
        match tests.last_mut() {
            Some((_, functions)) if !word.contains('/') => functions.push(word.to_string()),
            _ => tests.push((word.to_string(), Vec::new())),
        }
    }
    Row { id: cells[1].to_string(), tests }
}

/// The ids of `S1.03-S1.05`.
fn ids(range: &str) -> Vec<String> {
    let (first, last) = range.split_once('-').expect("a range has two ends");
    let parts = |id: &str| {
        let (document, number) = id.rsplit_once('.').unwrap_or_else(|| panic!("`{id}` is no id"));
        (document.to_string(), number.parse::<u32>().unwrap_or_else(|_| panic!("`{id}` is no id")))
    };
    let ((document, first), (other, last)) = (parts(first), parts(last));
    assert!(document == other && first <= last, "{range}");
    (first..=last).map(|n| format!("{document}.{n:02}")).collect()
}

/// The functions of a file that are tests: the attribute is above them.
fn tests_in(path: &Path) -> BTreeSet<String> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let lines: Vec<&str> = text.lines().collect();
    let tests = lines.windows(2).filter(|w| w[0].trim() == "#[test]");
    let name = |line: &str| line.trim().strip_prefix("fn ").and_then(|l| l.split('(').next()).map(str::to_string);
    tests.filter_map(|w| name(w[1])).collect()
}

#[test]
fn paths_in_the_map_exist() {
    for Row { id, tests } in rows() {
        assert!(!tests.is_empty(), "{id} has no test");
        for (path, functions) in tests {
            let file = root().join(&path);
            assert!(file.is_file(), "{id}: there is no file {path}");
            let missing: Vec<String> = match functions.is_empty() {
                true => Vec::new(),
                false => functions.iter().filter(|f| !tests_in(&file).contains(*f)).cloned().collect(),
            };
            assert!(missing.is_empty(), "{id}: {path} has no test {missing:?}");
        }
    }
}

#[test]
fn every_id_that_must_have_a_test_has_one() {
    let shown = |row: &Row| row.tests.iter().any(|(path, tests)| path.starts_with(CASES) || !tests.is_empty());
    let has_test: BTreeSet<String> = rows().into_iter().filter(shown).map(|row| row.id).collect();
    let missing: Vec<String> =
        DEMANDED.iter().flat_map(|range| ids(range)).filter(|id| !has_test.contains(id)).collect();
    assert!(missing.is_empty(), "docs/origins.md shows no test of {missing:?}");
}
