//! The text of LIR as the author of its model describes it. Tests that need more than the parser are with the verifier,
//! the passes and code generation.

use lir_syntax::ir::{Format, Opcode, ResultRule};
use lir_syntax::parser::{ParseOptions, parse};
use lir_syntax::text::diagnostic::render;
use lir_syntax::text::source::Source;

/// A body in a function that has a register of every type, a stack object and symbols to use.
fn module(body: &str) -> String {
    format!(
        "data @data = {{ zero 64 }}\n\nextern func @ext(i32, ...) -> i32\n\nfunc @f(%i8: i8, %i16: i16, %i32: i32, \
         %i64: i64, %f32: f32, %f64: f64, %arg.6: i32) -> i32 {{\n  stack $obj: 64\nentry:\n{body}\n}}\n"
    )
}

fn print(text: &str) -> Result<String, String> {
    let source = Source { name: "t.lir".into(), text: text.into() };
    parse(&source, &ParseOptions::default()).map(|m| m.to_string()).map_err(|errors| render(&source, &errors))
}

/// The lines, each an instruction, are canonical text.
fn keeps(lines: &[&str]) {
    let text = module(&lines.iter().map(|l| format!("  {l}")).collect::<Vec<_>>().join("\n"));
    assert_eq!(print(&text).unwrap_or_else(|e| panic!("{e}")), text);
}

/// The instruction is an error whose message contains `part`.
fn rejects(line: &str, part: &str) {
    let errors = print(&module(&format!("  {line}"))).expect_err(line);
    let message = errors.lines().next().unwrap();
    assert!(message.starts_with("t.lir:8:") && message.contains(part), "{line}: {message}");
}

#[test]
fn eight_operand_kinds_print_distinctly() {
    keeps(&[
        "%a = copy i32 %i32",
        "%b = add i32 %a, -1",
        "%c = load i32 [%i64 + %i64*4 + 8]",
        "%d = load i32 [@data + 4]",
        "%e = load i32 [$obj + 4]",
        "%g = icmp slt i32 %a, %b",
        "%h = copy i32 %arg.6",
        "jmp entry",
    ]);
    let text = module("  %h = copy i32 arg.6\n  ret %h").replace("%arg.6: i32", "i32");
    assert!(print(&text).unwrap().contains("%h = copy i32 %arg.6"));
}

#[test]
fn hardware_registers_are_rejected() {
    for name in ["rax", "eax", "ax", "al", "r8", "r15", "r9d", "xmm0", "ymm15", "rsp", "rip", "sil"] {
        rejects(&format!("%a = add i32 {name}, 1"), &format!("hardware register `{name}`"));
    }
    keeps(&["%rax = copy i32 %i32"]);
}

#[test]
fn classes_do_not_mix() {
    rejects("%a = add i32 %i32, %f32", "type f32");
    rejects("%a = fadd f64 %f64, %i64", "type i64");
    rejects("%a = add f64 %f64, %f64", "takes i8, i16, i32, i64");
    rejects("%a = fadd i32 %i32, %i32", "takes f32, f64");
    rejects("%a = add i32 %i32, %i64", "type i64");
    keeps(&["%a = add i8 %i8, %i8", "%b = add i16 %i16, %i16", "%c = fadd f32 %f32, %f32", "%d = fadd f64 %f64, %f64"]);
}

#[test]
fn constants_are_integers_or_floats() {
    keeps(&["%a = const i64 -9223372036854775808", "%b = const f32 0.5", "%c = const f64 -inf"]);
    rejects("%a = const i32 @data", "expected a constant");
    rejects("%a = const i32 $obj", "expected a constant");
    rejects("%a = const i32 1.5", "float literal");
}

#[test]
fn blocks_are_operands_of_branches_and_phis_alone() {
    rejects("%a = copy i32 entry", "expected a register");
    rejects("%a = add i32 %i32, entry", "expected a register");
    rejects("store i32 [%i64], entry", "expected a register");
    rejects("jmp %i32", "expected a label");
    rejects("%a = phi i32 [%i32, %i32]", "expected a label");
}

#[test]
fn memory_references_may_lack_base_or_index() {
    keeps(&[
        "%a = load i32 [%i64 + %i64*8 - 128]",
        "%b = load i32 [%i64*2 + 16]",
        "%c = load i32 [%i64]",
        "%d = load i32 [%i64 + %i64]",
        "%e = load i32 [4096]",
        "%g = load i32 [-4096]",
        "store i32 [%i64*4], %i32",
    ]);
    rejects("%a = load i32 []", "expected a register, a symbol");
    rejects("%a = load i32 [%i64*3]", "a scale is 1, 2, 4 or 8");
    rejects("%a = load i32 [%i64 + 2147483648]", "does not fit 32 bits");
}

#[test]
fn base_and_index_are_integer_registers() {
    rejects("%a = load i32 [%f64]", "type f64");
    rejects("%a = load i32 [%i64 + %f64*2]", "type f64");
    rejects("%a = load i32 [%i32]", "type i32");
}

#[test]
fn symbols_are_data_or_functions() {
    keeps(&["%a = lea [@data + 8]", "%b = lea [@ext]", "%c = load i64 [@data + %i64*8 - 8]"]);
    rejects("%a = lea [@dat]", "did you mean `@data`?");
}

