//! Promises facts about values of a module that its calls keep.
//!
//! In three of ten modules the calls are interpreted in the surroundings of [`perturbed`] modules, with the values of
//! parameters, loads and results of calls in view. A value that is the same in all surroundings gets a range around all
//! that was seen, and the alignment that all have. Any other may be an address, which is not the same in native code:
//! it is promised not to be null, and to be `dereferenceable` where the interpreter agrees. Values that are the same
//! everywhere also get an `assume` after them. So the promises hold in all checks of these calls, and a pass that
//! derives too much from one, or keeps one too long, is found by a result.

use super::FUEL;
use crate::unspecified::{MANY, Surroundings, perturbed, surroundings};
use lir_random::Rng;
use lir_run::interp::{Executed, Interp, Options, Outcome};
use lir_run::run_lines::TypedCall;
use lir_run::symbols::HostSymbols;
use lir_syntax::ir::{
    Base, Comparison, DebugLoc, FuncId, Function, Inst, InstData, IntCC, Mem, Module, NameRef, Opcode, Operand, Reg,
    Type, ValuePromises,
};
use rustc_hash::FxHasher;
use std::hash::Hasher;
use std::sync::{Arc, Mutex, PoisonError};

/// The sizes that addresses are promised to have.
const SIZES: [u64; 5] = [1, 4, 8, 16, 24];

/// A value that may have promises, or that an `assume` may be about.
#[derive(Copy, Clone)]
enum Place {
    Param(FuncId, Reg),
    Result(FuncId, Inst),
    Assumed(FuncId, Inst),
}

/// The observed values of a place.
#[derive(Clone, Default)]
struct Seen {
    /// The values, sign-extended, without order.
    values: Vec<i64>,
    /// A hash of the sequence of values, for each surrounding.
    sequences: Vec<FxHasher>,
}

/// Returns a module with promises about values at random by `seed`.
pub(super) fn with_value_promises(mut module: Module, calls: &[TypedCall], host: &HostSymbols, seed: u64) -> Module {
    let mut rng = Rng::new(seed ^ 0x76_61_6c_75);
    if !rng.chance(30) {
        return module;
    }
    let places = places(&module);
    let seen = Arc::new(Mutex::new(vec![Seen::default(); places.len()]));
    let all: Vec<Surroundings> = surroundings::<MANY>().into_iter().collect();
    for around in &all {
        if !watch(&module, calls, host, &places, around, &seen) {
            return module;
        }
    }
    let seen = std::mem::take(&mut *seen.lock().unwrap_or_else(PoisonError::into_inner));
    let mut sized = Vec::new();
    for (place, seen) in places.into_iter().zip(seen) {
        if rng.chance(30) {
            continue;
        }
        if let Place::Assumed(f, i) | Place::Result(f, i) = place
            && rng.chance(30)
        {
            assume(&mut module.funcs[f], i, &seen, &mut rng);
        }
        let promises = promises(&mut rng, type_of(&module, place), &seen);
        set(&mut module, place, promises);
        if promises.dereferenceable != 0 {
            sized.push((place, promises));
        }
    }
    // The interpreter decides about sizes: if one is wrong, none stays. It cannot where an address is outside of its
    // object, and by chance in another one.
    if module.funcs.values().any(leaves_object) || !all.iter().all(|around| are_kept(&module, calls, host, around)) {
        for (place, promises) in sized {
            set(&mut module, place, ValuePromises { dereferenceable: 0, ..promises });
        }
    }
    module
}

/// True if a function computes an address outside of its stack object.
fn leaves_object(f: &Function) -> bool {
    let is_outside = |m: Mem| match m.base {
        Base::Obj(o) => m.disp < 0 || m.disp as u64 > f.stack[o].size,
        _ => false,
    };
    f.layout().all_insts().any(|i| f.inst(i).op == Opcode::Lea && is_outside(f.mem(i)))
}

