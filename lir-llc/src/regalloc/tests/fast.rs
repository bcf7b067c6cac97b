//! The allocator `fast`: values that are live across blocks never move, the others get registers block by block.

use super::*;

fn quickly(f: &MFunction, options: &str) -> Allocation {
    let mut out = Allocation::default();
    let options = options.parse().expect("options");
    super::super::FAST.allocate(f, &options, &mut Scratch::default(), &mut out);
    assert_eq!(check(f, &out), [], "{}", listing(f, &out));
    out
}

/// `n` values live around a loop that counts and reads the first `m` of them. The loop's counter comes last.
fn around_a_loop(n: usize, m: usize) -> (MFunction, Vec<VReg>) {
    let (f, mut values, [_, i, next]) = counting_loop(n, m, n);
    values.extend([i, next]);
    (f, values)
}

#[test]
fn a_loop_that_fits_takes_no_move() {
    let (f, values) = around_a_loop(3, 3);
    let a = quickly(&f, "");
    assert!(values.iter().all(|v| places_of(&f, &a, *v).len() == 1));
    // The move of the result to rax.
    assert_eq!(moves(&a), 1, "{}", listing(&f, &a));
}

/// Of twenty values the four that the loop reads are in registers, though they come first.
#[test]
fn the_lightest_value_is_in_memory() {
    let (mut f, values) = around_a_loop(20, 0);
    let (hot, _) = around_a_loop(20, 4);
    for (f, most) in [(&mut f, 0), (&mut hot.clone(), 4)] {
        let a = quickly(f, "");
        let loads = |(_, e): &&(u32, Edit)| matches!(e, Edit::Move { from, .. } if from.as_slot().is_some());
        let (start, end) = (2 * f.blocks[1].start, 2 * f.blocks[1].end);
        let in_loop = a.edits.iter().filter(|(p, _)| (start..end).contains(p)).filter(loads).count();
        assert_eq!(in_loop, 0, "{}", listing(f, &a));
        let counter = places_of(f, &a, values[values.len() - 2]);
        assert!(counter.iter().all(|l| l.as_reg().is_some()));
        for v in &values[..most] {
            assert!(places_of(f, &a, *v).iter().all(|l| l.as_reg().is_some()), "{v:?}\n{}", listing(f, &a));
        }
    }
}

/// A value in one block that is live across calls is stored once and loaded once, whatever the number of calls.
#[test]
fn calls_in_a_block_store_once() {
    let mut b = Builder::default();
    b.block(&[]);
    let x = b.imm(1);
    for _ in 0..20 {
        b.call(&[], None);
    }
    b.ret(Some(x));
    let f = b.finish();
    let a = quickly(&f, "");
    assert_eq!(moves(&a), 2, "{}", listing(&f, &a));
}

/// A value that becomes an argument is computed in its register.
#[test]
fn arguments_are_made_in_their_registers() {
    let mut b = Builder::default();
    b.block(&[]);
    let (x, y) = (b.imm(1), b.imm(2));
    b.call(&[x, y], None);
    b.ret(None);
    let a = quickly(&b.finish(), "");
    assert_eq!(a.edits, []);
}

/// With more values in a block than registers, the values that are read last are stored, once each.
#[test]
fn pressure_in_a_block_stores_the_value_that_ends_last() {
    let mut b = Builder::default();
    b.block(&[]);
    let values: Vec<VReg> = (0..20).map(|k| b.imm(k)).collect();
    for v in values.iter().rev() {
        b.cmp(*v, *v);
    }
    b.ret(None);
    let f = b.finish();
    let a = quickly(&f, "");
    let stored = |e: &Edit| matches!(e, Edit::Move { to, .. } if to.as_slot().is_some());
    assert_eq!(a.edits.iter().filter(|(_, e)| stored(e)).count(), 5, "{}", listing(&f, &a));
    assert_eq!(a.num_slots, 5);
}

/// A hundred times over, values live across a call: their slots are used again.
#[test]
fn slots_of_dead_values_are_used_again() {
    let mut b = Builder::default();
    b.block(&[]);
    for _ in 0..100 {
        let values: Vec<VReg> = (0..8).map(|k| b.imm(k)).collect();
        b.call(&[], None);
        for v in &values {
            b.op(op::Cmp, Form::AI).a(*v).imm(0).done();
        }
    }
    b.ret(None);
    let f = b.finish();
    assert!(quickly(&f, "").num_slots <= 8);
}

/// A deep nest of loops with values around each, in which liveness takes many steps for a word of values.
#[test]
fn deep_nests_are_allocated_rightly() {
    const DEPTH: u32 = 120;
    let mut b = Builder::default();
    b.block(&[1]);
    let outer = b.imm(0);
    b.jmp();
    let mut counters = Vec::new();
    // The headers, each before the next, and the blocks that close the loops, the innermost first.
    for k in 0..DEPTH {
        b.block(&[k + 2]);
        let (start, value) = (b.imm(k as i32), b.imm(1));
        counters.push((start, value));
        b.f.blocks.last_mut().unwrap().loop_depth = k.min(6);
        b.jmp();
    }
    for k in (0..DEPTH).rev() {
        let (start, value) = counters[k as usize];
        let here = b.f.blocks.len() as u32;
        // This block, the back edge to the header, and the edge out.
        b.block(&[here + 1, here + 2]);
        b.op(op::Add, Form::DTI).d(start).a(start).imm(1).done();
        b.cmp(start, value);
        b.cmp(outer, value);
        b.jcc();
        b.block(&[k + 1]);
        b.jmp();
    }
    b.block(&[]);
    b.ret(Some(outer));
    let f = b.finish();
    for options in ["", "regs=6", "stress=3"] {
        quickly(&f, options);
    }
}
