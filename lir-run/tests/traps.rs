//! Traps, through the command line: their messages, in every mode of running.

use crate::tool::{MODES, Tool};

/// One function for every cause of a trap, with the line of the trap.
const TRAPS: &str = include_str!("traps.lir");

/// Returns the line of `TRAPS` that ends in this comment.
fn line_of(mark: &str) -> usize {
    TRAPS.lines().position(|l| l.ends_with(&format!("; {mark}"))).unwrap_or_else(|| panic!("no line {mark}")) + 1
}

#[test]
fn a_trap_names_function_block_and_line() {
    for (call, start, mark) in [
        ("@div(1, 0)", "trap: div_by_zero in @div, block work", "division"),
        ("@div(-2147483648, -1)", "trap: int_overflow in @div, block work", "division"),
        ("@div8(-128, -1)", "trap: int_overflow in @div8, block entry", "division8"),
        ("@div8(-128, 0)", "trap: div_by_zero in @div8, block entry", "division8"),
        ("@div64(1)", "trap: div_by_zero in @div64, block entry", "division64"),
        ("@div_memory(3, 0)", "trap: div_by_zero in @div_memory, block entry", "division_memory"),
        ("@div_memory(-9223372036854775808, -1)", "trap: int_overflow in @div_memory, block entry", "division_memory"),
        ("@rem(7, 0)", "trap: div_by_zero in @rem, block entry", "remainder"),
        ("@unreachable()", "trap: unreachable in @unreachable, block entry", "unreachable"),
        ("@null()", "trap: memory_fault in @null, block entry", "null"),
        ("@constant()", "trap: memory_fault in @constant, block entry", "constant"),
        ("@nowhere()", "trap: memory_fault in @nowhere, block entry", "nowhere"),
        ("@length()", "trap: memory_fault in C code called from @length, block call", "length"),
        ("@copies(64)", "trap: memory_fault in @copies, block entry", "copies"),
        ("@moves(64)", "trap: memory_fault in @moves, block entry", "moves"),
        ("@deletes(16, 20)", "trap: memory_fault in @deletes, block loop", "deletes, load"),
        ("@delete_fixed(20)", "trap: memory_fault in @deletes, block loop", "deletes, store"),
        ("@inserts(20)", "trap: memory_fault in @inserts, block loop", "inserts"),
        ("@deletes_from_new(20)", "trap: memory_fault in @deletes_from_new, block loop", "deletes from new"),
        ("@copy_to_new(20)", "trap: memory_fault in @copies_to_new, block loop", "copies to new"),
        ("@fills(64)", "trap: memory_fault in @fills, block entry", "fills"),
        ("@sort()", "trap: div_by_zero in @compare, block entry", "compare"),
        ("@nest(-1)", "trap: stack_overflow in @nest, block more", "nest"),
        ("@on_thread(0)", "trap: div_by_zero in @divides, block b", "divides"),
        ("@on_thread(1)", "trap: stack_overflow in @nest, block more", "nest"),
        ("@on_thread(2)", "trap: memory_fault in C code called from @measures, block entry", "measures"),
        ("@inlined(0)", "trap: div_by_zero in @small, block inner", "small"),
    ] {
        for mode in MODES {
            let ended = Tool::new(TRAPS).run(&[mode, "--call", call]);
            let message = format!("{start}, line {}\n", line_of(mark));
            // The waiting calls follow it; see the tests of backtraces.
            let first = ended.err.split_inclusive('\n').next().unwrap_or_default();
            assert_eq!((ended.status, first), (134, message.as_str()), "{call} {mode}");
        }
    }
}

/// A function with places in the front end's source, which may be inlined, and one without.
const PLACES: &str = "\
file !crash = \"src/crash.c\"
file !main = \"main.c\"
file !odd = \"a\\0ab\\1b.c\"
extern func @strlen(i64) -> i64
local func @inner(%p: i64) -> i64 !crash:10 {
entry:
  %x = load i64 [%p] !crash:12:5
  %y = add i64 %x, 1
  ret %y !crash:13
}
func @outer(%p: i64) -> i64 !main:20:1 {
entry:
  %q = add i64 %p, 8 !main:29
  %a = call i64 @inner(%q) !main:30:7
  ret %a
}
func @length(%p: i64) -> i64 !main:40 {
entry:
  %n = call i64 @strlen(%p) !main:41
  ret %n
}
func @plain(%x: i64) -> i64 {
entry:
  %y = sdiv i64 %x, %x
  br sgt i64 %y, 0, more, last
more:
  ret %y
last:
  %z = sdiv i64 %y, 0 !main:50:2
  ret %z
}
func @odd(%x: i64) -> i64 {
entry:
  unreachable !odd:3
}
";

