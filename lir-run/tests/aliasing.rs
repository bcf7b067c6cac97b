//! The matrix of equal operands: each operation with each pattern of equal registers, as files with run lines.
//!
//! An allocator that computes into the register of an operand, or moves an operand there first, goes wrong where the
//! result is another operand, too: `%x = sub i32 %y, %x`. So there is a function for each operation that computes
//! values, each type, and each way in which its result and its operands are the same registers (document S2's `xxx`,
//! `xxy`, `xyy`, `xyz`). The operation is in a loop, so that it is part of a trace as well. They are written from the
//! opcode table, with what [`eval`] says they give, and are run like all run lines: by the interpreter, with traces,
//! and natively by each allocator.
//!
//! `LIR_BLESS=1 cargo test -p lir-run --test it aliasing` writes `testdata/run/aliasing`.

use crate::each::{Failed, Trial, is_blessing, run};
use lir_syntax::ir::{FloatCC, Format, IntCC, Opcode, ResultRule, Type};
use lir_syntax::printer::print_constant;
use lir_syntax::semantics::{eval, is_value_op};
use std::fmt::Write;
use std::path::Path;

/// The first contents of registers, by type: two calls of each function.
const VALUES: [[i64; 4]; 2] = [[-100, 7, 3, 29], [85, -6, 2, -1]];

