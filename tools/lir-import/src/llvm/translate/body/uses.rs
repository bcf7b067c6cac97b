//! Counts the uses of each value of a function, by kind, to decide which instructions are folded into their users.

use crate::llvm::ast::{Body, Inst, Local, Op, Operand, Program, Value};
use lir_syntax::ir::SecondaryMap;

/// The uses of a value.
#[derive(Copy, Clone, Default)]
pub(super) struct Uses {
    /// As the address of an access or the base of a `getelementptr`.
    pub addresses: u32,
    /// As the condition of a `br`.
    pub branches: u32,
    /// All other uses.
    pub values: u32,
}

/// Counts the uses of all values of a body.
pub(super) fn count(program: &Program, body: &Body) -> SecondaryMap<Local, Uses> {
    let mut uses = SecondaryMap::with_len(Uses::default(), body.locals.len());
    for inst in &body.insts {
        let operands = &program.operands[inst.operands.range()];
        for (n, operand) in operands.iter().enumerate() {
            let Value::Local(local) = operand.value else { continue };
            let uses: &mut Uses = &mut uses[local];
            if inst.op == Op::Br && n == 0 {
                uses.branches += 1;
            } else if is_address(program, body, inst, operands, n) {
                uses.addresses += 1;
            } else {
                uses.values += 1;
            }
        }
        if let Op::Call | Op::Invoke = inst.op
            && let Value::Local(callee) = body.calls[inst.extra as usize].callee.value
        {
            uses[callee].values += 1;
        }
    }
    uses
}

/// True if an operand is used only as the address of an access.
fn is_address(program: &Program, body: &Body, inst: &Inst, operands: &[Operand], n: usize) -> bool {
    match inst.op {
        Op::Load | Op::GetElementPtr => n == 0,
        Op::Store => n + 1 == operands.len(),
        Op::Call => {
            let Value::Global(callee) = body.calls[inst.extra as usize].callee.value else { return false };
            match program.globals.get(callee) {
                name if name.starts_with(b"llvm.memcpy.") || name.starts_with(b"llvm.memmove.") => n < 2,
                name if name.starts_with(b"llvm.memset.") => n == 0,
                name if name.starts_with(b"llvm.lifetime.") || name.starts_with(b"llvm.va_") => true,
                _ => body.calls[inst.extra as usize]
                    .param_attributes
                    .get(n)
                    .is_some_and(|a| a.words.has(crate::llvm::attributes::ParamWords::BYVAL)),
            }
        }
        _ => false,
    }
}
