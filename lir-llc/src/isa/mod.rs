//! Instruction sets: the code that depends on the machine. There is one, [`x64`]; `README.md` lists the parts of a new
//! one.

pub mod x64;
