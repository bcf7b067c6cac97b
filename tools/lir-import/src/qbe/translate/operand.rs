//! Translates the values of QBE to registers and constants of a type.
//!
//! Values are 64 bits, of which the context uses a part.

use super::super::ast::{Global, Temp, Val};
use super::super::class::Class;
use super::function::{Translated, Translator};
use super::sym_of;
use lir_syntax::ir::{Base, Mem, Opcode, Operand, Reg, Type, lies_within};

impl Translator<'_> {
    /// Returns a value in a context of this class: a register or a constant. A long in the context of a word is cut to
    /// one.
    pub(super) fn operand(&mut self, value: Val, class: Class) -> Translated<Operand> {
        if class == Class::W {
            return self.low_bits(value, Type::I32);
        }
        match value {
            Val::Temp(temp) => {
                self.expect_class(temp, class)?;
                Ok(Operand::reg(self.reg_of(temp)))
            }
            Val::Const(bits) => Ok(self.func.make_typed_const(class.ty(), bits)),
            Val::Sym(global, thread) if class == Class::L => {
                let mem = self.symbol(global, thread)?;
                let reg = self.new_reg(Type::I64);
                self.emit_lea(reg, mem);
                Ok(Operand::reg(reg))
            }
            Val::Sym(..) | Val::None => Err(self.error("an address cannot be a floating-point operand")),
        }
    }

    /// The same, in a register.
    pub(super) fn register(&mut self, value: Val, class: Class) -> Translated<Reg> {
        let operand = self.operand(value, class)?;
        Ok(self.in_register(operand, class.ty()))
    }

    /// Returns the low bits of a value in the context of a word: `ty` is i8, i16 or i32.
    pub(super) fn low_bits(&mut self, value: Val, ty: Type) -> Translated<Operand> {
        let temp = match value {
            Val::Temp(temp) => temp,
            Val::Const(bits) => return Ok(self.func.make_typed_const(ty, bits)),
            Val::Sym(..) | Val::None => {
                let wide = self.register(value, Class::L)?;
                let reg = self.new_reg(ty);
                self.convert(Opcode::Trunc, wide, reg);
                return Ok(Operand::reg(reg));
            }
        };
        self.expect_class(temp, Class::W)?;
        let own = self.reg_of(temp);
        if self.func.type_of(own) == ty {
            return Ok(Operand::reg(own));
        }
        let reg = self.new_reg_for(temp, ty);
        self.convert(Opcode::Trunc, own, reg);
        Ok(Operand::reg(reg))
    }

    /// The same, in a register.
    pub(super) fn low_bits_register(&mut self, value: Val, ty: Type) -> Translated<Reg> {
        let operand = self.low_bits(value, ty)?;
        Ok(self.in_register(operand, ty))
    }

    /// Returns a register that holds the operand.
    pub(super) fn in_register(&mut self, operand: Operand, ty: Type) -> Reg {
        operand.as_reg().unwrap_or_else(|| {
            let reg = self.new_reg(ty);
            self.emit_op(Opcode::Const, ty, reg, operand, Operand::NONE);
            reg
        })
    }

    /// Returns the memory that an address leads to, for an access of `bytes` bytes.
    ///
    /// C code that is never reached may leave its object at a constant offset. LIR lets no access do that, so the
    /// address is then computed on its own.
    pub(super) fn address(&mut self, value: Val, bytes: u64) -> Translated<Mem> {
        let (mem, size) = match value {
            Val::Temp(temp) => {
                self.expect_class(temp, Class::L)?;
                let Some(location) = self.temps.info[temp].location else { return Ok(Mem::reg(self.reg_of(temp))) };
                (Mem::obj(location.obj, location.disp), Some(self.func.stack[location.obj].size))
            }
            Val::Sym(global, thread) => (self.symbol(global, thread)?, *self.context.sizes.get(global)),
            Val::Const(bits) => match i32::try_from(bits as i64) {
                Ok(disp) => return Ok(Mem::base_disp(Base::None, disp)),
                Err(_) => return self.register(value, Class::L).map(Mem::reg),
            },
            Val::None => return Err(self.error("an address is missing")),
        };
        if size.is_none_or(|size| lies_within(mem.disp.into(), bytes, size)) {
            return Ok(mem);
        }
        let reg = self.new_reg(Type::I64);
        self.emit_lea(reg, mem);
        Ok(Mem::reg(reg))
    }

    /// Returns the memory of a symbol, which must be thread-local exactly if the text marks it so.
    pub(super) fn symbol(&mut self, global: Global, thread: bool) -> Translated<Mem> {
        let sym = sym_of(global);
        let is_thread = self.context.decls.data_of(sym).is_some_and(|d| d.thread);
        if is_thread != thread {
            let name = self.context.program.globals.show(global);
            let (is, lacks) = if is_thread { ("", "without") } else { ("not ", "with") };
            return Err(self.error(format!("`${name}` is {is}thread-local and is used {lacks} `thread`")));
        }
        Ok(Mem::sym(sym, 0))
    }

    /// Checks that a temporary may be used in the context of a class. It is of that class, or a long for a word.
    fn expect_class(&self, temp: Temp, class: Class) -> Translated<()> {
        let found = self.class_of(temp)?;
        if found == class || found == Class::L && class == Class::W {
            return Ok(());
        }
        let name = self.def.temps.show(temp);
        let message = format!("`%{name}` has class `{}` where `{}` is wanted", found.letter(), class.letter());
        Err(self.error(message))
    }
}
