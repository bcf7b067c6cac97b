//! Instruction sets: all that knows a machine. There is one, [`x64`]; `README.md` says what a second one brings.

pub mod x64;
