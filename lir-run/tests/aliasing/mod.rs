//! The matrix of equal operands: each operation with each pattern of equal registers, as files with run lines.
//!
//! An allocator that computes into the register of an operand, or moves an operand there first, makes wrong code if the
//! result is another operand, too: `%x = sub i32 %y, %x`. So there is a function for each operation, each type, and
//! each way in which its result and its operands are the same registers (document S2's `xxx`, `xxy`, `xyy`, `xyz`):
//! operations that compute values ([`values`]), operations on memory ([`memory`], [`atomics`]), calls and branches
//! ([`control`]).
//! The operation is in a loop, so that it is part of a trace as well. The functions are written from the opcode table,
//! with their expected results, and are run like all run lines: by the interpreter, with traces, and natively by each
//! allocator.
//!
//! `cargo xtask bless` writes `testdata/run/aliasing`, as all expectations.

mod atomics;
mod control;
mod memory;
mod values;

use lir_syntax::ir::{Opcode, Type};
use lir_syntax::printer::print_constant;
use lir_syntax::semantics::is_value_op;
use lir_testing::expectations::compare_with_file;
use lir_testing::files::{files_in, testdata};
use lir_testing::trials::{Trial, run};
use std::fmt::Write;

/// All ways in which this many registers may be the same: for each the number of its class, classes in order.
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

/// A pattern in letters, like `xyx`.
fn letters(pattern: &[usize]) -> String {
    pattern.iter().map(|class| ["x", "y", "z", "w", "u"][*class]).collect()
}

fn constant(ty: Type, bits: u64) -> String {
    let mut text = Vec::new();
    let payload = if ty.is_int() { ty.as_word().sign_extend(bits) } else { bits as i64 };
    print_constant(ty, payload, &mut text);
    String::from_utf8(text).unwrap()
}

/// A function that executes the same lines four times in a loop.
struct Looped {
    name: String,
    parameters: Vec<(&'static str, Type)>,
    /// The lines of the loop.
    body: String,
    /// The register that it returns.
    result: (Type, &'static str),
    /// Arguments of calls, and their results.
    runs: Vec<(Vec<u64>, u64)>,
}

impl Looped {
    fn write(&self, functions: &mut String, lines: &mut String) {
        let Looped { name, body, result: (ty, register), .. } = self;
        let parameters: Vec<_> = self.parameters.iter().map(|(r, ty)| format!("{r}: {ty}")).collect();
        let _ = write!(
            functions,
            "func @{name}({}) -> {ty} {{\nentry:\n  %n = const i64 4\n  jmp loop\nloop:\n{body}  \
             %n = sub i64 %n, 1\n  br ne i64 %n, 0, loop, done\ndone:\n  ret {register}\n}}\n",
            parameters.join(", ")
        );
        for (arguments, returned) in &self.runs {
            let arguments = arguments.iter().zip(&self.parameters).map(|(bits, (_, ty))| constant(*ty, *bits));
            let arguments: Vec<_> = arguments.collect();
            let _ = writeln!(lines, "; run: @{name}({}) == {}", arguments.join(", "), constant(*ty, *returned));
        }
    }
}

/// The operations with one register at most, those with addresses in two lists, which differ, aggregates, and `assume`,
/// which has no code.
const NOT_ALIASED: [&str; 13] = [
    "const", "stack_save", "stack_restore", "fence", "va_start", "va_end", "va_copy", "va_arg", "jmp", "ret", "ret",
    "unreachable", "assume",
];

/// The functions of an operation, with the declarations that they need; none if it has fewer than two registers.
fn functions(op: Opcode) -> Option<(&'static str, Vec<Looped>)> {
    match op {
        _ if is_value_op(op) => Some(("", values::functions(op))),
        Opcode::Lea => Some(("", memory::lea())),
        Opcode::Load => Some((memory::DATA, memory::load())),
        Opcode::Store => Some((memory::DATA, memory::store())),
        Opcode::Memcpy | Opcode::Memmove => Some((memory::DATA, memory::copy(op))),
        Opcode::Memset => Some((memory::DATA, memory::fill())),
        Opcode::AtomicLoad => Some((atomics::DATA, atomics::load())),
        Opcode::AtomicStore => Some((atomics::DATA, atomics::store())),
        Opcode::AtomicRmw => Some((atomics::DATA, atomics::update())),
        Opcode::Cmpxchg => Some((atomics::DATA, atomics::exchange())),
        Opcode::Alloca => Some(("", memory::alloca())),
        Opcode::VaArg => Some((control::VARIADIC, control::va_arg())),
        Opcode::Br => Some(("", control::br())),
        Opcode::Switch => Some(("", control::switch())),
        Opcode::Phi => Some(("", control::phi())),
        Opcode::Call => Some((control::CALLEES, control::call())),
        _ => None,
    }
}

fn file(op: Opcode) -> Option<String> {
    let (head, all) = functions(op)?;
    let (mut lines, mut functions) = (String::new(), head.to_owned());
    all.iter().for_each(|f| f.write(&mut functions, &mut lines));
    Some(format!(
        "; `{}` with each pattern of equal registers: the result, then the operands. Written by \
         `lir-run/tests/aliasing`.\n{lines}{functions}",
        op.mnemonic()
    ))
}

#[test]
fn every_operation_has_all_patterns_of_equal_registers() {
    assert_eq!(patterns(3), [[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1], [0, 1, 2]]);
    let folder = testdata("run/aliasing");
    let mut trials = Vec::new();
    let mut others = Vec::new();
    for &op in Opcode::ALL {
        let Some(text) = file(op) else {
            others.push(op.mnemonic());
            continue;
        };
        let path = folder.join(format!("{}.lir", op.mnemonic()));
        trials.push(Trial::test(op.mnemonic(), move || Ok(compare_with_file(&path, &text)?)));
    }
    assert_eq!(others, NOT_ALIASED);
    // No file is left over.
    assert_eq!(files_in(&folder, &["lir"]).len(), trials.len());
    run(trials);
}
