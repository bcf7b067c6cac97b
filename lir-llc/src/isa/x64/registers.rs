//! The registers of x86-64 and their uses in the System V calling convention.
//!
//! Source: Intel SDM volume 1, section 3.4.1; System V Application Binary Interface, AMD64 Architecture Processor
//! Supplement, section 3.2.1 and figure 3.4.

use crate::mir::{PReg, PRegSet};
use lir_syntax::abi::INT_ARGUMENTS;

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
/// Registers that a callee preserves (other than rsp).
pub const CALLEE_SAVED: PRegSet = PRegSet::of(&[RBX, RBP, R12, R13, R14, R15]);
/// Registers that a call may change.
pub const CALLER_SAVED: PRegSet = PRegSet::all().minus(CALLEE_SAVED).minus(PRegSet::of(&[RSP]));

/// Returns the number that encodings use: 0 to 15.
#[inline]
pub(crate) const fn hw(r: PReg) -> u8 {
    r.index() as u8 & 15
}

/// Returns the number in DWARF (System V, figure 3.36).
pub const fn dwarf(r: PReg) -> u8 {
    const LEGACY: [u8; 8] = [0, 2, 1, 3, 7, 6, 4, 5];
    match r.index() as u8 {
        n @ 0..8 => LEGACY[n as usize],
        n @ 8..16 => n,
        n => n + 1,
    }
}

/// Returns the name of the low `bytes` (1, 2, 4, 8) of a register.
pub fn name(r: PReg, bytes: u32) -> &'static str {
    let row = match (r.index(), bytes) {
        (16.., _) => &NAMES[4],
        (_, 8) => &NAMES[3],
        (_, 4) => &NAMES[2],
        (_, 2) => &NAMES[1],
        (_, _) => &NAMES[0],
    };
    row[hw(r) as usize]
}

/// The names of whole registers, by number.
pub(crate) const WHOLE_NAMES: [&str; PReg::COUNT] = {
    let (mut names, mut k) = ([""; PReg::COUNT], 0);
    while k < 16 {
        (names[k], names[16 + k]) = (NAMES[3][k], NAMES[4][k]);
        k += 1;
    }
    names
};

/// The names of general registers by size, and of SSE registers.
#[rustfmt::skip]
const NAMES: [[&str; 16]; 5] = [
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
