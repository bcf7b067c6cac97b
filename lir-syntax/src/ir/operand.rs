//! Operands in four bytes, and memory operands.

use super::{EntityRef, Obj, Reg, Sym};

/// An operand: a 2-bit tag and 30 bits.
///
/// ```text
///  31 30 29                       0
/// | tag |         payload          |   0 register
///                                      1 integer constant of 30 signed bits
///                                      2 constant in the pool of the function, or with bit 29 one of more than 64
///                                        bits in the pool of these
///                                      3 symbol or stack object (bit 29 tells them apart), or none (all ones)
/// ```
///
/// A constant is the payload of [`Type::constant_payload`](super::Type::constant_payload): its type follows from its
/// position. Pool constants are interned, so two operands of one function are equal exactly when they mean the same.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Operand(u32);

/// An [`Operand`], unpacked.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum OperandKind {
    /// A register.
    Reg(Reg),
    /// A constant that fits 30 signed bits.
    Small(i32),
    /// Index of a constant in the pool of the function.
    Pool(u32),
    /// Index of a constant of more than 64 bits in the function's pool of these.
    WidePool(u32),
    /// A symbol (callee, or base of a memory operand).
    Sym(Sym),
    /// A stack object (base of a memory operand).
    Obj(Obj),
    /// No operand.
    None,
}

const TAG_SMALL: u32 = 1 << 30;
const TAG_POOL: u32 = 2 << 30;
const TAG_ENTITY: u32 = 3 << 30;
const OBJ_BIT: u32 = 1 << 29;
const WIDE_BIT: u32 = 1 << 29;
pub use crate::limits::MAX_INDEX;

impl Operand {
    /// No operand.
    pub const NONE: Operand = Operand(u32::MAX);

    /// Returns a register.
    #[inline]
    pub fn reg(r: Reg) -> Operand {
        debug_assert!(r.index() <= MAX_INDEX);
        Operand(r.as_u32())
    }
    /// Returns a symbol.
    #[inline]
    pub fn sym(s: Sym) -> Operand {
        debug_assert!(s.index() <= MAX_INDEX);
        Operand(TAG_ENTITY | s.as_u32())
    }
    /// Returns a stack object.
    #[inline]
    pub fn obj(o: Obj) -> Operand {
        debug_assert!(o.index() <= MAX_INDEX);
        Operand(TAG_ENTITY | OBJ_BIT | o.as_u32())
    }
    /// Returns an integer constant, if it fits 30 signed bits.
    #[inline]
    pub const fn small(value: i64) -> Option<Operand> {
        if value >= -(1 << 29) && value < (1 << 29) {
            Some(Operand(TAG_SMALL | (value as u32 & !(3 << 30))))
        } else {
            None
        }
    }
    /// Returns the pool constant with this index.
    #[inline]
    pub(crate) fn pool(index: usize) -> Operand {
        assert!(index <= MAX_INDEX, "too many constants");
        Operand(TAG_POOL | index as u32)
    }
    /// Returns the constant of more than 64 bits with this index in their pool.
    #[inline]
    pub(crate) fn wide_pool(index: usize) -> Operand {
        assert!(index <= MAX_INDEX, "too many constants");
        Operand(TAG_POOL | WIDE_BIT | index as u32)
    }
    /// Unpacks the operand.
    #[inline]
    pub fn kind(self) -> OperandKind {
        match self.0 >> 30 {
            0 => OperandKind::Reg(Reg::from_u32(self.0)),
            1 => OperandKind::Small(((self.0 << 2) as i32) >> 2),
            2 if self.0 & WIDE_BIT != 0 => OperandKind::WidePool(self.0 & (WIDE_BIT - 1)),
            2 => OperandKind::Pool(self.0 & (WIDE_BIT - 1)),
            _ if self.0 == u32::MAX => OperandKind::None,
            _ if self.0 & OBJ_BIT != 0 => OperandKind::Obj(Obj::from_u32(self.0 & (OBJ_BIT - 1))),
            _ => OperandKind::Sym(Sym::from_u32(self.0 & (OBJ_BIT - 1))),
        }
    }
    /// Returns the register, if it is one.
    #[inline]
    pub fn as_reg(self) -> Option<Reg> {
        (self.0 >> 30 == 0).then(|| Reg::from_u32(self.0))
    }
    /// True if this is a register.
    #[inline]
    pub fn is_reg(self) -> bool {
        self.0 >> 30 == 0
    }
    /// True if this is a constant, in line or in the pool.
    #[inline]
    pub fn is_const(self) -> bool {
        matches!(self.0 >> 30, 1 | 2)
    }
    /// True if there is no operand.
    #[inline]
    pub fn is_none(self) -> bool {
        self.0 == u32::MAX
    }
    /// Returns the raw word, for hashing and for pools.
    #[inline]
    pub const fn to_bits(self) -> u32 {
        self.0
    }
    /// Returns the operand of a raw word.
    #[inline]
    pub const fn from_bits(bits: u32) -> Operand {
        Operand(bits)
    }
}

