//! Says which calls of a mutant have one meaning: the interpreter goes first.
//!
//! A mutant may do anything that a well-formed module may do: leave objects, read what nobody wrote, compare addresses,
//! never end. A call counts where it ends in time and without an error, strictly ([`Options::strict`]), and ends in the
//! same way with other addresses of data, functions and frames and other bytes in unwritten memory ([`perturbed`]). All
//! other calls are left out; what remains of a mutant without calls are passes and lowering, which must not fail.

use crate::unspecified::{perturbed, surroundings};
use lir_run::interp::{Interp, Options, Outcome};
use lir_run::run_lines::TypedCall;
use lir_run::symbols::HostSymbols;
use lir_syntax::ir::Module;
use lir_syntax::semantics::Trap;
use std::sync::Arc;

/// Operations that a call may execute: each mutant is executed some hundred times.
const FUEL: u64 = 20_000;
/// Nested calls: native code and code after passes need not the same stack.
const DEPTH: usize = 500;
/// Bytes of stack objects: of all frames that there ever are, or of those that live at once, which are larger.
const STACK: u64 = 1 << 22;
/// The address of the memory of the strict run, far below that of others.
const STRICT_PLACE: u64 = 1 << 36;
/// Number of times calls are left out before the others are given up: without one, those after it meet other data.
const ROUNDS: usize = 6;

/// Those of the calls that have one meaning, one after the other on the same data.
pub(super) fn meaningful(module: &Arc<Module>, mut calls: Vec<TypedCall>, host: &HostSymbols) -> Vec<TypedCall> {
    let others = surroundings().map(|around| (Arc::new(perturbed(module, &around)), around.place));
    for _ in 0..ROUNDS {
        let Some(here) = outcomes(module, &calls, host, STRICT_PLACE, true) else { return Vec::new() };
        let mut keep: Vec<bool> = here.iter().map(is_good).collect();
        // What is no good may do anything where nothing is checked.
        if keep.iter().all(|k| *k) {
            for (other, place) in &others {
                let Some(there) = outcomes(other, &calls, host, *place, false) else { return Vec::new() };
                for (k, keep) in keep.iter_mut().enumerate() {
                    *keep &= is_same(&here[k], &there[k]);
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

/// Returns the endings of the calls. None if the module needs an external symbol that nobody has.
fn outcomes(
    module: &Arc<Module>,
    calls: &[TypedCall],
    host: &HostSymbols,
    place: u64,
    strict: bool,
) -> Option<Vec<Outcome>> {
    let options = Options {
        fuel: Some(FUEL),
        max_depth: DEPTH,
        stack_size: STACK,
        strict,
        uninit: strict,
        place,
        ..Options::default()
    };
    let mut interp = Interp::new(Arc::clone(module), host, options).ok()?;
    Some(calls.iter().map(|call| interp.call(call.func(module), &call.args)).collect())
}

fn is_good(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Return(_) => true,
        // How deep calls may nest is nobody's promise, nor whether an access that fails is made.
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
