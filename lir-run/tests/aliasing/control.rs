//! Calls, branches, and variable arguments.

use super::values::bits;
use super::{Looped, letters, patterns};
use lir_syntax::ir::{FloatCC, IntCC, Opcode, Type};
use lir_syntax::semantics::eval;

const LETTERS: [&str; 4] = ["%x", "%y", "%z", "%w"];

/// Functions to call.
pub(super) const CALLEES: &str = "\
func @mixed(%a: i64, %b: i64, %c: i64) -> i64 {
entry:
  %x = mul i64 %a, 100
  %y = mul i64 %b, 10
  %z = add i64 %x, %y
  %s = add i64 %z, %c
  ret %s
}
func @next(%a: i64) -> i64 {
entry:
  %s = add i64 %a, 1
  ret %s
}
func @half(%a: f64, %b: f64) -> f64 {
entry:
  %s = fsub f64 %a, %b
  ret %s
}
";

/// A call of three words, one of two floats, and one through a register, which may be its argument and its result.
pub(super) fn call() -> Vec<Looped> {
    let mut all = Vec::new();
    for p in patterns(4) {
        let [to, a, b, c] = [p[0], p[1], p[2], p[3]].map(|class| LETTERS[class]);
        let value = |class: usize| [3_u64, 5, 7, 8][class];
        all.push(Looped {
            name: letters(&p),
            parameters: Vec::new(),
            body: set(Type::I64, &p[1..], |class| value(class).to_string())
                + &format!("  {to} = call i64 @mixed({a}, {b}, {c})\n"),
            result: (Type::I64, to),
            runs: vec![(Vec::new(), value(p[1]) * 100 + value(p[2]) * 10 + value(p[3]))],
        });
    }
    for p in patterns(3) {
        let [to, a, b] = [p[0], p[1], p[2]].map(|class| LETTERS[class]);
        let value = |class: usize| [0.5_f64, 2.0, 7.25][class];
        all.push(Looped {
            name: format!("floats_{}", letters(&p)),
            parameters: Vec::new(),
            body: set(Type::F64, &p[1..], |class| format!("{:?}", value(class)))
                + &format!("  {to} = call f64 @half({a}, {b})\n"),
            result: (Type::F64, to),
            runs: vec![(Vec::new(), (value(p[1]) - value(p[2])).to_bits())],
        });
        let (callee, argument) = (a, b);
        let give = if callee == argument { String::new() } else { format!("  {argument} = const i64 41\n") };
        all.push(Looped {
            name: format!("through_{}", letters(&p)),
            parameters: Vec::new(),
            body: format!(
                "  {callee} = lea [@next]\n{give}  %kept = copy i64 {argument}\n  \
                 {to} = call i64 {callee}(i64 {argument})\n  %step = sub i64 {to}, %kept\n"
            ),
            result: (Type::I64, "%step"),
            runs: vec![(Vec::new(), 1)],
        });
    }
    all
}

/// Lines that give each class of registers a constant.
fn set(ty: Type, classes: &[usize], value: impl Fn(usize) -> String) -> String {
    let mut classes = classes.to_vec();
    classes.sort_unstable();
    classes.dedup();
    classes.into_iter().map(|class| format!("  {} = const {ty} {}\n", LETTERS[class], value(class))).collect()
}

/// Each predicate, of two registers and of one with itself.
pub(super) fn br() -> Vec<Looped> {
    let mut all = Vec::new();
    for ty in Type::OF_WORDS {
        let of_ints = || IntCC::ALL.iter().map(|c| (c.to_string(), *c as u8)).collect::<Vec<_>>();
        let of_floats = || FloatCC::ALL.iter().map(|c| (c.to_string(), *c as u8)).collect();
        let (op, predicates) = if ty.is_int() { (Opcode::Icmp, of_ints()) } else { (Opcode::Fcmp, of_floats()) };
        for (cc, aux) in predicates {
            for p in patterns(2) {
                let values =
                    |x: i64, y: i64| if p[0] == p[1] { vec![bits(ty, x)] } else { vec![bits(ty, x), bits(ty, y)] };
                let run = |(x, y)| {
                    let given = values(x, y);
                    let taken = eval(op, ty.as_word(), aux, [given[0], *given.last().unwrap(), 0]).unwrap();
                    (given, taken)
                };
                let (a, b) = (LETTERS[p[0]], LETTERS[p[1]]);
                all.push(Looped {
                    name: format!("{cc}_{ty}_{}", letters(&p)),
                    parameters: LETTERS[..=p[1]].iter().map(|r| (*r, ty)).collect(),
                    body: format!(
                        "  br {cc} {ty} {a}, {b}, yes, no\nyes:\n  %r = const i8 1\n  jmp next\nno:\n  \
                         %r = const i8 0\n  jmp next\nnext:\n"
                    ),
                    result: (Type::I8, "%r"),
                    runs: [(-100, 7), (7, 7)].into_iter().map(run).collect(),
                });
            }
        }
    }
    all
}

