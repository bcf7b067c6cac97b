//! The passes that change blocks and edges on single functions of 100,000 parts: nothing recurses, and nothing takes the
//! square of the size, which would take minutes here.

use lir_opt::{Pipeline, RunOptions, optimize};
use lir_syntax::parser::{ParseOptions, parse};
use lir_syntax::printer::print_module;
use lir_syntax::source::Source;
use std::fmt::Write;

const N: usize = 100_000;

/// Runs passes on the function `@f(%x: i32) -> i32` with this body; its lines afterwards.
fn lines_after(passes: &str, body: &str) -> usize {
    let text = format!("func @f(%x: i32) -> i32 {{\nentry:\n{body}}}\n");
    let source = Source { name: "generated".to_string(), text };
    let mut module = parse(&source, &ParseOptions::default()).expect("the text is right");
    optimize(&mut module, &Pipeline::parse(passes).expect("the passes exist"), &RunOptions::default())
        .expect("the passes take any form");
    let mut out = Vec::new();
    print_module(&module, &mut out);
    out.iter().filter(|c| **c == b'\n').count()
}

/// The text of the parts 0 to N - 1.
fn parts(part: impl Fn(&mut String, usize) -> std::fmt::Result) -> String {
    let mut out = String::new();
    (0..N).for_each(|k| part(&mut out, k).expect("a string takes everything"));
    out
}

#[test]
fn a_switch_whose_blocks_are_all_empty() {
    let cases = parts(|out, k| write!(out, ", {k}: c{k}")).split_off(2);
    let entries = parts(|out, k| write!(out, ", [{k}, c{k}]")).split_off(2);
    let blocks = parts(|out, k| writeln!(out, "c{k}:\n  jmp join"));
    let body =
        format!("  switch i32 %x, d [{cases}]\n{blocks}d:\n  ret 1\njoin:\n  %r = phi i32 {entries}\n  ret %r\n");
    // Every edge brings another value: one block can go.
    assert!(lines_after("simplify-cfg", &body) > 2 * (N - 2));
    let blocks = parts(|out, k| writeln!(out, "c{k}:\n  jmp e{k}\ne{k}:\n  ret {k}"));
    let body = format!("  switch i32 %x, d [{cases}]\n{blocks}d:\n  ret -1\n");
    assert_eq!(lines_after("simplify-cfg", &body), 2 * N + 6);
    // Blocks that do the same, and bring phis the same, are one.
    let blocks = parts(|out, k| writeln!(out, "c{k}:\n  %v{k} = mul i32 %x, {}\n  jmp join", k % 10));
    let entries = parts(|out, k| write!(out, ", [%v{k}, c{k}]")).split_off(2);
    let body =
        format!("  switch i32 %x, d [{cases}]\n{blocks}d:\n  ret 1\njoin:\n  %r = phi i32 {entries}\n  ret %r\n");
    assert_eq!(lines_after("simplify-cfg", &body), 39);
}

#[test]
fn chains_of_tests() {
    let tests = |target: fn(usize) -> String| {
        parts(move |out, k| writeln!(out, "t{k}:\n  br eq i32 %x, {}, {}, t{}", 3 * k, target(k), k + 1))
    };
    // Of one integer, into phis that agree or not.
    let entries = parts(|out, k| write!(out, ", [7, t{k}]"));
    let end = format!("t{N}:\n  jmp join\njoin:\n  %r = phi i32 [1, t{N}]{entries}\n  ret %r\n");
    assert_eq!(lines_after("simplify-cfg", &format!("  jmp t0\n{}{end}", tests(|_| "join".to_string()))), 9);
    let entries = parts(|out, k| write!(out, ", [{k}, t{k}]"));
    let end = format!("t{N}:\n  jmp join\njoin:\n  %r = phi i32 [1, t{N}]{entries}\n  ret %r\n");
    assert!(lines_after("simplify-cfg", &format!("  jmp t0\n{}{end}", tests(|_| "join".to_string()))) > 2 * N);
    // Of numbers that follow each other, and of one that the branch before decides.
    let follow = parts(|out, k| writeln!(out, "t{k}:\n  br eq i32 %x, {k}, yes, t{}", k + 1));
    assert_eq!(lines_after("simplify-cfg,dce", &format!("  jmp t0\n{follow}t{N}:\n  ret 0\nyes:\n  ret 1\n")), 8);
    let nested =
        parts(|out, k| writeln!(out, "t{k}:\n  store i32 [@g], {k}\n  br slt i32 %x, {}, t{}, out", N - k, k + 1));
    let body = format!(
        "  jmp t0\n{nested}t{N}:\n  ret 0\nout:\n  ret 1\n}}\ndata @g = {{ i32 0 }}\nfunc @h() {{\ne:\n  ret\n"
    );
    assert!(lines_after("simplify-cfg", &body) > 2 * N);
}