impl From<Reg> for Operand {
    #[inline]
    fn from(r: Reg) -> Operand {
        Operand::reg(r)
    }
}

impl Default for Operand {
    /// No operand.
    fn default() -> Operand {
        Operand::NONE
    }
}

impl std::fmt::Debug for Operand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.kind())
    }
}

/// The base of a memory operand.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Base {
    /// No base.
    None,
    /// An i64 register.
    Reg(Reg),
    /// The address of a symbol.
    Sym(Sym),
    /// The address of a stack object.
    Obj(Obj),
}

impl Base {
    /// Returns the base as an operand.
    #[inline]
    pub fn to_operand(self) -> Operand {
        match self {
            Base::None => Operand::NONE,
            Base::Reg(r) => Operand::reg(r),
            Base::Sym(s) => Operand::sym(s),
            Base::Obj(o) => Operand::obj(o),
        }
    }
    /// Returns the base that an operand names. Panics for a constant.
    #[inline]
    pub fn from_operand(o: Operand) -> Base {
        match o.kind() {
            OperandKind::Reg(r) => Base::Reg(r),
            OperandKind::Sym(s) => Base::Sym(s),
            OperandKind::Obj(o) => Base::Obj(o),
            OperandKind::None => Base::None,
            OperandKind::Small(_) | OperandKind::Pool(_) | OperandKind::WidePool(_) => {
                panic!("a constant is not a base")
            }
        }
    }
}

/// True if `len` bytes from `offset` on lie in an object of `size` bytes.
#[inline]
pub fn lies_within(offset: i64, len: u64, size: u64) -> bool {
    u64::try_from(offset).ok().and_then(|from| from.checked_add(len)).is_some_and(|end| end <= size)
}

/// A memory operand `[base + index*scale + disp]`. Base and index may both be absent: `[64]` is an absolute address.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Mem {
    /// Register, symbol, stack object, or none.
    pub base: Base,
    /// An i64 register that is multiplied by `scale`.
    pub index: Option<Reg>,
    /// 1, 2, 4 or 8; 1 without an index.
    pub scale: u8,
    /// Signed bytes.
    pub disp: i32,
}

impl Mem {
    /// `[base + disp]`.
    #[inline]
    pub fn base_disp(base: Base, disp: i32) -> Mem {
        Mem { base, index: None, scale: 1, disp }
    }
    /// `[reg]`.
    pub fn reg(r: Reg) -> Mem {
        Mem::base_disp(Base::Reg(r), 0)
    }
    /// `[obj + disp]`.
    pub fn obj(o: Obj, disp: i32) -> Mem {
        Mem::base_disp(Base::Obj(o), disp)
    }
    /// `[sym + disp]`.
    pub fn sym(s: Sym, disp: i32) -> Mem {
        Mem::base_disp(Base::Sym(s), disp)
    }
    /// The same with `index*scale` added.
    pub fn indexed(self, index: Reg, scale: u8) -> Mem {
        Mem { index: Some(index), scale, ..self }
    }
    /// The same address in the form of a text: an index with scale 1 and no base is a base. Two modules with one text
    /// would not be equal otherwise.
    #[inline]
    pub(crate) fn canonical(self) -> Mem {
        match self {
            Mem { base: Base::None, index: Some(r), scale: 1, .. } => Mem { base: Base::Reg(r), index: None, ..self },
            _ => self,
        }
    }
    /// Returns the registers of the address.
    pub fn regs(&self) -> impl Iterator<Item = Reg> + use<> {
        let base = if let Base::Reg(r) = self.base { Some(r) } else { None };
        base.into_iter().chain(self.index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_alone_is_a_base() {
        let r = Reg::from_u32(3);
        assert_eq!(Mem::base_disp(Base::None, 8).indexed(r, 1).canonical(), Mem::base_disp(Base::Reg(r), 8));
        let scaled = Mem::base_disp(Base::None, 8).indexed(r, 2);
        assert_eq!(scaled.canonical(), scaled);
        let both = Mem::reg(r).indexed(r, 1);
        assert_eq!(both.canonical(), both);
    }
}
