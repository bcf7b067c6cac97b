//! The command line of `cc`, divided among the steps of a compilation.

use crate::options;
use crate::unsupported::Unsupported;
use lir_cli::Failure;
use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The last step to do.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Clang does everything: it preprocesses, checks, or answers a question.
    Clang,
    /// `-S`.
    Assembly,
    /// `-c`.
    Object,
    Link,
}

/// The language of an input.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Language {
    /// C, or another language that clang parses.
    Source,
    /// LLVM IR.
    Ir,
    /// Assembly and bitcode, which clang compiles.
    Foreign,
    /// A header, which clang precompiles.
    Header,
    /// Objects and libraries.
    Other,
}

impl Language {
    /// True if LIR compiles it.
    pub fn is_compiled(self) -> bool {
        matches!(self, Language::Source | Language::Ir)
    }
}

/// An input.
#[derive(Clone, Debug)]
pub struct Input {
    pub path: PathBuf,
    pub language: Language,
    /// The word of the last `-x` before the input.
    pub explicit: Option<OsString>,
}

/// An argument, in the order of the command line.
#[derive(Clone, Debug)]
enum Item {
    Input(Input),
    /// An option with its values.
    Option(Vec<OsString>),
}

/// A command line.
#[derive(Debug)]
pub struct CommandLine {
    items: Vec<Item>,
    pub mode: Mode,
    /// The last step among the options of steps, ignoring the options that leave everything to clang.
    step: Mode,
    pub output: Option<PathBuf>,
    /// The level of LIR's passes.
    pub level: u8,
    pub debug: bool,
    /// True for code that may be part of a shared object.
    pub pic: bool,
    pub clang: Option<PathBuf>,
    pub llvm_passes: bool,
    pub fallback: bool,
    pub llc_options: Vec<OsString>,
    pub unsupported: Unsupported,
    pub help: bool,
}

/// Reads a command line, with the files of arguments (`@file`) that it names.
///
/// # Errors
/// A file of arguments cannot be read, or the value of an option is missing.
pub fn read(arguments: &[OsString]) -> Result<CommandLine, Failure> {
    let mut line = CommandLine {
        items: Vec::new(),
        mode: Mode::Link,
        step: Mode::Link,
        output: None,
        level: 0,
        debug: false,
        pic: false,
        clang: None,
        llvm_passes: false,
        fallback: false,
        llc_options: Vec::new(),
        unsupported: Unsupported::default(),
        help: false,
    };
    let mut rest: VecDeque<OsString> = arguments.iter().skip(1).cloned().collect();
    let mut explicit: Option<OsString> = None;
    let mut files = 0;
    while let Some(argument) = rest.pop_front() {
        let text = argument.to_string_lossy().into_owned();
        if let Some(file) = text.strip_prefix('@') {
            files += 1;
            if files > MAX_FILES_OF_ARGUMENTS {
                return Err(Failure::input(format_args!("more than {MAX_FILES_OF_ARGUMENTS} files of arguments")));
            }
            let content = std::fs::read_to_string(file).map_err(|e| Failure::file(file, &e))?;
            for word in words(&content).into_iter().rev() {
                rest.push_front(word.into());
            }
            continue;
        }
        if !text.starts_with('-') || text == "-" {
            let language = language_of(&argument, explicit.as_deref());
            line.items.push(Item::Input(Input { path: argument.into(), language, explicit: explicit.clone() }));
            continue;
        }
        let mut words = vec![argument];
        if options::takes_value(&text) {
            let missing = || Failure::usage(format_args!("the value of `{text}` is missing"));
            words.push(rest.pop_front().ok_or_else(missing)?);
        }
        line.option(options::short(&text), words, &mut explicit);
    }
    Ok(line)
}

/// The most files of arguments: one may name another, but not endlessly.
const MAX_FILES_OF_ARGUMENTS: usize = 1000;

