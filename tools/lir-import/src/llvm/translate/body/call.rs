//! Calls.
//!
//! A call that agrees with the signature of its callee names the callee. Any other call goes through a register, with
//! the types of the call.

use super::function::{Translated, Translator};
use super::memory::MAX_VOLATILE_COPY;
use super::memory::pieces;
use crate::llvm::ast::{self, Constant, Convention, Operand as Value, Value as Written};
use crate::llvm::attributes::{ParamAttributes, ParamWords};
use crate::llvm::literal;
use crate::llvm::translate::abi::{EIGHTBYTE, Leaf, Passed, Returned, extension};
use crate::llvm::translate::scalar::{self, Scalar};
use crate::llvm::types::Kind;
use lir_syntax::abi::misfit;
use lir_syntax::ir::{
    AbiParam, Agg, CallArg, CallInfo, CallResult, Ext, InstData, Mem, Opcode, Operand, Order, Reg, Signature, TailMark,
    Type,
};

impl Translator<'_> {
    pub(super) fn call(&mut self, inst: &ast::Inst, operands: &[Value]) -> Translated<()> {
        let call = &self.body.calls[inst.extra as usize];
        if let Written::Global(callee) = call.callee.value
            && self.program.globals.get(callee).starts_with(b"llvm.")
        {
            return self.intrinsic(inst, callee, operands);
        }
        if let Written::Const(c) = call.callee.value
            && let Constant::Assembly { template, constraints } = &self.program.constants[c]
        {
            return self.assembly(inst, call, template, constraints, operands);
        }
        if let Convention::Other(name) = &call.convention {
            let name = String::from_utf8_lossy(name);
            return self.refuse(format!("the calling convention `{name}` is not supported"));
        }
        if let Some(bundle) = &call.bundle {
            let name = String::from_utf8_lossy(bundle);
            return self.refuse(format!("the operand bundle `{name}` is not supported"));
        }
        self.ordinary_call(inst, call, operands)
    }

    fn ordinary_call(&mut self, inst: &ast::Inst, call: &ast::Call, operands: &[Value]) -> Translated<()> {
        let is_private = matches!(call.callee.value, Written::Global(callee) if self.symbols.private.contains(callee));
        let (mut args, params) = self.arguments(call, operands, is_private)?;
        let fixed = params.len();
        let returned = self.refusing(self.symbols.aggregates.result(self.program, call.result, is_private))?;
        let written = returned.result(&call.result_attributes);
        let callee = match call.callee.value {
            Written::Global(global) => self.symbols.function(global),
            _ => None,
        };
        let signature = callee.and_then(|sym| Some((sym, self.decls.signature(sym)?)));
        let direct = signature.filter(|(_, s)| agrees(s, &params, call.variadic, written));
        let (target, result_of_callee, variadic) = match direct {
            Some((sym, signature)) => (Operand::sym(sym), signature.result, signature.variadic),
            // The upper bits of such a result are unspecified.
            None => {
                let result = match written {
                    Some(AbiParam::Scalar(ty, _)) => Some(AbiParam::Scalar(ty, Ext::None)),
                    other => other,
                };
                (self.register(&call.callee)?.into(), result, call.variadic)
            }
        };
        if let Some((_, signature)) = direct {
            // The callee relies on the extensions of its own parameters.
            for (arg, param) in args.iter_mut().zip(&signature.params) {
                if let (CallArg::Reg(_, ext), AbiParam::Scalar(_, wanted)) = (arg, param) {
                    *ext = *wanted;
                }
            }
        }
        let mem = returned.memory().map(|(size, align)| Mem::obj(self.new_object(None, size, align), 0));
        let result = match result_of_callee {
            None => CallResult::None,
            Some(AbiParam::Scalar(ty, ext)) => CallResult::Scalar(ty, ext),
            Some(AbiParam::Agg(agg)) => match mem {
                Some(mem) => CallResult::Agg(agg, mem),
                None => CallResult::Agg(agg, Mem::obj(self.new_object(None, 16, 8), 0)),
            },
        };
        let reg = match (&returned, inst.result.expand()) {
            (Returned::One(leaf), Some(local)) => Some(self.named_reg(local, leaf.ty())),
            _ => None,
        };
        let record = self.func.make_call(&CallInfo { result, args, fixed: fixed as u32, variadic });
        if call.tail == ast::Tail::Required {
            self.must_jump(InstData::unary(Opcode::Call, Type::I64, target).with_list(record), result)?;
            self.jumped = Some(inst.result.expand());
            return Ok(());
        }
        let mark = if call.tail == ast::Tail::Allowed { TailMark::Tail } else { TailMark::None };
        let data = InstData::unary(Opcode::Call, Type::I64, target).with_list(record).with_tail_mark(mark);
        let made = self.emit(data.with_result(reg));
        self.promise_result(made, inst, call, &returned);
        self.after_call(inst, call, &returned, reg, mem, result_of_callee)
    }

    /// Emits a call that is a jump, and the return of its result, which is LLVM's next instruction.
    fn must_jump(&mut self, call: InstData, result: CallResult) -> Translated<()> {
        let reg = match result {
            CallResult::Scalar(ty, _) => Some(self.new_reg(ty)),
            CallResult::None | CallResult::Agg(..) => None,
        };
        let call = self.emit(call.with_tail_mark(TailMark::MustTail).with_result(reg));
        if let Some(why) = misfit(self.decls, &self.func, call) {
            return self.refuse(format!("a `musttail` call cannot be a jump: {why}"));
        }
        match (self.decls.signature(self.func.sym).and_then(|s| s.result), reg, result) {
            (Some(AbiParam::Scalar(ty, _)), Some(reg), _) => self.ret_scalar(ty, reg.into()),
            (Some(AbiParam::Agg(agg)), _, CallResult::Agg(_, mem)) => self.ret_agg(agg, mem),
            _ => drop(self.emit(InstData::new(Opcode::Ret, Type::I64))),
        }
        Ok(())
    }

    /// Returns the arguments of a call, and the types of the fixed ones.
    fn arguments(
        &mut self,
        call: &ast::Call,
        operands: &[Value],
        is_private: bool,
    ) -> Translated<(Vec<CallArg>, Vec<AbiParam>)> {
        let (mut args, mut params) = (Vec::with_capacity(operands.len()), Vec::with_capacity(operands.len()));
        let mut fixed = 0;
        for (k, operand) in operands.iter().enumerate() {
            let is_variable = call.variadic && call.fixed.is_some_and(|n| k >= n as usize);
            let attributes = &call.param_attributes[k];
            if let Some(agg) = self.symbols.aggregates.wide_in_memory(self.program, operand.ty, &params) {
                params.push(AbiParam::Agg(agg));
                args.push(self.stored_argument(agg, operand)?);
            } else {
                let passed = self.symbols.aggregates.param(self.program, operand.ty, attributes, is_private);
                let passed = self.refusing(passed)?;
                params.extend(passed.params(attributes));
                self.argument(operand, passed, (attributes, is_variable), &mut args)?;
            }
            if !is_variable {
                fixed = params.len();
            }
        }
        params.truncate(fixed);
        Ok((args, params))
    }

    /// Adds the arguments in LIR for one argument in LLVM, with its attributes. The flag is true for a variable
    /// argument.
    fn argument(
        &mut self,
        operand: &Value,
        passed: Passed,
        how: (&ParamAttributes, bool),
        args: &mut Vec<CallArg>,
    ) -> Translated<()> {
        match passed {
            Passed::Memory(agg) => {
                let size = self.decls.types[agg].size;
                args.push(CallArg::Agg(agg, self.memory(operand, size)?));
            }
            Passed::Vector(agg) => args.push(self.stored_argument(agg, operand)?),
            Passed::Leaves(leaves) => {
                let values = self.values(operand)?;
                let mut rest = &values[..];
                for leaf in leaves {
                    let (own, others) = rest.split_at(leaf.count());
                    rest = others;
                    args.push(match leaf {
                        Leaf::Scalar(scalar) => self.scalar_argument(own[0], scalar, how)?,
                        Leaf::HalfVector(scalars) => {
                            let half = self.pack_half(own, &scalars);
                            CallArg::Reg(self.in_register(Type::F64, half), Ext::None)
                        }
                    });
                }
            }
        }
        Ok(())
    }

    /// Returns an argument of 16 bytes in memory.
    fn stored_argument(&mut self, agg: Agg, operand: &Value) -> Translated<CallArg> {
        let values = self.values(operand)?;
        let mem = Mem::obj(self.new_object(None, 16, 16), 0);
        self.store_values(mem, operand.ty, &values)?;
        Ok(CallArg::Agg(agg, mem))
    }

    fn scalar_argument(
        &mut self,
        value: Operand,
        scalar: Scalar,
        (attributes, is_variable): (&ParamAttributes, bool),
    ) -> Translated<CallArg> {
        let value = self.as_passed(value, scalar, attributes);
        if !is_variable {
            return Ok(CallArg::Reg(self.in_register(scalar.ty, value), extension(scalar, attributes)));
        }
        let value = match scalar.ty {
            Type::I8 | Type::I16 => {
                let signed = attributes.words.has(ParamWords::SIGNEXT);
                self.convert(if signed { Opcode::Sext } else { Opcode::Zext }, scalar.ty, value, Type::I32)
            }
            // A member of a struct, which C does not widen: it is passed in the low half of a double.
            Type::F32 => {
                let bits = self.convert(Opcode::Bitcast, Type::F32, value, Type::I32);
                let bits = self.convert(Opcode::Zext, Type::I32, bits, Type::I64);
                self.convert(Opcode::Bitcast, Type::I64, bits, Type::F64)
            }
            _ => value,
        };
        let ty = match scalar.ty {
            Type::I8 | Type::I16 => Type::I32,
            Type::F32 => Type::F64,
            ty => ty,
        };
        Ok(CallArg::Reg(self.in_register(ty, value), Ext::None))
    }

    /// Returns a scalar as another function expects it: with copies of the sign in the upper bits of the register, if
    /// the attributes require them.
    pub(super) fn as_passed(&mut self, value: Operand, scalar: Scalar, attributes: &ParamAttributes) -> Operand {
        match scalar.is_narrow() && attributes.words.has(ParamWords::SIGNEXT) {
            true => self.sign_extended(value, scalar).into(),
            false => value,
        }
    }

    /// Sets the value of a call.
    fn after_call(
        &mut self,
        inst: &ast::Inst,
        call: &ast::Call,
        returned: &Returned,
        reg: Option<Reg>,
        mem: Option<Mem>,
        result_of_callee: Option<AbiParam>,
    ) -> Translated<()> {
        let Some(result) = inst.result.expand() else { return Ok(()) };
        match (returned, reg, mem) {
            (Returned::One(Leaf::Scalar(scalar)), Some(reg), _) => {
                let extended = call.result_attributes.words.has(ParamWords::ZEROEXT)
                    || matches!(result_of_callee, Some(AbiParam::Scalar(_, Ext::Zext)));
                let value = if extended { reg } else { self.masked(reg, *scalar) };
                self.set_scalar(result, value);
            }
            (Returned::One(Leaf::HalfVector(scalars)), Some(reg), _) => {
                let values = self.unpack_half(reg, scalars);
                self.set(result, &values);
            }
            (Returned::Eightbytes(_, leaves), _, Some(mem)) => {
                let mut values = Vec::new();
                for (k, leaf) in leaves.iter().enumerate() {
                    let at = self.displaced(mem, (EIGHTBYTE * k as u64) as i64);
                    let load = self.func.load(leaf.ty(), at);
                    let value = self.define(leaf.ty(), load);
                    match leaf {
                        Leaf::Scalar(scalar) => values.push(self.masked(value, *scalar).into()),
                        Leaf::HalfVector(scalars) => values.extend(self.unpack_half(value, scalars)),
                    }
                }
                self.set(result, &values);
            }
            (Returned::Vector(_), _, Some(mem)) => {
                let values = self.load_values(mem, call.result, false)?;
                self.set(result, &values);
            }
            _ => self.set(result, &[]),
        }
        Ok(())
    }

    /// Calls a function of the C library by its address: the program may have declared a function of this name with
    /// another signature.
    pub(super) fn library_call(&mut self, name: &str, args: &[Reg], result: Option<Type>) -> Translated<Option<Reg>> {
        let Some(sym) = self.symbols.library_function(name) else {
            return self.refuse(format!("the function `{name}` of the C library is not known"));
        };
        let args: Vec<CallArg> = args.iter().map(|reg| CallArg::Reg(*reg, Ext::None)).collect();
        let params: Vec<AbiParam> = args.iter().map(|arg| self.param_of(*arg)).collect();
        let written = result.map(|ty| AbiParam::Scalar(ty, Ext::None));
        let is_direct = self.decls.signature(sym).is_some_and(|s| agrees(s, &params, false, written));
        let target = if is_direct { Operand::sym(sym) } else { self.lea(Mem::sym(sym, 0)).into() };
        let fixed = args.len() as u32;
        let result_kind = result.map_or(CallResult::None, |ty| CallResult::Scalar(ty, Ext::None));
        let record = self.func.make_call(&CallInfo { result: result_kind, args, fixed, variadic: false });
        let reg = result.map(|ty| self.new_reg(ty));
        self.emit(InstData::unary(Opcode::Call, Type::I64, target).with_list(record).with_result(reg));
        Ok(reg)
    }

    fn param_of(&self, arg: CallArg) -> AbiParam {
        match arg {
            CallArg::Reg(reg, _) => AbiParam::Scalar(self.func.type_of(reg), Ext::None),
            CallArg::Agg(agg, _) => AbiParam::Agg(agg),
        }
    }

    // ---- Inline assembly ----

    /// Translates inline assembly without instructions that have an effect. An output is a copy of the input that is
    /// tied to it. Passes must not know the contents of memory that the assembly may read or write.
    fn assembly(
        &mut self,
        inst: &ast::Inst,
        call: &ast::Call,
        template: &[u8],
        constraints: &[u8],
        operands: &[Value],
    ) -> Translated<()> {
        if !template.split(|c| matches!(c, b'\n' | b';')).all(has_no_effect) {
            return self.refuse("inline assembly is not supported");
        }
        let Some(constraints) = Constraints::read(constraints).filter(|c| c.count == operands.len()) else {
            return self.refuse("inline assembly with these constraints is not supported");
        };
        self.barrier(call, &constraints, operands)?;
        let Some(result) = inst.result.expand() else { return Ok(()) };
        let mut values = Vec::new();
        for output in &constraints.outputs {
            match output {
                Output::Tied(k) => values.extend(self.values(&operands[*k])?),
                Output::Untied => return self.refuse("an output of inline assembly without instructions has no value"),
                Output::Memory => {}
            }
        }
        let scalars = self.refusing(scalar::all(&self.program.types, inst.ty))?;
        let has_type = |(value, scalar): (&Operand, &(Scalar, u64))| {
            value.as_reg().is_none_or(|reg| self.func.type_of(reg) == scalar.0.ty)
        };
        if values.len() != scalars.len() || !values.iter().zip(&scalars).all(has_type) {
            return self.refuse("an output of inline assembly and its input have different types");
        }
        self.set(result, &values);
        Ok(())
    }

    /// Keeps accesses of memory from moving across inline assembly: by volatile accesses to its operands in memory, and
    /// by a fence without code if it may access all memory.
    fn barrier(&mut self, call: &ast::Call, constraints: &Constraints, operands: &[Value]) -> Translated<()> {
        for (k, operand) in operands.iter().enumerate() {
            let access = constraints.memory.iter().find(|(at, _)| *at == k);
            let is_pointer = *self.program.types.kind(operand.ty) == Kind::Ptr(0);
            match (access, call.param_attributes[k].pointee.expand()) {
                (Some((_, writes)), Some(ty)) => {
                    let bytes = self.program.types.layout(ty).stored;
                    if bytes > MAX_VOLATILE_COPY {
                        let limit = format!("operands in memory of more than {MAX_VOLATILE_COPY} bytes");
                        return self.refuse(format!("inline assembly with {limit} is not supported"));
                    }
                    self.volatile_access(operand, bytes, *writes)?;
                }
                (Some(_), None) => return self.refuse("an operand in memory of inline assembly has no `elementtype`"),
                (None, _) if constraints.clobbers_memory && is_pointer => self.escape(operand)?,
                (None, _) => {}
            }
        }
        if constraints.clobbers_memory {
            self.emit(InstData::new(Opcode::Fence, Type::I64).with_order(Order::AcqRel));
        }
        Ok(())
    }

    /// Makes the object of a pointer accessible to other code: a fence orders accesses to such memory only.
    fn escape(&mut self, pointer: &Value) -> Translated<()> {
        let address = self.value(pointer)?;
        if self.func.constant(address).is_none() {
            let object = self.new_object(None, 8, 8);
            let store = self.func.store(Type::I64, Mem::obj(object, 0), address).with_volatile(true);
            self.emit(store);
        }
        Ok(())
    }

    /// Reads a number of bytes and, if they are output, writes them back.
    fn volatile_access(&mut self, pointer: &Value, bytes: u64, writes: bool) -> Translated<()> {
        let mem = self.memory(pointer, bytes)?;
        for (ty, at) in pieces(bytes) {
            let mem = self.displaced(mem, at as i64);
            let load = self.func.load(ty, mem).with_volatile(true);
            let value = self.define(ty, load);
            if writes {
                let store = self.func.store(ty, mem, value).with_volatile(true);
                self.emit(store);
            }
        }
        Ok(())
    }
}

