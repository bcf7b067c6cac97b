//! Calls and variable arguments.

use super::{FunctionBuilder, Value};
use crate::ir::{
    AbiParam, Agg, Base, CallArg, CallInfo, CallResult, Decls, Ext, InstData, Mem, Opcode, Operand, Reg, Signature,
    Sym, TailMark, Type,
};

impl FunctionBuilder<'_> {
    /// Appends `%d = call ..` by the signature of `callee`, which need not have a body. The arguments after the fixed
    /// ones are the variable ones. An aggregate result is written to `result`, which is given for such a callee only.
    /// Panics if the symbol is data or the result does not fit.
    #[track_caller]
    pub fn call(&mut self, decls: &Decls, callee: Sym, args: &[CallArg], result: Option<Mem>) -> Option<Reg> {
        let sig = signature_of(decls, callee);
        self.call_as(sig, Operand::sym(callee), args, result)
    }
    /// Appends `%d = call .. %callee(..)` through a register, with this signature; the text of such a call cannot give
    /// an extension of its result. See [`FunctionBuilder::call`].
    #[track_caller]
    pub fn call_indirect(
        &mut self,
        sig: &Signature,
        callee: Reg,
        args: &[CallArg],
        result: Option<Mem>,
    ) -> Option<Reg> {
        self.call_as(sig, Operand::reg(callee), args, result)
    }
    /// Marks the next call `tail`: if a return of its result follows, it may become a jump.
    pub fn tail(&mut self) -> &mut Self {
        self.tail_mark = TailMark::Tail;
        self
    }
    /// Marks the next call `musttail`: it is a jump. The return of its result must follow at once.
    pub fn must_tail(&mut self) -> &mut Self {
        self.tail_mark = TailMark::MustTail;
        self
    }
    /// The same as [`FunctionBuilder::call`] for scalar arguments of any kind, as the call's text takes them:
    /// constants have the types of the parameters, symbols and stack objects are their addresses. They are extended as
    /// the signature states. Panics if the call needs an aggregate, or the type of a constant that is a variable
    /// argument.
    ///
    /// ```
    /// use lir_syntax::ir::builder::FunctionBuilder;
    /// use lir_syntax::ir::{DataItem, Module, Signature, Type};
    ///
    /// let mut module = Module::default();
    /// let s = module.define_data("s", vec![DataItem::Str(b"text\0".as_slice().into())]);
    /// let put = module.declare_func("put", Signature::of_scalars(&[Type::I8, Type::I64, Type::F64], None));
    /// let id = module.define_func("f", Signature::of_scalars(&[], None));
    /// let mut b = FunctionBuilder::new(&mut module.funcs[id]);
    /// let entry = b.block("entry");
    /// b.switch_to(entry);
    /// b.tail().call_with(&module.decls, put, &[16.into(), s.into(), 2.5.into()]);
    /// b.ret_void();
    ///
    /// assert!(module.to_string().ends_with("\
    /// func @f() {
    /// entry:
    ///   %t.1 = const i8 16
    ///   %t.2 = lea [@s]
    ///   %t.3 = const f64 2.5
    ///   call tail @put(%t.1, %t.2, %t.3)
    ///   ret
    /// }
    /// "));
    /// ```
    #[track_caller]
    pub fn call_with(&mut self, decls: &Decls, callee: Sym, args: &[Value]) -> Option<Reg> {
        let sig = signature_of(decls, callee);
        let mut scalars = Vec::with_capacity(args.len());
        for (k, v) in args.iter().enumerate() {
            scalars.push(self.argument(sig, k, *v));
        }
        self.call_as(sig, Operand::sym(callee), &scalars, None)
    }
    /// Argument number `k`. A `const` or a `lea` is put before the call for a value that is in no register.
    #[track_caller]
    fn argument(&mut self, sig: &Signature, k: usize, value: Value) -> CallArg {
        let (wanted, ext) = match sig.params.get(k) {
            Some(AbiParam::Scalar(ty, ext)) => (Some(*ty), *ext),
            Some(AbiParam::Agg(_)) => panic!("argument {k} is an aggregate"),
            None => (None, Ext::None),
        };
        let dst = self.dst.take();
        let r = match value {
            Value::Reg(r) => r,
            Value::Operand(o) if o.is_reg() || !o.is_const() => match Base::from_operand(o) {
                Base::Reg(r) => r,
                base => self.lea(Mem::base_disp(base, 0)),
            },
            constant => {
                let ty = wanted.unwrap_or_else(|| panic!("a constant among the variable arguments has no type"));
                self.constant(ty, constant)
            }
        };
        self.dst = dst;
        CallArg::Reg(r, ext)
    }
    #[track_caller]
    fn call_as(&mut self, sig: &Signature, a: Operand, args: &[CallArg], result: Option<Mem>) -> Option<Reg> {
        let result = match (sig.result, result) {
            (None, None) => CallResult::None,
            (Some(AbiParam::Scalar(ty, _)), None) if a.is_reg() => CallResult::Scalar(ty, Ext::None),
            (Some(AbiParam::Scalar(ty, ext)), None) => CallResult::Scalar(ty, ext),
            (Some(AbiParam::Agg(agg)), Some(mem)) => CallResult::Agg(agg, mem),
            (None | Some(_), _) => panic!("a place for the result is given for an aggregate result alone"),
        };
        let fixed = sig.params.len() as u32;
        let info = CallInfo { result, args: args.to_vec(), fixed, variadic: sig.variadic };
        let mark = std::mem::take(&mut self.tail_mark);
        let list = self.func.make_call(&info);
        let data = InstData::unary(Opcode::Call, Type::I64, a).with_list(list).with_tail_mark(mark);
        match result {
            CallResult::Scalar(ty, _) => Some(self.define(ty, data)),
            CallResult::None | CallResult::Agg(..) => {
                self.append(data);
                None
            }
        }
    }
    /// Appends `va_start [m]` and the other operations of format [`MemOnly`](crate::ir::Format::MemOnly).
    #[track_caller]
    pub fn mem_only(&mut self, op: Opcode, mem: Mem) {
        let data = self.with_mem(InstData::new(op, Type::I64), mem);
        self.append(data);
    }
    /// Appends `va_copy [dst], [src]`.
    #[track_caller]
    pub fn va_copy(&mut self, dst: Mem, src: Mem) {
        let data = self.func.va_copy(dst, src);
        self.append(data);
    }
    /// Appends `%d = va_arg T [list]`.
    #[track_caller]
    pub fn va_arg(&mut self, ty: Type, list: Mem) -> Reg {
        let data = self.with_mem(InstData::new(Opcode::VaArg, ty), list);
        self.define(ty, data)
    }
    /// Appends `va_arg :agg [dst], [list]`.
    #[track_caller]
    pub fn va_arg_agg(&mut self, agg: Agg, dst: Mem, list: Mem) {
        let (a, b) = (self.func.make_mem(dst), self.func.make_mem(list));
        let dst = Operand::from_bits(agg.as_u32());
        self.append(InstData { dst, a, b, ..InstData::new(Opcode::VaArgAgg, Type::I64) });
    }
}

/// Returns the signature of a function. Panics if these declarations have no function of that symbol.
#[track_caller]
fn signature_of(decls: &Decls, callee: Sym) -> &Signature {
    match (decls.signature(callee), decls.syms.get(callee)) {
        (Some(sig), _) => sig,
        (None, Some(sym)) => panic!("the callee @{} is data, and no function", sym.name.escape_ascii()),
        (None, None) => panic!("{callee:?} is not a symbol of these declarations: is it one of another module?"),
    }
}
