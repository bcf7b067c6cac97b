//! Translates instructions other than calls and jumps.

use super::super::ast::{Inst, Temp, Val};
use super::super::class::Class;
use super::super::operation::Operation;
use super::function::{Translated, Translator};
use lir_syntax::ir::{Comparison, Effects, InstData, Mem, Opcode, Operand, Predicate, Reg, Type, VA_LIST_SIZE};

type Dst = (Temp, Class);

impl Translator<'_> {
    /// Translates the instruction with this index in the function.
    pub(super) fn instruction(&mut self, k: u32) -> Translated<()> {
        let def = self.def;
        let inst = &def.insts[k as usize];
        let [a, b] = inst.args;
        let Some(dst) = inst.dst else {
            return match inst.op {
                Operation::Store(ty) => self.store(ty, a, b),
                Operation::Blit => self.blit(a, b, inst.extra),
                Operation::VaStart if !def.variadic => Err(self.error("the function is not variadic")),
                Operation::VaStart => {
                    let mem = self.address(a, VA_LIST_SIZE)?;
                    self.emit_accessing(InstData::new(Opcode::VaStart, Type::I64), mem);
                    Ok(())
                }
                _ => self.call(k, inst),
            };
        };
        if let (Some(location), Operation::Arith(..) | Operation::Copy) = (self.temps.info[dst.0].location, inst.op) {
            self.address_of_object(dst.0, Mem::obj(location.obj, location.disp));
            return Ok(());
        }
        match inst.op {
            Operation::Arith(int, float) => self.arithmetic(int, float, dst, a, b),
            Operation::Shift(op) => self.shift(op, dst, a, b),
            Operation::IntCompare(..) | Operation::FloatCompare(..) => self.comparison(inst, dst),
            Operation::Load(ty, signed) => self.load(ty, signed, dst, a),
            Operation::LoadClass => self.load(dst.1.ty(), true, dst, a),
            Operation::Alloc(log2) => self.allocation(k, log2, dst, a),
            Operation::VaArg => self.va_arg(dst, a),
            Operation::Call => self.call(k, inst),
            Operation::Phi => {
                self.phi(inst, dst);
                Ok(())
            }
            Operation::Neg | Operation::Extend(..) | Operation::FromFloat(..) | Operation::ToFloat(..) => {
                self.unary(inst.op, dst, a)
            }
            Operation::Cast => self.cast(dst, a),
            Operation::Copy => self.copy(dst, a),
            Operation::Store(_) | Operation::Blit | Operation::VaStart => Err(self.error("this has no result")),
        }
    }

    fn arithmetic(&mut self, int: Opcode, float: Option<Opcode>, dst: Dst, a: Val, b: Val) -> Translated<()> {
        let class = dst.1;
        let op = if class.ty().is_float() { float.unwrap_or(int) } else { int };
        let commutes = op.effects().has(Effects::COMMUTATIVE);
        let (a, b) = if commutes && matches!(a, Val::Const(_)) { (b, a) } else { (a, b) };
        if let (Opcode::Add, Class::L, Val::Sym(global, thread), Val::Const(c)) = (op, class, a, b)
            && let Ok(disp) = i32::try_from(c as i64)
        {
            let mem = Mem { disp, ..self.symbol(global, thread)? };
            return self.assign(dst, |t, reg| {
                t.emit_lea(reg, mem);
                Ok(())
            });
        }
        let (a, b) = (self.register(a, class)?, self.operand(b, class)?);
        self.emit_to(dst, op, Operand::reg(a), b)
    }

    /// Translates a shift. The amount is a word in QBE, in LIR of the value's type; only its low bits count in both.
    fn shift(&mut self, op: Opcode, dst: Dst, a: Val, amount: Val) -> Translated<()> {
        let (class, ty) = (dst.1, dst.1.ty());
        let a = self.register(a, class)?;
        let amount = match amount {
            Val::Const(bits) => self.func.make_typed_const(ty, ty.as_word().shift_amount(bits).into()),
            Val::Temp(temp) if class == Class::L && self.class_of(temp)? == Class::W => {
                let word = self.register(amount, Class::W)?;
                let wide = self.new_reg_for(temp, Type::I64);
                self.extend(word, wide, false);
                Operand::reg(wide)
            }
            amount => self.operand(amount, class)?,
        };
        self.emit_to(dst, op, Operand::reg(a), amount)
    }

    /// `dst = op T a, b`, T being the type of the assignment.
    fn emit_to(&mut self, dst: Dst, op: Opcode, a: Operand, b: Operand) -> Translated<()> {
        self.assign(dst, |t, reg| {
            t.emit_op(op, dst.1.ty(), reg, a, b);
            Ok(())
        })
    }

    // ---- Comparisons ----

    /// Returns the comparison of an instruction, its first operand a register.
    pub(super) fn compared(&mut self, inst: &Inst) -> Translated<Comparison> {
        let [a, b] = inst.args;
        let swap = matches!(a, Val::Const(_)) && !matches!(b, Val::Const(_));
        let (predicate, class) = match inst.op {
            Operation::IntCompare(cc, class) => (Predicate::from(if swap { cc.swapped() } else { cc }), class),
            Operation::FloatCompare(cc, class) => (Predicate::from(if swap { cc.swapped() } else { cc }), class),
            _ => return Err(self.error("this is not a comparison")),
        };
        let (a, b) = if swap { (b, a) } else { (a, b) };
        let (a, b) = (self.register(a, class)?, self.operand(b, class)?);
        Ok(Comparison { ty: class.ty(), predicate, a: a.into(), b })
    }

    fn comparison(&mut self, inst: &Inst, dst: Dst) -> Translated<()> {
        let info = self.temps.info[dst.0];
        if info.is_fused {
            return Ok(());
        }
        let comparison = self.compared(inst)?;
        let own = self.reg_of(dst.0);
        let truth = if info.is_truth { own } else { self.new_reg_for(dst.0, Type::I8) };
        self.emit(InstData::compare(comparison).with_result(truth));
        if !info.is_truth {
            self.extend(truth, own, false);
        }
        Ok(())
    }

    // ---- Memory ----

    fn load(&mut self, ty: Type, signed: bool, dst: Dst, address: Val) -> Translated<()> {
        let mem = self.address(address, ty.bytes() as u64)?;
        self.assign(dst, |t, reg| {
            if ty == dst.1.ty() {
                t.emit_load(ty, reg, mem);
            } else {
                let narrow = t.new_reg_for(dst.0, ty);
                t.emit_load(ty, narrow, mem);
                t.extend(narrow, reg, signed);
            }
            Ok(())
        })
    }

    fn store(&mut self, ty: Type, value: Val, address: Val) -> Translated<()> {
        let value = match ty {
            Type::I8 | Type::I16 | Type::I32 => self.low_bits(value, ty)?,
            Type::I64 => self.operand(value, Class::L)?,
            Type::F32 => self.operand(value, Class::S)?,
            Type::F64 => self.operand(value, Class::D)?,
            Type::I128 => unreachable!("QBE stores at most 64 bits"),
        };
        let mem = self.address(address, ty.bytes() as u64)?;
        let store = self.func.store(ty, mem, value);
        self.emit(store);
        Ok(())
    }

    fn blit(&mut self, from: Val, to: Val, bytes: u64) -> Translated<()> {
        let (from, to) = (self.address(from, bytes)?, self.address(to, bytes)?);
        let length = self.func.make_typed_const(Type::I64, bytes);
        let copy = self.func.memcpy(to, from, length);
        self.emit(copy);
        Ok(())
    }

    fn allocation(&mut self, k: u32, log2: u8, dst: Dst, size: Val) -> Translated<()> {
        if let Some(obj) = self.temps.object_of(k) {
            self.address_of_object(dst.0, Mem::obj(obj, 0));
            return Ok(());
        }
        let a = self.operand(size, Class::L)?;
        self.assign(dst, |t, reg| {
            let data = InstData::unary(Opcode::Alloca, Type::I64, a).with_alignment(1 << log2);
            t.emit(data.with_result(reg));
            Ok(())
        })
    }

    /// C passes no single-precision variable argument. QBE keeps one in the low half of a double's place.
    fn va_arg(&mut self, dst: Dst, list: Val) -> Translated<()> {
        let mem = self.address(list, VA_LIST_SIZE)?;
        let class = dst.1;
        self.assign(dst, |t, reg| {
            if class == Class::S {
                let double = t.new_reg_for(dst.0, Type::F64);
                t.emit_accessing(InstData::new(Opcode::VaArg, Type::F64).with_result(double), mem);
                let bits = t.convert_to_new(Opcode::Bitcast, double, Type::I64);
                let low = t.convert_to_new(Opcode::Trunc, bits, Type::I32);
                t.convert(Opcode::Bitcast, low, reg);
            } else {
                t.emit_accessing(InstData::new(Opcode::VaArg, class.ty()).with_result(reg), mem);
            }
            Ok(())
        })
    }

    // ---- Conversions ----

    /// Makes a conversion into a new register.
    pub(super) fn convert_to_new(&mut self, op: Opcode, from: Reg, ty: Type) -> Reg {
        let reg = self.new_reg(ty);
        self.convert(op, from, reg);
        reg
    }

    fn unary(&mut self, op: Operation, dst: Dst, a: Val) -> Translated<()> {
        let class = dst.1;
        let (convert, from) = match op {
            Operation::Extend(ty, signed) => {
                (if signed { Opcode::Sext } else { Opcode::Zext }, self.low_bits_register(a, ty)?)
            }
            Operation::FromFloat(op, from) | Operation::ToFloat(op, from) => (op, self.register(a, from)?),
            _ => {
                let op = if class.ty().is_float() { Opcode::Fneg } else { Opcode::Neg };
                let a = self.register(a, class)?;
                return self.emit_to(dst, op, Operand::reg(a), Operand::NONE);
            }
        };
        self.assign(dst, |t, reg| {
            t.convert(convert, from, reg);
            Ok(())
        })
    }

    /// The same bits in the class of the other kind and of the same width.
    fn cast(&mut self, dst: Dst, a: Val) -> Translated<()> {
        let from = match dst.1 {
            Class::W => Class::S,
            Class::L => Class::D,
            Class::S => Class::W,
            Class::D => Class::L,
        };
        if let Val::Const(bits) = a {
            return self.constant(dst, bits);
        }
        let a = self.register(a, from)?;
        self.assign(dst, |t, reg| {
            t.convert(Opcode::Bitcast, a, reg);
            Ok(())
        })
    }

    pub(super) fn copy(&mut self, dst: Dst, a: Val) -> Translated<()> {
        match a {
            Val::Const(bits) => self.constant(dst, bits),
            Val::Sym(global, thread) if dst.1 == Class::L => {
                let mem = self.symbol(global, thread)?;
                self.assign(dst, |t, reg| {
                    t.emit_lea(reg, mem);
                    Ok(())
                })
            }
            Val::Temp(temp) if dst.1 == Class::W && self.class_of(temp)? == Class::L => {
                let (own, wide) = (self.reg_of(dst.0), self.reg_of(temp));
                self.convert(Opcode::Trunc, wide, own);
                Ok(())
            }
            a => {
                let a = self.operand(a, dst.1)?;
                self.emit_to(dst, Opcode::Copy, a, Operand::NONE)
            }
        }
    }

    fn constant(&mut self, dst: Dst, bits: u64) -> Translated<()> {
        let reg = self.reg_of(dst.0);
        self.emit_const(reg, bits);
        Ok(())
    }

    /// Makes a phi, whose entries are filled in when all blocks exist.
    fn phi(&mut self, inst: &Inst, (temp, _): Dst) {
        let reg = self.reg_of(temp);
        let b = self.func.make_phi(&[]);
        let data = InstData::new(Opcode::Phi, self.func.type_of(reg)).with_list(b).with_result(reg);
        let phi = self.emit(data);
        self.phis.push((phi, inst.span, temp, inst.extra as usize));
    }
}
