//! Blocks and jumps.

use crate::build::Build;
use iced_x86::{Decoder, DecoderOptions, Mnemonic};
use lir_llc::emit::{CodeBuffer, EmitOptions};
use lir_llc::machine::MInst;
use lir_llc::x64::registers::{RAX, RDI};
use lir_llc::x64::{Cond, Form, Op, Size};
use std::time::Instant;

/// `mov eax, n`, 5 bytes.
fn filler(b: &mut Build, count: u32) {
    let d = b.reg(RAX);
    for _ in 0..count {
        b.push(MInst::new(Op::Mov, Form::DI, Size::S32).d(d).imm(1));
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

/// A jump over `n` bytes, forward and backward; the lengths of the two.
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
        b.push(MInst::new(Op::Add, Form::DTI, Size::S32).d(d).a(d).imm(1));
    }
    for _ in 0..twos {
        b.push(MInst::new(Op::Zero, Form::D, Size::S32).d(d));
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
    // The forward jump spans the n bytes and the backward one; that one spans them and itself.
    assert_eq!(lengths(125), (2, 2));
    assert_eq!(lengths(126), (6, 2));
    assert_eq!(lengths(127), (6, 6));
    assert_eq!(lengths(1000), (6, 6));
}

#[test]
fn loops_are_aligned_with_long_nops() {
    let mut b = Build::new();
    filler(&mut b, 1);
    b.jmp(1);
    b.block();
    b.f.blocks[1].loop_depth = 1;
    filler(&mut b, 30);
    b.jcc(Cond::E, 1, 2);
    b.block();
    b.ret();
    let mut out = CodeBuffer::default();
    let options = EmitOptions { align_loops: true, positions: true, ..EmitOptions::default() };
    b.emit_to(&mut out, &options).expect("emitted");
    let text = crate::listing::text(&out);
    assert!(text.contains(" 10  mov eax, 1"), "{text}");
    let branch = text.lines().find(|l| l.contains("je ")).expect("a branch");
    assert!(branch.ends_with("je 0x10"), "{text}");
    // The header's first instruction is recorded where it is.
    assert!(out.positions.iter().any(|p| p.offset == 0x10 && p.inst == 2), "{:?}", out.positions);
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
