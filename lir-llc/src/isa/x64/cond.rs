//! The conditions of jumps, `setcc` and `cmovcc`.

use crate::mir::{Condition, MInst};

/// A condition of jcc, setcc and cmovcc: the hardware's sixteen, and two for float comparisons that combine two of
/// them.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names are the suffixes of the Intel manual")]
pub enum Cond {
    O,
    NO,
    B,
    AE,
    E,
    NE,
    BE,
    A,
    S,
    NS,
    P,
    NP,
    L,
    GE,
    LE,
    G,
    /// Equal and not unordered: E and NP. Only in branches.
    OrdEq,
    /// Not equal or unordered: NE or P. Only in branches.
    UnordNe,
}

impl Cond {
    const ALL: [Cond; 18] = {
        use Cond::*;
        [O, NO, B, AE, E, NE, BE, A, S, NS, P, NP, L, GE, LE, G, OrdEq, UnordNe]
    };
    /// The names of all, in declaration order, for machine IR as text.
    pub(crate) const NAMES: &[&str] =
        &["o", "no", "b", "ae", "e", "ne", "be", "a", "s", "ns", "p", "np", "l", "ge", "le", "g", "ordeq", "unordne"];

    /// Returns the condition of an instruction.
    #[inline]
    pub fn of(i: &MInst) -> Cond {
        Self::from_u8(i.condition().0)
    }
    /// Returns the condition with this discriminant.
    #[inline]
    pub fn from_u8(n: u8) -> Cond {
        Self::ALL[n as usize]
    }
    /// Returns the condition that holds where this one does not.
    #[inline]
    pub fn inverted(self) -> Cond {
        Self::from_u8(self as u8 ^ 1)
    }
}

impl From<Cond> for Condition {
    #[inline]
    fn from(c: Cond) -> Condition {
        Condition(c as u8)
    }
}
