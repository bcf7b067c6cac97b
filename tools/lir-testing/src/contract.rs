//! The behaviour that all tools have in common.
//!
//! The results of every tool for wrong files, wrong options and outputs that cannot be written, through its binary:
//! exit status, one clear line, no panic, no half-written file. Tests of each tool call [`Contract::holds`].

use crate::process::{Ran, run};
use std::path::Path;
use std::process::Command;

/// A tool, with its inputs and outputs.
pub struct Contract<'a> {
    /// Its binary.
    pub binary: &'a str,
    /// Its arguments before all others.
    pub arguments: &'a [&'a str],
    /// A right input.
    pub right: &'a str,
    /// A wrong one, with three errors.
    pub wrong: &'a str,
    /// The exit status for wrong inputs.
    pub input: i32,
    /// The exit status for wrong command lines.
    pub usage: i32,
    /// The ending of an output, if the tool writes one by `-o`.
    pub ending: Option<&'a str>,
    /// It has `-j`.
    pub jobs: bool,
}

impl<'a> Contract<'a> {
    /// Returns the contract of a tool that reads LIR, with its exit statuses for wrong inputs and command lines.
    pub fn of_lir(binary: &'a str, (input, usage): (i32, i32), ending: Option<&'a str>) -> Contract<'a> {
        let right = "func @main() -> i32 {\nentry:\n  ret 0\n}\n";
        let wrong = "func @f() {\nentry:\n  oops\n  oops\n  oops\n  ret\n}\n";
        Contract { binary, arguments: &[], right, wrong, input, usage, ending, jobs: true }
    }
    /// Checks everything.
    pub fn holds(&self) {
        let folder = tempfile::tempdir().expect("a folder for files");
        std::fs::write(folder.path().join("right"), self.right).expect("the folder takes a file");
        std::fs::write(folder.path().join("wrong"), self.wrong).expect("the folder takes a file");
        std::fs::write(folder.path().join("bytes"), b"\xff\0\x80").expect("the folder takes a file");
        std::fs::create_dir(folder.path().join("folder")).expect("the folder takes a folder");
        self.inputs(folder.path());
        self.options(folder.path());
        self.numbers(folder.path());
        self.help(folder.path());
        if let Some(ending) = self.ending {
            self.outputs(folder.path(), ending);
        }
    }

    fn run(&self, folder: &Path, more: &[&str]) -> Ran {
        run(Command::new(self.binary).args(self.arguments).args(more).current_dir(folder), "")
    }

    /// Runs the tool in a shell, as `$0` with its first arguments as `$@`.
    fn shell(&self, folder: &Path, script: &str) -> Ran {
        run(Command::new("sh").arg("-c").arg(script).arg(self.binary).args(self.arguments).current_dir(folder), "")
    }

    #[track_caller]
    fn fails(&self, ran: Ran, status: i32, message: &str) {
        let Ran { status: found, out, err } = ran;
        assert_eq!((found, out.as_str()), (status, ""), "{err}");
        assert!(err.contains(message) && !err.contains("panicked"), "{message:?} is not in:\n{err}");
    }

    fn inputs(&self, folder: &Path) {
        self.fails(self.run(folder, &["missing"]), self.input, "missing: error: no such file or directory\n");
        self.fails(self.run(folder, &["folder"]), self.input, "folder: error: is a directory\n");
        self.fails(self.run(folder, &["right/below"]), self.input, "right/below: error: not a directory\n");
        self.fails(self.run(folder, &["bytes"]), self.input, "bytes:1:1: error: ");
        let closed = self.shell(folder, "\"$0\" \"$@\" - <&-");
        self.fails(closed, self.input, "<stdin>: error: standard input is closed\n");
        self.encodings(folder);
        let Ran { status, err, .. } = self.run(folder, &["wrong"]);
        assert_eq!((status, err.matches(" error: ").count()), (self.input, 3), "{err}");
        let Ran { status, err, .. } = self.run(folder, &["--error-limit", "2", "wrong"]);
        assert_eq!((status, err.matches(" error: ").count()), (self.input, 2), "{err}");
        let Ran { status, err, .. } = self.run(folder, &["--error-limit=0", "wrong"]);
        assert_eq!((status, err.matches(" error: ").count()), (self.input, 3), "0 is no limit: {err}");
        if self.wrong.contains("  oops\n") {
            self.many_errors(folder);
        }
        self.no_memory(folder);
    }

    /// Texts in other encodings, and with the line ends of old systems.
    fn encodings(&self, folder: &Path) {
        let utf16: Vec<u8> = self.right.encode_utf16().flat_map(u16::to_le_bytes).collect();
        std::fs::write(folder.join("encoded"), utf16).expect("the folder takes a file");
        self.fails(
            self.run(folder, &["encoded"]),
            self.input,
            "encoded: error: the text is UTF-16, and not UTF-8\nencoded: help: ",
        );
        let comment = if self.binary.ends_with("lir-import") { "# a comment\n" } else { "; a comment\n" };
        let text = format!("{comment}{}", self.right).replace('\n', "\r");
        std::fs::write(folder.join("encoded"), text).expect("the folder takes a file");
        let at = format!("encoded:1:{}: error: a carriage return without a line feed\n", comment.len());
        let ended = self.run(folder, &["encoded"]);
        assert_eq!(ended.err.matches(" error: ").count(), 1, "{}", ended.err);
        self.fails(ended, self.input, &at);
        std::fs::write(folder.join("encoded"), self.right.replace('\n', "\r")).expect("the folder takes a file");
        let Ran { status, err, .. } = self.run(folder, &["encoded"]);
        let line = self.right.lines().next().unwrap_or_default();
        let caret = " ".repeat(line.len());
        let said = format!(
            "encoded:1:{}: error: a carriage return without a line feed\n  {line}\n  {caret}^\nencoded: help: lines end in \
             line feeds: `tr '\\r' '\\n' <OLD >NEW` writes them\n",
            line.len() + 1
        );
        assert_eq!((status, err), (self.input, said));
        std::fs::remove_file(folder.join("encoded")).expect("it was there");
    }

    /// Less address space than the text's module takes: a line and a status, whatever Rust would add.
    fn no_memory(&self, folder: &Path) {
        let (begin, end) = match self.binary.ends_with("lir-import") {
            true => ("export function $f(l %x) {\n@start\n", "  ret\n}\n"),
            false => ("func @f(%x: i64) {\nentry:\n", "  ret\n}\n"),
        };
        let line = |n: u32| match self.binary.ends_with("lir-import") {
            true => format!("  %x{n} =l add %x, 1\n"),
            false => format!("  %x{n} = add i64 %x, 1\n"),
        };
        let lines: String = (0..300_000).map(line).collect();
        std::fs::write(folder.join("many"), format!("{begin}{lines}{end}")).expect("the folder takes a file");
        let out = self.ending.map_or(String::new(), |ending| format!("-o out{ending}"));
        let jobs = if self.jobs { "-j1" } else { "" };
        for backtrace in ["unset RUST_BACKTRACE", "export RUST_BACKTRACE=1"] {
            let script = format!("ulimit -v 60000; {backtrace}; \"$0\" \"$@\" {jobs} many {out}");
            let ended = self.shell(folder, &script);
            assert_eq!(
                ended,
                Ran { status: 71, out: String::new(), err: "error: no memory is left\n".into() },
                "{backtrace}"
            );
        }
        assert!(self.ending.is_none_or(|ending| !folder.join(format!("out{ending}")).exists()), "no half-written file");
        std::fs::remove_file(folder.join("many")).expect("it was there");
    }

    fn many_errors(&self, folder: &Path) {
        std::fs::write(folder.join("many"), self.wrong.replace("  oops\n", &"  oops\n".repeat(10)))
            .expect("the folder takes a file");
        for (limit, errors) in [("--error-limit=20", 20), ("--error-limit=0", 30)] {
            let Ran { status, err, .. } = self.run(folder, &[limit, "many"]);
            let more = err.matches("there are more errors").count();
            assert_eq!((status, err.matches(" error: ").count(), more), (self.input, errors, (errors == 20).into()));
        }
        std::fs::remove_file(folder.join("many")).expect("it was there");
    }

    fn options(&self, folder: &Path) {
        self.fails(self.run(folder, &["--frobnicate", "right"]), self.usage, "'--frobnicate'");
        self.fails(self.run(folder, &["--error-limt=3", "right"]), self.usage, "'--error-limit'");
        self.fails(self.run(folder, &["--error-limit=many", "right"]), self.usage, "'many'");
        for below_zero in [&["--error-limit=-1", "right"][..], &["--error-limit", "-1", "right"]] {
            let expected = "'-1' for '--error-limit <N>': a number of errors is expected, or 0 for all\n";
            self.fails(self.run(folder, below_zero), self.usage, expected);
        }
        self.fails(self.run(folder, &["--error-limit"]), self.usage, "--error-limit <N>");
        if self.jobs {
            for jobs in ["-j0", "-j9999999"] {
                let Ran { status, err, .. } = self.run(folder, &[jobs, "wrong"]);
                assert_eq!((status, err.matches(" error: ").count()), (self.input, 3), "{jobs}: {err}");
            }
            self.fails(self.run(folder, &["-jx", "right"]), self.usage, "'x'");
            self.fails(self.run(folder, &["-j=-1", "right"]), self.usage, "-1");
            self.fails(self.run(folder, &["-j", "-1", "right"]), self.usage, "a number of threads is expected\n");
        }
    }

    /// The errors for negative and huge numbers state the numbers that the option expects; they are not the errors of
    /// `str::parse`.
    fn numbers(&self, folder: &Path) {
        let Ran { out: help, .. } = self.run(folder, &["--help"]);
        let options = help.lines().filter_map(|line| {
            let (option, value) = line.trim_start().split_once(|c: char| "[ =".contains(c))?;
            let is_number = ["<N>", "<SEED>", "<ADDR>", "<MB>", "=N>", "<LEVEL>"].iter().any(|v| value.contains(v));
            option.starts_with("--").then_some(option).filter(|_| is_number)
        });
        let mut count = 0;
        for option in options {
            for value in ["-1", "99999999999999999999999"] {
                let Ran { err, .. } = self.run(folder, &[&format!("{option}={value}"), "right"]);
                let is_raw =
                    ["invalid digit", "too large to fit", "cannot parse"].iter().any(|said| err.contains(said));
                assert!(!is_raw, "{option}={value}: {err}");
            }
            count += 1;
        }
        assert!(count > 0, "--error-limit is one");
    }

    fn help(&self, folder: &Path) {
        for question in ["--help", "--version"] {
            let Ran { status, out, err } = run(Command::new(self.binary).arg(question), "");
            assert!(status == 0 && out.contains("lir-") && err.is_empty(), "{question}: {out}{err}");
            let groups = ["General:\n", "\nExamples:\n"].iter().all(|part| out.contains(part));
            assert!(question == "--version" || groups, "{out}");
            let full = self.shell(folder, &format!("\"$0\" {question} > /dev/full"));
            self.fails(full, self.input, "<stdout>: error: no space left on device\n");
            let closed = self.shell(folder, &format!("\"$0\" {question} >&-"));
            self.fails(closed, self.input, "<stdout>: error: standard output is closed\n");
            // Read and write, as others than shells open it.
            let Ran { status, err, .. } = self.shell(folder, &format!("\"$0\" {question} 1<>/dev/null"));
            assert!(status == 0 && err.is_empty(), "{question}: {err}");
        }
    }

    fn outputs(&self, folder: &Path, ending: &str) {
        let out = format!("out{ending}");
        let run = |to: &str, from: &str| self.shell(folder, &format!("\"$0\" \"$@\" {from} -o {to}"));
        self.fails(run(&format!("no/{out}"), "right"), self.input, ": error: no such file or directory\n");
        self.fails(run(&format!("right/{out}"), "right"), self.input, ": error: not a directory\n");
        let Ran { status, err, .. } = run(&out, "right");
        assert_eq!((status, err.as_str()), (0, ""));
        let written = std::fs::read(folder.join(&out)).expect("the output is there");
        // A failure leaves the old output as it was, and no other file.
        self.fails(run(&out, "wrong"), self.input, "wrong:");
        let limited = self.shell(folder, &format!("ulimit -f 0; \"$0\" \"$@\" right -o {out}"));
        self.fails(limited, self.input, &format!("{out}: error: file too large\n"));
        assert!(std::fs::read(folder.join(&out)).expect("the output is there") == written);
        self.links(folder, ending, &written);
        std::fs::create_dir(folder.join(format!("folder{ending}"))).expect("the folder takes a folder");
        self.fails(run(&format!("folder{ending}"), "right"), self.input, ": error: is a directory\n");
        let left: Vec<_> = std::fs::read_dir(folder).expect("the folder is there").collect();
        assert_eq!(left.len(), 6, "{left:?}");
        std::os::unix::fs::symlink("/dev/full", folder.join(format!("full{ending}"))).expect("a link");
        self.fails(run(&format!("full{ending}"), "right"), self.input, ": error: no space left on device\n");
        self.standard_output(folder, ending);
    }

    /// An output to a symbolic link is written to its target, whether that exists or not.
    fn links(&self, folder: &Path, ending: &str, written: &[u8]) {
        let (file, link, chain) = (format!("file{ending}"), format!("link{ending}"), format!("chain{ending}"));
        std::os::unix::fs::symlink(&file, folder.join(&link)).expect("a link");
        std::os::unix::fs::symlink(&link, folder.join(&chain)).expect("a link");
        for _ in 0..2 {
            let Ran { status, err, .. } = self.shell(folder, &format!("\"$0\" \"$@\" right -o {chain}"));
            assert_eq!((status, err.as_str()), (0, ""));
            assert!(folder.join(&link).is_symlink() && folder.join(&chain).is_symlink());
            assert!(std::fs::read(folder.join(&file)).expect("the file is there") == written);
        }
        for name in [file, link, chain] {
            std::fs::remove_file(folder.join(name)).expect("it was there");
        }
    }

    fn standard_output(&self, folder: &Path, ending: &str) {
        let emit = if ending == ".o" { "--emit=obj" } else { "" };
        let full = self.shell(folder, &format!("\"$0\" \"$@\" {emit} right > /dev/full"));
        self.fails(full, self.input, "<stdout>: error: no space left on device\n");
        let pipe = format!("{{ \"$0\" \"$@\" {emit} right; echo $? >&2; }} | true");
        let Ran { err, .. } = self.shell(folder, &format!("sleep 0.1; {pipe}"));
        // The reader may end before or after the write, which fails in silence or fits the pipe.
        let said = err == "0\n" || err == format!("{}\n", self.input);
        assert!(said, "{err}");
        let closed = self.shell(folder, &format!("\"$0\" \"$@\" {emit} right >&-"));
        self.fails(closed, self.input, "<stdout>: error: standard output is closed\n");
        let Ran { status, err, .. } = self.shell(folder, "\"$0\" \"$@\" wrong 2>&-");
        assert_eq!((status, err.as_str()), (self.input, ""), "standard error is closed");
    }
}
