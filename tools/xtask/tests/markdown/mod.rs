//! The documents of the project: those at its root, and those in `docs`.

use std::path::{Path, PathBuf};

/// The folder of the project.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Their names, from the root of the project: `README.md`, `docs/tutorial.md`. Sorted.
pub fn documents() -> Vec<String> {
    let of = |folder: &'static str| {
        let entries = std::fs::read_dir(root().join(folder)).expect("a readable folder");
        let names = entries.map(|e| e.expect("a readable entry").file_name().to_string_lossy().into_owned());
        names.filter(|n| n.ends_with(".md")).map(move |n| if folder.is_empty() { n } else { format!("{folder}/{n}") })
    };
    let mut names: Vec<String> = of("").chain(of("docs")).collect();
    names.sort();
    names
}

/// The text of one.
pub fn read(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}
