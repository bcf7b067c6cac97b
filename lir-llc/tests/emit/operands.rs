//! Tied operands, spill slots, edits, expansions.

use super::build::Build;
use lir_llc::isa::x64::registers::{R8, R10, R12, R13, RAX, RBX, RCX, RDI, RDX, RSI, RSP, xmm};
use lir_llc::isa::x64::{Cond, op};
use lir_llc::mir::{CallTarget, FixedList, Form, MBase, MInst, MOp, MReg, PReg, RegClass, Size};
use lir_llc::regalloc::{Edit, Loc};
use lir_syntax::ir::Sym;

const NO: MReg = MReg::NONE;

/// `d = op a, b` with these registers.
fn three(b: &mut Build, op: MOp, size: Size, regs: [PReg; 3]) -> MInst {
    let [d, x, y] = regs.map(|r| b.reg(r));
    MInst::new(op, Form::DTB, size).d(d).a(x).b(y)
}

/// `d = op a, imm` with these registers.
fn constant(b: &mut Build, op: MOp, size: Size, regs: [PReg; 2], imm: i32) -> MInst {
    let [d, x] = regs.map(|r| b.reg(r));
    MInst::new(op, Form::DTI, size).d(d).a(x).imm(imm)
}

#[test]
fn tied_registers() {
    let mut b = Build::new();
    for regs in [[RDI, RDI, RSI], [RDI, RSI, RDI], [RAX, RDI, RSI], [RAX, RDI, RDI]] {
        for op in [op::Add, op::And] {
            let i = three(&mut b, op, Size::S64, regs);
            b.push(i);
        }
    }
    let i = three(&mut b, op::Sub, Size::S32, [RAX, RDI, RSI]);
    b.push(i);
    let i = three(&mut b, op::Add, Size::S64, [RAX, R13, RSI]);
    b.push(i);
    let i = three(&mut b, op::ShlCl, Size::S64, [RAX, RDI, RCX]);
    b.push(i);
    for regs in [[xmm(0), xmm(1), xmm(2)], [xmm(2), xmm(1), xmm(2)], [xmm(1), xmm(1), xmm(9)]] {
        let i = three(&mut b, op::MulF, Size::S64, regs);
        b.push(i);
    }
    b.ret();
    insta::assert_snapshot!(b.listing());
}

#[test]
fn constants_and_their_short_forms() {
    let mut b = Build::new();
    for (op, size, regs, imm) in [
        (op::Add, Size::S64, [RAX, RDI], 8),
        (op::Add, Size::S64, [RDI, RDI], 128),
        (op::Sub, Size::S64, [RDI, RDI], 128),
        (op::Sub, Size::S32, [RAX, RDI], 5),
        (op::Sub, Size::S64, [RAX, RDI], i32::MIN),
        (op::Shl, Size::S32, [RAX, RDI], 1),
        (op::Shl, Size::S64, [RAX, RDI], 3),
        (op::Shl, Size::S64, [RAX, RDI], 4),
        (op::Shl, Size::S64, [RDI, RDI], 1),
        (op::And, Size::S64, [RAX, RDI], 0xff),
        (op::And, Size::S64, [RAX, RDI], -16),
    ] {
        let i = constant(&mut b, op, size, regs, imm);
        b.push(i);
    }
    let (x, s) = (b.reg(RDI), b.reg(RSI));
    for (size, imm) in [(Size::S32, -1), (Size::S64, -1), (Size::S64, 1)] {
        b.push(MInst::new(op::Mov, Form::DI, size).d(x).imm(imm));
    }
    let mut wide = MInst::new(op::Mov, Form::DI64, Size::S64).d(x).imm(-1);
    wide.x = MReg::from_bits(0x1234_5678);
    b.push(wide);
    b.push(MInst::new(op::Zero, Form::D, Size::S32).d(x));
    b.push(MInst::new(op::Cmp, Form::AI, Size::S64).a(x).imm(0));
    for (op, size, imm) in
        [(op::Cmp, Size::S8, 3), (op::Test, Size::S64, 64), (op::Test, Size::S64, 0x8000), (op::Test, Size::S64, -2)]
    {
        b.push(MInst::new(op, Form::AI, size).a(s).imm(imm));
    }
    b.ret();
    insta::assert_snapshot!(b.listing());
}

#[test]
fn copies_and_extensions() {
    let mut b = Build::new();
    let (x, y, z, f, g) = (b.reg(RDI), b.reg(RSI), b.reg(RDI), b.reg(xmm(1)), b.reg(xmm(8)));
    for size in [Size::S8, Size::S32, Size::S64] {
        b.push(MInst::new(op::Mov, Form::DA, size).d(x).a(y));
        b.push(MInst::new(op::Mov, Form::DA, size).d(x).a(z));
    }
    b.push(MInst::new(op::MovZx32, Form::DA, Size::S64).d(x).a(z));
    for op in [op::MovZx8, op::MovZx16, op::MovSx8, op::MovSx16, op::MovSx32] {
        b.push(MInst::new(op, Form::DA, Size::S64).d(x).a(y));
    }
    b.push(MInst::new(op::MovF, Form::DA, Size::S32).d(f).a(g));
    b.push(MInst::new(op::MovIF, Form::DA, Size::S64).d(f).a(x));
    b.push(MInst::new(op::MovFI, Form::DA, Size::S32).d(x).a(g));
    b.push(MInst::new(op::CvtI64F, Form::DA, Size::S64).d(f).a(x));
    b.push(MInst::new(op::CvtFI32, Form::DA, Size::S32).d(x).a(f));
    b.push(MInst::new(op::CvtFF, Form::DA, Size::S64).d(f).a(g));
    b.push(MInst::new(op::ZeroF, Form::D, Size::S64).d(g));
    b.ret();
    insta::assert_snapshot!(b.listing());
}

