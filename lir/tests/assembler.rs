//! The assembler as an embedder calls it.

#[allow(dead_code, reason = "an example with a command line")]
#[path = "../examples/brainfuck.rs"]
mod brainfuck;
#[path = "../examples/variables.rs"]
mod variables_example;

use std::sync::Mutex;

static OUTPUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());

extern "C" fn put(byte: u8) {
    OUTPUT.lock().unwrap().push(byte);
}

extern "C" fn get() -> u8 {
    b'?'
}

#[test]
fn the_examples_of_the_article_run() {
    variables_example::main().unwrap();
}

#[test]
fn a_brainfuck_program_runs() {
    const HELLO: &[u8] = b"++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.>>.<-.<.+++.------.\
                           --------.>>+.>++. ,.";
    brainfuck::run(HELLO, put as *const () as u64, get as *const () as u64).unwrap();
    assert_eq!(String::from_utf8_lossy(&OUTPUT.lock().unwrap()), "Hello World!\n?");
    assert!(brainfuck::compile(b"[", 0, 0).is_err() && brainfuck::compile(b"]", 0, 0).is_err());
}
