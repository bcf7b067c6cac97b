//! The files that are tests, below the paths of a command line.

use std::io;
use std::path::{Path, PathBuf};

/// The endings of files that are tests.
const ENDINGS: [&str; 3] = ["lir", "ssa", "mir"];
/// The folders of files that tests read and that are not tests themselves.
const INPUTS: &str = "inputs";
/// The file whose first line says why its folder's tests are not for this tool.
pub const SKIP_FILE: &str = "lir-check.skip";

/// The tests below a path.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tests {
    /// The files, sorted.
    pub files: Vec<PathBuf>,
    /// The folders that were left out, sorted, each with the reason that its [`SKIP_FILE`] gives.
    pub skipped: Vec<(PathBuf, String)>,
}

/// Returns the tests below a path: the file itself. Or the `.lir`, `.ssa` and `.mir` files in a folder and those below
/// it, except folders named `inputs`, folders that say why they are skipped ([`SKIP_FILE`]), and outputs next to a case
/// (`.out.lir`).
///
/// # Errors
/// The path or a folder cannot be read, or a folder is skipped without a reason.
pub fn tests_below(path: &Path) -> io::Result<Tests> {
    let mut found = Tests::default();
    if !path.is_dir() {
        // Returns the error if there is none.
        std::fs::metadata(path)?;
        found.files.push(path.to_path_buf());
        return Ok(found);
    }
    let mut folders = vec![path.to_path_buf()];
    while let Some(folder) = folders.pop() {
        if let Some(reason) = reason_to_skip(&folder)? {
            found.skipped.push((folder, reason));
            continue;
        }
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
                found.files.push(path);
            }
        }
    }
    found.files.sort();
    found.skipped.sort();
    Ok(found)
}

/// Returns the reason why a folder is skipped, if it is.
fn reason_to_skip(folder: &Path) -> io::Result<Option<String>> {
    let path = folder.join(SKIP_FILE);
    let text = match std::fs::read_to_string(&path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        text => text?,
    };
    match text.lines().next().map(str::trim) {
        None | Some("") => Err(io::Error::other(format!("{SKIP_FILE} in {} gives no reason", folder.display()))),
        Some(reason) => Ok(Some(reason.to_string())),
    }
}
