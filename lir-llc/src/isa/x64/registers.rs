//! The registers of x86-64 and what the System V calling convention does with them.
//!
//! Source: Intel SDM volume 1, section 3.4.1; System V Application Binary Interface, AMD64 Architecture Processor
//! Supplement, section 3.2.1 and figure 3.4.

use lir_syntax::abi::{INT_ARGUMENTS, RegClass};
use std::fmt;

/// A hardware register: 0 to 15 general (rax rcx rdx rbx rsp rbp rsi rdi r8 .. r15), 16 to 31 xmm0 .. xmm15. The low
/// four bits are the number that encodings use.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PReg(u8);

macro_rules! gprs {
    ($($name:ident $number:literal)*) => { $(
        #[doc = concat!("General register ", stringify!($number), ".")]
        pub const $name: PReg = PReg::new($number);
    )* };
}

gprs!(RAX 0 RCX 1 RDX 2 RBX 3 RSP 4 RBP 5 RSI 6 RDI 7 R8 8 R9 9 R10 10 R11 11 R12 12 R13 13 R14 14 R15 15);

/// SSE register n.
pub const fn xmm(n: u8) -> PReg {
    PReg::new(16 + n)
}

/// Integer argument registers, in order.
pub(crate) const INT_ARGS: [PReg; INT_ARGUMENTS as usize] = [RDI, RSI, RDX, RCX, R8, R9];
/// Registers that a callee preserves (besides rsp).
pub const CALLEE_SAVED: PRegSet = PRegSet::of(&[RBX, RBP, R12, R13, R14, R15]);
/// Registers that a call may change.
pub const CALLER_SAVED: PRegSet = PRegSet::all().minus(CALLEE_SAVED).minus(PRegSet::of(&[RSP]));

impl PReg {
    /// The register with this number, below 32.
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
    /// The number that encodings use: 0 to 15.
    #[inline]
    pub(crate) const fn hw(self) -> u8 {
        self.0 & 15
    }
    /// The number in DWARF (System V, figure 3.36).
    pub const fn dwarf(self) -> u8 {
        const LEGACY: [u8; 8] = [0, 2, 1, 3, 7, 6, 4, 5];
        match self.0 {
            n @ 0..8 => LEGACY[n as usize],
            n @ 8..16 => n,
            n => n + 1,
        }
    }
    /// The file the register is in.
    #[inline]
    pub const fn class(self) -> RegClass {
        if self.0 < 16 { RegClass::Int } else { RegClass::Float }
    }
    /// The name of the low `bytes` (1, 2, 4, 8) of the register.
    pub fn name(self, bytes: u32) -> &'static str {
        let row = match (self.0, bytes) {
            (16.., _) => &NAMES[4],
            (_, 8) => &NAMES[3],
            (_, 4) => &NAMES[2],
            (_, 2) => &NAMES[1],
            (_, _) => &NAMES[0],
        };
        row[self.hw() as usize]
    }
}

/// The names of general registers by size, and of SSE registers.
#[rustfmt::skip]
static NAMES: [[&str; 16]; 5] = [
    ["al", "cl", "dl", "bl", "spl", "bpl", "sil", "dil",
     "r8b", "r9b", "r10b", "r11b", "r12b", "r13b", "r14b", "r15b"],
    ["ax", "cx", "dx", "bx", "sp", "bp", "si", "di",
     "r8w", "r9w", "r10w", "r11w", "r12w", "r13w", "r14w", "r15w"],
    ["eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi",
     "r8d", "r9d", "r10d", "r11d", "r12d", "r13d", "r14d", "r15d"],
    ["rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
     "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"],
    ["xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",
     "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"],
];

impl fmt::Debug for PReg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name(8))
    }
}

impl fmt::Display for PReg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name(8))
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
    /// All 32.
    pub const fn all() -> PRegSet {
        PRegSet(u32::MAX)
    }
    /// All of a class.
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
    /// The set with `r`.
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
    /// The registers, ascending.
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
