//! Tests that the checker finds errors.

use super::*;
use crate::isa::x64::registers::{R15, RBX, RCX, RDX, xmm};

/// `r = (a - b) + a` with a call between, and the allocation of it.
fn example() -> (MFunction, Allocation) {
    let mut b = Builder::default();
    b.block(&[]);
    let (x, y) = (b.int(), b.int());
    b.params(&[x, y]);
    let d = b.binary(op::Sub, x, y);
    b.call(&[d], None);
    let s = b.binary(op::Add, x, d);
    b.ret(Some(s));
    let f = b.finish();
    let a = allocate(&f);
    (f, a)
}

#[track_caller]
fn complains(f: &MFunction, a: &Allocation, operand: &str) {
    let complaints = check(f, a);
    assert!(complaints.iter().any(|c| c.operand == operand), "{complaints:?}\n{}", listing(f, a));
}

#[test]
fn a_right_allocation_is_accepted() {
    let (f, a) = example();
    assert_eq!(check(&f, &a), []);
}

#[test]
fn an_operand_in_the_wrong_register() {
    let (f, mut a) = example();
    a.locs[1][1] = Loc::reg(R15);
    complains(&f, &a, "a");
}

#[test]
fn a_missing_or_misplaced_edit() {
    let (f, a) = example();
    for k in 0..a.edits.len() {
        let mut b = a.clone();
        b.edits.remove(k);
        assert!(!check(&f, &b).is_empty(), "without {:?}\n{}", a.edits[k], listing(&f, &a));
    }
    let mut late = a.clone();
    late.edits.last_mut().unwrap().0 = 2 * f.insts.len() as u32 - 1;
    complains(&f, &late, "edit");
}

#[test]
fn a_value_in_a_register_that_a_call_clobbers() {
    let mut b = Builder::default();
    b.block(&[]);
    let x = b.imm(1);
    b.call(&[], None);
    b.ret(Some(x));
    let f = b.finish();
    let mut a = allocate(&f);
    a.locs[0][0] = Loc::reg(RAX);
    a.edits.clear();
    complains(&f, &a, "fixed");
}

#[test]
fn fixed_registers_classes_and_clobbers() {
    let mut b = Builder::default();
    b.block(&[]);
    let (x, y) = (b.imm(1), b.imm(2));
    let q = b.int();
    b.op(op::IdivQuot, Form::DAB).d(q).a(x).b(y).done();
    b.ret(Some(q));
    let f = b.finish();
    let a = allocate(&f);
    let with = |field: usize, loc: Loc| {
        let mut a = a.clone();
        a.locs[2][field] = loc;
        a
    };
    complains(&f, &with(0, Loc::reg(RDX)), "d");
    complains(&f, &with(1, Loc::reg(RCX)), "a");
    complains(&f, &with(2, Loc::reg(RDX)), "b");
    complains(&f, &with(2, Loc::reg(xmm(1))), "b");
    complains(&f, &with(3, Loc::reg(RCX)), "x");
}

#[test]
fn the_destination_over_another_operand() {
    let mut b = Builder::default();
    b.block(&[]);
    let (x, y) = (b.imm(1), b.imm(2));
    let d = b.binary(op::Sub, x, y);
    b.ret(Some(d));
    let f = b.finish();
    let mut a = allocate(&f);
    a.locs[2][0] = a.locs[2][2];
    complains(&f, &a, "b");
}

#[test]
fn memory_where_a_register_is_needed() {
    let mut b = Builder::default();
    b.block(&[]);
    let x = b.imm(1);
    let d = b.int();
    b.op(op::Mov, Form::DM).d(d).mem(x, None).done();
    b.ret(Some(d));
    let f = b.finish();
    let mut a = allocate(&f);
    a.num_slots = 1;
    a.locs[1][2] = Loc::slot(0);
    complains(&f, &a, "b");
    a.locs[1][0] = Loc::slot(0);
    complains(&f, &a, "d");
}

/// `n` is live around the loop. Without the move on the edge it has the old value.
#[test]
fn a_phi_without_its_move() {
    let mut b = Builder::default();
    b.block(&[1]);
    let x = b.imm(1);
    b.jmp();
    b.block(&[2, 3]);
    let (p, n) = (b.int(), VReg(2));
    b.phi(p, &[(0, PhiArg::Reg(x)), (2, PhiArg::Reg(n))]);
    assert_eq!(b.binary(op::Sub, p, x), n);
    b.cmp(n, p);
    b.jcc();
    b.block(&[1]);
    b.jmp();
    b.block(&[]);
    b.ret(Some(p));
    let f = b.finish();
    let mut a = allocate(&f);
    assert!(moves(&a) > 0);
    a.edits.retain(|(point, _)| f.insts[*point as usize / 2].op != op::Jmp);
    complains(&f, &a, "fixed");
}

#[test]
fn registers_that_are_written_but_not_listed() {
    let (f, mut a) = example();
    a.used = Default::default();
    complains(&f, &a, "d");
    complains(&f, &a, "fixed");
}

#[test]
fn reserved_registers() {
    let (mut f, mut a) = example();
    a.used = a.used.with(RBX);
    a.locs[1][0] = Loc::reg(RBX);
    f.frame_pointer = true;
    f.base_pointer = true;
    let complaints = check(&f, &a);
    assert!(complaints[0].to_string().ends_with("rbx is not to be written"), "{complaints:?}");
}