#[test]
fn a_trap_names_the_place_in_the_front_end_s_source() {
    for (call, message) in [
        ("@outer(0)", "memory_fault in @inner at src/crash.c:12:5"),
        ("@length(0)", "memory_fault in C code called from @length at main.c:41"),
        ("@plain(0)", "div_by_zero in @plain, block entry, line 24"),
        ("@odd(0)", "unreachable in @odd at a\u{fffd}b\u{fffd}.c:3"),
    ] {
        for mode in [&MODES[..], &["--trace-jit"]].concat() {
            let ended = Tool::new(PLACES).run(&[mode, "--call", call]);
            let first = ended.err.lines().next().unwrap_or_default();
            let inlined = first.strip_suffix(", inlined into @outer at main.c:30:7");
            let said = inlined.filter(|_| mode == "-O2").unwrap_or(first);
            assert_eq!((ended.status, said), (134, &*format!("trap: {message}")), "{call} {mode}");
            assert_eq!(inlined.is_some(), mode == "-O2" && call == "@outer(0)", "{call} {mode}");
        }
    }
}

/// Accesses that passes put together fault as the first of them.
#[test]
fn a_trap_of_merged_accesses_is_that_of_the_first() {
    for (call, function, block, mark) in [
        ("@bytes_at(0, 0)", "bytes_at", "entry", "first_byte"),
        ("@bytes_to(0, 5)", "bytes_to", "entry", "first_stored"),
        ("@onto_constants(100)", "onto_constants", "loop", "not_allocated"),
    ] {
        for level in ["-O0", "-O2"] {
            let ended = Tool::new(TRAPS).run(&[level, "--interp", "--call", call]);
            let message = format!("trap: memory_fault in @{function}, block {block}, line {}\n", line_of(mark));
            assert_eq!((ended.status, ended.err.as_str()), (134, message.as_str()), "{call} {level}");
        }
    }
}

/// Control that leaves the program by a return address that was overwritten is in no function of it.
#[test]
fn control_that_leaves_the_program_is_told() {
    let inlined = "it began in @returns_between_functions\n";
    let called = "last known in @returns_between_functions, block entry, line ";
    for (level, known) in [("-O0", called), ("-O2", inlined)] {
        // So many words that the return address of `@smash` is among them. The function that was called first is
        // unknown.
        for (call, trap, known) in [
            ("@overwrites(16)", "memory_fault", "it began in @overwrites\n"),
            ("@smash(16, 3)", "memory_fault", "it began in @smash\n"),
            ("@returns_between_functions()", "unreachable", known),
        ] {
            let ended = Tool::new(TRAPS).run(&[level, "--call", call]);
            let message = format!("trap: {trap} in no code of the program: control has left it, {known}");
            assert_eq!(ended.status, 134, "{call} {level}: {}", ended.err);
            assert!(ended.err.starts_with(&message), "{call}: {}", ended.err);
        }
        // The processor does not even jump to an address that no memory can have.
        let far = "@overwrites(0x7777777777777777)";
        for (call, location, mark) in
            [("@jumps(16)", "@jumps, block entry", "jumps"), (far, "@smash, block done", "returns")]
        {
            let ended = Tool::new(TRAPS).run(&[level, "--call", call]);
            let message = format!("trap: memory_fault in {location}, line {}\n", line_of(mark));
            assert_eq!((ended.status, ended.err), (134, message), "{call} {level}");
        }
    }
}

#[test]
fn calls_nest_deeply() {
    for mode in MODES {
        let ended = Tool::new(TRAPS).run(&[mode, "--call", "@nest(100000)"]);
        assert_eq!((ended.status, ended.out.as_str()), (0, "i64 100000\n"), "{mode}: {}", ended.err);
    }
}

/// Frames of many pages, on both kinds of stack: none jumps over the guard.
#[test]
fn large_frames_overflow_too() {
    for mode in MODES {
        for call in ["@large(-1)", "@on_thread(3)", "@dynamic(-1, 70000)"] {
            let ended = Tool::new(TRAPS).run(&[mode, "--call", call]);
            assert_eq!(ended.status, 134, "{call} {mode}: {}", ended.err);
            assert!(ended.err.starts_with("trap: stack_overflow in @"), "{call} {mode}: {}", ended.err);
        }
    }
}
