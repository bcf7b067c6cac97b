//! Calls of the assembler's methods with the operands of a case, and the comparison with what the encoder writes.

pub use lir_llc::asm::*;
use lir_llc::isa::x64::Cpu;
use lir_llc::isa::x64::encode::{Addr, Base, NO_INDEX, Operands};
pub use lir_llc::isa::x64::{Cond, op};
pub use lir_llc::mir::{Form, MOp, Size};
use std::collections::HashMap;
use std::sync::LazyLock;

/// Appends the instruction of a case.
pub type Call = fn(&mut Assembler, &Given);

/// The operands of a case.
pub struct Given {
    regs: [u8; 3],
    imm: i32,
    mem: Mem,
}

/// The registers of a type, and memory of its size.
pub trait Typed: Copy + 'static {
    fn number(n: u8) -> Self;
}

macro_rules! typed {
    ($($type:ident)*) => { $(impl Typed for $type {
        fn number(n: u8) -> Self {
            $type::ALL[n as usize]
        }
    })* };
}

typed! { Reg8 Reg16 Reg32 Reg64 Xmm }

/// An operand, made of a case.
pub trait Operand {
    fn of(given: &Given, field: usize) -> Self;
}

impl<R: Typed> Operand for R {
    fn of(given: &Given, field: usize) -> R {
        R::number(given.regs[field])
    }
}

macro_rules! memory {
    ($($type:ident $method:ident)*) => { $(impl Operand for MemOf<$type> {
        fn of(given: &Given, _: usize) -> Self {
            given.mem.$method()
        }
    })* };
}

memory! { Reg8 byte Reg16 word Reg32 dword Reg64 qword }

impl Operand for Mem {
    fn of(given: &Given, _: usize) -> Mem {
        given.mem
    }
}

impl Operand for i32 {
    fn of(given: &Given, _: usize) -> i32 {
        given.imm
    }
}

/// The field of each kind of operand.
#[allow(non_upper_case_globals, reason = "the names are those of the fields")]
pub mod field {
    pub const d: usize = 0;
    pub const a: usize = 1;
    pub const b: usize = 2;
    pub const m: usize = 0;
    pub const i: usize = 0;
}

macro_rules! calls {
    ($($op:ident $form:ident [$($size:ident)*] $cond:ident $method:ident $operands:tt;)*) => {
        /// The call for each shape.
        pub fn all() -> Vec<((MOp, Form, Size, Cond), Call)> {
            let mut all: Vec<((MOp, Form, Size, Cond), Call)> = Vec::new();
            $($(calls!(@one all $size $op $form $cond $method $operands);)*)*
            all
        }
    };
    (@one $all:ident $size:ident $op:ident $form:ident $cond:ident $method:ident($($field:ident: $type:ty),*)) => {{
        #[allow(dead_code, reason = "where all types are given")]
        type R = <At<{ Size::$size as u8 }> as General>::Register;
        $all.push(((op::$op, Form::$form, Size::$size, Cond::$cond), |_a, _given| {
            _a.$method($(calls!(@operand _given $field $type)),*);
        }));
    }};
    (@operand $given:ident cl $type:ty) => { CL };
    (@operand $given:ident $field:ident $type:ty) => { <$type as Operand>::of($given, field::$field) };
}
pub(super) use calls;

/// The general registers of a size.
pub trait General {
    type Register;
}

/// A size as a type.
pub struct At<const SIZE: u8>;

macro_rules! general {
    ($($size:ident $type:ident)*) => { $(impl General for At<{ Size::$size as u8 }> {
        type Register = $type;
    })* };
}

general! { S8 Reg8 S16 Reg16 S32 Reg32 S64 Reg64 S128 Xmm }

static CALLS: LazyLock<HashMap<(MOp, Form, u8, u8), Call>> = LazyLock::new(|| {
    super::methods::all()
        .into_iter()
        .map(|((op, form, size, cond), call)| ((op, form, size as u8, cond as u8), call))
        .collect()
});

/// The method of a shape.
pub fn call_of(op: MOp, form: Form, size: Size, cond: Cond) -> Call {
    let found = CALLS.get(&(op, form, size as u8, cond as u8));
    *found.unwrap_or_else(|| panic!("{op:?} {form:?} {size:?} {cond:?} has no method"))
}

/// Returns an assembler with AVX or without.
pub fn assembler(avx: bool) -> Assembler {
    Assembler::for_cpu(if avx { Cpu::V3 } else { Cpu::V1 })
}

/// Appends a case by its method. None where its address is one that the method does not take: one to be relocated,
/// which is not relative to rip.
pub fn append(a: &mut Assembler, call: Call, o: &Operands, has_mem: bool) -> Option<()> {
    if !has_mem {
        call(a, &Given { regs: o.regs, imm: o.imm, mem: mem(0) });
        return Some(());
    }
    let Addr { base, index, scale, disp, wide } = o.mem;
    let end = a.label();
    let start = match base {
        _ if wide && base != Base::Rip => return None,
        Base::None => mem(0),
        Base::Reg(r) => mem(Reg64::ALL[r as usize]),
        Base::Rip => mem(end),
    };
    let m = if index == NO_INDEX { start } else { start.index(Reg64::ALL[index as usize], 1 << scale) };
    call(a, &Given { regs: o.regs, imm: o.imm, mem: m.disp(disp) });
    // Then the displacement is the one that is given.
    a.bind(end);
    Some(())
}
