//! Scopes of variables as gdb shows them.

use super::gdb;
use std::path::Path;
use tempfile::TempDir;

/// Returns what gdb prints when it stops at each of these lines, with commands for each: the values, in their order.
fn shown(folder: &Path, level: &str, program: &str, stops: &[(&str, &[&str])]) -> Option<Vec<String>> {
    let mut commands: Vec<String> = stops.iter().map(|(line, _)| format!("tbreak {line}")).collect();
    commands.push("run".into());
    for (line, printed) in stops {
        commands.push(format!("echo at {line}\\n"));
        commands.extend(printed.iter().map(|c| String::from(*c)));
        commands.push("continue".into());
    }
    // Without an error in the last command, in case the program has ended.
    commands.push("echo end\\n".into());
    let commands: Vec<&str> = commands.iter().map(|c| &**c).collect();
    let said = gdb(folder, level, program, &commands)?;
    let is_shown = |l: &&str| l.starts_with("at ") || l.split_once(" = ").is_some_and(|(name, _)| !name.contains(' '));
    Some(said.lines().filter(is_shown).map(String::from).collect())
}

const OF_C: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../testdata/import/llvm/variable_scopes.ll");

#[test]
fn gdb_shows_variables_of_blocks_of_c() {
    let folder = TempDir::new().unwrap();
    let stops: [(&str, &[&str]); 5] = [
        ("scopes.c:4", &["info locals", "print i"]),
        ("scopes.c:6", &["info locals", "print i"]),
        ("scopes.c:12", &["info locals", "print n", "print sum"]),
        ("scopes.c:14", &["info locals", "print sum"]),
        ("scopes.c:16", &["info locals", "print n"]),
    ];
    let Some(said) = shown(folder.path(), "-O0", OF_C, &stops) else { return };
    let expected = [
        "at scopes.c:4", "i = 0", "sum = 3", "$1 = 0", "at scopes.c:6", "i = 10", "sum = 6", "$2 = 10",
        // Variables of three blocks, and of the function; `n` and `sum` are in it, too.
        "at scopes.c:12", "sum = 7", "n = 40", "i = 20", "sum = 27", "$3 = 40", "$4 = 7", "at scopes.c:14", "n = 47",
        "i = 20", "sum = 27", "$5 = 27", "at scopes.c:16", "sum = 123", "$6 = 3",
    ];
    assert_eq!(said, expected);
}

#[test]
fn gdb_shows_no_wrong_value_after_passes() {
    let folder = TempDir::new().unwrap();
    let stops: [(&str, &[&str]); 4] = [
        ("scopes.c:4", &["info locals"]),
        ("scopes.c:6", &["info locals"]),
        ("scopes.c:14", &["info locals"]),
        ("scopes.c:16", &["info locals"]),
    ];
    for level in ["-O1", "-O2"] {
        let Some(said) = shown(folder.path(), level, OF_C, &stops) else { return };
        let is_a_value = |l: &&String| l.contains(" = ") && !l.ends_with(" = <optimized out>");
        assert_eq!(said.iter().find(is_a_value), None, "{level}: {said:?}");
        // The variable in the loop, not the parameter.
        assert!(level != "-O1" || said.iter().any(|l| *l == "n = <optimized out>"), "{said:?}");
    }
}

/// A function with scopes that is inlined twice: one in the other, one that no instruction is in, and one that ends
/// where another begins. The volatile accesses keep the objects.
const PROGRAM: &str = "\
file !s.c = \"s.c\"
debug :int = signed 4 \"int\"
local func @inner(%0: i32) -> i32 inline !s.c:1 {
  stack $i: 4 is :int
  stack $i.1: 4 is :int in !s.c:3:3 to 6
  stack $i.2: 4 in !s.c:4:3 to 5:9
  stack $i.3: 4 is :int in !s.c:7 to 9
  stack $none: 4 is :int in !s.c:20 to 30
entry:
  store volatile i32 [$i], 1 !s.c:2:3
  store volatile i32 [$none], 9
  store volatile i32 [$i.1], 10 !s.c:3:3
  store volatile i32 [$i.2], 20 !s.c:4:3
  %1 = load volatile i32 [$i.2] !s.c:5:3
  %2 = load volatile i32 [$i.1] !s.c:6:3
  store volatile i32 [$i.3], 30 !s.c:7:3
  %3 = load volatile i32 [$i.3] !s.c:8:3
  %4 = load volatile i32 [$i] !s.c:10:3
  %5 = add i32 %1, %2 !s.c:11:3
  %6 = add i32 %3, %4
  %7 = add i32 %5, %6
  %8 = add i32 %7, %0
  ret %8
}
func @main() -> i32 !s.c:40 {
  stack $i: 4 is :int in !s.c:41 to 43
entry:
  store volatile i32 [$i], 7 !s.c:41:3
  %1 = call i32 @inner(1) !s.c:42:3
  %2 = load volatile i32 [$i] !s.c:43:3
  %3 = call i32 @inner(2) !s.c:44:3
  %4 = add i32 %1, %2 !s.c:45:3
  %5 = add i32 %4, %3
  ret %5
}
";

#[test]
fn gdb_shows_variables_of_blocks_in_inlined_calls() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("s.lir"), PROGRAM).unwrap();
    for level in ["-O0", "-O2"] {
        let stops: [(&str, &[&str]); 5] = [
            ("s.c:5", &["info locals", "up", "info locals"]),
            ("s.c:6", &["info locals"]),
            ("s.c:8", &["info locals"]),
            ("s.c:10", &["info locals"]),
            ("s.c:43", &["print i"]),
        ];
        let Some(said) = shown(folder, level, "s.lir", &stops) else { return };
        let expected = [
            "at s.c:5", "i = 20", "i = 10", "i = 1", "i = 7", "at s.c:6", "i = 10", "i = 1", "at s.c:8", "i = 30",
            "i = 1", "at s.c:10", "i = 1", "at s.c:43", "$1 = 7",
        ];
        assert_eq!(said, expected, "{level}");
    }
}
