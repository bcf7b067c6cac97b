//! The tool `lir-opt` on wrong files, wrong options and outputs that cannot be written.

use lir_testing::contract::Contract;

#[test]
fn files_options_and_outputs() {
    Contract::of_lir(env!("CARGO_BIN_EXE_lir-opt"), (1, 2), Some(".lir")).holds();
}
