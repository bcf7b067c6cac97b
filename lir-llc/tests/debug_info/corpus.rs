//! Debug information of whole programs: the kernels, and programs that are not part of the repository, such as SQLite.
//!
//! Each is compiled with `-g` and without, at `-O0` and `-O2`. For every instruction of the listing, `addr2line` must
//! find the line above it. Code that no instruction asked for, such as hoisted code, may also be there: it has the line
//! of the code before it in the text, which may be an instruction without code, or of the whole function. Code without
//! a line above it is such code, or rare.
//!
//! `llvm-dwarfdump --verify` must find nothing wrong. Everything in the object without `-g` must be in the other one:
//! the bytes of its sections, its symbols and its relocations, which refer to symbols by number and are compared by the
//! symbols.

use super::elf::Object;
use super::{Listed, lir_llc, listed};
use lir_testing::files::{files_in, kernels, module_of, stem, testdata};
use lir_testing::process::output_of;
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// One instruction in this many may be code that no instruction asked for, with a line above it.
const UNASKED: usize = 10_000;
/// One instruction in this many may have no line in the listing and the line of an instruction that has code elsewhere.
const WITHOUT_LINE: usize = 2_000;

/// Finds `llvm-dwarfdump` under its installed names, the latest version first.
fn dwarfdump() -> Option<String> {
    let versions = (15..40).rev().map(|version| format!("llvm-dwarfdump-{version}"));
    versions.chain(["llvm-dwarfdump".into()]).find(|name| is_there(name))
}

