//! Registers and stack objects as gdb prints them.

use super::gdb;
use tempfile::TempDir;

/// A named register, a stack object of a type, an aggregate in memory, a constant, and values that a caller keeps.
pub const PROGRAM: &str = "\
type :pair = { i64, f32 x 2 }
func @inner(%x: i64, %scale: f64) -> i64 {
  stack $both: :pair
  stack $cell: 4
entry:
  %wide = mul i64 %x, 1000
  store i64 [$both], %wide
  %half = const f32 0.5
  store f32 [$both + 8], %half
  store f32 [$both + 12], %half
  %narrow = trunc i64 %wide to i32
  store i32 [$cell], %narrow
  %s = fmul f64 %scale, 2.0
  %i = fptosi f64 %s to i64
  %sum = add i64 %wide, %i
  %c = load i32 [$cell]
  %d = sext i32 %c to i64
  %b = load i64 [$both]
  %t = add i64 %sum, %d
  %u = add i64 %t, %b
  ret %u
}
func @main() -> i32 {
entry:
  %seven = const i64 7
  %kept = mul i64 %seven, 3
  %quarter = const f64 0.25
  %r = call i64 @inner(%kept, %quarter)
  %all = add i64 %r, %kept
  %n = trunc i64 %all to i32
  ret %n
}
";

#[test]
fn gdb_prints_registers_and_stack_objects() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("variables.lir"), PROGRAM).unwrap();
    let commands = [
        "break variables.lir:15",
        "run",
        "print wide",
        "print both",
        "print cell",
        "print s",
        "ptype both",
        "bt",
        "up",
        "print kept",
        "print quarter",
    ];
    let Some(said) = gdb(folder, "-O0", "variables.lir", &commands) else { return };
    for printed in [
        "= 21000",
        "= 0.25",
        "= {m0 = 21000, m1 = {0.5, 0.5}}",
        "= 0.5",
        "i64 m0;",
        "f32 m1[2];",
        "main () at ./variables.lir:28",
        "= 21",
    ] {
        assert!(said.lines().any(|l| l.ends_with(printed)), "{printed}: {said}");
    }
}

/// A register that is the address of the object of its name, as importers make it, and one that is not.
const NAMESAKES: &str = "\
func @f(%n: i64) -> i64 {
  stack $n: 8
  stack $v: 8
entry:
  %v = lea [$v]
  store i64 [%v], 41
  %m = sub i64 %n, 1
  store i64 [$n], %m
  %x = mul i64 %n, 0
  %y = load i64 [$n]
  %z = load i64 [%v]
  %y = add i64 %x, %y
  %z = add i64 %z, %y
  %z = add i64 %z, %n
  ret %z
}
func @main() -> i32 {
entry:
  %five = const i64 5
  %r = call i64 @f(%five)
  %n = trunc i64 %r to i32
  ret %n
}
";

#[test]
fn gdb_tells_an_object_from_a_register_of_its_name() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("namesakes.lir"), NAMESAKES).unwrap();
    let commands = ["break namesakes.lir:11", "run", "print v", "print n", "print n_stack"];
    let Some(said) = gdb(folder, "-O0", "namesakes.lir", &commands) else { return };
    let shown = said.lines().filter(|l| l.starts_with('$')).map(|l| l.split(" = ").nth(1).unwrap_or_default());
    assert_eq!(shown.collect::<Vec<_>>(), ["41", "5", "4"], "{said}");
}

/// An object with a store that another one overwrites, and one without.
const OVERWRITTEN: &str = "\
extern func @puts(i64) -> i32
func @main(%argc: i32, %argv: i64) -> i32 {
  stack $whole: 8
  stack $stale: 8
entry:
  %p = lea [$whole]
  %q = lea [$stale]
  store i64 [$whole], 97
  store i64 [$stale], 1
  %x = mul i32 %argc, %argc
  store i64 [$stale], 98
  %a = call i32 @puts(%p)
  %b = call i32 @puts(%q)
  %c = add i32 %b, %x
  ret %c
}
";

#[test]
fn gdb_does_not_show_an_object_without_a_store() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("overwritten.lir"), OVERWRITTEN).unwrap();
    for (level, seen) in [("-O0", ["97", "98"]), ("-O2", ["97", "<optimized out>"])] {
        let commands = ["break overwritten.lir:13", "run", "print whole", "print stale"];
        let Some(said) = gdb(folder, level, "overwritten.lir", &commands) else { return };
        let shown = said.lines().filter(|l| l.starts_with('$')).map(|l| l.split(" = ").nth(1).unwrap_or_default());
        assert_eq!(shown.collect::<Vec<_>>(), seen, "{level}: {said}");
    }
}

