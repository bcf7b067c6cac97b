//! The printed texts of traces: functions that parse, jumps that can be patched, and the log however the program ends.

use crate::tool::Tool;
use crate::{trace_frames, traces};
use lir_opt::analysis::trace_form::TraceForm;
use lir_syntax::ir::Module;

/// The texts of all stages but the code, with their names.
fn stages(printed: &str) -> Vec<(&str, &str)> {
    let parts = printed.split("; trace ").skip(1);
    let part = |part| -> Option<(&str, &str)> {
        let (head, text): (&str, &str) = str::split_once(part, '\n')?;
        let stage = head.split_once(": ")?.1;
        Some((stage, text.split_once("\n}\n").map_or(text, |(body, _)| &text[..body.len() + 3])))
    };
    parts.filter_map(part).filter(|(stage, _)| *stage != "code").collect()
}

#[test]
fn each_stage_is_a_function_in_trace_form() {
    let frames = ["@fib(15)", "@outer(200)", "@outer(3000)"];
    let all = traces::CALLS.map(|call| (traces::PROGRAM, call));
    let all = all.into_iter().chain([(TURNS, "@turns(500)")]).chain(frames.map(|call| (trace_frames::PROGRAM, call)));
    let (mut count, mut decided) = (0, 0);
    for (program, call) in all {
        let tool = Tool::new(program);
        for more in [&[][..], &["--trace-eager", "--trace-split"], &["--trace-stress=7"]] {
            let ended = tool.run(&[&["--trace-jit", "--print-traces", "-O0", "--call", call], more].concat());
            for (_stage, text) in stages(&ended.err) {
                let module: Module = text.parse().unwrap();
                let f = module.funcs.values().next().unwrap();
                assert!(TraceForm::of(f).is_ok(), "{text}");
                count += 1;
                decided += usize::from(text.contains("decided:"));
            }
        }
    }
    assert!(count > 100 && decided > 0, "{count} texts, {decided} with guards that were dropped");
}

/// The fifth iteration of the loop takes another path, which a second trace follows and returns from.
const TURNS: &str = "\
extern func @exit(i32)
func @turns(%n: i64) -> i64 {
entry:
  jmp loop
loop:
  %i = phi i64 [0, entry], [%next, latch]
  %s = phi i64 [0, entry], [%sum, latch]
  %low = and i64 %i, 3
  br eq i64 %low, 0, fourth, other
fourth:
  %t = add i64 %s, 5
  jmp latch
other:
  br ne i64 %low, 0, plain, never
never:
  unreachable
plain:
  %u = add i64 %s, 1
  jmp latch
latch:
  %sum = phi i64 [%t, fourth], [%u, plain]
  %next = add i64 %i, 1
  br slt i64 %next, %n, loop, done
done:
  ret %sum
}
func @leaves(%n: i64) {
entry:
  %sum = call i64 @turns(%n)
  %status = const i32 7
  call @exit(%status)
  ret
}
";

#[test]
fn exits_end_in_jumps_that_are_patched() {
    let tool = Tool::new(TURNS);
    for options in [
        &[][..],
        &["--codegen=fast"],
        &["--regalloc=one-pass"],
        &["--regalloc=linear-scan"],
        &["--regalloc=fast", "--codegen=fast"],
    ] {
        let options = options.iter().copied();
        let always = ["--trace-jit", "--print-traces", "--trace-log", "-O0", "--call", "@turns(4000000)"];
        let ended = tool.run(&always.into_iter().chain(options).collect::<Vec<_>>());
        assert_eq!((ended.status, &*ended.out), (0, "i64 8000000\n"), "{}", ended.err);
        let made = stages(&ended.err).into_iter().filter(|(stage, _)| *stage == "without dead code");
        let exits: usize = made.map(|(_, text)| text.matches("\n  ret ").count()).sum();
        let jumps = ended.err.lines().filter(|l| l.contains(" jmp ") && l.contains("@leave")).count();
        assert_eq!((jumps, exits), (5, 5), "{}", ended.err);
        // Control passed from trace to trace a million times, and to the interpreter seldom.
        assert!(ended.err.contains("taken 10 times, then linked to trace 1"), "{}", ended.err);
        assert!(ended.err.contains("linked to trace 0"), "{}", ended.err);
    }
}

