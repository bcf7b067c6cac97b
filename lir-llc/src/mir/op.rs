//! Operations of machine instructions: the numbers of rows in a machine's table.

use super::registers::{PReg, PRegSet};

/// A machine operation: the number of its row in [`MachineEnv::ops`](super::MachineEnv::ops).
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct MOp(pub u8);

/// A condition of an instruction, by the machine's number, below 32.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Condition(pub u8);

/// Properties of an op: a set of flags.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Props(u32);

impl Props {
    /// None.
    pub const NONE: Props = Props(0);
    /// `a` and `b` may be exchanged.
    pub const COMMUTATIVE: Props = Props(1);
    /// Operand `b` of forms AB, DTB and DAB, `a` of form DA, may be a spill slot instead of a register: the encoder
    /// then uses AM, DTM, DAM, DM. (Operand `a` of any tied form may be a slot, too, if the register of `d` is not `b`
    /// and not in the memory operand: the copy becomes a load.)
    pub const SLOT_SOURCE: Props = Props(2);
    /// Operand `a` of forms AB and AI may be a spill slot: the encoder then uses MA, MI. Not both operands.
    pub const SLOT_FIRST: Props = Props(4);
    /// A copy between registers of one class (form DA). Either side may be a spill slot, or both. Dropped if both sides
    /// are the same.
    pub const COPY: Props = Props(8);
    /// A jump or return at the end of a block.
    pub const TERMINATOR: Props = Props(16);
    /// A call: its record in the pool has the clobbered registers.
    pub const CALL: Props = Props(32);
    /// Writes the flags register (all other ops leave it alone).
    pub const SETS_FLAGS: Props = Props(64);
    /// Reads the flags register.
    pub const USES_FLAGS: Props = Props(128);
    /// Field `d` is a float register.
    pub const FLOAT_D: Props = Props(256);
    /// Fields `a` and `b` are float registers.
    pub const FLOAT_AB: Props = Props(512);
    /// Needs a processor of the machine's second level.
    pub const V2: Props = Props(1024);
    /// Needs a processor of the machine's third level.
    pub const V3: Props = Props(2048);
    /// The processor waits for the former value of the destination, though the result does not depend on it (of scalar
    /// floats the upper part stays): if it holds no operand, it is cleared first.
    pub const FALSE_DEP: Props = Props(4096);
    /// Keeps fixed operands in a record of the pool: calls, returns, and the like.
    pub const RECORD: Props = Props(1 << 13);
    /// Assigns the parameters, at the beginning of a function.
    pub const PARAMS: Props = Props(1 << 14);
    /// Moves the stack pointer.
    pub const MOVES_STACK: Props = Props(1 << 15);
    /// Form DTI at size 8 may compute in a spill slot.
    pub const IN_SLOT: Props = Props(1 << 16);
    /// At size 16 all of the destination is significant: a block of memory in a float register, or zeros for one. (The
    /// bitwise operations of size 16 are on floats, in the low 8 bytes.)
    pub const WIDE: Props = Props(1 << 17);
    /// Has a condition.
    pub const CONDITION: Props = Props(1 << 18);

    /// Returns the union of both sets.
    pub const fn or(self, other: Props) -> Props {
        Props(self.0 | other.0)
    }
    /// True if all of `other` are set.
    #[inline]
    pub const fn has(self, other: Props) -> bool {
        self.0 & other.0 == other.0
    }
}

/// The registers that a row fixes: of the destination, of `a`, of `b`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Fixed {
    /// The register of the result.
    pub d: Option<PReg>,
    /// The register that `a` must be in.
    pub a: Option<PReg>,
    /// The register that `b` must be in.
    pub b: Option<PReg>,
    /// The registers that are taken in addition. No other value may be in these registers while the instruction runs,
    /// and none of its other operands either (a division writes rdx before it reads the divisor). Every fixed register
    /// of `a` and `b` is among them.
    pub clobbers: PRegSet,
    /// The registers of `clobbers` that are only read: they still hold their operand after the instruction.
    pub kept: PRegSet,
}

impl Fixed {
    /// Nothing is fixed.
    pub const FREE: Fixed = Fixed { d: None, a: None, b: None, clobbers: PRegSet::EMPTY, kept: PRegSet::EMPTY };
}

/// The description of an op for allocation and passes over machine IR.
#[derive(Copy, Clone, Debug)]
pub struct OpInfo {
    /// Its name; machine IR as text has it in lower case. Mnemonics are shared (`idiv` gives quotient and remainder).
    pub name: &'static str,
    /// Fixed registers.
    pub fixed: &'static Fixed,
    /// Properties.
    pub props: Props,
}

impl OpInfo {
    /// The row of a number that no op has.
    pub const NONE: OpInfo = OpInfo { name: "", fixed: &Fixed::FREE, props: Props::NONE };
}
