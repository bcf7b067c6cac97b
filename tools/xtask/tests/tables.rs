//! The tables of the documents: the items that a row names in backticks are in the files that the row names. Where a
//! row says that items are in a path, each of them is there, and each file of the path has one of them.

use crate::markdown::{documents, read, root};
use std::path::Path;

/// The folders with which the paths of files begin.
const FOLDERS: [&str; 10] =
    ["support", "lir-syntax", "lir-opt", "lir-llc", "lir-run", "lir", "tools", "testdata", "docs", ".ci"];
/// Programs of the system, which no file of the project contains.
const OTHERS: [&str; 1] = ["readelf"];
/// The tables have at least this many rows with an item and a file.
const ROWS: usize = 40;

/// The paths of the files that a word in backticks names: `a/{b,c}.rs` names two. None if it is not a plain path.
fn paths(word: &str) -> Vec<String> {
    if !FOLDERS.iter().any(|f| word.strip_prefix(f).is_some_and(|r| r.starts_with('/')))
        || word.contains(['<', '*', ' '])
    {
        return Vec::new();
    }
    let Some((before, (inside, after))) = word.split_once('{').and_then(|(b, r)| Some((b, r.split_once('}')?))) else {
        return vec![word.to_string()];
    };
    inside.split(',').map(|one| format!("{before}{one}{after}")).collect()
}

/// The last name of an item: `f`, `T`, `module::f`. None if it is not a name of one.
fn name(word: &str) -> Option<&str> {
    let is_name = |part: &str| {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_alphabetic() || c == '_');
        rest.len() < part.len() && rest.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    word.split("::").all(is_name).then(|| word.rsplit("::").next().expect("a split has a part"))
}

/// The items that a row says to be in a path, and the files of the path, for each phrase such as
/// `` `f`, `T::g` in `a/{b,c}.rs` ``.
fn claims(row: &str) -> Vec<(Vec<&str>, Vec<String>)> {
    let parts: Vec<&str> = row.split('`').collect();
    let (mut claims, mut items) = (Vec::new(), Vec::new());
    for pair in parts.chunks_exact(2) {
        let (before, word) = (pair[0], pair[1]);
        let files = paths(word);
        if before == " in " && !files.is_empty() && !items.is_empty() {
            claims.push((std::mem::take(&mut items), files));
            continue;
        }
        if ![", ", " and ", " or "].contains(&before) {
            items.clear();
        }
        match name(word) {
            Some(item) => items.push(item),
            None => items.clear(),
        }
    }
    claims
}

/// The text of a file, or of all files of a folder, with their paths.
fn text_of(path: &Path) -> String {
    let path = if path.exists() { path.to_path_buf() } else { path.with_extension("rs") };
    let mut text = format!("{}\n", path.display());
    if path.is_dir() {
        for entry in std::fs::read_dir(&path).expect("a readable folder") {
            text += &text_of(&entry.expect("a readable entry").path());
        }
    } else {
        text += &String::from_utf8_lossy(&std::fs::read(&path).unwrap_or_default());
    }
    text
}

/// True if a name is in a text as a whole word.
fn has_word(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(name)
        .any(|(at, _)| !text[..at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part))
}

#[test]
fn rows_name_items_of_their_files() {
    let (root, mut wrong, mut rows) = (root(), Vec::new(), 0);
    let others = ["testdata/README.md", "lir-syntax/LANGUAGE.md"].map(str::to_string);
    for document in documents().into_iter().chain(others) {
        let text = read(&document);
        for (n, row) in text.lines().enumerate().filter(|(_, l)| l.starts_with('|')) {
            let words: Vec<&str> = row.split('`').skip(1).step_by(2).collect();
            let files: Vec<String> = words.iter().flat_map(|w| paths(w)).collect();
            // Folders next to the document, and folders of the row's first cell, are not items.
            let beside = root.join(&document).parent().expect("a document is in a folder").to_path_buf();
            let first = beside.join(words.first().unwrap_or(&""));
            let is_folder = |item: &str| beside.join(item).exists() || first.join(item).exists();
            let items: Vec<&str> = words.iter().filter_map(|w| name(w)).filter(|i| !is_folder(i)).collect();
            if files.is_empty() || items.is_empty() {
                continue;
            }
            rows += 1;
            for (items, files) in claims(row) {
                let texts: Vec<String> = files.iter().map(|f| text_of(&root.join(f))).collect();
                let missing = items.iter().filter(|i| !texts.iter().any(|t| has_word(t, i)));
                wrong.extend(missing.map(|i| format!("{document}:{}: `{i}` is not in {}", n + 1, files.join(", "))));
                let without = files.iter().zip(&texts).filter(|(_, t)| !items.iter().any(|i| has_word(t, i)));
                wrong.extend(without.map(|(f, _)| format!("{document}:{}: {f} has no {}", n + 1, items.join(", "))));
            }
            let all: String = files.iter().map(|f| text_of(&root.join(f))).collect();
            let missing = items.iter().filter(|i| !OTHERS.contains(i) && !has_word(&all, i));
            wrong.extend(missing.map(|i| format!("{document}:{}: `{i}` is not in {}", n + 1, files.join(", "))));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(rows > ROWS, "{rows} rows are too few for this to be a test");
}

#[test]
fn names_and_paths_are_told_apart() {
    assert_eq!(paths("lir-llc/src/{count,compare}.rs"), ["lir-llc/src/count.rs", "lir-llc/src/compare.rs"]);
    assert_eq!((paths("library/x"), paths("lir-opt -O2")), (Vec::new(), Vec::new()));
    assert_eq!((name("a::f_1"), name("lir-opt"), name("1x")), (Some("f_1"), None, None));
    assert!(has_word("fn find(x)", "find") && !has_word("fn finder", "find"));
    let row = "| `x` | `f` and `T::g` in `docs/{a,b}.rs`; `h` next to them in `docs/c.rs` |";
    assert_eq!(claims(row), [(vec!["f", "g"], vec!["docs/a.rs".to_string(), "docs/b.rs".to_string()])]);
}
