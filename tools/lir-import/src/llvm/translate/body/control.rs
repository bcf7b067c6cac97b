//! Instructions by their operation, and the terminators of blocks.

use super::function::{State, Translated, Translator};
use crate::llvm::ast::{self, Local, Op, Operand as Value, Value as Written};
use crate::llvm::translate::abi::{EIGHTBYTE, Leaf, Returned};
use lir_syntax::ir::module::VECTOR_BYTES;
use lir_syntax::ir::{Agg, Block, Comparison, InstData, IntCC, Mem, Opcode, Operand, Type};
use std::collections::HashSet;

impl Translator<'_> {
    /// Translates an instruction other than a phi.
    pub(super) fn translate(&mut self, inst: &ast::Inst, operands: &[Value]) -> Translated<()> {
        if let Some(result) = self.jumped.take() {
            return self.return_of_jump(inst, operands, result);
        }
        if self.wide(inst, operands)? {
            return Ok(());
        }
        self.by_operation(inst, operands)
    }

    fn by_operation(&mut self, inst: &ast::Inst, operands: &[Value]) -> Translated<()> {
        match inst.op {
            Op::Load => self.load(inst, operands),
            Op::Store => self.store(inst, operands),
            Op::GetElementPtr => self.get_element_ptr(inst, operands),
            Op::Call => self.call(inst, operands),
            Op::Invoke => self.invoke(inst, operands),
            Op::Br => self.branch(inst, operands),
            Op::Ret => self.ret(operands),
            Op::Switch => self.switch(inst, operands),
            Op::Unreachable => {
                self.emit(InstData::new(Opcode::Unreachable, Type::I64));
                Ok(())
            }
            Op::Alloca => self.alloca(inst, operands),
            Op::Icmp | Op::Fcmp => self.compare(inst, operands),
            Op::Select => self.select(inst, operands),
            Op::Freeze => self.freeze(inst, operands),
            Op::ExtractValue => self.extract_value(inst, operands),
            Op::InsertValue => self.insert_value(inst, operands),
            Op::ExtractElement => self.extract_element(inst, operands),
            Op::InsertElement => self.insert_element(inst, operands),
            Op::ShuffleVector => self.shuffle(inst, operands),
            Op::VaArg => self.va_arg(inst, operands),
            Op::Fence | Op::Cmpxchg | Op::AtomicRmw => self.atomic(inst, operands),
            Op::IndirectBr => self.indirect_branch(operands),
            Op::Resume | Op::LandingPad => self.refuse("exceptions are not supported"),
            Op::Phi => self.refuse("a phi is not at the beginning of its block"),
            _ => self.computation(inst, operands),
        }
    }

    /// Translates a conversion or an arithmetic operation.
    fn computation(&mut self, inst: &ast::Inst, operands: &[Value]) -> Translated<()> {
        match inst.op {
            Op::Trunc
            | Op::Zext
            | Op::Sext
            | Op::Fptrunc
            | Op::Fpext
            | Op::Fptoui
            | Op::Fptosi
            | Op::Uitofp
            | Op::Sitofp
            | Op::PtrToInt
            | Op::PtrToAddr
            | Op::IntToPtr
            | Op::Bitcast
            | Op::AddrSpaceCast => self.cast(inst, operands),
            Op::Add
            | Op::Sub
            | Op::Mul
            | Op::Udiv
            | Op::Sdiv
            | Op::Urem
            | Op::Srem
            | Op::Shl
            | Op::Lshr
            | Op::Ashr
            | Op::And
            | Op::Or
            | Op::Xor
            | Op::Fadd
            | Op::Fsub
            | Op::Fmul
            | Op::Fdiv
            | Op::Frem
            | Op::Fneg => self.arithmetic(inst, operands),
            _ => self.refuse("the instruction is not supported"),
        }
    }

    /// Translates a `freeze` into a copy: every value of LIR is one fixed value.
    fn freeze(&mut self, inst: &ast::Inst, operands: &[Value]) -> Translated<()> {
        let result = inst.result.expand().expect("a freeze has a result");
        if let Written::Local(local) = operands[0].value
            && let state @ State::Address(..) = self.state(local)?
        {
            self.states[result] = state;
            return Ok(());
        }
        let values = self.values(&operands[0])?;
        self.set(result, &values);
        Ok(())
    }

    /// Returns the block of a label operand.
    pub(super) fn target(&self, operand: &Value) -> Translated<Block> {
        match operand.value {
            Written::Local(label) => match self.blocks[label].expand() {
                Some(block) => Ok(block),
                None => self.refuse("the target is not a block"),
            },
            _ => self.refuse("the target is not a block"),
        }
    }

    /// Inserts a `jmp` to a block.
    pub(super) fn jump(&mut self, to: Block) {
        self.emit(InstData::new(Opcode::Jmp, Type::I64));
        self.func.set_succs(self.block, &[to]);
    }

    fn branch(&mut self, inst: &ast::Inst, operands: &[Value]) -> Translated<()> {
        let [condition, then, other] = operands else {
            let to = self.target(&operands[0])?;
            self.jump(to);
            return Ok(());
        };
        let (then, other) = (self.target(then)?, self.target(other)?);
        if then == other {
            self.jump(then);
            return Ok(());
        }
        let comparison = match condition.value {
            Written::Local(local) if let State::Comparison(k) = self.states[local] => {
                let inst = &self.body.insts[k as usize];
                let branch = std::mem::replace(&mut self.span, inst.span);
                let compared = &self.program.operands[inst.operands.range()];
                let (a, b) = (self.value(&compared[0])?, self.value(&compared[1])?);
                let comparison = self.comparison(inst, inst.ty, a, b)?;
                self.span = branch;
                comparison.or_else(|_| self.refuse("the comparison is not defined for this type"))?
            }
            _ => {
                let scalar = self.scalar_of(condition.ty)?;
                let reg = self.register(condition)?;
                let zero = self.constant(scalar.ty, 0);
                Comparison { ty: scalar.ty, predicate: IntCC::Ne.into(), a: reg.into(), b: zero }
            }
        };
        self.emit(InstData::branch(comparison));
        self.func.set_succs(self.block, &[then, other]);
        self.weigh(inst, operands);
        Ok(())
    }

    fn switch(&mut self, inst: &ast::Inst, operands: &[Value]) -> Translated<()> {
        if self.wide_bits(inst.ty).is_some() {
            return self.wide_switch(operands);
        }
        let scalar = self.scalar_of(inst.ty)?;
        if scalar.ty.is_float() {
            return self.refuse("the operand of a switch must be an integer");
        }
        let tested = self.register(&operands[0])?;
        let mut succs = vec![self.target(&operands[1])?];
        let (mut cases, mut seen) = (Vec::new(), HashSet::new());
        for case in operands[2..].chunks_exact(2) {
            let value = self.value(&case[0])?;
            if value.is_reg() || !seen.insert(value.to_bits()) {
                return self.refuse("a case is not a constant, or occurs twice");
            }
            cases.push(value);
            succs.push(self.target(&case[1])?);
        }
        let list = self.func.make_cases(&cases);
        self.emit(InstData::unary(Opcode::Switch, scalar.ty, tested).with_list(list));
        self.func.set_succs(self.block, &succs);
        self.weigh(inst, operands);
        Ok(())
    }

    /// Translates a jump to a block whose address is taken into a switch on the numbers of the blocks. The first block
    /// of the list needs no case, since any other address is undefined.
    fn indirect_branch(&mut self, operands: &[Value]) -> Translated<()> {
        let Some((address, labels)) = operands.split_first() else { return self.refuse("the address is missing") };
        let address = self.register(address)?;
        let Some(first) = labels.first() else {
            self.emit(InstData::new(Opcode::Unreachable, Type::I64));
            return Ok(());
        };
        let mut succs = vec![self.target(first)?];
        let mut cases = Vec::new();
        let mut seen: HashSet<Block> = succs.iter().copied().collect();
        let function = self.def.name;
        let mut untaken = self.symbols.block_numbers.count(function);
        for label in labels {
            let (block, Written::Local(local)) = (self.target(label)?, label.value) else { continue };
            if !seen.insert(block) {
                continue;
            }
            let number = self.symbols.block_numbers.of_label(function, &self.body.names, self.body.locals[local]);
            // The address of such a block is never taken, but its phis have entries for this block.
            let number = number.unwrap_or_else(|| {
                untaken += 1;
                untaken
            });
            cases.push(self.constant(Type::I64, number));
            succs.push(block);
        }
        let list = self.func.make_cases(&cases);
        self.emit(InstData::unary(Opcode::Switch, Type::I64, address).with_list(list));
        self.func.set_succs(self.block, &succs);
        Ok(())
    }

    /// Translates a call that continues at another block if an exception arrives. Exceptions end the program, so the
    /// handler is dropped.
    fn invoke(&mut self, inst: &ast::Inst, operands: &[Value]) -> Translated<()> {
        if !self.symbols.options.exceptions_abort {
            return self.refuse("exceptions are not supported; `--unwind=abort` lets them end the program");
        }
        let [args @ .., normal, _] = operands else { return self.refuse("a target is missing") };
        let next = self.target(normal)?;
        self.call(inst, args)?;
        self.jump(next);
        Ok(())
    }

    /// Checks the instruction after a `musttail` call, which was translated with its return.
    fn return_of_jump(&mut self, inst: &ast::Inst, operands: &[Value], result: Option<Local>) -> Translated<()> {
        let returned = operands.first().map(|value| value.value);
        match returned {
            None if inst.op == Op::Ret => Ok(()),
            Some(Written::Local(local)) if inst.op == Op::Ret && result == Some(local) => Ok(()),
            _ => self.refuse("the `ret` of its result must follow a `musttail` call"),
        }
    }

    fn ret(&mut self, operands: &[Value]) -> Translated<()> {
        let is_private = self.symbols.private.contains(self.def.name);
        let returned = self.symbols.aggregates.result(self.program, self.def.result, is_private);
        let returned = self.refusing(returned)?;
        let Some(value) = operands.first() else {
            match (returned, self.result_address) {
                (Returned::Nothing, Some(address)) => self.ret_scalar(Type::I64, address.into()),
                (Returned::Nothing, None) => drop(self.emit(InstData::new(Opcode::Ret, Type::I64))),
                _ => return self.refuse("the function must return a value"),
            }
            return Ok(());
        };
        if value.ty != self.def.result {
            return self.refuse("the returned value and the result of the function have different types");
        }
        let values = self.values(value)?;
        match returned {
            Returned::Nothing => drop(self.emit(InstData::new(Opcode::Ret, Type::I64))),
            Returned::One(Leaf::Scalar(scalar)) => {
                let value = self.as_passed(values[0], scalar, &self.def.result_attributes);
                self.ret_scalar(scalar.ty, value);
            }
            Returned::One(Leaf::HalfVector(scalars)) => {
                let half = self.pack_half(&values, &scalars);
                self.ret_scalar(Type::F64, half);
            }
            Returned::Vector(agg) => {
                let mem = self.result_memory((VECTOR_BYTES, VECTOR_BYTES));
                self.store_values(mem, value.ty, &values)?;
                self.ret_agg(agg, mem);
            }
            Returned::Eightbytes(agg, leaves) => {
                let mem = self.result_memory((EIGHTBYTE * leaves.len() as u64, EIGHTBYTE));
                self.store_eightbytes(mem, &values, &leaves);
                self.ret_agg(agg, mem);
            }
        }
        Ok(())
    }
    /// Returns the object for the function's results of one size and alignment.
    fn result_memory(&mut self, (size, align): (u64, u64)) -> Mem {
        let object = match self.result_object {
            Some(object) => object,
            None => self.new_object(None, size, align),
        };
        self.result_object = Some(object);
        Mem::obj(object, 0)
    }
    pub(super) fn ret_agg(&mut self, agg: Agg, mem: Mem) {
        let mut data = InstData::new(Opcode::RetAgg, Type::I64).with_agg(agg);
        self.func.set_mem(&mut data, mem);
        self.emit(data);
    }

    /// Stores the parts of a result, each in its eightbyte.
    fn store_eightbytes(&mut self, mem: Mem, values: &[Operand], leaves: &[Leaf]) {
        let mut rest = values;
        for (k, leaf) in leaves.iter().enumerate() {
            let (own, others) = rest.split_at(leaf.count());
            rest = others;
            let value = match leaf {
                Leaf::Scalar(_) => own[0],
                Leaf::HalfVector(scalars) => self.pack_half(own, scalars),
            };
            let at = self.displaced(mem, (EIGHTBYTE * k as u64) as i64);
            let store = self.func.store(leaf.ty(), at, value);
            self.emit(store);
        }
    }

    pub(super) fn ret_scalar(&mut self, ty: Type, value: Operand) {
        self.emit(InstData::unary(Opcode::Ret, ty, value));
    }
}
