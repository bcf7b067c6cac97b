//! All integration tests of `lir`: the crate as an embedder uses it.

mod assembler;
mod facade;
mod misuse;
mod places;
mod variables;
