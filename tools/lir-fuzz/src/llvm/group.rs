//! The text of a group of modules. Each module gets unique names; each of its calls gets a function that makes the call
//! and stores the result; the driver gets tables.

use super::{number_of, size_of_result};
use crate::finding::{Kind, Problem};
use lir_export::llvm::{Traps, export};
use lir_run::interp::Outcome;
use lir_run::run_lines::TypedCall;
use lir_run::value::Value;
use lir_syntax::check::TextErrors;
use lir_syntax::ir::{AbiParam, Item, Module, Type};
use lir_syntax::printer::{name_after_sigil, print_quoted, printed};
use std::fmt::Write;

/// A module with its calls and their endings in the interpreter.
pub(crate) struct Case<'a> {
    pub(crate) module: &'a Module,
    pub(crate) calls: &'a [TypedCall],
    pub(crate) expected: &'a [Outcome],
}

impl Case<'_> {
    /// Returns the number of calls before the first one that ends in a way that exports do not preserve.
    pub(crate) fn compared(&self) -> usize {
        let promised = |o: &&Outcome| match o {
            Outcome::Return(_) => true,
            Outcome::Trap(trap, _) => number_of(*trap).is_some(),
            Outcome::Error(..) | Outcome::OutOfFuel(_) => false,
        };
        self.expected.iter().take_while(promised).count()
    }
}

/// A text in LIR's language.
pub(crate) struct Group(String);

impl Group {
    pub(crate) fn new(cases: &[Case<'_>]) -> Group {
        let mut text = String::new();
        let (mut calls, mut sizes, mut counts) = (Vec::new(), Vec::new(), Vec::new());
        for (k, case) in cases.iter().enumerate() {
            let module = renamed(case.module, k);
            text += &module.to_string();
            let compared = case.compared();
            counts.push(compared.to_string());
            for (n, call) in case.calls.iter().take(compared).enumerate() {
                let name = format!("@m{k}.call.{n}");
                text += &function_of_call(&module, call, &name);
                calls.push(format!("i64 {name}"));
                let signature = module.decls.signature(call.sym).expect("a call is of a function");
                sizes.push(size_of_result(&module.decls, signature).to_string());
            }
        }
        counts.push("-1".into());
        // The tables have at least one element, since data is not empty.
        calls.push("i64 0".into());
        sizes.push("0".into());
        for (name, ty, elements) in [("calls", "", calls), ("sizes", "i32 ", sizes), ("counts", "i32 ", counts)] {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "const data @lir_{name} = {{ {ty}{} }}", elements.join(", "));
        }
        Group(text)
    }
    /// Returns the group in LLVM's language.
    pub(crate) fn export(&self) -> Result<String, Problem> {
        let refused = |message: String| Problem::new(Kind::Refused, message);
        let module: Module = self.0.parse().map_err(|e: TextErrors| refused(e.to_string()))?;
        let first = |errors: Vec<lir_syntax::text::diagnostic::Diagnostic>| {
            refused(errors.first().map_or_else(String::new, |e| e.message.clone()))
        };
        export(&module, Traps::Call).map_err(first)
    }
}

/// Returns a module whose symbols and types have names that are unique in the group.
fn renamed(module: &Module, number: usize) -> Module {
    let mut module = module.clone();
    let start = format!("m{number}.");
    let with_start = |name: &[u8]| [start.as_bytes(), name].concat().into_boxed_slice();
    let defined: Vec<bool> = module.decls.syms.keys().map(|s| module.decls.is_defined(s)).collect();
    for (symbol, defined) in module.decls.syms.as_mut_slice().iter_mut().zip(defined) {
        if defined {
            symbol.name = with_start(&symbol.name);
        }
    }
    for ty in module.decls.types.as_mut_slice() {
        ty.name = with_start(&ty.name);
    }
    for file in module.decls.files.as_mut_slice() {
        file.name = with_start(&file.name);
    }
    // A declaration in addition to a definition is redundant.
    let is_needed = |item: &Item| !matches!(item, Item::ExternFunc(s) if module.decls.is_defined(*s));
    let items = module.items.iter().copied().filter(is_needed).collect();
    module.items = items;
    module
}

/// Returns a function that makes a call with its arguments, and stores the result at the address in its parameter.
fn function_of_call(module: &Module, call: &TypedCall, name: &str) -> String {
    let (mut data, mut body, mut args) = (String::new(), String::new(), Vec::new());
    for (k, arg) in call.args.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = match arg {
            Value::Scalar(scalar) if scalar.ty.is_float() => {
                args.push(format!("%a{k}"));
                let bits = scalar.ty.bits_type();
                let payload = bits.constant_payload(scalar.word());
                writeln!(body, "  %b{k} = const {bits} {payload}\n  %a{k} = bitcast {bits} %b{k} to {}", scalar.ty)
            }
            Value::Scalar(scalar) => {
                args.push(format!("%a{k}"));
                writeln!(body, "  %a{k} = const {scalar}")
            }
            Value::Aggregate(aggregate) => {
                let ty = name_after_sigil(aggregate_name(module, call, k));
                args.push(format!(":{ty} [{name}.{k}]"));
                let bytes = printed(|out| print_quoted(aggregate.bytes(), out));
                writeln!(data, "data {name}.{k} align 16 = {{ {bytes} }}")
            }
        };
    }
    let symbol = &module.decls.syms[call.sym];
    let callee = format!("@{}({})", name_after_sigil(&symbol.name), args.join(", "));
    let call = match module.decls.signature(call.sym).and_then(|s| s.result) {
        None => format!("  call {callee}\n"),
        Some(AbiParam::Scalar(ty, _)) => format!("  %r = call {ty} {callee}\n  store {ty} [%out], %r\n"),
        Some(AbiParam::Agg(a)) => {
            format!("  call :{} [%out], {callee}\n", name_after_sigil(&module.decls.types[a].name))
        }
    };
    let out = Type::I64;
    format!("\n{data}\nfunc {name}(%out: {out}) {{\nentry:\n{body}{call}  ret\n}}\n")
}

/// Returns the name of the type of an argument, in the renamed module.
fn aggregate_name<'m>(module: &'m Module, call: &TypedCall, argument: usize) -> &'m [u8] {
    let signature = module.decls.signature(call.sym).expect("a call is of a function");
    match signature.params[argument] {
        AbiParam::Agg(a) => &module.decls.types[a].name,
        AbiParam::Scalar(..) => b"",
    }
}
