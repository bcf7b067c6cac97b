//! `lir-opt` with a pass of one's own.

fn main() -> std::process::ExitCode {
    lir_cli::main(own_opt::own_opt)
}
