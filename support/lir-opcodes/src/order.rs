//! The orders of atomic accesses, and the operations of `atomicrmw`.
//!
//! Both are words after the opcode. An instruction keeps them in one byte, `aux`: the order in the low three bits, and
//! above them the operation, or the failure order of a `cmpxchg`.

use crate::{Opcode, Word};

named! {
    /// The ordering of an atomic operation with other accesses, weakest first; neither of `acquire` and `release`
    /// implies the other.
    pub enum Order {
        Relaxed "relaxed" "No ordering: the operation is only indivisible."
        Acquire "acquire" "Later accesses of this thread come after it."
        Release "release" "Earlier accesses of this thread come before it."
        AcqRel "acq_rel" "Both."
        SeqCst "seq_cst" "Both, and all such operations of all threads are in one order."
    }
}

named! {
    /// The operation of `atomicrmw`.
    pub enum RmwOp {
        Xchg "xchg" "The operand."
        Add "add" "The sum."
        Sub "sub" "The difference."
        And "and" "Bitwise and."
        Or "or" "Bitwise or."
        Xor "xor" "Bitwise exclusive or."
        Nand "nand" "Bitwise and, inverted."
        Smin "smin" "The smaller one, as signed."
        Smax "smax" "The greater one, as signed."
        Umin "umin" "The smaller one, as unsigned."
        Umax "umax" "The greater one, as unsigned."
    }
}

const ORDER_BITS: u32 = 3;
const ORDER_MASK: u8 = (1 << ORDER_BITS) - 1;

impl Order {
    /// Returns the order with this name.
    pub fn from_name(name: &[u8]) -> Option<Order> {
        Order::ALL.into_iter().find(|o| o.name().as_bytes() == name)
    }
    /// Returns the order in a byte of an instruction.
    #[inline]
    pub fn of_aux(aux: u8) -> Option<Order> {
        Order::ALL.get((aux & ORDER_MASK) as usize).copied()
    }
    /// Returns the failure order in a byte of a `cmpxchg`.
    #[inline]
    pub fn of_failure(aux: u8) -> Option<Order> {
        Order::ALL.get((aux >> ORDER_BITS) as usize).copied()
    }
    /// Returns the byte of an instruction with only this order.
    #[inline]
    pub const fn to_aux(self) -> u8 {
        self as u8
    }
    /// Returns the byte of a `cmpxchg` with this order for success, and another for failure.
    #[inline]
    pub const fn with_failure(self, failure: Order) -> u8 {
        self as u8 | (failure as u8) << ORDER_BITS
    }
    /// True if later accesses come after the operation.
    #[inline]
    pub const fn acquires(self) -> bool {
        matches!(self, Order::Acquire | Order::AcqRel | Order::SeqCst)
    }
    /// True if earlier accesses come before the operation.
    #[inline]
    pub const fn releases(self) -> bool {
        matches!(self, Order::Release | Order::AcqRel | Order::SeqCst)
    }
    /// The orders of a load, and of a failed `cmpxchg`, which is a load.
    pub const OF_LOADS: &'static [Order] = &[Order::Relaxed, Order::Acquire, Order::SeqCst];
    const OF_STORES: &'static [Order] = &[Order::Relaxed, Order::Release, Order::SeqCst];
    const OF_FENCES: &'static [Order] = &[Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst];

    /// Returns the orders that an operation may have; none for operations that are not atomic.
    pub fn allowed(op: Opcode) -> &'static [Order] {
        match op {
            Opcode::AtomicLoad => Order::OF_LOADS,
            Opcode::AtomicStore => Order::OF_STORES,
            Opcode::AtomicRmw | Opcode::Cmpxchg => &Order::ALL,
            Opcode::Fence => Order::OF_FENCES,
            _ => &[],
        }
    }
}

impl RmwOp {
    /// Returns the operation with this name.
    pub fn from_name(name: &[u8]) -> Option<RmwOp> {
        RmwOp::ALL.into_iter().find(|o| o.name().as_bytes() == name)
    }
    /// Returns the operation in a byte of an `atomicrmw`.
    #[inline]
    pub fn of_aux(aux: u8) -> Option<RmwOp> {
        RmwOp::ALL.get((aux >> ORDER_BITS) as usize).copied()
    }
    /// Returns the byte of an `atomicrmw` with this operation and an order.
    #[inline]
    pub const fn with_order(self, order: Order) -> u8 {
        order as u8 | (self as u8) << ORDER_BITS
    }
    /// Returns the operation on values; none for `xchg`, whose result is the operand, and for `nand`, which is two
    /// operations.
    pub const fn on_values(self) -> Option<Opcode> {
        Some(match self {
            RmwOp::Xchg | RmwOp::Nand => return None,
            RmwOp::Add => Opcode::Add,
            RmwOp::Sub => Opcode::Sub,
            RmwOp::And => Opcode::And,
            RmwOp::Or => Opcode::Or,
            RmwOp::Xor => Opcode::Xor,
            RmwOp::Smin => Opcode::Smin,
            RmwOp::Smax => Opcode::Smax,
            RmwOp::Umin => Opcode::Umin,
            RmwOp::Umax => Opcode::Umax,
        })
    }
    /// Returns the value that replaces `old`. Both are bits of a word, as in [`eval`](crate::semantics::eval).
    #[inline]
    pub fn apply(self, w: Word, old: u64, operand: u64) -> u64 {
        match (self, self.on_values()) {
            (_, Some(op)) => crate::semantics::eval(op, w, 0, [old, operand, 0]).expect("it does not trap"),
            (RmwOp::Nand, None) => w.truncate(!(old & operand)),
            (_, None) => operand,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_holds_two_words() {
        for order in Order::ALL {
            for failure in Order::ALL {
                let aux = order.with_failure(failure);
                assert_eq!((Order::of_aux(aux), Order::of_failure(aux)), (Some(order), Some(failure)));
            }
            for op in RmwOp::ALL {
                let aux = op.with_order(order);
                assert_eq!((Order::of_aux(aux), RmwOp::of_aux(aux)), (Some(order), Some(op)));
            }
        }
        assert_eq!((Order::of_aux(5), RmwOp::of_aux(11 << 3)), (None, None));
    }

    #[test]
    fn the_operations_equal_the_operations_on_values() {
        let w = Word::of_bytes(1);
        assert_eq!(RmwOp::Nand.apply(w, 0xf0, 0x3c), 0xcf);
        assert_eq!(RmwOp::Sub.apply(w, 1, 2), 0xff);
        assert_eq!(RmwOp::Smin.apply(w, 1, 0xff), 0xff);
        assert_eq!(RmwOp::Umin.apply(w, 1, 0xff), 1);
        assert_eq!(RmwOp::Xchg.apply(w, 1, 2), 2);
    }
}
