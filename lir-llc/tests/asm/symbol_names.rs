//! Symbols with every name that GNU as could misread, and with every byte.

use super::{Compiled, MODELS};
use lir_llc::options::RelocModel;
use lir_opt::Level;
use lir_testing::process::output_of;
use std::fmt::Write;
use std::process::Command;

/// Registers, operators and sizes of Intel syntax.
const WORDS: &[&str] = &[
    "al", "cl", "dl", "bl", "ah", "ch", "dh", "bh", "spl", "bpl", "sil", "dil", "ax", "cx", "dx", "bx", "sp", "bp",
    "si", "di", "eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi", "rax", "rcx", "rdx", "rbx", "rsp", "rbp",
    "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "r8b", "r9w", "r10d", "r15d", "r16", "r31d",
    "ip", "eip", "rip", "eiz", "riz", "cs", "ds", "es", "fs", "gs", "ss", "st", "st0", "st7", "mm0", "mm7", "xmm0",
    "xmm15", "xmm31", "ymm0", "zmm31", "tmm0", "k0", "k7", "cr0", "cr8", "dr7", "db3", "tr3", "bnd0", "flat", "and",
    "or", "xor", "not", "mod", "shl", "shr", "eq", "ne", "lt", "le", "gt", "ge", "offset", "ptr", "byte", "word",
    "dword", "qword", "fword", "tbyte", "oword", "mmword", "xmmword", "ymmword", "zmmword", "near", "far", "short",
    "type", "size", "length", "high", "low", "Dup", "bcst", "RAX", "Offset", "BYTE", "St",
];

/// Directives, labels and characters of the assembler.
const NAMES: &[&str] = &[
    "mov", "ret", "rep", "lock", "data16", "rex", "cfi_startproc", ".quad", ".reloc", ".", ".L", ".L0_1",
    ".LC3ff0000000000000", "0", "1f", "0b", "12", "a b", "q\\\"q", "b\\\\s", "a,b;c#d/*e", "$x", "%raxx", "%",
    "%offset1", "a$b", "-", "+1", "(x)", "[rax]", "x{y}", "*", "'", "a'b", "!", "=", ":", "a:", "~", "?", "\u{e9}",
    "\u{4e2d}\u{6587}",
];

/// The names with a number that each gives.
fn numbered() -> impl Iterator<Item = (usize, &'static str)> {
    WORDS.iter().chain(NAMES).enumerate().map(|(k, name)| (k + 1, *name))
}

/// Defines every name: as a function, as data, and as thread data in turn.
fn definitions() -> String {
    let definition = |(k, name)| match k % 3 {
        0 => format!("func @\"{name}\"() -> i64 {{\nentry:\n  ret {k}\n}}\n"),
        1 => format!("data @\"{name}\" = {{ i64 0, {k} }}\n"),
        _ => format!("thread data @\"{name}\" = {{ i64 0, {k} }}\n"),
    };
    numbered().map(definition).collect()
}

fn declarations() -> String {
    let declaration = |(k, name)| match k % 3 {
        0 => format!("extern func @\"{name}\"() -> i64\n"),
        1 => format!("extern data @\"{name}\"\n"),
        _ => format!("extern thread data @\"{name}\"\n"),
    };
    numbered().map(declaration).collect()
}

/// A function that uses every name in every way, and returns the number of the first with a wrong result, or 0.
fn user(function: &str) -> String {
    let mut text = String::new();
    for (k, name) in numbered().filter(|(k, _)| k % 3 != 2) {
        let offset = if k % 3 == 1 { " + 8" } else { "" };
        writeln!(text, "data @\"{function}.address.{k}\" = {{ i64 @\"{name}\"{offset} }}").expect("text");
    }
    writeln!(text, "func @{function}() -> i32 {{\nentry:\n  jmp b1").expect("text");
    for (k, name) in numbered() {
        writeln!(text, "b{k}:").expect("text");
        match k % 3 {
            0 => write!(text, "  %a{k} = call i64 @\"{name}\"()\n  %p{k} = load i64 [@\"{function}.address.{k}\"]\n  %b{k} = call i64 %p{k}()\n  %l{k} = lea [@\"{name}\"]\n  %d{k} = sub i64 %l{k}, %p{k}\n"),
            1 => write!(text, "  %a{k} = load i64 [@\"{name}\" + 8]\n  store i64 [@\"{name}\"], 77\n  %p{k} = load i64 [@\"{function}.address.{k}\"]\n  %b{k} = load i64 [%p{k}]\n  %l{k} = lea [@\"{name}\" + 8]\n  %d{k} = sub i64 %l{k}, %p{k}\n"),
            _ => write!(text, "  %a{k} = load i64 [@\"{name}\" + 8]\n  %p{k} = lea [@\"{name}\"]\n  %b{k} = load i64 [%p{k} + 8]\n  %d{k} = const i64 0\n"),
        }
        .expect("text");
        let next = k + 1;
        writeln!(text, "  guard eq i64 %a{k}, {k}, wrong{k}\n  guard eq i64 %b{k}, {k}, wrong{k}\n  guard eq i64 %d{k}, 0, wrong{k}\n  jmp b{next}\nwrong{k}:\n  ret {k}").expect("text");
    }
    writeln!(text, "b{}:\n  ret 0\n}}", WORDS.len() + NAMES.len() + 1).expect("text");
    text
}

