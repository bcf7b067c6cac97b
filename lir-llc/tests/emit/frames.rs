//! Frames: saved registers, allocated memory, and offsets.

use super::build::Build;
use lir_llc::isa::x64::emit::{CodeBuffer, EmitError, EmitOptions, MAX_FRAME};
use lir_llc::isa::x64::registers::{R12, RAX, RBX, RDI};
use lir_llc::isa::x64::{Cond, op};
use lir_llc::mir::{CallTarget, FixedList, Form, FrameObj, FrameOffset, MBase, MBlock, MInst, MReg, RegClass, Size};

/// `lea rax, [base + disp]`.
fn lea(b: &mut Build, base: MBase, disp: i32) {
    let d = b.reg(RAX);
    b.push(MInst::new(op::Lea, Form::DM, Size::S64).d(d).mem(base, MReg::NONE, 1, disp));
}

fn call(b: &mut Build) {
    let list = FixedList { target: Some(CallTarget::Runtime("f")), ..FixedList::default() };
    let i = b.record(op::Call, Form::None, list);
    b.push(i);
}

/// Addresses of everything a frame has.
fn addresses(b: &mut Build) {
    for base in [MBase::Outgoing, MBase::Frame(0), MBase::Frame(1), MBase::Incoming] {
        lea(b, base, 4);
    }
    let (x, s) = (b.reg(RAX), b.slot(1, RegClass::Int));
    b.push(MInst::new(op::Mov, Form::DA, Size::S64).d(x).a(s));
    b.ret();
}

fn objects(b: &mut Build, align: u64) {
    b.f.frame.push(FrameObj { size: 100, align });
    b.f.frame.push(FrameObj { size: 12, align: 8 });
    b.f.outgoing = FrameOffset::new(32).unwrap();
}

#[test]
fn a_leaf_without_a_frame_has_no_prologue() {
    let mut b = Build::new();
    b.ret();
    assert_eq!(b.listing(), "  0  ret\n");
}

#[test]
fn a_call_aligns_the_stack() {
    let mut b = Build::new();
    call(&mut b);
    b.ret();
    insta::assert_snapshot!("no_saved_register", b.listing());
    let mut b = Build::new();
    b.uses(&[RBX]);
    call(&mut b);
    b.ret();
    insta::assert_snapshot!("one_saved_register", b.listing());
}

#[test]
fn a_fixed_frame() {
    let mut b = Build::new();
    b.uses(&[RBX, R12]);
    objects(&mut b, 16);
    addresses(&mut b);
    insta::assert_snapshot!(b.listing());
}

#[test]
fn a_frame_below_rbp() {
    let mut b = Build::new();
    b.uses(&[RBX, R12]);
    b.f.frame_pointer = true;
    objects(&mut b, 16);
    let n = b.reg(RDI);
    b.push(MInst::new(op::StackAlloc, Form::B, Size::S64).b(n));
    addresses(&mut b);
    insta::assert_snapshot!(b.listing());
}

#[test]
fn an_over_aligned_frame() {
    let mut b = Build::new();
    b.f.frame_pointer = true;
    objects(&mut b, 64);
    addresses(&mut b);
    insta::assert_snapshot!("fixed", b.listing());
    let mut b = Build::new();
    b.f.frame_pointer = true;
    b.f.base_pointer = true;
    objects(&mut b, 64);
    addresses(&mut b);
    insta::assert_snapshot!("rsp_moves", b.listing());
}

#[test]
fn large_frames_are_touched() {
    for (name, size) in [("pages", 2 * 4096 + 24), ("loop", 1 << 20)] {
        let mut b = Build::new();
        b.f.frame.push(FrameObj { size, align: 8 });
        b.ret();
        insta::assert_snapshot!(name, b.listing());
    }
}

#[test]
fn variable_arguments_are_saved() {
    let mut b = Build::new();
    b.f.reg_save = true;
    lea(&mut b, MBase::RegSave, 0);
    lea(&mut b, MBase::Incoming, 0);
    b.ret();
    insta::assert_snapshot!(b.listing());
}

