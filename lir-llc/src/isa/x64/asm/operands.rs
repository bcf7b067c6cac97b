//! Operands of the assembler: registers, memory, labels, symbols.
//!
//! A register is of one of five types, by its size and its file, so that the compiler sees which operands go together.

use crate::isa::x64::encode::{Addr, Base, NO_INDEX, Operands};
use crate::mir::Size;

macro_rules! registers {
    ($($doc:literal $type:ident $size:ident: $($name:ident $number:literal)*;)*) => { $(
        #[doc = $doc]
        #[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
        pub struct $type(u8);

        impl $type {
            /// All of this size, in the order of their numbers.
            pub const ALL: [$type; 16] = [$($type($number)),*];
            /// Returns the number that encodings use: 0 to 15.
            pub const fn number(self) -> u8 {
                self.0
            }
        }

        impl Register for $type {
            fn number(self) -> u8 {
                self.0
            }
        }

        $(
            #[doc = concat!("Register `", stringify!($name), "`.")]
            pub const $name: $type = $type($number);
        )*
    )* };
}

registers! {
    "A general register of 8 bits." Reg8 S8:
        AL 0 CL 1 DL 2 BL 3 SPL 4 BPL 5 SIL 6 DIL 7
        R8B 8 R9B 9 R10B 10 R11B 11 R12B 12 R13B 13 R14B 14 R15B 15;
    "A general register of 16 bits." Reg16 S16:
        AX 0 CX 1 DX 2 BX 3 SP 4 BP 5 SI 6 DI 7
        R8W 8 R9W 9 R10W 10 R11W 11 R12W 12 R13W 13 R14W 14 R15W 15;
    "A general register of 32 bits." Reg32 S32:
        EAX 0 ECX 1 EDX 2 EBX 3 ESP 4 EBP 5 ESI 6 EDI 7
        R8D 8 R9D 9 R10D 10 R11D 11 R12D 12 R13D 13 R14D 14 R15D 15;
    "A general register of 64 bits." Reg64 S64:
        RAX 0 RCX 1 RDX 2 RBX 3 RSP 4 RBP 5 RSI 6 RDI 7
        R8 8 R9 9 R10 10 R11 11 R12 12 R13 13 R14 14 R15 15;
    "An SSE register." Xmm S128:
        XMM0 0 XMM1 1 XMM2 2 XMM3 3 XMM4 4 XMM5 5 XMM6 6 XMM7 7
        XMM8 8 XMM9 9 XMM10 10 XMM11 11 XMM12 12 XMM13 13 XMM14 14 XMM15 15;
}

/// A register of some type.
pub trait Register: Copy {
    /// Returns the number that encodings use: 0 to 15.
    fn number(self) -> u8;
}

macro_rules! general {
    ($($(#[$doc:meta])* $trait:ident $super:ident: $($type:ident)*;)*) => { $(
        $(#[$doc])*
        pub trait $trait: $super {}
        $(impl $trait for $type {})*
    )* };
}

/// A general register, of 8 to 64 bits.
pub trait Gp: Register {
    /// Its size.
    const SIZE: Size;
}

macro_rules! sizes {
    ($($type:ident $size:ident)*) => { $(impl Gp for $type {
        const SIZE: Size = Size::$size;
    })* };
}

sizes! { Reg8 S8 Reg16 S16 Reg32 S32 Reg64 S64 }

general! {
    /// A general register of 16, 32 or 64 bits.
    Gp16 Gp: Reg16 Reg32 Reg64;
    /// A general register of 32 or 64 bits.
    Gp32 Gp: Reg32 Reg64;
}

/// A place in the code, or a constant after it. It is made by [`Assembler::label`](super::Assembler::label).
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Label {
    /// The assembler that it belongs to.
    pub(super) owner: u32,
    pub(super) number: u32,
}

/// Something outside, by its name. It is made by [`Assembler::symbol`](super::Assembler::symbol).
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Symbol {
    /// The assembler that it belongs to.
    pub(super) owner: u32,
    pub(super) number: u32,
}

/// A memory operand: `[base + index * scale + displacement]`. It is made by [`mem`].
///
/// A mistake in it is an error of the instruction that it is given to.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Mem {
    addr: Addr,
    label: Option<Label>,
    fault: Option<&'static str>,
}

/// A memory operand with the size of the register type `R`.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct MemOf<R> {
    mem: Mem,
    of: std::marker::PhantomData<R>,
}