/// Returns the values of a module that may have promises.
fn places(module: &Module) -> Vec<Place> {
    let is_possible = |f: &Function, r: Reg| f.type_of(r).is_int() && f.type_of(r).has_word();
    let mut all = Vec::new();
    for (id, f) in module.funcs.iter() {
        all.extend(f.param_regs().filter(|r| is_possible(f, *r)).map(|r| Place::Param(id, r)));
        for i in f.layout().all_insts().filter(|i| f.def(*i).is_some_and(|r| is_possible(f, r)) && !f.is_jump(*i)) {
            match f.inst(i).op {
                Opcode::Load | Opcode::Call => all.push(Place::Result(id, i)),
                Opcode::Phi => {}
                _ => all.push(Place::Assumed(id, i)),
            }
        }
    }
    all
}
fn register(module: &Module, place: Place) -> (FuncId, Reg) {
    match place {
        Place::Param(f, r) => (f, r),
        Place::Result(f, i) | Place::Assumed(f, i) => (f, module.funcs[f].def(i).expect("it has a result")),
    }
}
fn type_of(module: &Module, place: Place) -> Type {
    let (f, r) = register(module, place);
    module.funcs[f].type_of(r)
}
fn set(module: &mut Module, place: Place, promises: ValuePromises) {
    match place {
        Place::Param(f, r) => module.funcs[f].set_param_promises(r, promises),
        Place::Result(f, i) => module.funcs[f].set_value_promises(i, promises),
        Place::Assumed(..) => {}
    }
}

/// Returns promises that the values which were seen keep.
fn promises(rng: &mut Rng, ty: Type, seen: &Seen) -> ValuePromises {
    let (Some(&least), Some(&most)) = (seen.values.iter().min(), seen.values.iter().max()) else {
        return ValuePromises::NONE;
    };
    let w = ty.as_word();
    let mut made = ValuePromises::NONE;
    let sequences: Vec<u64> = seen.sequences.iter().map(Hasher::finish).collect();
    if sequences.iter().any(|s| *s != sequences[0]) {
        if ty == Type::I64 && !seen.values.contains(&0) {
            made = ValuePromises::nonnull();
            made.dereferenceable = if rng.chance(50) { rng.pick(&SIZES) } else { 0 };
        }
        return made;
    }
    let slack = |rng: &mut Rng| if rng.chance(50) { 0 } else { (rng.bits() >> rng.below(63) >> 1) as i64 };
    let unsigned = |k: i64| w.truncate(k as u64);
    let (first, last) = if rng.chance(50) {
        (least.saturating_sub(slack(rng)).max(w.signed_min()), most.saturating_add(slack(rng)).min(w.signed_max()))
    } else {
        let least = seen.values.iter().map(|k| unsigned(*k)).min().unwrap_or(0);
        let most = seen.values.iter().map(|k| unsigned(*k)).max().unwrap_or(w.mask());
        let (first, last) = (least.saturating_sub(slack(rng) as u64), most.saturating_add(slack(rng) as u64));
        (w.sign_extend(first), w.sign_extend(last.min(w.mask())))
    };
    if !seen.values.contains(&0) && ty == Type::I64 && rng.chance(20) {
        made = ValuePromises::nonnull();
    } else if rng.chance(80) {
        made.range = Some((first, last));
    }
    if ty == Type::I64 && rng.chance(50) {
        let zeros = seen.values.iter().map(|k| k.trailing_zeros()).min().unwrap_or(0);
        made.align_log2 = zeros.min(12) as u8;
    }
    if made.complaint(ty).is_some() { ValuePromises::NONE } else { made }
}

