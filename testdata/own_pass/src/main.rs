//! `lir-opt` with an additional pass.

fn main() -> std::process::ExitCode {
    lir_cli::main(own_opt::own_opt)
}
