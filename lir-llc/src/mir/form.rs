//! The form and the operand size of a machine instruction.
//!
//! A [`Form`] determines which fields are operands, and which of them are read and written; the machine's rows
//! ([`MachineEnv::ops`](super::MachineEnv)) add the fixed registers and the properties of an op.

/// The fields of a machine instruction that are operands. `M` is a memory operand `[b + x*scale + imm]`.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum Form {
    /// No operand in the fields (the op's list in the pool may hold fixed ones).
    None,
    /// `d`.
    D,
    /// `d = imm` (32 bits, sign-extended to the size; at size 4 zero-extended to 64).
    DI,
    /// `d = imm64`: low half in `imm`, high half in `x`.
    DI64,
    /// `d = op a`.
    DA,
    /// `d = op a, imm`.
    DAI,
    /// `d = op a, b`, not tied.
    DAB,
    /// `d = op a, b, x`, not tied.
    DABX,
    /// `d = op a, [M], x`, not tied: the memory operand has no index.
    DAMX,
    /// `d = op a, x, [M]`, not tied: the memory operand has no index.
    DAXM,
    /// `d = op a, [M]`, not tied.
    DAM,
    /// `d = op [M]`.
    DM,
    /// `d = op [M], k`, with the immediate `k` in `a`.
    DMI,
    /// `d = op a`, tied.
    DT,
    /// `d = op a, b`, tied.
    DTB,
    /// `d = op a, [M]`, tied.
    DTM,
    /// `d = op a, imm`, tied.
    DTI,
    /// `op a, b`.
    AB,
    /// `op a, [M]`.
    AM,
    /// `op a, imm`.
    AI,
    /// `op [M], a`.
    MA,
    /// `op [M], k`, with the immediate `k` in `a`.
    MI,
    /// `op b`.
    B,
    /// `op [M]`.
    M,
}

impl Form {
    /// All forms with their names, in declaration order.
    pub const ALL: [(Form, &'static str); 24] = {
        use Form::*;
        [
            (None, "None"),
            (D, "D"),
            (DI, "DI"),
            (DI64, "DI64"),
            (DA, "DA"),
            (DAI, "DAI"),
            (DAB, "DAB"),
            (DABX, "DABX"),
            (DAMX, "DAMX"),
            (DAXM, "DAXM"),
            (DAM, "DAM"),
            (DM, "DM"),
            (DMI, "DMI"),
            (DT, "DT"),
            (DTB, "DTB"),
            (DTM, "DTM"),
            (DTI, "DTI"),
            (AB, "AB"),
            (AM, "AM"),
            (AI, "AI"),
            (MA, "MA"),
            (MI, "MI"),
            (B, "B"),
            (M, "M"),
        ]
    };

    /// True if field `d` is assigned.
    #[inline]
    pub const fn defs_d(self) -> bool {
        use Form::*;
        matches!(self, D | DI | DI64 | DA | DAI | DAB | DABX | DAMX | DAXM | DAM | DM | DMI | DT | DTB | DTM | DTI)
    }
    /// True if field `a` is a register that is read.
    #[inline]
    pub const fn uses_a(self) -> bool {
        use Form::*;
        matches!(self, DA | DAI | DAB | DABX | DAMX | DAXM | DAM | DT | DTB | DTM | DTI | AB | AM | AI | MA)
    }
    /// True if field `b` is a register that is read (not as part of a memory operand).
    #[inline]
    pub const fn uses_b(self) -> bool {
        matches!(self, Form::DAB | Form::DABX | Form::DTB | Form::AB | Form::B)
    }
    /// True if field `x` is a register that is read (not as part of a memory operand).
    #[inline]
    pub const fn uses_x(self) -> bool {
        matches!(self, Form::DABX | Form::DAMX | Form::DAXM)
    }
    /// True if `b`, `x`, the scale and `imm` are a memory operand, whose registers are read. Where `x` is an operand of
    /// its own, the memory operand has no index.
    #[inline]
    pub const fn has_mem(self) -> bool {
        use Form::*;
        matches!(self, DAM | DAMX | DAXM | DM | DMI | DTM | AM | MA | MI | M)
    }
    /// True if `d` must end up in the register of `a`.
    #[inline]
    pub const fn is_tied(self) -> bool {
        matches!(self, Form::DT | Form::DTB | Form::DTM | Form::DTI)
    }
}

/// Operand size.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Size {
    /// 1 byte.
    S8,
    /// 2 bytes.
    S16,
    /// 4 bytes, or f32.
    S32,
    /// 8 bytes, or f64.
    S64,
    /// 16 bytes: whole float registers.
    S128,
}

impl Size {
    /// All sizes, ascending.
    pub const ALL: [Size; 5] = [Size::S8, Size::S16, Size::S32, Size::S64, Size::S128];

    /// In bytes.
    #[inline]
    pub const fn bytes(self) -> u32 {
        1 << self as u8
    }
}
