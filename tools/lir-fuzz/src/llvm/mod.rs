//! The check `llvm`: modules that `lir-export` exports and LLVM compiles give the interpreter's results.
//!
//! Starting LLVM's tools takes longer than compiling a random module, so the modules of a batch are one text
//! ([`group`]), and a driver in C makes their calls, each module in a separate process. Exports do not preserve memory
//! faults and stack overflows, so calls that end in one are not compared, nor are later calls.

mod group;
mod tools;

pub(crate) use group::{Case, Group};
pub(crate) use tools::{Tools, tools};

use super::check::LlvmLevel;
use super::finding::{Kind, Problem};
use lir_run::interp::Outcome;
use lir_run::run_lines::TypedCall;
use lir_run::value::{Shape, Value};
use lir_syntax::ir::{AbiParam, Decls, Module, Signature, Type};
use lir_syntax::semantics::Trap;
use std::sync::Arc;

/// Compiles the modules of the cases together, and returns the problem of each, if it has one.
pub(crate) fn check(cases: &[Case<'_>], level: LlvmLevel) -> Vec<Result<(), Problem>> {
    if cases.is_empty() {
        return Vec::new();
    }
    let Some(tools) = tools() else {
        let missing = || Err(Problem::new(Kind::Refused, "opt and llc of LLVM 15 to 22 are missing"));
        return cases.iter().map(|_| missing()).collect();
    };
    match run(cases, tools, level) {
        Ok(results) => cases.iter().enumerate().map(|(k, case)| judge(case, k, &results)).collect(),
        // LLVM fails on a valid module.
        Err(problem) if cases.len() == 1 && problem.kind == Kind::BeyondLimit => vec![Ok(())],
        Err(problem) if cases.len() == 1 => vec![Err(problem)],
        // One of the modules is at fault: each is compiled alone.
        Err(_) => cases.iter().flat_map(|case| check(std::slice::from_ref(case), level)).collect(),
    }
}

/// Exports, compiles and runs a group, and returns the lines of its driver.
fn run(cases: &[Case<'_>], tools: &Tools, level: LlvmLevel) -> Result<Vec<String>, Problem> {
    let text = Group::new(cases).export()?;
    let results = tools.run(&text, level)?;
    Ok(results.lines().map(str::to_string).collect())
}

/// Compares the results of a module with the interpreter's.
fn judge(case: &Case<'_>, number: usize, results: &[String]) -> Result<(), Problem> {
    let start = format!("{number} ");
    let mut lines = results.iter().filter_map(|l| l.strip_prefix(&start));
    let compared = case.compared();
    for (k, (call, expected)) in case.calls.iter().zip(case.expected).take(compared).enumerate() {
        let wrong = |got: &str| Problem::new(Kind::Miscompile, difference(case.module, call, expected, got));
        let Some(line) = lines.next() else { return Err(wrong("no result")) };
        let Some(found) = line.strip_prefix(&format!("{k} ")) else { return Err(wrong(line)) };
        let signature = case.module.decls.signature(call.sym).expect("a call is of a function");
        let is_right = match expected {
            Outcome::Return(value) => {
                value_of(&case.module.decls, signature, found).is_some_and(|got| are_same(value.as_ref(), got.as_ref()))
            }
            Outcome::Trap(trap, _) => number_of(*trap).is_some_and(|n| found == format!("trap{n}")),
            Outcome::Error(..) | Outcome::OutOfFuel(_) => true,
        };
        if !is_right {
            let shown = value_of(&case.module.decls, signature, found).flatten();
            return Err(wrong(&shown.map_or_else(|| found.to_string(), |v| v.to_string())));
        }
    }
    Ok(())
}

/// Returns the number of a trap in exports; none for traps that exports do not preserve.
fn number_of(trap: Trap) -> Option<u32> {
    match trap {
        Trap::DivByZero => Some(1),
        Trap::IntOverflow => Some(2),
        Trap::Unreachable => Some(3),
        Trap::MemoryFault | Trap::StackOverflow | Trap::Exception => None,
    }
}

/// Parses a result. None if the text is not one; no value if the function returns nothing.
fn value_of(decls: &Decls, signature: &Signature, text: &str) -> Option<Option<Value>> {
    let bytes = if text == "-" { Vec::new() } else { read_bytes(text)? };
    match signature.result {
        None => bytes.is_empty().then_some(None),
        Some(AbiParam::Agg(a)) => {
            let shape = Arc::new(Shape::of(decls, a));
            (shape.size() == bytes.len() as u64).then(|| Some(Value::aggregate(shape, bytes)))
        }
        Some(AbiParam::Scalar(ty, _)) => {
            let mut word = [0; 16];
            word.get_mut(..bytes.len()).filter(|w| w.len() == ty.bytes() as usize)?.copy_from_slice(&bytes);
            Some(Some(Value::of_bits(ty, u128::from_le_bytes(word))))
        }
    }
}

fn read_bytes(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    digits.chunks(2).map(byte).collect()
}

/// True if two results are equal. All NaNs of a type are.
fn are_same(a: Option<&Value>, b: Option<&Value>) -> bool {
    match (a.and_then(Value::as_scalar), b.and_then(Value::as_scalar)) {
        (Some(x), Some(y)) if x.is_nan() && y.is_nan() => x.ty == y.ty,
        _ => a == b,
    }
}

fn difference(module: &Module, call: &TypedCall, expected: &Outcome, got: &str) -> String {
    let name = String::from_utf8_lossy(&module.decls.syms[call.sym].name).into_owned();
    let args: Vec<String> = call.args.iter().map(ToString::to_string).collect();
    let want = match expected {
        Outcome::Return(Some(v)) => v.to_string(),
        Outcome::Return(None) => "a return".into(),
        Outcome::Trap(trap, _) => format!("trap({trap})"),
        Outcome::Error(message, _) => message.clone(),
        Outcome::OutOfFuel(_) => "no end".into(),
    };
    format!("by LLVM, @{name}({}) gives {got} in place of {want}", args.join(", "))
}

/// Returns the size of a result in bytes.
fn size_of_result(decls: &Decls, signature: &Signature) -> u64 {
    match signature.result {
        None => 0,
        Some(AbiParam::Scalar(ty, _)) => Type::bytes(ty).into(),
        Some(AbiParam::Agg(a)) => decls.types[a].size,
    }
}
