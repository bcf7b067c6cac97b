//! The argument register or stack word of each argument, and the locations of results.

use super::classify::{AggClass, Eightbytes, Piece, RegClass, class_of, classify};
use crate::ir::{AbiParam, Agg, CallArg, CallResult, Decls, Ext, Function, Inst, Signature, Type};
use smallvec::SmallVec;

/// Number of integer registers that take arguments.
pub const INT_ARGUMENTS: u8 = 6;
/// Number of SSE registers that take arguments.
pub const FLOAT_ARGUMENTS: u8 = 8;

/// A register, by its part in the convention.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub enum Register {
    /// The register of the environment: rax.
    #[default]
    Environment,
    /// An integer argument register: one of rdi, rsi, rdx, rcx, r8, r9.
    Argument(u8),
    /// An integer result register: one of rax, rdx.
    Result(u8),
    /// An SSE register, of arguments or of results: xmm0 to xmm7.
    Float(u8),
}

/// The location of an argument at the call.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ArgLocation {
    /// A scalar in a register.
    Reg(Register),
    /// A scalar on the stack, at this offset from the first stack argument. It takes 8 bytes.
    Stack(u64),
    /// An aggregate in registers, or an i128.
    AggRegs(Eightbytes<(Piece, Register)>),
    /// An aggregate or an i128 on the stack, at this offset.
    AggStack(u64),
    /// An aggregate of size 0: nowhere.
    Nowhere,
}

/// Hands out locations to arguments in order.
#[derive(Clone, Default, Debug)]
pub struct ArgAssigner {
    ints: u8,
    floats: u8,
    stack: u64,
    stack_align: u64,
}

impl ArgAssigner {
    /// Returns an assigner for a function with this result: one in memory takes the first integer register.
    #[inline]
    pub fn for_result(decls: &Decls, result: Option<AbiParam>) -> ArgAssigner {
        let hidden = result_in_memory(decls, result);
        ArgAssigner { ints: hidden as u8, ..ArgAssigner::default() }
    }
    /// Returns the location of the next argument.
    #[inline]
    pub fn assign(&mut self, decls: &Decls, p: AbiParam) -> ArgLocation {
        match p {
            AbiParam::Scalar(_, Ext::Env) => ArgLocation::Reg(Register::Environment),
            AbiParam::Scalar(Type::I128, _) => self.wide(),
            AbiParam::Scalar(t, _) => match self.next_reg(class_of(t)) {
                Some(r) => ArgLocation::Reg(r),
                None => ArgLocation::Stack(self.take_stack(8, 8)),
            },
            AbiParam::Agg(a) => self.aggregate(decls, a),
        }
    }
    fn aggregate(&mut self, decls: &Decls, a: Agg) -> ArgLocation {
        let ty = &decls.types[a];
        match classify(decls, a) {
            AggClass::Empty => ArgLocation::Nowhere,
            AggClass::Memory => ArgLocation::AggStack(self.take_stack(ty.size, ty.align)),
            AggClass::Regs(pieces) => self.pieces(&pieces, (ty.size, ty.align)),
        }
    }
    #[cold]
    fn wide(&mut self) -> ArgLocation {
        self.pieces(&halves(), (16, 16))
    }
    /// Returns registers for all pieces of a value; or memory of this size and alignment for the whole of it. Registers
    /// that are left then are for the arguments after it.
    fn pieces(&mut self, pieces: &[Piece], (size, align): (u64, u64)) -> ArgLocation {
        let before = self.clone();
        let regs: Option<Eightbytes<_>> = pieces.iter().map(|p| self.next_reg(p.class).map(|r| (*p, r))).collect();
        regs.map_or_else(
            || {
                *self = before;
                ArgLocation::AggStack(self.take_stack(size, align))
            },
            ArgLocation::AggRegs,
        )
    }
    #[inline]
    fn next_reg(&mut self, class: RegClass) -> Option<Register> {
        let (n, end) = match class {
            RegClass::Int => (&mut self.ints, INT_ARGUMENTS),
            RegClass::Float => (&mut self.floats, FLOAT_ARGUMENTS),
        };
        let k = *n;
        *n += u8::from(k < end);
        let register = match class {
            RegClass::Int => Register::Argument(k),
            RegClass::Float => Register::Float(k),
        };
        (k < end).then_some(register)
    }
    #[inline]
    fn take_stack(&mut self, size: u64, align: u64) -> u64 {
        // `MAX_OBJECT_SIZE` bounds sizes and alignments, and a text has less than 2^32 arguments: 64 bits hold the sum.
        let at = self.stack.next_multiple_of(align.max(8));
        self.stack_align = self.stack_align.max(align);
        self.stack = (at + size).next_multiple_of(8);
        at
    }
    /// Integer registers handed out.
    #[inline]
    pub fn ints(&self) -> u8 {
        self.ints
    }
    /// SSE registers handed out.
    #[inline]
    pub fn floats(&self) -> u8 {
        self.floats
    }
    /// Bytes of stack handed out.
    #[inline]
    pub fn stack_bytes(&self) -> u64 {
        self.stack
    }
    /// Returns the alignment of the stack arguments. 0 if there are none.
    #[inline]
    pub fn stack_align(&self) -> u64 {
        self.stack_align
    }
}

