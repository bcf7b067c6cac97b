//! `--check`: the run lines of files, in every way of running.

use crate::check::{Way, check};
use crate::cli::{Options, STATUSES};
use crate::symbols::HostSymbols;
use lir_llc::regalloc::ALLOCATORS;
use lir_opt::Level;
use lir_syntax::diagnostic::render;
use lir_syntax::parser::ParseOptions;
use lir_syntax::tool::{Console, Failure};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a call may take where the command line does not say.
const DEFAULT_LIMIT: Duration = Duration::from_secs(10);
/// The exit status where a line failed, or a file has none.
const FAILED: u8 = 1;

/// Checks all files, and prints what differs and how many lines passed and failed. The exit status.
///
/// # Errors
/// Libraries are not found, or the system gives no processes.
pub(crate) fn run(options: &Options, console: &mut Console) -> Result<u8, Failure> {
    let names: Vec<&str> = options.libraries.iter().map(String::as_str).collect();
    let host = HostSymbols::new(&names).map_err(Failure::input)?;
    let ways = ways(options);
    let limit = options.timeout.unwrap_or(DEFAULT_LIMIT);
    let (mut passed, mut failed, mut status) = (0, 0, 0);
    let stdin = [PathBuf::from("-")];
    for path in if options.inputs.is_empty() { &stdin[..] } else { &options.inputs } {
        // A file that is no module does not keep the others from being checked.
        match check_file(path, options, &ways, &host, limit, console) {
            Ok(found) => {
                passed += found.passed;
                failed += found.failed;
                status = status.max(found.status);
            }
            Err(failure) => status = status.max(console.report(Err(failure), STATUSES)),
        }
    }
    print(console, &format!("{passed} passed, {failed} failed\n"));
    Ok(status)
}

/// What came of a file.
struct Found {
    passed: usize,
    failed: usize,
    status: u8,
}

fn check_file(
    path: &Path,
    options: &Options,
    ways: &[Way],
    host: &HostSymbols,
    limit: Duration,
    console: &mut Console,
) -> Result<Found, Failure> {
    // One thread: the process forks.
    let parse_options = ParseOptions { threads: 1, error_limit: options.error_limit.get() };
    let (source, module) = console.load_module(Some(path), &parse_options)?;
    let found = check(&source, &module, ways, host, limit).map_err(Failure::input)?;
    print(console, &render(&source, &found.complaints));
    if found.passed + found.failed == 0 && !found.unusable {
        print(console, &format!("{}: error: there are no run lines\n", source.name));
        return Ok(Found { passed: 0, failed: 0, status: FAILED });
    }
    let status = match (found.unusable, found.failed) {
        (true, _) => STATUSES.input,
        (false, 0) => 0,
        (false, _) => FAILED,
    };
    Ok(Found { passed: found.passed, failed: found.failed, status })
}

/// The interpreter, and each allocator at each level, unless the command line asks for some of them.
fn ways(options: &Options) -> Vec<Way> {
    if options.interp {
        return vec![Way::Interpreter];
    }
    let levels = options.level.map_or(vec![Level::O0, Level::O2], |level| vec![level]);
    let allocators = options.regalloc.map_or(ALLOCATORS.to_vec(), |a| vec![a]);
    let native = levels.iter().flat_map(|level| allocators.iter().map(|a| Way::Native(*level, *a)));
    std::iter::once(Way::Interpreter).chain(native).collect()
}

fn print(console: &mut Console, text: &str) {
    // There is nobody left to tell that the output is closed.
    let _ = console.stdout.write_all(text.as_bytes());
}
