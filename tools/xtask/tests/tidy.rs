//! What a machine can keep of the house rules: every source file opens with what it does; none is named as a drawer of
//! odds and ends or is too long; comments are wrapped; nothing is promised or switched off; the documents name files
//! that exist.

use std::path::{Path, PathBuf};

/// The libraries with their tools, and the folder of all other tools.
const FOLDERS: [&str; 5] = ["lir-syntax", "lir-opt", "lir-llc", "lir-run", "tools"];
/// Lines past which a file wants a better cut.
const MAX_LINES: usize = 650;
/// Columns of a comment; rustfmt sees to code.
const MAX_COLUMNS: usize = 120;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All files below a folder with one of these endings, without what cargo builds.
fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let (mut found, mut work) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(at) = work.pop() {
        for entry in std::fs::read_dir(&at).unwrap_or_else(|e| panic!("{}: {e}", at.display())) {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() {
                work.push(path);
            } else if path.extension().is_some_and(|e| endings.iter().any(|w| e == *w)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn sources() -> Vec<(PathBuf, String)> {
    let of = |c: &&str| files(&root().join(c), &["rs"]);
    let read = |p: PathBuf| {
        let text = std::fs::read_to_string(&p).expect("source is UTF-8");
        (p, text)
    };
    FOLDERS.iter().flat_map(of).map(read).collect()
}

fn complain(wrong: Vec<String>) {
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_module_opens_with_what_it_does() {
    let bare = sources().into_iter().filter(|(_, t)| !t.starts_with("//!")).map(|(p, _)| p.display().to_string());
    complain(bare.collect());
}

#[test]
fn files_are_named_by_concept_and_fit_the_head() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if ["utils", "util", "helpers", "helper", "common", "misc"].contains(&stem.as_str()) {
            wrong.push(format!("{}: says nothing about what is in it", path.display()));
        }
        let lines = text.lines().count();
        if lines > MAX_LINES {
            wrong.push(format!("{}: {lines} lines", path.display()));
        }
    }
    complain(wrong);
}

#[test]
fn comments_are_wrapped() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        for (n, line) in text.lines().enumerate() {
            let comment = line.trim_start().strip_prefix("//");
            let is_row = |c: &str| c.trim_start_matches(['/', '!', ' ']).starts_with('|');
            if line.chars().count() > MAX_COLUMNS && comment.is_some_and(|c| !is_row(c)) {
                wrong.push(format!("{}:{}: more than {MAX_COLUMNS} columns", path.display(), n + 1));
            }
        }
    }
    complain(wrong);
}

#[test]
fn nothing_is_promised_or_switched_off() {
    // Split, so that this file does not find itself.
    let words = [
        concat!("todo", "!("),
        concat!("unimplemented", "!("),
        concat!("#[", "ignore"),
        concat!("FIX", "ME"),
        concat!("TO", "DO"),
    ];
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        for (n, line) in text.lines().enumerate() {
            if words.iter().any(|w| line.contains(w)) {
                wrong.push(format!("{}:{}: {}", path.display(), n + 1, line.trim()));
            }
        }
    }
    complain(wrong);
}

/// The words of a path with `{a,b}`: one for each.
fn expanded(word: &str) -> Vec<String> {
    let Some((before, (inside, after))) = word.split_once('{').and_then(|(b, r)| Some((b, r.split_once('}')?))) else {
        return vec![word.to_string()];
    };
    inside.split(',').map(|one| format!("{before}{one}{after}")).collect()
}

/// Every module of a crate stands in the README's map of the code, by its name.
#[test]
fn the_map_has_every_module() {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("README.md");
    let (_, map) = readme.split_once("\n## The map\n").expect("the map has its heading");
    let (map, _) = map.split_once("\n## ").expect("a chapter follows");
    let first_cells: String = map.lines().filter_map(|l| l.split('|').nth(1)).collect();
    let names: Vec<&str> = first_cells.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
    let mut wrong = Vec::new();
    for krate in &FOLDERS[..4] {
        for entry in std::fs::read_dir(root().join(krate).join("src")).expect("a crate has sources") {
            let path = entry.expect("a readable folder").path();
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            if stem != "lib" && !names.contains(&stem.as_str()) {
                wrong.push(format!("README.md: the map lacks {}", path.display()));
            }
        }
    }
    complain(wrong);
}

/// Paths in backticks in the documents that begin with a crate or with `testdata/` exist; those with `{a,b}` all of
/// them, a folder or a module's file. `<x>` is no plain path and is left alone.
#[test]
fn documents_name_files_that_exist() {
    let root = root();
    let mut wrong = Vec::new();
    for document in ["README.md", "testdata/README.md", "lir-syntax/LANGUAGE.md"] {
        let text = std::fs::read_to_string(root.join(document)).expect(document);
        for word in text.split('`').skip(1).step_by(2) {
            let is_path = FOLDERS.iter().any(|c| word.starts_with(&format!("{c}/"))) || word.starts_with("testdata/");
            if !is_path || word.contains(['<', '*', ' ']) {
                continue;
            }
            let missing = |w: &String| !root.join(w).exists() && !root.join(format!("{w}.rs")).exists();
            wrong.extend(expanded(word).into_iter().filter(missing).map(|w| format!("{document}: {w}")));
        }
    }
    complain(wrong);
}
