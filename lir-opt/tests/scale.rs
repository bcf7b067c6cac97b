//! The passes that change blocks and edges on single functions of 50,000 parts: nothing recurses, and nothing takes the
//! square of the size, which would take minutes here. The same holds with remarks.

use crate::parts::parts;
use lir_opt::pass::remarks::Listen;
use lir_opt::{Pipeline, RunOptions, optimize};
use lir_syntax::ir::Module;
use std::fmt::Write;

const N: usize = 50_000;

/// Runs passes on the function `@f(%x: i32) -> i32` with this body; its lines afterwards.
fn lines_after(passes: &str, body: &str) -> usize {
    lines_of(passes, &format!("{FUNC}entry:\n{body}}}\n"))
}

/// The header of the function.
const FUNC: &str = "func @f(%x: i32) -> i32 {\n";

/// Runs passes on a module, with remarks and without; its lines afterwards.
fn lines_of(passes: &str, text: &str) -> usize {
    let [quiet, heard] = [Listen::Off, Listen::All].map(|listen| printed(passes, text, listen));
    assert!(quiet == heard, "with remarks the output is another");
    quiet.lines().count()
}

/// The text of a module after some passes.
fn printed(passes: &str, text: &str, listen: Listen) -> String {
    let mut module: Module = text.parse().expect("the text is right");
    let pipeline = Pipeline::parse(passes).expect("the passes exist");
    let options = RunOptions { listen, ..RunOptions::default() };
    optimize(&mut module, &pipeline, &options).expect("the passes take any form");
    module.to_string()
}

#[test]
fn a_switch_whose_blocks_are_all_empty() {
    let cases = parts(N, |out, k| write!(out, ", {k}: c{k}")).split_off(2);
    let entries = parts(N, |out, k| write!(out, ", [{k}, c{k}]")).split_off(2);
    let blocks = parts(N, |out, k| writeln!(out, "c{k}:\n  jmp join"));
    let body =
        format!("  switch i32 %x, d [{cases}]\n{blocks}d:\n  ret 1\njoin:\n  %r = phi i32 {entries}\n  ret %r\n");
    // Every edge has another value: one block can be removed.
    assert!(lines_after("simplify-cfg", &body) > 2 * (N - 2));
    let blocks = parts(N, |out, k| writeln!(out, "c{k}:\n  jmp e{k}\ne{k}:\n  ret {k}"));
    let body = format!("  switch i32 %x, d [{cases}]\n{blocks}d:\n  ret -1\n");
    assert_eq!(lines_after("simplify-cfg", &body), 2 * N + 6);
    // Blocks that do the same, and bring phis the same, are one.
    let blocks = parts(N, |out, k| writeln!(out, "c{k}:\n  %v{k} = mul i32 %x, {}\n  jmp join", k % 10));
    let entries = parts(N, |out, k| write!(out, ", [%v{k}, c{k}]")).split_off(2);
    let body =
        format!("  switch i32 %x, d [{cases}]\n{blocks}d:\n  ret 1\njoin:\n  %r = phi i32 {entries}\n  ret %r\n");
    assert_eq!(lines_after("simplify-cfg", &body), 39);
}

#[test]
fn chains_of_tests() {
    let tests = |target: fn(usize) -> String| {
        parts(N, move |out, k| writeln!(out, "t{k}:\n  br eq i32 %x, {}, {}, t{}", 3 * k, target(k), k + 1))
    };
    // Of one integer, into phis that agree or not.
    let entries = parts(N, |out, k| write!(out, ", [7, t{k}]"));
    let end = format!("t{N}:\n  jmp join\njoin:\n  %r = phi i32 [1, t{N}]{entries}\n  ret %r\n");
    assert_eq!(lines_after("simplify-cfg", &format!("  jmp t0\n{}{end}", tests(|_| "join".to_string()))), 9);
    let entries = parts(N, |out, k| write!(out, ", [{k}, t{k}]"));
    let end = format!("t{N}:\n  jmp join\njoin:\n  %r = phi i32 [1, t{N}]{entries}\n  ret %r\n");
    assert!(lines_after("simplify-cfg", &format!("  jmp t0\n{}{end}", tests(|_| "join".to_string()))) > 2 * N);
    // Of numbers that follow each other, and of one that the branch before decides.
    let follow = parts(N, |out, k| writeln!(out, "t{k}:\n  br eq i32 %x, {k}, yes, t{}", k + 1));
    assert_eq!(lines_after("simplify-cfg,dce", &format!("  jmp t0\n{follow}t{N}:\n  ret 0\nyes:\n  ret 1\n")), 8);
    let nested =
        parts(N, |out, k| writeln!(out, "t{k}:\n  store i32 [@g], {k}\n  br slt i32 %x, {}, t{}, out", N - k, k + 1));
    let body = format!(
        "  jmp t0\n{nested}t{N}:\n  ret 0\nout:\n  ret 1\n}}\ndata @g = {{ i32 0 }}\nfunc @h() {{\ne:\n  ret\n"
    );
    assert!(lines_after("simplify-cfg", &body) > 2 * N);
}