/// Three phis, each of which takes the former value of any of them.
pub(super) fn phi() -> Vec<Looped> {
    let mut all = Vec::new();
    for map in (0..27).map(|k| [k / 9, k / 3 % 3, k % 3]) {
        let phi = |k: usize| format!("  {} = phi i64 [{}, entry], [{}, loop]\n", LETTERS[k], k + 1, LETTERS[map[k]]);
        let turn = |held: [u64; 3]| map.map(|k| held[k]);
        let held = turn(turn(turn([1, 2, 3])));
        all.push(Looped {
            name: letters(&map),
            parameters: Vec::new(),
            body: [0, 1, 2].map(phi).concat()
                + "  %a = mul i64 %x, 100\n  %b = mul i64 %y, 10\n  %c = add i64 %a, %b\n  %r = add i64 %c, %z\n",
            result: (Type::I64, "%r"),
            runs: vec![(Vec::new(), held[0] * 100 + held[1] * 10 + held[2])],
        });
    }
    all
}

/// The targets assign the register that the switch reads, or another one.
pub(super) fn switch() -> Vec<Looped> {
    let mut all = Vec::new();
    for ty in Type::OF_WORDS.into_iter().filter(|ty| ty.is_int()) {
        for p in patterns(2) {
            let (to, on) = (LETTERS[p[0]], LETTERS[p[1]]);
            all.push(Looped {
                name: format!("{ty}_{}", letters(&p)),
                parameters: vec![("%a", ty)],
                body: format!(
                    "  {on} = copy {ty} %a\n  switch {ty} {on}, other [1: one, 2: two, 3: three, 5: five]\none:\n  \
                     {to} = const {ty} 11\n  jmp next\ntwo:\n  {to} = add {ty} {on}, 20\n  jmp next\nthree:\n  \
                     {to} = sub {ty} {on}, {on}\n  jmp next\nfive:\n  {to} = const {ty} 55\n  jmp next\nother:\n  \
                     {to} = neg {ty} {on}\n  jmp next\nnext:\n"
                ),
                result: (ty, to),
                runs: [(1, 11), (2, 22), (3, 0), (4, -4), (5, 55)]
                    .map(|(given, r)| (vec![given], ty.as_word().truncate(r as u64)))
                    .to_vec(),
            });
        }
    }
    all
}

/// A function that reads its second variable argument into the register with the address of the list, or another one.
pub(super) const VARIADIC: &str = "\
func @second_xx(%n: i64, ...) -> i64 {
  stack $list: 24
entry:
  va_start [$list]
  %x = lea [$list]
  %x = va_arg i64 [%x]
  %x = lea [$list]
  %x = va_arg i64 [%x]
  va_end [$list]
  ret %x
}
func @second_xy(%n: i64, ...) -> i64 {
  stack $list: 24
entry:
  va_start [$list]
  %y = lea [$list]
  %x = va_arg i64 [%y]
  %x = va_arg i64 [%y]
  va_end [$list]
  ret %x
}
";

pub(super) fn va_arg() -> Vec<Looped> {
    let function = |p: Vec<usize>| Looped {
        name: letters(&p),
        parameters: vec![("%a", Type::I64), ("%b", Type::I64)],
        body: format!("  %r = call i64 @second_{}(%a, ..., i64 %b, i64 %a)\n", letters(&p)),
        result: (Type::I64, "%r"),
        runs: vec![(vec![3, 4], 3)],
    };
    patterns(2).into_iter().map(function).collect()
}
