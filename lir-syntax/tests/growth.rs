//! Texts that attack by their size: each shape eight times as large takes about eight times as long, and not 64. The
//! measure is the processor's time of this thread, which does not depend on other programs.
//!
//! Every error is reported, since look-ups for messages must not search the whole text either.

use lir_syntax::check::check;
use lir_syntax::parser::ParseOptions;
use lir_syntax::printer::print_module;
use lir_syntax::text::diagnostic::render;
use lir_syntax::text::source::Source;
use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// The larger text is this many times the smaller.
const FACTOR: usize = 8;
/// And may take this many times as long: linear is 8, the square 64.
const MOST: u32 = 40;
/// Shorter times are not measured.
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
fn lexical_shapes() {
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
fn items_in_great_numbers() {
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
fn unclosed_functions_are_searched_once() {
    // Nothing closes any of them; one line at the end closes all; only the first is closed.
    let heads = |n: usize| "func @f() {\n".repeat(n);
    grows_linearly("nothing but heads", 10_000, heads);
    grows_linearly("a brace at the end", 10_000, |n| format!("{}}}\n", heads(n)));
    grows_linearly("a brace at the beginning", 10_000, |n| format!("func @g() {{\n}}\n{}", heads(n)));
    grows_linearly("braces that close nothing", 5_000, |n| "func @f() {\n x }\n".repeat(n));
    grows_linearly("braces after blanks", 5_000, |n| format!("func @f() {{\n{}\n", " }".repeat(n)).repeat(2));
    grows_linearly("distinct names", 5_000, |n| (0..n).map(|k| format!("func @f{k}() {{\n")).collect());
    grows_linearly("labels", 5_000, |n| "func @f() {\nentry:\n".repeat(n));
    grows_linearly("bodies without labels", 3_000, |n| "func @f() {\n  ret\n}\n".repeat(n));
}

#[test]
fn names_are_looked_for_in_a_limited_number_of_errors() {
    let each = |n: usize, f: fn(usize) -> String| (0..n).map(f).collect::<String>();
    grows_linearly("a symbol for each function", 500, |n| {
        each(n, |k| format!("func @f{k}() {{\nentry:\n  call @g{k}()\n  ret\n}}\n"))
    });
    grows_linearly("a type for each function", 500, |n| {
        each(n, |k| format!("type :t{k} = {{ i8 }}\nfunc @f{k}() {{\n  stack $s: :u{k}\nentry:\n  ret\n}}\n"))
    });
    grows_linearly("symbols of data", 500, |n| each(n, |k| format!("data @d{k} = {{ i64 @e{k} }}\n")));
    grows_linearly("types of types", 500, |n| each(n, |k| format!("type :t{k} = {{ :u{k} }}\n")));
    grows_linearly("labels that are missing", 1_000, |n| body((0..n).map(|k| format!("  br %a, x{k}, y{k}\nl{k}:\n"))));
    grows_linearly("cases without labels", 1_000, |n| {
        let cases: String = (0..n).map(|k| format!("{k}: c{k}, ")).collect();
        body(std::iter::once(format!("  switch %a, entry [{cases}0: entry]\n")))
    });
    grows_linearly("entries of phis", 500, |n| {
        let entries: String = (0..n).map(|k| format!("[%x{k}, b{k}], ")).collect();
        body(std::iter::once(format!("  %p = phi i32 {entries}[1, entry]\n")))
    });
    grows_linearly("stack objects", 1_000, |n| body((0..n).map(|k| format!("  %p{k} = lea [$s{k}]\n"))));
    grows_linearly("arguments", 1_000, |n| body(std::iter::once(format!("  call @g({}%a)\n", "%a, ".repeat(n)))));
    grows_linearly("headers", 1_000, |n| {
        each(n, |k| format!("func f{k}(i32 %a): i32 readnon {{\nentry:\n  ret\n}}\n"))
    });
    grows_linearly("parameters", 1_000, |n| format!("func @f({}i32) {{\nentry:\n  ret\n}}\n", "i32 %a, ".repeat(n)));
    grows_linearly("declarations", 1_000, |n| each(n, |k| format!("extern func @f(i{k})\n")));
    grows_linearly("strings", 2_000, |n| "data @d = { \"a }\n".repeat(n));
    grows_linearly("sections", 2_000, |n| "data @d section \" align 4 = { i8 1 }\n".repeat(n));
}

#[test]
fn errors_in_great_numbers() {
    /// A line by its number.
    type Line = fn(usize) -> String;
    let shapes: [(&str, Line); 13] = [
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
        ("no destinations", |_| "  add i32 %a, 1\n".into()),
        ("objects by alloca", |k| format!("  alloca $s{k}: 8\n")),
        ("branches with one target", |_| "  br sgt i32 %a, 1, entry\n".into()),
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
