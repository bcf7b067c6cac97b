//! Operands of machine instructions: registers, and bases of memory operands.

use super::registers::PReg;
use lir_syntax::ir::Sym;

/// A virtual register of a machine function: a dense index.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VReg(pub u32);

impl VReg {
    /// Returns the index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::fmt::Debug for VReg {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "%{}", self.0)
    }
}

/// A register field: a hardware register (0 to 31), a virtual one (from 32), or none (all ones).
///
/// Hardware registers are in fields only if they are never allocated: rsp, and rbp in a function with a frame pointer.
/// Everything else that must be in a certain register is a fixed operand.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct MReg(u32);

impl MReg {
    /// No register.
    pub const NONE: MReg = MReg(u32::MAX);

    /// Returns a virtual register.
    #[inline]
    pub const fn virt(v: VReg) -> MReg {
        MReg(v.0 + 32)
    }
    /// Returns a hardware register.
    #[inline]
    pub const fn phys(p: PReg) -> MReg {
        MReg(p.index() as u32)
    }
    /// Returns the virtual register, if it is one.
    #[inline]
    pub fn as_virt(self) -> Option<VReg> {
        (self.0 >= 32 && self.0 < MBase::TAG_FRAME).then(|| VReg(self.0 - 32))
    }
    /// Returns the hardware register, if it is one.
    #[inline]
    pub(crate) fn as_phys(self) -> Option<PReg> {
        (self.0 < 32).then(|| PReg::new(self.0 as u8))
    }
    /// True if there is no register.
    #[inline]
    pub fn is_none(self) -> bool {
        self.0 == u32::MAX
    }
    /// Returns the raw word.
    #[inline]
    pub const fn to_bits(self) -> u32 {
        self.0
    }
    /// Returns the field of a raw word.
    #[inline]
    pub const fn from_bits(bits: u32) -> MReg {
        MReg(bits)
    }
}

impl From<VReg> for MReg {
    fn from(v: VReg) -> MReg {
        MReg::virt(v)
    }
}

impl std::fmt::Debug for MReg {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.as_phys(), self.as_virt()) {
            (Some(p), _) => write!(f, "{p:?}"),
            (_, Some(v)) => write!(f, "{v:?}"),
            _ => f.write_str("-"),
        }
    }
}

/// The base of a memory operand, in field `b`: a register field, or a tagged index.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum MBase {
    /// A register, or none.
    Reg(MReg),
    /// A frame object: a stack object of the function.
    Frame(u32),
    /// A symbol, relative to rip. Without an index.
    Sym(Sym),
    /// The entry of the global offset table for a symbol.
    Got(Sym),
    /// The offset of a thread-local symbol from the thread pointer. It is a displacement on the register in field `x`.
    Tpoff(Sym),
    /// The entry of the global offset table for a thread-local symbol. It holds the symbol's offset from the thread
    /// pointer.
    GotTpoff(Sym),
    /// A constant of the function's pool, relative to rip.
    Const(u32),
    /// The stack arguments of this function: offset 0 is the first.
    Incoming,
    /// The stack arguments of a call: offset 0 is the first (rsp at the call).
    Outgoing,
    /// The register save area of a variadic function.
    RegSave,
    /// A jump table of the function, relative to rip.
    Table(u32),
}

impl MBase {
    const TAG_FRAME: u32 = 1 << 30;
    const TAG_SYM: u32 = 2 << 30;
    const TAG_REST: u32 = 3 << 30;
    const INDEX: u32 = (1 << 27) - 1;

    /// Returns the word for field `b`.
    #[inline]
    pub fn to_bits(self) -> u32 {
        match self {
            MBase::Reg(r) => r.to_bits(),
            MBase::Frame(n) => Self::TAG_FRAME | n,
            MBase::Sym(s) => Self::TAG_SYM | s.as_u32(),
            MBase::Const(n) => Self::TAG_REST | n,
            MBase::Got(s) => Self::TAG_REST | 1 << 27 | s.as_u32(),
            MBase::Tpoff(s) => Self::TAG_REST | 2 << 27 | s.as_u32(),
            MBase::Incoming => Self::TAG_REST | 3 << 27,
            MBase::Outgoing => Self::TAG_REST | 4 << 27,
            MBase::RegSave => Self::TAG_REST | 5 << 27,
            MBase::GotTpoff(s) => Self::TAG_REST | 6 << 27 | s.as_u32(),
            MBase::Table(n) => Self::TAG_REST | 7 << 27 | n,
        }
    }
    /// Reads a word of field `b`.
    #[inline]
    pub fn from_bits(bits: u32) -> MBase {
        if bits == u32::MAX {
            return MBase::Reg(MReg::NONE);
        }
        match bits >> 30 {
            0 => MBase::Reg(MReg::from_bits(bits)),
            1 => MBase::Frame(bits & !(3 << 30)),
            2 => MBase::Sym(Sym::from_u32(bits & !(3 << 30))),
            _ => match bits >> 27 & 7 {
                0 => MBase::Const(bits & Self::INDEX),
                1 => MBase::Got(Sym::from_u32(bits & Self::INDEX)),
                2 => MBase::Tpoff(Sym::from_u32(bits & Self::INDEX)),
                3 => MBase::Incoming,
                4 => MBase::Outgoing,
                5 => MBase::RegSave,
                6 => MBase::GotTpoff(Sym::from_u32(bits & Self::INDEX)),
                _ => MBase::Table(bits & Self::INDEX),
            },
        }
    }
}
