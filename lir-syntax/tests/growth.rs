//! Texts that attack by their size: each shape eight times as large takes about eight times as long, and not 64. What
//! counts is the processor's time of this thread, which does not depend on what else runs.
//!
//! Every error is reported, since what is looked up for a message must not be looked for in the whole text either.

use lir_syntax::check::check;
use lir_syntax::diagnostic::render;
use lir_syntax::parser::ParseOptions;
use lir_syntax::printer::print_module;
use lir_syntax::source::Source;
use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// The larger text is so many times the smaller.
const FACTOR: usize = 8;
/// And may take so many times as long: linear is 8, the square 64.
const MOST: u32 = 40;
/// What takes less is not measured.
const FLOOR: Duration = Duration::from_millis(2);

fn time(text: String) -> Duration {
    let source = Source { name: "t".into(), text };
    let now = || Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).expect("time goes on");
    let start = now();
    match check(&source, &ParseOptions { threads: 1, error_limit: usize::MAX }) {
        Ok(module) => print_module(&module, &mut Vec::new()),
        Err(errors) => drop(render(&source, &errors)),
    }
    now() - start
}

/// The best of three, as caches are shared with other programs.
#[track_caller]
fn grows_linearly(what: &str, n: usize, shape: impl Fn(usize) -> String) {
    let best = |n: usize| (0..3).map(|_| time(shape(n))).min().unwrap();
    let small = best(n).max(FLOOR);
    let large = best(FACTOR * n);
    assert!(large < small * MOST, "{what}: {small:?} for {n}, {large:?} for {}", FACTOR * n);
}

fn body(lines: impl Iterator<Item = String>) -> String {
    let lines: String = lines.collect();
    format!("extern func @g(i64)\nfunc @f(%a: i32) -> i32 {{\nentry:\n{lines}  ret %a\n}}\n")
}

#[test]
fn c238_lexical_shapes() {
    for open in ["[", "(", "{", "\"", "'", "\\", "%", "}\n", "\"\n", "%\n", ";\n", "{\n", "[\n", "oops\n", "- "] {
        grows_linearly(open, 4_000, |n| open.repeat(n));
        grows_linearly(open, 4_000, |n| body(std::iter::once(format!("  call @g(%a){}\n", open.repeat(n)))));
    }
    grows_linearly("digits", 40_000, |n| format!("data @d = {{ i32 {}1, f64 0.{}1 }}\n", "0".repeat(n), "1".repeat(n)));
    grows_linearly("one line of errors", 2_500, |n| format!("data @d = {{ i64 {} }}\n", "@x, ".repeat(n)));
    grows_linearly("one line of names", 1_000, |n| {
        let names: String = (0..n).map(|k| format!("@x{k}, ")).collect();
        format!("data @d = {{ i64 {names}0 }}\n")
    });
}

#[test]
fn c239_items_in_great_numbers() {
    grows_linearly("unclosed functions", 1_000, |n| "func @f() {\nentry:\n  ret\n".repeat(n));
    grows_linearly("heads", 1_000, |n| "func @f(\n".repeat(n));
    grows_linearly("types", 1_000, |n| "type :t = {\n".repeat(n));
    grows_linearly("duplicates", 1_000, |n| "data @d = { i8 1 }\n".repeat(n));
    grows_linearly("nested types", 1_000, |n| {
        let types: String = (0..n).map(|k| format!("type :t{k} = {{ i8, :t{} }}\n", k + 1)).collect();
        format!("{types}type :t{n} = {{ i8 }}\n")
    });
    grows_linearly("wrong functions", 500, |n| {
        (0..n).map(|k| format!("func @f{k}() {{\nentry:\n  oops\n}}\n")).collect()
    });
}

#[test]
fn c241_errors_in_great_numbers() {
    /// A line by its number.
    type Line = fn(usize) -> String;
    let shapes: [(&str, Line); 10] = [
        ("opcodes", |_| "  %x = oops i32 1\n".into()),
        ("labels", |_| "x:\n".into()),
        ("empty blocks", |k| format!("x{k}:\n")),
        ("targets", |k| format!("  jmp x{k}\nl{k}:\n")),
        ("registers", |k| format!("  %y{k} = add i32 %x{k}, 1\n")),
        ("registers that come late", |k| format!("  %y{k} = add i32 %y{}, 1\n", k + 1)),
        ("symbols", |k| format!("  call @x{k}()\n")),
        ("signatures", |_| "  call @g(%a)\n".into()),
        ("types", |k| format!("  %y{k} = add i64 %a, 1\n")),
        ("phis", |_| "  %p = phi i32 [1, entry]\n".into()),
    ];
    for (what, line) in shapes {
        grows_linearly(what, 500, |n| body((0..n).map(line)));
    }
    grows_linearly("reads on one path", 500, |n| {
        let assignments: String = (0..n).map(|k| format!("  %x{k} = const i32 1\n")).collect();
        let reads: String = (0..n).map(|k| format!("  %y{k} = add i32 %x{k}, 1\n")).collect();
        body(std::iter::once(format!("  br %a, t, e\nt:\n{assignments}  jmp e\ne:\n{reads}")))
    });
}
