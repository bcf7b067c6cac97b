//! A just-in-time compiler for Brainfuck: `brainfuck FILE` runs a program.

use lir::asm::variables::{Callee, Function, Int, Width};
use lir::asm::{Assembler, Label, Link, LinkedCode};
use std::error::Error;
use std::io::{Read, Write};

/// Cells of the tape. Programs must stay on it.
const CELLS: usize = 30_000;

extern "C" fn put(byte: u8) {
    _ = std::io::stdout().write_all(&[byte]);
}

/// The next byte of the input, or 0 at its end.
extern "C" fn get() -> u8 {
    let mut byte = [0];
    _ = std::io::stdin().read_exact(&mut byte);
    byte[0]
}

/// Adds to the current cell.
fn add(cell: &Int<'_>, n: i64) {
    cell.store(Width::U8, 0, &(cell.load(Width::U8, 0) + n));
}

/// Compiles a program to a function of the tape's address.
pub fn compile(program: &[u8], put: u64, get: u64) -> Result<(LinkedCode, Label), Box<dyn Error>> {
    let f = Function::begin(Assembler::new());
    let cell = f.int_argument(0);
    let mut loops = Vec::new();
    let mut rest = program;
    while let [first, ..] = rest {
        // Equal commands in a row are one.
        let count = rest.iter().take_while(|c| *c == first).count();
        let run = if b"+-<>".contains(first) { count } else { 1 };
        let n = run as i64;
        match first {
            b'+' => add(&cell, n),
            b'-' => add(&cell, -n),
            b'>' => cell.set(&cell + n),
            b'<' => cell.set(&cell - n),
            b'.' => drop(f.call(Callee::Address(put), &[&cell.load(Width::U8, 0)])),
            b',' => cell.store(Width::U8, 0, &f.call(Callee::Address(get), &[])),
            b'[' => {
                let mut l = f.begin_loop();
                f.exit_unless(&mut l, cell.load(Width::U8, 0).ne(0));
                loops.push(l);
            }
            b']' => f.end_loop(loops.pop().ok_or("`]` without `[`")?),
            _ => {}
        }
        rest = &rest[run..];
    }
    if !loops.is_empty() {
        return Err("`[` without `]`".into());
    }
    let (assembler, entry) = f.end();
    Ok((assembler.link()?, entry))
}

/// Compiles and runs a program.
pub fn run(program: &[u8], put: u64, get: u64) -> Result<(), Box<dyn Error>> {
    let (code, entry) = compile(program, put, get)?;
    // SAFETY: it was compiled to a function of this type, and `code` lives as long as it runs.
    let main: extern "C" fn(*mut u8) = unsafe { code.function(entry) };
    main(vec![0; CELLS].as_mut_ptr());
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("usage: brainfuck FILE")?;
    run(&std::fs::read(file)?, put as *const () as u64, get as *const () as u64)
}
