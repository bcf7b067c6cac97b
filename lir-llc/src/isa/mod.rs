//! Instruction sets: all that knows a machine. There is one, [`x64`].

pub mod x64;
