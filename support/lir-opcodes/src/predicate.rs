//! Predicates of comparisons.
//!
//! Predicates of integers and of floats share one numbering, in which instructions keep them: no number belongs to both
//! classes, so that a predicate of the wrong class is kept unchanged, and the verifier finds it (V11).

use crate::types::Type;
use std::fmt;

macro_rules! predicates {
    ($(#[$doc:meta])* $name:ident { $($variant:ident $(= $n:literal)? $text:literal swap $swap:ident not $not:ident $what:literal,)* }) => {
        $(#[$doc])*
        #[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum $name { $(#[doc = $what] $variant $(= $n)?,)* }

        impl $name {
            /// All predicates, in declaration order.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];
            const FIRST: u8 = Self::ALL[0] as u8;
            /// Returns the predicate with this discriminant. Panics if there is none.
            #[inline]
            pub fn from_u8(n: u8) -> $name { Self::ALL[n.wrapping_sub(Self::FIRST) as usize] }
            /// Returns the name in LIR text.
            #[inline]
            pub const fn name(self) -> &'static str { match self { $($name::$variant => $text,)* } }
            /// Returns the predicate of a name in LIR text.
            #[inline]
            pub fn from_name(name: &[u8]) -> Option<$name> {
                Self::ALL.iter().copied().find(|p| p.name().as_bytes() == name)
            }
            /// Returns the predicate P' with `a P b == b P' a` (for exchanged operands).
            #[inline]
            pub const fn swapped(self) -> $name { match self { $($name::$variant => $name::$swap,)* } }
            /// Returns the predicate P' with `a P b == !(a P' b)`, NaN included.
            #[inline]
            pub const fn inverted(self) -> $name { match self { $($name::$variant => $name::$not,)* } }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.write_str(self.name()) }
        }
    };
}

predicates!(
    /// An integer comparison predicate.
    IntCC {
        Eq "eq" swap Eq not Ne "Equal.",
        Ne "ne" swap Ne not Eq "Not equal.",
        Slt "slt" swap Sgt not Sge "Signed less.",
        Sle "sle" swap Sge not Sgt "Signed less or equal.",
        Sgt "sgt" swap Slt not Sle "Signed greater.",
        Sge "sge" swap Sle not Slt "Signed greater or equal.",
        Ult "ult" swap Ugt not Uge "Unsigned less.",
        Ule "ule" swap Uge not Ugt "Unsigned less or equal.",
        Ugt "ugt" swap Ult not Ule "Unsigned greater.",
        Uge "uge" swap Ule not Ult "Unsigned greater or equal.",
    }
);

predicates!(
    /// A float comparison predicate: `o` ones are false, `u` ones are true if an operand is NaN.
    FloatCC {
        Oeq = 16 "oeq" swap Oeq not Une "Ordered and equal.",
        One "one" swap One not Ueq "Ordered and not equal.",
        Olt "olt" swap Ogt not Uge "Ordered and less.",
        Ole "ole" swap Oge not Ugt "Ordered and less or equal.",
        Ogt "ogt" swap Olt not Ule "Ordered and greater.",
        Oge "oge" swap Ole not Ult "Ordered and greater or equal.",
        Ord "ord" swap Ord not Uno "Neither operand is NaN.",
        Ueq "ueq" swap Ueq not One "Unordered or equal.",
        Une "une" swap Une not Oeq "Unordered or not equal.",
        Ult "ult" swap Ugt not Oge "Unordered or less.",
        Ule "ule" swap Uge not Ogt "Unordered or less or equal.",
        Ugt "ugt" swap Ult not Ole "Unordered or greater.",
        Uge "uge" swap Ule not Olt "Unordered or greater or equal.",
        Uno "uno" swap Uno not Ord "An operand is NaN.",
    }
);

impl IntCC {
    /// The same order of signed numbers: `slt` for `ult` and so on.
    #[inline]
    pub const fn signed(self) -> IntCC {
        match self {
            IntCC::Ult => IntCC::Slt,
            IntCC::Ule => IntCC::Sle,
            IntCC::Ugt => IntCC::Sgt,
            IntCC::Uge => IntCC::Sge,
            _ => self,
        }
    }
    /// The same order of unsigned numbers: `ult` for `slt` and so on.
    #[inline]
    pub const fn unsigned(self) -> IntCC {
        match self {
            IntCC::Slt => IntCC::Ult,
            IntCC::Sle => IntCC::Ule,
            IntCC::Sgt => IntCC::Ugt,
            IntCC::Sge => IntCC::Uge,
            _ => self,
        }
    }
}

/// The predicate of a comparison of integers or of floats.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Predicate {
    /// A predicate of integers.
    Int(IntCC),
    /// A predicate of floats.
    Float(FloatCC),
}

