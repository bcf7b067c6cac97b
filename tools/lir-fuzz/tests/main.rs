//! All integration tests of `lir-fuzz`: one program, for linking takes longer than most of them.

mod fuzz;
mod fuzz_tool;
mod llvm;
