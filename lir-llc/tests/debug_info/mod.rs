//! Debug information: the code is the same with it, each instruction has its line, and gdb finds its way.

mod corpus;
mod elf;
mod scopes;
mod source_types;
mod variables;

use gimli::{AttributeValue, DebugLine, DebugLineOffset, LittleEndian};
use lir_testing::files::{files_in, source_of, stem, testdata};
use lir_testing::process::output_of;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

fn lir_llc(folder: &Path, options: &[&str]) -> String {
    output_of(Command::new(env!("CARGO_BIN_EXE_lir-llc")).current_dir(folder).args(options))
}

/// The bytes of a section of an object.
fn section(folder: &Path, object: &str, section: &str) -> Vec<u8> {
    let only = format!("--only-section={section}");
    output_of(Command::new("objcopy").current_dir(folder).args(["-O", "binary", &only, object, "section.bin"]));
    std::fs::read(folder.join("section.bin")).unwrap()
}

/// A file of `testdata/run`, by name.
fn file(folder: &Path, name: &str) -> String {
    let text = source_of(&testdata("run").join(name)).text;
    std::fs::write(folder.join(name), &text).unwrap();
    name.into()
}

fn files(folder: &Path) -> Vec<String> {
    let all = files_in(&testdata("run"), &["lir"]);
    let names: Vec<String> = all.iter().map(|path| file(folder, &format!("{}.lir", stem(path)))).collect();
    assert!(names.len() > 30, "{names:?}");
    // Each takes six processes.
    names.into_iter().step_by(3).collect()
}

#[test]
fn code_is_the_same_with_and_without() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    for name in files(folder) {
        for level in ["-O0", "-O2"] {
            lir_llc(folder, &[level, &name, "-o", "without.o"]);
            lir_llc(folder, &["-g", level, &name, "-o", "with.o"]);
            for part in [".text", ".eh_frame", ".rodata", ".data"] {
                let [a, b] = ["without.o", "with.o"].map(|object| section(folder, object, part));
                assert_eq!(a, b, "{name} {level} {part}");
            }
        }
    }
}

/// An instruction of a listing, with the line above it in its block.
struct Listed<'a> {
    offset: u64,
    line: Option<u32>,
    function: &'a str,
}

/// The instructions of a listing.
fn listed(listing: &str) -> Vec<Listed<'_>> {
    let mut all = Vec::new();
    let (mut line, mut function) = (None, "");
    for l in listing.lines() {
        if let Some(rest) = l.trim_start().strip_prefix("; line ") {
            line = rest.split_once(':').and_then(|(n, _)| n.parse().ok());
        } else if l.trim_start().starts_with("; ") {
            // An instruction that has no line.
            line = None;
        } else if l.starts_with('@') {
            line = None;
            function = l.split(" ;").next().unwrap_or(l).trim_end();
        } else if l.ends_with(':') && !l.starts_with(' ') {
            line = None;
        } else if let Some(offset) = l.get(2..10).and_then(|hex| u64::from_str_radix(hex, 16).ok()) {
            all.push(Listed { offset, line, function });
        }
    }
    all
}

#[test]
fn addr2line_agrees_with_the_listing() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let mut count = 0;
    for name in files(folder) {
        for level in ["-O0", "-O2"] {
            let listing = lir_llc(folder, &[level, &name, "--disasm"]);
            let want: Vec<(u64, u32)> = listed(&listing).iter().filter_map(|i| Some((i.offset, i.line?))).collect();
            lir_llc(folder, &["-g", level, &name, "-o", "with.o"]);
            let offsets: Vec<String> = want.iter().map(|(offset, _)| format!("{offset:#x}")).collect();
            let mut command = Command::new("addr2line");
            let found = output_of(command.current_dir(folder).args(["-e", "with.o", "-j", ".text"]).args(&offsets));
            for ((offset, line), found) in want.iter().zip(found.lines()) {
                let found = found.split(" (").next().unwrap();
                assert!(found.ends_with(&format!("{name}:{line}")), "{name} {level} {offset:#x}: {found}, not {line}");
                count += 1;
            }
        }
    }
    assert!(count > 1000, "{count} instructions");
}

