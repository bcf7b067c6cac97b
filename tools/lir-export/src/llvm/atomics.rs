//! Atomic accesses and fences. LLVM has the same operations; LIR's `relaxed` is `monotonic`.

use super::function::FunctionWriter;
use super::types::type_name;
use lir_syntax::ir::{Inst, InstData, InstView, Mem, Operand, Order, RmwOp};

impl FunctionWriter<'_, '_> {
    /// Translates an atomic access, or a fence.
    pub(super) fn atomic(&mut self, i: Inst) {
        let d = *self.f.inst(i);
        let (t, align) = (type_name(d.ty), d.ty.bytes());
        let order = d.order().map_or("seq_cst", word);
        match self.f.view(i) {
            InstView::AtomicLoad(mem) => {
                let pointer = self.pointer(mem);
                self.assign(i, format_args!("load atomic {t}, ptr {pointer} {order}, align {align}"));
            }
            InstView::AtomicStore { mem, value } => {
                let (pointer, value) = (self.pointer(mem), self.value(value, d.ty));
                self.line(format_args!("store atomic {t} {value}, ptr {pointer} {order}, align {align}"));
            }
            InstView::AtomicUpdate { mem, value } => self.update(i, &d, mem, value),
            InstView::AtomicExchange { mem, expected, new } => {
                let failure = d.failure_order().map_or("seq_cst", word);
                let (pointer, expected, new) = (self.pointer(mem), self.value(expected, d.ty), self.value(new, d.ty));
                let both = self.step(format_args!(
                    "cmpxchg ptr {pointer}, {t} {expected}, {t} {new} {order} {failure}, align {align}"
                ));
                self.assign(i, format_args!("extractvalue {{ {t}, i1 }} {both}, 0"));
            }
            InstView::Fence => self.line(format_args!("fence {order}")),
            other => unreachable!("{other:?} is not atomic"),
        }
    }
    fn update(&mut self, i: Inst, d: &InstData, mem: Mem, value: Operand) {
        let operation = match d.rmw_op() {
            RmwOp::Smin => "min",
            RmwOp::Smax => "max",
            other => other.name(),
        };
        let (t, order, align) = (type_name(d.ty), d.order().map_or("seq_cst", word), d.ty.bytes());
        let (pointer, value) = (self.pointer(mem), self.value(value, d.ty));
        self.assign(i, format_args!("atomicrmw {operation} ptr {pointer}, {t} {value} {order}, align {align}"));
    }
}

fn word(order: Order) -> &'static str {
    match order {
        Order::Relaxed => "monotonic",
        other => other.name(),
    }
}
