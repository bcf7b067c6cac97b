//! The ranges of small functions, register by register.

use super::*;
use lir_syntax::ir::Module;

/// The ranges of the named registers where they are assigned, as the last visit finds them.
fn ranges_of(text: &str, names: &[&str]) -> Vec<(i64, i64)> {
    let module: Module = text.parse().expect("it parses");
    let f = module.funcs.values().next().expect("a function");
    let ssa = SsaView::new(f, SsaView::default()).expect("SSA form");
    let cfg = Cfg::new(f);
    let dom = DominatorTree::new(f, &cfg);
    let around = Around { cfg: &cfg, ssa: &ssa };
    let mut ranges = ValueRanges::default();
    ranges.solve(f, &dom, around);
    let mut found = vec![(0, 0); names.len()];
    for at in 0..ranges.num_positions() {
        let b = ranges.enter(f, around, at);
        for i in f.layout().insts(b) {
            ranges.step(f, around.ssa, i);
            let Some(r) = f.def(i).filter(|r| f.type_of(*r).is_int()) else { continue };
            if let Some(k) = names.iter().position(|n| f.names.get(f.regs[r].name) == n.as_bytes()) {
                let Range { lo, hi } = ranges.of(f, Operand::reg(r), f.type_of(r));
                found[k] = (lo, hi);
            }
        }
        ranges.leave(f, around, b);
    }
    found
}

#[test]
fn a_counter_reaches_the_bound_of_the_test_after_its_increment() {
    let text = "func @f() -> i32 {\nentry:\n  jmp loop\nloop:\n  %i = phi i32 [2, entry], [%j, loop]\n  \
                %a = add i32 %i, 5\n  %j = add i32 %i, 1\n  br slt i32 %j, 65536, loop, done\ndone:\n  %d = copy i32 %j\n  \
                ret %d\n}\n";
    assert_eq!(ranges_of(text, &["i", "a", "j", "d"]), [(2, 65535), (7, 65540), (3, 65536), (65536, 65536)]);
}

#[test]
fn a_counter_reaches_the_bound_of_the_test_before_its_increment() {
    let text = "func @f(%n: i32) -> i32 {\nentry:\n  jmp head\nhead:\n  %i = phi i32 [0, entry], [%j, body]\n  \
                br slt i32 %i, 100, body, done\nbody:\n  %j = add i32 %i, 3\n  jmp head\ndone:\n  %d = copy i32 %i\n  ret %d\n}\n";
    assert_eq!(ranges_of(text, &["i", "j", "d"]), [(0, 102), (3, 102), (100, 102)]);
}

#[test]
fn an_inner_counter_steps_by_the_outer_one() {
    let text = "func @sieve() {\nentry:\n  jmp outer\nouter:\n  %i = phi i32 [2, entry], [%n, next]\n  %s = shl i32 %i, 1\n  \
                br slt i32 %s, 65536, inner, next\ninner:\n  %k = phi i32 [%s, outer], [%l, inner]\n  %l = add i32 %k, %i\n  \
                br slt i32 %l, 65536, inner, next\nnext:\n  %n = add i32 %i, 1\n  br slt i32 %n, 65536, outer, done\ndone:\n  \
                ret\n}\n";
    assert_eq!(ranges_of(text, &["i", "k", "l"]), [(2, 65535), (4, 65535), (6, 131_070)]);
}

#[test]
fn sums_that_may_wrap_have_any_value() {
    let text = "func @f(%n: i32) {\nentry:\n  jmp loop\nloop:\n  %i = phi i32 [0, entry], [%j, loop]\n  \
                %j = add i32 %i, 1\n  br ne i32 %j, %n, loop, done\ndone:\n  ret\n}\n";
    let full = (i64::from(i32::MIN), i64::from(i32::MAX));
    assert_eq!(ranges_of(text, &["i", "j"]), [full, full]);
}

#[test]
fn branches_limit_below_them_only() {
    let text = "func @f(%x: i32, %y: i32) -> i32 {\nentry:\n  %z = sext i32 %x to i64\n  br ult i64 %z, 10, small, join\n\
                small:\n  %a = add i32 %x, 1\n  br sgt i32 %y, %a, more, join\nmore:\n  %b = copy i32 %y\n  jmp join\n\
                join:\n  %p = phi i32 [7, entry], [%x, small], [%a, more]\n  %q = copy i32 %x\n  ret %p\n}\n";
    let (min, max) = (i64::from(i32::MIN), i64::from(i32::MAX));
    assert_eq!(ranges_of(text, &["a", "b", "p", "q"]), [(1, 10), (2, max), (0, 10), (min, max)]);
}

#[test]
fn truths_and_cases_limit_their_subjects() {
    let text = "func @f(%x: i32, %y: i32) -> i32 {\nentry:\n  %t = icmp slt i32 %x, 5\n  %w = zext i8 %t to i32\n  \
                br ne i32 %w, 0, low, high\nlow:\n  %a = copy i32 %x\n  switch i32 %y, other [3: case, 9: case]\nhigh:\n  \
                %b = copy i32 %x\n  jmp other\ncase:\n  %c = copy i32 %y\n  jmp other\nother:\n  ret 0\n}\n";
    let (min, max) = (i64::from(i32::MIN), i64::from(i32::MAX));
    assert_eq!(ranges_of(text, &["a", "b", "c", "w"]), [(min, 4), (5, max), (3, 9), (0, 1)]);
}
