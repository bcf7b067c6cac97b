//! Hardware registers as machine IR has them: a number, and sets of numbers.
//!
//! Their names and uses are in the machine's [`MachineEnv`](super::MachineEnv).

use lir_syntax::abi::RegClass;
use std::fmt;

/// A hardware register: 0 to 15 general registers, 16 to 31 float registers.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PReg(u8);

impl PReg {
    /// The number of registers that there may be.
    pub const COUNT: usize = 32;

    /// Returns the register with this number, below 32.
    #[inline]
    pub const fn new(n: u8) -> PReg {
        assert!(n < 32);
        PReg(n)
    }
    /// 0 to 31.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
    /// Returns the class of the register.
    #[inline]
    pub const fn class(self) -> RegClass {
        if self.0 < 16 { RegClass::Int } else { RegClass::Float }
    }
}

impl fmt::Debug for PReg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = if self.class() == RegClass::Int { 'r' } else { 'f' };
        write!(f, "{file}{}", self.0 & 15)
    }
}

/// A set of hardware registers.
#[derive(Copy, Clone, PartialEq, Eq, Default)]
pub struct PRegSet(u32);

impl PRegSet {
    /// No register.
    pub const EMPTY: PRegSet = PRegSet(0);

    /// These registers.
    pub const fn of(regs: &[PReg]) -> PRegSet {
        let (mut bits, mut k) = (0, 0);
        while k < regs.len() {
            bits |= 1 << regs[k].0;
            k += 1;
        }
        PRegSet(bits)
    }
    /// Returns all 32.
    pub const fn all() -> PRegSet {
        PRegSet(u32::MAX)
    }
    /// Returns all of a class.
    pub const fn class(class: RegClass) -> PRegSet {
        match class {
            RegClass::Int => PRegSet(0xffff),
            RegClass::Float => PRegSet(0xffff_0000),
        }
    }
    /// True if `r` is in the set.
    #[inline]
    pub const fn contains(self, r: PReg) -> bool {
        self.0 >> r.0 & 1 != 0
    }
    /// Returns the set with `r`.
    #[inline]
    pub const fn with(self, r: PReg) -> PRegSet {
        PRegSet(self.0 | 1 << r.0)
    }
    /// Returns the union.
    #[inline]
    pub const fn or(self, other: PRegSet) -> PRegSet {
        PRegSet(self.0 | other.0)
    }
    /// Returns the intersection.
    #[inline]
    pub const fn and(self, other: PRegSet) -> PRegSet {
        PRegSet(self.0 & other.0)
    }
    /// Returns the registers of this set that are not in the other.
    #[inline]
    pub const fn minus(self, other: PRegSet) -> PRegSet {
        PRegSet(self.0 & !other.0)
    }
    /// True if there is no register in it.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
    /// Returns the number of registers in it.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }
    /// One bit a register.
    #[inline]
    pub const fn bits(self) -> u32 {
        self.0
    }
    /// Returns the registers, ascending.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = PReg> {
        let mut bits = self.0;
        std::iter::from_fn(move || {
            let r = PReg(bits.trailing_zeros() as u8);
            let any = bits != 0;
            bits &= bits.wrapping_sub(1);
            any.then_some(r)
        })
    }
}

impl fmt::Debug for PRegSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
