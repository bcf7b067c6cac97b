//! Blocks and jumps.

use super::build::Build;
use iced_x86::{Decoder, DecoderOptions, Mnemonic};
use lir_llc::isa::x64::emit::{CodeBuffer, EmitOptions};
use lir_llc::isa::x64::registers::{RAX, RDI};
use lir_llc::isa::x64::{Cond, op};
use lir_llc::mir::{Form, MInst, Size};
use std::time::Instant;

/// `mov eax, n`, 5 bytes.
fn filler(b: &mut Build, count: u32) {
    let d = b.reg(RAX);
    for _ in 0..count {
        b.push(MInst::new(op::Mov, Form::DI, Size::S32).d(d).imm(1));
    }
}

#[test]
fn jumps_to_the_next_block_vanish_and_conditions_are_turned() {
    let mut b = Build::new();
    b.jcc(Cond::E, 1, 2);
    b.block();
    filler(&mut b, 1);
    b.jmp(3);
    b.block();
    filler(&mut b, 2);
    b.jmp(3);
    b.block();
    b.jcc(Cond::L, 0, 1);
    insta::assert_snapshot!(b.listing());
}

#[test]
fn conditions_of_two() {
    for (name, c) in [("ordered_equal", Cond::OrdEq), ("unordered_not_equal", Cond::UnordNe)] {
        let mut b = Build::new();
        b.jcc(c, 1, 2);
        b.block();
        filler(&mut b, 1);
        b.jcc(c, 3, 2);
        b.block();
        filler(&mut b, 2);
        b.jcc(c, 0, 1);
        b.block();
        b.ret();
        insta::assert_snapshot!(name, b.listing());
    }
}

#[test]
fn empty_blocks_are_threaded() {
    let mut b = Build::new();
    b.jcc(Cond::E, 1, 3);
    b.block();
    b.jmp(2);
    b.block();
    b.jmp(4);
    b.block();
    filler(&mut b, 1);
    b.jmp(4);
    b.block();
    b.ret();
    insta::assert_snapshot!("chain", b.listing());
    let mut b = Build::new();
    b.jcc(Cond::E, 1, 3);
    b.block();
    b.jmp(2);
    b.block();
    b.jmp(1);
    b.block();
    b.ret();
    insta::assert_snapshot!("endless", b.listing());
    let mut b = Build::new();
    b.jcc(Cond::E, 1, 2);
    b.block();
    b.jmp(3);
    b.block();
    b.jmp(3);
    b.block();
    b.ret();
    assert_eq!(b.listing(), "  0  ret\n");
}

#[test]
fn an_empty_entry_keeps_its_prologue() {
    let mut b = Build::new();
    b.a.num_slots = 1;
    b.jmp(2);
    b.block();
    b.ret();
    b.block();
    b.jmp(1);
    insta::assert_snapshot!(b.listing());
}

/// A jump over `n` bytes, forward and backward; returns the lengths of the two.
fn lengths(n: u32) -> (usize, usize) {
    let mut b = Build::new();
    b.jcc(Cond::E, 2, 1);
    let d = b.reg(RDI);
    b.block();
    // Instructions of 5 bytes, then of 3 and 2 to make up the rest.
    let (fives, threes, twos) = match n % 5 {
        0 => (n / 5, 0, 0),
        1 => (n / 5 - 1, 2, 0),
        2 => (n / 5, 0, 1),
        3 => (n / 5, 1, 0),
        _ => (n / 5, 0, 2),
    };
    filler(&mut b, fives);
    for _ in 0..threes {
        b.push(MInst::new(op::Add, Form::DTI, Size::S32).d(d).a(d).imm(1));
    }
    for _ in 0..twos {
        b.push(MInst::new(op::Zero, Form::D, Size::S32).d(d));
    }
    b.jcc(Cond::NE, 1, 2);
    b.block();
    b.ret();
    let mut out = CodeBuffer::default();
    b.emit_to(&mut out, &EmitOptions::default()).expect("emitted");
    let branches: Vec<_> = Decoder::with_ip(64, out.bytes(), 0, DecoderOptions::NONE)
        .iter()
        .filter(|i| matches!(i.mnemonic(), Mnemonic::Je | Mnemonic::Jne))
        .collect();
    assert_eq!(branches[0].near_branch_target(), out.bytes().len() as u64 - 1);
    assert_eq!(branches[1].near_branch_target(), branches[0].len() as u64);
    (branches[0].len(), branches[1].len())
}