/// A body that is inlined twice, with registers across calls.
const INLINED: &str = "\
extern func @puts(i64) -> i32
const data @hi = { \"hi\\00\" }
local func @inner(%n: i64) -> i64 {
  stack $kept: 8
entry:
  %thrice = mul i64 %n, 3
  %shown = lea [$kept]
  store i64 [$kept], %thrice
  call @note(%shown)
  %less = sub i64 %thrice, 1
  call @note(%shown)
  %k = load i64 [$kept]
  %m = mul i64 %less, %k
  %r = xor i64 %m, %thrice
  ret %r
}
func @note(%p: i64) noinline {
entry:
  %h = lea [@hi]
  %c = call i32 @puts(%h)
  ret
}
func @main(%argc: i32, %argv: i64) -> i32 {
entry:
  %n = zext i32 %argc to i64
  %first = add i64 %n, 6
  %a = call i64 @inner(%first)
  %second = add i64 %a, %first
  %b = call i64 @inner(%second)
  %c = add i64 %b, %first
  %d = trunc i64 %c to i32
  ret %d
}
";

#[test]
fn gdb_prints_registers_of_inlined_bodies() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("inlined.lir"), INLINED).unwrap();
    let look = ["print thrice", "print less", "print kept", "info locals", "up", "print first", "info locals"];
    let commands: Vec<&str> =
        ["break inlined.lir:12", "run"].into_iter().chain(look).chain(["continue"]).chain(look).collect();
    let Some(said) = gdb(folder, "-O2", "inlined.lir", &commands) else { return };
    let shown = said.lines().filter(|l| l.starts_with('$')).map(|l| l.split(" = ").nth(1).unwrap_or_default());
    // (6 + 1) * 3; (20 * 21 ^ 21) + 7 = 440, times 3.
    assert_eq!(shown.collect::<Vec<_>>(), ["21", "20", "21", "7", "1320", "1319", "1320", "7"], "{said}");
    let of_main: Vec<&str> = said.lines().skip_while(|l| !l.contains("  main (")).take(8).collect();
    assert!(of_main.contains(&"first = 7") && !of_main.join("\n").contains("kept"), "{said}");
}

/// As importers write C: parameters have no names, but are stored in the variables of the source.
const STORED_PARAMETERS: &str = "\
func @f(%0: i32, %1: i64, %named: i32) -> i32 {
  stack $last: 4
  stack $second: 8
  stack $first: 4
entry:
  store i32 [$first], %0
  store i64 [$second], %1
  store i32 [$last], %named
  %3 = load i32 [$first]
  ret %3
}
func @main() -> i32 {
entry:
  %r = call i32 @f(1, 2, 3)
  ret %r
}
";

#[test]
fn a_stack_object_that_is_a_parameter_is_shown_as_one() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("stored.lir"), STORED_PARAMETERS).unwrap();
    let commands = ["break stored.lir:10", "break f if first == 1", "run", "bt 1", "continue", "bt 1", "info locals"];
    let Some(said) = gdb(folder, "-O0", "stored.lir", &commands) else { return };
    // At the entry the parameters are still in their registers.
    assert_eq!(said.matches("#0  f (first=1, second=2, named=3)").count(), 2, "{said}");
    assert!(said.contains("f (first=1, second=2, named=3)"), "{said}");
    assert!(said.contains("last = 3\n") && !said.contains("first = 1\n"), "{said}");
}

/// Two functions with objects of one name, both inlined: the address of the outer one's object is passed to the inner
/// one.
const NESTED: &str = "\
extern func @puts(i64) -> i32
const data @hi = { \"hi\\00\" }
data @index = { i64 0 }
func @note(%k: i64) noinline {
entry:
  %h = lea [@hi]
  %c = call i32 @puts(%h)
  ret
}
local func @inner(%p: i64, %k: i64) -> i64 {
  stack $o: 32
entry:
  memset [%p], 3, 32
  store i64 [%p + %k*8], %k
  memset [$o], 1, 32
  store i64 [$o + %k*8], %k
  call @note(%k)
  %i = load volatile i64 [@index]
  %a = load i64 [%p + %i*8]
  %b = load i64 [$o + %i*8]
  %c = add i64 %a, %b
  ret %c
}
local func @outer(%k: i64) -> i64 {
  stack $o: 32
entry:
  %p = lea [$o]
  %r = call i64 @inner(%p, %k)
  ret %r
}
func @main(%argc: i32, %argv: i64) -> i32 {
entry:
  %k = zext i32 %argc to i64
  %r = call i64 @outer(%k)
  %t = trunc i64 %r to i32
  ret %t
}
";

#[test]
fn gdb_tells_objects_of_inlined_bodies_apart() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("nested.lir"), NESTED).unwrap();
    let show = "print/x (unsigned char)o[0]";
    let commands = ["break note", "run", "up", "bt 1", show, "up", "bt 1", show];
    let Some(said) = gdb(folder, "-O2", "nested.lir", &commands) else { return };
    let shown: Vec<&str> = said.lines().filter(|l| l.starts_with('$')).collect();
    assert_eq!(shown, ["$1 = 0x1", "$2 = 0x3"], "{said}");
}
