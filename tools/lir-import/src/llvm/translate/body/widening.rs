//! Sign extensions of sums and products that make addresses: `sext (a + b)` becomes `sext a + sext b`.
//!
//! ```text
//! %s = add nsw i32 %i, 1               %w = sext i32 %i to i64
//! %x = sext i32 %s to i64        ->    %x = add i64 %w, 1
//! %p = getelementptr i32, ptr %a, i64 %x
//! ```
//!
//! Both are equal unless the sum overflows; then `nsw` makes the first one poison, which may be any value. In 64 bits
//! the constant becomes a displacement, and the rest is shared with other addresses of the same index. A sum without
//! other uses is not computed in 32 bits.

use super::uses::Uses;
use crate::llvm::ast::{Body, Inst, Local, Op, Operand as Value, Program, Value as Written};
use crate::llvm::types::Ty;
use lir_syntax::ir::{Promises, SecondaryMap};

/// Trees of sums are followed to this depth, and have at most 2^depth leaves.
pub(super) const MAX_DEPTH: u32 = 4;

/// The role of a value.
#[derive(Copy, Clone, PartialEq, Eq, Default)]
enum Role {
    #[default]
    Other,
    /// A sum, a difference or a product that does not overflow: the index of its instruction.
    Sum(u32),
    /// The same, computed only in 64 bits.
    Hidden(u32),
    /// A sign extension that makes an address.
    Index,
}

/// The sign extensions of a function that become wider sums.
pub(super) struct Widening {
    roles: SecondaryMap<Local, Role>,
}

impl Widening {
    /// Finds the extensions of sums that are indices of addresses.
    pub(super) fn of(program: &Program, body: &Body, uses: &SecondaryMap<Local, Uses>) -> Widening {
        let mut roles = SecondaryMap::with_default(Role::Other);
        let mut extensions: SecondaryMap<Local, u32> = SecondaryMap::with_default(0);
        let (mut has_sums, mut is_found) = (false, false);
        for (n, inst) in body.insts.iter().enumerate() {
            let Some(result) = inst.result.expand() else { continue };
            if inst.op == Op::Sext && has_sums {
                extensions[result] = n as u32 + 1;
            } else if is_sum(program, inst) {
                roles[result] = Role::Sum(n as u32);
                has_sums = true;
            } else if inst.op == Op::GetElementPtr {
                for index in program.operands[inst.operands.range()].iter().skip(1) {
                    let Written::Local(local) = index.value else { continue };
                    let extension = *extensions.get(local);
                    if extension > 0 && *roles.get(local) == Role::Other {
                        let sext = &body.insts[extension as usize - 1];
                        is_found |= mark(program, body, uses, &mut roles, sext, local);
                    }
                }
            }
        }
        if !is_found {
            roles = SecondaryMap::with_default(Role::Other);
        }
        Widening { roles }
    }

    /// True if the instruction of a value is not translated.
    pub(super) fn hides(&self, local: Local) -> bool {
        matches!(self.roles.get(local), Role::Hidden(_))
    }
    /// True if a sign extension becomes a wider sum.
    pub(super) fn widens(&self, local: Local) -> bool {
        *self.roles.get(local) == Role::Index
    }
    /// Returns the index of the instruction of a sum, a difference or a product that does not overflow.
    pub(super) fn sum(&self, local: Local) -> Option<u32> {
        match *self.roles.get(local) {
            Role::Sum(n) | Role::Hidden(n) => Some(n),
            Role::Other | Role::Index => None,
        }
    }
}

fn is_sum(program: &Program, inst: &Inst) -> bool {
    let operands = &program.operands[inst.operands.range()];
    let is_operation = match inst.op {
        Op::Add | Op::Sub | Op::Mul => true,
        Op::Shl => operands.get(1).is_some_and(|amount| matches!(amount.value, Written::Int(0..=31))),
        _ => false,
    };
    is_operation && inst.promises.has(Promises::NSW) && inst.ty == Ty::i32()
}

/// Marks an extension of a sum, to be replaced by a wider sum. Parts of the sum without other uses are hidden.
fn mark(
    program: &Program,
    body: &Body,
    uses: &SecondaryMap<Local, Uses>,
    roles: &mut SecondaryMap<Local, Role>,
    sext: &Inst,
    result: Local,
) -> bool {
    let is_of_i32 = |value: &Value| value.ty == Ty::i32() && sext.ty == Ty::i64();
    let Some(root) = program.operands[sext.operands.range()].first().filter(|value| is_of_i32(value)) else {
        return false;
    };
    let Written::Local(root) = root.value else { return false };
    if !matches!(*roles.get(root), Role::Sum(_)) {
        return false;
    }
    roles[result] = Role::Index;
    let mut work = vec![(root, 0)];
    while let Some((local, depth)) = work.pop() {
        let Role::Sum(n) = *roles.get(local) else { continue };
        let all = uses[local];
        if depth == MAX_DEPTH || all.values + all.addresses + all.branches != 1 {
            continue;
        }
        roles[local] = Role::Hidden(n);
        for operand in &program.operands[body.insts[n as usize].operands.range()] {
            if let Written::Local(part) = operand.value {
                work.push((part, depth + 1));
            }
        }
    }
    true
}
