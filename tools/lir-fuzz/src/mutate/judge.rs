//! Finds the calls of a mutant that have a specified meaning, by executing them in the interpreter.
//!
//! A mutant may do anything that a well-formed module may do: access memory outside of objects, read uninitialised
//! memory, compare addresses, never end. A call counts if it ends in time and without an error in strict mode
//! ([`Options::strict`]), and ends in the same way with other addresses of data, functions and frames and other bytes
//! in uninitialised memory ([`perturbed`]). All other calls are removed. A mutant without calls still tests that passes
//! and lowering do not fail.

use crate::unspecified::{FEW, perturbed, surroundings};
use lir_run::interp::{Interp, Options, Outcome};
use lir_run::run_lines::TypedCall;
use lir_run::symbols::HostSymbols;
use lir_syntax::ir::Module;
use lir_syntax::semantics::Trap;
use std::sync::Arc;

/// Operations that a call may execute: each mutant is executed about a hundred times.
const FUEL: u64 = 20_000;
/// Nested calls: native code and code after passes may need more stack.
const DEPTH: usize = 500;
/// Bytes of stack objects: in all frames over time, or in all frames at one time, if that is larger.
const STACK: u64 = 1 << 25;
/// The address of the memory of the first run, far below the addresses of other runs.
const FIRST_ADDRESS: u64 = 1 << 36;
/// Maximum number of iterations of removing calls: without a call, later calls may see other data.
const MAX_ITERATIONS: usize = 6;

/// Returns the calls with a specified meaning, made one after the other on the same data.
pub(super) fn meaningful(module: &Arc<Module>, mut calls: Vec<TypedCall>, host: &HostSymbols) -> Vec<TypedCall> {
    let others = surroundings::<FEW>().map(|around| (Arc::new(perturbed(module, &around)), around));
    for _ in 0..MAX_ITERATIONS {
        let options = Options { address: FIRST_ADDRESS, strict: true, uninit: true, ..Options::default() };
        let Some(here) = outcomes(module, &calls, host, options) else { return Vec::new() };
        let mut keep: Vec<bool> = here.iter().map(is_good).collect();
        // An unspecified call may do anything in code without checks.
        if keep.iter().all(|k| *k) {
            for (k, (other, around)) in others.iter().enumerate() {
                // An access that leaves its object and hits another one misses it if the objects are farther apart.
                let options =
                    Options { address: around.address, gap: around.gap, strict: k == 0, ..Options::default() };
                let Some(there) = outcomes(other, &calls, host, options) else { return Vec::new() };
                for (keep, (here, there)) in keep.iter_mut().zip(here.iter().zip(&there)) {
                    *keep &= is_same(here, there);
                }
            }
            if keep.iter().all(|k| *k) {
                return calls;
            }
        }
        let mut keep = keep.into_iter();
        calls.retain(|_| keep.next().expect("there is one for each call"));
    }
    Vec::new()
}

/// Returns the endings of the calls. None if the module needs an undefined external symbol.
fn outcomes(module: &Arc<Module>, calls: &[TypedCall], host: &HostSymbols, options: Options) -> Option<Vec<Outcome>> {
    let options = Options { fuel: Some(FUEL), max_depth: DEPTH, stack_size: STACK, ..options };
    let mut interp = Interp::new(Arc::clone(module), host, options).ok()?;
    Some(calls.iter().map(|call| interp.call(call.func(module), &call.args)).collect())
}

fn is_good(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Return(_) => true,
        // The maximum depth of calls is unspecified, and so is whether a faulting access is executed.
        Outcome::Trap(trap, _) => !matches!(trap, Trap::StackOverflow | Trap::MemoryFault),
        Outcome::OutOfFuel(_) | Outcome::Error(..) => false,
    }
}

fn is_same(a: &Outcome, b: &Outcome) -> bool {
    match (a, b) {
        (Outcome::Return(a), Outcome::Return(b)) => a == b,
        (Outcome::Trap(a, _), Outcome::Trap(b, _)) => a == b,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lir_run::run_lines::LineReader;
    use lir_syntax::parser::{ParseOptions, parse};
    use lir_syntax::text::source::Source;

    /// Returns the number of calls of `@f` with a specified meaning.
    fn count(function: &str) -> usize {
        let other = "func @g(%p: i64) {\nentry:\n  store i32 [%p - 256], 5\n  ret\n}\n\
            func @v(%n: i64, ...) -> i64 {\n  stack $l: 24\nentry:\n\
            \x20 va_start [$l]\n  %x = va_arg i64 [$l]\n  va_end [$l]\n  %r = add i64 %x, %n\n  ret %r\n}\n";
        let text = format!("; run: @f()\ndata @d = {{ zero 16 }}\n{other}func @f() -> i64 {{\n{function}}}\n");
        let source = Source { name: "t".into(), text };
        let module = Arc::new(parse(&source, &ParseOptions::default()).unwrap());
        let calls = LineReader::new(&module).run_lines(&source).into_iter().map(|l| l.unwrap().call).collect();
        meaningful(&module, calls, &HostSymbols::new(&[]).unwrap()).len()
    }

    #[test]
    fn calls_with_a_specified_meaning_are_kept() {
        for function in [
            "  stack $s: 16\nentry:\n\
             \x20 %p = lea [$s]\n  store i64 [%p + 8], 5\n  %r = load i64 [%p + 8]\n  ret %r\n",
            "  stack $s: 16\nentry:\n\
             \x20 %p = lea [$s]\n  %q = lea [$s + 16]\n  %r = smax i64 %p, %q\n  %r = sub i64 %r, %p\n  ret %r\n",
            "  stack $s: 512\nentry:\n\
             \x20 %p = lea [$s + 256]\n  call @g(%p)\n  ret 0\n",
            "entry:\n  %a = const i64 4\n  %r = call i64 @v(%a, ..., i64 %a)\n  ret %r\n",
        ] {
            assert_eq!(count(function), 1, "{function}");
        }
    }

    #[test]
    fn calls_that_depend_on_the_layout_are_removed() {
        for function in [
            "entry:\n  %p = lea [@g]\n  %r = sdiv i64 %p, 63\n  ret %r\n",
            // Into the next object, if they are close together.
            "  stack $s: 16\n  stack $t: 16\n  stack $u: 16\nentry:\n\
             \x20 %p = lea [$t]\n  store i32 [%p + 82], 5\n  ret 0\n",
            // Into the object of the caller.
            "  stack $s: 16\nentry:\n\
             \x20 %p = lea [$s]\n  call @g(%p)\n  ret 0\n",
            // The order of an object and the result of `stack_save`, or data.
            "  stack $s: 16\nentry:\n\
             \x20 %p = lea [$s]\n  %q = stack_save\n  %r = smax i64 %p, %q\n  %r = sub i64 %r, %p\n  ret 0\n",
            "  stack $s: 16\nentry:\n\
             \x20 %p = lea [$s]\n  %q = lea [@d]\n  %r = smax i64 %p, %q\n  store i64 [%r], 1\n  ret 0\n",
        ] {
            assert_eq!(count(function), 0, "{function}");
        }
    }
}
