//! The corner cases of texts. The reading of files is tested in `tools/lir-testing/src/contract.rs`.

use lir_cli::source_of_bytes;
use lir_syntax::check::check;
use lir_syntax::ir::{FuncId, Module};
use lir_syntax::parser::ParseOptions;
use lir_syntax::text::diagnostic::{Diagnostic, render};
use lir_syntax::text::source::Source;
use lir_syntax::verifier::ssa_violation;

fn source(text: impl Into<String>) -> Source {
    Source { name: "t".into(), text: text.into() }
}

fn errors(text: &str) -> Vec<Diagnostic> {
    check(&source(text), &ParseOptions { threads: 1, error_limit: 50 }).map(|_| ()).err().unwrap_or_default()
}

/// `line:column: message` of each error.
fn shown(text: &str) -> Vec<String> {
    let s = source(text);
    let position_of = |d: &Diagnostic| d.position(&s).map_or((0, 0), |p| s.line_column(p.start));
    errors(text).iter().map(|d| format!("{}:{}: {}", position_of(d).0, position_of(d).1, d.message)).collect()
}

/// A function with this body after its first label gives one error, which contains `message`.
#[track_caller]
fn one_error(body: &str, message: &str) {
    let text = format!("func @f(%a: i32, %b: i64, %x: f64) -> i32 {{\nentry:\n{body}\n}}\n");
    let found = shown(&text);
    assert!(found.len() == 1 && found[0].contains(message), "{text}{found:#?}");
}

fn canonical(text: &str) -> String {
    text.parse::<Module>().unwrap().to_string()
}

#[test]
fn duplicates_have_both_positions() {
    let body = "entry:\n  ret\n}\n";
    for text in [
        format!("func @f() {{\n{body}func @f() {{\n{body}"),
        "data @d = { i8 1 }\ndata @d = { i8 1 }\n".into(),
        "type :t = { i8 }\ntype :t = { i8 }\n".into(),
        "func @f() {\nentry:\n  jmp x\nx:\n  ret\nx:\n  ret\n}\n".into(),
        format!("func @f(%a: i32, %a: i32) {{\n{body}"),
        format!("func @f() {{\n  stack $s: 8\n  stack $s: 8\n{body}"),
        "func @f() {\nentry:\n  jmp x\nx:\n  %p = phi i32 [1, entry], [2, entry]\n  ret\n}\n".into(),
        "func @f(%a: i32) {\nentry:\n  switch i32 %a, x [1: x, 1: x]\nx:\n  ret\n}\n".into(),
    ] {
        let found = errors(&text);
        assert_eq!(found.len(), 1, "{text}");
        let (second, first) = (found[0].span.unwrap(), found[0].notes[0].span.unwrap());
        assert!(first.start < second.start, "{text}");
    }
}

/// The errors of a text that is parsed as a module are data, and are displayed as tools print them.
#[test]
fn errors_of_a_module_have_positions() {
    let Err(errors) = "func @f() -> i32 {\nentry:\n  ret %x\n}\n".parse::<Module>() else { panic!("it is accepted") };
    let [error] = &errors.diagnostics[..] else { panic!("{errors}") };
    let span = error.position(&errors.source).expect("it has a position");
    assert_eq!(errors.source.line_column(span.start), (3, 7));
    assert!(errors.to_string().starts_with("text:3:7: error: "), "{errors}");
}

#[test]
fn names_may_come_later_but_must_come() {
    let forward = "func @f() -> i32 {
entry:
  jmp next
next:
  %i = phi i32 [0, entry], [%j, next]
  %j = call i32 @g(%i)
  br %j, next, last
last:
  %p = lea [@d]
  ret %j
}

func @g(%n: i32) -> i32 {
entry:
  ret %n
}

