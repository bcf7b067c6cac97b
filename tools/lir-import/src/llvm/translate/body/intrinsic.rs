//! Calls of LLVM's intrinsic functions.

use super::function::{Translated, Translator};
use crate::llvm::ast::{self, Global, Operand as Value};
use crate::llvm::translate::relative::{ADDRESS, DIFFERENCE};
use crate::llvm::translate::runtime::{library_function, stem, with_exponent};
use crate::llvm::translate::scalar::{self, Scalar};
use lir_syntax::ir::{InstData, Mem, Opcode, Operand, Reg, Type, VA_LIST_SIZE};

/// Returns the opcode of an intrinsic that is one operation on each element.
fn opcode(stem: &str) -> Option<Opcode> {
    Some(match stem {
        "smax" => Opcode::Smax,
        "smin" => Opcode::Smin,
        "umax" => Opcode::Umax,
        "umin" => Opcode::Umin,
        "ctpop" => Opcode::Popcnt,
        "bswap" => Opcode::Bswap,
        "sqrt" => Opcode::Fsqrt,
        "fabs" => Opcode::Fabs,
        "ceil" => Opcode::Fceil,
        "floor" => Opcode::Ffloor,
        "trunc" => Opcode::Ftrunc,
        "rint" | "nearbyint" => Opcode::Fnearest,
        "copysign" => Opcode::Fcopysign,
        "minimum" => Opcode::Fmin,
        "maximum" => Opcode::Fmax,
        _ => return None,
    })
}

