//! Operations that compute values, whose results `eval` computes.

use super::{Looped, letters, patterns};
use lir_syntax::ir::{FloatCC, Format, IntCC, Opcode, ResultRule, Type};
use lir_syntax::semantics::eval;

/// The first contents of registers, by type: two calls of each function.
const VALUES: [[i64; 4]; 2] = [[-100, 7, 3, 29], [85, -6, 2, -1]];

/// A form of an operation: its text with `{0}` for the result and `{1}`, `{2}` and `{3}` for operands.
struct Form {
    /// The part of the function's name after the operation's.
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
    for ty in Type::OF_WORDS.into_iter().filter(|t| op.info().types.allows(*t)) {
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
                for to in Type::OF_WORDS.into_iter().filter(|to| op.info().types.allows_conversion(ty, *to)) {
                    add(&to.to_string(), format!("{{0}} = {word} {ty} {{1}} to {to}"), to as u8, to, 1);
                }
            }
            _ => {}
        }
    }
    all
}

pub(super) fn bits(ty: Type, value: i64) -> u64 {
    match ty {
        Type::F32 => u64::from((value as f32 * 1.25).to_bits()),
        Type::F64 => (value as f64 * 1.25).to_bits(),
        _ => ty.as_word().truncate(value as u64),
    }
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

/// The functions of an operation.
pub(super) fn functions(op: Opcode) -> Vec<Looped> {
    let mut all = Vec::new();
    for form in forms(op) {
        for pattern in patterns(1 + form.operands).into_iter().filter(|p| may_be(&form, p)) {
            all.push(function(op, &form, &pattern));
        }
    }
    all
}

fn function(op: Opcode, form: &Form, pattern: &[usize]) -> Looped {
    let type_of = |k: usize| {
        let is_condition = form.op.format() == Format::Select && form.ty.is_float() && k == 1;
        if is_condition { Type::I32 } else { form.ty }
    };
    let mut classes: Vec<(usize, Type)> = (1..pattern.len()).map(|k| (pattern[k], type_of(k))).collect();
    classes.sort_by_key(|(class, _)| *class);
    classes.dedup();
    let letter = |class: usize| ["%x", "%y", "%z", "%w"][class];
    // The operation must find the former value of its result again in the next iteration.
    let assigned = classes.iter().find(|(class, _)| *class == pattern[0]);
    let again = assigned.map_or_else(String::new, |(_, ty)| format!("  %x = copy {ty} %a\n"));
    let parameter = |class: usize| if class == pattern[0] { "%a" } else { letter(class) };
    let text =
        (0..pattern.len()).fold(form.text.clone(), |text, k| text.replace(&format!("{{{k}}}"), letter(pattern[k])));
    let mut runs = Vec::new();
    for values in VALUES {
        let operand = |k: usize| pattern.get(k).map_or(0, |class| bits(type_of(k), values[*class]));
        let Ok(r) = eval(op, form.ty.as_word(), form.aux, [operand(1), operand(2), operand(3)]) else { continue };
        runs.push((classes.iter().map(|(class, ty)| bits(*ty, values[*class])).collect(), r));
    }
    Looped {
        name: format!("{}_{}", form.name, letters(pattern)),
        parameters: classes.iter().map(|(class, ty)| (parameter(*class), *ty)).collect(),
        body: format!("{again}  {text}\n"),
        result: (form.result, "%x"),
        runs,
    }
}
