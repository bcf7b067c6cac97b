//! Calls of the assembler's methods with the operands of a case, and the comparison with the output of the encoder.

use lir_llc::asm::*;
use lir_llc::isa::x64::encode::{Addr, Base, NO_INDEX, Operands};
use lir_llc::isa::x64::op;
use lir_llc::mir::{Form, MOp, Size};

/// Appends the instruction of a case.
pub type Call = fn(&mut Assembler, &Given);

/// The operands of a case.
pub struct Given {
    /// The registers of a case, and the number of cl.
    regs: [u8; 4],
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

/// An operand, made from a case.
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

/// The register field of each operand; of memory and immediates it is not read.
#[allow(non_upper_case_globals, reason = "the names are those of the fields")]
mod field {
    pub const d: usize = 0;
    pub const a: usize = 1;
    pub const b: usize = 2;
    pub const cl: usize = 3;
    pub const m: usize = 0;
    pub const sized: usize = 0;
    pub const i: usize = 0;
}

/// An instruction without its operands, and the call that appends it.
pub type Method = (MOp, Form, Size, Cond, Call);

macro_rules! calls {
    // The rows: the calls of their groups.
    ($(#[doc = $doc:literal] $op:ident $destination:ident $source:ident $fixed:ident $props:tt $(($($composed:ident)+))?
        $($kind:ident $names:tt $($text:literal)? { $($body:tt)+ })*
    )*) => {
        /// The methods for each row in every form that has an encoding, at each size and condition.
        pub fn all() -> Vec<Method> {
            let mut all: Vec<Method> = Vec::new();
            $($(lir_llc::x64_forms! { calls [$names all $op $destination $source] $kind $names { $($body)+ } })*)*
            all
        }
    };
    // A form with one method at all its sizes, or with one for each condition.
    (@form [$names:tt $($row:ident)+] $kind:ident $same:tt $name:ident
        [$($class:ident:)? $(($size:ident $register:ident))+] $form:ident $fields:tt) => {
        calls! { @conditions $names $name [$($row)+] [$($size $register)+] [$form $same] $fields }
    };
    (@conditions [$family:ident $($method:ident $cond:ident)+] $name:ident $row:tt $sizes:tt $forms:tt $fields:tt) => {
        $(calls! { @sizes $method $cond $row $sizes $forms $fields })+
    };
    (@conditions $names:tt $name:ident $($form:tt)+) => { calls! { @sizes $name O $($form)+ } };
    (@sizes $method:ident $cond:ident $row:tt [$($size:ident $register:ident)+] $forms:tt $fields:tt) => {
        $(calls! { @call $method $cond $row $size $register $forms $fields })+
    };
    (@call $method:ident $cond:ident [$all:ident $op:ident $destination:ident $source:ident] $size:ident
        $register:ident [$form:ident [$($same:ident)*]] [$($field:ident)*]) => {{
        #[allow(dead_code, reason = "where no operand is of the operand size")]
        type R = $register;
        let call: Call = |_a, _given| {
            _a.$method($(<lir_llc::x64_forms!(@type $field $destination $source)>::of(_given, field::$field)),*);
        };
        $all.extend([Form::$form $(, Form::$same)*].map(|form| (op::$op, form, Size::$size, Cond::$cond, call)));
    }};
}

lir_llc::x64_instructions!(calls);

/// Returns an assembler with AVX or without.
pub fn assembler(avx: bool) -> Assembler {
    Assembler::for_cpu(if avx { Cpu::V3 } else { Cpu::V1 })
}

/// Appends a case by its method. None if its address is one that the method does not take: one to be relocated, which
/// is not relative to rip.
pub fn append(a: &mut Assembler, call: Call, o: &Operands, has_mem: bool) -> Option<()> {
    let [d_, a_, b_] = o.regs;
    let regs = [d_, a_, b_, CL.number()];
    if !has_mem {
        call(a, &Given { regs, imm: o.imm, mem: mem(0) });
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
    call(a, &Given { regs, imm: o.imm, mem: m.disp(disp) });
    // Then the displacement is the one that is given.
    a.bind(end);
    Some(())
}
