//! What an instruction is: sixteen bytes.

use super::{Agg, EntityRef, Ext, FloatCC, Format, IntCC, Mem, Opcode, Operand, Reg, Type};

/// An instruction. Which fields mean what is said by the opcode's [`Format`]; use the accessors of
/// [`Function`](super::Function), which know it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct InstData {
    /// The operation.
    pub op: Opcode,
    /// The annotation T; `I64` where the format has none.
    pub ty: Type,
    /// Predicate, target type or log2 of an alignment, by format.
    pub aux: u8,
    /// See [`InstData::INDEXED`] and [`InstData::VOLATILE`].
    pub flags: u8,
    /// The destination register as an operand (none: no destination), or what the format keeps here.
    pub dst: Operand,
    /// First operand, or base of the memory operand, or pool index of the memory operand.
    pub a: Operand,
    /// Second operand, or displacement of the memory operand, or pool index.
    pub b: Operand,
}

impl InstData {
    /// Flag: the memory operand is in the pool, at index `a`; else it is `[a + b]` with `b` the raw displacement.
    pub const INDEXED: u8 = 1;
    /// Flag: a volatile load or store.
    pub const VOLATILE: u8 = 2;

    /// An instruction with these fields and everything else absent.
    #[inline]
    pub fn new(op: Opcode, ty: Type) -> InstData {
        InstData { op, ty, aux: 0, flags: 0, dst: Operand::NONE, a: Operand::NONE, b: Operand::NONE }
    }
    /// `dst = copy T value` of a register, `dst = const T value` of a constant.
    #[inline]
    pub fn move_to(dst: Operand, ty: Type, value: Operand) -> InstData {
        let op = if value.is_reg() { Opcode::Copy } else { Opcode::Const };
        InstData { dst, a: value, ..InstData::new(op, ty) }
    }
    /// `br ne T tested, 0`: to the first target where an integer is not 0.
    #[inline]
    pub fn branch_on(tested: Operand, ty: Type) -> InstData {
        let zero = Operand::small(0).expect("0 is small");
        InstData { a: tested, b: zero, aux: IntCC::Ne as u8, ..InstData::new(Opcode::Br, ty) }
    }
    /// The register that is assigned; none where the opcode has no result, or a call's is not wanted.
    #[inline]
    pub fn result(&self) -> Option<Reg> {
        if self.op.has_result() { self.dst.as_reg() } else { None }
    }
    /// The first operand: register, constant, callee, base of a memory operand that is in line, or none. In debug
    /// builds panics where the format keeps something else in the field, so that nothing is read as what it is not.
    #[inline]
    #[track_caller]
    pub fn first(&self) -> Operand {
        debug_assert!(
            self.op.format().has_first_operand() && self.flags & Self::INDEXED == 0,
            "{:?} has no first operand",
            self.op
        );
        self.a
    }
    /// The second operand: register, constant, or none. In debug builds panics where the format keeps something else in
    /// the field, such as a displacement, which is easily taken for a constant.
    #[inline]
    #[track_caller]
    pub fn second(&self) -> Operand {
        debug_assert!(self.op.format().has_second_operand(), "{:?} has no second operand", self.op);
        self.b
    }
    /// The value that a store writes. In debug builds panics for other formats.
    #[inline]
    #[track_caller]
    pub fn stored(&self) -> Operand {
        debug_assert!(self.op.format() == Format::Store, "{:?} stores no operand", self.op);
        self.dst
    }
    /// The size of a `memcpy` or `memset`. In debug builds panics for other formats.
    #[inline]
    #[track_caller]
    pub fn length(&self) -> Operand {
        debug_assert!(matches!(self.op.format(), Format::MemCopy | Format::MemFill), "{:?} has no length", self.op);
        self.dst
    }
    /// The integer predicate of an `icmp` or of a `br` on integers.
    #[inline]
    pub fn int_cc(&self) -> IntCC {
        debug_assert!(self.ty.is_int());
        IntCC::from_u8(self.aux)
    }
    /// The float predicate of an `fcmp` or of a `br` on floats.
    #[inline]
    pub fn float_cc(&self) -> FloatCC {
        debug_assert!(self.ty.is_float());
        FloatCC::from_u8(self.aux)
    }
    /// The target type of a conversion.
    #[inline]
    pub fn to_type(&self) -> Type {
        Type::from_u8(self.aux)
    }
    /// The aggregate type of an [`AggMemPair`](super::Format::AggMemPair) or [`AggReturn`](super::Format::AggReturn).
    #[inline]
    pub fn agg(&self) -> Agg {
        Agg::new(self.dst.to_bits() as usize)
    }
    /// Whether this is a volatile load or store.
    #[inline]
    pub fn is_volatile(&self) -> bool {
        self.flags & Self::VOLATILE != 0
    }
}

/// One argument of a call.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum CallArg {
    /// A register, and how the caller extends it to 32 bits where its type is narrower.
    Reg(Reg, Ext),
    /// An aggregate, whose bytes are read from this address.
    Agg(Agg, Mem),
}

/// What a call gives back.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum CallResult {
    /// Nothing.
    None,
    /// A scalar (whether or not the instruction has a destination) and how the callee extended it.
    Scalar(Type, Ext),
    /// An aggregate, whose bytes are written to this address.
    Agg(Agg, Mem),
}

/// A call as a whole, as the parser and passes hand it to
/// [`Function::make_call`](super::Function::make_call). Reading one back goes by
/// [`Function::call_result`](super::Function::call_result) and [`Function::call_args`](super::Function::call_args).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallInfo {
    /// What comes back.
    pub result: CallResult,
    /// The arguments in order.
    pub args: Vec<CallArg>,
    /// How many of them are fixed; the others stand after `...`.
    pub fixed: u32,
    /// Whether the callee is variadic (`...` may stand at the end with no argument after it).
    pub variadic: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_is_sixteen_bytes() {
        assert_eq!(size_of::<InstData>(), 16);
    }
}