data @d = { i8 1 }
";
    assert_eq!(canonical(forward), forward);
    one_error("  jmp nowhere", "there is no block `nowhere`");
    one_error("  call @nowhere()\n  ret 0", "symbol `@nowhere` is not declared");
    one_error("  %p = lea [$nowhere]\n  ret 0", "stack object `$nowhere` is not declared");
    one_error("  ret :nowhere [%b]", "type `:nowhere` is not declared");
    one_error("  jmp l\nl:\n  %i = phi i32 [%never, entry]\n  ret %i", "register `%never` is never assigned");
}

#[test]
fn reads_before_assignments_are_errors() {
    one_error("  %y = add i32 %z, 1\n  ret %y", "register `%z` is never assigned");
    one_error("  %y = add i32 %z, 1\n  %z = const i32 1\n  ret %y", "`%z` is read before it is assigned");
    one_error("  br %a, l, r\nl:\n  %z = const i32 1\n  jmp r\nr:\n  ret %z", "not assigned on every path");
    // Unreachable code is exempt.
    assert_eq!(errors("func @f() -> i32 {\nentry:\n  ret 0\ndead:\n  ret %z\n}\n"), []);
}

#[test]
fn a_second_assignment_is_legal_and_found() {
    let text = "func @f(%a: i32) -> i32 {\nentry:\n  %b = const i32 1\n  %b = add i32 %b, %a\n  ret %b\n}\n";
    let module = check(&source(text), &ParseOptions::default()).unwrap();
    let f = &module.funcs[FuncId::from_u32(0)];
    let found = ssa_violation(f).expect("it is not in SSA form");
    let lines = [found.first.unwrap(), found.second].map(|i| source(text).line_column(f.loc_of(i)).0);
    assert_eq!(lines, [3, 4]);
}

#[test]
fn types_are_never_converted_silently() {
    one_error("  %c = add i64 %a, 1\n  ret 0", "`%a` is of type i32, but i64 is wanted");
    one_error("  %c = add i32 %a, 1.5\n  ret 0", "`1.5` is a float literal where i32 is wanted");
    one_error("  %c = icmp eq i32 %a, %b\n  ret 0", "`%b` is of type i64, but i32 is wanted");
    one_error("  %c = fadd f32 %x, %x\n  ret 0", "`%x` is of type f64, but f32 is wanted");
    one_error("  store i32 [%b], %b\n  ret 0", "`%b` is of type i64, but i32 is wanted");
    one_error("  %c = load i32 [%a]\n  ret 0", "`%a` is of type i32, but i64 is wanted");
}

#[test]
fn integers_fit_signed_or_unsigned() {
    for value in ["-128", "255", "0xff", "0b11111111", "'\\ff'"] {
        assert_eq!(errors(&format!("data @d = {{ i8 {value} }}\n")), [], "{value}");
    }
    let digits = "9".repeat(200);
    for (ty, value) in
        [("i8", "256"), ("i8", "-129"), ("i64", "18446744073709551616"), ("i64", &digits), ("i16", "0x10000")]
    {
        let found = shown(&format!("data @d = {{ {ty} {value} }}\n"));
        assert!(found.len() == 1 && found[0].contains("does not fit"), "{value}: {found:?}");
    }
}

#[test]
fn scales_and_displacements_have_ranges() {
    one_error("  %c = load i32 [%b + %b*3]\n  ret 0", "a scale is 1, 2, 4 or 8, not 3");
    one_error("  %c = load i32 [%b + 2147483648]\n  ret 0", "does not fit 32 bits");
    one_error("  %c = load i32 [%b - 2147483649]\n  ret 0", "does not fit 32 bits");
    one_error("  %c = load i32 [%b + 18446744073709551615 + 18446744073709551615]\n  ret 0", "does not fit 32 bits");
    let ends = "  %c = load i32 [%b - 2147483648]\n  %d = load i32 [%b + 2147483647]\n  ret 0";
    assert_eq!(errors(&format!("func @f(%b: i64) -> i32 {{\nentry:\n{ends}\n}}\n")), []);
}

