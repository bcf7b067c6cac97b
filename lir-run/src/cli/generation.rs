//! Code generation alone, as the reproducer of an internal error repeats it.

use super::Options;
use clap::CommandFactory;
use lir_llc::cli::code_generation;
use lir_opt::cli::reproducer::Generation;

impl Options {
    /// Returns code generation as these options ask for it.
    pub(super) fn generation(&self) -> Generation {
        let generate = code_generation(self.compile_options(1));
        Generation { generate, options: Options::command, left_out: &[], added: &[] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use std::ffi::OsString;

    #[test]
    fn the_command_of_a_reproducer_has_no_arguments_of_the_program() {
        for (line, alone) in [
            ("lir-run -O2 in.lir -- 5 -O x -o y", "lir-run -O0"),
            (
                "lir-run --regs=8 -lm -O1 in.lir -l x --call @f(-1) --call @g()",
                "lir-run -O0 -lm -lx '--call=@f(-1)' '--call=@g()' --regs=8",
            ),
        ] {
            let arguments: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let options = Options::try_parse_from(&arguments).unwrap_or_else(|e| panic!("{line}: {e}"));
            assert_eq!(options.generation().command(&arguments).as_deref(), Some(alone), "{line}");
        }
    }
}
