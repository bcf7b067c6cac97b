//! The LIR intermediate representation: its text, its data structures, its rules and its meaning.
//!
//! The path through this crate is `text --parser--> ir::Module --verifier--> ir::Module --printer--> text`.
//!
//! * [`ir`]: what a module, a function and an instruction are; the opcode table; control flow and dominators.
//! * [`parser`], [`printer`]: text to module and back.
//! * [`verifier`]: the rules that a module keeps.
//! * [`text`]: sources, diagnostics, suggestions, and the test lines in comments.
//! * [`semantics`]: what every pure operation computes, shared by the constant folder, the interpreter and the tests;
//!   it and the opcode table are those of the crate `lir-opcodes`.
//!
//! * [`libc`]: functions of the C library, for declarations with that attribute.
//! * [`abi`]: the System V calling convention, which the back end and the interpreter keep.
//!
//! Of the target machine this crate knows no more than that convention. Like every library here it never prints, never
//! reads the environment and never exits: errors are values.

#![forbid(unsafe_code)]

extern crate alloc;

pub mod abi;
pub mod check;
pub mod importer;
pub mod internal_error;
pub mod ir;
pub mod libc;
pub mod limits;
pub mod parallel;
pub mod parser;
pub mod printer;
pub mod text;
pub mod verifier;

pub use lir_opcodes::{named, semantics};