#[test]
fn jumps_are_short_exactly_as_far_as_they_reach() {
    // The forward jump spans the n bytes and the backward jump; the backward jump spans them and itself.
    assert_eq!(lengths(125), (2, 2));
    assert_eq!(lengths(126), (6, 2));
    assert_eq!(lengths(127), (6, 6));
    assert_eq!(lengths(1000), (6, 6));
}

/// A loop of `5 * body + 2` bytes after one of `5 * before` bytes: its offset, and the alignment of the function.
fn position_of_loop(before: u32, body: u32) -> (u32, u32) {
    let mut b = Build::new();
    filler(&mut b, before);
    b.jmp(1);
    b.block();
    b.f.blocks[1].loop_depth = 1;
    filler(&mut b, body);
    b.jcc(Cond::E, 1, 2);
    b.block();
    b.ret();
    let mut out = CodeBuffer::default();
    let options = EmitOptions { align_loops: true, positions: true, ..EmitOptions::default() };
    let code = b.emit_to(&mut out, &options).expect("emitted");
    // The header's first instruction is recorded at its offset, which is the target of the branch.
    let header = out.positions.iter().find(|p| p.inst == before + 1).expect("its position").offset;
    let branch = Decoder::with_ip(64, out.bytes(), 0, DecoderOptions::NONE)
        .iter()
        .find(|i| i.mnemonic() == Mnemonic::Je)
        .expect("a branch");
    assert_eq!(branch.near_branch_target(), u64::from(header));
    (header, code.align)
}

#[test]
fn short_loops_lie_in_one_line() {
    // The loop is in one line anyway, up to its last byte.
    assert_eq!(position_of_loop(1, 5), (5, 64));
    assert_eq!(position_of_loop(6, 6), (30, 64));
    // The loop is across two lines.
    assert_eq!(position_of_loop(7, 6), (64, 64));
    assert_eq!(position_of_loop(1, 12), (64, 64));
    assert_eq!(position_of_loop(20, 6), (128, 64));
    // The loop is too long for one line.
    assert_eq!(position_of_loop(1, 13), (5, 16));
}

#[test]
fn only_innermost_loops_are_moved() {
    let mut b = Build::new();
    filler(&mut b, 10);
    b.jmp(1);
    b.block();
    b.f.blocks[1].loop_depth = 1;
    filler(&mut b, 3);
    b.jmp(2);
    b.block();
    b.f.blocks[2].loop_depth = 2;
    filler(&mut b, 1);
    b.jcc(Cond::E, 2, 3);
    b.block();
    b.f.blocks[3].loop_depth = 1;
    b.jcc(Cond::E, 1, 4);
    b.block();
    b.ret();
    let mut out = CodeBuffer::default();
    let options = EmitOptions { align_loops: true, positions: true, ..EmitOptions::default() };
    b.emit_to(&mut out, &options).expect("emitted");
    let targets: Vec<u64> = Decoder::with_ip(64, out.bytes(), 0, DecoderOptions::NONE)
        .iter()
        .map(|i| i.near_branch_target())
        .filter(|t| *t != 0)
        .collect();
    // The inner loop would be at 65, and is not moved either.
    assert_eq!(targets, [65, 50]);
}

#[test]
fn a_hundred_thousand_blocks_whose_jumps_grow_one_by_one() {
    let mut b = Build::new();
    let n = 100_000;
    // Every jump spans 18 blocks of 7 bytes, which it reaches as long as no other jump among them has grown; the last
    // ones have more to span.
    for k in 0..n {
        filler(&mut b, if k == n - 1 { 20 } else { 1 });
        b.jcc(Cond::E, (k + 19).min(n), k + 1);
        b.block();
    }
    b.ret();
    let mut out = CodeBuffer::default();
    let start = Instant::now();
    b.emit_to(&mut out, &EmitOptions::default()).expect("emitted");
    assert!(start.elapsed().as_secs() < 2, "{:?}", start.elapsed());
    let starts: std::collections::HashSet<u64> =
        Decoder::with_ip(64, out.bytes(), 0, DecoderOptions::NONE).iter().map(|i| i.ip()).collect();
    for i in Decoder::with_ip(64, out.bytes(), 0, DecoderOptions::NONE).iter() {
        if i.near_branch_target() != 0 {
            assert!(starts.contains(&i.near_branch_target()));
        }
    }
}
