//! The results of every pure operation, and the traps of divisions.
//!
//! The constant folder, the interpreter and the tests use these functions, so they agree by construction; native code
//! is compared with them. A value is its bits, zero-extended from the width of its type to 64 (the canonical form of
//! [`Type::truncate`]); arguments must be canonical and results are.
//!
//! Integers wrap around ([`integer`]); floats are IEEE 754 with one rounding to nearest-even for each operation
//! ([`float`]); conversions out of range give fixed values ([`convert`]); predicates are in [`compare`]. The NaN that
//! an arithmetic operation gives is unspecified in the language; here it is the one that x86 gives, on every host, so
//! that folding at different levels gives the same bits.

pub mod compare;
mod convert;
pub mod float;
mod integer;

use crate::{Format, Opcode, Predicate, Type};

named! {
    /// The reason execution stopped: the visible effect of an operation that has no result.
    pub enum Trap {
        DivByZero "div_by_zero" "A division by zero."
        IntOverflow "int_overflow" "`sdiv` of the least number by -1."
        Unreachable "unreachable" "`unreachable` was reached, or a `noreturn` function returned."
        MemoryFault "memory_fault" "An access to memory that does not exist or does not permit the access."
        StackOverflow "stack_overflow" "Calls, stack objects and allocas took more than the stack has."
        Exception "exception"
            "An exception of C++ or a panic of Rust left a function that the program called, and was caught nowhere \
            inside."
    }
}

impl Trap {
    /// The trap of a name.
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

/// The result of an operation of format Unary, Binary, Ternary, Select, Compare or Convert.
///
/// `ty` and `aux` are the fields of the instruction (annotation; predicate or target type), `args` the operands in
/// order, absent ones anything. Of Select, the first is the condition, canonical in its own type.
///
/// # Errors
/// The trap, for the four divisions.
///
/// # Panics
/// For other opcodes ([`is_value_op`]) and for types that the opcode's type rule does not allow.
#[inline]
pub fn eval(op: Opcode, ty: Type, aux: u8, args: [u64; 3]) -> Result<u64, Trap> {
    let [a, b, _] = args;
    match op {
        Opcode::Sdiv => integer::sdiv(ty, a, b),
        Opcode::Udiv => integer::udiv(a, b),
        Opcode::Srem => integer::srem(ty, a, b),
        Opcode::Urem => integer::urem(a, b),
        _ => Ok(total(op, ty, aux, args)),
    }
}

/// The result of an operation that never traps.
#[inline]
fn total(op: Opcode, ty: Type, aux: u8, [a, b, c]: [u64; 3]) -> u64 {
    use Opcode::*;
    match op {
        Copy => a,
        Add => integer::add(ty, a, b),
        Sub => integer::sub(ty, a, b),
        Mul => integer::mul(ty, a, b),
        And => a & b,
        Or => a | b,
        Xor => a ^ b,
        Shl => integer::shl(ty, a, b),
        Lshr => integer::lshr(ty, a, b),
        Ashr => integer::ashr(ty, a, b),
        Rotl => integer::rotl(ty, a, b),
        Rotr => integer::rotr(ty, a, b),
        Smulh => integer::smulh(ty, a, b),
        Umulh => integer::umulh(ty, a, b),
        Smin => integer::smin(ty, a, b),
        Smax => integer::smax(ty, a, b),
        Umin => a.min(b),
        Umax => a.max(b),
        SaddO => integer::sadd_o(ty, a, b),
        UaddO => integer::uadd_o(ty, a, b),
        SsubO => integer::ssub_o(ty, a, b),
        UsubO => (a < b) as u64,
        SmulO => integer::smul_o(ty, a, b),
        UmulO => integer::umul_o(ty, a, b),
        Neg => integer::sub(ty, 0, a),
        Not => ty.truncate(!a),
        Clz => integer::clz(ty, a),
        Ctz => integer::ctz(ty, a),
        Popcnt => a.count_ones() as u64,
        Bswap => integer::bswap(ty, a),
        Fadd => float::add(ty, a, b),
        Fsub => float::sub(ty, a, b),
        Fmul => float::mul(ty, a, b),
        Fdiv => float::div(ty, a, b),
        Fmin => float::min(ty, a, b),
        Fmax => float::max(ty, a, b),
        Fcopysign => float::copysign(ty, a, b),
        Fneg => a ^ float::sign_bit(ty),
        Fabs => a & !float::sign_bit(ty),
        Fsqrt => float::sqrt(ty, a),
        Fceil => float::ceil(ty, a),
        Ffloor => float::floor(ty, a),
        Ftrunc => float::trunc(ty, a),
        Fnearest => float::nearest(ty, a),
        Fma => float::fma(ty, a, b, c),
        Icmp | Fcmp => compare::holds(Predicate::from_u8(aux), ty, a, b) as u64,
        Select => [c, b][(a != 0) as usize],
        Sext => Type::from_u8(aux).truncate(ty.sign_extend(a) as u64),
        Zext | Bitcast => a,
        Trunc => Type::from_u8(aux).truncate(a),
        Sitofp => convert::from_signed(Type::from_u8(aux), ty.sign_extend(a)),
        Uitofp => convert::from_unsigned(Type::from_u8(aux), a),
        Fptosi => convert::to_signed(ty, Type::from_u8(aux), a),
        Fptoui => convert::to_unsigned(ty, Type::from_u8(aux), a),
        FptosiSat => convert::to_signed_sat(ty, Type::from_u8(aux), a),
        FptouiSat => convert::to_unsigned_sat(ty, Type::from_u8(aux), a),
        Fpext => convert::extend(a),
        Fptrunc => convert::narrow(a),
        Sdiv | Udiv | Srem | Urem | Const | Lea | Load | Store | Memcpy | Memmove | Memset | Alloca | StackSave
        | StackRestore | VaStart | VaEnd | VaCopy | VaArg | VaArgAgg | Call | Phi | Jmp | Br | Switch | Ret
        | RetAgg | Unreachable => no_result(op),
    }
}

#[cold]
fn no_result(op: Opcode) -> ! {
    panic!("`{}` is not a function of scalar operands", op.mnemonic())
}

#[cfg(test)]
mod tests;
