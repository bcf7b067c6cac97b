//! The tool `lir-import` as users run it.

#[path = "../../../support/lir-cli/tests/contract/mod.rs"]
mod tool_contract;

#[test]
fn files_options_and_outputs() {
    tool_contract::Contract {
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
