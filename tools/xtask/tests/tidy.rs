//! The house rules that a machine can check: every source file opens with its purpose; none has a catch-all name or is
//! too long; comments are wrapped; nothing is promised or switched off; the documents name files that exist.

use crate::markdown::{documents, read, root};
use lir_testing::files::files_below;
use std::path::PathBuf;

/// The libraries with their tools, the folder of the crates that they use, and the folder of all other tools.
const FOLDERS: [&str; 7] = ["lir-syntax", "lir-opt", "lir-llc", "lir-run", "lir", "support", "tools"];
/// Lines past which a file should be split.
const MAX_LINES: usize = 600;
/// Columns of a comment; rustfmt formats code.
const MAX_COLUMNS: usize = 120;

fn sources() -> Vec<(PathBuf, String)> {
    let of = |c: &&str| files_below(&root().join(c), &["rs"]);
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
fn every_module_opens_with_its_purpose() {
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

/// Every module of a library is in the map of the code in `ARCHITECTURE.md`, and every crate of the other folders, by
/// its name.
#[test]
fn the_map_has_every_module() {
    let document = read("ARCHITECTURE.md");
    let (_, map) = document.split_once("\n## The map\n").expect("the map has its heading");
    let (map, _) = map.split_once("\n## ").expect("a chapter follows");
    let first_cells: String = map.lines().filter_map(|l| l.split('|').nth(1)).collect();
    let names: Vec<&str> = first_cells.split(|c: char| !c.is_ascii_alphanumeric() && !"_-".contains(c)).collect();
    let (libraries, others) = FOLDERS.split_at(FOLDERS.len() - 2);
    let mut wrong = Vec::new();
    for folder in libraries.iter().map(|krate| format!("{krate}/src")).chain(others.iter().map(|f| f.to_string())) {
        for entry in std::fs::read_dir(root().join(folder)).expect("a crate has sources") {
            let path = entry.expect("a readable folder").path();
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            if stem != "lib" && !names.contains(&stem.as_str()) {
                wrong.push(format!("ARCHITECTURE.md: the map lacks {}", path.display()));
            }
        }
    }
    complain(wrong);
}

/// Paths in backticks in the documents that begin with a folder of the project exist; those with `{a,b}` all of them, a
/// folder or a module's file. `<x>` is not a plain path and is left alone.
#[test]
fn documents_name_files_that_exist() {
    let root = root();
    let mut wrong = Vec::new();
    let others = ["testdata/README.md", "lir-syntax/LANGUAGE.md"].map(str::to_string);
    for document in documents().into_iter().chain(others) {
        let text = read(&document);
        for word in text.split('`').skip(1).step_by(2) {
            let is_path =
                FOLDERS.iter().chain(&["testdata", "docs", ".ci"]).any(|f| word.starts_with(&format!("{f}/")));
            if !is_path || word.contains(['<', '*', ' ']) {
                continue;
            }
            let missing = |w: &String| !root.join(w).exists() && !root.join(format!("{w}.rs")).exists();
            wrong.extend(expanded(word).into_iter().filter(missing).map(|w| format!("{document}: {w}")));
        }
    }
    complain(wrong);
}

/// Links of the documents to other files lead somewhere.
#[test]
fn links_lead_to_files() {
    let root = root();
    let mut wrong = Vec::new();
    let others = ["testdata/README.md", "lir-syntax/LANGUAGE.md"].map(str::to_string);
    for document in documents().into_iter().chain(others) {
        let folder = root.join(&document).parent().expect("a document is in a folder").to_path_buf();
        for target in read(&document).split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = target.split('#').next().unwrap_or_default();
            let is_elsewhere = file.is_empty() || file.contains("://") || file.contains(|c: char| c.is_whitespace());
            if !is_elsewhere && !folder.join(file).exists() {
                wrong.push(format!("{document}: {target}"));
            }
        }
    }
    complain(wrong);
}
