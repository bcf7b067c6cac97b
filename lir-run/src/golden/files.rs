//! The files that are tests, below the paths of a command line.

use std::io;
use std::path::{Path, PathBuf};

/// The endings of files that are tests.
const ENDINGS: [&str; 3] = ["lir", "ssa", "mir"];
/// The folders whose files tests read and that are none themselves.
const INPUTS: &str = "inputs";

/// The tests below a path, sorted: the file itself; or the `.lir`, `.ssa` and `.mir` files in a folder and those below
/// it, but for folders named `inputs` and for outputs that stand beside a case (`.out.lir`).
///
/// # Errors
/// The path or a folder cannot be read.
pub fn tests_below(path: &Path) -> io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        // Says why there is none.
        std::fs::metadata(path)?;
        return Ok(vec![path.to_path_buf()]);
    }
    let (mut found, mut folders) = (Vec::new(), vec![path.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
            if name.starts_with('.') {
                continue;
            }
            if path.is_dir() {
                if name != INPUTS {
                    folders.push(path);
                }
            } else if ENDINGS.contains(&ending) && !name.ends_with(".out.lir") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}
