//! The passes over loops on functions with very many of them, very deep, or with very many edges: nothing recurses, and
//! nothing takes the square of the size, which would take minutes here.

use crate::parts::parts;
use lir_opt::{Pipeline, RunOptions, optimize_verified};
use lir_syntax::ir::Module;
use std::fmt::Write;

/// The passes over loops in the order in which a level has them.
const PASSES: &str = "loop-rotate,loop-simplify,phi-simplify,loop-unroll,indvars,licm,simplify-cfg,loop-simplify,licm";

/// Runs the passes on the function `@f(%x: i32) -> i32` with this body; the number of blocks afterwards.
fn blocks_after(passes: &str, body: &str) -> usize {
    let text = format!("func @f(%x: i32) -> i32 {{\nentry:\n{body}}}\n");
    let mut module: Module = text.parse().expect("the text is right");
    optimize_verified(&mut module, &Pipeline::parse(passes).expect("the passes exist"), &RunOptions::default())
        .expect("it is in SSA form");
    module.funcs.values().map(|f| f.layout().blocks().count()).sum()
}

/// A loop like C's `for`, from label `t{k}` to `next`.
fn counting_loop(out: &mut String, k: usize, from: &str, next: &str) -> std::fmt::Result {
    writeln!(out, "t{k}:\n  %i{k} = phi i32 [0, {from}], [%j{k}, b{k}]\n  br slt i32 %i{k}, %x, b{k}, {next}")?;
    writeln!(out, "b{k}:\n  %m{k} = mul i32 %x, %x\n  %j{k} = add i32 %i{k}, %m{k}\n  jmp t{k}")
}

#[test]
fn a_hundred_thousand_loops_one_after_the_other() {
    let n = 100_000;
    let loops = parts(n, |out, k| {
        let from = if k == 0 { "entry".to_string() } else { format!("t{}", k - 1) };
        counting_loop(out, k, &from, &format!("t{}", k + 1))
    });
    let body = format!("  jmp t0\n{loops}t{n}:\n  ret %x\n");
    assert!(blocks_after(PASSES, &body) >= 3 * n);
}

/// Each of them is unrolled, which the growth that a function has is enough for. For each register that a loop assigns
/// SSA form is made again.
#[test]
fn ten_thousand_counted_loops_one_after_the_other() {
    let n = 10_000;
    let loops = parts(n, |out, k| {
        let (from, next) = if k == 0 { ("entry".to_string(), 0) } else { (format!("t{}", k - 1), k) };
        writeln!(out, "t{k}:\n  %i{k} = phi i32 [0, {from}], [%j{k}, t{k}]\n  %j{k} = add i32 %i{k}, 1")?;
        writeln!(out, "  %m{k} = mul i32 %x, %i{k}\n  br slt i32 %j{k}, 5, t{k}, t{}", next + 1)
    });
    let body = format!("  jmp t0\n{loops}t{n}:\n  ret %x\n");
    assert_eq!(blocks_after("loop-unroll", &body), 5 * n + 2);
    assert_eq!(blocks_after("loop-unroll,simplify-cfg", &body), 1);
}

/// The numbers of iterations multiply, and the limit of instructions holds for all of them together.
#[test]
fn a_deep_nest_of_counted_loops() {
    let n = 12;
    let heads = parts(n, |out, k| {
        let from = if k == 0 { "entry".to_string() } else { format!("t{}", k - 1) };
        writeln!(
            out,
            "t{k}:\n  %i{k} = phi i32 [0, {from}], [%j{k}, b{k}]\n  jmp {}",
            if k + 1 == n { "body".to_string() } else { format!("t{}", k + 1) }
        )
    });
    let tails = parts(n, |out, at| {
        let k = n - 1 - at;
        let next = if k == 0 { "done".to_string() } else { format!("b{}", k - 1) };
        writeln!(out, "b{k}:\n  %j{k} = add i32 %i{k}, 1\n  br slt i32 %j{k}, 4, t{k}, {next}")
    });
    let body =
        format!("  jmp t0\n{heads}body:\n  store volatile i32 [%p], %x\n  jmp b{}\n{tails}done:\n  ret %x\n", n - 1);
    let body = format!("  %p = alloca 8, 8\n{body}");
    let blocks = blocks_after("fixpoint(loop-unroll,phi-simplify,sccp,simplify-cfg)", &body);
    assert!(blocks < 40, "{blocks}");
}

#[test]
fn a_hundred_thousand_loops_that_leave_for_one_block() {
    let n = 100_000;
    let loops = parts(n, |out, k| {
        writeln!(out, "t{k}:\n  %i{k} = phi i32 [0, s{k}], [%j{k}, b{k}]\n  br slt i32 %i{k}, %x, b{k}, done")?;
        writeln!(out, "b{k}:\n  %j{k} = add i32 %i{k}, 1\n  jmp t{k}")
    });
    let starts = parts(n, |out, k| writeln!(out, "s{k}:\n  br eq i32 %x, {k}, t{k}, s{}", k + 1));
    let entries = parts(n, |out, k| write!(out, ", [%i{k}, t{k}]"));
    let body =
        format!("  jmp s0\n{starts}{loops}s{n}:\n  jmp done\ndone:\n  %r = phi i32 [0, s{n}]{entries}\n  ret %r\n");
    assert!(blocks_after(PASSES, &body) >= 3 * n);
}

