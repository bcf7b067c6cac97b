//! The passes over memory on single functions of 100,000 parts: nothing recurses, and nothing takes the square of the
//! size, which would take minutes here.

use crate::parts::parts;
use lir_opt::{Pipeline, RunOptions, optimize};
use lir_syntax::ir::Module;
use std::fmt::Write;

const N: usize = 100_000;

/// Runs `dse` on the function `@f(%x: i32, %p: i64)` with this body, in a module with `@a` of 8 N bytes; how many
/// stores there are before and after.
fn stores_around_dse(body: &str) -> (usize, usize) {
    let text = format!("data @a = {{ zero {} }}\nfunc @f(%x: i32, %p: i64) {{\n{body}}}\n", 8 * N);
    let count = |text: &str| text.lines().filter(|l| l.trim_start().starts_with("store ")).count();
    let before = count(&text);
    let mut module: Module = text.parse().expect("the text is right");
    let pipeline = Pipeline::parse("dse").expect("the pass exists");
    optimize(&mut module, &pipeline, &RunOptions::default()).expect("the text is in SSA form");
    (before, count(&module.to_string()))
}

#[test]
fn a_block_of_stores_to_one_object() {
    let apart = parts(N, |out, k| writeln!(out, "  store i32 [@a + {}], {k}", 4 * k));
    assert_eq!(stores_around_dse(&format!("entry:\n{apart}  ret\n")), (N, N));
    let again = parts(N, |out, k| writeln!(out, "  store i32 [@a + {}], {k}", 4 * (k % 10)));
    assert_eq!(stores_around_dse(&format!("entry:\n{again}  ret\n")), (N, 10));
    let loads = parts(N, |out, k| writeln!(out, "  store i32 [%p + {}], %x\n  %l{k} = load i32 [%p + {k}]", 4 * k));
    assert_eq!(stores_around_dse(&format!("entry:\n{loads}  ret\n")), (N, N));
}

#[test]
fn stores_to_a_private_object_that_is_read_far_away() {
    let stores = |size: usize| {
        let stores = parts(N, |out, k| writeln!(out, "  store i8 [$s + {}], {}", k % size, k % 127));
        format!("  stack $s: {size}\nentry:\n{stores}  %l = load i8 [$s]\n  ret\n")
    };
    assert_eq!(stores_around_dse(&stores(10)), (N, 1));
    // The store that overwrites another one is too far away to be found.
    let (before, after) = stores_around_dse(&stores(1000));
    assert!(before == N && after > N - 1000, "{after}");
}

#[test]
fn chains_and_diamonds_of_blocks() {
    let chain = parts(N, |out, k| writeln!(out, "b{k}:\n  store i32 [@a], {k}\n  jmp b{}", k + 1));
    assert_eq!(stores_around_dse(&format!("entry:\n  jmp b0\n{chain}b{N}:\n  ret\n")), (N, 1));
    let diamonds = parts(N, |out, k| {
        let next = k + 1;
        writeln!(out, "b{k}:\n  store i32 [@a], {k}\n  br %x, l{k}, b{next}\nl{k}:\n  store i32 [$s], 1\n  jmp b{next}")
    });
    let body = format!("  stack $s: 8\nentry:\n  jmp b0\n{diamonds}b{N}:\n  ret\n");
    assert_eq!(stores_around_dse(&body), (2 * N, 1));
}

#[test]
fn a_switch_whose_cases_all_store() {
    let cases = parts(N, |out, k| write!(out, ", {k}: c{k}")).split_off(2);
    let blocks = parts(N, |out, k| writeln!(out, "c{k}:\n  store i32 [@a], {k}\n  jmp join"));
    let body = format!(
        "entry:\n  store i32 [@a], -1\n  switch i32 %x, d [{cases}]\n{blocks}d:\n  store i32 [@a], -2\n  jmp join\n\
         join:\n  %l = load i32 [@a]\n  ret\n"
    );
    assert_eq!(stores_around_dse(&body), (N + 2, N + 1));
}

#[test]
fn loops_after_and_inside_each_other() {
    let loops = parts(N, |out, k| writeln!(out, "b{k}:\n  store i32 [@a], {k}\n  br %x, b{k}, b{}", k + 1));
    assert_eq!(stores_around_dse(&format!("entry:\n  jmp b0\n{loops}b{N}:\n  ret\n")), (N, N));
    let heads = parts(N, |out, k| writeln!(out, "h{k}:\n  store i32 [$s], {k}\n  jmp h{}", k + 1));
    let latches = parts(N, |out, k| {
        let (depth, next) = (N - 1 - k, k + 1);
        writeln!(out, "l{k}:\n  store i32 [@a], {k}\n  br %x, h{depth}, l{next}")
    });
    let body = format!("  stack $s: 8\nentry:\n  jmp h0\n{heads}h{N}:\n  jmp l0\n{latches}l{N}:\n  ret\n");
    assert_eq!(stores_around_dse(&body), (2 * N, N));
}