#[test]
fn misfits_are_errors() {
    let emit = |b: &Build| b.emit_to(&mut CodeBuffer::default(), &EmitOptions::default()).map(|_| ());
    let mut b = Build::new();
    b.f.frame.extend([FrameObj { size: 1 << 29, align: 8 }; 3]);
    b.ret();
    assert_eq!(emit(&b), Err(EmitError::FrameTooLarge { bytes: 3 << 29 }));
    let mut b = Build::new();
    b.f.frame.extend([FrameObj { size: u64::MAX, align: 8 }; 3]);
    b.ret();
    assert_eq!(emit(&b), Err(EmitError::FrameTooLarge { bytes: u64::MAX }));
    // The number is the size of all parts together, whichever of them is over the limit.
    for (outgoing, sizes) in [(MAX_FRAME, &[16][..]), (MAX_FRAME - 32, &[32, 1 << 20]), (MAX_FRAME, &[])] {
        let mut b = Build::new();
        b.f.outgoing = FrameOffset::new(outgoing).expect("a call may have that much");
        b.f.frame.extend(sizes.iter().map(|&size| FrameObj { size, align: 8 }));
        call(&mut b);
        b.ret();
        // Calls keep rsp at a multiple of 16 below the return address.
        let total = outgoing + sizes.iter().sum::<u64>();
        let bytes = if total > MAX_FRAME { total } else { total + 8 };
        assert_eq!(emit(&b), Err(EmitError::FrameTooLarge { bytes }));
    }
    let mut b = Build::new();
    b.f.frame.extend([FrameObj { size: 64, align: 8 }; 2]);
    lea(&mut b, MBase::Frame(1), i32::MAX);
    b.ret();
    let Err(EmitError::AddressOutOfRange { inst: 0, offset }) = emit(&b) else { panic!("it does not fit") };
    assert_eq!(offset, i64::from(i32::MAX) + 64);
}

/// An exit without the frame, one that takes it down before code that both share, and a return with the frame after
/// code without it; an argument on the stack on both sides.
#[test]
fn a_frame_that_is_made_late() {
    let mut b = Build::new();
    b.jcc(Cond::E, 1, 2);
    b.block();
    let (x, y) = (b.reg(RBX), b.reg(RDI));
    b.push(MInst::new(op::Mov, Form::DA, Size::S64).d(x).a(y));
    lea(&mut b, MBase::Incoming, 4);
    call(&mut b);
    b.jcc(Cond::NE, 4, 3);
    b.block();
    b.jmp(5);
    b.block();
    b.jmp(5);
    b.block();
    b.push(MInst::new(op::Mov, Form::DA, Size::S64).d(y).a(x));
    b.ret();
    b.block();
    lea(&mut b, MBase::Incoming, 4);
    lea(&mut b, MBase::Incoming, 4);
    b.ret();
    for (block, frequency) in b.f.blocks.iter_mut().zip([64, 30, 34, 15, 15, 49]) {
        block.frequency = frequency;
    }
    for (block, preds) in [(1, &[0][..]), (2, &[0]), (3, &[1]), (4, &[1]), (5, &[2, 3])] {
        b.f.blocks[block].preds.extend(preds.iter().map(|p| MBlock(*p)));
    }
    let (mut plain, mut out) = (CodeBuffer::default(), CodeBuffer::default());
    let early = b.emit_to(&mut plain, &EmitOptions::default()).expect("emitted");
    let code =
        b.emit_to(&mut out, &EmitOptions { wrap: true, arrange: true, ..EmitOptions::default() }).expect("emitted");
    assert!(!early.frame.late && code.frame.late);
    assert_eq!((code.frame.size, code.frame.prologue_len), (early.frame.size, early.frame.prologue_len));
    let rows: Vec<String> = out.cfi_of(&code).iter().map(|row| format!("{:3}  {}", row.offset, row.op)).collect();
    insta::assert_snapshot!(format!("{}{}", super::listing::text(&out), rows.join("\n")));
}

#[test]
fn the_frame_is_described() {
    let mut b = Build::new();
    b.uses(&[RBX, R12]);
    objects(&mut b, 16);
    b.ret();
    b.block();
    b.ret();
    let mut out = CodeBuffer::default();
    let code = b.emit_to(&mut out, &EmitOptions::default()).expect("emitted");
    let rows: Vec<String> = out.cfi_of(&code).iter().map(|row| format!("{} {}", row.offset, row.op)).collect();
    insta::assert_snapshot!(rows.join("\n"));
    assert_eq!(code.frame.prologue_len, 10);
    assert_eq!(code.frame.size % 16, 8);
}
