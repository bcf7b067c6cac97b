//! Input and output of the command-line tools: `-` is a stream, and a file appears whole or not at all.

use std::fs::Metadata;
use std::io::{Read, Result, Write};
use std::path::Path;

/// Whether a path on a command line means standard input or output.
pub fn is_stream(path: &Path) -> bool {
    path == Path::new("-")
}

/// What diagnostics call an input.
pub fn input_name(path: &Path) -> String {
    if is_stream(path) { "<stdin>".to_string() } else { path.display().to_string() }
}

/// All bytes of a file, or of standard input for `-`.
///
/// # Errors
///
/// Those of the operating system.
pub fn read_input(path: &Path) -> Result<Vec<u8>> {
    if !is_stream(path) {
        return std::fs::read(path);
    }
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Writes a file, or standard output for `-`. A new file is written beside its place and then moved there; what is not
/// a regular file (a device, a pipe) is written to.
///
/// # Errors
///
/// Those of the operating system; then the file is as it was.
pub fn write_output(path: &Path, bytes: &[u8]) -> Result<()> {
    if is_stream(path) {
        let mut out = std::io::stdout().lock();
        out.write_all(bytes)?;
        return out.flush();
    }
    // A symbolic link stays one: what it leads to is replaced.
    let path = &std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let before = std::fs::metadata(path).ok();
    if before.as_ref().is_some_and(|m| !m.is_file()) {
        return std::fs::write(path, bytes);
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = new_file(folder)?;
    file.write_all(bytes)?;
    if let Some(permissions) = before.as_ref().map(Metadata::permissions) {
        file.as_file().set_permissions(permissions)?;
    }
    file.persist(path)?;
    Ok(())
}

/// A file of a name of its own, with the permissions that a new file gets.
fn new_file(folder: &Path) -> Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    let builder = {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666))
    };
    builder.tempfile_in(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        write_output(&path, b"first, longer").unwrap();
        write_output(&path, b"second").unwrap();
        assert_eq!(read_input(&path).unwrap(), b"second");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(write_output(&folder.path().join("none/out"), b"").is_err());
    }
}
