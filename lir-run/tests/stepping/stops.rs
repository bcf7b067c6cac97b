//! `--interp --break --step`: the debugger, driven by commands on standard input.

use super::{run, stops};
use crate::tool::Tool;
use lir_random::{Config, generate};
use lir_run::interp::{Interp, Options, Outcome};
use lir_run::symbols::HostSymbols;
use lir_run::value::Value;
use lir_syntax::ir::{FuncId, Inst, Opcode, Reg, Type};
use std::sync::{Arc, Mutex};

const PROGRAM: &str = "\
data @table align 4 = { i32 5, 6 }
type :pair = { i32, f64 }
func @fact(%n: i64) -> i64 {
entry:
  br sle i64 %n, 1, one, more
one:
  ret 1
more:
  %k = sub i64 %n, 1
  %m = call i64 @fact(%k)
  %r = mul i64 %m, %n
  ret %r
}
func @sum(%n: i64) -> i64 {
  stack $cell: 8
entry:
  jmp loop
loop:
  %i = phi i64 [1, entry], [%next, loop]
  %s = phi i64 [0, entry], [%t, loop]
  %t = add i64 %s, %i
  store i64 [$cell], %t
  %next = add i64 %i, 1
  br sle i64 %next, %n, loop, done
done:
  %f = call i64 @fact(%n)
  %x = add i64 %t, %f
  ret %x
}
func @inverse(%x: i64) -> i64 {
entry:
  %one = const i64 1
  %q = sdiv i64 %one, %x
  ret %q
}
func @echo() -> i32 {
entry:
  %c = call i32 @getchar()
  ret %c
}
func @pair(%x: f64) -> :pair {
  stack $p: :pair
entry:
  store i32 [$p], 7
  store f64 [$p + 8], %x
  ret :pair [$p]
}
extern func @getchar() -> i32
";

const PLACES: &str = "\
file !main = \"src/main.c\"
file !lib = \"src/lib.c\"
func @walk(%n: i64) -> i64 !main:3 {
entry:
  %i = const i64 0 !main:4:7
  jmp test !main:4:12
test:
  br slt i64 %i, %n, body, done !main:4:14
body:
  %a = mul i64 %i, 2 !main:5:3
  %b = add i64 %a, 1 !lib:9
  %i = add i64 %i, 1 !main:4:20
  jmp test !main:4:12
done:
  ret %i !main:6
}
";

#[test]
fn a_step_enters_a_call_and_the_end_of_the_input_ends() {
    let ended = run(PROGRAM, &["--step", "--call", "@fact(2)"], &["s", "", "step", "p", "bt"]);
    assert_eq!((ended.status, ended.out.as_str()), (0, ""));
    assert_eq!(
        ended.err,
        "\
@fact, block entry, line 5, depth 0
=>     5 br sle i64 %n, 1, one, more
(lir) s
@fact, block more, line 9, depth 0
=>     9 %k = sub i64 %n, 1
(lir) 
@fact, block more, line 10, depth 0
=>    10 %m = call i64 @fact(%k)
(lir) step
@fact, block entry, line 5, depth 1
=>     5 br sle i64 %n, 1, one, more
(lir) p
%n = i64 1
(lir) bt
#0 @fact(%n = 1), line 5: br sle i64 %n, 1, one, more
#1 @fact(%n = 2), line 10: %m = call i64 @fact(%k)
(lir) 
"
    );
}

#[test]
fn a_break_in_a_loop_stops_in_each_iteration_after_the_phis() {
    let ended =
        run(PROGRAM, &["--break", "@sum:19", "--call", "@sum(3)"], &["p", "c", "p %t", "x $cell", "c", "b", "c"]);
    assert_eq!((ended.status, ended.out.as_str()), (0, "i64 12\n"));
    assert_eq!(
        ended.err,
        "\
break 1, hit 1: @sum, block loop, line 21, depth 0
      19 %i = phi i64 [1, entry], [%next, loop] ; => 1
      20 %s = phi i64 [0, entry], [%t, loop] ; => 0
=>    21 %t = add i64 %s, %i
(lir) p
%n = i64 3
%i = i64 1
%s = i64 0
(lir) c
break 1, hit 2: @sum, block loop, line 21, depth 0
      19 %i = phi i64 [1, entry], [%next, loop] ; => 2
      20 %s = phi i64 [0, entry], [%t, loop] ; => 1
=>    21 %t = add i64 %s, %i
(lir) p %t
%t = i64 1
(lir) x $cell
$cell+0: 01 00 00 00 00 00 00 00  |........|
(lir) c
break 1, hit 3: @sum, block loop, line 21, depth 0
      19 %i = phi i64 [1, entry], [%next, loop] ; => 3
      20 %s = phi i64 [0, entry], [%t, loop] ; => 3
=>    21 %t = add i64 %s, %i
(lir) b
break 1 at @sum:19, hits: 3
(lir) c
"
    );
}

