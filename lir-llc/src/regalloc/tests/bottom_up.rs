//! The allocator `bottom-up`: the behaviour of nanojit's assembler, as far as it concerns register allocation.

use super::fuzz::Gen;
use super::*;
use crate::isa::x64::registers::{RCX, RDI, RDX, RSI};
use crate::mir::allocation::Step;
use crate::regalloc::BOTTOM_UP;
use crate::regalloc::checker::states::visit_states;

fn from_below(f: &MFunction, options: &str) -> Allocation {
    let mut out = Allocation::default();
    BOTTOM_UP.allocate(f, &options.parse().expect("options"), &mut Scratch::default(), &mut out);
    assert_eq!(check(f, &out), [], "{}", listing(f, &out));
    out
}

fn is_load(edit: &Edit) -> bool {
    matches!(edit, Edit::Move { from, .. } if from.as_slot().is_some())
}
fn is_store(edit: &Edit) -> bool {
    matches!(edit, Edit::Move { to, .. } if to.as_slot().is_some())
}
/// The points of edits of a kind.
fn points(a: &Allocation, kind: impl Fn(&Edit) -> bool) -> Vec<u32> {
    a.edits.iter().filter(|(_, e)| kind(e)).map(|(p, _)| *p).collect()
}

/// `x`, then `n` values that are all live at once, then a use of each and of `x`.
fn more_than_registers(n: usize, make: impl Fn(&mut Builder) -> VReg) -> (MFunction, VReg) {
    let mut b = Builder::default();
    b.block(&[]);
    let x = make(&mut b);
    let values: Vec<VReg> = (0..n).map(|k| b.imm(k as i32)).collect();
    for v in &values {
        b.op(op::Cmp, Form::AI).a(*v).imm(0).done();
    }
    b.ret(Some(x));
    (b.finish(), x)
}

/// There is one pass: the decisions for the end of the code do not depend on earlier code.
#[test]
fn code_is_walked_from_the_end_and_no_decision_is_taken_back() {
    let build = |before: usize| {
        let mut b = Builder::default();
        b.block(&[]);
        for _ in 0..before {
            let (v, w) = (b.imm(1), b.imm(2));
            b.cmp(v, w);
        }
        let (x, y) = (b.imm(3), b.imm(4));
        let sum = b.binary(op::Add, x, y);
        b.call(&[sum, y], None);
        b.ret(Some(sum));
        b.finish()
    };
    let (short, long) = (from_below(&build(0), ""), from_below(&build(20), ""));
    let shift = long.locs.len() - short.locs.len();
    assert_eq!(short.locs, long.locs[shift..]);
    let edits: Vec<(u32, Edit)> = long.edits.iter().map(|(p, e)| (p - 2 * shift as u32, *e)).collect();
    assert_eq!(short.edits, edits);
    // Edits are made backward, but are in the order of the program.
    assert!(long.edits.is_sorted_by_key(|(p, _)| *p));
}

/// A reservation is a register, or a slot, or both.
#[test]
fn a_value_is_in_a_register_a_slot_or_both() {
    let mut b = Builder::default();
    b.block(&[]);
    let values: Vec<VReg> = (0..8).map(|k| b.imm(k)).collect();
    for v in &values {
        b.op(op::Cmp, Form::AI).a(*v).imm(0).done();
    }
    b.call(&[], None);
    for v in &values {
        b.op(op::Cmp, Form::AI).a(*v).imm(1).done();
    }
    b.ret(None);
    let f = b.finish();
    let a = from_below(&f, "");
    let call = 16;
    // Values in slots across the call are in registers before it, too.
    let stored = points(&a, is_store).len();
    assert!(stored > 0, "{}", listing(&f, &a));
    assert_eq!(points(&a, is_load), vec![2 * call + 1; stored]);
    let compared = (8..16).filter(|i| a.locs[*i][1].as_reg().is_some()).count();
    assert_eq!(compared, 8);
}

/// A value that is held already is read from its register by all instructions above.
#[test]
fn all_uses_read_the_register_that_the_last_one_took() {
    let mut b = Builder::default();
    b.block(&[]);
    let x = b.imm(1);
    for k in 0..5 {
        b.op(op::Cmp, Form::AI).a(x).imm(k).done();
    }
    b.ret(Some(x));
    let f = b.finish();
    let a = from_below(&f, "");
    assert_eq!((places_of(&f, &a, x), a.edits.len()), (vec![Loc::reg(RAX)], 0));
}