#[test]
fn every_name_is_read_back() {
    for model in MODELS {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path();
        // Uses in the defining file, and uses from another file.
        let inner = Compiled::new(&(definitions() + &user("inner")), Level::O0, model).assemble(path, "inner", |t| t);
        let calls = "extern func @inner() -> i32\nfunc @main() -> i32 {\nentry:\n  %a = call i32 @inner()\n  %b = call i32 @outer()\n  %c = or i32 %a, %b\n  ret %c\n}\n";
        let outer =
            Compiled::new(&(declarations() + &user("outer") + calls), Level::O0, model).assemble(path, "outer", |t| t);
        let flags: &[&str] = match model {
            RelocModel::Static => &["-no-pie"],
            _ => &["-pie", "-Wl,-z,text"],
        };
        output_of(Command::new("cc").current_dir(path).args([inner, outer]).args(["-o", "main"]).args(flags));
        output_of(&mut Command::new(path.join("main")));
        if model == RelocModel::Pic {
            output_of(
                Command::new("cc").current_dir(path).args(["-shared", "-Wl,-z,text", "inner.o", "-o", "libinner.so"]),
            );
            output_of(
                Command::new("cc")
                    .current_dir(path)
                    .args(["outer.o", "-L.", "-linner", "-Wl,-rpath,.", "-o", "dynamic"]),
            );
            output_of(Command::new("./dynamic").current_dir(path));
        }
    }
}

#[test]
fn a_name_may_have_every_byte_but_a_line_end() {
    for byte in 1..=255u8 {
        let text = format!("func @\"a\\{byte:02x}b\"() {{\nentry:\n  call @\"a\\{byte:02x}b\"()\n  ret\n}}\n");
        let compiled = Compiled::new(&text, Level::O0, RelocModel::Pie);
        if byte == b'\n' {
            assert_eq!(
                compiled.assembly().unwrap_err().lines().next(),
                Some(
                    "test.lir:1:6: error: GNU as has no way to write a symbol with a line end in its name: make an object instead"
                )
            );
            continue;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let object = std::fs::read(compiled.assemble(folder.path(), "x", |t| t)).expect("read");
        let name = [0, b'a', byte, b'b', 0];
        assert!(object.windows(name.len()).any(|w| w == name), "{byte:#x}");
    }
}

#[test]
fn suffixes_of_relocations_are_parts_of_names() {
    // Linkers take the text after the `@` as a version, so this is not linked.
    for name in ["x@PLT", "@", "x@GOTPCREL[rip]", "x@tpoff"] {
        let text = format!(
            "extern func @\"{name}\"()\ndata @p = {{ i64 @\"{name}\" }}\n\
             func @f() {{\nentry:\n  call @\"{name}\"()\n  ret\n}}\n"
        );
        let folder = tempfile::tempdir().expect("a folder");
        let object = Compiled::new(&text, Level::O0, RelocModel::Pie).assemble(folder.path(), "x", |t| t);
        let relocations = output_of(Command::new("readelf").arg("-rW").arg(object));
        let named = relocations.lines().filter(|l| l.contains(&format!(" {name} ")));
        assert_eq!(named.count(), 2, "{relocations}");
    }
}

#[test]
fn text_that_gnu_as_rejects_is_a_located_error() {
    let error = |text: &str| Compiled::new(text, Level::O0, RelocModel::Pie).assembly().unwrap_err();
    let start = |position: &str| format!("test.lir:{position}: error: GNU as has no way to write a symbol with ");
    assert!(error("data @\"%rax\" = { i8 1 }\n").starts_with(&(start("1:6") + "the name of a register")));
    assert!(error("data @x section \"x\" = { i8 1 }\n").starts_with(&(start("1:6") + "the name of a section")));
    assert!(
        error("data @x = { i8 1 }\ndata @.text = { i8 1 }\n").starts_with(&(start("2:6") + "the name of a section"))
    );
    let local = "local func @fmod(%x: f64) -> f64 {\nentry:\n  ret %x\n}\n";
    assert!(Compiled::new(local, Level::O0, RelocModel::Pie).assembly().is_ok());
    let called = "local func @fma(%x: f64) -> f64 {\nentry:\n  %y = fma f64 %x, %x, %x\n  ret %y\n}\n";
    assert!(error(called).starts_with(&(start("1:12") + "the name of a run-time function that the code calls")));
}