impl Translator<'_> {
    pub(super) fn intrinsic(&mut self, inst: &ast::Inst, callee: Global, operands: &[Value]) -> Translated<()> {
        let symbols = self.symbols;
        let name = symbols.name(callee);
        let stem = stem(name);
        if stem.starts_with("dbg.") {
            return Ok(());
        }
        match stem {
            // These only state a promise, or mark a beginning or an end.
            "lifetime.start" | "lifetime.end" | "donothing" | "sideeffect" | "prefetch" | "invariant.end"
            | "pseudoprobe" | "x86.sse2.pause" | "var.annotation" => Ok(()),
            "experimental.noalias.scope.decl" => {
                self.declare_noalias_scopes(operands);
                Ok(())
            }
            "assume" => match operands {
                [condition] => self.assume(condition),
                _ => self.refuse("`llvm.assume` takes one operand"),
            },
            "memcpy" | "memcpy.inline" | "memmove" | "memset" | "memset.inline" => self.block_operation(stem, operands),
            "va_start" | "va_end" | "va_copy" => self.variable_arguments(stem, operands),
            "stacksave" | "stackrestore" => self.stack_mark(inst, operands),
            // The rest of the block is unreachable.
            "trap" | "ubsantrap" => {
                self.emit(InstData::new(Opcode::Unreachable, Type::I64));
                Ok(())
            }
            _ => self.intrinsic_value(inst, name, stem, operands),
        }
    }

    fn intrinsic_value(&mut self, inst: &ast::Inst, name: &str, stem: &str, operands: &[Value]) -> Translated<()> {
        let Some(result) = inst.result.expand() else { return self.unknown_intrinsic(name) };
        let Some(first) = operands.first() else { return self.unknown_intrinsic(name) };
        if let Some(bits) = self.wide_bits(first.ty)
            && self.wide_intrinsic(inst, stem, bits, operands)?
        {
            return Ok(());
        }
        if matches!(stem, "expect" | "expect.with.probability") {
            self.expect(result, operands);
        }
        match stem {
            "expect"
            | "expect.with.probability"
            | "launder.invariant.group"
            | "strip.invariant.group"
            | "ssa.copy"
            | "annotation"
            | "ptr.annotation"
            | "invariant.start"
            | "arithmetic.fence"
            | "threadlocal.address"
            | "canonicalize" => {
                let values = if stem == "threadlocal.address" {
                    let mem = self.address(first)?;
                    vec![self.lea(mem).into()]
                } else {
                    self.values(first)?
                };
                self.set(result, &values);
                Ok(())
            }
            "is.constant" => {
                let no = self.constant(Type::I8, 0);
                self.set_scalar(result, no);
                Ok(())
            }
            // The size is unknown: the answer is -1, or 0 if the call requests the minimum.
            "objectsize" => {
                let scalar = self.scalar_of(inst.ty)?;
                let least = operands.get(1).is_some_and(|o| o.value == ast::Value::Int(1));
                let size = self.constant(scalar.ty, if least { 0 } else { scalar.mask() });
                self.set_scalar(result, size);
                Ok(())
            }
            "sadd.with.overflow" | "uadd.with.overflow" | "ssub.with.overflow" | "usub.with.overflow"
            | "smul.with.overflow" | "umul.with.overflow" => self.with_overflow(result, stem, operands),
            _ => self.special_value(inst, name, stem, operands),
        }
    }

    /// Translates an intrinsic that has a form of its own, or else one on each element.
    fn special_value(&mut self, inst: &ast::Inst, name: &str, stem: &str, operands: &[Value]) -> Translated<()> {
        let (result, first) = (inst.result.expand().expect("the intrinsic has a result"), &operands[0]);
        match stem {
            "x86.sse2.pmovmskb.128" if self.scalar_of(self.element(first.ty))?.ty == Type::I8 => {
                self.signs_of_bytes(result, first)
            }
            "load.relative" => self.load_relative(inst, operands),
            // For the frame of this function, any address in it. Other frames are unknown: 0.
            "frameaddress" if first.value == ast::Value::Zero || first.value == ast::Value::Int(0) => {
                let object = self.new_object(None, 8, 8);
                let address = self.lea(Mem::obj(object, 0));
                self.set_scalar(result, address);
                Ok(())
            }
            "frameaddress" | "returnaddress" => {
                let unknown = self.constant(Type::I64, 0);
                self.set_scalar(result, unknown);
                Ok(())
            }
            "powi" | "ldexp" => match with_exponent(name) {
                Some((function, _)) => self.with_exponent(inst, function, operands),
                None => self.unknown_intrinsic(name),
            },
            "is.fpclass" => {
                let [value, mask] = operands else { return self.unknown_intrinsic(name) };
                let scalar = self.scalar_of(self.element(value.ty))?;
                if !scalar.ty.is_float() {
                    return self.unknown_intrinsic(name);
                }
                let mut values = self.values(value)?;
                for value in &mut values {
                    *value = self.is_class(scalar, *value, mask)?;
                }
                self.set_named(result, Type::I8, &values);
                Ok(())
            }
            _ => match stem.strip_prefix("vector.reduce.") {
                Some(word) => self.reduce(result, word, operands),
                None => self.by_element(inst, name, stem, operands),
            },
        }
    }

    /// Translates a load from a table of differences, which is a table of addresses in LIR.
    fn load_relative(&mut self, inst: &ast::Inst, operands: &[Value]) -> Translated<()> {
        let result = inst.result.expand().expect("the intrinsic has a result");
        let [table, offset] = operands else { return self.refuse("an argument is missing") };
        let is_table = matches!(table.value, ast::Value::Global(g) if self.symbols.relative_tables.contains(g));
        if !is_table {
            return self.refuse("`llvm.load.relative` is supported only for local tables without other uses");
        }
        const FACTOR: u8 = (ADDRESS / DIFFERENCE) as u8;
        let mem = self.address(table)?;
        let scalar = self.scalar_of(offset.ty)?;
        let offset = self.value(offset)?;
        let mem = match self.func.constant(offset) {
            Some(n) if !offset.is_reg() => self.displaced(mem, scalar.sign_extend(n as u64) * FACTOR as i64),
            _ => {
                let offset = self.convert(Opcode::Sext, scalar.ty, offset, Type::I64);
                let offset = self.in_register(Type::I64, offset);
                mem.indexed(offset, FACTOR)
            }
        };
        let mem = self.checked(mem, ADDRESS);
        let reg = self.named_reg(result, Type::I64);
        let load = self.func.load(Type::I64, mem);
        self.emit(load.with_result(reg));
        self.set_scalar(result, reg);
        Ok(())
    }

    fn unknown_intrinsic<T>(&self, name: &str) -> Translated<T> {
        self.refuse(format!("the intrinsic `{name}` is not supported"))
    }

    /// Translates an operation on scalars or on each element of vectors.
    fn by_element(&mut self, inst: &ast::Inst, name: &str, stem: &str, operands: &[Value]) -> Translated<()> {
        let result = inst.result.expand().expect("the intrinsic has a result");
        if let Some(bits) = self.wide_bits(inst.ty)
            && self.wide_saturation(result, stem, bits, operands)?
        {
            return Ok(());
        }
        let to = self.scalar_of(self.element(inst.ty))?;
        let from = self.scalar_of(self.element(operands[0].ty))?;
        let count = self.refusing(scalar::all(&self.program.types, inst.ty))?.len();
        let mut columns = Vec::with_capacity(operands.len());
        for operand in operands {
            let values = self.values(operand)?;
            if values.is_empty() {
                return self.unknown_intrinsic(name);
            }
            columns.push(values);
        }
        let mut values = Vec::with_capacity(count);
        for k in 0..count {
            let args: Vec<Operand> = columns.iter().map(|c| c[k.min(c.len() - 1)]).collect();
            let value = self.element_operation(name, stem, from, to, &args)?;
            if value.as_reg().is_some_and(|r| self.func.type_of(r) != to.ty) {
                return self.refuse("the arguments and the result of the intrinsic are of different types");
            }
            values.push(value);
        }
        self.set_named(result, to.ty, &values);
        Ok(())
    }

    fn element_operation(
        &mut self,
        name: &str,
        stem: &str,
        from: Scalar,
        to: Scalar,
        args: &[Operand],
    ) -> Translated<Operand> {
        if let Some((function, count, ty)) = library_function(name) {
            let regs: Vec<Reg> = args.iter().take(count).map(|arg| self.in_register(ty, *arg)).collect();
            let value = self.library_call(&function, &regs, Some(ty))?;
            return Ok(value.map_or(Operand::NONE, Operand::reg));
        }
        let ty = from.ty;
        if let Some(opcode) = opcode(stem) {
            return match (opcode.effects().has(lir_syntax::ir::Effects::COMMUTATIVE) || stem == "copysign", args) {
                (true, &[a, b]) => Ok(self.two_operands(opcode, stem, from, a, b)),
                (false, &[a, ..]) if stem == "bswap" && from.is_narrow() => self.narrow_bswap(from, a),
                (false, &[a, ..]) => Ok(self.unary(opcode, ty, a).into()),
                _ => self.unknown_intrinsic(name),
            };
        }
        match (stem, args) {
            ("abs", &[a, ..]) => Ok(self.absolute(from, a)),
            ("ctlz" | "cttz", &[a, ..]) => Ok(self.count_zeros(stem == "ctlz", from, a)),
            ("bitreverse", &[a]) => Ok(self.bit_reverse(from, a)),
            ("fshl" | "fshr", &[a, b, c]) => Ok(self.funnel_shift(stem == "fshl", from, [a, b, c])),
            ("fma", &[a, b, c]) => {
                let (a, others) = (self.in_register(ty, a), [self.in_register(ty, b), self.in_register(ty, c)]);
                let others = self.func.make_bc(others[0].into(), others[1].into());
                Ok(self.define(ty, InstData::binary(Opcode::Fma, ty, a, others)).into())
            }
            ("fmuladd", &[a, b, c]) => {
                let product = self.binary(Opcode::Fmul, ty, a, b);
                Ok(self.binary(Opcode::Fadd, ty, product, c).into())
            }
            ("sadd.sat" | "uadd.sat" | "ssub.sat" | "usub.sat" | "sshl.sat" | "ushl.sat", &[a, b]) => {
                self.saturating(stem, from, a, b)
            }
            ("fptosi.sat" | "fptoui.sat", &[a]) => self.saturating_conversion(stem == "fptosi.sat", from, a, to),
            ("scmp" | "ucmp", &[a, b]) => Ok(self.three_way(stem == "scmp", from, [a, b], to)),
            ("maxnum" | "minnum", &[a, b]) => Ok(self.greater_or_less(stem == "maxnum", ty, a, b)),
            ("maximumnum" | "minimumnum", &[a, b]) => Ok(self.greater_or_less_number(stem == "maximumnum", ty, a, b)),
            ("ptrmask", &[a, mask]) => Ok(self.binary(Opcode::And, ty, a, mask).into()),
            _ => self.unknown_intrinsic(name),
        }
    }

    pub(super) fn two_operands(
        &mut self,
        opcode: Opcode,
        stem: &str,
        scalar: Scalar,
        a: Operand,
        b: Operand,
    ) -> Operand {
        if !scalar.is_narrow() || !stem.starts_with('s') {
            return self.binary(opcode, scalar.ty, a, b).into();
        }
        let (a, b) = (self.sign_extended(a, scalar), self.sign_extended(b, scalar));
        let whole = self.binary(opcode, scalar.ty, a, b);
        self.masked(whole, scalar).into()
    }

    fn absolute(&mut self, scalar: Scalar, a: Operand) -> Operand {
        let value = self.sign_extended(a, scalar);
        let negative = self.unary(Opcode::Neg, scalar.ty, value);
        let whole = self.binary(Opcode::Smax, scalar.ty, value, negative);
        self.masked(whole, scalar).into()
    }

    /// Counts leading or trailing zeros. The zeros of a narrow value are counted in its register, where an extra set
    /// bit stops the count: above the value, or below it after a shift to the top.
    fn count_zeros(&mut self, leading: bool, scalar: Scalar, a: Operand) -> Operand {
        let ty = scalar.ty;
        if !scalar.is_narrow() {
            return self.unary(if leading { Opcode::Clz } else { Opcode::Ctz }, ty, a).into();
        }
        if leading {
            let unused = (ty.bits() - scalar.bits) as u64;
            let high = self.binary_const(Opcode::Shl, ty, a, unused);
            let stopped = self.binary_const(Opcode::Or, ty, high, 1 << (unused - 1));
            return self.unary(Opcode::Clz, ty, stopped).into();
        }
        let stopped = self.binary_const(Opcode::Or, ty, a, 1 << scalar.bits);
        self.unary(Opcode::Ctz, ty, stopped).into()
    }

    fn narrow_bswap(&mut self, scalar: Scalar, a: Operand) -> Translated<Operand> {
        let swapped = self.unary(Opcode::Bswap, scalar.ty, a);
        Ok(self.binary_const(Opcode::Lshr, scalar.ty, swapped, (scalar.ty.bits() - scalar.bits) as u64).into())
    }

    /// Reverses the bits: swaps neighbouring bits, pairs, groups of four, and bytes.
    pub(super) fn bit_reverse(&mut self, scalar: Scalar, a: Operand) -> Operand {
        let ty = scalar.ty;
        let mut value = a;
        for (shift, mask) in [(1, 0x5555_5555_5555_5555u64), (2, 0x3333_3333_3333_3333), (4, 0x0f0f_0f0f_0f0f_0f0f)] {
            let high = self.binary_const(Opcode::Lshr, ty, value, shift);
            let high = self.binary_const(Opcode::And, ty, high, mask);
            let low = self.binary_const(Opcode::And, ty, value, mask);
            let low = self.binary_const(Opcode::Shl, ty, low, shift);
            value = self.binary(Opcode::Or, ty, low, high).into();
        }
        let swapped = self.unary(Opcode::Bswap, ty, value);
        match ty.bits() - scalar.bits {
            0 => swapped.into(),
            unused => self.binary_const(Opcode::Lshr, ty, swapped, unused as u64).into(),
        }
    }

    /// Translates `fshl` or `fshr`. With the same value twice it is a rotation. With two values, the value that is
    /// shifted by the rest of the width is first shifted by one, so that no amount reaches the width.
    fn funnel_shift(&mut self, left: bool, scalar: Scalar, [a, b, amount]: [Operand; 3]) -> Operand {
        let ty = scalar.ty;
        let bits = scalar.bits as u64;
        if !scalar.is_narrow() && a == b {
            return self.binary(if left { Opcode::Rotl } else { Opcode::Rotr }, ty, a, amount).into();
        }
        let amount = match scalar.is_narrow() {
            true => self.binary_const(Opcode::Urem, ty, amount, bits),
            false => self.binary_const(Opcode::And, ty, amount, bits - 1),
        };
        let most = self.constant(ty, bits - 1);
        let most = self.in_register(ty, most);
        let rest = self.binary(Opcode::Sub, ty, most, amount);
        let (high, low) = match left {
            true => {
                let half = self.binary_const(Opcode::Lshr, ty, b, 1);
                (self.binary(Opcode::Shl, ty, a, amount), self.binary(Opcode::Lshr, ty, half, rest))
            }
            false => {
                let twice = self.binary_const(Opcode::Shl, ty, a, 1);
                (self.binary(Opcode::Shl, ty, twice, rest), self.binary(Opcode::Lshr, ty, b, amount))
            }
        };
        let whole = self.binary(Opcode::Or, ty, high, low);
        self.masked(whole, scalar).into()
    }

    /// Sets the result of an operation modulo the width, and its overflow flag.
    fn with_overflow(&mut self, result: ast::Local, stem: &str, operands: &[Value]) -> Translated<()> {
        let scalar = self.scalar_of(operands[0].ty)?;
        let (a, b) = (self.value(&operands[0])?, self.value(&operands[1])?);
        let (value, overflow) = self.overflowing(&stem[..4], scalar, a, b)?;
        self.set(result, &[value.into(), overflow.into()]);
        Ok(())
    }

    /// Returns the result of `sadd`, `usub` and the like modulo the width, and the overflow flag.
    fn overflowing(&mut self, stem: &str, scalar: Scalar, a: Operand, b: Operand) -> Translated<(Reg, Reg)> {
        let (opcode, test) = match stem {
            "sadd" => (Opcode::Add, Opcode::SaddO),
            "uadd" => (Opcode::Add, Opcode::UaddO),
            "ssub" => (Opcode::Sub, Opcode::SsubO),
            "usub" => (Opcode::Sub, Opcode::UsubO),
            "smul" => (Opcode::Mul, Opcode::SmulO),
            _ => (Opcode::Mul, Opcode::UmulO),
        };
        let ty = scalar.ty;
        if !scalar.is_narrow() {
            let value = self.binary(opcode, ty, a, b);
            let a = self.in_register(ty, a);
            return Ok((value, self.define(Type::I8, InstData::binary(test, ty, a, b))));
        }
        // In the top bits of the register, an operation of the register's width overflows exactly if the narrow one
        // does.
        let unused = (ty.bits() - scalar.bits) as u64;
        let high = self.binary_const(Opcode::Shl, ty, a, unused);
        let other = match opcode {
            Opcode::Mul if stem == "smul" => self.sign_extended(b, scalar),
            Opcode::Mul => self.in_register(ty, b),
            _ => self.binary_const(Opcode::Shl, ty, b, unused),
        };
        let value = self.binary(opcode, ty, high, other);
        let overflow = self.define(Type::I8, InstData::binary(test, ty, high, other));
        Ok((self.binary_const(Opcode::Lshr, ty, value, unused), overflow))
    }

    /// Returns the exact result, or the bound that it exceeds.
    fn saturating(&mut self, stem: &str, scalar: Scalar, a: Operand, b: Operand) -> Translated<Operand> {
        let ty = scalar.ty;
        let signed = stem.starts_with('s');
        let least = 1u64 << (scalar.bits - 1);
        let (value, overflow) = match stem {
            "sshl.sat" | "ushl.sat" => {
                let value = self.binary(Opcode::Shl, ty, a, b);
                let value = self.masked(value, scalar);
                let back = match signed {
                    true => {
                        let wide = self.sign_extended(value, scalar);
                        let back = self.binary(Opcode::Ashr, ty, wide, b);
                        self.masked(back, scalar)
                    }
                    false => self.binary(Opcode::Lshr, ty, value, b),
                };
                let comparison = lir_syntax::ir::Comparison {
                    ty,
                    predicate: lir_syntax::ir::IntCC::Ne.into(),
                    a: back.into(),
                    b: a,
                };
                (value, self.define(Type::I8, InstData::compare(comparison)))
            }
            _ => self.overflowing(&stem[..4], scalar, a, b)?,
        };
        let bound = match signed {
            // After an overflow the exact result has the sign of the first operand.
            true => {
                let sign = self.sign_extended(a, scalar);
                let sign = self.binary_const(Opcode::Ashr, ty, sign, ty.bits() as u64 - 1);
                let bound = self.binary_const(Opcode::Xor, ty, sign, least - 1);
                self.masked(bound, scalar)
            }
            false => {
                let bound = self.constant(ty, if stem == "usub.sat" { 0 } else { scalar.mask() });
                self.in_register(ty, bound)
            }
        };
        Ok(self.choice(ty, overflow, bound, value).into())
    }

    pub(super) fn saturating_conversion(
        &mut self,
        signed: bool,
        from: Scalar,
        a: Operand,
        to: Scalar,
    ) -> Translated<Operand> {
        let opcode = if signed { Opcode::FptosiSat } else { Opcode::FptouiSat };
        let whole = self.convert(opcode, from.ty, a, to.ty);
        if !to.is_narrow() {
            return Ok(whole);
        }
        let ty = to.ty;
        let value = match signed {
            true => {
                let most = self.binary_const(Opcode::Smin, ty, whole, to.mask() >> 1);
                self.binary_const(Opcode::Smax, ty, most, !(to.mask() >> 1))
            }
            false => self.binary_const(Opcode::Umin, ty, whole, to.mask()),
        };
        Ok(self.masked(value, to).into())
    }

    // ---- Memory and control ----

    /// Translates `memcpy`, `memmove` and `memset`.
    fn block_operation(&mut self, stem: &str, operands: &[Value]) -> Translated<()> {
        let [to, second, length, volatile] = operands else { return self.refuse("an argument is missing") };
        let is_volatile = matches!(volatile.value, ast::Value::Int(n) if n & 1 == 1);
        let scalar = self.scalar_of(length.ty)?;
        let length = self.value(length)?;
        let bytes = match length.is_reg() {
            true => 0,
            false => self.func.constant(length).map_or(0, |n| n as u64 & scalar.mask()),
        };
        let length = match length.is_reg() {
            true => self.convert(Opcode::Zext, scalar.ty, length, Type::I64),
            false => self.constant(Type::I64, bytes),
        };
        let mem = self.memory(to, bytes)?;
        if is_volatile {
            return self.volatile_block(stem, mem, second, (length, bytes));
        }
        let data = match stem {
            "memset" | "memset.inline" => {
                let byte = self.value(second)?;
                self.func.memset(mem, byte, length)
            }
            _ => {
                let from = self.memory(second, bytes)?;
                if stem == "memmove" {
                    self.func.memmove(mem, from, length)
                } else {
                    self.func.memcpy(mem, from, length)
                }
            }
        };
        self.emit(data);
        Ok(())
    }

    fn variable_arguments(&mut self, stem: &str, operands: &[Value]) -> Translated<()> {
        let Some(list) = operands.first() else { return self.refuse("an argument is missing") };
        if stem == "va_start" && !self.def.variadic {
            return self.refuse("the function is not variadic");
        }
        let mem = self.memory(list, VA_LIST_SIZE)?;
        let data = match (stem, operands.get(1)) {
            ("va_copy", Some(from)) => {
                let from = self.memory(from, VA_LIST_SIZE)?;
                self.func.va_copy(mem, from)
            }
            ("va_copy", None) => return self.refuse("an argument is missing"),
            _ => {
                let opcode = if stem == "va_start" { Opcode::VaStart } else { Opcode::VaEnd };
                let mut data = InstData::new(opcode, Type::I64);
                self.func.set_mem(&mut data, mem);
                data
            }
        };
        self.emit(data);
        Ok(())
    }

    /// Translates the instruction `va_arg`, for a scalar.
    pub(super) fn va_arg(&mut self, inst: &ast::Inst, operands: &[Value]) -> Translated<()> {
        let result = inst.result.expand().expect("va_arg has a result");
        let scalar = self.scalar_of(inst.ty)?;
        if scalar.is_narrow() || !matches!(scalar.ty, Type::I32 | Type::I64 | Type::F64) {
            return self.refuse("a variable argument of this type is not supported");
        }
        let mem = self.memory(&operands[0], VA_LIST_SIZE)?;
        let mut data = InstData::new(Opcode::VaArg, scalar.ty);
        self.func.set_mem(&mut data, mem);
        let reg = self.named_reg(result, scalar.ty);
        self.emit(data.with_result(reg));
        self.set_scalar(result, reg);
        Ok(())
    }

    fn stack_mark(&mut self, inst: &ast::Inst, operands: &[Value]) -> Translated<()> {
        match (inst.result.expand(), operands.first()) {
            (Some(result), _) => {
                let reg = self.named_reg(result, Type::I64);
                self.emit(InstData::new(Opcode::StackSave, Type::I64).with_result(reg));
                self.set_scalar(result, reg);
            }
            (None, Some(mark)) => {
                let mark = self.register(mark)?;
                self.emit(InstData::unary(Opcode::StackRestore, Type::I64, mark));
            }
            _ => return self.refuse("an argument is missing"),
        }
        Ok(())
    }
}