#[test]
fn spill_slots_become_memory_operands() {
    let mut b = Build::new();
    let (x, f) = (b.reg(RAX), b.reg(xmm(3)));
    let (s, t, g) = (b.slot(0, RegClass::Int), b.slot(1, RegClass::Int), b.slot(2, RegClass::Float));
    b.push(MInst::new(op::Mov, Form::DA, Size::S64).d(x).a(s));
    b.push(MInst::new(op::Mov, Form::DA, Size::S32).d(t).a(x));
    b.push(MInst::new(op::Mov, Form::DA, Size::S64).d(t).a(s));
    b.push(MInst::new(op::MovF, Form::DA, Size::S64).d(f).a(g));
    b.push(MInst::new(op::MovF, Form::DA, Size::S32).d(g).a(f));
    b.push(MInst::new(op::Add, Form::DTB, Size::S32).d(x).a(x).b(s));
    b.push(MInst::new(op::Add, Form::DTB, Size::S32).d(x).a(s).b(t));
    b.push(MInst::new(op::Add, Form::DTB, Size::S32).d(x).a(s).b(x));
    b.push(MInst::new(op::Add, Form::DTI, Size::S32).d(x).a(s).imm(7));
    b.push(MInst::new(op::Cmp, Form::AB, Size::S64).a(x).b(s));
    b.push(MInst::new(op::Cmp, Form::AB, Size::S64).a(s).b(x));
    b.push(MInst::new(op::Cmp, Form::AI, Size::S64).a(s).imm(0));
    b.push(MInst::new(op::Test, Form::AB, Size::S64).a(s).b(x));
    b.push(MInst::new(op::MovSx8, Form::DA, Size::S32).d(x).a(s));
    b.push(MInst::new(op::AddF, Form::DTB, Size::S32).d(f).a(f).b(g));
    b.push(MInst::new(op::MovIF, Form::DA, Size::S32).d(f).a(s));
    b.push(MInst::new(op::MovFI, Form::DA, Size::S64).d(x).a(g));
    b.push(MInst::new(op::CvtI32F, Form::DA, Size::S64).d(f).a(s));
    b.push(MInst::new(op::IdivQuot, Form::DAB, Size::S32).d(x).a(x).b(s));
    b.ret();
    insta::assert_snapshot!(b.listing());
}

#[test]
fn edits_leave_the_flags_alone() {
    let mut b = Build::new();
    b.a.num_slots = 2;
    let int = RegClass::Int;
    for (from, to, class) in [
        (Loc::reg(RDI), Loc::reg(R8), int),
        (Loc::reg(RDI), Loc::slot(0), int),
        (Loc::slot(1), Loc::reg(R12), int),
        (Loc::slot(0), Loc::slot(1), int),
        (Loc::reg(xmm(1)), Loc::reg(xmm(12)), RegClass::Float),
        (Loc::reg(xmm(1)), Loc::slot(0), RegClass::Float),
        (Loc::slot(1), Loc::slot(0), RegClass::Float),
    ] {
        b.edit(Edit::Move { from, to, class });
    }
    b.edit(Edit::Exchange(RDI, RSI));
    b.edit(Edit::Exchange(R8, RAX));
    let flag = b.reg(RCX);
    let v = b.f.new_vreg(int);
    b.f.set_remat(v, MInst::new(op::Mov, Form::DI, Size::S32).imm(0));
    b.f.set_remat(v, MInst::new(op::Lea, Form::DM, Size::S64).mem(MBase::Sym(Sym::from_u32(3)), NO, 1, 12));
    b.edit(Edit::Remat(0, RDX));
    b.edit(Edit::Remat(1, R10));
    b.push(MInst::new(op::Set, Form::D, Size::S8).d(flag).cond(Cond::E));
    b.edit(Edit::Remat(0, RDX));
    b.uses(&[R12]);
    b.ret();
    insta::assert_snapshot!(b.listing());
}