/// A stretch of code of one line: addresses, file, line, column.
type Stretch = (Range<u64>, String, u64, u64);

/// The lines of an object after linking, ascending.
fn line_table(folder: &Path, object: &str) -> Vec<Stretch> {
    let options = ["-Ttext=0", "-e0", "--unresolved-symbols=ignore-all", "--noinhibit-exec", "-o", "linked"];
    output_of(Command::new("ld").current_dir(folder).args(options).arg(object));
    let bytes = |section: &str| {
        let dump = format!("--dump-section={section}=section.bin");
        let done = Command::new("objcopy").current_dir(folder).args([&dump, "linked", "copied"]).output().unwrap();
        if done.status.success() { std::fs::read(folder.join("section.bin")).unwrap() } else { Vec::new() }
    };
    let (program, strings) = (bytes(".debug_line"), bytes(".debug_line_str"));
    let program = DebugLine::new(&program, LittleEndian).program(DebugLineOffset(0), 8, None, None).unwrap();
    let mut rows = program.rows();
    let (mut all, mut last): (Vec<Stretch>, Option<Stretch>) = (Vec::new(), None);
    while let Some((header, row)) = rows.next_row().unwrap() {
        if let Some((range, file, line, column)) = last.take().filter(|l| l.0.start < row.address()) {
            let range = range.start..row.address();
            match all.last_mut().filter(|l| l.0.end == range.start && (&l.1, l.2, l.3) == (&file, line, column)) {
                Some(same) => same.0.end = range.end,
                None => all.push((range, file, line, column)),
            }
        }
        if row.end_sequence() {
            continue;
        }
        let name = match row.file(header).unwrap().path_name() {
            AttributeValue::String(name) => name.slice(),
            AttributeValue::DebugLineStrRef(at) => strings[at.0..].split(|b| *b == 0).next().unwrap(),
            other => panic!("{other:?}"),
        };
        let name = String::from_utf8_lossy(name).into_owned();
        let column = match row.column() {
            gimli::ColumnType::LeftEdge => 0,
            gimli::ColumnType::Column(column) => column.get(),
        };
        let line = row.line().map_or(0, |line| line.get());
        last = Some((row.address()..0, name, line, column));
    }
    all.sort_by_key(|l| l.0.start);
    all
}

/// Checks that code has the same lines in two tables. Between functions, GNU as continues with the line of the previous
/// one.
fn same_lines(got: &[Stretch], want: &[Stretch], name: &str) {
    let lines = |table: &[Stretch]| {
        let of_stretch = |(range, file, line, column): &Stretch| {
            let place = (file.clone(), *line, *column);
            range.clone().map(move |at| (at, place.clone()))
        };
        table.iter().flat_map(of_stretch).collect::<BTreeMap<u64, _>>()
    };
    let got = lines(got);
    for (at, place) in lines(want) {
        assert_eq!(got.get(&at), Some(&place), "{name} {at:#x}");
    }
}

/// The places of a table one after the other, without addresses.
fn places(table: &[Stretch]) -> Vec<(&str, u64, u64)> {
    let mut all: Vec<_> = table.iter().map(|(_, file, line, column)| (&file[..], *line, *column)).collect();
    all.dedup();
    all
}

const GNU: &[&str] = &["as", "--fatal-warnings"];

/// The installed assemblers, with their options.
fn assemblers() -> Vec<&'static [&'static str]> {
    let known: [&[&str]; 2] = [GNU, &["clang-19", "-c"]];
    let is_there = |command: &&[&str]| Command::new(command[0]).arg("--version").output().is_ok();
    known.into_iter().filter(is_there).collect()
}

#[test]
fn assembly_has_the_lines_of_the_object() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("places.lir"), PLACES).unwrap();
    let mut count = 0;
    for name in files(folder).into_iter().chain(["places.lir".into()]) {
        for level in ["-O0", "-O2"] {
            lir_llc(folder, &["-g", level, &name, "-o", "object.o"]);
            lir_llc(folder, &["-g", level, &name, "-o", "assembly.s"]);
            let want = line_table(folder, "object.o");
            for assembler in assemblers() {
                let mut command = Command::new(assembler[0]);
                output_of(command.current_dir(folder).args(&assembler[1..]).args(["assembly.s", "-o", "assembled.o"]));
                let got = line_table(folder, "assembled.o");
                count += got.len();
                if assembler == GNU {
                    same_lines(&got, &want, &format!("{name} {level}"));
                } else {
                    // The assembler may choose other encodings, of another length.
                    assert_eq!(places(&got), places(&want), "{name} {level}");
                }
            }
        }
    }
    assert!(count > 1000, "{count} stretches");
}

