//! Atomic accesses and fences.
//!
//! Integers of 8 to 64 bits, pointers and floats are accessed as integers of LIR. Operations of `atomicrmw` that LIR
//! lacks become a loop around `cmpxchg`:
//!
//! ```text
//!   %d = atomicrmw fadd ptr %p, float %x seq_cst   =>     %first = atomic_load relaxed i32 [%p]
//!                                                         jmp loop
//!                                                       loop:
//!                                                         %old = phi i32 [%first, before], [%seen, loop]
//!                                                         %new = ..
//!                                                         %seen = cmpxchg seq_cst relaxed i32 [%p], %old, %new
//!                                                         br eq i32 %seen, %old, rest, loop
//!                                                       rest:
//! ```

use crate::llvm::ast::{self, Flags, Op, Operand as Value};
use crate::llvm::parser::ATOMIC_OPERATIONS;
use crate::llvm::translate::body::function::{Translated, Translator};
use crate::llvm::types::Ty;
use lir_syntax::ir::{Comparison, FloatCC, InstData, IntCC, Mem, Opcode, Operand, Order, Predicate, Reg, RmwOp, Type};

/// LLVM's orders, as the parser numbers them. `unordered` is weaker than every order of LIR.
const ORDERS: [Order; 6] =
    [Order::Relaxed, Order::Relaxed, Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst];

