//! Programs with handlers of signals, which interrupt them: natively, in the interpreter and with traces.

mod ends;

use crate::tool::Tool;
use lir_testing::process::Ran;

/// The declarations, and the counters of handlers.
const COMMON: &str = "
extern func @signal(i32, i64) -> i64
extern func @sigaction(i32, i64, i64) -> i32
extern func @ualarm(i32, i32) -> i32
extern func @usleep(i32) -> i32
extern func @pause() -> i32
extern func @alarm(i32) -> i32
extern func @pthread_self() -> i64
extern func @pthread_create(i64, i64, i64, i64) -> i32
extern func @pthread_join(i64, i64) -> i32
extern func @pthread_kill(i64, i32) -> i32
extern func @pthread_sigqueue(i64, i32, i64) -> i32
extern func @qsort(i64, i64, i64, i64)
data @count align 8 = { i64 0 }
data @ready align 8 = { i64 0 }
func @counts(%signal: i32) {
entry:
  %c = load volatile i64 [@count]
  %c = add i64 %c, 1
  store volatile i64 [@count], %c
  ret
}
; Has SIGALRM counted, which comes each 2 ms.
func @begin(%handler: i64) {
entry:
  %alarm = const i32 14
  %x = call i64 @signal(%alarm, %handler)
  %us = const i32 2000
  %y = call i32 @ualarm(%us, %us)
  ret
}
func @wait(%n: i64) {
entry:
  jmp loop
loop:
  %c = load volatile i64 [@count]
  br slt i64 %c, %n, loop, done
done:
  ret
}
";

/// Runs a program, with a time limit in case it waits for an event that never happens.
fn run(text: &str, options: &[&str]) -> Ran {
    Tool::new(&format!("{COMMON}{text}")).run(&[options, &["--timeout", "20"]].concat())
}

/// The options by which programs run.
const MODES: [&[&str]; 5] =
    [&["-O0"], &["-O2"], &["--interp", "-O0"], &["--interp", "-O2"], &["--trace-jit", "--trace-limit=hot-loop=2"]];

fn all_end_with(text: &str, status: i32) {
    for mode in MODES {
        let ended = run(text, mode);
        assert_eq!((ended.status, &*ended.err), (status, ""), "{mode:?}");
    }
}

#[test]
fn they_interrupt_loops() {
    let text = "
func @main() -> i32 {
entry:
  %f = lea [@counts]
  call @begin(%f)
  %n = const i64 20
  call @wait(%n)
  ret 7
}
";
    all_end_with(text, 7);
    // Observers see them, too.
    let ended = run(text, &["--interp", "--trace=@counts", "--trace-from=20"]);
    assert_eq!(ended.status, 7);
    assert!(ended.err.starts_with("    @counts, block entry:\n"), "{ended:?}");
    assert!(
        ended.err.lines().any(|l| l.contains("%c = add i64 %c, 1 ") && l.ends_with("; %c = 19 => 20")),
        "{ended:?}"
    );
}

/// C that waits is interrupted, also by a signal just before.
#[test]
fn they_interrupt_c() {
    let text = "
func @main() -> i32 {
entry:
  %f = lea [@counts]
  call @begin(%f)
  jmp loop
loop:
  %p = call i32 @pause()
  %c = load volatile i64 [@count]
  br slt i64 %c, 20, loop, done
done:
  ret 7
}
";
    all_end_with(text, 7);
}

#[test]
fn they_interrupt_functions_called_by_c() {
    let text = "
data @numbers align 4 = { i32 2, 1 }
func @compare(%p: i64, %q: i64) -> i32 {
entry:
  %n = const i64 20
  call @wait(%n)
  %x = load i32 [%p]
  %y = load i32 [%q]
  %d = sub i32 %x, %y
  ret %d
}
func @main() -> i32 {
entry:
  %f = lea [@counts]
  call @begin(%f)
  %a = lea [@numbers]
  %n = const i64 2
  %w = const i64 4
  %f = lea [@compare]
  call @qsort(%a, %n, %w, %f)
  %x = load i32 [%a]
  ret %x
}
";
    all_end_with(text, 1);
}