#[test]
fn assembly_names_any_file() {
    let text = "\
file !a = \"odd.lir\"
file !b = \"a folder/q\\\"uo\\\\te\\0a\\c3\\a4.c\"
file !c = \"/\"
file !d = \"\"
file !e = \"a folder/q\\\"uo\\\\te\\0a\\c3\\a4.c\"
func @f(%x: i64) -> i64 !a:4294967295:65535 {
entry:
  %y = mul i64 %x, %x !b:1
  %y = mul i64 %y, 7 !c:2
  %y = mul i64 %y, %x !d:3
  %y = mul i64 %y, 9 !e:4
  ret %y !a:5
}
func @g() section \"quiet\" \"\" {
entry:
  ret !a:6
}
";
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("odd.lir"), text).unwrap();
    lir_llc(folder, &["-g", "odd.lir", "-o", "odd.s"]);
    let assembly = std::fs::read_to_string(folder.join("odd.s")).unwrap();
    assert_eq!(assembly.matches("\t.file ").count(), 5, "a path has one number, but for the text's:\n{assembly}");
    for assembler in assemblers() {
        let mut command = Command::new(assembler[0]);
        output_of(command.current_dir(folder).args(&assembler[1..]).args(["odd.s", "-o", "odd.o"]));
        let lines: Vec<u64> = line_table(folder, "odd.o").into_iter().map(|l| l.2).collect();
        assert_eq!(lines, [1, 2, 3, 4, 5], "{assembler:?}");
    }
}

/// Functions from two files of C, one inside of the other.
const PLACES: &str = "\
file !crash = \"crash.c\"
file !main = \"main.c\"
extern func @puts(i64) -> i32
const data @hi = { \"hi\\00\" }
local func @inner(%p: i64) -> i64 !crash:10 {
  stack $k: 16
entry:
  store i64 [$k], %p !crash:11:5
  %h = lea [@hi] !crash:12
  %c = call i32 @puts(%h)
  %x = load i64 [$k] !crash:13:5
  %y = add i64 %x, 1
  ret %y !crash:14
}
local func @middle(%p: i64) -> i64 !main:5 {
entry:
  %a = call i64 @inner(%p) !main:6:9
  %b = add i64 %a, 1 !main:7
  ret %b
}
func @main(%n: i32, %v: i64) -> i32 !main:20:1 {
entry:
  %q = const i64 8 !main:29
  %a = call i64 @middle(%q) !main:30:7
  %b = trunc i64 %a to i32 !main:31
  ret %b
}
";

/// Links a program, and runs it under gdb with these commands; none if there is no gdb.
fn gdb(folder: &Path, level: &str, file: &str, commands: &[&str]) -> Option<String> {
    if Command::new("gdb").arg("--version").output().is_err() {
        eprintln!("skipped: there is no gdb");
        return None;
    }
    lir_llc(folder, &["-g", level, file, "-o", "program.o"]);
    output_of(Command::new("cc").current_dir(folder).args(["program.o", "-o", "program"]));
    let mut command = Command::new("gdb");
    command.current_dir(folder).args(["-q", "-nx", "-batch", "-ex", "set debuginfod enabled off"]);
    commands.iter().for_each(|c| {
        command.args(["-ex", c]);
    });
    Some(output_of(command.arg("./program")))
}

#[test]
fn gdb_stops_at_lines_of_c_and_knows_inlined_calls() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("places.lir"), PLACES).unwrap();
    for name in ["crash", "main"] {
        let text = (1..40).fold(String::new(), |mut text, k| {
            let _ = writeln!(text, "// {name} {k}");
            text
        });
        std::fs::write(folder.join(format!("{name}.c")), text).unwrap();
    }
    for level in ["-O0", "-O2"] {
        let commands = ["break crash.c:12", "run", "bt", "next"];
        let Some(said) = gdb(folder, level, "places.lir", &commands) else { return };
        for (frame, place) in [("inner", "crash.c:12"), ("middle", "main.c:6"), ("main", "main.c:30")] {
            let is_frame = |l: &str| l.starts_with('#') && l.contains(&format!("{frame} (")) && l.ends_with(place);
            assert!(said.lines().any(is_frame), "{level} {frame}: {said}");
        }
        let next = if level == "-O0" { "// crash 13" } else { "// main 31" };
        assert!(said.contains(next), "{level}: {said}");
    }
}