#[test]
fn arms_that_begin_alike() {
    // Each level's arms begin with what the level below moved up; and one pair of arms is long.
    let levels = parts(|out, k| {
        writeln!(
            out,
            "t{k}:\n  br %c{k}, a{k}, t{}\na{k}:\n  %v{k} = neg i32 %x\n  store i32 [%p], %v{k}\n  ret {k}",
            k + 1
        )
    });
    let conditions = parts(|out, k| writeln!(out, "  %c{k} = xor i32 %x, {k}"));
    let body = format!(
        "  %p = const i64 0\n{conditions}  jmp t0\n{levels}t{N}:\n  %v{N} = neg i32 %x\n  store i32 [%p], %v{N}\n  ret -1\n"
    );
    assert_eq!(lines_after("simplify-cfg", &body), 5 * N + 7);
    let arm = |side: &str| parts(|out, k| writeln!(out, "  %{side}{} = add i32 %{side}{k}, %x", k + 1));
    let body = format!(
        "  br %x, a, b\na:\n  %a0 = neg i32 %x\n{}  ret %a{N}\nb:\n  %b0 = neg i32 %x\n{}  %c = not i32 %b{N}\n  ret %c\n",
        arm("a"),
        arm("b")
    );
    assert_eq!(lines_after("simplify-cfg", &body), N + 10);
}

#[test]
fn branches_to_convert() {
    let diamonds = parts(|out, k| {
        writeln!(
            out,
            "d{k}:\n  br sgt i32 %v{k}, {k}, a{k}, b{k}\na{k}:\n  %a{k} = add i32 %v{k}, 1\n  jmp j{k}\nb{k}:\n  jmp j{k}\n\
             j{k}:\n  %v{} = phi i32 [%a{k}, a{k}], [%v{k}, b{k}]\n  jmp d{}",
            k + 1,
            k + 1
        )
    });
    let body = format!("  %v0 = copy i32 %x\n  jmp d0\n{diamonds}d{N}:\n  ret %v{N}\n");
    assert_eq!(lines_after("if-convert,simplify-cfg", &body), 3 * N + 5);
    let arms = parts(|out, k| writeln!(out, "h{k}:\n  br sgt i32 %x, {k}, join, h{}", k + 1));
    let entries = parts(|out, k| write!(out, ", [{k}, h{k}]"));
    let body = format!("  jmp h0\n{arms}h{N}:\n  jmp join\njoin:\n  %r = phi i32 [7, h{N}]{entries}\n  ret %r\n");
    assert!(lines_after("if-convert", &body) > 2 * N);
}

#[test]
fn chains_of_blocks() {
    let jumps = parts(|out, k| writeln!(out, "b{k}:\n  jmp b{}", k + 1));
    let body = format!("  br %x, b0, b{N}\n{jumps}b{N}:\n  ret 0\n");
    assert_eq!(lines_after("simplify-cfg", &body), 4);
    let blocks = parts(|out, k| writeln!(out, "b{k}:\n  %v{k} = add i32 %x, {k}\n  jmp b{}", k + 1));
    let body = format!("  jmp b0\n{blocks}b{N}:\n  ret %x\n");
    assert_eq!(lines_after("simplify-cfg,dce", &body), 4);
}

#[test]
fn branches_that_all_fold() {
    let tests = parts(|out, k| writeln!(out, "t{k}:\n  br eq i32 %k, {k}, join, t{}", k + 1));
    let entries = parts(|out, k| write!(out, ", [{k}, t{k}]"));
    let body = format!(
        "  %k = const i32 -1\n  jmp t0\n{tests}t{N}:\n  jmp join\njoin:\n  %r = phi i32 [1, t{N}]{entries}\n  ret %r\n"
    );
    assert_eq!(lines_after("constfold,simplify-cfg,dce", &body), 4);
}

#[test]
fn chains_of_values() {
    let constants = parts(|out, k| writeln!(out, "  %v{} = add i32 %v{k}, 1", k + 1));
    assert_eq!(lines_after("constfold,dce", &format!("  %v0 = const i32 3\n{constants}  ret %v{N}\n")), 4);
    let sums = parts(|out, k| writeln!(out, "  %v{} = add i32 %v{k}, 1", k + 1));
    assert_eq!(lines_after("simplify", &format!("  %v0 = copy i32 %x\n{sums}  ret %v{N}\n")), 5);
    let masks = parts(|out, k| writeln!(out, "  %m{k} = and i32 %v{k}, -2\n  %v{} = xor i32 %m{k}, %x", k + 1));
    assert_eq!(lines_after("simplify", &format!("  %v0 = copy i32 %x\n{masks}  ret %v{N}\n")), 2 * N + 4);
    let copies = parts(|out, k| writeln!(out, "  %v{} = copy i32 %v{k}", k + 1));
    assert_eq!(lines_after("copy-prop,dce", &format!("  %v0 = copy i32 %x\n{copies}  ret %v{N}\n")), 4);
    // All the same, in one block; in many blocks after a large one; all different.
    let sums = parts(|out, k| writeln!(out, "  %v{} = add i32 %x, %v{}", k + 1, k % 2));
    assert_eq!(lines_after("lvn", &format!("  %v0 = copy i32 %x\n{sums}  ret %v{N}\n")), 6);
    let blocks = parts(|out, k| writeln!(out, "b{k}:\n  %a{k} = neg i32 %x\n  %b{k} = neg i32 %x\n  jmp b{}", k + 1));
    let different = parts(|out, k| writeln!(out, "  %v{k} = xor i32 %x, {k}"));
    let body = format!("{different}  jmp b0\n{blocks}b{N}:\n  ret %x\n");
    assert_eq!(lines_after("lvn", &body), 4 * N + 6);
    let circle = parts(|out, k| writeln!(out, "  %p{k} = phi i32 [0, entry], [%p{}, loop]", (k + 1) % N));
    let body = format!("  jmp loop\nloop:\n{circle}  br %x, loop, done\ndone:\n  ret 1\n");
    assert_eq!(lines_after("dce", &body), 8);
}
