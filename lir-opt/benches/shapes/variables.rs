//! Shapes that are not in SSA form: as in the output of front ends, registers and stack objects are assigned in several
//! blocks.

use super::{Shape, Text};

/// A sequence of conditionals. Each assigns a variable in both arms. A second sequence reads the variables.
fn assigned(t: &mut Text, n: usize) {
    t.begin("f");
    let tests = n / 10;
    t.line(format_args!("  %sum = const i64 0\n  jmp d0\nd0:"));
    for k in 0..tests {
        let next = k + 1;
        t.line(format_args!("  br slt i64 %v0, {k}, a{k}, b{k}\na{k}:\n  %x{k} = const i64 {k}\n  jmp d{next}"));
        t.line(format_args!("b{k}:\n  %x{k} = const i64 7\n  jmp d{next}\nd{next}:"));
    }
    t.line(format_args!("  jmp e0\ne0:"));
    for k in 0..tests {
        let next = k + 1;
        t.line(format_args!("  br eq i64 %x{k}, 7, p{k}, q{k}\np{k}:\n  %sum = mul i64 %sum, 31\n  jmp e{next}"));
        t.line(format_args!("q{k}:\n  %sum = add i64 %sum, %x{k}\n  jmp e{next}\ne{next}:"));
    }
    t.line(format_args!("  ret %sum\n}}"));
}

/// Loads values into stack objects, one object each, until a value is 0. All objects are read at the end.
fn slots(t: &mut Text, n: usize) {
    let steps = n / 14;
    t.line(format_args!("func @f(%p: i64) -> i64 {{\n  stack $err: 8"));
    (0..steps).for_each(|k| t.line(format_args!("  stack $v{k}: 8")));
    t.line(format_args!("entry:\n  store i64 [$err], 0"));
    (0..steps).for_each(|k| t.line(format_args!("  store i64 [$v{k}], 0")));
    t.line(format_args!("  jmp s0\ns0:"));
    for k in 0..steps {
        let next = k + 1;
        t.line(format_args!("  %e{k} = load i64 [$err]\n  br eq i64 %e{k}, 0, r{k}, s{next}\nr{k}:"));
        t.line(format_args!("  %r{k} = load i64 [%p + {}]\n  store i64 [$v{k}], %r{k}", 8 * k));
        t.line(format_args!(
            "  br eq i64 %r{k}, 0, x{k}, s{next}\nx{k}:\n  store i64 [$err], 1\n  jmp s{next}\ns{next}:"
        ));
    }
    t.line(format_args!("  %sum = load i64 [$err]"));
    for k in 0..steps {
        t.line(format_args!("  %l{k} = load i64 [$v{k}]\n  %sum = mul i64 %sum, 31\n  %sum = add i64 %sum, %l{k}"));
    }
    t.line(format_args!("  ret %sum\n}}"));
}

/// Deeply nested loops, each with a counter of its own.
fn counters(t: &mut Text, n: usize) {
    t.begin("f");
    let depth = n / 6;
    t.line(format_args!("  %sum = copy i64 %v0"));
    for k in 0..depth {
        t.line(format_args!("  %i{k} = const i64 0\n  jmp h{k}\nh{k}:\n  %sum = add i64 %sum, %i{k}"));
    }
    for k in (0..depth).rev() {
        t.line(format_args!("  %i{k} = add i64 %i{k}, 1\n  br slt i64 %i{k}, 1, h{k}, x{k}\nx{k}:"));
    }
    t.line(format_args!("  ret %sum\n}}"));
}

/// A sequence of loops that add to one register.
fn accumulated(t: &mut Text, n: usize) {
    t.begin("f");
    t.line(format_args!("  %sum = copy i64 %v0"));
    for k in 0..n / 5 {
        t.line(format_args!("  %i{k} = const i64 0\n  jmp h{k}\nh{k}:\n  %sum = add i64 %sum, %i{k}"));
        t.line(format_args!("  %i{k} = add i64 %i{k}, 1\n  br slt i64 %i{k}, %v0, h{k}, x{k}\nx{k}:"));
    }
    t.line(format_args!("  ret %sum\n}}"));
}

/// Nested conditionals that change one register.
fn nested_ifs(t: &mut Text, n: usize) {
    t.begin("f");
    let depth = n / 3;
    t.line(format_args!("  %sum = copy i64 %v0"));
    for k in 0..depth {
        t.line(format_args!("  br sgt i64 %sum, {k}, t{k}, x{k}\nt{k}:\n  %sum = add i64 %sum, 2"));
    }
    for k in (0..depth).rev() {
        t.line(format_args!("  jmp x{k}\nx{k}:"));
    }
    t.line(format_args!("  ret %sum\n}}"));
}

/// A sequence of tests that return early, and of loops that end in the middle. All variables are read at the end.
fn early_exits(t: &mut Text, n: usize) {
    t.begin("f");
    let steps = n / 9;
    for k in 0..steps {
        let next = k + 1;
        t.line(format_args!("  jmp s{k}\ns{k}:\n  %x{k} = const i64 {k}"));
        t.line(format_args!("  br slt i64 %v0, {k}, r{k}, h{k}\nr{k}:\n  ret %v0\nh{k}:\n  %x{k} = add i64 %x{k}, 1"));
        t.line(format_args!("  br slt i64 %v0, %x{k}, e{next}, b{k}\nb{k}:\n  jmp h{k}\ne{next}:"));
    }
    t.line(format_args!("  %sum = const i64 0"));
    for k in 0..steps {
        t.line(format_args!("  %sum = add i64 %sum, %x{k}"));
    }
    t.line(format_args!("  ret %sum\n}}"));
}

/// By name.
pub const VARIABLES: [(&str, Shape); 6] = [
    ("assigned", assigned),
    ("slots", slots),
    ("counters", counters),
    ("accumulated", accumulated),
    ("nested_ifs", nested_ifs),
    ("early_exits", early_exits),
];
