//! Jump tables: GNU as makes the same relocations for them as the object, from functions in several sections.

use super::{Compiled, MODELS};
use lir_llc::output::elf;
use lir_opt::Level;
use lir_testing::process::output_of;
use std::path::Path;
use std::process::Command;

const TEXT: &str = r#"
const data @before align 32 = { i8 1 }
func @"a name"(%x: i32) -> i32 section "elsewhere" {
entry:
  switch i32 %x, e [0: a, 1: b, 2: c, 3: d, 4: e, 5: a, 6: b]
a:
  ret 1
b:
  ret 2
c:
  ret 3
d:
  ret 4
e:
  ret 5
}
func @f(%x: i64) -> f64 {
entry:
  switch i64 %x, d [10: a, 11: b, 12: c, 13: d, 14: a, 15: b, 1000: a, 1001: b, 1002: d, 1003: c, 1004: b, 1005: a]
a:
  ret 1.5
b:
  ret 2.5
c:
  ret 3.5
d:
  ret 4.5
}
"#;

/// The relocations of `.rodata`: offset, type, symbol and addend.
fn relocations(object: &Path) -> Vec<Vec<String>> {
    let text = output_of(Command::new("readelf").arg("-rW").arg(object));
    let (_, section) = text.split_once("'.rela.rodata'").expect("there are some");
    let section = section.split("\n\n").next().expect("its end");
    let words = |line: &str| line.split_whitespace().map(str::to_string).collect::<Vec<_>>();
    let all: Vec<Vec<String>> = section.lines().skip(2).map(words).collect();
    // Without the number of the symbol.
    all.into_iter().map(|w| [&w[0], &w[2], &w[4], &w[6]].map(String::clone).to_vec()).collect()
}

#[test]
fn tables_have_the_relocations_of_the_object() {
    for model in MODELS {
        for level in [Level::O0, Level::O2] {
            let folder = tempfile::tempdir().expect("a folder");
            let compiled = Compiled::new(TEXT, level, model);
            let assembled = compiled.assemble(folder.path(), "x", |t| t);
            let written = folder.path().join("ours.o");
            let object = elf::write_module(&compiled.module, &compiled.code, &elf::ObjectOptions::default());
            std::fs::write(&written, object.expect("an object")).expect("written");
            let ours = relocations(&written);
            assert_eq!(ours, relocations(&assembled));
            assert_eq!(compiled.code.code.tables.len(), 3);
            assert_eq!(ours.len(), 7 + 6 + 6);
            assert!(ours.iter().all(|r| r[1] == "R_X86_64_PC32"), "{ours:?}");
        }
    }
}
