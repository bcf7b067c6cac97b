//! All integration tests of `lir-import`: one program, since linking takes longer than most of them.

#[path = "../../../support/lir-cli/tests/each/mod.rs"]
mod each;
mod import_tool;
mod translations;
