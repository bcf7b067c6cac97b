//! All integration tests of `lir-reduce`: one program, for linking takes longer than most of them.

mod reduce;
