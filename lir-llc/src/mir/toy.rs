//! A machine for tests: three registers in each of two classes, whose spill slots have 8 and 16 bytes, and a few ops.
//!
//! Nothing about it is x86-64, so code that passes these tests knows a machine by its [`MachineEnv`] alone.

use super::env::{MachineEnv, WithinBlocks};
use super::form::Size;
use super::op::{Fixed, MOp, OpInfo, Props};
use super::registers::{PReg, PRegSet};
use super::shape::Shapes;

/// The registers of values: `A` has the first argument and results, calls preserve `C` alone.
pub(crate) const A: PReg = PReg::new(0);
/// The register of the second argument.
pub(crate) const B: PReg = PReg::new(1);
/// The register that calls preserve.
pub(crate) const C: PReg = PReg::new(2);
/// The registers of values of 16 bytes, which calls do not preserve.
pub(crate) const X: PReg = PReg::new(16);
const Y: PReg = PReg::new(17);
const Z: PReg = PReg::new(18);
/// The stack pointer, which is never allocated.
const SP: PReg = PReg::new(3);

const IN_B: Fixed = Fixed { b: Some(B), clobbers: PRegSet::of(&[B]), kept: PRegSet::of(&[B]), ..Fixed::FREE };
const A_TO_A: Fixed = Fixed { d: Some(A), a: Some(A), clobbers: PRegSet::of(&[A]), ..Fixed::FREE };

macro_rules! ops {
    ($($name:ident $fixed:expr, [$($prop:ident)*])*) => {
        #[repr(u8)]
        enum Number { $($name,)* }
        /// The operations.
        #[expect(non_upper_case_globals, reason = "the names are those of machine IR as text")]
        pub(crate) mod op {
            use super::{MOp, Number};
            $(pub(crate) const $name: MOp = MOp(Number::$name as u8);)*
        }
        const ROWS: &[OpInfo] = &[$(OpInfo {
            name: stringify!($name), fixed: &$fixed, props: Props::NONE$(.or(Props::$prop))*,
        },)*];
    };
}

ops! {
    Move   Fixed::FREE, [COPY SLOT_SOURCE]
    Sum    Fixed::FREE, [COMMUTATIVE SLOT_SOURCE IN_SLOT]
    Less   Fixed::FREE, []
    Shift  IN_B,        []
    Divide A_TO_A,      []
    Test   Fixed::FREE, [SETS_FLAGS SLOT_FIRST]
    MoveW  Fixed::FREE, [COPY SLOT_SOURCE FLOAT_D FLOAT_AB]
    SumW   Fixed::FREE, [COMMUTATIVE SLOT_SOURCE FLOAT_D FLOAT_AB]
    LessW  Fixed::FREE, [FLOAT_D FLOAT_AB]
    Widen  Fixed::FREE, [SLOT_SOURCE FLOAT_D]
    Narrow Fixed::FREE, [SLOT_SOURCE FLOAT_AB]
    Call   Fixed::FREE, [CALL RECORD SETS_FLAGS]
    Params Fixed::FREE, [PARAMS RECORD]
    Jump   Fixed::FREE, [TERMINATOR]
    Branch Fixed::FREE, [TERMINATOR USES_FLAGS]
    Return Fixed::FREE, [TERMINATOR RECORD]
}

static OPS: [OpInfo; 256] = {
    let (mut rows, mut k) = ([OpInfo::NONE; 256], 0);
    while k < ROWS.len() {
        rows[k] = ROWS[k];
        k += 1;
    }
    rows
};

static SHAPES: Shapes = Shapes::new(&OPS);

/// The machine.
pub(crate) static TOY: MachineEnv = MachineEnv {
    register_names: {
        let mut names = ["none"; PReg::COUNT];
        (names[0], names[1], names[2], names[3]) = ("a", "b", "c", "sp");
        (names[16], names[17], names[18]) = ("x", "y", "z");
        names
    },
    condition_names: &[],
    ops: &OPS,
    shapes: &SHAPES,
    allocatable: PRegSet::of(&[A, B, C, X, Y, Z]),
    callee_saved: PRegSet::of(&[C]),
    frame_pointer: SP,
    base_pointer: SP,
    variadic_count: A,
    scratch: [A, X],
    slot_sizes: [Size::S64, Size::S128],
    copies: [op::Move, op::MoveW],
    add: op::Sum,
    kept: [&[C, B, A], &[X, Y, Z]],
    within_blocks: WithinBlocks { kept: &[A, B, C, X, Y, Z], kept_in_leaves: &[C, Z], lent: &[A, B], call_sign: B },
};
