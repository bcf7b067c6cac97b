//! The tool `lir-import` as users run it.

use lir_testing::contract::Contract;

#[test]
fn files_options_and_outputs() {
    Contract {
        binary: env!("CARGO_BIN_EXE_lir-import"),
        arguments: &["qbe"],
        right: "export function w $main() {\n@start\n\tret 0\n}\n",
        wrong: "function $f() {\n@start\n\toops 1\n\toops 2\n\toops 3\n\tret\n}\n",
        input: 1,
        usage: 2,
        ending: Some(".lir"),
        jobs: false,
    }
    .holds();
}
