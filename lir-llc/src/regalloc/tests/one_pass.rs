//! The allocator `one-pass`: the behaviour of SoftWire's register allocator over whole functions.

use super::*;
use crate::regalloc::live_ranges::NONE;
use crate::regalloc::one_pass::switches::Switch;
use crate::regalloc::parse;

fn forward(f: &MFunction, name: &str) -> Allocation {
    let mut out = Allocation::default();
    parse(name).expect("a name").allocate(f, &AllocOptions::default(), &mut Scratch::default(), &mut out);
    assert_eq!(check(f, &out), [], "{name}\n{}", listing(f, &out));
    out
}
fn stores(a: &Allocation) -> usize {
    a.edits.iter().filter(|(_, e)| matches!(e, Edit::Move { to, .. } if to.as_slot().is_some())).count()
}
fn loads(a: &Allocation) -> usize {
    a.edits.iter().filter(|(_, e)| matches!(e, Edit::Move { from, .. } if from.as_slot().is_some())).count()
}

/// The decisions for the start of the code do not depend on later code.
#[test]
fn code_is_walked_forward_without_look_ahead() {
    let build = |later: usize| {
        let mut b = Builder::default();
        b.block(&[]);
        let values: Vec<VReg> = (0..20).map(|k| b.imm(k)).collect();
        for pair in values.windows(2) {
            b.cmp(pair[0], pair[1]);
        }
        for _ in 0..later {
            b.cmp(values[3], values[19]);
        }
        b.ret(None);
        b.finish()
    };
    let name = "one-pass{free=off}";
    let (short, long) = (forward(&build(0), name), forward(&build(9), name));
    assert_eq!(short.locs[..39], long.locs[..39]);
    let before = |a: &Allocation| a.edits.iter().filter(|(p, _)| *p < 2 * 39).copied().collect::<Vec<_>>();
    assert!(before(&short).len() > 4);
    assert_eq!(before(&short), before(&long));
}

/// Without the comparison of states everything is in memory at the start and the end of blocks.
#[test]
fn brute_force_spills_all_before_jumps_and_targets() {
    let (f, _, _) = counting_loop(3, 3, 0);
    let (brute, minimal) = (forward(&f, "one-pass{restore=off}"), forward(&f, "one-pass"));
    assert_eq!((stores(&minimal), loads(&minimal)), (0, 0), "{}", listing(&f, &minimal));
    // Three values and the counter.
    assert!(stores(&brute) >= 4 && loads(&brute) >= 4, "{}", listing(&f, &brute));
    let top = 2 * f.blocks[1].start;
    assert!(
        brute.edits.iter().any(|(p, e)| *p == top && matches!(e, Edit::Move { from, .. } if from.as_slot().is_some()))
    );
}

/// A value that is used for the last time gives up its register at once, and is not spilled.
#[test]
fn freed_values_are_not_spilled() {
    let mut b = Builder::default();
    b.block(&[]);
    for k in 0..40 {
        let v = b.imm(k);
        b.cmp(v, v);
    }
    b.ret(None);
    let f = b.finish();
    assert_eq!(forward(&f, "one-pass").edits, []);
    assert!(stores(&forward(&f, "one-pass{free=off}")) >= 40 - 15);
}

/// Values of several blocks are freed at their last uses, too: nothing is stored before the call.
#[test]
fn values_freed_in_another_block_are_not_spilled() {
    let mut b = Builder::default();
    b.block(&[1]);
    let values: Vec<VReg> = (0..12).map(|k| b.imm(k)).collect();
    b.jmp();
    b.block(&[]);
    values.windows(2).for_each(|pair| b.cmp(pair[0], pair[1]));
    b.call(&[], None);
    b.ret(None);
    let f = b.finish();
    assert_eq!(forward(&f, "one-pass").edits, [], "{}", listing(&f, &forward(&f, "one-pass")));
    assert!(stores(&forward(&f, "one-pass{free=off}")) >= 6);
}

/// A value that only another path reads is free on this one, and needs no memory there.
#[test]
fn values_that_another_path_reads_are_freed_on_this_one() {
    let mut b = Builder::default();
    b.block(&[1, 2]);
    let v = b.imm(7);
    b.cmp(v, v);
    b.jcc();
    b.block(&[3]);
    b.cmp(v, v);
    b.call(&[], None);
    b.jmp();
    b.block(&[3]);
    b.cmp(v, v);
    b.jmp();
    b.block(&[]);
    b.ret(None);
    let f = b.finish();
    assert_eq!(forward(&f, "one-pass").edits, [], "{}", listing(&f, &forward(&f, "one-pass")));
    assert!(stores(&forward(&f, "one-pass{free=off}")) > 0);
}

/// Copies between registers, of the allocator and of the function, except copies for returns.
fn copies(f: &MFunction, a: &Allocation) -> usize {
    let edits = a.edits.iter().filter(|(p, e)| {
        let between = matches!(e, Edit::Move { from, to, .. } if from.as_reg().is_some() && to.as_reg().is_some());
        between && f.insts[*p as usize / 2].op != op::Ret
    });
    let own =
        f.insts.iter().zip(&a.locs).filter(|(i, locs)| i.op == op::Mov && i.form == Form::DA && locs[0] != locs[1]);
    edits.count() + own.count()
}