/// All ways in which so many registers may be the same: for each the number of its class, classes in order.
fn patterns(len: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..len {
        let longer = |p: &Vec<usize>| {
            let classes = p.iter().max().map_or(0, |most| most + 1);
            let p = p.clone();
            (0..=classes).map(move |class| [p.clone(), vec![class]].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// A form of an operation: its text with `{0}` for the result and `{1}`, `{2}` and `{3}` for operands.
struct Form {
    /// The part of the name of the function behind that of the operation.
    name: String,
    text: String,
    op: Opcode,
    ty: Type,
    aux: u8,
    result: Type,
    operands: usize,
}

fn forms(op: Opcode) -> Vec<Form> {
    let word = op.mnemonic();
    let mut all = Vec::new();
    for ty in Type::ALL.into_iter().filter(|t| op.info().types.allows(*t)) {
        let result = if op.info().result == ResultRule::Truth { Type::I8 } else { ty };
        let mut add = |name: &str, text: String, aux: u8, result: Type, operands: usize| {
            let name = if name.is_empty() { ty.to_string() } else { format!("{name}_{ty}") };
            all.push(Form { name, text, op, ty, aux, result, operands });
        };
        match op.format() {
            Format::Unary => add("", format!("{{0}} = {word} {ty} {{1}}"), 0, result, 1),
            Format::Binary => add("", format!("{{0}} = {word} {ty} {{1}}, {{2}}"), 0, result, 2),
            Format::Ternary | Format::Select => {
                add("", format!("{{0}} = {word} {ty} {{1}}, {{2}}, {{3}}"), 0, result, 3);
            }
            Format::Compare => {
                let of_ints = IntCC::ALL.iter().map(|c| (c.to_string(), *c as u8));
                let of_floats = FloatCC::ALL.iter().map(|c| (c.to_string(), *c as u8));
                let all: Vec<_> = if ty.is_int() { of_ints.collect() } else { of_floats.collect() };
                for (cc, aux) in all {
                    add(&cc, format!("{{0}} = {word} {cc} {ty} {{1}}, {{2}}"), aux, result, 2);
                }
            }
            Format::Convert => {
                for to in Type::ALL.into_iter().filter(|to| op.info().types.allows_conversion(ty, *to)) {
                    add(&to.to_string(), format!("{{0}} = {word} {ty} {{1}} to {to}"), to as u8, to, 1);
                }
            }
            _ => {}
        }
    }
    all
}

fn bits(ty: Type, value: i64) -> u64 {
    match ty {
        Type::F32 => u64::from((value as f32 * 1.25).to_bits()),
        Type::F64 => (value as f64 * 1.25).to_bits(),
        _ => ty.truncate(value as u64),
    }
}

fn constant(ty: Type, bits: u64) -> String {
    let mut text = Vec::new();
    let payload = if ty.is_int() { ty.sign_extend(bits) } else { bits as i64 };
    print_constant(ty, payload, &mut text);
    String::from_utf8(text).unwrap()
}

/// The condition of a select has an integer type of its own, so that no float can be it.
fn may_be(form: &Form, pattern: &[usize]) -> bool {
    let condition = form.op.format() == Format::Select && form.ty.is_float();
    let result = form.result != form.ty;
    pattern.iter().enumerate().all(|(k, class)| {
        let others = pattern.iter().enumerate().filter(|(j, c)| *j != k && *c == class);
        others.map(|(j, _)| j).all(|j| !(condition && (k == 1 || j == 1)) && !(result && (k == 0 || j == 0)))
    })
}

/// The functions of an operation, and the run lines.
fn file(op: Opcode) -> Option<String> {
    let (mut lines, mut functions) = (String::new(), String::new());
    for form in forms(op) {
        for pattern in patterns(1 + form.operands).into_iter().filter(|p| may_be(&form, p)) {
            let letters: String = pattern.iter().map(|class| ["x", "y", "z", "w"][*class]).collect();
            let name = format!("{}_{letters}", form.name);
            let type_of = |k: usize| {
                let is_condition = form.op.format() == Format::Select && form.ty.is_float() && k == 1;
                if is_condition { Type::I32 } else { form.ty }
            };
            let mut classes: Vec<(usize, Type)> = (1..pattern.len()).map(|k| (pattern[k], type_of(k))).collect();
            classes.sort_by_key(|(class, _)| *class);
            classes.dedup();
            let letter = |class: usize| ["%x", "%y", "%z", "%w"][class];
            // What the operation assigns it must find again at the next turn.
            let assigned = classes.iter().find(|(class, _)| *class == pattern[0]);
            let again = assigned.map_or_else(String::new, |(_, ty)| format!("  %x = copy {ty} %a\n"));
            let parameter = |class: usize| if class == pattern[0] { "%a" } else { letter(class) };
            let parameters: Vec<_> = classes.iter().map(|(class, ty)| format!("{}: {ty}", parameter(*class))).collect();
            let text = (0..pattern.len())
                .fold(form.text.clone(), |text, k| text.replace(&format!("{{{k}}}"), letter(pattern[k])));
            let (parameters, result) = (parameters.join(", "), form.result);
            let _ = write!(
                functions,
                "func @{name}({parameters}) -> {result} {{\nentry:\n  %n = const i64 4\n  jmp loop\nloop:\n{again}  \
                 {text}\n  %n = sub i64 %n, 1\n  br ne i64 %n, 0, loop, done\ndone:\n  ret %x\n}}\n"
            );
            for values in VALUES {
                let operand = |k: usize| pattern.get(k).map_or(0, |class| bits(type_of(k), values[*class]));
                let Ok(r) = eval(op, form.ty, form.aux, [operand(1), operand(2), operand(3)]) else { continue };
                let arguments: Vec<_> =
                    classes.iter().map(|(class, ty)| constant(*ty, bits(*ty, values[*class]))).collect();
                let _ = writeln!(lines, "; run: @{name}({}) == {}", arguments.join(", "), constant(result, r));
            }
        }
    }
    let head = format!(
        "; `{}` with each pattern of equal registers: the result, then the operands. Written by \
         `lir-run/tests/aliasing.rs`.\n",
        op.mnemonic()
    );
    (!functions.is_empty()).then(|| head + &lines + &functions)
}

#[test]
fn every_operation_has_all_patterns_of_equal_registers() {
    assert_eq!(patterns(3), [[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1], [0, 1, 2]]);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/run/aliasing");
    let mut trials = Vec::new();
    for &op in Opcode::ALL.iter().filter(|op| is_value_op(**op)) {
        let Some(text) = file(op) else { continue };
        let path = folder.join(format!("{}.lir", op.mnemonic()));
        trials.push(Trial::test(op.mnemonic(), move || {
            if is_blessing() {
                std::fs::create_dir_all(path.parent().unwrap())?;
                std::fs::write(&path, &text)?;
            }
            if std::fs::read_to_string(&path).is_ok_and(|there| there == text) {
                return Ok(());
            }
            Err(Failed::from(format!("{} is another one", path.display())))
        }));
    }
    assert!(trials.len() > 60, "{} operations", trials.len());
    run(trials);
}
