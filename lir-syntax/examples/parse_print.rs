//! Parses a file and prints its canonical text, for measuring: `parse_print FILE [THREADS] [print]`.

use lir_syntax::diagnostic::render;
use lir_syntax::parser::{ParseOptions, parse};
use lir_syntax::printer::print_module;
use lir_syntax::source::Source;
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let name = args.next().expect("the name of a file");
    let threads = args.next().and_then(|n| n.parse().ok()).unwrap_or(1);
    let text = std::fs::read_to_string(&name).expect("a readable file");
    let source = Source { name, text };
    match parse(&source, &ParseOptions { threads, ..ParseOptions::default() }) {
        Ok(module) => {
            if args.next().is_some() {
                let mut out = Vec::new();
                print_module(&module, &mut out);
                std::io::stdout().write_all(&out).expect("standard output takes the text");
            }
            ExitCode::SUCCESS
        }
        Err(errors) => {
            eprint!("{}", render(&source, &errors));
            ExitCode::FAILURE
        }
    }
}