/// Returns the two halves of an i128, which is passed and returned as an aggregate of two i64, aligned to 16, would be.
pub fn halves() -> Eightbytes<Piece> {
    let half = |offset| Piece { offset, bytes: 8, class: RegClass::Int };
    [half(0), half(8)].into_iter().collect()
}

/// True if a result is written through a hidden pointer. That is then the first integer argument and returned in rax.
#[inline]
pub fn result_in_memory(decls: &Decls, result: Option<AbiParam>) -> bool {
    matches!(result, Some(AbiParam::Agg(a)) if classify(decls, a) == AggClass::Memory)
}

/// Returns the registers that the pieces of a result come back in.
#[inline]
pub fn result_regs(pieces: &[Piece]) -> Eightbytes<(Piece, Register)> {
    let (mut ints, mut floats) = (0u8, 0u8);
    let next = |p: &Piece| {
        let register = match p.class {
            RegClass::Int => Register::Result(ints),
            RegClass::Float => Register::Float(floats),
        };
        match p.class {
            RegClass::Int => ints += 1,
            RegClass::Float => floats += 1,
        }
        (*p, register)
    };
    pieces.iter().map(next).collect()
}

/// Returns the registers that an aggregate result comes back in; none for one in memory.
pub fn result_registers(decls: &Decls, agg: Agg) -> Option<Eightbytes<(Piece, Register)>> {
    match classify(decls, agg) {
        AggClass::Memory => None,
        AggClass::Empty => Some(Eightbytes::default()),
        AggClass::Regs(pieces) => Some(result_regs(&pieces)),
    }
}

/// Returns the register or stack word for a scalar argument: extended to 32 bits as the signature states.
pub fn extend_argument(ty: Type, ext: Ext, bits: u64) -> u64 {
    match ext {
        Ext::Sext if ty.is_int() && ty.bits() < 32 => ty.as_word().sign_extend(bits) as u32 as u64,
        Ext::None | Ext::Sext | Ext::Zext | Ext::Env => bits,
    }
}

/// Locations of all fixed parameters of a signature, and the state after them.
pub fn assign_params(decls: &Decls, sig: &Signature) -> (Vec<ArgLocation>, ArgAssigner) {
    let mut assigner = ArgAssigner::for_result(decls, sig.result);
    let locations = sig.params.iter().map(|p| assigner.assign(decls, *p)).collect();
    (locations, assigner)
}