/// A value in a register that an instruction does not allow is moved.
#[test]
fn a_register_that_is_not_allowed_is_left_by_a_move() {
    let mut b = Builder::default();
    b.block(&[]);
    let (x, count) = (b.imm(1), b.imm(2));
    let shifted = b.int();
    b.op(op::ShlCl, Form::DTB).d(shifted).a(x).b(count).done();
    b.call(&[count], None);
    b.ret(Some(shifted));
    let f = b.finish();
    let a = from_below(&f, "");
    // The call needs the count in rdi; it is copied to rcx for the shift.
    assert_eq!(a.locs[2][2], Loc::reg(RCX));
    let copy = Edit::Move { from: Loc::reg(RDI), to: Loc::reg(RCX), class: RegClass::Int };
    assert!(a.edits.contains(&(4, copy)), "{}", listing(&f, &a));
}

/// If no register is free, a victim is loaded again right after the instruction, and stored at its definition.
#[test]
fn a_victim_is_reloaded_later_and_stored_at_its_definition() {
    let (f, _) = more_than_registers(20, |b| b.imm(7));
    let a = from_below(&f, "");
    let (stores, loads) = (points(&a, is_store), points(&a, is_load));
    assert!(!stores.is_empty(), "{}", listing(&f, &a));
    // Some are after definitions, which come first; the others after comparisons, before the next read of the register.
    assert!(stores.iter().all(|p| p % 2 == 1 && *p < 2 * 21), "{stores:?}");
    assert!(loads.iter().all(|p| p % 2 == 1 && *p >= 2 * 20), "{loads:?}");
    for (i, locs) in a.locs.iter().enumerate().skip(21).take(20) {
        let r = locs[1].as_reg().expect("a register");
        let loaded = |(p, e): &&(u32, Edit)| {
            is_load(e) && matches!(e, Edit::Move { to, .. } if *to == Loc::reg(r)) && *p as usize <= 2 * i
        };
        let last = a.edits.iter().rfind(loaded).map(|(p, _)| *p as usize);
        assert!(last.is_none_or(|p| p + 3 >= 2 * i), "loaded at {last:?}, read at {i}");
    }
}

/// A repeatable value is the first victim, is never stored, and is made again instead of loaded.
#[test]
fn constants_are_the_first_victims_and_are_made_again() {
    let (f, x) = more_than_registers(15, |b| b.remat(7));
    let a = from_below(&f, "");
    assert_eq!((points(&a, is_store), points(&a, is_load)), (vec![], vec![]), "{}", listing(&f, &a));
    let made = a.edits.iter().filter(|(_, e)| matches!(e, Edit::Remat(..))).count();
    assert_eq!((made, f.remat_index(x)), (1, Some(0)));
    // Without that feature it is an ordinary value.
    let (f, _) = more_than_registers(15, |b| b.imm(7));
    assert_eq!(points(&from_below(&f, ""), is_store).len(), 1);
}

/// The register that a later use has chosen is the register of the result, so that chains and arguments take no copy.
#[test]
fn results_are_made_where_later_uses_want_them() {
    let mut b = Builder::default();
    b.block(&[]);
    let (x, y) = (b.imm(1), b.imm(2));
    let sum = b.binary(op::Add, x, y);
    let product = b.binary(op::Imul, sum, x);
    b.call(&[x, y, product], None);
    b.ret(None);
    let f = b.finish();
    let a = from_below(&f, "");
    assert_eq!((a.locs[3][0], a.locs[2][0]), (Loc::reg(RDX), Loc::reg(RDX)));
    assert_eq!((a.locs[0][0], a.locs[1][0], a.edits.len()), (Loc::reg(RDI), Loc::reg(RSI), 0));
}

/// A spilled result is stored right after its definition.
#[test]
fn spilled_results_are_stored_right_after_their_definition() {
    let (f, x) = more_than_registers(20, |b| b.imm(7));
    let a = from_below(&f, "stress=spill");
    let stored = Edit::Move { from: a.locs[0][0], to: Loc::slot(0), class: RegClass::Int };
    assert!(places_of(&f, &a, x).iter().all(|l| l.as_reg().is_some()));
    assert!(
        a.edits.iter().any(|(p, e)| *p == 1
            && matches!((e, stored), (Edit::Move { from, .. }, Edit::Move { from: r, .. }) if *from == r))
    );
}