#[test]
fn recursion_has_a_frame_for_each_call() {
    let ended = run(PROGRAM, &["--break=@fact:7", "--call", "@fact(3)"], &["bt", "bt 1", "c"]);
    assert_eq!((ended.status, ended.out.as_str()), (0, "i64 6\n"));
    assert_eq!(
        ended.err,
        "\
break 1, hit 1: @fact, block one, line 7, depth 2
=>     7 ret 1
(lir) bt
#0 @fact(%n = 1), line 7: ret 1
#1 @fact(%n = 2), line 10: %m = call i64 @fact(%k)
#2 @fact(%n = 3), line 10: %m = call i64 @fact(%k)
(lir) bt 1
#0 @fact(%n = 1), line 7: ret 1
and 2 more
(lir) c
"
    );
}

#[test]
fn next_steps_over_calls_and_out_of_functions() {
    let ended = run(PROGRAM, &["--break=@sum:26", "--call", "@sum(3)"], &["n", "p %f", "n", "n"]);
    assert_eq!((ended.status, ended.out.as_str()), (0, "i64 12\n"));
    assert!(
        ended.err.ends_with(
            "\
(lir) n
@sum, block done, line 27, depth 0
=>    27 %x = add i64 %t, %f
(lir) p %f
%f = i64 6
(lir) n
@sum, block done, line 28, depth 0
=>    28 ret %x
(lir) n
"
        ),
        "{}",
        ended.err
    );
    // A break inside of the call comes first.
    let ended = run(PROGRAM, &["--break=@sum:26", "--break=@fact:7", "--call", "@sum(3)"], &["n", "n", "n", "q"]);
    assert_eq!(
        stops(&ended),
        [
            "break 1, hit 1: @sum, block done, line 26, depth 0",
            "break 2, hit 1: @fact, block one, line 7, depth 3",
            "@fact, block more, line 11, depth 2",
            "@fact, block more, line 12, depth 2",
        ]
    );
    assert_eq!((ended.status, ended.out.as_str()), (0, ""));
}

#[test]
fn finish_prints_the_result() {
    let ended = run(PROGRAM, &["--break=@fact:7", "--call", "@fact(3)"], &["f", "finish", "f"]);
    assert_eq!((ended.status, ended.out.as_str()), (0, "i64 6\n"));
    assert!(
        ended.err.ends_with(
            "\
(lir) f
@fact returns i64 1
@fact, block more, line 11, depth 1
=>    11 %r = mul i64 %m, %n
(lir) finish
@fact returns i64 2
@fact, block more, line 11, depth 0
=>    11 %r = mul i64 %m, %n
(lir) f
@fact returns i64 6
"
        ),
        "{}",
        ended.err
    );
    let ended = run(PROGRAM, &["--step", "--call", "@pair(2.5)"], &["f"]);
    assert!(ended.err.ends_with("@pair returns :pair {7, 2.5}\n"), "{}", ended.err);
    assert_eq!(ended.out, ":pair {7, 2.5}\n");
}

#[test]
fn the_end_of_a_run_is_told_as_ever() {
    let ended = run(PROGRAM, &["--break=@inverse:33", "--trace", "--call", "@inverse(0)"], &["p", "s"]);
    assert_eq!(ended.status, 134);
    let lines: Vec<&str> = ended.err.lines().map(|l| l.split("  ;").next().unwrap_or(l).trim_end()).collect();
    assert_eq!(
        lines,
        [
            "@inverse, block entry:",
            "   32 %one = const i64 1",
            "break 1, hit 1: @inverse, block entry, line 33, depth 0",
            "=>    33 %q = sdiv i64 %one, %x",
            "(lir) p",
            "%x = i64 0",
            "%one = i64 1",
            "(lir) s",
            "   33 %q = sdiv i64 %one, %x",
            "trap: div_by_zero in @inverse, block entry, line 33",
        ]
    );
}

#[test]
fn lines_of_the_front_end_are_places_too() {
    let all = run(PLACES, &["--break=@walk:main.c:4", "--call", "@walk(2)"], &["c", "c", "c"]);
    // Line 4 begins at its first instruction, and after a jump back from the body.
    assert_eq!(
        stops(&all),
        [
            "break 1, hit 1: @walk, block entry, line 5 (@walk at src/main.c:4:7), depth 0",
            "break 1, hit 2: @walk, block body, line 12 (@walk at src/main.c:4:20), depth 0",
            "break 1, hit 3: @walk, block test, line 8 (@walk at src/main.c:4:14), depth 0",
            "break 1, hit 4: @walk, block body, line 12 (@walk at src/main.c:4:20), depth 0",
        ]
    );
    let other = run(PLACES, &["--break=@walk:src/lib.c:9", "--call", "@walk(1)"], &["c"]);
    assert_eq!((other.status, other.out.as_str()), (0, "i64 1\n"));
    assert!(other.err.starts_with("break 1, hit 1: @walk, block body, line 11"), "{}", other.err);
    let error = |place: &str| {
        let ended = run(PLACES, &["--break", place, "--call", "@walk(1)"], &[]);
        assert_eq!(ended.status, 125, "{}", ended.err);
        ended.err
    };
    let line = error("@walk:main.c:9");
    assert!(
        line.contains("no instruction on line 9 of main.c") && line.contains("nearest that it has one on is line 6")
    );
    assert!(error("@walk:ain.c:4").contains("no instruction from a file ain.c; its instructions are from src/main.c"));
}