/// Locations of all arguments of a call, and the state after them.
pub fn assign_call(decls: &Decls, f: &Function, call: Inst) -> (SmallVec<[ArgLocation; 6]>, ArgAssigner) {
    let result = match f.call_result(call) {
        CallResult::None => None,
        CallResult::Scalar(t, e) => Some(AbiParam::Scalar(t, e)),
        CallResult::Agg(a, _) => Some(AbiParam::Agg(a)),
    };
    let mut assigner = ArgAssigner::for_result(decls, result);
    let param = |a| match a {
        CallArg::Reg(r, e) => AbiParam::Scalar(f.type_of(r), e),
        CallArg::Agg(a, _) => AbiParam::Agg(a),
    };
    let locations = f.call_args(call).map(|a| assigner.assign(decls, param(a))).collect();
    (locations, assigner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{AggBody, MemberType, Module};

    #[test]
    fn locations_of_arguments_and_results() {
        let mut m = Module::default();
        let mut scalars = |name: &str, align, types: &[Type]| {
            let members = types.iter().map(|t| (MemberType::Scalar(*t), 1)).collect();
            m.add_type(name, align, AggBody::Struct { packed: false, members }).unwrap()
        };
        let mixed = scalars("mixed", None, &[Type::F64, Type::I32]);
        let two = scalars("two", None, &[Type::I64, Type::I64]);
        let wide = scalars("wide", Some(32), &[Type::I64]);
        let empty = scalars("empty", None, &[]);
        let registers = |all: &[(Piece, Register)]| all.iter().map(|(p, r)| (p.offset, *r)).collect::<Vec<_>>();
        let result = |agg| result_registers(&m.decls, agg).map(|all| registers(&all));
        assert_eq!(result(mixed), Some(vec![(0, Register::Float(0)), (8, Register::Result(0))]));
        assert_eq!(result(two), Some(vec![(0, Register::Result(0)), (8, Register::Result(1))]));
        assert_eq!(result(wide), None);
        assert_eq!(result(empty), Some(vec![]));
        let mut a = ArgAssigner::for_result(&m.decls, Some(AbiParam::Agg(wide)));
        let scalar = |a: &mut ArgAssigner, t, ext| a.assign(&m.decls, AbiParam::Scalar(t, ext));
        let aggregate = |a: &mut ArgAssigner, agg| a.assign(&m.decls, AbiParam::Agg(agg));
        assert_eq!(scalar(&mut a, Type::I64, Ext::Env), ArgLocation::Reg(Register::Environment));
        let ArgLocation::AggRegs(all) = aggregate(&mut a, mixed) else { panic!("registers are left") };
        assert_eq!(registers(&all), [(0, Register::Float(0)), (8, Register::Argument(1))]);
        for k in 2..5 {
            assert_eq!(scalar(&mut a, Type::I64, Ext::None), ArgLocation::Reg(Register::Argument(k)));
        }
        // One register is left: the whole aggregate is passed on the stack, and the register stays free.
        assert_eq!(aggregate(&mut a, two), ArgLocation::AggStack(0));
        assert_eq!(scalar(&mut a, Type::I8, Ext::Sext), ArgLocation::Reg(Register::Argument(5)));
        assert_eq!(scalar(&mut a, Type::I8, Ext::None), ArgLocation::Stack(16));
        assert_eq!(aggregate(&mut a, wide), ArgLocation::AggStack(32));
        assert_eq!(aggregate(&mut a, empty), ArgLocation::Nowhere);
        assert_eq!((a.ints(), a.floats(), a.stack_bytes(), a.stack_align()), (6, 1, 64, 32));
    }

    #[test]
    fn pieces_of_vectors() {
        let mut m = Module::default();
        let vector = m.add_type("vector", None, AggBody::Vector).unwrap();
        let inside = |m: &mut Module, other: &[Type]| {
            let others = other.iter().map(|t| (MemberType::Scalar(*t), 1));
            let members = others.chain([(MemberType::Agg(vector), 1)]).collect();
            m.add_type(&format!("with {other:?}"), None, AggBody::Union(members)).unwrap()
        };
        let [alone, double, int] = [&[][..], &[Type::F64], &[Type::I8]].map(|other| inside(&mut m, other));
        let of_both = m.add_type("ints", None, AggBody::Union(vec![(MemberType::Scalar(Type::I64), 2)])).unwrap();
        let halves = vec![(MemberType::Agg(vector), 1), (MemberType::Agg(of_both), 1)];
        let ints = m.add_type("vector or ints", None, AggBody::Union(halves)).unwrap();
        let members = vec![(MemberType::Scalar(Type::I8), 1), (MemberType::Agg(vector), 1)];
        let large = m.add_type("large", None, AggBody::Struct { packed: false, members }).unwrap();
        let pieces = |agg| {
            let all = result_registers(&m.decls, agg)?;
            Some(all.iter().map(|(p, r)| (p.offset, p.bytes, *r)).collect::<Vec<_>>())
        };
        for agg in [vector, alone, double] {
            assert_eq!(pieces(agg), Some(vec![(0, 16, Register::Float(0))]));
        }
        // The second half of a vector whose first half is not in an SSE register is in one of its own.
        assert_eq!(pieces(int), Some(vec![(0, 8, Register::Result(0)), (8, 8, Register::Float(0))]));
        assert_eq!(pieces(ints), Some(vec![(0, 8, Register::Result(0)), (8, 8, Register::Result(1))]));
        assert_eq!(pieces(large), None);
        let mut a = ArgAssigner::for_result(&m.decls, None);
        for _ in 0..8 {
            assert!(matches!(a.assign(&m.decls, AbiParam::Agg(vector)), ArgLocation::AggRegs(_)));
        }
        assert_eq!(a.assign(&m.decls, AbiParam::Scalar(Type::F32, Ext::None)), ArgLocation::Stack(0));
        assert_eq!(a.assign(&m.decls, AbiParam::Agg(vector)), ArgLocation::AggStack(16));
    }
}
