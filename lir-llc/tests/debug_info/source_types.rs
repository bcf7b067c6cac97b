//! Debug types as gdb prints values of them.

use super::gdb;
use tempfile::TempDir;

const PROGRAM: &str = "\
debug :int = signed 4 \"int\"
debug :small = signed 2 \"short\"
debug :wide = unsigned 8 \"unsigned long\"
debug :double = float 8 \"double\"
debug :bool = boolean 1 \"bool\"
debug :char = char 1 \"char\"
debug :byte = uchar 1 \"unsigned char\"
debug :all = struct 32 \"all\" {
  0 :colour \"colour\", 4 :small \"small\", 6 :bool \"yes\", 7 :byte \"byte\", 8 :wide \"wide\", 16 :double \"d\",
  192 bits 4 :int \"bits\", 28 :either \"either\"
}
debug :colour = enum :int \"colour\" { \"RED\" 0, \"BLUE\" -3 }
debug :either = union 4 { 0 :int \"n\", 0 :text \"text\" }
debug :text = array 4 :char
debug :self = alias \"self\" :pointer
debug :pointer = pointer :all
debug :unknown = pointer
type :all = { i32, i16, i8, i8, i64, f64, i64 }

func @show($given: :all is :all) -> i32 {
  stack $at: 8 is :self
  stack $any: 8 is :unknown
entry:
  %p = lea [$given]
  store i64 [$at], %p
  store i64 [$any], %p
  %x = load i32 [$given + 28]
  ret %x
}
func @main() -> i32 {
  stack $mine: :all is :all
entry:
  store i32 [$mine], -3
  store i16 [$mine + 4], -7
  store i8 [$mine + 6], 1
  store i8 [$mine + 7], 'A'
  store i64 [$mine + 8], -1
  store f64 [$mine + 16], 0.5
  store i32 [$mine + 24], 6
  store i32 [$mine + 28], 0x6968
  %r = call i32 @show(:all [$mine])
  ret %r
}
";

#[test]
fn gdb_prints_values_of_debug_types() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("types.lir"), PROGRAM).unwrap();
    let commands =
        ["break types.lir:27", "run", "print *at", "print given.either", "ptype at", "print any", "up", "info locals"];
    let Some(said) = gdb(folder, "-O0", "types.lir", &commands) else { return };
    let all = "colour = BLUE, small = -7, yes = true, byte = 65 'A', wide = 18446744073709551615, d = 0.5, bits = 6";
    for printed in [
        &format!("$1 = {{{all}, either = {{n = 26984, text = \"hi\\000\"}}}}"),
        "$2 = {n = 26984, text = \"hi\\000\"}",
        "    enum colour colour;",
        "    int bits : 4;",
        "    bool yes;",
        "} *",
        &format!("mine = {{{all}, either = {{n = 26984, text = \"hi\\000\"}}}}"),
    ] {
        assert!(said.lines().any(|l| l.ends_with(printed)), "{printed}: {said}");
    }
}

#[test]
fn gdb_prints_variables_of_c() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../testdata/import/llvm/variables_with_types.ll");
    let commands =
        ["break use", "run", "print p", "print *item", "print *item->next", "ptype rows", "up", "info locals"];
    let Some(said) = gdb(folder, "-O0", file, &commands) else { return };
    for printed in [
        "$1 = {x = 1, y = 2, big = {3, 4, 5}}",
        " small = 5, wide = 70000, shade = DARK, {i = 1069547520, f = 1.5}}",
        " \"last\", next = 0x0, small = 1, wide = 2, shade = LIGHT, {i = 0, f = 0}}",
        "type = int (*)[3]",
        "p = {x = 1, y = 2, big = {3, 4, 5}}",
        "rows = {{0, 0, 0}, {0, 0, 0}}",
    ] {
        assert!(said.lines().any(|l| l.ends_with(printed)), "{printed}: {said}");
    }
}