/// A thread is interrupted by another one.
#[test]
fn they_interrupt_other_threads() {
    let text = "
func @thread(%n: i64) -> i64 {
entry:
  store volatile i64 [@ready], 1
  call @wait(%n)
  ret 5
}
func @main() -> i32 {
  stack $thread: 8
  stack $result: 8
entry:
  %user = const i32 10
  %f = lea [@counts]
  %x = call i64 @signal(%user, %f)
  %t = lea [$thread]
  %none = const i64 0
  %f = lea [@thread]
  %n = const i64 3
  %e = call i32 @pthread_create(%t, %none, %f, %n)
  jmp loop
loop:
  %r = load volatile i64 [@ready]
  br %r, kill, loop
kill:
  %c = load volatile i64 [@count]
  %h = load i64 [$thread]
  %e = call i32 @pthread_kill(%h, %user)
  jmp seen
seen:
  %d = load volatile i64 [@count]
  br eq i64 %c, %d, seen, counted
counted:
  br slt i64 %d, 3, kill, done
done:
  %r = lea [$result]
  %e = call i32 @pthread_join(%h, %r)
  %v = load i32 [$result]
  ret %v
}
";
    all_end_with(text, 5);
}

/// The system blocks the signal while it is handled: a slow handler does not interrupt itself.
#[test]
fn they_do_not_interrupt_themselves() {
    let text = "
data @depth align 8 = { i64 0 }
data @deepest align 8 = { i64 0 }
func @slow(%signal: i32) {
entry:
  %d = load volatile i64 [@depth]
  %d = add i64 %d, 1
  store volatile i64 [@depth], %d
  %m = load i64 [@deepest]
  %m = umax i64 %m, %d
  store i64 [@deepest], %m
  %c = load volatile i64 [@count]
  br slt i64 %c, 3, again, work
again:
  %us = const i32 500
  %never = const i32 0
  %x = call i32 @ualarm(%us, %never)
  jmp work
work:
  %i = const i64 0
  jmp loop
loop:
  store volatile i64 [@ready], %i
  %i = add i64 %i, 1
  br slt i64 %i, 1000000, loop, done
done:
  %d = sub i64 %d, 1
  store volatile i64 [@depth], %d
  call @counts(%signal)
  ret
}
func @main() -> i32 {
entry:
  %alarm = const i32 14
  %f = lea [@slow]
  %x = call i64 @signal(%alarm, %f)
  %us = const i32 500
  %never = const i32 0
  %y = call i32 @ualarm(%us, %never)
  %n = const i64 4
  call @wait(%n)
  %m = load i32 [@deepest]
  ret %m
}
";
    all_end_with(text, 1);
}

/// A handler with `SA_SIGINFO` finds the value that was sent.
#[test]
fn they_are_told_of_the_signal() {
    let text = "
; The handler, its mask, flags and restorer.
data @action align 8 = { i64 @sent, zero 128, i32 4, zero 12 }
data @value align 8 = { i64 0 }
func @sent(%signal: i32, %info: i64, %context: i64) {
entry:
  %s = load i32 [%info]
  br eq i32 %s, %signal, right, wrong
right:
  %v = load i64 [%info + 24]
  store volatile i64 [@value], %v
  ret
wrong:
  store volatile i64 [@value], 1
  ret
}
func @thread(%of: i64) -> i64 {
entry:
  %user = const i32 12
  %v = const i64 9
  %e = call i32 @pthread_sigqueue(%of, %user, %v)
  ret 0
}
func @main() -> i32 {
  stack $thread: 8
entry:
  %user = const i32 12
  %none = const i64 0
  %a = lea [@action]
  %e = call i32 @sigaction(%user, %a, %none)
  %t = lea [$thread]
  %f = lea [@thread]
  %self = call i64 @pthread_self()
  %e = call i32 @pthread_create(%t, %none, %f, %self)
  jmp loop
loop:
  %v = load volatile i64 [@value]
  br %v, done, loop
done:
  %r = trunc i64 %v to i32
  ret %r
}
";
    all_end_with(text, 9);
}

