//! All integration tests of `lir-run` except the run lines of files: one program, since linking takes longer than most
//! of them.

mod aliasing;
mod backtraces;
mod cli;
mod command_line;
mod contract;
mod corner_cases;
mod debuggers;
mod division;
mod engine;
mod exceptions;
mod exit_handlers;
mod flat;
mod host_faults;
mod host_handler;
mod identity;
mod interp;
mod own_process;
mod programs;
mod random_modules;
mod signal_handlers;
mod stack;
mod steady_registers;
mod stepping;
mod threads;
mod tool;
mod trace_backtraces;
mod trace_frames;
mod trace_jumps;
mod trace_limits;
mod trace_links;
mod trace_texts;
mod trace_viewers;
mod traces;
mod traps;
mod unwind;
