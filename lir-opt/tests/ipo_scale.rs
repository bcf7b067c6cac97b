//! The passes over modules on modules of 100,000 parts: nothing recurses, and nothing takes the square of the size,
//! which would take minutes here.

use crate::parts::parts;
use lir_opt::{Pipeline, RunOptions, optimize};
use lir_syntax::ir::Module;
use lir_syntax::verifier::verify_module;
use std::fmt::Write;

const N: usize = 100_000;

/// Runs passes on a module; functions and instructions afterwards.
fn counts_after(passes: &str, text: String) -> (usize, usize) {
    let mut module: Module = text.parse().expect("the text is right");
    optimize(&mut module, &Pipeline::parse(passes).expect("the passes exist"), &RunOptions::default())
        .expect("the functions are in SSA form");
    assert_eq!(verify_module(&module, 5), []);
    (module.funcs.len(), instructions(&module))
}

fn instructions(module: &Module) -> usize {
    module.funcs.values().map(|f| f.layout().blocks().map(|b| f.layout().insts(b).count()).sum::<usize>()).sum()
}

const MAX: &str = "local func @max(%a: i32, %b: i32) -> i32 inline {\nentry:\n  br sgt i32 %a, %b, x, y\nx:\n  ret %a\n\
                   y:\n  ret %b\n}\n";

#[test]
fn many_calls_in_one_block() {
    let calls = parts(N, |out, k| writeln!(out, "  %v{} = call i32 @one(%v{k})", k + 1));
    let one = "local func @one(%x: i32) -> i32 {\nentry:\n  %y = add i32 %x, 1\n  ret %y\n}\n";
    let text = format!("func @f(%v0: i32) -> i32 {{\nentry:\n{calls}  ret %v{N}\n}}\n{one}");
    // The call and its replacement cost the same, so all are replaced.
    assert_eq!(counts_after("inline,global-dce", text), (1, 2 * N + 1));
    let calls = parts(N, |out, k| writeln!(out, "  %v{} = call i32 @max(%v{k}, %v0)", k + 1));
    let text = format!("func @f(%v0: i32) -> i32 {{\nentry:\n{calls}  ret %v{N}\n}}\n{MAX}");
    assert_eq!(counts_after("inline,global-dce", text), (1, 4 * N + 1));
}

#[test]
fn calls_in_many_blocks_that_join() {
    let cases = parts(N, |out, k| write!(out, ", {k}: c{k}")).split_off(2);
    let blocks = parts(N, |out, k| writeln!(out, "c{k}:\n  %v{k} = call i32 @max(%x, %y)\n  jmp join"));
    let entries = parts(N, |out, k| write!(out, ", [%v{k}, c{k}]")).split_off(2);
    let text = format!(
        "func @f(%x: i32, %y: i32) -> i32 {{\nentry:\n  switch i32 %x, d [{cases}]\n{blocks}d:\n  ret 1\njoin:\n  \
         %r = phi i32 {entries}\n  ret %r\n}}\n{MAX}"
    );
    let (_, instructions) = counts_after("inline", text);
    assert!(instructions > 2 * N + 10_000, "{instructions}");
}

#[test]
fn chains_of_functions() {
    // Each is called once, so that all bodies move as long as they are small.
    let mut text = String::from("func @f0(%x: i32) -> i32 {\nentry:\n  %y = call i32 @f1(%x)\n  ret %y\n}\n");
    text += &parts(N, |out, k| {
        let (k, callee) = (k + 1, k + 2);
        writeln!(out, "local func @f{k}(%x: i32) -> i32 {{\nentry:\n  %y = call i32 @f{callee}(%x)\n  ret %y\n}}")
    });
    text += &format!("local func @f{}(%x: i32) -> i32 {{\nentry:\n  ret %x\n}}\n", N + 1);
    let (functions, _) = counts_after("attrs,inline,dead-args,global-dce", text.clone());
    assert!(functions < N / 10, "{functions}");
    assert_eq!(counts_after("attrs,dead-args,global-dce", text).0, N + 2);
    // Each is to be inlined into the next one twice.
    let mut text = String::from("func @f0(%x: i32) -> i32 inline {\nentry:\n  ret %x\n}\n");
    for k in 1..2000 {
        let callee = k - 1;
        text += &format!(
            "func @f{k}(%x: i32) -> i32 inline {{\nentry:\n  %y = call i32 @f{callee}(%x)\n  %z = call i32 @f{callee}(%y)\n  \
             ret %z\n}}\n"
        );
    }
    let (_, instructions) = counts_after("inline", text);
    assert!(instructions < 1_000_000, "{instructions}");
}

#[test]
fn a_large_function_that_is_called_once() {
    let blocks = parts(N, |out, k| writeln!(out, "b{k}:\n  br %x, b{}, done", k + 1));
    let entries = parts(N, |out, k| write!(out, ", [{k}, b{k}]")).split_off(2);
    let text = format!(
        "func @f(%x: i32) -> i32 {{\nentry:\n  %y = call i32 @g(%x)\n  ret %y\n}}\n\
         local func @g(%x: i32) -> i32 inline {{\nentry:\n  jmp b0\n{blocks}b{N}:\n  jmp done\ndone:\n  \
         %r = phi i32 {entries}, [-1, b{N}]\n  ret %r\n}}\n"
    );
    assert_eq!(counts_after("inline,global-dce", text), (1, N + 6));
}

#[test]
fn parameters() {
    let params = parts(N, |out, k| write!(out, ", %p{k}: i32")).split_off(2);
    let args = parts(N, |out, _| write!(out, ", %x")).split_off(2);
    let text = format!(
        "func @f(%x: i32) -> i32 {{\nentry:\n  %y = call i32 @g({args})\n  ret %y\n}}\n\
         local func @g({params}) -> i32 {{\nentry:\n  ret %p{}\n}}\n",
        N / 2
    );
    assert_eq!(counts_after("dead-args", text), (2, 3));
}

#[test]
fn tail_calls() {
    let cases = parts(N, |out, k| write!(out, ", {k}: c{k}")).split_off(2);
    let blocks = parts(N, |out, k| writeln!(out, "c{k}:\n  %v{k} = call i32 @f(%y, %x)\n  jmp exit"));
    let entries = parts(N, |out, k| write!(out, ", [%v{k}, c{k}]"));
    let text = format!(
        "func @f(%x: i32, %y: i32) -> i32 {{\nentry:\n  switch i32 %x, d [{cases}]\n{blocks}d:\n  jmp exit\nexit:\n  \
         %r = phi i32 [7, d]{entries}\n  ret %r\n}}\n"
    );
    assert_eq!(counts_after("tail-rec", text), (1, N + 7));
}