#[test]
fn a_place_that_there_is_not_is_an_error() {
    let run = |options: &[&str]| {
        let ended = run(PROGRAM, &[options, &["--call", "@inverse(1)"]].concat(), &[]);
        (ended.status, ended.err)
    };
    for (place, status, message) in [
        ("@fcat", 125, "there is no function @fcat to stop in; did you mean `@fact`?"),
        ("@fact:6", 125, "@fact has no instruction on line 6 when it runs; the nearest that it has one on is line 7"),
        ("@fact:x.c:6", 125, "its instructions have no locations of a front end"),
        ("fact:6", 126, "a place is written `@f`, `@f:LINE` or `@f:FILE:LINE`"),
        ("@fact:0", 126, "`0` is not the number of a line"),
        ("@fact:six", 126, "`six` is not the number of a line"),
        ("@fact:99999999999", 126, "is not the number of a line"),
        ("@:3", 126, "a place is written"),
        ("@fact::3", 126, "a place is written"),
    ] {
        let (got, stderr) = run(&["--break", place]);
        assert_eq!(got, status, "{place}: {stderr}");
        assert!(stderr.contains(message), "{place}: {stderr}");
    }
    let without = Tool::new(PROGRAM).run(&["--step", "--call", "@inverse(1)"]);
    assert_eq!(without.status, 126);
    assert!(without.err.contains("--interp"), "{}", without.err);
    let no_file = Tool::new(PROGRAM).stdin(PROGRAM).run_on_stdin(&["--interp", "--step", "--call", "@inverse(1)"]);
    assert_eq!(no_file.status, 126);
    assert!(no_file.err.contains("the module must be in a file"), "{}", no_file.err);
}

#[test]
fn a_wrong_command_is_told_in_a_line() {
    let commands = [
        ("", ""),
        ("stpe", "there is no command `stpe`; did you mean `step`?; `h` lists them\n"),
        ("step 3", "`step` takes nothing, but there is `3`\n"),
        ("p %y", "there is no register %y in this function\n"),
        ("p %q", "%q has no value yet\n"),
        ("p q", "`q` is not a register: those begin with `%`\n"),
        ("x", "`x` takes an address, %x, $slot or @data, and a number of bytes\n"),
        ("x $a", "there is no stack object $a in this function\n"),
        ("x @tabel", "there is no data @tabel in this module; did you mean `@table`?\n"),
        ("x @table 9", "@table has no more than 8 bytes\n"),
        ("x @table 5000", "the number of bytes is from 1 to 4096\n"),
        ("x @table", "@table+0: 05 00 00 00 06 00 00 00  |........|\n"),
        ("x 0", "there is no memory that can be read\n"),
        ("x %x 8", "there is no memory that can be read\n"),
        ("x 0xffffffffffffffff 16", "there is no memory that can be read\n"),
        ("x here", "`here` is not an address, %x, $slot or @data\n"),
        ("b", "there is no break\n"),
        ("b fact", "a place is written `@f`, `@f:LINE` or `@f:FILE:LINE`\n"),
        ("b @inverse:33", "break 1 at @inverse:33, hits: 0\n"),
        ("b @inverse", "break 2 at @inverse, hits: 0\n"),
        ("d", "`d` takes the number of a break; `b` prints them\n"),
        ("d 3", "there is no break 3; `b` prints them\n"),
        ("d 1", ""),
        ("b", "break 2 at @inverse, hits: 0\n"),
        ("bt x", "`x` is not a number, or it is too large\n"),
        ("l", "entry:\n=>    32 %one = const i64 1\n      33 %q = sdiv i64 %one, %x\n      34 ret %q\n"),
    ];
    let ended = run(PROGRAM, &["--step", "--call", "@inverse(1)"], &commands.map(|(command, _)| command));
    let text: String = commands.iter().map(|(command, answer)| format!("(lir) {command}\n{answer}")).collect();
    let start = "@inverse, block entry, line 32, depth 0\n=>    32 %one = const i64 1\n";
    assert_eq!(ended.err, format!("{start}{text}(lir) \n"));
    assert_eq!(ended.status, 0);
    let help = run(PROGRAM, &["--step", "--call", "@inverse(1)"], &["help", "q", "s"]);
    assert!(help.err.contains("execute until this function returns") && help.err.ends_with("(lir) q\n"));
}

