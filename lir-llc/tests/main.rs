//! All integration tests of `lir-llc`: one program, since linking takes longer than most of them.

mod aggregates;
mod asm;
mod bisect;
mod cli;
mod contract;
mod debug_info;
mod emit;
mod encode;
mod exceptions;
mod flat;
mod linkage;
mod listings;
mod machine_level;
mod misbuilt;
mod reasons;
mod rust;
mod stages;
mod unwind;
mod wide;
