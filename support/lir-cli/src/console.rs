//! The console of a tool: the three standard streams, as values.
//!
//! A tool's command line is a function from its arguments and a [`Console`] to an exit status, and does not touch the
//! process's own streams otherwise. So one process can run many tools, several at once, with pipes between them; the
//! binaries pass such a function to [`main`](super::main).

use super::current_run::begin_run;
use super::last_input::{work_on_bytes, work_on_file};
use super::options::heading::GENERAL;
use super::other_options::{advice, is_read_as_output};
use super::output_file::{are_one_file, write_file};
use super::{Failure, FailureKind, Statuses, source_of_bytes};
use clap::error::ContextKind;
use clap::{Arg, ArgAction, Command, Parser};
use lir_syntax::text::source::Source;
use std::ffi::OsString;
use std::io::{ErrorKind, IsTerminal, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// The standard streams of a tool.
pub struct Console<'a> {
    /// The input if no file is named.
    pub stdin: &'a mut dyn Read,
    /// The destination of results if no file is named.
    pub stdout: &'a mut dyn Write,
    /// The destination of diagnostics, times and statistics.
    pub stderr: &'a mut dyn Write,
}

/// A tool: its arguments, the first of them its name, and its streams; the exit status.
pub type Tool = fn(&[OsString], &mut Console) -> u8;

/// The name of standard output in messages.
const STDOUT: &str = "<stdout>";

/// True if the process runs a tool on streams of its own. Other callers give a console any streams.
static HAS_STREAMS: AtomicBool = AtomicBool::new(false);

/// Notes that consoles have the streams of the process from now on.
pub(super) fn note_process_streams() {
    HAS_STREAMS.store(true, Ordering::Relaxed);
}