#[test]
fn divisions() {
    let mut b = Build::new();
    let (x, y, d) = (b.reg(RAX), b.reg(RCX), b.reg(RDX));
    for size in [Size::S8, Size::S16, Size::S32, Size::S64] {
        b.push(MInst::new(op::IdivQuot, Form::DAB, size).d(x).a(x).b(y));
    }
    b.push(MInst::new(op::IdivRem, Form::DAB, Size::S64).d(d).a(x).b(y));
    b.push(MInst::new(op::IdivRem, Form::DAM, Size::S32).d(d).a(x).mem(MBase::Reg(y.into()), NO, 1, 200));
    b.push(MInst::new(op::IdivRemSafe, Form::DAB, Size::S32).d(d).a(x).b(y));
    b.push(MInst::new(op::DivQuot, Form::DAB, Size::S64).d(x).a(x).b(y));
    b.push(MInst::new(op::DivRem, Form::DAB, Size::S16).d(d).a(x).b(y));
    b.push(MInst::new(op::MulHigh, Form::DAB, Size::S64).d(d).a(x).b(y));
    b.ret();
    insta::assert_snapshot!(b.listing());
}

#[test]
fn calls() {
    let mut b = Build::new();
    let (rax, rbx) = (b.reg(RAX), b.reg(RBX));
    let target = |target, al| FixedList { target: Some(target), al, ..FixedList::default() };
    let sym = Sym::from_u32(1);
    for list in [
        target(CallTarget::Sym(sym), None),
        target(CallTarget::Runtime("fmod"), Some(0)),
        target(CallTarget::Sym(sym), Some(2)),
    ] {
        let i = b.record(op::Call, Form::None, list);
        b.push(i);
    }
    for (al, v) in [(None, rax), (Some(1), rbx), (Some(1), rax)] {
        let list = FixedList { al, ..FixedList::default() };
        let i = b.record(op::Call, Form::B, list.clone()).b(v);
        b.push(i);
        let i = b.record(op::Call, Form::M, list).mem(MBase::Reg(v.into()), NO, 1, 8);
        b.push(i);
    }
    let i = b.record(op::Call, Form::M, FixedList::default()).mem(MBase::Got(sym), NO, 1, 0);
    b.push(i);
    b.ret();
    insta::assert_snapshot!(b.listing());
}

#[test]
fn symbols_and_constants() {
    let mut b = Build::new();
    let (x, f) = (b.reg(RBX), b.reg(xmm(0)));
    let s = Sym::from_u32(7);
    b.f.consts.push((&[0x80u8; 16][..]).into());
    b.f.consts.push((&1.5f64.to_le_bytes()[..]).into());
    b.push(MInst::new(op::Lea, Form::DM, Size::S64).d(x).mem(MBase::Sym(s), NO, 1, 100));
    b.push(MInst::new(op::LoadGot, Form::DM, Size::S64).d(x).mem(MBase::Got(s), NO, 1, 0));
    b.push(MInst::new(op::Cmp, Form::MI, Size::S16).mem_imm(1000).mem(MBase::Sym(s), NO, 1, 4));
    b.push(MInst::new(op::Mov, Form::DM, Size::S8).d(x).mem(MBase::Sym(s), NO, 1, 0));
    b.push(MInst::new(op::XorF, Form::DTM, Size::S128).d(f).a(f).mem(MBase::Const(0), NO, 1, 0));
    b.push(MInst::new(op::MovF, Form::DM, Size::S64).d(f).mem(MBase::Const(1), NO, 1, 0));
    b.push(MInst::new(op::ThreadPointer, Form::D, Size::S64).d(x));
    b.push(MInst::new(op::Mov, Form::DM, Size::S32).d(x).mem(MBase::Tpoff(s), x.into(), 1, 4));
    b.push(MInst::new(op::Add, Form::DTM, Size::S64).d(x).a(x).mem(MBase::GotTpoff(s), NO, 1, 0));
    let list = FixedList { target: Some(CallTarget::Sym(s)), ..FixedList::default() };
    let i = b.record(op::TlsAddr, Form::None, list);
    b.push(i);
    b.ret();
    insta::assert_snapshot!(b.listing());
}

#[test]
fn addresses_of_registers() {
    let mut b = Build::new();
    let (x, y, z) = (b.reg(RAX), b.reg(R13), b.reg(RSI));
    let lea = MInst::new(op::Lea, Form::DM, Size::S64).d(x);
    let reg = |v: lir_llc::mir::VReg| MBase::Reg(v.into());
    b.push(lea.mem(reg(y), NO, 1, 0));
    b.push(lea.mem(reg(y), z.into(), 1, 0));
    b.push(lea.mem(MBase::Reg(NO), z.into(), 1, 8));
    b.push(lea.mem(MBase::Reg(NO), z.into(), 2, 0));
    b.push(lea.mem(MBase::Reg(NO), z.into(), 8, 0));
    b.push(lea.mem(MBase::Reg(MReg::phys(RSP)), z.into(), 4, 16));
    b.push(MInst::new(op::Set, Form::D, Size::S8).cond(Cond::NE).d(z));
    b.push(MInst::new(op::Cmov, Form::DTB, Size::S32).cond(Cond::L).d(x).a(y).b(z));
    b.push(MInst::new(op::Add, Form::MA, Size::S16).a(x).mem(reg(z), NO, 1, 2));
    b.push(MInst::new(op::Sub, Form::MI, Size::S64).mem_imm(1).mem(reg(z), NO, 1, 2));
    b.ret();
    insta::assert_snapshot!(b.listing());
}
