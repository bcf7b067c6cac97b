//! All integration tests of `lir-syntax`: one program, since linking takes longer than most of them.

mod assignment;
mod corner_cases;
mod dominators;
mod graphs;
mod growth;
mod manual;
mod misbuilt;
mod syntax;
mod text_forms;
mod verifier;
