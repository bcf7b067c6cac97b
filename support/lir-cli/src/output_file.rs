//! Output files: they appear whole or not at all.

use std::ffi::OsString;
use std::io::{Error, Write};
use std::path::{Path, PathBuf};

/// Writes a file. An existing one is replaced as a whole, and keeps its permissions; anything but a regular file (a
/// pipe, a device) is written in place. A symbolic link means its target, even if that does not exist yet.
///
/// # Errors
/// The errors of the system; a file that existed is unchanged then.
pub(super) fn write_file(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    #[cfg(unix)]
    survive_size_limits();
    let target = target_of(path)?;
    let existing = std::fs::metadata(&target).ok();
    if existing.as_ref().is_some_and(|m| !m.is_file()) {
        return std::fs::OpenOptions::new().write(true).open(&target)?.write_all(bytes);
    }
    let folder = target.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".lir-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    if let Some(existing) = existing {
        file.as_file().set_permissions(existing.permissions())?;
    }
    file.persist(&target).map_err(|e| e.error)?;
    Ok(())
}

/// The most symbolic links that are followed one after the other, as in Linux.
const MAX_LINKS: usize = 40;

/// True if two paths mean one file, however they are spelled, even if it does not exist yet. Anything but a regular
/// file (a device, a pipe) loses nothing by being written twice.
pub(super) fn are_one_file(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| {
        let target = target_of(path).ok()?;
        let folder = target.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let is_regular = std::fs::metadata(&target).map_or(true, |m| m.is_file());
        is_regular.then_some((std::fs::canonicalize(folder).ok()?, target.file_name()?.to_os_string()))
    };
    place(one).is_some_and(|one| Some(one) == place(other))
}

/// Returns the target of a path: the path itself, or the end of its symbolic links. A target without a name of its own
/// (a pipe at `/dev/stdout`) has the name of the link.
fn target_of(path: &Path) -> std::io::Result<PathBuf> {
    let mut at = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        if let Ok(found) = std::fs::canonicalize(&at) {
            return Ok(found);
        }
        if std::fs::metadata(&at).is_ok() {
            return Ok(at);
        }
        match std::fs::read_link(&at) {
            // A relative link starts from the folder that it is in.
            Ok(next) => at = at.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return Ok(at),
        }
    }
    let text = OsString::from(path);
    Err(Error::other(format!("more than {MAX_LINKS} symbolic links lead on from `{}`", text.display())))
}

/// Makes a write beyond the file size limit (`ulimit -f`) an error of that write. Without this the signal would end the
/// process, and leave the temporary file.
#[cfg(unix)]
fn survive_size_limits() {
    static DONE: std::sync::Once = std::sync::Once::new();
    DONE.call_once(|| {
        // The flag is not read. If no handler can be installed, the signal keeps its effect.
        let flag = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, flag);
    });
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_stay_and_their_files_are_written() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("below")).unwrap();
        std::fs::write(at("present"), b"old").unwrap();
        symlink("present", at("to_present")).unwrap();
        symlink("below/absent", at("to_absent")).unwrap();
        symlink("../to_absent", at("below/chain")).unwrap();
        symlink(at("below/chain"), at("longer_chain")).unwrap();
        for (link, file) in [("to_present", "present"), ("longer_chain", "below/absent"), ("to_absent", "below/absent")]
        {
            write_file(&at(link), link.as_bytes()).unwrap();
            assert!(at(link).is_symlink(), "{link}");
            assert_eq!(std::fs::read(at(file)).unwrap(), link.as_bytes());
            assert!(!at(file).is_symlink(), "{link}");
        }
        symlink("no/file", at("into_nothing")).unwrap();
        assert_eq!(write_file(&at("into_nothing"), b"x").unwrap_err().kind(), std::io::ErrorKind::NotFound);
        symlink("circle", at("circle")).unwrap();
        assert!(write_file(&at("circle"), b"x").is_err() && at("circle").is_symlink());
    }
}