impl Translator<'_> {
    /// Returns the memory order of an instruction. Refuses an order that the operation may not have.
    fn memory_order(&self, number: usize, op: Opcode) -> Translated<Order> {
        match ORDERS.get(number).filter(|o| Order::allowed(op).contains(o)) {
            Some(order) => Ok(*order),
            None => self.refuse("the operation cannot have this memory order"),
        }
    }

    /// Returns the type of an atomic access, and the integer type of the same size.
    fn atomic_type(&self, inst: &ast::Inst, ty: Ty) -> Translated<(Type, Type)> {
        let Some(scalar) = self.scalar_of(ty).ok().filter(|s| !s.is_narrow()) else {
            return self.refuse("an atomic access needs a type of 8, 16, 32 or 64 bits");
        };
        if inst.extra != 0 && inst.extra < scalar.ty.bytes() {
            return self.refuse("atomic accesses with less than their natural alignment are not supported");
        }
        let int = match scalar.ty {
            Type::F32 => Type::I32,
            Type::F64 => Type::I64,
            int => int,
        };
        Ok((scalar.ty, int))
    }

    /// Translates a fence, or an atomic operation other than a load or a store.
    pub(in crate::llvm::translate::body) fn atomic(&mut self, inst: &ast::Inst, operands: &[Value]) -> Translated<()> {
        match inst.op {
            Op::Fence => self.fence(inst),
            Op::Cmpxchg => self.compare_and_exchange(inst, operands),
            _ => self.atomic_operation(inst, operands),
        }
    }

    pub(in crate::llvm::translate::body) fn atomic_load(
        &mut self,
        inst: &ast::Inst,
        operands: &[Value],
    ) -> Translated<()> {
        let result = inst.result.expand().expect("a load has a result");
        let (ty, int) = self.atomic_type(inst, inst.ty)?;
        let order = self.memory_order(inst.detail.into(), Opcode::AtomicLoad)?;
        let mem = self.memory(&operands[0], ty.bytes().into())?;
        let load = self.func.atomic_load(order, int, mem);
        let bits = self.define(int, load);
        let value = self.convert(Opcode::Bitcast, int, bits, ty);
        self.set_named(result, ty, &[value]);
        Ok(())
    }

    pub(in crate::llvm::translate::body) fn atomic_store(
        &mut self,
        inst: &ast::Inst,
        operands: &[Value],
    ) -> Translated<()> {
        let (ty, int) = self.atomic_type(inst, inst.ty)?;
        let order = self.memory_order(inst.detail.into(), Opcode::AtomicStore)?;
        let mem = self.memory(&operands[1], ty.bytes().into())?;
        let value = self.value(&operands[0])?;
        let bits = self.convert(Opcode::Bitcast, ty, value, int);
        let store = self.func.atomic_store(order, int, mem, bits);
        self.emit(store);
        Ok(())
    }

    /// Translates a `cmpxchg`. A weak one becomes a strong one: it may fail spuriously, but need not.
    fn compare_and_exchange(&mut self, inst: &ast::Inst, operands: &[Value]) -> Translated<()> {
        let result = inst.result.expand().expect("a `cmpxchg` has a result");
        let (ty, int) = self.atomic_type(inst, operands[1].ty)?;
        if ty != int || operands[1].ty != operands[2].ty {
            return self.refuse("the values of a `cmpxchg` must be integers or pointers of one type");
        }
        let success = self.memory_order(inst.detail.into(), Opcode::Cmpxchg)?;
        let failure = self.memory_order(inst.extra_len as usize, Opcode::AtomicLoad)?;
        let mem = self.memory(&operands[0], ty.bytes().into())?;
        let (expected, new) = (self.register(&operands[1])?, self.register(&operands[2])?);
        let exchange = self.func.cmpxchg((success, failure), ty, mem, (expected, new));
        let before = self.define(ty, exchange);
        let comparison = Comparison { ty, predicate: IntCC::Eq.into(), a: before.into(), b: expected.into() };
        let done = self.define(Type::I8, InstData::compare(comparison));
        self.set(result, &[before.into(), done.into()]);
        Ok(())
    }

    fn atomic_operation(&mut self, inst: &ast::Inst, operands: &[Value]) -> Translated<()> {
        let result = inst.result.expand().expect("an `atomicrmw` has a result");
        let (ty, int) = self.atomic_type(inst, inst.ty)?;
        let order = self.memory_order(inst.detail.into(), Opcode::AtomicRmw)?;
        let name = ATOMIC_OPERATIONS[inst.extra_len as usize];
        if name != b"xchg" && name.starts_with(b"f") != ty.is_float() {
            return self.refuse("the operation is not defined for this type");
        }
        let mem = self.memory(&operands[0], ty.bytes().into())?;
        let value = self.value(&operands[1])?;
        let bits = match rmw_op(name) {
            Some(op) => {
                let operand = self.convert(Opcode::Bitcast, ty, value, int);
                let update = self.func.atomicrmw((op, order), int, mem, operand);
                self.define(int, update)
            }
            None => self.exchange_loop((mem, order), (ty, int), |t, old| t.changed(name, ty, old, value))?,
        };
        let value = self.convert(Opcode::Bitcast, int, bits, ty);
        self.set_named(result, ty, &[value]);
        Ok(())
    }

    /// Makes a loop that replaces the value in memory by `change` of it. Returns the bits of the old value; later
    /// instructions are in a new block.
    fn exchange_loop(
        &mut self,
        (mem, order): (Mem, Order),
        (ty, int): (Type, Type),
        change: impl FnOnce(&mut Self, Operand) -> Translated<Operand>,
    ) -> Translated<Reg> {
        let first = self.func.atomic_load(Order::Relaxed, int, mem);
        let first = self.define(int, first);
        let before = self.block;
        let [repeat, rest] = self.blocks_after();
        self.jump(repeat);
        self.block = repeat;
        let (old, seen) = (self.new_reg(int), self.new_reg(int));
        let list = self.func.make_phi(&[(before, first.into()), (repeat, seen.into())]);
        self.emit(InstData::new(Opcode::Phi, int).with_list(list).with_result(old));
        let value = self.convert(Opcode::Bitcast, int, old, ty);
        let new = change(self, value)?;
        let new = self.convert(Opcode::Bitcast, ty, new, int);
        let new = self.in_register(int, new);
        let exchange = self.func.cmpxchg((order, Order::Relaxed), int, mem, (old, new));
        self.emit(exchange.with_result(seen));
        let comparison = Comparison { ty: int, predicate: IntCC::Eq.into(), a: seen.into(), b: old.into() };
        self.emit(InstData::branch(comparison));
        self.func.set_succs(repeat, &[rest, repeat]);
        self.block = rest;
        Ok(seen)
    }

    /// Returns the result of an operation that LIR's `atomicrmw` does not have.
    fn changed(&mut self, name: &[u8], ty: Type, old: Operand, x: Operand) -> Translated<Operand> {
        let compare = |t: &mut Self, predicate: Predicate, a: Operand, b: Operand| {
            let a = t.in_register(ty, a);
            let comparison = Comparison { ty, predicate, a: a.into(), b };
            t.define(Type::I8, InstData::compare(comparison))
        };
        let changed = match name {
            b"fadd" => self.binary(Opcode::Fadd, ty, old, x),
            b"fsub" => self.binary(Opcode::Fsub, ty, old, x),
            b"fmaximum" => self.binary(Opcode::Fmax, ty, old, x),
            b"fminimum" => self.binary(Opcode::Fmin, ty, old, x),
            b"fmax" | b"fmin" => {
                // The result for a number and a NaN is the number.
                let x = self.in_register(ty, x);
                let keeps = if name == b"fmax" { FloatCC::Ogt } else { FloatCC::Olt };
                let keeps = compare(self, keeps.into(), old, x.into());
                let is_nan = compare(self, FloatCC::Uno.into(), x.into(), x.into());
                let keeps = self.binary(Opcode::Or, Type::I8, keeps, is_nan);
                let old = self.in_register(ty, old);
                self.choice(ty, keeps, old, x)
            }
            // Counts up, and wraps to 0 after the operand.
            b"uinc_wrap" => {
                let next = self.binary_const(Opcode::Add, ty, old, 1);
                let beyond = compare(self, IntCC::Uge.into(), old, x);
                let zero = self.constant(ty, 0);
                let zero = self.in_register(ty, zero);
                self.choice(ty, beyond, zero, next)
            }
            // Counts down, and wraps to the operand from 0 and from numbers above the operand.
            b"udec_wrap" => {
                let less = self.binary_const(Opcode::Sub, ty, old, 1);
                let x = self.in_register(ty, x);
                let zero = self.constant(ty, 0);
                let is_zero = compare(self, IntCC::Eq.into(), old, zero);
                let beyond = compare(self, IntCC::Ugt.into(), old, x.into());
                let wraps = self.binary(Opcode::Or, Type::I8, is_zero, beyond);
                self.choice(ty, wraps, x, less)
            }
            b"usub_cond" | b"usub_sat" => {
                let less = self.binary(Opcode::Sub, ty, old, x);
                let fits = compare(self, IntCC::Uge.into(), old, x);
                let other = if name == b"usub_sat" { self.constant(ty, 0) } else { old };
                let other = self.in_register(ty, other);
                self.choice(ty, fits, less, other)
            }
            _ => {
                let name = String::from_utf8_lossy(name);
                return self.refuse(format!("`atomicrmw {name}` is not supported"));
            }
        };
        Ok(changed.into())
    }

    /// Translates a fence. A `seq_cst` fence for a single thread becomes `acq_rel`, which has no code; passes treat all
    /// orders alike.
    fn fence(&mut self, inst: &ast::Inst) -> Translated<()> {
        let order = self.memory_order(inst.detail.into(), Opcode::Fence)?;
        let alone = inst.flags.has(Flags::SINGLE_THREAD) && order == Order::SeqCst;
        let order = if alone { Order::AcqRel } else { order };
        self.emit(InstData::new(Opcode::Fence, Type::I64).with_order(order));
        Ok(())
    }
}

/// Returns the operation of LIR with LLVM's name.
fn rmw_op(name: &[u8]) -> Option<RmwOp> {
    Some(match name {
        b"xchg" => RmwOp::Xchg,
        b"add" => RmwOp::Add,
        b"sub" => RmwOp::Sub,
        b"and" => RmwOp::And,
        b"nand" => RmwOp::Nand,
        b"or" => RmwOp::Or,
        b"xor" => RmwOp::Xor,
        b"max" => RmwOp::Smax,
        b"min" => RmwOp::Smin,
        b"umax" => RmwOp::Umax,
        b"umin" => RmwOp::Umin,
        _ => return None,
    })
}