/// `b = a; c -= b` in a block after the block of `a` and `c`: no copy if `a` is not read again, on any path, and one if
/// it is.
#[test]
fn copies_of_values_ending_in_another_block_are_erased() {
    let build = |read_again: bool| {
        let mut b = Builder::default();
        b.block(&[1]);
        let (a, c) = (b.imm(1), b.imm(2));
        b.jmp();
        b.block(&[2, 3]);
        let copy = b.int();
        b.op(op::Mov, Form::DA).d(copy).a(a).done();
        let more = b.int();
        b.op(op::Add, Form::DTI).d(more).a(copy).imm(1).done();
        b.cmp(c, more);
        b.jcc();
        b.block(&[]);
        b.ret(Some(if read_again { a } else { c }));
        b.block(&[]);
        b.ret(None);
        b.finish()
    };
    let (ends, stays) = (build(false), build(true));
    assert_eq!(copies(&ends, &forward(&ends, "one-pass")), 0, "{}", listing(&ends, &forward(&ends, "one-pass")));
    assert_eq!(copies(&stays, &forward(&stays, "one-pass")), 1, "{}", listing(&stays, &forward(&stays, "one-pass")));
}

/// Without last uses there is no earlier walk: no facts about later code are computed or kept.
#[test]
fn no_walk_comes_before_where_last_uses_are_not_asked_for() {
    let (f, _, _) = counting_loop(3, 3, 0);
    let (mut scratch, mut out) = (Scratch::default(), Allocation::default());
    for (name, walks) in [("one-pass{free=off}", false), ("one-pass", true)] {
        parse(name).expect("a name").allocate(&f, &AllocOptions::default(), &mut scratch, &mut out);
        let live = &scratch.one_pass.live;
        assert_eq!(!live.globals.is_empty() && !live.ranges.is_empty(), walks, "{name}");
        assert_eq!(live.values.iter().any(|x| x.block != NONE), walks, "{name}");
    }
}

/// `sum += n` with a call before the loop, across which `n` is in memory: it is loaded once, before the loop.
#[test]
fn values_that_a_loop_reads_are_loaded_in_front_of_it() {
    let mut b = Builder::default();
    b.block(&[1]);
    let (zero, n) = (b.imm(0), b.imm(9));
    b.call(&[], None);
    b.jmp();
    b.block(&[2, 3]);
    let (sum, more) = (b.int(), b.int());
    b.phi(sum, &[(0, PhiArg::Reg(zero)), (2, PhiArg::Reg(more))]);
    b.op(op::Add, Form::DTB).d(more).a(sum).b(n).done();
    b.cmp(more, n);
    b.jcc();
    b.block(&[1]);
    b.jmp();
    b.block(&[]);
    b.ret(Some(more));
    let f = b.finish();
    let inside = 2 * f.blocks[1].start..2 * f.blocks[2].end;
    let loads_inside = |a: &Allocation| {
        let slot = |e: &Edit| matches!(e, Edit::Move { from, .. } if from.as_slot().is_some());
        a.edits.iter().filter(|(p, e)| inside.contains(p) && slot(e)).count()
    };
    let (with, without) = (forward(&f, "one-pass"), forward(&f, "one-pass{loops=off}"));
    assert_eq!((loads_inside(&with), loads(&with)), (0, 2), "{}", listing(&f, &with));
    assert!(loads_inside(&without) > 0, "{}", listing(&f, &without));
}

/// `if (x) a++; b = a` with `a` in a register: no store and no load.
#[test]
fn a_branch_around_a_change_takes_no_move() {
    let mut b = Builder::default();
    b.block(&[1, 2]);
    let (x, a) = (b.imm(1), b.imm(2));
    b.cmp(x, x);
    b.jcc();
    b.block(&[3]);
    let more = b.int();
    b.op(op::Add, Form::DTI).d(more).a(a).imm(1).done();
    b.jmp();
    b.block(&[3]);
    b.jmp();
    b.block(&[]);
    let joined = b.int();
    b.phi(joined, &[(1, PhiArg::Reg(more)), (2, PhiArg::Reg(a))]);
    b.op(op::Cmp, Form::AI).a(joined).imm(3).done();
    b.ret(None);
    let f = b.finish();
    let answer = forward(&f, "one-pass");
    assert_eq!(answer.edits, [], "{}", listing(&f, &answer));
}

/// A loop that exchanges two values: restoring one register after the other would lose one of them.
#[test]
fn states_are_restored_at_once_by_copies_between_registers() {
    let mut b = Builder::default();
    b.block(&[1]);
    let (x, y) = (b.imm(1), b.imm(2));
    b.jmp();
    b.block(&[2, 3]);
    let (p, q) = (b.int(), b.int());
    b.phi(p, &[(0, PhiArg::Reg(x)), (2, PhiArg::Reg(q))]);
    b.phi(q, &[(0, PhiArg::Reg(y)), (2, PhiArg::Reg(p))]);
    b.cmp(p, q);
    b.jcc();
    b.block(&[1]);
    b.jmp();
    b.block(&[]);
    b.ret(Some(p));
    let f = b.finish();
    let a = forward(&f, "one-pass");
    let back: Vec<Edit> = a.edits.iter().filter(|(p, _)| *p == 2 * f.blocks[2].start).map(|(_, e)| *e).collect();
    assert!(matches!(back[..], [Edit::Exchange(..)]), "{}", listing(&f, &a));
    assert_eq!((stores(&a), loads(&a)), (0, 0));
}

