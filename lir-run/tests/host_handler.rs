//! Runs the example of a host that has signal handlers, in a process of its own.

use crate::own_process;

#[path = "../examples/host_handler.rs"]
mod example;

#[test]
fn a_host_keeps_its_handlers() {
    if !own_process::passes(a_host_keeps_its_handlers) {
        example::main();
    }
}
