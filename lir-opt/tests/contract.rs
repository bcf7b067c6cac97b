//! The tool `lir-opt` on wrong files, wrong options and outputs that cannot be written.

use lir_testing::contract::Contract;

#[test]
fn files_options_and_outputs() {
    Contract {
        binary: env!("CARGO_BIN_EXE_lir-opt"),
        arguments: &[],
        right: "func @main() -> i32 {\nentry:\n  ret 0\n}\n",
        wrong: "func @f() {\nentry:\n  oops\n  oops\n  oops\n  ret\n}\n",
        input: 1,
        usage: 2,
        ending: Some(".lir"),
        jobs: true,
    }
    .holds();
}