#[test]
fn blocks_of_phis_and_a_jump() {
    // All into one block: two entries each in place of one. And each into the next, where both arms lead.
    let tests = parts(N, |out, k| {
        writeln!(
            out,
            "t{k}:\n  %c{k} = xor i32 %x, {k}\n  br %c{k}, j{k}, u{k}\nu{k}:\n  %d{k} = mul i32 %c{k}, %x\n  br %d{k}, j{k}, t{}",
            k + 1
        )
    });
    let joins = parts(N, |out, k| writeln!(out, "j{k}:\n  %v{k} = phi i32 [{k}, t{k}], [7, u{k}]\n  jmp end"));
    let entries = parts(N, |out, k| write!(out, ", [%v{k}, j{k}]")).split_off(2);
    let end = format!("t{N}:\n  ret 5\nend:\n  %r = phi i32 {entries}\n  ret %r\n");
    assert_eq!(lines_after("simplify-cfg", &format!("  jmp t0\n{tests}{joins}{end}")), 6 * N + 7);
    let chain = parts(N, |out, k| {
        let entry = if k == 0 { String::new() } else { format!(", [%v{}, j{}]", k - 1, k - 1) };
        writeln!(out, "j{k}:\n  %v{k} = phi i32 [{k}, t{k}], [7, u{k}]{entry}\n  jmp j{}", k + 1)
    });
    let end = format!("t{N}:\n  ret 5\nj{N}:\n  ret %v{}\n", N - 1);
    assert!(lines_after("simplify-cfg", &format!("  jmp t0\n{tests}{chain}{end}")) < 9 * N);
}

#[test]
fn arms_that_begin_alike() {
    // Each level's arms begin with the instructions that the level below moved up; and one pair of arms is long.
    let levels = parts(N, |out, k| {
        writeln!(
            out,
            "t{k}:\n  br %c{k}, a{k}, t{}\na{k}:\n  %v{k} = neg i32 %x\n  store i32 [$s], %v{k}\n  ret {k}",
            k + 1
        )
    });
    let conditions = parts(N, |out, k| writeln!(out, "  %c{k} = xor i32 %x, {k}"));
    let body =
        format!("{conditions}  jmp t0\n{levels}t{N}:\n  %v{N} = neg i32 %x\n  store i32 [$s], %v{N}\n  ret -1\n");
    let text = format!("{FUNC}  stack $s: 4\nentry:\n{body}}}\n");
    assert_eq!(lines_of("simplify-cfg", &text), 5 * N + 7);
    let arm = |side: &str| parts(N, |out, k| writeln!(out, "  %{side}{} = add i32 %{side}{k}, %x", k + 1));
    let body = format!(
        "  br %x, a, b\na:\n  %a0 = neg i32 %x\n{}  ret %a{N}\nb:\n  %b0 = neg i32 %x\n{}  %c = not i32 %b{N}\n  ret %c\n",
        arm("a"),
        arm("b")
    );
    assert_eq!(lines_after("simplify-cfg", &body), N + 10);
}