/// The constraints of inline assembly.
struct Constraints {
    outputs: Vec<Output>,
    /// The operands in memory, and whether they are written.
    memory: Vec<(usize, bool)>,
    clobbers_memory: bool,
    /// The number of operands.
    count: usize,
}

/// An output of inline assembly.
enum Output {
    /// The value of an operand.
    Tied(usize),
    Untied,
    /// Memory at the address of an operand.
    Memory,
}

impl Constraints {
    /// Parses constraints such as `=r,=*m,0,r,~{memory}`. An output in a register is a part of the result, not an
    /// operand. Returns none for unsupported constraints.
    fn read(text: &[u8]) -> Option<Constraints> {
        let mut all = Constraints { outputs: Vec::new(), memory: Vec::new(), clobbers_memory: false, count: 0 };
        for constraint in text.split(|c| *c == b',').filter(|c| !c.is_empty()) {
            let is_indirect = constraint.contains(&b'*');
            match constraint {
                [b'~', clobber @ ..] => all.clobbers_memory |= clobber == b"{memory}",
                [b'!', ..] => return None,
                [b'=', ..] if !is_indirect => all.outputs.push(Output::Untied),
                _ => {
                    let is_output = constraint[0] == b'=';
                    if is_output {
                        all.outputs.push(Output::Memory);
                    }
                    if is_indirect {
                        all.memory.push((all.count, is_output));
                    } else if let Some(number) = literal::number(constraint) {
                        match all.outputs.get_mut(usize::try_from(number).ok()?)? {
                            output @ Output::Untied => *output = Output::Tied(all.count),
                            Output::Tied(_) | Output::Memory => return None,
                        }
                    }
                    all.count += 1;
                }
            }
        }
        Some(all)
    }
}

/// True if a call agrees with a signature. The call may leave the result unused, and may have other extensions.
fn agrees(signature: &Signature, params: &[AbiParam], variadic: bool, result: Option<AbiParam>) -> bool {
    let same = |(a, b): (&AbiParam, &AbiParam)| match (a, b) {
        (AbiParam::Scalar(a, x), AbiParam::Scalar(b, y)) => a == b && (*x == Ext::Env) == (*y == Ext::Env),
        (a, b) => a == b,
    };
    signature.params.len() == params.len()
        && signature.params.iter().zip(params).all(same)
        && signature.variadic == variadic
        && match (signature.result, result) {
            (_, None) => true,
            (Some(a), Some(b)) => same((&a, &b)),
            (None, Some(_)) => false,
        }
}

/// True for a statement of assembly that is empty, does nothing, or aligns the code after it.
fn has_no_effect(statement: &[u8]) -> bool {
    let statement = statement.trim_ascii();
    statement.is_empty() || statement == b"nop" || statement.starts_with(b".p2align ")
}
