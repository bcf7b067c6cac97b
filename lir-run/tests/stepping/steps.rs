//! `--interp --trace`: each instruction with its operands and result.

use super::run;
use lir_random::{Config, generate};
use lir_run::interp::{Executed, Interp, Options, Outcome};
use lir_run::symbols::HostSymbols;
use lir_run::value::Value;
use lir_syntax::ir::{FuncId, Inst, Opcode, OperandKind, Type};
use lir_syntax::semantics::{eval, is_value_op};
use std::sync::{Arc, Mutex};

const PROGRAM: &str = "\
func @half(%x: f64) -> f64 {
  stack $cell: 8
entry:
  %h = fmul f64 %x, 0.5
  store f64 [$cell], %h
  %again = load f64 [$cell]
  ret %again
}
func @swaps(%n: i64) -> i64 {
entry:
  jmp loop
loop:
  %a = phi i64 [1, entry], [%b, loop]
  %b = phi i64 [2, entry], [%a, loop]
  %i = phi i64 [0, entry], [%next, loop]
  %next = add i64 %i, 1
  br slt i64 %next, %n, loop, done
done:
  %x = const f64 1.5
  %y = call f64 @half(%x)
  ret %a
}
func @inverse(%x: i64) -> i64 {
entry:
  %one = const i64 1
  %q = sdiv i64 %one, %x
  ret %q
}
";

/// The lines that are printed, without the columns of spaces before values.
fn trace(options: &[&str]) -> String {
    super::trace(&run(PROGRAM, options, &[]))
}

#[test]
fn each_instruction_is_printed_with_its_operands_and_result() {
    assert_eq!(
        trace(&["--trace", "--call", "@swaps(2)"]),
        "\
@swaps, block entry:
   11 jmp loop
@swaps, block loop:
   13 %a = phi i64 [1, entry], [%b, loop] ; => 1
   14 %b = phi i64 [2, entry], [%a, loop] ; => 2
   15 %i = phi i64 [0, entry], [%next, loop] ; => 0
   16 %next = add i64 %i, 1 ; %i = 0 => 1
   17 br slt i64 %next, %n, loop, done ; %next = 1, %n = 2
@swaps, block loop:
   13 %a = phi i64 [1, entry], [%b, loop] ; => 2
   14 %b = phi i64 [2, entry], [%a, loop] ; => 1
   15 %i = phi i64 [0, entry], [%next, loop] ; => 1
   16 %next = add i64 %i, 1 ; %i = 1 => 2
   17 br slt i64 %next, %n, loop, done ; %next = 2, %n = 2
@swaps, block done:
   19 %x = const f64 1.5 ; => 1.5
   20 %y = call f64 @half(%x) ; %x = 1.5
  @half, block entry:
      4 %h = fmul f64 %x, 0.5 ; %x = 1.5 => 0.75
      5 store f64 [$cell], %h ; %h = 0.75
      6 %again = load f64 [$cell] ; => 0.75
      7 ret %again ; %again = 0.75
@swaps, block done:
   21 ret %a ; %a = 2
"
    );
}

#[test]
fn places_and_times_select_the_output() {
    let whole = trace(&["--trace=@swaps:loop", "--call", "@swaps(3)"]);
    assert_eq!(whole.matches("@swaps, block loop:\n").count(), 3, "{whole}");
    let last = trace(&["--trace=@swaps:loop", "--trace-from=3", "--call", "@swaps(3)"]);
    assert_eq!(last.lines().count(), 6, "{last}");
    assert!(last.starts_with("@swaps, block loop:\n   13 %a = phi i64 [1, entry], [%b, loop] ; => 1\n"), "{last}");
    let both = trace(&["--trace=@half", "--trace=@swaps:done", "--call", "@swaps(3)"]);
    assert_eq!(both.lines().count(), 10, "{both}");
    let rest = trace(&["--trace", "--trace-from=16", "--call", "@swaps(3)"]);
    assert!(rest.starts_with("@swaps, block loop:\n   17 br"), "{rest}");
}

#[test]
fn the_reason_of_a_stop_is_printed_last() {
    let text = trace(&["--trace", "--call", "@inverse(0)"]);
    assert!(
        text.ends_with(
            "   26 %q = sdiv i64 %one, %x ; %one = 1, %x = 0\ntrap: div_by_zero in @inverse, block entry, line 26\n"
        ),
        "{text}"
    );
}

