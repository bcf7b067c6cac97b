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
    let body = format!("  switch i32 %x, d [{cases}]\n{blocks}d:\n  ret 1\n");
    assert_eq!(lines_after("simplify-cfg", &body), 2 * N + 6);
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
