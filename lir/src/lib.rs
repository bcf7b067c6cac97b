//! LIR for compilers and JITs: one interface to building, parsing, optimising, compiling and calling.
//!
//! ```
#![doc = include_str!("../examples/squares.rs")]
//! ```
//!
//! [`Module`] is built by [`Module::function`] or read by [`Module::parse`]; [`Module::optimize`] runs a level of
//! passes; [`Module::compile`] makes it a [`Jit`], whose functions are called by name, and [`Module::object`] an ELF
//! object. gdb sees the code by [`Module::compile_for_gdb`], `perf` by a [`Dump`] or a [`PerfMap`]. Everything else is
//! done with the crates below: [`Module::ir`] gives the module that they work on.
//!
//! Functions are found by their names at every step: passes number functions anew when they remove some, so former ids
//! are invalid.

#![forbid(unsafe_code)]

pub mod asm;
mod error;
mod jit;
mod module;

pub use error::{Diagnostic, Error};
pub use jit::Jit;
pub use lir_opt::Level;
pub use lir_run::jit::jitdump::Dump;
pub use lir_run::jit::perf_map::PerfMap;
pub use lir_run::value::Value;
pub use lir_syntax::ir::builder::Guarded;
pub use lir_syntax::ir::{Base, Block, FloatCC, IntCC, Mem, Obj, Reg, Type};
pub use module::{FunctionBody, Module};