/// C is interrupted while it allocates; the interpreter allocates for the aggregate.
#[test]
fn they_interrupt_no_allocation() {
    let text = "
extern func @strdup(i64) -> i64
extern func @free(i64)
type :big = { i64 x 250 }
data @long = { zero 2001 }
func @takes($b: :big) {
entry:
  ret
}
func @passes(%signal: i32) {
  stack $b: :big
entry:
  %f = lea [@takes]
  call %f(:big [$b], i32 %signal)
  call @counts(%signal)
  ret
}
func @main() -> i32 {
entry:
  memset [@long], 120, 2000
  %alarm = const i32 14
  %f = lea [@passes]
  %x = call i64 @signal(%alarm, %f)
  %us = const i32 200
  %y = call i32 @ualarm(%us, %us)
  jmp loop
loop:
  %a = lea [@long]
  %x = call i64 @strdup(%a)
  call @free(%x)
  %c = load volatile i64 [@count]
  br slt i64 %c, 500, loop, done
done:
  ret 7
}
";
    all_end_with(text, 7);
}

/// Threads end while they are sent signals: the interpreter frees its data for them.
#[test]
fn they_interrupt_threads_that_end() {
    let text = "
func @deep(%n: i64) -> i64 {
entry:
  br %n, more, done
more:
  %m = sub i64 %n, 1
  %v = call i64 @deep(%m)
  %v = add i64 %v, 1
  ret %v
done:
  ret 1
}
func @main() -> i32 {
  stack $thread: 8
entry:
  %user = const i32 10
  %f = lea [@counts]
  %x = call i64 @signal(%user, %f)
  %t = lea [$thread]
  %none = const i64 0
  %f = lea [@deep]
  %n = const i64 3000
  %i = const i64 0
  jmp start
start:
  %e = call i32 @pthread_create(%t, %none, %f, %n)
  %h = load i64 [$thread]
  %k = const i64 0
  jmp kill
kill:
  %e = call i32 @pthread_kill(%h, %user)
  %k = add i64 %k, 1
  br slt i64 %k, 200, kill, join
join:
  %e = call i32 @pthread_join(%h, %none)
  %i = add i64 %i, 1
  br slt i64 %i, 150, start, done
done:
  ret 7
}
";
    all_end_with(text, 7);
}

/// A stack of its own has room for the handler, not for the interpreter.
#[test]
fn they_need_no_large_stack() {
    let text = "
extern func @raise(i32) -> i32
extern func @sigaltstack(i64, i64) -> i32
data @room align 16 = { zero 73728 }
data @stack align 8 = { i64 @room + 65536, i32 0, zero 4, i64 8192 }
; SA_ONSTACK
data @action align 8 = { i64 @sorts, zero 128, i32 134217728, zero 12 }
data @numbers align 4 = { i32 3, 1, 2 }
func @compare(%p: i64, %q: i64) -> i32 {
entry:
  %x = load i32 [%p]
  %y = load i32 [%q]
  %d = sub i32 %x, %y
  ret %d
}
func @sorts(%signal: i32) {
entry:
  %a = lea [@numbers]
  %n = const i64 3
  %w = const i64 4
  %f = lea [@compare]
  call @qsort(%a, %n, %w, %f)
  ret
}
func @main() -> i32 {
entry:
  %none = const i64 0
  %s = lea [@stack]
  %e = call i32 @sigaltstack(%s, %none)
  %user = const i32 10
  %a = lea [@action]
  %e = call i32 @sigaction(%user, %a, %none)
  %e = call i32 @raise(%user)
  %k = const i64 0
  jmp look
look:
  %v = load i64 [@room + %k]
  br %v, overwritten, next
next:
  %k = add i64 %k, 8
  br slt i64 %k, 65536, look, done
overwritten:
  ret 99
done:
  %r = load i32 [@numbers]
  ret %r
}
";
    all_end_with(text, 1);
}