#[test]
fn branches_to_convert() {
    let diamonds = parts(N, |out, k| {
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
    let arms = parts(N, |out, k| writeln!(out, "h{k}:\n  br sgt i32 %x, {k}, join, h{}", k + 1));
    let entries = parts(N, |out, k| write!(out, ", [{k}, h{k}]"));
    let body = format!("  jmp h0\n{arms}h{N}:\n  jmp join\njoin:\n  %r = phi i32 [7, h{N}]{entries}\n  ret %r\n");
    assert!(lines_after("if-convert", &body) > 2 * N);
}

#[test]
fn chains_of_blocks() {
    let jumps = parts(N, |out, k| writeln!(out, "b{k}:\n  jmp b{}", k + 1));
    let body = format!("  br %x, b0, b{N}\n{jumps}b{N}:\n  ret 0\n");
    assert_eq!(lines_after("simplify-cfg", &body), 4);
    let blocks = parts(N, |out, k| writeln!(out, "b{k}:\n  %v{k} = add i32 %x, {k}\n  jmp b{}", k + 1));
    let body = format!("  jmp b0\n{blocks}b{N}:\n  ret %x\n");
    assert_eq!(lines_after("simplify-cfg,dce", &body), 4);
}

#[test]
fn branches_that_all_fold() {
    let tests = parts(N, |out, k| writeln!(out, "t{k}:\n  br eq i32 %k, {k}, join, t{}", k + 1));
    let entries = parts(N, |out, k| write!(out, ", [{k}, t{k}]"));
    let body = format!(
        "  %k = const i32 -1\n  jmp t0\n{tests}t{N}:\n  jmp join\njoin:\n  %r = phi i32 [1, t{N}]{entries}\n  ret %r\n"
    );
    assert_eq!(lines_after("constfold,simplify-cfg,dce", &body), 4);
}

#[test]
fn chains_of_values() {
    let constants = parts(N, |out, k| writeln!(out, "  %v{} = add i32 %v{k}, 1", k + 1));
    assert_eq!(lines_after("constfold,dce", &format!("  %v0 = const i32 3\n{constants}  ret %v{N}\n")), 4);
    let sums = parts(N, |out, k| writeln!(out, "  %v{} = add i32 %v{k}, 1", k + 1));
    assert_eq!(lines_after("simplify", &format!("  %v0 = copy i32 %x\n{sums}  ret %v{N}\n")), 5);
    // The first value is not %x itself, since little would be left then.
    let masks = parts(N, |out, k| writeln!(out, "  %m{k} = and i32 %v{k}, -2\n  %v{} = xor i32 %m{k}, %x", k + 1));
    assert_eq!(lines_after("simplify", &format!("  %v0 = mul i32 %x, %x\n{masks}  ret %v{N}\n")), 2 * N + 5);
    let copies = parts(N, |out, k| writeln!(out, "  %v{} = copy i32 %v{k}", k + 1));
    assert_eq!(lines_after("copy-prop,dce", &format!("  %v0 = copy i32 %x\n{copies}  ret %v{N}\n")), 4);
    // All the same, in one block; in many blocks after a large one; all different.
    let sums = parts(N, |out, k| writeln!(out, "  %v{} = add i32 %x, %v{}", k + 1, k % 2));
    assert_eq!(lines_after("lvn", &format!("  %v0 = copy i32 %x\n{sums}  ret %v{N}\n")), 6);
    let blocks =
        parts(N, |out, k| writeln!(out, "b{k}:\n  %a{k} = neg i32 %x\n  %b{k} = neg i32 %x\n  jmp b{}", k + 1));
    let different = parts(N, |out, k| writeln!(out, "  %v{k} = xor i32 %x, {k}"));
    let body = format!("{different}  jmp b0\n{blocks}b{N}:\n  ret %x\n");
    assert_eq!(lines_after("lvn", &body), 4 * N + 6);
    let circle = parts(N, |out, k| writeln!(out, "  %p{k} = phi i32 [0, entry], [%p{}, loop]", (k + 1) % N));
    let body = format!("  jmp loop\nloop:\n{circle}  br %x, loop, done\ndone:\n  ret 1\n");
    assert_eq!(lines_after("dce", &body), 8);
}

#[test]
fn memory_of_one_block() {
    // A segment for each of the stores, not in the order of the offsets.
    let at = |k: usize| 8 * (k * 7919 % N);
    let stores = parts(N, |out, k| writeln!(out, "  store i32 [$o + {}], %x", at(k)));
    let loads = parts(N, |out, k| writeln!(out, "  %l{k} = load i32 [$o + {}]", at(N - 1 - k)));
    let object = format!("  stack $o: {}\n", 8 * N);
    assert_eq!(lines_of("lvn", &format!("{FUNC}{object}entry:\n{stores}{loads}  ret %x\n}}\n")), N + 5);
    // Every generic store discards all objects.
    let pairs = parts(N, |out, k| writeln!(out, "  store i32 [%p], {k}\n  %l{k} = load i32 [@d + {}]", 4 * (k % 100)));
    let body = format!("  %p = sext i32 %x to i64\n{pairs}  ret %x\n}}\n");
    let data = "data @d = { zero 400 }\n\n";
    assert_eq!(lines_of("lvn", &format!("{data}{FUNC}entry:\n{body}")), 2 * N + 7);
}

#[test]
fn chains_of_sums() {
    let sums = parts(N, |out, k| writeln!(out, "  %v{} = add i32 %x, %v{k}", k + 1));
    assert_eq!(lines_after("reassociate", &format!("  %v0 = neg i32 %x\n{sums}  ret %v{N}\n")), 5);
    let different = parts(N, |out, k| writeln!(out, "  %u{k} = xor i32 %x, {k}\n  %v{} = sub i32 %v{k}, %u{k}", k + 1));
    let body = format!("  %v0 = neg i32 %x\n{different}  ret %v{N}\n");
    assert_eq!(lines_after("reassociate,dce", &body), 2 * N + 5);
    let addresses = parts(N, |out, k| writeln!(out, "  %p{} = add i64 %p{k}, 1\n  store i8 [%p{}], 0", k + 1, k + 1));
    let body = format!("  %p0 = sext i32 %x to i64\n{addresses}  ret %x\n");
    assert_eq!(lines_after("mem-fold,dce", &body), N + 5);
}

#[test]
fn edges_to_thread() {
    // Twice the same test, again and again; and one block that every arm of a switch decides.
    let tests = parts(N, |out, k| {
        writeln!(
            out,
            "a{k}:\n  %c{k} = and i32 %x, {k}\n  br %c{k}, l{k}, r{k}\nl{k}:\n  store i32 [@g], {k}\n  jmp b{k}\n\
             r{k}:\n  jmp b{k}\nb{k}:\n  %y{k} = mul i32 %x, {k}\n  br %c{k}, d{k}, e{k}\nd{k}:\n  store i32 [@g], %y{k}\n  \
             jmp e{k}\ne{k}:\n  jmp a{}",
            k + 1
        )
    });
    let body = format!("  jmp a0\n{tests}a{N}:\n  ret 0\n}}\ndata @g = {{ i32 0 }}\nfunc @h() {{\ne:\n  ret\n");
    assert_eq!(lines_after("jump-threading,phi-simplify,copy-prop,dce,simplify-cfg", &body), 8 * N + 11);
    let cases = parts(N, |out, k| write!(out, ", {k}: c{k}")).split_off(2);
    let blocks = parts(N, |out, k| writeln!(out, "c{k}:\n  store i32 [@g], {k}\n  jmp test"));
    let entries = parts(N, |out, k| write!(out, ", [{k}, c{k}]"));
    let body = format!(
        "  switch i32 %x, d [{cases}]\n{blocks}d:\n  jmp test\ntest:\n  %k = phi i32 [7, d]{entries}\n  \
         br ult i32 %k, 1000, few, many\nfew:\n  ret 1\nmany:\n  ret %k\n}}\ndata @g = {{ i32 0 }}\nfunc @h() {{\ne:\n  ret\n"
    );
    assert!(lines_after("jump-threading", &body) > 3 * N);
}

#[test]
fn computations_to_sink() {
    let chain = parts(N, |out, k| writeln!(out, "  %v{} = add i32 %v{k}, 3", k + 1));
    let body = format!("  %v0 = neg i32 %x\n{chain}  br %x, a, b\na:\n  ret %v{N}\nb:\n  ret 0\n");
    assert_eq!(lines_after("sink", &body), N + 9);
    // Each is needed far below, in blocks under one another.
    let values = parts(N, |out, k| writeln!(out, "  %v{k} = xor i32 %x, {k}"));
    let levels = parts(N, |out, k| writeln!(out, "b{k}:\n  br %v{k}, b{}, out", k + 1));
    let body = format!("{values}  jmp b0\n{levels}b{N}:\n  ret 0\nout:\n  ret 1\n");
    assert_eq!(lines_after("sink", &body), 3 * N + 8);
}

/// Each block calls, and jumps to the one return.
#[test]
fn calls_before_one_return() {
    let cases = parts(N, |out, k| write!(out, ", {k}: c{k}")).split_off(2);
    let blocks = parts(N, |out, k| writeln!(out, "c{k}:\n  %v{k} = call i32 @h({k})\n  jmp out"));
    let entries = parts(N, |out, k| write!(out, ", [%v{k}, c{k}]"));
    let body = format!(
        "  switch i32 %x, d [{cases}]\n{blocks}d:\n  jmp out\nout:\n  %r = phi i32 [7, d]{entries}\n  ret %r\n}}\n\
         extern func @h(i32) -> i32\nfunc @g() {{\ne:\n  ret\n"
    );
    assert_eq!(lines_after("tail-calls", &body), 4 * N + 13);
}

/// All loops leave for one block, whose phi has an entry for each of them.
#[test]
fn loops_with_one_exit() {
    let cases = parts(N, |out, k| write!(out, ", {k}: b{k}")).split_off(2);
    let entries = parts(N, |out, k| write!(out, ", [%i{k}, l{k}]"));
    let loops = |ty: &str, body: &str, stay: &str| {
        let blocks = parts(N, |out, k| {
            writeln!(out, "b{k}:\n  jmp l{k}\nl{k}:\n  %i{k} = phi {ty} [0, b{k}], [%j{k}, l{k}]")?;
            writeln!(out, "{}  %j{k} = add {ty} %i{k}, 1", body.replace('#', &k.to_string()))?;
            writeln!(out, "  br {stay} {ty} %j{k}, %n, l{k}, out")
        });
        format!(
            "func @f(%p: i64, %n: {ty}) -> {ty} {{\nentry:\n  switch {ty} %n, out [{cases}]\n{blocks}\
             out:\n  %r = phi {ty} [0, entry]{entries}\n  ret %r\n}}\n"
        )
    };
    let fills = loops("i64", "  store i32 [%p + %i#*4], 0\n", "ult");
    assert!(lines_of("loop-idiom", &fills) >= 6 * N);
    assert!(lines_of("loop-simplify,loop-idiom", &fills) >= 10 * N);
    assert!(lines_of("loop-simplify,loop-unroll-runtime", &fills) >= 20 * N);
    let wraps = loops("i32", "  %w# = sext i32 %i# to i64\n  store i32 [%p + %w#*4], 0\n", "sle");
    assert!(lines_of("loop-version", &wraps) >= 14 * N);
}

/// Each function is called once, by the one before it. Bodies move as long as that is linear in the module.
#[test]
fn a_chain_of_large_functions_that_are_called_once() {
    let body =
        |k: usize| (1..300).map(move |n| format!("  %a{n} = mul i32 %a{}, {}\n", n - 1, k + n)).collect::<String>();
    let chain = |functions: usize| {
        let last = functions - 1;
        let function = |k: usize| {
            let (local, next) = (if k == 0 { "" } else { "local " }, k + 1);
            let end = if k == last { String::new() } else { format!("  %a299 = call i32 @f{next}(%a298)\n") };
            let body = body(k).replace("  %a299 = ", if k == last { "  %a299 = " } else { "  %b = " });
            format!("{local}func @f{k}(%a0: i32) -> i32 {{\nentry:\n{body}{end}  ret %a299\n}}\n")
        };
        (0..functions).map(function).collect::<String>()
    };
    let calls = |functions: usize| printed("inline,global-dce", &chain(functions), Listen::Off).matches("call").count();
    assert_eq!(calls(3), 0);
    assert!((1..999).contains(&calls(1000)));
}
