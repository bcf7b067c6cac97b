//! The map from the ids of the source documents to tests, in `testdata/README.md`: what it names exists, and each id of
//! the first document that must have a test has one that bears its name.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What must have tests of its name: the text, local value numbering and its memory; what the author did later; linear
/// scan; value numbering in general, as far as it is built.
const DEMANDED: &[&str] =
    &["S1.01-S1.46", "S1+.01-S1+.20", "S4.01-S4.18", "S5.01-S5.14", "S5.18-S5.19", "S5.21-S5.21", "S5.23-S5.23"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The rows of the map: their ids, and the paths they name, from the root of the project.
fn rows() -> Vec<(Vec<String>, Vec<String>)> {
    let readme = std::fs::read_to_string(root().join("testdata/README.md")).expect("it can be read");
    let (_, map) = readme.split_once("## Where the ids are").expect("the map has its heading");
    let rows: Vec<_> = map
        .lines()
        .skip_while(|l| !l.starts_with("|---"))
        .skip(1)
        .take_while(|l| l.starts_with('|'))
        .map(|line| {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let paths = cells[2].split('`').skip(1).step_by(2).map(str::to_string).collect();
            (cells[1].split(", ").flat_map(ids).collect(), paths)
        })
        .collect();
    assert!(rows.len() > 3, "the map has rows");
    rows
}

/// The ids of `S1.03` or `S1.03-S1.05`.
fn ids(range: &str) -> Vec<String> {
    let (first, last) = range.split_once('-').unwrap_or((range, range));
    let parts = |id: &str| {
        let (document, number) = id.rsplit_once('.').unwrap_or_else(|| panic!("`{id}` is no id"));
        (document.to_string(), number.parse::<u32>().unwrap_or_else(|_| panic!("`{id}` is no id")))
    };
    let ((document, first), (other, last)) = (parts(first), parts(last));
    assert!(document == other && first <= last, "{range}");
    (first..=last).map(|n| format!("{document}.{n:02}")).collect()
}

/// The tests in a file of Rust, or the cases in a folder, whose names begin with those of ids: the ids.
fn ids_with_tests(path: &Path) -> BTreeSet<String> {
    let names: Vec<String> = if path.is_dir() {
        let entries = std::fs::read_dir(path).expect("the folder can be read");
        entries.map(|e| e.expect("an entry can be read").file_name().to_string_lossy().into_owned()).collect()
    } else {
        let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        // A function is a test if its attribute stands above it.
        let lines: Vec<&str> = text.lines().collect();
        let tests = lines.windows(2).filter(|w| w[0].trim() == "#[test]");
        tests.filter_map(|w| w[1].trim().strip_prefix("fn ")).map(str::to_string).collect()
    };
    names.iter().filter_map(|n| id_of(n)).collect()
}

/// The id of `s1_03_what_it_says`; `s1p_03_what_it_says` is of S1+.03.
fn id_of(name: &str) -> Option<String> {
    let mut parts = name.split('_');
    let document = parts.next()?.strip_prefix('s')?;
    let number = parts.next()?;
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|c| c.is_ascii_digit());
    let (plain, plus) = document.strip_suffix('p').map_or((document, ""), |d| (d, "+"));
    (digits(plain) && digits(number)).then(|| format!("S{plain}{plus}.{number}"))
}

#[test]
fn what_the_map_names_exists() {
    for (ids, paths) in rows() {
        assert!(!paths.is_empty(), "{ids:?} have no place");
        for path in paths {
            assert!(root().join(&path).exists(), "{ids:?}: {path}");
        }
    }
}

#[test]
fn every_id_that_must_have_a_test_has_one() {
    let rows = rows();
    for id in DEMANDED.iter().flat_map(|range| ids(range)) {
        let places: Vec<&String> = rows.iter().filter(|(ids, _)| ids.contains(&id)).flat_map(|(_, p)| p).collect();
        assert!(!places.is_empty(), "{id} is not on the map");
        let has_test = |place: &&String| ids_with_tests(&root().join(place)).contains(&id);
        assert!(places.iter().any(has_test), "{id} has no test of its name in {places:?}");
    }
}
