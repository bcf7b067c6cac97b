//! The reasons interpretation stops, before and after the location is known.

use crate::outcome::{Control, Location, Outcome};
use lir_syntax::semantics::Trap;

/// The reason execution cannot continue, before the location is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    Trap(Trap),
    /// A trap in a C function.
    TrapInC(Trap),
    OutOfFuel,
    /// A load of `len` bytes of the stack, with the byte at `first` never written. The object has no name yet.
    Unwritten {
        len: u32,
        first: u64,
    },
    /// An access outside of the object at an address. `message` does not have the object's name yet.
    Outside {
        message: Box<str>,
        object: u64,
    },
    Error(Box<str>),
}

impl Stop {
    #[cold]
    pub(super) fn error(message: impl Into<String>) -> Stop {
        Stop::Error(message.into().into_boxed_str())
    }
}

impl From<Trap> for Stop {
    fn from(t: Trap) -> Stop {
        Stop::Trap(t)
    }
}

/// A stop with its location, as it travels out of nested runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Failure {
    pub(super) stop: Stop,
    pub(super) at: Location,
}

impl From<Failure> for Outcome {
    fn from(f: Failure) -> Outcome {
        match f.stop {
            Stop::Trap(t) => Outcome::Trap(t, f.at),
            Stop::TrapInC(t) => Outcome::Trap(t, Location { control: Control::InC, ..f.at }),
            Stop::OutOfFuel => Outcome::OutOfFuel(f.at),
            Stop::Unwritten { .. } => unreachable!("the object has a name before its frame goes"),
            // An access that no frame makes, such as reading a result.
            Stop::Outside { message, .. } | Stop::Error(message) => Outcome::Error(message.into(), f.at),
        }
    }
}