/// A fixed operand without another location is computed in its register, without a move.
#[test]
fn fixed_operands_are_computed_in_their_registers() {
    let mut b = Builder::default();
    b.block(&[]);
    let args: Vec<VReg> = (0..6).map(|k| b.imm(k)).collect();
    b.call(&args, None);
    b.ret(None);
    let f = b.finish();
    let a = from_below(&f, "");
    assert_eq!(a.edits, []);
    assert!((0..6).all(|k| a.locs[k][0] == Loc::reg(INT_ARGS[k])));
}

/// Values that are live across a call leave the registers that it clobbers: for saved ones, or are loaded again.
#[test]
fn calls_evict_values_in_their_registers() {
    let mut b = Builder::default();
    b.block(&[]);
    let values: Vec<VReg> = (0..10).map(|k| b.imm(k)).collect();
    b.call(&[], None);
    for v in &values {
        b.op(op::Cmp, Form::AI).a(*v).imm(1).done();
    }
    b.ret(None);
    let f = b.finish();
    let a = from_below(&f, "");
    let across = a.locs[..10].iter().filter(|l| f.env.callee_saved.contains(preg(l[0]))).count();
    assert_eq!(points(&a, is_load), vec![21; 10 - across], "{}", listing(&f, &a));
    assert_eq!(points(&a, is_store).len(), 10 - across);
}

/// Arms that hold a value in different registers are merged before the branch, by a move at the top of one of them.
#[test]
fn states_are_united_where_control_parts() {
    let mut b = Builder::default();
    b.block(&[1, 2]);
    let x = b.imm(1);
    b.cmp(x, x);
    b.jcc();
    b.block(&[]);
    b.call(&[x], None);
    b.ret(None);
    b.block(&[]);
    b.ret(Some(x));
    let f = b.finish();
    let a = from_below(&f, "");
    // One arm needs it in rdi, the other in rax.
    assert_eq!(a.edits.len(), 1, "{}", listing(&f, &a));
    let (point, edit) = a.edits[0];
    assert!(matches!(edit, Edit::Move { .. }) && [2 * 3, 2 * 5].contains(&point), "{point} {edit:?}");
}

/// The header of a loop is fixed before its body: values that the loop uses stay in registers, all others are in
/// memory.
#[test]
fn loop_headers_are_fixed_before_the_body() {
    let (f, values, [_, i, next]) = counting_loop(20, 4, 20);
    let a = from_below(&f, "");
    let inside = 2 * f.blocks[1].start..2 * f.blocks[2].end;
    let loads: Vec<u32> = points(&a, is_load).into_iter().filter(|p| inside.contains(p)).collect();
    assert_eq!(loads, [], "{}", listing(&f, &a));
    for v in values[..4].iter().chain([&i, &next]) {
        assert!(places_of(&f, &a, *v).iter().all(|l| l.as_reg().is_some()), "{v:?}");
    }
    // A value that is read only after the loop is stored before it.
    let stores = points(&a, is_store);
    assert!(stores.len() >= 8 && stores.iter().all(|p| *p < inside.start), "{stores:?}");
}

/// Every reservation is honoured by the code: at each instruction each register holds the value that was promised to
/// the code below.
#[test]
fn the_contract_holds_at_every_instruction() {
    let mut scratch = Scratch::default();
    for seed in 0..500 {
        let f = Gen::function(seed);
        let options = ["", "regs=4", "regs=6 stress=9", "without=webs,hints"][seed as usize % 4].parse().unwrap();
        let mut a = Allocation::default();
        BOTTOM_UP.allocate(&f, &options, &mut scratch, &mut a);
        let mut promised = std::mem::take(&mut scratch.bottom_up.before);
        promised.reverse();
        assert_eq!(promised.len(), f.insts.len());
        let mut arrived = None;
        visit_states(&f, &a, |_, step, state| {
            let i = match step {
                Some(Step::Edit(k)) if a.edits[k as usize].0 % 2 == 0 => a.edits[k as usize].0 / 2,
                Some(Step::Inst(i)) => i,
                _ => return,
            };
            // The first step at its point. The moves of a block's top precede the point at which the promise holds.
            let at_top = f.blocks.iter().any(|b| b.start == i) && matches!(step, Some(Step::Edit(_)));
            let first = arrived.replace(i) != Some(i);
            if !first || at_top {
                return;
            }
            for r in &promised[i as usize] {
                let there = state.values_in(Loc::reg(r.reg)).contains(&r.value.0);
                assert!(
                    there,
                    "seed {seed}, instruction {i}: {:?} is not in {:?}\n{}",
                    r.value,
                    r.reg,
                    listing(&f, &a)
                );
            }
        });
    }
}
