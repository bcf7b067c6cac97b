//! Functions all of whose calls are known. They may have parameters and results that LIR cannot pass as the ABI
//! requires: results of more than two scalars, and vectors of any size. The scalars of a vector are passed in registers
//! of their own, where the ABI would have them gathered and parted.
//!
//! Such a function is local to the module, nothing takes its address, and all calls agree with its type.

use super::super::ast::{Function, Global, Linkage, Op, Operand, Program, Value};
use super::super::types::Kind;
use super::abi::is_for_private;
use std::collections::HashMap;

/// The private functions that LIR could not translate as ordinary functions.
#[derive(Default)]
pub(super) struct PrivateFunctions<'a> {
    functions: HashMap<Global, &'a Function>,
}

impl<'a> PrivateFunctions<'a> {
    /// Finds the functions of a program.
    pub(super) fn of(program: &'a Program) -> PrivateFunctions<'a> {
        let mut functions: HashMap<Global, &Function> =
            program.functions.iter().filter(|def| is_candidate(program, def)).map(|def| (def.name, def)).collect();
        if functions.is_empty() {
            return PrivateFunctions { functions };
        }
        let values = program.operands.iter().map(|o| o.value);
        let values = values.chain(program.variables.iter().filter_map(|v| v.value));
        for value in values.chain(program.aliases.iter().map(|a| a.target.value)) {
            if let Value::Global(global) = value {
                functions.remove(&global);
            }
        }
        for body in program.functions.iter().filter_map(|def| def.body.as_deref()) {
            for inst in body.insts.iter().filter(|inst| matches!(inst.op, Op::Call | Op::Invoke)) {
                let call = &body.calls[inst.extra as usize];
                let Value::Global(callee) = call.callee.value else { continue };
                let Some(def) = functions.get(&callee) else { continue };
                let operands = &program.operands[inst.operands.range()];
                let arguments = &operands[..call.param_attributes.len().min(operands.len())];
                if call.result != def.result || !agree(def, arguments) {
                    functions.remove(&callee);
                }
            }
        }
        PrivateFunctions { functions }
    }

    /// True if a function is private.
    pub(super) fn contains(&self, global: Global) -> bool {
        self.functions.contains_key(&global)
    }
}

fn is_candidate(program: &Program, def: &Function) -> bool {
    let has_result = *program.types.kind(def.result) != Kind::Void;
    def.body.is_some()
        && def.symbol.linkage == Linkage::Local
        && !def.variadic
        && (def.params.iter().any(|p| is_for_private(program, p.ty, false))
            || has_result && is_for_private(program, def.result, true))
}

fn agree(def: &Function, arguments: &[Operand]) -> bool {
    def.params.len() == arguments.len() && def.params.iter().zip(arguments).all(|(p, a)| p.ty == a.ty)
}
