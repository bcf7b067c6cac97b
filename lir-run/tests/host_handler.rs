//! Runs the example of a host that has signal handlers, in a process of its own.

#[path = "../examples/host_handler.rs"]
mod host_handler;

#[test]
fn a_host_keeps_its_handlers() {
    host_handler::main();
}
