//! Calls from outside with typed values: where the ABI wants the arguments, and where it leaves the result.
//!
//! [`Jit`](crate::jit::Jit) and [`Interp`](crate::interp::Interp) make such calls, each in its own way; both read the
//! answers here. Aggregates of every class are passed and returned.

use crate::abi::{AggPlace, Assigner, Place, extend_argument, result_places};
use crate::host::native_call::MAX_STACK_ARGS;
use crate::value::{Aggregate, Shape, Value};
use lir_syntax::ir::{AbiParam, Agg, Decls, Signature};
use std::sync::Arc;

/// The arguments of a call in registers and stack words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Arguments {
    /// rdi, rsi, rdx, rcx, r8, r9.
    pub(crate) gpr: [u64; 6],
    /// xmm0 to xmm7.
    pub(crate) xmm: [u64; 8],
    /// From the first stack argument on.
    pub(crate) stack: Vec<u64>,
    /// What the address of the first stack argument must be a multiple of.
    pub(crate) stack_align: u64,
    /// The environment; of a function without one, how many vector registers are used, which variadic callees read.
    pub(crate) rax: u64,
}

impl Arguments {
    /// The arguments of a call of a function with this signature; `result_at` is where a result goes that is
    /// [in memory](result_in_memory).
    ///
    /// # Errors
    /// The values are not of the types of the parameters, or the stack cannot take them.
    pub(crate) fn new(decls: &Decls, sig: &Signature, args: &[Value], result_at: u64) -> Result<Arguments, String> {
        check_stack(decls, sig)?;
        if args.len() != sig.params.len() {
            return Err(DISAGREE.into());
        }
        let mut places = Assigner::new(decls, sig.result);
        let mut words = Arguments { gpr: [0; 6], xmm: [0; 8], stack: Vec::new(), stack_align: 16, rax: 0 };
        // Where the result is in memory, no argument takes the first register.
        words.gpr[0] = result_at;
        for (param, value) in sig.params.iter().zip(args) {
            match (*param, value) {
                (AbiParam::Scalar(ty, ext), Value::Scalar(s)) if s.ty == ty => {
                    words.put(places.scalar(ty, ext), extend_argument(ty, ext, s.bits));
                }
                (AbiParam::Agg(agg), Value::Aggregate(a)) if is_of(decls, agg, a) => {
                    words.put_aggregate(places.aggregate(agg), a.bytes());
                }
                _ => return Err(DISAGREE.into()),
            }
        }
        words.stack.resize(places.stack() as usize / 8, 0);
        words.stack_align = places.stack_align();
        if sig.variadic {
            words.rax = u64::from(places.xmms());
        }
        Ok(words)
    }
    fn put(&mut self, place: Place, bits: u64) {
        match place {
            Place::Gpr(k) => self.gpr[k as usize] = bits,
            Place::Xmm(k) => self.xmm[k as usize] = bits,
            Place::Rax => self.rax = bits,
            Place::Stack(offset) => {
                // Offsets ascend.
                self.stack.resize(offset as usize / 8, 0);
                self.stack.push(bits);
            }
        }
    }
    fn put_aggregate(&mut self, place: AggPlace, bytes: &[u8]) {
        let words = bytes.chunks(8).map(|b| {
            let mut word = [0; 8];
            word[..b.len()].copy_from_slice(b);
            u64::from_le_bytes(word)
        });
        match place {
            AggPlace::Stack(offset) => {
                self.stack.resize(offset as usize / 8, 0);
                self.stack.extend(words);
            }
            AggPlace::Regs(places) => {
                for (place, word) in places.into_iter().zip(words) {
                    place.into_iter().for_each(|p| self.put(p, word));
                }
            }
        }
    }
}

const DISAGREE: &str = "the arguments do not agree with the function's signature";

fn is_of(decls: &Decls, agg: Agg, value: &Aggregate) -> bool {
    let ty = &decls.types[agg];
    *ty.name == *value.shape().name() && ty.size == value.shape().size()
}

/// Whether the stack can take the arguments of a call of a function with this signature.
///
/// # Errors
/// It cannot; how many bytes they are.
pub(crate) fn check_stack(decls: &Decls, sig: &Signature) -> Result<(), String> {
    let mut places = Assigner::new(decls, sig.result);
    for param in &sig.params {
        match *param {
            AbiParam::Scalar(ty, ext) => drop(places.scalar(ty, ext)),
            AbiParam::Agg(agg) => drop(places.aggregate(agg)),
        }
        // Larger sums are cut off where they are made.
        if places.stack() > MAX_STACK_ARGS || places.stack_align() > MAX_STACK_ARGS {
            return Err(format!(
                "the arguments take more than the {MAX_STACK_ARGS} bytes of stack that a call may have"
            ));
        }
    }
    Ok(())
}

/// Size and alignment of a result that the ABI returns in memory; none of others.
pub(crate) fn result_in_memory(decls: &Decls, sig: &Signature) -> Option<(u64, u64)> {
    match sig.result {
        Some(AbiParam::Agg(agg)) if result_places(decls, agg).is_none() => {
            Some((decls.types[agg].size, decls.types[agg].align))
        }
        Some(AbiParam::Agg(_) | AbiParam::Scalar(..)) | None => None,
    }
}

/// What a call returned in rax and rdx, in xmm0 and xmm1, or in memory, of which `read` gives the bytes.
pub(crate) fn result_of(
    decls: &Decls,
    sig: &Signature,
    (gpr, xmm): ([u64; 2], [u64; 2]),
    read: impl FnOnce() -> Vec<u8>,
) -> Option<Value> {
    let agg = match sig.result? {
        AbiParam::Scalar(ty, _) => return Some(Value::new(ty, if ty.is_float() { xmm[0] } else { gpr[0] })),
        AbiParam::Agg(agg) => agg,
    };
    let bytes = match result_places(decls, agg) {
        None => read(),
        Some(places) => {
            let word = |place: Option<Place>| match place {
                Some(Place::Gpr(k)) => gpr[k as usize],
                Some(Place::Xmm(k)) => xmm[k as usize],
                Some(Place::Rax | Place::Stack(_)) | None => 0,
            };
            let mut bytes: Vec<u8> = places.into_iter().flat_map(|place| word(place).to_le_bytes()).collect();
            bytes.truncate(decls.types[agg].size as usize);
            bytes
        }
    };
    Some(Value::aggregate(Arc::new(Shape::of(decls, agg)), bytes))
}
