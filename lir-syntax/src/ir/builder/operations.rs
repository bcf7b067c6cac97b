//! Methods of the builder by operation, named as in LIR text: types follow from the operands.

use super::{FunctionBuilder, Value};
use crate::ir::{Opcode, Reg, Type};

/// Makes the methods, and the list of their operations.
macro_rules! operations {
    (unary { $($unary:ident $u:ident)* } binary { $($binary:ident $b:ident)* } convert { $($convert:ident $c:ident)* }) => {
        impl FunctionBuilder<'_> {
            $(
                #[doc = concat!("`%d = ", stringify!($unary), " T %a`, T being the type of `a`.")]
                #[track_caller]
                pub fn $unary(&mut self, a: Reg) -> Reg {
                    self.unary(Opcode::$u, self.type_of(a), a)
                }
            )*
            $(
                #[doc = concat!("`%d = ", stringify!($binary), " T %a, b`, T being the type of `a`.")]
                #[track_caller]
                pub fn $binary(&mut self, a: Reg, b: impl Into<Value>) -> Reg {
                    self.binary(Opcode::$b, self.type_of(a), a, b)
                }
            )*
            $(
                #[doc = concat!("`%d = ", stringify!($convert), " T %a to U`, T being the type of `a`.")]
                #[track_caller]
                pub fn $convert(&mut self, a: Reg, to: Type) -> Reg {
                    self.convert(Opcode::$c, self.type_of(a), a, to)
                }
            )*
        }

        #[cfg(test)]
        const METHODS: &[(&str, Opcode)] = &[
            $((stringify!($unary), Opcode::$u),)*
            $((stringify!($binary), Opcode::$b),)*
            $((stringify!($convert), Opcode::$c),)*
        ];
    };
}

operations! {
    unary {
        copy Copy neg Neg not Not clz Clz ctz Ctz popcnt Popcnt bswap Bswap fneg Fneg fabs Fabs fsqrt Fsqrt
        fceil Fceil ffloor Ffloor ftrunc Ftrunc fnearest Fnearest
    }
    binary {
        add Add sub Sub mul Mul and And or Or xor Xor shl Shl lshr Lshr ashr Ashr rotl Rotl rotr Rotr
        sdiv Sdiv udiv Udiv srem Srem urem Urem smulh Smulh umulh Umulh smin Smin smax Smax umin Umin umax Umax
        sadd_o SaddO uadd_o UaddO ssub_o SsubO usub_o UsubO smul_o SmulO umul_o UmulO
        fadd Fadd fsub Fsub fmul Fmul fdiv Fdiv fmin Fmin fmax Fmax fcopysign Fcopysign
    }
    convert {
        sext Sext zext Zext trunc Trunc sitofp Sitofp uitofp Uitofp fptosi Fptosi fptoui Fptoui
        fptosi_sat FptosiSat fptoui_sat FptouiSat fpext Fpext fptrunc Fptrunc bitcast Bitcast
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Format;

    #[test]
    fn every_operation_of_these_formats_has_a_method_of_its_name() {
        let formats = [Format::Unary, Format::Binary, Format::Convert];
        for op in Opcode::ALL.iter().filter(|op| formats.contains(&op.format())) {
            assert!(METHODS.contains(&(op.mnemonic(), *op)), "{}", op.mnemonic());
        }
    }
}