#[test]
fn gdb_knows_inlined_calls_of_text_without_locations() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let without = |line: &str| match line.split_once(" !") {
        Some((before, rest)) if rest.ends_with('{') => format!("{before} {{\n"),
        Some((before, _)) => format!("{before}\n"),
        None => format!("{line}\n"),
    };
    let plain: String = PLACES.lines().filter(|l| !l.starts_with("file")).map(without).collect();
    std::fs::write(folder.join("plain.lir"), plain).unwrap();
    for level in ["-O0", "-O2"] {
        let Some(said) = gdb(folder, level, "plain.lir", &["break plain.lir:7", "run", "bt"]) else { return };
        for (frame, line) in [("inner", 7), ("middle", 15), ("main", 22)] {
            let place = format!("plain.lir:{line}");
            let is_frame = |l: &str| l.starts_with('#') && l.contains(&format!("{frame} (")) && l.ends_with(&place);
            assert!(said.lines().any(is_frame), "{level} {frame}: {said}");
        }
    }
}

#[test]
fn gdb_stops_at_lines_of_the_text_and_steps() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let text = "\
func @main() -> i32 {
entry:
  %s = const i32 0
  %i = const i32 0
  jmp test
test:
  br slt i32 %i, 2, body, done
body:
  %s = add i32 %s, %i
  %i = add i32 %i, 1
  jmp test
done:
  ret %s
}
";
    std::fs::write(folder.join("loop.lir"), text).unwrap();
    let mut commands = vec!["break loop.lir:9", "run", "delete"];
    commands.extend(["next"; 7]);
    let Some(said) = gdb(folder, "-O0", "loop.lir", &commands) else { return };
    let lines: Vec<u32> = said.lines().filter_map(|l| l.split_once('\t')?.0.parse().ok()).collect();
    // A jump to the block that follows is not an instruction, so lines 7 and 11 may have no code of their own.
    let stops: Vec<u32> = lines.into_iter().filter(|l| !matches!(l, 5 | 11)).collect();
    assert_eq!(stops[..5], [9, 10, 7, 9, 10], "{said}");
}

#[test]
fn a_call_that_became_a_jump_keeps_its_line() {
    let folder = TempDir::new().unwrap();
    let text = "\
file !c = \"s.c\"
extern func @g(i64) -> i64
func @f(%x: i64) -> i64 !c:1 {
entry:
  %y = call tail i64 @g(%x) !c:5
  ret %y !c:6
}
";
    std::fs::write(folder.path().join("tail.lir"), text).unwrap();
    lir_llc(folder.path(), &["-g", "tail.lir", "-o", "tail.o"]);
    lir_llc(folder.path(), &["-g", "tail.lir", "-o", "tail.s"]);
    output_of(Command::new("as").current_dir(folder.path()).args(["tail.s", "-o", "assembled.o"]));
    for object in ["tail.o", "assembled.o"] {
        let mut command = Command::new("addr2line");
        let found = output_of(command.current_dir(folder.path()).args(["-s", "-e", object, "-j", ".text", "0x0"]));
        assert_eq!(found.trim_end(), "s.c:5", "{object}");
    }
}

