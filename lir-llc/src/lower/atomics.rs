//! Expands an `atomicrmw` that is not one instruction into a loop around `cmpxchg`.
//!
//! ```text
//!   %d = atomicrmw umax ORDER i32 [m], %x   =>    %first = atomic_load relaxed i32 [m]
//!                                                 jmp loop
//!                                               loop:
//!                                                 %old = phi i32 [%first, before], [%seen, loop]
//!                                                 %new = umax i32 %old, %x
//!                                                 %seen = cmpxchg ORDER relaxed i32 [m], %old, %new
//!                                                 br ne i32 %seen, %old, loop, rest
//!                                               rest:
//!                                                 %d = copy i32 %seen
//! ```
//!
//! The `cmpxchg` keeps the order: an iteration that writes nothing only reads the memory again.

use super::split_around;
use lir_syntax::ir::builder::FunctionBuilder;
use lir_syntax::ir::{EntitySet, Function, Inst, InstData, IntCC, Operand, Order, Reg, RmwOp};

/// The registers that are read, computed when an operation first depends on them.
#[derive(Default)]
pub(super) struct Used(Option<EntitySet<Reg>>);

impl Used {
    /// True if an `atomicrmw` is one instruction.
    pub(super) fn is_one_instruction(&mut self, f: &Function, i: Inst) -> bool {
        match f.inst(i).rmw_op() {
            RmwOp::Xchg | RmwOp::Add | RmwOp::Sub => true,
            RmwOp::And | RmwOp::Or | RmwOp::Xor => f.def(i).is_none_or(|r| !self.has(f, r)),
            RmwOp::Nand | RmwOp::Smin | RmwOp::Smax | RmwOp::Umin | RmwOp::Umax => false,
        }
    }
    /// True if a register is read. Expansions read only new registers and registers that were read already.
    fn has(&mut self, f: &Function, r: Reg) -> bool {
        let used = self.0.get_or_insert_with(|| {
            let mut used = EntitySet::new();
            for i in f.layout().all_insts() {
                f.for_each_use(i, |r| {
                    used.insert(r);
                });
            }
            used
        });
        used.contains(r)
    }
}

/// Expands an `atomicrmw`. It becomes a copy of the old value, in a block with the instructions after it.
pub(super) fn expand(f: &mut Function, i: Inst) {
    let (d, m, loc) = (*f.inst(i), f.mem_dst(i), f.debug_loc(i));
    let (op, order) = (d.rmw_op(), d.order().expect("the verifier accepted the order"));
    let (before, [repeat, rest]) = split_around(f, i);
    let e = &mut FunctionBuilder::new(f);
    e.loc = loc;
    e.switch_to(before);
    let first = e.atomic_load(Order::Relaxed, d.ty, m);
    let x = d.second().as_reg().unwrap_or_else(|| e.constant(d.ty, d.second()));
    e.jmp(repeat);
    e.switch_to(repeat);
    let seen = e.reg(d.ty);
    let old = e.phi(d.ty, &[(before, first.into()), (repeat, seen.into())]);
    let new = match op.on_values() {
        Some(value) => e.binary(value, d.ty, old, x),
        None => {
            debug_assert!(op == RmwOp::Nand, "`xchg` is one instruction");
            let both = e.and(old, x);
            e.not(both)
        }
    };
    e.assign(seen).cmpxchg((order, Order::Relaxed), m, old, new);
    e.branch(IntCC::Ne, seen, old, repeat, rest);
    let copy = InstData::move_of(d.ty, Operand::reg(seen)).with_result(f.def(i));
    f.replace_inst(i, copy);
}
