//! The results of every pure operation, and the traps of divisions.
//!
//! The constant folder, the interpreter and the tests use these functions, so they agree by construction; native code
//! is compared with them. A value is its bits, zero-extended from the width of its type to 64 (the canonical form of
//! [`Type::truncate`]); arguments must be canonical and results are.
//!
//! Integers wrap around ([`integer`]); floats are IEEE 754 with one rounding to nearest-even for each operation
//! ([`float`]); conversions out of range give fixed values ([`convert`]); predicates are in [`compare`]. The NaN that
//! an arithmetic operation gives is unspecified in the language; here it is the one that x86 gives, whatever the host,
//! so that folding at different levels gives the same bits.

pub mod compare;
mod convert;
pub mod float;
mod integer;

use crate::{Format, Opcode, Predicate, Type};

/// The reason execution stopped: the visible effect of an operation that has no result.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash)]
pub enum Trap {
    /// A division by zero.
    DivByZero,
    /// `sdiv` of the least number by -1.
    IntOverflow,
    /// `unreachable` was reached, or a `noreturn` function returned.
    Unreachable,
    /// An access to memory that is not there or may not be accessed so.
    MemoryFault,
    /// Calls, stack objects and allocas took more than the stack has.
    StackOverflow,
    /// An exception of C++ or a panic of Rust left a function that the program called, and was caught nowhere inside.
    Exception,
}

impl Trap {
    /// All traps, in declaration order.
    pub const ALL: [Trap; 6] = [
        Trap::DivByZero,
        Trap::IntOverflow,
        Trap::Unreachable,
        Trap::MemoryFault,
        Trap::StackOverflow,
        Trap::Exception,
    ];

    /// The name in directives and messages: `div_by_zero` and so on.
    #[inline]
    pub const fn name(self) -> &'static str {
        match self {
            Trap::DivByZero => "div_by_zero",
            Trap::IntOverflow => "int_overflow",
            Trap::Unreachable => "unreachable",
            Trap::MemoryFault => "memory_fault",
            Trap::StackOverflow => "stack_overflow",
            Trap::Exception => "exception",
        }
    }
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
    match op {
        Opcode::Copy => a,
        Opcode::Add => integer::add(ty, a, b),
        Opcode::Sub => integer::sub(ty, a, b),
        Opcode::Mul => integer::mul(ty, a, b),
        Opcode::And => a & b,
        Opcode::Or => a | b,
        Opcode::Xor => a ^ b,
        Opcode::Shl => integer::shl(ty, a, b),
        Opcode::Lshr => integer::lshr(ty, a, b),
        Opcode::Ashr => integer::ashr(ty, a, b),
        Opcode::Rotl => integer::rotl(ty, a, b),
        Opcode::Rotr => integer::rotr(ty, a, b),
        Opcode::Smulh => integer::smulh(ty, a, b),
        Opcode::Umulh => integer::umulh(ty, a, b),
        Opcode::Smin => integer::smin(ty, a, b),
        Opcode::Smax => integer::smax(ty, a, b),
        Opcode::Umin => a.min(b),
        Opcode::Umax => a.max(b),
        Opcode::SaddO => integer::sadd_o(ty, a, b),
        Opcode::UaddO => integer::uadd_o(ty, a, b),
        Opcode::SsubO => integer::ssub_o(ty, a, b),
        Opcode::UsubO => (a < b) as u64,
        Opcode::SmulO => integer::smul_o(ty, a, b),
        Opcode::UmulO => integer::umul_o(ty, a, b),
        Opcode::Neg => integer::sub(ty, 0, a),
        Opcode::Not => ty.truncate(!a),
        Opcode::Clz => integer::clz(ty, a),
        Opcode::Ctz => integer::ctz(ty, a),
        Opcode::Popcnt => a.count_ones() as u64,
        Opcode::Bswap => integer::bswap(ty, a),
        Opcode::Fadd => float::add(ty, a, b),
        Opcode::Fsub => float::sub(ty, a, b),
        Opcode::Fmul => float::mul(ty, a, b),
        Opcode::Fdiv => float::div(ty, a, b),
        Opcode::Fmin => float::min(ty, a, b),
        Opcode::Fmax => float::max(ty, a, b),
        Opcode::Fcopysign => float::copysign(ty, a, b),
        Opcode::Fneg => a ^ float::sign_bit(ty),
        Opcode::Fabs => a & !float::sign_bit(ty),
        Opcode::Fsqrt => float::sqrt(ty, a),
        Opcode::Fceil => float::ceil(ty, a),
        Opcode::Ffloor => float::floor(ty, a),
        Opcode::Ftrunc => float::trunc(ty, a),
        Opcode::Fnearest => float::nearest(ty, a),
        Opcode::Fma => float::fma(ty, a, b, c),
        Opcode::Icmp | Opcode::Fcmp => compare::holds(Predicate::from_u8(aux), ty, a, b) as u64,
        Opcode::Select => [c, b][(a != 0) as usize],
        Opcode::Sext => Type::from_u8(aux).truncate(ty.sign_extend(a) as u64),
        Opcode::Zext | Opcode::Bitcast => a,
        Opcode::Trunc => Type::from_u8(aux).truncate(a),
        Opcode::Sitofp => convert::from_signed(Type::from_u8(aux), ty.sign_extend(a)),
        Opcode::Uitofp => convert::from_unsigned(Type::from_u8(aux), a),
        Opcode::Fptosi => convert::to_signed(ty, Type::from_u8(aux), a),
        Opcode::Fptoui => convert::to_unsigned(ty, Type::from_u8(aux), a),
        Opcode::FptosiSat => convert::to_signed_sat(ty, Type::from_u8(aux), a),
        Opcode::FptouiSat => convert::to_unsigned_sat(ty, Type::from_u8(aux), a),
        Opcode::Fpext => convert::extend(a),
        Opcode::Fptrunc => convert::narrow(a),
        Opcode::Sdiv | Opcode::Udiv | Opcode::Srem | Opcode::Urem => no_result(op),
        Opcode::Const
        | Opcode::Lea
        | Opcode::Load
        | Opcode::Store
        | Opcode::Memcpy
        | Opcode::Memmove
        | Opcode::Memset => no_result(op),
        Opcode::Alloca | Opcode::StackSave | Opcode::StackRestore => no_result(op),
        Opcode::VaStart | Opcode::VaEnd | Opcode::VaCopy | Opcode::VaArg | Opcode::VaArgAgg => no_result(op),
        Opcode::Call | Opcode::Phi | Opcode::Jmp | Opcode::Br | Opcode::Switch => no_result(op),
        Opcode::Ret | Opcode::RetAgg | Opcode::Unreachable => no_result(op),
    }
}

#[cold]
fn no_result(op: Opcode) -> ! {
    panic!("`{}` is not a function of scalar operands", op.mnemonic())
}

#[cfg(test)]
mod tests;
