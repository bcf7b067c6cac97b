//! The base types of QBE, which are the classes of its temporaries.

use lir_syntax::ir::Type;

/// A base type.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Class {
    W,
    L,
    S,
    D,
}

impl Class {
    /// Returns the type of LIR.
    pub(super) fn ty(self) -> Type {
        match self {
            Class::W => Type::I32,
            Class::L => Type::I64,
            Class::S => Type::F32,
            Class::D => Type::F64,
        }
    }
    /// Returns the letter of the class.
    pub(super) fn letter(self) -> char {
        match self {
            Class::W => 'w',
            Class::L => 'l',
            Class::S => 's',
            Class::D => 'd',
        }
    }
}