#[test]
fn stack_objects_have_offsets() {
    keeps(&["%a = lea [$obj + 8]", "store i32 [$obj + %i64*4 + 8], %i32"]);
    rejects("%a = lea [$ob]", "did you mean `$obj`?");
}

#[test]
fn predicates_are_only_in_comparisons_and_branches() {
    rejects("%a = add slt i32 %i32, 1", "expected a register");
    rejects("%a = icmp i32 %i32, 1", "expected a predicate");
    rejects("%a = icmp oeq i32 %i32, 1", "not an integer predicate");
    rejects("%a = fcmp eq f64 %f64, 1.0", "not a float predicate");
    keeps(&["%a = icmp ult i32 %i32, 1", "br uge i32 %i32, 1, entry, entry"]);
}

#[test]
fn function_arguments_are_operands_of_copy_alone() {
    for line in ["%a = neg i32 arg.6", "%a = add i32 arg.6, 1", "store i32 [%i64], arg.6", "ret arg.6"] {
        rejects(line, "an operand of `copy` alone");
    }
    rejects("%a = copy i32 arg.0", "not the argument");
}

#[test]
fn operand_kinds_are_kept() {
    rejects("%a = add i32 %i32, [%i64]", "expected a register or a constant");
    rejects("%a = neg i32 5", "expected a register");
    rejects("%a = load i32 %i64", "expected a memory operand");
    rejects("store i32 %i64, %i32", "expected a memory operand");
    rejects("%a = select i32 1, %i32, %i32", "expected a register");
    rejects("%a = fma f64 %f64, %f64, 1.0", "expected a register");
    rejects("%a = lea %i64", "expected a memory operand");
    rejects("switch i32 5, entry []", "expected a register");
}

#[test]
fn arithmetic_takes_a_register_first() {
    keeps(&["%a = sub i32 %i32, %i32", "%b = sub i32 %i32, 7"]);
    rejects("%a = sub i32 7, %i32", "expected a register");
    rejects("%a = sub i32 7, 8", "expected a register");
    rejects("%a = sub i32 %i32", "expected `,`");
    rejects("%a = sub i32 %i32, 1, 2", "expected the end of the line");
}

#[test]
fn calls_take_register_values_and_may_lack_a_destination() {
    keeps(&[
        "call i32 @ext(%i32)",
        "call tail i32 @ext(%i32)",
        "%a = call i32 @ext(%i32, ..., i64 %i64, f64 %f64)",
        "call i32 %i64(i32 %i32)",
    ]);
    rejects("call i32 @ext([%i64])", "expected a register, a constant");
    rejects("call i32 @ext(5.5)", "is a float literal where i32 is wanted");
    rejects("call i32 @ext(@data)", "is an address, which is an i64, but i32 is wanted here");
    rejects("call i32 @ext(1, ..., 5)", "needs its type: `i32 5`");
    rejects("call i32 @ext(1, ..., i8 5)", "a variable argument is i32, i64, f64 or an aggregate, not i8");
    rejects("call i32 %i64(5)", "needs its type: `i64 5`");
}

#[test]
fn a_destination_is_always_or_never_there() {
    for &op in Opcode::ALL {
        let word = op.mnemonic();
        match op.info().result {
            ResultRule::Call => {}
            ResultRule::None if matches!(op.format(), Format::AggReturn | Format::AggMemPair) => {}
            ResultRule::None => rejects(&format!("%a = {word} "), "has no result"),
            _ => rejects(&format!("{word} "), "has a result"),
        }
    }
    rejects("%a = va_arg :t [$obj], [$obj]", "`va_arg` has no result");
}

#[test]
fn phis_have_pairs() {
    let text =
        "func @f(%a: i32) -> i32 {\nentry:\n  jmp next\nnext:\n  %p = phi i32 [%a, entry], [7, next]\n  jmp next\n}\n";
    assert_eq!(print(text).unwrap(), text);
    rejects("%a = phi i32 [%i32]", "expected `,`");
    rejects("%a = phi i32 %i32, entry", "expected `[value, label]`");
    rejects("%a = phi i32 [1, entry], [2, entry]", "a second entry for block");
    // A wrong one leaves no state to the next.
    let after_wrong = text.replace("[7, next]\n", "[7, next] junk\n  %q = phi i32 [%a, entry], [7, next]\n");
    let errors = print(&after_wrong).unwrap_err();
    assert_eq!(errors.matches("error: ").count(), 1, "{errors}");
}

#[test]
fn registers_may_be_assigned_more_than_once() {
    keeps(&["%a = const i32 1", "%a = add i32 %a, 1", "%i32 = copy i32 %a"]);
    rejects("%i32 = const i64 1", "its type is i32");
}

#[test]
fn variable_arguments_have_their_instructions() {
    keeps(&[
        "va_start [$obj]",
        "va_copy [$obj + 24], [$obj]",
        "%a = va_arg i32 [$obj]",
        "%b = va_arg f64 [$obj]",
        "va_end [$obj]",
    ]);
    rejects("%a = va_arg i8 [$obj]", "takes i32, i64, f64");
}