#[test]
fn the_program_reads_the_text_after_the_commands() {
    let tool = Tool::new(PROGRAM).stdin("c\nA");
    let ended = tool.run(&["--interp", "--step", "--call", "@echo()"]);
    assert_eq!((ended.status, ended.out.as_str()), (0, "i32 65\n"), "{}", ended.err);
}

#[test]
fn each_call_begins_with_a_stop() {
    let ended = run(PROGRAM, &["--step", "--call", "@fact(1)", "--call", "@inverse(1)"], &["c", "c"]);
    assert_eq!((ended.status, ended.out.as_str()), (0, "i64 1\ni64 1\n"));
    assert_eq!(stops(&ended), ["@fact, block entry, line 5, depth 0", "@inverse, block entry, line 32, depth 0"]);
}

#[test]
fn jumps_without_an_operation_are_stopped_at() {
    let text = "\
func @f(%x: i64) -> i64 {
entry:
  jmp next
next:
  jmp last
last:
  ret %x
}
func @spins() {
entry:
  jmp loop
loop:
  jmp loop
}
";
    let ended = run(text, &["--break=@f", "--break=@f:5", "--trace", "--call", "@f(1)"], &["n", "c"]);
    assert_eq!((ended.status, ended.out.as_str()), (0, "i64 1\n"));
    let lines: Vec<&str> = ended.err.lines().filter(|l| l.contains("depth") || l.starts_with("    ")).collect();
    assert_eq!(
        lines,
        [
            "break 1, hit 1: @f, block entry, line 3, depth 0",
            "    3 jmp next",
            "break 2, hit 1: @f, block next, line 5, depth 0",
            "    5 jmp last",
            "    7 ret %x                                             ; %x = 1",
        ]
    );
    let ended = run(text, &["--break=@spins:13", "--timeout=20", "--call", "@spins()"], &["c", "c"]);
    assert_eq!(ended.status, 0);
    assert!(ended.err.contains("break 1, hit 3"), "{}", ended.err);
}

/// An instruction with the registers that it reads and their bits, before it or as it was executed.
type Read = (FuncId, Inst, usize, Vec<(Reg, u128)>);
type Reads = Vec<Read>;

#[test]
fn a_debugger_sees_registers_as_instructions_read_them() {
    let symbols = HostSymbols::new(&[]).unwrap();
    let mut asked = 0;
    for seed in 0..40 {
        let module = Arc::new(generate(seed, &Config::default()));
        let test = module.decls.body_named(b"test").unwrap();
        let args = [Value::new(Type::I64, seed), Value::new(Type::I64, 77), Value::new(Type::F64, 0.5f64.to_bits())];
        let mut interp = Interp::new(Arc::clone(&module), &symbols, Options::default()).unwrap();
        let alone = format!("{:?}", interp.call(test, &args));
        interp.reset();
        let (before, executed): (Arc<Mutex<Reads>>, Arc<Mutex<Reads>>) = Default::default();
        let (of_debugger, of_observer) = (Arc::clone(&before), Arc::clone(&executed));
        interp.debug(Box::new(move |run| {
            let (func, inst) = run.at(run.depth());
            let f = &run.module().funcs[func];
            let mut before = of_debugger.lock().unwrap();
            assert_eq!((run.begins(), run.previous().is_none()), (before.is_empty(), inst == first(f)));
            let mut reads = Vec::new();
            f.for_each_use(inst, |r| reads.push((r, run.value(run.depth(), r).expect("what is read was assigned"))));
            before.push((func, inst, run.depth(), reads));
            for frame in 0..run.depth() {
                let (func, call) = run.at(frame);
                assert_eq!(run.module().funcs[func].inst(call).op, Opcode::Call);
            }
        }));
        interp.observe(Box::new(move |e| {
            if e.module.funcs[e.func].inst(e.inst).op != Opcode::Phi {
                of_observer.lock().unwrap().push((e.func, e.inst, e.depth, e.reads.to_vec()));
            }
        }));
        let outcome = interp.call(test, &args);
        assert!(matches!(outcome, Outcome::Return(_) | Outcome::Trap(..)), "{outcome:?}");
        assert_eq!(format!("{outcome:?}"), alone, "seed {seed}");
        let (before, executed) = (before.lock().unwrap(), executed.lock().unwrap());
        assert!(*before == *executed, "seed {seed}");
        asked += before.len();
    }
    assert!(asked > 50_000, "{asked}");
}

/// The first instruction of a function.
fn first(f: &lir_syntax::ir::Function) -> Inst {
    f.layout().first_inst(f.entry()).unwrap()
}