impl Console<'_> {
    /// True if standard output is shown to a person, who cannot read binary code.
    pub fn shows_output(&self) -> bool {
        HAS_STREAMS.load(Ordering::Relaxed) && std::io::stdout().is_terminal()
    }

    /// Runs a tool: reads its command line, does its work, and reports a failure. Returns the exit status.
    pub fn run<O: Parser>(
        &mut self,
        arguments: &[OsString],
        statuses: Statuses,
        work: impl FnOnce(O, &mut Self) -> Result<u8, Failure>,
    ) -> u8 {
        match self.options(arguments, statuses) {
            Ok(options) => {
                let result = work(options, self);
                self.report(result, statuses)
            }
            Err(status) => status,
        }
    }

    /// Reads the command line of a tool that begins to run.
    ///
    /// # Errors
    /// There are no options, and this is the exit status: the command line is wrong, which was reported; or it asked
    /// for help or the version, which was printed.
    pub fn options<O: Parser>(&mut self, arguments: &[OsString], statuses: Statuses) -> Result<O, u8> {
        begin_run(arguments);
        let mut command = with_general_options(O::command());
        // Arguments after `--` are not options.
        let before_dashes = || arguments.iter().skip(1).map(|a| a.to_string_lossy()).take_while(|a| a != "--");
        let tool = command.get_name().to_string();
        let help = |a: &str| advice(&tool, a).map(|advice| format!("help: for `{a}` {advice}\n"));
        let help_with = |a: &str, value: &str| {
            let advice = advice(&tool, &format!("{a}={value}")).filter(|_| a.starts_with('-'));
            advice.map(|advice| format!("help: for `{a} {value}` {advice}\n"))
        };
        if let Some(a) = before_dashes().find(|a| is_read_as_output(a)) {
            let text = format!("error: unexpected argument `{a}`\n{}", help(&a).unwrap_or_default());
            return Err(self.report(Err(Failure { kind: FailureKind::Usage, text }), statuses));
        }
        let matched = command.try_get_matches_from_mut(arguments);
        let read = matched.and_then(|mut m| O::from_arg_matches_mut(&mut m).map_err(|e| e.format(&mut command)));
        read.map_err(|mut e| {
            if e.use_stderr() {
                // Files are not named `-f`: the suggestion that it could be a value after `--` is of no use.
                e.remove(ContextKind::Suggested);
                // The value of an option may be an argument of its own.
                let next = before_dashes().skip(1).map(Some).chain([None]);
                let translated: String = before_dashes()
                    .zip(next)
                    .filter_map(|(a, next)| help(&a).or_else(|| help_with(&a, &next?)))
                    .collect();
                if !translated.is_empty() {
                    // Clap suggests similar spellings; the translation is the option that the user meant.
                    e.remove(ContextKind::SuggestedArg);
                    e.remove(ContextKind::Usage);
                }
                let text = e.render().to_string() + &translated;
                return self.report(Err(Failure { kind: FailureKind::Usage, text }), statuses);
            }
            let answered = self.write_output(None, e.render().to_string().as_bytes());
            self.report(answered.map(|()| 0), statuses)
        })
    }

    /// Returns the exit status of a tool's run, after its failure was reported.
    pub fn report(&mut self, result: Result<u8, Failure>, statuses: Statuses) -> u8 {
        match result {
            Ok(status) => status,
            Err(failure) => {
                self.say(&failure.text);
                statuses.of(failure.kind)
            }
        }
    }

    /// Writes a line or more to standard error. If that is closed or full, the text is lost.
    pub fn say(&mut self, text: impl std::fmt::Display) {
        let _ = write!(self.stderr, "{text}");
    }

    /// Reads a source: a file, or standard input if `path` is none or `-`.
    ///
    /// # Errors
    /// The file cannot be read, or is not UTF-8; the failure names the position.
    pub fn read_source(&mut self, path: Option<&Path>) -> Result<Source, Failure> {
        let (name, bytes) = self.read_bytes(path)?;
        source_of_bytes(name, bytes)
    }

    /// Reads an input that need not be UTF-8, as [`read_source`](Self::read_source) does: its name in diagnostics,
    /// and its bytes.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn read_bytes(&mut self, path: Option<&Path>) -> Result<(String, Vec<u8>), Failure> {
        let path = path.filter(|p| *p != Path::new("-"));
        let name = path.map_or("<stdin>".into(), |p| p.display().to_string());
        let mut bytes = Vec::new();
        let read = match path {
            Some(p) => std::fs::read(p).map(|b| bytes = b),
            None => self.stdin.read_to_end(&mut bytes).map(|_| ()),
        };
        read.map_err(|e| Failure::file(&name, &e))?;
        match path {
            // A pipe cannot be read a second time.
            Some(path) if path.is_file() => work_on_file(path),
            _ => work_on_bytes(&bytes),
        }
        Ok((name, bytes))
    }

    /// Writes an output: to a file, whole or not at all, or to standard output if `path` is none or `-`. An existing
    /// file keeps its permissions; anything but a regular file (a pipe, a device) is written in place; a symbolic link
    /// stays one, and the file that it means is written.
    ///
    /// # Errors
    /// The output cannot be written; a file that existed is unchanged then.
    pub fn write_output(&mut self, path: Option<&Path>, bytes: &[u8]) -> Result<(), Failure> {
        let (name, written) = match path.filter(|p| *p != Path::new("-")) {
            Some(path) => (path.display().to_string(), write_file(path, bytes)),
            None => (STDOUT.into(), self.stdout.write_all(bytes).and_then(|()| self.stdout.flush())),
        };
        written.map_err(|e| match e.kind() {
            // The reader has enough (`| head`): there is no error to report, and nothing more to write.
            ErrorKind::BrokenPipe if name == STDOUT => Failure { kind: FailureKind::Input, text: String::new() },
            _ => Failure::file(name, &e),
        })
    }
}

