//! Code generation alone, as the reproducer of an internal error repeats it.

use super::{Emit, Options};
use crate::compile::compile_until;
use crate::options::CompileOptions;
use crate::stages::Until;
use clap::CommandFactory;
use lir_opt::cli::reproducer::Generation;
use lir_opt::pipeline::watch::Watchers;
use lir_syntax::ir::Module;

impl Options {
    /// Returns code generation as these options ask for it. The command writes the same kind of output to no file.
    pub(super) fn generation(&self, emit: Emit, compile_options: CompileOptions) -> Generation {
        let added: &[&str] = match emit {
            _ if self.compare_regalloc => &[],
            Emit::Bin if self.flat.has_map() => &["-o", "/dev/null", "--emit=bin", "--emit-map=-"],
            Emit::Bin => &["-o", "/dev/null", "--emit=bin"],
            Emit::Obj => &["-o", "/dev/null", "--emit=obj"],
            Emit::Asm => &["-o", "/dev/null", "--emit=asm"],
            Emit::Mir => &["-o", "/dev/null", "--emit=mir"],
        };
        let generate = code_generation(compile_options);
        Generation { generate, options: Options::command, left_out: &["emit", "emit_map"], added }
    }
}

/// Code generation with these options, to be repeated after an internal error.
pub fn code_generation(options: CompileOptions) -> Box<dyn Fn(&mut Module) + Send> {
    Box::new(move |module| {
        let options = CompileOptions { threads: 1, ..options };
        // An error in the input is no internal error.
        let _ = compile_until(module, &options, Until::Emitted, &mut Watchers::new(), &mut Vec::new());
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use std::ffi::OsString;

    /// The command of a reproducer, for a command line.
    fn command(line: &str) -> String {
        let arguments: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let options = Options::try_parse_from(&arguments).unwrap_or_else(|e| panic!("{line}: {e}"));
        let emit = options.emit();
        let generation = options.generation(emit, options.compile_options(emit, 1));
        let command = generation.command(&arguments).unwrap_or_else(|| panic!("{line}: there is no command"));
        let again = Options::try_parse_from(command.split(' ').chain(["in.lir"]));
        let again = again.unwrap_or_else(|e| panic!("{command}: {e}"));
        assert!(
            again.emit() == emit && again.check_flat(emit).and_then(|()| again.check_text(emit)).is_ok(),
            "{command}"
        );
        command
    }

    #[test]
    fn the_command_of_a_reproducer_is_valid_and_writes_no_file() {
        for (line, alone) in [
            ("lir-llc -O2 in.lir", "-o /dev/null --emit=bin"),
            ("lir-llc -gO2 in.lir -oout.o", "-o /dev/null --emit=obj --debug-info"),
            ("lir-llc -O 2 --output out.s --regalloc fast in.lir", "-o /dev/null --emit=asm --regalloc=fast"),
            ("lir-llc -O1 --disasm --show-regs in.lir", "-o /dev/null --emit=obj --disasm --show-regs=before"),
            ("lir-llc -g --emit-map map -o out.bin in.lir", "-o /dev/null --emit=bin --emit-map=- --debug-info"),
            ("lir-llc --stop-after=isel in.lir --fuel -1", "-o /dev/null --emit=mir --stop-after=isel"),
            ("lir-llc -O2 --opt-bisect-limit=40 --print-after=gvn#2 --explain=%x in.lir", "-o /dev/null --emit=bin"),
            ("lir-llc -O2 --remarks in.json --bisect in.sh in.lir", "-o /dev/null --emit=bin"),
            ("lir-llc -O2 --compare-regalloc in.lir", "--compare-regalloc"),
        ] {
            assert_eq!(command(line), format!("lir-llc -O0 {alone}"), "{line}");
        }
    }
}
