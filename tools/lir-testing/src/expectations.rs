//! Stored texts that a result must be equal to. With `LIR_BLESS`, which `cargo xtask bless` sets, they are written.

use std::path::Path;

/// Returns whether expectations are written.
pub fn is_blessing() -> bool {
    std::env::var_os("LIR_BLESS").is_some()
}

/// Compares a result with the text of a file, after writing it there if [`is_blessing`].
///
/// # Errors
/// They differ, or the file cannot be read or written.
pub fn compare_with_file(path: &Path, found: &str) -> Result<(), String> {
    let name = path.display();
    if is_blessing() {
        std::fs::write(path, found).map_err(|e| format!("{name}: {e}"))?;
    }
    let wanted = std::fs::read_to_string(path).map_err(|e| format!("{name}: {e}"))?;
    if wanted == found {
        return Ok(());
    }
    let line = wanted.lines().zip(found.lines()).take_while(|(a, b)| a == b).count();
    let [old, new] = [&*wanted, found].map(|text| text.lines().nth(line).unwrap_or("(end)"));
    Err(format!("{name} differs at line {}\nwanted: {old}\nfound:  {new}\n\n{found}", line + 1))
}