/// Moves `--help` and `--version` into the last group of options.
fn with_general_options(command: Command) -> Command {
    let help = Arg::new("help")
        .short('h')
        .long("help")
        .action(ArgAction::Help)
        .help("Print help; `-h` is shorter")
        .global(true);
    let version = Arg::new("version").short('V').long("version").action(ArgAction::Version).help("Print the version");
    let command = command.disable_help_flag(true).disable_version_flag(true);
    // A number below zero is a wrong value of an option, and not an option of its own.
    let is_option = |a: &Arg| a.get_action().takes_values() && (a.get_long().is_some() || a.get_short().is_some());
    let numbered = |a: Arg| if is_option(&a) { a.allow_negative_numbers(true) } else { a };
    let command = command.mut_args(numbered).mut_subcommands(|c| c.mut_args(numbered));
    command.args([help.help_heading(GENERAL), version.help_heading(GENERAL)])
}

/// Refuses outputs that are written to the same file, or both to standard output (`-`). `both` names them.
///
/// # Errors
/// A message about the command line.
pub fn not_both_to_one(both: &str, one: &Path, other: &Path) -> Result<(), Failure> {
    match one {
        _ if one != other && !are_one_file(one, other) => Ok(()),
        _ if one == Path::new("-") => Err(Failure::usage(format_args!("{both} cannot both go to standard output"))),
        _ => Err(Failure::usage(format_args!("{both} cannot both go to `{}`", one.display()))),
    }
}

/// Refuses an output that would replace the input, whose text is in no other file. `what` names it.
///
/// # Errors
/// A message about the command line.
pub fn not_over_input(what: &str, output: &Path, input: Option<&Path>) -> Result<(), Failure> {
    match input {
        Some(input) if input != Path::new("-") && are_one_file(output, input) => {
            Err(Failure::usage(format_args!("{what} would replace the input `{}`", input.display())))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_output_replaces_another_or_the_input() {
        let folder = tempfile::tempdir().unwrap();
        let [a, link] = ["a", "link"].map(|name| folder.path().join(name));
        let spelled = folder.path().join(".").join("a");
        std::os::unix::fs::symlink(&a, &link).unwrap();
        // Before the file is there, and then.
        for _ in 0..2 {
            for other in [&spelled, &link] {
                assert!(not_both_to_one("both", &a, other).is_err(), "{}", other.display());
                assert!(not_over_input("the map", other, Some(&a)).is_err(), "{}", other.display());
            }
            std::fs::write(&a, "text").unwrap();
        }
        assert_eq!(not_both_to_one("both", &a, &folder.path().join("b")), Ok(()));
        assert_eq!(not_over_input("the map", Path::new("/dev/null"), Some(Path::new("/dev/null"))), Ok(()));
        assert_eq!(not_over_input("the map", &a, None), Ok(()));
    }

    /// Returns the result of a use of a console, and the text on standard error.
    fn with_console<T>(work: impl FnOnce(&mut Console) -> T) -> (T, String) {
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let mut console = Console { stdin: &mut std::io::empty(), stdout: &mut stdout, stderr: &mut stderr };
        let result = work(&mut console);
        (result, String::from_utf8(stderr).unwrap())
    }

    #[test]
    fn outputs_are_replaced_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.bin");
        let write = |path: &Path, bytes| with_console(|c| c.write_output(Some(path), bytes)).0;
        write(&path, b"first").unwrap();
        write(&path, b"second").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"second");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file stays");
        let missing = write(&folder.path().join("no/out.bin"), b"x").unwrap_err();
        assert!(missing.text.contains("out.bin: error: no such file"), "{}", missing.text);
    }

    #[test]
    fn missing_files_are_named() {
        let missing = with_console(|c| c.read_source(Some(Path::new("no such file")))).0.unwrap_err();
        assert_eq!(missing.text, "no such file: error: no such file or directory\n");
    }

    #[test]
    fn failures_have_a_status() {
        let (statuses, said) = with_console(|c| {
            let other = Statuses { input: 125, usage: 126 };
            let input = c.report(Err(Failure::input("a")), Statuses::USUAL);
            [c.report(Ok(0), Statuses::USUAL), input, c.report(Err(Failure::usage("b")), other)]
        });
        assert_eq!((statuses, said.as_str()), ([0, 1, 126], "error: a\nerror: b\n"));
    }
}