/// Splits a file of arguments into words at blanks, with quotes and backslashes as in a shell.
fn words(text: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, quote) {
            ('\\', _) => word.get_or_insert_default().extend(chars.next()),
            (c, Some(q)) if c == q => quote = None,
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

fn language_of(path: &OsStr, explicit: Option<&OsStr>) -> Language {
    match explicit.and_then(OsStr::to_str) {
        Some("ir") => return Language::Ir,
        Some("assembler" | "assembler-with-cpp") => return Language::Foreign,
        Some(word) if word.ends_with("header") => return Language::Header,
        Some(word) if word != "none" => return Language::Source,
        _ => {}
    }
    match Path::new(path).extension().and_then(OsStr::to_str) {
        Some("c" | "i" | "C" | "cc" | "cp" | "cxx" | "cpp" | "c++" | "CPP" | "ii") => Language::Source,
        Some("ll") => Language::Ir,
        Some("s" | "S" | "sx" | "bc") => Language::Foreign,
        Some("h" | "H" | "hh" | "hp" | "hpp" | "hxx" | "h++" | "tcc") => Language::Header,
        _ => Language::Other,
    }
}

impl CommandLine {
    fn option(&mut self, text: &str, words: Vec<OsString>, explicit: &mut Option<OsString>) {
        match text {
            "-c" => self.set_mode(Mode::Object),
            "-S" => self.set_mode(Mode::Assembly),
            _ if options::is_for_clang(text) => {
                self.mode = Mode::Clang;
                self.items.push(Item::Option(words));
            }
            "--help" => self.help = true,
            "-o" => self.output = Some(words[1].clone().into()),
            "-x" => *explicit = Some(words[1].clone()).filter(|w| w != "none"),
            "--llvm-passes" => self.llvm_passes = true,
            "--fallback=clang" => self.fallback = true,
            _ => {
                if let Some(path) = text.strip_prefix("--clang=") {
                    self.clang = Some(path.into());
                } else if let Some(option) = text.strip_prefix("--lir-llc=") {
                    self.llc_options.push(option.into());
                } else if text.starts_with("--unwind=") {
                    self.llc_options.extend(words);
                } else if let Some(word) = text.strip_prefix("-x") {
                    *explicit = Some(word.into()).filter(|w| w != "none");
                } else if let Some(output) = text.strip_prefix("-o").filter(|_| !text.starts_with("-objc")) {
                    self.output = Some(output.into());
                } else {
                    self.plain_option(text, words);
                }
            }
        }
    }

    fn plain_option(&mut self, text: &str, words: Vec<OsString>) {
        match text {
            "-O" => self.level = 1,
            "-O0" => self.level = 0,
            "-O1" | "-Og" => self.level = 1,
            "-fPIC" | "-fpic" => self.pic = true,
            "-fno-pic" | "-fno-PIC" | "-fPIE" | "-fpie" => self.pic = false,
            "-g0" => self.debug = false,
            _ if text.starts_with("-O") => self.level = 2,
            _ if text.starts_with("-g") && !text.starts_with("-gcc") => self.debug = true,
            _ => {}
        }
        self.unsupported.note(text);
        self.items.push(Item::Option(words));
    }

    fn set_mode(&mut self, mode: Mode) {
        // The earliest of several steps counts.
        for step in [&mut self.mode, &mut self.step] {
            if *step == Mode::Link || *step == Mode::Object && mode == Mode::Assembly {
                *step = mode;
            }
        }
    }

    /// Returns the inputs in order.
    pub fn inputs(&self) -> impl Iterator<Item = &Input> {
        self.items.iter().filter_map(|item| if let Item::Input(input) = item { Some(input) } else { None })
    }

    /// Returns the command line for clang, without the options that only `lir-cc` has.
    pub(crate) fn all_arguments(&self) -> Vec<OsString> {
        let mut all = Vec::new();
        match self.step {
            Mode::Object => all.push("-c".into()),
            Mode::Assembly => all.push("-S".into()),
            Mode::Clang | Mode::Link => {}
        }
        for item in &self.items {
            match item {
                Item::Input(input) => push_input(&mut all, input, &input.path),
                Item::Option(words) => all.extend(words.iter().cloned()),
            }
        }
        self.push_output(&mut all);
        all
    }

    fn push_output(&self, all: &mut Vec<OsString>) {
        if let Some(output) = &self.output {
            all.extend(["-o".into(), output.clone().into_os_string()]);
        }
    }

    /// Returns the options for compiling a source.
    pub fn compile_options(&self) -> impl Iterator<Item = &OsString> {
        let options = self.items.iter().filter_map(|item| match item {
            Item::Option(words) if !options::is_for_link(&words[0].to_string_lossy()) => Some(words),
            _ => None,
        });
        options.flatten()
    }

    /// Returns the arguments of the link, with objects in place of the sources.
    pub(crate) fn link_arguments(&self, objects: &[Option<PathBuf>]) -> Vec<OsString> {
        let mut all = Vec::new();
        let mut objects = objects.iter();
        for item in &self.items {
            match item {
                Item::Input(input) => match objects.next() {
                    Some(Some(object)) => all.push(object.clone().into_os_string()),
                    _ => push_input(&mut all, input, &input.path),
                },
                // The compilation has written the dependencies.
                Item::Option(words) if is_of_dependencies(&words[0].to_string_lossy()) => {}
                Item::Option(words) => all.extend(words.iter().cloned()),
            }
        }
        self.push_output(&mut all);
        all
    }
}

fn is_of_dependencies(option: &str) -> bool {
    ["-M", "--write-dependencies", "--write-user-dependencies", "-Wp,-M"].iter().any(|b| option.starts_with(b))
}

fn push_input(all: &mut Vec<OsString>, input: &Input, path: &Path) {
    match &input.explicit {
        Some(word) => all.extend(["-x".into(), word.clone(), path.into(), "-x".into(), "none".into()]),
        None => all.push(path.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(arguments: &[&str]) -> CommandLine {
        let all: Vec<OsString> =
            std::iter::once("lir-cc").chain(arguments.iter().copied()).map(OsString::from).collect();
        read(&all).unwrap()
    }

    #[test]
    fn options_are_sorted() {
        let line = line(&["-O2", "-c", "-g", "-I", "inc", "-DX=1", "a.c", "-lm", "-Wl,-s", "-o", "a.o", "b.s"]);
        assert_eq!((line.mode, line.level, line.debug), (Mode::Object, 2, true));
        assert_eq!(line.output, Some("a.o".into()));
        let options: Vec<_> = line.compile_options().map(|o| o.to_str().unwrap()).collect();
        assert_eq!(options, ["-O2", "-g", "-I", "inc", "-DX=1"]);
        let languages: Vec<_> = line.inputs().map(|i| i.language).collect();
        assert_eq!(languages, [Language::Source, Language::Foreign]);
    }

    #[test]
    fn values_of_options_are_not_inputs() {
        let words = ["-c", "-MJ", "x.c", "-include-pch", "y.c", "-xc", "z", "--output", "z.o", "-Xarch_x86_64", "-g"];
        let line = line(&words);
        let inputs: Vec<_> = line.inputs().map(|i| (i.path.to_str().unwrap(), i.language)).collect();
        assert_eq!((inputs, line.output.as_deref()), (vec![("z", Language::Source)], Some(Path::new("z.o"))));
    }

    #[test]
    fn headers_and_analyses_are_left_to_clang() {
        for arguments in [&["--analyze", "a.c"][..], &["-S", "-emit-llvm", "a.c"]] {
            assert_eq!(line(arguments).mode, Mode::Clang, "{arguments:?}");
        }
        assert!(line(&["-x", "c-header", "a", "-xnone", "a.h"]).inputs().all(|i| i.language == Language::Header));
    }

    #[test]
    fn clang_gets_its_options() {
        let all = line(&["-E", "-c", "a.c", "-v"]).all_arguments();
        assert_eq!(all, ["-c", "-E", "a.c", "-v"]);
    }

    #[test]
    fn the_link_has_objects_instead_of_sources() {
        let line = line(&["a.c", "-L.", "b.o", "-la", "-MD"]);
        let linked = line.link_arguments(&[Some("1.o".into()), None]);
        assert_eq!(linked, ["1.o", "-L.", "b.o", "-la"]);
    }

    #[test]
    fn files_of_arguments_are_split_like_a_shell_does() {
        assert_eq!(words("-DA=\"x y\" 'b c'\\ d\n-c"), ["-DA=x y", "b c d", "-c"]);
    }
}
