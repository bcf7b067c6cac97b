//! All integration tests of `lir-import`: one program, since linking takes longer than most of them.

mod import_tool;
mod translations;
