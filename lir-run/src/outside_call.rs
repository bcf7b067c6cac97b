//! Calls from outside with typed values: assigns arguments to registers and the stack, and reads the result, by the
//! ABI.
//!
//! [`Jit`](crate::jit::Jit) and [`Interp`](crate::interp::Interp) make such calls, each by its own method, and share
//! the code here. Aggregates of every class are passed and returned.

use crate::host::native_call::MAX_STACK_ARGS;
use crate::value::{Aggregate, Shape, Value};
use lir_syntax::abi::{ArgAssigner, ArgLocation, Piece, Register, extend_argument, result_registers};
use lir_syntax::ir::{AbiParam, Agg, Decls, Signature, Type};
use std::sync::Arc;

/// The arguments of a call in registers and stack words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Arguments {
    /// rdi, rsi, rdx, rcx, r8, r9.
    pub(crate) gpr: [u64; 6],
    /// xmm0 to xmm7.
    pub(crate) xmm: [u128; 8],
    /// From the first stack argument on.
    pub(crate) stack: Vec<u64>,
    /// The alignment of the address of the first stack argument.
    pub(crate) stack_align: u64,
    /// The environment, or for a function without one the number of vector registers used, which variadic callees read.
    pub(crate) rax: u64,
}

impl Arguments {
    /// Assigns the arguments of a call of a function with this signature. `result_at` is the address for a result that
    /// is [in memory](result_in_memory).
    ///
    /// # Errors
    /// The values are not of the types of the parameters, or the stack cannot take them.
    pub(crate) fn new(decls: &Decls, sig: &Signature, args: &[Value], result_at: u64) -> Result<Arguments, String> {
        check_stack(decls, sig)?;
        if args.len() != sig.params.len() {
            return Err(DISAGREE.into());
        }
        let mut places = ArgAssigner::for_result(decls, sig.result);
        let mut words = Arguments { gpr: [0; 6], xmm: [0; 8], stack: Vec::new(), stack_align: 16, rax: 0 };
        // If the result is in memory, no argument takes the first register.
        words.gpr[0] = result_at;
        for (param, value) in sig.params.iter().zip(args) {
            let place = places.assign(decls, *param);
            words.stack.resize(places.stack_bytes() as usize / 8, 0);
            match (*param, value) {
                (AbiParam::Scalar(ty, ext), Value::Scalar(s)) if s.ty == ty => {
                    words.put(place, s.words().map(|word| extend_argument(ty, ext, word)));
                }
                (AbiParam::Agg(agg), Value::Aggregate(a)) if is_of(decls, agg, a) => {
                    words.put(place, eightbytes(a.bytes()));
                }
                _ => return Err(DISAGREE.into()),
            }
        }
        words.stack_align = places.stack_align().max(16);
        if sig.variadic {
            words.rax = u64::from(places.floats());
        }
        Ok(words)
    }
    /// Puts an argument of these words into its location. The stack is large enough already.
    pub(crate) fn put(&mut self, place: ArgLocation, words: impl Iterator<Item = u64>) {
        match place {
            ArgLocation::Reg(r) => words.for_each(|word| self.set(r, word)),
            ArgLocation::Stack(offset) | ArgLocation::AggStack(offset) => {
                self.stack[offset as usize / 8..].iter_mut().zip(words).for_each(|(to, word)| *to = word);
            }
            ArgLocation::AggRegs(pieces) => {
                for (word, offset) in words.zip([0, 8]) {
                    let shift = |piece: &Piece| 8 * (offset - piece.offset);
                    let of_word = pieces.iter().filter(|(p, _)| (p.offset..p.offset + p.bytes).contains(&offset));
                    of_word.for_each(|(p, r)| self.set_part(*r, word, shift(p)));
                }
            }
            ArgLocation::Nowhere => {}
        }
    }
    fn set(&mut self, r: Register, bits: u64) {
        self.set_part(r, bits, 0);
    }
    /// Puts bits into a register, of which the bits from `shift` on, 0 or 64, are 0.
    fn set_part(&mut self, r: Register, bits: u64, shift: u32) {
        match r {
            Register::Argument(k) => self.gpr[k as usize] = bits,
            Register::Float(k) => self.xmm[k as usize] |= u128::from(bits) << shift,
            Register::Environment => self.rax = bits,
            Register::Result(_) => panic!("an argument is in an argument register"),
        }
    }
}

/// Returns the eightbytes of an aggregate, the last one filled up with zeros.
pub(crate) fn eightbytes(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.chunks(8).map(|b| {
        let mut word = [0; 8];
        word[..b.len()].copy_from_slice(b);
        u64::from_le_bytes(word)
    })
}

const DISAGREE: &str = "the arguments do not agree with the function's signature";

fn is_of(decls: &Decls, agg: Agg, value: &Aggregate) -> bool {
    let ty = &decls.types[agg];
    *ty.name == *value.shape().name() && ty.size == value.shape().size()
}

/// Checks that the stack can take the arguments of a call with this signature.
///
/// # Errors
/// It cannot; the message has the number of bytes.
pub(crate) fn check_stack(decls: &Decls, sig: &Signature) -> Result<(), String> {
    let mut places = ArgAssigner::for_result(decls, sig.result);
    for param in &sig.params {
        places.assign(decls, *param);
        if places.stack_bytes() > MAX_STACK_ARGS || places.stack_align() > MAX_STACK_ARGS {
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
        Some(AbiParam::Agg(agg)) if result_registers(decls, agg).is_none() => {
            Some((decls.types[agg].size, decls.types[agg].align))
        }
        Some(AbiParam::Agg(_) | AbiParam::Scalar(..)) | None => None,
    }
}

/// Returns the result of a call in rax and rdx, xmm0 and xmm1, or memory. `read` reads bytes of memory.
pub(crate) fn result_of(
    decls: &Decls,
    sig: &Signature,
    (gpr, xmm): ([u64; 2], [u128; 2]),
    read: impl FnOnce() -> Vec<u8>,
) -> Option<Value> {
    let agg = match sig.result? {
        AbiParam::Scalar(Type::I128, _) => {
            return Some(Value::of_bits(Type::I128, u128::from(gpr[0]) | u128::from(gpr[1]) << 64));
        }
        AbiParam::Scalar(ty, _) => return Some(Value::new(ty, if ty.is_float() { xmm[0] as u64 } else { gpr[0] })),
        AbiParam::Agg(agg) => agg,
    };
    let bytes = match result_registers(decls, agg) {
        None => read(),
        Some(pieces) => {
            let mut bytes = vec![0; decls.types[agg].size as usize];
            for (piece, r) in pieces.iter() {
                let word = result_word(*r, gpr, xmm).to_le_bytes();
                bytes[piece.offset as usize..][..piece.bytes as usize].copy_from_slice(&word[..piece.bytes as usize]);
            }
            bytes
        }
    };
    Some(Value::aggregate(Arc::new(Shape::of(decls, agg)), bytes))
}

/// Returns the value of a result register: rax and rdx, or xmm0 and xmm1.
pub(crate) fn result_word(r: Register, gpr: [u64; 2], xmm: [u128; 2]) -> u128 {
    match r {
        Register::Result(k) => gpr[k as usize].into(),
        Register::Float(k) => xmm[k as usize],
        Register::Argument(_) | Register::Environment => panic!("a result is in a result register"),
    }
}