#[test]
fn blocks_end_in_one_terminator() {
    one_error("  %c = add i32 %a, 1", "block `entry` does not end in a terminator");
    one_error("  ret 0\n  ret 0", "an instruction after the terminator of block `entry`");
    one_error("  ret 0\n  %c = add i32 %a, 1", "an instruction after the terminator of block `entry`");
    one_error("  jmp b\nb:", "block `b` is empty");
    assert_eq!(shown("func @f() {\n}\n"), ["2:1: function `@f` has no blocks"]);
    assert_eq!(shown("func @f() {\nentry:\n}\n"), ["2:1: block `entry` is empty; it needs a terminator [V8]"]);
}

#[test]
fn calls_and_returns_agree_with_signatures() {
    one_error("  ret", "the function returns i32, but there is no value here");
    one_error("  ret %b", "`%b` is of type i64, but i32 is wanted");
    one_error("  call i32 @f(%a)\n  ret 0", "takes 3 arguments, not 1");
    one_error("  call i32 @f(%a, %b, ..., %x)\n  ret 0", "takes no variable arguments");
    one_error("  call i64 @f(%a, %b, %x)\n  ret 0", "`@f` returns i32, but i64 is asked for");
    let data = "data @d = { i8 1 }\nfunc @f() {\nentry:\n  call @d()\n  ret\n}\n";
    assert_eq!(shown(data), ["4:8: symbol `@d` is data and cannot be called"]);
}

#[test]
fn bytes_that_are_no_text() {
    let failure = source_of_bytes("t".into(), b"; \xff\n".to_vec()).unwrap_err();
    assert!(
        failure.text.starts_with("t:1:3: error: the text is not UTF-8: unexpected byte 0xff\n"),
        "{}",
        failure.text
    );
    assert_eq!(shown("data @d = { i8\0 1 }\n"), ["1:15: control character 0x00 in the text"]);
    assert_eq!(shown("data @\"a\\00b\" = { i8 1 }\n"), ["1:6: a name has no NUL"]);
    assert_eq!(canonical("\u{feff}data @d = { i8 1 }\r\n"), "data @d = { i8 1 }\n");
    assert_eq!(shown("data @d = { i8 1 }\n\u{feff}"), ["2:1: unexpected character `\u{feff}` (U+FEFF)"]);
    for (text, message) in [
        ("data @d = { \"open", "1:13: the string is not closed on its line"),
        ("data @d = { \"open\\", "1:13: the string is not closed on its line"),
        ("data @d = { \"open\\\"", "1:13: the string is not closed on its line"),
        ("data @d = { \"\\x\" }", "1:14: unknown escape"),
        ("data @d = { \"\\4\" }", "1:14: unknown escape"),
        ("data @d = { i8 '\\", "1:16: the character literal is not closed on its line"),
        ("data @\"", "1:6: expected the name of a symbol after `@`"),
    ] {
        let found = shown(text);
        assert!(found.len() == 1 && found[0].starts_with(message), "{text}: {found:?}");
    }
}

#[test]
fn long_lines_and_deep_brackets() {
    const MB: usize = 1 << 20;
    let comment = format!(";{}", "x".repeat(256 * MB));
    assert_eq!(errors(&comment), []);
    let blanks = format!("{}oops", " ".repeat(16 * MB));
    assert_eq!(errors(&blanks).len(), 1);
    let rendered = render(&source(blanks.clone()), &errors(&blanks));
    assert!(rendered.starts_with("t:1:16777217: error: ") && rendered.len() < 500, "{rendered}");
    for open in ["[", "(", "{", "\"", "'", "%", "@", "$", ":", "-"] {
        let deep = format!("func @f() {{\nentry:\n  call @f{}\n}}\n", open.repeat(MB));
        assert!((1..=50).contains(&errors(&deep).len()), "{open}");
        assert!((1..=50).contains(&errors(&open.repeat(MB)).len()), "{open}");
    }
    assert_eq!(errors(&";\n".repeat(MB)), []);
    let name = "x".repeat(MB);
    let long = format!("extern data @{name}\n");
    assert_eq!(canonical(&long), long);
}

