//! Places in the source of the front end: deeply inlined code keeps a limited number of calls, and passes keep the text
//! a fixed point.

use lir_opt::{Level, Pipeline, RunOptions, optimize};
use lir_syntax::ir::Module;
use lir_testing::files::{kernels, module_of};
use std::fmt::Write;

/// The text after the passes of a pipeline. It parses to the same.
fn optimized(text: &str, pipeline: &Pipeline) -> String {
    let mut module: Module = text.parse().unwrap();
    optimize(&mut module, pipeline, &RunOptions::default()).unwrap();
    let printed = module.to_string();
    assert_eq!(printed.parse::<Module>().unwrap().to_string(), printed, "{pipeline}");
    printed
}

#[test]
fn a_chain_of_functions_remembers_so_many_calls() {
    let mut text =
        "file !c = \"c\"\nextern func @p(i64)\nlocal func @f0(%x: i64) {\nentry:\n  call @p(%x) !c:1\n  ret\n}\n"
            .to_string();
    const COUNT: usize = 3000;
    for k in 1..COUNT {
        let (before, line) = (k - 1, k + 1);
        let _ = write!(text, "local func @f{k}(%x: i64) {{\nentry:\n  call @f{before}(%x) !c:{line}\n  ret\n}}\n");
    }
    let _ = write!(text, "func @main(%x: i64) {{\nentry:\n  call @f{}(%x) !c:9999\n  ret\n}}\n", COUNT - 1);
    let printed = optimized(&text, &Pipeline::of_level(Level::O2));
    let main = &printed[printed.find("func @main").unwrap()..];
    // The outermost calls are there; deeper ones count as the last of them.
    let call = main.lines().find(|l| l.contains("call tail @p")).unwrap();
    assert_eq!(call.matches(" in @f").count(), 64, "{call}");
    assert!(call.contains(&format!("!c:{} in @f{}", COUNT - 63, COUNT - 64)), "{call}");
    assert!(call.ends_with(" in @f2999 !c:9999"), "{call}");
    assert!(printed.len() < 100 * text.len(), "{} bytes", printed.len());
}

/// A text in which some instructions get places, and some none, by a simple rule.
fn with_places(text: &str) -> String {
    let mut out = String::from("file !a = \"a.c\"\nfile !\"b c\" = \"dir/b.c\"\n");
    let mut is_body = false;
    for (k, l) in text.lines().enumerate() {
        is_body = !l.starts_with('}') && (is_body || l.ends_with('{') && l.contains("func @"));
        let is_instruction = is_body && l.starts_with("  ") && !l.starts_with("  stack ");
        let place = match k % 7 {
            0 => format!(" !a:{}:{}", k + 1, k % 80 + 1),
            2 | 3 => format!(" !\"b c\":{}", k % 50 + 1),
            5 => " !none".into(),
            _ => String::new(),
        };
        let _ = writeln!(out, "{l}{}", if is_instruction { &place } else { "" });
    }
    out
}

/// The text without its locations, and without declarations of functions: some are there for locations alone.
fn without_places(text: &str) -> String {
    let cut = |l: &str| match l.find(" !") {
        Some(at) if l.ends_with('{') => format!("{} {{\n", &l[..at]),
        Some(at) => format!("{}\n", &l[..at]),
        None => format!("{l}\n"),
    };
    let counts = |l: &&str| !(l.is_empty() || l.starts_with("file !") || l.starts_with("extern func "));
    text.lines().filter(counts).map(cut).collect()
}

#[test]
fn places_change_nothing_in_the_kernels() {
    let files = kernels();
    assert!(files.len() > 10);
    for file in files {
        let text = module_of(&file).unwrap().to_string();
        let located = with_places(&text);
        for level in [Level::O0, Level::O1, Level::O2] {
            let pipeline = Pipeline::of_level(level);
            let (plain, placed) = (optimized(&text, &pipeline), optimized(&located, &pipeline));
            assert_eq!(without_places(&placed), without_places(&plain), "{} {level:?}", file.display());
        }
    }
}