impl Predicate {
    /// Returns the predicate with this discriminant. Panics if there is none.
    #[inline]
    pub fn from_u8(discriminant: u8) -> Predicate {
        if discriminant >= FloatCC::FIRST {
            Predicate::Float(FloatCC::from_u8(discriminant))
        } else {
            Predicate::Int(IntCC::from_u8(discriminant))
        }
    }
    /// True if there is a predicate with this discriminant.
    #[inline]
    pub fn exists(discriminant: u8) -> bool {
        let n = discriminant as usize;
        n < IntCC::ALL.len() || n.wrapping_sub(FloatCC::FIRST as usize) < FloatCC::ALL.len()
    }
    /// Returns the discriminant, as instructions keep it. Predicates of integers and of floats have different ones.
    #[inline]
    pub const fn to_u8(self) -> u8 {
        match self {
            Predicate::Int(cc) => cc as u8,
            Predicate::Float(cc) => cc as u8,
        }
    }
    /// Returns the position among the predicates of its class, from 0: for tables and sets of one class.
    #[inline]
    pub const fn index(self) -> u8 {
        match self {
            Predicate::Int(cc) => cc as u8,
            Predicate::Float(cc) => cc as u8 - FloatCC::FIRST,
        }
    }
    /// True if operands of this type are compared by it.
    #[inline]
    pub const fn compares(self, ty: Type) -> bool {
        matches!(self, Predicate::Float(_)) == ty.is_float()
    }
    /// Returns all predicates for operands of a type.
    #[inline]
    pub fn all(ty: Type) -> impl Iterator<Item = Predicate> {
        let first = if ty.is_float() { FloatCC::FIRST } else { 0 };
        let count = if ty.is_float() { FloatCC::ALL.len() } else { IntCC::ALL.len() };
        (first..first + count as u8).map(Predicate::from_u8)
    }
    /// Returns the name in LIR text.
    #[inline]
    pub const fn name(self) -> &'static str {
        match self {
            Predicate::Int(cc) => cc.name(),
            Predicate::Float(cc) => cc.name(),
        }
    }
    /// Returns the predicate P' with `a P b == b P' a` (for exchanged operands).
    #[inline]
    pub const fn swapped(self) -> Predicate {
        match self {
            Predicate::Int(cc) => Predicate::Int(cc.swapped()),
            Predicate::Float(cc) => Predicate::Float(cc.swapped()),
        }
    }
    /// Returns the predicate P' with `a P b == !(a P' b)`, NaN included.
    #[inline]
    pub const fn inverted(self) -> Predicate {
        match self {
            Predicate::Int(cc) => Predicate::Int(cc.inverted()),
            Predicate::Float(cc) => Predicate::Float(cc.inverted()),
        }
    }
    /// Returns the predicate of integers; none if it is of floats.
    #[inline]
    pub const fn as_int(self) -> Option<IntCC> {
        match self {
            Predicate::Int(cc) => Some(cc),
            Predicate::Float(_) => None,
        }
    }
    /// Returns the predicate of floats; none if it is of integers.
    #[inline]
    pub const fn as_float(self) -> Option<FloatCC> {
        match self {
            Predicate::Int(_) => None,
            Predicate::Float(cc) => Some(cc),
        }
    }
}

impl fmt::Display for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl From<IntCC> for Predicate {
    #[inline]
    fn from(cc: IntCC) -> Predicate {
        Predicate::Int(cc)
    }
}

impl From<FloatCC> for Predicate {
    #[inline]
    fn from(cc: FloatCC) -> Predicate {
        Predicate::Float(cc)
    }
}