/// Returns the memory at a register, at a label (relative to rip) or at an absolute address.
///
/// ```
/// # use lir_llc::asm::*;
/// let element = mem(RDI).index(RSI, 8).disp(16);
/// # _ = element;
/// ```
pub fn mem(at: impl Into<Mem>) -> Mem {
    at.into()
}

impl Mem {
    const fn at(addr: Addr) -> Mem {
        Mem { addr, label: None, fault: None }
    }
    /// Adds a register times a scale: 1, 2, 4 or 8.
    #[must_use]
    pub const fn index(mut self, index: Reg64, scale: u8) -> Mem {
        self.fault = match (self.addr.base, scale) {
            (_, 0 | 3 | 5..) if scale != 8 => Some("a scale is 1, 2, 4 or 8"),
            (Base::Rip, _) => Some("an address relative to rip has no index"),
            _ if index.number() == RSP.number() => Some("rsp is not an index"),
            _ if self.addr.index != NO_INDEX => Some("an address has one index"),
            _ => self.fault,
        };
        (self.addr.index, self.addr.scale) = (index.number(), scale.trailing_zeros() as u8 & 3);
        self
    }
    /// Adds a number of bytes.
    #[must_use]
    pub const fn disp(mut self, bytes: i32) -> Mem {
        match self.addr.disp.checked_add(bytes) {
            Some(sum) => self.addr.disp = sum,
            None => self.fault = Some("a displacement has 32 bits"),
        }
        self
    }
    /// One byte there.
    pub const fn byte(self) -> MemOf<Reg8> {
        MemOf { mem: self, of: std::marker::PhantomData }
    }
    /// Two bytes there.
    pub const fn word(self) -> MemOf<Reg16> {
        MemOf { mem: self, of: std::marker::PhantomData }
    }
    /// Four bytes there.
    pub const fn dword(self) -> MemOf<Reg32> {
        MemOf { mem: self, of: std::marker::PhantomData }
    }
    /// Eight bytes there.
    pub const fn qword(self) -> MemOf<Reg64> {
        MemOf { mem: self, of: std::marker::PhantomData }
    }
    /// Returns the operand without a size, in the forms that take it so.
    pub(super) const fn parts(self) -> (Addr, Option<Label>, Option<&'static str>) {
        (self.addr, self.label, self.fault)
    }
}

impl<R> From<MemOf<R>> for Mem {
    fn from(sized: MemOf<R>) -> Mem {
        sized.mem
    }
}

impl From<Reg64> for Mem {
    fn from(base: Reg64) -> Mem {
        Mem::at(Addr::base(base.number(), 0))
    }
}

impl From<Label> for Mem {
    fn from(label: Label) -> Mem {
        Mem { label: Some(label), ..Mem::at(Addr::rip()) }
    }
}

/// An absolute address, of 32 bits with its sign.
impl From<i32> for Mem {
    fn from(address: i32) -> Mem {
        Mem::at(Addr { base: Base::None, index: NO_INDEX, scale: 0, disp: address, wide: false })
    }
}

/// The operands of an instruction as they are collected.
#[derive(Copy, Clone, Debug)]
pub struct Parts {
    pub(super) operands: Operands,
    pub(super) label: Option<Label>,
    pub(super) fault: Option<&'static str>,
}

impl Parts {
    pub(super) const NONE: Parts =
        Parts { operands: Operands { regs: [0; 3], imm: 0, mem: Addr::base(0, 0) }, label: None, fault: None };

    #[inline]
    pub(super) fn d(&mut self, r: impl Register) {
        self.operands.regs[0] = r.number();
    }
    #[inline]
    pub(super) fn a(&mut self, r: impl Register) {
        self.operands.regs[1] = r.number();
    }
    #[inline]
    pub(super) fn b(&mut self, r: impl Register) {
        self.operands.regs[2] = r.number();
    }
    #[inline]
    pub(super) fn m(&mut self, m: Mem) {
        (self.operands.mem, self.label, self.fault) = m.parts();
    }
    #[inline]
    pub(super) fn sized<R>(&mut self, m: MemOf<R>) {
        self.m(m.mem);
    }
    #[inline]
    pub(super) fn i(&mut self, immediate: i32) {
        self.operands.imm = immediate;
    }
    /// The count of a shift, which is in cl.
    #[inline]
    pub(super) fn cl(&mut self, count: Reg8) {
        if count != CL {
            self.fault = Some("the count of a shift is a constant or in cl");
        }
    }
}
