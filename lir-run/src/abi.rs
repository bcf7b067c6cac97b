//! Which argument register or stack word holds which argument, for calls that are made at run time.
//!
//! The rules are those of `lir_llc::target::x64::abi`, which compiled code follows; here their answers take the form that the
//! register arrays of [`crate::host::native_call`] have.

use lir_llc::target::x64::abi::{AggClass, ArgAssigner, ArgPlace, Piece, classify, result_regs};
use lir_llc::target::x64::registers::{INT_ARGS, PReg, RAX, RegClass};
use lir_syntax::ir::{AbiParam, Agg, Decls, Ext, Type};

/// Where a scalar or an eightbyte is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// In this general-purpose register: of arguments rdi, rsi, rdx, rcx, r8, r9; of results rax, rdx.
    Gpr(u8),
    /// In this vector register.
    Xmm(u8),
    /// An environment: in rax.
    Rax,
    /// On the stack, this many bytes above the first stack argument.
    Stack(u64),
}

/// Where an aggregate argument is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum AggPlace {
    /// Its eightbytes are in these registers; those without one have no scalar. None at all for a type of size 0.
    Regs([Option<Place>; 2]),
    /// All of it is on the stack, this many bytes above the first stack argument.
    Stack(u64),
}

/// Gives places to arguments, in order.
#[derive(Clone, Debug)]
pub struct Assigner<'d> {
    decls: &'d Decls,
    rules: ArgAssigner,
    stack_align: u64,
}

impl<'d> Assigner<'d> {
    /// No argument yet, of a function with this result.
    pub fn new(decls: &'d Decls, result: Option<AbiParam>) -> Assigner<'d> {
        Assigner { decls, rules: ArgAssigner::for_result(decls, result), stack_align: 16 }
    }
    /// The place of a scalar.
    pub fn scalar(&mut self, ty: Type, ext: Ext) -> Place {
        match self.rules.assign(self.decls, AbiParam::Scalar(ty, ext)) {
            ArgPlace::Reg(r) => argument_place(r),
            ArgPlace::Stack(offset) => Place::Stack(offset as u64),
            ArgPlace::AggRegs(_) | ArgPlace::AggStack(_) | ArgPlace::Nowhere => panic!("a scalar has one place"),
        }
    }
    /// The place of an aggregate.
    pub fn aggregate(&mut self, agg: Agg) -> AggPlace {
        match self.rules.assign(self.decls, AbiParam::Agg(agg)) {
            ArgPlace::AggRegs(pieces) => AggPlace::Regs(by_eightbyte(&pieces, argument_place)),
            ArgPlace::Nowhere => AggPlace::Regs([None; 2]),
            ArgPlace::AggStack(offset) => {
                self.stack_align = self.stack_align.max(self.decls.types[agg].align);
                AggPlace::Stack(offset as u64)
            }
            ArgPlace::Reg(_) | ArgPlace::Stack(_) => panic!("an aggregate has the place of one"),
        }
    }
    /// General-purpose registers given away, that of a result in memory among them.
    pub fn gprs(&self) -> u8 {
        self.rules.ints()
    }
    /// Vector registers given away.
    pub fn xmms(&self) -> u8 {
        self.rules.floats()
    }
    /// Bytes of stack given away.
    pub fn stack(&self) -> u64 {
        self.rules.stack_bytes() as u64
    }
    /// The alignment in bytes that the first stack argument needs, at least 16.
    pub fn stack_align(&self) -> u64 {
        self.stack_align
    }
}

/// The registers that the eightbytes of a result come back in; none for a result in memory.
pub fn result_places(decls: &Decls, agg: Agg) -> Option<[Option<Place>; 2]> {
    let place = |r: PReg| match r.class() {
        // rax is 0 and rdx is 2.
        RegClass::Int => Place::Gpr(r.hw() / 2),
        RegClass::Float => Place::Xmm(r.hw()),
    };
    match classify(decls, agg) {
        AggClass::Memory => None,
        AggClass::Empty => Some([None; 2]),
        AggClass::Regs(pieces) => Some(by_eightbyte(&result_regs(&pieces), place)),
    }
}

fn argument_place(r: PReg) -> Place {
    match r.class() {
        RegClass::Int if r == RAX => Place::Rax,
        RegClass::Int => Place::Gpr(INT_ARGS.iter().position(|a| *a == r).expect("an argument register") as u8),
        RegClass::Float => Place::Xmm(r.hw()),
    }
}

fn by_eightbyte(pieces: &[(Piece, PReg)], place: impl Fn(PReg) -> Place) -> [Option<Place>; 2] {
    let mut places = [None; 2];
    for (piece, r) in pieces {
        places[piece.offset as usize / 8] = Some(place(*r));
    }
    places
}

/// The register or stack word for a scalar argument: extended to 32 bits as the signature says.
pub fn extend_argument(ty: Type, ext: Ext, bits: u64) -> u64 {
    match ext {
        Ext::Sext if ty.is_int() && ty.bits() < 32 => ty.sign_extend(bits) as u32 as u64,
        Ext::None | Ext::Sext | Ext::Zext | Ext::Env => bits,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lir_syntax::ir::{AggBody, MemberType, Module};

    #[test]
    fn places_of_arguments_and_results() {
        let mut m = Module::default();
        let mut scalars = |name: &str, align, types: &[Type]| {
            let members = types.iter().map(|t| (MemberType::Scalar(*t), 1)).collect();
            m.add_type(name, align, AggBody::Struct { packed: false, members }).unwrap()
        };
        let mixed = scalars("mixed", None, &[Type::F64, Type::I32]);
        let two = scalars("two", None, &[Type::I64, Type::I64]);
        let wide = scalars("wide", Some(32), &[Type::I64]);
        let empty = scalars("empty", None, &[]);
        assert_eq!(result_places(&m.decls, mixed), Some([Some(Place::Xmm(0)), Some(Place::Gpr(0))]));
        assert_eq!(result_places(&m.decls, two), Some([Some(Place::Gpr(0)), Some(Place::Gpr(1))]));
        assert_eq!(result_places(&m.decls, wide), None);
        assert_eq!(result_places(&m.decls, empty), Some([None; 2]));
        let mut a = Assigner::new(&m.decls, Some(AbiParam::Agg(wide)));
        assert_eq!(a.scalar(Type::I64, Ext::Env), Place::Rax);
        assert_eq!(a.aggregate(mixed), AggPlace::Regs([Some(Place::Xmm(0)), Some(Place::Gpr(1))]));
        for k in 2..5 {
            assert_eq!(a.scalar(Type::I64, Ext::None), Place::Gpr(k));
        }
        // One register is left: the aggregate goes to the stack whole, and the register stays free.
        assert_eq!(a.aggregate(two), AggPlace::Stack(0));
        assert_eq!(a.scalar(Type::I8, Ext::Sext), Place::Gpr(5));
        assert_eq!(a.scalar(Type::I8, Ext::None), Place::Stack(16));
        assert_eq!(a.aggregate(wide), AggPlace::Stack(32));
        assert_eq!(a.aggregate(empty), AggPlace::Regs([None; 2]));
        assert_eq!((a.gprs(), a.xmms(), a.stack(), a.stack_align()), (6, 1, 64, 32));
    }
}
