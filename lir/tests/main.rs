//! All integration tests of `lir`: the crate as an embedder uses it.

mod assembler;
mod facade;
mod memory_variables;
mod misuse;
mod variables;