#[test]
fn a_place_that_there_is_not_is_an_error() {
    let run = |place: &str| run(PROGRAM, &[place, "--call", "@inverse(1)"], &[]);
    let (func, block, word) = (run("--trace=@sum"), run("--trace=@swaps:latch"), run("--trace=swaps"));
    assert_eq!((func.status, block.status, word.status), (125, 125, 126));
    assert!(func.err.contains("there is no function @sum to trace"), "{}", func.err);
    assert!(block.err.contains("@swaps has no block `latch`"), "{}", block.err);
    assert!(word.err.contains("a place is written `@f` or `@f:block`"), "{}", word.err);
    // A name may be quoted.
    let quoted = run("--trace=@\"inverse\":entry");
    assert!(quoted.status == 0 && quoted.err.contains("@inverse, block entry"), "{quoted:?}");
}

/// True if an instruction follows the one before it in its frame, or starts a successor of that one's block.
fn follows(e: &Executed<'_>, before: Option<Inst>) -> bool {
    let f = &e.module.funcs[e.func];
    let layout = f.layout();
    let block = layout.block_of(e.inst).unwrap();
    let is_first = layout.first_inst(block) == Some(e.inst);
    match before {
        Some(i) if layout.next_inst(i) == Some(e.inst) => !e.arrives,
        Some(i) => e.arrives && is_first && f.succs(layout.block_of(i).unwrap()).contains(&block),
        None => e.arrives && block == f.entry() && is_first,
    }
}

/// True if the result of an instruction is right for its operands; none if its semantics do not define it.
fn is_right(e: &Executed<'_>) -> Option<bool> {
    let f = &e.module.funcs[e.func];
    let d = f.inst(e.inst);
    let is_wide = |ty: Type| ty == Type::I128;
    let reads_wide = e.reads.iter().any(|read| is_wide(f.type_of(read.0)));
    if reads_wide || is_wide(d.ty) || f.def(e.inst).is_some_and(|r| is_wide(f.type_of(r))) {
        return None;
    }
    let w = d.ty.as_word();
    let result = e.result.filter(|_| is_value_op(d.op) && d.op != Opcode::Copy)? as u64;
    let mut reads = e.reads.iter();
    let mut operands = [0; 3];
    let (b, c) = if matches!(d.op, Opcode::Select | Opcode::Fma) {
        f.operands_bc(e.inst)
    } else {
        (d.second(), lir_syntax::ir::Operand::NONE)
    };
    for (value, o) in operands.iter_mut().zip([d.first(), b, c]) {
        *value = match o.kind() {
            OperandKind::Reg(r) => reads.next().filter(|read| read.0 == r)?.1 as u64,
            OperandKind::None => 0,
            _ => w.truncate(f.constant(o)? as u64),
        };
    }
    Some(eval(d.op, w, d.aux(), operands) == Ok(result))
}

#[test]
fn checks_of_promises_are_no_steps() {
    let text = "\
func @f(%x: i64 range 0 to 9) -> i64 readnone {
entry:
  %y = copy %x
  %z = call i64 @g(%y) range 0 to 5
  ret %z
}
func @g(%x: i64) -> i64 readnone {
  stack $a: 8
entry:
  store i64 [$a], %x
  %y = load i64 [$a] range 0 to 5
  ret %y
}
";
    let ended = run(text, &["--trace", "--call", "@f(3)"], &[]);
    assert_eq!(
        super::trace(&ended),
        "\
@f, block entry:
    3 %y = copy i64 %x ; %x = 3 => 3
    4 %z = call i64 @g(%y) range 0 to 5 ; %y = 3
  @g, block entry:
     10 store i64 [$a], %x ; %x = 3
     11 %y = load i64 [$a] range 0 to 5 ; => 3
     12 ret %y ; %y = 3
@f, block entry:
    5 ret %z ; %z = 3
"
    );
}