#[test]
fn a_hundred_thousand_back_edges() {
    let n = 100_000;
    let cases = parts(n, |out, k| write!(out, ", {k}: c{k}")).split_off(2);
    let entries = parts(n, |out, k| write!(out, ", [{k}, c{k}]"));
    let blocks = parts(n, |out, k| writeln!(out, "c{k}:\n  %d{k} = call i32 @f(%i)\n  br %d{k}, test, done"));
    let body = format!(
        "  jmp test\ntest:\n  %i = phi i32 [0, entry]{entries}\n  br slt i32 %i, %x, body, done\nbody:\n  switch i32 %i, done \
         [{cases}]\n{blocks}done:\n  ret %x\n"
    );
    // Preheader, test, latch, exit, and the original blocks.
    assert_eq!(blocks_after("loop-simplify", &body), n + 5);
    blocks_after(PASSES, &body);
    // All back edges come from one switch each.
    // They come from switches that lead back twice, into the loop from another one.
    let blocks =
        parts(n, |out, k| writeln!(out, "c{k}:\n  switch i32 %i, test [{k}: test, {}: done, {}: body]", k + 1, k + 2));
    let body = format!(
        "  switch i32 %x, test [1: test]\ntest:\n  %i = phi i32 [0, entry]{entries}\n  br slt i32 %i, %x, body, done\nbody:\n  \
         switch i32 %i, done [{cases}]\n{blocks}done:\n  ret %x\n"
    );
    blocks_after(PASSES, &body);
}

#[test]
fn ten_thousand_loops_in_each_other() {
    let n = 10_000;
    let tops = parts(n, |out, k| {
        let from = if k == 0 { "entry".to_string() } else { format!("t{}", k - 1) };
        writeln!(out, "t{k}:\n  %i{k} = phi i32 [0, {from}], [%j{k}, b{k}]")?;
        let next = if k + 1 == n { "body".to_string() } else { format!("t{}", k + 1) };
        let out_to = if k == 0 { "done".to_string() } else { format!("b{}", k - 1) };
        writeln!(out, "  br slt i32 %i{k}, %x, {next}, {out_to}")
    });
    let bottoms = parts(n, |out, k| {
        let k = n - 1 - k;
        writeln!(out, "b{k}:\n  %m{k} = mul i32 %x, {k}\n  %j{k} = add i32 %i{k}, %m{k}\n  jmp t{k}")
    });
    let body = format!("  jmp t0\n{tops}body:\n  jmp b{}\n{bottoms}done:\n  ret %x\n", n - 1);
    assert!(blocks_after(PASSES, &body) > 2 * n);
}

#[test]
fn an_edge_that_leaves_ten_thousand_loops() {
    let n = 10_000;
    let tops = parts(n, |out, k| writeln!(out, "t{k}:\n  jmp t{}", k + 1));
    let bottoms = parts(n, |out, k| {
        let k = n - 1 - k;
        let next = if k == 0 { "done".to_string() } else { format!("b{}", k - 1) };
        writeln!(out, "b{k}:\n  %c{k} = call i32 @f(%x)\n  switch i32 %c{k}, done [0: t{k}, 1: {next}]")
    });
    let body = format!("  jmp t0\n{tops}t{n}:\n  jmp b{}\n{bottoms}done:\n  ret %x\n", n - 1);
    assert!(blocks_after("loop-simplify", &body) > 3 * n);
    blocks_after(PASSES, &body);
}

#[test]
fn licm_in_a_nest_with_a_load_and_a_store_in_every_loop() {
    let n = 10_000;
    let tops = parts(n, |out, k| writeln!(out, "t{k}:\n  %v{k} = load i32 [@d + {}]\n  jmp t{}", 4 * k, k + 1));
    let bottoms = parts(n, |out, k| {
        let k = n - 1 - k;
        let next = if k == 0 { "done".to_string() } else { format!("b{}", k - 1) };
        let operand = if k == n - 1 { "%x".to_string() } else { format!("%m{}", k + 1) };
        writeln!(out, "b{k}:\n  %m{k} = mul i32 {operand}, %v{k}\n  store i32 [@e], %m{k}\n  br %x, t{k}, {next}")
    });
    let data = "data @d = { zero 40000 }\ndata @e = { i32 0 }\n";
    let body = format!(
        "  jmp t0\n{tops}t{n}:\n  jmp b{}\n{bottoms}done:\n  ret %x\n}}\n{data}func @g() {{\ne:\n  ret\n",
        n - 1
    );
    assert!(blocks_after("loop-simplify,licm", &body) > 2 * n);
}