/// Adds an `assume` about the result of an instruction, after it, if its values are the same in all surroundings.
fn assume(f: &mut Function, i: Inst, seen: &Seen, rng: &mut Rng) {
    let (Some(&least), Some(&most)) = (seen.values.iter().min(), seen.values.iter().max()) else { return };
    let mut sequences = seen.sequences.iter().map(Hasher::finish);
    let first = sequences.next();
    if sequences.any(|s| Some(s) != first) {
        return;
    }
    let r = f.def(i).expect("it has a result");
    let ty = f.type_of(r);
    let w = ty.as_word();
    let unsigned = || seen.values.iter().map(|k| w.truncate(*k as u64));
    let (predicate, bound) = match rng.below(6) {
        0 => (IntCC::Sge, least as u64),
        1 => (IntCC::Sle, most as u64),
        2 => (IntCC::Uge, unsigned().min().unwrap_or(0)),
        3 => (IntCC::Ule, unsigned().max().unwrap_or(w.mask())),
        4 if least == most => (IntCC::Eq, least as u64),
        _ if !seen.values.contains(&0) => (IntCC::Ne, 0),
        _ => return,
    };
    let b = f.make_typed_const(ty, bound);
    let data = InstData::assume(Comparison { ty, predicate: predicate.into(), a: r.into(), b });
    let after = f.layout().next_inst(i).expect("a terminator follows");
    f.insert_before_at(after, data, DebugLoc::NONE);
}

/// Notes the values in a run of the calls. Returns false if the module cannot run, or a call does not end.
fn watch(
    module: &Module,
    calls: &[TypedCall],
    host: &HostSymbols,
    places: &[Place],
    around: &Surroundings,
    seen: &Arc<Mutex<Vec<Seen>>>,
) -> bool {
    // Each value is copied when it is new, by an instruction whose location is the number of the place.
    let mut located = module.clone();
    for (k, place) in places.iter().enumerate() {
        let (f, r) = register(module, *place);
        let f = &mut located.funcs[f];
        let entry = f.entry();
        let after = match *place {
            Place::Param(..) => f.layout().first_inst(entry),
            Place::Result(_, i) | Place::Assumed(_, i) => f.layout().next_inst(i),
        };
        let ty = f.type_of(r);
        let copy = InstData::unary(Opcode::Copy, ty, Operand::reg(r)).with_result(f.new_reg(ty, NameRef::NONE));
        f.insert_before_at(after.expect("a terminator follows"), copy, DebugLoc::offset(k as u32 + 1));
    }
    let located = Arc::new(perturbed(&located, around));
    let options = Options { fuel: Some(FUEL), address: around.address, gap: around.gap, ..Options::default() };
    let Ok(mut interp) = Interp::new(Arc::clone(&located), host, options) else { return false };
    let number = places.len();
    for seen in &mut *seen.lock().unwrap_or_else(PoisonError::into_inner) {
        seen.sequences.push(FxHasher::default());
    }
    let notes = Arc::clone(seen);
    interp.observe(Box::new(move |e: &Executed<'_>| {
        let f = &e.module.funcs[e.func];
        let place = (f.loc_of(e.inst) as usize).checked_sub(1).filter(|k| *k < number);
        let d = f.inst(e.inst);
        if let (Opcode::Copy, Some(k), Some(value)) = (d.op, place, e.result) {
            let value = d.ty.as_word().sign_extend(value as u64);
            let seen = &mut notes.lock().unwrap_or_else(PoisonError::into_inner)[k];
            if let Some(sequence) = seen.sequences.last_mut() {
                sequence.write_i64(value);
            }
            if !seen.values.contains(&value) {
                seen.values.push(value);
            }
        }
    }));
    // Values after the end of the fuel are unknown.
    calls.iter().all(|call| !matches!(interp.call(call.func(&located), &call.args), Outcome::OutOfFuel(_)))
}

/// True if no run of the calls breaks a promise.
fn are_kept(module: &Module, calls: &[TypedCall], host: &HostSymbols, around: &Surroundings) -> bool {
    let module = Arc::new(perturbed(module, around));
    let options = Options { fuel: Some(FUEL), address: around.address, gap: around.gap, ..Options::default() };
    let Ok(mut interp) = Interp::new(Arc::clone(&module), host, options) else { return false };
    let is_broken =
        |outcome: &Outcome| matches!(outcome, Outcome::Error(message, _) if message.contains("the promise"));
    calls.iter().all(|call| !is_broken(&interp.call(call.func(&module), &call.args)))
}