#[test]
fn an_observer_sees_the_semantics_and_changes_nothing() {
    let symbols = HostSymbols::new(&[]).unwrap();
    let counts = Arc::new(Mutex::new((0u64, 0u64)));
    let mut jumps = 0;
    for seed in 0..60 {
        let module = Arc::new(generate(seed, &Config::default()));
        let body = |name: &[u8]| module.decls.body_named(name);
        let test = body(b"test").unwrap();
        let args = [Value::new(Type::I64, seed), Value::new(Type::I64, 77), Value::new(Type::F64, 0.5f64.to_bits())];
        let of_jumps = body(b"entry_jumps").map(|f| (f, &args[..1]));
        let calls: Vec<_> = [(test, &args[..])].into_iter().chain(of_jumps).collect();
        jumps += calls.len() - 1;
        let run = |observed: bool| {
            let mut interp = Interp::new(Arc::clone(&module), &symbols, Options::default()).unwrap();
            let counts = Arc::clone(&counts);
            if observed {
                let mut last: Vec<Option<(FuncId, Inst)>> = Vec::new();
                interp.observe(Box::new(move |e| {
                    last.resize(e.depth + 1, None);
                    let before = last[e.depth].replace((e.func, e.inst));
                    // A jump gives the frame to another function, and so does the next call from outside.
                    let before = before.filter(|(func, _)| *func == e.func).map(|(_, i)| i);
                    assert!(follows(e, before), "{:?} of {:?} after {before:?}", e.inst, e.func);
                    let mut counts = counts.lock().unwrap();
                    counts.0 += 1;
                    let f = &e.module.funcs[e.func];
                    let mut read = Vec::new();
                    f.for_each_use(e.inst, |r| read.push(r));
                    assert!(f.inst(e.inst).op == Opcode::Phi || e.reads.iter().map(|r| r.0).eq(read), "{e:?}");
                    if let Some(right) = is_right(e) {
                        assert!(right, "{e:?}");
                        counts.1 += 1;
                    }
                }));
            }
            let results = calls.iter().map(|(func, args)| match interp.call(*func, args) {
                Outcome::Return(value) => format!("{value:?}"),
                other => format!("{other:?}"),
            });
            results.collect::<Vec<_>>()
        };
        assert_eq!(run(true), run(false), "seed {seed}");
    }
    let (all, computed) = *counts.lock().unwrap();
    assert!(all > 100_000 && computed > all / 4 && jumps > 5, "{computed} of {all}, {jumps} with jumps");
}

/// A jump gives its frame to the callee, which has other instructions. A function of C is called.
#[test]
fn jumps_replace_the_function_of_a_frame() {
    const JUMPS: &str = "\
extern func @labs(i64) -> i64
func @main_of(%n: i64) -> i64 {
entry:
  %r = call i64 @even(%n, %n)
  ret %r
}
func @even(%n: i64, %m: i64) -> i64 {
entry:
  br eq i64 %n, 0, done, more
more:
  %k = sub i64 %n, 1
  %r = call musttail i64 @odd(%k)
  ret %r
done:
  %s = call musttail i64 @labs(%m)
  ret %s
}
func @odd(%n: i64) -> i64 {
entry:
  %k = sub i64 %n, 1
  %x = const i64 -7
  %r = call musttail i64 @even(%k, %x)
  ret %r
}
";
    let expected = "\
@main_of, block entry:
    4 %r = call i64 @even(%n, %n) ; %n = 2, %n = 2
  @even, block entry:
      9 br eq i64 %n, 0, done, more ; %n = 2
  @even, block more:
     11 %k = sub i64 %n, 1 ; %n = 2 => 1
     12 %r = call musttail i64 @odd(%k) ; %k = 1
  @odd, block entry:
     20 %k = sub i64 %n, 1 ; %n = 1 => 0
     21 %x = const i64 -7 ; => -7
     22 %r = call musttail i64 @even(%k, %x) ; %k = 0, %x = -7
  @even, block entry:
      9 br eq i64 %n, 0, done, more ; %n = 0
  @even, block done:
     15 %s = call musttail i64 @labs(%m) ; %m = -7 => 7
     16 ret %s ; %s = 7
@main_of, block entry:
    5 ret %r ; %r = 7
";
    let ran = run(JUMPS, &["--trace", "--call", "@main_of(2)"], &[]);
    assert_eq!((super::trace(&ran).as_str(), ran.out.as_str()), (expected, "i64 7\n"));
    let commands = ["s", "s", "s", "s", "s", "s", "s", "s", "s", "c", "c", "c"];
    let stepped = run(JUMPS, &["--break=@even", "--call", "@main_of(2)"], &commands);
    assert_eq!(stepped.out, "i64 7\n", "{}", stepped.err);
}
