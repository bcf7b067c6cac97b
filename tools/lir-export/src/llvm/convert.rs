//! Conversions. LLVM's conversions of floats to integers are undefined out of range; its saturating conversions are
//! always defined.

use super::function::FunctionWriter;
use super::types::{number, type_name};
use lir_syntax::ir::{Inst, Opcode, Operand, Type};

impl FunctionWriter<'_, '_> {
    pub(super) fn convert(&mut self, i: Inst, value: Operand, to: Type) {
        let d = *self.f.inst(i);
        let (t, u, v) = (type_name(d.ty), type_name(to), self.value(value, d.ty));
        match d.op {
            Opcode::Fptosi if to.bits() < 32 => {
                let wide = self.signed_of_float(d.ty, &v, Type::I32);
                self.assign(i, format_args!("trunc i32 {wide} to {u}"));
            }
            Opcode::Fptosi => {
                let result = self.signed_of_float(d.ty, &v, to);
                self.assign(i, format_args!("bitcast {u} {result} to {u}"));
            }
            Opcode::Fptoui if to.bits() < 64 => {
                let wide = self.signed_of_float(d.ty, &v, Type::I64);
                self.assign(i, format_args!("trunc i64 {wide} to {u}"));
            }
            Opcode::Fptoui => self.unsigned_of_float(i, &v),
            Opcode::FptosiSat => {
                let f = self.saturating("fptosi", d.ty, to);
                self.assign(i, format_args!("call {u} {f}({t} {v})"));
            }
            Opcode::FptouiSat => {
                let f = self.saturating("fptoui", d.ty, to);
                self.assign(i, format_args!("call {u} {f}({t} {v})"));
            }
            Opcode::Sext
            | Opcode::Zext
            | Opcode::Trunc
            | Opcode::Sitofp
            | Opcode::Uitofp
            | Opcode::Fpext
            | Opcode::Fptrunc
            | Opcode::Bitcast => self.assign(i, format_args!("{} {t} {v} to {u}", d.op.info().mnemonic)),
            other => unreachable!("{other:?} is not a conversion"),
        }
    }
    /// Returns `fptosi` to i32 or i64: the saturated value, or the least number if the value is too large or a NaN.
    fn signed_of_float(&mut self, from: Type, v: &str, to: Type) -> String {
        let (t, u) = (type_name(from), type_name(to));
        let f = self.saturating("fptosi", from, to);
        let end = number(from, -(i64::MIN as f64) / if to == Type::I32 { 4_294_967_296.0 } else { 1.0 });
        let least = to.constant_payload(1 << (to.bits() - 1));
        let fits = self.step(format_args!("fcmp olt {t} {v}, {end}"));
        let saturated = self.step(format_args!("call {u} {f}({t} {v})"));
        self.step(format_args!("select i1 {fits}, {u} {saturated}, {u} {least}"))
    }
    /// Translates `fptoui` to i64, by `fptosi` as the manual defines it.
    fn unsigned_of_float(&mut self, i: Inst, v: &str) {
        let from = self.f.inst(i).ty;
        let t = type_name(from);
        let low = self.signed_of_float(from, v, Type::I64);
        let moved = self.step(format_args!("fsub {t} {v}, {}", number(from, -(i64::MIN as f64))));
        let high = self.signed_of_float(from, &moved, Type::I64);
        let both = self.step(format_args!("or i64 {low}, {high}"));
        let is_negative = self.step(format_args!("icmp slt i64 {low}, 0"));
        self.assign(i, format_args!("select i1 {is_negative}, i64 {both}, i64 {low}"));
    }
    fn saturating(&mut self, name: &str, from: Type, to: Type) -> String {
        let name = format!("llvm.{name}.sat.{}.{}", to.name(), from.name());
        self.shared.declare(&name, type_name(to), type_name(from), "")
    }
}
