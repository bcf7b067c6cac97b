//! The end of the stack, in-process: for frames and allocations of any size, the first byte beyond the end that is
//! touched is in the guard, and a trap.

use lir_llc::options::CompileOptions;
use lir_llc::options::RelocModel;
use lir_llc::regalloc::ALLOCATORS;
use lir_opt::{Level, Pipeline, RunOptions, optimize};
use lir_run::interp::Outcome;
use lir_run::jit::{Jit, STACK_SIZE};
use lir_run::symbols::HostSymbols;
use lir_run::value::Value;
use lir_syntax::ir::{Module, Type};
use lir_syntax::semantics::Trap;

/// Calls functions `(i64) -> i64` of a text.
struct Program(Jit);

impl Program {
    fn new(text: &str, level: Level) -> Program {
        let mut module: Module = text.parse().unwrap();
        optimize(&mut module, &Pipeline::of_level(level), &RunOptions::default()).expect("optimised");
        let (model, allocator) = (RelocModel::Jit, ALLOCATORS[0]);
        let options = CompileOptions { model, allocator: Some(allocator), ..CompileOptions::default() };
        let host = HostSymbols::new(&[]).expect("the process has symbols");
        Program(Jit::new(module, &options, &host).expect("linked"))
    }
    /// Returns the result of a function; none if the stack was exhausted.
    fn call(&self, name: &str, x: u64) -> Option<u64> {
        let module = self.0.module();
        let f = module.funcs.iter().find(|(_, f)| *module.decls.syms[f.sym].name == *name.as_bytes());
        match self.0.call(f.expect("the function").0, &[Value::new(Type::I64, x)]).expect("called") {
            Outcome::Return(value) => value.and_then(|v| v.as_scalar()).map(|v| v.word()),
            Outcome::Trap(Trap::StackOverflow, _) => None,
            other => panic!("@{name}({x}): {other:?}"),
        }
    }
}

/// Bytes at the low end of the stack that must not be touched.
const GUARD: u64 = 64 << 10;
const FRAMES: [u64; 4] = [4080, 12_288, 65_536, 1 << 20];

/// For each size `@near_SIZE(n)`: takes n bytes of the stack, and calls a function with an object of that size, which
/// writes the lowest byte of it alone.
fn frames() -> String {
    let mut text = String::new();
    for size in FRAMES {
        for align in [8, 64] {
            text += &format!(
                "func @frame_{size}_{align}(%x: i64) -> i64 noinline {{
  stack $o: {size} align {align}
entry:
  store i8 [$o], 1
  %y = load volatile i8 [$o]
  %z = zext i8 %y to i64
  ret %z
}}
func @near_{size}_{align}(%n: i64) -> i64 {{
entry:
  %p = alloca %n, 16
  store volatile i8 [%p], 1
  %r = call i64 @frame_{size}_{align}(%n)
  ret %r
}}\n"
            );
        }
    }
    text
}

#[test]
fn a_frame_does_not_jump_over_the_guard() {
    let program = Program::new(&frames(), Level::O2);
    for size in FRAMES {
        for align in [8, 64] {
            let name = format!("near_{size}_{align}");
            // The ends of the frame, relative to the end of the usable stack: before it, and in the guard or beyond.
            let end = STACK_SIZE as u64 - GUARD - size;
            for n in [end - 9000, end - 5003] {
                assert_eq!(program.call(&name, n), Some(1), "{name}({n})");
            }
            for n in [end + 100, end + 4000, end + size / 2, end + size - 9000, end + size - 100] {
                assert_eq!(program.call(&name, n.max(end)), None, "{name}({n})");
            }
        }
    }
}

#[test]
fn recursion_with_large_frames_ends_in_a_trap() {
    let text = |size: u64| {
        format!(
            "func @down(%n: i64) -> i64 {{
  stack $o: {size}
entry:
  store i64 [$o], %n
  %m = add i64 %n, 1
  %r = call i64 @down(%m)
  %v = load i64 [$o]
  %s = add i64 %r, %v
  ret %s
}}\n"
        )
    };
    for size in [16, 4088, 65_536, 1 << 20] {
        for level in [Level::O0, Level::O2] {
            assert_eq!(Program::new(&text(size), level).call("down", 0), None, "{size}");
        }
    }
}

/// The function that finds a thread's copy of an object is one of the host. The stack may end in it, for a copy that is
/// there or a first one; thread data is usable after that.
#[test]
fn the_stack_may_end_in_an_access_of_thread_data() {
    let text = "thread data @own = { i64 5 }
func @down(%n: i64) -> i64 {
entry:
  %v = load volatile i64 [@own]
  %m = add i64 %n, 1
  %r = call i64 @down(%m)
  %s = add i64 %r, %v
  ret %s
}
func @near(%n: i64) -> i64 noinline {
entry:
  %p = alloca %n, 16
  store volatile i8 [%p], 1
  %v = load volatile i64 [@own]
  ret %v
}
func @next(%n: i64) -> i64 {
entry:
  %v = load i64 [@own]
  %w = add i64 %v, %n
  store i64 [@own], %w
  ret %w
}
";
    for left in [200, 500, 1000, 3000, 8000, 20_000] {
        let program = Program::new(text, Level::O0);
        assert_eq!(program.call("near", STACK_SIZE as u64 - GUARD - left), None, "{left}");
        assert_eq!(program.call("next", 1), Some(6), "{left}");
        assert_eq!(program.call("down", 0), None, "{left}");
        assert_eq!(program.call("next", 1), Some(7), "{left}");
    }
}

/// Allocations of less than a page, none of which is written but the last.
#[test]
fn many_small_allocations_do_not_jump_over_the_guard() {
    let text = |size: u64| {
        format!(
            "func @grow(%n: i64) -> i64 {{
  stack $o: 3000
entry:
  %i = const i64 0
  store i64 [$o], 7
  jmp test
test:
  br slt i64 %i, %n, body, done
body:
  %p = alloca {size}, 16
  %i = add i64 %i, 1
  jmp test
done:
  %q = alloca 16, 16
  store volatile i64 [%q], %n
  %r = load volatile i64 [%q]
  %o = load i64 [$o]
  %s = add i64 %r, %o
  ret %s
}}\n"
        )
    };
    for size in [16u64, 2048, 4080, 4096] {
        for level in [Level::O0, Level::O2] {
            let program = Program::new(&text(size), level);
            let fit = STACK_SIZE as u64 / size;
            assert_eq!(program.call("grow", fit / 2), Some(fit / 2 + 7));
            // Not far beyond the end either, where a guard of one page would be jumped over.
            for n in [fit - 1, fit, fit + 1, fit + 40, 2 * fit, 16 * fit] {
                assert_eq!(program.call("grow", n), None, "{size} {n}");
            }
        }
    }
}

#[test]
fn an_allocation_larger_than_the_address_space_ends_in_a_trap() {
    let text = "func @take(%n: i64) -> i64 {
entry:
  %p = alloca %n, 16
  store volatile i8 [%p], 1
  ret 1
}\n";
    let program = Program::new(text, Level::O2);
    assert_eq!(program.call("take", 1 << 20), Some(1));
    for n in [STACK_SIZE as u64, 1 << 40, 1 << 63, u64::MAX - 15, u64::MAX] {
        assert_eq!(program.call("take", n), None, "{n}");
    }
}