#[test]
fn maps_of_flat_images_have_lines() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let text =
        PLACES.replace("extern func @puts(i64) -> i32\n", "").replace("call i32 @puts(%h)", "trunc i64 %h to i32");
    std::fs::write(folder.join("flat.lir"), text).unwrap();
    for level in ["-O0", "-O2"] {
        lir_llc(folder, &[level, "flat.lir", "-o", "without.bin", "--emit-map=without.map"]);
        lir_llc(folder, &["-g", level, "flat.lir", "-o", "with.bin", "--emit-map=with.map"]);
        let [without, with] = ["without.bin", "with.bin"].map(|f| std::fs::read(folder.join(f)).unwrap());
        assert_eq!(without, with, "{level}");
        let [without, with] = ["without.map", "with.map"].map(|f| std::fs::read_to_string(folder.join(f)).unwrap());
        let is_line = |l: &&str| l.split(' ').nth(2) == Some("line");
        let others: String = with.lines().filter(|l| !is_line(l)).map(|l| format!("{l}\n")).collect();
        assert_eq!(others, without, "{level}");
        // At -O2 everything is a constant.
        let places: &[&str] =
            if level == "-O0" { &["\"crash.c\":13:5", "\"main.c\":30:7"] } else { &["\"main.c\":31"] };
        for place in places {
            assert!(with.lines().any(|l| is_line(&l) && l.ends_with(place)), "{level} {place}: {with}");
        }
        // The stretches of a function follow it without gaps.
        let number = |text: &str| u64::from_str_radix(text.strip_prefix("0x").unwrap(), 16).unwrap();
        let (mut at, mut end) = (0, 0);
        for l in with.lines() {
            let words: Vec<&str> = l.split(' ').collect();
            let (offset, size) = (number(words[0]), number(words[1]));
            match words[2] {
                "code" => {
                    assert_eq!(at, end, "{level}: {with}");
                    (at, end) = (offset, offset + size);
                }
                "line" => {
                    assert_eq!(at, offset, "{level}: {with}");
                    at += size;
                }
                _ => {}
            }
        }
        assert!(at == end && end > 0, "{level}: {with}");
    }
}

#[test]
fn other_outputs_have_none() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("places.lir"), PLACES).unwrap();
    for output in ["out.mir", "out.bin"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lir-llc"));
        let done = command.current_dir(folder.path()).args(["-g", "places.lir", "-o", output]).output().unwrap();
        assert_eq!(done.status.code(), Some(2));
        assert!(
            String::from_utf8_lossy(&done.stderr).contains("debug information is part of objects, assembly and maps")
        );
    }
}

#[test]
fn the_text_is_embedded_where_that_is_asked_for() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("places.lir"), PLACES).unwrap();
    lir_llc(folder, &["-g", "--embed-source", "places.lir", "-o", "with.o"]);
    let object = std::fs::read(folder.join("with.o")).unwrap();
    assert!(object.windows(PLACES.len()).any(|part| part == PLACES.as_bytes()));
    if let Ok(dump) = Command::new("llvm-dwarfdump-19").current_dir(folder).args(["--debug-line", "with.o"]).output() {
        let text = String::from_utf8_lossy(&dump.stdout).into_owned();
        assert!(text.contains("source: \"file !crash"), "{text}");
    }
    for options in
        [&["--embed-source", "places.lir", "-o", "out.o"][..], &["-g", "--embed-source", "places.lir", "-o", "out.s"]]
    {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lir-llc"));
        assert_eq!(command.current_dir(folder).args(options).output().unwrap().status.code(), Some(2), "{options:?}");
    }
}

/// Text from standard input is in no file: it is embedded unless its lines refer to other files.
#[test]
fn the_text_is_embedded_if_no_file_has_it() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("own.lir"), variables::PROGRAM).unwrap();
    std::fs::write(folder.join("places.lir"), PLACES).unwrap();
    for (file, text, input, is_embedded) in [
        ("own.lir", variables::PROGRAM, &["-"][..], true),
        ("own.lir", variables::PROGRAM, &[], true),
        ("own.lir", variables::PROGRAM, &["own.lir"], false),
        ("places.lir", PLACES, &["-"], false),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lir-llc"));
        command.current_dir(folder).args(["-g", "-o", "out.o"]).args(input);
        output_of(command.stdin(std::fs::File::open(folder.join(file)).unwrap()));
        let object = std::fs::read(folder.join("out.o")).unwrap();
        assert_eq!(object.windows(text.len()).any(|part| part == text.as_bytes()), is_embedded, "{file} {input:?}");
    }
}
