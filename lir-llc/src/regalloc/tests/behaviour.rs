//! The behaviour that the source document on linear scan describes, by its ids in the checklist.

use super::*;
use crate::isa::x64::registers::{RCX, RDI, RDX, RSI, RSP, xmm};
use crate::mir::PRegSet;
use crate::regalloc::options::RegCount;
use crate::regalloc::{ALLOCATORS, parse};

/// n constants, all live until a chain of subtractions uses them.
fn pressure(n: usize) -> (MFunction, Vec<VReg>) {
    let mut b = Builder::default();
    b.block(&[]);
    let values: Vec<VReg> = (0..n).map(|k| b.imm(k as i32)).collect();
    let mut sum = b.imm(0);
    for v in &values {
        sum = b.binary(op::Sub, sum, *v);
    }
    b.ret(Some(sum));
    (b.finish(), values)
}

fn registers(f: &MFunction, a: &Allocation, values: &[VReg]) -> Vec<PReg> {
    values.iter().map(|v| preg(places_of(f, a, *v)[0])).collect()
}

#[test]
fn values_are_visited_in_the_order_of_their_definition() {
    let (f, values) = pressure(4);
    let a = allocate(&f);
    // No value needs a certain register, so each takes the first that is left.
    assert_eq!(registers(&f, &a, &values), [RAX, RCX, RDX, RSI]);
}

