//! Computes the results of every pure operation, and the traps of divisions.
//!
//! The constant folder, the interpreter and the tests use these functions, so they agree by construction; native code
//! is compared with them. A value is represented by its bits, zero-extended from the width of its type to 64 (the
//! canonical form of [`Word::truncate`]); arguments must be canonical, and results are.
//!
//! Integers wrap around ([`integer`]); floats are IEEE 754 with one rounding to nearest-even for each operation
//! ([`float`]); conversions out of range give fixed values ([`convert`]); predicates are in [`compare`]. The NaN that
//! an arithmetic operation gives is unspecified in the language; here it is the NaN that x86 gives, on every host, so
//! that folding at different levels gives the same bits. Operations on i128 are in [`wide`].

pub mod compare;
mod convert;
pub mod float;
mod integer;
pub mod wide;

use crate::{Format, Opcode, Predicate, Type, Word};

named! {
    /// The reason execution stopped: the visible effect of an operation that has no result.
    pub enum Trap {
        DivByZero "div_by_zero" "A division by zero."
        IntOverflow "int_overflow" "`sdiv` of the least number by -1."
        Unreachable "unreachable" "`unreachable` was reached, or a `noreturn` function returned."
        MemoryFault "memory_fault" "An access to memory that does not exist or does not permit the access."
        StackOverflow "stack_overflow" "Calls, stack objects and allocas took more than the stack has."
        Exception "exception"
            "A C++ exception or a Rust panic left a function that the program called, and was not caught inside."
    }
}

impl Trap {
    /// Returns the trap with this name.
    pub fn from_name(name: &[u8]) -> Option<Trap> {
        Self::ALL.into_iter().find(|t| t.name().as_bytes() == name)
    }
}

impl std::fmt::Display for Trap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// True if [`eval`] knows the opcode: its result is a function of scalar operands alone.
#[inline]
pub fn is_value_op(op: Opcode) -> bool {
    matches!(
        op.format(),
        Format::Unary | Format::Binary | Format::Ternary | Format::Select | Format::Compare | Format::Convert
    )
}

/// Returns the result of an operation of format Unary, Binary, Ternary, Select, Compare or Convert.
///
/// `w` is the word of the instruction's type, `aux` its field (predicate or target type), `args` the operands in order;
/// absent operands may have any value. The first operand of Select is the condition, canonical in its own type.
///
/// # Errors
/// The trap of one of the four divisions.
///
/// # Panics
/// For other opcodes ([`is_value_op`]) and for types that the opcode's type rule does not allow.
#[inline]
pub fn eval(op: Opcode, w: Word, aux: u8, args: [u64; 3]) -> Result<u64, Trap> {
    let [a, b, _] = args;
    match op {
        Opcode::Sdiv => integer::sdiv(w, a, b),
        Opcode::Udiv => integer::udiv(a, b),
        Opcode::Srem => integer::srem(w, a, b),
        Opcode::Urem => integer::urem(a, b),
        _ => Ok(total(op, w, aux, args)),
    }
}

/// Returns the result of an operation that never traps.
#[inline]
fn total(op: Opcode, w: Word, aux: u8, [a, b, c]: [u64; 3]) -> u64 {
    use Opcode::*;
    match op {
        Copy => a,
        Add => integer::add(w, a, b),
        Sub => integer::sub(w, a, b),
        Mul => integer::mul(w, a, b),
        And => a & b,
        Or => a | b,
        Xor => a ^ b,
        Shl => integer::shl(w, a, b),
        Lshr => integer::lshr(w, a, b),
        Ashr => integer::ashr(w, a, b),
        Rotl => integer::rotl(w, a, b),
        Rotr => integer::rotr(w, a, b),
        Smulh => integer::smulh(w, a, b),
        Umulh => integer::umulh(w, a, b),
        Smin => integer::smin(w, a, b),
        Smax => integer::smax(w, a, b),
        Umin => a.min(b),
        Umax => a.max(b),
        SaddO => integer::sadd_o(w, a, b),
        UaddO => integer::uadd_o(w, a, b),
        SsubO => integer::ssub_o(w, a, b),
        UsubO => (a < b) as u64,
        SmulO => integer::smul_o(w, a, b),
        UmulO => integer::umul_o(w, a, b),
        Neg => integer::sub(w, 0, a),
        Not => w.truncate(!a),
        Clz => w.leading_zeros(a) as u64,
        Ctz => integer::ctz(w, a),
        Popcnt => a.count_ones() as u64,
        Bswap => w.swap_bytes(a),
        Fadd => float::add(w, a, b),
        Fsub => float::sub(w, a, b),
        Fmul => float::mul(w, a, b),
        Fdiv => float::div(w, a, b),
        Fmin => float::min(w, a, b),
        Fmax => float::max(w, a, b),
        Fcopysign => float::copysign(w, a, b),
        Fneg => a ^ w.sign_bit(),
        Fabs => a & !w.sign_bit(),
        Fsqrt => float::sqrt(w, a),
        Fceil => float::ceil(w, a),
        Ffloor => float::floor(w, a),
        Ftrunc => float::trunc(w, a),
        Fnearest => float::nearest(w, a),
        Fma => float::fma(w, a, b, c),
        Icmp | Fcmp => compare::holds(Predicate::from_u8(aux), w, a, b) as u64,
        Select => [c, b][(a != 0) as usize],
        Sext => to(aux).truncate(w.sign_extend(a) as u64),
        Zext | Bitcast => a,
        Trunc => to(aux).truncate(a),
        Sitofp => convert::from_signed(to(aux), w.sign_extend(a)),
        Uitofp => convert::from_unsigned(to(aux), a),
        Fptosi => convert::to_signed(w, to(aux), a),
        Fptoui => convert::to_unsigned(w, to(aux), a),
        FptosiSat => convert::to_signed_sat(w, to(aux), a),
        FptouiSat => convert::to_unsigned_sat(w, to(aux), a),
        Fpext => convert::extend(a),
        Fptrunc => convert::narrow(a),
        Sdiv | Udiv | Srem | Urem | Const | Lea | Load | Store | Memcpy | Memmove | Memset | Alloca | StackSave
        | StackRestore | AtomicLoad | AtomicStore | AtomicRmw | Cmpxchg | Fence | Assume | VaStart | VaEnd | VaCopy
        | VaArg | VaArgAgg | Call | Phi | Jmp | Br | Switch | Ret | RetAgg | Unreachable => no_result(op),
    }
}

/// Returns the word of a conversion's target type.
#[inline]
fn to(aux: u8) -> Word {
    Type::from_u8(aux).as_word()
}

#[cold]
fn no_result(op: Opcode) -> ! {
    panic!("`{}` is not a function of scalar operands", op.mnemonic())
}

#[cfg(test)]
mod tests;
