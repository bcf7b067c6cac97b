//! Cases in files: a check file, an input, options and a verdict.

use lir_check::filecheck::cli;
use lir_testing::process::{Ran, run_in_process};
use std::ffi::OsString;
use std::path::Path;

/// The expected result of a case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    Accept,
    Reject,
    /// FileCheck accepts; the reason why we do not.
    Stricter(String),
    /// The messages are compared.
    Message,
}

/// A case.
#[derive(Clone, Debug)]
pub struct Case {
    /// File and name.
    pub name: String,
    pub verdict: Verdict,
    pub options: Vec<String>,
    pub check_file: String,
    pub input: String,
    /// The messages, if the file has them.
    pub message: Option<String>,
    /// The case as it is written, without the message.
    written: String,
}

/// Marks the end of an input that does not end in a line end.
const NO_NEWLINE: &str = "\\no newline\n";

/// The cases of a file.
pub fn cases_in(path: &Path) -> Vec<Case> {
    let text = std::fs::read_to_string(path).expect("the file is UTF-8");
    let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
    let mut parts = text.split("==== ");
    assert_eq!(parts.next(), Some(""), "{stem} begins with a case");
    parts.map(|part| Case::read(&stem, part)).collect()
}

impl Case {
    fn read(stem: &str, part: &str) -> Case {
        let (head, body) = part.split_once('\n').expect("a case has a body");
        let (name, verdict) = head.split_once(": ").unwrap_or_else(|| panic!("{stem}: {head}: no verdict"));
        let verdict = match verdict.split_once(": ") {
            None if verdict == "accept" => Verdict::Accept,
            None if verdict == "reject" => Verdict::Reject,
            None if verdict == "message" => Verdict::Message,
            Some(("stricter", reason)) => Verdict::Stricter(reason.to_string()),
            _ => panic!("{stem}: {head}: unknown verdict"),
        };
        let (options, body) = match body.strip_prefix("options: ") {
            Some(rest) => rest.split_once('\n').expect("a check file follows"),
            None => ("", body),
        };
        let (check_file, rest) = body.split_once("----\n").unwrap_or_else(|| panic!("{stem}: {head}: no input"));
        let (input, message) = match rest.split_once("----\n") {
            Some((input, message)) => (input, Some(message.to_string())),
            None => (rest, None),
        };
        let written = part[..part.len() - message.as_ref().map_or(0, |m| m.len() + "----\n".len())].to_string();
        Case {
            name: format!("{stem}/{name}"),
            verdict,
            options: options.split_whitespace().map(String::from).collect(),
            check_file: check_file.to_string(),
            input: input.strip_suffix(NO_NEWLINE).unwrap_or(input).to_string(),
            message,
            written,
        }
    }

    /// A case that was made up.
    pub fn new(name: String, check_file: String, input: String, options: Vec<String>) -> Case {
        Case { name, verdict: Verdict::Accept, options, check_file, input, message: None, written: String::new() }
    }

    /// The case as it is written in its file.
    pub fn with_message(&self, said: &str) -> String {
        format!("==== {}----\n{said}", self.written)
    }

    /// Writes check file and input into a folder. Returns the arguments for a FileCheck.
    pub fn arguments(&self, folder: &Path) -> Vec<OsString> {
        let (check, input) = (folder.join("check.lir"), folder.join("input"));
        std::fs::write(&check, &self.check_file).expect("the folder can be written");
        std::fs::write(&input, &self.input).expect("the folder can be written");
        let mut input_file = OsString::from("--input-file=");
        input_file.push(input);
        let options = self.options.iter().map(OsString::from);
        [check.into_os_string(), input_file].into_iter().chain(options).collect()
    }

    /// Whether our matcher accepts, and its messages.
    pub fn run(&self, folder: &Path) -> (bool, String) {
        let arguments = [OsString::from("filecheck")].into_iter().chain(self.arguments(folder));
        let Ran { status, err, .. } = run_in_process(cli::run, arguments, "");
        (status == 0, err.replace(&format!("{}/", folder.display()), ""))
    }
}