/// Threads that trap or leave while the first one waits for input, streams that are locked, a process that forks, and C
/// in each iteration of a loop.
const ENDS: &str = "\
extern func @pthread_create(i64, i64, i64, i64) -> i32
extern func @getchar() -> i32
extern func @usleep(i32) -> i32
extern func @flockfile(i64)
extern func @exit(i32)
extern func @_exit(i32)
extern func @fork() -> i32
extern func @wait(i64) -> i32
extern func @getppid() -> i32
extern data @stdout
func @work() {
entry:
  %n = const i64 10000
  jmp loop
loop:
  %n = sub i64 %n, 1
  br sgt i64 %n, 0, loop, done
done:
  ret
}
func @calls() -> i32 {
entry:
  %n = const i64 1000
  jmp loop
loop:
  %n = sub i64 %n, 1
  %p = call i32 @getppid()
  br sgt i64 %n, 0, loop, done
done:
  ret 7
}
func @traps(%x: i64) -> i64 {
entry:
  %u = const i32 200000
  call i32 @usleep(%u)
  %z = const i64 0
  %v = load i64 [%z + 8]
  ret %v
}
func @leaves(%x: i64) -> i64 {
entry:
  %u = const i32 200000
  call i32 @usleep(%u)
  %s = const i32 7
  call @exit(%s)
  ret %x
}
func @begin(%f: i64) -> i32 {
  stack $t: 8
entry:
  call @work()
  %p = lea [$t]
  %z = const i64 0
  call i32 @pthread_create(%p, %z, %f, %z)
  call i32 @getchar()
  ret 5
}
func @trap_elsewhere() -> i32 {
entry:
  %f = lea [@traps]
  %r = call i32 @begin(%f)
  ret %r
}
func @exit_elsewhere() -> i32 {
entry:
  %f = lea [@leaves]
  %r = call i32 @begin(%f)
  ret %r
}
func @waits() -> i32 {
entry:
  call @work()
  call i32 @getchar()
  ret 0
}
func @locks() {
entry:
  call @work()
  %o = load i64 [@stdout]
  call @flockfile(%o)
  %e = const i32 7
  call @exit(%e)
  ret
}
func @at_once() {
entry:
  call @work()
  %e = const i32 7
  call @_exit(%e)
  ret
}
func @forks() -> i32 {
entry:
  call @work()
  %p = call i32 @fork()
  %z = const i64 0
  call i32 @wait(%z)
  ret 3
}
";

#[test]
fn no_lock_and_no_other_process_keeps_the_log_back() {
    let tool = Tool::new(ENDS);
    for (call, status) in [
        ("@trap_elsewhere()", 134),
        ("@exit_elsewhere()", 7),
        ("@waits()", 124),
        ("@locks()", 7),
        ("@at_once()", 7),
        ("@forks()", 0),
        ("@calls()", 0),
    ] {
        // There is no input, and the input does not end.
        let ended = tool.run_waiting(&["--trace-jit", "--trace-log", "-O0", "--timeout", "3", "--call", call]);
        assert_eq!(ended.status, status, "{call}: {}", ended.err);
        let logged = ended.err.matches("trace 0: begins in @").count();
        assert_eq!(logged, 1, "{call}: {}", ended.err);
        assert_eq!(ended.err.contains("ends by untraceable"), call == "@calls()", "{}", ended.err);
    }
}

#[test]
fn the_log_is_printed_however_the_program_ends() {
    let tool = Tool::new(TURNS);
    let run = |options: &[&str]| tool.run(&[&["--trace-jit", "--trace-log", "-O0"], options].concat());
    let (left, late) = (run(&["--call", "@leaves(1000)"]), run(&["--timeout", "0.5", "--call", "@turns(90000000000)"]));
    assert_eq!((left.status, late.status), (7, 124), "{} {}", left.err, late.err);
    for text in [left.err, late.err] {
        assert_eq!(text.matches("trace 0: begins in @turns, block loop, line 8; ends by loop\n").count(), 1, "{text}");
    }
}
