//! Compares the code of the kernels by GNU as and by our encoder. Both must be the same instructions with the same
//! operands; the bytes may differ only in instructions on two registers that have two opcodes, one for each direction.

use super::Compiled;
use iced_x86::{Decoder, DecoderOptions, Formatter, Instruction, IntelFormatter, OpKind};
use lir_llc::isa::x64::Cpu;
use lir_llc::options::RelocModel;
use lir_opt::Level;
use lir_testing::files::{kernels, module_of, stem};
use lir_testing::process::output_of;
use std::process::Command;

/// The text of an instruction, and whether all its operands are registers.
fn describe(i: &Instruction) -> (String, bool) {
    let mut text = String::new();
    IntelFormatter::new().format(i, &mut text);
    (text, (0..i.op_count()).all(|k| i.op_kind(k) == OpKind::Register))
}

#[test]
fn gnu_as_has_the_same_instructions() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut count, mut other) = (0, 0);
    for path in kernels() {
        let (name, text) = (stem(&path), module_of(&path).unwrap().to_string());
        for (level, cpu) in [(Level::O0, Cpu::V1), (Level::O2, Cpu::V1), (Level::O2, Cpu::V3)] {
            let compiled = Compiled::for_cpu(&text, level, RelocModel::Pie, cpu);
            let object = compiled.assemble(folder.path(), &name, |text| text);
            let section = folder.path().join("text");
            output_of(Command::new("objcopy").args(["-O", "binary", "-j", ".text"]).arg(object).arg(&section));
            let (mut ours, mut theirs) =
                (compiled.code.code.bytes().to_vec(), std::fs::read(&section).expect("the section"));
            assert_eq!(ours.len(), theirs.len(), "{name}: length of the code");
            for r in &compiled.code.code.relocs {
                let field = r.offset as usize..r.offset as usize + 4;
                ours[field.clone()].fill(0);
                theirs[field].fill(0);
            }
            let decode = |bytes| Decoder::with_ip(64, bytes, 0, DecoderOptions::NONE);
            for (a, b) in decode(&ours).into_iter().zip(decode(&theirs)) {
                let ((text_a, registers), (text_b, _)) = (describe(&a), describe(&b));
                assert_eq!((a.ip(), text_a), (b.ip(), text_b), "{name}");
                let same = ours[a.ip() as usize..][..a.len()] == theirs[b.ip() as usize..][..b.len()];
                assert!(same || registers, "{name}: {:?} and {:?}", a.code(), b.code());
                count += 1;
                other += !same as u32;
            }
        }
    }
    assert!(count > 5_000 && other > 0, "{count} instructions, {other} in the other direction");
}

#[test]
fn with_the_direction_said_gnu_as_has_the_same_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    for path in kernels() {
        let (name, text) = (stem(&path), module_of(&path).unwrap().to_string());
        let compiled = Compiled::new(&text, Level::O2, RelocModel::Pie);
        let object = compiled.assemble(folder.path(), &name, |text| {
            let text = String::from_utf8(text).expect("text");
            let lines = text
                .lines()
                .map(|line| if takes_direction(line) { format!("\t{{load}}{line}\n") } else { format!("{line}\n") });
            lines.collect::<String>().into_bytes()
        });
        let section = folder.path().join("text");
        output_of(Command::new("objcopy").args(["-O", "binary", "-j", ".text"]).arg(object).arg(&section));
        let (mut ours, mut theirs) =
            (compiled.code.code.bytes().to_vec(), std::fs::read(&section).expect("the section"));
        for r in &compiled.code.code.relocs {
            ours[r.offset as usize..r.offset as usize + 4].fill(0);
            theirs[r.offset as usize..r.offset as usize + 4].fill(0);
        }
        assert!(ours == theirs, "{name}");
    }
}

/// Whether a line is an instruction that GNU as encodes in the direction of a store if none is given.
fn takes_direction(line: &str) -> bool {
    let words = ["mov ", "add ", "sub ", "and ", "or ", "xor ", "cmp "];
    line.strip_prefix('\t').is_some_and(|rest| words.iter().any(|w| rest.starts_with(w)) && !rest.contains('['))
}