/// Each switch changes the code of some of these functions.
#[test]
fn each_switch_makes_a_difference() {
    let functions: Vec<MFunction> = (0..600).map(super::fuzz::Gen::function).collect();
    for switch in Switch::ALL {
        let off = format!("one-pass{{{}=off}}", switch.name());
        let differs = |f: &&MFunction| {
            let (with, without) = (forward(f, "one-pass"), forward(f, &off));
            (with.locs, with.edits) != (without.locs, without.edits)
        };
        assert!(functions.iter().any(|f| differs(&f)), "{switch:?}");
    }
}

/// More values than registers, all read once more as sources.
fn sources_in_memory() -> MFunction {
    let mut b = Builder::default();
    b.block(&[]);
    let values: Vec<VReg> = (0..24).map(|k| b.imm(k)).collect();
    let mut sum = b.imm(0);
    for v in &values {
        sum = b.binary(op::Sub, sum, *v);
    }
    b.ret(Some(sum));
    b.finish()
}

/// A source may stay in memory, a destination is in a register. With spare registers sources are loaded, too.
#[test]
fn sources_are_read_from_memory_where_registers_are_scarce() {
    let f = sources_in_memory();
    let in_slots = |a: &Allocation| a.locs.iter().flatten().filter(|l| l.as_slot().is_some()).count();
    let destinations = |a: &Allocation| a.locs.iter().all(|l| l[0].as_slot().is_none());
    let (hybrid, always, never) =
        (forward(&f, "one-pass"), forward(&f, "one-pass{hybrid=off}"), forward(&f, "one-pass{memory=off}"));
    assert!(in_slots(&hybrid) > 0 && in_slots(&always) >= in_slots(&hybrid));
    assert_eq!(in_slots(&never), 0);
    assert!([&hybrid, &always, &never].iter().all(|a| destinations(a)));
    // Of a few values that are in memory because of a call, those are loaded for which there is a register.
    let mut b = Builder::default();
    b.block(&[]);
    let (x, y) = (b.imm(1), b.imm(2));
    b.call(&[], None);
    b.cmp(x, y);
    b.cmp(x, y);
    b.ret(None);
    let f = b.finish();
    assert_eq!(in_slots(&forward(&f, "one-pass")), 0);
    assert!(in_slots(&forward(&f, "one-pass{hybrid=off}")) > 0);
}

/// A source whose register differs from its memory is read in the register, and a destination is never in memory,
/// however many values stay there.
#[test]
fn a_modified_source_is_not_read_from_memory() {
    let mut b = Builder::default();
    b.block(&[]);
    let (x, y) = (b.imm(1), b.imm(2));
    b.call(&[], None);
    // `x` is in memory, its sum only in a register.
    let sum = b.binary(op::Sub, x, y);
    b.cmp(sum, y);
    b.cmp(y, sum);
    b.ret(Some(sum));
    let f = b.finish();
    let a = forward(&f, "one-pass{hybrid=off}");
    let is_sum = |r: MReg| r == MReg::from(sum);
    for (inst, locs) in f.insts.iter().zip(&a.locs) {
        assert!(locs[0].as_slot().is_none(), "{}", listing(&f, &a));
        let fields = [inst.a, MReg::from_bits(inst.b)];
        let held = fields.iter().zip(&locs[1..]).filter(|(r, l)| is_sum(**r) && **l != Loc::NONE);
        held.for_each(|(_, loc)| assert!(loc.as_reg().is_some(), "{}", listing(&f, &a)));
    }
    assert!(a.locs.iter().flatten().any(|l| l.as_slot().is_some()), "{}", listing(&f, &a));
}

/// With a number, sources are loaded if that many registers are free.
#[test]
fn the_registers_to_spare_are_those_that_are_asked_for() {
    // This many values are in registers, and one is in memory.
    let build = |held: usize| {
        let mut b = Builder::default();
        b.block(&[]);
        let x = b.imm(0);
        b.call(&[], None);
        let values: Vec<VReg> = (0..held).map(|k| b.imm(k as i32)).collect();
        b.cmp(values[0], x);
        values.windows(2).for_each(|pair| b.cmp(pair[0], pair[1]));
        b.ret(None);
        b.finish()
    };
    let in_slots = |held: usize, name: &str| {
        let f = build(held);
        forward(&f, name).locs.iter().flatten().filter(|l| l.as_slot().is_some()).count()
    };
    // Of the 15 registers.
    for spare in 1..=4 {
        let name = format!("one-pass{{hybrid={spare}}}");
        assert_eq!((in_slots(15 - spare, &name), in_slots(16 - spare, &name)), (0, 1), "{name}");
    }
}