/// The installed readers of lines, each with its options.
fn readers() -> Vec<(&'static str, &'static [&'static str])> {
    let known: [(&str, &[&str]); 3] =
        [("addr2line", &["-j", ".text"]), ("llvm-addr2line-19", &[]), ("llvm-addr2line", &[])];
    let mut all: Vec<_> = known.into_iter().filter(|(name, _)| is_there(name)).collect();
    all.truncate(2);
    all
}

fn is_there(tool: &str) -> bool {
    Command::new(tool).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// A program as QBE's text, compiled in a folder of its own.
struct Program {
    folder: TempDir,
    name: String,
    /// The lines at which functions begin, by name.
    functions: HashMap<String, u32>,
}

impl Program {
    fn new(file: &Path) -> Program {
        let text = module_of(file).unwrap().to_string();
        let folder = TempDir::new().unwrap();
        let name = format!("{}.lir", stem(file));
        std::fs::write(folder.path().join(&name), &text).unwrap();
        let heads = text.lines().zip(1..).filter_map(|(l, line)| {
            let head = l.strip_prefix("local ").unwrap_or(l).strip_prefix("func ")?;
            Some((head.split_once('(')?.0.to_string(), line))
        });
        Program { functions: heads.collect(), folder, name }
    }

    /// Compiles to `without.o` and `with.o`; the listing of the code.
    fn compile(&self, level: &str) -> String {
        let folder = self.folder.path();
        lir_llc(folder, &[level, &self.name, "-o", "without.o"]);
        lir_llc(folder, &["-g", level, &self.name, "-o", "with.o"]);
        lir_llc(folder, &[level, &self.name, "--disasm"])
    }
    /// The contents of a file.
    fn read(&self, file: &str) -> Vec<u8> {
        std::fs::read(self.folder.path().join(file)).unwrap()
    }
    /// Does all checks at a level; returns the number of instructions.
    ///
    /// # Errors
    /// The first thing that is wrong.
    fn check(&self, level: &str) -> Result<usize, String> {
        let listing = self.compile(level);
        let (without, with) = (self.read("without.o"), self.read("with.o"));
        Object::read(&with).has_all_of(&Object::read(&without))?;
        let code = listed(&listing);
        for (reader, options) in readers() {
            self.compare(reader, options, &code)?;
        }
        if let Some(dump) = dwarfdump() {
            let said = output_of(Command::new(dump).current_dir(self.folder.path()).args(["--verify", "with.o"]));
            assert!(said.contains("No errors."), "{said}");
        }
        Ok(code.len())
    }
    /// Compares the lines that a reader finds with the lines of the listing. One process answers for all addresses.
    ///
    /// # Errors
    /// The first line that is wrong.
    fn compare(&self, reader: &str, options: &[&str], code: &[Listed<'_>]) -> Result<(), String> {
        let found = self.lines(reader, options, code);
        if found.len() != code.len() {
            return Err(format!("{reader} has {} answers for {} addresses", found.len(), code.len()));
        }
        let with_code: HashSet<Option<u32>> = code.iter().map(|i| i.line).collect();
        let is_unasked = |k: usize| {
            let before = k.checked_sub(1).and_then(|k| found[k]);
            let head = self.functions.get(code[k].function).copied();
            found[k].is_some() && (found[k] == before || found[k] == head || !with_code.contains(&found[k]))
        };
        let is_own = |k: usize| code[k].line.is_some() && found[k] == code[k].line;
        let wrong: Vec<usize> = (0..code.len()).filter(|k| !is_own(*k) && !is_unasked(*k)).collect();
        // Code without a line of its own has the line of the code before it, which may have none here.
        let few = code.len() / WITHOUT_LINE + 1;
        if let Some(&k) = wrong.iter().find(|k| code[**k].line.is_some() || wrong.len() > few) {
            let Listed { offset, line, function } = code[k];
            return Err(format!("{reader} finds {:?} at {offset:#x} in {function}, not {line:?}", found[k]));
        }
        let others = (0..code.len()).filter(|k| code[*k].line.is_some() && !is_own(*k)).count();
        if others > code.len() / UNASKED {
            return Err(format!("{reader} finds {others} other lines"));
        }
        Ok(())
    }
    /// The lines that a reader finds for code.
    fn lines(&self, reader: &str, options: &[&str], code: &[Listed<'_>]) -> Vec<Option<u32>> {
        let addresses = self.folder.path().join("addresses");
        std::fs::write(&addresses, code.iter().map(|i| format!("{:#x}\n", i.offset)).collect::<String>()).unwrap();
        let mut command = Command::new(reader);
        command.current_dir(self.folder.path()).args(["-e", "with.o"]).args(options);
        let found = output_of(command.stdin(Stdio::from(File::open(addresses).unwrap())));
        let line = |l: &str| {
            let (file, line) = l.split(" (").next()?.rsplit_once(':')?;
            file.ends_with(&self.name).then(|| line.parse::<u32>().ok())?
        };
        found.lines().map(line).collect()
    }
}

/// Checks programs; the number of instructions.
fn check(files: Vec<PathBuf>) -> usize {
    assert!(!files.is_empty(), "there are no programs");
    let mut count = 0;
    for file in files {
        let program = Program::new(&file);
        for level in ["-O0", "-O2"] {
            count += program.check(level).unwrap_or_else(|why| panic!("{} {level}: {why}", program.name));
        }
    }
    count
}

/// Reports the checks that are left out if a tool is missing.
fn report_missing() {
    if readers().is_empty() {
        eprintln!("skipped: there is no addr2line");
    }
    if dwarfdump().is_none() {
        eprintln!("skipped: there is no llvm-dwarfdump");
    }
}

#[test]
fn other_code_and_other_lines_are_noticed() {
    let program = Program::new(&testdata("programs/queens.ssa"));
    let other = program.compile("-O0");
    let without = program.read("without.o");
    program.compile("-O2");
    let with = program.read("with.o");
    assert_eq!(Object::read(&with).has_all_of(&Object::read(&without)), Err(".text is another".into()));
    for (reader, options) in readers() {
        assert!(program.compare(reader, options, &listed(&other)).is_err());
    }
}

#[test]
fn kernels_are_described_and_unchanged() {
    report_missing();
    let instructions = check(kernels());
    assert!(instructions > 5000, "{instructions} instructions");
}

/// The same for programs in folders that `LIR_CORPUS` names.
#[test]
fn so_are_other_programs() {
    let Some(folders) = std::env::var_os("LIR_CORPUS") else { return };
    report_missing();
    let instructions: usize = std::env::split_paths(&folders).map(|folder| check(files_in(&folder, &["ssa"]))).sum();
    println!("{instructions} instructions");
}