#[test]
fn allocators_are_selected_by_name() {
    assert_eq!(ALLOCATORS[0].name(), "linear-scan");
    for a in ALLOCATORS {
        assert_eq!(parse(a.name()).unwrap().name(), a.name());
        assert!(!a.summary().is_empty());
    }
    assert!(parse("graph-coloring").is_err());
    assert_eq!(parse("one-pass{former=on, load-elim=off}").unwrap().full_name(), "one-pass{load-elim=off}");
    assert_eq!(parse("one-pass{}").unwrap().full_name(), "one-pass");
    for wrong in
        ["one-pass{", "one-pass{luck=off}", "one-pass{former}", "one-pass{former=off,former=on}", "fast{former=off}"]
    {
        assert!(parse(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn order_is_that_of_the_instructions_not_of_numbers() {
    let build = |reversed: bool| {
        let mut b = Builder::default();
        b.block(&[]);
        let mut names: Vec<VReg> = (0..20).map(|_| b.int()).collect();
        if reversed {
            names.reverse();
        }
        for v in &names {
            b.op(op::Mov, Form::DI).d(*v).done();
        }
        for pair in names.windows(2) {
            b.cmp(pair[0], pair[1]);
        }
        b.ret(Some(names[7]));
        b.finish()
    };
    let (x, y) = (allocate(&build(false)), allocate(&build(true)));
    assert_eq!((x.locs, x.edits), (y.locs, y.edits));
}

#[test]
fn a_range_is_from_the_definition_to_the_last_use() {
    let mut b = Builder::default();
    b.block(&[]);
    let x = b.imm(1);
    let y = b.int();
    b.op(op::Neg, Form::DT).d(y).a(x).done();
    let z = b.int();
    b.op(op::Not, Form::DT).d(z).a(y).done();
    b.cmp(z, y);
    b.ret(None);
    let f = b.finish();
    let a = allocate(&f);
    let r = registers(&f, &a, &[x, y, z]);
    assert_eq!(r[0], r[1], "x ends where y begins");
    assert_ne!(r[1], r[2], "y is used after z begins");
}

#[test]
fn values_that_phis_connect_share_a_register() {
    let (f, _, web) = counting_loop(3, 3, 0);
    let a = allocate(&f);
    let r = registers(&f, &a, &[web[0], web[2]]);
    assert_eq!(r[0], r[1]);
    assert_eq!(
        a.edits.iter().filter(|(_, e)| !matches!(e, Edit::Move { to, .. } if to.as_reg() == Some(RAX))).count(),
        0
    );
}

/// The same with a call in the loop that clobbers every register: the web has one slot.
#[test]
fn values_that_phis_connect_share_a_slot() {
    let mut b = Builder::default();
    b.block(&[1]);
    let x = b.float();
    b.op(op::ZeroF, Form::D).d(x).done();
    b.jmp();
    b.block(&[2, 3]);
    let (p, n) = (b.float(), b.float());
    b.phi(p, &[(0, PhiArg::Reg(x)), (2, PhiArg::Reg(n))]);
    b.call(&[], None);
    b.op(op::AddF, Form::DTB).d(n).a(p).b(p).done();
    b.op(op::Ucomi, Form::AB).a(n).b(n).done();
    b.jcc();
    b.block(&[1]);
    b.jmp();
    b.block(&[]);
    b.ret(None);
    let f = b.finish();
    let a = allocate(&f);
    assert_eq!(a.num_slots, 1, "{}", listing(&f, &a));
}

/// `x, y = y, x` around a loop: the swap problem.
#[test]
fn operands_that_cannot_share_are_copied_in_predecessors() {
    let mut b = Builder::default();
    b.block(&[1]);
    let (x0, y0) = (b.imm(1), b.imm(2));
    b.jmp();
    b.block(&[2, 3]);
    let (x, y) = (b.int(), b.int());
    b.phi(x, &[(0, PhiArg::Reg(x0)), (2, PhiArg::Reg(y))]);
    b.phi(y, &[(0, PhiArg::Reg(y0)), (2, PhiArg::Reg(x))]);
    b.cmp(x, y);
    b.jcc();
    b.block(&[1]);
    b.jmp();
    b.block(&[]);
    let d = b.binary(op::Sub, x, y);
    b.ret(Some(d));
    let f = b.finish();
    let a = allocate(&f);
    let back: Vec<_> = a.edits.iter().filter(|(p, _)| p / 2 == 5 || p / 2 == 4).collect();
    assert!(matches!(back[..], [(_, Edit::Exchange(..))]), "{}", listing(&f, &a));
}

/// A phi that is needed after its back edge has received the next value: the lost copy problem.
#[test]
fn the_lost_copy() {
    let mut b = Builder::default();
    b.block(&[1]);
    let x0 = b.imm(1);
    b.jmp();
    b.block(&[2, 3]);
    let (x, n) = (b.int(), b.int());
    b.phi(x, &[(0, PhiArg::Reg(x0)), (2, PhiArg::Reg(n))]);
    b.op(op::Add, Form::DTI).d(n).a(x).imm(1).done();
    b.op(op::Cmp, Form::AI).a(n).imm(9).done();
    b.jcc();
    b.block(&[1]);
    b.jmp();
    b.block(&[]);
    b.ret(Some(x));
    let f = b.finish();
    let a = allocate(&f);
    let r = registers(&f, &a, &[x, n]);
    assert_ne!(r[0], r[1], "both are live at the end of the loop");
}

/// `if (c) x = 5; else x = 10; y = x - 3`.
#[test]
fn the_example_takes_one_register_and_no_copy() {
    let mut b = Builder::default();
    b.block(&[1, 2]);
    let c = b.int();
    b.params(&[c]);
    b.op(op::Test, Form::AB).a(c).b(c).done();
    b.jcc();
    b.block(&[3]);
    let x1 = b.imm(5);
    b.jmp();
    b.block(&[3]);
    let x2 = b.imm(10);
    b.jmp();
    b.block(&[]);
    let x3 = b.int();
    b.phi(x3, &[(1, PhiArg::Reg(x1)), (2, PhiArg::Reg(x2))]);
    let y = b.int();
    b.op(op::Sub, Form::DTI).d(y).a(x3).imm(3).done();
    b.ret(Some(y));
    let f = b.finish();
    let a = allocate(&f);
    assert_eq!(a.edits, [], "{}", listing(&f, &a));
    assert_eq!(registers(&f, &a, &[x1, x2, x3, y]), [RAX; 4]);
}

#[test]
fn reloads_come_before_and_stores_after_an_instruction() {
    let (f, _) = pressure(40);
    let a = allocate(&f);
    let (mut stores, mut loads) = (0, 0);
    for (point, e) in &a.edits {
        match e {
            Edit::Move { from, to, .. } if to.as_slot().is_some() => {
                stores += 1;
                let after = point % 2 == 1 && a.locs[*point as usize / 2][0] == *from;
                let between = point.is_multiple_of(2);
                assert!(after || between, "{point}: {e:?}");
            }
            Edit::Move { from, .. } if from.as_slot().is_some() => {
                loads += 1;
                assert_eq!(point % 2, 0, "{e:?}");
            }
            Edit::Move { .. } | Edit::Exchange(..) | Edit::Remat(..) => {}
        }
    }
    let direct = a.locs.iter().flatten().filter(|l| l.as_slot().is_some()).count();
    assert!(stores > 20 && loads + direct > 20, "{stores} {loads} {direct}");
}

#[test]
fn insertions_are_one_sorted_list_beside_the_instructions() {
    let (f, _) = pressure(200);
    let before = f.insts.clone();
    let a = allocate(&f);
    assert_eq!(f.insts, before);
    assert!(a.edits.is_sorted_by_key(|(point, _)| *point));
    assert!(a.edits.len() < 2 * f.insts.len());
}

/// The author's bug: a value loaded for an instruction overwrote one that the instruction, or a later one, used. The
/// checker executes the allocation; here values are kept and reloaded in many orders.
#[test]
fn a_reload_overwrites_nothing_that_is_still_used() {
    for step in [1, 3, 7, 11, 13, 17, 19, 23] {
        let mut b = Builder::default();
        b.block(&[]);
        let values: Vec<VReg> = (0..30).map(|k| b.imm(k)).collect();
        for k in 0..60 {
            let (x, y) = (values[k * step % 30], values[(k * step * 5 + 1) % 30]);
            let d = b.binary(op::Sub, x, y);
            b.op(op::Mov, Form::MA).a(d).mem(values[(k + step) % 30], Some(x)).done();
        }
        b.ret(Some(values[0]));
        allocate(&b.finish());
    }
}

#[test]
fn two_address_instructions() {
    // No operand stays live: the result replaces the first, nothing is copied.
    let mut b = Builder::default();
    b.block(&[]);
    let (x, y) = (b.imm(1), b.imm(2));
    let d = b.binary(op::Sub, x, y);
    b.cmp(d, d);
    b.ret(None);
    let f = b.finish();
    let r = registers(&f, &allocate(&f), &[x, y, d]);
    assert_eq!(r[0], r[2]);
    assert_ne!(r[1], r[2]);
    // `y = x - y` on one register: the right operand is saved. `y = x + y`: nothing to do.
    for (op, copies) in [(op::Sub, 1), (op::Add, 0)] {
        let mut b = Builder::default();
        b.block(&[]);
        let (x, y) = (b.imm(1), b.imm(2));
        b.op(op, Form::DTB).d(y).a(x).b(y).done();
        b.cmp(y, x);
        b.ret(None);
        let f = b.finish();
        let a = allocate(&f);
        assert_eq!(moves(&a), copies, "{}", listing(&f, &a));
    }
    // `x = x - x`: in place.
    let mut b = Builder::default();
    b.block(&[]);
    let x = b.imm(1);
    b.op(op::Sub, Form::DTB).d(x).a(x).b(x).done();
    b.cmp(x, x);
    b.ret(None);
    assert_eq!(allocate(&b.finish()).edits, []);
}

#[test]
fn two_address_instructions_with_a_memory_operand() {
    // `p = x + [p + 16]`: the address must survive the copy of x.
    let mut b = Builder::default();
    b.block(&[]);
    let (x, p) = (b.imm(1), b.imm(2));
    b.op(op::Add, Form::DTM).d(p).a(x).mem(p, None).done();
    b.cmp(p, x);
    b.ret(None);
    let f = b.finish();
    let a = allocate(&f);
    assert_ne!(a.locs[2][0], a.locs[2][2], "{}", listing(&f, &a));
    // `d = x + [p + q]` where all die: the result is not in a register of the address.
    let mut b = Builder::default();
    b.block(&[]);
    let (x, p, q) = (b.imm(1), b.imm(2), b.imm(3));
    let d = b.int();
    b.op(op::Add, Form::DTM).d(d).a(x).mem(p, Some(q)).done();
    b.cmp(d, x);
    b.ret(None);
    let f = b.finish();
    let a = allocate(&f);
    assert!(a.locs[3][2] != a.locs[3][0] && a.locs[3][3] != a.locs[3][0]);
}

#[test]
fn no_register_is_reserved_as_scratch() {
    let (f, values) = pressure(14);
    let a = allocate(&f);
    // 14 values and the sum: all general registers but rsp.
    assert_eq!(a.num_slots, 0);
    let all = registers(&f, &a, &values).iter().fold(PRegSet::EMPTY, |s, r| s.with(*r));
    assert!(all.len() == 14 && !all.contains(RSP));
}

#[test]
fn irregular_instructions() {
    let mut b = Builder::default();
    b.block(&[]);
    let (x, y) = (b.imm(100), b.imm(7));
    let q = b.int();
    b.op(op::IdivQuot, Form::DAB).d(q).a(x).b(y).done();
    b.ret(Some(q));
    let f = b.finish();
    let a = allocate(&f);
    assert_eq!(a.edits, [], "dividend and quotient are made and used in rax\n{}", listing(&f, &a));
    assert_eq!(a.locs[0][0], Loc::reg(RAX));
    assert!(![RAX, RDX].contains(&preg(a.locs[2][2])));
    // Shift amount and divisor both need other registers than those that they live in.
    let mut b = Builder::default();
    b.block(&[]);
    let (x, n) = (b.imm(100), b.imm(7));
    let (s, r, t) = (b.int(), b.int(), b.int());
    b.op(op::ShlCl, Form::DTB).d(s).a(x).b(n).done();
    b.op(op::IdivRem, Form::DAB).d(r).a(s).b(n).done();
    b.op(op::ShlCl, Form::DTB).d(t).a(r).b(n).done();
    b.ret(Some(t));
    allocate(&b.finish());
}

#[test]
fn arguments_are_shuffled_with_cycles() {
    let shuffled = |order: &[usize]| {
        let mut b = Builder::default();
        b.block(&[]);
        let params: Vec<VReg> = (0..order.len()).map(|_| b.int()).collect();
        b.params(&params);
        let args: Vec<VReg> = order.iter().map(|k| params[*k]).collect();
        b.call(&args, None);
        b.ret(None);
        allocate(&b.finish())
    };
    assert_eq!(shuffled(&[0, 1, 2]).edits, []);
    assert!(matches!(shuffled(&[1, 0]).edits[..], [(_, Edit::Exchange(..))]));
    assert_eq!(shuffled(&[2, 0, 1]).edits.len(), 2);
    assert_eq!(shuffled(&[5, 0, 1, 2, 3, 4]).edits.len(), 5);
    assert_eq!(shuffled(&[0, 0]).edits.len(), 1);
    // An indirect target that arrives in an argument register.
    let mut b = Builder::default();
    b.block(&[]);
    let (x, y) = (b.int(), b.int());
    b.params(&[x, y]);
    let list = call_list(&[y, x], None);
    b.f.records.push(list);
    let k = b.f.records.len() as u32 - 1;
    b.push(MInst::new(op::Call, Form::B, Size::S64).b(y).record(k));
    b.ret(None);
    let f = b.finish();
    let a = allocate(&f);
    assert!(![RDI, RSI].contains(&preg(a.locs[1][2])));
}

#[test]
fn values_across_calls_are_spilled_or_in_saved_registers() {
    let mut b = Builder::default();
    b.block(&[]);
    let ints: Vec<VReg> = (0..9).map(|k| b.imm(k)).collect();
    let floats: Vec<VReg> = (0..17).map(|_| b.float()).collect();
    for v in &floats {
        b.op(op::ZeroF, Form::D).d(*v).done();
    }
    b.call(&[], None);
    for _ in 0..3 {
        for v in &ints {
            b.op(op::Mov, Form::MA).a(*v).mem(ints[0], None).done();
        }
        for v in &floats {
            b.op(op::MovF, Form::MA).a(*v).mem(ints[0], None).done();
        }
    }
    b.ret(None);
    let f = b.finish();
    let a = allocate(&f);
    assert!(f.env.callee_saved.minus(a.used).is_empty());
    assert_eq!(a.num_slots, 3 + 17, "{}", listing(&f, &a));
    // Every SSE register is lost in the call.
    assert!(a.used.contains(xmm(15)));
}

/// A value is stored once, whatever the reason for its spill.
#[test]
fn one_routine_spills_for_pressure_and_for_calls() {
    let mut b = Builder::default();
    b.block(&[]);
    let x = b.float();
    b.op(op::ZeroF, Form::D).d(x).done();
    for _ in 0..3 {
        b.call(&[], None);
        b.op(op::AddF, Form::DTB).d(x).a(x).b(x).done();
        let others: Vec<VReg> = (0..16).map(|_| b.float()).collect();
        for v in &others {
            b.op(op::ZeroF, Form::D).d(*v).done();
        }
        for pair in others.windows(2) {
            b.op(op::Ucomi, Form::AB).a(pair[0]).b(pair[1]).done();
        }
    }
    b.op(op::Ucomi, Form::AB).a(x).b(x).done();
    b.ret(None);
    let f = b.finish();
    let a = allocate(&f);
    let stores = a.edits.iter().filter(|(_, e)| matches!(e, Edit::Move { to, .. } if to.as_slot().is_some())).count();
    assert!(a.num_slots <= 2, "{}", listing(&f, &a));
    assert!(stores <= 3 + 4, "{stores} stores\n{}", listing(&f, &a));
}

#[test]
fn instructions_without_a_result_are_visited_too() {
    let mut b = Builder::default();
    b.block(&[]);
    let (x, y) = (b.int(), b.int());
    b.params(&[x, y]);
    b.op(op::Mov, Form::MA).a(x).mem(y, None).done();
    b.call(&[y], None);
    b.call(&[], None);
    b.ret(None);
    let f = b.finish();
    let a = allocate(&f);
    assert_eq!(&a.locs[1], &[Loc::NONE, Loc::reg(RDI), Loc::reg(RSI), Loc::NONE]);
    assert!(matches!(a.edits[..], [(4, Edit::Move { from, to, .. })] if from == Loc::reg(RSI) && to == Loc::reg(RDI)));
    // No value is live across the second call, so nothing is saved.
    assert_eq!(a.num_slots, 0);
    assert!(a.used.and(f.env.callee_saved).is_empty());
}

#[test]
fn as_many_registers_are_left_as_asked_for() {
    for n in RegCount::MIN..=RegCount::MAX {
        for (frame_pointer, base_pointer) in [(false, false), (true, false), (true, true)] {
            let f = MFunction { frame_pointer, base_pointer, ..MFunction::new(&ENV) };
            let options = AllocOptions { regs: RegCount::new(n), ..AllocOptions::default() };
            let left = options.allocatable(&f);
            assert!(left.and(f.reserved()).is_empty());
            let most = 16 - f.reserved().len();
            assert_eq!(left.and(PRegSet::class(RegClass::Int)).len(), most.min(n.into()));
            assert_eq!(left.and(PRegSet::class(RegClass::Float)).len(), n.into());
        }
    }
}
