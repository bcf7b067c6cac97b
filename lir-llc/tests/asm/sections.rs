//! Sections with their names, types, flags and alignments; data with its bytes.

use super::{Compiled, MODELS};
use lir_llc::options::RelocModel;
use lir_llc::output::elf;
use lir_opt::Level;
use lir_testing::process::output_of;
use std::process::Command;

const TEXT: &str = r#"
data @bytes align 32 = { i8 1, -1, i16 -2, 300, i32 -3, i64 -4, f32 0.5, f64 -nan(0x5), "a\"\\\n\00\ff end", zero 3 }
const data @ro = { i64 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 }
const data @relro = { i64 @bytes + 1, i64 @ro - 1, i64 @f }
thread data @tls = { i64 7 }
thread data @tls_zero align 64 = { zero 100 }
data @zero align 4096 = { zero 10000 }
data @same section "mine" = { i32 1 }
const data @other section "mine" = { i32 2 }
data @named section "my \"data\",x" "aw" = { i32 3 }
data @quiet section ".note.x" "" = { i32 4 }
data @retained section "kept" "awR" = { i32 5 }
data @excluded section "left_out" "e" = { i32 6 }
thread data @tls_named section ".tdata.x" = { i32 7 }
thread data @tls_named_zero section ".tbss.x" = { zero 8 }
data @bss_named section ".bss.x" = { zero 9 }
data @construct section ".init_array" = { i64 @init }
data @destruct section ".fini_array.5" = { i64 @init }
local data @hidden = { i32 8 }
weak data @weak = { i32 9 }
linkonce hidden const data @once = { i64 @optional }
protected data @protected = { i32 10, 11 }
weak protected data @both = { zero 4 }
extern data @part
alias @part = @protected + 4
extern weak hidden func @other_name() -> i32
alias @other_name = @f
extern weak func @optional()
local func @init() {
entry:
  ret
}
func @f() -> i32 section "code" {
entry:
  %x = load i32 [@hidden]
  ret %x
}
func @g() -> f64 section "code" "ax" {
entry:
  %x = load f32 [@bytes]
  %y = fneg f32 %x
  %z = fpext f32 %y to f64
  %w = fadd f64 %z, 1.5
  ret %w
}
"#;

/// Lines of `readelf` without numbers and offsets of sections, sorted.
fn described(object: &std::path::Path, what: &str, line: impl Fn(&[&str]) -> Option<String>) -> Vec<String> {
    let text = output_of(Command::new("readelf").arg(what).arg(object));
    let mut lines: Vec<String> =
        text.lines().filter_map(|l| line(&l.replace("[ ", "[").split_whitespace().collect::<Vec<_>>())).collect();
    lines.sort();
    lines
}

#[test]
fn sections_and_symbols_are_those_of_the_object() {
    for model in MODELS {
        let folder = tempfile::tempdir().expect("a folder");
        let compiled = Compiled::new(TEXT, Level::O0, model);
        let assembled = compiled.assemble(folder.path(), "x", |t| t);
        let written = folder.path().join("ours.o");
        let object = elf::write_module(&compiled.module, &compiled.code, &elf::ObjectOptions::default());
        std::fs::write(&written, object.expect("an object")).expect("written");
        // Number, value, size, type, binding, visibility, section, name.
        let symbol = |words: &[&str]| match words {
            [_, _, size, kind @ ("FUNC" | "OBJECT" | "TLS"), bind, visibility, _, name @ ..] => {
                Some(format!("{} {size} {kind} {bind} {visibility}", name.join(" ")))
            }
            [.., "WEAK", visibility, "UND", name] => Some(format!("{name} UND WEAK {visibility}")),
            _ => None,
        };
        assert_eq!(described(&assembled, "-sW", symbol), described(&written, "-sW", symbol));
        // Name (of one word), type, address, offset, size, entry size, flags, link, info, alignment.
        let section = |words: &[&str]| match words {
            [number, name, kind, _, _, size, _, flags, _, _, align] if number.starts_with('[') => {
                let ours = !matches!(*kind, "RELA" | "SYMTAB" | "STRTAB") && *name != ".eh_frame";
                // GNU as has standard sections even if they are empty.
                (ours && !(*size == "000000" && *align == "1")).then(|| format!("{name} {kind} {size} {flags} {align}"))
            }
            _ => None,
        };
        let sections = described(&assembled, "-SW", section);
        assert_eq!(sections, described(&written, "-SW", section));
        assert!(sections.len() > 12, "{sections:#?}");
        for section in [".data", ".rodata", ".data.rel.ro", ".tdata", "mine", "kept", "code"] {
            let bytes = |object: &std::path::Path| {
                let file = folder.path().join("section");
                output_of(Command::new("objcopy").args(["-O", "binary", "-j", section]).arg(object).arg(&file));
                std::fs::read(&file).expect("read")
            };
            let (ours, theirs) = (bytes(&written), bytes(&assembled));
            // Between functions we have zeros, and GNU as has the bytes of the directive.
            let same = ours.iter().zip(&theirs).all(|(a, b)| a == b || (section == "code" && *b == 0xcc));
            assert!(same && ours.len() == theirs.len(), "{section}: {ours:x?} {theirs:x?}");
        }
    }
}

#[test]
fn flags_that_lir_lacks_are_located() {
    let text = "data @x section \"s\" \"aM\" = { i32 1 }\n";
    let error = Compiled::new(text, Level::O0, RelocModel::Pie).assembly().unwrap_err();
    assert!(error.starts_with("test.lir:1:6: error: unsupported section flag `M`"), "{error}");
}
