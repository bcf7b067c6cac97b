//! The LIR intermediate representation: its text, its data structures, its rules and its meaning.
//!
//! The path through this crate is `text --parser--> ir::Module --verifier--> ir::Module --printer--> text`.
//!
//! * [`ir`]: modules, functions and instructions; the opcode table; control flow and dominators.
//! * [`parser`], [`printer`]: text to module and back.
//! * [`verifier`]: the rules that a module obeys.
//! * [`text`]: sources, diagnostics, suggestions, and the test lines in comments.
//! * [`semantics`]: the result of every pure operation, shared by the constant folder, the interpreter and the tests;
//!   it and the opcode table are from the crate `lir-opcodes`.
//!
//! * [`libc`]: functions of the C library, for declarations with that attribute.
//! * [`abi`]: the System V calling convention, which the back end and the interpreter follow.
//!
//! This crate knows no more of the target machine than that convention. Like every library here it never prints, never
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
