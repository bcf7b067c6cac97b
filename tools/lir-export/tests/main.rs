//! All integration tests of `lir-export`: one program, since linking takes longer than most of them.

mod export_tool;
mod exports;
mod llvm;
mod programs;