#[test]
fn sizes_beyond_limits_are_errors() {
    let in_function = |line: &str| format!("func @f() {{\n  {line}\nentry:\n  ret\n}}\n");
    for (text, message) in [
        (in_function("stack $s: 9223372036854775808"), "the size is beyond the limit of 1073741824 bytes"),
        (in_function("stack $s: 18446744073709551616"), "does not fit 64 bits"),
        (in_function("stack $s: 8 align 3"), "an alignment is a power of two up to 1073741824, not 3"),
        (in_function("stack $s: 8 align 9223372036854775808"), "an alignment is a power of two up to 1073741824"),
        ("type :t = { i64 x 4294967296 }\n".into(), "the size is beyond the limit"),
        ("type :t = { i64 x 1073741824 }\n".into(), "larger than the limit"),
        ("type :a = { i64 x 1048576 }\ntype :b = { :a x 1048576 }\n".into(), "larger than the limit"),
        ("data @d = { zero 1073741824, i8 1 }\n".into(), "larger than 1073741824 bytes"),
    ] {
        let found = shown(&text);
        assert!(found.len() == 1 && found[0].contains(message), "{text}: {found:?}");
    }
    // Types that double a hundred times, and a cyclic one.
    let doubling: String = (0..100).map(|k| format!("type :t{k} = {{ :t{0}, :t{0} }}\n", k + 1)).collect();
    assert_eq!(shown(&format!("{doubling}type :t100 = {{ i8 }}\n")).len(), 1);
    let ring: String = (0..10_000).map(|k| format!("type :t{k} = {{ :t{} }}\n", (k + 1) % 10_000)).collect();
    assert!(shown(&ring)[0].contains("contains itself"));
}

#[test]
fn declared_zeros_take_no_memory() {
    // Eleven billion bytes.
    let text: String = (0..11).map(|k| format!("data @d{k} = {{ zero 1000000000 }}\n")).collect();
    assert_eq!(canonical(&text), text);
}

#[test]
fn names_and_numbers_print_as_they_are_read() {
    let text = "data @\"a b\" = { f64 5e-324, -0.0, nan, -nan(0x1), inf, f32 1e-45, i8 -1 }
data @\"\\22\" = { i64 @\"a b\" - 1, \"\\00\\ff\" }

func @\"\"\"() {
entry:
  ret
}
";
    // A quote is written with its escape; a name that needs no quotes has none.
    let written = text.replace("func @\"\"\"", "func @\"plain\"").replace("data @\"\\22\"", "data @\"\\\"\"");
    let printed = canonical(&written);
    assert_eq!(canonical(&printed), printed);
    assert!(printed.contains("func @plain()") && printed.contains("data @\"a b\" = "), "{printed}");
    assert!(canonical("data @d = { f64 0x1p-1074, 0x1.8p3 }\n").contains("f64 5e-324, 12.0"));
    for name in ["\u{e9}", " ", "%", "\\n", "a\\5cb", "\\ff"] {
        let printed = canonical(&format!("extern data @\"{name}\"\n"));
        assert_eq!(canonical(&printed), printed, "{name}");
    }
}

#[test]
fn the_error_limit_stops_and_columns_count_bytes() {
    let text = format!("func @f() {{\nentry:\n{}  ret\n}}\n", "  oops\n".repeat(100));
    for limit in [1, 7, 99, 100, 1000] {
        for threads in [1, 4] {
            let found = check(&source(&*text), &ParseOptions { threads, error_limit: limit }).map(|_| ()).unwrap_err();
            assert_eq!(found.len(), limit.min(100));
        }
    }
    assert_eq!(errors("oops").len(), 1);
    assert_eq!(check(&source("oops"), &ParseOptions { threads: 0, error_limit: 0 }).map(|_| ()).unwrap_err().len(), 1);
    assert_eq!(
        shown("data @\"\u{e9}\u{e9}\" = { i8 oops }\n"),
        ["1:21: expected a constant, a symbol, a string or `zero N`, found `oops`"]
    );
}
